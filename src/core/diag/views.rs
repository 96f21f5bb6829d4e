//! What the counters say, ready to show: rows, inputs, load by type. Plain data, bounded, without NaN.

use serde::{Deserialize, Serialize};

use super::Diag;
use super::feed::Medium;
use super::said::{self, Said, Value};
use super::stats::{Row, State};
use crate::core::ais::{Message, Outcome, Part, assembler::Assembler, words};
use crate::core::frame::Origin;
use crate::core::time::{MILLISECOND, Offset};
use crate::core::visible;

/// Longest text of a last value, characters.
pub const LAST: usize = 72;

/// One row of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowView {
    /// Input.
    pub origin: Origin,
    /// Two letters, `P` for makers, `??` unreadable.
    pub talker: String,
    /// `MWV`, `PGRME`, `-`.
    pub formatter: String,
    /// `R`; empty where there is none.
    pub sub_key: String,
    /// Good sentences.
    pub count: u64,
    /// Arrivals a second (epochs of GSV, GSA count once); 0 when lost.
    pub rate_hz: Option<f64>,
    /// What to expect, a second.
    pub expected_hz: Option<f64>,
    /// p90 of how far arrivals are off, milliseconds.
    pub jitter_ms: Option<f64>,
    /// Since it was last heard, milliseconds.
    pub age_ms: i64,
    /// Damaged.
    pub bad: u64,
    /// How it does.
    pub state: State,
    /// The last value in words.
    pub last: String,
    /// Bytes a second with line ends, over ten seconds.
    pub bytes_a_second: f64,
}

/// One input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FeedView {
    /// Which.
    pub origin: Origin,
    /// As on the command line; empty for a simulation.
    pub name: String,
    /// What it is.
    pub medium: Medium,
    /// Its rate.
    pub baud: Option<u32>,
    /// Bytes received.
    pub bytes: u64,
    /// Good sentences.
    pub sentences: u64,
    /// Damaged ones.
    pub damaged: u64,
    /// Of those, wrong checksums.
    pub bad_checksums: u64,
    /// Bytes in lines without a sentence.
    pub noise_bytes: u64,
    /// Bytes a second, over ten seconds.
    pub bytes_a_second: f64,
    /// What the line carries, bytes a second.
    pub capacity: Option<f64>,
    /// Share of that, percent.
    pub load_percent: Option<f64>,
    /// Since the last byte, milliseconds.
    pub age_ms: i64,
    /// Longest silence, milliseconds.
    pub longest_silence_ms: i64,
    /// Opened again so often.
    pub reconnects: u32,
}

/// The rows, by input, talker, formatter, sub-key.
pub fn rows(diag: &Diag) -> Vec<RowView> {
    let now = diag.now().offset;
    diag.rows().sorted().into_iter().map(|row| view(row, now)).collect()
}

fn view(row: &Row, now: Offset) -> RowView {
    let finite = |v: Option<f64>| v.filter(|v| v.is_finite());
    RowView {
        origin: row.key.origin,
        talker: row.key.talker.to_string(),
        formatter: row.key.formatter.to_string(),
        sub_key: row.key.sub.to_string(),
        count: row.count,
        rate_hz: finite(row.rate_hz(now)),
        expected_hz: finite(row.interval().filter(|i| *i > 0.0).map(|i| 1.0 / i)),
        jitter_ms: finite(row.jitter().map(|j| j * 1000.0)),
        age_ms: row.age(now) / MILLISECOND,
        bad: row.bad,
        state: row.state(now),
        last: last(&row.text),
        bytes_a_second: row.window.per_second(now, row.first),
    }
}

/// The inputs.
pub fn feeds(diag: &Diag) -> Vec<FeedView> {
    let now = diag.now().offset;
    let view = |f: &super::feed::Feed| {
        let (bytes_a_second, share) = f.load(now);
        FeedView {
            origin: f.origin,
            name: visible::text(f.input.name.as_bytes()),
            medium: f.input.medium,
            baud: f.input.baud,
            bytes: f.bytes,
            sentences: f.sentences,
            damaged: f.damaged,
            bad_checksums: f.bad_checksums,
            noise_bytes: f.noise,
            bytes_a_second,
            capacity: f.input.capacity(),
            load_percent: share.map(|s| s * 100.0),
            age_ms: f.age(now) / MILLISECOND,
            longest_silence_ms: f.longest_quiet.max(f.age(now)) / MILLISECOND,
            reconnects: f.reconnects,
        }
    };
    diag.feeds().map(view).collect()
}

/// Bytes a second by formatter over ten seconds, most first; those without are left out.
pub fn load_by_type(diag: &Diag) -> Vec<(String, f64)> {
    let now = diag.now().offset;
    let mut sums: std::collections::BTreeMap<String, f64> = std::collections::BTreeMap::new();
    for row in diag.rows().iter() {
        let n = row.window.per_second(now, row.first);
        if n > 0.0 {
            *sums.entry(row.key.formatter.to_string()).or_default() += n;
        }
    }
    let mut out: Vec<(String, f64)> = sums.into_iter().collect();
    out.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    out
}

/// What a sentence says, in a few words: `37 59.0280 N 023 43.6500 E  speed 6.5 kn`.
pub fn last(text: &[u8]) -> String {
    let Some((parts, row)) = said::parts(text) else { return visible::text(text).chars().take(LAST).collect() };
    if matches!(parts.formatter(), b"VDM" | b"VDO") {
        return ais(text);
    }
    let Some(row) = row else {
        return visible::text(parts.body.unwrap_or_default()).chars().take(LAST).collect();
    };
    let mut said = Said::default();
    said.read(&parts, row);
    let mut out = String::new();
    let mut latitude = None;
    for (name, value) in said.all() {
        let piece = match (*name, value) {
            ("time" | "date" | "sentences" | "sentence" | "prn" | "checksum", _) => continue,
            (n, Value::Number(v)) if n.ends_with("latitude") => {
                latitude = Some(degrees(*v, 2, ['N', 'S']));
                continue;
            }
            (n, Value::Number(v)) if n.ends_with("longitude") => {
                format!("{} {}", latitude.take().unwrap_or_default(), degrees(*v, 3, ['E', 'W']))
            }
            (n, Value::Number(v)) => {
                let (words, unit) = split_unit(n);
                format!("{words} {v}{unit}")
            }
            (n, Value::Letter(l)) => format!("{} {}", n.replace('_', " "), visible::text(&[*l])),
            (n, Value::Text(t)) => format!("{} {t}", n.replace('_', " ")),
            (_, Value::Time(_) | Value::Date(_)) => continue,
        };
        if out.len() + piece.len() + 2 > LAST {
            break;
        }
        if !out.is_empty() {
            out.push_str("  ");
        }
        out.push_str(&piece);
    }
    out
}

/// `37 59.0280 N`.
fn degrees(value: f64, width: usize, sides: [char; 2]) -> String {
    let ten_thousandths = (value.abs() * 600_000.0).round() as u64;
    let (whole, minutes) = (ten_thousandths / 600_000, ten_thousandths % 600_000);
    let side = sides[usize::from(value < 0.0)];
    format!("{whole:0width$} {:02}.{:04} {side}", minutes / 10_000, minutes % 10_000)
}

/// `speed_kn` is speed, in knots.
fn split_unit(name: &str) -> (String, &'static str) {
    const UNITS: &[(&str, &str)] = &[
        ("_deg_min", " deg/min"),
        ("_deg", ""),
        ("_kn", " kn"),
        ("_kmh", " km/h"),
        ("_m_s", " m/s"),
        ("_nm", " nm"),
        ("_km", " km"),
        ("_ft", " ft"),
        ("_fathoms", " fm"),
        ("_m", " m"),
        ("_c", " C"),
        ("_s", " s"),
        ("_min", " min"),
        ("_percent", " %"),
        ("_db", " dB"),
        ("_bar", " bar"),
        ("_inhg", " inHg"),
    ];
    let found = UNITS.iter().find_map(|(suffix, unit)| Some((name.strip_suffix(suffix)?, *unit)));
    let (stem, unit) = found.unwrap_or((name, ""));
    (stem.replace('_', " "), unit)
}

/// Type and sender of a message of one sentence.
fn ais(text: &[u8]) -> String {
    let Ok(part) = Part::parse(text) else { return String::new() };
    if part.total > 1 {
        return format!("part {} of {}", part.number, part.total);
    }
    match Assembler::new().hear(&part, 0, Origin::Source) {
        Outcome::Complete(whole) => Message::decode(&whole.bits).map_or(String::new(), |d| {
            let h = d.message.header;
            format!("{} {}: {}", h.kind, words::title(h.kind), h.mmsi)
        }),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    #[test]
    fn the_last_value_is_told_in_words_with_units() {
        assert_eq!(
            last(b"$GPRMC,123519,A,4807.038,N,01131.000,W,022.4,084.4,230394,003.1,W*6A"),
            "status A  48 07.0380 N 011 31.0000 W  speed 22.4 kn  course true 84.4"
        );
        assert_eq!(last(b"$SDDPT,12.4,0.5,*49"), "depth 12.4 m  offset 0.5 m");
        assert_eq!(last(b"$TIROT,-2.5,A*11"), "rate -2.5 deg/min  status A");
        assert_eq!(
            last(b"!AIVDM,1,1,,A,16SteH0P00Jt63hHaa6SagvJ087r,0*42"),
            "1 Position report, class A (scheduled): 440348000"
        );
        assert_eq!(last(b"$IIQQQ,\x1b1,2"), "^[1,2");
        assert_eq!(last(b"\xff\xfe"), "\\xFF\\xFE");
    }

    #[test]
    fn minutes_never_round_to_sixty() {
        assert_eq!(degrees(37.999_999_99, 2, ['N', 'S']), "38 00.0000 N");
    }

    #[test]
    fn rows_and_inputs_show_what_was_heard() {
        let mut rig = Rig::live();
        rig.each_second(40, Rig::healthy);
        let rows = rows(&rig.diag);
        let depth = rows.iter().find(|r| r.formatter == "DPT").unwrap();
        assert_eq!((depth.count, depth.state, depth.expected_hz), (40, State::Ok, Some(1.0)));
        assert!(depth.rate_hz.is_some_and(|r| (r - 1.0).abs() < 1e-6) && depth.age_ms == 1000);
        // `$SDDPT,20.0,0.5,*hh` and CR LF: 21 bytes each second.
        assert_eq!(depth.bytes_a_second, 21.0);
        let all = &feeds(&rig.diag)[0];
        assert_eq!(all.sentences, 40 * 7 + 8);
        let load = load_by_type(&rig.diag);
        assert!((load.iter().map(|(_, b)| b).sum::<f64>() - all.bytes_a_second).abs() < 1e-6);
        assert_eq!(load.iter().find(|(t, _)| t == "DPT").unwrap().1, 21.0);
    }
}

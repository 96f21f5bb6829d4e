//! What the counters say, ready to show: rows, inputs, load by type. Plain data, bounded, without NaN.

use serde::{Deserialize, Serialize};

use super::Diag;
use super::feed::Medium;
use super::last::last;
use super::stats::{Row, State};
use crate::core::frame::Origin;
use crate::core::nmea::Cadence;
use crate::core::time::{MILLISECOND, Offset};
use crate::core::visible;

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
    /// What to expect, a second; `None` also for what comes when something happens (VDM, TXT).
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
    // What comes when something happens has no rate to keep.
    let regular = row.cadence() != Cadence::Event;
    RowView {
        origin: row.key.origin,
        talker: row.key.talker.to_string(),
        formatter: row.key.formatter.to_string(),
        sub_key: row.key.sub.to_string(),
        count: row.count,
        rate_hz: finite(row.rate_hz(now)),
        expected_hz: finite(row.interval().filter(|i| regular && *i > 0.0).map(|i| 1.0 / i)),
        jitter_ms: finite(row.jitter().filter(|_| regular).map(|j| j * 1000.0)),
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

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

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

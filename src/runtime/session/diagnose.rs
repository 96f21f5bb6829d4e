//! Counters, findings and targets as a snapshot holds them: bounded, in the words of the screen.
//!
//! Converts; counts and judges nothing. That is `core::diag`.

use super::snapshot::{AisCounts, Diagnose, DiagnoseRow, FindingRow, TargetRow};
use crate::core::ais::targets::{Key, Sighting, Station};
use crate::core::diag::board::Finding;
use crate::core::diag::kind::Severity;
use crate::core::diag::order::{self, Order};
use crate::core::diag::views::{self, RowView};
use crate::core::diag::{Diag, traffic::Traffic};
use crate::core::frame::Origin;
use crate::core::time::MILLISECOND;
use crate::core::vessel::Position;
use crate::core::vessel::geodesy::distance_m;
use crate::core::visible;

/// Rows of the table.
pub const ROWS: usize = 100;
/// Findings.
pub const FINDINGS: usize = 50;
/// Types whose load is shown.
pub const LOADS: usize = 12;
/// Targets.
pub const TARGETS: usize = 100;
/// Radar and AIS see a ship of one name as far apart at most: half a minute at 30 kn.
const SAME_SHIP_M: f64 = 500.0;

/// What Diagnose shows.
pub fn diagnose(diag: &Diag, order: Order, only: &str) -> Diagnose {
    let mut rows = views::rows(diag);
    let all = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    rows.retain(|row| order::passes(row, only));
    order::arrange(&mut rows, order);
    let feeds = views::feeds(diag);
    let several = feeds.len() > 1;
    let capacities: Vec<f64> = feeds.iter().filter_map(|f| f.capacity).collect();
    Diagnose {
        more: u32::try_from(rows.len().saturating_sub(ROWS)).unwrap_or(u32::MAX),
        rows: rows.into_iter().take(ROWS).map(|r| row(r, several)).collect(),
        all,
        findings: diag.findings().iter().take(FINDINGS).map(|f| finding(f, several)).collect(),
        load: views::load_by_type(diag).into_iter().take(LOADS).collect(),
        // Of several lines with a rate the sum: the bytes are those of all inputs.
        capacity: Some(capacities.iter().sum()).filter(|_| !capacities.is_empty() && capacities.len() == feeds.len()),
        noise: feeds.iter().map(|f| f.noise_bytes).sum(),
        silence: feeds.iter().map(|f| f.longest_silence_ms * MILLISECOND).max(),
        reopened: feeds.iter().map(|f| f.reconnects).sum(),
        ais: ais(diag),
    }
}

fn ais(diag: &Diag) -> Option<AisCounts> {
    let counts = diag.ais();
    let targets = u32::try_from(diag.targets().len()).unwrap_or(u32::MAX);
    let heard = !counts.by_type.is_empty() || counts.incomplete > 0 || targets > 0;
    heard.then(|| AisCounts {
        by_type: counts.by_type.into_iter().collect(),
        joined: counts.joined,
        incomplete: counts.incomplete,
        channels: [counts.channel_a, counts.channel_b],
        own_mmsi: counts.own_mmsi,
        targets,
    })
}

fn row(r: RowView, several: bool) -> DiagnoseRow {
    DiagnoseRow {
        input: number(r.origin).filter(|_| several),
        talker: r.talker,
        formatter: r.formatter,
        sub_key: r.sub_key,
        count: r.count,
        rate: r.rate_hz.unwrap_or(0.0),
        expected: r.expected_hz,
        jitter_ms: r.jitter_ms,
        age: Some(r.age_ms * MILLISECOND),
        bad: r.bad,
        load: r.bytes_a_second,
        state: r.state.word().to_owned(),
        last: r.last,
    }
}

/// Inputs are counted from 1 where people see them.
fn number(origin: Origin) -> Option<u16> {
    match origin {
        Origin::Input(n) => Some(n.saturating_add(1)),
        _ => None,
    }
}

fn finding(f: &Finding, several: bool) -> FindingRow {
    let place = number(f.origin).filter(|_| several).map_or(String::new(), |n| format!(" (input {n})"));
    let subject = if f.subject.is_empty() { String::new() } else { format!(" {}", f.subject) };
    FindingRow {
        severity: match f.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
        .to_owned(),
        kind: f.kind.name(),
        text: format!("{}{subject}{place}: {}", f.title(), f.evidence),
        advice: f.advice().to_owned(),
        first: f.first_utc,
        last: f.last_utc,
        current: f.current,
    }
}

/// The targets, nearest first, as they stand to the own ship now.
pub fn targets(diag: &Diag) -> Vec<TargetRow> {
    let own = Traffic::own_motion(diag.world());
    let mut rows: Vec<TargetRow> =
        diag.targets().sightings(own.as_ref(), diag.now().offset).iter().map(target).collect();
    let place = |t: &TargetRow| Some(Position { latitude: t.latitude?, longitude: t.longitude? });
    let heard: Vec<(String, Position)> =
        rows.iter().filter(|t| t.mmsi != 0).filter_map(|t| Some((t.name.clone(), place(t)?))).collect();
    // A ship that the radar tracks and AIS tells of is one.
    rows.retain(|t| {
        let known = |(name, at): &(String, Position)| {
            *name == t.name && place(t).is_some_and(|there| distance_m(*at, there) < SAME_SHIP_M)
        };
        t.mmsi != 0 || !heard.iter().any(known)
    });
    rows.truncate(TARGETS);
    rows
}

fn target(s: &Sighting) -> TargetRow {
    let t = &s.target;
    let finite = |v: Option<f64>| v.filter(|v| v.is_finite());
    let (mmsi, radar) = match t.key {
        Key::Mmsi(mmsi) => (mmsi, None),
        Key::Radar(_, n) => (0, Some(n)),
    };
    let name = visible::text(t.name.as_bytes());
    TargetRow {
        mmsi,
        name: radar.filter(|_| name.is_empty()).map_or(name, |n| format!("radar {n}")),
        class: match t.station {
            Station::Unknown => "",
            Station::A => "A",
            Station::B => "B",
            Station::Base => "base",
            Station::Aid => "aton",
            Station::Aircraft => "sar",
            Station::Radar => "radar",
        }
        .to_owned(),
        latitude: t.position.map(|p| p.latitude),
        longitude: t.position.map(|p| p.longitude),
        sog_kn: finite(t.speed_kn),
        cog_true_deg: finite(t.course_true_deg),
        range_nm: finite(s.range_nm),
        bearing_true_deg: finite(s.bearing_true_deg),
        cpa_nm: finite(s.cpa_nm),
        tcpa_min: finite(s.tcpa_min),
        age: s.age,
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::core::diag::context::Settings;
    use crate::core::diag::feed::{Input, Medium};
    use crate::core::frame::Frame;
    use crate::core::nmea::framing;
    use crate::core::time::{Moment, SECOND};

    fn diag() -> Diag {
        let mut diag = Diag::new(Settings::live(true));
        let input = Input { name: "serial:/dev/ttyUSB0@4800".to_owned(), medium: Medium::Serial, baud: Some(4800) };
        diag.input(Origin::Input(0), input, Moment::default());
        diag
    }

    fn say(diag: &mut Diag, at: i64, delimiter: u8, body: &str) {
        let mut out = Vec::new();
        framing::seal(delimiter, body.as_bytes(), &mut out);
        let frame = Frame { origin: Origin::Input(0), ..Frame::sentence(0, at, Bytes::from(out)) };
        diag.hear(&frame, Some(at));
    }

    #[test]
    fn table_findings_load_and_targets_arrive() {
        let mut diag = diag();
        for i in 0..20 {
            say(&mut diag, i * SECOND, b'$', "HEHDT,361.0,T");
            say(&mut diag, i * SECOND, b'$', "GPGLL,4305.0000,N,07045.0000,W,100000.00,A,A");
        }
        say(&mut diag, 19 * SECOND, b'!', "AIVDM,1,1,,A,16SteH0P00Jt63hHaa6SagvJ087r,0");
        let d = diagnose(&diag, Order::default(), "");
        assert_eq!(d.rows.iter().map(|r| r.formatter.as_str()).collect::<Vec<_>>(), ["VDM", "GLL", "HDT"]);
        assert_eq!((d.capacity, d.rows[2].count, d.rows[2].state.as_str()), (Some(480.0), 20, "ok"));
        let range = d.findings.iter().find(|f| f.kind == "heading_range").unwrap();
        assert!(
            range.text.starts_with("Heading out of range HE HDT: ") && range.severity == "warning" && range.current
        );
        assert_eq!(d.load.len(), 2); // the message came in the present second
        let near = &targets(&diag)[0];
        // 43 05.0 N against 43.08015 N, 70 45.0 W against 70.7582 W: 0.2 nm north, 0.36 nm east of it.
        assert!(near.mmsi == 440_348_000 && near.range_nm.is_some_and(|r| (0.38..0.43).contains(&r)), "{near:?}");
    }

    #[test]
    fn order_and_filter_choose_among_all_rows_not_among_those_that_fit() {
        let mut diag = diag();
        for i in 0..150_i64 {
            say(&mut diag, i * SECOND / 10, b'$', &format!("IIXDR,U,12.1,V,N{i:03}"));
        }
        for i in 0..3 {
            say(&mut diag, 16 * SECOND + i, b'$', "IIXDR,U,12.1,V,N149");
        }
        let by_count = Order { by: order::By::Count, reversed: false };
        let d = diagnose(&diag, by_count, "");
        assert_eq!((d.rows[0].sub_key.as_str(), d.rows[0].count, d.more, d.all), ("N149", 4, 50, 150));
        let d = diagnose(&diag, Order::default(), "n149");
        assert_eq!((d.rows.len(), d.more, d.all), (1, 0, 150));
        assert_eq!(d.rows[0].input, None, "one input needs no number");
    }

    #[test]
    fn rows_and_findings_of_several_inputs_say_which() {
        let mut diag = diag();
        diag.input(Origin::Input(1), Input::default(), Moment::default());
        for i in 0..8 {
            say(&mut diag, i * SECOND, b'$', "HEHDT,361.0,T");
        }
        let d = diagnose(&diag, Order::default(), "");
        assert_eq!(d.rows[0].input, Some(1));
        assert!(d.findings.iter().any(|f| f.text.starts_with("Heading out of range HE HDT (input 1): ")), "{d:?}");
    }

    #[test]
    fn whatever_comes_fits_into_a_snapshot() {
        let mut diag = diag();
        for i in 0..400_i64 {
            say(
                &mut diag,
                i * SECOND / 10,
                b'$',
                &format!("{}{}XDR,U,11.1,V,{i:020}", (b'A' + (i % 26) as u8) as char, (b'A' + (i / 26) as u8) as char),
            );
            say(&mut diag, i * SECOND / 10, b'$', &format!("GPQ{i:02},{}", "x".repeat(70)));
        }
        let d = diagnose(&diag, Order::default(), "");
        assert!(d.rows.len() == ROWS && d.more > 0 && d.findings.len() == FINDINGS && d.load.len() <= LOADS);
        let size = serde_json::to_string(&d).unwrap().len() + serde_json::to_string(&targets(&diag)).unwrap().len();
        assert!(size < 48_000, "{size}");
    }
}

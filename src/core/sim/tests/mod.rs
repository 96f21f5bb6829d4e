//! The simulation as its callers see it: bytes, moments, commands.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::core::frame::{Class, Frame};
use crate::core::nmea::framing::split;
use crate::core::profile::Profile;
use crate::core::time::{DAY, Date, HOUR, MINUTE, SECOND, Utc};
use crate::core::transport::{Change, Player, Source, SourceError, To, Transport, Unit, Wake};
use crate::core::vessel::Bare;

mod back;
mod commands;
mod faults;
mod time;
mod track;

/// 2026-09-22 12:00:00 UTC.
const NOON: Utc = 1_790_078_400 * SECOND;

fn profile(keys: &[(&str, &str)]) -> Profile {
    let mut p = Profile::built_in();
    for (key, value) in keys {
        p.set(key, value).unwrap_or_else(|e| panic!("{e}"));
    }
    p
}

fn simulation(keys: &[(&str, &str)]) -> Simulation {
    Simulation::new(profile(keys), NOON)
}

fn until(sim: &mut Simulation, until: Offset) -> Vec<Frame> {
    let mut out = Vec::new();
    sim.poll(until, usize::MAX, &mut out).unwrap();
    out
}

fn set(sim: &mut Simulation, key: &str, value: &str) {
    sim.set(&Change::Set { key: key.into(), value: value.into() }).unwrap_or_else(|e| panic!("{e}"));
}

fn text(f: &Frame) -> String {
    String::from_utf8_lossy(f.text()).into_owned()
}

fn lines(frames: &[Frame]) -> Vec<(Offset, String)> {
    frames.iter().map(|f| (f.offset, text(f))).collect()
}

/// How many of each: talker, formatter, and what tells MWV apart.
fn counts(frames: &[Frame]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for f in frames {
        let text = text(f);
        let fields: Vec<&str> = text.split(',').collect();
        let kind = if fields[0].ends_with("MWV") { format!("{}-{}", fields[0], fields[2]) } else { fields[0].into() };
        *counts.entry(kind).or_default() += 1;
    }
    counts
}

fn all_right(frames: &[Frame]) {
    for f in frames {
        let parts = split(f.text()).unwrap_or_else(|| panic!("{}", text(f)));
        assert_eq!(parts.given_value(), Some(parts.computed()), "{}", text(f));
        assert!(f.text().trim_ascii_end().len() <= 80, "{}", text(f));
        assert_eq!(f.class, Class::Sentence);
    }
}

/// Compares without printing thousands of sentences.
fn same(a: &[(Offset, String)], b: &[(Offset, String)]) {
    if let Some(i) = (0..a.len().max(b.len())).find(|i| a.get(*i) != b.get(*i)) {
        panic!("sentence {i}: {:?} is not {:?}", a.get(i), b.get(i));
    }
}

const BUSY: [(&str, &str); 8] = [
    ("ais.mmsi", "200000001"),
    ("target.200000011.latitude", "37.9"),
    ("target.200000011.longitude", "23.6"),
    ("sentences.TTM.enabled", "on"),
    ("fault.delay.rate", "0.05"),
    ("fault.noise.rate", "0.05"),
    ("fault.lost.rate", "0.05"),
    ("fault.no_fix.at", "30s"),
];

#[test]
fn ten_minutes_off_piraeus() {
    let mut sim = simulation(&[]);
    let frames = until(&mut sim, 10 * MINUTE - 1);
    all_right(&frames);
    let counts = counts(&frames);
    for kind in [
        "$GPRMC", "$GPGGA", "$GPGLL", "$GPGSA", "$GPVTG", "$GPZDA", "$HCHDG", "$VWVHW", "$SDDPT", "$SDDBT", "$YXMTW",
        "$WIMWV-R",
    ] {
        assert_eq!(counts.get(kind), Some(&600), "{kind}: {counts:?}");
    }
    // Ten satellites are three sentences every five seconds.
    assert_eq!(counts["$GPGSV"], 360);
    assert!(!counts.contains_key("$WIMWV-T"));
    // The first round: everything at 0, and the start of the clock.
    let first = text(&frames[0]);
    assert!(first.starts_with("$GPRMC,120000.00,A,3752.8000,N,02337.2000,E,6.5,225.0,220926,"), "{first}");
    assert_eq!(frames[0].offset, 0);
    // Time goes on with the offset.
    let last = frames.iter().rev().find(|f| text(f).starts_with("$GPRMC")).unwrap();
    assert!(text(last).starts_with("$GPRMC,120959.00,A,"), "{}", text(last));
    // And she has sailed 6.5 kn for ten minutes, a little more than a nautical mile, south-west.
    let here = sim.vessel().position.bare().unwrap();
    let start = crate::core::vessel::Position { latitude: 37.88, longitude: 23.62 };
    let way = crate::core::vessel::geodesy::inverse(start, here);
    assert!((way.distance_m / 1852.0 - 6.5 / 6.0).abs() < 0.05 && (way.bearing_deg - 225.0).abs() < 2.0, "{way:?}");
}

#[test]
fn what_is_unusual_is_said_all_the_same() {
    let p = profile(&[
        ("simulation.start_time", "2028-02-28T23:59:58Z"),
        ("vessel.longitude", "179.9999"),
        ("vessel.latitude", "-0.00001"),
        ("vessel.heading", "90"),
        ("vessel.speed", "120"),
        ("environment.water_temperature", "-1.5"),
        ("destination.latitude", "0"),
        ("destination.longitude", "-179"),
        ("engine.0.rpm", "-300"),
        ("ais.mmsi", "200000001"),
        ("ais.class", "A"),
        ("sentences.decimals", "8"),
        ("sentences.MWV-T.enabled", "on"),
    ]);
    let mut sim = Simulation::new(p, 0);
    let frames = until(&mut sim, 10 * SECOND);
    all_right(&frames);
    let of = |start: &str| frames.iter().map(text).filter(|t| t.starts_with(start)).collect::<Vec<_>>();
    let rmc = of("$GPRMC");
    // A leap day begins after two seconds, and the date line is crossed eastward.
    assert!(rmc[0].contains(",280228,") && rmc[0].contains(",E,1"), "{}", rmc[0]);
    assert!(rmc[2].contains(",290228,") && rmc[10].contains(",W,1"), "{}", rmc[10]);
    assert!(of("$YXMTW").iter().all(|t| t.starts_with("$YXMTW,-1.")));
    assert!(of("!AIVDO").len() >= 11);
    for t in frames.iter().map(text) {
        assert!(!t.contains(",360.0,") && !t.contains("60.0000") && !t.contains("-0.0,"), "{t}");
    }
}

#[test]
fn ships_are_heard_by_ais_and_seen_by_radar() {
    let keys = [
        ("target.200000011.latitude", "37.9"),
        ("target.200000011.longitude", "23.6"),
        ("target.200000011.speed", "12"),
        ("target.200000011.name", "AEGEAN STAR"),
        ("sentences.TTM.enabled", "on"),
        ("sentences.VDM.talker", "BS"),
    ];
    let mut sim = simulation(&keys);
    let frames = until(&mut sim, 10 * MINUTE - 1);
    all_right(&frames);
    let counts = counts(&frames);
    // Class A at 12 kn every 10 s, static every 6 min in two parts: at least 60 and 2 (once or twice in ten minutes).
    assert!((62..=64).contains(&counts["!BSVDM"]), "{counts:?}");
    assert_eq!(counts["$RATTM"], 240);
    set(&mut sim, "sentences.VDM.enabled", "off");
    assert!(
        !lines(&until(&mut sim, 11 * MINUTE)).iter().any(|l| l.1.starts_with("!BSVDM") && l.0 > 10 * MINUTE + SECOND)
    );
    // A change of speed goes on from where she is.
    let before = sim.controls();
    assert!(before.iter().any(|c| c.key == "target.0.speed" && c.value == "12"));
    set(&mut sim, "target.200000011.speed", "0");
    until(&mut sim, 12 * MINUTE);
}

#[test]
fn a_destination_is_told_followed_and_reached() {
    let p = profile(&[
        ("steering.mode", "leg"),
        ("vessel.heading", "200"),
        ("destination.name", "AEGINA"),
        ("destination.latitude", "37.86"),
        ("destination.longitude", "23.60"),
    ]);
    let mut sim = Simulation::new(p, NOON);
    let frames = until(&mut sim, 20 * MINUTE);
    all_right(&frames);
    let apb: Vec<String> = frames.iter().map(text).filter(|t| t.starts_with("$GPAPB")).collect();
    let rmb = frames.iter().map(text).filter(|t| t.starts_with("$GPRMB")).count();
    assert_eq!((apb.len(), rmb), (1201, 1201));
    assert!(apb[0].contains(",AEGINA,"), "{}", apb[0]);
    // 1.5 nm at 6.5 kn are 14 minutes.
    assert!(!apb[60].contains(",A,") || apb[60].starts_with("$GPAPB,A,A"));
    let arrived = frames.iter().map(text).any(|t| t.starts_with("$GPAPB") && t.split(',').nth(6) == Some("A"));
    assert!(arrived);
    assert!(sim.vessel().route.passed.bare() == Some(true));
    // Sent elsewhere while sailing, the leg begins here.
    set(&mut sim, "destination.latitude", "37.9");
    set(&mut sim, "destination.longitude", "23.4");
    until(&mut sim, 20 * MINUTE + 2 * SECOND);
    let v = sim.vessel();
    assert!(v.route.cross_track_nm.bare().unwrap().abs() < 0.01, "{:?}", v.route);
    set(&mut sim, "destination.active", "off");
    let after = until(&mut sim, 21 * MINUTE);
    assert!(!after.iter().any(|f| text(f).starts_with("$GPAPB") && f.offset > 20 * MINUTE + 3 * SECOND));
}

#[test]
fn several_systems_speak_for_themselves() {
    let mut sim = simulation(&[("sentences.preset", "multi-constellation"), ("gnss.nmea_version", "4.10")]);
    let frames = until(&mut sim, 10 * SECOND - 1);
    all_right(&frames);
    let counts = counts(&frames);
    assert_eq!(counts["$GNRMC"], 10);
    assert_eq!(counts["$GNGSA"], 40);
    for kind in ["$GPGSV", "$GLGSV", "$GAGSV", "$GBGSV"] {
        assert_eq!(counts[kind], 6, "{kind}");
    }
    assert!(!counts.contains_key("$GNGSV"));
}

#[test]
fn a_date_beyond_the_magnetic_model_is_noted() {
    let mut sim = simulation(&[("simulation.start_time", "2035-01-01T00:00:00Z")]);
    until(&mut sim, SECOND);
    assert_eq!(sim.notes().len(), 1);
    assert!(simulation(&[]).notes().is_empty());
}

#[test]
fn every_live_key_may_stand_at_either_end_of_its_range() {
    use crate::core::profile::key::Kind;
    use crate::core::profile::keys::KEYS;
    let everything = |p: &mut Profile| {
        for row in schedule::rows() {
            p.set(&format!("sentences.{}.enabled", row.id), "on").unwrap();
        }
        for (key, value) in BUSY.iter().filter(|b| !b.0.starts_with("fault")).chain(&[
            ("destination.latitude", "37.9"),
            ("destination.longitude", "23.5"),
            ("transducer.0.name", "TANK"),
            ("sentences.custom.0.body", "PX"),
        ]) {
            p.set(key, value).unwrap_or_else(|e| panic!("{e}"));
        }
    };
    for key in KEYS.iter().filter(|k| k.live && !k.path.starts_with("fault.") && !k.path.starts_with("sentences.*")) {
        let path = key.path.replace('*', "0");
        let ends = match key.kind {
            Kind::Number(low, high) | Kind::WordOr(_, low, high) => vec![low.to_string(), high.to_string()],
            Kind::Angle => vec!["0".into(), "360".into()],
            Kind::Integer(low, high) => vec![low.to_string(), high.to_string()],
            Kind::Choice(words) => words.iter().map(|w| (*w).to_string()).collect(),
            _ => continue,
        };
        for end in ends {
            let text =
                "schema_version = 1\n[[transducer]]\nname = \"T\"\ntype = \"G\"\n[[sentences.custom]]\nbody = \"PY\"\n";
            let mut p = Profile::parse(text, "t").unwrap();
            everything(&mut p);
            p.set(&path, &end).unwrap_or_else(|e| panic!("{e}"));
            let mut sim = Simulation::new(p, NOON);
            all_right(&until(&mut sim, 3 * SECOND));
            // And set there under way.
            let mut p = Profile::parse(text, "t").unwrap();
            everything(&mut p);
            let mut sim = Simulation::new(p, NOON);
            until(&mut sim, SECOND);
            set(&mut sim, &path, &end);
            all_right(&until(&mut sim, 3 * SECOND));
        }
    }
}

#[test]
fn own_sentences_are_said_and_a_clock_may_stand() {
    let mut sim = simulation(&[
        ("sentences.custom.0.body", "PXYZ,1,2"),
        ("sentences.custom.0.period", "500ms"),
        ("simulation.clock", "fixed"),
    ]);
    let frames = until(&mut sim, 10 * SECOND - 1);
    let custom = frames.iter().map(text).filter(|t| t.starts_with("$PXYZ,1,2*")).count();
    assert_eq!(custom, 20);
    assert!(frames.iter().map(text).filter(|t| t.starts_with("$GPRMC")).all(|t| t.starts_with("$GPRMC,120000.00,")));
}

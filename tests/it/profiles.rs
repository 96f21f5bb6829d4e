//! The example profiles, sailed: every sentence right, as many as there should be, every injected fault counted.

use std::collections::BTreeMap;
use std::path::PathBuf;

use nmeasimx::core::filter::{address, field, parts};
use nmeasimx::core::frame::{Class, Frame};
use nmeasimx::core::nmea::framing::split;
use nmeasimx::core::profile::schema::FaultKind;
use nmeasimx::core::profile::{BUILT_IN, Profile};
use nmeasimx::core::sim::Simulation;
use nmeasimx::core::sim::schedule::{Saying, rows};
use nmeasimx::core::time::{HOUR, MINUTE, Offset, SECOND, Utc};
use nmeasimx::core::transport::Source;

/// 2026-09-22 12:00:00 UTC.
const NOON: Utc = 1_790_078_400 * SECOND;

/// Said once a round by every vessel, whatever it has on board.
const STEADY: [&str; 26] = [
    "RMC", "GGA", "GLL", "GNS", "GST", "VTG", "ZDA", "HDG", "HDM", "HDT", "THS", "ROT", "VHW", "VBW", "VLW", "VDR",
    "DPT", "DBT", "MTW", "MWV-R", "MWV-T", "MWD", "MDA", "RSA", "VWR", "VWT",
];
/// With a destination.
const NAVIGATING: [&str; 5] = ["APB", "XTE", "RMB", "BWC", "BOD"];

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/profiles"))
}

fn profiles() -> Vec<(String, Profile)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let read = |f: &PathBuf| {
        let name = f.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(f).unwrap();
        let profile = Profile::parse(&text, &name).unwrap_or_else(|e| panic!("{}", e.lines().join("\n")));
        (name, profile)
    };
    files.iter().map(read).collect()
}

fn id_of(sentence: &[u8]) -> String {
    let formatter = String::from_utf8_lossy(parts(address(sentence)).1).into_owned();
    match formatter.as_str() {
        "MWV" => format!("MWV-{}", String::from_utf8_lossy(field(sentence, 1))),
        _ => formatter,
    }
}

/// Sails a profile and checks what holds for each.
fn sail(name: &str, profile: &Profile, span: Offset) {
    let mut sim = Simulation::new(profile.clone(), NOON);
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut classes: BTreeMap<&'static str, u64> = BTreeMap::new();
    let (mut frames, mut total): (Vec<Frame>, u64) = (Vec::new(), 0);
    for minute in 1..=span / MINUTE {
        frames.clear();
        sim.poll(minute * MINUTE - 1, usize::MAX, &mut frames).unwrap();
        total += frames.len() as u64;
        for f in &frames {
            let shown = String::from_utf8_lossy(&f.bytes);
            // A fault lets some end with LF alone.
            let text = f.text().strip_suffix(b"\n").unwrap_or(f.text());
            let right = split(f.text()).is_some_and(|p| p.given_value() == Some(p.computed()));
            assert_eq!(right, f.class == Class::Sentence, "{name}: {shown}");
            assert!(text.len() <= 80, "{name}: longer than 82: {shown}");
            *classes.entry(f.class.words()).or_default() += 1;
            if right {
                assert!(text.iter().all(|b| (0x20..0x7f).contains(b)), "{name}: {shown}");
                *counts.entry(id_of(f.text())).or_default() += 1;
            }
        }
    }
    assert_eq!(sim.notes(), [] as [String; 0], "{name}");
    let injected: BTreeMap<String, u64> = sim.faults().into_iter().collect();
    let of = |kind: &str| injected.get(kind).copied().unwrap_or(0);
    let class = |c: Class| classes.get(c.words()).copied().unwrap_or(0);
    assert_eq!(class(Class::BadChecksum), of("checksum") + of("bit_errors"), "{name}");
    assert_eq!(class(Class::Truncated), of("cut"), "{name}");
    assert_eq!(class(Class::Garbled), of("noise"), "{name}");
    if profile.fault.is_empty() {
        let expected = |id: &str| {
            let saying = Saying::of(profile, id).filter(|s| s.enabled)?;
            Some((span as u64).div_ceil(u64::from(saying.period_ms) * 1_000_000))
        };
        let navigates = profile.destination.latitude.is_some();
        for id in STEADY.iter().chain(NAVIGATING.iter().filter(|_| navigates)) {
            assert_eq!(counts.get(*id).copied(), expected(id), "{name}: {id} in {counts:?}");
        }
        let engines = expected("RPM").map(|n| n * profile.engine.len() as u64);
        assert_eq!(counts.get("RPM").copied(), engines, "{name}: RPM");
        // Whatever is switched on is said, but for what needs a destination or an MMSI.
        for row in rows().filter(|r| Saying::of(profile, r.id).is_some_and(|s| s.enabled)) {
            let idle = (!navigates && ["APB", "XTE", "RMB"].contains(&row.id))
                || (profile.ais.mmsi.is_none() && row.id.starts_with("VDO"));
            let kind = row.id.split("-STATIC").next().unwrap();
            assert!(idle || counts.get(kind).is_some_and(|n| *n > 0), "{name}: {} was never said", row.id);
        }
    } else {
        // Each kind that is on has struck, and nothing is lost without being counted.
        let mut clean = profile.clone();
        // Faults of values say other sentences; faults of the line spoil them.
        let on_the_line = |i: &usize| profile.fault[*i].kind as usize <= FaultKind::Dead as usize;
        for i in (0..profile.fault.len()).filter(on_the_line) {
            clean.set(&format!("fault.{i}.enabled"), "false").unwrap();
        }
        let mut whole = Vec::new();
        Simulation::new(clean, NOON).poll(span - 1, usize::MAX, &mut whole).unwrap();
        let lost = of("lost") + of("dead");
        let more = of("duplicate") + of("noise");
        // Those delayed beyond the end are still to come.
        let late = (whole.len() as u64 + more).abs_diff(total + lost);
        assert!(late <= 3, "{name}: {late} sentences are not accounted for");
        for f in profile.fault.iter().filter(|f| f.enabled && f.at < span) {
            let kind = format!("{:?}", f.kind);
            let struck = injected.keys().any(|k| k.replace('_', "") == kind.to_lowercase());
            assert!(struck, "{name}: {kind} never struck: {injected:?}");
        }
    }
}

#[test]
fn each_example_sails_ten_minutes_and_says_what_it_should() {
    let all = profiles();
    assert!(all.len() >= 6);
    for (name, profile) in &all {
        sail(name, profile, 10 * MINUTE);
    }
}

/// `cargo test --release --test it -- --ignored an_hour`
#[test]
#[ignore = "takes a while without optimisation"]
fn each_example_sails_an_hour_and_says_what_it_should() {
    for (name, profile) in &profiles() {
        sail(name, profile, HOUR);
    }
}

#[test]
fn the_built_in_ones_are_the_examples() {
    let names: Vec<String> = profiles().into_iter().map(|p| p.0).collect();
    let mut built_in: Vec<&str> = BUILT_IN.iter().map(|b| b.0).collect();
    built_in.sort_unstable();
    assert_eq!(built_in, names);
    // The harbour is what is sailed without a profile, apart from the output, which is the usual one.
    let harbour = Profile::parse(BUILT_IN[0].1, "harbour").unwrap();
    let usual = Profile::built_in();
    assert_eq!(
        (&harbour.vessel, &harbour.environment, &harbour.drift),
        (&usual.vessel, &usual.environment, &usual.drift)
    );
    assert_eq!((&harbour.gnss, &harbour.engine, &harbour.sentences), (&usual.gnss, &usual.engine, &usual.sentences));
    assert_eq!(harbour.outputs().len(), 1);
}

#[test]
fn the_slow_line_carries_its_preset() {
    let (_, profile) = profiles().into_iter().find(|p| p.0 == "serial-4800").unwrap();
    let mut frames = Vec::new();
    Simulation::new(profile, NOON).poll(10 * MINUTE - 1, usize::MAX, &mut frames).unwrap();
    let bytes: usize = frames.iter().map(|f| f.bytes.len() + 2).sum();
    // 4800 baud, ten bits a byte.
    assert!(bytes / 600 <= 480, "{} characters a second", bytes / 600);
}

/// Lines of one text that the other does not have as often.
fn without<'t>(text: &'t str, other: &str) -> Vec<&'t str> {
    let mut left: Vec<&str> = other.lines().collect();
    text.lines().filter(|line| left.iter().position(|l| l == line).map(|i| left.swap_remove(i)).is_none()).collect()
}

const ODD: &str = "# A boat of my own\r
schema_version=1   # one\r
name = 'Odd'\r
\r
  [vessel]\r
heading   =   4.5e1   # north-east\r
\tspeed=5\r
[[target]] # the ferry\r
mmsi = 200000011 # hers\r
latitude = 37.9\r
longitude = 23.6\r
# between two ships\r
[[target]]\r
mmsi = 200_000_012\r
longitude = 23.7\r
latitude = 37.8 # south\r
# behind all ships\r
[[target]]\r
mmsi = 200000013\r
latitude = 37.7\r
longitude = 23.8\r
[sentences.RMC]\r
period = '2s' # slow\r
";

#[test]
fn a_saved_profile_differs_only_in_what_was_changed() {
    let mut files: Vec<(String, String)> = vec![("odd".into(), ODD.into())];
    for (name, _) in profiles() {
        let text = std::fs::read_to_string(folder().join(format!("{name}.toml"))).unwrap();
        files.push((name, text));
    }
    // What is changed, and how many lines may go and come by it.
    let changes: [(&[(&str, &str)], usize, usize); 7] = [
        (&[], 0, 0),
        (&[("vessel.speed", "7.25")], 1, 3),
        (&[("environment.depth", "33.5")], 1, 3),
        (&[("sentences.GST.enabled", "false")], 1, 3),
        (&[("fault.lf_only.rate", "0.5")], 1, 8),
        (&[("target.200000098.latitude", "37.5"), ("target.200000098.longitude", "23.5")], 0, 26),
        (&[("destination.latitude", "37.5"), ("destination.longitude", "23.5")], 2, 4),
    ];
    for (name, text) in &files {
        let file = Profile::parse(text, name).unwrap_or_else(|e| panic!("{}", e.lines().join("\n")));
        for (keys, go, come) in &changes {
            let mut changed = file.clone();
            for (key, value) in *keys {
                changed.set(key, value).unwrap_or_else(|e| panic!("{e}"));
            }
            let saved = changed.save_into(text, name).unwrap();
            let read = Profile::parse(&saved, name).unwrap_or_else(|e| panic!("{}\n{saved}", e.lines().join("\n")));
            assert_eq!(read, changed, "{name} {keys:?}");
            let (gone, new) = (without(text, &saved), without(&saved, text));
            assert!(gone.len() <= *go && new.len() <= *come, "{name} {keys:?}: {gone:?} became {new:?}");
            assert_eq!(changed.save_into(&saved, name).unwrap(), saved, "{name}: saved twice");
        }
        // A ship that goes takes her own lines along, and no others.
        for n in 0..file.target.len() {
            let mut changed = file.clone();
            changed.remove("target", n).unwrap();
            let saved = changed.save_into(text, name).unwrap();
            assert_eq!(Profile::parse(&saved, name).unwrap(), changed, "{name} without target {n}");
            let gone = without(text, &saved);
            assert_eq!(without(&saved, text), Vec::<&str>::new(), "{name} without target {n}");
            assert_eq!(gone.iter().filter(|l| l.starts_with("mmsi")).count(), 1, "{name} without target {n}: {gone:?}");
        }
    }
}

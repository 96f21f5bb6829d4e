//! Profiles as people write them: what is read, refused, changed, saved.

use super::*;
use crate::core::profile::keys::{KEYS, SECTIONS};
use crate::core::profile::schema::{FaultKind, Start, SteeringMode};
use crate::core::time::SECOND;

fn refused(text: &str) -> Vec<String> {
    Profile::parse(text, "a.toml").unwrap_err().lines()
}

#[test]
fn the_defaults_are_those_of_the_page() {
    let p = Profile::built_in();
    assert_eq!((p.vessel.latitude, p.vessel.longitude, p.vessel.heading, p.vessel.speed), (37.88, 23.62, 225.0, 6.5));
    assert_eq!((p.environment.depth, p.vessel.depth_offset, p.environment.water_temperature), (12.4, 0.0, 21.5));
    assert_eq!((p.environment.wind_direction, p.environment.wind_speed), (270.0, 12.0));
    assert_eq!((p.gnss.satellites, p.gnss.in_view, p.gnss.hdop), (8, 10, 0.9));
    assert_eq!((p.engine.len(), p.engine[0].rpm, p.engine[0].coolant_temperature), (1, 1800.0, 82.0));
    assert_eq!((p.ais.mmsi, p.destination.latitude, p.vessel.cog_min_speed), (None, None, 0.2));
    let d = &p.drift;
    let walks = [d.heading, d.speed, d.depth, d.water_temperature, d.wind_direction, d.wind_speed];
    let walks = walks.map(|w| (w.amplitude, w.step_per_second));
    assert_eq!(walks, [(2.0, 0.5), (0.3, 0.1), (1.5, 0.2), (0.2, 0.05), (10.0, 2.0), (2.0, 0.5)]);
    assert_eq!((p.steering.gain, p.steering.lag, p.steering.rudder_limit), (1.7, 2.0, 35.0));
    assert_eq!((p.name.as_str(), p.simulation.start_time, p.simulation.speed), ("Harbour", Start::Now, Some(100)));
}

#[test]
fn every_key_has_a_default_or_an_example_that_is_allowed_and_belongs_to_a_section() {
    for key in KEYS {
        let text = if key.default.is_empty() { key.example } else { key.default };
        let table: toml::Table = toml::from_str(&format!("v = {text}")).unwrap_or_else(|e| panic!("{}: {e}", key.path));
        key.check(&table["v"]).unwrap_or_else(|e| panic!("{}: {e}", key.path));
        let section = key.section();
        let known = SECTIONS.iter().any(|(s, list, _)| if *list { format!("{s}.*") == section } else { *s == section });
        assert!(known || section.is_empty(), "{} belongs to no section", key.path);
        assert!(key.doc.ends_with('.'), "{}: {}", key.path, key.doc);
        assert_eq!(KEYS.iter().filter(|k| k.path == key.path).count(), 1, "{}", key.path);
    }
}

#[test]
fn an_empty_profile_is_the_built_in_one_and_init_writes_it() {
    assert_eq!(Profile::parse("schema_version = 1", "a").unwrap(), Profile::built_in());
    let init = doc::init();
    assert_eq!(Profile::parse(&init, "init").unwrap(), Profile::built_in());
    // Every key is in it, as a value or as a comment.
    for key in KEYS {
        let shown = init.lines().filter(|l| l.trim_start_matches("# ").starts_with(&format!("{} = ", key.name())));
        assert!(shown.count() > 0, "{}", key.path);
    }
    // What is commented out is right, too: taken in, it is a profile (with the lists joined to their first element).
    let all: String = init
        .lines()
        .map(|l| {
            let bare = l.strip_prefix("# ").unwrap_or(l);
            let is_key = KEYS.iter().any(|k| bare.starts_with(&format!("{} = ", k.name()))) || bare.starts_with('[');
            format!("{}\n", if is_key { bare } else { l })
        })
        .collect();
    // A table of sentences is no list and an output has only some of the keys: these two stand apart.
    let (before, after) = all.split_once("[[output]]").unwrap();
    let (_, record) = after.split_once("[record]").unwrap();
    let whole = format!("{before}\n[record]{record}");
    let p = Profile::parse(&whole, "all").unwrap_or_else(|e| panic!("{}", e.lines().join("\n")));
    assert_eq!(p.target.len(), 1);
    assert_eq!(p.fault[0].kind, FaultKind::Checksum);
    assert_eq!(p.step[0].at, 300 * SECOND);
}

#[test]
fn show_reads_back_as_the_same_profile() {
    let mut p = Profile::built_in();
    for (key, value) in [
        ("vessel.heading", "12.5"),
        ("engine.1.rpm", "900"),
        ("fault.no_fix.at", "00:01:00"),
        ("sentences.MWV-T.enabled", "true"),
        ("target.200000011.latitude", "37.9"),
        ("target.200000011.longitude", "23.5"),
        ("name", "it's \"quoted\""),
    ] {
        p.set(key, value).unwrap_or_else(|e| panic!("{key}: {e}"));
    }
    let text = doc::show(&p);
    assert_eq!(Profile::parse(&text, "show").unwrap_or_else(|e| panic!("{e}\n{text}")), p);
    let mut none = Profile::parse("schema_version = 1\nengine = []", "a").unwrap();
    assert!(none.engine.is_empty());
    none.set("vessel.speed", "3").unwrap();
    assert_eq!(Profile::parse(&doc::show(&none), "show").unwrap(), none);
}

#[test]
fn a_mistake_is_told_with_its_line_and_the_nearest_name() {
    let cases: &[(&str, &str)] = &[
        ("[vessel]\nspeed = 3", "a.toml:1: schema_version: missing: begin the file with schema_version = 1"),
        ("schema_version = 2", "a.toml:1: schema_version: version 2 is newer than this program"),
        ("schema_version = 0", "a.toml:1: schema_version: 0 is not allowed: give 1 to 1"),
        (
            "schema_version = 1\n[vessel]\nheding = 3",
            "a.toml:3: vessel.heding: no such key: did you mean vessel.heading?",
        ),
        ("schema_version = 1\n\n[vesel]\nheading = 3", "a.toml:3: vesel: no such key: did you mean vessel?"),
        (
            "schema_version = 1\n[vessel]\ndepth = 3",
            "a.toml:3: vessel.depth: no such key: did you mean environment.depth?",
        ),
        ("schema_version = 1\n[vessel]\nheading = 361", "a.toml:3: vessel.heading: 361 is not allowed: give 0 to 360"),
        (
            "schema_version = 1\n[vessel]\nheading = \"N\"",
            "a.toml:3: vessel.heading: \"N\" is not allowed: give 0 to 360",
        ),
        ("schema_version = 1\nvessel = 3", "a.toml:2: vessel: this is a section: write it as a table"),
        ("schema_version = 1\n[engine]\nrpm = 3", "a.toml:2: engine: this is a list: write [[engine]]"),
        (
            "schema_version = 1\n[[engine]]\nrpm = 3\n[[engine]]\nrmp = 4",
            "a.toml:5: engine.1.rmp: no such key: did you mean engine.1.rpm?",
        ),
        (
            "schema_version = 1\n[sentences.RMCC]\nenabled = true",
            "a.toml:2: sentences.RMCC: no such sentence or key: did you mean sentences.RMC?",
        ),
        (
            "schema_version = 1\n[sentences]\ndecimal = 3",
            "a.toml:3: sentences.decimal: no such sentence or key: did you mean sentences.decimals?",
        ),
        (
            "schema_version = 1\n[sentences.RMC]\nperiod = \"20ms\"",
            "a.toml:3: sentences.RMC.period: \"20ms\" is not allowed: give 50ms to 1h",
        ),
        (
            "schema_version = 1\n[sentences.RMC]\ntalker = \"gps\"",
            "a.toml:3: sentences.RMC.talker: \"gps\" is not allowed: give 2 capital letters",
        ),
        (
            "schema_version = 1\n[[sentences.custom]]\nbody = \"PX,$\"",
            "a.toml:3: sentences.custom.0.body: \"PX,$\" is not allowed",
        ),
        (
            "schema_version = 1\n[[target]]\nmmsi = 200000011\nlatitude = 1\nlongitude = 1\n[[target]]\nmmsi = 200000011\nlatitude = 1\nlongitude = 1",
            "a.toml:3: target.0.mmsi: another target has the same",
        ),
        ("schema_version = 1\n[[target]]\nname = \"A\"", "a.toml:2: target.0: mmsi is missing"),
        (
            "schema_version = 1\n[[fault]]\nkind = \"chekcsum\"",
            "a.toml:3: fault.0.kind: \"chekcsum\" is not allowed: give checksum, lost",
        ),
        ("schema_version = 1\n[[fault]]\nkind = \"stuck\"", "a.toml:3: fault.0.kind: stuck needs a key"),
        (
            "schema_version = 1\n[[step]]\nat = 5\nset = { \"vessel.sped\" = 3 }",
            "a.toml:4: step.0.set: no such key: did you mean vessel.speed?",
        ),
        (
            "schema_version = 1\n[[step]]\nset = { \"simulation.seed\" = 3 }",
            "a.toml:3: step.0.set: simulation.seed cannot change while running",
        ),
        (
            "schema_version = 1\n[[step]]\nat = 1\nenable = [\"XYZ\"]",
            "a.toml:4: step.0.enable: no such sentence \"XYZ\"",
        ),
        ("schema_version = 1\n[[output]]\ntype = \"udp\"\nttl = 3", "a.toml:"),
        (
            "schema_version = 1\n[[output]]\ntype = \"tcp-server\"\nport = 10110\nfilter = \"R*\"",
            "a.toml:5: output.0.filter: ",
        ),
        ("schema_version = 1\n[vessel\nheading = 3", "a.toml:2: "),
        ("schema_version = 1\n[vessel]\nheading = nan", "a.toml:3: vessel.heading: NaN is not allowed"),
        ("", "a.toml:1: schema_version: missing"),
    ];
    for (text, expected) in cases {
        let lines = refused(text);
        assert!(lines.iter().any(|l| l.starts_with(expected)), "{text:?}: {lines:#?}");
    }
}

#[test]
fn all_mistakes_are_told_at_once_in_the_order_of_their_lines() {
    let text = "schema_version = 1\n[gnss]\nfix = \"4d\"\n[vessel]\nspeed = -1\nname = \"x\"";
    let error = Profile::parse(text, "a.toml").unwrap_err();
    assert_eq!(error.problems.iter().map(|p| p.line).collect::<Vec<_>>(), [3, 5, 6]);
    let shown = error.to_string();
    assert_eq!(shown.lines().count(), 2, "{shown}");
    assert!(shown.ends_with("(and 2 more problems; `nmeasimx profile check` shows all)"), "{shown}");
}

#[test]
fn keys_are_read_and_changed_by_their_dotted_path() {
    let mut p = Profile::built_in();
    let cases = [
        ("vessel.heading", "90", "90"),
        ("engine.0.rpm", "1200", "1200"),
        ("engine.single.rpm", "1300", "1300"),
        ("engine.Main.running", "off", "false"),
        ("sentences.RMC.period", "500", "500ms"),
        ("sentences.RMC.talker", "II", "II"),
        ("sentences.custom.0.body", "PXYZ,1", "PXYZ,1"),
        ("fault.checksum.rate", "0.1", "0.1"),
        ("simulation.start_time", "2026-09-22T12:00:00Z", "2026-09-22T12:00:00Z"),
        ("simulation.speed", "max", "max"),
        ("simulation.speed", "2.5", "2.5"),
        ("environment.variation", "4.6", "4.6"),
        ("environment.variation", "model", "model"),
        ("environment.deviation_table", "1,2,1,0,-1,-2,-1,0", "1,2,1,0,-1,-2,-1,0"),
        ("environment.pressure", "1013.25", "1013.25"),
        ("environment.pressure", "none", ""),
        ("destination.latitude", "37.7466", "37.7466"),
        ("gnss.systems", "gps,galileo", "gps,galileo"),
        ("gnss.fix", "none", "none"),
        ("ais.mmsi", "200000001", "200000001"),
        ("step.0.at", "90s", "00:01:30"),
    ];
    for (key, value, shown) in cases {
        p.set(key, value).unwrap_or_else(|e| panic!("{key}: {e}"));
        assert_eq!(p.get(key).unwrap(), shown, "{key}");
    }
    assert_eq!((p.simulation.speed, p.fault[0].kind, p.fault[0].rate), (Some(250), FaultKind::Checksum, Some(0.1)));
    assert_eq!(p.sentences.by_id["RMC"].period, Some(500));
    let before = p.clone();
    for (key, value, why) in [
        ("vessel.hedding", "1", "did you mean vessel.heading?"),
        ("vessel.heading", "400", "vessel.heading: 400 is not allowed: give 0 to 360"),
        ("vessel.heading", "", "vessel.heading:"),
        ("engine.3.rpm", "1", "engine has no \"3\": there are 0 to 0; engine.1 adds one"),
        ("fault.nofix.enabled", "on", "did you mean fault.no_fix?"),
        ("sentences.RCM.enabled", "on", "did you mean RMC?"),
        ("vessel", "3", "no such key"),
        ("", "3", "no such key"),
        ("..", "3", "no such key"),
        ("output.0.type", "carrier-pigeon", "is not allowed"),
    ] {
        let error = p.set(key, value).unwrap_err();
        assert!(error.contains(why), "{key}: {error}");
        assert_eq!(p, before, "{key} changed something");
    }
}

#[test]
fn a_nudge_goes_round_the_compass_and_stops_at_the_ends_of_everything_else() {
    let mut p = Profile::built_in();
    p.set("vessel.heading", "355").unwrap();
    p.nudge("vessel.heading", 10.0, 0.0).unwrap();
    assert_eq!(p.vessel.heading, 5.0);
    p.nudge("vessel.speed", -100.0, 0.0).unwrap();
    assert_eq!(p.vessel.speed, 0.0);
    p.nudge("gnss.satellites", 40.0, 0.0).unwrap();
    assert_eq!(p.gnss.satellites, 12);
    p.nudge("environment.pressure", 1.0, 1013.0).unwrap();
    assert_eq!(p.environment.pressure, Some(1014.0));
    assert!(p.nudge("gnss.fix", 1.0, 0.0).is_err());
    assert!(p.nudge("vessel.speed", f64::NAN, 0.0).is_err());
}

#[test]
fn sections_read_as_their_types() {
    let text = r#"
schema_version = 1
engine = [{ label = "P", position = "port" }, { label = "S", position = "starboard", rpm = 900 }]
[simulation]
start_time = 2026-09-22T12:00:00Z
[steering]
mode = "rudder"
[sentences.MWV-R]
period = 200
[[step]]
at = "00:05:00"
set = { vessel.speed = 8, "environment.depth" = 3.5 }
[[output]]
type = "tcp-server"
port = 2000
filter = "RMC"
[[output]]
type = "udp-multicast"
encoding = "iec61162-450"
[record]
rotate_time = "1h"
"#;
    let p = Profile::parse(text, "a").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((p.engine.len(), p.engine[1].rpm, p.engine[0].rpm), (2, 900.0, 1800.0));
    assert_eq!(p.simulation.start_time, Start::At(1_790_078_400 * SECOND));
    assert_eq!(p.steering.mode, SteeringMode::Rudder);
    assert_eq!(p.sentences.by_id["MWV-R"].period, Some(200));
    let changes = check::flat(&p.step[0].set);
    assert_eq!(changes.iter().map(|c| c.0.as_str()).collect::<Vec<_>>(), ["environment.depth", "vessel.speed"]);
    let outputs: Vec<String> = p.outputs().iter().map(ToString::to_string).collect();
    assert_eq!(
        outputs,
        ["tcp-server:127.0.0.1:2000;filter=RMC", "udp-multicast:239.192.0.4:60004;encoding=iec61162-450"]
    );
    assert_eq!(p.record.rotate_time, Some(3600 * SECOND));
}

const COMMENTED: &str = "# my boat
schema_version = 1

[vessel]   # the boat
heading = 45.0      # north-east
speed=5

# engines
[[engine]]
label = \"Old Betsy\" # never fails
rpm = 1500.0

[sentences.RMC]
enabled = true
";

#[test]
fn saving_changes_only_what_differs_and_keeps_comments() {
    let file = Profile::parse(COMMENTED, "a").unwrap();
    // Nothing changed, nothing written.
    assert_eq!(file.save_into(COMMENTED, "a").unwrap(), COMMENTED);
    let mut p = file.clone();
    p.set("vessel.heading", "90").unwrap();
    p.set("engine.0.rpm", "1600").unwrap();
    p.set("environment.depth", "20").unwrap();
    p.set("sentences.RMC.period", "2s").unwrap();
    p.set("fault.no_fix.enabled", "true").unwrap();
    let saved = p.save_into(COMMENTED, "a").unwrap();
    let kept: Vec<&str> = COMMENTED.lines().filter(|l| !l.starts_with("heading") && !l.starts_with("rpm")).collect();
    for line in &kept {
        assert!(saved.lines().any(|l| l == *line), "lost {line:?} in\n{saved}");
    }
    assert!(saved.contains("heading = 90.0      # north-east\n"), "{saved}");
    assert!(saved.contains("rpm = 1600.0\n") && saved.contains("\n[environment]\ndepth = 20.0\n"), "{saved}");
    assert_eq!(Profile::parse(&saved, "a").unwrap_or_else(|e| panic!("{e}\n{saved}")), p, "{saved}");
    // And back again.
    let back = file.save_into(&saved, "a").unwrap();
    assert_eq!(Profile::parse(&back, "a").unwrap(), file, "{back}");
}

#[test]
fn saving_into_nothing_makes_a_file() {
    let mut p = Profile::built_in();
    p.set("vessel.speed", "0.1").unwrap();
    p.set("engine.1.position", "port").unwrap();
    let saved = p.save_into("", "new").unwrap();
    assert_eq!(Profile::parse(&saved, "new").unwrap_or_else(|e| panic!("{e}\n{saved}")), p, "{saved}");
    assert!(saved.contains("speed = 0.1"), "{saved}");
}

#[test]
fn the_control_pane_lists_what_may_change_with_units_and_steps() {
    let file = Profile::built_in();
    let mut running = file.clone();
    running.set("vessel.heading", "90").unwrap();
    let rows = controls::controls(&running, &file);
    let row = |key: &str| rows.iter().find(|r| r.key == key).unwrap_or_else(|| panic!("{key}"));
    let heading = row("vessel.heading");
    assert_eq!(
        (heading.value.as_str(), heading.unit, heading.step, heading.file.as_deref()),
        ("90", "deg", 1.0, Some("225"))
    );
    assert!(heading.drifts && row("vessel.speed").file.is_none());
    assert_eq!(row("sentences.RMC.period").value, "1s");
    assert_eq!(row("sentences.MWV-T.enabled").value, "false");
    assert_eq!(row("fault.no_fix.enabled").value, "false");
    assert!(rows.iter().all(|r| r.key != "simulation.seed"));
    // Every row can be set to what it shows.
    for r in rows.iter().filter(|r| !r.value.is_empty()) {
        running.clone().set(&r.key, &r.value).unwrap_or_else(|e| panic!("{}: {e}", r.key));
    }
}

#[test]
fn the_reference_in_the_docs_is_the_list_of_keys() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/profile.md");
    if std::env::var_os("NMEASIMX_WRITE_DOCS").is_some() {
        std::fs::write(path, doc::reference()).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    let hint =
        "docs/profile.md is old: NMEASIMX_WRITE_DOCS=1 cargo test --lib the_reference_in_the_docs writes it anew";
    assert!(written == doc::reference(), "{hint}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]
    /// Whatever stands in a file is a profile or a list of problems with lines, and never the end of the program.
    #[test]
    fn no_text_is_too_strange(cut in 0..30_000usize, len in 0..200usize, insert in "[\\[\\]={}\"'#a-z0-9.,\n\u{80}-\u{2fff}-]{0,12}") {
        let mut text = doc::init();
        let from = (0..=cut.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        let to = (from..=(from + len).min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(from);
        text.replace_range(from..to, &insert);
        if let Err(error) = Profile::parse(&text, "a.toml") {
            proptest::prop_assert!(!error.problems.is_empty());
            let lines = text.lines().count();
            proptest::prop_assert!(error.problems.iter().all(|p| p.line <= lines + 1));
        }
    }

    #[test]
    fn no_key_and_no_value_are_too_strange(key in "[a-z0-9_.*-]{0,40}", n in 0..200usize, value in "\\PC{0,30}") {
        let mut p = Profile::built_in();
        let before = p.clone();
        if p.set(&key, &value).is_err() {
            proptest::prop_assert_eq!(&p, &before);
        }
        let path = KEYS[n % KEYS.len()].path.replace('*', "0");
        let mut q = before.clone();
        if q.set(&path, &value).is_err() {
            proptest::prop_assert_eq!(&q, &before);
        }
    }
}

//! The simulation on a wire, read back as a live feed reads: the right findings, and only those, in time.

use super::super::Diag;
use super::super::context::Settings;
use super::super::feed::{Input, Medium};
use super::super::kind::{Kind, Severity};
use crate::core::frame::{Frame, Origin};
use crate::core::log::line::Line;
use crate::core::log::lines::Feed;
use crate::core::profile::Profile;
use crate::core::sim::Simulation;
use crate::core::time::{MILLISECOND, Moment, Offset, SECOND, Utc};
use crate::core::transport::Source;

/// 2026-12-01 10:00:00 UTC.
const NOW: Utc = super::super::rig::START;
const INPUT: Origin = Origin::Input(0);

/// Sails a profile for so many seconds on a line of 4800 baud; `spoil` does what a bad wire does to the bytes of a second.
struct Wire {
    diag: Diag,
    sim: Simulation,
    feed: Feed,
    at: Offset,
}

impl Wire {
    fn new(profile: &str, baud: Option<u32>) -> Wire {
        let profile = Profile::parse(&format!("schema_version = 1\n{profile}"), "test").unwrap();
        let mut diag = Diag::new(Settings::live(true));
        let medium = if baud.is_some() { Medium::Serial } else { Medium::Tcp };
        let now = Moment { offset: 0, utc: Some(NOW) };
        diag.input(INPUT, Input { name: "wire".to_owned(), medium, baud }, now);
        Wire { diag, sim: Simulation::new(profile, NOW), feed: Feed::new(false), at: 0 }
    }

    fn sail(&mut self, seconds: i64, spoil: &mut dyn FnMut(&mut Vec<u8>)) -> &mut Wire {
        let until = self.at + seconds * SECOND;
        while self.at < until {
            let mut frames = Vec::new();
            self.sim.poll(self.at, 1000, &mut frames).unwrap();
            let mut bytes = Vec::new();
            for frame in frames {
                bytes.extend_from_slice(&frame.bytes);
                bytes.extend_from_slice(if frame.bytes.ends_with(b"\n") { b"" } else { b"\r\n" });
            }
            spoil(&mut bytes);
            let now = Moment { offset: self.at, utc: Some(NOW + self.at) };
            self.diag.hear_raw(INPUT, &bytes, now);
            let diag = &mut self.diag;
            self.feed.push(&bytes, &mut |line| hear(diag, line, now));
            self.at += 100 * MILLISECOND;
            self.diag.tick(Moment { offset: self.at, utc: Some(NOW + self.at) });
        }
        self
    }

    /// Kinds of errors and warnings that hold or held.
    fn severe(&self) -> Vec<Kind> {
        let mut kinds: Vec<Kind> =
            self.diag.findings().iter().filter(|f| f.severity != Severity::Note).map(|f| f.kind).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }
}

fn hear(diag: &mut Diag, line: &Line<'_>, now: Moment) {
    let bytes = bytes::Bytes::copy_from_slice(line.text);
    let frame = Frame { origin: INPUT, class: line.class, ..Frame::sentence(0, now.offset, bytes) };
    if line.pieces.is_empty() {
        return diag.hear(&frame, now.utc);
    }
    for piece in line.pieces {
        let piece = Frame { class: piece.class, sentence: (piece.start, piece.end), ..frame.clone() };
        diag.hear(&piece, now.utc);
    }
}

fn clean(_: &mut Vec<u8>) {}

/// The preset for a line of 4800 baud, with a destination and a current so that nothing is the same by chance.
const BOAT: &str = "
[sentences]
preset = \"4800\"
[environment]
current_set = 90.0
current_drift = 0.7
";

#[test]
fn a_healthy_boat_at_4800_baud() {
    let mut wire = Wire::new(BOAT, Some(4800));
    wire.sail(300, &mut clean);
    assert_eq!(wire.severe(), [], "{:?}", wire.diag.findings());
    assert!(wire.diag.feeds().all(|f| f.damaged == 0 && f.sentences > 1500));
}

#[test]
fn the_whole_simulation_is_a_healthy_boat() {
    let everything: String = crate::core::nmea::table::FORMATTERS
        .iter()
        // The own VDM would be somebody else with this number.
        .filter(|f| f.about.said && f.about.formatter != "VDM")
        .map(|f| format!("[sentences.{}]\nenabled = true\n", f.about.id))
        .collect();
    let ships = "[[target]]\nmmsi = 201000001\nclass = \"A\"\nname = \"ALPHA\"\nlatitude = 37.95\nlongitude = 23.6\ncourse = 100.0\n\
                 speed = 12.0\n[[target]]\nmmsi = 202000002\nclass = \"B\"\nname = \"BRAVO\"\nlatitude = 37.8\nlongitude = 23.7\n\
                 course = 300.0\nspeed = 5.0\n";
    let going = "[destination]\nname = \"AEGINA\"\nlatitude = 37.7466\nlongitude = 23.4275\n";
    let profiles = [
        "[ais]\nmmsi = 200000001\n".to_owned(),
        "[sentences]\npreset = \"gnss\"\n".to_owned(),
        "[sentences]\npreset = \"multi-constellation\"\n[gnss]\nsystems = [\"gps\", \"glonass\"]\n".to_owned(),
        "[sentences]\npreset = \"fast-heading\"\n".to_owned(),
        format!("[ais]\nmmsi = 200000001\nclass = \"A\"\n{going}{everything}{ships}"),
    ];
    for profile in profiles {
        let mut wire = Wire::new(&profile, None);
        wire.sail(400, &mut clean);
        assert_eq!(wire.severe(), [], "{profile} {:?}", wire.diag.findings());
    }
}

/// An hour of a profile of the folder, heard as a live feed.
fn an_hour(name: &str) -> Vec<Kind> {
    let path = format!("{}/profiles/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let profile = Profile::parse(&std::fs::read_to_string(&path).unwrap(), &path).unwrap();
    let mut sim = Simulation::new(profile, NOW);
    let mut diag = Diag::new(Settings::live(true));
    for second in 1..=3600 {
        let mut frames = Vec::new();
        sim.poll(second * SECOND, 10_000, &mut frames).unwrap();
        for frame in frames {
            let utc = Some(NOW + frame.offset);
            diag.hear(&Frame { origin: INPUT, ..frame }, utc);
        }
    }
    diag.finish();
    let severe = diag.findings().into_iter().filter(|f| f.severity != Severity::Note);
    severe.map(|f| f.kind).collect()
}

#[test]
fn every_profile_of_the_folder_is_a_healthy_boat_for_an_hour() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/profiles")).unwrap();
    let names =
        folder.filter_map(|f| f.unwrap().file_name().into_string().unwrap().strip_suffix(".toml").map(String::from));
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert!(names.len() >= 6, "{names:?}");
    for name in names {
        let severe = an_hour(&name);
        // the one that is there to show faults has them
        assert_eq!(severe.is_empty(), name != "faults", "{name}: {severe:?}");
    }
}

#[test]
fn three_percent_of_the_sentences_with_bit_errors() {
    let mut wire = Wire::new(&format!("{BOAT}\n[[fault]]\nkind = \"bit_errors\"\nrate = 0.03\n"), Some(4800));
    wire.sail(120, &mut clean);
    assert_eq!(wire.severe(), [Kind::ChecksumErrors], "{:?}", wire.diag.findings());
}

#[test]
fn the_wrong_baud_rate() {
    let mut wire = Wire::new(BOAT, Some(38400));
    // Sent at 4800 and read at 38400: of every bit eight samples, so mostly 0x00, 0xF8, 0x80 and the like.
    let mut garble = |bytes: &mut Vec<u8>| {
        *bytes = bytes.iter().flat_map(|b| (0..8).map(move |i| if b >> i & 1 == 1 { 0xF8 } else { 0x80 })).collect();
    };
    wire.sail(15, &mut garble);
    assert_eq!(wire.severe(), [Kind::WrongBaud], "{:?}", wire.diag.findings());
}

#[test]
fn a_sensor_that_dies() {
    let fault = "\n[[fault]]\nkind = \"dead\"\nfilter = \"DPT\"\nat = \"00:01:00\"\n";
    let mut wire = Wire::new(&format!("{BOAT}{fault}"), Some(4800));
    wire.sail(64, &mut clean);
    assert_eq!(wire.severe(), []);
    wire.sail(11, &mut clean); // 5 s, and ten to notice
    assert_eq!(wire.severe(), [Kind::Lost], "{:?}", wire.diag.findings());
    assert_eq!(wire.diag.findings()[0].subject, "SD DPT");
}

#[test]
fn two_receivers_a_mile_apart() {
    let fault = "\n[[fault]]\nkind = \"second_gps\"\nvalue = 1.0\nat = \"00:01:00\"\n";
    let mut wire = Wire::new(&format!("{BOAT}{fault}"), None);
    wire.sail(85, &mut clean);
    assert!(!wire.severe().contains(&Kind::TwoPositions));
    wire.sail(15, &mut clean);
    assert_eq!(wire.severe(), [Kind::TwoPositions], "{:?}", wire.diag.findings());
}

#[test]
fn a_date_1024_weeks_ago() {
    let mut wire = Wire::new(&format!("{BOAT}\n[[fault]]\nkind = \"wrong_week\"\n"), Some(4800));
    wire.sail(60, &mut clean);
    assert_eq!(wire.severe(), [Kind::WeekRollover], "{:?}", wire.diag.findings());
}

#[test]
fn a_line_that_carries_too_much() {
    // The default set is 600 to 850 bytes a second; 4800 baud carry 480. What does not fit is lost at its end.
    let mut wire = Wire::new("", Some(4800));
    let mut room: f64 = 0.0;
    let mut overflow = move |bytes: &mut Vec<u8>| {
        room = (room + 48.0).min(480.0);
        let fits = bytes.len().min(room as usize);
        bytes.truncate(fits);
        room -= fits as f64;
    };
    wire.sail(60, &mut overflow);
    let severe = wire.severe();
    assert!(severe.contains(&Kind::Load) && severe.contains(&Kind::ChecksumErrors), "{:?}", wire.diag.findings());
}

#[test]
fn every_fault_of_the_simulation_is_found_and_nothing_else() {
    let table: &[(&str, &[Kind])] = &[
        ("kind = \"checksum\"\nrate = 0.05", &[Kind::ChecksumErrors]),
        ("kind = \"cut\"\nrate = 0.05", &[Kind::ChecksumErrors]),
        ("kind = \"noise\"\nrate = 0.05", &[]),
        ("kind = \"lf_only\"\nrate = 1.0", &[Kind::LineEnds]),
        ("kind = \"no_fix\"\nat = \"00:00:30\"", &[Kind::FixLost]),
        ("kind = \"frozen\"\nat = \"00:00:30\"", &[Kind::Frozen]),
        ("kind = \"jump\"\nrate = 0.1\nat = \"00:00:30\"", &[Kind::Jump]),
        ("kind = \"wrong_hours\"\nvalue = 2.0", &[Kind::LocalTime]),
        ("kind = \"dead_reckoning\"\nat = \"00:00:30\"", &[Kind::NotReal]),
        ("kind = \"hdop\"\nvalue = 3.0", &[Kind::Hdop]),
        ("kind = \"duplicate\"\nrate = 1.0", &[Kind::Echo]),
        ("kind = \"stuck\"\nkey = \"environment.wind_direction\"", &[Kind::WindStuck]),
        ("kind = \"lost\"\nrate = 0.05", &[]),
    ];
    for (fault, kinds) in table {
        let mut wire = Wire::new(&format!("{BOAT}\n[sentences.GGA]\nenabled = true\n[[fault]]\n{fault}\n"), None);
        wire.sail(150, &mut clean);
        assert_eq!(wire.severe(), *kinds, "{fault}: {:?}", wire.diag.findings());
    }
}

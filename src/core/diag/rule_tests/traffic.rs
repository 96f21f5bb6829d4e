//! AIS.

use super::super::kind::{Kind, Severity};
use super::super::rig::Rig;
use crate::core::ais::own::{Report, Transponder};
use crate::core::ais::targets::Key;
use crate::core::frame::Origin;
use crate::core::time::SECOND;
use crate::core::vessel::{Known, Label, Position, Vessel};

fn ship(mmsi: u32) -> Vessel {
    let place = Known { value: Position { latitude: 37.6, longitude: 23.5 }, at: 0, origin: Origin::Source };
    let mut v = Vessel { position: Some(place), ..Vessel::default() };
    v.own.mmsi = mmsi;
    v.own.class_a = true;
    v.own.name = Label::new(b"ALPHA");
    v
}

/// Says a report of a ship; its second tells one from the next.
fn report(r: &mut Rig, t: &mut Transponder, vessel: &mut Vessel, what: Report, own: bool) {
    vessel.utc = Some(Known { value: r.start + r.at, at: 0, origin: Origin::Source });
    let mut lines = Vec::new();
    t.say(what, vessel, "AI", own, &mut |l| lines.push(String::from_utf8_lossy(l).into_owned()));
    for line in lines {
        let body = line[1..].split('*').next().unwrap_or_default().to_owned();
        r.say(&body);
    }
}

fn run(seconds: i64, mut what: impl FnMut(&mut Rig, &mut Transponder, &mut Vessel, i64)) -> Rig {
    let (mut rig, mut t, mut v) = (Rig::live(), Transponder::new(), ship(201_000_001));
    rig.each_second(seconds, |r, i| what(r, &mut t, &mut v, i));
    rig
}

#[test]
fn parts_that_stay_away() {
    // Message 5 takes two sentences; every fifth loses its second.
    let lossy = |every: i64| {
        run(120, move |r, t, v, i| {
            let mut lines = Vec::new();
            t.say(Report::Static, v, "AI", false, &mut |l| lines.push(String::from_utf8_lossy(l).into_owned()));
            for (part, line) in lines.iter().enumerate() {
                if part == 0 || i % every != 0 {
                    r.say(line[1..].split('*').next().unwrap_or_default());
                }
            }
        })
    };
    assert!(lossy(5).holds(Kind::AisParts));
    assert!(!lossy(100).holds(Kind::AisParts)); // two of 120
}

#[test]
fn one_channel_for_ten_minutes() {
    let on = |both: bool| {
        run(1300, move |r, t, v, i| {
            if i % 10 == 0 {
                report(r, t, v, Report::Dynamic, false);
                if !both {
                    // The other channel's report is never heard.
                    t.say(Report::Dynamic, v, "AI", false, &mut |_| {});
                }
            }
        })
    };
    assert!(on(false).holds(Kind::AisChannel));
    assert!(!on(true).holds(Kind::AisChannel));
}

#[test]
fn a_receiver_without_transmitter_is_a_note_and_a_transmitter_that_stops_a_warning() {
    let rig = run(90, |r, t, v, _| report(r, t, v, Report::Dynamic, false));
    let note = rig.find(Kind::AisNoOwn).unwrap();
    assert!(note.current && note.severity == Severity::Note);
    assert!(rig.holds(Kind::AisNoPosition)); // nobody said where we are
    let (mut own, mut ours) = (Transponder::new(), ship(202_000_002));
    let mut rig = run(90, |r, t, v, _| {
        report(r, t, v, Report::Dynamic, false);
        report(r, &mut own, &mut ours, Report::Dynamic, true);
    });
    assert!(!rig.holds(Kind::AisNoOwn) && !rig.holds(Kind::AisOwnSilent) && !rig.holds(Kind::AisNoPosition));
    let (mut t, mut v) = (Transponder::new(), ship(201_000_001));
    rig.each_second(65, |r, _| report(r, &mut t, &mut v, Report::Dynamic, false));
    assert!(rig.holds(Kind::AisOwnSilent));
}

#[test]
fn the_own_number_on_the_air_and_no_number() {
    let (mut own, mut ours) = (Transponder::new(), ship(201_000_001));
    let rig = run(5, |r, t, v, _| {
        report(r, &mut own, &mut ours, Report::Dynamic, true);
        report(r, t, v, Report::Dynamic, false); // the same MMSI
    });
    assert!(rig.holds(Kind::AisOwnReceived) && rig.diag.targets().is_empty());
    // A coast station says what it sends by VDO; others of its network hear it.
    let (mut own, mut ours) = (Transponder::new(), ship(2_010_061));
    let (mut other, mut theirs) = (Transponder::new(), ship(2_010_061));
    let rig = run(5, |r, _, _, _| {
        report(r, &mut own, &mut ours, Report::Dynamic, true);
        report(r, &mut other, &mut theirs, Report::Dynamic, false);
    });
    assert!(!rig.holds(Kind::AisOwnReceived));
    let mut rig = Rig::live();
    // Type 1, MMSI 0: `1` and five zero characters hold type, repeat and MMSI.
    rig.say("AIVDO,1,1,,,10000000000000000000000000000,0");
    assert!(rig.holds(Kind::AisNoMmsi));
}

#[test]
fn own_static_data_that_never_come_are_a_note() {
    let (mut own, mut ours) = (Transponder::new(), ship(202_000_002));
    let rig = run(800, |r, t, v, i| {
        if i % 10 == 0 {
            report(r, t, v, Report::Dynamic, false);
            report(r, &mut own, &mut ours, Report::Dynamic, true);
        }
    });
    assert!(rig.find(Kind::AisNoStatic).is_some_and(|f| f.severity == Severity::Note));
    let (mut own, mut ours) = (Transponder::new(), ship(202_000_002));
    let rig = run(800, |r, _, _, i| {
        if i % 10 == 0 {
            report(r, &mut own, &mut ours, Report::Dynamic, true);
        }
        if i == 300 {
            report(r, &mut own, &mut ours, Report::Static, true);
        }
    });
    assert!(rig.find(Kind::AisNoStatic).is_none());
}

#[test]
fn targets_by_ais_and_by_radar() {
    let mut rig = run(3, |r, t, v, _| {
        r.rmc("GP", 0.0, 6.0, 0.0);
        report(r, t, v, Report::Dynamic, false);
    });
    rig.say("RATTM,07,3.0,90.0,T,12.5,190.0,T,0.35,4.5,N,FERRY,T,,120000.00,A");
    let targets = rig.diag.targets();
    assert!(targets.get(Key::Mmsi(201_000_001)).is_some());
    let radar = targets.get(Key::Radar(Origin::Input(0), 7)).unwrap();
    assert_eq!((radar.name.as_bytes(), radar.speed_kn), (&b"FERRY"[..], Some(12.5)));
    assert_eq!(rig.diag.ais().by_type[&1], 3);
    assert_eq!(rig.at, 3 * SECOND);
}

//! Receivers and clocks.

use super::super::context::Settings;
use super::super::kind::Kind;
use super::super::rig::{Rig, START};
use crate::core::time::{DAY, HOUR, SECOND};

fn void(r: &mut Rig) {
    let (hms, dmy) = (r.hms(), r.dmy());
    r.say(&format!("GPRMC,{hms},V,,,,,,,{dmy},,,N"));
    r.say(&format!("GPGGA,{hms},,,,,0,00,,,M,,M,,"));
}

#[test]
fn a_fix_is_lost_after_ten_seconds() {
    let mut rig = Rig::live();
    rig.each_second(60, Rig::healthy);
    rig.each_second(9, |r, _| void(r));
    assert!(!rig.holds(Kind::FixLost));
    rig.each_second(3, |r, _| void(r));
    assert!(rig.holds(Kind::FixLost) && !rig.holds(Kind::NoFix));
    rig.each_second(3, Rig::healthy);
    assert!(!rig.holds(Kind::FixLost));
}

#[test]
fn a_receiver_may_search_for_two_minutes() {
    let mut rig = Rig::live();
    rig.each_second(119, |r, _| void(r));
    assert!(!rig.holds(Kind::NoFix));
    rig.each_second(3, |r, _| void(r));
    assert!(rig.holds(Kind::NoFix) && !rig.holds(Kind::FixLost));
}

fn gga(r: &mut Rig, satellites: u32, hdop: f64) {
    let (hms, place) = (r.hms(), Rig::ddmm(37.5 + r.at as f64 / SECOND as f64 / 36_000.0, 23.5));
    r.say(&format!("GPGGA,{hms},{place},1,{satellites:02},{hdop:.1},12.3,M,34.5,M,,"));
}

#[test]
fn few_satellites_and_poor_geometry() {
    let mut rig = Rig::live();
    rig.each_second(30, |r, _| gga(r, 5, 4.0));
    assert_eq!(rig.severe(), []);
    rig.each_second(12, |r, _| gga(r, 4, 4.1));
    assert!(rig.holds(Kind::FewSatellites) && rig.holds(Kind::Hdop));
    // GSA of two systems: three and three are six.
    let mut rig = Rig::live();
    rig.each_second(30, |r, _| {
        r.rmc("GN", 0.0, 6.0, 0.0);
        r.say("GNGSA,A,3,02,05,07,,,,,,,,,,1.7,0.9,1.4");
        r.say("GNGSA,A,3,65,66,67,,,,,,,,,,1.7,0.9,1.4");
    });
    assert!(!rig.holds(Kind::FewSatellites));
    let mut rig = Rig::live();
    rig.each_second(30, |r, _| {
        r.rmc("GN", 0.0, 6.0, 0.0);
        r.say("GNGSA,A,3,02,05,,,,,,,,,,,1.7,0.9,1.4");
        r.say("GNGSA,A,3,65,66,,,,,,,,,,,1.7,0.9,1.4");
    });
    assert!(rig.holds(Kind::FewSatellites));
}

#[test]
fn two_jumps_are_a_finding_one_is_not() {
    // 0.01 degrees of latitude are 1110 m.
    let mut rig = Rig::live();
    rig.each_second(100, |r, i| r.rmc("GP", if i < 90 { 0.0 } else { 0.01 }, 6.0, 0.0));
    assert!(!rig.holds(Kind::Jump));
    rig.each_second(2, |r, _| r.rmc("GP", 0.0, 6.0, 0.0)); // and back
    assert!(rig.holds(Kind::Jump));
    // A fast boat moves fast: 70 kn are 36 m a second, 180 m in 5 s.
    let mut rig = Rig::live();
    rig.each_second(200, |r, i| {
        if i % 5 == 0 {
            r.rmc("GP", i as f64 * (36.0 - 3.087) / 111_000.0, 70.0, 0.0);
        }
    });
    assert!(!rig.holds(Kind::Jump));
    // The first minute of a fix settles.
    let mut rig = Rig::live();
    rig.each_second(50, |r, i| r.rmc("GP", if i % 10 == 0 { 0.01 } else { 0.0 }, 6.0, 0.0));
    assert!(!rig.holds(Kind::Jump));
}

#[test]
fn a_position_that_stands_still_at_speed_is_frozen() {
    let at = |minutes: &str, sog: f64| {
        let (minutes, mut rig) = (minutes.to_owned(), Rig::live());
        rig.each_second(40, move |r, _| {
            let (hms, dmy) = (r.hms(), r.dmy());
            r.say(&format!("GPRMC,{hms},A,37{minutes},N,02330.0000,E,{sog:.1},0.0,{dmy},5.1,E,A"));
        });
        rig.holds(Kind::Frozen)
    };
    assert!(at("30.1234", 6.0)); // 0.19 m steps
    assert!(!at("30.1234", 1.9)); // at rest
    // Two decimals step 18.5 m: three steps at 2.5 kn take 43 s.
    assert!(!at("30.12", 2.5));
    assert!(at("30.12", 6.0)); // 18 s
}

#[test]
fn weeks_and_hours_off_against_a_good_clock() {
    let off = |settings: Settings, by: i64| {
        let mut rig = Rig::new(settings);
        rig.clock_off = by;
        rig.each_second(15, Rig::healthy);
        [Kind::WeekRollover, Kind::LocalTime].map(|k| rig.holds(k))
    };
    let live = Settings::live(true);
    assert_eq!(off(live, -7168 * DAY), [true, false]);
    assert_eq!(off(live, -2 * 7168 * DAY), [true, false]);
    assert_eq!(off(live, -7100 * DAY), [false, false]); // an old date, but no rollover
    assert_eq!(off(live, 2 * HOUR), [false, true]);
    assert_eq!(off(live, -5 * HOUR), [false, true]);
    assert_eq!(off(live, -2 * SECOND), [false, false]); // lines arrive late
    assert_eq!(off(live, -HOUR / 2), [false, false]);
    // A host whose clock is not synchronised cannot tell; nor can a log without stamps.
    assert_eq!(off(Settings::live(false), -7168 * DAY), [false, false]);
    assert_eq!(off(Settings::log(false, true), -7168 * DAY), [false, false]);
}

#[test]
fn a_jump_of_1024_weeks_inside_a_log() {
    let mut rig = Rig::new(Settings::log(false, true));
    rig.each_second(5, Rig::healthy);
    rig.clock_off = -7000 * DAY;
    rig.each_second(5, Rig::healthy);
    assert!(!rig.holds(Kind::DateJump)); // logs put together
    rig.clock_off = 168 * DAY;
    rig.each_second(5, Rig::healthy);
    assert!(rig.holds(Kind::DateJump));
}

#[test]
fn a_delay_that_grows_is_said_a_constant_one_is_not() {
    let mut rig = Rig::live();
    rig.clock_off = -3 * SECOND; // always three seconds late
    rig.each_second(120, Rig::healthy);
    assert!(!rig.holds(Kind::Latency));
    for _ in 0..60 {
        rig.clock_off -= SECOND / 10; // one in ten seconds is lost in a buffer
        rig.each_second(1, Rig::healthy);
    }
    assert!(rig.holds(Kind::Latency));
    assert!(!rig.holds(Kind::LocalTime));
    // Jitter of a second is no growth.
    let mut rig = Rig::live();
    rig.each_second(120, |r, i| {
        r.clock_off = -(i % 2) * SECOND;
        r.healthy(i);
    });
    assert!(!rig.holds(Kind::Latency));
    assert_eq!(START % SECOND, 0);
}

#[test]
fn simulators_dead_reckoning_and_hand_made_positions() {
    for (mode, found) in [("A", false), ("D", false), ("S", true), ("E", true), ("M", true)] {
        let mut rig = Rig::live();
        rig.each_second(8, |r, _| {
            let (hms, dmy) = (r.hms(), r.dmy());
            r.say(&format!("GPRMC,{hms},A,3730.0000,N,02330.0000,E,0.1,0.0,{dmy},5.1,E,{mode}"));
        });
        assert_eq!(rig.holds(Kind::NotReal), found, "{mode}");
    }
    for (quality, found) in [(1, false), (2, false), (5, false), (6, true), (7, true), (8, true)] {
        let mut rig = Rig::live();
        rig.each_second(8, |r, _| {
            let hms = r.hms();
            r.say(&format!("GPGGA,{hms},3730.0000,N,02330.0000,E,{quality},08,0.9,1.0,M,2.0,M,,"));
        });
        assert_eq!(rig.holds(Kind::NotReal), found, "{quality}");
    }
}

#[test]
fn another_datum() {
    for (datum, found) in [("W84", false), ("W72", true), ("999", true)] {
        let mut rig = Rig::live();
        rig.say(&format!("GPDTM,{datum},,0.0,N,0.0,E,0.0,W84"));
        assert_eq!(rig.holds(Kind::Datum), found, "{datum}");
    }
}

#[test]
fn gn_only_is_a_note() {
    let run = |talkers: &[&str]| {
        let mut rig = Rig::live();
        rig.each_second(40, |r, _| talkers.iter().for_each(|t| r.rmc(t, 0.0, 6.0, 0.0)));
        rig.holds(Kind::OnlyGn)
    };
    assert!(run(&["GN"]));
    assert!(!run(&["GP"]));
    assert!(!run(&["GN", "GP"]));
}

//! Two of a kind.

use super::super::feed::{Input, Medium};
use super::super::kind::{Kind, Severity};
use super::super::rig::Rig;
use crate::core::frame::Origin;
use crate::core::time::SECOND;

fn two_gps(metres: f64, hdop: f64, seconds: i64) -> bool {
    let mut rig = Rig::live();
    rig.each_second(seconds, |r, _| {
        r.rmc("GP", 0.0, 6.0, 0.0);
        let lat = 37.5 + r.at as f64 / SECOND as f64 / 36_000.0 + metres / 111_000.0;
        let (hms, place) = (r.hms(), Rig::ddmm(lat, 23.5));
        r.say_as(Origin::Input(1), &format!("GPGGA,{hms},{place},1,09,{hdop:.1},12.3,M,34.5,M,,"));
    });
    rig.holds(Kind::TwoPositions)
}

#[test]
fn two_receivers_a_mile_apart() {
    assert!(two_gps(1852.0, 0.9, 35));
    assert!(!two_gps(1852.0, 0.9, 25)); // half a minute first
    assert!(!two_gps(14.0, 0.9, 120)); // one receiver through two gateways
    assert!(!two_gps(120.0, 6.0, 120)); // 25 m x HDOP
    assert!(two_gps(120.0, 1.0, 120));
}

#[test]
fn two_compasses() {
    let run = |second: &str| {
        let mut rig = Rig::live();
        rig.each_second(40, |r, _| {
            r.rmc("GP", 0.0, 6.0, 60.0);
            r.say("HCHDG,50.0,0.0,E,5.0,E"); // 55 true
            r.say_as(Origin::Input(1), second);
        });
        rig.holds(Kind::TwoHeadings)
    };
    assert!(run("HEHDT,66.0,T"));
    assert!(!run("HEHDT,64.0,T"));
    assert!(!run("HCHDM,57.0,M")); // 62.1 true by the variation of RMC (5.1)
    assert!(run("HCHDM,62.0,M"));
}

#[test]
fn two_sounders_and_two_winds() {
    let run = |a: &str, b: &str| {
        let mut rig = Rig::live();
        rig.each_second(40, |r, _| {
            r.say(a);
            r.say_as(Origin::Input(1), b);
        });
        [Kind::TwoDepths, Kind::TwoWinds].map(|k| rig.holds(k))
    };
    assert_eq!(run("SDDPT,10.0,0.0,", "SDDPT,11.5,0.0,"), [true, false]);
    assert_eq!(run("SDDPT,10.0,0.0,", "SDDPT,10.9,0.0,"), [false, false]); // under a metre
    assert_eq!(run("SDDPT,60.0,0.0,", "SDDPT,62.0,0.0,"), [false, false]); // 3 %
    assert_eq!(run("SDDPT,10.0,2.0,", "SDDPT,12.0,0.0,"), [false, false]); // the offset explains it
    assert_eq!(run("WIMWV,40.0,R,12.0,N,A", "IIMWV,65.0,R,7.0,N,A"), [false, true]);
    assert_eq!(run("WIMWV,40.0,R,12.0,N,A", "IIMWV,55.0,R,7.0,N,A"), [false, false]);
    assert_eq!(run("WIMWV,40.0,R,12.0,N,A", "IIMWV,65.0,T,7.0,N,A"), [false, false]); // true wind is another thing
}

#[test]
fn two_masters_for_the_pilot() {
    let apb = "APB,A,A,0.012,R,N,V,V,220.5,M,AEGINA,225.2,M,225.2,M";
    let run = |talkers: &[&str]| {
        let mut rig = Rig::live();
        rig.each_second(15, |r, _| talkers.iter().for_each(|t| r.say(&format!("{t}{apb}"))));
        rig.find(Kind::TwoPilots).filter(|f| f.current).map(|f| f.severity)
    };
    assert_eq!(run(&["GP", "EC"]), Some(Severity::Error));
    assert_eq!(run(&["GP"]), None);
    // One after the other: the route was handed over.
    let mut rig = Rig::live();
    rig.each_second(10, |r, _| r.say(&format!("GP{apb}")));
    rig.wait_ms(8000);
    rig.each_second(10, |r, _| r.say(&format!("EC{apb}")));
    assert!(!rig.holds(Kind::TwoPilots));
}

fn echo(medium: Medium, back: Option<Origin>, after_ms: i64) -> [bool; 2] {
    let mut rig = Rig::live();
    rig.diag.input(Origin::Input(0), Input { medium, ..Input::default() }, rig.now());
    for i in 0..20 {
        let (hms, dmy) = (rig.hms(), rig.dmy());
        let body = format!("GPRMC,{hms},A,37{:02}.0000,N,02330.0000,E,6.0,0.0,{dmy},5.1,E,A", i % 60);
        rig.say(&body);
        rig.wait_ms(after_ms);
        if let Some(origin) = back {
            rig.say_as(origin, &body);
        }
        rig.wait_ms(1000 - after_ms.min(999));
    }
    [Kind::Echo, Kind::DatagramsTwice].map(|k| rig.holds(k))
}

#[test]
fn what_comes_back_is_an_echo() {
    assert_eq!(echo(Medium::Serial, Some(Origin::Input(0)), 200), [true, false]);
    assert_eq!(echo(Medium::Serial, Some(Origin::Input(1)), 200), [true, false]);
    assert_eq!(echo(Medium::Udp, Some(Origin::Input(0)), 10), [false, true]);
    assert_eq!(echo(Medium::Serial, None, 200), [false, false]);
    assert_eq!(echo(Medium::Udp, None, 10), [false, false]);
    assert_eq!(echo(Medium::Udp, Some(Origin::Input(0)), 2500), [false, false]); // later than two seconds
    // Values that stand still are said again by design.
    let mut rig = Rig::live();
    rig.each_second(60, |r, _| {
        r.say("SDDPT,12.4,0.5,");
        r.say("YXMTW,21.5,C");
    });
    assert_eq!(rig.severe(), []);
    // A receiver whose clock stands still.
    let mut rig = Rig::live();
    rig.each_second(60, |r, _| r.say("GPGGA,120000.00,3730.0000,N,02330.0000,E,1,09,0.9,12.3,M,34.5,M,,"));
    assert!(!rig.holds(Kind::Echo));
}

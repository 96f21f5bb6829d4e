//! Wind, log, sounder, battery, route, alarms.

use super::super::kind::{Kind, Severity};
use super::super::rig::Rig;

fn wind(angle: impl Fn(i64) -> f64, knots: f64, status: char) -> [bool; 2] {
    let mut rig = Rig::live();
    rig.each_second(70, |r, i| r.say(&format!("WIMWV,{:.1},R,{knots:.1},N,{status}", angle(i))));
    [Kind::WindStuck, Kind::WindInvalid].map(|k| rig.holds(k))
}

#[test]
fn a_vane_that_does_not_move() {
    assert_eq!(wind(|_| 40.0, 12.0, 'A'), [true, false]);
    assert_eq!(wind(|i| 40.0 + (i % 20 / 19) as f64, 12.0, 'A'), [false, false]); // moves every 20 s
    assert_eq!(wind(|_| 40.0, 2.5, 'A'), [false, false]); // calm
    assert_eq!(wind(|_| 40.0, 12.0, 'V'), [false, true]);
    // True wind of a boat at rest may stand still.
    let mut rig = Rig::live();
    rig.each_second(70, |r, _| r.say("WIMWV,40.0,T,12.0,N,A"));
    assert!(!rig.holds(Kind::WindStuck));
}

#[test]
fn a_fouled_paddle_wheel() {
    let run = |sog: f64, stw: f64| {
        let mut rig = Rig::live();
        rig.each_second(70, |r, _| {
            r.rmc("GP", 0.0, sog, 10.0);
            r.say(&format!("VWVHW,,T,,M,{stw:.1},N,,K"));
        });
        rig.holds(Kind::PaddleWheel)
    };
    assert!(run(6.0, 0.0) && run(6.0, 1.1));
    assert!(!run(6.0, 1.3)); // a strong current
    assert!(!run(2.9, 0.0)); // slow
}

#[test]
fn soundings_that_end() {
    let run = |before: Option<&str>, empty: &str, seconds: i64| {
        let mut rig = Rig::live();
        if let Some(before) = before {
            rig.each_second(10, |r, _| r.say(before));
        }
        rig.each_second(seconds, |r, _| r.say(empty));
        [Kind::DepthLost, Kind::NoSoundings].map(|k| rig.find(k).filter(|f| f.current).map(|f| f.severity))
    };
    let (warning, note) = (Some(Severity::Warning), Some(Severity::Note));
    assert_eq!(run(Some("SDDPT,12.0,0.5,"), "SDDPT,,0.5,", 12), [warning, None]);
    assert_eq!(run(Some("SDDPT,12.0,0.5,"), "SDDPT,0.0,0.5,", 12), [warning, None]);
    assert_eq!(run(Some("SDDPT,12.0,0.5,"), "SDDPT,,0.5,", 8), [None, None]); // a fish
    assert_eq!(run(Some("SDDPT,80.0,0.5,"), "SDDPT,,0.5,", 12), [None, note]);
    assert_eq!(run(None, "SDDPT,,0.5,", 12), [None, note]);
}

#[test]
fn depth_sentences_of_one_sounder() {
    let run = |dpt: &str, other: &str| {
        let mut rig = Rig::live();
        rig.each_second(20, |r, _| {
            r.say(dpt);
            r.say(other);
        });
        rig.find(Kind::DepthsDiffer).filter(|f| f.current).map(|f| f.evidence)
    };
    // 10 m are 32.8 ft; 12 m 39.4 ft; 10.3 m 33.8 ft.
    assert_eq!(run("SDDPT,10.0,2.0,", "SDDBT,32.8,f,10.0,M,5.5,F"), None);
    assert!(run("SDDPT,10.0,2.0,", "SDDBT,39.4,f,12.0,M,6.6,F").unwrap().contains("the offset"));
    assert_eq!(run("SDDPT,10.0,2.0,", "SDDBT,33.8,f,10.3,M,5.6,F"), None); // noise
    assert_eq!(run("SDDPT,10.0,2.0,", "SDDBS,39.4,f,12.0,M,6.6,F"), None); // the offset applied, as it must
    assert!(run("SDDPT,10.0,2.0,", "SDDBS,32.8,f,10.0,M,5.5,F").is_some());
}

#[test]
fn a_battery_that_runs_down() {
    let run = |volts: f64, kind: char| {
        let mut rig = Rig::live();
        rig.each_second(15, |r, _| r.say(&format!("IIXDR,C,21.0,C,ENGINE,{kind},{volts:.1},V,HOUSE")));
        rig.find(Kind::LowVolts).filter(|f| f.current).map(|f| f.subject)
    };
    assert_eq!(run(11.7, 'U').as_deref(), Some("HOUSE"));
    assert_eq!(run(11.8, 'U'), None);
    assert_eq!(run(5.0, 'U'), None); // a sensor's supply
    assert_eq!(run(11.7, 'G'), None); // no voltage
}

#[test]
fn route_sentences_of_one_moment() {
    let run = |apb: &str, rmb: &str| {
        let mut rig = Rig::live();
        rig.each_second(8, |r, _| {
            r.say(&format!("GPAPB,A,A,{apb},N,V,V,220.5,M,AEGINA,225.2,M,225.2,M"));
            r.say(&format!("GPRMB,A,{rmb},START,AEGINA,3744.7960,N,02325.6500,E,20.1,225.2,-6.5,V"));
        });
        rig.holds(Kind::RouteDisagrees)
    };
    assert!(!run("1.622,R", "1.62,R"));
    assert!(!run("1.622,R", "1.60,R")); // 0.022: rounding
    assert!(run("1.622,R", "1.59,R"));
    assert!(run("0.060,R", "0.06,L")); // opposite orders
    assert!(!run("0.010,R", "0.01,L")); // on the line, within the limit
    assert!(!run("12.345,R", "9.99,R")); // RMB says no more
}

#[test]
fn alarms_in_the_device_s_own_words() {
    let mut rig = Rig::live();
    rig.say("AIALR,120000.00,026,A,V,AIS^3A no sensor position in use");
    let alarm = rig.find(Kind::Alarm).unwrap();
    assert_eq!((alarm.evidence.as_str(), alarm.current), ("alarm 026: AIS: no sensor position in use", true));
    rig.say("AIALR,120010.00,026,V,V,");
    assert!(!rig.holds(Kind::Alarm)); // over
    rig.say("AIALR,120020.00,002,A,A,");
    assert_eq!(rig.find(Kind::Alarm).unwrap().evidence, "alarm 002, acknowledged: antenna VSWR exceeds limit");
    rig.say("GPTXT,01,01,02,ANTSTATUS=OPEN");
    let text = rig.find(Kind::DeviceText).unwrap();
    assert_eq!((text.evidence.as_str(), text.severity), ("ANTSTATUS=OPEN", Severity::Note));
    let mut rig = Rig::live();
    rig.say("AIALF,1,0,0,120000.00,B,W,N,,3008,1,1,0,LOST POSITION");
    assert!(!rig.holds(Kind::Alarm)); // state N: normal
    rig.say("AIALF,1,1,0,120000.00,B,W,V,,3008,1,1,0,LOST POSITION");
    assert_eq!(rig.find(Kind::Alarm).unwrap().evidence, "alert 3008: LOST POSITION");
}

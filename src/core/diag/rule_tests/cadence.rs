//! How rows come.

use super::super::context::Settings;
use super::super::kind::{Kind, Severity};
use super::super::rig::Rig;

#[test]
fn a_sensor_that_dies_is_lost_and_only_that() {
    let mut rig = Rig::live();
    rig.each_second(60, Rig::healthy);
    rig.off = &["SD", "WI", "VW"]; // three devices of one type each
    rig.each_second(4, Rig::healthy); // 5 s after their last
    assert!(!rig.holds(Kind::Lost));
    rig.each_second(2, Rig::healthy);
    let lost: Vec<(Kind, String)> = rig.diag.findings().iter().map(|f| (f.kind, f.subject.clone())).collect();
    let subjects = ["SD DPT", "VW VHW", "WI MWV R"].map(|s| (Kind::Lost, s.to_owned()));
    assert!(lost.len() == 3 && subjects.iter().all(|s| lost.contains(s)), "{lost:?}");
    rig.off = &[];
    rig.each_second(3, Rig::healthy);
    assert!(!rig.holds(Kind::Lost));
}

#[test]
fn a_device_that_falls_silent_is_one_finding() {
    let mut rig = Rig::live();
    let boat = |gps: bool| {
        move |r: &mut Rig, i: i64| {
            if gps {
                r.rmc("GP", 0.0, 6.0, i as f64 % 3.0);
                r.say(&format!("GPVTG,{:.1},T,,M,6.0,N,11.1,K,A", i % 3));
            }
            r.say(&format!("HCHDG,{:.1},0.0,E,5.1,E", i % 5));
        }
    };
    rig.each_second(60, boat(true));
    rig.each_second(8, boat(false));
    assert!(rig.holds(Kind::DeviceGone) && !rig.holds(Kind::Lost), "{:?}", rig.severe());
    assert_eq!(rig.find(Kind::DeviceGone).unwrap().subject, "GP");
    rig.each_second(3, boat(true));
    assert!(!rig.holds(Kind::DeviceGone));
}

#[test]
fn a_quiet_input_is_one_finding_of_its_own() {
    let mut rig = Rig::live();
    rig.each_second(60, Rig::healthy);
    rig.wait_ms(10_000);
    let kinds: Vec<Kind> = rig.severe().into_iter().map(|(k, _)| k).collect();
    assert_eq!(kinds, [Kind::NoData]);
    // In a log it is a gap, no finding.
    let mut rig = Rig::new(Settings::log(true, true));
    rig.each_second(60, Rig::healthy);
    rig.wait_ms(600_000);
    rig.each_second(5, Rig::healthy);
    assert_eq!(rig.severe(), []);
}

#[test]
fn half_the_rate_is_slow_within_ten_seconds_after_its_half_minute() {
    let mut rig = Rig::live();
    rig.each_second(60, Rig::healthy);
    let slower = |r: &mut Rig, i: i64| {
        r.rmc("GP", 0.0, 6.0, i as f64 % 3.0);
        if i % 2 == 0 {
            r.say(&format!("WIMWV,{}.0,R,12.0,N,A", 40 + i % 7));
        }
    };
    rig.each_second(20, slower);
    assert!(!rig.holds(Kind::Slow));
    rig.each_second(20, slower);
    let slow = rig.find(Kind::Slow).unwrap();
    assert_eq!((slow.subject.as_str(), slow.numbers["interval_s"]), ("WI MWV R", 2.0));
}

#[test]
fn alternating_kinds_of_wind_are_each_steady() {
    let mut rig = Rig::live();
    rig.each_second(120, |r, i| {
        r.say(&format!("WIMWV,{}.0,{},12.0,N,A", 40 + i % 7, if i % 2 == 0 { 'R' } else { 'T' }))
    });
    assert_eq!(rig.severe(), []);
}

#[test]
fn fast_sentences_must_come_evenly() {
    let run = |uneven_ms: i64| {
        let mut rig = Rig::live();
        for i in 0..400_i64 {
            // 10 Hz; every fifth late, the next early by as much.
            let late = [0, 0, uneven_ms, -uneven_ms, 0][(i % 5) as usize];
            rig.say(&format!("HEHDT,{}.{},T", 100 + i % 7, i % 10));
            rig.wait_ms(100 + late);
        }
        rig.find(Kind::Jitter).filter(|f| f.current).map(|f| f.severity)
    };
    assert_eq!(run(60), Some(Severity::Warning));
    assert_eq!(run(40), None);
    // On a 1 s receiver 50 to 80 ms are nothing, and half a second is a note.
    let slow = |uneven_ms: i64| {
        let mut rig = Rig::live();
        for i in 0..60_i64 {
            rig.say(&format!("HEHDT,{}.0,T", 100 + i % 7));
            rig.wait_ms(1000 + if i % 2 == 0 { uneven_ms } else { -uneven_ms });
        }
        rig.find(Kind::Jitter).filter(|f| f.current).map(|f| f.severity)
    };
    assert_eq!(slow(80), None);
    assert_eq!(slow(600), Some(Severity::Note));
}

#[test]
fn events_and_the_end_of_navigation_are_never_lost() {
    let mut rig = Rig::live();
    rig.each_second(60, |r, i| {
        r.healthy(i);
        r.say("GPAPB,A,A,0.012,R,N,V,V,220.5,M,AEGINA,225.2,M,225.2,M");
        r.say(&format!("RATTM,{:02},2.1,45.0,T,12.5,190.0,T,0.35,4.5,N,FERRY,T,,{},A", i % 9, r.hms()));
    });
    rig.each_second(60, Rig::healthy);
    assert_eq!(rig.severe(), []);
}

#[test]
fn rates_that_double_at_once_are_an_echo() {
    let twice = |only: Option<usize>| {
        let mut rig = Rig::live();
        let say = |r: &mut Rig, i: i64, only: Option<usize>, again: bool| {
            let all = [
                format!("HCHDG,{}.{},0.0,E,5.1,E", i % 9, i % 7),
                format!("SDDPT,{}.0,0.5,", 20 + i % 5),
                format!("WIMWV,{}.0,R,12.0,N,A", 40 + i % 7),
                format!("VWVHW,,T,,M,5.{},N,,K", i % 10),
            ];
            for (n, body) in all.iter().enumerate() {
                if !again || only.is_none_or(|o| o == n) {
                    r.say(body);
                }
            }
        };
        rig.each_second(60, |r, i| say(r, i, None, false));
        for i in 0..30 {
            say(&mut rig, i, None, false);
            rig.wait_ms(500);
            say(&mut rig, i + 3, only, true);
            rig.wait_ms(500);
        }
        rig.holds(Kind::Echo)
    };
    assert!(twice(None));
    assert!(!twice(Some(0))); // somebody set the compass to 2 Hz
}

#[test]
fn a_receiver_that_changes_its_talker_is_not_gone() {
    let run = |second: &str| {
        let mut rig = Rig::live();
        let say = |r: &mut Rig, talker: &str| {
            r.rmc(talker, 0.0, 6.0, 10.0);
            r.say(&format!("{talker}VTG,10.0,T,,M,6.0,N,11.1,K,A"));
            r.say("HCHDG,6.0,0.0,E,5.1,E");
        };
        rig.each_second(40, |r, _| say(r, "GN"));
        rig.each_second(20, |r, _| say(r, second));
        rig.holds(Kind::DeviceGone)
    };
    assert!(!run("GP"));
    assert!(run("II"));
}

#[test]
fn after_a_pause_every_sentence_has_its_turn_first() {
    let mut rig = Rig::new(Settings::log(true, true));
    rig.each_second(60, Rig::healthy);
    rig.wait_ms(600_000);
    rig.say("SDDPT,20.0,0.5,");
    rig.wait_ms(3000);
    rig.say("SDDPT,20.0,0.5,");
    assert_eq!(rig.severe(), []);
    rig.off = &["WI"];
    rig.each_second(10, Rig::healthy);
    let lost: Vec<String> = rig.severe().into_iter().map(|(k, s)| format!("{k:?} {s}")).collect();
    assert!(lost.len() == 1 && lost[0].starts_with("Lost WI MWV R"), "{lost:?}");
}

//! What goes wrong on purpose, and its counts.

use super::*;

#[test]
fn injected_faults_are_counted_and_the_counts_are_the_truth() {
    let keys = [
        ("fault.checksum.rate", "0.05"),
        ("fault.cut.rate", "0.03"),
        ("fault.bit_errors.rate", "0.04"),
        ("fault.noise.rate", "0.02"),
    ];
    let clean = until(&mut simulation(&[]), 5 * MINUTE).len();
    let mut sim = simulation(&keys);
    let frames = until(&mut sim, 5 * MINUTE);
    let injected: BTreeMap<String, u64> = sim.faults().into_iter().collect();
    let of = |class| frames.iter().filter(|f| f.class == class).count() as u64;
    assert_eq!(of(Class::BadChecksum), injected["checksum"] + injected["bit_errors"]);
    assert_eq!(of(Class::Truncated), injected["cut"]);
    assert_eq!(of(Class::Garbled), injected["noise"]);
    assert_eq!(frames.len() as u64, clean as u64 + injected["noise"]);
    let share = injected["checksum"] as f64 / clean as f64;
    assert!((share - 0.05).abs() < 0.01, "{share}");
    // What is called spoiled is spoiled, and everything else is not.
    for f in &frames {
        let right = split(f.text()).is_some_and(|p| p.given_value() == Some(p.computed()));
        assert_eq!(right, f.class == Class::Sentence, "{:?} {}", f.class, text(f));
    }
}

#[test]
fn lost_doubled_late_and_dead_sentences() {
    let whole = until(&mut simulation(&[]), 5 * MINUTE - 1);
    let count = |keys: &[(&str, &str)]| {
        let mut sim = simulation(keys);
        let frames = until(&mut sim, 5 * MINUTE - 1);
        let injected = sim.faults().iter().map(|f| f.1).sum::<u64>() as usize;
        (frames, injected)
    };
    let (frames, injected) = count(&[("fault.lost.rate", "0.1")]);
    assert!(injected > 0 && frames.len() == whole.len() - injected);
    let (frames, injected) = count(&[("fault.duplicate.rate", "0.1")]);
    assert!(injected > 0 && frames.len() == whole.len() + injected);
    let (frames, injected) = count(&[("fault.dead.filter", "HDG"), ("fault.dead.at", "00:01:00")]);
    assert_eq!((counts(&frames)["$HCHDG"], injected), (60, 240));
    let (frames, injected) = count(&[("fault.lf_only.rate", "0.1")]);
    assert_eq!(frames.iter().filter(|f| f.bytes.ends_with(b"\n")).count(), injected);
    all_right(&frames);
    // Two seconds late, with the old time, and in order of their offsets.
    let (frames, injected) = count(&[("fault.delay.filter", "RMC"), ("fault.delay.rate", "0.2")]);
    let late = |f: &&Frame| {
        text(f).starts_with("$GPRMC")
            && !text(f).contains(&format!(",12{:02}{:02}.00,", f.offset / MINUTE, f.offset / SECOND % 60))
    };
    let late = frames.iter().filter(late).count();
    assert!(injected > 20 && late.abs_diff(injected) <= 2, "{late} of {injected}");
    assert!(frames.windows(2).all(|w| w[0].offset <= w[1].offset));
}

#[test]
fn instruments_that_lie() {
    let at_minute = |keys: &[(&str, &str)]| {
        let mut sim = simulation(keys);
        let frames = until(&mut sim, MINUTE);
        (*sim.vessel(), sim.position(), lines(&frames))
    };
    let (v, _, said) = at_minute(&[("fault.cold_start.at", "30s")]);
    assert!(v.utc.is_none() && v.position.is_none() && v.heading_true_deg.is_some());
    let last = |start: &str| said.iter().rev().find(|l| l.1.starts_with(start)).unwrap().1.clone();
    // As a u-blox NEO-6M prints them (golden state).
    assert_eq!(last("$GPRMC"), "$GPRMC,,V,,,,,,,,,,N*53");
    assert_eq!(last("$GPGGA"), "$GPGGA,,,,,,0,00,,,M,,M,,*66");
    assert_eq!(last("$GPVTG"), "$GPVTG,,,,,,,,,N*30");
    assert_eq!(last("$GPGSV"), "$GPGSV,1,1,00*79");
    let (v, here, _) = at_minute(&[("fault.frozen.at", "30s")]);
    let off = crate::core::vessel::geodesy::distance_m(v.position.bare().unwrap(), here);
    // 30 s at 6.5 kn are 100 m.
    assert!((off - 100.3).abs() < 5.0, "{off}");
    let (v, here, _) = at_minute(&[("fault.jump.rate", "1"), ("fault.jump.value", "2")]);
    let off = crate::core::vessel::geodesy::distance_m(v.position.bare().unwrap(), here);
    assert!((off - 3704.0).abs() < 0.1, "{off}");
    let (_, _, said) = at_minute(&[("fault.second_gps.enabled", "on")]);
    assert_eq!(said.iter().filter(|l| l.1.starts_with("$GPGGA")).count(), 122);
    let (v, ..) = at_minute(&[("fault.wrong_week.enabled", "on")]);
    assert_eq!(v.utc.bare(), Some(NOON + MINUTE - 1024 * 7 * DAY));
    let (v, ..) = at_minute(&[("fault.wrong_hours.value", "-2")]);
    assert_eq!(v.utc.bare(), Some(NOON + MINUTE - 2 * HOUR));
    let (v, ..) = at_minute(&[("fault.dead_reckoning.enabled", "on")]);
    assert_eq!((v.gnss.mode.bare(), v.gnss.quality.bare()), (Some(b'E'), Some(6)));
    let (v, ..) = at_minute(&[("fault.hdop.value", "5")]);
    assert!((v.gnss.hdop.bare().unwrap() - 5.9).abs() < 1e-9);
    let mut p = profile(&[("fault.no_fix.enabled", "off")]);
    p = Profile::parse(
        &format!(
            "{}\n[[fault]]\nkind = \"stuck\"\nkey = \"environment.depth\"\nat = 30",
            crate::core::profile::doc::show(&p)
        ),
        "a",
    )
    .unwrap();
    let mut sim = Simulation::new(p, NOON);
    until(&mut sim, 30 * SECOND);
    let stuck = sim.vessel().depth_m.bare();
    until(&mut sim, 3 * MINUTE);
    assert_eq!(sim.vessel().depth_m.bare(), stuck);
}

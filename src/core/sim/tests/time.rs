//! Polling, seeking and sleeping change no byte; the simulated clock.

use super::*;

/// A voyage with commands at fixed simulated times, polled in the pieces given.
fn voyage(keys: &[(&str, &str)], mut cuts: Vec<Offset>, room: usize) -> Vec<(Offset, String)> {
    let commands = [
        (7 * SECOND + 310 * MILLISECOND, Change::Set { key: "vessel.heading".into(), value: "90".into() }),
        (20 * SECOND, Change::Nudge { key: "environment.depth".into(), by: -3.0 }),
        (31 * SECOND + 1, Change::Release { key: "vessel.heading".into() }),
        (40 * SECOND, Change::Set { key: "sentences.GGA.period".into(), value: "250ms".into() }),
        (55 * SECOND, Change::Set { key: "fault.checksum.rate".into(), value: "0.3".into() }),
        (70 * SECOND, Change::Set { key: "steering.mode".into(), value: "rudder".into() }),
    ];
    cuts.extend(commands.iter().map(|c| c.0));
    cuts.push(100 * SECOND);
    cuts.sort_unstable();
    cuts.dedup();
    let mut sim = simulation(keys);
    let mut frames = Vec::new();
    for cut in cuts {
        while sim.next_due().unwrap().is_some_and(|due| due <= cut) {
            sim.poll(cut, room, &mut frames).unwrap();
        }
        sim.poll(cut, room, &mut frames).unwrap();
        for (_, change) in commands.iter().filter(|c| c.0 == cut) {
            sim.set(change).unwrap();
        }
    }
    frames.iter().enumerate().for_each(|(i, f)| assert_eq!(f.seq, i as u64));
    lines(&frames)
}

#[test]
fn polling_changes_no_byte() {
    let every = |step: Offset| (0..100 * SECOND / step).map(|i| i * step).collect::<Vec<_>>();
    let whole = voyage(&BUSY, vec![], usize::MAX);
    same(&voyage(&BUSY, every(MILLISECOND), usize::MAX), &whole);
    same(&voyage(&BUSY, every(60 * SECOND), 1), &whole);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn polling_at_random_changes_no_byte(cuts in prop::collection::vec(0..100_000i64, 1..200), room in 1..40usize) {
        let whole = voyage(&BUSY, vec![], usize::MAX);
        same(&voyage(&BUSY, cuts.iter().map(|c| c * MILLISECOND).collect(), room), &whole);
    }

    #[test]
    fn a_seek_stands_where_playing_would(to in 0..900_000i64, from in 0..900_000i64) {
        let (to, from) = (to * MILLISECOND, from * MILLISECOND);
        let mut played = simulation(&BUSY);
        until(&mut played, to - 1);
        let mut sought = simulation(&BUSY);
        until(&mut sought, from);
        sought.seek(To::Offset(to)).unwrap();
        prop_assert_eq!(sought.vessel(), played.vessel());
        prop_assert_eq!(sought.next_due().unwrap(), played.next_due().unwrap());
        same(&lines(&until(&mut sought, to + 30 * SECOND)), &lines(&until(&mut played, to + 30 * SECOND)));
    }
}

#[test]
fn a_stall_leaves_out_whole_rounds_and_changes_no_other_byte() {
    let whole = until(&mut simulation(&BUSY), 10 * MINUTE);
    let mut sim = simulation(&BUSY);
    let mut player_frames = until(&mut sim, 100 * SECOND);
    let woke = 400 * SECOND + 300 * MILLISECOND;
    assert!(sim.leave_out(woke).unwrap());
    assert!(sim.missed() > 299 * 10);
    let after = until(&mut sim, 10 * MINUTE);
    // The present round of the sentences of each second is that of 400 s; what was delayed before comes late.
    let rmc: Vec<Offset> = after.iter().filter(|f| text(f).starts_with("$GPRMC")).map(|f| f.offset).collect();
    assert!(rmc.contains(&(400 * SECOND)) && !rmc.iter().any(|at| (103 * SECOND..400 * SECOND).contains(at)));
    player_frames.extend(after);
    // What was said is what would have been said, in the same order.
    let whole = lines(&whole);
    let mut rest = whole.iter();
    for line in lines(&player_frames) {
        assert!(rest.any(|l| *l == line), "{line:?}");
    }
    // Going back over the stall finds the same sentences.
    sim.seek(To::Offset(90 * SECOND)).unwrap();
    let again = lines(&until(&mut sim, 10 * MINUTE));
    let expected: Vec<_> = lines(&player_frames).into_iter().filter(|l| l.0 >= 90 * SECOND).collect();
    same(&again, &expected);
}

#[test]
fn a_player_keeps_the_simulated_clock_with_the_wall() {
    let mut player = Player::new(Box::new(simulation(&[])));
    player.command(0, &Transport::Play, &mut Vec::new()).unwrap();
    let mut out = Vec::new();
    let mut now = 0;
    while now <= 5 * SECOND {
        player.run(now, 256, &mut out).unwrap();
        now = match player.wake(now) {
            Wake::Now => now,
            Wake::At(at) => at,
            Wake::Never => panic!(),
        };
    }
    assert!(out.iter().any(|f| f.offset == 5 * SECOND));
    // The host sleeps for ten minutes: the rounds of these are left out, and the next is on the beat.
    out.clear();
    now += 10 * MINUTE;
    while player.wake(now) == Wake::Now {
        player.run(now, 256, &mut out).unwrap();
    }
    assert!(out.len() < 40, "{}", out.len());
    assert!(player.report(now).missed > 5000);
    assert_eq!(player.report(now).position, now);
}

#[test]
fn the_clock_starts_at_the_whole_second() {
    let start = Date::new(2026, 12, 31).unwrap().midnight() + DAY - SECOND;
    let mut sim = Simulation::new(profile(&[]), start + 999 * MILLISECOND);
    let frames = until(&mut sim, SECOND);
    let rmc: Vec<String> = frames.iter().map(text).filter(|t| t.starts_with("$GPRMC")).collect();
    assert!(rmc[0].contains("$GPRMC,235959.00,") && rmc[0].contains(",311226,"), "{}", rmc[0]);
    assert!(rmc[1].contains("$GPRMC,000000.00,") && rmc[1].contains(",010127,"), "{}", rmc[1]);
}

#[test]
fn a_silent_vessel_sails_on_and_can_be_made_to_speak() {
    let mut p = Profile::built_in();
    for row in schedule::rows() {
        p.set(&format!("sentences.{}.enabled", row.id), "off").unwrap();
    }
    let mut player = Player::new(Box::new(Simulation::new(p, NOON)));
    player.command(0, &Transport::Play, &mut Vec::new()).unwrap();
    let mut out = Vec::new();
    for second in 0..=60 {
        player.run(second * SECOND, 256, &mut out).unwrap();
    }
    assert!(out.is_empty());
    assert_eq!(player.report(60 * SECOND).run, crate::core::transport::Run::Playing);
    let on = Change::Set { key: "sentences.RMC.enabled".into(), value: "on".into() };
    player.change(60 * SECOND, &on).unwrap();
    player.run(61 * SECOND, 256, &mut out).unwrap();
    assert!(text(&out[0]).starts_with("$GPRMC,120101.00,A,"), "{}", text(&out[0]));
}

//! Commands while running, going back, scenarios.

use super::*;

#[test]
fn one_sentence_back_is_one_sentence_back_with_the_journal() {
    let mut sim = simulation(&BUSY);
    let mut played = until(&mut sim, 20 * SECOND);
    set(&mut sim, "vessel.heading", "90");
    played.extend(until(&mut sim, 400 * SECOND));
    let n = played.len();
    for back in 1..40 {
        sim.seek(To::Move(Unit::Sentence, -1)).unwrap();
        let mut again = Vec::new();
        sim.poll(Offset::MAX, 1, &mut again).unwrap();
        assert_eq!(lines(&again), lines(&played[n - back..=n - back]));
        sim.seek(To::Move(Unit::Sentence, -1)).unwrap();
    }
    // Across the command, and on again: the journal is obeyed.
    sim.seek(To::Offset(10 * SECOND)).unwrap();
    let again = until(&mut sim, 400 * SECOND);
    let from = played.iter().position(|f| f.offset >= 10 * SECOND).unwrap();
    same(&lines(&again), &lines(&played[from..]));
    // A command in the past begins another future.
    sim.seek(To::Offset(10 * SECOND)).unwrap();
    set(&mut sim, "vessel.heading", "180");
    until(&mut sim, 30 * SECOND);
    assert_eq!(sim.vessel().heading_true_deg.bare(), Some(180.0));
    assert_eq!(sim.journal().count(), 1);
}

#[test]
fn epochs_are_the_seconds_of_the_receiver() {
    let mut sim = simulation(&[("sentences.preset", "fast-heading")]);
    let mut player = Player::new(Box::new(simulation(&[("sentences.preset", "fast-heading")])));
    let mut step = |command| {
        let mut out = Vec::new();
        player.command(0, &command, &mut out).unwrap();
        (out.first().map(|f| f.offset), out.last().map(|f| f.offset), player.report(0).position)
    };
    let forward = Transport::Step(Unit::Epoch, 1);
    assert_eq!(step(forward.clone()), (Some(0), Some(900 * MILLISECOND), 900 * MILLISECOND));
    assert_eq!(step(forward), (Some(SECOND), Some(1900 * MILLISECOND), 1900 * MILLISECOND));
    assert_eq!(step(Transport::Step(Unit::Epoch, -1)), (None, None, SECOND));
    assert_eq!(step(Transport::Step(Unit::Epoch, -1)), (None, None, 0));
    assert!(matches!(sim.seek(To::Line(3)), Err(SourceError::Cannot(_))));
}

#[test]
fn a_command_takes_effect_at_the_next_step_and_is_shown_at_once() {
    let mut sim = simulation(&[("sentences.HDT.enabled", "on"), ("sentences.HDT.period", "50ms")]);
    until(&mut sim, 10 * SECOND + 20 * MILLISECOND);
    set(&mut sim, "vessel.heading", "90");
    assert_eq!((sim.profile().unwrap().vessel.heading, sim.is_pinned("vessel.heading")), (90.0, true));
    let hdt: Vec<_> =
        lines(&until(&mut sim, 10 * SECOND + 100 * MILLISECOND)).into_iter().filter(|l| l.1.contains("HDT")).collect();
    assert_eq!(hdt.len(), 2);
    assert!(hdt.iter().all(|l| l.1.starts_with("$HEHDT,90.0,T")), "{hdt:?}");
    assert_eq!(sim.journal().next().unwrap().0, 201);
    // Two nudges before the next step add up; the pinned one is marked in the vessel.
    for _ in 0..2 {
        sim.set(&Change::Nudge { key: "vessel.heading".into(), by: -100.0 }).unwrap();
    }
    assert_eq!(sim.profile().unwrap().vessel.heading, 250.0);
    until(&mut sim, 11 * SECOND);
    let heading = sim.vessel().heading_true_deg.unwrap();
    assert_eq!((heading.value, heading.origin), (250.0, crate::core::frame::Origin::Pinned));
    // A nudge of what wanders begins where it is.
    until(&mut sim, 2 * MINUTE);
    let depth = sim.vessel().depth_m.bare().unwrap();
    sim.set(&Change::Nudge { key: "environment.depth".into(), by: 5.0 }).unwrap();
    until(&mut sim, 2 * MINUTE + SECOND);
    assert!((sim.vessel().depth_m.bare().unwrap() - depth - 5.0).abs() < 0.06);
    // Reset: as the profile says, everything released.
    sim.set(&Change::Reset).unwrap();
    assert!(!sim.is_pinned("vessel.heading"));
    until(&mut sim, 10 * MINUTE);
    let off = crate::core::vessel::units::turn(225.0, sim.vessel().heading_true_deg.bare().unwrap());
    assert!(off.abs() <= 2.0, "{off}");
    for (key, why) in
        [("vessel.hedding", "did you mean vessel.heading"), ("simulation.seed", "cannot change while running")]
    {
        let error = sim.set(&Change::Set { key: key.into(), value: "1".into() }).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn what_is_pinned_or_switched_off_changes_no_other_sentence() {
    let said = |keys: &[(&str, &str)], without: &str| {
        let mut sim = simulation(keys);
        let frames = until(&mut sim, MINUTE);
        lines(&frames).into_iter().filter(|l| !l.1.contains(without)).collect::<Vec<_>>()
    };
    let usual = said(&[], "GGA");
    same(&said(&[("sentences.GGA.enabled", "off")], "GGA"), &usual);
    same(&said(&[("drift.depth.amplitude", "0")], "$SD"), &said(&[], "$SD"));
}

#[test]
fn what_was_added_while_running_can_be_taken_away_again() {
    let mut sim = simulation(&[]);
    let start = sim.profile().unwrap().clone();
    set(&mut sim, "fault.checksum.rate", "1");
    set(&mut sim, "target.200000011.latitude", "37.9");
    set(&mut sim, "target.200000011.longitude", "23.6");
    assert!(until(&mut sim, 10 * SECOND).iter().any(|f| f.class == Class::BadChecksum));
    for key in ["fault.0.kind", "fault.0.rate", "target.0.mmsi"] {
        sim.set(&Change::Set { key: key.into(), value: String::new() }).unwrap();
    }
    assert_eq!(*sim.profile().unwrap(), start);
    all_right(&until(&mut sim, MINUTE).into_iter().filter(|f| f.offset > 11 * SECOND).collect::<Vec<_>>());
    // What the profile has is only set back.
    set(&mut sim, "engine.single.rpm", "900");
    sim.set(&Change::Release { key: "engine.single.rpm".into() }).unwrap();
    assert_eq!(*sim.profile().unwrap(), start);
}

#[test]
fn a_command_between_two_sentences_has_its_own_moment() {
    let mut player = Player::new(Box::new(simulation(&[("sentences.HDT.enabled", "on")])));
    player.command(0, &Transport::Play, &mut Vec::new()).unwrap();
    let mut out = Vec::new();
    player.run(0, 256, &mut out).unwrap();
    // At 0.73 s, step 14 has passed: the rudder is laid at step 15, 0.75 s.
    let change = Change::Set { key: "steering.mode".into(), value: "rudder".into() };
    player.change(730 * MILLISECOND, &change).unwrap();
    assert_eq!(player.source().profile().unwrap().get("steering.mode").unwrap(), "rudder");
    player.change(730 * MILLISECOND, &Change::Set { key: "steering.rudder".into(), value: "20".into() }).unwrap();
    out.clear();
    for ms in 730..5000 {
        player.run(ms * MILLISECOND, 256, &mut out).unwrap();
    }
    let mut again = simulation(&[("sentences.HDT.enabled", "on")]);
    until(&mut again, 730 * MILLISECOND);
    again.set(&change).unwrap();
    set(&mut again, "steering.rudder", "20");
    assert!(again.journal().all(|(step, _)| step == 15));
    same(&lines(&out), &lines(&until(&mut again, 4999 * MILLISECOND)));
}

#[test]
fn the_scenario_of_a_profile_and_the_journal_do_the_same() {
    let mut sim = simulation(&[]);
    for (at, key, value) in [
        (10, "vessel.speed", "9"),
        (20, "steering.mode", "rudder"),
        (20, "steering.rudder", "-10"),
        (40, "sentences.GLL.enabled", "false"),
    ] {
        until(&mut sim, at * SECOND);
        set(&mut sim, key, value);
    }
    until(&mut sim, 50 * SECOND);
    sim.set(&Change::Release { key: "vessel.speed".into() }).unwrap();
    sim.seek(To::Start).unwrap();
    let journal = lines(&until(&mut sim, 2 * MINUTE));
    let scenario = sim.scenario().unwrap();
    assert_eq!(scenario.step.len(), 5);
    let written = crate::core::profile::doc::show(&scenario);
    let read = Profile::parse(&written, "scenario").unwrap_or_else(|e| panic!("{}\n{written}", e.lines().join("\n")));
    same(&lines(&until(&mut Simulation::new(read, NOON), 2 * MINUTE)), &journal);
}

#[test]
fn a_scenario_steers_faults_and_switches() {
    let text = r#"
schema_version = 1
[[step]]
at = "00:00:10"
steer = 90.0
enable = ["MWV-T"]
disable = ["GSV"]
[[step]]
at = "00:03:00"
fault = ["no_fix"]
nudge = { "environment.depth" = 4 }
[[step]]
at = "00:03:30"
mend = ["no_fix"]
"#;
    let mut sim = Simulation::new(Profile::parse(text, "a").unwrap(), NOON);
    let first = until(&mut sim, 10 * SECOND - 1);
    assert!(counts(&first).contains_key("$GPGSV") && !counts(&first).contains_key("$WIMWV-T"));
    let second = until(&mut sim, 3 * MINUTE - 1);
    assert!(!counts(&second).contains_key("$GPGSV"));
    assert_eq!(counts(&second)["$WIMWV-T"], 170);
    assert!((sim.vessel().heading_true_deg.bare().unwrap() - 90.0).abs() < 0.1);
    let third = until(&mut sim, 210 * SECOND - 1);
    let rmc: Vec<_> = third.iter().map(super::text).filter(|t| t.starts_with("$GPRMC")).collect();
    assert_eq!(rmc.len(), 30);
    assert!(rmc.iter().all(|t| t.contains(",V,,,,,,,220926,,,N*")), "{}", rmc[0]);
    assert!(sim.vessel().depth_m.bare().unwrap() > 14.0);
    until(&mut sim, 4 * MINUTE);
    assert!(sim.vessel().position.is_some());
    assert_eq!(sim.faults(), [("no_fix".to_string(), 1)]);
}

#[test]
fn the_profile_that_is_shown_follows_the_scenario_and_the_way_back() {
    let text = "schema_version = 1\n[[step]]\nat = \"00:00:10\"\nset = { vessel.speed = 9.5 }\n";
    let mut sim = Simulation::new(Profile::parse(text, "a").unwrap(), NOON);
    let speed = |sim: &Simulation| sim.profile().unwrap().vessel.speed;
    until(&mut sim, 9 * SECOND);
    assert_eq!(speed(&sim), 6.5);
    let before = sim.edition();
    until(&mut sim, 11 * SECOND);
    assert_eq!((speed(&sim), sim.is_touched()), (9.5, false));
    assert!(sim.edition() > before);
    set(&mut sim, "vessel.speed", "4");
    until(&mut sim, 20 * SECOND);
    sim.seek(To::Offset(5 * SECOND)).unwrap();
    assert_eq!(speed(&sim), 6.5);
    until(&mut sim, 10_500 * MILLISECOND);
    assert_eq!(speed(&sim), 9.5);
    until(&mut sim, 20 * SECOND);
    assert_eq!((speed(&sim), sim.is_touched()), (4.0, true));
}

//! The simulation as its callers see it: bytes, moments, commands.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::core::frame::{Class, Frame};
use crate::core::nmea::framing::split;
use crate::core::profile::Profile;
use crate::core::time::{DAY, Date, HOUR, MINUTE, SECOND, Utc};
use crate::core::transport::{Change, Player, Source, SourceError, To, Transport, Unit, Wake};
use crate::core::vessel::Bare;

/// 2026-09-22 12:00:00 UTC.
const NOON: Utc = 1_790_078_400 * SECOND;

fn profile(keys: &[(&str, &str)]) -> Profile {
    let mut p = Profile::built_in();
    for (key, value) in keys {
        p.set(key, value).unwrap_or_else(|e| panic!("{e}"));
    }
    p
}

fn simulation(keys: &[(&str, &str)]) -> Simulation {
    Simulation::new(profile(keys), NOON)
}

fn until(sim: &mut Simulation, until: Offset) -> Vec<Frame> {
    let mut out = Vec::new();
    sim.poll(until, usize::MAX, &mut out).unwrap();
    out
}

fn set(sim: &mut Simulation, key: &str, value: &str) {
    sim.set(&Change::Set { key: key.into(), value: value.into() }).unwrap_or_else(|e| panic!("{e}"));
}

fn text(f: &Frame) -> String {
    String::from_utf8_lossy(f.text()).into_owned()
}

fn lines(frames: &[Frame]) -> Vec<(Offset, String)> {
    frames.iter().map(|f| (f.offset, text(f))).collect()
}

/// How many of each: talker, formatter, and what tells MWV apart.
fn counts(frames: &[Frame]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for f in frames {
        let text = text(f);
        let fields: Vec<&str> = text.split(',').collect();
        let kind = if fields[0].ends_with("MWV") { format!("{}-{}", fields[0], fields[2]) } else { fields[0].into() };
        *counts.entry(kind).or_default() += 1;
    }
    counts
}

fn all_right(frames: &[Frame]) {
    for f in frames {
        let parts = split(f.text()).unwrap_or_else(|| panic!("{}", text(f)));
        assert_eq!(parts.given_value(), Some(parts.computed()), "{}", text(f));
        assert!(f.text().trim_ascii_end().len() <= 80, "{}", text(f));
        assert_eq!(f.class, Class::Sentence);
    }
}

#[test]
fn ten_minutes_off_piraeus() {
    let mut sim = simulation(&[]);
    let frames = until(&mut sim, 10 * MINUTE - 1);
    all_right(&frames);
    let counts = counts(&frames);
    for kind in [
        "$GPRMC", "$GPGGA", "$GPGLL", "$GPGSA", "$GPVTG", "$GPZDA", "$HCHDG", "$VWVHW", "$SDDPT", "$SDDBT", "$YXMTW",
        "$WIMWV-R",
    ] {
        assert_eq!(counts.get(kind), Some(&600), "{kind}: {counts:?}");
    }
    // Ten satellites are three sentences every five seconds.
    assert_eq!(counts["$GPGSV"], 360);
    assert!(!counts.contains_key("$WIMWV-T"));
    // The first round: everything at 0, and the start of the clock.
    let first = text(&frames[0]);
    assert!(first.starts_with("$GPRMC,120000.00,A,3752.8000,N,02337.2000,E,6.5,225.0,220926,"), "{first}");
    assert_eq!(frames[0].offset, 0);
    // Time goes on with the offset.
    let last = frames.iter().rev().find(|f| text(f).starts_with("$GPRMC")).unwrap();
    assert!(text(last).starts_with("$GPRMC,120959.00,A,"), "{}", text(last));
    // And she has sailed 6.5 kn for ten minutes, a little more than a nautical mile, south-west.
    let here = sim.vessel().position.bare().unwrap();
    let start = crate::core::vessel::Position { latitude: 37.88, longitude: 23.62 };
    let way = crate::core::vessel::geodesy::inverse(start, here);
    assert!((way.distance_m / 1852.0 - 6.5 / 6.0).abs() < 0.05 && (way.bearing_deg - 225.0).abs() < 2.0, "{way:?}");
}

#[test]
fn what_is_unusual_is_said_all_the_same() {
    let p = profile(&[
        ("simulation.start_time", "2028-02-28T23:59:58Z"),
        ("vessel.longitude", "179.9999"),
        ("vessel.latitude", "-0.00001"),
        ("vessel.heading", "90"),
        ("vessel.speed", "120"),
        ("environment.water_temperature", "-1.5"),
        ("destination.latitude", "0"),
        ("destination.longitude", "-179"),
        ("engine.0.rpm", "-300"),
        ("ais.mmsi", "200000001"),
        ("ais.class", "A"),
        ("sentences.decimals", "8"),
        ("sentences.MWV-T.enabled", "on"),
    ]);
    let mut sim = Simulation::new(p, 0);
    let frames = until(&mut sim, 10 * SECOND);
    all_right(&frames);
    let of = |start: &str| frames.iter().map(text).filter(|t| t.starts_with(start)).collect::<Vec<_>>();
    let rmc = of("$GPRMC");
    // A leap day begins after two seconds, and the date line is crossed eastward.
    assert!(rmc[0].contains(",280228,") && rmc[0].contains(",E,1"), "{}", rmc[0]);
    assert!(rmc[2].contains(",290228,") && rmc[10].contains(",W,1"), "{}", rmc[10]);
    assert!(of("$YXMTW").iter().all(|t| t.starts_with("$YXMTW,-1.")));
    assert!(of("!AIVDO").len() >= 11);
    for t in frames.iter().map(text) {
        assert!(!t.contains(",360.0,") && !t.contains("60.0000") && !t.contains("-0.0,"), "{t}");
    }
}

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

/// Compares without printing thousands of sentences.
fn same(a: &[(Offset, String)], b: &[(Offset, String)]) {
    if let Some(i) = (0..a.len().max(b.len())).find(|i| a.get(*i) != b.get(*i)) {
        panic!("sentence {i}: {:?} is not {:?}", a.get(i), b.get(i));
    }
}

const BUSY: [(&str, &str); 8] = [
    ("ais.mmsi", "200000001"),
    ("target.200000011.latitude", "37.9"),
    ("target.200000011.longitude", "23.6"),
    ("sentences.TTM.enabled", "on"),
    ("fault.delay.rate", "0.05"),
    ("fault.noise.rate", "0.05"),
    ("fault.lost.rate", "0.05"),
    ("fault.no_fix.at", "30s"),
];

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
    let rmc: Vec<_> = third.iter().map(super::tests::text).filter(|t| t.starts_with("$GPRMC")).collect();
    assert_eq!(rmc.len(), 30);
    assert!(rmc.iter().all(|t| t.contains(",V,,,,,,,220926,,,N*")), "{}", rmc[0]);
    assert!(sim.vessel().depth_m.bare().unwrap() > 14.0);
    until(&mut sim, 4 * MINUTE);
    assert!(sim.vessel().position.is_some());
    assert_eq!(sim.faults(), [("no_fix".to_string(), 1)]);
}

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

#[test]
fn ships_are_heard_by_ais_and_seen_by_radar() {
    let keys = [
        ("target.200000011.latitude", "37.9"),
        ("target.200000011.longitude", "23.6"),
        ("target.200000011.speed", "12"),
        ("target.200000011.name", "AEGEAN STAR"),
        ("sentences.TTM.enabled", "on"),
        ("sentences.VDM.talker", "BS"),
    ];
    let mut sim = simulation(&keys);
    let frames = until(&mut sim, 10 * MINUTE - 1);
    all_right(&frames);
    let counts = counts(&frames);
    // Class A at 12 kn every 10 s, static every 6 min in two parts: at least 60 and 2 (once or twice in ten minutes).
    assert!((62..=64).contains(&counts["!BSVDM"]), "{counts:?}");
    assert_eq!(counts["$RATTM"], 240);
    set(&mut sim, "sentences.VDM.enabled", "off");
    assert!(
        !lines(&until(&mut sim, 11 * MINUTE)).iter().any(|l| l.1.starts_with("!BSVDM") && l.0 > 10 * MINUTE + SECOND)
    );
    // A change of speed goes on from where she is.
    let before = sim.controls();
    assert!(before.iter().any(|c| c.key == "target.0.speed" && c.value == "12"));
    set(&mut sim, "target.200000011.speed", "0");
    until(&mut sim, 12 * MINUTE);
}

#[test]
fn a_destination_is_told_followed_and_reached() {
    let p = profile(&[
        ("steering.mode", "leg"),
        ("vessel.heading", "200"),
        ("destination.name", "AEGINA"),
        ("destination.latitude", "37.86"),
        ("destination.longitude", "23.60"),
    ]);
    let mut sim = Simulation::new(p, NOON);
    let frames = until(&mut sim, 20 * MINUTE);
    all_right(&frames);
    let apb: Vec<String> = frames.iter().map(text).filter(|t| t.starts_with("$GPAPB")).collect();
    let rmb = frames.iter().map(text).filter(|t| t.starts_with("$GPRMB")).count();
    assert_eq!((apb.len(), rmb), (1201, 1201));
    assert!(apb[0].contains(",AEGINA,"), "{}", apb[0]);
    // 1.5 nm at 6.5 kn are 14 minutes.
    assert!(!apb[60].contains(",A,") || apb[60].starts_with("$GPAPB,A,A"));
    let arrived = frames.iter().map(text).any(|t| t.starts_with("$GPAPB") && t.split(',').nth(6) == Some("A"));
    assert!(arrived);
    assert!(sim.vessel().route.passed.bare() == Some(true));
    // Sent elsewhere while sailing, the leg begins here.
    set(&mut sim, "destination.latitude", "37.9");
    set(&mut sim, "destination.longitude", "23.4");
    until(&mut sim, 20 * MINUTE + 2 * SECOND);
    let v = sim.vessel();
    assert!(v.route.cross_track_nm.bare().unwrap().abs() < 0.01, "{:?}", v.route);
    set(&mut sim, "destination.active", "off");
    let after = until(&mut sim, 21 * MINUTE);
    assert!(!after.iter().any(|f| text(f).starts_with("$GPAPB") && f.offset > 20 * MINUTE + 3 * SECOND));
}

/// North for a minute at 10 m/s, then east for a minute at half that; the times are the file's own.
const TRACK: &str = r#"<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Corner</name><trkseg>
<trkpt lat="10.0" lon="20.0"><ele>4.0</ele><time>2026-05-01T10:00:00Z</time></trkpt>
<trkpt lat="10.0054248" lon="20.0"><ele>4.0</ele><time>2026-05-01T10:01:00Z</time></trkpt>
<trkpt lat="10.0054248" lon="20.0027362"><ele>6.0</ele><time>2026-05-01T10:02:00.400Z</time></trkpt>
</trkseg></trk></gpx>"#;

fn following(profile: Profile) -> Simulation {
    use crate::core::track::{Ends, Sailing, Track, read};
    let ends = if profile.track.looping { Ends::Loop } else { Ends::Hold };
    let track = Track::new(read(TRACK.as_bytes()).unwrap(), &Sailing { ends, ..Sailing::default() });
    Simulation::with_track(profile, track, NOON)
}

#[test]
fn a_track_moves_the_vessel_and_ends_at_rest() {
    let mut sim = following(profile(&[]));
    // 120.4 s, to the next whole second; the clock is the track's own.
    assert_eq!((sim.duration(), sim.utc(0)), (Some(121 * SECOND), Some(1_777_629_600 * SECOND)));
    let frames = until(&mut sim, Offset::MAX);
    all_right(&frames);
    let at = |second: i64, start: &str| {
        frames.iter().find(|f| f.offset == second * SECOND && text(f).starts_with(start)).map(text).unwrap()
    };
    // 600 m north in a minute are 10 m/s, 19.4 kn; half a minute: 10.0027124 N.
    let rmc = at(30, "$GPRMC");
    assert!(rmc.starts_with("$GPRMC,100030.00,A,1000.1627,N,02000.0000,E,19.4,0.0,010526,"), "{rmc}");
    assert!(
        at(90, "$GPRMC").contains(",9.6,90.0,010526,") || at(90, "$GPRMC").contains(",9.7,90.0,"),
        "{}",
        at(90, "$GPRMC")
    );
    assert!(at(30, "$GPGGA").contains(",4.0,M,"), "{}", at(30, "$GPGGA"));
    assert!(at(90, "$GPGGA").contains(",5.0,M,"), "{}", at(90, "$GPGGA"));
    let last = at(121, "$GPRMC");
    assert!(last.contains(",1000.3255,N,02000.1642,E,0.0,,"), "{last}");
    assert_eq!(sim.next_due().unwrap(), None);
    // Everything of a replay: seek, percent, one back.
    let mut player = Player::new(Box::new(following(profile(&[]))));
    let mut out = Vec::new();
    player.command(0, &Transport::Percent(50.0), &mut out).unwrap();
    player.command(0, &Transport::Step(Unit::Sentence, 1), &mut out).unwrap();
    assert_eq!(out[0].offset, 61 * SECOND);
}

#[test]
fn on_a_track_a_pinned_speed_is_shown_and_the_way_is_that_of_the_track() {
    let mut sim = following(profile(&[("vessel.leeway", "30"), ("sentences.VHW.enabled", "on")]));
    set(&mut sim, "vessel.speed", "8");
    until(&mut sim, 30 * SECOND);
    // 8 kn, of which cos 30 = 0.8660254 are ahead; 10 m/s over the ground.
    assert!((sim.vessel().stw_kn.bare().unwrap() - 6.928_203).abs() < 1e-6);
    assert!((sim.vessel().sog_kn.bare().unwrap() - 19.44).abs() < 0.05);
}

#[test]
fn a_looping_track_has_no_end() {
    let mut sim = following(profile(&[("track.loop", "on")]));
    assert_eq!(sim.duration(), None);
    let frames = until(&mut sim, 10 * MINUTE);
    all_right(&frames);
    assert_eq!(counts(&frames)["$GPRMC"], 601);
}

#[test]
fn several_systems_speak_for_themselves() {
    let mut sim = simulation(&[("sentences.preset", "multi-constellation"), ("gnss.nmea_version", "4.10")]);
    let frames = until(&mut sim, 10 * SECOND - 1);
    all_right(&frames);
    let counts = counts(&frames);
    assert_eq!(counts["$GNRMC"], 10);
    assert_eq!(counts["$GNGSA"], 40);
    for kind in ["$GPGSV", "$GLGSV", "$GAGSV", "$GBGSV"] {
        assert_eq!(counts[kind], 6, "{kind}");
    }
    assert!(!counts.contains_key("$GNGSV"));
}

#[test]
fn a_date_beyond_the_magnetic_model_is_noted() {
    let mut sim = simulation(&[("simulation.start_time", "2035-01-01T00:00:00Z")]);
    until(&mut sim, SECOND);
    assert_eq!(sim.notes().len(), 1);
    assert!(simulation(&[]).notes().is_empty());
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

#[test]
fn every_live_key_may_stand_at_either_end_of_its_range() {
    use crate::core::profile::key::Kind;
    use crate::core::profile::keys::KEYS;
    let everything = |p: &mut Profile| {
        for row in schedule::rows() {
            p.set(&format!("sentences.{}.enabled", row.id), "on").unwrap();
        }
        for (key, value) in BUSY.iter().filter(|b| !b.0.starts_with("fault")).chain(&[
            ("destination.latitude", "37.9"),
            ("destination.longitude", "23.5"),
            ("transducer.0.name", "TANK"),
            ("sentences.custom.0.body", "PX"),
        ]) {
            p.set(key, value).unwrap_or_else(|e| panic!("{e}"));
        }
    };
    for key in KEYS.iter().filter(|k| k.live && !k.path.starts_with("fault.") && !k.path.starts_with("sentences.*")) {
        let path = key.path.replace('*', "0");
        let ends = match key.kind {
            Kind::Number(low, high) | Kind::WordOr(_, low, high) => vec![low.to_string(), high.to_string()],
            Kind::Angle => vec!["0".into(), "360".into()],
            Kind::Integer(low, high) => vec![low.to_string(), high.to_string()],
            Kind::Choice(words) => words.iter().map(|w| (*w).to_string()).collect(),
            _ => continue,
        };
        for end in ends {
            let text =
                "schema_version = 1\n[[transducer]]\nname = \"T\"\ntype = \"G\"\n[[sentences.custom]]\nbody = \"PY\"\n";
            let mut p = Profile::parse(text, "t").unwrap();
            everything(&mut p);
            p.set(&path, &end).unwrap_or_else(|e| panic!("{e}"));
            let mut sim = Simulation::new(p, NOON);
            all_right(&until(&mut sim, 3 * SECOND));
            // And set there under way.
            let mut p = Profile::parse(text, "t").unwrap();
            everything(&mut p);
            let mut sim = Simulation::new(p, NOON);
            until(&mut sim, SECOND);
            set(&mut sim, &path, &end);
            all_right(&until(&mut sim, 3 * SECOND));
        }
    }
}

#[test]
fn own_sentences_are_said_and_a_clock_may_stand() {
    let mut sim = simulation(&[
        ("sentences.custom.0.body", "PXYZ,1,2"),
        ("sentences.custom.0.period", "500ms"),
        ("simulation.clock", "fixed"),
    ]);
    let frames = until(&mut sim, 10 * SECOND - 1);
    let custom = frames.iter().map(text).filter(|t| t.starts_with("$PXYZ,1,2*")).count();
    assert_eq!(custom, 20);
    assert!(frames.iter().map(text).filter(|t| t.starts_with("$GPRMC")).all(|t| t.starts_with("$GPRMC,120000.00,")));
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

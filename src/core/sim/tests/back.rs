//! Going back and forth is exact, with what was asked meanwhile; a scenario says again what a person did.

use super::*;

/// What may be asked while she sails, one of each kind.
fn asked() -> Vec<Change> {
    let set = |key: &str, value: &str| Change::Set { key: key.into(), value: value.into() };
    let nudge = |key: &str, by| Change::Nudge { key: key.into(), by };
    vec![
        set("vessel.heading", "90"),
        nudge("vessel.heading", 10.0),
        nudge("environment.depth", -2.0),
        Change::Release { key: "vessel.heading".into() },
        set("steering.mode", "heading"),
        Change::Several(vec![set("steering.mode", "rudder"), set("steering.rudder", "-12")]),
        set("sentences.GGA.period", "250ms"),
        set("sentences.GSV.enabled", "false"),
        set("sentences.MWV-T.enabled", "true"),
        set("fault.checksum.rate", "0.2"),
        set("fault.no_fix.enabled", "false"),
        set("fault.no_fix", "none"),
        Change::Several(vec![set("vessel.latitude", "37.5"), set("vessel.longitude", "23.1")]),
        nudge("vessel.longitude", 0.01),
        Change::Several(vec![
            set("destination.latitude", "37.9"),
            set("destination.longitude", "23.9"),
            set("destination.name", "CAPE"),
        ]),
        Change::Several(vec![set("destination.latitude", ""), set("destination.longitude", "none")]),
        Change::Several(vec![
            set("target.1.mmsi", "200000012"),
            set("target.1.latitude", "37.8"),
            set("target.1.longitude", "23.7"),
            set("target.1.course", "45"),
        ]),
        nudge("target.0.latitude", 0.02),
        set("target.0.name", "ARGO, 2"),
        set("target.0", ""),
        set("sentences.custom.0.body", "PXYZ,1,2"),
        Change::Reset,
    ]
}

/// Sails so long with what is asked at these moments (ms, number of the change); refused changes are none.
fn sail(asking: &[(i64, usize)], to: Offset) -> (Simulation, Vec<Frame>) {
    let mut sim = simulation(&BUSY);
    let mut frames = Vec::new();
    let all = asked();
    let mut asking = asking.to_vec();
    asking.sort_by_key(|a| a.0);
    for (at, which) in asking {
        sim.poll(at * MILLISECOND, usize::MAX, &mut frames).unwrap();
        let _refused = sim.set(&all[which]);
    }
    sim.poll(to, usize::MAX, &mut frames).unwrap();
    (sim, frames)
}

/// Takes the next so many.
fn take(sim: &mut Simulation, n: usize) -> Vec<Frame> {
    let mut out = Vec::new();
    sim.poll(Offset::MAX, n, &mut out).unwrap();
    out
}

/// A move of the play head.
#[derive(Clone, Debug)]
enum Way {
    Sentences(i64),
    Epochs(i64),
    To(i64),
    Play(usize),
}

fn way() -> impl Strategy<Value = Way> {
    prop_oneof![
        (-60..60_i64).prop_map(Way::Sentences),
        (-5..5_i64).prop_map(Way::Epochs),
        (0..90_000_i64).prop_map(Way::To),
        (1..200_usize).prop_map(Way::Play),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn wherever_the_play_head_goes_it_finds_what_was_said(
        asking in prop::collection::vec((0..90_000_i64, 0..22_usize), 0..8),
        ways in prop::collection::vec(way(), 1..12),
    ) {
        let (mut sim, played) = sail(&asking, 100 * SECOND);
        let mut here = played.len();
        for way in ways {
            match way {
                Way::Sentences(by) => {
                    let to = (here as i64 + by).max(0);
                    if to as usize > played.len() {
                        continue;
                    }
                    sim.seek(To::Move(Unit::Sentence, by)).unwrap();
                    here = to as usize;
                }
                Way::Epochs(by) => {
                    let mut at = sim.seek(To::Move(Unit::Epoch, by)).unwrap();
                    if at >= 100 * SECOND {
                        at = sim.seek(To::Offset(50 * SECOND)).unwrap();
                    }
                    here = played.partition_point(|f| f.offset < at);
                }
                Way::To(ms) => {
                    sim.seek(To::Offset(ms * MILLISECOND)).unwrap();
                    here = played.partition_point(|f| f.offset < ms * MILLISECOND);
                }
                Way::Play(n) => {
                    let n = n.min(played.len() - here);
                    same(&lines(&take(&mut sim, n)), &lines(&played[here..here + n]));
                    here += n;
                }
            }
            // The next one, and back before it again.
            if here < played.len() {
                same(&lines(&take(&mut sim, 1)), &lines(&played[here..=here]));
                sim.seek(To::Move(Unit::Sentence, -1)).unwrap();
            }
        }
        // And to the end, as if nobody had ever gone back.
        same(&lines(&until(&mut sim, 100 * SECOND)), &lines(&played[here..]));
        let (plain, _) = sail(&asking, 100 * SECOND);
        prop_assert_eq!(sim.vessel(), plain.vessel());
        prop_assert_eq!(sim.profile(), plain.profile());
        prop_assert_eq!(sim.moving(true), plain.moving(true));
        prop_assert_eq!(sim.faults(), plain.faults());
        prop_assert_eq!(sim.said(), plain.said());
    }

    #[test]
    fn a_scenario_says_again_what_was_asked(
        asking in prop::collection::vec((0..60_000_i64, 0..22_usize), 1..10),
    ) {
        let (mut sim, _) = sail(&asking, 70 * SECOND);
        // What is said in the first step comes before a change at its end, and in a re-run, too.
        sim.seek(To::Start).unwrap();
        let journal = lines(&until(&mut sim, 100 * SECOND));
        let scenario = sim.scenario().unwrap();
        let file = "# of mine\nschema_version = 1\n";
        let text = scenario.save_into(file, "scenario").unwrap();
        let read = Profile::parse(&text, "scenario").unwrap_or_else(|e| panic!("{}\n{text}", e.lines().join("\n")));
        prop_assert_eq!(&read, &scenario);
        same(&lines(&until(&mut Simulation::new(read, NOON), 100 * SECOND)), &journal);
    }
}

#[test]
fn targets_come_go_and_are_moved_from_where_they_are() {
    let mut sim = simulation(&BUSY);
    until(&mut sim, 60 * SECOND);
    let place = |sim: &Simulation, key: &str| sim.moving(true).into_iter().find(|(k, _)| k == key).map(|(_, v)| v);
    // North at 10 kn for a minute: a sixth of a mile, 0.002778 degrees of 60 to a degree.
    let there = place(&sim, "target.0.latitude").unwrap();
    assert!((there - 37.9 - 10.0 / 60.0 / 60.0).abs() < 2e-5, "{there}");
    sim.set(&Change::Nudge { key: "target.0.latitude".into(), by: 0.5 }).unwrap();
    until(&mut sim, 61 * SECOND);
    let moved = place(&sim, "target.0.latitude").unwrap();
    assert!((moved - there - 0.5).abs() < 1e-4, "{moved}");
    let twice = sim.set(&Change::Set { key: "target.1.mmsi".into(), value: "200000011".into() }).unwrap_err();
    assert!(twice.to_string().contains("another target has it"), "{twice}");
    let all = Change::Several(vec![
        Change::Set { key: "target.1.mmsi".into(), value: "200000012".into() },
        Change::Set { key: "target.1.latitude".into(), value: "137".into() },
    ]);
    assert!(sim.set(&all).is_err());
    assert_eq!(sim.profile().unwrap().target.len(), 1, "all of it, or nothing");
    set(&mut sim, "target.200000011", "none");
    let after: Vec<Frame> = until(&mut sim, 5 * MINUTE).into_iter().filter(|f| f.offset > 70 * SECOND).collect();
    assert!(!after.iter().any(|f| text(f).starts_with("!AIVDM") || text(f).starts_with("$RATTM")));
    let error = sim.set(&Change::Set { key: "engine.0".into(), value: "none".into() }).unwrap_err().to_string();
    assert!(error.contains("cannot go while running"), "{error}");
    let error = sim.set(&Change::Set { key: "target.7".into(), value: String::new() }).unwrap_err().to_string();
    assert!(error.contains("no target.7"), "{error}");
}

#[test]
fn what_was_said_of_late_is_known_by_its_id() {
    let mut sim = simulation(&BUSY);
    until(&mut sim, 5 * MINUTE);
    let said = sim.said();
    let of = |id: &str| said.iter().find(|s| s.id == id).map(|s| (s.last, s.minute));
    // Lost now and then: a twentieth of sixty a minute is three.
    let (last, minute) = of("VHW").unwrap();
    assert!(last > 290 * SECOND && (45..=60).contains(&minute), "{last} {minute}");
    // Every 6 min: at the start only; two parts, unless one was lost.
    assert!(of("VDO-STATIC").is_none_or(|(last, minute)| (last, minute) == (0, 0)), "{said:?}");
    assert_eq!(of("MWV-T"), None);
    assert!(of("TTM").is_some() && of("VDM").is_some());
}

//! An undo leads back, after every kind of change and after any of them in a row.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::core::sim::Simulation;
use crate::core::time::{Offset, SECOND, Utc};
use crate::core::transport::Player;
use crate::core::vessel::Position;
use crate::core::vessel::geodesy::distance_m;

/// 2026-09-22 12:00:00 UTC.
const NOON: Utc = 1_790_078_400 * SECOND;

const BOAT: &str = r#"
schema_version = 1
[vessel]
latitude = 43.1
longitude = 5.9
[destination]
name = "CAPE"
latitude = 43.0
longitude = 5.8
[sentences.GLL]
enabled = false
[[sentences.custom]]
body = "PXYZ,1"
[[target]]
mmsi = 200000011
name = "FIRST"
latitude = 43.2
longitude = 5.9
course = 90.0
speed = 12.0
[[target]]
mmsi = 200000012
name = "SECOND"
latitude = 43.0
longitude = 6.0
rate_of_turn = 10.0
[[target]]
mmsi = 200000013
name = "THIRD"
latitude = 43.3
longitude = 6.1
[[fault]]
kind = "checksum"
enabled = false
"#;

fn player() -> Player {
    let mut player = Player::new(Box::new(Simulation::new(Profile::parse(BOAT, "boat").unwrap(), NOON)));
    player.command(0, &crate::core::transport::Transport::Play, &mut Vec::new()).unwrap();
    player
}

fn set(key: &str, value: &str) -> Change {
    Change::Set { key: key.into(), value: value.into() }
}

/// One of each kind, with what it is.
fn kinds() -> Vec<(&'static str, Change)> {
    let release = |key: &str| Change::Release { key: key.into() };
    let nudge = |key: &str, by| Change::Nudge { key: key.into(), by };
    vec![
        ("value set", set("vessel.heading", "90")),
        ("value nudged", nudge("environment.depth", -3.0)),
        ("value nudged again", nudge("vessel.heading", 5.0)),
        ("pin released", release("vessel.heading")),
        ("what does not drift", set("environment.current_drift", "2")),
        ("what was absent", set("vessel.heel", "4")),
        ("autopilot", set("steering.mode", "heading")),
        ("rudder", Change::Several(vec![set("steering.mode", "rudder"), set("steering.rudder", "-10")])),
        ("sentence off", set("sentences.RMC.enabled", "false")),
        ("sentence on", set("sentences.GLL.enabled", "true")),
        ("talker", set("sentences.GGA.talker", "IN")),
        ("own sentence added", set("sentences.custom.1.body", "PABC,2")),
        ("own sentence removed", set("sentences.custom.0", "")),
        ("fault added", set("fault.no_fix.enabled", "true")),
        ("fault on", set("fault.checksum.enabled", "true")),
        ("fault removed", set("fault.checksum", "none")),
        ("destination set", Change::Several(vec![set("destination.latitude", "43.4"), set("destination.name", "BAY")])),
        (
            "destination removed",
            Change::Several(vec![set("destination.latitude", ""), set("destination.longitude", "")]),
        ),
        (
            "target added",
            Change::Several(vec![
                set("target.3.mmsi", "200000014"),
                set("target.3.latitude", "43.05"),
                set("target.3.longitude", "5.95"),
            ]),
        ),
        ("target named", set("target.1.name", "")),
        ("engine added", set("engine.1.rpm", "900")),
        ("target faster", set("target.1.speed", "20")),
        ("target turned", nudge("target.0.course", 40.0)),
        ("target moved", set("target.0.latitude", "43.25")),
        ("target removed", set("target.0", "")),
        ("vessel moved", Change::Several(vec![set("vessel.latitude", "43.3"), set("vessel.longitude", "5.5")])),
        ("vessel nudged", nudge("vessel.latitude", 0.01)),
        ("everything back", Change::Reset),
    ]
}

/// Makes a change, as a session does; what undoes it, and how all was before.
fn make(player: &mut Player, now: Offset, change: &Change) -> (Option<Undo>, Standing) {
    player.come_to(now).unwrap();
    let before = Standing::of(player.source()).unwrap();
    // What was removed or refused meanwhile (a target that is gone) is no change.
    if player.change(now, change).is_err() {
        return (None, before);
    }
    let after = Standing::of(player.source()).unwrap();
    (Undo::between(&before, &after, change), before)
}

fn sail(player: &mut Player, until: Offset) {
    while player.wake(until) == crate::core::transport::Wake::Now {
        player.run(until, 512, &mut Vec::new()).unwrap();
    }
}

/// Where the vessel is, and each target by its number.
fn places(s: &Standing) -> BTreeMap<u32, Position> {
    let at = |key: &str| Position {
        latitude: s.moving[&format!("{key}.latitude")],
        longitude: s.moving[&format!("{key}.longitude")],
    };
    let targets = s.profile.target.iter().enumerate().map(|(n, t)| (t.mmsi.unwrap(), at(&format!("target.{n}"))));
    std::iter::once((0, at("vessel"))).chain(targets).collect()
}

/// What the profile says, but for where somebody is who was moved or taken away: that is where it was.
fn values(s: &Standing, but_places: bool) -> Vec<(String, String)> {
    let moves = |key: &str| is_place(key) || (key.starts_with("target.") && key.ends_with("tude"));
    let turns = |key: &str| key.starts_with("target.") && key.ends_with(".course");
    doc::flat(&s.profile).into_iter().filter(|(k, _)| !but_places || !(moves(k) || turns(k))).collect()
}

#[test]
fn every_kind_of_change_is_taken_back() {
    for (what, change) in kinds() {
        let mut player = player();
        let mut now = 20 * SECOND;
        // A pinned heading, so that there is something to release.
        sail(&mut player, now);
        player.change(now, &set("vessel.heading", "70")).unwrap();
        now += 10 * SECOND + 330_000_000;
        sail(&mut player, now);
        let (undo, before) = make(&mut player, now, &change);
        let undo = undo.unwrap_or_else(|| panic!("{what}: nothing to take back"));
        let differs = matches!(what, "target moved" | "target removed" | "target turned");
        now += 15 * SECOND;
        sail(&mut player, now);
        player.change(now, &undo.change()).unwrap_or_else(|e| panic!("{what}: {e}"));
        now += SECOND / 10;
        sail(&mut player, now);
        player.come_to(now).unwrap();
        let after = Standing::of(player.source()).unwrap();
        assert_eq!(values(&after, differs), values(&before, differs), "{what}");
        assert_eq!(after.pinned, before.pinned, "{what}");
        let (was, is) = (places(&before), places(&after));
        assert_eq!(was.keys().collect::<Vec<_>>(), is.keys().collect::<Vec<_>>(), "{what}");
        // Whoever was moved is back where it was, and has sailed on for a tenth of a second: at 12 kn 0.6 m.
        let moved = match what {
            "vessel moved" => Some(0),
            "target removed" => Some(200_000_011),
            _ => None,
        };
        if let Some(id) = moved {
            assert!(distance_m(was[&id], is[&id]) < 1.0, "{what}: {:?} is not {:?}", is[&id], was[&id]);
        }
        // Who was not is where he sailed in those 15 s, which is no more than 155 m at 20 kn.
        for (id, position) in &was {
            assert!(distance_m(*position, is[id]) < 160.0, "{what}: {id} jumped");
        }
        // Where only the latitude was changed, the longitude has gone on.
        for (moved, id) in [("target moved", 200_000_011), ("vessel nudged", 0)] {
            let latitude = is[&id].latitude - was[&id].latitude;
            assert!(what != moved || latitude.abs() < 1e-5, "{what}: {latitude}");
        }
    }
}

#[test]
fn who_is_put_to_the_same_place_twice_is_brought_back_to_where_she_had_come() {
    let mut player = player();
    let move_there = Change::Several(vec![set("vessel.latitude", "43.3"), set("vessel.longitude", "5.5")]);
    make(&mut player, 0, &move_there).0.unwrap();
    sail(&mut player, 60 * SECOND);
    let (undo, before) = make(&mut player, 60 * SECOND, &move_there);
    // She had come more than 100 m in a minute.
    assert!(distance_m(places(&before)[&0], Position { latitude: 43.3, longitude: 5.5 }) > 100.0);
    sail(&mut player, 70 * SECOND);
    player.change(70 * SECOND, &undo.unwrap().change()).unwrap();
    player.come_to(70 * SECOND + SECOND / 10).unwrap();
    let after = Standing::of(player.source()).unwrap();
    let off = distance_m(places(&after)[&0], places(&before)[&0]);
    assert!(off < 1.0, "{off} m off");
}

#[test]
fn what_waits_for_the_next_step_is_where_it_was_put() {
    // While it is paused nothing takes effect; each undo leads back to what was asked before all the same.
    let mut player = player();
    sail(&mut player, 10 * SECOND);
    player.command(10 * SECOND, &crate::core::transport::Transport::Pause, &mut Vec::new()).unwrap();
    let changes = [
        Change::Several(vec![set("vessel.latitude", "43.3"), set("vessel.longitude", "5.5")]),
        Change::Several(vec![set("vessel.latitude", "43.4"), set("vessel.longitude", "5.6")]),
        set("target.0.latitude", "43.25"),
        set("target.0.latitude", "43.26"),
        set("target.0", ""),
        set("target.0", ""),
        set("target.0.latitude", "43.35"),
    ];
    let stands = |player: &Player| {
        let s = Standing::of(player.source()).unwrap();
        (places(&s), values(&s, true))
    };
    let mut made = Vec::new();
    for change in &changes {
        let before = stands(&player);
        made.push((make(&mut player, 10 * SECOND, change).0.unwrap(), before));
    }
    let third = Position { latitude: 43.35, longitude: 6.1 };
    assert_eq!(stands(&player).0.keys().collect::<Vec<_>>(), [&0, &200_000_013]);
    assert!(distance_m(stands(&player).0[&200_000_013], third) < 100.0, "its number is another, and it was put there");
    while let Some((undo, (places, values))) = made.pop() {
        player.change(10 * SECOND, &undo.change()).unwrap();
        let (is, said) = stands(&player);
        assert_eq!(said, values);
        assert_eq!(is.keys().collect::<Vec<_>>(), places.keys().collect::<Vec<_>>());
        for (id, there) in &places {
            assert!(distance_m(is[id], *there) < 1.0, "{id} is at {:?}, not at {there:?}, {} left", is[id], made.len());
        }
    }
}

#[test]
fn a_wandering_value_goes_on_from_where_it_was() {
    let mut player = player();
    sail(&mut player, 100 * SECOND);
    let (undo, before) = make(&mut player, 100 * SECOND, &set("vessel.heading", "90"));
    let was = before.moving["vessel.heading"];
    sail(&mut player, 130 * SECOND);
    player.change(130 * SECOND, &undo.unwrap().change()).unwrap();
    player.come_to(130 * SECOND + SECOND / 10).unwrap();
    let is = Standing::of(player.source()).unwrap().moving["vessel.heading"];
    // It wanders by at most half a degree a second.
    assert!((is - was).abs() < 0.1, "{is} is not {was}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn changes_in_a_row_are_taken_back_one_by_one(
        // Milliseconds in between; none, as while it is paused.
        chosen in prop::collection::vec((0..28_usize, prop_oneof![Just(0), 1..40_000_i64]), 1..8),
    ) {
        let kinds = kinds();
        prop_assert_eq!(kinds.len(), 28);
        let mut player = player();
        let mut now = 0;
        let mut made = Vec::new();
        for (kind, wait) in &chosen {
            now += wait * 1_000_000;
            sail(&mut player, now);
            if let (Some(undo), before) = make(&mut player, now, &kinds[*kind].1) {
                made.push((kinds[*kind].0, undo, before));
            }
        }
        while let Some((what, undo, before)) = made.pop() {
            now += SECOND;
            sail(&mut player, now);
            player.change(now, &undo.change()).map_err(|e| TestCaseError::fail(format!("{what}: {e}")))?;
            now += SECOND / 5;
            sail(&mut player, now);
            player.come_to(now).unwrap();
            let after = Standing::of(player.source()).unwrap();
            // While something else steers, the heading of the profile is no one's.
            let steered = before.profile.get("steering.mode").unwrap() != "walk";
            let of_note = |s: &Standing| {
                let all = values(s, true).into_iter();
                all.filter(|(key, _)| !steered || key != "vessel.heading").collect::<Vec<_>>()
            };
            prop_assert_eq!(of_note(&after), of_note(&before), "{}", what);
            let pinned = |s: &Standing| {
                s.pinned.iter().filter(|key| !steered || *key != "vessel.heading").cloned().collect::<Vec<_>>()
            };
            prop_assert_eq!(pinned(&after), pinned(&before), "{}", what);
            if what == "vessel moved" {
                prop_assert!(distance_m(places(&after)[&0], places(&before)[&0]) < 2.0, "{}", what);
            }
        }
    }
}

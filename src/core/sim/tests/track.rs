//! Following a track.

use super::*;

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
    use crate::core::transport::target::Target;
    // Everything of a replay: seek, percent, one back.
    let mut player = Player::new(Box::new(following(profile(&[]))));
    let mut out = Vec::new();
    player.command(0, &Transport::Go(Target::Percent(50.0)), &mut out).unwrap();
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
fn the_laps_of_an_endless_track_are_known() {
    assert_eq!(following(profile(&[])).lap(), None);
    let sim = following(profile(&[("track.loop", "true")]));
    // A lap lasts as long as the track: 10:00:00 to 10:02:00.4.
    let lap = 120_400 * MILLISECOND;
    assert_eq!((sim.lap(), sim.duration()), (Some(lap), None));
    // Percent are those of the lap that she is on: half of the third.
    let mut player = Player::new(Box::new(sim));
    player.command(0, &Transport::Seek(To::Offset(2 * lap + 7 * SECOND)), &mut Vec::new()).unwrap();
    player.command(0, &Transport::Go(crate::core::transport::target::Target::Percent(50.0)), &mut Vec::new()).unwrap();
    assert_eq!(player.report(0).position, 2 * lap + lap / 2);
}

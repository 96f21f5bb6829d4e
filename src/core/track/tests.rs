//! Tracks: what is read, what is refused and how, and how a vessel sails them.

use super::*;
use crate::core::time::{HOUR, MINUTE, SECOND};
use crate::core::vessel::geodesy::{direct, distance_m, inverse};
use crate::core::vessel::units::{KN_M_S, turn};

/// 2026-09-22 12:00:00 UTC: golden-state's 12:34:56 (1790080496) less 2096 s.
const NOON: Utc = 1_790_078_400 * SECOND;

fn gpx(points: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\"><trk><name>Out &amp; back</name><trkseg>\n{points}\n</trkseg></trk></gpx>"
    )
}

fn sail(text: &str, how: &Sailing) -> Track {
    Track::new(read(text.as_bytes()).unwrap(), how)
}

fn place(latitude: f64, longitude: f64) -> Position {
    Position { latitude, longitude }
}

fn point(latitude: f64, longitude: f64) -> Point {
    Point { position: place(latitude, longitude), ..Point::default() }
}

#[test]
fn gpx_1_1_with_segments_and_extensions_of_any_prefix() {
    let text = r#"<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:q="urn:x">
 <metadata><author><name>Nobody</name></author><time>2020-01-01T00:00:00Z</time></metadata>
 <wpt lat="1" lon="1"><name>Not on the track</name></wpt>
 <rte><rtept lat="50" lon="5"/></rte>
 <trk><name>First</name>
  <trkseg><trkpt lat="37.5" lon="-23.25"><ele>4.5</ele><time>2026-09-22T12:00:00Z</time>
    <extensions><q:any><q:speed>3.5</q:speed><q:course>270.5</q:course></q:any></extensions></trkpt></trkseg>
  <trkseg><trkpt lon="-23.5" lat="37.25"/></trkseg>
 </trk>
 <trk><trkseg><trkpt lat="-37" lon="180"><time>rubbish</time><speed>-1</speed></trkpt></trkseg></trk>
</gpx>"#;
    let document = read(text.as_bytes()).unwrap();
    let first = Point {
        position: place(37.5, -23.25),
        altitude_m: Some(4.5),
        utc: Some(NOON),
        speed_m_s: Some(3.5),
        course_deg: Some(270.5),
    };
    assert_eq!(document.points, [first, point(37.25, -23.5), point(-37.0, 180.0)]);
    // With a prefix on every element, in UTF-16, and with a byte order mark it is the same track.
    let prefixed = text
        .replace("<trk", "<g:trk")
        .replace("</trk", "</g:trk")
        .replace("<gpx", "<g:gpx xmlns:g=\"urn:g\"")
        .replace("</gpx", "</g:gpx");
    assert_eq!(read(prefixed.as_bytes()).unwrap(), document);
    let utf16: Vec<u8> = [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert_eq!(read(&utf16).unwrap(), document);
    assert_eq!(read(format!("\u{feff}{text}").as_bytes()).unwrap(), document);
}

#[test]
fn gpx_1_0_has_speed_and_course_in_the_point_and_routes_count_without_tracks() {
    let text = r#"<gpx version="1.0"><name>Old</name><rte><rtept lat="1" lon="2"><speed>2.5</speed><course>90</course></rtept>
        <rtept lat="1" lon="2.5"></rtept></rte></gpx>"#;
    let document = read(text.as_bytes()).unwrap();
    assert_eq!(document.name.as_deref(), Some("Old"));
    assert_eq!(document.points[0].speed_m_s, Some(2.5));
    assert_eq!(document.points[0].course_deg, Some(90.0));
    assert_eq!(document.points.len(), 2);
}

#[test]
fn kml_tracks_and_line_strings_in_folders() {
    let text = r#"<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>Bay</name>
    <Folder><Folder><Placemark><Point><coordinates>1,1,1</coordinates></Point></Placemark>
    <Placemark><gx:MultiTrack><altitudeMode>absolute</altitudeMode>
      <gx:Track><altitudeMode>absolute</altitudeMode><when>2026-09-22T12:00:00Z</when><when>2026-09-22T14:00:10+02:00</when>
        <gx:coord>23.5 37.5 12</gx:coord><gx:angles>1 2 3</gx:angles><gx:coord>23.6 37.6 13.5</gx:coord></gx:Track>
      <gx:Track><when>2026-09-22T12:00:20Z</when><gx:coord>23.7 37.7 0</gx:coord></gx:Track></gx:MultiTrack></Placemark>
    </Folder></Folder>
    <Placemark><LineString><coordinates>9,9 8,8</coordinates></LineString></Placemark></Document></kml>"#;
    let document = read(text.as_bytes()).unwrap();
    let at = |lat, lon, altitude_m, s: i64| Point { altitude_m, utc: Some(NOON + s * SECOND), ..point(lat, lon) };
    // The third height is 0 clamped to the ground: no height.
    let expected = [at(37.5, 23.5, Some(12.0), 0), at(37.6, 23.6, Some(13.5), 10), at(37.7, 23.7, None, 20)];
    assert_eq!(document.points, expected);
    assert_eq!(document.name.as_deref(), Some("Bay"));

    let line = r#"<kml><Document><Folder><Placemark><name>L</name><MultiGeometry><LineString><coordinates>
        23.5,37.5,0
        23.6,37.6</coordinates></LineString><LineString><coordinates> -23.7,-37.7 </coordinates></LineString></MultiGeometry>
        </Placemark></Folder></Document></kml>"#;
    let points = read(line.as_bytes()).unwrap().points;
    assert_eq!(points, [point(37.5, 23.5), point(37.6, 23.6), point(-37.7, -23.7)]);
}

#[test]
fn a_bad_file_is_one_line_that_names_the_point_or_the_line() {
    let two = "<trkpt lat=\"1\" lon=\"1\"/>\n<trkpt lat=\"95\" lon=\"1\"/>";
    let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;\">]>\n<gpx><trk><name>&lol2;</name></trk></gpx>";
    let deep = format!("<gpx>{}", "<a>".repeat(100_000));
    let cases: Vec<(String, &str)> = vec![
        (gpx(two), "point 2 (line 4): latitude 95 is out of range (-90 to 90)"),
        (gpx("<trkpt lat=\"1\" lon=\"-180.5\"/>"), "point 1 (line 3): longitude -180.5 is out of range (-180 to 180)"),
        (gpx("<trkpt lat=\"1\"/>"), "point 1 (line 3): <trkpt> has no lon"),
        (gpx("<trkpt lat=\"NaN\" lon=\"1\"/>"), "point 1 (line 3): latitude \"NaN\" is not a number"),
        (gpx("<trkpt lat=\"37,5\" lon=\"1\"/>"), "point 1 (line 3): latitude \"37,5\" is not a number"),
        (gpx(""), "has no track: "),
        (gpx("<trkpt lat=\"1\" lon=\"1\">\n</trkseg>"), "line 4: not well-formed XML: "),
        (
            gpx("<trkpt lat=\"1\" lon=\"1\"><name>&nbsp;</name></trkpt>"),
            "point 1 (line 3): entity &nbsp; is not expanded",
        ),
        ("\n\n{\"type\":\"Feature\"}".into(), "line 3: not XML: "),
        ("$GPRMC,1*00".into(), "line 1: not XML: "),
        (
            gpx("</trk\x1b[2J>"),
            "line 3: not well-formed XML: ill-formed document: expected `</trkseg>`, but `</trk^[[2J>`",
        ),
        (String::new(), "is empty"),
        ("PK\u{3}\u{4}".into(), "is a ZIP archive"),
        ("<!-- nothing -->".into(), "not XML: has no element"),
        ("<?xml version=\"1.0\"?>\n<html></html>".into(), "line 2: neither GPX nor KML: the root element is <html>"),
        ("<gpx>\n<trk>\n<trkseg>".into(), "line 3: the file ends inside an element"),
        (bomb.into(), "line 2: declares entities"),
        (deep, "line 1: more than 200 elements inside each other"),
        (
            "<kml><LineString><coordinates>1,2 3</coordinates></LineString></kml>".into(),
            "point 2 (line 1): \"3\" is no position",
        ),
        (
            "<kml><LineString><coordinates>1,2 181,2</coordinates></LineString></kml>".into(),
            "point 2 (line 1): longitude 181 is out of range",
        ),
        (
            "<kml>\n<Track><when>2026</when><coord>1 2</coord><coord>1 2</coord>\n</Track></kml>".into(),
            "line 3: a gx:Track with 1 times (when) for 2 positions (gx:coord)",
        ),
    ];
    for (text, expected) in cases {
        let error = read(text.as_bytes()).expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{error}\nexpected: {expected}");
        assert!(!error.contains('\n') && error.len() < 300, "{error}");
    }
}

#[test]
fn too_many_points_are_refused() {
    let mut text = String::from("<gpx><trkseg>");
    text.push_str(&"<trkpt lat='1' lon='1'/>".repeat(MAX_POINTS + 1));
    text.push_str("</trkseg></gpx>");
    let error = read(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(error, "point 1000001 (line 1): more than 1000000 points: leave some out");
}

/// A timed leg: 10 nm due north in 2 h is 5 kn, whatever the speed chosen.
#[test]
fn timed_legs_last_as_recorded() {
    let north = direct(place(37.0, 20.0), 0.0, 10.0 * 1852.0).position.latitude;
    let text = gpx(&format!(
        "<trkpt lat='37' lon='20'><time>2026-09-22T12:00:00Z</time><ele>0</ele></trkpt>
         <trkpt lat='{north}' lon='20'><time>2026-09-22T14:00:00Z</time><ele>8</ele></trkpt>"
    ));
    let track = sail(&text, &Sailing { speed_kn: 20.0, ..Sailing::default() });
    assert_eq!((track.timing(), track.duration(), track.start_utc()), (Timing::Recorded, 2 * HOUR, Some(NOON)));
    let half = track.state_at(HOUR);
    assert!((half.sog_kn - 5.0).abs() < 1e-9 && half.cog_deg == Some(0.0) && half.heading_deg == 0.0, "{half:?}");
    assert!((distance_m(place(37.0, 20.0), half.position) - 9260.0).abs() < 1e-3, "{half:?}");
    assert_eq!((half.altitude_m, half.utc, half.point), (Some(4.0), Some(NOON + HOUR), 0));
    // Times ignored: 10 nm at 20 kn are half an hour.
    let how = Sailing { speed_kn: 20.0, ignore_timestamps: true, ..Sailing::default() };
    let track = sail(&text, &how);
    assert_eq!((track.timing(), track.start_utc()), (Timing::Ignored, None));
    assert!((track.duration() - 30 * MINUTE).abs() < 1000, "{}", track.duration());
    assert!((track.state_at(10 * MINUTE).sog_kn - 20.0).abs() < 1e-6);
}

#[test]
fn a_track_that_is_not_timed_says_why() {
    let at = |time: &str| format!("<trkpt lat='1' lon='{}'>{time}</trkpt>", time.len());
    let cases = [
        ([at(""), at(""), at("")], "timed by speed: the file has no times"),
        (
            [at("<time>2026-09-22T12:00:00Z</time>"), at(""), at("<time>2026-09-22T12:00:01Z</time>")],
            "timed by speed: point 2 has no time",
        ),
        (
            [
                at("<time>2026-09-22T12:00:00Z</time>"),
                at("<time>2026-09-22T12:00:05Z</time>"),
                at("<time>2026-09-22T12:00:04Z</time>"),
            ],
            "timed by speed: the time of point 3 is before that of point 2",
        ),
        (
            [at("<time>2026</time>"), at("<time>2026-01</time>"), at("<time>2026-01-01</time>")],
            "timed by speed: all points have the same time",
        ),
    ];
    for (points, expected) in cases {
        assert_eq!(sail(&gpx(&points.concat()), &Sailing::default()).timing().to_string(), expected);
    }
}

/// Without times: 1000 m at the recorded 5 m/s are 200 s; at the default of 6 kn 324 s (1000 / (6 x 1852 / 3600)).
#[test]
fn untimed_legs_go_by_recorded_speed_else_by_the_chosen_one() {
    let start = place(-20.0, 179.999);
    let second = direct(start, 90.0, 1000.0).position;
    let third = direct(second, 90.0, 1000.0).position;
    assert!(second.longitude < 0.0, "the leg crosses the date line");
    let points = vec![
        Point { speed_m_s: Some(5.0), ..point(start.latitude, start.longitude) },
        Point { speed_m_s: Some(0.0), ..point(second.latitude, second.longitude) },
        point(third.latitude, third.longitude),
    ];
    let track = Track::new(Document { name: None, points }, &Sailing::default());
    assert!((track.offset_of(1) - 200 * SECOND).abs() < 1000, "{}", track.offset_of(1));
    assert!((track.duration() - track.offset_of(1) - 323_974_082_073).abs() < 1000, "{}", track.duration());
    let there = track.state_at(100 * SECOND);
    assert!((distance_m(start, there.position) - 500.0).abs() < 1e-3, "{there:?}");
    assert!((there.sog_kn * KN_M_S - 5.0).abs() < 1e-6);
}

/// The same geodesic in 2 and in 500 points: same places, courses and speeds at the same times.
#[test]
fn the_density_of_the_points_never_shows() {
    let (from, to) = (place(40.0, -74.0), place(51.5, -10.0));
    let way = inverse(from, to);
    let dense: Vec<Point> = (0..=500)
        .map(|i| direct(from, way.bearing_deg, way.distance_m * f64::from(i) / 500.0).position)
        .map(|p| point(p.latitude, p.longitude))
        .collect();
    let sparse = vec![dense[0], dense[500]];
    let [dense, sparse] =
        [dense, sparse].map(|points| Track::new(Document { name: None, points }, &Sailing::default()));
    assert!((dense.duration() - sparse.duration()).abs() < SECOND / 100);
    for part in 0..97 {
        let offset = sparse.duration() / 97 * part;
        let (a, b) = (dense.state_at(offset), sparse.state_at(offset));
        assert!(distance_m(a.position, b.position) < 0.05, "{a:?} {b:?}");
        assert!((a.sog_kn - b.sog_kn).abs() < 1e-4, "{a:?} {b:?}");
        assert!(turn(a.heading_deg, b.heading_deg).abs() < 1e-4, "{a:?} {b:?}");
    }
}

/// A right angle at 6 kn: the course changes at once, the heading by 3 degrees a second, to starboard, for 30 s.
#[test]
fn the_heading_turns_at_corners_at_a_plausible_rate() {
    let a = place(10.0, 10.0);
    let b = direct(a, 0.0, 1000.0).position;
    let c = direct(b, 90.0, 1000.0).position;
    let points = [a, b, c].map(|p| point(p.latitude, p.longitude)).to_vec();
    let track = Track::new(Document { name: None, points }, &Sailing::default());
    let corner = track.offset_of(1);
    let before = track.state_at(corner - SECOND);
    assert!(before.heading_deg.min(360.0 - before.heading_deg) < 1e-6 && before.rate_of_turn_deg_min.abs() < 1e-3);
    let turning = track.state_at(corner + 10 * SECOND);
    assert!((turning.heading_deg - 30.0).abs() < 1e-3, "{turning:?}");
    assert!((turning.rate_of_turn_deg_min - 180.0).abs() < 0.01, "{turning:?}");
    assert!((turning.cog_deg.unwrap() - 90.0).abs() < 1e-3, "{turning:?}");
    let after = track.state_at(corner + 31 * SECOND);
    assert!((after.heading_deg - 90.0).abs() < 1e-3 && after.rate_of_turn_deg_min.abs() < 0.01, "{after:?}");
    // Even where points follow each other by the second and double back, no turn is faster.
    let zigzag = (0..60)
        .map(|i| Point { utc: Some(NOON + i64::from(i) * SECOND), ..point(10.0 + f64::from(i % 2) * 1e-4, 10.0) });
    let track = Track::new(Document { name: None, points: zigzag.collect() }, &Sailing::default());
    for tenth in 0..600 {
        let [a, b] = [0, 1].map(|i| track.state_at((tenth + i) * SECOND / 10).heading_deg);
        assert!(turn(a, b).abs() < 0.301, "{a} {b}");
    }
}

#[test]
fn a_vessel_that_lies_still_keeps_its_heading_and_has_no_course() {
    let moored = point(10.0, 10.0);
    let east = direct(place(10.0, 10.0), 90.0, 100.0).position;
    let east = point(east.latitude, east.longitude);
    let timed = |p: Point, s: i64| Point { utc: Some(NOON + s * SECOND), ..p };
    let points = vec![timed(moored, 0), timed(moored, 60), timed(east, 90), timed(east, 600), timed(east, 600)];
    let track = Track::new(Document { name: None, points }, &Sailing::default());
    for (s, moves) in [(30, false), (75, true), (300, false), (700, false)] {
        let state = track.state_at(s * SECOND);
        assert_eq!(state.cog_deg.is_some(), moves, "{s}: {state:?}");
        assert!((state.heading_deg - 90.0).abs() < 1e-3, "{s}: {state:?}");
        assert_eq!(state.sog_kn > 0.0, moves, "{s}: {state:?}");
    }
}

/// A receiver's own speed and course, where it says them every second, win over the chord between rounded positions.
#[test]
fn recorded_speed_and_course_count_where_points_are_close() {
    let with = |lat: f64, s: i64, speed: f64, course: f64| Point {
        utc: Some(NOON + s * SECOND),
        speed_m_s: Some(speed),
        course_deg: Some(course),
        ..point(lat, 0.0)
    };
    let points = vec![with(0.0, 0, 3.0, 350.0), with(0.00003, 1, 4.0, 10.0), with(0.01, 400, 9.0, 180.0)];
    let track = Track::new(Document { name: None, points }, &Sailing::default());
    let close = track.state_at(SECOND / 2);
    assert!((close.sog_kn * KN_M_S - 3.5).abs() < 1e-9 && turn(close.cog_deg.unwrap(), 0.0).abs() < 1e-9, "{close:?}");
    // 0.00997 degrees of latitude (1102.4 m) in 399 s: 2.763 m/s, due north.
    let far = track.state_at(200 * SECOND);
    assert!((far.sog_kn * KN_M_S - 2.763).abs() < 2e-3 && far.cog_deg == Some(0.0), "{far:?}");
}

#[test]
fn the_end_is_held_or_the_track_begins_again() {
    let points = vec![point(10.0, 10.0), point(10.01, 10.0)];
    let [hold, around] = [Ends::Hold, Ends::Loop].map(|ends| {
        Track::new(Document { name: None, points: points.clone() }, &Sailing { ends, ..Sailing::default() })
    });
    let d = hold.duration();
    let end = hold.state_at(d + HOUR);
    assert!(end.ended && end.sog_kn == 0.0 && end.cog_deg.is_none(), "{end:?}");
    assert_eq!((end.position, end.point, end.heading_deg), (place(10.01, 10.0), 1, 0.0));
    assert!(!hold.state_at(d - 1).ended && hold.state_at(d).ended);
    assert_eq!(around.state_at(d).position, place(10.0, 10.0));
    assert_eq!(around.state_at(5 * d + 7), around.state_at(7));
    assert!(!around.state_at(d).ended);
    assert_eq!(hold.state_at(-5).position, place(10.0, 10.0));
    // A single point is held from the beginning, also in a loop.
    let alone = Track::new(
        Document { name: None, points: vec![point(1.0, 2.0)] },
        &Sailing { ends: Ends::Loop, ..Sailing::default() },
    );
    let state = alone.state_at(HOUR);
    assert!(state.ended && state.position == place(1.0, 2.0) && state.sog_kn == 0.0, "{state:?}");
}

/// Round a triangle for ever: where it closes the heading turns as at any other corner.
#[test]
fn a_closed_loop_turns_where_it_closes() {
    let corners = [place(10.0, 10.0), place(10.01, 10.0), place(10.0, 10.01), place(10.0, 10.0)];
    let points = corners.map(|p| point(p.latitude, p.longitude)).to_vec();
    let how = Sailing { ends: Ends::Loop, ..Sailing::default() };
    let track = Track::new(Document { name: None, points }, &how);
    let d = track.duration();
    for tenth in -50..700 {
        let [a, b] = [0, 1].map(|i| track.state_at(d + (tenth + i) * SECOND / 10).heading_deg);
        assert!(turn(a, b).abs() < 0.301, "{tenth}: {a} {b}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(128))]
    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..400), cut in 0usize..400) {
        let _ = read(&bytes);
        let mut text = gpx("<trkpt lat='1' lon='2'><ele>3</ele><time>2026-09-22T12:00:00Z</time></trkpt>").into_bytes();
        let at = cut.min(text.len());
        text.splice(at..at, bytes.iter().copied().take(8));
        let _ = read(&text);
    }

    /// Any points, any moment: in range, and no faster than the legs.
    #[test]
    fn any_track_can_be_sailed(
        places in proptest::collection::vec((-90.0..=90.0f64, -180.0..=180.0f64, 0i64..100_000), 1..12),
        timed in proptest::bool::ANY,
        looped in proptest::bool::ANY,
        part in -0.1..2.5f64,
    ) {
        let mut at = NOON;
        let points = places.iter().map(|(lat, lon, s)| {
            at += s * SECOND;
            Point { utc: timed.then_some(at), ..point(*lat, *lon) }
        });
        let ends = if looped { Ends::Loop } else { Ends::Hold };
        let track = Track::new(Document { name: None, points: points.collect() }, &Sailing { ends, ..Sailing::default() });
        let state = track.state_at((track.duration() as f64 * part) as i64);
        proptest::prop_assert!((-90.0..=90.0).contains(&state.position.latitude));
        proptest::prop_assert!((-180.0..=180.0).contains(&state.position.longitude));
        proptest::prop_assert!((0.0..360.0).contains(&state.heading_deg), "{:?}", state);
        proptest::prop_assert!(state.cog_deg.is_none_or(|c| (0.0..360.0).contains(&c)), "{:?}", state);
        proptest::prop_assert!(state.sog_kn.is_finite() && state.sog_kn >= 0.0 && state.rate_of_turn_deg_min.is_finite());
        proptest::prop_assert!(state.point < track.len());
    }
}

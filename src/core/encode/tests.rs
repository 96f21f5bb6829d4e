//! The encodings against golden-state's table, the specification's forms, and by what they must not say.

#![expect(clippy::approx_constant, reason = "figures as the pages have them")]

use serde_json::{Value, json};

use super::signalk::{api_self, context, delta, discovery, hello, passes};
use super::subscription::Subscription;
use super::viewsync;
use crate::core::frame::Origin;
use crate::core::time::{MILLISECOND, Moment, SECOND, Utc};
use crate::core::vessel::{Engine, Known, Label, Position, Transducer, Value as Maybe, Vessel};

/// 2026-09-22 12:34:56.78 UTC.
const NOW: Utc = 1_790_080_496 * SECOND + 780 * MILLISECOND;

fn known<T>(value: T) -> Maybe<T> {
    Some(Known { value, at: 0, origin: Origin::Source })
}

/// golden-state's vessel, as far as Signal K has a word for it. Wind and leg are its own worked figures.
fn vessel() -> Vessel {
    let mut v = Vessel {
        utc: known(NOW),
        position: known(Position { latitude: 37.9838, longitude: 23.7275 }),
        sog_kn: known(6.5),
        cog_true_deg: known(47.3),
        heading_true_deg: known(45.0),
        variation_deg: known(4.6),
        deviation_deg: known(0.0),
        rate_of_turn_deg_min: known(-2.5),
        stw_kn: known(6.2),
        depth_m: known(12.4),
        depth_offset_m: known(0.5),
        water_c: known(21.5),
        wind_direction_true_deg: known(270.0),
        wind_ground_kn: known(12.0),
        rudder_deg: known(-3.5),
        ..Vessel::default()
    };
    use crate::core::vessel::wind::{Velocity, winds};
    let winds =
        winds(Velocity::from_direction(270.0, 12.0), Velocity::toward(47.3, 6.5), Velocity::toward(45.0, 6.2), 45.0);
    v.wind_apparent_deg = known(winds.apparent.angle_deg);
    v.wind_apparent_kn = known(winds.apparent.speed);
    v.wind_true_deg = known(winds.over_water.angle_deg);
    v.wind_true_kn = known(winds.over_water.speed);
    v.gnss.valid = known(true);
    v.gnss.quality = known(1);
    v.gnss.satellites = known(8);
    v.gnss.hdop = known(0.9);
    v.gnss.pdop = known(1.7);
    v.gnss.altitude_m = known(12.3);
    v.gnss.geoid_m = known(34.5);
    v.engines[0] =
        Some(Engine { rpm: known(1800.0), coolant_c: known(82.0), running: known(true), ..Engine::default() });
    v.route.bearing_origin_true_deg = known(220.529_115);
    v.route.bearing_true_deg = known(225.168_374);
    v.route.distance_nm = known(37_282.657 / 1852.0);
    v.route.cross_track_nm = known(-3004.547 / 1852.0);
    v.route.closing_kn = known(-3.341_575 * 3600.0 / 1852.0);
    v.own.mmsi = 200_000_001;
    v
}

fn now() -> Moment {
    Moment { offset: 0, utc: Some(NOW) }
}

fn all(v: &Vessel) -> Vec<(String, Value)> {
    let Some(delta) = delta(v, now(), "vessels.x", &|_| true) else { return Vec::new() };
    let values = delta["updates"].as_array().unwrap().iter().flat_map(|u| u["values"].as_array().unwrap().clone());
    values.map(|e| (e["path"].as_str().unwrap().to_string(), e["value"].clone())).collect()
}

fn get(v: &Vessel, path: &str) -> Value {
    all(v).into_iter().find(|(p, _)| p == path).map_or(Value::Null, |(_, v)| v)
}

#[test]
fn the_golden_table_in_si_units() {
    let numbers = [
        ("navigation.speedOverGround", 3.343_889),
        ("navigation.courseOverGroundTrue", 0.825_541),
        ("navigation.courseOverGroundMagnetic", 0.745_256),
        ("navigation.headingTrue", 0.785_398),
        ("navigation.headingMagnetic", 0.705_113),
        ("navigation.magneticVariation", 0.080_285),
        ("navigation.magneticDeviation", 0.0),
        ("navigation.speedThroughWater", 3.189_556),
        ("navigation.rateOfTurn", -0.000_727_221),
        ("navigation.gnss.satellites", 8.0),
        ("navigation.gnss.horizontalDilution", 0.9),
        ("navigation.gnss.positionDilution", 1.7),
        ("navigation.gnss.antennaAltitude", 12.3),
        ("navigation.gnss.geoidalSeparation", 34.5),
        ("environment.depth.belowTransducer", 12.4),
        ("environment.depth.surfaceToTransducer", 0.5),
        ("environment.depth.belowSurface", 12.9),
        ("environment.water.temperature", 294.65),
        ("environment.wind.angleApparent", -1.808_255),
        ("environment.wind.speedApparent", 4.353_164),
        ("environment.wind.angleTrueWater", -2.354_129),
        ("environment.wind.speedTrue", 5.971_230),
        ("environment.wind.directionTrue", 4.712_389),
        ("environment.wind.directionMagnetic", 4.632_104),
        ("environment.wind.speedOverGround", 6.173_333), // 12 x 1852 / 3600
        ("steering.rudderAngle", -0.061_087),
        ("propulsion.main.revolutions", 30.0),
        ("propulsion.main.coolantTemperature", 355.15),
        ("navigation.courseGreatCircle.crossTrackError", -3004.547),
        ("navigation.courseGreatCircle.bearingTrackTrue", 3.848_959),
        ("navigation.courseGreatCircle.nextPoint.bearingTrue", 3.929_929),
        ("navigation.courseGreatCircle.nextPoint.distance", 37_282.657),
        ("navigation.courseGreatCircle.nextPoint.velocityMadeGood", -3.341_575),
    ];
    let v = vessel();
    for (path, expected) in numbers {
        assert_eq!(get(&v, path).as_f64(), Some(expected), "{path}");
    }
    assert_eq!(get(&v, "navigation.position"), json!({ "latitude": 37.9838, "longitude": 23.7275 }));
    assert_eq!(get(&v, "navigation.datetime"), "2026-09-22T12:34:56.780Z");
    assert_eq!(get(&v, "navigation.gnss.methodQuality"), "GNSS Fix");
    assert_eq!(get(&v, "propulsion.main.state"), "started");
    assert_eq!(get(&v, "environment.depth.belowKeel"), Value::Null);
}

#[test]
fn what_is_not_known_is_not_said() {
    assert_eq!(delta(&Vessel::default(), now(), "vessels.x", &|_| true), None);
    let mut v = vessel();
    v.wind_true_kn = known(f64::NAN);
    assert_eq!(get(&v, "environment.wind.speedTrue"), Value::Null);
    // A receiver that calls its fix void: no position, speed or course; instruments go on.
    v.gnss.valid = known(false);
    for path in ["position", "speedOverGround", "courseOverGroundTrue", "courseOverGroundMagnetic"] {
        assert_eq!(get(&v, &format!("navigation.{path}")), Value::Null, "{path}");
    }
    assert!(get(&v, "navigation.headingTrue").is_number());
}

/// 12.4 m below the transducer, which is 1.2 m above the keel's lower edge: 11.2 m below the keel.
#[test]
fn a_negative_offset_leads_to_the_keel() {
    let v = Vessel { depth_offset_m: known(-1.2), ..vessel() };
    assert_eq!(get(&v, "environment.depth.transducerToKeel"), json!(1.2));
    assert_eq!(get(&v, "environment.depth.belowKeel"), json!(11.2));
    assert_eq!(get(&v, "environment.depth.belowSurface"), Value::Null);
    assert_eq!(get(&v, "environment.depth.surfaceToTransducer"), Value::Null);
}

#[test]
fn engines_batteries_tanks_and_the_air() {
    let mut v = Vessel::default();
    for (place, (number, label)) in [(1, "Starboard!"), (2, "Port"), (3, ""), (4, "")].into_iter().enumerate() {
        let label = Label::new(label.as_bytes());
        v.engines[place] =
            Some(Engine { number, label, rpm: known(-600.0), running: known(false), ..Engine::default() });
    }
    let transducer =
        |kind, unit, name: &str, value| known(Transducer { kind, unit, name: Label::new(name.as_bytes()), value });
    v.transducers[0] = transducer(b'U', b'V', "BATTERY#0", 12.6);
    v.transducers[1] = transducer(b'V', b'P', "FUEL#1", 62.5);
    v.transducers[2] = transducer(b'E', b'P', "FreshWater", 40.0);
    v.transducers[3] = transducer(b'G', 0, "ODD", 1.0);
    v.transducers[4] = transducer(b'U', b'V', "##", 1.0);
    v.air_c = known(25.0);
    v.pressure_hpa = known(1013.25);
    v.humidity_percent = known(50.0);
    v.dew_point_c = known(13.86);
    v.heel_deg = known(10.0);
    v.pitch_deg = known(-5.0);
    let expected = [
        ("navigation.attitude", json!({ "roll": 0.174533, "pitch": -0.087266 })),
        ("environment.outside.temperature", json!(298.15)),
        ("environment.outside.pressure", json!(101_325.0)),
        ("environment.outside.humidity", json!(0.5)),
        ("environment.outside.dewPointTemperature", json!(287.01)),
        ("propulsion.starboard.revolutions", json!(10.0)),
        ("propulsion.starboard.state", json!("stopped")),
        ("propulsion.port.revolutions", json!(10.0)),
        ("propulsion.port.state", json!("stopped")),
        ("propulsion.starboard2.revolutions", json!(10.0)),
        ("propulsion.starboard2.state", json!("stopped")),
        ("propulsion.port2.revolutions", json!(10.0)),
        ("propulsion.port2.state", json!("stopped")),
        ("electrical.batteries.BATTERY0.voltage", json!(12.6)),
        ("tanks.fuel.FUEL1.currentLevel", json!(0.625)),
        ("tanks.freshWater.FreshWater.currentLevel", json!(0.4)),
    ];
    assert_eq!(all(&v), expected.map(|(p, v)| (p.to_string(), v)));
}

/// A value said 1.5 s ago keeps its time; without UTC nothing claims one.
#[test]
fn values_keep_the_time_at_which_they_were_said() {
    let old = Some(Known { value: 12.4, at: 500 * MILLISECOND, origin: Origin::Source });
    let new = Some(Known { value: 45.0, at: 2 * SECOND, origin: Origin::Source });
    let v = Vessel { depth_m: old, heading_true_deg: new, ..Vessel::default() };
    let moment = Moment { offset: 2 * SECOND, utc: Some(NOW) };
    let expected = json!({
        "context": "vessels.x",
        "updates": [
            { "$source": "nmeasimx", "timestamp": "2026-09-22T12:34:56.780Z",
              "values": [{ "path": "navigation.headingTrue", "value": 0.785398 }] },
            { "$source": "nmeasimx", "timestamp": "2026-09-22T12:34:55.280Z",
              "values": [{ "path": "environment.depth.belowTransducer", "value": 12.4 }] },
        ]
    });
    assert_eq!(delta(&v, moment, "vessels.x", &|_| true), Some(expected));
    let timeless = delta(&v, Moment { utc: None, ..moment }, "vessels.x", &|_| true).unwrap();
    assert_eq!(timeless["updates"].as_array().unwrap().len(), 1);
    assert_eq!(timeless["updates"][0].get("timestamp"), None);
}

#[test]
fn prefixes_filter_at_whole_segments() {
    let wind = ["environment.wind".to_string()];
    assert!(passes(&wind, "environment.wind.speedTrue") && passes(&wind, "environment.wind"));
    assert!(!passes(&wind, "environment.windows.open") && !passes(&wind, "environment"));
    assert!(passes(&["environment.*".to_string()], "environment.wind.speedTrue"));
    assert!(passes(&[], "anything"));
    let delta = delta(&vessel(), now(), "vessels.x", &|p| passes(&wind, p)).unwrap();
    let values = delta["updates"][0]["values"].as_array().unwrap();
    assert_eq!(values.len(), 7);
    assert!(values.iter().all(|v| v["path"].as_str().unwrap().starts_with("environment.wind.")));
}

#[test]
fn the_vessel_is_known_by_mmsi_or_by_seed() {
    assert_eq!(context(&vessel(), 1), "vessels.urn:mrn:imo:mmsi:200000001");
    let nameless = Vessel::default();
    let form = regex::Regex::new(
        "^vessels\\.urn:mrn:signalk:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
    )
    .unwrap();
    for seed in 0..200 {
        assert!(form.is_match(&context(&nameless, seed)), "{}", context(&nameless, seed));
    }
    assert_ne!(context(&nameless, 1), context(&nameless, 2));
    // splitmix64 from 0 draws e220a8397b1dcdaf, 6e789e6aa1b965f4 (Vigna's reference); version and variant bits set.
    assert_eq!(context(&nameless, 0), "vessels.urn:mrn:signalk:uuid:e220a839-7b1d-4daf-ae78-9e6aa1b965f4");
    let mut coast = Vessel::default();
    coast.own.mmsi = 2_320_001;
    assert!(context(&coast, 0).contains("uuid"), "a coast station's number is no ship");
}

#[test]
fn a_server_introduces_itself() {
    let v1 = &discovery("boat.local:3000")["endpoints"]["v1"];
    assert_eq!(v1["signalk-ws"], "ws://boat.local:3000/signalk/v1/stream");
    assert_eq!(v1["signalk-http"], "http://boat.local:3000/signalk/v1/api/");
    let hello = hello("vessels.urn:mrn:imo:mmsi:200000001", NOW);
    assert_eq!(hello["self"], "vessels.urn:mrn:imo:mmsi:200000001");
    assert_eq!(hello["timestamp"], "2026-09-22T12:34:56.780Z");
    assert_eq!((&hello["version"], &v1["version"]), (&json!("1.7.0"), &json!("1.7.0")));
    assert_eq!(api_self("vessels.x"), "vessels.x");
}

#[test]
fn clients_subscribe_and_unsubscribe() {
    let ours = "vessels.urn:mrn:imo:mmsi:200000001";
    let mut s = Subscription::from_query("subscribe=none").unwrap();
    assert!(s.is_empty() && !s.wants("navigation.position"));
    let ask = r#"{"context":"vessels.self","subscribe":[{"path":"navigation.*","period":2000},{"path":"environment.wind.speed*","minPeriod":200},{"path":"propulsion.*.revolutions"}]}"#;
    assert_eq!(s.apply(ask, ours), Ok(true));
    for (path, wanted) in [
        ("navigation.position", true),
        ("navigation.gnss.satellites", true),
        ("navigation", false),
        ("environment.wind.speedTrue", true),
        ("environment.wind.angleApparent", false),
        ("propulsion.main.revolutions", true),
        ("propulsion.main.state", false),
    ] {
        assert_eq!(s.wants(path), wanted, "{path}");
    }
    assert_eq!(s.period_ms(), Some(200));
    assert_eq!(s.apply(r#"{"context":"*","unsubscribe":[{"path":"navigation.*"}]}"#, ours), Ok(true));
    assert!(!s.wants("navigation.position") && s.wants("environment.wind.speedTrue"));
    assert_eq!(s.apply(r#"{"context":"*","unsubscribe":[{"path":"*"}]}"#, ours), Ok(true));
    assert!(s.is_empty());
    // Another ship's data, and other messages.
    assert_eq!(
        s.apply(r#"{"context":"vessels.urn:mrn:imo:mmsi:232000000","subscribe":[{"path":"*"}]}"#, ours),
        Ok(true)
    );
    assert!(s.is_empty());
    assert_eq!(s.apply(r#"{"requestId":"1","put":{}}"#, ours), Ok(false));
    for bad in ["", "{", r#"{"subscribe":5}"#, r#"{"subscribe":[{}]}"#] {
        assert!(s.apply(bad, ours).is_err(), "{bad}");
    }
    for (query, wanted) in
        [("", Some(true)), ("a=b&subscribe=all", Some(true)), ("subscribe=none", Some(false)), ("subscribe=5", None)]
    {
        assert_eq!(Subscription::from_query(query).map(|s| s.wants("a.b")), wanted, "{query}");
    }
}

#[test]
fn a_viewsync_line_has_ten_fields() {
    assert_eq!(
        viewsync::line(7, &vessel()).unwrap(),
        "7,37.9838000,23.7275000,42.3,45.00,80.00,0.00,0.0,0.0,",
        "altitude 12.3 m and 30 m above it"
    );
    let mut v = vessel();
    v.position = known(Position { latitude: -0.000_000_01, longitude: -179.999_999_9 });
    v.heading_true_deg = known(359.999);
    v.heel_deg = known(-0.001);
    v.pitch_deg = known(2.5);
    let line = viewsync::line(u64::MAX, &v).unwrap();
    assert_eq!(line.split(',').count(), 10);
    assert!(line.ends_with(",0.0000000,-179.9999999,42.3,0.00,82.50,0.00,0.0,0.0,"), "{line}");
    v.gnss.valid = known(false);
    assert_eq!(viewsync::line(1, &v), None);
    assert_eq!(viewsync::line(1, &Vessel::default()), None);
}

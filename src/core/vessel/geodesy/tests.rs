//! Geodesy against other people's figures: GeographicLib's own test cases, Karney's worked examples, golden-state.

use super::*;

/// GeographicLib's own test cases (tests/geodtest.c and its ports, C. Karney, MIT): latitude, longitude, azimuth of the
/// first point; of the second; distance in metres. Computed there with high-precision arithmetic.
#[expect(clippy::excessive_precision, reason = "as published")]
#[rustfmt::skip]
const GEODTEST: [(f64, f64, f64, f64, f64, f64, f64); 20] = [
    (35.60777, -139.44815, 111.098748429560326, -11.17491, -69.95921, 129.289270889708762, 8935244.5604818305),
    (55.52454, 106.05087, 22.020059880982801, 77.03196, 197.18234, 109.112041110671519, 4105086.1713924406),
    (-21.97856, 142.59065, -32.44456876433189, 41.84138, 98.56635, -41.84359951440466, 8394328.894657671),
    (-66.99028, 112.2363, 173.73491240878403, -12.70631, 285.90344, 2.512956620913668, 11150344.2312080241),
    (-17.42761, 173.34268, -159.033557661192928, -15.84784, 5.93557, -20.787484651536988, 16076603.1631180673),
    (32.84994, 48.28919, 150.492927788121982, -56.28556, 202.29132, 48.113449399816759, 16727068.9438164461),
    (6.96833, 52.74123, 92.581585386317712, -7.39675, 206.17291, 90.721692165923907, 17102477.2496958388),
    (-50.56724, -16.30485, -105.439679907590164, -33.56571, -94.97412, -47.348547835650331, 6455670.5118668696),
    (-58.93002, -8.90775, 140.965397902500679, -8.91104, 133.13503, 19.255429433416599, 11756066.0219864627),
    (-68.82867, -74.28391, 93.774347763114881, -50.63005, -8.36685, 34.65564085411343, 3956936.926063544),
    (-10.62672, -32.0898, -86.426713286747751, 5.883, -134.31681, -80.473780971034875, 11470869.3864563009),
    (-21.76221, 166.90563, 29.319421206936428, 48.72884, 213.97627, 43.508671946410168, 9098627.3986554915),
    (-19.79938, -174.47484, 71.167275780171533, -11.99349, -154.35109, 65.589099775199228, 2319004.8601169389),
    (-11.95887, -116.94513, 92.712619830452549, 4.57352, 7.16501, 78.64960934409585, 13834722.5801401374),
    (-87.85331, 85.66836, -65.120313040242748, 66.48646, 16.09921, -4.888658719272296, 17286615.3147144645),
    (1.74708, 128.32011, -101.584843631173858, -11.16617, 11.87109, -86.325793296437476, 12942901.1241347408),
    (-25.72959, -144.90758, -153.647468693117198, -57.70581, -269.17879, -48.343983158876487, 9413446.7452453107),
    (-41.22777, 122.32875, 14.285113402275739, -7.57291, 130.37946, 10.805303085187369, 3812686.035106021),
    (11.01307, 138.25278, 79.43682622782374, 6.62726, 247.05981, 103.708090215522657, 11911190.819018408),
    (-29.47124, 95.14681, -163.779130441688382, -27.46601, -69.15955, -15.909335945554969, 13487015.8381145492),
];

fn at(latitude: f64, longitude: f64) -> Position {
    Position { latitude, longitude: wrap_180(longitude) }
}

/// Metres between two positions that lie close together.
fn apart(a: Position, b: Position) -> f64 {
    distance_m(a, b)
}

#[test]
fn geodesics_agree_with_geographiclib_test_cases() {
    for (lat1, lon1, azi1, lat2, lon2, azi2, s12) in GEODTEST {
        let way = inverse(at(lat1, lon1), at(lat2, lon2));
        assert!((way.distance_m - s12).abs() < 2e-4, "{way:?} {s12}");
        assert!(turn(way.bearing_deg, azi1).abs() < 1e-8, "{way:?} {azi1}");
        assert!(turn(way.arriving_deg, azi2).abs() < 1e-8, "{way:?} {azi2}");
        let end = direct(at(lat1, lon1), azi1, s12);
        assert!(apart(end.position, at(lat2, lon2)) < 2e-4, "{end:?}");
        assert!(turn(end.course_deg, azi2).abs() < 1e-8, "{end:?} {azi2}");
        let back = direct(at(lat2, lon2), azi2, -s12);
        assert!(apart(back.position, at(lat1, lon1)) < 2e-4, "{back:?}");
    }
}

/// C. Karney, "Algorithms for geodesics", J. Geodesy 87 (2013), tables 2 to 5; and the GeographicLib manual.
#[test]
fn worked_examples_of_the_literature() {
    let end = direct(at(40.0, 0.0), 30.0, 10_000_000.0);
    assert!(apart(end.position, at(41.793_310_205_06, 137.844_900_043_77)) < 2e-4, "{end:?}");
    assert!((end.course_deg - 149.090_169_318_07).abs() < 1e-8);
    // A few metres.
    let way = inverse(at(-30.123_45, 0.0), at(-30.123_44, 0.000_05));
    assert!((way.distance_m - 4.944_208).abs() < 2e-6, "{way:?}");
    assert!((way.bearing_deg - 77.043_533_545_37).abs() < 1e-5, "{way:?}");
    // Nearly opposite points, where series do not converge.
    let way = inverse(at(-30.0, 0.0), at(29.9, 179.8));
    assert!((way.distance_m - 19_989_832.827_61).abs() < 1e-3, "{way:?}");
    assert!((way.bearing_deg - 161.890_524_736_33).abs() < 1e-8, "{way:?}");
    // Wellington to Salamanca.
    let way = inverse(at(-41.32, 174.81), at(40.96, -5.50));
    assert!((way.distance_m - 19_959_679.267).abs() < 1e-3, "{way:?}");
    assert!((way.bearing_deg - 161.067_669_986).abs() < 1e-8, "{way:?}");
    // One degree square at the equator.
    assert!((distance_m(at(0.0, 0.0), at(1.0, 1.0)) - 156_899.568).abs() < 1e-3);
}

/// Quarter of the meridian 10 001 965.729 m (NGA.STND.0036, WGS 84); equator 111 319.491 m a degree (2 pi a / 360).
#[test]
fn poles_and_equator() {
    let way = inverse(at(0.0, 20.0), at(90.0, 77.0));
    assert!((way.distance_m - 10_001_965.729).abs() < 2e-3, "{way:?}");
    assert!(way.bearing_deg.abs() < 1e-12 || (way.bearing_deg - 360.0).abs() < 1e-12, "{way:?}");
    let way = inverse(at(0.0, 179.5), at(0.0, -179.5));
    assert!((way.distance_m - 111_319.491).abs() < 1e-3 && way.bearing_deg == 90.0, "{way:?}");
    // Over the pole: 1 000 km beyond it on the opposite meridian.
    let end = direct(at(80.0, 10.0), 0.0, 2_000_000.0);
    assert!((end.position.longitude - -170.0).abs() < 1e-9 && (end.course_deg - 180.0).abs() < 1e-9, "{end:?}");
    assert_eq!(inverse(at(12.0, 180.0), at(12.0, -180.0)).distance_m, 0.0);
    // Opposite points of the equator: half the meridian ellipse, over a pole.
    let way = inverse(at(0.0, 0.0), at(0.0, 180.0));
    assert!((way.distance_m - 20_003_931.459).abs() < 2e-3, "{way:?}");
}

/// golden-state: the leg of 36 957.897 m at 220.529115, and the boat 3004.547 m left of it, 203.50 m behind its start;
/// 225.168374 and 37 282.657 m to go.
#[test]
fn off_track_to_the_metre_of_the_golden_state() {
    let (start, aegina, here) = (at(38.0, 23.7), at(37.7466, 23.4275), at(37.9838, 23.7275));
    let off = off_track(start, aegina, here).unwrap();
    assert!((off.cross_m - -3004.547).abs() < 1e-3, "{off:?}");
    assert!((off.along_m - -203.50).abs() < 6e-3, "{off:?}");
    assert!((off.length_m - 36_957.897).abs() < 1e-3, "{off:?}");
    assert!((off.bearing_deg - 220.529_115).abs() < 1e-6, "{off:?}");
    assert!(!off.passed());
    let way = inverse(here, aegina);
    assert!((way.distance_m - 37_282.657).abs() < 1e-3 && (way.bearing_deg - 225.168_374).abs() < 1e-6, "{way:?}");
    // The other way round the boat is on the other side.
    let off = off_track(aegina, start, here).unwrap();
    assert!((off.cross_m - 3004.547).abs() < 1e-3 && off.passed(), "{off:?}");
    assert_eq!(off_track(start, start, here), None);
}

#[test]
fn off_track_is_the_shortest_distance_on_legs_of_any_length() {
    for (from, to, here) in [
        (at(40.0, -74.0), at(51.5, -10.0), at(47.0, -40.0)),
        (at(-33.0, 170.0), at(-20.0, -160.0), at(-35.0, -175.0)),
        (at(60.0, 0.0), at(60.0, 30.0), at(60.0, 15.0)),
        (at(10.0, 10.0), at(10.0, 10.001), at(12.0, 14.0)),
    ] {
        let off = off_track(from, to, here).unwrap();
        for step in [-1000.0, -10.0, 10.0, 1000.0] {
            let aside = direct(from, off.bearing_deg, off.along_m + step).position;
            assert!(distance_m(aside, here) > off.cross_m.abs(), "{off:?} {step}");
        }
        let square = turn(off.course_deg, inverse(off.foot, here).bearing_deg);
        assert!((square.abs() - 90.0).abs() < 1e-5 && square.signum() == off.cross_m.signum(), "{off:?}");
    }
    // 60 N: the great circle between two points of a parallel bulges north, so the boat on the parallel is right of it.
    assert!(off_track(at(60.0, 0.0), at(60.0, 30.0), at(60.0, 15.0)).unwrap().cross_m > 50_000.0);
}

/// The course that keeps a vessel on a geodesic: by Clairaut, sine of course x cosine of reduced latitude is constant.
fn sail_geodesic(from: Position, azimuth: f64, distance: f64, step: f64) -> Position {
    let mut here = from;
    let clairaut = reduced(from.latitude).1 * sin_cos_deg(azimuth).0;
    let heads_north = sin_cos_deg(azimuth).1 > 0.0;
    let mut sailed = 0.0;
    while sailed < distance {
        let d = step.min(distance - sailed);
        let sin = (clairaut / reduced(here.latitude).1).clamp(-1.0, 1.0);
        let north = (1.0 - sin * sin).sqrt() * if heads_north { d } else { -d };
        here = displaced(here, north, sin * d);
        sailed += d;
    }
    here
}

/// An hour in steps of 50 ms at 6.5 and at 40 kn from the start points of GeographicLib's test cases, against Karney's
/// algorithm: 12 and 74 km, to well under a millimetre a kilometre.
#[test]
fn an_hour_of_small_steps_agrees_with_geographiclib() {
    use geographiclib_rs::DirectGeodesic;
    for ((lat, lon, azimuth, ..), knots) in GEODTEST.into_iter().zip([6.5, 40.0].into_iter().cycle()) {
        let metres = knots * 1852.0;
        let sailed = sail_geodesic(at(lat, lon), azimuth, metres, metres / 72_000.0);
        let (lat2, lon2): (f64, f64) = Geodesic::wgs84().direct(lat, lon, azimuth, metres);
        let error = apart(sailed, at(lat2, lon2));
        assert!(error < 1e-6 * metres, "{error} m after {metres} m from {lat} {lon} {azimuth}");
    }
}

/// An hour due east on a parallel: the arc is speed x time over N cos(latitude), N = a / sqrt(1 - e2 sin2). At 60 N:
/// N = 6 394 209.174 m, 12 038 m are 0.215 737 9 degrees of longitude; across the date line.
#[test]
fn an_hour_on_a_parallel_and_across_the_date_line() {
    let mut here = at(60.0, 179.9);
    for _ in 0..72_000 {
        here = displaced(here, 0.0, 12_038.0 / 72_000.0);
    }
    let degrees = 12_038.0 / (6_394_209.174 * 0.5) / DEG_RAD;
    assert!((here.longitude - (179.9 + degrees - 360.0)).abs() < 1e-9, "{here:?}");
    assert_eq!(here.latitude, 60.0);
}

#[test]
fn steps_cross_the_pole_and_ignore_what_is_no_number() {
    let mut here = at(89.999, 25.0);
    for _ in 0..100 {
        here = displaced(here, if here.longitude > 0.0 { 5.0 } else { -5.0 }, 0.0);
    }
    // 0.001 degrees of latitude there are 111.694 m: 388.3 m are left beyond the pole, 0.003 476 8 degrees.
    assert!((here.longitude - -155.0).abs() < 1e-6 && (here.latitude - (90.0 - 0.003_476_5)).abs() < 2e-6, "{here:?}");
    let start = at(10.0, 20.0);
    assert_eq!(displaced(start, f64::NAN, 1.0), start);
    assert_eq!(displaced(start, f64::INFINITY, 1.0), start);
    assert_eq!(displaced(start, 0.0, 0.0), start);
}

#[test]
fn longer_steps_agree_with_shorter_ones() {
    let by_one = displaced(at(45.0, 7.0), 700.0, 700.0);
    let mut by_hundred = at(45.0, 7.0);
    for _ in 0..100 {
        by_hundred = displaced(by_hundred, 7.0, 7.0);
    }
    assert!(apart(by_one, by_hundred) < 1e-4, "{by_one:?} {by_hundred:?}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(256))]
    /// Karney's algorithm is the judge of the series, wherever they claim to converge.
    #[test]
    fn inverse_and_direct_agree_with_karney(lat1 in -90.0..=90.0f64, lon1 in -180.0..=180.0f64, lat2 in -90.0..=90.0f64, lon2 in -180.0..=180.0f64) {
        use geographiclib_rs::DirectGeodesic;
        let (s12, azi1, _azi2, _a12): (f64, f64, f64, f64) = Geodesic::wgs84().inverse(lat1, lon1, lat2, lon2);
        let way = inverse(at(lat1, lon1), at(lat2, lon2));
        proptest::prop_assert!((way.distance_m - s12).abs() < 1e-3, "{way:?} {s12}");
        let end = direct(at(lat1, lon1), azi1, s12);
        let (lat, lon): (f64, f64) = Geodesic::wgs84().direct(lat1, lon1, azi1, s12);
        proptest::prop_assert!(apart(end.position, at(lat, lon)) < 1e-3, "{end:?} {lat} {lon}");
        proptest::prop_assert!((0.0..360.0).contains(&way.bearing_deg) && (0.0..360.0).contains(&end.course_deg));
    }
}

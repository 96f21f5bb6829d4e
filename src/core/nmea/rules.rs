//! What hearing may and may not do to a vessel, and what is done when a sentence would be too long.

use super::golden::{known, state};
use super::{Heard, Style, table};
use crate::core::frame::Origin;
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Label, System, Vessel};

fn hear(vessel: &mut Vessel, sentences: &[&str]) {
    for sentence in sentences {
        assert!(table::hear(sentence.as_bytes(), Heard::default(), vessel).is_some(), "{sentence}");
    }
}

fn near(value: Option<f64>, want: f64) {
    assert!(value.is_some_and(|v| (v - want).abs() < 1e-6), "{value:?}, not {want}");
}

/// Sentences that speak of other things than the vessel, or say themselves that they are void.
#[test]
fn what_is_not_the_vessels_own_never_sets_it() {
    for sentence in [
        "$GPRMC,100000,V,3759.0281,N,02343.6502,E,6.5,45.0,230926,4.6,E,N",
        "$GPGLL,3759.0281,N,02343.6502,E,100000,V,N",
        "$GPGGA,100000,3759.0281,N,02343.6502,E,0,00,,,M,,M,,",
        "$GPGNS,100000,3759.0281,N,02343.6502,E,NN,00,,,,,",
        "$GPVTG,45.0,T,40.4,M,6.5,N,12.0,K,N",
        "$APHSC,45.0,T,40.4,M",
        "$GPWPL,3759.0281,N,02343.6502,E,HERE",
        "$GPBWC,100000,3759.0281,N,02343.6502,E,45.0,T,40.4,M,1.0,N,HERE",
        "$RATLL,1,3759.0281,N,02343.6502,E,SHIP,100000,T,",
        "$RATTM,01,1.00,45.0,T,6.5,45.0,T,0.10,5.0,N,SHIP,T,",
        "$GPRTE,1,1,c,0,HERE,THERE",
        "$RAOSD,45.0,A,45.0,P,6.5,P,,,N",
        "$WIMWV,45.0,R,6.5,N,V",
        "$HETHS,45.0,V",
        "$TIROT,-2.5,V",
        "$VWVBW,6.2,0.0,V,6.5,0.3,V",
        "$IIRSA,3.0,V,,V",
        "!AIVDO,1,1,,,12vg20OvOw<tSF0l4Q@>41Kp0000,0",
    ] {
        let mut v = Vessel::default();
        hear(&mut v, &[sentence]);
        let own = [
            v.sog_kn,
            v.cog_true_deg,
            v.cog_magnetic_deg,
            v.heading_true_deg,
            v.heading_magnetic_deg,
            v.stw_kn,
            v.sog_ahead_kn,
            v.wind_apparent_deg,
            v.wind_apparent_kn,
            v.rate_of_turn_deg_min,
            v.rudder_deg,
            v.gnss.hdop,
        ];
        assert!(v.position.is_none() && own.iter().all(Option::is_none), "{sentence}");
    }
}

#[test]
fn the_position_of_a_void_fix_is_kept_apart() {
    let mut v = Vessel::default();
    hear(&mut v, &["$GPGLL,3759.0000,N,02343.0000,E,100000,A,A", "$GPGLL,3800.0000,N,02344.0000,E,100001,V,N"]);
    near(v.position.bare().map(|p| p.latitude), 37.0 + 59.0 / 60.0);
    near(v.void_position.bare().map(|p| p.latitude), 38.0);
    assert_eq!((v.gnss.valid.bare(), v.gnss.mode.bare()), (Some(false), Some(b'N')));
    assert_eq!(v.time_of_day.bare(), Some(36_001_000_000_000));
}

#[test]
fn the_unit_letter_decides() {
    let mut v = Vessel::default();
    // 10.4 m/s x 3600 / 1852 = 20.215983 kn; 18.52 km/h = 10 kn.
    hear(&mut v, &["$WIMWV,84.0,R,10.4,M,A", "$WIMWV,84.0,T,18.52,K,A"]);
    near(v.wind_apparent_kn.bare(), 10.4 * 3600.0 / 1852.0);
    near(v.wind_true_kn.bare(), 10.0);
    // 432.8 ft x 0.3048 = 131.91744 m; 68.0 F = 20 C; 30 inHg x 33.863886 = 1015.9166 hPa.
    hear(&mut v, &["$IIDBT,432.8,f,,M,,F", "$YXMTW,68.0,F", "$WIMMB,30.0,I,,B"]);
    near(v.depth_m.bare(), 131.917_44);
    near(v.water_c.bare(), 20.0);
    assert!(v.pressure_hpa.bare().is_some_and(|p| (p - 1015.9166).abs() < 1e-3));
    // An unknown letter is no knot.
    let before = v.wind_apparent_kn;
    hear(&mut v, &["$WIMWV,84.0,R,99.0,X,A", "$WIMWV,84.0,R,99.0,,A"]);
    assert_eq!(v.wind_apparent_kn, before);
}

#[test]
fn headings_add_deviation_and_variation() {
    let mut v = Vessel::default();
    // 98.3 compass + 0.1 E = 98.4 magnetic; - 12.6 W = 85.8 true.
    hear(&mut v, &["$HCHDG,98.3,0.1,E,12.6,W"]);
    near(v.heading_compass_deg.bare(), 98.3);
    near(v.heading_magnetic_deg.bare(), 98.4);
    near(v.heading_true_deg.bare(), 85.8);
    // Across north: 359.0 + 4.6 E = 3.6.
    hear(&mut v, &["$HCHDG,359.0,,,4.6,E"]);
    near(v.heading_true_deg.bare(), 3.6);
}

#[test]
fn signs_are_those_of_the_vessel() {
    let mut v = Vessel::default();
    hear(&mut v, &["$IIVWR,024,L,018,N,,,,", "$IIVWT,75,R,1.0,N,0.51,M,1.85,K"]);
    near(v.wind_apparent_deg.bare(), 336.0);
    near(v.wind_true_deg.bare(), 75.0);
    // Steer right: the boat is left of the track.
    hear(&mut v, &["$GPXTE,A,A,0.67,R,N"]);
    near(v.route.cross_track_nm.bare(), -0.67);
    hear(&mut v, &["$GPAPB,A,A,1.00,L,K,V,V,011,M,DEST,012,T,013,T,D"]);
    near(v.route.cross_track_nm.bare(), 1.0 / 1.852);
    // A void one leaves it.
    hear(&mut v, &["$GPXTE,A,V,9.99,L,N"]);
    near(v.route.cross_track_nm.bare(), 1.0 / 1.852);
}

#[test]
fn systems_are_kept_apart() {
    let mut v = Vessel::default();
    hear(
        &mut v,
        &[
            "$GPGSV,1,1,02,02,62,301,44,05,48,077,41",
            "$GLGSV,1,1,01,70,15,030,33",
            "$GNGSA,A,3,02,,,,,,,,,,,,1.7,0.9,1.4,1",
            "$GNGSA,A,3,70,,,,,,,,,,,,1.7,0.9,1.4,2",
            "$GNGSA,A,3,70,,,,,,,,,,,,1.7,0.9,1.4",
        ],
    );
    let gps = &v.gnss.systems[System::Gps as usize - 1];
    let glonass = &v.gnss.systems[System::Glonass as usize - 1];
    assert_eq!(
        (gps.in_view.bare(), gps.used.bare(), glonass.in_view.bare(), glonass.used.bare()),
        (Some(2), Some(1), Some(1), Some(1))
    );
    assert_eq!([gps.satellites[0].used, gps.satellites[1].used, glonass.satellites[0].used], [true, false, true]);
    assert_eq!((gps.satellites[0].azimuth_true_deg, gps.satellites[2].prn), (301, 0));
}

#[test]
fn every_value_knows_when_it_was_heard_and_from_whom() {
    let mut v = Vessel::default();
    let heard = Heard { at: Moment { offset: 5, utc: None }, origin: Origin::Input(3) };
    table::hear(b"$HEHDT,45.0,T*1E", heard, &mut v);
    let heading = v.heading_true_deg.unwrap();
    assert_eq!((heading.at, heading.origin), (5, Origin::Input(3)));
    // An empty field leaves the value and its age.
    table::hear(b"$HEHDT,,T*00", Heard { at: Moment { offset: 9, utc: None }, origin: Origin::Input(3) }, &mut v);
    assert_eq!(v.heading_true_deg.unwrap().at, 5);
}

#[test]
fn engines_are_one_by_number_and_instance() {
    let mut v = Vessel::default();
    hear(&mut v, &["$ERXDR,C,82.0,C,ENGINE#0,T,1800.0,R,ENGINE#0", "$ERRPM,E,2,1810.0,,A", "$ERRPM,E,1,1700.0,,A"]);
    hear(&mut v, &["$ERXDR,C,79.0,C,Engine#1"]);
    let engines: Vec<_> =
        v.engines.iter().flatten().map(|e| (e.number, e.instance, e.rpm.bare(), e.coolant_c.bare())).collect();
    assert_eq!(engines, [(2, 0, Some(1810.0), Some(82.0)), (1, 1, Some(1700.0), Some(79.0))]);
}

#[test]
fn transducers_are_kept_by_type_and_name() {
    let mut v = Vessel::default();
    hear(&mut v, &["$IIXDR,A,0.3,D,HEEL,P,1.0133,B,Barometer,C,,C,AIRTEMP", "$IIXDR,A,0.4,D,Heel,U,12.6,V,HOUSE"]);
    near(v.heel_deg.bare(), 0.4);
    near(v.pressure_hpa.bare(), 1013.3);
    assert!(v.air_c.is_none());
    let names: Vec<String> = v.transducers.iter().flatten().map(|t| t.value.name.to_string()).collect();
    assert_eq!(names, ["Heel", "Barometer", "HOUSE"]);
}

fn say(vessel: &Vessel, id: &str, style: &Style<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let now = Moment { offset: 0, utc: Some(super::golden::NOW) };
    let unsaid =
        (table::by_id(id).unwrap().say)(vessel, now, style, &mut |s| out.push(String::from_utf8_lossy(s).into_owned()));
    assert_eq!(unsaid, 0, "{id}");
    assert!(out.iter().all(|s| s.len() <= 80), "{out:?}");
    out
}

#[test]
fn a_sentence_that_would_be_too_long_gives_up_decimals_then_letters_of_names() {
    let mut v = state();
    let eight = Style { decimals: 8, waypoint_letters: 20, ..Style::default() };
    // GGA has 69 characters with 4 decimals, so 77 with 8: it fits. RMB has 76, so that 6 decimals make the 80.
    assert!(say(&v, "GGA", &eight)[0].contains(",3759.02800000,N,02343.65000000,E,"));
    assert!(say(&v, "RMB", &eight)[0].contains(",3744.796000,N,02325.650000,E,"), "{:?}", say(&v, "RMB", &eight));
    v.route.destination = known(Label::new(b"A LONG WAYPOINT NAME"));
    v.route.origin = known(Label::new(b"ANOTHER LONG ONE"));
    let said = &say(&v, "RMB", &eight)[0];
    assert!(said.contains(",3744.80,N,02325.65,E,") && said.contains(",A LONG "), "{said}");
    // Six letters are the usual; they fit.
    assert!(say(&v, "RMB", &Style::default())[0].contains(",ANOTHE,A LONG,"));
}

#[test]
fn names_lose_what_a_sentence_may_not_hold() {
    let mut v = state();
    v.route.destination = known(Label::new(b"A,B*$!\\^~\r\x80C"));
    assert!(say(&v, "BOD", &Style::default())[0].contains(",ABC,START*"));
}

#[test]
fn several_systems_are_said_by_gn_and_their_satellites_by_each() {
    let mut v = state();
    let glonass = &mut v.gnss.systems[System::Glonass as usize - 1];
    glonass.in_view = known(1);
    glonass.used = known(1);
    glonass.satellites[0] =
        crate::core::vessel::Satellite { prn: 70, elevation_deg: 15, azimuth_true_deg: 30, snr_db: 33, used: true };
    let style = Style { version: super::Version::V410, ..Style::default() };
    let head = |s: &String| s[..6].to_owned();
    for id in ["RMC", "GGA", "GLL", "GNS", "VTG", "ZDA", "GST", "GBS"] {
        assert!(say(&v, id, &style).iter().all(|s| s.starts_with("$GN")), "{id}");
    }
    let gsa = say(&v, "GSA", &style);
    assert_eq!(gsa.iter().map(head).collect::<Vec<_>>(), ["$GNGSA", "$GNGSA"]);
    assert!(gsa[0].contains(",1.4,1*") && gsa[1].contains(",70,,,,,,,,,,,,1.7,0.9,1.4,2*"), "{gsa:?}");
    let gsv = say(&v, "GSV", &style);
    assert_eq!(gsv.iter().map(head).collect::<Vec<_>>(), ["$GPGSV", "$GPGSV", "$GPGSV", "$GLGSV"]);
    assert!(gsv[3].starts_with("$GLGSV,1,1,01,70,15,030,33,1*"), "{gsv:?}");
}

#[test]
fn rounding_never_yields_sixty_minutes_nor_360_nor_minus_nothing() {
    let mut v = state();
    v.position = known(crate::core::vessel::Position { latitude: 37.0 + 59.999_95 / 60.0, longitude: -0.000_000_01 });
    v.heading_true_deg = known(359.95);
    v.cog_true_deg = known(359.96);
    v.rate_of_turn_deg_min = known(-0.04);
    v.variation_deg = known(-0.04);
    assert!(say(&v, "GLL", &Style::default())[0].starts_with("$GPGLL,3800.0000,N,00000.0000,E,"));
    // 359.95 is a little less than its decimal text: 359.9.
    assert!(
        say(&v, "HDT", &Style::default())[0].starts_with("$HEHDT,359.9,T"),
        "{:?}",
        say(&v, "HDT", &Style::default())
    );
    assert!(say(&v, "RMC", &Style::default())[0].contains(",6.5,0.0,220926,0.0,E,A*"));
    assert!(say(&v, "ROT", &Style::default())[0].starts_with("$TIROT,0.0,A"));
}

//! What the vessel says in one fixed state, byte for byte.
//!
//! The sentences were computed by an independent program (geographiclib) and read back by pynmea2, gpsdecode and Signal
//! K; the arithmetic of the less obvious values stands beside them.

use super::{Style, Version, table};
use crate::core::frame::Origin;
use crate::core::time::{Date, MILLISECOND, Moment, SECOND, Utc};
use crate::core::vessel::{Engine, Fix, Known, Label, Position, Satellite, System, Value, Vessel};

/// 2026-09-22 12:34:56.78 UTC.
pub(super) const NOW: Utc = 1_790_080_496 * SECOND + 780 * MILLISECOND;

pub(super) fn known<T>(value: T) -> Value<T> {
    Some(Known { value, at: 0, origin: Origin::Source })
}

fn satellites(list: &[(u16, i8, i16, i8)]) -> [Satellite; 16] {
    let mut all = [Satellite::default(); 16];
    for (place, (prn, elevation_deg, azimuth_true_deg, snr_db)) in all.iter_mut().zip(list.iter().copied()) {
        *place = Satellite { prn, elevation_deg, azimuth_true_deg, snr_db, used: snr_db >= 0 };
    }
    all
}

/// The state of the golden sentences: 37.9838 N 23.7275 E, heading 45.0, variation 4.6 E, 6.5 kn over ground to 47.3.
pub(super) fn state() -> Vessel {
    let mut v = Vessel {
        utc: known(NOW),
        time_of_day: known(NOW.rem_euclid(86_400 * SECOND)),
        position: known(Position { latitude: 37.9838, longitude: 23.7275 }),
        sog_kn: known(6.5),
        cog_true_deg: known(47.3),
        heading_true_deg: known(45.0),
        variation_deg: known(4.6),
        deviation_deg: known(0.0),
        rate_of_turn_deg_min: known(-2.5),
        stw_kn: known(6.2),
        stw_transverse_kn: known(0.0),
        // 6.5 kn at 47.3 - 45.0 = 2.3 degrees: 6.5 cos 2.3 = 6.4948 ahead, 6.5 sin 2.3 = 0.2609 to starboard.
        sog_ahead_kn: known(6.4948),
        sog_transverse_kn: known(0.2609),
        log_nm: known(0.0),
        trip_nm: known(0.0),
        // Ground vector less water vector: north 0.0240, east 0.3929 kn.
        set_true_deg: known(86.51),
        drift_kn: known(0.3936),
        depth_m: known(12.4),
        depth_offset_m: known(0.5),
        water_c: known(21.5),
        wind_apparent_deg: known(256.3946),
        wind_apparent_kn: known(8.4619),
        wind_true_deg: known(225.1184),
        wind_true_kn: known(11.6071),
        wind_direction_true_deg: known(270.0),
        wind_ground_kn: known(12.0),
        rudder_deg: known(-3.5),
        ..Vessel::default()
    };
    v.gnss.fix = known(Fix::ThreeD);
    v.gnss.quality = known(1);
    v.gnss.mode = known(b'A');
    v.gnss.valid = known(true);
    v.gnss.satellites = known(8);
    v.gnss.hdop = known(0.9);
    v.gnss.pdop = known(1.7);
    v.gnss.vdop = known(1.4);
    v.gnss.altitude_m = known(12.3);
    v.gnss.geoid_m = known(34.5);
    v.gnss.range_error_m = known(3.0);
    v.engines[0] =
        Some(Engine { rpm: known(1800.0), coolant_c: known(82.0), running: known(true), ..Engine::default() });
    // START 38.0 N 23.7 E to AEGINA 37.7466 N 23.4275 E; WGS84 by geographiclib: azimuth at START 220.529115; from here
    // 225.168374, 37282.657 m = 20.1310 nm; 3004.547 m = 1.62233 nm left of the leg; 6.5 cos(47.3 - 225.1684) = -6.4955.
    v.route.destination = known(Label::new(b"AEGINA"));
    v.route.destination_position = known(Position { latitude: 37.7466, longitude: 23.4275 });
    v.route.origin = known(Label::new(b"START"));
    v.route.bearing_origin_true_deg = known(220.529_115);
    v.route.bearing_true_deg = known(225.168_374);
    v.route.distance_nm = known(37_282.657 / 1852.0);
    v.route.cross_track_nm = known(-3004.547 / 1852.0);
    v.route.closing_kn = known(-6.4955);
    v.route.arrived = known(false);
    v.route.passed = known(false);
    v.route.arrival_radius_nm = known(0.1);
    v.own.mmsi = 200_000_001;
    v.own.class_a = true;
    v.own.name = Label::new(b"NMEA SIMULATOR X");
    v.own.callsign = Label::new(b"SIM0001");
    v.own.ship_type = 37;
    v.own.dimensions_m = [8, 4, 2, 2];
    v.own.draught_m = 1.8;
    let gps = &mut v.gnss.systems[System::Gps as usize - 1];
    gps.in_view = known(10);
    gps.used = known(8);
    gps.satellites = satellites(&[
        (2, 62, 301, 44),
        (5, 48, 77, 41),
        (7, 31, 143, 38),
        (13, 22, 211, 35),
        (15, 71, 25, 46),
        (18, 15, 318, 30),
        (24, 40, 262, 39),
        (29, 9, 48, 28),
        (10, 6, 190, -1),
        (20, 4, 120, -1),
    ]);
    v
}

fn say(vessel: &Vessel, id: &str, style: &Style<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let row = table::by_id(id).unwrap_or_else(|| panic!("no row {id}"));
    let now = Moment { offset: 0, utc: Some(NOW) };
    let unsaid = (row.say)(vessel, now, style, &mut |s| out.push(String::from_utf8(s.to_vec()).unwrap()));
    assert_eq!(unsaid, 0, "{id}");
    out
}

fn all(vessel: &Vessel, style: &Style<'_>, cases: &[(&str, &[&str])]) {
    for (id, want) in cases {
        assert_eq!(say(vessel, id, style), *want, "{id}");
    }
}

#[test]
fn the_state_is_said_byte_for_byte() {
    all(
        &state(),
        &Style::default(),
        &[
            ("RMC", &["$GPRMC,123456.78,A,3759.0280,N,02343.6500,E,6.5,47.3,220926,4.6,E,A*06"]),
            ("GGA", &["$GPGGA,123456.78,3759.0280,N,02343.6500,E,1,08,0.9,12.3,M,34.5,M,,*50"]),
            ("GLL", &["$GPGLL,3759.0280,N,02343.6500,E,123456.78,A,A*66"]),
            ("GNS", &["$GPGNS,123456.78,3759.0280,N,02343.6500,E,A,08,0.9,12.3,34.5,,*3B"]),
            ("GSA", &["$GPGSA,A,3,02,05,07,13,15,18,24,29,,,,,1.7,0.9,1.4*3A"]),
            (
                "GSV",
                &[
                    "$GPGSV,3,1,10,02,62,301,44,05,48,077,41,07,31,143,38,13,22,211,35*7C",
                    "$GPGSV,3,2,10,15,71,025,46,18,15,318,30,24,40,262,39,29,09,048,28*70",
                    "$GPGSV,3,3,10,10,06,190,,20,04,120,*72",
                ],
            ),
            ("GST", &["$GPGST,123456.78,3.0,1.9,1.9,0.0,1.9,1.9,4.2*5A"]),
            ("GBS", &["$GPGBS,123456.78,1.9,1.9,4.2,,,,*4F"]),
            ("VTG", &["$GPVTG,47.3,T,42.7,M,6.5,N,12.0,K,A*12"]),
            ("ZDA", &["$GPZDA,123456.78,22,09,2026,00,00*61"]),
            ("HDG", &["$HCHDG,40.4,0.0,E,4.6,E*70"]),
            ("HDM", &["$HCHDM,40.4,M*19"]),
            ("HDT", &["$HEHDT,45.0,T*1E"]),
            ("THS", &["$HETHS,45.0,A*1C"]),
            ("ROT", &["$TIROT,-2.5,A*11"]),
            ("VHW", &["$VWVHW,45.0,T,40.4,M,6.2,N,11.5,K*64"]),
            ("VBW", &["$VWVBW,6.2,0.0,A,6.5,0.3,A,,V,,V*46"]),
            ("VLW", &["$VWVLW,0.0,N,0.0,N*4C"]),
            ("VDR", &["$VWVDR,86.5,T,81.9,M,0.4,N*37"]),
            ("DPT", &["$SDDPT,12.4,0.5,*49"]),
            ("DBT", &["$SDDBT,40.7,f,12.4,M,6.8,F*0C"]),
            ("DBS", &["$SDDBS,42.3,f,12.9,M,7.1,F*08"]),
            ("MTW", &["$YXMTW,21.5,C*14"]),
            ("MWV-R", &["$WIMWV,256.4,R,8.5,N,A*2B"]),
            ("MWV-T", &["$WIMWV,225.1,T,11.6,N,A*17"]),
            ("MWD", &["$WIMWD,270.0,T,265.4,M,12.0,N,6.2,M*6D"]),
            ("VWR", &["$WIVWR,103.6,L,8.5,N,4.4,M,15.7,K*73"]),
            ("VWT", &["$WIVWT,134.9,L,11.6,N,6.0,M,21.5,K*46"]),
            ("MDA", &["$WIMDA,,I,,B,,C,21.5,C,,,,C,270.0,T,265.4,M,12.0,N,6.2,M*2B"]),
            ("RSA", &["$IIRSA,-3.5,A,,V*52"]),
            ("APB", &["$GPAPB,A,A,1.622,R,N,V,V,220.5,T,AEGINA,225.2,T,225.2,T,A*66"]),
            ("RMB", &["$GPRMB,A,1.62,R,START,AEGINA,3744.7960,N,02325.6500,E,20.1,225.2,-6.5,V,A*16"]),
            ("XTE", &["$GPXTE,A,A,1.622,R,N,A*2A"]),
            ("BWC", &["$GPBWC,123456.78,3744.7960,N,02325.6500,E,225.2,T,220.6,M,20.1,N,AEGINA,A*76"]),
            ("BOD", &["$GPBOD,220.5,T,215.9,M,AEGINA,START*08"]),
            ("RPM", &["$ERRPM,E,0,1800.0,,A*57"]),
            ("XDR", &["$ERXDR,C,82.0,C,ENGINE#0,T,1800.0,R,ENGINE#0*5C"]),
            ("VDO", &["!AIVDO,1,1,,,12vg20@vA11dWJ`Eg0R1nAKh0000,0*66"]),
            (
                "VDO-STATIC",
                &[
                    "!AIVDO,2,1,0,,52vg20H00001<To3334plD61<TmDh5@u:1P0000U1042240Ht4PAAjCP@000,0*23",
                    "!AIVDO,2,2,0,,00000000000,2*67",
                ],
            ),
            ("VDM", &["!AIVDM,1,1,,A,12vg20@vA11dWJ`Eg0R1nAKh0000,0*25"]),
        ],
    );
}

#[test]
fn nmea_4_10_adds_navigational_status() {
    let style = Style { version: Version::V410, ..Style::default() };
    let mut several = state();
    // GLONASS simulated, none of it used.
    several.gnss.systems[System::Glonass as usize - 1].in_view = known(0);
    several.gnss.systems[System::Glonass as usize - 1].used = known(0);
    let gns = "$GNGNS,123456.78,3759.0280,N,02343.6500,E,AN,08,0.9,12.3,34.5,,,V*11";
    all(&several, &style, &[("GNS", &[gns])]);
    all(&state(), &style, &[("RMC", &["$GPRMC,123456.78,A,3759.0280,N,02343.6500,E,6.5,47.3,220926,4.6,E,A,V*7C"])]);
}

#[test]
fn without_a_fix_time_is_kept_and_the_rest_is_empty() {
    let mut v = state();
    v.position = None;
    v.gnss.fix = known(Fix::None);
    v.gnss.mode = known(b'N');
    all(
        &v,
        &Style::default(),
        &[
            ("RMC", &["$GPRMC,123456.78,V,,,,,,,220926,,,N*78"]),
            ("GGA", &["$GPGGA,123456.78,,,,,0,00,,,M,,M,,*40"]),
            ("GLL", &["$GPGLL,,,,,123456.78,V,N*42"]),
            ("GSA", &["$GPGSA,A,1,,,,,,,,,,,,,,,*1E"]),
            ("GSV", &["$GPGSV,1,1,00*79"]),
            ("VTG", &["$GPVTG,,,,,,,,,N*30"]),
            ("GST", &["$GPGST,123456.78,,,,,,,*71"]),
            ("GBS", &["$GPGBS,123456.78,,,,,,,*67"]),
            ("APB", &["$GPAPB,V,V,,,N,V,V,220.5,T,AEGINA,,,,,N*12"]),
            ("RMB", &["$GPRMB,V,,,START,AEGINA,3744.7960,N,02325.6500,E,,,,V,N*73"]),
            ("XTE", &["$GPXTE,V,V,,,N,N*5E"]),
            ("BWC", &["$GPBWC,123456.78,3744.7960,N,02325.6500,E,,T,,M,,N,AEGINA,N*65"]),
            ("BOD", &["$GPBOD,220.5,T,215.9,M,AEGINA,START*08"]),
            ("VBW", &["$VWVBW,6.2,0.0,A,,,V,,V,,V*51"]),
            ("VDO", &["!AIVDO,1,1,,,12vg20OvOw<tSF0l4Q@>41Kp0000,0*50"]),
            ("GNS", &["$GPGNS,123456.78,,,,,N,00,,,,,*25"]),
            ("ZDA", &["$GPZDA,123456.78,22,09,2026,00,00*61"]),
            ("HDG", &["$HCHDG,40.4,0.0,E,4.6,E*70"]),
            ("MTW", &["$YXMTW,21.5,C*14"]),
        ],
    );
}

#[test]
fn a_cold_start_knows_no_time_either() {
    let mut v = state();
    v.position = None;
    v.utc = None;
    v.gnss.fix = known(Fix::None);
    all(
        &v,
        &Style::default(),
        &[
            ("RMC", &["$GPRMC,,V,,,,,,,,,,N*53"]),
            ("GGA", &["$GPGGA,,,,,,0,00,,,M,,M,,*66"]),
            ("GLL", &["$GPGLL,,,,,,V,N*64"]),
            ("VTG", &["$GPVTG,,,,,,,,,N*30"]),
            ("GSA", &["$GPGSA,A,1,,,,,,,,,,,,,,,*1E"]),
            ("GSV", &["$GPGSV,1,1,00*79"]),
            ("ZDA", &["$GPZDA,,,,,,*48"]),
        ],
    );
}

/// The two example lines of the decision on the log format.
#[test]
fn the_examples_of_the_log_format_are_said_by_their_state() {
    let ten = Date { year: 2026, month: 9, day: 23 }.midnight() + 36_000 * SECOND + 100 * MILLISECOND;
    let mut v = state();
    v.utc = known(ten);
    // 3759.0281 N, 02343.6502 E
    v.position = known(Position { latitude: 37.0 + 59.0281 / 60.0, longitude: 23.0 + 43.6502 / 60.0 });
    v.cog_true_deg = known(45.0);
    v.gnss.altitude_m = known(0.0);
    v.gnss.geoid_m = known(0.0);
    let now = Moment { offset: 0, utc: Some(ten) };
    for (id, want) in [
        ("RMC", "$GPRMC,100000.10,A,3759.0281,N,02343.6502,E,6.5,45.0,230926,4.6,E,A*0D"),
        ("GGA", "$GPGGA,100000.10,3759.0281,N,02343.6502,E,1,08,0.9,0.0,M,0.0,M,,*59"),
    ] {
        let mut out = Vec::new();
        (table::by_id(id).unwrap().say)(&v, now, &Style::default(), &mut |s| out.push(s.to_vec()));
        assert_eq!(String::from_utf8_lossy(&out.concat()), want);
    }
}

#[test]
fn weather_that_would_be_too_long_leaves_the_water_temperature_to_mtw() {
    let mut v = state();
    v.pressure_hpa = known(1013.25);
    v.air_c = known(25.0);
    v.humidity_percent = known(50.0);
    // 1.01325 x 29.52998 = 29.92 inHg; dew point by Magnus 13.86 C. With 21.5 it would have 83 characters with CR LF.
    let want = "$WIMDA,29.92,I,1.013,B,25.0,C,,C,50.0,,13.9,C,270.0,T,265.4,M,12.0,N,6.2,M*27";
    all(&v, &Style::default(), &[("MDA", &[want])]);
    v.wind_ground_kn = known(9.0);
    // One character less in each speed: all of it fits.
    let want = "$WIMDA,29.92,I,1.013,B,25.0,C,21.5,C,50.0,,13.9,C,270.0,T,265.4,M,9.0,N,4.6,M*03";
    all(&v, &Style::default(), &[("MDA", &[want])]);
}

#[test]
fn bearings_for_a_pilot_may_be_magnetic() {
    let style = Style { magnetic_bearings: true, ..Style::default() };
    // 220.529 - 4.6 = 215.9, 225.168 - 4.6 = 220.6
    all(&state(), &style, &[("APB", &["$GPAPB,A,A,1.622,R,N,V,V,215.9,M,AEGINA,220.6,M,220.6,M,A*75"])]);
}

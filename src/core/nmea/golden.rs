//! What the vessel says in one fixed state, byte for byte.
//!
//! The sentences were computed by an independent program (geographiclib) and read back by pynmea2, gpsdecode and Signal
//! K; the arithmetic of the less obvious values stands beside them.

use super::{Style, Version, table};
use crate::core::frame::Origin;
use crate::core::time::{Date, MILLISECOND, Moment, SECOND, Utc};
use crate::core::vessel::{Fix, Known, Position, Satellite, System, Value, Vessel};

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
            ("VTG", &["$GPVTG,47.3,T,42.7,M,6.5,N,12.0,K,A*12"]),
            ("ZDA", &["$GPZDA,123456.78,22,09,2026,00,00*61"]),
            ("HDG", &["$HCHDG,40.4,0.0,E,4.6,E*70"]),
            ("HDT", &["$HEHDT,45.0,T*1E"]),
            ("VHW", &["$VWVHW,45.0,T,40.4,M,6.2,N,11.5,K*64"]),
            ("DPT", &["$SDDPT,12.4,0.5,*49"]),
            ("DBT", &["$SDDBT,40.7,f,12.4,M,6.8,F*0C"]),
            ("MTW", &["$YXMTW,21.5,C*14"]),
            ("MWV-R", &["$WIMWV,256.4,R,8.5,N,A*2B"]),
            ("MWV-T", &["$WIMWV,225.1,T,11.6,N,A*17"]),
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

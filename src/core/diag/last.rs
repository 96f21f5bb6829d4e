//! What a sentence says in a few words: the last value of a row, in the order in which a sailor would read it out.

use super::said::{self, Said, Value};
use crate::core::ais::{Message, Outcome, Part, assembler::Assembler, words};
use crate::core::frame::Origin;
use crate::core::time::{self, DAY};
use crate::core::visible;

/// Longest text, characters.
pub const LAST: usize = 72;

/// A piece of what is said of a formatter; what a sentence does not say is left out.
enum Piece {
    /// Not the letter A: `not valid`.
    Valid(&'static str),
    /// Latitude and longitude whose names begin so.
    Position(&'static str),
    /// The first of these that is there, and the unit behind it.
    Of(&'static [(&'static str, &'static str)]),
    /// A word before a number, and the unit behind it.
    Named(&'static str, &'static str, &'static str),
    /// An angle to the bow, clockwise: `29.4 R`, `131 L`.
    Bow(&'static str),
    /// An angle with E or W, with a word before it.
    East(&'static str, &'static str),
    /// A text or a letter, with a word before it.
    Text(&'static str, &'static str),
    /// The date, and for ZDA the time.
    Date(bool),
}

use Piece::{Bow, Date, East, Named, Of, Position, Text, Valid};

const SPEED: Piece = Of(&[("speed_kn", " kn"), ("speed_kmh", " km/h")]);
const WIND: Piece = Of(&[("wind_kn", " kn"), ("wind_m_s", " m/s"), ("wind_kmh", " km/h"), ("wind_mph", " mph")]);
const DEPTH: Piece = Of(&[("depth_m", " m"), ("depth_ft", " ft"), ("depth_fathoms", " fm")]);
const WATER: Piece = Of(&[("water_c", " C"), ("water_f", " F")]);
const HEADING: Piece = Of(&[("heading_true_deg", " T")]);
const MAGNETIC: Piece = Of(&[("heading_magnetic_deg", " M")]);
const BEARING: Piece =
    Of(&[("bearing_true_deg", " T"), ("bearing_magnetic_deg", " M"), ("bearing_relative_deg", " R")]);
const OFF_TRACK: Piece = Of(&[("cross_track_nm", " nm"), ("cross_track_km", " km")]);

/// What matters of the formatters that are on every boat. All others say their fields by name.
const BRIEF: &[(&str, &[Piece])] = &[
    ("RMC", &[Valid("status"), Position(""), SPEED, Of(&[("course_true_deg", " T")]), Date(false)]),
    ("GGA", &[Named("fix", "quality", ""), Of(&[("satellites", " sat")]), Position(""), Named("hdop", "hdop", "")]),
    ("GLL", &[Valid("status"), Position("")]),
    ("GNS", &[Text("mode", "mode"), Of(&[("satellites", " sat")]), Position(""), Named("hdop", "hdop", "")]),
    (
        "GSA",
        &[Of(&[("fix", "D fix")]), Named("pdop", "pdop", ""), Named("hdop", "hdop", ""), Named("vdop", "vdop", "")],
    ),
    ("GSV", &[Of(&[("in_view", " in view")])]),
    ("VTG", &[Of(&[("course_true_deg", " T")]), Of(&[("course_magnetic_deg", " M")]), SPEED]),
    ("ZDA", &[Date(true)]),
    ("HDG", &[Of(&[("heading_compass_deg", " C")]), East("dev", "deviation_deg"), East("var", "variation_deg")]),
    ("HDM", &[MAGNETIC]),
    ("HDT", &[HEADING]),
    ("THS", &[HEADING, Valid("mode")]),
    ("ROT", &[Valid("status"), Of(&[("rate_deg_min", " deg/min")])]),
    ("VHW", &[Of(&[("water_speed_kn", " kn"), ("water_speed_kmh", " km/h")]), HEADING, MAGNETIC]),
    ("VLW", &[Named("log", "water_total_nm", " nm"), Named("trip", "water_trip_nm", " nm")]),
    ("VDR", &[Named("set", "set_true_deg", " T"), Named("drift", "drift_kn", " kn")]),
    ("DPT", &[DEPTH, Named("offset", "offset_m", " m")]),
    ("DBT", &[DEPTH]),
    ("DBS", &[DEPTH]),
    ("MTW", &[WATER]),
    ("MWV", &[Valid("status"), Bow("wind_angle_deg"), WIND]),
    ("MWD", &[Of(&[("wind_true_deg", " T")]), Of(&[("wind_magnetic_deg", " M")]), WIND]),
    ("VWR", &[Of(&[("wind_angle_deg", "")]), Text("", "side"), WIND]),
    ("VWT", &[Of(&[("wind_angle_deg", "")]), Text("", "side"), WIND]),
    ("RSA", &[Bow("rudder_starboard_deg"), Valid("starboard_status")]),
    ("RPM", &[Of(&[("rpm", " rpm")]), Valid("status")]),
    ("APB", &[Valid("status_1"), Text("", "destination"), BEARING, OFF_TRACK, Text("steer", "steer")]),
    ("XTE", &[Valid("status_1"), OFF_TRACK, Text("steer", "steer")]),
    (
        "RMB",
        &[
            Valid("status"),
            Text("", "destination"),
            BEARING,
            Of(&[("range_nm", " nm")]),
            Named("off track", "cross_track_nm", " nm"),
            Text("steer", "steer"),
        ],
    ),
    ("BWC", &[Text("", "waypoint"), BEARING, Of(&[("distance_nm", " nm")])]),
    ("BWR", &[Text("", "waypoint"), BEARING, Of(&[("distance_nm", " nm")])]),
    ("BOD", &[Text("", "destination"), BEARING]),
    ("WPL", &[Text("", "waypoint"), Position("waypoint_")]),
    (
        "TTM",
        &[
            Text("", "name"),
            Of(&[("distance_nm", " nm"), ("distance_km", " km"), ("distance_mi", " mi")]),
            BEARING,
            Of(&[("cpa_nm", " nm CPA"), ("cpa_km", " km CPA"), ("cpa_mi", " mi CPA")]),
            Of(&[("tcpa_min", " min TCPA")]),
        ],
    ),
];

impl Piece {
    fn say(&self, said: &Said) -> Option<String> {
        let with = |word: &str, value: String| if word.is_empty() { value } else { format!("{word} {value}") };
        match self {
            Valid(name) => said.letter(name).filter(|l| *l != b'A').map(|_| "not valid".into()),
            Position(of) => {
                let latitude = said.number(&format!("{of}latitude"))?;
                let longitude = said.number(&format!("{of}longitude"))?;
                Some(format!("{} {}", degrees(latitude, 2, ['N', 'S']), degrees(longitude, 3, ['E', 'W'])))
            }
            Of(names) => names.iter().find_map(|(name, unit)| Some(format!("{}{unit}", said.number(name)?))),
            Named(word, name, unit) => said.number(name).map(|v| with(word, format!("{v}{unit}"))),
            Bow(name) => said.number(name).map(|v| match v {
                0.0 => "0".into(),
                v if v < 0.0 => format!("{} L", -v),
                // without the noise that a subtraction adds
                v if v > 180.0 => format!("{} L", ((360.0 - v) * 100.0).round() / 100.0),
                v => format!("{v} R"),
            }),
            East(word, name) => {
                said.number(name).map(|v| with(word, format!("{} {}", v.abs(), if v < 0.0 { 'W' } else { 'E' })))
            }
            Text(word, name) => said.text(name).map(|t| with(word, t.to_string())),
            Date(timed) => {
                let date = time::date_of(said.date()?.saturating_mul(DAY));
                let clock = said.time().filter(|_| *timed).map(|t| format!(" {}", time::clock(t)));
                Some(format!("{date}{}", clock.unwrap_or_default()))
            }
        }
    }
}

/// The transducers of an XDR: `ENGINE#0 82 C`.
fn transducers(said: &Said) -> Vec<String> {
    let mut out = Vec::new();
    let (mut value, mut unit) = (None, None);
    for (name, said) in said.all() {
        match (*name, said) {
            ("type", _) => (value, unit) = (None, None),
            ("value", Value::Number(v)) => value = Some(*v),
            ("unit", Value::Letter(l)) => unit = Some(*l),
            ("name", Value::Text(t)) => {
                let Some(v) = value else { continue };
                let unit = unit.map(|l| format!(" {}", visible::text(&[l]))).unwrap_or_default();
                out.push(format!("{t} {v}{unit}"));
            }
            _ => {}
        }
    }
    out
}

/// What a sentence says, in a few words: `37 59.0280 N 023 43.6500 E  speed 6.5 kn`.
pub fn last(text: &[u8]) -> String {
    let Some((parts, row)) = said::parts(text) else { return visible::text(text).chars().take(LAST).collect() };
    if matches!(parts.formatter(), b"VDM" | b"VDO") {
        return ais(text);
    }
    let Some(row) = row else {
        return visible::text(parts.body.unwrap_or_default()).chars().take(LAST).collect();
    };
    let mut said = Said::default();
    said.read(&parts, row);
    let brief = BRIEF.iter().find(|(formatter, _)| formatter.as_bytes() == parts.formatter());
    let mut pieces: Vec<String> = match brief {
        _ if parts.formatter() == b"XDR" => transducers(&said),
        Some((_, pieces)) => pieces.iter().filter_map(|p| p.say(&said)).collect(),
        None => Vec::new(),
    };
    if pieces.is_empty() {
        pieces = by_name(&said);
    }
    let mut out = String::new();
    for piece in pieces {
        let gap = if out.is_empty() { "" } else { "  " };
        if out.chars().count() + gap.len() + piece.chars().count() > LAST {
            break;
        }
        out.push_str(gap);
        out.push_str(&piece);
    }
    out
}

/// Every field by its name, in the order of the wire.
fn by_name(said: &Said) -> Vec<String> {
    let mut out = Vec::new();
    let mut latitude = None;
    for (name, value) in said.all() {
        out.push(match (*name, value) {
            ("time" | "date" | "sentences" | "sentence" | "prn" | "checksum", _) => continue,
            (n, Value::Number(v)) if n.ends_with("latitude") => {
                latitude = Some(degrees(*v, 2, ['N', 'S']));
                continue;
            }
            (n, Value::Number(v)) if n.ends_with("longitude") => {
                format!("{} {}", latitude.take().unwrap_or_default(), degrees(*v, 3, ['E', 'W']))
            }
            (n, Value::Number(v)) => {
                let (words, unit) = split_unit(n);
                format!("{words} {v}{unit}")
            }
            (n, Value::Letter(l)) => format!("{} {}", n.replace('_', " "), visible::text(&[*l])),
            (n, Value::Text(t)) => format!("{} {t}", n.replace('_', " ")),
            (_, Value::Time(_) | Value::Date(_)) => continue,
        });
    }
    out
}

/// `37 59.0280 N`.
fn degrees(value: f64, width: usize, sides: [char; 2]) -> String {
    let ten_thousandths = (value.abs() * 600_000.0).round() as u64;
    let (whole, minutes) = (ten_thousandths / 600_000, ten_thousandths % 600_000);
    let side = sides[usize::from(value < 0.0)];
    format!("{whole:0width$} {:02}.{:04} {side}", minutes / 10_000, minutes % 10_000)
}

/// `speed_kn` is speed, in knots.
fn split_unit(name: &str) -> (String, &'static str) {
    const UNITS: &[(&str, &str)] = &[
        ("_deg_min", " deg/min"),
        ("_deg", ""),
        ("_kn", " kn"),
        ("_kmh", " km/h"),
        ("_m_s", " m/s"),
        ("_nm", " nm"),
        ("_km", " km"),
        ("_ft", " ft"),
        ("_fathoms", " fm"),
        ("_m", " m"),
        ("_c", " C"),
        ("_s", " s"),
        ("_min", " min"),
        ("_percent", " %"),
        ("_db", " dB"),
        ("_bar", " bar"),
        ("_inhg", " inHg"),
    ];
    let found = UNITS.iter().find_map(|(suffix, unit)| Some((name.strip_suffix(suffix)?, *unit)));
    let (stem, unit) = found.unwrap_or((name, ""));
    (stem.replace('_', " "), unit)
}

/// Type and sender of a message of one sentence.
fn ais(text: &[u8]) -> String {
    let Ok(part) = Part::parse(text) else { return String::new() };
    if part.total > 1 {
        return format!("part {} of {}", part.number, part.total);
    }
    match Assembler::new().hear(&part, 0, Origin::Source) {
        Outcome::Complete(whole) => Message::decode(&whole.bits).map_or(String::new(), |d| {
            let h = d.message.header;
            format!("{} {}: {}", h.kind, words::title(h.kind), h.mmsi)
        }),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::nmea::wire::{Field, Group, Slot, Wire};

    #[test]
    fn the_last_value_is_told_in_words_with_units() {
        for (text, said) in [
            (
                "$GPRMC,123519,A,4807.038,N,01131.000,W,022.4,084.4,230394,003.1,W*6A",
                "48 07.0380 N 011 31.0000 W  22.4 kn  84.4 T  1994-03-23",
            ),
            ("$GPRMC,123519,V,,,,,,,230394,,*2A", "not valid  1994-03-23"),
            (
                "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47",
                "fix 1  8 sat  48 07.0380 N 011 31.0000 E  hdop 0.9",
            ),
            ("$GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1*39", "3D fix  pdop 2.5  hdop 1.3  vdop 2.1"),
            ("$GPZDA,013429.00,01,12,2026,00,00*6F", "2026-12-01 01:34:29"),
            ("$HCHDG,219.9,,,5.1,W*3C", "219.9 C  var 5.1 W"),
            ("$WIMWV,330.6,R,17.2,N,A*1C", "29.4 L  17.2 kn"),
            ("$WIMWV,45.0,R,6.3,M,V*00", "not valid  45 R  6.3 m/s"),
            ("$SDDBT,40.8,f,12.4,M,6.8,F*03", "12.4 m"),
            ("$SDDPT,12.4,0.5,*49", "12.4 m  offset 0.5 m"),
            ("$TIROT,-2.5,A*11", "-2.5 deg/min"),
            ("$IIRSA,-3.1,A,,V*56", "3.1 L"),
            ("$ERRPM,E,0,1800.0,,A*57", "1800 rpm"),
            ("$ERXDR,C,82.0,C,ENGINE#0,T,1800.0,R,ENGINE#0*5C", "ENGINE#0 82 C  ENGINE#0 1800 R"),
            ("$GPXTE,A,A,0.002,L,N,A*31", "0.002 nm  steer L"),
            ("$GPBWC,013429.00,3736.0000,N,02403.6000,E,120.1,T,114.9,M,7.2,N,CAPE,A*54", "CAPE  120.1 T  7.2 nm"),
            // not in the list: every field by its name
            ("$IIMMB,29.96,I,1.0145,B*00", "pressure 29.96 inHg  pressure 1.0145 bar"),
            ("!AIVDM,1,1,,A,16SteH0P00Jt63hHaa6SagvJ087r,0*42", "1 Position report, class A (scheduled): 440348000"),
            ("$IIQQQ,\x1b1,2", "^[1,2"),
        ] {
            assert_eq!(last(text.as_bytes()), said, "{text}");
        }
        assert_eq!(last(b"\xff\xfe"), "\\xFF\\xFE");
    }

    /// The names that the fields of a formatter can have.
    #[derive(Default)]
    struct Names(Vec<&'static str>);

    impl Wire for Names {
        fn field(&mut self, field: Field, slot: Slot<'_>) {
            self.0.push(field.name);
            if let Slot::Measure { units, .. } = slot {
                self.0.extend(units.iter().map(|u| u.name));
            }
        }
        fn another(&mut self, _: &'static Group, i: usize, _: usize) -> bool {
            i == 0
        }
        fn more(&mut self, _: bool) -> bool {
            true
        }
    }

    #[test]
    fn each_brief_names_fields_that_its_formatter_has() {
        for (formatter, pieces) in BRIEF {
            let row = crate::core::nmea::table::by_formatter(formatter.as_bytes()).unwrap();
            let mut names = Names::default();
            (row.visit)(&mut [&mut names]);
            for piece in *pieces {
                let wanted = match piece {
                    Valid(n) | Named(_, n, _) | Bow(n) | East(_, n) | Text(_, n) => vec![(*n).to_owned()],
                    Position(of) => vec![format!("{of}latitude"), format!("{of}longitude")],
                    Of(any) => {
                        vec![any.iter().map(|(n, _)| *n).find(|n| names.0.contains(n)).unwrap_or(any[0].0).into()]
                    }
                    Date(_) => vec!["date".into()],
                };
                for name in wanted {
                    assert!(names.0.contains(&&*name), "{formatter} has no {name}: {:?}", names.0);
                }
            }
        }
    }

    #[test]
    fn minutes_never_round_to_sixty() {
        assert_eq!(degrees(37.999_999_99, 2, ['N', 'S']), "38 00.0000 N");
    }
}

//! Values as sailors say them: positions, angles, sides, cross-track, ages, sizes, and the units a person chose.
//!
//! Pure text; an unknown value is `--`, never 0.

use crate::core::time::{self, HOUR, MINUTE, Offset, SECOND, Utc};
use crate::core::vessel::Position;
pub use crate::core::words::{counted, thousands};

/// What stands where nothing is known.
pub const UNKNOWN: &str = "--";

/// Units of speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpeedUnit {
    /// Knots.
    #[default]
    Knots,
    /// Kilometres an hour.
    Kmh,
    /// Metres a second.
    Ms,
}

/// Units of depth and length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthUnit {
    /// Metres.
    #[default]
    Metres,
    /// International feet, 0.3048 m.
    Feet,
    /// Fathoms, six feet.
    Fathoms,
}

/// Units of temperature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeatUnit {
    /// Celsius.
    #[default]
    Celsius,
    /// Fahrenheit.
    Fahrenheit,
}

/// The units shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// Boat and wind.
    pub speed: SpeedUnit,
    /// Depth.
    pub depth: DepthUnit,
    /// Water and air.
    pub heat: HeatUnit,
}

impl Units {
    /// Takes one of `kn kmh m/s m ft fathoms C F`.
    ///
    /// # Errors
    /// One line with what there is.
    pub fn take(&mut self, word: &str) -> Result<(), String> {
        match word {
            "kn" | "knots" => self.speed = SpeedUnit::Knots,
            "kmh" | "km/h" => self.speed = SpeedUnit::Kmh,
            "m/s" | "ms" => self.speed = SpeedUnit::Ms,
            "m" | "metres" | "meters" => self.depth = DepthUnit::Metres,
            "ft" | "feet" => self.depth = DepthUnit::Feet,
            "fathoms" | "fm" => self.depth = DepthUnit::Fathoms,
            "C" | "c" | "celsius" => self.heat = HeatUnit::Celsius,
            "F" | "f" | "fahrenheit" => self.heat = HeatUnit::Fahrenheit,
            _ => return Err(format!("`{word}` is no unit here: use kn, kmh or m/s; m, ft or fathoms; C or F")),
        }
        Ok(())
    }

    /// A speed given in knots, one decimal.
    pub fn speed(self, kn: f64) -> String {
        match self.speed {
            SpeedUnit::Knots => number(kn, 1),
            SpeedUnit::Kmh => number(kn * 1.852, 1),
            SpeedUnit::Ms => number(kn * 1852.0 / 3600.0, 1),
        }
    }

    /// Its unit.
    pub fn speed_unit(self) -> &'static str {
        match self.speed {
            SpeedUnit::Knots => "kn",
            SpeedUnit::Kmh => "km/h",
            SpeedUnit::Ms => "m/s",
        }
    }

    /// A depth given in metres, one decimal.
    pub fn depth(self, m: f64) -> String {
        match self.depth {
            DepthUnit::Metres => number(m, 1),
            DepthUnit::Feet => number(m / 0.3048, 1),
            DepthUnit::Fathoms => number(m / 1.8288, 1),
        }
    }

    /// Its unit.
    pub fn depth_unit(self) -> &'static str {
        match self.depth {
            DepthUnit::Metres => "m",
            DepthUnit::Feet => "ft",
            DepthUnit::Fathoms => "fm",
        }
    }

    /// A temperature given in Celsius, one decimal.
    pub fn heat(self, c: f64) -> String {
        match self.heat {
            HeatUnit::Celsius => number(c, 1),
            HeatUnit::Fahrenheit => number(c * 1.8 + 32.0, 1),
        }
    }

    /// Its unit.
    pub fn heat_unit(self) -> &'static str {
        match self.heat {
            HeatUnit::Celsius => "C",
            HeatUnit::Fahrenheit => "F",
        }
    }
}

/// A number with fixed decimals, without `-0`, and `--` if it is none.
pub fn number(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return UNKNOWN.into();
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|b| matches!(b, b'0' | b'.')) => rest.into(),
        _ => text,
    }
}

/// `084.4`: a bearing with three digits in front and one decimal; never 360.0.
pub fn bearing(deg: f64) -> String {
    if !deg.is_finite() {
        return UNKNOWN.into();
    }
    let tenths = (deg.rem_euclid(360.0) * 10.0).round() as i64 % 3600;
    format!("{:03}.{}", tenths / 10, tenths % 10)
}

/// `085`: a bearing in whole degrees, 000 to 359.
pub fn bearing_whole(deg: f64) -> String {
    if !deg.is_finite() {
        return UNKNOWN.into();
    }
    format!("{:03}", deg.rem_euclid(360.0).round() as i64 % 360)
}

/// Which side an angle from the bow lies on.
fn side(deg: f64) -> (i64, bool) {
    let whole = deg.rem_euclid(360.0).round() as i64 % 360;
    if whole <= 180 { (whole, true) } else { (360 - whole, false) }
}

/// `45 stb`, `104 port`, `0 ahead`, `180 astern`: an angle from the bow, 0 to 360 clockwise.
pub fn relative(deg: f64) -> String {
    if !deg.is_finite() {
        return UNKNOWN.into();
    }
    match side(deg) {
        (0, _) => "0 ahead".into(),
        (180, _) => "180 astern".into(),
        (d, true) => format!("{d} stb"),
        (d, false) => format!("{d} port"),
    }
}

/// `045 R`, `104 L`: the same for a tight column; R is starboard.
pub fn relative_tight(deg: f64) -> String {
    if !deg.is_finite() {
        return UNKNOWN.into();
    }
    match side(deg) {
        (d @ (0 | 180), _) => format!("{d:03}"),
        (d, stb) => format!("{d:03} {}", if stb { 'R' } else { 'L' }),
    }
}

/// `0.02 nm right of track, steer L`: positive is right of the track.
pub fn cross_track(nm: f64) -> String {
    if !nm.is_finite() {
        return UNKNOWN.into();
    }
    if nm.abs() < 0.005 {
        return "on track".into();
    }
    let (at, steer) = if nm > 0.0 { ("right", 'L') } else { ("left", 'R') };
    format!("{:.2} nm {at} of track, steer {steer}", nm.abs())
}

/// `0.02 steer L`, for a tight column.
pub fn cross_track_tight(nm: f64) -> String {
    if !nm.is_finite() {
        return UNKNOWN.into();
    }
    if nm.abs() < 0.005 {
        return "0.00".into();
    }
    format!("{:.2} steer {}", nm.abs(), if nm > 0.0 { 'L' } else { 'R' })
}

fn angle(deg: f64, width: usize, decimals: u32, letters: [char; 2]) -> String {
    let scale = 10_i64.pow(decimals);
    let total = (deg.abs() * 60.0 * scale as f64).round() as i64;
    let (degrees, minutes) = (total / (60 * scale), total % (60 * scale));
    let letter = letters[usize::from(deg < 0.0 && total != 0)];
    let d = decimals as usize;
    format!("{degrees:0width$} {:02}.{:0d$} {letter}", minutes / scale, minutes % scale)
}

/// `48 07.0380 N  011 31.0000 E` with so many decimals of the minutes; the parts may be joined by more than a blank.
pub fn position(p: Position, decimals: u32, between: &str) -> String {
    if !p.latitude.is_finite() || !p.longitude.is_finite() {
        return UNKNOWN.into();
    }
    let (lat, lon) = (angle(p.latitude, 2, decimals, ['N', 'S']), angle(p.longitude, 3, decimals, ['E', 'W']));
    format!("{lat}{between}{lon}")
}

/// `31,338` up to six digits, then `156k`, `62.6M`.
pub fn count(n: u64) -> String {
    match n {
        0..=99_999 => thousands(n),
        100_000..=9_999_999 => format!("{}k", n / 1000),
        _ => format!("{:.1}M", n as f64 / 1e6),
    }
}

/// `512 B`, `1.2 kB`, `128.4 MB`, `3.1 GB`, by thousands.
pub fn size(bytes: u64) -> String {
    let b = bytes as f64;
    match bytes {
        0..=999 => format!("{bytes} B"),
        1_000..=999_949 => format!("{:.1} kB", b / 1e3),
        999_950..=999_949_999 => format!("{:.1} MB", b / 1e6),
        _ => format!("{:.1} GB", b / 1e9),
    }
}

/// `1.2M`: a size for the mode line.
pub fn size_tight(bytes: u64) -> String {
    size(bytes).replace(" B", "B").replace(" kB", "k").replace(" MB", "M").replace(" GB", "G")
}

/// How long, within a sentence: `0.6 s`, `12 s`, `11m05s`.
pub fn passed(ns: i64) -> String {
    let ns = ns.max(0);
    match ns {
        _ if ns < 10 * SECOND => format!("{:.1} s", (ns / 100_000_000) as f64 / 10.0),
        _ if ns < MINUTE => format!("{} s", ns / SECOND),
        _ => duration(ns),
    }
}

/// Age in the least room: `0.6`, `12s`, `11m`, `3h`, `2d`.
pub fn age(ns: i64) -> String {
    let ns = ns.max(0);
    match ns {
        _ if ns < 10 * SECOND => format!("{:.1}", (ns / 100_000_000) as f64 / 10.0),
        _ if ns < MINUTE => format!("{}s", ns / SECOND),
        _ if ns < HOUR => format!("{}m", ns / MINUTE),
        _ if ns < 48 * HOUR => format!("{}h", ns / HOUR),
        _ => format!("{}d", ns / (24 * HOUR)),
    }
}

/// `0:41:07.004`, cut.
pub fn offset_ms(offset: Offset) -> String {
    let ms = offset.unsigned_abs() / 1_000_000;
    let sign = if offset < 0 { "-" } else { "" };
    format!("{sign}{}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}

/// `+0.101`, `+12.5`, `+3h`: what passed since the row above, in seven columns at most.
pub fn delta(ns: Offset) -> String {
    let sign = if ns < 0 { '-' } else { '+' };
    let ms = ns.unsigned_abs() / 1_000_000;
    match ms {
        0..=99_999 => format!("{sign}{}.{:03}", ms / 1000, ms % 1000),
        100_000..=5_999_999 => format!("{sign}{}s", ms / 1000),
        _ => format!("{sign}{}h{:02}", ms / 3_600_000, ms / 60_000 % 60),
    }
}

/// `12:35:07.004`, cut to milliseconds.
pub fn clock_ms(utc: Utc) -> String {
    let ms = time::time_of_day(utc) / 1_000_000;
    format!("{}.{:03}", time::clock(utc), ms % 1000)
}

/// `8h42m18s`, `41m07s`, `12s`.
pub fn duration(ns: Offset) -> String {
    let s = ns.max(0) / SECOND;
    match s {
        0..=59 => format!("{s}s"),
        60..=3599 => format!("{}m{:02}s", s / 60, s % 60),
        _ => format!("{}h{:02}m{:02}s", s / 3600, s / 60 % 60, s % 60),
    }
}

/// At most `width` columns of `text`, with `more` at the end where something was cut.
pub fn cut(text: &str, width: usize, more: &str) -> String {
    use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
    if text.width() <= width {
        return text.into();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let w = c.width().unwrap_or(0);
        if used + w + 1 > width {
            break;
        }
        used += w;
        out.push(c);
    }
    if width > 0 {
        out.push_str(more);
    }
    out
}

/// The same of a path: what is cut is its beginning, for its end tells more.
pub fn cut_front(text: &str, width: usize, more: &str) -> String {
    use unicode_width::UnicodeWidthStr;
    if text.width() <= width || !text.contains('/') {
        return cut(text, width, more);
    }
    let mut tail: Vec<char> = text.chars().collect();
    while !tail.is_empty() && tail.iter().collect::<String>().width() + 1 > width {
        tail.remove(0);
    }
    format!("{more}{}", tail.into_iter().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_never_show_sixty_minutes() {
        let at = |latitude, longitude| position(Position { latitude, longitude }, 4, " ");
        assert_eq!(at(48.1173, 11.516_666_67), "48 07.0380 N 011 31.0000 E"); // 0.1173 * 60 = 7.038
        assert_eq!(at(-0.999_999_99, -179.999_999_999), "01 00.0000 S 180 00.0000 W");
        assert_eq!(at(-1e-9, 0.0), "00 00.0000 N 000 00.0000 E");
        assert_eq!(at(f64::NAN, 0.0), "--");
        assert_eq!(position(Position { latitude: 37.88, longitude: 23.62 }, 3, "  "), "37 52.800 N  023 37.200 E");
    }

    #[test]
    fn angles_as_sailors_say_them() {
        for (deg, said, tight) in [
            (45.0, "45 stb", "045 R"),
            (256.0, "104 port", "104 L"),
            (359.7, "0 ahead", "000"),
            (180.2, "180 astern", "180"),
            (181.0, "179 port", "179 L"),
            (f64::NAN, "--", "--"),
        ] {
            assert_eq!((relative(deg).as_str(), relative_tight(deg).as_str()), (said, tight));
        }
        assert_eq!(bearing(359.96), "000.0");
        assert_eq!(bearing(84.44), "084.4");
        assert_eq!(bearing_whole(359.6), "000");
        assert_eq!(cross_track(0.02), "0.02 nm right of track, steer L");
        assert_eq!(cross_track(-0.3), "0.30 nm left of track, steer R");
        assert_eq!(cross_track(0.001), "on track");
        assert_eq!(number(-0.04, 1), "0.0");
    }

    #[test]
    fn sizes_ages_and_counts_fit_their_columns() {
        assert_eq!(
            (count(99_999), count(156_400), count(62_600_000)),
            ("99,999".into(), "156k".into(), "62.6M".into())
        );
        assert_eq!(
            (size(999), size(128_400_000), size_tight(1_200_000)),
            ("999 B".into(), "128.4 MB".into(), "1.2M".into())
        );
        assert_eq!((age(640_000_000), age(11 * MINUTE), age(-5)), ("0.6".into(), "11m".into(), "0.0".into()));
        assert_eq!(
            (delta(101_000_000), delta(3 * HOUR), delta(-SECOND)),
            ("+0.101".into(), "+3h00".into(), "-1.000".into())
        );
        assert_eq!(duration(31_338 * SECOND), "8h42m18s");
        assert_eq!(offset_ms(90_001_999_999), "0:01:30.001");
        assert_eq!(cut("abcdef", 4, ">"), "abc>");
        assert_eq!(cut_front("a/folder/boat.log", 9, ">"), ">boat.log");
        assert_eq!(cut_front("boat.log", 9, ">"), "boat.log");
        assert_eq!((cut("abcd", 4, ">"), cut("abcd", 0, ">")), ("abcd".into(), String::new()));
    }

    #[test]
    fn units_convert_by_their_definitions() {
        let mut u = Units::default();
        assert_eq!((u.speed(10.0), u.depth(1.8288), u.heat(20.0)), ("10.0".into(), "1.8".into(), "20.0".into()));
        for word in ["kmh", "ft", "F"] {
            assert_eq!(u.take(word), Ok(()));
        }
        // 10 kn = 18.52 km/h; 1.8288 m = 6 ft; 20 C = 68 F
        assert_eq!((u.speed(10.0), u.depth(1.8288), u.heat(20.0)), ("18.5".into(), "6.0".into(), "68.0".into()));
        assert!(u.take("furlong").unwrap_err().contains("no unit"));
    }
}

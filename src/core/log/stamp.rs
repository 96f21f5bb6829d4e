//! Times that loggers write beside a sentence (LOG-FORMAT R5): ISO 8601, Unix times, times of day.
//!
//! Reads text only; which of several times counts, and what is made of it, is decided elsewhere.

use crate::core::time::{DAY, Date, HOUR, MILLISECOND, MINUTE, SECOND, Utc};

/// What a text holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The first absolute time.
    pub utc: Option<Utc>,
    /// The first time of day, nanoseconds since midnight, that is not part of a date and time.
    pub of_day: Option<i64>,
}

/// 1980-01-01 and 2100-01-01, the bounds of a Unix time, in seconds.
const UNIX: std::ops::Range<u64> = 315_532_800..4_102_444_800;

/// Looks through the words in front of a sentence.
pub fn find(text: &[u8]) -> Times {
    let mut times = Times::default();
    let mut i = 0;
    while let Some(step) = text[i..].iter().position(u8::is_ascii_digit) {
        i += step;
        let digits = run(&text[i..]);
        let after = text.get(i + digits).copied();
        i += match (digits, after) {
            (4, Some(b'-' | b'/')) | (8, Some(b'T' | b't' | b' ')) => match date_and_time(&text[i..]) {
                Found::Utc(utc) => {
                    times.utc = Some(utc);
                    return times;
                }
                Found::Impossible(length) => length,
                Found::Nothing => match unix_at(text, i, digits) {
                    Some(utc) => {
                        times.utc = Some(utc);
                        return times;
                    }
                    None => digits,
                },
            },
            (2, Some(b':')) if i == 0 || !matches!(text[i - 1], b':' | b'.') => match time_of_day(&text[i..]) {
                Some((ns, length)) => {
                    times.of_day.get_or_insert(ns);
                    length
                }
                None => digits,
            },
            _ => match unix_at(text, i, digits) {
                Some(utc) => {
                    times.utc = Some(utc);
                    return times;
                }
                None => digits,
            },
        };
    }
    times
}

/// A Unix time and nothing else: seconds, milliseconds, microseconds or nanoseconds by magnitude, with optional fraction.
pub fn unix(text: &[u8]) -> Option<Utc> {
    let digits = run(text);
    let fraction = match &text[digits..] {
        [] => &[][..],
        [b'.', fraction @ ..] if !fraction.is_empty() && run(fraction) == fraction.len() => fraction,
        _ => return None,
    };
    if digits == 0 || digits > 19 {
        return None;
    }
    let value = number(&text[..digits]);
    let unit = [SECOND, 1_000_000, 1000, 1].into_iter().find(|unit| {
        let per_second = (SECOND / unit) as u64;
        UNIX.contains(&(value / per_second))
    })?;
    let fraction = i64::try_from(i128::from(nanoseconds(fraction)) * i128::from(unit) / i128::from(SECOND)).ok()?;
    i64::try_from(value).ok()?.checked_mul(unit)?.checked_add(fraction)
}

/// A Unix time as the last comma-separated field behind the checksum.
pub fn suffix(behind: &[u8]) -> Option<Utc> {
    let comma = memchr::memrchr(b',', behind)?;
    unix(behind[comma + 1..].trim_ascii())
}

/// `2026-09-23T10:00:00.021Z`, exactly: the stamp of a format 1 log. Anything else may still be a time for [`find`].
#[derive(Clone, Debug, Default)]
pub struct FormatOne {
    /// The last stamp's date, hour and minute, and their UTC.
    minute: u128,
    utc: Utc,
    /// The hour is 24: that takes no seconds, and is left to the general reader.
    midnight: bool,
}

impl FormatOne {
    /// Bytes of a stamp.
    pub const LENGTH: usize = 24;

    /// Reads it; quick when the minute is that of the last one.
    #[inline]
    pub fn read(&mut self, text: &[u8]) -> Option<Utc> {
        let stamp: &[u8; 24] = text.first_chunk()?;
        let (minute, rest) = stamp.split_first_chunk::<16>()?;
        let rest: &[u8; 8] = rest.first_chunk()?;
        // Seconds and milliseconds as eight bytes in one number, the first lowest: what is left of digits is 0 to 9 (with 6
        // added less than 16), and of the rest nothing.
        const DIGITS: u64 = 0x000F_0F0F_000F_0F00;
        const SIXES: u64 = 0x0006_0606_0006_0600;
        let rest = u64::from_le_bytes(*rest) ^ u64::from_le_bytes(*b":00.000Z");
        let digit = |n: u32| (rest >> (8 * n) & 0xF) as i64;
        if (rest | rest.wrapping_add(SIXES)) & !DIGITS != 0 || digit(1) > 5 {
            return None;
        }
        if u128::from_ne_bytes(*minute) != self.minute {
            self.next_minute(stamp)?;
        }
        let ms = digit(1) * 10_000 + digit(2) * 1000 + digit(4) * 100 + digit(5) * 10 + digit(6);
        if self.midnight {
            return None;
        }
        self.utc.checked_add(ms * MILLISECOND)
    }

    #[cold]
    fn next_minute(&mut self, stamp: &[u8; 24]) -> Option<()> {
        let minute: &[u8; 16] = stamp.first_chunk()?;
        if !(minute[4] == b'-' && minute[10] == b'T') {
            return None;
        }
        let mut whole = *stamp;
        whole[17..23].copy_from_slice(b"00.000");
        let Found::Utc(utc) = date_and_time(&whole) else { return None };
        self.minute = u128::from_ne_bytes(*minute);
        self.utc = utc;
        self.midnight = &minute[11..13] == b"24";
        Some(())
    }
}

enum Found {
    Utc(Utc),
    /// A date and time that cannot be, and its length: its time of day is none either.
    Impossible(usize),
    Nothing,
}

/// A date and time at the start of a text.
fn date_and_time(text: &[u8]) -> Found {
    let extended = match run(text) {
        4 => true,
        8 => false,
        _ => return Found::Nothing,
    };
    let (date, time) = if extended {
        let [_, _, _, _, s1, m1, m2, s2, d1, d2, rest @ ..] = text else { return Found::Nothing };
        if s1 != s2 || ![m1, m2, d1, d2].into_iter().all(u8::is_ascii_digit) {
            return Found::Nothing;
        }
        ((number(&text[..4]), number(&[*m1, *m2]), number(&[*d1, *d2])), rest)
    } else {
        ((number(&text[..4]), number(&text[4..6]), number(&text[6..8])), &text[8..])
    };
    let [b'T' | b't' | b' ', time @ ..] = time else { return Found::Nothing };
    let Some((clock, clock_length)) = clock(time, extended) else { return Found::Nothing };
    let (zone, zone_length) = zone(&time[clock_length..]);
    let length = text.len() - time.len() + clock_length + zone_length;
    let utc = clock.of_day().and_then(|ns| {
        let day = Date::new(date.0 as i32, date.1 as u8, date.2 as u8)?;
        day.days().checked_mul(DAY)?.checked_add(ns)?.checked_sub(zone)
    });
    utc.map_or(Found::Impossible(length), Found::Utc)
}

/// Hour, minute, second and fraction as written.
struct Clock {
    hour: i64,
    minute: i64,
    second: i64,
    fraction: i64,
}

impl Clock {
    /// Nanoseconds since midnight. 24:00:00 is the next midnight, second 60 the next minute.
    fn of_day(&self) -> Option<i64> {
        let midnight = self.hour == 24 && self.minute == 0 && self.second == 0 && self.fraction == 0;
        let ok = (self.hour < 24 || midnight) && self.minute < 60 && self.second <= 60;
        ok.then_some(self.hour * HOUR + self.minute * MINUTE + self.second * SECOND + self.fraction)
    }
}

/// `10:00`, `10:00:00`, `10:00:00.5` (or without colons), not followed by a further digit.
fn clock(text: &[u8], colons: bool) -> Option<(Clock, usize)> {
    let pair = |at: usize| match text.get(at..at + 2) {
        Some(p) if p.iter().all(u8::is_ascii_digit) => Some(number(p) as i64),
        _ => None,
    };
    let hour = pair(0)?;
    let (minute, second, mut end) = if colons {
        let minute = (text.get(2) == Some(&b':')).then(|| pair(3))??;
        match (text.get(5) == Some(&b':')).then(|| pair(6)).flatten() {
            Some(second) => (minute, Some(second), 8),
            None => (minute, None, 5),
        }
    } else {
        match run(text) {
            4 => (pair(2)?, None, 4),
            6 => (pair(2)?, Some(pair(4)?), 6),
            _ => return None,
        }
    };
    if text.get(end).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let mut fraction = 0;
    if second.is_some() && matches!(text.get(end), Some(b'.' | b',')) {
        let digits = run(&text[end + 1..]);
        if digits > 0 {
            fraction = nanoseconds(&text[end + 1..end + 1 + digits]);
            end += 1 + digits;
        }
    }
    Some((Clock { hour, minute, second: second.unwrap_or(0), fraction }, end))
}

/// `Z`, `±hh:mm`, `±hhmm`, `±hh`, also behind a blank: nanoseconds east of UTC, and its length.
fn zone(text: &[u8]) -> (i64, usize) {
    let blank = usize::from(text.first() == Some(&b' '));
    let rest = &text[blank..];
    let (sign, digits) = match rest {
        [b'Z' | b'z', ..] => return (0, blank + 1),
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return (0, 0),
    };
    let (hours, minutes, length) = match (run(digits), digits) {
        (2, [_, _, b':', m @ ..]) if run(m) == 2 => (number(&digits[..2]), number(&m[..2]), 5),
        (2, _) => (number(&digits[..2]), 0, 2),
        (4, _) => (number(&digits[..2]), number(&digits[2..4]), 4),
        _ => return (0, 0),
    };
    if hours > 23 || minutes > 59 {
        return (0, 0);
    }
    (sign * (hours as i64 * HOUR + minutes as i64 * MINUTE), blank + 1 + length)
}

/// `10:00:00` with optional fraction and nothing but the time.
fn time_of_day(text: &[u8]) -> Option<(i64, usize)> {
    let (clock, length) = clock(text, true)?;
    if length < 8 || clock.hour > 23 || text.get(length) == Some(&b':') {
        return None;
    }
    Some((clock.of_day()?, length))
}

/// A Unix time at `i`, standing between separators or ends.
fn unix_at(text: &[u8], i: usize, digits: usize) -> Option<Utc> {
    if digits < 9 || (i > 0 && !is_separator(text[i - 1])) {
        return None;
    }
    let mut end = i + digits;
    if text.get(end) == Some(&b'.') {
        let fraction = run(&text[end + 1..]);
        end += if fraction > 0 { 1 + fraction } else { 0 };
    }
    if text.get(end).is_some_and(|b| !is_separator(*b)) {
        return None;
    }
    unix(&text[i..end])
}

fn is_separator(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | 0 | b',' | b';' | b'|' | b':' | b'"' | b'[' | b']' | b'(' | b')' | b'<' | b'>' | b'=')
}

/// Digits at the start.
fn run(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

/// Of at most 19 digits.
fn number(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |n, d| n * 10 + u64::from(d - b'0'))
}

/// A decimal fraction in nanoseconds; nine digits count.
pub fn nanoseconds(fraction: &[u8]) -> i64 {
    let digits = &fraction[..fraction.len().min(9)];
    number(digits) as i64 * 10_i64.pow(9 - digits.len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-09-23T10:00:00Z: 2026-09-22 is 1790035200 (see core::time), so 1790121600 + 36000.
    const TEN: Utc = 1_790_157_600 * SECOND;

    #[test]
    fn iso_8601_in_all_its_forms() {
        for (text, seconds) in [
            ("2026-09-23T10:00:00Z", 0.0),
            ("2026-09-23t10:00:00z", 0.0),
            ("2026-09-23 10:00:00", 0.0),
            ("2026/09/23 10:00:00", 0.0),
            ("20260923T100000", 0.0),
            ("20260923 1000", 0.0),
            ("2026-09-23T10:00", 0.0),
            ("2026-09-23T10:00Z", 0.0),
            ("2026-09-23T10:00:00.5", 0.5),
            ("2026-09-23T10:00:00,25Z", 0.25),
            ("20260923T100000.125Z", 0.125),
            ("2026-09-23T12:00:00+02:00", 0.0),
            ("2026-09-23T12:00:00 +0200", 0.0),
            ("2026-09-23T12:00:00+02", 0.0),
            ("2026-09-23T06:30:00.5-03:30", 0.5),
            ("2026-09-23 10:00:00 Z", 0.0),
            ("2026-09-23T09:59:60Z", 0.0),
            ("2026-09-22T24:00:00Z", -36_000.0),
            ("[2026-09-23 10:00:00.5] ", 0.5),
            ("NAV 2026/09/23 10:00:00 gps0 ", 0.0),
            ("line 12: 2026-09-23T10:00:01Z IN 20 Net: '", 1.0),
            ("2026-13-01 11:11:11 2026-09-23T10:00:00Z", 0.0),
            ("2026-09-23T10:00:00-99:00", 0.0), // no zone
            ("2026-09-23T10:00:00 +123", 0.0),
        ] {
            let utc = find(text.as_bytes()).utc.unwrap_or_else(|| panic!("{text}"));
            assert_eq!(utc - TEN, (seconds * 1e9) as i64, "{text}");
        }
    }

    #[test]
    fn nine_digits_of_a_fraction_count() {
        assert_eq!(find(b"2026-09-23T10:00:00.1234567899Z").utc, Some(TEN + 123_456_789));
    }

    #[test]
    fn impossible_dates_are_no_time_nor_is_their_time_of_day() {
        for text in [
            "2026-13-01T10:00:00Z",
            "2026-02-30 10:00:00",
            "2026/00/10 10:00:00.5",
            "2026-09-23T25:00:00",
            "2026-09-23T10:60:00",
            "2026-09-23 10:00:61",
            "2026-09-23T24:00:01",
            "20260931T100000",
            "9999-01-01T10:00:00Z", // beyond what 64-bit nanoseconds hold
        ] {
            assert_eq!(find(text.as_bytes()), Times::default(), "{text}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for text in [
            "2026-09-23",
            "2026-09/23T10:00:00",
            "12026-09-23T10:00:00.1234",
            "2026-9-23T10:00:0",
            "2026-09-23T1000",
            "2026-09-23T10:000",
            "2026092T100000",
            "20260923T10000",
            "1 04520C2B ",
            "-",
            "",
        ] {
            assert_eq!(find(text.as_bytes()).utc, None, "{text}");
        }
    }

    #[test]
    fn unix_times_by_magnitude_between_separators() {
        for (text, utc) in [
            ("1790157600", Some(TEN)),
            ("1790157600.25", Some(TEN + SECOND / 4)),
            ("1790157600250", Some(TEN + SECOND / 4)),
            ("1790157600250.5", Some(TEN + SECOND / 4 + 500_000)),
            ("1790157600250001", Some(TEN + SECOND / 4 + 1000)),
            ("1790157600250001002", Some(TEN + SECOND / 4 + 1002)),
            ("1502364213000;N;", Some(1_502_364_213 * SECOND)),
            ("NMEA,1790157600,", Some(TEN)),
            ("[1790157600]", Some(TEN)),
            ("t=1790157600 ", Some(TEN)),
            ("\u{0}1790157600\u{0}", Some(TEN)),
            ("7 12345 1790157600:", Some(TEN)),
            ("315532800", Some(315_532_800 * SECOND)), // 1980-01-01
            ("315532799", None),
            ("4102444799", Some(4_102_444_799 * SECOND)),
            ("4102444800", None), // 2100-01-01
            ("1790157600a", None),
            ("x1790157600", None),
            ("-1790157600", None),
            ("1790157600.", None),
            ("1790157600.5.5", None),
            ("482115", None),
            ("17901576002500010029", None),
        ] {
            assert_eq!(find(text.as_bytes()).utc, utc, "{text}");
        }
    }

    #[test]
    fn times_of_day() {
        let ten = 10 * HOUR;
        for (text, ns) in [
            ("[10:00:00.123] ", Some(ten + 123_000_000)),
            ("10:00:00 ", Some(ten)),
            ("2026-09-23, 10:00:00", Some(ten)),
            ("09:59:60", Some(ten)),
            ("24:00:00", None),
            ("10:00", None),
            ("10:00:00:01", None),
            ("110:00:00", None),
            ("00:10:61", None),
        ] {
            assert_eq!(find(text.as_bytes()), Times { utc: None, of_day: ns }, "{text}");
        }
        let both = find(b"10:00:00 2026-09-23T10:00:00Z");
        assert_eq!(both.utc, Some(TEN));
    }

    #[test]
    fn suffixes() {
        assert_eq!(suffix(b",1790157600"), Some(TEN));
        assert_eq!(suffix(b",r003,A,1790157600250 "), Some(TEN + SECOND / 4));
        for none in [&b""[..], b"1790157600", b",1790157600,x", b",15", b", "] {
            assert_eq!(suffix(none), None);
        }
    }

    #[test]
    fn the_quick_reader_of_format_1_agrees_with_the_general_one() {
        let mut quick = FormatOne::default();
        for (text, ok) in [
            ("2026-09-23T10:00:00.021Z", true),
            ("2026-09-23T10:00:59.999Z", true),
            ("2026-09-23T10:01:00.000Z $GP", true),
            ("2026-09-23T10:00:60.000Z", false),
            ("2026-09-23T24:00:00.000Z", false),
            ("2026-09-31T10:00:00.000Z", false),
            ("2026-09-23 10:00:00.000Z", false),
            ("2026/09/23T10:00:00.000Z", false),
            ("2026-09-23T10:00:00.00Z ", false),
            ("2026-09-23T10:00:0x.000Z", false),
            ("2@26-09-23T10:00:00.000Z", false), // found by fuzzing
            ("2026-0\u{fc}3T10:00:00.000Z", false),
            ("2026-09-23T1x:00:00.000Z", false),
            ("2262-04-11T23:47:16.854Z", true), // the last that 64 bits hold
            ("2262-04-11T23:47:16.855Z", false),
            ("2026-09-23", false),
        ] {
            let read = quick.read(text.as_bytes());
            assert_eq!(read.is_some(), ok, "{text}");
            assert!(read.is_none() || read == find(text.as_bytes()).utc, "{text}");
        }
    }
}

//! The text of one field to its value. `None` is "refused": not well formed, or out of range.
//!
//! Must not decide what an empty field means: it is never called with one.

use super::digits::{self, Decimal, TENS};
use super::framing::hex;
use super::wire::{Form, TextPlace, TimeOfDay};
use crate::core::time::Date;

/// `hhmmss` and an optional fraction; hours to 23, seconds to 60. Nine digits of the fraction count.
#[inline]
pub fn time(raw: &[u8]) -> Option<TimeOfDay> {
    elapsed(raw).filter(|t| t.hour <= 23)
}

/// As [`time`], with hours to 99.
#[inline]
pub fn elapsed(raw: &[u8]) -> Option<TimeOfDay> {
    let (whole, fraction) = raw.split_at_checked(6)?;
    let two = |i: usize| two_digits(whole, i);
    let (hour, minute, second) = (two(0)?, two(2)?, two(4)?);
    if minute > 59 || second > 60 {
        return None;
    }
    let mut nanos = 0u32;
    let mut digits = 0u8;
    if let Some((point, rest)) = fraction.split_first() {
        if *point != b'.' {
            return None;
        }
        for b in rest {
            let d = b.wrapping_sub(b'0');
            if d > 9 {
                return None;
            }
            if digits < 9 {
                nanos = nanos * 10 + u32::from(d);
                digits += 1;
            }
        }
        nanos *= TENS[usize::from(9 - digits)] as u32;
    }
    Some(TimeOfDay { hour, minute, second, digits, nanos })
}

fn two_digits(raw: &[u8], at: usize) -> Option<u8> {
    let tens = raw.get(at)?.wrapping_sub(b'0');
    let ones = raw.get(at + 1)?.wrapping_sub(b'0');
    (tens <= 9 && ones <= 9).then(|| tens * 10 + ones)
}

/// Hour, minute, second and millisecond.
pub fn split_time(parts: [&[u8]; 4]) -> Option<TimeOfDay> {
    let [hour, minute, second, millisecond] = parts.map(integer);
    let (hour, minute, second, ms) = (hour?, minute?, second?, millisecond?);
    let ok = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..=60).contains(&second);
    (ok && (0..1000).contains(&ms)).then(|| TimeOfDay {
        hour: hour as u8,
        minute: minute as u8,
        second: second as u8,
        digits: 3,
        nanos: ms as u32 * 1_000_000,
    })
}

/// A whole number of up to eight hexadecimal digits.
pub fn hexadecimal(raw: &[u8]) -> Option<u32> {
    if raw.is_empty() || raw.len() > 8 {
        return None;
    }
    raw.iter().try_fold(0u32, |n, d| Some(n << 4 | u32::from(hex(*d)?)))
}

/// `ddmmyy`; 80 to 99 are 19xx.
pub fn date(raw: &[u8]) -> Option<Date> {
    if raw.len() != 6 {
        return None;
    }
    let year = i32::from(two_digits(raw, 4)?);
    Date::new(if year >= 80 { 1900 + year } else { 2000 + year }, two_digits(raw, 2)?, two_digits(raw, 0)?)
}

/// Day, month and year of ZDA. A year of two digits is read as in `ddmmyy`.
pub fn day_month_year(day: &[u8], month: &[u8], year: &[u8]) -> Option<Date> {
    let short = year.len() == 2;
    let year = integer(year)?;
    let year = match year {
        80..=99 if short => 1900 + year,
        0..=79 if short => 2000 + year,
        _ => year,
    };
    let part = |raw| integer(raw).and_then(|n| u8::try_from(n).ok());
    (0..=9999).contains(&year).then(|| Date::new(year, part(month)?, part(day)?))?
}

/// `ddmm.mmmm` with `letter` of positive or negative; degrees, at most `most`.
#[inline]
pub fn degrees(raw: &[u8], letter: &[u8], letters: [u8; 2], most: u64) -> Option<f64> {
    let Decimal { mut digits, mut behind, before, negative } = digits::decimal(raw)?;
    let sign = match letter {
        [l] if l.eq_ignore_ascii_case(&letters[0]) => 1.0,
        [l] if l.eq_ignore_ascii_case(&letters[1]) => -1.0,
        _ => return None,
    };
    if negative || !(3..=5).contains(&before) {
        return None;
    }
    while behind > 9 {
        digits /= 10;
        behind -= 1;
    }
    let scale = TENS[usize::from(behind)];
    let whole = digits / (100 * scale);
    let minutes = digits % (100 * scale);
    if minutes >= 60 * scale || whole > most || (whole == most && minutes > 0) {
        return None;
    }
    // Both numbers are below 2^53, so the division rounds once.
    Some(sign * ((whole * 60 * scale + minutes) as f64 / (60 * scale) as f64))
}

/// A number within the range of its form.
#[inline]
pub fn ranged(raw: &[u8], form: Form) -> Option<f64> {
    let value = digits::number(raw)?;
    let ok = match form {
        Form::Plain => true,
        Form::Positive => value >= 0.0,
        Form::Bearing => (0.0..=360.0).contains(&value),
        Form::HalfCircle => (0.0..=180.0).contains(&value),
        Form::Signed180 => (-180.0..=180.0).contains(&value),
    };
    ok.then_some(value)
}

/// A whole number with an optional sign, at most nine digits. `12.0` is one too.
#[inline]
pub fn integer(raw: &[u8]) -> Option<i32> {
    let d = digits::decimal(raw)?;
    let scale = TENS[usize::from(d.behind.min(15))];
    if d.digits % scale != 0 {
        return None;
    }
    let value = i32::try_from(d.digits / scale).ok()?;
    Some(if d.negative { -value } else { value })
}

/// Text into its place, with `^hh` escapes decoded.
pub fn text(raw: &[u8], place: &mut TextPlace<'_>) {
    if raw.contains(&b'^') {
        place.clear();
        unescape(raw, |b| place.push(b));
    } else {
        place.set(raw);
    }
}

/// Text with `^hh` escapes decoded, byte by byte. A `^` without two digits behind it stays.
pub fn unescape(raw: &[u8], mut push: impl FnMut(u8)) {
    let mut rest = raw;
    while let Some((&b, tail)) = rest.split_first() {
        let escaped = match tail {
            [a, c, ..] if b == b'^' => hex(*a).zip(hex(*c)),
            _ => None,
        };
        if let Some((high, low)) = escaped {
            push(high << 4 | low);
            rest = tail.get(2..).unwrap_or(&[]);
        } else {
            push(b);
            rest = tail;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_hhmmss_and_a_fraction() {
        let t = time(b"100000.10").unwrap();
        assert_eq!((t.hour, t.minute, t.second, t.nanos, t.digits), (10, 0, 0, 100_000_000, 2));
        assert_eq!(time(b"235960").unwrap().second, 60);
        assert_eq!(time(b"120044.567").unwrap().nanos, 567_000_000);
        assert_eq!(time(b"120044.").unwrap().digits, 0);
        for bad in [&b"12004"[..], b"240000", b"126000", b"120061", b"1200445", b"120044,5", b"12004a", b"120044.5x"] {
            assert_eq!(time(bad), None, "{}", String::from_utf8_lossy(bad));
        }
    }

    #[test]
    fn impossible_dates_are_refused() {
        assert_eq!(date(b"290224"), Date::new(2024, 2, 29));
        assert_eq!(date(b"230394"), Date::new(1994, 3, 23));
        for bad in [&b"290223"[..], b"000123", b"321299", b"011323", b"1112", b"0112233", b"+11122"] {
            assert_eq!(date(bad), None, "{}", String::from_utf8_lossy(bad));
        }
        assert_eq!(day_month_year(b"11", b"03", b"2004"), Date::new(2004, 3, 11));
        assert_eq!(day_month_year(b"11", b"03", b"04"), Date::new(2004, 3, 11));
        assert_eq!(day_month_year(b"31", b"04", b"2004"), None);
    }

    #[test]
    fn coordinates_in_range_only() {
        let lat = |raw: &[u8], l: &[u8]| degrees(raw, l, *b"NS", 90);
        assert_eq!(lat(b"9000.0000", b"S"), Some(-90.0));
        // 4807.038: 48 + 7.038 / 60 = 48.1173
        assert_eq!(lat(b"4807.038", b"N"), Some(48.1173));
        for (raw, l) in [
            (&b"9000.0001"[..], &b"N"[..]),
            (b"3760.0000", b"N"),
            (b"3759.0", b""),
            (b"3759.0", b"E"),
            (b"-3759.0", b"N"),
            (b"59.0", b"N"),
            (b"37x9.0", b"N"),
        ] {
            assert_eq!(lat(raw, l), None, "{}", String::from_utf8_lossy(raw));
        }
        assert_eq!(degrees(b"18000.00", b"W", *b"EW", 180), Some(-180.0));
        assert_eq!(degrees(b"18000.01", b"W", *b"EW", 180), None);
    }

    #[test]
    fn directions_up_to_and_with_360() {
        assert_eq!(ranged(b"360.0", Form::Bearing), Some(360.0));
        assert_eq!(ranged(b"360.1", Form::Bearing), None);
        assert_eq!(ranged(b"-0.1", Form::Bearing), None);
        assert_eq!(ranged(b"180.5", Form::HalfCircle), None);
    }

    #[test]
    fn escapes_in_text_are_decoded() {
        let mut out = Vec::new();
        unescape(b"DR MODE-ANTENNA FAULT^21 2^ ^2 ^zz^5E", |b| out.push(b));
        assert_eq!(out, b"DR MODE-ANTENNA FAULT! 2^ ^2 ^zz^");
    }
}

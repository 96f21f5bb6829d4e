//! The UTC inside sentences (LOG-FORMAT §3, rule 2): RMC, GGA, GLL, ZDA, GNS, GST, GBS, GRS and GateHouse's `$PGHP,1`.
//!
//! Reads a time and a date and nothing else; the status of a fix does not matter.

use super::clock::Reading;
use super::stamp::nanoseconds;
use crate::core::time::{DAY, Date, HOUR, MINUTE, SECOND};

/// Whether sentences of this address can carry a time.
pub fn carries(address: &[u8]) -> bool {
    match address {
        b"PGHP" => true,
        [_, _, formatter @ ..] => field_of(formatter).is_some(),
        _ => false,
    }
}

/// How many fields stand before the one that holds the time.
fn field_of(formatter: &[u8]) -> Option<usize> {
    match formatter {
        b"RMC" | b"GGA" | b"ZDA" | b"GNS" | b"GST" | b"GBS" | b"GRS" => Some(0),
        b"GLL" => Some(4),
        _ => None,
    }
}

/// The time that a sentence carries. An impossible date leaves it undated.
pub fn of(sentence: &[u8]) -> Option<Reading> {
    let (address, fields) = parts(sentence)?;
    of_fields(address, fields)
}

/// The address of a sentence, and its fields: from the first comma to the last `*`.
pub(super) fn parts(sentence: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = sentence.get(1..)?;
    let text = &text[..memchr::memrchr(b'*', text).unwrap_or(text.len())];
    let comma = memchr::memchr(b',', text)?;
    Some((&text[..comma], &text[comma + 1..]))
}

/// As [`of`], of a sentence in parts.
pub(super) fn of_fields(address: &[u8], fields: &[u8]) -> Option<Reading> {
    if address == b"PGHP" {
        return of_gatehouse(fields);
    }
    let [_, _, formatter @ ..] = address else { return None };
    let mut fields = fields.split(|b| *b == b',').skip(field_of(formatter)?);
    let ns = time_of_day(fields.next()?)?;
    let date = match formatter {
        b"RMC" => fields.nth(7).and_then(date_of_rmc),
        b"ZDA" => date(fields.next(), fields.next(), fields.next()),
        _ => None,
    };
    Some(reading(date, ns))
}

/// `1,yyyy,m,d,h,m,s,ms,…`
fn of_gatehouse(text: &[u8]) -> Option<Reading> {
    let mut fields = text.split(|b| *b == b',');
    if fields.next() != Some(b"1") {
        return None;
    }
    let (year, month, day) = (fields.next(), fields.next(), fields.next());
    let mut next = |most: u32| fields.next().and_then(|f| integer(f, 3)).filter(|n| *n <= most).map(i64::from);
    let ns = next(23)? * HOUR + next(59)? * MINUTE + next(60)? * SECOND + next(999)? * 1_000_000;
    Some(reading(date(day, month, year), ns))
}

fn reading(date: Option<Date>, ns: i64) -> Reading {
    match date.and_then(|d| d.days().checked_mul(DAY)?.checked_add(ns)) {
        Some(utc) => Reading::utc(utc),
        None => Reading::of_day(ns % DAY),
    }
}

/// `hhmmss` with an optional fraction; hours to 23, seconds to 60.
fn time_of_day(field: &[u8]) -> Option<i64> {
    let (digits, rest) = field.split_first_chunk::<6>()?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let fraction = match rest {
        [] => 0,
        [b'.', fraction @ ..] if fraction.iter().all(u8::is_ascii_digit) => nanoseconds(fraction),
        _ => return None,
    };
    let pair = |i: usize| i64::from(digits[i] - b'0') * 10 + i64::from(digits[i + 1] - b'0');
    let (hour, minute, second) = (pair(0), pair(2), pair(4));
    (hour < 24 && minute < 60 && second <= 60).then_some(hour * HOUR + minute * MINUTE + second * SECOND + fraction)
}

/// `ddmmyy`; 80 to 99 are 19xx.
fn date_of_rmc(field: &[u8]) -> Option<Date> {
    if field.len() != 6 {
        return None;
    }
    let year = integer(&field[4..], 2)?;
    let year = if year >= 80 { 1900 + year } else { 2000 + year };
    Date::new(year as i32, integer(&field[2..4], 2)? as u8, integer(&field[..2], 2)? as u8)
}

fn date(day: Option<&[u8]>, month: Option<&[u8]>, year: Option<&[u8]>) -> Option<Date> {
    let year = year.filter(|y| y.len() == 4)?;
    Date::new(integer(year, 4)? as i32, integer(month?, 2)? as u8, integer(day?, 2)? as u8)
}

/// Digits only, one to `most` of them.
fn integer(field: &[u8], most: usize) -> Option<u32> {
    let ok = (1..=most).contains(&field.len()) && field.iter().all(u8::is_ascii_digit);
    ok.then(|| field.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: i64 = 10 * HOUR;
    /// 2026-09-23T00:00:00Z, see core::time.
    const DAY_OF_TESTS: i64 = 1_790_121_600 * SECOND;

    #[test]
    fn every_formatter_that_carries_a_time() {
        for (text, expected) in [
            (
                "$GPRMC,100000.10,A,3759.0281,N,02343.6502,E,6.5,45.0,230926,4.6,E,A*0D",
                Reading::utc(DAY_OF_TESTS + TEN + 100_000_000),
            ),
            ("$GNRMC,100000,V,,,,,,,230926", Reading::utc(DAY_OF_TESTS + TEN)),
            ("$GPRMC,100000,V,,,,,,,", Reading::of_day(TEN)),
            ("$GPRMC,100000,V", Reading::of_day(TEN)),
            ("$GPRMC,100000,V,,,,,,,310226", Reading::of_day(TEN)), // 31 February
            ("$GPRMC,100000,V,,,,,,,060180", Reading::utc(Date::new(1980, 1, 6).unwrap().midnight() + TEN)),
            ("$GPRMC,100000,V,,,,,,,060179", Reading::utc(Date::new(2079, 1, 6).unwrap().midnight() + TEN)),
            ("$GPGGA,100000.10,3759.0281,N,02343.6502,E,1,08,0.9,0.0,M,0.0,M,,*59", Reading::of_day(TEN + 100_000_000)),
            ("$IIGLL,3759.0,N,02343.6,E,100000,A", Reading::of_day(TEN)),
            ("$GPZDA,100000.00,23,09,2026,00,00", Reading::utc(DAY_OF_TESTS + TEN)),
            ("$GPZDA,100000.00,,,,,", Reading::of_day(TEN)),
            ("$GPZDA,100000.00,23,9,26", Reading::of_day(TEN)),
            ("$GNGNS,100000,,", Reading::of_day(TEN)),
            ("$GPGST,100000,,", Reading::of_day(TEN)),
            ("$GPGBS,100000,,", Reading::of_day(TEN)),
            ("$GPGRS,100000,,", Reading::of_day(TEN)),
            ("$GPGGA,235960,", Reading::of_day(0)),
            ("$GPGGA,100000.,", Reading::of_day(TEN)),
            ("$PGHP,1,2026,9,23,10,0,0,125,,,,1,17*00", Reading::utc(DAY_OF_TESTS + TEN + 125_000_000)),
            ("$PGHP,1,2026,9,31,10,0,0,125,,,,1,17*00", Reading::of_day(TEN + 125_000_000)),
        ] {
            assert_eq!(of(text.as_bytes()), Some(expected), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_time() {
        for text in [
            "$GPGGA,,",
            "$GPGGA,240000,",
            "$GPGGA,106000,",
            "$GPGGA,100061,",
            "$GPGGA,10000,",
            "$GPGGA,1000000,",
            "$GPGGA,100000.x,",
            "$GPGGA, 100000,",
            "$GPGGA",
            "$GPGLL,3759.0,N,02343.6,E",
            "$GPVTG,100000",
            "$RMC,100000,A",
            "$GPXRMC,100000,A",
            "$PGHP,2,2026,9,23,10,0,0,125",
            "$PGHP,1,2026,9,23,24,0,0,125",
            "$PGHP,1,2026,9,23,10,0",
            "$",
            "",
        ] {
            assert_eq!(of(text.as_bytes()), None, "{text}");
        }
        for (address, ok) in [("GPRMC", true), ("PGHP", true), ("GPVTG", false), ("RMC", false), ("GPXRMC", false)] {
            assert_eq!(carries(address.as_bytes()), ok);
        }
    }
}

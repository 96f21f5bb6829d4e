//! Times as XML Schema writes them (`xsd:dateTime` and its shorter forms), as GPX and KML use them.

use crate::core::time::{DAY, Date, HOUR, MINUTE, SECOND, Utc};

/// `2026-09-22T12:34:56.5Z`, `…+03:00`, without a zone (taken as UTC), without seconds, or a date alone (midnight).
/// Anything else, and years outside 1678 to 2261, is no time.
pub(super) fn utc(text: &str) -> Option<Utc> {
    let text = text.trim();
    let (date, rest) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = parts.next().map_or(Some(1), |m| digits(m, 2))?;
    let day = parts.next().map_or(Some(1), |d| digits(d, 2))?;
    if parts.next().is_some() || !(1678..=2261).contains(&year) {
        return None;
    }
    let midnight = Date::new(year as i32, u8::try_from(month).ok()?, u8::try_from(day).ok()?)?.midnight();
    let Some(rest) = rest else { return Some(midnight) };
    let (clock, zone) = zone(rest)?;
    let mut parts = clock.split(':');
    let hour = digits(parts.next()?, 2)?;
    let minute = digits(parts.next()?, 2)?;
    let second = parts.next().map_or(Some(0), seconds)?;
    if parts.next().is_some() || minute > 59 {
        return None;
    }
    let of_day = hour * HOUR + minute * MINUTE + second;
    // 24:00:00 is the end of the day.
    if hour > 23 && of_day != DAY {
        return None;
    }
    Some(midnight + of_day - zone)
}

/// Splits off the zone, in nanoseconds east of Greenwich.
fn zone(text: &str) -> Option<(&str, i64)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    let Some(at) = text.rfind(['+', '-']) else { return Some((text, 0)) };
    let (clock, zone) = text.split_at(at);
    let (hours, minutes) = match zone.as_bytes() {
        [_, _, _] => (digits(zone.get(1..)?, 2)?, 0),
        [_, _, _, b':', _, _] => (digits(zone.get(1..3)?, 2)?, digits(zone.get(4..)?, 2)?),
        [_, _, _, _, _] => (digits(zone.get(1..3)?, 2)?, digits(zone.get(3..)?, 2)?),
        _ => return None,
    };
    if hours > 14 || minutes > 59 {
        return None;
    }
    let east = hours * HOUR + minutes * MINUTE;
    Some((clock, if zone.starts_with('-') { -east } else { east }))
}

/// Seconds (to 60, a leap second) and a fraction, in nanoseconds.
fn seconds(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole = digits(whole, 2).filter(|s| *s <= 60)?;
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let nanos = (0..9).fold(0, |n, i| n * 10 + i64::from(fraction.as_bytes().get(i).map_or(0, |b| b - b'0')));
    Some(whole * SECOND + nanos)
}

/// Exactly so many digits.
fn digits(text: &str, len: usize) -> Option<i64> {
    (text.len() == len && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_time() {
        // 1790080496 is 2026-09-22 12:34:56 UTC (golden-state).
        let moment = 1_790_080_496 * SECOND;
        for (text, expected) in [
            ("2026-09-22T12:34:56Z", Some(moment)),
            (" 2026-09-22t12:34:56.5z\n", Some(moment + SECOND / 2)),
            ("2026-09-22T12:34:56.123456789123Z", Some(moment + 123_456_789)),
            ("2026-09-22T15:34:56+03:00", Some(moment)),
            ("2026-09-22T09:04:56-0330", Some(moment)),
            ("2026-09-22T14:34:56+02", Some(moment)),
            ("2026-09-22T12:34:56", Some(moment)),
            ("2026-09-22 12:34", Some(moment - 56 * SECOND)),
            ("2026-09-22", Some(1_790_035_200 * SECOND)),
            ("2026-09-21T24:00:00Z", Some(1_790_035_200 * SECOND)),
            ("1970", Some(0)),
            ("2026-02-29T00:00:00Z", None),
            ("2026-13-01", None),
            ("2026-09-22T24:00:01Z", None),
            ("2026-09-22T12:60:00Z", None),
            ("2026-09-22T12:34:61Z", None),
            ("2026-09-22T12:34:5xZ", None),
            ("2026-09-22T12:34:56.5xZ", None),
            ("0001-01-01T00:00:00Z", None),
            ("+2026-09-22T00:00:00Z", None),
            ("2026-09-22T12:34:56+é", None),
            ("", None),
            ("T", None),
        ] {
            assert_eq!(utc(text), expected, "{text}");
        }
    }
}

//! Time as numbers: offsets in a source's own time, UTC instants, and the calendar between them.
//!
//! Must not read a clock: whoever needs to know "now" is told.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Nanoseconds in a source's own time since its first sentence; never wall time. Shown cut to milliseconds.
pub type Offset = i64;
/// Nanoseconds since 1970-01-01T00:00:00Z.
pub type Utc = i64;
/// Nanoseconds of the caller's monotonic clock, from an origin of its choice.
pub type Wall = i64;

/// One millisecond in nanoseconds.
pub const MILLISECOND: i64 = 1_000_000;
/// One second in nanoseconds.
pub const SECOND: i64 = 1_000_000_000;
/// One minute in nanoseconds.
pub const MINUTE: i64 = 60 * SECOND;
/// One hour in nanoseconds.
pub const HOUR: i64 = 60 * MINUTE;
/// One day in nanoseconds.
pub const DAY: i64 = 24 * HOUR;

/// A moment of a source: where it stands in its own time, and the UTC that goes with it where that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Nanoseconds since the source's first sentence.
    pub offset: Offset,
    /// UTC, unknown for a log without stamps.
    pub utc: Option<Utc>,
}

/// A calendar day (proleptic Gregorian).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Date {
    /// Year, four digits.
    pub year: i32,
    /// Month 1 to 12.
    pub month: u8,
    /// Day of the month 1 to 31.
    pub day: u8,
}

impl Date {
    /// The day, if it exists (no 30 February).
    pub fn new(year: i32, month: u8, day: u8) -> Option<Date> {
        let ok = (1..=12).contains(&month) && day >= 1 && day <= days_in_month(year, month);
        ok.then_some(Date { year, month, day })
    }

    /// Days since 1970-01-01 (H. Hinnant, "chrono-compatible low-level date algorithms").
    pub fn days(self) -> i64 {
        let y = i64::from(self.year) - i64::from(self.month <= 2);
        let era = y.div_euclid(400);
        let year_of_era = y - era * 400;
        let m = i64::from(self.month);
        let day_of_year = (153 * (if m > 2 { m - 3 } else { m + 9 }) + 2) / 5 + i64::from(self.day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + day_of_era - 719_468
    }

    /// The day that many days after 1970-01-01.
    pub fn from_days(days: i64) -> Date {
        let z = days + 719_468;
        let era = z.div_euclid(146_097);
        let day_of_era = z - era * 146_097;
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let mp = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * mp + 2) / 5 + 1) as u8;
        let month = (if mp < 10 { mp + 3 } else { mp - 9 }) as u8;
        let year = (year_of_era + era * 400 + i64::from(month <= 2)) as i32;
        Date { year, month, day }
    }

    /// Midnight at the start of this day; saturates outside the years 1678 to 2261, which nanoseconds cannot hold.
    pub fn midnight(self) -> Utc {
        self.days().saturating_mul(DAY)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

fn days_in_month(year: i32, month: u8) -> u8 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The day of an instant.
pub fn date_of(utc: Utc) -> Date {
    Date::from_days(utc.div_euclid(DAY))
}

/// Nanoseconds since midnight UTC of an instant.
pub fn time_of_day(utc: Utc) -> i64 {
    utc.rem_euclid(DAY)
}

/// `2026-09-23T10:00:00.021Z`, cut (not rounded) to milliseconds.
pub fn iso_ms(utc: Utc) -> String {
    let ms = time_of_day(utc) / MILLISECOND;
    format!("{}T{:02}:{:02}:{:02}.{:03}Z", date_of(utc), ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}

/// `HH:MM:SS` of the day, cut to seconds.
pub fn clock(utc: Utc) -> String {
    let s = time_of_day(utc) / SECOND;
    format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

/// A span as `H:MM:SS`, cut to seconds; a leading `-` when negative.
pub fn span(offset: Offset) -> String {
    let s = offset.unsigned_abs() / SECOND.unsigned_abs();
    let sign = if offset < 0 { "-" } else { "" };
    format!("{sign}{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_agree_with_the_calendar() {
        // 2000-03-01 is day 11017; 1970-01-01 day 0; 1969-12-31 day -1; 2026-09-22 is 1790035200 / 86400.
        assert_eq!(Date { year: 2000, month: 3, day: 1 }.days(), 11_017);
        assert_eq!(Date { year: 1970, month: 1, day: 1 }.days(), 0);
        assert_eq!(Date::from_days(-1), Date { year: 1969, month: 12, day: 31 });
        assert_eq!(Date { year: 2026, month: 9, day: 22 }.midnight(), 1_790_035_200 * SECOND);
        for days in (-200_000..200_000).step_by(37) {
            assert_eq!(Date::from_days(days).days(), days);
        }
        assert!(Date::new(2026, 2, 29).is_none() && Date::new(2028, 2, 29).is_some());
        assert!(Date::new(1900, 2, 29).is_none() && Date::new(2000, 2, 29).is_some());
    }

    #[test]
    fn text_is_cut_not_rounded() {
        assert_eq!(iso_ms(1_790_080_496_789_999_999), "2026-09-22T12:34:56.789Z");
        assert_eq!(clock(1_790_080_496 * SECOND + 999 * MILLISECOND), "12:34:56");
        assert_eq!(span(-90 * SECOND), "-0:01:30");
        assert_eq!(span(31_338 * SECOND), "8:42:18");
    }
}

//! Where to go, as a person says it: `123`, `50%`, `09:45`, `2026-09-23 09:45:10`, `+90s`, `-5m`, `start`, `end`.
//!
//! One reading for the palette, the prompts, `ctl` and `--start`. Knows no log: [`Target::resolve`] asks the source.

use serde::{Deserialize, Serialize};

use super::{Source, To};
use crate::core::time::{self, DAY, Date, HOUR, MINUTE, Offset, SECOND, Utc};

/// A place in a source's time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Before the first sentence.
    Start,
    /// Behind the last.
    End,
    /// A line of the file, from 1.
    Line(u64),
    /// Of the duration, 0 to 100.
    Percent(f64),
    /// From where the play head stands; at the start that is from the start.
    Skip(Offset),
    /// Nanoseconds since midnight UTC, on the day of the play head or the nearest day the source covers.
    TimeOfDay(i64),
    /// An instant.
    Utc(Utc),
}

/// What may be typed.
pub const FORMS: &str = "a line (123), 50%, a time (09:45 or 2026-09-23 09:45:10), +90s or -5m, start, end";

impl Target {
    /// Reads one of [`FORMS`].
    ///
    /// # Errors
    /// One line that names the text and the forms.
    pub fn parse(text: &str) -> Result<Target, String> {
        let text = text.trim();
        read(text).ok_or_else(|| {
            let shown = crate::core::visible::text(text.as_bytes());
            format!("`{shown}` is no place to go to: use {FORMS}")
        })
    }

    /// The move of the play head that gets there. `furthest` is how far an endless source has come: its 100 %.
    ///
    /// # Errors
    /// When the source has no such time, with the times it has.
    pub fn resolve(self, source: &dyn Source, position: Offset, furthest: Offset) -> Result<To, String> {
        match self {
            Target::Start => Ok(To::Start),
            Target::End => Ok(To::End),
            Target::Line(line) => Ok(To::Line(line)),
            Target::Percent(_) if source.is_growing() => {
                Err("the log is still being read: how long it is will be known in a moment".into())
            }
            Target::Percent(percent) if (0.0..=100.0).contains(&percent) => {
                // Of an endless track: of the lap it is on.
                let (begin, whole) = match (source.duration(), source.lap()) {
                    (Some(whole), _) => (0, whole),
                    (None, Some(lap)) if lap > 0 => (position / lap * lap, lap),
                    (None, _) => (0, furthest),
                };
                Ok(To::Offset(begin + (whole as f64 * (percent / 100.0)) as Offset))
            }
            Target::Percent(percent) => Err(format!("{percent} %: give 0 to 100")),
            Target::Skip(by) => Ok(To::Offset(position.saturating_add(by).max(0))),
            Target::TimeOfDay(of_day) => {
                let (first, last) = covered(source, position)?;
                let here = source.utc(position).unwrap_or(first);
                let midnight = here - time::time_of_day(here);
                let inside = [0, 1, -1].map(|days| midnight + days * DAY + of_day);
                let utc = inside.into_iter().find(|t| (first..=last).contains(t));
                utc.map(|t| To::Offset(offset_of(source, t, position))).ok_or_else(|| outside(first, last))
            }
            Target::Utc(utc) => {
                let (first, last) = covered(source, position)?;
                let inside = (first..=last).contains(&utc);
                if inside { Ok(To::Offset(offset_of(source, utc, position))) } else { Err(outside(first, last)) }
            }
        }
    }
}

/// The latest offset that one can ask an endless source for.
fn horizon(source: &dyn Source, position: Offset) -> Offset {
    source.duration().unwrap_or_else(|| position.saturating_add(2 * DAY))
}

fn covered(source: &dyn Source, position: Offset) -> Result<(Utc, Utc), String> {
    match (source.utc(0), source.utc(horizon(source, position))) {
        (Some(first), Some(last)) => Ok((first, last.max(first))),
        _ => Err("this source has no time of day: go by offset (+90s), percent or line".into()),
    }
}

fn outside(first: Utc, last: Utc) -> String {
    format!(
        "not in this source, which runs {} {} to {} {}",
        time::date_of(first),
        time::clock(first),
        time::date_of(last),
        time::clock(last)
    )
}

/// The first offset whose UTC is not before `utc`: sixty halvings at most.
fn offset_of(source: &dyn Source, utc: Utc, position: Offset) -> Offset {
    let (mut low, mut high) = (0, horizon(source, position));
    while low < high {
        let middle = low + (high - low) / 2;
        if source.utc(middle).is_some_and(|t| t >= utc) { high = middle } else { low = middle + 1 }
    }
    low
}

fn read(text: &str) -> Option<Target> {
    match text {
        "start" | "0" => return Some(Target::Start),
        "end" => return Some(Target::End),
        _ => {}
    }
    if let Some(number) = text.strip_suffix('%') {
        let percent: f64 = plain(number.trim_end(), 1)?.parse().ok()?;
        return (0.0..=100.0).contains(&percent).then_some(Target::Percent(percent));
    }
    if let Some(rest) = text.strip_prefix('+') {
        return Some(Target::Skip(span(rest)?));
    }
    if let Some(rest) = text.strip_prefix('-') {
        return Some(Target::Skip(-span(rest)?));
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse().ok().map(Target::Line);
    }
    let (day, clock) = match text.split_once([' ', 'T', 't']) {
        Some((day, clock)) => (Some(date(day)?), clock.trim_end_matches(['Z', 'z'])),
        None if text.contains('-') => return Some(Target::Utc(date(text)?.midnight())),
        None => (None, text.trim_end_matches(['Z', 'z'])),
    };
    let of_day = of_day(clock)?;
    Some(match day {
        Some(day) => Target::Utc(day.midnight().saturating_add(of_day)),
        None => Target::TimeOfDay(of_day),
    })
}

/// Digits with at most so many points: what `f64` reads and nothing odd (`1e9`, `inf`).
fn plain(text: &str, points: usize) -> Option<&str> {
    let ok = text.len() <= 15 && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (ok && text.starts_with(|c: char| c.is_ascii_digit()) && text.matches('.').count() <= points).then_some(text)
}

/// `90`, `90s`, `1.5h`, `10:00` (minutes and seconds), `1:00:00`.
fn span(text: &str) -> Option<Offset> {
    if text.contains(':') {
        let parts: Vec<&str> = text.split(':').collect();
        let (hours, minutes, seconds) = match parts.as_slice() {
            [m, s] => ("0", *m, *s),
            [h, m, s] => (*h, *m, *s),
            _ => return None,
        };
        let seconds: f64 = plain(seconds, 1)?.parse().ok().filter(|s| *s < 60.0)?;
        let minutes: i64 = plain(minutes, 0)?.parse().ok().filter(|m| *m < 10_000)?;
        let hours: i64 = plain(hours, 0)?.parse().ok().filter(|h| *h < 100_000)?;
        return Some(hours * HOUR + minutes * MINUTE + (seconds * SECOND as f64) as i64);
    }
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, SECOND / 1000),
        None => match text.as_bytes().last()? {
            b's' => (&text[..text.len() - 1], SECOND),
            b'm' => (&text[..text.len() - 1], MINUTE),
            b'h' => (&text[..text.len() - 1], HOUR),
            _ => (text, SECOND),
        },
    };
    let number: f64 = plain(number, 1)?.parse().ok().filter(|n| *n < 1e8)?;
    let nanoseconds = number * unit as f64;
    (nanoseconds < i64::MAX as f64 / 4.0).then_some(nanoseconds as i64)
}

fn date(text: &str) -> Option<Date> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 {
        return None;
    }
    Date::new(plain(year, 0)?.parse().ok()?, plain(month, 0)?.parse().ok()?, plain(day, 0)?.parse().ok()?)
}

fn of_day(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next().unwrap_or("0"));
    if parts.next().is_some() {
        return None;
    }
    let hours: i64 = plain(hours, 0)?.parse().ok().filter(|h| *h < 24)?;
    let minutes: i64 = plain(minutes, 0)?.parse().ok().filter(|m| *m < 60)?;
    let seconds: f64 = plain(seconds, 1)?.parse().ok().filter(|s| *s < 60.0)?;
    Some(hours * HOUR + minutes * MINUTE + (seconds * SECOND as f64).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_is_read() {
        let day = Date { year: 2026, month: 9, day: 23 }.midnight();
        let nine = 9 * HOUR + 45 * MINUTE;
        for (text, want) in [
            ("123", Target::Line(123)),
            ("50%", Target::Percent(50.0)),
            ("39.9 %", Target::Percent(39.9)),
            ("09:45", Target::TimeOfDay(nine)),
            ("9:45:10.5", Target::TimeOfDay(nine + 10 * SECOND + SECOND / 2)),
            ("09:45Z", Target::TimeOfDay(nine)),
            ("2026-09-23 09:45:10", Target::Utc(day + nine + 10 * SECOND)),
            ("2026-09-23T09:45:10Z", Target::Utc(day + nine + 10 * SECOND)),
            ("2026-09-23", Target::Utc(day)),
            ("+90s", Target::Skip(90 * SECOND)),
            ("+90", Target::Skip(90 * SECOND)),
            ("-5m", Target::Skip(-5 * MINUTE)),
            ("+1.5h", Target::Skip(90 * MINUTE)),
            ("+10:00", Target::Skip(10 * MINUTE)),
            ("+1:00:00", Target::Skip(HOUR)),
            ("+250ms", Target::Skip(SECOND / 4)),
            (" start ", Target::Start),
            ("end", Target::End),
        ] {
            assert_eq!(Target::parse(text), Ok(want), "{text}");
        }
    }

    #[test]
    fn what_is_no_place_is_refused_in_one_line() {
        for text in [
            "",
            "101%",
            "-1%",
            "25:00",
            "09:60",
            "2026-02-30",
            "+",
            "-",
            "+5x",
            "abc",
            "1e9%",
            "inf%",
            "9:45:61",
            "+\u{e9}",
            "\u{1b}[2J",
            "99999999999999999999999",
        ] {
            let error = Target::parse(text).unwrap_err();
            assert!(error.contains("50%") && !error.contains('\n') && !error.contains('\u{1b}'), "{text}: {error}");
        }
    }
}

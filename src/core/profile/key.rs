//! One key of a profile: what it is called, what it may be, what it means. [`super::keys`] is the list of them.
//!
//! Reads and checks single values. Must not know what a value is used for.

use toml::Value;

use crate::core::time::{DAY, Date, MINUTE, Offset, SECOND, Utc};
use crate::core::visible;

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number, both ends included.
    Number(f64, f64),
    /// A direction: 0 to 360, and a nudge goes round.
    Angle,
    /// A whole number, both ends included.
    Integer(i64, i64),
    /// true or false.
    Switch,
    /// Printable text of at most so many characters.
    Text(usize),
    /// A sentence from its address on, whose checksum is made.
    Body,
    /// So many capital letters or digits, from and to.
    Letters(usize, usize),
    /// One of these.
    Choice(&'static [&'static str]),
    /// Several of these.
    Choices(&'static [&'static str]),
    /// One of these words, or a number.
    WordOr(&'static [&'static str], f64, f64),
    /// So many numbers.
    Numbers(usize, f64, f64),
    /// Texts.
    Texts,
    /// A length of time, 50 ms to 1 h: `500ms`, `1s`, `6min`, `1h`; a bare number is milliseconds.
    Period,
    /// A time since the start: `00:05:00`, `90s`, `500ms`; a bare number is seconds.
    At,
    /// `now`, or an ISO 8601 time in UTC.
    Start,
    /// Nine digits of which the first three are those of a country.
    Mmsi,
    /// A table whose names are keys of the profile.
    Changes,
}

/// A key of the profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Dotted; `*` stands for any element of a list or name of a table.
    pub path: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// Its default as TOML; empty: absent, and it may be taken away.
    pub default: &'static str,
    /// Its unit, empty for none.
    pub unit: &'static str,
    /// One step of a nudge; 0: cannot be nudged.
    pub step: f64,
    /// May change while running.
    pub live: bool,
    /// A quantity with a random walk.
    pub drifts: bool,
    /// An element without it is refused.
    pub required: bool,
    /// One sentence.
    pub doc: &'static str,
    /// What an absent key may look like, as TOML.
    pub example: &'static str,
}

/// A key with its path, kind, default and meaning; the rest by the methods below.
pub const fn key(path: &'static str, kind: Kind, default: &'static str, doc: &'static str) -> Key {
    Key { path, kind, default, unit: "", step: 0.0, live: false, drifts: false, required: false, doc, example: "" }
}

impl Key {
    /// With a unit.
    pub const fn unit(mut self, unit: &'static str) -> Key {
        self.unit = unit;
        self
    }

    /// May change while running, and is nudged by this step.
    pub const fn live(mut self, step: f64) -> Key {
        self.live = true;
        self.step = step;
        self
    }

    /// Has a random walk.
    pub const fn drifts(mut self) -> Key {
        self.drifts = true;
        self
    }

    /// Must be there.
    pub const fn required(mut self) -> Key {
        self.required = true;
        self
    }

    /// What it may look like.
    pub const fn example(mut self, example: &'static str) -> Key {
        self.example = example;
        self
    }

    /// Its last name.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }

    /// Its section: everything before its last name; empty at the top.
    pub fn section(&self) -> &'static str {
        self.path.rsplit_once('.').map_or("", |(section, _)| section)
    }

    /// Whether a concrete path fits the pattern.
    pub fn fits(&self, path: &[&str]) -> bool {
        let mut pattern = self.path.split('.');
        path.iter().all(|p| pattern.next().is_some_and(|q| q == "*" || q == *p)) && pattern.next().is_none()
    }

    /// What it may be, in words.
    pub fn range(&self) -> String {
        match self.kind {
            Kind::Number(low, high) | Kind::Numbers(1, low, high) => format!("{low} to {high}"),
            Kind::Angle => "0 to 360".into(),
            Kind::Integer(low, i64::MAX) => format!("{low} or more"),
            Kind::Integer(low, high) => format!("{low} to {high}"),
            Kind::Switch => "true or false".into(),
            Kind::Text(most) => format!("at most {most} printable characters"),
            Kind::Body => {
                "printable characters without $ ! \\ that make at most 82 with start, checksum and CR LF".into()
            }
            Kind::Letters(low, high) if low == high => format!("{low} capital letters or digits"),
            Kind::Letters(_, high) => format!("at most {high} capital letters or digits"),
            Kind::Choice(words) => words.join(", "),
            Kind::Choices(words) => format!("some of {}", words.join(", ")),
            Kind::WordOr(words, low, high) => format!("{}, or {low} to {high}", words.join(", ")),
            Kind::Numbers(n, low, high) => format!("{n} numbers of {low} to {high}"),
            Kind::Texts => "a list of texts".into(),
            Kind::Period => "50ms to 1h".into(),
            Kind::At => "a time since the start, as 00:05:00 or 90s".into(),
            Kind::Start => "now, or a UTC time as 2026-09-22T12:00:00Z".into(),
            Kind::Mmsi => "nine digits beginning with 200 to 775".into(),
            Kind::Changes => "a table of keys and values".into(),
        }
    }

    /// Checks a value and brings it into its usual form (whole numbers become numbers, periods text with a unit).
    ///
    /// # Errors
    /// What is wrong and what it may be, without the name of the key.
    pub fn check(&self, value: &Value) -> Result<Value, String> {
        let wrong = || format!("{} is not allowed: give {}", shown(value), self.range());
        let within = |x: f64, low: f64, high: f64| (x >= low && x <= high).then_some(Value::Float(x)).ok_or_else(wrong);
        match self.kind {
            Kind::Number(low, high) => within(number(value).ok_or_else(wrong)?, low, high),
            Kind::Angle => within(number(value).ok_or_else(wrong)?, 0.0, 360.0),
            Kind::Integer(low, high) => match value {
                Value::Integer(i) if (low..=high).contains(i) => Ok(value.clone()),
                _ => Err(wrong()),
            },
            Kind::Switch => match value {
                Value::Boolean(_) => Ok(value.clone()),
                _ => Err(wrong()),
            },
            Kind::Text(most) => match value {
                Value::String(s) if s.chars().count() <= most && !s.chars().any(char::is_control) => Ok(value.clone()),
                _ => Err(wrong()),
            },
            Kind::Body => match value {
                Value::String(s) if crate::core::sim::custom::own(s).is_some() => Ok(value.clone()),
                _ => Err(wrong()),
            },
            Kind::Letters(low, high) => match value {
                Value::String(s)
                    if (low..=high).contains(&s.len())
                        && s.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()) =>
                {
                    Ok(value.clone())
                }
                _ => Err(wrong()),
            },
            Kind::Choice(words) => one_of(value, words).ok_or_else(wrong),
            Kind::Choices(words) => {
                let Value::Array(list) = value else { return Err(wrong()) };
                list.iter().map(|v| one_of(v, words).ok_or_else(wrong)).collect::<Result<_, _>>().map(Value::Array)
            }
            Kind::WordOr(words, low, high) => match number(value) {
                Some(x) => within(x, low, high),
                None => one_of(value, words).ok_or_else(wrong),
            },
            Kind::Numbers(n, low, high) => match value {
                Value::Array(list) if list.len() == n => list
                    .iter()
                    .map(|v| number(v).ok_or_else(wrong).and_then(|x| within(x, low, high)))
                    .collect::<Result<_, _>>()
                    .map(Value::Array),
                _ => Err(wrong()),
            },
            Kind::Texts => match value {
                Value::Array(list) if list.iter().all(Value::is_str) => Ok(value.clone()),
                _ => Err(wrong()),
            },
            Kind::Period => match period(value) {
                Some(ms @ 50..=3_600_000) => Ok(Value::String(period_text(ms))),
                _ => Err(wrong()),
            },
            Kind::At => at(value).map(|t| Value::String(at_text(t))).ok_or_else(wrong),
            Kind::Start => match value {
                Value::String(s) if s == "now" => Ok(value.clone()),
                Value::String(s) => utc(s).map(|_| value.clone()).ok_or_else(wrong),
                Value::Datetime(d) => utc(&d.to_string()).map(|_| Value::String(d.to_string())).ok_or_else(wrong),
                _ => Err(wrong()),
            },
            Kind::Mmsi => match value {
                Value::Integer(m) if (200_000_000..776_000_000).contains(m) => Ok(value.clone()),
                _ => Err(wrong()),
            },
            Kind::Changes => match value {
                Value::Table(_) => Ok(value.clone()),
                _ => Err(wrong()),
            },
        }
    }

    /// Reads a value as it is typed: as TOML would, bare words as text, lists also with commas alone.
    ///
    /// # Errors
    /// As [`Key::check`].
    pub fn read(&self, text: &str) -> Result<Value, String> {
        let text = text.trim();
        let as_toml = toml::from_str::<toml::Table>(&format!("v = {text}")).ok().and_then(|mut t| t.remove("v"));
        let value = match self.kind {
            Kind::Switch => match text {
                "on" | "yes" | "true" => Value::Boolean(true),
                "off" | "no" | "false" => Value::Boolean(false),
                _ => Value::String(text.into()),
            },
            Kind::Text(_) | Kind::Body | Kind::Letters(..) | Kind::Choice(_) | Kind::Start => match as_toml {
                Some(Value::String(s)) => Value::String(s),
                _ => Value::String(text.into()),
            },
            Kind::Texts | Kind::Choices(_) => match as_toml {
                Some(list @ Value::Array(_)) => list,
                Some(one @ Value::String(_)) => Value::Array(vec![one]),
                _ => {
                    let words = text.split(',').map(str::trim).filter(|w| !w.is_empty());
                    Value::Array(words.map(|w| Value::String(w.into())).collect())
                }
            },
            Kind::Numbers(..) => match as_toml {
                Some(list @ Value::Array(_)) => list,
                _ => {
                    let numbers = text.split(',').map(|w| w.trim().parse::<f64>().map(Value::Float));
                    numbers.collect::<Result<_, _>>().map_or_else(|_| Value::String(text.into()), Value::Array)
                }
            },
            _ => as_toml.unwrap_or_else(|| Value::String(text.into())),
        };
        self.check(&value)
    }
}

/// A value as it would be typed.
pub fn text_of(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        Value::Array(list) => list.iter().map(text_of).collect::<Vec<_>>().join(","),
        Value::Float(x) => number_text(*x),
        other => other.to_string(),
    }
}

/// A number without noise: at most nine decimals, none that say nothing.
pub fn number_text(x: f64) -> String {
    let text = format!("{x:.9}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(s) => format!("\"{s}\""),
        other => text_of(other),
    };
    let text = visible::text(text.as_bytes());
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_string(),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(x) if x.is_finite() => Some(*x),
        Value::Integer(i) => Some(*i as f64),
        _ => None,
    }
}

fn one_of(value: &Value, words: &[&str]) -> Option<Value> {
    let text = match value {
        Value::String(s) => s.clone(),
        Value::Integer(_) | Value::Float(_) => text_of(value),
        _ => return None,
    };
    words.iter().find(|w| w.eq_ignore_ascii_case(&text)).map(|w| Value::String((*w).into()))
}

/// Splits `500ms` into 500 and `ms`.
fn number_and_unit(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let number: f64 = text[..end].trim().parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some((number, &text[end..]))
}

fn unit_ns(unit: &str) -> Option<f64> {
    Some(match unit {
        "ms" => 1e6,
        "s" => 1e9,
        "m" | "min" => 60e9,
        "h" => 3600e9,
        _ => return None,
    })
}

/// Milliseconds of a period; a bare number is milliseconds.
pub fn period(value: &Value) -> Option<u32> {
    let ns = match value {
        Value::Integer(ms) => *ms as f64 * 1e6,
        Value::String(s) => match number_and_unit(s)? {
            (ms, "") => ms * 1e6,
            (n, unit) => n * unit_ns(unit)?,
        },
        _ => return None,
    };
    let ms = ns / 1e6;
    (ms.fract() == 0.0 && ms <= f64::from(u32::MAX)).then_some(ms as u32)
}

/// A period as it would be typed.
pub fn period_text(ms: u32) -> String {
    match ms {
        0 => "0ms".into(),
        ms if ms % 3_600_000 == 0 => format!("{}h", ms / 3_600_000),
        ms if ms % 60_000 == 0 => format!("{}min", ms / 60_000),
        ms if ms % 1000 == 0 => format!("{}s", ms / 1000),
        ms => format!("{ms}ms"),
    }
}

/// A time since the start; a bare number is seconds.
pub fn at(value: &Value) -> Option<Offset> {
    let ns = match value {
        Value::Integer(s) => *s as f64 * 1e9,
        Value::Float(s) => *s * 1e9,
        Value::Datetime(d) => return at(&Value::String(d.to_string())),
        Value::String(s) if s.contains(':') => {
            let mut parts = s.split(':').rev();
            let seconds: f64 = parts.next()?.parse().ok()?;
            let minutes: u32 = parts.next()?.parse().ok()?;
            let hours: u32 = parts.next().map_or(Some(0), |h| h.parse().ok())?;
            if parts.next().is_some() || !(0.0..60.0).contains(&seconds) || (hours > 0 && minutes > 59) {
                return None;
            }
            (f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0 + seconds) * 1e9
        }
        Value::String(s) => match number_and_unit(s)? {
            (n, "") => n * 1e9,
            (n, unit) => n * unit_ns(unit)?,
        },
        _ => return None,
    };
    // A hundred years are enough for any voyage.
    (0.0..3.2e18).contains(&ns).then_some((ns / 1e6).round() as Offset * 1_000_000)
}

/// A time since the start as it would be typed: `00:05:00`, with milliseconds where there are any.
pub fn at_text(t: Offset) -> String {
    let (s, ms) = (t / SECOND, t / 1_000_000 % 1000);
    let whole = format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
    if ms == 0 { whole } else { format!("{whole}.{ms:03}") }
}

/// Reads an ISO 8601 time: date, `T` or blank, time to the minute or finer, `Z`, nothing (UTC) or an offset.
pub fn utc(text: &str) -> Option<Utc> {
    let text = text.trim();
    let (date, rest) = text.split_at_checked(10)?;
    let mut ymd = date.split('-');
    let date = Date::new(
        ymd.next().filter(|y| y.len() == 4)?.parse().ok()?,
        ymd.next()?.parse().ok()?,
        ymd.next()?.parse().ok()?,
    )?;
    if !(1970..=2262).contains(&date.year) || date.days() > 106_000 {
        return None;
    }
    if rest.is_empty() {
        return Some(date.midnight());
    }
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let zone = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    let (time, zone) = rest.split_at(zone);
    let offset = match zone {
        "" | "Z" | "z" => 0,
        zone => {
            let (sign, hm) = zone.split_at(1);
            let (h, m) = hm.split_once(':').or_else(|| hm.split_at_checked(2)).unwrap_or((hm, "0"));
            let minutes =
                h.parse::<i64>().ok().filter(|h| *h < 24)? * 60 + m.parse::<i64>().ok().filter(|m| *m < 60)?;
            minutes * MINUTE * if sign == "-" { -1 } else { 1 }
        }
    };
    let mut hms = time.split(':');
    let h: i64 = hms.next()?.parse().ok().filter(|h| (0..24).contains(h))?;
    let m: i64 = hms.next()?.parse().ok().filter(|m| (0..60).contains(m))?;
    let s: f64 = hms.next().map_or(Some(0.0), |s| s.parse().ok()).filter(|s| (0.0..60.0).contains(s))?;
    if hms.next().is_some() {
        return None;
    }
    let day = (h * 3600 + m * 60) * SECOND + (s * 1000.0).round() as i64 * 1_000_000;
    let t = date.midnight().saturating_add(day).saturating_sub(offset);
    (t > -DAY).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_periods_as_people_write_them() {
        let s = |t: &str| Value::String(t.into());
        for (text, ms) in
            [("500ms", 500), ("1s", 1000), ("6min", 360_000), ("1h", 3_600_000), ("0.5 s", 500), ("250", 250)]
        {
            assert_eq!(period(&s(text)), Some(ms), "{text}");
        }
        assert_eq!(period(&Value::Integer(2000)), Some(2000));
        for text in ["", "s", "-1s", "1d", "nan", "0.5ms", "1e99h"] {
            assert_eq!(period(&s(text)), None, "{text}");
        }
        for (text, seconds) in
            [("00:05:00", 300.0), ("1:30", 90.0), ("90:00", 5400.0), ("90s", 90.0), ("2h", 7200.0), ("0.25", 0.25)]
        {
            assert_eq!(at(&s(text)), Some((seconds * 1e9) as i64), "{text}");
        }
        for text in ["00:60", "1:60:00", "1:2:3:4", "-5s", "soon", ":"] {
            assert_eq!(at(&s(text)), None, "{text}");
        }
        assert_eq!(at_text(3_723_450 * 1_000_000), "01:02:03.450");
        // 2026-09-22T12:34:56Z is 1790080496 (golden state).
        for text in
            ["2026-09-22T12:34:56Z", "2026-09-22 12:34:56", "2026-09-22T15:34:56+03:00", "2026-09-22T10:04:56-0230"]
        {
            assert_eq!(utc(text), Some(1_790_080_496 * SECOND), "{text}");
        }
        assert_eq!(utc("2028-02-29"), Some(1_835_395_200 * SECOND));
        for text in
            ["2026-02-29", "now", "2026-9-22", "2026-09-22T25:00", "9999-01-01", "2026-09-22T12:00:00+99", "2300-01-01"]
        {
            assert_eq!(utc(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_read_as_typed_and_checked() {
        let k = |kind| key("a.b", kind, "", "");
        let number = k(Kind::Number(-5.0, 5.0));
        assert_eq!(number.read("3").unwrap(), Value::Float(3.0));
        assert_eq!(number.read("-0.5").unwrap(), Value::Float(-0.5));
        for bad in ["6", "nan", "inf", "x", "", "\"3\"", "[1]"] {
            let error = number.read(bad).unwrap_err();
            assert!(error.ends_with("give -5 to 5"), "{error}");
        }
        assert_eq!(k(Kind::Switch).read("on").unwrap(), Value::Boolean(true));
        assert_eq!(k(Kind::Text(8)).read("AEGINA").unwrap(), Value::String("AEGINA".into()));
        assert_eq!(k(Kind::Text(8)).read("12").unwrap(), Value::String("12".into()));
        assert!(k(Kind::Text(8)).read("far too long").is_err());
        assert!(k(Kind::Text(8)).check(&Value::String("a\nb".into())).is_err());
        assert_eq!(k(Kind::Choice(&["2.3", "4.10"])).read("4.10").unwrap(), Value::String("4.10".into()));
        assert_eq!(text_of(&k(Kind::Choices(&["gps", "galileo"])).read("gps, GALILEO").unwrap()), "gps,galileo");
        assert_eq!(k(Kind::WordOr(&["model"], -180.0, 180.0)).read("4.6").unwrap(), Value::Float(4.6));
        assert_eq!(k(Kind::WordOr(&["model"], -180.0, 180.0)).read("model").unwrap(), Value::String("model".into()));
        assert!(k(Kind::Mmsi).read("199999999").is_err());
        assert!(k(Kind::Mmsi).read("200000001").is_ok());
        assert_eq!(k(Kind::Start).read("2026-09-22T12:00:00Z").unwrap(), Value::String("2026-09-22T12:00:00Z".into()));
        assert_eq!(number_text(0.1 + 0.2), "0.3");
        assert_eq!(number_text(-0.0), "0");
    }
}

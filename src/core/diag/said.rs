//! What one sentence says, by the names of the one table of formatters: the values that the rules compare.
//!
//! A visitor over the fields that a reader has filled. Judges nothing.

use crate::core::nmea::framing::{self, Parts};
use crate::core::nmea::reader::Reader;
use crate::core::nmea::table::{self, Formatter};
use crate::core::nmea::wire::{Field, Group, Slot, Wire};
use crate::core::time::{DAY, Utc};
use crate::core::vessel::Label;

/// Most values kept of one sentence (GSV has 20, XDR with eight transducers 32).
const MOST: usize = 48;

/// One value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// In the unit of the name.
    Number(f64),
    /// A letter.
    Letter(u8),
    /// Nanoseconds since midnight.
    Time(i64),
    /// Days since 1970.
    Date(i64),
    /// The first 20 characters.
    Text(Label),
}

/// The values of one sentence in wire order.
#[derive(Clone, Debug, Default)]
pub struct Said {
    values: Vec<(&'static str, Value)>,
}

impl Said {
    /// Reads a sentence whose row is known. Keeps its allocation.
    pub fn read(&mut self, parts: &Parts<'_>, row: &Formatter) {
        self.values.clear();
        let mut reader = Reader::new(parts.body);
        (row.visit)(&mut [&mut reader, self]);
    }

    /// Nothing said.
    pub fn forget(&mut self) {
        self.values.clear();
    }

    /// All values in wire order.
    pub fn all(&self) -> &[(&'static str, Value)] {
        &self.values
    }

    fn find(&self, name: &str) -> Option<Value> {
        self.values.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }

    /// A number.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.find(name) {
            Some(Value::Number(n)) => Some(n),
            _ => None,
        }
    }

    /// A letter.
    pub fn letter(&self, name: &str) -> Option<u8> {
        match self.find(name) {
            Some(Value::Letter(l)) => Some(l),
            Some(Value::Text(t)) => match t.as_bytes() {
                [l] => Some(*l),
                _ => None,
            },
            _ => None,
        }
    }

    /// A text, or a number as text.
    pub fn text(&self, name: &str) -> Option<Label> {
        match self.find(name) {
            Some(Value::Text(t)) => Some(t),
            Some(Value::Letter(l)) => Some(Label::new(&[l])),
            Some(Value::Number(n)) => Some(Label::new(n.to_string().as_bytes())),
            _ => None,
        }
    }

    /// Nanoseconds since midnight.
    pub fn time(&self) -> Option<i64> {
        match self.find("time") {
            Some(Value::Time(t)) => Some(t),
            _ => None,
        }
    }

    /// Days since 1970.
    pub fn date(&self) -> Option<i64> {
        match self.find("date") {
            Some(Value::Date(d)) => Some(d),
            _ => None,
        }
    }

    /// Date and time of day, where a number holds them.
    pub fn utc(&self) -> Option<Utc> {
        self.date()?.checked_mul(DAY)?.checked_add(self.time()?)
    }

    /// Latitude and longitude of the vessel.
    pub fn position(&self) -> Option<(f64, f64)> {
        self.number("latitude").zip(self.number("longitude"))
    }

    fn put(&mut self, name: &'static str, value: Option<Value>) {
        if let Some(value) = value
            && self.values.len() < MOST
        {
            self.values.push((name, value));
        }
    }
}

impl Wire for Said {
    fn field(&mut self, field: Field, slot: Slot<'_>) {
        let name = field.name;
        match slot {
            Slot::Time(v) | Slot::SplitTime(v) => self.put(name, v.as_ref().map(|t| Value::Time(t.nanos_of_day()))),
            Slot::Date(v) | Slot::DayMonthYear(v) | Slot::YearMonthDay(v) => {
                self.put(name, v.as_ref().map(|d| Value::Date(d.midnight() / DAY)))
            }
            Slot::Latitude(v) | Slot::Longitude(v) => self.put(name, v.map(Value::Number)),
            Slot::Number { value, .. } | Slot::Signed { value, .. } => self.put(name, value.map(Value::Number)),
            Slot::Integer { value, .. } => self.put(name, value.map(|n| Value::Number(n.into()))),
            Slot::Measure { value, units, .. } => {
                let named = units.iter().find(|u| u.letter == value.unit).map(|u| u.name);
                self.put(named.unwrap_or(name), value.value.map(Value::Number));
            }
            Slot::Letter { value, .. } => self.put(name, value.map(Value::Letter)),
            Slot::Text { value, .. } => {
                let text = value.get();
                self.put(name, Some(Value::Text(Label::new(text))).filter(|_| !text.is_empty()));
            }
            // Nothing that a rule compares.
            Slot::Elapsed(_) | Slot::Hex { .. } | Slot::UnitLetter { .. } | Slot::Unused => {}
        }
    }

    fn another(&mut self, group: &'static Group, i: usize, len: usize) -> bool {
        i < if group.fixed { usize::from(group.most) } else { len }
    }

    fn more(&mut self, have: bool) -> bool {
        have
    }
}

/// One sentence with its parts and its row.
pub fn parts(text: &[u8]) -> Option<(Parts<'_>, Option<&'static Formatter>)> {
    let parts = framing::split(text)?;
    Some((parts, table::by_formatter(parts.formatter())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_the_names_of_the_table() {
        let text = b"$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A";
        let (parts, row) = parts(text).unwrap();
        let mut said = Said::default();
        said.read(&parts, row.unwrap());
        assert_eq!((said.number("speed_kn"), said.letter("status")), (Some(22.4), Some(b'A')));
        assert_eq!(said.number("variation_deg"), Some(-3.1));
        // 12:35:19 are 45319 s; 1994-03-23 is day 8847 (24 years with 6 leap days, then 31 + 28 + 22).
        assert_eq!((said.time(), said.date()), (Some(45_319_000_000_000), Some(24 * 365 + 6 + 31 + 28 + 22)));
        assert!((said.position().unwrap().0 - 48.1173).abs() < 1e-9);
        assert_eq!(said.number("course_magnetic_deg"), None);
    }
}

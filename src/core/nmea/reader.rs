//! The visitor that fills a sentence from its bytes.
//!
//! Field by field: what is empty stays `None`, what is not well formed or out of range is refused and counted, and the
//! rest is read. Allocates nothing.

use super::wire::{Field, Form, Group, Slot, TextPlace, TimeOfDay, Wire};
use super::{Faults, parse};

/// Reads the body of a sentence (behind the address, without the checksum).
pub struct Reader<'a> {
    body: &'a [u8],
    at: usize,
    ended: bool,
    faults: Faults,
}

impl<'a> Reader<'a> {
    /// Before the first field; `None` is a sentence without any.
    pub fn new(body: Option<&'a [u8]>) -> Reader<'a> {
        Reader { body: body.unwrap_or(&[]), at: 0, ended: body.is_none(), faults: Faults::default() }
    }

    /// What was wrong, with the fields that nobody asked for counted as extra.
    pub fn finish(&mut self) -> Faults {
        self.faults.extra = u8::try_from(self.remaining()).unwrap_or(u8::MAX);
        self.faults
    }

    /// What was wrong so far.
    pub fn faults(&self) -> Faults {
        self.faults
    }

    /// Where the next field begins, in bytes of the body.
    pub fn position(&self) -> usize {
        self.at.min(self.body.len())
    }

    /// The bytes of the body from one position up to the last field read.
    pub fn since(&self, from: usize) -> &'a [u8] {
        let to = if self.ended { self.body.len() } else { self.at.saturating_sub(1) };
        self.body.get(from..to).unwrap_or(&[])
    }

    /// Nothing left to read.
    pub fn is_done(&self) -> bool {
        self.ended
    }

    /// The next field, as it is.
    #[inline]
    pub fn raw(&mut self) -> Option<&'a [u8]> {
        if self.ended {
            return None;
        }
        let rest = self.body.get(self.at..).unwrap_or(&[]);
        match rest.iter().position(|b| *b == b',') {
            Some(n) => {
                self.at += n + 1;
                Some(&rest[..n])
            }
            None => {
                self.at = self.body.len();
                self.ended = true;
                Some(rest)
            }
        }
    }

    /// The next field that the formatter has: blanks around it do not count; a missing one is counted and empty.
    #[inline]
    fn take(&mut self) -> &'a [u8] {
        match self.raw() {
            Some(raw) => match raw {
                [b' ', ..] | [.., b' '] => raw.trim_ascii(),
                _ => raw,
            },
            None => {
                self.faults.missing = self.faults.missing.saturating_add(1);
                &[]
            }
        }
    }

    /// The field `ahead` fields behind the next one.
    fn peek(&self, ahead: usize) -> &'a [u8] {
        let rest = if self.ended { &[] } else { self.body.get(self.at..).unwrap_or(&[]) };
        rest.split(|b| *b == b',').nth(ahead).unwrap_or(&[]).trim_ascii()
    }

    fn remaining(&self) -> usize {
        if self.ended { 0 } else { self.body.get(self.at..).unwrap_or(&[]).iter().filter(|b| **b == b',').count() + 1 }
    }

    #[inline]
    fn put<T>(&mut self, raw: &[u8], value: &mut Option<T>, parse: impl FnOnce(&[u8]) -> Option<T>) {
        *value = None;
        if !raw.is_empty() {
            *value = parse(raw);
            if value.is_none() {
                self.bad();
            }
        }
    }

    /// A value of several fields, `empty` when all of them are.
    fn several<T>(&mut self, empty: bool, value: &mut Option<T>, parse: impl FnOnce() -> Option<T>) {
        *value = if empty { None } else { parse() };
        if value.is_none() && !empty {
            self.bad();
        }
    }

    #[cold]
    fn bad(&mut self) {
        self.faults.bad = self.faults.bad.saturating_add(1);
    }

    #[inline]
    fn degrees(&mut self, value: &mut Option<f64>, letters: [u8; 2], most: u64) {
        let raw = self.take();
        let letter = self.take();
        self.put(raw, value, |raw| parse::degrees(raw, letter, letters, most));
    }

    fn signed(&mut self, value: &mut Option<f64>, letters: [u8; 2], form: Form) {
        let raw = self.take();
        let letter = self.take();
        self.put(raw, value, |raw| {
            let magnitude = parse::ranged(raw, form)?;
            match letter {
                [l] if l.eq_ignore_ascii_case(&letters[0]) => Some(magnitude),
                [l] if l.eq_ignore_ascii_case(&letters[1]) => Some(0.0 - magnitude),
                // A zero needs no side.
                [] if magnitude == 0.0 => Some(magnitude),
                _ => None,
            }
        });
    }

    fn words(&mut self, value: &mut TextPlace<'_>) {
        let raw = self.raw();
        if raw.is_none() {
            self.faults.missing = self.faults.missing.saturating_add(1);
        }
        parse::text(raw.unwrap_or(&[]), value);
    }
}

impl Wire for Reader<'_> {
    fn field(&mut self, _field: Field, slot: Slot<'_>) {
        match slot {
            Slot::Time(value) => {
                let raw = self.take();
                self.put(raw, value, parse::time);
            }
            Slot::Date(value) => {
                let raw = self.take();
                self.put(raw, value, parse::date);
            }
            Slot::DayMonthYear(value) => {
                let (day, month, year) = (self.take(), self.take(), self.take());
                let empty = [day, month, year].iter().all(|f| f.is_empty());
                self.several(empty, value, || parse::day_month_year(day, month, year));
            }
            Slot::YearMonthDay(value) => {
                let (year, month, day) = (self.take(), self.take(), self.take());
                let empty = [day, month, year].iter().all(|f| f.is_empty());
                self.several(empty, value, || parse::day_month_year(day, month, year));
            }
            Slot::SplitTime(value) => {
                let parts = [self.take(), self.take(), self.take(), self.take()];
                self.several(parts.iter().all(|f| f.is_empty()), value, || parse::split_time(parts));
            }
            Slot::Elapsed(value) => {
                let raw = self.take();
                self.put(raw, value, parse::elapsed);
            }
            Slot::Hex { value, .. } => {
                let raw = self.take();
                self.put(raw, value, parse::hexadecimal);
            }
            Slot::Latitude(value) => self.degrees(value, *b"NS", 90),
            Slot::Longitude(value) => self.degrees(value, *b"EW", 180),
            Slot::Number { value, form, .. } => {
                let raw = self.take();
                self.put(raw, value, |raw| parse::ranged(raw, form));
            }
            Slot::Integer { value, least, most, .. } => {
                let raw = self.take();
                self.put(raw, value, |raw| parse::integer(raw).filter(|n| (least..=most).contains(n)));
            }
            Slot::Signed { value, letters, form, .. } => self.signed(value, letters, form),
            Slot::Measure { value, units, form, ahead } => {
                let raw = self.take();
                let letter = if ahead == 1 { self.take() } else { self.peek(usize::from(ahead) - 1) };
                let known = match letter {
                    [l] => units.iter().find(|u| u.letter == *l).map(|u| u.letter),
                    _ => None,
                };
                let only = match (letter, units) {
                    // One unit only: its letter may be left out, or be of the other case.
                    ([], [u]) if !raw.is_empty() => Some(u.letter),
                    ([l], [u]) if l.eq_ignore_ascii_case(&u.letter) => Some(u.letter),
                    _ => None,
                };
                value.unit = known.or(only).unwrap_or(0);
                let unit = value.unit;
                self.put(raw, &mut value.value, |raw| parse::ranged(raw, form).filter(|_| unit != 0));
            }
            Slot::UnitLetter { value, of } => {
                let raw = self.take();
                *value = 0;
                match raw {
                    [] => {}
                    [l] if of.contains(l) => *value = *l,
                    _ => self.bad(),
                }
            }
            Slot::Letter { value, of } => {
                let raw = self.take();
                self.put(raw, value, |raw| match raw {
                    [l] if of.is_empty() || of.contains(l) => Some(*l),
                    _ => None,
                });
            }
            Slot::Text { mut value, .. } => self.words(&mut value),
            Slot::Unused => {
                self.take();
            }
        }
    }

    fn another(&mut self, group: &'static Group, i: usize, _len: usize) -> bool {
        i < usize::from(group.most) && (group.fixed || self.remaining() > usize::from(group.tail))
    }

    fn more(&mut self, _have: bool) -> bool {
        !self.ended
    }

    fn count(&self) -> Option<usize> {
        Some(self.body.iter().filter(|b| **b == b',').count() + usize::from(self.at > 0 || !self.ended))
    }

    // The commonest slots, without the detour.
    #[inline]
    fn time(&mut self, _: &'static str, _: &'static str, value: &mut Option<TimeOfDay>) {
        let raw = self.take();
        self.put(raw, value, parse::time);
    }

    #[inline]
    fn latitude(&mut self, _: &'static str, _: &'static str, value: &mut Option<f64>) {
        self.degrees(value, *b"NS", 90);
    }

    #[inline]
    fn longitude(&mut self, _: &'static str, _: &'static str, value: &mut Option<f64>) {
        self.degrees(value, *b"EW", 180);
    }

    #[inline]
    fn bearing(&mut self, _: &'static str, _: &'static str, value: &mut Option<f64>) {
        let raw = self.take();
        self.put(raw, value, |raw| parse::ranged(raw, Form::Bearing));
    }

    #[inline]
    fn letter(&mut self, _: &'static str, _: &'static str, of: &'static [u8], value: &mut Option<u8>) {
        let raw = self.take();
        self.put(raw, value, |raw| match raw {
            [l] if of.is_empty() || of.contains(l) => Some(*l),
            _ => None,
        });
    }
}

//! The visitor that writes a sentence: fixed decimals, no padding, no `-0`, no `60.0000`, no `360.0`.
//!
//! Holds one line in place; allocates nothing. Knows the 82-character policy ([`compose`]), not what a vessel is.

use super::digits::{self, TENS};
use super::framing::{LONGEST, is_reserved, star};
use super::wire::{Field, Form, Group, Slot, Wire};
use super::{Sentence, Style};

/// Characters that one line may take while it is being made; longer ones are never sent anyway.
const ROOM: usize = 256;

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Writes one sentence.
pub struct Writer {
    bytes: [u8; ROOM],
    len: usize,
    decimals: u8,
    names: u8,
}

impl Writer {
    /// Before the first field of a sentence with this address. `decimals` of the minutes of positions, `names`: letters
    /// of a waypoint's name.
    pub fn new(delimiter: u8, talker: &str, formatter: &str, decimals: u8, names: u8) -> Writer {
        let mut w = Writer { bytes: [0; ROOM], len: 0, decimals: decimals.clamp(2, 8), names };
        w.push(delimiter);
        talker.bytes().chain(formatter.bytes()).for_each(|b| w.push(b));
        w
    }

    /// Ends the sentence with its checksum.
    pub fn seal(&mut self) {
        let sum = self.bytes.get(1..self.len).unwrap_or(&[]).iter().fold(0, |sum, b| sum ^ b);
        star(sum).into_iter().for_each(|b| self.push(b));
    }

    /// What was written.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len.min(ROOM)).unwrap_or(&[])
    }

    #[inline]
    fn push(&mut self, b: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = b;
        }
        self.len += 1;
    }

    fn whole_fields<const N: usize>(&mut self, parts: Option<[u32; N]>, widths: [u8; N]) {
        for (i, width) in widths.into_iter().enumerate() {
            self.push(b',');
            if let Some(parts) = parts {
                digits::push_whole(|b| self.push(b), parts[i].into(), width);
            }
        }
    }

    fn letter_field(&mut self, letter: u8) {
        self.push(b',');
        if letter != 0 {
            self.push(letter);
        }
    }

    /// A whole number of 10^-`decimals`, with its point.
    fn fixed(&mut self, n: u64, decimals: u8) {
        let scale = TENS[usize::from(decimals)];
        digits::push_whole(|b| self.push(b), n / scale, 1);
        if decimals > 0 {
            self.push(b'.');
            digits::push_whole(|b| self.push(b), n % scale, decimals);
        }
    }

    fn number(&mut self, value: Option<f64>, decimals: u8, form: Form) {
        self.push(b',');
        let Some(value) = value.filter(|v| v.is_finite()) else { return };
        let value = if form == Form::Bearing { value.rem_euclid(360.0) } else { value };
        let Some(mut n) = digits::scaled(value.abs(), decimals) else { return };
        if form == Form::Bearing {
            n %= 360 * TENS[usize::from(decimals)];
        }
        if value < 0.0 && n > 0 {
            self.push(b'-');
        }
        self.fixed(n, decimals);
    }

    fn degrees(&mut self, value: Option<f64>, width: u8, letters: [u8; 2], most: f64) {
        let minutes = value.filter(|v| v.abs() <= most).map(|v| {
            let scale = 60 * TENS[usize::from(self.decimals)];
            // Whole units of the last digit of the minutes: 60.0000 cannot come out.
            let n = (v.abs() * scale as f64).round() as u64;
            (n / scale, n % scale, letters[usize::from(v < 0.0 && n > 0)])
        });
        self.push(b',');
        let Some((degrees, rest, letter)) = minutes else {
            self.push(b',');
            return;
        };
        let decimals = self.decimals;
        let scale = TENS[usize::from(decimals)];
        digits::push_whole(|b| self.push(b), degrees, width);
        digits::push_whole(|b| self.push(b), rest / scale, 2);
        self.push(b'.');
        digits::push_whole(|b| self.push(b), rest % scale, decimals);
        self.letter_field(letter);
    }
}

impl Wire for Writer {
    fn field(&mut self, _field: Field, slot: Slot<'_>) {
        match slot {
            Slot::Time(value) | Slot::Elapsed(value) => {
                self.push(b',');
                let Some(t) = value else { return };
                for part in [t.hour, t.minute, t.second] {
                    digits::push_whole(|b| self.push(b), part.into(), 2);
                }
                if t.digits > 0 {
                    self.push(b'.');
                    let fraction = u64::from(t.nanos) / TENS[usize::from(9 - t.digits.min(9))];
                    digits::push_whole(|b| self.push(b), fraction, t.digits.min(9));
                }
            }
            Slot::Date(value) => {
                self.push(b',');
                let Some(d) = value else { return };
                for part in [u64::from(d.day), u64::from(d.month), d.year.rem_euclid(100).unsigned_abs().into()] {
                    digits::push_whole(|b| self.push(b), part, 2);
                }
            }
            Slot::DayMonthYear(value) => {
                let parts = value.map(|d| [d.day.into(), d.month.into(), d.year.unsigned_abs()]);
                self.whole_fields(parts, [2, 2, 4]);
            }
            Slot::YearMonthDay(value) => {
                let parts = value.map(|d| [d.year.unsigned_abs(), d.month.into(), d.day.into()]);
                self.whole_fields(parts, [1, 1, 1]);
            }
            Slot::SplitTime(value) => {
                let parts = value.map(|t| [t.hour.into(), t.minute.into(), t.second.into(), t.nanos / 1_000_000]);
                self.whole_fields(parts, [1, 1, 1, 1]);
            }
            Slot::Hex { value, width } => {
                self.push(b',');
                let Some(n) = *value else { return };
                let digits = (32 - n.leading_zeros()).div_ceil(4).max(u32::from(width)).clamp(1, 8);
                for i in (0..digits).rev() {
                    self.push(HEX[(n >> (4 * i) & 15) as usize]);
                }
            }
            Slot::Latitude(value) => self.degrees(*value, 2, *b"NS", 90.0),
            Slot::Longitude(value) => self.degrees(*value, 3, *b"EW", 180.0),
            Slot::Number { value, decimals, form } => self.number(*value, decimals, form),
            Slot::Integer { value, width, .. } => {
                self.push(b',');
                let Some(n) = *value else { return };
                if n < 0 {
                    self.push(b'-');
                }
                digits::push_whole(|b| self.push(b), n.unsigned_abs().into(), width);
            }
            Slot::Signed { value, decimals, letters, .. } => {
                let n = value.and_then(|v| digits::scaled(v.abs(), decimals));
                self.number(value.map(f64::abs), decimals, Form::Positive);
                let negative = value.is_some_and(|v| v < 0.0) && n != Some(0);
                self.letter_field(n.map_or(0, |_| letters[usize::from(negative)]));
            }
            Slot::Measure { value, units, form, ahead } => {
                let decimals =
                    units.iter().find(|u| u.letter == value.unit).or(units.first()).map_or(1, |u| u.decimals);
                self.number(value.value, decimals, form);
                if ahead == 1 {
                    self.letter_field(value.unit);
                }
            }
            Slot::UnitLetter { value, .. } => self.letter_field(*value),
            Slot::Letter { value, .. } => self.letter_field(value.unwrap_or(0)),
            Slot::Text { value, name } => {
                self.push(b',');
                let most = if name { usize::from(self.names) } else { ROOM };
                for b in value.get().iter().filter(|b| !is_reserved(**b)).take(most) {
                    self.push(*b);
                }
            }
            Slot::Unused => self.push(b','),
        }
    }

    fn another(&mut self, group: &'static Group, i: usize, len: usize) -> bool {
        i < usize::from(group.most) && (group.fixed || i < len)
    }

    fn more(&mut self, have: bool) -> bool {
        have
    }
}

/// Writes a sentence so that it has at most 82 characters with CR LF: decimals of positions go down to 2, then the
/// sentence leaves out what it can do without, then names are cut. `None`: too long even so.
pub fn compose<S: Sentence>(talker: &str, style: &Style<'_>, sentence: &mut S) -> Option<Writer> {
    let write = |sentence: &mut S, decimals, names| {
        let mut w = Writer::new(S::ABOUT.delimiter, talker, S::ABOUT.formatter, decimals, names);
        sentence.fields(&mut w);
        w.seal();
        (w.len <= LONGEST).then_some(w)
    };
    let most = style.decimals.clamp(2, 8);
    if let Some(w) = write(sentence, most, style.waypoint_letters) {
        return Some(w);
    }
    for decimals in (2..most).rev() {
        if let Some(w) = write(sentence, decimals, style.waypoint_letters) {
            return Some(w);
        }
    }
    if sentence.shorten()
        && let Some(w) = write(sentence, 2, style.waypoint_letters)
    {
        return Some(w);
    }
    (1..style.waypoint_letters).rev().find_map(|names| write(sentence, 2, names))
}

//! One list of fields per message, visited by whoever reads, writes or shows them.
//!
//! A [`Slot`] says how a field stands in the bits and where its value lives; a [`Visitor`] does something with it. Reader
//! and writer are here, JSON and inspector in `views`.

use super::armour::Bits;
use crate::core::time::{DAY, Date, SECOND, Utc};

/// What a field is called, and what it says, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The JSON name; carries the unit.
    pub name: &'static str,
    /// In words.
    pub what: &'static str,
}

/// Rate of turn as messages 1, 2, 3 give it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// Degrees a minute, starboard positive, from a turn indicator.
    Rate(f64),
    /// To starboard at more than 5 degrees in 30 s, without a turn indicator (127).
    FastStarboard,
    /// To port at more than 5 degrees in 30 s, without a turn indicator (-127).
    FastPort,
}

impl Turn {
    /// 4.733 times the root of degrees a minute, signed, -126 to 126; 127 and -127 (M.1371-5, table 48).
    pub fn raw(self) -> i32 {
        match self {
            Turn::Rate(rate) => {
                ((4.733 * rate.abs().sqrt()).round().min(126.0) as i32) * if rate < 0.0 { -1 } else { 1 }
            }
            Turn::FastStarboard => 127,
            Turn::FastPort => -127,
        }
    }

    /// The meaning of the eight bits; -128 is not available.
    pub fn from_raw(raw: i32) -> Option<Turn> {
        match raw {
            127 => Some(Turn::FastStarboard),
            -127 => Some(Turn::FastPort),
            0 => Some(Turn::Rate(0.0)),
            -126..=126 => {
                let root = f64::from(raw) / 4.733;
                Some(Turn::Rate(root * root.abs()))
            }
            _ => None,
        }
    }
}

/// A number with a scale: `raw` is the value times `per_unit`, in two's complement when `signed`.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Width.
    pub bits: u8,
    /// In two's complement.
    pub signed: bool,
    /// Raw units in one unit of the value.
    pub per_unit: f64,
    /// The least raw value that means a value.
    pub least: i32,
    /// The greatest raw value that means a value; for an angle the last before it starts again.
    pub most: i32,
    /// An angle: one beyond `most` is 0 again. Else a value beyond the range is written as the end of it.
    pub wraps: bool,
    /// The raw value for "not available".
    pub absent: i32,
    /// Decimals worth showing.
    pub decimals: u8,
}

impl Scale {
    const fn new(bits: u8, per_unit: f64, most: i32, absent: i32, decimals: u8) -> Scale {
        Scale { bits, signed: false, per_unit, least: 0, most, wraps: false, absent, decimals }
    }
    const fn signed(bits: u8, per_unit: f64, most: i32, absent: i32) -> Scale {
        Scale { bits, signed: true, per_unit, least: -most, most, wraps: false, absent, decimals: 6 }
    }
    const fn angle(bits: u8, per_unit: f64, most: i32, absent: i32, decimals: u8) -> Scale {
        Scale { bits, signed: false, per_unit, least: 0, most, wraps: true, absent, decimals }
    }

    /// Knots in tenths; 102.2 is that or more.
    pub const SPEED: Scale = Scale::new(10, 10.0, 1022, 1023, 1);
    /// Whole knots of a search and rescue aircraft; 1022 is that or more.
    pub const SPEED_AIRCRAFT: Scale = Scale::new(10, 1.0, 1022, 1023, 1);
    /// Whole knots of message 27; 62 is that or more.
    pub const SPEED_LONG_RANGE: Scale = Scale::new(6, 1.0, 62, 63, 1);
    /// Metres of an aircraft; 4094 is that or more.
    pub const ALTITUDE: Scale = Scale::new(12, 1.0, 4094, 4095, 0);
    /// Decimetres.
    pub const DRAUGHT: Scale = Scale { least: 1, ..Scale::new(8, 10.0, 255, 0, 1) };
    /// Ten-thousandths of a minute.
    pub const LONGITUDE: Scale = Scale::signed(28, 600_000.0, 108_000_000, 108_600_000);
    /// Ten-thousandths of a minute.
    pub const LATITUDE: Scale = Scale::signed(27, 600_000.0, 54_000_000, 54_600_000);
    /// Tenths of a minute, message 27.
    pub const LONGITUDE_LONG_RANGE: Scale = Scale::signed(18, 600.0, 108_000, 108_600);
    /// Tenths of a minute, message 27.
    pub const LATITUDE_LONG_RANGE: Scale = Scale::signed(17, 600.0, 54_000, 54_600);
    /// Tenths of a degree.
    pub const COURSE: Scale = Scale::angle(12, 10.0, 3599, 3600, 1);
    /// Whole degrees, message 27.
    pub const COURSE_LONG_RANGE: Scale = Scale::angle(9, 1.0, 359, 511, 1);
    /// Whole degrees.
    pub const HEADING: Scale = Scale::angle(9, 1.0, 359, 511, 0);

    fn raw(&self, value: Option<f64>) -> i32 {
        let Some(value) = value.filter(|v| v.is_finite()) else { return self.absent };
        let raw = (value * self.per_unit).round();
        if self.wraps {
            return raw.rem_euclid(f64::from(self.most) + 1.0) as i32;
        }
        raw.clamp(f64::from(self.least), f64::from(self.most)) as i32
    }

    /// The value, and whether the raw number was one that should not be used.
    fn value(&self, raw: i32) -> (Option<f64>, bool) {
        if raw == self.absent {
            (None, false)
        } else if raw < self.least || raw > self.most {
            (None, true)
        } else {
            (Some(f64::from(raw) / self.per_unit), false)
        }
    }
}

/// How a field stands in the bits, and where its value lives. `None` is "not available".
pub enum Slot<'a> {
    /// A whole number; `absent` is the one that means "not available".
    Number {
        /// Width.
        bits: u8,
        /// Means "not available".
        absent: Option<u32>,
        /// The value.
        value: &'a mut Option<u32>,
    },
    /// A number that stands for words.
    Code {
        /// Width.
        bits: u8,
        /// Means "not available".
        absent: Option<u32>,
        /// What a value means.
        words: fn(u32) -> &'static str,
        /// The value.
        value: &'a mut Option<u32>,
    },
    /// As [`Slot::Number`], for the inspector only: not part of the JSON.
    Aside {
        /// Width.
        bits: u8,
        /// The value.
        value: &'a mut u32,
    },
    /// A constant that tells the parts of message 24 apart.
    Part {
        /// 0 is A, 1 is B.
        raw: u32,
        /// `A` or `B`.
        letter: &'static str,
    },
    /// A number with a scale.
    Scaled {
        /// Its form.
        scale: Scale,
        /// The value in the unit of the field's name.
        value: &'a mut Option<f64>,
    },
    /// Rate of turn, eight bits.
    Turn {
        /// The value.
        value: &'a mut Option<Turn>,
    },
    /// Text of a fixed number of six-bit characters; empty is absent.
    Text {
        /// Characters.
        chars: u8,
        /// Without what fills it up.
        value: &'a mut String,
    },
    /// Text up to the end of the message.
    TextToEnd {
        /// Without what fills it up.
        value: &'a mut String,
    },
    /// What does not fit into the 20 characters of an aid's name: up to 14 more, at the end of the message.
    NameExtension {
        /// The name so far; the extension is added to it.
        value: &'a mut String,
    },
    /// Year, month, day, hour, minute, second: 40 bits.
    DateTime {
        /// The instant.
        value: &'a mut Option<Utc>,
    },
    /// Metres from the antenna to bow, stern, port, starboard: 30 bits; all 0 is not available.
    Dimensions {
        /// The four.
        value: &'a mut Option<[u16; 4]>,
    },
    /// All bits up to the end.
    Data {
        /// They.
        value: &'a mut Bits,
    },
    /// Bits without a meaning; written as given.
    Spare {
        /// Width.
        bits: u8,
    },
}

/// Where the name of message 21 begins.
const NAME_OF_AID: usize = 43;

/// Somebody who walks over the fields of a message in their order.
pub trait Visitor {
    /// The next field.
    fn field(&mut self, field: Field, slot: Slot<'_>);

    /// A whole number that is always available.
    fn number(&mut self, name: &'static str, what: &'static str, bits: u8, value: &mut Option<u32>) {
        self.field(Field { name, what }, Slot::Number { bits, absent: None, value });
    }
    /// A whole number of which one value means "not available".
    fn number_or(&mut self, name: &'static str, what: &'static str, bits: u8, absent: u32, value: &mut Option<u32>) {
        self.field(Field { name, what }, Slot::Number { bits, absent: Some(absent), value });
    }
    /// A number that stands for words.
    fn code(
        &mut self,
        name: &'static str,
        what: &'static str,
        bits: u8,
        words: fn(u32) -> &'static str,
        value: &mut Option<u32>,
    ) {
        self.field(Field { name, what }, Slot::Code { bits, absent: None, words, value });
    }
    /// A number with a scale.
    fn scaled(&mut self, name: &'static str, what: &'static str, scale: Scale, value: &mut Option<f64>) {
        self.field(Field { name, what }, Slot::Scaled { scale, value });
    }
    /// Text of a fixed number of characters.
    fn text(&mut self, name: &'static str, what: &'static str, chars: u8, value: &mut String) {
        self.field(Field { name, what }, Slot::Text { chars, value });
    }
    /// For the inspector only.
    fn aside(&mut self, name: &'static str, what: &'static str, bits: u8, value: &mut u32) {
        self.field(Field { name, what }, Slot::Aside { bits, value });
    }
    /// Bits without a meaning.
    fn spare(&mut self, bits: u8) {
        self.field(Field { name: "", what: "spare" }, Slot::Spare { bits });
    }
}

/// Reads a message: fills the values in.
pub struct Reader<'a> {
    bits: &'a Bits,
    at: usize,
    /// Bits that the fields asked for and the message does not have.
    pub missing: usize,
    /// Values that should not be used.
    pub bad: u8,
}

impl<'a> Reader<'a> {
    /// From the first bit.
    pub fn new(bits: &'a Bits) -> Reader<'a> {
        Reader { bits, at: 0, missing: 0, bad: 0 }
    }

    /// Bits that no field asked for.
    pub fn left(&self) -> usize {
        self.bits.len().saturating_sub(self.at)
    }

    fn take(&mut self, width: usize) -> Option<usize> {
        let at = self.at;
        self.at += width;
        if self.at > self.bits.len() {
            self.missing = self.at - self.bits.len();
            return None;
        }
        Some(at)
    }

    fn unsigned(&mut self, width: u8) -> Option<u32> {
        let at = self.take(usize::from(width))?;
        self.bits.unsigned(at, width)
    }

    fn chars(&mut self, most: usize) -> String {
        // A text that the message cuts short is still worth reading.
        let at = self.at;
        self.take(most * 6);
        self.bits.text(at, most)
    }

    fn rest(&mut self) -> (usize, usize) {
        let at = self.at.min(self.bits.len());
        self.at = self.at.max(self.bits.len());
        (at, self.bits.len() - at)
    }
}

impl Visitor for Reader<'_> {
    fn field(&mut self, _: Field, slot: Slot<'_>) {
        match slot {
            Slot::Number { bits, absent, value } | Slot::Code { bits, absent, value, .. } => {
                *value = self.unsigned(bits).filter(|v| Some(*v) != absent);
            }
            Slot::Aside { bits, value } => *value = self.unsigned(bits).unwrap_or(0),
            Slot::Part { .. } => {
                self.unsigned(2);
            }
            Slot::Scaled { scale, value } => {
                let raw = self.take(usize::from(scale.bits)).and_then(|at| {
                    if scale.signed {
                        self.bits.signed(at, scale.bits)
                    } else {
                        self.bits.unsigned(at, scale.bits).map(|u| u as i32)
                    }
                });
                let (read, bad) = raw.map_or((None, false), |r| scale.value(r));
                *value = read;
                self.bad = self.bad.saturating_add(u8::from(bad));
            }
            Slot::Turn { value } => {
                let raw = self.take(8).and_then(|at| self.bits.signed(at, 8));
                *value = raw.and_then(Turn::from_raw);
            }
            Slot::Text { chars, value } => *value = self.chars(usize::from(chars)),
            Slot::TextToEnd { value } => {
                let (at, len) = self.rest();
                *value = self.bits.text(at, len / 6);
            }
            Slot::NameExtension { value } => {
                let (at, len) = self.rest();
                // Only a name that fills its twenty characters goes on.
                let name = self.bits.characters(NAME_OF_AID, 20);
                if name.len() == 20 {
                    *value = name + &self.bits.characters(at, (len / 6).min(14));
                    value.truncate(value.trim_end_matches(' ').len());
                }
            }
            Slot::DateTime { value } => *value = self.take(40).and_then(|at| self.date_time(at)),
            Slot::Dimensions { value } => {
                *value = self.take(30).and_then(|at| {
                    let read = |from, width| self.bits.unsigned(at + from, width).map(|v| v as u16);
                    let all = [read(0, 9)?, read(9, 9)?, read(18, 6)?, read(24, 6)?];
                    (all != [0; 4]).then_some(all)
                });
            }
            Slot::Data { value } => {
                let (at, len) = self.rest();
                *value = Bits::new();
                for from in (0..len).step_by(32) {
                    let width = (len - from).min(32) as u8;
                    value.push(self.bits.unsigned(at + from, width).unwrap_or(0), width);
                }
            }
            // Spare bits at the end are often left away.
            Slot::Spare { bits } => self.at += usize::from(bits),
        }
    }
}

/// Years whose every nanosecond has a number: others are no time.
const REPRESENTABLE: std::ops::RangeInclusive<i32> = 1678..=2261;

impl Reader<'_> {
    fn date_time(&self, at: usize) -> Option<Utc> {
        let read = |from, width| self.bits.unsigned(at + from, width);
        let (hour, minute, second) = (read(23, 5)?, read(28, 6)?, read(34, 6)?);
        let date = Date::new(read(0, 14)? as i32, read(14, 4)? as u8, read(18, 5)? as u8)?;
        (REPRESENTABLE.contains(&date.year) && hour < 24 && minute < 60 && second < 60)
            .then(|| date.midnight() + i64::from(hour * 3600 + minute * 60 + second) * SECOND)
    }
}

/// Writes a message.
#[derive(Default)]
pub struct Writer {
    /// What was written so far.
    pub bits: Bits,
}

impl Visitor for Writer {
    fn field(&mut self, _: Field, slot: Slot<'_>) {
        match slot {
            Slot::Number { bits, absent, value } | Slot::Code { bits, absent, value, .. } => {
                let most = (u64::from(u32::MAX) >> (32 - u32::from(bits.clamp(1, 32)))) as u32;
                self.bits.push(value.unwrap_or(absent.unwrap_or(0)).min(most), bits);
            }
            Slot::Aside { bits, value } => self.bits.push(*value, bits),
            Slot::Part { raw, .. } => self.bits.push(raw, 2),
            Slot::Scaled { scale, value } => self.bits.push(scale.raw(*value) as u32, scale.bits),
            Slot::Turn { value } => self.bits.push(value.map_or(-128, Turn::raw) as u32, 8),
            Slot::Text { chars, value } => self.bits.push_text(value, usize::from(chars)),
            Slot::TextToEnd { value } => self.bits.push_text(value, value.chars().count()),
            Slot::NameExtension { value } => {
                let tail: String = value.chars().skip(20).take(14).collect();
                self.bits.push_text(&tail, tail.chars().count());
            }
            Slot::DateTime { value } => self.date_time(*value),
            Slot::Dimensions { value } => {
                let [bow, stern, port, starboard] = value.unwrap_or_default();
                for (metres, most, width) in [(bow, 511, 9), (stern, 511, 9), (port, 63, 6), (starboard, 63, 6)] {
                    self.bits.push(u32::from(metres.min(most)), width);
                }
            }
            Slot::Data { value } => {
                for i in 0..value.len() {
                    self.bits.push(value.unsigned(i, 1).unwrap_or(0), 1);
                }
            }
            Slot::Spare { bits } => self.bits.push(0, bits),
        }
    }
}

impl Writer {
    fn date_time(&mut self, value: Option<Utc>) {
        // M.1371-5 table 53: year, month, day 0, hour 24, minute 60, second 60 are not available.
        let (mut date, mut time) = ([0_u32; 3], [24, 60, 60]);
        if let Some(utc) = value {
            let day = Date::from_days(utc.div_euclid(DAY));
            let seconds = (utc.rem_euclid(DAY) / SECOND) as u32;
            date = [day.year.clamp(1, 9999) as u32, u32::from(day.month), u32::from(day.day)];
            time = [seconds / 3600, seconds / 60 % 60, seconds % 60];
        }
        for (v, width) in date.into_iter().chain(time).zip([14, 4, 5, 5, 6, 6]) {
            self.bits.push(v, width);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_of_turn_follows_the_root() {
        // 4.733 sqrt 2.5 = 7.484; (7 / 4.733)^2 = 2.18738; 4.733 sqrt 708 = 125.9.
        assert_eq!(Turn::Rate(-2.5).raw(), -7);
        assert!(matches!(Turn::from_raw(-7), Some(Turn::Rate(r)) if (r + 2.187_38).abs() < 1e-5));
        assert_eq!((Turn::Rate(708.0).raw(), Turn::Rate(9000.0).raw(), Turn::Rate(-9000.0).raw()), (126, 126, -126));
        assert_eq!((Turn::from_raw(127), Turn::from_raw(-127)), (Some(Turn::FastStarboard), Some(Turn::FastPort)));
        assert_eq!((Turn::from_raw(-128), Turn::Rate(-0.0001).raw()), (None, 0));
        for raw in -126..=126 {
            assert_eq!(Turn::from_raw(raw).map(Turn::raw), Some(raw));
        }
    }

    #[test]
    fn angles_wrap_and_speeds_stop_at_the_end_of_the_scale() {
        assert_eq!(Scale::COURSE.raw(Some(359.96)), 0);
        assert_eq!(Scale::COURSE.raw(Some(360.0)), 0);
        assert_eq!(Scale::HEADING.raw(Some(359.6)), 0);
        assert_eq!(Scale::SPEED.raw(Some(130.0)), 1022);
        assert_eq!(Scale::LONGITUDE.raw(Some(-180.0)), -108_000_000);
        assert_eq!(Scale::DRAUGHT.raw(Some(0.01)), 1);
        for scale in [Scale::COURSE, Scale::SPEED, Scale::LATITUDE, Scale::HEADING, Scale::SPEED_LONG_RANGE] {
            assert_eq!((scale.raw(None), scale.raw(Some(f64::NAN))), (scale.absent, scale.absent));
            assert_eq!(scale.value(scale.absent), (None, false));
        }
        // 3601 to 4095 and 360 to 510 should not be used (M.1371-5, table 48).
        assert_eq!((Scale::COURSE.value(3601), Scale::HEADING.value(360)), ((None, true), (None, true)));
    }
}

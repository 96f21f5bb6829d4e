//! Fields of a sentence, and whoever walks over them.
//!
//! A sentence visits its fields once, in wire order ([`Wire`]); reader, writer, JSON, inspector and documentation are such
//! visitors. Must not read or write bytes itself: that is `parse` and `digits`.

use crate::core::time::{self, Date};

/// What a field is called and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name in JSON, with its unit: `speed_kn`.
    pub name: &'static str,
    /// Its meaning in words.
    pub what: &'static str,
}

/// One way to state a quantity: the letter that marks it, the name it then has, and how many decimals are written.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// `N` of `6.5,N`.
    pub letter: u8,
    /// `speed_kn`.
    pub name: &'static str,
    /// Decimals when written.
    pub decimals: u8,
}

/// A unit of a measure.
pub const fn unit(letter: char, name: &'static str, decimals: u8) -> Unit {
    Unit { letter: letter as u8, name, decimals }
}

/// A run of fields that repeats: the satellites of GSV, the transducers of XDR.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Its name in JSON, a list.
    pub name: &'static str,
    /// What one of them is.
    pub what: &'static str,
    /// Fields of one; with one field the list holds bare values.
    pub width: u8,
    /// The most that are read.
    pub most: u8,
    /// There are always `most` of them, empty or not.
    pub fixed: bool,
    /// Fields that may follow the last one.
    pub tail: u8,
}

/// A quantity and the letter of its unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measure {
    /// The number.
    pub value: Option<f64>,
    /// The letter; 0 when the field of the letter is empty too.
    pub unit: u8,
}

impl Measure {
    /// A value with its letter. The letter is written even without a value.
    pub fn new(value: Option<f64>, letter: char) -> Measure {
        Measure { value, unit: letter as u8 }
    }

    /// A value with its letter, or two empty fields.
    pub fn some(value: Option<f64>, letter: char) -> Measure {
        Measure { value, unit: if value.is_some() { letter as u8 } else { 0 } }
    }

    /// The value, if it has this letter.
    pub fn only(&self, letter: char) -> Option<f64> {
        self.value.filter(|_| self.unit == letter as u8)
    }

    /// A speed in knots: N knots, K kilometres an hour, M metres a second, S miles an hour.
    pub fn knots(&self) -> Option<f64> {
        let v = self.value?;
        match self.unit {
            b'N' => Some(v),
            b'K' => Some(v / 1.852),
            b'M' => Some(v * 3600.0 / 1852.0),
            b'S' => Some(v * 1.609_344 / 1.852),
            _ => None,
        }
    }

    /// A depth or length in metres: M metres, f feet, F fathoms.
    pub fn metres(&self) -> Option<f64> {
        let v = self.value?;
        match self.unit {
            b'M' => Some(v),
            b'f' => Some(v * 0.3048),
            b'F' => Some(v * 1.8288),
            _ => None,
        }
    }

    /// A temperature in degrees Celsius: C, or F Fahrenheit.
    pub fn celsius(&self) -> Option<f64> {
        let v = self.value?;
        match self.unit {
            b'C' => Some(v),
            b'F' => Some((v - 32.0) / 1.8),
            _ => None,
        }
    }

    /// A pressure in hPa: B bar, I inches of mercury, P pascal.
    pub fn hectopascal(&self) -> Option<f64> {
        let v = self.value?;
        match self.unit {
            b'B' => Some(v * 1000.0),
            b'I' => Some(v * 33.863_886_666_67),
            b'P' => Some(v / 100.0),
            _ => None,
        }
    }
}

/// A time of day as a sentence states it; it keeps the number of digits it came with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeOfDay {
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 60 (a leap second).
    pub second: u8,
    /// Digits behind the point.
    pub digits: u8,
    /// The fraction.
    pub nanos: u32,
}

impl TimeOfDay {
    /// The time of an instant, cut to that many digits.
    pub fn of(utc: time::Utc, digits: u8) -> TimeOfDay {
        TimeOfDay::of_day(time::time_of_day(utc), digits)
    }

    /// The time so many nanoseconds after midnight, cut to that many digits.
    pub fn of_day(nanos: i64, digits: u8) -> TimeOfDay {
        let nanos = nanos.rem_euclid(time::DAY);
        let seconds = nanos / time::SECOND;
        TimeOfDay {
            hour: (seconds / 3600) as u8,
            minute: (seconds / 60 % 60) as u8,
            second: (seconds % 60) as u8,
            digits: digits.min(9),
            nanos: (nanos % time::SECOND) as u32,
        }
    }

    /// Nanoseconds since midnight.
    pub fn nanos_of_day(&self) -> i64 {
        let seconds = i64::from(self.hour) * 3600 + i64::from(self.minute) * 60 + i64::from(self.second);
        seconds * time::SECOND + i64::from(self.nanos)
    }
}

/// Text of at most `N` bytes, in place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Text<const N: usize> {
    len: u8,
    bytes: [u8; N],
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Text { len: 0, bytes: [0; N] }
    }
}

impl<const N: usize> Text<N> {
    /// The first `N` bytes.
    pub fn new(text: &[u8]) -> Self {
        let mut t = Text::default();
        let len = text.len().min(N).min(255);
        t.bytes[..len].copy_from_slice(&text[..len]);
        t.len = len as u8;
        t
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The place, for a visitor.
    pub fn place(&mut self) -> TextPlace<'_> {
        TextPlace { len: &mut self.len, bytes: &mut self.bytes }
    }
}

impl<const N: usize> std::fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", crate::core::visible::text(self.as_bytes()))
    }
}

/// Where a text lies, whatever its size.
pub struct TextPlace<'a> {
    len: &'a mut u8,
    bytes: &'a mut [u8],
}

impl TextPlace<'_> {
    /// The bytes.
    pub fn get(&self) -> &[u8] {
        self.bytes.get(..usize::from(*self.len)).unwrap_or(&[])
    }

    /// Empties it.
    pub fn clear(&mut self) {
        *self.len = 0;
    }

    /// Holds these bytes from now on; what does not fit is dropped.
    pub fn set(&mut self, bytes: &[u8]) {
        let n = bytes.len().min(self.bytes.len()).min(usize::from(u8::MAX));
        self.bytes[..n].copy_from_slice(&bytes[..n]);
        *self.len = n as u8;
    }

    /// Appends a byte; what does not fit is dropped.
    pub fn push(&mut self, b: u8) {
        if let Some(place) = self.bytes.get_mut(usize::from(*self.len)) {
            *place = b;
            *self.len = self.len.saturating_add(1);
        }
    }

    /// How many bytes fit.
    pub fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

/// How a number is checked and rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Plain,
    /// Never below zero.
    Positive,
    /// A direction: 0 to 360 when read, never 360.0 when written.
    Bearing,
    /// An angle to one side: 0 to 180.
    HalfCircle,
    /// An angle with a sign: -180 to 180.
    Signed180,
}

/// The form of a field on the wire, and the place of its value.
pub enum Slot<'a> {
    /// `hhmmss.ss`.
    Time(&'a mut Option<TimeOfDay>),
    /// `hhmmss.ss` of a duration; hours to 99.
    Elapsed(&'a mut Option<TimeOfDay>),
    /// Four fields: hour, minute, second, millisecond.
    SplitTime(&'a mut Option<TimeOfDay>),
    /// Three fields: year, month, day.
    YearMonthDay(&'a mut Option<Date>),
    /// A whole number in hexadecimal digits.
    Hex {
        /// The value.
        value: &'a mut Option<u32>,
        /// At least so many digits when written.
        width: u8,
    },
    /// `ddmmyy`; 80 to 99 are 19xx.
    Date(&'a mut Option<Date>),
    /// Three fields: day, month, year.
    DayMonthYear(&'a mut Option<Date>),
    /// Two fields: `ddmm.mmmm` and N or S; degrees, north positive.
    Latitude(&'a mut Option<f64>),
    /// Two fields: `dddmm.mmmm` and E or W; degrees, east positive.
    Longitude(&'a mut Option<f64>),
    /// A number.
    Number {
        /// The value.
        value: &'a mut Option<f64>,
        /// Decimals when written.
        decimals: u8,
        /// Range.
        form: Form,
    },
    /// A whole number.
    Integer {
        /// The value.
        value: &'a mut Option<i32>,
        /// At least so many digits when written.
        width: u8,
        /// The least that is accepted.
        least: i32,
        /// The most that is accepted.
        most: i32,
    },
    /// Two fields: a magnitude and the letter of its sign (E or W).
    Signed {
        /// The value with its sign.
        value: &'a mut Option<f64>,
        /// Decimals when written.
        decimals: u8,
        /// The letters of positive and negative.
        letters: [u8; 2],
        /// Range of the magnitude.
        form: Form,
    },
    /// A number whose unit letter stands `ahead` fields later. With `ahead` 1 the letter belongs to this slot.
    Measure {
        /// The value and its letter.
        value: &'a mut Measure,
        /// The letters that may stand there.
        units: &'static [Unit],
        /// Range.
        form: Form,
        /// Where the letter stands.
        ahead: u8,
    },
    /// The letter that measures before it looked ahead to; not a value of its own.
    UnitLetter {
        /// The letter, 0 for none.
        value: &'a mut u8,
        /// The letters that may stand there.
        of: &'static [u8],
    },
    /// One character.
    Letter {
        /// The character.
        value: &'a mut Option<u8>,
        /// Those that may stand there; empty: any.
        of: &'static [u8],
    },
    /// Text, with `^hh` escapes.
    Text {
        /// The place of the text.
        value: TextPlace<'a>,
        /// The name of a waypoint, which may be cut when a sentence would be too long.
        name: bool,
    },
    /// A field without a meaning (any more).
    Unused,
}

/// Somebody who walks over the fields of a sentence in wire order.
pub trait Wire {
    /// The next field (or the next two or three, as the slot says).
    fn field(&mut self, field: Field, slot: Slot<'_>);

    /// Whether there is an `i`-th element in a group; `len` is how many the sentence holds.
    fn another(&mut self, group: &'static Group, i: usize, len: usize) -> bool;

    /// Whether the fields that newer versions of the standard add at the end are there; `have`: the sentence has them.
    fn more(&mut self, have: bool) -> bool;

    /// How many fields the sentence has, if it is being read.
    fn count(&self) -> Option<usize> {
        None
    }

    /// A time of day.
    fn time(&mut self, name: &'static str, what: &'static str, value: &mut Option<TimeOfDay>) {
        self.field(Field { name, what }, Slot::Time(value));
    }

    /// A duration as hours, minutes, seconds.
    fn elapsed(&mut self, name: &'static str, what: &'static str, value: &mut Option<TimeOfDay>) {
        self.field(Field { name, what }, Slot::Elapsed(value));
    }

    /// A whole number in hexadecimal digits.
    fn hex(&mut self, name: &'static str, what: &'static str, width: u8, value: &mut Option<u32>) {
        self.field(Field { name, what }, Slot::Hex { value, width });
    }

    /// A date in one field.
    fn date(&mut self, name: &'static str, what: &'static str, value: &mut Option<Date>) {
        self.field(Field { name, what }, Slot::Date(value));
    }

    /// A latitude and its hemisphere.
    fn latitude(&mut self, name: &'static str, what: &'static str, value: &mut Option<f64>) {
        self.field(Field { name, what }, Slot::Latitude(value));
    }

    /// A longitude and its hemisphere.
    fn longitude(&mut self, name: &'static str, what: &'static str, value: &mut Option<f64>) {
        self.field(Field { name, what }, Slot::Longitude(value));
    }

    /// A direction with one decimal, 0 to 360.
    fn bearing(&mut self, name: &'static str, what: &'static str, value: &mut Option<f64>) {
        self.field(Field { name, what }, Slot::Number { value, decimals: 1, form: Form::Bearing });
    }

    /// A number.
    fn number(&mut self, name: &'static str, what: &'static str, decimals: u8, value: &mut Option<f64>) {
        self.field(Field { name, what }, Slot::Number { value, decimals, form: Form::Plain });
    }

    /// A number that is never negative.
    fn positive(&mut self, name: &'static str, what: &'static str, decimals: u8, value: &mut Option<f64>) {
        self.field(Field { name, what }, Slot::Number { value, decimals, form: Form::Positive });
    }

    /// A number within the range of a form.
    fn angle(&mut self, name: &'static str, what: &'static str, form: Form, value: &mut Option<f64>) {
        self.field(Field { name, what }, Slot::Number { value, decimals: 1, form });
    }

    /// A whole number from 0 to `most`, written with at least `width` digits.
    fn whole(&mut self, name: &'static str, what: &'static str, width: u8, most: i32, value: &mut Option<i32>) {
        self.field(Field { name, what }, Slot::Integer { value, width, least: 0, most });
    }

    /// A whole number within `range`.
    fn integer(&mut self, name: &'static str, what: &'static str, range: (i32, i32), value: &mut Option<i32>) {
        self.field(Field { name, what }, Slot::Integer { value, width: 1, least: range.0, most: range.1 });
    }

    /// A whole number within `range`, written with at least `width` digits.
    fn padded(
        &mut self,
        name: &'static str,
        what: &'static str,
        width: u8,
        range: (i32, i32),
        value: &mut Option<i32>,
    ) {
        self.field(Field { name, what }, Slot::Integer { value, width, least: range.0, most: range.1 });
    }

    /// Day, month and year in three fields.
    fn day_month_year(&mut self, name: &'static str, what: &'static str, value: &mut Option<Date>) {
        self.field(Field { name, what }, Slot::DayMonthYear(value));
    }

    /// A magnitude up to 180 degrees, and E (positive) or W.
    fn east_west(&mut self, name: &'static str, what: &'static str, value: &mut Option<f64>) {
        let slot = Slot::Signed { value, decimals: 1, letters: *b"EW", form: Form::HalfCircle };
        self.field(Field { name, what }, slot);
    }

    /// A number and the letter of its unit, which decides its name.
    fn measure(&mut self, what: &'static str, units: &'static [Unit], form: Form, value: &mut Measure) {
        let name = units.first().map_or("", |u| u.name);
        self.field(Field { name, what }, Slot::Measure { value, units, form, ahead: 1 });
    }

    /// A number whose unit letter stands further on.
    fn measure_ahead(
        &mut self,
        what: &'static str,
        units: &'static [Unit],
        form: Form,
        ahead: u8,
        value: &mut Measure,
    ) {
        let name = units.first().map_or("", |u| u.name);
        self.field(Field { name, what }, Slot::Measure { value, units, form, ahead });
    }

    /// The letter that earlier measures looked ahead to.
    fn unit_letter(&mut self, what: &'static str, of: &'static [u8], value: &mut u8) {
        self.field(Field { name: "", what }, Slot::UnitLetter { value, of });
    }

    /// One character.
    fn letter(&mut self, name: &'static str, what: &'static str, of: &'static [u8], value: &mut Option<u8>) {
        self.field(Field { name, what }, Slot::Letter { value, of });
    }

    /// A text.
    fn text(&mut self, name: &'static str, what: &'static str, value: TextPlace<'_>) {
        self.field(Field { name, what }, Slot::Text { value, name: false });
    }

    /// The name of a waypoint.
    fn waypoint(&mut self, name: &'static str, what: &'static str, value: TextPlace<'_>) {
        self.field(Field { name, what }, Slot::Text { value, name: true });
    }

    /// A field without a meaning.
    fn unused(&mut self, what: &'static str) {
        self.field(Field { name: "", what }, Slot::Unused);
    }
}

/// Mode letters of NMEA 2.3 and later.
pub const MODES: &[u8] = b"ADEFMNPRS";
/// Navigational status of NMEA 4.10: safe, caution, unsafe, not valid (not provided).
pub const NAV_STATUS: &[u8] = b"SCUV";

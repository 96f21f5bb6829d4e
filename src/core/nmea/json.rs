//! The visitor that turns the fields of a sentence into JSON, straight from its bytes.
//!
//! Numbers keep the digits they came with. What is empty is absent; what is refused is absent and named.

use super::digits;
use super::framing;
use super::reader::Reader;
use super::wire::{Field, Group, Slot, TimeOfDay, Wire};
use super::{Faults, parse, table};
use crate::core::time::Date;

/// Appends the fields of a sentence as a JSON object, and answers what was wrong and the names of what was refused.
/// `None`: the table does not know the sentence, and nothing was written.
pub fn fields(sentence: &[u8], out: &mut Vec<u8>) -> Option<(Faults, Vec<&'static str>)> {
    let row = table::by_formatter(table::formatter_of(sentence)?)?;
    let parts = framing::split(sentence)?;
    out.push(b'{');
    let mut json = Json { reader: Reader::new(parts.body), out, comma: false, list: None, refused: Vec::new() };
    (row.visit)(&mut [&mut json]);
    let faults = json.reader.finish();
    let refused = json.refused;
    out.push(b'}');
    Some((faults, refused))
}

struct Json<'a, 'o> {
    reader: Reader<'a>,
    out: &'o mut Vec<u8>,
    /// The next member of the innermost object or list needs a comma.
    comma: bool,
    list: Option<List>,
    refused: Vec<&'static str>,
}

struct List {
    /// One field an element: bare values.
    bare: bool,
    /// Where the element under way begins.
    element: usize,
    /// The elements before it need a comma behind them.
    comma: bool,
}

impl Json<'_, '_> {
    fn key(&mut self, name: &str) {
        if self.comma {
            self.out.push(b',');
        }
        self.comma = true;
        if self.list.as_ref().is_none_or(|l| !l.bare) {
            self.out.push(b'"');
            self.out.extend_from_slice(name.as_bytes());
            self.out.extend_from_slice(b"\":");
        }
    }

    fn close_element(&mut self) {
        let Some(list) = &mut self.list else { return };
        if list.bare {
            return;
        }
        if self.comma {
            self.out.push(b'}');
            list.comma = true;
        } else {
            // Nothing in it: as if it had not been there.
            self.out.truncate(list.element);
        }
    }

    /// A number, from its text: a sign, no leading zeros, a digit on each side of the point.
    fn number(&mut self, name: &str, raw: &[u8], negative: bool) {
        self.key(name);
        push_number(self.out, raw, negative);
    }

    fn degrees(&mut self, name: &str, raw: &[u8], value: Option<f64>) {
        let Some(value) = value else { return };
        self.key(name);
        // A minute is a sixtieth of a degree: two decimals more keep what the minutes resolve.
        let behind = first(raw).iter().rev().position(|b| *b == b'.').unwrap_or(0) as u8;
        push_fixed(self.out, value, (behind + 2).clamp(6, 9));
    }

    fn time(&mut self, name: &str, value: Option<TimeOfDay>) {
        let Some(t) = value else { return };
        self.key(name);
        self.out.push(b'"');
        for (i, part) in [t.hour, t.minute, t.second].into_iter().enumerate() {
            if i > 0 {
                self.out.push(b':');
            }
            digits::append_whole(self.out, part.into(), 2);
        }
        if t.digits > 0 {
            self.out.push(b'.');
            let fraction = u64::from(t.nanos) / digits::TENS[usize::from(9 - t.digits.min(9))];
            digits::append_whole(self.out, fraction, t.digits.min(9));
        }
        self.out.push(b'"');
    }

    fn date(&mut self, name: &str, value: Option<Date>) {
        let Some(d) = value else { return };
        self.key(name);
        self.out.push(b'"');
        digits::append_whole(self.out, d.year.unsigned_abs().into(), 4);
        for part in [d.month, d.day] {
            self.out.push(b'-');
            digits::append_whole(self.out, part.into(), 2);
        }
        self.out.push(b'"');
    }

    fn whole(&mut self, name: &str, value: Option<i64>) {
        let Some(n) = value else { return };
        self.key(name);
        if n < 0 {
            self.out.push(b'-');
        }
        digits::append_whole(self.out, n.unsigned_abs(), 1);
    }

    fn text(&mut self, name: &str, raw: &[u8]) {
        if raw.is_empty() {
            return;
        }
        self.key(name);
        if raw.contains(&b'^') {
            let mut plain = Vec::with_capacity(raw.len());
            parse::unescape(raw, |b| plain.push(b));
            push_string(self.out, &plain);
        } else {
            push_string(self.out, raw);
        }
    }
}

/// The first of the fields that a slot took.
fn first(raw: &[u8]) -> &[u8] {
    let end = raw.iter().position(|b| *b == b',').unwrap_or(raw.len());
    raw[..end].trim_ascii()
}

impl Wire for Json<'_, '_> {
    fn field(&mut self, field: Field, slot: Slot<'_>) {
        let from = self.reader.position();
        let bad = self.reader.faults().bad;
        let name = field.name;
        match slot {
            Slot::Time(value) => {
                self.reader.field(field, Slot::Time(value));
                self.time(name, *value);
            }
            Slot::Elapsed(value) => {
                self.reader.field(field, Slot::Elapsed(value));
                self.time(name, *value);
            }
            Slot::SplitTime(value) => {
                self.reader.field(field, Slot::SplitTime(value));
                self.time(name, *value);
            }
            Slot::Date(value) => {
                self.reader.field(field, Slot::Date(value));
                self.date(name, *value);
            }
            Slot::DayMonthYear(value) => {
                self.reader.field(field, Slot::DayMonthYear(value));
                self.date(name, *value);
            }
            Slot::YearMonthDay(value) => {
                self.reader.field(field, Slot::YearMonthDay(value));
                self.date(name, *value);
            }
            Slot::Latitude(value) => {
                self.reader.field(field, Slot::Latitude(value));
                self.degrees(name, self.reader.since(from), *value);
            }
            Slot::Longitude(value) => {
                self.reader.field(field, Slot::Longitude(value));
                self.degrees(name, self.reader.since(from), *value);
            }
            Slot::Number { value, decimals, form } => {
                self.reader.field(field, Slot::Number { value, decimals, form });
                if value.is_some() {
                    self.number(name, first(self.reader.since(from)), false);
                }
            }
            Slot::Integer { value, width, least, most } => {
                self.reader.field(field, Slot::Integer { value, width, least, most });
                self.whole(name, value.map(i64::from));
            }
            Slot::Hex { value, width } => {
                self.reader.field(field, Slot::Hex { value, width });
                self.whole(name, value.map(i64::from));
            }
            Slot::Signed { value, decimals, letters, form } => {
                self.reader.field(field, Slot::Signed { value, decimals, letters, form });
                if let Some(v) = *value {
                    self.number(name, first(self.reader.since(from)), v < 0.0);
                }
            }
            Slot::Measure { value, units, form, ahead } => {
                self.reader.field(field, Slot::Measure { value, units, form, ahead });
                if value.value.is_some() {
                    let name = units.iter().find(|u| u.letter == value.unit).map_or(name, |u| u.name);
                    self.number(name, first(self.reader.since(from)), false);
                }
            }
            Slot::UnitLetter { value, of } => self.reader.field(field, Slot::UnitLetter { value, of }),
            Slot::Letter { value, of } => {
                self.reader.field(field, Slot::Letter { value, of });
                if let Some(letter) = *value {
                    self.key(name);
                    push_string(self.out, &[letter]);
                }
            }
            Slot::Text { value, name: waypoint } => {
                self.reader.field(field, Slot::Text { value, name: waypoint });
                self.text(name, self.reader.since(from));
            }
            Slot::Unused => self.reader.field(field, Slot::Unused),
        }
        if self.reader.faults().bad > bad {
            self.refused.push(name);
        }
    }

    fn another(&mut self, group: &'static Group, i: usize, len: usize) -> bool {
        if i == 0 {
            self.key(group.name);
            self.out.push(b'[');
            self.list = Some(List { bare: group.width == 1, element: self.out.len(), comma: false });
            self.comma = false;
        } else {
            self.close_element();
        }
        let more = self.reader.another(group, i, len);
        if !more {
            self.out.push(b']');
            self.list = None;
            self.comma = true;
        } else if let Some(list) = &mut self.list
            && !list.bare
        {
            list.element = self.out.len();
            if list.comma {
                self.out.push(b',');
            }
            self.out.push(b'{');
            self.comma = false;
        }
        more
    }

    fn more(&mut self, have: bool) -> bool {
        self.reader.more(have)
    }

    fn count(&self) -> Option<usize> {
        self.reader.count()
    }
}

/// Appends the text of a decimal number as JSON wants it.
pub(super) fn push_number(out: &mut Vec<u8>, raw: &[u8], negative: bool) {
    let (minus, text) = match raw.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, raw),
    };
    let zeros = text.iter().take_while(|b| **b == b'0').count();
    let mut text = &text[zeros..];
    if (minus != negative) && text.iter().any(|b| matches!(b, b'1'..=b'9')) {
        out.push(b'-');
    }
    if text.first().is_none_or(|b| *b == b'.') {
        out.push(b'0');
    }
    if text.is_empty() {
        text = b".0";
    }
    out.extend_from_slice(text);
    if text.last() == Some(&b'.') {
        out.push(b'0');
    } else if !text.contains(&b'.') {
        out.extend_from_slice(b".0");
    }
}

/// Appends a number with so many decimals (at most 9); nothing for one too large for that.
pub(super) fn push_fixed(out: &mut Vec<u8>, value: f64, decimals: u8) {
    let decimals = decimals.min(9);
    let Some(n) = digits::scaled(value.abs(), decimals) else { return out.extend_from_slice(b"null") };
    if value < 0.0 && n > 0 {
        out.push(b'-');
    }
    let scale = digits::TENS[usize::from(decimals)];
    digits::append_whole(out, n / scale, 1);
    if decimals > 0 {
        out.push(b'.');
        digits::append_whole(out, n % scale, decimals);
    }
}

/// Appends a JSON string. Bytes that are no UTF-8 are taken as Latin-1, which they nearly always are.
pub fn push_string(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    // No way out early: then it is done sixteen bytes at a time.
    let odd = |b: &u8| !(b' '..=b'~').contains(b) | (*b == b'"') | (*b == b'\\');
    if !text.iter().fold(false, |found, b| found | odd(b)) {
        out.extend_from_slice(text);
    } else {
        for chunk in text.utf8_chunks() {
            for c in chunk.valid().chars().chain(chunk.invalid().iter().map(|b| char::from(*b))) {
                match c {
                    '"' | '\\' => out.extend([b'\\', c as u8]),
                    '\0'..='\x1f' | '\x7f'..='\u{9f}' => {
                        out.extend_from_slice(format!("\\u{:04x}", c as u32).as_bytes())
                    }
                    c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                }
            }
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(sentence: &[u8]) -> String {
        let mut out = Vec::new();
        fields(sentence, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// The example of the machine-readable output, with the digits of its sentence.
    #[test]
    fn fields_keep_the_digits_of_the_sentence() {
        assert_eq!(
            json(b"$GPGGA,100000.10,3759.0281,N,02343.6502,E,1,08,0.9,0.0,M,0.0,M,,*59"),
            "{\"time\":\"10:00:00.10\",\"latitude\":37.983802,\"longitude\":23.727503,\"quality\":1,\"satellites\":8,\
             \"hdop\":0.9,\"altitude_m\":0.0,\"geoid_m\":0.0}"
        );
        assert_eq!(
            json(b"$GPRMC,,V,4807.038,S,,,022.4,084.,,003.1,W*00"),
            "{\"status\":\"V\",\"latitude\":-48.117300,\"speed_kn\":22.4,\"course_true_deg\":84.0,\"variation_deg\":-3.1}"
        );
    }

    #[test]
    fn lists_leave_out_what_is_empty() {
        assert_eq!(
            json(b"$GPGSA,A,3,02,,,07,,09,24,26,,,,,1.6,1.6,1.0*3D"),
            "{\"selection\":\"A\",\"fix\":3,\"prns\":[2,7,9,24,26],\"pdop\":1.6,\"hdop\":1.6,\"vdop\":1.0}"
        );
        assert_eq!(
            json(b"$GPGSV,1,1,01,07,10,,,,,,,,,,,,,,*00"),
            "{\"sentences\":1,\"sentence\":1,\"in_view\":1,\"satellites\":[{\"prn\":7,\"elevation_deg\":10}]}"
        );
        assert_eq!(
            json(b"$GPRTE,1,1,c,0*07"),
            "{\"sentences\":1,\"sentence\":1,\"mode\":\"c\",\"route\":\"0\",\"waypoints\":[]}"
        );
    }

    #[test]
    fn refused_fields_are_named() {
        let mut out = Vec::new();
        let (faults, refused) = fields(b"$GPGLL,9959.0000,N,02343.6500,E,256060,A,A*00", &mut out).unwrap();
        assert_eq!((faults.bad, &refused[..]), (2, &["latitude", "time"][..]));
        assert_eq!(fields(b"$GPQQQ,1", &mut out), None);
    }

    #[test]
    fn text_of_any_bytes_is_json() {
        let mut out = Vec::new();
        fields(b"$GPTXT,01,01,02,a\"b\\c\xe9\x01^0D*00", &mut out).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(value["text"], "a\"b\\c\u{e9}\u{1}\r");
    }

    #[test]
    fn numbers_are_json_numbers() {
        for (raw, want) in [
            ("022.4", "22.4"),
            ("-0.50", "-0.50"),
            ("000", "0.0"),
            (".5", "0.5"),
            ("5.", "5.0"),
            ("-00.0", "0.0"),
            ("+7", "7.0"),
        ] {
            let mut out = Vec::new();
            push_number(&mut out, raw.as_bytes(), false);
            assert_eq!(String::from_utf8(out).unwrap(), want);
        }
    }
}

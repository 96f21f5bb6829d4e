//! A message shown: as JSON for machines, as rows for the inspector. Reads values only.

use super::fields::{Field, Slot, Turn, Visitor};
use super::message::Message;
use crate::core::nmea::digits;
use crate::core::nmea::json::push_string;
use crate::core::time::iso_ms;

/// Appends the message as a JSON object; what is not available is absent. Names carry the unit. (The message is only read.)
pub fn push_json(message: &mut Message, out: &mut Vec<u8>) {
    out.push(b'{');
    message.fields(&mut Json { out, comma: false });
    out.push(b'}');
}

/// One line of the inspector.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Row {
    /// The JSON name; carries the unit.
    pub name: &'static str,
    /// What the field is.
    pub what: &'static str,
    /// Its value, with what it means where it is a code; `None` is "not available".
    pub value: Option<String>,
}

/// The message field by field, those that are not available too.
pub fn rows(message: &Message) -> Vec<Row> {
    let mut view = Inspector(Vec::new());
    message.clone().fields(&mut view);
    view.0
}

const SIDES: [(&str, &str); 4] = [
    ("to_bow_m", "metres from the antenna to the bow"),
    ("to_stern_m", "metres from the antenna to the stern"),
    ("to_port_m", "metres from the antenna to the port side"),
    ("to_starboard_m", "metres from the antenna to the starboard side"),
];

struct Json<'o> {
    out: &'o mut Vec<u8>,
    /// A member stands in front.
    comma: bool,
}

impl Json<'_> {
    fn key(&mut self, name: &str) {
        if self.comma {
            self.out.push(b',');
        }
        self.comma = true;
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    fn whole(&mut self, name: &str, value: Option<impl Into<u64>>) {
        if let Some(value) = value {
            self.key(name);
            digits::append_whole(self.out, value.into(), 1);
        }
    }

    fn number(&mut self, name: &str, value: Option<f64>, decimals: u8) {
        if let Some(value) = value {
            self.key(name);
            push_rounded(self.out, value, decimals);
        }
    }

    fn text(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.key(name);
            push_string(self.out, text.as_bytes());
        }
    }
}

/// Rounded for showing; never -0.
fn rounded(value: f64, decimals: u8) -> f64 {
    let unit = 10_f64.powi(i32::from(decimals));
    (value * unit).round() / unit + 0.0
}

/// Appends a number of at most so many decimals as its shortest text; with none of them as a whole number.
fn push_rounded(out: &mut Vec<u8>, value: f64, decimals: u8) {
    let scale = digits::TENS[usize::from(decimals.min(9))];
    let n = (value * scale as f64).round();
    // What would be written with an exponent, or has more digits than a number holds, does not occur in messages.
    if n.abs() >= 1e15 || (n != 0.0 && n.abs() * 1e5 < scale as f64) || n.is_nan() {
        let text = serde_json::Number::from_f64(rounded(value, decimals)).map(|n| n.to_string());
        return out.extend_from_slice(text.as_deref().unwrap_or("null").as_bytes());
    }
    if n < 0.0 {
        out.push(b'-');
    }
    let n = n.abs() as u64;
    digits::append_whole(out, n / scale, 1);
    if decimals > 0 {
        out.push(b'.');
        let point = out.len();
        digits::append_whole(out, n % scale, decimals.min(9));
        let zeros = out[point + 1..].iter().rev().take_while(|b| **b == b'0').count();
        out.truncate(out.len() - zeros);
    }
}

impl Visitor for Json<'_> {
    fn field(&mut self, field: Field, slot: Slot<'_>) {
        match slot {
            Slot::Number { value, .. } | Slot::Code { value, .. } => self.whole(field.name, *value),
            Slot::Part { letter, .. } => self.text(field.name, letter),
            Slot::Scaled { scale, value } => self.number(field.name, *value, scale.decimals),
            Slot::Turn { value } => match value {
                Some(Turn::Rate(rate)) => self.number(field.name, Some(*rate), 3),
                Some(Turn::FastStarboard) => self.text("turn", "fast to starboard (127)"),
                Some(Turn::FastPort) => self.text("turn", "fast to port (-127)"),
                None => {}
            },
            Slot::Text { value, .. } | Slot::TextToEnd { value } => self.text(field.name, value),
            Slot::DateTime { value } => {
                if let Some(utc) = *value {
                    self.text(field.name, &iso_ms(utc).replace(".000Z", "Z"));
                }
            }
            Slot::Dimensions { value } => {
                for (side, (name, _)) in value.iter().flatten().zip(SIDES) {
                    self.whole(name, Some(*side));
                }
            }
            Slot::Data { value } => self.text(field.name, &value.hex_from(0)),
            Slot::Aside { .. } | Slot::NameExtension { .. } | Slot::Spare { .. } => {}
        }
    }
}

struct Inspector(Vec<Row>);

impl Inspector {
    fn put(&mut self, field: Field, value: Option<String>) {
        self.0.push(Row { name: field.name, what: field.what, value });
    }
}

impl Visitor for Inspector {
    fn field(&mut self, field: Field, slot: Slot<'_>) {
        match slot {
            Slot::Number { value, .. } => self.put(field, value.map(|v| v.to_string())),
            Slot::Code { words, value, .. } => {
                let shown = value.map(|v| match words(v) {
                    "" => v.to_string(),
                    text => format!("{v} ({text})"),
                });
                self.put(field, shown);
            }
            Slot::Aside { value, .. } => self.put(field, Some(value.to_string())),
            Slot::Part { letter, .. } => self.put(field, Some(letter.to_owned())),
            Slot::Scaled { scale, value } => {
                let decimals = usize::from(scale.decimals);
                self.put(field, value.map(|v| format!("{:.decimals$}", rounded(v, scale.decimals))));
            }
            Slot::Turn { value } => {
                let shown = value.map(|turn| match turn {
                    Turn::Rate(rate) => format!("{:.1}", rounded(rate, 1)),
                    Turn::FastStarboard => "fast to starboard, over 5 degrees in 30 s".to_owned(),
                    Turn::FastPort => "fast to port, over 5 degrees in 30 s".to_owned(),
                });
                self.put(field, shown);
            }
            Slot::Text { value, .. } | Slot::TextToEnd { value } => {
                self.put(field, Some(value.clone()).filter(|t| !t.is_empty()));
            }
            Slot::DateTime { value } => self.put(field, value.map(|utc| iso_ms(utc).replace(".000Z", "Z"))),
            Slot::Dimensions { value } => {
                for (i, (name, what)) in SIDES.into_iter().enumerate() {
                    let side = value.and_then(|all| all.get(i).copied());
                    self.put(Field { name, what }, side.map(|m| m.to_string()));
                }
            }
            Slot::Data { value } => {
                let shown = format!("{} bits: {}", value.len(), value.hex_from(0));
                self.put(field, Some(shown).filter(|_| !value.is_empty()));
            }
            Slot::NameExtension { .. } | Slot::Spare { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(value: f64, decimals: u8) -> String {
        let mut out = Vec::new();
        push_rounded(&mut out, value, decimals);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_rounded_and_as_short_as_can_be() {
        for (value, decimals, want) in [
            (12.0, 1, "12.0"),
            (-0.04, 1, "0.0"),
            (-0.05, 1, "-0.1"),
            (123.456_789, 6, "123.456789"),
            (-23.5, 6, "-23.5"),
            (0.000_01, 6, "0.00001"),
            (359.6, 0, "360"),
            (f64::NAN, 1, "null"),
        ] {
            assert_eq!(text(value, decimals), want);
        }
    }

    proptest! {
        /// The judge is another printer of numbers.
        #[test]
        fn numbers_are_those_of_serde(value in -1e6..1e6, small in -1e-4..1e-4, decimals in 1u8..7) {
            for value in [value, small] {
                prop_assert_eq!(text(value, decimals), serde_json::to_string(&rounded(value, decimals)).unwrap());
            }
        }
    }
}

//! A message shown: as JSON for machines, as rows for the inspector. Reads values only.

use serde_json::{Map, Value, json};

use super::fields::{Field, Slot, Turn, Visitor};
use super::message::Message;
use crate::core::time::iso_ms;

/// The message as a JSON object; what is not available is absent. Names carry the unit.
pub fn json(message: &Message) -> Map<String, Value> {
    let mut view = Json(Map::new());
    message.clone().fields(&mut view);
    view.0
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

struct Json(Map<String, Value>);

impl Json {
    fn put(&mut self, name: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.0.insert(name.to_owned(), value.into());
        }
    }
}

/// Rounded for showing; never -0.
fn rounded(value: f64, decimals: u8) -> f64 {
    let unit = 10_f64.powi(i32::from(decimals));
    (value * unit).round() / unit + 0.0
}

impl Visitor for Json {
    fn field(&mut self, field: Field, slot: Slot<'_>) {
        match slot {
            Slot::Number { value, .. } | Slot::Code { value, .. } => self.put(field.name, *value),
            Slot::Part { letter, .. } => self.put(field.name, Some(letter)),
            Slot::Scaled { scale, value } => match value.map(|v| rounded(v, scale.decimals)) {
                Some(whole) if scale.decimals == 0 => self.put(field.name, Some(whole as i64)),
                number => self.put(field.name, number.map(|v| json!(v))),
            },
            Slot::Turn { value } => match value {
                Some(Turn::Rate(rate)) => self.put(field.name, Some(json!(rounded(*rate, 3)))),
                Some(Turn::FastStarboard) => self.put("turn", Some("fast to starboard (127)")),
                Some(Turn::FastPort) => self.put("turn", Some("fast to port (-127)")),
                None => {}
            },
            Slot::Text { value, .. } | Slot::TextToEnd { value } => {
                self.put(field.name, Some(value.as_str()).filter(|t| !t.is_empty()));
            }
            Slot::DateTime { value } => self.put(field.name, value.map(|utc| iso_ms(utc).replace(".000Z", "Z"))),
            Slot::Dimensions { value } => {
                for (side, (name, _)) in value.iter().flatten().zip(SIDES) {
                    self.put(name, Some(*side));
                }
            }
            Slot::Data { value } => self.put(field.name, Some(value.hex_from(0)).filter(|h| !h.is_empty())),
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

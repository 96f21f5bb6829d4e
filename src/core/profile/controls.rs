//! The control pane: the keys that may change while running, with their values, units, ranges and steps.
//!
//! A list of facts for a screen; it draws nothing.

use toml::Value;

use super::key::text_of;
use super::keys::FAULTS;
use super::{Profile, check, tree};

/// One row of the control pane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Control {
    /// As in `--set`.
    pub key: String,
    /// Its section.
    pub section: String,
    /// Its name there.
    pub label: String,
    /// The value as it would be typed; empty: none.
    pub value: String,
    /// Its unit.
    pub unit: &'static str,
    /// What it may be, in words.
    pub range: String,
    /// One step of a nudge; 0: cannot be nudged.
    pub step: f64,
    /// Has a random walk.
    pub drifts: bool,
    /// What it is in the file, where that is something else.
    pub file: Option<String>,
    /// Cannot change while running: there to tell its neighbours apart.
    pub fixed: bool,
    /// What it means.
    pub doc: &'static str,
}

/// Keys that cannot change, but say which engine or transducer it is.
const NAMES: [&str; 5] =
    ["engine.*.label", "engine.*.position", "transducer.*.name", "transducer.*.type", "transducer.*.unit"];

/// Every key of a running profile that may change, by section; `file` is the profile as it was read.
pub fn controls(running: &Profile, file: &Profile) -> Vec<Control> {
    let mut rows: Vec<Control> = tree::leaves(running.tree())
        .into_iter()
        .filter(|(_, key, _)| (key.live || NAMES.contains(&key.path)) && !key.path.starts_with("sentences.*"))
        .map(|(parts, key, value)| {
            let text = |v: Option<&Value>| v.map(text_of).unwrap_or_default();
            let (label, section) = split(&parts);
            let there = tree::parts_in(running.tree(), &parts, file.tree());
            let in_file = text(there.and_then(|parts| tree::get(file.tree(), &parts)));
            Control {
                key: parts.join("."),
                section,
                label,
                value: text(value),
                unit: key.unit,
                range: key.range(),
                step: key.step,
                drifts: key.drifts,
                file: (text(value) != in_file).then_some(in_file),
                fixed: !key.live,
                doc: key.doc,
            }
        })
        .collect();
    let sections: Vec<String> = rows.iter().map(|r| r.section.clone()).collect();
    let rank = |s: &str| sections.iter().position(|o| o == s);
    // Element by element, where the list of keys goes key by key.
    rows.sort_by_key(|r| rank(&r.section));
    for id in check::sentence_ids() {
        rows.extend(sentence(running, file, id));
    }
    let known = |kind: &str| {
        running
            .tree()
            .get("fault")
            .and_then(Value::as_array)
            .is_some_and(|a| a.iter().any(|f| f.get("kind").and_then(Value::as_str) == Some(kind)))
    };
    // Faults that the profile does not have yet can be switched on all the same.
    for kind in FAULTS.iter().filter(|k| !known(k)) {
        rows.push(Control {
            key: format!("fault.{kind}.enabled"),
            section: "fault".into(),
            label: (*kind).into(),
            value: "false".into(),
            range: "true or false".into(),
            ..Control::default()
        });
    }
    rows
}

fn split(parts: &[String]) -> (String, String) {
    let label = parts.last().cloned().unwrap_or_default();
    (label, parts[..parts.len().saturating_sub(1)].join("."))
}

fn sentence(running: &Profile, file: &Profile, id: &str) -> Vec<Control> {
    let usual = crate::core::sim::schedule::Saying::of(running, id);
    let as_read = crate::core::sim::schedule::Saying::of(file, id);
    let (Some(usual), Some(as_read)) = (usual, as_read) else { return Vec::new() };
    let row = |name: &'static str, value: String, other: String, range: &str, doc| Control {
        key: format!("sentences.{id}.{name}"),
        section: format!("sentences.{id}"),
        label: name.into(),
        file: (value != other).then_some(other),
        value,
        range: range.into(),
        doc,
        ..Control::default()
    };
    let period = super::key::period_text;
    vec![
        row("enabled", usual.enabled.to_string(), as_read.enabled.to_string(), "true or false", "On or off."),
        row(
            "talker",
            usual.talker,
            as_read.talker,
            "2 capital letters or digits",
            "Two letters in place of the usual talker.",
        ),
        row("period", period(usual.period_ms), period(as_read.period_ms), "50ms to 1h", "How often."),
    ]
}

//! Profiles: the schema, its validation, its documentation.
//!
//! [`keys`] is the one list of keys; a [`Profile`] is a tree of values in which every key with a default has one, and a
//! typed view of it. Must not open files: whoever reads one hands over its text.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::{Table, Value};

pub mod check;
pub mod controls;
pub mod doc;
pub mod key;
pub mod keys;
pub mod save;
pub mod schema;
pub mod tree;

pub use check::{Problem, ProfileError};
pub use controls::Control;
pub use schema::Settings;

use crate::core::output::OutputSpec;
use crate::core::time::Offset;
use crate::core::transport::Change;

/// The examples that `-p` finds by name without any file; the first is what is sailed without `-p`.
pub const BUILT_IN: [(&str, &str); 6] = [
    ("harbour", include_str!("../../../profiles/harbour.toml")),
    ("coastal-passage", include_str!("../../../profiles/coastal-passage.toml")),
    ("motor-yacht", include_str!("../../../profiles/motor-yacht.toml")),
    ("busy-ais", include_str!("../../../profiles/busy-ais.toml")),
    ("faults", include_str!("../../../profiles/faults.toml")),
    ("serial-4800", include_str!("../../../profiles/serial-4800.toml")),
];

/// A complete, valid profile; a copy costs nothing, a change makes it anew.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    tree: Arc<Table>,
    settings: Arc<Settings>,
}

impl Deref for Profile {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.settings
    }
}

impl Profile {
    /// Everything at its default: "Harbour", off Piraeus.
    #[expect(clippy::expect_used, reason = "a test shows that the defaults are valid; nothing else goes in")]
    pub fn built_in() -> Profile {
        Profile::from_tree(tree::defaults().clone()).expect("the defaults are a profile")
    }

    /// Reads a profile. `file` is its name in errors.
    ///
    /// # Errors
    /// Every unknown key, value out of range or wrong kind, with its line and the nearest right name.
    pub fn parse(text: &str, file: &str) -> Result<Profile, ProfileError> {
        let tree = tree::complete(check::check(text, file)?);
        Profile::from_tree(tree).map_err(|message| ProfileError {
            file: file.into(),
            problems: vec![Problem { line: 0, key: String::new(), message }],
        })
    }

    fn from_tree(tree: Table) -> Result<Profile, String> {
        let settings = Settings::deserialize(&tree)?;
        Ok(Profile { tree: Arc::new(tree), settings: Arc::new(settings) })
    }

    /// All values.
    pub fn tree(&self) -> &Table {
        &self.tree
    }

    /// The value of a key as it would be typed; empty when it has none.
    ///
    /// # Errors
    /// An unknown key, with the nearest one.
    pub fn get(&self, path: &str) -> Result<String, String> {
        let place = tree::place(&self.tree, path)?;
        Ok(tree::get(&self.tree, &place.parts).map(key::text_of).unwrap_or_default())
    }

    /// Gives a key a value, as text as in `--set KEY=VALUE`. An empty text or `none` takes away what may be absent.
    ///
    /// # Errors
    /// An unknown key, with the nearest one; a value that is not allowed, with what is.
    pub fn set(&mut self, path: &str, text: &str) -> Result<tree::Place, String> {
        let place = tree::place(&self.tree, path)?;
        check_sentence(&place)?;
        let absent = matches!(text.trim(), "" | "none");
        let takes_none = matches!(place.key.kind, key::Kind::Choice(words) if words.contains(&text.trim()));
        let value = if absent && place.key.default.is_empty() && !place.key.required && !takes_none {
            None
        } else {
            Some(place.key.read(text).map_err(|e| format!("{path}: {e}"))?)
        };
        self.put(&place, value)?;
        Ok(place)
    }

    /// Puts a value that was checked.
    fn put(&mut self, place: &tree::Place, value: Option<Value>) -> Result<(), String> {
        let mut tree = (*self.tree).clone();
        tree::put(&mut tree, place, value);
        let changed = Profile::from_tree(tree).map_err(|e| format!("{}: {e}", place.path()))?;
        for output in changed.settings.output.iter().filter(|_| place.path().starts_with("output.")) {
            check::output_of(output).map_err(|(_, e)| format!("{}: {e}", place.path()))?;
        }
        *self = changed;
        Ok(())
    }

    /// Moves a number by so much; a direction goes round, everything else stops at the ends of its range. A key that has
    /// no value begins at `from`.
    ///
    /// # Errors
    /// An unknown key, or one that is no number.
    pub fn nudge(&mut self, path: &str, by: f64, from: f64) -> Result<tree::Place, String> {
        let place = tree::place(&self.tree, path)?;
        if !by.is_finite() {
            return Err(format!("{path}: give a number to move it by"));
        }
        let old = match tree::get(&self.tree, &place.parts) {
            Some(Value::Float(x)) => *x,
            Some(Value::Integer(i)) => *i as f64,
            _ => from,
        };
        let moved = old + by;
        let value = match place.key.kind {
            key::Kind::Angle => Value::Float(crate::core::vessel::units::wrap_360(moved)),
            key::Kind::Number(low, high) => Value::Float(moved.clamp(low, high)),
            key::Kind::Integer(low, high) => Value::Integer((moved.round() as i64).clamp(low, high)),
            key::Kind::WordOr(_, low, high) => Value::Float(moved.clamp(low, high)),
            _ => return Err(format!("{path} is no number: it can be set, not nudged")),
        };
        self.put(&place, Some(value))?;
        Ok(place)
    }

    /// Gives a key the value that it has in another profile.
    pub fn take(&mut self, other: &Profile, path: &str) -> Result<(), String> {
        let place = tree::place(&self.tree, path)?;
        let there = tree::parts_in(&self.tree, &place.parts, &other.tree);
        let value = there.and_then(|parts| tree::get(&other.tree, &parts).cloned());
        self.put(&place, value)
    }

    /// Takes away the list element that a path leads through, if another profile does not have it: what was added while
    /// running goes again. `None`: that profile has it, or there is no list in the path.
    pub fn take_away_added(&mut self, other: &Profile, path: &str) -> Option<Result<(), String>> {
        let (list, which) = tree::element(path)?;
        let Ok(place) = tree::place(&self.tree, path) else {
            // Gone already, unless it never was there.
            return which.parse::<usize>().ok().map(|_| Ok(()));
        };
        if tree::parts_in(&self.tree, &place.parts, &other.tree).is_some() {
            return None;
        }
        let n = place.parts.get(list.split('.').count())?.parse().ok()?;
        Some(self.remove(list, n))
    }

    /// Takes the n-th element out of a list.
    ///
    /// # Errors
    /// When what is left is no profile.
    pub fn remove(&mut self, list: &str, n: usize) -> Result<(), String> {
        let mut tree = (*self.tree).clone();
        if tree::remove_element(&mut tree, list, n) {
            *self = Profile::from_tree(tree)?;
        }
        Ok(())
    }

    /// Appends a change at an offset to the scenario.
    ///
    /// # Errors
    /// A change that no step can make.
    pub fn add_step(&mut self, at: Offset, change: &Change) -> Result<(), String> {
        let mut step = Table::new();
        step.insert("at".into(), Value::String(key::at_text(at)));
        let mut entry = |name: &str, value: Value| step.insert(name.into(), value);
        match change {
            Change::Several(parts) => return parts.iter().try_for_each(|part| self.add_step(at, part)),
            Change::Set { key, value } if tree::is_element(key) => {
                entry("set", Value::Table([(key.clone(), Value::String(value.clone()))].into_iter().collect()));
            }
            Change::Set { key, value } => {
                let place = tree::place(&self.tree, key)?;
                let value = if value.trim().is_empty() || value.trim() == "none" {
                    Value::String(value.clone())
                } else {
                    place.key.read(value).map_err(|e| format!("{key}: {e}"))?
                };
                entry("set", Value::Table([(key.clone(), value)].into_iter().collect()));
            }
            Change::Nudge { key, by } => {
                entry("nudge", Value::Table([(key.clone(), Value::Float(*by))].into_iter().collect()));
            }
            Change::Release { key } => {
                entry("release", Value::Array(vec![Value::String(key.clone())]));
            }
            Change::Reset => {
                entry("release", Value::Array(vec![Value::String("*".into())]));
            }
        }
        let mut tree = (*self.tree).clone();
        if let Some(Value::Array(steps)) = tree.get_mut("step") {
            steps.push(Value::Table(step));
        }
        *self = Profile::from_tree(tree)?;
        Ok(())
    }

    /// The outputs it describes.
    pub fn outputs(&self) -> Vec<OutputSpec> {
        // Checked when it was read and when it was changed.
        self.output.iter().filter_map(|o| check::output_of(o).ok()).collect()
    }

    /// A path of the profile as seen from the folder in which its file lies.
    pub fn path(folder: &Path, path: &str) -> PathBuf {
        folder.join(path)
    }
}

impl Settings {
    fn deserialize(tree: &Table) -> Result<Settings, String> {
        Value::Table(tree.clone())
            .try_into()
            .map_err(|e: toml::de::Error| e.message().lines().collect::<Vec<_>>().join("; "))
    }
}

/// A sentence that a path names must exist.
fn check_sentence(place: &tree::Place) -> Result<(), String> {
    let parts: Vec<&str> = place.parts.iter().map(String::as_str).collect();
    match parts[..] {
        ["sentences", id, _] if id != "custom" && !check::known_sentence(id) => {
            let near = check::suggestion(id, check::sentence_ids());
            let hint = near.map_or_else(|| "`nmeasimx sentences` lists them".into(), |n| format!("did you mean {n}?"));
            Err(format!("no such sentence {id:?}: {hint}"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;

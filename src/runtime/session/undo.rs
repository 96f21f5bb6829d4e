//! Taking back a change of the vessel: what differed in the profile, what was pinned by it, where something was.
//!
//! Finds the change that leads back; the source carries it out at one moment, like any other.

use std::collections::HashMap;

use crate::core::profile::schema::Target;
use crate::core::profile::{Profile, doc, tree};
use crate::core::transport::{Change, Source};

/// Lists of which elements come and go while running.
const LISTS: [&str; 5] = ["target", "fault", "sentences.custom", "engine", "transducer"];

/// How a source stands at one moment.
pub struct Standing {
    profile: Profile,
    start: Profile,
    pinned: Vec<String>,
    moving: HashMap<String, f64>,
}

impl Standing {
    /// Of a source with a profile.
    pub fn of(source: &dyn Source) -> Option<Standing> {
        let profile = source.profile()?;
        let pinned = doc::flat(profile).into_iter().map(|(key, _)| key).filter(|key| source.is_pinned(key)).collect();
        let start = source.profile_at_start().unwrap_or(profile).clone();
        Some(Standing { profile: profile.clone(), start, pinned, moving: source.moving(true).into_iter().collect() })
    }

    fn is_pinned(&self, key: &str) -> bool {
        self.pinned.iter().any(|k| k == key)
    }

    /// What a moving key is now, as it would be typed.
    fn now(&self, key: &str) -> Option<String> {
        self.moving.get(key).map(|value| crate::core::profile::key::number_text(*value))
    }
}

/// What brings a change back.
#[derive(Clone, Debug, PartialEq)]
pub struct Undo(Vec<Change>);

impl Undo {
    /// From how the source stood before to how it stands after `change`; `None` when nothing differs.
    pub fn between(before: &Standing, after: &Standing, change: &Change) -> Option<Undo> {
        let set = |key: &str, value: &str| Change::Set { key: key.into(), value: value.into() };
        let release = |key: &str| Change::Release { key: key.into() };
        let mut changes = Vec::new();
        // What was added goes as a whole, the last first.
        let mut left = after.profile.clone();
        for list in LISTS {
            let [was, is] = [&before.profile, &after.profile].map(|p| tree::elements(p.tree(), list));
            for n in (0..is.len()).rev().filter(|n| tree::counterpart(is, *n, was).is_none()) {
                changes.push(set(&format!("{list}.{n}"), ""));
                left.remove(list, n).ok()?;
            }
        }
        let (old, new) = (doc::flat(&before.profile), doc::flat(&left));
        let (was, is): (HashMap<_, _>, HashMap<_, _>) = (old.iter().cloned().collect(), new.iter().cloned().collect());
        let (mut drifting, mut free) = (Vec::new(), Vec::new());
        let mut held: Vec<&str> = before.pinned.iter().map(String::as_str).filter(|k| !after.is_pinned(k)).collect();
        let mut let_go: Vec<&str> = after.pinned.iter().map(String::as_str).filter(|k| !before.is_pinned(k)).collect();
        let steered = |(key, value): &&(String, String)| key.starts_with("steering.") && is.get(key) != Some(value);
        if before.is_pinned("vessel.heading") && old.iter().any(|entry| steered(&entry)) {
            held.push("vessel.heading"); // any change of the steering lets it go at the next step
        }
        // Who is put to where the profile has her already has moved all the same.
        let put = |key: &str| {
            is_place(key)
                && change.singles().into_iter().any(|c| match c {
                    Change::Set { key: k, .. } | Change::Nudge { key: k, .. } => k == key,
                    _ => false,
                })
        };
        let moved = old.iter().any(|(key, _)| put(key));
        for (key, value) in old.iter().filter(|(key, value)| is.get(key) != Some(value) || put(key)) {
            if !is_live(key) {
                continue; // of an engine that comes back: it has what a new one has
            }
            if is_place(key) {
                // Where the profile begins is not where she was.
                if let Some(there) = before.now(key).filter(|_| moved) {
                    changes.push(set(key, &there));
                    if before.start.get(key).is_ok_and(|start| start == *value) {
                        free.push(release(key));
                    }
                }
            } else if before.moving.contains_key(key) && tree::element(key).is_none() && key != "steering.rudder" {
                if before.is_pinned(key) { held.push(key) } else { let_go.push(key) }
            } else {
                changes.push(set(key, &of_target(before, after, key).unwrap_or_else(|| value.clone())));
            }
        }
        changes.extend(new.iter().filter(|(key, _)| !was.contains_key(key)).map(|(key, _)| set(key, "")));
        for list in [&mut held, &mut let_go] {
            list.sort_unstable();
            list.dedup();
        }
        drifting.extend(held.iter().filter_map(|key| Some(set(key, was.get(*key)?))));
        // From where it was it drifts on.
        for key in let_go {
            drifting.extend(before.now(key).map(|value| set(key, &value)));
            free.push(release(key));
        }
        changes.append(&mut drifting);
        changes.append(&mut free);
        (!changes.is_empty()).then_some(Undo(changes))
    }

    /// What it brings back, in words.
    pub fn words(&self) -> String {
        let keys: Vec<&str> = self
            .0
            .iter()
            .filter_map(|c| match c {
                Change::Set { key, .. } | Change::Release { key } => Some(key.as_str()),
                _ => None,
            })
            .collect();
        match keys.as_slice() {
            [] => "undone".into(),
            [first, ..] if keys.iter().all(|k| k == first) => format!("undone: {first}"),
            keys if keys.iter().any(|k| is_place(k)) => "undone: the vessel is back where she was".into(),
            // A ship that comes back says so, not that its number does.
            [first, ..] => match tree::element(first) {
                Some((list, which)) if keys.iter().all(|k| tree::element(k) == Some((list, which))) => {
                    format!("undone: {list}.{which}")
                }
                _ => format!("undone: {first} and more"),
            },
        }
    }

    /// The change that brings it back.
    pub fn change(self) -> Change {
        Change::Several(self.0)
    }
}

fn is_live(key: &str) -> bool {
    tree::key_of(&key.split('.').collect::<Vec<_>>()).is_some_and(|key| key.live)
}

fn is_place(key: &str) -> bool {
    matches!(key, "vessel.latitude" | "vessel.longitude")
}

/// A target that was moved, or that has gone, comes back to where it was; one that only has another number sails on.
fn of_target(before: &Standing, after: &Standing, key: &str) -> Option<String> {
    let (n, name) = key.strip_prefix("target.")?.split_once('.')?;
    let was = before.profile.target.get(n.parse::<usize>().ok()?)?;
    let is = after.profile.target.iter().find(|t| t.mmsi == was.mmsi);
    let same = |of: fn(&Target) -> Option<f64>| is.is_some_and(|is| of(is) == of(was));
    let stays = match name {
        "latitude" => same(|t| t.latitude),
        "longitude" => same(|t| t.longitude),
        "course" => same(|t| Some(t.course)),
        _ => true,
    };
    if stays { None } else { before.now(key) }
}

#[cfg(test)]
#[path = "undo_tests.rs"]
mod tests;

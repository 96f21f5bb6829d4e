//! Taking back a change of the vessel: what differed in the profile, and what was pinned by it.

use crate::core::profile::doc;
use crate::core::time::Wall;
use crate::core::transport::{Change, Player};
use crate::runtime::driver::Playing;

/// What brings a change back.
#[derive(Clone, Debug, PartialEq)]
pub struct Undo(Vec<Change>);

impl Undo {
    /// From how the source stood before to how it stands now; `None` when nothing differs.
    pub fn between(before: &Playing, after: &Playing) -> Option<Undo> {
        let (old, new) = (before.profile.as_ref()?, after.profile.as_ref()?);
        let (old, new) = (doc::flat(old), doc::flat(new));
        let mut changes = Vec::new();
        for (key, value) in &old {
            if new.iter().find(|(k, _)| k == key).map(|(_, v)| v) != Some(value) {
                changes.push(Change::Set { key: key.clone(), value: value.clone() });
            }
        }
        for (key, _) in new.iter().filter(|(k, _)| !old.iter().any(|(o, _)| o == k)) {
            changes.push(Change::Set { key: key.clone(), value: String::new() });
        }
        for key in before.pinned.iter().filter(|k| !after.pinned.contains(k)) {
            // It was held and is free now: holding it again means to set it to what it was held at.
            if let Some((_, value)) = old.iter().find(|(k, _)| k == key) {
                changes.retain(|c| !matches!(c, Change::Set { key: k, .. } if k == key));
                changes.push(Change::Set { key: key.clone(), value: value.clone() });
            }
        }
        let set: Vec<String> = changes
            .iter()
            .filter_map(|c| match c {
                Change::Set { key, .. } => Some(key.clone()),
                _ => None,
            })
            .collect();
        let was_free = |key: &String| !before.pinned.contains(key);
        for key in after.pinned.iter().filter(|k| was_free(k)).chain(set.iter().filter(|k| was_free(k))) {
            let release = Change::Release { key: key.clone() };
            if !changes.contains(&release) {
                changes.push(release);
            }
        }
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
            [first, ..] => format!("undone: {first} and more"),
        }
    }

    /// Brings it back. Keys that cannot be released were never held.
    ///
    /// # Errors
    /// What the source does not take back.
    pub fn apply(self, player: &mut Player, now: Wall) -> Result<(), String> {
        let mut failed = None;
        for change in self.0 {
            let done = player.change(now, &change);
            if let (Err(error), Change::Set { .. }) = (done, &change) {
                failed.get_or_insert(error.to_string());
            }
        }
        failed.map_or(Ok(()), Err)
    }
}

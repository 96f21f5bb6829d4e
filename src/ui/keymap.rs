//! Which key means what, where: the table of actions with the changes of the config file.
//!
//! Must not know the model: the caller says which contexts count, in the order of look-up.

use std::collections::HashMap;

use super::action::{ACTIONS, Action, Context, by_name};
use super::keys::Key;

/// Keys to actions and back.
#[derive(Clone, Debug)]
pub struct Keymap {
    actions: HashMap<(Context, Key), Action>,
    keys: Vec<Vec<Key>>,
}

impl Default for Keymap {
    fn default() -> Self {
        let keys = ACTIONS.iter().map(|s| s.keys.iter().filter_map(|k| k.parse().ok()).collect()).collect();
        Keymap::index(keys)
    }
}

impl Keymap {
    /// The table with other keys for some actions, as a config file has them: name, keys.
    ///
    /// # Errors
    /// One line: no such action, no such key, or which two actions would have the same key.
    pub fn with(changes: &[(String, Vec<String>)]) -> Result<Keymap, String> {
        let mut map = Keymap::default();
        for (name, keys) in changes {
            let spec = by_name(name).ok_or_else(|| format!("keys: there is no action `{name}`; see `:help`"))?;
            let mut read = Vec::new();
            for key in keys {
                read.push(key.parse().map_err(|e| format!("keys.{name}: {e}"))?);
            }
            map.keys[spec.action as usize] = read;
        }
        let mut seen: HashMap<(Context, Key), &str> = HashMap::new();
        for (spec, keys) in ACTIONS.iter().zip(&map.keys) {
            for key in keys {
                if let Some(other) = seen.insert((spec.context, *key), spec.name) {
                    let place = spec.context.words();
                    return Err(format!("keys: {key} would be both `{other}` and `{}` ({place})", spec.name));
                }
            }
        }
        Ok(Keymap::index(map.keys))
    }

    fn index(keys: Vec<Vec<Key>>) -> Keymap {
        let mut actions = HashMap::new();
        for (spec, keys) in ACTIONS.iter().zip(&keys) {
            for key in keys {
                actions.insert((spec.context, *key), spec.action);
            }
        }
        Keymap { actions, keys }
    }

    /// What a key means, looked up in these contexts one after the other.
    pub fn action(&self, contexts: &[Context], key: Key) -> Option<Action> {
        contexts.iter().find_map(|c| self.actions.get(&(*c, key)).copied())
    }

    /// The keys of an action.
    pub fn keys(&self, action: Action) -> &[Key] {
        self.keys.get(action as usize).map_or(&[], Vec::as_slice)
    }

    /// The keys of an action as text: `j Down`.
    pub fn text(&self, action: Action) -> String {
        self.keys(action).iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things_in_one_context() {
        assert!(Keymap::with(&[]).is_ok());
    }

    #[test]
    fn a_key_means_something_else_on_another_level_only_where_the_page_says_so() {
        // which contexts can count at the same time, upper before lower
        let stacks: &[&[Context]] = &[
            &[Context::Control, Context::Simulate, Context::Player, Context::List, Context::Global],
            &[Context::Diagnose, Context::Simulate, Context::Player, Context::List, Context::Global],
            &[Context::Chart, Context::Simulate, Context::Player, Context::List, Context::Global],
            &[Context::Outputs, Context::Simulate, Context::Player, Context::List, Context::Global],
            &[Context::Recorded, Context::Player, Context::List, Context::Global],
        ];
        let mut shadows: Vec<String> = Vec::new();
        let map = Keymap::default();
        for stack in stacks {
            for (i, upper) in stack.iter().enumerate() {
                for spec in ACTIONS.iter().filter(|s| s.context == *upper) {
                    for key in map.keys(spec.action) {
                        if let Some(lower) = map.action(&stack[i + 1..], *key) {
                            shadows.push(format!("{} {key} {}", spec.name, super::super::action::spec(lower).name));
                        }
                    }
                }
            }
        }
        shadows.sort();
        shadows.dedup();
        // SCREENS.md: the rows of control pane, chart, outputs and diagnose, against those of the source and the list
        let allowed = "chart-follow F follow|control-down Down down|control-up Up up|edit-output Enter inspect|explain Enter inspect
            next-target n find-next|nudge-down Left rewind|nudge-down-10 < previous-epoch|nudge-up Right forward
            nudge-up-10 > next-epoch|pan-down j down|pan-left h left|pan-right l right|pan-up k up
            previous-target N find-previous|release Backspace real-time|target Enter inspect|value Enter inspect";
        let allowed: Vec<&str> = allowed.split(['|', '\n']).map(str::trim).collect();
        assert_eq!(shadows, allowed);
    }

    #[test]
    fn the_config_file_may_give_other_keys_but_no_conflict() {
        let change = |name: &str, key: &str| Keymap::with(&[(name.into(), vec![key.into()])]);
        let map = change("step", "n").unwrap_or_default(); // n is `find-next`, of another context: the source comes first
        assert_eq!(map.action(&[Context::Player, Context::List], Key::char('n')), Some(Action::Step));
        assert_eq!(map.action(&[Context::Player, Context::List], Key::char('.')), None);
        let error = change("step", ",").map(|_| ()).unwrap_err();
        assert!(error.contains("`step` and `step-back`") && error.contains(','), "{error}");
        assert!(change("fly", "x").map(|_| ()).unwrap_err().contains("no action `fly`"));
        assert!(change("step", "Ctrl-M").map(|_| ()).unwrap_err().contains("Enter"));
    }
}

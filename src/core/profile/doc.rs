//! The profile as a commented file (`profile init`), as an effective file (`profile show`), and as a reference for the
//! docs: all from the list of keys.

use std::fmt::Write;

use toml::{Table, Value};

use super::keys::{KEYS, SECTIONS};
use super::{Profile, check, tree};

/// A commented file with every key at its default; what has none is commented out.
pub fn init() -> String {
    let mut text = String::from(
        "# A profile of nmeasimx. Every key but schema_version may be left out; these are the defaults.\n\
         # `nmeasimx profile check FILE` finds mistakes, `nmeasimx run -p FILE` sails it.\n\n",
    );
    write(&mut text, tree::defaults(), true);
    text
}

/// Every value of a profile, without comments. Reads back as the same profile.
pub fn show(profile: &Profile) -> String {
    let mut text = String::new();
    write(&mut text, profile.tree(), false);
    text
}

fn write(text: &mut String, tree: &Table, explain: bool) {
    keys_of(text, "", Some(tree), explain);
    for (section, list, about) in SECTIONS {
        let parts: Vec<&str> = section.split('.').collect();
        if explain {
            let _ = writeln!(text, "\n# {about}");
        }
        if *section == "sentences.*" {
            let Some(Value::Table(sentences)) = tree.get("sentences") else { continue };
            let named: Vec<_> = sentences.iter().filter(|(_, v)| v.is_table()).collect();
            for (id, value) in &named {
                let _ = writeln!(text, "\n[sentences.{id}]");
                keys_of(text, section, value.as_table(), explain);
            }
            if named.is_empty() && explain {
                text.push_str("# [sentences.RMC]\n");
                keys_of(text, section, None, explain);
            }
            continue;
        }
        let names: Vec<String> = parts.iter().map(|p| (*p).to_string()).collect();
        let value = tree::get(tree, &names);
        if !list {
            if explain || value.and_then(Value::as_table).is_some_and(|t| !t.is_empty()) {
                let gap = if explain { "" } else { "\n" };
                let _ = writeln!(text, "{gap}[{section}]");
                keys_of(text, section, value.and_then(Value::as_table), explain);
            }
            continue;
        }
        let elements = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for element in elements {
            let gap = if explain { "" } else { "\n" };
            let _ = writeln!(text, "{gap}[[{section}]]");
            keys_of(text, &format!("{section}.*"), element.as_table(), explain);
        }
        if elements.is_empty() && explain {
            let _ = writeln!(text, "# [[{section}]]");
            keys_of(text, &format!("{section}.*"), None, explain);
        } else if elements.is_empty() && *section == "engine" {
            // The only list whose default is not empty; before the first section.
            text.insert_str(0, "engine = []\n");
        }
    }
}

/// The keys of one section.
fn keys_of(text: &mut String, section: &str, values: Option<&Table>, explain: bool) {
    for key in KEYS.iter().filter(|k| k.section() == section) {
        let value = values.and_then(|v| v.get(key.name()));
        if explain {
            let unit = if key.unit.is_empty() { String::new() } else { format!("{}, ", key.unit) };
            let _ = writeln!(text, "# {} ({unit}{})", key.doc, key.range());
        }
        match value {
            Some(value) => {
                let _ = writeln!(text, "{} = {value}", key.name());
            }
            None if explain => {
                let shown = if key.example.is_empty() { key.default } else { key.example };
                let _ = writeln!(text, "# {} = {shown}", key.name());
            }
            None => {}
        }
    }
}

/// The reference in the docs, in Markdown.
pub fn reference() -> String {
    let mut text = String::from(
        "# Profiles\n\n\
         A profile is a TOML file: what is simulated, what is said, and where it goes. Every key but `schema_version = 1` may be\n\
         left out. `nmeasimx profile init` writes a commented file, `nmeasimx profile check FILE` names every mistake with its line,\n\
         `nmeasimx profile show` prints the effective values. `-p` takes a path, or a name looked for in `./profiles` and in\n\
         `~/.config/nmeasimx/profiles/`. Relative paths are relative to the profile.\n\n\
         `--set KEY=VALUE`, the control pane, `nmeasimx ctl set` and the steps of a scenario use the same names. An element of a\n\
         list goes by its number (`engine.0.rpm`) or by what it is called (`engine.port.rpm`, `target.200000011.speed`,\n\
         `fault.no_fix.enabled`). While running, `none` takes a target, a fault or a sentence of your own away as a whole\n\
         (`target.0`). **Live** keys may change while running.\n\n\
         This page is made from the list of keys in the code; a test compares them.\n",
    );
    section_reference(&mut text, "", "The top of the file");
    for (section, list, about) in SECTIONS {
        let heading = if *list { format!("[[{section}]]") } else { format!("[{section}]") };
        let _ = write!(text, "\n## {heading}\n\n{about}\n");
        let path = if *list { format!("{section}.*") } else { (*section).to_string() };
        section_reference(&mut text, &path, "");
    }
    text
}

fn section_reference(text: &mut String, section: &str, heading: &str) {
    let keys: Vec<_> = KEYS.iter().filter(|k| k.section() == section).collect();
    if keys.is_empty() {
        return;
    }
    if !heading.is_empty() {
        let _ = write!(text, "\n## {heading}\n");
    }
    text.push_str("\n| key | default | unit | allowed | live | meaning |\n|---|---|---|---|---|---|\n");
    for key in keys {
        let default = if key.default.is_empty() { "none".into() } else { format!("`{}`", key.default) };
        let live = match (key.live, key.drifts) {
            (true, true) => "yes, drifts",
            (true, false) => "yes",
            _ => "",
        };
        let required = if key.required { "required" } else { default.as_str() };
        let _ =
            writeln!(text, "| `{}` | {required} | {} | {} | {live} | {} |", key.name(), key.unit, key.range(), key.doc);
    }
}

/// A profile's values as lines `key = value`, for `profile show` of a few keys and for `ctl`.
pub fn flat(profile: &Profile) -> Vec<(String, String)> {
    tree::leaves(profile.tree())
        .into_iter()
        .filter(|(_, key, _)| !check::holds_changes(key))
        .filter_map(|(parts, _, value)| Some((parts.join("."), super::key::text_of(value?))))
        .collect()
}

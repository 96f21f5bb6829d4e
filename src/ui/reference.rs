//! The key reference `docs/keys.md`, written from the table of actions.
//!
//! Text only; a test holds the file to it.

use super::action::{ACTIONS, Category};
use super::keymap::Keymap;

/// The page.
pub fn keys_md() -> String {
    let mut out = String::from(
        "# Keys\n\n\
         Written from the table of actions (`src/ui/action.rs`) by `UPDATE_DOCS=1 cargo test --lib reference`; do not edit.\n\n\
         A key is looked up in the prompt or overlay, the focused pane, the view, the source, the list, everywhere: the\n\
         first that has it counts. Every action but those of prompts, lists and questions can be run by its name from the\n\
         palette (`:`), and its keys can be changed in `~/.config/nmeasimx/config.toml`:\n\n\
         ```toml\n[keys]\nstep = [\".\", \"F5\"]\n```\n\n\
         The palette also takes a place to go to (`:123` line, `:50%`, `:09:45`, `:+90s`, `:-5m`, the name of a mark)\n\
         and the commands of `nmeasimx ctl`.\n",
    );
    let map = Keymap::default();
    for category in Category::ALL {
        out.push_str(&format!("\n## {}\n\n| keys | where | name | what |\n|---|---|---|---|\n", category.words()));
        for spec in ACTIONS.iter().filter(|s| s.category == category) {
            let code = |text: String| format!("`{}`", text.replace('|', "\\|"));
            let keys: Vec<String> = map.keys(spec.action).iter().map(|k| code(k.to_string())).collect();
            let name = format!("{} {}", spec.name, spec.argument);
            out.push_str(&format!(
                "| {} | {} | {} | {} |\n",
                keys.join(" "),
                spec.context.words(),
                code(name.trim().to_owned()),
                spec.what.replace('|', "\\|")
            ));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_is_that_of_the_table() {
        let path = format!("{}/docs/keys.md", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, super::keys_md()).unwrap();
        }
        let page = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(page == super::keys_md(), "docs/keys.md is old: UPDATE_DOCS=1 cargo test --lib reference");
    }
}

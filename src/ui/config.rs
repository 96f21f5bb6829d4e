//! The person's settings, `config.toml`: theme, signs, frame rate, profile, units, keys.
//!
//! Text in, settings out; the caller finds and reads the file.

use serde::Deserialize;

use super::format::Units;
use super::keymap::Keymap;
use super::theme::ThemeName;

/// What the file may say. Every key is optional, unknown ones are errors.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    theme: Option<String>,
    ascii: Option<bool>,
    fps: Option<u8>,
    profile: Option<String>,
    units: Option<Vec<String>>,
    #[serde(default)]
    keys: std::collections::BTreeMap<String, Keys>,
}

/// One key or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Keys {
    One(String),
    Several(Vec<String>),
}

/// The settings.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// `theme = "night"`.
    pub theme: Option<ThemeName>,
    /// `ascii = true`.
    pub ascii: bool,
    /// `fps = 5`, 1 to 30.
    pub fps: Option<u8>,
    /// `profile = "harbour"`: where `run` has none.
    pub profile: Option<String>,
    /// `units = ["kmh", "ft", "F"]`.
    pub units: Units,
    /// `[keys]`, by the names of the actions.
    pub keymap: Keymap,
}

/// A commented file to start from.
pub const EXAMPLE: &str = r#"# nmeasimx, settings of the screen. Every line is optional.
# theme = "dark"            # dark, light, night (red only), mono
# ascii = false             # true: no sign above ASCII
# fps = 10                  # frames a second, 1 to 30
# profile = "harbour"       # what `nmeasimx run` simulates without -p
# units = ["kn", "m", "C"]  # kn kmh m/s, m ft fathoms, C F

# [keys]                    # names as in docs/keys.md
# step = [".", "F5"]
"#;

impl Config {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// One or two lines: where, what, and what there is.
    pub fn parse(text: &str) -> Result<Config, String> {
        let file: File = toml::from_str(text).map_err(|e| {
            let line = e.span().map_or(1, |s| text.get(..s.start).unwrap_or("").matches('\n').count() + 1);
            format!("line {line}: {}", e.message().lines().collect::<Vec<_>>().join(" "))
        })?;
        let mut config = Config { ascii: file.ascii.unwrap_or(false), profile: file.profile, ..Config::default() };
        if let Some(theme) = &file.theme {
            config.theme = Some(theme.parse().map_err(|e: super::theme::UnknownTheme| format!("theme: {e}"))?);
        }
        match file.fps {
            Some(fps) if !(1..=30).contains(&fps) => return Err(format!("fps = {fps}: give 1 to 30")),
            fps => config.fps = fps,
        }
        for word in file.units.iter().flatten() {
            config.units.take(word).map_err(|e| format!("units: {e}"))?;
        }
        let keys: Vec<(String, Vec<String>)> = file
            .keys
            .into_iter()
            .map(|(name, keys)| match keys {
                Keys::One(key) => (name, vec![key]),
                Keys::Several(keys) => (name, keys),
            })
            .collect();
        config.keymap = Keymap::with(&keys)?;
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::action::{Action, Context};
    use crate::ui::format::{DepthUnit, SpeedUnit};
    use crate::ui::keys::Key;

    #[test]
    fn settings_are_read() {
        let c = Config::parse("theme = 'night'\nfps = 5\nunits = ['kmh', 'ft']\nprofile = 'harbour'\n[keys]\nstep = 'F5'\nmark = ['m', 'M']")
            .unwrap();
        assert_eq!((c.theme, c.fps, c.profile.as_deref()), (Some(ThemeName::Night), Some(5), Some("harbour")));
        assert_eq!((c.units.speed, c.units.depth), (SpeedUnit::Kmh, DepthUnit::Feet));
        let key: Key = "F5".parse().unwrap();
        assert_eq!(c.keymap.action(&[Context::Player], key), Some(Action::Step));
        assert_eq!(c.keymap.action(&[Context::List], Key::char('M')), Some(Action::Mark));
        assert!(Config::parse("").is_ok());
    }

    #[test]
    fn the_example_is_valid_with_and_without_its_comment_signs() {
        assert!(Config::parse(EXAMPLE).is_ok());
        let lines = EXAMPLE.lines().skip(1).map(|l| l.trim_start_matches("# "));
        let all = lines.collect::<Vec<_>>().join("\n");
        Config::parse(&all).unwrap();
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, words) in [
            ("a = 1", &["line 1", "`a`", "theme"][..]),
            ("\ntheme = 'pink'", &["theme", "pink", "night"]),
            ("fps = 60", &["fps", "1 to 30"]),
            ("units = ['furlong']", &["units", "furlong", "ft"]),
            ("[keys]\nfly = 'x'", &["no action `fly`"]),
            ("[keys]\nstep = ','", &["`step` and `step-back`"]),
            ("theme = ", &["line 1"]),
        ] {
            let error = Config::parse(text).map(|_| ()).unwrap_err();
            assert!(words.iter().all(|w| error.contains(w)) && error.lines().count() <= 2, "{text}: {error}");
        }
    }
}

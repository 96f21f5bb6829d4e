//! The screen of a session: opens the terminal, runs the views, gives the terminal back, and says what is to be said then.

use std::io::{IsTerminal, Write};

use nmeasimx::runtime::session::Watcher;
use nmeasimx::term::capabilities::{Depth, Flags};
use nmeasimx::term::{Terminal, guard};
use nmeasimx::ui::app::{self, UiOptions};
use nmeasimx::ui::config::Config;
use nmeasimx::ui::model::Exit;
use nmeasimx::ui::theme::ThemeName;

/// Options of the screen.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Screen")]
pub struct Options {
    /// dark, light, night (red only) or mono
    #[arg(long, value_name = "NAME", value_parser = theme)]
    pub theme: Option<ThemeName>,
    /// Only ASCII characters
    #[arg(long)]
    pub ascii: bool,
    /// Frames a second, 1 to 30
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=30))]
    pub fps: Option<u8>,
    /// Colours: auto, always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
}

/// When there are colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    /// As the terminal and NO_COLOR say.
    #[default]
    Auto,
    /// Sixteen.
    Always,
    /// None.
    Never,
}

fn theme(text: &str) -> Result<ThemeName, String> {
    ThemeName::ALL.into_iter().find(|t| t.name() == text).ok_or_else(|| "give dark, light, night or mono".to_string())
}

/// The person's `config.toml`; without one the defaults.
///
/// # Errors
/// One or two lines that name the file.
pub fn config() -> Result<Config, String> {
    let path = super::folders::config_folder().join("config.toml");
    match std::fs::read_to_string(&path) {
        Ok(text) => Config::parse(&text).map_err(|e| format!("{}: {e}", path.display())),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
        Err(e) => Err(format!("{}: {e}", path.display())),
    }
}

impl Options {
    fn flags(&self, config: &Config) -> Flags {
        Flags {
            ascii: self.ascii || config.ascii,
            colours: match self.color {
                Colour::Auto => None,
                Colour::Always => Some(Depth::Sixteen),
                Colour::Never => Some(Depth::Mono),
            },
            frame_rate: self.fps.or(config.fps),
        }
    }
}

/// Whether there is a terminal to draw on and one to read keys from.
pub fn has_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Shows a session until the person leaves; the terminal is as it was then.
///
/// # Errors
/// There is no terminal fit for a screen: one line that names `--headless`.
pub async fn show(watcher: Watcher, options: &Options, attached: bool, hint: Option<String>) -> Result<Exit, String> {
    guard::install_panic_hook(|report| tracing::error!("{report}"));
    // a mistake in the settings keeps nobody from the screen: it is said there
    let (config, hint) = match config() {
        Ok(config) => (config, hint),
        Err(error) => (Config::default(), Some(format!("settings not used: {error}"))),
    };
    let (terminal, inputs) = Terminal::open(options.flags(&config)).map_err(|e| e.to_string())?;
    let theme = options.theme.or(config.theme).unwrap_or_default();
    let ui = UiOptions { theme, keymap: config.keymap, units: config.units, attached, hint };
    let exit = app::run(watcher, &terminal, inputs, ui).await;
    terminal.close();
    for report in guard::take_panics() {
        // Nobody reads it: then nobody can be told.
        let _unread = writeln!(std::io::stderr(), "{report}");
    }
    Ok(exit)
}

/// The exit status that belongs to how a screen was left.
pub fn status(exit: &Exit) -> u8 {
    match exit {
        Exit::Quit | Exit::Left | Exit::SessionEnded => 0,
        Exit::Hangup => 129,
        Exit::Signal(n) => u8::try_from(128 + n).unwrap_or(255),
    }
}

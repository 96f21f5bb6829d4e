//! What the terminal can do, decided from its name and the environment alone.
//!
//! Never asks the terminal: over a bad link the answer comes late and lands among the keys.

use crate::ui::glyphs::GlyphSet;

/// Everything the decision rests on. Filled from the process by [`Environment::of_process`], by hand in tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// Whether standard output is a terminal.
    pub is_terminal: bool,
    /// `TERM`.
    pub term: Option<String>,
    /// `LC_ALL`, `LC_CTYPE`, `LANG`: the first that is set and not empty.
    pub locale: Option<String>,
    /// `NO_COLOR` is set and not empty.
    pub no_color: bool,
    /// `COLORTERM`.
    pub colorterm: Option<String>,
    /// One of `SSH_CONNECTION`, `SSH_CLIENT`, `SSH_TTY` is set.
    pub over_ssh: bool,
    /// What the user asked for; wins over everything above.
    pub flags: Flags,
}

/// What the user asked for on the command line or in the config file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Only ASCII characters.
    pub ascii: bool,
    /// This many colours.
    pub colours: Option<Depth>,
    /// Frames a second, kept within 1 to 30.
    pub frame_rate: Option<u8>,
}

/// How many colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// None: bold, underline and reverse only.
    Mono,
    /// The eight of ECMA-48 (30 to 37).
    Eight,
    /// Also the eight bright ones (90 to 97).
    Sixteen,
}

/// What the terminal can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// How many colours.
    pub depth: Depth,
    /// Which signs it has.
    pub glyphs: GlyphSet,
    /// It has a scroll region (DECSTBM).
    pub scroll_region: bool,
    /// It may know synchronized output (DEC 2026), or at least passes over it in silence.
    pub synchronized: bool,
    /// Erasing fills with the background in force.
    pub erases_in_colour: bool,
    /// It takes a text for its clipboard (OSC 52), or passes over it in silence.
    pub clipboard: bool,
    /// Frames a second.
    pub frame_rate: u8,
    /// The link is a slow one: give a sequence of bytes more time to arrive whole.
    pub over_ssh: bool,
}

/// Why there can be no screen. Ends the program with status 2.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoScreen {
    /// A pipe, a file, nothing.
    #[error("standard output is not a terminal, so there is no screen; use --headless to run without one")]
    NotATerminal,
    /// No name.
    #[error(
        "TERM is not set, so the kind of terminal is unknown; set it (TERM=xterm), or use --headless to run without a screen"
    )]
    Nameless,
    /// One that cannot move its cursor by the usual sequences.
    #[error("a terminal of the kind '{0}' cannot show a screen; use --headless to run without one")]
    Unfit(String),
}

impl Environment {
    /// The environment of this process.
    pub fn of_process(is_terminal: bool, flags: Flags) -> Self {
        let get =
            |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned()).filter(|v| !v.is_empty());
        Self {
            is_terminal,
            term: get("TERM"),
            locale: get("LC_ALL").or_else(|| get("LC_CTYPE")).or_else(|| get("LANG")),
            no_color: get("NO_COLOR").is_some(),
            colorterm: get("COLORTERM"),
            over_ssh: ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].into_iter().any(|name| get(name).is_some()),
            flags,
        }
    }

    /// Decides what the terminal can do.
    ///
    /// # Errors
    /// When there can be no screen on it.
    pub fn capabilities(&self) -> Result<Capabilities, NoScreen> {
        if !self.is_terminal {
            return Err(NoScreen::NotATerminal);
        }
        let term = self.term.as_deref().filter(|t| !t.is_empty()).ok_or(NoScreen::Nameless)?;
        let family = Family::of(term).ok_or_else(|| NoScreen::Unfit(crate::core::visible::text(term.as_bytes())))?;
        let utf8 = self.locale.as_deref().is_some_and(is_utf8);
        let rate = if self.over_ssh { 5 } else { 10 };
        Ok(Capabilities {
            depth: self.flags.colours.unwrap_or_else(|| self.depth(term, family)),
            glyphs: match family {
                _ if self.flags.ascii || !utf8 => GlyphSet::Ascii,
                Family::Dec | Family::Ansi => GlyphSet::Ascii,
                Family::LinuxConsole => GlyphSet::Linux,
                Family::Emulator | Family::Screen | Family::Other => GlyphSet::Unicode,
            },
            // the terminfo entry of the ansi family has none
            scroll_region: family != Family::Ansi,
            synchronized: family == Family::Emulator,
            clipboard: family == Family::Emulator,
            erases_in_colour: matches!(family, Family::Emulator | Family::LinuxConsole),
            frame_rate: self.flags.frame_rate.unwrap_or(rate).clamp(1, 30),
            over_ssh: self.over_ssh,
        })
    }

    fn depth(&self, term: &str, family: Family) -> Depth {
        if self.no_color || term.ends_with("-m") || term.ends_with("-mono") {
            return Depth::Mono;
        }
        let many = term.contains("256color") || term.ends_with("-direct") || term.ends_with("-16color");
        let says_many = matches!(self.colorterm.as_deref(), Some("truecolor" | "24bit"));
        match family {
            Family::Dec | Family::Ansi => Depth::Mono,
            Family::LinuxConsole => Depth::Eight,
            Family::Emulator => Depth::Sixteen,
            Family::Screen | Family::Other if many || says_many => Depth::Sixteen,
            Family::Screen | Family::Other => Depth::Eight,
        }
    }
}

/// Terminals that behave alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// xterm and everything that claims to be like it.
    Emulator,
    /// GNU screen, and tmux under its old name.
    Screen,
    /// The console of Linux.
    LinuxConsole,
    /// Real DEC terminals and programs as modest as they.
    Dec,
    /// PC consoles with ANSI.SYS in mind.
    Ansi,
    /// A name not known here, assumed to speak ECMA-48.
    Other,
}

impl Family {
    /// `None` for a terminal that knows no cursor addressing by ECMA-48.
    fn of(term: &str) -> Option<Self> {
        const EMULATORS: &[&str] = &[
            "xterm",
            "tmux",
            "rxvt",
            "alacritty",
            "kitty",
            "foot",
            "wezterm",
            "ghostty",
            "konsole",
            "gnome",
            "vte",
            "putty",
            "mintty",
            "iterm",
            "st",
            "contour",
            "eterm",
            "terminator",
            "nsterm",
            "mlterm",
            "mosh",
        ];
        const UNFIT: &[&str] =
            &["dumb", "unknown", "emacs", "network", "dialup", "switch", "vt52", "adm3a", "tvi", "wy", "hp"];
        let name = term.split(['-', '+', '.']).next().unwrap_or(term).to_ascii_lowercase();
        let is_vt = |n: &str| n.strip_prefix("vt").is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
        Some(match name.as_str() {
            n if UNFIT.iter().any(|u| n == *u || u.len() <= 3 && n.starts_with(u)) => return None,
            "screen" => Self::Screen,
            "linux" => Self::LinuxConsole,
            "ansi" | "pcansi" | "cygwin" => Self::Ansi,
            n if is_vt(n) => Self::Dec,
            n if EMULATORS.contains(&n) => Self::Emulator,
            _ => Self::Other,
        })
    }
}

fn is_utf8(locale: &str) -> bool {
    let lower = locale.to_ascii_lowercase();
    lower.contains("utf-8") || lower.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(term: &str) -> Environment {
        Environment {
            is_terminal: true,
            term: Some(term.to_owned()),
            locale: Some("en_GB.UTF-8".to_owned()),
            ..Environment::default()
        }
    }

    fn of(term: &str) -> Capabilities {
        environment(term).capabilities().unwrap()
    }

    #[test]
    fn the_kinds_of_terminal_of_the_policy() {
        use Depth::{Eight, Mono, Sixteen};
        use GlyphSet::{Ascii, Linux, Unicode};
        let table = [
            // TERM, colours, signs, scroll region, synchronized
            ("xterm-256color", Sixteen, Unicode, true, true),
            ("xterm", Sixteen, Unicode, true, true),
            ("xterm-mono", Mono, Unicode, true, true),
            ("tmux-256color", Sixteen, Unicode, true, true),
            ("tmux", Sixteen, Unicode, true, true),
            ("screen", Eight, Unicode, true, false),
            ("screen-256color", Sixteen, Unicode, true, false),
            ("screen.xterm-256color", Sixteen, Unicode, true, false),
            ("linux", Eight, Linux, true, false),
            ("vt100", Mono, Ascii, true, false),
            ("vt220", Mono, Ascii, true, false),
            ("ansi", Mono, Ascii, false, false),
            ("never-heard-of-it", Eight, Unicode, true, false),
        ];
        for (term, depth, glyphs, scroll, sync) in table {
            let c = of(term);
            assert_eq!((c.depth, c.glyphs, c.scroll_region, c.synchronized), (depth, glyphs, scroll, sync), "{term}");
        }
    }

    #[test]
    fn no_terminal_and_a_dumb_one_name_the_way_without_a_screen() {
        let mut env = environment("xterm");
        env.is_terminal = false;
        assert_eq!(env.capabilities(), Err(NoScreen::NotATerminal));
        env = environment("");
        assert_eq!(env.capabilities(), Err(NoScreen::Nameless));
        for term in ["dumb", "unknown", "vt52", "wy50", "\u{1b}c"] {
            let Err(error) = environment(term).capabilities() else { continue };
            assert!(error.to_string().contains("--headless"), "{error}");
        }
        assert!(environment("dumb").capabilities().is_err());
        assert!(environment("wy50").capabilities().is_err());
    }

    #[test]
    fn no_color_leaves_the_signs_and_takes_the_colours() {
        let env = Environment { no_color: true, ..environment("xterm-256color") };
        let c = env.capabilities().unwrap();
        assert_eq!((c.depth, c.glyphs), (Depth::Mono, GlyphSet::Unicode));
    }

    #[test]
    fn a_locale_without_utf8_has_only_ascii() {
        for (locale, glyphs) in [
            (None, GlyphSet::Ascii),
            (Some("C"), GlyphSet::Ascii),
            (Some("POSIX"), GlyphSet::Ascii),
            (Some("de_DE@euro"), GlyphSet::Ascii),
            (Some("C.UTF-8"), GlyphSet::Unicode),
            (Some("de_DE.utf8"), GlyphSet::Unicode),
        ] {
            let env = Environment { locale: locale.map(str::to_owned), ..environment("xterm") };
            assert_eq!(env.capabilities().unwrap().glyphs, glyphs, "{locale:?}");
        }
    }

    #[test]
    fn a_link_gets_half_the_frames_and_a_flag_wins() {
        assert_eq!(of("xterm").frame_rate, 10);
        let mut env = Environment { over_ssh: true, ..environment("xterm") };
        assert_eq!(env.capabilities().unwrap().frame_rate, 5);
        for (asked, given) in [(0, 1), (2, 2), (200, 30)] {
            env.flags.frame_rate = Some(asked);
            assert_eq!(env.capabilities().unwrap().frame_rate, given);
        }
        env.flags = Flags { ascii: true, colours: Some(Depth::Mono), frame_rate: None };
        let c = env.capabilities().unwrap();
        assert_eq!((c.depth, c.glyphs), (Depth::Mono, GlyphSet::Ascii));
    }
}

//! Colours by meaning: a view asks for a [`Role`], a [`Theme`] answers with a style.
//!
//! Only the 16 colours every terminal has, so that the terminal's own palette decides the shade. No role is told from
//! its neighbour by colour alone where it matters: every state is also a word, and `mono` has bold, dim, underline and reverse.

use std::fmt;
use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};

/// What a piece of the screen is, as far as its looks go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Role {
    /// Plain text and the empty screen.
    Normal,
    /// Text that may be overlooked: units, hints, what is not available now.
    Dim,
    /// Text that is read first: a vessel's values.
    Strong,
    /// The name before a value.
    Label,
    /// All is well: `ok`, `RUN`, `REC`.
    Good,
    /// Something to look at: `SLOW`, `warn`.
    Warn,
    /// Something is wrong: `LOST`, `BAD`, an error.
    Bad,
    /// The selected row.
    Selected,
    /// The play head, the active field of a form, the cursor on the chart.
    Cursor,
    /// A line that was sent (before the play head).
    Sent,
    /// A line still to come (after the play head).
    Upcoming,
    /// A skipped or bad line in the list.
    Skipped,
    /// A hit of the search.
    Found,
    /// A value held by the user.
    Pinned,
    /// A value that has grown old, or was never heard.
    Stale,
    /// The heading of a pane.
    Title,
    /// The heading of the pane that has the keys.
    TitleFocused,
    /// Frames and rules.
    Border,
    /// The mode line at the top and the footer.
    Bar,
    /// A key in the footer or in the help.
    KeyName,
    /// The done part of a progress bar or a meter.
    Done,
    /// The rest of a progress bar or a meter.
    Rest,
    /// A message of the program in the status line.
    Notice,
    /// The own vessel on the chart, the pointer of the compass.
    Vessel,
    /// The track sailed.
    Track,
    /// The track ahead, the leg to the destination.
    Ahead,
    /// The destination and waypoints.
    Destination,
    /// AIS targets.
    Target,
    /// Wind: the dial's pointer.
    Wind,
    /// Port side: red by custom.
    Port,
    /// Starboard side: green by custom.
    Starboard,
    /// Range rings, scales, ticks.
    Scale,
}

/// How many roles there are.
const ROLES: usize = Role::Scale as usize + 1;

/// A style for every role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    kind: ThemeName,
    styles: [Style; ROLES],
}

/// The themes by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ThemeName {
    /// For a dark background, which is left as it is.
    #[default]
    Dark,
    /// For a light background, which is left as it is.
    Light,
    /// Red on black only, to keep the eyes used to the dark.
    Night,
    /// No colour: bold, dim, underline, reverse.
    Mono,
}

impl ThemeName {
    /// All themes, in the order a key steps through them.
    pub const ALL: [Self; 4] = [Self::Dark, Self::Light, Self::Night, Self::Mono];

    /// The name as written in the config file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::Night => "night",
            Self::Mono => "mono",
        }
    }

    /// The one after this one.
    pub const fn next(self) -> Self {
        match self {
            Self::Dark => Self::Light,
            Self::Light => Self::Night,
            Self::Night => Self::Mono,
            Self::Mono => Self::Dark,
        }
    }
}

impl fmt::Display for ThemeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no theme.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no theme '{0}'; choose dark, light, night or mono")]
pub struct UnknownTheme(pub String);

impl FromStr for ThemeName {
    type Err = UnknownTheme;

    fn from_str(s: &str) -> Result<Self, UnknownTheme> {
        Self::ALL.into_iter().find(|t| t.name() == s).ok_or_else(|| UnknownTheme(s.to_owned()))
    }
}

impl Theme {
    /// The theme of that name.
    pub fn new(name: ThemeName) -> Self {
        let mut styles = [Style::new(); ROLES];
        for (role, style) in styles.iter_mut().zip(ALL_ROLES) {
            *role = match name {
                ThemeName::Dark => dark(style),
                ThemeName::Light => light(style),
                ThemeName::Night => night(style),
                ThemeName::Mono => mono(style),
            };
        }
        Self { kind: name, styles }
    }

    /// Which theme this is.
    pub const fn name(&self) -> ThemeName {
        self.kind
    }

    /// The style of a role. Every style of the `night` theme has a background; the others leave it to the terminal
    /// unless it means something.
    pub const fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::new(ThemeName::Dark)
    }
}

/// Every role, in the order of the enumeration.
pub const ALL_ROLES: [Role; ROLES] = [
    Role::Normal,
    Role::Dim,
    Role::Strong,
    Role::Label,
    Role::Good,
    Role::Warn,
    Role::Bad,
    Role::Selected,
    Role::Cursor,
    Role::Sent,
    Role::Upcoming,
    Role::Skipped,
    Role::Found,
    Role::Pinned,
    Role::Stale,
    Role::Title,
    Role::TitleFocused,
    Role::Border,
    Role::Bar,
    Role::KeyName,
    Role::Done,
    Role::Rest,
    Role::Notice,
    Role::Vessel,
    Role::Track,
    Role::Ahead,
    Role::Destination,
    Role::Target,
    Role::Wind,
    Role::Port,
    Role::Starboard,
    Role::Scale,
];

const PLAIN: Style = Style::new();
const BOLD: Style = PLAIN.add_modifier(Modifier::BOLD);
const DIM: Style = PLAIN.add_modifier(Modifier::DIM);
const REVERSE: Style = PLAIN.add_modifier(Modifier::REVERSED);
const UNDERLINE: Style = PLAIN.add_modifier(Modifier::UNDERLINED);

fn dark(role: Role) -> Style {
    match role {
        Role::Normal => PLAIN,
        Role::Strong => BOLD,
        Role::Label | Role::Track => PLAIN.fg(Color::Cyan),
        Role::Dim | Role::Upcoming | Role::Border | Role::Rest | Role::Scale => PLAIN.fg(Color::DarkGray),
        Role::Sent => PLAIN,
        Role::Good | Role::Starboard => PLAIN.fg(Color::LightGreen),
        Role::Warn => PLAIN.fg(Color::LightYellow),
        Role::Bad => BOLD.fg(Color::LightRed),
        Role::Skipped | Role::Port => PLAIN.fg(Color::LightRed),
        Role::Selected => REVERSE,
        Role::Cursor => BOLD.fg(Color::LightYellow),
        Role::Found => PLAIN.fg(Color::Black).bg(Color::Yellow),
        Role::Pinned => BOLD.fg(Color::LightMagenta),
        Role::Stale => DIM.fg(Color::Yellow),
        Role::Title => PLAIN.fg(Color::Gray),
        Role::TitleFocused => BOLD.fg(Color::LightCyan),
        Role::Bar => PLAIN.fg(Color::White).bg(Color::Blue),
        Role::KeyName => BOLD.fg(Color::LightCyan),
        Role::Done => PLAIN.fg(Color::LightGreen),
        Role::Notice => PLAIN.fg(Color::LightCyan),
        Role::Vessel => BOLD.fg(Color::White),
        Role::Ahead => PLAIN.fg(Color::LightBlue),
        Role::Destination => BOLD.fg(Color::LightMagenta),
        Role::Target => PLAIN.fg(Color::LightGreen),
        Role::Wind => PLAIN.fg(Color::LightYellow),
    }
}

fn light(role: Role) -> Style {
    match role {
        Role::Normal | Role::Sent => PLAIN,
        Role::Strong | Role::Title => BOLD,
        Role::Label | Role::Track => PLAIN.fg(Color::Blue),
        Role::Dim | Role::Upcoming | Role::Border | Role::Rest | Role::Scale => PLAIN.fg(Color::DarkGray),
        Role::Good | Role::Starboard | Role::Done | Role::Target => PLAIN.fg(Color::Green),
        Role::Warn => PLAIN.fg(Color::Magenta),
        Role::Bad => BOLD.fg(Color::Red),
        Role::Skipped | Role::Port => PLAIN.fg(Color::Red),
        Role::Selected => REVERSE,
        Role::Cursor => BOLD.fg(Color::Magenta),
        Role::Found => PLAIN.fg(Color::Black).bg(Color::Yellow),
        Role::Pinned => BOLD.fg(Color::Magenta),
        Role::Stale => DIM.fg(Color::Red),
        Role::TitleFocused => BOLD.fg(Color::Blue),
        Role::Bar => PLAIN.fg(Color::White).bg(Color::Blue),
        Role::KeyName => BOLD.fg(Color::Blue),
        Role::Notice => PLAIN.fg(Color::Blue),
        Role::Vessel => BOLD,
        Role::Ahead => PLAIN.fg(Color::Cyan),
        Role::Destination => BOLD.fg(Color::Magenta),
        Role::Wind => PLAIN.fg(Color::Magenta),
    }
}

/// Red and black, nothing else: a single white letter costs the eye twenty minutes.
fn night(role: Role) -> Style {
    let red = PLAIN.fg(Color::Red).bg(Color::Black);
    let bright = PLAIN.fg(Color::LightRed).bg(Color::Black);
    match role {
        Role::Strong
        | Role::Bad
        | Role::Cursor
        | Role::KeyName
        | Role::TitleFocused
        | Role::Vessel
        | Role::Destination => bright.add_modifier(Modifier::BOLD),
        Role::Good | Role::Warn | Role::Skipped | Role::Notice | Role::Done | Role::Wind | Role::Target => bright,
        Role::Pinned => bright.add_modifier(Modifier::UNDERLINED),
        Role::Dim | Role::Upcoming | Role::Stale | Role::Rest | Role::Border | Role::Scale => {
            red.add_modifier(Modifier::DIM)
        }
        Role::Selected | Role::Found => red.add_modifier(Modifier::REVERSED),
        Role::Normal
        | Role::Label
        | Role::Sent
        | Role::Title
        | Role::Bar
        | Role::Track
        | Role::Ahead
        | Role::Port
        | Role::Starboard => red,
    }
}

fn mono(role: Role) -> Style {
    match role {
        Role::Strong | Role::Warn | Role::Title | Role::KeyName | Role::Vessel | Role::Destination | Role::Skipped => {
            BOLD
        }
        Role::Bad | Role::TitleFocused => BOLD.add_modifier(Modifier::UNDERLINED),
        Role::Selected | Role::Bar => REVERSE,
        Role::Cursor | Role::Found => REVERSE.add_modifier(Modifier::BOLD),
        Role::Pinned => UNDERLINE,
        Role::Dim | Role::Upcoming | Role::Stale | Role::Rest | Role::Border | Role::Scale => DIM,
        Role::Normal
        | Role::Label
        | Role::Good
        | Role::Sent
        | Role::Done
        | Role::Notice
        | Role::Track
        | Role::Ahead
        | Role::Target
        | Role::Wind
        | Role::Port
        | Role::Starboard => PLAIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roles_stand_in_their_own_order() {
        for (i, role) in ALL_ROLES.into_iter().enumerate() {
            assert_eq!(role as usize, i);
        }
    }

    #[test]
    fn night_is_red_and_black_only() {
        let theme = Theme::new(ThemeName::Night);
        for role in ALL_ROLES {
            let style = theme.style(role);
            assert!(matches!(style.fg, Some(Color::Red | Color::LightRed)), "{role:?}");
            assert_eq!(style.bg, Some(Color::Black), "{role:?}");
        }
    }

    #[test]
    fn mono_has_no_colour_and_tells_states_apart() {
        let theme = Theme::new(ThemeName::Mono);
        for role in ALL_ROLES {
            assert_eq!((theme.style(role).fg, theme.style(role).bg), (None, None), "{role:?}");
        }
        for (a, b) in [
            (Role::Good, Role::Warn),
            (Role::Warn, Role::Bad),
            (Role::Normal, Role::Selected),
            (Role::Selected, Role::Cursor),
            (Role::Sent, Role::Upcoming),
            (Role::Strong, Role::Stale),
            (Role::Strong, Role::Pinned),
            (Role::Title, Role::TitleFocused),
        ] {
            assert_ne!(theme.style(a), theme.style(b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn only_the_sixteen_colours_are_used() {
        for name in ThemeName::ALL {
            let theme = Theme::new(name);
            for role in ALL_ROLES {
                for colour in [theme.style(role).fg, theme.style(role).bg].into_iter().flatten() {
                    assert!(!matches!(colour, Color::Rgb(..) | Color::Indexed(_)), "{name} {role:?}");
                }
            }
        }
    }

    #[test]
    fn names_read_back_and_the_round_has_four() {
        let mut name = ThemeName::Dark;
        for _ in 0..4 {
            assert_eq!(name.name().parse(), Ok(name));
            name = name.next();
        }
        assert_eq!(name, ThemeName::Dark);
        assert!("Solarized".parse::<ThemeName>().is_err());
    }
}

//! Keys as values with a text form: what the action table, the config file, the key scripts of the tests and the footer
//! all write the same way.
//!
//! Pure: knows no terminal and no byte sequences (those are in `term::decode`). There is no Alt and no Esc-then-key: a
//! terminal at the end of a link cannot tell them from Esc followed by a key.

use std::fmt;
use std::str::FromStr;

/// One key press as a terminal can deliver it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Which key.
    pub code: Code,
    /// Held together with Ctrl.
    pub ctrl: bool,
}

/// The key itself. Shift shows in the character (`g`, `G`) and in [`Code::BackTab`], nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A character as typed; with Ctrl always the small letter.
    Char(char),
    /// Return, also sent by Ctrl-M and Ctrl-J.
    Enter,
    /// Tab, also sent by Ctrl-I.
    Tab,
    /// Shift-Tab.
    BackTab,
    /// Erase to the left, also sent by Ctrl-H.
    Backspace,
    /// Escape, also sent by Ctrl-[.
    Esc,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PgUp,
    /// Page down.
    PgDn,
    /// Insert.
    Insert,
    /// Delete to the right.
    Delete,
    /// Function key 1 to 12.
    F(u8),
}

/// Names as written and shown; the first of a code is the one shown. Compared without regard to case.
const NAMES: &[(&str, Code)] = &[
    ("Space", Code::Char(' ')),
    ("Enter", Code::Enter),
    ("Return", Code::Enter),
    ("Tab", Code::Tab),
    ("Shift-Tab", Code::BackTab),
    ("BackTab", Code::BackTab),
    ("Backspace", Code::Backspace),
    ("Bksp", Code::Backspace),
    ("Esc", Code::Esc),
    ("Escape", Code::Esc),
    ("Up", Code::Up),
    ("Down", Code::Down),
    ("Left", Code::Left),
    ("Right", Code::Right),
    ("Home", Code::Home),
    ("End", Code::End),
    ("PgUp", Code::PgUp),
    ("PageUp", Code::PgUp),
    ("PgDn", Code::PgDn),
    ("PageDown", Code::PgDn),
    ("Insert", Code::Insert),
    ("Ins", Code::Insert),
    ("Delete", Code::Delete),
    ("Del", Code::Delete),
];

/// A text that names no key, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Nothing between the separators.
    #[error("a key is missing")]
    Empty,
    /// Not a name and not a single character.
    #[error("'{0}' is no key; write one character, or a name such as Space, Enter, PgDn, Ctrl-C")]
    Unknown(String),
    /// A terminal sends the same byte for both.
    #[error("'{0}' cannot be told from {1} on a terminal; write {1}")]
    SameAs(String, &'static str),
    /// A terminal sends no byte of its own for it.
    #[error("'{0}' has no code of its own on a terminal; Ctrl goes with a letter, Space or one of \\ ] ^ _")]
    NoCtrl(String),
    /// A quotation mark without its partner.
    #[error("the quotation mark at the end of '{0}' is missing")]
    Quote(String),
}

impl Key {
    /// The key of a character.
    pub const fn char(c: char) -> Self {
        Self { code: Code::Char(c), ctrl: false }
    }

    /// A key with Ctrl held.
    pub const fn ctrl(c: char) -> Self {
        // a terminal sends the same byte for Ctrl-@ and Ctrl-Space
        let c = if c == '@' { ' ' } else { c.to_ascii_lowercase() };
        Self { code: Code::Char(c), ctrl: true }
    }

    /// A key by its code.
    pub const fn of(code: Code) -> Self {
        Self { code, ctrl: false }
    }

    /// The character this key puts into a text field, if it is one that does.
    pub fn text(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.ctrl => Some(c),
            _ => None,
        }
    }
}

impl From<char> for Key {
    fn from(c: char) -> Self {
        Self::char(c)
    }
}

impl From<Code> for Key {
    fn from(code: Code) -> Self {
        Self::of(code)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        if let Some((name, _)) = NAMES.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            Code::F(n) => write!(f, "F{n}"),
            Code::Char(c) if self.ctrl => write!(f, "{}", c.to_ascii_uppercase()),
            Code::Char(c) => write!(f, "{c}"),
            // every other code stands in NAMES
            other => write!(f, "{other:?}"),
        }
    }
}

impl FromStr for Key {
    type Err = KeyError;

    /// Reads one key: a single character, a name, or either after `Ctrl-` (also `C-` and `^`).
    fn from_str(s: &str) -> Result<Self, KeyError> {
        if s.is_empty() {
            return Err(KeyError::Empty);
        }
        if let Some(code) = plain(s) {
            return Ok(Self::of(code));
        }
        let Some(rest) = ["ctrl-", "c-", "ctrl+", "^"].iter().find_map(|p| strip_prefix_ignoring_case(s, p)) else {
            return Err(KeyError::Unknown(s.to_owned()));
        };
        match plain(rest) {
            None => Err(KeyError::Unknown(s.to_owned())),
            Some(Code::Char(c)) => with_ctrl(c, s),
            Some(Code::Enter | Code::Tab | Code::BackTab | Code::Backspace | Code::Esc | Code::F(_)) => {
                Err(KeyError::NoCtrl(s.to_owned()))
            }
            Some(code) => Ok(Self { code, ctrl: true }),
        }
    }
}

fn plain(s: &str) -> Option<Code> {
    let mut chars = s.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return (!c.is_control() && !c.is_whitespace() || c == ' ').then_some(Code::Char(c));
    }
    if let Some((_, code)) = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(s)) {
        return Some(*code);
    }
    let n = s.strip_prefix(['f', 'F'])?.parse().ok()?;
    (1..=12).contains(&n).then_some(Code::F(n))
}

fn with_ctrl(c: char, whole: &str) -> Result<Key, KeyError> {
    let same = |other| Err(KeyError::SameAs(whole.to_owned(), other));
    match c.to_ascii_lowercase() {
        'h' => same("Backspace"),
        'i' => same("Tab"),
        'j' | 'm' => same("Enter"),
        '[' => same("Esc"),
        '@' => Ok(Key::ctrl(' ')),
        c @ ('a'..='z' | ' ' | '\\' | ']' | '^' | '_') => Ok(Key::ctrl(c)),
        _ => Err(KeyError::NoCtrl(whole.to_owned())),
    }
}

fn strip_prefix_ignoring_case<'a>(s: &'a str, prefix: &str) -> Option<&'a str> {
    let head = s.get(..prefix.len())?;
    (head.eq_ignore_ascii_case(prefix) && s.len() > prefix.len()).then(|| &s[prefix.len()..])
}

/// Reads a key script: keys separated by blanks. A word that names no key is typed character by character (`:50%`), and
/// so is a word in quotation marks (`"up"` is u, p), in which blanks count.
///
/// ```
/// use nmeasimx::ui::keys::{Code, Key, script};
/// let keys = script("space . :5 enter").unwrap();
/// assert_eq!(keys, [Key::char(' '), Key::char('.'), Key::char(':'), Key::char('5'), Key::of(Code::Enter)]);
/// ```
///
/// # Errors
/// A quotation mark without its partner; `Ctrl-` with something that has no such code.
pub fn script(text: &str) -> Result<Vec<Key>, KeyError> {
    let mut keys = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('"').filter(|r| !r.is_empty() && !r.starts_with(char::is_whitespace));
        if let Some(inner) = quoted {
            let end = inner.find('"').ok_or_else(|| KeyError::Quote(rest.to_owned()))?;
            keys.extend(inner[..end].chars().map(Key::char));
            rest = inner[end + 1..].trim_start();
            continue;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(end);
        match word.parse() {
            Ok(key) => keys.push(key),
            Err(KeyError::Unknown(_)) => keys.extend(word.chars().map(Key::char)),
            Err(other) => return Err(other),
        }
        rest = tail.trim_start();
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_form_is_the_one_of_the_key_table() {
        let table = [
            (Key::char('g'), "g"),
            (Key::char('G'), "G"),
            (Key::char(' '), "Space"),
            (Key::char('-'), "-"),
            (Key::char('^'), "^"),
            (Key::ctrl('c'), "Ctrl-C"),
            (Key::ctrl(' '), "Ctrl-Space"),
            (Key::of(Code::BackTab), "Shift-Tab"),
            (Key::of(Code::PgDn), "PgDn"),
            (Key { code: Code::Left, ctrl: true }, "Ctrl-Left"),
            (Key::of(Code::F(10)), "F10"),
            (Key::char('é'), "é"),
        ];
        for (key, text) in table {
            assert_eq!(key.to_string(), text);
            assert_eq!(text.parse(), Ok(key), "{text}");
        }
    }

    #[test]
    fn names_are_read_in_any_case_and_with_their_usual_variants() {
        let table = [
            ("space", Key::char(' ')),
            ("ENTER", Key::of(Code::Enter)),
            ("return", Key::of(Code::Enter)),
            ("pagedown", Key::of(Code::PgDn)),
            ("ctrl-c", Key::ctrl('c')),
            ("C-x", Key::ctrl('x')),
            ("^L", Key::ctrl('l')),
            ("f1", Key::of(Code::F(1))),
            ("f", Key::char('f')),
            ("F", Key::char('F')),
        ];
        for (text, key) in table {
            assert_eq!(text.parse(), Ok(key), "{text}");
        }
    }

    #[test]
    fn what_a_terminal_cannot_tell_apart_is_refused_with_the_remedy() {
        let tab = "Ctrl-I".parse::<Key>().unwrap_err();
        assert_eq!(tab.to_string(), "'Ctrl-I' cannot be told from Tab on a terminal; write Tab");
        for text in ["", "Ctrl-5", "Ctrl-F3", "Alt-x", "F13", "F0", "nonsense", "Ctrl-", "\t", "\u{7}"] {
            assert!(text.parse::<Key>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_script_is_keys_and_typed_words() {
        let text: Vec<String> =
            script("space . . :50% enter \"up b\" up \" q").unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(text.join("|"), "Space|.|.|:|5|0|%|Enter|u|p|Space|b|Up|\"|q");
        assert_eq!(script("  "), Ok(vec![]));
        assert!(script("\"open").is_err());
        assert!(script("Ctrl-M").is_err());
    }

    proptest::proptest! {
        #[test]
        fn every_key_reads_back_from_its_text(c in proptest::char::any(), ctrl in proptest::bool::ANY) {
            let key = if ctrl { Key::ctrl(c) } else { Key::char(c) };
            if let Ok(read) = key.to_string().parse::<Key>() {
                proptest::prop_assert_eq!(read, key);
            } else {
                let nameless = ctrl || c.is_control() || c.is_whitespace();
                proptest::prop_assert!(nameless, "{:?} has no text form", key);
            }
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in ".{0,20}") {
            let _ = text.parse::<Key>();
            let _ = script(&text);
        }
    }
}

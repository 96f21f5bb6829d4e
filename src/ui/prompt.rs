//! A line being typed: editing, history, completion, cleaned paste.
//!
//! Knows what kind of line it is, not what is done with it.

use tui_input::{Input, InputRequest};

use super::keys::{Code, Key};

/// Which line is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PromptKind {
    /// `:`.
    Palette,
    /// `/`.
    Find,
    /// `&`.
    Matches,
    /// `t`.
    GoTo,
    /// `%`.
    Percent,
    /// A value for a key of the profile.
    Value(String),
    /// `+` among the targets.
    AddTarget,
    /// `+` among the sentences.
    AddSentence,
    /// `+` at the destination.
    Destination,
    /// `+` of the outputs.
    AddOutput,
    /// Enter on an output.
    EditOutput(u16),
    /// `P`.
    Report,
    /// `K`.
    Rows,
    /// A name for the mark at the selected row.
    MarkName(crate::core::frame::Place),
    /// `e` in the list of marks.
    ExportMarks,
    /// Search in the help.
    Help,
    /// Filter of the open dialog.
    Open,
}

impl PromptKind {
    /// What stands in front of the line.
    pub fn label(&self) -> String {
        match self {
            PromptKind::Palette => ":".into(),
            PromptKind::Find => "find: ".into(),
            PromptKind::Matches => "show only: ".into(),
            PromptKind::GoTo => "go to: ".into(),
            PromptKind::Percent => "percent: ".into(),
            PromptKind::Value(key) => format!("{key} = "),
            PromptKind::AddTarget => "add target: ".into(),
            PromptKind::AddSentence => "add sentence: ".into(),
            PromptKind::Destination => "destination: ".into(),
            PromptKind::AddOutput => "add output: ".into(),
            PromptKind::EditOutput(n) => format!("output {n}: "),
            PromptKind::Report => "report to: ".into(),
            PromptKind::Rows => "rows with: ".into(),
            PromptKind::MarkName(_) => "name of the mark: ".into(),
            PromptKind::ExportMarks => "marks to: ".into(),
            PromptKind::Help => "search: ".into(),
            PromptKind::Open => "open: ".into(),
        }
    }

    /// What may be typed.
    pub fn help(&self) -> &'static str {
        match self {
            PromptKind::Palette => "an action | 123 line | 50% | 09:45 | +90s",
            PromptKind::Find => "regular expression, as it stands in the line",
            PromptKind::Matches => "regular expression; empty: everything",
            PromptKind::GoTo => "HH:MM[:SS] | +90s -5m | 50% | line | mark",
            PromptKind::Percent => "0 to 100",
            PromptKind::Value(_) => "a value as in the profile",
            PromptKind::AddOutput | PromptKind::EditOutput(_) => "KIND:WHERE, then ;filter=RMC,GGA ;encoding=signalk",
            PromptKind::AddTarget => "MMSI LAT LON [COURSE SPEED NAME]",
            PromptKind::AddSentence => "[PERIOD] SENTENCE: 2s PXYZ,1,2",
            PromptKind::Destination => "LAT LON [NAME], or off",
            PromptKind::Report => "FILE.txt | FILE.md | FILE.json",
            PromptKind::Rows => "MWV | WI | lost; empty: all rows",
            PromptKind::MarkName(_) => "a word or two",
            PromptKind::ExportMarks => "a new file: name, line, offset, UTC by tabs",
            PromptKind::Help | PromptKind::Open => "typing filters",
        }
    }
}

/// A line being typed.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Which line.
    pub kind: PromptKind,
    /// The line and its cursor.
    pub input: Input,
    /// How far back in the history; 0: the line itself.
    pub back: usize,
    /// The line that was typed before going back.
    pub own: String,
    /// What Tab offers: candidates, and which was last taken.
    pub offers: Option<(Vec<String>, usize)>,
}

/// Text from a paste as one line: no control characters, nothing invisible.
pub fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| {
            let mut utf8 = [0; 4];
            let same = c.encode_utf8(&mut utf8);
            crate::core::visible::text(same.as_bytes()) == *same
        })
        .collect()
}

impl Prompt {
    /// Longest line, in characters.
    const MOST: usize = 1000;

    /// An empty line, or one that begins with a text.
    pub fn new(kind: PromptKind, text: &str) -> Prompt {
        Prompt { kind, input: Input::new(text.into()), back: 0, own: String::new(), offers: None }
    }

    /// The line.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    fn set(&mut self, text: &str) {
        self.input = Input::new(text.into());
    }

    /// Types or edits. Says whether the line changed.
    pub fn key(&mut self, key: Key) -> bool {
        let request = match (key.code, key.ctrl) {
            (Code::Char(c), false) => InputRequest::InsertChar(c),
            (Code::Left, false) => InputRequest::GoToPrevChar,
            (Code::Right, false) => InputRequest::GoToNextChar,
            (Code::Left, true) => InputRequest::GoToPrevWord,
            (Code::Right, true) => InputRequest::GoToNextWord,
            (Code::Home, _) | (Code::Char('a'), true) => InputRequest::GoToStart,
            (Code::End, _) | (Code::Char('e'), true) => InputRequest::GoToEnd,
            (Code::Backspace, _) => InputRequest::DeletePrevChar,
            (Code::Delete, _) | (Code::Char('d'), true) => InputRequest::DeleteNextChar,
            (Code::Char('w'), true) => InputRequest::DeletePrevWord,
            (Code::Char('u'), true) => InputRequest::DeleteFromStart,
            (Code::Char('k'), true) => InputRequest::DeleteTillEnd,
            _ => return false,
        };
        if matches!(request, InputRequest::InsertChar(_)) && self.text().chars().count() >= Self::MOST {
            return false;
        }
        self.offers = None;
        self.input.handle(request).is_some_and(|changed| changed.value)
    }

    /// Types a pasted text, cleaned.
    pub fn paste(&mut self, text: &str) {
        self.offers = None;
        let room = Self::MOST.saturating_sub(self.text().chars().count());
        for c in clean(text).chars().take(room) {
            let _ = self.input.handle(InputRequest::InsertChar(c));
        }
    }

    /// Goes to the line before (`older`) or after in the history, newest last.
    pub fn recall(&mut self, history: &[String], older: bool) {
        if self.back == 0 {
            self.own = self.text().to_owned();
        }
        self.back = if older { (self.back + 1).min(history.len()) } else { self.back.saturating_sub(1) };
        let line = match self.back {
            0 => self.own.clone(),
            n => history.get(history.len() - n).cloned().unwrap_or_default(),
        };
        self.set(&line);
        self.offers = None;
    }

    /// Takes the next of the candidates (whole lines that may stand here): first what they have in common, then one
    /// after the other.
    pub fn complete(&mut self, candidates: Vec<String>) {
        if let Some((offers, at)) = &mut self.offers {
            *at = (*at + 1) % offers.len().max(1);
            let line = offers.get(*at).cloned().unwrap_or_default();
            self.set(&line);
            return;
        }
        let typed = self.text().to_owned();
        let fits: Vec<String> = candidates.into_iter().filter(|c| c.starts_with(&typed)).collect();
        let Some(first) = fits.first().cloned() else { return };
        let mut common = first.clone();
        for other in &fits {
            let same = common.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
            common.truncate(same);
        }
        if fits.len() == 1 || common.len() > typed.len() {
            self.set(&common);
        } else {
            self.set(&first);
            self.offers = Some((fits, 0));
        }
    }
}

/// Remembers a line: without doubles, at most a hundred, the newest last.
pub fn remember(history: &mut Vec<String>, line: &str) {
    if line.trim().is_empty() {
        return;
    }
    history.retain(|l| l != line);
    history.push(line.to_owned());
    if history.len() > 100 {
        history.remove(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::keys::script;

    fn typed(keys: &str) -> String {
        let mut prompt = Prompt::new(PromptKind::Palette, "");
        for key in script(keys).unwrap() {
            prompt.key(key);
        }
        prompt.text().to_owned()
    }

    #[test]
    fn lines_are_edited_as_everywhere() {
        assert_eq!(typed("abc left x"), "abxc");
        assert_eq!(typed("abc home delete"), "bc");
        assert_eq!(typed("\"one two\" ctrl-w"), "one ");
        assert_eq!(typed("abc ctrl-u z"), "z");
    }

    #[test]
    fn history_goes_back_and_returns_to_what_was_typed() {
        let mut history = vec![];
        for line in ["one", "two", "one", " "] {
            remember(&mut history, line);
        }
        assert_eq!(history, ["two", "one"]);
        let mut p = Prompt::new(PromptKind::Find, "th");
        let mut seen = vec![];
        for older in [true, true, true, false, false, false] {
            p.recall(&history, older);
            seen.push(p.text().to_owned());
        }
        assert_eq!(seen, ["one", "two", "two", "one", "th", "th"]);
    }

    #[test]
    fn tab_completes_what_is_common_then_offers_one_by_one() {
        let all = || ["next-gap", "next-bad", "north"].map(String::from).to_vec();
        let mut p = Prompt::new(PromptKind::Palette, "ne");
        p.complete(all());
        assert_eq!(p.text(), "next-");
        p.complete(all());
        assert_eq!(p.text(), "next-gap");
        p.complete(all());
        assert_eq!(p.text(), "next-bad");
        let mut p = Prompt::new(PromptKind::Palette, "zz");
        p.complete(all());
        assert_eq!(p.text(), "zz");
    }

    #[test]
    fn a_paste_is_one_line_without_control_characters() {
        assert_eq!(clean("a\tb\nc\u{1b}[31m\u{202e}d\u{301}"), "a b c[31md");
        let mut p = Prompt::new(PromptKind::Find, "");
        p.paste(&"x".repeat(5000));
        assert_eq!(p.text().len(), 1000);
    }
}

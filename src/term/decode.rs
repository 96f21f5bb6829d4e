//! From the bytes a terminal sends to keys and pasted text.
//!
//! Pure: time comes as calls of [`Decoder::late`], so that a lone Esc can be told from the start of a sequence. No bytes
//! make it panic, grow without bound, or wait for ever. What it does not know (answers to questions of an earlier program,
//! mouse, focus) is swallowed whole and never becomes keys.

use super::cells::is_hidden;
use super::input::{Input, PASTE_MAX};
use crate::ui::keys::{Code, Key};

/// Longest sequence that is waited for; beyond it the bytes are noise.
const SEQUENCE_MAX: usize = 64;
/// Longest answer to a question of an earlier program that is swallowed.
const ANSWER_MAX: usize = 1024;
const PASTE_BEGIN: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// What the decoder is in the middle of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Nothing.
    No,
    /// A sequence, or a lone Esc: a few hundredths of a second decide.
    Sequence,
    /// A paste whose end has not come yet: seconds.
    Paste,
}

/// The state between two reads.
#[derive(Debug, Default)]
pub struct Decoder {
    /// Bytes that are no whole key yet.
    rest: Vec<u8>,
    /// Pasted so far, and how many of its last bytes look like the beginning of its end.
    paste: Option<Vec<u8>>,
}

/// What stands at the beginning of the bytes.
enum Found {
    /// A key of so many bytes.
    Key(Key, usize),
    /// So many bytes that mean nothing here.
    Nothing(usize),
    /// The begin of a paste, of so many bytes.
    Paste(usize),
    /// The beginning of something.
    Part,
}

impl Decoder {
    /// Takes what was read and hands on what is complete.
    pub fn feed(&mut self, bytes: &[u8], tell: &mut dyn FnMut(Input)) {
        self.rest.extend_from_slice(bytes);
        self.go_on(false, tell);
    }

    /// What it waits for; call [`Decoder::late`] when it does not come.
    pub fn waiting(&self) -> Waiting {
        match (&self.paste, self.rest.is_empty()) {
            (Some(_), _) => Waiting::Paste,
            (None, false) => Waiting::Sequence,
            (None, true) => Waiting::No,
        }
    }

    /// Nothing came for a while: what is there is all there is.
    pub fn late(&mut self, tell: &mut dyn FnMut(Input)) {
        if let Some(mut paste) = self.paste.take() {
            paste.append(&mut self.rest);
            tell(Input::Paste(one_line(&paste)));
        }
        self.go_on(true, tell);
    }

    fn go_on(&mut self, late: bool, tell: &mut dyn FnMut(Input)) {
        let mut at = 0;
        while at < self.rest.len() {
            if self.paste.is_some() {
                match self.pasted(at) {
                    Some((text, next)) => {
                        tell(Input::Paste(text));
                        at = next;
                        continue;
                    }
                    None => return,
                }
            }
            match find(&self.rest[at..], late) {
                Found::Key(key, n) => {
                    tell(Input::Key(key));
                    at += n;
                }
                Found::Nothing(n) => at += n.max(1),
                Found::Paste(n) => {
                    self.paste = Some(Vec::new());
                    at += n;
                }
                Found::Part => break,
            }
        }
        self.rest.drain(..at);
    }

    /// Takes bytes from `at` on into the paste. The cleaned text and where it ended; `None` if it goes on.
    fn pasted(&mut self, at: usize) -> Option<(String, usize)> {
        let paste = self.paste.as_mut()?;
        let bytes = &self.rest[at..];
        let end = bytes.windows(PASTE_END.len()).position(|w| w == PASTE_END);
        // keep back what may be the beginning of the end
        let part = (1..PASTE_END.len()).rev().find(|n| bytes.ends_with(&PASTE_END[..*n])).unwrap_or(0);
        let taken = end.unwrap_or(bytes.len() - part);
        // three bytes a character of blanks that shrink to one: enough for what is handed on
        let room = (8 * PASTE_MAX).saturating_sub(paste.len());
        paste.extend_from_slice(&bytes[..taken.min(room)]);
        if end.is_some() {
            let text = one_line(paste);
            self.paste = None;
            return Some((text, at + taken + PASTE_END.len()));
        }
        self.rest.drain(..at + taken);
        None
    }
}

/// Pasted bytes as one line: line ends and tabs become one blank, what is hidden or no UTF-8 goes, blanks at the ends go.
pub fn one_line(bytes: &[u8]) -> String {
    let mut out = String::new();
    let mut gap = false;
    for c in bytes.utf8_chunks().flat_map(|chunk| chunk.valid().chars()) {
        if matches!(c, '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}') {
            gap = true;
            continue;
        }
        if is_hidden(c) {
            continue;
        }
        if gap && !out.is_empty() && !out.ends_with(' ') && c != ' ' {
            out.push(' ');
        }
        gap = false;
        if out.len() + c.len_utf8() > PASTE_MAX {
            break;
        }
        out.push(c);
    }
    out.trim_matches(' ').to_owned()
}

fn find(bytes: &[u8], late: bool) -> Found {
    let Some(&first) = bytes.first() else { return Found::Part };
    match first {
        0x1b => escape(bytes, late),
        0 => Found::Key(Key::ctrl(' '), 1),
        b'\t' => Found::Key(Key::of(Code::Tab), 1),
        b'\r' | b'\n' => Found::Key(Key::of(Code::Enter), 1),
        8 | 0x7f => Found::Key(Key::of(Code::Backspace), 1),
        1..=26 => Found::Key(Key::ctrl(char::from(first - 1 + b'a')), 1),
        // ^\ ^] ^^ ^_
        0x1c..=0x1f => Found::Key(Key::ctrl(char::from(first + 0x40)), 1),
        b' '..=b'~' => Found::Key(Key::char(char::from(first)), 1),
        _ => utf8(bytes, late),
    }
}

fn utf8(bytes: &[u8], late: bool) -> Found {
    let piece = &bytes[..bytes.len().min(4)];
    match std::str::from_utf8(piece) {
        Ok(text) => first_of(text),
        Err(e) if e.valid_up_to() > 0 => {
            std::str::from_utf8(&piece[..e.valid_up_to()]).map_or(Found::Nothing(1), first_of)
        }
        Err(e) => match e.error_len() {
            Some(n) => Found::Nothing(n),
            None if late || bytes.len() >= 4 => Found::Nothing(piece.len()),
            None => Found::Part,
        },
    }
}

fn first_of(text: &str) -> Found {
    match text.chars().next() {
        Some(c) if is_hidden(c) => Found::Nothing(c.len_utf8()),
        Some(c) => Found::Key(Key::char(c), c.len_utf8()),
        None => Found::Nothing(1),
    }
}

fn escape(bytes: &[u8], late: bool) -> Found {
    let esc = Found::Key(Key::of(Code::Esc), 1);
    match bytes.get(1) {
        None if late => esc,
        None => Found::Part,
        Some(b'[') => control_sequence(bytes, late),
        Some(b'O') => match bytes.get(2) {
            None if late => esc,
            None => Found::Part,
            Some(b) => single_shift(*b).map_or(esc, |key| Found::Key(key, 3)),
        },
        // strings: OSC with a number, DCS, APC, PM
        Some(b']') if bytes.get(2).is_some_and(u8::is_ascii_digit) => string(bytes, late),
        Some(b']') if bytes.len() == 2 && !late => Found::Part,
        Some(b'P' | b'_' | b'^') if bytes.get(2).is_some_and(|b| b"0123456789>!+$".contains(b)) => string(bytes, late),
        Some(b'P' | b'_' | b'^') if bytes.len() == 2 && !late => Found::Part,
        // Esc, and then a key: no Alt
        Some(_) => esc,
    }
}

/// An answer of the terminal: up to BEL or ST.
fn string(bytes: &[u8], late: bool) -> Found {
    let end = bytes.iter().enumerate().skip(2).find_map(|(i, b)| match b {
        7 => Some(i + 1),
        0x1b if bytes.get(i + 1) == Some(&b'\\') => Some(i + 2),
        _ => None,
    });
    match end {
        Some(n) => Found::Nothing(n),
        None if late => Found::Key(Key::of(Code::Esc), 1),
        None if bytes.len() > ANSWER_MAX => Found::Nothing(bytes.len()),
        None => Found::Part,
    }
}

fn control_sequence(bytes: &[u8], late: bool) -> Found {
    // the Linux console sends F1 to F5 as ESC [ [ A to E
    if bytes.get(2) == Some(&b'[') {
        return match bytes.get(3) {
            Some(b @ b'A'..=b'E') => Found::Key(Key::of(Code::F(b - b'A' + 1)), 4),
            None if !late => Found::Part,
            _ => Found::Key(Key::of(Code::Esc), 1),
        };
    }
    let body = &bytes[2..];
    let Some(end) = body.iter().position(|b| !(0x20..0x40).contains(b)) else {
        return match body.len() {
            0 if late => Found::Key(Key::of(Code::Esc), 1),
            _ if late || body.len() > SEQUENCE_MAX => Found::Nothing(bytes.len()),
            _ => Found::Part,
        };
    };
    let last = body[end];
    let n = 2 + end + 1;
    if !(0x40..0x7f).contains(&last) {
        // broken off by a control character, which stands for itself
        return Found::Nothing(n - 1);
    }
    // the old mouse report: three bytes follow
    if last == b'M' && end == 0 {
        return if bytes.len() >= n + 3 || late { Found::Nothing((n + 3).min(bytes.len())) } else { Found::Part };
    }
    let whole = &bytes[..n];
    if whole == PASTE_BEGIN {
        return Found::Paste(n);
    }
    match named(&body[..end], last) {
        Some(key) => Found::Key(key, n),
        None => Found::Nothing(n),
    }
}

/// A key by the parameters and the final byte of its sequence.
fn named(parameters: &[u8], last: u8) -> Option<Key> {
    let text = std::str::from_utf8(parameters).ok()?;
    let mut fields = [0u32; 3];
    let mut kind = 1;
    let mut count = 0;
    if !text.is_empty() {
        for (i, field) in text.split(';').enumerate() {
            let mut parts = field.split(':');
            let value = parts.next().unwrap_or("");
            *fields.get_mut(i)? = if value.is_empty() { 0 } else { value.parse().ok()? };
            // of the modifiers of the newer keyboard protocol: 1 press, 2 repeat, 3 release
            if i == 1
                && let Some(k) = parts.next()
            {
                kind = k.parse().ok()?;
            }
            count = i + 1;
        }
    }
    if kind == 3 {
        return None;
    }
    // modifiers are sent plus one: shift 1, alt 2, ctrl 4
    let ctrl = |modifiers: u32| modifiers.saturating_sub(1) & 4 != 0;
    let special = |code| Some(Key { code, ctrl: ctrl(fields[1]) });
    match last {
        b'A' => special(Code::Up),
        b'B' => special(Code::Down),
        b'C' => special(Code::Right),
        b'D' => special(Code::Left),
        b'H' => special(Code::Home),
        b'F' => special(Code::End),
        b'Z' => Some(Key::of(Code::BackTab)),
        b'P' | b'Q' | b'S' => Some(Key::of(Code::F(last - b'P' + 1))),
        // with other parameters it is a late answer: the cursor's position
        b'R' if count == 0 || fields[0] == 1 && count == 2 && fields[1] <= 8 => Some(Key::of(Code::F(3))),
        b'~' if fields[0] == 27 => typed(fields[2], fields[1]),
        b'u' if count > 0 => typed(fields[0], fields[1]),
        b'~' => match fields[0] {
            1 | 7 => special(Code::Home),
            2 => special(Code::Insert),
            3 => special(Code::Delete),
            4 | 8 => special(Code::End),
            5 => special(Code::PgUp),
            6 => special(Code::PgDn),
            n @ 11..=15 => function(n - 10),
            n @ 17..=21 => function(n - 11),
            n @ 23..=24 => function(n - 12),
            _ => None,
        },
        _ => None,
    }
}

fn function(n: u32) -> Option<Key> {
    Some(Key::of(Code::F(u8::try_from(n).ok()?)))
}

/// A key sent as its character and modifiers (xterm's modifyOtherKeys, `CSI u`): some terminals are set so by their owner.
fn typed(code: u32, modifiers: u32) -> Option<Key> {
    let c = char::from_u32(code)?;
    let (shift, ctrl) = (modifiers.saturating_sub(1) & 1 != 0, modifiers.saturating_sub(1) & 4 != 0);
    match c {
        '\t' if shift => Some(Key::of(Code::BackTab)),
        c if c.is_control() => match find(&[u8::try_from(code).ok()?], true) {
            Found::Key(key, _) => Some(key),
            _ => None,
        },
        'i' | 'm' | 'j' | 'h' | '[' if ctrl => match find(&[u8::try_from(code).ok()? & 0x1f], true) {
            Found::Key(key, _) => Some(key),
            _ => None,
        },
        c if is_hidden(c) => None,
        c if ctrl => Some(Key::ctrl(c)),
        c if shift => Some(Key::char(c.to_ascii_uppercase())),
        c => Some(Key::char(c)),
    }
}

fn single_shift(b: u8) -> Option<Key> {
    Some(match b {
        b'A' => Key::of(Code::Up),
        b'B' => Key::of(Code::Down),
        b'C' => Key::of(Code::Right),
        b'D' => Key::of(Code::Left),
        b'H' => Key::of(Code::Home),
        b'F' => Key::of(Code::End),
        b'M' => Key::of(Code::Enter),
        b'P'..=b'S' => Key::of(Code::F(b - b'P' + 1)),
        // the keypad of a DEC keyboard: * + , - . / and the digits
        b'j'..=b'y' => Key::char(char::from(b - 0x40)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(pieces: &[&[u8]]) -> Vec<Input> {
        let mut out = vec![];
        let mut decoder = Decoder::default();
        for piece in pieces {
            decoder.feed(piece, &mut |i| out.push(i));
        }
        decoder.late(&mut |i| out.push(i));
        assert_eq!(decoder.waiting(), Waiting::No);
        out
    }

    fn text(bytes: &[u8]) -> String {
        let name = |i: &Input| match i {
            Input::Key(key) => key.to_string(),
            other => format!("{other:?}"),
        };
        all(&[bytes]).iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keys_as_terminals_send_them() {
        let table: &[(&[u8], &str)] = &[
            (b"aG ~", "a G Space ~"),
            ("é船".as_bytes(), "é 船"),
            (b"\r\n\t\x7f\x08", "Enter Enter Tab Backspace Backspace"),
            (
                b"\x00\x01\x03\x0c\x1a\x1c\x1d\x1e\x1f",
                "Ctrl-Space Ctrl-A Ctrl-C Ctrl-L Ctrl-Z Ctrl-\\ Ctrl-] Ctrl-^ Ctrl-_",
            ),
            (b"\x1b[A\x1bOB\x1b[1;5C\x1b[1;2D", "Up Down Ctrl-Right Left"),
            (b"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~\x1bOH\x1bOF", "Home End Home End Home End Home End"),
            (b"\x1b[2~\x1b[3~\x1b[5~\x1b[6~\x1b[6;5~", "Insert Delete PgUp PgDn Ctrl-PgDn"),
            (b"\x1bOP\x1b[11~\x1b[15~\x1b[17~\x1b[21~\x1b[24~\x1b[[A\x1b[[E", "F1 F1 F5 F6 F10 F12 F1 F5"),
            (b"\x1b[Z", "Shift-Tab"),
            (b"\x1bOM\x1bOk\x1bOp", "Enter + 0"),
            (b"\x1b[27;5;99~\x1b[99;5u\x1b[9;2u\x1b[105;5u\x1b[27u", "Ctrl-C Ctrl-C Shift-Tab Tab Esc"),
        ];
        for (bytes, keys) in table {
            assert_eq!(text(bytes), *keys, "{:?}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn esc_is_esc_and_the_next_key_is_a_key() {
        assert_eq!(text(b"\x1b"), "Esc");
        assert_eq!(text(b"\x1b:5"), "Esc : 5");
        assert_eq!(text(b"\x1bx"), "Esc x");
        assert_eq!(text(b"\x1b\x1b[A"), "Esc Up");
        assert_eq!(text(b"\x1b["), "Esc [");
        assert_eq!(text(b"\x1bO"), "Esc O");
        assert_eq!(text(b"\x1b]"), "Esc ]");
        assert_eq!(text(b"\x1b\x1b"), "Esc Esc");
    }

    #[test]
    fn a_lone_esc_waits_for_a_moment_only() {
        let mut decoder = Decoder::default();
        let mut out = vec![];
        decoder.feed(b"\x1b", &mut |i| out.push(i));
        assert_eq!((out.len(), decoder.waiting()), (0, Waiting::Sequence));
        decoder.late(&mut |i| out.push(i));
        assert_eq!(out, [Input::Key(Key::of(Code::Esc))]);
        decoder.feed(b"[A", &mut |i| out.push(i));
        assert_eq!(out.len(), 3);
    }

    #[test]
    fn releases_answers_mouse_and_focus_are_swallowed() {
        let table: &[&[u8]] = &[
            b"\x1b[97;1:3u",                   // a released
            b"\x1b[24;80R",                    // cursor position
            b"\x1b[?62;22c",                   // device attributes
            b"\x1b]11;rgb:1e1e/1e1e/1e1e\x07", // background colour
            b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
            b"\x1bP>|XTerm(388)\x1b\\",      // version
            b"\x1b[<0;10;20M\x1b[<0;10;20m", // mouse
            b"\x1b[M abc"[..6].as_ref(),     // mouse of old
            b"\x1b[I\x1b[O",                 // focus
            b"\x1b[?2026;2$y",               // mode report
            b"\xff\xfe\x80\x9b",             // no UTF-8
            "\u{202e}\u{200b}".as_bytes(),   // hidden
        ];
        for bytes in table {
            assert_eq!(text(bytes), "", "{:?}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn a_paste_is_one_clean_line() {
        let pasted = |bytes: &[u8]| {
            let mut whole = PASTE_BEGIN.to_vec();
            whole.extend_from_slice(bytes);
            whole.extend_from_slice(PASTE_END);
            let mut all = all(&[&whole]);
            assert_eq!(all.len(), 1);
            match all.remove(0) {
                Input::Paste(text) => text,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(pasted(b"logs/harbour.log"), "logs/harbour.log");
        assert_eq!(pasted(b"  one\r\n\ttwo\n\n"), "one two");
        assert_eq!(pasted(b"a\x1b[2Jb\x07\x00c\xff"), "a[2Jbc");
        assert_eq!(pasted("x\u{202e}y\u{9b}z é 🚢".as_bytes()), "xyz é 🚢");
        assert_eq!(pasted(&vec![b'a'; 100_000]).len(), PASTE_MAX);
        assert_eq!(pasted(b"q\x03:quit\r"), "q:quit");
    }

    #[test]
    fn keys_around_a_paste_stay_keys_and_a_paste_without_end_ends() {
        assert_eq!(text(b"a\x1b[200~b\nc\x1b[201~d"), "a Paste(\"b c\") d");
        assert_eq!(text(b"\x1b[201~"), "");
        let mut decoder = Decoder::default();
        let mut out = vec![];
        decoder.feed(b"\x1b[200~half", &mut |i| out.push(i));
        assert_eq!(decoder.waiting(), Waiting::Paste);
        decoder.late(&mut |i| out.push(i));
        decoder.feed(b"q", &mut |i| out.push(i));
        assert_eq!(out, [Input::Paste("half".to_owned()), Input::Key(Key::char('q'))]);
    }

    proptest! {
        #[test]
        fn no_split_of_the_bytes_changes_what_was_typed(cuts in proptest::collection::vec(0usize..80, 0..6)) {
            let bytes = b"a\x1b[1;5C\x1bOP\x1b[200~x\x1b[20\ny\x1b[201~\xc3\xa9\x1b[24~\x1b]11;rgb:0/0/0\x07z\x1b[<1;2;3Mq";
            let whole = all(&[bytes]);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c % bytes.len()).collect();
            cuts.sort_unstable();
            let mut pieces = vec![];
            let mut from = 0;
            for cut in cuts.into_iter().chain([bytes.len()]) {
                pieces.push(&bytes[from..cut]);
                from = cut;
            }
            prop_assert_eq!(all(&pieces), whole);
        }

        #[test]
        fn no_bytes_break_it_and_it_never_keeps_much(
            pieces in proptest::collection::vec(proptest::collection::vec(
                prop_oneof![any::<u8>(), Just(0x1b), Just(b'['), Just(b'2'), Just(b'0'), Just(b'~'), Just(b';')], 0..300), 0..8)
        ) {
            let mut decoder = Decoder::default();
            let mut keys = 0usize;
            for piece in &pieces {
                decoder.feed(piece, &mut |_| keys += 1);
                prop_assert!(decoder.rest.len() <= ANSWER_MAX + 300);
            }
            prop_assert!(keys <= pieces.iter().map(Vec::len).sum::<usize>());
            // What is let go may hold the beginning of a paste, which is waited for once more.
            decoder.late(&mut |_| {});
            decoder.late(&mut |_| {});
            prop_assert_eq!(decoder.waiting(), Waiting::No);
        }
    }
}

//! One input as a whole: bytes, silences, damaged lines, reconnections.
//!
//! Counts; what follows from the counters is in `rules`.

mod rules;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use rules::{
    BINARY_LEAST, BINARY_SHARE, ENDS_LEAST, ERRORS_LEAST, ERRORS_MEMORY, ERRORS_SHARE, LOAD, MESSY, MOSTLY,
    NO_SENTENCE, NULS_LEAST, NULS_TIMES,
};

use super::bytes;
use super::window::Window;
use crate::core::frame::{Class, Origin};
use crate::core::time::{MILLISECOND, Offset, SECOND};
use crate::core::vessel::Label;

/// No data after this, or [`SILENT_FACTOR`] times the own longest quiet time.
pub const SILENT_AFTER: Offset = 5 * SECOND;
/// See [`SILENT_AFTER`].
pub const SILENT_FACTOR: i64 = 3;
/// A damaged line is at the end of a burst when nothing follows it for this long.
pub const BURST_PAUSE: Offset = 100 * MILLISECOND;
/// A UART sends so many bits a byte (8N1).
pub const BITS_A_BYTE: f64 = 10.0;
/// Connections that lived about equally long (10 % and one second) and closed so often: the peer closes them.
pub const CLOSES_LEAST: u32 = 3;
/// Raw bytes kept for a verdict.
const TAIL: usize = 2048;

/// What an input is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Medium {
    /// Not said.
    #[default]
    Other,
    /// A serial port with a UART behind it.
    Serial,
    /// A serial port over USB that has no line behind it (ttyACM).
    UsbSerial,
    /// A TCP connection.
    Tcp,
    /// Datagrams.
    Udp,
}

/// What is known of an input before it says anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// As on the command line: `serial:/dev/ttyUSB0@4800`.
    pub name: String,
    /// What it is.
    pub medium: Medium,
    /// Stated or found; the load is taken from it.
    pub baud: Option<u32>,
}

impl Input {
    /// Bytes a second that it carries, where that is a limit: a UART, or any source with a stated rate.
    pub fn capacity(&self) -> Option<f64> {
        let limited = !matches!(self.medium, Medium::Tcp | Medium::Udp | Medium::UsbSerial);
        self.baud.filter(|_| limited).map(|baud| f64::from(baud) / BITS_A_BYTE)
    }
}

/// Counters of an input.
#[derive(Clone, Debug)]
pub struct Feed {
    /// Which.
    pub origin: Origin,
    /// What it is.
    pub input: Input,
    /// Bytes received, with line ends.
    pub bytes: u64,
    /// Good sentences.
    pub sentences: u64,
    /// Damaged ones: wrong checksum, garbled, truncated, too long.
    pub damaged: u64,
    /// Of those, wrong checksums.
    pub bad_checksums: u64,
    /// Bytes in lines without any sentence.
    pub noise: u64,
    /// Since when it is listened to.
    pub opened: Offset,
    /// When the last byte came.
    pub last: Option<Offset>,
    /// Longest silence, outages too.
    pub longest_quiet: Offset,
    /// Times it was opened again.
    pub reconnects: u32,
    /// Bytes of the last seconds.
    pub window: Window,
    usual_quiet: Offset,
    last_good: Option<Offset>,
    last_damaged: Option<(Offset, Label)>,
    damaged_since: Option<Offset>,
    pending_damage: bool,
    at_burst_end: u64,
    first_line: bool,
    talkers_damaged: Vec<(Label, u64)>,
    talkers_good: Vec<(Label, u64)>,
    resumed: Offset,
    excused: Offset,
    no_rate: bool,
    raw: bool,
    tail: Vec<u8>,
    protocol: Option<&'static str>,
    line_ends: LineEnds,
    lives: Vec<Offset>,
}

#[derive(Clone, Copy, Debug, Default)]
struct LineEnds {
    both: u64,
    lf: u64,
    cr: u64,
    nuls: u64,
    /// Bytes that are no text, NULs aside.
    binary: u64,
    after_cr: bool,
    /// Printable bytes in a row.
    run: u32,
}

/// Printable bytes that make what ends a line: in a binary protocol a line feed is nothing special.
const TEXT: u32 = 4;

impl LineEnds {
    fn hear(&mut self, b: u8) {
        let line = u64::from(self.run >= TEXT);
        match b {
            b'\n' if self.after_cr => self.both += line,
            b'\n' => self.lf += line,
            _ if self.after_cr => self.cr += line,
            _ => {}
        }
        self.nuls += u64::from(b == 0);
        self.binary += u64::from(is_binary(b));
        self.run = match b {
            b' '..=b'~' if self.after_cr => 1,
            b' '..=b'~' => self.run.saturating_add(1),
            b'\r' if !self.after_cr => self.run,
            _ => 0,
        };
        self.after_cr = b == b'\r';
    }
}

impl Feed {
    /// Listens from now on.
    pub fn new(origin: Origin, at: Offset) -> Feed {
        Feed {
            origin,
            input: Input::default(),
            bytes: 0,
            sentences: 0,
            damaged: 0,
            bad_checksums: 0,
            noise: 0,
            opened: at,
            last: None,
            longest_quiet: 0,
            reconnects: 0,
            window: Window::default(),
            usual_quiet: 0,
            last_good: None,
            last_damaged: None,
            damaged_since: None,
            pending_damage: false,
            at_burst_end: 0,
            first_line: true,
            talkers_damaged: Vec::new(),
            talkers_good: Vec::new(),
            resumed: at,
            excused: at,
            no_rate: false,
            raw: false,
            tail: Vec::new(),
            protocol: None,
            line_ends: LineEnds::default(),
            lives: Vec::new(),
        }
    }

    /// Is something else from now on. What was heard at another baud rate says nothing of this one.
    pub fn set(&mut self, input: Input, at: Offset) {
        if self.input.baud != input.baud {
            self.tail.clear();
            self.protocol = None;
            self.line_ends = LineEnds::default();
            self.first_line = true;
            self.last_good = Some(at);
        }
        self.input = input;
    }

    /// Until now nothing could be heard: its baud rate was being looked for.
    pub fn excuse(&mut self, at: Offset) {
        self.excused = at;
    }

    /// Bytes come, and a search over all rates found no sentence in them.
    pub fn no_rate(&mut self) {
        self.no_rate = true;
    }

    fn quiet(&mut self, at: Offset) {
        let span = at.saturating_sub(self.last.unwrap_or(self.opened)).max(0);
        self.longest_quiet = self.longest_quiet.max(span);
        if span >= SILENT_AFTER {
            self.resumed = at;
        }
        if span < self.silent_after() && self.last.is_some() {
            self.usual_quiet = self.usual_quiet.max(span);
        }
        self.last = Some(at);
    }

    /// How long it may be silent.
    pub fn silent_after(&self) -> Offset {
        SILENT_AFTER.max(self.usual_quiet.saturating_mul(SILENT_FACTOR))
    }

    /// Silent for so long.
    pub fn age(&self, now: Offset) -> Offset {
        now.saturating_sub(self.last.unwrap_or(self.opened)).max(0)
    }

    /// How long others were heard since a row last was, not counting what lies before the last pause of [`SILENT_AFTER`]: a
    /// row that is missed for less has just not had its turn.
    pub fn heard_without(&self, row_last: Offset) -> Offset {
        self.last.unwrap_or(self.opened).saturating_sub(row_last.max(self.resumed)).max(0)
    }

    /// Takes bytes as they come. Once this was called, lines no longer count as bytes.
    pub fn hear_raw(&mut self, bytes: &[u8], at: Offset) {
        if bytes.is_empty() {
            return;
        }
        self.quiet(at);
        self.no_rate = false;
        self.raw = true;
        self.bytes += bytes.len() as u64;
        self.window.add(at, bytes.len());
        bytes.iter().for_each(|b| self.line_ends.hear(*b));
        self.keep(bytes);
    }

    /// Keeps the last bytes that gave no sentence, and remembers a binary protocol that is seen in them.
    fn keep(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(bytes.get(bytes.len().saturating_sub(TAIL)..).unwrap_or(bytes));
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..surplus);
        if self.protocol.is_none() && self.line_ends.binary >= BINARY_LEAST {
            self.protocol = bytes::protocol(&self.tail);
        }
    }

    /// Takes a line (its bytes without terminator).
    pub fn hear_line(&mut self, line: &[u8], class: Class, talker: Label, at: Offset) {
        if !self.raw {
            self.quiet(at);
            self.bytes += line.len() as u64 + 2;
            self.window.add(at, line.len() + 2);
            let count = |test: fn(u8) -> bool| line.iter().filter(|b| test(**b)).count() as u64;
            // In a line without a sentence they are a binary protocol's, or a power cut's in the file.
            let text = class != Class::NoSentence;
            self.line_ends.nuls += if text { count(|b| b == 0) } else { 0 };
            self.line_ends.binary += count(is_binary);
            if class == Class::NoSentence {
                self.keep(line);
            }
        }
        if std::mem::replace(&mut self.pending_damage, false)
            && let Some((damaged, _)) = self.last_damaged
        {
            self.at_burst_end += u64::from(at - damaged >= BURST_PAUSE);
        }
        let first = std::mem::replace(&mut self.first_line, false);
        match class {
            Class::Comment | Class::Blank => {}
            Class::NoSentence => self.noise += line.len() as u64,
            _ if class.is_sentence() => {
                self.sentences += 1;
                count(&mut self.talkers_good, talker);
                self.last_good = Some(at);
                self.tail.clear();
            }
            // The one torn by connecting.
            _ if first => {}
            // Strict mode skips these; they are not damaged.
            Class::MissingChecksum => self.last_good = Some(at),
            _ => {
                self.damaged += 1;
                self.bad_checksums += u64::from(class == Class::BadChecksum);
                self.pending_damage = true;
                self.damaged_since.get_or_insert(at);
                self.last_damaged = Some((at, talker));
                count(&mut self.talkers_damaged, talker);
            }
        }
    }

    /// It was opened again; the connection before had lived for `lived`.
    pub fn reopened(&mut self, lived: Option<Offset>, at: Offset) {
        self.reconnects += 1;
        self.first_line = true;
        self.tail.clear();
        if let Some(lived) = lived {
            self.lives.push(lived);
            let surplus = self.lives.len().saturating_sub(CLOSES_LEAST as usize);
            self.lives.drain(..surplus);
        }
        self.quiet(at);
    }

    /// Bytes a second, and the share of what the line carries.
    pub fn load(&self, now: Offset) -> (f64, Option<f64>) {
        let per_second = self.window.per_second(now, self.opened);
        (per_second, self.input.capacity().map(|most| per_second / most))
    }

    /// So much is damaged that the form of what is heard says nothing of its sender.
    pub fn is_messy(&self) -> bool {
        self.damaged >= ERRORS_LEAST && self.error_share() > MESSY
    }

    /// Share of damaged sentences.
    pub fn error_share(&self) -> f64 {
        self.damaged as f64 / (self.damaged + self.sentences).max(1) as f64
    }
}

/// Neither printable text, white space nor NUL.
fn is_binary(b: u8) -> bool {
    b >= 0x7F || (b < b' ' && !matches!(b, b'\0' | b'\t'..=b'\r'))
}

/// Counts by talker, at most sixteen of them.
fn count(talkers: &mut Vec<(Label, u64)>, talker: Label) {
    if let Some((_, n)) = talkers.iter_mut().find(|(t, _)| *t == talker) {
        *n += 1;
    } else if talkers.len() < 16 {
        talkers.push((talker, 1));
    }
}

/// Seconds of an offset.
pub fn seconds(span: Offset) -> f64 {
    span as f64 / SECOND as f64
}

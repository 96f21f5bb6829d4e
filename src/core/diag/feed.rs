//! One input as a whole: bytes, silences, damaged lines, reconnections; and the rules about them.
//!
//! No data, wrong baud rate, inverted polarity, checksum errors, load, line ends, connections that close.

use serde::{Deserialize, Serialize};

use super::board::{Board, Evidence, seen};
use super::bytes::{self, Verdict};
use super::kind::Kind;
use super::stats::{WINDOW_SECONDS, Window};
use crate::core::frame::{Class, Origin};
use crate::core::time::{MILLISECOND, Moment, Offset, SECOND};
use crate::core::vessel::Label;

/// No data after this, or [`SILENT_FACTOR`] times the own longest quiet time.
pub const SILENT_AFTER: Offset = 5 * SECOND;
/// See [`SILENT_AFTER`].
pub const SILENT_FACTOR: i64 = 3;
/// Checksum errors above this share of the sentences, and at least [`ERRORS_LEAST`].
pub const ERRORS_SHARE: f64 = 0.001;
/// Fewer damaged sentences say nothing: one is torn at every connect.
pub const ERRORS_LEAST: u64 = 3;
/// Errors are over when none came for this long.
pub const ERRORS_MEMORY: Offset = 60 * SECOND;
/// A damaged line is at the end of a burst when nothing follows it for this long.
pub const BURST_PAUSE: Offset = 100 * MILLISECOND;
/// This share of the errors in one place (end of bursts, one talker) names the place.
pub const MOSTLY: f64 = 0.7;
/// A line is overloaded above this share of what it carries, over ten seconds.
pub const LOAD: f64 = 0.8;
/// A UART sends so many bits a byte (8N1).
pub const BITS_A_BYTE: f64 = 10.0;
/// Raw bytes are judged when no sentence came for this long.
pub const NO_SENTENCE: Offset = 3 * SECOND;
/// Line ends are judged after so many lines.
pub const ENDS_LEAST: u64 = 20;
/// NULs are a finding from so many on.
pub const NULS_LEAST: u64 = 3;
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
    raw: bool,
    tail: Vec<u8>,
    line_ends: LineEnds,
    lives: Vec<Offset>,
}

#[derive(Clone, Copy, Debug, Default)]
struct LineEnds {
    both: u64,
    lf: u64,
    cr: u64,
    nuls: u64,
    after_cr: bool,
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
            raw: false,
            tail: Vec::new(),
            line_ends: LineEnds::default(),
            lives: Vec::new(),
        }
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
        self.raw = true;
        self.bytes += bytes.len() as u64;
        self.window.add(at, bytes.len());
        let ends = &mut self.line_ends;
        for b in bytes {
            match b {
                b'\n' if ends.after_cr => ends.both += 1,
                b'\n' => ends.lf += 1,
                b'\0' => ends.nuls += 1,
                _ if ends.after_cr => ends.cr += 1,
                _ => {}
            }
            ends.after_cr = *b == b'\r';
        }
        self.tail.extend_from_slice(bytes.get(bytes.len().saturating_sub(TAIL)..).unwrap_or(bytes));
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..surplus);
    }

    /// Takes a line (its bytes without terminator).
    pub fn hear_line(&mut self, line: &[u8], class: Class, talker: Label, at: Offset) {
        if !self.raw {
            self.quiet(at);
            self.bytes += line.len() as u64 + 2;
            self.window.add(at, line.len() + 2);
            // In a line without a sentence they are a binary protocol's.
            let text = class != Class::NoSentence;
            self.line_ends.nuls += line.iter().filter(|b| text && **b == 0).count() as u64;
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

    /// Share of damaged sentences.
    pub fn error_share(&self) -> f64 {
        self.damaged as f64 / (self.damaged + self.sentences).max(1) as f64
    }

    /// The rules; once a second. `live`: silence means something.
    pub fn judge(&mut self, now: Moment, live: bool, board: &mut Board) {
        let (at, origin, whole) = (now.offset, self.origin, Label::default());
        let age = self.age(at);
        let silent = live && matches!(origin, Origin::Input(_)) && age >= self.silent_after();
        let since = self.last.unwrap_or(self.opened);
        if silent {
            board.raise_since(Kind::NoData, origin, whole, since, now, || {
                let s = seconds(age);
                let words = match self.last {
                    Some(_) => {
                        format!("nothing for {s:.0} s; the longest pause before was {:.1} s", seconds(self.usual_quiet))
                    }
                    None => format!("nothing at all since it was opened {s:.0} s ago"),
                };
                seen(words, &[("silence_s", s)])
            });
        } else {
            board.clear(Kind::NoData, origin, whole);
        }
        self.judge_raw(now, board);
        self.judge_errors(now, board);
        let (per_second, share) = self.load(at);
        let full = at.saturating_sub(self.opened) >= WINDOW_SECONDS * SECOND;
        let share = share.filter(|s| full && *s > LOAD);
        board.set(share.is_some(), Kind::Load, origin, whole, now, || {
            let percent = share.unwrap_or(0.0) * 100.0;
            let words = format!("{per_second:.0} B/s over 10 s, {percent:.0} % of what the line carries");
            seen(words, &[("bytes_a_second", per_second), ("percent", percent)])
        });
        self.judge_ends(now, board);
        let alike = self.lives.len() >= CLOSES_LEAST as usize && {
            let (least, most) = self.lives.iter().fold((Offset::MAX, 0), |(l, m), v| (l.min(*v), m.max(*v)));
            most - least <= SECOND.max(most / 10)
        };
        if alike {
            let mean = seconds(self.lives.iter().sum::<Offset>() / self.lives.len() as Offset);
            board.raise(Kind::PeerCloses, origin, whole, now, || {
                let words = format!("{} times, each time after {mean:.0} s", self.reconnects);
                seen(words, &[("after_s", mean), ("times", f64::from(self.reconnects))])
            });
        }
    }

    fn judge_raw(&self, now: Moment, board: &mut Board) {
        let (origin, whole) = (self.origin, Label::default());
        let without = now.offset.saturating_sub(self.last_good.unwrap_or(self.opened));
        let verdict = if self.raw && without >= NO_SENTENCE { bytes::verdict(&self.tail) } else { Verdict::Nothing };
        let serial = matches!(self.input.medium, Medium::Serial | Medium::UsbSerial) || self.input.baud.is_some();
        let rate = self.input.baud.map_or(String::new(), |b| format!(" at {b} baud"));
        let wrong: Option<Evidence> = match verdict {
            Verdict::TooFast if serial => {
                Some(seen(format!("only zero bytes{rate}: the port is set far too fast"), &[]))
            }
            Verdict::WrongRate(share) if serial => {
                let (per_second, _) = self.load(now.offset);
                let percent = share * 100.0;
                let words = format!(
                    "no sentence{rate}; {per_second:.0} B/s, {percent:.0} % printable: mostly the port is set too slow"
                );
                Some(seen(words, &[("printable_percent", percent), ("bytes_a_second", per_second)]))
            }
            _ => None,
        };
        match wrong {
            Some(evidence) => board.raise(Kind::WrongBaud, origin, whole, now, || evidence),
            None => board.clear(Kind::WrongBaud, origin, whole),
        }
        if let Verdict::Inverted(proof) = verdict {
            board.raise(Kind::Inverted, origin, whole, now, || {
                let words = format!("turned over, the bytes hold {proof} sentences with right checksums");
                seen(words, &[("sentences", proof as f64)])
            });
        } else {
            board.clear(Kind::Inverted, origin, whole);
        }
    }

    fn judge_errors(&self, now: Moment, board: &mut Board) {
        let lately = self.last_damaged.is_some_and(|(at, _)| now.offset.saturating_sub(at) <= ERRORS_MEMORY);
        let many = self.damaged >= ERRORS_LEAST && self.error_share() > ERRORS_SHARE;
        let (origin, whole) = (self.origin, Label::default());
        if !(many && lately) {
            board.clear(Kind::ChecksumErrors, origin, whole);
            return;
        }
        let since = self.damaged_since.unwrap_or(now.offset);
        board.raise_since(Kind::ChecksumErrors, origin, whole, since, now, || {
            let (n, percent) = (self.damaged, self.error_share() * 100.0);
            let mostly = |count: u64| count as f64 >= n as f64 * MOSTLY;
            let one = self.talkers_damaged.iter().max_by_key(|(_, n)| *n);
            let load = self.load(now.offset).1;
            let place = if mostly(self.at_burst_end) {
                match load {
                    Some(load) => {
                        format!("mostly at the end of bursts (load {:.0} %): the line is overloaded", load * 100.0)
                    }
                    None => "mostly at the end of bursts: the line or a buffer is overloaded".to_owned(),
                }
            } else {
                // One talker is to blame only where others share the line and stay whole.
                let alone = |talker: Label| {
                    let own = self.talkers_good.iter().find(|(t, _)| *t == talker).map_or(0, |(_, n)| *n);
                    own as f64 > self.sentences as f64 * MOSTLY
                };
                match one.filter(|(talker, n)| mostly(*n) && !alone(*talker) && talker.as_bytes() != b"??") {
                    Some((talker, _)) => format!("mostly from talker {talker}: that device or its cable"),
                    _ => "spread over time: wiring, ground or interference".to_owned(),
                }
            };
            let words = format!("{n} damaged of {} ({percent:.2} %), {place}", self.damaged + self.sentences);
            seen(words, &[("damaged", n as f64), ("percent", percent), ("at_burst_end", self.at_burst_end as f64)])
        });
    }

    fn judge_ends(&self, now: Moment, board: &mut Board) {
        let LineEnds { both, lf, cr, nuls, .. } = self.line_ends;
        let (lines, odd) = (both + lf + cr, lf + cr);
        let wrong = lines >= ENDS_LEAST && odd * 2 > lines;
        board.set(wrong, Kind::LineEnds, self.origin, Label::default(), now, || {
            let kind = if lf >= cr { "LF" } else { "CR" };
            seen(
                format!("{odd} of {lines} lines end with {kind} only"),
                &[("lines", lines as f64), ("wrong", odd as f64)],
            )
        });
        board.set(nuls >= NULS_LEAST, Kind::Nuls, self.origin, Label::default(), now, || {
            seen(format!("{nuls} NUL bytes"), &[("count", nuls as f64)])
        });
    }
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

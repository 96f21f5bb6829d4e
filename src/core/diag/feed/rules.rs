//! The rules about an input as a whole: no data, wrong baud rate, inverted polarity, checksum errors, load, line ends, NULs,
//! connections that close.
//!
//! Reads the counters of [`Feed`]; changes none of them.

use super::super::board::{Board, Evidence, seen};
use super::super::bytes::{self, Verdict};
use super::super::kind::Kind;
use super::super::window::WINDOW_SECONDS;
use super::{CLOSES_LEAST, Feed, LineEnds, Medium, seconds};
use crate::core::frame::Origin;
use crate::core::time::{Moment, Offset, SECOND};
use crate::core::vessel::Label;

/// Checksum errors above this share of the sentences, and at least [`ERRORS_LEAST`].
pub const ERRORS_SHARE: f64 = 0.001;
/// Fewer damaged sentences say nothing: one is torn at every connect.
pub const ERRORS_LEAST: u64 = 3;
/// Errors are over when none came for this long.
pub const ERRORS_MEMORY: Offset = 60 * SECOND;
/// This share of the errors in one place (end of bursts, one talker) names the place.
pub const MOSTLY: f64 = 0.7;
/// A line is overloaded above this share of what it carries, over ten seconds.
pub const LOAD: f64 = 0.8;
/// Raw bytes are judged when no sentence came for this long.
pub const NO_SENTENCE: Offset = 3 * SECOND;
/// Line ends are judged after so many lines.
pub const ENDS_LEAST: u64 = 20;
/// The form of lines and sentences is not judged when more than this share of them is damaged: what damages them makes any
/// form of them.
pub const MESSY: f64 = 0.1;
/// NULs are a finding from so many on.
pub const NULS_LEAST: u64 = 3;
/// … and so many times as many as other bytes that are no text: in a binary protocol NULs are nothing special.
pub const NULS_TIMES: u64 = 4;
/// So many bytes that are no text…
pub const BINARY_LEAST: u64 = 200;
/// … and this share of all, between good sentences: a binary protocol on the same line.
pub const BINARY_SHARE: f64 = 0.02;

impl Feed {
    /// The rules; once a second. `live`: silence means something.
    pub fn judge(&mut self, now: Moment, live: bool, board: &mut Board) {
        let (at, origin, whole) = (now.offset, self.origin, Label::default());
        let age = self.age(at);
        let unexcused = at - self.excused.min(at) >= self.silent_after();
        let silent = live && matches!(origin, Origin::Input(_)) && age >= self.silent_after() && unexcused;
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
            _ if self.no_rate => {
                let words = "bytes, and no sentence in them at any rate tried: another protocol, other data bits or parity, or a bad line";
                Some(seen(words, &[]))
            }
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
            let place = if mostly(self.at_burst_end) || load.is_some_and(|load| load > LOAD) {
                match load {
                    Some(load) if load > LOAD => format!("at a load of {:.0} %: the line is overloaded", load * 100.0),
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
            let how = match self.damaged - self.bad_checksums {
                0 => String::new(),
                torn if torn == n => ", cut short or garbled".to_owned(),
                torn => format!(", {torn} of them cut short or garbled"),
            };
            let words = format!("{n} damaged of {} ({percent:.2} %){how}, {place}", self.damaged + self.sentences);
            seen(words, &[("damaged", n as f64), ("percent", percent), ("at_burst_end", self.at_burst_end as f64)])
        });
    }

    fn judge_ends(&self, now: Moment, board: &mut Board) {
        let LineEnds { both, lf, cr, nuls, binary, .. } = self.line_ends;
        let (lines, odd) = (both + lf + cr, lf + cr);
        let wrong = lines >= ENDS_LEAST && odd * 2 > lines && !self.is_messy();
        board.set(wrong, Kind::LineEnds, self.origin, Label::default(), now, || {
            let kind = if lf >= cr { "LF" } else { "CR" };
            seen(
                format!("{odd} of {lines} lines end with {kind} only"),
                &[("lines", lines as f64), ("wrong", odd as f64)],
            )
        });
        board.set(
            nuls >= NULS_LEAST && nuls > binary * NULS_TIMES,
            Kind::Nuls,
            self.origin,
            Label::default(),
            now,
            || seen(format!("{nuls} NUL bytes"), &[("count", nuls as f64)]),
        );
        // Without the marks of a protocol it is noise, which is counted as such.
        let much = binary >= BINARY_LEAST && binary as f64 > BINARY_SHARE * self.bytes as f64;
        let protocol = self.protocol.filter(|_| much && self.sentences > 0);
        board.set(protocol.is_some(), Kind::EightBit, self.origin, Label::default(), now, || {
            let name = protocol.unwrap_or_default();
            seen(format!("{name} between the sentences: {binary} bytes that are no text"), &[("bytes", binary as f64)])
        });
    }
}

//! One way to time a log: the clocks, and what a report says of them.
//!
//! Four of these run side by side while a log is read for the first time (LOG-FORMAT §3); a reader in the middle of a log
//! runs the one that was chosen.

use serde::{Deserialize, Serialize};

use super::clock::{Clocks, MOST_CLOCKS, Reading};
use super::line::{Line, Stamp, StampClock};
use super::names::Names;
use super::{sentence_time, stamp};
use crate::core::frame::Class;
use crate::core::time::{Offset, Utc};

/// Breaks that are listed; further ones are only counted.
pub const MOST_BREAKS: usize = 4096;

/// How the sentences of a log are timed, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// By absolute times in front, in TAG blocks, or behind the checksum.
    Timestamps,
    /// By the UTC inside sentences.
    SentenceTimes,
    /// By times of day in front.
    TimeOfDay,
    /// By nothing: a fixed interval.
    FixedInterval,
    /// There is no sentence.
    None,
}

impl Tier {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Tier::Timestamps => "timestamps",
            Tier::SentenceTimes => "sentence times",
            Tier::TimeOfDay => "times of day",
            Tier::FixedInterval => "fixed interval",
            Tier::None => "none",
        }
    }
}

/// Where the readings of a timeline come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Times in front and in TAG blocks.
    Stamps,
    /// Unix times behind the checksum.
    Suffixes,
    /// The UTC inside sentences.
    Sentences,
    /// Times of day in front.
    OfDay,
}

/// A jump of a clock that the timeline does not follow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Break {
    /// The line.
    pub line: u64,
    /// The clock's jump, signed.
    pub seconds: f64,
}

/// A timeline under way.
#[derive(Clone, Debug)]
pub struct Timeline {
    kind: Kind,
    /// State: enough to go on from here.
    pub clocks: Clocks,
    names: Names,
    gap: Offset,
    /// Lines that had a time.
    pub timed_lines: u64,
    /// Steps between sentences longer than the gap.
    pub gaps: u64,
    /// All of them.
    pub breaks: u64,
    /// The first [`MOST_BREAKS`].
    pub list: Vec<Break>,
    /// The longest step between two sentences.
    pub longest: Offset,
    /// The line behind it.
    pub longest_line: u64,
    /// The first dated reading.
    pub first: Option<Utc>,
    /// The last dated reading.
    pub last: Option<Utc>,
}

/// What the readings of a line did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The offset grew by this much.
    pub grew: Offset,
    /// A break of this size.
    pub jump: Option<i64>,
}

/// The clock in front of sentences, that of TAG blocks without source, and the first of those with one.
const PREFIX: u16 = 0;
const NO_SOURCE: u16 = 1;
const FIRST_SOURCE: u16 = 2;

impl Timeline {
    /// At the beginning of a log. A step longer than `gap` is counted as one.
    pub fn new(kind: Kind, gap: Offset) -> Timeline {
        Timeline::resume(kind, gap, Clocks::default(), Names::new(usize::from(MOST_CLOCKS - FIRST_SOURCE)))
    }

    /// In the middle of a log.
    pub fn resume(kind: Kind, gap: Offset, clocks: Clocks, names: Names) -> Timeline {
        Timeline {
            kind,
            clocks,
            names,
            gap,
            timed_lines: 0,
            gaps: 0,
            breaks: 0,
            list: Vec::new(),
            longest: 0,
            longest_line: 0,
            first: None,
            last: None,
        }
    }

    /// The clocks by name.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Whether any reading came.
    pub fn began(&self) -> bool {
        self.timed_lines > 0
    }

    /// Whether any reading came, or one waits for its sentence.
    pub fn touched(&self) -> bool {
        self.began() || self.clocks.pending.is_some()
    }

    /// Where its readings come from.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The readings that belong to a line as a whole. (Those inside sentences: [`Timeline::sentence`].)
    pub fn line(&mut self, line: &Line<'_>) -> Step {
        match self.kind {
            Kind::Stamps => self.stamps(line),
            Kind::Suffixes => match line.suffix {
                Some(utc) if line.has_sentence() => self.read(line.number, 0, Reading::utc(utc)),
                _ => Step::default(),
            },
            Kind::OfDay => match line.of_day {
                Some(ns) if line.has_sentence() => self.read(line.number, 0, Reading::of_day(ns)),
                _ => Step::default(),
            },
            Kind::Sentences => Step::default(),
        }
    }

    /// The time inside a sentence that is sent. `first` of its line to have one: the line is counted.
    pub fn sentence(&mut self, number: u64, sentence: &[u8], first: bool) -> Option<Step> {
        let (address, fields) = sentence_time::parts(sentence)?;
        self.fields(number, address, fields, first)
    }

    /// As [`Timeline::sentence`], of a sentence in parts.
    pub(super) fn fields(&mut self, number: u64, address: &[u8], fields: &[u8], first: bool) -> Option<Step> {
        if self.kind != Kind::Sentences {
            return None;
        }
        let time = sentence_time::of_fields(address, fields)?;
        let clock = self.source(address);
        self.timed_lines -= u64::from(!first);
        Some(self.read(number, clock, time))
    }

    fn stamps(&mut self, line: &Line<'_>) -> Step {
        if line.has_sentence() {
            let pending = self.clocks.pending.take();
            return match (line.stamp, pending) {
                (Some(stamp), _) => {
                    let clock = self.clock_of(stamp);
                    self.read(line.number, clock, Reading::utc(stamp.utc))
                }
                (None, Some((clock, time))) => self.read(line.number, clock, time),
                (None, None) => Step::default(),
            };
        }
        // A TAG block alone on its line: its time serves the next sentence.
        if let (Class::NoSentence, Some(stamp)) = (line.class, line.stamp) {
            self.clocks.pending = Some((self.clock_of(stamp), Reading::utc(stamp.utc)));
        }
        Step::default()
    }

    /// The stamp in front of a plain line, if it has one.
    #[inline]
    pub(super) fn plain(&mut self, line: u64, stamp: Option<Utc>) {
        let pending = self.clocks.pending.take();
        if let Some(utc) = stamp {
            self.read(line, PREFIX, Reading::utc(utc));
        } else if let Some((clock, time)) = pending {
            self.read(line, clock, time);
        }
    }

    fn clock_of(&mut self, stamp: Stamp<'_>) -> u16 {
        match stamp.clock {
            StampClock::Prefix => PREFIX,
            StampClock::Tag(None) => NO_SOURCE,
            StampClock::Tag(Some(source)) => self.source(source),
        }
    }

    fn source(&mut self, name: &[u8]) -> u16 {
        self.names.number(name).map_or(MOST_CLOCKS, |n| n as u16 + FIRST_SOURCE)
    }

    fn read(&mut self, line: u64, clock: u16, time: Reading) -> Step {
        let before = self.clocks.offset;
        let jump = self.clocks.read(clock, time);
        let grew = self.clocks.offset - before;
        self.timed_lines += 1;
        if let Some(jump) = jump {
            self.breaks += 1;
            if self.list.len() < MOST_BREAKS {
                self.list.push(Break { line, seconds: jump as f64 / 1e9 });
            }
        }
        if grew > self.longest {
            self.longest = grew;
            self.longest_line = line;
        }
        self.gaps += u64::from(grew > self.gap);
        if time.dated {
            self.first.get_or_insert(time.ns);
            self.last = Some(time.ns);
        }
        Step { grew, jump }
    }
}

/// The time that a line shows of itself, for programs that read in a pipe: its stamp, else its suffix.
pub fn own_time(line: &Line<'_>) -> Option<Utc> {
    line.stamp.map(|stamp| stamp.utc).or(line.suffix)
}

/// A Unix time as text holds it; for arguments.
pub fn parse_utc(text: &str) -> Option<Utc> {
    stamp::find(text.as_bytes()).utc
}

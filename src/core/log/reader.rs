//! One reader of a log: sentences at a place, at an offset, at a line; the vessel as it was there.
//!
//! The index is shared, the cache of a few blocks is its own: player, list and each search have a reader each, on threads
//! of their own. Reads may take long (SD card): never call it where something else waits.

use std::io;
use std::sync::Arc;

use bytes::Bytes;

use super::block::{self, Loaded, RawRow};
use super::checkpoints::STEP;
use super::clock::{Clocks, Reading};
use super::index::{Index, Span};
use super::line::LineReader;
use super::names::Names;
use super::opening::Opening;
use super::read_at::ReadAt;
use super::report::Summary;
use super::timeline::{Kind, Tier, Timeline};
use super::{OpenError, Options, Way, sentence_time};
use crate::core::frame::{Class, Origin, Place};
use crate::core::nmea::{Heard, table};
use crate::core::time::{Moment, Offset, Utc};
use crate::core::vessel::Vessel;

/// Decodes one sentence into the vessel.
pub type Hear = fn(&[u8], Moment, &mut Vessel);

/// The table of formatters.
pub fn hear(sentence: &[u8], at: Moment, vessel: &mut Vessel) {
    table::hear(sentence, Heard { at, origin: Origin::Source }, vessel);
}

/// Blocks in the cache: at most 2 MiB each, usually 20 kB; and rows of them, for lines of thousands of pieces.
const CACHED: usize = 6;
const CACHED_ROWS: usize = 16_384;
/// States of the clocks that were passed and may be wanted again.
const PASSED: usize = 32;

/// A reader.
pub struct Log {
    pub(super) index: Index,
    file: u16,
    hear: Hear,
    /// The one used last stands last.
    cache: Vec<Arc<Loaded>>,
    passed: Vec<(usize, Clocks)>,
    lines: LineReader,
    timeline: Option<(Timeline, Arc<Names>)>,
    loaded: u64,
    decoded: u64,
}

/// One sentence of a log, as a replay sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands.
    pub place: Place,
    /// Sentences before it.
    pub number: u64,
    /// Nanoseconds since the first sentence.
    pub offset: Offset,
    /// What the log's own clock showed.
    pub utc: Option<Utc>,
    /// With or without checksum.
    pub class: Class,
    /// Its bytes.
    pub bytes: Bytes,
    /// The TAG blocks in front of it, as they stand in the log; usually empty.
    pub tags: Bytes,
}

impl Entry {
    /// The time inside it, if it carries one.
    pub fn own_time(&self) -> Option<Reading> {
        sentence_time::of(&self.bytes)
    }

    /// When it was said.
    pub fn moment(&self) -> Moment {
        Moment { offset: self.offset, utc: self.utc }
    }
}

impl Log {
    /// Opens a log, all of it, and reads it from here.
    ///
    /// # Errors
    /// Cancelled, unreadable, or without any sentence.
    pub fn open(
        read: Arc<dyn ReadAt>,
        options: Options,
        hear: Hear,
        go_on: &mut dyn FnMut(f32) -> bool,
    ) -> Result<(Log, Summary), OpenError> {
        let opening = Opening::new(read, options);
        let index = opening.index();
        let summary = opening.run(go_on)?;
        Ok((Log::new(&index, hear), summary))
    }

    /// A reader over an index, which may still be growing.
    pub fn new(index: &Index, hear: Hear) -> Log {
        Log {
            index: index.clone(),
            file: 0,
            hear,
            cache: Vec::new(),
            passed: Vec::new(),
            lines: LineReader::default(),
            timeline: None,
            loaded: 0,
            decoded: 0,
        }
    }

    /// The same reader, as the n-th of several logs that are one timeline.
    #[must_use]
    pub fn with_file(mut self, file: u16) -> Log {
        self.file = file;
        self
    }

    /// The index.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Blocks read, and sentences decoded, so far: what tests count instead of measuring time.
    pub fn work(&self) -> (u64, u64) {
        (self.loaded, self.decoded)
    }

    /// Up to `room` sentences at or after a place, in order; fewer only at the end of what is indexed. None before it is
    /// certain how the log is timed.
    ///
    /// # Errors
    /// The log cannot be read, or has become shorter.
    pub fn ahead(&mut self, from: Place, room: usize, out: &mut Vec<Entry>) -> io::Result<()> {
        let full = out.len() + room;
        let mut number = self.index.block_of_byte(from.byte);
        while out.len() < full
            && let Some(block) = self.load(number)?
        {
            let rows = block.rows.iter().skip_while(|row| self.place(row) < from_here(from, self.file));
            let entries = rows.filter_map(|row| self.entry(&block, row));
            out.extend(entries.take(full - out.len()));
            number += 1;
        }
        Ok(())
    }

    /// The last sentence before a place.
    ///
    /// # Errors
    /// See [`Log::ahead`].
    pub fn before(&mut self, place: Place) -> io::Result<Option<Entry>> {
        let from = from_here(place, self.file);
        let mut next = Some(self.index.block_of_byte(place.byte));
        while let Some(number) = next
            && let Some(block) = self.load(number)?
        {
            let mut rows = block.rows.iter().rev().filter(|row| self.place(row) < from);
            if let Some(entry) = rows.find_map(|row| self.entry(&block, row)) {
                return Ok(Some(entry));
            }
            // The last block before with a sentence in it.
            next = self.index.growing(number, Way::Back, sentences);
        }
        Ok(None)
    }

    /// The first sentence at or after an offset (P3).
    ///
    /// # Errors
    /// See [`Log::ahead`].
    pub fn at_offset(&mut self, offset: Offset) -> io::Result<Option<Entry>> {
        let timing = self.index.timing();
        if timing.tier == Tier::FixedInterval {
            let interval = self.index.options().interval.max(1);
            let number = if offset <= 0 { 0 } else { (offset - 1) / interval + 1 };
            return match self.index.options().interval {
                0 if offset > 0 => Ok(None),
                _ => self.at_sentence(u64::try_from(number).unwrap_or(0)),
            };
        }
        let number = self.index.block_of_offset(offset);
        self.first(number, |row| row.offset.is_some_and(|o| o >= offset))
    }

    /// The first sentence on a line (from 1) or after it.
    ///
    /// # Errors
    /// See [`Log::ahead`].
    pub fn at_line(&mut self, line: u64) -> io::Result<Option<Entry>> {
        self.first(self.index.block_of_line(line), |row| row.line >= line)
    }

    /// The n-th sentence, from 0.
    ///
    /// # Errors
    /// See [`Log::ahead`].
    pub fn at_sentence(&mut self, n: u64) -> io::Result<Option<Entry>> {
        self.first(self.index.block_of_sentence(n), |row| row.number >= n)
    }

    /// The last sentence of what is indexed.
    ///
    /// # Errors
    /// See [`Log::ahead`].
    pub fn last(&mut self) -> io::Result<Option<Entry>> {
        self.before(Place { byte: u64::MAX, ..Place::default() })
    }

    fn first(&mut self, from: usize, holds: impl Fn(&RawRow) -> bool) -> io::Result<Option<Entry>> {
        let mut next = Some(from);
        while let Some(number) = next
            && let Some(block) = self.load(number)?
        {
            let mut rows = block.rows.iter().filter(|row| row.class.is_sentence() && holds(row));
            if let Some(entry) = rows.find_map(|row| self.entry(&block, row)) {
                return Ok(Some(entry));
            }
            next = self.index.growing(number, Way::Forward, sentences);
        }
        Ok(None)
    }

    /// What the log's own clock showed at an offset; `None` without dates.
    ///
    /// # Errors
    /// See [`Log::ahead`].
    pub fn utc(&mut self, offset: Offset) -> io::Result<Option<Utc>> {
        let entry = match self.at_offset(offset)? {
            Some(entry) => Some(entry),
            None => self.last()?,
        };
        Ok(entry.and_then(|e| Some(e.utc?.saturating_add(offset.saturating_sub(e.offset)))))
    }

    /// The whole line at a place, as it stands in the log.
    ///
    /// # Errors
    /// See [`Log::ahead`].
    pub fn line(&mut self, place: Place) -> io::Result<Option<Bytes>> {
        let number = self.index.block_of_byte(place.byte);
        let Some(block) = self.load(number)? else { return Ok(None) };
        let row = block.rows.iter().find(|row| row.byte >= place.byte && row.part >= place.part);
        Ok(row.map(|row| block.data.slice(row.whole.0 as usize..row.whole.1 as usize)))
    }

    /// The vessel as everything before a place made it: decodes from the nearest checkpoint. `None`: `go_on` said no.
    ///
    /// # Errors
    /// See [`Log::ahead`].
    pub fn vessel(&mut self, place: Place, go_on: &mut dyn FnMut(f32) -> bool) -> io::Result<Option<Vessel>> {
        let to = from_here(place, self.file);
        let target = self.sentences_before(place)?;
        let (mut number, at, mut vessel) = self.index.checkpoints().before(target).unwrap_or_default();
        let steps = (target - number).max(1);
        let start = number;
        let mut block_number = self.index.block_of_byte(at.byte);
        while number < target
            && let Some(span) = self.index.block(block_number)
        {
            if !go_on((number - start) as f32 / steps as f32) {
                return Ok(None);
            }
            self.pass(span, &mut |index, file, hear, s| {
                let place = Place { file, byte: s.byte, line: s.line, part: s.part };
                if place >= to {
                    return None;
                }
                if s.number < number {
                    return Some(false);
                }
                if s.number.is_multiple_of(STEP) && index.wants_vessel(s.number) {
                    index.keep_vessel(s.number, place, &vessel);
                }
                hear(s.bytes, s.moment, &mut vessel);
                number = s.number + 1;
                Some(true)
            })?;
            match self.index.growing(block_number, Way::Forward, sentences) {
                Some(next) => block_number = next,
                None => break,
            }
        }
        Ok(Some(vessel))
    }

    /// Makes the checkpoints that are missing, in the background. `false`: `go_on` said no.
    ///
    /// # Errors
    /// See [`Log::ahead`].
    pub fn checkpoint(&mut self, go_on: &mut dyn FnMut(f32) -> bool) -> io::Result<bool> {
        loop {
            let missing = self.index.checkpoints().missing();
            let all = self.index.sentences();
            if missing >= all {
                return Ok(true);
            }
            if !go_on(missing as f32 / all as f32) {
                return Ok(false);
            }
            let Some(entry) = self.at_sentence(missing)? else { return Ok(true) };
            let Some(vessel) = self.vessel(entry.place, go_on)? else { return Ok(false) };
            self.index.keep_vessel(entry.number, entry.place, &vessel);
        }
    }

    /// Takes the sentences of a block past `each`, which says whether it heard one; `None`: enough.
    fn pass(
        &mut self,
        span: Span,
        each: &mut dyn FnMut(&Index, u16, Hear, block::Passing<'_>) -> Option<bool>,
    ) -> io::Result<()> {
        let timed = span.times.is_some() && self.set_clocks(span.number)?;
        let data = self.read(span)?;
        let timeline = self.timeline.as_mut().filter(|_| timed).map(|(timeline, _)| timeline);
        let (index, file, hear, decoded) = (&self.index, self.file, self.hear, &mut self.decoded);
        block::sentences(index, span, &data, &mut self.lines, timeline, &mut |s| match each(index, file, hear, s) {
            Some(heard) => {
                *decoded += u64::from(heard);
                true
            }
            None => false,
        });
        if timed {
            self.passed(span.number + 1);
        }
        Ok(())
    }

    /// Sentences before a place.
    fn sentences_before(&mut self, place: Place) -> io::Result<u64> {
        let from = from_here(place, self.file);
        let number = self.index.block_of_byte(place.byte);
        let Some(block) = self.load(number)? else { return Ok(0) };
        let row = block.rows.iter().find(|row| self.place(row) >= from);
        Ok(row.map_or(block.span.end.sums.sentences, |row| row.number))
    }

    pub(super) fn place(&self, row: &RawRow) -> Place {
        Place { file: self.file, byte: row.byte, line: row.line, part: row.part }
    }

    /// The number of this log among several.
    pub(super) fn file(&self) -> u16 {
        self.file
    }

    fn entry(&self, block: &Loaded, row: &RawRow) -> Option<Entry> {
        if !row.class.is_sentence() {
            return None;
        }
        let (from, to) = (row.tags.0 as usize, row.tags.1 as usize);
        Some(Entry {
            place: self.place(row),
            number: row.number,
            offset: row.offset?,
            utc: row.utc,
            class: row.class,
            bytes: row.text.clone(),
            tags: if to > from { block.data.slice(from..to) } else { Bytes::new() },
        })
    }

    /// A block, from the cache or read again; `None` behind the last one that can be read.
    pub(super) fn load(&mut self, number: usize) -> io::Result<Option<Arc<Loaded>>> {
        let Some(span) = self.index.block(number) else { return Ok(None) };
        if let Some(i) = self.cache.iter().position(|b| b.span == span) {
            let block = self.cache.remove(i);
            self.cache.push(block.clone());
            return Ok(Some(block));
        }
        let timed = span.times.is_some() && self.set_clocks(number)?;
        let data = self.read(span)?;
        let timeline = self.timeline.as_mut().filter(|_| timed).map(|(timeline, _)| timeline);
        let rows = block::rows(&self.index, span, &data, &mut self.lines, timeline);
        if timed {
            self.passed(number + 1);
        }
        let block = Arc::new(Loaded { span, data, rows });
        self.cache.retain(|b| b.span.number != number);
        self.cache.push(block.clone());
        while self.cache.len() > CACHED
            || (self.cache.len() > 1 && self.cache.iter().map(|b| b.rows.len()).sum::<usize>() > CACHED_ROWS)
        {
            self.cache.remove(0);
        }
        Ok(Some(block))
    }

    /// The text of a block, from the cache or read again.
    pub(super) fn text(&mut self, span: Span) -> io::Result<Bytes> {
        match self.cache.iter().find(|b| b.span == span) {
            Some(block) => Ok(block.data.clone()),
            None => self.read(span),
        }
    }

    fn read(&mut self, span: Span) -> io::Result<Bytes> {
        self.loaded += 1;
        self.lines.set_dialect(self.index.dialect());
        block::read(&self.index, span)
    }

    /// Brings the timeline to where a block begins: from a state in the index, or one that was passed. `false`: there is no
    /// timeline, sentences follow at a fixed interval.
    fn set_clocks(&mut self, number: usize) -> io::Result<bool> {
        let Some((kind, names)) = self.index.timeline() else { return Ok(false) };
        if !self.timeline.as_ref().is_some_and(|(t, n)| Arc::ptr_eq(n, &names) && t.kind() == kind) {
            let timeline = resume(kind, &self.index, &names);
            if self.timeline.as_ref().is_some_and(|(t, _)| t.kind() != kind) {
                self.passed.clear();
            }
            self.timeline = Some((timeline, names));
        }
        let known = self.passed.iter().filter(|(n, _)| *n <= number).max_by_key(|(n, _)| *n);
        let (mut at, clocks) = match known {
            Some((n, clocks)) if *n == number => (*n, clocks.clone()),
            known => {
                let stored = self.index.clocks(number);
                match known {
                    Some((n, clocks)) if *n > stored.0 => (*n, clocks.clone()),
                    _ => stored,
                }
            }
        };
        if let Some((timeline, _)) = &mut self.timeline {
            timeline.clocks = clocks;
        }
        while at < number {
            let Some(span) = self.index.block(at) else { break };
            let data = self.read(span)?;
            if let Some((timeline, _)) = &mut self.timeline {
                block::skip(span, &data, &mut self.lines, timeline);
            }
            at += 1;
            self.passed(at);
        }
        Ok(true)
    }

    /// Remembers the state of the clocks before a block.
    fn passed(&mut self, number: usize) {
        let Some((timeline, _)) = &self.timeline else { return };
        if self.passed.iter().any(|(n, _)| *n == number) {
            return;
        }
        if self.passed.len() == PASSED {
            self.passed.remove(0);
        }
        self.passed.push((number, timeline.clocks.clone()));
    }
}

fn resume(kind: Kind, index: &Index, names: &Names) -> Timeline {
    Timeline::resume(kind, index.options().gap, Clocks::default(), names.clone())
}

/// A place as this log counts: whatever file it was said to be in.
pub(super) fn from_here(place: Place, file: u16) -> Place {
    Place { file, ..place }
}

/// Sentences before and behind a block.
fn sentences(span: &Span) -> (u64, u64) {
    (span.start.sums.sentences, span.end.sums.sentences)
}

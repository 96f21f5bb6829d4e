//! Looking for rows: a window of a list, the next bad line, a pattern. By place, never by row number, so that a filter costs
//! nothing up front.

use std::io;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::Way;
use super::block::{Loaded, RawRow};
use super::index::Span;
use super::pattern::Pattern;
use super::piece::{address, given_and_computed};
use super::reader::{Log, from_here};
use crate::core::filter::Filter;
use crate::core::frame::{Class, Place};
use crate::core::time::{Offset, Utc};
use crate::core::visible;

/// A row of a list of a log: a piece, or a line without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where it stands.
    pub place: Place,
    /// Sentences before it.
    pub number: u64,
    /// Nanoseconds since the first sentence; `None` before it is certain how the log is timed.
    pub offset: Option<Offset>,
    /// What the log's own clock showed.
    pub utc: Option<Utc>,
    /// What it is.
    pub class: Class,
    /// What it says: the piece, or the whole line.
    pub text: Bytes,
    /// Why it is skipped, or what is odd about it.
    pub why: Option<String>,
    /// Sent, but odd.
    pub warning: bool,
    /// It came so much later than the sentence before that this counts as a gap.
    pub gap: Option<Offset>,
    /// The clock jumped by so much here: a break, nanoseconds.
    pub jump: Option<i64>,
}

/// Which rows are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Show {
    /// Types of sentences; an empty filter shows all.
    pub types: Filter,
    /// Only lines in which this is found.
    pub pattern: Option<Pattern>,
    /// Only some classes.
    pub only: Only,
    /// Types of sentences (talker and formatter) that are not shown.
    pub hidden: Vec<Box<[u8]>>,
}

/// Classes that are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Only {
    /// The file: comments and blank lines too.
    #[default]
    All,
    /// What is sent.
    Sentences,
    /// What is skipped.
    Bad,
    /// What is odd.
    Warnings,
}

/// Something to jump to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unusual {
    /// A skipped piece.
    Bad,
    /// A wrong TAG checksum, a sentence over 82 characters.
    Warning,
    /// The sentence behind a gap.
    Gap,
    /// A jump of a clock.
    Break,
    /// One of the last two.
    GapOrBreak,
}

impl Log {
    /// Up to `n` rows at or after a place, in order; or before it, nearest first. `go_on` hears how much of the way is done
    /// and may end the search: then what was found so far is returned.
    ///
    /// # Errors
    /// The log cannot be read, or has become shorter.
    pub fn rows(
        &mut self,
        from: Place,
        way: Way,
        n: usize,
        show: &Show,
        go_on: &mut dyn FnMut(f32) -> bool,
    ) -> io::Result<Vec<Row>> {
        let may = Prefilter::new(self, show);
        self.collect(from, way, n, &|span| may.fits(span), go_on, &|log, block, row| log.shows(show, block, row))
    }

    /// The next (previous) row in whose line a pattern is found.
    ///
    /// # Errors
    /// See [`Log::rows`].
    pub fn find(
        &mut self,
        what: &Pattern,
        from: Place,
        way: Way,
        go_on: &mut dyn FnMut(f32) -> bool,
    ) -> io::Result<Option<Place>> {
        let show = Show { pattern: Some(what.clone()), ..Show::default() };
        Ok(self.rows(from, way, 1, &show, go_on)?.pop().map(|row| row.place))
    }

    /// The next (previous) unusual row: a binary search in the sums, then one block.
    ///
    /// # Errors
    /// See [`Log::rows`].
    pub fn next(
        &mut self,
        what: Unusual,
        from: Place,
        way: Way,
        go_on: &mut dyn FnMut(f32) -> bool,
    ) -> io::Result<Option<Row>> {
        let gap = self.index().options().gap;
        let is_gap = move |row: &RawRow| row.grew > gap;
        let holds = move |row: &RawRow| match what {
            Unusual::Bad => row.class.is_skip(),
            Unusual::Warning => row.is_warning(),
            Unusual::Gap => is_gap(row),
            Unusual::Break => row.jump.is_some(),
            Unusual::GapOrBreak => is_gap(row) || row.jump.is_some(),
        };
        let sum = |span: &Span| {
            let (a, b) = span.times.unwrap_or_default();
            match what {
                Unusual::Bad => (span.start.sums.skipped, span.end.sums.skipped),
                Unusual::Warning => (span.start.sums.warnings, span.end.sums.warnings),
                Unusual::Gap => (a.gaps, b.gaps),
                Unusual::Break => (a.breaks, b.breaks),
                Unusual::GapOrBreak => (a.gaps + a.breaks, b.gaps + b.breaks),
            }
        };
        let start = self.index.block_of_byte(from.byte);
        let grows = |span: &Span| sum(span).0 != sum(span).1;
        let here = |log: &mut Log, number: usize, go_on: &mut dyn FnMut(f32) -> bool| {
            let one = |span: &Span| span.number == number && grows(span);
            log.collect(from, way, 1, &one, go_on, &|_, _, row| holds(row))
        };
        if let Some(row) = here(self, start, go_on)?.pop() {
            return Ok(Some(row));
        }
        match self.index.growing(start, way, sum) {
            Some(number) => Ok(here(self, number, go_on)?.pop()),
            None => Ok(None),
        }
    }

    /// The last sentence of a type before a place, among those that are shown. `number` counts as [`super::Index::types`] does; of
    /// types from the 64th on nothing is said, for the index does not tell them apart.
    ///
    /// # Errors
    /// See [`Log::rows`].
    pub fn last_of(
        &mut self,
        number: usize,
        before: Place,
        show: &Show,
        go_on: &mut dyn FnMut(f32) -> bool,
    ) -> io::Result<Option<Row>> {
        let types = self.index().types();
        let Some(name) = types.get(number).filter(|_| number < 63) else { return Ok(None) };
        let may = |span: &Span| span.start.types & (1 << number) != 0;
        let holds = |log: &Log, block: &Loaded, row: &RawRow| {
            row.class.is_sentence() && *address(&row.text) == **name && log.shows(show, block, row)
        };
        Ok(self.collect(before, Way::Back, 1, &may, go_on, &holds)?.pop())
    }

    /// Rows that pass, block by block of those that may hold one.
    fn collect(
        &mut self,
        from: Place,
        way: Way,
        n: usize,
        may: &dyn Fn(&Span) -> bool,
        go_on: &mut dyn FnMut(f32) -> bool,
        passes: &dyn Fn(&Log, &Loaded, &RawRow) -> bool,
    ) -> io::Result<Vec<Row>> {
        let from = from_here(from, self.file());
        let first = self.index.block_of_byte(from.byte);
        let mut found = Vec::new();
        let mut next = self.index.search(first, way, may);
        while found.len() < n
            && let Some(number) = next
        {
            let blocks = self.index.blocks();
            let (done, all) = match way {
                Way::Forward => (number - first, blocks.saturating_sub(first)),
                Way::Back => (first - number, first + 1),
            };
            if !go_on(done as f32 / all.max(1) as f32) {
                break;
            }
            let Some(block) = self.load(number)? else { break };
            let room = n - found.len();
            let row = |row: &RawRow| passes(self, &block, row).then(|| self.row(row));
            match way {
                Way::Forward => {
                    let rows = block.rows.iter().skip_while(|row| self.place(row) < from);
                    found.extend(rows.filter_map(row).take(room));
                    next = self.index.search(number + 1, way, may);
                }
                Way::Back => {
                    let rows = block.rows.iter().rev().skip_while(|row| self.place(row) >= from);
                    found.extend(rows.filter_map(row).take(room));
                    next = number.checked_sub(1).and_then(|number| self.index.search(number, way, may));
                }
            }
        }
        Ok(found)
    }

    pub(super) fn shows(&self, show: &Show, block: &Loaded, row: &RawRow) -> bool {
        let class = match show.only {
            Only::All => true,
            Only::Sentences => row.class.is_sentence(),
            Only::Bad => row.class.is_skip(),
            Only::Warnings => row.is_warning(),
        };
        let kind = || show.types.is_empty() || (!address(&row.text).is_empty() && show.types.passes(&row.text, false));
        let hidden = || row.class.is_sentence() && show.hidden.iter().any(|h| **h == *address(&row.text));
        class
            && kind()
            && (show.hidden.is_empty() || !hidden())
            && show.pattern.as_ref().is_none_or(|pattern| pattern.finds(block.line(row)))
    }

    fn row(&self, row: &RawRow) -> Row {
        let gap = self.index().options().gap;
        Row {
            place: self.place(row),
            number: row.number,
            offset: row.offset,
            utc: row.utc,
            class: row.class,
            text: row.text.clone(),
            why: why(row),
            warning: row.is_warning(),
            gap: (row.grew > gap).then_some(row.grew),
            jump: row.jump,
        }
    }
}

/// Why a row is skipped, or what is odd about it.
fn why(row: &RawRow) -> Option<String> {
    if row.class == Class::BadChecksum {
        let (given, computed) = given_and_computed(&row.text);
        let given = if given.is_empty() { "none".to_owned() } else { visible::text(&given) };
        return Some(format!("bad checksum: given {given}, computed {computed:02X}"));
    }
    if row.class.is_skip() {
        return Some(row.class.words().to_owned());
    }
    match (row.bad_tag, row.long) {
        (true, true) => Some("wrong TAG checksum, over 82 characters".to_owned()),
        (true, false) => Some("wrong TAG checksum".to_owned()),
        (false, true) => Some("over 82 characters".to_owned()),
        (false, false) => None,
    }
}

/// Which blocks may hold a row that is shown, by the index alone.
struct Prefilter {
    types: Option<u64>,
    only: Only,
}

impl Prefilter {
    fn new(log: &Log, show: &Show) -> Prefilter {
        let types = (!show.types.is_empty()).then(|| {
            let mut bits = 0;
            for (n, name) in log.index().types().iter().enumerate() {
                let passes = |delimiter: u8| show.types.passes(&[&[delimiter], &**name, b","].concat(), false);
                if n >= 63 || passes(b'$') || passes(b'!') {
                    bits |= 1 << n.min(63);
                }
            }
            bits
        });
        Prefilter { types, only: show.only }
    }

    fn fits(&self, span: &Span) -> bool {
        let (a, b) = (span.start.sums, span.end.sums);
        let class = match self.only {
            Only::All => true,
            Only::Sentences => b.sentences > a.sentences,
            Only::Bad => b.skipped > a.skipped,
            Only::Warnings => b.warnings > a.warnings,
        };
        // What is skipped has no bit.
        class && self.types.is_none_or(|bits| span.start.types & bits != 0 || b.skipped > a.skipped)
    }
}

//! Counting rows: how many of a block are shown, and in how many of these a pattern is found. Block by block, so that
//! whoever counts can show how far it is, and knows later how many stand before a place.

use std::io;
use std::ops::AddAssign;

use super::Log;
use super::index::Span;
use super::pattern::Pattern;
use super::search::{Only, Show};
use crate::core::frame::Place;

/// Rows that were counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Shown.
    pub shown: u64,
    /// Shown, and the pattern is found in their line.
    pub found: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.shown += other.shown;
        self.found += other.found;
    }
}

impl Log {
    /// Counts the rows of a block that stand before a place, and whether the row at that place is one of them. `None`:
    /// there is no such block, or it is not yet indexed to its end.
    ///
    /// # Errors
    /// The log cannot be read, or has become shorter.
    pub fn count(
        &mut self,
        block: usize,
        before: Place,
        show: &Show,
        find: Option<&Pattern>,
    ) -> io::Result<Option<(Tally, Tally)>> {
        let Some(span) = self.index().block(block) else { return Ok(None) };
        let mut tally = (Tally::default(), Tally::default());
        if self.has_none(span, show, find)? {
            return Ok(Some(tally));
        }
        let Some(block) = self.load(block)? else { return Ok(None) };
        for row in &block.rows {
            let place = self.place(row);
            if place > before {
                break;
            }
            if !self.shows(show, &block, row) {
                continue;
            }
            let found = find.is_some_and(|pattern| pattern.finds(block.line(row)));
            let one = Tally { shown: 1, found: u64::from(found) };
            if place == before { tally.1 += one } else { tally.0 += one }
        }
        Ok(Some(tally))
    }

    /// By the text of the block alone: a pattern that is nowhere in it is in none of its lines, which need not be taken
    /// apart then.
    fn has_none(&mut self, span: Span, show: &Show, find: Option<&Pattern>) -> io::Result<bool> {
        // What is shown without a pattern is counted too.
        let everything = show.types.is_empty() && show.hidden.is_empty() && show.only == Only::All;
        let pattern = match (&show.pattern, find) {
            (Some(pattern), _) => pattern,
            (None, Some(pattern)) if everything => pattern,
            _ => return Ok(false),
        };
        if !pattern.is_of_lines() {
            return Ok(false);
        }
        let data = self.text(span)?;
        Ok(!pattern.finds(&data))
    }

    /// The block in which a place lies.
    pub fn block_of(&self, place: Place) -> usize {
        self.index().block_of_byte(place.byte)
    }
}

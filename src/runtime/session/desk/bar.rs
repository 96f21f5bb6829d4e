//! The timeline of logs in a few cells: how full, and where something is wrong.
//!
//! From the sums of the index; a block that spreads over more than one cell is read, so that a gap of hours stands as a gap.

use std::io;

use super::{Pages, after};
use crate::core::frame::Place;
use crate::core::log::index::Span;
use crate::core::log::{Log, Way, search::Show};
use crate::core::time::Offset;
use crate::runtime::session::snapshot::BarCell;

/// Rows that are read at once.
const ROWS: usize = 4096;

/// A timeline being counted.
struct Bar {
    cells: Vec<BarCell>,
    counts: Vec<u64>,
    /// Length of the timeline; of all sentences where no time passes.
    whole: f64,
    by_time: bool,
}

impl Bar {
    fn cell(&self, at: f64) -> usize {
        ((at / self.whole * self.cells.len() as f64) as usize).min(self.cells.len() - 1)
    }

    /// A block within one cell.
    fn add(&mut self, cell: usize, span: &Span) {
        let (before, behind) = (span.start.sums, span.end.sums);
        self.counts[cell] += behind.sentences - before.sentences;
        self.cells[cell].bad |= behind.skipped > before.skipped;
        if let Some((before, behind)) = span.times {
            self.cells[cell].gap |= behind.gaps > before.gaps;
            self.cells[cell].broken |= behind.breaks > before.breaks;
        }
    }

    /// The rows of a block, each where it belongs. A gap fills all cells in which nothing was said.
    fn read(&mut self, log: &mut Log, mut from: Place, end: u64, base: Offset, before: u64) -> io::Result<()> {
        loop {
            let rows = log.rows(from, Way::Forward, ROWS, &Show::default(), &mut |_| true)?;
            for row in rows.iter().take_while(|row| row.place.byte < end) {
                let offset = row.offset.unwrap_or_default();
                let at = if self.by_time { base.saturating_add(offset) as f64 } else { (before + row.number) as f64 };
                let cell = self.cell(at);
                self.counts[cell] += u64::from(row.class.is_sentence());
                self.cells[cell].bad |= row.class.is_skip();
                self.cells[cell].broken |= row.jump.is_some();
                if let Some(gap) = row.gap.filter(|_| self.by_time) {
                    let since = self.cell(base.saturating_add(offset - gap) as f64);
                    // Both ends belong to what was said there; a gap within them still counts.
                    let silent = if cell > since + 1 { since + 1..cell } else { cell..cell + 1 };
                    self.cells[silent].iter_mut().for_each(|c| c.gap = true);
                }
            }
            match rows.last() {
                Some(last) if rows.len() == ROWS && last.place.byte < end => from = after(last.place),
                _ => return Ok(()),
            }
        }
    }
}

/// The timeline in so many cells, by offset where it has a length, else by sentence.
pub(super) fn cells(pages: &mut Pages, cells: usize) -> io::Result<Vec<BarCell>> {
    if cells == 0 {
        return Ok(Vec::new());
    }
    let by_time = pages.duration() > 0;
    let whole = if by_time { pages.duration() as f64 } else { pages.sentences().max(1) as f64 };
    let mut bar = Bar { cells: vec![BarCell::default(); cells], counts: vec![0; cells], whole, by_time };
    let mut before = 0;
    for (file, (log, base)) in (0..).zip(pages.logs_mut()) {
        let index = log.index().clone();
        for span in (0..index.blocks()).filter_map(|n| index.block(n)) {
            let (from, to) = match span.times {
                Some((a, b)) if by_time => (base.saturating_add(a.offset) as f64, base.saturating_add(b.offset) as f64),
                _ => ((before + span.start.sums.sentences) as f64, (before + span.end.sums.sentences) as f64),
            };
            let (first, last) = (bar.cell(from), bar.cell(to));
            if first == last {
                bar.add(first, &span);
            } else {
                let from = Place { file, byte: span.start.byte, line: 0, part: 0 };
                bar.read(log, from, span.end.byte, base, before)?;
            }
        }
        before += index.sentences();
    }
    let most = bar.counts.iter().copied().max().unwrap_or(0).max(1);
    for (cell, count) in bar.cells.iter_mut().zip(bar.counts) {
        cell.density = (count * 8).div_ceil(most) as u8;
    }
    Ok(bar.cells)
}

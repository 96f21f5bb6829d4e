//! The timeline of logs in a few cells: how full, and where something is wrong.

use super::Pages;
use crate::runtime::session::snapshot::BarCell;

/// The timeline in so many cells, by offset where it has a length, else by sentence.
pub(super) fn cells(pages: &Pages, cells: usize) -> Vec<BarCell> {
    let mut bar = vec![BarCell::default(); cells];
    let mut counts = vec![0_u64; cells];
    if cells == 0 {
        return bar;
    }
    let whole = pages.duration().max(1) as f64;
    let sentences = pages.sentences().max(1) as f64;
    let by_time = pages.duration() > 0;
    let mut before = 0;
    for (log, base) in pages.logs() {
        let index = log.index();
        for span in (0..index.blocks()).filter_map(|n| index.block(n)) {
            let said = span.end.sums.sentences - span.start.sums.sentences;
            let (a, b) = span.times.unwrap_or_default();
            let (from, to) = if by_time {
                ((base + a.offset) as f64 / whole, (base + b.offset) as f64 / whole)
            } else {
                let from = (before + span.start.sums.sentences) as f64;
                (from / sentences, (from + said as f64) / sentences)
            };
            let place = |x: f64| ((x * cells as f64) as usize).min(cells - 1);
            let (first, last) = (place(from), place(to).max(place(from)));
            for cell in first..=last {
                counts[cell] += said.div_ceil((last - first + 1) as u64);
                bar[cell].bad |= span.end.sums.skipped > span.start.sums.skipped && cell == first;
            }
            bar[last].gap |= b.gaps > a.gaps;
            bar[last].broken |= b.breaks > a.breaks;
        }
        before += index.sentences();
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    for (cell, count) in bar.iter_mut().zip(counts) {
        cell.density = (count * 8).div_ceil(most) as u8;
    }
    bar
}

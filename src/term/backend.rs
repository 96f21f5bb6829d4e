//! From one finished frame to the fewest bytes that turn the screen into it.
//!
//! Views draw into a plain `ratatui` buffer; a [`Screen`] remembers what the terminal shows, compares, and appends one
//! frame's bytes to a buffer. Nothing changed: nothing appended. Must not write anywhere, nor read a clock.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use super::capabilities::Capabilities;
use super::cells::{Cell, DEFAULT, Pen, Reduce, is_wide};
use super::encode::{self, At, SYNC_BEGIN, SYNC_END};
use crate::ui::glyphs::GlyphSet;

/// A finished picture.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The whole screen.
    pub buffer: Buffer,
    /// Where the cursor is shown; nowhere if `None`.
    pub cursor: Option<Position>,
    /// Rows of a list as wide as the screen that may have scrolled. A hint: a wrong one costs bytes, never truth.
    pub list: Option<Range<u16>>,
}

/// What the terminal shows, and how to change it.
#[derive(Debug)]
pub struct Screen {
    reduce: Reduce,
    scroll_region: bool,
    synchronized: bool,
    erases_in_colour: bool,
    width: u16,
    height: u16,
    /// What the terminal shows.
    shown: Vec<Cell>,
    /// What it shall show.
    next: Vec<Cell>,
    /// `shown` is true. Otherwise the next frame begins with an empty screen.
    known: bool,
    pen: Option<Pen>,
    at: Option<At>,
    cursor: Option<At>,
    changed: Vec<bool>,
    body: Vec<u8>,
}

impl Screen {
    /// A screen of which nothing is known yet.
    pub fn new(capabilities: &Capabilities) -> Self {
        Self {
            reduce: Reduce { depth: capabilities.depth, unicode: capabilities.glyphs != GlyphSet::Ascii },
            scroll_region: capabilities.scroll_region,
            synchronized: capabilities.synchronized,
            erases_in_colour: capabilities.erases_in_colour,
            width: 0,
            height: 0,
            shown: Vec::new(),
            next: Vec::new(),
            known: false,
            pen: None,
            at: None,
            cursor: None,
            changed: Vec::new(),
            body: Vec::new(),
        }
    }

    /// Forgets what the terminal shows: the next frame is drawn whole, after clearing.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Appends the bytes that turn the screen into `frame`. Appends nothing if it looks like that already.
    pub fn draw(&mut self, frame: &Frame, out: &mut Vec<u8>) {
        let area = frame.buffer.area;
        self.reduce.buffer(&frame.buffer, &mut self.next);
        self.body.clear();
        if !self.known || (area.width, area.height) != (self.width, self.height) {
            (self.width, self.height) = (area.width, area.height);
            self.clear();
        }
        if self.width > 0 && self.height > 0 {
            if let Some(list) = &frame.list
                && self.scroll_region
            {
                self.scroll(list.start.min(self.height), list.end.min(self.height));
            }
            for row in 0..self.height {
                self.row(row);
            }
            self.place_cursor(frame.cursor);
        }
        if self.body.is_empty() {
            return;
        }
        if self.synchronized {
            out.extend_from_slice(SYNC_BEGIN);
            out.append(&mut self.body);
            out.extend_from_slice(SYNC_END);
        } else {
            out.append(&mut self.body);
        }
    }

    /// Everything as after entering the screen, and empty. A state left behind by others is set right on the way.
    fn clear(&mut self) {
        self.body.extend_from_slice(b"\x1b[?25l\x1b[?7l\x1b[r\x1b[m\x1b[2J");
        self.shown.clear();
        self.shown.resize(self.next.len(), Cell::BLANK);
        self.known = true;
        self.pen = Some(Pen::PLAIN);
        self.at = None;
        self.cursor = None;
    }

    fn place_cursor(&mut self, wanted: Option<Position>) {
        let wanted = wanted.map(|p| At { row: p.y.min(self.height - 1), col: p.x.min(self.width - 1) });
        match wanted {
            Some(at) => {
                self.go(at);
                if self.cursor.is_none() {
                    self.body.extend_from_slice(b"\x1b[?25h");
                }
            }
            None if self.cursor.is_some() => self.body.extend_from_slice(b"\x1b[?25l"),
            None => {}
        }
        self.cursor = wanted;
    }

    fn go(&mut self, to: At) {
        encode::go(&mut self.body, self.at, to);
        self.at = Some(to);
    }

    fn paint(&mut self, pen: Pen) {
        encode::pen(&mut self.body, self.pen, pen);
        self.pen = Some(pen);
    }

    fn bounds(&self, row: u16) -> Range<usize> {
        let width = usize::from(self.width);
        let start = usize::from(row) * width;
        start..start + width
    }

    /// Writes what differs in one row.
    fn row(&mut self, row: u16) {
        let bounds = self.bounds(row);
        if self.next[bounds.clone()] == self.shown[bounds.clone()] {
            return;
        }
        self.compare(bounds.clone());
        let (end, erase) = self.erasable(bounds.clone());
        let mut x = 0;
        while x < end {
            if !self.changed[x] {
                x += 1;
                continue;
            }
            self.go(At { row, col: column(x) });
            x = self.run(bounds.start, x, end);
            self.at = (x < usize::from(self.width)).then_some(At { row, col: column(x) });
        }
        if erase {
            self.go(At { row, col: column(end) });
            self.paint(Pen { bg: self.next[bounds.start + end].pen.bg, ..Pen::PLAIN });
            encode::erase_to_end(&mut self.body);
        }
        self.shown[bounds.clone()].copy_from_slice(&self.next[bounds]);
    }

    /// Marks the cells of a row that must be written. The two halves of a wide character, old or new, go together.
    fn compare(&mut self, bounds: Range<usize>) {
        let (old, new) = (&self.shown[bounds.clone()], &self.next[bounds]);
        self.changed.clear();
        self.changed.extend(old.iter().zip(new).map(|(a, b)| a != b));
        loop {
            let mut again = false;
            for x in 1..old.len() {
                let paired = old[x].ch == Cell::TAIL || new[x].ch == Cell::TAIL;
                if paired && self.changed[x] != self.changed[x - 1] {
                    (self.changed[x - 1], self.changed[x]) = (true, true);
                    again = true;
                }
            }
            if !again {
                return;
            }
        }
    }

    /// Where the part of a row begins that is better erased than written, and whether there is one.
    fn erasable(&self, bounds: Range<usize>) -> (usize, bool) {
        let new = &self.next[bounds];
        let whole = (new.len(), false);
        let Some(last) = new.last().filter(|c| c.is_blank()) else { return whole };
        if last.pen.bg != DEFAULT && !self.erases_in_colour {
            return whole;
        }
        let tail = new.iter().rposition(|c| c != last).map_or(0, |x| x + 1);
        let in_tail = &self.changed[tail..];
        match (in_tail.iter().position(|c| *c), in_tail.iter().rposition(|c| *c)) {
            (Some(first), Some(last)) if last - first >= 3 => (tail + first, true),
            _ => whole,
        }
    }

    /// Writes the changed cells from `x` on, and short unchanged stretches where that is cheaper than moving over them.
    /// Returns the column after the last one.
    fn run(&mut self, start: usize, mut x: usize, end: usize) -> usize {
        while x < end {
            if !self.changed[x] {
                let gap = self.changed[x..end].iter().position(|c| *c);
                let Some(gap) = gap else { return x };
                let between = &self.next[start + x..start + x + gap];
                let pen = self.pen.unwrap_or(Pen::PLAIN);
                let simple = between.iter().all(|c| c.looks_same_in(pen) && !is_wide(c.ch) && c.ch != Cell::TAIL);
                let cost: usize = between.iter().map(|c| c.ch.len_utf8()).sum();
                if !simple || cost > encode::right_len(column(gap)) {
                    return x;
                }
                self.changed[x..x + gap].fill(true);
            }
            let cell = self.next[start + x];
            if !self.pen.is_some_and(|pen| cell.looks_same_in(pen)) {
                self.paint(cell.pen);
            }
            let mut bytes = [0; 4];
            self.body.extend_from_slice(cell.ch.encode_utf8(&mut bytes).as_bytes());
            x += if is_wide(cell.ch) { 2 } else { 1 };
        }
        x
    }

    /// Scrolls the rows `top..bottom` if that makes the frame shorter.
    fn scroll(&mut self, top: u16, bottom: u16) {
        if bottom <= top + 2 {
            return;
        }
        let hashes = |cells: &[Cell], screen: &Self| -> Vec<u64> {
            (top..bottom).map(|row| hash(&cells[screen.bounds(row)])).collect()
        };
        let (old, new) = (hashes(&self.shown, self), hashes(&self.next, self));
        if old == new {
            return;
        }
        let full: Vec<usize> = (top..bottom).map(|row| written(&self.next[self.bounds(row)])).collect();
        let stay: usize = (top..bottom)
            .zip(old.iter().zip(&new))
            .map(|(row, (a, b))| if a == b { 0 } else { self.differing(row) + 4 })
            .sum();
        let rows = old.len();
        // a row that is not found where it would be after the scroll is written whole, at worst
        let cost = |n: usize, up: bool| -> usize {
            let from = |r: usize| if up { r.checked_add(n).filter(|r| *r < rows) } else { r.checked_sub(n) };
            (0..rows).map(|r| if from(r).is_some_and(|f| old[f] == new[r]) { 0 } else { full[r] + 4 }).sum::<usize>()
                + if up { n } else { 2 * n }
                + 14
        };
        let best = (1..rows).flat_map(|n| [(n, true), (n, false)]).min_by_key(|&(n, up)| cost(n, up));
        let Some((n, up)) = best.filter(|&(n, up)| cost(n, up) < stay) else { return };
        self.paint(Pen::PLAIN);
        let lines = i32::try_from(n).unwrap_or(0);
        encode::scroll(&mut self.body, top, bottom, if up { lines } else { -lines });
        self.at = None;
        let moved = n * usize::from(self.width);
        let cells =
            &mut self.shown[usize::from(top) * usize::from(self.width)..usize::from(bottom) * usize::from(self.width)];
        if up {
            cells.rotate_left(moved);
            let kept = cells.len() - moved;
            cells[kept..].fill(Cell::BLANK);
        } else {
            cells.rotate_right(moved);
            cells[..moved].fill(Cell::BLANK);
        }
    }

    fn differing(&self, row: u16) -> usize {
        let bounds = self.bounds(row);
        self.shown[bounds.clone()].iter().zip(&self.next[bounds]).filter(|(a, b)| a != b).count()
    }
}

fn column(x: usize) -> u16 {
    u16::try_from(x).unwrap_or(u16::MAX)
}

fn hash(cells: &[Cell]) -> u64 {
    let mut hasher = DefaultHasher::new();
    cells.hash(&mut hasher);
    hasher.finish()
}

/// Length of a row without the blanks at its end.
fn written(cells: &[Cell]) -> usize {
    cells.iter().rposition(|c| !c.is_blank()).map_or(0, |x| x + 1)
}

#[cfg(test)]
#[path = "backend_tests.rs"]
mod tests;

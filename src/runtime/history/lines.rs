//! The last lines, in blocks that are used again. What sentences of the usual length need is taken when a session begins, all
//! at once: afterwards nothing is allocated, and a program that runs for weeks is as large as it was after a minute.

use std::collections::VecDeque;
use std::ops::Range;

use crate::core::frame::{Class, Origin, Place};
use crate::core::time::{Offset, Utc};

/// Lines that are kept.
pub const KEPT: u64 = 10_000;
/// Bytes that are kept: of lines as long as sentences are, far more than [`KEPT`] have.
const BYTES: usize = 4 << 20;
/// A block is full with so many lines,
const LINES: usize = 256;
/// or so many bytes.
const BLOCK: usize = 16 << 10;
/// So many blocks are there from the start.
const BLOCKS: usize = KEPT as usize / LINES + 2;

/// A line that has passed.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its running number, for good.
    pub n: u64,
    /// Offset in the source's time.
    pub offset: Offset,
    /// UTC of that.
    pub utc: Option<Utc>,
    /// To the line before.
    pub delta: Option<Offset>,
    /// Who said it.
    pub origin: Origin,
    /// Good, or why not.
    pub class: Class,
    /// Where it stands in a log.
    pub place: Option<Place>,
    /// All of it.
    pub bytes: &'a [u8],
    /// The sentence in it.
    pub sentence: (u32, u32),
}

impl<'a> Line<'a> {
    /// The sentence, without what stands around it.
    pub fn text(&self) -> &'a [u8] {
        self.bytes.get(self.sentence.0 as usize..self.sentence.1 as usize).unwrap_or(self.bytes)
    }
}

/// A line of its own: the newest of a kind, which outlives what is kept.
#[derive(Clone, Debug)]
pub struct Single {
    about: Line<'static>,
    bytes: Vec<u8>,
}

impl Single {
    /// A copy of a line.
    pub fn new(line: Line<'_>) -> Single {
        Single { about: Line { bytes: &[], ..line }, bytes: line.bytes.to_vec() }
    }

    /// Another line in its place, in the same memory.
    pub fn replace(&mut self, line: Line<'_>) {
        self.about = Line { bytes: &[], ..line };
        self.bytes.clear();
        self.bytes.extend_from_slice(line.bytes);
    }

    /// The line.
    pub fn line(&self) -> Line<'_> {
        Line { bytes: &self.bytes, ..self.about }
    }
}

/// The lines that are kept, by their numbers.
#[derive(Debug, Default)]
pub struct Lines {
    blocks: VecDeque<Block>,
    /// Empty ones, to be filled.
    spare: Vec<Block>,
    first: u64,
    next: u64,
    bytes: usize,
}

#[derive(Clone, Debug)]
struct Block {
    /// The number of its first line.
    first: u64,
    lines: Vec<Kept>,
    bytes: Vec<u8>,
}

/// A line without its bytes, as small as can be: there are thousands.
#[derive(Clone, Debug)]
struct Kept {
    offset: Offset,
    /// [`NONE`]: unknown.
    utc: Utc,
    /// [`NONE`]: unknown.
    delta: Offset,
    place_byte: u64,
    /// 0: in no log.
    place_line: u64,
    place_file: u16,
    place_part: u16,
    /// Where its bytes end in the block.
    end: u32,
    sentence: (u32, u32),
    origin: Origin,
    class: Class,
}

const NONE: i64 = i64::MIN;

impl Kept {
    fn new(line: &Line<'_>, end: u32) -> Kept {
        // Lines of a log are counted from 1.
        let place = line.place.unwrap_or_default();
        Kept {
            offset: line.offset,
            utc: line.utc.unwrap_or(NONE),
            delta: line.delta.unwrap_or(NONE),
            place_byte: place.byte,
            place_line: place.line,
            place_file: place.file,
            place_part: place.part,
            end,
            sentence: line.sentence,
            origin: line.origin,
            class: line.class,
        }
    }

    fn place(&self) -> Option<Place> {
        let (file, byte, line, part) = (self.place_file, self.place_byte, self.place_line, self.place_part);
        (line != 0).then_some(Place { file, byte, line, part })
    }
}

impl Block {
    /// Empty. Its memory has been written to: what is only reserved is not there yet.
    fn new() -> Block {
        let nothing = Line {
            n: 0,
            offset: 0,
            utc: None,
            delta: None,
            origin: Origin::Source,
            class: Class::Blank,
            place: None,
            bytes: &[],
            sentence: (0, 0),
        };
        let mut block = Block { first: 0, lines: vec![Kept::new(&nothing, 0); LINES], bytes: vec![b'\n'; BLOCK] };
        block.empty();
        block
    }

    fn empty(&mut self) {
        self.lines.clear();
        self.bytes.clear();
        self.bytes.shrink_to(BLOCK);
    }

    fn has_room(&self, bytes: usize) -> bool {
        self.lines.is_empty() || (self.lines.len() < LINES && self.bytes.len() + bytes <= BLOCK)
    }

    fn line(&self, n: u64) -> Option<Line<'_>> {
        let i = usize::try_from(n.checked_sub(self.first)?).ok()?;
        let kept = self.lines.get(i)?;
        let start = i.checked_sub(1).and_then(|before| self.lines.get(before)).map_or(0, |before| before.end);
        Some(Line {
            n,
            offset: kept.offset,
            utc: Some(kept.utc).filter(|utc| *utc != NONE),
            delta: Some(kept.delta).filter(|delta| *delta != NONE),
            origin: kept.origin,
            class: kept.class,
            place: kept.place(),
            bytes: self.bytes.get(start as usize..kept.end as usize)?,
            sentence: kept.sentence,
        })
    }
}

impl Lines {
    /// None yet, and memory for all of them.
    pub fn new() -> Lines {
        let (blocks, spare) = (VecDeque::with_capacity(2 * BLOCKS), (0..BLOCKS).map(|_| Block::new()).collect());
        Lines { blocks, spare, ..Lines::default() }
    }

    /// Keeps none any more; the next gets the next number all the same.
    pub fn clear(&mut self) {
        self.first = self.next;
        while let Some(block) = self.blocks.pop_front() {
            self.put_by(block);
        }
    }

    /// Keeps a line under the next number, which stands in it for now, and lets the oldest go.
    pub fn push(&mut self, line: Line<'_>) {
        if self.blocks.back().is_none_or(|b| !b.has_room(line.bytes.len())) {
            let mut block = self.spare.pop().unwrap_or_else(Block::new);
            block.first = self.next;
            self.blocks.push_back(block);
        }
        if let Some(block) = self.blocks.back_mut() {
            block.bytes.extend_from_slice(line.bytes);
            block.lines.push(Kept::new(&line, block.bytes.len() as u32));
        }
        self.bytes += line.bytes.len();
        self.next += 1;
        self.first = self.first.max(self.next.saturating_sub(KEPT));
        self.let_go();
    }

    /// Blocks go when none of their lines is wanted any more, or when all hold too much; the last one never does.
    fn let_go(&mut self) {
        while self.blocks.len() > 1
            && let Some(front) = self.blocks.front()
            && (front.first + front.lines.len() as u64 <= self.first || self.bytes > BYTES)
            && let Some(gone) = self.blocks.pop_front()
        {
            self.first = self.first.max(gone.first + gone.lines.len() as u64);
            self.put_by(gone);
        }
    }

    fn put_by(&mut self, mut block: Block) {
        self.bytes -= block.bytes.len();
        if self.blocks.len() + self.spare.len() < BLOCKS {
            block.empty();
            self.spare.push(block);
        }
    }

    /// Numbers of the lines that are kept.
    pub fn numbers(&self) -> Range<u64> {
        self.first..self.next
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        (self.next - self.first) as usize
    }

    /// None is.
    pub fn is_empty(&self) -> bool {
        self.first == self.next
    }

    /// The line of this number, while it is kept.
    pub fn get(&self, n: u64) -> Option<Line<'_>> {
        if n < self.first {
            return None;
        }
        let behind = self.blocks.partition_point(|b| b.first <= n);
        self.blocks.get(behind.checked_sub(1)?)?.line(n)
    }

    /// The newest.
    pub fn last(&self) -> Option<Line<'_>> {
        self.get(self.next.checked_sub(1)?)
    }

    /// Those that are kept of these numbers, in order.
    pub fn range(&self, numbers: Range<u64>) -> impl DoubleEndedIterator<Item = Line<'_>> {
        (numbers.start.max(self.first)..numbers.end.min(self.next)).filter_map(|n| self.get(n))
    }

    /// All of them, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Line<'_>> {
        self.range(self.numbers())
    }

    /// The number of the first line that is not before something, of lines in that order.
    pub fn partition_point(&self, before: impl Fn(Line<'_>) -> bool) -> u64 {
        let Range { start: mut low, end: mut high } = self.numbers();
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle).is_some_and(&before) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(offset: Offset, bytes: &[u8]) -> Line<'_> {
        Line {
            n: 0,
            offset,
            utc: Some(offset),
            delta: None,
            origin: Origin::Source,
            class: Class::Sentence,
            place: None,
            bytes,
            sentence: (0, bytes.len() as u32),
        }
    }

    #[test]
    fn the_newest_are_kept_under_their_numbers() {
        let mut lines = Lines { first: 5, next: 5, ..Lines::new() };
        assert!(lines.is_empty() && lines.last().is_none() && lines.get(5).is_none());
        for i in 0..3 * KEPT {
            lines.push(line(i as Offset, i.to_string().as_bytes()));
            // The oldest that is kept, the one before it, and the newest.
            let oldest = (i + 1).saturating_sub(KEPT);
            assert_eq!(lines.numbers(), 5 + oldest..5 + i + 1);
            assert_eq!(lines.get(5 + oldest).unwrap().text(), oldest.to_string().as_bytes());
            assert!(lines.get(4 + oldest).is_none() && lines.get(5 + i + 1).is_none());
            assert_eq!(lines.last().unwrap().offset, i as Offset);
        }
        assert_eq!(lines.len() as u64, KEPT);
        let all: Vec<u64> = lines.iter().map(|l| l.n).collect();
        assert!(all.iter().copied().eq(lines.numbers()));
        assert!(lines.iter().rev().map(|l| l.n).eq(all.iter().rev().copied()));
        assert_eq!(lines.range(0..lines.numbers().start + 2).count(), 2);
        let half = (2 * KEPT + KEPT / 2) as Offset;
        assert_eq!(lines.partition_point(|l| l.offset < half), 5 + half as u64);
        assert_eq!(lines.partition_point(|_| true), lines.numbers().end);
        lines.clear();
        assert!(lines.is_empty() && lines.last().is_none() && lines.get(5).is_none());
        lines.push(line(1, b"$"));
        assert_eq!(lines.numbers(), 5 + 3 * KEPT..6 + 3 * KEPT);
    }

    #[test]
    fn long_lines_push_older_ones_out() {
        let mut lines = Lines::new();
        let long = vec![b'x'; 1 << 20];
        for i in 0..20 {
            lines.push(line(i, b"$GPHDT,1,T*00"));
            lines.push(line(i, &long));
        }
        let held: usize = lines.iter().map(|l| l.bytes.len()).sum();
        assert!(held <= BYTES && held > BYTES / 2, "{held}");
        assert_eq!((lines.last().unwrap().bytes.len(), lines.numbers().end), (1 << 20, 40));
        // One that is too long for all of it is kept all the same.
        let huge = vec![b'y'; BYTES + 1];
        lines.push(line(99, &huge));
        assert_eq!((lines.len(), lines.last().unwrap().bytes.len()), (1, BYTES + 1));
        lines.push(line(100, b"$"));
        assert_eq!(lines.last().unwrap().bytes, b"$");
    }

    #[test]
    fn lines_of_the_usual_length_need_no_more_than_is_there_from_the_start() {
        let mut lines = Lines::new();
        let memory = |lines: &Lines| -> usize {
            let of = |b: &Block| b.bytes.capacity() + b.lines.capacity() * size_of::<Kept>();
            lines.blocks.iter().chain(&lines.spare).map(of).sum()
        };
        let pushed = |lines: &mut Lines, n: u64| {
            for i in 0..n {
                lines.push(line(i as Offset, &[b'x'; 62]));
            }
        };
        let before = memory(&lines);
        assert!(before < 1_400_000, "{before}");
        for _ in 0..10 {
            pushed(&mut lines, KEPT / 2);
            assert_eq!(memory(&lines), before);
        }
        lines.clear();
        assert_eq!((memory(&lines), lines.blocks.len()), (before, 0));
    }

    #[test]
    fn a_line_of_its_own_is_replaced_in_place() {
        let mut single = Single::new(line(1, b"$GPHDT,100.0,T*00"));
        single.replace(Line { n: 7, ..line(2, b"$GPHDT,1,T*00") });
        assert_eq!((single.line().n, single.line().text()), (7, &b"$GPHDT,1,T*00"[..]));
    }
}

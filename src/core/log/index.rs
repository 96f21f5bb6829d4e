//! The sparse index of a log: every 256 lines one entry with position, sums since the start, types and offset, and now and then
//! the state of the clocks. Grows while a log is opened; clones share it.
//!
//! Holds no line and no sentence. At most half a byte a line, vessel checkpoints (which have a budget of their own) apart.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use super::checkpoints::Checkpoints;
use super::clock::Clocks;
use super::column::Column;
use super::line::Dialect;
use super::names::Names;
use super::pass::{Sums, Tally};
use super::read_at::ReadAt;
use super::timeline::{Kind, Tier, Timeline};
use super::{Options, Way};
use crate::core::frame::Place;
use crate::core::time::Offset;
use crate::core::vessel::Vessel;

/// Lines of a block.
pub const BLOCK: u64 = 256;
/// A block ends early when it has so many bytes of text.
pub const BLOCK_BYTES: u64 = 1 << 20;
/// Bytes of clock states that each block pays for.
const STATE_PER_BLOCK: i64 = 44;
/// Credit at the start.
const STATE_CREDIT: i64 = 1024;

/// A sparse index, shared by whoever reads the log.
#[derive(Clone)]
pub struct Index {
    shared: Arc<Shared>,
}

struct Shared {
    read: Arc<dyn ReadAt>,
    options: Options,
    state: RwLock<State>,
    checkpoints: Mutex<Checkpoints>,
}

#[derive(Default)]
struct State {
    blocks: Column<Block>,
    /// Of the timelines that may be the one; of the one, once that is certain.
    times: Vec<Times>,
    dialect: Dialect,
    types: Arc<Vec<Box<[u8]>>>,
    type_counts: Vec<u64>,
    tier: Option<Tier>,
    complete: bool,
    end: Block,
    end_time: TimeSums,
    /// Of the file, when it was read to its end.
    file_len: u64,
}

/// An entry: what is true before its first line, but for the types, which are those in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Offset of its first byte in the text.
    pub byte: u64,
    /// Lines before it.
    pub line: u64,
    /// Sums since the start.
    pub sums: Sums,
    /// Types of sentences in it: a bit each for the first 63 of the log, the last for all others.
    pub types: u64,
}

/// What a timeline says before a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSums {
    /// Of the last sentence before.
    pub offset: Offset,
    /// Gaps so far.
    pub gaps: u64,
    /// Breaks so far.
    pub breaks: u64,
}

/// The entries of one timeline.
struct Times {
    kind: Kind,
    /// Blocks before its first reading: all zero, not stored.
    lead: usize,
    sums: Column<TimeSums>,
    /// Packed states, one behind the other; and of each the block before which it is true, and where it begins.
    states: Vec<u8>,
    places: Vec<(u32, u32)>,
    credit: i64,
    names: Arc<Names>,
}

/// A block as a reader sees it: its entry and the next one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its number.
    pub number: usize,
    /// Before its first line.
    pub start: Block,
    /// Behind its last line.
    pub end: Block,
    /// Times before and behind, once it is certain which count.
    pub times: Option<(TimeSums, TimeSums)>,
}

/// Sums of a log so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sentences, skips, bad checksums, warnings.
    pub sums: Sums,
    /// Gaps and breaks; zero until the timing is certain.
    pub gaps: u64,
    /// See above.
    pub breaks: u64,
}

/// How far a log is opened, and how it is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// By what; [`Tier::None`] until it is certain.
    pub tier: Tier,
    /// Nothing further down the log can change it. Playing waits for that, reading does not.
    pub certain: bool,
    /// Bytes of text that are indexed.
    pub indexed: u64,
    /// Bytes of text, as far as is known.
    pub size: u64,
}

/// What somebody else did to a file that is open: a notice for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Change {
    /// So many bytes more.
    #[error("the log has grown by {0} bytes since it was opened: open it again to see them")]
    Grown(u64),
    /// So many bytes less.
    #[error("the log has become shorter by {0} bytes since it was opened: open it again")]
    Shorter(u64),
    /// It has no name any more.
    #[error("the log has been deleted: it can be read until it is closed")]
    Deleted,
    /// The system says why.
    #[error("the log cannot be read any more: {0}")]
    Unreadable(String),
}

impl Index {
    /// Of a log of which nothing is indexed yet.
    pub fn new(read: Arc<dyn ReadAt>, options: Options) -> Index {
        let shared = Shared { read, options, state: RwLock::default(), checkpoints: Mutex::default() };
        Index { shared: Arc::new(shared) }
    }

    fn state(&self) -> RwLockReadGuard<'_, State> {
        self.shared.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn checkpoints(&self) -> MutexGuard<'_, Checkpoints> {
        self.shared.checkpoints.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text of the log.
    pub fn read(&self) -> &Arc<dyn ReadAt> {
        &self.shared.read
    }

    /// How it is read and timed.
    pub fn options(&self) -> Options {
        self.shared.options
    }

    /// How far it is opened, and how it is timed.
    pub fn timing(&self) -> Timing {
        let state = self.state();
        let indexed = state.end.byte;
        let size = if state.complete { indexed } else { self.shared.read.len().unwrap_or(0).max(indexed) };
        let tier = state.tier.unwrap_or(Tier::None);
        Timing { tier, certain: state.tier.is_some(), indexed, size }
    }

    /// The whole log is indexed.
    pub fn complete(&self) -> bool {
        self.state().complete
    }

    /// What became of the file since it was opened, when somebody else writes to it.
    pub fn changed(&self) -> Option<Change> {
        let (complete, before) = {
            let state = self.state();
            (state.complete, state.file_len)
        };
        if !complete {
            return None;
        }
        match self.shared.read.file_len() {
            Ok(now) if now > before => Some(Change::Grown(now - before)),
            Ok(now) if now < before => Some(Change::Shorter(before - now)),
            Ok(_) => self.shared.read.is_deleted().then_some(Change::Deleted),
            Err(error) => Some(Change::Unreadable(error.to_string())),
        }
    }

    /// Sentences so far.
    pub fn sentences(&self) -> u64 {
        self.state().end.sums.sentences
    }

    /// Lines so far.
    pub fn lines(&self) -> u64 {
        self.state().end.line
    }

    /// Sums so far.
    pub fn counts(&self) -> Counts {
        let state = self.state();
        let time = if state.tier.is_some() { state.end_time } else { TimeSums::default() };
        Counts { sums: state.end.sums, gaps: time.gaps, breaks: time.breaks }
    }

    /// Offset of the last sentence, once the log is opened.
    pub fn duration(&self) -> Option<Offset> {
        let state = self.state();
        state.complete.then(|| match state.tier {
            Some(Tier::FixedInterval) => self.fixed(state.end.sums.sentences.saturating_sub(1)),
            _ => state.end_time.offset,
        })
    }

    /// The offset of the n-th sentence where a log has no times.
    pub(super) fn fixed(&self, sentence: u64) -> Offset {
        i64::try_from(sentence).unwrap_or(i64::MAX).saturating_mul(self.shared.options.interval)
    }

    /// Types of sentences (talker and formatter) in the order of their appearance.
    pub fn types(&self) -> Arc<Vec<Box<[u8]>>> {
        self.state().types.clone()
    }

    /// Sentences so far by type, in the order of [`Index::types`].
    pub fn type_counts(&self) -> Vec<u64> {
        self.state().type_counts.clone()
    }

    /// How its lines are read.
    pub fn dialect(&self) -> Dialect {
        self.state().dialect
    }

    /// Which timeline counts; `None` when it is not certain, or no timeline is needed.
    pub(super) fn timeline(&self) -> Option<(Kind, Arc<Names>)> {
        let state = self.state();
        state.chosen().map(|times| (times.kind, times.names.clone()))
    }

    /// The nearest state of the clocks at or before a block, and the block before which it is true.
    pub(super) fn clocks(&self, block: usize) -> (usize, Clocks) {
        let state = self.state();
        state.chosen().map_or_else(Default::default, |times| times.state(block))
    }

    /// Blocks that can be read.
    pub fn blocks(&self) -> usize {
        self.state().readable()
    }

    /// A block that can be read.
    pub fn block(&self, number: usize) -> Option<Span> {
        let state = self.state();
        (number < state.readable()).then(|| state.span(number))
    }

    /// The block in which a byte of the text lies, or the last one.
    pub(super) fn block_of_byte(&self, byte: u64) -> usize {
        self.last_before(|block, _| block.byte <= byte)
    }

    /// The block in which a line lies (from 1), or the last one.
    pub(super) fn block_of_line(&self, line: u64) -> usize {
        self.last_before(|block, _| block.line < line.max(1))
    }

    /// The block in which the n-th sentence lies (from 0), or the last one.
    pub(super) fn block_of_sentence(&self, sentence: u64) -> usize {
        self.last_before(|block, _| block.sums.sentences <= sentence)
    }

    /// The block in which the first sentence at or after an offset lies, or the last one.
    pub(super) fn block_of_offset(&self, offset: Offset) -> usize {
        self.last_before(|_, time| time.offset < offset)
    }

    /// The last block before which something is (still) true; 0 when it never is.
    fn last_before(&self, holds: impl Fn(&Block, &TimeSums) -> bool) -> usize {
        let state = self.state();
        let n = state.partition(|number| holds(&state.blocks[number], &state.time(number)));
        n.min(state.readable()).saturating_sub(1)
    }

    /// The next block from `number` on in which something holds.
    pub(super) fn search(&self, number: usize, way: Way, holds: impl Fn(&Span) -> bool) -> Option<usize> {
        let state = self.state();
        let readable = state.readable();
        let mut fits = |number: &usize| holds(&state.span(*number));
        match way {
            Way::Forward => (number..readable).find(&mut fits),
            Way::Back => (0..readable.min(number + 1)).rev().find(&mut fits),
        }
    }

    /// The next block behind (before) `number` in which a sum grows: a binary search.
    pub(super) fn growing(&self, number: usize, way: Way, sum: impl Fn(&Span) -> (u64, u64)) -> Option<usize> {
        let state = self.state();
        let readable = state.readable();
        if number >= readable {
            return None;
        }
        let (before, behind) = sum(&state.span(number));
        match way {
            Way::Forward => {
                let n = partition_point(number + 1, readable, |b| sum(&state.span(b)).1 <= behind);
                (n < readable).then_some(n)
            }
            Way::Back => partition_point(0, number, |b| sum(&state.span(b)).0 < before).checked_sub(1),
        }
    }

    /// Bytes that it takes, vessel checkpoints apart.
    pub fn memory(&self) -> usize {
        let state = self.state();
        let times = |t: &Times| t.sums.memory() + t.states.capacity() + t.places.capacity() * size_of::<(u32, u32)>();
        state.blocks.memory() + state.times.iter().map(times).sum::<usize>()
    }

    /// Keeps a vessel as it was before a sentence; what is played leaves checkpoints.
    pub fn keep_vessel(&self, sentence: u64, place: Place, vessel: &Vessel) {
        self.checkpoints().keep(sentence, place, vessel);
    }

    /// Whether a checkpoint before this sentence is wanted.
    pub fn wants_vessel(&self, sentence: u64) -> bool {
        self.checkpoints().wants(sentence)
    }

    // ---- the pass fills it ----

    /// A block begins.
    pub(super) fn begin_block(&self, byte: u64, line: u64, tally: &mut Tally, dialect: Dialect) {
        let types = tally.take_types();
        let mut state = self.shared.state.write().unwrap_or_else(PoisonError::into_inner);
        state.end_block(types, tally, dialect);
        let block = Block { byte, line, sums: tally.sums(), types: 0 };
        let number = state.blocks.len();
        state.times.iter_mut().for_each(|times| times.begin_block(number, tally));
        state.blocks.push(block);
        state.end = block;
    }

    /// The log ends.
    pub(super) fn finish(&self, byte: u64, line: u64, tally: &mut Tally, dialect: Dialect) {
        let types = tally.take_types();
        let mut state = self.shared.state.write().unwrap_or_else(PoisonError::into_inner);
        state.end_block(types, tally, dialect);
        let (tier, chosen) = tally.chosen();
        let kind = chosen.map(Timeline::kind);
        state.times.retain(|times| Some(times.kind) == kind);
        state.times.iter_mut().for_each(Times::shrink);
        state.blocks.shrink();
        state.end_time = chosen.map(TimeSums::of).unwrap_or_default();
        state.end = Block { byte, line, sums: tally.sums(), types: 0 };
        state.tier = Some(tier);
        state.complete = true;
        state.file_len = self.shared.read.file_len().unwrap_or(0);
    }
}

impl TimeSums {
    fn of(timeline: &Timeline) -> TimeSums {
        TimeSums { offset: timeline.clocks.offset, gaps: timeline.gaps, breaks: timeline.breaks }
    }
}

impl State {
    /// What came in since the last block began.
    fn end_block(&mut self, types: u64, tally: &Tally, dialect: Dialect) {
        if let Some(last) = self.blocks.last_mut() {
            last.types = types;
        }
        self.dialect = dialect;
        if self.types.len() < tally.types().len() {
            self.types = Arc::new(tally.types().list().to_vec());
        }
        self.type_counts.clear();
        self.type_counts.extend(tally.type_counts());
        let number = self.blocks.len();
        for timeline in tally.running() {
            if timeline.touched() && !self.times.iter().any(|t| t.kind == timeline.kind()) {
                self.times.push(Times::new(timeline.kind(), number));
            }
        }
        if tally.is_stamped() {
            self.times.retain(|times| times.kind == Kind::Stamps);
            self.tier = Some(Tier::Timestamps);
            self.end_time = tally.running().next().map(TimeSums::of).unwrap_or_default();
        }
        for times in &mut self.times {
            if let Some(timeline) = tally.running().find(|t| t.kind() == times.kind)
                && timeline.names().len() > times.names.len()
            {
                times.names = Arc::new(timeline.names().clone());
            }
        }
    }

    /// The last block can be read once it has ended.
    fn readable(&self) -> usize {
        if self.complete { self.blocks.len() } else { self.blocks.len().saturating_sub(1) }
    }

    fn chosen(&self) -> Option<&Times> {
        self.tier.and_then(|_| self.times.first())
    }

    fn time(&self, number: usize) -> TimeSums {
        self.chosen().map_or_else(TimeSums::default, |times| times.sums(number))
    }

    fn span(&self, number: usize) -> Span {
        let last = number + 1 >= self.blocks.len();
        let start = self.blocks[number];
        let end = if last { self.end } else { self.blocks[number + 1] };
        let times = self.tier.map(|_| {
            let end = if last { self.end_time } else { self.time(number + 1) };
            (self.time(number), end)
        });
        Span { number, start, end, times }
    }

    fn partition(&self, holds: impl Fn(usize) -> bool) -> usize {
        partition_point(0, self.blocks.len(), holds)
    }
}

/// The first number in a range for which something does not hold (it holds up to there, and not behind).
fn partition_point(from: usize, to: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (from, to.max(from));
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

impl Times {
    fn new(kind: Kind, lead: usize) -> Times {
        Times {
            kind,
            lead,
            sums: Column::default(),
            states: Vec::new(),
            places: Vec::new(),
            credit: STATE_CREDIT,
            names: Arc::new(Names::new(0)),
        }
    }

    fn begin_block(&mut self, number: usize, tally: &Tally) {
        let Some(timeline) = tally.running().find(|t| t.kind() == self.kind) else { return };
        self.sums.push(TimeSums::of(timeline));
        self.credit += STATE_PER_BLOCK;
        // As often as the blocks pay for: of a log with few clocks each block, of one with thousands seldom.
        if self.credit < 3 * timeline.clocks.known() as i64 {
            return;
        }
        let packed = timeline.clocks.pack();
        let cost = (packed.len() + size_of::<(u32, u32)>()) as i64;
        if self.credit >= cost
            && let (Ok(number), Ok(place)) = (u32::try_from(number), u32::try_from(self.states.len()))
        {
            self.credit -= cost;
            self.states.extend_from_slice(&packed);
            self.places.push((number, place));
        }
    }

    fn shrink(&mut self) {
        self.sums.shrink();
        self.states.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    fn sums(&self, number: usize) -> TimeSums {
        number.checked_sub(self.lead).and_then(|n| self.sums.get(n)).unwrap_or_default()
    }

    fn state(&self, block: usize) -> (usize, Clocks) {
        let n = self.places.partition_point(|(number, _)| *number as usize <= block);
        match n.checked_sub(1) {
            // No reading before: nothing is known before any of those blocks.
            None => (block.min(self.lead.saturating_sub(1)), Clocks::default()),
            Some(i) => {
                let (number, from) = self.places[i];
                let to = self.places.get(n).map_or(self.states.len(), |(_, to)| *to as usize);
                (number as usize, Clocks::unpack(&self.states[from as usize..to]))
            }
        }
    }
}

//! Opening a log: the one pass over its bytes that fills the index.
//!
//! Runs on a thread of its own while others read what is indexed; can be cancelled.

use std::sync::Arc;

use super::index::{BLOCK, BLOCK_BYTES, Index};
use super::pass::Pass;
use super::read_at::{ReadAt, read_full};
use super::report::Summary;
use super::split::{RawLine, Splitter, Take};
use super::{OpenError, Options};

/// Bytes of a read: they stay in the processor's cache until they are taken apart.
const CHUNK: usize = 1 << 18;
/// Reads between two looks at whether to go on.
const LOOK: u64 = 4;

/// A log about to be opened.
pub struct Opening {
    index: Index,
    pass: Pass,
}

impl Opening {
    /// Nothing is read yet.
    pub fn new(read: Arc<dyn ReadAt>, options: Options) -> Opening {
        Opening { index: Index::new(read, options), pass: Pass::new(options) }
    }

    /// The index: shared, grows while the log is opened.
    pub fn index(&self) -> Index {
        self.index.clone()
    }

    /// Reads the whole log. `go_on` hears how far it came, 0 to 1, and says whether to go on.
    ///
    /// # Errors
    /// Cancelled, unreadable, or without any sentence.
    pub fn run(self, go_on: &mut dyn FnMut(f32) -> bool) -> Result<Summary, OpenError> {
        self.run_to_the_end(go_on)?.usable()
    }

    /// As [`Opening::run`]; a log without any sentence is no error.
    ///
    /// # Errors
    /// Cancelled or unreadable.
    pub fn run_to_the_end(mut self, go_on: &mut dyn FnMut(f32) -> bool) -> Result<Summary, OpenError> {
        let (index, pass) = (&self.index, &mut self.pass);
        let read = index.read().clone();
        let mut splitter = Splitter::new(0, 0);
        let mut take = Indexing { index, pass, until: Until::default() };
        let mut buffer = vec![0; CHUNK];
        for n in 0_u64.. {
            let at = splitter.at();
            if n.is_multiple_of(LOOK) && !go_on(read.done(at)) {
                return Err(OpenError::Cancelled);
            }
            let length = read_full(&*read, &mut buffer, at)?;
            splitter.push_to(&buffer[..length], &mut take);
            if length < buffer.len() {
                break;
            }
        }
        splitter.finish_to(&mut take);
        let dialect = self.pass.dialect();
        self.index.finish(splitter.at(), splitter.lines(), self.pass.tally_mut(), dialect);
        let mut summary = self.pass.summary(splitter.at());
        summary.notices.extend(read.notice().map(str::to_owned));
        Ok(summary)
    }
}

/// Lines into the index.
struct Indexing<'a> {
    index: &'a Index,
    pass: &'a mut Pass,
    until: Until,
}

impl Take for Indexing<'_> {
    #[inline]
    fn at_once(&mut self, number: u64, at: u64, rest: &[u8]) -> usize {
        let Indexing { index, pass, until } = self;
        pass.plain(number, rest, |tally, dialect| {
            if until.is_over(number, at) {
                index.begin_block(at, number - 1, tally, dialect);
            }
        })
    }

    fn line(&mut self, raw: RawLine<'_>) {
        if self.until.is_over(raw.number, raw.at) {
            let dialect = self.pass.dialect();
            self.index.begin_block(raw.at, raw.number - 1, self.pass.tally_mut(), dialect);
        }
        self.pass.line(raw, &mut |_| {});
    }
}

/// Where the block under way ends at the latest; at first nothing has begun.
#[derive(Default)]
struct Until {
    line: u64,
    byte: u64,
}

impl Until {
    /// Whether the next block begins with this line.
    fn is_over(&mut self, number: u64, at: u64) -> bool {
        let over = number > self.line || at >= self.byte;
        if over {
            *self = Until { line: number + BLOCK - 1, byte: at + BLOCK_BYTES };
        }
        over
    }
}

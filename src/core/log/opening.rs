//! Opening a log: the one pass over its bytes that fills the index.
//!
//! Runs on a thread of its own while others read what is indexed; can be cancelled.

use std::sync::Arc;

use super::index::{BLOCK, BLOCK_BYTES, Index};
use super::pass::Pass;
use super::read_at::{ReadAt, read_full};
use super::report::Summary;
use super::split::{RawLine, Splitter};
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
        // Where the block ends at the latest, in lines and bytes; nothing has begun yet.
        let mut until = (0, 0);
        let mut line = |raw: RawLine<'_>| {
            if raw.number > until.0 || raw.at >= until.1 {
                until = (raw.number + BLOCK - 1, raw.at + BLOCK_BYTES);
                let dialect = pass.dialect();
                index.begin_block(raw.at, raw.number - 1, pass.tally_mut(), dialect);
            }
            pass.line(raw, &mut |_| {});
        };
        let mut buffer = vec![0; CHUNK];
        for n in 0_u64.. {
            let at = splitter.at();
            if n.is_multiple_of(LOOK) && !go_on(read.done(at)) {
                return Err(OpenError::Cancelled);
            }
            let length = read_full(&*read, &mut buffer, at)?;
            splitter.push(&buffer[..length], &mut line);
            if length < buffer.len() {
                break;
            }
        }
        splitter.finish(&mut line);
        let dialect = self.pass.dialect();
        self.index.finish(splitter.at(), splitter.lines(), self.pass.tally_mut(), dialect);
        let mut summary = self.pass.summary(splitter.at());
        summary.notices.extend(read.notice().map(str::to_owned));
        Ok(summary)
    }
}

//! What flows from a source to everybody else: frames, and batches of them.

use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::core::time::{Offset, Utc};
use crate::core::vessel::Vessel;

/// Who said it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The source itself: the model, the track, the log.
    #[default]
    Source,
    /// The n-th live input.
    Input(u16),
    /// What came back on the n-th output.
    Reply(u16),
    /// Set by hand; the model does not move it.
    Pinned,
}

/// What a line, or a piece of one, turned out to be (LOG-FORMAT rules R1 to R8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// A sentence with a right checksum.
    Sentence,
    /// A sentence without a checksum, accepted.
    WithoutChecksum,
    /// No `*hh` fits.
    BadChecksum,
    /// A beginning cut short by a good sentence.
    Truncated,
    /// Bytes outside printable ASCII and no checksum to vouch for them.
    Garbled,
    /// A line over 1 MiB.
    TooLong,
    /// A line without any piece.
    NoSentence,
    /// Without a checksum, in strict mode.
    MissingChecksum,
    /// Begins with `#`.
    Comment,
    /// White space and NULs only.
    Blank,
}

impl Class {
    /// Sent on by a replay and forwarded by a monitor.
    pub fn is_sentence(self) -> bool {
        matches!(self, Class::Sentence | Class::WithoutChecksum)
    }

    /// Counted as a skip (R8). Blank lines and comments are not.
    pub fn is_skip(self) -> bool {
        !self.is_sentence() && !matches!(self, Class::Comment | Class::Blank)
    }

    /// The reason in words, for a list of skips.
    pub fn words(self) -> &'static str {
        match self {
            Class::Sentence => "sentence",
            Class::WithoutChecksum => "without checksum",
            Class::BadChecksum => "bad checksum",
            Class::Truncated => "truncated",
            Class::Garbled => "garbled",
            Class::TooLong => "too long",
            Class::NoSentence => "no sentence",
            Class::MissingChecksum => "no checksum",
            Class::Comment => "comment",
            Class::Blank => "blank",
        }
    }
}

/// Where a piece stands in a log. Ordered as the log is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file, when several logs are one timeline.
    pub file: u16,
    /// Byte offset of the piece (of the unpacked and decoded text).
    pub byte: u64,
    /// Line number, from 1, as an editor counts.
    pub line: u64,
    /// The piece within its line, from 0.
    pub part: u16,
}

/// One sentence, or, of a live feed, one bad line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Counts up within a generation of the source.
    pub seq: u64,
    /// Nanoseconds of the source's own time.
    pub offset: Offset,
    /// Who said it.
    pub origin: Origin,
    /// Good, or why not. Bad lines are shown, counted and recorded, never forwarded.
    pub class: Class,
    /// Where it stands in a log, for a replay; in a live feed `file` is the input, and pieces of one line differ in `part`.
    pub place: Option<Place>,
    /// The line as it came or as it is sent, without its terminator; a slice of its block, so that a clone is a counter.
    pub bytes: Bytes,
    /// Where the sentence itself lies in `bytes`: all of it for a simulation or a replay; a live line may carry a TAG
    /// block in front, and evidence around it.
    pub sentence: (u32, u32),
}

impl Frame {
    /// A frame that is a sentence from end to end.
    pub fn sentence(seq: u64, offset: Offset, bytes: Bytes) -> Frame {
        let end = bytes.len() as u32;
        Frame { seq, offset, origin: Origin::Source, class: Class::Sentence, place: None, bytes, sentence: (0, end) }
    }

    /// The sentence, without TAG blocks and without what stands around it.
    pub fn text(&self) -> &[u8] {
        let (from, to) = self.sentence;
        self.bytes.get(from as usize..to as usize).unwrap_or(&self.bytes)
    }
}

/// All that is due at one moment: the unit of every queue. Shared as `Arc<Batch>`.
///
/// At most [`Batch::MOST`] frames and one second of the source's time.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Rises with every seek and change of source; older batches are dropped unread.
    pub generation: u32,
    /// Wall clock when it was given to the outputs: the stamp of a recording.
    pub sent: Utc,
    /// UTC of the source at its first frame: simulated, or from the log. For TAG blocks.
    pub source_utc: Option<Utc>,
    /// In the order in which they are sent.
    pub frames: Vec<Frame>,
    /// The vessel after the last frame: the source's own; whoever passes a batch on decodes nothing.
    pub vessel: Arc<Vessel>,
}

impl Batch {
    /// The most frames that a batch may hold.
    pub const MOST: usize = 256;
}

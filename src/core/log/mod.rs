//! Logs: line classes, dialects, timing, the sparse index, the format that is written (LOG-FORMAT).

use serde::{Deserialize, Serialize};

use crate::core::time::{MILLISECOND, Offset, SECOND};

mod block;
pub mod checkpoints;
pub mod clock;
mod column;
pub mod container;
pub mod count;
pub mod gz;
pub mod index;
pub mod line;
pub mod lines;
pub mod names;
pub mod opening;
pub mod pass;
pub mod pattern;
pub mod piece;
pub mod plain;
pub mod read_at;
pub mod reader;
pub mod report;
pub mod search;
pub mod sentence_time;
pub mod split;
pub mod stamp;
pub mod stream;
pub mod timeline;
pub mod utf16;
pub mod utf16_at;
pub mod writer;

pub use index::{Change, Counts, Index, Timing};
pub use opening::Opening;
pub use pass::Pass;
pub use pattern::Pattern;
pub use read_at::{ReadAt, of_bytes, open_path};
pub use reader::{Entry, Hear, Log, hear};
pub use report::{Report, Summary};
pub use search::{Only, Row, Show, Unusual};
pub use timeline::Tier;

/// Which way to look from a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// At the place and behind it.
    Forward,
    /// Before the place, nearest first.
    Back,
}

/// How a log is to be read and timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Sentences without checksum are skipped (`--require-checksum`).
    pub strict: bool,
    /// Spacing of sentences where a log has no times at all, 0 to 60 s.
    pub interval: Offset,
    /// What counts as a gap: two sentences further apart.
    pub gap: Offset,
}

impl Default for Options {
    fn default() -> Options {
        Options { strict: false, interval: 100 * MILLISECOND, gap: 10 * SECOND }
    }
}

#[cfg(test)]
mod tests_lines;
#[cfg(test)]
mod tests_reader;

/// Why a log cannot be opened. The text names the reason; the caller knows the file.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no such file.
    #[error("no such file")]
    Missing,
    /// It is a directory.
    #[error("is a directory: name a log file in it")]
    Directory,
    /// No permission to read it.
    #[error("no permission to read it")]
    Permission,
    /// Nothing in it that could be replayed (R9).
    #[error("no sentence found: {0}")]
    NoSentence(String),
    /// Esc.
    #[error("cancelled")]
    Cancelled,
    /// Reading failed.
    #[error("{0}")]
    Io(std::io::Error),
}

impl From<std::io::Error> for OpenError {
    fn from(error: std::io::Error) -> OpenError {
        use std::io::ErrorKind;
        match error.kind() {
            ErrorKind::NotFound => OpenError::Missing,
            ErrorKind::IsADirectory => OpenError::Directory,
            ErrorKind::PermissionDenied => OpenError::Permission,
            _ => OpenError::Io(error),
        }
    }
}

impl Summary {
    /// A log without any sentence is rejected with its counts (R9).
    ///
    /// # Errors
    /// [`OpenError::NoSentence`].
    pub fn usable(self) -> Result<Summary, OpenError> {
        let r = &self.report;
        if r.sentences > 0 {
            return Ok(self);
        }
        Err(OpenError::NoSentence(if r.lines == 0 {
            "the file is empty".to_owned()
        } else if r.skipped.total == 0 && r.comments > 0 {
            format!("only comments ({})", r.comments)
        } else if r.skipped.total == 0 {
            format!("only blank lines ({})", r.blank)
        } else {
            let s = &r.skipped;
            let counts = [
                (s.no_sentence, "line without a sentence", "lines without a sentence"),
                (s.bad_checksum, "bad checksum", "bad checksums"),
                (s.missing_checksum, "without checksum", "without checksum"),
                (s.garbled, "garbled", "garbled"),
                (s.truncated, "truncated", "truncated"),
                (s.too_long, "line too long", "lines too long"),
            ];
            let told: Vec<String> = counts
                .iter()
                .filter(|(n, ..)| *n > 0)
                .map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many }))
                .collect();
            told.join(", ")
        }))
    }
}

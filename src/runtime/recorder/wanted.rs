//! What is to be written: where, what it holds, when it is changed for another. Opens nothing.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::core::filter::Filter;
use crate::core::output::Tag;
use crate::core::time::Wall;
use crate::runtime::outputs::encode::Encoder;

/// What becomes of a file that exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// It is continued.
    #[default]
    Append,
    /// Another name is taken: `-2`.
    Fresh,
    /// It is replaced (`--force`).
    Replace,
}

/// What a file holds.
#[derive(Debug)]
pub enum Shape {
    /// A log of format 1: stamps, and this metadata in its header.
    Log {
        /// `profile`, `source` …
        metadata: Vec<(String, String)>,
        /// Which sentences.
        filter: Filter,
        /// Bad lines of a live feed as well, each line as it came (W5).
        everything: bool,
        /// TAG blocks of the feed go along.
        tag: Tag,
    },
    /// What an encoder makes of it.
    Plain(Box<Encoder>),
}

/// When a new file is begun, how many are kept, how much room is left to others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotation {
    /// A new file after so many bytes.
    pub bytes: Option<u64>,
    /// A new file after so long.
    pub every: Option<Wall>,
    /// So many files of the same series are kept, those of earlier runs among them; the oldest are deleted.
    pub keep: Option<usize>,
    /// So many bytes stay free on the file system.
    pub free: u64,
}

/// Files that must not be written: those that are being replayed. Clones share the list.
#[derive(Clone, Debug, Default)]
pub struct Protected(Arc<Mutex<Vec<(u64, u64)>>>);

impl Protected {
    /// From now on exactly these. A path that cannot be found protects nothing.
    pub fn set(&self, paths: &[PathBuf]) {
        let ids = paths.iter().filter_map(|p| std::fs::metadata(p).ok()).map(|m| (m.dev(), m.ino())).collect();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = ids;
    }

    /// Whether a path leads to one of them.
    pub fn holds(&self, path: &Path) -> bool {
        let Ok(found) = std::fs::metadata(path) else { return false };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&(found.dev(), found.ino()))
    }
}

/// A file to be written.
#[derive(Debug)]
pub struct Wanted {
    /// Where.
    pub path: PathBuf,
    /// What if it exists.
    pub mode: Mode,
    /// What it holds.
    pub shape: Shape,
    /// When it is changed for another.
    pub rotation: Rotation,
    /// What must not be written.
    pub protected: Protected,
}

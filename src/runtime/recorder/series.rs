//! Which files are one series of recordings: what `keep` counts, and what it may delete. Deletes nothing itself.
//!
//! A file belongs to the series of a recording when all of this holds; anything else is somebody's and stays:
//!
//! - it stands in the same folder, and is a file itself, no link;
//! - its name is that of the recording, or that with a number (`boat.nmea`, `boat-2.nmea`), or, for a name with a date, the
//!   same name with any date (`nmeasimx-20260923T100000Z-boat.nmea`);
//! - it is a log of this program, and its header names the same profile or source, in the same mode;
//! - no program is writing it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::names;
use crate::core::log::writer::MAGIC;
use crate::core::visible;

/// What of a header tells series apart.
const KEYS: [&str; 3] = ["profile", "source", "mode"];
/// A header is not longer than this.
const HEADER: u64 = 16 << 10;

/// The files of the series of `path`, the oldest first by when they were last written.
pub fn files(path: &Path, metadata: &[(String, String)]) -> Vec<PathBuf> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(Result::ok)
        .filter(|entry| names::is_same_series(Path::new(path.file_name().unwrap_or_default()), &entry.file_name()))
        .filter_map(|entry| {
            let about = fs::symlink_metadata(entry.path()).ok().filter(fs::Metadata::is_file)?;
            is_of(&entry.path(), metadata).then_some(())?;
            Some((about.modified().unwrap_or(SystemTime::UNIX_EPOCH), entry.path()))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// A log of this program that says the same of where it comes from, and that nobody is writing.
fn is_of(path: &Path, metadata: &[(String, String)]) -> bool {
    use rustix::fs::{FlockOperation, flock};
    let Ok(file) = File::open(path) else { return false };
    if flock(&file, FlockOperation::NonBlockingLockShared) == Err(rustix::io::Errno::WOULDBLOCK) {
        return false;
    }
    let mut lines = BufReader::new(file.take(HEADER)).lines().map_while(Result::ok).take_while(|l| l.starts_with('#'));
    if !lines.next().is_some_and(|first| first.starts_with(MAGIC)) {
        return false;
    }
    let said: Vec<String> = lines.collect();
    let values = |key: &str| {
        let start = format!("# {key}: ");
        said.iter().find_map(|line| line.strip_prefix(&start).map(str::to_owned))
    };
    KEYS.iter().all(|key| {
        let own = metadata.iter().find(|(k, _)| k == key).map(|(_, value)| visible::text(value.as_bytes()));
        values(key) == own
    })
}

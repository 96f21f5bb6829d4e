//! Saves a stretch of a replay as a log of its own, in format 1, with a header that says where it came from.
//!
//! Writes to what it is given and creates no file. What is saved is timed as it is replayed.

use std::io::{self, Write};

use super::Replay;
use crate::core::log::piece::address;
use crate::core::log::{Entry, Log, Show};
use crate::core::time::{Offset, Utc, iso_ms};
use crate::core::transport::SourceError;
use crate::core::visible;

/// What to save.
#[derive(Clone, Debug, Default)]
pub struct Stretch {
    /// From the first sentence at or after this offset; the start unless given.
    pub from: Option<Offset>,
    /// Up to, not including, this offset; the end unless given.
    pub to: Option<Offset>,
    /// Only these sentences: what a list shows.
    pub show: Show,
}

/// What was saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// Sentences.
    pub sentences: u64,
    /// Bytes.
    pub bytes: u64,
}

/// Why nothing, or not all, was saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The log cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// What it is saved to cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// `go_on` said no: what was written is a whole log of the beginning.
    #[error("cancelled")]
    Cancelled,
    /// Nothing in the stretch passes.
    #[error("nothing to save: no sentence in that stretch passes the filter")]
    Nothing,
}

impl Replay {
    /// Writes a stretch. Stamps follow from the first sentence's own UTC and the offsets; where a log has no date, from
    /// `now`, which is also the time of recording. The play head stays where it is.
    ///
    /// # Errors
    /// See [`SaveError`]. With [`SaveError::Nothing`] nothing was written.
    pub fn save(
        &self,
        stretch: &Stretch,
        now: Utc,
        out: &mut dyn Write,
        go_on: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Saved, SaveError> {
        let mut merge = self.merge.fork();
        let from = stretch.from.unwrap_or(0).max(0);
        let to = stretch.to.unwrap_or(Offset::MAX);
        merge.stand_at_offset(from)?;
        let span = self.merge.duration().unwrap_or(Offset::MAX).min(to).saturating_sub(from).max(1);
        let mut saved = Saved::default();
        // Offset and stamp of the first sentence.
        let mut start: Option<(Offset, Utc)> = None;
        let mut line = Vec::new();
        let mut lines = self.readers();
        let mut read = 0_u64;
        while let Some((at, entry)) = merge.pop()? {
            if at >= to {
                break;
            }
            if read.is_multiple_of(4096) && !go_on(((at - from) as f64 / span as f64) as f32) {
                return Err(SaveError::Cancelled);
            }
            read += 1;
            if !passes(&stretch.show, &entry, &mut lines)? {
                continue;
            }
            line.clear();
            let (first, utc) = match start {
                Some(start) => start,
                None => {
                    self.header(stretch, now, entry.place.line, entry.place.file, &mut line);
                    *start.insert((at, entry.utc.unwrap_or(now)))
                }
            };
            line.extend_from_slice(iso_ms(utc.saturating_add(at - first)).as_bytes());
            line.push(b' ');
            line.extend_from_slice(&entry.bytes);
            line.push(b'\n');
            out.write_all(&line)?;
            saved.sentences += 1;
            saved.bytes += line.len() as u64;
        }
        if saved.sentences == 0 {
            return Err(SaveError::Nothing);
        }
        out.flush()?;
        Ok(saved)
    }

    fn header(&self, stretch: &Stretch, now: Utc, line: u64, file: u16, out: &mut Vec<u8>) {
        let names = self.names();
        let name = |file: u16| names.get(usize::from(file)).map_or("", String::as_str);
        out.extend_from_slice(format!("# NMEA Simulator X log 1\n# recorded: {}\n", iso_ms(now)).as_bytes());
        out.extend_from_slice(b"# program: nmeasimx ");
        out.extend_from_slice(env!("CARGO_PKG_VERSION").as_bytes());
        out.push(b'\n');
        for file in 0..names.len() {
            let shown = visible::text(name(file as u16).as_bytes());
            out.extend_from_slice(format!("# source: {shown}\n").as_bytes());
        }
        let place = match names.len() {
            1 => format!("line {line}"),
            _ => format!("line {line} of {}", visible::text(name(file).as_bytes())),
        };
        out.extend_from_slice(format!("# stretch: from {place}\n").as_bytes());
        let show = &stretch.show;
        if !show.types.is_empty() {
            out.extend_from_slice(format!("# filter: {}\n", show.types).as_bytes());
        }
        if let Some(pattern) = &show.pattern {
            let shown = visible::text(pattern.text().as_bytes());
            out.extend_from_slice(format!("# matches: {shown}\n").as_bytes());
        }
        if !show.hidden.is_empty() {
            let hidden: Vec<String> = show.hidden.iter().map(|key| visible::text(key)).collect();
            out.extend_from_slice(format!("# without: {}\n", hidden.join(",")).as_bytes());
        }
    }
}

/// Whether a sentence is one of those that are shown; a pattern is looked for in its whole line.
fn passes(show: &Show, entry: &Entry, lines: &mut [Log]) -> io::Result<bool> {
    let kind = show.types.passes(&entry.bytes, false) && !show.hidden.iter().any(|h| **h == *address(&entry.bytes));
    match &show.pattern {
        Some(pattern) if kind => {
            let log = lines.get_mut(usize::from(entry.place.file));
            let line = log.map(|log| log.line(entry.place)).transpose()?.flatten();
            Ok(pattern.finds(line.as_ref().unwrap_or(&entry.bytes)))
        }
        _ => Ok(kind),
    }
}

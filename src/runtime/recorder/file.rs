//! One file that is written: opened, appended to, rotated, healed.
//!
//! Gathers bytes and hands them to the system whole; what the system did not take stays first in line, so that a full disk
//! tears no sentence once there is room again.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::disk::{claim, explain, is_log, is_one};
use super::{Mode, Shape, Wanted, names, series};
use crate::core::frame::{Batch, Frame, Origin};
use crate::core::log::writer::{escape, header, resumed};
use crate::core::output::Tag;
use crate::core::time::{Wall, iso_ms};
use crate::runtime::clock::Clock;
use crate::runtime::hub::{self, Parcel};

/// An open file.
pub struct LogFile {
    wanted: Wanted,
    clock: Clock,
    file: Option<File>,
    path: PathBuf,
    /// Not yet taken by the system.
    buffer: Vec<u8>,
    /// Ends of sentences within the buffer, for counting what was written.
    ends: std::collections::VecDeque<usize>,
    /// Sentences and bytes written.
    counts: (u64, u64),
    /// Bytes in the present file, and when it was begun.
    size: u64,
    begun: Wall,
    rotated: bool,
    deleted: Vec<String>,
    forgotten: u64,
    guard: Option<u64>,
}

impl LogFile {
    /// Opens it, with a header or a note that it goes on.
    ///
    /// # Errors
    /// One line with the path. Nothing was changed in a file that exists.
    pub fn open(wanted: Wanted, clock: Clock) -> Result<LogFile, String> {
        let path = wanted.path.clone();
        let mut log = LogFile {
            wanted,
            clock,
            file: None,
            path: path.clone(),
            buffer: Vec::new(),
            ends: std::collections::VecDeque::new(),
            counts: (0, 0),
            size: 0,
            begun: clock.wall(),
            rotated: false,
            deleted: Vec::new(),
            forgotten: 0,
            guard: None,
        };
        log.begin(&path, log.wanted.mode)?;
        log.prune();
        Ok(log)
    }

    /// Its full path as visible text.
    pub fn shown(&self) -> String {
        let full = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        crate::core::visible::text(full.as_os_str().as_encoded_bytes())
    }

    fn begin(&mut self, path: &Path, mode: Mode) -> Result<(), String> {
        let (file, path) = self.create(path, mode)?;
        let size = file.metadata().map_err(|e| self.wrong(&e))?.len();
        self.path = path;
        self.file = Some(file);
        self.size = size;
        self.begun = self.clock.wall();
        let utc = self.clock.utc();
        let mut head = Vec::new();
        if size > 0 && !self.ends_whole() {
            head.push(b'\n'); // a torn line stays as it is, and what follows is a line of its own (W4)
        }
        if let Shape::Log { metadata, .. } = &self.wanted.shape {
            if size == 0 { header(&mut head, utc, metadata) } else { resumed(&mut head, utc) }
        }
        // In front of anything that still waits from the file before.
        self.insert(head);
        self.enough_room()
    }

    fn create(&self, path: &Path, mode: Mode) -> Result<(File, PathBuf), String> {
        let shown = crate::core::visible::text(path.as_os_str().as_encoded_bytes());
        if self.wanted.protected.holds(path) {
            return Err(format!("{shown} is being replayed: record to another file"));
        }
        if path.is_dir() {
            return Err(format!("{shown} is a folder: name a file"));
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        match mode {
            Mode::Fresh => {
                for n in 1..10_000 {
                    let path = names::alternative(path, n);
                    match options.create_new(true).open(&path) {
                        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                        Err(e) => return Err(explain(&path, &e)),
                        Ok(file) => return claim(file, path),
                    }
                }
                Err(format!("{shown}: all names are taken"))
            }
            Mode::Append | Mode::Replace => {
                let file = options.create(true).open(path).map_err(|e| explain(path, &e))?;
                let (mut file, path) = claim(file, path.to_path_buf())?;
                if mode == Mode::Replace {
                    file.set_len(0).map_err(|e| explain(&path, &e))?;
                } else if matches!(self.wanted.shape, Shape::Log { .. }) && !is_log(&mut file) {
                    return Err(format!(
                        "{shown} exists and is no log of this program: choose another name, or --force"
                    ));
                }
                Ok((file, path))
            }
        }
    }

    fn ends_whole(&mut self) -> bool {
        let Some(file) = &mut self.file else { return true };
        let mut last = [b'\n'];
        let read = file.seek(SeekFrom::End(-1)).and_then(|_| file.read(&mut last));
        read.is_err() || last[0] == b'\n'
    }

    fn insert(&mut self, head: Vec<u8>) {
        if head.is_empty() {
            return;
        }
        self.ends.iter_mut().for_each(|end| *end += head.len());
        self.buffer.splice(0..0, head);
    }

    /// Takes the sentences of a parcel.
    pub fn put(&mut self, parcel: &Parcel) {
        let lost = parcel.lost_before + std::mem::take(&mut self.forgotten);
        let batch = &*parcel.batch;
        if lost > 0 && matches!(self.wanted.shape, Shape::Log { .. }) {
            let note = format!("# gap: {lost} sentences lost before {}\n", iso_ms(batch.sent));
            self.buffer.extend_from_slice(note.as_bytes());
        }
        match &mut self.wanted.shape {
            Shape::Plain(encoder) => {
                let encoded = encoder.encode(batch);
                for (message, bytes) in encoded.iter() {
                    self.buffer.extend_from_slice(bytes);
                    for _ in 0..message.sentences {
                        self.ends.push_back(self.buffer.len());
                    }
                }
            }
            Shape::Log { filter, everything, tag, .. } => {
                let stamp = iso_ms(batch.sent);
                let mut before: Option<&Frame> = None;
                for frame in batch.frames.iter().filter(|f| *everything || hub::passes(filter, f)) {
                    // Two sentences of one line are one line.
                    if !(*everything && before.is_some_and(|b| is_same_line(b, frame))) {
                        self.buffer.extend_from_slice(stamp.as_bytes());
                        self.buffer.push(b' ');
                        line(&mut self.buffer, frame, *everything, tag);
                        self.buffer.push(b'\n');
                    }
                    before = Some(frame);
                    self.ends.push_back(self.buffer.len());
                }
            }
        }
    }

    /// Sentences of a parcel that will not be written. The next one that is gets a note.
    pub fn forget(&mut self, parcel: &Parcel) -> u64 {
        let lost = self.sentences_of(&parcel.batch);
        self.forgotten += lost + parcel.lost_before;
        lost
    }

    fn sentences_of(&self, batch: &Batch) -> u64 {
        match &self.wanted.shape {
            Shape::Log { everything: true, .. } | Shape::Plain(_) => batch.frames.len() as u64,
            Shape::Log { filter, .. } => batch.frames.iter().filter(|f| hub::passes(filter, f)).count() as u64,
        }
    }

    /// Bytes not yet taken by the system.
    pub fn buffered(&self) -> usize {
        self.buffer.len()
    }

    /// Sentences not yet taken by the system.
    pub fn unwritten(&self) -> u64 {
        self.ends.len() as u64
    }

    /// Sentences and bytes written so far.
    pub fn counts(&self) -> (u64, u64) {
        self.counts
    }

    /// Hands everything to the system. What it does not take stays.
    ///
    /// # Errors
    /// Why it does not take it.
    pub fn flush(&mut self) -> Result<(), String> {
        while !self.buffer.is_empty() {
            let Some(file) = &mut self.file else { return Err(format!("{}: not open", self.shown())) };
            match file.write(&self.buffer) {
                Ok(0) => return Err(format!("{}: nothing is taken", self.shown())),
                Ok(n) => self.written(n),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.wrong(&e)),
            }
        }
        Ok(())
    }

    fn written(&mut self, n: usize) {
        self.buffer.drain(..n);
        while self.ends.front().is_some_and(|end| *end <= n) {
            self.ends.pop_front();
            self.counts.0 += 1;
        }
        self.ends.iter_mut().for_each(|end| *end -= n);
        self.counts.1 += n as u64;
        self.size += n as u64;
        if self.buffer.is_empty() && self.buffer.capacity() > 1 << 20 {
            self.buffer = Vec::new();
        }
    }

    /// Brings what was written to the disk, and looks whether it is still there and has room for more.
    ///
    /// # Errors
    /// Why not.
    pub fn sync(&mut self) -> Result<(), String> {
        if let Some(file) = &self.file {
            match file.sync_data() {
                // A device or a pipe has nothing to bring anywhere.
                Err(e) if e.kind() == io::ErrorKind::InvalidInput => {}
                done => done.map_err(|e| self.wrong(&e))?,
            }
            // Bytes may go on into a file that nobody can find any more.
            if !self.is_there() {
                return Err(format!("{}: it was removed, renamed, or its medium was taken out", self.shown()));
            }
        }
        self.enough_room()
    }

    /// Brings what was written to the disk, whatever else is wrong; whether that was possible.
    pub fn sync_written(&self) -> bool {
        self.file.as_ref().is_some_and(|f| f.sync_data().is_ok())
    }

    /// Bytes free for this file; `None`: unknown.
    pub fn free(&self) -> Option<u64> {
        let stat = rustix::fs::fstatvfs(self.file.as_ref()?).ok()?;
        Some(stat.f_bavail.saturating_mul(stat.f_frsize))
    }

    fn enough_room(&mut self) -> Result<(), String> {
        // On a small medium the guard is at most a twentieth of it.
        let guard = *self.guard.get_or_insert_with(|| {
            let stat = self.file.as_ref().and_then(|f| rustix::fs::fstatvfs(f).ok());
            let total = stat.map_or(u64::MAX, |s| s.f_blocks.saturating_mul(s.f_frsize));
            self.wanted.rotation.free.min(total / 20)
        });
        match self.free() {
            Some(free) if guard > 0 && free < guard => Err(format!(
                "{}: only {} MB free, and {} MB are to stay free: make room",
                self.shown(),
                free >> 20,
                guard >> 20
            )),
            _ => Ok(()),
        }
    }

    /// Tries again after an error: opens the file anew unless only room was missing.
    ///
    /// # Errors
    /// Why it still does not work.
    pub fn recover(&mut self) -> Result<(), String> {
        self.enough_room()?;
        if self.is_there() {
            return self.flush();
        }
        // Unplugged, deleted or replaced: begin again under the same name.
        let path = self.path.clone();
        self.file = None;
        let torn = self.ends.front().is_some_and(|_| self.torn());
        self.begin(&path, Mode::Append)?;
        if torn {
            self.ends.pop_front(); // its beginning is gone with the old file
        }
        self.flush()
    }

    /// The first waiting sentence was partly written.
    fn torn(&self) -> bool {
        !matches!(self.buffer.first(), None | Some(b'#' | b'0'..=b'9' | b'$' | b'!' | b'\\'))
    }

    /// The path still leads to the file that is open.
    fn is_there(&self) -> bool {
        let Some(open) = self.file.as_ref().and_then(|f| f.metadata().ok()) else { return false };
        std::fs::metadata(&self.path).is_ok_and(|m| (m.dev(), m.ino()) == (open.dev(), open.ino()))
    }

    /// Begins the next file when the present one is full or old enough.
    ///
    /// # Errors
    /// Why the next one cannot be opened; the present one goes on.
    pub fn rotate_if_due(&mut self) -> Result<(), String> {
        let rotation = self.wanted.rotation;
        let full = rotation.bytes.is_some_and(|most| self.size >= most);
        let old = rotation.every.is_some_and(|every| self.clock.wall() - self.begun >= every);
        if !self.buffer.is_empty() || !(full || old) {
            return Ok(());
        }
        self.sync()?;
        let next = self.wanted.path.clone();
        self.begin(&next, Mode::Fresh)?;
        self.rotated = true;
        self.flush()?;
        self.prune();
        Ok(())
    }

    /// Whether another file was begun since this was last asked.
    pub fn was_rotated(&mut self) -> bool {
        std::mem::take(&mut self.rotated)
    }

    /// What was deleted to make room since this was last asked.
    pub fn take_deleted(&mut self) -> Vec<String> {
        std::mem::take(&mut self.deleted)
    }

    /// Deletes the oldest files of the series beyond those that are kept.
    fn prune(&mut self) {
        let (Some(keep), Shape::Log { metadata, .. }) = (self.wanted.rotation.keep, &self.wanted.shape) else { return };
        let mut others = series::files(&self.wanted.path, metadata);
        others.retain(|path| !is_one(path, &self.path) && !self.wanted.protected.holds(path));
        // The present one is kept whatever is asked.
        let too_many = (others.len() + 1).saturating_sub(keep.max(1));
        for path in others.iter().take(too_many) {
            // One that cannot be deleted is counted again the next time.
            if std::fs::remove_file(path).is_ok() {
                self.deleted.push(crate::core::visible::text(path.as_os_str().as_encoded_bytes()));
            }
        }
    }

    fn wrong(&self, error: &io::Error) -> String {
        explain(&self.path, error)
    }
}

fn line(out: &mut Vec<u8>, frame: &Frame, everything: bool, tag: &Tag) {
    let live = everything && matches!(frame.origin, Origin::Input(_) | Origin::Reply(_));
    if live {
        // As it came where a checksum vouches for it; else so that the file stays text (W5).
        if frame.class == crate::core::frame::Class::Sentence {
            out.extend_from_slice(&frame.bytes);
        } else {
            escape(out, &frame.bytes);
        }
        return;
    }
    if *tag == Tag::Keep {
        out.extend_from_slice(crate::runtime::outputs::encode::kept_tags(frame));
    }
    let text = frame.text();
    let end = text.iter().rposition(|b| !matches!(b, b'\r' | b'\n')).map_or(0, |i| i + 1);
    // What a fault spoiled may hold anything, also the end of a line.
    if text[..end].iter().all(|b| (b' '..=b'~').contains(b)) {
        out.extend_from_slice(&text[..end]);
    } else {
        escape(out, &text[..end]);
    }
}

/// Both are pieces of one received line: they share its bytes.
fn is_same_line(a: &Frame, b: &Frame) -> bool {
    a.origin == b.origin
        && a.bytes.as_ptr() == b.bytes.as_ptr()
        && a.bytes.len() == b.bytes.len()
        && !b.bytes.is_empty()
}

//! Writing logs and files: a thread of its own that outlives a full disk.
//!
//! Stamps are those of the batches, so that a slow disk does not move them (W2). Nothing that was written is ever
//! truncated; a file that is being replayed is never opened (W3). What is new is synced each second (W4).

pub mod disk;
pub mod file;
pub mod names;
pub mod series;
mod wanted;

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use file::LogFile;
pub use wanted::{Mode, Protected, Rotation, Shape, Wanted};

use super::clock::Clock;
use super::events::Events;
use super::healing::{Flaps, Lost, NO_MORE, Opened};
use super::hub::{self, Feed, Feeds, Parcel};
use super::queue::{self, Taken};
use super::session::snapshot::RecordState;
use crate::core::filter::Filter;
use crate::core::time::{SECOND, Wall};

/// Between two tries to write after one that failed.
const RETRY: Wall = SECOND;
/// What is new is synced so long after it was written.
const SYNC: Wall = SECOND;
/// Bytes that are gathered before they are written.
const CHUNK: usize = 64 << 10;

/// Who is told how the writing goes.
pub trait Teller {
    /// So much was written.
    fn wrote(&mut self, sentences: u64, bytes: usize);
    /// So many sentences are lost for good.
    fn lost(&mut self, sentences: u64);
    /// A file was opened: at the start, after a rotation, after trouble.
    fn open(&mut self, path: &str);
    /// It cannot be written now. Told at every try.
    fn trouble(&mut self, error: &str);
    /// Since when something is not synced; free bytes on that file system.
    fn synced(&mut self, unsynced: Option<Wall>, free: Option<u64>);
    /// Bytes waiting.
    fn waiting(&mut self, bytes: usize);
    /// An older file of the series was deleted.
    fn deleted(&mut self, path: &str);
}

/// Writes what comes until the queue ends. `stop`: leave even if something is unwritten.
pub fn work(
    feed: &mut queue::Receiver<Parcel>,
    file: &mut LogFile,
    clock: Clock,
    teller: &mut impl Teller,
    stop: &dyn Fn() -> bool,
) {
    let mut dirty: Option<Wall> = None;
    let mut trouble: Option<Wall> = None;
    teller.open(&file.shown());
    file.take_deleted().iter().for_each(|path| teller.deleted(path));
    teller.synced(None, file.free());
    loop {
        let now = clock.wall();
        if let Some(since) = trouble {
            let ending = feed.is_ending() || stop();
            if now - since < RETRY && !ending {
                std::thread::sleep(Duration::from_millis(50));
                make_room(feed, file, teller);
                continue;
            }
            let before = file.counts();
            let recovered = file.recover();
            count(file, before, &mut dirty, clock, teller);
            match recovered {
                Ok(()) => {
                    trouble = None;
                    teller.open(&file.shown());
                }
                Err(error) => {
                    teller.trouble(&error);
                    if ending {
                        give_up(feed, file, teller);
                        return;
                    }
                    trouble = Some(now);
                    continue;
                }
            }
        }
        let wait = dirty.map_or(SYNC, |since| (since + SYNC - now).max(0));
        let taken = feed.recv_timeout(Duration::from_nanos(wait.unsigned_abs()));
        let closed = matches!(taken, Taken::Closed);
        if let Taken::Item(parcel) = taken {
            file.put(&parcel);
            while file.buffered() < CHUNK {
                let Taken::Item(parcel) = feed.try_recv() else { break };
                file.put(&parcel);
            }
        }
        let mut done = write(file, &mut dirty, clock, teller);
        let due = dirty.is_some_and(|since| clock.wall() - since >= SYNC);
        if done.is_ok() && (due || (closed && dirty.is_some())) {
            done = file.sync();
            if done.is_ok() {
                dirty = None;
            }
        }
        teller.synced(dirty, file.free());
        teller.waiting(feed.bytes());
        if let Err(error) = done {
            // What was taken before the trouble is brought to the disk all the same.
            if dirty.is_some() && file.sync_written() {
                dirty = None;
                teller.synced(dirty, file.free());
            }
            teller.trouble(&error);
            trouble = Some(clock.wall());
        } else if closed || (stop() && feed.bytes() == 0) {
            return;
        } else if let Err(error) = file.rotate_if_due() {
            teller.trouble(&error);
            trouble = Some(clock.wall());
        } else if file.was_rotated() {
            teller.open(&file.shown());
            file.take_deleted().iter().for_each(|path| teller.deleted(path));
        }
    }
}

fn write(file: &mut LogFile, dirty: &mut Option<Wall>, clock: Clock, teller: &mut impl Teller) -> Result<(), String> {
    if file.buffered() == 0 {
        return Ok(());
    }
    let before = file.counts();
    let done = file.flush();
    count(file, before, dirty, clock, teller);
    done
}

/// Tells what was written since `before`.
fn count(file: &LogFile, before: (u64, u64), dirty: &mut Option<Wall>, clock: Clock, teller: &mut impl Teller) {
    let after = file.counts();
    if after.1 > before.1 {
        dirty.get_or_insert(clock.wall());
    }
    teller.wrote(after.0 - before.0, (after.1 - before.1) as usize);
}

/// While nothing can be written the queue must not stand full, or a source at max would wait for the disk for ever.
fn make_room(feed: &mut queue::Receiver<Parcel>, file: &mut LogFile, teller: &mut impl Teller) {
    while feed.bytes() > hub::FILE_QUEUE / 8 * 7 {
        let Taken::Item(parcel) = feed.try_recv() else { return };
        let lost = file.forget(&parcel);
        teller.lost(lost);
    }
}

fn give_up(feed: &mut queue::Receiver<Parcel>, file: &mut LogFile, teller: &mut impl Teller) {
    let mut lost = file.unwritten();
    while let Taken::Item(parcel) = feed.try_recv() {
        lost += file.forget(&parcel);
    }
    teller.lost(lost);
}

/// A recording that runs beside the outputs.
pub struct Recorder {
    shared: Arc<Shared>,
    feed: u64,
    thread: Option<std::thread::JoinHandle<()>>,
    clock: Clock,
}

struct Shared {
    sentences: AtomicU64,
    bytes: AtomicU64,
    dropped: Arc<AtomicU64>,
    unsynced: AtomicI64,
    free: AtomicI64,
    path: Mutex<String>,
    alarm: Mutex<Option<String>>,
    stop: std::sync::atomic::AtomicBool,
}

struct Told {
    shared: Arc<Shared>,
    events: Events,
    flaps: Flaps,
    clock: Clock,
}

impl Recorder {
    /// Opens the file and begins to write what the hub gives.
    ///
    /// # Errors
    /// One line with the path, why not, and what to do. Nothing has been changed then.
    pub fn start(wanted: Wanted, clock: Clock, events: &Events, feed: u64, feeds: &Feeds) -> Result<Recorder, String> {
        let mut file = LogFile::open(wanted, clock)?;
        let shared = Arc::new(Shared {
            sentences: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            dropped: Arc::default(),
            unsynced: AtomicI64::new(-1),
            free: AtomicI64::new(-1),
            path: Mutex::new(file.shown()),
            alarm: Mutex::default(),
            stop: false.into(),
        });
        let (sender, mut receiver) = queue::queue(hub::FILE_QUEUE);
        feeds.add(Feed::new(feed, sender, shared.dropped.clone(), Filter::default(), true));
        let told = (shared.clone(), events.clone());
        let thread = std::thread::Builder::new().name("recorder".into()).spawn(move || {
            let mut teller = Told { shared: told.0.clone(), events: told.1, flaps: Flaps::default(), clock };
            let stop = || told.0.stop.load(Ordering::Relaxed);
            work(&mut receiver, &mut file, clock, &mut teller, &stop);
        });
        let thread = thread.map_err(|e| format!("no thread for the recorder: {e}"))?;
        events.info(format!("recording to {}", lock(&shared.path)));
        Ok(Recorder { shared, feed, thread: Some(thread), clock })
    }

    /// How it stands.
    pub fn state(&self) -> RecordState {
        let s = &self.shared;
        let unsynced = s.unsynced.load(Ordering::Relaxed);
        RecordState {
            on: true,
            path: lock(&s.path).clone(),
            sentences: s.sentences.load(Ordering::Relaxed),
            bytes: s.bytes.load(Ordering::Relaxed),
            unsynced: (unsynced >= 0).then(|| (self.clock.wall() - unsynced).max(0)),
            free: u64::try_from(s.free.load(Ordering::Relaxed)).ok(),
            alarm: lock(&s.alarm).clone(),
        }
    }

    /// Sentences it lost.
    pub fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed)
    }

    /// Ends it: what is queued is written and synced. Returns how it stood at the end, and how many sentences it lost.
    pub async fn stop(mut self, feeds: &Feeds, grace: Duration) -> (RecordState, u64) {
        feeds.remove(self.feed);
        if let Some(thread) = self.thread.take() {
            let joined = tokio::task::spawn_blocking(move || thread.join());
            if tokio::time::timeout(grace, joined).await.is_err() {
                self.shared.stop.store(true, Ordering::Relaxed);
            }
        }
        let mut state = self.state();
        state.on = false;
        (state, self.dropped())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Teller for Told {
    fn wrote(&mut self, sentences: u64, bytes: usize) {
        self.shared.sentences.fetch_add(sentences, Ordering::Relaxed);
        self.shared.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        if self.flaps.settled(self.clock.wall()) {
            self.goes_on();
        }
    }

    fn lost(&mut self, sentences: u64) {
        self.shared.dropped.fetch_add(sentences, Ordering::Relaxed);
    }

    fn open(&mut self, path: &str) {
        *lock(&self.shared.path) = path.into();
        *lock(&self.shared.alarm) = None;
        if self.flaps.open(self.clock.wall()) == Opened::Again {
            self.goes_on();
        }
    }

    fn trouble(&mut self, error: &str) {
        match self.flaps.lose(self.clock.wall()) {
            Lost::Told => self.events.error(format!("recording: {error}; tried again each second")),
            Lost::ToldLast => self.events.error(format!("recording: {error}{NO_MORE}")),
            Lost::Untold => {}
        }
        *lock(&self.shared.alarm) = Some(error.into());
    }

    fn synced(&mut self, unsynced: Option<Wall>, free: Option<u64>) {
        self.shared.unsynced.store(unsynced.unwrap_or(-1), Ordering::Relaxed);
        let free = free.and_then(|f| i64::try_from(f).ok()).unwrap_or(-1);
        self.shared.free.store(free, Ordering::Relaxed);
    }

    fn waiting(&mut self, _: usize) {}

    fn deleted(&mut self, path: &str) {
        self.events.info(format!("recording: {path} was deleted: the oldest of more than [record] keep allows"));
    }
}

impl Told {
    fn goes_on(&self) {
        self.events.info(format!("recording to {} goes on", lock(&self.shared.path)));
    }
}

#[cfg(test)]
mod tests;

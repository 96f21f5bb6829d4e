//! Replay: a cursor over one log or several, with the exact vessel at every place (LOG-FORMAT §4).
//!
//! The cursor stands *before* the next sentence. [`Replay`] is the source a player plays; [`marks`] are places with names;
//! [`save`] writes a stretch to a log of its own. Must never read a file by itself: logs come opened, and reading may take
//! long, so that all of this belongs on a thread of its own.

use std::cell::RefCell;

use bytes::{Bytes, BytesMut};

use crate::core::frame::{Frame, Origin, Place};
use crate::core::log::checkpoints::Checkpoints;
use crate::core::log::{Entry, Hear, Log};
use crate::core::time::{Moment, Offset, Utc};
use crate::core::transport::{Ahead, Can, Change, Source, SourceError, To, Unit};
use crate::core::vessel::Vessel;

pub mod marks;
mod merge;
mod moves;
pub mod save;

use merge::Merge;
pub use merge::Seam;

/// A log to be replayed, and what to call it.
pub struct Part {
    /// Its path, for messages.
    pub name: String,
    /// Opened, at least so far that its timing is certain.
    pub log: Log,
}

/// Hears how far a long seek has come, 0 to 1; answers whether to go on.
pub type Watch = Box<dyn FnMut(f32) -> bool + Send>;

/// One log or several as a source.
pub struct Replay {
    merge: Merge,
    /// Goes ahead of the play head: what a move cannot do must change nothing.
    scout: Merge,
    hear: Hear,
    vessel: Vessel,
    seq: u64,
    /// Readers for questions about time, which must not disturb the others.
    clocks: RefCell<Vec<Log>>,
    /// Vessels here and there in several logs; a single log keeps its own.
    kept: Checkpoints,
    /// The row to which the last move led, while the cursor still stands there: a skipped line has no sentence to stand
    /// before.
    landed: Option<Place>,
    watch: Option<Watch>,
}

impl Replay {
    /// Stands before the first sentence. Several logs are one timeline: ordered by time when all of them have it, else as
    /// given. `hear` is what the logs' own readers were made with.
    ///
    /// # Errors
    /// No log at all; a log that cannot be read; one of several that is not completely opened.
    pub fn new(parts: Vec<Part>, hear: Hear) -> Result<Replay, SourceError> {
        let merge = Merge::new(parts, hear)?;
        let clocks = RefCell::new(merge.readers());
        Ok(Replay {
            scout: merge.fork(),
            merge,
            hear,
            vessel: Vessel::default(),
            seq: 0,
            clocks,
            kept: Checkpoints::default(),
            landed: None,
            watch: None,
        })
    }

    /// Who is told how far a long seek has come (1 when it is over), and may end it: then nothing has changed.
    pub fn watch(&mut self, watch: Option<Watch>) {
        self.watch = watch;
    }

    /// The names of the logs in the order of the timeline: [`Place::file`] counts them.
    pub fn names(&self) -> Vec<String> {
        self.merge.names()
    }

    /// Readers of the logs in the order of the timeline, for lists and searches on other threads. Offsets in them count
    /// from the start of each log: add [`Replay::base`].
    pub fn readers(&self) -> Vec<Log> {
        self.merge.readers()
    }

    /// Where a log begins in the timeline.
    pub fn base(&self, file: u16) -> Offset {
        self.merge.base(file)
    }

    /// What these logs are known by, whatever they are called: whose marks they have. Of logs that are completely opened.
    ///
    /// # Errors
    /// A log cannot be read.
    pub fn identity(&self) -> std::io::Result<marks::Identity> {
        let of = |log: &Log| marks::Identity::of(&**log.index().read(), log.index().timing().size);
        let each: Vec<marks::Identity> = self.merge.readers().iter().map(of).collect::<Result<_, _>>()?;
        Ok(marks::Identity::of_many(&each))
    }

    /// Where one log follows another.
    pub fn seams(&self) -> &[Seam] {
        self.merge.seams()
    }

    /// Sentences in all logs, as far as they are opened.
    pub fn sentences(&self) -> u64 {
        self.merge.sentences()
    }

    /// Brings the play head to where the scout stands, with the vessel of that place.
    fn follow(&mut self, landed: Option<Place>) -> Result<Offset, SourceError> {
        self.vessel = self.vessel_there()?;
        // Each keeps its readers' caches warm.
        std::mem::swap(&mut self.merge, &mut self.scout);
        self.landed = landed;
        Ok(match self.merge.peek()? {
            Some((at, _)) => at,
            None => self.merge.end(),
        })
    }

    /// The vessel as everything before the scout made it.
    fn vessel_there(&mut self) -> Result<Vessel, SourceError> {
        let mut always = |_: f32| true;
        let go_on: &mut dyn FnMut(f32) -> bool = match &mut self.watch {
            Some(watch) => &mut **watch,
            None => &mut always,
        };
        let cancelled = || SourceError::Invalid("cancelled".into());
        let scout = &mut self.scout;
        if let Some(vessel) = scout.single_vessel(go_on)? {
            return vessel.ok_or_else(cancelled);
        }
        let there = scout.here();
        let target = scout.number()?;
        let (start, place, mut vessel) = self.kept.before(target).unwrap_or_default();
        if start == 0 {
            scout.stand_at_start();
        } else {
            scout.stand_at_place(place)?;
        }
        for number in start..target {
            if number.is_multiple_of(1024) && !go_on((number - start) as f32 / (target - start) as f32) {
                return Err(cancelled());
            }
            let Some((at, entry)) = scout.pop()? else { break };
            if self.kept.wants(number) {
                self.kept.keep(number, entry.place, &vessel);
            }
            (self.hear)(&entry.bytes, Moment { offset: at, utc: entry.utc }, &mut vessel);
        }
        scout.stand_here(&there);
        Ok(vessel)
    }
}

/// The sentence behind its TAG blocks, if it has any, and where it begins: an output may keep them.
fn with_tags(entry: &Entry) -> (Bytes, u32) {
    if entry.tags.is_empty() {
        return (entry.bytes.clone(), 0);
    }
    let mut line = BytesMut::with_capacity(entry.tags.len() + entry.bytes.len());
    line.extend_from_slice(&entry.tags);
    line.extend_from_slice(&entry.bytes);
    (line.freeze(), entry.tags.len() as u32)
}

impl Source for Replay {
    fn can(&self) -> Can {
        Can { seek: true, step_back: true, set: false }
    }

    fn next_due(&mut self) -> Result<Option<Offset>, SourceError> {
        match self.merge.peek()? {
            Some((at, _)) => Ok(Some(at)),
            None => Ok(self.merge.growing()),
        }
    }

    fn poll(&mut self, until: Offset, room: usize, out: &mut Vec<Frame>) -> Result<(), SourceError> {
        let single = self.merge.is_single();
        for _ in 0..room {
            if self.merge.peek()?.is_none_or(|(at, _)| at > until) {
                break;
            }
            let number = if single { 0 } else { self.merge.number()? };
            let Some((at, entry)) = self.merge.pop()? else { break };
            if single {
                self.merge.keep(&entry, &self.vessel);
            } else if self.kept.wants(number) {
                self.kept.keep(number, entry.place, &self.vessel);
            }
            let moment = Moment { offset: at, utc: entry.utc };
            (self.hear)(&entry.bytes, moment, &mut self.vessel);
            let (bytes, from) = with_tags(&entry);
            out.push(Frame {
                seq: self.seq,
                offset: at,
                origin: Origin::Source,
                class: entry.class,
                place: Some(entry.place),
                sentence: (from, bytes.len() as u32),
                bytes,
            });
            self.seq += 1;
            self.landed = None;
        }
        Ok(())
    }

    fn seek(&mut self, to: To) -> Result<Offset, SourceError> {
        let done = self.go(to);
        if let Some(watch) = &mut self.watch {
            watch(1.0); // there, or given up: it is not under way any more
        }
        done
    }

    fn duration(&self) -> Option<Offset> {
        self.merge.duration()
    }

    fn is_growing(&self) -> bool {
        self.merge.duration().is_none()
    }

    fn vessel(&self) -> &Vessel {
        &self.vessel
    }

    fn utc(&self, offset: Offset) -> Option<Utc> {
        let file = self.merge.file_at(offset);
        let mut clocks = self.clocks.borrow_mut();
        // A log that cannot be read says so when it is played.
        clocks.get_mut(usize::from(file))?.utc(offset - self.merge.base(file)).ok()?
    }

    fn set(&mut self, _change: &Change) -> Result<(), SourceError> {
        Err(SourceError::Cannot("a log cannot be changed: simulate to set values".into()))
    }

    fn to_epoch(&mut self) -> Result<Option<Ahead>, SourceError> {
        self.scout.stand_here(&self.merge.here());
        Ok(Some(Ahead::Sentences(moves::epoch_ahead(&mut self.scout)?)))
    }

    fn head(&self) -> Option<(Place, u64)> {
        self.merge.head()
    }
}

impl Replay {
    fn go(&mut self, to: To) -> Result<Offset, SourceError> {
        self.scout.stand_here(&self.merge.here());
        let mut landed = None;
        match to {
            To::Start => self.scout.stand_at_start(),
            To::End => self.scout.stand_at_end(),
            To::Offset(offset) => self.scout.stand_at_offset(offset)?,
            To::Place(place) => self.scout.stand_at_place(place)?,
            To::Line(line) => self.scout.stand_at_line(line)?,
            To::Move(unit, by) => landed = self.move_scout(unit, by)?,
        }
        self.follow(landed)
    }

    /// Says which row it was led to.
    fn move_scout(&mut self, unit: Unit, by: i64) -> Result<Option<Place>, SourceError> {
        let scout = &mut self.scout;
        match unit {
            Unit::Sentence => scout.by_sentences(by)?,
            Unit::Epoch => {
                for _ in 0..by.unsigned_abs() {
                    let moved = if by > 0 { moves::epoch_on(scout)? } else { moves::epoch_back(scout)? };
                    if !moved {
                        break;
                    }
                }
            }
            Unit::Bad | Unit::Warning | Unit::Gap => {
                let mut always = |_: f32| true;
                let go_on: &mut dyn FnMut(f32) -> bool = match &mut self.watch {
                    Some(watch) => &mut **watch,
                    None => &mut always,
                };
                let mut landed = self.landed;
                for _ in 0..by.unsigned_abs() {
                    landed = Some(moves::unusual(scout, unit, by > 0, landed, go_on)?);
                }
                return Ok(landed);
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_played;

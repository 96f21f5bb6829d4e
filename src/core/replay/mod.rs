//! Replay: a cursor over one log or several, with the exact vessel at every place (LOG-FORMAT §4).
//!
//! The cursor stands *before* the next sentence. [`Replay`] is the source a player plays; [`marks`] are places with names;
//! [`save`] writes a stretch to a log of its own. Must never read a file by itself: logs come opened, and reading may take
//! long, so that all of this belongs on a thread of its own.

use std::cell::RefCell;

use crate::core::frame::{Frame, Origin, Place};
use crate::core::log::checkpoints::Checkpoints;
use crate::core::log::{Hear, Log};
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

    /// Who is told how far a long seek has come, and may end it: then nothing has changed.
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

    /// Where one log follows another.
    pub fn seams(&self) -> &[Seam] {
        self.merge.seams()
    }

    /// Sentences in all logs, as far as they are opened.
    pub fn sentences(&self) -> u64 {
        self.merge.sentences()
    }

    /// Stands elsewhere, with the vessel of that place.
    fn stand(&mut self, mut to: Merge, landed: Option<Place>) -> Result<Offset, SourceError> {
        let vessel = self.vessel_at(&mut to)?;
        self.vessel = vessel;
        self.merge = to;
        self.landed = landed;
        Ok(match self.merge.peek()? {
            Some((at, _)) => at,
            None => self.merge.end(),
        })
    }

    /// The vessel as everything before made it.
    fn vessel_at(&mut self, to: &mut Merge) -> Result<Vessel, SourceError> {
        let mut always = |_: f32| true;
        let go_on: &mut dyn FnMut(f32) -> bool = match &mut self.watch {
            Some(watch) => &mut **watch,
            None => &mut always,
        };
        let cancelled = || SourceError::Invalid("cancelled".into());
        if let Some(vessel) = to.single_vessel(go_on)? {
            return vessel.ok_or_else(cancelled);
        }
        let target = to.number()?;
        let (start, place, mut vessel) = self.kept.before(target).unwrap_or_default();
        let mut from = to.fork();
        if start == 0 {
            from.stand_at_start()
        } else {
            from.stand_at_place(place)?
        }
        let mut number = start;
        while number < target {
            if number.is_multiple_of(1024) && !go_on((number - start) as f32 / (target - start) as f32) {
                return Err(cancelled());
            }
            let Some((at, entry)) = from.pop()? else { break };
            if self.kept.wants(number) {
                self.kept.keep(number, entry.place, &vessel);
            }
            (self.hear)(&entry.bytes, Moment { offset: at, utc: entry.utc }, &mut vessel);
            number += 1;
        }
        Ok(vessel)
    }
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
            let end = entry.bytes.len() as u32;
            out.push(Frame {
                seq: self.seq,
                offset: at,
                origin: Origin::Source,
                class: entry.class,
                place: Some(entry.place),
                bytes: entry.bytes,
                sentence: (0, end),
            });
            self.seq += 1;
            self.landed = None;
        }
        Ok(())
    }

    fn seek(&mut self, to: To) -> Result<Offset, SourceError> {
        let (merge, landed) = match to {
            To::Move(unit, by) => self.moved(unit, by)?,
            _ => {
                let mut merge = self.merge.fork();
                match to {
                    To::Start => merge.stand_at_start(),
                    To::End => merge.stand_at_end(),
                    To::Offset(offset) => merge.stand_at_offset(offset)?,
                    To::Place(place) => merge.stand_at_place(place)?,
                    To::Line(line) => merge.stand_at_line(line)?,
                    To::Move(..) => {}
                }
                (merge, None)
            }
        };
        self.stand(merge, landed)
    }

    fn duration(&self) -> Option<Offset> {
        self.merge.duration()
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
        let mut scan = self.merge.fork();
        Ok(Some(Ahead::Sentences(moves::epoch_ahead(&mut scan)?)))
    }

    fn head(&self) -> Option<(Place, u64)> {
        self.merge.head()
    }
}

impl Replay {
    fn moved(&mut self, unit: Unit, by: i64) -> Result<(Merge, Option<Place>), SourceError> {
        let mut merge = self.merge.fork();
        let mut landed = self.landed;
        match unit {
            Unit::Sentence => {
                merge.by_sentences(by)?;
                landed = None;
            }
            Unit::Epoch => {
                for _ in 0..by.unsigned_abs() {
                    let moved = if by > 0 { moves::epoch_on(&mut merge)? } else { moves::epoch_back(&mut merge)? };
                    if !moved {
                        break;
                    }
                }
                landed = None;
            }
            Unit::Bad | Unit::Warning | Unit::Gap => {
                let mut always = |_: f32| true;
                let go_on: &mut dyn FnMut(f32) -> bool = match &mut self.watch {
                    Some(watch) => &mut **watch,
                    None => &mut always,
                };
                for _ in 0..by.unsigned_abs() {
                    landed = Some(moves::unusual(&mut merge, unit, by > 0, landed, go_on)?);
                }
            }
        }
        Ok((merge, landed))
    }
}

#[cfg(test)]
mod tests;

//! The player: maps wall time to a source's own time. Play, pause, step, speed, loops, gap limit, end (LOG-FORMAT P2 to P9).
//!
//! Pure: wall time is an argument, and `run` never says more than the caller has room for. Must not wait, and must not
//! know what kind of source it plays.

mod obey;

use serde::{Deserialize, Serialize};

pub use super::speed::{notch, speed_from_text, speed_text};
use super::{Change, Looping, Source, SourceError, To};
use crate::core::frame::Frame;
use crate::core::time::{MILLISECOND, Offset, SECOND, Wall};

/// A caller that comes later than this (nanoseconds of wall time) has been asleep: a log goes on where it was, a
/// simulation leaves out the rounds it missed. Less is caught up with, so that pacing stays absolute (P5, P7).
pub const STALL: Wall = SECOND;

/// A loop without length, or without sentences, begins again at most this often (P6).
pub const SHORTEST_LOOP: Wall = 100 * MILLISECOND;

/// The most source time that one call of [`Player::run`] covers: a batch spans no more.
pub const SPAN: Offset = SECOND;

/// Whether it plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Run {
    /// Time goes on.
    Playing,
    /// Time stands.
    #[default]
    Paused,
    /// The last sentence was said, and nothing loops.
    Finished,
}

/// What the player waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Offset of the next sentence.
    pub until: Offset,
    /// Nanoseconds of wall time until then, at this speed and with this gap limit.
    pub left: Wall,
}

/// How the player stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Plays, pauses or has finished.
    pub run: Run,
    /// Where it stands in the source's time.
    pub position: Offset,
    /// Offset of the last sentence; `None` when endless or not yet known.
    pub duration: Option<Offset>,
    /// Hundredths; `None` is max.
    pub speed: Option<u32>,
    /// What loops.
    pub looping: Looping,
    /// A of an A-B loop whose B is not set yet.
    pub loop_from: Option<Offset>,
    /// The gap limit.
    pub gap: Option<Offset>,
    /// Whether what is said goes to the outputs.
    pub emit: bool,
    /// While playing at a finite speed: the next sentence.
    pub waiting: Option<Waiting>,
    /// Time of the source that the gap limit has left out.
    pub skipped: Offset,
    /// Time of the source that was played; loops add up, moves do not count.
    pub played: Offset,
    /// How often a late caller made a log go on where it was.
    pub stalls: u64,
    /// Rounds that the source left out because the caller came too late.
    pub missed: u64,
}

/// When to call [`Player::run`] next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// Not before the next command.
    Never,
    /// At once.
    Now,
    /// At this moment.
    At(Wall),
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// A sentence at this offset.
    Due(Offset),
    /// The end of the loop at this offset.
    Wrap(Offset),
    /// The end at this offset.
    End(Offset),
}

impl Event {
    fn offset(self) -> Offset {
        let (Event::Due(at) | Event::Wrap(at) | Event::End(at)) = self;
        at
    }
}

/// Plays a source.
pub struct Player {
    source: Box<dyn Source>,
    playing: bool,
    finished: bool,
    speed: Option<u32>,
    looping: Looping,
    loop_from: Option<Offset>,
    gap: Option<Offset>,
    emit: bool,
    limit: Option<Offset>,
    /// At `base.0` of wall time the source stood at `base.1`: everything follows from these two (P7).
    base: (Wall, Offset),
    /// Offset of the last sentence said, or of the landing of the last move: where a gap begins.
    from: Offset,
    /// When this round of a loop began, and how many sentences it has said.
    round: (Wall, u64),
    /// Time played up to the last jump, and the offset where it goes on.
    played: (Offset, Offset),
    skipped: Offset,
    stalls: u64,
    furthest: Offset,
    generation: u32,
}

impl Player {
    /// Stands before the first sentence, paused, at 1x.
    pub fn new(source: Box<dyn Source>) -> Player {
        Player {
            source,
            playing: false,
            finished: false,
            speed: Some(100),
            looping: Looping::Off,
            loop_from: None,
            gap: None,
            emit: true,
            limit: None,
            base: (0, 0),
            from: 0,
            round: (0, 0),
            played: (0, 0),
            skipped: 0,
            stalls: 0,
            furthest: 0,
            generation: 0,
        }
    }

    /// Ends after so much played time: sentences with `0 <= t < limit` of it are sent.
    pub fn stop_after(&mut self, limit: Option<Offset>) {
        self.limit = limit;
    }

    /// What it plays.
    pub fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// What it plays, to be asked what needs a hand on it. Moving it behind the player's back is wrong.
    pub fn source_mut(&mut self) -> &mut dyn Source {
        &mut *self.source
    }

    /// Rises with every move by command: batches of an older one are dropped unread. A loop does not raise it.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Whether what is said goes to the outputs.
    pub fn emits(&self) -> bool {
        self.emit
    }

    /// Changes the simulated vessel, now: the source is told how far time has come.
    ///
    /// # Errors
    /// When the source cannot be changed, or the change is not valid.
    pub fn change(&mut self, now: Wall, change: &Change) -> Result<(), SourceError> {
        self.come_to(now)?;
        self.source.set(change)
    }

    /// Tells the source how far time has come, though nothing is to be said.
    ///
    /// # Errors
    /// When the source cannot go on.
    pub fn come_to(&mut self, now: Wall) -> Result<(), SourceError> {
        let position = self.position(now);
        self.source.poll(position, 0, &mut Vec::new())
    }

    /// When to call [`Player::run`] next.
    pub fn wake(&mut self, now: Wall) -> Wake {
        if !self.playing || self.finished {
            return Wake::Never;
        }
        // A source that fails says so in `run`.
        match self.due() {
            Some(at) if at > now => Wake::At(at),
            _ => Wake::Now,
        }
    }

    /// When what comes next is due, or was; `None` at max, and when nothing comes.
    pub fn due(&mut self) -> Option<Wall> {
        if !self.playing || self.finished {
            return None;
        }
        let event = self.event().ok()?;
        self.deadline(event)
    }

    /// Says what is due now: at most `room` sentences and [`SPAN`] of the source's time, so that at max the caller decides
    /// how much it can take. When more is due, [`Player::wake`] says so.
    ///
    /// # Errors
    /// When the source cannot go on.
    pub fn run(&mut self, now: Wall, room: usize, out: &mut Vec<Frame>) -> Result<(), SourceError> {
        if !self.playing || self.finished || room == 0 {
            return Ok(());
        }
        let mut event = self.event()?;
        let deadline = self.deadline(event);
        if deadline.is_some_and(|at| at > now) {
            return Ok(());
        }
        if self.speed.is_some() && deadline.is_some_and(|at| now - at > STALL) {
            let until = self.flowing(now).min(self.last_allowed());
            if matches!(event, Event::Due(_)) && self.source.leave_out(until)? {
                event = self.event()?;
            } else {
                self.stalls += 1;
                self.base = (now, event.offset());
            }
        }
        let excess = self.excess(event);
        if excess > 0 {
            self.skipped += excess;
            self.base.1 += excess;
        }
        match event {
            Event::Due(due) => {
                let until = self.flowing(now).max(due).min(due.saturating_add(SPAN - 1)).min(self.last_allowed());
                let before = out.len();
                let result = self.say(until, room, out);
                if out.len() == before {
                    self.from = self.from.max(due); // due, but nothing to say
                }
                result
            }
            Event::Wrap(at) => self.wrap(now, at),
            Event::End(at) => {
                self.finished = true;
                self.stand(now, at);
                Ok(())
            }
        }
    }

    /// How it stands.
    pub fn report(&mut self, now: Wall) -> Report {
        let position = self.position(now);
        let event = self.event().ok();
        let waiting = match event {
            Some(event @ Event::Due(until)) if self.playing && !self.finished => {
                self.deadline(event).map(|at| Waiting { until, left: (at - now).max(0) })
            }
            _ => None,
        };
        let run = match (self.finished, self.playing) {
            (true, _) => Run::Finished,
            (_, true) => Run::Playing,
            (_, false) => Run::Paused,
        };
        Report {
            run,
            position,
            duration: self.source.duration(),
            speed: self.speed,
            looping: self.looping,
            loop_from: self.loop_from,
            gap: self.gap,
            emit: self.emit,
            waiting,
            skipped: self.skipped,
            played: self.played_at(position),
            stalls: self.stalls,
            missed: self.source.missed(),
        }
    }

    /// Where it stands in the source's time. Never past a sentence that is not yet said.
    pub fn position(&mut self, now: Wall) -> Offset {
        if self.speed.is_none() && self.playing {
            return self.from.max(self.base.1);
        }
        let flowing = self.flowing(now);
        match self.event() {
            Ok(event) if self.playing => flowing.min(event.offset().max(self.base.1)),
            _ => flowing,
        }
    }

    /// Where time alone has come to.
    fn flowing(&self, now: Wall) -> Offset {
        let (wall, offset) = self.base;
        match self.speed {
            Some(speed) if self.playing && !self.finished => {
                let gone = i128::from(now.saturating_sub(wall).max(0)) * i128::from(speed) / 100;
                offset.saturating_add(Offset::try_from(gone).unwrap_or(Offset::MAX))
            }
            Some(_) => offset,
            // At max nothing holds time back but the caller's room.
            None if self.playing && !self.finished => Offset::MAX,
            None => offset,
        }
    }

    fn event(&mut self) -> Result<Event, SourceError> {
        let due = self.source.next_due()?;
        let event = match (self.looping, due) {
            (Looping::Stretch(_, to), Some(due)) if due < to => Event::Due(due),
            (Looping::Stretch(_, to), _) => Event::Wrap(to),
            (_, Some(due)) => Event::Due(due),
            (Looping::All, None) => Event::Wrap(self.from),
            (Looping::Off, None) => Event::End(self.from),
        };
        Ok(match self.end() {
            Some(end) if event.offset() >= end => Event::End(end),
            _ => event,
        })
    }

    /// Offset at which the time to be played is over.
    fn end(&self) -> Option<Offset> {
        self.limit.map(|limit| self.played.1.saturating_add(limit.saturating_sub(self.played.0).max(0)))
    }

    /// The last offset that may be said before the loop wraps or the end comes.
    fn last_allowed(&self) -> Offset {
        let end = self.end().map_or(Offset::MAX, |end| end - 1);
        match self.looping {
            Looping::Stretch(_, to) => end.min(to - 1),
            _ => end,
        }
    }

    /// Source time by which the gap limit shortens the wait for this event.
    fn excess(&self, event: Event) -> Offset {
        match (self.gap, event) {
            (Some(gap), Event::Due(at)) if self.speed.is_some() => (at - self.from.min(at) - gap).max(0),
            _ => 0,
        }
    }

    /// When this is to happen; `None`: at once.
    fn deadline(&self, event: Event) -> Option<Wall> {
        let by_pace = self.speed.map(|speed| {
            let ahead = event.offset() - self.excess(event) - self.base.1;
            let wait = (i128::from(ahead.max(0)) * 100 + i128::from(speed) - 1) / i128::from(speed);
            self.base.0.saturating_add(Wall::try_from(wait).unwrap_or(Wall::MAX))
        });
        match event {
            Event::Wrap(_) if self.round.1 == 0 || self.has_no_length() => {
                let earliest = self.round.0 + SHORTEST_LOOP;
                Some(by_pace.map_or(earliest, |at| at.max(earliest)))
            }
            _ => by_pace,
        }
    }

    fn has_no_length(&self) -> bool {
        match self.looping {
            // Of one moment: shorter than any two times that a log can tell apart.
            Looping::Stretch(from, to) => to - from < MILLISECOND,
            _ => self.source.duration().is_none_or(|d| d == 0),
        }
    }

    fn say(&mut self, until: Offset, room: usize, out: &mut Vec<Frame>) -> Result<(), SourceError> {
        let before = out.len();
        let result = self.source.poll(until, room, out);
        self.round.1 += (out.len() - before) as u64;
        if let Some(last) = out[before..].last() {
            self.from = last.offset;
            self.furthest = self.furthest.max(last.offset);
        }
        result
    }

    /// The time played when the source stands at `position`.
    fn played_at(&self, position: Offset) -> Offset {
        self.played.0 + (position - self.played.1).max(0)
    }

    /// Stands at an offset from now on.
    fn stand(&mut self, now: Wall, at: Offset) {
        self.base = (now, at);
        self.furthest = self.furthest.max(at);
    }

    fn wrap(&mut self, now: Wall, at: Offset) -> Result<(), SourceError> {
        let scheduled = self.deadline(Event::Wrap(at)).unwrap_or(now).min(now);
        let played = self.played_at(at);
        let start = match self.looping {
            Looping::Stretch(from, _) => {
                self.source.seek(To::Offset(from))?;
                from
            }
            _ => self.source.seek(To::Start)?,
        };
        if self.looping == Looping::All && self.source.next_due()?.is_none() {
            self.finished = true; // nothing in it
            return Ok(());
        }
        // Wrapped when it was due, not when it was noticed, so that many rounds stay on the beat.
        let wall = if self.speed.is_some() { scheduled } else { now };
        self.base = (wall, start);
        self.round = (wall, 0);
        self.from = start;
        self.played = (played, start);
        Ok(())
    }
}

#[cfg(test)]
#[path = "player_tests.rs"]
mod tests;

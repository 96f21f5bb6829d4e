//! What a player does when it is told: play, pause, steps, moves, speed, loops.
//!
//! A command that cannot be done changes nothing. Steps are the only commands that send.

use super::super::target::Target;
use super::super::{Ahead, Looping, SourceError, To, Transport, Unit};
use super::{Event, Player, speed_text};
use crate::core::frame::Frame;
use crate::core::time::{Offset, Wall};

/// The most sentences that one command sends.
const STEP_MOST: usize = 65_536;
/// The most moments without a sentence that a step passes over.
const SILENT_MOST: usize = 600;

impl Player {
    /// Obeys. What a step sends is appended to `out`.
    ///
    /// # Errors
    /// When the source cannot do it, or what is asked is out of range: then nothing has changed.
    pub fn command(&mut self, now: Wall, command: &Transport, out: &mut Vec<Frame>) -> Result<(), SourceError> {
        match *command {
            Transport::Play => self.play(now),
            Transport::Pause => {
                self.hold(now);
                Ok(())
            }
            Transport::Toggle if self.playing && !self.finished => self.command(now, &Transport::Pause, out),
            Transport::Toggle => self.play(now),
            Transport::Step(unit, n) if n < 0 => self.back(now, unit, n),
            Transport::Step(unit, n) => {
                for _ in 0..n {
                    match unit {
                        Unit::Sentence => self.step(now, out)?,
                        Unit::Epoch => self.epoch(now, out)?,
                        _ => return Err(SourceError::Cannot("a step is a sentence or an epoch; use a move".into())),
                    }
                    if out.len() >= STEP_MOST {
                        break;
                    }
                }
                Ok(())
            }
            Transport::Seek(to) => self.seek(now, to),
            Transport::Go(target) => self.go(now, target),
            Transport::Speed(speed) => {
                if speed.is_some_and(|hundredths| !(10..=100_000).contains(&hundredths)) {
                    let asked = speed_text(speed);
                    return Err(SourceError::Invalid(format!("speed {asked}: give 0.1 to 1000, or max")));
                }
                let position = self.position(now);
                self.speed = speed;
                self.base = (now, position);
                Ok(())
            }
            Transport::Loop(looping) => self.repeat(now, looping),
            Transport::LoopPoint => self.loop_point(now),
            Transport::Gap(gap) => {
                if gap.is_some_and(|g| g < 0) {
                    return Err(SourceError::Invalid("the gap limit cannot be negative".into()));
                }
                let position = self.position(now);
                self.gap = gap;
                self.base = (now, position);
                Ok(())
            }
            Transport::Emit(emit) => {
                self.emit = emit;
                Ok(())
            }
        }
    }

    /// To where a person said, by the source's own times.
    fn go(&mut self, now: Wall, target: Target) -> Result<(), SourceError> {
        let position = self.position(now);
        let to = target.resolve(self.source.as_ref(), position, self.furthest).map_err(SourceError::Invalid)?;
        self.seek(now, to)
    }

    /// Repeats this from now on.
    fn repeat(&mut self, now: Wall, looping: Looping) -> Result<(), SourceError> {
        if matches!(looping, Looping::Stretch(from, to) if from < 0 || to <= from) {
            return Err(SourceError::Invalid("the loop must end after it begins".into()));
        }
        let position = self.position(now);
        self.looping = looping;
        self.loop_from = None;
        self.finished = false;
        self.base = (now, position);
        Ok(())
    }

    /// One key for an A-B loop: A here, then B here, then no loop. Twice at the same place: no loop either.
    fn loop_point(&mut self, now: Wall) -> Result<(), SourceError> {
        let here = self.edge(now)?;
        match (self.looping, self.loop_from) {
            (Looping::Stretch(..), _) => self.repeat(now, Looping::Off),
            (_, None) => {
                self.loop_from = Some(here);
                Ok(())
            }
            (_, Some(a)) if a == here => {
                self.loop_from = None;
                Ok(())
            }
            (_, Some(a)) => {
                let (a, b) = (a.min(here), a.max(here));
                // Nothing comes behind the last sentence on which B could be set: there it counts in.
                let last = self.source.duration() == Some(b);
                self.repeat(now, Looping::Stretch(a, b + Offset::from(last)))
            }
        }
    }

    /// The play head as an end of a stretch: behind what was said at this moment, before what is still to be said.
    fn edge(&mut self, now: Wall) -> Result<Offset, SourceError> {
        let position = self.position(now);
        let said = self.from >= position && self.source.next_due()?.is_none_or(|due| due > position);
        Ok(position + Offset::from(said))
    }

    fn hold(&mut self, now: Wall) {
        let position = self.position(now);
        self.stand(now, position);
        self.playing = false;
    }

    fn play(&mut self, now: Wall) -> Result<(), SourceError> {
        if self.playing && !self.finished {
            return Ok(());
        }
        if matches!(self.event()?, Event::End(at) if self.position(now) >= at) {
            self.seek(now, To::Start)?;
            self.played = (0, 0);
        }
        if !self.playing {
            self.base.0 = now;
            self.round.0 = now;
            self.playing = true;
        }
        Ok(())
    }

    /// Stands before the next sentence to be stepped on to; wraps for it when looping. `None`: there is none.
    fn next_step(&mut self, now: Wall) -> Result<Option<Offset>, SourceError> {
        self.hold(now);
        if let Event::Wrap(at) = self.event()? {
            self.wrap(now, at)?;
        }
        Ok(match self.event()? {
            Event::Due(due) => Some(due),
            _ => None,
        })
    }

    fn step(&mut self, now: Wall, out: &mut Vec<Frame>) -> Result<(), SourceError> {
        let before = out.len();
        // What is due may have nothing to say: then it is not yet the step; for ever so long, though, it waits for nothing.
        for _ in 0..SILENT_MOST {
            let Some(due) = self.next_step(now)? else { break };
            self.say(due, 1, out)?;
            self.stand(now, due);
            if out.len() > before {
                break;
            }
        }
        Ok(())
    }

    fn epoch(&mut self, now: Wall, out: &mut Vec<Frame>) -> Result<(), SourceError> {
        if let Some(due) = self.next_step(now)? {
            let last = self.last_allowed();
            match self.source.to_epoch()? {
                Some(Ahead::Sentences(n)) => self.say(last, n.clamp(1, STEP_MOST), out)?,
                Some(Ahead::Before(end)) => self.say((end - 1).max(due).min(last), STEP_MOST, out)?,
                None => self.say(due, STEP_MOST, out)?,
            }
            self.stand(now, self.from);
        }
        Ok(())
    }

    fn back(&mut self, now: Wall, unit: Unit, by: i64) -> Result<(), SourceError> {
        if !self.source.can().step_back {
            return Err(SourceError::Cannot("this source cannot go back".into()));
        }
        self.hold(now);
        self.seek(now, To::Move(unit, by))
    }

    fn seek(&mut self, now: Wall, to: To) -> Result<(), SourceError> {
        if !self.source.can().seek {
            return Err(SourceError::Cannot("this source has no positions to go to".into()));
        }
        let before = self.position(now);
        let found = self.source.seek(to)?;
        // Asked for a moment, it stands at that moment, also within a gap.
        let stand = match to {
            To::Offset(asked) => asked.clamp(0, self.source.duration().unwrap_or(Offset::MAX)),
            _ => found,
        };
        self.played = (self.played_at(before), stand);
        self.from = stand;
        self.finished = false;
        self.round = (now, 0);
        self.generation = self.generation.wrapping_add(1);
        self.stand(now, stand);
        Ok(())
    }
}

//! The simulation as a source: polled, sought, changed. Going back is a re-run from a checkpoint with the journal.
//!
//! Must not say anything by itself.

use std::sync::Arc;

use bytes::BytesMut;

use super::model::Quantity;
use super::state::{Course, Entry, State};
use super::{STEP, change, fleet};
use crate::core::frame::Frame;
use crate::core::profile::schema::Start;
use crate::core::profile::{Control, Profile, controls};
use crate::core::time::{MINUTE, Offset, SECOND, Utc};
use crate::core::track::Track;
use crate::core::transport::{Ahead, Can, Change, Said, Source, SourceError, To, Unit};
use crate::core::vessel::Position;
use crate::core::vessel::Vessel;

/// Checkpoints are so far apart, doubled whenever there are too many.
const APART: Offset = 5 * MINUTE;
/// The most checkpoints.
const MOST: usize = 64;

/// A simulated vessel.
pub struct Simulation {
    course: Course,
    state: State,
    checkpoints: Vec<State>,
    apart: Offset,
    /// The profile with every change asked for, also those that wait for the next step.
    shown: Profile,
    /// Keys that these put to a value.
    put: Vec<String>,
    /// From which it was made, and how often it was made anew.
    shown_from: (Arc<Profile>, u64),
    /// Time has come so far.
    now: Offset,
    missed: u64,
    buffer: BytesMut,
    /// What the controls differ from.
    file: Profile,
}

impl Simulation {
    /// A vessel as a profile describes it. `now` is the UTC at which a clock that starts "now" starts: at the whole second.
    pub fn new(profile: Profile, now: Utc) -> Simulation {
        Simulation::sailing(profile, None, now)
    }

    /// A vessel that follows a track. The clock starts where a track that knows its times does, unless the profile names a
    /// time.
    pub fn with_track(profile: Profile, track: Track, now: Utc) -> Simulation {
        Simulation::sailing(profile, Some(track), now)
    }

    fn sailing(profile: Profile, track: Option<Track>, now: Utc) -> Simulation {
        let of_track = track.as_ref().and_then(Track::start_utc);
        let utc = match (profile.simulation.start_time, of_track) {
            (Start::At(utc), _) | (Start::Now, Some(utc)) => utc,
            (Start::Now, None) => now.div_euclid(SECOND) * SECOND,
        };
        let mut script: Vec<Entry> = Vec::new();
        for step in &profile.step {
            // The first step of the model that is not before it.
            let at = ((step.at + STEP - 1) / STEP).unsigned_abs();
            script.extend(change::of_step(step).into_iter().map(|change| Entry { step: at, change }));
        }
        script.sort_by_key(|e| e.step);
        let file = profile.clone();
        let course = Course { start: profile, utc, script, journal: Vec::new(), stalls: Vec::new(), track };
        let state = State::new(&course);
        let shown = (*state.running).clone();
        let shown_from = (state.running.clone(), 0);
        let checkpoints = vec![state.clone()];
        let buffer = BytesMut::new();
        Simulation {
            course,
            state,
            checkpoints,
            apart: APART,
            shown,
            put: Vec::new(),
            shown_from,
            now: 0,
            missed: 0,
            buffer,
            file,
        }
    }

    /// The profile with which it started.
    pub fn start(&self) -> &Profile {
        &self.course.start
    }

    /// The seed of everything random.
    pub fn seed(&self) -> u64 {
        self.course.start.simulation.seed
    }

    /// The control pane.
    pub fn controls(&self) -> Vec<Control> {
        controls::controls(&self.shown, &self.file)
    }

    /// What was asked while it ran: step of the model and change.
    pub fn journal(&self) -> impl Iterator<Item = (u64, &Change)> {
        self.course.journal.iter().map(|e| (e.step, &e.change))
    }

    /// The track that it follows, for a chart.
    pub fn track(&self) -> Option<&Track> {
        self.course.track.as_ref()
    }

    /// Where the vessel is, whatever its instruments say.
    pub fn position(&self) -> Position {
        self.state.model.position
    }

    /// Says the next round, whose offset is known to be due.
    fn round(&mut self, at: Offset) {
        if self.checkpoints.last().is_none_or(|c| at >= c.last.max(0) + self.apart) && self.state.pending.is_empty() {
            self.checkpoints.push(self.state.clone());
            if self.checkpoints.len() > MOST {
                let mut keep = false;
                self.checkpoints.retain(|_| {
                    keep = !keep;
                    keep
                });
                self.apart *= 2;
            }
        }
        self.state.round(&self.course, at, &mut self.buffer);
    }

    /// Stands at the latest checkpoint that fits, or at the start.
    fn go_back(&mut self, fits: impl Fn(&State) -> bool) {
        if let Some(i) = self.checkpoints.iter().rposition(fits) {
            self.state = self.checkpoints[i].clone();
        } else {
            self.state = State::new(&self.course);
        }
    }

    fn seek_offset(&mut self, to: Offset) {
        let to = to.max(0);
        if self.state.last >= to {
            self.go_back(|c| c.last < to && c.pending.is_empty());
        }
        while let Some(next) = self.state.next_due().filter(|next| *next < to) {
            if self.state.take().is_none() {
                self.round(next);
            }
        }
        self.now = to;
    }

    fn seek_sentence(&mut self, to: u64) {
        if self.state.said > to {
            self.go_back(|c| c.said <= to);
        }
        while self.state.said < to {
            let Some(next) = self.state.next_due() else { break };
            if self.state.take().is_none() {
                self.round(next);
            }
        }
        self.now = self.state.last.max(0);
    }

    /// The offset so many epochs from the next sentence.
    fn epoch(&self, by: i64) -> Offset {
        let mut at = self.state.next_due().unwrap_or(self.now);
        for _ in 0..by.unsigned_abs().min(1_000_000) {
            let next = if by > 0 { self.state.next_epoch(at) } else { self.state.last_epoch(at) };
            match next {
                Some(next) => at = next,
                None => return if by > 0 { at } else { 0 },
            }
        }
        at
    }

    /// The changes asked for, applied to the profile that is shown.
    fn show(&mut self) {
        let mut shown = (*self.state.running).clone();
        let (mut touched, mut put): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for entry in self.waiting() {
            // A second nudge goes on from the first.
            let before = shown.clone();
            let fresh = |key: &str| !touched.iter().any(|t| t == key);
            let value = |key: &str| fresh(key).then(|| self.state.value(&before.target, key)).flatten();
            // Checked when it was asked.
            let Ok(keys) = change::apply(&mut shown, &self.course.start, &entry.change, &value) else { continue };
            match &entry.change {
                Change::Set { .. } | Change::Nudge { .. } => put.extend_from_slice(&keys),
                _ => put.retain(|key| !keys.contains(key)),
            }
            touched.extend(keys);
        }
        self.shown = shown;
        self.put = put;
        self.shown_from = (self.state.running.clone(), self.shown_from.1 + 1);
    }

    /// A step of the scenario, or of the journal after a way back, changes the profile by itself.
    fn show_what_changed(&mut self) {
        if !Arc::ptr_eq(&self.shown_from.0, &self.state.running) {
            self.show();
        }
    }

    /// What was asked and takes effect at the next step.
    fn waiting(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        let next = self.next_step();
        self.state.waiting(&self.course).iter().filter(move |e| e.step <= next)
    }

    /// Whether a key will be held at the next step, if anything was asked of it.
    fn waits(&self, key: &str) -> Option<bool> {
        self.waiting().rev().find_map(|e| match &e.change {
            Change::Set { key: k, .. } | Change::Nudge { key: k, .. } if k == key => Some(true),
            Change::Release { key: k } if k == key || k == "*" => Some(false),
            Change::Reset => Some(false),
            _ => None,
        })
    }

    /// The step at which a command given now takes effect.
    fn next_step(&self) -> u64 {
        self.state.model.step.max((self.now / STEP).unsigned_abs()) + 1
    }
}

impl Source for Simulation {
    fn can(&self) -> Can {
        Can { seek: true, step_back: true, set: true }
    }

    fn next_due(&mut self) -> Result<Option<Offset>, SourceError> {
        let due = self.state.next_due();
        Ok(match self.duration() {
            Some(end) => due.filter(|due| *due <= end),
            None => due,
        })
    }

    fn poll(&mut self, until: Offset, room: usize, out: &mut Vec<Frame>) -> Result<(), SourceError> {
        let until = until.min(self.duration().unwrap_or(Offset::MAX));
        let end = out.len().saturating_add(room);
        while let Some(next) = self.state.next_due().filter(|next| *next <= until) {
            if out.len() >= end {
                self.now = self.now.max(self.state.last);
                self.show_what_changed();
                return Ok(());
            }
            match self.state.take() {
                Some(frame) => out.push(frame),
                None => self.round(next),
            }
        }
        if until < Offset::MAX {
            self.now = self.now.max(until);
        }
        self.show_what_changed();
        Ok(())
    }

    fn seek(&mut self, to: To) -> Result<Offset, SourceError> {
        let cannot = |what: &str| SourceError::Cannot(format!("a simulation has no {what} to go to"));
        match to {
            To::Start => self.seek_offset(0),
            To::End => match self.duration() {
                Some(end) => self.seek_offset(end + 1),
                None => return Err(cannot("end")),
            },
            To::Offset(at) => self.seek_offset(at.min(self.duration().unwrap_or(Offset::MAX))),
            To::Place(_) | To::Line(_) => return Err(cannot("line")),
            To::Move(Unit::Sentence, by) => self.seek_sentence(self.state.said.saturating_add_signed(by)),
            To::Move(Unit::Epoch, by) => self.seek_offset(self.epoch(by)),
            To::Move(Unit::Bad | Unit::Warning, _) => return Err(cannot("bad line")),
            To::Move(Unit::Gap, _) => return Err(cannot("gap")),
        }
        self.show();
        Ok(self.next_due()?.unwrap_or(self.now))
    }

    fn duration(&self) -> Option<Offset> {
        let track = self.course.track.as_ref().filter(|_| !self.course.start.track.looping)?;
        // To the next whole second, so that the last point is told, with the vessel at rest.
        Some((track.duration() + SECOND - 1) / SECOND * SECOND)
    }

    fn vessel(&self) -> &Vessel {
        &self.state.vessel
    }

    fn utc(&self, offset: Offset) -> Option<Utc> {
        Some(self.course.utc(offset))
    }

    fn set(&mut self, change: &Change) -> Result<(), SourceError> {
        let step = self.next_step();
        let mut shown = self.shown.clone();
        let (mut touched, mut asked): (Vec<String>, Vec<Change>) = (Vec::new(), Vec::new());
        // Its parts one by one: so they are written as the steps of a scenario.
        for part in change.singles() {
            let before = shown.clone();
            // A second nudge goes on from the first.
            let fresh = |key: &str| !touched.iter().any(|t| t == key) && self.waits(key).is_none();
            let value = |key: &str| fresh(key).then(|| self.state.value(&before.target, key)).flatten();
            let keys = change::apply(&mut shown, &self.course.start, part, &value).map_err(SourceError::Invalid)?;
            touched.extend(keys);
            asked.push(match part {
                // To what is shown from now on, wherever it has drifted when it takes effect.
                Change::Nudge { key, .. } => {
                    let value = shown.get(key).map_err(SourceError::Invalid)?;
                    Change::Set { key: key.clone(), value }
                }
                part => part.clone(),
            });
        }
        fleet::every_ship_is_another(&shown.target).map_err(SourceError::Invalid)?;
        // A command in the past begins another future.
        self.course.journal.retain(|e| e.step <= step);
        self.course.stalls.retain(|s| s.0 <= self.now);
        let here = self.state.said;
        self.checkpoints.retain(|c| c.said <= here);
        self.course.journal.extend(asked.into_iter().map(|change| Entry { step, change }));
        self.show();
        Ok(())
    }

    fn to_epoch(&mut self) -> Result<Option<Ahead>, SourceError> {
        let next = self.state.next_due().and_then(|here| self.state.next_epoch(here));
        Ok(next.map(Ahead::Before))
    }

    fn leave_out(&mut self, until: Offset) -> Result<bool, SourceError> {
        let until = until.min(self.duration().unwrap_or(Offset::MAX));
        if until == Offset::MAX {
            return Ok(true);
        }
        // What is pending was due; it goes out with what is due now.
        let mut pending = std::mem::take(&mut self.state.pending);
        if let Some(first) = self.state.next_due().filter(|first| *first <= until) {
            self.course.slept(first, until);
        }
        while let Some(next) = self.state.next_due().filter(|next| *next <= until) {
            self.missed += self.state.round(&self.course, next, &mut self.buffer);
            pending.append(&mut self.state.pending);
        }
        self.state.pending = pending;
        self.now = self.now.max(until);
        self.show_what_changed();
        Ok(true)
    }

    fn missed(&self) -> u64 {
        self.missed
    }

    fn profile(&self) -> Option<&Profile> {
        Some(&self.shown)
    }

    fn is_touched(&self) -> bool {
        !self.course.journal.is_empty()
    }

    fn edition(&self) -> u64 {
        self.shown_from.1
    }

    fn profile_at_start(&self) -> Option<&Profile> {
        Some(&self.course.start)
    }

    fn is_pinned(&self, key: &str) -> bool {
        self.waits(key).filter(|_| Quantity::of_key(key).is_some()).unwrap_or_else(|| self.state.is_pinned(key))
    }

    fn moving(&self, exact: bool) -> Vec<(String, f64)> {
        let mut all = if exact {
            let mut state = self.state.clone();
            state.advance(&self.course, (self.now / STEP).unsigned_abs());
            state.moving(&self.shown.target)
        } else {
            self.state.moving(&self.shown.target)
        };
        // What waits for the next step is as good as there; the rudder takes its time.
        for (key, now) in all
            .iter_mut()
            .filter(|(key, _)| !key.starts_with("target.") && key != "steering.rudder" && self.put.contains(key))
        {
            *now = self.shown.get(key).ok().and_then(|there| there.parse().ok()).unwrap_or(*now);
        }
        all
    }

    fn said(&self) -> Vec<Said> {
        self.state.lately.said(self.now)
    }

    fn lap(&self) -> Option<Offset> {
        let track = self.course.track.as_ref().filter(|_| self.course.start.track.looping)?;
        Some(track.duration()).filter(|lap| *lap > 0)
    }

    fn scenario(&self) -> Result<Profile, SourceError> {
        let mut profile = self.course.start.clone();
        for entry in &self.course.journal {
            profile.add_step(entry.step as Offset * STEP, &entry.change).map_err(SourceError::Invalid)?;
        }
        Ok(profile)
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.state.is_beyond_model() {
            notes.push(
                "the date lies outside the magnetic model (2025 to 2029): the variation is that of its nearest day"
                    .to_string(),
            );
        }
        match self.state.unsaid {
            0 => {}
            1 => notes.push("1 sentence was left out: it would be longer than 82 characters".into()),
            n => notes.push(format!("{n} sentences were left out: they would be longer than 82 characters")),
        }
        notes
    }

    fn faults(&self) -> Vec<(String, u64)> {
        self.state.faults.counts()
    }
}

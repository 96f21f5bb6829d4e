//! The simulation at one moment: model, schedule, and what is said but not yet taken. A copy is a checkpoint.
//!
//! Goes forward only. Must not know the caller's clock or how much it takes.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::BytesMut;

use super::faults::{Faults, Sending};
use super::fill::Instruments;
use super::lately::Lately;
use super::model::{Model, Quantity, Towed};
use super::schedule::{By, Schedule};
use super::{STEP, change, custom, fleet};
use crate::core::ais::cpa::Motion;
use crate::core::ais::fleet::Fleet;
use crate::core::ais::own::{Report, Transponder};
use crate::core::ais::radar::Radar;
use crate::core::ais::sentence::Ids;
use crate::core::frame::{Class, Frame, Origin};
use crate::core::nmea::{Style, Version, table};
use crate::core::profile::Profile;
use crate::core::profile::schema::{FaultKind, Target};
use crate::core::time::{Moment, Offset, SECOND, Utc};
use crate::core::track::Track;
use crate::core::transport::Change;
use crate::core::vessel::geodesy::direct;
use crate::core::vessel::units::NM_M;
use crate::core::vessel::{Known, Vessel};

/// A change and the step at which it takes effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The step.
    pub step: u64,
    /// The change.
    pub change: Change,
}

/// What does not change while the simulation runs, but for the journal.
pub struct Course {
    /// The profile as it starts.
    pub start: Profile,
    /// UTC at offset 0.
    pub utc: Utc,
    /// The scenario of the profile.
    pub script: Vec<Entry>,
    /// What was asked while it ran.
    pub journal: Vec<Entry>,
    /// Spans in which the caller slept, in order: the first round that was left out, and when it woke.
    pub stalls: Vec<(Offset, Offset)>,
    /// What moves the vessel in place of the helm.
    pub track: Option<Track>,
}

impl Course {
    /// UTC at an offset.
    pub fn utc(&self, at: Offset) -> Utc {
        if self.start.simulation.fixed_clock { self.utc } else { self.utc.saturating_add(at) }
    }

    /// When the caller woke, if it slept through this round.
    pub fn late(&self, at: Offset) -> Option<Offset> {
        let before = self.stalls.partition_point(|(from, _)| *from <= at);
        let (_, until) = *self.stalls.get(before.checked_sub(1)?)?;
        (at <= until).then_some(until)
    }

    /// The caller slept from the first of these rounds to the second moment.
    pub fn slept(&mut self, from: Offset, until: Offset) {
        let place = self.stalls.partition_point(|stall| stall.0 <= from);
        match place.checked_sub(1).and_then(|i| self.stalls.get_mut(i)) {
            Some(stall) if stall.1 >= from => stall.1 = stall.1.max(until),
            _ => self.stalls.insert(place, (from, until)),
        }
    }

    fn towed(&self, at: Offset) -> Option<Towed> {
        let sailed = self.track.as_ref()?.state_at(at);
        Some(Towed {
            position: sailed.position,
            course_deg: sailed.cog_deg.unwrap_or(sailed.heading_deg),
            speed_kn: sailed.sog_kn,
            heading_deg: sailed.heading_deg,
            rate_deg_s: sailed.rate_of_turn_deg_min / 60.0,
            altitude_m: sailed.altitude_m,
        })
    }
}

/// The simulation at one moment.
#[derive(Clone)]
pub struct State {
    /// The profile as changed so far.
    pub running: Arc<Profile>,
    /// The vessel in steps.
    pub model: Model,
    /// What the instruments showed in the last round.
    pub vessel: Box<Vessel>,
    /// Injected so far.
    pub faults: Faults,
    /// Said, and not yet taken.
    pub pending: VecDeque<Frame>,
    /// Taken so far.
    pub said: u64,
    /// Offset of the last one taken; -1 before the first.
    pub last: Offset,
    instruments: Instruments,
    schedule: Schedule,
    transponder: Transponder,
    ids: Ids,
    fleet: Arc<Fleet>,
    /// The fleet has said everything up to here; and when it speaks next.
    heard: (Offset, Option<Offset>),
    radar: Radar,
    delayed: Vec<(Offset, Frame)>,
    seq: u64,
    /// Next entries of script and journal.
    script_at: usize,
    journal_at: usize,
    /// Sentences left out because they would be too long.
    pub unsaid: u64,
    /// What was said of late.
    pub lately: Lately,
}

impl State {
    /// Before the first sentence.
    pub fn new(course: &Course) -> State {
        let running = Arc::new(course.start.clone());
        let fleet = Arc::new(fleet::of(&running.target));
        let mut state = State {
            model: Model::new(&running),
            vessel: Box::default(),
            faults: Faults::default(),
            pending: VecDeque::new(),
            said: 0,
            last: -1,
            instruments: Instruments::default(),
            schedule: Schedule::new(&running),
            transponder: Transponder::new(),
            ids: Ids::new(),
            heard: (-1, None),
            fleet,
            radar: Radar::new(),
            delayed: Vec::new(),
            seq: 0,
            script_at: 0,
            journal_at: 0,
            unsaid: 0,
            lately: Lately::default(),
            running,
        };
        state.faults.change(&state.running);
        if let Some(towed) = course.towed(0) {
            state.model.place(&state.running, towed);
        }
        state.obey(course, 0);
        state.hear_fleet();
        let utc = course.utc(0);
        state.instruments.show(&state.model, &state.running, 0, utc, true, &mut state.vessel);
        state
    }

    /// Offset of the next sentence, or of what may have one.
    pub fn next_due(&self) -> Option<Offset> {
        if let Some(frame) = self.pending.front() {
            return Some(frame.offset);
        }
        let fleet = self.heard.1;
        let delayed = self.delayed.first().map(|d| d.0);
        [self.schedule.next_due(), fleet, delayed].into_iter().flatten().min()
    }

    /// The next offset after `at` at which a sentence with a time of its own is due.
    pub fn next_epoch(&self, at: Offset) -> Option<Offset> {
        self.schedule.slots(at).map(|(after, _)| after).min()
    }

    /// The last offset before `at` at which a sentence with a time of its own was due.
    pub fn last_epoch(&self, at: Offset) -> Option<Offset> {
        self.schedule.slots(at).filter_map(|(_, before)| before).max()
    }

    /// Whether a key is held.
    pub fn is_pinned(&self, key: &str) -> bool {
        Quantity::of_key(key).is_some_and(|q| self.model.pinned(q))
    }

    /// The variation is that of the magnetic model's nearest year: the date lies outside its years.
    pub fn is_beyond_model(&self) -> bool {
        self.instruments.beyond_model
    }

    /// What a key is now, if the model moves it; of ships as they are numbered in this list.
    pub fn value(&self, ships: &[Target], key: &str) -> Option<f64> {
        match key {
            "vessel.latitude" => Some(self.model.position.latitude),
            "vessel.longitude" => Some(self.model.position.longitude),
            "steering.heading" if self.running.steering.heading.is_none() => Some(self.model.value(Quantity::Heading)),
            key => match key.strip_prefix("target.").and_then(|k| k.split_once('.')) {
                Some((n, name)) => self.of_ship(ships.get(n.parse::<usize>().ok()?)?.mmsi?, name),
                None => Quantity::of_key(key).map(|q| self.model.value(q)),
            },
        }
    }

    /// Where a simulated ship is, and where she goes.
    fn of_ship(&self, mmsi: u32, name: &str) -> Option<f64> {
        let motion = self.fleet.ships.iter().find(|s| s.mmsi == mmsi)?.motion(self.model.step as Offset * STEP);
        match name {
            "latitude" => Some(motion.position.latitude),
            "longitude" => Some(motion.position.longitude),
            "course" => Some(motion.course_true_deg),
            _ => None,
        }
    }

    /// What the keys are that the model moves; of ships as they are numbered in this list, and where it puts those that are
    /// elsewhere yet.
    pub fn moving(&self, ships: &[Target]) -> Vec<(String, f64)> {
        let model = &self.model;
        let mut all: Vec<(String, f64)> = Quantity::ALL.iter().map(|q| (q.key().into(), model.value(*q))).collect();
        all.push(("vessel.latitude".into(), model.position.latitude));
        all.push(("vessel.longitude".into(), model.position.longitude));
        all.push(("steering.rudder".into(), model.helm.rudder_deg));
        for (n, ship) in ships.iter().enumerate() {
            let Some(mmsi) = ship.mmsi else { continue };
            let known = self.running.target.iter().find(|t| t.mmsi == ship.mmsi);
            let of: [(&str, fn(&Target) -> Option<f64>); 3] =
                [("latitude", |t| t.latitude), ("longitude", |t| t.longitude), ("course", |t| Some(t.course))];
            for (name, said) in of {
                let sails = known.is_some_and(|known| said(known) == said(ship));
                let value = if sails { self.of_ship(mmsi, name) } else { said(ship) };
                all.extend(value.map(|value| (format!("target.{n}.{name}"), value)));
            }
        }
        all
    }

    /// Entries of the journal that have not yet taken effect.
    pub fn waiting<'c>(&self, course: &'c Course) -> &'c [Entry] {
        course.journal.get(self.journal_at..).unwrap_or_default()
    }

    /// Takes the next sentence.
    pub fn take(&mut self) -> Option<Frame> {
        let frame = self.pending.pop_front()?;
        self.said += 1;
        self.last = frame.offset;
        Some(frame)
    }

    /// Says the round at `at`, which is the next due: its sentences are pending from now on. If the caller slept, those
    /// that are due again before it woke are left out; answers how many were.
    pub fn round(&mut self, course: &Course, at: Offset, buffer: &mut BytesMut) -> u64 {
        let late = course.late(at);
        self.advance(course, (at / STEP).unsigned_abs());
        let mut utc = Some(course.utc(at));
        let navigates = self.model.leg.is_some() && (at % SECOND == 0 || self.schedule.navigates(at));
        self.instruments.show(&self.model, &self.running, at, course.utc(at), navigates, &mut self.vessel);
        if !self.running.fault.is_empty() {
            self.faults.distort(&self.running, at, &mut utc, &mut self.vessel);
        }
        let mut missed = 0;
        let running = self.running.clone();
        let mut out = Out {
            at,
            running: &running,
            faults: &mut self.faults,
            pending: &mut self.pending,
            delayed: &mut self.delayed,
            seq: &mut self.seq,
            buffer,
            muted: false,
            sent: 0,
        };
        out.release_delayed();
        let settings = &running.sentences;
        let mut from = 0;
        while let Some(i) = self.schedule.take(at, from) {
            from = i + 1;
            let entry = &self.schedule.entries()[i];
            out.muted = late.is_some_and(|late| entry.next <= late);
            missed += u64::from(out.muted);
            let before = out.sent;
            let style = Style {
                talker: &entry.talker,
                decimals: settings.decimals,
                version: if running.gnss.nmea_version { Version::V410 } else { Version::V23 },
                magnetic_bearings: running.destination.magnetic_bearings,
                waypoint_letters: settings.waypoint_letters,
            };
            let talker = |usual| if entry.talker.is_empty() { usual } else { entry.talker.as_str() };
            let vessel = &*self.vessel;
            let moment = Moment { offset: at, utc };
            match entry.by {
                By::Table(row) if !out.muted => {
                    let Some(row) = table::FORMATTERS.get(row) else { continue };
                    self.unsaid += u64::from((row.say)(vessel, moment, &style, &mut |s| out.say(s)));
                    if let Some(far) = out.faults.second_gps(&running, at, row.about.id) {
                        let mut other = *vessel;
                        other.position =
                            other.position.map(|k| Known { value: direct(k.value, 45.0, far * NM_M).position, ..k });
                        out.faults.count(FaultKind::SecondGps, 1);
                        (row.say)(&other, moment, &style, &mut |s| out.say(s));
                    }
                }
                By::Table(_) => {}
                By::Custom(n) if !out.muted => match settings.custom.get(n).map(|c| custom::own(&c.body)) {
                    Some(Some(sentence)) => out.say(&sentence),
                    Some(None) => self.unsaid += 1,
                    None => {}
                },
                By::Custom(_) | By::Nobody => {}
                // A transponder counts what it says, also when nobody hears it.
                By::Vdo => self.transponder.say(Report::Dynamic, vessel, talker("AI"), true, &mut |s| out.say(s)),
                By::VdoStatic => self.transponder.say(Report::Static, vessel, talker("AI"), true, &mut |s| out.say(s)),
                By::Vdm => self.transponder.say(Report::Dynamic, vessel, talker("AI"), false, &mut |s| out.say(s)),
                By::VdmStatic => self.transponder.say(Report::Static, vessel, talker("AI"), false, &mut |s| out.say(s)),
                By::Ttm => {
                    let own = Motion {
                        position: self.model.position,
                        course_true_deg: self.model.over_ground.course_deg(),
                        speed_kn: self.model.over_ground.speed(),
                    };
                    for track in self.radar.sweep(&self.fleet, &own, at, running.vessel.radar_range) {
                        match custom::ttm(&track, talker("RA"), utc) {
                            Some(sentence) => out.say(&sentence),
                            None => self.unsaid += 1,
                        }
                    }
                }
            }
            self.lately.add(&entry.id, at, out.sent - before);
        }
        if self.heard.1.is_some_and(|next| next <= at) {
            out.muted = late.is_some_and(|late| at + SECOND <= late);
            let due = self.fleet.due(self.heard.0, at);
            missed += if out.muted { due.len() as u64 } else { 0 };
            let talker = settings.by_id.get("VDM").and_then(|s| s.talker.as_deref()).unwrap_or("AI");
            let before = out.sent;
            for report in &due {
                self.fleet.say(report, utc, talker, &mut self.ids, &mut |s| out.say(s));
            }
            self.lately.add("VDM", at, out.sent - before);
            self.heard.0 = at;
            self.hear_fleet();
        }
        missed
    }

    /// Moves the model to a step, obeying what is to be done on the way.
    pub fn advance(&mut self, course: &Course, step: u64) {
        while self.model.step < step {
            let next = self.model.step + 1;
            self.obey(course, next);
            let towed = course.towed(next as Offset * STEP);
            self.model.step(&self.running, towed);
        }
    }

    /// Does what script and journal have for a step.
    fn obey(&mut self, course: &Course, step: u64) {
        let due = |entries: &[Entry], at: usize| entries.get(at).is_some_and(|e| e.step <= step);
        if !due(&course.script, self.script_at) && !due(&course.journal, self.journal_at) {
            return;
        }
        let mut changes: Vec<&Change> = Vec::new();
        while due(&course.script, self.script_at) {
            changes.push(&course.script[self.script_at].change);
            self.script_at += 1;
        }
        while due(&course.journal, self.journal_at) {
            changes.push(&course.journal[self.journal_at].change);
            self.journal_at += 1;
        }
        let before = self.running.clone();
        let mut touched: Vec<String> = Vec::new();
        for change in changes {
            let keys = self.change(course, change, &touched);
            touched.extend(keys);
        }
        // Whatever is asked for one moment is one change: a target that gets a new latitude and longitude moves once.
        let now = step as Offset * STEP;
        let under = |section: &str| touched.iter().any(|k| k == "*" || k.starts_with(section));
        if under("target.") {
            self.fleet = Arc::new(fleet::changed(&self.fleet, &before.target, &self.running.target, now));
            self.heard.0 = self.heard.0.max(now - 1);
        }
        if under("sentences.") || under("fault.") {
            self.schedule.change(&self.running, now);
            self.faults.change(&self.running);
        }
        if under("target.") || under("sentences.VDM") {
            self.hear_fleet();
        }
        self.instruments.forget();
    }

    /// Changes the profile and the model; the keys that were touched. `touched`: those that were at the same step.
    fn change(&mut self, course: &Course, change: &Change, touched: &[String]) -> Vec<String> {
        let mut running = (*self.running).clone();
        // A second nudge goes on from the first.
        let value =
            |key: &str| (!touched.iter().any(|t| t == key)).then(|| self.value(&self.running.target, key)).flatten();
        // What was wrong was refused when it was asked; a script is checked when it is read.
        let Ok(keys) = change::apply(&mut running, &course.start, change, &value) else { return Vec::new() };
        let held = matches!(change, Change::Set { .. } | Change::Nudge { .. });
        change::tell(&mut self.model, &running, &keys, held);
        self.running = Arc::new(running);
        keys
    }

    /// When the fleet speaks next; it is silent when VDM is switched off.
    fn hear_fleet(&mut self) {
        let silent = self.running.sentences.by_id.get("VDM").and_then(|s| s.enabled) == Some(false);
        self.heard.1 = if silent { None } else { self.fleet.next_due(self.heard.0) };
    }
}

/// Where the sentences of a round go: through the faults of the line to those that are pending.
struct Out<'a> {
    at: Offset,
    running: &'a Profile,
    faults: &'a mut Faults,
    pending: &'a mut VecDeque<Frame>,
    delayed: &'a mut Vec<(Offset, Frame)>,
    seq: &'a mut u64,
    buffer: &'a mut BytesMut,
    muted: bool,
    /// Sentences sent, or to be sent after a delay.
    sent: u64,
}

impl Out<'_> {
    fn say(&mut self, sentence: &[u8]) {
        if self.muted {
            return;
        }
        if self.running.fault.is_empty() {
            let frame = frame(*self.seq, self.at, Class::Sentence, sentence, self.buffer);
            *self.seq += 1;
            self.sent += 1;
            self.pending.push_back(frame);
            return;
        }
        let Out { at, running, faults, pending, delayed, seq, buffer, sent, .. } = self;
        // A sentence draws by what it says, so that whatever else is said with it changes nothing.
        faults.send(running, *at, super::rng::fnv(sentence), sentence, &mut |s: Sending<'_>| {
            let frame = frame(**seq, s.at, s.class, s.bytes, buffer);
            *sent += u64::from(s.class != Class::Garbled);
            if s.at > *at {
                let place = delayed.partition_point(|d| d.0 <= s.at);
                delayed.insert(place, (s.at, frame));
            } else {
                **seq += 1;
                pending.push_back(frame);
            }
        });
    }

    fn release_delayed(&mut self) {
        let due = self.delayed.partition_point(|d| d.0 <= self.at);
        for (_, frame) in self.delayed.drain(..due) {
            self.pending.push_back(Frame { seq: *self.seq, offset: self.at, ..frame });
            *self.seq += 1;
        }
    }
}

fn frame(seq: u64, at: Offset, class: Class, bytes: &[u8], buffer: &mut BytesMut) -> Frame {
    if buffer.capacity() < bytes.len() {
        buffer.reserve(64 * 1024);
    }
    buffer.extend_from_slice(bytes);
    Frame {
        seq,
        offset: at,
        origin: Origin::Source,
        class,
        place: None,
        bytes: buffer.split().freeze(),
        sentence: (0, bytes.len() as u32),
    }
}

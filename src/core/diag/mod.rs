//! Diagnosis: counters, rates, jitter, load; rules that turn them into findings.
//!
//! [`Diag`] takes frames as they flow ([`Diag::hear`]) and raw bytes of live inputs ([`Diag::hear_raw`]), with the source's
//! own time as an argument; [`Diag::tick`] lets time pass without any. It keeps bounded state whatever comes: at most
//! [`rows::MOST_ROWS`] rows, [`board::MOST`] findings, [`Targets::MOST`] targets. One file per family of rules, each with
//! its thresholds as constants. Must not read a clock nor know where lines come from.

pub mod alarms;
pub mod board;
pub mod bytes;
pub mod cadence;
pub mod clock;
pub mod context;
pub mod doc;
pub mod feed;
pub mod form;
pub mod gnss;
pub mod heading;
pub mod instruments;
pub mod kind;
pub mod last;
pub mod of_log;
pub mod order;
pub mod report;
#[cfg(test)]
mod rig;
pub mod route;
pub mod rows;
#[cfg(test)]
mod rule_tests;
pub mod said;
pub mod stats;
pub mod tags;
pub mod traffic;
pub mod twins;
pub mod views;
pub mod window;

use std::collections::BTreeMap;

use board::{Board, Finding};
use context::{Context, Device, Settings, World};
use feed::{Feed, Input, Medium};
use rows::{Key, MOST_INPUTS, Rows};
use said::Said;

use crate::core::ais::Targets;
use crate::core::frame::{Batch, Class, Frame, Origin};
use crate::core::time::{Moment, Offset, SECOND, Utc, date_of};
use crate::core::vessel::{Label, Position, magnetism};

/// Everything that watches a source.
#[derive(Debug)]
pub struct Diag {
    settings: Settings,
    now: Moment,
    next_second: Offset,
    feeds: BTreeMap<Origin, Feed>,
    rows: Rows,
    board: Board,
    said: Said,
    world: World,
    receivers: gnss::Receivers,
    clocks: clock::Clocks,
    twins: twins::Twins,
    headings: heading::Headings,
    instruments: instruments::Instruments,
    form: form::Form,
    route: route::Route,
    tags: tags::Tags,
    traffic: traffic::Traffic,
    words: alarms::Words,
    breaks: u32,
}

impl Diag {
    /// Has heard nothing.
    pub fn new(settings: Settings) -> Diag {
        Diag {
            settings,
            now: Moment::default(),
            next_second: 0,
            feeds: BTreeMap::new(),
            rows: Rows::default(),
            board: Board::new(),
            said: Said::default(),
            world: World::default(),
            receivers: gnss::Receivers::default(),
            clocks: clock::Clocks::default(),
            twins: twins::Twins::default(),
            headings: heading::Headings::default(),
            instruments: instruments::Instruments::default(),
            form: form::Form::default(),
            route: route::Route::default(),
            tags: tags::Tags::default(),
            traffic: traffic::Traffic::default(),
            words: alarms::Words::default(),
            breaks: 0,
        }
    }

    /// Forgets all counters and findings (key `C`; a seek; another source). What is known of the inputs stays.
    pub fn clear(&mut self) {
        let inputs: Vec<(Origin, Input)> = self.feeds.iter().map(|(o, f)| (*o, f.input.clone())).collect();
        *self = Diag { now: self.now, next_second: self.now.offset, ..Diag::new(self.settings) };
        for (origin, input) in inputs {
            self.input(origin, input, self.now);
        }
    }

    /// What the rules must know of the source; may change while running.
    pub fn set(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Tells what an input is, and that it is listened to from now on; or that it is another one now: its counters go on.
    pub fn input(&mut self, origin: Origin, input: Input, now: Moment) {
        if let Some(feed) = self.feed(origin, now.offset) {
            feed.set(input, now.offset);
        }
    }

    /// Nothing could be heard of an input until now: its baud rate was being looked for.
    pub fn excuse(&mut self, origin: Origin, now: Moment) {
        if let Some(feed) = self.feed(origin, now.offset) {
            feed.excuse(now.offset);
        }
    }

    /// A search over all baud rates found no sentence in what an input says.
    pub fn no_rate(&mut self, origin: Origin, now: Moment) {
        if let Some(feed) = self.feed(origin, now.offset) {
            feed.no_rate();
        }
    }

    /// An input was opened again; the connection before had lived for `lived`.
    pub fn reopened(&mut self, origin: Origin, lived: Option<Offset>, now: Moment) {
        if let Some(feed) = self.feed(origin, now.offset) {
            feed.reopened(lived, now.offset);
        }
    }

    fn feed(&mut self, origin: Origin, at: Offset) -> Option<&mut Feed> {
        if self.feeds.len() >= MOST_INPUTS && !self.feeds.contains_key(&origin) {
            return None;
        }
        Some(self.feeds.entry(origin).or_insert_with(|| Feed::new(origin, at)))
    }

    /// Takes bytes of a live input as they come, before they are cut into lines.
    pub fn hear_raw(&mut self, origin: Origin, bytes: &[u8], now: Moment) {
        self.tick(now);
        if let Some(feed) = self.feed(origin, now.offset) {
            feed.hear_raw(bytes, now.offset);
        }
    }

    /// Takes a frame. `utc` is the time that goes with its offset, where one is known.
    pub fn hear(&mut self, frame: &Frame, utc: Option<Utc>) {
        // What came back on an output is no source.
        if let Origin::Reply(_) | Origin::Pinned = frame.origin {
            return;
        }
        let now = Moment { offset: frame.offset, utc };
        self.tick(now);
        let now = self.now;
        let text = frame.text();
        let parts = said::parts(text);
        let talker = parts.as_ref().map_or(Label::new(b"??"), |(p, _)| Label::new(p.talker()));
        let device = Device { origin: frame.origin, talker };
        let short = parts.as_ref().is_some_and(|(p, row)| row.is_some_and(|r| !form::has_right_count(p, &r.about)));
        let torn = frame.class == Class::WithoutChecksum && short && self.form.has_checksums(device);
        let class = if torn { Class::Truncated } else { frame.class };
        let messy = self.feed(frame.origin, now.offset).is_some_and(|feed| {
            feed.hear_line(text, class, talker, now.offset);
            feed.is_messy()
        });
        let judged = class.is_sentence() || class == Class::MissingChecksum;
        let Some((parts, row)) = parts.filter(|_| judged) else {
            self.damaged(frame, now);
            return;
        };
        let about = row.map(|r| &r.about);
        let key = Key::of(frame.origin, &parts, about);
        self.rows.hear(key, about, now.offset, text);
        self.said.forget();
        if let Some(row) = row {
            self.said.read(&parts, row);
        }
        let before = frame.bytes.get(..frame.sentence.0 as usize).unwrap_or_default();
        self.tags.hear(before, frame.origin, now, &mut self.board);
        let context = Context {
            now,
            device,
            formatter: parts.formatter(),
            parts,
            text,
            said: &self.said,
            about,
            settings: &self.settings,
        };
        let (c, w, b) = (&context, &mut self.world, &mut self.board);
        if !messy {
            self.form.hear(c, class, b);
        }
        if parts.is_proprietary() {
            return;
        }
        w.hear(c);
        self.receivers.hear(c, w, b);
        self.clocks.hear(c, b);
        self.twins.hear(c, w, b);
        self.headings.hear(c, w, model, b);
        self.instruments.hear(c, w, b);
        self.route.hear(c, b);
        self.traffic.hear(c, w, b);
        self.words.hear(c, b);
    }

    /// Takes a batch as it flows through the hub: of a live feed with the host's clock as UTC, else with the source's.
    pub fn hear_batch(&mut self, batch: &Batch) {
        let Some(first) = batch.frames.first().map(|f| f.offset) else { return };
        let utc = if self.settings.live { Some(batch.sent) } else { batch.source_utc };
        for frame in &batch.frames {
            self.hear(frame, utc.map(|utc| utc.saturating_add(frame.offset.saturating_sub(first))));
        }
    }

    fn damaged(&mut self, frame: &Frame, now: Moment) {
        if matches!(frame.class, Class::Comment | Class::Blank | Class::NoSentence) {
            return;
        }
        let address = said::parts(frame.text()).map(|(p, _)| (Label::new(p.talker()), Label::new(p.formatter())));
        self.rows.hear_bad(frame.origin, address, now.offset, &frame.bytes);
    }

    /// Lets time pass. Cheap to call often: the rules about time are asked once a second.
    pub fn tick(&mut self, now: Moment) {
        if now.offset < self.now.offset {
            return;
        }
        self.now = now;
        if now.offset < self.next_second {
            return;
        }
        self.next_second = (now.offset.div_euclid(SECOND) + 1) * SECOND;
        let b = &mut self.board;
        for feed in self.feeds.values_mut() {
            feed.judge(now, self.settings.live, b);
        }
        let feeds = &self.feeds;
        if self.settings.timed {
            let missed = |origin: Origin, last: Offset| feeds.get(&origin).map_or(0, |f| f.heard_without(last));
            cadence::judge(&self.rows, &missed, &self.settings, now, b);
        }
        let udp = |origin: Origin| feeds.get(&origin).is_some_and(|f| f.input.medium == Medium::Udp);
        self.twins.second(now, &udp, b);
        self.receivers.second(now, b);
        self.traffic.second(now, &self.world, b);
    }

    /// The clock of a log breaks at a line by so many seconds.
    pub fn clock_break(&mut self, line: u64, seconds: f64, now: Moment) {
        self.breaks += 1;
        let n = self.breaks;
        self.board.raise(kind::Kind::ClockBreak, Origin::Source, Label::default(), now, || {
            board::seen(
                format!("{n} break{}, at line {line} by {seconds:+.1} s", if n == 1 { "" } else { "s, the last" }),
                &[("breaks", n.into()), ("seconds", seconds)],
            )
        });
    }

    /// The source has ended: what is incomplete stays so.
    pub fn finish(&mut self) {
        self.traffic.finish();
        self.board.ask_again();
        let now = self.now;
        self.next_second = now.offset;
        self.tick(now);
    }

    /// All findings, those that hold first.
    pub fn findings(&self) -> Vec<Finding> {
        self.board.findings()
    }

    /// Errors, warnings, notes: those that hold now, and all.
    pub fn counts(&self) -> [(usize, usize); 3] {
        self.board.counts()
    }

    /// The rows.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The inputs.
    pub fn feeds(&self) -> impl Iterator<Item = &Feed> {
        self.feeds.values()
    }

    /// What was heard by AIS.
    pub fn ais(&self) -> traffic::Counts {
        self.traffic.counts()
    }

    /// Who is around.
    pub fn targets(&self) -> &Targets {
        self.traffic.targets()
    }

    /// What the boat does.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The moment of the last frame or tick.
    pub fn now(&self) -> Moment {
        self.now
    }
}

/// The variation by the World Magnetic Model.
fn model(latitude: f64, longitude: f64, utc: Utc) -> Option<(f64, f64)> {
    let answer = magnetism::variation(Position { latitude, longitude }, utc)?;
    let year = f64::from(date_of(utc).year);
    let outside = if answer.clamped { (MODEL_YEARS.0 - year).max(year - MODEL_YEARS.1).max(0.0) } else { 0.0 };
    Some((answer.degrees, outside))
}

/// The years of the magnetic model (WMM2025).
const MODEL_YEARS: (f64, f64) = (2025.0, 2030.0);

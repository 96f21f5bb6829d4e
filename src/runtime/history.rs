//! What has passed: the last lines, counts by kind, rates, where the vessel was. Fed by the hub, read by snapshots.
//!
//! Every list is bounded. Decodes nothing but the address and the fields that tell kinds apart.

mod lines;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

pub use lines::{KEPT, Line, Lines, Single};

use super::hub::Told;
use super::outputs::encode::utc_of;
use crate::core::filter;
use crate::core::frame::{Batch, Class, Frame, Origin};
use crate::core::nmea::table;
use crate::core::time::{SECOND, Utc, Wall};
use crate::core::vessel::{Bare, Label, Vessel};

/// Kinds that are kept apart; further ones are not listed.
const KINDS: usize = 512;
/// Points of the sailed track.
pub const POINTS: usize = 500;

/// What is counted of one kind: talker, formatter and what tells kinds apart.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Heard or said.
    pub count: u64,
    /// A second.
    pub meter: Meter,
    /// The newest.
    pub newest: Single,
}

/// Events a second over the last seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meter {
    seconds: [u32; 6],
    now: i64,
    since: Option<i64>,
}

impl Meter {
    /// So many more at this moment.
    pub fn add(&mut self, at: Wall, n: u64) {
        self.turn(at);
        self.since.get_or_insert(self.now);
        let place = self.now.rem_euclid(6) as usize;
        self.seconds[place] = self.seconds[place].saturating_add(u32::try_from(n).unwrap_or(u32::MAX));
    }

    /// A second, over the last five whole seconds (or those since the first).
    pub fn rate(&mut self, at: Wall) -> f64 {
        self.turn(at);
        let Some(since) = self.since else { return 0.0 };
        let whole = (self.now - since).clamp(0, 5);
        if whole == 0 {
            return f64::from(self.seconds[self.now.rem_euclid(6) as usize]);
        }
        let present = self.now.rem_euclid(6) as usize;
        let sum: u64 = (0..6).filter(|i| *i != present).map(|i| u64::from(self.seconds[i])).sum();
        sum as f64 / whole as f64
    }

    fn turn(&mut self, at: Wall) {
        let second = at.div_euclid(SECOND);
        if second - self.now >= 6 {
            self.seconds = [0; 6];
        } else {
            for s in self.now + 1..=second {
                self.seconds[s.rem_euclid(6) as usize] = 0;
            }
        }
        self.now = self.now.max(second);
    }
}

/// Totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Sentences.
    pub sentences: u64,
    /// Bytes of these with CR LF.
    pub bytes: u64,
    /// Skipped pieces.
    pub skipped: u64,
    /// Of these, bad checksums.
    pub bad_checksum: u64,
}

/// What has passed.
pub struct History {
    lines: Lines,
    totals: Totals,
    sentences: Meter,
    bytes: Meter,
    types: BTreeMap<Label, u64>,
    kinds: BTreeMap<Label, Kind>,
    sub_keys: HashMap<Label, &'static [u8]>,
    sailed: Vec<(f64, f64)>,
    every: u32,
    skipped_points: u32,
    generation: u32,
    vessel: Arc<Vessel>,
    utc: Option<Utc>,
}

impl Default for History {
    fn default() -> History {
        History::with(Lines::new())
    }
}

impl History {
    fn with(lines: Lines) -> History {
        History {
            lines,
            totals: Totals::default(),
            sentences: Meter::default(),
            bytes: Meter::default(),
            types: BTreeMap::new(),
            kinds: BTreeMap::new(),
            sub_keys: HashMap::new(),
            sailed: Vec::new(),
            every: 1,
            skipped_points: 0,
            generation: 0,
            vessel: Arc::default(),
            utc: None,
        }
    }

    /// Another source: begins anew. Line numbers go on, so that a name of a line never means another.
    pub fn clear(&mut self) {
        self.lines.clear();
        *self = History::with(std::mem::take(&mut self.lines));
    }

    /// Takes what the hub has passed on.
    pub fn take(&mut self, told: &Told, now: Wall) {
        let batch = &*told.batch;
        if batch.generation != self.generation {
            // After a move the track would cross the chart in one line.
            self.generation = batch.generation;
            self.sailed.clear();
            self.every = 1;
        }
        for frame in &batch.frames {
            self.frame(batch, frame, now);
        }
        self.vessel = batch.vessel.clone();
        if let Some(last) = batch.frames.last() {
            self.utc = utc_of(batch, last).or(self.utc);
        }
        if let Some(position) = batch.vessel.position.bare() {
            self.point(position.latitude, position.longitude);
        }
    }

    fn frame(&mut self, batch: &Batch, frame: &Frame, now: Wall) {
        let line = Line {
            n: self.next(),
            offset: frame.offset,
            utc: utc_of(batch, frame),
            delta: self.lines.last().map(|l| frame.offset - l.offset).filter(|d| *d >= 0),
            origin: frame.origin,
            class: frame.class,
            place: frame.place,
            bytes: &frame.bytes,
            sentence: frame.sentence,
        };
        if matches!(frame.origin, Origin::Reply(_)) {
            // Shown; what comes back is no part of the source.
        } else if frame.class.is_sentence() || (frame.class.is_skip() && frame.origin == Origin::Source) {
            let bytes = frame.text().len() as u64 + 2;
            self.totals.sentences += 1;
            self.totals.bytes += bytes;
            self.sentences.add(now, 1);
            self.bytes.add(now, bytes);
            self.kind(line, now);
        } else if frame.class.is_skip() {
            self.totals.skipped += 1;
            self.totals.bad_checksum += u64::from(frame.class == Class::BadChecksum);
        }
        self.lines.push(line);
    }

    fn kind(&mut self, line: Line<'_>, now: Wall) {
        let text = line.text();
        let address = Label::new(filter::address(text));
        if self.types.contains_key(&address) || self.types.len() < KINDS {
            *self.types.entry(address).or_default() += 1;
        }
        let sub_key = *self.sub_keys.entry(address).or_insert_with(|| {
            let (_, formatter) = filter::parts(address.as_bytes());
            let row = table::FORMATTERS.iter().find(|f| f.about.formatter.as_bytes() == formatter);
            row.map_or(&[], |f| f.about.sub_key)
        });
        if self.sub_keys.len() > KINDS {
            self.sub_keys.clear();
        }
        let mut name = address.as_bytes().to_vec();
        if let Some(first) = sub_key.first() {
            let value = filter::field(text, usize::from(*first));
            if !value.is_empty() {
                name.push(b'-');
                name.extend_from_slice(value);
            }
        }
        let name = Label::new(&name);
        if let Some(kind) = self.kinds.get_mut(&name) {
            kind.count += 1;
            kind.meter.add(now, 1);
            kind.newest.replace(line);
        } else if self.kinds.len() < KINDS {
            let mut meter = Meter::default();
            meter.add(now, 1);
            self.kinds.insert(name, Kind { count: 1, meter, newest: Single::new(line) });
        }
    }

    fn point(&mut self, latitude: f64, longitude: f64) {
        if self.sailed.last().is_some_and(|last| *last == (latitude, longitude)) {
            return;
        }
        self.skipped_points += 1;
        if self.skipped_points < self.every && !self.sailed.is_empty() {
            return;
        }
        self.skipped_points = 0;
        if self.sailed.len() >= POINTS - 1 {
            // Every second one goes: the whole way stays, coarser.
            let mut keep = false;
            self.sailed.retain(|_| {
                keep = !keep;
                keep
            });
            self.every = self.every.saturating_mul(2);
        }
        self.sailed.push((latitude, longitude));
    }

    /// Where the vessel was, oldest first.
    pub fn sailed(&self) -> &[(f64, f64)] {
        &self.sailed
    }

    /// The lines that are kept, oldest first.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The number of the next line.
    pub fn next(&self) -> u64 {
        self.lines.numbers().end
    }

    /// The line of this number, while it is kept.
    pub fn line(&self, n: u64) -> Option<Line<'_>> {
        self.lines.get(n)
    }

    /// Totals since the source was opened.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Sentences and bytes a second.
    pub fn rates(&mut self, now: Wall) -> (f64, f64) {
        (self.sentences.rate(now), self.bytes.rate(now))
    }

    /// Counts by talker and formatter.
    pub fn types(&self) -> impl Iterator<Item = (&Label, u64)> {
        self.types.iter().map(|(k, n)| (k, *n))
    }

    /// Kinds in order, with their rates.
    pub fn kinds(&mut self, now: Wall) -> impl Iterator<Item = (&Label, &Kind, f64)> {
        self.kinds.iter_mut().map(move |(label, kind)| {
            let rate = kind.meter.rate(now);
            (label, &*kind, rate)
        })
    }

    /// The vessel after the last line.
    pub fn vessel(&self) -> &Arc<Vessel> {
        &self.vessel
    }

    /// UTC of the source at the last line that had one.
    pub fn utc(&self) -> Option<Utc> {
        self.utc
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::core::vessel::{Known, Position};
    use crate::runtime::testing::MIDNIGHT;

    fn told(generation: u32, texts: &[&str], position: Option<(f64, f64)>) -> Told {
        let frames = texts.iter().zip(0..).map(|(t, i)| Frame::sentence(i, 0, Bytes::from(t.to_string()))).collect();
        let position = position.map(|(latitude, longitude)| Known {
            value: Position { latitude, longitude },
            at: 0,
            origin: Origin::Source,
        });
        let vessel = Vessel { position, ..Vessel::default() };
        let batch = Batch { generation, sent: 0, source_utc: Some(MIDNIGHT), frames, vessel: Arc::new(vessel) };
        Told { batch: Arc::new(batch), emit: true, patient: false }
    }

    #[test]
    fn the_last_lines_are_kept_under_their_numbers() {
        let mut history = History::default();
        for i in 0..KEPT + 100 {
            history.take(&told(0, &[&format!("$GPHDT,{i},T*00")], None), 0);
        }
        assert_eq!(history.lines().len() as u64, KEPT);
        assert!(history.line(99).is_none());
        assert_eq!(history.line(100).unwrap().text(), b"$GPHDT,100,T*00");
        assert_eq!(history.totals().sentences, KEPT + 100);
        history.clear();
        history.take(&told(0, &["$GPHDT,1,T*00"], None), 0);
        assert_eq!(history.lines().numbers(), KEPT + 100..KEPT + 101);
    }

    #[test]
    fn rates_are_of_the_last_whole_seconds() {
        let mut meter = Meter::default();
        for tenth in 0..100 {
            meter.add(tenth * SECOND / 10, 2);
        }
        assert_eq!(meter.rate(10 * SECOND), 20.0);
        assert_eq!(meter.rate(12 * SECOND), 12.0); // three of the last five seconds had 20 each
        assert_eq!(meter.rate(60 * SECOND), 0.0);
    }

    #[test]
    fn the_track_is_bounded_and_begins_anew_after_a_move() {
        let mut history = History::default();
        for i in 0..10_000 {
            history.take(&told(0, &["$GPHDT,1,T*00"], Some((f64::from(i) / 1000.0, 20.0))), 0);
        }
        let sailed = history.sailed();
        assert!(sailed.len() <= POINTS && sailed.len() > POINTS / 4, "{}", sailed.len());
        assert_eq!(sailed[0], (0.0, 20.0));
        assert!(sailed.windows(2).all(|w| w[0].0 < w[1].0));
        history.take(&told(1, &["$GPHDT,1,T*00"], Some((50.0, 20.0))), 0);
        assert_eq!(history.sailed(), [(50.0, 20.0)]);
    }

    #[test]
    fn kinds_of_one_formatter_are_counted_apart() {
        let mut history = History::default();
        for _ in 0..3 {
            history.take(&told(0, &["$WIMWV,1,R,1,N,A*00", "$WIMWV,1,T,1,N,A*00"], None), 0);
        }
        let kinds: Vec<_> = history.kinds(0).map(|(l, k, _)| (l.to_string(), k.count)).collect();
        assert_eq!(kinds, [("WIMWV-R".to_string(), 3), ("WIMWV-T".to_string(), 3)]);
        let types: Vec<_> = history.types().map(|(l, n)| (l.to_string(), n)).collect();
        assert_eq!(types, [("WIMWV".to_string(), 6)]);
    }
}

//! One row of the table: how many, how often, how evenly, how long ago; and its state.
//!
//! Bounded: a few intervals. Judges only what a single row says of itself; the rules about many are in `cadence`.

use serde::{Deserialize, Serialize};

use super::rows::Key;
use super::window::Window;
use crate::core::nmea::{About, Cadence};
use crate::core::time::{Offset, SECOND};

/// A row is `new` until it was heard so often.
pub const KNOWN_AFTER: u64 = 5;
/// The expected interval is the median of so long.
pub const LEARNING: Offset = 30 * SECOND;
/// LOST after this, or [`LOST_INTERVALS`] times the own median.
pub const LOST_AFTER: Offset = 5 * SECOND;
/// The same for sentences that come seldom (by the table; and GSV).
pub const LOST_AFTER_SELDOM: Offset = 30 * SECOND;
/// LOST after so many intervals.
pub const LOST_INTERVALS: f64 = 5.0;
/// SLOW when the median grew by this: doubled, less 5 % for the grain of arrival times.
pub const SLOW_FACTOR: f64 = 1.9;
/// … and the mean by this, so that a few long intervals in a row are not enough.
pub const MEAN_FACTOR: f64 = 1.5;
/// SLOW when it has been so for this long.
pub const SLOW_FOR: Offset = 30 * SECOND;
/// BAD above this share of damaged sentences, and at least [`BAD_LEAST`] of them.
pub const BAD_SHARE: f64 = 0.001;
/// Fewer damaged sentences than this say nothing.
pub const BAD_LEAST: u64 = 3;
/// A row is BAD no longer when nothing of it was damaged for this long.
pub const BAD_MEMORY: Offset = 60 * SECOND;

/// Intervals kept to learn the expected one.
const EARLY: usize = 64;
/// Intervals kept for jitter.
const RECENT: usize = 32;
/// Intervals that the present median is taken of.
const NOW: usize = 5;

/// How a row does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// Heard too seldom to tell.
    #[serde(rename = "new")]
    New,
    /// As expected.
    #[serde(rename = "ok")]
    Ok,
    /// At half its rate or less.
    #[serde(rename = "SLOW")]
    Slow,
    /// No longer heard.
    #[serde(rename = "LOST")]
    Lost,
    /// Damaged again and again.
    #[serde(rename = "BAD")]
    Bad,
}

impl State {
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            State::New => "new",
            State::Ok => "ok",
            State::Slow => "SLOW",
            State::Lost => "LOST",
            State::Bad => "BAD",
        }
    }
}

/// One kind of sentence from one talker on one input.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which.
    pub key: Key,
    /// Its row in the table of formatters, where it has one.
    pub about: Option<&'static About>,
    /// Good sentences.
    pub count: u64,
    /// Damaged ones that still tell which they are.
    pub bad: u64,
    /// Times it came (an epoch of several sentences counts once).
    pub arrivals: u64,
    /// When it first came.
    pub first: Offset,
    /// When it last came.
    pub last: Offset,
    /// Expected seconds between arrivals: the own median of the first 30 s.
    pub expected: Option<f64>,
    /// Since when it is slower than expected, while it is.
    pub slow_since: Option<Offset>,
    /// Since when it is faster than expected, while it is.
    pub fast_since: Option<Offset>,
    /// Bytes with CR LF in the last seconds.
    pub window: Window,
    /// The last sentence.
    pub text: Vec<u8>,
    /// When the last arrival began: intervals are taken from the first sentence of an epoch to the next first one.
    began: Offset,
    last_bad: Option<Offset>,
    early: Vec<f32>,
    recent: [f32; RECENT],
    filled: usize,
}

/// Arrivals get more frequent than expected by this: doubled, with 20 % for the grain.
pub const FAST_FACTOR: f64 = 0.6;

impl Row {
    pub(super) fn new(key: Key, about: Option<&'static About>, at: Offset) -> Row {
        Row {
            key,
            about,
            count: 0,
            bad: 0,
            arrivals: 0,
            first: at,
            last: at,
            expected: None,
            slow_since: None,
            fast_since: None,
            window: Window::default(),
            text: Vec::new(),
            began: at,
            last_bad: None,
            early: Vec::new(),
            recent: [0.0; RECENT],
            filled: 0,
        }
    }

    /// Takes a damaged one.
    pub(super) fn hear_bad(&mut self, at: Offset) {
        self.bad += 1;
        self.last_bad = Some(at);
    }

    /// Takes a good one; `same_epoch`: it goes on with the one before.
    pub(super) fn hear(&mut self, at: Offset, text: &[u8], same_epoch: bool) {
        self.count += 1;
        self.window.add(at, text.len() + 2);
        self.text.clear();
        self.text.extend_from_slice(text.get(..text.len().min(120)).unwrap_or(text));
        if same_epoch && self.arrivals > 0 {
            self.last = at;
            return;
        }
        self.arrivals += 1;
        if self.arrivals == 1 {
            (self.first, self.last, self.began) = (at, at, at);
            return;
        }
        let seconds = at.saturating_sub(self.began).max(0) as f64 / SECOND as f64;
        let lost = self.is_lost(at);
        (self.last, self.began) = (at, at);
        if lost {
            // An outage is no interval.
            return;
        }
        self.recent.copy_within(0..RECENT - 1, 1);
        self.recent[0] = seconds as f32;
        self.filled = (self.filled + 1).min(RECENT);
        if self.expected.is_none() {
            if self.early.len() < EARLY {
                self.early.push(seconds as f32);
            }
            if at - self.first >= LEARNING && self.arrivals >= KNOWN_AFTER {
                self.expected = median(&self.early);
            }
        }
        if let (Some(expected), Some(now)) = (self.expected, self.median_now()) {
            let began = at - (now * NOW as f64 * SECOND as f64) as Offset;
            let mean = mean(&self.recent[..NOW]);
            let slow = expected > 0.0 && now >= expected * SLOW_FACTOR && mean >= expected * MEAN_FACTOR;
            self.slow_since = if slow { self.slow_since.or(Some(began)) } else { None };
            let fast = now <= expected * FAST_FACTOR && mean <= expected * FAST_FACTOR;
            self.fast_since = if fast { self.fast_since.or(Some(began)) } else { None };
        }
    }

    /// The median of the last few intervals, seconds.
    pub fn median_now(&self) -> Option<f64> {
        (self.filled >= NOW).then(|| median(&self.recent[..NOW])).flatten()
    }

    /// How it comes.
    pub fn cadence(&self) -> Cadence {
        // What the table does not know may come as it likes.
        self.about.map_or(Cadence::Event, |about| about.cadence)
    }

    /// The interval to expect, seconds: as learned, or so far.
    pub fn interval(&self) -> Option<f64> {
        self.expected.or_else(|| if self.arrivals >= KNOWN_AFTER { median(&self.early) } else { None })
    }

    /// After how long a silence it is lost; `None`: never.
    pub fn lost_after(&self) -> Option<Offset> {
        let least = match self.cadence() {
            Cadence::Event | Cadence::WhileNavigating => return None,
            Cadence::Slow => LOST_AFTER_SELDOM,
            _ if self.key.formatter.as_bytes() == b"GSV" => LOST_AFTER_SELDOM,
            _ => LOST_AFTER,
        };
        // Sentences that come in bursts have a short median and a long mean.
        let mean = if self.early.is_empty() { 0.0 } else { mean(&self.early) };
        let own = self.interval()?.max(mean) * LOST_INTERVALS * SECOND as f64;
        Some(least.max(own as Offset))
    }

    /// Silent for so long.
    pub fn age(&self, now: Offset) -> Offset {
        now.saturating_sub(self.last).max(0)
    }

    /// When it last came, whole or damaged.
    pub fn came(&self) -> Offset {
        self.last_bad.map_or(self.last, |bad| self.last.max(bad))
    }

    /// Nothing of it came for so long, neither whole nor damaged.
    pub fn silence(&self, now: Offset) -> Offset {
        now.saturating_sub(self.came()).max(0)
    }

    /// Lost: it no longer comes. What comes damaged is bad, not lost.
    pub fn is_lost(&self, now: Offset) -> bool {
        self.lost_after().is_some_and(|after| self.silence(now) > after)
    }

    /// SLOW, since when.
    pub fn is_slow(&self, now: Offset) -> Option<Offset> {
        let may = matches!(self.cadence(), Cadence::Steady | Cadence::Slow | Cadence::Epoch);
        self.slow_since.filter(|since| may && now.saturating_sub(*since) >= SLOW_FOR)
    }

    /// Damaged again and again.
    pub fn is_bad(&self, now: Offset) -> bool {
        let share = self.bad as f64 / (self.bad + self.count).max(1) as f64;
        let lately = self.last_bad.is_some_and(|at| now.saturating_sub(at) <= BAD_MEMORY);
        self.bad >= BAD_LEAST && share > BAD_SHARE && lately
    }

    /// How it does.
    pub fn state(&self, now: Offset) -> State {
        if self.is_lost(now) {
            State::Lost
        } else if self.is_bad(now) {
            State::Bad
        } else if self.arrivals < KNOWN_AFTER {
            State::New
        } else if self.is_slow(now).is_some() {
            State::Slow
        } else {
            State::Ok
        }
    }

    /// Arrivals a second: of the last intervals; 0 when lost.
    pub fn rate_hz(&self, now: Offset) -> Option<f64> {
        if self.filled == 0 {
            return None;
        }
        if self.is_lost(now) {
            return Some(0.0);
        }
        let mean = self.recent[..self.filled].iter().map(|s| f64::from(*s)).sum::<f64>() / self.filled as f64;
        let waiting = self.age(now) as f64 / SECOND as f64;
        let mean = mean.max(waiting / 2.0);
        (mean > 0.0).then(|| 1.0 / mean)
    }

    /// The p90 of how far arrivals are off their median interval, seconds; from [`JITTER_LEAST`] intervals on.
    pub fn jitter(&self) -> Option<f64> {
        if self.filled < JITTER_LEAST {
            return None;
        }
        let recent = &self.recent[..self.filled];
        let middle = median(recent)? as f32;
        let mut off: Vec<f32> = recent.iter().map(|s| (s - middle).abs()).collect();
        off.sort_by(f32::total_cmp);
        off.get(self.filled * 9 / 10).map(|s| f64::from(*s))
    }
}

/// Intervals that a jitter needs.
pub const JITTER_LEAST: usize = 16;

fn mean(values: &[f32]) -> f64 {
    values.iter().map(|v| f64::from(*v)).sum::<f64>() / values.len().max(1) as f64
}

/// The median; of an even number the mean of the two in the middle.
pub fn median(values: &[f32]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    let high = f64::from(*sorted.get(sorted.len() / 2)?);
    let low = f64::from(*sorted.get((sorted.len() - 1) / 2)?);
    Some((high + low) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::super::rows::{Key, Rows};
    use super::*;
    use crate::core::frame::Origin;
    use crate::core::nmea::table;
    use crate::core::time::MILLISECOND;
    use crate::core::vessel::Label;

    fn key(sub: &str) -> Key {
        let label = |t: &str| Label::new(t.as_bytes());
        Key { origin: Origin::Source, talker: label("SD"), formatter: label("DPT"), sub: label(sub) }
    }
    fn about(id: &str) -> Option<&'static About> {
        table::by_id(id).map(|f| &f.about)
    }
    fn every(rows: &mut Rows, from: i64, to: i64, step_ms: i64) {
        let mut at = from * SECOND;
        while at < to * SECOND {
            rows.hear(key(""), about("DPT"), at, b"$SDDPT,1.0,,*00");
            at += step_ms * MILLISECOND;
        }
    }
    fn row(rows: &Rows) -> &Row {
        rows.iter().next().unwrap()
    }

    #[test]
    fn a_row_is_new_then_ok_then_lost() {
        let mut rows = Rows::default();
        every(&mut rows, 0, 4, 1000);
        assert_eq!(row(&rows).state(4 * SECOND), State::New);
        every(&mut rows, 4, 40, 1000);
        let r = row(&rows);
        assert_eq!((r.state(39 * SECOND), r.expected, r.count), (State::Ok, Some(1.0), 40));
        assert_eq!(r.state(44 * SECOND), State::Ok); // 5 s after the last
        assert_eq!((r.state(44 * SECOND + 1), r.rate_hz(45 * SECOND)), (State::Lost, Some(0.0)));
        every(&mut rows, 300, 301, 1000);
        assert_eq!(row(&rows).state(300 * SECOND), State::Ok); // back again; the outage is no interval
        assert_eq!(row(&rows).jitter(), Some(0.0));
    }

    #[test]
    fn half_the_rate_is_slow_after_thirty_seconds() {
        let mut rows = Rows::default();
        every(&mut rows, 0, 60, 1000);
        every(&mut rows, 60, 84, 2000);
        assert_eq!(row(&rows).state(84 * SECOND), State::Ok);
        every(&mut rows, 84, 96, 2000);
        assert_eq!(row(&rows).state(96 * SECOND), State::Slow);
        every(&mut rows, 96, 104, 1000);
        assert_eq!(row(&rows).state(104 * SECOND), State::Ok);
        // Three quarters of the rate are not.
        every(&mut rows, 104, 200, 1333);
        assert_eq!(row(&rows).state(200 * SECOND), State::Ok);
    }

    #[test]
    fn seldom_and_event_driven_sentences_have_other_limits() {
        let mut rows = Rows::default();
        let label = |t: &str| Label::new(t.as_bytes());
        let mtw = Key { formatter: label("MTW"), ..key("") };
        let vdm = Key { formatter: label("VDM"), ..key("") };
        for i in 0..40 {
            rows.hear(mtw, about("MTW"), i * SECOND, b"");
            rows.hear(vdm, about("VDM"), i * SECOND, b"");
        }
        let state = |k: Key, s: i64| rows.iter().find(|r| r.key == k).unwrap().state(s * SECOND);
        assert_eq!((state(mtw, 68), state(mtw, 70)), (State::Ok, State::Lost));
        assert_eq!(state(vdm, 4000), State::Ok);
    }

    #[test]
    fn an_epoch_of_several_sentences_counts_once() {
        let mut rows = Rows::default();
        let gsv = Key { formatter: Label::new(b"GSV"), ..key("") };
        for i in 0..40 {
            for part in 0..3 {
                rows.hear(gsv, about("GSV"), i * SECOND + part * 100 * MILLISECOND, b"");
            }
            rows.hear(key(""), about("DPT"), i * SECOND + 400 * MILLISECOND, b"");
        }
        let r = rows.iter().find(|r| r.key == gsv).unwrap();
        assert_eq!((r.count, r.arrivals), (120, 40));
        assert_eq!(r.expected, Some(1.0), "from first to first");
    }
}

//! The findings: raised while they hold, kept as past when they no longer do.
//!
//! Bounded. Decides nothing: the rules do.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::kind::{KINDS, Kind, Severity};
use crate::core::frame::Origin;
use crate::core::time::{Moment, Offset, SECOND, Utc};
use crate::core::vessel::Label;

/// Most findings kept; when more come, the oldest past one goes, else the new one is not kept (and counted).
pub const MOST: usize = 200;

/// Something found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What.
    pub kind: Kind,
    /// How bad.
    pub severity: Severity,
    /// On which input.
    pub origin: Origin,
    /// What it is about: `SD DPT`, `GP`, empty for the whole input.
    pub subject: String,
    /// What was seen, in words with numbers.
    pub evidence: String,
    /// The numbers by name.
    pub numbers: BTreeMap<String, f64>,
    /// Since when, in the source's time.
    pub first: Offset,
    /// When it last held.
    pub last: Offset,
    /// UTC of `first`, where known.
    pub first_utc: Option<Utc>,
    /// UTC of `last`, where known.
    pub last_utc: Option<Utc>,
    /// It holds now.
    pub current: bool,
    /// How often it began.
    pub times: u32,
}

impl Finding {
    /// In a few words.
    pub fn title(&self) -> &'static str {
        self.kind.about().title
    }

    /// What to try.
    pub fn advice(&self) -> &'static str {
        self.kind.about().advice
    }
}

/// What was seen: words, and numbers by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// In words.
    pub words: String,
    /// By name; not finite ones are left out.
    pub numbers: Vec<(&'static str, f64)>,
    /// When not the usual one of the kind.
    pub severity: Option<Severity>,
}

/// Evidence in words and numbers.
pub fn seen(words: impl Into<String>, numbers: &[(&'static str, f64)]) -> Evidence {
    Evidence { words: words.into(), numbers: numbers.to_vec(), severity: None }
}

impl Evidence {
    /// With another severity than usual.
    pub fn as_severity(mut self, severity: Severity) -> Evidence {
        self.severity = Some(severity);
        self
    }
}

type Key = (Kind, Origin, Label);

/// All findings.
#[derive(Clone, Debug, Default)]
pub struct Board {
    all: BTreeMap<Key, Held>,
    /// Findings that hold now, by kind: most rules have nothing to clear.
    current: Vec<u16>,
    /// New ones that found no place.
    pub left_out: u64,
}

#[derive(Clone, Debug)]
struct Held {
    finding: Finding,
    told: Offset,
}

impl Board {
    /// None.
    pub fn new() -> Board {
        Board { current: vec![0; KINDS.len()], ..Board::default() }
    }

    /// It holds now. The evidence is asked for when it is new, and at most once a second.
    pub fn raise(
        &mut self,
        kind: Kind,
        origin: Origin,
        subject: Label,
        now: Moment,
        evidence: impl FnOnce() -> Evidence,
    ) {
        self.raise_since(kind, origin, subject, now.offset, now, evidence);
    }

    /// As [`Board::raise`], for what began before it could be known.
    pub fn raise_since(
        &mut self,
        kind: Kind,
        origin: Origin,
        subject: Label,
        since: Offset,
        now: Moment,
        evidence: impl FnOnce() -> Evidence,
    ) {
        let key = (kind, origin, subject);
        if let Some(held) = self.all.get_mut(&key) {
            let f = &mut held.finding;
            (f.last, f.last_utc) = (now.offset, now.utc.or(f.last_utc));
            if !f.current {
                f.current = true;
                f.times = f.times.saturating_add(1);
                count(&mut self.current, kind, 1);
            } else if now.offset.saturating_sub(held.told) < SECOND {
                return;
            }
            held.told = now.offset;
            held.take(evidence());
            return;
        }
        if self.all.len() >= MOST {
            let past = self.all.iter().filter(|(_, h)| !h.finding.current).min_by_key(|(_, h)| h.finding.last);
            let Some(oldest) = past.map(|(key, _)| *key) else {
                self.left_out += 1;
                return;
            };
            self.all.remove(&oldest);
        }
        let finding = Finding {
            kind,
            severity: kind.about().severity,
            origin,
            subject: subject.to_string(),
            evidence: String::new(),
            numbers: BTreeMap::new(),
            first: since,
            last: now.offset,
            first_utc: now.utc.map(|utc| utc - (now.offset - since)),
            last_utc: now.utc,
            current: true,
            times: 1,
        };
        let mut held = Held { finding, told: now.offset };
        held.take(evidence());
        self.all.insert(key, held);
        count(&mut self.current, kind, 1);
    }

    /// Asks for all evidence again, however lately it was told: at the end the last numbers count.
    pub fn ask_again(&mut self) {
        self.all.values_mut().for_each(|held| held.told = Offset::MIN / 2);
    }

    /// It no longer holds.
    pub fn clear(&mut self, kind: Kind, origin: Origin, subject: Label) {
        if self.holds_some(kind)
            && let Some(held) = self.all.get_mut(&(kind, origin, subject))
            && held.finding.current
        {
            held.finding.current = false;
            count(&mut self.current, kind, -1);
        }
    }

    /// It holds no longer, and need not have been said: another finding says it better.
    pub fn retract(&mut self, kind: Kind, origin: Origin, subject: Label) {
        if !self.holds(kind, origin, subject) {
            return;
        }
        self.clear(kind, origin, subject);
        let key = (kind, origin, subject);
        if let Some(held) = self.all.get_mut(&key) {
            held.finding.times = held.finding.times.saturating_sub(1);
            if held.finding.times == 0 {
                self.all.remove(&key);
            }
        }
    }

    /// Raises or clears.
    pub fn set(
        &mut self,
        holds: bool,
        kind: Kind,
        origin: Origin,
        subject: Label,
        now: Moment,
        evidence: impl FnOnce() -> Evidence,
    ) {
        if holds {
            self.raise(kind, origin, subject, now, evidence);
        } else {
            self.clear(kind, origin, subject);
        }
    }

    /// Whether any finding of this kind holds now.
    pub fn holds_some(&self, kind: Kind) -> bool {
        self.current.get(kind as usize).is_some_and(|n| *n > 0)
    }

    /// Whether this one holds now.
    pub fn holds(&self, kind: Kind, origin: Origin, subject: Label) -> bool {
        self.holds_some(kind) && self.all.get(&(kind, origin, subject)).is_some_and(|h| h.finding.current)
    }

    /// All of them: those that hold first, then by severity, then the latest first.
    pub fn findings(&self) -> Vec<Finding> {
        let mut out: Vec<Finding> = self.all.values().map(|h| h.finding.clone()).collect();
        out.sort_by(|a, b| {
            (!a.current, a.severity).cmp(&(!b.current, b.severity)).then(b.last.cmp(&a.last)).then(a.kind.cmp(&b.kind))
        });
        out
    }

    /// Errors, warnings and notes: those that hold now, and all.
    pub fn counts(&self) -> [(usize, usize); 3] {
        [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
            let these = || self.all.values().filter(|h| h.finding.severity == severity);
            (these().filter(|h| h.finding.current).count(), these().count())
        })
    }
}

impl Held {
    fn take(&mut self, e: Evidence) {
        let f = &mut self.finding;
        f.evidence = e.words;
        f.numbers = e.numbers.iter().filter(|(_, v)| v.is_finite()).map(|(n, v)| ((*n).to_owned(), *v)).collect();
        f.severity = e.severity.unwrap_or(f.kind.about().severity);
    }
}

fn count(current: &mut [u16], kind: Kind, by: i16) {
    if let Some(n) = current.get_mut(kind as usize) {
        *n = n.saturating_add_signed(by);
    }
}

/// A condition that must hold for some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hold {
    since: Option<Offset>,
}

impl Hold {
    /// Tells it whether the condition holds now; answers since when, once that is `span` ago.
    pub fn after(&mut self, span: Offset, holds: bool, now: Offset) -> Option<Offset> {
        if !holds {
            self.since = None;
            return None;
        }
        let since = *self.since.get_or_insert(now);
        (now.saturating_sub(since) >= span).then_some(since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Moment {
        Moment { offset: seconds * SECOND, utc: Some(1_000_000 * SECOND + seconds * SECOND) }
    }
    const S: Origin = Origin::Source;

    #[test]
    fn what_no_longer_holds_is_kept_as_past() {
        let (mut b, subject) = (Board::new(), Label::new(b"SD DPT"));
        b.raise(Kind::Lost, S, subject, at(10), || seen("age 10 s", &[("age_s", 10.0), ("nan", f64::NAN)]));
        b.raise(Kind::Lost, S, subject, at(12), || seen("age 12 s", &[("age_s", 12.0)]));
        b.clear(Kind::Lost, S, subject);
        b.clear(Kind::Slow, S, subject);
        b.raise(Kind::Lost, S, subject, at(60), || seen("age 5 s", &[("age_s", 5.0)]));
        b.clear(Kind::Lost, S, subject);
        let f = &b.findings()[0];
        assert_eq!((f.first, f.last, f.times, f.current), (10 * SECOND, 60 * SECOND, 2, false));
        assert_eq!((f.evidence.as_str(), f.numbers["age_s"], f.numbers.len()), ("age 5 s", 5.0, 1));
        assert_eq!(b.counts(), [(0, 1), (0, 0), (0, 0)]);
        assert_eq!(f.first_utc, Some(1_000_010 * SECOND));
    }

    #[test]
    fn what_another_finding_says_better_is_taken_back_and_what_was_before_stays() {
        let (mut b, subject) = (Board::new(), Label::new(b"SD DPT"));
        b.raise(Kind::Lost, S, subject, at(10), || seen("", &[]));
        b.retract(Kind::Lost, S, subject);
        assert!(b.findings().is_empty());
        b.raise(Kind::Lost, S, subject, at(20), || seen("", &[]));
        b.clear(Kind::Lost, S, subject);
        b.raise(Kind::Lost, S, subject, at(90), || seen("", &[]));
        b.retract(Kind::Lost, S, subject);
        b.retract(Kind::Lost, S, subject);
        assert_eq!(b.findings().iter().map(|f| (f.times, f.current)).collect::<Vec<_>>(), [(1, false)]);
    }

    #[test]
    fn those_that_hold_come_first_then_the_worst() {
        let mut b = Board::new();
        let none = || seen("", &[]);
        b.raise(Kind::OnlyGn, S, Label::default(), at(5), none);
        b.raise(Kind::Slow, S, Label::default(), at(2), none);
        b.raise(Kind::Lost, S, Label::default(), at(1), none);
        b.clear(Kind::Lost, S, Label::default());
        let kinds: Vec<_> = b.findings().iter().map(|f| f.kind).collect();
        assert_eq!(kinds, [Kind::Slow, Kind::OnlyGn, Kind::Lost]);
    }

    #[test]
    fn the_list_is_bounded_and_past_ones_go_first() {
        let mut b = Board::new();
        for i in 0..MOST {
            let subject = Label::new(i.to_string().as_bytes());
            b.raise(Kind::UnknownType, S, subject, at(i as i64), || seen("", &[]));
        }
        b.raise(Kind::Lost, S, Label::default(), at(900), || seen("", &[]));
        assert_eq!((b.findings().len(), b.left_out), (MOST, 1));
        b.clear(Kind::UnknownType, S, Label::new(b"7"));
        b.raise(Kind::Lost, S, Label::default(), at(900), || seen("", &[]));
        assert!(b.holds(Kind::Lost, S, Label::default()) && b.findings().len() == MOST);
    }

    #[test]
    fn a_condition_must_hold_without_a_break() {
        let mut h = Hold::default();
        assert_eq!(h.after(10, true, 5), None);
        assert_eq!(h.after(10, true, 15), Some(5));
        assert_eq!(h.after(10, false, 16), None);
        assert_eq!(h.after(10, true, 17), None);
        assert_eq!(h.after(0, true, 17), Some(17));
    }
}

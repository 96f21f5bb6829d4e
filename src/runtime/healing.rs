//! Links that come and go: how long to wait before the next try, and what of it is worth telling. For inputs, outputs and
//! the recorder alike.
//!
//! Opens nothing and tells nobody; whoever does is told here when.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use super::clock;
use crate::core::time::{SECOND, Wall};

/// First and longest wait before the next try.
const WAITS: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(5));
/// A link that has held for so long is well: the next wait is short again, and what happens next is told again.
const WELL: Wall = 10 * SECOND;
/// So many times in a row a link may be lost sooner than that before its coming and going is told no more.
const MOST: u32 = 3;

/// Waits that grow: a quarter of a second, doubled up to five seconds.
#[derive(Debug, Default)]
pub struct BackOff {
    tries: u32,
    opened: Option<Instant>,
}

impl BackOff {
    /// It works now.
    pub fn opened(&mut self) {
        self.opened = Some(clock::now());
    }

    /// How long to wait before the next try: longer each time, unless it has held long enough.
    pub fn next_wait(&mut self) -> Duration {
        let well = Duration::from_nanos(WELL.unsigned_abs());
        if self.opened.take().is_some_and(|since| since.elapsed() >= well) {
            self.tries = 0;
        }
        let wait = WAITS.0.saturating_mul(1 << self.tries.min(10)).min(WAITS.1);
        self.tries += 1;
        wait
    }
}

/// Which of a link's changes are told: one each way, and of a link that only comes and goes no more until it holds.
#[derive(Debug, Default)]
pub struct Flaps {
    opened: Option<Wall>,
    was_open: bool,
    lost: bool,
    short: u32,
    owed: bool,
}

/// What to tell of a link that works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opened {
    /// For the first time.
    First,
    /// After trouble.
    Again,
    /// Nothing: it worked before, or comes and goes too often.
    Untold,
}

/// What to tell of a link that does not work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It is lost.
    Told,
    /// It is lost once more, and that is told no more until it holds.
    ToldLast,
    /// Nothing: it was lost before, or comes and goes too often.
    Untold,
}

impl Flaps {
    /// It works.
    pub fn open(&mut self, now: Wall) -> Opened {
        self.opened.get_or_insert(now);
        let lost = std::mem::take(&mut self.lost);
        if !std::mem::replace(&mut self.was_open, true) {
            return Opened::First;
        }
        self.owed |= lost && self.short >= MOST;
        if lost && !self.owed { Opened::Again } else { Opened::Untold }
    }

    /// It does not work.
    pub fn lose(&mut self, now: Wall) -> Lost {
        self.owed = false;
        match self.opened.take() {
            Some(since) if now - since < WELL => self.short += 1,
            Some(_) => self.short = 0,
            None => {}
        }
        if std::mem::replace(&mut self.lost, true) {
            return Lost::Untold;
        }
        match self.short.cmp(&MOST) {
            std::cmp::Ordering::Less => Lost::Told,
            std::cmp::Ordering::Equal => Lost::ToldLast,
            std::cmp::Ordering::Greater => Lost::Untold,
        }
    }

    /// Whether it does not work now.
    pub fn is_lost(&self) -> bool {
        self.lost
    }

    /// Whether it is to be told now that it holds, after all its coming and going. To be asked now and then.
    pub fn settled(&mut self, now: Wall) -> bool {
        let well = self.owed && self.opened.is_some_and(|since| now - since >= WELL);
        if well {
            self.owed = false;
            self.short = 0;
        }
        well
    }
}

/// How many of a kind are told in a while.
const MANY: (usize, Wall) = (30, 600 * SECOND);

/// What may happen again and again (clients that do not keep up): thirty in ten minutes are told, then none for as long.
#[derive(Debug, Default)]
pub struct Often(VecDeque<Wall>);

impl Often {
    /// Whether to tell it once more, and what to add when it is the last for a while.
    pub fn tell(&mut self, now: Wall) -> Option<&'static str> {
        if self.0.len() == MANY.0 {
            // Silent until ten minutes after the last that was told.
            if self.0.back().is_some_and(|last| now - last < MANY.1) {
                return None;
            }
            self.0.clear();
        }
        while self.0.front().is_some_and(|then| now - then >= MANY.1) {
            self.0.pop_front();
        }
        self.0.push_back(now);
        Some(if self.0.len() == MANY.0 { "; that was often: told again in ten minutes" } else { "" })
    }
}

/// What is said behind the trouble of a link of which no more will be told.
pub const NO_MORE: &str = "; it comes and goes: told again when it holds for 10 s";

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn waits_grow_to_five_seconds_and_are_short_after_a_link_that_held() {
        let mut wait = BackOff::default();
        let all: Vec<u128> = (0..8).map(|_| wait.next_wait().as_millis()).collect();
        assert_eq!(all, [250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
        wait.opened();
        tokio::time::sleep(Duration::from_secs(9)).await;
        assert_eq!(wait.next_wait().as_secs(), 5, "a peer that accepts and hangs up is not asked four times a second");
        wait.opened();
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!(wait.next_wait().as_millis(), 250);
    }

    #[test]
    fn what_happens_often_is_told_thirty_times_in_ten_minutes() {
        let mut often = Often::default();
        // Every 12 seconds for an hour. The thirtieth is at 348 s; ten minutes later, at 948 s, it begins again: at 0, 948,
        // 1896 and 2844 s.
        let told: Vec<&str> = (0..300).filter_map(|n| often.tell(n * 12 * SECOND)).collect();
        assert_eq!(told.len(), 4 * 30);
        assert_eq!(told.iter().filter(|end| !end.is_empty()).count(), 4, "each time it is said that no more will be");
        let mut seldom = Often::default();
        assert!(
            (0..1000).all(|minute| seldom.tell(minute * 60 * SECOND) == Some("")),
            "ten in ten minutes are no flood"
        );
    }

    #[test]
    fn a_link_is_told_once_each_way() {
        let mut link = Flaps::default();
        assert_eq!(link.lose(0), Lost::Told);
        assert_eq!(link.lose(SECOND), Lost::Untold);
        assert_eq!(link.open(2 * SECOND), Opened::First);
        assert_eq!(link.open(3 * SECOND), Opened::Untold);
        for minute in 1..10 {
            assert_eq!(link.lose(minute * 60 * SECOND), Lost::Told);
            assert_eq!(link.open((minute * 60 + 20) * SECOND), Opened::Again);
        }
    }

    #[test]
    fn a_link_that_comes_and_goes_is_told_again_when_it_holds() {
        let mut link = Flaps::default();
        link.open(0);
        let (mut told, mut last) = (0, 0);
        for second in 1..1000 {
            match link.lose(second * SECOND) {
                Lost::Told => told += 1,
                Lost::ToldLast => last += 1,
                Lost::Untold => {}
            }
            told += u32::from(link.open(second * SECOND + SECOND / 2) == Opened::Again);
            assert!(!link.settled(second * SECOND + SECOND * 3 / 4));
        }
        // Lost and back, lost and back, lost for the third time and no more.
        assert_eq!((told, last), (4, 1));
        assert!(!link.settled(1008 * SECOND));
        assert!(link.settled(1010 * SECOND));
        assert!(!link.settled(1020 * SECOND), "told once");
        assert_eq!(link.lose(1100 * SECOND), Lost::Told);
        assert_eq!(link.open(1101 * SECOND), Opened::Again);
    }
}

//! Counts the rows that a view shows and those in which its pattern is found, on a thread of its own, and says which of
//! them is the selected one.
//!
//! Counts a few blocks, shows how far it is, looks whether something else is asked, goes on. What was counted is kept by
//! block, so that a selection that moves costs one block.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use tokio::sync::Notify;

use super::{Pages, Shared};
use crate::core::frame::Place;
use crate::core::log::count::Tally;
use crate::core::log::{Pattern, Show};
use crate::runtime::session::View;
use crate::runtime::session::snapshot::Matches;

/// Blocks between two looks at what is asked: some 16 000 lines.
const STEP: usize = 64;

/// What is to be counted for a watcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::runtime::session) struct Question {
    show: Show,
    find: Option<Pattern>,
    /// The selected row.
    at: Option<Place>,
}

/// How far a count has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Rows that are shown, when a filter hides some.
    pub shown: Option<Matches>,
    /// Rows in which the pattern is found, when there is one.
    pub found: Option<Matches>,
    /// Thousandths of the log, while it is being counted.
    pub progress: Option<u32>,
}

impl Question {
    /// What a view asks to be counted; nothing when it shows everything and looks for nothing.
    pub fn of(view: &View, at: Option<Place>) -> Option<Question> {
        let show = super::show(view).ok()?;
        let find = if view.find.is_empty() { None } else { Some(Pattern::new(&view.find).ok()?) };
        let counts = find.is_some() || show != Show::default();
        counts.then_some(Question { show, find, at })
    }

    pub fn counts_as(&self, other: &Question) -> bool {
        self.show == other.show && self.find == other.find
    }
}

/// What was counted for a watcher.
struct Count {
    question: Question,
    /// Of each log, sums before each of its blocks, and behind the last that was counted.
    sums: Vec<Vec<Tally>>,
    /// Esc: what is counted stays as it is.
    stopped: bool,
    /// Said for this selection, with so many blocks counted.
    said: Option<(Option<Place>, usize)>,
    /// What stands before a place, and at it: that does not change any more.
    known: Option<(Place, (Tally, Tally))>,
}

impl Count {
    fn new(question: Question, logs: usize) -> Count {
        Count { question, sums: vec![vec![Tally::default()]; logs], stopped: false, said: None, known: None }
    }

    fn blocks(&self) -> usize {
        self.sums.iter().map(|s| s.len() - 1).sum()
    }

    /// Counts a few blocks on. `true`: there may be more to do.
    fn go_on(&mut self, pages: &mut Pages) -> std::io::Result<bool> {
        let end = Place { byte: u64::MAX, ..Place::default() };
        for (file, sums) in self.sums.iter_mut().enumerate() {
            for _ in 0..STEP {
                let Some(log) = pages.log(file) else { break };
                let number = sums.len() - 1;
                let end = Place { file: file as u16, ..end };
                let Some((tally, _)) = log.count(number, end, &self.question.show, self.question.find.as_ref())? else {
                    break;
                };
                let mut sum = sums.last().copied().unwrap_or_default();
                sum += tally;
                sums.push(sum);
            }
            if sums.len() - 1 < pages.log(file).map_or(0, |log| log.index().blocks()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.sums.iter().filter_map(|s| s.last()).for_each(|t| total += *t);
        total
    }

    /// Rows before a place, and the row at it; `None` where they are not counted yet.
    fn before(&self, place: Place, pages: &mut Pages) -> std::io::Result<Option<(Tally, Tally)>> {
        let (mut before, mut there) = (Tally::default(), Tally::default());
        for (file, sums) in self.sums.iter().enumerate() {
            let place = pages.place_before(file, place)?;
            let Some(log) = pages.log(file) else { return Ok(None) };
            if log.index().blocks() == 0 {
                continue;
            }
            let number = log.block_of(place);
            let Some(sum) = sums.get(number) else { return Ok(None) };
            before += *sum;
            let counted = log.count(number, place, &self.question.show, self.question.find.as_ref())?;
            let Some((tally, at)) = counted else { return Ok(None) };
            before += tally;
            there += at;
        }
        Ok(Some((before, there)))
    }

    /// What there is to say now.
    fn say(&mut self, pages: &mut Pages, more: bool) -> std::io::Result<Counted> {
        let all = pages.blocks();
        let complete = !more && pages.complete() && self.blocks() == all;
        if let Some(place) = self.question.at
            && self.known.is_none_or(|(known, _)| known != place)
        {
            self.known = self.before(place, pages)?.map(|tallies| (place, tallies));
        }
        let at = self.known.filter(|(place, _)| Some(*place) == self.question.at).map(|(_, tallies)| tallies);
        let matches = |of: fn(&Tally) -> u64| Matches {
            total: of(&self.total()),
            complete,
            ordinal: at.filter(|(_, there)| of(there) > 0).map(|(before, _)| of(&before) + 1),
        };
        let thousandths = (self.blocks() * 1000).checked_div(all).unwrap_or(1000) as u32;
        Ok(Counted {
            shown: (self.question.show != Show::default()).then(|| matches(|t| t.shown)),
            found: self.question.find.is_some().then(|| matches(|t| t.found)),
            progress: (more && !self.stopped).then_some(thousandths),
        })
    }
}

/// Counts what watchers ask for, until the desk is gone.
pub(super) fn counts(shared: &Shared, mut pages: Pages, nudge: &Notify) {
    let mut counts: HashMap<u64, Count> = HashMap::new();
    let mut idle = false;
    loop {
        let asked = {
            let mut board = shared.board();
            while !board.over && idle && !board.counting {
                board = shared.counted.wait(board).unwrap_or_else(std::sync::PoisonError::into_inner);
            }
            if board.over {
                return;
            }
            board.counting = false;
            board.questions.clone()
        };
        counts.retain(|watcher, _| asked.contains_key(watcher));
        let stop = shared.stop_counting.swap(false, Ordering::Relaxed);
        idle = true;
        for (watcher, question) in asked {
            let count = counts.entry(watcher).or_insert_with(|| Count::new(question.clone(), pages.len()));
            if !count.question.counts_as(&question) {
                *count = Count::new(question.clone(), pages.len());
            }
            count.question = question;
            count.stopped |= stop;
            let counted = step(count, &mut pages);
            let Some(counted) = counted else { continue };
            idle &= counted.progress.is_none();
            let before = shared.board().counts.insert(watcher, counted);
            // How far it is, the next snapshot says early enough.
            let ordinals = |c: &Counted| (c.shown.map(|m| m.ordinal), c.found.map(|m| m.ordinal));
            if counted.progress.is_none() || before.is_none_or(|b| ordinals(&b) != ordinals(&counted)) {
                nudge.notify_one();
            }
        }
    }
}

/// A few blocks on; `None` when there is nothing new to say.
fn step(count: &mut Count, pages: &mut Pages) -> Option<Counted> {
    let counted = (|| {
        let more = if count.stopped { count.blocks() < pages.blocks() } else { count.go_on(pages)? };
        let now = Some((count.question.at, count.blocks()));
        if count.said == now && !more {
            return Ok(None);
        }
        count.said = now;
        count.say(pages, more).map(Some)
    })();
    counted.unwrap_or_else(|error: std::io::Error| {
        tracing::warn!("counting: {error}");
        count.stopped = true;
        None
    })
}

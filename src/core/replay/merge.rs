//! Several logs as one timeline, and a place in it: forward the smallest next sentence, back the largest previous one.
//!
//! Knows no vessel. Positions are kept per log; two sentences at one moment follow each other as their logs do.

use std::collections::VecDeque;
use std::io;

use super::Part;
use crate::core::frame::Place;
use crate::core::log::{Entry, Hear, Log, Unusual, Way, checkpoints, sentence_time};
use crate::core::time::{DAY, MILLISECOND, Offset, Utc};
use crate::core::transport::SourceError;
use crate::core::vessel::Vessel;

/// Sentences that are read at once.
const CHUNK: usize = 256;
/// Sentences in which a log must show a date to be ordered by it.
const DATED_WITHIN: usize = 4096;
/// As within a log (LOG-FORMAT §3): a longer jump between two logs is not waited for.
const LONGEST_JUMP: Offset = DAY;
/// While a log is still being opened: look again after so much of its own time.
const GROWING: Offset = 20 * MILLISECOND;
/// Behind everything.
const BEHIND: Place = Place { file: u16::MAX, byte: u64::MAX, line: u64::MAX, part: u16::MAX };

/// Where one log follows another without overlapping it: shown as a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seam {
    /// The log that begins.
    pub file: u16,
    /// Its first sentence.
    pub place: Place,
    /// Where that is in the timeline.
    pub at: Offset,
    /// What the clock jumped by, nanoseconds; `None` when one of the two has no date.
    pub jump: Option<i64>,
}

/// One log with a place in it.
struct Lane {
    name: String,
    log: Log,
    base: Offset,
    /// Everything before this is behind.
    from: Place,
    /// What comes next, as far as it is read.
    ahead: VecDeque<Entry>,
}

/// Where a [`Merge`] stood.
pub(super) struct Here(Vec<(Place, VecDeque<Entry>)>);

/// A place in one log or several.
pub(super) struct Merge {
    lanes: Vec<Lane>,
    seams: Vec<Seam>,
    hear: Hear,
}

impl Lane {
    fn error(&self, error: io::Error) -> SourceError {
        SourceError::Io { what: self.name.clone(), error }
    }

    fn stand(&mut self, from: Place) {
        self.from = from;
        self.ahead.clear();
    }

    fn peek(&mut self) -> Result<Option<&Entry>, SourceError> {
        if self.ahead.is_empty() {
            let mut read = Vec::with_capacity(CHUNK);
            self.log.ahead(self.from, CHUNK, &mut read).map_err(|e| self.error(e))?;
            self.ahead.extend(read);
        }
        Ok(self.ahead.front())
    }

    fn due(&mut self) -> Result<Option<Offset>, SourceError> {
        let base = self.base;
        Ok(self.peek()?.map(|e| base.saturating_add(e.offset)))
    }

    fn pop(&mut self) -> Option<Entry> {
        let entry = self.ahead.pop_front()?;
        self.from = behind(entry.place);
        Some(entry)
    }

    fn stand_at(&mut self, found: io::Result<Option<Entry>>) -> Result<(), SourceError> {
        let found = found.map_err(|e| self.error(e))?;
        self.stand(found.map_or(BEHIND, |e| e.place));
        Ok(())
    }

    fn number(&mut self) -> Result<u64, SourceError> {
        Ok(match self.peek()?.map(|e| e.number) {
            Some(number) => number,
            None => self.log.index().sentences(),
        })
    }

    fn last(&mut self) -> Result<Option<Entry>, SourceError> {
        self.log.last().map_err(|e| self.error(e))
    }

    /// Where a search for the next (previous) row begins: at the row that was found last; else between this log's last and
    /// next sentence.
    fn searched_from(&mut self, file: u16, is_next: bool) -> Result<Place, SourceError> {
        let Some(next) = self.peek()?.map(|e| e.place) else { return Ok(BEHIND) };
        if is_next {
            return Ok(next);
        }
        let last = self.log.before(self.from).map_err(|e| self.error(e))?;
        Ok(last.map_or(Place { file, ..Place::default() }, |e| behind(e.place)))
    }

    /// When and where the sentence at or behind a place is; behind the last one of all when there is none.
    fn leads_to(&mut self, place: Place) -> Result<(Offset, Place), SourceError> {
        let mut read = Vec::with_capacity(1);
        self.log.ahead(place, 1, &mut read).map_err(|e| self.error(e))?;
        let (offset, leads_to) = match read.pop() {
            Some(entry) => (entry.offset, entry.place),
            None => (self.last()?.map_or(0, |e| e.offset), Place { file: place.file, ..BEHIND }),
        };
        Ok((self.base.saturating_add(offset), leads_to))
    }

    fn duration(&self) -> Option<Offset> {
        Some(self.base.saturating_add(self.log.index().duration()?))
    }
}

/// The place directly behind another.
fn behind(place: Place) -> Place {
    match place.part.checked_add(1) {
        Some(part) => Place { part, ..place },
        None => Place { byte: place.byte.saturating_add(1), part: 0, ..place },
    }
}

impl Merge {
    /// Puts logs in order; stands before the first sentence.
    pub(super) fn new(parts: Vec<Part>, hear: Hear) -> Result<Merge, SourceError> {
        if parts.is_empty() {
            return Err(SourceError::Invalid("no log to replay: name one".into()));
        }
        if parts.len() > usize::from(u16::MAX) {
            return Err(SourceError::Invalid("too many logs for one timeline".into()));
        }
        let several = parts.len() > 1;
        if let Some(part) = parts.iter().find(|p| several && !p.log.index().complete()) {
            return Err(SourceError::Cannot(format!("{}: still being opened", part.name)));
        }
        let lane = |part: Part| Lane {
            name: part.name,
            log: part.log,
            base: 0,
            from: Place::default(),
            ahead: VecDeque::new(),
        };
        let mut lanes: Vec<(Option<Utc>, Lane)> = Vec::with_capacity(parts.len());
        for part in parts {
            let mut lane = lane(part);
            let start = if several { start_utc(&mut lane)? } else { None };
            lanes.push((start, lane));
        }
        let by_time = lanes.iter().all(|(start, _)| start.is_some());
        if by_time {
            lanes.sort_by_key(|(start, _)| *start);
        }
        let mut seams = Vec::new();
        // Where the timeline has come to, in its own time and in UTC.
        let mut reach: (Offset, Option<Utc>) = (0, None);
        for (file, (start, lane)) in lanes.iter_mut().enumerate() {
            let file = file as u16;
            lane.log = Log::new(lane.log.index(), hear).with_file(file);
            let jump = start.zip(reach.1).map(|(start, reached)| start.saturating_sub(reached));
            lane.base = match jump {
                _ if file == 0 => 0,
                Some(jump) if by_time && jump <= LONGEST_JUMP => reach.0.saturating_add(jump),
                _ => reach.0,
            };
            let base = lane.base;
            if file > 0
                && base >= reach.0
                && let Some(first) = lane.peek()?
            {
                seams.push(Seam { file, place: first.place, at: base.saturating_add(first.offset), jump });
            }
            let lasts = lane.log.index().duration().unwrap_or(0);
            let end = lane.base.saturating_add(lasts);
            if file == 0 || end >= reach.0 {
                reach = (end, start.map(|s| s.saturating_add(lasts)));
            }
        }
        Ok(Merge { lanes: lanes.into_iter().map(|(_, lane)| lane).collect(), seams, hear })
    }

    /// Another place in the same logs, at first the same one; with readers of its own.
    pub(super) fn fork(&self) -> Merge {
        let lanes = self.lanes.iter().zip(self.readers()).map(|(lane, log)| Lane {
            name: lane.name.clone(),
            log,
            base: lane.base,
            from: lane.from,
            ahead: lane.ahead.clone(),
        });
        Merge { lanes: lanes.collect(), seams: self.seams.clone(), hear: self.hear }
    }

    /// Where it stands, to come back to.
    pub(super) fn here(&self) -> Here {
        Here(self.lanes.iter().map(|lane| (lane.from, lane.ahead.clone())).collect())
    }

    /// Stands where it, or another one over the same logs, stood.
    pub(super) fn stand_here(&mut self, here: &Here) {
        for (lane, (from, ahead)) in self.lanes.iter_mut().zip(&here.0) {
            lane.from = *from;
            lane.ahead.clone_from(ahead);
        }
    }

    pub(super) fn readers(&self) -> Vec<Log> {
        let lanes = self.lanes.iter().enumerate();
        lanes.map(|(file, lane)| Log::new(lane.log.index(), self.hear).with_file(file as u16)).collect()
    }

    /// Blocks read, and sentences decoded for the vessel of a place.
    #[cfg(test)]
    pub(super) fn work(&self) -> (u64, u64) {
        self.lanes.iter().map(|lane| lane.log.work()).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.lanes.iter().map(|lane| lane.name.clone()).collect()
    }

    pub(super) fn base(&self, file: u16) -> Offset {
        self.lanes.get(usize::from(file)).map_or(0, |lane| lane.base)
    }

    pub(super) fn seams(&self) -> &[Seam] {
        &self.seams
    }

    pub(super) fn is_single(&self) -> bool {
        self.lanes.len() == 1
    }

    pub(super) fn sentences(&self) -> u64 {
        self.lanes.iter().map(|lane| lane.log.index().sentences()).sum()
    }

    /// Offset of the last sentence, once everything is opened.
    pub(super) fn duration(&self) -> Option<Offset> {
        self.lanes.iter().map(Lane::duration).try_fold(0, |most, d| Some(most.max(d?)))
    }

    /// Offset of the last sentence that is indexed.
    pub(super) fn end(&mut self) -> Offset {
        if let Some(duration) = self.duration() {
            return duration;
        }
        let last =
            |lane: &mut Lane| lane.last().ok().flatten().map_or(lane.base, |e| lane.base.saturating_add(e.offset));
        self.lanes.iter_mut().map(last).max().unwrap_or(0)
    }

    /// When to look again, at the end of what is indexed of a log that is still being opened.
    pub(super) fn growing(&mut self) -> Option<Offset> {
        let growing = self.lanes.iter().any(|lane| !lane.log.index().complete());
        growing.then(|| self.end().saturating_add(GROWING))
    }

    /// The log whose clock tells the time at an offset: the last one that has begun and not ended, else that has begun.
    pub(super) fn file_at(&self, offset: Offset) -> u16 {
        let begun = |lane: &&Lane| lane.base <= offset;
        let runs = |lane: &Lane| begun(&lane) && lane.duration().is_none_or(|end| offset <= end);
        let file = self.lanes.iter().rposition(runs).or_else(|| self.lanes.iter().rposition(|lane| begun(&lane)));
        file.unwrap_or(0) as u16
    }

    /// The log with the next sentence, and when that is due.
    pub(super) fn peek(&mut self) -> Result<Option<(Offset, usize)>, SourceError> {
        let mut next: Option<(Offset, usize)> = None;
        for (i, lane) in self.lanes.iter_mut().enumerate() {
            if let Some(due) = lane.due()?
                && next.is_none_or(|(at, _)| due < at)
            {
                next = Some((due, i));
            }
        }
        Ok(next)
    }

    /// The next sentence; stands behind it.
    pub(super) fn pop(&mut self) -> Result<Option<(Offset, Entry)>, SourceError> {
        let Some((at, i)) = self.peek()? else { return Ok(None) };
        Ok(self.lanes.get_mut(i).and_then(Lane::pop).map(|entry| (at, entry)))
    }

    /// The sentence before; stands before it.
    pub(super) fn pop_back(&mut self) -> Result<Option<(Offset, Entry)>, SourceError> {
        let mut last: Option<(Offset, usize, Entry)> = None;
        for (i, lane) in self.lanes.iter_mut().enumerate() {
            let entry = lane.log.before(lane.from).map_err(|e| lane.error(e))?;
            if let Some(entry) = entry {
                let at = lane.base.saturating_add(entry.offset);
                if last.as_ref().is_none_or(|(latest, ..)| at >= *latest) {
                    last = Some((at, i, entry));
                }
            }
        }
        let Some((at, i, entry)) = last else { return Ok(None) };
        if let Some(lane) = self.lanes.get_mut(i) {
            lane.from = entry.place;
            lane.ahead.push_front(entry.clone());
            // Long ways back must not fill the memory.
            lane.ahead.truncate(2 * CHUNK);
        }
        Ok(Some((at, entry)))
    }

    /// Sentences before here.
    pub(super) fn number(&mut self) -> Result<u64, SourceError> {
        self.lanes.iter_mut().map(Lane::number).sum()
    }

    /// The place of the next sentence (at the end: of the last one), and sentences before it.
    pub(super) fn head(&self) -> Option<(Place, u64)> {
        // Usually the next sentence of each log has been read.
        let next = |lane: &Lane| lane.ahead.front().map(|e| (lane.base.saturating_add(e.offset), e.place, e.number));
        let nexts: Option<Vec<_>> = self.lanes.iter().map(next).collect();
        if let Some(nexts) = nexts {
            let place = nexts.iter().map(|(at, place, _)| (*at, *place)).min().map(|(_, place)| place)?;
            return Some((place, nexts.iter().map(|(.., number)| number).sum()));
        }
        let mut here = self.fork();
        let number = here.number().ok()?;
        let place = match here.peek().ok()? {
            Some((_, i)) => here.lanes.get(i)?.ahead.front()?.place,
            None => here.pop_back().ok()??.1.place,
        };
        Some((place, number))
    }

    pub(super) fn stand_at_start(&mut self) {
        self.lanes.iter_mut().for_each(|lane| lane.stand(Place::default()));
    }

    pub(super) fn stand_at_end(&mut self) {
        self.lanes.iter_mut().for_each(|lane| lane.stand(BEHIND));
    }

    /// Before the first sentence at or after an offset.
    pub(super) fn stand_at_offset(&mut self, offset: Offset) -> Result<(), SourceError> {
        for lane in &mut self.lanes {
            let found = lane.log.at_offset(offset.saturating_sub(lane.base));
            lane.stand_at(found)?;
        }
        Ok(())
    }

    /// Before the sentence at a place, or the first after it in that log.
    pub(super) fn stand_at_place(&mut self, place: Place) -> Result<(), SourceError> {
        let file = usize::from(place.file);
        let Some(lane) = self.lanes.get_mut(file) else {
            return Err(SourceError::Invalid(format!("there is no log number {}", file + 1)));
        };
        lane.stand(place);
        self.others(file)
    }

    /// Before the first sentence on a line of the first log, or after it.
    pub(super) fn stand_at_line(&mut self, line: u64) -> Result<(), SourceError> {
        if let Some(lane) = self.lanes.first_mut() {
            let found = lane.log.at_line(line);
            lane.stand_at(found)?;
        }
        self.others(0)
    }

    /// Brings the other logs to where one stands.
    fn others(&mut self, file: usize) -> Result<(), SourceError> {
        if self.is_single() {
            return Ok(());
        }
        let Some(lane) = self.lanes.get_mut(file) else { return Ok(()) };
        let at = match lane.due()? {
            Some(at) => at,
            None => lane.last()?.map_or(lane.base, |e| lane.base.saturating_add(e.offset)),
        };
        for (i, lane) in self.lanes.iter_mut().enumerate().filter(|(i, _)| *i != file) {
            // At one moment the earlier log's sentences come first.
            let from = if i < file { at.saturating_add(1) } else { at };
            let found = lane.log.at_offset(from.saturating_sub(lane.base));
            lane.stand_at(found)?;
        }
        Ok(())
    }

    /// So many sentences on, or back; to the end or the start when there are not so many.
    pub(super) fn by_sentences(&mut self, by: i64) -> Result<(), SourceError> {
        if self.is_single() {
            let target = i128::from(self.number()?) + i128::from(by);
            if let Some(lane) = self.lanes.first_mut() {
                let found = lane.log.at_sentence(u64::try_from(target.max(0)).unwrap_or(u64::MAX));
                lane.stand_at(found)?;
            }
            return Ok(());
        }
        for _ in 0..by.unsigned_abs() {
            let moved = if by > 0 { self.pop()? } else { self.pop_back()? };
            if moved.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Whether any sentence of these logs can carry a time.
    pub(super) fn has_sentence_times(&self) -> bool {
        let carries = |lane: &Lane| lane.log.index().types().iter().any(|t| sentence_time::carries(t));
        self.lanes.iter().any(carries)
    }

    /// The next (previous) unusual row of any log, seams among the gaps; `landed` is the row that was found last, while the
    /// cursor still stands where it led.
    pub(super) fn unusual(
        &mut self,
        what: Unusual,
        way: Way,
        landed: Option<Place>,
        go_on: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Option<Place>, SourceError> {
        // By the sentence that a row leads to: what stands in one log before its next sentence is ahead.
        let mut best: Option<(Offset, Place, Place)> = None;
        let gaps = what == Unusual::GapOrBreak;
        let next = self.peek()?.map(|(_, i)| i);
        for (i, lane) in self.lanes.iter_mut().enumerate() {
            let found_last = landed.filter(|p| usize::from(p.file) == i);
            let here = match found_last {
                Some(place) => place,
                None => lane.searched_from(i as u16, next == Some(i))?,
            };
            // Beyond what was found last; and out of the gap in which the cursor stands.
            let leave = found_last.is_some() || gaps && next == Some(i);
            let here = if way == Way::Forward && leave { behind(here) } else { here };
            let row = lane.log.next(what, here, way, go_on).map_err(|e| lane.error(e))?;
            let seam = self.seams.iter().find(|s| gaps && usize::from(s.file) == i);
            let seam = seam.filter(|s| (s.place >= here) == (way == Way::Forward)).map(|s| s.place);
            for place in row.map(|row| row.place).into_iter().chain(seam) {
                let (at, leads_to) = lane.leads_to(place)?;
                let found = (at, leads_to, place);
                let nearer = |b: &(Offset, Place, Place)| if way == Way::Forward { found < *b } else { found > *b };
                if best.as_ref().is_none_or(nearer) {
                    best = Some(found);
                }
            }
        }
        Ok(best.map(|(.., place)| place))
    }

    /// Of a single log: the vessel as everything before made it, by the log's own checkpoints. The inner `None`: `go_on` said
    /// no.
    pub(super) fn single_vessel(
        &mut self,
        go_on: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Option<Option<Vessel>>, SourceError> {
        let [lane] = self.lanes.as_mut_slice() else { return Ok(None) };
        let place = lane.peek()?.map_or(BEHIND, |e| e.place);
        let vessel = lane.log.vessel(place, go_on).map_err(|e| lane.error(e))?;
        Ok(Some(vessel))
    }

    /// Of a single log: leaves a checkpoint in passing, if one is wanted before this sentence.
    pub(super) fn keep(&self, next: &Entry, vessel: &Vessel) {
        if let [lane] = self.lanes.as_slice()
            && next.number.is_multiple_of(checkpoints::STEP)
            && lane.log.index().wants_vessel(next.number)
        {
            lane.log.index().keep_vessel(next.number, next.place, vessel);
        }
    }
}

/// UTC at the start of a log's own time, from its first date.
fn start_utc(lane: &mut Lane) -> Result<Option<Utc>, SourceError> {
    let mut read = Vec::new();
    lane.log.ahead(Place::default(), DATED_WITHIN, &mut read).map_err(|e| lane.error(e))?;
    Ok(read.iter().find_map(|e| Some(e.utc?.saturating_sub(e.offset))))
}

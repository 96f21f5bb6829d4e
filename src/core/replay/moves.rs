//! Moves by epochs, skipped lines, warnings and gaps. Sends nothing and decodes nothing; moves a scout, not the play head.
//!
//! An epoch is what was said at one time of the receiver: it begins with a sentence whose own time differs from that of
//! the timed sentence before it. In a log without such sentences it is what has one offset.

use super::merge::Merge;
use crate::core::frame::Place;
use crate::core::log::clock::Reading;
use crate::core::log::{Entry, Unusual, Way};
use crate::core::transport::{SourceError, Unit};

/// The furthest that is looked for an epoch, in sentences.
const FURTHEST: usize = 65_536;

/// Sentences up to the next epoch; all that are left (at most 65 536) when there is no other. Stays where it is.
pub(super) fn epoch_ahead(scout: &mut Merge) -> Result<usize, SourceError> {
    let here = scout.here();
    if scout.has_sentence_times() {
        let found = by_own_time(scout)?;
        scout.stand_here(&here);
        if let Some(n) = found {
            return Ok(n);
        }
    }
    let n = by_offset(scout)?;
    scout.stand_here(&here);
    Ok(n)
}

/// Stands before the next epoch. `false`: there was nothing ahead.
pub(super) fn epoch_on(scout: &mut Merge) -> Result<bool, SourceError> {
    let n = epoch_ahead(scout)?;
    for _ in 0..n {
        scout.pop()?;
    }
    Ok(n > 0)
}

/// The own time of an entry, and the log it belongs to: two receivers have epochs of their own.
fn timed(entry: &Entry) -> Option<(u16, Reading)> {
    entry.own_time().map(|t| (entry.place.file, t))
}

/// `None`: no sentence with a time nearby. Ends anywhere.
fn by_own_time(scout: &mut Merge) -> Result<Option<usize>, SourceError> {
    // The epoch at hand: of the next sentence if it has a time, else of the last one that had.
    let here = scout.here();
    let Some((_, next)) = scout.pop()? else { return Ok(Some(0)) };
    let mut now = timed(&next);
    if now.is_none() {
        scout.stand_here(&here);
        for _ in 0..FURTHEST {
            let Some((_, entry)) = scout.pop_back()? else { break };
            now = timed(&entry);
            if now.is_some() {
                break;
            }
        }
        scout.stand_here(&here);
        scout.pop()?;
    }
    for n in 1..FURTHEST {
        let Some((_, entry)) = scout.pop()? else { return Ok(now.map(|_| n)) };
        let Some((file, time)) = timed(&entry) else { continue };
        match now {
            Some((of, last)) if of != file || time.since(last) == 0 => {}
            _ => return Ok(Some(n)),
        }
    }
    Ok(now.map(|_| FURTHEST))
}

/// Ends anywhere.
fn by_offset(scout: &mut Merge) -> Result<usize, SourceError> {
    let Some((at, _)) = scout.pop()? else { return Ok(0) };
    for n in 1..FURTHEST {
        if scout.peek()?.is_none_or(|(next, _)| next != at) {
            return Ok(n);
        }
        scout.pop()?;
    }
    Ok(FURTHEST)
}

/// Stands before the first sentence of the epoch that was said last. `false`: there was nothing before.
pub(super) fn epoch_back(scout: &mut Merge) -> Result<bool, SourceError> {
    let here = scout.here();
    let Some((at, last)) = scout.pop_back()? else { return Ok(false) };
    scout.stand_here(&here);
    let to = match by_own_time_back(scout)? {
        Some(place) => place,
        None => {
            scout.stand_here(&here);
            let mut place = last.place;
            for _ in 0..FURTHEST {
                match scout.pop_back()? {
                    Some((before, entry)) if before == at => place = entry.place,
                    _ => break,
                }
            }
            place
        }
    };
    scout.stand_at_place(to)?;
    Ok(true)
}

/// `None`: no sentence with a time nearby, on either side. Ends anywhere.
fn by_own_time_back(scout: &mut Merge) -> Result<Option<Place>, SourceError> {
    if !scout.has_sentence_times() {
        return Ok(None);
    }
    let here = scout.here();
    let mut first: Option<(u16, Reading, Place)> = None;
    let mut earliest = None;
    for _ in 0..FURTHEST {
        let Some((_, entry)) = scout.pop_back()? else { break };
        earliest = Some(entry.place);
        let Some((file, time)) = timed(&entry) else { continue };
        match &mut first {
            Some((of, ..)) if *of != file => {}
            Some((_, last, place)) if time.since(*last) == 0 => *place = entry.place,
            Some(_) => break,
            none => *none = Some((file, time, entry.place)),
        }
    }
    if let Some((.., place)) = first {
        return Ok(Some(place));
    }
    // What stands before the first time of all is an epoch by itself.
    scout.stand_here(&here);
    for _ in 0..FURTHEST {
        match scout.pop()? {
            Some((_, entry)) if timed(&entry).is_some() => return Ok(earliest),
            Some(_) => {}
            None => break,
        }
    }
    Ok(None)
}

/// Stands before the sentence at, or behind, the next (previous) skipped line, warning, gap or break. Says which row that is.
pub(super) fn unusual(
    scout: &mut Merge,
    unit: Unit,
    forward: bool,
    landed: Option<Place>,
    go_on: &mut dyn FnMut(f32) -> bool,
) -> Result<Place, SourceError> {
    let (what, name) = match unit {
        Unit::Bad => (Unusual::Bad, "skipped line"),
        Unit::Warning => (Unusual::Warning, "warning"),
        _ => (Unusual::GapOrBreak, "gap or break"),
    };
    let way = if forward { Way::Forward } else { Way::Back };
    let Some(place) = scout.unusual(what, way, landed, go_on)? else {
        let side = if forward { "ahead" } else { "behind" };
        return Err(SourceError::Invalid(format!("no further {name} {side}")));
    };
    scout.stand_at_place(place)?;
    Ok(place)
}

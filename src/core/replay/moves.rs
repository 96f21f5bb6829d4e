//! Moves by epochs, skipped lines, warnings and gaps. Sends nothing and decodes nothing.
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

/// Sentences up to the next epoch; all that are left (at most 65 536) when there is no other.
pub(super) fn epoch_ahead(merge: &mut Merge) -> Result<usize, SourceError> {
    if merge.has_sentence_times()
        && let Some(n) = by_own_time(&mut merge.fork())?
    {
        return Ok(n);
    }
    by_offset(merge)
}

/// Stands before the next epoch. `false`: there was nothing ahead.
pub(super) fn epoch_on(merge: &mut Merge) -> Result<bool, SourceError> {
    let n = epoch_ahead(&mut merge.fork())?;
    for _ in 0..n {
        merge.pop()?;
    }
    Ok(n > 0)
}

/// The own time of an entry, and the log it belongs to: two receivers have epochs of their own.
fn timed(entry: &Entry) -> Option<(u16, Reading)> {
    entry.own_time().map(|t| (entry.place.file, t))
}

/// `None`: no sentence with a time nearby.
fn by_own_time(merge: &mut Merge) -> Result<Option<usize>, SourceError> {
    // The epoch at hand: of the next sentence if it has a time, else of the last one that had.
    let mut now = None;
    let mut back = merge.fork();
    let Some((_, next)) = merge.pop()? else { return Ok(Some(0)) };
    let mut seen = timed(&next).is_some();
    match timed(&next) {
        Some(time) => now = Some(time),
        None => {
            for _ in 0..FURTHEST {
                let Some((_, entry)) = back.pop_back()? else { break };
                if let Some(time) = timed(&entry) {
                    now = Some(time);
                    break;
                }
            }
        }
    }
    seen |= now.is_some();
    for n in 1..FURTHEST {
        let Some((_, entry)) = merge.pop()? else { return Ok(seen.then_some(n)) };
        let Some((file, time)) = timed(&entry) else { continue };
        match now {
            Some((of, last)) if of != file || time.since(last) == 0 => seen = true,
            _ => return Ok(Some(n)),
        }
    }
    Ok(seen.then_some(FURTHEST))
}

fn by_offset(merge: &mut Merge) -> Result<usize, SourceError> {
    let Some((at, _)) = merge.pop()? else { return Ok(0) };
    for n in 1..FURTHEST {
        if merge.peek()?.is_none_or(|(next, _)| next != at) {
            return Ok(n);
        }
        merge.pop()?;
    }
    Ok(FURTHEST)
}

/// Stands before the first sentence of the epoch that was said last. `false`: there was nothing before.
pub(super) fn epoch_back(merge: &mut Merge) -> Result<bool, SourceError> {
    let Some((at, last)) = merge.fork().pop_back()? else { return Ok(false) };
    let to = match by_own_time_back(merge)? {
        Some(place) => place,
        None => {
            let mut scan = merge.fork();
            let mut place = last.place;
            for _ in 0..FURTHEST {
                match scan.pop_back()? {
                    Some((before, entry)) if before == at => place = entry.place,
                    _ => break,
                }
            }
            place
        }
    };
    merge.stand_at_place(to)?;
    Ok(true)
}

/// `None`: no sentence with a time nearby, on either side.
fn by_own_time_back(merge: &Merge) -> Result<Option<Place>, SourceError> {
    if !merge.has_sentence_times() {
        return Ok(None);
    }
    let mut scan = merge.fork();
    let mut first: Option<(u16, Reading, Place)> = None;
    let mut earliest = None;
    for _ in 0..FURTHEST {
        let Some((_, entry)) = scan.pop_back()? else { break };
        earliest = Some(entry.place);
        let Some((file, time)) = timed(&entry) else { continue };
        match &mut first {
            Some((of, ..)) if *of != file => {}
            Some((_, last, place)) if time.since(*last) == 0 => *place = entry.place,
            Some(_) => break,
            none => *none = Some((file, time, entry.place)),
        }
    }
    match first {
        Some((.., place)) => Ok(Some(place)),
        // What stands before the first time of all is an epoch by itself.
        None if has_time_ahead(merge)? => Ok(earliest),
        None => Ok(None),
    }
}

fn has_time_ahead(merge: &Merge) -> Result<bool, SourceError> {
    let mut scan = merge.fork();
    for _ in 0..FURTHEST {
        match scan.pop()? {
            Some((_, entry)) if timed(&entry).is_some() => return Ok(true),
            Some(_) => {}
            None => break,
        }
    }
    Ok(false)
}

/// Stands before the sentence at, or behind, the next (previous) skipped line, warning, gap or break. Says which row that is.
pub(super) fn unusual(
    merge: &mut Merge,
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
    let Some(place) = merge.unusual(what, way, landed, go_on)? else {
        let side = if forward { "ahead" } else { "behind" };
        return Err(SourceError::Invalid(format!("no further {name} {side}")));
    };
    merge.stand_at_place(place)?;
    Ok(place)
}

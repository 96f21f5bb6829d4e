//! Rules about how rows come: lost, slow, a whole device gone, jitter, rates doubled.

use super::board::{Board, seen};
use super::context::{Device, Settings};
use super::feed::seconds;
use super::kind::{Kind, Severity};
use super::rows::Rows;
use super::stats::{LOST_AFTER, Row, State};
use crate::core::frame::Origin;
use crate::core::nmea::Cadence;
use crate::core::time::{Moment, Offset, SECOND};
use crate::core::vessel::Label;

/// Types of a talker that must be lost before the device is called gone.
pub const GONE_LEAST: usize = 2;
/// Jitter above this share of the period is a finding.
pub const JITTER_SHARE: f64 = 0.5;
/// For periods below this, seconds, a warning; else a note.
pub const JITTER_PERIOD: f64 = 0.5;
/// Rows that come twice as often as expected…
pub const DOUBLED_LEAST: usize = 3;
/// … for so long, and at least half of all rows of the input: something repeats.
pub const DOUBLED_FOR: Offset = 10 * SECOND;

/// How long others on the input were heard since a moment, without a row.
pub type Missed<'a> = &'a dyn Fn(Origin, Offset) -> Offset;

/// A row and whether it is lost.
type Judged<'a> = (&'a Row, bool);

/// Once a second.
pub fn judge(rows: &Rows, missed: Missed<'_>, settings: &Settings, now: Moment, b: &mut Board) {
    let at = now.offset;
    let sorted = rows.sorted();
    let judged: Vec<Judged<'_>> = sorted.iter().map(|row| (*row, is_lost(&sorted, row, missed, at))).collect();
    let gone = devices(&judged, now, b);
    for (row, lost) in &judged {
        let (origin, subject) = (row.key.origin, row.key.subject());
        let device = gone.iter().find(|(device, _)| *device == Device { origin, talker: row.key.talker });
        if let Some((_, last)) = device.filter(|_| *lost) {
            // those that fell silent with the device are that one finding
            if row.came() + LOST_AFTER >= *last {
                b.retract(Kind::Lost, origin, subject);
            } else {
                b.clear(Kind::Lost, origin, subject);
            }
        } else {
            lost_row(row, *lost, now, b);
        }
        let slow = row.is_slow(at).filter(|_| settings.even && row.state(at) == State::Slow);
        if let Some(since) = slow {
            b.raise_since(Kind::Slow, origin, subject, since, now, || {
                let (expected, interval) = (row.expected.unwrap_or(0.0), row.median_now().unwrap_or(0.0));
                let words = format!("every {interval:.1} s, expected every {expected:.1} s");
                seen(words, &[("interval_s", interval), ("expected_s", expected)])
            });
        } else {
            b.clear(Kind::Slow, origin, subject);
        }
        jitter(row, settings.live, now, b);
    }
    if settings.even {
        doubled(&sorted, now, b);
    }
}

/// Lost, though others were heard all the while: when the whole input is quiet, that is another finding, or a gap of a log.
fn is_lost(rows: &[&Row], row: &Row, missed: Missed<'_>, at: Offset) -> bool {
    let after = row.lost_after().filter(|_| row.state(at) == State::Lost);
    after.is_some_and(|after| missed(row.key.origin, row.came()) > after - SECOND) && !is_renamed(rows, row, at)
}

/// A receiver calls itself GN while it uses several systems, else GP or GL: what one name no longer says, another does.
fn is_renamed(rows: &[&Row], row: &Row, at: Offset) -> bool {
    let gnss = |r: &Row| r.key.talker.as_bytes().first() == Some(&b'G');
    let other = |r: &&&Row| {
        r.key.origin == row.key.origin && r.key.formatter == row.key.formatter && r.key.talker != row.key.talker
    };
    let alive = |r: &&Row| gnss(r) && r.age(at) <= LOST_AFTER;
    gnss(row) && row.key.formatter.as_bytes() != b"GSV" && rows.iter().filter(other).any(alive)
}

fn lost_row(row: &Row, lost: bool, now: Moment, b: &mut Board) {
    let (origin, subject) = (row.key.origin, row.key.subject());
    if !lost {
        b.clear(Kind::Lost, origin, subject);
        return;
    }
    b.raise_since(Kind::Lost, origin, subject, row.came(), now, || {
        let (age, interval) = (seconds(row.silence(now.offset)), row.interval().unwrap_or(0.0));
        let words = format!("not heard for {age:.0} s, came every {interval:.1} s");
        seen(words, &[("age_s", age), ("interval_s", interval)])
    });
}

/// Devices all of whose rows are silent, at least two of them lost, and when they were last heard: one finding each. Rows are
/// sorted by device.
fn devices(rows: &[Judged<'_>], now: Moment, b: &mut Board) -> Vec<(Device, Offset)> {
    let device_of = |row: &Row| Device { origin: row.key.origin, talker: row.key.talker };
    let mut all_gone = Vec::new();
    for own in rows.chunk_by(|(a, _), (b, _)| device_of(a) == device_of(b)) {
        let Some(device) = own.first().map(|(row, _)| device_of(row)) else { continue };
        let lost = own.iter().filter(|(_, lost)| *lost).count();
        let last = own.iter().map(|(row, _)| row.came()).max().unwrap_or(now.offset);
        let quiet = |row: &Row| row.lost_after().is_none() || row.silence(now.offset) >= LOST_AFTER;
        if lost < GONE_LEAST || !own.iter().all(|(row, _)| quiet(row)) {
            b.clear(Kind::DeviceGone, device.origin, device.talker);
            continue;
        }
        all_gone.push((device, last));
        b.raise_since(Kind::DeviceGone, device.origin, device.talker, last, now, || {
            let mut types: Vec<String> = own.iter().map(|(r, _)| r.key.formatter.to_string()).collect();
            types.dedup();
            let age = seconds(now.offset - last);
            seen(
                format!("{} all silent for {age:.0} s", types.join(", ")),
                &[("age_s", age), ("types", types.len() as f64)],
            )
        });
    }
    all_gone
}

fn jitter(row: &Row, live: bool, now: Moment, b: &mut Board) {
    let (origin, subject) = (row.key.origin, row.key.subject());
    let steady = matches!(row.cadence(), Cadence::Steady | Cadence::Slow | Cadence::Epoch);
    let off = row.jitter().zip(row.expected).filter(|_| live && steady && row.state(now.offset) == State::Ok);
    let off = off.filter(|(jitter, period)| *period > 0.0 && *jitter > JITTER_SHARE * period);
    let Some((jitter, period)) = off else {
        b.clear(Kind::Jitter, origin, subject);
        return;
    };
    b.raise(Kind::Jitter, origin, subject, now, || {
        let words = format!("{:.0} ms off a period of {:.0} ms (p90)", jitter * 1000.0, period * 1000.0);
        let e = seen(words, &[("jitter_ms", jitter * 1000.0), ("period_ms", period * 1000.0)]);
        if period < JITTER_PERIOD { e } else { e.as_severity(Severity::Note) }
    });
}

fn doubled(rows: &[&Row], now: Moment, b: &mut Board) {
    let mut origins: Vec<Origin> = rows.iter().map(|r| r.key.origin).collect();
    origins.dedup();
    for origin in origins {
        let known = |r: &&&Row| r.key.origin == origin && r.cadence() == Cadence::Steady && r.expected.is_some();
        let all = rows.iter().filter(known).count();
        let fast =
            |r: &&&Row| r.fast_since.is_some_and(|since| now.offset - since >= DOUBLED_FOR) && !r.is_lost(now.offset);
        let twice = rows.iter().filter(known).filter(fast).count();
        let since = rows.iter().filter(known).filter_map(|r| r.fast_since).min();
        let subject = Label::new(b"rates");
        let Some(since) = since.filter(|_| twice >= DOUBLED_LEAST && twice * 2 >= all) else {
            b.clear(Kind::Echo, origin, subject);
            continue;
        };
        b.raise_since(Kind::Echo, origin, subject, since, now, || {
            let words = format!("{twice} of {all} types come twice as often as at the start");
            seen(words, &[("types", twice as f64), ("of", all as f64)])
        });
    }
}

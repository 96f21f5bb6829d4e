//! Rules about how rows come: lost, slow, a whole device gone, jitter, rates doubled.

use super::board::{Board, seen};
use super::context::Device;
use super::feed::seconds;
use super::kind::{Kind, Severity};
use super::stats::{Row, Rows, State};
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

/// Once a second. `live`: arrival times are the device's own, so that jitter means something.
pub fn judge(rows: &Rows, silent: &dyn Fn(Origin, Offset) -> bool, live: bool, now: Moment, b: &mut Board) {
    let at = now.offset;
    let sorted = rows.sorted();
    for row in &sorted {
        let (origin, subject) = (row.key.origin, row.key.subject());
        // While nothing else came either, the whole input is quiet, which is another finding (or the end of a log).
        let lost = row.state(at) == State::Lost && !silent(origin, row.age(at));
        let gone = lost && device_gone(&sorted, row, at);
        if gone {
            b.clear(Kind::Lost, origin, subject);
        } else {
            lost_row(row, lost, now, b);
        }
        if let Some(since) = row.is_slow(at).filter(|_| row.state(at) == State::Slow) {
            b.raise_since(Kind::Slow, origin, subject, since, now, || {
                let (expected, interval) = (row.expected.unwrap_or(0.0), row.median_now().unwrap_or(0.0));
                let words = format!("every {interval:.1} s, expected every {expected:.1} s");
                seen(words, &[("interval_s", interval), ("expected_s", expected)])
            });
        } else {
            b.clear(Kind::Slow, origin, subject);
        }
        jitter(row, live, now, b);
    }
    devices(&sorted, silent, now, b);
    doubled(&sorted, now, b);
}

fn lost_row(row: &Row, lost: bool, now: Moment, b: &mut Board) {
    let (origin, subject) = (row.key.origin, row.key.subject());
    if !lost {
        b.clear(Kind::Lost, origin, subject);
        return;
    }
    b.raise_since(Kind::Lost, origin, subject, row.last, now, || {
        let (age, interval) = (seconds(row.age(now.offset)), row.interval().unwrap_or(0.0));
        let words = format!("not heard for {age:.0} s, came every {interval:.1} s");
        seen(words, &[("age_s", age), ("interval_s", interval)])
    });
}

/// All rows of this row's talker are silent, and at least two are lost.
fn device_gone(rows: &[&Row], row: &Row, at: Offset) -> bool {
    let same = |r: &&&Row| r.key.origin == row.key.origin && r.key.talker == row.key.talker && r.lost_after().is_some();
    let lost = rows.iter().filter(same).filter(|r| r.is_lost(at)).count();
    lost >= GONE_LEAST && rows.iter().filter(same).all(|r| r.age(at) >= super::stats::LOST_AFTER)
}

fn devices(rows: &[&Row], silent: &dyn Fn(Origin, Offset) -> bool, now: Moment, b: &mut Board) {
    let mut seen_devices: Vec<Device> = Vec::new();
    for row in rows {
        let device = Device { origin: row.key.origin, talker: row.key.talker };
        if seen_devices.contains(&device) {
            continue;
        }
        seen_devices.push(device);
        let own = || rows.iter().filter(|r| r.key.origin == device.origin && r.key.talker == device.talker);
        let last = own().map(|r| r.last).max().unwrap_or(now.offset);
        let quiet = silent(device.origin, now.offset - last);
        let gone = !quiet && own().any(|r| r.is_lost(now.offset) && device_gone(rows, r, now.offset));
        if !gone {
            b.clear(Kind::DeviceGone, device.origin, device.talker);
            continue;
        }
        b.raise_since(Kind::DeviceGone, device.origin, device.talker, last, now, || {
            let mut types: Vec<String> = own().map(|r| r.key.formatter.to_string()).collect();
            types.dedup();
            let age = seconds(now.offset - last);
            seen(
                format!("{} all silent for {age:.0} s", types.join(", ")),
                &[("age_s", age), ("types", types.len() as f64)],
            )
        });
    }
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

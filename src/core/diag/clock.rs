//! Rules about time: the receiver's date and hour against a clock that can be trusted, and delays that grow.

use super::board::{Board, Evidence, Hold, seen};
use super::context::{Context, Device, Few};
use super::feed::seconds;
use super::kind::{Kind, Severity};
use crate::core::time::{DAY, Date, HOUR, MINUTE, Offset, SECOND, Utc};

/// GPS counts weeks to 1024: 7168 days.
pub const ROLLOVER: i64 = 7168 * DAY;
/// How near to it a difference must be.
pub const ROLLOVER_GRAIN: i64 = 2 * DAY;
/// This program; a date before it, far behind a good clock, is the receiver's fault.
pub const PROGRAM: Date = Date { year: 2026, month: 11, day: 30 };
/// Whole hours off: how near, since lines arrive late and clocks drift.
pub const HOUR_GRAIN: i64 = MINUTE;
/// Zones reach from -12 to +14 hours.
pub const MOST_HOURS: i64 = 14;
/// A difference must last so long.
pub const OFF_FOR: Offset = 5 * SECOND;
/// Delay has grown by this against the least of the first half minute.
pub const GROWN: Offset = 2 * SECOND;
/// The delay is the least of so long: single late lines do not count.
pub const DELAY_OVER: Offset = 10 * SECOND;
/// The first delays are learned over this time.
pub const LEARNING: Offset = 30 * SECOND;
/// Whatever is farther off is no more wrong than this.
const FAR: Offset = 36_525 * DAY;
/// A step of the receiver's clock, not a delay.
const STEP: Offset = MINUTE;

#[derive(Debug, Default)]
struct Clock {
    week: Hold,
    hours: Hold,
    last_date: Option<i64>,
    started: Option<Offset>,
    usual: Option<Offset>,
    least: Option<(Offset, Offset)>,
    grown: bool,
    jumps: u32,
}

/// The rules about time.
#[derive(Debug, Default)]
pub struct Clocks {
    all: Few<Device, Clock, 16>,
}

impl Clocks {
    /// Takes a sentence.
    pub fn hear(&mut self, c: &Context<'_>, b: &mut Board) {
        if !matches!(c.formatter, b"RMC" | b"ZDA") {
            return;
        }
        let (Some(date), Some(utc)) = (c.said.date(), c.said.utc()) else { return };
        let Some(clock) = self.all.entry(c.device) else { return };
        if c.settings.reference_clock
            && let Some(reference) = c.now.utc
        {
            clock.compare(c, b, utc, reference);
        } else {
            clock.jump(c, b, date);
        }
        if c.settings.live && c.settings.timed && c.formatter == b"RMC" {
            clock.delay(c, b, utc);
        }
    }
}

impl Clock {
    fn compare(&mut self, c: &Context<'_>, b: &mut Board, utc: Utc, reference: Utc) {
        let (origin, talker, at) = (c.device.origin, c.device.talker, c.at());
        let behind = reference.saturating_sub(utc).clamp(-FAR, FAR);
        let weeks = (behind + ROLLOVER / 2).div_euclid(ROLLOVER);
        let rolled = weeks >= 1 && (behind - weeks * ROLLOVER).abs() <= ROLLOVER_GRAIN && utc < PROGRAM.midnight();
        let since = self.week.after(OFF_FOR, rolled, at);
        b.set(since.is_some(), Kind::WeekRollover, origin, talker, c.now, || {
            let (said, days) = (crate::core::time::date_of(utc), behind / DAY);
            seen(format!("says {said}, {days} days behind"), &[("days", days as f64)])
        });
        let hours = (behind + HOUR / 2).div_euclid(HOUR);
        let local = hours != 0 && hours.abs() <= MOST_HOURS && (behind - hours * HOUR).abs() <= HOUR_GRAIN;
        let since = self.hours.after(OFF_FOR, local, at);
        b.set(since.is_some(), Kind::LocalTime, origin, talker, c.now, || {
            let way = if hours > 0 { "behind" } else { "ahead of" };
            let e = seen(format!("{} h {way} UTC", hours.abs()), &[("hours", -hours as f64)]);
            if c.settings.live {
                return e;
            }
            // It may as well be the log that was stamped in local time.
            Evidence { words: format!("{}, or the log is stamped in local time", e.words), ..e }
                .as_severity(Severity::Note)
        });
    }

    fn jump(&mut self, c: &Context<'_>, b: &mut Board, date: i64) {
        let before = self.last_date.replace(date).unwrap_or(date);
        let days = date - before;
        if (days.abs() - ROLLOVER / DAY).abs() <= 1 {
            self.jumps += 1;
            let n = f64::from(self.jumps);
            b.raise(Kind::DateJump, c.device.origin, c.device.talker, c.now, || {
                seen(format!("the date jumped by {days} days"), &[("days", days as f64), ("times", n)])
            });
        }
    }

    fn delay(&mut self, c: &Context<'_>, b: &mut Board, utc: Utc) {
        let at = c.at();
        // Own time less the receiver's: a constant, plus how long the line waited.
        let delay = at.saturating_sub(utc);
        let started = *self.started.get_or_insert(at);
        if self.usual.is_some_and(|usual| delay.abs_diff(usual) > STEP.unsigned_abs()) {
            // The clock was set: learn again.
            *self = Clock { week: self.week, hours: self.hours, last_date: self.last_date, ..Clock::default() };
            return;
        }
        if at - started < LEARNING {
            self.usual = Some(self.usual.map_or(delay, |usual| usual.min(delay)));
            return;
        }
        let (since, least) = self.least.get_or_insert((at, delay));
        *least = (*least).min(delay);
        if at - *since < DELAY_OVER {
            return;
        }
        let grown = *least - self.usual.unwrap_or(*least);
        self.least = None;
        self.grown = grown >= GROWN;
        b.set(self.grown, Kind::Latency, c.device.origin, c.device.talker, c.now, || {
            let s = seconds(grown);
            seen(format!("RMC comes {s:.1} s later than at the start"), &[("seconds", s)])
        });
    }
}

//! Rules about one receiver: fix, satellites, geometry, jumps, frozen positions, unreal positions, datum, talker.

use super::board::{Board, Hold, seen};
use super::context::{Context, Device, FRESH, Few, Stamped, World, fresh};
use super::kind::Kind;
use super::twins::{DISAGREE_FOR, POSITION_M, POSITION_M_PER_HDOP};
use crate::core::time::{DAY, MINUTE, Moment, Offset, SECOND};
use crate::core::vessel::Position;
use crate::core::vessel::geodesy;
use crate::core::vessel::units::{KN_M_S, NM_M};

/// No fix (lost) after so long without one.
pub const LOST_AFTER: Offset = 10 * SECOND;
/// A receiver that never had a fix may search so long.
pub const SEARCHING: Offset = 120 * SECOND;
/// Fewer satellites used than this are few.
pub const FEW_SATELLITES: f64 = 5.0;
/// Horizontal dilution above this is poor.
pub const POOR_HDOP: f64 = 4.0;
/// Few satellites or poor geometry must last so long.
pub const POOR_FOR: Offset = 10 * SECOND;
/// A jump: faster than this between two positions (and than twice the speed the receiver says)…
pub const JUMP_KN: f64 = 60.0;
/// … and further than this.
pub const JUMP_M: f64 = 100.0;
/// So many jumps…
pub const JUMPS: usize = 2;
/// … within this time are a finding.
pub const JUMP_MEMORY: Offset = 10 * MINUTE;
/// Not before the fix is so old.
pub const JUMP_SETTLED: Offset = 60 * SECOND;
/// Frozen: the speed says more than this…
pub const FROZEN_KN: f64 = 2.0;
/// … and nothing changed for so many times resolution / speed…
pub const FROZEN_STEPS: f64 = 3.0;
/// … and at least this long.
pub const FROZEN_LEAST: Offset = 10 * SECOND;
/// Mode S, E, M or quality 6, 7, 8 for so long.
pub const UNREAL_FOR: Offset = 3 * SECOND;
/// Talker GN only, said after this long.
pub const GN_AFTER: Offset = 30 * SECOND;

/// While two receivers share a name, the way from one to the other is no jump.
const TWIN_MEMORY: Offset = 5 * SECOND;

/// Most receivers told apart.
const MOST: usize = 16;

#[derive(Debug, Default)]
struct Receiver {
    heard: bool,
    since: Offset,
    had_fix: bool,
    fix_since: Option<Offset>,
    invalid: Hold,
    few: Hold,
    poor: Hold,
    unreal: Hold,
    used: Few<u8, f64, 8>,
    used_gga: Option<Stamped<f64>>,
    place: Option<Stamped<(Position, Option<i64>)>>,
    moved: Option<Stamped<Position>>,
    repeats: u32,
    jumps: Vec<Offset>,
    farthest: f64,
    says_rmc: bool,
    said: Few<[u8; 3], Option<(Position, i64)>, 4>,
    twin: Hold,
    twin_at: Option<Offset>,
}

/// The rules about receivers.
#[derive(Debug, Default)]
pub struct Receivers {
    all: Few<Device, Receiver, MOST>,
}

impl Receivers {
    /// Takes a sentence.
    pub fn hear(&mut self, c: &Context<'_>, w: &World, b: &mut Board) {
        if c.formatter == b"DTM" {
            let code = c.raw(0).trim_ascii();
            let other = !code.is_empty() && code != b"W84";
            b.set(other, Kind::Datum, c.device.origin, c.device.talker, c.now, || {
                seen(format!("DTM says {}", crate::core::visible::text(code)), &[])
            });
            return;
        }
        if !matches!(c.formatter, b"RMC" | b"GGA" | b"GLL" | b"GNS" | b"GSA" | b"VTG") {
            return;
        }
        let Some(r) = self.all.entry(c.device) else { return };
        if !r.heard {
            (r.heard, r.since) = (true, c.at());
        }
        r.says_rmc |= c.formatter == b"RMC";
        r.fix(c, b);
        r.quality(c, b);
        r.unreal(c, b);
        r.place(c, w, b);
    }

    /// Once a second.
    pub fn second(&mut self, now: Moment, b: &mut Board) {
        for (device, r) in self.all.iter() {
            if device.talker.as_bytes() != b"GN" || !r.says_rmc || now.offset - r.since < GN_AFTER {
                continue;
            }
            let gp =
                self.all.iter().any(|(d, o)| d.origin == device.origin && d.talker.as_bytes() == b"GP" && o.says_rmc);
            b.set(!gp, Kind::OnlyGn, device.origin, device.talker, now, || seen("RMC comes from talker GN only", &[]));
        }
    }
}

impl Receiver {
    fn fix(&mut self, c: &Context<'_>, b: &mut Board) {
        let said = c.said;
        let good = match c.formatter {
            b"RMC" | b"GLL" => said.letter("status").map(|s| s == b'A'),
            b"GGA" => said.number("quality").map(|q| q > 0.0),
            b"GSA" => said.number("fix").map(|f| f > 1.0),
            _ => None,
        };
        let Some(good) = good else { return };
        let (origin, talker, at) = (c.device.origin, c.device.talker, c.at());
        if good {
            self.had_fix = true;
            self.fix_since.get_or_insert(at);
        }
        let span = if self.had_fix { LOST_AFTER } else { SEARCHING };
        if let Some(since) = self.invalid.after(span, !good, at) {
            let kind = if self.had_fix { Kind::FixLost } else { Kind::NoFix };
            self.fix_since = None;
            b.raise_since(kind, origin, talker, since, c.now, || {
                let s = super::feed::seconds(at - since);
                let formatter = crate::core::visible::text(c.formatter);
                seen(format!("{talker} {formatter} and the others say no fix for {s:.0} s"), &[("seconds", s)])
            });
        } else if good {
            b.clear(Kind::NoFix, origin, talker);
            b.clear(Kind::FixLost, origin, talker);
        }
    }

    fn quality(&mut self, c: &Context<'_>, b: &mut Board) {
        let (said, at) = (c.said, c.at());
        match c.formatter {
            b"GGA" | b"GNS" => {
                if let Some(value) = said.number("satellites") {
                    self.used_gga = Some(Stamped { value, at });
                }
            }
            b"GSA" => {
                // One GSA per system: by its system id, else by the band of its first satellite number.
                let prns: Vec<f64> = said
                    .all()
                    .iter()
                    .filter(|(n, _)| *n == "prn")
                    .filter_map(|(_, v)| match v {
                        super::said::Value::Number(n) => Some(*n),
                        _ => None,
                    })
                    .collect();
                let band = prns.first().map_or(0, |p| {
                    if *p <= 64.0 {
                        0
                    } else if *p <= 99.0 {
                        1
                    } else {
                        2
                    }
                });
                let system = said.number("system_id").map_or(band, |s| s as u8 + 10);
                if let Some(used) = self.used.entry(system) {
                    *used = prns.len() as f64;
                }
            }
            _ => return,
        }
        let fixed = self.fix_since.is_some();
        let gsa: f64 = self.used.iter().map(|(_, n)| n).sum();
        // GGA stops at 12, and the sum of GSA lacks what it was not told: the greater of both is true.
        let used = fresh(&self.used_gga, at, FRESH).map_or(gsa, |gga| gga.max(gsa));
        let (origin, talker) = (c.device.origin, c.device.talker);
        // None at all: it does not say how many.
        let few = self.few.after(POOR_FOR, fixed && used > 0.0 && used < FEW_SATELLITES, at);
        b.set(few.is_some(), Kind::FewSatellites, origin, talker, c.now, || {
            seen(format!("{used:.0} satellites used"), &[("satellites", used)])
        });
        if let Some(hdop) = said.number("hdop") {
            let poor = self.poor.after(POOR_FOR, fixed && hdop > POOR_HDOP, at);
            b.set(poor.is_some(), Kind::Hdop, origin, talker, c.now, || {
                seen(format!("HDOP {hdop:.1}"), &[("hdop", hdop)])
            });
        }
    }

    fn unreal(&mut self, c: &Context<'_>, b: &mut Board) {
        let mode = c.said.letter("mode").filter(|_| c.formatter != b"GNS");
        let quality = c.said.number("quality").filter(|_| c.formatter == b"GGA");
        if mode.is_none() && quality.is_none() {
            return;
        }
        let what = match (mode, quality.map(|q| q as i32)) {
            (Some(b'S'), _) | (_, Some(8)) => Some("simulated (demo mode)"),
            (Some(b'E'), _) | (_, Some(6)) => Some("dead reckoning"),
            (Some(b'M'), _) | (_, Some(7)) => Some("entered by hand"),
            _ => None,
        };
        let holds = self.unreal.after(UNREAL_FOR, what.is_some(), c.at());
        b.set(holds.is_some(), Kind::NotReal, c.device.origin, c.device.talker, c.now, || {
            let formatter = crate::core::visible::text(c.formatter);
            seen(format!("{formatter} says: {}", what.unwrap_or_default()), &[])
        });
    }

    fn place(&mut self, c: &Context<'_>, w: &World, b: &mut Board) {
        let Some((latitude, longitude)) = c.said.position() else { return };
        if self.fix_since.is_none() || c.said.letter("status") == Some(b'V') {
            self.place = None;
            return;
        }
        let here = Position { latitude, longitude };
        let at = c.at();
        let now = Stamped { value: (here, c.said.time()), at };
        self.two_of_a_name(c, b, here);
        let Some(before) = self.place.replace(now) else {
            self.moved = Some(Stamped { value: here, at });
            return;
        };
        if self.twin_at.is_none_or(|twin| at - twin > TWIN_MEMORY) {
            self.jump(c, w, b, before);
        }
        self.frozen(c, w, b, here);
    }

    /// One receiver says one place for one moment: another, in the same sentence with the same time, is another receiver.
    fn two_of_a_name(&mut self, c: &Context<'_>, b: &mut Board, here: Position) {
        let (Ok(formatter), Some(time)) = (<[u8; 3]>::try_from(c.formatter), c.said.time()) else { return };
        let Some(place) = self.said.entry(formatter) else { return };
        let Some((there, before)) = place.replace((here, time)) else { return };
        if before != time {
            return;
        }
        let metres = geodesy::distance_m(there, here);
        let apart = metres > POSITION_M.max(POSITION_M_PER_HDOP * c.said.number("hdop").unwrap_or(1.0));
        if apart {
            self.twin_at = Some(c.at());
        }
        let (origin, talker) = (c.device.origin, c.device.talker);
        let since = self.twin.after(DISAGREE_FOR, apart, c.at());
        b.set(since.is_some(), Kind::TwoPositions, origin, talker, c.now, || {
            let words = format!("two receivers call themselves {}: {metres:.0} m apart", c.device.name());
            seen(words, &[("difference", metres)])
        });
    }

    fn jump(&mut self, c: &Context<'_>, w: &World, b: &mut Board, before: Stamped<(Position, Option<i64>)>) {
        let at = c.at();
        let (there, said_at) = before.value;
        let Some((latitude, longitude)) = c.said.position() else { return };
        // Between the receiver's own times where it says them: arrival is uneven.
        let span = match (said_at, c.said.time()) {
            (Some(a), Some(b)) => (b - a).rem_euclid(DAY),
            _ => at - before.at,
        };
        let settled = self.fix_since.is_some_and(|since| at - since >= JUMP_SETTLED);
        if settled && span <= MINUTE {
            let metres = geodesy::distance_m(there, Position { latitude, longitude });
            let knots = metres / NM_M * 3600.0 / super::feed::seconds(span).max(0.05);
            let said = fresh(&w.sog, at, FRESH).unwrap_or(0.0);
            if metres > JUMP_M && knots > JUMP_KN.max(2.0 * said) {
                self.jumps.push(at);
                self.farthest = self.farthest.max(metres);
            }
        }
        self.jumps.retain(|t| at - t <= JUMP_MEMORY);
        let surplus = self.jumps.len().saturating_sub(64);
        self.jumps.drain(..surplus);
        let (n, far) = (self.jumps.len(), self.farthest);
        b.set(n >= JUMPS, Kind::Jump, c.device.origin, c.device.talker, c.now, || {
            let words = format!("{n} jumps in 10 minutes, the farthest {far:.0} m");
            seen(words, &[("jumps", n as f64), ("metres", far)])
        });
    }

    fn frozen(&mut self, c: &Context<'_>, w: &World, b: &mut Board, here: Position) {
        let at = c.at();
        let still = self.moved.is_some_and(|m| m.value == here);
        if !still {
            self.moved = Some(Stamped { value: here, at });
            self.repeats = 0;
            b.clear(Kind::Frozen, c.device.origin, c.device.talker);
            return;
        }
        self.repeats = self.repeats.saturating_add(1);
        let (Some(speed), Some(since)) = (fresh(&w.sog, at, FRESH), self.moved.map(|m| m.at)) else { return };
        if speed <= FROZEN_KN {
            self.moved = Some(Stamped { value: here, at });
            return;
        }
        let resolution_m = NM_M / 10_f64.powi(decimals(c));
        let wait = FROZEN_STEPS * resolution_m / (speed * KN_M_S) * SECOND as f64;
        if self.repeats >= 5 && at - since >= FROZEN_LEAST.max(wait as Offset) {
            b.raise_since(Kind::Frozen, c.device.origin, c.device.talker, since, c.now, || {
                let s = super::feed::seconds(at - since);
                seen(format!("no change for {s:.0} s at {speed:.1} kn"), &[("seconds", s), ("speed_kn", speed)])
            });
        }
    }
}

/// Decimals of the minutes of latitude: the field before N or S.
fn decimals(c: &Context<'_>) -> i32 {
    let mut before: &[u8] = b"";
    for field in c.parts.fields() {
        if matches!(field, b"N" | b"S") {
            return before.iter().position(|d| *d == b'.').map_or(0, |dot| (before.len() - dot - 1).min(9) as i32);
        }
        before = field;
    }
    4
}

//! Rules about wind, speed through the water, depth and battery.

use super::board::{Board, Hold, seen};
use super::context::{Context, Device, FRESH, Few, Stamped, World, fresh};
use super::feed::seconds;
use super::kind::Kind;
use super::said::Value;
use super::twins::{depth_m, wind_kn};
use crate::core::time::{Offset, SECOND};

/// The wind angle of a wind above this, knots…
pub const WIND_KN: f64 = 3.0;
/// … that does not change for so long is stuck.
pub const WIND_STUCK: Offset = 60 * SECOND;
/// … in at least so many sentences.
pub const WIND_SENTENCES: u32 = 10;
/// Status V for so long.
pub const WIND_INVALID: Offset = 10 * SECOND;
/// Faster than this over ground, knots…
pub const PADDLE_SOG_KN: f64 = 3.0;
/// … with less than this share of it through the water…
pub const PADDLE_SHARE: f64 = 0.2;
/// … for so long.
pub const PADDLE_FOR: Offset = 60 * SECOND;
/// Soundings that end in water shallower than this, metres, are lost; in deeper water it is the bottom that is too far.
pub const SOUNDINGS_M: f64 = 50.0;
/// … when they are empty or 0.0 for so long.
pub const DEPTH_FOR: Offset = 10 * SECOND;
/// Depth sentences may differ by this, metres…
pub const DEPTHS_M: f64 = 0.5;
/// … or this share.
pub const DEPTHS_SHARE: f64 = 0.05;
/// … for so long.
pub const DEPTHS_FOR: Offset = 10 * SECOND;
/// Below this a 12 V battery is nearly empty.
pub const LOW_VOLTS: f64 = 11.8;
/// Below this it is no 12 V battery.
pub const LEAST_VOLTS: f64 = 8.0;
/// … for so long.
pub const LOW_FOR: Offset = 10 * SECOND;

#[derive(Debug, Default)]
struct Vane {
    angle: Option<(f64, Offset, u32)>,
    invalid: Hold,
}

#[derive(Debug, Default)]
struct Sounder {
    last_good: Option<f64>,
    empty: Hold,
    below_transducer: Few<[u8; 3], Option<Stamped<f64>>, 4>,
    offset: Option<f64>,
    unlike: Hold,
}

/// The rules about instruments.
#[derive(Debug, Default)]
pub struct Instruments {
    vanes: Few<(Device, u8), Vane, 8>,
    logs: Few<Device, Hold, 8>,
    sounders: Few<Device, Sounder, 8>,
    batteries: Few<crate::core::vessel::Label, Hold, 16>,
}

impl Instruments {
    /// Takes a sentence.
    pub fn hear(&mut self, c: &Context<'_>, w: &World, b: &mut Board) {
        match c.formatter {
            b"MWV" => self.wind(c, b),
            b"VHW" | b"VBW" => self.log(c, w, b),
            b"DPT" | b"DBT" | b"DBS" | b"DBK" => {
                if let Some(sounder) = self.sounders.entry(c.device) {
                    sounder.lost(c, b);
                    sounder.alike(c, b);
                }
            }
            b"XDR" => self.volts(c, b),
            _ => {}
        }
    }

    fn wind(&mut self, c: &Context<'_>, b: &mut Board) {
        let reference = c.said.letter("reference").unwrap_or(b'?');
        let Some(vane) = self.vanes.entry((c.device, reference)) else { return };
        let (at, origin, subject) = (c.at(), c.device.origin, c.subject());
        let void = c.said.letter("status") == Some(b'V');
        let invalid = vane.invalid.after(WIND_INVALID, void, at);
        b.set(invalid.is_some(), Kind::WindInvalid, origin, subject, c.now, || {
            seen(format!("status V for {:.0} s", seconds(at - invalid.unwrap_or(at))), &[])
        });
        // Only the apparent angle is measured; the true one stands still when the boat does.
        if reference != b'R' {
            return;
        }
        let (Some(angle), Some(speed)) = (c.said.number("wind_angle_deg"), wind_kn(c)) else { return };
        let (_, since, n) = match vane.angle {
            Some((before, since, n)) if before == angle && speed > WIND_KN && !void => (before, since, n + 1),
            _ => (angle, at, 1),
        };
        vane.angle = Some((angle, since, n));
        let stuck = at - since >= WIND_STUCK && n >= WIND_SENTENCES;
        b.set(stuck, Kind::WindStuck, origin, subject, c.now, || {
            let words = format!("angle {angle:.1} unchanged for {:.0} s at {speed:.1} kn", seconds(at - since));
            seen(words, &[("seconds", seconds(at - since)), ("wind_kn", speed)])
        });
    }

    fn log(&mut self, c: &Context<'_>, w: &World, b: &mut Board) {
        let Some(water) = c.said.number("water_speed_kn").or(c.said.number("speed_kn")) else { return };
        let at = c.at();
        let Some(sog) = fresh(&w.sog, at, FRESH) else { return };
        let Some(hold) = self.logs.entry(c.device) else { return };
        let slow = sog > PADDLE_SOG_KN && water.abs() < PADDLE_SHARE * sog;
        let since = hold.after(PADDLE_FOR, slow, at);
        b.set(since.is_some(), Kind::PaddleWheel, c.device.origin, c.subject(), c.now, || {
            let words = format!("{water:.1} kn through the water, {sog:.1} kn over ground");
            seen(words, &[("water_kn", water), ("ground_kn", sog)])
        });
    }

    fn volts(&mut self, c: &Context<'_>, b: &mut Board) {
        let mut unit_u = false;
        let mut volts = None;
        for (name, value) in c.said.all() {
            match (*name, value) {
                ("type", Value::Letter(t)) => (unit_u, volts) = (*t == b'U', None),
                ("type", Value::Text(t)) => (unit_u, volts) = (t.as_bytes() == b"U", None),
                ("value", Value::Number(v)) if unit_u => volts = Some(*v),
                ("name", Value::Text(label)) => {
                    if let Some(v) = volts.take()
                        && let Some(hold) = self.batteries.entry(*label)
                    {
                        let low = (LEAST_VOLTS..LOW_VOLTS).contains(&v);
                        let since = hold.after(LOW_FOR, low, c.at());
                        b.set(since.is_some(), Kind::LowVolts, c.device.origin, *label, c.now, || {
                            seen(format!("{label}: {v:.1} V"), &[("volts", v)])
                        });
                    }
                }
                _ => {}
            }
        }
    }
}

impl Sounder {
    fn lost(&mut self, c: &Context<'_>, b: &mut Board) {
        let (at, origin, subject) = (c.at(), c.device.origin, c.subject());
        let depth = depth_m(c).filter(|d| *d > 0.0);
        let since = self.empty.after(DEPTH_FOR, depth.is_none(), at);
        if let Some(depth) = depth {
            self.last_good = Some(depth);
            b.clear(Kind::DepthLost, origin, subject);
            b.clear(Kind::NoSoundings, origin, subject);
        }
        let Some(since) = since else { return };
        let shallow = self.last_good.is_some_and(|d| d < SOUNDINGS_M);
        let kind = if shallow { Kind::DepthLost } else { Kind::NoSoundings };
        b.raise_since(kind, origin, subject, since, c.now, || {
            let s = seconds(at - since);
            match self.last_good {
                Some(depth) => {
                    seen(format!("empty or 0.0 for {s:.0} s, before that {depth:.1} m"), &[("last_m", depth)])
                }
                None => seen(format!("never a depth, for {s:.0} s"), &[]),
            }
        });
    }

    fn alike(&mut self, c: &Context<'_>, b: &mut Board) {
        let Ok(mine) = <[u8; 3]>::try_from(c.formatter) else { return };
        if c.formatter == b"DPT" {
            self.offset = c.said.number("offset_m");
        }
        let offset = self.offset.unwrap_or(0.0);
        // DBS is below the surface, DBK below the keel: taken back to the transducer by the offset of DPT.
        let correction = match c.formatter {
            b"DBS" if offset > 0.0 => offset,
            b"DBK" if offset < 0.0 => offset,
            b"DBS" | b"DBK" => return,
            _ => 0.0,
        };
        let Some(depth) = depth_m(c).filter(|d| *d > 0.0).map(|d| d - correction) else { return };
        let at = c.at();
        let other = self
            .below_transducer
            .iter()
            .find_map(|(f, v)| Some((*f, fresh(v, at, FRESH)?)).filter(|(f, _)| *f != mine));
        if let Some(place) = self.below_transducer.entry(mine) {
            *place = Some(Stamped { value: depth, at });
        }
        let Some((formatter, theirs)) = other else { return };
        let off = (depth - theirs).abs();
        let unlike = off > DEPTHS_M.max(DEPTHS_SHARE * depth.max(theirs));
        let since = self.unlike.after(DEPTHS_FOR, unlike, at);
        b.set(since.is_some(), Kind::DepthsDiffer, c.device.origin, c.device.talker, c.now, || {
            let by_offset = offset != 0.0 && (off - offset.abs()).abs() < 0.15;
            let why = if by_offset { ", which is the offset" } else { "" };
            let (a, b) =
                (String::from_utf8_lossy(&mine).into_owned(), String::from_utf8_lossy(&formatter).into_owned());
            seen(format!("{a} and {b} are {off:.1} m apart{why}"), &[("difference_m", off), ("offset_m", offset)])
        });
    }
}

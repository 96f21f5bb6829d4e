//! Rules about two sources of one thing: positions, headings, depths, winds, pilots' masters, echoes.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::board::{Board, Evidence, Hold, seen};
use super::context::{Context, Device, Few, Stamped, World, fresh};
use super::kind::{Kind, Severity};
use crate::core::frame::Origin;
use crate::core::time::{MILLISECOND, Moment, Offset, SECOND};
use crate::core::vessel::geodesy;
use crate::core::vessel::units::turn;
use crate::core::vessel::{Label, Position};

/// Two positions of one UTC second disagree above this, metres…
pub const POSITION_M: f64 = 100.0;
/// … or this times the greater HDOP.
pub const POSITION_M_PER_HDOP: f64 = 25.0;
/// Two true headings disagree above this, degrees.
pub const HEADING_DEG: f64 = 10.0;
/// Two depths disagree above this, metres…
pub const DEPTH_M: f64 = 1.0;
/// … and this share.
pub const DEPTH_SHARE: f64 = 0.05;
/// Two apparent winds disagree above this angle, degrees…
pub const WIND_DEG: f64 = 20.0;
/// … and this share of the speed.
pub const WIND_SHARE: f64 = 0.3;
/// Any of them must last so long.
pub const DISAGREE_FOR: Offset = 30 * SECOND;
/// Values are compared when they are not further apart.
pub const TOGETHER: Offset = 1500 * MILLISECOND;
/// Two devices say APB (or RMB) so often…
pub const PILOTS_LEAST: u32 = 3;
/// … within this time.
pub const PILOTS_WITHIN: Offset = 10 * SECOND;
/// The same sentence again within this time is an echo…
pub const ECHO_WITHIN: Offset = 2 * SECOND;
/// … when so many came twice in the last [`ECHO_OVER`]; and most did.
pub const ECHO_LEAST: usize = 5;
/// See [`ECHO_LEAST`].
pub const ECHO_OVER: Offset = 20 * SECOND;

/// Devices compared for one thing.
const MOST: usize = 8;
type Values<T> = Few<Device, Option<Stamped<T>>, MOST>;
type Pair = (Device, Device);

/// The rules about two of a kind.
#[derive(Debug, Default)]
pub struct Twins {
    positions: Values<(Position, i64, f64)>,
    headings: Values<f64>,
    depths: Values<f64>,
    winds: Values<(f64, f64)>,
    holds: Few<(Kind, Pair), Hold, 64>,
    pilots: Few<(Device, bool), VecDeque<Offset>, 16>,
    echo: VecDeque<Echo>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Echo {
    hash: u64,
    at: Offset,
    origin: Origin,
    twice: Option<Origin>,
    ais: bool,
    /// It came long after as well: something says one sentence for ever, which is no echo.
    stale: bool,
}

impl Twins {
    /// Takes a sentence.
    pub fn hear(&mut self, c: &Context<'_>, w: &World, b: &mut Board) {
        let (said, at) = (c.said, c.at());
        match c.formatter {
            b"RMC" | b"GGA" | b"GLL" | b"GNS" => {
                let void = said.letter("status") == Some(b'V') || said.number("quality") == Some(0.0);
                if let (Some((latitude, longitude)), Some(time), false) = (said.position(), said.time(), void) {
                    let hdop = said.number("hdop").unwrap_or(1.0);
                    self.position(c, b, (Position { latitude, longitude }, time / SECOND, hdop));
                }
            }
            b"HDT" | b"THS" | b"HDG" | b"HDM" => {
                if let Some(heading) = true_heading(c, w) {
                    self.heading(c, b, heading);
                }
            }
            b"DPT" | b"DBT" => {
                let offset = said.number("offset_m").filter(|o| *o > 0.0).unwrap_or(0.0);
                if let Some(depth) = depth_m(c) {
                    self.depth(c, b, depth + offset);
                }
            }
            b"MWV" if said.letter("reference") == Some(b'R') && said.letter("status") == Some(b'A') => {
                if let (Some(angle), Some(speed)) = (said.number("wind_angle_deg"), wind_kn(c)) {
                    self.wind(c, b, (angle, speed));
                }
            }
            b"APB" | b"RMB" => self.pilot(c, b, c.formatter == b"APB"),
            _ => {}
        }
        if said.time().is_some() || c.formatter == b"VDM" {
            self.hear_again(c.text, c.device.origin, c.formatter == b"VDM", at);
        }
    }

    /// Once a second. `udp`: the input takes datagrams.
    pub fn second(&mut self, now: Moment, udp: &dyn Fn(Origin) -> bool, b: &mut Board) {
        let at = now.offset;
        while self.echo.front().is_some_and(|e| at - e.at > ECHO_OVER) {
            self.echo.pop_front();
        }
        let mut seen_at: Few<Origin, (usize, usize, usize, Option<Origin>), 16> = Few::default();
        for e in self.echo.iter().filter(|e| !e.stale) {
            if let Some((fresh, twice, ais, other)) = seen_at.entry(e.origin) {
                *fresh += 1;
                *twice += usize::from(e.twice.is_some());
                *ais += usize::from(e.twice.is_some() && e.ais);
                *other = e.twice.or(*other);
            }
        }
        for (origin, (all, twice, ais, other)) in seen_at.iter() {
            let holds = *twice >= ECHO_LEAST && twice * 2 > *all;
            let same = *other == Some(*origin);
            let (kind, not) = if udp(*origin) && same {
                (Kind::DatagramsTwice, Kind::Echo)
            } else {
                (Kind::Echo, Kind::DatagramsTwice)
            };
            b.clear(not, *origin, Label::default());
            b.set(holds, kind, *origin, Label::default(), now, || {
                let place = match other {
                    Some(Origin::Input(n)) if !same => format!("on input {}", u32::from(*n) + 1),
                    _ => "on the same input".to_owned(),
                };
                let words = format!("{twice} of {all} sentences of the last 20 s came again {place} within 2 s");
                let e = seen(words, &[("twice", *twice as f64), ("of", *all as f64)]);
                // Only AIS of others: two receivers hear one ship, as shore networks do.
                if ais == twice && kind == Kind::Echo {
                    return Evidence { words: format!("{}: AIS only, so perhaps two receivers", e.words), ..e }
                        .as_severity(Severity::Note);
                }
                e
            });
        }
    }

    fn hear_again(&mut self, text: &[u8], origin: Origin, ais: bool, at: Offset) {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(e) = self.echo.iter_mut().rev().find(|e| e.hash == hash) {
            if at - e.at <= ECHO_WITHIN {
                e.twice = Some(origin);
            } else {
                e.stale = true;
            }
            return;
        }
        if self.echo.len() >= 512 {
            self.echo.pop_front();
        }
        self.echo.push_back(Echo { hash, at, origin, twice: None, ais, stale: false });
    }

    fn differ(
        &mut self,
        c: &Context<'_>,
        b: &mut Board,
        kind: Kind,
        other: Device,
        holds: bool,
        words: impl FnOnce() -> (String, f64),
    ) {
        let pair = if other < c.device { (other, c.device) } else { (c.device, other) };
        let Some(hold) = self.holds.entry((kind, pair)) else { return };
        let since = hold.after(DISAGREE_FOR, holds, c.at());
        let subject = Label::new(format!("{} {}", pair.0.name(), pair.1.name()).as_bytes());
        if !holds {
            b.clear(kind, pair.0.origin, subject);
        }
        if let Some(since) = since {
            b.raise_since(kind, pair.0.origin, subject, since, c.now, || {
                let (words, value) = words();
                seen(format!("{} and {}: {words}", pair.0.name(), pair.1.name()), &[("difference", value)])
            });
        }
    }

    fn position(&mut self, c: &Context<'_>, b: &mut Board, mine: (Position, i64, f64)) {
        for (other, (place, second, hdop)) in others(&self.positions, c) {
            if second != mine.1 {
                continue;
            }
            let metres = geodesy::distance_m(place, mine.0);
            let limit = POSITION_M.max(POSITION_M_PER_HDOP * hdop.max(mine.2));
            self.differ(c, b, Kind::TwoPositions, other, metres > limit, || (format!("{metres:.0} m apart"), metres));
        }
        keep(&mut self.positions, c, mine);
    }

    fn heading(&mut self, c: &Context<'_>, b: &mut Board, mine: f64) {
        for (other, theirs) in others(&self.headings, c) {
            let off = turn(theirs, mine);
            self.differ(c, b, Kind::TwoHeadings, other, off.abs() > HEADING_DEG, || {
                (format!("{:.1} degrees apart", off.abs()), off.abs())
            });
        }
        keep(&mut self.headings, c, mine);
    }

    fn depth(&mut self, c: &Context<'_>, b: &mut Board, mine: f64) {
        for (other, theirs) in others(&self.depths, c) {
            let off = (mine - theirs).abs();
            let differs = off > DEPTH_M && off > DEPTH_SHARE * mine.max(theirs);
            self.differ(c, b, Kind::TwoDepths, other, differs, || (format!("{off:.1} m apart at {mine:.1} m"), off));
        }
        keep(&mut self.depths, c, mine);
    }

    fn wind(&mut self, c: &Context<'_>, b: &mut Board, mine: (f64, f64)) {
        for (other, theirs) in others(&self.winds, c) {
            let off = turn(theirs.0, mine.0).abs();
            let share = (mine.1 - theirs.1).abs() / mine.1.max(theirs.1).max(0.1);
            self.differ(c, b, Kind::TwoWinds, other, off > WIND_DEG && share > WIND_SHARE, || {
                (format!("{off:.0} degrees and {:.0} % of the speed apart", share * 100.0), off)
            });
        }
        keep(&mut self.winds, c, mine);
    }

    fn pilot(&mut self, c: &Context<'_>, b: &mut Board, apb: bool) {
        let at = c.at();
        if let Some(times) = self.pilots.entry((c.device, apb)) {
            times.push_back(at);
            if times.len() > 64 {
                times.pop_front();
            }
        }
        for (_, times) in self.pilots.iter_mut() {
            while times.front().is_some_and(|t| at - t > PILOTS_WITHIN) {
                times.pop_front();
            }
        }
        let steering: Vec<String> = self
            .pilots
            .iter()
            .filter(|((_, a), times)| *a == apb && times.len() >= PILOTS_LEAST as usize)
            .map(|((device, _), _)| device.name())
            .collect();
        let formatter = if apb { "APB" } else { "RMB" };
        b.set(steering.len() > 1, Kind::TwoPilots, Origin::Source, Label::new(formatter.as_bytes()), c.now, || {
            seen(format!("{formatter} comes from {}", steering.join(" and ")), &[("masters", steering.len() as f64)])
        });
    }
}

/// Values of other devices that are as fresh as this one.
fn others<T: Copy>(values: &Values<T>, c: &Context<'_>) -> Vec<(Device, T)> {
    let other = |d: &Device| *d != c.device;
    values.iter().filter(|(d, _)| other(d)).filter_map(|(d, v)| Some((*d, fresh(v, c.at(), TOGETHER)?))).collect()
}

fn keep<T: Copy>(values: &mut Values<T>, c: &Context<'_>, value: T) {
    if let Some(place) = values.entry(c.device) {
        *place = Some(Stamped { value, at: c.at() });
    }
}

/// The true heading that a heading sentence means: as said, or by its own or the boat's variation.
pub fn true_heading(c: &Context<'_>, w: &World) -> Option<f64> {
    let said = c.said;
    if let Some(heading) = said.number("heading_true_deg").filter(|_| c.formatter != b"VHW") {
        return Some(heading);
    }
    let variation = said.number("variation_deg").or_else(|| w.variation.map(|v| v.value))?;
    if let Some(compass) = said.number("heading_compass_deg") {
        return Some((compass + said.number("deviation_deg").unwrap_or(0.0) + variation).rem_euclid(360.0));
    }
    said.number("heading_magnetic_deg").filter(|_| c.formatter == b"HDM").map(|m| (m + variation).rem_euclid(360.0))
}

/// Depth in metres, whatever the unit said.
pub fn depth_m(c: &Context<'_>) -> Option<f64> {
    let said = c.said;
    let other =
        || said.number("depth_ft").map(|f| f * 0.3048).or_else(|| said.number("depth_fathoms").map(|f| f * 1.8288));
    said.number("depth_m").or_else(other)
}

/// Wind speed in knots, whatever the unit said.
pub fn wind_kn(c: &Context<'_>) -> Option<f64> {
    let said = c.said;
    said.number("wind_kn")
        .or_else(|| said.number("wind_m_s").map(|v| v * 3600.0 / 1852.0))
        .or_else(|| said.number("wind_kmh").map(|v| v / 1.852))
}

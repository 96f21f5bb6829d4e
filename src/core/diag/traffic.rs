//! AIS: messages by type, parts, channels, the own transponder; and the targets.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::board::{Board, seen};
use super::context::{Context, World};
use super::kind::Kind;
use crate::core::ais::cpa::Motion;
use crate::core::ais::targets::RadarEcho;
use crate::core::ais::{Assembler, Body, Message, Outcome, Part, Targets};
use crate::core::frame::Origin;
use crate::core::time::{MINUTE, Moment, Offset};
use crate::core::vessel::Label;

/// Messages of several sentences that never became whole: this share of them…
pub const PARTS_SHARE: f64 = 0.02;
/// … and at least so many.
pub const PARTS_LEAST: u64 = 3;
/// Only one channel for so long…
pub const CHANNEL_FOR: Offset = 10 * MINUTE;
/// … with at least so many messages.
pub const CHANNEL_LEAST: u64 = 20;
/// No own report (VDO) for so long while others are heard.
pub const OWN_FOR: Offset = MINUTE;
/// … others being at least so many messages.
pub const OTHERS_LEAST: u64 = 20;
/// The own static data come every six minutes: after two such periods they are missing.
pub const STATIC_FOR: Offset = 13 * MINUTE;
/// No own position for so long while others are heard.
pub const POSITION_FOR: Offset = MINUTE;

/// From here on an MMSI may be a ship's: smaller ones are coast stations (00MID…) and groups (0MID…), whose VDO says
/// nothing of an own ship.
pub const LEAST_SHIP: u32 = 100_000_000;

/// Counters of AIS.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Whole messages by type (others' and own).
    pub by_type: BTreeMap<u8, u64>,
    /// Messages of several sentences that became whole.
    pub joined: u64,
    /// Messages of several sentences of which some never came.
    pub incomplete: u64,
    /// Payloads that could not be read.
    pub unreadable: u64,
    /// Messages by channel.
    pub channel_a: u64,
    /// Messages by channel.
    pub channel_b: u64,
    /// The own ship's MMSI, from VDO.
    pub own_mmsi: Option<u32>,
}

/// The rules about AIS.
#[derive(Debug, Default)]
pub struct Traffic {
    assembler: Assembler,
    counts: Counts,
    targets: Targets,
    first: Option<Offset>,
    others: u64,
    window: Option<(Offset, [u64; 2])>,
    own_first: Option<Offset>,
    own_last: Option<Offset>,
    own_static: bool,
    no_mmsi: bool,
}

impl Traffic {
    /// Who is around.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// The counters.
    pub fn counts(&self) -> Counts {
        let a = &self.assembler;
        Counts { joined: a.joined, incomplete: a.incomplete, unreadable: a.bad, ..self.counts.clone() }
    }

    /// Takes a sentence.
    pub fn hear(&mut self, c: &Context<'_>, w: &World, b: &mut Board) {
        match c.formatter {
            b"VDM" | b"VDO" => {
                let Ok(part) = Part::parse(c.text) else { return };
                if let Outcome::Complete(whole) = self.assembler.hear(&part, c.at(), c.device.origin)
                    && let Ok(decoded) = Message::decode(&whole.bits)
                {
                    self.message(c, &decoded.message, whole.own, whole.channel, b);
                }
            }
            b"TTM" => self.radar(c, w),
            _ => {}
        }
    }

    fn message(&mut self, c: &Context<'_>, message: &Message, own: bool, channel: Option<u8>, b: &mut Board) {
        let at = c.at();
        let mmsi = message.header.mmsi;
        *self.counts.by_type.entry(message.header.kind).or_default() += 1;
        if mmsi == 0 && !self.no_mmsi {
            self.no_mmsi = true;
            b.raise(Kind::AisNoMmsi, c.device.origin, c.device.talker, c.now, || {
                seen(if own { "the own unit sends MMSI 0" } else { "a station sends MMSI 0" }, &[])
            });
        }
        if own {
            self.own_first.get_or_insert(at);
            self.own_last = Some(at);
            self.own_static |= matches!(message.body, Body::Voyage(_) | Body::NameB(_) | Body::CraftB(_));
            self.counts.own_mmsi = Some(mmsi).filter(|m| *m >= LEAST_SHIP);
            return;
        }
        self.first.get_or_insert(at);
        self.others += 1;
        match channel {
            Some(b'A' | b'1') => self.counts.channel_a += 1,
            Some(b'B' | b'2') => self.counts.channel_b += 1,
            _ => {}
        }
        if self.counts.own_mmsi == Some(mmsi) {
            b.raise(Kind::AisOwnReceived, c.device.origin, c.device.talker, c.now, || {
                seen(format!("MMSI {mmsi} comes by VDO and by VDM"), &[("mmsi", mmsi.into())])
            });
        } else {
            self.targets.hear(message, at);
        }
    }

    fn radar(&mut self, c: &Context<'_>, w: &World) {
        let said = c.said;
        let (Some(number), Some(distance_nm), Some(bearing)) =
            (said.number("target"), said.number("distance_nm"), said.number("bearing_true_deg"))
        else {
            return;
        };
        let echo = RadarEcho {
            number: (number as u32 % 256) as u8,
            distance_nm,
            bearing_true_deg: bearing,
            speed_kn: said.number("speed_kn"),
            course_true_deg: said.number("course_true_deg"),
            name: said.text("name").unwrap_or_default(),
            lost: said.letter("status") == Some(b'L'),
        };
        self.targets.hear_radar(&echo, w.position.map(|p| p.value), c.at(), c.device.origin);
    }

    /// Once a second.
    pub fn second(&mut self, now: Moment, w: &World, b: &mut Board) {
        let at = now.offset;
        self.assembler.expire(at);
        let (origin, whole) = (Origin::Source, Label::default());
        let a = &self.assembler;
        let all = (a.joined + a.incomplete).max(1);
        let share = a.incomplete as f64 / all as f64;
        b.set(a.incomplete >= PARTS_LEAST && share > PARTS_SHARE, Kind::AisParts, origin, whole, now, || {
            let (n, percent) = (a.incomplete, share * 100.0);
            seen(
                format!("{n} of {all} messages incomplete ({percent:.1} %)"),
                &[("incomplete", n as f64), ("percent", percent)],
            )
        });
        let Some(first) = self.first else { return };
        self.channels(now, first, b);
        let many = self.others >= OTHERS_LEAST && at - first >= OWN_FOR;
        let silent = self.own_last.map(|last| at - last);
        b.set(many && silent.is_none(), Kind::AisNoOwn, origin, whole, now, || {
            seen(format!("{} messages of others, none of the own ship", self.others), &[("others", self.others as f64)])
        });
        b.set(many && silent.is_some_and(|s| s > OWN_FOR), Kind::AisOwnSilent, origin, whole, now, || {
            let s = super::feed::seconds(silent.unwrap_or(0));
            seen(format!("no VDO for {s:.0} s while others are heard"), &[("seconds", s)])
        });
        let untold = self.own_first.is_some_and(|t| at - t > STATIC_FOR) && !self.own_static;
        b.set(untold, Kind::AisNoStatic, origin, whole, now, || seen("only positions by VDO, no name or size", &[]));
        let lost = w.position.is_none_or(|p| at - p.at > POSITION_FOR) && silent.is_none_or(|s| s > OWN_FOR);
        b.set(many && at - first >= POSITION_FOR && lost, Kind::AisNoPosition, origin, whole, now, || {
            seen("targets are heard, the own position is not", &[])
        });
    }

    fn channels(&mut self, now: Moment, first: Offset, b: &mut Board) {
        let sums = [self.counts.channel_a, self.counts.channel_b];
        let (since, before) = *self.window.get_or_insert((first, [0, 0]));
        if now.offset - since < CHANNEL_FOR {
            return;
        }
        let [a, z] = [sums[0] - before[0], sums[1] - before[1]];
        self.window = Some((now.offset, sums));
        let one = a.min(z) == 0 && a.max(z) >= CHANNEL_LEAST;
        b.set(one, Kind::AisChannel, Origin::Source, Label::default(), now, || {
            let (heard, n) = if a > 0 { ('A', a) } else { ('B', z) };
            seen(format!("{n} messages in ten minutes, all on channel {heard}"), &[("messages", n as f64)])
        });
    }

    /// How the own ship moves, for ranges.
    pub fn own_motion(w: &World) -> Option<Motion> {
        let position = w.position?.value;
        let (course_true_deg, speed_kn) = w.cog.zip(w.sog).map_or((0.0, 0.0), |(c, s)| (c.value, s.value));
        Some(Motion { position, course_true_deg, speed_kn })
    }

    /// The source has ended.
    pub fn finish(&mut self) {
        self.assembler.finish();
    }
}

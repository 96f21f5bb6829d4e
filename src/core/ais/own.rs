//! The vessel's own AIS: what a transponder on board would say, and what its VDO tells about the vessel.
//!
//! Class A sends 1 and 5, class B 18 and 24 (A and B). Without an MMSI nothing is said. Nothing here schedules.

use super::fields::Turn;
use super::message::{Body, CraftB, Header, Message, NameB, Position, PositionB, Voyage};
use super::mmsi;
use super::sentence::{Framing, Ids, sentences};
use crate::core::frame::Origin;
use crate::core::time::{Offset, SECOND};
use crate::core::vessel::{Bare, Fix, Known, Label, Position as Place, Vessel};

/// Vendor, model and serial number that message 24 gives for us.
const UNIT: (&str, u32, u32) = ("NSX", 1, 1);

/// What the own ship says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// Message 1 or 18.
    Dynamic,
    /// Message 5, or 24 A and B.
    Static,
}

/// A transponder: counts its message identifiers and alternates its channels.
///
/// Its state depends only on what it said before, so that the same reports in the same order give the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transponder {
    ids: Ids,
    heard: u32,
}

impl Transponder {
    /// Has said nothing yet.
    pub fn new() -> Transponder {
        Transponder::default()
    }

    /// Says a report: as VDO when `own`, else as VDM on alternating channels, as a receiver nearby would hear it (class A
    /// begins on A, class B on B; the two parts of message 24 share a channel). Nothing without an MMSI.
    pub fn say(&mut self, report: Report, vessel: &Vessel, talker: &str, own: bool, out: &mut dyn FnMut(&[u8])) {
        let messages = match report {
            Report::Dynamic => dynamic(vessel).into_iter().collect(),
            Report::Static => fixed(vessel),
        };
        if !own && !messages.is_empty() {
            self.heard = self.heard.wrapping_add(1);
        }
        let on_a = (self.heard % 2 == 1) == vessel.own.class_a;
        let channel = (!own).then_some(if on_a { b'A' } else { b'B' });
        for message in &messages {
            sentences(message, Framing { talker, own, channel }, &mut self.ids, out);
        }
    }
}

/// Message 1 or 18 of the vessel as it is now; none without an MMSI.
pub fn dynamic(vessel: &Vessel) -> Option<Message> {
    let own = &vessel.own;
    mmsi::may_send(own.mmsi).then_some(())?;
    let place = fix(vessel);
    let fixed = place.is_some();
    let speed_kn = vessel.sog_kn.bare().filter(|_| fixed);
    let course_true_deg = vessel.cog_true_deg.bare().filter(|_| fixed);
    let heading_true_deg = vessel.heading_true_deg.bare();
    let (latitude, longitude) = (place.map(|p| p.latitude), place.map(|p| p.longitude));
    // Better than 10 m: differential or RTK.
    let accuracy = fixed && matches!(vessel.gnss.quality.bare(), Some(2 | 4 | 5));
    let accuracy = Some(u32::from(accuracy));
    let second = Some(second(vessel, fixed));
    Some(if own.class_a {
        let status = if fixed { u32::from(own.nav_status) } else { 15 };
        let turn = vessel.rate_of_turn_deg_min.bare().map(Turn::Rate);
        let body = Position {
            nav_status: Some(status),
            turn,
            speed_kn,
            accuracy,
            longitude,
            latitude,
            course_true_deg,
            heading_true_deg,
            second,
            ..Position::default()
        };
        Message { header: Header { kind: 1, repeat: 0, mmsi: own.mmsi }, body: Body::Position(body) }
    } else {
        let body = PositionB {
            speed_kn,
            accuracy,
            longitude,
            latitude,
            course_true_deg,
            heading_true_deg,
            second,
            ..carrier_sense()
        };
        Message { header: Header { kind: 18, repeat: 0, mmsi: own.mmsi }, body: Body::PositionB(body) }
    })
}

/// Message 5, or 24 A and B, of the vessel; none without an MMSI.
pub fn fixed(vessel: &Vessel) -> Vec<Message> {
    let own = &vessel.own;
    if !mmsi::may_send(own.mmsi) {
        return Vec::new();
    }
    let destination =
        if own.destination.is_empty() { vessel.route.destination.bare().unwrap_or_default() } else { own.destination };
    let voyage = Voyage {
        ais_version: Some(2),
        imo: Some(own.imo).filter(|imo| *imo > 0),
        callsign: own.callsign.to_string(),
        name: own.name.to_string(),
        ship_type: Some(u32::from(own.ship_type)),
        dimensions_m: Some(own.dimensions_m),
        epfd: Some(1),
        draught_m: Some(own.draught_m).filter(|d| *d > 0.0),
        destination: destination.to_string(),
        dte: Some(0),
        ..Voyage::default()
    };
    statics(own.mmsi, own.class_a, voyage)
}

/// Static data as class A (one message 5) or class B (24 A and 24 B) says it.
pub(super) fn statics(mmsi: u32, class_a: bool, v: Voyage) -> Vec<Message> {
    if class_a {
        return vec![Message { header: Header { kind: 5, repeat: 0, mmsi }, body: Body::Voyage(v) }];
    }
    let header = Header { kind: 24, repeat: 0, mmsi };
    let (vendor, model, serial) = UNIT;
    let craft = CraftB {
        ship_type: v.ship_type,
        vendor: vendor.to_owned(),
        model: Some(model),
        serial: Some(serial),
        callsign: v.callsign,
        dimensions_m: v.dimensions_m,
        mothership_mmsi: None,
        auxiliary: mmsi::kind(mmsi) == mmsi::Kind::Auxiliary,
        epfd: v.epfd,
    };
    vec![Message { header, body: Body::NameB(NameB { name: v.name }) }, Message { header, body: Body::CraftB(craft) }]
}

/// What a carrier sense class B unit says of itself in message 18.
pub(super) fn carrier_sense() -> PositionB {
    PositionB {
        cs: Some(1),
        dsc: Some(1),
        band: Some(1),
        message_22: Some(1),
        radio: PositionB::CARRIER_SENSE,
        ..PositionB::default()
    }
}

/// The position of a good fix.
fn fix(vessel: &Vessel) -> Option<Place> {
    let void = vessel.gnss.valid.bare() == Some(false) || vessel.gnss.fix.bare() == Some(Fix::None);
    vessel.position.bare().filter(|_| !void)
}

/// The time stamp: the second, or 60 without a fix or clock, 61 entered by hand, 62 dead reckoning.
fn second(vessel: &Vessel, fixed: bool) -> u32 {
    let clock = vessel.utc.bare().or(vessel.time_of_day.bare());
    match (vessel.gnss.mode.bare(), clock) {
        (_, None) => 60,
        _ if !fixed => 60,
        (Some(b'M'), _) => 61,
        (Some(b'E'), _) => 62,
        (_, Some(utc)) => utc.div_euclid(SECOND).rem_euclid(60) as u32,
    }
}

/// What a message of the own transponder (VDO) tells about the vessel. One without a position sets no motion.
pub fn hear(message: &Message, at: Offset, origin: Origin, vessel: &mut Vessel) {
    let own = &mut vessel.own;
    own.mmsi = message.header.mmsi;
    let label = |text: &str| Label::new(text.as_bytes());
    let (longitude, latitude, speed, course, heading, turn) = match &message.body {
        Body::Position(b) => {
            own.class_a = true;
            own.nav_status = b.nav_status.unwrap_or(15) as u8;
            let rate = match b.turn {
                Some(Turn::Rate(rate)) => Some(rate),
                _ => None,
            };
            (b.longitude, b.latitude, b.speed_kn, b.course_true_deg, b.heading_true_deg, rate)
        }
        Body::PositionB(b) => {
            own.class_a = false;
            (b.longitude, b.latitude, b.speed_kn, b.course_true_deg, b.heading_true_deg, None)
        }
        Body::ExtendedB(b) => {
            own.class_a = false;
            own.name = label(&b.name);
            own.ship_type = b.ship_type.unwrap_or(0) as u8;
            own.dimensions_m = b.dimensions_m.unwrap_or_default();
            (b.longitude, b.latitude, b.speed_kn, b.course_true_deg, b.heading_true_deg, None)
        }
        Body::Voyage(b) => {
            own.class_a = true;
            own.name = label(&b.name);
            own.callsign = label(&b.callsign);
            own.destination = label(&b.destination);
            own.imo = b.imo.unwrap_or(0);
            own.ship_type = b.ship_type.unwrap_or(0) as u8;
            own.dimensions_m = b.dimensions_m.unwrap_or_default();
            own.draught_m = b.draught_m.unwrap_or(0.0);
            return;
        }
        Body::NameB(b) => {
            own.name = label(&b.name);
            return;
        }
        Body::CraftB(b) => {
            own.callsign = label(&b.callsign);
            own.ship_type = b.ship_type.unwrap_or(0) as u8;
            own.dimensions_m = b.dimensions_m.unwrap_or_default();
            return;
        }
        _ => return,
    };
    let (Some(longitude), Some(latitude)) = (longitude, latitude) else { return };
    vessel.position = Some(Known { value: Place { latitude, longitude }, at, origin });
    let set = |to: &mut Option<Known<f64>>, value: Option<f64>| {
        if let Some(value) = value {
            *to = Some(Known { value, at, origin });
        }
    };
    set(&mut vessel.sog_kn, speed);
    set(&mut vessel.cog_true_deg, course);
    set(&mut vessel.heading_true_deg, heading);
    set(&mut vessel.rate_of_turn_deg_min, turn);
}

//! Who is around: what was heard of other ships in the last ten minutes, static and moving data joined.
//!
//! Bounded by definition: at most [`Targets::MOST`]; the longest silent goes first and is counted. Fed by whole AIS
//! messages and by radar targets; draws nothing, reads no clock.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cpa::{Motion, approach};
use super::fields::Turn;
use super::message::{Body, Message};
use crate::core::frame::Origin;
use crate::core::time::{MINUTE, Offset};
use crate::core::vessel::units::NM_M;
use crate::core::vessel::{Label, Position, geodesy};

/// Which target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// By AIS.
    Mmsi(u32),
    /// The n-th of a radar (TTM), by input.
    Radar(Origin, u8),
}

/// What kind of station.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Station {
    /// Not known yet.
    #[default]
    Unknown,
    /// Ship, class A.
    A,
    /// Ship, class B.
    B,
    /// Base station.
    Base,
    /// Aid to navigation.
    Aid,
    /// Search and rescue aircraft.
    Aircraft,
    /// Seen by radar.
    Radar,
}

/// Another ship, or a mark.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "named as the fields of the messages, which explain them")]
pub struct Target {
    pub key: Key,
    pub station: Station,
    pub name: Label,
    pub callsign: Label,
    pub destination: Label,
    pub ship_type: Option<u8>,
    pub imo: Option<u32>,
    pub nav_status: Option<u8>,
    pub dimensions_m: Option<[u16; 4]>,
    pub draught_m: Option<f64>,
    /// Where it said it was, at `position_at`.
    pub position: Option<Position>,
    /// When that was heard.
    pub position_at: Offset,
    pub speed_kn: Option<f64>,
    pub course_true_deg: Option<f64>,
    pub heading_true_deg: Option<f64>,
    pub rate_of_turn_deg_min: Option<f64>,
    /// When anything was last heard of it.
    pub heard_at: Offset,
    /// When it was first heard.
    pub since: Offset,
    /// How many messages.
    pub count: u32,
}

/// A target as it stands to the own ship now.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sighting {
    /// The target.
    pub target: Target,
    /// Since it was last heard.
    pub age: Offset,
    /// Nautical miles; the target's position is carried on by its course and speed since it was heard.
    pub range_nm: Option<f64>,
    /// From the own ship, degrees true.
    pub bearing_true_deg: Option<f64>,
    /// Least distance, nautical miles; absent while a speed or course is not known.
    pub cpa_nm: Option<f64>,
    /// Minutes until then; negative when past.
    pub tcpa_min: Option<f64>,
}

/// A radar target as TTM tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RadarEcho {
    /// 0 to 99, or to 999 in newer sentences (then its last digits).
    pub number: u8,
    /// Nautical miles.
    pub distance_nm: f64,
    /// Degrees true.
    pub bearing_true_deg: f64,
    /// Knots.
    pub speed_kn: Option<f64>,
    /// Degrees true.
    pub course_true_deg: Option<f64>,
    /// What the operator called it.
    pub name: Label,
    /// The radar lost it (status L): forgotten.
    pub lost: bool,
}

/// Everybody heard lately.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    all: BTreeMap<Key, Target>,
    newest: Offset,
    swept: Offset,
    /// Targets that had to go, though not silent for ten minutes, because there were too many.
    pub crowded_out: u64,
}

impl Targets {
    /// Most targets kept.
    pub const MOST: usize = 2000;
    /// How long a silent one is kept.
    pub const KEPT: Offset = 10 * MINUTE;

    /// Nobody.
    pub fn new() -> Targets {
        Targets::default()
    }

    /// How many, with those silent for too long that were not swept yet.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Nobody heard.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// After a seek or a change of source.
    pub fn clear(&mut self) {
        *self = Targets::default();
    }

    /// One of them.
    pub fn get(&self, key: Key) -> Option<&Target> {
        self.all.get(&key)
    }

    /// Takes what an AIS message (VDM) tells about its sender.
    pub fn hear(&mut self, message: &Message, at: Offset) {
        let target = self.entry(Key::Mmsi(message.header.mmsi), at);
        let label = |text: &str| Label::new(text.as_bytes());
        match &message.body {
            Body::Position(b) => {
                target.station = Station::A;
                target.nav_status = b.nav_status.map(|v| v as u8);
                target.heading_true_deg = b.heading_true_deg;
                target.rate_of_turn_deg_min = match b.turn {
                    Some(Turn::Rate(rate)) => Some(rate),
                    _ => None,
                };
                target.moves(b.latitude, b.longitude, b.speed_kn, b.course_true_deg, at);
            }
            Body::PositionB(b) => {
                target.station = Station::B;
                target.heading_true_deg = b.heading_true_deg;
                target.moves(b.latitude, b.longitude, b.speed_kn, b.course_true_deg, at);
            }
            Body::ExtendedB(b) => {
                target.station = Station::B;
                target.heading_true_deg = b.heading_true_deg;
                target.name = label(&b.name);
                target.ship_type = b.ship_type.map(|v| v as u8);
                target.dimensions_m = b.dimensions_m;
                target.moves(b.latitude, b.longitude, b.speed_kn, b.course_true_deg, at);
            }
            Body::LongRange(b) => {
                target.nav_status = b.nav_status.map(|v| v as u8);
                target.moves(b.latitude, b.longitude, b.speed_kn, b.course_true_deg, at);
            }
            Body::Aircraft(b) => {
                target.station = Station::Aircraft;
                target.moves(b.latitude, b.longitude, b.speed_kn, b.course_true_deg, at);
            }
            // Message 11 is the same form said by a ship.
            Body::Station(b) if message.header.kind == 4 => {
                target.station = Station::Base;
                target.moves(b.latitude, b.longitude, None, None, at);
            }
            Body::Aid(b) => {
                target.station = Station::Aid;
                target.name = label(&b.name);
                target.dimensions_m = b.dimensions_m;
                target.moves(b.latitude, b.longitude, None, None, at);
            }
            Body::Voyage(b) => {
                target.station = Station::A;
                target.name = label(&b.name);
                target.callsign = label(&b.callsign);
                target.destination = label(&b.destination);
                target.ship_type = b.ship_type.map(|v| v as u8);
                target.imo = b.imo;
                target.dimensions_m = b.dimensions_m;
                target.draught_m = b.draught_m;
            }
            Body::NameB(b) => {
                target.name = label(&b.name);
                target.is_b();
            }
            Body::CraftB(b) => {
                target.callsign = label(&b.callsign);
                target.ship_type = b.ship_type.map(|v| v as u8);
                target.dimensions_m = b.dimensions_m;
                target.is_b();
            }
            _ => {}
        }
    }

    /// Takes a radar target. Without an own position it is kept without one.
    pub fn hear_radar(&mut self, echo: &RadarEcho, own: Option<Position>, at: Offset, origin: Origin) {
        let key = Key::Radar(origin, echo.number);
        if echo.lost {
            self.all.remove(&key);
            return;
        }
        let target = self.entry(key, at);
        target.station = Station::Radar;
        target.name = echo.name;
        let place = own.map(|own| geodesy::direct(own, echo.bearing_true_deg, echo.distance_nm * NM_M).position);
        target.moves(place.map(|p| p.latitude), place.map(|p| p.longitude), echo.speed_kn, echo.course_true_deg, at);
    }

    /// Everybody heard in the ten minutes before `now`, nearest first (then by key), as they stand to the own ship.
    pub fn sightings(&self, own: Option<&Motion>, now: Offset) -> Vec<Sighting> {
        let heard = self.all.values().filter(|t| now.saturating_sub(t.heard_at) <= Targets::KEPT);
        let mut out: Vec<Sighting> = heard.map(|t| t.seen_from(own, now)).collect();
        let far = |s: &Sighting| s.range_nm.unwrap_or(f64::INFINITY);
        out.sort_by(|a, b| far(a).total_cmp(&far(b)).then(a.target.key.cmp(&b.target.key)));
        out
    }

    fn entry(&mut self, key: Key, at: Offset) -> &mut Target {
        self.newest = self.newest.max(at);
        if self.newest.saturating_sub(self.swept) > MINUTE {
            self.swept = self.newest;
            let oldest = self.newest - Targets::KEPT;
            self.all.retain(|_, t| t.heard_at >= oldest);
        }
        if self.all.len() >= Targets::MOST
            && !self.all.contains_key(&key)
            && let Some(silent) = self.all.values().min_by_key(|t| t.heard_at).map(|t| t.key)
            && let Some(gone) = self.all.remove(&silent)
        {
            let early = self.newest.saturating_sub(gone.heard_at) <= Targets::KEPT;
            self.crowded_out += u64::from(early);
        }
        let target = self.all.entry(key).or_insert_with(|| Target::new(key, at));
        target.heard_at = at;
        target.count = target.count.saturating_add(1);
        target
    }
}

impl Target {
    fn new(key: Key, at: Offset) -> Target {
        Target {
            key,
            station: Station::Unknown,
            name: Label::default(),
            callsign: Label::default(),
            destination: Label::default(),
            ship_type: None,
            imo: None,
            nav_status: None,
            dimensions_m: None,
            draught_m: None,
            position: None,
            position_at: at,
            speed_kn: None,
            course_true_deg: None,
            heading_true_deg: None,
            rate_of_turn_deg_min: None,
            heard_at: at,
            since: at,
            count: 0,
        }
    }

    fn is_b(&mut self) {
        // Aids and class A ships may send message 24 too.
        if self.station == Station::Unknown {
            self.station = Station::B;
        }
    }

    fn moves(&mut self, lat: Option<f64>, lon: Option<f64>, speed: Option<f64>, course: Option<f64>, at: Offset) {
        if let (Some(latitude), Some(longitude)) = (lat, lon) {
            self.position = Some(Position { latitude, longitude });
            self.position_at = at;
        }
        self.speed_kn = speed;
        self.course_true_deg = course;
    }

    /// How it stands to the own ship now.
    pub fn seen_from(&self, own: Option<&Motion>, now: Offset) -> Sighting {
        let mut seen = Sighting {
            target: *self,
            age: now.saturating_sub(self.heard_at).max(0),
            range_nm: None,
            bearing_true_deg: None,
            cpa_nm: None,
            tcpa_min: None,
        };
        let (Some(own), Some(position)) = (own, self.position) else { return seen };
        let moving = self.speed_kn.zip(self.course_true_deg).filter(|(speed, _)| *speed > 0.0);
        let (speed_kn, course_true_deg) = moving.unwrap_or((0.0, 0.0));
        let mut motion = Motion { position, course_true_deg, speed_kn };
        motion.position = motion.after(now.saturating_sub(self.position_at).max(0));
        let a = approach(own, &motion);
        (seen.range_nm, seen.bearing_true_deg) = (Some(a.range_nm), Some(a.bearing_true_deg));
        let lies_still = self.speed_kn == Some(0.0) || matches!(self.station, Station::Aid | Station::Base);
        if moving.is_some() || lies_still {
            (seen.cpa_nm, seen.tcpa_min) = (Some(a.cpa_nm), Some(a.tcpa_min));
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::{Header, NameB, Position as Report};
    use super::*;
    use crate::core::time::SECOND;

    fn position(mmsi: u32, latitude: f64, longitude: f64) -> Message {
        let body = Report {
            latitude: Some(latitude),
            longitude: Some(longitude),
            speed_kn: Some(12.0),
            course_true_deg: Some(90.0),
            ..Report::default()
        };
        Message { header: Header { kind: 1, repeat: 0, mmsi }, body: Body::Position(body) }
    }

    fn name(mmsi: u32, name: &str) -> Message {
        let header = Header { kind: 24, repeat: 0, mmsi };
        Message { header, body: Body::NameB(NameB { name: name.to_owned() }) }
    }

    #[test]
    fn static_and_moving_data_join_and_range_follows_the_course() {
        let mut t = Targets::new();
        t.hear(&position(201_000_001, 0.0, 0.1), 0);
        t.hear(&name(201_000_001, "ALPHA"), SECOND);
        let own = Motion { position: Position::default(), course_true_deg: 0.0, speed_kn: 0.0 };
        // 12 kn east for 5 min is 1 nm: 6.0108 (0.1 degrees of the equator) + 1 nm.
        let seen = t.sightings(Some(&own), 5 * MINUTE)[0];
        assert_eq!(
            (seen.target.name.as_bytes(), seen.target.count, seen.target.station),
            (&b"ALPHA"[..], 2, Station::A)
        );
        assert!((seen.range_nm.unwrap() - 7.0108).abs() < 1e-3, "{seen:?}");
        assert!((seen.bearing_true_deg.unwrap() - 90.0).abs() < 1e-6 && seen.tcpa_min.unwrap() < 0.0);
        assert_eq!(seen.age, 5 * MINUTE - SECOND);
        assert_eq!(t.sightings(None, 0)[0].range_nm, None); // no own position: no range, no CPA
    }

    #[test]
    fn the_silent_go_after_ten_minutes() {
        let mut t = Targets::new();
        t.hear(&position(201_000_001, 0.0, 0.0), 0);
        assert_eq!(t.sightings(None, 10 * MINUTE).len(), 1);
        assert_eq!(t.sightings(None, 10 * MINUTE + 1).len(), 0);
        t.hear(&position(201_000_002, 0.0, 0.0), 11 * MINUTE);
        assert_eq!((t.len(), t.crowded_out), (1, 0));
    }

    #[test]
    fn of_too_many_the_longest_silent_goes_first() {
        let mut t = Targets::new();
        for i in 0..2000 {
            t.hear(&name(201_000_000 + i, "X"), Offset::from(i));
        }
        t.hear(&name(201_000_000, "X"), 5000); // the first speaks again
        t.hear(&name(299_000_000, "NEW"), 6000);
        assert_eq!((t.len(), t.crowded_out), (2000, 1));
        assert!(t.get(Key::Mmsi(201_000_000)).is_some() && t.get(Key::Mmsi(201_000_001)).is_none());
    }

    #[test]
    fn a_radar_target_stands_where_the_radar_sees_it_until_it_is_lost() {
        let mut t = Targets::new();
        let echo = RadarEcho { number: 7, distance_nm: 3.0, bearing_true_deg: 180.0, ..RadarEcho::default() };
        t.hear_radar(&echo, Some(Position::default()), 0, Origin::Source);
        let own = Motion { position: Position::default(), course_true_deg: 0.0, speed_kn: 5.0 };
        let seen = t.sightings(Some(&own), 0)[0];
        assert!((seen.range_nm.unwrap() - 3.0).abs() < 1e-6 && (seen.bearing_true_deg.unwrap() - 180.0).abs() < 1e-6);
        assert_eq!(seen.cpa_nm, None); // its motion is not known
        t.hear_radar(&RadarEcho { lost: true, ..echo }, None, 1, Origin::Source);
        assert!(t.is_empty());
    }
}

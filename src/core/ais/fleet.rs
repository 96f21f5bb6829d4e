//! Simulated ships: where they are at any moment, and when they say what by AIS.
//!
//! Everything is a function of the offset: no step, no state, so that polling, seeking and load change no byte. Use:
//!
//! 1. `Fleet::new(ships)`;
//! 2. `fleet.next_due(after)` tells the simulation when to come back;
//! 3. `fleet.due(after, until)` lists the reports of a span (open at `after`, closed at `until`; for the first call
//!    `after` is -1), in the order in which they are sent;
//! 4. `fleet.say(&due, utc, "AI", &mut ids, out)` gives its VDM lines. Keep one [`Ids`] per simulation.
//!
//! The same ships as a radar sees them are in [`radar`](super::radar).

use super::cpa::Motion;
use super::fields::Turn;
use super::message::{Body, Header, Message, Position as Report, PositionB, Voyage};
use super::own::{carrier_sense, statics};
use super::sentence::{Framing, Ids, sentences};
use crate::core::time::{HOUR, MILLISECOND, MINUTE, Offset, SECOND, Utc};
use crate::core::vessel::Position;
use crate::core::vessel::geodesy::direct;
use crate::core::vessel::units::{DEG_RAD, NM_M, sin_cos_deg, wrap_360};

/// A class A ship turns, and reports faster, above this rate (degrees a minute): its heading is then more than 5 degrees
/// off its mean of the last 30 s (M.1371-5, annex 1, 2.1.2; the mean of a steady turn is 15 s behind).
pub const TURNING_DEG_MIN: f64 = 20.0;
/// Static data every six minutes.
pub const STATIC_PERIOD: Offset = 6 * MINUTE;
/// First reports are spread over this span, so that a fleet does not speak at once.
const SPREAD: Offset = 10 * SECOND;

/// A simulated ship. It keeps its speed and rate of turn: a straight course (a geodesic) or a circle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ship {
    /// Nine digits; tells the ships of a fleet apart.
    pub mmsi: u32,
    /// Class A (1 and 3, 5) instead of B (18, 24).
    pub class_a: bool,
    /// Name, at most 20 characters.
    pub name: String,
    /// Radio call sign, at most 7.
    pub callsign: String,
    /// Type of ship and cargo, 0 to 99.
    pub ship_type: u8,
    /// Navigational status 0 to 15 (class A).
    pub nav_status: u8,
    /// IMO number, 0 none (class A).
    pub imo: u32,
    /// Metres from the antenna to bow, stern, port, starboard.
    pub dimensions_m: [u16; 4],
    /// Metres (class A), 0 unknown.
    pub draught_m: f64,
    /// Destination as text (class A).
    pub destination: String,
    /// Where it is at `starts_at`.
    pub position: Position,
    /// Course over ground at `starts_at`, degrees true. The heading is the same.
    pub course_true_deg: f64,
    /// Speed over ground, knots.
    pub speed_kn: f64,
    /// Degrees a minute, starboard positive.
    pub rate_of_turn_deg_min: f64,
    /// Silent before.
    pub starts_at: Offset,
}

impl Ship {
    /// Where it is and how it moves at an offset (before `starts_at`: as then).
    pub fn motion(&self, at: Offset) -> Motion {
        let hours = (at - self.starts_at).max(0) as f64 / HOUR as f64;
        let way_m = self.speed_kn * NM_M * hours;
        let turned = self.rate_of_turn_deg_min * 60.0 * hours;
        if self.rate_of_turn_deg_min.abs() < 1e-6 {
            let there = direct(self.position, self.course_true_deg, way_m);
            let course_true_deg = if way_m == 0.0 { wrap_360(self.course_true_deg) } else { there.course_deg };
            return Motion { position: there.position, course_true_deg, speed_kn: self.speed_kn };
        }
        // The chord of an arc: 2 r sin(turned / 2), half the turn away from the first course.
        let radius_m = self.speed_kn * NM_M / (self.rate_of_turn_deg_min * 60.0 * DEG_RAD);
        let chord_m = 2.0 * radius_m * sin_cos_deg(turned / 2.0).0;
        let there = direct(self.position, self.course_true_deg + turned / 2.0, chord_m);
        Motion {
            position: there.position,
            course_true_deg: wrap_360(self.course_true_deg + turned),
            speed_kn: self.speed_kn,
        }
    }

    /// Time between position reports, as nanoseconds over a divisor (3 1/3 s is no whole number of them).
    pub fn interval(&self) -> (i64, i64) {
        let speed = self.speed_kn;
        let turning = self.rate_of_turn_deg_min.abs() > TURNING_DEG_MIN;
        if !self.class_a {
            return if speed < 2.0 { (180 * SECOND, 1) } else { (30 * SECOND, 1) };
        }
        let moored = matches!(self.nav_status, 1 | 5) && speed <= 3.0;
        match () {
            () if moored => (180 * SECOND, 1),
            () if speed > 23.0 => (2 * SECOND, 1),
            () if speed > 14.0 => (if turning { 2 } else { 6 } * SECOND, 1),
            () if turning => (10 * SECOND, 3),
            () => (10 * SECOND, 1),
        }
    }

    /// Where in the spread this ship begins; by its number, in steps of 50 ms.
    fn phase(&self) -> Offset {
        let (ns, per) = self.interval();
        let span = (ns / per).min(SPREAD) / (50 * MILLISECOND);
        let mixed = u64::from(self.mmsi.wrapping_mul(0x9E37_79B1));
        ((mixed * span.unsigned_abs()) >> 32) as i64 * 50 * MILLISECOND
    }

    fn beats(&self, what: What) -> Beats {
        let first = self.starts_at + self.phase();
        match what {
            What::Position => {
                let (ns, per) = self.interval();
                Beats { first, ns, per }
            }
            What::Static => Beats { first: first + SECOND, ns: STATIC_PERIOD, per: 1 },
        }
    }

    /// What it says of its motion at an offset.
    pub fn position_report(&self, at: Offset, utc: Option<Utc>) -> Message {
        let Motion { position, course_true_deg, speed_kn } = self.motion(at);
        let (longitude, latitude) = (Some(position.longitude), Some(position.latitude));
        let second = Some(utc.map_or(60, |utc| utc.div_euclid(SECOND).rem_euclid(60) as u32));
        let (speed_kn, course_true_deg) = (Some(speed_kn), Some(course_true_deg));
        let heading_true_deg = course_true_deg;
        let accuracy = Some(0);
        if !self.class_a {
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
            return Message { header: Header { kind: 18, repeat: 0, mmsi: self.mmsi }, body: Body::PositionB(body) };
        }
        let body = Report {
            nav_status: Some(u32::from(self.nav_status)),
            turn: Some(Turn::Rate(self.rate_of_turn_deg_min)),
            speed_kn,
            accuracy,
            longitude,
            latitude,
            course_true_deg,
            heading_true_deg,
            second,
            ..Report::default()
        };
        // Extra reports of a turn are message 3 (M.1371-5, annex 2, 3.3.4.3.4).
        let kind = if self.rate_of_turn_deg_min.abs() > TURNING_DEG_MIN { 3 } else { 1 };
        Message { header: Header { kind, repeat: 0, mmsi: self.mmsi }, body: Body::Position(body) }
    }

    /// What it says of itself: one message 5, or 24 A and B.
    pub fn static_reports(&self) -> Vec<Message> {
        let voyage = Voyage {
            ais_version: Some(2),
            imo: Some(self.imo).filter(|imo| *imo > 0),
            callsign: self.callsign.clone(),
            name: self.name.clone(),
            ship_type: Some(u32::from(self.ship_type)),
            dimensions_m: Some(self.dimensions_m),
            epfd: Some(1),
            draught_m: Some(self.draught_m).filter(|d| *d > 0.0),
            destination: self.destination.clone(),
            dte: Some(0),
            ..Voyage::default()
        };
        statics(self.mmsi, self.class_a, voyage)
    }
}

/// What is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Message 1, 3 or 18.
    Position,
    /// Message 5, or 24 A and B.
    Static,
}

/// One report that is due. Ordered as reports are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Due {
    /// When.
    pub at: Offset,
    /// Which ship, by its place in the fleet.
    pub ship: usize,
    /// What it says.
    pub what: What,
    /// Counts the reports of this kind of this ship: even and odd ones take channels A and B.
    pub turn: i64,
}

/// `first`, and then every `ns / per`.
#[derive(Clone, Copy)]
struct Beats {
    first: Offset,
    ns: i64,
    per: i64,
}

impl Beats {
    fn at(&self, k: i64) -> Offset {
        // Through 128 bits: a count of seconds times nanoseconds overflows 64 after some decades.
        let span = i128::from(k) * i128::from(self.ns) / i128::from(self.per);
        self.first.saturating_add(i64::try_from(span).unwrap_or(i64::MAX))
    }

    /// The number of the first beat after `after`.
    fn next(&self, after: Offset) -> i64 {
        if after < self.first {
            return 0;
        }
        let mut k = (i128::from(after - self.first) * i128::from(self.per) / i128::from(self.ns)) as i64;
        while self.at(k) <= after {
            k += 1;
        }
        k
    }
}

/// Any number of simulated ships.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fleet {
    /// The ships. Changing them while running changes what they say from then on.
    pub ships: Vec<Ship>,
}

impl Fleet {
    /// These ships.
    pub fn new(ships: Vec<Ship>) -> Fleet {
        Fleet { ships }
    }

    /// When the next report after `after` is due; `None` without ships.
    pub fn next_due(&self, after: Offset) -> Option<Offset> {
        self.kinds().map(|(_, _, beats)| beats.at(beats.next(after))).min()
    }

    /// The reports with `after` < at <= `until`, in the order in which they are sent.
    pub fn due(&self, after: Offset, until: Offset) -> Vec<Due> {
        let mut out = Vec::new();
        for (ship, what, beats) in self.kinds() {
            let mut turn = beats.next(after);
            while beats.at(turn) <= until {
                out.push(Due { at: beats.at(turn), ship, what, turn });
                turn += 1;
            }
        }
        out.sort_unstable();
        out
    }

    /// Says a report as VDM lines without CR LF. `utc` is the time of the source at `due.at`.
    pub fn say(&self, due: &Due, utc: Option<Utc>, talker: &str, ids: &mut Ids, out: &mut dyn FnMut(&[u8])) {
        let Some(ship) = self.ships.get(due.ship) else { return };
        let channel = Some(if due.turn % 2 == 0 { b'A' } else { b'B' });
        let framing = Framing { talker, own: false, channel };
        match due.what {
            What::Position => sentences(&ship.position_report(due.at, utc), framing, ids, out),
            What::Static => ship.static_reports().iter().for_each(|m| sentences(m, framing, ids, out)),
        }
    }

    fn kinds(&self) -> impl Iterator<Item = (usize, What, Beats)> + '_ {
        let both = [What::Position, What::Static];
        self.ships.iter().enumerate().flat_map(move |(i, s)| both.map(|what| (i, what, s.beats(what))))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::core::vessel::geodesy::inverse;

    fn ship(class_a: bool, speed_kn: f64, rate: f64, nav_status: u8) -> Ship {
        Ship { mmsi: 201_000_001, class_a, speed_kn, rate_of_turn_deg_min: rate, nav_status, ..Ship::default() }
    }

    #[test]
    fn reports_come_at_the_intervals_of_the_standard() {
        // M.1371-5, annex 1, tables 1 and 2; reports in an hour.
        let table = [
            (ship(true, 0.1, 0.0, 1), 20),
            (ship(true, 0.0, 0.0, 5), 20),
            (ship(true, 3.5, 0.0, 1), 360), // drags her anchor
            (ship(true, 0.0, 0.0, 0), 360),
            (ship(true, 13.9, 0.0, 0), 360),
            (ship(true, 13.9, -30.0, 0), 1080), // 3 1/3 s
            (ship(true, 14.1, 0.0, 0), 600),
            (ship(true, 22.9, 30.0, 0), 1800),
            (ship(true, 23.1, 0.0, 0), 1800),
            (ship(false, 1.9, 0.0, 0), 20),
            (ship(false, 2.0, 0.0, 0), 120),
            (ship(false, 30.0, 90.0, 0), 120),
        ];
        for (ship, hourly) in table {
            let fleet = Fleet::new(vec![ship.clone()]);
            let count = |what| fleet.due(-1, HOUR - 1).iter().filter(|d| d.what == what).count();
            assert_eq!((count(What::Position), count(What::Static)), (hourly, 10), "{ship:?}");
        }
    }

    #[test]
    fn a_straight_course_and_a_circle_are_sailed_by_the_clock() {
        let start = Position { latitude: 37.9, longitude: 23.6 };
        let straight = Ship { position: start, course_true_deg: 45.0, speed_kn: 12.0, ..Ship::default() };
        let way = inverse(start, straight.motion(30 * MINUTE).position);
        assert!((way.distance_m - 6.0 * 1852.0).abs() < 1e-3 && (way.bearing_deg - 45.0).abs() < 1e-6);
        // 36 degrees a minute: round in ten minutes; 12 kn are 3704 m of circumference, 1179.0 m across.
        let round = Ship { rate_of_turn_deg_min: 36.0, ..straight };
        assert!(inverse(start, round.motion(10 * MINUTE).position).distance_m < 1e-3);
        let half = round.motion(5 * MINUTE);
        assert!((inverse(start, half.position).distance_m - 3704.0 / std::f64::consts::PI).abs() < 1e-3);
        assert!((inverse(start, half.position).bearing_deg - 135.0).abs() < 1e-6, "to starboard");
        assert!((half.course_true_deg - 225.0).abs() < 1e-9);
    }

    #[test]
    fn a_ship_is_silent_before_it_starts() {
        let late = Ship { starts_at: HOUR, ..ship(true, 10.0, 0.0, 0) };
        let fleet = Fleet::new(vec![late]);
        assert!(fleet.due(-1, HOUR - 1).is_empty());
        assert!(fleet.next_due(0).is_some_and(|t| (HOUR..HOUR + 10 * SECOND).contains(&t)));
        assert_eq!(Fleet::default().next_due(0), None);
    }

    #[test]
    fn both_channels_are_used() {
        let fleet = Fleet::new(vec![ship(true, 10.0, 0.0, 0)]);
        let (mut ids, mut lines) = (Ids::new(), Vec::new());
        for due in fleet.due(-1, MINUTE) {
            fleet.say(&due, Some(0), "AI", &mut ids, &mut |l| lines.push(String::from_utf8_lossy(l).into_owned()));
        }
        assert_eq!(lines.iter().filter(|l| l.starts_with("!AIVDM,1,1,,A,1")).count(), 3);
        assert_eq!(lines.iter().filter(|l| l.starts_with("!AIVDM,1,1,,B,1")).count(), 3);
        assert_eq!(lines.iter().filter(|l| l.starts_with("!AIVDM,2,")).count(), 2); // message 5
    }

    proptest! {
        #[test]
        fn polling_changes_nothing(cuts in prop::collection::vec(1_i64..90_000, 1..30), speed in 0.0..40.0, rate in -60.0..60.0) {
            let ships = (0..5).map(|i| Ship { mmsi: 201_000_000 + i * 7919, ..ship(i % 2 == 0, speed, rate, 0) }).collect();
            let fleet = Fleet::new(ships);
            let mut pieces = Vec::new();
            let mut after = -1;
            for cut in cuts {
                let until = after + cut * MILLISECOND;
                if let Some(first) = fleet.due(after, until).first() {
                    prop_assert_eq!(Some(first.at), fleet.next_due(after));
                }
                pieces.extend(fleet.due(after, until));
                after = until;
            }
            prop_assert_eq!(pieces, fleet.due(-1, after));
        }
    }
}

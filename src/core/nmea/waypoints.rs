//! Waypoints and routes: BWC, BWR, BOD, RTE, WPL, and BWW, WCV, WNC, ZFO, ZTG, which are only heard.
//!
//! Nothing heard here is ever taken for the vessel's own position.

use super::gnss::{self, time_field};
use super::pilot::{has_destination, keep_name, name};
use super::wire::{Form, Group, MODES, Measure, Text, TimeOfDay, Unit, Wire, unit};
use super::{About, Cadence, Hearing, Sentence, Style, Tell};
use crate::core::time::Moment;
use crate::core::vessel::units::{DEG_RAD, NM_M, wrap_180, wrap_360};
use crate::core::vessel::{Bare, Position, Vessel, geodesy};

const BEARING_TRUE: &[Unit] = &[unit('T', "bearing_true_deg", 1)];
const BEARING_MAGNETIC: &[Unit] = &[unit('M', "bearing_magnetic_deg", 1)];
const DISTANCE: &[Unit] = &[unit('N', "distance_nm", 1)];
const DISTANCE_KM: &[Unit] = &[unit('K', "distance_km", 1)];
const CLOSING: &[Unit] = &[unit('N', "closing_kn", 1)];
const MODE: &str = "A autonomous, D differential, E estimated, N not valid";

/// BWC and BWR: bearing and distance to the destination, along the great circle (`C`) or the rhumb line (`R`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Bearing<const LINE: u8> {
    time: Option<TimeOfDay>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    bearing: Measure,
    bearing_magnetic: Measure,
    distance: Measure,
    waypoint: Text<32>,
    mode: Option<u8>,
}

impl<const LINE: u8> Sentence for Bearing<LINE> {
    const ABOUT: About = About {
        id: if LINE == b'C' { "BWC" } else { "BWR" },
        formatter: if LINE == b'C' { "BWC" } else { "BWR" },
        title: if LINE == b'C' { "Bearing and distance to the waypoint" } else { "The same along the rhumb line" },
        talker: "GP",
        cadence: Cadence::WhileNavigating,
        priority: 6,
        field_counts: &[12, 13],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.time("time", "UTC of the position", &mut self.time);
        w.latitude("waypoint_latitude", "of the waypoint", &mut self.latitude);
        w.longitude("waypoint_longitude", "of the waypoint", &mut self.longitude);
        w.measure("bearing to the waypoint, true", BEARING_TRUE, Form::Bearing, &mut self.bearing);
        w.measure("bearing to the waypoint, magnetic", BEARING_MAGNETIC, Form::Bearing, &mut self.bearing_magnetic);
        w.measure("distance to the waypoint", DISTANCE, Form::Positive, &mut self.distance);
        w.waypoint("waypoint", "its name", self.waypoint.place());
        if w.more(true) {
            w.letter("mode", MODE, MODES, &mut self.mode);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        let route = &mut vessel.route;
        keep_name(heard, &mut route.destination, &self.waypoint);
        let to = self.latitude.zip(self.longitude).map(|(latitude, longitude)| Position { latitude, longitude });
        heard.set(&mut route.destination_position, to);
        if self.mode != Some(b'N') {
            heard.set(&mut route.bearing_true_deg, self.bearing.value);
            heard.set(&mut route.bearing_magnetic_deg, self.bearing_magnetic.value);
            heard.set(&mut route.distance_nm, self.distance.value);
        }
    }

    fn say(vessel: &Vessel, now: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if !has_destination(vessel) {
            return;
        }
        let route = &vessel.route;
        let here = gnss::fix(vessel);
        let to = route.destination_position.bare();
        let (bearing, distance) = if LINE == b'C' {
            (here.and(route.bearing_true_deg.bare()), here.and(route.distance_nm.bare()))
        } else {
            here.zip(to).map(|(here, to)| rhumb(here, to)).unzip()
        };
        tell.say(Bearing {
            time: time_field(vessel, now),
            latitude: to.map(|p| p.latitude),
            longitude: to.map(|p| p.longitude),
            bearing: Measure::new(bearing, 'T'),
            bearing_magnetic: Measure::new(gnss::magnetic(vessel, bearing), 'M'),
            distance: Measure::new(distance, 'N'),
            waypoint: name(route.destination.bare()),
            mode: Some(gnss::mode(vessel)),
        });
    }
}

/// Course and length (nautical miles) of the rhumb line on WGS84 (Bennett, "Practical rhumb line calculations on the
/// spheroid", Journal of Navigation 49, 1996; the meridian arc to e^8).
fn rhumb(from: Position, to: Position) -> (f64, f64) {
    let e2 = geodesy::WGS84_F * (2.0 - geodesy::WGS84_F);
    let e = libm::sqrt(e2);
    let clamp = |latitude: f64| latitude.clamp(-89.999_999, 89.999_999) * DEG_RAD;
    let (a, b) = (clamp(from.latitude), clamp(to.latitude));
    let d_longitude = wrap_180(to.longitude - from.longitude) * DEG_RAD;
    let isometric = |phi: f64| {
        let s = libm::sin(phi);
        libm::atanh(s) - e * libm::atanh(e * s)
    };
    let arc = |phi: f64| {
        let (e4, e6, e8) = (e2 * e2, e2 * e2 * e2, e2 * e2 * e2 * e2);
        let c0 = 1.0 - e2 / 4.0 - 3.0 * e4 / 64.0 - 5.0 * e6 / 256.0 - 175.0 * e8 / 16_384.0;
        let c2 = 3.0 * e2 / 8.0 + 3.0 * e4 / 32.0 + 45.0 * e6 / 1024.0 + 105.0 * e8 / 4096.0;
        let c4 = 15.0 * e4 / 256.0 + 45.0 * e6 / 1024.0 + 525.0 * e8 / 16_384.0;
        let c6 = 35.0 * e6 / 3072.0 + 175.0 * e8 / 12_288.0;
        let c8 = 315.0 * e8 / 131_072.0;
        let sin = |k: f64| libm::sin(k * phi);
        geodesy::WGS84_A * (c0 * phi - c2 * sin(2.0) + c4 * sin(4.0) - c6 * sin(6.0) + c8 * sin(8.0))
    };
    let d_isometric = isometric(b) - isometric(a);
    let d_arc = arc(b) - arc(a);
    let parallel = if d_isometric.abs() > 1e-9 {
        d_arc / d_isometric
    } else {
        let s = libm::sin(a);
        geodesy::WGS84_A * libm::cos(a) / libm::sqrt(1.0 - e2 * s * s)
    };
    let east = parallel * d_longitude;
    let course = wrap_360(libm::atan2(d_longitude, d_isometric) / DEG_RAD);
    (course, libm::sqrt(d_arc * d_arc + east * east) / NM_M)
}

/// BOD: bearing of the leg, from its origin to the destination.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bod {
    bearing: Measure,
    bearing_magnetic: Measure,
    destination: Text<32>,
    origin: Text<32>,
}

impl Sentence for Bod {
    const ABOUT: About = About {
        id: "BOD",
        formatter: "BOD",
        title: "Bearing from origin to destination",
        talker: "GP",
        cadence: Cadence::WhileNavigating,
        priority: 5,
        field_counts: &[5, 6],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("bearing of the leg, true", BEARING_TRUE, Form::Bearing, &mut self.bearing);
        w.measure("bearing of the leg, magnetic", BEARING_MAGNETIC, Form::Bearing, &mut self.bearing_magnetic);
        w.waypoint("destination", "waypoint to go to", self.destination.place());
        if w.more(true) {
            w.waypoint("origin", "waypoint the leg comes from", self.origin.place());
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        keep_name(heard, &mut vessel.route.destination, &self.destination);
        keep_name(heard, &mut vessel.route.origin, &self.origin);
        heard.set(&mut vessel.route.bearing_origin_true_deg, self.bearing.value);
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if has_destination(vessel) {
            let bearing = vessel.route.bearing_origin_true_deg.bare();
            tell.say(Bod {
                bearing: Measure::new(bearing, 'T'),
                bearing_magnetic: Measure::new(gnss::magnetic(vessel, bearing), 'M'),
                destination: name(vessel.route.destination.bare()),
                origin: name(vessel.route.origin.bare()),
            });
        }
    }
}

/// BWW: bearing from one waypoint to another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bww(Bod);

impl Sentence for Bww {
    const ABOUT: About = About {
        id: "BWW",
        formatter: "BWW",
        title: "Bearing from waypoint to waypoint",
        talker: "GP",
        cadence: Cadence::WhileNavigating,
        field_counts: &[6],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        self.0.fields(w);
    }
}

/// Waypoints that one RTE sentence is read with.
const MOST: usize = 24;

/// RTE: the waypoints of a route.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rte {
    sentences: Option<i32>,
    sentence: Option<i32>,
    mode: Option<u8>,
    route: Text<32>,
    waypoints: [Text<32>; MOST],
    len: u8,
}

static WAYPOINTS: Group =
    Group { name: "waypoints", what: "waypoint", width: 1, most: MOST as u8, fixed: false, tail: 0 };

impl Sentence for Rte {
    const ABOUT: About = About {
        id: "RTE",
        formatter: "RTE",
        title: "Waypoints of a route",
        talker: "GP",
        cadence: Cadence::Event,
        priority: 2,
        field_counts: &[],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("sentences", "sentences of this route", 1, 999, &mut self.sentences);
        w.whole("sentence", "number of this one", 1, 999, &mut self.sentence);
        w.letter("mode", "c complete, w working: the waypoints still ahead", b"cwCW", &mut self.mode);
        if w.more(true) {
            w.waypoint("route", "name or number of the route", self.route.place());
        }
        let mut i = 0;
        while w.another(&WAYPOINTS, i, usize::from(self.len)) {
            let mut spare = Text::default();
            w.waypoint("waypoint", "its name", self.waypoints.get_mut(i).unwrap_or(&mut spare).place());
            i += 1;
            self.len = self.len.max(i.min(MOST) as u8);
        }
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if !has_destination(vessel) {
            return;
        }
        let mut rte =
            Rte { sentences: Some(1), sentence: Some(1), mode: Some(b'c'), route: Text::new(b"0"), ..Rte::default() };
        let legs = [vessel.route.origin.bare(), vessel.route.destination.bare()];
        for (place, label) in rte.waypoints.iter_mut().zip(legs.into_iter().flatten()) {
            *place = name(Some(label));
            rte.len += 1;
        }
        tell.say(rte);
    }
}

/// WPL: where a waypoint is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wpl {
    latitude: Option<f64>,
    longitude: Option<f64>,
    waypoint: Text<32>,
}

impl Sentence for Wpl {
    const ABOUT: About = About {
        id: "WPL",
        formatter: "WPL",
        title: "Position of a waypoint",
        talker: "GP",
        cadence: Cadence::Event,
        priority: 2,
        field_counts: &[5],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.latitude("waypoint_latitude", "of the waypoint", &mut self.latitude);
        w.longitude("waypoint_longitude", "of the waypoint", &mut self.longitude);
        w.waypoint("waypoint", "its name", self.waypoint.place());
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if let Some(p) = vessel.route.destination_position.bare() {
            let waypoint = name(vessel.route.destination.bare());
            tell.say(Wpl { latitude: Some(p.latitude), longitude: Some(p.longitude), waypoint });
        }
    }
}

/// WCV: velocity toward a waypoint.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wcv {
    closing: Measure,
    waypoint: Text<32>,
    mode: Option<u8>,
}

impl Sentence for Wcv {
    const ABOUT: About = About {
        id: "WCV",
        formatter: "WCV",
        title: "Velocity toward a waypoint",
        talker: "GP",
        cadence: Cadence::WhileNavigating,
        field_counts: &[3, 4],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("speed towards the waypoint", CLOSING, Form::Plain, &mut self.closing);
        w.waypoint("waypoint", "its name", self.waypoint.place());
        if w.more(true) {
            w.letter("mode", MODE, MODES, &mut self.mode);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        if self.mode != Some(b'N') {
            heard.set(&mut vessel.route.closing_kn, self.closing.value);
        }
    }
}

/// WNC: distance from one waypoint to another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wnc {
    distance: Measure,
    distance_km: Measure,
    to: Text<32>,
    from: Text<32>,
}

impl Sentence for Wnc {
    const ABOUT: About = About {
        id: "WNC",
        formatter: "WNC",
        title: "Distance from waypoint to waypoint",
        talker: "GP",
        cadence: Cadence::WhileNavigating,
        field_counts: &[6],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("between the waypoints", DISTANCE, Form::Positive, &mut self.distance);
        w.measure("between the waypoints", DISTANCE_KM, Form::Positive, &mut self.distance_km);
        w.waypoint("destination", "waypoint to go to", self.to.place());
        w.waypoint("origin", "waypoint to come from", self.from.place());
    }
}

/// ZFO and ZTG: time since a waypoint (`F`), time to the destination (`T`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Elapsed<const WAY: u8> {
    time: Option<TimeOfDay>,
    span: Option<TimeOfDay>,
    waypoint: Text<32>,
}

impl<const WAY: u8> Sentence for Elapsed<WAY> {
    const ABOUT: About = About {
        id: if WAY == b'F' { "ZFO" } else { "ZTG" },
        formatter: if WAY == b'F' { "ZFO" } else { "ZTG" },
        title: if WAY == b'F' { "Time since the origin waypoint" } else { "Time to the destination waypoint" },
        talker: "GP",
        cadence: Cadence::WhileNavigating,
        field_counts: &[3],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.time("time", "UTC of the observation", &mut self.time);
        if WAY == b'F' {
            w.elapsed("elapsed", "hours, minutes, seconds since the origin", &mut self.span);
            w.waypoint("origin", "waypoint the leg comes from", self.waypoint.place());
        } else {
            w.elapsed("time_to_go", "hours, minutes, seconds to the destination", &mut self.span);
            w.waypoint("destination", "waypoint to go to", self.waypoint.place());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rhumb_lines_on_the_ellipsoid() {
        // a quarter of a meridian is 10 001 965.729 m = 5400.6294 nm;
        let at = |latitude, longitude| Position { latitude, longitude };
        let (course, nm) = rhumb(at(0.0, 10.0), at(90.0, 10.0));
        assert!(course.abs() < 1e-9 && (nm - 5400.6294).abs() < 1e-3, "{course} {nm}");
        // one degree of the equator is 6378.137 km x pi / 180 = 111 319.4908 m = 60.1077 nm, across the date line too;
        let (course, nm) = rhumb(at(0.0, 179.5), at(0.0, -179.5));
        assert!((course - 90.0).abs() < 1e-9 && (nm - 60.107_716).abs() < 1e-5, "{course} {nm}");
        // along 60 N a degree of longitude is 111 319.4908 x cos 60 / sqrt(1 - 0.00669438 x 0.75) = 55 800.0 m.
        let (course, nm) = rhumb(at(60.0, 1.0), at(60.0, 0.0));
        assert!((course - 270.0).abs() < 1e-9 && (nm * NM_M - 55_800.0).abs() < 0.5, "{course} {nm}");
    }
}

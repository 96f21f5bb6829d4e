//! What an autopilot steers by: APB, APA, RMB, XTE, XTR, AAM.
//!
//! Said while there is a destination. Cross-track error is a magnitude and the side to **steer** to; the vessel keeps it
//! signed, positive when the boat is right of the track.

use super::wire::{Form, MODES, Measure, Text, Unit, Wire, unit};
use super::{About, Cadence, Hearing, Sentence, Style, Tell, gnss};
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Label, Position, Vessel};

/// The text of a label.
pub(super) fn name(label: Option<Label>) -> Text<32> {
    label.map(|l| Text::new(l.as_bytes())).unwrap_or_default()
}

/// Keeps a name that is not empty.
pub(super) fn keep_name(heard: &Hearing<'_>, place: &mut crate::core::vessel::Value<Label>, text: &Text<32>) {
    heard.set(place, (!text.is_empty()).then(|| Label::new(text.as_bytes())));
}

/// Whether the vessel has somewhere to go.
pub(super) fn has_destination(vessel: &Vessel) -> bool {
    vessel.route.destination.is_some() || vessel.route.destination_position.is_some()
}

fn flag(yes: Option<bool>) -> Option<u8> {
    Some(if yes == Some(true) { b'A' } else { b'V' })
}

fn is(letter: Option<u8>) -> Option<bool> {
    letter.map(|l| l == b'A')
}

const CROSS_TRACK: &[Unit] = &[unit('N', "cross_track_nm", 3), unit('K', "cross_track_km", 3)];

/// Cross-track error, the side to steer to, its unit: three fields of APB, APA, XTE and XTR.
#[derive(Clone, Copy, Debug, Default)]
struct CrossTrack {
    distance: Measure,
    steer: Option<u8>,
}

impl CrossTrack {
    /// What the vessel knows, if it has a fix.
    fn of(vessel: &Vessel) -> CrossTrack {
        let off = gnss::fix(vessel).and(vessel.route.cross_track_nm.bare());
        CrossTrack { distance: Measure::new(off.map(f64::abs), 'N'), steer: off.map(steer) }
    }

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure_ahead("distance off the track", CROSS_TRACK, Form::Positive, 2, &mut self.distance);
        w.letter("steer", "side to steer to, L or R", b"LR", &mut self.steer);
        w.unit_letter("N nautical miles, K kilometres", b"NK", &mut self.distance.unit);
    }

    /// Positive right of the track.
    fn signed_nm(&self) -> Option<f64> {
        let nm = match self.distance.unit {
            b'K' => self.distance.value? / 1.852,
            _ => self.distance.value?,
        };
        self.steer.map(|s| if s == b'L' { nm } else { -nm })
    }
}

/// The side to steer to, from the signed error (positive right of the track).
fn steer(off: f64) -> u8 {
    if off > 0.0 { b'L' } else { b'R' }
}

const STATUS_1: &str = "A valid, V blink or SNR warning";
const STATUS_2: &str = "A valid, V cycle lock warning";
const CIRCLE: &str = "A arrival circle entered";
const PERPENDICULAR: &str = "A perpendicular at the destination passed";
const MODE: &str = "A autonomous, D differential, E estimated, N not valid";
const BEARING_ORIGIN: &[Unit] = &[unit('T', "bearing_origin_true_deg", 1), unit('M', "bearing_origin_magnetic_deg", 1)];
const BEARING: &[Unit] = &[unit('T', "bearing_true_deg", 1), unit('M', "bearing_magnetic_deg", 1)];
const STEER_TO: &[Unit] = &[unit('T', "heading_to_steer_true_deg", 1), unit('M', "heading_to_steer_magnetic_deg", 1)];

/// A true bearing as the profile wants it said: with T, or magnetic with M where the variation is known.
fn bearing(vessel: &Vessel, style: &Style<'_>, degrees_true: Option<f64>) -> Measure {
    if style.magnetic_bearings
        && let Some(magnetic) = gnss::magnetic(vessel, degrees_true)
    {
        return Measure::new(Some(magnetic), 'M');
    }
    Measure::some(degrees_true, 'T')
}

/// APB: everything an autopilot needs for a leg.
#[derive(Clone, Copy, Debug, Default)]
pub struct Apb {
    status_1: Option<u8>,
    status_2: Option<u8>,
    off: CrossTrack,
    circle: Option<u8>,
    perpendicular: Option<u8>,
    bearing_origin: Measure,
    destination: Text<32>,
    bearing: Measure,
    to_steer: Measure,
    mode: Option<u8>,
}

impl Sentence for Apb {
    const ABOUT: About = About {
        id: "APB",
        formatter: "APB",
        title: "Autopilot: cross-track error, bearings, destination",
        talker: "GP",
        period_ms: Some(1000),
        cadence: Cadence::WhileNavigating,
        priority: 9,
        field_counts: &[14, 15],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.letter("status_1", STATUS_1, b"AV", &mut self.status_1);
        w.letter("status_2", STATUS_2, b"AV", &mut self.status_2);
        self.off.fields(w);
        w.letter("arrival_circle", CIRCLE, b"AV", &mut self.circle);
        w.letter("perpendicular", PERPENDICULAR, b"AV", &mut self.perpendicular);
        w.measure("bearing of the leg at its origin", BEARING_ORIGIN, Form::Bearing, &mut self.bearing_origin);
        w.waypoint("destination", "waypoint to go to", self.destination.place());
        w.measure("bearing from here to the destination", BEARING, Form::Bearing, &mut self.bearing);
        w.measure("heading to steer", STEER_TO, Form::Bearing, &mut self.to_steer);
        if w.more(true) {
            w.letter("mode", MODE, MODES, &mut self.mode);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        let route = &mut vessel.route;
        keep_name(heard, &mut route.destination, &self.destination);
        heard.set(&mut route.bearing_origin_true_deg, self.bearing_origin.only('T'));
        heard.set(&mut route.bearing_true_deg, self.bearing.only('T'));
        heard.set(&mut route.bearing_magnetic_deg, self.bearing.only('M'));
        if [self.status_1, self.status_2].contains(&Some(b'V')) || self.mode == Some(b'N') {
            return;
        }
        heard.set(&mut route.cross_track_nm, self.off.signed_nm());
        heard.set(&mut route.arrived, is(self.circle));
        heard.set(&mut route.passed, is(self.perpendicular));
    }

    fn say(vessel: &Vessel, _: Moment, style: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if !has_destination(vessel) {
            return;
        }
        let route = &vessel.route;
        let here = gnss::fix(vessel);
        let to = here.and(route.bearing_true_deg.bare());
        let status = Some(gnss::status(vessel));
        tell.say(Apb {
            status_1: status,
            status_2: status,
            off: CrossTrack::of(vessel),
            circle: flag(here.and(route.arrived.bare())),
            perpendicular: flag(here.and(route.passed.bare())),
            bearing_origin: bearing(vessel, style, route.bearing_origin_true_deg.bare()),
            destination: name(route.destination.bare()),
            bearing: bearing(vessel, style, to),
            to_steer: bearing(vessel, style, to),
            mode: Some(gnss::mode(vessel)),
        });
    }
}

/// APA: the older form of APB.
#[derive(Clone, Copy, Debug, Default)]
pub struct Apa {
    status_1: Option<u8>,
    status_2: Option<u8>,
    off: CrossTrack,
    circle: Option<u8>,
    perpendicular: Option<u8>,
    bearing_origin: Measure,
    destination: Text<32>,
}

impl Sentence for Apa {
    const ABOUT: About = About {
        id: "APA",
        formatter: "APA",
        title: "Autopilot, older form",
        talker: "GP",
        cadence: Cadence::WhileNavigating,
        priority: 8,
        field_counts: &[10],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.letter("status_1", STATUS_1, b"AV", &mut self.status_1);
        w.letter("status_2", STATUS_2, b"AV", &mut self.status_2);
        self.off.fields(w);
        w.letter("arrival_circle", CIRCLE, b"AV", &mut self.circle);
        w.letter("perpendicular", PERPENDICULAR, b"AV", &mut self.perpendicular);
        w.measure("bearing of the leg at its origin", BEARING_ORIGIN, Form::Bearing, &mut self.bearing_origin);
        w.waypoint("destination", "waypoint to go to", self.destination.place());
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        let route = &mut vessel.route;
        keep_name(heard, &mut route.destination, &self.destination);
        heard.set(&mut route.bearing_origin_true_deg, self.bearing_origin.only('T'));
        if ![self.status_1, self.status_2].contains(&Some(b'V')) {
            heard.set(&mut route.cross_track_nm, self.off.signed_nm());
            heard.set(&mut route.arrived, is(self.circle));
            heard.set(&mut route.passed, is(self.perpendicular));
        }
    }

    fn say(vessel: &Vessel, _: Moment, style: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if !has_destination(vessel) {
            return;
        }
        let route = &vessel.route;
        let here = gnss::fix(vessel);
        let status = Some(gnss::status(vessel));
        tell.say(Apa {
            status_1: status,
            status_2: status,
            off: CrossTrack::of(vessel),
            circle: flag(here.and(route.arrived.bare())),
            perpendicular: flag(here.and(route.passed.bare())),
            bearing_origin: bearing(vessel, style, route.bearing_origin_true_deg.bare()),
            destination: name(route.destination.bare()),
        });
    }
}

/// RMB: the leg under way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rmb {
    status: Option<u8>,
    cross_track: Option<f64>,
    steer: Option<u8>,
    origin: Text<32>,
    destination: Text<32>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    range: Option<f64>,
    bearing: Option<f64>,
    closing: Option<f64>,
    arrival: Option<u8>,
    mode: Option<u8>,
}

impl Sentence for Rmb {
    const ABOUT: About = About {
        id: "RMB",
        formatter: "RMB",
        title: "Recommended minimum navigation: the leg under way",
        talker: "GP",
        period_ms: Some(1000),
        cadence: Cadence::WhileNavigating,
        priority: 8,
        field_counts: &[13, 14],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.letter("status", "A valid, V receiver warning", b"AV", &mut self.status);
        w.positive("cross_track_nm", "distance off the track, at most 9.99", 2, &mut self.cross_track);
        w.letter("steer", "side to steer to, L or R", b"LR", &mut self.steer);
        w.waypoint("origin", "waypoint the leg comes from", self.origin.place());
        w.waypoint("destination", "waypoint to go to", self.destination.place());
        w.latitude("destination_latitude", "of the destination", &mut self.latitude);
        w.longitude("destination_longitude", "of the destination", &mut self.longitude);
        w.positive("range_nm", "distance to the destination, at most 999.9", 1, &mut self.range);
        w.bearing("bearing_true_deg", "bearing to the destination", &mut self.bearing);
        w.number("closing_kn", "speed towards the destination, negative when opening", 1, &mut self.closing);
        w.letter("arrival", "A arrival circle entered or perpendicular passed", b"AV", &mut self.arrival);
        if w.more(true) {
            w.letter("mode", MODE, MODES, &mut self.mode);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        let route = &mut vessel.route;
        keep_name(heard, &mut route.origin, &self.origin);
        keep_name(heard, &mut route.destination, &self.destination);
        let to = self.latitude.zip(self.longitude).map(|(latitude, longitude)| Position { latitude, longitude });
        heard.set(&mut route.destination_position, to);
        if self.status != Some(b'A') || self.mode == Some(b'N') {
            return;
        }
        let off = self.cross_track.zip(self.steer).map(|(nm, steer)| if steer == b'L' { nm } else { -nm });
        heard.set(&mut route.cross_track_nm, off);
        heard.set(&mut route.distance_nm, self.range);
        heard.set(&mut route.bearing_true_deg, self.bearing);
        heard.set(&mut route.closing_kn, self.closing);
        if !self.destination.is_empty() {
            heard.set(&mut route.arrived, is(self.arrival));
        }
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if !has_destination(vessel) {
            return;
        }
        let route = &vessel.route;
        let here = gnss::fix(vessel);
        let fixed = |value: Option<f64>| here.and(value);
        let off = fixed(route.cross_track_nm.bare());
        let to = route.destination_position.bare();
        let arrived = route.arrived.bare() == Some(true) || route.passed.bare() == Some(true);
        tell.say(Rmb {
            status: Some(gnss::status(vessel)),
            cross_track: off.map(|nm| nm.abs().min(9.99)),
            steer: off.map(steer),
            origin: name(route.origin.bare()),
            destination: name(route.destination.bare()),
            latitude: to.map(|p| p.latitude),
            longitude: to.map(|p| p.longitude),
            range: fixed(route.distance_nm.bare()).map(|nm| nm.min(999.9)),
            bearing: fixed(route.bearing_true_deg.bare()),
            closing: fixed(route.closing_kn.bare()),
            arrival: flag(here.map(|_| arrived)),
            mode: Some(gnss::mode(vessel)),
        });
    }
}

/// XTE: cross-track error alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Xte {
    status_1: Option<u8>,
    status_2: Option<u8>,
    off: CrossTrack,
    mode: Option<u8>,
}

impl Sentence for Xte {
    const ABOUT: About = About {
        id: "XTE",
        formatter: "XTE",
        title: "Cross-track error",
        talker: "GP",
        period_ms: Some(1000),
        cadence: Cadence::WhileNavigating,
        priority: 7,
        field_counts: &[5, 6],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.letter("status_1", STATUS_1, b"AV", &mut self.status_1);
        w.letter("status_2", STATUS_2, b"AV", &mut self.status_2);
        self.off.fields(w);
        if w.more(true) {
            w.letter("mode", MODE, MODES, &mut self.mode);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        if ![self.status_1, self.status_2].contains(&Some(b'V')) && self.mode != Some(b'N') {
            heard.set(&mut vessel.route.cross_track_nm, self.off.signed_nm());
        }
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if has_destination(vessel) {
            let status = Some(gnss::status(vessel));
            let off = CrossTrack::of(vessel);
            tell.say(Xte { status_1: status, status_2: status, off, mode: Some(gnss::mode(vessel)) });
        }
    }
}

/// XTR: cross-track error by dead reckoning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Xtr(CrossTrack);

impl Sentence for Xtr {
    const ABOUT: About = About {
        id: "XTR",
        formatter: "XTR",
        title: "Cross-track error by dead reckoning",
        talker: "GP",
        cadence: Cadence::WhileNavigating,
        field_counts: &[3],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        self.0.fields(w);
    }
}

/// AAM: arrival at a waypoint.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aam {
    circle: Option<u8>,
    perpendicular: Option<u8>,
    radius: Measure,
    waypoint: Text<32>,
}

const RADIUS: &[Unit] = &[unit('N', "radius_nm", 2)];

impl Sentence for Aam {
    const ABOUT: About = About {
        id: "AAM",
        formatter: "AAM",
        title: "Waypoint arrival alarm",
        talker: "GP",
        cadence: Cadence::Event,
        priority: 4,
        field_counts: &[5],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.letter("arrival_circle", CIRCLE, b"AV", &mut self.circle);
        w.letter("perpendicular", PERPENDICULAR, b"AV", &mut self.perpendicular);
        w.measure("radius of the arrival circle", RADIUS, Form::Positive, &mut self.radius);
        w.waypoint("waypoint", "waypoint arrived at", self.waypoint.place());
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.route.arrival_radius_nm, self.radius.value);
        if !self.waypoint.is_empty() {
            heard.set(&mut vessel.route.arrived, is(self.circle));
            heard.set(&mut vessel.route.passed, is(self.perpendicular));
        }
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if has_destination(vessel) {
            let route = &vessel.route;
            let here = gnss::fix(vessel);
            tell.say(Aam {
                circle: flag(here.and(route.arrived.bare())),
                perpendicular: flag(here.and(route.passed.bare())),
                radius: Measure::new(route.arrival_radius_nm.bare(), 'N'),
                waypoint: name(route.destination.bare()),
            });
        }
    }
}

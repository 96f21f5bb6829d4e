//! Heading and turn: HDG, HDM, HDT, THS, ROT; HSC and HVD, which are only heard.

use super::wire::{Form, Measure, Unit, Wire, unit};
use super::{About, Cadence, Hearing, Sentence, Style, Tell, gnss};
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Vessel};

/// HDG: the magnetic compass, with deviation and variation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hdg {
    compass: Option<f64>,
    deviation: Option<f64>,
    variation: Option<f64>,
}

impl Sentence for Hdg {
    const ABOUT: About = About {
        id: "HDG",
        formatter: "HDG",
        title: "Magnetic heading, deviation, variation",
        talker: "HC",
        period_ms: Some(1000),
        priority: 9,
        field_counts: &[5],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.bearing("heading_compass_deg", "heading as the compass shows it", &mut self.compass);
        w.east_west("deviation_deg", "deviation of the compass, E positive", &mut self.deviation);
        w.east_west("variation_deg", "magnetic variation, E positive", &mut self.variation);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.heading_compass_deg, self.compass);
        heard.set(&mut vessel.deviation_deg, self.deviation);
        heard.set(&mut vessel.variation_deg, self.variation);
        // An unknown deviation is taken as none: the compass is all there is.
        let magnetic = self.compass.map(|c| (c + self.deviation.unwrap_or(0.0)).rem_euclid(360.0));
        heard.set(&mut vessel.heading_magnetic_deg, magnetic);
        let variation = self.variation;
        heard.set(&mut vessel.heading_true_deg, magnetic.zip(variation).map(|(m, v)| (m + v).rem_euclid(360.0)));
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let deviation = vessel.deviation_deg.bare();
        let compass = heading_magnetic(vessel).map(|m| m - deviation.unwrap_or(0.0));
        if compass.is_some() {
            tell.say(Hdg { compass, deviation, variation: vessel.variation_deg.bare() });
        }
    }
}

/// Magnetic heading: from the true one and the variation, else as it is known.
pub(super) fn heading_magnetic(vessel: &Vessel) -> Option<f64> {
    gnss::magnetic(vessel, vessel.heading_true_deg.bare()).or(vessel.heading_magnetic_deg.bare())
}

/// HDT: true heading.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hdt {
    heading: Measure,
}

const TRUE: &[Unit] = &[unit('T', "heading_true_deg", 1)];

impl Sentence for Hdt {
    const ABOUT: About = About {
        id: "HDT",
        formatter: "HDT",
        title: "True heading",
        talker: "HE",
        priority: 8,
        field_counts: &[2],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("true heading", TRUE, Form::Bearing, &mut self.heading);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.heading_true_deg, self.heading.value);
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if let Some(heading) = vessel.heading_true_deg.bare() {
            tell.say(Hdt { heading: Measure::new(Some(heading), 'T') });
        }
    }
}

const MAGNETIC: &[Unit] = &[unit('M', "heading_magnetic_deg", 1)];

/// HDM: magnetic heading.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hdm {
    heading: Measure,
}

impl Sentence for Hdm {
    const ABOUT: About = About {
        id: "HDM",
        formatter: "HDM",
        title: "Magnetic heading",
        talker: "HC",
        priority: 8,
        field_counts: &[2],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("magnetic heading", MAGNETIC, Form::Bearing, &mut self.heading);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.heading_magnetic_deg, self.heading.value);
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if let Some(heading) = heading_magnetic(vessel) {
            tell.say(Hdm { heading: Measure::new(Some(heading), 'M') });
        }
    }
}

/// THS: true heading and its status.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ths {
    heading: Option<f64>,
    mode: Option<u8>,
}

impl Sentence for Ths {
    const ABOUT: About = About {
        id: "THS",
        formatter: "THS",
        title: "True heading and status",
        talker: "HE",
        priority: 8,
        field_counts: &[2],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.bearing("heading_true_deg", "true heading", &mut self.heading);
        w.letter("mode", "A autonomous, E estimated, M manual, S simulator, V not valid", b"AEMSV", &mut self.mode);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        if self.mode != Some(b'V') {
            heard.set(&mut vessel.heading_true_deg, self.heading);
        }
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let heading = vessel.heading_true_deg.bare();
        if heading.is_some() {
            tell.say(Ths { heading, mode: Some(b'A') });
        }
    }
}

/// ROT: rate of turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rot {
    rate: Option<f64>,
    status: Option<u8>,
}

impl Sentence for Rot {
    const ABOUT: About = About {
        id: "ROT",
        formatter: "ROT",
        title: "Rate of turn",
        talker: "TI",
        period_ms: Some(1000),
        priority: 6,
        field_counts: &[2],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.number("rate_deg_min", "degrees a minute, negative: bow to port", 1, &mut self.rate);
        w.letter("status", "A valid", b"AV", &mut self.status);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        if self.status != Some(b'V') {
            heard.set(&mut vessel.rate_of_turn_deg_min, self.rate);
        }
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let rate = vessel.rate_of_turn_deg_min.bare();
        if rate.is_some() {
            tell.say(Rot { rate, status: Some(b'A') });
        }
    }
}

/// HSC: the heading a steering system is told to keep. An order, not where the vessel heads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hsc {
    to_steer: Measure,
    to_steer_magnetic: Measure,
}

const STEER: &[Unit] = &[unit('T', "heading_to_steer_true_deg", 1)];
const STEER_MAGNETIC: &[Unit] = &[unit('M', "heading_to_steer_magnetic_deg", 1)];

impl Sentence for Hsc {
    const ABOUT: About = About {
        id: "HSC",
        formatter: "HSC",
        title: "Heading to steer, a command",
        talker: "AP",
        cadence: Cadence::WhileNavigating,
        field_counts: &[4],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("commanded heading, true", STEER, Form::Bearing, &mut self.to_steer);
        w.measure("commanded heading, magnetic", STEER_MAGNETIC, Form::Bearing, &mut self.to_steer_magnetic);
    }
}

/// HVD: magnetic variation, derived by the device.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hvd {
    variation: Option<f64>,
}

impl Sentence for Hvd {
    const ABOUT: About = About {
        id: "HVD",
        formatter: "HVD",
        title: "Magnetic variation",
        talker: "II",
        field_counts: &[2],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.east_west("variation_deg", "magnetic variation, E positive", &mut self.variation);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.variation_deg, self.variation);
    }
}

//! Heading and turn: HDG, HDT.

use super::wire::{Form, Measure, Unit, Wire, unit};
use super::{About, Hearing, Sentence, Style, Tell, gnss};
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

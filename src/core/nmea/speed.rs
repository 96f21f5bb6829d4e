//! Speed and distance through the water and over ground: VHW.

use super::heading::heading_magnetic;
use super::wire::{Form, Measure, Unit, Wire, unit};
use super::{About, Hearing, Sentence, Style, Tell};
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Vessel};

/// VHW: speed through the water, with the heading.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vhw {
    heading: Measure,
    heading_magnetic: Measure,
    speed: Measure,
    speed_kmh: Measure,
}

const TRUE: &[Unit] = &[unit('T', "heading_true_deg", 1)];
const MAGNETIC: &[Unit] = &[unit('M', "heading_magnetic_deg", 1)];
const KNOTS: &[Unit] = &[unit('N', "water_speed_kn", 1)];
const KMH: &[Unit] = &[unit('K', "water_speed_kmh", 1)];

impl Sentence for Vhw {
    const ABOUT: About = About {
        id: "VHW",
        formatter: "VHW",
        title: "Speed through the water and heading",
        talker: "VW",
        period_ms: Some(1000),
        field_counts: &[8],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("true heading", TRUE, Form::Bearing, &mut self.heading);
        w.measure("magnetic heading", MAGNETIC, Form::Bearing, &mut self.heading_magnetic);
        w.measure("speed through the water", KNOTS, Form::Plain, &mut self.speed);
        w.measure("speed through the water", KMH, Form::Plain, &mut self.speed_kmh);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.heading_true_deg, self.heading.value);
        heard.set(&mut vessel.heading_magnetic_deg, self.heading_magnetic.value);
        heard.set(&mut vessel.stw_kn, self.speed.knots().or(self.speed_kmh.knots()));
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let speed = vessel.stw_kn.bare();
        if speed.is_some() {
            tell.say(Vhw {
                heading: Measure::new(vessel.heading_true_deg.bare(), 'T'),
                heading_magnetic: Measure::new(heading_magnetic(vessel), 'M'),
                speed: Measure::new(speed, 'N'),
                speed_kmh: Measure::new(speed.map(|v| v * 1.852), 'K'),
            });
        }
    }
}

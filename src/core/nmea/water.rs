//! Water and air: MTW.

use super::wire::{Form, Measure, Unit, Wire, unit};
use super::{About, Cadence, Hearing, Sentence, Style, Tell};
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Vessel};

/// MTW: water temperature.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mtw {
    temperature: Measure,
}

const WATER: &[Unit] = &[unit('C', "water_c", 1), unit('F', "water_f", 1)];

impl Sentence for Mtw {
    const ABOUT: About = About {
        id: "MTW",
        formatter: "MTW",
        title: "Water temperature",
        talker: "YX",
        period_ms: Some(1000),
        cadence: Cadence::Slow,
        priority: 4,
        field_counts: &[2],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("water temperature", WATER, Form::Plain, &mut self.temperature);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.water_c, self.temperature.celsius());
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if let Some(water) = vessel.water_c.bare() {
            tell.say(Mtw { temperature: Measure::new(Some(water), 'C') });
        }
    }
}

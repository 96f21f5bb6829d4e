//! Wind: MWV.

use super::wire::{Form, Measure, Unit, Wire, unit};
use super::{About, Hearing, Sentence, Style, Tell};
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Vessel};

/// MWV: wind angle and speed; one row says the apparent (`R`), one the true wind over the water (`T`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Mwv<const REFERENCE: u8> {
    angle: Option<f64>,
    reference: Option<u8>,
    speed: Measure,
    status: Option<u8>,
}

/// Speeds of the wind, by letter.
const SPEED: &[Unit] =
    &[unit('N', "wind_kn", 1), unit('M', "wind_m_s", 1), unit('K', "wind_kmh", 1), unit('S', "wind_mph", 1)];

impl<const REFERENCE: u8> Sentence for Mwv<REFERENCE> {
    const ABOUT: About = About {
        id: if REFERENCE == b'R' { "MWV-R" } else { "MWV-T" },
        formatter: "MWV",
        title: if REFERENCE == b'R' { "Apparent wind" } else { "True wind over the water" },
        talker: "WI",
        period_ms: if REFERENCE == b'R' { Some(1000) } else { None },
        priority: 7,
        sub_key: &[1],
        field_counts: &[5],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.bearing("wind_angle_deg", "angle to the bow, clockwise", &mut self.angle);
        w.letter("reference", "R apparent, T true", b"RT", &mut self.reference);
        w.measure("wind speed", SPEED, Form::Positive, &mut self.speed);
        w.letter("status", "A valid", b"AV", &mut self.status);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        if self.status != Some(b'A') {
            return;
        }
        match self.reference {
            Some(b'R') => {
                heard.set(&mut vessel.wind_apparent_deg, self.angle);
                heard.set(&mut vessel.wind_apparent_kn, self.speed.knots());
            }
            Some(b'T') => {
                heard.set(&mut vessel.wind_true_deg, self.angle);
                heard.set(&mut vessel.wind_true_kn, self.speed.knots());
            }
            _ => {}
        }
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let (angle, speed) = if REFERENCE == b'R' {
            (vessel.wind_apparent_deg.bare(), vessel.wind_apparent_kn.bare())
        } else {
            (vessel.wind_true_deg.bare(), vessel.wind_true_kn.bare())
        };
        if angle.is_some() || speed.is_some() {
            let (reference, status) = (Some(REFERENCE), Some(b'A'));
            tell.say(Mwv { angle, reference, speed: Measure::new(speed, 'N'), status });
        }
    }
}

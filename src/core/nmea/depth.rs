//! Depth: DPT, DBT, DBS; DBK, which is only heard.

use super::wire::{Form, Measure, Unit, Wire, unit};
use super::{About, Hearing, Sentence, Style, Tell};
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Vessel};

/// DPT: depth below the transducer, and where that sits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dpt {
    depth: Option<f64>,
    offset: Option<f64>,
    range: Option<f64>,
}

impl Sentence for Dpt {
    const ABOUT: About = About {
        id: "DPT",
        formatter: "DPT",
        title: "Depth below the transducer, with its offset",
        talker: "SD",
        period_ms: Some(1000),
        priority: 7,
        field_counts: &[2, 3],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.positive("depth_m", "below the transducer", 1, &mut self.depth);
        w.number("offset_m", "transducer to water line, negative: to the keel", 1, &mut self.offset);
        if w.more(true) {
            w.positive("range_m", "range scale of the sounder", 1, &mut self.range);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.depth_m, self.depth);
        heard.set(&mut vessel.depth_offset_m, self.offset);
        heard.set(&mut vessel.depth_range_m, self.range);
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let depth = vessel.depth_m.bare();
        if depth.is_some() {
            tell.say(Dpt { depth, offset: vessel.depth_offset_m.bare(), range: vessel.depth_range_m.bare() });
        }
    }
}

/// The three units of a depth, whichever field they stand in.
const FEET_FIRST: &[Unit] = &[unit('f', "depth_ft", 1), unit('M', "depth_m", 1), unit('F', "depth_fathoms", 1)];
const METRES_FIRST: &[Unit] = &[unit('M', "depth_m", 1), unit('f', "depth_ft", 1), unit('F', "depth_fathoms", 1)];
const FATHOMS_FIRST: &[Unit] = &[unit('F', "depth_fathoms", 1), unit('M', "depth_m", 1), unit('f', "depth_ft", 1)];

/// The fields that DBT, DBS and DBK share.
#[derive(Clone, Copy, Debug, Default)]
struct Depths {
    feet: Measure,
    metres: Measure,
    fathoms: Measure,
}

impl Depths {
    fn of(metres: f64) -> Depths {
        Depths {
            feet: Measure::new(Some(metres / 0.3048), 'f'),
            metres: Measure::new(Some(metres), 'M'),
            fathoms: Measure::new(Some(metres / 1.8288), 'F'),
        }
    }

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W, what: &'static str) {
        w.measure(what, FEET_FIRST, Form::Positive, &mut self.feet);
        w.measure(what, METRES_FIRST, Form::Positive, &mut self.metres);
        w.measure(what, FATHOMS_FIRST, Form::Positive, &mut self.fathoms);
    }

    /// Metres, else what the other units give.
    fn metres(&self) -> Option<f64> {
        let all = [self.metres, self.feet, self.fathoms];
        all.iter().find_map(|m| m.only('M')).or_else(|| all.iter().find_map(Measure::metres))
    }
}

/// DBT: depth below the transducer in three units.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dbt(Depths);

impl Sentence for Dbt {
    const ABOUT: About = About {
        id: "DBT",
        formatter: "DBT",
        title: "Depth below the transducer",
        talker: "SD",
        period_ms: Some(1000),
        field_counts: &[6],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        self.0.fields(w, "depth below the transducer");
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.depth_m, self.0.metres());
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if let Some(depth) = vessel.depth_m.bare() {
            tell.say(Dbt(Depths::of(depth)));
        }
    }
}

/// DBS: depth below the surface in three units.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dbs(Depths);

impl Sentence for Dbs {
    const ABOUT: About = About {
        id: "DBS",
        formatter: "DBS",
        title: "Depth below the surface",
        talker: "SD",
        field_counts: &[6],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        self.0.fields(w, "depth below the surface");
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.depth_surface_m, self.0.metres());
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        // An offset to the keel says nothing about the water line.
        let offset = vessel.depth_offset_m.bare().filter(|o| *o >= 0.0);
        let below = vessel.depth_m.bare().zip(offset).map(|(depth, offset)| depth + offset);
        if let Some(depth) = below.or(vessel.depth_surface_m.bare()) {
            tell.say(Dbs(Depths::of(depth)));
        }
    }
}

/// DBK: depth below the keel in three units.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dbk(Depths);

impl Sentence for Dbk {
    const ABOUT: About = About {
        id: "DBK",
        formatter: "DBK",
        title: "Depth below the keel",
        talker: "SD",
        field_counts: &[6],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        self.0.fields(w, "depth below the keel");
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.depth_keel_m, self.0.metres());
    }
}

//! Speed and distance through the water and over ground: VHW, VBW, VLW, VDR.

use super::heading::heading_magnetic;
use super::wire::{Form, Measure, Unit, Wire, unit};
use super::{About, Cadence, Hearing, Sentence, Style, Tell, Version, gnss};
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

/// VBW: speeds in the ship's axes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vbw {
    water: Option<f64>,
    water_transverse: Option<f64>,
    water_status: Option<u8>,
    ground: Option<f64>,
    ground_transverse: Option<f64>,
    ground_status: Option<u8>,
    stern: bool,
    stern_water: Option<f64>,
    stern_water_status: Option<u8>,
    stern_ground: Option<f64>,
    stern_ground_status: Option<u8>,
}

impl Sentence for Vbw {
    const ABOUT: About = About {
        id: "VBW",
        formatter: "VBW",
        title: "Water and ground speed in the ship's axes",
        talker: "VW",
        field_counts: &[6, 8, 10],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.number("water_speed_kn", "through the water, ahead", 1, &mut self.water);
        w.number("water_transverse_kn", "through the water, to starboard", 1, &mut self.water_transverse);
        w.letter("water_status", "A valid", b"AV", &mut self.water_status);
        w.number("ground_speed_kn", "over ground, ahead", 1, &mut self.ground);
        w.number("ground_transverse_kn", "over ground, to starboard", 1, &mut self.ground_transverse);
        w.letter("ground_status", "A valid", b"AV", &mut self.ground_status);
        self.stern = w.more(self.stern);
        if self.stern {
            w.number("stern_water_transverse_kn", "stern through the water, to starboard", 1, &mut self.stern_water);
            w.letter("stern_water_status", "A valid", b"AV", &mut self.stern_water_status);
            if w.more(true) {
                w.number("stern_ground_transverse_kn", "stern over ground, to starboard", 1, &mut self.stern_ground);
                w.letter("stern_ground_status", "A valid", b"AV", &mut self.stern_ground_status);
            }
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        if self.water_status == Some(b'A') {
            heard.set(&mut vessel.stw_kn, self.water);
            heard.set(&mut vessel.stw_transverse_kn, self.water_transverse);
        }
        if self.ground_status == Some(b'A') {
            heard.set(&mut vessel.sog_ahead_kn, self.ground);
            heard.set(&mut vessel.sog_transverse_kn, self.ground_transverse);
        }
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let here = gnss::fix(vessel);
        let water = vessel.stw_kn.bare();
        let ground = here.and(vessel.sog_ahead_kn.bare());
        if water.is_none() && vessel.sog_ahead_kn.is_none() {
            return;
        }
        let status = |value: Option<f64>| Some(if value.is_some() { b'A' } else { b'V' });
        tell.say(Vbw {
            water,
            water_transverse: water.and(vessel.stw_transverse_kn.bare()),
            water_status: status(water),
            ground,
            ground_transverse: ground.and(vessel.sog_transverse_kn.bare()),
            ground_status: status(ground),
            stern: true,
            stern_water: None,
            stern_water_status: Some(b'V'),
            stern_ground: None,
            stern_ground_status: Some(b'V'),
        });
    }
}

/// VLW: distances.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vlw {
    water_total: Measure,
    water_trip: Measure,
    ground: bool,
    ground_total: Measure,
    ground_trip: Measure,
}

const WATER_TOTAL: &[Unit] = &[unit('N', "water_total_nm", 1)];
const WATER_TRIP: &[Unit] = &[unit('N', "water_trip_nm", 1)];
const GROUND_TOTAL: &[Unit] = &[unit('N', "ground_total_nm", 1)];
const GROUND_TRIP: &[Unit] = &[unit('N', "ground_trip_nm", 1)];

impl Sentence for Vlw {
    const ABOUT: About = About {
        id: "VLW",
        formatter: "VLW",
        title: "Distance travelled",
        talker: "VW",
        cadence: Cadence::Slow,
        priority: 3,
        field_counts: &[4, 8],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("through the water, since new", WATER_TOTAL, Form::Positive, &mut self.water_total);
        w.measure("through the water, since reset", WATER_TRIP, Form::Positive, &mut self.water_trip);
        self.ground = w.more(self.ground);
        if self.ground {
            w.measure("over ground, since new", GROUND_TOTAL, Form::Positive, &mut self.ground_total);
            w.measure("over ground, since reset", GROUND_TRIP, Form::Positive, &mut self.ground_trip);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.log_nm, self.water_total.value);
        heard.set(&mut vessel.trip_nm, self.water_trip.value);
        heard.set(&mut vessel.ground_log_nm, self.ground_total.value);
        heard.set(&mut vessel.ground_trip_nm, self.ground_trip.value);
    }

    fn say(vessel: &Vessel, _: Moment, style: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let (log, trip) = (vessel.log_nm.bare(), vessel.trip_nm.bare());
        let (ground_log, ground_trip) = (vessel.ground_log_nm.bare(), vessel.ground_trip_nm.bare());
        if [log, trip, ground_log, ground_trip].iter().any(Option::is_some) {
            tell.say(Vlw {
                water_total: Measure::new(log, 'N'),
                water_trip: Measure::new(trip, 'N'),
                // The distances over ground came with version 3.
                ground: style.version == Version::V410,
                ground_total: Measure::new(ground_log, 'N'),
                ground_trip: Measure::new(ground_trip, 'N'),
            });
        }
    }
}

/// VDR: set and drift of the current.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vdr {
    set: Measure,
    set_magnetic: Measure,
    drift: Measure,
}

const SET: &[Unit] = &[unit('T', "set_true_deg", 1)];
const SET_MAGNETIC: &[Unit] = &[unit('M', "set_magnetic_deg", 1)];
const DRIFT: &[Unit] = &[unit('N', "drift_kn", 1)];

impl Sentence for Vdr {
    const ABOUT: About = About {
        id: "VDR",
        formatter: "VDR",
        title: "Set and drift of the current",
        talker: "VW",
        cadence: Cadence::Slow,
        priority: 4,
        field_counts: &[6],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("direction the current flows to, true", SET, Form::Bearing, &mut self.set);
        w.measure("direction the current flows to, magnetic", SET_MAGNETIC, Form::Bearing, &mut self.set_magnetic);
        w.measure("speed of the current", DRIFT, Form::Positive, &mut self.drift);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.set_true_deg, self.set.value);
        heard.set(&mut vessel.drift_kn, self.drift.value);
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let (set, drift) = (vessel.set_true_deg.bare(), vessel.drift_kn.bare());
        if set.is_some() || drift.is_some() {
            tell.say(Vdr {
                set: Measure::new(set, 'T'),
                set_magnetic: Measure::new(gnss::magnetic(vessel, set), 'M'),
                drift: Measure::new(drift, 'N'),
            });
        }
    }
}

//! Wind: MWV, MWD, VWR, VWT; VPW, which is only heard.

use super::wire::{Form, Measure, Unit, Wire, unit};
use super::{About, Cadence, Hearing, Sentence, Style, Tell, gnss};
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

/// Direction and speed of the wind over the ground: MWD, and the end of MDA.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroundWind {
    direction: Measure,
    direction_magnetic: Measure,
    speed: Measure,
    speed_m_s: Measure,
}

const DIRECTION: &[Unit] = &[unit('T', "wind_true_deg", 1)];
const DIRECTION_MAGNETIC: &[Unit] = &[unit('M', "wind_magnetic_deg", 1)];
const KNOTS: &[Unit] = &[unit('N', "wind_kn", 1)];
const METRES_A_SECOND: &[Unit] = &[unit('M', "wind_m_s", 1)];
const KMH: &[Unit] = &[unit('K', "wind_kmh", 1)];

impl GroundWind {
    /// What the vessel knows; `None` if that is nothing.
    pub(super) fn of(vessel: &Vessel) -> Option<GroundWind> {
        let (direction, speed) = (vessel.wind_direction_true_deg.bare(), vessel.wind_ground_kn.bare());
        (direction.is_some() || speed.is_some()).then(|| GroundWind::with(vessel, direction, speed))
    }

    /// Four empty fields with their letters.
    pub(super) fn unknown(vessel: &Vessel) -> GroundWind {
        GroundWind::with(vessel, None, None)
    }

    fn with(vessel: &Vessel, direction: Option<f64>, speed: Option<f64>) -> GroundWind {
        let magnetic = gnss::magnetic(vessel, direction).or(vessel.wind_direction_magnetic_deg.bare());
        GroundWind {
            direction: Measure::new(direction, 'T'),
            direction_magnetic: Measure::new(magnetic, 'M'),
            speed: Measure::new(speed, 'N'),
            speed_m_s: Measure::new(speed.map(|v| v * 1852.0 / 3600.0), 'M'),
        }
    }

    pub(super) fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("direction it blows from, true", DIRECTION, Form::Bearing, &mut self.direction);
        w.measure("direction it blows from, magnetic", DIRECTION_MAGNETIC, Form::Bearing, &mut self.direction_magnetic);
        w.measure("speed of the wind over the ground", KNOTS, Form::Positive, &mut self.speed);
        w.measure("speed of the wind over the ground", METRES_A_SECOND, Form::Positive, &mut self.speed_m_s);
    }

    pub(super) fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.wind_direction_true_deg, self.direction.value);
        heard.set(&mut vessel.wind_direction_magnetic_deg, self.direction_magnetic.value);
        heard.set(&mut vessel.wind_ground_kn, self.speed.knots().or(self.speed_m_s.knots()));
    }
}

/// MWD: direction and speed of the wind over the ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mwd(GroundWind);

impl Sentence for Mwd {
    const ABOUT: About = About {
        id: "MWD",
        formatter: "MWD",
        title: "Wind over the ground, direction and speed",
        talker: "WI",
        cadence: Cadence::Slow,
        field_counts: &[8],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        self.0.fields(w);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        self.0.apply(heard, vessel);
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if let Some(wind) = GroundWind::of(vessel) {
            tell.say(Mwd(wind));
        }
    }
}

/// VWR and VWT: relative (`R`) and true (`T`) wind, angle to one side of the bow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sided<const REFERENCE: u8> {
    angle: Option<f64>,
    side: Option<u8>,
    speed: Measure,
    speed_m_s: Measure,
    speed_kmh: Measure,
}

impl<const REFERENCE: u8> Sentence for Sided<REFERENCE> {
    const ABOUT: About = About {
        id: if REFERENCE == b'R' { "VWR" } else { "VWT" },
        formatter: if REFERENCE == b'R' { "VWR" } else { "VWT" },
        title: if REFERENCE == b'R' {
            "Apparent wind, by the side of the bow"
        } else {
            "True wind over the water, by the side of the bow"
        },
        talker: "WI",
        field_counts: &[8],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.angle("wind_angle_deg", "angle to the bow, 0 to 180", Form::HalfCircle, &mut self.angle);
        w.letter("side", "of the bow, L or R", b"LR", &mut self.side);
        w.measure("wind speed", KNOTS, Form::Positive, &mut self.speed);
        w.measure("wind speed", METRES_A_SECOND, Form::Positive, &mut self.speed_m_s);
        w.measure("wind speed", KMH, Form::Positive, &mut self.speed_kmh);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        let angle = self.angle.zip(self.side).map(|(a, side)| if side == b'L' { (360.0 - a) % 360.0 } else { a });
        let speed = self.speed.knots().or(self.speed_m_s.knots()).or(self.speed_kmh.knots());
        if REFERENCE == b'R' {
            heard.set(&mut vessel.wind_apparent_deg, angle);
            heard.set(&mut vessel.wind_apparent_kn, speed);
        } else {
            heard.set(&mut vessel.wind_true_deg, angle);
            heard.set(&mut vessel.wind_true_kn, speed);
        }
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let (angle, speed) = if REFERENCE == b'R' {
            (vessel.wind_apparent_deg.bare(), vessel.wind_apparent_kn.bare())
        } else {
            (vessel.wind_true_deg.bare(), vessel.wind_true_kn.bare())
        };
        if angle.is_none() && speed.is_none() {
            return;
        }
        let angle = angle.map(|a| a.rem_euclid(360.0));
        tell.say(Sided {
            angle: angle.map(|a| if a > 180.0 { 360.0 - a } else { a }),
            side: angle.map(|a| if a > 180.0 { b'L' } else { b'R' }),
            speed: Measure::new(speed, 'N'),
            speed_m_s: Measure::new(speed.map(|v| v * 1852.0 / 3600.0), 'M'),
            speed_kmh: Measure::new(speed.map(|v| v * 1.852), 'K'),
        });
    }
}

/// VPW: speed measured parallel to the wind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vpw {
    speed: Measure,
    speed_m_s: Measure,
}

const PARALLEL: &[Unit] = &[unit('N', "parallel_speed_kn", 1)];
const PARALLEL_M_S: &[Unit] = &[unit('M', "parallel_speed_m_s", 1)];

impl Sentence for Vpw {
    const ABOUT: About = About {
        id: "VPW",
        formatter: "VPW",
        title: "Speed parallel to the wind",
        talker: "II",
        field_counts: &[4],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("speed parallel to the wind, negative downwind", PARALLEL, Form::Plain, &mut self.speed);
        w.measure("speed parallel to the wind, negative downwind", PARALLEL_M_S, Form::Plain, &mut self.speed_m_s);
    }
}

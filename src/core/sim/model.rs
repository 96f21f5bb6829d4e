//! The vessel in steps of 50 ms: walks, heading, motion over water and ground.
//!
//! Each quantity draws once a step from a stream of its own, also while it is pinned, so that a pin shifts no other. Must
//! not know sentences; must depend on nothing but its settings and the number of steps.

use super::STEP_S;
use super::helm::Helm;
use super::rng::Stream;
use super::walk::Walk;
use crate::core::profile::Settings;
use crate::core::profile::schema::{SteeringMode, Walk as Limits};
use crate::core::vessel::Position;
use crate::core::vessel::geodesy::{displaced, inverse, off_track};
use crate::core::vessel::units::{DEG_RAD, KN_M_S, turn, wrap_360};
use crate::core::vessel::wind::Velocity;

/// How far ahead on the track an autopilot looks, metres.
const LOOK_AHEAD_M: f64 = 250.0;
/// The autopilot of a leg looks at the chart once a second.
const STEPS_A_LOOK: u64 = 20;

/// Quantities with a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Heading, true.
    Heading,
    /// Speed through the water.
    Speed,
    /// Depth below the transducer.
    Depth,
    /// Sea temperature.
    Water,
    /// Direction of the wind over the ground.
    WindDirection,
    /// Speed of the wind over the ground.
    WindSpeed,
}

impl Quantity {
    /// All of them, in the order of their numbers.
    pub const ALL: [Quantity; 6] = [
        Quantity::Heading,
        Quantity::Speed,
        Quantity::Depth,
        Quantity::Water,
        Quantity::WindDirection,
        Quantity::WindSpeed,
    ];

    /// Its key in a profile.
    pub fn key(self) -> &'static str {
        match self {
            Quantity::Heading => "vessel.heading",
            Quantity::Speed => "vessel.speed",
            Quantity::Depth => "environment.depth",
            Quantity::Water => "environment.water_temperature",
            Quantity::WindDirection => "environment.wind_direction",
            Quantity::WindSpeed => "environment.wind_speed",
        }
    }

    /// The quantity of a key.
    pub fn of_key(key: &str) -> Option<Quantity> {
        Quantity::ALL.into_iter().find(|q| q.key() == key)
    }

    fn is_direction(self) -> bool {
        matches!(self, Quantity::Heading | Quantity::WindDirection)
    }

    /// The value round which it walks.
    pub fn seed(self, s: &Settings) -> f64 {
        match self {
            Quantity::Heading => s.vessel.heading,
            Quantity::Speed => s.vessel.speed,
            Quantity::Depth => s.environment.depth,
            Quantity::Water => s.environment.water_temperature,
            Quantity::WindDirection => s.environment.wind_direction,
            Quantity::WindSpeed => s.environment.wind_speed,
        }
    }

    fn limits(self, s: &Settings) -> Limits {
        match self {
            Quantity::Heading => s.drift.heading,
            Quantity::Speed => s.drift.speed,
            Quantity::Depth => s.drift.depth,
            Quantity::Water => s.drift.water_temperature,
            Quantity::WindDirection => s.drift.wind_direction,
            Quantity::WindSpeed => s.drift.wind_speed,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Drifting {
    draws: Stream,
    walk: Walk,
    value: f64,
    pinned: bool,
}

/// Where a leg begins and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Where it begins.
    pub from: Position,
    /// The destination.
    pub to: Position,
}

/// How a track moves the vessel in place of steering and speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Towed {
    /// Where it is.
    pub position: Position,
    /// Course over ground, degrees true.
    pub course_deg: f64,
    /// Speed over ground, knots.
    pub speed_kn: f64,
    /// Heading, degrees true.
    pub heading_deg: f64,
    /// Rate of turn, degrees a second, starboard positive.
    pub rate_deg_s: f64,
    /// Metres above mean sea level, where the track has it.
    pub altitude_m: Option<f64>,
}

/// The state of the model after a number of steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Steps since the start.
    pub step: u64,
    quantities: [Drifting; 6],
    /// Where she is.
    pub position: Position,
    /// Rudder and rate of turn.
    pub helm: Helm,
    /// Through the water.
    pub through_water: Velocity,
    /// Over the ground.
    pub over_ground: Velocity,
    /// Distances since the start: through the water and over the ground, nautical miles.
    pub sailed_nm: (f64, f64),
    /// The leg under way.
    pub leg: Option<Leg>,
    /// Metres above mean sea level, when a track says so.
    pub altitude_m: Option<f64>,
    /// The heading that the autopilot was switched on at, and that it follows on a leg.
    hold: f64,
    wanted: f64,
    steered: SteeringMode,
}

impl Model {
    /// As the profile starts.
    pub fn new(s: &Settings) -> Model {
        let quantities = Quantity::ALL.map(|q| Drifting {
            draws: Stream::new(s.simulation.seed, q.key()),
            walk: Walk::default(),
            value: q.seed(s),
            pinned: false,
        });
        let position = Position { latitude: s.vessel.latitude, longitude: s.vessel.longitude };
        let mut model = Model {
            step: 0,
            quantities,
            position,
            helm: Helm::default(),
            through_water: Velocity::default(),
            over_ground: Velocity::default(),
            sailed_nm: (0.0, 0.0),
            leg: None,
            altitude_m: None,
            hold: s.vessel.heading,
            wanted: s.vessel.heading,
            steered: s.steering.mode,
        };
        model.lay_leg(s);
        model.velocities(s);
        model
    }

    /// The value of a quantity now.
    pub fn value(&self, q: Quantity) -> f64 {
        self.quantities[q as usize].value
    }

    /// Whether a quantity is held.
    pub fn pinned(&self, q: Quantity) -> bool {
        self.quantities[q as usize].pinned
    }

    /// Holds a quantity at its seed, which has just been set.
    pub fn pin(&mut self, q: Quantity, s: &Settings) {
        let d = &mut self.quantities[q as usize];
        d.pinned = true;
        d.walk = Walk::default();
        d.value = q.seed(s);
        if q == Quantity::Heading {
            self.helm = Helm::default();
            self.hold = s.vessel.heading;
            self.wanted = s.vessel.heading;
        }
    }

    /// Lets it drift back into the band round its seed, which is again that of the profile.
    pub fn release(&mut self, q: Quantity, s: &Settings) {
        let d = &mut self.quantities[q as usize];
        let seed = q.seed(s);
        let deviation = if q.is_direction() { turn(seed, d.value) } else { d.value - seed };
        d.walk = Walk::at(deviation);
        d.pinned = false;
    }

    /// The steering has been changed: a pinned heading is let go, and an autopilot takes over the heading that is.
    pub fn steer(&mut self, s: &Settings) {
        let heading = self.value(Quantity::Heading);
        self.quantities[Quantity::Heading as usize].pinned = false;
        if s.steering.mode == SteeringMode::Walk {
            self.release(Quantity::Heading, s);
        } else if s.steering.mode != self.steered {
            self.hold = heading;
            self.wanted = heading;
        }
        self.steered = s.steering.mode;
    }

    /// Takes the destination of the profile: the leg begins at the origin given there, else here.
    pub fn lay_leg(&mut self, s: &Settings) {
        let d = &s.destination;
        let at = |latitude: Option<f64>, longitude: Option<f64>| {
            latitude.zip(longitude).map(|(latitude, longitude)| Position { latitude, longitude })
        };
        let to = at(d.latitude, d.longitude).filter(|_| d.active);
        let from = at(d.origin_latitude, d.origin_longitude).unwrap_or(self.position);
        self.leg = to.map(|to| Leg { from, to });
    }

    /// One step.
    pub fn step(&mut self, s: &Settings, towed: Option<Towed>) {
        self.step += 1;
        let before = self.quantities[Quantity::Heading as usize].walk.deviation();
        for (q, d) in Quantity::ALL.into_iter().zip(&mut self.quantities) {
            let draw = d.draws.signed();
            if d.pinned || (q == Quantity::Heading && s.steering.mode != SteeringMode::Walk) {
                continue;
            }
            d.walk.step(draw, q.limits(s));
            let value = q.seed(s) + d.walk.deviation();
            d.value = match q {
                _ if q.is_direction() => wrap_360(value),
                Quantity::Water => value,
                _ => value.max(0.0),
            };
        }
        match towed {
            Some(towed) => self.tow(s, towed),
            None => {
                self.head(s, before);
                self.velocities(s);
                let m = KN_M_S * STEP_S;
                self.position = displaced(self.position, self.over_ground.north * m, self.over_ground.east * m);
            }
        }
        let hours = STEP_S / 3600.0;
        self.sailed_nm.0 += self.through_water.speed() * hours;
        self.sailed_nm.1 += self.over_ground.speed() * hours;
    }

    fn head(&mut self, s: &Settings, before: f64) {
        let (heading, speed) = (self.value(Quantity::Heading), self.value(Quantity::Speed));
        let heading = match s.steering.mode {
            _ if self.pinned(Quantity::Heading) => {
                self.helm.follow(0.0, speed, &s.steering);
                heading
            }
            SteeringMode::Walk => {
                let after = self.quantities[Quantity::Heading as usize].walk.deviation();
                self.helm.follow((after - before) / STEP_S, speed, &s.steering);
                heading
            }
            SteeringMode::Rudder => self.helm.by_rudder(heading, speed, &s.steering),
            SteeringMode::Heading => {
                let wanted = s.steering.heading.unwrap_or(self.hold);
                self.helm.by_autopilot(heading, wanted, speed, &s.steering)
            }
            SteeringMode::Leg => {
                if self.step % STEPS_A_LOOK == 1 {
                    self.wanted = self.leg_heading(s).unwrap_or(self.hold);
                }
                self.helm.by_autopilot(heading, self.wanted, speed, &s.steering)
            }
        };
        self.quantities[Quantity::Heading as usize].value = heading;
    }

    /// The heading that brings her along the leg, with current and leeway allowed for.
    fn leg_heading(&self, s: &Settings) -> Option<f64> {
        let leg = self.leg?;
        let course = match off_track(leg.from, leg.to, self.position) {
            Some(off) => off.course_deg - libm::atan2(off.cross_m, LOOK_AHEAD_M) / DEG_RAD,
            None => inverse(self.position, leg.to).bearing_deg,
        };
        let current = Velocity::toward(s.environment.current_set, s.environment.current_drift);
        let (_, across) = current.in_ships_axes(course);
        let speed = self.value(Quantity::Speed);
        let lead = if speed > across.abs() { -libm::asin(across / speed) / DEG_RAD } else { 0.0 };
        Some(wrap_360(course + lead - s.vessel.leeway))
    }

    fn velocities(&mut self, s: &Settings) {
        let (heading, speed) = (self.value(Quantity::Heading), self.value(Quantity::Speed));
        self.through_water = Velocity::toward(heading + s.vessel.leeway, speed);
        let current = Velocity::toward(s.environment.current_set, s.environment.current_drift);
        self.over_ground = self.through_water + current;
    }

    /// Stands where a track begins.
    pub fn place(&mut self, s: &Settings, towed: Towed) {
        self.tow(s, towed);
        self.lay_leg(s);
    }

    /// A track gives heading and motion over the ground; what moves her through the water follows from the current.
    fn tow(&mut self, s: &Settings, towed: Towed) {
        self.position = towed.position;
        self.altitude_m = towed.altitude_m;
        self.over_ground = Velocity::toward(towed.course_deg, towed.speed_kn);
        let current = Velocity::toward(s.environment.current_set, s.environment.current_drift);
        self.through_water = self.over_ground - current;
        let speed = self.through_water.speed();
        self.helm.follow(towed.rate_deg_s, speed, &s.steering);
        for (q, value) in [(Quantity::Heading, towed.heading_deg), (Quantity::Speed, speed)] {
            let d = &mut self.quantities[q as usize];
            if !d.pinned {
                d.value = value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::profile::Profile;
    use crate::core::vessel::geodesy::distance_m;

    fn profile(keys: &[(&str, &str)]) -> Profile {
        let mut p = Profile::built_in();
        for (key, value) in keys {
            p.set(key, value).unwrap_or_else(|e| panic!("{e}"));
        }
        p
    }

    fn sail(p: &Profile, seconds: u64) -> Model {
        let mut m = Model::new(p);
        (0..seconds * 20).for_each(|_| m.step(p, None));
        m
    }

    const STILL: [(&str, &str); 6] = [
        ("drift.heading.amplitude", "0"),
        ("drift.speed.amplitude", "0"),
        ("drift.depth.amplitude", "0"),
        ("drift.water_temperature.amplitude", "0"),
        ("drift.wind_direction.amplitude", "0"),
        ("drift.wind_speed.amplitude", "0"),
    ];

    #[test]
    fn an_hour_on_one_heading_is_an_hour_on_the_ellipsoid() {
        // Due south 10 kn for an hour along the meridian from 38 N: 10 nm are 18520 m. GeographicLib's arc of the meridian
        // from 38 N over 18520 m ends at 37.833145... (Direct 38 0 180 18520): 0.166855 degrees at 110 995 m a degree.
        let p = profile(
            &[
                &STILL[..],
                &[
                    ("vessel.latitude", "38"),
                    ("vessel.longitude", "24"),
                    ("vessel.heading", "180"),
                    ("vessel.speed", "10"),
                ],
            ]
            .concat(),
        );
        let m = sail(&p, 3600);
        let start = Position { latitude: 38.0, longitude: 24.0 };
        assert!((distance_m(start, m.position) - 18_520.0).abs() < 0.05);
        assert!((m.position.longitude - 24.0).abs() < 1e-9);
        assert!((m.sailed_nm.0 - 10.0).abs() < 1e-6);
    }

    #[test]
    fn current_and_leeway_move_her_over_the_ground() {
        // North at 6 kn, current to the east 2 kn: course atan2(2, 6) = 18.435, speed sqrt 40 = 6.3246.
        let p = profile(
            &[
                &STILL[..],
                &[
                    ("vessel.heading", "0"),
                    ("vessel.speed", "6"),
                    ("environment.current_set", "90"),
                    ("environment.current_drift", "2"),
                ],
            ]
            .concat(),
        );
        let m = sail(&p, 60);
        assert!(
            (m.over_ground.course_deg() - 18.434_949).abs() < 1e-5 && (m.over_ground.speed() - 6.324_555).abs() < 1e-5
        );
        let p = profile(&[&STILL[..], &[("vessel.heading", "350"), ("vessel.leeway", "15")]].concat());
        let m = sail(&p, 1);
        assert!((m.over_ground.course_deg() - 5.0).abs() < 1e-9);
    }

    #[test]
    fn the_poles_and_the_date_line_are_crossed() {
        let p = profile(
            &[
                &STILL[..],
                &[
                    ("vessel.latitude", "89.99"),
                    ("vessel.longitude", "20"),
                    ("vessel.heading", "0"),
                    ("vessel.speed", "60"),
                ],
            ]
            .concat(),
        );
        // 0.01 degree is 0.6 nm: at 60 kn, a nautical mile a minute, 36 s to the pole.
        let mut m = Model::new(&p);
        for _ in 0..20 * 120 {
            m.step(&p, None);
            assert!(m.position.latitude.abs() <= 90.0 && m.position.longitude.abs() <= 180.0, "{:?}", m.position);
        }
        let p = profile(
            &[
                &STILL[..],
                &[
                    ("vessel.latitude", "0"),
                    ("vessel.longitude", "179.99"),
                    ("vessel.heading", "90"),
                    ("vessel.speed", "60"),
                ],
            ]
            .concat(),
        );
        let m = sail(&p, 120);
        // 120 s at 60 kn are 3704 m; the equator has 111319.49 m a degree: 179.99 + 0.033274 - 360.
        assert!((m.position.longitude + 179.976_726).abs() < 1e-5, "{:?}", m.position);
    }

    #[test]
    fn a_pin_holds_shifts_no_other_quantity_and_drifts_back() {
        let free = profile(&[]);
        let mut pinned = free.clone();
        pinned.set("environment.depth", "3").unwrap();
        let (mut a, mut b) = (Model::new(&free), Model::new(&free));
        b.pin(Quantity::Depth, &pinned);
        for _ in 0..2000 {
            a.step(&free, None);
            b.step(&pinned, None);
            assert_eq!(b.value(Quantity::Depth), 3.0);
            for q in Quantity::ALL.into_iter().filter(|q| *q != Quantity::Depth) {
                assert_eq!(a.value(q), b.value(q), "{q:?}");
            }
            assert_eq!(a.position, b.position);
        }
        b.release(Quantity::Depth, &free);
        b.step(&free, None);
        assert!((b.value(Quantity::Depth) - 3.0).abs() < 0.02, "{}", b.value(Quantity::Depth));
        // 9.4 m back at 0.2 m/s are 40 s to the band, and the smoothing.
        for _ in 0..20 * 80 {
            b.step(&free, None);
        }
        assert!((b.value(Quantity::Depth) - 12.4).abs() <= 1.5);
    }

    #[test]
    fn the_autopilot_sails_the_leg_through_a_current() {
        // 2 nm north of Piraeus' anchorage, started 300 m beside the line, with 1.5 kn across.
        let p = profile(
            &[
                &STILL[..],
                &[
                    ("steering.mode", "leg"),
                    ("vessel.heading", "90"),
                    ("vessel.latitude", "37.88"),
                    ("vessel.longitude", "23.6234"),
                    ("destination.origin_latitude", "37.88"),
                    ("destination.origin_longitude", "23.62"),
                    ("destination.latitude", "37.93"),
                    ("destination.longitude", "23.62"),
                    ("environment.current_set", "90"),
                    ("environment.current_drift", "1.5"),
                    ("vessel.leeway", "3"),
                ],
            ]
            .concat(),
        );
        let m = sail(&p, 1200);
        let leg = m.leg.unwrap();
        let off = off_track(leg.from, leg.to, m.position).unwrap();
        assert!(off.cross_m.abs() < 5.0, "{off:?}");
        assert!(off.along_m > 3000.0, "{off:?}");
    }

    #[test]
    fn an_autopilot_takes_over_the_heading_that_is() {
        let mut p = profile(&STILL);
        let mut m = sail(&p, 10);
        p.set("steering.mode", "heading").unwrap();
        m.steer(&p);
        (0..400).for_each(|_| m.step(&p, None));
        assert!((m.value(Quantity::Heading) - 225.0).abs() < 1e-9);
        p.set("steering.heading", "90").unwrap();
        m.steer(&p);
        (0..20 * 120).for_each(|_| m.step(&p, None));
        assert!((m.value(Quantity::Heading) - 90.0).abs() < 0.1, "{}", m.value(Quantity::Heading));
    }
}

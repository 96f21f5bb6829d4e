//! What the instruments of the simulated vessel show: the model's state as a [`Vessel`].
//!
//! Fills every value that a sentence may say. Must not move anything.

use super::model::{Model, Quantity};
use super::sky;
use crate::core::frame::Origin;
use crate::core::profile::Settings;
use crate::core::profile::schema::Side;
use crate::core::time::{DAY, Offset, Utc};
use crate::core::vessel::geodesy::{inverse, off_track};
use crate::core::vessel::magnetism::Cache;
use crate::core::vessel::units::{NM_M, sin_cos_deg, turn, wrap_360};
use crate::core::vessel::wind::{Velocity, winds};
use crate::core::vessel::{Engine, Fix, Known, Label, Own, Position, System, Transducer, Value, Vessel};

/// What a receiver with several systems sees when the profile names only one.
const SEVERAL: [System; 4] = [System::Gps, System::Glonass, System::Galileo, System::Beidou];

/// What is kept between two looks at the instruments, because it seldom changes.
#[derive(Clone, Debug, Default)]
pub struct Instruments {
    magnetism: Cache,
    /// The sky was looked at for this offset.
    sky: Option<Offset>,
    /// The date lies outside the years of the magnetic model.
    pub beyond_model: bool,
}

impl Instruments {
    /// The profile has changed: look at everything anew.
    pub fn forget(&mut self) {
        self.sky = None;
    }

    /// Fills the vessel as the model stands, at a moment. The route costs a little and is worked out on demand.
    pub fn show(&mut self, m: &Model, s: &Settings, at: Offset, utc: Utc, with_route: bool, v: &mut Vessel) {
        let of = |value: f64, origin| Some(Known { value, at, origin });
        let known = |value: f64| of(value, Origin::Source);
        let maybe = |value: Option<f64>| value.and_then(known);
        let drifting = |q: Quantity| {
            let origin = if m.pinned(q) { Origin::Pinned } else { Origin::Source };
            of(m.value(q), origin)
        };

        v.utc = just(utc, at);
        v.time_of_day = just(utc.rem_euclid(DAY), at);
        let heading = m.value(Quantity::Heading);
        v.heading_true_deg = drifting(Quantity::Heading);
        v.rate_of_turn_deg_min = known(m.helm.rate_deg_s * 60.0);
        v.rudder_deg = known(m.helm.rudder_deg);

        let variation = match s.environment.variation {
            Some(fixed) => Some(fixed),
            None => {
                let found = self.magnetism.variation(m.position, utc);
                self.beyond_model = found.is_some_and(|v| v.clamped);
                found.map(|v| v.degrees)
            }
        };
        let magnetic = |true_deg: f64| variation.map(|v| wrap_360(true_deg - v));
        v.variation_deg = maybe(variation);
        v.heading_magnetic_deg = maybe(magnetic(heading));
        let deviation = match (s.environment.deviation_table, magnetic(heading)) {
            (Some(table), Some(magnetic)) => Some(from_table(&table, magnetic)),
            _ => s.environment.deviation,
        };
        v.deviation_deg = maybe(deviation);
        v.heading_compass_deg = maybe(magnetic(heading).map(|h| wrap_360(h - deviation.unwrap_or(0.0))));

        let (ahead, starboard) = m.through_water.in_ships_axes(heading);
        // A pinned speed is shown also where a track moves her otherwise.
        let held = m.value(Quantity::Speed) * sin_cos_deg(s.vessel.leeway).1;
        v.stw_kn = if m.pinned(Quantity::Speed) { of(held, Origin::Pinned) } else { known(ahead) };
        v.stw_transverse_kn = known(starboard);
        let (ahead, starboard) = m.over_ground.in_ships_axes(heading);
        v.sog_ahead_kn = known(ahead);
        v.sog_transverse_kn = known(starboard);
        v.log_nm = known(s.vessel.log + m.sailed_nm.0);
        v.trip_nm = known(s.vessel.trip + m.sailed_nm.0);
        v.ground_log_nm = known(s.vessel.log + m.sailed_nm.1);
        v.ground_trip_nm = known(s.vessel.trip + m.sailed_nm.1);
        v.set_true_deg = known(s.environment.current_set);
        v.drift_kn = known(s.environment.current_drift);

        self.receiver(m, s, at, v);
        let course = v.cog_true_deg.map(|k| k.value);
        v.cog_magnetic_deg = maybe(course.and_then(magnetic));

        v.depth_m = drifting(Quantity::Depth);
        v.depth_offset_m = known(s.vessel.depth_offset);
        v.depth_range_m = maybe(s.environment.depth_range);
        v.water_c = drifting(Quantity::Water);

        let (direction, speed) = (m.value(Quantity::WindDirection), m.value(Quantity::WindSpeed));
        let w = winds(Velocity::from_direction(direction, speed), m.over_ground, m.through_water, heading);
        v.wind_apparent_deg = known(w.apparent.angle_deg);
        v.wind_apparent_kn = known(w.apparent.speed);
        v.wind_true_deg = known(w.over_water.angle_deg);
        v.wind_true_kn = known(w.over_water.speed);
        v.wind_direction_true_deg = drifting(Quantity::WindDirection);
        v.wind_direction_magnetic_deg = maybe(magnetic(direction));
        v.wind_ground_kn = drifting(Quantity::WindSpeed);

        v.air_c = maybe(s.environment.air_temperature);
        v.pressure_hpa = maybe(s.environment.pressure);
        v.humidity_percent = maybe(s.environment.humidity);
        v.dew_point_c =
            maybe(s.environment.air_temperature.zip(s.environment.humidity).and_then(|(t, h)| dew_point(t, h)));
        v.pitch_deg = maybe(s.vessel.pitch);
        v.heel_deg = maybe(s.vessel.heel);
        engines(s, at, v);
        for (place, t) in v.transducers.iter_mut().zip(s.transducer.iter().map(Some).chain(std::iter::repeat(None))) {
            *place = t.and_then(|t| {
                let letter = |text: &str| text.bytes().next().unwrap_or(0);
                let value = Transducer {
                    kind: letter(&t.kind),
                    unit: letter(&t.unit),
                    name: Label::new(t.name.as_bytes()),
                    value: t.value,
                };
                just(value, at)
            });
        }
        v.own = own(s);
        if with_route || m.leg.is_none() || v.route.destination.is_none() {
            route(m, s, at, magnetic, v);
        }
    }

    fn receiver(&mut self, m: &Model, s: &Settings, at: Offset, v: &mut Vessel) {
        let known = |value: f64| just(value, at);
        let set = &s.gnss;
        let fixed = set.fix != Fix::None && set.quality > 0;
        let g = &mut v.gnss;
        g.fix = just(if fixed { set.fix } else { Fix::None }, at);
        g.valid = just(fixed, at);
        g.quality = just(if fixed { set.quality } else { 0 }, at);
        g.mode = just(mode(if fixed { set.quality } else { 0 }), at);
        g.hdop = fixed.then(|| known(set.hdop)).flatten();
        g.pdop = fixed.then(|| known(set.pdop)).flatten();
        g.vdop = fixed.then(|| known(set.vdop)).flatten();
        let high = fixed && set.fix == Fix::ThreeD;
        g.altitude_m = high.then(|| known(m.altitude_m.unwrap_or(set.altitude))).flatten();
        g.geoid_m = high.then(|| known(set.geoid)).flatten();
        g.dgps_age_s = set.dgps_age.filter(|_| fixed).and_then(known);
        g.dgps_station = set.dgps_station.filter(|_| fixed).and_then(|n| just(n, at));
        g.range_error_m = known(set.range_error);
        let systems: &[System] = match (s.sentences.preset.as_str(), &set.systems[..]) {
            (_, []) => &SEVERAL[..1],
            ("multi-constellation", [System::Gps]) => &SEVERAL,
            (_, systems) => systems,
        };
        let look = at / sky::LOOK;
        if self.sky != Some(look) {
            self.sky = Some(look);
            g.systems = Default::default();
            for system in systems {
                let mut seen = sky::look(s.simulation.seed, *system, set, at);
                seen.in_view = just(seen.satellites.iter().filter(|s| s.prn > 0).count() as u16, at);
                seen.used = just(seen.satellites.iter().filter(|s| s.used).count() as u8, at);
                g.systems[*system as usize - 1] = seen;
            }
        }
        let used: usize = g.systems.iter().filter_map(|c| c.used).map(|k| usize::from(k.value)).sum();
        g.satellites = just(if fixed { used.min(99) as u8 } else { 0 }, at);

        let speed = m.over_ground.speed();
        v.position = fixed.then(|| just(m.position, at)).flatten();
        v.void_position = None;
        v.sog_kn = fixed.then(|| known(speed)).flatten();
        let moves = fixed && speed >= s.vessel.cog_min_speed && speed > 0.0;
        v.cog_true_deg = moves.then(|| known(m.over_ground.course_deg())).flatten();
    }
}

fn just<T>(value: T, at: Offset) -> Value<T> {
    Some(Known { value, at, origin: Origin::Source })
}

/// The mode letter that goes with a GGA quality.
fn mode(quality: u8) -> u8 {
    match quality {
        0 => b'N',
        2 => b'D',
        3 => b'P',
        4 => b'R',
        5 => b'F',
        6 => b'E',
        7 => b'M',
        8 => b'S',
        _ => b'A',
    }
}

/// Interpolates in a table of deviations on magnetic headings 0, 45 … 315.
fn from_table(table: &[f64; 8], magnetic: f64) -> f64 {
    let place = wrap_360(magnetic) / 45.0;
    let i = libm::floor(place) as usize % 8;
    table[i] + (table[(i + 1) % 8] - table[i]) * (place - libm::floor(place))
}

/// Dew point by Magnus with the constants 17.625 and 243.04 (Alduchov and Eskridge 1996).
fn dew_point(air_c: f64, humidity_percent: f64) -> Option<f64> {
    if humidity_percent <= 0.0 {
        return None;
    }
    let a = libm::log(humidity_percent / 100.0) + 17.625 * air_c / (243.04 + air_c);
    Some(243.04 * a / (17.625 - a))
}

fn engines(s: &Settings, at: Offset, v: &mut Vessel) {
    let (mut ports, mut starboards) = (0, 0);
    let mut places = v.engines.iter_mut();
    for (e, place) in s.engine.iter().zip(&mut places) {
        // RPM counts from the centre line: single 0, starboard 1 and 3, port 2 and 4; XDR from port: 0 single or port.
        let (number, instance) = match e.position {
            Side::Single => (0, 0),
            Side::Port => {
                ports += 1;
                (2 * ports, 2 * (ports - 1))
            }
            Side::Starboard => {
                starboards += 1;
                (2 * starboards - 1, 2 * starboards - 1)
            }
        };
        *place = Some(Engine {
            number,
            instance,
            label: Label::new(e.label.as_bytes()),
            rpm: just(if e.running { e.rpm } else { 0.0 }, at),
            coolant_c: just(e.coolant_temperature, at),
            pitch_percent: e.pitch.and_then(|p| just(p, at)),
            running: just(e.running, at),
        });
    }
    places.for_each(|place| *place = None);
}

fn own(s: &Settings) -> Own {
    let a = &s.ais;
    let label = |text: &str| Label::new(text.as_bytes());
    Own {
        mmsi: a.mmsi.unwrap_or(0),
        class_a: a.class_a,
        name: label(&a.name),
        callsign: label(&a.callsign),
        ship_type: a.ship_type,
        nav_status: a.nav_status,
        imo: a.imo,
        dimensions_m: [a.to_bow, a.to_stern, a.to_port, a.to_starboard],
        draught_m: a.draught,
        destination: label(&a.destination),
    }
}

fn route(m: &Model, s: &Settings, at: Offset, magnetic: impl Fn(f64) -> Option<f64>, v: &mut Vessel) {
    let known = |value: f64| just(value, at);
    let r = &mut v.route;
    *r = Default::default();
    let Some(leg) = m.leg else { return };
    let label = |text: &str| just(Label::new(text.as_bytes()), at);
    r.destination = label(&s.destination.name);
    r.destination_position = just(leg.to, at);
    r.origin = label(&s.destination.origin_name);
    r.origin_position = just(leg.from, at);
    r.arrival_radius_nm = known(s.destination.arrival_radius);
    let off = off_track(leg.from, leg.to, m.position);
    r.bearing_origin_true_deg = off.and_then(|o| known(o.bearing_deg));
    // What follows from the position needs a fix.
    let Some(Known { value: here, .. }) = v.position else { return };
    let here: Position = here;
    let way = inverse(here, leg.to);
    r.bearing_true_deg = known(way.bearing_deg);
    r.bearing_magnetic_deg = magnetic(way.bearing_deg).and_then(known);
    r.distance_nm = known(way.distance_m / NM_M);
    r.cross_track_nm = known(off.map_or(0.0, |o| o.cross_m / NM_M));
    let (speed, course) = (m.over_ground.speed(), m.over_ground.course_deg());
    r.closing_kn = known(speed * sin_cos_deg(turn(way.bearing_deg, course)).1);
    let radius_m = s.destination.arrival_radius * NM_M;
    r.arrived = just(way.distance_m <= radius_m, at);
    r.passed = just(off.is_some_and(|o| o.passed()), at);
}

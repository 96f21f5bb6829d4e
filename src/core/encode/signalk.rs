//! Signal K 1: deltas of a vessel in SI units, and the documents with which a server introduces itself.
//!
//! Paths and units follow the Signal K specification (signalk.org/specification/1.7.0). Numbers are rounded far below any
//! instrument's resolution, so that the same vessel gives the same text on every machine.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::core::ais::mmsi;
use crate::core::time::{Moment, Offset, Utc, iso_ms};
use crate::core::vessel::units::{DEG_RAD, HPA_PA, KN_M_S, NM_M, ZERO_C_K, wrap_180, wrap_360};
use crate::core::vessel::{Engine, Known, Transducer, Value as Maybe, Vessel};

/// Version of the specification that is spoken.
pub const VERSION: &str = "1.7.0";
/// Name of the server, and source of its values.
pub const SOURCE: &str = "nmeasimx";

/// Who the vessel is: `urn:mrn:imo:mmsi:<mmsi>` when it has an MMSI that a ship may have, else a UUID (version 4 in form)
/// that follows from the seed.
pub fn identity(vessel: &Vessel, seed: u64) -> String {
    if mmsi::may_send(vessel.own.mmsi) {
        return format!("urn:mrn:imo:mmsi:{:09}", vessel.own.mmsi);
    }
    format!("urn:mrn:signalk:uuid:{}", uuid(seed))
}

/// The context of the vessel's deltas: `vessels.` and its identity.
pub fn context(vessel: &Vessel, seed: u64) -> String {
    format!("vessels.{}", identity(vessel, seed))
}

fn uuid(seed: u64) -> String {
    // Two draws of splitmix64 (S. Vigna, public domain), with the version and variant bits of RFC 9562 set.
    let mut state = seed;
    let mut draw = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    let high = draw() & !0xF000 | 0x4000;
    let low = draw() & !(0b11 << 62) | 0b10 << 62;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xFFFF,
        high & 0xFFFF,
        low >> 48,
        low & 0xFFFF_FFFF_FFFF
    )
}

/// Whether a path passes a filter of prefixes: `environment.wind` lets `environment.wind.speedTrue` through, and not
/// `environment.windows`. No prefixes: everything passes.
pub fn passes(prefixes: &[String], path: &str) -> bool {
    prefixes.is_empty()
        || prefixes.iter().any(|prefix| {
            let prefix = prefix.trim_end_matches(".*").trim_end_matches('.');
            path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
}

/// Everything that is known of a vessel as one delta. `None` when nothing that is known passes.
///
/// Each value keeps the time at which it was last said: `now` is the present, and what is older has an update of its own
/// with an older time stamp. Without UTC there are no time stamps, and the receiver sets its own.
pub fn delta(vessel: &Vessel, now: Moment, context: &str, wanted: &dyn Fn(&str) -> bool) -> Option<Value> {
    let mut by_time: BTreeMap<Offset, Vec<Value>> = BTreeMap::new();
    values(vessel, &mut |path, at, value| {
        if wanted(path) {
            by_time.entry(at).or_default().push(json!({ "path": path, "value": value }));
        }
    });
    if now.utc.is_none() {
        let all: Vec<Value> = std::mem::take(&mut by_time).into_values().flatten().collect();
        if !all.is_empty() {
            by_time.insert(0, all);
        }
    }
    let updates: Vec<Value> = by_time
        .into_iter()
        .rev()
        .map(|(at, values)| match now.utc {
            Some(utc) => {
                let age = now.offset.saturating_sub(at).max(0);
                json!({ "$source": SOURCE, "timestamp": iso_ms(utc.saturating_sub(age)), "values": values })
            }
            None => json!({ "$source": SOURCE, "values": values }),
        })
        .collect();
    (!updates.is_empty()).then(|| json!({ "context": context, "updates": updates }))
}

/// The first message on a stream.
pub fn hello(context: &str, now: Utc) -> Value {
    json!({
        "name": SOURCE,
        "version": VERSION,
        "timestamp": iso_ms(now),
        "self": context,
        "roles": ["master", "main"],
    })
}

/// The answer to `GET /signalk`; `host` is host and port as the client addressed them.
pub fn discovery(host: &str) -> Value {
    json!({
        "endpoints": {
            "v1": {
                "version": VERSION,
                "signalk-http": format!("http://{host}/signalk/v1/api/"),
                "signalk-ws": format!("ws://{host}/signalk/v1/stream"),
            }
        },
        "server": { "id": SOURCE, "version": env!("CARGO_PKG_VERSION") },
    })
}

/// The answer to `GET /signalk/v1/api/self`.
pub fn api_self(context: &str) -> Value {
    json!(context)
}

/// Rounded to so many decimals; no negative zero.
fn round(value: f64, decimals: i32) -> f64 {
    let scale = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9][decimals.clamp(0, 9) as usize];
    libm::round(value * scale) / scale + 0.0
}

/// Tells the values one by one.
struct Teller<'a> {
    out: &'a mut dyn FnMut(&str, Offset, Value),
}

impl Teller<'_> {
    fn number(&mut self, path: &str, known: Maybe<f64>, decimals: i32, convert: impl Fn(f64) -> f64) {
        if let Some(k) = known {
            let value = convert(k.value);
            if value.is_finite() {
                (self.out)(path, k.at, json!(round(value, decimals)));
            }
        }
    }

    /// A direction, 0 to 2 pi.
    fn bearing(&mut self, path: &str, known: Maybe<f64>) {
        self.number(path, known, 6, |d| wrap_360(d) * DEG_RAD);
    }

    /// A signed angle, -pi to pi.
    fn angle(&mut self, path: &str, known: Maybe<f64>) {
        self.number(path, known, 6, |d| wrap_180(d) * DEG_RAD);
    }

    fn knots(&mut self, path: &str, known: Maybe<f64>) {
        self.number(path, known, 6, |v| v * KN_M_S);
    }

    fn metres(&mut self, path: &str, known: Maybe<f64>) {
        self.number(path, known, 3, |m| m);
    }

    fn miles(&mut self, path: &str, known: Maybe<f64>) {
        self.number(path, known, 3, |nm| nm * NM_M);
    }

    fn celsius(&mut self, path: &str, known: Maybe<f64>) {
        self.number(path, known, 2, |c| c + ZERO_C_K);
    }

    fn any<T: Copy>(&mut self, path: &str, known: Maybe<T>, value: impl Fn(T) -> Option<Value>) {
        if let Some(k) = known
            && let Some(value) = value(k.value)
        {
            (self.out)(path, k.at, value);
        }
    }
}

/// A value that follows from another one and a correction, as old as the first.
fn less(value: Maybe<f64>, correction: Maybe<f64>) -> Maybe<f64> {
    let (value, correction) = value.zip(correction)?;
    Some(Known { value: value.value - correction.value, ..value })
}

fn values(v: &Vessel, out: &mut dyn FnMut(&str, Offset, Value)) {
    let mut t = Teller { out };
    navigation(v, &mut t);
    course(v, &mut t);
    environment(v, &mut t);
    t.angle("steering.rudderAngle", v.rudder_deg);
    for engine in v.engines.iter().flatten() {
        propulsion(engine, &mut t);
    }
    for known in v.transducers.iter().flatten() {
        transducer(known, &mut t);
    }
}

fn navigation(v: &Vessel, t: &mut Teller<'_>) {
    // What a receiver itself calls void is shown, not used.
    let fixed = |known: Maybe<f64>| known.filter(|_| v.gnss.valid.is_none_or(|k| k.value));
    t.any("navigation.datetime", v.utc, |utc| Some(json!(iso_ms(utc))));
    t.any("navigation.position", v.position.filter(|_| v.gnss.valid.is_none_or(|k| k.value)), |p| {
        Some(json!({ "latitude": round(p.latitude, 8), "longitude": round(p.longitude, 8) }))
    });
    t.knots("navigation.speedOverGround", fixed(v.sog_kn));
    t.bearing("navigation.courseOverGroundTrue", fixed(v.cog_true_deg));
    let magnetic = v.cog_magnetic_deg.or(less(v.cog_true_deg, v.variation_deg));
    t.bearing("navigation.courseOverGroundMagnetic", fixed(magnetic));
    t.bearing("navigation.headingTrue", v.heading_true_deg);
    let magnetic = v.heading_magnetic_deg.or(less(v.heading_true_deg, v.variation_deg));
    t.bearing("navigation.headingMagnetic", magnetic);
    t.angle("navigation.magneticVariation", v.variation_deg);
    t.angle("navigation.magneticDeviation", v.deviation_deg);
    t.knots("navigation.speedThroughWater", v.stw_kn);
    t.number("navigation.rateOfTurn", v.rate_of_turn_deg_min, 9, |r| r * DEG_RAD / 60.0);
    if let Some(at) = v.heel_deg.map(|k| k.at).max(v.pitch_deg.map(|k| k.at)) {
        let mut attitude = serde_json::Map::new();
        for (axis, known) in [("roll", v.heel_deg), ("pitch", v.pitch_deg)] {
            if let Some(k) = known.filter(|k| k.value.is_finite()) {
                attitude.insert(axis.into(), json!(round(wrap_180(k.value) * DEG_RAD, 6)));
            }
        }
        (t.out)("navigation.attitude", at, Value::Object(attitude));
    }
    let g = &v.gnss;
    t.any("navigation.gnss.methodQuality", g.quality, |q| quality(q).map(|words| json!(words)));
    t.any("navigation.gnss.satellites", g.satellites, |n| Some(json!(n)));
    t.number("navigation.gnss.horizontalDilution", g.hdop, 2, |d| d);
    t.number("navigation.gnss.positionDilution", g.pdop, 2, |d| d);
    t.metres("navigation.gnss.antennaAltitude", fixed(g.altitude_m));
    t.metres("navigation.gnss.geoidalSeparation", fixed(g.geoid_m));
    t.number("navigation.gnss.differentialAge", g.dgps_age_s, 1, |s| s);
    t.any("navigation.gnss.differentialReference", g.dgps_station, |n| Some(json!(n)));
}

/// GGA quality in the words of the specification.
fn quality(quality: u8) -> Option<&'static str> {
    Some(match quality {
        0 => "no GPS",
        1 => "GNSS Fix",
        2 => "DGNSS fix",
        3 => "Precise GNSS",
        4 => "RTK fixed integer",
        5 => "RTK float",
        6 => "Estimated (DR) mode",
        7 => "Manual input",
        8 => "Simulator mode",
        _ => return None,
    })
}

fn course(v: &Vessel, t: &mut Teller<'_>) {
    let r = &v.route;
    const LEG: &str = "navigation.courseGreatCircle";
    // Positive to the right of the track on both sides.
    t.miles(&format!("{LEG}.crossTrackError"), r.cross_track_nm);
    t.bearing(&format!("{LEG}.bearingTrackTrue"), r.bearing_origin_true_deg);
    t.bearing(&format!("{LEG}.bearingTrackMagnetic"), less(r.bearing_origin_true_deg, v.variation_deg));
    t.bearing(&format!("{LEG}.nextPoint.bearingTrue"), r.bearing_true_deg);
    let magnetic = r.bearing_magnetic_deg.or(less(r.bearing_true_deg, v.variation_deg));
    t.bearing(&format!("{LEG}.nextPoint.bearingMagnetic"), magnetic);
    t.miles(&format!("{LEG}.nextPoint.distance"), r.distance_nm);
    t.knots(&format!("{LEG}.nextPoint.velocityMadeGood"), r.closing_kn);
    t.miles(&format!("{LEG}.nextPoint.arrivalCircle"), r.arrival_radius_nm);
    t.any(&format!("{LEG}.nextPoint.position"), r.destination_position, |p| {
        Some(json!({ "latitude": round(p.latitude, 8), "longitude": round(p.longitude, 8) }))
    });
}

fn environment(v: &Vessel, t: &mut Teller<'_>) {
    t.metres("environment.depth.belowTransducer", v.depth_m);
    let plus = |depth: Maybe<f64>| less(depth, v.depth_offset_m.map(|k| Known { value: -k.value, ..k }));
    let to_surface = v.depth_offset_m.filter(|k| k.value >= 0.0);
    let to_keel = v.depth_offset_m.filter(|k| k.value < 0.0).map(|k| Known { value: -k.value, ..k });
    t.metres("environment.depth.surfaceToTransducer", to_surface);
    t.metres("environment.depth.belowSurface", v.depth_surface_m.or(plus(v.depth_m).filter(|_| to_surface.is_some())));
    t.metres("environment.depth.transducerToKeel", to_keel);
    t.metres("environment.depth.belowKeel", v.depth_keel_m.or(plus(v.depth_m).filter(|_| to_keel.is_some())));
    t.celsius("environment.water.temperature", v.water_c);
    t.angle("environment.wind.angleApparent", v.wind_apparent_deg);
    t.knots("environment.wind.speedApparent", v.wind_apparent_kn);
    t.angle("environment.wind.angleTrueWater", v.wind_true_deg);
    t.knots("environment.wind.speedTrue", v.wind_true_kn);
    t.bearing("environment.wind.directionTrue", v.wind_direction_true_deg);
    let magnetic = v.wind_direction_magnetic_deg.or(less(v.wind_direction_true_deg, v.variation_deg));
    t.bearing("environment.wind.directionMagnetic", magnetic);
    t.knots("environment.wind.speedOverGround", v.wind_ground_kn);
    t.celsius("environment.outside.temperature", v.air_c);
    t.number("environment.outside.pressure", v.pressure_hpa, 1, |p| p * HPA_PA);
    t.number("environment.outside.humidity", v.humidity_percent, 4, |h| h / 100.0);
    t.celsius("environment.outside.dewPointTemperature", v.dew_point_c);
}

/// `main`, `port`, `starboard`; further ones have a number. RPM sentences count from the centre line: 0 is single, odd
/// is starboard, even is port.
fn engine_id(number: u8) -> String {
    let (side, n) = match number {
        0 => return "main".into(),
        n if n % 2 == 1 => ("starboard", n / 2 + 1),
        n => ("port", n / 2),
    };
    if n == 1 { side.into() } else { format!("{side}{n}") }
}

fn propulsion(engine: &Engine, t: &mut Teller<'_>) {
    let id = engine_id(engine.number);
    t.number(&format!("propulsion.{id}.revolutions"), engine.rpm, 6, |rpm| rpm.abs() / 60.0);
    t.celsius(&format!("propulsion.{id}.coolantTemperature"), engine.coolant_c);
    t.any(&format!("propulsion.{id}.state"), engine.running, |on| Some(json!(if on { "started" } else { "stopped" })));
}

/// Volts are batteries, percent of volume are tanks; other transducers have a path of their own or none.
fn transducer(known: &Known<Transducer>, t: &mut Teller<'_>) {
    let Transducer { kind, unit, name, value } = known.value;
    let id: String = name.as_bytes().iter().filter(|b| b.is_ascii_alphanumeric()).map(|b| char::from(*b)).collect();
    if id.is_empty() {
        return;
    }
    let value = Some(Known { value, at: known.at, origin: known.origin });
    match (kind, unit) {
        (b'U', b'V') => t.number(&format!("electrical.batteries.{id}.voltage"), value, 3, |v| v),
        (b'V' | b'E', b'P') => {
            t.number(&format!("tanks.{}.{id}.currentLevel", tank(&id)), value, 4, |p| p / 100.0);
        }
        (b'V', b'M') => t.number(&format!("tanks.{}.{id}.currentVolume", tank(&id)), value, 6, |m3| m3),
        _ => {}
    }
}

/// What is in a tank, by its name; fuel where that does not say.
fn tank(id: &str) -> &'static str {
    let id = id.to_ascii_lowercase();
    let kinds = [
        ("black", "blackWater"),
        ("waste", "wasteWater"),
        ("grey", "wasteWater"),
        ("gray", "wasteWater"),
        ("fresh", "freshWater"),
        ("water", "freshWater"),
        ("oil", "lubrication"),
        ("lub", "lubrication"),
        ("live", "liveWell"),
        ("bait", "baitWell"),
        ("ballast", "ballast"),
    ];
    kinds.iter().find(|(word, _)| id.contains(word)).map_or("fuel", |(_, kind)| kind)
}

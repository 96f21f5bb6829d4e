//! What goes wrong on purpose: sentences spoiled on their way, values that lie. Each injected fault is counted.
//!
//! Whether a sentence is spoiled depends on seed, fault, moment and sentence alone, so that one more fault, or a round left
//! out, changes no other. Must not move the vessel: only what its instruments say.

use crate::core::filter::Filter;
use crate::core::frame::Class;
use crate::core::nmea::framing::{checksum, star};
use crate::core::profile::Settings;
use crate::core::profile::keys::FAULTS;
use crate::core::profile::schema::{Fault, FaultKind};
use crate::core::time::{DAY, HOUR, MINUTE, Offset, SECOND, Utc};
use crate::core::vessel::geodesy::direct;
use crate::core::vessel::units::NM_M;
use crate::core::vessel::{Fix, Known, Value, Vessel};

use super::rng::{draw, unit};

/// How likely a fault of the line is when the profile gives no rate.
const USUAL_RATE: f64 = 0.01;
/// Nanoseconds of a GPS week times 1024: how far a receiver falls back at a rollover.
const ROLLOVER: i64 = 1024 * 7 * DAY;

/// The faults of a simulation: when they began, and how many there were.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    counts: [u64; FAULTS.len()],
    filters: Vec<Filter>,
    onsets: Vec<Option<Onset>>,
}

/// How things stood when a fault began.
#[derive(Clone, Debug)]
struct Onset {
    at: Offset,
    vessel: Box<Vessel>,
}

/// A sentence to be sent, perhaps spoiled.
pub struct Sending<'a> {
    /// When.
    pub at: Offset,
    /// What it is.
    pub class: Class,
    /// Its bytes; one that ends with LF brings its own terminator.
    pub bytes: &'a [u8],
}

impl Faults {
    /// Takes over the faults of a profile.
    pub fn change(&mut self, s: &Settings) {
        // Checked when the profile was read.
        self.filters = s.fault.iter().map(|f| Filter::new(&f.filter).unwrap_or_default()).collect();
        self.onsets.resize(s.fault.len(), None);
    }

    /// How many of each kind were injected; only kinds that were.
    pub fn counts(&self) -> Vec<(String, u64)> {
        let named = FAULTS.iter().zip(self.counts).filter(|(_, n)| *n > 0);
        named.map(|(name, n)| ((*name).to_string(), n)).collect()
    }

    /// Counts some of a kind.
    pub fn count(&mut self, kind: FaultKind, n: u64) {
        self.counts[kind as usize] += n;
    }

    /// Lets the instruments lie as the faults of this moment want it.
    pub fn distort(&mut self, s: &Settings, at: Offset, utc: &mut Option<Utc>, v: &mut Vessel) {
        for (i, fault) in s.fault.iter().enumerate() {
            if is_of_the_line(fault.kind) {
                continue;
            }
            if !holds(s, i, fault, at) {
                self.onsets[i] = None;
                continue;
            }
            if self.onsets[i].is_none() {
                self.counts[fault.kind as usize] += 1;
                self.onsets[i] = Some(Onset { at, vessel: Box::new(*v) });
            }
            let Some(onset) = &self.onsets[i] else { continue };
            lie(fault, onset, s, i, at, utc, v);
        }
    }

    /// A second receiver is on board and says this sentence, too.
    pub fn second_gps(&self, s: &Settings, at: Offset, id: &str) -> Option<f64> {
        let (i, fault) = s.fault.iter().enumerate().find(|(_, f)| f.kind == FaultKind::SecondGps)?;
        let position = matches!(id, "RMC" | "GGA" | "GLL" | "GNS");
        (position && holds(s, i, fault, at)).then(|| fault.value.unwrap_or(1.0))
    }

    /// Sends a sentence through the faults of the line. `n` tells the sentences of one moment apart.
    pub fn send(&mut self, s: &Settings, at: Offset, n: u64, sentence: &[u8], send: &mut dyn FnMut(Sending<'_>)) {
        let mut when = at;
        let mut class = Class::Sentence;
        let (mut lost, mut copies) = (false, 1);
        let mut bytes = std::borrow::Cow::Borrowed(sentence);
        let mut lf = false;
        let mut struck = [false; FAULTS.len()];
        for (i, fault) in s.fault.iter().enumerate() {
            if lost || !is_of_the_line(fault.kind) || !on(fault, at) || !self.filters[i].passes(sentence, true) {
                continue;
            }
            let dice = draw(s.simulation.seed, FAULTS[fault.kind as usize], at, n.wrapping_add((i as u64) << 32));
            let rate = fault.rate.unwrap_or(if fault.kind == FaultKind::Dead { 1.0 } else { USUAL_RATE });
            if unit(dice) >= rate {
                continue;
            }
            let more = draw(s.simulation.seed, "how", at, n.wrapping_add((i as u64) << 32));
            match fault.kind {
                FaultKind::Lost | FaultKind::Dead => lost = true,
                FaultKind::Duplicate => copies += 1,
                FaultKind::Delay => when = at + (fault.value.unwrap_or(2.0).max(0.0) * 1e9) as Offset,
                FaultKind::LfOnly => lf = true,
                FaultKind::Noise => {
                    let noise: Vec<u8> = (0..3 + more % 18).map(|k| 0x80 | draw(more, "noise", at, k) as u8).collect();
                    send(Sending { at, class: Class::Garbled, bytes: &noise });
                }
                // One that is spoiled already is spoiled enough.
                _ if class != Class::Sentence => continue,
                FaultKind::Checksum => {
                    class = Class::BadChecksum;
                    wrong_checksum(bytes.to_mut(), more);
                }
                FaultKind::Cut => {
                    class = Class::Truncated;
                    let whole = bytes.len().saturating_sub(3).max(2) as u64;
                    bytes.to_mut().truncate(1 + (more % (whole - 1)) as usize);
                }
                _ => {
                    class = Class::BadChecksum;
                    flip_a_bit(bytes.to_mut(), more);
                }
            }
            struck[fault.kind as usize] = true;
        }
        // What is counted is what arrives: a spoiled sentence sent twice is two, one that is lost is none.
        let sent = if lost { 0 } else { copies };
        for kind in (0..FAULTS.len()).filter(|k| struck[*k]) {
            self.counts[kind] += match kind {
                k if k == FaultKind::Lost as usize
                    || k == FaultKind::Dead as usize
                    || k == FaultKind::Noise as usize =>
                {
                    1
                }
                k if k == FaultKind::Duplicate as usize => u64::from(!lost),
                _ => sent,
            };
        }
        if lf {
            bytes.to_mut().push(b'\n');
        }
        for _ in 0..sent {
            send(Sending { at: when, class, bytes: &bytes });
        }
    }
}

/// Spoils sentences on their way, rather than values.
fn is_of_the_line(kind: FaultKind) -> bool {
    use FaultKind::{BitErrors, Checksum, Cut, Dead, Delay, Duplicate, LfOnly, Lost, Noise};
    matches!(kind, Checksum | Lost | Cut | Duplicate | Delay | BitErrors | Noise | LfOnly | Dead)
}

fn on(fault: &Fault, at: Offset) -> bool {
    fault.enabled && at >= fault.at && fault.until.is_none_or(|until| at < until)
}

/// Whether a fault of values holds: a rate is its share of the seconds.
fn holds(s: &Settings, i: usize, fault: &Fault, at: Offset) -> bool {
    let second = at.div_euclid(SECOND);
    let share = fault.rate.or((fault.kind == FaultKind::Jump).then_some(0.1)).unwrap_or(1.0);
    on(fault, at)
        && (share >= 1.0 || unit(draw(s.simulation.seed, FAULTS[fault.kind as usize], second, i as u64)) < share)
}

fn lie(fault: &Fault, onset: &Onset, s: &Settings, i: usize, at: Offset, utc: &mut Option<Utc>, v: &mut Vessel) {
    let shift = |utc: &mut Option<Utc>, v: &mut Vessel, by: i64| {
        *utc = utc.map(|t| t + by);
        v.utc = v.utc.map(|k| Known { value: k.value + by, ..k });
        v.time_of_day = v.time_of_day.map(|k| Known { value: (k.value + by).rem_euclid(DAY), ..k });
    };
    match fault.kind {
        FaultKind::NoFix => lose_fix(v, at),
        FaultKind::ColdStart => {
            lose_fix(v, at);
            v.utc = None;
            v.time_of_day = None;
        }
        FaultKind::Frozen => {
            v.position = onset.vessel.position.map(|k| Known { at, ..k });
        }
        FaultKind::Jump => {
            let way = draw(s.simulation.seed, "jump", at.div_euclid(SECOND), i as u64);
            let far = fault.value.unwrap_or(1.0).abs() * NM_M;
            v.position = v.position.map(|k| Known { value: direct(k.value, (way % 360) as f64, far).position, ..k });
        }
        FaultKind::WrongDate => shift(utc, v, (fault.value.unwrap_or(1.0) * DAY as f64) as i64),
        FaultKind::WrongWeek => shift(utc, v, -ROLLOVER),
        FaultKind::WrongHours => shift(utc, v, libm::round(fault.value.unwrap_or(1.0)) as i64 * HOUR),
        FaultKind::DeadReckoning => {
            let say = |value| Some(Known { value, at, origin: Default::default() });
            if v.gnss.valid.is_some_and(|k| k.value) {
                v.gnss.mode = say(b'E');
                v.gnss.quality = say(6);
            }
        }
        FaultKind::Hdop => {
            let minutes = (at - onset.at) as f64 / MINUTE as f64;
            let grown = fault.value.unwrap_or(1.0) * minutes;
            v.gnss.hdop = v.gnss.hdop.map(|k| Known { value: (k.value + grown).clamp(0.1, 99.9), ..k });
        }
        FaultKind::Stuck => stick(fault.key.as_deref().unwrap_or_default(), &onset.vessel, at, v),
        _ => {}
    }
}

fn lose_fix(v: &mut Vessel, at: Offset) {
    fn say<T>(value: T, at: Offset) -> Value<T> {
        Some(Known { value, at, origin: Default::default() })
    }
    v.position = None;
    v.sog_kn = None;
    v.cog_true_deg = None;
    v.cog_magnetic_deg = None;
    let g = &mut v.gnss;
    g.fix = say(Fix::None, at);
    g.valid = say(false, at);
    g.quality = say(0, at);
    g.mode = say(b'N', at);
    g.satellites = say(0, at);
    (g.hdop, g.pdop, g.vdop, g.altitude_m, g.geoid_m) = (None, None, None, None, None);
    (g.dgps_age_s, g.dgps_station) = (None, None);
    let r = &mut v.route;
    (r.bearing_true_deg, r.bearing_magnetic_deg, r.distance_nm, r.cross_track_nm) = (None, None, None, None);
    (r.closing_kn, r.arrived, r.passed) = (None, None, None);
}

/// Lets what a key stands for show what it showed before.
fn stick(key: &str, old: &Vessel, at: Offset, v: &mut Vessel) {
    let hold = |now: &mut Value<f64>, old: &Value<f64>| *now = old.map(|k| Known { at, ..k });
    match key {
        "vessel.heading" => {
            hold(&mut v.heading_true_deg, &old.heading_true_deg);
            hold(&mut v.heading_magnetic_deg, &old.heading_magnetic_deg);
            hold(&mut v.heading_compass_deg, &old.heading_compass_deg);
        }
        "vessel.speed" => {
            hold(&mut v.stw_kn, &old.stw_kn);
            hold(&mut v.stw_transverse_kn, &old.stw_transverse_kn);
        }
        "vessel.latitude" | "vessel.longitude" => v.position = old.position.map(|k| Known { at, ..k }),
        "environment.depth" => hold(&mut v.depth_m, &old.depth_m),
        "environment.water_temperature" => hold(&mut v.water_c, &old.water_c),
        "environment.wind_direction" | "environment.wind_speed" => {
            hold(&mut v.wind_apparent_deg, &old.wind_apparent_deg);
            hold(&mut v.wind_apparent_kn, &old.wind_apparent_kn);
            hold(&mut v.wind_true_deg, &old.wind_true_deg);
            hold(&mut v.wind_true_kn, &old.wind_true_kn);
            hold(&mut v.wind_direction_true_deg, &old.wind_direction_true_deg);
            hold(&mut v.wind_direction_magnetic_deg, &old.wind_direction_magnetic_deg);
            hold(&mut v.wind_ground_kn, &old.wind_ground_kn);
        }
        "steering.rudder" => hold(&mut v.rudder_deg, &old.rudder_deg),
        _ if key.starts_with("engine.") => v.engines = old.engines,
        // Everything else does not move by itself.
        _ => {}
    }
}

fn wrong_checksum(bytes: &mut Vec<u8>, dice: u64) {
    let Some(end) = bytes.iter().rposition(|b| *b == b'*') else { return };
    let right = checksum(bytes.get(1..end).unwrap_or_default());
    let wrong = right ^ (1 + dice % 255) as u8;
    bytes.truncate(end);
    bytes.extend_from_slice(&star(wrong));
}

/// Flips one bit of the body, so that the checksum never fits; not into what would end or begin a sentence.
fn flip_a_bit(bytes: &mut [u8], dice: u64) {
    let end = bytes.iter().rposition(|b| *b == b'*').unwrap_or(bytes.len());
    let Some(body) = bytes.get_mut(1..end).filter(|b| !b.is_empty()) else { return };
    let length = body.len() as u64;
    let first = dice % (length * 7);
    for k in 0..length * 7 {
        let place = (first + k) % (length * 7);
        let flipped = body[(place / 7) as usize] ^ (1 << (place % 7));
        if (0x20..0x7f).contains(&flipped) && !b"*$!\\^".contains(&flipped) {
            body[(place / 7) as usize] = flipped;
            return;
        }
    }
}

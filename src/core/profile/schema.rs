//! The typed view of a complete profile: what the model, the runtime and the outputs read.
//!
//! Units and ranges are those of [`super::keys`], where each key is explained; here every key without a default is an
//! `Option`. Must not check: that happened before.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use toml::Value;

use super::key;
use crate::core::time::{Offset, Utc};

/// A complete profile.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Settings {
    pub schema_version: i64,
    pub name: String,
    pub simulation: Simulation,
    pub vessel: Vessel,
    pub drift: Drift,
    pub steering: Steering,
    pub environment: Environment,
    pub gnss: Gnss,
    pub engine: Vec<Engine>,
    pub transducer: Vec<Transducer>,
    pub destination: Destination,
    pub ais: Ais,
    pub track: Track,
    pub replay: Replay,
    pub sentences: Sentences,
    pub target: Vec<Target>,
    pub fault: Vec<Fault>,
    pub step: Vec<Step>,
    pub output: Vec<toml::Table>,
    pub record: Record,
}

/// What drives the vessel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The model.
    Simulate,
    /// A track.
    Track,
    /// A log.
    Replay,
}

/// When the simulated clock begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the whole second that it is.
    Now,
    /// At an instant.
    At(Utc),
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Simulation {
    pub mode: Mode,
    #[serde(deserialize_with = "start")]
    pub start_time: Start,
    #[serde(deserialize_with = "is_fixed", rename = "clock")]
    pub fixed_clock: bool,
    pub seed: u64,
    /// Hundredths; `None` is max.
    #[serde(deserialize_with = "speed")]
    pub speed: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Vessel {
    pub latitude: f64,
    pub longitude: f64,
    pub heading: f64,
    pub speed: f64,
    pub leeway: f64,
    pub length: f64,
    pub cog_min_speed: f64,
    pub log: f64,
    pub trip: f64,
    pub depth_offset: f64,
    pub pitch: Option<f64>,
    pub heel: Option<f64>,
    pub radar_range: f64,
}

/// A bounded random walk.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Walk {
    pub amplitude: f64,
    pub step_per_second: f64,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Drift {
    pub heading: Walk,
    pub speed: Walk,
    pub depth: Walk,
    pub water_temperature: Walk,
    pub wind_direction: Walk,
    pub wind_speed: Walk,
}

/// What moves the heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SteeringMode {
    /// The random walk.
    Walk,
    /// The rudder.
    Rudder,
    /// An autopilot that holds a heading.
    Heading,
    /// An autopilot that follows the leg to the destination.
    Leg,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Steering {
    pub mode: SteeringMode,
    pub rudder: f64,
    pub heading: Option<f64>,
    pub gain: f64,
    pub lag: f64,
    pub rudder_limit: f64,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Environment {
    pub depth: f64,
    pub depth_range: Option<f64>,
    pub water_temperature: f64,
    pub wind_direction: f64,
    pub wind_speed: f64,
    pub current_set: f64,
    pub current_drift: f64,
    /// `None`: by the World Magnetic Model.
    #[serde(deserialize_with = "number_or_word")]
    pub variation: Option<f64>,
    /// `None`: unknown.
    #[serde(deserialize_with = "number_or_word")]
    pub deviation: Option<f64>,
    pub deviation_table: Option<[f64; 8]>,
    pub air_temperature: Option<f64>,
    pub pressure: Option<f64>,
    pub humidity: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Gnss {
    pub fix: crate::core::vessel::Fix,
    pub quality: u8,
    pub satellites: u8,
    pub in_view: u8,
    pub hdop: f64,
    pub pdop: f64,
    pub vdop: f64,
    pub altitude: f64,
    pub geoid: f64,
    pub range_error: f64,
    pub dgps_age: Option<f64>,
    pub dgps_station: Option<u16>,
    pub systems: Vec<crate::core::vessel::System>,
    #[serde(deserialize_with = "is_410")]
    pub nmea_version: bool,
}

/// Where an engine stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The only one.
    Single,
    /// Port.
    Port,
    /// Starboard.
    Starboard,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Engine {
    pub label: String,
    pub position: Side,
    pub running: bool,
    pub rpm: f64,
    pub coolant_temperature: f64,
    pub pitch: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Transducer {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub unit: String,
    pub value: f64,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Destination {
    pub active: bool,
    pub name: String,
    pub latitude: Option<f64>,
    pub longitude: Option<f64>,
    pub origin_name: String,
    pub origin_latitude: Option<f64>,
    pub origin_longitude: Option<f64>,
    pub arrival_radius: f64,
    #[serde(deserialize_with = "is_magnetic", rename = "bearings")]
    pub magnetic_bearings: bool,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Ais {
    pub mmsi: Option<u32>,
    #[serde(deserialize_with = "is_a", rename = "class")]
    pub class_a: bool,
    pub name: String,
    pub callsign: String,
    pub ship_type: u8,
    pub nav_status: u8,
    pub imo: u32,
    pub to_bow: u16,
    pub to_stern: u16,
    pub to_port: u16,
    pub to_starboard: u16,
    pub draught: f64,
    pub destination: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Track {
    pub file: Option<String>,
    pub speed: f64,
    pub ignore_timestamps: bool,
    #[serde(rename = "loop")]
    pub looping: bool,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Replay {
    pub files: Vec<String>,
    #[serde(rename = "loop")]
    pub looping: bool,
    pub max_gap: Option<f64>,
    pub interval: u32,
    pub gap: f64,
    pub require_checksum: bool,
}

/// What is said. Not `deny_unknown_fields`: its other names are sentences.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Sentences {
    pub preset: String,
    pub decimals: u8,
    pub waypoint_letters: u8,
    #[serde(default)]
    pub custom: Vec<Custom>,
    /// By id: `RMC`, `MWV-R`.
    #[serde(flatten)]
    pub by_id: BTreeMap<String, SentenceSettings>,
}

/// What a profile says of one sentence; `None`: as usual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct SentenceSettings {
    pub enabled: Option<bool>,
    pub talker: Option<String>,
    /// Milliseconds.
    #[serde(deserialize_with = "some_period")]
    pub period: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Custom {
    pub body: String,
    /// Milliseconds.
    #[serde(deserialize_with = "period")]
    pub period: u32,
    pub enabled: bool,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Target {
    pub mmsi: Option<u32>,
    pub name: String,
    #[serde(deserialize_with = "is_a", rename = "class")]
    pub class_a: bool,
    pub callsign: String,
    pub ship_type: u8,
    pub nav_status: u8,
    pub imo: u32,
    pub latitude: Option<f64>,
    pub longitude: Option<f64>,
    pub course: f64,
    pub speed: f64,
    pub rate_of_turn: f64,
    pub to_bow: u16,
    pub to_stern: u16,
    pub to_port: u16,
    pub to_starboard: u16,
    pub draught: f64,
    pub destination: String,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names of VESSEL's faults, explained where they are injected")]
pub enum FaultKind {
    Checksum,
    Lost,
    Cut,
    Duplicate,
    Delay,
    BitErrors,
    Noise,
    LfOnly,
    Dead,
    Stuck,
    NoFix,
    ColdStart,
    Frozen,
    Jump,
    SecondGps,
    WrongDate,
    WrongWeek,
    WrongHours,
    DeadReckoning,
    Hdop,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Fault {
    pub kind: FaultKind,
    pub enabled: bool,
    pub rate: Option<f64>,
    #[serde(deserialize_with = "at")]
    pub at: Offset,
    #[serde(default, deserialize_with = "some_at")]
    pub until: Option<Offset>,
    pub filter: String,
    pub value: Option<f64>,
    pub key: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Step {
    #[serde(deserialize_with = "at")]
    pub at: Offset,
    #[serde(default)]
    pub set: toml::Table,
    #[serde(default)]
    pub nudge: toml::Table,
    #[serde(default)]
    pub release: Vec<String>,
    pub steer: Option<f64>,
    #[serde(default)]
    pub enable: Vec<String>,
    #[serde(default)]
    pub disable: Vec<String>,
    #[serde(default)]
    pub fault: Vec<String>,
    #[serde(default)]
    pub mend: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is explained in the list of keys")]
pub struct Record {
    pub folder: Option<String>,
    /// Megabytes.
    pub rotate_size: Option<u64>,
    #[serde(default, deserialize_with = "some_at")]
    pub rotate_time: Option<Offset>,
    pub keep: Option<u64>,
    /// Megabytes.
    pub free_space: u64,
}

fn start<'de, D: Deserializer<'de>>(d: D) -> Result<Start, D::Error> {
    let text = String::deserialize(d)?;
    if text == "now" {
        return Ok(Start::Now);
    }
    key::utc(&text).map(Start::At).ok_or_else(|| serde::de::Error::custom("no time"))
}

fn speed<'de, D: Deserializer<'de>>(d: D) -> Result<Option<u32>, D::Error> {
    Ok(number_or_word(d)?.map(|x| (x * 100.0).round() as u32))
}

fn number_or_word<'de, D: Deserializer<'de>>(d: D) -> Result<Option<f64>, D::Error> {
    Ok(match Value::deserialize(d)? {
        Value::Float(x) => Some(x),
        Value::Integer(i) => Some(i as f64),
        _ => None,
    })
}

fn is_fixed<'de, D: Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    Ok(String::deserialize(d)? == "fixed")
}

fn is_410<'de, D: Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    Ok(String::deserialize(d)? == "4.10")
}

fn is_magnetic<'de, D: Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    Ok(String::deserialize(d)? == "magnetic")
}

fn is_a<'de, D: Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    Ok(String::deserialize(d)? == "A")
}

fn period<'de, D: Deserializer<'de>>(d: D) -> Result<u32, D::Error> {
    key::period(&Value::deserialize(d)?).ok_or_else(|| serde::de::Error::custom("no period"))
}

fn some_period<'de, D: Deserializer<'de>>(d: D) -> Result<Option<u32>, D::Error> {
    period(d).map(Some)
}

fn at<'de, D: Deserializer<'de>>(d: D) -> Result<Offset, D::Error> {
    key::at(&Value::deserialize(d)?).ok_or_else(|| serde::de::Error::custom("no time since the start"))
}

fn some_at<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Offset>, D::Error> {
    at(d).map(Some)
}

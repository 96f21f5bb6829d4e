//! What is known of a vessel: every value with its age and its origin.
//!
//! Filled by the model, by a replay or by what a live feed says; read by encoders, screens and rules. Fixed size, so that
//! a checkpoint is a copy. Unknown is `None`, never 0, never NaN.

use serde::{Deserialize, Serialize};

use crate::core::frame::Origin;
use crate::core::time::{Offset, Utc};

pub mod geodesy;
pub mod magnetism;
mod short;
pub mod units;
pub mod wind;

/// A value, since when, and from whom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Known<T> {
    /// The value, in the unit its field names.
    pub value: T,
    /// When it was last said, in the source's own time.
    pub at: Offset,
    /// Who said it.
    pub origin: Origin,
}

/// A value that may not be known.
pub type Value<T> = Option<Known<T>>;

/// Reads the bare value.
pub trait Bare<T> {
    /// The value without its age.
    fn bare(&self) -> Option<T>;
}

impl<T: Copy> Bare<T> for Value<T> {
    fn bare(&self) -> Option<T> {
        self.as_ref().map(|k| k.value)
    }
}

/// A position on WGS84, degrees, north and east positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// -90 to 90.
    pub latitude: f64,
    /// -180 to 180.
    pub longitude: f64,
}

/// A short text of fixed size: a waypoint, a transducer, a ship. Longer ones are cut.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    len: u8,
    bytes: [u8; 20],
}

impl Label {
    /// At most 20 bytes of it.
    pub fn new(text: &[u8]) -> Label {
        let len = text.len().min(20);
        let mut bytes = [0; 20];
        bytes[..len].copy_from_slice(&text[..len]);
        Label { len: len as u8, bytes }
    }

    /// The bytes as they came.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Default for Label {
    fn default() -> Label {
        Label::new(b"")
    }
}

impl std::fmt::Debug for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", crate::core::visible::text(self.as_bytes()))
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::core::visible::text(self.as_bytes()))
    }
}

impl Serialize for Label {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&crate::core::visible::text(self.as_bytes()))
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Label, D::Error> {
        let text = String::deserialize(d)?;
        Ok(Label::new(text.as_bytes()))
    }
}

/// Navigation satellite systems, numbered as IEC 61162-1 (edition 5) numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum System {
    /// GPS, talker GP, system id 1.
    Gps = 1,
    /// GLONASS, talker GL, system id 2.
    Glonass = 2,
    /// Galileo, talker GA, system id 3.
    Galileo = 3,
    /// BeiDou, talker GB (or BD), system id 4.
    Beidou = 4,
    /// QZSS, talker GQ, system id 5.
    Qzss = 5,
    /// NavIC, talker GI, system id 6.
    Navic = 6,
}

/// What kind of fix (GSA field 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fix {
    /// 1: not available.
    #[serde(rename = "none")]
    None,
    /// 2: without altitude.
    #[serde(rename = "2d")]
    TwoD,
    /// 3: with altitude.
    #[serde(rename = "3d")]
    ThreeD,
}

/// One satellite as GSV tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Satellite {
    /// As numbered in the sentence; 0 is an empty place.
    pub prn: u16,
    /// Degrees above the horizon, -1 unknown.
    pub elevation_deg: i8,
    /// Degrees from true north, -1 unknown.
    pub azimuth_true_deg: i16,
    /// dB-Hz; -1 not tracked.
    pub snr_db: i8,
    /// Used in the fix (by GSA).
    pub used: bool,
}

/// The satellites of one system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Constellation {
    /// How many are in view, by the sentence's own count (may exceed the table).
    pub in_view: Value<u16>,
    /// How many are used, by GSA.
    pub used: Value<u8>,
    /// The first sixteen in view; places with PRN 0 are empty.
    #[serde(with = "short")]
    pub satellites: [Satellite; 16],
}

/// What the receiver says of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gnss {
    /// None, 2D, 3D.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Value<Fix>,
    /// GGA quality 0 to 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Value<u8>,
    /// Mode letter of RMC, GLL, VTG (A D E F M N P R S).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Value<u8>,
    /// The receiver's own word that the position is good: status A.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid: Value<bool>,
    /// Satellites used in the fix (GGA, GNS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub satellites: Value<u8>,
    /// Horizontal dilution of precision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hdop: Value<f64>,
    /// Dilution of precision in space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdop: Value<f64>,
    /// Vertical dilution of precision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vdop: Value<f64>,
    /// Antenna above mean sea level, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub altitude_m: Value<f64>,
    /// Geoid above the ellipsoid, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geoid_m: Value<f64>,
    /// Age of differential corrections, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dgps_age_s: Value<f64>,
    /// Reference station 0 to 4095.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dgps_station: Value<u16>,
    /// User equivalent range error (one sigma), metres: what GST and GBS follow from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range_error_m: Value<f64>,
    /// By [`System`] id less one.
    #[serde(with = "short")]
    pub systems: [Constellation; 6],
}

/// One engine. NMEA counts from the centre line: RPM 0 single, odd starboard, even port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Engine {
    /// Number in RPM sentences; engines are kept by it.
    pub number: u8,
    /// Instance in XDR names `ENGINE#n` (0 single or port, 1 starboard).
    pub instance: u8,
    /// What the profile calls it.
    pub label: Label,
    /// Revolutions a minute, negative is astern.
    pub rpm: Value<f64>,
    /// Coolant, degrees Celsius.
    pub coolant_c: Value<f64>,
    /// Propeller pitch, percent.
    pub pitch_percent: Value<f64>,
    /// Turning.
    pub running: Value<bool>,
}

/// One XDR transducer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transducer {
    /// Type letter: C temperature, P pressure, A angle, U voltage, V volume, H humidity, G generic …
    pub kind: u8,
    /// Unit letter: C, B, D, V, P …
    pub unit: u8,
    /// Its name.
    pub name: Label,
    /// The value in that unit.
    pub value: f64,
}

/// Where the vessel is going.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// Name of the destination waypoint.
    pub destination: Value<Label>,
    /// Where it is.
    pub destination_position: Value<Position>,
    /// Name of the waypoint the leg comes from.
    pub origin: Value<Label>,
    /// Where that is (simulation only: no sentence of the default set says it).
    pub origin_position: Value<Position>,
    /// Bearing of the leg at its origin, degrees true.
    pub bearing_origin_true_deg: Value<f64>,
    /// Bearing from here, degrees true.
    pub bearing_true_deg: Value<f64>,
    /// Bearing from here, degrees magnetic.
    pub bearing_magnetic_deg: Value<f64>,
    /// Distance from here, nautical miles.
    pub distance_nm: Value<f64>,
    /// Distance off the track, nautical miles; positive when the boat is right of the track (steer left).
    pub cross_track_nm: Value<f64>,
    /// Velocity toward the destination, knots; negative opening.
    pub closing_kn: Value<f64>,
    /// Inside the arrival circle.
    pub arrived: Value<bool>,
    /// Abeam of or past the destination.
    pub passed: Value<bool>,
    /// Radius of the arrival circle, nautical miles.
    pub arrival_radius_nm: Value<f64>,
}

/// What a vessel says of itself by AIS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Own {
    /// Nine digits; 0 means none, and then nothing is sent as AIS.
    pub mmsi: u32,
    /// Class A (messages 1, 5) instead of class B (18, 24).
    pub class_a: bool,
    /// Ship's name.
    pub name: Label,
    /// Radio call sign.
    pub callsign: Label,
    /// Type of ship and cargo, 0 to 99.
    pub ship_type: u8,
    /// Navigational status 0 to 15 (class A).
    pub nav_status: u8,
    /// IMO number, 0 none.
    pub imo: u32,
    /// Metres from the antenna to bow, stern, port, starboard.
    pub dimensions_m: [u16; 4],
    /// Metres.
    pub draught_m: f64,
    /// Destination as text.
    pub destination: Label,
}

/// Everything known of a vessel.
///
/// Angles in degrees (compass ones 0 to 360), speeds in knots, lengths in metres, temperatures in Celsius. Variation and
/// deviation east positive; rudder, turn, wind angles and heel starboard positive where they are signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Vessel {
    /// UTC with its date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utc: Value<Utc>,
    /// Nanoseconds since midnight UTC, also while no date is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_of_day: Value<i64>,
    /// Position of a good fix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Value<Position>,
    /// Position that the receiver itself calls void: shown, not used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void_position: Value<Position>,
    /// Speed over ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sog_kn: Value<f64>,
    /// Course over ground, true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cog_true_deg: Value<f64>,
    /// Course over ground, magnetic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cog_magnetic_deg: Value<f64>,
    /// The receiver.
    pub gnss: Gnss,
    /// Heading, true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading_true_deg: Value<f64>,
    /// Heading, magnetic (deviation taken out).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading_magnetic_deg: Value<f64>,
    /// Heading as the compass shows it (HDG field 1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading_compass_deg: Value<f64>,
    /// Magnetic variation, east positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variation_deg: Value<f64>,
    /// Deviation of the compass, east positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation_deg: Value<f64>,
    /// Rate of turn, degrees a minute, starboard positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_of_turn_deg_min: Value<f64>,
    /// Speed through the water, ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stw_kn: Value<f64>,
    /// Speed through the water, athwart, starboard positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stw_transverse_kn: Value<f64>,
    /// Speed over ground, ahead (VBW).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sog_ahead_kn: Value<f64>,
    /// Speed over ground, athwart, starboard positive (VBW).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sog_transverse_kn: Value<f64>,
    /// Distance through the water since new, nautical miles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_nm: Value<f64>,
    /// Distance through the water since reset, nautical miles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trip_nm: Value<f64>,
    /// Distance over ground since new, nautical miles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground_log_nm: Value<f64>,
    /// Distance over ground since reset, nautical miles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground_trip_nm: Value<f64>,
    /// Direction the current flows to, degrees true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_true_deg: Value<f64>,
    /// Speed of the current.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift_kn: Value<f64>,
    /// Depth below the transducer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_m: Value<f64>,
    /// Transducer to the water line (positive) or to the keel (negative).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_offset_m: Value<f64>,
    /// Range scale of the sounder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_range_m: Value<f64>,
    /// Depth below the surface, said as such (DBS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_surface_m: Value<f64>,
    /// Depth below the keel, said as such (DBK).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_keel_m: Value<f64>,
    /// Sea temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub water_c: Value<f64>,
    /// Apparent wind angle from the bow, 0 to 360 clockwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind_apparent_deg: Value<f64>,
    /// Apparent wind speed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind_apparent_kn: Value<f64>,
    /// True wind angle over the water from the bow, 0 to 360 clockwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind_true_deg: Value<f64>,
    /// True wind speed over the water.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind_true_kn: Value<f64>,
    /// Direction the wind over the ground blows from, degrees true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind_direction_true_deg: Value<f64>,
    /// Direction the wind over the ground blows from, degrees magnetic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind_direction_magnetic_deg: Value<f64>,
    /// Speed of the wind over the ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind_ground_kn: Value<f64>,
    /// Air temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub air_c: Value<f64>,
    /// Barometer, hPa.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressure_hpa: Value<f64>,
    /// Relative humidity, percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub humidity_percent: Value<f64>,
    /// Dew point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dew_point_c: Value<f64>,
    /// Rudder (starboard or single), starboard positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rudder_deg: Value<f64>,
    /// Port rudder, starboard positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rudder_port_deg: Value<f64>,
    /// Pitch, bow up positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pitch_deg: Value<f64>,
    /// Heel, starboard down positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heel_deg: Value<f64>,
    /// Engines, first come first kept, by number; places never used have all values `None`.
    pub engines: [Option<Engine>; 8],
    /// Transducers, kept by name and type.
    pub transducers: [Option<Known<Transducer>>; 32],
    /// Destination and leg.
    pub route: Route,
    /// Identity for AIS.
    pub own: Own,
}

//! One sentence: framing, checksum, fields, TAG blocks, decode and encode.
//!
//! There is ONE table of formatters ([`table`]): per sentence a struct whose `fields` visits its fields once, in wire
//! order, with name and meaning. Reader, writer, JSON, inspector, documentation and the random filler of the round-trip
//! test are visitors over that one list. Must not know where sentences come from or go to.

use crate::core::frame::Origin;
use crate::core::time::Moment;

pub mod table;

/// When a sentence was heard, and from whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// The source's own time, and UTC where that is known.
    pub at: Moment,
    /// Who said it.
    pub origin: Origin,
}

/// How a sentence is to be said: what a profile may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style<'a> {
    /// Two letters, in place of the formatter's usual talker; empty: the usual one (GN or GP by the systems simulated).
    pub talker: &'a str,
    /// Decimals of the minutes of positions, 2 to 8.
    pub decimals: u8,
    /// Fields of NMEA 2.3 or 4.10.
    pub version: Version,
    /// APB bearings magnetic instead of true.
    pub magnetic_bearings: bool,
}

impl Default for Style<'_> {
    fn default() -> Self {
        Style { talker: "", decimals: 4, version: Version::V23, magnetic_bearings: false }
    }
}

/// Versions of NMEA 0183 that differ in their fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// 2.3, the default: mode letter, no navigational status, no system or signal id.
    #[default]
    V23,
    /// 4.10: navigational status in RMC and GNS, system id in GSA, signal id in GSV and GBS.
    V410,
}

/// How often a sentence comes, for the schedule and for what counts as lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cadence {
    /// Regularly.
    Steady,
    /// Regularly, but seldom: lost only after half a minute.
    Slow,
    /// Several make one epoch (GSV, GSA, GRS); counted once an epoch.
    Epoch,
    /// When something happens: never lost or slow.
    Event,
    /// Ends when navigation ends.
    WhileNavigating,
}

/// What a row of the table says of a sentence.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The id of profiles and filters: `MWV-R`.
    pub id: &'static str,
    /// Three letters: `MWV`.
    pub formatter: &'static str,
    /// Its name in words.
    pub title: &'static str,
    /// The usual talker.
    pub talker: &'static str,
    /// Period in the default profile, milliseconds; `None`: off unless enabled.
    pub period_ms: Option<u32>,
    /// Period when it is enabled without one, milliseconds.
    pub usual_ms: u32,
    /// How it comes.
    pub cadence: Cadence,
    /// On a line that is too slow the higher number goes first.
    pub priority: u8,
    /// The fields (from 0) that tell kinds apart: MWV reference, RPM number, XDR names, GSA system.
    pub sub_key: &'static [u8],
    /// Field counts that were seen right, over all versions.
    pub field_counts: &'static [u8],
    /// Whether the simulation can say it.
    pub said: bool,
}

/// What was wrong with the fields of a sentence whose checksum is right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Fields that do not parse or are out of range: refused one by one.
    pub bad: u8,
    /// Fields that the formatter has and the sentence lacks.
    pub missing: u8,
    /// Fields behind the last one known.
    pub extra: u8,
}

//! One sentence: framing, checksum, fields, TAG blocks, decode and encode.
//!
//! There is ONE table of formatters ([`table`]): per sentence a struct whose `fields` visits its fields once, in wire
//! order, with name and meaning. Reader, writer, JSON, inspector, documentation and the random filler of the round-trip
//! test are visitors over that one list. Must not know where sentences come from or go to.

use crate::core::frame::Origin;
use crate::core::time::Moment;
use crate::core::vessel::{Known, Value, Vessel};

mod accuracy;
mod alarms;
mod depth;
pub mod digits;
pub mod docs;
pub mod encapsulated;
pub mod framing;
mod gnss;
#[cfg(test)]
mod golden;
mod heading;
pub mod inspect;
pub mod joined;
pub mod json;
mod machinery;
pub mod makers;
pub mod ndjson;
mod parse;
mod pilot;
pub mod reader;
#[cfg(test)]
mod roundtrip;
#[cfg(test)]
mod rules;
mod satellites;
mod speed;
pub mod table;
pub mod tag;
pub mod targets;
mod transducers;
mod water;
mod waypoints;
mod wind;
pub mod wire;
pub mod writer;

pub use table::Formatter;
use wire::Wire;

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
    /// Letters of a waypoint's name that are written, at least 1.
    pub waypoint_letters: u8,
}

impl Default for Style<'_> {
    fn default() -> Self {
        Style { talker: "", decimals: 4, version: Version::V23, magnetic_bearings: false, waypoint_letters: 6 }
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
    /// `$`, or `!` for encapsulated ones.
    pub delimiter: u8,
    /// Its name in words.
    pub title: &'static str,
    /// The usual talker; empty for proprietary ones.
    pub talker: &'static str,
    /// Period in the default profile, milliseconds; `None`: off unless enabled.
    pub period_ms: Option<u32>,
    /// Period when it is enabled without one, milliseconds.
    pub usual_ms: u32,
    /// How it comes.
    pub cadence: Cadence,
    /// 0 to 9. On a line that is too slow the lowest gives way first, the highest is kept longest.
    pub priority: u8,
    /// The fields (from 0) that tell kinds apart: MWV reference, RPM number, XDR names, GSA system.
    pub sub_key: &'static [u8],
    /// Field counts that were seen right, over all versions.
    pub field_counts: &'static [u8],
    /// Whether the simulation can say it.
    pub said: bool,
}

impl About {
    /// What a row says unless it says otherwise: a steady sentence of the usual priority, off, said each second.
    pub const USUAL: About = About {
        id: "",
        formatter: "",
        delimiter: b'$',
        title: "",
        talker: "",
        period_ms: None,
        usual_ms: 1000,
        cadence: Cadence::Steady,
        priority: 5,
        sub_key: &[],
        field_counts: &[],
        said: true,
    };

    /// As [`About::USUAL`], but only heard.
    pub const HEARD: About = About { said: false, ..About::USUAL };
}

/// One sentence: its fields, what hearing it tells, and what the vessel says with it.
pub trait Sentence: Default {
    /// Its row in the table.
    const ABOUT: About;

    /// Visits every field once, in wire order. Decoder, encoder, JSON, inspector and documentation follow from this.
    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W);

    /// What hearing it tells about the vessel. Default: nothing.
    fn apply(&self, _heard: &Hearing<'_>, _vessel: &mut Vessel) {}

    /// What the vessel has to say with it now: none, one, several. Default: it is only heard.
    fn say(_vessel: &Vessel, _now: Moment, _style: &Style<'_>, _tell: &mut Tell<'_, Self>) {}

    /// Leaves out what the sentence can do without, because it would be too long. `false`: nothing.
    fn shorten(&mut self) -> bool {
        false
    }
}

/// How a sentence came, for [`Sentence::apply`].
#[derive(Clone, Copy, Debug)]
pub struct Hearing<'a> {
    /// Two letters, or `P`.
    pub talker: &'a [u8],
    /// When, and from whom.
    pub heard: Heard,
}

impl Hearing<'_> {
    /// Keeps a value that the sentence has; one that it lacks leaves the old one, with its age.
    pub fn set<T>(&self, place: &mut Value<T>, value: Option<T>) {
        if let Some(value) = value {
            *place = Some(Known { value, at: self.heard.at.offset, origin: self.heard.origin });
        }
    }
}

/// Takes the sentences that a vessel says.
pub struct Tell<'a, S> {
    usual: &'a str,
    forced: &'a str,
    to: &'a mut dyn FnMut(&str, S),
}

impl<S> Tell<'_, S> {
    /// A sentence with the usual talker of its row.
    pub fn say(&mut self, sentence: S) {
        let talker = if self.forced.is_empty() { self.usual } else { self.forced };
        (self.to)(talker, sentence);
    }

    /// A sentence with another talker, unless the profile has chosen one.
    pub fn say_as(&mut self, talker: &str, sentence: S) {
        let talker = if self.forced.is_empty() { talker } else { self.forced };
        (self.to)(talker, sentence);
    }

    /// A sentence whose talker is a part of what it says (GSV), whatever the profile has chosen.
    pub fn say_only_as(&mut self, talker: &str, sentence: S) {
        (self.to)(talker, sentence);
    }
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

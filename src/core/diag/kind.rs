//! The kinds of findings: name, severity, title, and what to try, in plain words.
//!
//! One table. The thresholds stand with the rules that use them, as named constants.

use serde::{Deserialize, Serialize};

/// How bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something does not work.
    Error,
    /// Something is likely to cause trouble.
    Warning,
    /// Good to know; nothing needs to be done.
    Note,
}

impl Severity {
    /// As a word for tables: ERR, WARN, NOTE.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "ERR",
            Severity::Warning => "WARN",
            Severity::Note => "NOTE",
        }
    }
}

/// What was found. Title and advice of each are in the table behind [`Kind::about`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is titled and explained in the table below")]
#[repr(u8)]
pub enum Kind {
    NoData,
    WrongBaud,
    Inverted,
    ChecksumErrors,
    Lost,
    DeviceGone,
    Slow,
    Jitter,
    Latency,
    Load,
    NoFix,
    FixLost,
    FewSatellites,
    Hdop,
    Jump,
    Frozen,
    WeekRollover,
    LocalTime,
    DateJump,
    NotReal,
    Datum,
    OnlyGn,
    TwoPositions,
    TwoHeadings,
    TwoDepths,
    TwoWinds,
    TwoPilots,
    Echo,
    DatagramsTwice,
    PeerCloses,
    HeadingRange,
    HeadingStuck,
    HeadingsDiffer,
    CogAsHeading,
    HeadingOffset,
    Variation,
    NoVariation,
    NoVariationSaid,
    WindStuck,
    WindInvalid,
    PaddleWheel,
    DepthLost,
    NoSoundings,
    DepthsDiffer,
    LineEnds,
    NoChecksum,
    ShortChecksum,
    EightBit,
    Nuls,
    IllegalCharacters,
    FieldCount,
    LongSentences,
    Proprietary,
    UnknownType,
    RouteDisagrees,
    TagLoss,
    AisParts,
    AisChannel,
    AisNoOwn,
    AisOwnSilent,
    AisOwnReceived,
    AisNoMmsi,
    AisNoStatic,
    AisNoPosition,
    Alarm,
    DeviceText,
    LowVolts,
    ClockBreak,
}

/// What is said of a kind of finding.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Which.
    pub kind: Kind,
    /// Usually.
    pub severity: Severity,
    /// In a few words.
    pub title: &'static str,
    /// What it may be, and what to try.
    pub advice: &'static str,
}

const fn about(kind: Kind, severity: Severity, title: &'static str, advice: &'static str) -> About {
    About { kind, severity, title, advice }
}

use Severity::{Error, Note, Warning};

/// Every kind, in the order of the enum.
pub static KINDS: &[About] = &[
    about(
        Kind::NoData,
        Error,
        "No data",
        "Is the device on, the cable in, the right input chosen? Over a network: is the sender still there?",
    ),
    about(
        Kind::WrongBaud,
        Error,
        "Wrong baud rate",
        "Set the rate of the sender (4800 for most instruments, 38400 for AIS), or let the baud scan find it.",
    ),
    about(
        Kind::Inverted,
        Error,
        "Inverted polarity",
        "The two wires are exchanged: swap A and B (or + and -) at the connector.",
    ),
    about(
        Kind::ChecksumErrors,
        Error,
        "Checksum errors",
        "See where they fall: at the end of bursts the line is overloaded, spread evenly it is wiring, ground or interference.",
    ),
    about(
        Kind::Lost,
        Error,
        "Sentence lost",
        "Check power and wiring of that instrument, and filters of a multiplexer on the way.",
    ),
    about(
        Kind::DeviceGone,
        Error,
        "Device gone",
        "Everything this talker said has stopped at once: its power, its fuse, its cable.",
    ),
    about(
        Kind::Slow,
        Warning,
        "Sentence slow",
        "Comes at half its rate or less: a line or multiplexer that is overloaded, or a setting of the instrument.",
    ),
    about(
        Kind::Jitter,
        Warning,
        "Uneven timing",
        "Sentences wait behind others. Send fewer, or raise the baud rate; pilots want heading evenly.",
    ),
    about(
        Kind::Latency,
        Warning,
        "Latency grows",
        "A buffer upstream fills: more is sent into it than leaves it. Send less, or raise the rate of the slower side.",
    ),
    about(
        Kind::Load,
        Warning,
        "Line overloaded",
        "The line carries nearly all it can. Raise the baud rate, or leave out what nobody needs (GSV first).",
    ),
    about(
        Kind::NoFix,
        Error,
        "No fix",
        "The receiver has not found its position: antenna, its view of the sky, its cable.",
    ),
    about(
        Kind::FixLost,
        Error,
        "Fix lost",
        "The receiver had a position and lost it: antenna cable, interference, a metal roof or bridge.",
    ),
    about(
        Kind::FewSatellites,
        Warning,
        "Few satellites",
        "The fix stands on few satellites: antenna low or covered, damaged cable.",
    ),
    about(
        Kind::Hdop,
        Warning,
        "Poor geometry (HDOP)",
        "Satellites stand badly: part of the sky is covered. Move the antenna up and free.",
    ),
    about(
        Kind::Jump,
        Warning,
        "Position jumps",
        "No boat moves like this: interference, reflections, or two receivers under one name.",
    ),
    about(
        Kind::Frozen,
        Warning,
        "Position frozen",
        "Speed says moving, position stands still: a receiver or gateway repeats old data. Restart it.",
    ),
    about(
        Kind::WeekRollover,
        Warning,
        "Date 1024 weeks off",
        "The receiver's week counter ran over (7168 days): firmware update, or a receiver that is younger.",
    ),
    about(
        Kind::LocalTime,
        Warning,
        "Time whole hours off",
        "A device sends local time as UTC: set its zone offset for NMEA output to 0.",
    ),
    about(
        Kind::DateJump,
        Warning,
        "Date jumped 1024 weeks",
        "The receiver's week counter ran over inside this log (7168 days).",
    ),
    about(
        Kind::NotReal,
        Warning,
        "Not a real position",
        "The device simulates, reckons or was set by hand. Switch its demo mode off; look for a lost antenna.",
    ),
    about(
        Kind::Datum,
        Warning,
        "Other datum than WGS84",
        "Positions are off by up to hundreds of metres on a chart in WGS84: set the receiver to W84.",
    ),
    about(
        Kind::OnlyGn,
        Note,
        "Talker GN only",
        "Sets built for GP ignore GN: set the receiver to talker GP, or let a multiplexer rename it.",
    ),
    about(
        Kind::TwoPositions,
        Warning,
        "Two positions disagree",
        "Two receivers say different places. One is wrong, or works on another datum: choose one source.",
    ),
    about(
        Kind::TwoHeadings,
        Warning,
        "Two headings disagree",
        "Two compasses differ by more than their errors: deviation, mounting, or variation applied wrongly.",
    ),
    about(
        Kind::TwoDepths,
        Warning,
        "Two depths disagree",
        "Two sounders, or one with another offset: set offsets alike, or choose one.",
    ),
    about(
        Kind::TwoWinds,
        Warning,
        "Two winds disagree",
        "Two wind instruments differ: offset of a masthead unit, or one is fouled.",
    ),
    about(
        Kind::TwoPilots,
        Error,
        "Two masters for the pilot",
        "Two devices steer the pilot (APB or RMB): switch the route off in one of them, before it steers.",
    ),
    about(
        Kind::Echo,
        Error,
        "Echo or loop",
        "Something sends back what it received: look for an output wired to its own input, or two gateways bridging one network.",
    ),
    about(
        Kind::DatagramsTwice,
        Warning,
        "Datagrams arrive twice",
        "The same network reaches this input over two interfaces, or two senders repeat each other: use one.",
    ),
    about(
        Kind::PeerCloses,
        Warning,
        "Peer closes the connection",
        "The other end hangs up again and again: its limit of clients, or a time-out because it expects data.",
    ),
    about(
        Kind::HeadingRange,
        Warning,
        "Heading out of range",
        "Below 0 or above 360: the device counts wrongly; receivers drop such sentences.",
    ),
    about(
        Kind::HeadingStuck,
        Warning,
        "Heading stuck",
        "The boat turned, the heading did not: compass blocked, without power, or its output frozen.",
    ),
    about(
        Kind::HeadingsDiffer,
        Warning,
        "Headings do not fit together",
        "True, magnetic and variation contradict each other: look where variation and deviation are applied.",
    ),
    about(
        Kind::CogAsHeading,
        Warning,
        "Course sold as heading",
        "The heading is the course over ground, made by the GPS: no compass is connected. Useless below walking speed.",
    ),
    about(
        Kind::HeadingOffset,
        Warning,
        "Heading off the course",
        "Heading and course differ by a constant: compass turned in its mount, or a strong current.",
    ),
    about(
        Kind::Variation,
        Warning,
        "Variation wrong",
        "Differs from the magnetic model: a fixed variation set by hand, an old model, or a wrong date.",
    ),
    about(
        Kind::NoVariation,
        Warning,
        "Variation missing for the pilot",
        "The route is true and nobody says the variation: pilots with a magnetic compass cannot use it. Send RMC or HDG with it, or magnetic APB.",
    ),
    about(
        Kind::NoVariationSaid,
        Note,
        "Variation not said",
        "Many receivers never say it. Displays then need it set by hand, or show true.",
    ),
    about(
        Kind::WindStuck,
        Warning,
        "Wind angle stuck",
        "There is wind and the vane does not move: vane blocked, or the transmitter repeats itself.",
    ),
    about(
        Kind::WindInvalid,
        Warning,
        "Wind not valid",
        "The instrument itself calls its data void: cable to the masthead, or the unit there.",
    ),
    about(
        Kind::PaddleWheel,
        Warning,
        "Speed through the water too low",
        "The boat moves and the log does not: paddle wheel fouled, or pulled in.",
    ),
    about(
        Kind::DepthLost,
        Warning,
        "Depth lost",
        "The sounder gave up in shallow water: transducer fouled, air under it, or its cable.",
    ),
    about(Kind::NoSoundings, Note, "No bottom", "Beyond the reach of the sounder; nothing needs to be done."),
    about(
        Kind::DepthsDiffer,
        Warning,
        "Depth sentences disagree",
        "DPT and DBT, DBS or DBK contradict each other: the offset is applied in one of them only.",
    ),
    about(
        Kind::LineEnds,
        Warning,
        "Line ends are not CR LF",
        "Strict listeners drop such sentences: set the sender to CR LF.",
    ),
    about(
        Kind::NoChecksum,
        Warning,
        "Sentences without checksum",
        "Strict listeners drop them, and nobody can tell when they are damaged.",
    ),
    about(
        Kind::ShortChecksum,
        Warning,
        "Checksum badly written",
        "One digit or small letters: strict listeners drop such sentences.",
    ),
    about(
        Kind::EightBit,
        Warning,
        "Bytes beyond ASCII",
        "Accents in names, or a binary protocol on the same line: strict listeners drop such sentences.",
    ),
    about(
        Kind::Nuls,
        Warning,
        "NUL bytes",
        "A sender that powers down badly, or a wrong line setting: strict listeners drop what surrounds them.",
    ),
    about(
        Kind::IllegalCharacters,
        Warning,
        "Reserved characters in fields",
        "They begin, end or escape something: strict listeners drop such sentences.",
    ),
    about(
        Kind::FieldCount,
        Warning,
        "Wrong number of fields",
        "The sentence is not built as its standard says: strict listeners drop it.",
    ),
    about(Kind::LongSentences, Note, "Longer than 82 characters", "Old receivers cut or drop them."),
    about(Kind::Proprietary, Note, "Proprietary sentences", "Only devices of the same maker understand them."),
    about(
        Kind::UnknownType,
        Note,
        "Unknown sentences",
        "Not in the standard, or newer than this program; passed on unread.",
    ),
    about(
        Kind::RouteDisagrees,
        Warning,
        "Route sentences disagree",
        "APB, RMB and XTE of one moment contradict each other: two navigators, or one that rounds badly.",
    ),
    about(
        Kind::TagLoss,
        Warning,
        "Lines lost on the way",
        "The TAG numbers have holes: packets lost on the network, or a queue that overflows.",
    ),
    about(
        Kind::AisParts,
        Warning,
        "AIS parts missing",
        "Long messages lose parts: an overloaded line (38400 baud is the least for AIS), or a filter that drops some.",
    ),
    about(
        Kind::AisChannel,
        Warning,
        "AIS on one channel only",
        "Half of the traffic is missed: a one-channel receiver, or its antenna or tuner is faulty on the other.",
    ),
    about(
        Kind::AisNoOwn,
        Note,
        "No own AIS reports",
        "Others are heard and the own transponder says nothing: a receiver without transmitter, silent mode, or its output is off.",
    ),
    about(
        Kind::AisOwnSilent,
        Warning,
        "Own AIS reports stopped",
        "The transponder no longer says its own position: silent mode, no GPS, a fault of the unit.",
    ),
    about(
        Kind::AisOwnReceived,
        Warning,
        "Own MMSI received",
        "Another station sends with this boat's number, or the own signal comes back by a network.",
    ),
    about(
        Kind::AisNoMmsi,
        Warning,
        "MMSI is 0",
        "The transponder was never set up: others cannot tell this boat. Dealers and coast guards set it.",
    ),
    about(
        Kind::AisNoStatic,
        Note,
        "No own static data",
        "Name and size of the own boat were never said: program the transponder, or its output leaves them out.",
    ),
    about(
        Kind::AisNoPosition,
        Note,
        "No own position",
        "Without one there is no range and no closest approach: connect a GPS to this input as well.",
    ),
    about(Kind::Alarm, Warning, "Alarm of a device", "In the device's own words; look into its manual."),
    about(Kind::DeviceText, Note, "A device says", "In its own words."),
    about(
        Kind::LowVolts,
        Warning,
        "Low battery voltage",
        "Below 11.8 V a 12 V battery is nearly empty, or a cable drops too much: measure at the battery and at the device.",
    ),
    about(
        Kind::ClockBreak,
        Note,
        "Breaks in the clock of the log",
        "Times jump: recordings put together, or a receiver that set its clock.",
    ),
];

impl Kind {
    /// Severity, title and advice.
    pub fn about(self) -> &'static About {
        // The order is tested.
        &KINDS[self as usize]
    }

    /// As JSON and scripts name it: `checksum_errors`.
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_kinds() {
        for (i, row) in KINDS.iter().enumerate() {
            assert_eq!(row.kind as usize, i, "{:?}", row.kind);
            assert!(row.title.len() <= 32 && row.advice.ends_with('.') | row.advice.ends_with('?'), "{:?}", row.kind);
        }
        assert_eq!(KINDS.len(), Kind::ClockBreak as usize + 1);
        assert_eq!(Kind::ChecksumErrors.name(), "checksum_errors");
    }
}

//! The messages of ITU-R M.1371-5, annex 8: one struct and one list of fields each.
//!
//! Decoded: 1 to 5, 8, 9, 11, 12, 14, 18, 19, 21, 24 (both parts), 27. The others are recognised by their type.

use super::armour::Bits;
use super::fields::{Field, Reader, Scale, Slot, Turn, Visitor, Writer};
use super::{mmsi, words};
use crate::core::time::Utc;

/// What every message begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// 1 to 27; others are not AIS.
    pub kind: u8,
    /// How often it was repeated; 3 is "no more".
    pub repeat: u8,
    /// Who speaks.
    pub mmsi: u32,
}

/// A message: who says what.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Type and sender.
    pub header: Header,
    /// The rest, by type.
    pub body: Body,
}

/// What a message says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Body {
    /// 1, 2, 3.
    Position(Position),
    /// 4, 11.
    Station(Station),
    /// 5.
    Voyage(Voyage),
    /// 8.
    Binary(Binary),
    /// 9.
    Aircraft(Aircraft),
    /// 12.
    Addressed(Addressed),
    /// 14.
    Safety(Safety),
    /// 18.
    PositionB(PositionB),
    /// 19.
    ExtendedB(ExtendedB),
    /// 21.
    Aid(Aid),
    /// 24 part A.
    NameB(NameB),
    /// 24 part B.
    CraftB(CraftB),
    /// 27.
    LongRange(LongRange),
    /// Recognised by its type only.
    Other(Binary),
}

/// Messages 1, 2, 3.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct Position {
    pub nav_status: Option<u32>,
    pub turn: Option<Turn>,
    pub speed_kn: Option<f64>,
    pub accuracy: Option<u32>,
    pub longitude: Option<f64>,
    pub latitude: Option<f64>,
    pub course_true_deg: Option<f64>,
    pub heading_true_deg: Option<f64>,
    pub second: Option<u32>,
    pub maneuver: Option<u32>,
    pub raim: Option<u32>,
    pub radio: u32,
}

impl Position {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.code("nav_status", "navigational status", 4, words::nav_status, &mut self.nav_status);
        let what = "rate of turn, starboard positive";
        v.field(Field { name: "rate_of_turn_deg_min", what }, Slot::Turn { value: &mut self.turn });
        v.scaled("speed_kn", "speed over ground; 102.2 is that or more", Scale::SPEED, &mut self.speed_kn);
        place(v, &mut self.accuracy, &mut self.longitude, &mut self.latitude);
        v.scaled("course_true_deg", "course over ground, true", Scale::COURSE, &mut self.course_true_deg);
        v.scaled("heading_true_deg", "heading, true", Scale::HEADING, &mut self.heading_true_deg);
        v.code("second", "second of UTC at which the position was true", 6, words::second, &mut self.second);
        v.code("maneuver", "special manoeuvre", 2, words::maneuver, &mut self.maneuver);
        v.spare(3);
        v.code("raim", "receiver autonomous integrity monitoring in use", 1, words::yes, &mut self.raim);
        v.aside("radio", "communication state", 19, &mut self.radio);
    }
}

/// Messages 4 and 11.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct Station {
    pub datetime: Option<Utc>,
    pub accuracy: Option<u32>,
    pub longitude: Option<f64>,
    pub latitude: Option<f64>,
    pub epfd: Option<u32>,
    pub long_range: u32,
    pub raim: Option<u32>,
    pub radio: u32,
}

impl Station {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.field(Field { name: "datetime", what: "date and time, UTC" }, Slot::DateTime { value: &mut self.datetime });
        place(v, &mut self.accuracy, &mut self.longitude, &mut self.latitude);
        v.code("epfd", "position fixing device", 4, words::epfd, &mut self.epfd);
        v.aside("long_range", "transmission control for message 27", 1, &mut self.long_range);
        v.spare(9);
        v.code("raim", "receiver autonomous integrity monitoring in use", 1, words::yes, &mut self.raim);
        v.aside("radio", "communication state", 19, &mut self.radio);
    }
}

/// Message 5.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct Voyage {
    pub ais_version: Option<u32>,
    pub imo: Option<u32>,
    pub callsign: String,
    pub name: String,
    pub ship_type: Option<u32>,
    pub dimensions_m: Option<[u16; 4]>,
    pub epfd: Option<u32>,
    pub eta_month: Option<u32>,
    pub eta_day: Option<u32>,
    pub eta_hour: Option<u32>,
    pub eta_minute: Option<u32>,
    pub draught_m: Option<f64>,
    pub destination: String,
    pub dte: Option<u32>,
}

impl Voyage {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.code("ais_version", "edition of the standard", 2, words::ais_version, &mut self.ais_version);
        v.number_or("imo", "IMO ship number", 30, 0, &mut self.imo);
        v.text("callsign", "radio call sign", 7, &mut self.callsign);
        v.text("name", "name of the ship", 20, &mut self.name);
        craft(v, &mut self.ship_type);
        dimensions(v, &mut self.dimensions_m);
        v.code("epfd", "position fixing device", 4, words::epfd, &mut self.epfd);
        v.number_or("eta_month", "expected arrival, month", 4, 0, &mut self.eta_month);
        v.number_or("eta_day", "expected arrival, day", 5, 0, &mut self.eta_day);
        v.number_or("eta_hour", "expected arrival, hour UTC", 5, 24, &mut self.eta_hour);
        v.number_or("eta_minute", "expected arrival, minute", 6, 60, &mut self.eta_minute);
        v.scaled("draught_m", "greatest present draught; 25.5 is that or more", Scale::DRAUGHT, &mut self.draught_m);
        v.text("destination", "destination", 20, &mut self.destination);
        v.code("dte", "data terminal", 1, words::dte, &mut self.dte);
        v.spare(1);
    }
}

/// Message 8, and what is left of a message that is only recognised.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct Binary {
    pub dac: Option<u32>,
    pub fid: Option<u32>,
    pub data: Bits,
}

impl Binary {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.spare(2);
        v.number("dac", "designated area code of the application", 10, &mut self.dac);
        v.number("fid", "function of the application", 6, &mut self.fid);
        v.field(Field { name: "data_hex", what: "the application's own bits" }, Slot::Data { value: &mut self.data });
    }
}

/// Message 9.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct Aircraft {
    pub altitude_m: Option<f64>,
    pub speed_kn: Option<f64>,
    pub accuracy: Option<u32>,
    pub longitude: Option<f64>,
    pub latitude: Option<f64>,
    pub course_true_deg: Option<f64>,
    pub second: Option<u32>,
    pub barometric: u32,
    pub dte: Option<u32>,
    pub assigned: u32,
    pub raim: Option<u32>,
    pub radio: u32,
}

impl Aircraft {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.scaled("altitude_m", "altitude; 4094 is that or more", Scale::ALTITUDE, &mut self.altitude_m);
        v.scaled("speed_kn", "speed over ground", Scale::SPEED_AIRCRAFT, &mut self.speed_kn);
        place(v, &mut self.accuracy, &mut self.longitude, &mut self.latitude);
        v.scaled("course_true_deg", "course over ground, true", Scale::COURSE, &mut self.course_true_deg);
        v.code("second", "second of UTC at which the position was true", 6, words::second, &mut self.second);
        v.aside("barometric", "altitude by barometer, not GNSS", 1, &mut self.barometric);
        v.spare(7);
        v.code("dte", "data terminal", 1, words::dte, &mut self.dte);
        v.spare(3);
        v.aside("assigned", "in assigned mode", 1, &mut self.assigned);
        v.code("raim", "receiver autonomous integrity monitoring in use", 1, words::yes, &mut self.raim);
        v.aside("radio", "communication state", 20, &mut self.radio);
    }
}

/// Message 12.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct Addressed {
    pub sequence: Option<u32>,
    pub destination_mmsi: Option<u32>,
    pub retransmit: Option<u32>,
    pub text: String,
}

impl Addressed {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.number("sequence", "sequence number", 2, &mut self.sequence);
        v.number("destination_mmsi", "to whom", 30, &mut self.destination_mmsi);
        v.code("retransmit", "sent again", 1, words::yes, &mut self.retransmit);
        v.spare(1);
        v.field(Field { name: "text", what: "safety related text" }, Slot::TextToEnd { value: &mut self.text });
    }
}

/// Message 14.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct Safety {
    pub text: String,
}

impl Safety {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.spare(2);
        v.field(Field { name: "text", what: "safety related text" }, Slot::TextToEnd { value: &mut self.text });
    }
}

/// Message 18.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct PositionB {
    pub speed_kn: Option<f64>,
    pub accuracy: Option<u32>,
    pub longitude: Option<f64>,
    pub latitude: Option<f64>,
    pub course_true_deg: Option<f64>,
    pub heading_true_deg: Option<f64>,
    pub second: Option<u32>,
    pub cs: Option<u32>,
    pub display: Option<u32>,
    pub dsc: Option<u32>,
    pub band: Option<u32>,
    pub message_22: Option<u32>,
    pub assigned: Option<u32>,
    pub raim: Option<u32>,
    pub radio: u32,
}

impl PositionB {
    /// The communication state that a carrier sense unit sends (M.1371-5, table 70): selector 1, then 1100000000000000110.
    pub const CARRIER_SENSE: u32 = 0b1110_0000_0000_0000_0110;

    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.spare(8);
        v.scaled("speed_kn", "speed over ground; 102.2 is that or more", Scale::SPEED, &mut self.speed_kn);
        place(v, &mut self.accuracy, &mut self.longitude, &mut self.latitude);
        v.scaled("course_true_deg", "course over ground, true", Scale::COURSE, &mut self.course_true_deg);
        v.scaled("heading_true_deg", "heading, true", Scale::HEADING, &mut self.heading_true_deg);
        v.code("second", "second of UTC at which the position was true", 6, words::second, &mut self.second);
        v.spare(2);
        v.code("cs", "kind of unit", 1, words::carrier_sense, &mut self.cs);
        v.code("display", "has a display", 1, words::yes, &mut self.display);
        v.code("dsc", "has DSC", 1, words::yes, &mut self.dsc);
        v.code("band", "works on the whole band", 1, words::yes, &mut self.band);
        v.code("message_22", "obeys message 22", 1, words::yes, &mut self.message_22);
        v.code("assigned", "in assigned mode", 1, words::yes, &mut self.assigned);
        v.code("raim", "receiver autonomous integrity monitoring in use", 1, words::yes, &mut self.raim);
        v.aside("radio", "communication state", 20, &mut self.radio);
    }
}

/// Message 19.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct ExtendedB {
    pub speed_kn: Option<f64>,
    pub accuracy: Option<u32>,
    pub longitude: Option<f64>,
    pub latitude: Option<f64>,
    pub course_true_deg: Option<f64>,
    pub heading_true_deg: Option<f64>,
    pub second: Option<u32>,
    pub name: String,
    pub ship_type: Option<u32>,
    pub dimensions_m: Option<[u16; 4]>,
    pub epfd: Option<u32>,
    pub raim: Option<u32>,
    pub dte: Option<u32>,
    pub assigned: Option<u32>,
}

impl ExtendedB {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.spare(8);
        v.scaled("speed_kn", "speed over ground; 102.2 is that or more", Scale::SPEED, &mut self.speed_kn);
        place(v, &mut self.accuracy, &mut self.longitude, &mut self.latitude);
        v.scaled("course_true_deg", "course over ground, true", Scale::COURSE, &mut self.course_true_deg);
        v.scaled("heading_true_deg", "heading, true", Scale::HEADING, &mut self.heading_true_deg);
        v.code("second", "second of UTC at which the position was true", 6, words::second, &mut self.second);
        v.spare(4);
        v.text("name", "name of the ship", 20, &mut self.name);
        craft(v, &mut self.ship_type);
        dimensions(v, &mut self.dimensions_m);
        v.code("epfd", "position fixing device", 4, words::epfd, &mut self.epfd);
        v.code("raim", "receiver autonomous integrity monitoring in use", 1, words::yes, &mut self.raim);
        v.code("dte", "data terminal", 1, words::dte, &mut self.dte);
        v.code("assigned", "in assigned mode", 1, words::yes, &mut self.assigned);
        v.spare(4);
    }
}

/// Message 21.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct Aid {
    pub aid_type: Option<u32>,
    /// With its extension.
    pub name: String,
    pub accuracy: Option<u32>,
    pub longitude: Option<f64>,
    pub latitude: Option<f64>,
    pub dimensions_m: Option<[u16; 4]>,
    pub epfd: Option<u32>,
    pub second: Option<u32>,
    pub off_position: Option<u32>,
    pub status_bits: u32,
    pub raim: Option<u32>,
    pub is_virtual: Option<u32>,
    pub assigned: Option<u32>,
}

impl Aid {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.code("aid_type", "kind of aid to navigation", 5, words::aid_type, &mut self.aid_type);
        v.text("name", "name of the aid", 20, &mut self.name);
        place(v, &mut self.accuracy, &mut self.longitude, &mut self.latitude);
        dimensions(v, &mut self.dimensions_m);
        v.code("epfd", "position fixing device", 4, words::epfd, &mut self.epfd);
        v.code("second", "second of UTC at which the position was true", 6, words::second, &mut self.second);
        v.code("off_position", "off its position (floating aids)", 1, words::yes, &mut self.off_position);
        v.aside("status_bits", "status of light, racon, health", 8, &mut self.status_bits);
        v.code("raim", "receiver autonomous integrity monitoring in use", 1, words::yes, &mut self.raim);
        v.code("virtual", "there is no such thing in the water", 1, words::yes, &mut self.is_virtual);
        v.code("assigned", "in assigned mode", 1, words::yes, &mut self.assigned);
        v.spare(1);
        v.field(Field { name: "", what: "rest of the name" }, Slot::NameExtension { value: &mut self.name });
    }
}

/// Message 24 part A.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct NameB {
    pub name: String,
}

impl NameB {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.field(Field { name: "part", what: "part of message 24" }, Slot::Part { raw: 0, letter: "A" });
        v.text("name", "name of the ship", 20, &mut self.name);
        // 160 bits by the table; everybody sends 168, a whole slot.
        v.spare(8);
    }
}

/// Message 24 part B.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct CraftB {
    pub ship_type: Option<u32>,
    pub vendor: String,
    pub model: Option<u32>,
    pub serial: Option<u32>,
    pub callsign: String,
    pub dimensions_m: Option<[u16; 4]>,
    /// Of a craft whose MMSI begins with 98, in place of the dimensions.
    pub mothership_mmsi: Option<u32>,
    pub auxiliary: bool,
    pub epfd: Option<u32>,
}

impl CraftB {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.field(Field { name: "part", what: "part of message 24" }, Slot::Part { raw: 1, letter: "B" });
        craft(v, &mut self.ship_type);
        v.text("vendor", "maker of the unit", 3, &mut self.vendor);
        v.number("model", "model of the unit", 4, &mut self.model);
        v.number("serial", "serial number of the unit", 20, &mut self.serial);
        v.text("callsign", "radio call sign", 7, &mut self.callsign);
        if self.auxiliary {
            v.number_or("mothership_mmsi", "MMSI of the mother ship", 30, 0, &mut self.mothership_mmsi);
        } else {
            dimensions(v, &mut self.dimensions_m);
        }
        let (field, value) = (Field { name: "epfd", what: "position fixing device" }, &mut self.epfd);
        v.field(field, Slot::Code { bits: 4, absent: Some(0), words: words::epfd, value });
        v.spare(2);
    }
}

/// Message 27.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is named and explained in `fields`")]
pub struct LongRange {
    pub accuracy: Option<u32>,
    pub raim: Option<u32>,
    pub nav_status: Option<u32>,
    pub longitude: Option<f64>,
    pub latitude: Option<f64>,
    pub speed_kn: Option<f64>,
    pub course_true_deg: Option<f64>,
    pub gnss: Option<u32>,
}

impl LongRange {
    fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        v.code("position_accuracy", "position accuracy", 1, words::accuracy, &mut self.accuracy);
        v.code("raim", "receiver autonomous integrity monitoring in use", 1, words::yes, &mut self.raim);
        v.code("nav_status", "navigational status", 4, words::nav_status, &mut self.nav_status);
        v.scaled("longitude", "longitude, east positive", Scale::LONGITUDE_LONG_RANGE, &mut self.longitude);
        v.scaled("latitude", "latitude, north positive", Scale::LATITUDE_LONG_RANGE, &mut self.latitude);
        v.scaled("speed_kn", "speed over ground; 62 is that or more", Scale::SPEED_LONG_RANGE, &mut self.speed_kn);
        v.scaled("course_true_deg", "course over ground, true", Scale::COURSE_LONG_RANGE, &mut self.course_true_deg);
        v.code("gnss", "age of the position", 1, words::gnss_latency, &mut self.gnss);
        v.spare(1);
    }
}

fn place<V: Visitor + ?Sized>(
    v: &mut V,
    accuracy: &mut Option<u32>,
    longitude: &mut Option<f64>,
    latitude: &mut Option<f64>,
) {
    v.code("position_accuracy", "position accuracy", 1, words::accuracy, accuracy);
    v.scaled("longitude", "longitude, east positive", Scale::LONGITUDE, longitude);
    v.scaled("latitude", "latitude, north positive", Scale::LATITUDE, latitude);
}

fn craft<V: Visitor + ?Sized>(v: &mut V, value: &mut Option<u32>) {
    let field = Field { name: "ship_type", what: "type of ship and cargo" };
    v.field(field, Slot::Code { bits: 8, absent: Some(0), words: words::ship_type, value });
}

fn dimensions<V: Visitor + ?Sized>(v: &mut V, value: &mut Option<[u16; 4]>) {
    v.field(Field { name: "dimensions_m", what: "from the antenna to" }, Slot::Dimensions { value });
}

/// What was wrong with the bits of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Values that should not be used; they are absent.
    pub bad: u8,
    /// Bits that the type asks for and the message does not have; those fields are absent.
    pub missing: usize,
    /// Bits after the last field.
    pub extra: usize,
}

/// A message read, and what was wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// What it says.
    pub message: Message,
    /// What was wrong.
    pub faults: Faults,
}

/// Why a message could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Type, repeat indicator and MMSI take 38 bits.
    #[error("AIS message of {0} bits is too short: type and MMSI take 38")]
    Short(usize),
    /// Types are 1 to 27.
    #[error("AIS message type {0} does not exist (1 to 27)")]
    Kind(u8),
}

impl Message {
    /// Reads a message. One that is too short for its type keeps the fields it has.
    ///
    /// # Errors
    /// Fewer than 38 bits, or a type outside 1 to 27.
    pub fn decode(bits: &Bits) -> Result<Decoded, DecodeError> {
        let short = DecodeError::Short(bits.len());
        let kind = bits.unsigned(0, 6).ok_or(short)? as u8;
        let mmsi = bits.unsigned(8, 30).ok_or(short)?;
        if !(1..=27).contains(&kind) {
            return Err(DecodeError::Kind(kind));
        }
        let part = bits.unsigned(38, 2);
        let mut message = Message { header: Header { kind, repeat: 0, mmsi }, body: Body::of(kind, mmsi, part) };
        let mut reader = Reader::new(bits);
        message.fields(&mut reader);
        let faults = Faults { bad: reader.bad, missing: reader.missing, extra: reader.left() };
        Ok(Decoded { message, faults })
    }

    /// The bits of this message.
    pub fn encode(&self) -> Bits {
        let mut writer = Writer::default();
        self.clone().fields(&mut writer);
        writer.bits
    }

    /// Visits every field once, in the order of the bits. Reading, writing, JSON and inspector follow from this.
    pub fn fields<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        let Header { kind, repeat, mmsi } = self.header;
        let mut head = [Some(u32::from(kind)), Some(u32::from(repeat)), Some(mmsi)];
        v.code("type", "type of message", 6, |k| words::title(k as u8), &mut head[0]);
        v.number("repeat", "how often repeated; 3 no more", 2, &mut head[1]);
        v.number("mmsi", "who speaks", 30, &mut head[2]);
        let [kind, repeat, mmsi] = head.map(Option::unwrap_or_default);
        self.header = Header { kind: kind as u8, repeat: repeat as u8, mmsi };
        match &mut self.body {
            Body::Position(b) => b.fields(v),
            Body::Station(b) => b.fields(v),
            Body::Voyage(b) => b.fields(v),
            Body::Binary(b) => b.fields(v),
            Body::Aircraft(b) => b.fields(v),
            Body::Addressed(b) => b.fields(v),
            Body::Safety(b) => b.fields(v),
            Body::PositionB(b) => b.fields(v),
            Body::ExtendedB(b) => b.fields(v),
            Body::Aid(b) => b.fields(v),
            Body::NameB(b) => b.fields(v),
            Body::CraftB(b) => b.fields(v),
            Body::LongRange(b) => b.fields(v),
            Body::Other(b) => {
                let what = "not decoded: the rest of the message";
                v.field(Field { name: "data_hex", what }, Slot::Data { value: &mut b.data });
            }
        }
    }
}

impl Body {
    /// The empty body of a type. `part` tells the halves of message 24 apart.
    pub fn of(kind: u8, sender: u32, part: Option<u32>) -> Body {
        match kind {
            1..=3 => Body::Position(Position::default()),
            4 | 11 => Body::Station(Station::default()),
            5 => Body::Voyage(Voyage::default()),
            8 => Body::Binary(Binary::default()),
            9 => Body::Aircraft(Aircraft::default()),
            12 => Body::Addressed(Addressed::default()),
            14 => Body::Safety(Safety::default()),
            18 => Body::PositionB(PositionB::default()),
            19 => Body::ExtendedB(ExtendedB::default()),
            21 => Body::Aid(Aid::default()),
            24 if part == Some(0) => Body::NameB(NameB::default()),
            24 if part == Some(1) => {
                let auxiliary = mmsi::kind(sender) == mmsi::Kind::Auxiliary;
                Body::CraftB(CraftB { auxiliary, ..CraftB::default() })
            }
            27 => Body::LongRange(LongRange::default()),
            _ => Body::Other(Binary::default()),
        }
    }
}

//! Proprietary sentences that are recognised, and the names of makers for all others.
//!
//! None of them tells the vessel anything.

use super::wire::{Field, Form, Group, Measure, Slot, Text, TimeOfDay, Unit, Wire, unit};
use super::{About, Cadence, Sentence};
use crate::core::time::Date;

/// PGRME: Garmin, estimated errors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pgrme {
    horizontal: Measure,
    vertical: Measure,
    position: Measure,
}

const HORIZONTAL: &[Unit] = &[unit('M', "horizontal_error_m", 1)];
const VERTICAL: &[Unit] = &[unit('M', "vertical_error_m", 1)];
const POSITION: &[Unit] = &[unit('M', "position_error_m", 1)];

impl Sentence for Pgrme {
    const ABOUT: About = About {
        id: "PGRME",
        formatter: "PGRME",
        title: "Garmin: estimated position error",
        talker: "",
        field_counts: &[6],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("estimated horizontal error", HORIZONTAL, Form::Positive, &mut self.horizontal);
        w.measure("estimated vertical error", VERTICAL, Form::Positive, &mut self.vertical);
        w.measure("estimated error in space", POSITION, Form::Positive, &mut self.position);
    }
}

/// PGRMZ: Garmin, altitude.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pgrmz {
    altitude: Measure,
    fix: Option<i32>,
}

const ALTITUDE: &[Unit] = &[unit('f', "altitude_ft", 0), unit('M', "altitude_m", 1)];

impl Sentence for Pgrmz {
    const ABOUT: About = About {
        id: "PGRMZ",
        formatter: "PGRMZ",
        title: "Garmin: altitude",
        talker: "",
        field_counts: &[3],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("altitude", ALTITUDE, Form::Plain, &mut self.altitude);
        w.whole("fix", "1 none or user altitude, 2 barometer or 2D, 3 3D", 1, 9, &mut self.fix);
    }
}

/// PGRMM: Garmin, datum.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pgrmm {
    datum: Text<40>,
}

impl Sentence for Pgrmm {
    const ABOUT: About = About {
        id: "PGRMM",
        formatter: "PGRMM",
        title: "Garmin: map datum",
        talker: "",
        cadence: Cadence::Slow,
        field_counts: &[1],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.text("datum", "name of the datum in use", self.datum.place());
    }
}

/// PGHP: GateHouse, when a base station received the sentence that follows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pghp {
    date: Option<Date>,
    time: Option<TimeOfDay>,
    country: Option<i32>,
    region: Option<i32>,
    pss: Option<i32>,
    online: Option<i32>,
    checksum: Text<4>,
}

impl Sentence for Pghp {
    const ABOUT: About = About {
        id: "PGHP",
        formatter: "PGHP",
        title: "GateHouse: time of reception of the next sentence",
        talker: "",
        cadence: Cadence::Event,
        field_counts: &[13],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.unused("type of message, 1");
        w.field(Field { name: "date", what: "year, month, day" }, Slot::YearMonthDay(&mut self.date));
        w.field(Field { name: "time", what: "hour, minute, second, millisecond" }, Slot::SplitTime(&mut self.time));
        w.whole("country", "MID of the base station", 1, 999, &mut self.country);
        w.whole("region", "number of the region", 1, 999_999_999, &mut self.region);
        w.whole("pss", "number of the physical shore station", 1, 999_999_999, &mut self.pss);
        w.whole("online", "1 live, 0 buffered", 1, 9, &mut self.online);
        w.text("checksum_of_next", "checksum of the sentence that follows", self.checksum.place());
    }
}

/// PFLAU: FLARM, its own state and the nearest danger.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pflau {
    rx: Option<i32>,
    tx: Option<i32>,
    gps: Option<i32>,
    power: Option<i32>,
    alarm_level: Option<i32>,
    bearing: Option<f64>,
    alarm_type: Option<u32>,
    vertical: Option<f64>,
    distance: Option<f64>,
    id: Text<24>,
}

impl Sentence for Pflau {
    const ABOUT: About = About {
        id: "PFLAU",
        formatter: "PFLAU",
        title: "FLARM: state, nearest danger",
        talker: "",
        field_counts: &[9, 10],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("rx", "aircraft received", 1, 999, &mut self.rx);
        w.whole("tx", "1 transmitting", 1, 9, &mut self.tx);
        w.whole("gps", "0 none, 1 on the ground, 2 airborne", 1, 9, &mut self.gps);
        w.whole("power", "1 enough", 1, 9, &mut self.power);
        w.whole("alarm_level", "0 none to 3", 1, 9, &mut self.alarm_level);
        w.angle("relative_bearing_deg", "from the track, -180 to 180", Form::Signed180, &mut self.bearing);
        w.hex("alarm_type", "2 aircraft, 3 obstacle, 4 traffic, 41 zone (hexadecimal)", 1, &mut self.alarm_type);
        w.number("relative_vertical_m", "above us", 0, &mut self.vertical);
        w.positive("relative_distance_m", "horizontal", 0, &mut self.distance);
        if w.more(true) {
            w.text("id", "of the other aircraft", self.id.place());
        }
    }
}

/// PFLAA: FLARM, another aircraft.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pflaa {
    alarm_level: Option<i32>,
    north: Option<f64>,
    east: Option<f64>,
    vertical: Option<f64>,
    id_type: Option<i32>,
    id: Text<24>,
    track: Option<f64>,
    turn: Option<f64>,
    speed: Option<f64>,
    climb: Option<f64>,
    kind: Text<2>,
    newer: bool,
    no_track: Option<i32>,
    source: Option<i32>,
    rssi: Option<f64>,
}

impl Sentence for Pflaa {
    const ABOUT: About = About {
        id: "PFLAA",
        formatter: "PFLAA",
        title: "FLARM: another aircraft",
        talker: "",
        cadence: Cadence::Event,
        sub_key: &[5],
        field_counts: &[11, 12, 14],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("alarm_level", "0 none to 3", 1, 9, &mut self.alarm_level);
        w.number("relative_north_m", "north of us", 0, &mut self.north);
        w.number("relative_east_m", "east of us", 0, &mut self.east);
        w.number("relative_vertical_m", "above us", 0, &mut self.vertical);
        w.whole("id_type", "0 random, 1 ICAO, 2 FLARM", 1, 9, &mut self.id_type);
        w.text("id", "of the other aircraft", self.id.place());
        w.bearing("track_deg", "its track, true", &mut self.track);
        w.number("turn_rate", "degrees a second", 1, &mut self.turn);
        w.positive("ground_speed_m_s", "its speed over ground", 0, &mut self.speed);
        w.number("climb_m_s", "its rate of climb", 1, &mut self.climb);
        w.text("aircraft_type", "hexadecimal: 1 glider, 2 tow plane, 3 helicopter, 8 piston, 9 jet", self.kind.place());
        self.newer = w.more(self.newer);
        if self.newer {
            w.whole("no_track", "1 wants not to be tracked", 1, 1, &mut self.no_track);
            if w.more(true) {
                w.whole("source", "0 FLARM, 1 ADS-B, 3 ADS-R, 4 TIS-B, 6 mode S", 1, 99, &mut self.source);
                w.number("rssi_db", "strength of the signal", 1, &mut self.rssi);
            }
        }
    }
}

/// $STALK: a SeaTalk datagram.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stalk {
    bytes: [Option<u32>; 18],
    len: u8,
}

static DATAGRAM: Group = Group { name: "datagram", what: "byte", width: 1, most: 18, fixed: false, tail: 0 };

impl Sentence for Stalk {
    const ABOUT: About = About {
        id: "STALK",
        formatter: "ALK",
        title: "SeaTalk datagram",
        talker: "ST",
        cadence: Cadence::Event,
        sub_key: &[0],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        let mut i = 0;
        while w.another(&DATAGRAM, i, usize::from(self.len)) {
            let mut spare = None;
            w.hex("byte", "hexadecimal; the first is the command", 2, self.bytes.get_mut(i).unwrap_or(&mut spare));
            i += 1;
            self.len = self.len.max(i.min(18) as u8);
        }
    }
}

/// $PCDIN: NMEA 2000 inside NMEA 0183, SeaSmart.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pcdin {
    pgn: Option<u32>,
    time: Option<u32>,
    source: Option<u32>,
    data: Text<80>,
}

impl Sentence for Pcdin {
    const ABOUT: About = About {
        id: "PCDIN",
        formatter: "PCDIN",
        title: "NMEA 2000 message (SeaSmart)",
        talker: "",
        cadence: Cadence::Event,
        sub_key: &[0],
        field_counts: &[4],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.hex("pgn", "parameter group number (hexadecimal)", 6, &mut self.pgn);
        w.hex("timer", "time stamp (hexadecimal)", 8, &mut self.time);
        w.hex("source", "address of the device (hexadecimal)", 2, &mut self.source);
        w.text("data", "bytes in hexadecimal", self.data.place());
    }
}

/// !PDGY: NMEA 2000 inside NMEA 0183, Digital Yacht.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pdgy {
    pgn: Option<i32>,
    priority: Option<i32>,
    source: Option<i32>,
    destination: Option<i32>,
    time: Option<f64>,
    data: Text<80>,
}

impl Sentence for Pdgy {
    const ABOUT: About = About {
        id: "PDGY",
        formatter: "PDGY",
        title: "NMEA 2000 message (Digital Yacht)",
        talker: "",
        delimiter: b'!',
        cadence: Cadence::Event,
        sub_key: &[0],
        field_counts: &[6],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("pgn", "parameter group number", 1, 999_999, &mut self.pgn);
        w.whole("priority", "0 to 7", 1, 7, &mut self.priority);
        w.whole("source", "address of the device", 1, 255, &mut self.source);
        w.whole("destination", "address, 255 everybody", 1, 255, &mut self.destination);
        w.positive("timer_s", "time stamp", 3, &mut self.time);
        w.text("data", "bytes in base64", self.data.place());
    }
}

/// The maker behind the three letters of a proprietary address (`PGRME`: Garmin); `None` for unknown ones.
///
/// Manufacturer mnemonics of NMEA 0183, as gpsd's NMEA.adoc and the makers' own manuals list them.
pub fn maker(address: &[u8]) -> Option<&'static str> {
    let code = address.strip_prefix(b"P")?.get(..3)?;
    MAKERS.iter().find(|(known, _)| known.as_bytes() == code).map(|(_, name)| *name)
}

const MAKERS: &[(&str, &str)] = &[
    ("AMT", "Airmar"),
    ("ASH", "Ashtech"),
    ("CDI", "SeaSmart"),
    ("CSI", "Hemisphere"),
    ("DGY", "Digital Yacht"),
    ("FEC", "Furuno"),
    ("FLA", "FLARM"),
    ("GHP", "GateHouse"),
    ("GRM", "Garmin"),
    ("IXS", "iXblue"),
    ("JRC", "Japan Radio"),
    ("KWD", "Kenwood"),
    ("LCJ", "LCJ Capteurs"),
    ("MGN", "Magellan"),
    ("MTK", "MediaTek"),
    ("NKE", "nke"),
    ("QTM", "Quectel"),
    ("RAY", "Raymarine"),
    ("RWI", "Rockwell"),
    ("SAT", "Hemisphere"),
    ("SIM", "Simrad"),
    ("SMD", "ShipModul"),
    ("SRF", "SiRF"),
    ("STI", "SkyTraq"),
    ("STM", "STMicroelectronics"),
    ("STT", "Saab TransponderTech"),
    ("SXN", "Seatex"),
    ("TNL", "Trimble"),
    ("UBX", "u-blox"),
];

//! Words from devices: ALF, ALR, TXT, and DSC calls; STN, which numbers talkers.

use super::wire::{Text, TimeOfDay, Wire};
use super::{About, Cadence, Sentence};

/// ALR: an alarm and its state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alr {
    time: Option<TimeOfDay>,
    id: Option<i32>,
    condition: Option<u8>,
    acknowledged: Option<u8>,
    text: Text<80>,
}

impl Sentence for Alr {
    const ABOUT: About = About {
        id: "ALR",
        formatter: "ALR",
        title: "Alarm state",
        talker: "AI",
        cadence: Cadence::Event,
        sub_key: &[1],
        field_counts: &[5],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.time("time", "UTC of the last change", &mut self.time);
        w.whole("id", "number of the alarm at its source", 3, 999_999, &mut self.id);
        w.letter("condition", "A threshold exceeded, V not", b"AV", &mut self.condition);
        w.letter("acknowledged", "A acknowledged, V not", b"AV", &mut self.acknowledged);
        w.text("text", "in the device's own words", self.text.place());
    }
}

/// ALF: an alert of a bridge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alf {
    sentences: Option<i32>,
    sentence: Option<i32>,
    sequence: Option<i32>,
    time: Option<TimeOfDay>,
    category: Option<u8>,
    priority: Option<u8>,
    state: Option<u8>,
    manufacturer: Text<8>,
    id: Option<i32>,
    instance: Option<i32>,
    revision: Option<i32>,
    escalation: Option<i32>,
    text: Text<80>,
}

impl Sentence for Alf {
    const ABOUT: About = About {
        id: "ALF",
        formatter: "ALF",
        title: "Alert",
        talker: "IN",
        cadence: Cadence::Event,
        sub_key: &[8],
        field_counts: &[13],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("sentences", "sentences of this alert", 1, 9, &mut self.sentences);
        w.whole("sentence", "number of this one", 1, 9, &mut self.sentence);
        w.whole("sequence", "message identifier", 1, 9, &mut self.sequence);
        w.time("time", "UTC of the last change", &mut self.time);
        w.letter("category", "A, B, C", b"ABC", &mut self.category);
        w.letter("priority", "E emergency, A alarm, W warning, C caution", b"EAWC", &mut self.priority);
        let state = "A active, S silenced, N normal, O responsibility transferred, U rectified, V not acknowledged";
        w.letter("state", state, b"ASNOUV", &mut self.state);
        w.text("manufacturer", "for proprietary alerts", self.manufacturer.place());
        w.whole("id", "alert identifier", 1, 9_999_999, &mut self.id);
        w.whole("instance", "alert instance", 1, 999_999, &mut self.instance);
        w.whole("revision", "counts changes, 1 to 99", 1, 99, &mut self.revision);
        w.whole("escalation", "counts escalations, 0 to 9", 1, 9, &mut self.escalation);
        w.text("text", "in the device's own words", self.text.place());
    }
}

/// TXT: a text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Txt {
    sentences: Option<i32>,
    sentence: Option<i32>,
    id: Option<i32>,
    text: Text<80>,
}

impl Sentence for Txt {
    const ABOUT: About = About {
        id: "TXT",
        formatter: "TXT",
        title: "Text of a device",
        talker: "GP",
        cadence: Cadence::Event,
        sub_key: &[2],
        field_counts: &[4],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("sentences", "sentences of this text", 2, 99, &mut self.sentences);
        w.whole("sentence", "number of this one", 2, 99, &mut self.sentence);
        w.whole("id", "kind of text (u-blox: 0 error, 1 warning, 2 notice, 7 user)", 2, 99, &mut self.id);
        w.text("text", "in the device's own words", self.text.place());
    }
}

/// DSC: a digital selective call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dsc {
    format: Option<i32>,
    address: Text<16>,
    category: Option<i32>,
    nature: Option<i32>,
    communication: Option<i32>,
    position: Text<24>,
    time: Text<24>,
    distress: Text<16>,
    distress_nature: Option<i32>,
    acknowledgement: Option<u8>,
    expansion: Option<u8>,
}

impl Sentence for Dsc {
    const ABOUT: About = About {
        id: "DSC",
        formatter: "DSC",
        title: "Digital selective call",
        talker: "CD",
        cadence: Cadence::Event,
        field_counts: &[11],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("format", "12 distress, 16 all ships, 20 individual, 02 area, 14 group", 2, 99, &mut self.format);
        w.text("address", "MMSI (times ten) of the caller, or the called area", self.address.place());
        w.whole("category", "00 routine, 08 safety, 10 urgency, 12 distress", 2, 99, &mut self.category);
        w.whole("nature", "nature of distress, or first telecommand", 2, 99, &mut self.nature);
        w.whole("communication", "type of communication, or second telecommand", 2, 99, &mut self.communication);
        w.text("position", "position (quadrant, degrees, minutes), or channel", self.position.place());
        w.text("call_time", "UTC hhmm of the position, or telephone number", self.time.place());
        w.text("distress_address", "MMSI (times ten) of the ship in distress", self.distress.place());
        w.whole("distress_nature", "nature of its distress", 2, 99, &mut self.distress_nature);
        w.letter("acknowledgement", "R request, B acknowledgement, S neither", b"RBS", &mut self.acknowledgement);
        w.letter("expansion", "E: DSE follows", b"E", &mut self.expansion);
    }
}

/// STN: which of several devices with one talker speaks next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stn {
    number: Option<i32>,
}

impl Sentence for Stn {
    const ABOUT: About = About {
        id: "STN",
        formatter: "STN",
        title: "Number of the talker that follows",
        talker: "II",
        cadence: Cadence::Event,
        field_counts: &[1],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("talker_number", "00 to 99", 2, 99, &mut self.number);
    }
}

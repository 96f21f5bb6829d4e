//! Whole messages: golden sentences, public vectors, and every kind there and back.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::fields::{Slot, Visitor};
use super::own::{Report, Transponder};
use super::*;
use crate::core::frame::Origin;
use crate::core::time::SECOND;
use crate::core::vessel::{Fix, Known, Label, Position, Vessel};

fn known<T>(value: T) -> Option<Known<T>> {
    Some(Known { value, at: 0, origin: Origin::Source })
}

/// 37.9838 N 23.7275 E, 6.5 kn, 47.3, heading 45.0, turning -2.5, 12:34:56.78 UTC, MMSI 200000001.
fn state(class_a: bool) -> Vessel {
    let mut v = Vessel {
        position: known(Position { latitude: 37.9838, longitude: 23.7275 }),
        utc: known(1_790_080_496_780_000_000),
        sog_kn: known(6.5),
        cog_true_deg: known(47.3),
        heading_true_deg: known(45.0),
        rate_of_turn_deg_min: known(-2.5),
        ..Vessel::default()
    };
    v.gnss.fix = known(Fix::ThreeD);
    v.gnss.valid = known(true);
    v.gnss.quality = known(1);
    v.gnss.mode = known(b'A');
    v.route.destination = known(Label::new(b"AEGINA"));
    v.own.mmsi = 200_000_001;
    v.own.class_a = class_a;
    v.own.name = Label::new(b"NMEA SIMULATOR X");
    v.own.callsign = Label::new(b"SIM0001");
    v.own.ship_type = 37;
    v.own.dimensions_m = [8, 4, 2, 2];
    v.own.draught_m = 1.8;
    v
}

fn say(vessel: &Vessel, own: bool, reports: &[Report]) -> Vec<String> {
    let (mut t, mut lines) = (Transponder::new(), Vec::new());
    for report in reports {
        t.say(*report, vessel, "AI", own, &mut |l| lines.push(String::from_utf8_lossy(l).into_owned()));
    }
    lines
}

#[test]
fn the_own_ship_says_the_golden_sentences() {
    // Read back by pyais 3.3.1 and gpsdecode 3.22.
    assert_eq!(say(&state(true), true, &[Report::Dynamic]), ["!AIVDO,1,1,,,12vg20@vA11dWJ`Eg0R1nAKh0000,0*66"]);
    assert_eq!(
        say(&state(true), true, &[Report::Static]),
        [
            "!AIVDO,2,1,0,,52vg20H00001<To3334plD61<TmDh5@u:1P0000U1042240Ht4PAAjCP@000,0*23",
            "!AIVDO,2,2,0,,00000000000,2*67"
        ]
    );
    assert_eq!(say(&state(true), false, &[Report::Dynamic]), ["!AIVDM,1,1,,A,12vg20@vA11dWJ`Eg0R1nAKh0000,0*25"]);
    assert_eq!(
        say(&state(false), false, &[Report::Dynamic, Report::Static]),
        [
            "!AIVDM,1,1,,B,B2vg20@0@@K9nb5Kh8PMTFt5kP06,0*15",
            "!AIVDM,1,1,,A,H2vg20@plD61<TmDh5@u:1P00000,0*12",
            "!AIVDM,1,1,,A,H2vg20DU>CH4001C9=hhhi104224,0*29"
        ]
    );
}

#[test]
fn without_a_fix_the_position_is_not_available_and_the_heading_stays() {
    let golden = "!AIVDO,1,1,,,12vg20OvOw<tSF0l4Q@>41Kp0000,0*50";
    let mut no_position = state(true);
    no_position.position = None;
    let mut void = state(true);
    void.gnss.valid = known(false);
    let mut no_fix = state(true);
    no_fix.gnss.fix = known(Fix::None);
    for vessel in [no_position, void, no_fix] {
        assert_eq!(say(&vessel, true, &[Report::Dynamic]), [golden]);
    }
}

#[test]
fn without_an_mmsi_nothing_is_said() {
    for mmsi in [0, 123, 199_999_999, 776_000_000, 1_000_000_000] {
        let mut vessel = state(true);
        vessel.own.mmsi = mmsi;
        assert!(say(&vessel, true, &[Report::Dynamic, Report::Static]).is_empty(), "{mmsi}");
    }
}

#[test]
fn channels_alternate() {
    let channels: Vec<_> = say(&state(true), false, &[Report::Dynamic; 4])
        .iter()
        .map(|l| l.split(',').nth(4).unwrap().to_owned())
        .collect();
    assert_eq!(channels, ["A", "B", "A", "B"]);
}

fn json(message: &Message) -> Value {
    let mut out = Vec::new();
    push_json(&mut message.clone(), &mut out);
    serde_json::from_slice(&out).unwrap()
}

/// The JSON of the message that these sentences make.
fn heard(sentences: &[&str]) -> Value {
    let mut assembler = Assembler::new();
    for sentence in sentences {
        let part = Part::parse(sentence.as_bytes()).unwrap();
        if let Outcome::Complete(whole) = assembler.hear(&part, 0, Origin::Source) {
            return json(&Message::decode(&whole.bits).unwrap().message);
        }
    }
    panic!("incomplete: {sentences:?}");
}

/// Public sentences (gpsd's sample collection and its reference decoding; pyais 3.3.1) and what they mean.
fn vectors() -> Vec<(Vec<&'static str>, Value)> {
    vec![
        (
            vec!["!AIVDM,1,1,,A,16SteH0P00Jt63hHaa6SagvJ087r,0*42"],
            json!({"type": 1, "repeat": 0, "mmsi": 440348000, "nav_status": 0, "speed_kn": 0.0, "position_accuracy": 0,
                "longitude": -70.7582, "latitude": 43.08015, "course_true_deg": 93.4, "second": 13, "maneuver": 0, "raim": 0}),
        ),
        (
            vec!["!AIVDM,1,1,,A,25Cjtd0Oj;Jp7ilG7=UkKBoB0<06,0*60"],
            json!({"type": 2, "repeat": 0, "mmsi": 356302000, "nav_status": 0, "turn": "fast to starboard (127)",
                "speed_kn": 13.9, "position_accuracy": 0, "longitude": -71.626143, "latitude": 40.392358,
                "course_true_deg": 87.7, "heading_true_deg": 91, "second": 41, "maneuver": 0, "raim": 0}),
        ),
        (
            vec!["!AIVDO,1,1,,,12vg20@vA11dWJ`Eg0R1nAKh0000,0*66"],
            json!({"type": 1, "repeat": 0, "mmsi": 200000001, "nav_status": 0, "rate_of_turn_deg_min": -2.187,
                "speed_kn": 6.5, "position_accuracy": 0, "longitude": 23.7275, "latitude": 37.9838,
                "course_true_deg": 47.3, "heading_true_deg": 45, "second": 56, "maneuver": 0, "raim": 0}),
        ),
        (
            vec!["!AIVDO,1,1,,,12vg20OP?w<tSF0l4Q@>4?wp0000,0*34"],
            json!({"type": 1, "repeat": 0, "mmsi": 200000001, "nav_status": 15, "position_accuracy": 0, "second": 60,
                "maneuver": 0, "raim": 0}),
        ),
        (
            vec!["!AIVDM,1,1,,A,402Fha0000Htt<tSF0l4Q@000d20,0*65"],
            json!({"type": 4, "repeat": 0, "mmsi": 2470052, "position_accuracy": 0, "epfd": 0, "raim": 0}),
        ),
        (
            vec![
                "!AIVDM,2,1,1,A,55?MbV02;H;s<HtKR20EHE:0@T4@Dn2222222216L961O5Gf0NSQEp6ClRp8,0*1C",
                "!AIVDM,2,2,1,A,88888888880,2*25",
            ],
            json!({"type": 5, "repeat": 0, "mmsi": 351759000, "ais_version": 0, "imo": 9134270, "callsign": "3FOF8",
                "name": "EVER DIADEM", "ship_type": 70, "to_bow_m": 225, "to_stern_m": 70, "to_port_m": 1,
                "to_starboard_m": 31, "epfd": 1, "eta_month": 5, "eta_day": 15, "eta_hour": 14, "eta_minute": 0,
                "draught_m": 12.2, "destination": "NEW YORK", "dte": 0}),
        ),
        (
            vec![
                "!AIVDO,2,1,0,,52vg20H00001<To3334plD61<TmDh5@u:1P0000U1042240Ht4PAAjCP@000,0*23",
                "!AIVDO,2,2,0,,00000000000,2*67",
            ],
            json!({"type": 5, "repeat": 0, "mmsi": 200000001, "ais_version": 2, "callsign": "SIM0001",
                "name": "NMEA SIMULATOR X", "ship_type": 37, "to_bow_m": 8, "to_stern_m": 4, "to_port_m": 2,
                "to_starboard_m": 2, "epfd": 1, "draught_m": 1.8, "destination": "AEGINA", "dte": 0}),
        ),
        (
            vec!["!AIVDO,1,1,4,B,8>jR06@0Bk3:wOli;<`WPhh<1rqVBQf2V@Pdt0J82avIM2b<<Rv1t<ot=@1,2*54"],
            json!({"type": 8, "repeat": 0, "mmsi": 992509977, "dac": 1, "fid": 11}),
        ),
        (
            vec!["!AIVDM,1,1,,B,91b55wi;hbOS@OdQAC062Ch2089h,0*30"],
            json!({"type": 9, "repeat": 0, "mmsi": 111232511, "altitude_m": 303, "speed_kn": 42.0,
                "position_accuracy": 0, "longitude": -6.278843, "latitude": 58.144, "course_true_deg": 154.5,
                "second": 15, "dte": 1, "raim": 0}),
        ),
        (
            vec!["!AIVDM,1,1,,B,;4R33:1uUK2F`q?mOt@@GoQ00000,0*5D"],
            json!({"type": 11, "repeat": 0, "mmsi": 304137000, "datetime": "2009-05-22T02:22:40Z",
                "position_accuracy": 1, "longitude": -94.407683, "latitude": 28.409117, "epfd": 1, "raim": 0}),
        ),
        (
            vec!["!AIVDM,1,1,,A,>5?Per18=HB1U:1@E=B0m<L,2*51"],
            json!({"type": 14, "repeat": 0, "mmsi": 351809000, "text": "RCVD YR TEST MSG"}),
        ),
        (
            vec!["!AIVDM,1,1,,A,B52K>;h00Fc>jpUlNV@ikwpUoP06,0*4C"],
            json!({"type": 18, "repeat": 0, "mmsi": 338087471, "speed_kn": 0.1, "position_accuracy": 0,
                "longitude": -74.072132, "latitude": 40.68454, "course_true_deg": 79.6, "second": 49, "cs": 1,
                "display": 0, "dsc": 1, "band": 1, "message_22": 1, "assigned": 0, "raim": 1}),
        ),
        (
            vec![
                "!AIVDM,2,1,5,B,E1mg=5J1T4W0h97aRh6ba84<h2d;W:Te=eLvH50```q,0*46",
                "!AIVDM,2,2,5,B,:D44QDlp0C1DU00,2*36",
            ],
            json!({"type": 21, "repeat": 0, "mmsi": 123456789, "aid_type": 20, "name": "CHINA ROSE MURPHY EXPRESS ALERT",
                "position_accuracy": 0, "longitude": -122.698592, "latitude": 47.920618, "to_bow_m": 5, "to_stern_m": 5,
                "to_port_m": 5, "to_starboard_m": 5, "epfd": 1, "second": 50, "off_position": 0, "raim": 0,
                "virtual": 0, "assigned": 0}),
        ),
        (
            vec![
                "!AIVDM,2,1,8,B,E03l90w4Q1h3h1:WdPOwwwwwwwwlQdn`:e55020@@@gP0000000000000000,0*47",
                "!AIVDM,2,2,8,B,00,4*19",
            ],
            json!({"type": 21, "repeat": 0, "mmsi": 4000003, "aid_type": 30, "name": "IBC G BUOY", "position_accuracy": 1,
                "longitude": 126.572227, "latitude": 37.414467, "to_bow_m": 2, "to_stern_m": 2, "to_port_m": 2,
                "to_starboard_m": 2, "epfd": 1, "second": 31, "off_position": 0, "raim": 0, "virtual": 0, "assigned": 0}),
        ),
        (
            vec!["!AIVDM,1,1,,A,H42O55lti4hhhilD3nink000?050,0*40"],
            json!({"type": 24, "repeat": 0, "mmsi": 271041815, "part": "B", "ship_type": 60, "vendor": "1D0",
                "model": 12, "serial": 199796, "callsign": "TC6163", "to_bow_m": 0, "to_stern_m": 15, "to_port_m": 0,
                "to_starboard_m": 5}),
        ),
        (
            vec!["!AIVDM,1,1,,B,KC5E2b@U19PFdLbMuc5=ROv62<7m,0*16"],
            json!({"type": 27, "repeat": 1, "mmsi": 206914217, "nav_status": 2, "position_accuracy": 0, "raim": 0,
                "longitude": 137.023333, "latitude": 4.84, "speed_kn": 57.0, "course_true_deg": 167.0, "gnss": 0}),
        ),
    ]
}

#[test]
fn public_messages_mean_what_others_read() {
    for (sentences, mut expected) in vectors() {
        let mut got = heard(&sentences);
        if got["type"] == 8 {
            // The application's own bits: 59 x 6 - 2 fill - 56 = 296 bits are 74 digits.
            let data = got.as_object_mut().unwrap().shift_remove("data_hex").unwrap();
            assert_eq!(data.as_str().unwrap().len(), 74);
        }
        for side in [&mut got, &mut expected] {
            side.as_object_mut().unwrap().sort_keys();
        }
        assert_eq!(got, expected, "{sentences:?}");
    }
}

#[test]
fn what_was_read_is_written_bit_by_bit() {
    // To the last bit where the sender fills text up and leaves spare bits as we do.
    for (sentences, expected) in vectors() {
        let mut assembler = Assembler::new();
        for sentence in &sentences {
            let part = Part::parse(sentence.as_bytes()).unwrap();
            if let Outcome::Complete(whole) = assembler.hear(&part, 0, Origin::Source) {
                let decoded = Message::decode(&whole.bits).unwrap();
                let again = Message::decode(&decoded.message.encode()).unwrap();
                assert_eq!(again.message, decoded.message, "{expected}");
                if matches!(decoded.message.header.kind, 1 | 2 | 8 | 18) {
                    assert_eq!(decoded.message.encode(), whole.bits, "{expected}");
                }
            }
        }
    }
}

#[test]
fn a_message_too_short_keeps_what_it_has() {
    let mut bits = Bits::new();
    bits.push_armoured(b"16SteH0P00Jt63hHaa6S", 0).unwrap(); // 120 of 168 bits: up to the course
    let decoded = Message::decode(&bits).unwrap();
    assert_eq!(decoded.faults.missing, 48);
    let shown = json(&decoded.message);
    assert_eq!((&shown["latitude"], &shown["second"]), (&json!(43.08015), &Value::Null));
    let mut tiny = Bits::new();
    tiny.push(1, 6);
    assert!(Message::decode(&tiny).is_err());
    let mut alien = Bits::new();
    alien.push(28, 6);
    alien.push(0, 32);
    assert!(Message::decode(&alien).is_err());
}

#[test]
fn every_type_is_at_least_recognised() {
    for kind in 1..=27_u8 {
        let mut bits = Bits::new();
        bits.push(u32::from(kind), 6);
        bits.push(0, 2);
        bits.push(201_000_001, 30);
        (0..20).for_each(|_| bits.push(0, 20));
        let decoded = Message::decode(&bits).unwrap();
        assert_eq!((decoded.message.header.kind, decoded.message.header.mmsi), (kind, 201_000_001));
        let rows = rows(&decoded.message);
        assert!(rows[0].value.as_deref().is_some_and(|v| v.len() > 8), "{:?}", rows[0]);
        assert!(rows.iter().all(|r| !r.name.is_empty() && !r.what.is_empty()));
    }
}

#[test]
fn the_inspector_shows_meanings_and_what_is_absent() {
    let m = own::dynamic(&state(true)).unwrap();
    let rows = rows(&m);
    let row = |name: &str| rows.iter().find(|r| r.name == name).unwrap().value.clone().unwrap_or("-".into());
    assert_eq!(row("nav_status"), "0 (under way using engine)");
    assert_eq!(row("speed_kn"), "6.5");
    assert_eq!(row("type"), "1 (Position report, class A (scheduled))");
    let mut still = state(true);
    still.cog_true_deg = None;
    assert_eq!(
        views::rows(&own::dynamic(&still).unwrap()).iter().find(|r| r.name == "course_true_deg").unwrap().value,
        None
    );
}

#[test]
fn own_reports_set_the_vessel_and_those_without_position_do_not() {
    let mut heard_by = Vessel::default();
    own::hear(&own::dynamic(&state(true)).unwrap(), 7, Origin::Input(1), &mut heard_by);
    let sog = heard_by.sog_kn.unwrap();
    assert_eq!((sog.value, sog.at, sog.origin), (6.5, 7, Origin::Input(1)));
    assert!((heard_by.position.unwrap().value.latitude - 37.9838).abs() < 1e-6);
    own::fixed(&state(false)).iter().for_each(|m| own::hear(m, 8, Origin::Source, &mut heard_by));
    assert_eq!((heard_by.own.name, heard_by.own.callsign), (Label::new(b"NMEA SIMULATOR X"), Label::new(b"SIM0001")));
    let mut void = state(true);
    void.position = None;
    let mut nothing = Vessel::default();
    own::hear(&own::dynamic(&void).unwrap(), 0, Origin::Source, &mut nothing);
    assert_eq!((nothing.heading_true_deg, nothing.position), (None, None));
}

#[test]
fn class_b_seconds_follow_the_clock() {
    for (utc, second) in [(0, 0), (59 * SECOND + 999_999_999, 59), (-SECOND, 59)] {
        let mut v = state(false);
        v.utc = known(utc);
        assert_eq!(json(&own::dynamic(&v).unwrap())["second"], second);
    }
    let mut cold = state(true);
    cold.utc = None;
    assert_eq!(json(&own::dynamic(&cold).unwrap())["second"], 60);
    let mut reckoned = state(true);
    reckoned.gnss.mode = known(b'E');
    assert_eq!(json(&own::dynamic(&reckoned).unwrap())["second"], 62);
}

/// Fills every field with bits from a list: any message that can be on the air.
struct Filler<'a>(std::slice::Iter<'a, u32>);

impl Visitor for Filler<'_> {
    fn field(&mut self, _: Field, slot: Slot<'_>) {
        let mut next = || self.0.next().copied().unwrap_or(0x1234_5678);
        let mut letters = |most: u32| -> String {
            (0..next() % (most + 1)).map(|i| char::from(b'A' + ((next_letter(i)) % 26) as u8)).collect()
        };
        match slot {
            Slot::Number { bits, absent, value } | Slot::Code { bits, absent, value, .. } => {
                let most = (1_u64 << bits) - 1;
                *value = Some((u64::from(next()) & most) as u32).filter(|v| Some(*v) != absent);
            }
            Slot::Aside { bits, value } => *value = next() & ((1 << bits) - 1),
            Slot::Scaled { scale, value } => {
                let span = i64::from(scale.most) - i64::from(scale.least) + 1;
                let raw = i64::from(scale.least) + i64::from(next()) % span;
                *value = Some(raw as f64 / scale.per_unit).filter(|_| raw != i64::from(scale.absent));
            }
            Slot::Turn { value } => *value = Turn::from_raw(next() as i8 as i32),
            Slot::Text { chars, value } => *value = letters(u32::from(chars)),
            Slot::TextToEnd { value } => *value = letters(60),
            Slot::NameExtension { value } => {
                if value.len() == 20 {
                    value.push_str("EXTENDED");
                }
            }
            Slot::DateTime { value } => *value = Some(i64::from(next()) * SECOND),
            Slot::Dimensions { value } => {
                let n = next();
                let all = [n & 511, n >> 9 & 511, n >> 18 & 63, n >> 24 & 63].map(|v| v as u16);
                *value = Some(all).filter(|a| *a != [0; 4]);
            }
            Slot::Data { value } => (0..next() % 300).for_each(|i| value.push(i % 3, 1)),
            Slot::Part { .. } | Slot::Spare { .. } => {}
        }
    }
}

fn next_letter(i: u32) -> u32 {
    i.wrapping_mul(7).wrapping_add(3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_message_of_any_kind_comes_back(kind in 1_u8..=27, mmsi in 1_u32..999_999_999, part in 0_u32..2, seeds in prop::collection::vec(any::<u32>(), 60)) {
        let mut message = Message { header: Header { kind, repeat: 0, mmsi }, body: Body::of(kind, mmsi, Some(part)) };
        let mut filler = Filler(seeds.iter());
        let header = message.header;
        message.fields(&mut filler);
        message.header = header;
        if let Body::Other(_) = message.body {
            return Ok(());
        }
        let (mut lines, mut ids) = (Vec::new(), Ids::new());
        sentences(&message, sentence::Framing { talker: "AI", own: false, channel: Some(b'B') }, &mut ids, &mut |l| lines.push(l.to_vec()));
        prop_assert!(lines.iter().all(|l| l.len() <= 80));
        let mut assembler = Assembler::new();
        for line in lines.iter().rev() {
            let part = Part::parse(line).unwrap();
            if let Outcome::Complete(whole) = assembler.hear(&part, 0, Origin::Source) {
                let decoded = Message::decode(&whole.bits).unwrap();
                prop_assert_eq!((decoded.faults.bad, decoded.faults.missing), (0, 0));
                prop_assert_eq!(&decoded.message.encode(), &whole.bits);
                prop_assert_eq!(json(&decoded.message), json(&message));
                return Ok(());
            }
        }
        prop_assert!(false, "no message");
    }

    #[test]
    fn no_payload_is_too_strange(payload in "[0-W`-w]{0,180}", fill in 0_u8..6, at in any::<i64>()) {
        let line = format!("!AIVDM,1,1,,A,{payload},{fill}*00");
        let mut assembler = Assembler::new();
        let mut targets = Targets::new();
        if let Outcome::Complete(whole) = assembler.hear(&Part::parse(line.as_bytes()).unwrap(), at, Origin::Source)
            && let Ok(decoded) = Message::decode(&whole.bits)
        {
            json(&decoded.message);
            rows(&decoded.message);
            targets.hear(&decoded.message, at);
            own::hear(&decoded.message, at, Origin::Source, &mut Vessel::default());
            let again = Message::decode(&decoded.message.encode()).unwrap();
            if decoded.faults.missing == 0 {
                prop_assert_eq!(json(&again.message), json(&decoded.message));
            }
        }
    }
}

//! The form of sentences.

use super::super::context::Settings;
use super::super::kind::{Kind, Severity};
use super::super::rig::Rig;
use crate::core::frame::Class;

#[test]
fn sentences_without_checksum_where_others_have_one() {
    let run = |others: bool| {
        let mut rig = Rig::live();
        rig.each_second(5, |r, _| {
            if others {
                r.say("HEHDT,100.0,T");
            }
            r.line(Class::WithoutChecksum, b"$SDDPT,10.0,0.5,");
        });
        rig.holds(Kind::NoChecksum)
    };
    assert!(run(true));
    assert!(!run(false)); // a boat that has none at all
}

#[test]
fn checksums_of_one_digit_or_small_letters() {
    // XOR of HEHDT,100.0,T: H^E^H = 0x45; ^D = 0x01; ^T ^T cancel; two commas cancel; 1^0^0^.^0 = 0x31^0x30^0x2E = 0x2F;
    // 0x01 ^ 0x2F = 0x2E.
    let run = |line: &[u8]| {
        let mut rig = Rig::live();
        rig.each_second(5, |r, _| r.line(Class::Sentence, line));
        rig.holds(Kind::ShortChecksum)
    };
    assert!(run(b"$HEHDT,100.0,T*2e"));
    assert!(!run(b"$HEHDT,100.0,T*2E"));
    assert!(run(b"$HEHDT,1,T*6"));
    let mut rig = Rig::live();
    rig.each_second(2, |r, _| r.line(Class::Sentence, b"$HEHDT,100.0,T*2e"));
    assert!(!rig.holds(Kind::ShortChecksum)); // twice
}

#[test]
fn bytes_and_characters_that_do_not_belong() {
    let run = |line: &[u8]| {
        let mut rig = Rig::live();
        rig.each_second(5, |r, _| r.line(Class::Sentence, line));
        [Kind::EightBit, Kind::IllegalCharacters].map(|k| rig.holds(k))
    };
    assert_eq!(run(b"$GPWPL,3730.0000,N,02330.0000,E,CAF\xc9*00"), [true, false]);
    assert_eq!(run(b"$GPWPL,3730.0000,N,02330.0000,E,CAF^C9*00"), [false, false]); // escaped
    assert_eq!(run(b"$GPWPL,3730.0000,N,02330.0000,E,A!B*00"), [false, true]);
    assert_eq!(run(b"!AIVDM,1,1,,A,B52K>;h00Fc>jpUlNV@ikwpUoP06,0*4C"), [false, false]);
    assert_eq!(run(b"$PFLAA,0,1,2,3,2,DDA85C!FLR,1,,2,0.1,1*00"), [false, false]); // a maker's own affair
}

#[test]
fn counts_of_fields_over_all_versions() {
    let run = |body: &str| {
        let mut rig = Rig::live();
        rig.each_second(5, |r, _| r.say(body));
        rig.holds(Kind::FieldCount)
    };
    assert!(!run("GPVTG,47.3,T,42.7,M,6.5,N,12.0,K")); // before 2.3
    assert!(!run("GPVTG,47.3,T,42.7,M,6.5,N,12.0,K,A"));
    assert!(run("GPVTG,47.3,T,42.7,M,6.5,N"));
    assert!(!run("IIXDR,C,21.0,C,A,C,21.0,C,B"));
    assert!(run("IIXDR,C,21.0,C,A,C,21.0,C"));
    assert!(!run("GPQQQ,1")); // nobody knows what is right
}

#[test]
fn long_sentences_matter_on_serial_lines() {
    let long = "GPTXT,01,01,02,0123456789012345678901234567890123456789012345678901234567890123"; // 79 + $ + *hh + CR LF
    let run = |to_serial: bool, body: &str| {
        let mut rig = Rig::new(Settings { forwarded_to_serial: to_serial, ..Settings::live(true) });
        rig.each_second(2, |r, _| r.say(body));
        rig.find(Kind::LongSentences).map(|f| f.severity)
    };
    assert_eq!(long.len() + 6, 85);
    assert_eq!(run(false, long), Some(Severity::Note));
    assert_eq!(run(true, long), Some(Severity::Warning));
    assert_eq!(run(true, &long[..76]), None); // 82
}

#[test]
fn makers_and_unknown_types_are_notes() {
    let mut rig = Rig::live();
    rig.each_second(3, |r, _| {
        r.say("PGRME,15.0,M,22.5,M,15.0,M");
        r.say("PGRMT,GPS 12 Software Version 4.58");
        r.say("IIQQQ,1,2");
    });
    let note = rig.find(Kind::Proprietary).unwrap();
    assert!(note.evidence.contains("Garmin") && note.severity == Severity::Note, "{note:?}");
    assert_eq!(rig.diag.findings().iter().filter(|f| f.kind == Kind::Proprietary).count(), 1); // one of a maker
    assert!(rig.find(Kind::UnknownType).unwrap().evidence.contains("II QQQ"));
    assert_eq!(rig.severe(), []);
    // What the standard has is neither, whoever says it.
    let mut rig = Rig::live();
    rig.each_second(3, |r, _| {
        r.say("PQHDT,100.0,T"); // begins with P: proprietary all the same
        r.say("XXHDT,100.0,T");
    });
    assert!(rig.find(Kind::UnknownType).is_none());
    assert_eq!(rig.find(Kind::Proprietary).map(|f| f.subject).as_deref(), Some("PQHD"));
}

//! The rules about an input as a whole: each with a stream that triggers it and one, close but healthy, that does not.

use super::super::board::Board;
use super::super::kind::Kind;
use super::*;
use crate::core::frame::{Class, Origin};
use crate::core::nmea::framing;
use crate::core::time::{MILLISECOND, Moment, Offset, SECOND};
use crate::core::vessel::Label;

const INPUT: Origin = Origin::Input(0);

struct Rig {
    feed: Feed,
    board: Board,
    at: Offset,
}

impl Rig {
    fn new(medium: Medium, baud: Option<u32>) -> Rig {
        let mut feed = Feed::new(INPUT, 0);
        feed.input = Input { name: "x".to_owned(), medium, baud };
        Rig { feed, board: Board::new(), at: 0 }
    }
    fn wait(&mut self, ms: i64) {
        for _ in 0..ms / 100 {
            self.at += 100 * MILLISECOND;
            if self.at % SECOND == 0 {
                self.feed.judge(Moment { offset: self.at, utc: None }, true, &mut self.board);
            }
        }
    }
    fn line(&mut self, class: Class, talker: &str) {
        let line = format!("${talker}HDT,123.4,T*00");
        self.feed.hear_line(line.as_bytes(), class, Label::new(talker.as_bytes()), self.at);
    }
    fn holds(&self, kind: Kind) -> bool {
        self.board.holds(kind, INPUT, Label::default())
    }
    fn words(&self, kind: Kind) -> String {
        self.board.findings().iter().find(|f| f.kind == kind).map(|f| f.evidence.clone()).unwrap_or_default()
    }
}

#[test]
fn no_data_is_said_after_five_seconds_or_three_of_the_usual_pauses() {
    let mut rig = Rig::new(Medium::Tcp, None);
    rig.wait(4000);
    assert!(!rig.holds(Kind::NoData));
    rig.wait(1000);
    assert!(rig.holds(Kind::NoData)); // nothing at all
    for _ in 0..5 {
        rig.line(Class::Sentence, "II");
        rig.wait(4000); // its usual pause
    }
    assert!(!rig.holds(Kind::NoData));
    rig.wait(7900);
    assert!(!rig.holds(Kind::NoData));
    rig.wait(1100); // 3 x 4 s and a little
    assert!(rig.holds(Kind::NoData));
    assert_eq!(rig.board.findings()[0].times, 2);
    // While a rate is looked for nothing can be heard.
    let mut rig = Rig::new(Medium::Serial, None);
    for _ in 0..9 {
        rig.wait(1000);
        rig.feed.excuse(rig.at);
    }
    assert!(!rig.holds(Kind::NoData));
    rig.wait(5000);
    assert!(rig.holds(Kind::NoData));
}

#[test]
fn checksum_errors_need_three_and_one_in_a_thousand() {
    let mut rig = Rig::new(Medium::Serial, Some(38400));
    rig.line(Class::Truncated, "II"); // torn by connecting
    for i in 0..2900 {
        rig.line(if i % 1450 == 7 { Class::BadChecksum } else { Class::Sentence }, "II");
        rig.wait(100);
    }
    assert_eq!(rig.feed.damaged, 2);
    assert!(!rig.holds(Kind::ChecksumErrors)); // two
    rig.line(Class::BadChecksum, "GP");
    rig.wait(1000);
    assert!(rig.holds(Kind::ChecksumErrors)); // 3 of 2901 are 0.103 %
    for _ in 0..100 {
        rig.line(Class::Sentence, "II");
        rig.wait(1000);
    }
    assert!(!rig.holds(Kind::ChecksumErrors)); // over
    assert!(rig.board.findings().iter().any(|f| f.kind == Kind::ChecksumErrors && !f.current));
}

#[test]
fn where_the_errors_fall_names_the_cause() {
    let burst = |bad_at: usize, talker: &str| {
        let mut rig = Rig::new(Medium::Serial, None);
        for _ in 0..20 {
            for i in 0..6 {
                let class = if i == bad_at { Class::BadChecksum } else { Class::Sentence };
                let who = if i == bad_at { talker } else { "GP" };
                rig.feed.hear_line(
                    b"$GPHDT,1,T*00",
                    class,
                    Label::new(who.as_bytes()),
                    rig.at + i as i64 * 20 * MILLISECOND,
                );
            }
            rig.wait(1000);
        }
        rig.words(Kind::ChecksumErrors)
    };
    assert!(burst(5, "WI").contains("end of bursts"), "{}", burst(5, "WI"));
    assert!(burst(2, "WI").contains("talker WI"), "{}", burst(2, "WI"));
    assert!(burst(2, "??").contains("spread"), "{}", burst(2, "??"));
}

#[test]
fn damage_is_told_apart_by_how_it_looks() {
    let run = |torn: usize| {
        let mut rig = Rig::new(Medium::Serial, None);
        for i in 0..40 {
            let class = match i % 10 {
                5 if i / 10 < torn => Class::Truncated,
                5 => Class::BadChecksum,
                _ => Class::Sentence,
            };
            rig.line(class, "II");
            rig.wait(1000);
        }
        rig.words(Kind::ChecksumErrors)
    };
    assert!(run(0).starts_with("4 damaged of 40 (10.00 %), "), "{}", run(0));
    assert!(run(1).starts_with("4 damaged of 40 (10.00 %), 1 of them cut short or garbled, "), "{}", run(1));
    assert!(run(4).starts_with("4 damaged of 40 (10.00 %), cut short or garbled, "), "{}", run(4));
}

#[test]
fn a_wrong_rate_and_inverted_wires_are_told_apart() {
    let judge = |medium, baud, bytes: &[u8]| {
        let mut rig = Rig::new(medium, baud);
        for _ in 0..5 {
            rig.feed.hear_raw(bytes, rig.at);
            rig.wait(1000);
        }
        [Kind::WrongBaud, Kind::Inverted].map(|k| rig.holds(k))
    };
    let noise: Vec<u8> = (0..60_u32).map(|i| if i % 2 == 0 { b'k' } else { 0x81 | (i * 53) as u8 }).collect();
    assert_eq!(judge(Medium::Serial, Some(4800), &[0; 30]), [true, false]);
    assert_eq!(judge(Medium::Serial, Some(4800), &noise), [true, false]);
    assert_eq!(judge(Medium::Tcp, None, &noise), [false, false]); // there is no rate to set
    let mut text = b"$".to_vec();
    text.extend_from_slice(b"IIHDM,123.4,M");
    text.extend_from_slice(&framing::star(framing::checksum(b"IIHDM,123.4,M")));
    text.extend_from_slice(b"\r\n");
    let inverted: Vec<u8> = text.iter().map(|b| (!b << 1) | 1).collect();
    assert_eq!(judge(Medium::Serial, Some(4800), &inverted), [false, true]);
    assert_eq!(judge(Medium::Serial, Some(4800), b"some chatter of a modem\r\n"), [false, false]);
    // Another rate is given its own three seconds.
    let mut rig = Rig::new(Medium::Serial, Some(4800));
    for second in 0..8 {
        if second == 6 {
            rig.feed.set(Input { baud: Some(9600), ..rig.feed.input.clone() }, rig.at);
        }
        rig.feed.hear_raw(&noise, rig.at);
        rig.wait(1000);
        assert_eq!(rig.holds(Kind::WrongBaud), (2..6).contains(&second), "{second}");
    }
    // With sentences in between, noise is noise.
    let mut rig = Rig::new(Medium::Serial, Some(4800));
    for _ in 0..8 {
        rig.feed.hear_raw(&noise, rig.at);
        rig.line(Class::Sentence, "II");
        rig.wait(1000);
    }
    assert!(!rig.holds(Kind::WrongBaud));
}

#[test]
fn the_load_counts_on_lines_that_have_a_limit() {
    let run = |medium, baud, per_second: usize| {
        let mut rig = Rig::new(medium, baud);
        for _ in 0..15 {
            rig.feed.hear_raw(&vec![b'x'; per_second], rig.at);
            rig.wait(1000);
        }
        rig.holds(Kind::Load)
    };
    assert!(run(Medium::Serial, Some(4800), 390)); // 81 % of 480
    assert!(!run(Medium::Serial, Some(4800), 380)); // 79 %
    assert!(!run(Medium::UsbSerial, Some(4800), 390)); // ttyACM: the rate is a fiction
    assert!(!run(Medium::Tcp, None, 39_000));
    assert!(run(Medium::Other, Some(4800), 390)); // stated
}

#[test]
fn line_ends_and_nuls() {
    let run = |text: &[u8]| {
        let mut rig = Rig::new(Medium::Serial, Some(4800));
        for _ in 0..30 {
            rig.feed.hear_raw(text, rig.at);
            rig.wait(100);
        }
        rig.wait(1000);
        [Kind::LineEnds, Kind::Nuls].map(|k| rig.holds(k))
    };
    assert_eq!(run(b"$IIHDM,1,M\r\n"), [false, false]);
    assert_eq!(run(b"$IIHDM,1,M\n"), [true, false]);
    assert_eq!(run(b"$IIHDM,1,M\r"), [true, false]);
    assert_eq!(run(b"$IIHDM,1,M\r\n\0"), [false, true]);
    assert_eq!(run(b"$IIHDM,1,M\r\n$IIHDM,1,M\r\n$IIHDM,1,M\n"), [false, false]); // one in three
    // What damages most sentences damages their ends.
    let mut rig = Rig::new(Medium::Serial, Some(4800));
    for i in 0..60 {
        rig.feed.hear_raw(b"$IIHDM,1,M\n", rig.at);
        rig.line(if i % 8 == 0 { Class::BadChecksum } else { Class::Sentence }, "II");
        rig.wait(100);
    }
    rig.wait(1000);
    assert!(!rig.holds(Kind::LineEnds));
    // The NULs of a binary protocol are its own, and so are its line feeds.
    assert_eq!(run(b"$IIHDM,1,M\r\n\xB5\x62\x01\n\x07\n\x08\n\n"), [false, false]);
    assert_eq!(run(b"$IIHDM,1,M\r\n\xB5\x62\x01\x07\0\0\x9A\xF3\0\0\0\0"), [false, false]);
}

#[test]
fn a_binary_protocol_between_the_sentences_is_named_and_noise_is_not() {
    let run = |between: &[u8]| {
        let mut rig = Rig::new(Medium::Serial, Some(38400));
        for _ in 0..30 {
            rig.feed.hear_raw(between, rig.at);
            rig.line(Class::Sentence, "GN");
            rig.wait(1000);
        }
        rig.words(Kind::EightBit)
    };
    let ubx = [0xB5, 0x62, 1, 7, 8, 0, 0x10, 0xF3, 0xC4, 0x88, 0x99, 0xEA, 0x80, 0x81, 0x05, 0x90].repeat(2);
    assert!(run(&ubx).starts_with("UBX (u-blox) between the sentences"), "{}", run(&ubx));
    let noise: Vec<u8> = (0..32_u32).map(|i| 0x80 | (i * 37) as u8).collect();
    assert_eq!(run(&noise), "");
}

#[test]
fn a_peer_that_always_closes_after_the_same_time() {
    let run = |lives: &[i64]| {
        let mut rig = Rig::new(Medium::Tcp, None);
        for life in lives {
            rig.line(Class::Sentence, "II");
            rig.wait(1000);
            rig.feed.reopened(Some(life * SECOND), rig.at);
        }
        rig.wait(1000);
        rig.holds(Kind::PeerCloses)
    };
    assert!(run(&[30, 31, 30]));
    assert!(!run(&[30, 31])); // twice is chance
    assert!(!run(&[30, 300, 45])); // Wi-Fi
}

//! The index and its readers against a plain model: all rows of a log in a vector.

use std::cell::Cell;

use proptest::prelude::*;

use super::checkpoints::Checkpoints;
use super::stream;
use super::*;
use crate::core::filter::Filter;
use crate::core::frame::{Class, Place};
use crate::core::time::Moment;
use crate::core::vessel::Vessel;

const YES: fn(f32) -> bool = |_| true;

thread_local! {
    static HEARD: Cell<u64> = const { Cell::new(0) };
}

/// Counts, and keeps a fingerprint of all that was heard in a value of the vessel.
fn fingerprint(sentence: &[u8], at: Moment, vessel: &mut Vessel) {
    HEARD.with(|h| h.set(h.get() + 1));
    let before = vessel.sog_kn.bare().unwrap_or(1.0);
    let sum: f64 = sentence.iter().map(|b| f64::from(*b)).sum();
    let value = (before * 1.000_1 + sum + at.offset as f64 * 1e-9) % 1e6;
    vessel.sog_kn = Some(crate::core::vessel::Known { value, at: at.offset, origin: Default::default() });
}

use crate::core::vessel::Bare;

fn depth(vessel: &Vessel) -> Option<f64> {
    vessel.sog_kn.bare()
}

fn open(text: &[u8]) -> (Log, Summary) {
    let options = Options::default();
    Log::open(of_bytes(text.to_vec()).unwrap(), options, fingerprint, &mut YES.clone()).unwrap()
}

fn sentence(body: &str) -> String {
    let sum = body.bytes().skip(1).fold(0u8, |s, b| s ^ b);
    format!("{body}*{sum:02X}")
}

/// A log with a bit of everything, stamped or not.
fn mixed(lines: usize, stamped: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for i in 0..lines {
        let t = 36_000 + i / 4 + if i > lines / 2 { 30 } else { 0 } + if i > lines * 3 / 4 { 7200 * 13 } else { 0 };
        let clock = format!("{:02}{:02}{:02}", t / 3600 % 24, t / 60 % 60, t % 60);
        let stamp = if stamped && i % 3 != 1 {
            format!(
                "2026-09-{:02}T{:02}:{:02}:{:02}.{:03}Z ",
                23 + t / 86_400,
                t / 3600 % 24,
                t / 60 % 60,
                t % 60,
                i % 4 * 250
            )
        } else {
            String::new()
        };
        let line = match i % 100 {
            13 => "$GPHDT,1.0,T*00".to_owned(),
            29 => "# a comment".to_owned(),
            31 => String::new(),
            47 => "no sentence".to_owned(),
            53 => format!("{}{}", sentence("$GPHDT,1.0,T"), sentence("!AIVDM,1,1,,A,x,0")),
            61 => format!(r"\s:x*00\{}", sentence("$IIMTW,18.5,C")),
            71 => sentence(&format!("$PXYZ,{}", "long".repeat(30))),
            _ if i % 4 == 0 => sentence(&format!("$GPGGA,{clock},{i}")),
            _ if i % 4 == 1 => sentence(&format!("$GPRMC,{clock},A,{i},,,,,,{:02}0926", 23 + t / 86_400)),
            _ => sentence(&format!("$IIDPT,{i}.5,0.2")),
        };
        out.extend(format!("{stamp}{line}\r\n").into_bytes());
    }
    out
}

fn all(log: &mut Log) -> Vec<Row> {
    log.rows(Place::default(), Way::Forward, usize::MAX, &Show::default(), &mut YES.clone()).unwrap()
}

fn timed(log: &[u8]) -> Vec<(u64, u64, Option<i64>, Class)> {
    let (mut log, _) = open(log);
    all(&mut log).iter().map(|r| (r.place.byte, r.place.line, r.offset, r.class)).collect()
}

#[test]
fn rows_are_those_of_the_stream_with_the_offsets_of_the_rules() {
    for stamped in [true, false] {
        let text = mixed(3000, stamped);
        let mut pass = Pass::new(Options::default());
        let mut split = split::Splitter::new(0, 0);
        let mut expected = Vec::new();
        let mut number = 0;
        // The timeline that the whole file turns out to have, followed line by line from the start.
        let kind = if stamped { timeline::Kind::Stamps } else { timeline::Kind::Sentences };
        let mut clocks = timeline::Timeline::new(kind, Options::default().gap);
        split.push(&text, &mut |raw| {
            pass.line(raw, &mut |line| {
                clocks.line(line);
                if line.pieces.is_empty() {
                    expected.push((line.at, line.number, clocks.clocks.offset, line.class, number));
                }
                for piece in line.pieces {
                    if piece.class.is_sentence() {
                        clocks.sentence(line.number, piece.of(line.text), true);
                    }
                    expected.push((
                        line.at + u64::from(piece.start),
                        line.number,
                        clocks.clocks.offset,
                        piece.class,
                        number,
                    ));
                    number += u64::from(piece.class.is_sentence());
                }
            });
        });
        let (mut log, summary) = open(&text);
        let found: Vec<_> =
            all(&mut log).iter().map(|r| (r.place.byte, r.place.line, r.offset.unwrap(), r.class, r.number)).collect();
        assert_eq!(found, expected);
        assert_eq!(log.index().duration(), Some(clocks.clocks.offset));
        assert_eq!(summary.report.sentences, number);
        assert_eq!(log.index().sentences(), number);
        assert_eq!(summary.breaks, log.index().counts().breaks);
        assert!(summary.gaps > 0 && (summary.breaks > 0 || !stamped));
    }
}

#[test]
fn a_window_anywhere_is_what_the_whole_list_shows_there() {
    for stamped in [true, false] {
        let text = mixed(5000, stamped);
        let (mut log, _) = open(&text);
        let rows = all(&mut log);
        for at in [0, 1, 255, 256, 257, 2000, 4321, rows.len() - 1] {
            // A fresh reader each time: nothing may depend on what was read before.
            let mut log = Log::new(log.index(), fingerprint);
            let place = rows[at].place;
            let ahead = log.rows(place, Way::Forward, 40, &Show::default(), &mut YES.clone()).unwrap();
            assert_eq!(ahead, &rows[at..(at + 40).min(rows.len())]);
            assert!(log.work().0 <= 3, "{} blocks read for a window", log.work().0);
            let mut log = Log::new(log.index(), fingerprint);
            let mut back = log.rows(place, Way::Back, 40, &Show::default(), &mut YES.clone()).unwrap();
            back.reverse();
            assert_eq!(back, &rows[at.saturating_sub(40)..at]);
            assert!(log.work().0 <= 3, "{} blocks read for a window", log.work().0);
        }
    }
}

#[test]
fn filters_and_searches_find_the_same_rows_in_both_directions() {
    let text = mixed(4000, true);
    let (mut log, _) = open(&text);
    let rows = all(&mut log);
    let show = |types: &str, pattern: Option<&str>, only| Show {
        types: Filter::new(types).unwrap(),
        pattern: pattern.map(|p| Pattern::new(p).unwrap()),
        only,
        hidden: Vec::new(),
    };
    type Holds = fn(&Row) -> bool;
    let cases: [(Show, Holds); 6] = [
        (show("", None, Only::Bad), |r| r.class.is_skip()),
        (show("", None, Only::Sentences), |r| r.class.is_sentence()),
        (show("", None, Only::Warnings), |r| r.warning),
        (show("VDM,II", None, Only::All), |r| r.text.starts_with(b"!AIVDM") || r.text.starts_with(b"$II")),
        (show("!", None, Only::All), |r| r.text.starts_with(b"!")),
        (show("", Some("no sen"), Only::All), |r| r.text.ends_with(b"no sentence")),
    ];
    for (show, holds) in cases {
        let expected: Vec<Row> = rows.iter().filter(|r| holds(r)).cloned().collect();
        assert!(!expected.is_empty());
        let found = log.rows(Place::default(), Way::Forward, 9999, &show, &mut YES.clone()).unwrap();
        assert_eq!(found, expected);
        let end = Place { byte: u64::MAX, ..Place::default() };
        let mut back = log.rows(end, Way::Back, 9999, &show, &mut YES.clone()).unwrap();
        back.reverse();
        assert_eq!(back, expected);
    }
    let place = log.find(&Pattern::new("$PXYZ").unwrap(), rows[100].place, Way::Forward, &mut YES.clone()).unwrap();
    assert_eq!(place, rows[100..].iter().find(|r| r.text.starts_with(b"$PXYZ")).map(|r| r.place));
}

#[test]
fn the_next_unusual_row_is_one_or_two_blocks_away_at_any_distance() {
    let text = mixed(6000, true);
    let (mut log, _) = open(&text);
    let rows = all(&mut log);
    type Holds = fn(&Row) -> bool;
    let kinds: [(Unusual, Holds); 5] = [
        (Unusual::Bad, |r| r.class.is_skip()),
        (Unusual::Warning, |r| r.warning),
        (Unusual::Gap, |r| r.gap.is_some()),
        (Unusual::Break, |r| r.jump.is_some()),
        (Unusual::GapOrBreak, |r| r.gap.is_some() || r.jump.is_some()),
    ];
    for (kind, holds) in kinds {
        for at in (0..rows.len()).step_by(173) {
            let mut log = Log::new(log.index(), fingerprint);
            let place = rows[at].place;
            let next = log.next(kind, place, Way::Forward, &mut YES.clone()).unwrap();
            assert_eq!(next.as_ref(), rows[at..].iter().find(|r| holds(r)), "{kind:?} from row {at}");
            let before = log.next(kind, place, Way::Back, &mut YES.clone()).unwrap();
            assert_eq!(before.as_ref(), rows[..at].iter().rev().find(|r| holds(r)), "{kind:?} before row {at}");
            assert!(log.work().0 <= 8, "{kind:?}: {} blocks", log.work().0);
        }
    }
}

#[test]
fn seeking_by_offset_line_number_and_place() {
    for stamped in [true, false] {
        let text = mixed(3000, stamped);
        let (mut log, _) = open(&text);
        let rows: Vec<Row> = all(&mut log).into_iter().filter(|r| r.class.is_sentence()).collect();
        let duration = log.index().duration().unwrap();
        for x in (-1..=60).map(|i| duration * i / 60).chain([1, 250_000_000, duration + 1]) {
            let found = log.at_offset(x).unwrap().map(|e| e.number);
            let expected = rows.iter().find(|r| r.offset.unwrap() >= x).map(|r| r.number);
            assert_eq!(found, expected, "offset {x}");
        }
        for line in [0, 1, 14, 30, 256, 257, 1500, 3000, 3001] {
            let found = log.at_line(line).unwrap().map(|e| e.number);
            assert_eq!(found, rows.iter().find(|r| r.place.line >= line).map(|r| r.number), "line {line}");
        }
        for n in [0, 1, 255, 256, 2222, rows.len() - 1] {
            let entry = log.at_sentence(n as u64).unwrap().unwrap();
            assert_eq!((entry.place, &entry.bytes), (rows[n].place, &rows[n].text));
            let before = log.before(entry.place).unwrap();
            assert_eq!(before.map(|e| e.place), n.checked_sub(1).map(|n| rows[n].place));
        }
        assert_eq!(log.at_sentence(rows.len() as u64).unwrap(), None);
        assert_eq!(log.last().unwrap().unwrap().place, rows.last().unwrap().place);
        let mut ahead = Vec::new();
        log.ahead(rows[700].place, 500, &mut ahead).unwrap();
        assert_eq!(
            ahead.iter().map(|e| e.place).collect::<Vec<_>>(),
            rows[700..1200].iter().map(|r| r.place).collect::<Vec<_>>()
        );
        let first = log.line(rows[1].place).unwrap().unwrap();
        assert!(text.windows(first.len()).any(|w| w == first));
    }
}

#[test]
fn where_nothing_has_a_time_the_interval_counts() {
    let text: String = (0..1000).map(|i| sentence(&format!("$IIDPT,{i}.5,0.2")) + "\n").collect();
    let (mut log, summary) = open(text.as_bytes());
    assert_eq!((summary.report.timing.tier, summary.report.timing.duration_ms), (Tier::FixedInterval, 99_900));
    for (x, n) in [(0, 0), (1, 1), (100_000_000, 1), (100_000_001, 2), (99_900_000_000, 999)] {
        let entry = log.at_offset(x).unwrap().unwrap();
        assert_eq!((entry.number, entry.offset), (n, n as i64 * 100_000_000));
    }
    assert_eq!(log.at_offset(99_900_000_001).unwrap(), None);
    let options = Options { interval: 0, ..Options::default() };
    let mut log = Log::open(of_bytes(text.into_bytes()).unwrap(), options, fingerprint, &mut YES.clone()).unwrap().0;
    assert_eq!(log.at_offset(0).unwrap().map(|e| e.number), Some(0));
    assert_eq!(log.at_offset(1).unwrap(), None);
}

#[test]
fn the_utc_of_an_offset_is_what_the_clock_showed() {
    let (mut log, _) = open(b"2026-09-23T10:00:00Z $IIDPT,1,\n2026-09-23T10:00:10Z $IIDPT,2,\n");
    // 2026-09-23T10:00:00Z is 1790157600.
    let ten = 1_790_157_600_000_000_000;
    for (x, utc) in [(0, 0), (3, 3), (10, 10), (12, 12)] {
        assert_eq!(log.utc(x * 1_000_000_000).unwrap(), Some(ten + utc * 1_000_000_000));
    }
    let (mut log, _) = open(b"$IIDPT,1,\n");
    assert_eq!(log.utc(0).unwrap(), None);
}

#[test]
fn a_seek_gives_the_vessel_that_playing_gives() {
    let text = mixed(3000, true);
    let (log, _) = open(&text);
    let mut player = Log::new(log.index(), fingerprint);
    let mut entries = Vec::new();
    player.ahead(Place::default(), usize::MAX, &mut entries).unwrap();
    let mut played = vec![None];
    let mut vessel = Vessel::default();
    for e in &entries {
        fingerprint(&e.bytes, e.moment(), &mut vessel);
        played.push(depth(&vessel));
    }
    for n in (0..entries.len()).rev().step_by(97) {
        let found = player.vessel(entries[n].place, &mut YES.clone()).unwrap().unwrap();
        assert_eq!(depth(&found), played[n], "before sentence {n}");
    }
    let end = Place { byte: u64::MAX, ..Place::default() };
    assert_eq!(depth(&player.vessel(end, &mut YES.clone()).unwrap().unwrap()), *played.last().unwrap());
}

#[test]
fn a_seek_decodes_no_more_than_lies_between_two_checkpoints() {
    let text: String = (0..40_000).map(|i| format!("$IIDPT,{i}.5,0.2\n")).collect();
    let (log, _) = open(text.as_bytes());
    let mut background = Log::new(log.index(), fingerprint);
    assert!(background.checkpoint(&mut YES.clone()).unwrap());
    assert_eq!(background.work().1, 2 * 16_384, "each sentence up to the last checkpoint is decoded once");
    let mut log = Log::new(log.index(), fingerprint);
    for n in [0, 16_383, 16_384, 16_385, 30_000, 39_999] {
        let place = log.at_sentence(n).unwrap().unwrap().place;
        let before = HEARD.with(Cell::get);
        log.vessel(place, &mut YES.clone()).unwrap().unwrap();
        let decoded = HEARD.with(Cell::get) - before;
        assert_eq!(decoded, n % 16_384, "before sentence {n}");
    }
    assert!(
        log.vessel(
            log.index().clone().block(100).map(|b| Place { byte: b.start.byte, ..Place::default() }).unwrap(),
            &mut |_| false
        )
        .unwrap()
        .is_none()
    );
}

/// With room for four only: 64, 128, … 320 are five, and so it goes on until 1024, 2048, 3072 are kept of 4000.
#[test]
fn a_seek_decodes_twice_as_much_after_each_thinning() {
    let text: String = (0..4000).map(|i| format!("$IIDPT,{i}.5,0.2\n")).collect();
    let (log, _) = open(text.as_bytes());
    *log.index().checkpoints() = Checkpoints::new(64, 4);
    let mut log = Log::new(log.index(), fingerprint);
    let mut played = vec![None];
    let mut vessel = Vessel::default();
    let mut entries = Vec::new();
    log.ahead(Place::default(), usize::MAX, &mut entries).unwrap();
    for e in &entries {
        fingerprint(&e.bytes, e.moment(), &mut vessel);
        played.push(depth(&vessel));
    }
    assert!(log.checkpoint(&mut YES.clone()).unwrap());
    let kept = log.index().checkpoints().clone();
    assert_eq!((kept.len(), kept.step()), (3, 1024));
    for n in [1, 1023, 1024, 2047, 3071, 3072, 3999] {
        let place = log.at_sentence(n).unwrap().unwrap().place;
        let before = log.work().1;
        let vessel = log.vessel(place, &mut YES.clone()).unwrap().unwrap();
        assert_eq!(log.work().1 - before, n % 1024, "before sentence {n}");
        assert_eq!(depth(&vessel), played[n as usize], "before sentence {n}");
    }
}

#[test]
fn the_index_takes_at_most_half_a_byte_a_line() {
    let lines = 150_000;
    for stamped in [true, false] {
        let text = mixed(lines, stamped);
        let (log, _) = open(&text);
        let bytes = log.index().memory();
        assert!(bytes * 2 <= lines, "{bytes} bytes for {lines} lines");
    }
    // Thousands of clocks: their states are kept more seldom.
    let text: String =
        (0..lines).map(|i| format!("\\s:source{},c:{}\\$IIDPT,1,\n", i % 5000, 1_790_157_600 + i / 9)).collect();
    let (mut log, _) = open(text.as_bytes());
    let bytes = log.index().memory();
    assert!(bytes * 2 <= lines, "{bytes} bytes for {lines} lines with 5000 clocks");
    let last = log.last().unwrap().unwrap();
    assert_eq!(last.offset, (lines as i64 - 1) / 9 * 1_000_000_000);
}

#[test]
fn a_line_of_many_mebibytes_is_one_row() {
    let mut text = b"$IIDPT,1,\n".to_vec();
    text.extend(vec![b'x'; 5 << 20]);
    text.extend(b"\n$IIDPT,2,\n");
    text.extend(vec![0; 3 << 20]);
    text.extend(b"\n$IIDPT,3,\n");
    let (mut log, summary) = open(&text);
    assert_eq!((summary.report.sentences, summary.report.skipped.too_long, summary.report.lines), (3, 2, 5));
    let rows = all(&mut log);
    let seen: Vec<_> = rows.iter().map(|r| (r.place.line, r.class)).collect();
    let sentence = Class::WithoutChecksum;
    assert_eq!(seen, [(1, sentence), (2, Class::TooLong), (3, sentence), (4, Class::TooLong), (5, sentence)]);
    assert_eq!(rows[1].text.len(), 1000);
}

#[test]
fn a_line_of_ninety_thousand_pieces_is_read_piece_by_piece() {
    let n = 90_000;
    let text = r"\a:\$PABC*4".repeat(n) + "\n";
    // XOR of `PABC`: 0x50 ^ 0x41 ^ 0x42 ^ 0x43 = 0x10, so one digit is wrong; `*10` would be right.
    let (mut log, summary) = open((sentence("$PABC,") + "\n" + &text).as_bytes());
    assert_eq!(summary.report.skipped.bad_checksum, n as u64);
    let rows = all(&mut log);
    assert_eq!(rows.len(), n + 1);
    assert!(rows.is_sorted_by_key(|r| r.place.byte));
    let back = log.rows(rows[80_000].place, Way::Back, 2, &Show::default(), &mut YES.clone()).unwrap();
    assert_eq!(back[0].place, rows[79_999].place);
}

#[test]
fn an_archive_and_utf_16_read_like_their_text() {
    use std::io::Write;
    let text = mixed(2000, true);
    let expected = timed(&text);
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&text).unwrap();
    assert_eq!(timed(&gz.finish().unwrap()), expected);
    let mut wide = vec![0xFE, 0xFF];
    wide.extend(std::str::from_utf8(&text).unwrap().encode_utf16().flat_map(u16::to_be_bytes));
    assert_eq!(timed(&wide), expected);
    let streamed = stream::read(&wide[..], Options::default(), &mut |_| Ok(())).unwrap();
    assert_eq!(streamed.report, open(&text).1.report);
}

#[test]
fn what_is_indexed_can_be_read_while_the_log_is_opened() {
    let text = mixed(60_000, true);
    let opening = Opening::new(of_bytes(text.clone()).unwrap(), Options::default());
    let mut reader = Log::new(&opening.index(), fingerprint);
    assert!(reader.rows(Place::default(), Way::Forward, 5, &Show::default(), &mut YES.clone()).unwrap().is_empty());
    let expected = {
        let (mut log, _) = open(&text);
        log.rows(Place::default(), Way::Forward, 40, &Show::default(), &mut YES.clone()).unwrap()
    };
    let mut looked = 0;
    opening
        .run(&mut |done| {
            if done > 0.3 {
                let rows = reader.rows(Place::default(), Way::Forward, 40, &Show::default(), &mut YES.clone()).unwrap();
                assert_eq!(rows, expected);
                let timing = reader.index().timing();
                assert!(timing.certain && timing.tier == Tier::Timestamps && !reader.index().complete());
                assert!(timing.indexed < timing.size);
                looked += 1;
            }
            true
        })
        .unwrap();
    assert!(looked > 0 && reader.index().complete());
}

#[test]
fn without_a_stamp_the_timing_is_uncertain_until_the_end() {
    let text = mixed(60_000, false);
    let opening = Opening::new(of_bytes(text).unwrap(), Options::default());
    let mut reader = Log::new(&opening.index(), fingerprint);
    opening
        .run(&mut |done| {
            if done > 0.3 {
                let rows = reader.rows(Place::default(), Way::Forward, 40, &Show::default(), &mut YES.clone()).unwrap();
                assert!(rows.len() == 40 && rows.iter().all(|r| r.offset.is_none()));
                let mut entries = Vec::new();
                reader.ahead(Place::default(), 5, &mut entries).unwrap();
                assert!(entries.is_empty() && !reader.index().timing().certain);
            }
            true
        })
        .unwrap();
    assert_eq!(reader.index().timing().tier, Tier::SentenceTimes);
    let mut entries = Vec::new();
    reader.ahead(Place::default(), 5, &mut entries).unwrap();
    assert_eq!(entries.len(), 5);
}

#[test]
fn opening_can_be_cancelled() {
    let opening = Opening::new(of_bytes(mixed(60_000, true)).unwrap(), Options::default());
    let index = opening.index();
    let mut calls = 0;
    let result = opening.run(&mut |_| {
        calls += 1;
        calls < 3
    });
    assert!(matches!(result, Err(OpenError::Cancelled)) && !index.complete());
}

#[test]
fn logs_without_a_sentence_are_rejected_with_their_counts() {
    for (text, expected) in [
        ("", "no sentence found: the file is empty"),
        ("# a\n#b\n\n", "no sentence found: only comments (2)"),
        ("\n \0\n", "no sentence found: only blank lines (2)"),
        ("x\n$GPHDT,1*00\ny\n", "no sentence found: 2 lines without a sentence, 1 bad checksum"),
        ("\u{89}PNG\r\n\u{1a}\n", "no sentence found: 2 lines without a sentence"),
    ] {
        let result =
            Log::open(of_bytes(text.as_bytes().to_vec()).unwrap(), Options::default(), fingerprint, &mut YES.clone());
        assert_eq!(result.err().map(|e| e.to_string()).as_deref(), Some(expected));
    }
}

#[test]
fn a_file_that_shrinks_or_grows_while_open_is_an_error_or_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.log");
    std::fs::write(&path, mixed(3000, true)).unwrap();
    let (mut log, _) = Log::open(open_path(&path).unwrap(), Options::default(), fingerprint, &mut YES.clone()).unwrap();
    assert_eq!(log.index().changed(), None);
    let size = std::fs::metadata(&path).unwrap().len();
    let file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    std::io::Write::write_all(&mut &file, b"$IIDPT,1,\n").unwrap();
    let last = log.last().unwrap().unwrap();
    assert_eq!(log.at_sentence(last.number + 1).unwrap(), None);
    assert_eq!(log.index().changed(), Some(Change::Grown(10)));
    file.set_len(1000).unwrap();
    assert_eq!(log.index().changed(), Some(Change::Shorter(size - 1000)));
    let mut fresh = Log::new(log.index(), fingerprint);
    let error = fresh.last().unwrap_err().to_string();
    assert!(error.contains("has become shorter"), "{error}");
    std::fs::write(&path, vec![b'\n'; 400_000]).unwrap();
    let mut fresh = Log::new(log.index(), fingerprint);
    let rows = fresh.rows(Place::default(), Way::Forward, 10, &Show::default(), &mut YES.clone()).unwrap();
    assert_eq!(rows.len(), 10);
    std::fs::write(&path, mixed(3000, true)).unwrap();
    let (mut log, _) = Log::open(open_path(&path).unwrap(), Options::default(), fingerprint, &mut YES.clone()).unwrap();
    std::fs::remove_file(&path).unwrap();
    #[cfg(unix)]
    assert_eq!(log.index().changed(), Some(Change::Deleted));
    assert!(log.last().unwrap().is_some(), "what is open can still be read");
    assert!(matches!(open_path(&path), Err(OpenError::Missing)));
    assert!(matches!(open_path(dir.path()), Err(OpenError::Directory)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Lines from a small alphabet of trouble, in any number: every reader agrees with the stream on every count, and a
    /// reader that starts anywhere sees what one that starts at the beginning sees there.
    #[test]
    fn readers_agree_on_any_log(
        lines in proptest::collection::vec((0usize..12, 0u32..90_000), 1..1200),
        probe in 0.0f64..1.0,
    ) {
        let mut text = Vec::new();
        for (kind, t) in lines {
            let clock = format!("{:02}{:02}{:02}", t / 3600 % 24, t / 60 % 60, t % 60);
            let line = match kind {
                0 => format!("$GPGGA,{clock},1"),
                1 => format!("$GPRMC,{clock},A,,,,,,,230926"),
                2 => sentence("$IIDPT,1,2"),
                3 => format!("\\c:{}\\", 1_790_157_600 + t),
                4 => format!("\\s:a,c:{}\\$IIDPT,1,2", 1_790_157_600 + t),
                5 => "$GPHDT,1*00".to_owned(),
                6 => "\0\u{fffd}!".to_owned(),
                7 => "$GP$GPHDT,1".to_owned(),
                8 => sentence("$GPHDT,1") + &sentence("$GPHDT,2") + &format!(",{}", 1_790_157_600 + t),
                9 => format!("[{:02}:{:02}:{:02}] $IIDPT,1,2", t / 3600 % 24, t / 60 % 60, t % 60),
                10 if t % 50 == 0 => format!("2026-09-23 {:02}:{:02}:{:02} $IIDPT,1,2", t / 3600 % 24, t / 60 % 60, t % 60),
                10 => String::new(),
                _ => "# c: d".to_owned(),
            };
            text.extend(line.into_bytes());
            text.extend(match t % 3 { 0 => &b"\n"[..], 1 => b"\r\n", _ => b"\r" });
        }
        let streamed = stream::read(&text[..], Options::default(), &mut |_| Ok(())).unwrap();
        if streamed.report.sentences == 0 {
            return Ok(());
        }
        let (mut log, summary) = open(&text);
        prop_assert_eq!(&summary, &streamed);
        let rows = all(&mut log);
        let good = rows.iter().filter(|r| r.class.is_sentence());
        prop_assert_eq!(good.clone().count() as u64, summary.report.sentences);
        prop_assert_eq!(rows.iter().filter(|r| r.class.is_skip()).count() as u64, summary.report.skipped.total);
        prop_assert!(good.clone().is_sorted_by_key(|r| (r.offset, r.place)));
        prop_assert_eq!(good.clone().next_back().and_then(|r| r.offset), Some(summary.duration));
        prop_assert_eq!(rows.iter().filter(|r| r.gap.is_some()).count() as u64, summary.gaps);
        prop_assert_eq!(rows.iter().filter(|r| r.jump.is_some()).count() as u64, summary.breaks);
        let at = (rows.len() as f64 * probe) as usize;
        let mut fresh = Log::new(log.index(), fingerprint);
        let back = fresh.rows(rows[at].place, Way::Back, 3, &Show::default(), &mut YES.clone()).unwrap();
        let expected: Vec<Row> = rows[..at].iter().rev().take(3).cloned().collect();
        prop_assert_eq!(back, expected);
        let mut fresh = Log::new(log.index(), fingerprint);
        let ahead = fresh.rows(rows[at].place, Way::Forward, 3, &Show::default(), &mut YES.clone()).unwrap();
        let expected: Vec<Row> = rows[at..].iter().take(3).cloned().collect();
        prop_assert_eq!(ahead, expected);
    }
}

#[test]
fn counts_by_block_are_those_of_the_whole_list_and_say_what_stands_before_a_row() {
    let text = mixed(4000, true);
    let (mut log, _) = open(&text);
    let rows = all(&mut log);
    let lines: Vec<&[u8]> = text.split(|b| *b == b'\n').collect();
    let line = |row: &Row| lines[row.place.line as usize - 1];
    let in_line =
        |row: &Row, text: &str| text.is_empty() || line(row).windows(text.len()).any(|w| w == text.as_bytes());
    let cases = [
        ("", "", "", "AIVDM"),
        ("", "", "", "^2026-09-23T10:"),
        ("", "", "", "nowhere at all"),
        ("VDM,II", "", "", "10:0"),
        ("", "10:1", "", "VDM"),
        ("", "", "AIVDM", "AIVDM"),
    ];
    for (types, pattern, hidden, find) in cases {
        let show = Show {
            types: Filter::new(types).unwrap(),
            pattern: (!pattern.is_empty()).then(|| Pattern::new(pattern).unwrap()),
            only: Only::All,
            hidden: if hidden.is_empty() { Vec::new() } else { vec![hidden.as_bytes().into()] },
        };
        let shown = log.rows(Place::default(), Way::Forward, 99_999, &show, &mut YES.clone()).unwrap();
        // The same by hand, where it is simple.
        if types.is_empty() && hidden.is_empty() {
            assert_eq!(shown.len(), rows.iter().filter(|r| in_line(r, pattern)).count());
        }
        assert!(hidden.is_empty() || !shown.iter().any(|r| r.class.is_sentence() && r.text.starts_with(b"!AIVDM")));
        let wanted = find.trim_start_matches('^');
        let found: Vec<&Row> = shown.iter().filter(|r| in_line(r, wanted)).collect();
        let find = Pattern::new(find).unwrap();
        let mut count = |upto: Place| {
            let mut before = count::Tally::default();
            let mut there = count::Tally::default();
            for block in 0..=log.block_of(upto) {
                let (tally, at) = log.count(block, upto, &show, Some(&find)).unwrap().unwrap();
                before += tally;
                there += at;
            }
            // Where everything is shown, nobody asks how much that is.
            let all = if show == Show::default() { [0; 2] } else { [before.shown, there.shown] };
            ((all[0], before.found), (all[1], there.found))
        };
        let asked = |n: usize| if show == Show::default() { 0 } else { n as u64 };
        let end = Place { byte: u64::MAX, ..Place::default() };
        assert_eq!(count(end), ((asked(shown.len()), found.len() as u64), (0, 0)));
        for at in [0, 1, found.len() / 2, found.len().saturating_sub(1)] {
            let Some(row) = found.get(at) else { continue };
            let before = shown.iter().filter(|r| r.place < row.place).count();
            assert_eq!(count(row.place), ((asked(before), at as u64), (asked(1), 1)));
        }
    }
}

#[test]
fn a_pattern_that_is_nowhere_is_counted_without_taking_a_line_apart() {
    let (mut log, _) = open(&mixed(4000, true));
    let find = Pattern::new("$PNOWHERE").unwrap();
    let end = Place { byte: u64::MAX, ..Place::default() };
    for block in 0..log.index().blocks() {
        let (tally, _) = log.count(block, end, &Show::default(), Some(&find)).unwrap().unwrap();
        assert_eq!((tally.shown, tally.found), (0, 0), "what is shown is not asked for here");
    }
    assert!(log.count(log.index().blocks(), end, &Show::default(), Some(&find)).unwrap().is_none());
    assert!(Pattern::new("^$GP").unwrap().is_of_lines());
    assert!(!Pattern::new("\\A$GP").unwrap().is_of_lines() && !Pattern::new("(?i)rmc").unwrap().is_of_lines());
}

#[test]
fn sentences_are_counted_by_type_in_the_index() {
    let (log, summary) = open(&mixed(4000, true));
    let types = log.index().types();
    let counts: Vec<(String, u64)> =
        types.iter().map(|t| String::from_utf8_lossy(t).into_owned()).zip(log.index().type_counts()).collect();
    assert_eq!(counts.iter().map(|c| c.1).sum::<u64>(), summary.report.sentences);
    for (name, count) in counts {
        assert_eq!(summary.report.types[&name], count, "{name}");
    }
}

//! Lines, headers and whole small logs: a table for every rule of LOG-FORMAT that is about more than one piece.

use super::report::{Report, SkippedLine};
use super::stream;
use super::*;
use crate::core::frame::Class;

/// 2026-09-23T10:00:00Z, see core::time.
const TEN: i64 = 1_790_157_600;

fn sentence(body: &str) -> String {
    let sum = body.bytes().skip(1).fold(0u8, |s, b| s ^ b);
    format!("{body}*{sum:02X}")
}

fn read(text: impl AsRef<[u8]>) -> Report {
    stream::read(text.as_ref(), Options::default(), &mut |_| Ok(())).unwrap().report
}

/// The offsets of the sentences in milliseconds.
fn offsets(text: impl AsRef<[u8]>) -> Vec<i64> {
    let read = of_bytes(text.as_ref().to_vec()).unwrap();
    let (mut log, _) = Log::open(read, Options::default(), |_, _, _| {}, &mut |_| true).unwrap();
    let mut entries = Vec::new();
    log.ahead(Default::default(), 1000, &mut entries).unwrap();
    entries.iter().map(|e| e.offset / MILLISECOND).collect()
}

fn classes(text: impl AsRef<[u8]>) -> Vec<(u64, Class)> {
    let mut found = Vec::new();
    stream::read(text.as_ref(), Options::default(), &mut |line| {
        found.push((line.number, line.class));
        Ok(())
    })
    .unwrap();
    found
}

#[test]
fn r1_a_line_is_exactly_one_of_these() {
    use Class::{Blank, Comment, NoSentence, WithoutChecksum};
    for (line, class) in [
        ("", Blank),
        (" \t\x0b\x0c", Blank),
        ("\0\0 \0", Blank),
        ("\u{feff}", Blank),
        ("#", Comment),
        (" \t# $GPHDT,1", Comment),
        ("\u{feff}#x", Comment),
        ("\0#x", NoSentence), // NULs before # make no comment
        ("\u{feff}$GPHDT,1", WithoutChecksum),
        ("text", NoSentence),
        ("\u{a0}", NoSentence), // a no-break space is no white space here
    ] {
        assert_eq!(classes(format!("$IIDPT,1,\n{line}\n"))[1], (2, class), "{line:?}");
    }
}

#[test]
fn r1_metadata_before_the_first_sentence() {
    let report = read(
        "# NMEA Simulator X log 1\n# profile: Harbour\n #  with-dash_9 :  a: b  \n# 9no: x\n# no key: x\n# profile: Second\n#empty:\n\
         x\n$IIDPT,1,\n# late: x\n",
    );
    let header: Vec<_> = report.header.iter().map(|(k, v)| format!("{k}={}", v.as_str().unwrap())).collect();
    assert_eq!(header, ["format=1", "profile=Second", "with-dash_9=a: b", "empty="]);
    assert_eq!((report.comments, report.skipped.no_sentence), (8, 1));
    let latin = read(b"# Place: Ulb\xF8lle\n$IIDPT,1,\n");
    assert_eq!(latin.header["Place"], "Ulbølle");
}

#[test]
fn r1_a_newer_format_is_read_as_1_with_a_notice() {
    let summary =
        stream::read(&b"# NMEA Simulator X log 2\n$IIDPT,\\x41\n$IIDPT,1,\n"[..], Options::default(), &mut |_| Ok(()))
            .unwrap();
    assert_eq!(summary.report.header["format"], "2");
    assert_eq!(summary.report.skipped.garbled, 1, "escapes count as in format 1");
    assert_eq!(summary.notices.len(), 1);
    assert!(summary.notices[0].contains("log format 2 is newer"));
}

#[test]
fn r1_what_a_file_can_make_grow_is_capped() {
    let metadata: String = (0..1000).map(|i| format!("# k{i}: v\n")).collect();
    let types: String = (0..5000).map(|i| format!("$PXYZ{i},1\n")).collect();
    let breaks: String = (0..5000)
        .map(|i| format!("{} $IIDPT,1,\n", TEN + if i % 2 == 0 { 0 } else { 900_000 } + i * 100_000))
        .collect();
    let summary =
        stream::read(format!("{metadata}{types}{breaks}").as_bytes(), Options::default(), &mut |_| Ok(())).unwrap();
    assert_eq!((summary.report.header.len(), summary.report.types.len()), (pass::MOST_METADATA, pass::MOST_TYPES));
    assert_eq!(summary.more_types, 5000 - 4096 + 5000, "counts go on");
    assert_eq!(summary.report.timing.breaks.len(), timeline::MOST_BREAKS);
    assert!(summary.breaks > timeline::MOST_BREAKS as u64);
}

#[test]
fn r5_the_first_time_found_wins() {
    let s = sentence("$GPHDT,1.0,T");
    // In front, in a TAG block, behind.
    for (line, seconds) in [
        (format!("{} \\c:{}\\{s},{}", TEN + 1, TEN + 2, TEN + 3), Some(1)),
        (format!("\\c:{}\\{s},{}", TEN + 2, TEN + 3), Some(2)),
        (format!("\\c:{}\\ {} {s}", TEN + 2, TEN + 1), Some(1)),
        (format!("{s},{}", TEN + 3), Some(3)),
        (format!("\\s:a\\\\n:5,c:{}\\{s}", TEN + 2), Some(2)),
        (format!("\\c:5\\\\c:{}\\{s}", TEN + 2), Some(2)),
        (format!("\\c:5,c:{}.25\\{s}", TEN), Some(0)),
        (format!("\\c:-5\\{s}"), None),
        (format!("\\c:{}{s}", TEN), None),         // never closes
        (format!("\\q {} {s}", TEN + 4), Some(4)), // no block at all
        (format!("{s} {}", TEN), None),
        (format!("{s}\\c:{}\\", TEN), None),      // behind the sentence
        (format!("{} $GP{s}", TEN + 1), Some(1)), // in front of the first piece, good or bad
        (format!("$GPHDT,2*00 {} {s}", TEN + 1), None),
    ] {
        let report = read(format!("{line}\n"));
        let first = seconds.map(|n: i64| crate::core::time::iso_ms((TEN + n) * SECOND));
        let found = report.timing.first.map(|t| t[..19].to_owned());
        assert_eq!(found, first.map(|t| t[..19].to_owned()), "{line}");
        assert_eq!(report.sentences, 1, "{line}");
    }
}

#[test]
fn r5_only_lines_with_a_sentence_give_a_time() {
    let text = format!("{TEN} x\n{} $GPHDT,1*00\n\\c:{}\\$GPHDT,1*00\n# {}\n$IIDPT,1,\n", TEN, TEN, TEN);
    assert_eq!(read(text).timing.tier, Tier::FixedInterval);
}

#[test]
fn r5_a_tag_block_alone_serves_the_next_sentence() {
    let text = format!(
        "\\c:{}\\$IIDPT,1,\n\\c:{}\\\nx\n\n$IIDPT,2,\n$IIDPT,3,\n\\c:{}\\\n\\c:{}\\$IIDPT,4,\n$IIDPT,5,\n",
        TEN,
        TEN + 2,
        TEN + 50,
        TEN + 7
    );
    assert_eq!(offsets(&text), [0, 2000, 2000, 7000, 7000]);
    let report = read(&text);
    assert_eq!((report.skipped.no_sentence, report.timing.timed_lines), (3, 3));
}

#[test]
fn r5_wrong_tag_checksums_are_counted_once_a_line() {
    let s = sentence("$GPHDT,1.0,T");
    let report = read(format!("\\s:a*00\\\\s:b*01\\{s}\n\\s:a*00\\\n\\s:a*00\\$GPHDT,1*00\n\\s:a\\{s}\n"));
    assert_eq!((report.warnings.bad_tag_checksum, report.sentences), (3, 2));
}

#[test]
fn r5_suffixes_count_when_half_of_the_sentences_carry_one_and_nothing_better_is_there() {
    let s = sentence("$IIMTW,18.5,C");
    let with = |n: i64| format!("{s},r003669945,{}\n", TEN + n);
    let without = format!("{s}\n");
    assert_eq!(offsets(with(0) + &without + &with(4) + &without), [0, 0, 4000, 4000]);
    assert_eq!(read(with(0) + &without + &without).timing.tier, Tier::FixedInterval);
    let stamped = format!("{} {s}\n", TEN);
    let report = read(with(0) + &with(4) + &stamped);
    assert_eq!((report.timing.tier, report.timing.timed_lines, report.timing.duration_ms), (Tier::Timestamps, 1, 0));
    assert_eq!(read(with(0)).timing.tier, Tier::Timestamps);
    // Two sentences on a line with a suffix both carry it.
    assert_eq!(read(format!("{s}{}{without}{without}", with(0))).timing.tier, Tier::Timestamps);
}

#[test]
fn r5_times_of_day_come_after_sentence_times() {
    assert_eq!(offsets("[23:59:59] $IIDPT,1,\n$IIDPT,2,\n[00:00:01.5] $IIDPT,3,\n"), [0, 0, 2500]);
    assert_eq!(read("[23:59:59] $IIDPT,1,\n").timing.tier, Tier::TimeOfDay);
    let report = read("[23:59:59] $IIDPT,1,\n$GPGGA,100000,\n");
    assert_eq!((report.timing.tier, report.timing.timed_lines), (Tier::SentenceTimes, 1));
}

#[test]
fn tag_blocks_are_kept_for_display() {
    let (a, b) = (sentence("$GPHDT,1.0,T"), sentence("$GPHDT,2.0,T"));
    let text = format!("x\\s:one\\ y \\g:1-2-3\\{a}\\s:two,n:7\\{b}\n{a}\n");
    let read = of_bytes(text.into_bytes()).unwrap();
    let (mut log, _) = Log::open(read, Options::default(), |_, _, _| {}, &mut |_| true).unwrap();
    let mut entries = Vec::new();
    log.ahead(Default::default(), 9, &mut entries).unwrap();
    let tags: Vec<_> = entries.iter().map(|e| std::str::from_utf8(&e.tags).unwrap()).collect();
    assert_eq!(tags, ["\\s:one\\ y \\g:1-2-3\\", "\\s:two,n:7\\", ""]);
}

#[test]
fn r6_containers_are_unpacked() {
    let s = sentence("$GPHDT,1.0,T");
    let quoted = sentence("$PXYZ,say \"ah\"");
    let rows = [
        format!("message,id,type,timestamp\n\"{s}\",,x,2026-09-23T10:00:00Z\n\"{s}\",,x,2026-09-23T10:00:02Z\n"),
        format!("received_at,protocol,source,msg_type,raw_data\n{TEN}000,a,b,c,\"{s}\"\n{}500,a,b,c,{s}\n", TEN + 1),
        format!(
            "timestamp,type,id,message\n{TEN},x,,\"{}\"\n{},x,,\"\\c:5\\{s}\"\n",
            quoted.replace('"', "\"\""),
            TEN + 9
        ),
    ];
    for (text, duration) in rows.iter().zip([2000, 1500, 9000]) {
        let report = read(text);
        assert_eq!((report.sentences, report.without_checksum), (2, 0), "{text}");
        assert_eq!(
            (report.skipped.total, report.skipped.no_sentence),
            (1, 1),
            "the header is a line without a sentence"
        );
        assert_eq!((report.timing.tier, report.timing.duration_ms), (Tier::Timestamps, duration));
    }
    // The pieces of a row are found where they stand in the file.
    let text = &rows[1];
    let (mut log, _) =
        Log::open(of_bytes(text.clone().into_bytes()).unwrap(), Options::default(), |_, _, _| {}, &mut |_| true)
            .unwrap();
    let entry = log.at_sentence(1).unwrap().unwrap();
    assert_eq!(entry.place.byte as usize, text.rfind('$').unwrap());
    // A quote in a sentence survives.
    let (mut log, _) =
        Log::open(of_bytes(rows[2].clone().into_bytes()).unwrap(), Options::default(), |_, _, _| {}, &mut |_| true)
            .unwrap();
    assert_eq!(log.at_sentence(0).unwrap().unwrap().bytes, quoted.as_bytes());
}

#[test]
fn r6_datagrams_with_udpbc_in_front() {
    let s = sentence("$GPHDT,1.0,T");
    let report = read(format!("UdPbC\0\\s:II0001,c:{}\\{s}\r\nUdPbC\0\\s:II0001,c:{}\\{s}\r\n", TEN, TEN + 3));
    assert_eq!((report.sentences, report.timing.duration_ms, report.skipped.total), (2, 3000, 0));
}

#[test]
fn r7_glued_sentences_share_the_time_of_the_line() {
    let (a, b) = (sentence("$GPHDT,1.0,T"), sentence("$GPHDT,2.0,T"));
    assert_eq!(offsets(format!("{} {a}{b}\n{} {a}{b}\n", TEN, TEN + 1)), [0, 0, 1000, 1000]);
    // But the times inside them are each their own.
    let (a, b) = (sentence("$GPGGA,100000,"), sentence("$GPGGA,100005,"));
    assert_eq!(offsets(format!("{a}{b}\n")), [0, 5000]);
    assert_eq!(read(format!("{a}{b}\n")).timing.timed_lines, 1);
}

#[test]
fn r8_every_skip_has_a_place_and_a_reason() {
    let s = sentence("$GPHDT,1.0,T");
    let mut skips = Vec::new();
    stream::read(
        format!("# x\n\n$GPHDT,1*0G $GP{s}\nno \x1b[2J\n$GPHDT,\u{e9}\n").as_bytes(),
        Options::default(),
        &mut |line| {
            skips.extend(pass::skips(line));
            Ok(())
        },
    )
    .unwrap();
    let skip = |line, offset, reason, text: &str| SkippedLine {
        line,
        offset,
        reason,
        given: None,
        computed: None,
        text: text.into(),
    };
    // XOR of `GPHDT,1`: 0x63 ^ 0x31 (see the pieces' tests).
    let bad = SkippedLine {
        given: Some("0".into()),
        computed: Some("52".into()),
        ..skip(3, 5, Class::BadChecksum, "$GPHDT,1*0")
    };
    let no = 5 + 15 + s.len() as u64 + 1;
    assert_eq!(
        skips,
        [
            bad,
            skip(3, 17, Class::Truncated, "$GP"),
            skip(4, no, Class::NoSentence, "no ^[[2J"),
            skip(5, no + 8, Class::Garbled, "$GPHDT,é"),
        ]
    );
    let json = serde_json::to_string(&skips[0]).unwrap();
    assert_eq!(
        json,
        r#"{"line":3,"offset":5,"reason":"bad_checksum","given":"0","computed":"52","text":"$GPHDT,1*0"}"#
    );
}

#[test]
fn w4_a_torn_last_line_of_our_own_is_skipped_and_counted() {
    let head = "# NMEA Simulator X log 1\n2026-09-23T10:00:00.000Z $GPHDT,1.0,T\n";
    for (tail, sentences, skipped) in [
        ("2026-09-23T10:00:01.000Z $GPHDT,2.", 1, 1),
        ("2026-09-23T10:00:01.000Z $GPHDT,2.0,T\n", 2, 0),
        ("2026-09-23T10:00:01.0", 1, 1),
        ("", 1, 0),
    ] {
        let report = read(format!("{head}{tail}"));
        assert_eq!((report.sentences, report.skipped.total), (sentences, skipped), "{tail}");
    }
    let whole = format!("{head}2026-09-23T10:00:01.000Z {}", sentence("$GPHDT,2.0,T"));
    assert_eq!(read(whole).sentences, 2, "the checksum says that nothing is missing");
    assert_eq!(read("$GPHDT,2.").sentences, 1, "of other programs nothing is known");
}

#[test]
fn warnings_count_sentences_over_82_characters_with_cr_lf() {
    let body = |n: usize| sentence(&format!("$GPTXT,{}", "x".repeat(n - 10)));
    assert_eq!((body(80).len(), body(81).len()), (80, 81));
    assert_eq!(read(format!("{}\n{}\n", body(80), body(81))).warnings.over_82_characters, 1);
}

#[test]
fn strict_mode_skips_what_has_no_checksum() {
    let text = format!("$IIDPT,1,\n{}\n", sentence("$IIDPT,2,"));
    let options = Options { strict: true, ..Options::default() };
    let report = stream::read(text.as_bytes(), options, &mut |_| Ok(())).unwrap().report;
    assert_eq!((report.sentences, report.without_checksum, report.skipped.missing_checksum), (1, 0, 1));
}

#[test]
fn json_has_the_names_of_the_contract() {
    let text =
        format!("# NMEA Simulator X log 1\n# profile: x\n2026-09-23T10:00:00.000Z {}\n", sentence("$GPHDT,1.0,T"));
    let mut report = read(text);
    report.file = "a.log".into();
    let expected = r#"{"file":"a.log","bytes":83,"lines":3,"blank":0,"comments":2,"sentences":1,"without_checksum":0,
        "skipped":{"total":0,"no_sentence":0,"bad_checksum":0,"truncated":0,"garbled":0,"too_long":0,"missing_checksum":0},
        "warnings":{"bad_tag_checksum":0,"over_82_characters":0},
        "timing":{"tier":"timestamps","timed_lines":1,"first":"2026-09-23T10:00:00.000Z","last":"2026-09-23T10:00:00.000Z",
        "duration_ms":0,"breaks":[],"longest_gap_ms":0},
        "header":{"format":"1","profile":"x"},"types":{"GPHDT":1}}"#;
    let compact: String = expected.split('\n').map(str::trim_start).collect();
    // 24 + 1 + 12 + 1 bytes of header, 25 + 15 + 1 of the sentence, less nothing: 25 + 13 + 41 = 79 would be without ": x".
    assert_eq!(serde_json::to_string(&report).unwrap(), compact.replace("83", &report.bytes.to_string()));
    assert_eq!(report.bytes, 25 + 13 + 25 + 15 + 1);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    /// The quick ways through a line and the general way say the same of any line.
    #[test]
    fn quick_and_general_agree(
        stamp in proptest::sample::select(vec!["", "2026-09-23T10:00:00.250Z ", "2026-09-31T10:00:00.250Z ", "2@26-09-23T10:00:00.250Z ", "2026-09-23T10:00:60.000Z "]),
        body in "[!$][A-Za-z0-9]{1,8}[,*][ -~\t\0\u{80}é]{0,20}",
        sum in 0..4,
        end in proptest::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let body = match sum {
            0 => body,
            1 => sentence(&body).to_lowercase(),
            _ => sentence(&body),
        };
        let line = format!("{stamp}{body}");
        // A blank behind the line leaves what it says as it is, and takes the quick way away.
        let general = read(format!("{line} {end}{line} {end}"));
        let text = format!("{line}{end}{line}{end}");
        // Line by line; and as files are opened, where plain lines are taken before they are split off.
        let mut split = read(&text);
        let file = of_bytes(text.clone()).unwrap();
        let mut whole = stream::read_file(&*file, Options::default(), &mut |_| Ok(()), &mut |_| {}).unwrap().report;
        split.bytes += 2;
        whole.bytes += 2;
        proptest::prop_assert_eq!(&split, &general);
        proptest::prop_assert_eq!(&whole, &general);
    }
}

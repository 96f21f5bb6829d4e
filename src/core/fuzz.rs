//! The bodies of the fuzz targets (`fuzz/`), which also run as property tests: whatever the bytes, no panic, and what can be
//! said twice is said the same.
//!
//! Panics are how a body says that something is wrong; nothing else uses this module.

#![allow(clippy::expect_used, reason = "a fuzz target fails by panicking")]

use bytes::Bytes;

use crate::core::diag::Diag;
use crate::core::diag::context::Settings;
use crate::core::diag::of_log;
use crate::core::diag::report::{Format, Report};
use crate::core::filter::Filter;
use crate::core::frame::{Class, Frame, Origin, Place};
use crate::core::input::InputSpec;
use crate::core::log::container::Columns;
use crate::core::log::line::{Dialect, Line};
use crate::core::log::lines::Feed;
use crate::core::log::piece::{Finder, Rules};
use crate::core::log::{Log, Options, Pattern, Show, Unusual, Way, hear, of_bytes, pass, sentence_time, stamp, stream};
use crate::core::nmea::inspect;
use crate::core::nmea::tag::{TagBlock, TagWriter};
use crate::core::output::OutputSpec;
use crate::core::profile::Profile;
use crate::core::sim::Simulation;
use crate::core::time::{MILLISECOND, Moment, Offset, SECOND, Utc};
use crate::core::track::{self, Sailing, Track};
use crate::core::transport::player::Player;
use crate::core::transport::target::Target;
use crate::core::transport::{To, Transport};
use crate::core::vessel::Vessel;

type Seen = (u64, u64, Class, Vec<(Class, Vec<u8>)>);

fn fed(bytes: &[u8], reads: usize) -> Vec<Seen> {
    let mut feed = Feed::new(false);
    let mut seen = Vec::new();
    let mut each = |line: &crate::core::log::line::Line<'_>| {
        let pieces = line.pieces.iter().map(|p| (p.class, p.of(line.text).to_vec())).collect();
        seen.push((line.number, line.at, line.class, pieces));
    };
    for read in bytes.chunks(reads.max(1)) {
        feed.push(read, &mut each);
    }
    feed.flush(&mut each);
    seen
}

/// The line machine: any split of the reads gives the same lines, pieces lie in order, what is sent is sent again.
pub fn lines(bytes: &[u8]) {
    let whole = fed(bytes, usize::MAX);
    assert_eq!(fed(bytes, 1), whole);
    assert_eq!(fed(bytes, 7), whole);
    let mut finder = Finder::default();
    for rules in [Rules::default(), Rules { strict: true, format1: false }, Rules { strict: false, format1: true }] {
        for line in bytes.split(|b| matches!(b, b'\n' | b'\r')) {
            finder.read(line, rules);
            let mut end = 0;
            for piece in finder.pieces() {
                assert!(piece.start >= end && piece.end > piece.start && piece.end as usize <= line.len());
                end = if piece.class == Class::Truncated { piece.start + 1 } else { piece.end };
                if piece.class.is_sentence() {
                    // On a line of its own it is the same sentence again.
                    let alone = fed(piece.of(line), usize::MAX);
                    let same = (piece.class, piece.of(line).to_vec());
                    assert!(
                        alone.iter().any(|(.., pieces)| pieces.first() == Some(&same)) || piece.end - piece.start > 900
                    );
                }
            }
        }
    }
}

/// TAG blocks: read without panic; what is written is read back with a right checksum.
pub fn tags(bytes: &[u8]) {
    for at in 0..bytes.len().min(200) {
        if let Some((block, end)) = TagBlock::at(bytes, at) {
            assert!(end <= bytes.len() && bytes[end - 1] == b'\\');
            let _sum = block.checksum();
            for (code, value) in block.fields() {
                let _time = (code, stamp::unix(value));
            }
        }
    }
    let mut writer = TagWriter::new();
    for (i, part) in bytes.chunks(9).take(8).enumerate() {
        writer = writer.field(b'a' + i as u8, part);
    }
    let mut out = Vec::new();
    writer.write(&mut out);
    if !bytes.is_empty() {
        let (block, end) = TagBlock::at(&out, 0).expect("a block was written");
        assert_eq!((end, block.checksum()), (out.len(), crate::core::nmea::tag::TagSum::Right));
        assert_eq!(block.fields().count(), bytes.chunks(9).take(8).count());
    }
}

/// Times in any text, columns of containers, and packed or wide text: no panic, and the same from a stream as from a file.
pub fn dialects(bytes: &[u8]) {
    let times = stamp::find(bytes);
    assert!(times.of_day.is_none_or(|ns| (0..=crate::core::time::DAY + crate::core::time::SECOND).contains(&ns)));
    let _times = (stamp::suffix(bytes), stamp::unix(bytes), sentence_time::of(bytes));
    if let Some(columns) = Columns::of_header(b"timestamp,type,id,message") {
        for line in bytes.split(|b| *b == b'\n') {
            if let Some(cells) = columns.cells(line) {
                assert!(cells.time.end <= line.len() && cells.message.end <= line.len());
                assert!(cells.message.start <= cells.message.end);
            }
        }
    }
    for head in [
        &b""[..],
        b"\xFF\xFE",
        b"\xFE\xFF",
        b"\x1F\x8B\x08\0\0\0\0\0\0\x03",
        b"timestamp,type,id,message\n",
        b"# NMEA Simulator X log 1\n",
    ] {
        whole_log(&[head, bytes].concat());
    }
}

/// A whole log: opened and streamed give one report; readers agree with each other from wherever they start.
pub fn whole_log(bytes: &[u8]) {
    let options = Options::default();
    let mut skips = 0;
    let streamed = stream::read(bytes, options, &mut |line| {
        skips += pass::skips(line).count() as u64;
        Ok(())
    })
    .expect("bytes can be read");
    assert_eq!(skips, streamed.report.skipped.total);
    let read = of_bytes(bytes.to_vec()).expect("bytes can be read");
    let checked = stream::read_file(&*read, options, &mut |_| Ok(()), &mut |_| {}).expect("bytes can be read");
    // How much of a damaged archive a pipe gives is another decoder's business.
    if streamed.notices.is_empty() && checked.notices.is_empty() {
        assert_eq!(streamed, checked);
    }
    let Ok((mut log, summary)) = Log::open(read, options, hear, &mut |_| true) else {
        assert_eq!(checked.report.sentences, 0);
        return;
    };
    assert_eq!(checked, summary);
    let yes = &mut |_| true;
    let all = log.rows(Place::default(), Way::Forward, usize::MAX, &Show::default(), yes).expect("it can be read");
    assert_eq!(all.iter().filter(|r| r.class.is_sentence()).count() as u64, summary.report.sentences);
    assert!(all.is_sorted_by_key(|r| (r.offset, r.place)));
    let end = Place { byte: u64::MAX, ..Place::default() };
    let mut back = log.rows(end, Way::Back, usize::MAX, &Show::default(), yes).expect("it can be read");
    back.reverse();
    assert_eq!(back, all);
    for row in all.iter().step_by(all.len() / 5 + 1) {
        let offset = row.offset.expect("an opened log is timed");
        let found = log.at_offset(offset).expect("it can be read");
        let expected = all.iter().find(|r| r.class.is_sentence() && r.offset >= Some(offset)).map(|r| r.place);
        assert_eq!(found.map(|e| e.place), expected);
        let next = log.next(Unusual::Bad, row.place, Way::Forward, yes).expect("it can be read");
        let expected = all.iter().find(|r| r.place >= row.place && r.class.is_skip());
        assert_eq!(next.as_ref(), expected);
        log.vessel(row.place, yes).expect("it can be read");
    }
}

/// Every line as a sentence to the table of formatters: no panic.
pub fn decoders(bytes: &[u8]) {
    let mut vessel = Vessel::default();
    for (i, line) in bytes.split(|b| *b == b'\n').enumerate() {
        hear(line, Moment { offset: i as i64, utc: None }, &mut vessel);
        let framed = [b"$", line].concat();
        hear(&framed, Moment { offset: i as i64, utc: Some(0) }, &mut vessel);
    }
}

/// What is said about a live feed and about a log: findings, table, report, every line taken apart. No panic, and nothing but
/// visible text.
pub fn diagnosis(bytes: &[u8]) {
    let origin = Origin::Input(0);
    let mut diag = Diag::new(Settings::live(true));
    let mut feed = Feed::new(false);
    let mut now = Moment { offset: 0, utc: Some(1_790_157_600 * SECOND) };
    let mut seq = 0;
    let mut heard = |line: &Line<'_>, now: Moment, diag: &mut Diag| {
        for (part, piece) in line.pieces.iter().enumerate() {
            let frame = Frame {
                origin,
                class: piece.class,
                ..Frame::sentence(seq, now.offset, Bytes::copy_from_slice(piece.of(line.text)))
            };
            seq += 1;
            diag.hear(&frame, now.utc);
            let _apart = inspect::line(line.bytes, part, Dialect::default(), None);
        }
    };
    for read in bytes.chunks(61) {
        // Pauses of up to a minute, as the bytes have it.
        let pause = i64::from(read[0]).pow(2) * MILLISECOND;
        now = Moment { offset: now.offset + pause, utc: now.utc.map(|utc| utc + pause) };
        diag.hear_raw(origin, read, now);
        feed.push(read, &mut |line| heard(line, now, &mut diag));
        diag.tick(now);
    }
    feed.flush(&mut |line| heard(line, now, &mut diag));
    reported(diag);
    let read = of_bytes(bytes.to_vec()).expect("bytes can be read");
    if let Ok((mut log, summary)) = Log::open(read, Options::default(), hear, &mut |_| true) {
        let diag = of_log::diagnose(&mut log, &summary, &mut |_| true).expect("it can be read");
        reported(diag.expect("nobody stops it"));
    }
}

/// What a person or a file says: profiles, tracks, outputs, inputs, filters, places to go to. What is accepted works and is
/// written as it is read; what is refused is refused in visible words.
pub fn words(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    if let Ok(document) = said(track::read(bytes)) {
        let track = Track::new(document, &Sailing::default());
        for at in [0, track.duration() / 2, track.duration(), Offset::MAX] {
            let sailed = track.state_at(at);
            assert!(sailed.position.latitude.abs() <= 90.0 && sailed.position.longitude.abs() <= 180.0, "{sailed:?}");
        }
        played(Simulation::with_track(Profile::built_in(), track, NOON), None);
    }
    let target = said(Target::parse(text)).ok();
    if let Some(target) = target {
        played(Simulation::new(Profile::built_in(), NOON), Some(target));
    }
    match Profile::parse(text, "a file") {
        Ok(profile) => played(Simulation::new(profile, NOON), None),
        Err(error) => assert!(error.lines().iter().all(|line| is_visible(line)), "{error}"),
    }
    if let Ok(spec) = said(OutputSpec::parse(text)) {
        assert_eq!(OutputSpec::parse(&spec.to_string()), Ok(spec));
    }
    if let Ok(spec) = said(InputSpec::parse(text)) {
        assert_eq!(InputSpec::parse(&spec.to_string()), Ok(spec));
    }
    let (_filter, _pattern) = (said(Filter::new(text)), said(Pattern::new(text)));
}

const NOON: Utc = 1_790_164_800 * SECOND;

/// Some seconds of a source, from a place and from its beginning.
fn played(simulation: Simulation, target: Option<Target>) {
    let mut player = Player::new(Box::new(simulation));
    let mut frames = Vec::new();
    player.command(0, &Transport::Play, &mut frames).expect("it plays");
    if let Some(Ok(to)) = target.map(|target| said(target.resolve(player.source(), 0, SECOND))) {
        // Far away is far to go.
        if matches!(to, To::Start | To::End) || matches!(to, To::Offset(at) if at.abs() < 60 * SECOND) {
            let _moved = said(player.command(0, &Transport::Seek(to), &mut frames).map_err(|e| e.to_string()));
        }
    }
    for now in 0..5 {
        frames.clear();
        player.run(now * SECOND, 512, &mut frames).expect("it goes on");
        for frame in &frames {
            assert!(frame.bytes.len() <= 80 && frame.bytes.iter().all(|b| (b' '..=b'~').contains(b)), "{frame:?}");
        }
    }
}

fn said<T, E: ToString>(answer: Result<T, E>) -> Result<T, String> {
    answer.map_err(|error| {
        let text = error.to_string();
        assert!(is_visible(&text), "{text:?}");
        text
    })
}

fn is_visible(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(|c| c.is_control() && c != '\n')
}

fn reported(mut diag: Diag) {
    diag.finish();
    let report = Report::new(&diag, "a feed", Vec::new(), None);
    for format in [Format::Text, Format::Markdown, Format::Json] {
        let text = report.render(format);
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Bytes with what these readers look for in them.
    fn soup() -> impl Strategy<Value = Vec<u8>> {
        let part = prop_oneof![
            proptest::sample::select(vec![
                "$",
                "!",
                "*",
                "\\",
                "\n",
                "\r\n",
                "\r",
                "#",
                ",",
                "$GPRMC,",
                "!AIVDM,1,1,,A,",
                "*5C",
                "\\s:a,c:1790157600*00\\",
                "$GPHDT,n*0D",
                "$GPGGA,100000,",
                "$GPZDA,100000.5,23,09,2026,00,00",
                "1790157600,",
                "2026-09-23T10:00:00.000Z ",
                "[10:00:00] ",
                "$PGHP,1,2026,9,23,10,0,0,125,",
                "$PABC",
                "\u{feff}",
                "\\x41",
                "\0",
                " ",
                "\"",
                "$GPRMC,235959,A,,,,,,,311299,,",
                "c:",
                "2026/02/30 10:00:00 ",
                "20260923T1000 ",
                "+02:00 ",
                "# a: b\n",
            ])
            .prop_map(|s| s.as_bytes().to_vec()),
            proptest::collection::vec(any::<u8>(), 0..6),
            "[0-9A-F]{1,4}".prop_map(String::into_bytes),
        ];
        proptest::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
    }

    #[test]
    fn what_fuzzing_found_stays_fixed() {
        // A stamp whose first digits are none; a negative millisecond; a stamp at the end of what 64 bits hold; a stamp that
        // ends in bytes which no number holds; an engine whose number is none; clocks that
        // are centuries apart.
        for text in [
            &b"2@26-09-23T10:00:00.000Z $GPHDT,n*0D\n"[..],
            b"$PGHP,1,5,1,1,1,1,1,-1\n",
            b"2262-04-11T23:47:59.999Z $GPHDT,n*0D\n",
            b"2026-09-23T10:00:00.00\xCB\xA5 $GPHDT,n*0D\n",
            b"IIXDR,C,82.0,C,ENGINE#254\n",
            b"1700-01-01T00:00:00.000Z $GPZDA,100000,23,09,2200,00,00\n$GPZDA,100000,23,09,9999,00,00\n",
            b"$GPRMC,100000,A,,,,,,,010199,,\n$GPZDA,100000,23,09,1700,00,00\n$GPRMC,100000,A,,,,,,,010170,,\n",
        ] {
            lines(text);
            dialects(text);
            decoders(text);
            diagnosis(text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(120))]

        #[test]
        fn lines_hold(bytes in soup()) {
            lines(&bytes);
        }

        #[test]
        fn tags_hold(bytes in soup()) {
            tags(&bytes);
        }

        #[test]
        fn dialects_hold(bytes in soup()) {
            dialects(&bytes);
        }

        #[test]
        fn whole_logs_hold(bytes in soup()) {
            whole_log(&bytes);
        }

        #[test]
        fn decoders_hold(bytes in soup()) {
            decoders(&bytes);
        }

        #[test]
        fn diagnoses_hold(bytes in soup()) {
            diagnosis(&bytes);
        }

        #[test]
        fn words_hold(bytes in soup()) {
            words(&bytes);
        }
    }
}

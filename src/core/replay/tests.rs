//! Replay: the rules P1 to P4 and P9, moves, several logs as one, stretches; and that any way to a place ends alike.

use proptest::prelude::*;

use super::save::Stretch;
use super::*;
use crate::core::filter::Filter;
use crate::core::log::{Options, Show, hear, of_bytes};
use crate::core::time::{MILLISECOND, SECOND, iso_ms};
use crate::core::transport::{Looping, Player, Transport};

/// 2026-09-22 12:00:00 UTC: golden-state's 12:34:56 (1790080496) less 2096 s.
const NOON: Utc = 1_790_078_400 * SECOND;

/// `$` body `*hh`: the exclusive or of the bytes between.
pub(super) fn sentence(body: &str) -> String {
    format!("${body}*{:02X}", body.bytes().fold(0, |a, b| a ^ b))
}

pub(super) fn stamped(ms: i64, text: &str) -> String {
    format!("{} {text}\n", iso_ms(NOON + ms * MILLISECOND))
}

/// A sentence of a receiver that says the time, `ms` after noon.
fn gga(ms: i64) -> String {
    sentence(&format!(
        "GPGGA,12{:02}{:02}.{:02},3000.0000,N,02000.0000,W,1,08,0.9,1.0,M,2.0,M,,",
        ms / 60_000,
        ms / 1000 % 60,
        ms / 10 % 100
    ))
}

pub(super) fn heading(degrees: f64) -> String {
    sentence(&format!("HEHDT,{degrees:.1},T"))
}

fn part(name: &str, text: &str) -> Part {
    let (log, _) =
        Log::open(of_bytes(text.as_bytes().to_vec()).unwrap(), Options::default(), hear, &mut |_| true).unwrap();
    Part { name: name.into(), log }
}

fn replay(text: &str) -> Replay {
    Replay::new(vec![part("a.log", text)], hear).unwrap()
}

pub(super) fn several(texts: &[&str]) -> Replay {
    let parts = texts.iter().enumerate().map(|(i, t)| part(&format!("{i}.log"), t)).collect();
    Replay::new(parts, hear).unwrap()
}

fn play(replay: &mut Replay, room: usize) -> Vec<Frame> {
    let mut out = Vec::new();
    replay.poll(Offset::MAX, room, &mut out).unwrap();
    out
}

fn texts(frames: &[Frame]) -> Vec<String> {
    frames.iter().map(|f| String::from_utf8(f.bytes.to_vec()).unwrap()).collect()
}

fn number(replay: &Replay) -> u64 {
    replay.head().unwrap().1
}

/// Six sentences in 100 s: headings 1 to 6 at 0, 0.5, 1, 1, 31 and 100 s; a bad line, a comment, and one too long.
fn small() -> String {
    let long = sentence(&format!("PXYZ,{}", "x".repeat(90)));
    [
        "# NMEA Simulator X log 1\n".to_string(),
        stamped(0, &heading(1.0)),
        stamped(500, &heading(2.0)),
        stamped(700, "$HEHDT,9.0,T*00"),
        stamped(800, "nothing"),
        stamped(1000, &heading(3.0)),
        stamped(1000, &long),
        "# a comment\n".to_string(),
        stamped(31_000, &heading(5.0)),
        stamped(100_000, &heading(6.0)),
    ]
    .concat()
}

#[test]
fn p1_p2_sentences_go_as_recorded_and_the_cursor_stands_before_the_next() {
    let mut r = replay(&small());
    assert_eq!(r.head().map(|(place, n)| (place.line, n)), Some((2, 0)));
    assert_eq!(r.next_due().unwrap(), Some(0));
    assert!(r.vessel().heading_true_deg.is_none());
    let all = play(&mut r, 100);
    assert_eq!(texts(&all)[..3], [heading(1.0), heading(2.0), heading(3.0)]);
    let offsets: Vec<i64> = all.iter().map(|f| f.offset / MILLISECOND).collect();
    assert_eq!(offsets, [0, 500, 1000, 1000, 31_000, 100_000]);
    assert_eq!(all.iter().map(|f| f.seq).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(r.next_due().unwrap(), None);
    assert_eq!(r.head().map(|(place, n)| (place.line, n)), Some((10, 6)), "at the end: the last sentence");
    assert_eq!(r.duration(), Some(100 * SECOND));
    // What the decoder does not know leaves the state alone: the last heading counts.
    assert_eq!(r.vessel().heading_true_deg.map(|k| (k.value, k.at)), Some((6.0, 100 * SECOND)));
}

/// An output may be told to keep TAG blocks: they go along in front, and are no part of the sentence.
#[test]
fn tag_blocks_of_a_log_go_along_in_front() {
    let body = "s:GP0001,c:1790078400";
    let tag = format!("\\{body}*{:02X}\\", body.bytes().fold(0, |a, b| a ^ b));
    let mut r = replay(&format!("{tag}{}\n{}\n", heading(1.0), heading(2.0)));
    let all = play(&mut r, 9);
    assert_eq!(texts(&all), [format!("{tag}{}", heading(1.0)), heading(2.0)]);
    assert_eq!(all.iter().map(|f| f.text().to_vec()).collect::<Vec<_>>(), [1.0, 2.0].map(|h| heading(h).into_bytes()));
    assert_eq!(r.vessel().heading_true_deg.map(|k| k.value), Some(2.0));
}

#[test]
fn p3_a_seek_sends_nothing_and_knows_no_future() {
    let mut r = replay(&small());
    for (to, offset, next, known) in [
        (600, 1000, 2, Some(2.0)),
        (1000, 1000, 2, Some(2.0)),
        (1001, 31_000, 4, Some(3.0)),
        (0, 0, 0, None),
        (100_001, 100_000, 6, Some(6.0)),
        (500, 500, 1, Some(1.0)),
    ] {
        assert_eq!(r.seek(To::Offset(to * MILLISECOND)).unwrap(), offset * MILLISECOND, "{to}");
        assert_eq!(number(&r), next, "{to}");
        assert_eq!(r.vessel().heading_true_deg.map(|k| k.value), known, "{to}");
    }
    assert_eq!(r.seek(To::Start).unwrap(), 0);
    assert_eq!(texts(&play(&mut r, 1)), [heading(1.0)]);
    assert_eq!(r.seek(To::End).unwrap(), 100 * SECOND);
    assert!(play(&mut r, 1).is_empty());
    r.seek(To::Line(4)).unwrap();
    assert_eq!(texts(&play(&mut r, 1)), [heading(3.0)], "line 4 is skipped: the first sentence after it");
}

#[test]
fn p4_steps_send_one_sentence_and_step_back_restores_the_state() {
    let mut p = Player::new(Box::new(replay(&small())));
    let mut out = Vec::new();
    let step = |p: &mut Player, n: i64, out: &mut Vec<Frame>| {
        out.clear();
        p.command(0, &Transport::Step(Unit::Sentence, n), out).unwrap();
    };
    step(&mut p, 1, &mut out);
    step(&mut p, 1, &mut out);
    assert_eq!(texts(&out), [heading(2.0)]);
    step(&mut p, -1, &mut out);
    assert!(out.is_empty());
    assert_eq!(p.source().vessel().heading_true_deg.map(|k| k.value), Some(1.0));
    step(&mut p, -5, &mut out);
    assert!(p.source().vessel().heading_true_deg.is_none());
    p.command(0, &Transport::Seek(To::End), &mut out).unwrap();
    step(&mut p, 1, &mut out);
    assert!(out.is_empty(), "at the end it stays");
    p.command(0, &Transport::Loop(Looping::All), &mut out).unwrap();
    step(&mut p, 1, &mut out);
    assert_eq!(texts(&out), [heading(1.0)], "and wraps when looping");
}

/// Three epochs of a receiver, with what other instruments say in between, and a prelude without time.
fn epochs() -> String {
    let mut text = heading(0.0) + "\n";
    for s in 0..3 {
        let rmc = sentence(&format!("GPRMC,12000{s}.00,A,3000.0000,N,02000.0000,W,5.0,90.0,220926,,,A"));
        for line in [gga(s * 1000), heading(10.0 * s as f64), rmc, heading(10.0 * s as f64 + 1.0)] {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

#[test]
fn p9_an_epoch_ends_where_the_time_of_the_fix_changes() {
    let mut r = replay(&epochs());
    let mut at = vec![number(&r)];
    while let Some(Ahead::Sentences(n)) = r.to_epoch().unwrap() {
        if play(&mut r, n).is_empty() {
            break;
        }
        at.push(number(&r));
    }
    assert_eq!(at, [0, 1, 5, 9, 13]);
    for expected in [9, 5, 1, 0, 0] {
        r.seek(To::Move(Unit::Epoch, -1)).unwrap();
        assert_eq!(number(&r), expected);
    }
    r.seek(To::Move(Unit::Epoch, 3)).unwrap();
    assert_eq!(number(&r), 9);
    // From within an epoch: on to the next, back to its own beginning.
    r.seek(To::Move(Unit::Sentence, -2)).unwrap();
    assert_eq!((number(&r), r.to_epoch().unwrap()), (7, Some(Ahead::Sentences(2))));
    r.seek(To::Move(Unit::Epoch, -1)).unwrap();
    assert_eq!(number(&r), 5);
    r.seek(To::Move(Unit::Epoch, 99)).unwrap();
    assert_eq!(number(&r), 13);
}

#[test]
fn p9_without_times_in_sentences_an_epoch_is_one_offset() {
    let mut r = replay(&small());
    let mut at = Vec::new();
    for _ in 0..5 {
        r.seek(To::Move(Unit::Epoch, 1)).unwrap();
        at.push(number(&r));
    }
    assert_eq!(at, [1, 2, 4, 5, 6]);
    for expected in [5, 4, 2, 1, 0] {
        r.seek(To::Move(Unit::Epoch, -1)).unwrap();
        assert_eq!(number(&r), expected);
    }
    // A receiver that knows no time says GGA without any.
    let cold = (0..4).map(|i| stamped(i / 2 * 1000, &sentence("GPGGA,,,,,,0,00,,,M,,M,,")));
    let mut r = replay(&cold.collect::<String>());
    assert_eq!(r.to_epoch().unwrap(), Some(Ahead::Sentences(2)));
}

#[test]
fn moves_to_skipped_lines_warnings_and_gaps() {
    let mut r = replay(&small());
    let go = |r: &mut Replay, unit: Unit, by: i64| match r.seek(To::Move(unit, by)) {
        Ok(_) => Ok((number(r), r.landed.unwrap().line)),
        Err(e) => Err(e.to_string()),
    };
    // Two skipped lines in a row stand before the same sentence: each is found, both ways.
    assert_eq!(go(&mut r, Unit::Bad, 1), Ok((2, 4)));
    assert_eq!(go(&mut r, Unit::Bad, 1), Ok((2, 5)));
    assert_eq!(go(&mut r, Unit::Bad, 1), Err("no further skipped line ahead".into()));
    assert_eq!(go(&mut r, Unit::Bad, -1), Ok((2, 4)));
    assert_eq!(go(&mut r, Unit::Bad, -1), Err("no further skipped line behind".into()));
    assert_eq!(go(&mut r, Unit::Warning, 1), Ok((3, 7)));
    assert_eq!(go(&mut r, Unit::Gap, 1), Ok((4, 9)));
    assert_eq!(go(&mut r, Unit::Gap, 1), Ok((5, 10)));
    assert_eq!(go(&mut r, Unit::Gap, 1), Err("no further gap or break ahead".into()));
    assert_eq!(number(&r), 5, "what fails changes nothing");
    assert_eq!(go(&mut r, Unit::Gap, -1), Ok((4, 9)));
    assert_eq!(go(&mut r, Unit::Bad, -2), Ok((2, 4)));
    r.seek(To::End).unwrap();
    assert_eq!(go(&mut r, Unit::Gap, -1), Ok((5, 10)));
    // Whoever plays on leaves the line behind.
    r.seek(To::Start).unwrap();
    assert_eq!(go(&mut r, Unit::Bad, 1), Ok((2, 4)));
    play(&mut r, 1);
    assert_eq!(go(&mut r, Unit::Bad, -1), Ok((2, 5)));
}

#[test]
fn several_logs_are_ordered_by_time_when_all_have_it() {
    // Given late first; the middle one overlaps the first.
    let a = stamped(0, &heading(1.0)) + &stamped(2000, &heading(3.0)) + &stamped(4000, &heading(5.0));
    let b = stamped(1000, &heading(2.0)) + &stamped(2000, &heading(4.0)) + &stamped(5000, &heading(6.0));
    let c = stamped(65_000, &heading(7.0)) + &stamped(66_000, &heading(8.0));
    let mut r = several(&[&c, &a, &b]);
    assert_eq!(r.names(), ["1.log", "2.log", "0.log"]);
    let all = play(&mut r, 100);
    let values: Vec<String> = (1..=8).map(|n| heading(f64::from(n))).collect();
    assert_eq!(texts(&all), values);
    let offsets: Vec<i64> = all.iter().map(|f| f.offset / SECOND).collect();
    assert_eq!(offsets, [0, 1, 2, 2, 4, 5, 65, 66]);
    assert_eq!(r.duration(), Some(66 * SECOND));
    let seams: Vec<_> = r.seams().iter().map(|s| (s.file, s.at, s.jump)).collect();
    assert_eq!(seams, [(2, 65 * SECOND, Some(60 * SECOND))], "overlapping logs have no seam");
    assert_eq!(r.utc(2 * SECOND), Some(NOON + 2 * SECOND));
    assert_eq!(r.utc(65 * SECOND + 5), Some(NOON + 65 * SECOND + 5));
    // Back through both, and to a seam.
    for n in (0..8).rev() {
        r.seek(To::Move(Unit::Sentence, -1)).unwrap();
        assert_eq!((number(&r), texts(&play(&mut r, 1))), (n, vec![heading((n + 1) as f64)]));
        r.seek(To::Move(Unit::Sentence, -1)).unwrap();
    }
    r.seek(To::Move(Unit::Gap, 1)).unwrap();
    assert_eq!((number(&r), r.vessel().heading_true_deg.map(|k| k.value)), (6, Some(6.0)));
    assert!(r.seek(To::Move(Unit::Gap, 1)).is_err());
    let place = Place { file: 1, ..Place::default() };
    assert_eq!(r.seek(To::Place(place)).unwrap(), SECOND);
    assert_eq!(number(&r), 1);
    assert!(r.seek(To::Place(Place { file: 9, ..place })).is_err());
}

#[test]
fn a_jump_of_more_than_a_day_between_logs_is_a_break_and_not_waited_for() {
    const DAYS: i64 = 3 * 86_400_000;
    let a = stamped(0, &heading(1.0)) + &stamped(1000, &heading(2.0));
    let b = stamped(DAYS, &heading(3.0)) + &stamped(DAYS + 1000, &heading(4.0));
    let mut r = several(&[&b, &a]);
    let offsets: Vec<i64> = play(&mut r, 9).iter().map(|f| f.offset / SECOND).collect();
    assert_eq!(offsets, [0, 1, 1, 2]);
    assert_eq!(r.seams()[0].jump, Some((DAYS - 1000) * MILLISECOND));
    assert_eq!(r.utc(2 * SECOND), Some(NOON + (DAYS + 1000) * MILLISECOND));
}

#[test]
fn logs_without_time_follow_each_other_as_given() {
    let a = stamped(0, &heading(1.0)) + &stamped(1000, &heading(2.0));
    let b = heading(3.0) + "\n" + &heading(4.0) + "\n";
    let mut r = several(&[&b, &a]);
    assert_eq!(r.names(), ["0.log", "1.log"]);
    let all = play(&mut r, 9);
    let offsets: Vec<i64> = all.iter().map(|f| f.offset / MILLISECOND).collect();
    assert_eq!(offsets, [0, 100, 100, 1100]);
    assert_eq!(texts(&all)[1..3], [heading(4.0), heading(1.0)]);
    assert_eq!(r.seams().iter().map(|s| (s.file, s.at, s.jump)).collect::<Vec<_>>(), [(1, 100 * MILLISECOND, None)]);
    assert_eq!((r.utc(0), r.utc(SECOND)), (None, Some(NOON + 900 * MILLISECOND)));
}

#[test]
fn a_saved_stretch_is_a_log_that_replays_alike() {
    let mut r = several(&[&small(), &(stamped(2000, &heading(4.0)) + &stamped(3000, &gga(3000)))]);
    r.seek(To::Offset(5)).unwrap();
    let before = number(&r);
    let stretch = Stretch { from: Some(500 * MILLISECOND), to: Some(100 * SECOND), ..Stretch::default() };
    let mut out = Vec::new();
    let saved = r.save(&stretch, NOON, &mut out, &mut |_| true).unwrap();
    assert_eq!((saved.sentences, saved.bytes, number(&r)), (6, out.len() as u64, before));
    let text = String::from_utf8(out).unwrap();
    assert!(text.starts_with("# NMEA Simulator X log 1\n# recorded: 2026-09-22T12:00:00.000Z\n# program: nmeasimx "));
    assert!(
        text.contains("\n# source: 0.log\n# source: 1.log\n# stretch: from line 3 of 0.log\n2026-09-22T12:00:00.500Z ")
    );
    let mut again = replay(&text);
    let all = play(&mut again, 99);
    assert_eq!(all.iter().map(|f| f.offset / MILLISECOND).collect::<Vec<_>>(), [0, 500, 500, 1500, 2500, 30_500]);
    assert_eq!(texts(&all)[0], heading(2.0));

    let types = |types: &str| Show { types: Filter::new(types).unwrap(), ..Show::default() };
    let only = Stretch { show: types("GGA"), ..Stretch::default() };
    let mut out = Vec::new();
    assert_eq!(r.save(&only, NOON, &mut out, &mut |_| true).unwrap().sentences, 1);
    assert!(String::from_utf8(out).unwrap().contains("# filter: GGA\n"));
    // A pattern is one of whole lines, with their stamps: the headings 2, 3, 4 and the long one stand in the first seconds.
    let pattern = Some(crate::core::log::Pattern::new("T12:00:0[01].*Z").unwrap());
    let show = Show { pattern, hidden: vec![b"PXYZ".as_slice().into()], ..Show::default() };
    let mut out = Vec::new();
    let saved = r.save(&Stretch { show, ..Stretch::default() }, NOON, &mut out, &mut |_| true).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(saved.sentences, 3, "{text}");
    assert!(text.contains("# matches: T12:00:0[01].*Z\n# without: PXYZ\n"), "{text}");
    let none = Stretch { show: types("QQQ"), ..Stretch::default() };
    let mut out = Vec::new();
    assert!(matches!(r.save(&none, NOON, &mut out, &mut |_| true), Err(save::SaveError::Nothing)) && out.is_empty());
    assert!(matches!(r.save(&only, NOON, &mut out, &mut |_| false), Err(save::SaveError::Cancelled)));
}

#[test]
fn a_seek_can_be_cancelled_and_then_nothing_has_changed() {
    let mut r = several(&[&small(), &small()]);
    play(&mut r, 3);
    let before = (r.head(), *r.vessel());
    r.watch(Some(Box::new(|_| false)));
    assert!(r.seek(To::End).is_err());
    assert_eq!((r.head(), *r.vessel()), before);
    r.watch(None);
    assert!(r.seek(To::End).is_ok());
}

#[test]
fn a_seek_that_is_over_says_so() {
    let mut r = several(&[&small(), &small()]);
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let heard = told.clone();
    r.watch(Some(Box::new(move |done| {
        heard.lock().unwrap().push(done);
        true
    })));
    for to in [To::End, To::Start] {
        r.seek(to).unwrap();
        assert_eq!(told.lock().unwrap().last(), Some(&1.0));
    }
}

#[test]
fn logs_are_known_by_their_content_not_by_their_names() {
    let one = Replay::new(vec![part("a.log", &small())], hear).unwrap().identity().unwrap();
    let renamed = Replay::new(vec![part("b.log", &small())], hear).unwrap().identity().unwrap();
    assert_eq!((one, one.size), (renamed, small().len() as u64));
    let both = several(&[&small(), &epochs()]).identity().unwrap();
    assert!(both != one && both.size == (small().len() + epochs().len()) as u64);
}

#[test]
fn nothing_to_replay_is_an_error() {
    assert!(Replay::new(Vec::new(), hear).is_err());
    let mut r = replay(&small());
    assert!(r.set(&Change::Reset).is_err());
}

/// A log that is still being opened plays as far as it is read, waits there, and goes on.
#[test]
fn a_log_that_is_still_being_opened_can_be_played() {
    let lines: Vec<String> = (0..60_000).map(|i| stamped(i * 100, &heading((i % 3600) as f64 / 10.0))).collect();
    let text = lines.concat();
    assert!(text.len() > 2 << 20, "more than two reads");
    let opening = crate::core::log::Opening::new(of_bytes(text.into_bytes()).unwrap(), Options::default());
    let index = opening.index();
    let mut r: Option<Replay> = None;
    let mut played = 0;
    opening
        .run(&mut |_| {
            if !index.timing().certain {
                return true;
            }
            let part = || Part { name: "a.log".into(), log: Log::new(&index, hear) };
            let r = r.get_or_insert_with(|| Replay::new(vec![part()], hear).unwrap());
            played += play(r, usize::MAX).len();
            let (due, last) = (r.next_due().unwrap(), (played as i64 - 1) * 100 * MILLISECOND);
            assert!(due.is_some_and(|due| due > last && due < last + SECOND), "{due:?} after {last}");
            assert_eq!((r.duration(), number(r)), (None, played as u64));
            let half = crate::core::transport::target::Target::Percent(50.0).resolve(r, 0, 0);
            assert!(half.unwrap_err().contains("still being read"), "half of what?");
            assert!(Replay::new(vec![part(), part()], hear).is_err(), "several must be opened completely");
            true
        })
        .unwrap();
    let mut r = r.unwrap();
    assert!(played > 20_000);
    assert_eq!(played + play(&mut r, usize::MAX).len(), 60_000);
    assert_eq!((r.next_due().unwrap(), r.duration()), (None, Some(5_999_900 * MILLISECOND)));
}

/// DESIGN: a seek decodes at most 16 384 sentences once the log was played; a step back no more than that.
#[test]
fn a_seek_decodes_from_the_nearest_checkpoint() {
    let text: String = (0..50_000).map(|i| heading((i % 3600) as f64 / 10.0) + "\n").collect();
    let mut r = replay(&text);
    assert_eq!(play(&mut r, usize::MAX).len(), 50_000);
    assert_eq!(r.merge.work().1, 0, "what is played is decoded once, for the play head");
    for to in [49_999, 16_383, 16_384, 33_000, 5] {
        let before = r.merge.work().1 + r.scout.work().1;
        r.seek(To::Offset(to * 100 * MILLISECOND)).unwrap();
        let decoded = r.merge.work().1 + r.scout.work().1 - before;
        assert_eq!((number(&r) as i64, decoded as i64), (to, to % 16_384));
    }
}

/// A log of some blocks with everything in it: stamps with gaps, fixes, headings, depths, noise and comments.
fn mixed(seed: u64, lines: usize) -> String {
    let mut state = seed;
    let mut draw = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut ms = draw(3000) as i64;
    let mut text = String::new();
    for _ in 0..lines {
        match draw(40) {
            0 => ms += 15_000,
            1..=20 => ms += draw(400) as i64,
            _ => {}
        }
        match draw(12) {
            0 => text.push_str("# a comment\n"),
            1 => text.push_str(&stamped(ms, "$HEHDT,9.0,T*00")),
            2 => text.push_str("no sentence\n"),
            3 => text.push_str(&stamped(ms, &gga(ms / 1000 * 1000 % 3_600_000))),
            4 => text.push_str(&stamped(ms, &sentence(&format!("SDDPT,{}.5,0.5,", draw(90))))),
            5 => text.push_str(&format!("{}{}\n", heading(draw(359) as f64), heading(draw(359) as f64))),
            _ => text.push_str(&stamped(ms, &heading(draw(3599) as f64 / 10.0))),
        }
    }
    text
}

#[derive(Clone, Debug)]
enum Move {
    To(To),
    Play(usize),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let unit =
        prop_oneof![Just(Unit::Sentence), Just(Unit::Epoch), Just(Unit::Bad), Just(Unit::Warning), Just(Unit::Gap)];
    let one = prop_oneof![
        4 => (0usize..300).prop_map(Move::Play),
        1 => Just(Move::To(To::Start)),
        1 => Just(Move::To(To::End)),
        3 => (-1i64..400).prop_map(|s| Move::To(To::Offset(s * SECOND / 2))),
        2 => (0u64..1000).prop_map(|line| Move::To(To::Line(line))),
        2 => (0u64..40_000, 0u16..2).prop_map(|(byte, part)| Move::To(To::Place(Place { byte, part, ..Place::default() }))),
        6 => (unit, -4i64..5).prop_map(|(unit, by)| Move::To(To::Move(unit, by))),
    ];
    proptest::collection::vec(one, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Any sequence of moves ends in the state and cursor that a plain play to the same sentence gives; of one log and of
    /// several.
    #[test]
    fn any_way_to_a_place_ends_alike(seed in 0u64..1000, logs in 1usize..4, moves in moves()) {
        let texts: Vec<String> = (0..logs as u64).map(|i| mixed(seed * 7 + i, 700)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        // The plain play: each sentence, and the vessel before it.
        let mut plain = several(&texts);
        let mut steps: Vec<(Frame, Vessel)> = Vec::new();
        loop {
            let vessel = *plain.vessel();
            let Some(frame) = play(&mut plain, 1).pop() else { break };
            steps.push((frame, vessel));
        }
        let last = *plain.vessel();
        prop_assert!(steps.windows(2).all(|w| w[0].0.offset <= w[1].0.offset));
        prop_assert_eq!(steps.len() as u64, plain.sentences());

        let mut moved = several(&texts);
        for step in moves {
            let before = number(&moved);
            match step {
                Move::Play(n) => {
                    let got = play(&mut moved, n);
                    for (frame, (expected, _)) in got.iter().zip(&steps[before as usize..]) {
                        prop_assert_eq!((&frame.bytes, frame.offset, frame.place), (&expected.bytes, expected.offset, expected.place));
                    }
                    prop_assert_eq!(number(&moved), (before + n as u64).min(steps.len() as u64));
                }
                Move::To(to) => match (to, moved.seek(to)) {
                    (_, Err(_)) => prop_assert_eq!(number(&moved), before),
                    (To::Offset(o), _) => {
                        prop_assert_eq!(number(&moved), steps.partition_point(|(f, _)| f.offset < o) as u64);
                    }
                    (To::Place(p), _) => {
                        let first = steps.iter().position(|(f, _)| f.place.is_some_and(|x| x.file == 0 && x >= p));
                        if let Some(first) = first {
                            prop_assert_eq!(number(&moved), first as u64);
                        }
                    }
                    (To::Line(l), _) => {
                        let first = steps.iter().position(|(f, _)| f.place.is_some_and(|x| x.file == 0 && x.line >= l));
                        if let Some(first) = first {
                            prop_assert_eq!(number(&moved), first as u64);
                        }
                    }
                    (To::Move(Unit::Sentence, by), _) => {
                        prop_assert_eq!(number(&moved), (before as i64 + by).clamp(0, steps.len() as i64) as u64);
                    }
                    (To::Move(_, by), _) if by > 0 => prop_assert!(number(&moved) >= before),
                    (To::Move(_, by), _) if by < 0 => prop_assert!(number(&moved) <= before),
                    _ => {}
                },
            }
            let here = number(&moved) as usize;
            let expected = steps.get(here).map_or(&last, |(_, v)| v);
            prop_assert!(moved.vessel() == expected, "at {} after {:?}", here, to_text(moved.vessel(), expected));
            let due = moved.next_due().unwrap();
            prop_assert_eq!(due, steps.get(here).map(|(f, _)| f.offset));
        }
    }
}

fn to_text(a: &Vessel, b: &Vessel) -> String {
    format!("{:?} {:?} {:?} {:?}", a.heading_true_deg, b.heading_true_deg, a.depth_m, b.depth_m)
}

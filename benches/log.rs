//! How fast logs are read: `cargo bench --bench log`. Bytes of log per second; compare with `benches/compare.sh`, which
//! measures whole processes against `wc -l` on the same file.
//!
//! `cargo bench --bench log -- seek` does one thing only: seeks to random sentences of a log of ten million, each with the exact
//! vessel, and how long and how many sentences that took (median, 99th percentile, most). The log is made in the folder for
//! temporary files: 0.7 GB for as long as it takes.

#![allow(clippy::expect_used, reason = "a benchmark that cannot go on fails")]

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group};
use nmeasimx::core::frame::Place;
use nmeasimx::core::log::writer::Stamper;
use nmeasimx::core::log::{Log, Opening, Options, Show, Unusual, Way, hear, of_bytes, open_path, stream};
use nmeasimx::core::nmea::ndjson::{Decoder, Entry};
use nmeasimx::core::replay::{Part, Replay};
use nmeasimx::core::time::{MILLISECOND, SECOND};
use nmeasimx::core::transport::{Source, To, Unit};

const LINES: u64 = 200_000;
/// 2026-09-23T10:00:00Z.
const START: i64 = 1_790_157_600 * SECOND;

/// A log of a boat, stamped or not.
fn log(stamped: bool) -> Vec<u8> {
    let mut text = Vec::new();
    let mut stamper = Stamper::default();
    for i in 0..LINES {
        if stamped {
            stamper.stamp(&mut text, START + i as i64 * 100 * MILLISECOND);
        }
        sentence(&mut text, i);
    }
    text
}

/// The n-th sentence, ten a second.
fn sentence(text: &mut Vec<u8>, i: u64) {
    let s = 36_000 + i / 10;
    let (h, m, s) = (s / 3600 % 24, s / 60 % 60, s % 60);
    let body = match i % 5 {
        0 => format!(
            "$GPRMC,{h:02}{m:02}{s:02}.00,A,3744.{:04},N,02325.{:04},E,6.5,045.0,230926,4.8,E,A",
            i % 9999,
            i % 7777
        ),
        1 => format!(
            "$GPGGA,{h:02}{m:02}{s:02}.00,3744.{:04},N,02325.{:04},E,1,09,0.9,2.1,M,36.4,M,,",
            i % 9999,
            i % 7777
        ),
        2 => format!("$WIMWV,{:05.1},R,12.3,N,A", (i % 3600) as f64 / 10.0),
        3 => format!("$HCHDG,{:05.1},,,4.8,E", (i % 3600) as f64 / 10.0),
        _ => format!("$SDDPT,{}.5,0.5", i % 90),
    };
    let sum = body.bytes().skip(1).fold(0u8, |sum, b| sum ^ b);
    writeln!(text, "{body}*{sum:02X}").expect("there is room");
}

/// Position reports of ships: the public example of message 1, over and over.
fn ships() -> Vec<u8> {
    let mut text = Vec::new();
    for i in 0..LINES {
        let body = format!("AIVDM,1,1,,{},16SteH0P00Jt63hHaa6SagvJ087r,0", ['A', 'B'][i as usize % 2]);
        let sum = body.bytes().fold(0u8, |sum, b| sum ^ b);
        writeln!(text, "!{body}*{sum:02X}").expect("there is room");
    }
    text
}

fn decoding(c: &mut Criterion) {
    for (name, text) in [("decode format 1", log(true)), ("decode AIS", ships())] {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(20);
        group.bench_function("to JSON", |b| {
            b.iter(|| {
                let (mut decoder, mut out) = (Decoder::new(false), Vec::new());
                stream::read(&text[..], Options::default(), &mut |line| {
                    let time = line.stamp.map(|stamp| stamp.utc);
                    for piece in line.pieces.iter().filter(|piece| piece.class.is_sentence()) {
                        let (sentence, class) = (piece.of(line.text), piece.class);
                        let entry = Entry { line: line.number, offset: None, time, sentence, class, tags: &[] };
                        decoder.write(&entry, &mut out);
                    }
                    out.clear();
                    Ok(())
                })
                .expect("a log")
            });
        });
        group.finish();
    }
}

fn reading(c: &mut Criterion) {
    for (name, stamped) in [("format 1", true), ("bare", false)] {
        let text = log(stamped);
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(20);
        let read = of_bytes(text.clone()).expect("bytes can be read");
        group.bench_function("open", |b| {
            b.iter(|| Opening::new(read.clone(), Options::default()).run(&mut |_| true).expect("a log"));
        });
        group.bench_function("check", |b| {
            b.iter(|| stream::read(&text[..], Options::default(), &mut |_| Ok(())).expect("a log"));
        });
        let (mut log, _) = Log::open(read, Options::default(), hear, &mut |_| true).expect("a log");
        group.bench_function("play", |b| {
            let mut entries = Vec::new();
            b.iter(|| {
                let mut from = Place::default();
                loop {
                    entries.clear();
                    log.ahead(from, 256, &mut entries).expect("it can be read");
                    let Some(last) = entries.last() else { break };
                    from = Place { byte: last.place.byte + 1, ..last.place };
                }
            });
        });
        group.finish();
    }
}

fn moving(c: &mut Criterion) {
    let read = of_bytes(log(true)).expect("bytes can be read");
    let (mut log, _) = Log::open(read, Options::default(), hear, &mut |_| true).expect("a log");
    log.checkpoint(&mut |_| true).expect("it can be read");
    let mut n = 1u64;
    let mut random = move || {
        n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        n % LINES
    };
    c.bench_function("window of 40 rows", |b| {
        b.iter(|| {
            let place = log.at_sentence(random()).expect("it can be read").expect("it is there").place;
            log.rows(place, Way::Forward, 40, &Show::default(), &mut |_| true).expect("it can be read")
        });
    });
    c.bench_function("next bad line", |b| {
        b.iter(|| log.next(Unusual::Bad, Place::default(), Way::Forward, &mut |_| true).expect("it can be read"));
    });
    c.bench_function("vessel at a random sentence", |b| {
        b.iter(|| {
            let place = log.at_sentence(random()).expect("it can be read").expect("it is there").place;
            log.vessel(place, &mut |_| true).expect("it can be read")
        });
    });
}

/// The source that a player plays: sentences a second at max, and what a key costs.
fn replaying(c: &mut Criterion) {
    let read = of_bytes(log(true)).expect("bytes can be read");
    let (log, _) = Log::open(read, Options::default(), hear, &mut |_| true).expect("a log");
    let mut replay = Replay::new(vec![Part { name: "bench".into(), log }], hear).expect("one log");
    let mut group = c.benchmark_group("replay");
    group.throughput(Throughput::Elements(LINES)).sample_size(20);
    group.bench_function("at max", |b| {
        let mut frames = Vec::new();
        b.iter(|| {
            replay.seek(To::Start).expect("it can be read");
            while replay.next_due().expect("it can be read").is_some() {
                frames.clear();
                replay.poll(i64::MAX, 256, &mut frames).expect("it can be read");
            }
        });
    });
    group.finish();
    for (name, unit) in [("a sentence back", Unit::Sentence), ("an epoch back", Unit::Epoch)] {
        c.bench_function(name, |b| b.iter(|| replay.seek(To::Move(unit, -1)).expect("it can be read")));
    }
}

criterion_group!(benches, reading, decoding, moving, replaying);

/// Seeks to random sentences of a long log; the aim is 5 ms at the 99th percentile, and at most 16 384 sentences decoded.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn seeking() {
    const SENTENCES: u64 = 10_000_000;
    const SEEKS: usize = 2000;
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("long.log");
    let mut file = BufWriter::new(File::create(&path).expect("it can be written"));
    let (mut text, mut stamper) = (Vec::new(), Stamper::default());
    for i in 0..SENTENCES {
        stamper.stamp(&mut text, START + i as i64 * 100 * MILLISECOND);
        sentence(&mut text, i);
        file.write_all(&text).expect("there is room");
        text.clear();
    }
    file.flush().expect("there is room");
    let read = open_path(&path).expect("it is there");
    let (mut log, summary) = Log::open(read, Options::default(), hear, &mut |_| true).expect("a log");
    assert_eq!(summary.report.sentences, SENTENCES);
    log.checkpoint(&mut |_| true).expect("it can be read");
    let mut n = 1u64;
    let (mut times, mut counts) = (Vec::new(), Vec::new());
    for _ in 0..SEEKS {
        n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (start, (_, before)) = (Instant::now(), log.work());
        let entry = log.at_sentence((n >> 11) % SENTENCES).expect("it can be read").expect("it is there");
        log.vessel(entry.place, &mut |_| true).expect("it can be read").expect("nobody said no");
        times.push(start.elapsed().as_micros() as u64);
        counts.push(log.work().1 - before);
    }
    println!("seek to a random sentence of {SENTENCES}, with the vessel, {SEEKS} times");
    for (what, mut values) in [("microseconds", times), ("sentences decoded", counts)] {
        values.sort_unstable();
        let at = |percent: usize| values[(values.len() - 1) * percent / 100];
        println!("    {what:<18} median {:>6}  99th percentile {:>6}  most {:>6}", at(50), at(99), at(100));
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let named = |name: &str| args.iter().any(|arg| arg == name);
    if !named("seek") {
        benches();
        Criterion::default().configure_from_args().final_summary();
    }
    // A filter asks for something else, and a test wants to be short.
    if named("seek") || args.iter().all(|arg| arg == "--bench") {
        seeking();
    }
}

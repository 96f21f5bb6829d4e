//! How fast logs are read: `cargo bench --bench log`. Bytes of log per second; compare with `benches/compare.sh`, which
//! measures whole processes against `wc -l` on the same file.

#![allow(clippy::expect_used, reason = "a benchmark that cannot go on fails")]

use std::fmt::Write as _;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nmeasimx::core::frame::Place;
use nmeasimx::core::log::{Log, Opening, Options, Show, Unusual, Way, hear, of_bytes, stream};
use nmeasimx::core::replay::{Part, Replay};
use nmeasimx::core::transport::{Source, To, Unit};

const LINES: u64 = 200_000;

/// A log of a boat, stamped or not.
fn log(stamped: bool) -> Vec<u8> {
    let mut text = String::new();
    for i in 0..LINES {
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
        if stamped {
            let _text = write!(text, "2026-09-23T{h:02}:{m:02}:{s:02}.{:03}Z ", i % 10 * 100);
        }
        let _text = writeln!(text, "{body}*{sum:02X}");
    }
    text.into_bytes()
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

criterion_group!(benches, reading, moving, replaying);
criterion_main!(benches);

//! How fast sentences are heard, shown and said: `cargo bench --bench nmea`. Per sentence.

#![allow(clippy::expect_used, reason = "a benchmark that cannot go on fails")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nmeasimx::core::frame::Class;
use nmeasimx::core::nmea::ndjson::{Decoder, Entry};
use nmeasimx::core::nmea::{Heard, Style, table};
use nmeasimx::core::time::Moment;
use nmeasimx::core::vessel::Vessel;

/// A second of a boat.
const SECOND: &[&[u8]] = &[
    b"$GPRMC,123456.78,A,3759.0280,N,02343.6500,E,6.5,47.3,220926,4.6,E,A*06",
    b"$GPGGA,123456.78,3759.0280,N,02343.6500,E,1,08,0.9,12.3,M,34.5,M,,*50",
    b"$GPGLL,3759.0280,N,02343.6500,E,123456.78,A,A*66",
    b"$GPGSA,A,3,02,05,07,13,15,18,24,29,,,,,1.7,0.9,1.4*3A",
    b"$GPVTG,47.3,T,42.7,M,6.5,N,12.0,K,A*12",
    b"$HCHDG,40.4,0.0,E,4.6,E*70",
    b"$VWVHW,45.0,T,40.4,M,6.2,N,11.5,K*64",
    b"$SDDPT,12.4,0.5,*49",
    b"$YXMTW,21.5,C*14",
    b"$WIMWV,256.4,R,8.5,N,A*2B",
];

fn sentences(c: &mut Criterion) {
    let mut group = c.benchmark_group("sentences");
    group.throughput(Throughput::Elements(SECOND.len() as u64));
    let mut vessel = Vessel::default();
    group.bench_function("hear", |b| {
        b.iter(|| {
            for sentence in SECOND {
                black_box(table::hear(black_box(sentence), Heard::default(), &mut vessel));
            }
        });
    });
    group.bench_function("ndjson", |b| {
        let mut decoder = Decoder::new(false);
        let mut out = Vec::with_capacity(1 << 16);
        b.iter(|| {
            out.clear();
            for sentence in SECOND {
                let class = Class::Sentence;
                decoder.write(&Entry { line: 1, offset: Some(0), time: None, sentence, class, tags: &[] }, &mut out);
            }
            black_box(out.len())
        });
    });
    let rows: Vec<_> = ["RMC", "GGA", "GLL", "GSA", "VTG", "HDG", "VHW", "DPT", "MTW", "MWV-R"]
        .iter()
        .map(|id| table::by_id(id).expect("a row"))
        .collect();
    let now = Moment { offset: 0, utc: Some(1_790_080_496_780_000_000) };
    group.bench_function("say", |b| {
        b.iter(|| {
            let mut bytes = 0;
            for row in &rows {
                (row.say)(black_box(&vessel), now, &Style::default(), &mut |s| bytes += s.len());
            }
            black_box(bytes)
        });
    });
    group.finish();
}

criterion_group!(benches, sentences);
criterion_main!(benches);

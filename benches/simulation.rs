//! How many sentences a second the simulation makes: `cargo bench --bench simulation`.
//!
//! What `max` can be at most, before any output.
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark that cannot go on fails")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nmeasimx::core::profile::{BUILT_IN, Profile};
use nmeasimx::core::sim::Simulation;
use nmeasimx::core::time::{HOUR, Offset};
use nmeasimx::core::transport::{Source, To};

const SENTENCES: usize = 20_000;

fn sentences(c: &mut Criterion) {
    let mut group = c.benchmark_group("sentences");
    group.throughput(Throughput::Elements(SENTENCES as u64));
    for (name, text) in BUILT_IN {
        let mut sim = Simulation::new(Profile::parse(text, name).unwrap(), 0);
        let mut out = Vec::with_capacity(256);
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut n = 0;
                while n < SENTENCES {
                    out.clear();
                    sim.poll(Offset::MAX, 256, &mut out).unwrap();
                    n += out.len();
                }
                black_box(n)
            });
        });
    }
    group.finish();
}

fn going_back(c: &mut Criterion) {
    let mut sim = Simulation::new(Profile::built_in(), 0);
    sim.poll(HOUR, usize::MAX, &mut Vec::new()).unwrap();
    c.bench_function("a seek within an hour", |b| {
        let mut at = 0;
        b.iter(|| {
            at = (at + 37 * HOUR / 60) % HOUR;
            sim.seek(To::Offset(at)).unwrap()
        });
    });
}

criterion_group!(benches, sentences, going_back);
criterion_main!(benches);

//! A serial port at work, from the wire to the findings: a pseudoterminal whose feeder is a line of a stated rate, read by the
//! program with whatever rate it has set, in a time that the test gives.
//!
//! A pseudoterminal carries no baud rate; the feeder asks which one is set at the other end, and delivers what a UART of that
//! rate makes of the line: [`received`] samples its levels.

use std::io::Write;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::snapshot::{Link, Mode};
use super::watch::Watch;
use crate::core::diag::kind::{Kind, Severity};
use crate::core::input::InputSpec;
use crate::core::profile::Profile;
use crate::core::sim::Simulation;
use crate::core::time::{DAY, MILLISECOND, Moment, Offset, SECOND, Utc};
use crate::core::transport::Source;
use crate::runtime::clock::Clock;
use crate::runtime::hub::Told;
use crate::runtime::live::{self, Ends, Listening, Taps};

/// 2026-12-01 10:00:00 UTC: 20 788 days and ten hours.
const NOW: Utc = 20_788 * DAY + 10 * 3600 * SECOND;
/// A step of the test's time.
const STEP: Offset = 100 * MILLISECOND;

/// What a UART set to `port` bits a second receives of these bytes, sent 8N1 at `line` bits a second with an idle line behind;
/// `swapped`: the two wires are exchanged.
fn received(bytes: &[u8], line: u32, port: u32, swapped: bool) -> Vec<u8> {
    if line == port && !swapped {
        return bytes.to_vec();
    }
    // levels by the time in sixteenths of a bit of the receiver
    let bit = f64::from(port) / f64::from(line) * 16.0;
    let sent = |t: usize| -> bool {
        let n = (t as f64 / bit) as usize;
        let level = match (bytes.get(n / 10), n % 10) {
            (None, _) | (_, 9) => true,
            (_, 0) => false,
            (Some(byte), i) => byte >> (i - 1) & 1 == 1,
        };
        level != swapped
    };
    let end = (bytes.len() as f64 * 10.0 * bit) as usize;
    let mut out = Vec::new();
    let mut t = 0;
    // the line was idle before
    let mut before = !swapped;
    while t < end {
        let now = sent(t);
        if before && !now {
            let byte = (0..8).fold(0, |byte, i| byte | u8::from(sent(t + 24 + 16 * i)) << i);
            out.push(byte);
            t += 152;
            before = sent(t);
        } else {
            before = now;
        }
        t += 1;
    }
    out
}

#[test]
fn the_line_is_received_as_a_uart_does() {
    let text = b"$HEHDT,45.0,T*1E\r\n";
    assert_eq!(received(text, 4800, 4800, false), text);
    // A port eight times too fast sees each bit eight times: a start bit alone fills a byte with zeros.
    let fast = received(text, 4800, 38_400, false);
    assert!(fast.len() > 2 * text.len() && fast.iter().filter(|b| **b == 0).count() * 3 > fast.len(), "{fast:?}");
    // One eight times too slow receives an eighth of the bytes.
    let slow = received(&text.repeat(10), 38_400, 4800, false);
    assert!((15..30).contains(&slow.len()), "{}", slow.len());
    // Swapped wires: complement, one bit late, the stop bit in the place of bit 7.
    let swapped: Vec<u8> = text.iter().map(|b| (!b << 1) | 1).collect();
    let heard = received(&text.repeat(3), 4800, 4800, true);
    assert!(heard.windows(swapped.len()).any(|w| w == swapped), "{heard:?}");
}

/// What the wire does to the bytes of a step.
type Spoil<'a> = &'a mut dyn FnMut(&mut Vec<u8>);

/// The program at one end of a line, and a boat at the other.
struct Bench {
    wire: OwnedFd,
    sim: Simulation,
    line: u32,
    swapped: bool,
    clock: Clock,
    watch: Arc<Mutex<Watch>>,
    heard: Arc<AtomicU64>,
    listening: watch::Receiver<Listening>,
    stop: CancellationToken,
    /// Sent by the boat and not yet on the line.
    waiting: Vec<u8>,
    /// What a device holds back for the line; the rest is lost.
    buffer: usize,
    room: f64,
}

impl Bench {
    /// A boat that sails `profile` on a line of that rate, and a port set as `spec` says (`4800`, `auto`).
    async fn new(profile: &str, line: u32, spec: &str) -> Bench {
        let wire = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&wire).unwrap();
        unlockpt(&wire).unwrap();
        let device = ptsname(&wire, Vec::new()).unwrap().into_string().unwrap();
        rustix::io::ioctl_fionbio(&wire, true).unwrap();
        let specs = [InputSpec::parse(&format!("serial:{device}@{spec}")).unwrap()];
        let clock = Clock::starting_at(NOW);
        let mut watch = Watch::new(Mode::Live, None);
        watch.trust_the_clock();
        watch.inputs(&specs);
        let watch = Arc::new(Mutex::new(watch));
        let heard = Arc::new(AtomicU64::new(0));
        let (out, mut batches) = mpsc::channel::<Told>(64);
        let (state, listening) = watch::channel(Listening::default());
        let (_retune, changes) = mpsc::channel(1);
        let stop = CancellationToken::new();
        let ends = Ends { out, state, generation: 0, changes, stop: stop.clone() };
        let (raw, count) = (watch.clone(), heard.clone());
        let taps = Taps {
            event: Box::new(|_, _| {}),
            raw: Box::new(move |input, bytes, now| {
                raw.lock().unwrap_or_else(PoisonError::into_inner).raw(input, bytes, now);
                count.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            }),
        };
        tokio::spawn(async move { live::run(&specs, false, clock, ends, &taps).await });
        let judge = watch.clone();
        tokio::spawn(async move {
            while let Some(told) = batches.recv().await {
                judge.lock().unwrap_or_else(PoisonError::into_inner).take(&told);
            }
        });
        let profile = Profile::parse(&format!("schema_version = 1\n{profile}"), "test").unwrap();
        let sim = Simulation::new(profile, NOW);
        let mut bench = Bench {
            wire,
            sim,
            line,
            swapped: false,
            clock,
            watch,
            heard,
            listening,
            stop,
            waiting: Vec::new(),
            buffer: 4096,
            room: 0.0,
        };
        let opened = if spec == "auto" { Link::Opening } else { Link::Open };
        bench.until(|l| l.inputs.first().is_some_and(|i| i.state == opened && !i.settings.is_empty())).await;
        bench
    }

    /// Lets the program work, without any time passing, until it is so.
    async fn until(&mut self, holds: impl Fn(&Listening) -> bool) {
        for _ in 0..100_000 {
            if holds(&self.listening.borrow()) {
                return;
            }
            tokio::task::yield_now().await;
        }
        panic!("never came to be: {:?}", self.listening.borrow().inputs);
    }

    /// The rate that is set at the program's end.
    fn port(&self) -> u32 {
        rustix::termios::tcgetattr(&self.wire).unwrap().output_speed()
    }

    /// Sails for so long; the line carries what its rate allows.
    async fn sail(&mut self, seconds: i64, spoil: Spoil<'_>) {
        for _ in 0..seconds * SECOND / STEP {
            let mut frames = Vec::new();
            self.sim.poll(self.clock.wall(), 1000, &mut frames).unwrap();
            for frame in frames {
                self.waiting.extend_from_slice(&frame.bytes);
                if !frame.bytes.ends_with(b"\n") {
                    self.waiting.extend_from_slice(b"\r\n");
                }
            }
            self.room = (self.room + f64::from(self.line) / 10.0 * STEP as f64 / SECOND as f64).min(4096.0);
            let fits = self.waiting.len().min(self.room as usize);
            let mut bytes: Vec<u8> = self.waiting.drain(..fits).collect();
            self.waiting.truncate(self.buffer);
            self.room = if self.waiting.is_empty() { 0.0 } else { self.room - fits as f64 };
            spoil(&mut bytes);
            let bytes = received(&bytes, self.line, self.port(), self.swapped);
            self.deliver(&bytes).await;
            tokio::time::advance(Duration::from_nanos(STEP.unsigned_abs())).await;
            self.settle().await;
            let now = Moment { offset: self.clock.wall(), utc: Some(self.clock.utc()) };
            let rows = self.listening.borrow().inputs.clone();
            self.watch.lock().unwrap().tick(now, &rows);
        }
    }

    /// Puts bytes on the line, and lets the program hear them before any time passes.
    async fn deliver(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        std::fs::File::from(self.wire.try_clone().unwrap()).write_all(bytes).unwrap();
        let row = |bench: &Bench| bench.listening.borrow().inputs[0].clone();
        let before = row(self);
        let total = self.heard.load(Ordering::Relaxed) + bytes.len() as u64;
        for turn in 0..100_000 {
            // while a rate is looked for, the bytes are read by the search
            let now = row(self);
            let read = self.heard.load(Ordering::Relaxed) >= total;
            if read || now.scan != before.scan || now.state != before.state {
                break;
            }
            if turn > 1000 {
                // the kernel passes them on when it likes
                std::thread::sleep(Duration::from_micros(100));
            }
            tokio::task::yield_now().await;
        }
        self.settle().await;
    }

    /// Lets the program do what is to be done at this moment.
    async fn settle(&self) {
        for _ in 0..30 {
            tokio::task::yield_now().await;
        }
    }

    /// Kinds of errors and warnings that hold or held.
    fn severe(&self) -> Vec<Kind> {
        let watch = self.watch.lock().unwrap();
        let findings = watch.diag().findings();
        let mut kinds: Vec<Kind> = findings.iter().filter(|f| f.severity != Severity::Note).map(|f| f.kind).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    }

    fn said(&self, kind: Kind) -> String {
        let watch = self.watch.lock().unwrap();
        let findings = watch.diag().findings();
        findings.iter().find(|f| f.kind == kind).map(|f| format!("{} {}", f.subject, f.evidence)).unwrap_or_default()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Every bit is turned with this chance, by a generator of its own.
fn bit_errors(chance: f64, seed: u64) -> impl FnMut(&mut Vec<u8>) {
    let mut state = seed;
    move |bytes| {
        for byte in bytes {
            for bit in 0..8 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if ((state >> 33) as f64) < chance * f64::from(1_u32 << 31) {
                    *byte ^= 1 << bit;
                }
            }
        }
    }
}

fn clean(_: &mut Vec<u8>) {}

/// The preset for a line of 4800 baud, with a current so that nothing is the same by chance.
const BOAT: &str = "
[sentences]
preset = \"4800\"
[environment]
current_set = 90.0
current_drift = 0.7
";

fn with(fault: &str) -> String {
    format!("{BOAT}\n[[fault]]\n{fault}\n")
}

#[tokio::test(start_paused = true)]
async fn a_healthy_boat_on_a_line_of_4800_baud() {
    let mut bench = Bench::new(BOAT, 4800, "4800").await;
    bench.sail(120, &mut clean).await;
    assert_eq!(bench.severe(), [], "{:?}", bench.watch.lock().unwrap().diag().findings());
    let row = bench.listening.borrow().inputs[0].clone();
    assert!(row.sentences > 600 && row.load.is_some_and(|l| (20.0..80.0).contains(&l)), "{row:?}");
}

#[tokio::test(start_paused = true)]
async fn three_percent_of_all_bits_wrong_are_checksum_errors_and_not_a_wrong_rate() {
    let mut bench = Bench::new(BOAT, 4800, "4800").await;
    bench.sail(60, &mut bit_errors(0.03, 7)).await;
    assert_eq!(bench.severe(), [Kind::ChecksumErrors], "{:?}", bench.watch.lock().unwrap().diag().findings());
}

#[tokio::test(start_paused = true)]
async fn three_percent_of_the_sentences_with_a_wrong_bit() {
    let mut bench = Bench::new(&with("kind = \"bit_errors\"\nrate = 0.03"), 4800, "4800").await;
    bench.sail(120, &mut clean).await;
    assert_eq!(bench.severe(), [Kind::ChecksumErrors], "{:?}", bench.watch.lock().unwrap().diag().findings());
}

#[tokio::test(start_paused = true)]
async fn the_wrong_baud_rate_either_way() {
    for (line, port) in [(4800, 38_400), (38_400, 4800), (4800, 9600), (9600, 4800), (38_400, 115_200)] {
        let mut bench = Bench::new(BOAT, line, &port.to_string()).await;
        // The rule asks for three seconds; ten to say it.
        bench.sail(13, &mut clean).await;
        let found = format!("{line} read at {port}: {:?}", bench.watch.lock().unwrap().diag().findings());
        assert_eq!(bench.severe(), [Kind::WrongBaud], "{found}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_sensor_that_dies() {
    let mut bench = Bench::new(&with("kind = \"dead\"\nfilter = \"DPT\"\nat = \"00:01:00\""), 4800, "4800").await;
    bench.sail(64, &mut clean).await;
    assert_eq!(bench.severe(), []);
    bench.sail(11, &mut clean).await;
    assert_eq!(bench.severe(), [Kind::Lost], "{:?}", bench.watch.lock().unwrap().diag().findings());
    assert!(bench.said(Kind::Lost).starts_with("SD DPT not heard for"), "{}", bench.said(Kind::Lost));
}

#[tokio::test(start_paused = true)]
async fn two_receivers_a_mile_apart() {
    let boat = with("kind = \"second_gps\"\nvalue = 1.0\nat = \"00:01:00\"");
    let mut bench = Bench::new(&boat, 38_400, "38400").await;
    bench.sail(85, &mut clean).await;
    assert_eq!(bench.severe(), []);
    bench.sail(15, &mut clean).await;
    assert_eq!(bench.severe(), [Kind::TwoPositions], "{:?}", bench.watch.lock().unwrap().diag().findings());
}

#[tokio::test(start_paused = true)]
async fn a_date_1024_weeks_ago() {
    let mut bench = Bench::new(&with("kind = \"wrong_week\""), 4800, "4800").await;
    bench.sail(15, &mut clean).await;
    assert_eq!(bench.severe(), [Kind::WeekRollover], "{:?}", bench.watch.lock().unwrap().diag().findings());
}

#[tokio::test(start_paused = true)]
async fn a_line_that_carries_all_it_can() {
    // The default set is more than 480 bytes a second; the device holds back a little and drops the rest.
    let mut bench = Bench::new("", 4800, "4800").await;
    bench.buffer = 600;
    bench.sail(60, &mut clean).await;
    assert_eq!(
        bench.severe(),
        [Kind::ChecksumErrors, Kind::Load],
        "{:?}",
        bench.watch.lock().unwrap().diag().findings()
    );
    assert!(bench.said(Kind::Load).contains("% of what the line carries"), "{}", bench.said(Kind::Load));
}

#[tokio::test(start_paused = true)]
async fn auto_finds_each_rate() {
    for line in [4800, 38_400, 9600, 115_200, 19_200, 57_600] {
        let mut bench = Bench::new(BOAT, line, "auto").await;
        // Six rates of a second and a half, and a second to prove the last.
        let mut seconds = 0;
        while bench.listening.borrow().inputs[0].state != Link::Open && seconds < 11 {
            bench.sail(1, &mut clean).await;
            seconds += 1;
        }
        let row = bench.listening.borrow().inputs[0].clone();
        assert_eq!((row.state, row.settings.as_str()), (Link::Open, format!("{line} 8N1").as_str()), "{row:?}");
        assert_eq!(bench.port(), line);
        // And what follows is heard.
        let before = row.sentences;
        bench.sail(5, &mut clean).await;
        assert!(bench.listening.borrow().inputs[0].sentences > before + 10);
        assert_eq!(bench.severe(), [], "{line}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_search_that_finds_no_rate_is_said() {
    // 1200 baud is none of the rates tried; two rounds take 18 seconds.
    let mut bench = Bench::new("[sentences]\npreset = \"4800\"\n", 1200, "auto").await;
    bench.sail(17, &mut clean).await;
    assert_eq!(bench.severe(), []);
    bench.sail(10, &mut clean).await;
    assert_eq!(bench.severe(), [Kind::WrongBaud]);
    assert!(bench.said(Kind::WrongBaud).contains("no sentence in them at any rate"), "{}", bench.said(Kind::WrongBaud));
}

#[tokio::test(start_paused = true)]
async fn a_line_that_is_silent_at_every_rate_is_no_data() {
    let mut bench = Bench::new("[sentences]\npreset = \"4800\"\n", 4800, "auto").await;
    let mut silence = |bytes: &mut Vec<u8>| bytes.clear();
    bench.sail(8, &mut silence).await;
    assert_eq!(bench.severe(), [], "one round first");
    bench.sail(10, &mut silence).await;
    assert_eq!(bench.severe(), [Kind::NoData]);
}

#[tokio::test(start_paused = true)]
async fn auto_finds_the_rate_of_swapped_wires_and_reads_on() {
    let mut bench = Bench::new(BOAT, 9600, "auto").await;
    bench.swapped = true;
    let mut seconds = 0;
    while bench.listening.borrow().inputs[0].state != Link::Open && seconds < 11 {
        bench.sail(1, &mut clean).await;
        seconds += 1;
    }
    let row = bench.listening.borrow().inputs[0].clone();
    assert_eq!(row.settings, "9600 8N1 inverted", "{row:?}");
    let before = row.sentences;
    bench.sail(5, &mut clean).await;
    assert!(bench.listening.borrow().inputs[0].sentences > before + 10, "read the right way round");
}

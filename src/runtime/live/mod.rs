//! The live source: what the inputs bring becomes lines ([`ear`]), and these are given to the hub.
//!
//! Opens nothing: that is `inputs`.

pub mod ear;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::clock::Clock;
use super::hub::Told;
use super::inputs::{self, News, What};
use super::session::snapshot::{InputRow, Level};
use crate::core::frame::{Batch, Frame};
use crate::core::input::InputSpec;
use crate::core::time::{Moment, Offset, Utc, Wall};
use crate::core::vessel::Vessel;
use ear::Ear;

/// How often silence and loads are looked at.
const LOOK: Duration = Duration::from_millis(250);
/// News that may wait.
pub const ROOM: usize = 256;

/// What the live source shows.
#[derive(Clone, Debug, Default)]
pub struct Listening {
    /// The present moment in its own time.
    pub position: Offset,
    /// What was heard.
    pub vessel: Arc<Vessel>,
    /// One row per input.
    pub inputs: Vec<InputRow>,
    /// Every input has come to its end.
    pub ended: bool,
}

/// What the task is given.
pub struct Ends {
    /// To the hub.
    pub out: mpsc::Sender<Told>,
    /// What it shows.
    pub state: watch::Sender<Listening>,
    /// Of its batches.
    pub generation: u32,
    /// Other settings for one of the inputs, by its number.
    pub changes: mpsc::Receiver<(u16, InputSpec)>,
    /// Ends it.
    pub stop: CancellationToken,
}

/// Who else hears of it.
pub struct Taps {
    /// What is to be told a person.
    pub event: Box<dyn Fn(Level, String) + Send + Sync>,
    /// Bytes as they came, before they are lines.
    pub raw: Box<dyn Fn(u16, &[u8], Moment) + Send + Sync>,
}

/// Listens to the inputs until `stop`, or until all of them have ended.
pub async fn run(specs: &[InputSpec], strict: bool, clock: Clock, ends: Ends, taps: &Taps) {
    let Ends { out, state, generation, mut changes, stop } = ends;
    let (to, mut news) = mpsc::channel(ROOM);
    let mut ear = Ear::new(specs, strict);
    let mut running: Vec<Running> = specs.iter().zip(0..).map(|(spec, n)| Running::new(n, spec, &to, &stop)).collect();
    let start = clock.wall();
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
    let mut frames = Vec::new();
    loop {
        tokio::select! { biased;
            () = stop.cancelled() => return,
            Some((n, spec)) = changes.recv() => {
                if let Some(one) = running.get_mut(usize::from(n)) {
                    one.end().await;
                    // What it still had to tell belongs to the old settings.
                    while let Ok(more) = news.try_recv() {
                        take(&mut ear, &more, &clock, start, &mut frames, taps);
                    }
                    ear.change(n, &spec, moment(&clock, start), &mut frames);
                    *one = Running::new(n, &spec, &to, &stop);
                }
            }
            Some(first) = news.recv() => {
                take(&mut ear, &first, &clock, start, &mut frames, taps);
                while frames.len() < Batch::MOST / 2 {
                    let Ok(more) = news.try_recv() else { break };
                    take(&mut ear, &more, &clock, start, &mut frames, taps);
                }
            }
            _ = look.tick() => ear.look(moment(&clock, start), &mut frames),
        }
        while !frames.is_empty() {
            let rest = frames.split_off(frames.len().min(Batch::MOST));
            let sent = clock.utc();
            let batch = Batch {
                generation,
                sent,
                source_utc: Some(sent),
                frames: std::mem::replace(&mut frames, rest),
                vessel: Arc::new(*ear.vessel()),
            };
            let told = Told { batch: Arc::new(batch), emit: true, patient: false };
            tokio::select! { biased;
                () = stop.cancelled() => return,
                sent = out.send(told) => if sent.is_err() { return },
            }
        }
        tell(&state, &ear, clock.wall() - start, ear.is_over());
        if ear.is_over() {
            return;
        }
    }
}

/// An input at work.
struct Running {
    stop: CancellationToken,
    task: Option<JoinHandle<()>>,
}

impl Running {
    fn new(n: u16, spec: &InputSpec, to: &mpsc::Sender<News>, stop: &CancellationToken) -> Running {
        let stop = stop.child_token();
        Running { task: inputs::start(n, spec, to.clone(), stop.clone()), stop }
    }

    /// Ends it, and waits until its device is free.
    async fn end(&mut self) {
        self.stop.cancel();
        if let Some(task) = self.task.take() {
            let _ended = task.await;
        }
    }
}

fn moment(clock: &Clock, start: Wall) -> Moment {
    Moment { offset: clock.wall() - start, utc: Some(clock.utc()) }
}

fn take(ear: &mut Ear, news: &News, clock: &Clock, start: Wall, frames: &mut Vec<Frame>, taps: &Taps) {
    // When the bytes came, not when they were taken: a slow moment of ours is no jitter of theirs.
    let late = Offset::try_from(super::clock::now().saturating_duration_since(news.at).as_nanos()).unwrap_or(0);
    let at = Moment { offset: (clock.wall() - start - late).max(0), utc: Some(clock.utc() - late as Utc) };
    if let What::Bytes(bytes) | What::Datagram(bytes) = &news.what {
        (taps.raw)(news.input, bytes, at);
    }
    if let Some((level, text)) = ear.hear(news.input, at, &news.what, frames) {
        (taps.event)(level, text);
    }
}

fn tell(state: &watch::Sender<Listening>, ear: &Ear, position: Offset, ended: bool) {
    state.send_replace(Listening { position, vessel: Arc::new(*ear.vessel()), inputs: ear.rows(), ended });
}

//! The session: owns the source, the hub, the outputs, the recorder and the watchers, and obeys commands.
//!
//! One task. Whatever takes long (opening, searching, stopping) happens beside it, so that a screen is never held up.

mod end;
mod obey;
mod outputs;
mod source;
mod start;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::controls::Controls;
use super::logs::Replayed;
use super::open::Opened;
use super::plan::{MarksFolder, Outcome, Plan, Reload};
use super::snapshot::{Job, RecordState};
use super::undo::Undo;
use super::watch::Watch;
use super::window::{InPlace, Lens};
use super::{Answer, Request, Snapshot, View, Watcher};
use crate::core::delays::Delays;
use crate::core::frame::Place;
use crate::core::input::InputSpec;
use crate::core::log::lines::Feed;
use crate::core::output::Way;
use crate::core::time::{Moment, Offset};
use crate::runtime::clock::Clock;
use crate::runtime::driver::{Order, Playing};
use crate::runtime::events::Events;
use crate::runtime::history::History;
use crate::runtime::hub::{Feeds, Told};
use crate::runtime::live::Listening;
use crate::runtime::outputs::{Output, Surroundings};
use crate::runtime::recorder::{Protected, Recorder, Rotation};

/// How often a snapshot is made while things change.
const TICK: Duration = Duration::from_millis(100);
/// Requests that may wait at a watcher.
const REQUESTS: usize = 64;
/// Answers that may wait at a watcher; one that does not read them loses further ones.
const ANSWERS: usize = 256;
/// What an output gets to send what is queued when it is stopped.
const GRACE: Duration = Duration::from_millis(1500);

pub(super) type Done = Result<serde_json::Value, String>;

/// A running session. Clones are handles on the same one; it ends when it is stopped, or with its source if it was told so.
#[derive(Clone)]
pub struct Session {
    attach: mpsc::Sender<Attach>,
    reload: mpsc::Sender<Reloading>,
    stop: CancellationToken,
}

/// What is asked by whoever runs the session, and where the answer goes.
type Reloading = (Reload, oneshot::Sender<Result<(), String>>);

/// A watcher that has just come.
struct Attach {
    requests: mpsc::Receiver<Request>,
    answers: mpsc::Sender<Answer>,
    snapshots: watch::Sender<Arc<Snapshot>>,
}

/// What outputs get, when that is less than everything.
pub(super) struct Only {
    /// Whose view it follows.
    watcher: u64,
    /// What it lets through.
    pub(super) words: String,
}

/// A watcher as the session knows it.
pub(super) struct Watching {
    pub(super) id: u64,
    answers: mpsc::Sender<Answer>,
    snapshots: watch::Sender<Arc<Snapshot>>,
    pub(super) view: View,
    pub(super) lens: Lens,
    pub(super) in_place: InPlace,
    /// A snapshot was held back because its rows were not there yet.
    waited: bool,
}

impl Session {
    /// Opens the source of a plan and starts everything. The task gives the outcome.
    ///
    /// # Errors
    /// The source or the recording cannot be opened: one or two lines.
    pub async fn start(plan: Plan) -> Result<(Session, JoinHandle<Outcome>), String> {
        let stop = CancellationToken::new();
        if let Err(error) = crate::runtime::signals::survive_size_limits() {
            plan.events.warning(format!("a file-size limit would end the program: {error}"));
        }
        let (attach, attaching) = mpsc::channel(16);
        let (reload, reloading) = mpsc::channel(1);
        let task = Task::start(plan, stop.clone(), attaching, reloading).await?;
        let running = tokio::spawn(task.run());
        Ok((Session { attach, reload, stop }, running))
    }

    /// Reads its profile again: another source, and the outputs that are named in place of those that are not any more.
    ///
    /// # Errors
    /// The source cannot be opened: then everything goes on as before.
    pub async fn reload(&self, what: Reload) -> Result<(), String> {
        let (answer, answered) = oneshot::channel();
        let over = || "the session has ended".to_string();
        self.reload.send((what, answer)).await.map_err(|_| over())?;
        answered.await.map_err(|_| over())?
    }

    /// A new end of the border; `None` when the session is over, or too many come at once.
    pub fn watcher(&self) -> Option<Watcher> {
        let (requests, asked) = mpsc::channel(REQUESTS);
        let (answer, answers) = mpsc::channel(ANSWERS);
        let (publish, snapshots) = watch::channel(Arc::default());
        let attach = Attach { requests: asked, answers: answer, snapshots: publish };
        self.attach.try_send(attach).ok()?;
        Some(Watcher { requests, answers, snapshots })
    }

    /// Ends it in order.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Is told when the session ends.
    pub fn stopping(&self) -> CancellationToken {
        self.stop.clone()
    }
}

/// What happens beside the session and comes back to it.
pub(super) enum Returned {
    /// A request of a watcher.
    Asked(u64, Request),
    /// A watcher has gone.
    Left(u64),
    /// A source was opened, or not.
    Opened(Box<Result<Opened, String>>, Reply),
    /// An undo entry for a change that was made.
    Changed(Undo),
    /// A recording has ended.
    Recorded(RecordState, u64, Reply),
}

/// Where an answer goes.
#[derive(Clone)]
pub(super) struct Reply {
    id: u64,
    to: mpsc::Sender<Answer>,
    nudge: Arc<Notify>,
}

impl Reply {
    /// Answers, and shows what has changed.
    pub(super) fn send(self, result: Done) {
        self.nudge.notify_one();
        // A watcher that does not read its answers, or has gone, misses this one.
        let _missed = self.to.try_send(Answer { id: self.id, result });
    }
}

pub(super) struct Task {
    /// How late sentences were.
    late: Arc<Mutex<Delays>>,
    pub(super) clock: Clock,
    pub(super) events: Events,
    stop: CancellationToken,
    attaching: mpsc::Receiver<Attach>,
    reloading: mpsc::Receiver<Reloading>,
    back: mpsc::Sender<Returned>,
    returned: mpsc::Receiver<Returned>,
    nudge: Arc<Notify>,
    pub(super) watching: Vec<Watching>,
    next_watcher: u64,
    // the source
    pub(super) opened: Opened,
    pub(super) replayed: Option<Replayed>,
    pub(super) marks: MarksFolder,
    pub(super) orders: mpsc::Sender<Order>,
    pub(super) playing: watch::Receiver<Playing>,
    pub(super) listening: Option<watch::Receiver<Listening>>,
    live: Option<(CancellationToken, JoinHandle<()>)>,
    /// Takes other settings of a live input.
    retune: Option<mpsc::Sender<(u16, InputSpec)>>,
    live_generation: watch::Receiver<u32>,
    driver: JoinHandle<()>,
    hub: JoinHandle<()>,
    out: mpsc::Sender<Told>,
    duration: Option<Offset>,
    ends: bool,
    pub(super) history: Arc<Mutex<History>>,
    watch: Arc<Mutex<Watch>>,
    report: Option<PathBuf>,
    profiles: Option<PathBuf>,
    pub(super) controls: Controls,
    pub(super) undo: Vec<Undo>,
    /// Outputs get only what a view shows.
    pub(super) only: Option<Only>,
    pub(super) job: Option<Job>,
    cancel: Arc<AtomicBool>,
    /// Thousandths of the job.
    pub(super) progress: Arc<AtomicU32>,
    reading: crate::core::log::Options,
    // where it goes
    feeds: Feeds,
    next_feed: u64,
    around: Surroundings,
    replies: mpsc::Receiver<(u16, Bytes)>,
    reply_lines: Feed,
    pub(super) outputs: Vec<Output>,
    next_output: u16,
    pub(super) recorder: Option<Recorder>,
    pub(super) recorded: RecordState,
    lost_recording: u64,
    folder: PathBuf,
    rotation: Rotation,
    protected: Protected,
    pub(super) seq: u64,
    asked_to_end: bool,
}

impl Task {
    async fn run(mut self) -> Outcome {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            let nudge = self.nudge.clone();
            tokio::select! { biased;
                () = self.stop.cancelled() => break,
                Some(attach) = self.attaching.recv() => self.attach(attach),
                Some((reload, answer)) = self.reloading.recv() => {
                    // Whoever asked may have given up.
                    let _gone = answer.send(self.reload(reload).await);
                }
                Some(returned) = self.returned.recv() => {
                    self.back_from(returned).await;
                    if self.asked_to_end {
                        break;
                    }
                }
                () = nudge.notified() => self.publish(),
                Some((n, line)) = self.replies.recv() => self.reply(n, &line),
                _ = tick.tick() => {
                    self.publish();
                    if self.ends && self.is_over() {
                        break;
                    }
                }
            }
        }
        self.end().await
    }

    /// The source will say nothing more.
    fn is_over(&self) -> bool {
        if self.job.is_some() {
            return false;
        }
        match &self.listening {
            Some(listening) => {
                let state = listening.borrow();
                state.ended || self.duration.is_some_and(|d| state.position >= d)
            }
            None => self.playing.borrow().is_over(),
        }
    }

    fn attach(&mut self, attach: Attach) {
        self.next_watcher += 1;
        let id = self.next_watcher;
        let back = self.back.clone();
        let mut requests = attach.requests;
        tokio::spawn(async move {
            while let Some(request) = requests.recv().await {
                if back.send(Returned::Asked(id, request)).await.is_err() {
                    return;
                }
            }
            // The session may be over already.
            let _over = back.send(Returned::Left(id)).await;
        });
        self.watching.push(Watching {
            id,
            answers: attach.answers,
            snapshots: attach.snapshots,
            view: View::default(),
            lens: Lens::default(),
            in_place: InPlace::default(),
            waited: false,
        });
        self.publish();
    }

    /// Where the play head stands in a log.
    pub(super) fn head(&self) -> Place {
        self.playing.borrow().head.map(|(place, _)| place).unwrap_or_default()
    }

    pub(super) fn position(&self) -> Offset {
        match &self.listening {
            Some(listening) => listening.borrow().position,
            None => self.playing.borrow().report.position,
        }
    }

    pub(super) fn watch(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets time pass for the diagnosis of live feeds, which are judged by their silence too.
    fn keep_watch(&self) {
        let serial = self.outputs.iter().any(|o| matches!(o.spec.way, Way::Serial(_)));
        let mut watch = self.watch();
        watch.forwarded_to_serial(serial);
        if let Some(listening) = &self.listening {
            let listening = listening.borrow();
            let now = Moment { offset: listening.position, utc: Some(self.clock.utc()) };
            watch.tick(now, &listening.inputs);
        }
    }

    fn publish(&mut self) {
        self.keep_watch();
        for news in self.replayed.iter_mut().flat_map(Replayed::news) {
            self.events.warning(news);
        }
        for i in 0..self.watching.len() {
            let mut snapshot = self.build(i);
            // The rows for another view are there in a moment, and say so: until then, but for a tick at most, what is
            // shown stays whole.
            let waited = std::mem::replace(&mut self.watching[i].waited, snapshot.list.loading);
            if snapshot.list.loading && !waited && self.watching[i].snapshots.borrow().seq > 0 {
                continue;
            }
            let before = self.watching[i].snapshots.borrow().clone();
            (snapshot.seq, snapshot.at) = (before.seq, before.at);
            if snapshot == *before && before.seq > 0 {
                continue; // nothing to draw
            }
            self.seq += 1;
            snapshot.seq = self.seq;
            snapshot.at = self.clock.utc();
            self.watching[i].snapshots.send_replace(Arc::new(snapshot));
        }
    }
}

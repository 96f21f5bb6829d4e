//! The session: owns the source, the hub, the outputs, the recorder and the watchers, and obeys commands.
//!
//! One task. Whatever takes long (opening, searching, stopping) happens beside it, so that a screen is never held up.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::logs::Replayed;
use super::open::{self, Kind, Opened};
use super::openables;
use super::plan::{MarksFolder, Outcome, Plan, Reload};
use super::save;
use super::snapshot::{Job, Link, Mode, RecordState};
use super::undo::Undo;
use super::watch::Watch;
use super::window::{InPlace, Lens};
use super::{Answer, Command, OutputChange, Request, Snapshot, View, Watcher};
use crate::core::delays::Delays;
use crate::core::frame::{Batch, Class, Frame, Origin};
use crate::core::log::lines::Feed;
use crate::core::output::{OutputSpec, Tag, Way};
use crate::core::time::{Moment, Offset, iso_ms};
use crate::core::transport::{Player, Transport};
use crate::core::vessel::Vessel;
use crate::runtime::clock::Clock;
use crate::runtime::driver::{self, Order, Playing};
use crate::runtime::events::Events;
use crate::runtime::history::History;
use crate::runtime::hub::{self, Feeds, Told};
use crate::runtime::idle::Idle;
use crate::runtime::live::{self, Listening};
use crate::runtime::outputs::{Output, Surroundings};
use crate::runtime::recorder::{Mode as FileMode, Protected, Recorder, Rotation, Shape, Wanted, names};

/// How often a snapshot is made while things change.
const TICK: Duration = Duration::from_millis(100);
/// Requests that may wait at a watcher.
const REQUESTS: usize = 64;
/// Answers that may wait at a watcher; one that does not read them loses further ones.
const ANSWERS: usize = 256;
/// What an output gets to send what is queued when it is stopped.
const GRACE: Duration = Duration::from_millis(1500);
/// How many outputs there may be.
const MOST_OUTPUTS: usize = 64;

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

/// A watcher as the session knows it.
pub(super) struct Watching {
    pub(super) id: u64,
    answers: mpsc::Sender<Answer>,
    snapshots: watch::Sender<Arc<Snapshot>>,
    pub(super) view: View,
    pub(super) lens: Lens,
    pub(super) in_place: InPlace,
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
    pub(super) undo: Vec<Undo>,
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
    async fn start(
        plan: Plan,
        stop: CancellationToken,
        attaching: mpsc::Receiver<Attach>,
        reloading: mpsc::Receiver<Reloading>,
    ) -> Result<Task, String> {
        let clock = plan.clock;
        let (choice, now, halt) = (plan.choice, clock.utc(), stop.clone());
        let opening = move || open::open(choice, now, &mut |_| !halt.is_cancelled());
        let opened = tokio::task::spawn_blocking(opening).await;
        let mut opened = opened.map_err(|e| format!("opening failed: {e}"))??;
        let (generation, heard) = watch::channel(0);
        let (told, state) = watch::channel(Playing::default());
        let (orders, ordered) = mpsc::channel(64);
        let (out, batches) = mpsc::channel(hub::ROOM);
        let feeds = Feeds::default();
        let history = Arc::new(Mutex::new(History::default()));
        let seen = history.clone();
        let watch = Arc::new(Mutex::new(Watch::new(opened.mode, opened.tier())));
        if plan.report.is_some() {
            watch.lock().unwrap_or_else(PoisonError::into_inner).ask();
        }
        let watched = watch.clone();
        let hub = tokio::spawn(hub::run(batches, feeds.clone(), heard.clone(), move |told| {
            let now = clock.wall();
            seen.lock().unwrap_or_else(PoisonError::into_inner).take(told, now);
            watched.lock().unwrap_or_else(PoisonError::into_inner).take(told);
        }));
        let protected = Protected::default();
        protected.set(&opened.files);
        let (replied, replies) = mpsc::channel(64);
        let mut around = Surroundings {
            clock,
            events: plan.events.clone(),
            generation: heard.clone(),
            replies: replied,
            metadata: Vec::new(),
            protected: protected.clone(),
        };
        around.metadata = metadata(&opened);
        let opened_pulls = matches!(opened.kind, Kind::Pulled(_));
        let mut player = new_player(&mut opened, plan.duration, &plan.first, clock)?;
        let (back, returned) = mpsc::channel(64);
        let late = Arc::default();
        let ends = driver::Ends { orders: ordered, out: out.clone(), state: told, generation, late: Arc::clone(&late) };
        let mut task = Task {
            clock,
            events: plan.events,
            stop,
            attaching,
            reloading,
            back,
            returned,
            late,
            nudge: Arc::default(),
            watching: Vec::new(),
            next_watcher: 0,
            opened,
            replayed: None,
            marks: plan.marks,
            orders,
            playing: state,
            listening: None,
            live: None,
            live_generation: heard,
            driver: tokio::spawn(async {}),
            hub,
            out,
            duration: plan.duration,
            ends: plan.ends,
            history,
            watch,
            report: plan.report,
            profiles: plan.profiles,
            undo: Vec::new(),
            job: None,
            cancel: Arc::default(),
            progress: Arc::default(),
            reading: plan.reading,
            feeds,
            next_feed: 0,
            around,
            replies,
            reply_lines: Feed::new(false),
            outputs: Vec::new(),
            next_output: 0,
            recorder: None,
            recorded: RecordState::default(),
            lost_recording: 0,
            folder: plan.folder,
            rotation: plan.rotation,
            protected,
            seq: 0,
            asked_to_end: false,
        };
        task.put_up_desk()?;
        // Everybody who is to hear the first sentence is there before it is said.
        if let Some((path, mode)) = plan.record {
            task.record(path, mode)?;
        }
        for spec in plan.outputs {
            task.add_output(spec)?;
        }
        if !plan.paused && opened_pulls {
            player.command(clock.wall(), &Transport::Play, &mut Vec::new()).map_err(|e| e.to_string())?;
        }
        task.driver = tokio::spawn(driver::run(player, clock, ends));
        task.listen();
        Ok(task)
    }

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
        });
        self.publish();
    }

    async fn back_from(&mut self, returned: Returned) {
        match returned {
            Returned::Asked(id, request) => {
                let Some(at) = self.watching.iter().position(|w| w.id == id) else { return };
                let reply = Reply { id: request.id, to: self.watching[at].answers.clone(), nudge: self.nudge.clone() };
                self.obey(at, request.command, reply).await;
            }
            Returned::Left(id) => {
                self.watching.retain(|w| w.id != id);
                if let Some(replayed) = &mut self.replayed {
                    replayed.desk.forget(id);
                }
            }
            Returned::Opened(opened, reply) => {
                self.job = None;
                let done = match *opened {
                    Ok(opened) => self.change_source(opened, &[]).await,
                    Err(error) => Err(error),
                };
                if let Err(error) = &done {
                    self.events.warning(error.clone());
                }
                reply.send(done);
            }
            Returned::Changed(undo) => {
                self.undo.push(undo);
                if self.undo.len() > 100 {
                    self.undo.remove(0);
                }
            }
            Returned::Recorded(state, lost, reply) => {
                self.lost_recording += lost;
                let line = format!("recorded {} sentences to {}", state.sentences, state.path);
                self.events.info(line.clone());
                self.recorded = state;
                reply.send(Ok(line.into()));
            }
        }
    }

    async fn obey(&mut self, watcher: usize, command: Command, reply: Reply) {
        match command {
            Command::View(view) => {
                let done = Lens::new(&view).map(|lens| {
                    let w = &mut self.watching[watcher];
                    w.lens = lens;
                    w.view = *view;
                });
                reply.send(done.map(|()| serde_json::Value::Null));
            }
            Command::Transport(_) if self.listening.is_some() => {
                reply.send(Err("a live feed goes by itself: it cannot be paused, moved or sped up".into()));
            }
            Command::Transport(transport) => {
                if let Some(replayed) = &self.replayed {
                    replayed.logs.seeking.cancel.store(false, Ordering::Relaxed);
                }
                let (answer, answered) = oneshot::channel();
                self.order(Order::Transport(transport, answer), answered, reply);
            }
            Command::Change(change) => self.change(change, reply),
            Command::Undo => self.take_back(reply),
            Command::Open(text) => self.open(text, reply),
            Command::Openables => {
                let (logs, profiles) = (self.folder.clone(), self.profiles.clone());
                tokio::spawn(async move {
                    let found = openables::openables(logs, profiles).await;
                    reply.send(serde_json::to_value(found).map_err(|e| e.to_string()));
                });
            }
            Command::Output(change) => {
                let done = self.change_output(change).await;
                reply.send(done);
            }
            Command::Record(path) => {
                let done = if self.recorder.is_some() {
                    Err("recording already: stop it first".into())
                } else if path.is_empty() {
                    self.record_fresh()
                } else {
                    self.record(path.into(), FileMode::Append)
                };
                reply.send(done.map(|path| path.into()));
            }
            Command::RecordStop => match self.recorder.take() {
                None => reply.send(Err("not recording".into())),
                Some(recorder) => {
                    self.recorded = recorder.state();
                    let (feeds, back) = (self.feeds.clone(), self.back.clone());
                    tokio::spawn(async move {
                        let (state, lost) = recorder.stop(&feeds, Duration::from_secs(10)).await;
                        let _over = back.send(Returned::Recorded(state, lost, reply)).await;
                    });
                }
            },
            Command::SaveProfile(path) if save::scenario_path(&path).is_some() => {
                let path = save::scenario_path(&path).unwrap_or_default().to_string();
                self.save_scenario(&path, reply);
            }
            Command::SaveProfile(path) => reply.send(self.save_profile(&path)),
            Command::Find { pattern, from, back } => match &self.replayed {
                Some(replayed) => {
                    replayed.find(&pattern, from, back, &self.watching[watcher].view, self.head(), reply);
                }
                None => reply.send(self.find(watcher, &pattern, from, back)),
            },
            Command::Look { what, from, back } => {
                let head = self.head();
                match &mut self.replayed {
                    Some(replayed) => {
                        let view = &self.watching[watcher].view;
                        replayed.look(&what, (from, back), view, head, &self.marks, reply);
                    }
                    None => reply.send(self.look(watcher, &what, from, back)),
                }
            }
            Command::Mark { at, name } => {
                let playing = self.playing.borrow().clone();
                let done = match &mut self.replayed {
                    Some(replayed) => replayed.mark(&self.marks, at, name.as_deref(), &playing),
                    None => Err("only a log has places that last: open one with `replay`".into()),
                };
                reply.send(done);
            }
            Command::SaveStretch { path, between, filter } => match &self.replayed {
                Some(replayed) => replayed.save(&path, between, &filter, self.clock.utc(), reply),
                None => reply.send(Err("only of a log a stretch can be saved: open one with `replay`".into())),
            },
            Command::ClearCounters => {
                self.watch().clear();
                reply.send(Ok(serde_json::Value::Null));
            }
            Command::Report(path) => {
                let (name, now) = (self.opened.name.clone(), self.clock.utc());
                let done = self.watch().report(std::path::Path::new(path.trim()), &name, now, false);
                reply.send(done.map(|(_, verdict)| format!("{path}: {verdict}").into()));
            }
            Command::Cancel => {
                self.cancel.store(true, Ordering::Relaxed);
                if let Some(replayed) = &self.replayed {
                    replayed.cancel();
                }
                reply.send(Ok(serde_json::Value::Null));
            }
            Command::Quit => {
                self.asked_to_end = true;
                reply.send(Ok(serde_json::Value::Null));
            }
        }
    }

    /// Passes an order to the driver; the answer comes when it is done, however long a seek takes.
    fn order(&self, order: Order, answered: oneshot::Receiver<Result<(), String>>, reply: Reply) {
        if self.orders.try_send(order).is_err() {
            return reply.send(Err("the source is busy: try again in a moment".into()));
        }
        tokio::spawn(async move {
            let done = answered.await.unwrap_or_else(|_| Err("the source has ended".into()));
            reply.send(done.map(|()| serde_json::Value::Null));
        });
    }

    fn change(&mut self, change: crate::core::transport::Change, reply: Reply) {
        let before = self.playing.borrow().clone();
        let (answer, answered) = oneshot::channel();
        if self.orders.try_send(Order::Change(change, answer)).is_err() {
            return reply.send(Err("the source is busy: try again in a moment".into()));
        }
        let (playing, back) = (self.playing.clone(), self.back.clone());
        tokio::spawn(async move {
            let done = answered.await.unwrap_or_else(|_| Err("the source has ended".into()));
            if done.is_ok() {
                let after = playing.borrow().clone();
                if let Some(undo) = Undo::between(&before, &after) {
                    let _over = back.send(Returned::Changed(undo)).await;
                }
            }
            reply.send(done.map(|()| serde_json::Value::Null));
        });
    }

    fn take_back(&mut self, reply: Reply) {
        let Some(undo) = self.undo.pop() else { return reply.send(Err("nothing to undo".into())) };
        let (answer, answered) = oneshot::channel();
        let words = undo.words();
        let order = Order::With(Box::new(move |player, now| {
            let _gone = answer.send(undo.apply(player, now));
        }));
        if self.orders.try_send(order).is_err() {
            return reply.send(Err("the source is busy: try again in a moment".into()));
        }
        tokio::spawn(async move {
            let done = answered.await.unwrap_or_else(|_| Err("the source has ended".into()));
            reply.send(done.map(|()| words.into()));
        });
    }

    fn open(&mut self, text: String, reply: Reply) {
        if self.job.is_some() {
            return reply.send(Err("something is being opened: cancel it first (Esc)".into()));
        }
        let shown = crate::core::visible::text(text.as_bytes());
        self.job = Some(Job { what: format!("opening {shown}"), fraction: None });
        self.cancel = Arc::default();
        let (back, reading, now) = (self.back.clone(), self.reading, self.clock.utc());
        let (cancel, progress) = (self.cancel.clone(), self.progress.clone());
        progress.store(0, Ordering::Relaxed);
        tokio::spawn(async move {
            let work = tokio::task::spawn_blocking(move || {
                open::choose(&text, reading).and_then(|choice| {
                    open::open(choice, now, &mut |done| {
                        progress.store((done * 1000.0) as u32, Ordering::Relaxed);
                        !cancel.load(Ordering::Relaxed)
                    })
                })
            });
            let opened = work.await.unwrap_or_else(|e| Err(format!("opening failed: {e}")));
            let _over = back.send(Returned::Opened(Box::new(opened), reply)).await;
        });
    }

    async fn reload(&mut self, reload: Reload) -> Result<(), String> {
        let now = self.clock.utc();
        let opening = move || open::open(reload.choice, now, &mut |_| true);
        let opened = tokio::task::spawn_blocking(opening).await.map_err(|e| format!("opening failed: {e}"))??;
        self.change_source(opened, &reload.first).await?;
        let gone = |o: &Output| !reload.outputs.contains(&o.spec);
        while let Some(at) = self.outputs.iter().position(gone) {
            let mut output = self.outputs.remove(at);
            output.stop(&self.feeds, GRACE).await;
        }
        for spec in reload.outputs {
            if !self.outputs.iter().any(|o| o.spec == spec) {
                self.add_output(spec)?;
            }
        }
        Ok(())
    }

    async fn change_source(&mut self, mut opened: Opened, first: &[Transport]) -> Done {
        if let Some((stop, task)) = self.live.take() {
            stop.cancel();
            let _ended = task.await;
        }
        self.listening = None;
        let pulls = matches!(opened.kind, Kind::Pulled(_));
        let mut player = new_player(&mut opened, self.duration, first, self.clock)?;
        if pulls {
            player.command(self.clock.wall(), &Transport::Play, &mut Vec::new()).map_err(|e| e.to_string())?;
        }
        let order = self.orders.send(Order::Player(Box::new(player)));
        if order.await.is_err() {
            return Err("the session is ending".into());
        }
        // The driver raises the generation; batches of the old source are dropped from then on.
        let _changed = tokio::time::timeout(Duration::from_secs(5), self.playing.changed()).await;
        self.protected.set(&opened.files);
        self.around.metadata = metadata(&opened);
        self.history().clear();
        self.watch().begin_anew(opened.mode, opened.tier());
        self.undo.clear();
        self.opened = opened;
        self.put_up_desk()?;
        self.listen();
        let line = format!("opened {}", self.opened.name);
        self.events.info(line.clone());
        Ok(line.into())
    }

    /// Logs get a desk where they are read for lists and searches.
    fn put_up_desk(&mut self) -> Result<(), String> {
        let logs = self.opened.log.take();
        self.replayed = logs.map(|logs| Replayed::new(logs, self.nudge.clone())).transpose()?;
        Ok(())
    }

    /// Starts to listen, when the source is a live one.
    fn listen(&mut self) {
        let Kind::Pushed { inputs, strict } = &self.opened.kind else { return };
        let (state, listening) = watch::channel(Listening::default());
        let stop = self.stop.child_token();
        let ends =
            live::Ends { out: self.out.clone(), state, generation: *self.live_generation.borrow(), stop: stop.clone() };
        self.watch().inputs(inputs);
        let (inputs, strict, clock, events) = (inputs.clone(), *strict, self.clock, self.events.clone());
        let watch = self.watch.clone();
        let taps = live::Taps {
            event: Box::new(move |level, text| events.add(level, text)),
            raw: Box::new(move |input, bytes, now| {
                watch.lock().unwrap_or_else(PoisonError::into_inner).raw(input, bytes, now);
            }),
        };
        let task = tokio::spawn(async move { live::run(&inputs, strict, clock, ends, &taps).await });
        self.listening = Some(listening);
        self.live = Some((stop, task));
    }

    fn reply(&mut self, n: u16, line: &Bytes) {
        let mut frames = Vec::new();
        let mut add = |line: &crate::core::log::line::Line<'_>| {
            let class = if line.class == Class::Blank { return } else { line.class };
            let bytes = Bytes::copy_from_slice(line.text);
            let all = (0, bytes.len() as u32);
            let origin = Origin::Reply(n);
            frames.push(Frame { seq: 0, offset: 0, origin, class, place: None, bytes, sentence: all });
        };
        self.reply_lines.push(line, &mut add);
        self.reply_lines.flush(&mut add);
        let position = self.position();
        frames.iter_mut().for_each(|f| f.offset = position);
        let vessel: Arc<Vessel> = self.history().vessel().clone();
        let generation = *self.live_generation.borrow();
        let batch = Batch { generation, sent: self.clock.utc(), source_utc: None, frames, vessel };
        let now = self.clock.wall();
        self.history().take(&Told { batch: Arc::new(batch), emit: false, patient: false }, now);
    }

    /// Where the play head stands in a log.
    pub(super) fn head(&self) -> crate::core::frame::Place {
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

    // ---- outputs

    fn add_output(&mut self, spec: OutputSpec) -> Result<u16, String> {
        if self.outputs.len() >= MOST_OUTPUTS {
            return Err(format!("{MOST_OUTPUTS} outputs are the most: remove one first"));
        }
        self.refuse_echo(&spec)?;
        let n = self.next_output;
        let mut output = Output::new(n, spec);
        if !output.spec.stopped {
            self.next_feed += 1;
            output.start(self.next_feed, &self.feeds, &self.around);
        }
        self.next_output = n.checked_add(1).ok_or("too many outputs in one session")?;
        self.outputs.push(output);
        Ok(n)
    }

    /// An output that is an input of the same run would feed itself.
    fn refuse_echo(&self, spec: &OutputSpec) -> Result<(), String> {
        let Kind::Pushed { inputs, .. } = &self.opened.kind else { return Ok(()) };
        match inputs.iter().find(|input| open::is_echo(input, &spec.way)) {
            Some(input) => Err(format!("output {spec} is what input {input} listens to: it would feed itself")),
            None => Ok(()),
        }
    }

    async fn change_output(&mut self, change: OutputChange) -> Done {
        let find = |outputs: &[Output], n: u16| {
            outputs.iter().position(|o| o.n == n).ok_or_else(|| format!("there is no output {n}"))
        };
        match change {
            OutputChange::Add(text) => {
                let n = self.add_output(OutputSpec::parse(text.trim())?)?;
                return Ok(n.into());
            }
            OutputChange::Edit(n, text) => {
                let at = find(&self.outputs, n)?;
                let spec = OutputSpec::parse(text.trim())?;
                self.refuse_echo(&spec)?;
                self.outputs[at].stop(&self.feeds, GRACE).await;
                self.outputs[at] = Output::new(n, spec);
                if !self.outputs[at].spec.stopped {
                    self.next_feed += 1;
                    self.outputs[at].start(self.next_feed, &self.feeds, &self.around);
                }
            }
            OutputChange::Stop(n) => {
                let at = find(&self.outputs, n)?;
                self.outputs[at].stop(&self.feeds, GRACE).await;
            }
            OutputChange::Start(n) => {
                let at = find(&self.outputs, n)?;
                // One that has failed is not running any more, though nobody stopped it.
                self.outputs[at].stop(&self.feeds, GRACE).await;
                self.next_feed += 1;
                self.outputs[at].start(self.next_feed, &self.feeds, &self.around);
            }
            OutputChange::Remove(n) => {
                let at = find(&self.outputs, n)?;
                let mut output = self.outputs.remove(at);
                output.stop(&self.feeds, GRACE).await;
            }
        }
        Ok(serde_json::Value::Null)
    }

    // ---- recording

    fn record_fresh(&mut self) -> Result<String, String> {
        std::fs::create_dir_all(&self.folder)
            .map_err(|e| format!("{}: {e}: set [record] folder", self.folder.display()))?;
        let name = names::recording(self.clock.utc(), &self.opened.label);
        self.record(self.folder.join(name), FileMode::Fresh)
    }

    fn record(&mut self, path: PathBuf, mode: FileMode) -> Result<String, String> {
        let shape = Shape::Log {
            metadata: self.around.metadata.clone(),
            filter: crate::core::filter::Filter::default(),
            everything: true,
            tag: Tag::Off,
        };
        let wanted = Wanted { path, mode, shape, rotation: self.rotation, protected: self.protected.clone() };
        self.next_feed += 1;
        let recorder = Recorder::start(wanted, self.clock, &self.events, self.next_feed, &self.feeds)?;
        let path = recorder.state().path;
        self.recorder = Some(recorder);
        Ok(path)
    }

    fn save_profile(&mut self, path: &str) -> Done {
        let Some(running) = self.playing.borrow().profile.clone() else {
            return Err("this source has no profile to save".into());
        };
        let target = save::target(path, self.opened.path.as_deref())?;
        let said = save::write(&running, &target)?;
        self.opened.profile = Some(Box::new((*running).clone()));
        self.opened.path = Some(target);
        self.events.info(said.clone());
        Ok(said.into())
    }

    /// The profile with everything that was asked as steps: what is sailed again does the same.
    fn save_scenario(&mut self, path: &str, reply: Reply) {
        let target = match save::target(path, self.opened.path.as_deref()) {
            Ok(target) => target,
            Err(why) => return reply.send(Err(why)),
        };
        let (order, answered) = save::ask_scenario();
        if self.orders.try_send(order).is_err() {
            return reply.send(Err("the source is busy: try again in a moment".into()));
        }
        tokio::spawn(async move {
            let scenario = answered.await.unwrap_or_else(|_| Err("the source has ended".into()));
            let said = scenario.and_then(|profile| save::write(&profile, &target));
            reply.send(said.map(Into::into));
        });
    }

    // ---- the end

    async fn end(self) -> Outcome {
        let (watch, report, name) = (self.watch.clone(), self.report.clone(), self.opened.name.clone());
        let Task { mut outputs, feeds, recorder, stop, orders, out, live, driver, hub, late, .. } = self;
        let mut failed = self.playing.borrow().failed.clone();
        drop(orders);
        drop(out);
        if let Some((stop, task)) = live {
            stop.cancel();
            let _ended = task.await;
        }
        if let Err(error) = driver.await {
            failed.get_or_insert(format!("the source failed: {error}"));
        }
        // At the end of a source what is queued is still sent, however long a pipe takes; a signal cuts that short.
        let patient = async {
            let mut hub = hub;
            tokio::select! {
                _ended = &mut hub => {}
                () = hurried(&stop, GRACE) => hub.abort(),
            }
            let mut stopping = tokio::task::JoinSet::new();
            for mut output in outputs.drain(..) {
                let (feeds, stop) = (feeds.clone(), stop.clone());
                stopping.spawn(async move {
                    let waits = matches!(output.spec.way, Way::Stdout | Way::File { .. } | Way::Log { .. });
                    let hurry =
                        async { if waits { hurried(&stop, GRACE).await } else { tokio::time::sleep(GRACE).await } };
                    output.stop_unless(&feeds, hurry).await;
                    output
                });
            }
            let mut ended = Vec::new();
            while let Some(output) = stopping.join_next().await {
                ended.extend(output.ok());
            }
            ended
        };
        let ended = patient.await;
        let late = late.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut outcome = Outcome { failed, late, ..Outcome::default() };
        if let Some(recorder) = recorder {
            let (state, lost) = recorder.stop(&feeds, Duration::from_secs(10)).await;
            outcome.recorded = Some((state.path, state.sentences));
            outcome.unrecorded = lost;
        } else if !self.recorded.path.is_empty() {
            outcome.recorded = Some((self.recorded.path, self.recorded.sentences));
            outcome.unrecorded = self.lost_recording;
        }
        for output in ended {
            let counts = matches!(output.spec.way, Way::Stdout | Way::File { .. } | Way::Log { .. });
            let status = output.status();
            if counts && (output.dropped() > 0 || status.link == Link::Failed) {
                outcome.lost.push((output.spec.to_string(), output.dropped()));
            }
        }
        if let Some(path) = report {
            let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
            watch.finish();
            match watch.report(&path, &name, self.clock.utc(), true) {
                Ok((errors, verdict)) => outcome.report = Some((errors, format!("{}: {verdict}", open::shown(&path)))),
                Err(error) => {
                    outcome.failed.get_or_insert(error);
                }
            }
        }
        // Whoever serves watchers of this session ends with it.
        stop.cancel();
        tracing::info!("session ended at {}", iso_ms(self.clock.utc()));
        outcome
    }

    // ---- snapshots

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
        for i in 0..self.watching.len() {
            let mut snapshot = self.build(i);
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

/// A player of what was opened; of a live feed one that stands still for ever.
fn new_player(
    opened: &mut Opened,
    duration: Option<Offset>,
    first: &[Transport],
    clock: Clock,
) -> Result<Player, String> {
    let pulls = matches!(opened.kind, Kind::Pulled(_));
    let mut player = Player::new(opened.kind.take_source());
    player.stop_after(duration);
    for transport in first.iter().filter(|_| pulls) {
        player.command(clock.wall(), transport, &mut Vec::new()).map_err(|e| e.to_string())?;
    }
    Ok(player)
}

/// Ends some time after the session was told to stop; never before.
async fn hurried(stop: &CancellationToken, grace: Duration) {
    stop.cancelled().await;
    tokio::time::sleep(grace).await;
}

/// What a log's header says of its source.
fn metadata(opened: &Opened) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    match &opened.profile {
        Some(profile) => {
            lines.push(("profile".into(), opened.name.clone()));
            lines.push(("seed".into(), profile.simulation.seed.to_string()));
        }
        None => lines.push(("source".into(), opened.name.clone())),
    }
    let mode = match opened.mode {
        Mode::Simulate => "simulation",
        Mode::Track => "track",
        Mode::Replay => "replay",
        Mode::Live => "live",
    };
    lines.push(("mode".into(), mode.into()));
    lines.push(("program".into(), format!("nmeasimx {}", env!("CARGO_PKG_VERSION"))));
    lines
}

impl Kind {
    /// The source to be pulled; an idle one when this kind pushes.
    fn take_source(&mut self) -> Box<dyn crate::core::transport::Source> {
        match self {
            Kind::Pulled(source) => std::mem::replace(source, Box::new(Idle::default())),
            Kind::Pushed { .. } => Box::new(Idle::default()),
        }
    }
}

//! Outputs: each is a task (or a thread) of its own that filters, encodes and sends, and heals by itself.
//!
//! Here is what all of them share: their queue, their counters, their state, and how trouble is told once.

pub mod budget;
pub mod encode;
pub mod files;
pub mod pty;
pub mod serial;
pub mod stdout;
pub mod stream;
pub mod tcp_client;
pub mod tcp_server;
pub mod udp;
pub mod ways;
pub mod websocket;

use std::collections::VecDeque;
use std::future::Future;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::clock::Clock;
use super::events::Events;
use super::healing::{BackOff, Flaps, Lost, NO_MORE, Opened};
use super::hub::{self, Feed, Feeds, Parcel};
use super::queue;
use super::recorder::Protected;
use super::session::snapshot::{ClientRow, Link, OutputRow};
use crate::core::output::{OutputSpec, Way};
use crate::core::time::{SECOND, Wall};

/// A client whose oldest byte has waited so long is cut off.
pub const PATIENCE: Wall = 10 * SECOND;
/// Bytes that wait for one client; beyond, whole sentences are lost for it.
pub const CLIENT_QUEUE: usize = 256 << 10;
/// Of what the kernel may hold for a client, or it hides megabytes.
pub const SEND_BUFFER: usize = 64 << 10;
/// Rows of clients in a snapshot.
const CLIENT_ROWS: usize = 50;

/// What an output needs to know of its session.
#[derive(Clone)]
pub struct Surroundings {
    /// The clock.
    pub clock: Clock,
    /// Where events go.
    pub events: Events,
    /// The present generation.
    pub generation: watch::Receiver<u32>,
    /// Lines that come back on an output.
    pub replies: mpsc::Sender<(u16, Bytes)>,
    /// What a log's header says of the source.
    pub metadata: Vec<(String, String)>,
    /// Files that must not be written.
    pub protected: Protected,
}

impl Surroundings {
    /// The seed of a simulation; 0 of anything else.
    pub fn seed(&self) -> u64 {
        let seed = self.metadata.iter().find(|(key, _)| key == "seed");
        seed.and_then(|(_, value)| value.parse().ok()).unwrap_or(0)
    }
}

/// One output, running or stopped.
pub struct Output {
    /// Names it in commands.
    pub n: u16,
    /// What it is.
    pub spec: OutputSpec,
    gauges: Arc<Gauges>,
    running: Option<Running>,
}

struct Running {
    feed: u64,
    stop: CancellationToken,
    task: tokio::task::JoinHandle<()>,
}

/// What an output counts and how it stands, read by the session while the output works.
pub struct Gauges {
    /// Sentences sent.
    pub sentences: AtomicU64,
    /// Bytes sent.
    pub bytes: AtomicU64,
    /// Sentences lost: no room, or an error while sending.
    pub dropped: Arc<AtomicU64>,
    /// Bytes waiting.
    pub queue: AtomicU64,
    /// Lines received.
    pub replies: AtomicU64,
    /// Sentences that gave way on a line that is too slow.
    pub gave_way: AtomicU64,
    /// Clients now.
    pub client_count: AtomicU32,
    clients: Mutex<Vec<Arc<Client>>>,
    status: watch::Sender<Status>,
    rate: Mutex<Rate>,
}

/// How an output stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// In a word.
    pub link: Link,
    /// Where it is to be reached.
    pub at: String,
    /// The last error in words.
    pub last_error: Option<String>,
    /// Load of a serial line, percent.
    pub load: Option<f64>,
    /// Wall time of the next try, while it waits for one.
    pub retry_at: Option<Wall>,
}

/// A client of a server.
pub struct Client {
    /// Its address.
    pub address: String,
    /// Sentences sent.
    pub sentences: AtomicU64,
    /// Bytes waiting.
    pub queue: AtomicU64,
    /// Sentences lost.
    pub dropped: AtomicU64,
    /// Wall time at which its oldest waiting byte was queued; 0: none waits.
    pub oldest: AtomicU64,
}

impl Client {
    /// A client that has just come.
    pub fn new(address: String) -> Client {
        Client {
            address,
            sentences: AtomicU64::new(0),
            queue: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
            oldest: AtomicU64::new(0),
        }
    }
}

/// Bytes a second over the last seconds.
#[derive(Debug, Default)]
struct Rate(VecDeque<(Wall, u64)>);

impl Rate {
    fn over(&mut self, now: Wall, total: u64) -> f64 {
        self.0.push_back((now, total));
        while self.0.len() > 2 && self.0.get(1).is_some_and(|(at, _)| now - at >= 3 * SECOND) {
            self.0.pop_front();
        }
        match self.0.front() {
            Some((at, then)) if now > *at => (total.saturating_sub(*then)) as f64 / ((now - at) as f64 / SECOND as f64),
            _ => 0.0,
        }
    }
}

impl Gauges {
    fn new() -> Gauges {
        Gauges {
            sentences: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            dropped: Arc::default(),
            queue: AtomicU64::new(0),
            replies: AtomicU64::new(0),
            gave_way: AtomicU64::new(0),
            client_count: AtomicU32::new(0),
            clients: Mutex::default(),
            status: watch::channel(Status::default()).0,
            rate: Mutex::default(),
        }
    }

    /// Counts what was sent.
    pub fn sent(&self, sentences: u64, bytes: usize) {
        self.sentences.fetch_add(sentences, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Counts what was lost.
    pub fn lost(&self, sentences: u64) {
        self.dropped.fetch_add(sentences, Ordering::Relaxed);
    }

    /// Changes how it stands; watchers hear of it only when something did change.
    pub fn status(&self, change: impl FnOnce(&mut Status)) {
        self.status.send_if_modified(|status| {
            let before = status.clone();
            change(status);
            *status != before
        });
    }

    fn clients(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Client>>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A client has come.
    pub fn client_came(&self, client: Arc<Client>) {
        self.client_count.fetch_add(1, Ordering::Relaxed);
        self.clients().push(client);
    }

    /// A client has gone.
    pub fn client_went(&self, client: &Arc<Client>) {
        self.client_count.fetch_sub(1, Ordering::Relaxed);
        self.clients().retain(|c| !Arc::ptr_eq(c, client));
    }
}

/// What an output's task works with.
pub struct Task {
    /// Its number.
    pub n: u16,
    /// What it is.
    pub spec: OutputSpec,
    /// What it counts.
    pub gauges: Arc<Gauges>,
    /// What it knows of its session.
    pub around: Surroundings,
    /// Ends it at once; the end of its queue ends it in order.
    pub stop: CancellationToken,
    feed: queue::Receiver<Parcel>,
    flaps: Flaps,
    wait: BackOff,
}

impl Task {
    /// What turns batches into the bytes of this output.
    pub fn encoder(&self) -> encode::Encoder {
        encode::Encoder::new(&self.spec).with_seed(self.around.seed())
    }

    /// The next batch of the present generation; `None` when there will be none.
    pub async fn next(&mut self) -> Option<Parcel> {
        loop {
            let parcel = tokio::select! { biased;
                () = self.stop.cancelled() => return None,
                parcel = self.feed.recv() => parcel?,
            };
            self.gauges.queue.store(self.feed.bytes() as u64, Ordering::Relaxed);
            self.settle();
            if !hub::is_old(parcel.batch.generation, *self.around.generation.borrow()) {
                return Some(parcel);
            }
        }
    }

    /// Lets batches pass by unsent while `work` is not done. `None`: there will be no more batches.
    pub async fn discard_until<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(work);
        loop {
            tokio::select! { biased;
                () = self.stop.cancelled() => return None,
                done = &mut work => return Some(done),
                parcel = self.feed.recv() => { parcel.as_ref()?; }
            }
        }
    }

    /// Waits before the next try, longer each time. `None`: there will be no more batches.
    pub async fn back_off(&mut self) -> Option<()> {
        let wait = self.wait.next_wait();
        let until = self.around.clock.wall() + wait.as_nanos() as Wall;
        self.gauges.status(|s| s.retry_at = Some(until));
        self.discard_until(tokio::time::sleep(wait)).await
    }

    /// It does not work now.
    pub fn is_in_trouble(&self) -> bool {
        self.flaps.is_lost()
    }

    /// It works. The first time, and after trouble, that is an event.
    pub fn open(&mut self, at: String) {
        let (n, spec) = (self.n, &self.spec);
        // Where it is to be reached says more than the SPEC when the system chose it: a port, a pty.
        let shown = spec.to_string();
        let place = if at.is_empty() || at == "-" || shown.contains(&at) { String::new() } else { format!(" at {at}") };
        self.wait.opened();
        match self.flaps.open(self.around.clock.wall()) {
            Opened::First => self.around.events.info(format!("output {n} {shown}: open{place}")),
            Opened::Again => self.around.events.info(format!("output {n} {shown}: open again{place}")),
            Opened::Untold => {}
        }
        self.gauges.status(|s| {
            s.link = Link::Open;
            s.at = at;
            s.retry_at = None;
        });
    }

    /// Tells of a link that came and went, once it holds.
    fn settle(&mut self) {
        if self.flaps.settled(self.around.clock.wall()) {
            self.around.events.info(format!("output {} {}: open again, and holds", self.n, self.spec));
        }
    }

    /// It does not work now and will be tried again. The same trouble again is no event.
    pub fn waiting(&mut self, error: impl Into<String>) {
        let error = error.into();
        let end = match self.flaps.lose(self.around.clock.wall()) {
            Lost::Told => Some("; tried again by itself"),
            Lost::ToldLast => Some(NO_MORE),
            Lost::Untold => None,
        };
        if let Some(end) = end {
            let (n, spec) = (self.n, &self.spec);
            self.around.events.warning(format!("output {n} {spec}: {error}{end}"));
        }
        self.gauges.status(|s| {
            s.link = Link::Waiting;
            s.last_error = Some(error);
            s.load = None;
        });
    }

    /// It does not work and is not tried again.
    pub fn failed(&mut self, error: impl Into<String>) {
        let error = error.into();
        self.around.events.error(format!("output {} {}: {error}", self.n, self.spec));
        self.gauges.status(|s| {
            s.link = Link::Failed;
            s.last_error = Some(error);
            s.load = None;
        });
    }
}

impl Output {
    /// An output that is not yet started.
    pub fn new(n: u16, spec: OutputSpec) -> Output {
        let gauges = Arc::new(Gauges::new());
        gauges.status(|s| s.link = Link::Closed);
        Output { n, spec, gauges, running: None }
    }

    /// Starts it, if it is stopped. `feed` names its queue at the hub and must be new.
    pub fn start(&mut self, feed: u64, feeds: &Feeds, around: &Surroundings) {
        if self.running.is_some() {
            return;
        }
        self.gauges.status(|s| *s = Status { link: Link::Opening, ..Status::default() });
        let capacity = match self.spec.way {
            Way::File { .. } | Way::Log { .. } | Way::Stdout => hub::FILE_QUEUE,
            _ => hub::NET_QUEUE,
        };
        let (sender, receiver) = queue::queue(capacity);
        feeds.add(Feed::new(feed, sender, self.gauges.dropped.clone(), self.spec.filter.clone(), false));
        let stop = CancellationToken::new();
        let task = Task {
            n: self.n,
            spec: self.spec.clone(),
            gauges: self.gauges.clone(),
            around: around.clone(),
            stop: stop.clone(),
            feed: receiver,
            flaps: Flaps::default(),
            wait: BackOff::default(),
        };
        self.running = Some(Running { feed, stop, task: tokio::spawn(run(task)) });
    }

    /// Stops it: what is queued is still sent, within `grace`.
    pub async fn stop(&mut self, feeds: &Feeds, grace: Duration) {
        self.stop_unless(feeds, tokio::time::sleep(grace)).await;
    }

    /// Stops it: what is queued is still sent, unless `hurry` is done before.
    pub async fn stop_unless(&mut self, feeds: &Feeds, hurry: impl Future<Output = ()>) {
        let Some(running) = self.running.take() else { return };
        feeds.remove(running.feed);
        let mut task = running.task;
        let in_time = tokio::select! {
            _ended = &mut task => true,
            () = hurry => false,
        };
        if !in_time {
            running.stop.cancel();
            if tokio::time::timeout(Duration::from_millis(500), &mut task).await.is_err() {
                task.abort();
            }
        }
        self.gauges.status(|s| {
            if s.link != Link::Failed {
                s.link = Link::Closed;
            }
            s.at.clear();
            s.load = None;
            s.retry_at = None;
        });
    }

    /// Runs, or was stopped.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// How it stands.
    pub fn status(&self) -> Status {
        self.gauges.status.borrow().clone()
    }

    /// Hears of every change of how it stands.
    pub fn watch(&self) -> watch::Receiver<Status> {
        self.gauges.status.subscribe()
    }

    /// Sentences lost so far.
    pub fn dropped(&self) -> u64 {
        self.gauges.dropped.load(Ordering::Relaxed)
    }

    /// Its row, with its clients when they are looked at.
    pub fn row(&self, now: Wall, clients: bool) -> OutputRow {
        let g = &self.gauges;
        let status = self.status();
        let bytes = g.bytes.load(Ordering::Relaxed);
        let rate = g.rate.lock().unwrap_or_else(PoisonError::into_inner).over(now, bytes);
        let client = |c: &Arc<Client>| {
            let oldest = c.oldest.load(Ordering::Relaxed).cast_signed();
            ClientRow {
                address: c.address.clone(),
                sentences: c.sentences.load(Ordering::Relaxed),
                queue: c.queue.load(Ordering::Relaxed),
                dropped: c.dropped.load(Ordering::Relaxed),
                late: (oldest > 0).then(|| (now - oldest).max(0)),
            }
        };
        OutputRow {
            n: self.n,
            spec: self.spec.to_string(),
            kind: self.spec.way.short().into(),
            state: status.link,
            at: status.at,
            sentences: g.sentences.load(Ordering::Relaxed),
            bytes,
            rate,
            queue: g.queue.load(Ordering::Relaxed),
            dropped: self.dropped(),
            load: status.load,
            retry: status.retry_at.map(|at| (at - now).max(0)),
            replies: g.replies.load(Ordering::Relaxed),
            last_error: status.last_error,
            client_count: g.client_count.load(Ordering::Relaxed),
            clients: if clients { g.clients().iter().take(CLIENT_ROWS).map(client).collect() } else { Vec::new() },
        }
    }
}

/// Does work that blocks for as long as an output lives, on a thread of its own; done when the work is.
async fn on_a_thread(name: &str, work: impl FnOnce() + Send + 'static) {
    let (done, ended) = tokio::sync::oneshot::channel::<()>();
    let thread = std::thread::Builder::new().name(name.into()).spawn(move || {
        let _done = done; // dropped when the work is done, also when it panics
        work();
    });
    if let Err(error) = thread {
        tracing::error!("no thread for {name}: {error}");
    }
    // An error is how a dropped sender shows: the work is done.
    let _done = ended.await;
}

async fn run(mut task: Task) {
    match task.spec.way.clone() {
        Way::TcpServer { address, port } => tcp_server::run(&mut task, (address, port).into()).await,
        Way::Stdout => stdout::run(task).await,
        Way::File { .. } | Way::Log { .. } => files::run(task).await,
        Way::TcpClient { host, port } => tcp_client::run(&mut task, &host, port).await,
        Way::Udp { .. } | Way::UdpBroadcast { .. } | Way::UdpMulticast { .. } => udp::run(&mut task).await,
        Way::Websocket { address, port } => websocket::run(&mut task, (address, port).into()).await,
        Way::Serial(settings) => serial::run(&mut task, &settings).await,
        Way::Pty { link } => pty::run(&mut task, link.as_deref()).await,
    }
}

#[cfg(test)]
mod tests;

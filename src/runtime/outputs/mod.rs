//! Outputs: each is a task (or a thread) of its own that filters, encodes and sends, and heals by itself.
//!
//! Here one is started, stopped and shown; what all tasks share is in `task`, what they count in `gauges`.

pub mod budget;
pub mod encode;
pub mod files;
pub mod gauges;
pub mod pty;
pub mod serial;
pub mod stdout;
pub mod stream;
pub mod task;
pub mod tcp_client;
pub mod tcp_server;
pub mod udp;
pub mod ways;
pub mod websocket;

use std::future::Future;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::clock::Clock;
use super::events::Events;
use super::hub::{self, Feed, Feeds};
use super::queue;
use super::recorder::Protected;
use super::session::snapshot::{ClientRow, Link, OutputRow};
use crate::core::output::{OutputSpec, Way};
use crate::core::time::{SECOND, Wall};

pub use gauges::{Client, Gauges, Status};
pub use task::Task;

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
        let task = Task::new(self.n, self.spec.clone(), self.gauges.clone(), around.clone(), stop.clone(), receiver);
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

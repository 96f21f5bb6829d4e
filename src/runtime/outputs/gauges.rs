//! What an output and its clients count, and how they stand: written by the output's task, read by the session.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use super::Surroundings;
use crate::core::time::{SECOND, Wall};
use crate::runtime::healing::Often;
use crate::runtime::session::snapshot::Link;

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
    pub(super) clients: Mutex<Vec<Arc<Client>>>,
    pub(super) status: watch::Sender<Status>,
    pub(super) rate: Mutex<Rate>,
    often: Mutex<Often>,
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
pub(super) struct Rate(VecDeque<(Wall, u64)>);

impl Rate {
    pub(super) fn over(&mut self, now: Wall, total: u64) -> f64 {
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
    pub(super) fn new() -> Gauges {
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
            often: Mutex::default(),
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

    pub(super) fn clients(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Client>>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Warns of what may happen again and again, so that it is no flood; whether it was told.
    pub fn warn_often(&self, around: &Surroundings, text: &str) -> bool {
        let end = self.often.lock().unwrap_or_else(PoisonError::into_inner).tell(around.clock.wall());
        if let Some(end) = end {
            around.events.warning(format!("{text}{end}"));
        }
        end.is_some()
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

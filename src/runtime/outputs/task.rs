//! What every output's task has: its queue, its counters, and how trouble is told once.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio_util::sync::CancellationToken;

use super::{Gauges, Surroundings, encode};
use crate::core::output::OutputSpec;
use crate::core::time::Wall;
use crate::runtime::healing::{BackOff, Flaps, Lost, NO_MORE, Opened};
use crate::runtime::hub::{self, Parcel};
use crate::runtime::queue;
use crate::runtime::session::snapshot::Link;

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
    pub(super) feed: queue::Receiver<Parcel>,
    flaps: Flaps,
    wait: BackOff,
}

impl Task {
    /// A task that takes from `feed` until that ends, or `stop` is called.
    pub(super) fn new(
        n: u16,
        spec: OutputSpec,
        gauges: Arc<Gauges>,
        around: Surroundings,
        stop: CancellationToken,
        feed: queue::Receiver<Parcel>,
    ) -> Task {
        Task { n, spec, gauges, around, stop, feed, flaps: Flaps::default(), wait: BackOff::default() }
    }

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
        self.discard_until(tokio::time::sleep(wait)).await?;
        // Now it is tried, and that may take a while.
        self.gauges.status(|s| s.retry_at = None);
        Some(())
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
    pub(super) fn settle(&mut self) {
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

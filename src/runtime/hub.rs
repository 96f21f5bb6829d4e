//! The hub: takes batches from the one source and gives each of them to every consumer.
//!
//! Decodes nothing. At a finite speed it waits for nobody: a consumer whose queue is full loses whole sentences, counted.
//! At max it waits for room in every queue, and gives up waiting when the generation changes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, watch};

use super::queue::{self, Refused, Weigh};
use crate::core::filter::Filter;
use crate::core::frame::{Batch, Frame, Origin};

/// Room in the queue between a source and the hub, in batches: little, so that a seek is heard at once.
pub const ROOM: usize = 4;
/// Bytes that wait for an output that a person or a network reads.
pub const NET_QUEUE: usize = 1 << 20;
/// Bytes that wait for a file, a log, standard output or the recorder.
pub const FILE_QUEUE: usize = 8 << 20;

/// A batch on its way from a source to the hub.
#[derive(Clone, Debug)]
pub struct Told {
    /// The batch.
    pub batch: Arc<Batch>,
    /// Goes to outputs and recorder, not only to the list.
    pub emit: bool,
    /// Wait for room (the source runs at max).
    pub patient: bool,
}

/// A batch on its way from the hub to a consumer.
#[derive(Clone, Debug)]
pub struct Parcel {
    /// The batch.
    pub batch: Arc<Batch>,
    /// Wait for room further down as well.
    pub patient: bool,
    /// Sentences that this consumer's queue had no room for since the parcel before.
    pub lost_before: u64,
    weight: usize,
}

impl Parcel {
    /// A parcel, weighed once for all consumers.
    pub fn new(batch: Arc<Batch>, patient: bool) -> Parcel {
        let weight = batch.frames.iter().map(|f| f.bytes.len() + 64).sum::<usize>() + 64;
        Parcel { batch, patient, lost_before: 0, weight }
    }
}

impl Weigh for Parcel {
    fn weight(&self) -> usize {
        self.weight
    }
}

/// The hub's end of one consumer.
pub struct Feed {
    /// Names it, to take it away again.
    pub id: u64,
    /// Its queue.
    pub queue: queue::Sender<Parcel>,
    /// Sentences that the queue had no room for.
    pub dropped: Arc<AtomicU64>,
    /// Which sentences would have been for it: others are not counted as lost.
    pub filter: Filter,
    /// Takes bad lines of a live feed as well (the recorder).
    pub everything: bool,
    lost: AtomicU64,
}

impl Feed {
    /// A consumer with an empty queue.
    pub fn new(
        id: u64,
        queue: queue::Sender<Parcel>,
        dropped: Arc<AtomicU64>,
        filter: Filter,
        everything: bool,
    ) -> Feed {
        Feed { id, queue, dropped, filter, everything, lost: AtomicU64::new(0) }
    }
}

/// Says which sentences are for the outputs.
pub type Sieve = Box<dyn FnMut(&Frame) -> bool + Send>;

/// The consumers, shared between the hub and whoever adds and removes them.
#[derive(Clone, Default)]
pub struct Feeds {
    all: Arc<Mutex<Vec<Arc<Feed>>>>,
    only: Arc<Mutex<Option<Sieve>>>,
}

impl Feeds {
    /// From the next batch on it gets everything.
    pub fn add(&self, feed: Feed) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::new(feed));
    }

    /// From the next batch on it gets nothing; its queue ends once it is empty.
    pub fn remove(&self, id: u64) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).retain(|f| f.id != id);
    }

    /// All of them go.
    pub fn clear(&self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn all(&self) -> Vec<Arc<Feed>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From the next batch on only these are for the outputs; `None`: all. Whoever takes everything takes the others too.
    pub fn send_only(&self, sieve: Option<Sieve>) {
        *self.only.lock().unwrap_or_else(PoisonError::into_inner) = sieve;
    }

    /// What of a batch is for the outputs.
    fn sifted(&self, batch: &Arc<Batch>) -> Option<Arc<Batch>> {
        let mut only = self.only.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sieve) = only.as_mut() else { return Some(batch.clone()) };
        let frames: Vec<Frame> = batch.frames.iter().filter(|frame| sieve(frame)).cloned().collect();
        match frames.len() {
            0 => None,
            n if n == batch.frames.len() => Some(batch.clone()),
            _ => Some(Arc::new(Batch { frames, vessel: batch.vessel.clone(), ..**batch })),
        }
    }
}

/// Whether a frame is passed on to outputs: sentences, and what a fault of the simulation spoiled on purpose.
pub fn is_forwarded(frame: &Frame) -> bool {
    frame.class.is_sentence() || (frame.origin == Origin::Source && frame.place.is_none() && frame.class.is_skip())
}

/// Whether an output with this filter sends a frame. Only what the program itself made has an id (`MWV-R`).
pub fn passes(filter: &Filter, frame: &Frame) -> bool {
    is_forwarded(frame)
        && (filter.is_empty() || filter.passes(frame.text(), frame.place.is_none() && frame.origin == Origin::Source))
}

/// Passes batches on until the source is gone. `seen` is called with each of them, after the consumers have it.
pub async fn run(
    mut batches: mpsc::Receiver<Told>,
    feeds: Feeds,
    mut generation: watch::Receiver<u32>,
    mut seen: impl FnMut(&Told) + Send,
) {
    while let Some(told) = batches.recv().await {
        if is_old(told.batch.generation, *generation.borrow_and_update()) {
            continue;
        }
        if told.emit {
            let whole = Parcel::new(told.batch.clone(), told.patient);
            let chosen = match feeds.sifted(&told.batch) {
                Some(batch) if Arc::ptr_eq(&batch, &told.batch) => Some(whole.clone()),
                sifted => sifted.map(|batch| Parcel::new(batch, told.patient)),
            };
            for feed in feeds.all() {
                let parcel = if feed.everything { Some(&whole) } else { chosen.as_ref() };
                if let Some(parcel) = parcel {
                    give(&feed, parcel.clone(), &mut generation).await;
                }
            }
        }
        seen(&told);
    }
}

/// A batch of this generation was made before the present one began.
pub fn is_old(of: u32, now: u32) -> bool {
    now.wrapping_sub(of).cast_signed() > 0
}

async fn give(feed: &Feed, mut parcel: Parcel, generation: &mut watch::Receiver<u32>) {
    parcel.lost_before = feed.lost.load(Ordering::Relaxed);
    let parcel = match feed.queue.try_push(parcel) {
        Ok(()) => return feed.lost.store(0, Ordering::Relaxed),
        Err(Refused::Closed(_)) => return,
        Err(Refused::Full(parcel)) => parcel,
    };
    if !parcel.patient {
        let lost = parcel.batch.frames.iter().filter(|f| feed.everything || passes(&feed.filter, f)).count();
        feed.dropped.fetch_add(lost as u64, Ordering::Relaxed);
        feed.lost.fetch_add(lost as u64, Ordering::Relaxed);
        return;
    }
    let of = parcel.batch.generation;
    let moved = async {
        loop {
            if generation.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
            if is_old(of, *generation.borrow()) {
                return;
            }
        }
    };
    tokio::select! { biased;
        () = moved => {}
        pushed = feed.queue.push(parcel) => if pushed.is_ok() { feed.lost.store(0, Ordering::Relaxed) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::frame::Class;
    use crate::core::vessel::Vessel;
    use bytes::Bytes;
    use std::time::Duration;

    fn batch(generation: u32, texts: &[&str]) -> Arc<Batch> {
        let frames = texts.iter().zip(0..).map(|(t, i)| Frame::sentence(i, 0, Bytes::from(t.to_string()))).collect();
        Arc::new(Batch { generation, sent: 0, source_utc: None, frames, vessel: Arc::new(Vessel::default()) })
    }

    fn told(generation: u32, texts: &[&str], patient: bool) -> Told {
        Told { batch: batch(generation, texts), emit: true, patient }
    }

    struct Bench {
        tx: mpsc::Sender<Told>,
        generation: watch::Sender<u32>,
        feeds: Feeds,
    }

    fn bench() -> Bench {
        let (tx, rx) = mpsc::channel(ROOM);
        let (generation, heard) = watch::channel(0);
        let feeds = Feeds::default();
        tokio::spawn(run(rx, feeds.clone(), heard, |_| {}));
        Bench { tx, generation, feeds }
    }

    fn feed(bench: &Bench, id: u64, capacity: usize, filter: &str) -> (queue::Receiver<Parcel>, Arc<AtomicU64>) {
        let (queue, rx) = queue::queue(capacity);
        let dropped = Arc::new(AtomicU64::new(0));
        let filter = Filter::new(filter).unwrap();
        bench.feeds.add(Feed::new(id, queue, dropped.clone(), filter, false));
        (rx, dropped)
    }

    #[tokio::test]
    async fn a_full_queue_loses_whole_sentences_for_itself_alone() {
        let b = bench();
        let (mut slow, lost) = feed(&b, 1, 100, "RMC");
        let (mut quick, none_lost) = feed(&b, 2, 1 << 20, "");
        for _ in 0..3 {
            b.tx.send(told(0, &["$GPRMC,1*00", "$GPGGA,2*00"], false)).await.unwrap();
        }
        drop(b.tx);
        for _ in 0..3 {
            assert!(quick.recv().await.is_some());
        }
        b.feeds.clear();
        assert!(slow.recv().await.is_some());
        assert!(slow.recv().await.is_none());
        // Two batches did not fit; of each only the RMC would have been for this consumer.
        assert_eq!(lost.load(Ordering::Relaxed), 2);
        assert_eq!(none_lost.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn with_a_sieve_outputs_get_only_what_it_lets_through_and_the_recorder_everything() {
        let b = bench();
        let (mut output, lost) = feed(&b, 1, 1 << 20, "");
        let (queue, mut recorder) = queue::queue(1 << 20);
        b.feeds.add(Feed::new(2, queue, Arc::default(), Filter::default(), true));
        b.feeds.send_only(Some(Box::new(|frame| frame.text().starts_with(b"$GPRMC"))));
        b.tx.send(told(0, &["$GPGGA,1*00", "$GPRMC,2*00"], false)).await.unwrap();
        b.tx.send(told(0, &["$GPGGA,3*00"], false)).await.unwrap(); // nothing for the output
        b.tx.send(told(0, &["$GPRMC,4*00"], false)).await.unwrap();
        for _ in 0..3 {
            recorder.recv().await.unwrap();
        }
        b.feeds.send_only(None);
        b.tx.send(told(0, &["$GPGGA,5*00"], false)).await.unwrap();
        let mut texts = Vec::new();
        for _ in 0..3 {
            let parcel = output.recv().await.unwrap();
            texts.extend(parcel.batch.frames.iter().map(|f| String::from_utf8_lossy(&f.bytes).into_owned()));
        }
        assert_eq!(texts, ["$GPRMC,2*00", "$GPRMC,4*00", "$GPGGA,5*00"]);
        assert_eq!(lost.load(Ordering::Relaxed), 0, "what is not wanted is not lost");
        assert_eq!(recorder.recv().await.unwrap().batch.frames.len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn at_max_the_source_waits_and_nothing_is_lost() {
        let b = bench();
        let (mut slow, lost) = feed(&b, 1, 100, "");
        let sender = tokio::spawn(async move {
            for i in 0..20 {
                b.tx.send(told(0, &[&format!("$GPRMC,{i}*00")], true)).await.unwrap();
            }
            b.feeds
        });
        let mut seen = 0;
        while seen < 20 {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let parcel = slow.recv().await.unwrap();
            assert_eq!(&parcel.batch.frames[0].bytes[..], format!("$GPRMC,{seen}*00").as_bytes());
            seen += 1;
        }
        sender.await.unwrap().clear();
        assert_eq!(lost.load(Ordering::Relaxed), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_move_ends_the_wait_for_a_consumer_that_is_stuck() {
        let b = bench();
        let (mut stuck, _) = feed(&b, 1, 100, "");
        b.tx.send(told(0, &["$GPRMC,1*00"], true)).await.unwrap();
        b.tx.send(told(0, &["$GPRMC,2*00"], true)).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        b.generation.send(1).unwrap();
        b.tx.send(told(0, &["$GPRMC,3*00"], true)).await.unwrap(); // made before the move
        b.tx.send(told(1, &["$GPRMC,4*00"], true)).await.unwrap();
        let mut texts = Vec::new();
        for _ in 0..2 {
            texts.push(stuck.recv().await.unwrap().batch.frames[0].bytes.clone());
        }
        assert_eq!(texts, ["$GPRMC,1*00", "$GPRMC,4*00"]);
    }

    #[test]
    fn bad_lines_of_a_feed_are_not_forwarded_but_spoiled_ones_are() {
        let mut frame = Frame::sentence(0, 0, Bytes::from_static(b"$GPRMC,1*FF"));
        frame.class = Class::BadChecksum;
        assert!(is_forwarded(&frame));
        frame.origin = Origin::Input(0);
        assert!(!is_forwarded(&frame));
    }

    #[test]
    fn generations_go_round() {
        assert!(is_old(0, 1) && !is_old(1, 1) && !is_old(2, 1));
        assert!(is_old(u32::MAX, 0) && !is_old(0, u32::MAX));
    }
}

//! A queue bounded by bytes, between one producer and one consumer, either of which may be a task or a thread.
//!
//! Knows nothing of what it carries but its weight. Never grows beyond its capacity, save by one item that is larger
//! than all of it.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

/// What can be weighed.
pub trait Weigh {
    /// Bytes it occupies while it waits.
    fn weight(&self) -> usize;
}

struct State<T> {
    items: VecDeque<T>,
    bytes: usize,
    no_sender: bool,
    no_receiver: bool,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    capacity: usize,
    came: Notify,
    came_blocking: Condvar,
    went: Notify,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end that puts in.
pub struct Sender<T>(Arc<Shared<T>>);

/// The end that takes out.
pub struct Receiver<T>(Arc<Shared<T>>);

/// Why an item was not taken. It comes back.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused<T> {
    /// No room.
    Full(T),
    /// Nobody will take it out.
    Closed(T),
}

/// What came of waiting.
#[derive(Debug, PartialEq, Eq)]
pub enum Taken<T> {
    /// An item.
    Item(T),
    /// Nothing came in time.
    Nothing,
    /// Nothing will come any more.
    Closed,
}

/// A queue that holds so many bytes.
pub fn queue<T: Weigh>(capacity: usize) -> (Sender<T>, Receiver<T>) {
    let state = State { items: VecDeque::new(), bytes: 0, no_sender: false, no_receiver: false };
    let shared = Arc::new(Shared {
        state: Mutex::new(state),
        capacity,
        came: Notify::new(),
        came_blocking: Condvar::new(),
        went: Notify::new(),
    });
    (Sender(shared.clone()), Receiver(shared))
}

impl<T: Weigh> Sender<T> {
    /// Puts an item in if there is room for it.
    ///
    /// # Errors
    /// The item, and why it was not taken.
    pub fn try_push(&self, item: T) -> Result<(), Refused<T>> {
        let mut state = self.0.lock();
        if state.no_receiver {
            return Err(Refused::Closed(item));
        }
        let weight = item.weight();
        if !state.items.is_empty() && state.bytes + weight > self.0.capacity {
            return Err(Refused::Full(item));
        }
        state.bytes += weight;
        state.items.push_back(item);
        drop(state);
        self.0.came.notify_one();
        self.0.came_blocking.notify_one();
        Ok(())
    }

    /// Waits for room. Dropped before it is done, it has put nothing in.
    ///
    /// # Errors
    /// The item, when nobody will take it out.
    pub async fn push(&self, item: T) -> Result<(), T> {
        let mut item = item;
        loop {
            match self.try_push(item) {
                Ok(()) => return Ok(()),
                Err(Refused::Closed(back)) => return Err(back),
                Err(Refused::Full(back)) => item = back,
            }
            self.0.went.notified().await;
        }
    }

    /// Bytes waiting.
    pub fn bytes(&self) -> usize {
        self.0.lock().bytes
    }

    /// Nobody will take anything out.
    pub fn is_closed(&self) -> bool {
        self.0.lock().no_receiver
    }
}

impl<T: Weigh> Receiver<T> {
    /// The next item; `None` when there is none and nobody will put one in.
    pub async fn recv(&mut self) -> Option<T> {
        loop {
            match self.try_recv() {
                Taken::Item(item) => return Some(item),
                Taken::Closed => return None,
                Taken::Nothing => self.0.came.notified().await,
            }
        }
    }

    /// The next item, if it is there.
    pub fn try_recv(&mut self) -> Taken<T> {
        let mut state = self.0.lock();
        self.take(&mut state)
    }

    /// Waits on this thread, at most so long.
    pub fn recv_timeout(&mut self, wait: Duration) -> Taken<T> {
        let state = self.0.lock();
        let nothing = |s: &mut State<T>| s.items.is_empty() && !s.no_sender;
        let (mut state, _) =
            self.0.came_blocking.wait_timeout_while(state, wait, nothing).unwrap_or_else(PoisonError::into_inner);
        self.take(&mut state)
    }

    /// Bytes waiting.
    pub fn bytes(&self) -> usize {
        self.0.lock().bytes
    }

    /// Nobody will put anything in any more; what is there can still be taken out.
    pub fn is_ending(&self) -> bool {
        self.0.lock().no_sender
    }

    fn take(&self, state: &mut State<T>) -> Taken<T> {
        match state.items.pop_front() {
            Some(item) => {
                state.bytes -= item.weight();
                if state.items.is_empty() && state.items.capacity() > 64 {
                    state.items = VecDeque::new();
                }
                self.0.went.notify_one();
                Taken::Item(item)
            }
            None if state.no_sender => Taken::Closed,
            None => Taken::Nothing,
        }
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.0.lock().no_sender = true;
        self.0.came.notify_one();
        self.0.came_blocking.notify_all();
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.no_receiver = true;
        state.items.clear();
        state.bytes = 0;
        drop(state);
        self.0.went.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Eq)]
    struct Load(usize);

    impl Weigh for Load {
        fn weight(&self) -> usize {
            self.0
        }
    }

    #[test]
    fn full_means_no_room_for_this_one() {
        let (tx, mut rx) = queue(100);
        assert_eq!(tx.try_push(Load(60)), Ok(()));
        assert_eq!(tx.try_push(Load(41)), Err(Refused::Full(Load(41))));
        assert_eq!(tx.try_push(Load(40)), Ok(()));
        assert_eq!(tx.bytes(), 100);
        assert_eq!(rx.try_recv(), Taken::Item(Load(60)));
        assert_eq!(tx.try_push(Load(41)), Ok(()));
    }

    #[test]
    fn an_item_larger_than_everything_passes_alone() {
        let (tx, mut rx) = queue(10);
        assert_eq!(tx.try_push(Load(50)), Ok(()));
        assert_eq!(tx.try_push(Load(1)), Err(Refused::Full(Load(1))));
        assert_eq!(rx.try_recv(), Taken::Item(Load(50)));
        assert_eq!(rx.try_recv(), Taken::Nothing);
    }

    #[test]
    fn what_was_put_in_comes_out_after_the_sender_is_gone() {
        let (tx, mut rx) = queue(10);
        assert_eq!(tx.try_push(Load(5)), Ok(()));
        drop(tx);
        assert_eq!(rx.try_recv(), Taken::Item(Load(5)));
        assert_eq!(rx.try_recv(), Taken::Closed);
    }

    #[test]
    fn nobody_takes_out_and_the_sender_is_told() {
        let (tx, rx) = queue(10);
        drop(rx);
        assert!(tx.is_closed());
        assert_eq!(tx.try_push(Load(5)), Err(Refused::Closed(Load(5))));
    }

    #[tokio::test]
    async fn a_task_waits_for_room_until_a_thread_makes_some() {
        let (tx, mut rx) = queue(10);
        tx.push(Load(10)).await.unwrap();
        let reader = std::thread::spawn(move || {
            let mut seen = Vec::new();
            while let Taken::Item(Load(n)) = rx.recv_timeout(Duration::from_secs(10)) {
                seen.push(n);
            }
            seen
        });
        tx.push(Load(7)).await.unwrap();
        tx.push(Load(8)).await.unwrap();
        drop(tx);
        assert_eq!(reader.join().unwrap(), [10, 7, 8]);
    }

    #[tokio::test]
    async fn waiting_for_room_ends_when_the_receiver_goes() {
        let (tx, rx) = queue(10);
        tx.push(Load(10)).await.unwrap();
        let waiting = tokio::spawn(async move { tx.push(Load(1)).await });
        tokio::task::yield_now().await;
        drop(rx);
        assert_eq!(waiting.await.unwrap(), Err(Load(1)));
    }
}

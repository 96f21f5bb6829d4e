//! What happened, in words: a bounded list that the screen shows, and the program's own log.
//!
//! The list never grows beyond [`MOST`]; nothing is written to the terminal from here.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::clock::Clock;
use super::session::snapshot::{Event, Level};

/// So many events are kept; older ones go.
pub const MOST: usize = 1000;
/// What these events are called in the program's log.
pub const TARGET: &str = "nmeasimx::event";

/// The list of events. Clones share it.
#[derive(Clone)]
pub struct Events {
    list: Arc<Mutex<VecDeque<Event>>>,
    count: Arc<AtomicU64>,
    clock: Clock,
}

impl Events {
    /// An empty list.
    pub fn new(clock: Clock) -> Events {
        Events { list: Arc::default(), count: Arc::default(), clock }
    }

    /// As it should be.
    pub fn info(&self, text: impl Into<String>) {
        self.add(Level::Info, text.into());
    }

    /// Somebody should look at it.
    pub fn warning(&self, text: impl Into<String>) {
        self.add(Level::Warning, text.into());
    }

    /// Something is lost.
    pub fn error(&self, text: impl Into<String>) {
        self.add(Level::Error, text.into());
    }

    /// Adds an event. Its text becomes visible text of at most 500 characters.
    pub fn add(&self, level: Level, text: String) {
        let text = self.push(level, &text);
        match level {
            Level::Info => tracing::info!(target: TARGET, "{text}"),
            Level::Warning => tracing::warn!(target: TARGET, "{text}"),
            Level::Error => tracing::error!(target: TARGET, "{text}"),
        }
    }

    /// Adds an event that the program's log has already.
    pub fn push(&self, level: Level, text: &str) -> String {
        let text: String = crate::core::visible::text(text.as_bytes()).chars().take(500).collect();
        let mut list = self.lock();
        if list.len() == MOST {
            list.pop_front();
        }
        list.push_back(Event { at: self.clock.utc(), level, text: text.clone() });
        self.count.fetch_add(1, Ordering::Relaxed);
        text
    }

    /// The newest `n`, oldest first.
    pub fn newest(&self, n: usize) -> Vec<Event> {
        let list = self.lock();
        list.iter().skip(list.len().saturating_sub(n)).cloned().collect()
    }

    /// How many there have been; what was seen up to a count need not be looked at again.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Event>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A layer of `tracing` that brings warnings and errors of libraries and tasks into the list.
pub struct EventLayer(pub Events);

impl<S: tracing::Subscriber> tracing_subscriber::Layer<S> for EventLayer {
    fn on_event(&self, event: &tracing::Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        let level = match *event.metadata().level() {
            tracing::Level::ERROR => Level::Error,
            tracing::Level::WARN => Level::Warning,
            _ => return,
        };
        if event.metadata().target() == TARGET {
            return;
        }
        let mut message = Message(String::new());
        event.record(&mut message);
        self.0.push(level, &message.0);
    }
}

struct Message(String);

impl tracing::field::Visit for Message {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_bounded_and_its_text_is_visible() {
        let events = Events::new(Clock::starting_at(0));
        for i in 0..MOST + 5 {
            events.info(format!("event {i}\x1b[2J"));
        }
        assert_eq!(events.count(), MOST as u64 + 5);
        let all = events.newest(usize::MAX);
        assert_eq!(all.len(), MOST);
        assert_eq!(all[0].text, "event 5^[[2J");
        assert_eq!(events.newest(1)[0].text, format!("event {}^[[2J", MOST + 4));
    }
}

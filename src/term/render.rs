//! The thread that writes frames: one mailbox for one frame, newest wins, and nobody ever waits for the terminal.
//!
//! A frame leaves in one write where the terminal takes it. While it takes nothing, frames are replaced in the mailbox
//! and only this thread waits. Must not know what is in a frame.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::backend::{Frame, Screen};
use super::capabilities::Capabilities;
use super::clock;
use super::encode;
use super::guard;
use super::pace::Pace;
use super::tty::{Ready, Tty};

/// How long one wait for a stalled terminal lasts before the thread looks at its orders again.
const STALL: Duration = Duration::from_millis(100);
/// How long the rest of a frame may take when the thread is to stop or to hold.
const LAST: i64 = 300 * crate::core::time::MILLISECOND;

/// What the thread has done so far (`:stats`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Frames written.
    pub frames: u64,
    /// Frames that looked like the one before and cost nothing.
    pub unchanged: u64,
    /// Frames replaced by a newer one before they were written.
    pub replaced: u64,
    /// Bytes written.
    pub bytes: u64,
    /// Times the thread woke up.
    pub wake_ups: u64,
    /// Frames that took the terminal longer than half the interval.
    pub slow: u64,
    /// The terminal takes nothing at the moment.
    pub stalled: bool,
    /// Nanoseconds between two frames now.
    pub interval: i64,
}

#[derive(Debug, Default)]
struct Slot {
    frame: Option<Frame>,
    /// Of a frame that is done with, for the next one: a buffer for each frame would break the heap into pieces.
    spare: Option<Buffer>,
    /// For the clipboard of the terminal, with the next frame.
    clipboard: Option<String>,
    redraw: bool,
    order: Order,
    /// The thread stands still, as ordered.
    still: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    #[default]
    Draw,
    Hold,
    Stop,
}

#[derive(Debug, Default)]
struct Shared {
    slot: Mutex<Slot>,
    changed: Condvar,
    frames: AtomicU64,
    unchanged: AtomicU64,
    replaced: AtomicU64,
    bytes: AtomicU64,
    wake_ups: AtomicU64,
    slow: AtomicU64,
    stalled: AtomicBool,
    interval: AtomicI64,
    ended: AtomicBool,
}

impl Shared {
    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn order(&self) -> Order {
        self.slot().order
    }
}

/// The hand that gives frames to the thread.
#[derive(Debug)]
pub struct Renderer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Renderer {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn start(tty: Arc<Tty>, capabilities: &Capabilities) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let mut writer = Writer {
            tty,
            shared: Arc::clone(&shared),
            screen: Screen::new(capabilities),
            pace: Pace::new(capabilities.frame_rate),
            last: Frame::default(),
            clipboard: None,
            out: Vec::with_capacity(16 * 1024),
        };
        shared.interval.store(writer.pace.interval(), Ordering::Relaxed);
        let thread = thread::Builder::new().name("render".into()).spawn(move || {
            guard::this_thread_draws();
            let ended = Ended(Arc::clone(&writer.shared));
            writer.run();
            drop(ended);
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Puts a frame into the mailbox, in place of one that still lies there.
    pub fn draw(&self, frame: Frame) {
        let mut slot = self.shared.slot();
        if let Some(old) = slot.frame.replace(frame) {
            slot.spare = Some(old.buffer);
            self.shared.replaced.fetch_add(1, Ordering::Relaxed);
        }
        drop(slot);
        self.shared.changed.notify_all();
    }

    /// An empty buffer of that size, one that was drawn before where there is one.
    pub fn blank(&self, area: Rect) -> Buffer {
        let spare = self.shared.slot().spare.take();
        let Some(mut buffer) = spare else { return Buffer::empty(area) };
        buffer.resize(area);
        buffer.reset();
        buffer
    }

    /// The mailbox is empty: a frame made now is not made in vain.
    pub fn wants_frame(&self) -> bool {
        self.shared.slot().frame.is_none()
    }

    /// Offers a text to the clipboard of the terminal (OSC 52) with the next frame. Terminals that do not know it, or
    /// forbid it, pass over it in silence.
    pub fn copy(&self, text: &str) {
        self.shared.slot().clipboard = Some(text.to_owned());
    }

    /// Draws the last frame again, whole, after clearing the screen.
    pub fn redraw(&self) {
        self.shared.slot().redraw = true;
        self.shared.changed.notify_all();
    }

    /// Time between two frames now: longer while the terminal is slow.
    pub fn interval(&self) -> Duration {
        clock::span(self.shared.interval.load(Ordering::Relaxed))
    }

    /// The thread still runs. It ends by itself when the terminal is gone, or by a panic.
    pub fn is_alive(&self) -> bool {
        !self.shared.ended.load(Ordering::SeqCst)
    }

    /// What it has done so far.
    pub fn stats(&self) -> Stats {
        let s = &self.shared;
        Stats {
            frames: s.frames.load(Ordering::Relaxed),
            unchanged: s.unchanged.load(Ordering::Relaxed),
            replaced: s.replaced.load(Ordering::Relaxed),
            bytes: s.bytes.load(Ordering::Relaxed),
            wake_ups: s.wake_ups.load(Ordering::Relaxed),
            slow: s.slow.load(Ordering::Relaxed),
            stalled: s.stalled.load(Ordering::Relaxed),
            interval: s.interval.load(Ordering::Relaxed),
        }
    }

    /// Stops writing until [`Renderer::release`]. Returns when the thread stands still, after 0.6 s at most.
    pub fn hold(&self) {
        self.shared.slot().order = Order::Hold;
        self.shared.changed.notify_all();
        let deadline = clock::now() + 2 * LAST;
        let mut slot = self.shared.slot();
        while !slot.still && self.is_alive() {
            let left = deadline - clock::now();
            if left <= 0 {
                return;
            }
            slot = self.shared.changed.wait_timeout(slot, clock::span(left)).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Goes on after [`Renderer::hold`], with everything drawn anew.
    pub fn release(&self) {
        let mut slot = self.shared.slot();
        slot.order = Order::Draw;
        slot.redraw = true;
        drop(slot);
        self.shared.changed.notify_all();
    }

    /// Ends the thread: a frame half written is finished if the terminal takes it soon, anything else is dropped.
    pub fn stop(&mut self) {
        self.shared.slot().order = Order::Stop;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // a panic has been reported by the hook
            let _ = thread.join();
        }
    }
}

impl Drop for Renderer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Tells the others that the thread ended, by whichever way.
struct Ended(Arc<Shared>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.ended.store(true, Ordering::SeqCst);
        self.0.changed.notify_all();
    }
}

struct Writer {
    tty: Arc<Tty>,
    shared: Arc<Shared>,
    screen: Screen,
    pace: Pace,
    last: Frame,
    clipboard: Option<String>,
    out: Vec<u8>,
}

impl Writer {
    fn run(&mut self) {
        while self.next_frame() {
            self.out.clear();
            if let Some(text) = self.clipboard.take() {
                encode::clipboard(&text, &mut self.out);
            }
            self.screen.draw(&self.last, &mut self.out);
            if self.out.is_empty() {
                self.shared.unchanged.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            let begin = clock::now();
            let Some(whole) = self.write(begin) else { return };
            if whole {
                self.shared.frames.fetch_add(1, Ordering::Relaxed);
            } else {
                // broken off by an order: nobody knows what the terminal shows
                self.screen.forget();
            }
            if self.pace.wrote(begin, clock::now()) {
                self.shared.slow.fetch_add(1, Ordering::Relaxed);
            }
            self.shared.interval.store(self.pace.interval(), Ordering::Relaxed);
        }
    }

    /// Waits for a frame and for its time. `false`: stop.
    fn next_frame(&mut self) -> bool {
        let mut slot = self.shared.slot();
        loop {
            let wait = match slot.order {
                Order::Stop => return false,
                Order::Hold => {
                    slot.still = true;
                    self.shared.changed.notify_all();
                    None
                }
                Order::Draw => {
                    slot.still = false;
                    if slot.redraw || slot.frame.is_some() {
                        let left = self.pace.due().saturating_sub(clock::now());
                        if left <= 0 {
                            break;
                        }
                        Some(clock::span(left))
                    } else {
                        None
                    }
                }
            };
            slot = match wait {
                None => self.shared.changed.wait(slot).unwrap_or_else(PoisonError::into_inner),
                Some(time) => self.shared.changed.wait_timeout(slot, time).unwrap_or_else(PoisonError::into_inner).0,
            };
            self.shared.wake_ups.fetch_add(1, Ordering::Relaxed);
        }
        if std::mem::take(&mut slot.redraw) {
            self.screen.forget();
        }
        self.clipboard = slot.clipboard.take().or(self.clipboard.take());
        if let Some(frame) = slot.frame.take() {
            slot.spare = Some(std::mem::replace(&mut self.last, frame).buffer);
        }
        true
    }

    /// Writes the frame. `Some(false)` if an order broke it off, `None` if the terminal is gone.
    fn write(&mut self, begin: i64) -> Option<bool> {
        let mut rest = self.out.as_slice();
        let mut fruitless = false;
        while !rest.is_empty() {
            match self.tty.write_frame(rest) {
                // the screen has been left
                Ok(None) => return Some(false),
                Ok(Some(0)) => return None,
                Ok(Some(n)) => {
                    rest = &rest[n..];
                    fruitless = false;
                    self.shared.bytes.fetch_add(n as u64, Ordering::Relaxed);
                    continue;
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => return None,
            }
            // the terminal takes nothing more: the only place where anybody waits for it
            self.shared.stalled.store(true, Ordering::Relaxed);
            if std::mem::replace(&mut fruitless, true) {
                // room was promised and not given: another process writes there
                thread::sleep(STALL / 4);
            }
            loop {
                let ready = self.tty.wait_for_room(STALL).unwrap_or(Ready { gone: true, ..Ready::default() });
                self.shared.wake_ups.fetch_add(1, Ordering::Relaxed);
                if ready.gone {
                    return None;
                }
                if ready.write {
                    break;
                }
                if self.shared.order() != Order::Draw && clock::now() - begin > LAST {
                    return Some(false);
                }
            }
            self.shared.stalled.store(false, Ordering::Relaxed);
        }
        Some(true)
    }
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;

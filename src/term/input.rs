//! What comes from the terminal and from the system on its behalf, as events of one queue.
//!
//! One thread waits for keys and signals with `poll` and reads only what is there: when the terminal goes away that is one
//! event and the end of the thread, not a loop. It reads nothing while the screen has been left, since a shell may be
//! reading then. Nothing here waits for the screen.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags};
use signal_hook::SigId;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use tokio::sync::mpsc;

use super::clock;
use super::decode::{Decoder, Waiting};
use super::guard;
use super::tty::{Tty, ready, wait};
use crate::core::time::{MILLISECOND, Wall};
use crate::ui::keys::Key;

/// Everything a terminal, or the system on its behalf, tells the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed. Releases never arrive.
    Key(Key),
    /// Text was pasted: one line, no control characters, at most [`PASTE_MAX`] bytes.
    Paste(String),
    /// The terminal has this size now, in cells; zero is possible.
    Resize(Size),
    /// SIGTSTP: give the terminal back and stop (`Terminal::suspend`).
    Suspend,
    /// SIGCONT: the process runs again, and the screen must be entered and drawn anew (`Terminal::resume`).
    Resume,
    /// The terminal is gone. Nothing follows, and the process ends within two seconds.
    Hangup,
    /// One of SIGINT, SIGTERM, SIGHUP, SIGQUIT, by number.
    Signal(i32),
}

/// Size of the terminal in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

/// Longest pasted text that is handed on, in bytes; the rest is dropped.
pub const PASTE_MAX: usize = 4096;

/// Events that may wait in the queue; keys beyond it are dropped, nothing else is.
const QUEUE: usize = 256;
/// How long the rest of a sequence may take to arrive, locally and over a link.
const SEQUENCE: (Wall, Wall) = (50 * MILLISECOND, 150 * MILLISECOND);
/// How long a paste may pause.
const PASTE: Wall = 5_000 * MILLISECOND;
/// Changes of the size within this time are one.
const RESIZE: Wall = 40 * MILLISECOND;
/// How often a process in the background looks whether it has the terminal again.
const DARK: Wall = 250 * MILLISECOND;
/// When a full queue is tried again.
const RETRY: Wall = 50 * MILLISECOND;

const SIGNALS: [i32; 7] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH];

/// The thread that reads.
#[derive(Debug)]
pub struct Reader {
    shared: Arc<Shared>,
    wake: UnixStream,
    handlers: Vec<SigId>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    paused: AtomicBool,
    /// The terminal is the shell's; [`Input::Resume`] is due when it is ours again.
    dark: AtomicBool,
    stop: AtomicBool,
    wake_ups: AtomicU64,
    dropped: AtomicU64,
}

impl Reader {
    /// Starts to read keys from `tty` and to take the signals. From now on none of them ends the process by itself.
    /// `gone` is called when the terminal is gone or SIGHUP came, before anybody is told.
    ///
    /// # Errors
    /// When the system has no thread, no socket or no handler to give.
    pub fn start(tty: Arc<Tty>, over_ssh: bool, gone: fn()) -> io::Result<(Self, mpsc::Receiver<Input>)> {
        let (send, receive) = mpsc::channel(QUEUE);
        let (wake, woken) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        woken.set_nonblocking(true)?;
        let mut handlers = Vec::new();
        let mut flags = Vec::new();
        for signal in SIGNALS {
            let flag = Arc::new(AtomicBool::new(false));
            // the flag first: whoever is woken finds it set
            handlers.push(signal_hook::flag::register(signal, Arc::clone(&flag))?);
            handlers.push(signal_hook::low_level::pipe::register(signal, wake.try_clone()?)?);
            flags.push((signal, flag));
        }
        let shared = Arc::new(Shared::default());
        let size = tty.size();
        let mut listener = Listener {
            tty,
            gone,
            woken,
            flags,
            shared: Arc::clone(&shared),
            send,
            decoder: Decoder::default(),
            patience: if over_ssh { SEQUENCE.1 } else { SEQUENCE.0 },
            heard: 0,
            size,
            resized: None,
            waiting: Vec::new(),
        };
        let thread = thread::Builder::new().name("input".into()).spawn(move || {
            guard::this_thread_draws();
            listener.run();
        })?;
        Ok((Self { shared, wake, handlers, thread: Some(thread) }, receive))
    }

    /// Reads no keys until [`Reader::go_on`]; signals are taken all the same.
    pub fn pause(&self) {
        self.shared.paused.store(true, Ordering::SeqCst);
        self.wake();
    }

    /// As [`Reader::pause`], and looks from time to time whether the terminal is ours again: a shell that takes a running
    /// job to the foreground sends it no signal. Then [`Input::Resume`] is told.
    pub fn wait_for_terminal(&self) {
        self.shared.dark.store(true, Ordering::SeqCst);
        self.pause();
    }

    /// Reads keys again, and tells the size if it has changed.
    pub fn go_on(&self) {
        self.shared.dark.store(false, Ordering::SeqCst);
        self.shared.paused.store(false, Ordering::SeqCst);
        self.wake();
    }

    /// Times the thread woke up.
    pub fn wake_ups(&self) -> u64 {
        self.shared.wake_ups.load(Ordering::Relaxed)
    }

    /// Keys dropped because nobody took them.
    pub fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed)
    }

    fn wake(&self) {
        // a full socket wakes as well
        let _ = io::Write::write(&mut &self.wake, b"!");
    }

    /// Ends the thread. From then on SIGINT ends the process at once, so that an end that hangs can be cut short.
    pub fn stop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        self.wake();
        let Some(thread) = self.thread.take() else { return };
        // a panic has been reported by the hook
        let _ = thread.join();
        for handler in self.handlers.drain(..) {
            signal_hook::low_level::unregister(handler);
        }
        let _ = signal_hook::flag::register_conditional_default(SIGINT, Arc::new(AtomicBool::new(true)));
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.stop();
    }
}

struct Listener {
    tty: Arc<Tty>,
    gone: fn(),
    woken: UnixStream,
    flags: Vec<(i32, Arc<AtomicBool>)>,
    shared: Arc<Shared>,
    send: mpsc::Sender<Input>,
    decoder: Decoder,
    patience: Wall,
    /// When bytes came last.
    heard: Wall,
    size: Size,
    /// When a change of the size is to be told.
    resized: Option<Wall>,
    /// Events that found the queue full.
    waiting: Vec<Input>,
}

impl Listener {
    fn run(&mut self) {
        while !self.shared.stop.load(Ordering::SeqCst) && !self.send.is_closed() {
            if self.turn().is_break() {
                // one event, then silence: nothing is read from a terminal that is gone
                (self.gone)();
                self.tell(Input::Hangup);
                while !self.waiting.is_empty() && !self.shared.stop.load(Ordering::SeqCst) {
                    thread::sleep(clock::span(RETRY));
                    self.tell_waiting();
                }
                return;
            }
        }
    }

    /// One wait and what came of it. Breaks when the terminal is gone.
    fn turn(&mut self) -> std::ops::ControlFlow<()> {
        use std::ops::ControlFlow::{Break, Continue};
        let paused = self.shared.paused.load(Ordering::SeqCst);
        let timeout = self.next().map(|at| clock::span(at - clock::now()));
        // while paused only the end of the terminal is looked for: poll reports that unasked
        let wanted = if paused { PollFlags::empty() } else { PollFlags::IN };
        let mut fds = [PollFd::new(&self.woken, PollFlags::IN), PollFd::new(&self.tty, wanted)];
        if wait(&mut fds, timeout).is_err() {
            return Break(());
        }
        let (woken, keys) = (ready(fds[0].revents()), ready(fds[1].revents()));
        self.shared.wake_ups.fetch_add(1, Ordering::Relaxed);
        if woken.read {
            let mut bytes = [0; 64];
            while matches!(io::Read::read(&mut &self.woken, &mut bytes), Ok(n) if n == bytes.len()) {}
            // a size may have changed while nobody looked
            self.resized.get_or_insert(clock::now() + RESIZE);
        }
        self.signals();
        if keys.read && !paused && self.read().is_err() {
            return Break(());
        }
        if keys.gone {
            return Break(());
        }
        self.timers();
        Continue(())
    }

    /// When something is to be done without being woken.
    fn next(&self) -> Option<Wall> {
        let decoder = match self.decoder.waiting() {
            Waiting::No => None,
            Waiting::Sequence => Some(self.heard + self.patience),
            Waiting::Paste => Some(self.heard + PASTE),
        };
        let retry = (!self.waiting.is_empty()).then(|| clock::now() + RETRY);
        let dark = self.shared.dark.load(Ordering::SeqCst).then(|| clock::now() + DARK);
        [decoder, retry, dark, self.resized].into_iter().flatten().min()
    }

    fn timers(&mut self) {
        let now = clock::now();
        let late = match self.decoder.waiting() {
            Waiting::No => false,
            Waiting::Sequence => now >= self.heard + self.patience,
            Waiting::Paste => now >= self.heard + PASTE,
        };
        if late {
            let mut events = Vec::new();
            self.decoder.late(&mut |e| events.push(e));
            self.tell_all(events);
        }
        if self.resized.is_some_and(|at| now >= at) {
            self.resized = None;
            let size = self.tty.size();
            if size != self.size {
                self.size = size;
                self.tell(Input::Resize(size));
            }
        }
        if self.shared.dark.load(Ordering::SeqCst) && self.tty.is_ours() {
            self.shared.dark.store(false, Ordering::SeqCst);
            self.tell(Input::Resume);
        }
        self.tell_waiting();
    }

    fn signals(&mut self) {
        for i in 0..self.flags.len() {
            let (signal, flag) = &self.flags[i];
            let signal = *signal;
            if !flag.swap(false, Ordering::SeqCst) {
                continue;
            }
            match signal {
                SIGWINCH => {
                    self.resized.get_or_insert(clock::now() + RESIZE);
                }
                SIGTSTP => self.tell(Input::Suspend),
                SIGCONT => self.tell(Input::Resume),
                other => {
                    if other == SIGHUP {
                        (self.gone)();
                    }
                    self.tell(Input::Signal(other));
                }
            }
        }
    }

    /// Reads what is there. An error means that the terminal is gone.
    fn read(&mut self) -> io::Result<()> {
        let mut bytes = [0; 4096];
        match self.tty.read(&mut bytes) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => {
                self.heard = clock::now();
                let mut events = Vec::new();
                self.decoder.feed(&bytes[..n], &mut |e| events.push(e));
                self.tell_all(events);
                Ok(())
            }
            Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => Ok(()),
            Err(e) => Err(e),
        }
    }

    fn tell_all(&mut self, events: Vec<Input>) {
        for event in events {
            self.tell(event);
        }
    }

    fn tell(&mut self, event: Input) {
        self.tell_waiting();
        let refused = if self.waiting.is_empty() {
            match self.send.try_send(event) {
                Ok(()) => return,
                Err(mpsc::error::TrySendError::Full(event) | mpsc::error::TrySendError::Closed(event)) => event,
            }
        } else {
            event
        };
        match refused {
            Input::Key(_) | Input::Paste(_) => {
                self.shared.dropped.fetch_add(1, Ordering::Relaxed);
            }
            // the newest of its kind is enough
            event => {
                self.waiting.retain(|w| {
                    std::mem::discriminant(w) != std::mem::discriminant(&event)
                        || matches!(w, Input::Signal(_)) && *w != event
                });
                self.waiting.push(event);
            }
        }
    }

    fn tell_waiting(&mut self) {
        while let Some(first) = self.waiting.first() {
            if self.send.try_send(first.clone()).is_err() {
                return;
            }
            self.waiting.remove(0);
        }
    }
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;

//! The terminal as one thing: opened, drawn to, given back for a while, closed.
//!
//! Puts guard, renderer and reader together in the order in which they may start and must stop. Must not know views.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use rustix::process::{Signal, getpid, kill_current_process_group, kill_process};
use tokio::sync::mpsc;

use super::backend::Frame;
use super::capabilities::{Capabilities, Environment, Flags, NoScreen};
use super::guard::{self, Guard};
use super::input::{Input, Reader, Size};
use super::render::{Renderer, Stats};
use super::tty::{Tty, can_stop};
use super::watchdog::{self, GRACE, HANGUP_STATUS};

/// An entered screen.
#[derive(Debug)]
pub struct Terminal {
    tty: Arc<Tty>,
    capabilities: Capabilities,
    renderer: Renderer,
    reader: Reader,
    guard: Guard,
}

/// Why there is no screen. Ends the program with status 2.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The terminal cannot show one.
    #[error(transparent)]
    NoScreen(#[from] NoScreen),
    /// The terminal could not be opened or set.
    #[error("the screen cannot be set up: {0}; use --headless to run without one")]
    Io(#[from] io::Error),
}

/// Who asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The user, with Ctrl-Z: the whole job stops, as the shell expects it.
    Job,
    /// A signal, to this process alone.
    Process,
}

impl Terminal {
    /// Enters the screen on the terminal that standard output is, and begins to listen.
    ///
    /// The panic hook (`guard::install_panic_hook`) is installed by the caller, before.
    ///
    /// # Errors
    /// When there is no terminal fit for a screen, or it cannot be set up; it is then as it was.
    pub fn open(flags: Flags) -> Result<(Self, mpsc::Receiver<Input>), OpenError> {
        let capabilities = Environment::of_process(io::stdout().is_terminal(), flags).capabilities()?;
        guard::this_thread_draws();
        let tty = Arc::new(Tty::of_stdout()?);
        // listening comes first: from here on no signal ends the process with the screen entered
        let (reader, events) =
            Reader::start(Arc::clone(&tty), capabilities.over_ssh, || watchdog::arm(GRACE, HANGUP_STATUS))?;
        let guard = Guard::enter(Arc::clone(&tty))?;
        let renderer = Renderer::start(Arc::clone(&tty), &capabilities)?;
        Ok((Self { tty, capabilities, renderer, reader, guard }, events))
    }

    /// What the terminal can do.
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Its size now, in cells.
    pub fn size(&self) -> Size {
        self.tty.size()
    }

    /// Hands a frame to the thread that writes; the newest wins. Never waits.
    pub fn draw(&self, frame: Frame) {
        self.renderer.draw(frame);
    }

    /// An empty buffer of that size for the next frame.
    pub fn blank(&self, area: Rect) -> Buffer {
        self.renderer.blank(area)
    }

    /// Nobody waits to be drawn: a frame made now is not made in vain.
    pub fn wants_frame(&self) -> bool {
        self.renderer.wants_frame()
    }

    /// Offers a text to the clipboard of the terminal (OSC 52). Nothing happens where it is not known
    /// to be taken in silence: a real terminal would print it.
    pub fn copy(&self, text: &str) {
        if self.capabilities.clipboard {
            self.renderer.copy(text);
        }
    }

    /// Draws everything anew (Ctrl-L).
    pub fn redraw(&self) {
        self.renderer.redraw();
    }

    /// Time between two frames now.
    pub fn interval(&self) -> Duration {
        self.renderer.interval()
    }

    /// The thread that writes still runs; when it does not, the terminal is gone or it panicked: quit.
    pub fn is_alive(&self) -> bool {
        self.renderer.is_alive()
    }

    /// Frames, bytes, wake-ups (`:stats`); those of the reading thread are in `wake_ups` too.
    pub fn stats(&self) -> Stats {
        let mut stats = self.renderer.stats();
        stats.wake_ups += self.reader.wake_ups();
        stats
    }

    /// Leaves the screen and stops. Returns when the process runs again; [`Input::Resume`] follows.
    ///
    /// `false`: nobody could ever continue it (`ssh -t host nmeasimx`), so nothing was done.
    pub fn suspend(&self, stop: Stop) -> bool {
        if !can_stop() {
            return false;
        }
        self.reader.pause();
        self.renderer.hold();
        self.guard.leave();
        let stopped = match stop {
            Stop::Job => kill_current_process_group(Signal::STOP),
            Stop::Process => kill_process(getpid(), Signal::STOP),
        };
        if stopped.is_err() {
            self.resume();
        }
        stopped.is_ok()
    }

    /// Enters the screen again and draws it anew. `false`: the process runs in the background and the terminal is the
    /// shell's, so the screen stays dark until the next [`Input::Resume`].
    pub fn resume(&self) -> bool {
        if !self.tty.is_ours() {
            self.reader.wait_for_terminal();
            self.renderer.hold();
            self.guard.leave();
            return false;
        }
        let entered = self.guard.enter_again().is_ok();
        if entered {
            self.renderer.release();
            self.reader.go_on();
        }
        entered
    }

    /// Stops both threads and gives the terminal back. Dropping does the same.
    pub fn close(self) {
        drop(self);
    }
}

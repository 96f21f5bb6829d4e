//! The signals that end a run or change it, as values.
//!
//! Only listens; what follows from a signal is decided by whoever runs the session.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// A signal that means something to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caught {
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM: a service manager.
    Terminate,
    /// SIGHUP: the terminal went away, or a service is asked to reload.
    HangUp,
}

impl Caught {
    /// The exit status of a run that it ended: 128 and its number.
    pub fn exit_status(self) -> u8 {
        match self {
            Caught::Interrupt => 130,
            Caught::Terminate => 143,
            Caught::HangUp => 129,
        }
    }
}

/// Listens for all of them. From its creation on, none of them ends the process by itself.
pub struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// When the system does not allow it.
    pub fn new() -> std::io::Result<Signals> {
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// The next one.
    pub async fn next(&mut self) -> Caught {
        tokio::select! {
            _ = self.terminate.recv() => Caught::Terminate,
            _ = self.interrupt.recv() => Caught::Interrupt,
            _ = self.hang_up.recv() => Caught::HangUp,
        }
    }
}

/// A file that may not grow any more is an error of its write, not the end of the process (SIGXFSZ). Lasts as long as the
/// process.
///
/// # Errors
/// When the system does not allow it.
pub fn survive_size_limits() -> std::io::Result<()> {
    let number = rustix::process::Signal::XFSZ.as_raw();
    // The handler stays after its listener has gone.
    signal(SignalKind::from_raw(number)).map(drop)
}

/// Whether this process has a controlling terminal. Without one (systemd, setsid, a daemon) SIGHUP means reload.
pub fn has_terminal() -> bool {
    std::fs::File::open("/dev/tty").is_ok()
}

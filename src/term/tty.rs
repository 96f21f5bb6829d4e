//! The terminal device, opened a second time for ourselves: reads and writes never block, whatever standard output does.
//!
//! The non-blocking flag belongs to an open file, not to a device: setting it on standard output would set it for the
//! shell as well, so the device is opened by its name. Must not know what the bytes mean.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::process::{getpgrp, getsid};
use rustix::termios::{self, OptionalActions, QueueSelector, Termios, tcgetattr, tcsetattr};

use super::input::Size;

/// An open terminal.
#[derive(Debug)]
pub struct Tty {
    file: File,
    /// Frames may be written. Shut while the screen is left, so that none of them lands on the shell's.
    open: Mutex<bool>,
}

/// What [`wait`] found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// There are bytes to read.
    pub read: bool,
    /// There is room to write.
    pub write: bool,
    /// The terminal is gone.
    pub gone: bool,
}

impl Tty {
    /// The terminal that standard output is.
    ///
    /// # Errors
    /// When it can be opened under none of its names.
    pub fn of_stdout() -> io::Result<Self> {
        let stdout = rustix::stdio::stdout();
        let mut names = Vec::new();
        if let Ok(name) = termios::ttyname(stdout, Vec::new()) {
            names.push(PathBuf::from(std::ffi::OsStr::from_bytes(name.to_bytes())));
        }
        // in a container the name may belong to another file system
        names.push(PathBuf::from("/dev/fd/1"));
        names.push(PathBuf::from("/dev/tty"));
        let mut last = io::Error::from(io::ErrorKind::NotFound);
        for name in names {
            match Self::open(&name) {
                Ok(tty) => return Ok(tty),
                Err(e) => last = io::Error::new(e.kind(), format!("the terminal {}: {e}", name.display())),
            }
        }
        Err(last)
    }

    /// A terminal by name.
    ///
    /// # Errors
    /// When it cannot be opened or is no terminal.
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = (OFlags::NOCTTY | OFlags::NONBLOCK).bits();
        let file = OpenOptions::new().read(true).write(true).custom_flags(flags as i32).open(path)?;
        if !termios::isatty(&file) {
            return Err(io::Error::from(rustix::io::Errno::NOTTY));
        }
        Ok(Self { file, open: Mutex::new(true) })
    }

    /// Its size; nothing if it does not tell.
    pub fn size(&self) -> Size {
        termios::tcgetwinsize(&self.file).map_or(Size::default(), |s| Size { cols: s.ws_col, rows: s.ws_row })
    }

    /// Reads what is there.
    ///
    /// # Errors
    /// `WouldBlock` if nothing is; anything else, and 0 bytes: it is gone.
    pub fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.file).read(buffer)
    }

    /// Writes what it takes.
    ///
    /// # Errors
    /// `WouldBlock` if it takes nothing now; anything else: it is gone.
    pub fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        (&self.file).write(bytes)
    }

    /// Writes what it takes of a frame, as long as frames may be written: `None` if not.
    ///
    /// # Errors
    /// Those of [`Tty::write`].
    pub fn write_frame(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        // held over the write, which does not block: no frame begins after `admit_frames(false)` has returned
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if *open { self.write(bytes).map(Some) } else { Ok(None) }
    }

    /// Allows or forbids frames.
    pub fn admit_frames(&self, open: bool) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = open;
    }

    /// Waits until it takes bytes or the time is over.
    ///
    /// # Errors
    /// Those of `poll`; not an interruption by a signal.
    pub fn wait_for_room(&self, timeout: Duration) -> io::Result<Ready> {
        let mut fds = [PollFd::new(&self.file, PollFlags::OUT)];
        wait(&mut fds, Some(timeout))?;
        Ok(ready(fds[0].revents()))
    }

    /// Writes all of it, waiting at most `patience` for each bit of room. Says whether all was taken.
    pub fn write_patiently(&self, mut bytes: &[u8], patience: Duration) -> bool {
        while !bytes.is_empty() {
            match self.write(bytes) {
                Ok(0) => return false,
                Ok(n) => bytes = &bytes[n..],
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => match self.wait_for_room(patience) {
                    Ok(Ready { write: true, gone: false, .. }) => {}
                    _ => return false,
                },
                Err(_) => return false,
            }
        }
        true
    }

    /// Throws away what was written and not yet sent.
    pub fn drop_output(&self) {
        let _ = termios::tcflush(&self.file, QueueSelector::OFlush);
    }

    /// The settings of the line discipline.
    ///
    /// # Errors
    /// Those of `tcgetattr`.
    pub fn settings(&self) -> io::Result<Termios> {
        Ok(tcgetattr(&self.file)?)
    }

    /// Changes the settings at once.
    ///
    /// # Errors
    /// Those of `tcsetattr`.
    pub fn set(&self, settings: &Termios) -> io::Result<()> {
        Ok(tcsetattr(&self.file, OptionalActions::Now, settings)?)
    }

    /// Whether this process may use it: no shell has it now. True for a terminal that controls nobody.
    pub fn is_ours(&self) -> bool {
        termios::tcgetpgrp(&self.file).map_or(true, |foreground| foreground == getpgrp())
    }
}

impl AsFd for Tty {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

/// Whether somebody is there to continue this process after it has stopped: a shell with job control, which gives each
/// job a process group of its own. A session that is this program alone (`ssh -t host nmeasimx`) would stand for ever.
pub fn can_stop() -> bool {
    getsid(None).is_ok_and(|session| session != getpgrp())
}

/// `poll` that takes no notice of signals.
///
/// # Errors
/// Those of `poll` but `EINTR`, which counts as nothing found.
pub fn wait(fds: &mut [PollFd<'_>], timeout: Option<Duration>) -> io::Result<()> {
    let timeout = timeout.and_then(|t| Timespec::try_from(t).ok());
    match poll(fds, timeout.as_ref()) {
        Ok(_) => Ok(()),
        Err(rustix::io::Errno::INTR) => {
            for fd in fds {
                fd.clear_revents();
            }
            Ok(())
        }
        Err(e) => Err(e.into()),
    }
}

/// What `poll` said.
pub fn ready(flags: PollFlags) -> Ready {
    Ready {
        read: flags.contains(PollFlags::IN),
        write: flags.contains(PollFlags::OUT),
        gone: flags.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL),
    }
}

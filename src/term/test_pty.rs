//! A terminal inside the test: the far end of a pseudoterminal, read or left unread as the test likes.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::clock;
use super::tty::{Tty, wait};

/// The user's end.
pub struct Far {
    file: File,
}

/// A pseudoterminal of 24 rows and 80 columns, in raw mode.
pub fn pair() -> (Far, Arc<Tty>) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let far = Far { file: File::from(master) };
    far.resize(80, 24);
    let tty = Tty::open(Path::new(OsStr::from_bytes(name.to_bytes()))).unwrap();
    let mut settings = tty.settings().unwrap();
    settings.make_raw();
    tty.set(&settings).unwrap();
    (far, Arc::new(tty))
}

impl Far {
    pub fn resize(&self, cols: u16, rows: u16) {
        tcsetwinsize(&self.file, Winsize { ws_row: rows, ws_col: cols, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    }

    pub fn press(&self, bytes: &[u8]) {
        (&self.file).write_all(bytes).unwrap();
    }

    /// What has been written, until nothing comes for a moment.
    pub fn read(&self) -> Vec<u8> {
        let mut all = Vec::new();
        loop {
            let mut fds = [PollFd::new(&self.file, PollFlags::IN)];
            wait(&mut fds, Some(Duration::from_millis(150))).unwrap();
            if !fds[0].revents().contains(PollFlags::IN) {
                return all;
            }
            let mut bytes = [0; 65536];
            let n = (&self.file).read(&mut bytes).unwrap();
            all.extend_from_slice(&bytes[..n]);
        }
    }
}

/// Waits until something is so; fails after ten seconds.
pub fn until(what: &str, mut so: impl FnMut() -> bool) {
    let begin = clock::now();
    while !so() {
        assert!(clock::span(clock::now() - begin) < Duration::from_secs(10), "in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

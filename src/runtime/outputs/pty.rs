//! A virtual serial port: other programs open its path as they would a device.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, QueueSelector, tcflush, tcgetattr, tcsetattr};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe::{Receiver, Sender};

use super::{PATIENCE, Task};
use crate::core::time::Wall;
use crate::runtime::replies::Replies;

/// A reader that takes nothing for so long although no more fits is not there: what has gathered is old, and goes.
const STALE: Duration = Duration::from_secs(1);
/// The kernel holds no more than this for a reader, and shows less.
const HELD: u64 = 64 << 10;

struct Pty {
    /// Both ends of the master: tokio waits for it as for the ends of a pipe.
    reader: Receiver,
    writer: Sender,
    /// Held open: it keeps the settings, and a reader that leaves is not the end.
    slave: OwnedFd,
    path: String,
}

/// Removes the link when the output ends.
struct Link<'a>(Option<&'a str>);

impl Drop for Link<'_> {
    fn drop(&mut self) {
        if let Some(link) = self.0 {
            // It may be gone already.
            let _gone = std::fs::remove_file(link);
        }
    }
}

/// Sends until the queue ends.
pub async fn run(task: &mut Task, link: Option<&str>) {
    loop {
        let why = match open() {
            Ok(mut pty) => match make_link(link, &pty.path) {
                Ok(made) => {
                    task.open(match link {
                        Some(link) => format!("{link} -> {}", pty.path),
                        None => pty.path.clone(),
                    });
                    let end = send(task, &mut pty).await;
                    drop(made);
                    match end {
                        None => return,
                        Some(why) => format!("{}: {why}", pty.path),
                    }
                }
                Err(why) => why,
            },
            Err(error) => format!("no virtual serial port: {error}"),
        };
        task.waiting(why);
        if task.back_off().await.is_none() {
            return;
        }
    }
}

fn open() -> io::Result<Pty> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?;
    let slave = rustix::fs::open(&name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
    // Bytes as they are: no echo, no CR LF made into anything else.
    let mut settings = tcgetattr(&slave)?;
    settings.make_raw();
    tcsetattr(&slave, OptionalActions::Now, &settings)?;
    rustix::io::ioctl_fionbio(&master, true)?;
    let twin = rustix::io::fcntl_dupfd_cloexec(&master, 0)?;
    let (reader, writer) = (Receiver::from_owned_fd_unchecked(twin)?, Sender::from_owned_fd_unchecked(master)?);
    Ok(Pty { reader, writer, slave, path: name.to_string_lossy().into_owned() })
}

fn make_link<'a>(link: Option<&'a str>, path: &str) -> Result<Link<'a>, String> {
    let Some(link) = link else { return Ok(Link(None)) };
    let shown = crate::core::visible::text(link.as_bytes());
    // A link left by a run that was killed is replaced; anything else is somebody's.
    match std::fs::symlink_metadata(Path::new(link)) {
        Ok(found) if found.file_type().is_symlink() => {
            std::fs::remove_file(link).map_err(|error| format!("{shown}: {error}"))?;
        }
        Ok(_) => return Err(format!("{shown} exists and is no link: name another, or remove it")),
        Err(_) => {}
    }
    std::os::unix::fs::symlink(path, link).map_err(|error| format!("{shown}: {error}"))?;
    Ok(Link(Some(link)))
}

/// How long nobody has read: a program that opens the port later shall not be told where the vessel was then.
#[derive(Default)]
struct Unread {
    /// Bytes written, and the least of them that must have been read.
    written: u64,
    read: u64,
    /// Bytes that waited when it was last looked.
    waiting: u64,
    /// Since when nothing was read.
    since: Wall,
}

impl Unread {
    /// Whether what waits has waited for as long as is waited for any peer.
    fn are_old(&mut self, waiting: u64, now: Wall) -> bool {
        let read = self.written.saturating_sub(HELD);
        if waiting == 0 || waiting < self.waiting || read > self.read {
            self.since = now;
        }
        (self.waiting, self.read) = (waiting, read);
        now - self.since >= PATIENCE
    }
}

/// `None`: the queue has ended. Else why it cannot go on.
async fn send(task: &mut Task, pty: &mut Pty) -> Option<String> {
    let mut encoder = task.encoder();
    let mut replies = Replies::new(task.n, task.around.replies.clone());
    let mut answer = [0; 1024];
    let mut unread = Unread::default();
    loop {
        let parcel = tokio::select! { biased;
            read = pty.reader.read(&mut answer) => match read {
                Ok(0) => return Some("closed".into()),
                Ok(n) => {
                    task.gauges.replies.fetch_add(replies.push(&answer[..n]), Ordering::Relaxed);
                    continue;
                }
                Err(error) => return Some(error.to_string()),
            },
            parcel = task.next() => parcel?,
        };
        let now = task.around.clock.wall();
        if unread.are_old(rustix::io::ioctl_fionread(&pty.slave).unwrap_or(0), now) {
            if let Err(error) = tcflush(pty.slave.as_fd(), QueueSelector::IFlush) {
                return Some(error.to_string());
            }
            unread = Unread { since: now, ..Unread::default() };
        }
        for (message, bytes) in encoder.encode(&parcel.batch).iter() {
            unread.written += bytes.len() as u64;
            let mut rest = bytes;
            while !rest.is_empty() {
                let written = tokio::select! { biased;
                    () = task.stop.cancelled() => return None,
                    written = tokio::time::timeout(STALE, pty.writer.write(rest)) => written,
                };
                match written {
                    Ok(Ok(n)) => rest = rest.get(n..).unwrap_or_default(),
                    Ok(Err(error)) => return Some(error.to_string()),
                    Err(_) => {
                        if let Err(error) = tcflush(pty.slave.as_fd(), QueueSelector::IFlush) {
                            return Some(error.to_string());
                        }
                    }
                }
            }
            task.gauges.sent(message.sentences, bytes.len());
        }
    }
}

//! Standard output: a thread of its own, for a pipe may be full for as long as its reader likes.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::Duration;

use super::Task;
use crate::runtime::queue::Taken;
use crate::runtime::{hub, queue};

/// Writes until the queue ends or nobody reads any more.
pub async fn run(mut task: Task) {
    let file = match io::stdout().as_fd().try_clone_to_owned() {
        Ok(fd) => File::from(fd),
        Err(error) => return task.failed(format!("standard output: {error}")),
    };
    task.open("-".into());
    super::on_a_thread("stdout", move || {
        let done = write(&mut task, file);
        if let Err(error) = done {
            task.failed(match error.kind() {
                io::ErrorKind::BrokenPipe => "nobody reads standard output any more".to_string(),
                _ => format!("standard output: {error}"),
            });
        }
    })
    .await;
}

fn write(task: &mut Task, mut out: File) -> io::Result<()> {
    let mut encoder = task.encoder();
    loop {
        let parcel = match task.feed.recv_timeout(Duration::from_millis(200)) {
            Taken::Item(parcel) => parcel,
            Taken::Nothing if task.stop.is_cancelled() => return Ok(()),
            Taken::Nothing => continue,
            Taken::Closed => return Ok(()),
        };
        if hub::is_old(parcel.batch.generation, *task.around.generation.borrow()) {
            continue;
        }
        let encoded = encoder.encode(&parcel.batch);
        let sentences = encoded.sentences();
        if let Err(error) = write_all(&mut out, &encoded.bytes) {
            task.gauges.lost(sentences);
            return Err(error);
        }
        task.gauges.sent(sentences, encoded.bytes.len());
        task.gauges.queue.store(queue_bytes(&task.feed), std::sync::atomic::Ordering::Relaxed);
    }
}

fn queue_bytes(feed: &queue::Receiver<hub::Parcel>) -> u64 {
    feed.bytes() as u64
}

/// Writes all, also to a descriptor that somebody has set not to block.
pub fn write_all(out: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    while !bytes.is_empty() {
        match out.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => bytes = &bytes[n..],
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                let fd = out.as_fd();
                poll(&mut [PollFd::new(&fd, PollFlags::OUT)], None)?;
            }
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

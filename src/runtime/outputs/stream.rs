//! What a stream to one peer has in common: what is written has ten seconds, what comes back is drained and counted.

use std::io;
use std::sync::atomic::Ordering;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::ways::unreachable;
use super::{Gauges, PATIENCE, Task};
use crate::core::time::SECOND;
use crate::runtime::replies::Replies;

/// Why a stream came to its end.
pub enum End {
    /// The queue has ended: stop.
    Stop,
    /// The peer is gone or takes nothing.
    Gone(String),
}

/// Sends batches until the queue or the peer ends.
pub async fn send<R, W>(task: &mut Task, mut reader: R, mut writer: W) -> End
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut encoder = task.encoder();
    let (gauges, replies) = (task.gauges.clone(), Replies::new(task.n, task.around.replies.clone()));
    let drained = drain(&mut reader, replies, &gauges);
    tokio::pin!(drained);
    loop {
        let parcel = tokio::select! { biased;
            why = &mut drained => return End::Gone(why),
            parcel = task.next() => parcel,
        };
        let Some(parcel) = parcel else {
            // The peer may be gone already.
            let _gone = writer.shutdown().await;
            return End::Stop;
        };
        let encoded = encoder.encode(&parcel.batch);
        if encoded.messages.is_empty() {
            continue;
        }
        let sentences = encoded.sentences();
        let done = tokio::select! { biased;
            why = &mut drained => Err(why),
            () = task.stop.cancelled() => return End::Stop,
            done = write(&mut writer, &encoded.bytes) => done,
        };
        match done {
            Ok(()) => task.gauges.sent(sentences, encoded.bytes.len()),
            Err(why) => {
                task.gauges.lost(sentences);
                return End::Gone(why);
            }
        }
    }
}

/// Writes everything, within [`PATIENCE`].
///
/// # Errors
/// In words.
pub async fn write<W: AsyncWrite + Unpin>(writer: &mut W, bytes: &[u8]) -> Result<(), String> {
    let patience = std::time::Duration::from_nanos(PATIENCE.unsigned_abs());
    match tokio::time::timeout(patience, writer.write_all(bytes)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(unreachable(&error)),
        Err(_) => Err(format!("took nothing for {} s", PATIENCE / SECOND)),
    }
}

/// Reads what comes back until the peer ends; says why it did.
pub async fn drain<R: AsyncRead + Unpin>(reader: &mut R, mut replies: Replies, gauges: &Gauges) -> String {
    let mut buffer = [0; 4096];
    loop {
        match reader.read(&mut buffer).await {
            Ok(0) => return "closed by the other side".into(),
            Ok(n) => {
                gauges.replies.fetch_add(replies.push(&buffer[..n]), Ordering::Relaxed);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return unreachable(&error),
        }
    }
}

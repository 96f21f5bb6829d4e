//! What a stream to one peer has in common: what is written has ten seconds, what comes back is drained and counted.

use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

use super::ways::unreachable;
use super::{Gauges, PATIENCE, SEND_BUFFER, Task};
use crate::core::time::SECOND;
use crate::runtime::replies::Replies;

/// A peer that acknowledges nothing for so long is gone: its power was cut, or it sailed out of reach.
const GONE: Duration = Duration::from_secs(60);

/// Sets a connection to one peer: sentences leave at once, little is held by the kernel, and a peer that vanished without a
/// word is noticed, be there something to send or not. Each of these only helps; a socket without them still sends.
pub fn settle(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let alive = TcpKeepalive::new().with_time(Duration::from_secs(30)).with_interval(Duration::from_secs(10));
    let _slower = stream.set_nodelay(true);
    let _larger = socket.set_send_buffer_size(SEND_BUFFER);
    let _later = socket.set_tcp_keepalive(&alive.with_retries(3));
    #[cfg(target_os = "linux")]
    let _later = socket.set_tcp_user_timeout(Some(GONE));
}

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

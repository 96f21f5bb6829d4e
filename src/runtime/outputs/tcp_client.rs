//! A TCP client: connects to a server and sends, and connects again.

use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

use super::stream::{self, End};
use super::{SEND_BUFFER, Task, ways};

/// A server that does not answer for so long is not there.
const CONNECT: Duration = Duration::from_secs(10);

/// Sends until the queue ends.
pub async fn run(task: &mut Task, host: &str, port: u16) {
    loop {
        let connecting = tokio::time::timeout(CONNECT, TcpStream::connect((host, port)));
        let why = match task.discard_until(connecting).await {
            None => return,
            Some(Ok(Ok(peer))) => {
                let at = peer.peer_addr().map_or_else(|_| format!("{host}:{port}"), |a| a.to_string());
                // Each of these only helps; a socket without them still sends.
                let alive =
                    TcpKeepalive::new().with_time(Duration::from_secs(30)).with_interval(Duration::from_secs(10));
                let _slower = peer.set_nodelay(true);
                let _later = SockRef::from(&peer).set_tcp_keepalive(&alive);
                let _larger = SockRef::from(&peer).set_send_buffer_size(SEND_BUFFER);
                task.open(at);
                let (reader, writer) = peer.into_split();
                match stream::send(task, reader, writer).await {
                    End::Stop => return,
                    End::Gone(why) => why,
                }
            }
            Some(Ok(Err(error))) => ways::unreachable(&error),
            Some(Err(_)) => format!("no answer within {} s", CONNECT.as_secs()),
        };
        task.waiting(format!("{host}:{port}: {why}"));
        if task.back_off().await.is_none() {
            return;
        }
    }
}

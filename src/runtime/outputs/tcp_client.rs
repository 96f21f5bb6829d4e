//! A TCP client: connects to a server and sends, and connects again.

use std::time::Duration;

use tokio::net::TcpStream;

use super::stream::{self, End};
use super::{Task, ways};

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
                stream::settle(&peer);
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

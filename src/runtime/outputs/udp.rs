//! Datagrams: to one host, to everybody on a network, to a group. One sentence a datagram.
//!
//! An error drops the sentence and opens the socket again, later and later, so that it heals when a network returns.

use std::io;
use std::net::SocketAddr;

use tokio::net::{UdpSocket, lookup_host};

use super::{Task, ways};
use crate::core::output::Way;
use crate::core::time::{SECOND, Wall};

/// How often it is looked whether the interfaces still are as they were.
const LOOK: Wall = SECOND;

/// A socket and where it sends to.
struct Open {
    socket: UdpSocket,
    to: Vec<SocketAddr>,
}

/// Why sending came to an end.
enum End {
    /// The queue has ended.
    Stop,
    /// The networks have changed: open again, at once.
    Moved,
    /// Nothing can be sent.
    Lost(String),
}

/// Sends until the queue ends.
pub async fn run(task: &mut Task) {
    let way = task.spec.way.clone();
    loop {
        let end = match task.discard_until(open(&way)).await {
            None => End::Stop,
            Some(Ok(opened)) => send(task, &way, opened).await,
            Some(Err(why)) => End::Lost(why),
        };
        match end {
            End::Stop => return,
            End::Moved => {}
            End::Lost(why) => {
                task.waiting(why);
                if task.back_off().await.is_none() {
                    return;
                }
            }
        }
    }
}

async fn send(task: &mut Task, way: &Way, open: Open) -> End {
    let at = open.to.iter().map(SocketAddr::to_string).collect::<Vec<_>>().join(" ");
    // After trouble a socket alone says little: it is open again once a datagram was taken.
    let mut proved = !task.is_in_trouble();
    if proved {
        task.open(at.clone());
    }
    // Before that nothing can be sent without waiting; what is queued meanwhile stays queued.
    if let Err(error) = open.socket.writable().await {
        return End::Lost(format!("socket: {error}"));
    }
    let mut encoder = task.encoder();
    let mut looked = task.around.clock.wall();
    loop {
        let Some(parcel) = task.next().await else { return End::Stop };
        let now = task.around.clock.wall();
        if now - looked >= LOOK {
            looked = now;
            match ways::still(way, &open.to) {
                Ok(true) => {}
                Ok(false) => return End::Moved,
                Err(why) => return End::Lost(why),
            }
        }
        for (message, bytes) in encoder.encode(&parcel.batch).iter() {
            let mut taken = 0;
            let mut trouble = None;
            let mut full = false;
            for to in &open.to {
                let sent = match open.socket.try_send_to(bytes, *to) {
                    // The kernel still asks who that host is, or its line is slow. Only a source at max can wait for it.
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock && parcel.patient => {
                        open.socket.send_to(bytes, to).await
                    }
                    sent => sent,
                };
                match sent {
                    Ok(n) => {
                        taken += 1;
                        task.gauges.sent(0, n);
                    }
                    // An answer to an earlier datagram (nobody listens there) says nothing of this one.
                    Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => taken += 1,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => full = true,
                    Err(error) => trouble = Some(ways::explain(*to, &error)),
                }
            }
            if full && taken == 0 {
                // Old positions shall not wait for a host that is switched on later.
                task.gauges.lost(message.sentences);
                task.gauges.status(|status| status.last_error = Some(format!("{at}: takes nothing: is the host on?")));
                continue;
            }
            match trouble {
                Some(why) if taken == 0 => {
                    task.gauges.lost(message.sentences);
                    return End::Lost(why);
                }
                // One network of several is no reason to leave the others alone.
                Some(why) => task.gauges.status(|status| status.last_error = Some(why)),
                None => {}
            }
            task.gauges.sent(message.sentences, 0);
            if !proved {
                proved = true;
                task.open(at.clone());
            }
        }
    }
}

async fn open(way: &Way) -> Result<Open, String> {
    let to = match way {
        Way::Udp { host, port } => {
            let found = lookup_host((host.as_str(), *port)).await;
            let found = found.map_err(|error| format!("{host}:{port}: {}", ways::unreachable(&error)))?.next();
            vec![found.ok_or_else(|| format!("{host}: has no address"))?]
        }
        _ => ways::destinations(way)?,
    };
    let (socket, _) = ways::socket(way, &to)?;
    let socket = UdpSocket::from_std(socket).map_err(|error| format!("socket: {error}"))?;
    Ok(Open { socket, to })
}

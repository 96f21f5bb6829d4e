//! A server to read from: connects, and connects again.

use std::io;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

use super::{Alone, End, GOOD, Pauses, Teller, pump};
use crate::runtime::session::snapshot::Link;

/// A server that does not answer for so long is not there.
const CONNECT: Duration = Duration::from_secs(10);

pub(super) async fn run(host: &str, port: u16, mut teller: Teller) -> Result<(), Alone> {
    let mut pauses = Pauses::new();
    let name = format!("{host}:{port}");
    teller.state(Link::Opening, "", None).await?;
    loop {
        match connect(host, port).await {
            Ok(stream) => {
                teller.state(Link::Open, "", None).await?;
                let since = crate::runtime::clock::now();
                let End::Gone(why) = pump(stream, &teller, None).await else { return Err(Alone) };
                if since.elapsed() >= GOOD {
                    pauses = Pauses::new();
                }
                teller.state(Link::Waiting, "", Some(format!("{name}: {why}; trying again"))).await?;
            }
            Err(error) => {
                teller.state(Link::Waiting, "", Some(format!("{name}: {error}; trying again"))).await?;
            }
        }
        pauses.pause().await;
    }
}

async fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    let stream = match tokio::time::timeout(CONNECT, TcpStream::connect((host, port))).await {
        Ok(done) => done?,
        Err(_) => return Err(io::Error::new(io::ErrorKind::TimedOut, "no answer within 10 s")),
    };
    // A peer whose power was cut sends no end: ask for life after half a minute of silence.
    let alive = TcpKeepalive::new().with_time(Duration::from_secs(30)).with_interval(Duration::from_secs(10));
    SockRef::from(&stream).set_tcp_keepalive(&alive.with_retries(3))?;
    Ok(stream)
}

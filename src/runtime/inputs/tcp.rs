//! A server to read from: connects, and connects again.

use std::io;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;

use super::{Alone, BackOff, End, Teller, pump};
use crate::runtime::outputs::ways::unreachable;
use crate::runtime::session::snapshot::Link;

/// A server that does not answer for so long is not there.
const CONNECT: Duration = Duration::from_secs(10);

pub(super) async fn run(host: &str, port: u16, mut teller: Teller) -> Result<(), Alone> {
    let mut back_off = BackOff::default();
    let name = format!("{host}:{port}");
    teller.state(Link::Opening, "", None).await?;
    loop {
        match connect(host, port).await {
            Ok(stream) => {
                teller.state(Link::Open, "", None).await?;
                back_off.opened();
                let End::Gone(why) = pump(stream, &teller, None).await else { return Err(Alone) };
                teller.state(Link::Waiting, "", Some(format!("{name}: {why}; trying again"))).await?;
            }
            Err(error) => {
                teller.state(Link::Waiting, "", Some(format!("{name}: {}; trying again", unreachable(&error)))).await?;
            }
        }
        tokio::time::sleep(back_off.next_wait()).await;
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

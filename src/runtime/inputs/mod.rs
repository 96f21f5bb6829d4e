//! Live feeds: one task each, which opens, reads, and opens again. Gives bytes as they came and finds no sentences in them.

mod baud;
mod file;
mod serial;
mod tcp;
mod udp;

use std::io;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::healing::BackOff;
use crate::core::input::InputSpec;
use crate::runtime::session::snapshot::{Link, Scan};

/// The most bytes of one read.
const BLOCK: usize = 16 << 10;

/// What an input has to tell.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// The number of the input.
    pub input: u16,
    /// When.
    pub at: Instant,
    /// What.
    pub what: What,
}

/// Bytes, or how the input is.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Part of a stream.
    Bytes(Bytes),
    /// All of a datagram: a line does not go on in the next.
    Datagram(Bytes),
    /// The state changed; said once, not at each try.
    State {
        /// The new state.
        state: Link,
        /// Settings that were found or given: `38400 8N1`.
        settings: String,
        /// Why it does not work, and what to do.
        error: Option<String>,
    },
    /// How the search for the baud rate stands.
    Scan(Scan),
    /// Nothing more will come (standard input).
    Ended,
}

/// Where an input tells its news; says a state only when it differs from the last.
#[derive(Clone)]
struct Teller {
    input: u16,
    to: mpsc::Sender<News>,
    last: Option<What>,
}

/// Nobody listens any more.
#[derive(Debug)]
struct Alone;

impl Teller {
    async fn tell(&self, what: What) -> Result<(), Alone> {
        let news = News { input: self.input, at: crate::runtime::clock::now(), what };
        self.to.send(news).await.map_err(|_| Alone)
    }

    async fn state(&mut self, state: Link, settings: &str, error: Option<String>) -> Result<(), Alone> {
        let what = What::State { state, settings: settings.into(), error };
        if self.last.as_ref() != Some(&what) {
            self.last = Some(what.clone());
            self.tell(what).await?;
        }
        Ok(())
    }
}

/// Why reading came to an end.
enum End {
    /// The other side closed, or the device is gone.
    Gone(String),
    /// Nobody listens.
    Alone,
}

/// Starts an input; it ends with `stop`, or when nobody takes its news. Its task, where it has one: once that is over, the
/// device is free.
pub fn start(
    input: u16,
    spec: &InputSpec,
    to: mpsc::Sender<News>,
    stop: CancellationToken,
) -> Option<tokio::task::JoinHandle<()>> {
    let teller = Teller { input, to, last: None };
    if matches!(spec, InputSpec::Stdin) {
        stdin(teller);
        return None;
    }
    let spec = spec.clone();
    Some(tokio::spawn(async move {
        tokio::select! {
            () = stop.cancelled() => {}
            _alone = run(&spec, teller) => {}
        }
    }))
}

async fn run(spec: &InputSpec, teller: Teller) -> Result<(), Alone> {
    match spec {
        InputSpec::Serial(settings) => serial::run(settings, teller).await,
        InputSpec::Tcp { host, port } => tcp::run(host, *port, teller).await,
        InputSpec::Udp { address, port } => udp::run(*address, *port, teller).await,
        InputSpec::File(path) => file::run(path, teller).await,
        InputSpec::Stdin => Ok(()),
    }
}

/// Standard input has a thread of its own: a read of it cannot be given up, and must not hold up the end of the program.
fn stdin(teller: Teller) {
    std::thread::spawn(move || {
        use std::io::Read;
        let tell = |what| teller.to.blocking_send(News { input: teller.input, at: crate::runtime::clock::now(), what });
        let open = What::State { state: Link::Open, settings: String::new(), error: None };
        let mut alive = tell(open).is_ok();
        let mut block = vec![0; BLOCK];
        let mut stdin = io::stdin().lock();
        while alive {
            match stdin.read(&mut block) {
                Ok(0) => break,
                Ok(n) => alive = tell(What::Bytes(Bytes::copy_from_slice(&block[..n]))).is_ok(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let error = Some(format!("standard input: {error}"));
                    let _alone = tell(What::State { state: Link::Failed, settings: String::new(), error });
                    break;
                }
            }
        }
        let _alone = tell(What::Ended);
    });
}

/// Reads a stream until it ends. `change` may alter the bytes (a line that is wired the wrong way round).
async fn pump<R: AsyncRead + Unpin>(mut from: R, teller: &Teller, change: Option<fn(u8) -> u8>) -> End {
    let mut buffer = BytesMut::new();
    loop {
        buffer.reserve(BLOCK);
        match from.read_buf(&mut buffer).await {
            Ok(0) => return End::Gone("closed by the other side".into()),
            Ok(_) => {
                if let Some(change) = change {
                    buffer.iter_mut().for_each(|b| *b = change(*b));
                }
                if teller.tell(What::Bytes(buffer.split().freeze())).await.is_err() {
                    return End::Alone;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return End::Gone(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests;

//! The border over a socket: requests, answers and snapshots as lines of JSON.
//!
//! [`serve`] lets others watch and command a session; [`connect`] is the other end and gives a [`Watcher`] like any other,
//! so that a screen does not know where its session runs. Knows nothing of what a command does.

pub mod address;
pub mod words;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio_util::sync::CancellationToken;

pub use address::Address;

use super::session::{Answer, Command, OutputChange, Request, Snapshot, Watcher, fit};
use crate::core::output::OutputSpec;
use crate::core::transport::Change;

/// The longest request, bytes.
const REQUEST: usize = 64 << 10;
/// The longest line that a watcher takes, bytes: a snapshot is far below.
const LINE: usize = 1 << 20;
/// Watchers at one socket.
const WATCHERS: usize = 16;
/// A watcher that takes nothing for so long is left.
const PATIENCE: Duration = Duration::from_secs(30);

/// A line from a session to its watcher.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// The first line: who answers.
    Hello {
        /// `nmeasimx`.
        program: String,
        /// Its version.
        version: String,
        /// Of this protocol: 1.
        protocol: u32,
    },
    /// To a request, or an alarm.
    Answer(Answer),
    /// The newest one; only to those who sent a view.
    Snapshot(Arc<Snapshot>),
}

/// What a connection may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rights {
    /// Whoever may open the socket file is the user.
    All,
    /// Anybody on this machine: nothing that names a path, and no second line from somebody who does not speak JSON.
    NoPaths,
}

/// A socket that listens.
pub enum Listener {
    /// A socket file, mode 0600, removed when dropped.
    Unix(UnixListener, address::SocketFile),
    /// Loopback.
    Tcp(TcpListener),
}

impl Listener {
    /// Listens.
    ///
    /// # Errors
    /// The address is taken, not permitted, or not loopback; the message names it.
    pub async fn bind(address: &Address) -> io::Result<Listener> {
        match address {
            Address::Unix(path) => {
                let (listener, file) = address::bind_unix(path).await?;
                Ok(Listener::Unix(listener, file))
            }
            Address::Tcp(address) => Ok(Listener::Tcp(TcpListener::bind(address).await?)),
        }
    }
}

/// Serves watchers until `stop`. `watcher` makes a new end of the border, or `None` when the session is over.
///
/// # Errors
/// When accepting fails for good.
pub async fn serve<F>(listener: Listener, watcher: F, stop: CancellationToken) -> io::Result<()>
where
    F: Fn() -> Option<Watcher> + Send + Sync,
{
    let places = Arc::new(Semaphore::new(WATCHERS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return Ok(()) };
        let (reader, writer, rights): (Reader, Writer, Rights) = tokio::select! {
            () = stop.cancelled() => return Ok(()),
            accepted = accept(&listener) => match accepted {
                Ok(ends) => ends,
                Err(error) if is_passing(&error) => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
                Err(error) => return Err(error),
            },
        };
        let Some(end) = watcher() else { return Ok(()) };
        let stop = stop.clone();
        tokio::spawn(async move {
            let _place = place;
            tokio::select! {
                () = stop.cancelled() => {}
                _ended = attend(BufReader::new(reader), writer, end, rights) => {}
            }
        });
    }
}

type Reader = Box<dyn AsyncRead + Send + Unpin>;
type Writer = Box<dyn AsyncWrite + Send + Unpin>;

async fn accept(listener: &Listener) -> io::Result<(Reader, Writer, Rights)> {
    match listener {
        Listener::Unix(listener, _) => {
            let (reader, writer) = listener.accept().await?.0.into_split();
            Ok((Box::new(reader), Box::new(writer), Rights::All))
        }
        Listener::Tcp(listener) => {
            let (reader, writer) = listener.accept().await?.0.into_split();
            Ok((Box::new(reader), Box::new(writer), Rights::NoPaths))
        }
    }
}

/// Errors of `accept` that say nothing of the listener (accept(2)).
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionReset | Interrupted)
        || matches!(error.raw_os_error(), Some(23 | 24 | 105 | 12)) // ENFILE, EMFILE, ENOBUFS, ENOMEM
}

/// One watcher at a socket, until either side leaves.
async fn attend<R, W>(mut reader: R, mut writer: W, mut end: Watcher, rights: Rights) -> io::Result<()>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    let hello = Line::Hello { program: "nmeasimx".into(), version: env!("CARGO_PKG_VERSION").into(), protocol: 1 };
    say(&mut writer, &hello).await?;
    let (lines, mut asked) = mpsc::channel::<Request>(16);
    let (refusals, mut refused) = mpsc::channel::<Answer>(16);
    // Reading is a future of its own: a line that is half read must not be lost when an answer comes.
    let read = async {
        let mut line = Vec::new();
        loop {
            line.clear();
            if !read_line(&mut reader, &mut line, REQUEST).await? {
                return io::Result::Ok(());
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            match serde_json::from_slice::<Request>(&line) {
                Ok(request) if rights == Rights::NoPaths && names_a_path(&request.command) => {
                    let why = "not over TCP: this command names a path; use the session's unix: socket".to_owned();
                    let _left = refusals.send(Answer { id: request.id, result: Err(why) }).await;
                }
                Ok(request) => {
                    if lines.send(request).await.is_err() {
                        return Ok(());
                    }
                }
                Err(error) => {
                    let why = format!("not a request: {error}");
                    let _left = refusals.send(Answer { id: 0, result: Err(why) }).await;
                    if rights == Rights::NoPaths {
                        return Ok(());
                    }
                }
            }
        }
    };
    let talk = async {
        let mut looks = false;
        loop {
            tokio::select! {
                biased;
                answer = refused.recv() => match answer {
                    Some(answer) => say(&mut writer, &Line::Answer(answer)).await?,
                    None => return Ok(()),
                },
                answer = end.answers.recv() => match answer {
                    Some(answer) => say(&mut writer, &Line::Answer(answer)).await?,
                    None => return Ok(()),
                },
                request = asked.recv() => match request {
                    Some(request) => {
                        looks |= matches!(request.command, Command::View(_));
                        if end.requests.send(request).await.is_err() {
                            return Ok(());
                        }
                    }
                    None => return io::Result::Ok(()),
                },
                changed = end.snapshots.changed(), if looks => {
                    if changed.is_err() {
                        return Ok(());
                    }
                    let newest = Arc::clone(&end.snapshots.borrow_and_update());
                    show(&mut writer, newest).await?;
                }
            }
        }
    };
    tokio::pin!(talk);
    tokio::select! {
        done = &mut talk => return done,
        // Whoever only asks and then closes its side (`echo … | nc`) still gets its answers.
        done = read => done?,
    }
    tokio::time::timeout(Duration::from_secs(2), talk).await.unwrap_or(Ok(()))
}

/// Writes a line, within [`PATIENCE`].
async fn say<W: AsyncWrite + Unpin>(writer: &mut W, line: &Line) -> io::Result<()> {
    write(writer, serde_json::to_vec(line)?).await
}

/// Writes a snapshot, shortened where it is longer than is promised.
async fn show<W: AsyncWrite + Unpin>(writer: &mut W, snapshot: Arc<Snapshot>) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(&Line::Snapshot(snapshot.clone()))?;
    if bytes.len() > fit::MOST {
        let room = fit::MOST - "{\"snapshot\":}".len();
        bytes = serde_json::to_vec(&Line::Snapshot(Arc::new(fit::fit(&snapshot, room))))?;
    }
    write(writer, bytes).await
}

async fn write<W: AsyncWrite + Unpin>(writer: &mut W, mut bytes: Vec<u8>) -> io::Result<()> {
    bytes.push(b'\n');
    match tokio::time::timeout(PATIENCE, writer.write_all(&bytes)).await {
        Ok(done) => done,
        Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "the watcher does not read")),
    }
}

/// Reads a line without its terminator; `false` at the end. A last line without a terminator is a line.
async fn read_line<R: AsyncBufRead + Unpin>(reader: &mut R, line: &mut Vec<u8>, most: usize) -> io::Result<bool> {
    loop {
        let have = reader.fill_buf().await?;
        if have.is_empty() {
            return Ok(!line.is_empty());
        }
        let end = memchr::memchr(b'\n', have);
        let take = end.unwrap_or(have.len());
        if line.len() + take > most {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "line too long"));
        }
        line.extend_from_slice(&have[..take]);
        let used = take + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Commands that read or write a file or a device of the user's choice.
fn names_a_path(command: &Command) -> bool {
    match command {
        Command::Open(_)
        | Command::Input(..)
        | Command::SaveStretch { .. }
        | Command::Report(_)
        | Command::ExportMarks(_) => true,
        Command::Record(path) | Command::SaveProfile(path) => !path.is_empty(),
        Command::Output(OutputChange::Add(spec) | OutputChange::Edit(_, spec)) => {
            // One that cannot be read is refused anyway.
            OutputSpec::parse(spec).is_ok_and(|spec| spec.way.names_a_path())
        }
        Command::Change(Change::Set { key, .. }) => {
            ["file", "folder", "path", "device", "link"].iter().any(|name| key.ends_with(name))
        }
        _ => false,
    }
}

/// The other end: a watcher of the session behind a socket. When the session ends or the link drops, its answers end.
///
/// # Errors
/// Nobody listens there, or something else than a session does.
pub async fn connect(address: &Address) -> io::Result<Watcher> {
    let (reader, writer): (Reader, Writer) = match address {
        Address::Unix(path) => {
            let (reader, writer) = UnixStream::connect(path).await?.into_split();
            (Box::new(reader), Box::new(writer))
        }
        Address::Tcp(address) => {
            let (reader, writer) = TcpStream::connect(address).await?.into_split();
            (Box::new(reader), Box::new(writer))
        }
    };
    let mut reader = BufReader::new(reader);
    let mut first = Vec::new();
    let hello = tokio::time::timeout(Duration::from_secs(5), read_line(&mut reader, &mut first, LINE)).await;
    let protocol = match hello {
        Ok(Ok(true)) => match serde_json::from_slice::<Line>(&first) {
            Ok(Line::Hello { protocol, .. }) => Some(protocol),
            _ => None,
        },
        _ => None,
    };
    match protocol {
        Some(1) => {}
        Some(other) => {
            return Err(io::Error::other(format!("speaks protocol {other}, this program 1: update one of them")));
        }
        None => return Err(io::Error::other("what listens there is no nmeasimx session")),
    }
    let (requests, asked) = mpsc::channel(64);
    let (answer, answers) = mpsc::channel(256);
    let (newest, snapshots) = watch::channel(Arc::default());
    tokio::spawn(async move {
        tokio::select! {
            _ended = hear(reader, answer, newest) => {}
            _ended = ask(writer, asked) => {}
        }
    });
    Ok(Watcher { requests, answers, snapshots })
}

async fn hear(
    mut reader: BufReader<Reader>,
    answers: mpsc::Sender<Answer>,
    newest: watch::Sender<Arc<Snapshot>>,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if !read_line(&mut reader, &mut line, LINE).await? {
            return Ok(());
        }
        match serde_json::from_slice(&line)? {
            Line::Hello { .. } => {}
            Line::Answer(answer) => {
                if answers.send(answer).await.is_err() {
                    return Ok(());
                }
            }
            Line::Snapshot(snapshot) => {
                newest.send_replace(snapshot);
            }
        }
    }
}

async fn ask(mut writer: Writer, mut asked: mpsc::Receiver<Request>) -> io::Result<()> {
    while let Some(request) = asked.recv().await {
        let mut bytes = serde_json::to_vec(&request)?;
        bytes.push(b'\n');
        writer.write_all(&bytes).await?;
    }
    writer.shutdown().await
}

#[cfg(test)]
mod tests;

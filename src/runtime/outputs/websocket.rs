//! A WebSocket server. With the encoding `signalk` it answers as a Signal K server does (discovery, who is self, the stream
//! with its subscriptions); with sentences each is one message.
//!
//! A Signal K client gets the newest state at its period: one that is slow gets it less often, never late.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::encode::utc_of;
use super::tcp_server::{Connected, Piece, give, listening};
use super::{CLIENT_QUEUE, Client, Gauges, PATIENCE, Surroundings, Task};
use crate::core::encode::signalk;
use crate::core::encode::subscription::Subscription;
use crate::core::frame::Batch;
use crate::core::output::Encoding;
use crate::core::time::Moment;
use crate::runtime::queue;

/// More clients than this are turned away.
const MOST_CLIENTS: usize = 200;
/// The longest head of a request, and the longest message of a client, bytes.
const LONGEST: (usize, usize) = (8 << 10, 64 << 10);
/// A client says what it wants within this.
const HEAD: Duration = Duration::from_secs(5);

/// Listens and serves until the queue ends.
pub async fn run(task: &mut Task, address: SocketAddr) {
    let Some(listener) = listening(task, address).await else { return };
    let mut encoder = task.encoder();
    let (newest, seen) = watch::channel::<Option<Arc<Batch>>>(None);
    let mut clients: Vec<Connected> = Vec::new();
    let mut serving = JoinSet::new();
    let mut accepting = true;
    loop {
        tokio::select! { biased;
            parcel = task.next() => {
                let Some(parcel) = parcel else { break };
                if task.spec.encoding == Encoding::SignalK {
                    newest.send_replace(Some(parcel.batch.clone()));
                    continue;
                }
                clients.retain(|c| !c.queue.is_closed());
                let at = task.around.clock.wall();
                for (message, bytes) in encoder.encode(&parcel.batch).iter() {
                    let piece = Piece { bytes: bytes.to_vec().into(), sentences: message.sentences, at };
                    for client in &clients {
                        give(task, client, piece.clone(), parcel.patient).await;
                    }
                }
            }
            accepted = listener.accept(), if accepting => match accepted {
                Ok((stream, peer)) if serving.len() < MOST_CLIENTS => {
                    let client = Arc::new(Client::new(peer.to_string()));
                    let (queue, receiver) = queue::queue(CLIENT_QUEUE);
                    let server = Server {
                        encoding: task.spec.encoding,
                        paths: task.spec.paths.clone(),
                        period: Duration::from_millis(task.spec.period_ms.into()),
                        n: task.n,
                        client: client.clone(),
                        gauges: task.gauges.clone(),
                        around: task.around.clone(),
                    };
                    let (seen, stop) = (seen.clone(), task.stop.clone());
                    serving.spawn(async move {
                        tokio::select! {
                            () = stop.cancelled() => {}
                            // A client that goes is no event; one that is cut off was told.
                            _gone = server.serve(stream, receiver, seen) => {}
                        }
                    });
                    clients.push(Connected { client, queue });
                }
                Ok((_, peer)) => {
                    let text = format!("output {}: {peer} turned away: {MOST_CLIENTS} clients", task.n);
                        task.gauges.warn_often(&task.around, &text);
                }
                Err(error) => {
                    task.gauges.status(|s| s.last_error = Some(format!("accept: {error}")));
                    accepting = false;
                }
            },
            () = tokio::time::sleep(Duration::from_millis(200)), if !accepting => accepting = true,
            Some(_) = serving.join_next(), if !serving.is_empty() => {}
        }
    }
    drop((listener, clients, newest));
    let stop = task.stop.clone();
    tokio::select! {
        () = stop.cancelled() => {}
        () = async { while serving.join_next().await.is_some() {} } => {}
    }
}

/// What a client asked for.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    /// A document.
    Document(String),
    /// The stream: the key to answer, and what to hear.
    Stream(String, Subscription),
    /// Nothing there is: status line.
    Refused(&'static str),
}

struct Server {
    encoding: Encoding,
    paths: Vec<String>,
    period: Duration,
    n: u16,
    client: Arc<Client>,
    gauges: Arc<Gauges>,
    around: Surroundings,
}

/// The stream is over.
enum Over {
    /// The client has gone, or everything was said.
    Gone,
    /// It takes nothing.
    Stuck,
}

impl From<Error> for Over {
    fn from(_: Error) -> Over {
        Over::Gone
    }
}

impl From<io::Error> for Over {
    fn from(_: io::Error) -> Over {
        Over::Gone
    }
}

impl Server {
    async fn serve(
        &self,
        mut stream: TcpStream,
        queue: queue::Receiver<Piece>,
        seen: watch::Receiver<Option<Arc<Batch>>>,
    ) -> io::Result<()> {
        let Ok(head) = tokio::time::timeout(HEAD, head(&mut stream)).await else { return Ok(()) };
        let here = stream.local_addr()?.to_string();
        let context = seen.borrow().as_ref().map(|batch| signalk::context(&batch.vessel, self.around.seed()));
        let context = context.unwrap_or_else(|| signalk::context(&Default::default(), self.around.seed()));
        let answer = match asked(&head?, self.encoding, &here, &context) {
            Asked::Stream(key, subscription) => {
                let accept = derive_accept_key(key.as_bytes());
                let upgrade = format!(
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                     Sec-WebSocket-Accept: {accept}\r\n\r\n"
                );
                stream.write_all(upgrade.as_bytes()).await?;
                self.gauges.client_came(self.client.clone());
                let over = self.talk(stream, queue, seen, subscription).await;
                self.gauges.client_went(&self.client);
                if matches!(over, Over::Stuck) {
                    let seconds = PATIENCE / crate::core::time::SECOND;
                    let text = format!(
                        "output {}: {} took nothing for {seconds} s and was cut off",
                        self.n, self.client.address
                    );
                    self.gauges.warn_often(&self.around, &text);
                }
                return Ok(());
            }
            Asked::Document(body) => ("200 OK", body),
            Asked::Refused(status) => (status, format!("{{\"message\":\"{status}\"}}")),
        };
        let (status, body) = answer;
        let response = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(response.as_bytes()).await?;
        stream.shutdown().await
    }

    async fn talk(
        &self,
        stream: TcpStream,
        queue: queue::Receiver<Piece>,
        seen: watch::Receiver<Option<Arc<Batch>>>,
        subscription: Subscription,
    ) -> Over {
        let config = WebSocketConfig::default().max_message_size(Some(LONGEST.1)).max_frame_size(Some(LONGEST.1));
        let socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
        let talked = match self.encoding {
            Encoding::SignalK => self.deltas(socket, seen, subscription).await,
            _ => self.sentences(socket, queue).await,
        };
        match talked {
            Ok(()) => Over::Gone,
            Err(over) => over,
        }
    }

    async fn deltas(
        &self,
        mut socket: WebSocketStream<TcpStream>,
        seen: watch::Receiver<Option<Arc<Batch>>>,
        mut subscription: Subscription,
    ) -> Result<(), Over> {
        let seed = self.around.seed();
        let mut seen = seen;
        let context = |batch: Option<&Arc<Batch>>| {
            batch.map_or_else(|| signalk::context(&Default::default(), seed), |b| signalk::context(&b.vessel, seed))
        };
        let own = context(seen.borrow().as_ref());
        self.say(&mut socket, signalk::hello(&own, self.around.clock.utc()).to_string()).await?;
        let mut due = crate::runtime::clock::now();
        loop {
            tokio::select! {
                message = socket.next() => match message {
                    Some(Ok(Message::Text(text))) => {
                        if let Err(why) = subscription.apply(text.as_str(), &own) {
                            tracing::debug!("output {}: {}: {why}", self.n, self.client.address);
                        }
                        self.gauges.replies.fetch_add(1, Ordering::Relaxed);
                        due = crate::runtime::clock::now();
                    }
                    // A ping has been answered by the time it is seen here.
                    Some(Ok(_)) => {}
                    Some(Err(error)) => return Err(error.into()),
                    None => return Ok(()),
                },
                () = tokio::time::sleep_until(due), if !subscription.is_empty() => {
                    due += subscription.period_ms().map_or(self.period, |ms| Duration::from_millis(ms.into()));
                    if seen.has_changed().is_err() {
                        let _gone = socket.close(None).await;
                        return Ok(());
                    }
                    let Some(batch) = seen.borrow_and_update().clone() else { continue };
                    let Some(last) = batch.frames.last() else { continue };
                    let now = Moment { offset: last.offset, utc: utc_of(&batch, last) };
                    let wanted = |path: &str| subscription.wants(path) && signalk::passes(&self.paths, path);
                    if let Some(delta) = signalk::delta(&batch.vessel, now, &context(Some(&batch)), &wanted) {
                        self.say(&mut socket, delta.to_string()).await?;
                    }
                }
                changed = seen.changed(), if subscription.is_empty() => {
                    if changed.is_err() {
                        let _gone = socket.close(None).await;
                        return Ok(());
                    }
                }
            }
        }
    }

    async fn sentences(
        &self,
        mut socket: WebSocketStream<TcpStream>,
        mut queue: queue::Receiver<Piece>,
    ) -> Result<(), Over> {
        loop {
            tokio::select! {
                message = socket.next() => match message {
                    Some(Ok(_)) => {}
                    Some(Err(error)) => return Err(error.into()),
                    None => return Ok(()),
                },
                piece = queue.recv() => match piece {
                    Some(piece) => {
                        self.client.queue.store(queue.bytes() as u64, Ordering::Relaxed);
                        self.say(&mut socket, String::from_utf8_lossy(&piece.bytes).into_owned()).await?;
                    }
                    None => {
                        let _gone = socket.close(None).await;
                        return Ok(());
                    }
                },
            }
        }
    }

    async fn say(&self, socket: &mut WebSocketStream<TcpStream>, text: String) -> Result<(), Over> {
        let bytes = text.len();
        let patience = Duration::from_nanos(PATIENCE.unsigned_abs());
        match tokio::time::timeout(patience, socket.send(Message::text(text))).await {
            Ok(done) => done?,
            Err(_) => return Err(Over::Stuck),
        }
        self.client.sentences.fetch_add(1, Ordering::Relaxed);
        self.gauges.sent(1, bytes);
        Ok(())
    }
}

/// Reads the head of a request, to the blank line.
async fn head(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    loop {
        if head.len() >= LONGEST.0 || stream.read_buf(&mut head).await? == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "no request"));
        }
        if memchr::memmem::find(&head, b"\r\n\r\n").is_some() {
            return Ok(head);
        }
    }
}

/// What a request asks for. `here`: our own address, where the client does not say how it addressed us.
fn asked(head: &[u8], encoding: Encoding, here: &str, context: &str) -> Asked {
    let mut headers = [httparse::EMPTY_HEADER; 48];
    let mut request = httparse::Request::new(&mut headers);
    if !matches!(request.parse(head), Ok(httparse::Status::Complete(_))) {
        return Asked::Refused("400 Bad Request");
    }
    if request.method != Some("GET") {
        return Asked::Refused("405 Method Not Allowed");
    }
    let header = |name: &str| {
        let found = request.headers.iter().find(|h| h.name.eq_ignore_ascii_case(name));
        found.and_then(|h| std::str::from_utf8(h.value).ok()).map(str::trim)
    };
    let (path, query) = request.path.unwrap_or("/").split_once('?').unwrap_or((request.path.unwrap_or("/"), ""));
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { path };
    let plain = |host: &&str| host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:[]".contains(&b));
    let document = |value: Value| Asked::Document(value.to_string());
    let stream = |subscription: Subscription| match (header("upgrade"), header("sec-websocket-key")) {
        (Some(upgrade), Some(key)) if upgrade.eq_ignore_ascii_case("websocket") => {
            Asked::Stream(key.into(), subscription)
        }
        _ => Asked::Refused("426 Upgrade Required"),
    };
    match path {
        _ if encoding != Encoding::SignalK => stream(Subscription::default()),
        "/signalk" => document(signalk::discovery(header("host").filter(plain).unwrap_or(here))),
        "/signalk/v1/api/self" => document(signalk::api_self(context)),
        "/signalk/v1/stream" => match Subscription::from_query(query) {
            Some(subscription) => stream(subscription),
            None => Asked::Refused("501 Not Implemented"),
        },
        _ => Asked::Refused("404 Not Found"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(request: &str, encoding: Encoding) -> Asked {
        asked(format!("{request}\r\n\r\n").as_bytes(), encoding, "127.0.0.1:3000", "vessels.self")
    }

    #[test]
    fn a_signal_k_client_finds_its_way() {
        let Asked::Document(found) = ask("GET /signalk HTTP/1.1\r\nHost: boat.local:3000", Encoding::SignalK) else {
            panic!("no document")
        };
        assert!(found.contains("ws://boat.local:3000/signalk/v1/stream"), "{found}");
        let Asked::Document(found) = ask("GET /signalk/ HTTP/1.1\r\nHost: <script>", Encoding::SignalK) else {
            panic!("no document")
        };
        assert!(found.contains("ws://127.0.0.1:3000/"), "{found}");
        assert_eq!(
            ask("GET /signalk/v1/api/self HTTP/1.1", Encoding::SignalK),
            Asked::Document("\"vessels.self\"".into())
        );
        let upgrade = "HTTP/1.1\r\nUpgrade: WebSocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
        assert_eq!(
            ask(&format!("GET /signalk/v1/stream?subscribe=none {upgrade}"), Encoding::SignalK),
            Asked::Stream("dGhlIHNhbXBsZSBub25jZQ==".into(), Subscription::from_query("subscribe=none").unwrap())
        );
        assert!(matches!(ask(&format!("GET / {upgrade}"), Encoding::Nmea0183), Asked::Stream(..)));
    }

    #[test]
    fn what_is_not_there_is_refused() {
        for (request, status) in [
            ("GET /signalk/v1/stream HTTP/1.1", "426"),
            ("GET /signalk/v1/stream?subscribe=everything HTTP/1.1", "501"),
            ("GET / HTTP/1.1", "404"),
            ("POST /signalk HTTP/1.1", "405"),
            ("$GPRMC,1", "400"),
        ] {
            assert!(matches!(ask(request, Encoding::SignalK), Asked::Refused(s) if s.starts_with(status)), "{request}");
        }
    }
}

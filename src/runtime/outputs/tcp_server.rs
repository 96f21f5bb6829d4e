//! A TCP server: every client gets everything, none can hold up another.
//!
//! A client that does not keep up loses whole sentences, and is cut off when its oldest byte has waited ten seconds.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;

use super::{CLIENT_QUEUE, Client, PATIENCE, SEND_BUFFER, Surroundings, Task, stream};
use crate::core::time::Wall;
use crate::runtime::queue::{self, Refused, Weigh};
use crate::runtime::replies::Replies;

/// More clients than this are turned away.
const MOST_CLIENTS: usize = 1000;

/// The sentences of one batch on their way to a client.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Whole sentences.
    pub bytes: Bytes,
    /// How many.
    pub sentences: u64,
    /// When they were queued.
    pub at: Wall,
}

impl Weigh for Piece {
    fn weight(&self) -> usize {
        self.bytes.len() + 64
    }
}

/// A client and its queue.
pub struct Connected {
    /// The client.
    pub client: Arc<Client>,
    /// What waits for it.
    pub queue: queue::Sender<Piece>,
}

/// Listens and serves until the queue ends.
pub async fn run(task: &mut Task, address: SocketAddr) {
    let mut encoder = task.encoder();
    let Some(listener) = listening(task, address).await else { return };
    let mut clients: Vec<Connected> = Vec::new();
    let mut writers = JoinSet::new();
    let mut accepting = true;
    loop {
        tokio::select! { biased;
            parcel = task.next() => {
                let Some(parcel) = parcel else { break };
                let encoded = encoder.encode(&parcel.batch);
                if encoded.messages.is_empty() {
                    continue;
                }
                let sentences = encoded.sentences();
                let piece = Piece { bytes: encoded.bytes.into(), sentences, at: task.around.clock.wall() };
                clients.retain(|c| !c.queue.is_closed());
                for connected in &clients {
                    give(task, connected, piece.clone(), parcel.patient).await;
                }
            }
            accepted = listener.accept(), if accepting => match accepted {
                Ok((stream, peer)) => {
                    clients.retain(|c| !c.queue.is_closed());
                    if clients.len() >= MOST_CLIENTS {
                        let text = format!("output {}: {peer} turned away: {MOST_CLIENTS} clients", task.n);
                        task.gauges.warn_often(&task.around, &text);
                        continue;
                    }
                    clients.push(connect(task, stream, peer, &mut writers));
                }
                Err(error) => {
                    task.gauges.status(|s| s.last_error = Some(format!("accept: {error}")));
                    accepting = false;
                }
            },
            () = tokio::time::sleep(Duration::from_millis(200)), if !accepting => accepting = true,
            Some(_) = writers.join_next(), if !writers.is_empty() => {}
        }
    }
    drop(listener);
    drop(clients); // ends the queues: what is in them is still written
    let stop = task.stop.clone();
    tokio::select! {
        () = stop.cancelled() => {}
        () = async { while writers.join_next().await.is_some() {} } => {}
    }
}

/// Listens, and tries again until it can; `None`: there will be no more batches.
pub async fn listening(task: &mut Task, address: SocketAddr) -> Option<TcpListener> {
    loop {
        match listen(address) {
            Ok(listener) => {
                task.open(listener.local_addr().unwrap_or(address).to_string());
                return Some(listener);
            }
            Err(error) => {
                task.waiting(explain(address, &error));
                task.back_off().await?;
            }
        }
    }
}

/// Listens with a small send buffer, which every client inherits.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER as u32)?;
    socket.bind(address)?;
    socket.listen(256)
}

/// What went wrong with a local address, and what to do.
fn explain(address: SocketAddr, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => format!("{address} is taken by another program: stop it, or use another port"),
        io::ErrorKind::PermissionDenied => {
            format!("{address}: not permitted; ports below 1024 need rights, use a higher one")
        }
        io::ErrorKind::AddrNotAvailable => {
            format!("{address} is no address of this machine (see: nmeasimx interfaces)")
        }
        _ => format!("{address}: {error}"),
    }
}

fn connect(task: &Task, stream: TcpStream, peer: SocketAddr, writers: &mut JoinSet<()>) -> Connected {
    stream::settle(&stream);
    let client = Arc::new(Client::new(peer.to_string()));
    task.gauges.client_came(client.clone());
    let (queue, receiver) = queue::queue(CLIENT_QUEUE);
    let (reader, writer) = stream.into_split();
    let serving =
        Serving { n: task.n, client: client.clone(), gauges: task.gauges.clone(), around: task.around.clone() };
    let stop = task.stop.clone();
    writers.spawn(async move {
        tokio::select! {
            () = stop.cancelled() => {}
            () = serving.serve(receiver, reader, writer) => {}
        }
        serving.gauges.client_went(&serving.client);
    });
    Connected { client, queue }
}

/// Queues for one client: waits for room when the source can wait, else loses for this client alone.
pub async fn give(task: &Task, to: &Connected, piece: Piece, patient: bool) {
    let sentences = piece.sentences;
    match to.queue.try_push(piece) {
        Ok(()) | Err(Refused::Closed(_)) => {}
        Err(Refused::Full(piece)) if patient => {
            let stop = task.stop.clone();
            // A client that takes nothing is cut off, and then this wait ends as well.
            tokio::select! {
                _ = to.queue.push(piece) => {}
                () = stop.cancelled() => {}
            }
        }
        Err(Refused::Full(_)) => {
            to.client.dropped.fetch_add(sentences, Ordering::Relaxed);
            task.gauges.lost(sentences);
        }
    }
    to.client.queue.store(to.queue.bytes() as u64, Ordering::Relaxed);
}

struct Serving {
    n: u16,
    client: Arc<Client>,
    gauges: Arc<super::Gauges>,
    around: Surroundings,
}

impl Serving {
    async fn serve(&self, queue: queue::Receiver<Piece>, mut reader: OwnedReadHalf, mut writer: OwnedWriteHalf) {
        let read = async {
            let mut buffer = [0; 4096];
            let mut replies = Replies::new(self.n, self.around.replies.clone());
            loop {
                match reader.read(&mut buffer).await {
                    Ok(0) | Err(_) => return,
                    Ok(n) => {
                        self.gauges.replies.fetch_add(replies.push(&buffer[..n]), Ordering::Relaxed);
                    }
                }
            }
        };
        // A client that closes its sending side (`nc -N`) still wants to receive; the writer finds out if it is gone.
        let half = async {
            read.await;
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = half => {}
            () = self.write(queue, &mut writer) => {}
        }
    }

    async fn write(&self, mut queue: queue::Receiver<Piece>, writer: &mut OwnedWriteHalf) {
        while let Some(piece) = queue.recv().await {
            self.client.oldest.store(piece.at.unsigned_abs().max(1), Ordering::Relaxed);
            self.client.queue.store((queue.bytes() + piece.bytes.len()) as u64, Ordering::Relaxed);
            let deadline = self.around.clock.instant(piece.at + PATIENCE);
            match tokio::time::timeout_at(deadline, writer.write_all(&piece.bytes)).await {
                Ok(Ok(())) => {
                    self.client.sentences.fetch_add(piece.sentences, Ordering::Relaxed);
                    self.gauges.sent(piece.sentences, piece.bytes.len());
                }
                Ok(Err(_)) => return, // it hung up
                Err(_) => {
                    let lost = self.client.dropped.load(Ordering::Relaxed);
                    let text = format!(
                        "output {}: {} took nothing for {} s and was cut off, {lost} sentences lost for it",
                        self.n,
                        self.client.address,
                        PATIENCE / crate::core::time::SECOND
                    );
                    self.gauges.warn_often(&self.around, &text);
                    return;
                }
            }
            self.client.oldest.store(0, Ordering::Relaxed);
            self.client.queue.store(queue.bytes() as u64, Ordering::Relaxed);
        }
        // All is handed over: say so, so that the peer sees an end and not a reset. A peer that is gone does not matter.
        let _gone = writer.shutdown().await;
    }
}

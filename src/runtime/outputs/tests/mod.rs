//! How outputs behave at the other end of a socket.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

use super::*;
use crate::core::frame::{Batch, Frame};
use crate::core::vessel::Vessel;
use crate::runtime::hub::Told;
use crate::runtime::testing::start;

mod devices;
mod healing;

/// A hub with one output, fed by hand.
pub struct Bench {
    pub hub: mpsc::Sender<Told>,
    pub feeds: Feeds,
    pub around: Surroundings,
    pub output: Output,
    pub replies: mpsc::Receiver<(u16, Bytes)>,
    pub generation: watch::Sender<u32>,
    pub passing: tokio::task::JoinHandle<()>,
}

impl Bench {
    pub fn new(spec: &str) -> Bench {
        let clock = start();
        let (generation, heard) = watch::channel(0);
        let (replied, replies) = mpsc::channel(16);
        let around = Surroundings {
            clock,
            events: Events::new(clock),
            generation: heard.clone(),
            replies: replied,
            metadata: vec![("profile".into(), "Test".into())],
            protected: Protected::default(),
        };
        let feeds = Feeds::default();
        let (hub, batches) = mpsc::channel(4);
        let passing = tokio::spawn(hub::run(batches, feeds.clone(), heard, |_| {}));
        let mut output = Output::new(1, OutputSpec::parse(spec).unwrap());
        output.start(1, &feeds, &around);
        Bench { hub, feeds, around, output, replies, generation, passing }
    }

    /// Everything that was said is sent, then the output ends.
    async fn finish(self) -> Output {
        let Bench { mut output, feeds, hub, passing, .. } = self;
        drop(hub);
        passing.await.unwrap();
        output.stop(&feeds, Duration::from_secs(600)).await;
        output
    }

    pub async fn reaches(&self, link: Link) -> Status {
        let mut watch = self.output.watch();
        let reached = watch.wait_for(|s| s.link == link);
        let found = tokio::time::timeout(Duration::from_secs(60), reached).await;
        found.expect("the state comes").expect("the output lives").clone()
    }

    pub async fn say(&self, texts: &[&str], patient: bool) {
        let frames = texts.iter().zip(0..).map(|(t, i)| Frame::sentence(i, 0, Bytes::from(t.to_string()))).collect();
        let generation = *self.generation.borrow();
        let vessel = Arc::new(Vessel::default());
        let batch = Arc::new(Batch { generation, sent: 0, source_utc: Some(0), frames, vessel });
        self.hub.send(Told { batch, emit: true, patient }).await.unwrap();
    }

    pub fn events(&self) -> Vec<String> {
        self.around.events.newest(100).into_iter().map(|e| e.text).collect()
    }

    async fn connect(&self) -> TcpStream {
        let at = self.reaches(Link::Open).await.at;
        let clients = self.output.gauges.client_count.load(Ordering::Relaxed);
        let stream = TcpStream::connect(&at).await.unwrap();
        while self.output.gauges.client_count.load(Ordering::Relaxed) == clients {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        stream
    }
}

async fn read(stream: &mut TcpStream, n: usize) -> String {
    let mut bytes = vec![0; n];
    stream.read_exact(&mut bytes).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn every_client_of_a_server_gets_every_sentence() {
    let mut b = Bench::new("tcp-server:0");
    let (mut one, mut two) = (b.connect().await, b.connect().await);
    b.say(&["$GPHDT,1,T*00", "$GPHDT,2,T*00"], false).await;
    for client in [&mut one, &mut two] {
        assert_eq!(read(client, 30).await, "$GPHDT,1,T*00\r\n$GPHDT,2,T*00\r\n");
    }
    let mut late = b.connect().await;
    b.say(&["$GPHDT,3,T*00"], false).await;
    assert_eq!(read(&mut late, 15).await, "$GPHDT,3,T*00\r\n");
    b.output.stop(&b.feeds, Duration::from_secs(2)).await;
    assert_eq!(read(&mut one, 15).await, "$GPHDT,3,T*00\r\n");
    assert_eq!(one.read(&mut [0]).await.unwrap(), 0, "the end is an end, not a reset");
    let row = b.output.row(0, true);
    assert_eq!((row.sentences, row.bytes, row.dropped), (2 * 3 + 1, 15 * 7, 0));
    assert_eq!(row.state, Link::Closed);
}

#[tokio::test]
async fn what_a_client_sends_is_drained_and_counted() {
    let mut b = Bench::new("tcp-server:0");
    let mut client = b.connect().await;
    client.write_all(b"$PMTK,1*00\r\n$PMTK,2*00\r\n").await.unwrap();
    assert_eq!(b.replies.recv().await.unwrap(), (1, Bytes::from_static(b"$PMTK,1*00")));
    assert_eq!(b.replies.recv().await.unwrap(), (1, Bytes::from_static(b"$PMTK,2*00")));
    client.shutdown().await.unwrap(); // half closed: it still wants to hear
    b.say(&["$GPHDT,1,T*00"], false).await;
    assert_eq!(read(&mut client, 15).await, "$GPHDT,1,T*00\r\n");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_takes_nothing_is_cut_off_and_the_others_do_not_notice() {
    let b = Bench::new("tcp-server:0");
    let mut stuck = b.connect().await;
    let mut quick = b.connect().await;
    let long = format!("$PXTST,{}*00", "x".repeat(70));
    let texts = vec![long.as_str(); 200];
    let mut said = 0;
    let mut heard = 0;
    // 200 sentences a tenth of a second: the kernel's buffers of the stuck one are soon full.
    for _ in 0..300 {
        b.say(&texts, false).await;
        said += 200;
        heard += read(&mut quick, 200 * (long.len() + 2)).await.matches("$PXTST").count();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(heard, said);
    assert_eq!(b.output.gauges.client_count.load(Ordering::Relaxed), 1, "the stuck one is gone");
    let cut = b.events().iter().filter(|e| e.contains("took nothing for 10 s")).count();
    assert_eq!(cut, 1, "{:?}", b.events());
    assert!(b.output.dropped() > 0);
    let mut rest = Vec::new();
    // Whole sentences up to where it was cut off.
    let _reset = stuck.read_to_end(&mut rest).await;
    assert!(rest.starts_with(format!("{long}\r\n{long}\r\n").as_bytes()));
}

#[tokio::test(start_paused = true)]
async fn at_max_a_slow_client_sets_the_pace_and_loses_nothing() {
    let b = Bench::new("tcp-server:0");
    let mut client = b.connect().await;
    let long = format!("$PXTST,{}*00", "x".repeat(70));
    let texts = vec![long.as_str(); 250];
    let reader = tokio::spawn(async move {
        let mut bytes = Vec::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            tokio::time::sleep(Duration::from_millis(20)).await;
            match client.read(&mut buffer).await.unwrap() {
                0 => return bytes.split(|b| *b == b'\n').filter(|l| l.starts_with(b"$PXTST")).count(),
                n => bytes.extend_from_slice(&buffer[..n]),
            }
        }
    });
    for _ in 0..100 {
        b.say(&texts, true).await;
    }
    let output = b.finish().await;
    assert_eq!(reader.await.unwrap(), 100 * 250);
    assert_eq!(output.dropped(), 0);
}

#[tokio::test]
async fn a_log_and_a_file_hold_what_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let (log, plain) = (folder.path().join("a.log"), folder.path().join("a.txt"));
    for (spec, path) in [("log", &log), ("file", &plain)] {
        let b = Bench::new(&format!("{spec}:{};filter=HDT", path.display()));
        b.reaches(Link::Open).await;
        b.say(&["$GPHDT,1,T*00", "$GPGGA,2*00"], false).await;
        b.say(&["$GPHDT,3,T*00"], false).await;
        assert_eq!(b.finish().await.row(0, false).sentences, 2);
    }
    assert_eq!(std::fs::read_to_string(&plain).unwrap(), "$GPHDT,1,T*00\r\n$GPHDT,3,T*00\r\n");
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.starts_with("# NMEA Simulator X log 1\n"));
    let stamped: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
    assert_eq!(stamped, ["1970-01-01T00:00:00.000Z $GPHDT,1,T*00", "1970-01-01T00:00:00.000Z $GPHDT,3,T*00"]);
}

#[tokio::test]
async fn a_datagram_is_one_sentence() {
    let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let b = Bench::new(&format!("udp:{};filter=HDT", socket.local_addr().unwrap()));
    b.reaches(Link::Open).await;
    b.say(&["$GPHDT,1,T*00", "$GPRMC,1*00", "$GPHDT,2,T*00"], false).await;
    let mut datagram = [0; 100];
    for text in ["$GPHDT,1,T*00\r\n", "$GPHDT,2,T*00\r\n"] {
        let n = socket.recv(&mut datagram).await.unwrap();
        assert_eq!(&datagram[..n], text.as_bytes());
    }
    let output = b.finish().await;
    assert_eq!(output.row(0, false).sentences, 2);
}

#[tokio::test]
async fn a_multicast_group_hears_it() {
    let group = std::net::Ipv4Addr::new(239, 192, 0, 99);
    let socket = tokio::net::UdpSocket::bind("0.0.0.0:0").await.unwrap();
    socket.join_multicast_v4(group, std::net::Ipv4Addr::LOCALHOST).unwrap();
    let port = socket.local_addr().unwrap().port();
    let b = Bench::new(&format!("udp-multicast:{group}:{port};encoding=iec61162-450;interface=127.0.0.1"));
    b.say(&["$GPHDT,1,T*00"], false).await;
    b.reaches(Link::Open).await;
    let mut datagram = [0; 100];
    let n = socket.recv(&mut datagram).await.unwrap();
    // The same bytes as the test of the encoder works out by hand.
    assert_eq!(&datagram[..n], b"UdPbC\0\\s:II0001,n:1*01\\$GPHDT,1,T*00\r\n");
}

#[tokio::test]
async fn a_signal_k_client_gets_hello_and_then_deltas() {
    use futures_util::{SinkExt, StreamExt};
    use tokio_tungstenite::tungstenite::Message;
    let b = Bench::new("websocket:0;encoding=signalk;period=50ms");
    let at = b.reaches(Link::Open).await.at;
    let stream = TcpStream::connect(&at).await.unwrap();
    let address = format!("ws://{at}/signalk/v1/stream?subscribe=none");
    let (mut client, _) = tokio_tungstenite::client_async(address, stream).await.unwrap();
    let json = |message: Message| -> serde_json::Value { serde_json::from_str(message.to_text().unwrap()).unwrap() };
    let hello = json(client.next().await.unwrap().unwrap());
    assert!(hello["self"].as_str().unwrap().starts_with("vessels."), "{hello}");

    let mut vessel = Vessel::default();
    let heading = crate::core::vessel::Known { value: 90.0, at: 0, origin: crate::core::frame::Origin::Source };
    (vessel.heading_true_deg, vessel.depth_m) = (Some(heading), Some(heading));
    let frames = vec![Frame::sentence(0, 0, Bytes::from_static(b"$GPHDT,90,T*00"))];
    let batch = Batch { generation: 0, sent: 0, source_utc: Some(0), frames, vessel: Arc::new(vessel) };
    b.hub.send(Told { batch: Arc::new(batch), emit: true, patient: false }).await.unwrap();

    let wish = r#"{"context":"vessels.self","subscribe":[{"path":"navigation.headingTrue","period":50}]}"#;
    client.send(Message::text(wish)).await.unwrap();
    let delta = json(client.next().await.unwrap().unwrap());
    let values = delta["updates"][0]["values"].as_array().unwrap();
    assert_eq!(values.len(), 1, "only what was asked for: {delta}");
    let heading = values[0]["value"].as_f64().unwrap();
    assert!((heading - std::f64::consts::FRAC_PI_2).abs() < 1e-6, "{delta}");
    client.send(Message::Ping("are you there".into())).await.unwrap();
    loop {
        if let Message::Pong(answer) = client.next().await.unwrap().unwrap() {
            assert_eq!(&answer[..], b"are you there");
            break;
        }
    }
}

#[tokio::test]
async fn a_browser_gets_each_sentence_as_a_message() {
    use futures_util::StreamExt;
    let b = Bench::new("websocket:0");
    let at = b.reaches(Link::Open).await.at;
    let stream = TcpStream::connect(&at).await.unwrap();
    let (mut client, _) = tokio_tungstenite::client_async(format!("ws://{at}/"), stream).await.unwrap();
    b.say(&["$GPHDT,1,T*00", "$GPHDT,2,T*00"], false).await;
    for text in ["$GPHDT,1,T*00\r\n", "$GPHDT,2,T*00\r\n"] {
        assert_eq!(client.next().await.unwrap().unwrap().to_text().unwrap(), text);
    }
    assert_eq!(b.output.row(0, true).clients.len(), 1);
}

//! Live feeds over loopback sockets, files and ptys.

use std::net::Ipv4Addr;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, UdpSocket};

use super::*;

fn listen(text: &str) -> (mpsc::Receiver<News>, CancellationToken) {
    let (to, news) = mpsc::channel(64);
    let stop = CancellationToken::new();
    let _task = start(3, &InputSpec::parse(text).unwrap(), to, stop.clone());
    (news, stop)
}

/// The next state.
async fn state(news: &mut mpsc::Receiver<News>) -> (Link, String, Option<String>) {
    loop {
        match news.recv().await.unwrap().what {
            What::State { state, settings, error } => return (state, settings, error),
            _ => continue,
        }
    }
}

/// Bytes until there are as many.
async fn bytes(news: &mut mpsc::Receiver<News>, most: usize) -> Vec<u8> {
    let mut all = Vec::new();
    while all.len() < most {
        let news = news.recv().await.unwrap();
        assert_eq!(news.input, 3);
        if let What::Bytes(some) | What::Datagram(some) = news.what {
            all.extend_from_slice(&some);
        }
    }
    all
}

#[tokio::test]
async fn a_server_that_goes_and_comes_back_is_read_on() {
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = server.local_addr().unwrap();
    let (mut news, stop) = listen(&format!("tcp:{address}"));
    let (mut client, _) = server.accept().await.unwrap();
    client.write_all(b"$HEHDT,45.0,T*1E\r\n").await.unwrap();
    assert_eq!(state(&mut news).await.0, Link::Opening);
    assert_eq!(state(&mut news).await.0, Link::Open);
    assert_eq!(bytes(&mut news, 18).await, b"$HEHDT,45.0,T*1E\r\n");
    drop(client);
    let (waiting, _, error) = state(&mut news).await;
    assert_eq!(waiting, Link::Waiting);
    assert!(error.unwrap().contains(&address.to_string()));
    let (mut client, _) = server.accept().await.unwrap();
    client.write_all(b"again").await.unwrap();
    assert_eq!(bytes(&mut news, 5).await, b"again");
    stop.cancel();
    while news.recv().await.is_some() {}
}

#[tokio::test]
async fn a_refused_connection_is_told_once() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap();
    drop(taken);
    let (mut news, _stop) = listen(&format!("tcp:{address}"));
    assert_eq!(state(&mut news).await.0, Link::Opening);
    assert_eq!(state(&mut news).await.0, Link::Waiting);
    // A quarter of a second, half a one: at least one more try, and no more news of it.
    let more = tokio::time::timeout(Duration::from_millis(700), news.recv()).await;
    assert!(more.is_err(), "{more:?}");
}

#[tokio::test]
async fn datagrams_keep_their_ends() {
    let free = UdpSocket::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let (mut news, _stop) = listen(&format!("udp:{free}"));
    assert_eq!(state(&mut news).await.0, Link::Opening);
    assert_eq!(state(&mut news).await.0, Link::Open);
    let sender = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    for text in ["one", "two"] {
        sender.send_to(text.as_bytes(), free).await.unwrap();
    }
    for text in ["one", "two"] {
        assert_eq!(news.recv().await.unwrap().what, What::Datagram(text.into()));
    }
}

#[tokio::test]
async fn a_file_is_read_from_where_it_ends_and_through_a_rotation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.nmea");
    std::fs::write(&path, "old\n").unwrap();
    let (mut news, _stop) = listen(&format!("file:{}", path.display()));
    assert_eq!(state(&mut news).await.0, Link::Opening);
    assert_eq!(state(&mut news).await.0, Link::Open);
    let mut writer = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    std::io::Write::write_all(&mut writer, b"new\n").unwrap();
    assert_eq!(bytes(&mut news, 4).await, b"new\n");
    std::fs::rename(&path, folder.path().join("live.1")).unwrap();
    std::fs::write(&path, "next\n").unwrap();
    assert_eq!(bytes(&mut news, 5).await, b"next\n");
}

#[tokio::test]
async fn a_port_that_is_not_there_is_waited_for() {
    let (mut news, _stop) = listen("serial:/nowhere/ttyX@4800");
    assert_eq!(state(&mut news).await.0, Link::Opening);
    let (waiting, _, error) = state(&mut news).await;
    assert_eq!(waiting, Link::Waiting);
    assert!(error.unwrap().starts_with("/nowhere/ttyX: "));
}

/// A virtual serial port: what is written to the one end is read from the device of that name.
fn pty() -> (std::fs::File, String) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    (master.into(), name)
}

#[tokio::test]
async fn a_serial_port_is_read_and_returns_after_it_was_unplugged() {
    let (mut wire, name) = pty();
    let (mut news, _stop) = listen(&format!("serial:{name}@4800"));
    assert_eq!(state(&mut news).await.0, Link::Opening);
    assert_eq!(state(&mut news).await, (Link::Open, "4800 8N1".into(), None));
    std::io::Write::write_all(&mut wire, b"$HEHDT,45.0,T*1E\r\n").unwrap();
    assert_eq!(bytes(&mut news, 18).await, b"$HEHDT,45.0,T*1E\r\n");
    drop(wire);
    assert_eq!(state(&mut news).await.0, Link::Waiting);
}

#[tokio::test]
async fn a_port_that_returns_under_another_name_is_found_by_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let by_id = folder.path().join("usb-Adapter_A1-if00-port0");
    let (wire, first) = pty();
    std::os::unix::fs::symlink(&first, &by_id).unwrap();
    let (mut news, _stop) = listen(&format!("serial:{}@4800", by_id.display()));
    assert_eq!(state(&mut news).await.0, Link::Opening);
    assert_eq!(state(&mut news).await.0, Link::Open);
    let (mut other, second) = pty();
    assert_ne!(first, second);
    std::fs::remove_file(&by_id).unwrap();
    drop(wire);
    assert_eq!(state(&mut news).await.0, Link::Waiting);
    std::os::unix::fs::symlink(&second, &by_id).unwrap();
    // Waiting for another reason may be said in between.
    while state(&mut news).await.0 != Link::Open {}
    std::io::Write::write_all(&mut other, b"$HEHDT,45.0,T*1E\r\n").unwrap();
    assert_eq!(bytes(&mut news, 18).await, b"$HEHDT,45.0,T*1E\r\n");
}

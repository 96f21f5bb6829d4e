//! The border over real sockets.

use super::*;
use crate::runtime::session::View;

/// A session of one watcher that the test plays itself.
struct Fake {
    requests: mpsc::Receiver<Request>,
    answers: mpsc::Sender<Answer>,
    newest: watch::Sender<Arc<Snapshot>>,
}

fn border() -> (Watcher, Fake) {
    let (requests, asked) = mpsc::channel(4);
    let (answers, answered) = mpsc::channel(4);
    let (newest, snapshots) = watch::channel(Arc::default());
    (Watcher { requests, answers: answered, snapshots }, Fake { requests: asked, answers, newest })
}

async fn serve_one(address: &str) -> (Address, Fake, CancellationToken) {
    let listener = Listener::bind(&Address::parse(address).unwrap()).await.unwrap();
    let address = match &listener {
        Listener::Tcp(listener) => Address::Tcp(listener.local_addr().unwrap()),
        Listener::Unix(..) => Address::parse(address).unwrap(),
    };
    let (watcher, fake) = border();
    let stop = CancellationToken::new();
    let (one, token) = (std::sync::Mutex::new(Some(watcher)), stop.clone());
    tokio::spawn(serve(listener, move || one.lock().unwrap().take(), token));
    (address, fake, stop)
}

fn snapshot(seq: u64) -> Arc<Snapshot> {
    Arc::new(Snapshot { seq, name: "harbour".into(), ..Snapshot::default() })
}

#[tokio::test]
async fn a_watcher_behind_a_socket_is_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sock");
    let (address, mut fake, stop) = serve_one(&format!("unix:{}", path.display())).await;
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);

    let mut watcher = connect(&address).await.unwrap();
    let view = Request { id: 7, command: Command::View(Box::new(View { rows: 20, ..View::default() })) };
    watcher.requests.send(view.clone()).await.unwrap();
    assert_eq!(fake.requests.recv().await, Some(view));
    fake.answers.send(Answer { id: 7, result: Ok(serde_json::Value::Null) }).await.unwrap();
    assert_eq!(watcher.answers.recv().await.unwrap().id, 7);
    fake.newest.send_replace(snapshot(3));
    watcher.snapshots.changed().await.unwrap();
    assert_eq!(watcher.snapshots.borrow_and_update().seq, 3);

    stop.cancel();
    assert_eq!(watcher.answers.recv().await, None, "the end of the session is seen");
}

#[tokio::test]
async fn a_second_session_does_not_take_the_socket_of_a_live_one_but_of_a_dead_one() {
    let folder = tempfile::tempdir().unwrap();
    let address = Address::Unix(folder.path().join("s.sock"));
    let first = Listener::bind(&address).await.unwrap();
    let refused = Listener::bind(&address).await.err().unwrap();
    assert_eq!(refused.kind(), io::ErrorKind::AddrInUse);
    if let Listener::Unix(listener, file) = first {
        drop(listener);
        std::mem::forget(file); // as a killed session leaves it
    }
    assert!(Listener::bind(&address).await.is_ok());
    let plain = folder.path().join("notes.txt");
    std::fs::write(&plain, "mine").unwrap();
    assert!(Listener::bind(&Address::Unix(plain.clone())).await.is_err());
    assert_eq!(std::fs::read_to_string(plain).unwrap(), "mine");
}

#[tokio::test]
async fn over_tcp_no_path_is_named_and_a_stranger_is_shown_out() {
    let (address, mut fake, _stop) = serve_one("tcp:127.0.0.1:0").await;
    let Address::Tcp(address) = address else { panic!("tcp") };
    let mut stream = BufReader::new(TcpStream::connect(address).await.unwrap());
    let mut line = Vec::new();
    assert!(read_line(&mut stream, &mut line, LINE).await.unwrap());
    assert!(line.starts_with(b"{\"hello\":"));

    stream.write_all(b"{\"id\":1,\"command\":{\"record\":\"/etc/passwd\"}}\n").await.unwrap();
    line.clear();
    read_line(&mut stream, &mut line, LINE).await.unwrap();
    let refused: Line = serde_json::from_slice(&line).unwrap();
    assert!(matches!(refused, Line::Answer(Answer { id: 1, result: Err(why) }) if why.contains("path")));

    for (spec, id) in
        ["file:/etc/x", " file:/etc/x", "log:x;filter=RMC", "pty", "pty:/tmp/x", "serial:/dev/ttyS0"].iter().zip(10..)
    {
        for command in
            [Command::Output(OutputChange::Add((*spec).into())), Command::Output(OutputChange::Edit(0, (*spec).into()))]
        {
            let asked = serde_json::to_string(&Request { id, command }).unwrap();
            stream.write_all(format!("{asked}\n").as_bytes()).await.unwrap();
            line.clear();
            read_line(&mut stream, &mut line, LINE).await.unwrap();
            let refused: Line = serde_json::from_slice(&line).unwrap();
            assert!(
                matches!(refused, Line::Answer(Answer { result: Err(why), .. }) if why.contains("path")),
                "{asked}"
            );
        }
    }

    stream.write_all(b"{\"id\":2,\"command\":{\"transport\":\"pause\"}}\n").await.unwrap();
    assert_eq!(fake.requests.recv().await.unwrap().id, 2);

    stream.write_all(b"GET / HTTP/1.1\n{\"id\":3,\"command\":\"quit\"}\n").await.unwrap();
    line.clear();
    read_line(&mut stream, &mut line, LINE).await.unwrap();
    assert!(fake.requests.recv().await.is_none(), "nothing after the first line that is no request");
}

#[tokio::test]
async fn a_snapshot_on_the_wire_is_at_most_64_kilobytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.sock");
    let (_, mut fake, _stop) = serve_one(&format!("unix:{}", path.display())).await;
    let mut stream = BufReader::new(UnixStream::connect(&path).await.unwrap());
    stream.write_all(b"{\"id\":1,\"command\":{\"view\":{\"rows\":20}}}\n").await.unwrap();
    fake.requests.recv().await.unwrap();
    let alarms = vec!["é".repeat(10_000); 8];
    fake.newest.send_replace(Arc::new(Snapshot { alarms, seq: 5, ..Snapshot::default() }));
    let mut line = Vec::new();
    for _ in 0..2 {
        line.clear();
        read_line(&mut stream, &mut line, LINE).await.unwrap();
    }
    assert!(line.len() <= 64 << 10, "{}", line.len());
    let Line::Snapshot(seen) = serde_json::from_slice(&line).unwrap() else { panic!("a snapshot") };
    assert_eq!((seen.seq, seen.alarms.len()), (5, 8));
}

#[tokio::test]
async fn a_request_without_end_is_not_kept() {
    let mut endless: &[u8] = &[b'x'; REQUEST + 1];
    let mut line = Vec::new();
    assert_eq!(read_line(&mut endless, &mut line, REQUEST).await.unwrap_err().kind(), io::ErrorKind::InvalidData);
    assert!(line.len() <= REQUEST);
}

#[test]
fn a_command_survives_the_wire() {
    for command in [
        Command::Quit,
        Command::Record(String::new()),
        Command::View(Box::default()),
        Command::Change(Change::Nudge { key: "vessel.heading".into(), by: -10.0 }),
        Command::Output(OutputChange::Add("udp:127.0.0.1:2000".into())),
    ] {
        let text = serde_json::to_string(&Request { id: 1, command: command.clone() }).unwrap();
        assert_eq!(serde_json::from_str::<Request>(&text).unwrap().command, command);
    }
}

#[test]
fn the_examples_of_the_documentation_are_requests() {
    let page = include_str!("../../../docs/control.md");
    let mut read = 0;
    for line in page.lines().filter_map(|line| line.trim().strip_prefix("> ")) {
        serde_json::from_str::<Request>(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        read += 1;
    }
    assert_eq!(read, 3);
    let row = page.lines().find(|line| line.starts_with("| `transport`")).unwrap();
    for value in row.split('`').skip(3).step_by(2) {
        let command = format!("{{\"transport\":{value}}}");
        serde_json::from_str::<Command>(&command).unwrap_or_else(|error| panic!("{command}: {error}"));
    }
    for line in page.lines().filter_map(|line| line.trim().strip_prefix("nmeasimx ctl ")) {
        let words = line.split(" #").next().unwrap().trim().replace('\'', "");
        if !words.starts_with("unix:") {
            words::parse(&words).unwrap_or_else(|error| panic!("{words}: {error}"));
        }
    }
}

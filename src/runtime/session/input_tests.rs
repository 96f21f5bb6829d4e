//! Other settings for an input of a live feed, as a watcher asks for them.

use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use super::snapshot::Link;
use super::tests::bench;
use super::*;
use crate::core::input::InputSpec;
use crate::runtime::clock::Clock;

const LINE: &[u8] = b"$HEHDT,45.0,T*1E\r\n";

async fn server() -> (TcpListener, String) {
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let spec = format!("tcp:{}", server.local_addr().unwrap());
    (server, spec)
}

#[tokio::test]
async fn one_input_is_changed_while_the_others_and_all_counters_go_on() {
    let ((first, a), (second, b), (third, c)) = (server().await, server().await, server().await);
    let inputs = [&a, &b].map(|spec| InputSpec::parse(spec).unwrap()).to_vec();
    let mut bench = bench(Plan::new(Choice::Live { inputs, strict: false }, Clock::system())).await;
    let (mut one, _) = first.accept().await.unwrap();
    let (mut two, _) = second.accept().await.unwrap();
    one.write_all(LINE).await.unwrap();
    two.write_all(LINE).await.unwrap();
    bench.until(|s| s.inputs.iter().map(|i| i.sentences).eq([1, 1])).await;

    let said = bench.ask(Command::Input(0, c.clone())).await.unwrap();
    assert_eq!(said, format!("input 1: now {c}"));
    let (mut three, _) = third.accept().await.unwrap();
    three.write_all(LINE).await.unwrap();
    two.write_all(LINE).await.unwrap();
    let seen = bench.until(|s| s.inputs.iter().map(|i| i.sentences).eq([2, 2])).await;
    assert_eq!(seen.inputs.iter().map(|i| i.spec.as_str()).collect::<Vec<_>>(), [c.as_str(), b.as_str()]);
    assert_eq!((seen.inputs[0].state, seen.inputs[0].reopened, seen.name), (Link::Open, 0, format!("{c} {b}")));
    assert_eq!(seen.counts.sentences, 4);

    for (n, spec, why) in
        [(7, c.as_str(), "there is no input 7"), (0, "tcp:nowhere", "is no port"), (0, "-", "standard input")]
    {
        let error = bench.ask(Command::Input(n, spec.into())).await.unwrap_err();
        assert!(error.contains(why), "{error}");
    }
    // What the session sends itself is no input.
    bench.ask(Command::Output(OutputChange::Add(format!("tcp-server:{}", &a["tcp:".len()..])))).await.unwrap();
    let error = bench.ask(Command::Input(0, a)).await.unwrap_err();
    assert!(error.contains("feed itself"), "{error}");
}

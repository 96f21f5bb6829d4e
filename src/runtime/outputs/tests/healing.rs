//! How outputs go on by themselves after trouble, and what they tell of it.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_port_that_is_taken_is_tried_again_and_told_once() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = taken.local_addr().unwrap().port();
    let b = Bench::new(&format!("tcp-server:{port}"));
    let status = b.reaches(Link::Waiting).await;
    assert!(status.last_error.unwrap().contains("is taken by another program"));
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(b.events().len(), 1, "{:?}", b.events());
    drop(taken);
    b.reaches(Link::Open).await;
}

#[tokio::test]
async fn a_client_of_a_server_that_went_away_connects_again() {
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = server.local_addr().unwrap();
    let mut b = Bench::new(&format!("tcp-client:{address}"));
    let (mut peer, _) = server.accept().await.unwrap();
    b.reaches(Link::Open).await;
    b.say(&["$GPHDT,1,T*00"], false).await;
    assert_eq!(read(&mut peer, 15).await, "$GPHDT,1,T*00\r\n");
    peer.write_all(b"$PACK,1*00\r\n").await.unwrap();
    assert_eq!(b.replies.recv().await.unwrap().1, Bytes::from_static(b"$PACK,1*00"));
    drop(peer);
    b.reaches(Link::Waiting).await;
    b.say(&["$GPHDT,2,T*00"], false).await; // nobody is there: it is gone
    let (mut peer, _) = server.accept().await.unwrap();
    b.reaches(Link::Open).await;
    b.say(&["$GPHDT,3,T*00"], false).await;
    assert_eq!(read(&mut peer, 15).await, "$GPHDT,3,T*00\r\n");
    b.output.stop(&b.feeds, Duration::from_secs(2)).await;
    assert_eq!(peer.read(&mut [0]).await.unwrap(), 0);
    let told = b.events();
    assert_eq!(told.iter().filter(|e| e.contains("tried again")).count(), 1, "{told:?}");
}

#[tokio::test]
async fn a_network_that_is_not_there_is_waited_for() {
    let b = Bench::new("udp-broadcast:nosuch0:2000");
    let status = b.reaches(Link::Waiting).await;
    assert!(status.last_error.unwrap().contains("there is no interface nosuch0"));
}

/// The waits are a quarter of a second, then doubled up to five: 7.75 s for the first five tries, then one each 5 s.
#[tokio::test(start_paused = true)]
async fn a_peer_that_hangs_up_each_time_is_tried_ever_more_slowly_and_told_no_more() {
    let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let b = Bench::new(&format!("tcp-client:{}", server.local_addr().unwrap()));
    let began = b.around.clock.wall();
    for connection in 0..20 {
        let (peer, _) = server.accept().await.unwrap();
        drop(peer);
        let status = b.reaches(Link::Waiting).await;
        assert!(status.last_error.unwrap().contains("closed by the other side"));
        if connection == 10 {
            let told = b.output.watch().wait_for(|s| s.retry_at.is_some()).await.unwrap().clone();
            let now = b.around.clock.wall();
            let retry = b.output.row(now, false).retry.unwrap();
            assert_eq!(retry, told.retry_at.unwrap() - now);
            assert!((4 * SECOND..=5 * SECOND).contains(&retry), "{retry}");
        }
    }
    assert!(b.around.clock.wall() - began >= 70 * SECOND);
    let told = b.events();
    assert!(told.len() <= 7, "{told:?}");
    assert!(told.last().unwrap().contains("told again when it holds"), "{told:?}");
    let (_peer, _) = server.accept().await.unwrap();
    b.reaches(Link::Open).await;
    for _ in 0..12 {
        b.say(&["$GPHDT,1,T*00"], false).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert!(b.events().last().unwrap().contains("open again, and holds"), "{:?}", b.events());
    assert_eq!(b.output.row(0, false).retry, None);
}

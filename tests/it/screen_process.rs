//! The program itself on a terminal: what must hold for a session while the screen is in trouble.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use nmeasimx::core::time::SECOND;
use nmeasimx::term::clock;

use crate::pty::Session;

const PROGRAM: &str = env!("CARGO_BIN_EXE_nmeasimx");

/// A port that was free a moment ago.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Exclusive or of the bytes between `$` or `!` and `*`, against what stands behind it.
fn sum_is_right(line: &str) -> bool {
    let Some((body, given)) = line.split_once(['$', '!']).and_then(|(_, rest)| rest.split_once('*')) else {
        return false;
    };
    let sum = body.bytes().fold(0, |a, b| a ^ b);
    given.get(..2) == Some(format!("{sum:02X}").as_str())
}

#[test]
fn clients_get_every_sentence_while_the_terminal_is_stalled() {
    let port = free_port();
    let address = format!("127.0.0.1:{port}");
    // ten rounds a second; each says the time once
    let mut session = Session::start(&[PROGRAM, "run", "--rate", "100", "-o", &format!("tcp-server:{address}")], &[]);
    session.until("SIMULATE");
    let client = TcpStream::connect(&address).unwrap();
    client.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    // from here on nobody reads the terminal; every change of the view is a whole screen
    let begin = clock::now();
    let mut times = Vec::new();
    let mut lines = BufReader::new(client).lines();
    let mut pressed = 0;
    while clock::now() - begin < 5 * SECOND {
        let line = lines.next().unwrap().unwrap();
        assert!(sum_is_right(&line), "{line}");
        if let Some(time) = line.strip_prefix("$GPGGA,").and_then(|l| l.split(',').next()) {
            let number = |r: std::ops::Range<usize>| time[r].parse::<u32>().unwrap();
            let tenths = (number(0..2) * 3600 + number(2..4) * 60 + number(4..6)) * 10
                + time.get(7..8).map_or(0, |t| t.parse().unwrap());
            times.push(tenths);
            session.press(if pressed % 2 == 0 { b"5" } else { b"1" });
            pressed += 1;
        }
    }
    assert!(times.len() > 20, "only {} fixes in five seconds", times.len());
    let steps: Vec<u32> = times.windows(2).map(|w| (w[1] + 864_000 - w[0]) % 864_000).collect();
    assert!(steps.iter().all(|s| *s == 1), "a fix every tenth of a second, but: {steps:?}");
    // and the screen is left all the same
    session.press(b"\x1bq");
    std::thread::sleep(Duration::from_millis(300));
    session.press(b"y");
    assert!(session.ended_within(5 * SECOND).success());
    session.end();
    assert!(session.is_restored());
}

#[test]
fn a_terminal_closed_while_recording_leaves_a_whole_recording() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("a.log");
    let output = format!("tcp-server:127.0.0.1:{}", free_port());
    let mut session = Session::start(&[PROGRAM, "run", "--record", log.to_str().unwrap(), "-o", &output], &[]);
    session.until("SIMULATE");
    let begin = clock::now();
    while clock::now() - begin < 2 * SECOND {
        session.pump();
    }
    session.close();
    // two seconds promised, one for a busy machine
    assert_eq!(session.ended_within(3 * SECOND).exit_code(), 129);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.ends_with('\n'));
    let sentences: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
    assert!(sentences.len() > 10, "{} sentences", sentences.len());
    assert!(sentences.iter().all(|l| sum_is_right(l)));
}

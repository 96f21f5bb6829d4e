//! The program itself on a terminal: what must hold for a session while the screen is in trouble.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use nmeasimx::core::time::SECOND;
use nmeasimx::term::clock;

use crate::pty::Session;

const PROGRAM: &str = env!("CARGO_BIN_EXE_nmeasimx");

/// A port that was free a moment ago.
pub(crate) fn free_port() -> u16 {
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

/// Every escape sequence in `bytes` is one that the screen itself sends, and nothing else controls the terminal.
fn is_tame(bytes: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).map_err(|e| format!("not UTF-8: {e}"))?;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' => {
                let mut sequence = String::new();
                for c in chars.by_ref() {
                    sequence.push(c);
                    if c.is_ascii_alphabetic() {
                        break;
                    }
                }
                let inner = sequence.strip_prefix('[').unwrap_or_default();
                let (parameters, last) = inner.split_at(inner.len().saturating_sub(1));
                let known = "HCKmhlrJ".contains(last) && parameters.chars().all(|c| "0123456789;?".contains(c));
                if !(sequence == "M" || known && !inner.is_empty()) {
                    return Err(format!("ESC {sequence:?}"));
                }
            }
            '\r' | '\n' | '\x08' => {}
            c if c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{300}'..='\u{36f}') =>
            {
                return Err(format!("{c:?}"));
            }
            _ => {}
        }
    }
    Ok(())
}

#[test]
fn the_judge_of_hostile_bytes_knows_them() {
    assert_eq!(is_tame(b"\x1b[?2026h\x1b[1;31mBAD\x1b[m\r\n\x1b[5;10H\x1b[K\x1bM\x1b[2;9r\x1b[r"), Ok(()));
    for bytes in [
        &b"\x1b]0;t\x07"[..],
        b"\x1bc",
        b"\x07",
        b"\xc2\x9b2J",
        b"\x9b2J",
        b"\x1b[6n",
        b"\x1b[?1;2c",
        b"\xe2\x80\xae",
        b"\t",
    ] {
        assert!(is_tame(bytes).is_err(), "{bytes:?}");
    }
}

#[test]
fn hostile_bytes_are_shown_and_never_obeyed() {
    let dir = tempfile::tempdir().unwrap();
    let name = "evil\u{1b}]0;owned\u{7}\u{202e}\u{9b}31m.log";
    let log = dir.path().join(name);
    let mut bytes = Vec::new();
    for n in 0..200 {
        let body = format!("GPGLL,3756.18,N,02336.44,E,0931{:02}.00,A,A", n % 60);
        let sum = body.bytes().fold(0, |a, b| a ^ b);
        bytes.extend(format!("${body}*{sum:02X}\r\n").bytes());
        let hostile: [&[u8]; 8] = [
            b"$GPTXT,01,01,02,\x1b[2J\x1b]0;title\x07\x1bc*00",
            b"\x9b2J\x84\x85\x90 C1 \xc2\x9b31m",
            "bidi \u{202e}desrever\u{202c} \u{2066}isolated\u{2069} zero\u{200b}width e\u{301}".as_bytes(),
            b"\x00NUL\ttab\x08\x08back\x0c\x0b\x0e\x0f",
            "wide 船舶 and emoji 🚢👩‍🚀".as_bytes(),
            b"\\s:\x1b[31m,c:1*00\\$GPXXX*00",
            b"!AIVDM,1,1,,A,\x1b[?1049l,0*00",
            b"\xff\xfe\xfd",
        ];
        bytes.extend_from_slice(hostile[n % hostile.len()]);
        bytes.extend_from_slice(b"\r\n");
        if n == 100 {
            bytes.extend(std::iter::repeat_n(b"\x1b[31m", 200_000).flatten());
            bytes.extend_from_slice(b"\n");
        }
    }
    std::fs::write(&log, &bytes).unwrap();
    let output = format!("tcp-server:127.0.0.1:{}", free_port());
    let mut session = Session::start(&[PROGRAM, "replay", log.to_str().unwrap(), "-o", &output], &[]);
    session.until("REPLAY");
    // a new size is a new picture, also where a key changed nothing
    let mut cols = 80;
    let mut redrawn = |session: &mut Session| {
        cols = 161 - cols;
        std::thread::sleep(Duration::from_millis(150));
        let seen = session.bytes.len();
        session.resize(cols, 24);
        while !session.bytes[seen..].windows(4).any(|w| w == b"\x1b[2J") {
            assert!(session.pump(), "ended:\n{}", session.text());
        }
    };
    // through the list, the inspector, the hex view, every view, the dialogs, and a hostile paste into each prompt
    let keys: [&[u8]; 18] = [
        b" ",
        b"g",
        b"jj",
        b"\r",
        b"\x1b",
        b"x",
        b"\x1b",
        b"e",
        b"e",
        b"G",
        b"2",
        b"3",
        b"4",
        b"5",
        b"1",
        b"o",
        b"\x1b[200~\x1b[2J\xe2\x80\xae\nevil\x07\x1b[201~",
        b"\x1b",
    ];
    for key in keys {
        session.press(key);
        redrawn(&mut session);
        assert!(session.judge.screen().alternate_screen(), "after {key:?}");
    }
    session.press(b":\x1b[200~quit\r\x9b2J\x1b[201~");
    redrawn(&mut session);
    session.press(b"\x1b\x1b");
    redrawn(&mut session);
    session.press(b"q");
    std::thread::sleep(Duration::from_millis(300));
    session.press(b"y");
    assert!(session.end().success(), "{}", session.text());
    assert_eq!(is_tame(&session.bytes), Ok(()));
    let shown = String::from_utf8_lossy(&session.bytes).into_owned();
    assert!(shown.contains("^[") && shown.contains("\\x"), "hostile bytes are visible");
}

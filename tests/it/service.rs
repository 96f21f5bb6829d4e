//! A session without a screen of its own: watched from elsewhere, told by a service manager, killed, on a full disk.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use nmeasimx::core::time::{SECOND, Wall};
use nmeasimx::term::clock;
use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};

use crate::pty::Session;
use crate::screen_process::free_port;
use crate::sessions::{Running, errors, program, run, sentences};

const PROGRAM: &str = env!("CARGO_BIN_EXE_nmeasimx");
/// Five hundred sentences a second and more: 25 kinds at twenty a second.
const LOAD: [&str; 4] = ["--rate", "50", "--enable", "GLL,HDT,HDM,MWV-T,MWD,VWR,VWT"];

/// What `ctl` says of the session behind `s.sock`.
fn status(folder: &Path) -> serde_json::Value {
    let told = run(folder, &["ctl", "unix:s.sock", "status"]);
    serde_json::from_slice(&told.stdout).unwrap_or_else(|e| panic!("{e}: {}", errors(&told)))
}

/// Waits until the status is as it should be.
fn until(folder: &Path, what: &str, right: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
    for _ in 0..300 {
        let now = status(folder);
        if right(&now) {
            return now;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("never {what}: {}", status(folder));
}

/// A session that stands still until it is told to play, with a server for `client`.
fn start(folder: &Path, more: &[&str]) -> (Running, TcpStream) {
    let server = format!("tcp-server:127.0.0.1:{}", free_port());
    let args = ["run", "--headless", "--paused", "--seed", "1", "--control", "unix:s.sock", "-o", &server];
    let mut running = Running::start(folder, &[&args[..], more].concat());
    running.says("open");
    let client = TcpStream::connect(&server["tcp-server:".len()..]).unwrap();
    client.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    until(folder, "connected", |s| s["outputs"][0]["client_count"] == 1);
    (running, client)
}

/// Every screen is opened, a terminal is killed, two look at once, one leaves, one ends the session: the client gets
/// exactly what is recorded, from the first sentence to the last.
#[test]
fn a_session_under_load_notices_nothing_of_screens_that_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let (running, mut client) = start(folder.path(), &[&LOAD[..], &["--record", "a.log"]].concat());
    let reader = std::thread::spawn(move || {
        let mut all = String::new();
        client.read_to_string(&mut all).unwrap();
        all
    });
    let home = folder.path().to_str().unwrap();
    let socket = format!("unix:{home}/s.sock");
    let attach = || Session::start(&[PROGRAM, "attach", &socket], &[("HOME", home)]);
    assert_eq!(run(folder.path(), &["ctl", "unix:s.sock", "play"]).status.code(), Some(0));

    let mut one = attach();
    for (key, words) in [("2", "DIAGNOSE"), ("3", "range"), ("4", "CLIENTS"), ("5", "EVENTS"), ("1", "Sentences")] {
        one.press(key.as_bytes());
        one.until(words);
    }
    let mut two = attach();
    two.press(b"4");
    two.until("CLIENTS");
    one.close();
    assert_eq!(one.ended_within(5 * SECOND).exit_code(), 129, "the terminal hung up");
    let before = status(folder.path())["counts"]["sentences"].as_u64().unwrap();
    until(folder.path(), "going on", |s| s["counts"]["sentences"].as_u64().unwrap() > before + 500);

    two.press(b"q");
    assert!(two.end().success(), "leaving asks nothing");
    let now = status(folder.path());
    assert_eq!(
        (&now["run"], &now["outputs"][0]["client_count"], &now["record"]["on"]),
        (&"running".into(), &1.into(), &true.into())
    );
    assert_eq!((&now["outputs"][0]["dropped"], &now["record"]["alarm"]), (&0.into(), &serde_json::Value::Null));

    let mut three = attach();
    three.until("Sentences");
    three.press(b"Q");
    three.until("End the session?");
    three.press(b"n");
    three.press(b"4");
    three.until("CLIENTS");
    three.press(b"Q");
    three.until("End the session?");
    three.press(b"y");
    three.end();
    assert_eq!(running.status(), 0);
    let got = reader.join().unwrap().replace("\r\n", "\n");
    let recorded = sentences(&std::fs::read_to_string(folder.path().join("a.log")).unwrap());
    assert!(got.lines().count() > 1000, "{} lines", got.lines().count());
    assert!(got == recorded, "{} received, {} recorded", got.lines().count(), recorded.lines().count());
}

/// What was sent more than a second before the process was killed is on the disk, and the log goes on where it was torn.
#[test]
fn a_killed_recording_misses_at_most_the_last_second() {
    let folder = tempfile::tempdir().unwrap();
    // Ten kinds, ten times a second.
    let said = "RMC,GGA,GLL,VTG,ZDA,HDG,VHW,DPT,MTW,MWV-R";
    let silent = "GSA,GSV,ROT,DBT,RSA,RPM,XDR";
    let more = ["--rate", "100", "--enable", said, "--disable", silent, "--record", "a.log"];
    let (mut running, client) = start(folder.path(), &more);
    assert_eq!(run(folder.path(), &["ctl", "unix:s.sock", "play"]).status.code(), Some(0));
    let mut got: Vec<(Wall, String)> = Vec::new();
    for line in BufReader::new(client).lines().take(350) {
        got.push((clock::now(), line.unwrap()));
    }
    let killed = clock::now();
    running.0.kill().unwrap();
    running.0.wait().unwrap();

    let log = std::fs::read_to_string(folder.path().join("a.log")).unwrap();
    let whole = &log[..log.rfind('\n').unwrap() + 1];
    let recorded = sentences(whole);
    let old: Vec<&str> = got.iter().filter(|(at, _)| killed - *at >= SECOND).map(|(_, line)| line.as_str()).collect();
    assert!(old.len() > 100, "{} were sent a second before", old.len());
    assert!(recorded.lines().count() >= old.len(), "{} of {}", recorded.lines().count(), old.len());
    assert!(recorded.lines().zip(&old).all(|(a, b)| a == *b));
    let check = run(folder.path(), &["check", "a.log", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&check.stdout).unwrap();
    assert!(report["skipped"]["total"].as_u64().unwrap() <= 1, "at most the torn last line: {report}");

    let again =
        run(folder.path(), &["run", "--headless", "-q", "--duration", "1", "--record", "a.log", "-o", "tcp-server:0"]);
    assert_eq!(again.status.code(), Some(0), "{}", errors(&again));
    let after = std::fs::read_to_string(folder.path().join("a.log")).unwrap();
    assert!(after.starts_with(&log) && after[log.len()..].contains("# resumed: "));
}

/// A disk that is full for a while, played by a limit that is lifted: nothing is missing afterwards.
#[test]
fn a_recording_goes_on_when_there_is_room_again_and_nothing_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        "ulimit -S -f 100; exec {PROGRAM} run --headless -q --rate 50 --speed 5 --record a.log --control unix:s.sock -o stdout"
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(folder.path()).env("HOME", folder.path()).stdin(Stdio::null());
    let mut running = Running(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let mut stdout = running.0.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut all = String::new();
        stdout.read_to_string(&mut all).unwrap();
        all
    });
    while !folder.path().join("s.sock").exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let alarm = |s: &serde_json::Value| s["record"]["alarm"].as_str().unwrap_or_default().to_owned();
    let full = until(folder.path(), "full", |s| alarm(s).contains("may not grow any more"));
    assert_eq!(full["run"], "running");
    assert!(full["alarms"][0].as_str().unwrap().starts_with("recording: "), "{}", full["alarms"]);
    let pid = Pid::from_child(&running.0);
    prlimit(Some(pid), Resource::Fsize, Rlimit { current: None, maximum: None }).unwrap();
    let written = full["record"]["sentences"].as_u64().unwrap();
    until(folder.path(), "going on", |s| {
        alarm(s).is_empty() && s["record"]["sentences"].as_u64().unwrap() > written + 1000
    });
    assert_eq!(run(folder.path(), &["ctl", "unix:s.sock", "quit"]).status.code(), Some(0));
    assert_eq!(running.status(), 0);
    let recorded = sentences(&std::fs::read_to_string(folder.path().join("a.log")).unwrap());
    let sent = reader.join().unwrap().replace("\r\n", "\n");
    assert!(recorded == sent, "{} sent, {} recorded", sent.lines().count(), recorded.lines().count());
}

/// As systemd would: ready, reloading and ready again, stopping; and the way it ends is one that the unit takes for good.
#[test]
fn a_service_manager_is_told_of_start_reload_and_end() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.toml"), "schema_version = 1\nname = \"One\"\n").unwrap();
    let manager = UnixDatagram::bind(folder.path().join("notify")).unwrap();
    manager.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let hears = || {
        let mut bytes = [0; 500];
        let n = manager.recv(&mut bytes).expect("it says something");
        String::from_utf8(bytes[..n].to_vec()).unwrap()
    };
    let mut command = Command::new("setsid");
    command.args([PROGRAM, "run", "--headless", "-q", "-p", "p.toml", "-o", "tcp-server:0"]).current_dir(folder.path());
    command.env("HOME", folder.path()).env("NOTIFY_SOCKET", folder.path().join("notify"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(child) = command.spawn() else { return }; // no setsid here
    let running = Running(child);
    assert!(hears().starts_with("READY=1\nSTATUS="));
    std::fs::write(folder.path().join("p.toml"), "schema_version = 1\nname = \"Two\"\n").unwrap();
    running.signal(Signal::HUP);
    let reloading = hears();
    assert!(reloading.starts_with("RELOADING=1\nMONOTONIC_USEC="), "{reloading}");
    let ready = hears();
    assert!(ready.starts_with("READY=1\nSTATUS="), "{ready}");
    running.signal(Signal::TERM);
    assert!(hears().starts_with("STOPPING=1\n"));
    let status = running.status();
    let unit = include_str!("../../docs/nmeasimx.service");
    let good = unit.lines().find_map(|l| l.strip_prefix("SuccessExitStatus=")).unwrap();
    assert!(good.split(' ').any(|s| s == status.to_string()), "{status} is none of {good}");
}

/// Nobody else may open the socket of a session, and it goes with the session.
#[test]
fn the_control_socket_is_its_users_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = program();
    command.current_dir(folder.path()).env("XDG_RUNTIME_DIR", folder.path());
    command.args(["run", "--headless", "--paused", "-o", "tcp-server:0", "--control"]);
    let mut running =
        Running(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap());
    running.says("open");
    let own = folder.path().join("nmeasimx");
    let mode = |path: &Path| std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions());
    let socket = std::fs::read_dir(&own).unwrap().next().unwrap().unwrap().path();
    assert_eq!((mode(&own) & 0o777, mode(&socket) & 0o777), (0o700, 0o600));
    // Without an address, the only one there is.
    let ctl = |word: &str| program().env("XDG_RUNTIME_DIR", folder.path()).args(["ctl", word]).output().unwrap();
    assert_eq!(ctl("status").status.code(), Some(0));
    assert_eq!(ctl("quit").status.code(), Some(0));
    assert_eq!(running.status(), 0);
    assert!(!socket.exists());
}

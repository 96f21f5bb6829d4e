//! The terminal of a whole process: entered, left on every way out, stopped and continued, stalled, closed.
//!
//! The process is this very test program, started again in a pseudoterminal with the name of a scene (see [`driver`]),
//! so that nothing but the terminal floor takes part. What it writes is judged by `vt100`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use nmeasimx::core::time::SECOND;
use nmeasimx::term::capabilities::Flags;
use nmeasimx::term::{Frame, Input, Stop, Terminal, guard};
use nmeasimx::ui::keys::{Code, Key};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

use crate::pty::Session;

/// Not a test: what runs inside the pseudoterminal. It draws its process number, its size and a counter, all over the
/// screen, thirty times a second; another thread counts into a file. Keys choose the way out.
#[test]
#[ignore = "started by the other tests of this module, in a pseudoterminal"]
fn driver() {
    let Ok(file) = std::env::var("NMEASIMX_TEST_COUNT") else { return };
    guard::install_panic_hook(|_| {});
    let status = scene(Path::new(&file));
    for report in guard::take_panics() {
        println!("in the background: {report}");
    }
    if status == 2 {
        println!("an error, told on the screen of the shell");
    }
    std::process::exit(status);
}

fn scene(file: &Path) -> i32 {
    let flags = Flags { frame_rate: Some(30), ..Flags::default() };
    let (terminal, mut events) = match Terminal::open(flags) {
        Ok(opened) => opened,
        Err(e) => {
            println!("{e}");
            return 2;
        }
    };
    let counting = Arc::new(AtomicBool::new(true));
    let (count_on, file) = (Arc::clone(&counting), file.to_owned());
    std::thread::spawn(move || {
        for n in 0.. {
            if !count_on.load(Ordering::Relaxed) {
                return;
            }
            std::fs::write(&file, format!("{n}")).unwrap();
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    let mut frame = 0;
    let mut note = "";
    loop {
        match events.try_recv() {
            Ok(Input::Key(key)) => match (key.code, key.ctrl) {
                (Code::Char('q'), false) => return 0,
                (Code::Char('e'), false) => return 2,
                (Code::Char('p'), false) => panic!("a panic on the thread of the screen"),
                (Code::Char('b'), false) => {
                    let _ = std::thread::spawn(|| panic!("a panic elsewhere")).join();
                    note = "recorded";
                }
                (Code::Char('z'), true) => note = if terminal.suspend(Stop::Job) { note } else { "cannot stop" },
                (Code::Char('h'), false) => loop {
                    std::thread::sleep(Duration::from_secs(60));
                },
                _ => {}
            },
            Ok(Input::Suspend) => {
                terminal.suspend(Stop::Process);
            }
            Ok(Input::Resume) => {
                terminal.resume();
                note = "back";
            }
            Ok(Input::Signal(n)) => return 128 + n,
            Ok(Input::Hangup) => return 129,
            Ok(Input::Paste(_) | Input::Resize(_)) => {}
            Err(tokio::sync::mpsc::error::TryRecvError::Empty) => {
                let size = terminal.size();
                terminal.draw(picture(size.cols, size.rows, frame, note));
                frame += 1;
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(tokio::sync::mpsc::error::TryRecvError::Disconnected) => return 3,
        }
    }
}

fn picture(cols: u16, rows: u16, n: usize, note: &str) -> Frame {
    let mut buffer = Buffer::empty(Rect::new(0, 0, cols, rows));
    let head = format!("pid {} size {cols}x{rows} frame {n} {note};", std::process::id());
    for y in 0..rows {
        let noise: String =
            (0..cols).map(|x| char::from(b'!' + ((n * 31 + usize::from(x * 7 + y * 13)) % 90) as u8)).collect();
        buffer.set_string(0, y, if y == 0 { &head } else { &noise }, Style::new());
    }
    let alarm = Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD | Modifier::REVERSED);
    if rows > 1 {
        buffer.set_string(0, 1, "12°", alarm);
    }
    Frame { buffer, cursor: Some(Position::new(0, 0)), list: Some(1..rows) }
}

/// Settings before, the driver, its status, settings after.
const AROUND: &str = r#"b=$(stty -g); $DRIVER; s=$?; a=$(stty -g); [ "$a" = "$b" ] && echo "status $s, settings kept" || echo "status $s, CHANGED $a $b""#;

/// The driver, or a shell script in which `$DRIVER` is it.
fn session(shell: &str, script: Option<&str>, variables: &[(&str, &str)]) -> Driven {
    let dir = tempfile::tempdir().unwrap();
    let count = dir.path().join("count");
    let this = std::env::current_exe().unwrap();
    let mut command = vec![this.to_str().unwrap()];
    command.extend(["--exact", "terminal::driver", "--ignored", "--nocapture", "--test-threads=1"]);
    let driver = command.join(" ");
    let mut all = vec![("NMEASIMX_TEST_COUNT", count.to_str().unwrap()), ("DRIVER", driver.as_str())];
    all.extend(variables);
    let session = match script {
        None => Session::start(&command, &all),
        Some(script) => Session::start(&[shell, "-c", script], &all),
    };
    Driven { session, count, _dir: dir }
}

/// The driver's session, and how far its other thread has counted.
struct Driven {
    session: Session,
    count: PathBuf,
    _dir: tempfile::TempDir,
}

impl Driven {
    fn counted(&self) -> u64 {
        loop {
            // the file is empty for a moment each time it is written
            if let Some(n) = std::fs::read_to_string(&self.count).ok().and_then(|t| t.parse().ok()) {
                return n;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl std::ops::Deref for Driven {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl std::ops::DerefMut for Driven {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}

enum Way {
    Press(&'static [u8]),
    Kill(&'static str),
}

#[test]
fn every_way_out_puts_the_terminal_back() {
    use Way::{Kill, Press};
    let table = [
        (Press(b"q"), 0, ""),
        (Press(b"e"), 2, "an error, told on the screen of the shell"),
        (Press(b"p"), 101, "a panic on the thread of the screen"),
        (Press(b"bq"), 0, "a panic elsewhere"),
        (Kill("-INT"), 130, ""),
        (Kill("-TERM"), 143, ""),
        (Kill("-HUP"), 129, ""),
        (Kill("-QUIT"), 131, ""),
    ];
    for (way, status, report) in table {
        let mut session = session("sh", Some(AROUND), &[]);
        session.until("frame ");
        assert!(session.judge.screen().alternate_screen());
        assert!(session.judge.screen().bracketed_paste());
        match way {
            Press(keys) => session.press(keys),
            Kill(signal) => {
                let pid = session.number("pid ").to_string();
                assert!(std::process::Command::new("kill").args([signal, &pid]).status().unwrap().success());
            }
        }
        session.end();
        let text = session.text();
        assert!(text.contains(&format!("status {status}, settings kept")), "{status}:\n{text}");
        assert!(session.is_restored(), "{status}:\n{text}");
        assert!(text.contains(report), "{status}:\n{text}");
        // nothing of a frame on the screen of the shell, neither before nor after the restore
        assert!(!text.contains("frame "), "{status}:\n{text}");
    }
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_fg_takes_it_back() {
    let script = r#"set -m; b=$(stty -g); $DRIVER; echo "stopped with $?"; [ "$(stty -g)" = "$b" ] && echo "settings kept"
        read go; fg >/dev/null; s=$?; [ "$(stty -g)" = "$b" ] && echo "status $s, settings kept again""#;
    let mut session = session("sh", Some(script), &[]);
    session.until("frame ");
    session.press(b"\x1a");
    session.until("settings kept");
    assert!(session.is_restored());
    // 128 and SIGSTOP
    assert!(session.text().contains("stopped with 147"), "{}", session.text());
    session.press(b"\r");
    session.until(" back;");
    assert!(session.judge.screen().alternate_screen() && session.judge.screen().bracketed_paste());
    session.press(b"q");
    session.end();
    assert!(session.text().contains("status 0, settings kept again"), "{}", session.text());
    assert!(session.is_restored());
}

#[test]
fn in_the_background_it_goes_on_without_a_screen_until_the_shell_gives_the_terminal_back() {
    // dash sends a signal with fg, bash does not when the job is running already
    for shell in ["sh", "bash"] {
        let script = r#"set -m; b=$(stty -g); $DRIVER; bg; echo "in the background"; read go; fg >/dev/null; s=$?
            [ "$(stty -g)" = "$b" ] && echo "status $s, settings kept""#;
        let mut session = session(shell, Some(script), &[]);
        session.until("frame ");
        session.press(b"\x1a");
        session.until("in the background");
        let before = session.counted();
        std::thread::sleep(Duration::from_millis(400));
        // it runs, and leaves the terminal alone
        assert!(session.counted() > before, "{shell}: {before}\n{}", session.text());
        session.press(b"\r");
        session.until(" back;");
        assert!(session.judge.screen().alternate_screen(), "{shell}:\n{}", session.text());
        session.press(b"q");
        session.end();
        assert!(session.text().contains("status 0, settings kept"), "{shell}:\n{}", session.text());
        assert!(session.is_restored(), "{shell}");
    }
}

#[test]
fn a_process_that_nobody_could_continue_does_not_stop() {
    let mut session = session("sh", None, &[]);
    session.until("frame ");
    session.press(b"\x1a");
    session.until("cannot stop");
    session.press(b"q");
    assert!(session.end().success());
}

#[test]
fn a_terminal_that_is_closed_ends_the_process_within_two_seconds() {
    // orderly, and with a screen that hangs: the watchdog
    for keys in [&b"x"[..], b"h"] {
        let mut session = session("sh", None, &[]);
        session.until("frame ");
        session.press(keys);
        // as long as the key needs to arrive
        std::thread::sleep(Duration::from_millis(200));
        session.close();
        // two seconds promised, one for a busy machine
        let status = session.ended_within(3 * SECOND);
        assert_eq!(status.exit_code(), 129, "{keys:?}");
    }
}

#[test]
fn a_stalled_terminal_stops_nothing_else_and_can_be_left() {
    let mut session = session("sh", Some(AROUND), &[]);
    session.until("frame ");
    // nobody reads for a while: the pipe holds some 20 kB, a frame has 2
    let before = session.counted();
    std::thread::sleep(Duration::from_millis(1500));
    let counted = session.counted() - before;
    // 300 if the machine were idle
    assert!(counted > 50, "the other thread counted only {counted} in 1.5 s");
    // it goes on where it was, with the newest frame
    let frame = session.number("frame ");
    while session.number("frame ") < frame + 60 {
        assert!(session.pump());
    }
    // and now it is left while nobody reads
    std::thread::sleep(Duration::from_millis(1000));
    session.press(b"q");
    let (done, wait) = mpsc::channel();
    let pid = session.number("pid ");
    std::thread::spawn(move || {
        let gone = || std::fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |s| s.contains(") Z "));
        while !gone() {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = done.send(());
    });
    assert!(wait.recv_timeout(Duration::from_secs(5)).is_ok(), "it cannot be left while the terminal is stalled");
    session.end();
    assert!(session.text().contains("status 0, settings kept"), "{}", session.text());
    assert!(session.is_restored());
}

#[test]
fn all_sizes_are_survived_while_lines_stream() {
    let mut session = session("sh", None, &[]);
    session.until("frame ");
    for (cols, rows) in [(200, 60), (120, 40), (60, 16), (40, 12), (20, 5), (1, 1), (0, 0), (80, 24)] {
        session.resize(cols, rows);
        if cols >= 40 {
            session.until(&format!("size {cols}x{rows} "));
        } else {
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    session.press(b"\x1b\x1b:q");
    assert!(session.end().success());
    assert!(session.is_restored());
}

#[test]
fn each_kind_of_terminal_gets_what_it_understands() {
    // variables; red bold reverse as it is sent there; a degree sign; synchronized output
    let table: [(&[(&str, &str)], &str, bool, bool); 7] = [
        (&[], "\x1b[1;7;91m", true, true),
        (&[("TERM", "tmux-256color")], "\x1b[1;7;91m", true, true),
        (&[("TERM", "screen")], "\x1b[1;7;31m", true, false),
        (&[("TERM", "linux")], "\x1b[1;7;31m", true, false),
        (&[("TERM", "vt100")], "\x1b[1;7m", false, false),
        (&[("NO_COLOR", "1")], "\x1b[1;7m", true, true),
        (&[("LC_ALL", "C")], "\x1b[1;7;91m", false, true),
    ];
    for (variables, alarm, unicode, synchronized) in table {
        let mut session = session("sh", None, variables);
        session.until("frame ");
        session.press(b"q");
        assert!(session.end().success());
        let text = String::from_utf8_lossy(&session.bytes).into_owned();
        assert!(text.contains(alarm), "{variables:?}: {:?}", text.get(..300));
        assert_eq!(text.contains('°'), unicode, "{variables:?}");
        assert_eq!(text.contains("\x1b[?2026h"), synchronized, "{variables:?}");
        assert!(!text.contains("8;5;"), "{variables:?}");
        // no question: neither device attributes, nor the cursor's position, nor a mode, nor a colour
        for question in ["\x1b[c", "\x1b[0c", "\x1b[>", "\x1b[5n", "\x1b[6n", "\x1b]"] {
            assert!(!text.contains(question), "{variables:?} {question:?}");
        }
    }
}

#[test]
fn without_a_fit_terminal_the_message_names_the_way_out() {
    let mut session = session("sh", None, &[("TERM", "dumb")]);
    assert_eq!(session.end().exit_code(), 2);
    assert!(session.text().contains("--headless"), "{}", session.text());
    assert!(!session.bytes.contains(&0x1b));

    let piped = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "terminal::driver", "--ignored", "--nocapture", "--test-threads=1"])
        .env("NMEASIMX_TEST_COUNT", "/dev/null")
        .output()
        .unwrap();
    assert_eq!(piped.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&piped.stdout).contains("not a terminal"));
}

#[test]
fn keys_arrive_as_keys() {
    // the parser has its own tests; this is the way from the device to the event
    assert_eq!("Ctrl-Z".parse(), Ok(Key::ctrl('z')));
    let mut session = session("sh", None, &[]);
    session.until("frame ");
    // a paste with a q in it does not quit
    session.press(b"\x1b[200~q\rq\x1b[201~b");
    session.until("recorded");
    session.press(b"q");
    assert!(session.end().success());
    assert!(session.text().contains("a panic elsewhere"));
}

//! The real program in a pseudoterminal: a person opens it, presses keys, sees what the page promises, and leaves.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc;
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).unwrap()
}

struct Program {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: mpsc::Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// Recordings, settings and marks of the test's own.
    _home: tempfile::TempDir,
}

impl Program {
    fn start(arguments: &[&str]) -> Program {
        let home = tempfile::tempdir().unwrap();
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_nmeasimx"));
        command.args(arguments);
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("HOME", home.path());
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let (send, output) = mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                if send.send(bytes[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        Program {
            child,
            master: pair.master,
            keys,
            output,
            screen: vt100::Parser::new(cells(24), cells(80), 0),
            _home: home,
        }
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Reads until the screen shows it; a person would not wait longer than this.
    fn until(&mut self, what: &str) -> String {
        for _ in 0..200 {
            if self.text().contains(what) {
                return self.text();
            }
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(100)) {
                self.screen.process(&bytes);
            }
        }
        panic!("`{what}` never came:\n{}", self.text());
    }

    fn press(&mut self, keys: &str) -> &mut Program {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        self
    }

    fn resize(&mut self, cols: u16, rows: u16) {
        self.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        self.screen.screen_mut().set_size(cells(rows), cells(cols));
    }

    fn status(&mut self) -> u32 {
        for _ in 0..200 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            // what it still writes must not hold it up; the terminal closes before the process is gone
            match self.output.recv_timeout(Duration::from_millis(50)) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        }
        panic!("it does not end:\n{}", self.text());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn a_first_voyage() {
    let mut p = Program::start(&[
        "run",
        "--seed",
        "7",
        "-o",
        "tcp-server:127.0.0.1:0",
        "--set",
        "simulation.start_time=2026-09-23T10:00:00Z",
    ]);
    let first = p.until("$ERXDR");
    for words in ["SIMULATE", "RUN 1x", "POS 37 5", "REC off", "? help", "q quit", "Sentences"] {
        assert!(first.contains(words), "{words}:\n{first}");
    }
    p.press(" ");
    p.until("PAUSED");
    p.press("?");
    p.until("Keys that count here");
    p.press("\x1b");
    p.press("R").until("Recording");
    p.press(" ").until("RUN 1x");
    for (key, words) in [("2", "DIAGNOSE"), ("3", "range 1 nm"), ("4", "CLIENTS"), ("5", "EVENTS")] {
        let shown = p.press(key).until(words);
        assert!(shown.contains("SIM RUN 1x"), "{key}:\n{shown}");
    }
    p.press("1q");
    let asked = p.until("Quit?");
    assert!(asked.contains("The recording ends"), "{asked}");
    p.press("n").until("Sentences");
    p.press("qy");
    assert_eq!(p.status(), 0);
}

#[test]
fn a_replay_is_paused_stepped_searched_and_resized() {
    let mut p = Program::start(&["replay", "logs/mixed.log", "--paused", "-o", "tcp-server:127.0.0.1:0"]);
    let first = p.until("PAUSED");
    assert!(first.contains("REPLAY mixed.log"), "{first}");
    p.until("$");
    p.press(".");
    p.press(":50%\r").until("50.");
    p.press("]").until("2x");
    for (cols, rows) in [(40, 12), (20, 3), (1, 1), (120, 40), (80, 24)] {
        p.resize(cols, rows);
        p.press("j");
    }
    p.until("BROWSE");
    p.press("F").until("FOLLOW");
    p.press("q");
    assert_eq!(p.status(), 0, "{}", p.text());
}

//! The user's side of a pseudoterminal: starts a command in it, reads what it writes into an emulator (`vt100`), presses
//! keys, resizes, closes.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::time::Duration;

use nmeasimx::core::time::Wall;
use nmeasimx::term::clock;
use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// A command in a terminal of 24 rows and 80 columns.
pub struct Session {
    /// What the user sees.
    pub judge: vt100::Parser,
    /// Everything that was written.
    pub bytes: Vec<u8>,
    master: Option<Box<dyn MasterPty + Send>>,
    reader: Option<Box<dyn Read + Send>>,
    writer: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
}

impl Session {
    /// Starts a command; the environment is that of an xterm in UTF-8, without a link, but for `variables`.
    pub fn start(command: &[&str], variables: &[(&str, &str)]) -> Self {
        Self::start_for(command, variables, Duration::from_secs(60))
    }

    /// The same; it is killed after this long.
    pub fn start_for(command: &[&str], variables: &[(&str, &str)], patience: Duration) -> Self {
        let pair =
            native_pty_system().openpty(PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 }).unwrap();
        let mut builder = CommandBuilder::new(command[0]);
        builder.args(&command[1..]);
        builder.env("TERM", "xterm-256color");
        builder.env("LC_ALL", "C.UTF-8");
        builder.env("RUST_BACKTRACE", "0");
        for name in ["NO_COLOR", "COLORTERM", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"] {
            builder.env_remove(name);
        }
        for (name, value) in variables {
            builder.env(name, value);
        }
        let child = pair.slave.spawn_command(builder).unwrap();
        // a test that waits in vain ends with a process killed, not never
        let mut killer = child.clone_killer();
        std::thread::spawn(move || {
            std::thread::sleep(patience);
            let _ = killer.kill();
        });
        let size = |n| NonZeroU16::new(n).unwrap();
        Self {
            judge: vt100::Parser::new(size(24), size(80), 0),
            bytes: Vec::new(),
            reader: Some(pair.master.try_clone_reader().unwrap()),
            writer: Some(pair.master.take_writer().unwrap()),
            master: Some(pair.master),
            child,
        }
    }

    /// Reads a piece of what is written. `false` at the end.
    pub fn pump(&mut self) -> bool {
        let mut bytes = [0; 4096];
        match self.reader.as_mut().unwrap().read(&mut bytes) {
            Ok(0) | Err(_) => false,
            Ok(n) => {
                self.judge.process(&bytes[..n]);
                self.bytes.extend_from_slice(&bytes[..n]);
                true
            }
        }
    }

    /// What the screen shows.
    pub fn text(&self) -> String {
        self.judge.screen().contents()
    }

    /// Every frame that has begun has ended.
    pub fn is_between_frames(&self) -> bool {
        let last = |sign: &[u8]| self.bytes.windows(sign.len()).rposition(|w| w == sign);
        last(b"\x1b[?2026l") >= last(b"\x1b[?2026h")
    }

    /// Reads until the screen shows it.
    pub fn until(&mut self, what: &str) {
        while !self.text().contains(what) {
            assert!(self.pump(), "'{what}' never appeared:\n{}", self.text());
        }
    }

    /// Reads to the end, and the status.
    pub fn end(&mut self) -> ExitStatus {
        while self.pump() {}
        self.child.wait().unwrap()
    }

    /// The status, without reading; fails if it takes longer.
    pub fn ended_within(&mut self, time: Wall) -> ExitStatus {
        let begin = clock::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(clock::now() - begin < time, "still there");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends bytes as the keyboard would.
    pub fn press(&mut self, bytes: &[u8]) {
        self.writer.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// Gives the terminal another size; the emulator keeps its own at none.
    pub fn resize(&mut self, cols: u16, rows: u16) {
        self.master.as_ref().unwrap().resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        if let (Some(rows), Some(cols)) = (NonZeroU16::new(rows), NonZeroU16::new(cols)) {
            self.judge.screen_mut().set_size(rows, cols);
        }
    }

    /// The number on the screen that follows `before`.
    pub fn number(&self, before: &str) -> u64 {
        let text = self.text();
        let (_, after) = text.split_once(before).unwrap_or_else(|| panic!("no '{before}' in\n{text}"));
        after.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
    }

    /// The screen was left and is as a shell expects it.
    pub fn is_restored(&self) -> bool {
        let screen = self.judge.screen();
        !screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste()
    }

    /// Closes the terminal.
    pub fn close(&mut self) {
        (self.master, self.reader, self.writer) = (None, None, None);
    }
}

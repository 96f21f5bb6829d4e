//! What comes from the terminal, as events.

use crate::ui::keys::Key;

/// Everything a terminal, or the system on its behalf, tells the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed. Releases never arrive.
    Key(Key),
    /// Text was pasted: one line, no control characters, at most [`PASTE_MAX`] bytes.
    Paste(String),
    /// The terminal has this size now, in cells; zero is possible.
    Resize(Size),
    /// SIGTSTP: give the terminal back and stop (`guard::suspend`).
    Suspend,
    /// SIGCONT: the process runs again, and the screen must be entered and drawn anew.
    Resume,
    /// The terminal is gone. Nothing follows.
    Hangup,
    /// One of SIGINT, SIGTERM, SIGHUP, SIGQUIT, by number.
    Signal(i32),
}

/// Size of the terminal in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

/// Longest pasted text that is handed on, in bytes; the rest is dropped.
pub const PASTE_MAX: usize = 4096;

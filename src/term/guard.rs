//! Entering the screen, and leaving it exactly once on every way out.
//!
//! What was there before is kept in one place for the whole process, so that the panic hook can put it back as well as
//! the orderly end does. Whoever comes first takes it; who comes second finds nothing to do.

use std::cell::Cell;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use rustix::termios::{SpecialCodeIndex, Termios};

use super::tty::Tty;

/// Alternate screen, bracketed paste, no cursor, no wrapping at the right edge.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[?7l";
/// The first escape breaks off whatever was cut in the middle. A terminal without alternate screen is left empty.
const LEAVE: &[u8] = b"\x1b[?2026l\x1b[m\x1b[r\x1b[2J\x1b[H\x1b[?7h\x1b[?2004l\x1b[?25h\x1b[?1049l";
/// How long a stalled terminal is waited for when leaving.
const PATIENCE: Duration = Duration::from_millis(300);
/// How many reports of background panics are kept.
const REPORTS: usize = 16;

struct Before {
    tty: Arc<Tty>,
    settings: Termios,
}

static BEFORE: Mutex<Option<Before>> = Mutex::new(None);
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    static DRAWS: Cell<bool> = const { Cell::new(false) };
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Holds the screen; dropping it gives the terminal back.
#[derive(Debug)]
#[must_use = "dropping it leaves the screen"]
pub struct Guard {
    tty: Arc<Tty>,
}

impl Guard {
    /// Raw mode, alternate screen, bracketed paste, no cursor.
    ///
    /// # Errors
    /// When the settings of the terminal cannot be read or changed; it is then as it was.
    pub fn enter(tty: Arc<Tty>) -> io::Result<Self> {
        enter(&tty)?;
        Ok(Self { tty })
    }

    /// Gives the terminal back for a while. Nothing happens if that was done.
    pub fn leave(&self) {
        leave();
    }

    /// Enters again after [`Guard::leave`], keeping the settings found now as those to put back.
    ///
    /// # Errors
    /// As for [`Guard::enter`].
    pub fn enter_again(&self) -> io::Result<()> {
        leave();
        enter(&self.tty)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
    }
}

fn enter(tty: &Arc<Tty>) -> io::Result<()> {
    let settings = tty.settings()?;
    let mut raw = settings.clone();
    raw.make_raw();
    raw.special_codes[SpecialCodeIndex::VMIN] = 1;
    raw.special_codes[SpecialCodeIndex::VTIME] = 0;
    *lock(&BEFORE) = Some(Before { tty: Arc::clone(tty), settings });
    let entered = tty.set(&raw);
    if entered.is_ok() {
        tty.write_patiently(ENTER, PATIENCE);
        tty.admit_frames(true);
    } else {
        *lock(&BEFORE) = None;
    }
    entered
}

/// Puts everything back as it was before the screen was entered, once. Never blocks for long, never fails loudly: a
/// terminal that is gone needs nothing, one that is stalled loses the rest of its frame.
pub fn leave() {
    let before = lock(&BEFORE).take();
    if let Some(before) = before {
        restore(&before);
    }
}

fn restore(before: &Before) {
    before.tty.admit_frames(false);
    // in the background the shell has the terminal and has set it as it likes; asking for it would stop us
    if !before.tty.is_ours() {
        return;
    }
    if !before.tty.write_patiently(LEAVE, PATIENCE) {
        before.tty.drop_output();
        before.tty.write_patiently(LEAVE, PATIENCE);
    }
    let _ = before.tty.set(&before.settings);
}

/// Says that a panic of this thread ends the program, so that it leaves the screen and reports at once.
pub fn this_thread_draws() {
    DRAWS.set(true);
}

/// Installs the panic hook: on a thread that draws, leave the screen and let the hook installed before report; on any
/// other, keep the report for [`take_panics`] and hand it to `record`, as long as the screen is entered.
pub fn install_panic_hook(record: impl Fn(&str) + Send + Sync + 'static) {
    let earlier = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let entered = match BEFORE.try_lock() {
            Ok(before) => before.is_some(),
            Err(TryLockError::Poisoned(before)) => before.into_inner().is_some(),
            Err(TryLockError::WouldBlock) => true,
        };
        if DRAWS.get() || !entered {
            // this very thread may hold the lock: then it was just entering or leaving
            let before = match BEFORE.try_lock() {
                Ok(mut before) => before.take(),
                Err(TryLockError::Poisoned(before)) => before.into_inner().take(),
                Err(TryLockError::WouldBlock) => None,
            };
            if let Some(before) = before {
                restore(&before);
            }
            earlier(info);
            return;
        }
        let thread = std::thread::current();
        let report = format!("thread '{}' {info}", thread.name().unwrap_or("without a name"));
        record(&report);
        let mut panics = lock(&PANICS);
        if panics.len() < REPORTS {
            panics.push(report);
        }
    }));
}

/// The reports of panics in the background, to be printed when the screen has been left.
pub fn take_panics() -> Vec<String> {
    std::mem::take(&mut *lock(&PANICS))
}

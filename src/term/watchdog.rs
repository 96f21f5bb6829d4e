//! The end of the rope: when the terminal is gone the program ends within two seconds, whatever hangs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};

/// How long an orderly end may take after the terminal went away.
pub const GRACE: Duration = Duration::from_millis(1800);
/// Exit status after SIGHUP or a terminal that went away: 128 and the number of the signal.
pub const HANGUP_STATUS: i32 = 129;

/// Ends the process with `status` after `grace`, unless it has ended by itself. Only the first call counts.
pub fn arm(grace: Duration, status: i32) {
    static ARMED: AtomicBool = AtomicBool::new(false);
    if ARMED.swap(true, Ordering::SeqCst) {
        return;
    }
    let end = thread::Builder::new().name("watchdog".into()).spawn(move || {
        thread::sleep(grace);
        std::process::exit(status);
    });
    // should the orderly exit itself hang
    let kill = thread::Builder::new().name("watchdog".into()).spawn(move || {
        thread::sleep(grace + Duration::from_millis(150));
        let _ = kill_process(getpid(), Signal::KILL);
    });
    if end.is_err() && kill.is_err() {
        std::process::exit(status);
    }
}

//! From a chosen source to a running session, with a screen or without one.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::process::ExitCode;

use nmeasimx::runtime::clock::Clock;
use nmeasimx::runtime::control;
use nmeasimx::runtime::events::{EventLayer, Events};
use nmeasimx::runtime::session::{Outcome, Plan, Reload, Session};
use nmeasimx::runtime::signals::Signals;
use tokio::task::JoinHandle;

use super::folders::state_folder;
use super::headless::{self, Manner};
use super::screen;
use super::session::{Chosen, Common};

/// The program's own log in the state folder.
const LOG: &str = "nmeasimx.log";

/// Builds the runtime and runs a session to its end. `choose` is called again when a service reloads its profile.
pub fn run(common: &Common, choose: impl Fn() -> Result<Chosen, String>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return fail(1, &format!("no runtime: {error}")),
    };
    let status = runtime.block_on(session(common, choose));
    // Threads that wait for a device or a pipe are not waited for.
    runtime.shutdown_background();
    ExitCode::from(status)
}

fn fail(status: u8, text: &str) -> ExitCode {
    super::complain(&mut std::io::stderr(), text);
    ExitCode::from(status)
}

async fn session(common: &Common, choose: impl Fn() -> Result<Chosen, String>) -> u8 {
    let complain = |text: &str| super::complain(&mut std::io::stderr(), text);
    let clock = Clock::system();
    let events = Events::new(clock);
    let is_first = !state_folder().join(LOG).exists();
    if let Err(error) = logging(common, &events, !common.headless && screen::has_terminal()) {
        complain(&error);
        return 2;
    }
    let plan = match choose().and_then(|chosen| common.plan(chosen, clock, events.clone())) {
        Ok(plan) => plan,
        Err(error) => {
            complain(&error);
            return 2;
        }
    };
    let headless = plan.ends;
    if !headless && !screen::has_terminal() {
        complain("standard output is no terminal: use --headless to run without a screen");
        return 2;
    }
    // From here on no signal ends the process by itself.
    let signals = match Signals::new() {
        Ok(signals) => signals,
        Err(error) => {
            complain(&format!("signals: {error}"));
            return 1;
        }
    };
    let (session, outcome, served_to) = match start(common, plan).await {
        Ok(running) => running,
        Err(error) => {
            complain(&error);
            return 1;
        }
    };
    if headless {
        let manner = Manner { quiet: common.quiet, form: common.status, timing: common.timing };
        let reload = || {
            let chosen = choose()?;
            let plan = common.plan(chosen, clock, events.clone())?;
            Ok(Reload { choice: plan.choice, outputs: plan.outputs, first: plan.first })
        };
        let status = headless::run(session, outcome, manner, signals, reload).await;
        gone(served_to).await;
        return status;
    }
    drop(signals);
    let Some(watcher) = session.watcher() else { return 1 };
    let hint = is_first.then(|| "? keys   : commands   o open a log or a port   q quit".to_string());
    let shown = screen::show(watcher, &common.screen, false, hint).await;
    session.stop();
    let ended = outcome.await;
    gone(served_to).await;
    let status = match shown {
        Ok(exit) => screen::status(&exit),
        Err(error) => {
            complain(&error);
            2
        }
    };
    match ended {
        Ok(outcome) => {
            outcome.complaints().iter().for_each(|line| complain(line));
            if let Some((_, verdict)) = outcome.report {
                complain(&verdict);
            }
            if let Some((path, sentences)) = outcome.recorded {
                complain(&format!("recorded {sentences} sentences to {path}"));
            }
            status
        }
        Err(error) => {
            complain(&format!("the session failed: {error}"));
            status.max(1)
        }
    }
}

/// Waits a moment until the control socket is taken away.
async fn gone(serving: Option<JoinHandle<()>>) {
    if let Some(serving) = serving {
        // It ends with the session; one that does not is left behind.
        let _left = tokio::time::timeout(std::time::Duration::from_millis(500), serving).await;
    }
}

/// The session, how it will have ended, and who serves its control socket.
type Started = (Session, JoinHandle<Outcome>, Option<JoinHandle<()>>);

async fn start(common: &Common, plan: Plan) -> Result<Started, String> {
    let listener = match &common.control {
        Some(address) => {
            let listener = control::Listener::bind(address).await.map_err(|e| format!("--control {address}: {e}"))?;
            plan.events.info(format!("control at {address}"));
            Some(listener)
        }
        None => None,
    };
    let (session, outcome) = Session::start(plan).await?;
    let serving = listener.map(|listener| {
        let (own, stop) = (session.clone(), session.stopping());
        tokio::spawn(async move {
            if let Err(error) = control::serve(listener, move || own.watcher(), stop).await {
                tracing::error!("control: {error}");
            }
        })
    });
    Ok((session, outcome, serving))
}

/// The program's own log: warnings and errors as events, everything to the file that is named; a screen has one in any case.
fn logging(common: &Common, events: &Events, screen: bool) -> Result<(), String> {
    use tracing_subscriber::layer::SubscriberExt;
    let level = match common.verbose {
        0 => tracing_subscriber::filter::LevelFilter::INFO,
        1 => tracing_subscriber::filter::LevelFilter::DEBUG,
        _ => tracing_subscriber::filter::LevelFilter::TRACE,
    };
    let file = match &common.log_file {
        Some(path) => Some(append(path).map_err(|e| format!("--log-file {}: {e}", path.display()))?),
        // A run goes on without it where the folder cannot be written.
        None if screen => usual_log().ok(),
        None => None,
    };
    let file =
        file.map(|file| tracing_subscriber::fmt::layer().with_ansi(false).with_writer(std::sync::Mutex::new(file)));
    let subscriber = tracing_subscriber::registry().with(level).with(EventLayer(events.clone())).with(file);
    // Only a second session in one process could fail here, and there is none.
    let _first = tracing::subscriber::set_global_default(subscriber);
    Ok(())
}

fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// `nmeasimx.log` in the state folder; beyond a megabyte it begins anew, and the one before is kept.
fn usual_log() -> io::Result<File> {
    const LONGEST: u64 = 1 << 20;
    let folder = state_folder();
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(LOG);
    if std::fs::metadata(&path).is_ok_and(|found| found.len() > LONGEST) {
        std::fs::rename(&path, folder.join("nmeasimx.log.1"))?;
    }
    append(&path)
}

//! A session without a screen: status lines on standard error, signals, exit status.

use std::io::Write;
use std::time::Duration;

use nmeasimx::core::time;
use nmeasimx::core::transport::player::speed_text;
use nmeasimx::core::visible;
use nmeasimx::core::words::counted;
use nmeasimx::runtime::notify::{State, notify};
use nmeasimx::runtime::session::snapshot::{Event, Level, Link, Mode, Run, Snapshot};
use nmeasimx::runtime::session::{Command, Outcome, Request, Session, View};
use nmeasimx::runtime::signals::{Caught, Signals, has_terminal};
use tokio::task::JoinHandle;

use super::session::StatusForm;

/// A line for people comes so often, in seconds.
const EVERY: u64 = 10;

/// How a headless run is told to behave.
pub struct Manner {
    /// No status lines.
    pub quiet: bool,
    /// Their form.
    pub form: StatusForm,
    /// Say at the end how late sentences were.
    pub timing: bool,
}

/// Runs until the session ends or a signal comes; `reload` is called when a service is asked to read its profile again.
pub async fn run(
    session: Session,
    outcome: JoinHandle<Outcome>,
    manner: Manner,
    mut signals: Signals,
    mut reload: impl FnMut() -> Result<nmeasimx::runtime::session::Reload, String>,
) -> u8 {
    let mut outcome = outcome;
    let Some(mut watcher) = session.watcher() else { return finish(outcome, 0, &manner).await };
    let view = View { events: true, outputs: true, ..View::default() };
    let asked = watcher.requests.send(Request { id: 1, command: Command::View(Box::new(view)) }).await;
    if asked.is_err() {
        return finish(outcome, 0, &manner).await;
    }
    let mut tick = tokio::time::interval(Duration::from_secs(1));
    tick.tick().await;
    let mut ticks = 0;
    let mut told = Told { manner: &manner, last: 0, ready: false };
    let mut status = 0;
    loop {
        tokio::select! { biased;
            caught = signals.next() => match caught {
                Caught::HangUp if !has_terminal() => {
                    notify(State::Reloading(monotonic()), "reading the profile again");
                    match reload() {
                        Ok(what) => {
                            if let Err(error) = session.reload(what).await {
                                super::complain(&mut std::io::stderr(), &error);
                            }
                        }
                        Err(error) => super::complain(&mut std::io::stderr(), &error),
                    }
                    notify(State::Ready, "running");
                }
                caught => {
                    status = caught.exit_status();
                    break;
                }
            },
            ended = &mut outcome => {
                let snapshot = watcher.snapshots.borrow().clone();
                told.events(&snapshot);
                return judge(ended.map_err(|e| e.to_string()), 0, &manner);
            }
            changed = watcher.snapshots.changed() => {
                if changed.is_err() {
                    break;
                }
                let snapshot = watcher.snapshots.borrow_and_update().clone();
                if let Some(early) = told.look(&snapshot) {
                    status = early;
                    break;
                }
            }
            answer = watcher.answers.recv() => if answer.is_none() { break },
            _ = tick.tick() => {
                ticks += 1;
                let snapshot = watcher.snapshots.borrow().clone();
                if manner.form == StatusForm::Json || ticks % EVERY == 1 {
                    told.status(&snapshot);
                }
            }
        }
    }
    notify(State::Stopping, "stopping");
    session.stop();
    // A second signal ends it at once: somebody is in a hurry.
    tokio::select! {
        code = finish(outcome, status, &manner) => code,
        caught = signals.next() => caught.exit_status(),
    }
}

async fn finish(outcome: JoinHandle<Outcome>, status: u8, manner: &Manner) -> u8 {
    judge(outcome.await.map_err(|e| e.to_string()), status, manner)
}

/// Says how it went; the exit status.
fn judge(outcome: Result<Outcome, String>, status: u8, manner: &Manner) -> u8 {
    let mut err = std::io::stderr();
    match outcome {
        Ok(outcome) => {
            for line in outcome.complaints() {
                super::complain(&mut err, &line);
            }
            if let Some((path, sentences)) = outcome.recorded.as_ref().filter(|_| !manner.quiet) {
                let path = visible::text(path.as_bytes());
                say(&format!("recorded {sentences} sentences to {path}"));
            }
            if outcome.unrecorded > 0 {
                super::complain(&mut err, &format!("recording: {} sentences lost", outcome.unrecorded));
            }
            if manner.timing {
                say(&format!("{} sentences {}", outcome.late.count(), outcome.late));
            }
            let mut status = status;
            if let Some((errors, verdict)) = &outcome.report {
                if !manner.quiet {
                    say(verdict);
                }
                if *errors && status == 0 {
                    status = 4;
                }
            }
            if matches!(status, 0 | 4) && !outcome.complaints().is_empty() { 1 } else { status }
        }
        Err(error) => {
            super::complain(&mut err, &format!("the session failed: {error}"));
            1
        }
    }
}

struct Told<'a> {
    manner: &'a Manner,
    /// UTC of the last event that was told.
    last: i64,
    /// The outputs were seen to be open, or not.
    ready: bool,
}

impl Told<'_> {
    /// Tells new events; a status when the run is to end early.
    fn look(&mut self, snapshot: &Snapshot) -> Option<u8> {
        self.events(snapshot);
        if !self.ready && snapshot.seq > 0 && snapshot.outputs.iter().all(|o| o.state != Link::Opening) {
            self.ready = true;
            let wanted: Vec<_> = snapshot.outputs.iter().filter(|o| o.state != Link::Closed).collect();
            // One that has sent something was open, however soon it was closed again (`| head`).
            let never = |o: &&&nmeasimx::runtime::session::snapshot::OutputRow| {
                o.state != Link::Open && o.sentences == 0 && o.dropped == 0
            };
            if !wanted.is_empty() && wanted.iter().all(|o| never(&o)) && !snapshot.record.on {
                let why = wanted.iter().find_map(|o| Some(format!("{}: {}", o.spec, o.last_error.as_ref()?)));
                // Events have said so already, unless they are not told.
                let why = why.filter(|_| self.manner.quiet).map_or(String::new(), |why| format!(": {why}"));
                super::complain(&mut std::io::stderr(), &format!("no output could be opened{why}"));
                return Some(3);
            }
            notify(State::Ready, "running");
        }
        let breaks = |o: &&nmeasimx::runtime::session::snapshot::OutputRow| {
            matches!(o.kind.as_str(), "OUT" | "FILE" | "LOG") && (o.dropped > 0 || o.state == Link::Failed)
        };
        snapshot.outputs.iter().find(breaks).map(|_| 1)
    }

    fn events(&mut self, snapshot: &Snapshot) {
        let last = self.last;
        for event in snapshot.events.iter().filter(|e| e.at > last) {
            self.last = self.last.max(event.at);
            if !self.manner.quiet && self.manner.form == StatusForm::Text {
                say(&event_line(event));
            }
        }
    }

    fn status(&self, snapshot: &Snapshot) {
        if self.manner.quiet {
            return;
        }
        match self.manner.form {
            StatusForm::Text => say(&status_line(snapshot)),
            StatusForm::Json => say(&status_json(snapshot)),
        }
    }
}

fn say(line: &str) {
    // Nobody reads standard error: the run goes on all the same.
    let _unread = writeln!(std::io::stderr(), "{line}");
}

fn event_line(event: &Event) -> String {
    let word = match event.level {
        Level::Info => "",
        Level::Warning => "warning: ",
        Level::Error => "error: ",
    };
    format!("{} {word}{}", time::clock(event.at), event.text)
}

/// `10:00:05 simulate Harbour running 1x 0:00:05, 120 sentences 24.0/s, tcp-server:… open 2 clients, recording …`
fn status_line(s: &Snapshot) -> String {
    let run = match s.run {
        Run::Running => "running",
        Run::Paused => "paused",
        Run::Ended => "ended",
        Run::Opening => "opening",
        Run::Failed => "failed",
    };
    let speed = if s.mode == Mode::Live { String::new() } else { format!(" {}x", speed_text(s.transport.speed)) };
    let mut line = format!(
        "{} {} {} {run}{} {}, {} sentences {:.1}/s",
        time::clock(s.at),
        s.mode.word(),
        s.name,
        speed.replace("maxx", "max"),
        time::span(s.transport.position),
        s.counts.sentences,
        s.counts.rate
    );
    if matches!(s.mode, Mode::Live | Mode::Replay) {
        line += &format!(", {} skipped, {}", s.counts.skipped, counted(s.counts.bad_checksum, "bad checksum"));
    }
    for o in &s.outputs {
        let state = word(o.state);
        line += &format!(", {} {state}", o.spec);
        if o.client_count > 0 {
            line += &format!(" {} clients", o.client_count);
        }
        if o.dropped > 0 {
            line += &format!(" {} dropped", o.dropped);
        }
    }
    for i in &s.inputs {
        line += &format!(", {} {} {} sentences", i.spec, word(i.state), i.sentences);
    }
    if s.record.on {
        line += &format!(", recorded {}", s.record.sentences);
    }
    for alarm in &s.alarms {
        line += &format!(", ALARM {alarm}");
    }
    line
}

fn word(link: Link) -> &'static str {
    match link {
        Link::Opening => "opening",
        Link::Open => "open",
        Link::Waiting => "waiting",
        Link::Failed => "failed",
        Link::Closed => "closed",
    }
}

/// The same facts for programs: parts of the snapshot under their own names.
fn status_json(s: &Snapshot) -> String {
    serde_json::json!({
        "at": time::iso_ms(s.at),
        "mode": s.mode,
        "name": s.name,
        "run": s.run,
        "transport": s.transport,
        "source_utc": s.source_utc.map(time::iso_ms),
        "counts": s.counts,
        "outputs": s.outputs,
        "inputs": s.inputs,
        "record": s.record,
        "alarms": s.alarms,
    })
    .to_string()
}

/// Microseconds since the machine started, as a service manager wants them; 0 where the system does not tell.
fn monotonic() -> u64 {
    let text = std::fs::read_to_string("/proc/uptime").unwrap_or_default();
    let seconds = text.split(' ').next().and_then(|s| s.parse::<f64>().ok()).unwrap_or(0.0);
    (seconds * 1e6) as u64
}

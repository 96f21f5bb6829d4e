//! The loop of the screen: events in, requests and frames out.
//!
//! Holds the terminal and one end of the border, nothing else. Waits for whatever comes first; draws only when something
//! changed, no faster than the terminal takes it, and never waits for the terminal.

use std::sync::Arc;

use ratatui::layout::Rect;
use tokio::sync::mpsc;

use super::format::Units;
use super::keymap::Keymap;
use super::layout::regions;
use super::model::{Effect, Exit, Message, Model, Stats};
use super::theme::{Theme, ThemeName};
use super::update::{Event, update};
use super::view;
use crate::core::time::{MILLISECOND, SECOND, Wall};
use crate::runtime::session::snapshot::Level;
use crate::runtime::session::{Command, Request, Snapshot, View, Watcher};
use crate::term::capabilities::Depth;
use crate::term::{Frame, Input, Size, Stop, Terminal, clock};

/// How a screen begins.
#[derive(Clone, Debug, Default)]
pub struct UiOptions {
    /// The theme. A terminal without colours gets `mono` in place of `dark`.
    pub theme: ThemeName,
    /// The keys, with the changes of the config file.
    pub keymap: Keymap,
    /// The units.
    pub units: Units,
    /// The session goes on without this screen: `q` only leaves it.
    pub attached: bool,
    /// Said at the start: the hint of a first run, a notice of the config file.
    pub hint: Option<String>,
}

/// The model, what was last asked for, and whether the terminal shows it.
struct App {
    model: Model,
    snapshot: Arc<Snapshot>,
    looks_at: Option<View>,
    theme: Theme,
    changed: bool,
    drawn: Wall,
    settling: Option<Settling>,
    held: Option<Held>,
    /// A key came since the session was last asked for anything.
    keyed: bool,
}

/// The session was told of another view: keys typed ahead wait until its rows are there, or they would act on rows that
/// nobody sees any more.
#[derive(Clone, Copy, Debug)]
struct Settling {
    id: u64,
    answered: bool,
    until: Wall,
}

/// How long keys wait for the rows of another view at most.
const SETTLES: Wall = 150 * MILLISECOND;

/// Keys asked the session for something: the next frame waits for what comes of it, for a moment, so that the first one a
/// person sees after a key shows its effect, or how far that has come.
#[derive(Clone, Debug, Default)]
struct Held {
    /// Not yet answered.
    asked: Vec<u64>,
    until: Wall,
}

/// How long a frame waits for answers, and behind the last of them for a snapshot, at most.
const ANSWERED: Wall = 250 * MILLISECOND;
const SHOWN: Wall = 40 * MILLISECOND;

impl Held {
    /// Whether a frame still waits after an event.
    fn after(mut self, event: &Event, snapshot: &Snapshot, now: Wall) -> Option<Held> {
        match event {
            Event::Answer(answer) => {
                self.asked.retain(|id| *id != answer.id);
                if self.asked.is_empty() {
                    self.until = self.until.min(now.saturating_add(SHOWN));
                }
            }
            Event::Snapshot if self.asked.is_empty() || snapshot.job.is_some() => return None,
            Event::Resize(_) => return None,
            _ => {}
        }
        (self.until > now).then_some(self)
    }
}

/// Runs the screen until the person leaves, the terminal goes, or the session ends.
///
/// The terminal was opened by the caller, who also closes it and ends the session as the answer says.
pub async fn run(
    mut watcher: Watcher,
    terminal: &Terminal,
    mut inputs: mpsc::Receiver<Input>,
    options: UiOptions,
) -> Exit {
    let plain = terminal.capabilities().depth == Depth::Mono && options.theme == ThemeName::Dark;
    let theme = if plain { ThemeName::Mono } else { options.theme };
    let mut model = Model::new(terminal.size());
    model.theme = theme;
    model.glyphs = terminal.capabilities().glyphs;
    model.keymap = options.keymap;
    model.units = options.units;
    model.attached = options.attached;
    model.now = clock::now();
    model.message =
        options.hint.map(|text| Message { level: Level::Info, text, until: model.now.saturating_add(20 * SECOND) });
    let snapshot = watcher.snapshots.borrow_and_update().clone();
    let mut app = App {
        model,
        snapshot,
        looks_at: None,
        theme: Theme::new(theme),
        changed: true,
        drawn: 0,
        settling: None,
        held: None,
        keyed: false,
    };
    loop {
        if let Some(exit) = app.look(&watcher).or_else(|| app.draw(terminal)) {
            return exit;
        }
        let wait = app.wait(terminal);
        let timer = async {
            match wait {
                Some(time) => tokio::time::sleep(clock::span(time)).await,
                None => std::future::pending().await,
            }
        };
        // keys first: a flood of snapshots must not keep a person from leaving
        let event = tokio::select! { biased;
            input = inputs.recv(), if app.settling.is_none() => match input {
                Some(input) => match app.input(terminal, input) {
                    Ok(event) => event,
                    Err(exit) => return exit,
                },
                None => return Exit::Hangup,
            },
            answer = watcher.answers.recv() => match answer {
                Some(answer) => Some(Event::Answer(answer)),
                None => return Exit::SessionEnded,
            },
            new = watcher.snapshots.changed() => match new {
                Ok(()) => {
                    app.snapshot = watcher.snapshots.borrow_and_update().clone();
                    Some(Event::Snapshot)
                }
                Err(_) => return Exit::SessionEnded,
            },
            () = timer => None,
        };
        if let Some(exit) = app.event(&watcher, terminal, event.unwrap_or(Event::Tick)) {
            return exit;
        }
    }
}

impl App {
    /// Nanoseconds until something has to be done without an event; `None`: nothing.
    fn wait(&self, terminal: &Terminal) -> Option<Wall> {
        let now = clock::now();
        let message = self.model.message.as_ref().map(|m| m.until.saturating_sub(now).max(0));
        let interval = Wall::try_from(terminal.interval().as_nanos()).unwrap_or(SECOND);
        let settled = self.settling.map(|s| s.until.saturating_sub(now).max(0));
        let due = self.drawn.saturating_add(interval).max(self.held.as_ref().map_or(0, |h| h.until));
        let frame = self.changed.then(|| due.saturating_sub(now).max(interval / 10));
        [message, settled, frame].into_iter().flatten().min()
    }

    /// What an input means for the model; what concerns the terminal alone is done here.
    fn input(&mut self, terminal: &Terminal, input: Input) -> Result<Option<Event>, Exit> {
        match input {
            Input::Key(key) => Ok(Some(Event::Key(key))),
            Input::Paste(text) => Ok(Some(Event::Paste(text))),
            Input::Resize(size) => Ok(Some(Event::Resize(size))),
            Input::Suspend => {
                self.suspend(terminal, Stop::Process);
                Ok(None)
            }
            Input::Resume => {
                terminal.resume();
                self.changed = true;
                Ok(Some(Event::Resize(terminal.size())))
            }
            Input::Hangup => Err(Exit::Hangup),
            Input::Signal(number) => Err(Exit::Signal(number)),
        }
    }

    fn suspend(&mut self, terminal: &Terminal, stop: Stop) {
        if !terminal.suspend(stop) {
            let until = clock::now().saturating_add(6 * SECOND);
            let text = "Nothing could continue the program here: it is not suspended".into();
            self.model.message = Some(Message { level: Level::Warning, text, until });
        }
        self.changed = true;
    }

    fn event(&mut self, watcher: &Watcher, terminal: &Terminal, event: Event) -> Option<Exit> {
        let said = self.model.message.clone();
        let now = clock::now();
        self.settling = self.settling.filter(|s| s.until > now && !(s.answered && event == Event::Snapshot));
        if let (Some(s), Event::Answer(answer)) = (&mut self.settling, &event) {
            s.answered |= answer.id == s.id;
        }
        let quiet = event == Event::Tick;
        self.held = self.held.take().and_then(|held| held.after(&event, &self.snapshot, now));
        self.keyed |= matches!(event, Event::Key(_));
        let s = terminal.stats();
        self.model.stats = Stats { frames: s.frames, skipped: s.unchanged + s.replaced, bytes: s.bytes };
        let snapshot = Arc::clone(&self.snapshot);
        for effect in update(&mut self.model, &snapshot, event, now) {
            match effect {
                Effect::Send(request) => self.send(watcher, request),
                Effect::Suspend => self.suspend(terminal, Stop::Job),
                Effect::Redraw => terminal.redraw(),
                Effect::Copy(text) => terminal.copy(&text),
                Effect::Exit(exit) => return Some(exit),
            }
        }
        self.changed |= !quiet || said != self.model.message;
        None
    }

    /// The next frame waits for this answer, when a person is waiting for it.
    fn hold(&mut self, id: u64) {
        if self.keyed {
            let until = clock::now().saturating_add(ANSWERED);
            let fresh = || Held { asked: Vec::new(), until };
            self.held.get_or_insert_with(fresh).asked.push(id);
        }
    }

    fn send(&mut self, watcher: &Watcher, request: Request) {
        let id = request.id;
        match watcher.requests.try_send(request) {
            Ok(()) => self.hold(id),
            Err(mpsc::error::TrySendError::Full(request)) => {
                self.model.waiting.remove(&request.id);
                let until = clock::now().saturating_add(6 * SECOND);
                let text = "The session does not answer: the key was not taken".into();
                self.model.message = Some(Message { level: Level::Error, text, until });
                self.changed = true;
            }
            // the closed side of snapshots and answers ends the loop
            Err(mpsc::error::TrySendError::Closed(_)) => {}
        }
    }

    /// Tells the session what is looked at, when that changed.
    fn look(&mut self, watcher: &Watcher) -> Option<Exit> {
        let view = self.model.looks_at(&self.snapshot);
        if self.looks_at.as_ref() != Some(&view) {
            self.model.last_id += 1;
            let id = self.model.last_id;
            let request = Request { id, command: Command::View(Box::new(view.clone())) };
            match watcher.requests.try_send(request) {
                Ok(()) => {
                    self.hold(id);
                    let rows = self.looks_at.as_ref().is_none_or(|old| !same_rows(old, &view));
                    let until = clock::now().saturating_add(SETTLES);
                    self.settling = rows.then_some(Settling { id, answered: false, until }).or(self.settling);
                    self.looks_at = Some(view);
                }
                // asked again at the next turn
                Err(mpsc::error::TrySendError::Full(_)) => self.changed = true,
                Err(mpsc::error::TrySendError::Closed(_)) => return Some(Exit::SessionEnded),
            }
        }
        self.keyed = false;
        None
    }

    /// Hands a frame to the terminal, if one is due.
    fn draw(&mut self, terminal: &Terminal) -> Option<Exit> {
        if !terminal.is_alive() {
            return Some(Exit::Hangup);
        }
        let now = clock::now();
        let interval = Wall::try_from(terminal.interval().as_nanos()).unwrap_or(SECOND);
        let held = self.held.as_ref().is_some_and(|held| held.until > now);
        if !self.changed || held || now.saturating_sub(self.drawn) < interval || !terminal.wants_frame() {
            return None;
        }
        if self.theme.name() != self.model.theme {
            self.theme = Theme::new(self.model.theme);
        }
        let Size { cols, rows } = self.model.size;
        let mut buffer = terminal.blank(Rect::new(0, 0, cols, rows));
        if let Some(top) = view::draw(&self.model, &self.snapshot, &self.theme, &mut buffer) {
            self.model.scrolled_to(top);
        }
        let list = regions(&self.model, &self.snapshot).list;
        let scrolls = (!list.is_empty()).then(|| list.top()..list.bottom());
        terminal.draw(Frame { buffer, cursor: None, list: scrolls });
        self.changed = false;
        self.drawn = now;
        None
    }
}

/// The same rows and keys can be acted on; where the window of the list stands is settled by the model itself.
fn same_rows(old: &View, new: &View) -> bool {
    let kinds = |v: &View| (v.rows, v.presentation, v.diagnose, v.order, v.targets, v.outputs, v.controls, v.types);
    let texts =
        (&old.filter, &old.matches, &old.hidden, &old.only) == (&new.filter, &new.matches, &new.hidden, &new.only);
    kinds(old) == kinds(new) && texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::session::Answer;
    use crate::runtime::session::snapshot::Job;

    fn answer(id: u64) -> Event {
        Event::Answer(Answer { id, result: Ok(serde_json::Value::Null) })
    }

    #[test]
    fn a_frame_waits_for_the_answers_to_keys_and_for_what_they_changed() {
        let plain = Snapshot::default();
        let held = Held { asked: vec![1, 2], until: ANSWERED };
        // A snapshot of before the answers shows nothing of them.
        let held = held.after(&Event::Snapshot, &plain, 0).unwrap();
        let held = held.after(&answer(1), &plain, 0).unwrap();
        let held = held.after(&Event::Snapshot, &plain, 0).unwrap();
        let held = held.after(&answer(2), &plain, 0).unwrap();
        assert_eq!(held.until, SHOWN, "not long after the last answer");
        assert!(held.clone().after(&Event::Snapshot, &plain, 0).is_none());
        assert!(held.after(&Event::Tick, &plain, SHOWN).is_none(), "nothing has changed: it goes on all the same");
    }

    #[test]
    fn a_long_job_is_shown_before_it_is_done() {
        let busy = Snapshot { job: Some(Job { what: "seeking".into(), fraction: Some(0.1) }), ..Snapshot::default() };
        let held = Held { asked: vec![1], until: ANSWERED };
        assert!(held.clone().after(&Event::Snapshot, &busy, 0).is_none());
        assert!(held.clone().after(&Event::Tick, &busy, ANSWERED).is_none(), "and it never waits for ever");
        assert!(held.after(&Event::Resize(Size { cols: 9, rows: 9 }), &busy, 0).is_none());
    }
}

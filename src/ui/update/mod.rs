//! What an event does to the model, and what the session is asked for because of it.
//!
//! Pure: model, snapshot and event in, effects out. Reads no clock, opens nothing, draws nothing.

mod act;
mod diagnose;
mod dialog;
mod elements;
mod list;
mod moving;
mod say;
mod screen;

pub use self::dialog::{OUTPUTS, candidates, openables};
use super::action::{Action, Context};
use super::keys::{Code, Key};
use super::model::{Effect, Exit, Message, Model, Overlay, Pane, ViewName, Waiting};
use crate::core::time::{SECOND, Wall};
use crate::runtime::session::snapshot::{Level, Mode};
use crate::runtime::session::{Answer, Command, Request, Snapshot};
use crate::term::input::Size;

/// What happens to a screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A key.
    Key(Key),
    /// A paste.
    Paste(String),
    /// The terminal has another size.
    Resize(Size),
    /// The session answers, or has an alarm.
    Answer(Answer),
    /// There is a new snapshot.
    Snapshot,
    /// Time passed.
    Tick,
}

/// How long a message stays.
const STAYS: Wall = 6 * SECOND;

/// Changes the model; says what is to be done.
pub fn update(model: &mut Model, snapshot: &Snapshot, event: Event, now: Wall) -> Vec<Effect> {
    model.now = now;
    if model.message.as_ref().is_some_and(|m| m.until <= now) {
        model.message = None;
    }
    // a hint has been read when the next key comes; a warning stays its time
    if matches!(event, Event::Key(_)) && model.message.as_ref().is_some_and(|m| m.level == Level::Info) {
        model.message = None;
    }
    let mut u = Update { model, snapshot, effects: Vec::new() };
    match event {
        Event::Key(key) => u.key(key),
        Event::Paste(text) => u.paste(&text),
        Event::Resize(size) => u.model.size = size,
        Event::Answer(answer) => u.answer(answer),
        Event::Snapshot => u.arrived(),
        Event::Tick => {}
    }
    u.effects
}

/// The contexts whose keys count now, in the order of look-up.
pub fn contexts(model: &Model, snapshot: &Snapshot) -> Vec<Context> {
    match &model.overlay {
        Some(Overlay::Prompt(_) | Overlay::Help { .. } | Overlay::Open { .. }) => return vec![Context::Prompt],
        Some(Overlay::Question { .. }) => return vec![Context::Question],
        Some(_) => return vec![Context::Overlay],
        None => {}
    }
    contexts_of_view(model, snapshot)
}

/// The same without what lies over the view: what the help is about.
pub fn contexts_of_view(model: &Model, snapshot: &Snapshot) -> Vec<Context> {
    let mut all = Vec::new();
    let pane = model.focus(snapshot);
    if pane == Pane::Control {
        all.push(Context::Control);
    }
    match model.view {
        ViewName::Diagnose => all.push(Context::Diagnose),
        ViewName::Chart => all.push(Context::Chart),
        ViewName::Outputs => all.push(Context::Outputs),
        ViewName::Live | ViewName::Events => {}
    }
    match snapshot.mode {
        Mode::Simulate => all.extend([Context::Simulate, Context::Player]),
        Mode::Track => all.extend([Context::Simulate, Context::Recorded, Context::Player]),
        Mode::Replay => all.extend([Context::Recorded, Context::Player]),
        Mode::Live => {}
    }
    all.extend([Context::List, Context::Global]);
    all
}

/// One event being worked on.
struct Update<'a> {
    model: &'a mut Model,
    snapshot: &'a Snapshot,
    effects: Vec<Effect>,
}

impl Update<'_> {
    fn say(&mut self, level: Level, text: impl Into<String>) {
        let until = self.model.now.saturating_add(STAYS);
        self.model.message = Some(Message { level, text: text.into(), until });
    }

    fn note(&mut self, text: impl Into<String>) {
        self.say(Level::Info, text);
    }

    fn warn(&mut self, text: impl Into<String>) {
        self.say(Level::Warning, text);
    }

    /// Asks the session; its answer is met by `waiting`.
    fn ask(&mut self, command: Command, waiting: Waiting) {
        self.model.last_id += 1;
        let id = self.model.last_id;
        if self.model.waiting.len() > 1000 {
            self.model.waiting.pop_first();
        }
        self.model.waiting.insert(id, waiting);
        self.effects.push(Effect::Send(Request { id, command }));
    }

    /// Asks the session; says `done` where the session has nothing to say.
    fn send(&mut self, command: Command, done: impl Into<String>) {
        self.ask(command, Waiting::Say(done.into()));
    }

    fn key(&mut self, key: Key) {
        let contexts = contexts(self.model, self.snapshot);
        let closed = contexts.iter().any(|c| c.closed());
        let mut action = self.model.keymap.action(&contexts, key);
        // what ends, suspends and redraws the program works everywhere
        if action.is_none() && closed && key.ctrl {
            let everywhere = self.model.keymap.action(&[Context::Global], key);
            action = everywhere.filter(|a| matches!(a, Action::ForceQuit | Action::Suspend | Action::Redraw));
        }
        if key != Key::ctrl('c') {
            self.model.interrupted = false;
        }
        match action {
            Some(action) => self.act(action, ""),
            None if closed => self.typed(key),
            None => {
                let shown = match key.code {
                    Code::F(_) | Code::Insert => format!("{key} does nothing here; ? shows the keys"),
                    _ => return,
                };
                self.note(shown);
            }
        }
    }

    fn paste(&mut self, text: &str) {
        match &mut self.model.overlay {
            Some(Overlay::Prompt(prompt)) => prompt.paste(text),
            Some(Overlay::Help { input, top }) => {
                input.paste(text);
                *top = 0;
            }
            Some(Overlay::Open { input, index, .. }) => {
                input.paste(text);
                *index = 0;
            }
            _ => self.warn("Pasted text is taken by prompts only: press : or / first"),
        }
    }

    fn quit(&mut self, exit: Exit) {
        if exit == Exit::Quit {
            self.send(Command::Quit, "");
        }
        self.effects.push(Effect::Exit(exit));
    }
}

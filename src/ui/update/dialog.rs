//! Prompts, lists and questions: their keys, and what is done with what was typed or chosen.

use super::Update;
use super::act::set_to;
use crate::core::transport::{Change, To, Transport};
use crate::runtime::control::words::{Asked, COMMANDS, parse};
use crate::runtime::session::openables::OUTPUT;
use crate::runtime::session::snapshot::Openable;
use crate::runtime::session::{Command, OutputChange};
use crate::ui::action::{Action, by_name, palette};
use crate::ui::format;
use crate::ui::keys::Key;
use crate::ui::model::{Exit, Model, Overlay, Then};
use crate::ui::prompt::{Prompt, PromptKind, remember};
use crate::ui::theme::ThemeName;

/// What passes the filter of the open dialog: every word must stand in the name, the kind or the spec.
pub fn openables<'a>(items: &'a [Openable], filter: &str) -> Vec<&'a Openable> {
    let words: Vec<String> = filter.split_whitespace().map(str::to_lowercase).collect();
    let fits = |o: &&Openable| {
        let text = format!("{} {} {}", o.name, o.kind, o.spec).to_lowercase();
        words.iter().all(|w| text.contains(w))
    };
    items.iter().filter(|o| o.kind != OUTPUT).filter(fits).collect()
}

/// Outputs that need nothing of this machine, and what they are.
pub const OUTPUTS: &[(&str, &str)] = &[
    ("tcp-server:0.0.0.0:10110", "whoever connects from the network"),
    ("tcp-server:127.0.0.1:10110", "programs on this machine"),
    ("tcp-client:", "connect to HOST:PORT"),
    ("udp:", "datagrams to HOST:PORT"),
    ("udp-broadcast:10110", "everybody on every network"),
    ("websocket:0.0.0.0:3000;encoding=signalk", "as a Signal K server"),
    ("pty", "a virtual serial port"),
    ("file:", "sentences alone"),
    ("log:", "with times, to be replayed"),
    ("serial:", "DEVICE@BAUD"),
];

/// What may stand behind a SPEC.
const OPTIONS: &[(&str, &[&str])] = &[
    (
        "",
        &["filter=", "encoding=signalk", "encoding=nmea0183", "tag=II0001", "tag=keep", "tag_time=ms", "period=500ms"],
    ),
    ("udp", &["encoding=iec61162-450", "encoding=viewsync"]),
    ("udp-multicast", &["ttl=4", "interface="]),
    ("serial", &["bits=8N1", "flow=hardware", "flow=software"]),
];

/// Whole SPECs that may stand in the prompt of an output: kinds, this machine's ports and networks, options behind a `;`.
fn specs(model: &Model, line: &str) -> Vec<String> {
    let Some((head, _)) = line.rsplit_once(';') else {
        let known = OUTPUTS.iter().map(|(spec, _)| (*spec).to_owned());
        let here = model.openables.iter().filter(|o| o.kind == OUTPUT).map(|o| o.spec.clone());
        let mut all: Vec<String> = Vec::new();
        for spec in known.chain(here) {
            // An open end is no offer beside what it leads to.
            if !all.contains(&spec) {
                all.push(spec);
            }
        }
        return all;
    };
    let fits = OPTIONS.iter().filter(|(kind, _)| head.starts_with(kind));
    let options = fits.flat_map(|(_, options)| options.iter());
    let given = |option: &str| head.contains(&format!(";{}=", option.split('=').next().unwrap_or(option)));
    options.filter(|o| !given(o)).map(|option| format!("{head};{option}")).collect()
}

impl Update<'_> {
    /// A key that no action of the overlay has: it is typed.
    pub(super) fn typed(&mut self, key: Key) {
        match &mut self.model.overlay {
            Some(Overlay::Prompt(prompt)) => {
                prompt.key(key);
            }
            Some(Overlay::Help { input, top: at } | Overlay::Open { input, index: at, .. }) => {
                let changed = input.key(key);
                *at = if changed { 0 } else { *at };
            }
            _ => {}
        }
    }

    /// Keys of prompts, lists and questions.
    pub(super) fn dialog(&mut self, action: Action) {
        use Action as A;
        let page = usize::from(self.model.size.rows / 2).max(1);
        match action {
            A::Cancel | A::Close | A::No => self.model.overlay = None,
            A::Accept => self.accept(),
            A::Complete => self.complete(),
            A::Older => self.walk(-1, true),
            A::Newer => self.walk(1, false),
            A::OverlayDown => self.walk(1, false),
            A::OverlayUp => self.walk(-1, true),
            A::OverlayPageDown => self.walk(page as isize, false),
            A::OverlayPageUp => self.walk(-(page as isize), true),
            A::OverlayFirst => self.walk(isize::MIN / 4, true),
            A::OverlayLast => self.walk(isize::MAX / 4, false),
            A::Yes => self.yes(),
            A::Choose => self.choose(),
            A::Toggle => self.toggle_type(),
            A::Less | A::More => {
                if let Some(Overlay::Port(port)) = &mut self.model.overlay {
                    port.step(action == A::More, &self.snapshot.inputs);
                }
            }
            A::ToggleAll if matches!(self.model.overlay, Some(Overlay::Port(_))) => self.find_baud(),
            A::ToggleAll => {
                if let Some(Overlay::Types { .. }) = self.model.overlay {
                    let all: Vec<String> = self.snapshot.types.iter().map(|t| t.key.clone()).collect();
                    let hidden = &mut self.model.list.hidden;
                    *hidden = if hidden.is_empty() { all } else { Vec::new() };
                }
            }
            A::WriteMarks => {
                if let Some(Overlay::Marks { .. }) = self.model.overlay {
                    self.act(Action::ExportMarks, "");
                }
            }
            A::ToggleSendOnly => {
                if let Some(Overlay::Types { .. }) = self.model.overlay {
                    self.send_only();
                }
            }
            A::DeleteMark | A::RenameMark => {
                let Some(Overlay::Marks { index }) = self.model.overlay else { return };
                let marks = self.snapshot.log.as_ref().map(|l| l.marks.as_slice()).unwrap_or_default();
                let Some(mark) = marks.get(index) else { return };
                if action == A::RenameMark {
                    let prompt = Prompt::new(PromptKind::MarkName(mark.place), &mark.name);
                    self.model.overlay = Some(Overlay::Prompt(prompt));
                } else {
                    self.send(Command::Mark { at: Some(mark.place), name: None }, "Mark deleted");
                }
            }
            _ => {}
        }
    }

    /// Up and down: history of a prompt, rows of a list.
    fn walk(&mut self, by: isize, older: bool) {
        let types = self.snapshot.types.len();
        let marks = self.snapshot.log.as_ref().map_or(0, |l| l.marks.len());
        let moved =
            |at: usize, len: usize| (at as isize).saturating_add(by).clamp(0, (len as isize - 1).max(0)) as usize;
        match &mut self.model.overlay {
            Some(Overlay::Prompt(prompt)) => {
                let history = self.model.history.get(&prompt.kind).map(Vec::as_slice).unwrap_or_default();
                prompt.recall(history, older);
            }
            Some(Overlay::Open { input, items, index }) => {
                let len = items.as_deref().map_or(0, |i| openables(i, input.text()).len());
                *index = moved(*index, len);
            }
            Some(Overlay::Types { index }) => *index = moved(*index, types),
            Some(Overlay::Marks { index }) => *index = moved(*index, marks),
            // how long the text is only the view knows: it clips
            Some(Overlay::Help { top, .. }) => *top = moved(*top, 200),
            Some(Overlay::Inspect { top, .. }) => *top = moved(*top, 500),
            Some(Overlay::Text { top, lines, .. }) => *top = moved(*top, lines.len()),
            Some(Overlay::Port(port)) => port.row = moved(port.row, port.rows().len()),
            Some(Overlay::Question { .. }) | None => {}
        }
    }

    fn yes(&mut self) {
        let Some(Overlay::Question { then, .. }) = self.model.overlay.take() else { return };
        match then {
            Then::Quit => self.quit(Exit::Quit),
            Then::Leave => self.quit(Exit::Left),
            Then::Reset => self.send(Command::Change(Change::Reset), "As the profile says"),
            Then::Move(at) => {
                self.model.chart.middle = None;
                let parts = vec![
                    set_to("vessel.latitude", format!("{:.6}", at.latitude)),
                    set_to("vessel.longitude", format!("{:.6}", at.longitude)),
                ];
                self.change(Change::Several(parts), format!("Moved to {}", format::position(at, 3, " ")));
            }
            Then::RemoveOutput(n) => self.send(Command::Output(OutputChange::Remove(n)), "Removed"),
            Then::Open(what) => self.open_now(&what),
        }
    }

    fn choose(&mut self) {
        match self.model.overlay.take() {
            Some(Overlay::Marks { index }) => {
                let marks = self.snapshot.log.as_ref().map(|l| l.marks.as_slice()).unwrap_or_default();
                if let Some(mark) = marks.get(index) {
                    let word = if mark.name.is_empty() { "At the mark".into() } else { format!("At {}", mark.name) };
                    self.move_head(Transport::Seek(To::Place(mark.place)), word);
                }
            }
            Some(Overlay::Types { index }) => {
                if let Some(only) = self.snapshot.types.get(index) {
                    let others = self.snapshot.types.iter().map(|t| t.key.clone()).filter(|k| *k != only.key);
                    self.model.list.hidden = others.collect();
                    self.forget_place();
                    self.note(format!("Only {}; f and a show all again", only.key));
                }
            }
            // stays, to show what is heard then
            Some(Overlay::Port(port)) => self.use_port(port),
            _ => {}
        }
    }

    fn toggle_type(&mut self) {
        let Some(Overlay::Types { index }) = self.model.overlay else { return };
        let Some(row) = self.snapshot.types.get(index) else { return };
        let hidden = &mut self.model.list.hidden;
        match hidden.iter().position(|k| *k == row.key) {
            Some(at) => drop(hidden.remove(at)),
            None => hidden.push(row.key.clone()),
        }
    }

    fn complete(&mut self) {
        let Some(Overlay::Prompt(prompt)) = &self.model.overlay else { return };
        let line = prompt.offers.as_ref().map_or_else(|| prompt.text().to_owned(), |_| String::new());
        let all = candidates(self.model, self.snapshot, &prompt.kind, &line);
        if let Some(Overlay::Prompt(prompt)) = &mut self.model.overlay {
            prompt.complete(all);
        }
    }

    fn accept(&mut self) {
        match self.model.overlay.take() {
            Some(Overlay::Prompt(prompt)) => {
                let line = prompt.text().to_owned();
                remember(self.model.history.entry(prompt.kind.clone()).or_default(), &line);
                self.accept_line(prompt.kind, line.trim());
            }
            Some(Overlay::Open { input, items, index }) => {
                let typed = input.text().trim().to_owned();
                let fits = items.as_deref().map(|i| openables(i, &typed)).unwrap_or_default();
                match fits.get(index) {
                    Some(chosen) => {
                        let spec = chosen.spec.clone();
                        self.open(&spec);
                    }
                    // any path or SPEC can be typed
                    None if !typed.is_empty() => self.open(&typed),
                    None => self.note("Nothing to open: type a path, or a SPEC such as tcp:HOST:PORT"),
                }
            }
            // the help closes
            _ => {}
        }
    }

    fn accept_line(&mut self, kind: PromptKind, line: &str) {
        match kind {
            PromptKind::Palette => self.run_line(line),
            PromptKind::Matches => self.start_matches(line),
            PromptKind::Rows => self.filter_rows(line),
            PromptKind::Find => self.start_find(line),
            _ if line.is_empty() => {}
            PromptKind::GoTo => self.go_to(line),
            PromptKind::Percent => self.act(Action::Percent, line),
            PromptKind::Value(key) => self.set(&key, line),
            PromptKind::AddTarget => self.target_typed(line),
            PromptKind::AddSentence => self.sentence_typed(line),
            PromptKind::Destination => self.destination_typed(line),
            PromptKind::AddOutput => self.act(Action::AddOutput, line),
            PromptKind::EditOutput(n) => {
                self.send(Command::Output(OutputChange::Edit(n, line.into())), format!("Output {n}: {line}"));
            }
            PromptKind::Report => self.act(Action::Report, line),
            PromptKind::ExportMarks => self.act(Action::ExportMarks, line),
            PromptKind::MarkName(place) => {
                self.send(Command::Mark { at: Some(place), name: Some(line.into()) }, format!("Mark {line}"));
            }
            PromptKind::Help | PromptKind::Open => {}
        }
    }

    /// A line of the palette: an action by name, a place to go to, or a command as `ctl` takes it.
    pub(super) fn run_line(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if let Some(spec) = by_name(word).filter(|s| !s.context.closed()) {
            if spec.argument.is_empty() && !rest.is_empty() {
                self.warn(format!("{word} takes nothing behind it"));
            } else if !spec.argument.is_empty()
                && !spec.argument.starts_with('[')
                && rest.is_empty()
                && spec.keys.is_empty()
                && spec.action != Action::Filter
            {
                self.warn(format!("{word}: give {}", spec.argument));
            } else {
                self.act(spec.action, rest);
            }
            return;
        }
        let place = crate::core::transport::target::Target::parse(line).is_ok();
        let marks = self.snapshot.log.as_ref().map(|l| l.marks.as_slice()).unwrap_or_default();
        if place || marks.iter().any(|m| m.name.eq_ignore_ascii_case(line)) {
            self.act(Action::GoTo, line);
            return;
        }
        match parse(line) {
            Ok(Asked::Command(Command::Quit)) => self.act(Action::Quit, ""),
            Ok(Asked::Command(command)) => self.send(command, "Done"),
            Ok(Asked::Status) => self.act(Action::Stats, ""),
            Err(why) if COMMANDS.iter().any(|(name, ..)| *name == word) => self.warn(why),
            Err(_) => {
                self.warn(format!("`{line}` is neither an action nor a place to go to; Tab completes, ? shows all"))
            }
        }
    }
}

/// Whole lines that may stand in a prompt.
pub fn candidates(
    model: &Model,
    snapshot: &crate::runtime::session::Snapshot,
    kind: &PromptKind,
    line: &str,
) -> Vec<String> {
    let marks = || {
        let marks = snapshot.log.as_ref().map(|l| l.marks.as_slice()).unwrap_or_default();
        marks.iter().filter(|m| !m.name.is_empty()).map(|m| m.name.clone())
    };
    match kind {
        PromptKind::Palette => {
            let behind = |word: &str, all: Vec<String>| all.into_iter().map(|a| format!("{word} {a}")).collect();
            match line.split_once(' ').map(|(word, _)| word) {
                Some("theme") => behind("theme", ThemeName::ALL.map(|t| t.name().to_owned()).to_vec()),
                Some("units") => {
                    behind("units", ["kn", "kmh", "m/s", "m", "ft", "fathoms", "C", "F"].map(String::from).to_vec())
                }
                Some("open") => {
                    behind("open", openables(&model.openables, "").iter().map(|o| o.spec.clone()).collect())
                }
                Some("set") => {
                    let live = snapshot.controls.iter().filter(|c| !c.fixed);
                    behind("set", live.map(|c| c.key.clone()).collect())
                }
                Some("go") => behind("go", marks().collect()),
                Some(_) => Vec::new(),
                None => {
                    let mut names: Vec<String> = palette().map(|s| s.name.to_owned()).collect();
                    names.extend(COMMANDS.iter().map(|(name, ..)| (*name).to_owned()).filter(|n| by_name(n).is_none()));
                    names.sort();
                    names
                }
            }
        }
        PromptKind::GoTo => marks().chain(["start", "end"].map(String::from)).collect(),
        PromptKind::AddOutput | PromptKind::EditOutput(_) => specs(model, line),
        PromptKind::Value(key) => crate::ui::tables::choices(key).iter().map(|w| (*w).to_owned()).collect(),
        PromptKind::Find | PromptKind::Matches => snapshot.types.iter().map(|t| t.key.clone()).collect(),
        _ => Vec::new(),
    }
}

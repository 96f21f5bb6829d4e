//! What each action does.

use super::Update;
use super::list::Go;
use crate::core::time::SECOND;
use crate::core::transport::player::{notch, speed_from_text};
use crate::core::transport::target::Target;
use crate::core::transport::{Change, Looping, To, Transport, Unit};
use crate::core::vessel::Position;
use crate::runtime::session::snapshot::{Link, Mode};
use crate::runtime::session::{Command, OutputChange, Snapshot};
use crate::ui::action::{Action, spec};
use crate::ui::control;
use crate::ui::format;
use crate::ui::model::{Effect, Exit, Overlay, Pane, Then, ViewName, Waiting};
use crate::ui::prompt::{Prompt, PromptKind};
use crate::ui::tables;

/// What would be lost by ending the session, one line each.
pub(super) fn losses(snapshot: &Snapshot) -> Vec<String> {
    let mut lines = Vec::new();
    if snapshot.record.on {
        let n = format::thousands(snapshot.record.sentences);
        lines.push(format!("The recording ends ({n} sentences): {}", snapshot.record.path));
    }
    let clients: u32 = snapshot.outputs.iter().map(|o| o.client_count).sum();
    if clients > 0 {
        let are = if clients == 1 { "1 client is" } else { &format!("{clients} clients are") };
        let at = snapshot.outputs.iter().filter(|o| o.client_count > 0).map(|o| o.at.as_str());
        lines.push(format!("{are} cut off: {}", at.collect::<Vec<_>>().join(", ")));
    }
    if snapshot.unsaved {
        lines.push("Changes of the profile are not saved (:save)".into());
    }
    lines
}

/// A part of a change.
pub(super) fn set_to(key: impl Into<String>, value: impl Into<String>) -> Change {
    Change::Set { key: key.into(), value: value.into() }
}

impl Update<'_> {
    pub(super) fn prompt(&mut self, kind: PromptKind, text: &str) {
        self.model.overlay = Some(Overlay::Prompt(Prompt::new(kind, text)));
    }

    pub(super) fn change(&mut self, change: Change, done: impl Into<String>) {
        self.send(Command::Change(change), done);
    }

    pub(super) fn set(&mut self, key: &str, value: &str) {
        self.change(Change::Set { key: key.into(), value: value.into() }, format!("{key} = {value}"));
    }

    fn question(&mut self, title: &str, lines: Vec<String>, then: Then) {
        self.model.overlay = Some(Overlay::Question { title: title.into(), lines, then });
    }

    fn cannot(&mut self, action: Action) -> bool {
        let context = spec(action).context;
        let mode = self.snapshot.mode;
        let fits = match context {
            crate::ui::action::Context::Simulate => matches!(mode, Mode::Simulate | Mode::Track),
            crate::ui::action::Context::Recorded => matches!(mode, Mode::Replay | Mode::Track),
            crate::ui::action::Context::Player => mode != Mode::Live,
            _ => true,
        };
        if !fits {
            self.warn(format!("{}: only for {}", spec(action).name, context.words()));
        }
        !fits
    }

    /// Does it. `argument` is what stood behind the name in the palette.
    #[expect(clippy::too_many_lines, reason = "one line or two for each action of the table")]
    pub(super) fn act(&mut self, action: Action, argument: &str) {
        use Action as A;
        if self.cannot(action) {
            return;
        }
        let s = self.snapshot;
        match action {
            A::ViewLive => self.show(ViewName::Live),
            A::ViewDiagnose => self.show(ViewName::Diagnose),
            A::ViewChart => self.show(ViewName::Chart),
            A::ViewOutputs => self.show(ViewName::Outputs),
            A::ViewEvents => self.show(ViewName::Events),
            A::NextPane => self.turn_pane(1),
            A::PreviousPane => self.turn_pane(-1),
            A::Zoom => self.model.zoom = !self.model.zoom,
            A::Help => {
                self.model.overlay = Some(Overlay::Help { input: Prompt::new(PromptKind::Help, argument), top: 0 })
            }
            A::Palette => self.prompt(PromptKind::Palette, ""),
            A::Back => self.back(),
            A::Redraw => self.effects.push(Effect::Redraw),
            A::Theme => self.theme(argument),
            A::Units => self.units(argument),
            A::Stats => self.stats(),
            A::Pause => self.pause(),
            A::Open => self.open(argument),
            A::Record if s.record.on && argument.is_empty() => self.send(Command::RecordStop, "Recording ended"),
            A::Record => self.ask(Command::Record(argument.into()), Waiting::Path("Recording".into())),
            A::Quit => self.ask_to_quit(),
            A::ForceQuit if self.model.interrupted => {
                self.quit(if self.model.attached { Exit::Left } else { Exit::Quit })
            }
            A::ForceQuit => {
                self.model.overlay = None;
                self.ask_to_quit();
                self.model.interrupted = true;
            }
            A::Suspend => self.effects.push(Effect::Suspend),
            A::EndSession if self.model.attached => {
                let mut lines = losses(s);
                lines.push("The session ends for everybody who is attached".into());
                self.question("End the session?", lines, Then::Quit);
            }
            A::EndSession => self.ask_to_quit(),
            A::Step => self.transport(Transport::Step(Unit::Sentence, 1), ""),
            A::StepBack => self.transport(Transport::Step(Unit::Sentence, -1), ""),
            A::Faster => self.speed(notch(s.transport.speed, true)),
            A::Slower => self.speed(notch(s.transport.speed, false)),
            A::RealTime => self.speed(Some(100)),
            A::Speed => match speed_from_text(argument) {
                Ok(speed) => self.speed(speed),
                Err(why) => self.warn(why),
            },
            A::EpochForward => self.transport(Transport::Step(Unit::Epoch, 1), ""),
            A::EpochBack => self.transport(Transport::Step(Unit::Epoch, -1), ""),
            A::Forward => self.move_head(Transport::Go(Target::Skip(5 * SECOND)), ""),
            A::Rewind => self.move_head(Transport::Go(Target::Skip(-5 * SECOND)), ""),
            A::FastForward => self.move_head(Transport::Go(Target::Skip(60 * SECOND)), ""),
            A::FastRewind => self.move_head(Transport::Go(Target::Skip(-60 * SECOND)), ""),
            A::GoTo if argument.is_empty() => self.prompt(PromptKind::GoTo, ""),
            A::GoTo => self.go_to(argument),
            A::Percent if argument.is_empty() => self.prompt(PromptKind::Percent, ""),
            A::Percent => self.go_to(&format!("{}%", argument.trim_end_matches('%'))),
            A::NextGap => self.move_head(Transport::Seek(To::Move(Unit::Gap, 1)), ""),
            A::PreviousGap => self.move_head(Transport::Seek(To::Move(Unit::Gap, -1)), ""),
            A::PlayFromHere => self.play_from_here(),
            A::LoopPoint => self.loop_point(),
            A::LoopAll => {
                let (to, word) = match s.transport.looping {
                    Looping::All => (Looping::Off, "Loop off"),
                    _ => (Looping::All, "Loop over everything"),
                };
                self.transport(Transport::Loop(to), word);
            }
            A::Emit => {
                let word =
                    if s.transport.emit { "Only looking: nothing is sent to outputs" } else { "Sending to outputs" };
                self.transport(Transport::Emit(!s.transport.emit), word);
            }
            A::MaxGap => match argument.trim_end_matches('s').trim().parse::<f64>() {
                Ok(seconds) if (0.0..=1e6).contains(&seconds) => {
                    self.transport(Transport::Gap(Some((seconds * 1e9) as i64)), format!("Waits {seconds} s at most"));
                }
                _ if argument == "off" => self.transport(Transport::Gap(None), "Gaps last as long as recorded"),
                _ => self.warn("max-gap: give seconds, or off"),
            },
            A::Down => self.go(Go::Rows(1)),
            A::Up => self.go(Go::Rows(-1)),
            A::PageDown => self.go(Go::Pages(1)),
            A::PageUp => self.go(Go::Pages(-1)),
            A::First => self.go(Go::First),
            A::Last => self.go(Go::Last),
            A::ScrollLeft => self.sideways(false),
            A::ScrollRight => self.sideways(true),
            A::Follow => self.toggle_follow(),
            A::Presentation => self.presentation(),
            A::Find if argument.is_empty() => {
                let pattern = String::new();
                self.prompt(PromptKind::Find, &pattern);
            }
            A::Find => self.start_find(argument),
            A::FindNext => self.find(false),
            A::FindPrevious => self.find(true),
            A::Matches if argument.is_empty() => {
                let now = self.model.list.matches.clone();
                self.prompt(PromptKind::Matches, &now);
            }
            A::Matches => self.start_matches(argument),
            A::Filter => {
                self.model.list.filter = argument.trim().to_owned();
                self.forget_place();
                self.note(if argument.is_empty() { "All types".to_owned() } else { format!("Only {argument}") });
            }
            A::Types => self.model.overlay = Some(Overlay::Types { index: 0 }),
            A::SendOnly => self.send_only(),
            A::NextBad => self.look("bad", false, "bad line"),
            A::PreviousBad => self.look("bad", true, "bad line"),
            A::NextWarning => self.look("warning", false, "warning"),
            A::PreviousWarning => self.look("warning", true, "warning"),
            A::Mark => {
                let name = (!argument.is_empty()).then(|| argument.to_owned());
                let at = self.model.list.selected.and_then(|_| self.place_at_hand());
                self.send(Command::Mark { at, name }, "");
            }
            A::NextMark => self.look("mark", false, "mark"),
            A::PreviousMark => self.look("mark", true, "mark"),
            A::Marks if s.log.as_ref().is_none_or(|l| l.marks.is_empty()) => self.note("No marks yet: m sets one"),
            A::Marks => self.model.overlay = Some(Overlay::Marks { index: 0 }),
            A::ExportMarks if argument.is_empty() => self.prompt(PromptKind::ExportMarks, "marks.tsv"),
            A::ExportMarks => self.send(Command::ExportMarks(argument.into()), ""),
            A::Inspect => match self.key_at_hand() {
                _ if matches!(self.model.focus(s), Pane::Events | Pane::Outputs) => {}
                Some(key) => self.model.overlay = Some(Overlay::Inspect { key, top: 0 }),
                None => self.note("No line to take apart yet"),
            },
            A::Hex => self.model.list.hex = !self.model.list.hex,
            A::TimeColumn => {
                self.model.list.time = self.model.list.time.next();
                self.note(format!("Time column: {}", self.model.list.time.word()));
            }
            A::Copy => match self.model.row_at_hand(&s.list) {
                Some(row) => {
                    self.effects.push(Effect::Copy(row.text.clone()));
                    self.note("Copied, if the terminal allows it (OSC 52)");
                }
                None => self.note("No line to copy yet"),
            },
            A::SaveStretch if argument.is_empty() => self.warn("save-stretch: give the path of a new log"),
            A::SaveStretch => {
                let between = match s.transport.looping {
                    Looping::Stretch(a, b) => Some((a, b)),
                    _ => None,
                };
                let filter = self.model.list.filter.clone();
                let (matches, hidden) = (self.model.list.matches.clone(), self.model.list.hidden.clone());
                let save = Command::SaveStretch { path: argument.into(), between, filter, matches, hidden };
                self.send(save, format!("Saved {argument}"));
            }
            A::Faults => self.faults(),
            A::Autopilot => {
                let mode = control::value(s, "steering.mode").unwrap_or("walk");
                let to = if matches!(mode, "heading" | "leg") { "walk" } else { "heading" };
                let word = if to == "heading" { "Autopilot on: holds the heading" } else { "Autopilot off" };
                self.change(Change::Set { key: "steering.mode".into(), value: to.into() }, word);
            }
            A::ResetProfile => {
                let lines = vec!["Every value changed or pinned by hand is let go".into()];
                self.question("Back to what the profile says?", lines, Then::Reset);
            }
            A::Undo => self.send(Command::Undo, "Taken back"),
            A::SetKey => match argument.split_once([' ', '=']) {
                Some((key, value)) => self.set_key(key.trim(), value.trim()),
                None => self.warn("set: give a key and a value, such as vessel.speed 6.5"),
            },
            A::SaveProfile => self.send(Command::SaveProfile(argument.into()), "Profile saved"),
            A::ControlUp => self.choose_control(-1),
            A::ControlDown => self.choose_control(1),
            A::NudgeDown => self.nudge(-1.0),
            A::NudgeUp => self.nudge(1.0),
            A::NudgeDown10 => self.nudge(-10.0),
            A::NudgeUp10 => self.nudge(10.0),
            A::ControlValue => match control::at_cursor(self.model, s) {
                Some(c) => {
                    let value = control::to_edit(c);
                    self.prompt(PromptKind::Value(c.key.clone()), &value);
                }
                None => self.add_element(),
            },
            A::Release => {
                if let Some(c) = control::at_cursor(self.model, s) {
                    let key = c.key.clone();
                    let word = format!("{key} released");
                    self.change(Change::Release { key }, word);
                }
            }
            A::AddElement => self.add_element(),
            A::RemoveElement => self.remove_element(),
            A::ZoomIn => self.model.chart.closer(),
            A::ZoomOut => self.model.chart.further(),
            A::PanLeft => self.pan(-0.25, 0.0),
            A::PanRight => self.pan(0.25, 0.0),
            A::PanUp => self.pan(0.0, 0.25),
            A::PanDown => self.pan(0.0, -0.25),
            A::ChartFollow => self.model.chart.middle = None,
            A::NextTarget => self.turn_target(1),
            A::PreviousTarget => self.turn_target(-1),
            A::InspectTarget => self.inspect_target(),
            A::DestinationHere => match self.chart_cursor() {
                _ if self.cannot(A::ResetProfile) => {}
                Some(at) => self.destination(at, None),
                None => self.note("The vessel has no position yet"),
            },
            A::MoveHere => match self.chart_cursor() {
                _ if self.cannot(A::ResetProfile) => {}
                Some(at) => {
                    let lines = vec![format!("To {}", format::position(at, 3, " ")), "The track jumps".into()];
                    self.question("Move the vessel?", lines, Then::Move(at));
                }
                None => self.note("The vessel has no position yet"),
            },
            A::Destination => self.destination_typed(argument),
            A::AddOutput if argument.is_empty() => {
                self.prompt(PromptKind::AddOutput, "");
                self.ask(Command::Openables, Waiting::Openables);
            }
            A::AddOutput => self.send(Command::Output(OutputChange::Add(argument.into())), format!("Added {argument}")),
            A::EditOutput => {
                if let Some(o) = s.outputs.get(self.model.output) {
                    let (n, text) = (o.n, o.spec.clone());
                    self.prompt(PromptKind::EditOutput(n), &text);
                    self.ask(Command::Openables, Waiting::Openables);
                }
            }
            A::StopOutput => {
                if let Some(o) = s.outputs.get(self.model.output) {
                    let (change, word) = match o.state {
                        Link::Closed | Link::Failed => (OutputChange::Start(o.n), "Started"),
                        _ => (OutputChange::Stop(o.n), "Stopped"),
                    };
                    self.send(Command::Output(change), format!("{word}: {}", o.spec));
                }
            }
            A::RemoveOutput => {
                if let Some(o) = s.outputs.get(self.model.output) {
                    let lines = vec![format!("{}, {} clients", o.spec, o.client_count)];
                    self.question("Remove the output?", lines, Then::RemoveOutput(o.n));
                }
            }
            A::ClearCounters => self.send(Command::ClearCounters, "Counters cleared"),
            A::Port => self.port(argument),
            A::SortRows => self.sort_rows(argument),
            A::ReverseRows => {
                self.model.order.reversed ^= true;
                self.say_order();
            }
            A::FilterRows if argument.is_empty() => {
                let now = self.model.only.clone();
                self.prompt(PromptKind::Rows, &now);
            }
            A::FilterRows => self.filter_rows(argument),
            A::Report if argument.is_empty() => self.prompt(PromptKind::Report, "report.md"),
            A::Report => self.send(Command::Report(argument.into()), format!("Report saved: {argument}")),
            A::Explain => self.explain(),
            A::Accept
            | A::Cancel
            | A::Complete
            | A::Older
            | A::Newer
            | A::OverlayDown
            | A::OverlayUp
            | A::OverlayPageDown
            | A::OverlayPageUp
            | A::OverlayFirst
            | A::OverlayLast
            | A::Choose
            | A::Toggle
            | A::ToggleAll
            | A::Less
            | A::More
            | A::ToggleSendOnly
            | A::DeleteMark
            | A::RenameMark
            | A::WriteMarks
            | A::Close
            | A::Yes
            | A::No => self.dialog(action),
        }
    }

    fn ask_to_quit(&mut self) {
        let lines = if self.model.attached { Vec::new() } else { losses(self.snapshot) };
        if lines.is_empty() {
            self.quit(if self.model.attached { Exit::Left } else { Exit::Quit });
        } else {
            self.question("Quit?", lines, Then::Quit);
        }
    }

    /// Opens a source, or the list of what there is.
    pub(super) fn open(&mut self, what: &str) {
        let what = what.trim();
        if what.is_empty() {
            let items = None;
            self.model.overlay = Some(Overlay::Open { input: Prompt::new(PromptKind::Open, ""), items, index: 0 });
            self.ask(Command::Openables, Waiting::Openables);
        } else if self.snapshot.unsaved {
            let lines = vec!["Changes of the profile are not saved (:save)".into()];
            self.question(&format!("Open {what}?"), lines, Then::Open(what.into()));
        } else {
            self.open_now(what);
        }
    }

    /// Opens a source; whatever belonged to the old one is forgotten.
    pub(super) fn open_now(&mut self, what: &str) {
        self.forget_place();
        self.model.frozen = None;
        self.model.chart.middle = None;
        self.model.chart.target = None;
        self.send(Command::Open(what.into()), format!("Opening {what}"));
    }

    fn faults(&mut self) {
        self.show(ViewName::Live);
        self.model.focus_on(Pane::Control);
        self.model.zoom = true;
        let is_switch = |key: &str| key.starts_with("fault.") && key.ends_with(".enabled");
        match self.snapshot.controls.iter().find(|c| is_switch(&c.key)) {
            Some(c) => self.model.control = c.key.clone(),
            None => self.note("This source has no faults to inject"),
        }
    }

    fn choose_control(&mut self, by: isize) {
        if self.model.zoom {
            return self.move_in_tables(by as i64);
        }
        let rows = control::shown(self.snapshot);
        let at = control::chosen(self.model, self.snapshot) as isize;
        let to = (at + by).clamp(0, (rows.len() as isize - 1).max(0)) as usize;
        if let Some((_, c)) = rows.get(to) {
            self.model.control = c.key.clone();
        }
    }

    /// Moves the cursor of the zoomed control pane by rows.
    pub(super) fn move_in_tables(&mut self, by: i64) {
        self.in_tables(|all, at| tables::rows_on(all, at, by));
    }

    fn in_tables(&mut self, to: impl Fn(&[tables::Table<'_>], tables::Place) -> tables::Place) {
        let all = tables::tables(self.snapshot, self.model.size.cols);
        if let Some(at) = tables::place(&all, self.snapshot, &self.model.control) {
            self.model.control = tables::name(&all, to(&all, at));
        }
    }

    /// Sideways: a column of the tables, or the lines of the list.
    fn sideways(&mut self, right: bool) {
        if self.model.zoom && self.model.focus(self.snapshot) == Pane::Control {
            return self.in_tables(|all, at| tables::columns_on(all, at, right));
        }
        let sideways = &mut self.model.list.sideways;
        *sideways = if right { (*sideways + 8).min(400) } else { sideways.saturating_sub(8) };
    }

    fn nudge(&mut self, steps: f64) {
        let Some(c) = control::at_cursor(self.model, self.snapshot) else { return };
        let key = c.key.clone();
        let words = tables::choices(&key);
        let up = steps > 0.0;
        if c.step != 0.0 {
            self.change(Change::Nudge { key, by: c.step * steps }, "");
        } else if let Some(at) = words.iter().position(|w| *w == c.value) {
            let to = (at as isize + if up { 1 } else { -1 }).rem_euclid(words.len() as isize) as usize;
            self.set(&key, words[to]);
        } else if control::is_period(&key) {
            match control::next_period(&c.value, up) {
                Some(period) => self.set(&key, &period),
                None => self.note(format!("{key}: {}", c.range)),
            }
        } else {
            self.note(format!("{key} has no steps: Enter types a value ({})", c.range));
        }
    }

    pub(super) fn vessel_at(&self) -> Option<Position> {
        self.snapshot.vessel.position.or(self.snapshot.vessel.void_position).map(|k| k.value)
    }

    fn pan(&mut self, east: f64, north: f64) {
        let vessel = self.vessel_at();
        self.model.chart.pan(vessel, east, north);
        if vessel.is_none() && self.model.chart.middle.is_none() {
            self.note("No position yet: nothing to move over");
        }
    }

    fn chart_cursor(&self) -> Option<Position> {
        self.model.chart.cursor(self.vessel_at())
    }

    fn turn_target(&mut self, by: isize) {
        let targets = &self.snapshot.targets;
        if targets.is_empty() {
            self.note("No targets heard");
            return;
        }
        let len = targets.len() as isize;
        let here = targets.iter().position(|t| self.model.chart.chose(t.mmsi, &t.name));
        let to = match here {
            Some(at) => (at as isize + by).rem_euclid(len),
            None if by > 0 => 0,
            None => len - 1,
        };
        self.model.chart.target = targets.get(to as usize).map(|t| (t.mmsi, t.name.clone()));
    }

    /// Sends the vessel there, from where she is.
    pub(super) fn destination(&mut self, at: Position, name: Option<&str>) {
        let name = name.unwrap_or("CHART").to_owned();
        let mut parts = vec![
            set_to("destination.latitude", format!("{:.6}", at.latitude)),
            set_to("destination.longitude", format!("{:.6}", at.longitude)),
            set_to("destination.name", name.clone()),
        ];
        let s = self.snapshot;
        if control::value(s, "destination.active") == Some("false") {
            parts.push(set_to("destination.active", "true"));
        }
        for origin in ["destination.origin_latitude", "destination.origin_longitude"] {
            if control::value(s, origin).is_some_and(|v| !v.is_empty()) {
                parts.push(set_to(origin, ""));
            }
        }
        self.change(Change::Several(parts), format!("Destination {name}: {}", format::position(at, 3, " ")));
    }

    pub(super) fn destination_typed(&mut self, text: &str) {
        let words: Vec<&str> = text.split([' ', ',']).filter(|w| !w.is_empty()).collect();
        if text.trim() == "off" {
            self.set("destination.active", "false");
            return;
        }
        let number = |i: usize, most: f64| words.get(i).and_then(|w| w.parse::<f64>().ok()).filter(|v| v.abs() <= most);
        match (number(0, 90.0), number(1, 180.0)) {
            (Some(latitude), Some(longitude)) => {
                let name = (words.len() > 2).then(|| words[2..].join(" "));
                self.destination(Position { latitude, longitude }, name.as_deref());
            }
            _ => self.warn("goto: give latitude and longitude in degrees, and a name: goto 37.7466 23.4275 AEGINA"),
        }
    }
}

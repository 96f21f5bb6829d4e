//! Key scripts over a fake session: every action is reached by keys or by its name, and does what the page says.

use std::collections::BTreeSet;
use std::sync::Arc;

use nmeasimx::core::diag::order::By;
use nmeasimx::core::frame::{Class, Origin, Place};
use nmeasimx::core::transport::target::Target;
use nmeasimx::core::transport::{Change, Looping, To, Transport, Unit};
use nmeasimx::runtime::session::snapshot::{Job, List, Matches, Mode, Openable, Row, Run};
use nmeasimx::runtime::session::{Anchor, Answer, Command, OutputChange, Request, RowKey, Snapshot, View};
use nmeasimx::term::Size;
use nmeasimx::ui::action::{ACTIONS, Action, by_name};
use nmeasimx::ui::keys::script;
use nmeasimx::ui::model::{Effect, Exit, Model, Overlay, Pane, ViewName};
use nmeasimx::ui::theme::Theme;
use nmeasimx::ui::update::{Event, contexts, update};
use nmeasimx::ui::view;

use crate::screen::{snapshot, text};

/// A session of a thousand lines that does what a player would, as far as the screen can see.
struct Fake {
    model: Model,
    snapshot: Snapshot,
    looks_at: View,
    commands: Vec<Command>,
    exit: Option<Exit>,
    others: Vec<Effect>,
    reached: BTreeSet<&'static str>,
    /// Answers wait until they are let go.
    slow: bool,
    held: Vec<View>,
}

const LINES: u64 = 1000;

fn place(line: u64) -> Place {
    Place { file: 0, byte: line * 50, line, part: 0 }
}

impl Fake {
    fn new(name: &str, cols: u16, rows: u16) -> Fake {
        let model = Model::new(Size { cols, rows });
        let snapshot = snapshot(name);
        let looks_at = View::default();
        let mut fake = Fake {
            model,
            snapshot,
            looks_at,
            commands: vec![],
            exit: None,
            others: vec![],
            reached: BTreeSet::new(),
            slow: false,
            held: vec![],
        };
        fake.turn();
        fake
    }

    fn head(&self) -> u64 {
        self.snapshot.log.as_ref().and_then(|l| l.head).map_or(LINES, |h| h.line)
    }

    fn key(&self, line: u64) -> RowKey {
        if self.snapshot.mode == Mode::Replay { RowKey::Place(place(line)) } else { RowKey::Seq(line) }
    }

    fn window(&self, view: &View) -> List {
        let n = u64::from(view.rows);
        let line = |key: RowKey| match key {
            RowKey::Place(p) => p.line,
            RowKey::Seq(n) => n,
        };
        let first = match view.anchor {
            Anchor::Newest => LINES.saturating_sub(n - n.min(1)),
            Anchor::PlayHead => self.head().saturating_sub(n * 2 / 3),
            Anchor::Top(key) => line(key),
            Anchor::Bottom(key) => line(key).min(LINES).saturating_sub(n.saturating_sub(1)),
            Anchor::Middle(key) => line(key).saturating_sub(n / 2),
        };
        let first = first.clamp(1, LINES);
        let last = (first + n).min(LINES + 1);
        let rows: Vec<Row> = (first..last)
            .map(|i| Row {
                key: self.key(i),
                offset: Some(i as i64 * 1_000_000_000),
                utc: None,
                delta: None,
                class: Class::Sentence,
                origin: Origin::Source,
                text: format!("$HEHDT,{i}.0,T"),
                why: None,
                head: self.snapshot.mode == Mode::Replay && i == self.head(),
                mark: false,
                count: None,
            })
            .collect();
        List {
            more_above: first > 1,
            more_below: last <= LINES,
            rows,
            anchor: view.anchor,
            presentation: view.presentation,
            ..List::default()
        }
    }

    fn serve(&mut self, view: &View) {
        self.snapshot.list = self.window(view);
        let s = self.snapshot.clone();
        self.event(&s, Event::Snapshot);
    }

    fn turn(&mut self) {
        let view = self.model.looks_at(&self.snapshot);
        if view != self.looks_at {
            self.looks_at = view.clone();
            if self.slow {
                self.held.push(view);
            } else {
                self.serve(&view);
                self.turn();
            }
        }
    }

    fn let_go(&mut self) {
        self.slow = false;
        for view in std::mem::take(&mut self.held) {
            self.serve(&view);
        }
        self.turn();
    }

    fn event(&mut self, s: &Snapshot, event: Event) {
        for effect in update(&mut self.model, s, event, 0) {
            match effect {
                Effect::Send(request) => self.request(request),
                Effect::Exit(exit) => self.exit = Some(exit),
                other => self.others.push(other),
            }
        }
    }

    fn request(&mut self, Request { id, command }: Request) {
        let mut value = serde_json::Value::Null;
        match &command {
            Command::Openables => {
                let one = |name: &str, kind: &str| Openable {
                    spec: format!("{kind}s/{name}"),
                    name: name.into(),
                    kind: kind.into(),
                    ..Openable::default()
                };
                value = serde_json::to_value([
                    one("coast.log", "log"),
                    one("harbour.log", "log"),
                    one("harbour.toml", "profile"),
                ])
                .unwrap();
            }
            Command::Open(what) if what.ends_with(".log") => {
                let mut s = snapshot("replay");
                s.name.clone_from(what);
                s.run = Run::Running;
                if let Some(log) = &mut s.log {
                    log.head = Some(place(500));
                }
                self.snapshot = s;
                self.looks_at = View::default();
            }
            Command::Transport(Transport::Toggle) => {
                self.snapshot.run = if self.snapshot.run == Run::Paused { Run::Running } else { Run::Paused };
            }
            Command::Transport(Transport::Step(Unit::Sentence, n)) => {
                self.snapshot.run = Run::Paused;
                self.move_head(*n);
            }
            Command::Transport(Transport::Go(Target::Percent(percent))) => {
                let to = (percent / 100.0 * LINES as f64) as i64;
                self.move_head(to - self.head() as i64);
            }
            Command::Transport(Transport::Speed(speed)) => self.snapshot.transport.speed = *speed,
            Command::Transport(Transport::Loop(to)) => self.snapshot.transport.looping = *to,
            Command::Find { .. } | Command::Look { .. } => value = serde_json::to_value(self.key(777)).unwrap(),
            _ => {}
        }
        self.commands.push(command);
        let s = self.snapshot.clone();
        self.event(&s, Event::Answer(Answer { id, result: Ok(value) }));
        self.event(&s, Event::Snapshot);
    }

    fn move_head(&mut self, by: i64) {
        let to = (self.head() as i64 + by).clamp(1, LINES as i64) as u64;
        if let Some(log) = &mut self.snapshot.log {
            log.head = Some(place(to));
        }
        self.looks_at = View::default();
    }

    fn press(&mut self, keys: &str) -> &mut Fake {
        for key in script(keys).unwrap() {
            let found = self.model.keymap.action(&contexts(&self.model, &self.snapshot), key);
            self.reached.extend(found.map(|a| ACTIONS[a as usize].name));
            let s = self.snapshot.clone();
            self.event(&s, Event::Key(key));
            self.turn();
            // whatever state this is: it can be drawn
            view::render(&self.model, &self.snapshot, &Theme::default());
        }
        self
    }

    fn sent(&self) -> &Command {
        self.commands.last().expect("nothing was sent")
    }

    fn selected(&self) -> u64 {
        let i = self.model.selected_row(&self.snapshot.list).expect("the selection is visible");
        match self.snapshot.list.rows[i].key {
            RowKey::Place(p) => p.line,
            RowKey::Seq(n) => n,
        }
    }

    fn picture(&self) -> String {
        text(&view::render(&self.model, &self.snapshot, &Theme::default()))
    }
}

#[test]
fn the_script_of_the_issue_opens_pauses_steps_and_goes_to_the_middle() {
    let mut f = Fake::new("simulate", 80, 24);
    f.snapshot.unsaved = false;
    f.press("o har Enter");
    assert_eq!(f.sent(), &Command::Open("logs/harbour.log".into()));
    assert_eq!(f.snapshot.mode, Mode::Replay);
    f.press("Space . .");
    assert_eq!((f.snapshot.run, f.head()), (Run::Paused, 502));
    f.press(":50% Enter");
    assert_eq!(f.sent(), &Command::Transport(Transport::Go(Target::Percent(50.0))));
    assert_eq!(f.head(), 500);
    assert!(f.picture().contains("$HEHDT,500.0,T"));
}

#[test]
fn the_selection_moves_through_the_whole_log_without_moving_the_play_head() {
    let mut f = Fake::new("replay", 80, 24);
    f.move_head(500 - f.head() as i64);
    f.turn();
    let commands = f.commands.len();
    for _ in 0..100 {
        f.press("j");
    }
    assert_eq!(f.selected(), 600);
    for _ in 0..150 {
        f.press("k");
    }
    assert_eq!(f.selected(), 450);
    f.press("g");
    assert_eq!(f.selected(), 1);
    f.press("k k PgUp");
    assert_eq!(f.selected(), 1);
    f.press("G");
    assert_eq!(f.selected(), LINES);
    f.press("PgUp");
    assert!(f.selected() < LINES - 5);
    f.press("j");
    assert_eq!(f.head(), 500);
    assert_eq!(f.commands.len(), commands, "nothing was sent: {:?}", &f.commands[commands..]);
    f.press("F");
    assert_eq!((f.model.list.selected, f.model.list.anchor), (None, None));
}

#[test]
fn the_list_goes_where_the_play_head_is_sent_also_while_browsing() {
    for keys in [":50% Enter", "t 50% Enter", "% 50 Enter"] {
        let mut f = Fake::new("replay", 80, 24);
        f.press("g j j");
        assert!(f.picture().contains("BROWSE"));
        f.press(keys);
        assert_eq!((f.head(), f.model.list.selected, f.model.list.anchor), (500, None, None), "{keys}");
        let picture = f.picture();
        assert!(picture.contains("$HEHDT,500.0,T") && picture.contains("FOLLOW"), "{keys}\n{picture}");
    }
    for keys in ["Right", "Left", ")", "(", "s", "S", ":123 Enter", "' Enter"] {
        let mut f = Fake::new("replay", 80, 24);
        f.press("g j");
        f.press(keys);
        assert_eq!((f.model.list.selected, f.model.list.anchor), (None, None), "{keys}");
    }
}

#[test]
fn keys_held_down_faster_than_the_session_answers_are_not_lost() {
    let mut f = Fake::new("replay", 80, 24);
    f.move_head(500 - f.head() as i64);
    f.turn();
    f.press("j");
    let before = f.selected();
    f.slow = true;
    for _ in 0..40 {
        f.press("j");
    }
    f.let_go();
    assert_eq!(f.selected(), before + 40);
}

#[test]
fn each_key_of_a_replay_sends_what_the_page_says() {
    use Transport as T;
    let table: &[(&str, Command)] = &[
        (".", Command::Transport(T::Step(Unit::Sentence, 1))),
        (",", Command::Transport(T::Step(Unit::Sentence, -1))),
        (">", Command::Transport(T::Step(Unit::Epoch, 1))),
        ("<", Command::Transport(T::Step(Unit::Epoch, -1))),
        ("Right", Command::Transport(T::Go(Target::Skip(5_000_000_000)))),
        ("Left", Command::Transport(T::Go(Target::Skip(-5_000_000_000)))),
        (")", Command::Transport(T::Go(Target::Skip(60_000_000_000)))),
        ("(", Command::Transport(T::Go(Target::Skip(-60_000_000_000)))),
        ("]", Command::Transport(T::Speed(Some(1000)))), // the log is played at 4x: the next notch is 10
        ("[", Command::Transport(T::Speed(Some(200)))),
        ("Backspace", Command::Transport(T::Speed(Some(100)))),
        ("s", Command::Transport(T::Seek(To::Move(Unit::Gap, 1)))),
        ("S", Command::Transport(T::Seek(To::Move(Unit::Gap, -1)))),
        ("L", Command::Transport(T::Loop(Looping::All))),
        ("r", Command::Transport(T::Emit(false))),
        ("t +90s Enter", Command::Transport(T::Go(Target::Skip(90_000_000_000)))),
        ("t 09:45 Enter", Command::Transport(T::Go(Target::TimeOfDay((9 * 60 + 45) * 60_000_000_000)))),
        ("t \"leaving harbour\" Enter", Command::Transport(T::Seek(To::Place(place_of_mark())))),
        ("% 25 Enter", Command::Transport(T::Go(Target::Percent(25.0)))),
        (":123 Enter", Command::Transport(T::Go(Target::Line(123)))),
        (":-5m Enter", Command::Transport(T::Go(Target::Skip(-300_000_000_000)))),
        (": \"speed max\" Enter", Command::Transport(T::Speed(None))),
        (": \"max-gap 3\" Enter", Command::Transport(T::Gap(Some(3_000_000_000)))),
        (": \"max-gap off\" Enter", Command::Transport(T::Gap(None))),
        (":play Enter", Command::Transport(T::Play)),
        ("R", Command::Record(String::new())),
        (": \"record /tmp/a.log\" Enter", Command::Record("/tmp/a.log".into())),
        (": \"mark the squall\" Enter", Command::Mark { at: None, name: Some("the squall".into()) }),
        ("m", Command::Mark { at: None, name: None }),
        (
            ": \"save-stretch b.log\" Enter",
            Command::SaveStretch {
                path: "b.log".into(),
                between: Some((9_000_000_000_000, 20_000_000_000_000)),
                filter: String::new(),
                matches: String::new(),
                hidden: Vec::new(),
            },
        ),
        ("2 C", Command::ClearCounters),
        ("2 P Enter", Command::Report("report.md".into())),
        ("4 + udp:192.0.2.1:2000 Enter", Command::Output(OutputChange::Add("udp:192.0.2.1:2000".into()))),
        ("4 -", Command::Output(OutputChange::Stop(0))),
        ("4 Enter ;tag=keep Enter", Command::Output(OutputChange::Edit(0, "tcp-server:0.0.0.0:10110;tag=keep".into()))),
        ("4 j Delete y", Command::Output(OutputChange::Remove(1))),
    ];
    for (keys, command) in table {
        let mut f = Fake::new("replay", 80, 24);
        f.press(keys);
        assert_eq!(f.commands.last(), Some(command), "{keys}");
    }
    let mut f = Fake::new("replay", 80, 24);
    f.press("j p");
    let n = f.commands.len();
    assert!(matches!(f.commands[n - 2], Command::Transport(T::Seek(To::Place(_)))));
    assert_eq!(f.commands[n - 1], Command::Transport(T::Play));
}

fn place_of_mark() -> Place {
    Place { file: 0, byte: 120_441 * 61, line: 120_441, part: 0 }
}

#[test]
fn the_port_of_a_live_feed_is_set_in_place_and_the_table_is_asked_for_in_an_order() {
    let input = |spec: &str| Command::Input(0, spec.into());
    for (keys, command) in [
        ("2 B Right Enter", input("serial:/dev/ttyUSB0@9600")),
        ("2 B l l Enter", input("serial:/dev/ttyUSB0@19200")),
        ("2 B j j Right Down Left Enter", input("serial:/dev/ttyUSB0@4800;bits=8O2")),
        ("2 B G Right Enter", input("serial:/dev/ttyUSB0@4800;flow=hardware")),
        ("2 B a", input("serial:/dev/ttyUSB0@auto")),
        (": \"port auto\" Enter", input("serial:/dev/ttyUSB0@auto")),
        (": \"port 38400\" Enter", input("serial:/dev/ttyUSB0@38400")),
    ] {
        let mut f = Fake::new("live", 80, 24);
        f.press(keys);
        assert_eq!(f.commands.last(), Some(&command), "{keys}");
    }
    // what is set already is not opened again
    let mut f = Fake::new("live", 80, 24);
    f.press("2 B Right Left Enter");
    assert_eq!(f.commands, []);
    assert!(f.model.message.as_ref().is_some_and(|m| m.text.contains("already")));
    let mut f = Fake::new("simulate", 80, 24);
    f.press("2 B");
    assert!(f.model.overlay.is_none() && f.model.message.as_ref().is_some_and(|m| m.text.contains("No serial input")));

    let mut f = Fake::new("live", 80, 24);
    let asked = |f: &Fake| (f.looks_at.order.by, f.looks_at.order.reversed, f.looks_at.only.clone());
    f.press("2");
    assert_eq!(asked(&f), (By::Id, false, String::new()));
    f.press("O O I");
    assert_eq!(asked(&f), (By::Rate, true, String::new()));
    f.press("O K");
    f.press("\"WI lost\" Enter");
    assert_eq!(asked(&f), (By::Age, false, "WI lost".into()));
    f.press(": \"sort bad\" Enter K Ctrl-U Enter");
    assert_eq!(asked(&f), (By::Bad, false, String::new()));
    f.press(": \"sort wind\" Enter");
    assert!(f.model.message.as_ref().is_some_and(|m| m.text.contains("id, count, rate, age, bad, state")));
}

#[test]
fn each_key_of_a_simulation_sends_what_the_page_says() {
    let set = |key: &str, value: &str| Command::Change(Change::Set { key: key.into(), value: value.into() });
    let nudge = |key: &str, by: f64| Command::Change(Change::Nudge { key: key.into(), by });
    let table: &[(&str, Command)] = &[
        ("Right", nudge("vessel.heading", 1.0)),
        ("Left", nudge("vessel.heading", -1.0)),
        (">", nudge("vessel.heading", 10.0)),
        ("Down <", nudge("vessel.speed", -1.0)), // ten steps of 0.1
        ("Backspace", Command::Change(Change::Release { key: "vessel.heading".into() })),
        ("Enter Ctrl-U 185 Enter", set("vessel.heading", "185")),
        ("a", set("steering.mode", "heading")),
        ("D y", Command::Change(Change::Reset)),
        ("Ctrl-U", Command::Undo),
        (": \"set environment.depth 3.5\" Enter", set("environment.depth", "3.5")),
        (":save Enter", Command::SaveProfile(String::new())),
        (": \"goto 43.5 7.2 ANTIBES\" Enter", set("destination.name", "ANTIBES")),
        (": \"goto off\" Enter", set("destination.active", "false")),
        ("! Right", set("fault.checksum.enabled", "true")),
        ("! k + Enter", set("target.2.mmsi", "200000011")),
        ("! k Delete", set("target.1", "")),
        ("! k l Right", nudge("target.1.latitude", 0.001)),
        ("Tab Right", Command::Transport(Transport::Go(Target::Skip(5_000_000_000)))),
        ("Tab .", Command::Transport(Transport::Step(Unit::Sentence, 1))),
        ("3 d", set("destination.name", "CHART")),
        ("3 l M y", set("vessel.longitude", "7.099050")),
    ];
    for (keys, command) in table {
        let mut f = Fake::new("simulate", 80, 24);
        f.press(keys);
        if keys.starts_with("3 l M") {
            // a quarter of a mile east of 7.093305 in 43.480 N: 0.25 / 60 / cos(43.480117) = 0.005743
            let Command::Change(change) = f.sent() else { panic!("{:?}", f.sent()) };
            let [_, Change::Set { key, value }] = change.singles()[..] else { panic!("{change:?}") };
            let value: f64 = value.parse().unwrap();
            assert!(key == "vessel.longitude" && (value - (7.093_305 + 0.005_743)).abs() < 2e-5, "{key} {value}");
            continue;
        }
        // what takes several values is one change, or an undo would bring back half of it
        let parts = match f.sent() {
            Command::Change(change @ Change::Several(_)) => {
                change.singles().into_iter().cloned().map(Command::Change).collect()
            }
            command => vec![command.clone()],
        };
        assert!(parts.contains(command), "{keys}: {parts:?}");
    }
}

#[test]
fn what_has_a_default_of_no_does_nothing_unless_y_is_pressed() {
    for keys in ["q", "D", "3 M", "4 Delete"] {
        for answer in ["n", "Enter", "Esc", "q"] {
            let mut f = Fake::new("simulate", 80, 24);
            f.press(keys);
            assert!(matches!(f.model.overlay, Some(Overlay::Question { .. })), "{keys} asks");
            f.press(answer);
            assert!(f.model.overlay.is_none() && f.exit.is_none() && f.commands.is_empty(), "{keys} {answer}");
        }
    }
}

#[test]
fn quitting_asks_only_when_something_would_be_lost_and_ctrl_c_twice_forces() {
    let mut f = Fake::new("simulate", 80, 24); // two clients, a changed profile
    f.press("q");
    let picture = f.picture();
    assert!(picture.contains("2 clients are cut off: 0.0.0.0:10110") && picture.contains("not saved"), "{picture}");
    f.press("y");
    assert_eq!((f.exit, f.sent()), (Some(Exit::Quit), &Command::Quit));

    let mut f = Fake::new("replay", 80, 24);
    f.snapshot.outputs.clear();
    f.press("q");
    assert_eq!(f.exit, Some(Exit::Quit), "nothing to lose, nothing to ask");

    let mut f = Fake::new("live", 80, 24);
    f.press("Ctrl-C");
    assert_eq!(f.exit, None);
    assert!(f.picture().contains("The recording ends"));
    f.press("Ctrl-C");
    assert_eq!(f.exit, Some(Exit::Quit));

    let mut f = Fake::new("live", 80, 24);
    f.press("Ctrl-C Esc j Ctrl-C");
    assert_eq!(f.exit, None, "the second Ctrl-C must follow the first");

    let mut f = Fake::new("live", 80, 24);
    f.model.attached = true;
    f.press("q");
    assert_eq!((f.exit, f.commands.contains(&Command::Quit)), (Some(Exit::Left), false));
    let mut f = Fake::new("live", 80, 24);
    f.model.attached = true;
    f.press("Q y");
    assert_eq!((f.exit, f.sent()), (Some(Exit::Quit), &Command::Quit));
}

#[test]
fn a_live_feed_freezes_and_goes_on() {
    let mut f = Fake::new("live", 80, 24);
    f.press("Space");
    assert!(f.model.frozen.is_some() && f.commands.is_empty());
    assert!(f.picture().contains("FROZEN"));
    f.press("Space");
    assert!(f.model.frozen.is_none() && f.model.list.anchor.is_none());
    f.press(".");
    assert!(f.commands.is_empty(), "a live feed has no next sentence to send");
    f.press(":step Enter");
    assert!(f.picture().contains("only for replay, track, simulation"));
}

#[test]
fn find_filter_types_and_marks() {
    let mut f = Fake::new("replay", 80, 24);
    f.press("/ HD. Enter");
    let Command::Find { pattern, back, .. } = f.sent() else { panic!("{:?}", f.sent()) };
    assert_eq!((pattern.as_str(), *back), ("HD.", false));
    assert_eq!(f.selected(), 777);
    f.press("N");
    assert!(matches!(f.sent(), Command::Find { back: true, .. }));
    f.press("e");
    assert!(matches!(f.sent(), Command::Look { what, back: false, .. } if what == "bad"));
    for (keys, what) in [("E", "bad"), ("w", "warning"), ("W", "warning"), ("u", "mark"), ("U", "mark")] {
        f.press(keys);
        assert!(matches!(f.sent(), Command::Look { what: w, .. } if w == what), "{keys}: {:?}", f.sent());
    }
    f.press("& RMC Enter");
    assert_eq!(f.looks_at.matches, "RMC");
    f.press("& Ctrl-U Enter");
    assert_eq!(f.looks_at.matches, "");
    f.press(": \"filter RMC,WI\" Enter");
    assert_eq!(f.looks_at.filter, "RMC,WI");
    f.press("/ ( Enter");
    assert!(f.picture().contains("is no regular expression"));
    f.press("f");
    assert!(f.looks_at.types);
    f.press("Space Down Space Esc");
    assert_eq!(f.looks_at.hidden, ["GPRMC", "GPGGA"]);
    f.press("f s");
    assert_eq!(f.sent(), &Command::SendOnly(true));
    f.snapshot.transport.only = Some("all but 2 types".into());
    let picture = f.picture();
    assert!(picture.contains("ONLY THESE ARE SENT") && picture.contains("s send all"), "{picture}");
    f.press("s Esc");
    assert_eq!(f.sent(), &Command::SendOnly(false));
    let picture = f.picture();
    assert!(picture.contains("SENDS ONLY") && picture.contains("ONLY THESE SENT"), "{picture}");
    f.press(":send-only Enter");
    assert_eq!(f.sent(), &Command::SendOnly(false));
    f.snapshot.transport.only = None;
    f.press("f a Esc");
    assert!(f.looks_at.hidden.is_empty());
    f.snapshot.list.found = Some(Matches { total: 3912, complete: true, ordinal: Some(1) });
    assert!(f.picture().contains("find: HD. (1/3,912)"), "{}", f.picture());
    f.snapshot.list.found = Some(Matches { total: 3912, complete: false, ordinal: None });
    assert!(f.picture().contains("find: HD. (3,912+)"), "{}", f.picture());
    f.press("' j Enter");
    assert!(matches!(f.sent(), Command::Transport(Transport::Seek(To::Place(p))) if p.line == 900_112));
    f.press("' r Ctrl-U squall Enter");
    assert!(matches!(f.sent(), Command::Mark { at: Some(p), name: Some(n) } if p.line == 120_441 && n == "squall"));
    f.press("'");
    let picture = f.picture();
    for hint in ["Enter go", "r rename", "d delete", "e export"] {
        assert!(picture.contains(hint), "{hint}\n{picture}");
    }
    f.press("e Ctrl-U /tmp/m.tsv Enter");
    assert_eq!(f.sent(), &Command::ExportMarks("/tmp/m.tsv".into()));
    f.press("' d");
    assert!(matches!(f.sent(), Command::Mark { at: Some(_), name: None }));
}

#[test]
fn a_job_is_shown_and_esc_cancels_it() {
    let mut f = Fake::new("replay", 80, 24);
    f.snapshot.job = Some(Job { what: "finding HDG".into(), fraction: Some(0.4) });
    let picture = f.picture();
    assert!(picture.contains("finding HDG") && picture.contains("40%") && picture.contains("Esc cancels"), "{picture}");
    f.press("Esc");
    assert_eq!(f.sent(), &Command::Cancel);
}

#[test]
fn an_a_b_loop_is_set_and_cleared_by_one_key() {
    let mut f = Fake::new("replay", 80, 24);
    f.snapshot.transport.looping = Looping::Off;
    f.snapshot.transport.position = 10;
    f.press("b");
    assert_eq!(f.sent(), &Command::Transport(Transport::LoopPoint));
    f.snapshot.transport.loop_from = Some(10);
    let picture = f.picture();
    assert!(picture.contains("A 0:00:00; b sets B"), "{picture}");
    f.snapshot.transport.position = 30_000_000_010;
    f.press("b");
    assert!(f.picture().contains("A-B loop over 30"), "{}", f.picture());
}

#[test]
fn the_palette_says_what_is_wrong_with_a_line() {
    for (line, words) in [
        ("fly", "neither an action nor a place"),
        ("zoom 3", "takes nothing behind it"),
        ("speed", "give X"),
        ("speed 5000", "0.1 to 1000"),
        ("theme pink", "no theme 'pink'"),
        ("units furlong", "no unit"),
        ("set x", "key and a value"),
        ("goto here", "latitude and longitude"),
        ("output-stop x", "output-stop N"),
    ] {
        let mut f = Fake::new("simulate", 120, 40);
        f.press(&format!(": \"{line}\" Enter"));
        let message = f.model.message.clone().map(|m| m.text).unwrap_or_default();
        assert!(message.contains(words), "{line}: {message}");
        assert!(f.commands.is_empty(), "{line}");
    }
}

#[test]
fn panes_zoom_and_sizes() {
    let mut f = Fake::new("simulate", 80, 24);
    assert_eq!(f.model.focus(&f.snapshot), Pane::Control);
    f.press("Tab");
    assert_eq!(f.model.focus(&f.snapshot), Pane::List);
    f.press("Shift-Tab z G");
    assert_eq!(f.model.control, "fault.no_fix.enabled", "zoomed, the keys of a list move in the controls");
    f.press("g PgDn k");
    assert!(f.picture().contains("water_temperature"), "{}", f.picture());
    f.press("Esc");
    assert!(!f.model.zoom);
    // where the pane has no room beside the list, it fills the view
    let mut f = Fake::new("simulate", 40, 12);
    assert_eq!(f.model.focus(&f.snapshot), Pane::List);
    f.press("Tab");
    assert!(f.picture().contains("heading"), "{}", f.picture());
    f.press("Esc");
    assert_eq!(f.model.focus(&f.snapshot), Pane::List);
}

#[test]
fn every_action_is_reached_by_a_key_or_by_its_name() {
    let mut reached = BTreeSet::new();
    // by keys, where they count
    for (name, keys) in [
        (
            "simulate",
            "Down Up Right Left > < Enter Up Down Tab Esc Backspace ! Esc a D n Ctrl-U z z Tab Shift-Tab ? Esc : Esc",
        ),
        (
            "simulate",
            "Tab Down Up PgDn PgUp g G h l F v v v / Esc & Esc f j k PgDn PgUp g G Space a Enter x T y m u U e E w W n N Enter Esc Esc",
        ),
        (
            "simulate",
            "1 2 Tab C B Esc P Esc Enter Esc 3 + - h j k l F n N Enter d M y 4 + Esc Enter Esc - Delete n 5 j Space o Esc R Q n Ctrl-L Ctrl-Z",
        ),
        (
            "replay",
            ". , ] [ Backspace > < Right Left ) ( t Esc % Esc s S p b b L r f s Esc ' d Esc ' r Esc ' e Esc ' Enter q n Ctrl-C",
        ),
        ("live", "2 B Right Left a Esc O I K Esc q n Esc"),
    ] {
        let mut f = Fake::new(name, 80, 24);
        f.press(keys);
        reached.extend(f.reached);
    }
    // by name
    for spec in ACTIONS.iter().filter(|s| !s.context.closed()) {
        let mut f = Fake::new("simulate", 80, 24);
        let argument = match spec.action {
            Action::Speed => " 2",
            Action::SetKey => " vessel.speed 3",
            Action::SaveStretch => " /tmp/x.log",
            Action::MaxGap => " off",
            Action::Destination => " 1 2 X",
            _ => "",
        };
        f.press(&format!(": \"{}{argument}\" Enter", spec.name));
        let message = f.model.message.map(|m| m.text).unwrap_or_default();
        assert!(!message.contains("neither an action"), "{}: {message}", spec.name);
        reached.extend(f.reached);
        reached.insert(spec.name);
    }
    let missed: Vec<&str> = ACTIONS.iter().map(|s| s.name).filter(|n| !reached.contains(n)).collect();
    assert_eq!(missed, Vec::<&str>::new());
    assert!(by_name("step").is_some_and(|s| s.action == Action::Step));
}

#[test]
fn every_target_can_be_chosen_also_those_without_an_mmsi() {
    let mut f = Fake::new("live", 80, 24);
    f.press("3");
    let mut seen = Vec::new();
    for _ in 0..5 {
        f.press("n");
        seen.push(f.model.chart.target.clone().unwrap());
    }
    let names: Vec<&str> = seen.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["GREY HERON", "", "T01", "T02", "GREY HERON"]);
    f.press("N Enter");
    assert!(f.picture().contains("T02"), "{}", f.picture());
}

#[test]
fn views_are_reached_by_their_numbers_and_ask_the_session_only_for_what_they_show() {
    let mut f = Fake::new("live", 80, 24);
    assert!(!f.looks_at.diagnose && !f.looks_at.targets);
    f.press("2");
    assert!(f.model.view == ViewName::Diagnose && f.looks_at.diagnose && !f.looks_at.outputs);
    f.press("3");
    assert!(f.looks_at.chart && f.looks_at.targets && !f.looks_at.diagnose);
    f.press("4");
    assert!(f.looks_at.outputs && !f.looks_at.chart && f.looks_at.rows == 0);
    f.press("5 1 Enter");
    assert!(f.looks_at.inspect.is_some());
    f.press("Esc x");
    assert!(f.looks_at.inspect.is_none() && f.looks_at.hex);
    assert_eq!(Arc::strong_count(&Arc::new(f.looks_at)), 1);
}

#[test]
fn ten_thousand_random_keys_at_changing_sizes_never_panic() {
    let all = "j k g G h l F v / n N & f e E w W m u U ' Enter x T y . , > < Right Left ) ( t % s S p b L r ! a D Up Down Backspace z Tab Shift-Tab ? : Esc q Q Space o R 1 2 3 4 5 + - d M C B P Delete PgUp PgDn Home End y n a é 0 5 Ctrl-U Ctrl-W Ctrl-L";
    let keys = script(all).unwrap();
    let sizes = [(80, 24), (120, 40), (40, 12), (60, 16), (20, 4), (1, 1), (0, 0), (200, 60), (12, 3)];
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    for name in ["simulate", "replay", "live"] {
        let mut f = Fake::new(name, 80, 24);
        for i in 0..3500 {
            let s = f.snapshot.clone();
            if i % 7 == 0 {
                let (cols, rows) = sizes[next(sizes.len())];
                f.event(&s, Event::Resize(Size { cols, rows }));
            }
            if i % 13 == 0 {
                f.event(&s, Event::Paste("12\n34\u{1b}[2J".into()));
            }
            f.event(&s, Event::Key(keys[next(keys.len())]));
            f.turn();
            if i % 3 == 0 {
                view::render(&f.model, &f.snapshot, &Theme::default());
            }
        }
    }
}

//! Key scripts on a simulated voyage: what is pressed, what the screen shows, what goes out. A session as the program runs
//! it, under a clock that is told how late it is; one script more on a real terminal.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use nmeasimx::core::output::OutputSpec;
use nmeasimx::core::profile::Profile;
use nmeasimx::core::time::SECOND;
use nmeasimx::runtime::clock::Clock;
use nmeasimx::runtime::session::{Choice, Command, Outcome, Plan, Request, Session, Snapshot, Watcher};
use nmeasimx::term::Size;
use nmeasimx::ui::keys::script;
use nmeasimx::ui::model::{Effect, Model};
use nmeasimx::ui::theme::Theme;
use nmeasimx::ui::update::{Event, update};
use nmeasimx::ui::view;

use crate::pty;
use crate::screen::text;

/// 2026-09-22 12:00:00 UTC.
const NOON: i64 = 1_790_078_400 * SECOND;

/// A boat that holds what it is set to: nothing drifts.
const BOAT: &str = r#"# My own boat.
schema_version = 1
name   =  "Tern"      # odd spacing stays

[simulation]
start_time = "2026-09-22T12:00:00Z"
[vessel]
latitude = 43.0
longitude = 5.9
heading = 0
  speed = 6.5   # kn
[drift]
heading = { amplitude = 0 }
speed   = { amplitude = 0 }
[sentences.HDT]
enabled = true
"#;

/// A person at a screen of a session.
struct Person {
    session: Session,
    outcome: tokio::task::JoinHandle<Outcome>,
    watcher: Watcher,
    snapshot: Arc<Snapshot>,
    model: Model,
    folder: tempfile::TempDir,
}

impl Person {
    async fn aboard(profile: &str, size: (u16, u16)) -> Person {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("boat.toml");
        std::fs::write(&path, profile).unwrap();
        let profile = Box::new(Profile::parse(profile, "boat.toml").unwrap_or_else(|e| panic!("{e}")));
        let mut plan = Plan::new(Choice::Simulation { profile, path: Some(path) }, Clock::starting_at(NOON));
        let log = format!("file:{}", folder.path().join("said.nmea").display());
        plan.outputs = vec![OutputSpec::parse(&log).unwrap()];
        let (session, outcome) = Session::start(plan).await.unwrap();
        let watcher = session.watcher().unwrap();
        let model = Model::new(Size { cols: size.0, rows: size.1 });
        let mut person = Person { session, outcome, watcher, snapshot: Arc::default(), model, folder };
        person.sail(1).await;
        person
    }

    async fn ask(&mut self, request: Request) {
        let id = request.id;
        self.watcher.requests.send(request).await.unwrap();
        loop {
            let answer = self.watcher.answers.recv().await.unwrap();
            let last = answer.id == id;
            self.happens(Event::Answer(answer));
            if last {
                return;
            }
        }
    }

    fn happens(&mut self, event: Event) -> Vec<Request> {
        let effects = update(&mut self.model, &self.snapshot, event, 0);
        effects.into_iter().filter_map(|e| if let Effect::Send(request) = e { Some(request) } else { None }).collect()
    }

    /// Looks again: what the session shows now of what the screen wants to show.
    async fn look(&mut self) {
        for _ in 0..2 {
            self.model.last_id += 1;
            let view = Box::new(self.model.looks_at(&self.snapshot));
            self.ask(Request { id: self.model.last_id, command: Command::View(view) }).await;
            tokio::time::sleep(Duration::from_millis(110)).await;
            self.snapshot = self.watcher.snapshots.borrow_and_update().clone();
            self.happens(Event::Snapshot);
        }
    }

    /// Presses keys, one after the other.
    async fn press(&mut self, keys: &str) {
        for key in script(keys).unwrap() {
            for request in self.happens(Event::Key(key)) {
                self.ask(request).await;
            }
            self.look().await;
        }
    }

    /// Types a command of the palette.
    async fn type_in(&mut self, line: &str) {
        self.press(&format!(": \"{line}\" Enter")).await;
    }

    /// Goes down the tables until the cursor stands on a key.
    async fn down_to(&mut self, key: &str) {
        for _ in 0..400 {
            if self.model.control == key {
                return;
            }
            self.press("Down").await;
        }
        panic!("{key} is in no table:\n{}", self.screen());
    }

    async fn sail(&mut self, seconds: u64) {
        for _ in 0..seconds {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        self.look().await;
    }

    fn screen(&self) -> String {
        text(&view::render(&self.model, &self.snapshot, &Theme::default()))
    }

    fn shows(&self, what: &str) {
        let screen = self.screen();
        assert!(screen.contains(what), "no {what:?} on the screen:\n{screen}");
    }

    fn profile(&self) -> PathBuf {
        self.folder.path().join("boat.toml")
    }

    /// Leaves the ship; everything that was said.
    async fn ashore(self) -> Vec<String> {
        self.session.stop();
        let outcome = self.outcome.await.unwrap();
        assert_eq!(outcome.complaints(), Vec::<String>::new());
        said(&self.folder.path().join("said.nmea"))
    }
}

fn said(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

/// The fields of every sentence of a kind, the address first.
fn of<'s>(said: &'s [String], address: &str) -> Vec<Vec<&'s str>> {
    let all = said.iter().filter(|s| s[1..].starts_with(address));
    all.map(|s| s.split_once('*').unwrap().0.split(',').collect()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_figure_of_eight_by_rudder() {
    let mut p = Person::aboard(&format!("{BOAT}[steering]\nmode = \"rudder\"\n"), (80, 24)).await;
    p.shows("RUDDER 0");
    // Rate of turn = 1.7 x 20 x 6.5 = 221 deg/min: 360 degrees in 97.7 s, and 2 s until she answers.
    p.press(&"Right ".repeat(20)).await;
    p.shows("RUDDER 20");
    p.shows("not saved");
    p.sail(95).await;
    p.press("< < < <").await;
    p.shows("RUDDER -20");
    p.sail(101).await;
    p.press("> >").await;
    p.shows("RUDDER 0");
    let said = p.ashore().await;
    let headings: Vec<f64> = of(&said, "HEHDT").iter().map(|f| f[1].parse().unwrap()).collect();
    let turned = headings.windows(2).map(|w| (w[1] - w[0] + 540.0).rem_euclid(360.0) - 180.0);
    let way: Vec<f64> = turned
        .scan(0.0, |sum, turn| {
            Some({
                *sum += turn;
                *sum
            })
        })
        .collect();
    let most = way.iter().copied().fold(0.0, f64::max);
    let last = *way.last().unwrap();
    assert!((340.0..400.0).contains(&most), "once round to starboard: {most}");
    assert!((-30.0..60.0).contains(&last), "and once back to port: {last}");
    // Two circles of v / rate = 6.5 kn x 0.5144 / (221 deg/min) = 52 m, one to each side: 104 m east, 104 m west of her way.
    let east: Vec<f64> = of(&said, "GPRMC")
        .iter()
        .map(|f| (f[5][..3].parse::<f64>().unwrap() + f[5][3..].parse::<f64>().unwrap() / 60.0 - 5.9) * 81_500.0)
        .collect();
    let (west, east) = east.iter().fold((0.0, 0.0), |(w, e), x| (f64::min(w, *x), f64::max(e, *x)));
    assert!((80.0..130.0).contains(&east) && (-150.0..-60.0).contains(&west), "{west} to {east}");
    let rudder: Vec<&str> = of(&said, "IIRSA").iter().map(|f| f[1]).collect();
    assert!(rudder.contains(&"20.0") && rudder.contains(&"-20.0"), "{rudder:?}");
}

#[tokio::test(start_paused = true)]
async fn to_a_destination_and_there() {
    let mut p = Person::aboard(&BOAT.replace("speed = 6.5", "speed = 60"), (80, 24)).await;
    p.sail(2).await;
    // 0.02 degrees north are 1.2 miles; at 60 kn a mile a minute, so that the circle of 0.1 mile begins after 66 s.
    p.type_in("goto 43.02 5.9 BUOY").await;
    p.type_in("set steering.mode leg").await;
    p.sail(10).await;
    p.shows("WPT BUOY");
    p.shows("BRG 000 T");
    for _ in 0..80 {
        if !p.screen().contains("ARRIVED") {
            p.sail(1).await;
        }
    }
    p.shows("ARRIVED");
    p.press("z").await;
    p.down_to("destination.active").await;
    p.shows("DESTINATION");
    p.press("Delete").await;
    p.shows("No destination");
    p.sail(5).await;
    p.press("Esc").await;
    assert!(!p.screen().contains("WPT BUOY"), "{}", p.screen());
    let said = p.ashore().await;
    let (apb, rmb) = (of(&said, "GPAPB"), of(&said, "GPRMB"));
    let time = |i: usize| said[..i].iter().rev().find(|s| s.starts_with("$GPRMC")).unwrap()[7..13].to_owned();
    let first = said.iter().position(|s| s.starts_with("$GPAPB")).unwrap();
    assert!(time(first).as_str() >= "120003", "not before it was asked for: {}", time(first));
    // APB: 6 arrival circle, 7 perpendicular passed, 10 destination. RMB: 5 destination, 10 range, 13 arrival.
    assert!(apb.iter().all(|f| f[10] == "BUOY") && rmb.iter().all(|f| f[5] == "BUOY"));
    assert_eq!((apb[0][6], rmb[0][13]), ("V", "V"));
    // As long as it takes to type it, she sails on.
    assert!((0.9..=1.2).contains(&rmb[0][10].parse::<f64>().unwrap()), "{:?}", rmb[0]);
    assert!(apb.iter().any(|f| f[6] == "A") && rmb.iter().any(|f| f[13] == "A"), "{:?}", apb.last());
    // Arrived within the circle, and not before.
    for f in &rmb {
        let range: f64 = f[10].parse().unwrap();
        assert!(f[13] == "V" || range <= 0.15, "{f:?}");
        assert!(f[13] == "A" || range >= 0.05, "{f:?}");
    }
    // Gone with the destination: of the last four seconds none.
    let after = said.iter().rposition(|s| s.starts_with("$GPAPB")).unwrap();
    assert!(of(&said[after..], "GPRMC").len() >= 4);
}

#[tokio::test(start_paused = true)]
async fn the_gps_breaks_and_is_mended() {
    let mut p = Person::aboard(BOAT, (80, 24)).await;
    p.shows("3D");
    p.press("!").await;
    p.shows("FAULT");
    p.down_to("fault.no_fix.enabled").await;
    p.press("Right").await;
    p.sail(5).await;
    assert!(
        p.screen().lines().any(|l| l.contains(">no_fix") && l.contains("on") && l.contains(" 1 ")),
        "{}",
        p.screen()
    );
    p.press("Esc").await;
    p.shows("no fix");
    p.shows("FAULT  no_fix");
    p.press("! Right Esc").await;
    p.sail(5).await;
    p.shows("3D");
    p.shows("FAULT  none");
    let said = p.ashore().await;
    let states: Vec<&str> = of(&said, "GPRMC").iter().map(|f| f[2]).collect();
    let broken = states.iter().position(|s| *s == "V").unwrap();
    let mended = states.iter().rposition(|s| *s == "V").unwrap();
    assert!(broken > 1 && mended - broken >= 4 && mended + 4 < states.len(), "{states:?}");
    assert!(states[broken..=mended].iter().all(|s| *s == "V"), "{states:?}");
    let qualities: Vec<&str> = of(&said, "GPGGA").iter().map(|f| f[6]).collect();
    assert!(qualities[broken..=mended].iter().all(|q| *q == "0") && qualities[0] == "1", "{qualities:?}");
    assert!(of(&said, "GPRMC").iter().all(|f| (f[2] == "A") != f[3].is_empty()));
}

#[tokio::test(start_paused = true)]
async fn a_sentence_off_and_on_saved_and_read_again() {
    let mut p = Person::aboard(BOAT, (120, 40)).await;
    p.press("z").await;
    p.down_to("sentences.GGA.enabled").await;
    p.sail(60).await;
    assert!(p.screen().lines().any(|l| l.contains(">GGA") && l.contains("60")), "sixty a minute\n{}", p.screen());
    p.press("Left").await;
    p.sail(5).await;
    p.shows("sentences.GGA.enabled false");
    p.type_in("save").await;
    let saved = std::fs::read_to_string(p.profile()).unwrap();
    // What was there is there, byte for byte; what is new stands behind it.
    assert!(saved.starts_with(BOAT), "{saved}");
    assert_eq!(saved[BOAT.len()..].trim(), "[sentences.GGA]\nenabled = false");
    p.press("Right").await;
    p.sail(5).await;
    p.type_in("save").await;
    let again = std::fs::read_to_string(p.profile()).unwrap();
    assert_eq!(again, saved.replace("enabled = false", "enabled = true"));
    // Read again and saved again: the same bytes.
    let read = Profile::parse(&again, "boat.toml").unwrap();
    assert_eq!(read.save_into(&again, "boat.toml").unwrap(), again);
    // Back to what the file said at first: the same bytes as then.
    p.press("Backspace").await;
    p.type_in("save").await;
    assert_eq!(std::fs::read_to_string(p.profile()).unwrap(), BOAT);
    assert!(!p.screen().contains("not saved"), "{}", p.screen());
    let said = p.ashore().await;
    let seconds = |address: &str| of(&said, address).iter().map(|f| f[1][..6].to_owned()).collect::<Vec<_>>();
    let (gga, rmc) = (seconds("GPGGA"), seconds("GPRMC"));
    let without: Vec<&String> = rmc.iter().filter(|t| !gga.contains(t)).collect();
    assert!((5..20).contains(&without.len()), "{without:?}");
}

#[tokio::test(start_paused = true)]
async fn a_target_and_a_destination_come_and_go_by_keys() {
    let mut p = Person::aboard(BOAT, (80, 24)).await;
    p.press("z").await;
    p.down_to("target").await;
    p.shows("none; + adds one");
    // The proposal: a mile ahead, coming the other way. 43 N and a mile: 43.01667 N.
    p.press("+").await;
    p.shows("add target: 200000011 43.01");
    p.press("Enter").await;
    p.sail(40).await;
    p.shows("TARGET 1");
    p.shows("200000011");
    p.press("Right").await;
    p.sail(1).await;
    p.shows("185");
    p.press("Delete").await;
    p.sail(1).await;
    p.shows("none; + adds one");
    p.press("Ctrl-U").await;
    p.sail(1).await;
    p.shows("TARGET 1");
    p.down_to("fault.checksum.enabled").await;
    p.press("g").await;
    p.down_to("destination.active").await;
    p.press("+").await;
    p.shows("destination: 43.0");
    p.press("Enter").await;
    p.sail(2).await;
    p.press("Esc").await;
    p.shows("WPT DEST");
    let said = p.ashore().await;
    assert!(!of(&said, "AIVDM").is_empty() && !of(&said, "GPAPB").is_empty());
}

#[test]
fn a_voyage_on_a_terminal_and_the_same_again_from_its_scenario() {
    let program = env!("CARGO_BIN_EXE_nmeasimx");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("boat.toml"), BOAT).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (tcp, file) = (format!("tcp-server:127.0.0.1:{port}"), format!("file:{}", path("said.nmea")));
    let mut s = pty::Session::start(&[program, "run", "-p", &path("boat.toml"), "-o", &tcp, "-o", &file], &[]);
    s.until("SIMULATE");
    s.press(b"\x1b[C\x1b[C\x1b[C");
    s.until("HDG 003.0 T*");
    s.press(b"!");
    s.until("fault.checksum.enabled");
    s.press(b"\x1b[B".repeat(10).as_slice());
    s.until(">no_fix");
    s.press(b"\x1b[C");
    s.until("fault.no_fix.enabled = true");
    s.press(b"\x1b");
    s.until("no fix");
    s.press(b"!\x1b[D");
    s.until("false");
    s.press(b"\x1b");
    s.until("3D");
    s.press(format!(":save scenario {}\r", path("again.toml")).as_bytes());
    s.until("saved");
    s.press(b"q");
    s.until("Quit?");
    s.press(b"y");
    assert!(s.end().success(), "{}", s.text());
    let live = said(Path::new(&path("said.nmea")));
    assert!(of(&live, "GPRMC").iter().any(|f| f[2] == "V") && of(&live, "HEHDT").iter().any(|f| f[1] == "3.0"));
    let again = std::process::Command::new(program)
        .args(["run", "--headless", "-q", "--duration", "120", "--speed", "max", "-o", "stdout"])
        .args(["-p", &path("again.toml")])
        .output()
        .unwrap();
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    let again: Vec<String> = String::from_utf8(again.stdout).unwrap().lines().map(str::to_owned).collect();
    // A busy machine may have left out whole rounds; what was said is said again, byte for byte and in this order.
    let mut rest = again.iter();
    for sentence in &live {
        assert!(rest.any(|s| s == sentence), "{sentence} is not said again");
    }
}

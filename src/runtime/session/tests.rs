//! A session as a watcher sees it.

use std::time::Duration;

use super::snapshot::{Link, Mode, Run};
use super::*;
use crate::core::delays::Delays;
use crate::core::time::SECOND;
use crate::core::transport::target::Target;
use crate::core::transport::{Transport, Unit};
use crate::runtime::clock::Clock;
use crate::runtime::testing::{Beat, sentence, start};

pub(super) struct Bench {
    session: Session,
    watcher: Watcher,
    outcome: tokio::task::JoinHandle<Outcome>,
    next: u64,
}

fn plan(source: Beat) -> Plan {
    Plan::new(Choice::Source { source: Box::new(source), mode: Mode::Replay, name: "beat".into() }, start())
}

pub(super) async fn bench(plan: Plan) -> Bench {
    let (session, outcome) = Session::start(plan).await.unwrap();
    let watcher = session.watcher().unwrap();
    Bench { session, watcher, outcome, next: 0 }
}

impl Bench {
    pub(super) async fn ask(&mut self, command: Command) -> Result<serde_json::Value, String> {
        self.next += 1;
        self.watcher.requests.send(Request { id: self.next, command }).await.unwrap();
        let answer = self.watcher.answers.recv().await.unwrap();
        assert_eq!(answer.id, self.next);
        answer.result
    }

    pub(super) async fn look(&mut self, view: View) {
        self.ask(Command::View(Box::new(view))).await.unwrap();
    }

    pub(super) async fn until(&mut self, what: impl FnMut(&Snapshot) -> bool) -> Snapshot {
        let mut what = what;
        let found = self.watcher.snapshots.wait_for(|s| what(s));
        let found = tokio::time::timeout(Duration::from_secs(3600), found).await;
        (**found.expect("it comes").expect("the session lives")).clone()
    }

    pub(super) fn texts(snapshot: &Snapshot) -> Vec<String> {
        snapshot.list.rows.iter().map(|r| r.text.clone()).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn a_watcher_sees_the_rows_it_asks_for() {
    let mut b = bench(plan(Beat::every(SECOND, 1000))).await;
    b.look(View { rows: 3, ..View::default() }).await;
    let seen = b.until(|s| s.counts.sentences == 10).await;
    assert_eq!(Bench::texts(&seen), [sentence(7), sentence(8), sentence(9)]);
    assert_eq!((seen.run, seen.name.as_str()), (Run::Running, "beat"));
    assert_eq!(seen.counts.rate, 1.0);
    assert!(seen.list.more_above && !seen.list.more_below);
    let error = b.ask(Command::View(Box::new(View { matches: "[".into(), ..View::default() }))).await.unwrap_err();
    assert!(error.contains("pattern"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn what_a_command_changes_is_published_at_once() {
    let mut b = bench(plan(Beat::every(SECOND, 1000))).await;
    b.until(|s| s.counts.sentences == 3).await;
    b.ask(Command::Transport(Transport::Pause)).await.unwrap();
    let before = crate::runtime::clock::now();
    b.until(|s| s.run == Run::Paused).await;
    assert!(before.elapsed() < Duration::from_millis(5), "not at the next tick but at once");
    b.ask(Command::Transport(Transport::Step(Unit::Sentence, 1))).await.unwrap();
    b.until(|s| s.counts.sentences == 4).await;
    b.ask(Command::Transport(Transport::Go(Target::Skip(100 * SECOND)))).await.unwrap();
    let seen = b.until(|s| s.transport.position > 50 * SECOND).await;
    assert_eq!(seen.counts.sentences, 4, "a move sends nothing");
    let error = b.ask(Command::Transport(Transport::Speed(Some(1)))).await.unwrap_err();
    assert!(error.contains("0.1 to 1000"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn nothing_new_is_published_while_nothing_changes() {
    let mut b = bench(Plan { paused: true, ..plan(Beat::every(SECOND, 10)) }).await;
    b.until(|s| s.seq > 0).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    b.watcher.snapshots.borrow_and_update();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(!b.watcher.snapshots.has_changed().unwrap());
}

#[tokio::test(start_paused = true)]
async fn two_watchers_look_at_different_things() {
    let mut b = bench(plan(Beat::every(SECOND, 1000))).await;
    let mut other = b.session.watcher().unwrap();
    b.look(View { rows: 1, types: true, ..View::default() }).await;
    let seen = b.until(|s| s.counts.sentences == 5).await;
    assert_eq!((seen.list.rows.len(), seen.types.len()), (1, 1));
    let seen = other.snapshots.wait_for(|s| s.counts.sentences == 6).await.unwrap().clone();
    assert_eq!((seen.list.rows.len(), seen.types.len()), (0, 0));
    drop(other); // one leaves, the other stays
    b.until(|s| s.counts.sentences == 8).await;
}

#[tokio::test(start_paused = true)]
async fn a_session_that_ends_with_its_source_says_how_it_went() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.txt");
    let mut p = plan(Beat::every(SECOND, 20));
    p.ends = true;
    p.outputs = vec![crate::core::output::OutputSpec::parse(&format!("file:{}", file.display())).unwrap()];
    p.record = Some((folder.path().join("a.nmea"), crate::runtime::recorder::Mode::Append));
    let b = bench(p).await;
    let outcome = b.outcome.await.unwrap();
    assert_eq!(outcome.failed, None);
    assert_eq!(outcome.complaints(), Vec::<String>::new());
    assert_eq!(outcome.recorded.unwrap().1, 20);
    let expected: String = (0..20).map(|n| sentence(n) + "\r\n").collect();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), expected);
    let log = std::fs::read_to_string(folder.path().join("a.nmea")).unwrap();
    let lines: Vec<&str> = log.lines().filter(|l| !l.starts_with('#')).collect();
    assert_eq!(lines.len(), 20);
    // The stamps are those of the moments, a second apart (tokio's timer has a grain of a millisecond).
    for (i, line) in lines.iter().enumerate() {
        let (stamp, text) = line.split_once(' ').unwrap();
        let ms: i64 = stamp[17..19].parse::<i64>().unwrap() * 1000 + stamp[20..23].parse::<i64>().unwrap();
        assert!((ms - i as i64 * 1000).abs() <= 2, "{line}");
        assert_eq!(text, sentence(i as i64));
    }
}

#[tokio::test(start_paused = true)]
async fn played_time_can_be_limited() {
    let mut p = plan(Beat::every(SECOND, 1000));
    (p.ends, p.duration) = (true, Some(10 * SECOND));
    let mut b = bench(p).await;
    b.until(|s| s.run == Run::Ended).await;
    assert_eq!(b.watcher.snapshots.borrow().counts.sentences, 10); // 0 <= t < 10 s
    b.outcome.await.unwrap();
    assert!(b.session.watcher().is_none_or(|w| w.requests.is_closed()));
}

#[tokio::test(start_paused = true)]
async fn recordings_get_a_fresh_name_and_are_told_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut p = plan(Beat::every(SECOND, 1000));
    p.folder = folder.path().join("logs");
    let mut b = bench(p).await;
    let path = b.ask(Command::Record(String::new())).await.unwrap();
    assert!(path.as_str().unwrap().ends_with("logs/nmeasimx-20260922T000000Z-beat.nmea"), "{path}");
    assert!(b.ask(Command::Record(String::new())).await.unwrap_err().contains("recording already"));
    let seen = b.until(|s| s.record.sentences >= 3).await;
    assert!(seen.record.on);
    let said = b.ask(Command::RecordStop).await.unwrap();
    assert!(said.as_str().unwrap().starts_with("recorded "), "{said}");
    b.until(|s| !s.record.on).await;
    assert!(b.ask(Command::RecordStop).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn outputs_come_and_go() {
    let mut b = bench(plan(Beat::every(SECOND, 1000))).await;
    assert_eq!(b.ask(Command::Output(OutputChange::Add("tcp-server:0".into()))).await.unwrap(), 0);
    let seen = b.until(|s| s.outputs.first().is_some_and(|o| o.state == Link::Open)).await;
    assert_eq!((seen.outputs[0].kind.as_str(), seen.outputs[0].n), ("TCP", 0));
    b.ask(Command::Output(OutputChange::Stop(0))).await.unwrap();
    b.until(|s| s.outputs[0].state == Link::Closed).await;
    b.ask(Command::Output(OutputChange::Start(0))).await.unwrap();
    b.until(|s| s.outputs[0].state == Link::Open).await;
    b.ask(Command::Output(OutputChange::Edit(0, "tcp-server:0;filter=RMC".into()))).await.unwrap();
    b.until(|s| s.outputs[0].spec.contains("filter=RMC") && s.outputs[0].state == Link::Open).await;
    assert!(b.ask(Command::Output(OutputChange::Add("carrier-pigeon".into()))).await.is_err());
    assert!(b.ask(Command::Output(OutputChange::Stop(7))).await.unwrap_err().contains("no output 7"));
    b.ask(Command::Output(OutputChange::Remove(0))).await.unwrap();
    b.until(|s| s.outputs.is_empty()).await;
}

#[tokio::test(start_paused = true)]
async fn lines_are_found_by_their_content() {
    let mut b = bench(plan(Beat::every(SECOND, 100))).await;
    b.until(|s| s.counts.sentences == 30).await;
    b.ask(Command::Transport(Transport::Pause)).await.unwrap();
    let find = |pattern: &str, from, back| Command::Find { pattern: pattern.into(), from, back };
    let found = b.ask(find("TXT,1[0-9]\\*", None, true)).await.unwrap();
    assert_eq!(serde_json::from_value::<RowKey>(found).unwrap(), RowKey::Seq(19));
    let found = b.ask(find("TXT,1[0-9]\\*", Some(RowKey::Seq(10)), false)).await.unwrap();
    assert_eq!(serde_json::from_value::<RowKey>(found).unwrap(), RowKey::Seq(11));
    assert_eq!(b.ask(find("nothing", None, true)).await.unwrap(), serde_json::Value::Null);
}

#[tokio::test(start_paused = true)]
async fn quit_and_stop_end_a_session_in_order() {
    let mut b = bench(plan(Beat::every(SECOND, 1000))).await;
    b.ask(Command::Quit).await.unwrap();
    b.outcome.await.unwrap();
    let b = bench(plan(Beat::every(SECOND, 1000))).await;
    b.session.stop();
    let outcome = b.outcome.await.unwrap();
    // The first sentence was due at once, and in time.
    assert_eq!((outcome.late.count(), outcome.late.longest()), (1, 0));
    assert_eq!(Outcome { late: Delays::default(), ..outcome }, Outcome::default());
}

#[tokio::test]
async fn a_snapshot_goes_through_json_unchanged_and_stays_small() {
    let mut b = bench(plan(Beat::every(SECOND / 100, 1000))).await;
    b.look(View { rows: 60, types: true, chart: true, events: true, outputs: true, ..View::default() }).await;
    let seen = b.until(|s| s.list.rows.len() == 60).await;
    let json = serde_json::to_string(&seen).unwrap();
    assert!(json.len() < 64 << 10, "{} bytes", json.len());
    assert_eq!(serde_json::from_str::<Snapshot>(&json).unwrap(), seen);
}

/// A log of a minute: a sentence each second, a wrong checksum in line 12, a gap of a minute at the end.
fn log_of_a_minute(folder: &std::path::Path) -> std::path::PathBuf {
    let path = folder.join("trip.nmea");
    let mut text = String::from("# NMEA Simulator X log 1\n");
    for s in 0..60 {
        if s == 10 {
            text += "2026-09-22T00:00:10.000Z $XXTXT,bad*00\n";
        }
        text += &format!("2026-09-22T00:00:{s:02}.000Z {}\n", sentence(s));
    }
    text += &format!("2026-09-22T00:02:00.000Z {}\n", sentence(60));
    std::fs::write(&path, text).unwrap();
    path
}

fn replay(path: &std::path::Path) -> Plan {
    let options = crate::core::log::Options::default();
    Plan::new(Choice::Replay { files: vec![path.into()], options, whole: false }, Clock::system())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_a_replay_shows_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = log_of_a_minute(folder.path());
    let mut b = bench(Plan { paused: true, ..replay(&path) }).await;
    b.look(View { rows: 6, anchor: Anchor::PlayHead, bar: 10, ..View::default() }).await;
    // The first window may be read before it is known where the play head stands.
    let seen = b.until(|s| s.list.rows.len() == 6 && s.list.rows.iter().any(|r| r.head)).await;
    assert!(seen.list.rows[0].text.starts_with("# NMEA"), "comments are part of the file");
    assert!(seen.list.rows[1].head, "the play head stands before the first sentence");
    let log = seen.log.unwrap();
    assert_eq!((log.sentences, log.lines, log.gaps, log.tier.as_str()), (61, 63, 1, "timestamps"));
    assert_eq!((seen.counts.skipped, seen.counts.bad_checksum, seen.counts.sentences), (1, 1, 0));
    assert_eq!(seen.transport.duration, Some(120 * SECOND));
    let seen = b.until(|s| s.log.as_ref().is_some_and(|l| l.bar.len() == 10)).await;
    let bar = seen.log.unwrap().bar;
    // Twelve seconds a cell: twelve sentences in each of the first five, silence, one at the end.
    assert_eq!(bar.iter().map(|c| c.density).collect::<Vec<_>>(), [8, 8, 8, 8, 8, 0, 0, 0, 0, 1]);
    assert_eq!(bar.iter().map(|c| u8::from(c.gap)).collect::<Vec<_>>(), [0, 0, 0, 0, 0, 1, 1, 1, 1, 0]);
    assert_eq!(bar.iter().map(|c| u8::from(c.bad)).collect::<Vec<_>>(), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

    let found = b.ask(Command::Look { what: "bad".into(), from: None, back: false }).await.unwrap();
    let RowKey::Place(bad) = serde_json::from_value(found).unwrap() else { panic!("a place") };
    assert_eq!(bad.line, 12);
    b.look(View { rows: 3, anchor: Anchor::Middle(RowKey::Place(bad)), ..View::default() }).await;
    let seen = b.until(|s| s.list.rows.len() == 3 && s.list.rows[1].key == RowKey::Place(bad)).await;
    assert!(seen.list.rows[1].why.as_ref().unwrap().contains("given 00"), "{:?}", seen.list.rows[1].why);
    assert!(seen.list.more_above && seen.list.more_below);

    b.look(View { rows: 2, anchor: Anchor::Newest, ..View::default() }).await;
    let seen = b.until(|s| s.list.rows.last().is_some_and(|r| r.text == sentence(60))).await;
    assert_eq!(seen.list.rows[1].delta, Some(61 * SECOND));
    assert!(seen.list.more_above && !seen.list.more_below);
}

/// Another process appends to the log, cuts it off, takes it away: a notice each, and the session lives.
#[tokio::test(flavor = "multi_thread")]
async fn what_others_do_to_an_open_log_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = log_of_a_minute(folder.path());
    let others = |script: &str| {
        let status = std::process::Command::new("sh").arg("-c").arg(script).current_dir(folder.path()).status();
        assert!(status.unwrap().success());
    };
    let mut b = bench(Plan { paused: true, ..replay(&path) }).await;
    b.look(View { events: true, ..View::default() }).await;
    b.until(|s| s.log.as_ref().is_some_and(|l| l.sentences == 61 && l.notices.is_empty())).await;
    let noticed = |s: &Snapshot, text: &str| {
        s.log.as_ref().is_some_and(|l| l.notices.iter().any(|n| n.contains(text)))
            && s.events.iter().filter(|e| e.text.contains(text)).count() == 1
    };
    others("echo more >> trip.nmea");
    b.until(|s| noticed(s, "the log has grown by 5 bytes")).await;
    others("echo more >> trip.nmea");
    b.until(|s| s.log.as_ref().is_some_and(|l| l.notices.iter().any(|n| n.contains("by 10 bytes")))).await;
    others("rm trip.nmea; : > trip.nmea");
    b.ask(Command::Transport(Transport::Step(Unit::Sentence, 1))).await.unwrap();
    let seen = b.until(|s| s.counts.sentences == 1).await;
    assert!(!seen.events.iter().any(|e| e.text.contains("by 10 bytes")), "told once");
    drop(b);

    std::fs::remove_file(&path).unwrap();
    let path = log_of_a_minute(folder.path());
    let mut b = bench(Plan { paused: true, ..replay(&path) }).await;
    b.look(View { events: true, ..View::default() }).await;
    b.until(|s| s.log.as_ref().is_some_and(|l| l.sentences == 61)).await;
    others("rm trip.nmea");
    b.until(|s| noticed(s, "the log has been deleted")).await;
    drop(b);

    let path = log_of_a_minute(folder.path());
    let mut b = bench(Plan { paused: true, ..replay(&path) }).await;
    b.look(View { events: true, ..View::default() }).await;
    b.until(|s| s.log.as_ref().is_some_and(|l| l.sentences == 61)).await;
    others(": > trip.nmea");
    b.until(|s| noticed(s, "the log has become shorter")).await;
    // Whatever is asked of it now is answered.
    let _error = b.ask(Command::Transport(Transport::Seek(crate::core::transport::To::End))).await;
    let _error = b.ask(Command::Transport(Transport::Play)).await;
    b.until(|s| s.seq > 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn marks_are_set_found_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = log_of_a_minute(folder.path());
    let kept = plan::MarksFolder(Some(folder.path().join("marks")));
    let mut b = bench(Plan { paused: true, marks: kept.clone(), ..replay(&path) }).await;
    b.ask(Command::Transport(Transport::Seek(crate::core::transport::To::Line(30)))).await.unwrap();
    let said = b.ask(Command::Mark { at: None, name: Some("harbour".into()) }).await.unwrap();
    assert_eq!(said, "mark harbour");
    let seen = b.until(|s| s.log.as_ref().is_some_and(|l| l.marks.len() == 1)).await;
    assert_eq!(seen.log.unwrap().marks[0].place.line, 30);
    b.session.stop();
    b.outcome.await.unwrap();
    let mut b = bench(Plan { paused: true, marks: kept, ..replay(&path) }).await;
    let found = b.ask(Command::Look { what: "mark".into(), from: None, back: false }).await.unwrap();
    let RowKey::Place(place) = serde_json::from_value(found).unwrap() else { panic!("a place") };
    assert_eq!(place.line, 30);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stretch_is_saved_and_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = log_of_a_minute(folder.path());
    let out = folder.path().join("part.nmea");
    let mut b = bench(Plan { paused: true, ..replay(&path) }).await;
    let save = |path: &std::path::Path| Command::SaveStretch {
        path: path.display().to_string(),
        between: Some((10 * SECOND, 20 * SECOND)),
        filter: String::new(),
        matches: String::new(),
        hidden: Vec::new(),
    };
    let said = b.ask(save(&out)).await.unwrap();
    assert!(said.as_str().unwrap().starts_with("saved 10 sentences"), "{said}");
    assert!(b.ask(save(&out)).await.unwrap_err().contains("exists already"));
    b.ask(Command::Open(out.display().to_string())).await.unwrap();
    let seen = b.until(|s| s.log.as_ref().is_some_and(|l| l.sentences == 10)).await;
    assert_eq!((seen.mode, seen.name.as_str()), (Mode::Replay, "part.nmea"));
    assert!(b.ask(Command::Open("/nowhere.nmea".into())).await.unwrap_err().contains("no such file"));
    let record = b.ask(Command::Record(out.display().to_string())).await.unwrap_err();
    assert!(record.contains("is being replayed"), "{record}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_simulation_is_set_undone_and_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "schema_version = 1\nname = \"Mine\" # ours\n").unwrap();
    let profile = Box::new(open::read_profile(&file).unwrap());
    let mut b = bench(Plan::new(Choice::Simulation { profile, path: Some(file.clone()) }, Clock::system())).await;
    b.look(View { controls: true, ..View::default() }).await;
    let value = |s: &Snapshot, key: &str| {
        s.controls.iter().find(|c| c.key == key).map(|c| (c.value.clone(), c.pinned)).unwrap()
    };
    let before = b.until(|s| !s.controls.is_empty()).await;
    let (old, pinned) = value(&before, "vessel.speed");
    assert!(!pinned && !before.unsaved);
    let set = |key: &str, value: &str| {
        Command::Change(crate::core::transport::Change::Set { key: key.into(), value: value.into() })
    };
    b.ask(set("vessel.speed", "9.5")).await.unwrap();
    let seen = b.until(|s| value(s, "vessel.speed").0 == "9.5").await;
    assert!(value(&seen, "vessel.speed").1 && seen.unsaved, "held there, and not in the file");
    assert!(b.ask(set("vessel.sped", "1")).await.unwrap_err().contains("vessel.speed"));
    b.ask(Command::Undo).await.unwrap();
    let seen = b.until(|s| value(s, "vessel.speed").0 == old).await;
    assert!(!value(&seen, "vessel.speed").1, "free again");
    b.ask(set("vessel.speed", "8.0")).await.unwrap();
    b.ask(Command::SaveProfile(String::new())).await.unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("# ours") && text.contains("speed = 8"), "{text}");
    b.until(|s| !s.unsaved).await;
}

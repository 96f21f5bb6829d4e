//! A session as a watcher sees it.

use std::time::Duration;

use super::snapshot::{Link, Mode, Run};
use super::*;
use crate::core::time::SECOND;
use crate::core::transport::{Transport, Unit};
use crate::runtime::testing::{Beat, sentence, start};

struct Bench {
    session: Session,
    watcher: Watcher,
    outcome: tokio::task::JoinHandle<Outcome>,
    next: u64,
}

fn plan(source: Beat) -> Plan {
    Plan::new(Choice::Source { source: Box::new(source), mode: Mode::Replay, name: "beat".into() }, start())
}

async fn bench(plan: Plan) -> Bench {
    let (session, outcome) = Session::start(plan).await.unwrap();
    let watcher = session.watcher().unwrap();
    Bench { session, watcher, outcome, next: 0 }
}

impl Bench {
    async fn ask(&mut self, command: Command) -> Result<serde_json::Value, String> {
        self.next += 1;
        self.watcher.requests.send(Request { id: self.next, command }).await.unwrap();
        let answer = self.watcher.answers.recv().await.unwrap();
        assert_eq!(answer.id, self.next);
        answer.result
    }

    async fn look(&mut self, view: View) {
        self.ask(Command::View(Box::new(view))).await.unwrap();
    }

    async fn until(&mut self, what: impl FnMut(&Snapshot) -> bool) -> Snapshot {
        let mut what = what;
        let found = self.watcher.snapshots.wait_for(|s| what(s));
        let found = tokio::time::timeout(Duration::from_secs(3600), found).await;
        (**found.expect("it comes").expect("the session lives")).clone()
    }

    fn texts(snapshot: &Snapshot) -> Vec<String> {
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
    let before = tokio::time::Instant::now();
    b.until(|s| s.run == Run::Paused).await;
    assert!(before.elapsed() < Duration::from_millis(5), "not at the next tick but at once");
    b.ask(Command::Transport(Transport::Step(Unit::Sentence, 1))).await.unwrap();
    b.until(|s| s.counts.sentences == 4).await;
    b.ask(Command::Transport(Transport::Skip(100 * SECOND))).await.unwrap();
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
    assert_eq!(b.outcome.await.unwrap(), Outcome::default());
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

//! A session that replays logs, as a watcher sees it: what is counted, what is sent, what is taken apart.

use std::path::{Path, PathBuf};

use super::snapshot::Matches;
use super::tests::{Bench, bench};
use super::*;
use crate::core::log::Options;
use crate::core::output::OutputSpec;
use crate::core::time::SECOND;
use crate::core::transport::Transport;
use crate::core::transport::target::Target;
use crate::runtime::testing::start;

/// A sentence with its checksum.
pub(super) fn good(body: &str) -> String {
    format!("{body}*{:02X}", body.bytes().skip(1).fold(0u8, |sum, b| sum ^ b))
}

/// A hundred seconds: each second an HDT, every second of them an RMC, every tenth a depth.
fn hundred(folder: &Path) -> PathBuf {
    let mut text = String::from("# a hundred seconds\n");
    for i in 0..100 {
        let stamp = format!("2026-09-23T10:{:02}:{:02}.000Z", i / 60, i % 60);
        let mut say = |body: &str| text.push_str(&format!("{stamp} {}\n", good(body)));
        say(&format!("$HEHDT,{i}.0,T"));
        if i % 2 == 0 {
            say(&format!("$GPRMC,10{:02}{:02},A,3744.0,N,02325.0,E,6.5,{i}.0,230926,,,A", i / 60, i % 60));
        }
        if i % 10 == 0 {
            say(&format!("$SDDPT,{i}.5,0.4"));
        }
    }
    let path = folder.join("hundred.log");
    std::fs::write(&path, text).unwrap();
    path
}

fn plan(files: Vec<PathBuf>, output: Option<&Path>) -> Plan {
    let choice = Choice::Replay { files, options: Options::default(), whole: true };
    let outputs = output.map(|path| OutputSpec::parse(&format!("file:{}", path.display())).unwrap());
    Plan { paused: true, outputs: outputs.into_iter().collect(), ..Plan::new(choice, start()) }
}

fn key(value: serde_json::Value) -> RowKey {
    serde_json::from_value::<Option<RowKey>>(value).unwrap().expect("it is found")
}

#[tokio::test]
async fn matches_are_counted_and_the_selected_one_has_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let mut b = bench(plan(vec![hundred(folder.path())], None)).await;
    let view = View { rows: 10, find: "SDDPT".into(), ..View::default() };
    b.look(view.clone()).await;
    let all = |n, ordinal| Some(Matches { total: n, complete: true, ordinal });
    let seen = b.until(|s| s.list.found.is_some_and(|m| m.complete)).await;
    assert_eq!((seen.list.found, seen.list.shown), (all(10, None), None));
    let mut from = None;
    for n in 1..=3 {
        let find = Command::Find { pattern: "SDDPT".into(), from, back: false };
        from = Some(key(b.ask(find).await.unwrap()));
        b.look(View { selected: from, ..view.clone() }).await;
        b.until(|s| s.list.found == all(10, Some(n))).await;
    }
    let back = key(b.ask(Command::Find { pattern: "SDDPT".into(), from, back: true }).await.unwrap());
    b.look(View { selected: Some(back), ..view.clone() }).await;
    b.until(|s| s.list.found == all(10, Some(2))).await;
    // With a filter both are counted: 50 RMC, of which ten stand on a second that ends in 0.
    b.look(View { filter: "RMC".into(), find: ":[0-5]0.000Z".into(), ..view.clone() }).await;
    let seen = b.until(|s| s.list.shown.is_some_and(|m| m.complete) && s.list.rows.len() == 10).await;
    assert_eq!((seen.list.shown, seen.list.found), (all(50, None), all(10, None)));
    // By what the panel hides, and by a pattern.
    b.look(View { hidden: vec!["HEHDT".into(), "GPRMC".into()], ..View::default() }).await;
    b.until(|s| s.list.shown == all(11, None)).await; // ten depths and the comment
    b.look(View { matches: "HDT,5".into(), ..View::default() }).await;
    b.until(|s| s.list.shown == all(11, None)).await; // 5 and 50 to 59
    b.look(View::default()).await;
    b.until(|s| s.list.shown.is_none() && s.list.found.is_none()).await;
}

#[tokio::test]
async fn several_logs_are_counted_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let one = hundred(folder.path());
    let two = folder.path().join("two.log");
    let line = |i: u32| format!("2026-09-23T10:00:{i:02}.500Z {}\n", good("$SDDPT,7.0,0.4"));
    std::fs::write(&two, (0..60).map(line).collect::<String>()).unwrap();
    let mut b = bench(plan(vec![one, two], None)).await;
    let view = View { rows: 5, find: "DPT".into(), ..View::default() };
    b.look(view.clone()).await;
    b.until(|s| s.list.found == Some(Matches { total: 70, complete: true, ordinal: None })).await;
    // By time: 0.0, 0.5, 1.5, … 9.5, 10.0: the second one of the first log is the twelfth of both.
    let from = key(b.ask(Command::Find { pattern: "DPT,10.5".into(), from: None, back: false }).await.unwrap());
    b.look(View { selected: Some(from), ..view }).await;
    b.until(|s| s.list.found.is_some_and(|m| m.ordinal == Some(12))).await;
}

fn lines_of(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

async fn played(b: &mut Bench, speed: Option<u32>) {
    b.ask(Command::Transport(Transport::Speed(speed))).await.unwrap();
    b.ask(Command::Transport(Transport::Play)).await.unwrap();
    b.until(|s| s.run == snapshot::Run::Ended).await;
}

async fn until_lines(path: &Path, n: usize) -> Vec<String> {
    for _ in 0..400 {
        let lines = lines_of(path);
        if lines.len() >= n {
            return lines;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("{n} lines never came: {:?}", lines_of(path));
}

#[tokio::test]
async fn what_is_hidden_is_sent_unless_send_only_is_on_and_it_follows_the_view() {
    let folder = tempfile::tempdir().unwrap();
    let sent = folder.path().join("sent.nmea");
    let mut b = bench(plan(vec![hundred(folder.path())], Some(&sent))).await;
    b.look(View { rows: 5, filter: "DPT".into(), ..View::default() }).await;
    played(&mut b, None).await;
    // 100 HDT, 50 RMC, 10 DPT: a filter of the view alone keeps nothing back.
    until_lines(&sent, 160).await;
    b.ask(Command::SendOnly(true)).await.unwrap();
    let seen = b.until(|s| s.transport.only.is_some()).await;
    assert_eq!(seen.transport.only.as_deref(), Some("only DPT"));
    played(&mut b, None).await;
    let lines = until_lines(&sent, 170).await;
    assert!(lines[160..].iter().all(|l| l.starts_with("$SDDPT,")), "{:?}", &lines[160..]);
    // A pattern is one of whole lines, with their stamps, as in the list: :30 and :20 of the second minute are no others.
    let at_30 = View { rows: 5, matches: "T10:0[01]:30".into(), hidden: vec!["HEHDT".into()], ..View::default() };
    b.look(at_30).await;
    b.until(|s| s.transport.only.as_deref() == Some("only /T10:0[01]:30/, all but 1 type")).await;
    played(&mut b, None).await;
    let lines = until_lines(&sent, 174).await;
    let begins = |l: &String| l[..6].to_owned();
    assert_eq!(lines[170..].iter().map(begins).collect::<Vec<_>>(), ["$GPRMC", "$SDDPT", "$GPRMC", "$SDDPT"]);
    // Taken back, everything is sent again, whatever is hidden.
    b.ask(Command::SendOnly(false)).await.unwrap();
    b.until(|s| s.transport.only.is_none()).await;
    played(&mut b, None).await;
    until_lines(&sent, 334).await;
}

#[tokio::test]
async fn types_are_counted_in_the_whole_log_not_only_in_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let mut b = bench(plan(vec![hundred(folder.path())], None)).await;
    b.look(View { types: true, ..View::default() }).await;
    let seen = b.until(|s| !s.types.is_empty()).await;
    let types: Vec<(&str, u64)> = seen.types.iter().map(|t| (t.key.as_str(), t.count)).collect();
    assert_eq!(types, [("GPRMC", 50), ("HEHDT", 100), ("SDDPT", 10)]);
    assert_eq!(seen.counts.sentences, 0, "nothing was played");
}

#[tokio::test]
async fn after_a_move_the_first_snapshot_that_shows_it_has_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mut b = bench(plan(vec![hundred(folder.path())], None)).await;
    b.look(View { rows: 9, anchor: Anchor::PlayHead, ..View::default() }).await;
    b.until(|s| s.list.rows.len() == 9 && !s.list.loading).await;
    for to in [Target::Percent(50.0), Target::Line(20), Target::End, Target::Start, Target::Skip(30 * SECOND)] {
        let before = b.until(|_| true).await.transport.position;
        b.ask(Command::Transport(Transport::Go(to))).await.unwrap();
        let seen = b.until(|s| s.transport.position != before).await;
        let head = seen.log.as_ref().and_then(|l| l.head).map(RowKey::Place);
        let at_head = seen.list.rows.iter().find(|r| r.head).map(|r| r.key);
        assert!(seen.list.loading || (at_head == head && head.is_some()), "{to:?}: {head:?} {at_head:?}");
    }
}

#[tokio::test]
async fn rows_are_not_looked_up_anew_on_the_screen_while_a_log_plays_fast() {
    let folder = tempfile::tempdir().unwrap();
    let mut b = bench(plan(vec![hundred(folder.path())], None)).await;
    b.look(View { rows: 9, anchor: Anchor::PlayHead, ..View::default() }).await;
    b.until(|s| s.list.rows.len() == 9 && !s.list.loading).await;
    b.ask(Command::Transport(Transport::Speed(Some(2000)))).await.unwrap();
    b.ask(Command::Transport(Transport::Play)).await.unwrap();
    let mut loading = 0;
    b.until(|s| {
        loading += u32::from(s.list.loading);
        s.run == snapshot::Run::Ended
    })
    .await;
    assert_eq!(loading, 0);
}

#[tokio::test]
async fn the_other_sentences_of_an_ais_message_stand_beside_the_one_that_is_taken_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ais.log");
    // The example of gpsd's documentation: MMSI 351759000, EVER DIADEM.
    let parts = [
        "!AIVDM,2,1,1,A,55?MbV02;H;s<HtKR20EHE:0@T4@Dn2222222216L961O5Gf0NSQEp6ClRp8,0*1C",
        "!AIVDM,2,2,1,A,88888888880,2*25",
    ];
    let mut text = String::new();
    for i in 0..600 {
        let stamp = format!("2026-09-23T10:{:02}:{:02}.000Z", i / 60, i % 60);
        match i {
            300 => text.push_str(&format!("{stamp} {}\n", parts[0])),
            302 => text.push_str(&format!("{stamp} {}\n", parts[1])),
            _ => text.push_str(&format!("{stamp} {}\n", good(&format!("$HEHDT,{i}.0,T")))),
        }
    }
    std::fs::write(&path, text).unwrap();
    let mut b = bench(plan(vec![path], None)).await;
    b.look(View { rows: 3, ..View::default() }).await;
    for part in 0..2 {
        let pattern = format!("AIVDM,2,{}", part + 1);
        let at = key(b.ask(Command::Find { pattern, from: None, back: false }).await.unwrap());
        b.look(View { rows: 3, inspect: Some(at), ..View::default() }).await;
        let seen = b.until(|s| s.inspect.as_ref().is_some_and(|i| i["parts"][part]["here"] == true)).await;
        let inspected = seen.inspect.unwrap();
        let lines: Vec<u64> = (0..2).map(|i| inspected["parts"][i]["line"].as_u64().unwrap()).collect();
        assert_eq!(lines, [301, 303], "lines count from 1");
        assert_eq!(inspected["parts"][1 - part]["text"], parts[1 - part]);
        assert!(inspected["ais"].to_string().contains("EVER DIADEM"), "{}", inspected["ais"]);
    }
}

#[tokio::test]
async fn marks_are_exported_to_a_new_file_only() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("marks.tsv");
    let mut b = bench(plan(vec![hundred(folder.path())], None)).await;
    b.ask(Command::Transport(Transport::Go(Target::Skip(90 * SECOND)))).await.unwrap();
    b.until(|s| s.transport.position == 90 * SECOND).await;
    b.ask(Command::Mark { at: None, name: Some("squall".into()) }).await.unwrap();
    let said = b.ask(Command::ExportMarks(out.display().to_string())).await.unwrap();
    assert!(said.as_str().unwrap().starts_with("1 mark written to "), "{said}");
    // A comment, and of 90 seconds: 90 HDT, 45 RMC, 9 depths: the next line is 146.
    let text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(text, "name\tline\toffset\tutc\nsquall\t146\t+0:01:30.000\t2026-09-23T10:01:30.000Z\n");
    let error = b.ask(Command::ExportMarks(out.display().to_string())).await.unwrap_err();
    assert!(error.contains("exists already"), "{error}");
}

#[tokio::test]
async fn a_day_at_max_ends_on_its_last_sentence_with_every_one_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let (log, sent) = (folder.path().join("day.log"), folder.path().join("sent.nmea"));
    // A sentence every ten seconds from midnight to midnight: 8,641.
    let line = |i: i64| {
        let utc = crate::runtime::testing::MIDNIGHT + i * 10 * SECOND;
        format!("{} {}\n", crate::core::time::iso_ms(utc), good(&format!("$HEHDT,{}.0,T", i % 360)))
    };
    std::fs::write(&log, (0..=8640).map(line).collect::<String>()).unwrap();
    let first = vec![Transport::Speed(None)];
    let plan = Plan { first, paused: false, ends: true, ..plan(vec![log], Some(&sent)) };
    let (_session, outcome) = Session::start(plan).await.unwrap();
    let outcome = outcome.await.unwrap();
    assert_eq!((outcome.failed.as_deref(), outcome.lost.len()), (None, 0));
    let lines = lines_of(&sent);
    assert_eq!(lines.len(), 8641);
    // 8,640 is 24 times 360.
    assert_eq!(lines.last().map(String::as_str), Some(good("$HEHDT,0.0,T").as_str()));
}

/// 20 sentences 1 ms apart, then nothing for five seconds, then one more.
fn burst(folder: &Path) -> PathBuf {
    let path = folder.join("burst.log");
    let line = |i: i64| {
        let ms = if i == 20 { 5019 } else { i };
        let utc = crate::runtime::testing::MIDNIGHT + ms * 1_000_000;
        format!("{} {}\n", crate::core::time::iso_ms(utc), good(&format!("$HEHDT,{i}.0,T")))
    };
    std::fs::write(&path, (0..=20).map(line).collect::<String>()).unwrap();
    path
}

#[tokio::test(start_paused = true)]
async fn a_burst_leaves_the_driver_as_it_was_recorded_to_the_millisecond() {
    use crate::core::log::{Log, Options, hear, open_path};
    use crate::core::replay::{Part, Replay};
    use crate::runtime::driver::{self, Ends, Playing};
    let folder = tempfile::tempdir().unwrap();
    let read = open_path(&burst(folder.path())).unwrap();
    let (log, _) = Log::open(read, Options::default(), hear, &mut |_| true).unwrap();
    let replay = Replay::new(vec![Part { name: "burst.log".into(), log }], hear).unwrap();
    let clock = start();
    let mut player = crate::core::transport::Player::new(Box::new(replay));
    player.command(clock.wall(), &Transport::Play, &mut Vec::new()).unwrap();
    let begin = clock.wall();
    let (_orders, orders) = tokio::sync::mpsc::channel(8);
    let (out, mut told) = tokio::sync::mpsc::channel(crate::runtime::hub::ROOM);
    let state = tokio::sync::watch::channel(Playing::default()).0;
    let generation = tokio::sync::watch::channel(0).0;
    tokio::spawn(driver::run(player, clock, Ends { orders, out, state, generation, late: std::sync::Arc::default() }));
    let mut times = Vec::new();
    while times.len() < 21 {
        let batch = told.recv().await.unwrap().batch;
        times.extend(batch.frames.iter().map(|_| (clock.wall() - begin) / 1_000_000));
    }
    assert_eq!(times, (0..20).chain([5019]).collect::<Vec<i64>>());
}

#[tokio::test]
async fn a_burst_reaches_a_tcp_client_as_a_burst() {
    use tokio::io::AsyncBufReadExt;
    let folder = tempfile::tempdir().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let spec = format!("tcp-client:{}", listener.local_addr().unwrap());
    let plan = Plan { outputs: vec![OutputSpec::parse(&spec).unwrap()], ..plan(vec![burst(folder.path())], None) };
    let mut b = bench(plan).await;
    let (client, _) = listener.accept().await.unwrap();
    b.until(|s| s.outputs.iter().any(|o| o.state == snapshot::Link::Open)).await;
    let begin = crate::runtime::clock::now();
    b.ask(Command::Transport(Transport::Play)).await.unwrap();
    let mut lines = tokio::io::BufReader::new(client).lines();
    for i in 0..=20_u64 {
        let line = lines.next_line().await.unwrap().unwrap();
        let after = begin.elapsed().as_millis() as u64;
        assert_eq!(line, good(&format!("$HEHDT,{i}.0,T")));
        let due = if i == 20 { 5019 } else { i };
        assert!(after >= due, "sentence {i} came {after} ms after the start, and was due after {due}");
        // However busy the machine is: the burst is over long before the silence is.
        assert!(i == 20 || after < 4000, "sentence {i} came only after {after} ms");
    }
}

#[tokio::test]
async fn by_type_every_type_heard_before_the_play_head_has_its_row_however_long_ago() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.log");
    // A depth at the start, one at the end, and 2,000 headings between; every tenth of a second.
    let line = |i: i64| {
        let utc = crate::runtime::testing::MIDNIGHT + i * SECOND / 10;
        let body = match i {
            0 => "$SDDPT,7.5,0.4".to_owned(),
            2001 => "$SDDPT,8.5,0.4".to_owned(),
            2002 => "$GPGLL,3744.0,N,02325.0,E,000320,A,A".to_owned(),
            _ => format!("$HEHDT,{}.0,T", i % 360),
        };
        format!("{} {}\n", crate::core::time::iso_ms(utc), good(&body))
    };
    std::fs::write(&path, (0..=2002).map(line).collect::<String>()).unwrap();
    let mut b = bench(plan(vec![path], None)).await;
    b.look(View { rows: 9, presentation: Presentation::PerType, ..View::default() }).await;
    b.ask(Command::Transport(Transport::Go(Target::Line(2001)))).await.unwrap();
    let seen = b.until(|s| s.list.rows.len() == 2 && !s.list.loading).await;
    // Line 2001 is the heading number 2,000, which is not yet said: 1,999 less 5 times 360 is 199.
    assert_eq!(Bench::texts(&seen), [good("$HEHDT,199.0,T"), good("$SDDPT,7.5,0.4")]);
    let counts: Vec<u64> = seen.list.rows.iter().map(|r| r.count.unwrap().0).collect();
    assert_eq!(counts, [2000, 2]);
    let rates: Vec<f64> = seen.list.rows.iter().map(|r| r.count.unwrap().1).collect();
    assert!((rates[0] - 10.0).abs() < 0.1 && rates[1] == 0.0, "{rates:?}");
    b.ask(Command::Transport(Transport::Go(Target::End))).await.unwrap();
    let seen = b.until(|s| s.list.rows.len() == 3 && !s.list.loading).await;
    assert_eq!(Bench::texts(&seen)[2], good("$SDDPT,8.5,0.4"));
}

#[tokio::test]
async fn what_is_shown_is_saved_with_a_header_that_says_where_it_came_from() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("part.log");
    let mut b = bench(plan(vec![hundred(folder.path())], None)).await;
    let save = Command::SaveStretch {
        path: out.display().to_string(),
        between: Some((20 * SECOND, 41 * SECOND)),
        filter: String::new(),
        matches: "0.000Z".into(),
        hidden: vec!["HEHDT".into()],
    };
    b.ask(save).await.unwrap();
    let text = std::fs::read_to_string(&out).unwrap();
    // An RMC and a depth at 20, 30 and 40 s.
    let sentences: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
    let begins: Vec<&str> = sentences.iter().map(|l| &l[25..31]).collect();
    assert_eq!(begins, ["$GPRMC", "$SDDPT", "$GPRMC", "$SDDPT", "$GPRMC", "$SDDPT"]);
    assert!(sentences[5].starts_with("2026-09-23T10:00:40.000Z $SDDPT,40.5"), "{text}");
    for header in ["# source: hundred.log\n", "# matches: 0.000Z\n", "# without: HEHDT\n"] {
        assert!(text.contains(header), "{header}{text}");
    }
}

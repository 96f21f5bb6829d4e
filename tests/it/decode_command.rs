//! `nmeasimx decode` and `nmeasimx sentences` as a script meets them.

use std::io::Write;

use assert_cmd::Command;
use serde_json::Value;

const LOG: &str = "# a log without stamps, timed by the UTC inside its sentences\n\
    $GPGLL,3759.0280,N,02343.6500,E,100000.00,A,A*6F\n\
    $HEHDT,45.0,T*1E\n\
    $HEHDT,45.0,T*1F\n\
    $GPGLL,3759.0280,N,02343.6500,E,100002.50,A,A*68\n\
    $HEHDT,46.0,T\n";

fn program() -> Command {
    Command::cargo_bin("nmeasimx").unwrap()
}

fn file(text: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text).unwrap();
    file
}

fn objects(command: &mut Command) -> Vec<Value> {
    let out = command.assert().success().get_output().stdout.clone();
    String::from_utf8(out).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn a_file_has_offsets_and_a_pipe_has_none() {
    let log = file(LOG.as_bytes());
    let all = objects(program().arg("decode").arg(log.path()));
    let places: Vec<_> = all.iter().map(|o| (o["line"].as_u64(), o["offset_ms"].as_i64())).collect();
    // Line 4 has a wrong checksum; line 6 has none.
    assert_eq!(places, [(Some(2), Some(0)), (Some(3), Some(0)), (Some(5), Some(2500)), (Some(6), Some(2500))]);
    assert_eq!((&all[0]["checksum"], &all[3]["checksum"]), (&"ok".into(), &"missing".into()));
    assert_eq!(all[3]["fields"]["heading_true_deg"], 46.0);

    let piped = objects(program().args(["decode", "-"]).write_stdin(LOG));
    assert!(piped.iter().all(|o| o.get("offset_ms").is_none() && o["time"].is_null()));
    assert_eq!(piped.len(), all.len());

    let strict = objects(program().args(["decode", "--require-checksum"]).arg(log.path()));
    assert_eq!(strict.len(), 3);
}

#[test]
fn stamps_give_times_and_offsets() {
    let log = file(
        b"2026-09-23T10:00:00.000Z $HEHDT,45.0,T*1E\n\
          2026-09-23T10:00:00.021Z $HEHDT,45.0,T*1E\n\
          \\s:SIM0001,c:1790080496*66\\$HEHDT,45.0,T*1E\n",
    );
    let all = objects(program().arg("decode").arg(log.path()));
    assert_eq!((&all[1]["offset_ms"], &all[1]["time"]), (&21.into(), &"2026-09-23T10:00:00.021Z".into()));
    assert_eq!(all[2]["tag"]["time"], "2026-09-22T12:34:56Z");
    // Nothing in the log shows a time: 100 ms, or what is asked for.
    let plain = file(b"$HEHDT,45.0,T*1E\n$HEHDT,45.0,T*1E\n$HEHDT,45.0,T*1E\n");
    let all = objects(program().args(["decode", "--interval", "250"]).arg(plain.path()));
    assert_eq!(all[2]["offset_ms"], 500);
}

#[test]
fn the_state_is_what_was_heard_so_far() {
    let log = file(LOG.as_bytes());
    let all = objects(program().args(["decode", "--state"]).arg(log.path()));
    assert!(all[0]["state"].get("heading_true_deg").is_none());
    assert_eq!(all[3]["state"]["heading_true_deg"], 46.0);
    assert_eq!(all[3]["state"]["position"]["latitude"], 37.9838);
}

#[test]
fn what_cannot_be_decoded_is_one_line_and_status_1() {
    let empty = file(b"");
    let words = file(b"just words\nand more\n");
    for path in [empty.path(), words.path(), std::path::Path::new("/"), std::path::Path::new("/no/such.log")] {
        let done = program().arg("decode").arg(path).assert().code(1);
        let message = String::from_utf8(done.get_output().stderr.clone()).unwrap();
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.contains(&path.display().to_string()), "{message}");
    }
}

#[test]
fn sentences_are_listed_with_their_fields() {
    let list = program().arg("sentences").assert().success().get_output().stdout.clone();
    let list = String::from_utf8(list).unwrap();
    for id in ["RMC", "MWV-R", "VDO-STATIC", "PFLAA"] {
        assert!(list.lines().any(|l| l.split_whitespace().next() == Some(id)), "{id}");
    }
    let mwv = objects(program().args(["sentences", "--json", "mwv-t"]));
    assert_eq!(
        (mwv.len(), &mwv[0]["id"], &mwv[0]["fields"][0]["name"]),
        (1, &"MWV-T".into(), &"wind_angle_deg".into())
    );
    program().args(["sentences", "QQQ"]).assert().code(2);
}

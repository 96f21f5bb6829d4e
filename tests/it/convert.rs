//! `convert`: what it writes is a log again, with the same sentences on the same cadence.

use serde_json::Value;

use super::check::{nmeasimx, text};

fn out(args: &[&str], input: &[u8]) -> String {
    let args: Vec<&str> = ["convert"].into_iter().chain(args.iter().copied()).collect();
    let output = nmeasimx(&args, input);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn check(log: &str) -> Value {
    serde_json::from_slice(&nmeasimx(&["check", "--json", "-"], log.as_bytes()).stdout).unwrap()
}

/// The sentences of a log without their stamps: `cut -d' ' -f2-` on what is no comment (W2).
fn sentences(log: &str) -> Vec<String> {
    let lines = log.lines().filter(|l| !l.starts_with('#'));
    lines.map(|l| l.split_once(' ').map_or(l, |(_, sentence)| sentence).to_owned()).collect()
}

#[test]
fn a_log_converted_twice_is_the_same_log() {
    for file in ["logs/mixed.log", "logs/gateway-tag.log", "logs/plain-capture.nmea"] {
        let before: Value = serde_json::from_slice(&nmeasimx(&["check", "--json", file], b"").stdout).unwrap();
        let once = out(&[file], b"");
        assert!(once.starts_with("# NMEA Simulator X log 1\n# recorded: "), "{once}");
        assert!(once.contains(&format!("\n# source: {file}\n")));
        let after = check(&once);
        assert_eq!(after["timing"]["tier"], "timestamps");
        for same in ["sentences", "types"] {
            assert_eq!(after[same], before[same], "{file}");
        }
        for same in ["duration_ms", "longest_gap_ms", "last"] {
            assert_eq!(after["timing"][same], before["timing"][same], "{file}");
        }
        assert_eq!(after["timing"]["breaks"].as_array().unwrap().len(), 0, "breaks are healed");
        let twice = out(&["-"], once.as_bytes());
        assert_eq!(twice, once);
    }
}

#[test]
fn plain_is_what_a_format_1_log_holds_behind_its_stamps() {
    for file in ["logs/mixed.log", "logs/plain-capture.nmea"] {
        let plain = out(&["--plain", file], b"");
        assert_eq!(plain.lines().collect::<Vec<_>>(), sentences(&out(&[file], b"")));
        let streamed = out(&["--plain", "-"], &std::fs::read(file).unwrap());
        assert_eq!(streamed, plain);
    }
}

#[test]
fn cut_by_offset_time_percent_and_line() {
    // Sentences of logs/mixed.log have the offsets 0, 1.25, 2, 3.5, 4, 4, 5, 6, 7, 8, 8, 9, 10, 12, 120, 120, 122 s.
    let file = "logs/mixed.log";
    let all = sentences(&out(&[file], b""));
    for (args, from, to) in [
        (&["--from", "+4s"][..], 4, 17),
        (&["--to", "+4s"], 0, 4),
        (&["--from", "+1.25s", "--to", "+3.5s"], 1, 3),
        (&["--from", "+1.251s", "--to", "+2:00"], 2, 14),
        (&["--from", "10:00:08", "--to", "10:02"], 9, 14),
        (&["--from", "2026-09-23 10:02:01"], 16, 17),
        (&["--to", "5%"], 0, 8), // of 122 s: 6.1 s
        (&["--from", "12", "--to", "14"], 7, 9),
        (&["--from", "start", "--to", "end"], 0, 17),
    ] {
        let args: Vec<&str> = args.iter().copied().chain([file]).collect();
        assert_eq!(sentences(&out(&args, b"")), &all[from..to], "{args:?}");
    }
    // The stamps stay what they were.
    let cut = out(&["--from", "+12s", "--to", "+13s", file], b"");
    assert!(cut.lines().last().unwrap().starts_with("2026-09-23T10:00:12.000Z $HCHDG,41.5"), "{cut}");
}

#[test]
fn filtered() {
    let file = "logs/mixed.log";
    let found = sentences(&out(&["--filter", "RMC,HC,VWVLW", file], b""));
    let addresses: Vec<&str> = found.iter().map(|s| &s[..6]).collect();
    assert_eq!(addresses, ["$GPRMC", "$HCHDG", "$VWVLW", "$HCHDG", "$GPRMC", "$GPRMC"]);
    let output = nmeasimx(&["convert", "--filter", "!", file], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("nothing to write"), "{}", text(&output.stderr));
}

#[test]
fn new_times_keep_the_old_cadence() {
    let log = out(&["--retime", "now", "--from", "+120s", "logs/mixed.log"], b"");
    let report = check(&log);
    assert_eq!((&report["sentences"], &report["timing"]["duration_ms"]), (&3.into(), &2000.into()));
    let first = report["timing"]["first"].as_str().unwrap().to_owned();
    assert!(first.as_str() > "2026-09-24", "{first} is now");
    assert_eq!(report["header"]["recorded"], first.as_str());
}

/// A GGA behind the last RMC has no date of its own: that of the RMC holds on.
#[test]
fn dates_inside_sentences_become_stamps() {
    let log = out(&["-"], b"$GPRMC,235959,A,,,,,,,230926,,\n$GPGGA,000001,,\n");
    let stamps: Vec<&str> = log.lines().filter(|l| !l.starts_with('#')).map(|l| &l[..24]).collect();
    assert_eq!(stamps, ["2026-09-23T23:59:59.000Z", "2026-09-24T00:00:01.000Z"]);
}

#[test]
fn without_any_date_the_cadence_is_kept_and_the_reader_is_told() {
    let input = "$GPHDT,1.0,T\n$GPHDT,2.0,T\n";
    let output = nmeasimx(&["convert", "-"], input.as_bytes());
    assert_eq!(
        text(&output.stdout).lines().skip(4).collect::<Vec<_>>(),
        ["1970-01-01T00:00:00.000Z $GPHDT,1.0,T", "1970-01-01T00:00:00.100Z $GPHDT,2.0,T"]
    );
    let told = text(&output.stderr);
    assert!(told.contains("has no dates") && told.contains("/var/tmp"), "{told}");
    assert_eq!(check(&text(&output.stdout))["timing"]["duration_ms"], 100);
    let output = nmeasimx(&["convert", "--from", "10:00", "-"], input.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("has no dates: cut it by offset"), "{}", text(&output.stderr));
}

#[test]
fn nothing_is_overwritten_unasked_and_the_log_itself_never() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("a.log");
    std::fs::copy("logs/mixed.log", &log).unwrap();
    let before = std::fs::read(&log).unwrap();
    let (log, new) = (log.to_str().unwrap(), dir.path().join("b.log"));
    let new = new.to_str().unwrap();
    let run = |args: &[&str]| {
        let args: Vec<&str> = ["convert"].into_iter().chain(args.iter().copied()).collect();
        let output = nmeasimx(&args, b"");
        (output.status.code(), text(&output.stderr))
    };
    assert_eq!(run(&["-o", new, log]), (Some(0), String::new()));
    let (code, error) = run(&["-o", new, log]);
    assert!(code == Some(1) && error.ends_with("b.log exists: choose another name, or --force\n"), "{error}");
    assert_eq!(run(&["-o", new, "--force", "--plain", log]), (Some(0), String::new()));
    assert_eq!(std::fs::read_to_string(new).unwrap().lines().count(), 17);
    for args in [&["-o", log, "--force", log][..], &["-o", log, log]] {
        assert_eq!(run(args).0, Some(1));
        assert_eq!(std::fs::read(log).unwrap(), before);
    }
    // What cannot be read leaves no file behind.
    let third = dir.path().join("c.log");
    assert_eq!(run(&["-o", third.to_str().unwrap(), dir.path().to_str().unwrap()]).0, Some(1));
    assert!(!third.exists());
}

#[test]
fn wrong_arguments_have_status_2_and_say_what_would_be_right() {
    for (args, message) in [
        (&["convert", "--from", "soon", "logs/mixed.log"][..], "is no place to go to"),
        (&["convert", "--filter", "R*", "logs/mixed.log"], "give formatters (RMC)"),
        (&["convert", "--retime", "then", "logs/mixed.log"], "now"),
        (&["convert"], "FILE"),
        (&["check", "--interval", "60001", "logs/mixed.log"], "60000"),
        (&["check", "--gap", "x", "logs/mixed.log"], "give seconds"),
    ] {
        let output = nmeasimx(args, b"");
        let error = text(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(message), "{args:?}: {error}");
    }
}

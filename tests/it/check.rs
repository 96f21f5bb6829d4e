//! `check` on the example logs, with counts worked out by hand, and on everything that is no log.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

pub fn nmeasimx(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_nmeasimx"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that does not read all of it is no failure of this thread.
        let _closed = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn report(file: &str) -> Value {
    let output = nmeasimx(&["check", "--json", file], b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// 30 seconds from 23:59:50: GGA, RMC, MWV each second, DPT every other one: 3 x 30 + 15 = 105. Besides: 3 comments at the
/// top and one inside, 2 wrong checksums, 2 blank lines, 3 lines of junk: 105 + 4 + 2 + 2 + 3 = 116 lines. GGA and RMC have
/// a time: 60 lines. From :50 to :19 are 29 s.
#[test]
fn the_plain_capture() {
    let r = report("logs/plain-capture.nmea");
    assert_eq!(
        (&r["lines"], &r["sentences"], &r["comments"], &r["blank"], &r["without_checksum"]),
        (&json!(116), &json!(105), &json!(4), &json!(2), &json!(0))
    );
    assert_eq!(
        r["skipped"],
        json!({"total": 5, "no_sentence": 3, "bad_checksum": 2, "truncated": 0, "garbled": 0, "too_long": 0, "missing_checksum": 0})
    );
    assert_eq!(
        r["timing"],
        json!({"tier": "sentence-times", "timed_lines": 60, "first": "2026-08-31T23:59:50.000Z", "last": "2026-09-01T00:00:19.000Z",
            "duration_ms": 29_000, "breaks": [], "longest_gap_ms": 1000})
    );
    assert_eq!(r["types"], json!({"GPGGA": 30, "GPRMC": 30, "WIMWV": 30, "SDDPT": 15}));
    assert_eq!(r["header"], json!({"boat": "Kassandra", "place": "between Aegina and Angistri"}));
}

/// 20 seconds of RMC and HDT (40), a message 1 each five seconds (4), a message 5 in two parts, the second without a time of
/// its own (2), a TAG block alone before its DBT (1): 47 sentences on 48 lines, 46 of them timed. Two TAG checksums are
/// wrong. The last HDT is 19.25 s after the first RMC; from HDT to the next RMC are 0.75 s.
#[test]
fn the_gateway_log() {
    let r = report("logs/gateway-tag.log");
    assert_eq!((&r["lines"], &r["sentences"]), (&json!(48), &json!(47)));
    assert_eq!((&r["skipped"]["total"], &r["skipped"]["no_sentence"]), (&json!(1), &json!(1)));
    assert_eq!(r["warnings"], json!({"bad_tag_checksum": 2, "over_82_characters": 0}));
    assert_eq!(
        r["timing"],
        json!({"tier": "timestamps", "timed_lines": 46, "first": "2026-09-23T10:00:00.000Z", "last": "2026-09-23T10:00:19.250Z",
            "duration_ms": 19_250, "breaks": [], "longest_gap_ms": 750})
    );
    assert_eq!(r["types"], json!({"GPRMC": 20, "HEHDT": 20, "AIVDM": 6, "SDDBT": 1}));
}

/// 22 lines: 2 comments, 1 blank, 1 bad checksum, 1 of junk, 1 garbled, 15 with one sentence (one of them behind a torn one)
/// and one with two: 17. All but the bare MWV have a time: 15 lines. The clock says 1970 once and comes back: one break of
/// 5 s - (2026-09-23T10:02:00 = 1790157720 s); the last sentence is 122 s after the first; before the gap it is 12, behind
/// it 120.
#[test]
fn the_mixed_log() {
    let r = report("logs/mixed.log");
    assert_eq!((&r["lines"], &r["sentences"], &r["without_checksum"]), (&json!(22), &json!(17), &json!(1)));
    assert_eq!(
        r["skipped"],
        json!({"total": 4, "no_sentence": 1, "bad_checksum": 1, "truncated": 1, "garbled": 1, "too_long": 0, "missing_checksum": 0})
    );
    assert_eq!(
        r["timing"],
        json!({"tier": "timestamps", "timed_lines": 15, "first": "2026-09-23T10:00:00.000Z", "last": "2026-09-23T10:02:02.000Z",
            "duration_ms": 122_000, "breaks": [{"line": 21, "seconds": -1_790_157_715.0}], "longest_gap_ms": 108_000})
    );
}

#[test]
fn a_report_for_people_says_what_matters() {
    let output = nmeasimx(&["check", "logs/mixed.log", "logs/plain-capture.nmea"], b"");
    let page = text(&output.stdout);
    for line in [
        "log       logs/mixed.log: sentences with times in front and TAG blocks",
        "read      17 sentences, 22 lines, 1,248 bytes, 2 comments, 1 blank line; 1 without checksum",
        "time      122.0 s long, 2026-09-23 10:00:00 to 10:02:02 UTC",
        "timed by  timestamps: 15 of 22 lines have a time in front or in a TAG block",
        "skipped   4: 1 bad checksum, 1 no sentence, 1 truncated, 1 garbled (--skipped lists them)",
        "gaps      1 over 10 s; the longest time between two sentences is 108.0 s, before line 20",
        "          line 21: back by 20,719 days 10:01:55",
        "timed by  the UTC inside sentences (GPGGA GPRMC): 60 of 116 lines carry one, the others go with the last;",
        "types     GPGGA          30   1.0 a second",
    ] {
        assert!(page.lines().any(|l| l == line), "{line:?} is not in\n{page}");
    }
    assert!(output.stderr.is_empty() && output.status.success());
}

#[test]
fn skipped_lines_are_listed_with_place_and_reason() {
    let output = nmeasimx(&["check", "--skipped", "logs/mixed.log"], b"");
    let page = text(&output.stdout);
    let listed: Vec<&str> = page.lines().take(4).collect();
    // The bad one was spoiled by turning the last bit of its checksum.
    assert!(listed[0].starts_with("11: bad checksum (given ") && listed[0].contains("$IIVTG,045.0,T"));
    assert_eq!(listed[1], "13: truncated: $GPGGA,1000");
    assert_eq!(listed[2], "15: no sentence: gps0: device opened at 4800 baud");
    assert_eq!(listed[3], "18: garbled: $GPTXT,01,01,02,\\xC6GINA");
    let output = nmeasimx(&["check", "--skipped", "--json", "-"], b"$IIDPT,1,\nx\n");
    let lines: Vec<Value> = text(&output.stdout).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines[0], json!({"line": 2, "offset": 10, "reason": "no_sentence", "text": "x"}));
    assert_eq!((lines.len(), &lines[1]["file"]), (2, &json!("-")));
}

#[test]
fn what_is_no_log_has_a_message_each_and_status_1() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";
    let folder = dir.path().to_str().unwrap().to_owned();
    for (file, message) in [
        (path("empty", b""), "no sentence found: the file is empty"),
        (path("comments", b"# a\n# b\n"), "no sentence found: only comments (2)"),
        (path("a.png", png), "no sentence found: 3 lines without a sentence"),
        (path("bad", b"$GPHDT,1*00\n"), "no sentence found: 1 bad checksum"),
        (folder.clone() + "/missing", "no such file"),
        (folder.clone(), "is a directory: name a log file in it"),
    ] {
        let output = nmeasimx(&["check", &file], b"");
        assert_eq!(text(&output.stderr), format!("nmeasimx: {file}: {message}\n"));
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{file}");
    }
    // The others are still reported.
    let output = nmeasimx(&["check", "--json", &folder, "logs/mixed.log"], b"");
    assert_eq!((output.status.code(), text(&output.stdout).lines().count()), (Some(1), 1));
}

/// 5000 lines, of which six tenths of the archive hold some: they are read, and what is wrong is said.
#[test]
fn a_cut_off_archive_is_read_as_far_as_it_goes() {
    let text_of_log: String = (0..5000u32).map(|i| format!("$IIDPT,{}.5,\n", i.wrapping_mul(2_654_435_761))).collect();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text_of_log.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let cut = &packed[..packed.len() * 6 / 10];
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cut.log.gz").to_str().unwrap().to_owned();
    std::fs::write(&path, cut).unwrap();
    let notice = "the .gz is torn or damaged: read as far as it unpacks";
    for (args, input) in [(["check", "--json", &path], &b""[..]), (["check", "--json", "-"], cut)] {
        let output = nmeasimx(&args, input);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(text(&output.stderr), format!("nmeasimx: {}: {notice}\n", args[2]));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let sentences = report["sentences"].as_u64().unwrap();
        assert!((2000..4000).contains(&sentences), "{sentences} of 5000");
    }
    let output = nmeasimx(&["decode", &path], b"");
    assert!(output.status.success() && text(&output.stderr).contains(notice));
    assert!((2000..4000).contains(&text(&output.stdout).lines().count()));
}

/// 40 MB go through a pipe, and at no time was so much in memory.
#[cfg(target_os = "linux")]
#[test]
fn a_log_of_any_size_takes_little_memory() {
    // 55 bytes a line; 48^45^48^44^54^2C^30^34^35^2E^30^2C^54 = 2E.
    let line = "2026-09-23T10:00:00.000Z $HEHDT,045.0,T*2E xxxxxxxxxxx\n";
    assert_eq!(line.len(), 55);
    let block = line.repeat(10_000);
    let mut child = Command::new(env!("CARGO_BIN_EXE_nmeasimx"))
        .args(["check", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..73 {
        stdin.write_all(block.as_bytes()).unwrap();
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let most = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap();
    let most: u64 = most.trim().trim_end_matches(" kB").parse().unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["sentences"], &report["bytes"]), (&json!(730_000), &json!(55 * 730_000)));
    assert!(most < 32 << 10, "{most} kB");
}

#[test]
fn options_reach_the_reader() {
    let run = |args: &[&str], input: &[u8]| -> Value {
        let args: Vec<&str> = ["check", "--json", "-"].into_iter().chain(args.iter().copied()).collect();
        serde_json::from_slice(&nmeasimx(&args, input).stdout).unwrap()
    };
    let two = b"$IIDPT,1,\n$IIDPT,2,\n";
    assert_eq!(run(&["--interval", "250"], two)["timing"]["duration_ms"], 250);
    let strict = run(&["--require-checksum"], two);
    assert_eq!((&strict["sentences"], &strict["skipped"]["missing_checksum"]), (&json!(0), &json!(2)));
    assert_eq!(strict["timing"]["tier"], "none");
}

/// A recording of the program: what it says of itself, and a healthy boat in it.
#[test]
fn the_recording_of_the_harbour() {
    let said = report("logs/harbour.log");
    let log = std::fs::read_to_string("logs/harbour.log").unwrap();
    let sentences = log.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!((said["sentences"].as_u64(), &said["skipped"]["total"]), (Some(sentences as u64), &json!(0)));
    assert_eq!((&said["timing"]["tier"], &said["header"]["profile"]), (&json!("timestamps"), &json!("Harbour")));
    // RMC each second of 0 <= t < 30.
    assert_eq!(said["types"]["GPRMC"], json!(30));
}

#[test]
fn a_report_tells_errors_by_its_status() {
    let folder = tempfile::tempdir().unwrap();
    let name = |file: &str| folder.path().join(file).to_str().unwrap().to_owned();
    let (healthy, noisy) = (name("healthy.md"), name("noisy.json"));
    let output = nmeasimx(&["check", "--report", &healthy, "logs/harbour.log"], b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(std::fs::read_to_string(healthy).unwrap().starts_with('#'), "Markdown by its extension");

    // More than 0.1 % and at least 3 wrong checksums are an error (docs/findings.md): here 5 of 100.
    let lines = (0..100).map(|i| {
        format!(
            "2026-09-23T10:00:{:02}.{}00Z $HEHDT,45.0,T*{}\n",
            i / 2,
            i % 2 * 5,
            if i % 20 == 7 { "1F" } else { "1E" }
        )
    });
    std::fs::write(name("noisy.log"), lines.collect::<String>()).unwrap();
    let output = nmeasimx(&["check", "--report", &noisy, &name("noisy.log")], b"");
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    let told: Value = serde_json::from_str(&std::fs::read_to_string(noisy).unwrap()).unwrap();
    assert!(told["findings"].as_array().unwrap().iter().any(|f| f["severity"] == "error"), "{told}");
    assert_eq!(nmeasimx(&["check", "--report", "x", "-"], b"").status.code(), Some(2));
}

//! Every key of a replay, pressed in the program itself on a terminal: what the screen shows, and what an output gets.
//!
//! The same script runs on a small log and on one of ten million sentences (`--ignored`; `NMEASIMX` names a program that
//! was built for speed).

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::pty::Session;

/// The sentences of logs/mixed.log, as a person reads them there: line, how each begins. A lone CR ends a line too, so
/// that the lines count on by one behind the fifth. Offsets: 0, 1.25, 2, 3.5, 4, 4, 5, 6, 7, 8, 8, 9, 10, 12, 120, 120 and
/// 122 s; line 21 claims 1970, which is a break.
const SENTENCES: [(u64, &str); 17] = [
    (3, "$GPRMC,100000.00"),
    (4, "$GPGGA,100001.00"),
    (5, "$IIHDT,46.1"),
    (6, "$IIMTW,21.4"),
    (7, "$GPGLL,3744.1284"),
    (8, "$WIMWV,41.0"),
    (9, "$SDDPT,33.0"),
    (12, "$GPVTG,045.0"),
    (13, "$GPGGA,100007.00"),
    (14, "$HCHDG,41.3"),
    (14, "$VWVHW,46.1"),
    (16, "$VWVLW,1204.3"),
    (17, "$IIXDR,C,19.2"),
    (19, "$HCHDG,41.5"),
    (20, "$GPRMC,100200.00"),
    (21, "$GPGGA,100201.00"),
    (22, "$GPRMC,100202.00"),
];

/// What is different where more follows behind those lines.
struct Expected {
    log: PathBuf,
    /// Said when it is read to its end.
    sentences: &'static str,
    /// `/HDG`, and what `& VTG` leaves.
    hdg: &'static str,
    half: &'static str,
    /// The last three sentences: the line of the first, and what the loop over them is called.
    tail: (u64, &'static str, &'static str),
    /// How the last three begin.
    last: [&'static str; 3],
    rmc: usize,
}

struct Played {
    session: Session,
    sent: PathBuf,
    /// Lines that the output must have by now.
    lines: usize,
    /// Keys after which the first other frame showed neither the effect nor how far it is.
    blind: Vec<String>,
}

impl Played {
    fn start(log: &Path, folder: &Path, patience: Duration) -> Played {
        let sent = folder.join("sent.nmea");
        let program = std::env::var("NMEASIMX").unwrap_or_else(|_| env!("CARGO_BIN_EXE_nmeasimx").into());
        let output = format!("file:{}", sent.display());
        let home = folder.display().to_string();
        let command = [&program, "replay", "--paused", log.to_str().unwrap(), "-o", &output];
        let variables = ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].map(|name| (name, &*home));
        Played { session: Session::start_for(&command, &variables, patience), sent, lines: 0, blind: Vec::new() }
    }

    /// Presses keys; the screen shows this then, which it did not before.
    fn press(&mut self, keys: &str, shows: &str) {
        let before = self.session.text();
        assert!(!before.contains(shows), "{keys:?}: {shows:?} is there already\n{before}");
        // A sequence of the terminal is one key.
        let typed = if keys.starts_with('\x1b') { 0 } else { keys.len() - 1 };
        let (typed, last) = keys.split_at(typed);
        self.session.press(typed.as_bytes());
        // What is typed is on the screen before the last key; a long line shows its end.
        let shown: Vec<char> = typed.chars().skip(1).filter(|c| !c.is_control()).collect();
        self.session.until(&shown[shown.len().saturating_sub(12)..].iter().collect::<String>());
        let before = self.session.text();
        self.session.press(last.as_bytes());
        let mut first = true;
        loop {
            assert!(self.session.pump(), "{keys:?}: '{shows}' never appeared:\n{}", self.session.text());
            let text = self.session.text();
            if self.session.is_between_frames() && first && text != before {
                first = false;
                if !text.contains(shows) && !text.contains("Esc cancels") {
                    self.blind.push(format!("{keys:?}, for {shows:?}"));
                }
            }
            if text.contains(shows) {
                return;
            }
        }
    }

    /// Presses a key after which this is gone.
    fn gone(&mut self, key: &str, what: &str) {
        assert!(self.session.text().contains(what), "{key:?}: no {what:?} in\n{}", self.session.text());
        self.session.press(key.as_bytes());
        while self.session.text().contains(what) {
            assert!(self.session.pump());
        }
    }

    /// The output has so many more lines, which begin so, and no others.
    fn got(&mut self, more: &[&str]) {
        self.lines += more.len();
        let mut lines = Vec::new();
        for _ in 0..1200 {
            let text = std::fs::read_to_string(&self.sent).unwrap_or_default();
            lines = text.split_inclusive("\r\n").map(str::to_owned).collect();
            if lines.len() >= self.lines {
                break;
            }
            std::thread::sleep(Duration::from_millis(25));
        }
        assert_eq!(lines.len(), self.lines, "sent: {:?}", &lines[lines.len().saturating_sub(20)..]);
        for (line, begin) in lines[self.lines - more.len()..].iter().zip(more) {
            assert!(line.starts_with(begin), "{line:?} does not begin with {begin}");
        }
    }
}

/// Every key of a replay, and what it shows and sends.
fn script(expected: &Expected, patience: Duration) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let begins = |line: u64| SENTENCES.iter().find(|(l, _)| *l == line).unwrap().1;
    let mut p = Played::start(&expected.log, folder.path(), patience);
    p.session.until("PAUSED");
    p.session.until("line 3 ");
    p.session.until(expected.sentences);

    // One sentence on, back; an epoch on, back.
    p.press(".", "line 4 ");
    p.got(&[begins(3)]);
    p.press(",", "line 3 ");
    p.press(">", "line 4 ");
    p.got(&[begins(3)]);
    p.press(">", "line 7 ");
    p.got(&[begins(4), begins(5), begins(6)]);
    p.press("<", "line 4 ");

    // Moves send nothing.
    p.press("\x1b[C", "line 13 ");
    p.press("\x1b[D", "line 4 ");
    p.press(")", "line 20 ");
    p.press("(", "line 4 ");
    p.press("t10:00:05\r", "line 9 ");
    p.press("%50\r", expected.half);
    p.press(":13\r", "line 13 ");
    p.press(":50%\r", expected.half);
    p.press(":2026-09-23 10:00:09\r", "line 16 ");
    p.press(":+1s\r", "line 17 ");
    p.press("t-5s\r", "line 9 ");
    p.press("s", "line 20 ");
    p.press("s", "line 21 ");
    p.press("S", "line 20 ");
    p.got(&[]);

    // Speed, loop, sending; a wait that is left at once.
    p.press("]", "PAUSED 2x");
    p.press("[", "PAUSED 1x");
    p.press("]", "PAUSED 2x");
    p.press("]", "PAUSED 4x");
    p.press("\x7f", "PAUSED 1x");
    p.press(":7\r", "line 7 ");
    p.press("L", "loop all");
    p.press("L", "loop off");
    p.press("r", "emit OFF");
    p.press(".", "line 8 ");
    p.press("r", "emit on");
    p.press(":19\r", "line 19 ");
    p.press(".", "line 20 ");
    p.got(&[begins(19)]);
    p.press(" ", "RUN");
    p.session.until("next in 1m4");
    p.press(" ", "PAUSED");
    p.press(":7\r", "line 7 ");
    p.got(&[]);

    // A-B: what was said between the presses, and exactly that.
    p.press("b", "A 0:00:04; b sets B");
    p.press(":12\r", "line 12 ");
    p.press("b", "loop A-B 0:00:04 - 0:00:06");
    p.press(".", "line 8 ");
    p.press(".", "line 9 ");
    p.press(".", "line 12 ");
    p.press(".", "line 8 ");
    p.got(&[begins(7), begins(8), begins(9), begins(7)]);
    p.press("b", "A-B loop cleared");
    let (line, a, stretch) = expected.tail;
    p.press(&format!(":{line}\r"), &called(line));
    p.press("b", a);
    p.press(":end\r", &called(line + 2));
    p.press("b", stretch);
    p.press(".", &called(line + 1));
    p.press(".", &called(line + 2));
    p.session.press(b"."); // the last one: the bar stays where it is
    p.press(".", &called(line + 1));
    let [one, two, three] = expected.last;
    p.got(&[one, two, three, one]);
    p.press("b", "A-B loop cleared");
    p.press(":3\r", "line 3 ");

    // Looking for something moves the selection, not the play head.
    p.press("j", "Selection 1 line after");
    p.press("k", "Selection at the play head");
    p.press("g", "Selection 2 lines before");
    p.press("F", "FOLLOW");
    p.press("l", "from column 9");
    p.gone("h", "from column 9");
    p.press("v", "One row per type");
    p.press("v", "In place: new lines");
    p.press("v", "Scrolling");
    p.press("/HDG\r", &format!("find: HDG (1/{})", expected.hdg));
    p.press("n", &format!("find: HDG (2/{})", expected.hdg));
    p.press("N", &format!("find: HDG (1/{})", expected.hdg));
    p.press("\x1b", "FOLLOW");
    p.press("e", "Selection 8 lines after");
    p.press("e", "Selection 10 lines after");
    p.press("E", "Selection 8 lines after");
    p.press("\r", "given 02, computed 03");
    p.press("\x1b", "Log  all types");
    p.press("w", "No further warning");
    p.press("x", "24 49 49 56"); // $IIV
    p.press("x", "$IIVTG,045.0");
    p.press("T", "Time column: offset");
    p.press("T", "Time column: delta");
    p.press("T", "Time column: no time");
    p.press("T", "Time column: UTC");

    // Marks: set, named, listed, gone to, exported, deleted.
    p.press("m", "mark 1");
    p.press(":mark squall\r", " mark squall");
    p.press("F", "FOLLOW");
    p.press("g", "Selection 2 lines before");
    p.press("u", "Selection 8 lines after");
    p.press("'", "r rename");
    let out = folder.path().join("marks.tsv");
    p.press("e", "marks to: ");
    p.press(&format!("\x15{}\r", out.display()), "1 mark written");
    let marks = std::fs::read_to_string(&out).unwrap();
    // A bad line has the time of the sentence before it.
    assert_eq!(marks, "name\tline\toffset\tutc\nsquall\t11\t+0:00:05.000\t2026-09-23T10:00:05.000Z\n");
    p.press("'", "r rename");
    p.press("\r", "line 12 ");
    p.press("'", "r rename");
    p.press("d", "none left");
    p.gone("\x1b", "none left");

    // What is hidden is sent all the same, until that is chosen.
    p.press("&VTG\r", "only /VTG/");
    p.session.until("only /VTG/ (2)");
    p.press(".", "line 13 ");
    p.press(".", "line 14 ");
    p.got(&[begins(12), begins(13)]);
    p.press("&\x15\r", "all types");
    p.press("f", "s send only these");
    p.press("jj\r", "Only GPRMC");
    p.press("f", "hidden ones are sent");
    p.press("s", "ONLY THESE ARE SENT");
    p.press("\x1b", "ONLY THESE SENT");
    p.press(":3\r", "line 3 ");
    p.press(":speed max\r", "PAUSED max");
    // Ten million sentences take their time: it runs, then it has ended.
    p.gone(" ", "PAUSED max");
    p.session.until("ENDED");
    p.got(&vec!["$GPRMC,"; expected.rmc]);
    p.press(":send-only\r", "sending everything");
    p.press("f", "hidden ones are sent");
    p.press("a", "GPVTG    shown");
    p.gone("\x1b", "hidden ones are sent");

    // Play from the selection: the last line.
    p.press(",", "PAUSED");
    p.press(":3\r", "line 3 ");
    p.press("G", "BROWSE");
    p.press("p", "ENDED");
    p.got(&[three]);
    p.session.press(b"q");
    assert!(p.session.end().success());
    p.blind
}

#[test]
fn every_key_of_a_replay_does_what_the_page_says() {
    let expected = Expected {
        log: Path::new(env!("CARGO_MANIFEST_DIR")).join("logs/mixed.log"),
        sentences: " 17 sentences",
        // What is found is lines: 14, which has two sentences and so two rows, and 19.
        hdg: "3",
        half: "line 20 ",
        tail: (20, "A 0:02:00; b sets B", "loop A-B 0:02:00 - 0:02:02"),
        last: [SENTENCES[14].1, SENTENCES[15].1, SENTENCES[16].1],
        rmc: 3,
    };
    let blind = script(&expected, Duration::from_secs(120));
    // A machine that is busy may need longer than a frame waits: then the second one shows it.
    eprintln!("first frames without an effect: {blind:?}");
}

/// Sentences behind those of mixed.log: ten a second from eleven o'clock on, an RMC and an HDG among them.
const MANY: u64 = 10_000_000;

fn ten_million(path: &Path) {
    let mut out = BufWriter::with_capacity(1 << 20, std::fs::File::create(path).unwrap());
    out.write_all(&std::fs::read("logs/mixed.log").unwrap()).unwrap();
    let mut body = String::new();
    for i in 0..MANY {
        let s = 39_600 + i / 10;
        let (day, h, m, s) = (23 + s / 86_400, s / 3600 % 24, s / 60 % 60, s % 60);
        let (month, day) = if day > 30 { (10, day - 30) } else { (9, day) };
        body.clear();
        use std::fmt::Write as _;
        let _ = match i % 10 {
            0 => write!(
                body,
                "$GPRMC,{h:02}{m:02}{s:02}.00,A,3744.1200,N,02325.3400,E,6.5,045.0,{day:02}{month:02}26,,,A"
            ),
            5 => write!(body, "$HCHDG,{}.0,,,4.8,E", i / 10 % 360),
            _ => write!(body, "$HEHDT,{}.0,T", i / 10 % 360),
        };
        let sum = body.bytes().skip(1).fold(0u8, |sum, b| sum ^ b);
        writeln!(out, "2026-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}.{}00Z {body}*{sum:02X}", i % 10).unwrap();
    }
    out.flush().unwrap();
}

#[test]
#[ignore = "writes and plays a log of a gigabyte: give NMEASIMX=target/release/nmeasimx"]
fn every_key_of_a_replay_does_the_same_on_ten_million_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("many.log");
    ten_million(&log);
    let expected = Expected {
        log,
        sentences: " 10,000,017 sentences",
        // 3 and a tenth of ten million
        hdg: "1,000,003",
        // From 10:00:00 to the last one, 3600 s and 999,999.9 s later: half of it is 501,799.95 s, 498,199.95 s into the
        // ten million: the first sentence from there on is number 4,982,000, on line 22 + 4,982,000 + 1.
        half: "line 4,982,023 ",
        // The last three, at 1,003,599.7 to .9 s.
        tail: (22 + MANY - 2, "A 278:46:39; b sets B", "loop A-B"),
        last: ["$HEHDT,", "$HEHDT,", "$HEHDT,"],
        rmc: 3 + 1_000_000,
    };
    let blind = script(&expected, Duration::from_secs(900));
    assert!(blind.is_empty(), "first frames without an effect: {blind:?}");
}

/// How a line is called in the bar.
fn called(line: u64) -> String {
    format!("line {} ", nmeasimx::core::words::thousands(line))
}

//! What a log of ours looks like (LOG-FORMAT W1 to W5): header, stamped lines, notes. Bytes only; opens no file.

use super::piece::{Finder, Rules};
use crate::core::frame::Class;
use crate::core::time::{MILLISECOND, SECOND, Utc, iso_ms};
use crate::core::visible;

/// How the first line of a log begins; the number of the format follows.
pub const MAGIC: &str = "# NMEA Simulator X log ";

/// First line, `recorded`, and further metadata (W1). Values are made visible and stay on their line.
pub fn header(out: &mut Vec<u8>, recorded: Utc, metadata: &[(String, String)]) {
    out.extend_from_slice(format!("{MAGIC}1\n# recorded: {}\n", iso_ms(recorded)).as_bytes());
    for (key, value) in metadata {
        out.extend_from_slice(format!("# {key}: {}\n", visible::text(value.as_bytes())).as_bytes());
    }
}

/// The note with which a log goes on after a pause (W3).
pub fn resumed(out: &mut Vec<u8>, utc: Utc) {
    out.extend_from_slice(format!("# resumed: {}\n", iso_ms(utc)).as_bytes());
}

/// What has to be written before anything is appended to a file that ends with this byte: a torn line stays as it is, and
/// what follows is a line of its own (W4).
pub fn joint(last: Option<u8>) -> &'static [u8] {
    match last {
        None | Some(b'\n') => b"",
        Some(_) => b"\n",
    }
}

/// A line that was received and holds no sentence with a right checksum: printable ASCII as it is, everything else as `\xNN`
/// (W5).
pub fn escape(out: &mut Vec<u8>, line: &[u8]) {
    let from = out.len();
    spell(out, line, None);
    // Once in 256 times what is written fits the checksum that what was received did not: then one more byte of the
    // sentence, the last that breaks the chance, is written in hex.
    let star = line.iter().rposition(|b| *b == b'*').unwrap_or(0);
    for also in (0..star).rev() {
        if out.len() - from == line.len() || !fits(&out[from..]) {
            return;
        }
        out.truncate(from);
        spell(out, line, Some(also));
    }
}

fn spell(out: &mut Vec<u8>, line: &[u8], also: Option<usize>) {
    for (i, b) in line.iter().enumerate() {
        match b {
            b' '..=b'~' if also != Some(i) => out.push(*b),
            b => out.extend_from_slice(format!("\\x{b:02X}").as_bytes()),
        }
    }
}

/// Whether a sentence with a right checksum can be read in it.
fn fits(text: &[u8]) -> bool {
    let mut finder = Finder::default();
    finder.read(text, Rules { strict: false, format1: true });
    finder.pieces().iter().any(|piece| piece.class == Class::Sentence)
}

/// Writes stamps (W2); quick when many fall into one second.
#[derive(Clone, Debug, Default)]
pub struct Stamper {
    second: Option<i64>,
    text: Vec<u8>,
}

impl Stamper {
    /// Appends the stamp and a blank.
    pub fn stamp(&mut self, out: &mut Vec<u8>, utc: Utc) {
        let second = utc.div_euclid(SECOND);
        if self.second != Some(second) {
            self.second = Some(second);
            self.text = iso_ms(utc).into_bytes();
            self.text.push(b' ');
        }
        let ms = utc.rem_euclid(SECOND) / MILLISECOND;
        let n = self.text.len();
        for (place, digit) in [(5, ms / 100), (4, ms / 10 % 10), (3, ms % 10)] {
            self.text[n - place] = b'0' + digit as u8;
        }
        out.extend_from_slice(&self.text);
    }

    /// Appends a line of a log: stamp, blank, what was sent or received (without terminator), LF.
    pub fn line(&mut self, out: &mut Vec<u8>, utc: Utc, text: &[u8]) {
        self.stamp(out, utc);
        out.extend_from_slice(text);
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::core::frame::Class;
    use crate::core::log::{Options, stream};

    /// 2026-09-23T10:00:00Z, see core::time.
    const TEN: Utc = 1_790_157_600 * SECOND;

    #[test]
    fn the_decisions_example_to_the_byte() {
        let mut out = Vec::new();
        header(&mut out, TEN, &[("profile".into(), "Harbour".into())]);
        let mut stamper = Stamper::default();
        for (ms, text) in [
            (0, "$GPRMC,100000.10,A,3759.0281,N,02343.6502,E,6.5,45.0,230926,4.6,E,A*0D"),
            (21, "$GPGGA,100000.10,3759.0281,N,02343.6502,E,1,08,0.9,0.0,M,0.0,M,,*59"),
        ] {
            stamper.line(&mut out, TEN + ms * MILLISECOND + 999_999, text.as_bytes());
        }
        let expected = "# NMEA Simulator X log 1\n# recorded: 2026-09-23T10:00:00.000Z\n# profile: Harbour\n\
            2026-09-23T10:00:00.000Z $GPRMC,100000.10,A,3759.0281,N,02343.6502,E,6.5,45.0,230926,4.6,E,A*0D\n\
            2026-09-23T10:00:00.021Z $GPGGA,100000.10,3759.0281,N,02343.6502,E,1,08,0.9,0.0,M,0.0,M,,*59\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn metadata_stays_on_its_line() {
        let mut out = Vec::new();
        header(&mut out, TEN, &[("source".into(), "a\nb\x1b[2J é".into())]);
        assert!(String::from_utf8(out).unwrap().ends_with("# source: a^Jb^[[2J é\n"));
    }

    #[test]
    fn what_is_appended_begins_on_a_line_of_its_own() {
        assert_eq!((joint(None), joint(Some(b'\n')), joint(Some(b'x'))), (&b""[..], &b""[..], &b"\n"[..]));
        let mut log = b"# NMEA Simulator X log 1\n2026-09-23T10:00:00.000Z $GPHDT,1".to_vec();
        log.extend(joint(log.last().copied()));
        resumed(&mut log, TEN + SECOND);
        Stamper::default().line(&mut log, TEN + SECOND, b"$GPHDT,n*0D");
        let report = stream::read(&log[..], Options::default(), &mut |_| Ok(())).unwrap().report;
        // Behind a line end nobody knows that the first was torn; it lacks its checksum.
        assert_eq!((report.sentences, report.without_checksum, report.comments, report.lines), (2, 1, 2, 4));
    }

    proptest! {
        #[test]
        fn stamps_are_those_of_the_clock(times in proptest::collection::vec(0i64..4_000_000_000_000, 1..20)) {
            let mut stamper = Stamper::default();
            for ms in times {
                let mut out = Vec::new();
                stamper.stamp(&mut out, ms * MILLISECOND);
                prop_assert_eq!(String::from_utf8(out).unwrap(), iso_ms(ms * MILLISECOND) + " ");
            }
        }

        /// W5: what was bad when it was received is as bad on replay, and the file stays text.
        #[test]
        fn bad_lines_are_as_bad_on_replay(
            line in prop_oneof![
                proptest::collection::vec(any::<u8>().prop_filter("one line", |b| !matches!(b, b'\n' | b'\r')), 1..60),
                "[$!][A-Z]{5},[ -~\u{80}-\u{ff}]{0,20}(\\*[0-9A-F]{2})?".prop_map(String::into_bytes),
            ],
        ) {
            let class = |text: &[u8]| {
                let mut class = None;
                stream::read(text, Options::default(), &mut |line| {
                    class = Some(line.class);
                    Ok(())
                }).unwrap();
                class.unwrap()
            };
            let received = class(&[&line[..], b"\n"].concat());
            if received == Class::Sentence || line.windows(2).any(|w| w == b"\\x") || line.starts_with(b"#") {
                return Ok(());
            }
            let mut log = Vec::new();
            header(&mut log, TEN, &[]);
            Stamper::default().stamp(&mut log, TEN);
            escape(&mut log, &line);
            prop_assert!(log.iter().all(|b| *b == b'\n' || (b' '..=b'~').contains(b)));
            log.push(b'\n');
            let replayed = class(&log);
            match received {
                // In front of these there is a stamp now.
                Class::Blank | Class::Comment => prop_assert_eq!(replayed, Class::NoSentence),
                received => prop_assert_eq!(replayed, received),
            }
        }
    }
}

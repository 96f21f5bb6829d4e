//! A whole log through the rules: for `check --report`.

use std::io;

use super::Diag;
use super::context::Settings;
use crate::core::frame::{Frame, Origin, Place};
use crate::core::log::{Log, Row, Show, Summary, Tier, Way};
use crate::core::time::Moment;

/// Rows read at once.
const ROWS: usize = 4096;

/// What the rules must know of a log, by how it is timed.
pub fn settings(tier: Tier) -> Settings {
    Settings::log(tier == Tier::Timestamps, tier != Tier::FixedInterval)
}

/// Reads a log from end to end. `None`: `go_on` (told how far it came, 0 to 1) said no.
///
/// # Errors
/// The log cannot be read.
pub fn diagnose(log: &mut Log, summary: &Summary, go_on: &mut dyn FnMut(f32) -> bool) -> io::Result<Option<Diag>> {
    let mut diag = Diag::new(settings(log.index().timing().tier));
    let mut from = Place::default();
    let size = summary.report.bytes.max(1) as f32;
    let (mut seq, mut offset) = (0, 0);
    // Rows without a time of their own have that of the row before; those before the first have the first.
    let mut known = summary.span.map(|(first, _)| (0, first));
    loop {
        if !go_on(from.byte as f32 / size) {
            return Ok(None);
        }
        let rows = log.rows(from, Way::Forward, ROWS, &Show::default(), &mut |_| true)?;
        let Some(last) = rows.last().map(|row| row.place) else { break };
        for row in &rows {
            // A skipped piece stands where the sentence before it stood.
            offset = row.offset.unwrap_or(offset).max(offset);
            known = row.utc.map(|utc| (offset, utc)).or(known);
            let utc = known.map(|(at, utc)| utc.saturating_add(offset - at));
            diag.hear(&frame(log, row, seq, offset)?, utc);
            seq += 1;
        }
        from = Place { byte: last.byte + 1, ..last };
    }
    for jump in &summary.report.timing.breaks {
        let now = Moment { offset: diag.now().offset, utc: None };
        diag.clock_break(jump.line, jump.seconds, now);
    }
    diag.finish();
    Ok(Some(diag))
}

/// The row with what stands in front of it on its line: its TAG blocks.
fn frame(log: &mut Log, row: &Row, seq: u64, offset: i64) -> io::Result<Frame> {
    let mut frame = Frame {
        origin: Origin::Source,
        class: row.class,
        place: Some(row.place),
        ..Frame::sentence(seq, offset, row.text.clone())
    };
    if row.class.is_sentence()
        && row.place.part == 0
        && let Some(line) = log.line(row.place)?
        && line.contains(&b'\\')
        && let Some(at) = memchr::memmem::find(&line, &row.text)
    {
        let from = line.iter().position(|b| *b == b'\\').unwrap_or(at).min(at);
        frame.bytes = line.slice(from..at + row.text.len());
        frame.sentence = ((at - from) as u32, frame.bytes.len() as u32);
    }
    Ok(frame)
}

#[cfg(test)]
mod tests {
    use super::super::kind::Kind;
    use super::*;
    use crate::core::log::{Options, hear, of_bytes};
    use crate::core::nmea::framing;

    fn diagnose_text(text: &str) -> Diag {
        let read = of_bytes(text.as_bytes().to_vec()).unwrap();
        let (mut log, summary) = Log::open(read, Options::default(), hear, &mut |_| true).unwrap();
        diagnose(&mut log, &summary, &mut |_| true).unwrap().unwrap()
    }

    fn sentence(body: &str) -> String {
        let mut out = Vec::new();
        framing::seal(b'$', body.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_log_goes_through_the_rules_with_its_bad_lines_and_tags() {
        let mut text = String::new();
        for i in 0..600 {
            let (minute, second) = (i / 60, i % 60);
            let n = if i < 300 { i + 1 } else { i + 11 }; // ten lines lost
            text += &format!("\\s:GP0001,n:{n}*00\\");
            text += &sentence(&format!(
                "GPRMC,12{minute:02}{second:02}.00,A,3730.{i:04},N,02330.0000,E,6.0,0.0,011226,5.1,E,A"
            ));
            text += "\r\n";
            if i % 100 == 50 {
                text += "$GPHDT,12.0,T*00\r\n";
            }
        }
        let diag = diagnose_text(&text);
        let find = |k: Kind| diag.findings().into_iter().find(|f| f.kind == k);
        assert_eq!(find(Kind::ChecksumErrors).map(|f| f.numbers["damaged"]), Some(6.0));
        assert_eq!(find(Kind::TagLoss).map(|f| f.numbers["lost"]), Some(10.0));
        assert_eq!(find(Kind::Lost), None);
        assert_eq!(diag.rows().iter().find(|r| r.key.formatter.as_bytes() == b"RMC").map(|r| r.count), Some(600));
    }

    #[test]
    fn breaks_of_the_clock_are_a_note() {
        let rmc = |hour: i32, i: i32| sentence(&format!("GPRMC,{hour:02}00{i:02}.00,V,,,,,,,011226,,,N")) + "\r\n";
        let text: String = (0..9).map(|i| rmc(12, i)).chain((0..9).map(|i| rmc(9, i))).collect();
        let diag = diagnose_text(&text);
        assert!(
            diag.findings().iter().any(|f| f.kind == Kind::ClockBreak && f.evidence.contains("line 10")),
            "{:?}",
            diag.findings()
        );
        // Ten quiet minutes are a gap.
        let rmc = |minute: i32, i: i32| sentence(&format!("GPRMC,12{minute:02}{i:02}.00,V,,,,,,,011226,,,N")) + "\r\n";
        let text: String = (0..9).map(|i| rmc(0, i)).chain((0..9).map(|i| rmc(10, i))).collect();
        assert!(diagnose_text(&text).findings().iter().all(|f| f.kind != Kind::ClockBreak));
    }
}

//! TAG block numbers: how many lines were lost on the way.

use super::board::{Board, seen};
use super::context::Few;
use super::kind::Kind;
use crate::core::frame::Origin;
use crate::core::nmea::tag::TagBlock;
use crate::core::time::Moment;
use crate::core::vessel::Label;

/// Numbers that must follow each other before holes mean anything: filtered feeds have holes by design.
pub const IN_A_ROW: u32 = 20;
/// Lines lost that are a finding.
pub const LEAST: u64 = 3;
/// Numbers count to this, then begin again with 0 or 1 (IEC 61162-450: 1 to 999).
pub const MOST: u32 = 999;

#[derive(Debug, Default)]
struct Numbers {
    last: Option<u32>,
    in_a_row: u32,
    trusted: bool,
    heard: u64,
    lost: u64,
}

/// The rule about TAG numbers: per source and input.
#[derive(Debug, Default)]
pub struct Tags {
    all: Few<(Origin, Label), Numbers, 32>,
}

impl Tags {
    /// Takes what stands before a sentence.
    pub fn hear(&mut self, before: &[u8], origin: Origin, now: Moment, b: &mut Board) {
        if before.is_empty() {
            return;
        }
        let (Some(n), source) = fields(before) else { return };
        let Some(numbers) = self.all.entry((origin, source)) else { return };
        let Some(last) = numbers.last.replace(n) else { return };
        let missing = match n {
            _ if last.checked_add(1) == Some(n) || (last >= MOST && n <= 1) => 0,
            // The parts of a group may share a number.
            _ if n == last => return,
            _ if n > last => n - last - 1,
            _ if last <= MOST => (MOST + n).saturating_sub(last + 1),
            _ => 0,
        };
        if missing == 0 {
            numbers.in_a_row += 1;
            numbers.trusted |= numbers.in_a_row >= IN_A_ROW;
        } else {
            numbers.in_a_row = 0;
        }
        if !numbers.trusted {
            return;
        }
        numbers.heard += 1;
        // More than half the circle is a restart of the sender.
        if missing < MOST / 2 {
            numbers.lost += u64::from(missing);
        }
        let (lost, all) = (numbers.lost, numbers.lost + numbers.heard);
        if missing > 0 && lost >= LEAST {
            b.raise(Kind::TagLoss, origin, source, now, || {
                let percent = lost as f64 / all as f64 * 100.0;
                let words = format!("{lost} of {all} lines lost ({percent:.2} %) by the numbers of source {source}");
                seen(words, &[("lost", lost as f64), ("percent", percent)])
            });
        }
    }
}

/// `n:` and `s:` of the TAG blocks in front of a sentence.
fn fields(before: &[u8]) -> (Option<u32>, Label) {
    let (mut n, mut source, mut at) = (None, Label::default(), 0);
    while let Some((block, end)) = TagBlock::at(before, at) {
        let digits = block.get(b'n').and_then(|d| std::str::from_utf8(d).ok());
        n = digits.and_then(|d| d.trim().parse().ok()).or(n);
        source = block.get(b's').map_or(source, Label::new);
        at = end.max(at + 1);
    }
    (n, source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::time::SECOND;

    fn run(numbers: impl Iterator<Item = u32>) -> Option<String> {
        let (mut tags, mut board) = (Tags::default(), Board::new());
        for (i, n) in numbers.enumerate() {
            let now = Moment { offset: i as i64 * SECOND, utc: None };
            let tag = format!("\\s:GP0001,n:{n}*00\\");
            tags.hear(tag.as_bytes(), Origin::Input(0), now, &mut board);
        }
        board.findings().first().map(|f| f.evidence.clone())
    }

    #[test]
    fn holes_in_a_sequence_are_losses() {
        assert_eq!(run((1..=999).chain(1..200)), None); // goes round
        assert_eq!(run((1..=999).chain(0..200)), None);
        // Every 50th is missing; 26 to 399 are judged: 7 holes in 374 lines.
        let holes = run((25..400).filter(|n| n % 50 != 0)).unwrap();
        assert!(holes.starts_with("7 of "), "{holes}");
        assert_eq!(run([1, 2, 4].into_iter().chain(5..100)), None); // before 20 in a row nothing is known
        assert_eq!(run((1..200).filter(|n| n % 7 == 0)), None); // a filtered feed
    }
}

//! A line that carries so many bytes a second, and more sentences than it can carry: which of them go, and in what order.
//!
//! Pure: told the time. As long as there is room they go in the order in which they were said. When there is not, the
//! newest of a type and kind replaces the one that waits, groups go whole or not at all, and the least important give way
//! (the priorities of the table of formatters).

use std::collections::VecDeque;

use bytes::Bytes;

use crate::core::filter;
use crate::core::nmea::{Cadence, table};
use crate::core::time::{SECOND, Wall};

/// What may wait, in seconds of the line: as much as one round of instruments.
const BACKLOG: f64 = 1.0;
/// How far the line may be ahead of its clock, nanoseconds: what the driver's buffer holds while we look away.
const AHEAD: Wall = SECOND / 20;
/// Over how long the load is measured.
const LOAD: Wall = 10 * SECOND;

/// Waiting sentences and the clock of the line.
#[derive(Debug)]
pub struct Budget {
    /// Bytes a second.
    rate: f64,
    waiting: VecDeque<Unit>,
    bytes: usize,
    /// When the line will have said what it was given.
    free_at: Wall,
    /// What was asked of the line: when, and how many bytes.
    asked: VecDeque<(Wall, usize)>,
    begun: Option<Wall>,
    gave_way: Vec<String>,
    /// The last sentence was one that may not give way.
    kept: bool,
}

/// Sentences that go together.
#[derive(Debug, PartialEq, Eq)]
pub struct Unit {
    /// What tells it from others; `None`: never replaced.
    key: Option<Vec<u8>>,
    priority: u8,
    /// With terminators.
    pub bytes: Vec<u8>,
    /// How many.
    pub sentences: u64,
    /// More parts of the group are to come.
    open: bool,
    group: Option<Vec<u8>>,
}

impl Budget {
    /// For a line that carries so many bytes a second.
    pub fn new(rate: f64) -> Budget {
        Budget {
            rate,
            waiting: VecDeque::new(),
            bytes: 0,
            free_at: 0,
            asked: VecDeque::new(),
            begun: None,
            gave_way: Vec::new(),
            kept: false,
        }
    }

    /// A sentence, and the bytes that are to be sent for it. `keep`: nothing may give way (the source waits for the line).
    /// Returns how many sentences gave way to it.
    pub fn push(&mut self, now: Wall, sentence: &[u8], bytes: &[u8], keep: bool) -> u64 {
        self.begun.get_or_insert(now);
        self.kept = keep;
        self.asked.push_back((now, bytes.len()));
        while self.asked.front().is_some_and(|(at, _)| now - at > LOAD) {
            self.asked.pop_front();
        }
        let mut lost = 0;
        let address = filter::address(sentence);
        let row = table::formatter_of(sentence).and_then(table::by_formatter);
        let about = row.map(|row| row.about);
        let group = group_of(sentence);
        if let Some((name, part, parts)) = &group
            && *part > 1
            && let Some(unit) = self.waiting.iter_mut().rev().find(|u| u.open && u.group.as_ref() == Some(name))
        {
            unit.bytes.extend_from_slice(bytes);
            unit.sentences += 1;
            unit.open = part < parts;
            self.bytes += bytes.len();
            return if keep { 0 } else { self.shed() };
        }
        let replaced = !about.is_some_and(|a| a.cadence == Cadence::Event);
        let unit = Unit {
            key: replaced.then(|| key_of(sentence, address, about.map_or(&[], |a| a.sub_key))),
            priority: about.map_or(4, |a| a.priority),
            bytes: bytes.to_vec(),
            sentences: 1,
            open: group.as_ref().is_some_and(|(_, part, parts)| part < parts),
            group: group.map(|(name, ..)| name),
        };
        self.bytes += unit.bytes.len();
        let same = unit.key.as_ref().and_then(|key| self.waiting.iter().position(|u| u.key.as_ref() == Some(key)));
        match same {
            Some(i) if !keep => {
                // The newer one takes the older one's place in the queue, or a type that changes often would never go.
                let old = std::mem::replace(&mut self.waiting[i], unit);
                self.bytes -= old.bytes.len();
                lost += old.sentences;
            }
            _ => self.waiting.push_back(unit),
        }
        if !keep {
            lost += self.shed();
        }
        lost
    }

    /// Lets the least important go until what waits is what the line says within [`BACKLOG`].
    fn shed(&mut self) -> u64 {
        let mut lost = 0;
        while self.bytes as f64 > self.rate * BACKLOG && self.waiting.len() > 1 {
            let least = self.waiting.iter().enumerate().min_by_key(|(i, unit)| (unit.priority, *i)).map(|(i, _)| i);
            let Some(unit) = least.and_then(|i| self.waiting.remove(i)) else { break };
            self.bytes -= unit.bytes.len();
            lost += unit.sentences;
            let name = crate::core::visible::text(filter::parts(filter::address(&unit.bytes)).1);
            if !self.gave_way.contains(&name) && self.gave_way.len() < 16 {
                self.gave_way.push(name);
            }
        }
        lost
    }

    /// When the next unit may go; `None`: nothing waits.
    pub fn next_at(&self) -> Option<Wall> {
        (!self.waiting.is_empty()).then_some(self.free_at - AHEAD)
    }

    /// The next unit, if the line is free for it.
    pub fn take(&mut self, now: Wall) -> Option<(Bytes, u64)> {
        if now < self.free_at - AHEAD {
            return None;
        }
        let unit = self.waiting.pop_front()?;
        self.bytes -= unit.bytes.len();
        let takes = (unit.bytes.len() as f64 / self.rate * SECOND as f64) as Wall;
        self.free_at = self.free_at.max(now) + takes;
        Some((unit.bytes.into(), unit.sentences))
    }

    /// What waits is what the line says within `BACKLOG`: a source that waits for the line may go on.
    pub fn has_room(&self) -> bool {
        (self.bytes as f64) < self.rate * BACKLOG
    }

    /// A source that waits for the line may say more. (One that does not may always.)
    pub fn has_room_for_more(&self) -> bool {
        self.has_room() || !self.kept
    }

    /// What was asked of the line over the last ten seconds, percent of what it carries; `None` before a second has passed.
    pub fn load(&self, now: Wall) -> Option<f64> {
        let over = (now - self.begun?).min(LOAD);
        let asked: usize = self.asked.iter().filter(|(at, _)| now - at <= LOAD).map(|(_, n)| n).sum();
        (over >= SECOND).then(|| 100.0 * asked as f64 / (self.rate * over as f64 / SECOND as f64))
    }

    /// Formatters that gave way since this was last asked.
    pub fn gave_way(&mut self) -> Vec<String> {
        std::mem::take(&mut self.gave_way)
    }

    /// The line is gone: what waits is lost. Returns how many sentences.
    pub fn clear(&mut self) -> u64 {
        let lost = self.waiting.iter().map(|unit| unit.sentences).sum();
        self.waiting.clear();
        self.bytes = 0;
        lost
    }
}

/// The address and the fields that tell kinds apart. Of a group the first part stands for all.
fn key_of(sentence: &[u8], address: &[u8], sub_key: &[u8]) -> Vec<u8> {
    let mut key = address.to_vec();
    for n in sub_key {
        key.push(b',');
        key.extend_from_slice(filter::field(sentence, usize::from(*n)));
    }
    key
}

/// Which group a sentence belongs to, which part it is, of how many.
fn group_of(sentence: &[u8]) -> Option<(Vec<u8>, u8, u8)> {
    let (part, parts) = filter::part_of(sentence)?;
    let address = filter::address(sentence);
    let id: usize = match filter::parts(address).1 {
        b"GSV" => 0, // parts follow each other
        b"RTE" => 3,
        _ => 2, // the sequence number
    };
    let mut name = address.to_vec();
    name.extend_from_slice(filter::field(sentence, id));
    Some((name, part, parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<u8> {
        let sum = text.bytes().skip(1).fold(0, |sum, b| sum ^ b);
        format!("{text}*{sum:02X}").into_bytes()
    }

    fn push(budget: &mut Budget, now: Wall, text: &str) -> u64 {
        let sentence = line(text);
        let mut bytes = sentence.clone();
        bytes.extend_from_slice(b"\r\n");
        budget.push(now, &sentence, &bytes, false)
    }

    /// Everything that goes within this time, by the first field.
    fn sent(budget: &mut Budget, until: Wall) -> Vec<(Wall, String)> {
        let mut sent = Vec::new();
        while let Some(at) = budget.next_at().filter(|at| *at <= until) {
            let at = at.max(0);
            let (bytes, _) = budget.take(at).unwrap();
            sent.push((at, String::from_utf8(bytes[1..6].to_vec()).unwrap()));
        }
        sent
    }

    #[test]
    fn with_room_everything_goes_in_order_and_at_the_pace_of_the_line() {
        let mut budget = Budget::new(480.0);
        for text in ["$GPGLL,1", "$GPRMC,1", "$GPGSV,1,1,00"] {
            assert_eq!(push(&mut budget, 0, text), 0);
        }
        let sent = sent(&mut budget, SECOND);
        assert_eq!(sent.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>(), ["GPGLL", "GPRMC", "GPGSV"]);
        // 13 and 26 bytes at 480 a second take 27.1 and 54.2 ms; the line may be 50 ms ahead
        assert_eq!(sent.iter().map(|(at, _)| at / 1_000_000).collect::<Vec<_>>(), [0, 0, 4]);
    }

    #[test]
    fn the_newest_replaces_the_one_that_waits_but_not_another_kind() {
        let mut budget = Budget::new(480.0);
        push(&mut budget, 0, "$WIMWV,010.0,R,5.0,N,A");
        push(&mut budget, 0, "$WIMWV,020.0,T,5.0,N,A");
        assert_eq!(push(&mut budget, 0, "$WIMWV,030.0,R,5.0,N,A"), 1);
        let (first, _) = budget.take(0).unwrap();
        assert!(first.starts_with(b"$WIMWV,030.0,R"));
        assert_eq!(sent(&mut budget, SECOND).len(), 1);
    }

    #[test]
    fn satellites_give_way_first_and_what_steers_goes_last() {
        let mut budget = Budget::new(100.0);
        let filler = "1234567890".repeat(2);
        for name in ["GPRMC", "GPGGA", "GPGSA", "HCHDG"] {
            push(&mut budget, 0, &format!("${name},{filler}"));
        }
        let names: Vec<String> = sent(&mut budget, 10 * SECOND).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["GPRMC", "GPGGA", "HCHDG"], "100 bytes of 128 wait: one goes, and it is GSA");
        assert_eq!(budget.gave_way(), ["GSA"]);
    }

    #[test]
    fn groups_go_whole_or_not_at_all() {
        let mut budget = Budget::new(200.0);
        let part = |n: u8| format!("$GPGSV,3,{n},10,02,62,301,44,05,48,077,41,07,31,143,38,13,22,211,35");
        for n in 1..=2 {
            assert_eq!(push(&mut budget, 0, &part(n)), 0);
        }
        push(&mut budget, 0, "$GPRMC,1");
        assert_eq!(push(&mut budget, 0, &part(3)), 3, "with its third part the group is too long: all of it goes");
        assert_eq!(sent(&mut budget, SECOND).len(), 1);
    }

    #[test]
    fn ships_are_not_replaced_by_other_ships() {
        let mut budget = Budget::new(480.0);
        push(&mut budget, 0, "!AIVDM,1,1,,A,B2vg20@0@@K9nb5Kh8PMTFt5kP06,0");
        assert_eq!(push(&mut budget, 0, "!AIVDM,1,1,,A,B2vg30@0@@K9nb5Kh8PMTFt5kP06,0"), 0);
        assert_eq!(sent(&mut budget, SECOND).len(), 2);
    }

    #[test]
    fn what_a_waiting_source_says_is_kept() {
        let mut budget = Budget::new(10.0);
        for _ in 0..5 {
            assert_eq!(budget.push(0, b"$GPGSV,1,1,00*79", b"$GPGSV,1,1,00*79\r\n", true), 0);
        }
        assert!(!budget.has_room());
        assert_eq!(budget.clear(), 5);
    }

    #[test]
    fn the_load_is_what_was_asked_for() {
        let mut budget = Budget::new(480.0);
        for second in 0..30 {
            for _ in 0..60 {
                budget.push(second * SECOND, b"$X", &[b'x'; 11], false); // 660 bytes a second
            }
        }
        let load = budget.load(30 * SECOND).unwrap();
        assert!((load - 137.5).abs() < 15.0, "{load}");
    }
}

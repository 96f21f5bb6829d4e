//! A wire check: what was sent on one end is compared with what is heard on the other.
//!
//! Pure: told what was sent and heard, and when. Bounded: of what was sent only the last [`OUTSTANDING`] sentences wait to be
//! heard.

use std::collections::VecDeque;

use bytes::Bytes;
use serde::Serialize;

use crate::core::delays::Delays;
use crate::core::time::{MILLISECOND, SECOND, Wall};

/// Sentences that may be under way; more are lost.
pub const OUTSTANDING: usize = 10_000;
/// What is not heard within this is lost.
pub const LOST_AFTER: Wall = 5 * SECOND;
/// What is heard later than this is late: as long as a burst takes at 4800 baud, and a second more.
pub const LATE_AFTER: Wall = 2 * SECOND;
/// Altered lines that are kept to be shown.
const SHOWN: usize = 20;

/// Compares both ends.
#[derive(Debug, Default)]
pub struct WireCheck {
    outstanding: VecDeque<Sent>,
    delays: Delays,
    result: WireResult,
}

#[derive(Debug)]
struct Sent {
    at: Wall,
    bytes: Bytes,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WireResult {
    /// Sentences sent.
    pub sent: u64,
    /// Heard as they were sent.
    pub right: u64,
    /// Not heard at all.
    pub lost: u64,
    /// Heard, but not as they were sent.
    pub altered: u64,
    /// Heard right, but more than [`LATE_AFTER`] after they were sent.
    pub late: u64,
    /// Heard and never sent: another talker on the line.
    pub foreign: u64,
    /// Delay that half of the sentences did not exceed, milliseconds.
    pub delay_median_ms: f64,
    /// Delay that 99 % did not exceed, milliseconds.
    pub delay_p99_ms: f64,
    /// The longest delay, milliseconds.
    pub delay_max_ms: f64,
    /// The first altered lines: sent, heard.
    pub examples: Vec<(String, String)>,
}

impl WireResult {
    /// Nothing lost, altered or late, and something was sent.
    pub fn is_clean(&self) -> bool {
        self.sent > 0 && self.lost + self.altered + self.late == 0
    }
}

impl WireCheck {
    /// A sentence was given to the sending end.
    pub fn sent(&mut self, at: Wall, bytes: Bytes) {
        self.result.sent += 1;
        if self.outstanding.len() == OUTSTANDING {
            self.outstanding.pop_front();
            self.result.lost += 1;
        }
        self.outstanding.push_back(Sent { at, bytes });
    }

    /// A line was heard on the other end: a sentence, or what is left of one.
    pub fn heard(&mut self, at: Wall, line: &[u8]) {
        if let Some(i) = self.outstanding.iter().position(|sent| sent.bytes == line) {
            if let Some(sent) = self.outstanding.remove(i) {
                let delay = at - sent.at;
                self.delays.add(delay, 1);
                self.result.right += 1;
                self.result.late += u64::from(delay > LATE_AFTER);
            }
            return;
        }
        let likest =
            self.outstanding.iter().enumerate().map(|(i, sent)| (alike(&sent.bytes, line), i)).max_by_key(|(n, i)| {
                (*n, usize::MAX - i) // of two that are equally alike, the one that was sent first
            });
        match likest {
            Some((n, i)) if n * 2 >= self.outstanding[i].bytes.len() => {
                if let Some(sent) = self.outstanding.remove(i) {
                    self.result.altered += 1;
                    if self.result.examples.len() < SHOWN {
                        let visible = crate::core::visible::text;
                        self.result.examples.push((visible(&sent.bytes), visible(line)));
                    }
                }
            }
            _ => self.result.foreign += 1,
        }
    }

    /// What has waited too long is lost.
    pub fn look(&mut self, at: Wall) {
        while self.outstanding.front().is_some_and(|sent| at - sent.at >= LOST_AFTER) {
            self.outstanding.pop_front();
            self.result.lost += 1;
        }
    }

    /// Nothing more will be heard: what is outstanding is lost.
    pub fn finish(mut self) -> WireResult {
        self.result.lost += self.outstanding.len() as u64;
        self.outstanding.clear();
        self.so_far()
    }

    /// As it stands.
    pub fn so_far(&self) -> WireResult {
        WireResult {
            delay_median_ms: self.delays.part(0.5),
            delay_p99_ms: self.delays.part(0.99),
            delay_max_ms: self.delays.longest() as f64 / MILLISECOND as f64,
            ..self.result.clone()
        }
    }
}

/// How many bytes two lines have in common at their beginnings and ends.
fn alike(a: &[u8], b: &[u8]) -> usize {
    let front = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let back = a[front..].iter().rev().zip(b[front..].iter().rev()).take_while(|(a, b)| a == b).count();
    front + back
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&[u8]; 3] = [b"$HEHDT,45.0,T*1E", b"$SDDPT,12.4,0.5,*49", b"$YXMTW,21.5,C*14"];

    fn sent() -> WireCheck {
        let mut check = WireCheck::default();
        for (line, i) in LINES.iter().zip(0..) {
            check.sent(i * SECOND, Bytes::from_static(line));
        }
        check
    }

    #[test]
    fn a_wire_without_faults_is_clean() {
        let mut check = sent();
        for (line, i) in LINES.iter().zip(0..) {
            check.heard(i * SECOND + 30 * MILLISECOND, line);
        }
        let result = check.finish();
        assert!(result.is_clean());
        assert_eq!((result.sent, result.right, result.delay_max_ms), (3, 3, 30.0));
        assert!((29.0..=30.0).contains(&result.delay_median_ms), "{}", result.delay_median_ms);
    }

    #[test]
    fn an_altered_line_is_told_with_what_was_sent() {
        let mut check = sent();
        check.heard(SECOND, LINES[0]);
        check.heard(2 * SECOND, b"$SDDPT,1\x002.4,0.5,*49");
        check.heard(3 * SECOND, LINES[2]);
        let result = check.finish();
        assert_eq!((result.right, result.altered, result.lost, result.foreign), (2, 1, 0, 0));
        assert_eq!(result.examples, [("$SDDPT,12.4,0.5,*49".to_owned(), "$SDDPT,1^@2.4,0.5,*49".to_owned())]);
        assert!(!result.is_clean());
    }

    #[test]
    fn what_does_not_come_is_lost_and_what_was_not_sent_is_foreign() {
        let mut check = sent();
        check.heard(SECOND, LINES[1]);
        check.heard(SECOND, b"!AIVDM,1,1,,B,B2vg20@0@@K9nb5Kh8PMTFt5kP06,0*15");
        check.look(LOST_AFTER);
        assert_eq!(check.so_far().lost, 1);
        let result = check.finish();
        assert_eq!((result.right, result.lost, result.foreign), (1, 2, 1));
    }

    #[test]
    fn late_is_more_than_two_seconds() {
        let mut check = sent();
        check.heard(LATE_AFTER, LINES[0]);
        check.heard(SECOND + LATE_AFTER + 1, LINES[1]);
        assert_eq!(check.so_far().late, 1);
    }

    #[test]
    fn a_dead_wire_keeps_no_more_than_it_may() {
        let mut check = WireCheck::default();
        for i in 0..OUTSTANDING as i64 + 5 {
            check.sent(i, Bytes::from_static(b"$HEHDT,45.0,T*1E"));
        }
        assert_eq!(check.so_far().lost, 5);
        assert_eq!(check.finish().lost, OUTSTANDING as u64 + 5);
    }
}

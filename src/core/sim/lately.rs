//! Which sentences were said of late: when last, and how many in a minute.
//!
//! Counts; must not decide what is said.

use std::collections::BTreeMap;

use crate::core::time::{Offset, SECOND};
use crate::core::transport::Said;

/// Seconds that are looked back.
const SECONDS: usize = 60;

/// By id of the sentence.
#[derive(Clone, Debug, Default)]
pub struct Lately {
    ids: BTreeMap<String, Meter>,
}

#[derive(Clone, Debug)]
struct Meter {
    last: Offset,
    /// How many in each second, by the second's number modulo the length.
    seconds: [u16; SECONDS],
}

impl Lately {
    /// So many more at an offset, which is not before that of any added earlier.
    pub fn add(&mut self, id: &str, at: Offset, n: u64) {
        if n == 0 || id.is_empty() {
            return;
        }
        let place = (at / SECOND).unsigned_abs() as usize % SECONDS;
        let n = u16::try_from(n).unwrap_or(u16::MAX);
        match self.ids.get_mut(id) {
            Some(meter) => {
                meter.turn(at);
                meter.seconds[place] = meter.seconds[place].saturating_add(n);
                meter.last = at;
            }
            None => {
                let mut seconds = [0; SECONDS];
                seconds[place] = n;
                self.ids.insert(id.into(), Meter { last: at, seconds });
            }
        }
    }

    /// What was said, seen from an offset.
    pub fn said(&self, now: Offset) -> Vec<Said> {
        let said = |(id, meter): (&String, &Meter)| {
            let mut meter = meter.clone();
            let last = meter.last;
            meter.turn(now);
            let minute = meter.seconds.iter().map(|n| u32::from(*n)).sum();
            Said { id: id.clone(), last, minute }
        };
        self.ids.iter().map(said).collect()
    }
}

impl Meter {
    /// Forgets the seconds that are more than a minute before an offset.
    fn turn(&mut self, at: Offset) {
        let (from, to) = (self.last / SECOND, at / SECOND);
        for second in (from + 1..=to).take(SECONDS) {
            self.seconds[second.unsigned_abs() as usize % SECONDS] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_is_counted_and_forgotten() {
        let mut lately = Lately::default();
        // Twice a second for 100 s: 120 in any minute; then silence.
        (0..200).for_each(|i| lately.add("RMC", i * SECOND / 2, 1));
        lately.add("GSV", 3 * SECOND, 3);
        lately.add("VDO", 5 * SECOND, 0);
        let said = |now: Offset| lately.said(now).into_iter().map(|s| (s.id, s.last, s.minute)).collect::<Vec<_>>();
        let last = 199 * SECOND / 2;
        assert_eq!(said(99 * SECOND), [("GSV".into(), 3 * SECOND, 0), ("RMC".into(), last, 120)]);
        // Of the minute before 129 s, the seconds 70 to 99 had two each.
        assert_eq!(said(129 * SECOND)[1], ("RMC".into(), last, 60));
        assert_eq!(said(10_000 * SECOND)[1], ("RMC".into(), last, 0));
    }
}

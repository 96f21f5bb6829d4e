//! Vessels as they were here and there in a log, within a budget: when it is full every second one goes.

use crate::core::frame::Place;
use crate::core::vessel::Vessel;

/// Sentences between two checkpoints, at first.
pub const STEP: u64 = 16_384;
/// Bytes that they may take.
pub const BUDGET: usize = 16 << 20;

/// Checkpoints of one log, shared by its readers.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    step: u64,
    most: usize,
    list: Vec<(u64, Place, Box<Vessel>)>,
}

impl Default for Checkpoints {
    fn default() -> Checkpoints {
        Checkpoints::new(STEP, (BUDGET / size_of::<Vessel>()).max(2))
    }
}

impl Checkpoints {
    /// One every `step` sentences, at most so many.
    pub fn new(step: u64, most: usize) -> Checkpoints {
        Checkpoints { step, most, list: Vec::new() }
    }

    /// Sentences between two.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Whether one is wanted before this sentence.
    pub fn wants(&self, sentence: u64) -> bool {
        sentence > 0 && sentence.is_multiple_of(self.step) && self.find(sentence).is_err()
    }

    fn find(&self, sentence: u64) -> Result<usize, usize> {
        self.list.binary_search_by_key(&sentence, |(n, ..)| *n)
    }

    /// Keeps a vessel as it was before a sentence, if it is wanted.
    pub fn keep(&mut self, sentence: u64, place: Place, vessel: &Vessel) {
        if !self.wants(sentence) {
            return;
        }
        if let Err(at) = self.find(sentence) {
            self.list.insert(at, (sentence, place, Box::new(*vessel)));
        }
        while self.list.len() > self.most {
            self.step *= 2;
            let step = self.step;
            self.list.retain(|(n, ..)| n.is_multiple_of(step));
        }
    }

    /// The nearest one at or before a sentence.
    pub fn before(&self, sentence: u64) -> Option<(u64, Place, Vessel)> {
        let n = self.list.partition_point(|(n, ..)| *n <= sentence);
        let (number, place, vessel) = self.list.get(n.checked_sub(1)?)?;
        Some((*number, *place, **vessel))
    }

    /// The first sentence, at or behind the start, that should have one and has none.
    pub fn missing(&self) -> u64 {
        let mut next = self.step;
        for (n, ..) in &self.list {
            if *n != next {
                break;
            }
            next += self.step;
        }
        next
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// None.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_the_budget_is_full_every_second_one_goes() {
        let mut kept = Checkpoints::new(10, 4);
        for n in 0..=100 {
            kept.keep(n, Place { line: n, ..Place::default() }, &Vessel::default());
        }
        assert_eq!(kept.step(), 40);
        assert_eq!(kept.list.iter().map(|(n, ..)| *n).collect::<Vec<_>>(), [40, 80]);
        assert_eq!(kept.before(79).map(|(n, place, _)| (n, place.line)), Some((40, 40)));
        assert!(kept.before(39).is_none());
        assert_eq!(kept.missing(), 120);
        assert!(kept.wants(120) && !kept.wants(80) && !kept.wants(90) && !kept.wants(0));
    }

    #[test]
    fn the_budget_is_sixteen_megabytes() {
        let kept = Checkpoints::default();
        assert!(kept.most * size_of::<Vessel>() <= BUDGET);
        assert!(kept.most >= 256, "room for {} vessels of {} bytes", kept.most, size_of::<Vessel>());
    }
}

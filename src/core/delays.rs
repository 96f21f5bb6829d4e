//! How late things were: a distribution of any length in two hundred counters.

use std::fmt;

use crate::core::time::{MILLISECOND, Wall};

/// Delays in classes that grow by a tenth, from 10 µs: the distribution of a day in 200 counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delays {
    classes: [u64; 200],
    longest: Wall,
}

impl Default for Delays {
    fn default() -> Delays {
        Delays { classes: [0; 200], longest: 0 }
    }
}

impl Delays {
    const FIRST: f64 = 10_000.0;
    const GROWTH: f64 = 1.1;

    /// So many things were so late; early is not late.
    pub fn add(&mut self, delay: Wall, count: u64) {
        let class = (delay.max(1) as f64 / Self::FIRST).ln() / Self::GROWTH.ln();
        let class = (class.ceil().max(0.0) as usize).min(self.classes.len() - 1);
        self.classes[class] += count;
        self.longest = self.longest.max(delay);
    }

    /// How many.
    pub fn count(&self) -> u64 {
        self.classes.iter().sum()
    }

    /// The longest, nanoseconds.
    pub fn longest(&self) -> Wall {
        self.longest
    }

    /// Upper end of the class in which that part (0 to 1) of all delays is reached, milliseconds: at most a tenth too much.
    pub fn part(&self, part: f64) -> f64 {
        let wanted = self.count() as f64 * part;
        let mut so_far = 0;
        for (class, count) in self.classes.iter().enumerate() {
            so_far += count;
            if so_far > 0 && so_far as f64 >= wanted {
                let end = Self::FIRST * Self::GROWTH.powi(class as i32);
                return end.min(self.longest as f64) / MILLISECOND as f64;
            }
        }
        0.0
    }
}

impl fmt::Display for Delays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = self.longest as f64 / MILLISECOND as f64;
        write!(
            f,
            "late by: half at most {:.2} ms, 99 % {:.2} ms, 99.9 % {:.2} ms, the latest {longest:.2} ms",
            self.part(0.5),
            self.part(0.99),
            self.part(0.999)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_known_to_a_tenth() {
        let mut delays = Delays::default();
        for ms in 1..=1000 {
            delays.add(ms * MILLISECOND, 1);
        }
        assert_eq!((delays.count(), delays.longest()), (1000, 1000 * MILLISECOND));
        for (part, ms) in [(0.5, 500.0), (0.99, 990.0), (1.0, 1000.0)] {
            let told = delays.part(part);
            assert!((ms..=ms * 1.1).contains(&told), "{part}: {told}");
        }
        assert_eq!(Delays::default().part(0.5), 0.0);
    }
}

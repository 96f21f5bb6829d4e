//! Bytes or sentences a second, over the last ten.

use crate::core::time::{Offset, SECOND};

/// Sums of the last ten seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Window {
    second: i64,
    sums: [u32; 10],
}

/// Length of a [`Window`] in seconds.
pub const WINDOW_SECONDS: i64 = 10;

impl Window {
    fn turn(&mut self, at: Offset) {
        let second = at.div_euclid(SECOND);
        let steps = (second - self.second).clamp(0, WINDOW_SECONDS);
        for i in 0..steps {
            self.sums[(second - i).rem_euclid(WINDOW_SECONDS) as usize] = 0;
        }
        self.second = self.second.max(second);
    }

    /// Adds to the present second.
    pub fn add(&mut self, at: Offset, n: usize) {
        self.turn(at);
        let place = &mut self.sums[self.second.rem_euclid(WINDOW_SECONDS) as usize];
        *place = place.saturating_add(n as u32);
    }

    /// A second, averaged over the nine full seconds before `at` (fewer since `from`).
    pub fn per_second(&self, at: Offset, from: Offset) -> f64 {
        let mut now = *self;
        now.turn(at);
        let present = now.sums[now.second.rem_euclid(WINDOW_SECONDS) as usize];
        let full: u32 = now.sums.iter().sum::<u32>() - present;
        let seconds = (now.second - from.div_euclid(SECOND)).clamp(1, WINDOW_SECONDS - 1);
        f64::from(full) / seconds as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_averages_full_seconds() {
        let mut w = Window::default();
        for i in 0..100 {
            w.add(i * SECOND / 10, 48); // 480 a second
        }
        assert_eq!(w.per_second(10 * SECOND, 0), 480.0);
        assert_eq!(w.per_second(3600 * SECOND, 0), 0.0);
    }
}

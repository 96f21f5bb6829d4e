//! How often to draw: the frame rate, halved while the terminal is slow to take a frame, raised again when it is quick.
//!
//! Pure: times are told.

use crate::core::time::{SECOND, Wall};

/// Never slower than one frame in two seconds: the screen must be seen to live.
const LONGEST: Wall = 2 * SECOND;
/// So many quick frames in a row double the rate again.
const QUICK: u32 = 20;

/// The pace of the frames.
#[derive(Clone, Debug)]
pub struct Pace {
    shortest: Wall,
    interval: Wall,
    quick: u32,
    due: Wall,
}

impl Pace {
    /// At most `rate` frames a second.
    pub fn new(rate: u8) -> Self {
        let shortest = SECOND / Wall::from(rate.max(1));
        Self { shortest, interval: shortest, quick: 0, due: 0 }
    }

    /// Nanoseconds between the beginnings of two frames.
    pub fn interval(&self) -> Wall {
        self.interval
    }

    /// When the next frame may begin.
    pub fn due(&self) -> Wall {
        self.due
    }

    /// A frame was written from `begin` to `end`. Says whether that was slow: longer than half the interval.
    pub fn wrote(&mut self, begin: Wall, end: Wall) -> bool {
        let took = end - begin;
        let slow = took > self.interval / 2;
        if slow {
            self.quick = 0;
            self.interval = (2 * self.interval).min(LONGEST.max(self.shortest));
        } else if took < self.interval / 8 {
            self.quick += 1;
            if self.quick >= QUICK {
                self.quick = 0;
                self.interval = (self.interval / 2).max(self.shortest);
            }
        }
        // after a slow frame the link gets as long a rest as the frame took, so that keys and data find room
        self.due = (begin + self.interval).max(if slow { end + took.min(self.interval) } else { end });
        slow
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::time::MILLISECOND;

    #[test]
    fn a_quick_terminal_gets_its_frames_at_the_rate() {
        let mut pace = Pace::new(10);
        assert!(!pace.wrote(0, MILLISECOND));
        assert_eq!((pace.interval(), pace.due()), (100 * MILLISECOND, 100 * MILLISECOND));
    }

    #[test]
    fn slow_writes_halve_the_rate_and_quick_ones_raise_it_again() {
        let mut pace = Pace::new(10);
        let ms = MILLISECOND;
        assert!(pace.wrote(0, 60 * ms));
        assert_eq!(pace.interval(), 200 * ms);
        assert!(pace.wrote(1000 * ms, 1150 * ms));
        assert_eq!(pace.interval(), 400 * ms);
        for _ in 0..10 {
            pace.wrote(0, 60 * SECOND);
        }
        assert_eq!(pace.interval(), 2 * SECOND);
        for _ in 0..100 {
            pace.wrote(0, ms);
        }
        // doubled every twenty frames: 1 s, 500, 250, 125, 100 ms
        assert_eq!(pace.interval(), 100 * ms);
    }

    #[test]
    fn after_a_slow_frame_the_link_rests() {
        let mut pace = Pace::new(10);
        pace.wrote(0, 150 * MILLISECOND);
        assert_eq!(pace.due(), 300 * MILLISECOND);
    }
}

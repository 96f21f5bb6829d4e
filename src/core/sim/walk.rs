//! The bounded random walk of one quantity round its seed, smoothed so that it looks like an instrument.
//!
//! Knows deviations only: the seed is added by whoever owns the quantity.

use super::STEP_S;
use crate::core::profile::schema::Walk as Limits;

/// 1 - e^(-0.05 / 5): what one step lets through of a first order filter of 5 s.
const SMOOTHING: f64 = 0.009_950_166_250_831_947;

/// Where a walk is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Walk {
    raw: f64,
    smooth: f64,
}

impl Walk {
    /// A walk that stands outside its band, or anywhere, when it is let go.
    pub fn at(deviation: f64) -> Walk {
        Walk { raw: deviation, smooth: deviation }
    }

    /// One step: at most `step_per_second` x the step, never further than `amplitude`; from outside the band back into it
    /// at that rate. `draw` is -1 to 1.
    pub fn step(&mut self, draw: f64, limits: Limits) {
        let most = limits.step_per_second * STEP_S;
        let band = limits.amplitude;
        if self.raw.abs() > band {
            // Without a rate it cannot come back by itself: it is there at once.
            let back = if most == 0.0 { f64::INFINITY } else { most };
            self.raw = if self.raw > 0.0 { (self.raw - back).max(band) } else { (self.raw + back).min(-band) };
        } else {
            self.raw = (self.raw + draw * most).clamp(-band, band);
        }
        self.smooth += (self.raw - self.smooth) * SMOOTHING;
    }

    /// The smoothed deviation.
    pub fn deviation(&self) -> f64 {
        self.smooth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::sim::rng::Stream;

    const LIMITS: Limits = Limits { amplitude: 2.0, step_per_second: 0.5 };

    #[test]
    fn it_moves_stays_in_its_band_and_never_faster_than_its_rate() {
        let mut draws = Stream::new(1, "test");
        let mut walk = Walk::default();
        let mut furthest: f64 = 0.0;
        for _ in 0..200_000 {
            let before = walk.deviation();
            walk.step(draws.signed(), LIMITS);
            assert!(walk.deviation().abs() <= 2.0);
            assert!((walk.deviation() - before).abs() <= 0.5 * 0.05 + 1e-12);
            furthest = furthest.max(walk.deviation().abs());
        }
        assert!(furthest > 1.0, "{furthest}");
    }

    #[test]
    fn amplitude_0_freezes_and_a_released_one_drifts_back_at_its_rate() {
        let mut draws = Stream::new(1, "test");
        let mut walk = Walk::default();
        let frozen = Limits { amplitude: 0.0, ..LIMITS };
        for _ in 0..1000 {
            walk.step(draws.signed(), frozen);
        }
        assert_eq!(walk.deviation(), 0.0);
        // From 12 to the band at 2 in 20 s (0.5/s) and 5 s of smoothing: after 10 s still outside 6, after 60 s inside.
        let mut walk = Walk::at(12.0);
        for _ in 0..200 {
            walk.step(draws.signed(), LIMITS);
        }
        assert!(walk.deviation() > 6.9, "{walk:?}");
        for _ in 0..1000 {
            walk.step(draws.signed(), LIMITS);
        }
        assert!(walk.deviation().abs() <= 2.1, "{walk:?}");
    }
}

//! What turns the vessel: the rudder, and an autopilot that moves it.
//!
//! Rate of turn (deg/min) = gain x rudder (deg) x speed through the water (kn), with a lag of first order; the rudder is
//! limited, and the autopilot's moves at most 5 deg/s. Must not know where the vessel is.

use super::STEP_S;
use crate::core::profile::schema::Steering;
use crate::core::vessel::units::{turn, wrap_360};

/// How fast an autopilot moves the rudder, deg/s.
const RUDDER_RATE: f64 = 5.0;
/// How fast an autopilot lets her turn, deg/s.
const FASTEST: f64 = 5.0;
/// How briskly it corrects at most, rad/s.
const BRISK: f64 = 0.35;
/// How well the autopilot's turns are damped (1: critically).
const DAMPING: f64 = 0.9;

/// Rudder, rate of turn and heading of a vessel that is steered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Helm {
    /// Degrees, starboard positive.
    pub rudder_deg: f64,
    /// Degrees a second, starboard positive.
    pub rate_deg_s: f64,
}

impl Helm {
    /// One step with the rudder held where the profile says; the new heading.
    pub fn by_rudder(&mut self, heading: f64, speed_kn: f64, s: &Steering) -> f64 {
        self.rudder_deg = s.rudder.clamp(-s.rudder_limit, s.rudder_limit);
        self.answer(heading, speed_kn, s)
    }

    /// One step of an autopilot that holds a heading; the new heading.
    pub fn by_autopilot(&mut self, heading: f64, wanted: f64, speed_kn: f64, s: &Steering) -> f64 {
        // Degrees a second for each degree of rudder.
        let answer = s.gain * speed_kn / 60.0;
        // T h'' + (1 + answer kd) h' + answer kp error = 0: kp is 1, less where she answers fast, kd for the damping wanted.
        let lag = s.lag.max(STEP_S);
        let kp = if answer > 1e-6 { (BRISK * BRISK * lag / answer).min(1.0) } else { 1.0 };
        let kd =
            if answer > 1e-6 { ((2.0 * DAMPING * (answer * kp * lag).sqrt() - 1.0) / answer).max(0.0) } else { 0.0 };
        let order = kp * turn(heading, wanted) - kd * self.rate_deg_s;
        let most = if answer > 1e-6 { s.rudder_limit.min(FASTEST / answer) } else { s.rudder_limit };
        let order = order.clamp(-most, most);
        let most = RUDDER_RATE * STEP_S;
        self.rudder_deg += (order - self.rudder_deg).clamp(-most, most);
        self.answer(heading, speed_kn, s)
    }

    /// The rudder that a turn at this rate takes, for a heading that is not steered.
    pub fn follow(&mut self, rate_deg_s: f64, speed_kn: f64, s: &Steering) {
        self.rate_deg_s = rate_deg_s;
        let answer = s.gain * speed_kn / 60.0;
        let rudder = if answer > 1e-3 { rate_deg_s / answer } else { 0.0 };
        self.rudder_deg = rudder.clamp(-s.rudder_limit, s.rudder_limit);
    }

    fn answer(&mut self, heading: f64, speed_kn: f64, s: &Steering) -> f64 {
        let wanted = s.gain * self.rudder_deg * speed_kn / 60.0;
        let share = if s.lag > 0.0 { 1.0 - libm::exp(-STEP_S / s.lag) } else { 1.0 };
        self.rate_deg_s += (wanted - self.rate_deg_s) * share;
        wrap_360(heading + self.rate_deg_s * STEP_S)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::profile::Profile;

    #[test]
    fn the_rudder_turns_her_as_the_page_says() {
        let mut p = Profile::built_in();
        p.set("steering.rudder", "10").unwrap();
        let (mut helm, mut heading) = (Helm::default(), 350.0);
        for _ in 0..40 {
            heading = helm.by_rudder(heading, 6.0, &p.steering);
        }
        // 1.7 x 10 x 6 = 102 deg/min; after one lag of 2 s 63.2 % of it: 64.5.
        assert!((helm.rate_deg_s * 60.0 - 64.476).abs() < 0.01, "{helm:?}");
        for _ in 0..400 {
            heading = helm.by_rudder(heading, 6.0, &p.steering);
        }
        assert!((helm.rate_deg_s * 60.0 - 102.0).abs() < 0.01, "{helm:?}");
        // 22 s at 1.7 deg/s less 2 s of lag: 34 degrees to starboard, across north.
        assert!((heading - 24.0).abs() < 0.1, "{heading}");
        p.set("steering.rudder", "45").unwrap();
        helm.by_rudder(heading, 6.0, &p.steering);
        assert_eq!(helm.rudder_deg, 35.0);
    }

    #[test]
    fn the_autopilot_comes_to_its_heading_the_short_way_without_swinging() {
        let p = Profile::built_in();
        for speed in [2.0, 6.5, 25.0, 60.0] {
            let (mut helm, mut heading) = (Helm::default(), 350.0);
            let mut beyond: f64 = 0.0;
            for _ in 0..20 * 240 {
                heading = helm.by_autopilot(heading, 40.0, speed, &p.steering);
                assert!(!(60.0..330.0).contains(&heading), "the long way at {speed} kn: {heading}");
                beyond = beyond.max(turn(40.0, heading));
            }
            assert!(turn(heading, 40.0).abs() < 0.1, "{speed} kn: {heading}");
            assert!(beyond < 5.0, "{speed} kn: {beyond} too far");
        }
        // Without way on she does not answer.
        let mut helm = Helm::default();
        assert_eq!(helm.by_autopilot(350.0, 40.0, 0.0, &p.steering), 350.0);
    }
}

//! Range, bearing, and the closest point of approach of two vessels that keep course and speed.
//!
//! Range and bearing on WGS84; the approach in the plane that touches the earth at the own ship, which is what radars and
//! plotters show. Same bits on every machine.

use crate::core::time::{HOUR, Offset};
use crate::core::vessel::geodesy::{direct, inverse};
use crate::core::vessel::units::{NM_M, sin_cos_deg};
use crate::core::vessel::{Bare, Position, Vessel};

/// Where something is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Position.
    pub position: Position,
    /// Course over ground, degrees true.
    pub course_true_deg: f64,
    /// Speed over ground, knots.
    pub speed_kn: f64,
}

/// How another stands to the own ship.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// Nautical miles.
    pub range_nm: f64,
    /// Degrees true, from the own ship.
    pub bearing_true_deg: f64,
    /// Least distance, nautical miles.
    pub cpa_nm: f64,
    /// Minutes until then; negative when it is past, 0 when the distance does not change.
    pub tcpa_min: f64,
}

/// Relative motion slower than this (knots) counts as none: both keep their places.
const STILL_KN: f64 = 0.05;

impl Motion {
    /// Where it will be after `span` if it keeps course and speed.
    pub fn after(&self, span: Offset) -> Position {
        if span == 0 || self.speed_kn == 0.0 {
            return self.position;
        }
        direct(self.position, self.course_true_deg, self.speed_kn * NM_M * span as f64 / HOUR as f64).position
    }

    /// The vessel's own, when its position is known; without course or speed it lies still.
    pub fn of(vessel: &Vessel) -> Option<Motion> {
        let position = vessel.position.bare()?;
        let speed_kn = vessel.sog_kn.bare().unwrap_or(0.0);
        let (course_true_deg, speed_kn) = vessel.cog_true_deg.bare().map_or((0.0, 0.0), |course| (course, speed_kn));
        Some(Motion { position, course_true_deg, speed_kn })
    }
}

/// How `other` stands to `own`, both now.
pub fn approach(own: &Motion, other: &Motion) -> Approach {
    let way = inverse(own.position, other.position);
    let range_nm = way.distance_m / NM_M;
    let (east, north) = split(way.bearing_deg, range_nm);
    let (own_e, own_n) = split(own.course_true_deg, own.speed_kn);
    let (other_e, other_n) = split(other.course_true_deg, other.speed_kn);
    let (ve, vn) = (other_e - own_e, other_n - own_n);
    let speed2 = ve * ve + vn * vn;
    let (cpa_nm, tcpa_min) = if speed2 < STILL_KN * STILL_KN {
        (range_nm, 0.0)
    } else {
        let hours = -(east * ve + north * vn) / speed2;
        let (e, n) = (east + ve * hours, north + vn * hours);
        ((e * e + n * n).sqrt(), hours * 60.0)
    };
    Approach { range_nm, bearing_true_deg: way.bearing_deg, cpa_nm, tcpa_min }
}

fn split(direction: f64, length: f64) -> (f64, f64) {
    let (sin, cos) = sin_cos_deg(direction);
    (length * sin, length * cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(latitude: f64, longitude: f64, course_true_deg: f64, speed_kn: f64) -> Motion {
        Motion { position: Position { latitude, longitude }, course_true_deg, speed_kn }
    }

    #[test]
    fn approach_agrees_with_the_plotting_sheet() {
        // On the equator a minute of longitude is 1855.325 m = 1.00180 nm. Own 10 kn north; other 6.0108 nm east going
        // west with 10 kn: relative motion 14.142 kn to south-west. CPA 6.0108 / sqrt 2 = 4.2503 nm after
        // 4.2503 / 14.142 h = 18.03 min.
        let a = approach(&at(0.0, 0.0, 0.0, 10.0), &at(0.0, 0.1, 270.0, 10.0));
        assert!((a.range_nm - 6.0108).abs() < 1e-3 && (a.bearing_true_deg - 90.0).abs() < 1e-9, "{a:?}");
        assert!((a.cpa_nm - 4.2503).abs() < 1e-3 && (a.tcpa_min - 18.03).abs() < 0.01, "{a:?}");
        // Head on: meeting after 6.0108 nm / 20 kn = 18.03 min at no distance.
        let a = approach(&at(0.0, 0.0, 90.0, 10.0), &at(0.0, 0.1, 270.0, 10.0));
        assert!(a.cpa_nm < 1e-9 && (a.tcpa_min - 18.03).abs() < 0.01, "{a:?}");
        // Going apart: it is past.
        assert!(approach(&at(0.0, 0.0, 270.0, 10.0), &at(0.0, 0.1, 90.0, 10.0)).tcpa_min < -18.0);
        // Side by side at the same speed: the range stays.
        let a = approach(&at(0.0, 0.0, 45.0, 7.0), &at(0.0, 0.1, 45.0, 7.0));
        assert_eq!((a.cpa_nm, a.tcpa_min), (a.range_nm, 0.0));
        // Across the date line the way is the short one.
        assert!(approach(&at(0.0, 179.95, 0.0, 0.0), &at(0.0, -179.95, 0.0, 0.0)).range_nm < 6.1);
    }
}

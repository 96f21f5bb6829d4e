//! Geodesy on WGS84: geodesics, distance off a track, and the short step by which a simulated vessel moves.
//!
//! Everything here gives the same bits on every machine (see [`units`](super::units)): T. Vincenty's series (Survey
//! Review XXIII, 1975, with the expansion parameters of his 1976 note), good to a tenth of a millimetre. They do not
//! converge between nearly opposite points of the globe; there, and only there, C. Karney's algorithm answers
//! (`geographiclib-rs`). It must never be used for a step of the model: it goes through the platform's `sin`.

use geographiclib_rs::{Geodesic, InverseGeodesic};

use super::Position;
use super::units::{DEG_RAD, direction_deg, sin_cos_deg, turn, wrap_180, wrap_360};

/// Equatorial radius of WGS84, metres.
pub const WGS84_A: f64 = 6_378_137.0;
/// Flattening of WGS84.
pub const WGS84_F: f64 = 1.0 / 298.257_223_563;
/// Polar radius of WGS84, metres.
pub const WGS84_B: f64 = WGS84_A * (1.0 - WGS84_F);
/// Square of the first eccentricity.
const E2: f64 = WGS84_F * (2.0 - WGS84_F);
/// Mean radius, metres: only for first guesses that are then improved.
const MEAN_RADIUS: f64 = 6_371_008.8;

impl Position {
    /// A position, if both are numbers in range (latitude -90 to 90, longitude -180 to 180).
    pub fn new(latitude: f64, longitude: f64) -> Option<Position> {
        ((-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude))
            .then_some(Position { latitude, longitude })
    }
}

/// The shortest way between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Length of the geodesic, metres.
    pub distance_m: f64,
    /// Direction at the first point, degrees true, 0 to 360; 0 when there is no distance.
    pub bearing_deg: f64,
    /// Direction in which one arrives at the second point, degrees true, 0 to 360.
    pub arriving_deg: f64,
}

/// Where a geodesic leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// The end.
    pub position: Position,
    /// Direction there, degrees true, 0 to 360.
    pub course_deg: f64,
}

/// The shortest way from one position to another.
pub fn inverse(from: Position, to: Position) -> Way {
    if from.latitude == to.latitude && wrap_180(from.longitude - to.longitude) == 0.0 {
        return Way { distance_m: 0.0, bearing_deg: 0.0, arriving_deg: 0.0 };
    }
    vincenty_inverse(from, to).unwrap_or_else(|| {
        let answer: (f64, f64, f64, f64) =
            Geodesic::wgs84().inverse(from.latitude, from.longitude, to.latitude, to.longitude);
        Way { distance_m: answer.0, bearing_deg: wrap_360(answer.1), arriving_deg: wrap_360(answer.2) }
    })
}

/// Distance along the geodesic, metres.
pub fn distance_m(from: Position, to: Position) -> f64 {
    inverse(from, to).distance_m
}

/// Where one comes to from a position, in a direction (degrees true), over a distance (metres; negative is backwards).
/// Crosses poles and the date line.
pub fn direct(from: Position, bearing_deg: f64, distance_m: f64) -> Arrival {
    let (sin_a1, cos_a1) = sin_cos_deg(bearing_deg);
    let (sin_u1, cos_u1) = reduced(from.latitude);
    let sigma1 = libm::atan2(sin_u1, cos_u1 * cos_a1);
    let sin_a = cos_u1 * sin_a1;
    let cos2_a = 1.0 - sin_a * sin_a;
    let (a, b) = series(cos2_a);
    let straight = distance_m / (WGS84_B * a);
    let mut sigma = straight;
    for _ in 0..20 {
        let (_, cos_2sm) = libm::sincos(2.0 * sigma1 + sigma);
        let (sin_s, cos_s) = libm::sincos(sigma);
        let next = straight + delta_sigma(b, sin_s, cos_s, cos_2sm);
        let step = (next - sigma).abs();
        sigma = next;
        if step < 1e-15 {
            break;
        }
    }
    let (_, cos_2sm) = libm::sincos(2.0 * sigma1 + sigma);
    let (sin_s, cos_s) = libm::sincos(sigma);
    let x = sin_u1 * sin_s - cos_u1 * cos_s * cos_a1;
    let latitude =
        libm::atan2(sin_u1 * cos_s + cos_u1 * sin_s * cos_a1, (1.0 - WGS84_F) * (sin_a * sin_a + x * x).sqrt());
    let lambda = libm::atan2(sin_s * sin_a1, cos_u1 * cos_s - sin_u1 * sin_s * cos_a1);
    let c = lambda_series(cos2_a);
    let l = lambda
        - (1.0 - c) * WGS84_F * sin_a * (sigma + c * sin_s * (cos_2sm + c * cos_s * (2.0 * cos_2sm * cos_2sm - 1.0)));
    Arrival {
        position: Position {
            latitude: (latitude / DEG_RAD).clamp(-90.0, 90.0),
            longitude: wrap_180(from.longitude + l / DEG_RAD),
        },
        course_deg: direction_deg(sin_a, -x),
    }
}

/// The position after a short step of so many metres north and east: velocity x time at a constant course.
///
/// Steps of up to a kilometre keep their course (a piece of a rhumb line, good to a hundredth of a millimetre below 89
/// degrees of latitude); longer ones, and those near a pole, take the geodesic that starts in that direction. What is not
/// a number moves nothing.
pub fn displaced(from: Position, north_m: f64, east_m: f64) -> Position {
    let square = north_m * north_m + east_m * east_m;
    if square == 0.0 || !square.is_finite() {
        return from;
    }
    if square > 1e6 || from.latitude.abs() > 89.0 {
        return direct(from, direction_deg(east_m, north_m), square.sqrt()).position;
    }
    // Radii of curvature at the middle of the step: along the meridian, and across it.
    let (sin, _) = sin_cos_deg(from.latitude);
    let w2 = 1.0 - E2 * sin * sin;
    let half = north_m / 2.0 * (w2 * w2.sqrt()) / (WGS84_A * (1.0 - E2));
    let (sin, cos) = sin_cos_deg(from.latitude + half / DEG_RAD);
    let w2 = 1.0 - E2 * sin * sin;
    let w = w2.sqrt();
    let latitude = north_m * (w2 * w) / (WGS84_A * (1.0 - E2));
    let longitude = east_m * w / (WGS84_A * cos);
    Position { latitude: from.latitude + latitude / DEG_RAD, longitude: wrap_180(from.longitude + longitude / DEG_RAD) }
}

/// Where a position lies with regard to the geodesic through two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffTrack {
    /// Shortest distance to the geodesic, metres; positive when the position is right of the track (steer left).
    pub cross_m: f64,
    /// From the first point to the foot of the perpendicular, metres; negative behind the first point.
    pub along_m: f64,
    /// Length of the leg, metres.
    pub length_m: f64,
    /// Direction of the track at the first point, degrees true.
    pub bearing_deg: f64,
    /// Direction of the track at the foot, degrees true.
    pub course_deg: f64,
    /// The foot of the perpendicular.
    pub foot: Position,
}

impl OffTrack {
    /// The perpendicular at the second point has been passed.
    pub fn passed(&self) -> bool {
        self.along_m >= self.length_m
    }
}

/// The distance off a track and along it, on the ellipsoid, to the geodesic and its prolongation. `None` when the two
/// points of the track are one.
pub fn off_track(from: Position, to: Position, here: Position) -> Option<OffTrack> {
    let leg = inverse(from, to);
    if leg.distance_m == 0.0 {
        return None;
    }
    let mut along_m = 0.0;
    let mut foot = from;
    let mut course_deg = leg.bearing_deg;
    let mut cross_m = 0.0;
    // On a sphere one step is exact; each further one shrinks what the flattening left by a factor of some hundreds.
    for _ in 0..24 {
        let to_here = inverse(foot, here);
        let angle = turn(course_deg, to_here.bearing_deg);
        let (sin, cos) = sin_cos_deg(angle);
        cross_m = if sin < 0.0 { -to_here.distance_m } else { to_here.distance_m };
        let (sin_d, cos_d) = libm::sincos(to_here.distance_m / MEAN_RADIUS);
        let step = MEAN_RADIUS * libm::atan2(cos * sin_d, cos_d);
        if to_here.distance_m == 0.0 || step.abs() < 1e-5 {
            break;
        }
        along_m += step;
        let arrival = direct(from, leg.bearing_deg, along_m);
        foot = arrival.position;
        course_deg = arrival.course_deg;
    }
    Some(OffTrack { cross_m, along_m, length_m: leg.distance_m, bearing_deg: leg.bearing_deg, course_deg, foot })
}

/// Sine and cosine of the reduced latitude.
fn reduced(latitude_deg: f64) -> (f64, f64) {
    let (s, c) = sin_cos_deg(latitude_deg);
    let s = s * (1.0 - WGS84_F);
    let n = (s * s + c * c).sqrt();
    (s / n, c / n)
}

/// Vincenty's A and B from the square of the cosine of the azimuth at the equator.
fn series(cos2_a: f64) -> (f64, f64) {
    let root = (1.0 + cos2_a * (WGS84_A * WGS84_A - WGS84_B * WGS84_B) / (WGS84_B * WGS84_B)).sqrt();
    let k = (root - 1.0) / (root + 1.0);
    ((1.0 + k * k / 4.0) / (1.0 - k), k * (1.0 - 3.0 / 8.0 * k * k))
}

fn delta_sigma(b: f64, sin_s: f64, cos_s: f64, cos_2sm: f64) -> f64 {
    let d = 2.0 * cos_2sm * cos_2sm - 1.0;
    let e = b / 6.0 * cos_2sm * (4.0 * sin_s * sin_s - 3.0) * (4.0 * cos_2sm * cos_2sm - 3.0);
    b * sin_s * (cos_2sm + b / 4.0 * (cos_s * d - e))
}

fn lambda_series(cos2_a: f64) -> f64 {
    WGS84_F / 16.0 * cos2_a * (4.0 + WGS84_F * (4.0 - 3.0 * cos2_a))
}

/// `None` where the series do not converge.
fn vincenty_inverse(from: Position, to: Position) -> Option<Way> {
    let l = wrap_180(to.longitude - from.longitude) * DEG_RAD;
    let (sin_u1, cos_u1) = reduced(from.latitude);
    let (sin_u2, cos_u2) = reduced(to.latitude);
    let mut lambda = l;
    for _ in 0..100 {
        let (sin_l, cos_l) = libm::sincos(lambda);
        let x = cos_u2 * sin_l;
        let y = cos_u1 * sin_u2 - sin_u1 * cos_u2 * cos_l;
        let sin_s = (x * x + y * y).sqrt();
        if sin_s == 0.0 {
            return None;
        }
        let cos_s = sin_u1 * sin_u2 + cos_u1 * cos_u2 * cos_l;
        let sigma = libm::atan2(sin_s, cos_s);
        let sin_a = cos_u1 * cos_u2 * sin_l / sin_s;
        let cos2_a = 1.0 - sin_a * sin_a;
        let cos_2sm = if cos2_a > 1e-15 { cos_s - 2.0 * sin_u1 * sin_u2 / cos2_a } else { 0.0 };
        let c = lambda_series(cos2_a);
        let next = l
            + (1.0 - c)
                * WGS84_F
                * sin_a
                * (sigma + c * sin_s * (cos_2sm + c * cos_s * (2.0 * cos_2sm * cos_2sm - 1.0)));
        if next.abs() > std::f64::consts::PI || next.is_nan() {
            return None;
        }
        if (next - lambda).abs() < 1e-14 {
            let (a, b) = series(cos2_a);
            return Some(Way {
                distance_m: WGS84_B * a * (sigma - delta_sigma(b, sin_s, cos_s, cos_2sm)),
                bearing_deg: direction_deg(x, y),
                arriving_deg: direction_deg(cos_u1 * sin_l, cos_u1 * sin_u2 * cos_l - sin_u1 * cos_u2),
            });
        }
        lambda = next;
    }
    None
}

#[cfg(test)]
mod tests;

//! The chart's projection: distances and directions from the middle are true (azimuthal equidistant), north is up there.
//!
//! It knows neither date line nor pole as special places, and the scale bar is right in every direction. Over the ranges of
//! a chart in cells it looks like Mercator. The globe is a sphere here: an error of 0.3 % of a distance, less than a cell.
//! Must not be used for anything that is computed with; that is `core::vessel::geodesy`.

use crate::core::vessel::Position;

/// Mean radius of the earth, metres.
const RADIUS: f64 = 6_371_008.8;

/// From positions to places on a canvas, in columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    middle: Position,
    place: (f64, f64),
    metres: f64,
}

impl Projection {
    /// `middle` is drawn at `place`; a column is `metres` wide.
    pub fn new(middle: Position, place: (f64, f64), metres: f64) -> Self {
        Self { middle, place, metres: if metres.is_finite() && metres > 0.0 { metres } else { 1.0 } }
    }

    /// Metres a column.
    pub fn metres(&self) -> f64 {
        self.metres
    }

    /// Where a position is drawn.
    pub fn place(&self, position: Position) -> (f64, f64) {
        let (east, north) = offsets(self.middle, position);
        (self.place.0 + east / self.metres, self.place.1 - north / self.metres)
    }

    /// The position drawn at a place.
    pub fn position(&self, place: (f64, f64)) -> Position {
        let (east, north) = ((place.0 - self.place.0) * self.metres, (self.place.1 - place.1) * self.metres);
        moved(self.middle, east.atan2(north).to_degrees(), east.hypot(north))
    }
}

/// Metres east and north on the plane that touches the globe at `from`.
fn offsets(from: Position, to: Position) -> (f64, f64) {
    let (a, b) = (from.latitude.to_radians(), to.latitude.to_radians());
    let turn = (to.longitude - from.longitude).to_radians();
    // the unit vector to the other place, in east, north, up
    let east = b.cos() * turn.sin();
    let north = a.cos() * b.sin() - a.sin() * b.cos() * turn.cos();
    let up = a.sin() * b.sin() + a.cos() * b.cos() * turn.cos();
    let level = east.hypot(north);
    if level == 0.0 {
        return if up >= 0.0 { (0.0, 0.0) } else { (0.0, std::f64::consts::PI * RADIUS) };
    }
    let distance = level.atan2(up) * RADIUS;
    (distance * east / level, distance * north / level)
}

/// The place so far away in that direction, on the sphere.
pub fn moved(from: Position, bearing_deg: f64, distance_m: f64) -> Position {
    let (a, bearing, angle) = (from.latitude.to_radians(), bearing_deg.to_radians(), distance_m / RADIUS);
    let sine = a.sin() * angle.cos() + a.cos() * angle.sin() * bearing.cos();
    let latitude = sine.clamp(-1.0, 1.0).asin();
    let turn = (bearing.sin() * angle.sin() * a.cos()).atan2(angle.cos() - a.sin() * sine);
    let longitude = (from.longitude + turn.to_degrees() + 540.0).rem_euclid(360.0) - 180.0;
    Position { latitude: latitude.to_degrees(), longitude }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(latitude: f64, longitude: f64) -> Position {
        Position { latitude, longitude }
    }

    #[test]
    fn a_minute_of_latitude_is_a_mile_up() {
        // 6371008.8 m x pi / 180 / 60 = 1853.25 m
        let p = Projection::new(at(48.0, 11.0), (20.0, 12.0), 1853.25);
        let (x, y) = p.place(at(48.0 + 1.0 / 60.0, 11.0));
        assert!((x - 20.0).abs() < 1e-9 && (y - 11.0).abs() < 1e-4, "{x} {y}");
        // a minute of longitude on 60 N is half of one
        let p = Projection::new(at(60.0, 0.0), (0.0, 0.0), 1853.25);
        let (x, y) = p.place(at(60.0, 1.0 / 60.0));
        assert!((x - 0.5).abs() < 1e-4 && y.abs() < 1e-3, "{x} {y}");
    }

    #[test]
    fn the_date_line_and_the_poles_are_places_like_any_other() {
        let p = Projection::new(at(-17.0, 179.9), (0.0, 0.0), 1000.0);
        let (x, y) = p.place(at(-17.0, -179.9));
        // 0.2 degrees of longitude on 17 S: 0.2 x 111.195 km x cos 17 = 21.27 km
        assert!((x - 21.27).abs() < 0.01 && y.abs() < 0.1, "{x} {y}");
        let p = Projection::new(at(89.9, 0.0), (0.0, 0.0), 1000.0);
        // across the pole: 0.2 degrees of latitude straight up, 22.24 km
        let (x, y) = p.place(at(89.9, 180.0));
        assert!(x.abs() < 1e-6 && (y + 22.24).abs() < 0.01, "{x} {y}");
    }

    proptest! {
        #[test]
        fn a_place_leads_back_to_its_position(lat in -89.0..89.0f64, lon in -180.0..180.0f64, x in -300.0..300.0f64, y in -300.0..300.0f64) {
            let p = Projection::new(at(lat, lon), (0.0, 0.0), 1852.0);
            let (bx, by) = p.place(p.position((x, y)));
            prop_assert!((bx - x).abs() < 1e-3 && (by - y).abs() < 1e-3, "{x} {y}: {bx} {by}");
        }

        #[test]
        fn no_number_breaks_it(v in proptest::collection::vec(any::<f64>(), 7)) {
            let p = Projection::new(at(v[0], v[1]), (v[2], v[3]), v[4]);
            let _ = p.place(at(v[5], v[6]));
            let _ = p.position((v[5], v[6]));
        }
    }
}

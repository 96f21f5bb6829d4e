//! Velocities in the plane, and the wind triangles between ground, water and boat (VESSEL: `wind` is over the ground).
//!
//! Must use only `libm` and plain arithmetic: the model's bytes depend on it.

use super::units::{direction_deg, sin_cos_deg, wrap_360};

/// A horizontal velocity: where something moves to. In knots, or any one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity {
    /// Northward.
    pub north: f64,
    /// Eastward.
    pub east: f64,
}

impl Velocity {
    /// Of something that moves in a direction (degrees true) at a speed.
    pub fn toward(course_deg: f64, speed: f64) -> Velocity {
        let (sin, cos) = sin_cos_deg(course_deg);
        Velocity { north: speed * cos, east: speed * sin }
    }

    /// Of air that comes from a direction, as winds are named.
    pub fn from_direction(direction_deg: f64, speed: f64) -> Velocity {
        -Velocity::toward(direction_deg, speed)
    }

    /// The speed.
    pub fn speed(self) -> f64 {
        (self.north * self.north + self.east * self.east).sqrt()
    }

    /// The direction it moves to, degrees true, 0 to 360; 0 when it stands still.
    pub fn course_deg(self) -> f64 {
        direction_deg(self.east, self.north)
    }

    /// The parts ahead of a heading and to starboard of it.
    pub fn in_ships_axes(self, heading_deg: f64) -> (f64, f64) {
        let (sin, cos) = sin_cos_deg(heading_deg);
        (self.north * cos + self.east * sin, self.east * cos - self.north * sin)
    }

    /// From the parts ahead of a heading and to starboard of it.
    pub fn of_ship(heading_deg: f64, ahead: f64, starboard: f64) -> Velocity {
        let (sin, cos) = sin_cos_deg(heading_deg);
        Velocity { north: ahead * cos - starboard * sin, east: ahead * sin + starboard * cos }
    }
}

impl std::ops::Add for Velocity {
    type Output = Velocity;
    fn add(self, other: Velocity) -> Velocity {
        Velocity { north: self.north + other.north, east: self.east + other.east }
    }
}

impl std::ops::Sub for Velocity {
    type Output = Velocity;
    fn sub(self, other: Velocity) -> Velocity {
        Velocity { north: self.north - other.north, east: self.east - other.east }
    }
}

impl std::ops::Neg for Velocity {
    type Output = Velocity;
    fn neg(self) -> Velocity {
        Velocity { north: -self.north, east: -self.east }
    }
}

/// A wind as felt on board.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Felt {
    /// Where it comes from, clockwise from the bow, 0 <= angle < 360; 0 in a calm.
    pub angle_deg: f64,
    /// In the unit of the velocities.
    pub speed: f64,
}

impl Felt {
    /// Of air that moves so against the observer, on a given heading.
    pub fn of(air: Velocity, heading_deg: f64) -> Felt {
        let speed = air.speed();
        let angle_deg = if speed == 0.0 { 0.0 } else { wrap_360((-air).course_deg() - heading_deg) };
        Felt { angle_deg, speed }
    }

    /// The air's velocity against the observer.
    pub fn velocity(self, heading_deg: f64) -> Velocity {
        Velocity::from_direction(heading_deg + self.angle_deg, self.speed)
    }
}

/// The winds on board that follow from the wind over the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Winds {
    /// Apparent: ground wind less velocity over ground (MWV-R, VWR).
    pub apparent: Felt,
    /// True, over the water: apparent plus motion through the water (MWV-T, VWT).
    pub over_water: Felt,
}

/// The winds on board of a vessel with that heading, which moves so over the ground and so through the water.
pub fn winds(ground_wind: Velocity, over_ground: Velocity, through_water: Velocity, heading_deg: f64) -> Winds {
    let apparent = ground_wind - over_ground;
    Winds { apparent: Felt::of(apparent, heading_deg), over_water: Felt::of(apparent + through_water, heading_deg) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// golden-state: ground wind 270 / 12.0, 6.5 kn to 47.3 over ground, 6.2 kn ahead on 45.0.
    #[test]
    fn the_golden_triangle() {
        let over_ground = Velocity::toward(47.3, 6.5);
        let through_water = Velocity::toward(45.0, 6.2);
        let w = winds(Velocity::from_direction(270.0, 12.0), over_ground, through_water, 45.0);
        assert!((w.apparent.angle_deg - 256.3946).abs() < 5e-5 && (w.apparent.speed - 8.4619).abs() < 5e-5, "{w:?}");
        assert!(
            (w.over_water.angle_deg - 225.1184).abs() < 5e-5 && (w.over_water.speed - 11.6071).abs() < 5e-5,
            "{w:?}"
        );
        // The current that this state implies sets 86.51 at 0.3936 kn.
        let current = over_ground - through_water;
        assert!((current.course_deg() - 86.51).abs() < 5e-3 && (current.speed() - 0.3936).abs() < 5e-5);
        // VBW: 6.4948 ahead, 0.2609 to starboard.
        let (ahead, starboard) = over_ground.in_ships_axes(45.0);
        assert!((ahead - 6.4948).abs() < 5e-5 && (starboard - 0.2609).abs() < 5e-5);
    }

    /// VESSEL: without current and leeway both winds agree; 10 kn from ahead at 5 kn is felt as 15 from ahead.
    #[test]
    fn a_head_wind_adds_the_speed_of_the_boat() {
        for heading in [0.0, 90.0, 225.0, 359.9] {
            let boat = Velocity::toward(heading, 5.0);
            let w = winds(Velocity::from_direction(heading, 10.0), boat, boat, heading);
            assert!((w.apparent.speed - 15.0).abs() < 1e-12, "{w:?}");
            assert!(crate::core::vessel::units::wrap_180(w.apparent.angle_deg).abs() < 1e-9, "{w:?}");
            assert!((w.over_water.speed - 10.0).abs() < 1e-12, "{w:?}");
        }
    }

    /// 3-4-5: the boat goes north at 3 kn, the wind is from the west at 4 kn: felt 5 kn from atan2(-4, 3) = 306.87.
    #[test]
    fn a_beam_wind_draws_forward() {
        let boat = Velocity::toward(0.0, 3.0);
        let w = winds(Velocity::from_direction(270.0, 4.0), boat, boat, 0.0);
        assert!((w.apparent.speed - 5.0).abs() < 1e-12 && (w.apparent.angle_deg - 306.8699).abs() < 5e-5, "{w:?}");
        // A boat that drifts with the wind feels none, and the angle of none is 0.
        let calm = winds(Velocity::toward(10.0, 2.0), Velocity::toward(10.0, 2.0), Velocity::default(), 33.0);
        assert_eq!(calm.apparent, Felt { angle_deg: 0.0, speed: 0.0 });
    }

    #[test]
    fn ships_axes_go_there_and_back() {
        let v = Velocity::toward(123.4, 7.7);
        let (ahead, starboard) = v.in_ships_axes(301.0);
        let back = Velocity::of_ship(301.0, ahead, starboard);
        assert!((back - v).speed() < 1e-12);
        let felt = Felt::of(v, 301.0);
        assert!((felt.velocity(301.0) - v).speed() < 1e-12);
    }
}

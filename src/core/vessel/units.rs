//! Units and angles: named conversions, and trigonometry in degrees that gives the same bits on every machine.
//!
//! Uses only `+ - * /`, `sqrt` and the `libm` crate. The platform's own `sin` and `cos` must not appear here, nor in
//! anything that a simulated value depends on: they differ between processors and versions of the C library.

/// Metres in an international nautical mile.
pub const NM_M: f64 = 1852.0;
/// Metres per second in a knot.
pub const KN_M_S: f64 = 1852.0 / 3600.0;
/// Kilometres an hour in a knot.
pub const KN_KMH: f64 = 1.852;
/// Metres in an international foot.
pub const FOOT_M: f64 = 0.3048;
/// Metres in a fathom (six feet).
pub const FATHOM_M: f64 = 1.8288;
/// Radians in a degree.
pub const DEG_RAD: f64 = std::f64::consts::PI / 180.0;
/// Zero degrees Celsius in kelvin.
pub const ZERO_C_K: f64 = 273.15;
/// Pascals in a hectopascal.
pub const HPA_PA: f64 = 100.0;
/// Inches of mercury (conventional, 0 °C) in a hectopascal.
pub const HPA_INHG: f64 = 0.029_529_98;

/// An angle brought into 0 <= angle < 360. NaN and infinities give NaN.
pub fn wrap_360(degrees: f64) -> f64 {
    let r = degrees.rem_euclid(360.0);
    // A tiny negative angle rounds up to 360 exactly.
    if r >= 360.0 { 0.0 } else { r }
}

/// An angle brought into -180 < angle <= 180. NaN and infinities give NaN.
pub fn wrap_180(degrees: f64) -> f64 {
    let r = wrap_360(degrees);
    if r > 180.0 { r - 360.0 } else { r }
}

/// The shortest turn that leads from one direction to another: -180 < turn <= 180, clockwise positive.
pub fn turn(from_deg: f64, to_deg: f64) -> f64 {
    wrap_180(to_deg - from_deg)
}

/// Sine and cosine of an angle in degrees; exact at the multiples of 90.
pub fn sin_cos_deg(degrees: f64) -> (f64, f64) {
    let r = degrees % 360.0;
    let quadrant = libm::round(r / 90.0);
    let (s, c) = libm::sincos((r - 90.0 * quadrant) * DEG_RAD);
    // `+ 0.0` makes a negative zero a plain one.
    let (s, c) = match (quadrant as i32).rem_euclid(4) {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    };
    (s + 0.0, c + 0.0)
}

/// The direction of a vector in degrees, 0 <= direction < 360, from its component at 90 degrees and at 0 degrees; 0 for
/// no vector. For a course: east first, then north.
pub fn direction_deg(at_90: f64, at_0: f64) -> f64 {
    if at_90 == 0.0 && at_0 == 0.0 {
        return 0.0;
    }
    wrap_360(libm::atan2(at_90, at_0) / DEG_RAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_stay_in_their_ranges() {
        assert_eq!(wrap_360(360.0), 0.0);
        assert_eq!(wrap_360(-1e-20), 0.0);
        assert_eq!(wrap_360(-90.0), 270.0);
        assert_eq!(wrap_360(725.0), 5.0);
        assert_eq!(wrap_180(180.0), 180.0);
        assert_eq!(wrap_180(-180.0), 180.0);
        assert_eq!(wrap_180(181.0), -179.0);
        assert!(wrap_360(f64::NAN).is_nan() && wrap_180(f64::INFINITY).is_nan());
    }

    #[test]
    fn the_shortest_turn_goes_through_north() {
        assert_eq!(turn(350.0, 10.0), 20.0);
        assert_eq!(turn(10.0, 350.0), -20.0);
        assert_eq!(turn(0.0, 180.0), 180.0);
        assert_eq!(turn(90.0, 270.0), 180.0);
    }

    #[test]
    fn the_cardinal_points_are_exact() {
        for (deg, s, c) in
            [(0.0, 0.0, 1.0), (90.0, 1.0, 0.0), (180.0, 0.0, -1.0), (270.0, -1.0, 0.0), (-90.0, -1.0, 0.0)]
        {
            let (sin, cos) = sin_cos_deg(deg);
            assert_eq!((sin.to_bits(), cos.to_bits()), (f64::to_bits(s), f64::to_bits(c)), "{deg}");
        }
        let (s, c) = sin_cos_deg(30.0);
        assert!((s - 0.5).abs() < 1e-15 && (c - 0.75f64.sqrt()).abs() < 1e-15);
        let (s, c) = sin_cos_deg(-150.0 + 720.0);
        assert!((s + 0.5).abs() < 1e-15 && (c + 0.75f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn directions_are_compass_ones() {
        assert_eq!(direction_deg(0.0, 1.0), 0.0);
        assert_eq!(direction_deg(1.0, 0.0), 90.0);
        assert_eq!(direction_deg(0.0, -1.0), 180.0);
        assert_eq!(direction_deg(-1.0, 0.0), 270.0);
        assert_eq!(direction_deg(0.0, 0.0), 0.0);
    }

    /// What the model's bytes depend on must not call the platform's mathematics (`sqrt` is exact everywhere).
    #[test]
    fn no_platform_mathematics_below_the_model() {
        let sources = [
            include_str!("units.rs"),
            include_str!("geodesy.rs"),
            include_str!("wind.rs"),
            include_str!("magnetism.rs"),
            include_str!("../track/sail.rs"),
        ];
        let forbidden = ["sin", "cos", "tan", "atan2", "sin_cos", "exp", "ln", "powf", "powi", "hypot", "mul_add"];
        for (source, name) in sources.iter().flat_map(|s| forbidden.map(|f| (s, f))) {
            assert!(!source.contains(&format!(".{name}(")), ".{name}( is used");
        }
    }

    /// golden-state: 6.5 kn are 12.038 km/h and 3.343889 m/s; 12.4 m are 40.682 ft and 6.7804 fathoms.
    #[test]
    fn conversions_agree_with_worked_figures() {
        assert!((6.5 * KN_KMH - 12.038).abs() < 1e-12);
        assert!((6.5 * KN_M_S - 3.343_889).abs() < 5e-7);
        assert!((12.4 / FOOT_M - 40.682).abs() < 5e-4);
        assert!((12.4 / FATHOM_M - 6.7804).abs() < 5e-5);
        assert!((1013.25 * HPA_INHG - 29.92).abs() < 5e-3);
    }
}

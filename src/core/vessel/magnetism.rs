//! Magnetic variation from the World Magnetic Model (WMM2025, NOAA/NCEI and British Geological Survey, 2025 to 2030).
//!
//! Outside its years the model says nothing: the date is then brought to its nearest end, and the answer marked. Must
//! stay free of the platform's mathematics (the model's crate is built on `libm`), as a simulated compass depends on it.

use kinavis_kernel::{Distance, GeodeticPoint, Height};
use kinavis_wmm::{DecimalYear, Wmm};

use super::Position;
use crate::core::time::{DAY, Date, Utc, date_of};

/// First and last decimal year of the model.
const YEARS: (f64, f64) = (2025.0, 2030.0);
/// Cells of a [`Cache`], to a degree: about a kilometre, over which the variation changes by some thousandths of a degree.
const CELLS: f64 = 100.0;

/// A variation, and how far it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variation {
    /// Degrees, east positive, -180 to 180.
    pub degrees: f64,
    /// The date lies outside the years of the model, and the nearest end of them was taken.
    pub clamped: bool,
}

/// The variation at sea level on a moment. `None` for what is no position.
pub fn variation(position: Position, utc: Utc) -> Option<Variation> {
    let (first, last) = YEARS;
    let year = decimal_year(utc);
    let degrees = declination(position, 0.0, year.clamp(first, last))?;
    Some(Variation { degrees, clamped: !(first..=last).contains(&year) })
}

/// Degrees at a height in metres above the ellipsoid, in a decimal year of the model.
fn declination(position: Position, height_m: f64, year: f64) -> Option<f64> {
    let place = kinavis_kernel::Position::from_degrees(position.latitude, position.longitude).ok()?;
    let height = Height::above_ellipsoid(Distance::from_metres(height_m).ok()?);
    let field = Wmm::WMM2025.field_in(GeodeticPoint::new(place, height), DecimalYear::new(year).ok()?).ok()?;
    Some(field.declination().degrees())
}

/// The year and the part of it that has passed.
fn decimal_year(utc: Utc) -> f64 {
    let year = date_of(utc).year;
    let start = Date { year, month: 1, day: 1 }.days();
    let length = Date { year: year + 1, month: 1, day: 1 }.days() - start;
    f64::from(year) + (utc as f64 / DAY as f64 - start as f64) / length as f64
}

/// Keeps the last variation, so that a vessel can ask at every step.
///
/// The answer is that of the middle of a hundredth of a degree, at noon of the day: it depends on where and when one asks
/// and never on what was asked before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cache {
    last: Option<(Cell, Option<Variation>)>,
}

/// A square of a hundredth of a degree, and a day.
type Cell = (i32, i32, Date);

impl Cache {
    /// The variation there and then. `None` for what is no position.
    pub fn variation(&mut self, position: Position, utc: Utc) -> Option<Variation> {
        let day = date_of(utc);
        let row = libm::floor(position.latitude * CELLS) as i32;
        let column = libm::floor(position.longitude * CELLS) as i32;
        let cell = (row, column, day);
        if let Some((known, answer)) = self.last
            && known == cell
        {
            return answer;
        }
        let middle = Position {
            latitude: ((f64::from(row) + 0.5) / CELLS).clamp(-90.0, 90.0),
            longitude: ((f64::from(column) + 0.5) / CELLS).clamp(-180.0, 180.0),
        };
        let known = Position::new(position.latitude, position.longitude).is_some();
        let answer = if known { variation(middle, day.midnight() + DAY / 2) } else { None };
        self.last = Some((cell, answer));
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NOAA's own test values (WMM2025_TestValues.txt): year, height km, latitude, longitude, declination to 0.01 degree.
    #[rustfmt::skip]
    const NOAA: [(f64, f64, f64, f64, f64); 53] = [
        (2025.0, 28.0, 89.0, -121.0, -99.77), (2025.0, 48.0, 80.0, -96.0, -29.91), (2025.0, 54.0, 82.0, 87.0, 54.89),
        (2025.0, 51.0, -33.0, 109.0, -5.49), (2025.0, 3.0, -50.0, -103.0, 27.96), (2025.0, 66.0, 14.0, 143.0, -0.19),
        (2025.5, 6.0, -36.0, -137.0, 20.28), (2025.5, 69.0, 38.0, -144.0, 12.93), (2025.5, 8.0, -52.0, -75.0, 14.91),
        (2025.5, 22.0, -37.0, 140.0, 9.28), (2025.5, 44.0, 33.0, -118.0, 11.10), (2026.0, 74.0, -57.0, 3.0, -22.51),
        (2026.0, 69.0, 23.0, 63.0, 1.17), (2026.0, 47.0, -72.0, -22.0, -6.32), (2026.0, 83.0, 86.0, -46.0, -30.61),
        (2026.0, 34.0, -19.0, 43.0, -14.98), (2026.5, 14.0, 0.0, 80.0, -3.10), (2026.5, 44.0, -46.0, -42.0, -11.36),
        (2026.5, 64.0, 10.0, 78.0, -1.53), (2026.5, 12.0, -79.0, 115.0, -137.58), (2026.5, 19.0, 29.0, 66.0, 2.24),
        (2027.0, 37.0, -66.0, -5.0, -17.22), (2027.0, 44.0, 22.0, 174.0, 6.46), (2027.0, 57.0, -43.0, 50.0, -48.27),
        (2027.0, 12.0, -63.0, 178.0, 57.87), (2027.0, 61.0, 59.0, -77.0, -16.48), (2027.5, 8.0, 62.0, 53.0, 19.39),
        (2027.5, 98.0, -5.0, 159.0, 7.79), (2027.5, 60.0, 27.0, 65.0, 1.85), (2027.5, 96.0, -46.0, -85.0, 17.93),
        (2027.5, 16.0, 66.0, -178.0, 0.37), (2028.0, 49.0, 20.0, 167.0, 5.10), (2028.0, 95.0, 14.0, 65.0, -0.51),
        (2028.0, 30.0, -36.0, -64.0, -4.65), (2028.0, 75.0, 79.0, 125.0, -18.59), (2028.0, 21.0, 6.0, -32.0, -14.34),
        (2028.0, 45.0, -46.0, -41.0, -11.68), (2028.5, 28.0, 54.0, -120.0, 15.43), (2028.5, 39.0, -65.0, -88.0, 29.45),
        (2028.5, 11.0, 34.0, 0.0, 1.57), (2028.5, 55.0, 86.0, 70.0, 67.64), (2028.5, 65.0, 48.0, 148.0, -9.55),
        (2029.0, 95.0, -60.0, -59.0, 8.58), (2029.0, 50.0, 87.0, -154.0, -73.48), (2029.0, 57.0, 34.0, -13.0, -1.89),
        (2029.0, 49.0, -50.0, -179.0, 32.11), (2029.0, 41.0, 42.0, -19.0, -4.13), (2029.5, 31.0, 13.0, -132.0, 9.04),
        (2029.5, 51.0, -76.0, 40.0, -56.34), (2029.5, 26.0, -65.0, 55.0, -63.48), (2029.5, 18.0, 9.0, -172.0, 9.24),
        (2029.5, 63.0, 88.0, 26.0, 36.52), (2029.5, 33.0, 17.0, 5.0, 0.89),
    ];

    #[test]
    fn official_test_values() {
        for (year, km, latitude, longitude, expected) in NOAA {
            let got = declination(Position { latitude, longitude }, km * 1000.0, year).unwrap();
            assert!((got - expected).abs() <= 0.005 + 1e-9, "{year} {km} {latitude} {longitude}: {got} {expected}");
        }
    }

    /// 2028 is a leap year: noon of 1 July is day 182.5 of 366.
    #[test]
    fn years_have_their_own_length() {
        assert_eq!(decimal_year(Date { year: 2027, month: 1, day: 1 }.midnight()), 2027.0);
        let noon = Date { year: 2028, month: 7, day: 1 }.midnight() + DAY / 2;
        assert!((decimal_year(noon) - (2028.0 + 182.5 / 366.0)).abs() < 1e-12);
    }

    #[test]
    fn a_date_outside_the_model_is_brought_to_its_end_and_marked() {
        let here = Position { latitude: 37.88, longitude: 23.62 };
        let on = |year, month, day| variation(here, Date { year, month, day }.midnight()).unwrap();
        assert!(!on(2025, 1, 1).clamped && !on(2029, 12, 31).clamped && !on(2030, 1, 1).clamped);
        assert_eq!(on(2010, 5, 5), Variation { clamped: true, ..on(2025, 1, 1) });
        assert_eq!(on(2044, 5, 5), Variation { clamped: true, ..on(2030, 1, 1) });
        assert!(variation(here, Utc::MAX).unwrap().clamped && variation(here, Utc::MIN).unwrap().clamped);
        assert_eq!(on(1700, 1, 1).degrees, on(2025, 1, 1).degrees);
    }

    #[test]
    fn the_cache_does_not_remember_the_way() {
        let utc = Date { year: 2026, month: 9, day: 22 }.midnight();
        let (a, b) =
            (Position { latitude: 37.985, longitude: 23.725 }, Position { latitude: -89.9999, longitude: 180.0 });
        let mut there_and_back = Cache::default();
        let first = there_and_back.variation(a, utc).unwrap();
        let other = there_and_back.variation(b, utc).unwrap();
        assert_eq!(there_and_back.variation(a, utc), Some(first));
        assert_eq!(Cache::default().variation(b, utc), Some(other));
        assert!((first.degrees - variation(a, utc).unwrap().degrees).abs() < 0.005);
        assert_eq!(there_and_back.variation(Position { latitude: f64::NAN, longitude: 0.0 }, utc), None);
    }
}

//! Which part of the world the chart shows.
//!
//! Knows no screen: the scale is metres across one column.

use crate::core::vessel::Position;

/// Where the chart stands.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartState {
    /// Index into [`RANGES_NM`]: nautical miles from the middle to the nearer edge.
    pub zoom: usize,
    /// The middle; `None`: follows the vessel.
    pub middle: Option<Position>,
    /// The chosen target: MMSI and name, for what only radar sees has no MMSI.
    pub target: Option<(u32, String)>,
}

/// The ranges to choose from, as on a radar.
pub const RANGES_NM: [f64; 14] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

/// The latitude up to which the chart is moved.
const FURTHEST: f64 = 89.9;

impl Default for ChartState {
    fn default() -> Self {
        ChartState { zoom: 4, middle: None, target: None }
    }
}

impl ChartState {
    /// Nautical miles from the middle to the nearer edge.
    pub fn range_nm(&self) -> f64 {
        RANGES_NM.get(self.zoom).copied().unwrap_or(1.0)
    }

    /// Closer.
    pub fn closer(&mut self) {
        self.zoom = self.zoom.saturating_sub(1);
    }

    /// Further away.
    pub fn further(&mut self) {
        self.zoom = (self.zoom + 1).min(RANGES_NM.len() - 1);
    }

    /// Moves the middle by parts of the range, from where it stands or from the vessel.
    pub fn pan(&mut self, vessel: Option<Position>, east: f64, north: f64) {
        let Some(from) = self.middle.or(vessel) else { return };
        let step = self.range_nm() / 60.0;
        // up to the pole, not over it; whoever is beyond stays there
        let most = from.latitude.abs().max(FURTHEST);
        let latitude = (from.latitude + north * step).clamp(-most, most);
        let wide = latitude.to_radians().cos().max(1e-3);
        let longitude = (from.longitude + east * step / wide + 180.0).rem_euclid(360.0) - 180.0;
        self.middle = Some(Position { latitude, longitude });
    }

    /// Whether a target is the chosen one.
    pub fn chose(&self, mmsi: u32, name: &str) -> bool {
        // a ship whose name was heard since it was chosen is still the same
        self.target.as_ref().is_some_and(|(m, n)| *m == mmsi && (mmsi != 0 || n == name))
    }

    /// What lies under the cursor.
    pub fn cursor(&self, vessel: Option<Position>) -> Option<Position> {
        self.middle.or(vessel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panning_keeps_miles_and_stays_on_the_globe() {
        let mut chart = ChartState::default(); // 1 nm
        let home = Position { latitude: 60.0, longitude: 179.99 };
        chart.pan(Some(home), 0.0, 1.0);
        assert!((chart.middle.unwrap().latitude - (60.0 + 1.0 / 60.0)).abs() < 1e-12);
        // one mile east on 60 N is two minutes of longitude: over the date line
        chart.pan(None, 1.0, -1.0);
        let at = chart.middle.unwrap();
        assert!((at.longitude - (-180.0 + (179.99 + 2.0 / 60.0 - 180.0))).abs() < 1e-6, "{at:?}");
        for _ in 0..20_000 {
            chart.pan(None, 1.0, 1.0);
        }
        assert_eq!(chart.middle.unwrap().latitude, 89.9);
        // close to the pole a step is a step: a mile north of 89 N is 89 N and a minute
        let mut polar = ChartState::default();
        polar.pan(Some(Position { latitude: 89.0, longitude: 20.0 }), 0.0, 1.0);
        assert!((polar.middle.unwrap().latitude - (89.0 + 1.0 / 60.0)).abs() < 1e-12);
        // and a mile east there: a degree of longitude is 60 cos 89 = 1.047 miles
        polar.pan(Some(Position { latitude: 89.0, longitude: 20.0 }), 1.0, -1.0);
        assert!((polar.middle.unwrap().longitude - 20.0 - 1.0 / (60.0 * 89_f64.to_radians().cos())).abs() < 1e-9);
        for _ in 0..30 {
            chart.further();
        }
        assert_eq!(chart.range_nm(), 512.0);
        ChartState { middle: None, ..chart }.pan(None, 1.0, 0.0);
    }
}

//! The simulated ships as a radar with a plotter (ARPA) sees them: what TTM says.
//!
//! Keeps which number stands for which ship, as a plotter does; a ship that leaves the range gives its number back.

use super::cpa::{Motion, approach};
use super::fleet::Fleet;
use crate::core::time::{Offset, SECOND};
use crate::core::vessel::Label;

/// A radar turns 24 times a minute: TTM every 2.5 s.
pub const SWEEP: Offset = 5 * SECOND / 2;
/// Most targets, numbered 1 to 99.
pub const MOST: usize = 99;

/// One tracked target: the fields of TTM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Track {
    /// 1 to 99.
    pub number: u8,
    /// Nautical miles from the own ship.
    pub distance_nm: f64,
    /// Degrees true from the own ship.
    pub bearing_true_deg: f64,
    /// Knots.
    pub speed_kn: f64,
    /// Degrees true.
    pub course_true_deg: f64,
    /// Nautical miles.
    pub cpa_nm: f64,
    /// Minutes; negative when past.
    pub tcpa_min: f64,
    /// Name of the ship.
    pub name: Label,
    /// `Q` acquiring (the first sweep), `T` tracked, `L` lost (the last time it is said).
    pub status: u8,
}

/// A plotter: numbers and ships.
#[derive(Clone, Debug, PartialEq)]
pub struct Radar {
    tracks: [Option<(u32, Track)>; MOST],
}

impl Default for Radar {
    fn default() -> Radar {
        Radar { tracks: [None; MOST] }
    }
}

impl Radar {
    /// Tracks nobody.
    pub fn new() -> Radar {
        Radar::default()
    }

    /// What it sees within `range_nm` at an offset, by number. Of more than 99 the nearest are tracked; one that has a
    /// number keeps it as long as it is among them.
    pub fn sweep(&mut self, fleet: &Fleet, own: &Motion, at: Offset, range_nm: f64) -> Vec<Track> {
        let mut seen: Vec<(u32, Track)> = Vec::new();
        for ship in fleet.ships.iter().filter(|s| s.starts_at <= at) {
            let motion = ship.motion(at);
            let a = approach(own, &motion);
            if a.range_nm <= range_nm {
                let track = Track {
                    number: 0,
                    distance_nm: a.range_nm,
                    bearing_true_deg: a.bearing_true_deg,
                    speed_kn: motion.speed_kn,
                    course_true_deg: motion.course_true_deg,
                    cpa_nm: a.cpa_nm,
                    tcpa_min: a.tcpa_min,
                    name: Label::new(ship.name.as_bytes()),
                    status: b'T',
                };
                seen.push((ship.mmsi, track));
            }
        }
        seen.sort_by(|a, b| a.1.distance_nm.total_cmp(&b.1.distance_nm).then(a.0.cmp(&b.0)));
        seen.truncate(MOST);
        let mut out = Vec::with_capacity(seen.len());
        // Those that have a number first, so that the numbers of the lost are free for the new.
        for place in &mut self.tracks {
            let Some((mmsi, last)) = *place else { continue };
            if let Some(i) = seen.iter().position(|(m, _)| *m == mmsi) {
                let (_, track) = seen.remove(i);
                let track = Track { number: last.number, ..track };
                *place = Some((mmsi, track));
                out.push(track);
            } else {
                out.push(Track { status: b'L', ..last });
                *place = None;
            }
        }
        for (mmsi, track) in seen {
            // A number said to be lost in this sweep is given away in the next.
            let free = |i: usize| !out.iter().any(|t: &Track| usize::from(t.number) == i + 1);
            let Some(i) = (0..MOST).find(|i| self.tracks[*i].is_none() && free(*i)) else { continue };
            let track = Track { number: i as u8 + 1, status: b'Q', ..track };
            self.tracks[i] = Some((mmsi, track));
            out.push(track);
        }
        out.sort_by_key(|t| t.number);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::fleet::Ship;
    use super::*;
    use crate::core::time::MINUTE;
    use crate::core::vessel::Position;

    fn still(mmsi: u32, longitude: f64) -> Ship {
        Ship { mmsi, position: Position { latitude: 0.0, longitude }, ..Ship::default() }
    }
    const OWN: Motion =
        Motion { position: Position { latitude: 0.0, longitude: 0.0 }, course_true_deg: 0.0, speed_kn: 0.0 };

    #[test]
    fn numbers_stay_with_their_ships() {
        let leaving = Ship { speed_kn: 60.0, course_true_deg: 90.0, ..still(1, 0.1) }; // a mile a minute
        let coming = Ship { speed_kn: 60.0, course_true_deg: 270.0, ..still(3, 0.3) };
        let fleet = Fleet::new(vec![leaving, still(2, -0.1), coming]);
        let mut radar = Radar::new();
        let shown = |tracks: Vec<Track>| tracks.iter().map(|t| (t.number, t.status as char)).collect::<Vec<_>>();
        assert_eq!(shown(radar.sweep(&fleet, &OWN, 0, 12.0)), [(1, 'Q'), (2, 'Q')]);
        assert_eq!(shown(radar.sweep(&fleet, &OWN, MINUTE, 12.0)), [(1, 'T'), (2, 'T')]);
        assert_eq!(shown(radar.sweep(&fleet, &OWN, 7 * MINUTE, 12.0)), [(1, 'L'), (2, 'T'), (3, 'Q')]);
        assert_eq!(shown(radar.sweep(&fleet, &OWN, 8 * MINUTE, 12.0)), [(2, 'T'), (3, 'T')]);
    }

    #[test]
    fn at_most_ninety_nine_the_nearest() {
        let fleet = Fleet::new((0..150).map(|i| still(i + 1, f64::from(150 - i) / 1000.0)).collect());
        let tracks = Radar::new().sweep(&fleet, &OWN, 0, 24.0);
        assert_eq!(tracks.len(), 99);
        // 0.099 degrees of the equator are 5.951 nm.
        assert!(tracks.iter().all(|t| t.distance_nm < 5.96));
    }
}

//! The satellites in view: plausible, slowly moving, and the same for the same seed and moment.
//!
//! A function of seed and offset alone.

use super::rng::draw;
use crate::core::profile::schema::Gnss;
use crate::core::time::{MINUTE, Offset, SECOND};
use crate::core::vessel::units::{sin_cos_deg, wrap_360};
use crate::core::vessel::{Constellation, Satellite, System};

/// Satellites are looked at anew so often.
pub const LOOK: Offset = 5 * SECOND;

/// Numbers of a system: in lists of NMEA 2.3 those that receivers give them so that they stay apart, in 4.10 from 1 where
/// the talker and the system id tell systems apart.
fn numbers(system: System, v410: bool) -> (u16, u16) {
    match system {
        System::Gps => (1, 32),
        System::Glonass => (65, 24),
        System::Galileo => (if v410 { 1 } else { 301 }, 36),
        System::Beidou => (if v410 { 1 } else { 401 }, 37),
        System::Qzss => (193, 7),
        System::Navic => (1, 14),
    }
}

/// The satellites of a system at an offset: `in_view` of them, of which the highest `satellites` are used.
pub fn look(seed: u64, system: System, gnss: &Gnss, at: Offset) -> Constellation {
    let (first, count) = numbers(system, gnss.nmea_version);
    let name = ["gps", "glonass", "galileo", "beidou", "qzss", "navic"][system as usize - 1];
    let bits = |what: u64, n: u64| draw(seed, name, what as i64, n);
    let in_view = u16::from(gnss.in_view.max(gnss.satellites)).min(16).min(count);
    let minutes = (at / LOOK * LOOK) as f64 / MINUTE as f64;
    let mut satellites = [Satellite::default(); 16];
    let offset = bits(1, 0) % u64::from(count);
    for (i, place) in satellites.iter_mut().enumerate().take(usize::from(in_view)) {
        let i = i as u64;
        // Spread over the numbers without meeting twice: a step that shares no divisor with the count.
        let step = if count.is_multiple_of(5) { 3 } else { 5 };
        let prn = first + ((offset + i * step) % u64::from(count)) as u16;
        // Half a degree a minute along, and up and down between 5 and 80 degrees within hours.
        let around = (bits(2, i) % 3600) as f64 / 10.0;
        let drift = if bits(3, i) & 1 == 0 { 0.25 } else { -0.25 };
        let height = sin_cos_deg((bits(4, i) % 3600) as f64 / 10.0 + 0.6 * minutes).0;
        let elevation = 42.5 + 37.5 * height;
        // Stronger when high, and never quite still.
        let flicker = (draw(seed, name, at / LOOK, 100 + i) % 3) as f64 - 1.0;
        let snr = 26.0 + 22.0 * sin_cos_deg(elevation).0 + flicker;
        *place = Satellite {
            prn,
            elevation_deg: libm::round(elevation) as i8,
            azimuth_true_deg: wrap_360(libm::round(around + drift * minutes)) as i16,
            snr_db: libm::round(snr) as i8,
            used: false,
        };
    }
    let mut order: Vec<usize> = (0..usize::from(in_view)).collect();
    order.sort_by_key(|i| (-i16::from(satellites[*i].elevation_deg), *i));
    for (rank, i) in order.into_iter().enumerate() {
        if rank < usize::from(gnss.satellites) {
            satellites[i].used = true;
        } else {
            satellites[i].snr_db = -1;
        }
    }
    // Highest first, as receivers list them.
    satellites[..usize::from(in_view)].sort_by_key(|s| (!s.used, s.prn));
    Constellation { in_view: None, used: None, satellites }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::profile::Profile;
    use crate::core::time::HOUR;

    #[test]
    fn they_are_plausible_all_day() {
        let mut p = Profile::built_in();
        p.set("gnss.in_view", "12").unwrap();
        let systems = [System::Gps, System::Glonass, System::Galileo, System::Beidou, System::Qzss, System::Navic];
        for hour in 0..24 {
            for system in systems {
                let c = look(7, system, &p.gnss, hour * HOUR);
                let (first, count) = numbers(system, false);
                let seen: Vec<&Satellite> = c.satellites.iter().filter(|s| s.prn > 0).collect();
                assert_eq!(seen.len(), usize::from(count.min(12)));
                assert_eq!(seen.iter().filter(|s| s.used).count(), usize::from(count.min(8)));
                for s in &seen {
                    assert!((5..=80).contains(&s.elevation_deg), "{s:?}");
                    assert!((0..360).contains(&s.azimuth_true_deg), "{s:?}");
                    assert!(if s.used { (24..=49).contains(&s.snr_db) } else { s.snr_db == -1 }, "{s:?}");
                    assert!((first..first + count).contains(&s.prn));
                    assert_eq!(seen.iter().filter(|o| o.prn == s.prn).count(), 1, "{system:?} {seen:?}");
                }
            }
        }
    }

    #[test]
    fn they_move_slowly_and_are_the_same_for_the_same_seed() {
        let p = Profile::built_in();
        let at = |t| look(7, System::Gps, &p.gnss, t);
        assert_eq!(at(HOUR), at(HOUR));
        assert_eq!(at(HOUR), at(HOUR + LOOK - 1));
        let by_prn = |t| {
            let mut s: Vec<_> = at(t).satellites.iter().map(|s| (s.prn, s.azimuth_true_deg)).collect();
            s.sort_unstable();
            s
        };
        let moved = by_prn(0).iter().zip(by_prn(10 * MINUTE)).all(|(a, b)| a.0 == b.0 && (a.0 == 0 || a.1 != b.1));
        assert!(moved);
    }
}

//! The simulated ships of a profile as a fleet, and what a change does to those that are under way.
//!
//! Must not know when they speak: that is the fleet's own business.

use crate::core::ais::fleet::{Fleet, Ship};
use crate::core::profile::schema::Target;
use crate::core::time::Offset;
use crate::core::vessel::Position;

/// The ships of a profile; a target without an MMSI or a place is none yet.
pub fn of(targets: &[Target]) -> Fleet {
    Fleet::new(targets.iter().filter_map(|t| ship(t, 0)).collect())
}

/// Refuses two ships with one MMSI.
///
/// # Errors
/// The first that is there twice.
pub fn every_ship_is_another(targets: &[Target]) -> Result<(), String> {
    let before = |n: usize| targets[..n].iter().any(|t| t.mmsi.is_some() && t.mmsi == targets[n].mmsi);
    match (0..targets.len()).find(|n| before(*n)) {
        Some(n) => Err(format!("target.{n}.mmsi: another target has it: give each ship its own")),
        None => Ok(()),
    }
}

/// The fleet after a change at a moment: a ship that did not change goes on; one that did goes on from where it is, with
/// what is new.
pub fn changed(fleet: &Fleet, old: &[Target], new: &[Target], now: Offset) -> Fleet {
    let mut ships = Vec::new();
    for target in new {
        let was = old.iter().find(|t| t.mmsi == target.mmsi);
        let sails = fleet.ships.iter().find(|s| Some(s.mmsi) == target.mmsi);
        match (sails, was) {
            (Some(ship), Some(was)) if was == target => ships.push(ship.clone()),
            (Some(sails), Some(was)) => {
                let Some(mut ship) = ship(target, now) else { continue };
                let motion = sails.motion(now);
                if was.latitude == target.latitude {
                    ship.position.latitude = motion.position.latitude;
                }
                if was.longitude == target.longitude {
                    ship.position.longitude = motion.position.longitude;
                }
                if was.course == target.course {
                    ship.course_true_deg = motion.course_true_deg;
                }
                ships.push(ship);
            }
            _ => ships.extend(ship(target, now)),
        }
    }
    Fleet::new(ships)
}

fn ship(t: &Target, starts_at: Offset) -> Option<Ship> {
    Some(Ship {
        mmsi: t.mmsi?,
        class_a: t.class_a,
        name: t.name.clone(),
        callsign: t.callsign.clone(),
        ship_type: t.ship_type,
        nav_status: t.nav_status,
        imo: t.imo,
        dimensions_m: [t.to_bow, t.to_stern, t.to_port, t.to_starboard],
        draught_m: t.draught,
        destination: t.destination.clone(),
        position: Position { latitude: t.latitude?, longitude: t.longitude? },
        course_true_deg: t.course,
        speed_kn: t.speed,
        rate_of_turn_deg_min: t.rate_of_turn,
        starts_at,
    })
}

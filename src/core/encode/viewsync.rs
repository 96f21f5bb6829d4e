//! ViewSync, as Google Earth's slaves and Liquid Galaxy listen to it: one line a datagram that says where the camera is.
//!
//! `counter,latitude,longitude,altitude,heading,tilt,roll,time begin,time end,planet`. Times of 0 leave the historical
//! imagery alone; an empty planet is the Earth.

use crate::core::vessel::units::wrap_360;
use crate::core::vessel::{Bare, Vessel};

/// Height of the camera above the vessel's own altitude, metres: a view from aloft that shows the water ahead.
pub const CAMERA_ABOVE_M: f64 = 30.0;
/// Tilt of the camera on an even keel: 0 looks straight down, 90 at the horizon.
pub const CAMERA_TILT_DEG: f64 = 80.0;

/// The line, without line end; `None` while the vessel does not know where it is. The camera looks along the heading, else
/// along the course, else north; it pitches and heels with the vessel.
pub fn line(counter: u64, vessel: &Vessel) -> Option<String> {
    let position = vessel.position.bare().filter(|_| vessel.gnss.valid.bare() != Some(false))?;
    let altitude = vessel.gnss.altitude_m.bare().unwrap_or(0.0) + CAMERA_ABOVE_M;
    let heading = wrap_360(vessel.heading_true_deg.bare().or(vessel.cog_true_deg.bare()).unwrap_or(0.0));
    let tilt = (CAMERA_TILT_DEG + vessel.pitch_deg.bare().unwrap_or(0.0)).clamp(0.0, 180.0);
    let roll = vessel.heel_deg.bare().unwrap_or(0.0);
    // Rounding must not make 360.0 of a heading, nor a negative zero of anything.
    let round = |value: f64, scale: f64| libm::round(value * scale) / scale + 0.0;
    Some(format!(
        "{counter},{:.7},{:.7},{:.1},{:.2},{:.2},{:.2},0.0,0.0,",
        round(position.latitude, 1e7),
        round(position.longitude, 1e7),
        round(altitude, 1e1),
        wrap_360(round(heading, 1e2)),
        round(tilt, 1e2),
        round(roll, 1e2),
    ))
}

//! Which keys of the profile the control pane shows, in which order, and by which short names.
//!
//! Reads a snapshot; sends nothing.

use super::model::Model;
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::Control;

/// The keys of the small pane and their names in it. The first is what Left and Right steer.
const FAVOURITES: &[(&str, &str)] = &[
    ("vessel.speed", "SPD"),
    ("environment.depth", "DEPTH"),
    ("environment.water_temperature", "WATER"),
    ("environment.wind_direction", "WIND"),
    ("environment.wind_speed", "WIND"),
    ("steering.mode", "STEER"),
    ("destination.name", "WPT"),
    ("environment.current_set", "SET"),
    ("environment.current_drift", "DRIFT"),
    ("gnss.fix", "FIX"),
];

/// What Left and Right steer in the present mode: heading, the autopilot's heading, or the rudder.
pub fn steered(snapshot: &Snapshot) -> &'static str {
    match value(snapshot, "steering.mode") {
        Some("rudder") => "steering.rudder",
        Some("heading") => "steering.heading",
        _ => "vessel.heading",
    }
}

/// The value of a key, as it would be typed.
pub fn value<'a>(snapshot: &'a Snapshot, key: &str) -> Option<&'a str> {
    snapshot.controls.iter().find(|c| c.key == key).map(|c| c.value.as_str())
}

/// The controls of the pane, with the name it has there: a few, or all by section when zoomed.
pub fn shown<'a>(model: &Model, snapshot: &'a Snapshot) -> Vec<(&'a str, &'a Control)> {
    let all = &snapshot.controls;
    if model.zoom {
        return all.iter().map(|c| (c.label.as_str(), c)).collect();
    }
    let steer = steered(snapshot);
    let name = if steer == "steering.rudder" { "RUDDER" } else { "HDG" };
    let mut rows: Vec<(&str, &Control)> = Vec::new();
    for (key, name) in [(steer, name)].into_iter().chain(FAVOURITES.iter().copied()) {
        rows.extend(all.iter().find(|c| c.key == key).map(|c| (name, c)));
    }
    // a source with keys of its own: show what there is
    if rows.is_empty() { all.iter().map(|c| (c.label.as_str(), c)).collect() } else { rows }
}

/// The chosen control: by its key, else the first.
pub fn chosen(model: &Model, snapshot: &Snapshot) -> usize {
    let rows = shown(model, snapshot);
    let at = |key: &str| rows.iter().position(|(_, c)| c.key == key);
    at(&model.control).or_else(|| at(steered(snapshot))).unwrap_or(0)
}

/// Faults that are switched on now, in words.
pub fn faults(snapshot: &Snapshot) -> Vec<&str> {
    let on = |c: &&Control| c.key.starts_with("fault.") && c.key.ends_with(".enabled") && c.value == "true";
    snapshot.controls.iter().filter(on).filter_map(|c| c.key.split('.').nth(1)).collect()
}

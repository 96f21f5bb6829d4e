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

/// The chosen control: by its key, else the one that is steered.
pub fn chosen(model: &Model, snapshot: &Snapshot) -> usize {
    let rows = shown(model, snapshot);
    let at = |key: &str| rows.iter().position(|(_, c)| c.key == key);
    // a fault gets a number once it is switched on: `fault.checksum.enabled` is `fault.0.enabled` then
    let numbered = || {
        let (kind, leaf) = model.control.strip_prefix("fault.")?.split_once('.')?;
        rows.iter().position(|(_, c)| c.key.ends_with(leaf) && fault_kind(snapshot, &c.key) == Some(kind))
    };
    at(&model.control).or_else(numbered).or_else(|| at(steered(snapshot))).unwrap_or(0)
}

/// The kind of fault that a key belongs to: `fault.noise.enabled`, or `fault.0.rate` by what `fault.0.kind` says.
pub fn fault_kind<'a>(snapshot: &'a Snapshot, key: &'a str) -> Option<&'a str> {
    let (name, _) = key.strip_prefix("fault.")?.split_once('.')?;
    let kind = snapshot
        .controls
        .iter()
        .find(|c| c.key.strip_prefix("fault.").and_then(|k| k.strip_suffix(".kind")).is_some_and(|n| n == name));
    Some(kind.map_or(name, |c| c.value.trim_matches('"')))
}

/// Faults that are switched on now, by kind.
pub fn faults(snapshot: &Snapshot) -> Vec<&str> {
    let on = |c: &&Control| c.key.starts_with("fault.") && c.key.ends_with(".enabled") && c.value == "true";
    snapshot.controls.iter().filter(on).filter_map(|c| fault_kind(snapshot, &c.key)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::input::Size;

    #[test]
    fn a_fault_is_known_by_its_kind_before_and_after_it_has_a_number() {
        let control = |key: &str, value: &str| Control { key: key.into(), value: value.into(), ..Control::default() };
        let model = Model { zoom: true, control: "fault.noise.enabled".into(), ..Model::new(Size::default()) };
        let mut s = Snapshot {
            controls: vec![control("vessel.heading", "1"), control("fault.noise.enabled", "false")],
            ..Snapshot::default()
        };
        assert_eq!((faults(&s), chosen(&model, &s)), (vec![], 1));
        s.controls = vec![
            control("vessel.heading", "1"),
            control("fault.0.kind", "lost"),
            control("fault.0.enabled", "false"),
            control("fault.1.kind", "noise"),
            control("fault.1.enabled", "true"),
        ];
        assert_eq!((faults(&s), chosen(&model, &s)), (vec!["noise"], 4));
    }
}

//! Which keys of the profile the control pane shows, in which order, and by which short names.
//!
//! Reads a snapshot; sends nothing.

use super::model::Model;
use super::tables;
use crate::core::profile::key::{self, Kind};
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

/// The controls of the small pane, with the names they have there.
pub fn shown(snapshot: &Snapshot) -> Vec<(&str, &Control)> {
    let all = &snapshot.controls;
    let steer = steered(snapshot);
    let name = if steer == "steering.rudder" { "RUDDER" } else { "HDG" };
    let mut rows: Vec<(&str, &Control)> = Vec::new();
    for (key, name) in [(steer, name)].into_iter().chain(FAVOURITES.iter().copied()) {
        rows.extend(all.iter().find(|c| c.key == key).map(|c| (name, c)));
    }
    // a source with keys of its own: show what there is
    if rows.is_empty() { all.iter().map(|c| (c.label.as_str(), c)).collect() } else { rows }
}

/// The chosen row of the small pane: by its key, else the one that is steered.
pub fn chosen(model: &Model, snapshot: &Snapshot) -> usize {
    let rows = shown(snapshot);
    let at = |key: &str| rows.iter().position(|(_, c)| c.key == key);
    at(&model.control).or_else(|| at(steered(snapshot))).unwrap_or(0)
}

/// The control that the keys act on, in the small pane or in its tables.
pub fn at_cursor<'a>(model: &Model, snapshot: &'a Snapshot) -> Option<&'a Control> {
    if model.zoom {
        let all = tables::tables(snapshot, model.size.cols);
        let at = tables::place(&all, snapshot, &model.control)?;
        return all.get(at.table)?.control(at.row, at.column);
    }
    shown(snapshot).get(chosen(model, snapshot)).map(|(_, c)| *c)
}

/// Where something can be added or taken away: the list, or `destination`, and which of its elements.
pub fn element_at_cursor(model: &Model, snapshot: &Snapshot) -> Option<(&'static str, Option<String>)> {
    let all = tables::tables(snapshot, model.size.cols);
    let at = tables::place(&all, snapshot, &model.control).filter(|_| model.zoom)?;
    let section = all.get(at.table)?.section;
    let key = tables::name(&all, at);
    let element = crate::core::profile::tree::element(&key).map(|(list, which)| format!("{list}.{which}"));
    // sentences of one's own are added among the others, too
    let section = if section == "sentences" { "sentences.custom" } else { section };
    matches!(section, "target" | "destination" | "sentences.custom" | "fault").then_some((section, element))
}

/// What stands in the prompt for another value: of a ship where it is now, not where it began.
pub fn to_edit(c: &Control) -> String {
    let place = c.section.starts_with("target.") || c.key.ends_with("tude");
    c.now.filter(|_| place).map_or_else(|| c.value.clone(), |now| key::number_text((now * 1e6).round() / 1e6))
}

/// Periods that Left and Right go through, milliseconds.
const PERIODS: [u32; 17] = [
    50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 15_000, 30_000, 60_000, 180_000, 360_000, 600_000,
    3_600_000,
];

/// Whether a key is how often something is said.
pub fn is_period(path: &str) -> bool {
    tables::key_of(path).is_some_and(|key| key.kind == Kind::Period)
}

/// The next period up or down, as it would be typed; `None` at the end.
pub fn next_period(value: &str, up: bool) -> Option<String> {
    let ms = key::period(&toml::Value::String(value.into())).unwrap_or(1000);
    let next = if up { PERIODS.iter().find(|p| **p > ms) } else { PERIODS.iter().rfind(|p| **p < ms) };
    next.map(|ms| key::period_text(*ms))
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
    use crate::runtime::session::snapshot::Setting;
    use crate::term::input::Size;

    #[test]
    fn a_fault_is_known_by_its_kind_before_and_after_it_has_a_number() {
        let control = |key: &str, section: &str, value: &str| {
            let (key, section, value) = (key.into(), section.into(), value.into());
            Control { setting: Setting { key, section, value, ..Setting::default() }.into(), now: None }
        };
        let model = Model { zoom: true, control: "fault.noise.enabled".into(), ..Model::new(Size::default()) };
        let mut s = Snapshot {
            controls: vec![control("vessel.heading", "vessel", "1"), control("fault.noise.enabled", "fault", "false")],
            ..Snapshot::default()
        };
        assert_eq!((faults(&s), at_cursor(&model, &s).unwrap().key.as_str()), (vec![], "fault.noise.enabled"));
        s.controls = vec![
            control("vessel.heading", "vessel", "1"),
            control("fault.0.kind", "fault.0", "lost"),
            control("fault.0.enabled", "fault.0", "false"),
            control("fault.1.kind", "fault.1", "noise"),
            control("fault.1.enabled", "fault.1", "true"),
        ];
        assert_eq!((faults(&s), at_cursor(&model, &s).unwrap().key.as_str()), (vec!["noise"], "fault.1.enabled"));
    }

    #[test]
    fn periods_go_up_and_down_in_round_steps() {
        assert_eq!(next_period("1s", true).as_deref(), Some("2s"));
        assert_eq!(next_period("1s", false).as_deref(), Some("500ms"));
        assert_eq!(next_period("700ms", true).as_deref(), Some("1s"));
        assert_eq!(next_period("50ms", false), None);
        assert_eq!(next_period("1h", true), None);
    }
}

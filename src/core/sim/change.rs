//! Changes while running: what a set, a nudge, a release does to the profile and to the model.
//!
//! One way for commands, scenarios and the re-run of a journal. Must not decide when.

use super::model::{Model, Quantity};
use crate::core::profile::check;
use crate::core::profile::key::number_text;
use crate::core::profile::schema::Step;
use crate::core::profile::{Profile, tree};
use crate::core::transport::Change;

/// Applies a change to a running profile; the keys that it touched. `value` knows what a drifting or moving key is now.
///
/// # Errors
/// An unknown key, one that cannot change while running, a value that is not allowed: then nothing has changed.
pub fn apply(
    running: &mut Profile,
    start: &Profile,
    change: &Change,
    value: &dyn Fn(&str) -> Option<f64>,
) -> Result<Vec<String>, String> {
    if let Change::Several(parts) = change {
        let mut changed = running.clone();
        let mut keys: Vec<String> = Vec::new();
        for part in parts {
            // A second nudge goes on from the first.
            let value = |key: &str| (!keys.iter().any(|k| k == key)).then(|| value(key)).flatten();
            let touched = apply(&mut changed, start, part, &value)?;
            keys.extend(touched);
        }
        *running = changed;
        return Ok(keys);
    }
    if let Change::Set { key, value } = change
        && tree::is_element(key)
    {
        return take_out(running, start, key, value).map(|key| vec![key]);
    }
    let takes_away = match change {
        // What may be an empty text only becomes one.
        Change::Set { key, value }
            if value.trim().is_empty()
                && tree::place(running.tree(), key).map_or(true, |place| place.key.default.is_empty()) =>
        {
            Some(key)
        }
        Change::Release { key } => Some(key),
        _ => None,
    };
    if let Some((key, done)) = takes_away.and_then(|key| Some((key, running.take_away_added(start, key)?))) {
        return done.map(|()| vec![key.clone()]);
    }
    match change {
        Change::Set { key, value } => {
            let place = live(running, key)?;
            running.set(key, value)?;
            Ok(vec![place.path()])
        }
        Change::Nudge { key, by } => {
            let place = live(running, key)?;
            let path = place.path();
            if place.key.step == 0.0 || place.adds.is_some() {
                return Err(format!("{path} cannot be nudged: set it"));
            }
            let mut nudged = running.clone();
            let now = value(&path);
            if let Some(now) = now {
                nudged.set(key, &number_text(now))?;
            }
            nudged.nudge(key, *by, now.unwrap_or(0.0))?;
            if place.key.drifts {
                // A wandering heading nudged by a degree becomes a whole degree.
                let step = place.key.step.min(by.abs().max(1e-9));
                let there: f64 = nudged.get(key)?.parse().unwrap_or_default();
                let even = libm::round(there / step) * step;
                let even = if even >= 360.0 && path.ends_with("heading") { 0.0 } else { even };
                nudged.set(key, &number_text(even)).or_else(|_| nudged.set(key, &number_text(there)))?;
            }
            *running = nudged;
            Ok(vec![path])
        }
        Change::Release { key } if key == "*" => Ok(reset(running, start)),
        Change::Release { key } => {
            let place = live(running, key)?;
            running.take(start, key)?;
            Ok(vec![place.path()])
        }
        Change::Reset => Ok(reset(running, start)),
        // Taken apart above.
        Change::Several(_) => Ok(Vec::new()),
    }
}

/// Takes a whole element out of a list: a target, a fault, a sentence of the user's own, or what was added while running.
fn take_out(running: &mut Profile, start: &Profile, key: &str, value: &str) -> Result<String, String> {
    if !matches!(value.trim(), "" | "none") {
        return Err(format!("{key} is a whole element: none takes it away, {key}.KEY is one of its values"));
    }
    let (list, n) = tree::whole_element(running.tree(), key).ok_or_else(|| format!("there is no {key}"))?;
    let (own, other) = (tree::elements(running.tree(), list), tree::elements(start.tree(), list));
    let added = tree::counterpart(own, n, other).is_none();
    if !added && !matches!(list, "target" | "fault" | "sentences.custom") {
        return Err(format!("{key} cannot go while running: change the profile and start again"));
    }
    running.remove(list, n)?;
    Ok(format!("{list}.{n}"))
}

fn live(running: &Profile, key: &str) -> Result<tree::Place, String> {
    let place = tree::place(running.tree(), key)?;
    if !place.key.live {
        return Err(format!("{} cannot change while running: change the profile and start again", place.path()));
    }
    Ok(place)
}

fn reset(running: &mut Profile, start: &Profile) -> Vec<String> {
    *running = start.clone();
    Quantity::ALL.iter().map(|q| q.key().to_string()).chain(["steering.mode".into(), "*".into()]).collect()
}

/// What a change of these keys means for the model. `held`: drifting ones are pinned now, else they are let go.
pub fn tell(model: &mut Model, profile: &Profile, keys: &[String], held: bool) {
    for key in keys {
        match key.as_str() {
            "vessel.latitude" if held => model.position.latitude = profile.vessel.latitude,
            "vessel.longitude" if held => model.position.longitude = profile.vessel.longitude,
            key => match Quantity::of_key(key) {
                Some(q) if held => model.pin(q, profile),
                Some(q) => model.release(q, profile),
                None if matches!(key, "steering.mode" | "steering.rudder" | "steering.heading") => model.steer(profile),
                None => {}
            },
        }
    }
    let moves = |k: &String| match k.strip_prefix("destination.") {
        Some(name) => name == "active" || name.ends_with("tude"),
        None => k == "*",
    };
    if keys.iter().any(moves) {
        model.lay_leg(profile);
    }
}

/// The changes that one step of a scenario makes.
pub fn of_step(step: &Step) -> Vec<Change> {
    let set = |key: String, value: String| Change::Set { key, value };
    let text = |value: &toml::Value| crate::core::profile::key::text_of(value);
    let mut changes: Vec<Change> = check::flat(&step.set).iter().map(|(k, v)| set(k.clone(), text(v))).collect();
    for (key, by) in check::flat(&step.nudge) {
        let by = by.as_float().or(by.as_integer().map(|i| i as f64)).unwrap_or_default();
        changes.push(Change::Nudge { key, by });
    }
    changes.extend(step.release.iter().map(|key| Change::Release { key: key.clone() }));
    if let Some(heading) = step.steer {
        changes.push(set("steering.heading".into(), number_text(heading)));
        changes.push(set("steering.mode".into(), "heading".into()));
    }
    let switch = |list: &[String], key: &dyn Fn(&str) -> String, on: bool| -> Vec<Change> {
        list.iter().map(|name| set(key(name), on.to_string())).collect()
    };
    let sentence = |id: &str| format!("sentences.{id}.enabled");
    let fault = |kind: &str| format!("fault.{kind}.enabled");
    changes.extend(switch(&step.enable, &sentence, true));
    changes.extend(switch(&step.disable, &sentence, false));
    changes.extend(switch(&step.fault, &fault, true));
    changes.extend(switch(&step.mend, &fault, false));
    changes
}

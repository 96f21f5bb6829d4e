//! The rows of the control pane, as a snapshot shows them: made anew when the profile, its file or what is pinned has
//! changed, and else only brought up to the moment.

use std::collections::HashMap;
use std::sync::Arc;

use super::snapshot::{Control, Setting};
use crate::core::profile::{Profile, controls};
use crate::core::visible;
use crate::runtime::driver::Playing;

/// The rows, and what they were made of.
#[derive(Default)]
pub(super) struct Controls {
    of: Option<Of>,
    rows: Vec<Control>,
}

struct Of {
    running: Arc<Profile>,
    file: Option<Arc<Profile>>,
    pinned: Arc<Vec<String>>,
}

impl Of {
    fn is(&self, running: &Arc<Profile>, file: Option<&Arc<Profile>>, pinned: &Arc<Vec<String>>) -> bool {
        let same_file = match (&self.file, file) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        same_file && Arc::ptr_eq(&self.running, running) && Arc::ptr_eq(&self.pinned, pinned)
    }
}

impl Controls {
    /// The rows of a source at this moment; none, if it has no profile.
    pub(super) fn rows(&mut self, playing: &Playing, file: Option<&Arc<Profile>>) -> Vec<Control> {
        let Some(running) = &playing.profile else { return Vec::new() };
        if !self.of.as_ref().is_some_and(|of| of.is(running, file, &playing.pinned)) {
            let row = |c| Control { setting: Arc::new(setting(c, &playing.pinned)), now: None };
            self.rows = controls::controls(running, file.unwrap_or(running)).into_iter().map(row).collect();
            self.of = Some(Of { running: running.clone(), file: file.cloned(), pinned: playing.pinned.clone() });
        }
        let moving: HashMap<&str, f64> = playing.moving.iter().map(|(key, now)| (key.as_str(), *now)).collect();
        for row in &mut self.rows {
            row.now = moving.get(row.setting.key.as_str()).copied();
        }
        self.rows.clone()
    }
}

fn setting(c: controls::Control, pinned: &[String]) -> Setting {
    Setting {
        pinned: pinned.contains(&c.key),
        section: c.section,
        label: c.label,
        file: c.file.map(|file| visible::text(file.as_bytes())),
        fixed: c.fixed,
        value: visible::text(c.value.as_bytes()),
        unit: c.unit.into(),
        range: c.range,
        step: c.step,
        key: c.key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_shared_until_something_of_theirs_changes() {
        let profile = Arc::new(Profile::built_in());
        let mut playing = Playing { profile: Some(profile.clone()), ..Playing::default() };
        let mut controls = Controls::default();
        let first = controls.rows(&playing, Some(&profile));
        assert!(!first.is_empty() && first.iter().all(|c| c.now.is_none() && !c.pinned));
        let shared = |rows: &[Control]| rows.iter().zip(&first).all(|(a, b)| Arc::ptr_eq(&a.setting, &b.setting));
        playing.moving = vec![("vessel.heading".into(), 12.5)];
        let moved = controls.rows(&playing, Some(&profile));
        assert!(shared(&moved));
        let now = |rows: &[Control]| rows.iter().find(|c| c.key == "vessel.heading").and_then(|c| c.now);
        assert_eq!((now(&moved), moved.iter().filter(|c| c.now.is_some()).count()), (Some(12.5), 1));
        playing.moving.clear();
        assert_eq!(now(&controls.rows(&playing, Some(&profile))), None);
        // Another of the three: made anew, also where it says the same.
        playing.pinned = Arc::new(vec!["vessel.speed".into()]);
        let pinned = controls.rows(&playing, Some(&profile));
        assert!(pinned.iter().all(|c| c.pinned == (c.key == "vessel.speed")));
        let saved = Arc::new(Profile::built_in());
        assert!(!shared(&controls.rows(&playing, Some(&saved))));
        playing.profile = None;
        assert!(controls.rows(&playing, Some(&saved)).is_empty());
    }
}

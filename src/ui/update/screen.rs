//! The screen itself: views, panes, the way back, theme, units, what it costs.

use super::Update;
use crate::runtime::session::Command;
use crate::ui::format::{self, Units};
use crate::ui::model::{Overlay, Pane, ViewName};

impl Update<'_> {
    pub(super) fn show(&mut self, view: ViewName) {
        self.model.zoom &= self.model.view == view;
        self.model.view = view;
    }

    pub(super) fn turn_pane(&mut self, by: isize) {
        let panes = self.model.panes(self.snapshot);
        let here = self.model.focus(self.snapshot);
        let at = panes.iter().position(|p| *p == here).unwrap_or(0) as isize;
        let to = (at + by).rem_euclid(panes.len().max(1) as isize) as usize;
        let to = panes.get(to).copied().unwrap_or_default();
        self.model.focus_on(to);
        // where there is no room for it beside the list, the control pane fills the view
        let scale = crate::ui::layout::scale(self.model.size.cols, self.model.size.rows);
        if self.model.view == ViewName::Live && scale < crate::ui::layout::Scale::Two {
            self.model.zoom = to == Pane::Control;
        }
    }

    pub(super) fn back(&mut self) {
        if self.snapshot.job.is_some() {
            self.send(Command::Cancel, "Cancelled");
        } else if self.model.zoom {
            self.model.zoom = false;
            let scale = crate::ui::layout::scale(self.model.size.cols, self.model.size.rows);
            if self.model.view == ViewName::Live && scale < crate::ui::layout::Scale::Two {
                self.model.focus_on(Pane::List);
            }
        } else if self.model.list.selected.is_some() || self.model.list.anchor.is_some() {
            self.toggle_follow();
        } else {
            self.model.message = None;
        }
    }

    pub(super) fn theme(&mut self, name: &str) {
        let chosen = if name.is_empty() { Ok(self.model.theme.next()) } else { name.parse() };
        match chosen {
            Ok(theme) => {
                self.model.theme = theme;
                self.note(format!("Theme {theme}"));
            }
            Err(why) => self.warn(why.to_string()),
        }
    }

    pub(super) fn units(&mut self, words: &str) {
        if words.is_empty() {
            self.model.units = Units::default();
            self.note("Units: kn, m, C. Others: units kmh, units ft, units F");
            return;
        }
        for word in words.split([' ', ',']).filter(|w| !w.is_empty()) {
            if let Err(why) = self.model.units.take(word) {
                self.warn(why);
                return;
            }
        }
        let u = self.model.units;
        self.note(format!("Units: {}, {}, {}", u.speed_unit(), u.depth_unit(), u.heat_unit()));
    }

    pub(super) fn set_key(&mut self, key: &str, value: &str) {
        match key {
            "theme" => self.theme(value),
            "units" => self.units(value),
            _ => self.set(key, value),
        }
    }

    pub(super) fn stats(&mut self) {
        let st = self.model.stats;
        let lines = vec![
            format!("frames drawn     {}", format::thousands(st.frames)),
            format!("frames left out  {}", format::thousands(st.skipped)),
            format!("bytes written    {}", format::thousands(st.bytes)),
            format!("bytes a frame    {}", st.bytes.checked_div(st.frames).unwrap_or(0)),
            format!("terminal         {}x{}", self.model.size.cols, self.model.size.rows),
        ];
        self.model.overlay = Some(Overlay::Text { title: "What the screen costs".into(), lines, top: 0 });
    }
}

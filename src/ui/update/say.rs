//! Answers of the session, and what is said of them.

use super::Update;
use crate::runtime::session::snapshot::{Level, Openable};
use crate::runtime::session::{Anchor, Answer, RowKey};
use crate::ui::model::{Edge, Overlay, Selected, Waiting};

impl Update<'_> {
    /// An answer came.
    pub(super) fn answer(&mut self, answer: Answer) {
        let waiting = self.model.waiting.remove(&answer.id);
        match (answer.result, waiting) {
            (Err(why), waiting) => {
                if let (Some(Waiting::Openables), Some(Overlay::Open { items, .. })) =
                    (&waiting, &mut self.model.overlay)
                {
                    *items = Some(Vec::new());
                }
                self.say(Level::Error, why);
            }
            (Ok(value), Some(Waiting::Say(done))) => {
                let text = value.as_str().map_or(done, ToOwned::to_owned);
                if !text.is_empty() {
                    self.note(text);
                }
            }
            (Ok(value), Some(Waiting::Path(done))) => {
                let path = value.as_str().unwrap_or_default().to_owned();
                // its end tells more than its beginning
                let room = usize::from(self.model.size.cols).saturating_sub(done.len() + 6).max(20);
                let path = crate::ui::format::cut_front(&path, room, self.model.glyphs.glyphs().more);
                self.note(if path.is_empty() { done } else { format!("{done} to {path}") });
            }
            (Ok(value), Some(Waiting::Openables)) => {
                let mut list: Vec<Openable> = serde_json::from_value(value).unwrap_or_default();
                // the newest log first, wherever it lies; the kinds stay in the order of the session
                let mut kinds: Vec<String> = Vec::new();
                for o in &list {
                    if !kinds.contains(&o.kind) {
                        kinds.push(o.kind.clone());
                    }
                }
                let rank = |o: &Openable| kinds.iter().position(|k| *k == o.kind);
                list.sort_by_key(|o| (rank(o), std::cmp::Reverse(o.changed.filter(|_| o.kind == "log"))));
                self.model.openables.clone_from(&list);
                if let Some(Overlay::Open { items, index, .. }) = &mut self.model.overlay {
                    *items = Some(list);
                    *index = 0;
                }
            }
            (Ok(value), Some(Waiting::Row(what))) => match serde_json::from_value::<Option<RowKey>>(value) {
                Ok(Some(key)) => {
                    self.model.list.selected = Some(Selected::Key(key));
                    if !self.snapshot.list.rows.iter().any(|r| r.key == key) {
                        self.model.list.anchor = Some(Anchor::Middle(key));
                    } else if self.model.list.anchor.is_none() {
                        self.model.list.anchor = self.snapshot.list.rows.first().map(|r| Anchor::Top(r.key));
                    }
                    self.model.list.owed = 0;
                    self.model.list.edge = None;
                }
                _ => self.note(format!("No further {what}")),
            },
            // nobody asked: an alarm
            (Ok(value), None) => {
                if let Some(text) = value.as_str() {
                    self.say(Level::Warning, text);
                }
            }
        }
    }

    /// A new snapshot came: what was owed to the list is done.
    pub(super) fn arrived(&mut self) {
        let list = &self.snapshot.list;
        if self.model.list.anchor.is_none_or(|a| a != list.anchor) || list.loading {
            return;
        }
        if let Some(edge) = self.model.list.edge.take() {
            let row = match edge {
                Edge::Top => list.rows.first(),
                Edge::Bottom => list.rows.last(),
                Edge::Row(i) => list.rows.get(i).or(list.rows.last()),
            };
            self.model.list.selected = row.map(|r| Selected::Key(r.key));
        }
        let owed = std::mem::take(&mut self.model.list.owed);
        if owed != 0 {
            self.move_selection(owed);
        }
    }
}

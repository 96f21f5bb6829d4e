//! The selection and the window of the list.

use super::Update;
use crate::core::frame::Place;
use crate::core::log::Pattern;
use crate::runtime::session::snapshot::Mode;
use crate::runtime::session::{Anchor, Command, Presentation, RowKey};
use crate::ui::model::{Edge, Pane, Selected, ViewName, Waiting};

/// How far a move goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Go {
    Rows(i64),
    Pages(i64),
    First,
    Last,
}

impl Update<'_> {
    /// Moves in what has the keys: the list of sentences, or the rows of the view.
    pub(super) fn go(&mut self, go: Go) {
        let pane = self.model.focus(self.snapshot);
        let page = i64::from(self.model.size.rows / 2).max(1);
        let by = match go {
            Go::Rows(n) => n,
            Go::Pages(n) => n * page,
            Go::First => i64::MIN / 4,
            Go::Last => i64::MAX / 4,
        };
        let moved = |at: usize, len: usize| -> usize {
            (at as i64).saturating_add(by).clamp(0, (len as i64 - 1).max(0)) as usize
        };
        let snapshot = self.snapshot;
        let (findings, rows) = snapshot.diagnose.as_ref().map_or((0, 0), |d| (d.findings.len(), d.rows.len()));
        match pane {
            // zoomed, the control pane is the only list there is
            Pane::Control if self.model.zoom => self.move_in_tables(by),
            // the list keeps its keys while the control pane is shown beside it
            Pane::List | Pane::Control => self.go_in_list(go),
            Pane::Table => self.model.table = moved(self.model.table.min(rows.saturating_sub(1)), rows),
            Pane::Findings => self.model.finding = moved(self.model.finding.min(findings.saturating_sub(1)), findings),
            Pane::Ais => {
                let targets = &snapshot.targets;
                let here = targets.iter().position(|t| self.model.chart.chose(t.mmsi, &t.name));
                let to = here.map_or(0, |at| moved(at, targets.len()));
                self.model.chart.target = targets.get(to).map(|t| (t.mmsi, t.name.clone()));
            }
            Pane::Outputs => {
                let len = snapshot.outputs.len();
                self.model.output = moved(self.model.output.min(len.saturating_sub(1)), len);
            }
            Pane::Events => {
                let len = snapshot.events.len();
                let newest = len.saturating_sub(1);
                let at = newest.saturating_sub(self.model.event.unwrap_or(0));
                let to = moved(at, len);
                self.model.event = (to != newest || go != Go::Last).then(|| newest - to);
            }
            Pane::Chart => {
                let (east, north) = match go {
                    Go::Rows(n) | Go::Pages(n) => (0.0, if n > 0 { -0.5 } else { 0.5 }),
                    _ => return,
                };
                let vessel = snapshot.vessel.position.map(|k| k.value);
                self.model.chart.pan(vessel, east, north);
            }
        }
    }

    fn go_in_list(&mut self, go: Go) {
        let visible = i64::try_from(self.snapshot.list.rows.len()).unwrap_or(1).max(2);
        match go {
            Go::Rows(n) => self.move_selection(n),
            Go::Pages(n) if self.still() => self.move_selection(n * (visible - 1)),
            Go::Pages(n) => self.turn_page(n > 0),
            Go::First => self.jump(true),
            Go::Last => self.jump(false),
        }
    }

    /// The window moves by its height less one row; the selection stays in its row of the screen.
    fn turn_page(&mut self, down: bool) {
        let list = &self.snapshot.list;
        let (first, last) = (list.rows.first(), list.rows.last());
        let more = if down { list.more_below } else { list.more_above };
        let stale = self.model.list.edge.is_some() && self.model.list.anchor != Some(list.anchor);
        if !more || stale {
            let page = i64::try_from(list.rows.len()).unwrap_or(1).max(2) - 1;
            return self.move_selection(if down { page } else { -page });
        }
        let head = list.rows.iter().position(|r| r.head);
        let row = self.model.selected_row(list).or(head).unwrap_or(list.rows.len().saturating_sub(1));
        self.model.list.anchor =
            if down { last.map(|r| Anchor::Top(r.key)) } else { first.map(|r| Anchor::Bottom(r.key)) };
        self.model.list.edge = Some(Edge::Row(row));
    }

    fn still(&self) -> bool {
        self.model.list.presentation != Presentation::Scroll
    }

    fn jump(&mut self, top: bool) {
        if self.still() {
            let last = self.snapshot.list.rows.len().saturating_sub(1);
            self.model.list.selected = Some(Selected::Index(if top { 0 } else { last }));
            return;
        }
        let log = matches!(self.snapshot.mode, Mode::Replay);
        let end = Place { file: u16::MAX, byte: u64::MAX, line: u64::MAX, part: u16::MAX };
        let anchor = match (top, log) {
            (true, true) => Anchor::Top(RowKey::Place(Place::default())),
            (true, false) => Anchor::Top(RowKey::Seq(0)),
            (false, true) => Anchor::Bottom(RowKey::Place(end)),
            (false, false) => Anchor::Bottom(RowKey::Seq(u64::MAX)),
        };
        self.model.list.anchor = Some(anchor);
        self.model.list.owed = 0;
        self.model.list.edge = Some(if top { Edge::Top } else { Edge::Bottom });
        if self.snapshot.list.anchor == anchor {
            self.arrived();
        }
    }

    /// Moves the selection; the window goes along at its edges.
    pub(super) fn move_selection(&mut self, by: i64) {
        let list = &self.snapshot.list;
        if list.rows.is_empty() {
            return;
        }
        let last = list.rows.len() as i64 - 1;
        if self.still() {
            let at = match self.model.list.selected {
                Some(Selected::Index(i)) => i as i64,
                _ if by > 0 => -1,
                _ => last + 1,
            };
            self.model.list.selected = Some(Selected::Index(at.saturating_add(by).clamp(0, last) as usize));
            return;
        }
        // rows of an older anchor: the move is owed until those of the new one are there
        if self.model.list.edge.is_some() && self.model.list.anchor != Some(list.anchor) {
            self.model.list.owed = self.model.list.owed.saturating_add(by);
            return;
        }
        let head = list.rows.iter().position(|r| r.head).map(|i| i as i64);
        let at = match (self.model.selected_row(list), self.model.list.selected) {
            (Some(i), _) => i as i64,
            // the selection is out of the window: comes in at the side it is on
            (None, Some(Selected::Key(key))) if list.rows.first().is_some_and(|r| key < r.key) => 0,
            (None, Some(_)) => last,
            (None, None) => head.unwrap_or(last),
        };
        let to = at.saturating_add(by);
        let row = |i: i64| list.rows.get(i.clamp(0, last) as usize);
        if self.model.list.anchor.is_none() {
            self.model.list.anchor = row(0).map(|r| Anchor::Top(r.key));
        }
        let beyond = if to < 0 { to } else { (to - last).max(0) };
        let more = if to < 0 { list.more_above } else { list.more_below };
        if beyond == 0 || !more {
            self.model.list.selected = row(to).map(|r| Selected::Key(r.key));
            return;
        }
        let (anchor, edge) = if beyond > 0 {
            (row(beyond).map(|r| Anchor::Top(r.key)), Edge::Bottom)
        } else {
            (row(last + beyond).map(|r| Anchor::Bottom(r.key)), Edge::Top)
        };
        self.model.list.anchor = anchor;
        self.model.list.edge = Some(edge);
        self.model.list.owed = if beyond > 0 { (beyond - last).max(0) } else { (beyond + last).min(0) };
    }

    /// Follows again, or stands still where the window is.
    pub(super) fn toggle_follow(&mut self) {
        if self.model.view == ViewName::Events {
            self.model.event = None;
            return;
        }
        let list = &mut self.model.list;
        if list.anchor.is_some() || list.selected.is_some() {
            list.anchor = None;
            list.selected = None;
            list.edge = None;
            list.owed = 0;
            self.model.frozen = None;
        } else {
            list.anchor = self.snapshot.list.rows.first().map(|r| Anchor::Top(r.key));
        }
    }

    /// The name of the row that keys act on.
    pub(super) fn key_at_hand(&self) -> Option<RowKey> {
        match self.model.list.selected {
            Some(Selected::Key(key)) => Some(key),
            _ => self.model.row_at_hand(&self.snapshot.list).map(|r| r.key),
        }
    }

    /// The place in a log of the row that keys act on.
    pub(super) fn place_at_hand(&self) -> Option<Place> {
        match self.key_at_hand()? {
            RowKey::Place(place) => Some(place),
            RowKey::Seq(_) => None,
        }
    }

    /// The next bad line, warning, mark: moves the selection.
    pub(super) fn look(&mut self, what: &str, back: bool, words: &str) {
        let from = self.key_at_hand();
        self.ask(Command::Look { what: what.into(), from, back }, Waiting::Row(words.into()));
    }

    /// The next line that matches what was last looked for.
    pub(super) fn find(&mut self, back: bool) {
        let pattern = self.model.list.pattern.clone();
        if pattern.is_empty() {
            self.note("Nothing to find yet: / asks for a pattern");
            return;
        }
        let from = self.key_at_hand();
        let words = format!("match of {pattern}");
        self.ask(Command::Find { pattern, from, back }, Waiting::Row(words));
    }

    /// The list stands where it follows again.
    pub(super) fn forget_place(&mut self) {
        let list = &mut self.model.list;
        (list.anchor, list.selected, list.edge, list.owed) = (None, None, None, 0);
    }

    pub(super) fn presentation(&mut self) {
        let (next, word) = match self.model.list.presentation {
            Presentation::Scroll => (Presentation::PerType, "One row per type"),
            Presentation::PerType => (Presentation::InPlace, "In place: new lines overwrite old ones"),
            Presentation::InPlace => (Presentation::Scroll, "Scrolling"),
        };
        self.model.list.presentation = next;
        self.forget_place();
        self.note(word);
    }

    pub(super) fn start_find(&mut self, pattern: &str) {
        if pattern.is_empty() {
            self.model.list.found = None;
            self.model.list.pattern.clear();
            return self.note("Looks for nothing any more");
        }
        match Pattern::new(pattern) {
            Ok(found) => {
                self.model.list.found = Some(found);
                self.model.list.pattern = pattern.to_owned();
                self.find(false);
            }
            Err(_) => self.warn(format!(
                "`{pattern}` is no regular expression; put \\ before . * + ? ( [ to mean the sign itself"
            )),
        }
    }

    pub(super) fn start_matches(&mut self, pattern: &str) {
        if !pattern.is_empty() && Pattern::new(pattern).is_err() {
            self.warn(format!(
                "`{pattern}` is no regular expression; put \\ before . * + ? ( [ to mean the sign itself"
            ));
            return;
        }
        self.model.list.matches = pattern.to_owned();
        self.forget_place();
        self.note(if pattern.is_empty() { "All lines".to_owned() } else { format!("Only lines that match {pattern}") });
    }

    /// What the view hides is not sent either, or is again.
    pub(super) fn send_only(&mut self) {
        let on = self.snapshot.transport.only.is_none();
        self.send(Command::SendOnly(on), "");
    }
}

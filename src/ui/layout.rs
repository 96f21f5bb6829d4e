//! Where everything stands, from the size of the terminal alone: SCREENS.md, sizes.
//!
//! Used by the views to draw and by `update` to know how many rows are visible; draws nothing itself.

use ratatui::layout::Rect;

use super::model::{Model, Pane, ViewName};
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::Mode;
use crate::runtime::session::{Anchor, View};

/// How much fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scale {
    /// No cell at all.
    Nothing,
    /// One line.
    Line,
    /// 40x12 and more.
    Compact,
    /// 60x16 and more.
    Narrow,
    /// 80x24 and more: two panels.
    Two,
    /// 120x30 and more: three panels.
    Three,
}

/// The scale of a size.
pub fn scale(cols: u16, rows: u16) -> Scale {
    match (cols, rows) {
        (0, _) | (_, 0) => Scale::Nothing,
        (120.., 30..) => Scale::Three,
        (80.., 24..) => Scale::Two,
        (60.., 16..) => Scale::Narrow,
        (40.., 12..) => Scale::Compact,
        _ => Scale::Line,
    }
}

/// A panel of the Live view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// The vessel.
    Vessel,
    /// The control pane.
    Control,
    /// The outputs.
    Outputs,
    /// The marks of a log.
    Marks,
    /// The types of a log.
    Types,
    /// The inputs of a live feed.
    Inputs,
}

/// Where everything stands. An empty rectangle is not drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regions {
    /// The first row.
    pub mode: Rect,
    /// The second row at compact size: recording, outputs, counts.
    pub state: Rect,
    /// What there is to say of the log or the feed.
    pub facts: Rect,
    /// The timeline.
    pub bar: Rect,
    /// Density over the timeline.
    pub rate: Rect,
    /// Elapsed, total, percent, line.
    pub elapsed: Rect,
    /// The vessel as plain lines.
    pub vessel: Rect,
    /// Framed panels.
    pub panels: Vec<(Panel, Rect)>,
    /// A view that is not Live, or a zoomed pane.
    pub body: Rect,
    /// The heading of the list.
    pub title: Rect,
    /// The rows of the list.
    pub list: Rect,
    /// What was just said, the prompt, the recording.
    pub status: Rect,
    /// Hints.
    pub footer: Rect,
}

/// Takes rows off the top.
pub(super) fn take(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    let taken = Rect { height: rows, ..*rest };
    rest.y += rows;
    rest.height -= rows;
    taken
}

/// Takes rows off the bottom.
fn take_end(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    rest.height -= rows;
    Rect { y: rest.y + rest.height, height: rows, ..*rest }
}

/// Side by side, in parts of the width.
fn beside(area: Rect, panels: &[(Panel, u16)]) -> Vec<(Panel, Rect)> {
    let mut x = area.x;
    let whole: u16 = panels.iter().map(|(_, part)| part).sum::<u16>().max(1);
    let mut left = area.width;
    let mut out = Vec::new();
    for (i, (panel, part)) in panels.iter().enumerate() {
        let last = i + 1 == panels.len();
        let width = if last { left } else { (u32::from(area.width) * u32::from(*part) / u32::from(whole)) as u16 };
        out.push((*panel, Rect { x, width, ..area }));
        x += width;
        left -= width;
    }
    out
}

/// Where everything stands.
pub fn regions(model: &Model, snapshot: &Snapshot) -> Regions {
    let (cols, rows) = (model.size.cols, model.size.rows);
    let mut rest = Rect::new(0, 0, cols, rows);
    let scale = scale(cols, rows);
    let mut r = Regions::default();
    let timed = matches!(snapshot.mode, Mode::Replay | Mode::Track);
    match scale {
        Scale::Nothing => return r,
        Scale::Line => {
            r.mode = take(&mut rest, 1);
            return r;
        }
        Scale::Compact => {
            r.mode = take(&mut rest, 1);
            r.footer = take_end(&mut rest, 1);
            r.state = take(&mut rest, 1);
        }
        Scale::Narrow | Scale::Two | Scale::Three => {
            r.mode = take(&mut rest, 1);
            r.footer = take_end(&mut rest, 1);
            r.status = take_end(&mut rest, 1);
        }
    }
    let list_alone = model.zoom && model.focus(snapshot) == Pane::List;
    if model.view != ViewName::Live || (model.zoom && !list_alone) {
        if scale == Scale::Narrow && matches!(snapshot.mode, Mode::Replay | Mode::Live) {
            r.facts = take(&mut rest, 1);
        }
        if timed && scale > Scale::Compact {
            r.bar = take(&mut rest, 1);
            if scale > Scale::Narrow {
                r.elapsed = take(&mut rest, 1);
            }
        } else if timed {
            r.bar = take_end(&mut rest, 1);
        }
        if model.view == ViewName::Diagnose && (list_alone || (!model.zoom && scale >= Scale::Two)) {
            let rows = if list_alone { rest.height } else { (rest.height / 4).max(4) };
            r.list = take_end(&mut rest, rows);
            r.title = take(&mut r.list, 1);
        }
        r.body = rest;
        return r;
    }
    let log = snapshot.mode == Mode::Replay;
    let live = snapshot.mode == Mode::Live;
    if scale == Scale::Compact {
        r.vessel = take(&mut rest, if list_alone { 0 } else { 3 });
        if timed {
            r.bar = take(&mut rest, 1);
        } else {
            r.title = take(&mut rest, 1);
        }
        r.list = rest;
        return r;
    }
    if log || live {
        r.facts = take(&mut rest, 1);
    }
    if timed {
        r.bar = take(&mut rest, 1);
        if log && scale == Scale::Three {
            r.rate = take(&mut rest, 1);
        }
        r.elapsed = take(&mut rest, 1);
    }
    if !list_alone {
        match (scale, log, live) {
            (Scale::Three, true, _) => {
                r.panels = beside(take(&mut rest, 7), &[(Panel::Vessel, 1), (Panel::Marks, 1), (Panel::Types, 1)]);
            }
            (Scale::Three, _, true) => {
                r.panels = beside(take(&mut rest, 9), &[(Panel::Vessel, 1), (Panel::Inputs, 1), (Panel::Outputs, 1)]);
            }
            (Scale::Three, ..) => {
                let high = if rows >= 36 { 12 } else { 10 };
                r.panels =
                    beside(take(&mut rest, high), &[(Panel::Vessel, 1), (Panel::Control, 1), (Panel::Outputs, 1)]);
            }
            (Scale::Two, true, _) => r.vessel = take(&mut rest, 2),
            (Scale::Two, _, true) => r.panels = beside(take(&mut rest, 7), &[(Panel::Vessel, 3), (Panel::Inputs, 2)]),
            (Scale::Two, ..) => r.panels = beside(take(&mut rest, 7), &[(Panel::Vessel, 3), (Panel::Control, 2)]),
            _ => r.vessel = take(&mut rest, 1),
        }
    }
    r.title = take(&mut rest, 1);
    r.list = rest;
    r
}

/// Cells of the timeline: the row less the times at its ends and the brackets.
pub fn bar_cells(bar: Rect) -> u16 {
    if bar.width >= 60 { bar.width.saturating_sub(16) } else { bar.width.saturating_sub(9) }
}

impl Model {
    /// What the screen looks at.
    pub fn looks_at(&self, snapshot: &Snapshot) -> View {
        let r = regions(self, snapshot);
        let shows = |panel| r.panels.iter().any(|(p, _)| *p == panel);
        let zoomed_control = self.zoom && self.focus(snapshot) == Pane::Control;
        let types = matches!(self.overlay, Some(super::model::Overlay::Types { .. })) || shows(Panel::Types);
        let inspect = match &self.overlay {
            Some(super::model::Overlay::Inspect { key, .. }) => Some(*key),
            _ => None,
        };
        let follow =
            if matches!(snapshot.mode, Mode::Replay | Mode::Track) { Anchor::PlayHead } else { Anchor::Newest };
        View {
            rows: r.list.height,
            anchor: self.list.anchor.unwrap_or(follow),
            presentation: self.list.presentation,
            filter: self.list.filter.clone(),
            matches: self.list.matches.clone(),
            hidden: self.list.hidden.clone(),
            find: self.list.pattern.clone(),
            selected: self.list.counted_row(),
            bar: if r.bar.height > 0 { bar_cells(r.bar) } else { 0 },
            diagnose: self.view == ViewName::Diagnose || matches!(self.overlay, Some(super::model::Overlay::Port(_))),
            order: self.order,
            only: self.only.clone(),
            chart: self.view == ViewName::Chart,
            targets: self.view == ViewName::Chart || zoomed_control || self.panes(snapshot).contains(&Pane::Ais),
            outputs: self.view == ViewName::Outputs || shows(Panel::Outputs),
            events: true,
            controls: snapshot.transport.can.set
                && (self.view == ViewName::Live || zoomed_control || self.overlay.is_some() || self.zoom),
            types,
            inspect,
            hex: self.list.hex,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::input::Size;

    #[test]
    fn the_scales_begin_where_the_page_says() {
        for (size, expected) in [
            ((120, 30), Scale::Three),
            ((119, 60), Scale::Two),
            ((200, 29), Scale::Two),
            ((80, 24), Scale::Two),
            ((79, 24), Scale::Narrow),
            ((60, 16), Scale::Narrow),
            ((59, 16), Scale::Compact),
            ((40, 12), Scale::Compact),
            ((39, 12), Scale::Line),
            ((200, 11), Scale::Line),
            ((1, 1), Scale::Line),
            ((0, 5), Scale::Nothing),
            ((5, 0), Scale::Nothing),
        ] {
            assert_eq!(scale(size.0, size.1), expected, "{size:?}");
        }
    }

    #[test]
    fn no_region_leaves_the_screen_and_the_list_has_the_whole_width() {
        for cols in [0, 1, 20, 39, 40, 59, 60, 80, 119, 120, 200] {
            for rows in [0, 1, 4, 11, 12, 15, 16, 24, 29, 30, 40, 60] {
                for view in [ViewName::Live, ViewName::Diagnose, ViewName::Chart, ViewName::Outputs, ViewName::Events] {
                    for mode in [Mode::Simulate, Mode::Track, Mode::Replay, Mode::Live] {
                        let model = Model { view, ..Model::new(Size { cols, rows }) };
                        let snapshot = Snapshot { mode, ..Snapshot::default() };
                        let r = regions(&model, &snapshot);
                        let mut all = vec![r.mode, r.state, r.facts, r.bar, r.rate, r.elapsed, r.vessel, r.body];
                        all.extend([r.title, r.list, r.status, r.footer]);
                        all.extend(r.panels.iter().map(|(_, p)| *p));
                        let screen = Rect::new(0, 0, cols, rows);
                        for area in &all {
                            assert!(area.is_empty() || screen.intersection(*area) == *area, "{area:?} in {screen:?}");
                        }
                        let cells: u32 = all.iter().map(|a| u32::from(a.width) * u32::from(a.height)).sum();
                        assert!(cells <= u32::from(cols) * u32::from(rows), "regions overlap at {cols}x{rows}");
                        assert!(r.list.is_empty() || r.list.width == cols);
                        if view == ViewName::Live && rows >= 12 && cols >= 40 {
                            assert!(r.list.height >= 5, "{cols}x{rows} {mode:?}: {}", r.list.height);
                        }
                    }
                }
            }
        }
    }
}

//! The screen, drawn from a model and a snapshot into a buffer, and from nothing else.
//!
//! One file for each part of the screen. Changes nothing, asks nobody, reads no clock.

mod bar;
mod body;
mod chart;
mod diagnose;
mod footer;
mod help;
mod inspect;
mod list;
mod mode;
mod overlay;
mod panels;
pub mod pen;
mod port;
mod tables;
mod vessel;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::pen::Pen;
use super::layout::{Panel, Scale, regions, scale};
use super::model::{Model, Pane, ViewName};
use super::theme::{Role, Theme};
use crate::runtime::session::Snapshot;
use crate::term::input::Size;

/// Draws everything into a buffer of the model's size. Answers which line of a text that lies over it stands at the top now.
pub fn draw(model: &Model, snapshot: &Snapshot, theme: &Theme, buffer: &mut Buffer) -> Option<usize> {
    let screen = buffer.area;
    let mut pen = Pen { buffer, theme, glyphs: model.glyphs.glyphs() };
    let p = &mut pen;
    p.fill(screen, Role::Normal);
    let r = regions(model, snapshot);
    match scale(model.size.cols, model.size.rows) {
        Scale::Nothing => return None,
        Scale::Line => {
            mode::one_line(p, r.mode, model, snapshot);
            return overlay::draw(p, screen, model, snapshot);
        }
        Scale::Compact => mode::compact(p, r.mode, r.state, model, snapshot),
        Scale::Narrow | Scale::Two | Scale::Three => mode::line(p, r.mode, model, snapshot),
    }
    body::facts(p, r.facts, snapshot);
    bar::timeline(p, r.bar, snapshot);
    bar::rate(p, r.rate, snapshot);
    bar::elapsed(p, r.elapsed, snapshot);
    vessel::lines(p, r.vessel, model, snapshot);
    let focus = model.focus(snapshot);
    for (panel, area) in &r.panels {
        match panel {
            Panel::Vessel => vessel::panel(p, *area, model, snapshot),
            Panel::Control => panels::control(p, *area, model, snapshot, focus == Pane::Control),
            Panel::Outputs => panels::outputs(p, *area, snapshot),
            Panel::Marks => panels::marks(p, *area, snapshot),
            Panel::Types => panels::types(p, *area, model, snapshot),
            Panel::Inputs => panels::inputs(p, *area, snapshot),
        }
    }
    if !r.body.is_empty() {
        match model.view {
            ViewName::Live => panels::control(p, r.body, model, snapshot, true),
            ViewName::Diagnose => diagnose::draw(p, r.body, model, snapshot),
            ViewName::Chart => chart::draw(p, r.body, model, snapshot),
            ViewName::Outputs => body::outputs(p, r.body, model, snapshot),
            ViewName::Events => body::events(p, r.body, model, snapshot),
        }
    }
    list::title(p, r.title, model, snapshot, focus == Pane::List);
    list::rows(p, r.list, model, snapshot);
    footer::status(p, r.status, model, snapshot);
    footer::footer(p, r.footer, model, snapshot);
    overlay::draw(p, screen, model, snapshot)
}

/// A buffer of that size with everything drawn.
pub fn render(model: &Model, snapshot: &Snapshot, theme: &Theme) -> Buffer {
    let Size { cols, rows } = model.size;
    let mut buffer = Buffer::empty(Rect::new(0, 0, cols, rows));
    draw(model, snapshot, theme, &mut buffer);
    buffer
}

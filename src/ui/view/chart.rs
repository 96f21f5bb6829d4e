//! View 3: track, destination, targets.

use ratatui::layout::Rect;

use super::pen::{Pen, bit};
use crate::runtime::session::Snapshot;
use crate::ui::model::Model;
use crate::ui::theme::Role;

/// The view.
pub fn draw(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    let at = super::vessel::position(model, s);
    p.line(area, 0, &at);
    let _ = bit("", Role::Normal);
}

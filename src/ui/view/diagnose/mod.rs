//! View 2: who talks, how often, what is wrong, and what the line carries.
//!
//! Here: what stands where, and the facts about the line. Each part has a file of its own.

mod ais;
mod findings;
mod table;

use ratatui::layout::Rect;

use super::pen::{Bit, Pen, bit, width};
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::Diagnose;
use crate::ui::format;
use crate::ui::layout::take;
use crate::ui::model::{Model, Pane};
use crate::ui::theme::Role;

/// With fewer rows only the chosen part is shown, and the findings' first line.
const SMALL: u16 = 12;
/// Rows of the load by type.
const LOAD_ROWS: u16 = 4;

/// The view.
pub fn draw(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    let Some(d) = &s.diagnose else {
        p.line(area, 0, &[bit(" Nothing heard yet", Role::Dim)]);
        return;
    };
    let focus = model.focus(s);
    let mut rest = area;
    if rest.height > 6 {
        facts(p, take(&mut rest, 1), s, d);
    }
    let alone = model.zoom || rest.height < SMALL;
    match focus {
        Pane::Findings if alone => return findings::draw(p, rest, model, d, true),
        Pane::Ais if alone => return ais::draw(p, rest, model, s, d, true),
        _ if model.zoom => {
            let high = if rest.height >= 16 && !d.load.is_empty() { LOAD_ROWS } else { 0 };
            table::draw(p, Rect { height: rest.height - high, ..rest }, model, d, true);
            return load(p, Rect { y: rest.bottom() - high, height: high, ..rest }, d);
        }
        _ => {}
    }
    // the table has what the others leave; they take what they need, up to a share
    let wide = rest.width >= 100 && rest.height >= 20;
    let wanted = (d.findings.len() as u16 + 1).clamp(2, (rest.height / 3).max(2));
    let load_rows = if wide && !d.load.is_empty() { LOAD_ROWS } else { 0 };
    let targets = s.targets.len() as u16;
    let ais_rows = match &d.ais {
        None => 0,
        _ if focus == Pane::Ais => (targets + 3).min(rest.height / 2),
        _ if wide => targets.min(3) + 3,
        _ if rest.height >= SMALL => 2,
        _ => 0,
    };
    let table_rows = rest.height.saturating_sub(wanted + load_rows + ais_rows);
    table::draw(p, take(&mut rest, table_rows), model, d, focus == Pane::Table);
    findings::draw(p, take(&mut rest, wanted), model, d, focus == Pane::Findings);
    ais::draw(p, take(&mut rest, ais_rows), model, s, d, focus == Pane::Ais);
    load(p, take(&mut rest, load_rows), d);
}

/// The line as a whole: what matters most first, as much as there is room for.
fn facts(p: &mut Pen<'_>, area: Rect, s: &Snapshot, d: &Diagnose) {
    let c = &s.counts;
    let counted = |n: u64| if n > 0 { Role::Warn } else { Role::Dim };
    let mut all = Vec::new();
    match d.capacity {
        Some(most) if most > 0.0 => {
            let percent = c.bytes_rate / most * 100.0;
            let role = if percent > 80.0 { Role::Warn } else { Role::Normal };
            all.push(bit(format!(" line {:.0}/{most:.0} B/s {percent:.0}%", c.bytes_rate), role));
        }
        _ => all.push(bit(format!(" {:.0} B/s", c.bytes_rate), Role::Normal)),
    }
    all.push(bit(format!("  {:.1}{}", c.rate, super::body::per_second(area.width)), Role::Normal));
    if let Some(quiet) = s.inputs.iter().filter_map(|i| i.silence).min() {
        all.push(bit(format!("  last byte {}", format::passed(quiet)), Role::Normal));
    }
    if let Some(silence) = d.silence {
        all.push(bit(format!("  longest silence {}", format::passed(silence)), Role::Dim));
    }
    all.push(bit(format!("  noise {}", format::size(d.noise)), counted(d.noise)));
    if !s.inputs.is_empty() {
        all.push(bit(format!("  reopened {}", d.reopened), counted(u64::from(d.reopened))));
    }
    let mut bits: Vec<Bit> = Vec::new();
    for next in all {
        if width(&bits) + width(std::slice::from_ref(&next)) <= usize::from(area.width) {
            bits.push(next);
        }
    }
    p.line(area, 0, &bits);
}

/// Bytes a second by type, and the share of what the line carries; without a rate, of what is heard.
fn load(p: &mut Pen<'_>, area: Rect, d: &Diagnose) {
    if area.is_empty() {
        return;
    }
    let (unit, right) = match d.capacity {
        Some(c) => ("B/s and % of the baud rate", vec![bit(format!("of {c:.0} B/s"), Role::Dim)]),
        None => ("B/s and % of what is heard", Vec::new()),
    };
    p.rule(area, 0, &[bit(format!("Load by type  {unit}"), Role::Title)], &right);
    let total: f64 = d.load.iter().map(|(_, v)| v).sum();
    let whole = d.capacity.unwrap_or(total).max(1.0);
    let half = area.width / 2;
    let cells = usize::from(half.saturating_sub(24));
    let mut all: Vec<(String, f64)> = d.load.iter().take(5).cloned().collect();
    if d.load.len() > 5 {
        all.push(("other".into(), d.load.iter().skip(5).map(|(_, v)| v).sum()));
    }
    if let Some(capacity) = d.capacity {
        all.truncate(5);
        all.push(("free".into(), (capacity - total).max(0.0)));
    }
    for (i, (name, value)) in all.iter().enumerate() {
        let full = ((value / whole * cells as f64).round() as usize).min(cells);
        let at = Rect { x: area.x + (i as u16 % 2) * half, y: area.y + 1 + i as u16 / 2, width: half, height: 1 };
        if at.y >= area.bottom() {
            break;
        }
        let role = if name == "free" { Role::Rest } else { Role::Done };
        let line = [
            bit(format!("  {name:<6} ["), Role::Label),
            bit(p.glyphs.meter_full.repeat(full), role),
            bit(p.glyphs.meter_empty.repeat(cells - full), Role::Rest),
            bit(format!("] {value:>5.0} {:>4.0}%", value / whole * 100.0), Role::Normal),
        ];
        p.line(at, 0, &line);
    }
}

//! The zoomed control pane: tables with headings that stay, a cell with the cursor, and what the chosen key means.
//!
//! Draws; the tables come from [`crate::ui::tables`].

use ratatui::layout::Rect;

use super::panels::{steps, top_for};
use super::pen::{Bit, Pen, bit, width};
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::Control;
use crate::ui::format;
use crate::ui::model::Model;
use crate::ui::tables::{Cell, Place, Table, key_of, now_text, place, shown, tables};
use crate::ui::theme::Role;

/// A line of the pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Gap,
    Heading(usize),
    Row(usize, usize),
}

/// The whole pane, inside its frame.
pub fn draw(p: &mut Pen<'_>, inner: Rect, model: &Model, s: &Snapshot) {
    let all = tables(s, inner.width);
    let Some(at) = place(&all, s, &model.control) else {
        p.line(inner, 0, &[bit(" nothing to set", Role::Dim)]);
        return;
    };
    let about = match inner.height {
        0..=4 => 0,
        5..=13 => 1,
        _ => 3,
    };
    let area = Rect { height: inner.height - about, ..inner };
    let mut lines = Vec::new();
    for (i, table) in all.iter().enumerate() {
        if i > 0 && area.height > 8 {
            lines.push(Line::Gap);
        }
        lines.push(Line::Heading(i));
        lines.extend((0..table.lines()).map(|row| Line::Row(i, row)));
    }
    let here = lines.iter().position(|l| *l == Line::Row(at.table, at.row)).unwrap_or(0);
    let height = usize::from(area.height);
    // the heading of the first row stands above it, wherever the row comes from
    let mut top = top_for(here, lines.len(), height.saturating_sub(1));
    if lines.get(top) == Some(&Line::Gap) {
        top += 1;
    }
    let mut y = 0;
    if let Some(Line::Row(table, _)) = lines.get(top) {
        heading(p, area, y, &all, *table, at);
        y += 1;
    }
    for line in lines.iter().skip(top).take(height.saturating_sub(usize::from(y))) {
        match line {
            Line::Gap => {}
            Line::Heading(table) => heading(p, area, y, &all, *table, at),
            Line::Row(table, n) => row(p, area, y, &all[*table], (at.table == *table).then_some(at), *n),
        }
        y += 1;
    }
    let below = Rect { y: area.bottom(), height: about, ..inner };
    meaning(p, below, &all[at.table], at);
}

/// The columns that are shown, and where each begins.
fn columns(table: &Table<'_>, room: u16, chosen: Option<usize>) -> Vec<(usize, u16)> {
    let mut x = 1;
    let begin = |i: usize| {
        let at = x;
        x += table.wide(i);
        (i, at)
    };
    table.visible(room.saturating_sub(1), chosen).into_iter().map(begin).collect()
}

fn heading(p: &mut Pen<'_>, area: Rect, y: u16, all: &[Table<'_>], n: usize, at: Place) {
    let table = &all[n];
    for (i, x) in columns(table, area.width, (at.table == n).then_some(at.column)) {
        let c = table.columns[i];
        let role = if i == 0 { Role::Title } else { Role::Label };
        text(p, area, (x, y), c.width, c.right, c.head, role);
    }
}

/// Writes a text into its column; `right`: at its right edge.
fn text(p: &mut Pen<'_>, area: Rect, at: (u16, u16), wide: u16, right: bool, what: &str, role: Role) {
    let wide = usize::from(wide.min(area.width.saturating_sub(at.0)));
    let what = format::cut(what, wide, p.glyphs.more);
    let free = wide.saturating_sub(width(&[bit(what.clone(), role)]));
    let lead = if right { free } else { 0 };
    let line = if role == Role::Selected {
        format!("{}{what}{}", " ".repeat(lead), " ".repeat(free - lead))
    } else {
        format!("{}{what}", " ".repeat(lead))
    };
    p.put(area, area.x + at.0, area.y + at.1, &line, role);
}

/// `*` where it is held, `~` where the file says something else.
fn mark(c: &Control) -> Option<(&'static str, Role)> {
    match (c.pinned, c.file.is_some()) {
        (true, _) => Some(("*", Role::Pinned)),
        (false, true) => Some(("~", Role::Notice)),
        (false, false) => None,
    }
}

fn row(p: &mut Pen<'_>, area: Rect, y: u16, table: &Table<'_>, at: Option<Place>, n: usize) {
    let chosen = at.filter(|at| at.row == n);
    if chosen.is_some() {
        p.put(area, area.x, area.y + y, ">", Role::Cursor);
    }
    let Some(cells) = table.rows.get(n) else {
        let role = if chosen.is_some() { Role::Selected } else { Role::Dim };
        text(p, area, (1, y), area.width, false, table.empty, role);
        return;
    };
    for (i, x) in columns(table, area.width, at.map(|at| at.column)) {
        let column = table.columns[i];
        let (what, role, mark) = match &cells[i] {
            Cell::Text(what, role) => (what.clone(), *role, None),
            Cell::Key(c) => {
                let what = shown(c);
                let role = match (c.pinned, what.as_str()) {
                    (true, _) => Role::Pinned,
                    (_, "--" | "off") => Role::Dim,
                    (_, "on") if c.key.starts_with("fault.") => Role::Bad,
                    _ => Role::Strong,
                };
                (what, role, mark(c))
            }
        };
        let role = if chosen.is_some_and(|at| at.column == i) { Role::Selected } else { role };
        text(p, area, (x, y), column.width, column.right, &what, role);
        if let Some((sign, role)) = mark {
            let x = x + column.width.min(area.width.saturating_sub(x + 1));
            p.put(area, area.x + x, area.y + y, sign, role);
        }
    }
}

/// The chosen key with its value in full, what it may be, and what it means.
fn meaning(p: &mut Pen<'_>, area: Rect, table: &Table<'_>, at: Place) {
    if area.is_empty() {
        return;
    }
    let first = if area.height > 1 { 1 } else { 0 };
    if first == 1 {
        p.rule(area, 0, &[], &[]);
    }
    let Some(c) = table.control(at.row, at.column) else {
        let what = if table.section == "destination" { "destination" } else { table.section };
        p.line(area, first, &[bit(format!(" + adds to {what}"), Role::Normal)]);
        return;
    };
    let room = usize::from(area.width);
    let value = if c.value.is_empty() { format::UNKNOWN } else { &c.value };
    let unit = if c.unit.is_empty() || c.value.is_empty() { String::new() } else { format!(" {}", c.unit) };
    let mut line = vec![
        bit(format!(" {} ", c.key), Role::Label),
        bit(value, if c.pinned { Role::Pinned } else { Role::Strong }),
        bit(unit, Role::Normal),
    ];
    let mut add = |what: String, role: Role| {
        let next: Bit = bit(format!("  {what}"), role);
        if !what.is_empty() && width(&line) + width(std::slice::from_ref(&next)) <= room {
            line.push(next);
        }
    };
    if let Some(now) = c.now {
        add(format!("now {}", now_text(&c.key, now)), Role::Normal);
    }
    if c.pinned {
        add("* pinned".into(), Role::Pinned);
    }
    if let Some(file) = &c.file {
        let file = if file.is_empty() { "nothing" } else { file };
        add(format!("~ file: {file}"), Role::Notice);
    }
    add(steps(c), Role::Dim);
    add(c.range.clone(), Role::Dim);
    p.line(area, first, &line);
    let doc = match c.key.strip_suffix(".talker").and_then(|k| k.strip_prefix("sentences.")) {
        Some(id) => {
            let usual = crate::core::sim::schedule::rows().find(|row| row.id == id).map_or("", |row| row.talker);
            format!("Two letters in place of the usual talker, {usual}.")
        }
        None => key_of(&c.key).map_or("", |key| key.doc).into(),
    };
    p.line(area, first + 1, &[bit(format!(" {doc}"), Role::Dim)]);
}

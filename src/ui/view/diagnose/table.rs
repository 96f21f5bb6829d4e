//! One row per input, talker, formatter and sub-key.

use ratatui::layout::Rect;

use super::super::panels::top_for;
use super::super::pen::{Bit, Pen, bit};
use crate::core::diag::order::By;
use crate::runtime::session::snapshot::{Diagnose, DiagnoseRow};
use crate::ui::format::{self, UNKNOWN};
use crate::ui::model::Model;
use crate::ui::theme::Role;

/// A column: its heading, how wide, left or right aligned, and what it is sorted by.
type Column = (&'static str, usize, bool, Option<By>);

/// The columns for a width; the last value has what is left.
fn columns(width: u16, by: By) -> Vec<Column> {
    let number = |name, wide, by| (name, wide, false, by);
    let (kind, narrow) = if width >= 100 { (14, false) } else { (9, width < 72) };
    let mut all = vec![("TALK", 4, true, None), ("TYPE", if narrow { 7 } else { kind }, true, Some(By::Id))];
    if narrow {
        all.push(number("COUNT", 7, Some(By::Count)));
        // what it is sorted by is shown
        all.push(if by == By::Bad { number("BAD", 5, Some(By::Bad)) } else { number("RATE", 5, Some(By::Rate)) });
        all.push(number("AGE", 5, Some(By::Age)));
    } else {
        all.push(number("COUNT", 8, Some(By::Count)));
        all.push(number("RATE", 6, Some(By::Rate)));
        all.push(number("EXPECT", 6, None));
        all.push(number("JITTER", 8, None));
        all.push(number("AGE", 5, Some(By::Age)));
        all.push(number("BAD", 5, Some(By::Bad)));
    }
    all.push(("STATE", 6, true, Some(By::State)));
    if !narrow {
        all.push(("LAST VALUE", 0, true, None));
    }
    all
}

fn state_role(state: &str) -> Role {
    match state {
        "ok" => Role::Good,
        "LOST" | "BAD" => Role::Bad,
        "SLOW" => Role::Warn,
        _ => Role::Dim,
    }
}

fn aligned(text: &str, wide: usize, left: bool) -> String {
    if left { format!(" {text:<wide$}") } else { format!(" {text:>wide$}") }
}

fn row(r: &DiagnoseRow, columns: &[Column], more: &str) -> Vec<Bit> {
    let rate = |v: Option<f64>| v.map_or(UNKNOWN.into(), |v| format::number(v, 1));
    columns
        .iter()
        .map(|(name, wide, left, _)| {
            let (text, role) = match *name {
                "TALK" => (r.input.map_or(r.talker.clone(), |n| format!("{}@{n}", r.talker)), Role::Strong),
                "TYPE" => {
                    let sub = if r.sub_key.is_empty() { String::new() } else { format!(" {}", r.sub_key) };
                    (format::cut(&format!("{}{sub}", r.formatter), *wide, more), Role::Strong)
                }
                "COUNT" => (format::count(r.count), Role::Normal),
                "RATE" => (rate(Some(r.rate)), Role::Normal),
                "EXPECT" => (rate(r.expected), Role::Normal),
                "JITTER" => {
                    let text = |j: f64| if j >= 1000.0 { format!("{:.1} s", j / 1000.0) } else { format!("{j:.0} ms") };
                    (r.jitter_ms.map_or(UNKNOWN.into(), text), Role::Normal)
                }
                "AGE" => (r.age.map_or(UNKNOWN.into(), format::age), Role::Normal),
                "BAD" => (format::count(r.bad), if r.bad > 0 { Role::Warn } else { Role::Dim }),
                "STATE" => (r.state.clone(), state_role(&r.state)),
                _ => (r.last.clone(), Role::Normal),
            };
            bit(aligned(&text, *wide, *left), role)
        })
        .collect()
}

/// A heading that shows the order, and the rows.
pub fn draw(p: &mut Pen<'_>, area: Rect, model: &Model, d: &Diagnose, focused: bool) {
    if area.is_empty() {
        return;
    }
    let order = model.order;
    let columns = columns(area.width, order.by);
    // names go up from A, numbers down from the largest; the other way round when turned
    let sign = if (order.by == By::Id) == order.reversed { p.glyphs.down } else { p.glyphs.up };
    let title = if focused { Role::TitleFocused } else { Role::Title };
    let heading = columns.iter().map(|(name, wide, left, by)| {
        let sorted = *by == Some(order.by);
        let text = if sorted { format!("{name}{sign}") } else { (*name).to_owned() };
        bit(aligned(&text, *wide, *left), if sorted { Role::Strong } else { title })
    });
    let kept = d.rows.len() + d.more as usize;
    let only = if model.only.is_empty() {
        Vec::new()
    } else {
        vec![bit(format!(" {}: {kept} of {} ", model.only, d.all), Role::Notice)]
    };
    p.sides(area, 0, &heading.collect::<Vec<_>>(), &only);
    let body = Rect { y: area.y + 1, height: area.height - 1, ..area };
    if d.rows.is_empty() {
        let text =
            if model.only.is_empty() { " nothing heard yet" } else { " no row holds these words: K changes them" };
        p.line(body, 0, &[bit(text, Role::Dim)]);
    }
    let more = p.glyphs.more;
    let chosen = model.table.min(d.rows.len().saturating_sub(1));
    let top = top_for(chosen, d.rows.len(), usize::from(body.height));
    for (y, (i, r)) in d.rows.iter().enumerate().skip(top).take(usize::from(body.height)).enumerate() {
        p.line(body, y as u16, &row(r, &columns, more));
        if focused && i == chosen {
            p.tint(body, y as u16, Role::Selected);
        }
    }
}

//! View 2: who talks, how often, what is wrong, and what the line carries.

use ratatui::layout::Rect;

use super::panels::top_for;
use super::pen::{Bit, Pen, bit};
use crate::core::time;
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::{Diagnose, DiagnoseRow};
use crate::ui::format::{self, UNKNOWN};
use crate::ui::model::{Model, Pane};
use crate::ui::theme::Role;

/// The view.
pub fn draw(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    let Some(d) = &s.diagnose else {
        p.line(area, 0, &[bit(" Nothing heard yet", Role::Dim)]);
        return;
    };
    let focus = model.focus(s);
    let mut rest = area;
    if rest.height > 6 {
        facts(p, Rect { height: 1, ..rest }, s, d);
        rest.y += 1;
        rest.height -= 1;
    }
    if model.zoom {
        return match focus {
            Pane::Findings => findings(p, rest, model, d, true),
            _ => table(p, rest, model, d, true),
        };
    }
    // half for the table, the rest for findings and load, as far as they need it
    let load_rows = if rest.width >= 100 && rest.height >= 20 && !d.load.is_empty() { 4 } else { 0 };
    let wanted = (d.findings.len() as u16 + 1).clamp(2, (rest.height / 3).max(2));
    let table_rows = rest.height.saturating_sub(wanted + load_rows);
    table(p, Rect { height: table_rows, ..rest }, model, d, focus == Pane::Table);
    let below = Rect { y: rest.y + table_rows, height: wanted.min(rest.height - table_rows), ..rest };
    findings(p, below, model, d, focus == Pane::Findings);
    if load_rows > 0 {
        load(p, Rect { y: below.bottom(), height: load_rows, ..rest }, d);
    }
}

fn facts(p: &mut Pen<'_>, area: Rect, s: &Snapshot, d: &Diagnose) {
    let c = &s.counts;
    let mut bits = vec![bit(" ", Role::Normal)];
    match d.capacity {
        Some(most) if most > 0.0 => {
            let percent = c.bytes_rate / most * 100.0;
            let role = if percent > 80.0 { Role::Warn } else { Role::Normal };
            bits.push(bit(format!("line {:.0}/{most:.0} B/s {percent:.0}%", c.bytes_rate), role));
        }
        _ => bits.push(bit(format!("{:.0} B/s", c.bytes_rate), Role::Normal)),
    }
    bits.push(bit(format!("  {:.1} sent/s", c.rate), Role::Normal));
    if let Some(quiet) = s.inputs.iter().filter_map(|i| i.silence).min() {
        bits.push(bit(format!("  last byte {} ago", format::passed(quiet)), Role::Normal));
    }
    if let Some(silence) = d.silence {
        bits.push(bit(format!("  longest silence {}", format::passed(silence)), Role::Dim));
    }
    if d.noise > 0 {
        bits.push(bit(format!("  noise {}", format::size(d.noise)), Role::Warn));
    }
    if d.reopened > 0 {
        bits.push(bit(format!("  reopened {}", d.reopened), Role::Warn));
    }
    p.line(area, 0, &bits);
}

fn state_role(state: &str) -> Role {
    match state {
        "ok" => Role::Good,
        "LOST" | "BAD" => Role::Bad,
        "SLOW" | "warn" => Role::Warn,
        _ => Role::Dim,
    }
}

fn row(r: &DiagnoseRow, wide: bool, narrow: bool, more: &str) -> Vec<Bit> {
    let rate = |v: Option<f64>| v.map_or(UNKNOWN.into(), |v| format::number(v, 1));
    let jitter = r
        .jitter_ms
        .map_or(UNKNOWN.into(), |j| if j >= 1000.0 { format!("{:.1} s", j / 1000.0) } else { format!("{j:.0} ms") });
    let age = r.age.map_or(UNKNOWN.into(), format::age);
    let bad_role = if r.bad > 0 { Role::Warn } else { Role::Dim };
    let kind = if r.sub_key.is_empty() { r.formatter.clone() } else { format!("{} {}", r.formatter, r.sub_key) };
    let columns = match (wide, narrow) {
        (true, _) => 14,
        (_, true) => 8,
        _ => 9,
    };
    let kind = format::cut(&kind, columns, more);
    let mut bits = vec![bit(format!(" {:<4} {kind:<columns$}", r.talker), Role::Strong)];
    if narrow {
        bits.push(bit(format!(" {:>7} {:>5} {age:>5} ", format::count(r.count), rate(Some(r.rate))), Role::Normal));
        bits.push(bit(r.state.clone(), state_role(&r.state)));
        return bits;
    }
    let counts = format!(
        " {:>8} {:>6} {:>6} {jitter:>8} {age:>5}",
        format::count(r.count),
        rate(Some(r.rate)),
        rate(r.expected)
    );
    bits.push(bit(counts, Role::Normal));
    bits.push(bit(format!(" {:>5} ", format::count(r.bad)), bad_role));
    bits.push(bit(format!(" {:<5}", r.state), state_role(&r.state)));
    bits.push(bit(format!(" {}", r.last), if wide { Role::Normal } else { Role::Dim }));
    bits
}

fn table(p: &mut Pen<'_>, area: Rect, model: &Model, d: &Diagnose, focused: bool) {
    let narrow = area.width < 72;
    let columns = if area.width >= 100 { 14 } else { 9 };
    let heading = if narrow {
        format!(" {:<4} {:<8} {:>7} {:>5} {:>5} {}", "TALK", "TYPE", "COUNT", "RATE", "AGE", "STATE")
    } else {
        format!(
            " {:<4} {:<columns$} {:>8} {:>6} {:>6} {:>8} {:>5} {:>5}  {:<5} {}",
            "TALK", "TYPE", "COUNT", "RATE", "EXPECT", "JITTER", "AGE", "BAD", "STATE", "LAST VALUE"
        )
    };
    p.line(area, 0, &[bit(heading, if focused { Role::TitleFocused } else { Role::Title })]);
    let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    if d.rows.is_empty() {
        p.line(body, 0, &[bit(" nothing heard yet", Role::Dim)]);
    }
    let more = p.glyphs.more;
    let chosen = model.table.min(d.rows.len().saturating_sub(1));
    let top = top_for(chosen, d.rows.len(), usize::from(body.height));
    for (y, (i, r)) in d.rows.iter().enumerate().skip(top).take(usize::from(body.height)).enumerate() {
        p.line(body, y as u16, &row(r, area.width >= 100, narrow, more));
        if focused && i == chosen {
            p.tint(body, y as u16, Role::Selected);
        }
    }
}

fn findings(p: &mut Pen<'_>, area: Rect, model: &Model, d: &Diagnose, focused: bool) {
    let n = |severity: &str| d.findings.iter().filter(|f| f.severity == severity && f.current).count();
    let words = |n: usize, one: &str| if n == 1 { format!("1 {one}  ") } else { format!("{n} {one}s  ") };
    let title = if focused { Role::TitleFocused } else { Role::Title };
    let mut heading = vec![bit("Findings  ", title)];
    heading.push(bit(words(n("error"), "error"), if n("error") > 0 { Role::Bad } else { Role::Dim }));
    heading.push(bit(words(n("warning"), "warning"), if n("warning") > 0 { Role::Warn } else { Role::Dim }));
    heading.push(bit(words(n("note"), "note").trim_end().to_owned(), Role::Dim));
    let keys = if area.width >= 78 {
        vec![
            bit("Enter", Role::KeyName),
            bit(" explain  ", Role::Dim),
            bit("P", Role::KeyName),
            bit(" report", Role::Dim),
        ]
    } else {
        Vec::new()
    };
    p.rule(area, 0, &heading, &keys);
    let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    if d.findings.is_empty() {
        p.line(body, 0, &[bit(" nothing is wrong that the rules know of", Role::Good)]);
    }
    let chosen = model.finding.min(d.findings.len().saturating_sub(1));
    let top = top_for(chosen, d.findings.len(), usize::from(body.height));
    for (y, (i, f)) in d.findings.iter().enumerate().skip(top).take(usize::from(body.height)).enumerate() {
        let (word, role) = match f.severity.as_str() {
            "error" => ("ERR ", Role::Bad),
            "warning" => ("WARN", Role::Warn),
            _ => ("NOTE", Role::Notice),
        };
        let role = if f.current { role } else { Role::Dim };
        let mut line = vec![bit(format!(" {word} "), role)];
        if area.width >= 100 {
            let at = f.first.map_or("     ".into(), |t| time::clock(t)[..5].to_owned());
            line.push(bit(format!("{at}  "), Role::Dim));
        }
        line.push(bit(f.text.clone(), if f.current { Role::Normal } else { Role::Dim }));
        if !f.current {
            line.push(bit("  (past)", Role::Dim));
        }
        if area.width >= 100 {
            line.push(bit(format!("  Try: {}", f.advice), Role::Dim));
        }
        p.line(body, y as u16, &line);
        if focused && i == chosen {
            p.tint(body, y as u16, Role::Selected);
        }
    }
}

fn load(p: &mut Pen<'_>, area: Rect, d: &Diagnose) {
    let right = d.capacity.map(|c| bit(format!("of {c:.0}"), Role::Dim));
    let right: Vec<Bit> = right.into_iter().collect();
    p.rule(area, 0, &[bit("Load by type  B/s", Role::Title)], &right);
    let total: f64 = d.load.iter().map(|(_, v)| v).sum();
    let whole = d.capacity.unwrap_or(total).max(1.0);
    let half = area.width / 2;
    let cells = usize::from(half.saturating_sub(18));
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
            bit(format!("] {value:>5.0}"), Role::Normal),
        ];
        p.line(at, 0, &line);
    }
}

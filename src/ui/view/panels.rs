//! The framed panels beside the vessel: control, outputs, marks, types, inputs.

use ratatui::layout::Rect;

use super::pen::{Bit, Pen, bit, width};
use crate::core::time;
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::{Control, Link, OutputRow};
use crate::ui::control as keys;
use crate::ui::format;
use crate::ui::model::Model;
use crate::ui::tables::choices;
use crate::ui::theme::Role;

/// First row shown so that the chosen one is visible.
pub fn top_for(chosen: usize, rows: usize, height: usize) -> usize {
    if height == 0 || rows <= height {
        return 0;
    }
    chosen.saturating_sub(height / 2).min(rows - height)
}

/// An output's or input's state as a word.
pub fn link_word(state: Link) -> (&'static str, Role) {
    match state {
        Link::Opening => ("opening", Role::Warn),
        Link::Open => ("ok", Role::Good),
        Link::Waiting => ("waiting", Role::Warn),
        Link::Failed => ("FAILED", Role::Bad),
        Link::Closed => ("stopped", Role::Dim),
    }
}

/// What the value is now: what drifts is shown as it drifts.
fn value(c: &Control, degree: &str) -> Vec<Bit> {
    // the rudder is shown as it was laid, not as it has got there
    let drifting = c.now.filter(|_| !c.pinned && c.step != 0.0 && c.key != "steering.rudder");
    let now = drifting.map(|now| format::number(now, usize::from(c.unit != "deg")));
    let text = now.unwrap_or_else(|| if c.value.is_empty() { format::UNKNOWN.into() } else { c.value.clone() });
    let role = match (c.value.is_empty(), c.pinned) {
        (true, _) => Role::Stale,
        (false, true) => Role::Pinned,
        (false, false) => Role::Strong,
    };
    let direction = ["heading", "wind_direction", "current_set"].iter().any(|k| c.key.ends_with(k));
    let (text, unit) = match text.parse::<f64>() {
        Ok(degrees) if direction => (format::bearing_whole(degrees), " T".to_owned()),
        Ok(_) if c.unit == "deg" => (text, degree.to_owned()),
        Ok(_) if !c.unit.is_empty() => (text, format!(" {}", c.unit)),
        _ => (text, String::new()),
    };
    let mut bits = vec![bit(text, role), bit(unit, Role::Normal)];
    if c.pinned {
        bits.push(bit(" *", Role::Pinned));
    }
    bits
}

/// What Left and Right do with it.
pub fn steps(c: &Control) -> String {
    if c.step != 0.0 {
        let step = format!("{}", c.step);
        format!("< -{step}  +{step} >")
    } else if !choices(&c.key).is_empty() || crate::ui::control::is_period(&c.key) {
        "< change >".into()
    } else {
        "Enter types".into()
    }
}

/// The control pane; zoomed it shows every key, in tables.
pub fn control(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot, focused: bool) {
    let name = if s.unsaved { "Control, not saved" } else { "Control" };
    if model.zoom {
        let marks = if area.width >= 60 {
            format!("{name}   h l columns   * pinned   ~ differs from the file")
        } else {
            name.into()
        };
        let inner = p.frame(area, &marks, focused);
        return super::tables::draw(p, inner, model, s);
    }
    let inner = p.frame(area, name, focused);
    let all = keys::shown(s);
    let chosen = keys::chosen(model, s);
    if all.is_empty() {
        p.line(inner, 0, &[bit(" nothing to set", Role::Dim)]);
        return;
    }
    // the last row is for the faults
    let for_faults = u16::from(inner.height > 3);
    let height = usize::from(inner.height - for_faults);
    let top = top_for(chosen, all.len(), height);
    for (y, (i, (label, c))) in all.iter().enumerate().skip(top).take(height).enumerate() {
        p.line(inner, y as u16, &row(label, c, focused && i == chosen, inner.width, p.glyphs.degree));
    }
    if for_faults == 1 {
        let faults = keys::faults(s);
        let injected: u64 = s.faults.iter().map(|(_, n)| n).sum();
        let mut line = vec![bit(format!(" {:<6} ", "FAULT"), Role::Label)];
        if faults.is_empty() {
            line.push(bit("none", Role::Normal));
            line.push(bit("   ! inject", Role::Dim));
        } else {
            line.push(bit(faults.join(", "), Role::Bad));
            line.push(bit(format!("  {} so far", format::thousands(injected)), Role::Normal));
        }
        p.line(inner, inner.height - 1, &line);
    }
}

fn row(label: &str, c: &Control, chosen: bool, wide: u16, degree: &str) -> Vec<Bit> {
    let mark = if chosen { bit(">", Role::Cursor) } else { bit(" ", Role::Normal) };
    let mut bits = vec![mark, bit(format!("{label:<6} "), if chosen { Role::Cursor } else { Role::Label })];
    bits.extend(value(c, degree));
    if c.file.is_some() {
        bits.push(bit(" ~", Role::Notice));
    }
    if chosen {
        let gap = " ".repeat(16_usize.max(width(&bits) + 2) - width(&bits));
        let hint = steps(c);
        if width(&bits) + gap.len() + hint.len() <= usize::from(wide) {
            bits.push(bit(format!("{gap}{hint}"), Role::Dim));
        }
    }
    bits
}

/// One output in a line, for the panel.
fn output(o: &OutputRow) -> Vec<Bit> {
    let (word, role) = link_word(o.state);
    let at = if o.at.is_empty() { o.spec.split_once(':').map_or(&*o.spec, |(_, to)| to) } else { &o.at };
    let (word, role) = match (o.state, o.client_count, o.load) {
        (Link::Open, _, Some(load)) => (format!("{load:.0}%"), if load > 90.0 { Role::Warn } else { Role::Good }),
        (Link::Open, n, _) if o.spec.contains("server") || o.spec.starts_with("websocket") => {
            (format::counted(n.into(), "client"), Role::Good)
        }
        _ => (word.to_owned(), role),
    };
    // the state stands before the address: an address may be cut off
    vec![bit(format!(" {:<4} ", o.kind), Role::Label), bit(format!("{word:<10} "), role), bit(at, Role::Normal)]
}

/// The outputs, with their clients.
pub fn outputs(p: &mut Pen<'_>, area: Rect, s: &Snapshot) {
    let inner = p.frame(area, "Outputs", false);
    let mut lines: Vec<Vec<Bit>> = Vec::new();
    for o in &s.outputs {
        lines.push(output(o));
        if let Some(error) = &o.last_error
            && o.state != Link::Open
        {
            lines.push(vec![bit(format!("      {error}"), Role::Bad)]);
        }
        for c in &o.clients {
            let slow = c.late.is_some();
            let mut line = vec![bit(format!("      {}", c.address), Role::Normal)];
            line.push(bit(format!("  q {}", format::size_tight(c.queue)), Role::Dim));
            if slow {
                line.push(bit("  SLOW", Role::Warn));
            }
            lines.push(line);
        }
    }
    if lines.is_empty() {
        lines.push(vec![bit(" none: 4 and + add one", Role::Dim)]);
    }
    if s.counts.dropped > 0 {
        lines.push(vec![bit(format!(" dropped {}", format::counted(s.counts.dropped, "sentence")), Role::Warn)]);
    }
    for (y, line) in lines.iter().take(usize::from(inner.height)).enumerate() {
        p.line(inner, y as u16, line);
    }
}

/// The marks of the log.
pub fn marks(p: &mut Pen<'_>, area: Rect, s: &Snapshot) {
    let inner = p.frame(area, "Marks", false);
    let marks = s.log.as_ref().map(|l| l.marks.as_slice()).unwrap_or_default();
    if marks.is_empty() {
        p.line(inner, 0, &[bit(" none: m sets one, :mark NAME", Role::Dim)]);
        return;
    }
    // those around the play head
    let near = marks.iter().filter(|m| m.offset <= s.transport.position).count();
    let height = usize::from(inner.height);
    let top = top_for(near, marks.len(), height.saturating_sub(1));
    for (y, (i, m)) in marks.iter().enumerate().skip(top).take(height.saturating_sub(1)).enumerate() {
        let at = m.utc.map_or_else(|| time::span(m.offset), time::clock);
        let line = [bit(format!(" {:>2} {at}  ", i + 1), Role::Label), bit(m.name.clone(), Role::Normal)];
        p.line(inner, y as u16, &line);
    }
    if height > 0 {
        let hint = vec![
            bit("'", Role::KeyName),
            bit(" list  ", Role::Dim),
            bit("u U", Role::KeyName),
            bit(" next, previous", Role::Dim),
        ];
        let mut line = vec![bit(" ", Role::Normal)];
        line.extend(hint);
        p.line(inner, inner.height - 1, &line);
    }
}

/// The counts by type.
pub fn types(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    let inner = p.frame(area, "Types", false);
    let mut most: Vec<_> = s.types.iter().collect();
    most.sort_by_key(|t| std::cmp::Reverse(t.count));
    let columns = (inner.width / 13).max(1);
    let rows = inner.height.saturating_sub(1);
    for (i, t) in most.iter().take(usize::from(columns * rows)).enumerate() {
        let (x, y) = (i as u16 % columns, i as u16 / columns);
        let at = Rect { x: inner.x + x * 13, y: inner.y + y, width: 13.min(inner.width - x * 13), height: 1 };
        let hidden = model.list.hidden.contains(&t.key);
        let role = if hidden { Role::Dim } else { Role::Label };
        p.line(
            at,
            0,
            &[bit(format!(" {:<5} ", t.key), role), bit(format!("{:>5}", format::count(t.count)), Role::Normal)],
        );
    }
    if inner.height > 0 {
        let bad =
            format!(" skipped {}  bad {}  ", format::count(s.counts.skipped), format::count(s.counts.bad_checksum));
        let line = [bit(bad, Role::Warn), bit("f", Role::KeyName), bit(" choose", Role::Dim)];
        p.line(inner, inner.height - 1, &line);
    }
}

/// The inputs of a live feed.
pub fn inputs(p: &mut Pen<'_>, area: Rect, s: &Snapshot) {
    let inner = p.frame(area, "Inputs", false);
    let mut lines: Vec<Vec<Bit>> = Vec::new();
    for i in &s.inputs {
        let (word, role) = link_word(i.state);
        let first = vec![
            // counted as in findings and reports
            bit(format!(" {} ", u32::from(i.n) + 1), Role::Label),
            bit(format!("{word}  "), role),
            bit(i.spec.clone(), Role::Strong),
        ];
        lines.push(first);
        let mut second = vec![bit("   ", Role::Normal)];
        if !i.settings.is_empty() && inner.width >= 44 {
            second.push(bit(format!("{}  ", i.settings), Role::Normal));
        }
        if let Some(load) = i.load {
            second.push(bit(format!("load {load:.0}%  "), if load > 80.0 { Role::Warn } else { Role::Normal }));
        }
        let silent = i.silence.map_or("never a byte".into(), |n| format!("last byte {} ago", format::passed(n)));
        second.push(bit(silent, if i.silence.is_none_or(|n| n > 5 * time::SECOND) { Role::Warn } else { Role::Dim }));
        lines.push(second);
        if let Some(error) = &i.last_error
            && i.state != Link::Open
        {
            lines.push(vec![bit(format!("   {error}"), Role::Bad)]);
        }
    }
    if lines.is_empty() {
        lines.push(vec![bit(" none", Role::Dim)]);
    }
    for (y, line) in lines.iter().take(usize::from(inner.height)).enumerate() {
        p.line(inner, y as u16, line);
    }
}

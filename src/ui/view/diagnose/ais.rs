//! AIS: messages by type, what is missing of long ones, and the targets, nearest first.

use ratatui::layout::Rect;

use super::super::panels::top_for;
use super::super::pen::{Bit, Pen, bit, width};
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::{Diagnose, TargetRow};
use crate::ui::format::{self, UNKNOWN};
use crate::ui::model::Model;
use crate::ui::theme::Role;

/// How wide a name is; everything else stands in columns behind it.
fn name_width(cols: u16) -> usize {
    if cols >= 60 { 16 } else { 11 }
}

/// What is drawn of the targets, by the width.
fn heading(cols: u16) -> String {
    let name = name_width(cols);
    let mut text = format!(" {:<name$} {:>4} {:>5} {:>3} {:>4} {:>5}", "NAME", "AGE", "RANGE", "BRG", "CPA", "TCPA");
    if cols >= 72 {
        text += &format!(" {:<5} {:>5} {:>4} {:>9}", "CLASS", "SOG", "COG", "MMSI");
    }
    text
}

fn target(t: &TargetRow, cols: u16, more: &str) -> Vec<Bit> {
    let number = |v: Option<f64>, decimals| v.map_or(UNKNOWN.into(), |v| format::number(v, decimals));
    let bearing = |v: Option<f64>| v.map_or(UNKNOWN.into(), format::bearing_whole);
    let mmsi = if t.mmsi == 0 { UNKNOWN.to_owned() } else { t.mmsi.to_string() };
    let name = if t.name.is_empty() { &mmsi } else { &t.name };
    let wide = name_width(cols);
    let decimals = usize::from(t.tcpa_min.is_some_and(|m| m.abs() < 100.0));
    // half a mile within a quarter of an hour deserves a look
    let close = t.cpa_nm.is_some_and(|c| c < 0.5) && t.tcpa_min.is_some_and(|m| (0.0..15.0).contains(&m));
    let mut bits = vec![
        bit(format!(" {:<wide$}", format::cut(name, wide, more)), Role::Strong),
        bit(format!(" {:>4}", format::age(t.age)), Role::Normal),
        bit(format!(" {:>5} {:>3}", number(t.range_nm, 1), bearing(t.bearing_true_deg)), Role::Normal),
        bit(
            format!(" {:>4} {:>5}", number(t.cpa_nm, 1), number(t.tcpa_min, decimals)),
            if close { Role::Warn } else { Role::Normal },
        ),
    ];
    if cols >= 72 {
        bits.push(bit(
            format!(" {:<5} {:>5} {:>4} {mmsi:>9}", t.class, number(t.sog_kn, 1), bearing(t.cog_true_deg)),
            Role::Dim,
        ));
    }
    bits
}

/// A heading, the counts by type, and the targets.
pub fn draw(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot, d: &Diagnose, focused: bool) {
    let Some(ais) = &d.ais else { return };
    if area.is_empty() {
        return;
    }
    let title = if focused { Role::TitleFocused } else { Role::Title };
    let long = ais.joined + ais.incomplete;
    let mut head = vec![bit("AIS  ", title), bit(format!("{} targets", ais.targets), Role::Normal)];
    let role = if ais.incomplete > 0 { Role::Warn } else { Role::Dim };
    let mut right = vec![bit(format!("incomplete {} of {long}", ais.incomplete), role)];
    if area.width >= 72 {
        let [a, b] = ais.channels;
        let own = ais.own_mmsi.map_or("no own reports".into(), |mmsi| format!("own {mmsi}"));
        head.push(bit(format!("  {own}"), Role::Dim));
        right.insert(0, bit(format!("channel A {a} B {b}  "), Role::Dim));
    }
    p.rule(area, 0, &head, &right);
    let mut types = vec![bit(" by type ", Role::Label)];
    for (kind, n) in &ais.by_type {
        let next =
            [bit(format!(" {kind}:"), Role::Label), bit(format::count(*n), Role::Normal), bit(" ", Role::Normal)];
        if width(&types) + width(&next) <= usize::from(area.width) {
            types.extend(next);
        }
    }
    p.line(area, 1, &types);
    if area.height < 4 {
        return;
    }
    p.line(area, 2, &[bit(heading(area.width), title)]);
    let body = Rect { y: area.y + 3, height: area.height - 3, ..area };
    let chosen = s.targets.iter().position(|t| model.chart.chose(t.mmsi, &t.name));
    let top = top_for(chosen.unwrap_or(0), s.targets.len(), usize::from(body.height));
    let more = p.glyphs.more;
    for (y, (i, t)) in s.targets.iter().enumerate().skip(top).take(usize::from(body.height)).enumerate() {
        p.line(body, y as u16, &target(t, area.width, more));
        if focused && chosen == Some(i) {
            p.tint(body, y as u16, Role::Selected);
        }
    }
}

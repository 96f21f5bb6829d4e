//! What is wrong, worst first.

use ratatui::layout::Rect;

use super::super::panels::top_for;
use super::super::pen::{Pen, bit};
use crate::core::time;
use crate::core::words::counted;
use crate::runtime::session::snapshot::Diagnose;
use crate::ui::model::Model;
use crate::ui::theme::Role;

/// A heading with the counts, and the findings.
pub fn draw(p: &mut Pen<'_>, area: Rect, model: &Model, d: &Diagnose, focused: bool) {
    if area.is_empty() {
        return;
    }
    let n = |severity: &str| d.findings.iter().filter(|f| f.severity == severity && f.current).count() as u64;
    let title = if focused { Role::TitleFocused } else { Role::Title };
    let mut heading = vec![bit("Findings  ", title)];
    heading.push(bit(counted(n("error"), "error") + "  ", if n("error") > 0 { Role::Bad } else { Role::Dim }));
    heading.push(bit(counted(n("warning"), "warning") + "  ", if n("warning") > 0 { Role::Warn } else { Role::Dim }));
    heading.push(bit(counted(n("note"), "note"), Role::Dim));
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
        if !f.current {
            line.push(bit("past: ", Role::Dim));
        }
        line.push(bit(f.text.clone(), if f.current { Role::Normal } else { Role::Dim }));
        if area.width >= 100 {
            line.push(bit(format!("  Try: {}", f.advice), Role::Dim));
        }
        p.line(body, y as u16, &line);
        if focused && i == chosen {
            p.tint(body, y as u16, Role::Selected);
        }
    }
}

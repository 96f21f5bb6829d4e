//! The dialog with the settings of a serial input: what is set, what is heard, and how the search for the rate stands.

use ratatui::layout::Rect;

use super::overlay::window;
use super::panels::link_word;
use super::pen::{Bit, Pen, bit};
use crate::core::frame::Origin;
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::{InputRow, Scan, Tried};
use crate::ui::format;
use crate::ui::port::PortDialog;
use crate::ui::theme::Role;

/// Findings about a line as a whole.
const LINE: [&str; 5] = ["no_data", "wrong_baud", "inverted", "checksum_errors", "load"];
/// Lines of the feed that are shown.
const LINES: usize = 2;

/// The dialog over the view.
pub fn draw(p: &mut Pen<'_>, screen: Rect, port: &PortDialog, s: &Snapshot) {
    let input = s.inputs.iter().find(|i| i.n == port.input);
    let settings = port.rows();
    let mut lines: Vec<Vec<Bit>> = Vec::new();
    for setting in &settings {
        lines.push(vec![
            bit(format!("{:<13}", setting.word()), Role::Label),
            bit(format!("{} {} {}", p.glyphs.left, port.value(*setting), p.glyphs.right), Role::Strong),
        ]);
    }
    let wide = screen.width >= 60 && screen.height >= 16;
    if wide {
        lines.push(Vec::new());
    }
    match input {
        Some(row) => heard(row, s, wide, &mut lines),
        None => lines.push(vec![bit("this input is no more", Role::Dim)]),
    }
    let area = window(screen, 78, lines.len() + 2);
    p.fill(area, Role::Normal);
    let inner = p.frame(area, &format!("Port {}", port.settings.device), true);
    let inner = Rect { x: inner.x + 1.min(inner.width), width: inner.width.saturating_sub(2), ..inner };
    for (y, line) in lines.iter().take(usize::from(inner.height)).enumerate() {
        p.line(inner, y as u16, line);
        if y == port.row {
            p.tint(inner, y as u16, Role::Selected);
        }
    }
}

/// What is heard with the settings of now.
fn heard(row: &InputRow, s: &Snapshot, wide: bool, lines: &mut Vec<Vec<Bit>>) {
    let scanning = row.scan.as_ref().filter(|scan| scan.step > 0);
    let (word, role) = link_word(row.state);
    let mut now = vec![bit(format!("{:<13}", "Now"), Role::Label)];
    match (scanning, &row.last_error) {
        (Some(scan), _) => now.push(bit(progress(scan, wide), Role::Notice)),
        (None, Some(error)) => now.push(bit(error.clone(), Role::Bad)),
        _ => now.extend([bit(format!("{word} "), role), bit(row.settings.clone(), Role::Normal)]),
    }
    lines.push(now);
    let load = row.load.map_or(String::new(), |load| format!(" {load:.0}%"));
    let last = row.silence.map_or("never a byte".into(), |n| format!("last byte {} ago", format::passed(n)));
    lines.push(vec![
        bit(format!("{:<13}", "Heard"), Role::Label),
        bit(format!("{} sentences  {:.0} B/s{load}  {last}", format::count(row.sentences), row.rate), Role::Normal),
    ]);
    if scanning.is_none()
        && let Some(f) =
            s.diagnose.as_ref().and_then(|d| d.findings.iter().find(|f| f.current && LINE.contains(&f.kind.as_str())))
    {
        lines.push(vec![bit(format!("{:<13}", "Wrong"), Role::Label), bit(f.text.clone(), Role::Bad)]);
    }
    if wide {
        let own = s.list.rows.iter().rev().filter(|r| r.origin == Origin::Input(row.n));
        for (i, r) in own.take(LINES).enumerate() {
            let label = if i == 0 { "Newest" } else { "" };
            lines.push(vec![bit(format!("{label:<13}"), Role::Label), bit(r.text.clone(), Role::Dim)]);
        }
    }
    if let Some(scan) = &row.scan {
        if wide {
            lines.push(Vec::new());
        }
        for t in &scan.tried {
            lines.push(tried(t, t.baud == scan.baud));
        }
    }
}

/// `trying 9600 (3 of 12), 1 good checksum so far`; in little room `9600 (3 of 12) good 1`.
fn progress(scan: &Scan, wide: bool) -> String {
    let good = scan.tried.iter().find(|t| t.baud == scan.baud).map_or(0, |t| t.good);
    if !wide {
        return format!("{} ({} of {}) good {good}", scan.baud, scan.step, scan.steps);
    }
    let s = if good == 1 { "" } else { "s" };
    format!("trying {} ({} of {}), {good} good checksum{s} so far", scan.baud, scan.step, scan.steps)
}

fn tried(t: &Tried, trying: bool) -> Vec<Bit> {
    let text = match (t.bytes, t.good) {
        (0, _) => "silent".to_owned(),
        (_, 0) => format!("{} heard, {} % text, no good checksum", format::size(t.bytes), t.printable),
        (_, 1) => "1 good checksum".to_owned(),
        (_, good) => format!("{good} good checksums: found"),
    };
    let role = match t.good {
        0 => Role::Dim,
        1 => Role::Notice,
        _ => Role::Good,
    };
    let mark = if trying { " listening: " } else { " " };
    vec![bit(format!("{:>13}", t.baud), Role::Strong), bit(format!("{mark}{text}"), role)]
}

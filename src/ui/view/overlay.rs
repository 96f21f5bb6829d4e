//! What lies over the view: prompts, help, lists, texts, questions.

use ratatui::layout::Rect;

use super::panels::top_for;
use super::pen::{Bit, Pen, bit, width};
use crate::core::time;
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::Openable;
use crate::ui::format;
use crate::ui::model::{Model, Overlay};
use crate::ui::prompt::{Prompt, PromptKind};
use crate::ui::theme::Role;
use crate::ui::update::openables;

/// The line of a prompt, with its cursor and, at the right, what may be typed.
pub fn prompt_line(p: &mut Pen<'_>, area: Rect, prompt: &Prompt) {
    if area.is_empty() {
        return;
    }
    p.fill(Rect { height: 1, ..area }, Role::Normal);
    let label = prompt.kind.label();
    let lead = vec![bit(label, Role::KeyName)];
    let room = usize::from(area.width).saturating_sub(width(&lead) + 1).max(1);
    let scroll = prompt.input.visual_scroll(room);
    let text: String = prompt.text().chars().skip(scroll).take(room).collect();
    let at = prompt.input.visual_cursor().saturating_sub(scroll);
    let mut line = lead.clone();
    line.push(bit(text, Role::Strong));
    p.line(area, 0, &line);
    let x = area.x.saturating_add((width(&lead) + at) as u16).min(area.right().saturating_sub(1));
    let under = prompt.text().chars().nth(prompt.input.cursor()).map_or(" ".into(), String::from);
    p.put(area, x, area.y, &under, Role::Selected);
    let help = prompt.kind.help();
    let used = width(&line) + 3;
    if used + help.len() < usize::from(area.width) {
        let at = area.right() - help.len() as u16 - 1;
        p.put(area, at, area.y, help, Role::Dim);
    }
}

/// The middle of the screen, as large as needed; all of it where it is small.
pub(super) fn window(screen: Rect, cols: usize, rows: usize) -> Rect {
    let (cols, rows) = (cols.min(400) as u16, rows.min(400) as u16);
    if screen.width < 60 || screen.height < 16 {
        return Rect { height: screen.height.saturating_sub(1).max(1), ..screen };
    }
    let width = cols.clamp(30, screen.width - 4);
    // the footer with the keys of the overlay stays visible
    let height = rows.clamp(3, screen.height - 3);
    Rect { x: (screen.width - width) / 2, y: (screen.height - 1 - height) / 2, width, height }
}

/// Everything that lies over the view; of a text that is scrolled, the line that stands at its top.
pub fn draw(p: &mut Pen<'_>, screen: Rect, model: &Model, s: &Snapshot) -> Option<usize> {
    let overlay = model.overlay.as_ref()?;
    if screen.height < 3 || screen.width < 12 {
        // one line: the prompt or the question, nothing else fits
        let line = Rect { y: screen.bottom().saturating_sub(1), height: 1.min(screen.height), ..screen };
        match overlay {
            Overlay::Prompt(prompt) | Overlay::Help { input: prompt, .. } | Overlay::Open { input: prompt, .. } => {
                prompt_line(p, line, prompt);
            }
            Overlay::Question { title, .. } => p.line(line, 0, &[bit(format!("{title} y/N"), Role::Warn)]),
            _ => {}
        }
        return None;
    }
    match overlay {
        Overlay::Prompt(prompt) => {
            match prompt.kind {
                PromptKind::Palette => super::help::suggestions(p, screen, model, s, prompt),
                PromptKind::AddOutput | PromptKind::EditOutput(_) => super::help::specs(p, screen, model, s, prompt),
                _ => {}
            }
            if crate::ui::layout::scale(screen.width, screen.height) == crate::ui::layout::Scale::Line {
                prompt_line(p, Rect { y: screen.bottom() - 1, height: 1, ..screen }, prompt);
            }
        }
        Overlay::Help { input, top } => return super::help::keys(p, screen, model, s, input, *top),
        Overlay::Open { input, items, index } => open(p, screen, input, items.as_deref(), *index),
        Overlay::Types { index } => types(p, screen, model, s, *index),
        Overlay::Marks { index } => marks(p, screen, s, *index),
        Overlay::Inspect { top, .. } => return Some(inspect(p, screen, s, *top)),
        Overlay::Text { title, lines, top } => {
            let cols = lines
                .iter()
                .map(|l| l.chars().count())
                .max()
                .unwrap_or(0)
                .min(usize::from(screen.width).saturating_sub(8));
            let wrapped: Vec<Vec<Bit>> = lines.iter().flat_map(|l| wrap(l, cols.max(20))).collect();
            return Some(text(p, screen, title, &wrapped, *top, cols + 4));
        }
        Overlay::Port(dialog) => super::port::draw(p, screen, dialog, s),
        Overlay::Question { title, lines, .. } => {
            let most = usize::from(screen.width).saturating_sub(8).max(10);
            let mut all: Vec<Vec<Bit>> = lines.iter().flat_map(|l| wrap(&format!("- {l}"), most)).collect();
            all.push(Vec::new());
            all.push(vec![
                bit("y", Role::KeyName),
                bit(" yes    ", Role::Normal),
                bit("n Enter Esc", Role::KeyName),
                bit(" no", Role::Strong),
            ]);
            let cols = all.iter().map(|l| width(l)).max().unwrap_or(0).max(title.len());
            text(p, screen, title, &all, 0, cols + 4);
        }
    }
    None
}

/// Breaks a line at blanks; what follows is indented.
fn wrap(line: &str, cols: usize) -> Vec<Vec<Bit>> {
    if line.chars().count() <= cols {
        return vec![vec![bit(line.trim_end(), Role::Normal)]];
    }
    let parts = super::inspect::broken(line, cols.saturating_sub(2));
    let indent = |i: usize| if i == 0 { "" } else { "  " };
    parts.iter().enumerate().map(|(i, part)| vec![bit(format!("{}{part}", indent(i)), Role::Normal)]).collect()
}

/// A frame with lines, scrolled as far as there are lines.
fn text(p: &mut Pen<'_>, screen: Rect, title: &str, lines: &[Vec<Bit>], top: usize, cols: usize) -> usize {
    let area = window(screen, cols, lines.len() + 2);
    p.fill(area, Role::Normal);
    let inner = p.frame(area, title, true);
    let inner = Rect { x: inner.x + 1.min(inner.width), width: inner.width.saturating_sub(2), ..inner };
    let height = usize::from(inner.height);
    let top = top.min(lines.len().saturating_sub(height));
    for (y, line) in lines.iter().skip(top).take(height).enumerate() {
        p.line(inner, y as u16, line);
    }
    more(p, area, top, lines.len(), height);
    top
}

/// Says at the lower edge that there is more.
pub(super) fn more(p: &mut Pen<'_>, area: Rect, top: usize, all: usize, height: usize) {
    if all <= height || area.height < 2 {
        return;
    }
    let words = format!(" {}-{} of {all} ", top + 1, (top + height).min(all));
    let x = area.right().saturating_sub(words.len() as u16 + 2).max(area.x);
    p.put(area, x, area.bottom() - 1, &words, Role::Dim);
}

/// A frame with rows of which one is chosen; answers where to draw more.
fn rows(p: &mut Pen<'_>, area: Rect, lines: &[Vec<Bit>], chosen: usize) {
    let height = usize::from(area.height);
    let top = top_for(chosen, lines.len(), height);
    for (y, (i, line)) in lines.iter().enumerate().skip(top).take(height).enumerate() {
        p.line(area, y as u16, line);
        if i == chosen {
            p.tint(area, y as u16, Role::Selected);
        }
    }
}

fn open(p: &mut Pen<'_>, screen: Rect, input: &Prompt, items: Option<&[Openable]>, index: usize) {
    let area = window(screen, 100, 400);
    p.fill(area, Role::Normal);
    let inner = p.frame(area, "Open a source", true);
    if inner.height < 2 {
        return;
    }
    prompt_line(p, Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), height: 1, ..inner }, input);
    let body = Rect { y: inner.y + 1, height: inner.height - 1, ..inner };
    let Some(items) = items else {
        p.line(body, 0, &[bit(" looking...", Role::Dim)]);
        return;
    };
    let fits = openables(items, input.text());
    if fits.is_empty() {
        let typed = !input.text().trim().is_empty();
        let words = if typed {
            " nothing listed has that: Enter opens it as a path or SPEC"
        } else {
            " nothing found: type a path, or a SPEC such as tcp:HOST:PORT"
        };
        p.line(body, 0, &[bit(words, Role::Dim)]);
        return;
    }
    let wide = body.width >= 70;
    let lines: Vec<Vec<Bit>> = fits
        .iter()
        .map(|o| {
            let size = o.size.map_or(String::new(), format::size);
            let span = o.span.map_or(String::new(), format::duration);
            let changed = o.changed.map_or(String::new(), |t| format!("{} {}", time::date_of(t), &time::clock(t)[..5]));
            let mut line = vec![bit(format!(" {:<8}", o.kind), Role::Label)];
            let room = usize::from(body.width).saturating_sub(if wide { 50 } else { 20 }).max(8);
            line.push(bit(format!(" {:<room$}", format::cut_front(&o.name, room, p.glyphs.more)), Role::Strong));
            line.push(bit(format!(" {size:>9}"), Role::Normal));
            if wide {
                line.push(bit(format!(" {span:>10}  {changed:<16}"), Role::Dim));
            }
            line
        })
        .collect();
    rows(p, body, &lines, index.min(lines.len() - 1));
    more(p, area, top_for(index, lines.len(), usize::from(body.height)), lines.len(), usize::from(body.height));
}

fn types(p: &mut Pen<'_>, screen: Rect, model: &Model, s: &Snapshot, index: usize) {
    let area = window(screen, 44, s.types.len().max(1) + 2);
    p.fill(area, Role::Normal);
    let title = if s.transport.only.is_some() { "Types (ONLY THESE ARE SENT)" } else { "Types (hidden ones are sent)" };
    let inner = p.frame(area, title, true);
    if s.types.is_empty() {
        p.line(inner, 0, &[bit(" nothing heard yet", Role::Dim)]);
        return;
    }
    let all: u64 = s.types.iter().map(|t| t.count).sum();
    let lines: Vec<Vec<Bit>> = s
        .types
        .iter()
        .map(|t| {
            let shown = !model.list.hidden.contains(&t.key);
            let (sign, word) = if shown { (p.glyphs.chosen, "shown") } else { (p.glyphs.not_chosen, "hidden") };
            let role = if shown { Role::Strong } else { Role::Dim };
            let percent = t.count as f64 * 100.0 / all.max(1) as f64;
            vec![
                bit(format!(" {sign} {:<8} {word:<7}", t.key), role),
                bit(format!(" {:>9} {percent:>5.1}%", format::count(t.count)), Role::Normal),
            ]
        })
        .collect();
    rows(p, inner, &lines, index.min(lines.len() - 1));
    keys(p, area, &[("s", if s.transport.only.is_some() { "send all" } else { "send only these" }), ("a", "all")]);
}

/// Keys of a list at its lower edge, as many as fit.
fn keys(p: &mut Pen<'_>, area: Rect, keys: &[(&str, &str)]) {
    let mut x = area.x + 2;
    for (key, what) in keys {
        let wide = (key.len() + what.len() + 3) as u16;
        if area.height < 2 || x + wide + 1 > area.right() {
            break;
        }
        x = p.put(area, x, area.bottom() - 1, &format!(" {key}"), Role::KeyName);
        x = p.put(area, x, area.bottom() - 1, &format!(" {what} "), Role::Dim);
    }
}

fn marks(p: &mut Pen<'_>, screen: Rect, s: &Snapshot, index: usize) {
    let marks = s.log.as_ref().map(|l| l.marks.as_slice()).unwrap_or_default();
    let area = window(screen, 64, marks.len().max(1) + 2);
    p.fill(area, Role::Normal);
    let inner = p.frame(area, "Marks", true);
    if marks.is_empty() {
        p.line(inner, 0, &[bit(" none left: m sets one", Role::Dim)]);
        return;
    }
    let line = |m: &crate::runtime::session::snapshot::MarkRow| {
        let at = m.utc.map_or_else(|| time::span(m.offset), |t| format!("{}Z", time::clock(t)));
        vec![
            bit(format!(" {at:<10} line {:<10} ", format::thousands(m.place.line)), Role::Label),
            bit(m.name.clone(), Role::Strong),
        ]
    };
    let lines: Vec<Vec<Bit>> = marks.iter().map(line).collect();
    rows(p, inner, &lines, index.min(lines.len() - 1));
    keys(p, area, &[("r", "rename"), ("d", "delete"), ("e", "export"), ("Enter", "go")]);
}

/// A line taken apart.
fn inspect(p: &mut Pen<'_>, screen: Rect, s: &Snapshot, top: usize) -> usize {
    let cols = usize::from(screen.width).saturating_sub(4).min(100);
    let lines = match &s.inspect {
        Some(value) => super::inspect::lines(value, cols.saturating_sub(4).max(10), p.glyphs.more),
        None => vec![vec![bit("taking it apart...", Role::Dim)]],
    };
    text(p, screen, "Inspect", &lines, top, cols)
}

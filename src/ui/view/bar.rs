//! The timeline of a log or a track: elapsed, total, gaps, breaks, bad lines, marks, loop range, the head.

use ratatui::layout::Rect;

use super::pen::{Bit, Pen, bit, width};
use crate::core::time::{self, Offset};
use crate::core::transport::Looping;
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::{BarCell, Mode};
use crate::ui::format;
use crate::ui::layout::bar_cells;
use crate::ui::theme::Role;

/// How far, 0 to 1.
fn fraction(at: Offset, whole: Option<Offset>) -> f64 {
    match whole {
        Some(whole) if whole > 0 => (at as f64 / whole as f64).clamp(0.0, 1.0),
        _ => 0.0,
    }
}

/// Where the play head stands, within which length, and on which lap of a track that begins again at its end.
fn run(s: &Snapshot) -> (Offset, Option<Offset>, Option<Offset>) {
    let t = &s.transport;
    match (t.duration, t.lap) {
        (None, Some(lap)) if lap > 0 => (t.position.rem_euclid(lap), Some(lap), Some(t.position.div_euclid(lap) + 1)),
        (whole, _) => (t.position, whole, None),
    }
}

/// The cell of an offset.
fn cell_of(at: Offset, whole: Option<Offset>, cells: usize) -> usize {
    ((fraction(at, whole) * cells as f64) as usize).min(cells.saturating_sub(1))
}

/// The clock at the ends of the bar: of the log's own times, else of the offsets.
fn ends(s: &Snapshot) -> (String, String) {
    let of_log = s.log.as_ref().and_then(|l| l.first.zip(l.last));
    let hm = |utc| time::clock(utc)[..5].to_owned();
    match of_log {
        Some((first, last)) => (hm(first), hm(last)),
        // hours and minutes, as the clock has them
        None => ("0:00".into(), run(s).1.map_or("--:--".into(), hours_minutes)),
    }
}

fn hours_minutes(offset: Offset) -> String {
    let span = time::span(offset);
    span.get(..span.len().saturating_sub(3)).unwrap_or(&span).to_owned()
}

/// The bar itself: `06:12 [====!==B=====>......------!---] 14:55`.
pub fn timeline(p: &mut Pen<'_>, area: Rect, s: &Snapshot) {
    if area.is_empty() {
        return;
    }
    let g = p.glyphs;
    let (position, whole, lap) = run(s);
    let wide = area.width >= 60;
    let percent = fraction(position, whole) * 100.0;
    // whole percent leave room for the lap
    let tight = lap.map_or(format!(" {percent:>5.1}%"), |lap| format!(" lap {lap} {percent:>3.0}%"));
    let n = if wide { usize::from(bar_cells(area)) } else { usize::from(area.width).saturating_sub(tight.len() + 2) };
    let head = cell_of(position, whole, n);
    let asked = s.log.as_ref().map(|l| l.bar.as_slice()).unwrap_or_default();
    // a bar of another width (the terminal was just resized) is stretched
    let at = |i: usize| -> BarCell {
        if asked.is_empty() { BarCell::default() } else { asked[(i * asked.len() / n.max(1)).min(asked.len() - 1)] }
    };
    let range = match s.transport.looping {
        Looping::Stretch(a, b) => Some((cell_of(a, whole, n), cell_of(b, whole, n))),
        _ => s.transport.loop_from.map(|a| (cell_of(a, whole, n), usize::MAX)),
    };
    let (first, last) = ends(s);
    let mut bits = if wide { vec![bit(format!(" {first:>5} "), Role::Normal)] } else { Vec::new() };
    bits.push(bit("[", Role::Border));
    for i in 0..n {
        let cell = at(i);
        let ends_loop = range.is_some_and(|(a, b)| i == a || i == b);
        let (sign, role) = if i == head && s.run != crate::runtime::session::snapshot::Run::Opening {
            (g.bar_head, Role::Cursor)
        } else if ends_loop {
            (g.bar_loop, Role::Pinned)
        } else if cell.mark {
            (g.bar_mark, Role::Notice)
        } else if cell.bad {
            (g.bar_bad, Role::Bad)
        } else if cell.gap || cell.broken {
            (g.bar_gap, Role::Warn)
        } else if i < head {
            (g.bar_done, Role::Done)
        } else {
            (g.bar_rest, Role::Rest)
        };
        bits.push(bit(sign, role));
    }
    bits.push(bit("]", Role::Border));
    if wide {
        bits.push(bit(format!(" {last}"), Role::Normal));
    } else {
        bits.push(bit(tight, Role::Strong));
    }
    p.line(area, 0, &bits);
}

/// The density of sentences over the bar.
pub fn rate(p: &mut Pen<'_>, area: Rect, s: &Snapshot) {
    if area.is_empty() {
        return;
    }
    let n = usize::from(bar_cells(area));
    let cells = s.log.as_ref().map(|l| l.bar.as_slice()).unwrap_or_default();
    let mut bits = vec![bit("  rate ", Role::Label), bit("[", Role::Border)];
    let levels = p.glyphs.levels;
    let line: String = (0..n)
        .map(|i| cells.get(i * cells.len() / n.max(1)).map_or(" ", |c| levels[usize::from(c.density.min(8))]))
        .collect();
    bits.push(bit(line, Role::Track));
    bits.push(bit("]", Role::Border));
    p.line(area, 0, &bits);
}

/// Elapsed, total, percent, line, and how it is played.
pub fn elapsed(p: &mut Pen<'_>, area: Rect, s: &Snapshot) {
    if area.is_empty() {
        return;
    }
    let t = &s.transport;
    let (position, whole, lap) = run(s);
    let mut left = vec![
        bit(format!(" {} / {}", time::span(position), whole.map_or("--:--:--".into(), time::span)), Role::Strong),
        bit(format!("   {:.1}%", fraction(position, whole) * 100.0), Role::Normal),
    ];
    if let Some(lap) = lap {
        left.push(bit(format!("   lap {lap}"), Role::Pinned));
    }
    if let Some(line) = s.log.as_ref().and_then(|l| l.head).map(|h| h.line) {
        left.push(bit(format!("   line {}", format::thousands(line)), Role::Normal));
    }
    if let Some(wait) = t.waiting {
        left.push(bit(format!("   next in {}", format::duration(wait)), Role::Warn));
    }
    let looping = match (t.looping, t.loop_from) {
        (Looping::Stretch(a, b), _) => format!("loop A-B {} - {}", time::span(a), time::span(b)),
        (_, Some(a)) => format!("A {}; b sets B", time::span(a)),
        (Looping::All, _) => "loop all".into(),
        (Looping::Off, _) if lap.is_some() => "track loops".into(),
        (Looping::Off, _) => "loop off".into(),
    };
    let role = if looping == "loop off" { Role::Dim } else { Role::Pinned };
    let mut right = vec![bit(looping, role)];
    if let Some(gap) = t.gap_limit {
        right.push(bit(format!("   gaps {} at most", format::duration(gap)), Role::Dim));
    }
    if s.mode == Mode::Replay
        && let Some(log) = &s.log
        && area.width >= 100
    {
        right.push(bit(format!("   timed by {}", log.tier), Role::Dim));
    }
    right.push(if t.emit { bit("   emit on ", Role::Good) } else { bit("   emit OFF ", Role::Warn) });
    let fits = |right: &[Bit]| width(&left) + width(right) <= usize::from(area.width);
    while right.len() > 2 && !fits(&right) {
        right.remove(1);
    }
    // What is as usual goes first; then the loop in a word.
    if !fits(&right) {
        match t.looping {
            Looping::Off if t.loop_from.is_none() => drop(right.remove(0)),
            _ if t.emit => right.truncate(1),
            _ => {}
        }
    }
    if !fits(&right)
        && let (Some(first), Looping::Stretch(..)) = (right.first_mut(), t.looping)
    {
        first.0 = "loop A-B ".into();
    }
    p.sides(area, 0, &left, &right);
}

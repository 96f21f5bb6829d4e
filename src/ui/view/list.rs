//! The list of sentences: full width, play head and selection, times, reasons, sideways scroll.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

use super::pen::{Bit, Pen, bit, width};
use crate::core::frame::{Class, Origin};
use crate::runtime::session::snapshot::{Matches, Mode, Row};
use crate::runtime::session::{Presentation, RowKey, Snapshot};
use crate::ui::format;
use crate::ui::model::{Model, TimeColumn};
use crate::ui::theme::Role;

/// The rule over the list.
pub fn title(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot, focused: bool) {
    if area.is_empty() {
        return;
    }
    let l = &model.list;
    let name = if s.mode == Mode::Replay { "Log" } else { "Sentences" };
    let mut left = vec![bit(name, if focused { Role::TitleFocused } else { Role::Title })];
    let narrow = area.width < 60;
    if !narrow {
        let filter = match (l.filter.is_empty(), l.matches.is_empty(), l.hidden.len()) {
            (true, true, 0) => "all types".into(),
            (false, true, 0) => format!("only {}", l.filter),
            (true, false, 0) => format!("only /{}/", l.matches),
            (true, true, n) => format!("{n} types hidden"),
            _ => format!("only {} /{}/ less {}", l.filter, l.matches, l.hidden.len()),
        };
        let role = if filter == "all types" { Role::Dim } else { Role::Warn };
        left.push(bit("  ", Role::Border));
        left.push(bit(filter, role));
        left.extend(s.list.shown.filter(|_| l.is_filtered()).map(|m| bit(format!(" {}", counted(&m)), role)));
        if s.transport.only.is_some() {
            left.push(bit("  ONLY THESE SENT", Role::Warn));
        }
        if !l.pattern.is_empty() {
            left.push(bit(format!("  find: {}", l.pattern), Role::Notice));
            left.extend(s.list.found.map(|m| bit(format!(" {}", counted(&m)), Role::Notice)));
        }
        if l.sideways > 0 {
            left.push(bit(format!("  from column {}", l.sideways + 1), Role::Dim));
        }
        if l.hex {
            left.push(bit("  hex", Role::Dim));
        }
    }
    let mut right = Vec::new();
    if s.list.loading {
        right.push(bit("looking up  ", Role::Notice));
    }
    if s.mode != Mode::Replay {
        let rate = format!("{:.1}/s {:.0} B/s  ", s.counts.rate, s.counts.bytes_rate);
        right.push(bit(rate, Role::Normal));
    }
    if !narrow {
        let shape = match l.presentation {
            Presentation::Scroll => "",
            Presentation::PerType => "by type  ",
            Presentation::InPlace => "in place  ",
        };
        right.push(bit(shape, Role::Normal));
        if l.time != TimeColumn::Utc {
            right.push(bit(format!("{}  ", l.time.word()), Role::Dim));
        }
    }
    let follows = l.anchor.is_none();
    let state = match (follows, model.frozen.is_some()) {
        (true, _) => bit("FOLLOW", Role::Good),
        (false, true) => bit("FROZEN", Role::Warn),
        (false, false) => bit("BROWSE", Role::Notice),
    };
    right.push(state);
    p.rule(area, 0, &left, &right);
}

/// Which of how many: `(1/3,912)`; how many where the selected line is none of them; `+` while there may be more.
fn counted(m: &Matches) -> String {
    let ordinal = m.ordinal.map_or(String::new(), |n| format!("{}/", format::thousands(n)));
    format!("({ordinal}{}{})", format::thousands(m.total), if m.complete { "" } else { "+" })
}

/// Columns of the line numbers of a log.
fn number_width(s: &Snapshot) -> usize {
    let lines = s.log.as_ref().map_or(0, |l| l.lines);
    lines.max(1).to_string().len().clamp(4, 9)
}

/// What stands in front of the text.
fn front(p: &Pen<'_>, model: &Model, s: &Snapshot, row: &Row, wide: u16) -> Vec<Bit> {
    let g = p.glyphs;
    let log = s.mode == Mode::Replay;
    let mut bits = Vec::new();
    if log || row.head {
        let (sign, role) = if row.head {
            (g.play_head, Role::Cursor)
        } else if row.class.is_skip() {
            (g.skipped, Role::Skipped)
        } else if row.mark {
            (g.bar_mark, Role::Notice)
        } else {
            (" ", Role::Normal)
        };
        bits.push(bit(sign, role));
    }
    if log
        && wide >= 60
        && let RowKey::Place(place) = row.key
    {
        bits.push(bit(format!("{:>w$} ", place.line, w = number_width(s)), Role::Dim));
    }
    let tight = wide < 60;
    let clock = |utc: Option<i64>| match utc {
        Some(t) if tight => format::clock_ms(t)[6..].to_owned(),
        Some(t) => format::clock_ms(t),
        // a comment has no time of its own
        None if tight => " ".repeat(6),
        None => " ".repeat(12),
    };
    let offset = || row.offset.map_or(format::UNKNOWN.into(), format::offset_ms);
    // a log without stamps has offsets only
    let stamped = s.list.rows.iter().any(|r| r.utc.is_some());
    let seconds = || offset().chars().rev().take(6).collect::<Vec<_>>().into_iter().rev().collect::<String>();
    let utc = || match (stamped, tight) {
        (true, _) => clock(row.utc),
        (false, true) => format!("{:>6}", seconds()),
        (false, false) => format!("{:>12}", offset()),
    };
    let text = match model.list.time {
        TimeColumn::Off => String::new(),
        TimeColumn::Utc => format!("{} ", utc()),
        TimeColumn::Offset => format!("{:>11} ", offset()),
        TimeColumn::Delta if tight => format!("{:>7} ", row.delta.map_or(String::new(), format::delta)),
        TimeColumn::Delta => format!("{} {:>7} ", utc(), row.delta.map_or(String::new(), format::delta)),
    };
    bits.push(bit(text, Role::Dim));
    if let Some((count, rate)) = row.count {
        bits.push(bit(format!("{:>7} {:>5.1}/s ", format::count(count), rate), Role::Label));
    }
    match row.origin {
        Origin::Input(n) if s.inputs.len() > 1 => bits.push(bit(format!("{}: ", n.saturating_add(1)), Role::Label)),
        Origin::Reply(n) => bits.push(bit(format!("reply {n}: "), Role::Label)),
        _ => {}
    }
    bits
}

/// The reason of a line that is not a sentence, in brackets.
fn reason(row: &Row, wide: u16) -> Option<String> {
    if !row.class.is_skip() {
        return None;
    }
    let words = match &row.why {
        Some(why) if wide >= 100 => why.clone(),
        // `bad checksum: given 37, computed 70`: the kind alone where room is short
        Some(why) => why.split(':').next().unwrap_or(why).to_owned(),
        None => row.class.words().into(),
    };
    Some(format!("   [{words}]"))
}

/// The text from a column on, what was found marked.
fn text_bits(p: &Pen<'_>, model: &Model, row: &Row, role: Role, room: usize) -> Vec<Bit> {
    let skip = usize::from(model.list.sideways);
    let text: String = row.text.chars().skip(skip).collect();
    let cut = format::cut(&text, room, p.glyphs.more);
    let Some(found) = &model.list.found else { return vec![bit(cut, role)] };
    let mut bits = Vec::new();
    let mut at = 0;
    for (from, to) in found.places(&cut) {
        bits.push(bit(&cut[at..from], role));
        bits.push(bit(&cut[from..to], Role::Found));
        at = to;
    }
    bits.push(bit(&cut[at..], role));
    bits
}

/// The rows.
pub fn rows(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    if area.is_empty() {
        return;
    }
    let list = &s.list;
    if list.rows.is_empty() {
        return empty(p, area, model, s);
    }
    let selected = model.selected_row(list);
    let head = list.rows.iter().position(|r| r.head);
    // more rows than there is room for: the terminal has just shrunk; the end matters
    let over = list.rows.len().saturating_sub(usize::from(area.height));
    let first = if model.list.anchor.is_none() && head.is_none() { over } else { 0 };
    for (line, (i, row)) in list.rows.iter().enumerate().skip(first).take(usize::from(area.height)).enumerate() {
        let ahead = s.mode == Mode::Replay && head.is_some_and(|h| i > h);
        let role = match row.class {
            _ if row.head => Role::Cursor,
            Class::Comment | Class::Blank => Role::Dim,
            class if class.is_skip() => Role::Skipped,
            _ if ahead => Role::Upcoming,
            Class::WithoutChecksum => Role::Warn,
            _ => Role::Sent,
        };
        let mut bits = front(p, model, s, row, area.width);
        let why = reason(row, area.width).unwrap_or_default();
        let taken = width(&bits) + why.width();
        let room = usize::from(area.width).saturating_sub(taken);
        bits.extend(text_bits(p, model, row, role, room));
        if !why.is_empty() {
            bits.push(bit(why, Role::Bad));
        }
        p.line(area, line as u16, &bits);
        if selected == Some(i) {
            p.tint(area, line as u16, Role::Selected);
        }
    }
}

/// What an empty list says.
fn empty(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    use crate::runtime::session::snapshot::Run;
    let words = match (s.run, s.mode) {
        (Run::Opening, _) => "opening...",
        (Run::Failed, _) => "the source failed: see 5 Events",
        _ if model.list.is_filtered() => "no line passes the filter: & with nothing shows all, f a shows all types",
        (_, Mode::Live) => "nothing heard yet: 2 Diagnose says what may be wrong",
        _ => "no sentence yet",
    };
    p.line(area, 0, &[bit(format!(" {words}"), Role::Dim)]);
}

//! The mode line: what the source is and does, UTC, recording, outputs, and how all of it is in a word.

use ratatui::layout::Rect;

use super::pen::{Bit, Pen, bit, width};
use crate::core::time;
use crate::core::transport::player::speed_text;
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::{Link, Mode, Run};
use crate::ui::format;
use crate::ui::model::{Model, ViewName};
use crate::ui::theme::Role;

/// The mode in a word.
fn mode_word(mode: Mode, tight: bool) -> &'static str {
    match (mode, tight) {
        (Mode::Simulate, false) => "SIMULATE",
        (Mode::Simulate, true) => "SIM",
        (Mode::Track, _) => "TRACK",
        (Mode::Replay, false) => "REPLAY",
        (Mode::Replay, true) => "REPL",
        (Mode::Live, _) => "LIVE",
    }
}

/// What it does, and how fast.
fn run(model: &Model, s: &Snapshot) -> Vec<Bit> {
    let (word, role) = match s.run {
        _ if s.mode == Mode::Live && model.frozen.is_some() => ("FROZEN", Role::Warn),
        Run::Running => ("RUN", Role::Good),
        Run::Paused => ("PAUSED", Role::Warn),
        Run::Ended => ("ENDED", Role::Warn),
        Run::Opening => ("OPENING", Role::Warn),
        Run::Failed => ("FAILED", Role::Bad),
    };
    let mut bits = vec![bit(word, role)];
    if s.mode != Mode::Live {
        let times = if s.transport.speed.is_some() { "x" } else { "" };
        bits.push(bit(format!(" {}{times}", speed_text(s.transport.speed)), Role::Strong));
    }
    bits
}

/// The recording in a word.
fn record(s: &Snapshot) -> Bit {
    match (&s.record.alarm, s.record.on) {
        (Some(_), _) => bit("REC ERR", Role::Bad),
        (None, true) => bit(format!("REC {}", format::size_tight(s.record.bytes)), Role::Good),
        (None, false) => bit("REC off", Role::Dim),
    }
}

/// The outputs by kind: `TCP 2  UDP 1  SER 61%`.
fn outputs(s: &Snapshot) -> Vec<Bit> {
    let mut kinds: Vec<(&str, u32, Option<f64>, Link)> = Vec::new();
    for o in &s.outputs {
        let serves = o.client_count > 0 || o.spec.starts_with("tcp-server") || o.spec.starts_with("websocket");
        let n = if serves { o.client_count } else { u32::from(o.state == Link::Open) };
        match kinds.iter_mut().find(|k| k.0 == o.kind) {
            Some(k) => {
                k.1 += n;
                k.2 = k.2.or(o.load);
                if matches!(o.state, Link::Failed | Link::Waiting) {
                    k.3 = o.state;
                }
            }
            None => kinds.push((&o.kind, n, o.load, o.state)),
        }
    }
    let text = |(kind, n, load, state): (&str, u32, Option<f64>, Link)| match (state, load) {
        (Link::Failed, _) => bit(format!("{kind} ERR"), Role::Bad),
        (Link::Waiting, _) => bit(format!("{kind} wait"), Role::Warn),
        (Link::Closed, _) => bit(format!("{kind} off"), Role::Dim),
        (_, Some(load)) => bit(format!("{kind} {load:.0}%"), if load > 90.0 { Role::Warn } else { Role::Good }),
        _ => bit(format!("{kind} {n}"), Role::Good),
    };
    kinds.into_iter().map(text).collect()
}

/// How all of it is, in a word.
fn health(s: &Snapshot) -> Bit {
    let holds =
        |severity| s.diagnose.as_ref().is_some_and(|d| d.findings.iter().any(|f| f.current && f.severity == severity));
    let output = |state| s.outputs.iter().any(|o| o.state == state);
    let input = s.inputs.iter().any(|i| matches!(i.state, Link::Waiting | Link::Failed));
    if output(Link::Failed) || s.run == Run::Failed || s.record.alarm.is_some() || holds("error") {
        bit("BAD", Role::Bad)
    } else if output(Link::Waiting) || input || !s.alarms.is_empty() || s.counts.dropped > 0 || holds("warning") {
        bit("WARN", Role::Warn)
    } else {
        bit("OK", Role::Good)
    }
}

fn utc(s: &Snapshot, date: bool) -> Bit {
    match s.source_utc {
        Some(t) if date => bit(format!("{} {}Z", time::date_of(t), time::clock(t)), Role::Strong),
        Some(t) => bit(format!("{}Z", time::clock(t)), Role::Strong),
        None => bit("--:--:--Z", Role::Dim),
    }
}

/// Outputs get less than everything.
fn sifted(s: &Snapshot) -> Option<Bit> {
    s.transport.only.as_ref().map(|_| bit("SENDS ONLY", Role::Warn))
}

/// Skipped pieces and bad checksums, for a log or a live feed.
fn skips(s: &Snapshot) -> Option<Bit> {
    if !matches!(s.mode, Mode::Replay | Mode::Live) {
        return None;
    }
    let (skipped, bad) = (format::count(s.counts.skipped), format::count(s.counts.bad_checksum));
    let role = if s.counts.skipped > 0 { Role::Warn } else { Role::Dim };
    Some(bit(format!("skip {skipped} bad {bad}"), role))
}

/// Joins groups, as many from the front as fit.
fn joined(groups: Vec<Vec<Bit>>, room: usize, gap: &str) -> Vec<Bit> {
    let mut out: Vec<Bit> = Vec::new();
    for group in groups {
        let between = if out.is_empty() { 0 } else { gap.len() };
        if width(&out) + between + width(&group) > room {
            continue;
        }
        if between > 0 {
            out.push(bit(gap, Role::Normal));
        }
        out.extend(group);
    }
    out
}

/// The first row from 60 columns up.
pub fn line(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    let wide = area.width >= 110;
    let view = match model.view {
        ViewName::Live => None,
        ViewName::Diagnose => Some("DIAGNOSE"),
        ViewName::Chart => Some("CHART"),
        ViewName::Outputs => Some("OUTPUTS"),
        ViewName::Events => Some("EVENTS"),
    };
    // the most needed first: what does not fit is left out from the back
    let mut groups: Vec<Vec<Bit>> = vec![vec![utc(s, wide)], vec![record(s)]];
    groups.extend(sifted(s).map(|b| vec![b]));
    // where the facts of a log or a feed are not on the screen, the counts are up here
    if model.view != ViewName::Live && area.width >= 80 {
        groups.extend(skips(s).map(|b| vec![b]));
    }
    groups.extend(outputs(s).into_iter().map(|b| vec![b]));
    let state = health(s);
    let room = usize::from(area.width) * 60 / 100;
    let mut right = joined(groups, room.saturating_sub(state.0.len() + 3), "  ");
    right.extend([bit("  ", Role::Normal), state, bit(" ", Role::Normal)]);
    let left_room = usize::from(area.width).saturating_sub(width(&right) + 2);
    let word = view.unwrap_or_else(|| mode_word(s.mode, area.width < 80));
    let mut left = vec![bit(" ", Role::Normal), bit(word, Role::TitleFocused), bit(" ", Role::Normal)];
    let mut tail = vec![bit("  ", Role::Normal)];
    if view.is_some() {
        tail = vec![bit(format!(" {} ", mode_word(s.mode, true)), Role::Label)];
    }
    tail.extend(run(model, s));
    let name_room = left_room.saturating_sub(width(&left) + width(&tail));
    left.push(bit(format::cut(&s.name, name_room.max(4), p.glyphs.more), Role::Strong));
    left.extend(tail);
    let mut extra: Vec<Bit> = Vec::new();
    extra.extend(s.seed.filter(|_| view.is_none()).map(|seed| bit(format!("seed {seed}"), Role::Dim)));
    if matches!(s.mode, Mode::Simulate | Mode::Live) && wide {
        extra.push(bit(format!("t+{}", time::span(s.transport.position)), Role::Dim));
    }
    for more in extra {
        if width(&left) + width(std::slice::from_ref(&more)) + 2 <= left_room {
            left.push(bit("  ", Role::Normal));
            left.push(more);
        }
    }
    p.sides(area, 0, &left, &right);
}

/// The first two rows at 40x12.
pub fn compact(p: &mut Pen<'_>, first: Rect, second: Rect, model: &Model, s: &Snapshot) {
    let right = vec![bit(" ", Role::Normal), utc(s, false), bit(" ", Role::Normal), health(s)];
    let mut left = vec![bit(mode_word(s.mode, true), Role::TitleFocused), bit(" ", Role::Normal)];
    let tail = run(model, s);
    let room = usize::from(first.width).saturating_sub(width(&left) + width(&tail) + width(&right) + 1);
    if room >= 4 {
        left.push(bit(format::cut(&s.name, room, p.glyphs.more), Role::Strong));
        left.push(bit(" ", Role::Normal));
    }
    left.extend(tail);
    p.sides(first, 0, &left, &right);
    let mut groups = vec![vec![record(s)]];
    groups.extend(sifted(s).map(|b| vec![b]));
    groups.extend(skips(s).map(|b| vec![b]));
    groups.extend(outputs(s).into_iter().map(|b| vec![b]));
    let line = joined(groups, usize::from(second.width), "  ");
    p.line(second, 0, &line);
}

/// All there is below 40x12: the mode, and the position where it fits.
pub fn one_line(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    let mut bits = vec![bit(mode_word(s.mode, true), Role::TitleFocused), bit(" ", Role::Normal)];
    if area.width >= 40 {
        let at = super::vessel::position(model, s);
        let state = run(model, s);
        if width(&bits) + width(&state) + 1 + width(&at) <= usize::from(area.width) {
            bits.extend(state);
            bits.push(bit(" ", Role::Normal));
        }
        bits.extend(at);
    } else {
        bits.extend(run(model, s));
    }
    p.line(area, 0, &bits);
}

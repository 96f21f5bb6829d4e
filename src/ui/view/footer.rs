//! The two rows at the bottom: what was just said, and the keys that count.

use ratatui::layout::Rect;

use super::pen::{Bit, Pen, bit, width};
use crate::core::time;
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::{Level, Mode, Run};
use crate::ui::action::{ACTIONS, Action};
use crate::ui::format;
use crate::ui::layout::{Scale, scale};
use crate::ui::model::{Model, Overlay, ViewName};
use crate::ui::theme::Role;
use crate::ui::update::contexts;

fn level_role(level: Level) -> Role {
    match level {
        Level::Info => Role::Notice,
        Level::Warning => Role::Warn,
        Level::Error => Role::Bad,
    }
}

/// A long job: what, how far, and that Esc cancels.
fn job(p: &Pen<'_>, s: &Snapshot, room: usize) -> Option<Vec<Bit>> {
    let job = s.job.as_ref()?;
    let mut bits = vec![bit(format!(" {} ", job.what), Role::Notice)];
    if let Some(f) = job.fraction {
        let cells = room.saturating_sub(width(&bits) + 26).min(30);
        let done = ((f64::from(f.clamp(0.0, 1.0)) * cells as f64) as usize).min(cells);
        bits.push(bit("[", Role::Border));
        bits.push(bit(p.glyphs.bar_done.repeat(done), Role::Done));
        bits.push(bit(p.glyphs.bar_rest.repeat(cells - done), Role::Rest));
        bits.push(bit(format!("] {:.0}%", f * 100.0), Role::Border));
    }
    bits.push(bit("  Esc", Role::KeyName));
    bits.push(bit(" cancels", Role::Dim));
    Some(bits)
}

/// What is most worth saying now: a message, a job, an alarm.
fn urgent(p: &Pen<'_>, model: &Model, s: &Snapshot, room: usize) -> Option<Vec<Bit>> {
    // How far a job is says more than that it was begun.
    let message = model.message.as_ref().filter(|m| m.level != Level::Info || s.job.is_none());
    if let Some(m) = message {
        return Some(vec![bit(format!(" {}", m.text.replace('\n', "  ")), level_role(m.level))]);
    }
    if let Some(job) = job(p, s, room) {
        return Some(job);
    }
    s.alarms.first().map(|a| vec![bit(format!(" {a}"), Role::Bad)])
}

/// The row over the footer.
pub fn status(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    if area.is_empty() {
        return;
    }
    if let Some(Overlay::Prompt(prompt)) = &model.overlay {
        return super::overlay::prompt_line(p, area, prompt);
    }
    if let Some(line) = urgent(p, model, s, usize::from(area.width)) {
        return p.line(area, 0, &line);
    }
    let selected = model.selected_row(&s.list);
    let head = s.list.rows.iter().position(|r| r.head);
    let line = if let (Some(i), Some(h), Mode::Replay) = (selected, head, s.mode) {
        let n = i.abs_diff(h);
        let lines = format::counted(n as u64, "line");
        let text = match i.cmp(&h) {
            std::cmp::Ordering::Less => format!(" Selection {lines} before the play head"),
            std::cmp::Ordering::Equal => " Selection at the play head".into(),
            std::cmp::Ordering::Greater => format!(" Selection {lines} after the play head"),
        };
        let mut bits = vec![bit(text, Role::Normal)];
        for (key, what) in
            [("Enter", "inspect"), ("p", "play from here"), ("m", "mark"), ("y", "copy"), ("F", "follow")]
        {
            let next = [bit(format!("  {key}"), Role::KeyName), bit(format!(" {what}"), Role::Dim)];
            if width(&bits) + width(&next) <= usize::from(area.width) {
                bits.extend(next);
            }
        }
        bits
    } else if s.run == Run::Ended {
        vec![bit(" At the end: t start goes back to the beginning, L loops", Role::Notice)]
    } else if s.record.on {
        let synced = s.record.unsynced.map_or("all flushed".into(), |n| format!("flushed {} ago", format::passed(n)));
        let free = s.record.free.filter(|_| area.width >= 80);
        let free = free.map_or(String::new(), |f| format!("  {} free", format::size(f)));
        let tail = format!("  {}  {synced}{free}", format::counted(s.record.sentences, "sentence"));
        let room = usize::from(area.width).saturating_sub(tail.len() + 12);
        // the end of a path tells more than its beginning
        let path: Vec<char> = s.record.path.chars().collect();
        let shown: String = path[path.len().saturating_sub(room.max(8))..].iter().collect();
        vec![bit(format!(" Recording {shown}"), Role::Good), bit(tail, Role::Dim)]
    } else if let Some(e) = s.events.last().filter(|_| model.view != ViewName::Events) {
        let role = if e.level == Level::Info { Role::Dim } else { level_role(e.level) };
        vec![bit(format!(" {}Z {}", time::clock(e.at), e.text), role)]
    } else {
        Vec::new()
    };
    p.line(area, 0, &line);
}

/// The keys of the footer: those that belong together share their word, the most needed first.
fn hints(model: &Model, s: &Snapshot) -> Vec<(String, &'static str)> {
    let contexts = contexts(model, s);
    let mut found: Vec<(u8, &'static str, Vec<String>)> = Vec::new();
    for context in &contexts {
        for spec in ACTIONS.iter().filter(|a| a.context == *context && !a.hint.is_empty()) {
            let Some(key) = model.keymap.keys(spec.action).first() else { continue };
            // a key that means something else further up is not this action's here
            if model.keymap.action(&contexts, *key) != Some(spec.action) || !fits(spec.action, model, s) {
                continue;
            }
            let text = key_sign(&key.to_string());
            match found.iter_mut().find(|f| f.1 == spec.hint) {
                Some(f) => f.2.push(text),
                None => found.push((spec.rank, spec.hint, vec![text])),
            }
        }
    }
    found.sort_by_key(|f| f.0);
    let joined = |hint: &str, mut keys: Vec<String>| {
        // back stands before forward, as it does on the keyboard
        if matches!(hint, "step" | "speed" | "epoch" | "5 s" | "60 s") && keys.len() == 2 {
            keys.reverse();
        }
        if keys.len() == 5 && keys.first().is_some_and(|k| k == "1") { "1-5".into() } else { keys.join(" ") }
    };
    let chosen = crate::ui::control::at_cursor(model, s);
    let steers = chosen.is_some_and(|c| c.key == crate::ui::control::steered(s));
    let word = |hint| match (&model.overlay, hint) {
        (Some(Overlay::Help { .. }), "history") => "scroll",
        (Some(Overlay::Help { .. }), "go" | "cancel") => "close",
        (Some(Overlay::Open { .. }), "history") => "choose",
        (Some(Overlay::Open { .. }), "go") => "open",
        (Some(Overlay::Marks { .. }), "take") => "go there",
        (Some(Overlay::Types { .. }), "take") => "only this",
        (Some(Overlay::Port(_)), "take") => "use these",
        (Some(Overlay::Port(_)), "all") => "find the rate",
        (Some(Overlay::Types { .. }), "send only") if s.transport.only.is_some() => "send all",
        (None, "pause") if s.mode == Mode::Live && model.frozen.is_some() => "go on",
        (None, "pause") if s.mode == Mode::Live => "freeze",
        (None, "pause") if s.run == Run::Paused => "play",
        (None, "steer") if !steers => "change",
        (Some(Overlay::Inspect { .. } | Overlay::Text { .. }), "choose") => "scroll",
        _ => hint,
    };
    found.into_iter().map(|(_, hint, keys)| (joined(hint, keys), word(hint))).collect()
}

/// Whether a hint is worth its room now.
fn fits(action: Action, model: &Model, s: &Snapshot) -> bool {
    match action {
        Action::NextPane => model.panes(s).len() > 1,
        Action::Toggle | Action::ToggleSendOnly => matches!(model.overlay, Some(Overlay::Types { .. })),
        Action::ToggleAll => matches!(model.overlay, Some(Overlay::Types { .. } | Overlay::Port(_))),
        Action::Less | Action::More => matches!(model.overlay, Some(Overlay::Port(_))),
        Action::DeleteMark | Action::RenameMark | Action::WriteMarks => {
            matches!(model.overlay, Some(Overlay::Marks { .. }))
        }
        Action::Choose => {
            matches!(model.overlay, Some(Overlay::Types { .. } | Overlay::Marks { .. } | Overlay::Port(_)))
        }
        Action::Complete => matches!(model.overlay, Some(Overlay::Prompt(_))),
        Action::AddElement | Action::RemoveElement => {
            crate::ui::control::element_at_cursor(model, s).is_some_and(|(list, _)| list != "fault")
        }
        Action::NextGap | Action::PreviousGap => s.mode == Mode::Replay,
        _ => true,
    }
}

fn key_sign(name: &str) -> String {
    match name {
        "Left" => "<-".into(),
        "Right" => "->".into(),
        "Backspace" => "Bksp".into(),
        other => other.into(),
    }
}

/// The last row: whole hints, as many as fit; at compact size what is urgent takes their place.
pub fn footer(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    if area.is_empty() {
        return;
    }
    let compact = scale(model.size.cols, model.size.rows) == Scale::Compact;
    if compact {
        if let Some(Overlay::Prompt(prompt)) = &model.overlay {
            return super::overlay::prompt_line(p, area, prompt);
        }
        if model.overlay.is_none()
            && let Some(line) = urgent(p, model, s, usize::from(area.width))
        {
            return p.line(area, 0, &line);
        }
    }
    let mut bits = if compact { Vec::new() } else { vec![bit(" ", Role::Normal)] };
    let room = usize::from(area.width);
    let mut fitting: Vec<(String, &str)> = Vec::new();
    let mut used = width(&bits);
    for (keys, what) in hints(model, s) {
        let wide = keys.chars().count() + 1 + what.len() + if fitting.is_empty() { 0 } else { 2 };
        if used + wide <= room {
            used += wide;
            fitting.push((keys, what));
        }
    }
    // the way out stands at the end, where it is looked for
    if let Some(at) = fitting.iter().position(|f| f.1 == "quit") {
        let quit = fitting.remove(at);
        fitting.push(quit);
    }
    for (keys, what) in fitting {
        let gap = if width(&bits) <= 1 { "" } else { "  " };
        let pieces = [bit(gap, Role::Normal), bit(keys, Role::KeyName), bit(format!(" {what}"), Role::Normal)];
        bits.extend(pieces);
    }
    p.line(area, 0, &bits);
}

//! What fills a view that is not Live: outputs and events; and the line of facts of a log or a feed.

use ratatui::layout::Rect;

use super::inspect::broken;
use super::panels::{link_word, top_for};
use super::pen::{Bit, Pen, bit, width};
use crate::core::time;
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::{Level, Link, Mode};
use crate::ui::format;
use crate::ui::model::Model;
use crate::ui::theme::Role;

/// What sentences a second are called where there is so much room.
pub fn per_second(width: u16) -> &'static str {
    if width >= 78 { " sentences/s" } else { "/s" }
}

/// What there is to say of a log or a feed, in a line.
pub fn facts(p: &mut Pen<'_>, area: Rect, s: &Snapshot) {
    if area.is_empty() {
        return;
    }
    let c = &s.counts;
    let wide = area.width >= 100;
    let bad = if wide {
        format::counted(c.bad_checksum, "bad checksum")
    } else {
        format!("{} bad", format::thousands(c.bad_checksum))
    };
    let skipped = format!("skipped {} ({bad})", format::thousands(c.skipped));
    let skip_role = if c.skipped > 0 { Role::Warn } else { Role::Dim };
    // what must be seen stands first: the rest is cut off where there is no room
    let mut bits: Vec<Bit> = vec![bit(" ", Role::Normal), bit(skipped, skip_role), bit("  ", Role::Normal)];
    if s.mode == Mode::Live {
        let input = s.inputs.first();
        if let Some(i) = input.filter(|i| !i.settings.is_empty()) {
            bits.push(bit(format!("{}  ", i.settings), Role::Strong));
        }
        if let Some(load) = input.and_then(|i| i.load) {
            let role = if load > 80.0 { Role::Warn } else { Role::Normal };
            bits.push(bit(format!("line {load:.0}%  "), role));
        }
        bits.push(bit(format!("{:.1}{}  ", c.rate, per_second(area.width)), Role::Normal));
        let quiet = s.inputs.iter().filter_map(|i| i.silence).min();
        let word = quiet.map_or("no byte yet".into(), |q| format!("last byte {} ago", format::passed(q)));
        bits.push(bit(word, if quiet.is_none_or(|q| q > 5 * time::SECOND) { Role::Warn } else { Role::Normal }));
        if wide {
            bits.push(bit(format!("  {}", format::counted(c.sentences, "sentence")), Role::Dim));
        }
        return p.line(area, 0, &bits);
    }
    let Some(log) = &s.log else { return };
    if log.indexed < log.bytes {
        let percent = log.indexed.saturating_mul(100) / log.bytes.max(1);
        bits.push(bit(format!("reading {percent}%  "), Role::Notice));
    }
    bits.push(bit(format::counted(log.gaps, "gap") + "  ", if log.gaps > 0 { Role::Warn } else { Role::Dim }));
    if log.breaks > 0 {
        bits.push(bit(format::counted(log.breaks, "break") + "  ", Role::Warn));
    }
    bits.push(bit(format::counted(log.sentences, "sentence"), Role::Normal));
    // where there is no room for both, a notice is worth more than the span
    let notice = log.notices.first().map(|notice| bit(format!("  {notice}"), Role::Warn));
    if !wide && let Some(notice) = notice {
        bits.push(notice);
        return p.line(area, 0, &bits);
    }
    if let Some((first, last)) = log.first.zip(log.last) {
        let between = if wide { " - " } else { "-" };
        bits.push(bit(format!("  {}{between}{}", time::clock(first), time::clock(last)), Role::Normal));
    }
    if wide {
        let d = s.transport.duration.map_or(String::new(), |d| format!("  {}", format::duration(d)));
        bits.push(bit(format!("{d}  {}  ", format::size(log.bytes)), Role::Normal));
        bits.push(bit(format::counted(log.marks.len() as u64, "mark"), Role::Dim));
        bits.extend(notice);
    }
    p.line(area, 0, &bits);
}

/// View 4.
pub fn outputs(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    let wide = area.width >= 100;
    let narrow = area.width < 78;
    let heading = if narrow {
        format!(" {:<22} {:<7} {:>6}", "OUTPUT", "STATE", "DROP")
    } else if wide {
        format!(
            " {:>2} {:<44} {:<8} {:>7} {:>11} {:>9} {:>8} {:>8} {:>8}",
            "N", "OUTPUT", "STATE", "CLIENTS", "SENTENCES", "BYTES", "B/s", "QUEUE", "DROPPED"
        )
    } else {
        format!(
            " {:>2} {:<28} {:<8} {:>7} {:>9} {:>8} {:>7}",
            "N", "OUTPUT", "STATE", "CLIENTS", "SENTENCES", "B/s", "DROPPED"
        )
    };
    p.line(area, 0, &[bit(heading, Role::Title)]);
    if s.outputs.is_empty() {
        let words = " No outputs: nothing is sent. + adds one, such as tcp-server:0.0.0.0:10110";
        p.line(area, 2.min(area.height.saturating_sub(1)), &[bit(words, Role::Dim)]);
        return;
    }
    let mut lines: Vec<(Option<usize>, Vec<Bit>)> = Vec::new();
    let chosen = model.output.min(s.outputs.len() - 1);
    for (i, o) in s.outputs.iter().enumerate() {
        let (word, role) = link_word(o.state);
        let dropped = if o.dropped > 0 { Role::Warn } else { Role::Normal };
        let name = |w: usize| format!("{:<w$}", format::cut(&o.spec, w, p.glyphs.more));
        let sentences = format::count(o.sentences);
        let drop = format::count(o.dropped);
        let line = if narrow {
            vec![
                bit(format!(" {} ", name(22)), Role::Normal),
                bit(format!("{word:<8} "), role),
                bit(format!("{drop:>6}"), dropped),
            ]
        } else if wide {
            vec![
                bit(format!(" {:>2} {} ", o.n, name(44)), Role::Normal),
                bit(format!("{word:<8} "), role),
                bit(format!("{:>7} {sentences:>11} {:>9} ", o.client_count, format::size_tight(o.bytes)), Role::Normal),
                bit(format!("{:>8.0} {:>8} ", o.rate, format::size_tight(o.queue)), Role::Normal),
                bit(format!("{drop:>8}"), dropped),
            ]
        } else {
            vec![
                bit(format!(" {:>2} {} ", o.n, name(28)), Role::Normal),
                bit(format!("{word:<8} "), role),
                bit(format!("{:>7} {sentences:>9} {:>8.0} ", o.client_count, o.rate), Role::Normal),
                bit(format!("{drop:>7}"), dropped),
            ]
        };
        lines.push((Some(i), line));
        let mut second: Vec<Bit> = Vec::new();
        if !o.at.is_empty() && !o.spec.ends_with(&o.at) {
            second.push(bit(format!("at {}  ", o.at), Role::Dim));
        }
        if let Some(load) = o.load {
            second.push(bit(format!("line load {load:.0}%  "), if load > 90.0 { Role::Warn } else { Role::Dim }));
        }
        if o.replies > 0 {
            second.push(bit(format!("{} replies  ", format::count(o.replies)), Role::Dim));
        }
        if let Some(retry) = o.retry {
            second
                .push(bit(format!("again in {} s  ", (retry.max(1) as u64).div_ceil(time::SECOND as u64)), Role::Dim));
        }
        if let Some(error) = &o.last_error {
            // Once it is open again the trouble is history.
            let (before, role) = if o.state == Link::Open { ("last: ", Role::Dim) } else { ("", Role::Bad) };
            second.push(bit(format!("{before}{error}"), role));
        }
        if !second.is_empty() {
            second.insert(0, bit("      ", Role::Normal));
            // What is wrong with the chosen one can be read to its end.
            let whole = if i == chosen { wrapped(second, usize::from(area.width)) } else { vec![second] };
            lines.extend(whole.into_iter().map(|line| (None, line)));
        }
        for c in &o.clients {
            let mut line = vec![bit(format!("      {:<26} ", c.address), Role::Normal)];
            line.push(bit(
                format!("{} sent  queue {}", format::count(c.sentences), format::size_tight(c.queue)),
                Role::Dim,
            ));
            if c.dropped > 0 {
                line.push(bit(format!("  dropped {}", format::count(c.dropped)), Role::Warn));
            }
            if let Some(late) = c.late {
                line.push(bit(format!("  SLOW {}", format::passed(late)), Role::Warn));
            }
            lines.push((None, line));
        }
        let more = o.client_count.saturating_sub(o.clients.len() as u32);
        if more > 0 && !o.clients.is_empty() {
            lines.push((None, vec![bit(format!("      and {more} more"), Role::Dim)]));
        }
    }
    let body = Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area };
    let at = lines.iter().position(|(i, _)| *i == Some(chosen)).unwrap_or(0);
    let top = top_for(at, lines.len(), usize::from(body.height));
    for (y, (i, line)) in lines.iter().skip(top).take(usize::from(body.height)).enumerate() {
        p.line(body, y as u16, line);
        if *i == Some(chosen) {
            p.tint(body, y as u16, Role::Selected);
        }
    }
}

/// A line whose last bit stands below it where it is too long, broken at words.
fn wrapped(mut line: Vec<Bit>, cols: usize) -> Vec<Vec<Bit>> {
    if width(&line) <= cols {
        return vec![line];
    }
    let Some((text, role)) = line.pop() else { return Vec::new() };
    let parts = broken(&text, cols.saturating_sub(7)).into_iter();
    let mut lines: Vec<Vec<Bit>> = parts.map(|part| vec![bit(format!("      {part}"), role)]).collect();
    if line.len() > 1 {
        lines.insert(0, line);
    }
    lines
}

/// View 5: the newest at the bottom.
pub fn events(p: &mut Pen<'_>, area: Rect, model: &Model, s: &Snapshot) {
    if s.events.is_empty() {
        p.line(area, 0, &[bit(" Nothing happened yet", Role::Dim)]);
        return;
    }
    let height = usize::from(area.height);
    let newest = s.events.len() - 1;
    let chosen = model.event.map(|back| newest.saturating_sub(back));
    let top = match chosen {
        Some(at) => top_for(at, s.events.len(), height),
        None => s.events.len().saturating_sub(height),
    };
    for (y, (i, e)) in s.events.iter().enumerate().skip(top).take(height).enumerate() {
        let (word, role) = match e.level {
            Level::Info => ("    ", Role::Normal),
            Level::Warning => ("WARN", Role::Warn),
            Level::Error => ("ERR ", Role::Bad),
        };
        let line = [
            bit(format!(" {}Z ", time::clock(e.at)), Role::Dim),
            bit(format!("{word} "), role),
            bit(e.text.clone(), Role::Normal),
        ];
        p.line(area, y as u16, &line);
        if chosen == Some(i) {
            p.tint(area, y as u16, Role::Selected);
        }
    }
}

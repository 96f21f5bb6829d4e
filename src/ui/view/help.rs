//! The actions to read: the keys that count here, and what a name that is being typed could mean.

use ratatui::layout::Rect;

use super::inspect::broken;
use super::overlay::{more, prompt_line, window};
use super::pen::{Bit, Pen, bit, width};
use crate::runtime::control::words::COMMANDS;
use crate::runtime::session::Snapshot;
use crate::ui::action::{ACTIONS, Context, by_name, palette};
use crate::ui::model::Model;
use crate::ui::prompt::Prompt;
use crate::ui::theme::Role;
use crate::ui::update::{OUTPUTS, candidates, contexts_of_view};

/// A name and what it does: side by side, or where there is no room below each other.
fn described(lead: Vec<Bit>, what: &str, cols: usize) -> Vec<Vec<Bit>> {
    let used = width(&lead) + 1;
    if used + what.chars().count() <= cols {
        return vec![[lead, vec![bit(format!(" {what}"), Role::Normal)]].concat()];
    }
    let indent = if used * 2 <= cols { used } else { 4.min(cols / 4) };
    let mut parts = broken(what, cols.saturating_sub(indent).max(8)).into_iter();
    let mut lines = vec![lead];
    if indent == used {
        let first = parts.next().unwrap_or_default();
        lines[0].push(bit(format!(" {first}"), Role::Normal));
    }
    lines.extend(parts.map(|part| vec![bit(format!("{:indent$}{part}", ""), Role::Normal)]));
    lines
}

/// What the palette could mean by what was typed: names that begin so, then whatever speaks of it.
pub fn suggestions(p: &mut Pen<'_>, screen: Rect, model: &Model, s: &Snapshot, prompt: &Prompt) {
    let typed = prompt.text();
    let word = typed.split(' ').next().unwrap_or("");
    let cols = usize::from(screen.width).saturating_sub(2);
    let mut lines: Vec<Vec<Bit>> = Vec::new();
    if typed.contains(' ') {
        for line in candidates(model, s, &prompt.kind, typed).iter().filter(|c| c.starts_with(typed)) {
            lines.push(vec![bit(format!(" {line}"), Role::Strong)]);
        }
        if lines.is_empty()
            && let Some(spec) = by_name(word)
        {
            lines = described(vec![bit(format!(" {} {} ", spec.name, spec.argument), Role::Strong)], spec.what, cols);
        }
    } else {
        let actions = palette().map(|a| {
            let keys = model.keymap.keys(a.action).first().map(ToString::to_string).unwrap_or_default();
            let aside = if keys.is_empty() { a.argument.to_owned() } else { keys };
            (a.name, aside, a.what)
        });
        let commands =
            COMMANDS.iter().filter(|(n, ..)| by_name(n).is_none()).map(|(n, a, w)| (*n, (*a).to_owned(), *w));
        let all: Vec<(&str, String, &str)> = actions.chain(commands).collect();
        let lower = word.to_lowercase();
        let speaks = |what: &str| lower.len() > 1 && what.to_lowercase().contains(&lower);
        let named = all.iter().filter(|(name, ..)| name.starts_with(word));
        let others = all.iter().filter(|(name, _, what)| !name.starts_with(word) && (speaks(name) || speaks(what)));
        let fits: Vec<_> = named.chain(others).collect();
        for (name, aside, what) in &fits {
            if cols < 60 && fits.len() > 2 {
                // many names are worth more than whole sentences
                lines.push(vec![bit(format!(" {name:<17}"), Role::Strong), bit(format!(" {what}"), Role::Normal)]);
                continue;
            }
            let lead = vec![bit(format!(" {name:<17}"), Role::Strong), bit(format!(" {aside:<10}"), Role::KeyName)];
            lines.extend(described(lead, what, cols));
        }
    }
    above_the_prompt(p, screen, "Actions: Tab completes", &lines);
}

/// What SPEC of an output could be meant by what was typed, and where it goes to.
pub fn specs(p: &mut Pen<'_>, screen: Rect, model: &Model, s: &Snapshot, prompt: &Prompt) {
    // While the offers are gone through, what was typed is one of them.
    let all = match &prompt.offers {
        Some((offers, _)) => offers.clone(),
        None => candidates(model, s, &prompt.kind, prompt.text()),
    };
    let what = |spec: &str| {
        let known = OUTPUTS.iter().find(|(known, _)| *known == spec).map(|(_, what)| (*what).to_owned());
        known.or_else(|| model.openables.iter().find(|o| o.spec == spec).map(|o| o.name.clone())).unwrap_or_default()
    };
    let fits = |spec: &&String| prompt.offers.is_some() || (spec.starts_with(prompt.text()) && *spec != prompt.text());
    let long = all.iter().map(|spec| spec.chars().count()).max().unwrap_or(0).min(44);
    let lines: Vec<Vec<Bit>> = all
        .iter()
        .filter(fits)
        .map(|spec| {
            let role = if spec == prompt.text() { Role::Selected } else { Role::Strong };
            vec![bit(format!(" {spec:<long$} "), role), bit(format!(" {}", what(spec)), Role::Normal)]
        })
        .collect();
    above_the_prompt(p, screen, "Outputs: Tab completes", &lines);
}

fn above_the_prompt(p: &mut Pen<'_>, screen: Rect, title: &str, lines: &[Vec<Bit>]) {
    if lines.is_empty() || screen.height < 8 {
        return;
    }
    let most = (screen.height / 2).saturating_sub(2).max(1);
    let high = (lines.len() as u16).min(most) + 2;
    // above the row of the prompt, which is the last but one, or the last where it is small
    let below = if screen.width < 60 || screen.height < 16 { 1 } else { 2 };
    let area = Rect { y: screen.height.saturating_sub(high + below), height: high, ..screen };
    p.fill(area, Role::Normal);
    let inner = p.frame(area, title, false);
    for (y, line) in lines.iter().take(usize::from(inner.height)).enumerate() {
        p.line(inner, y as u16, line);
    }
    more(p, area, 0, lines.len(), usize::from(inner.height));
}

/// The keys, those of this context first. Answers which line stands at the top.
pub fn keys(p: &mut Pen<'_>, screen: Rect, model: &Model, s: &Snapshot, input: &Prompt, top: usize) -> Option<usize> {
    let area = window(screen, 84, 400);
    p.fill(area, Role::Normal);
    let inner = p.frame(area, "Keys that count here", true);
    if inner.height < 2 {
        return None;
    }
    prompt_line(p, Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), height: 1, ..inner }, input);
    let body = Rect { x: inner.x + 1, y: inner.y + 1, width: inner.width.saturating_sub(2), height: inner.height - 1 };
    let lines = all_keys(model, s, input, usize::from(body.width));
    let height = usize::from(body.height);
    let top = top.min(lines.len().saturating_sub(height));
    for (y, line) in lines.iter().skip(top).take(height).enumerate() {
        p.line(body, y as u16, line);
    }
    more(p, area, top, lines.len(), height);
    Some(top)
}

/// In the order in which a key is looked up; without a search, what counts here.
fn all_keys(model: &Model, s: &Snapshot, input: &Prompt, cols: usize) -> Vec<Vec<Bit>> {
    let words: Vec<String> = input.text().split_whitespace().map(str::to_lowercase).collect();
    let here = contexts_of_view(model, s);
    let mut lines: Vec<Vec<Bit>> = Vec::new();
    let order: Vec<Context> =
        if words.is_empty() { here.clone() } else { Context::ALL.into_iter().filter(|c| !c.closed()).collect() };
    for context in order {
        let mut first = true;
        for spec in ACTIONS.iter().filter(|a| a.context == context) {
            let keys = model.keymap.text(spec.action);
            let text = format!("{} {} {} {}", spec.name, keys, spec.what, spec.context.words()).to_lowercase();
            if !words.iter().all(|w| text.contains(w)) {
                continue;
            }
            if first {
                let aside = if here.contains(&context) { "" } else { " (not here)" };
                let mut word = context.words().to_owned();
                word.get_mut(..1).map(str::make_ascii_uppercase);
                lines.push(vec![bit(format!("{word}{aside}"), Role::Title)]);
                first = false;
            }
            let name = if keys.is_empty() { format!(":{}", spec.name) } else { keys };
            lines.extend(described(vec![bit(format!("  {name:<12}"), Role::KeyName)], spec.what, cols));
        }
    }
    if words.is_empty() {
        let what = "Typing searches all actions; : runs any of them by name";
        lines.extend(broken(what, cols).into_iter().map(|part| vec![bit(part, Role::Dim)]));
    } else if lines.is_empty() {
        lines.push(vec![bit("no action has that", Role::Dim)]);
    }
    lines
}

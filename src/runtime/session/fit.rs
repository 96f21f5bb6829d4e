//! Keeps a snapshot within the size that the border promises, whatever was asked for and whatever it is about.
//!
//! A screen of any real size is far below it. What has to go goes from the longest list first, and from the end that is
//! farthest from what is looked at.

use serde::Serialize;

use super::Anchor;
use super::snapshot::Snapshot;

/// The longest snapshot as JSON, bytes.
pub const MOST: usize = 64 << 10;
/// What is left of a text when texts are what is too long, characters.
const TEXT: usize = 120;

/// The same snapshot, shortened until it is at most `most` bytes as JSON.
pub fn fit(snapshot: &Snapshot, most: usize) -> Snapshot {
    let mut fitted = snapshot.clone();
    while size(&fitted) > most {
        let over = size(&fitted) - most;
        let longest = PARTS.iter().max_by_key(|(size, _)| size(&fitted));
        let before = longest.map_or(0, |(size, _)| size(&fitted));
        if let Some((_, shorten)) = longest {
            // No more goes than has to, and what is far too long goes quickly.
            shorten(&mut fitted, if over > before / 2 { 2 } else { 8 });
        }
        if longest.is_none_or(|(size, _)| size(&fitted) >= before) {
            break; // nothing is left that could be shorter
        }
    }
    fitted
}

/// A part of a snapshot that may be long: its bytes as JSON, and how the n-th part of it goes.
type Part = (fn(&Snapshot) -> usize, fn(&mut Snapshot, usize));

const PARTS: [Part; 11] = [
    (|s| size(&s.list.rows), rows),
    (|s| size(&s.events), |s, nth| oldest(&mut s.events, nth)),
    (|s| size(&s.controls), |s, nth| last(&mut s.controls, nth)),
    (|s| size(&s.targets), |s, nth| last(&mut s.targets, nth)),
    (|s| size(&s.types), |s, nth| last(&mut s.types, nth)),
    (|s| size(&s.outputs), outputs),
    (|s| size(&s.inputs), |s, nth| last(&mut s.inputs, nth)),
    (|s| size(&s.chart), chart),
    (|s| size(&s.diagnose), diagnose),
    (|s| size(&s.log), log),
    (|s| size(&s.inspect) + size(&s.alarms), others),
];

fn size(value: &impl Serialize) -> usize {
    serde_json::to_vec(value).map_or(0, |json| json.len())
}

fn last<T>(list: &mut Vec<T>, nth: usize) {
    list.truncate(list.len() - list.len().div_ceil(nth));
}

fn oldest<T>(list: &mut Vec<T>, nth: usize) {
    list.drain(..list.len().div_ceil(nth));
}

/// Every second one.
fn thin<T>(list: &mut Vec<T>) {
    let mut keep = false;
    list.retain(|_| {
        keep = !keep;
        keep
    });
}

fn cut(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(TEXT) {
        text.truncate(end);
    }
}

fn rows(s: &mut Snapshot, nth: usize) {
    let list = &mut s.list;
    let n = list.rows.len();
    match list.anchor {
        Anchor::Newest | Anchor::Bottom(_) => oldest(&mut list.rows, nth),
        Anchor::Top(_) => last(&mut list.rows, nth),
        Anchor::PlayHead | Anchor::Middle(_) => {
            last(&mut list.rows, 2 * nth);
            oldest(&mut list.rows, 2 * nth);
            list.more_below = n > 0;
        }
    }
    list.more_above |= !matches!(list.anchor, Anchor::Top(_));
    list.more_below |= matches!(list.anchor, Anchor::Top(_));
}

fn outputs(s: &mut Snapshot, nth: usize) {
    let texts = s.outputs.iter().any(|o| o.spec.len() > 4 * TEXT || o.at.len() > 4 * TEXT);
    let errors = s.outputs.iter().flat_map(|o| &o.last_error).any(|e| e.len() > 4 * TEXT);
    if texts || errors {
        for row in &mut s.outputs {
            cut(&mut row.spec);
            cut(&mut row.at);
            row.last_error.iter_mut().for_each(cut);
        }
    } else if s.outputs.iter().any(|o| !o.clients.is_empty()) {
        s.outputs.iter_mut().for_each(|o| last(&mut o.clients, nth));
    } else {
        last(&mut s.outputs, nth);
    }
}

fn chart(s: &mut Snapshot, _: usize) {
    if let Some(chart) = &mut s.chart {
        thin(&mut chart.sailed);
        thin(&mut chart.ahead);
        if chart.sailed.len() + chart.ahead.len() <= 2 {
            s.chart = None;
        }
    }
}

fn diagnose(s: &mut Snapshot, nth: usize) {
    if let Some(diagnose) = &mut s.diagnose {
        let before = diagnose.rows.len();
        last(&mut diagnose.rows, nth);
        diagnose.more = diagnose.more.saturating_add((before - diagnose.rows.len()) as u32);
        last(&mut diagnose.findings, nth);
        last(&mut diagnose.load, nth);
    }
}

fn log(s: &mut Snapshot, nth: usize) {
    if let Some(log) = &mut s.log {
        last(&mut log.marks, nth);
        last(&mut log.notices, nth);
        cut(&mut log.why);
        // Cells of half a bar would say something else.
        log.bar.clear();
    }
}

fn others(s: &mut Snapshot, _: usize) {
    s.alarms.iter_mut().for_each(cut);
    s.inspect = None;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::frame::{Class, Origin};
    use crate::runtime::session::RowKey;
    use crate::runtime::session::snapshot::{Chart, ClientRow, Event, Level, OutputRow, Row, TypeCount};

    /// Every list at its longest, every text too.
    fn monster() -> Snapshot {
        let text = |n: usize| "\\xFF".repeat(n / 4);
        let row = |n| Row {
            key: RowKey::Seq(n),
            offset: Some(i64::MAX),
            utc: Some(i64::MAX),
            delta: Some(i64::MAX),
            class: Class::BadChecksum,
            origin: Origin::Input(7),
            text: text(400),
            why: Some(text(200)),
            head: false,
            mark: false,
            count: None,
        };
        let client = ClientRow { address: text(40), ..ClientRow::default() };
        let output = OutputRow {
            spec: text(4096),
            last_error: Some(text(4096)),
            clients: vec![client; 50],
            ..OutputRow::default()
        };
        let mut snapshot = Snapshot {
            outputs: vec![output; 100],
            events: (0..200).map(|at| Event { at, level: Level::Error, text: text(500) }).collect(),
            types: vec![TypeCount { key: text(20), count: u64::MAX }; 200],
            chart: Some(Chart { sailed: vec![(1.0 / 3.0, 2.0 / 3.0); 500], ahead: vec![(1.0 / 3.0, 2.0 / 3.0); 5000] }),
            alarms: vec![text(4096); 8],
            inspect: Some(serde_json::Value::String(text(1 << 20))),
            ..Snapshot::default()
        };
        snapshot.list.rows = (0..500).map(row).collect();
        snapshot
    }

    #[test]
    fn the_longest_snapshot_is_64_kilobytes_and_keeps_what_matters_most() {
        let monster = monster();
        let fitted = fit(&monster, MOST);
        assert!(size(&monster) > 20 * MOST && size(&fitted) <= MOST, "{} {}", size(&monster), size(&fitted));
        assert_eq!(fitted.list.rows.last().unwrap().key, RowKey::Seq(499), "the newest line");
        assert!(fitted.list.more_above);
        assert_eq!(fitted.events.last().unwrap().at, 199, "the newest event");
        assert!(!fitted.outputs.is_empty() && fitted.list.rows.len() >= 4);
        assert_eq!(fitted.alarms.len(), 8);
        assert_eq!(fit(&fitted, MOST), fitted, "what fits is left as it is");
    }

    #[test]
    fn rows_go_from_the_end_that_is_not_looked_at() {
        let mut snapshot = Snapshot { list: monster().list, ..Snapshot::default() };
        let keys = |s: &Snapshot| s.list.rows.iter().map(|r| r.key).collect::<Vec<_>>();
        snapshot.list.anchor = Anchor::Top(RowKey::Seq(0));
        let top = fit(&snapshot, MOST);
        assert_eq!((keys(&top)[0], top.list.more_below), (RowKey::Seq(0), true));
        snapshot.list.anchor = Anchor::Middle(RowKey::Seq(250));
        let middle = fit(&snapshot, MOST);
        assert!(keys(&middle).contains(&RowKey::Seq(250)), "{:?}", keys(&middle));
        assert!(middle.list.more_above && middle.list.more_below);
    }
}

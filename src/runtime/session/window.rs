//! The window of the list over lines that have passed: simulation, track, live feeds.
//!
//! A replay's list shows the file instead and is made elsewhere.

use super::snapshot::{List, Matches, Row};
use super::{Anchor, Presentation, RowKey, View};
use crate::core::filter::{self, Filter};
use crate::core::frame::{Class, Origin};
use crate::core::log::Pattern;
use crate::core::time::Wall;
use crate::core::visible;
use crate::runtime::history::{History, Line};

/// Characters of a row.
const TEXT: usize = 400;
/// Bytes of a row in hex.
const HEX: usize = 130;
/// The most rows of one window.
const ROWS: usize = 500;

/// What a view lets pass, compiled.
#[derive(Clone, Debug, Default)]
pub struct Lens {
    /// By formatter, talker …
    pub filter: Filter,
    /// By content.
    pub matches: Option<Pattern>,
    /// By address, hidden.
    pub hidden: Vec<Vec<u8>>,
    /// What is looked for in what passes.
    pub find: Option<Pattern>,
}

impl Lens {
    /// Reads the filters of a view.
    ///
    /// # Errors
    /// What is wrong with one of them.
    pub fn new(view: &View) -> Result<Lens, String> {
        let pattern = |text: &str| if text.is_empty() { Ok(None) } else { Pattern::new(text).map(Some) };
        let hidden = view.hidden.iter().map(|k| k.as_bytes().to_vec()).collect();
        Ok(Lens {
            filter: Filter::new(&view.filter)?,
            matches: pattern(&view.matches)?,
            hidden,
            find: pattern(&view.find)?,
        })
    }

    /// Whether a line is shown.
    pub fn passes(&self, line: Line<'_>) -> bool {
        let simulated = line.origin == Origin::Source && line.place.is_none();
        self.lets(line.text(), simulated, |pattern| pattern.finds(line.bytes))
    }

    /// Whether a sentence is let through; `holds` answers whether a pattern is found in its line, which may be costly.
    pub fn lets(&self, text: &[u8], simulated: bool, holds: impl FnOnce(&Pattern) -> bool) -> bool {
        self.filter.passes(text, simulated)
            && (self.hidden.is_empty() || !self.hidden.iter().any(|h| h == filter::address(text)))
            && self.matches.as_ref().is_none_or(holds)
    }

    /// It lets everything through.
    pub fn is_clear(&self) -> bool {
        self.filter.is_empty() && self.matches.is_none() && self.hidden.is_empty()
    }

    /// What it lets through, in words: `only RMC /A,1/, all but 2 types`; `None`: everything.
    pub fn words(&self) -> Option<String> {
        let filter = (!self.filter.is_empty()).then(|| self.filter.to_string());
        let matches = self.matches.as_ref().map(|p| format!("/{}/", visible::text(p.text().as_bytes())));
        let only: Vec<String> = [filter, matches].into_iter().flatten().collect();
        let only = (!only.is_empty()).then(|| format!("only {}", only.join(" ")));
        let hidden = match self.hidden.len() {
            0 => None,
            1 => Some("all but 1 type".to_owned()),
            n => Some(format!("all but {n} types")),
        };
        let words: Vec<String> = [only, hidden].into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

/// What a watcher's in-place list remembers between two snapshots.
#[derive(Clone, Debug, Default)]
pub struct InPlace {
    slots: Vec<Option<Row>>,
    next: usize,
    seen: u64,
}

impl InPlace {
    fn window(&mut self, history: &History, lens: &Lens, rows: usize, hex: bool) -> Vec<Row> {
        if self.slots.len() != rows {
            *self = InPlace { slots: vec![None; rows], next: 0, seen: 0 };
        }
        if rows == 0 {
            return Vec::new();
        }
        for line in history.lines().range(self.seen..history.next()).filter(|l| lens.passes(*l)) {
            self.slots[self.next] = Some(row(line, hex));
            self.next = (self.next + 1) % rows;
        }
        self.seen = history.next();
        self.slots.iter().flatten().cloned().collect()
    }
}

/// The window that a view asks for.
pub fn window(history: &mut History, view: &View, lens: &Lens, place: &mut InPlace, now: Wall) -> List {
    let rows = usize::from(view.rows).min(ROWS);
    let mut list = List { presentation: view.presentation, anchor: view.anchor, ..List::default() };
    if rows == 0 {
        return list;
    }
    match view.presentation {
        Presentation::PerType => {
            for (_, kind, rate) in history.kinds(now).filter(|(_, k, _)| lens.passes(k.newest.line())).take(ROWS) {
                let mut row = row(kind.newest.line(), view.hex);
                row.count = Some((kind.count, rate));
                list.rows.push(row);
            }
            list.rows.truncate(200);
        }
        Presentation::InPlace => list.rows = place.window(history, lens, rows, view.hex),
        Presentation::Scroll => scroll(history, view, lens, rows, &mut list),
    }
    count(history, view, lens, &mut list);
    list
}

/// Counts what is kept: a few thousand lines at most.
fn count(history: &History, view: &View, lens: &Lens, list: &mut List) {
    if lens.is_clear() && lens.find.is_none() {
        return;
    }
    let empty = Matches { complete: true, ..Matches::default() };
    let (mut shown, mut found) = (empty, empty);
    for line in history.lines().iter().filter(|l| lens.passes(*l)) {
        let here = view.selected == Some(RowKey::Seq(line.n));
        let add = |to: &mut Matches| {
            to.total += 1;
            to.ordinal = if here { Some(to.total) } else { to.ordinal };
        };
        add(&mut shown);
        if lens.find.as_ref().is_some_and(|p| p.finds(line.bytes)) {
            add(&mut found);
        }
    }
    list.shown = (!lens.is_clear()).then_some(shown);
    list.found = lens.find.as_ref().map(|_| found);
}

fn scroll(history: &History, view: &View, lens: &Lens, rows: usize, list: &mut List) {
    let lines = history.lines();
    let all = lines.numbers();
    let at = |key: RowKey| match key {
        RowKey::Seq(n) => n.clamp(all.start, all.end),
        RowKey::Place(place) => lines.partition_point(|l| l.place.is_none_or(|p| p < place)),
    };
    let back = |end: u64, n: usize| {
        let mut found: Vec<Line<'_>> = lines.range(0..end).rev().filter(|l| lens.passes(*l)).take(n).collect();
        found.reverse();
        found
    };
    let ahead = |from: u64, n: usize| lines.range(from..all.end).filter(|l| lens.passes(*l)).take(n);
    let after = |found: &[Line<'_>]| found.last().map_or(all.start, |l| l.n + 1);
    let found = match view.anchor {
        Anchor::Newest | Anchor::PlayHead => back(all.end, rows),
        Anchor::Top(key) => {
            let mut found: Vec<Line<'_>> = ahead(at(key), rows).collect();
            if found.is_empty() {
                found = back(all.end, rows);
            }
            found
        }
        Anchor::Bottom(key) => {
            let mut found = back(at(key).saturating_add(1), rows);
            found.extend(ahead(after(&found), rows - found.len()));
            found
        }
        Anchor::Middle(key) => {
            let mut found = back(at(key).saturating_add(1), rows / 2 + 1);
            found.extend(ahead(after(&found), rows - found.len()));
            if found.len() < rows {
                let above = back(found.first().map_or(all.start, |l| l.n), rows - found.len());
                found.splice(0..0, above);
            }
            found
        }
    };
    let first = found.first().map_or(all.start, |l| l.n);
    list.more_above = lines.range(0..first).rev().any(|l| lens.passes(l));
    list.more_below = ahead(after(&found), 1).next().is_some();
    list.rows = found.into_iter().map(|l| row(l, view.hex)).collect();
}

/// A line as a row.
pub fn row(line: Line<'_>, hex: bool) -> Row {
    Row {
        key: RowKey::Seq(line.n),
        offset: Some(line.offset),
        utc: line.utc,
        delta: line.delta,
        class: line.class,
        origin: line.origin,
        text: shown(line.bytes, hex),
        why: why(line.class, line.text()),
        head: false,
        mark: false,
        count: None,
    }
}

/// Bytes as a row shows them.
pub fn shown(bytes: &[u8], hex: bool) -> String {
    if hex {
        let digits: Vec<String> = bytes.iter().take(HEX).map(|b| format!("{b:02X}")).collect();
        return digits.join(" ") + if bytes.len() > HEX { " …" } else { "" };
    }
    let text = visible::text(&bytes[..bytes.len().min(TEXT)]);
    let mut shown: String = text.chars().take(TEXT).collect();
    if bytes.len() > TEXT || shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Why a line is skipped, with the numbers.
pub fn why(class: Class, text: &[u8]) -> Option<String> {
    if !class.is_skip() {
        return None;
    }
    if class == Class::BadChecksum {
        let (given, computed) = crate::core::log::piece::given_and_computed(text);
        return Some(format!("bad checksum: given {}, computed {computed:02X}", visible::text(&given)));
    }
    Some(class.words().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::frame::{Batch, Frame};
    use crate::core::vessel::Vessel;
    use crate::runtime::hub::Told;
    use bytes::Bytes;
    use std::sync::Arc;

    fn history(n: usize) -> History {
        let mut history = History::default();
        for i in 0..n {
            let id = if i % 2 == 0 { "GPHDT" } else { "GPRMC" };
            let frame = Frame::sentence(0, i as i64, Bytes::from(format!("${id},{i}*00")));
            let vessel = Arc::new(Vessel::default());
            let batch = Batch { generation: 0, sent: 0, source_utc: None, frames: vec![frame], vessel };
            history.take(&Told { batch: Arc::new(batch), emit: true, patient: false }, 0);
        }
        history
    }

    fn numbers(history: &mut History, view: &View) -> (Vec<u64>, bool, bool) {
        let lens = Lens::new(view).unwrap();
        let list = window(history, view, &lens, &mut InPlace::default(), 0);
        let n = |r: &Row| match r.key {
            RowKey::Seq(n) => n,
            RowKey::Place(_) => u64::MAX,
        };
        (list.rows.iter().map(n).collect(), list.more_above, list.more_below)
    }

    #[test]
    fn windows_stand_where_they_are_asked_to() {
        let mut h = history(20);
        let at = |anchor| View { rows: 4, anchor, ..View::default() };
        let seq = RowKey::Seq;
        let cases = [
            (at(Anchor::Newest), vec![16, 17, 18, 19], true, false),
            (at(Anchor::Top(seq(5))), vec![5, 6, 7, 8], true, true),
            (at(Anchor::Top(seq(0))), vec![0, 1, 2, 3], false, true),
            (at(Anchor::Top(seq(18))), vec![18, 19], true, false),
            (at(Anchor::Bottom(seq(9))), vec![6, 7, 8, 9], true, true),
            (at(Anchor::Bottom(seq(1))), vec![0, 1, 2, 3], false, true),
            (at(Anchor::Bottom(seq(u64::MAX))), vec![16, 17, 18, 19], true, false),
            (at(Anchor::Middle(seq(10))), vec![8, 9, 10, 11], true, true),
            (at(Anchor::Middle(seq(0))), vec![0, 1, 2, 3], false, true),
            (at(Anchor::Middle(seq(19))), vec![16, 17, 18, 19], true, false),
        ];
        for (view, rows, above, below) in cases {
            assert_eq!(numbers(&mut h, &view), (rows, above, below), "{:?}", view.anchor);
        }
    }

    #[test]
    fn filters_leave_out_rows_and_windows_stay_full() {
        let mut h = history(20);
        let view = View { rows: 3, filter: "HDT".into(), ..View::default() };
        assert_eq!(numbers(&mut h, &view).0, [14, 16, 18]);
        let view = View { rows: 3, matches: "1[79]\\*".into(), ..View::default() };
        assert_eq!(numbers(&mut h, &view), (vec![17, 19], false, false));
        let view = View { rows: 2, hidden: vec!["GPRMC".into()], ..View::default() };
        assert_eq!(numbers(&mut h, &view).0, [16, 18]);
        assert!(Lens::new(&View { matches: "(".into(), ..View::default() }).unwrap_err().contains("pattern \"(\""));
    }

    #[test]
    fn what_is_found_is_counted_with_the_number_of_the_selected_line() {
        let mut h = history(20); // HDT with even numbers, RMC with odd ones
        let view = |find: &str, filter: &str, n| View {
            rows: 3,
            find: find.into(),
            filter: filter.into(),
            selected: Some(RowKey::Seq(n)),
            ..View::default()
        };
        let counts = |h: &mut History, view: &View| {
            let list = window(h, view, &Lens::new(view).unwrap(), &mut InPlace::default(), 0);
            let numbers = |m: Option<Matches>| m.map(|m| (m.total, m.ordinal, m.complete));
            (numbers(list.shown), numbers(list.found))
        };
        // 1*, 10* to 19*: eleven; of these, RMC are 1, 11, 13, 15, 17, 19.
        assert_eq!(counts(&mut h, &view(",1", "", 11)), (None, Some((11, Some(3), true))));
        assert_eq!(counts(&mut h, &view(",1", "RMC", 11)), (Some((10, Some(6), true)), Some((6, Some(2), true))));
        assert_eq!(counts(&mut h, &view(",1", "", 2)), (None, Some((11, None, true))));
        assert_eq!(counts(&mut h, &view("", "", 2)), (None, None));
    }

    #[test]
    fn in_place_rows_keep_their_places() {
        let mut h = history(5);
        let view = View { rows: 3, presentation: Presentation::InPlace, ..View::default() };
        let lens = Lens::new(&view).unwrap();
        let mut place = InPlace::default();
        let texts = |list: &List| list.rows.iter().map(|r| r.text.clone()).collect::<Vec<_>>();
        let list = window(&mut h, &view, &lens, &mut place, 0);
        assert_eq!(texts(&list), ["$GPRMC,3*00", "$GPHDT,4*00", "$GPHDT,2*00"]);
        let frame = Frame::sentence(0, 9, Bytes::from_static(b"$GPHDT,9*00"));
        let vessel = Arc::new(Vessel::default());
        let batch = Batch { generation: 0, sent: 0, source_utc: None, frames: vec![frame], vessel };
        h.take(&Told { batch: Arc::new(batch), emit: true, patient: false }, 0);
        let list = window(&mut h, &view, &lens, &mut place, 0);
        assert_eq!(texts(&list), ["$GPRMC,3*00", "$GPHDT,4*00", "$GPHDT,9*00"]);
    }

    #[test]
    fn rows_are_visible_text_and_say_why() {
        assert_eq!(shown(b"$\x1b[2J\xb1", false), "$^[[2J\\xB1");
        assert_eq!(shown(&[b'x'; 500], false).chars().count(), 401);
        assert_eq!(shown(b"$G", true), "24 47");
        // G^P^H^D^T = 0x17 ^ 'H'(48)=5F ^ 'D'(44)=1B ^ 'T'(54)=4F
        assert_eq!(why(Class::BadChecksum, b"$GPHDT*37").unwrap(), "bad checksum: given 37, computed 4F");
        assert_eq!(why(Class::Sentence, b""), None);
    }
}

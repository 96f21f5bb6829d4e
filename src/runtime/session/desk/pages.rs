//! Windows of rows over one log, or over several as one timeline.

use std::collections::{BTreeMap, HashMap};
use std::io;

use super::{Bases, Search, end_of};
use crate::core::ais::Part;
use crate::core::filter::{self, Filter};
use crate::core::frame::{Origin, Place};
use crate::core::log::search::{Only, Row as LogRow, Show};
use crate::core::log::{self, Log, Way};
use crate::core::nmea::inspect;
use crate::core::nmea::joined::{self, AROUND, Joined, Near};
use crate::core::time::{Offset, SECOND};
use crate::runtime::session::snapshot::{List, Row};
use crate::runtime::session::window::shown;
use crate::runtime::session::{Anchor, Presentation, RowKey, View};

/// The most rows of one window.
const ROWS: usize = 500;

/// Readers of logs that are one timeline.
pub struct Pages {
    logs: Vec<Log>,
    bases: Bases,
}

/// AIS sentences before and behind one in which the others of its message are looked for.
const NEAR: usize = 500;

type GoOn<'a> = &'a mut dyn FnMut(f32) -> bool;

impl Pages {
    pub(super) fn new(logs: Vec<Log>, bases: Bases) -> Pages {
        Pages { logs, bases }
    }

    /// The logs, and where each begins.
    pub(super) fn logs(&self) -> impl Iterator<Item = (&Log, Offset)> {
        self.logs.iter().zip(self.bases.iter().copied())
    }

    /// The same, to read them.
    pub(super) fn logs_mut(&mut self) -> impl Iterator<Item = (&mut Log, Offset)> {
        self.logs.iter_mut().zip(self.bases.iter().copied())
    }

    /// How many logs.
    pub(super) fn len(&self) -> usize {
        self.logs.len()
    }

    /// One of the logs.
    pub(super) fn log(&mut self, file: usize) -> Option<&mut Log> {
        self.logs.get_mut(file)
    }

    /// Blocks of all logs, as far as they are indexed.
    pub(super) fn blocks(&self) -> usize {
        self.logs.iter().map(|l| l.index().blocks()).sum()
    }

    /// All logs are indexed to their ends.
    pub(super) fn complete(&self) -> bool {
        self.logs.iter().all(|l| l.index().complete())
    }

    /// What of a log stands before a place of the timeline: everything before this place of it.
    pub(super) fn place_before(&mut self, file: usize, place: Place) -> io::Result<Place> {
        if self.logs.len() == 1 {
            return Ok(place);
        }
        let at = self.offset_of(place)?;
        self.place_in(file, place, at, Way::Forward)
    }

    /// Fresh readers of the same logs.
    pub(super) fn fork(&self) -> Vec<Log> {
        self.logs.iter().map(|l| Log::new(l.index(), log::hear)).collect()
    }

    /// Offset of the last sentence, as far as it is known.
    pub(super) fn duration(&self) -> Offset {
        let ends = self.logs().map(|(log, base)| {
            let index = log.index();
            let known = index.duration().or_else(|| {
                let last = index.blocks().checked_sub(1).and_then(|n| index.block(n))?;
                last.times.map(|(_, end)| end.offset)
            });
            base + known.unwrap_or(0)
        });
        ends.max().unwrap_or(0)
    }

    pub(super) fn sentences(&self) -> u64 {
        self.logs.iter().map(|l| l.index().sentences()).sum()
    }

    /// The window that a view asks for.
    pub(super) fn window(
        &mut self,
        view: &View,
        show: &Show,
        head: Option<Place>,
        go_on: GoOn<'_>,
    ) -> io::Result<List> {
        let rows = usize::from(view.rows).min(ROWS);
        let mut list = List { presentation: view.presentation, anchor: view.anchor, ..List::default() };
        if rows == 0 {
            return Ok(list);
        }
        let end = end_of(self.logs.len());
        let place = |key: RowKey| match key {
            RowKey::Place(place) => place,
            RowKey::Seq(0) => Place::default(),
            RowKey::Seq(_) => end,
        };
        let found = match (view.presentation, view.anchor) {
            (Presentation::PerType, _) => return Ok(List { rows: self.per_type(view, show, head, go_on)?, ..list }),
            (_, Anchor::Newest) => self.back(end, rows, show, go_on)?,
            (_, Anchor::PlayHead) => self.around(head.unwrap_or_default(), rows * 2 / 3, rows, show, go_on)?,
            (_, Anchor::Top(key)) => self.around(place(key), 0, rows, show, go_on)?,
            (_, Anchor::Bottom(key)) => self.around(place(key), rows - 1, rows, show, go_on)?,
            (_, Anchor::Middle(key)) => self.around(place(key), rows / 2, rows, show, go_on)?,
        };
        // The row above says how much later the first one came.
        let above = match found.first() {
            Some(first) => self.back(first.place, 1, show, go_on)?.pop(),
            None => None,
        };
        list.more_above = above.is_some();
        if let Some(last) = found.last() {
            let next = after(last.place);
            list.more_below = !self.ahead(next, 1, show, go_on)?.is_empty();
        }
        let mut before = above.and_then(|r| self.offset(&r));
        for row in &found {
            let offset = self.offset(row);
            let delta = offset.zip(before).map(|(o, b)| o - b);
            list.rows.push(self.row(row, delta, head, view.hex));
            before = offset.or(before);
        }
        Ok(list)
    }

    /// `above` rows before a place, then rows from it on, `want` in all where there are as many.
    fn around(
        &mut self,
        place: Place,
        above: usize,
        want: usize,
        show: &Show,
        go_on: GoOn<'_>,
    ) -> io::Result<Vec<LogRow>> {
        let mut rows = self.back(place, above.min(want), show, go_on)?;
        let below = self.ahead(place, want - rows.len().min(want), show, go_on)?;
        if rows.len() + below.len() < want && rows.len() == above {
            // Near the end: fill up from above.
            rows = self.back(place, want - below.len(), show, go_on)?;
        }
        rows.extend(below);
        Ok(rows)
    }

    /// Rows at or after a place, in order.
    fn ahead(&mut self, from: Place, n: usize, show: &Show, go_on: GoOn<'_>) -> io::Result<Vec<LogRow>> {
        self.merged(from, Way::Forward, n, show, go_on)
    }

    /// Rows before a place, in order.
    fn back(&mut self, from: Place, n: usize, show: &Show, go_on: GoOn<'_>) -> io::Result<Vec<LogRow>> {
        let mut rows = self.merged(from, Way::Back, n, show, go_on)?;
        rows.reverse();
        Ok(rows)
    }

    /// Rows of all logs from a place on, nearest first.
    fn merged(&mut self, from: Place, way: Way, n: usize, show: &Show, go_on: GoOn<'_>) -> io::Result<Vec<LogRow>> {
        if n == 0 {
            return Ok(Vec::new());
        }
        if let [log] = &mut self.logs[..] {
            return log.rows(from, way, n, show, go_on);
        }
        let at = self.offset_of(from)?;
        let mut all: Vec<(Offset, LogRow)> = Vec::new();
        for i in 0..self.logs.len() {
            let base = self.bases.get(i).copied().unwrap_or(0);
            let start = self.place_in(i, from, at, way)?;
            let mut last = at;
            for row in self.logs[i].rows(start, way, n, show, go_on)? {
                last = row.offset.map_or(last, |o| o + base);
                all.push((last, row));
            }
        }
        match way {
            Way::Forward => all.sort_by_key(|(o, r)| (*o, r.place)),
            Way::Back => all.sort_by_key(|(o, r)| std::cmp::Reverse((*o, r.place))),
        }
        all.truncate(n);
        Ok(all.into_iter().map(|(_, row)| row).collect())
    }

    /// Where a log stands when the timeline stands at a place of another.
    fn place_in(&mut self, i: usize, from: Place, at: Offset, way: Way) -> io::Result<Place> {
        let file = i as u16;
        if from.file == file {
            return Ok(from);
        }
        if from.byte == u64::MAX {
            return Ok(Place { file, ..from });
        }
        let base = self.bases.get(i).copied().unwrap_or(0);
        // Of one moment, the log that was named first comes first.
        let own = at - base + i64::from(file < from.file && way == Way::Forward);
        if own <= 0 && way == Way::Forward {
            return Ok(Place { file, ..Place::default() });
        }
        let found = self.logs[i].at_offset(own.max(0))?;
        Ok(found.map_or(Place { file, ..end_of(1) }, |e| e.place))
    }

    fn offset_of(&mut self, place: Place) -> io::Result<Offset> {
        if place.byte == u64::MAX {
            return Ok(Offset::MAX / 2);
        }
        let i = usize::from(place.file);
        let base = self.bases.get(i).copied().unwrap_or(0);
        let Some(log) = self.logs.get_mut(i) else { return Ok(0) };
        let row = log.rows(place, Way::Forward, 1, &Show::default(), &mut |_| true)?.pop();
        Ok(base + row.and_then(|r| r.offset).unwrap_or(0))
    }

    fn offset(&self, row: &LogRow) -> Option<Offset> {
        row.offset.map(|o| o + self.bases.get(usize::from(row.place.file)).copied().unwrap_or(0))
    }

    fn row(&self, row: &LogRow, delta: Option<Offset>, head: Option<Place>, hex: bool) -> Row {
        Row {
            key: RowKey::Place(row.place),
            offset: self.offset(row),
            utc: row.utc,
            delta: delta.filter(|d| *d >= 0),
            class: row.class,
            origin: Origin::Source,
            text: shown(&row.text, hex),
            why: row.why.clone(),
            head: head == Some(row.place),
            mark: false,
            count: None,
        }
    }

    /// A row taken apart, with its whole line.
    pub(super) fn inspect(&mut self, place: Place) -> Option<serde_json::Value> {
        let log = self.logs.get_mut(usize::from(place.file))?;
        let line = log.line(place).ok()??;
        let dialect = log.index().dialect();
        let joined = parts_around(log, place).ok().flatten();
        serde_json::to_value(inspect::line(&line, usize::from(place.part), dialect, joined)).ok()
    }

    /// Of each type the last one before the play head, however long ago; with how many there are in the whole log, and how
    /// many a second there were of late.
    fn per_type(&mut self, view: &View, show: &Show, head: Option<Place>, go_on: GoOn<'_>) -> io::Result<Vec<Row>> {
        let show = Show { only: Only::Sentences, ..show.clone() };
        let head_place = head.unwrap_or_default();
        let recent = self.back(head_place, ROWS, &show, go_on)?;
        let ends = recent.first().and_then(|r| self.offset(r)).zip(recent.last().and_then(|r| self.offset(r)));
        let span = ends.map_or(0, |(first, last)| last - first) as f64 / SECOND as f64;
        let mut rows: BTreeMap<Box<[u8]>, (u64, LogRow)> = BTreeMap::new();
        for row in recent {
            let key = filter::address(&row.text).into();
            let n = rows.get(&key).map_or(0, |(n, _)| *n);
            rows.insert(key, (n + 1, row));
        }
        let mut totals: HashMap<Box<[u8]>, u64> = HashMap::new();
        let mut older: HashMap<Box<[u8]>, (Offset, LogRow)> = HashMap::new();
        for file in 0..self.logs.len() {
            let before = self.place_before(file, head_place)?;
            let log = &mut self.logs[file];
            let (types, counts) = (log.index().types(), log.index().type_counts());
            for (number, (key, count)) in types.iter().zip(counts).enumerate() {
                *totals.entry(key.clone()).or_default() += count;
                if rows.contains_key(key) {
                    continue;
                }
                let Some(row) = self.logs[file].last_of(number, before, &show, go_on)? else { continue };
                let at = self.offset(&row).unwrap_or(0);
                if older.get(key).is_none_or(|(best, _)| at > *best) {
                    older.insert(key.clone(), (at, row));
                }
            }
        }
        rows.extend(older.into_iter().map(|(key, (_, row))| (key, (0, row))));
        let counted = |(key, (n, row))| {
            let rate = if span > 0.0 { n as f64 / span } else { 0.0 };
            let total = totals.get(&key).copied().unwrap_or(n);
            Row { count: Some((total, rate)), ..self.row(&row, None, head, view.hex) }
        };
        Ok(rows.into_iter().take(200).map(counted).collect())
    }

    /// The next place where something is.
    pub(super) fn search(
        &mut self,
        what: &Search,
        from: Place,
        way: Way,
        show: &Show,
        go_on: GoOn<'_>,
    ) -> io::Result<Option<Place>> {
        let files: Vec<usize> = match way {
            Way::Forward => (usize::from(from.file)..self.logs.len()).collect(),
            Way::Back => (0..=usize::from(from.file).min(self.logs.len().saturating_sub(1))).rev().collect(),
        };
        for i in files {
            let start = match way {
                _ if i == usize::from(from.file) => from,
                Way::Forward => Place { file: i as u16, ..Place::default() },
                Way::Back => Place { file: i as u16, ..end_of(1) },
            };
            let log = &mut self.logs[i];
            let found = match what {
                Search::Pattern(pattern) => {
                    let show = Show { pattern: Some(pattern.clone()), ..show.clone() };
                    log.rows(start, way, 1, &show, go_on)?.pop().map(|r| r.place)
                }
                Search::Unusual(unusual) => log.next(*unusual, start, way, go_on)?.map(|r| r.place),
                Search::Sentence => {
                    let show = Show { only: Only::Sentences, ..show.clone() };
                    log.rows(start, way, 1, &show, go_on)?.pop().map(|r| r.place)
                }
                Search::Save { .. } => None,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// The sentences of the AIS message of which one stands here, where it takes several.
fn parts_around(log: &mut Log, place: Place) -> io::Result<Option<Joined>> {
    let ais = Filter::new("VDM,VDO").unwrap_or_default();
    let show = Show { types: ais, only: Only::Sentences, ..Show::default() };
    let go_on = &mut |_: f32| true;
    let from_here = log.rows(place, Way::Forward, NEAR, &show, go_on)?;
    let Some(here) = from_here.first().filter(|row| row.place == place) else { return Ok(None) };
    if Part::parse(&here.text).is_ok_and(|part| part.total == 1) {
        return Ok(None);
    }
    let at = |row: &LogRow| row.offset.unwrap_or(0);
    let mut rows = log.rows(place, Way::Back, NEAR, &show, go_on)?;
    rows.reverse();
    let which = rows.iter().filter(|row| at(here) - at(row) <= AROUND).count();
    rows.extend(from_here.iter().cloned());
    rows.retain(|row| (at(row) - at(here)).abs() <= AROUND);
    let heard: Vec<Near<'_>> = rows
        .iter()
        .map(|row| Near { sentence: &row.text, at: at(row), origin: Origin::Source, line: row.place.line })
        .collect();
    Ok(joined::join(&heard, which))
}

/// The place directly behind a row.
pub(in crate::runtime::session) fn after(place: Place) -> Place {
    match place.part.checked_add(1) {
        Some(part) => Place { part, ..place },
        None => Place { byte: place.byte + 1, part: 0, ..place },
    }
}

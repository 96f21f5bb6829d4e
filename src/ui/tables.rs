//! The zoomed control pane as tables: sentences, engines, targets, faults a row each; every other key a row of its own.
//!
//! Says which rows and columns there are and where the cursor stands. Draws nothing, sends nothing.

use std::collections::HashMap;

use super::control::{fault_kind, steered};
use super::format::{self, UNKNOWN};
use super::theme::Role;
use crate::core::profile::key::{Key, Kind};
use crate::core::profile::tree;
use crate::core::sim::schedule;
use crate::core::time::SECOND;
use crate::core::vessel::{Bare, Position};
use crate::runtime::session::Snapshot;
use crate::runtime::session::snapshot::{Control, SaidRow, TargetRow};

/// One section of the pane.
#[derive(Debug, Default)]
pub struct Table<'a> {
    /// The section of the profile that its rows belong to: `target`, `vessel`.
    pub section: &'static str,
    /// What stands over the columns; the first is the name of the table.
    pub columns: Vec<Column>,
    /// What stands in them.
    pub rows: Vec<Vec<Cell<'a>>>,
    /// Said in place of rows, where there are none.
    pub empty: &'static str,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its heading, with the unit.
    pub head: &'static str,
    /// Characters.
    pub width: u16,
    /// Numbers stand at the right.
    pub right: bool,
    /// Lower ranks stay where room is short.
    pub rank: u8,
}

/// What stands in a column of a row.
#[derive(Clone, Debug)]
pub enum Cell<'a> {
    /// A key that can be changed.
    Key(&'a Control),
    /// Text that cannot.
    Text(String, Role),
}

/// Where the cursor stands: table, row, column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which table.
    pub table: usize,
    /// Which of its rows.
    pub row: usize,
    /// Which column.
    pub column: usize,
}

const fn column(head: &'static str, width: u16, right: bool, rank: u8) -> Column {
    Column { head, width, right, rank }
}

/// The key of the profile behind a control.
pub fn key_of(path: &str) -> Option<&'static Key> {
    tree::key_of(&path.split('.').collect::<Vec<_>>())
}

/// The words between which a key is switched, where it is not a number.
pub fn choices(path: &str) -> &'static [&'static str] {
    match key_of(path).map(|key| key.kind) {
        Some(Kind::Choice(words)) => words,
        Some(Kind::Switch) => &["false", "true"],
        _ => &[],
    }
}

struct Maker<'a> {
    s: &'a Snapshot,
    room: u16,
    keys: HashMap<&'a str, &'a Control>,
    said: HashMap<&'a str, &'a SaidRow>,
}

/// Every table, in the order of the profile, with headings for so many columns of the screen.
pub fn tables(s: &Snapshot, room: u16) -> Vec<Table<'_>> {
    let keys = s.controls.iter().map(|c| (c.key.as_str(), c)).collect();
    let said = s.said.iter().map(|row| (row.id.as_str(), row)).collect();
    let m = Maker { s, room, keys, said };
    if s.controls.is_empty() {
        return Vec::new();
    }
    let mut all = vec![
        m.section("vessel", "VESSEL"),
        m.drift(),
        m.section("steering", "STEERING"),
        m.section("environment", "ENVIRONMENT"),
        m.section("gnss", "GNSS"),
        m.engines(),
        m.transducers(),
        m.destination(),
        m.section("ais", "OWN AIS"),
        m.section("sentences", "SENTENCES"),
        m.sentences(),
        m.own_sentences(),
        m.targets(),
        m.faults(),
    ];
    all.retain(|t| !t.rows.is_empty() || !t.empty.is_empty());
    all
}

impl<'a> Maker<'a> {
    fn key(&self, path: &str) -> Cell<'a> {
        self.keys.get(path).map_or_else(Cell::none, |c| Cell::Key(c))
    }

    fn value(&self, path: &str) -> &'a str {
        self.keys.get(path).map_or("", |c| c.value.as_str())
    }

    /// The numbers of a list's elements.
    fn elements(&self, list: &str, of: &str) -> impl Iterator<Item = String> {
        let paths = (0..1000).map(move |n| format!("{list}.{n}"));
        let known: Vec<String> = paths.take_while(|p| self.keys.contains_key(format!("{p}.{of}").as_str())).collect();
        known.into_iter()
    }

    /// A section in which every key has a row.
    fn section(&self, section: &'static str, title: &'static str) -> Table<'a> {
        let rows = self.s.controls.iter().filter(|c| c.section == section).map(|c| {
            let name = c.key.rsplit('.').next().unwrap_or(&c.key);
            let now = c.now.map_or(String::new(), |now| now_text(&c.key, now));
            let steps = if c.step == 0.0 { String::new() } else { format!("{}", c.step) };
            vec![
                Cell::label(name),
                Cell::Key(c),
                Cell::dim(&c.unit),
                Cell::Text(now, Role::Normal),
                Cell::dim(&steps),
                Cell::dim(&c.range),
                Cell::dim(key_of(&c.key).map_or("", |key| key.doc)),
            ]
        });
        let (name, value, unit) = if self.room < 60 { (17, 9, 5) } else { (19, 12, 7) };
        let columns = vec![
            column(title, name, false, 0),
            column("VALUE", value, true, 0),
            column("UNIT", unit, false, 1),
            column("NOW", 12, true, 2),
            column("STEP", 5, true, 3),
            column("RANGE", 20, false, 4),
            column("MEANING", 60, false, 5),
        ];
        let mut table = Table { section, columns, rows: rows.collect(), empty: "" };
        if table.rows.iter().all(|r| matches!(&r[3], Cell::Text(now, _) if now.is_empty())) {
            table.drop_column(3);
        }
        // what it means stands below, of the chosen one; what it may be is worth more here
        if self.room < 100 {
            table.drop_column(table.columns.len() - 1);
        }
        table
    }

    fn drift(&self) -> Table<'a> {
        let names = ["heading", "speed", "depth", "water_temperature", "wind_direction", "wind_speed"];
        let rows = names.into_iter().filter(|n| self.keys.contains_key(format!("drift.{n}.amplitude").as_str()));
        let rows = rows.map(|name| {
            let [amplitude, pace] = ["amplitude", "step_per_second"].map(|k| format!("drift.{name}.{k}"));
            let unit = |path: &str| Cell::dim(self.keys.get(path).map_or("", |c| c.unit.as_str()));
            vec![Cell::label(name), self.key(&amplitude), unit(&amplitude), self.key(&pace), unit(&pace)]
        });
        let columns = vec![
            column("DRIFT", 19, false, 0),
            column("AT MOST", 8, true, 0),
            column("UNIT", 5, false, 2),
            column("PACE", 6, true, 1),
            column("UNIT", 6, false, 3),
        ];
        Table { section: "drift", columns, rows: rows.collect(), empty: "" }
    }

    fn engines(&self) -> Table<'a> {
        let rows = self.elements("engine", "rpm").map(|e| {
            let key = |name: &str| self.key(&format!("{e}.{name}"));
            let text = |name: &str| self.value(&format!("{e}.{name}"));
            vec![
                Cell::label(text("label")),
                Cell::dim(text("position")),
                key("running"),
                key("rpm"),
                key("coolant_temperature"),
                key("pitch"),
            ]
        });
        let columns = vec![
            column("ENGINE", 14, false, 0),
            column("PLACE", 9, false, 2),
            column("ON", 3, false, 0),
            column("RPM 1/min", 9, true, 0),
            column("COOLANT C", 9, true, 1),
            column("PITCH %", 7, true, 1),
        ];
        Table { section: "engine", columns, rows: rows.collect(), empty: "" }
    }

    fn transducers(&self) -> Table<'a> {
        let rows = self.elements("transducer", "value").map(|e| {
            let text = |name: &str| self.value(&format!("{e}.{name}"));
            let kind = format!("{} {}", text("type"), text("unit"));
            vec![Cell::label(text("name")), self.key(&format!("{e}.value")), Cell::dim(kind.trim())]
        });
        let columns =
            vec![column("TRANSDUCER", 19, false, 0), column("VALUE", 12, true, 0), column("TYPE, UNIT", 10, false, 1)];
        Table { section: "transducer", columns, rows: rows.collect(), empty: "" }
    }

    fn destination(&self) -> Table<'a> {
        let mut table = self.section("destination", "DESTINATION");
        table.empty = "+ sets one";
        let route = &self.s.vessel.route;
        let mut said = |name: &str, text: Option<String>| {
            let known = text.is_some();
            let role = if known { Role::Normal } else { Role::Stale };
            let mut row = vec![Cell::dim(name), Cell::Text(text.unwrap_or(UNKNOWN.into()), role)];
            row.resize(table.columns.len(), Cell::none());
            table.rows.push(row);
        };
        if !self.value("destination.latitude").is_empty() && !self.value("destination.longitude").is_empty() {
            said("bearing", route.bearing_true_deg.bare().map(|d| format!("{} T", format::bearing_whole(d))));
            said("distance", route.distance_nm.bare().map(|nm| format!("{} nm", format::number(nm, 2))));
            said("cross-track", route.cross_track_nm.bare().map(format::cross_track_tight));
            said("arrived", route.arrived.bare().map(|yes| if yes { "yes".into() } else { "no".into() }));
        }
        table
    }

    /// When it was said last, and how often in a minute.
    fn lately(&self, id: &str) -> [Cell<'a>; 2] {
        let said = self.said.get(id);
        let age = said.map_or(UNKNOWN.into(), |said| match said.age {
            age if age < SECOND => "now".into(),
            age => format::age(age),
        });
        let minute = said.map_or(0, |said| said.minute).to_string();
        let role = if said.is_some() { Role::Normal } else { Role::Stale };
        [Cell::Text(age, role), Cell::Text(minute, role)]
    }

    fn sentences(&self) -> Table<'a> {
        let rows = schedule::rows().filter_map(|row| {
            let key = |name: &str| self.key(&format!("sentences.{}.{name}", row.id));
            self.keys.get(format!("sentences.{}.enabled", row.id).as_str())?;
            let [last, minute] = self.lately(row.id);
            Some(vec![
                Cell::label(row.id),
                key("enabled"),
                key("talker"),
                key("period"),
                last,
                minute,
                Cell::dim(row.talker),
                Cell::dim(row.title),
            ])
        });
        let columns = vec![
            column("SENTENCE", 10, false, 0),
            column("ON", 3, false, 0),
            column("TALKER", 6, false, 1),
            column("PERIOD", 6, true, 0),
            column("LAST", 5, true, 3),
            column("/MIN", 4, true, 2),
            column("USUAL", 5, false, 5),
            column("WHAT IT IS", 44, false, 4),
        ];
        Table { section: "sentences", columns, rows: rows.collect(), empty: "" }
    }

    fn own_sentences(&self) -> Table<'a> {
        let rows = self.elements("sentences.custom", "body").map(|e| {
            let key = |name: &str| self.key(&format!("{e}.{name}"));
            let n = e.rsplit('.').next().unwrap_or_default();
            let [last, minute] = self.lately(&format!("custom.{n}"));
            vec![Cell::label(n), key("enabled"), key("period"), last, minute, key("body")]
        });
        let columns = vec![
            column("OF YOUR OWN", 11, false, 0),
            column("ON", 3, false, 0),
            column("PERIOD", 6, true, 0),
            column("LAST", 5, true, 3),
            column("/MIN", 4, true, 2),
            column("SENTENCE", 70, false, 1),
        ];
        Table { section: "sentences.custom", columns, rows: rows.collect(), empty: "none; + adds one" }
    }

    fn targets(&self) -> Table<'a> {
        let rows = self.elements("target", "mmsi").map(|e| {
            let key = |name: &str| self.key(&format!("{e}.{name}"));
            let mmsi: u32 = self.value(&format!("{e}.mmsi")).parse().unwrap_or_default();
            let heard = self.s.targets.iter().find(|t| t.mmsi == mmsi);
            let told = |of: fn(&TargetRow) -> Option<f64>, decimals: usize| {
                let value = heard.and_then(of);
                let role = if value.is_some() { Role::Normal } else { Role::Stale };
                Cell::Text(value.map_or(UNKNOWN.into(), |v| format::number(v, decimals)), role)
            };
            let bearing = heard.and_then(|t| t.bearing_true_deg);
            let bearing_role = if bearing.is_some() { Role::Normal } else { Role::Stale };
            vec![
                key("name"),
                key("mmsi"),
                key("latitude"),
                key("longitude"),
                key("course"),
                key("speed"),
                told(|t| t.range_nm, 2),
                Cell::Text(bearing.map_or(UNKNOWN.into(), format::bearing_whole), bearing_role),
                told(|t| t.cpa_nm, 2),
                told(|t| t.tcpa_min, 0),
                key("rate_of_turn"),
                key("class"),
                key("ship_type"),
                key("nav_status"),
                key("callsign"),
                key("destination"),
                key("imo"),
                key("draught"),
                key("to_bow"),
                key("to_stern"),
                key("to_port"),
                key("to_starboard"),
            ]
        });
        // the unit alone says what it is where there is no room for more
        let either = |tight: &'static str, wide: &'static str, width: u16, rank: u8| {
            let wide = if self.room < 100 { tight } else { wide };
            column(wide, width.max(wide.len() as u16), true, rank)
        };
        let columns = vec![
            column("TARGET", if self.room < 100 { 12 } else { 16 }, false, 0),
            column("MMSI", 9, true, 3),
            column("LATITUDE", 10, true, 5),
            column("LONGITUDE", 11, true, 5),
            either("CRS", "CRS T", 3, 1),
            either("kn", "SPEED kn", 4, 1),
            either("nm", "RANGE nm", 5, 2),
            either("BRG", "BRG T", 3, 4),
            either("CPA", "CPA nm", 4, 2),
            either("min", "TCPA min", 4, 6),
            column("TURN/min", 8, true, 7),
            column("CL", 2, false, 7),
            column("TYPE", 4, true, 8),
            column("STATUS", 6, true, 9),
            column("CALL", 7, false, 10),
            column("DESTINATION", 20, false, 11),
            column("IMO", 9, true, 12),
            column("DRAUGHT", 7, true, 12),
            column("BOW m", 5, true, 12),
            column("STERN m", 7, true, 12),
            column("PORT m", 6, true, 12),
            column("STB m", 5, true, 12),
        ];
        Table { section: "target", columns, rows: rows.collect(), empty: "none; + adds one" }
    }

    fn faults(&self) -> Table<'a> {
        let count = |kind: &str| {
            let n = self.s.faults.iter().find(|(k, _)| k == kind).map_or(0, |(_, n)| *n);
            Cell::Text(format::thousands(n), if n > 0 { Role::Bad } else { Role::Dim })
        };
        let mut rows: Vec<Vec<Cell<'a>>> = Vec::new();
        for e in self.elements("fault", "kind") {
            let key = |name: &str| self.key(&format!("{e}.{name}"));
            let mut row = vec![key("kind"), key("enabled"), count(self.value(&format!("{e}.kind")))];
            row.extend(["rate", "at", "until", "filter", "value", "key"].map(key));
            rows.push(row);
        }
        for c in self.s.controls.iter().filter(|c| c.section == "fault") {
            let mut row = vec![Cell::dim(&c.label), Cell::Key(c), count(&c.label)];
            row.resize(9, Cell::none());
            rows.push(row);
        }
        let columns = vec![
            column("FAULT", 14, false, 0),
            column("ON", 3, false, 0),
            column("COUNT", 7, true, 0),
            column("RATE", 5, true, 1),
            column("FROM", 8, true, 3),
            column("UNTIL", 8, true, 3),
            column("ONLY", 10, false, 2),
            column("AMOUNT", 6, true, 2),
            column("KEY", 24, false, 4),
        ];
        Table { section: "fault", columns, rows, empty: "" }
    }
}

/// A value that the model moves, as it stands beside what was set.
pub fn now_text(key: &str, now: f64) -> String {
    match key.rsplit('.').next() {
        Some("latitude") => half(now, true, 3),
        Some("longitude") => half(now, false, 3),
        Some("heading" | "wind_direction") => format::bearing(now),
        Some("course") => format::bearing_whole(now),
        _ => format::number(now, 1),
    }
}

/// Latitude or longitude alone, in degrees and minutes.
fn half(degrees: f64, latitude: bool, decimals: u32) -> String {
    let at = if latitude {
        Position { latitude: degrees, longitude: 0.0 }
    } else {
        Position { latitude: 0.0, longitude: degrees }
    };
    let whole = format::position(at, decimals, "|");
    let halves = whole.split_once('|').unwrap_or((UNKNOWN, UNKNOWN));
    if latitude { halves.0.into() } else { halves.1.into() }
}

/// The value of a control as it stands in a table.
pub fn shown(c: &Control) -> String {
    let moved = c.now.filter(|_| c.section.starts_with("target."));
    match (c.key.rsplit('.').next(), moved) {
        (Some(name @ ("latitude" | "longitude")), now) if c.section.starts_with("target.") => {
            let value = now.or_else(|| c.value.parse().ok());
            value.map_or(UNKNOWN.into(), |v| half(v, name == "latitude", 2))
        }
        (_, Some(now)) => now_text(&c.key, now),
        (Some("mmsi"), _) if c.value.is_empty() => UNKNOWN.into(),
        _ => match c.value.as_str() {
            "" => UNKNOWN.into(),
            "true" => "on".into(),
            "false" => "off".into(),
            value => value.into(),
        },
    }
}

impl<'a> Cell<'a> {
    fn none() -> Cell<'a> {
        Cell::Text(String::new(), Role::Normal)
    }

    fn label(text: &str) -> Cell<'a> {
        Cell::Text(text.into(), Role::Label)
    }

    fn dim(text: &str) -> Cell<'a> {
        Cell::Text(text.into(), Role::Dim)
    }
}

impl<'a> Table<'a> {
    fn drop_column(&mut self, at: usize) {
        self.columns.remove(at);
        self.rows.iter_mut().for_each(|row| drop(row.remove(at)));
    }

    /// How many rows the cursor can stand on or beside; a table without rows has one to add to.
    pub fn lines(&self) -> usize {
        self.rows.len().max(usize::from(!self.empty.is_empty()))
    }

    /// The control in a cell.
    pub fn control(&self, row: usize, column: usize) -> Option<&'a Control> {
        match self.rows.get(row)?.get(column)? {
            Cell::Key(c) => Some(c),
            Cell::Text(..) => None,
        }
    }

    /// The column of a row that can be changed and is nearest to this one.
    fn nearest(&self, row: usize, column: usize) -> Option<usize> {
        let of = |i: usize| self.control(row, i).is_some();
        (0..self.columns.len()).filter(|i| of(*i)).min_by_key(|i| i.abs_diff(column))
    }

    /// The cell in which the cursor comes to stand on a row; a name is left alone where there is something else.
    fn first(&self, row: usize) -> Option<usize> {
        let from = usize::from((1..self.columns.len()).any(|i| self.control(row, i).is_some()));
        (from..self.columns.len()).find(|i| self.control(row, *i).is_some())
    }

    /// What a column takes with the gap behind it, in which a mark stands.
    pub fn wide(&self, column: usize) -> u16 {
        let marked = (0..self.rows.len()).any(|row| self.control(row, column).is_some());
        self.columns[column].width + if marked { 2 } else { 1 }
    }

    /// Which columns are shown in so much room: those that matter, and the one that the cursor stands in.
    pub fn visible(&self, room: u16, chosen: Option<usize>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by_key(|i| if *i == 0 || chosen == Some(*i) { 0 } else { self.columns[*i].rank + 1 });
        let mut used = 0;
        let mut shown = Vec::new();
        for i in order {
            let wide = self.wide(i);
            // text at the end is cut rather than left out
            let least = if i + 1 == self.columns.len() && !self.columns[i].right { wide.min(14) } else { wide };
            if used + least > room + 1 && i != 0 && chosen != Some(i) {
                continue;
            }
            used += wide;
            shown.push(i);
        }
        shown.sort_unstable();
        shown
    }
}

/// Where the cursor stands: on the chosen key, else on what is steered. A row to add to goes by the name of its section.
pub fn place(tables: &[Table<'_>], s: &Snapshot, chosen: &str) -> Option<Place> {
    let find = |fits: &dyn Fn(&Control) -> bool| {
        tables.iter().enumerate().find_map(|(table, t)| {
            (0..t.rows.len()).find_map(|row| {
                let column = (0..t.columns.len()).find(|i| t.control(row, *i).is_some_and(fits))?;
                Some(Place { table, row, column })
            })
        })
    };
    let to_add = || {
        let table = tables.iter().position(|t| t.section == chosen && t.rows.is_empty())?;
        Some(Place { table, row: 0, column: 0 })
    };
    // a fault gets a number once it is switched on: `fault.lost.enabled` is `fault.0.enabled` then
    let numbered = || {
        let (kind, leaf) = chosen.strip_prefix("fault.")?.split_once('.')?;
        find(&|c: &Control| c.key.ends_with(leaf) && fault_kind(s, &c.key) == Some(kind))
    };
    // an element that has gone: the last of its list, or where one could be added
    let neighbour = || {
        let (list, _) = tree::element(chosen)?;
        let (table, t) = tables.iter().enumerate().find(|(_, t)| t.section == list)?;
        match t.rows.len().checked_sub(1) {
            Some(row) => Some(Place { table, row, column: t.first(row)? }),
            None => Some(Place { table, row: 0, column: 0 }),
        }
    };
    find(&|c| c.key == chosen)
        .or_else(to_add)
        .or_else(numbered)
        .or_else(neighbour)
        .or_else(|| find(&|c| c.key == steered(s)))
        .or_else(|| find(&|_| true))
}

/// The name of a place: the key there, or the section to add to.
pub fn name(tables: &[Table<'_>], at: Place) -> String {
    let Some(table) = tables.get(at.table) else { return String::new() };
    table.control(at.row, at.column).map_or(table.section.into(), |c| c.key.clone())
}

/// So many rows further: in the same column of the same table, else where there is something to change.
pub fn rows_on(tables: &[Table<'_>], at: Place, by: i64) -> Place {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for (i, t) in tables.iter().enumerate() {
        all.extend((0..t.lines()).filter(|row| t.rows.is_empty() || t.first(*row).is_some()).map(|row| (i, row)));
    }
    let here = all.iter().position(|p| *p == (at.table, at.row)).unwrap_or(0) as i64;
    let to = here.saturating_add(by).clamp(0, all.len().saturating_sub(1) as i64);
    let Some((table, row)) = all.get(to as usize).copied() else { return at };
    let t = &tables[table];
    let column = if table == at.table { t.nearest(row, at.column) } else { t.first(row) };
    Place { table, row, column: column.unwrap_or(0) }
}

/// The next cell of the row that can be changed, to the right or to the left.
pub fn columns_on(tables: &[Table<'_>], at: Place, right: bool) -> Place {
    let Some(t) = tables.get(at.table) else { return at };
    let mut cells = (0..t.columns.len()).filter(|i| t.control(at.row, *i).is_some());
    let column = if right { cells.find(|i| *i > at.column) } else { cells.rfind(|i| *i < at.column) };
    Place { column: column.unwrap_or(at.column), ..at }
}

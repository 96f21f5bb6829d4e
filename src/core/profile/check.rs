//! Checks the text of a profile: every key known, every value in range, each problem with its line and the nearest
//! right name.
//!
//! Must not stop at the first problem.

use std::fmt;

use toml::{Table, Value};
use toml_edit::{Document, Item, TableLike};

use super::key::{Key, Kind};
use super::keys::{KEYS, SECTIONS};
use super::tree;
use crate::core::filter::Filter;
use crate::core::output::OutputSpec;
use crate::core::sim::schedule;

/// Something wrong in a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line, from 1; 0 for what concerns the whole file.
    pub line: usize,
    /// The key, dotted; may be empty.
    pub key: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// Why a profile is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileError {
    /// The file.
    pub file: String,
    /// In the order of their lines; never empty.
    pub problems: Vec<Problem>,
}

impl ProfileError {
    /// Every problem on a line of its own.
    pub fn lines(&self) -> Vec<String> {
        let line = |p: &Problem| {
            let line = if p.line > 0 { format!(":{}", p.line) } else { String::new() };
            let key = if p.key.is_empty() { String::new() } else { format!("{}: ", p.key) };
            format!("{}{line}: {key}{}", self.file, p.message)
        };
        self.problems.iter().map(line).collect()
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.lines();
        f.write_str(lines.first().map_or("", String::as_str))?;
        match lines.len() {
            0 | 1 => Ok(()),
            2 => f.write_str("\n(and one more problem; `nmeasimx profile check` shows all)"),
            n => write!(f, "\n(and {} more problems; `nmeasimx profile check` shows all)", n - 1),
        }
    }
}

impl std::error::Error for ProfileError {}

/// Checks a text and gives its values in their usual form, without defaults.
///
/// # Errors
/// Every problem found.
pub fn check(text: &str, file: &str) -> Result<Table, ProfileError> {
    let refuse = |problems| Err(ProfileError { file: file.into(), problems });
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(e) => {
            let line = e.span().map_or(0, |s| line_of(text, s.start));
            return refuse(vec![Problem { line, key: String::new(), message: one_line(e.message()) }]);
        }
    };
    let mut walk = Walk { text, problems: Vec::new() };
    let values = walk.table(document.as_table(), &mut Vec::new());
    if let Some(version) = document.get("schema_version").and_then(Item::as_integer)
        && version > 1
    {
        let line = walk.line_of_key(document.as_table(), "schema_version");
        let message = format!("version {version} is newer than this program, which knows 1: use a newer nmeasimx");
        return refuse(vec![Problem { line, key: "schema_version".into(), message }]);
    }
    if !document.contains_key("schema_version") {
        let message = "missing: begin the file with schema_version = 1".into();
        walk.problems.push(Problem { line: 1, key: "schema_version".into(), message });
    }
    if walk.problems.is_empty() {
        walk.whole(document.as_table(), &values);
    }
    if walk.problems.is_empty() {
        return Ok(values);
    }
    walk.problems.sort_by_key(|p| p.line);
    refuse(walk.problems)
}

struct Walk<'t> {
    text: &'t str,
    problems: Vec<Problem>,
}

impl Walk<'_> {
    fn problem(&mut self, line: usize, path: &[String], message: String) {
        self.problems.push(Problem { line, key: path.join("."), message });
    }

    fn line_of_key(&self, table: &dyn TableLike, name: &str) -> usize {
        let span = table.get_key_value(name).and_then(|(key, item)| key.span().or_else(|| item.span()));
        span.map_or(0, |s| line_of(self.text, s.start))
    }

    fn table(&mut self, table: &dyn TableLike, path: &mut Vec<String>) -> Table {
        let mut values = Table::new();
        for (name, item) in table.iter() {
            let line = self.line_of_key(table, name);
            path.push(name.into());
            if let Some(value) = self.item(item, line, path) {
                values.insert(name.into(), value);
            }
            path.pop();
        }
        values
    }

    fn item(&mut self, item: &Item, line: usize, path: &mut Vec<String>) -> Option<Value> {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        if let Some(key) = tree::key_of(&names) {
            let value = item.clone().into_value().ok().and_then(|v| plain(&v));
            let checked = match value {
                Some(value) => key.check(&value),
                None => Err(format!("this is a table: give {}", key.range())),
            };
            return match checked {
                Ok(value) => Some(value),
                Err(message) => {
                    self.problem(line, path, message);
                    None
                }
            };
        }
        let section = SECTIONS.iter().find(|(s, ..)| *s == names.join("."));
        if let Some((_, true, _)) = section {
            return self.list(item, line, path);
        }
        let is_sentence = matches!(names[..], ["sentences", _]);
        let leads_on = KEYS.iter().any(|k| starts(k.path, &names));
        if is_sentence && !known_sentence(names[1]) {
            let message = match suggestion(names[1], sentence_ids().chain(section_names("sentences"))) {
                Some(near) => format!("no such sentence or key: did you mean sentences.{near}?"),
                None => "no such sentence; `nmeasimx sentences` lists them".into(),
            };
            self.problem(line, path, message);
            return None;
        }
        match item.as_table_like() {
            Some(table) if leads_on => Some(Value::Table(self.table(table, path))),
            Some(_) => {
                let message = unknown(&names);
                self.problem(line, path, message);
                None
            }
            None if leads_on => {
                self.problem(line, path, "this is a section: write it as a table".into());
                None
            }
            None => {
                let message = unknown(&names);
                self.problem(line, path, message);
                None
            }
        }
    }

    fn list(&mut self, item: &Item, line: usize, path: &mut Vec<String>) -> Option<Value> {
        let elements: Vec<(&dyn TableLike, usize)> = match item {
            Item::ArrayOfTables(tables) => {
                let line_at = |t: &toml_edit::Table| t.span().map_or(line, |s| line_of(self.text, s.start));
                tables.iter().map(|t| (t as &dyn TableLike, line_at(t))).collect()
            }
            Item::Value(toml_edit::Value::Array(array)) => {
                let tables = array.iter().filter_map(|v| Some((v.as_inline_table()? as &dyn TableLike, line)));
                let tables: Vec<_> = tables.collect();
                if tables.len() < array.len() {
                    self.problem(line, path, "every element must be a table".into());
                    return None;
                }
                tables
            }
            _ => {
                let name = path.join(".");
                self.problem(line, path, format!("this is a list: write [[{name}]]"));
                return None;
            }
        };
        let list = path.join(".");
        let mut values = Vec::new();
        for (i, (table, line)) in elements.into_iter().enumerate() {
            path.push(i.to_string());
            let value = self.table(table, path);
            for key in KEYS.iter().filter(|k| k.required && k.section() == format!("{list}.*")) {
                if !table.contains_key(key.name()) {
                    self.problem(line, path, format!("{} is missing: {} = {}", key.name(), key.name(), key.example));
                }
            }
            path.pop();
            values.push(Value::Table(value));
        }
        Some(Value::Array(values))
    }

    /// What no single key can tell: outputs, filters, the keys that steps name.
    fn whole(&mut self, document: &dyn TableLike, values: &Table) {
        let mut complete = tree::complete(values.clone());
        let start = complete.clone();
        let lists = [("output", output as Examine), ("fault", fault), ("step", step), ("target", target)];
        for (list, examine) in lists {
            let Some(Value::Array(elements)) = values.get(list) else { continue };
            for (i, element) in elements.iter().enumerate() {
                let Value::Table(element) = element else { continue };
                for (key, message) in examine(element, &complete) {
                    let line = self.line_of_element(document, list, i, key.as_deref());
                    let mut path = vec![list.to_string(), i.to_string()];
                    path.extend(key);
                    self.problem(line, &path, message);
                }
                if list == "step" {
                    // The next step finds what this one leaves.
                    take_step(&mut complete, &start, element);
                }
            }
        }
    }

    fn line_of_element(&self, document: &dyn TableLike, list: &str, i: usize, key: Option<&str>) -> usize {
        let element: Option<&dyn TableLike> = match document.get(list) {
            Some(Item::ArrayOfTables(tables)) => tables.get(i).map(|t| t as &dyn TableLike),
            Some(Item::Value(toml_edit::Value::Array(array))) => {
                array.get(i).and_then(|v| v.as_inline_table()).map(|t| t as &dyn TableLike)
            }
            _ => None,
        };
        let of_key = element.zip(key).map_or(0, |(t, k)| self.line_of_key(t, k));
        if of_key > 0 {
            return of_key;
        }
        let first = element.and_then(|t| t.iter().next().map(|(name, _)| self.line_of_key(t, name)));
        first.unwrap_or_else(|| self.line_of_key(document, list))
    }
}

type Examine = fn(&Table, &Table) -> Vec<(Option<String>, String)>;

fn target(element: &Table, tree: &Table) -> Vec<(Option<String>, String)> {
    let mmsi = element.get("mmsi");
    let all = tree.get("target").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let same = all.iter().filter(|t| t.get("mmsi") == mmsi).count();
    let twice = || (Some("mmsi".to_string()), "another target has the same: give each ship its own".to_string());
    (same > 1).then(twice).into_iter().collect()
}

fn output(element: &Table, _: &Table) -> Vec<(Option<String>, String)> {
    output_of(element).err().into_iter().collect()
}

/// Reads one element of `output`.
///
/// # Errors
/// The key, and what is wrong with it.
pub fn output_of(element: &Table) -> Result<OutputSpec, (Option<String>, String)> {
    let kind = element.get("type").and_then(Value::as_str).unwrap_or_default();
    let keys: Vec<(&str, String)> = element
        .iter()
        .filter(|(k, _)| *k != "type")
        .map(|(k, v)| (k.as_str(), super::key::text_of(v)))
        // Absent is the same as on.
        .filter(|(k, v)| *k != "enabled" || v != "true")
        .collect();
    // `encoding` decides how a filter reads: it comes first.
    let (mut first, rest): (Vec<_>, Vec<_>) = keys.into_iter().partition(|(k, _)| *k == "encoding");
    first.extend(rest);
    OutputSpec::from_keys(kind, &first)
}

fn fault(element: &Table, tree: &Table) -> Vec<(Option<String>, String)> {
    let mut problems = Vec::new();
    let text = |k: &str| element.get(k).and_then(Value::as_str);
    if let Some(Err(e)) = text("filter").map(Filter::new) {
        problems.push((Some("filter".into()), e));
    }
    match (text("kind"), text("key")) {
        (Some("stuck"), None) => {
            let message = "stuck needs a key: the value that does not move, as key = \"environment.depth\"";
            problems.push((Some("kind".into()), message.into()));
        }
        (_, Some(key)) => {
            if let Err(e) = tree::place(tree, key) {
                problems.push((Some("key".into()), e));
            }
        }
        _ => {}
    }
    problems
}

/// What a step makes of the lists: elements come and go by it, and are as they were at the start after a release of all.
fn take_step(tree: &mut Table, start: &Table, step: &Table) {
    let empty = Table::new();
    let words = |key: &str| step.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    for (path, value) in flat(step.get("set").and_then(Value::as_table).unwrap_or(&empty)) {
        if tree::is_element(&path) {
            if let Some((list, n)) = tree::whole_element(tree, &path) {
                tree::remove_element(tree, list, n);
            }
        } else if let Ok(place) = tree::place(tree, &path)
            && (place.adds.is_some() || ["mmsi", "kind", "body", "name"].contains(&place.key.name()))
        {
            tree::put(tree, &place, Some(value));
        }
    }
    if words("release").any(|key| key == "*") {
        tree.clone_from(start);
    }
    for kind in words("fault") {
        if let Ok(place) = tree::place(tree, &format!("fault.{kind}.enabled")) {
            tree::put(tree, &place, Some(Value::Boolean(true)));
        }
    }
}

fn step(element: &Table, tree: &Table) -> Vec<(Option<String>, String)> {
    let mut problems = Vec::new();
    let mut bad = |key: &str, message: String| problems.push((Some(key.to_string()), message));
    for name in ["set", "nudge"] {
        let Some(Value::Table(changes)) = element.get(name) else { continue };
        for (path, value) in flat(changes) {
            match tree::place(tree, &path) {
                // An element that goes may be one that an earlier step brings.
                _ if tree::is_element(&path) && name == "set" => {
                    if !matches!(value.as_str(), Some("" | "none")) {
                        bad(name, format!("{path} is a whole element: \"none\" takes it away"));
                    }
                }
                Err(e) => bad(name, e),
                Ok(place) if !place.key.live => bad(name, format!("{path} cannot change while running")),
                Ok(place) if name == "nudge" && (place.key.step == 0.0 || place.adds.is_some()) => {
                    bad(name, format!("{path} cannot be nudged: set it"));
                }
                Ok(_) if name == "nudge" => {
                    if !(value.is_float() || value.is_integer()) {
                        bad(name, format!("{path}: give a number"));
                    }
                }
                Ok(place) if matches!(value.as_str(), Some("" | "none")) && place.key.default.is_empty() => {}
                Ok(place) => {
                    if let Err(e) = place.key.check(&value) {
                        bad(name, format!("{path}: {e}"));
                    }
                }
            }
        }
    }
    let words = |k: &str| -> Vec<String> {
        let list = element.get(k).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        list.iter().filter_map(|v| v.as_str().map(Into::into)).collect()
    };
    for path in words("release").into_iter().filter(|p| p != "*") {
        if let Err(e) = tree::place(tree, &path) {
            bad("release", e);
        }
    }
    for name in ["enable", "disable"] {
        for id in words(name).iter().filter(|id| !known_sentence(id)) {
            bad(name, format!("no such sentence {id:?}; `nmeasimx sentences` lists them"));
        }
    }
    for name in ["fault", "mend"] {
        for kind in words(name) {
            if let Err(e) = tree::place(tree, &format!("fault.{kind}.enabled")) {
                bad(name, e);
            }
        }
    }
    problems
}

/// The keys of a table of changes, whether they are quoted (`"vessel.speed" = 8`) or dotted (`vessel.speed = 8`).
pub fn flat(changes: &Table) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for (name, value) in changes {
        match value {
            Value::Table(inner) => {
                found.extend(flat(inner).into_iter().map(|(path, value)| (format!("{name}.{path}"), value)));
            }
            value => found.push((name.clone(), value.clone())),
        }
    }
    found
}

/// The ids of the sentences that can be said.
pub fn sentence_ids() -> impl Iterator<Item = &'static str> {
    schedule::rows().map(|row| row.id)
}

/// Whether a sentence with this id can be said.
pub fn known_sentence(id: &str) -> bool {
    sentence_ids().any(|known| known == id)
}

fn section_names(section: &'static str) -> impl Iterator<Item = &'static str> {
    let names = KEYS.iter().filter_map(move |k| k.path.strip_prefix(section)?.strip_prefix('.')?.split('.').next());
    names.filter(|n| *n != "*")
}

/// Whether a key lies under a path.
fn starts(pattern: &str, path: &[&str]) -> bool {
    let mut pattern = pattern.split('.');
    path.iter().all(|p| pattern.next().is_some_and(|q| q == "*" || q == *p)) && pattern.next().is_some()
}

/// What to say of a path that is no key: the nearest one.
pub fn unknown(path: &[&str]) -> String {
    let (Some(last), parents) = (path.last(), &path[..path.len().saturating_sub(1)]) else {
        return "no such key".into();
    };
    // The same level first, then the same name elsewhere, then anything near.
    let siblings = KEYS.iter().filter_map(|k| {
        let parts: Vec<&str> = k.path.split('.').collect();
        let level = parts.get(..parents.len())?;
        let same = level.iter().zip(parents).all(|(a, b)| *a == "*" || a == b);
        same.then(|| parts.get(parents.len()).copied()).flatten().filter(|n| *n != "*")
    });
    if let Some(near) = suggestion(last, siblings) {
        let same = KEYS.iter().find(|k| k.name() == *last).filter(|_| distance(last, near) > 1);
        let full: Vec<&str> = parents.iter().copied().chain([near]).collect();
        return format!("no such key: did you mean {}?", same.map_or(full.join("."), |k| k.path.into()));
    }
    let same = KEYS.iter().find(|k| k.name() == *last).map(|k| k.path);
    let whole = path.join(".");
    match same.or_else(|| suggestion(&whole, KEYS.iter().map(|k| k.path))) {
        Some(near) => format!("no such key: did you mean {near}?"),
        None => "no such key; `nmeasimx profile init` shows all".into(),
    }
}

/// The nearest of some names, if it is near: at most a third of its letters differ.
pub fn suggestion<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let given = given.to_lowercase();
    let nearest = names.map(|n| (distance(&given, &n.to_lowercase()), n)).min_by_key(|(d, _)| *d);
    nearest.filter(|(d, n)| *d <= (n.chars().count().max(given.chars().count()) / 3).max(1)).map(|(_, n)| n)
}

/// Edit distance with transpositions of neighbours (restricted Damerau-Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let swap = if swapped { rows[i - 2][j - 2] + 1 } else { usize::MAX };
                (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(change).min(swap)
            };
        }
    }
    rows[a.len()][b.len()]
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|b| **b == b'\n').count() + 1
}

fn one_line(message: &str) -> String {
    message.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("; ")
}

/// A value without its layout.
fn plain(value: &toml_edit::Value) -> Option<Value> {
    Some(match value {
        toml_edit::Value::String(s) => Value::String(s.value().clone()),
        toml_edit::Value::Integer(i) => Value::Integer(*i.value()),
        toml_edit::Value::Float(x) => Value::Float(*x.value()),
        toml_edit::Value::Boolean(b) => Value::Boolean(*b.value()),
        toml_edit::Value::Datetime(d) => Value::Datetime(*d.value()),
        toml_edit::Value::Array(a) => Value::Array(a.iter().map(plain).collect::<Option<_>>()?),
        toml_edit::Value::InlineTable(t) => {
            Value::Table(t.iter().map(|(k, v)| Some((k.to_string(), plain(v)?))).collect::<Option<_>>()?)
        }
    })
}

/// Whether a key holds free tables of changes.
pub fn holds_changes(key: &Key) -> bool {
    key.kind == Kind::Changes
}

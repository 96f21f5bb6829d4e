//! A profile as a tree of values: defaults filled in, read and changed by dotted path.
//!
//! Lists are addressed by number (`engine.0.rpm`) or by what an element is called (`engine.port.rpm`,
//! `target.200000011.speed`, `fault.no_fix.enabled`). Must not know what values are used for.

use std::sync::LazyLock;

use toml::{Table, Value};

use super::key::Key;
use super::keys::{FAULTS, KEYS, SECTIONS};

/// Everything at its default: one engine, no other list elements.
pub fn defaults() -> &'static Table {
    static DEFAULTS: LazyLock<Table> = LazyLock::new(|| {
        let mut table = Table::new();
        table.insert("engine".into(), Value::Array(vec![Value::Table(Table::new())]));
        complete(table)
    });
    &DEFAULTS
}

/// The sections that are lists.
pub fn lists() -> impl Iterator<Item = &'static str> {
    SECTIONS.iter().filter(|s| s.1).map(|s| s.0)
}

/// Fills in the default of every key that is absent.
pub fn complete(mut table: Table) -> Table {
    if !table.contains_key("engine") {
        table.insert("engine".into(), Value::Array(vec![Value::Table(Table::new())]));
    }
    for (section, list, _) in SECTIONS {
        let parts: Vec<&str> = section.split('.').collect();
        if parts.contains(&"*") {
            continue;
        }
        let empty = if *list { Value::Array(Vec::new()) } else { Value::Table(Table::new()) };
        if let Some((last, parents)) = parts.split_last()
            && let Some(parent) = descend(&mut table, parents)
        {
            parent.entry(*last).or_insert(empty);
        }
    }
    for (key, default) in default_values() {
        let parts: Vec<&str> = key.path.split('.').collect();
        fill(&mut table, &parts, default);
    }
    table
}

/// The keys with a default, and that default.
fn default_values() -> &'static [(&'static Key, Value)] {
    static VALUES: LazyLock<Vec<(&'static Key, Value)>> = LazyLock::new(|| {
        let with_default = KEYS.iter().filter(|k| !k.default.is_empty());
        with_default
            .filter_map(|k| {
                let mut table = toml::from_str::<Table>(&format!("v = {}", k.default)).ok()?;
                Some((k, table.remove("v")?))
            })
            .collect()
    });
    &VALUES
}

/// The table at a path without lists, made where it is missing.
fn descend<'t>(table: &'t mut Table, path: &[&str]) -> Option<&'t mut Table> {
    let mut here = table;
    for part in path {
        here = here.entry(*part).or_insert_with(|| Value::Table(Table::new())).as_table_mut()?;
    }
    Some(here)
}

fn fill(table: &mut Table, path: &[&str], default: &Value) {
    match path {
        [last] => {
            table.entry(*last).or_insert_with(|| default.clone());
        }
        [list, "*", rest @ ..] => {
            if let Some(Value::Array(elements)) = table.get_mut(*list) {
                elements.iter_mut().filter_map(Value::as_table_mut).for_each(|e| fill(e, rest, default));
            }
        }
        [section, rest @ ..] => {
            if let Some(Value::Table(t)) = table.get_mut(*section) {
                fill(t, rest, default);
            }
        }
        [] => {}
    }
}

/// The key that a dotted path of concrete names means.
pub fn key_of(path: &[&str]) -> Option<&'static Key> {
    // A literal name comes before a `*`: `sentences.custom` is no sentence.
    let fitting = KEYS.iter().filter(|k| k.fits(path));
    fitting.min_by_key(|k| k.path.split('.').filter(|p| *p == "*").count())
}

/// A path with its list elements as numbers, as they stand in the tree. `None` as a number: an element to be added.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The key.
    pub key: &'static Key,
    /// Concrete names.
    pub parts: Vec<String>,
    /// An element of this list has to be added first, with these keys.
    pub adds: Option<(String, Table)>,
}

impl Place {
    /// Dotted.
    pub fn path(&self) -> String {
        self.parts.join(".")
    }
}

/// Finds what a dotted path means in a tree.
///
/// # Errors
/// One line: what is unknown, and the nearest name.
pub fn place(tree: &Table, path: &str) -> Result<Place, String> {
    let given: Vec<&str> = path.split('.').collect();
    let mut parts: Vec<String> = Vec::new();
    let mut adds = None;
    let mut here = Some(tree);
    let mut i = 0;
    while let Some(name) = given.get(i) {
        parts.push((*name).into());
        let section = parts.join(".");
        let is_list = lists().any(|l| l == section);
        let next = here.and_then(|t| t.get(*name));
        i += 1;
        if !is_list {
            here = next.and_then(Value::as_table);
            continue;
        }
        let Some(which) = given.get(i) else { break };
        i += 1;
        let elements = next.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        match find(elements, which) {
            Some(n) => {
                parts.push(n.to_string());
                here = elements.get(n).and_then(Value::as_table);
            }
            None => {
                let mut new = Table::new();
                if section == "fault" && FAULTS.contains(which) {
                    new.insert("kind".into(), Value::String((*which).into()));
                } else if section == "target" && which.len() == 9 && which.bytes().all(|b| b.is_ascii_digit()) {
                    new.insert("mmsi".into(), Value::Integer(which.parse().unwrap_or_default()));
                } else if which.parse() != Ok(elements.len()) {
                    return Err(no_element(&section, elements, which));
                }
                adds = Some((section.clone(), new));
                parts.push(elements.len().to_string());
                here = None;
            }
        }
    }
    let names: Vec<&str> = parts.iter().map(String::as_str).collect();
    match key_of(&names) {
        Some(key) => Ok(Place { key, parts, adds }),
        None => Err(super::check::unknown(&given)),
    }
}

/// Splits a path into the list it leads through and the name of the element: `fault.0.rate` is `fault` and `0`.
pub fn element(path: &str) -> Option<(&'static str, &str)> {
    lists().find_map(|list| {
        let (which, _) = path.strip_prefix(list)?.strip_prefix('.')?.split_once('.')?;
        Some((list, which))
    })
}

/// The element that a path names as a whole, by number or by what it is called: `target.0` is the first of `target`.
pub fn whole_element(tree: &Table, path: &str) -> Option<(&'static str, usize)> {
    lists().find_map(|list| {
        let which = path.strip_prefix(list)?.strip_prefix('.')?;
        Some((list, find(elements(tree, list), which)?))
    })
}

/// Whether a path names an element of a list as a whole, whether it is there or not.
pub fn is_element(path: &str) -> bool {
    let which = |list: &str| path.strip_prefix(list)?.strip_prefix('.').filter(|w| !w.is_empty() && !w.contains('.'));
    lists().any(|list| which(list).is_some())
}

/// The elements of a list.
pub fn elements<'t>(tree: &'t Table, list: &str) -> &'t [Value] {
    let parts: Vec<String> = list.split('.').map(Into::into).collect();
    get(tree, &parts).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// What tells an element of a list from the others, whatever its number.
fn identity(element: &Value) -> Option<(&'static str, &Value)> {
    ["mmsi", "kind", "body", "name"].into_iter().find_map(|k| Some((k, element.get(k)?)))
}

/// Which element of another version of a list is the n-th of this one: the one that is called the same; else the one with
/// the same number, if that has gone from here, so that this is it under another name.
pub fn counterpart(own: &[Value], n: usize, other: &[Value]) -> Option<usize> {
    let Some(called) = identity(own.get(n)?) else {
        // Without a name it can only be one without a name.
        return other.get(n).filter(|e| identity(e).is_none()).map(|_| n);
    };
    let same = |e: &&Value| identity(e) == Some(called);
    let nth = own.iter().take(n).filter(same).count();
    let found = other.iter().enumerate().filter(|(_, e)| same(e)).nth(nth).map(|(i, _)| i);
    found.or_else(|| {
        // A number is no other name, nor the other way round.
        let there = identity(other.get(n)?).filter(|there| there.0 == called.0)?;
        (!own.iter().any(|e| identity(e) == Some(there))).then_some(n)
    })
}

/// A place of this tree as it is numbered in another; `None`: the list element that it leads through is not there.
pub fn parts_in(own: &Table, parts: &[String], other: &Table) -> Option<Vec<String>> {
    let mut there = parts.to_vec();
    for list in lists() {
        let long = list.split('.').count();
        if parts.len() > long && parts[..long].join(".") == list {
            let n = parts[long].parse().ok()?;
            there[long] = counterpart(elements(own, list), n, elements(other, list))?.to_string();
        }
    }
    Some(there)
}

/// Takes an element out of a list; whether it was there.
pub fn remove_element(tree: &mut Table, list: &str, n: usize) -> bool {
    let parts: Vec<&str> = list.split('.').collect();
    let Some((last, parents)) = parts.split_last() else { return false };
    match descend(tree, parents).and_then(|t| t.get_mut(*last)) {
        Some(Value::Array(elements)) if n < elements.len() => {
            elements.remove(n);
            true
        }
        _ => false,
    }
}

fn find(elements: &[Value], which: &str) -> Option<usize> {
    let called = |e: &Value| {
        ["label", "name", "position", "mmsi", "kind", "type"].iter().any(|k| match e.get(*k) {
            Some(Value::String(s)) => s.eq_ignore_ascii_case(which),
            Some(Value::Integer(i)) => i.to_string() == which,
            _ => false,
        })
    };
    let by_number = which.parse::<usize>().ok().filter(|n| *n < elements.len());
    by_number.or_else(|| elements.iter().position(called))
}

fn no_element(section: &str, elements: &[Value], which: &str) -> String {
    let hint = match (section, elements.len()) {
        ("fault", _) => super::check::suggestion(which, FAULTS.iter().copied())
            .map_or_else(|| format!("faults are {}", FAULTS.join(", ")), |near| format!("did you mean fault.{near}?")),
        (_, 0) => format!("there is none yet; {section}.0 adds the first"),
        (_, n) => format!("there are 0 to {}; {section}.{n} adds one", n - 1),
    };
    format!("{section} has no {which:?}: {hint}")
}

/// The value at a place.
pub fn get<'t>(tree: &'t Table, parts: &[String]) -> Option<&'t Value> {
    let (first, rest) = parts.split_first()?;
    rest.iter().try_fold(tree.get(first)?, |value, part| match value {
        Value::Table(t) => t.get(part),
        Value::Array(a) => a.get(part.parse::<usize>().ok()?),
        _ => None,
    })
}

/// Puts a value at a place, or takes it away.
pub fn put(tree: &mut Table, place: &Place, value: Option<Value>) {
    if let Some((list, element)) = &place.adds {
        let path: Vec<&str> = list.split('.').collect();
        if let Some((last, parents)) = path.split_last()
            && let Some(Value::Array(elements)) = descend(tree, parents).and_then(|t| t.get_mut(*last))
        {
            elements.push(Value::Table(element.clone()));
        }
        *tree = complete(std::mem::take(tree));
    }
    let Some((last, parents)) = place.parts.split_last() else { return };
    let mut here = Some(&mut *tree);
    let mut i = 0;
    while let Some(name) = parents.get(i) {
        i += 1;
        let Some(table) = here else { return };
        let next = table.entry(name.clone()).or_insert_with(|| Value::Table(Table::new()));
        here = match next {
            Value::Table(t) => Some(t),
            Value::Array(a) => {
                let element = parents.get(i).and_then(|n| n.parse::<usize>().ok());
                i += 1;
                element.and_then(|n| a.get_mut(n)).and_then(Value::as_table_mut)
            }
            _ => None,
        };
    }
    let Some(table) = here else { return };
    match value {
        Some(value) => {
            table.insert(last.clone(), value);
        }
        None => {
            table.remove(last);
            // The table of a sentence that says nothing more is as good as none.
            if let ([sentences, id], true) = (parents, table.is_empty())
                && let Some(Value::Table(all)) = tree.get_mut(sentences)
            {
                all.remove(id);
            }
        }
    }
}

/// Every key that has a value, or could have one, with its concrete path: in the order of the list of keys, lists element
/// by element.
pub fn leaves(tree: &Table) -> Vec<(Vec<String>, &'static Key, Option<&Value>)> {
    let mut found = Vec::new();
    for key in KEYS {
        let parts: Vec<&str> = key.path.split('.').collect();
        collect(tree, key, &parts, &mut Vec::new(), &mut found);
    }
    found
}

fn collect<'t>(
    table: &'t Table,
    key: &'static Key,
    rest: &[&str],
    path: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, &'static Key, Option<&'t Value>)>,
) {
    match rest {
        [] => {}
        [last] => {
            path.push((*last).into());
            found.push((path.clone(), key, table.get(*last)));
            path.pop();
        }
        ["*", rest @ ..] => {
            for (name, value) in table.iter().filter(|(_, v)| v.is_table()) {
                if let Value::Table(t) = value {
                    path.push(name.clone());
                    collect(t, key, rest, path, found);
                    path.pop();
                }
            }
        }
        [name, after @ ..] => {
            path.push((*name).into());
            match (table.get(*name), after) {
                (Some(Value::Table(t)), _) => collect(t, key, after, path, found),
                (Some(Value::Array(elements)), ["*", after @ ..]) => {
                    for (i, element) in elements.iter().enumerate() {
                        if let Value::Table(t) = element {
                            path.push(i.to_string());
                            collect(t, key, after, path, found);
                            path.pop();
                        }
                    }
                }
                _ => {}
            }
            path.pop();
        }
    }
}

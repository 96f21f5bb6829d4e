//! Saves a profile into the text of its file: comments, order and layout stay, only what differs changes.
//!
//! Gives text; writes no file.

use toml::{Table, Value};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, TableLike};

use super::{Profile, ProfileError, tree};

impl Profile {
    /// The text of a file changed so that it reads as this profile. An empty text becomes a new file.
    ///
    /// # Errors
    /// When the text is no valid profile (it may have been changed meanwhile).
    pub fn save_into(&self, text: &str, file: &str) -> Result<String, ProfileError> {
        let text = if text.trim().is_empty() { "schema_version = 1\n" } else { text };
        let before = Profile::parse(text, file)?;
        let refuse = |message: String| ProfileError {
            file: file.into(),
            problems: vec![super::Problem { line: 0, key: String::new(), message }],
        };
        let mut document: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| refuse(e.message().into()))?;
        difference(document.as_table_mut(), before.tree(), self.tree(), true);
        Ok(document.to_string())
    }
}

/// Changes in a table of the file what differs between the two trees.
fn difference(file: &mut dyn TableLike, old: &Table, new: &Table, may_have_sections: bool) {
    for name in old.keys().filter(|k| !new.contains_key(*k)) {
        file.remove(name);
    }
    for (name, value) in new {
        let before = old.get(name);
        if before == Some(value) {
            continue;
        }
        match value {
            Value::Table(table) => {
                let empty = Table::new();
                let before = before.and_then(Value::as_table).unwrap_or(&empty);
                if file.get(name).and_then(Item::as_table_like).is_none() {
                    // Its heading stands only where something stands under it.
                    let mut section = toml_edit::Table::new();
                    section.set_implicit(true);
                    let item =
                        if may_have_sections { Item::Table(section) } else { Item::Value(InlineTable::new().into()) };
                    file.insert(name, item);
                }
                let is_section = file.get(name).is_some_and(Item::is_table);
                if let Some(inner) = file.get_mut(name).and_then(Item::as_table_like_mut) {
                    difference(inner, before, table, is_section);
                }
            }
            Value::Array(elements) if is_list_of_tables(elements, before) => {
                let before = before.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                list(file, name, before, elements);
            }
            value => put(file, name, edited(value)),
        }
    }
}

fn is_list_of_tables(elements: &[Value], before: Option<&Value>) -> bool {
    let of_tables = |a: &[Value]| a.first().is_some_and(Value::is_table);
    of_tables(elements) || before.and_then(Value::as_array).is_some_and(|a| of_tables(a))
}

/// Replaces a value and keeps the comment behind it.
fn put(file: &mut dyn TableLike, name: &str, mut value: toml_edit::Value) {
    match file.get_mut(name) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        _ => {
            file.insert(name, Item::Value(value));
        }
    }
}

fn list(file: &mut dyn TableLike, name: &str, old: &[Value], new: &[Value]) {
    // The list may stand in the file as tables, as inline tables, or not at all (then old are the defaults).
    let known = match file.get(name) {
        Some(Item::ArrayOfTables(tables)) => tables.len(),
        Some(Item::Value(toml_edit::Value::Array(array))) => array.len(),
        _ => 0,
    };
    if known == 0 && !new.is_empty() {
        let mut tables = ArrayOfTables::new();
        for element in new.iter().filter_map(Value::as_table) {
            let mut table = toml_edit::Table::new();
            difference(&mut table, &Table::new(), element, true);
            tables.push(table);
        }
        file.insert(name, Item::ArrayOfTables(tables));
        return;
    }
    if new.is_empty() {
        if tree::defaults().get(name).and_then(Value::as_array).is_some_and(|usual| !usual.is_empty()) {
            file.insert(name, Item::Value(Array::new().into()));
        } else {
            file.remove(name);
        }
        return;
    }
    // What went out of the middle goes out there, so that its neighbours keep their comments.
    let kept: Vec<usize> = (0..new.len()).filter_map(|i| tree::counterpart(new, i, old)).collect();
    let mut old = old.to_vec();
    if kept.is_sorted_by(|a, b| a < b) {
        for i in (0..old.len().min(known)).rev().filter(|i| !kept.contains(i)) {
            old.remove(i);
            match file.get_mut(name) {
                Some(Item::ArrayOfTables(tables)) => drop(tables.remove(i)),
                Some(Item::Value(toml_edit::Value::Array(array))) => drop(array.remove(i)),
                _ => {}
            }
        }
    }
    let empty = Table::new();
    for (i, element) in new.iter().enumerate() {
        let Value::Table(element) = element else { continue };
        let before = old.get(i).and_then(Value::as_table).unwrap_or(&empty);
        match file.get_mut(name) {
            Some(Item::ArrayOfTables(tables)) => {
                if i >= tables.len() {
                    tables.push(toml_edit::Table::new());
                }
                if let Some(table) = tables.get_mut(i) {
                    difference(table, before, element, true);
                }
            }
            Some(Item::Value(toml_edit::Value::Array(array))) => {
                if i >= array.len() {
                    array.push(InlineTable::new());
                }
                if let Some(table) = array.get_mut(i).and_then(|v| v.as_inline_table_mut()) {
                    difference(table, before, element, false);
                }
            }
            _ => {}
        }
    }
    match file.get_mut(name) {
        Some(Item::ArrayOfTables(tables)) => (new.len()..tables.len()).rev().for_each(|i| {
            tables.remove(i);
        }),
        Some(Item::Value(toml_edit::Value::Array(array))) => (new.len()..array.len()).rev().for_each(|i| {
            array.remove(i);
        }),
        _ => {}
    }
}

fn edited(value: &Value) -> toml_edit::Value {
    match value {
        Value::String(s) => s.as_str().into(),
        Value::Integer(i) => (*i).into(),
        Value::Float(x) => super::key::number_text(*x)
            .parse::<toml_edit::Value>()
            .ok()
            .filter(toml_edit::Value::is_float)
            .unwrap_or_else(|| (*x).into()),
        Value::Boolean(b) => (*b).into(),
        Value::Datetime(d) => (*d).into(),
        Value::Array(list) => list.iter().map(edited).collect::<Array>().into(),
        Value::Table(table) => {
            let mut inline = InlineTable::new();
            for (name, value) in table {
                inline.insert(name, edited(value));
            }
            inline.into()
        }
    }
}

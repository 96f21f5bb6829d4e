//! A line taken apart, as text: what it is, checksum, fields with meaning and unit, damage, TAG blocks, clocks, AIS, hex.
//!
//! Reads the JSON of `core::nmea::inspect`, whose parts may be absent; decides nothing about the line.

use serde_json::Value;

use super::pen::{Bit, bit};
use crate::core::visible;
use crate::ui::format;
use crate::ui::theme::Role;

/// What a value says as text; visible even if the session at the other end was not careful.
fn text(value: Option<&Value>) -> String {
    let text = match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(s)) => s.clone(),
        Some(Value::Array(all)) => all.iter().map(|v| text(Some(v))).collect::<Vec<_>>().join(", "),
        Some(Value::Object(map)) => {
            map.iter().map(|(k, v)| format!("{k} {}", text(Some(v)))).collect::<Vec<_>>().join("  ")
        }
        Some(other) => other.to_string(),
    };
    visible::text(text.as_bytes())
}

/// Lines under construction, for a width.
struct Lines {
    cols: usize,
    name: usize,
    more: &'static str,
    out: Vec<Vec<Bit>>,
}

impl Lines {
    fn heading(&mut self, words: &str) {
        self.out.push(vec![bit(words, Role::Title)]);
    }

    /// A row of sixteen bytes; halved where it does not fit.
    fn hex(&mut self, row: &str) {
        let parts = if row.chars().count() > self.cols { halves(row) } else { vec![row.to_owned()] };
        self.out.extend(parts.into_iter().map(|part| vec![bit(part, Role::Dim)]));
    }

    /// A name and what belongs to it, broken at blanks.
    fn pair(&mut self, name: &str, value: &str, role: Role) {
        let room = self.cols.saturating_sub(self.name + 1).max(10);
        for (i, part) in broken(value, room).into_iter().enumerate() {
            let name = format::cut(if i == 0 { name } else { "" }, self.name, self.more);
            let wide = self.name;
            self.out.push(vec![bit(format!("{name:<wide$} "), Role::Label), bit(part, role)]);
        }
    }
}

/// Breaks a text at blanks, and where there are none.
pub fn broken(line: &str, cols: usize) -> Vec<String> {
    let cols = cols.max(4);
    let mut out: Vec<String> = Vec::new();
    let mut now = String::new();
    for word in line.split_inclusive(' ') {
        if !now.is_empty() && now.chars().count() + word.trim_end().chars().count() > cols {
            out.push(std::mem::take(&mut now));
        }
        for c in word.chars() {
            if now.chars().count() >= cols && c != ' ' {
                out.push(std::mem::take(&mut now));
            }
            now.push(c);
        }
    }
    out.push(now);
    out.iter().map(|l| l.trim_end().to_owned()).collect()
}

/// The lines of an inspection.
pub fn lines(value: &Value, cols: usize, more: &'static str) -> Vec<Vec<Bit>> {
    let mut l = Lines { cols, name: if cols >= 60 { 22 } else { cols / 3 }, more, out: Vec::new() };
    let Some(map) = value.as_object() else {
        l.pair("", &text(Some(value)), Role::Normal);
        return l.out;
    };
    let get = |key: &str| text(map.get(key));
    let list = |key: &str| map.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let what = match (get("title"), get("talker"), get("formatter")) {
        (title, talker, formatter) if title.is_empty() => format!("{talker}{formatter}"),
        (title, talker, formatter) => format!("{talker}{formatter}  {title}"),
    };
    let class = get("class");
    l.pair("what", format!("{what}  {class}").trim(), if get("why").is_empty() { Role::Strong } else { Role::Bad });
    for (key, name, role) in [
        ("why", "why skipped", Role::Bad),
        ("before", "in front", Role::Dim),
        ("text", "text", Role::Normal),
        ("behind", "behind", Role::Dim),
    ] {
        let said = get(key);
        if !said.is_empty() {
            l.pair(name, &said, role);
        }
    }
    if let Some(sum) = map.get("checksum").and_then(Value::as_object) {
        let given = text(sum.get("given"));
        let given = if given.is_empty() { "none".into() } else { given };
        let ok = sum.get("ok").and_then(Value::as_bool).unwrap_or(false);
        let bits = sum.get("bits").and_then(Value::as_u64).filter(|b| !ok && *b > 0 && given != "none");
        let mut words = format!("given {given}, computed {}", text(sum.get("computed")));
        words.push_str(if ok {
            "  ok"
        } else if given == "none" {
            ""
        } else {
            "  BAD"
        });
        if let Some(bits) = bits {
            words.push_str(&format!(", {bits} of 8 bits differ"));
        }
        l.pair("checksum", &words, if ok { Role::Good } else { Role::Bad });
    }
    for d in list("damaged") {
        let at = d.get("at").and_then(Value::as_array);
        let byte = |i: usize| at.and_then(|a| a.get(i)).and_then(Value::as_u64).unwrap_or(0);
        let place = if byte(1) > byte(0) + 1 {
            format!("bytes {}-{}", byte(0), byte(1) - 1)
        } else {
            format!("byte {}", byte(0))
        };
        l.pair("damaged", &format!("{place}: {}", text(d.get("why"))), Role::Bad);
    }
    if !list("fields").is_empty() {
        l.heading("Fields");
    }
    for f in list("fields") {
        field(&mut l, f);
    }
    for (key, words) in [("extra_fields", "fields more than known"), ("missing_fields", "fields missing at the end")] {
        if let Some(n) = map.get(key).and_then(Value::as_u64).filter(|n| *n > 0) {
            l.pair("", &format!("{n} {words}"), Role::Warn);
        }
    }
    parts(&mut l, list("parts"));
    section(&mut l, "AIS message", list("ais"));
    section(&mut l, "TAG block", list("tag"));
    section(&mut l, "Times", list("times"));
    if !list("hex").is_empty() {
        l.heading(&format!("Bytes  {}", get("bytes")));
        list("hex").iter().for_each(|row| l.hex(&text(Some(row))));
    }
    l.out
}

/// `0000  24 48 … 2c 34  35 … 45  $HEHDT` as two rows of eight.
fn halves(row: &str) -> Vec<String> {
    let at = |from: usize, to: usize| row.chars().skip(from).take(to - from).collect::<String>().trim_end().to_owned();
    let (first, second) = (at(0, 29), at(31, 54));
    if second.is_empty() { vec![first] } else { vec![first, format!("      {second}")] }
}

fn field(l: &mut Lines, f: &Value) {
    let get = |key: &str| text(f.get(key));
    let (name, what, raw, unit, fault) = (get("name"), get("what"), get("raw"), get("unit"), get("fault"));
    let value = f.get("value").filter(|v| !v.is_null()).map(|v| text(Some(v)));
    let (said, role) = match (&value, fault.is_empty()) {
        // what stands there tells a person more than that it could not be read
        (_, false) => (format!("{raw} ({fault})"), Role::Bad),
        (Some(value), _) => (format!("{value} {unit}").trim_end().to_owned(), Role::Strong),
        (None, _) => (format::UNKNOWN.into(), Role::Stale),
    };
    let name = if name.is_empty() { "-".into() } else { name };
    if l.cols >= 68 {
        // name, value, meaning, and what stands there where it says more
        let wide = l.name;
        let name = format::cut(&name, wide - 2, l.more);
        let mut line =
            vec![bit(format!("  {name:<w$} ", w = wide - 2), Role::Label), bit(format!("{said:<18} "), role)];
        let differs = fault.is_empty() && value.as_deref() != Some(raw.as_str()) && !raw.is_empty() && raw != ",";
        let meaning = if differs { format!("{what}   raw {raw}") } else { what };
        line.push(bit(meaning, Role::Dim));
        l.out.push(line);
    } else {
        l.pair(&format!(" {name}"), &said, role);
        l.pair("", &what, Role::Dim);
    }
}

/// The sentences of a message that takes several: where each stands, what it says, its bytes.
fn parts(l: &mut Lines, rows: &[Value]) {
    if rows.is_empty() {
        return;
    }
    l.heading(&format!("Message of {} sentences", rows.len()));
    for row in rows {
        let number = text(row.get("number"));
        let name = match row.get("line").and_then(Value::as_u64) {
            Some(line) => format!("  {number}  line {}", format::thousands(line)),
            None => format!("  {number}"),
        };
        let said = text(row.get("text"));
        if said.is_empty() {
            l.pair(&name, "not heard within 5 s: the message stays incomplete", Role::Warn);
            continue;
        }
        if row.get("here").and_then(Value::as_bool) == Some(true) {
            l.pair(&name, "this line", Role::Strong);
            continue;
        }
        l.pair(&name, &said, Role::Normal);
        for hex in row.get("hex").and_then(Value::as_array).into_iter().flatten() {
            l.hex(&text(Some(hex)));
        }
    }
}

/// Rows of any shape: the first member names it.
fn section(l: &mut Lines, heading: &str, rows: &[Value]) {
    if rows.is_empty() {
        return;
    }
    l.heading(heading);
    for row in rows {
        let get = |keys: &[&str]| keys.iter().map(|k| text(row.get(k))).find(|t| !t.is_empty()).unwrap_or_default();
        let name = get(&["name", "code", "whose"]);
        let value = get(&["value", "time", "text"]);
        let (unit, what) = (get(&["unit"]), get(&["what", "meaning"]));
        let mut said = if value.is_empty() { format::UNKNOWN.to_owned() } else { value };
        if !unit.is_empty() {
            said = format!("{said} {unit}");
        }
        if !what.is_empty() {
            said = format!("{said}   {what}");
        }
        l.pair(&format!("  {name}"), &said, Role::Normal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Value, cols: usize) -> String {
        let line = |l: &Vec<Bit>| l.iter().map(|(t, _)| t.as_str()).collect::<String>();
        lines(value, cols, ">").iter().map(|l| line(l).trim_end().to_owned() + "\n").collect()
    }

    #[test]
    fn an_inspection_of_the_core_is_shown_with_names_units_and_sums() {
        use crate::core::log::line::Dialect;
        let of = |bytes: &[u8]| {
            let i = crate::core::nmea::inspect::line(bytes, 0, Dialect::default(), None);
            serde_json::to_value(i).unwrap()
        };
        // 45 H E H D T , 4 5 . 0 , T: the checksum 1E is that of the page's own example
        let good = shown(&of(b"$HEHDT,45.0,T*1E"), 96);
        for words in ["HEHDT", "given 1E, computed 1E  ok", "heading_true_deg", "45.0 deg", "24 48 45 48"] {
            assert!(good.contains(words), "{words}:\n{good}");
        }
        let bad = shown(&of(b"$HEHDT,45.0,T*1F"), 34);
        assert!(bad.contains("1 of 8 bits") && bad.contains("BAD"), "{bad}");
        assert!(bad.lines().all(|l| l.chars().count() <= 34), "{bad}");
    }

    #[test]
    fn the_other_sentences_of_a_message_are_shown_with_their_lines_and_bytes() {
        let value = serde_json::json!({"parts": [
            {"number": 1, "of": 3, "here": true, "line": 2, "text": "!AIVDM,3,1,1,A,1,0*00", "hex": []},
            {"number": 2, "of": 3, "here": false, "line": 1234, "text": "!AIVDM,3,2,1,A,2,0*00", "hex": ["0000  21 41"]},
            {"number": 3, "of": 3, "here": false, "line": null, "text": "", "hex": []},
        ]});
        let text = shown(&value, 72);
        for words in [
            "Message of 3 sentences",
            "1  line 2 ",
            "this line",
            "2  line 1,234",
            "0000  21 41",
            "not heard within 5 s",
        ] {
            assert!(text.contains(words), "{words}:\n{text}");
        }
        assert!(shown(&value, 34).lines().all(|l| l.chars().count() <= 34));
    }

    #[test]
    fn anything_else_in_the_place_of_an_inspection_is_still_shown_as_text() {
        for value in ["null", "3", "\"\\u001b[2J\"", "[]", "{}", r#"{"fields":[1,null,{}],"hex":[{}],"damaged":["x"]}"#]
        {
            let value: Value = serde_json::from_str(value).unwrap();
            for cols in [4, 30, 80] {
                assert!(!shown(&value, cols).contains('\u{1b}'));
            }
        }
    }
}

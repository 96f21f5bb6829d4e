//! A folder of real logs with what is expected of each: runs when `NMEASIMX_CORPUS` names one with an `expected.json`, and
//! compares every field that file holds with what `check --json` says.

use std::fs::File;
use std::path::Path;

use nmeasimx::core::log::{Options, open_path, stream};
use serde_json::Value;

/// Every value of `expected` that `found` does not have, as `path: expected, found`.
fn differences(path: &str, expected: &Value, found: &Value, out: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(e), Value::Object(f)) => {
            for (key, value) in e {
                differences(&format!("{path}.{key}"), value, f.get(key).unwrap_or(&Value::Null), out);
            }
            // Counts by name must not hold anything beyond what is expected.
            if path.ends_with(".types") || path.ends_with(".header") {
                let more = f.keys().filter(|key| !e.contains_key(*key));
                out.extend(more.map(|key| format!("{path}.{key}: not expected, found {}", f[key])));
            }
        }
        (Value::Array(e), Value::Array(f)) if e.len() == f.len() => {
            for (i, (e, f)) in e.iter().zip(f).enumerate() {
                differences(&format!("{path}[{i}]"), e, f, out);
            }
        }
        (Value::Number(e), Value::Number(f)) if e.as_f64() == f.as_f64() => {}
        (e, f) if e == f => {}
        (e, f) => out.push(format!("{path}: expected {e}, found {f}")),
    }
}

/// What `check` reads of a file; and the same through a pipe.
fn check(path: &Path) -> Value {
    let read = open_path(path).unwrap();
    let summary = stream::read_file(&*read, Options::default(), &mut |_| Ok(()), &mut |_| {}).unwrap();
    let piped = stream::read(File::open(path).unwrap(), Options::default(), &mut |_| Ok(())).unwrap();
    assert_eq!(piped, summary, "{}", path.display());
    serde_json::to_value(summary.report).unwrap()
}

#[test]
fn every_file_of_the_corpus_gives_what_is_expected() {
    let Some(folder) = std::env::var_os("NMEASIMX_CORPUS") else {
        eprintln!("NMEASIMX_CORPUS names no folder: nothing compared");
        return;
    };
    let folder = Path::new(&folder);
    let text = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    assert!(!expected.is_empty());
    let mut wrong = Vec::new();
    for (name, expected) in &expected {
        differences(name, expected, &check(&folder.join(name)), &mut wrong);
    }
    assert!(wrong.is_empty(), "{} values differ:\n{}", wrong.len(), wrong.join("\n"));
}

//! Sentences with the values they mean, worked out by hand or by other programs (pynmea2, pyais, gpsd).
//!
//! Each line of the table: what came over the wire, and the fields, TAG block and AIS message it must decode to. Numbers
//! are compared within 1e-6 (1e-9 for positions given with nine digits), everything else exactly; a name that is not in
//! the table must not come out either.

use nmeasimx::core::frame::Class;
use nmeasimx::core::log::{Options, stream};
use nmeasimx::core::nmea::ndjson::{Decoder, Entry};
use serde_json::Value;

const TABLE: &str = include_str!("../data/decode_vectors.ndjson");

/// Decodes the lines as a log and gives the objects of all their sentences.
fn decode(lines: &[&str]) -> Vec<Value> {
    let text = lines.join("\r\n");
    let mut decoder = Decoder::new(false);
    let mut out = Vec::new();
    let read = stream::read(text.as_bytes(), Options::default(), &mut |line| {
        let tags: Vec<_> = line.tag_blocks().collect();
        for piece in line.pieces.iter().filter(|p| p.class == Class::Sentence) {
            let (sentence, class) = (piece.of(line.text), piece.class);
            decoder
                .write(&Entry { line: line.number, offset: None, time: None, sentence, class, tags: &tags }, &mut out);
        }
        Ok(())
    });
    assert!(read.is_ok(), "{lines:?}");
    let out = String::from_utf8(out).unwrap();
    out.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

/// Where `got` is not what the table wants; empty when it is.
fn difference(path: &str, want: &Value, got: &Value, out: &mut Vec<String>) {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            for (name, value) in want {
                difference(&format!("{path}.{name}"), value, got.get(name).unwrap_or(&Value::Null), out);
            }
            // The payload of a binary message comes along as it is.
            for name in got.keys().filter(|name| !want.contains_key(*name) && *name != "data_hex") {
                out.push(format!("{path}.{name}: not wanted"));
            }
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            for (i, (want, got)) in want.iter().zip(got).enumerate() {
                difference(&format!("{path}[{i}]"), want, got, out);
            }
        }
        (Value::Number(w), Value::Number(g)) => {
            let nine = w.to_string().split_once('.').is_some_and(|(_, digits)| digits.len() >= 8);
            let (w, g) = (w.as_f64().unwrap(), g.as_f64().unwrap());
            if (w - g).abs() > if nine { 1e-8 } else { 1e-6 } {
                out.push(format!("{path}: {g}, not {w}"));
            }
        }
        (want, got) if want != got => out.push(format!("{path}: {got}, not {want}")),
        _ => {}
    }
}

#[test]
fn every_sentence_means_what_the_table_says() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in TABLE.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let sentences: Vec<&str> = case["sentences"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
        let decoded = decode(&sentences);
        assert_eq!(decoded.len(), sentences.len(), "{sentences:?}");
        let last = decoded.last().unwrap();
        for key in ["talker", "formatter", "tag", "fields", "ais"] {
            if case.get(key).is_some() {
                let before = wrong.len();
                difference(key, &case[key], &last[key], &mut wrong);
                if wrong.len() > before {
                    wrong.push(format!("  in {sentences:?}"));
                }
            }
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, TABLE.lines().count());
    assert!(count > 100);
}

//! One sentence, one line of JSON: what `decode` prints.
//!
//! Keeps what sentences share: the parts of AIS messages, and the vessel when its state is asked for. Reads and writes
//! nothing itself.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::tag::{TagBlock, TagSum};
use super::{Heard, digits, framing, json, makers, table};
use crate::core::ais::{self, Assembler, Message, Outcome, Part};
use crate::core::frame::{Class, Origin};
use crate::core::log::stamp;
use crate::core::log::writer::Stamper;
use crate::core::time::{self, MILLISECOND, Moment, Offset, Utc};
use crate::core::vessel::Vessel;

/// A sentence and where it stood.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Line of the log, from 1.
    pub line: u64,
    /// Nanoseconds since the first sentence; `None` in a pipe.
    pub offset: Option<Offset>,
    /// The line's own time.
    pub time: Option<Utc>,
    /// From its delimiter to its end.
    pub sentence: &'a [u8],
    /// With a right checksum, or without one.
    pub class: Class,
    /// TAG blocks of its line.
    pub tags: &'a [TagBlock<'a>],
}

/// Turns sentences into JSON, one after the other.
#[derive(Default)]
pub struct Decoder {
    assembler: Assembler,
    stamper: Stamper,
    vessel: Option<Box<Vessel>>,
}

impl Decoder {
    /// `state`: each line shows the vessel after its sentence.
    pub fn new(state: bool) -> Decoder {
        Decoder { vessel: state.then(Box::default), ..Decoder::default() }
    }

    /// Appends the line of a sentence, with its LF.
    pub fn write(&mut self, entry: &Entry<'_>, out: &mut Vec<u8>) {
        let Some(parts) = framing::split(entry.sentence) else { return };
        out.extend_from_slice(b"{\"line\":");
        push_whole(out, i64::try_from(entry.line).unwrap_or(i64::MAX));
        if let Some(offset) = entry.offset {
            out.extend_from_slice(b",\"offset_ms\":");
            push_whole(out, offset / MILLISECOND);
        }
        out.extend_from_slice(b",\"time\":");
        match entry.time {
            Some(utc) => {
                out.push(b'"');
                self.stamper.stamp(out, utc);
                // In place of the blank.
                out.pop();
                out.push(b'"');
            }
            None => out.extend_from_slice(b"null"),
        }
        out.extend_from_slice(b",\"talker\":");
        json::push_string(out, parts.talker());
        out.extend_from_slice(b",\"formatter\":");
        json::push_string(out, parts.formatter());
        let sum: &[u8] = if entry.class == Class::Sentence { b"ok" } else { b"missing" };
        out.extend_from_slice(b",\"checksum\":");
        json::push_string(out, sum);
        if !entry.tags.is_empty() {
            out.extend_from_slice(b",\"tag\":");
            push_tag(entry.tags, &mut self.stamper, out);
        }
        out.extend_from_slice(b",\"fields\":");
        match json::fields(entry.sentence, out) {
            Some((_, refused)) => {
                for (i, name) in refused.iter().enumerate() {
                    out.extend_from_slice(if i == 0 { b",\"refused\":[" } else { b"," });
                    json::push_string(out, name.as_bytes());
                }
                if !refused.is_empty() {
                    out.push(b']');
                }
            }
            None => {
                out.extend_from_slice(b"null");
                if let Some(maker) = makers::maker(parts.address) {
                    out.extend_from_slice(b",\"maker\":");
                    json::push_string(out, maker.as_bytes());
                }
            }
        }
        let mut message = self.message(entry);
        if let Some((message, _)) = &mut message {
            out.extend_from_slice(b",\"ais\":");
            ais::push_json(message, out);
        }
        if let Some(vessel) = &mut self.vessel {
            let at = Moment { offset: entry.offset.unwrap_or(0), utc: entry.time };
            table::hear(entry.sentence, Heard { at, origin: Origin::Source }, vessel);
            if let Some((message, true)) = &message {
                ais::own::hear(message, at.offset, Origin::Source, vessel);
            }
            out.extend_from_slice(b",\"state\":");
            out.extend_from_slice(state(vessel).to_string().as_bytes());
        }
        out.extend_from_slice(b"}\n");
    }

    /// The AIS message that this sentence makes whole, and whether it is the own ship's.
    fn message(&mut self, entry: &Entry<'_>) -> Option<(Message, bool)> {
        let part = match table::formatter_of(entry.sentence) {
            Some(b"VDM" | b"VDO") => Part::parse(entry.sentence).ok()?,
            _ => return None,
        };
        let at = entry.offset.or(entry.time).unwrap_or(0);
        match self.assembler.hear(&part, at, Origin::Source) {
            Outcome::Complete(whole) => Some((Message::decode(&whole.bits).ok()?.message, whole.own)),
            _ => None,
        }
    }
}

fn push_whole(out: &mut Vec<u8>, n: i64) {
    if n < 0 {
        out.push(b'-');
    }
    digits::append_whole(out, n.unsigned_abs(), 1);
}

/// Appends the parameters of the TAG blocks of a line; of equal ones the first counts. `time` is what `c:` means.
fn push_tag(blocks: &[TagBlock<'_>], stamper: &mut Stamper, out: &mut Vec<u8>) {
    let mut all: Vec<(Cow<'_, str>, Cow<'_, str>)> = Vec::with_capacity(8);
    for (code, value) in blocks.iter().flat_map(TagBlock::fields) {
        let code = String::from_utf8_lossy(code);
        if !all.iter().any(|(known, _)| *known == code) {
            all.push((code, text(value)));
        }
    }
    let mut set = |name: &'static str, value: Cow<'static, str>| match all.iter_mut().find(|(known, _)| known == name) {
        Some((_, old)) => *old = value,
        None => all.push((name.into(), value)),
    };
    let utc =
        blocks.iter().flat_map(TagBlock::fields).filter(|(code, _)| *code == b"c").find_map(|(_, v)| stamp::unix(v));
    if let Some(utc) = utc {
        // Whole seconds are shown as such.
        let mut stamp = Vec::with_capacity(32);
        stamper.stamp(&mut stamp, utc);
        let stamp = String::from_utf8_lossy(stamp.trim_ascii_end());
        let whole = stamp.strip_suffix(".000Z").map(|second| format!("{second}Z"));
        set("time", whole.unwrap_or_else(|| stamp.into_owned()).into());
    }
    let sums = || blocks.iter().map(TagBlock::checksum);
    let sum = match () {
        () if sums().any(|s| s == TagSum::Wrong) => "bad",
        () if sums().any(|s| s == TagSum::Missing) => "missing",
        () => "ok",
    };
    set("checksum", sum.into());
    for (i, (name, value)) in all.iter().enumerate() {
        out.push(if i == 0 { b'{' } else { b',' });
        quote(name, out);
        out.push(b':');
        quote(value, out);
    }
    out.push(b'}');
}

/// Bytes as text: what is no UTF-8 is taken as Latin-1.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => {
            let chunks = bytes.utf8_chunks();
            chunks.flat_map(|c| c.valid().chars().chain(c.invalid().iter().map(|b| char::from(*b)))).collect()
        }
    }
}

fn quote(text: &str, out: &mut Vec<u8>) {
    if serde_json::to_writer(&mut *out, text).is_err() {
        // A vector takes everything.
        out.extend_from_slice(b"null");
    }
}

/// What is known of a vessel, bare values under the names of its fields; what is unknown is absent.
pub fn state(vessel: &Vessel) -> Value {
    let mut whole = serde_json::to_value(vessel).unwrap_or(Value::Null);
    if vessel.own.mmsi == 0
        && let Some(all) = whole.as_object_mut()
    {
        all.remove("own");
    }
    bare("", whole).unwrap_or_else(|| Value::Object(Map::new()))
}

fn bare(name: &str, value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::Array(list) => {
            let list: Vec<Value> = list.into_iter().filter_map(|v| bare(name, v)).collect();
            (!list.is_empty()).then_some(Value::Array(list))
        }
        // An empty place in the table of satellites.
        Value::Object(all) if all.get("prn").is_some_and(|prn| prn == 0) => None,
        Value::Object(mut all) if all.contains_key("value") && all.contains_key("origin") => {
            bare(name, all.remove("value").unwrap_or(Value::Null))
        }
        Value::Object(all) => {
            let all: Map<String, Value> =
                all.into_iter().filter_map(|(key, v)| bare(&key, v).map(|v| (key, v))).collect();
            (!all.is_empty()).then_some(Value::Object(all))
        }
        Value::Number(n) => Some(match (name, n.as_i64()) {
            ("utc", Some(utc)) => time::iso_ms(utc).into(),
            ("time_of_day", Some(ns)) => time::iso_ms(ns)[11..23].into(),
            ("mode" | "kind" | "unit", Some(letter)) => match u8::try_from(letter) {
                Ok(letter) if letter > 0 => char::from(letter).to_string().into(),
                _ => return None,
            },
            _ => Value::Number(n),
        }),
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(decoder: &mut Decoder, entry: Entry<'_>) -> String {
        let mut out = Vec::new();
        decoder.write(&entry, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn entry(sentence: &[u8]) -> Entry<'_> {
        Entry { line: 4, offset: Some(21_900_000), time: None, sentence, class: Class::Sentence, tags: &[] }
    }

    #[test]
    fn a_line_names_its_place_and_its_fields() {
        let mut decoder = Decoder::new(false);
        assert_eq!(
            decode(&mut decoder, entry(b"$HEHDT,045.0,T*2E")),
            "{\"line\":4,\"offset_ms\":21,\"time\":null,\"talker\":\"HE\",\"formatter\":\"HDT\",\"checksum\":\"ok\",\
             \"fields\":{\"heading_true_deg\":45.0}}\n"
        );
        let piped = Entry {
            offset: None,
            time: Some(1_790_080_496_780_000_000),
            class: Class::WithoutChecksum,
            ..entry(b"$PFEC,GPatt,,-1.3")
        };
        assert_eq!(
            decode(&mut decoder, piped),
            "{\"line\":4,\"time\":\"2026-09-22T12:34:56.780Z\",\"talker\":\"P\",\"formatter\":\"PFEC\",\
             \"checksum\":\"missing\",\"fields\":null,\"maker\":\"Furuno\"}\n"
        );
        assert!(
            decode(&mut decoder, entry(b"$HEHDT,361.0,T*2E"))
                .ends_with("\"fields\":{},\"refused\":[\"heading_true_deg\"]}\n")
        );
    }

    #[test]
    fn the_state_holds_bare_values_and_nothing_unknown() {
        let mut decoder = Decoder::new(true);
        decode(&mut decoder, entry(b"$GPGLL,3759.0280,N,02343.6500,E,123456.78,A,D*63"));
        let line = decode(&mut decoder, entry(b"$HEHDT,045.0,T*2E"));
        let value: Value = serde_json::from_str(&line).unwrap();
        let want = serde_json::json!({
            "time_of_day": "12:34:56.780",
            "position": {"latitude": 37.9838, "longitude": 23.7275},
            "gnss": {"mode": "D", "valid": true},
            "heading_true_deg": 45.0,
        });
        assert_eq!(value["state"], want);
    }
}

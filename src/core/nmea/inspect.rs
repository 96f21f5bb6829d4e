//! One line taken apart for a person: fields by name, unit and meaning, checksum given and computed, which bytes are
//! damaged, TAG blocks, the times beside it, why it is skipped, hex.
//!
//! Everything is text that can be shown as it is. Must not decide what a line counts as: that is `core::log`.

use serde::Serialize;

use super::joined::{Joined, PartRow};
use super::reader::Reader;
use super::tag::{TagBlock, TagSum};
use super::wire::{Field, Group, Slot, Wire};
use super::{digits, framing, makers, parse, table};
use crate::core::ais::{self, Bits, Message, Part};
use crate::core::frame::Class;
use crate::core::log::line::{Dialect, LineReader, StampClock};
use crate::core::log::sentence_time;
use crate::core::log::split::RawLine;
use crate::core::{time, visible};

/// Bytes of a line that are shown; the rest is counted.
pub const SHOWN: usize = 1024;

/// A line taken apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Inspection {
    /// What the line, or the piece of it that was asked for, is: `sentence`, `bad checksum`, `comment` …
    pub class: &'static str,
    /// Why it is skipped; empty for a sentence.
    pub why: String,
    /// The piece, made visible.
    pub text: String,
    /// What stands in front of it on the line, made visible.
    pub before: String,
    /// What stands behind it on the line, made visible.
    pub behind: String,
    /// Its talker.
    pub talker: String,
    /// Its formatter; the whole address of a proprietary sentence.
    pub formatter: String,
    /// What the sentence is called, or who its maker is; empty when neither is known.
    pub title: String,
    /// Given and computed; none for lines that hold no sentence.
    pub checksum: Option<Checksum>,
    /// The fields, in wire order.
    pub fields: Vec<Row>,
    /// Fields that the sentence has beyond those known.
    pub extra_fields: u8,
    /// Fields that it lacks.
    pub missing_fields: u8,
    /// Bytes that cannot be right.
    pub damaged: Vec<Damage>,
    /// The parameters of the TAG blocks.
    pub tag: Vec<TagRow>,
    /// Times beside or inside it, and whose clock showed them.
    pub times: Vec<Clock>,
    /// The AIS message it carries (or completes).
    pub ais: Vec<ais::Row>,
    /// The sentences of that message, where it takes several.
    pub parts: Vec<PartRow>,
    /// The line in hexadecimal, sixteen bytes a row, at most [`SHOWN`] bytes.
    pub hex: Vec<String>,
    /// Bytes of the line.
    pub bytes: usize,
}

/// A checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checksum {
    /// The digits that stand there; none without a checksum.
    pub given: Option<String>,
    /// What they should be.
    pub computed: String,
    /// They agree.
    pub ok: bool,
    /// How many bits they differ by; a single one is a bit turned over on the wire.
    pub bits: u32,
}

/// One field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Its name, as in JSON; empty for fields without a meaning.
    pub name: &'static str,
    /// What it means.
    pub what: &'static str,
    /// What stands there, made visible; several fields for a position or a measure.
    pub raw: String,
    /// What that says; `None` when the field is empty or refused.
    pub value: Option<String>,
    /// Its unit: `kn`, `deg`; empty for what has none.
    pub unit: &'static str,
    /// Why there is no value.
    pub fault: Option<&'static str>,
    /// First byte and the byte behind the last, in the line.
    pub at: (usize, usize),
}

/// Bytes that cannot be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// First byte and the byte behind the last, in the line.
    pub at: (usize, usize),
    /// Why.
    pub why: &'static str,
}

/// One parameter of a TAG block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TagRow {
    /// Its letter; `*` for the checksum.
    pub code: String,
    /// What that letter means.
    pub what: &'static str,
    /// Its value.
    pub value: String,
}

/// A time that a line shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Clock {
    /// Whose clock: `in front`, `TAG block s:…`, `behind the checksum`, `inside GPRMC`.
    pub whose: String,
    /// What it showed.
    pub time: String,
}

/// Takes a line apart. `part`: which of its pieces, from 0. `dialect`: how the log is read. `joined`: the AIS message
/// that the piece belongs to, where it takes several sentences.
pub fn line(bytes: &[u8], part: usize, dialect: Dialect, joined: Option<Joined>) -> Inspection {
    let mut reader = LineReader::new(dialect);
    let raw = RawLine { bytes, number: 1, at: 0, too_long: bytes.len() > 1 << 20, whole: true };
    let line = reader.read(raw);
    let mut all = Inspection {
        class: line.class.words(),
        hex: hex(&bytes[..bytes.len().min(SHOWN)]),
        bytes: bytes.len(),
        tag: tag_rows(&line.tag_blocks().collect::<Vec<_>>()),
        ..Inspection::default()
    };
    let Some(piece) = line.pieces.get(part).or(line.pieces.last()) else {
        all.text = shown(bytes);
        all.why = why(line.class, None);
        all.damaged = unprintable(bytes, 0);
        return all;
    };
    let sentence = piece.of(line.text);
    let (start, end) = (piece.start as usize, piece.end as usize);
    all.class = piece.class.words();
    all.text = shown(sentence);
    all.before = shown(line.text.get(..start).unwrap_or(&[]));
    all.behind = shown(line.text.get(end..).unwrap_or(&[]));
    all.damaged = unprintable(sentence, start + line.shift);
    if let Some(stamp) = line.stamp {
        let whose = match stamp.clock {
            StampClock::Prefix => "in front".to_owned(),
            StampClock::Tag(None) => "TAG block".to_owned(),
            StampClock::Tag(Some(source)) => format!("TAG block s:{}", visible::text(source)),
        };
        all.times.push(Clock { whose, time: time::iso_ms(stamp.utc) });
    }
    if let Some(utc) = line.suffix {
        all.times.push(Clock { whose: "behind the checksum".to_owned(), time: time::iso_ms(utc) });
    }
    if let Some(ns) = line.of_day {
        all.times.push(Clock { whose: "time of day in front".to_owned(), time: of_day(ns) });
    }
    let Joined { parts, message } = joined.unwrap_or_default();
    all.parts = parts;
    take_apart(&mut all, sentence, start + line.shift, piece.class, message.as_ref());
    all
}

fn take_apart(all: &mut Inspection, sentence: &[u8], start: usize, class: Class, message: Option<&Message>) {
    let Some(parts) = framing::split(sentence) else {
        all.why = why(class, None);
        return;
    };
    let (given, computed) = (parts.given_value(), parts.computed());
    all.checksum = Some(Checksum {
        given: parts.given.map(visible::text),
        computed: format!("{computed:02X}"),
        ok: given == Some(computed),
        bits: given.map_or(0, |g| (g ^ computed).count_ones()),
    });
    all.why = why(class, all.checksum.as_ref());
    all.talker = visible::text(parts.talker());
    all.formatter = visible::text(parts.formatter());
    if let Some(reading) = sentence_time::of(sentence) {
        let time = if reading.dated { time::iso_ms(reading.ns) } else { of_day(reading.ns) };
        all.times.push(Clock { whose: format!("inside {}", visible::text(parts.address)), time });
    }
    let row = table::by_formatter(parts.formatter());
    match row {
        Some(row) => {
            all.title = row.about.title.to_owned();
            let base = start + 1 + parts.address.len() + 1;
            let mut inspector = Inspector { reader: Reader::new(parts.body), base, rows: Vec::new() };
            (row.visit)(&mut [&mut inspector]);
            let faults = inspector.reader.finish();
            all.fields = inspector.rows;
            (all.extra_fields, all.missing_fields) = (faults.extra, faults.missing);
        }
        None => all.title = makers::maker(parts.address).unwrap_or_default().to_owned(),
    }
    let refused = all.fields.iter().filter(|r| r.fault.is_some() && r.at.0 < r.at.1);
    all.damaged.extend(refused.map(|r| Damage { at: r.at, why: "does not fit its field" }));
    all.damaged.sort_by_key(|d| d.at);
    all.ais = match message {
        Some(message) => ais::rows(message),
        None => alone(sentence).map(|m| ais::rows(&m)).unwrap_or_default(),
    };
}

/// The AIS message of a sentence that needs no other.
fn alone(sentence: &[u8]) -> Option<Message> {
    let part = Part::parse(sentence).ok().filter(|p| p.total == 1)?;
    let mut bits = Bits::new();
    bits.push_armoured(part.payload, part.fill).ok()?;
    Some(Message::decode(&bits).ok()?.message)
}

fn why(class: Class, checksum: Option<&Checksum>) -> String {
    match (class, checksum) {
        (Class::Sentence | Class::WithoutChecksum | Class::Comment | Class::Blank, _) => String::new(),
        (Class::BadChecksum, Some(sum)) => {
            let bits = if sum.bits == 1 { " (one bit)" } else { "" };
            format!("bad checksum: given {}, computed {}{bits}", sum.given.as_deref().unwrap_or("none"), sum.computed)
        }
        (Class::Truncated, _) => "truncated: cut short by the sentence behind it".to_owned(),
        (Class::Garbled, _) => {
            "garbled: bytes that are not printable ASCII, and no checksum to vouch for them".to_owned()
        }
        (Class::TooLong, _) => "too long: over 1 MiB without a line end".to_owned(),
        (Class::NoSentence, _) => "no sentence: nothing on the line begins and ends as one".to_owned(),
        (Class::MissingChecksum, _) => "no checksum, and checksums are required".to_owned(),
        (class, _) => class.words().to_owned(),
    }
}

fn shown(bytes: &[u8]) -> String {
    visible::text(&bytes[..bytes.len().min(SHOWN)])
}

fn of_day(ns: i64) -> String {
    time::iso_ms(ns)[11..23].to_owned()
}

/// Runs of bytes that are no printable ASCII.
fn unprintable(bytes: &[u8], start: usize) -> Vec<Damage> {
    let mut out: Vec<Damage> = Vec::new();
    for (i, _) in bytes.iter().take(SHOWN).enumerate().filter(|(_, b)| !(b' '..=b'~').contains(*b)) {
        let at = start + i;
        match out.last_mut() {
            Some(last) if last.at.1 == at => last.at.1 = at + 1,
            _ => out.push(Damage { at: (at, at + 1), why: "not printable ASCII" }),
        }
    }
    out
}

/// `0010  24 47 50 52 …  $GPR…`, sixteen bytes a row.
pub fn hex(bytes: &[u8]) -> Vec<String> {
    let row = |(i, row): (usize, &[u8])| {
        let mut text = format!("{:04x} ", i * 16);
        for j in 0..16 {
            let gap = if j == 8 { "  " } else { " " };
            match row.get(j) {
                Some(b) => text.push_str(&format!("{gap}{b:02x}")),
                None => text.push_str(&format!("{gap}  ")),
            }
        }
        text.push_str("  ");
        text.extend(row.iter().map(|b| if (b' '..=b'~').contains(b) { char::from(*b) } else { '.' }));
        text
    };
    bytes.chunks(16).enumerate().map(row).collect()
}

fn tag_rows(blocks: &[TagBlock<'_>]) -> Vec<TagRow> {
    let mut rows = Vec::new();
    for block in blocks {
        for (code, value) in block.fields() {
            let what = match code {
                b"c" => "Unix time",
                b"d" => "destination",
                b"g" => "group: number, of how many, id",
                b"i" => "information",
                b"n" => "line count",
                b"r" => "relative time",
                b"s" => "source",
                b"t" => "text",
                b"x" => "line count, proprietary",
                _ => "",
            };
            rows.push(TagRow { code: visible::text(code), what, value: visible::text(value) });
            if *code == *b"c"
                && let Some(utc) = crate::core::log::stamp::unix(value)
            {
                rows.push(TagRow { code: "c".into(), what: "which is", value: time::iso_ms(utc) });
            }
        }
        let sum = match block.checksum() {
            TagSum::Right => "right",
            TagSum::Wrong => "WRONG (a warning: the sentence has its own)",
            TagSum::Missing => "none",
        };
        rows.push(TagRow { code: "*".into(), what: "checksum of the block", value: sum.into() });
    }
    rows
}

/// The unit that a name ends in.
pub fn unit_of(name: &str) -> &'static str {
    const UNITS: &[(&str, &str)] = &[
        ("_deg_min", "deg/min"),
        ("_m_s", "m/s"),
        ("_kmh", "km/h"),
        ("_deg", "deg"),
        ("_kn", "kn"),
        ("_nm", "nm"),
        ("_km", "km"),
        ("_mi", "mi"),
        ("_mph", "mph"),
        ("_ft", "ft"),
        ("_fathoms", "fathoms"),
        ("_percent", "%"),
        ("_bar", "bar"),
        ("_inhg", "inHg"),
        ("_pa", "Pa"),
        ("_min", "min"),
        ("_us", "us"),
        ("_db", "dB"),
        ("_s", "s"),
        ("_m", "m"),
        ("_c", "C"),
        ("_f", "F"),
        ("rpm", "1/min"),
        ("latitude", "deg"),
        ("longitude", "deg"),
    ];
    UNITS.iter().find(|(ending, _)| name.ends_with(ending)).map_or("", |(_, unit)| unit)
}

struct Inspector<'a> {
    reader: Reader<'a>,
    /// Where the body begins in the line.
    base: usize,
    rows: Vec<Row>,
}

impl Wire for Inspector<'_> {
    fn field(&mut self, field: Field, slot: Slot<'_>) {
        let from = self.reader.position();
        let before = self.reader.faults();
        let was_done = self.reader.is_done();
        let (name, value) = self.value(field, slot);
        let raw = if was_done { &[][..] } else { self.reader.since(from) };
        let faults = self.reader.faults();
        let fault = match () {
            () if faults.bad > before.bad => Some("not well formed or out of range"),
            () if faults.missing > before.missing => Some("missing"),
            () => None,
        };
        let at = (self.base + from, self.base + from + raw.len());
        let unit = if value.is_some() { unit_of(name) } else { "" };
        self.rows.push(Row { name, what: field.what, raw: visible::text(raw), value, unit, fault, at });
    }

    fn another(&mut self, group: &'static Group, i: usize, len: usize) -> bool {
        self.reader.another(group, i, len)
    }

    fn more(&mut self, have: bool) -> bool {
        self.reader.more(have)
    }

    fn count(&self) -> Option<usize> {
        self.reader.count()
    }
}

impl Inspector<'_> {
    /// Reads a slot: its name (which a unit letter may decide) and its value as text.
    fn value(&mut self, field: Field, slot: Slot<'_>) -> (&'static str, Option<String>) {
        let from = self.reader.position();
        let r = &mut self.reader;
        let value = match slot {
            Slot::Time(v) => {
                r.field(field, Slot::Time(v));
                v.map(|t| clock(&t))
            }
            Slot::Elapsed(v) => {
                r.field(field, Slot::Elapsed(v));
                v.map(|t| clock(&t))
            }
            Slot::SplitTime(v) => {
                r.field(field, Slot::SplitTime(v));
                v.map(|t| clock(&t))
            }
            Slot::Date(v) => {
                r.field(field, Slot::Date(v));
                v.map(|d| d.to_string())
            }
            Slot::DayMonthYear(v) => {
                r.field(field, Slot::DayMonthYear(v));
                v.map(|d| d.to_string())
            }
            Slot::YearMonthDay(v) => {
                r.field(field, Slot::YearMonthDay(v));
                v.map(|d| d.to_string())
            }
            Slot::Latitude(v) => {
                r.field(field, Slot::Latitude(v));
                v.map(|v| number(v, 6))
            }
            Slot::Longitude(v) => {
                r.field(field, Slot::Longitude(v));
                v.map(|v| number(v, 6))
            }
            Slot::Number { value, decimals, form } => {
                r.field(field, Slot::Number { value, decimals, form });
                value.map(|v| number(v, behind(r.since(from))))
            }
            Slot::Integer { value, width, least, most } => {
                r.field(field, Slot::Integer { value, width, least, most });
                value.map(|v| v.to_string())
            }
            Slot::Hex { value, width } => {
                r.field(field, Slot::Hex { value, width });
                value.map(|v| v.to_string())
            }
            Slot::Signed { value, decimals, letters, form } => {
                r.field(field, Slot::Signed { value, decimals, letters, form });
                value.map(|v| number(v, behind(r.since(from))))
            }
            Slot::Measure { value, units, form, ahead } => {
                r.field(field, Slot::Measure { value, units, form, ahead });
                let name = units.iter().find(|u| u.letter == value.unit).map_or(field.name, |u| u.name);
                return (name, value.value.map(|v| number(v, behind(r.since(from)))));
            }
            Slot::UnitLetter { value, of } => {
                r.field(field, Slot::UnitLetter { value, of });
                (*value != 0).then(|| char::from(*value).to_string())
            }
            Slot::Letter { value, of } => {
                r.field(field, Slot::Letter { value, of });
                value.map(|v| visible::text(&[v]))
            }
            Slot::Text { value, name } => {
                r.field(field, Slot::Text { value, name });
                let mut plain = Vec::new();
                parse::unescape(r.since(from), |b| plain.push(b));
                (!plain.is_empty()).then(|| visible::text(&plain))
            }
            Slot::Unused => {
                r.field(field, Slot::Unused);
                None
            }
        };
        (field.name, value)
    }
}

/// Digits behind the point of the first field.
fn behind(raw: &[u8]) -> u8 {
    let field = raw.split(|b| *b == b',').next().unwrap_or(&[]).trim_ascii();
    field.iter().rev().position(|b| *b == b'.').map_or(0, |n| n.min(9) as u8)
}

fn number(value: f64, decimals: u8) -> String {
    match digits::scaled(value.abs(), decimals) {
        // No `-0.0`.
        Some(0) => format!("{:.*}", usize::from(decimals), 0.0),
        _ => format!("{value:.*}", usize::from(decimals)),
    }
}

fn clock(t: &super::wire::TimeOfDay) -> String {
    let mut text = format!("{:02}:{:02}:{:02}", t.hour, t.minute, t.second);
    if t.digits > 0 {
        let fraction = format!("{:09}", t.nanos);
        text.push('.');
        text.push_str(&fraction[..usize::from(t.digits.min(9))]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inspect(bytes: &[u8]) -> Inspection {
        line(bytes, 0, Dialect::default(), None)
    }

    #[test]
    fn a_sentence_shows_its_fields_with_unit_and_place() {
        let all = inspect(b"2026-09-22 12:34:56Z $IIVHW,,T,182.4,M,5.8,N,10.7,K*4F");
        assert_eq!(
            (all.class, all.title.as_str(), all.why.as_str()),
            ("sentence", "Speed through the water and heading", "")
        );
        let sum = all.checksum.unwrap();
        assert_eq!((sum.given.as_deref(), sum.computed.as_str(), sum.ok), (Some("4F"), "4F", true));
        let speed = &all.fields[2];
        assert_eq!(
            (speed.name, speed.raw.as_str(), speed.value.as_deref(), speed.unit),
            ("water_speed_kn", "5.8,N", Some("5.8"), "kn")
        );
        // The blank behind the stamp is byte 20, so the sentence begins at 21; "$IIVHW,,T,182.4,M," are 18 more.
        assert_eq!(speed.at, (39, 44));
        assert_eq!(all.fields[0].value, None);
        assert_eq!(all.times, [Clock { whose: "in front".into(), time: "2026-09-22T12:34:56.000Z".into() }]);
        assert_eq!(all.before, "2026-09-22 12:34:56Z ");
    }

    #[test]
    fn a_bad_line_says_why_and_where() {
        // 5.8 became \xB5.8: one bit, so that the sum is off by 80.
        let all = inspect(b"$IIVHW,,T,182.4,M,\xb5.8,N,10.7,K*4F");
        assert_eq!(all.why, "bad checksum: given 4F, computed CF (one bit)");
        assert_eq!(all.damaged[0], Damage { at: (18, 19), why: "not printable ASCII" });
        let refused = all.fields.iter().find(|r| r.name == "water_speed_kn").unwrap();
        assert_eq!((refused.value.clone(), refused.fault), (None, Some("not well formed or out of range")));
        assert_eq!(refused.raw, "\\xB5.8,N");

        assert!(inspect(b"just words").why.starts_with("no sentence"));
        let torn = inspect(b"$GPRM$HEHDT,45.0,T*1E");
        assert!(torn.why.starts_with("truncated"), "{}", torn.why);
        assert_eq!(line(b"$GPRM$HEHDT,45.0,T*1E", 1, Dialect::default(), None).class, "sentence");
    }

    #[test]
    fn tag_blocks_come_apart() {
        let all = inspect(b"\\s:HE0002,c:1474107266,n:5*7C\\$HEHDT,119.9,T*2F");
        let rows: Vec<_> = all.tag.iter().map(|t| (t.code.as_str(), t.value.as_str())).collect();
        let want =
            [("s", "HE0002"), ("c", "1474107266"), ("c", "2016-09-17T10:14:26.000Z"), ("n", "5"), ("*", "right")];
        assert_eq!(rows, want);
        assert_eq!(all.times[0].whose, "TAG block s:HE0002");
    }

    #[test]
    fn an_ais_message_is_decoded_and_an_unknown_maker_named() {
        let all = inspect(b"!AIVDM,1,1,,A,H2vg20@plD61<TmDh5@u:1P00000,0*12");
        assert!(
            all.ais.iter().any(|r| r.name == "name" && r.value.as_deref() == Some("NMEA SIMULATOR X")),
            "{:?}",
            all.ais
        );
        assert_eq!(inspect(b"$PFEC,GPatt,,-1.3,-1.0*65").title, "Furuno");
    }

    #[test]
    fn hex_shows_sixteen_bytes_a_row() {
        let rows = hex(b"$HEHDT,45.0,T*1E\r\n");
        assert_eq!(rows[0], "0000  24 48 45 48 44 54 2c 34  35 2e 30 2c 54 2a 31 45  $HEHDT,45.0,T*1E");
        assert_eq!(rows[1], "0010  0d 0a                                             ..");
    }
}

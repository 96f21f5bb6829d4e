//! Marks: places of a log with names, kept for that log between runs, whatever it is called then.
//!
//! A log is known by its content: its size, and a hash of its head and its tail. Opens no file: reads through [`ReadAt`],
//! and is JSON for whoever stores it.

use std::io;

use serde::{Deserialize, Serialize};

use crate::core::frame::Place;
use crate::core::log::ReadAt;
use crate::core::log::read_at::read_full;
use crate::core::time::{Offset, Utc, iso_ms, span};
use crate::core::visible;

/// Bytes of the head, and of the tail, that a hash is made of.
const SAMPLE: u64 = 64 << 10;
/// The most marks of a log.
pub const MOST: usize = 10_000;
/// The longest name, in characters.
pub const LONGEST_NAME: usize = 60;

/// What a log is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Identity {
    /// Bytes of text.
    pub size: u64,
    /// FNV-1a (64 bits) of the first 64 KiB and the last 64 KiB, or of all when it is shorter than both.
    #[serde(with = "hex")]
    pub hash: u64,
}

impl Identity {
    /// Of a log whose text has so many bytes (what [`crate::core::log::Timing::size`] says once it is opened).
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of(read: &dyn ReadAt, size: u64) -> io::Result<Identity> {
        let mut hash = Fnv::default();
        let mut buffer = vec![0; SAMPLE.min(size) as usize];
        let head = read_full(read, &mut buffer, 0)?;
        hash.add(&buffer[..head]);
        let tail = size.saturating_sub(SAMPLE).max(head as u64);
        if tail < size {
            let length = read_full(read, &mut buffer, tail)?;
            hash.add(&buffer[..length.min((size - tail) as usize)]);
        }
        Ok(Identity { size, hash: hash.0 })
    }

    /// Of several logs as one.
    pub fn of_many(logs: &[Identity]) -> Identity {
        if let [one] = logs {
            return *one;
        }
        let mut hash = Fnv::default();
        for log in logs {
            hash.add(&log.size.to_le_bytes());
            hash.add(&log.hash.to_le_bytes());
        }
        Identity { size: logs.iter().map(|l| l.size).sum(), hash: hash.0 }
    }

    /// A name for the file in which its marks are kept.
    pub fn file_name(&self) -> String {
        format!("{:016x}-{}.json", self.hash, self.size)
    }
}

/// FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ (public domain). Tells files apart; no protection against malice.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x100_0000_01B3);
        }
    }
}

mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(hash: &u64, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&format!("{hash:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
        u64::from_str_radix(&String::deserialize(d)?, 16).map_err(D::Error::custom)
    }
}

/// A place with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Unique in its log; visible characters.
    pub name: String,
    /// Before this sentence.
    pub place: Place,
    /// Where that is in the timeline.
    pub offset: Offset,
    /// What the log's clock showed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub utc: Option<Utc>,
}

/// The marks of a log, sorted by place; at most one at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    version: u32,
    /// Whose they are.
    pub log: Identity,
    /// What the log was called last, for whoever looks into the file.
    pub called: String,
    marks: Vec<Mark>,
}

/// Why a mark is not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MarkError {
    /// Another place has that name.
    #[error("there is a mark {0:?} already: choose another name, or delete it first")]
    Taken(String),
    /// See [`MOST`].
    #[error("a log has at most {MOST} marks: delete some")]
    Full,
    /// No such mark.
    #[error("there is no mark {0:?}")]
    Unknown(String),
}

impl Marks {
    /// None yet.
    pub fn new(log: Identity, called: &str) -> Marks {
        Marks { version: 1, log, called: called.into(), marks: Vec::new() }
    }

    /// Reads what [`Marks::to_json`] wrote, if it belongs to this log.
    ///
    /// # Errors
    /// Damaged, of a newer version, or of another log: in one line.
    pub fn from_json(text: &str, log: Identity) -> Result<Marks, String> {
        let mut marks: Marks = serde_json::from_str(text).map_err(|e| format!("damaged: {e}"))?;
        if marks.version != 1 {
            return Err(format!("version {} is newer than this program: not used", marks.version));
        }
        if marks.log != log {
            return Err("belongs to another log: not used".into());
        }
        // Whatever was done to the file by hand: in order, and one name and one place each.
        let mut kept = Marks { marks: Vec::new(), ..marks.clone() };
        for mark in marks.marks.drain(..).take(MOST) {
            if !kept.marks.iter().any(|m| m.place == mark.place) {
                let _ = kept.set(Some(&mark.name), mark.place, mark.offset, mark.utc);
            }
        }
        Ok(kept)
    }

    /// To be kept between runs.
    pub fn to_json(&self) -> String {
        // Strings and numbers only: it cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// All of them, by place.
    pub fn list(&self) -> &[Mark] {
        &self.marks
    }

    /// Sets a mark, or names the one that is there. Without a name it gets the next free number. Says which name it has.
    ///
    /// # Errors
    /// The name is taken elsewhere, or there are too many.
    pub fn set(
        &mut self,
        name: Option<&str>,
        place: Place,
        offset: Offset,
        utc: Option<Utc>,
    ) -> Result<String, MarkError> {
        let found = self.marks.binary_search_by_key(&place, |m| m.place);
        let name = name.map(clean).filter(|n| !n.is_empty());
        let name = match (name, found) {
            (Some(name), _) => name,
            (None, Ok(i)) => return Ok(self.marks[i].name.clone()),
            (None, Err(_)) => self.free_number(),
        };
        if self.marks.iter().any(|m| m.name == name && m.place != place) {
            return Err(MarkError::Taken(name));
        }
        match found {
            Ok(i) => self.marks[i].name.clone_from(&name),
            Err(_) if self.marks.len() >= MOST => return Err(MarkError::Full),
            Err(i) => self.marks.insert(i, Mark { name: name.clone(), place, offset, utc }),
        }
        Ok(name)
    }

    fn free_number(&self) -> String {
        let taken = self.marks.iter().filter_map(|m| m.name.parse::<u64>().ok()).filter(|n| *n < u64::MAX);
        (taken.max().unwrap_or(0) + 1).to_string()
    }

    /// Deletes a mark by its name.
    ///
    /// # Errors
    /// There is no such mark.
    pub fn remove(&mut self, name: &str) -> Result<Mark, MarkError> {
        match self.marks.iter().position(|m| m.name == name) {
            Some(i) => Ok(self.marks.remove(i)),
            None => Err(MarkError::Unknown(clean(name))),
        }
    }

    /// Deletes the mark at a place, if there is one.
    pub fn remove_at(&mut self, place: Place) -> Option<Mark> {
        let i = self.marks.binary_search_by_key(&place, |m| m.place).ok()?;
        Some(self.marks.remove(i))
    }

    /// The mark of that name.
    pub fn named(&self, name: &str) -> Option<&Mark> {
        self.marks.iter().find(|m| m.name == name)
    }

    /// The first mark behind a place.
    pub fn next(&self, place: Place) -> Option<&Mark> {
        self.marks.get(self.marks.partition_point(|m| m.place <= place))
    }

    /// The last mark before a place.
    pub fn previous(&self, place: Place) -> Option<&Mark> {
        self.marks.get(self.marks.partition_point(|m| m.place < place).checked_sub(1)?)
    }

    /// A line each, tab-separated, under a heading: name, line, offset, UTC; of several logs, which of them too.
    pub fn export(&self, logs: &[&str]) -> String {
        let several = logs.len() > 1;
        let mut out = String::from("name\tline\toffset\tutc");
        out.push_str(if several { "\tlog\n" } else { "\n" });
        for mark in &self.marks {
            let utc = mark.utc.map(iso_ms).unwrap_or_default();
            let ms = mark.offset / 1_000_000 % 1000;
            out.push_str(&format!("{}\t{}\t+{}.{ms:03}\t{utc}", mark.name, mark.place.line, span(mark.offset)));
            if several {
                let log = logs.get(usize::from(mark.place.file)).copied().unwrap_or_default();
                out.push_str(&format!("\t{}", visible::text(log.as_bytes())));
            }
            out.push('\n');
        }
        out
    }
}

/// A name as it is kept: visible, in one line, not too long.
fn clean(name: &str) -> String {
    let short: String = name.trim().chars().take(LONGEST_NAME).collect();
    visible::text(short.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::log::of_bytes;

    fn at(line: u64) -> Place {
        Place { byte: line * 50, line, ..Place::default() }
    }

    fn identity(bytes: &[u8]) -> Identity {
        let read = of_bytes(bytes.to_vec()).unwrap();
        Identity::of(&*read, bytes.len() as u64).unwrap()
    }

    /// FNV-1a's published test vectors: "" cbf29ce484222325, "a" af63dc4c8601ec8c, "foobar" 85944171f73967e8.
    #[test]
    fn a_log_is_known_by_its_content() {
        assert_eq!(identity(b"a").hash, 0xAF63_DC4C_8601_EC8C);
        assert_eq!(identity(b"foobar").hash, 0x8594_4171_F739_67E8);
        assert_eq!(Identity::of(&*of_bytes(b"x".to_vec()).unwrap(), 0).unwrap().hash, 0xCBF2_9CE4_8422_2325);
        let mut long = vec![b'x'; 300_000];
        let whole = identity(&long);
        long[299_999] = b'y';
        assert_ne!(identity(&long), whole);
        long[299_999] = b'x';
        long[0] = b'y';
        assert_ne!(identity(&long), whole);
        assert_ne!(identity(&vec![b'x'; 299_999]), whole);
        // 100 000 bytes: head and tail meet, and every byte counts once.
        let plain: Vec<u8> = (0..100_000_u32).map(|i| (i % 251) as u8).collect();
        let mut fnv = Fnv::default();
        fnv.add(&plain);
        assert_eq!(identity(&plain).hash, fnv.0);
        let (a, b) = (identity(b"a"), identity(b"b"));
        assert_eq!(Identity::of_many(&[a]), a);
        assert_ne!(Identity::of_many(&[a, b]), Identity::of_many(&[b, a]));
    }

    #[test]
    fn marks_stand_by_place_and_have_names_of_their_own() {
        let mut marks = Marks::new(identity(b"log"), "a.log");
        assert_eq!(marks.set(None, at(30), 0, None).unwrap(), "1");
        assert_eq!(marks.set(Some(" pilot lost\theading "), at(10), 5, None).unwrap(), "pilot lost^Iheading");
        assert_eq!(marks.set(Some("7"), at(20), 6, None).unwrap(), "7");
        assert_eq!(marks.set(None, at(40), 7, None).unwrap(), "8");
        assert_eq!(marks.set(None, at(40), 7, None).unwrap(), "8", "a mark that is there keeps its name");
        let lines: Vec<u64> = marks.list().iter().map(|m| m.place.line).collect();
        assert_eq!(lines, [10, 20, 30, 40]);
        assert_eq!(marks.set(Some("7"), at(50), 0, None), Err(MarkError::Taken("7".into())));
        assert_eq!(marks.set(Some("seven"), at(20), 6, None).unwrap(), "seven");
        assert_eq!(marks.next(at(10)).unwrap().name, "seven");
        assert_eq!(marks.previous(at(30)).unwrap().name, "seven");
        assert_eq!((marks.next(at(40)), marks.previous(at(10))), (None, None));
        assert_eq!(marks.remove("seven").unwrap().place, at(20));
        assert_eq!(marks.remove("seven"), Err(MarkError::Unknown("seven".into())));
        assert!(marks.remove_at(at(40)).is_some() && marks.remove_at(at(40)).is_none());
        assert!(marks.named("1").is_some());
        assert_eq!(marks.set(Some(&"x".repeat(200)), at(60), 0, None).unwrap().len(), LONGEST_NAME);
    }

    #[test]
    fn marks_survive_as_json_and_only_for_their_log() {
        let log = identity(b"log");
        let mut marks = Marks::new(log, "a.log");
        marks.set(Some("start"), at(3), 1_500_000_000, Some(1_790_080_496_780_000_000)).unwrap();
        marks.set(Some("later"), at(9), 3_600_000_000_000, None).unwrap();
        assert_eq!(Marks::from_json(&marks.to_json(), log), Ok(marks.clone()));
        assert!(Marks::from_json(&marks.to_json(), identity(b"other")).unwrap_err().contains("another log"));
        assert!(Marks::from_json("{", log).unwrap_err().contains("damaged"));
        let newer = marks.to_json().replace("\"version\": 1", "\"version\": 2");
        assert!(Marks::from_json(&newer, log).unwrap_err().contains("newer"));
        assert_eq!(
            marks.export(&["a.log"]),
            "name\tline\toffset\tutc\nstart\t3\t+0:00:01.500\t2026-09-22T12:34:56.780Z\nlater\t9\t+1:00:00.000\t\n"
        );
        assert!(marks.export(&["a.log", "b.log"]).ends_with("later\t9\t+1:00:00.000\t\ta.log\n"));
        // What is exported can be typed as a place to go to.
        let target = crate::core::transport::target::Target::parse("+0:00:01.500");
        assert_eq!(target, Ok(crate::core::transport::target::Target::Skip(1_500_000_000)));
    }
}

//! The table: one row per input, talker, formatter and sub-key.
//!
//! Bounded: [`MOST_ROWS`] rows. Files what was heard; judges nothing.

use std::collections::HashMap;

use super::stats::Row;
use crate::core::frame::Origin;
use crate::core::nmea::framing::Parts;
use crate::core::nmea::{About, Cadence};
use crate::core::time::{Offset, SECOND};
use crate::core::vessel::Label;

/// Most rows; sentences of more kinds are only counted together.
pub const MOST_ROWS: usize = 200;

/// Which row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Input.
    pub origin: Origin,
    /// Two letters, `P` for makers, `??` for what cannot be read.
    pub talker: Label,
    /// `MWV`, `PGRME`; `-` for what cannot be read.
    pub formatter: Label,
    /// `R`; tells kinds of one formatter apart.
    pub sub: Label,
}

impl Key {
    /// The row of a sentence.
    pub fn of(origin: Origin, parts: &Parts<'_>, about: Option<&About>) -> Key {
        let mut sub = Vec::new();
        for i in about.map_or(&[][..], |a| a.sub_key) {
            if let Some(field) = parts.fields().nth(usize::from(*i)).filter(|f| !f.is_empty()) {
                if !sub.is_empty() {
                    sub.push(b' ');
                }
                sub.extend_from_slice(field);
            }
        }
        Key {
            origin,
            talker: Label::new(parts.talker()),
            formatter: Label::new(formatter(parts)),
            sub: Label::new(&sub),
        }
    }

    /// The row of what is too damaged to tell.
    pub fn unreadable(origin: Origin) -> Key {
        Key { origin, talker: Label::new(b"??"), formatter: Label::new(b"-"), sub: Label::default() }
    }

    /// `WI MWV R`.
    pub fn subject(&self) -> Label {
        let mut text = self.talker.as_bytes().to_vec();
        if self.talker.as_bytes() == b"P" {
            text.clear();
        }
        for part in [self.formatter, self.sub] {
            if !part.is_empty() {
                if !text.is_empty() {
                    text.push(b' ');
                }
                text.extend_from_slice(part.as_bytes());
            }
        }
        Label::new(&text)
    }
}

/// What names the kind. Some makers' sentences have no comma; of `$PMRRC0514KH5=` the maker is all that can be told.
pub fn formatter<'a>(parts: &Parts<'a>) -> &'a [u8] {
    match parts.formatter() {
        whole if parts.is_proprietary() && parts.body.is_none() => whole.get(..MAKER).unwrap_or(whole),
        formatter => formatter,
    }
}

/// `P` and the three letters of a maker.
pub const MAKER: usize = 4;

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    all: HashMap<Key, Row>,
    before: HashMap<Origin, Key>,
    /// Sentences of kinds beyond the bound.
    pub unlisted: u64,
}

/// Most inputs that are told apart; more share nothing but their totals.
pub const MOST_INPUTS: usize = 32;

impl Rows {
    /// Takes a good sentence.
    pub fn hear(&mut self, key: Key, about: Option<&'static About>, at: Offset, text: &[u8]) -> Option<&Row> {
        let again = self.before.get(&key.origin) == Some(&key);
        if !again && (self.before.len() < MOST_INPUTS || self.before.contains_key(&key.origin)) {
            self.before.insert(key.origin, key);
        }
        let row = self.entry(key, about, at)?;
        // Sentences of one epoch follow each other; a lone type starts a new one after a pause.
        let epoch = row.cadence() == Cadence::Epoch;
        let same_epoch = epoch && again && at.saturating_sub(row.last) < SECOND / 2;
        row.hear(at, text, same_epoch);
        Some(row)
    }

    /// Counts a damaged sentence where its address can still be read, else with the unreadable.
    pub fn hear_bad(&mut self, origin: Origin, address: Option<(Label, Label)>, at: Offset, text: &[u8]) {
        let readable = address.and_then(|(talker, formatter)| {
            self.all
                .values_mut()
                .find(|r| r.key.origin == origin && r.key.talker == talker && r.key.formatter == formatter)
        });
        let row = match readable {
            Some(row) => row,
            None => match self.entry(Key::unreadable(origin), None, at) {
                Some(row) => {
                    row.last = at;
                    row.text = text.get(..text.len().min(120)).unwrap_or(text).to_vec();
                    row
                }
                None => return,
            },
        };
        row.hear_bad(at);
    }

    fn entry(&mut self, key: Key, about: Option<&'static About>, at: Offset) -> Option<&mut Row> {
        if self.all.len() >= MOST_ROWS && !self.all.contains_key(&key) {
            self.unlisted += 1;
            return None;
        }
        Some(self.all.entry(key).or_insert_with(|| Row::new(key, about, at)))
    }

    /// All rows, by input, talker, formatter, sub-key.
    pub fn sorted(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.all.values().collect();
        rows.sort_by_key(|r| r.key);
        rows
    }

    /// All rows in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        self.all.values()
    }
}

#[cfg(test)]
mod tests {
    use super::super::stats::State;
    use super::*;
    use crate::core::nmea::table;

    fn key(sub: &str) -> Key {
        let label = |t: &str| Label::new(t.as_bytes());
        Key { origin: Origin::Source, talker: label("SD"), formatter: label("DPT"), sub: label(sub) }
    }

    #[test]
    fn damaged_sentences_are_counted_where_they_can_be_told() {
        let mut rows = Rows::default();
        for i in 0..20 {
            rows.hear(key(""), table::by_id("DPT").map(|f| &f.about), i * SECOND, b"$SDDPT,1.0,,*00");
        }
        let dpt = Some((Label::new(b"SD"), Label::new(b"DPT")));
        for i in 0..3 {
            rows.hear_bad(Origin::Source, dpt, (20 + i) * SECOND, b"$SDDPT,1.");
            rows.hear_bad(Origin::Source, Some((Label::new(b"S"), Label::new(b"DPT"))), (20 + i) * SECOND, b"$S");
        }
        let sorted = rows.sorted();
        assert_eq!((sorted[0].key, sorted[0].bad, sorted[1].bad), (Key::unreadable(Origin::Source), 3, 3));
        assert_eq!((sorted[1].state(23 * SECOND), sorted[1].count), (State::Bad, 20));
    }

    #[test]
    fn what_comes_damaged_is_bad_and_not_lost() {
        let mut rows = Rows::default();
        let dpt = Some((Label::new(b"SD"), Label::new(b"DPT")));
        let row = |rows: &Rows, at: i64| rows.sorted()[0].state(at * SECOND);
        for i in 0..20 {
            rows.hear(key(""), table::by_id("DPT").map(|f| &f.about), i * SECOND, b"$SDDPT,1.0,,*00");
        }
        for i in 20..40 {
            rows.hear_bad(Origin::Source, dpt, i * SECOND, b"$SDDPT,1.");
        }
        assert_eq!(row(&rows, 40), State::Bad);
        assert_eq!((row(&rows, 44), row(&rows, 45)), (State::Bad, State::Lost)); // 5 s after the last damaged one
    }

    #[test]
    fn makers_sentences_without_a_comma_share_a_row() {
        for (line, row) in [
            (&b"$PMRRC0514KH5="[..], &b"PMRR"[..]),
            (b"$PMRRC0549FL64", b"PMRR"),
            (b"$PGRMZ,170,f,3", b"PGRMZ"),
            (b"$P", b"P"),
        ] {
            let parts = crate::core::nmea::framing::split(line).unwrap();
            assert_eq!(Key::of(Origin::Source, &parts, None).formatter.as_bytes(), row);
        }
    }

    #[test]
    fn rows_are_bounded() {
        let mut rows = Rows::default();
        for i in 0..1000 {
            rows.hear(key(&i.to_string()), None, 0, b"");
        }
        assert_eq!((rows.iter().count(), rows.unlisted), (MOST_ROWS, 1000 - MOST_ROWS as u64));
    }
}

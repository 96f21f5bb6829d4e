//! What a line is (LOG-FORMAT R1 to R7): its class, its pieces, the times beside them, its warnings.
//!
//! One line at a time, no memory of the lines before it beyond how the log is to be read. Whether a time counts, and for
//! what, is decided by the timing.

use memchr::memchr;

use super::container::{Cells, Columns};
use super::piece::{Finder, Piece, Rules, is_white};
use super::plain::{self, Plain};
use super::split::RawLine;
use super::stamp;
use crate::core::frame::Class;
use crate::core::nmea::tag::{TagBlock, TagSum};
use crate::core::time::Utc;

/// How the lines of a log are to be read: found at its beginning, the same for every reader of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// Strict mode, format 1.
    pub rules: Rules,
    /// The columns of a container, and the line of its header: they hold from the next line on.
    pub columns: Option<(Columns, u64)>,
}

/// A line taken apart.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// From 1.
    pub number: u64,
    /// Offset of its first byte.
    pub at: u64,
    /// All of it, without terminator; when it is too long only its beginning.
    pub bytes: &'a [u8],
    /// What the pieces are indices of: the line itself, but for a row of a container with doubled quotes.
    pub text: &'a [u8],
    /// Where `text` begins in the line.
    pub shift: usize,
    /// [`Class::Blank`], [`Class::Comment`], [`Class::TooLong`], [`Class::NoSentence`], else the class of its best piece.
    pub class: Class,
    /// Sentences and what is skipped, in order; none when the class says what the whole line is.
    pub pieces: &'a [Piece],
    /// TAG blocks outside sentences, as ranges of `text`.
    pub tags: &'a [(u32, u32)],
    /// The absolute time in front or in a TAG block. A line without any piece may have one: it serves the next sentence.
    pub stamp: Option<Stamp<'a>>,
    /// The time of day in front.
    pub of_day: Option<i64>,
    /// The Unix time behind the checksum.
    pub suffix: Option<Utc>,
    /// A TAG block has a wrong checksum.
    pub bad_tag: bool,
}

/// An absolute time beside a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp<'a> {
    /// The time.
    pub utc: Utc,
    /// Whose clock it is.
    pub clock: StampClock<'a>,
}

/// Who wrote an absolute time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StampClock<'a> {
    /// The logger, in front of the sentence.
    Prefix,
    /// A TAG block, with its source when it says one.
    Tag(Option<&'a [u8]>),
}

impl Line<'_> {
    /// Whether it has at least one sentence that a replay sends.
    pub fn has_sentence(&self) -> bool {
        self.class.is_sentence()
    }

    /// The TAG blocks outside sentences.
    pub fn tag_blocks(&self) -> impl Iterator<Item = TagBlock<'_>> {
        self.tags.iter().filter_map(|(start, _)| Some(TagBlock::at(self.text, *start as usize)?.0))
    }
}

/// Takes lines apart, one after the other.
#[derive(Clone, Debug, Default)]
pub struct LineReader {
    dialect: Dialect,
    finder: Finder,
    plain: plain::Reader,
    unquoted: Vec<u8>,
}

impl LineReader {
    /// For lines of this dialect.
    pub fn new(dialect: Dialect) -> LineReader {
        LineReader { dialect, ..LineReader::default() }
    }

    /// How it reads.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// From the next line on.
    pub fn set_dialect(&mut self, dialect: Dialect) {
        self.dialect = dialect;
    }

    /// A plain line with its end at the beginning of a text: the line and its length, end included.
    #[inline]
    pub fn plain<'a>(&mut self, text: &'a [u8]) -> Option<(Plain<'a>, usize)> {
        if self.dialect.columns.is_some() {
            return None;
        }
        let plain = self.plain.read(text)?;
        let end = plain::line_end(text.get(plain.end()..)?);
        if end == 0 {
            return None;
        }
        Some((plain, plain.end() + end))
    }

    /// What a line is.
    pub fn read<'a>(&'a mut self, raw: RawLine<'a>) -> Line<'a> {
        let mut line = Line {
            number: raw.number,
            at: raw.at,
            bytes: raw.bytes,
            text: raw.bytes,
            shift: 0,
            class: Class::TooLong,
            pieces: &[],
            tags: &[],
            stamp: None,
            of_day: None,
            suffix: None,
            bad_tag: false,
        };
        if raw.too_long {
            return line;
        }
        if self.dialect.columns.is_none()
            && let Some(plain) = self.plain.read(raw.bytes)
            && plain.end() == raw.bytes.len()
        {
            self.finder.only(plain.start, plain.end());
            line.class = Class::Sentence;
            line.pieces = self.finder.pieces();
            line.stamp = plain.stamp.map(|utc| Stamp { utc, clock: StampClock::Prefix });
            return line;
        }
        let begin = if raw.bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let bytes = &raw.bytes[begin..];
        match bytes.iter().find(|b| !is_white(**b)) {
            Some(b'#') => {
                line.class = Class::Comment;
                return line;
            }
            Some(0) if bytes.iter().all(|b| *b == 0 || is_white(*b)) => {
                line.class = Class::Blank;
                return line;
            }
            None => {
                line.class = Class::Blank;
                return line;
            }
            _ => {}
        }
        let cells = match self.dialect.columns {
            Some((columns, header)) if raw.number > header => {
                columns.cells(bytes).filter(|c| memchr::memchr2(b'$', b'!', &bytes[c.message.clone()]).is_some())
            }
            _ => None,
        };
        match cells {
            Some(cells) => self.row(line, begin, cells),
            None => {
                self.finder.read(raw.bytes, self.dialect.rules);
                if self.dialect.rules.format1 && !raw.whole {
                    self.finder.tear();
                }
                Self::finish(&self.finder, line, begin)
            }
        }
    }

    /// A row of a container: its message is read like a line, its time stands in front.
    fn row<'a>(&'a mut self, mut line: Line<'a>, begin: usize, cells: Cells) -> Line<'a> {
        let start = begin + cells.message.start;
        let message = &line.bytes[start..begin + cells.message.end];
        let time = stamp::find(&line.bytes[begin + cells.time.start..begin + cells.time.end]);
        line.shift = start;
        if memchr(b'"', message).is_some() {
            self.unquoted.clear();
            let mut rest = message;
            while let Some(quote) = memchr(b'"', rest) {
                self.unquoted.extend_from_slice(&rest[..=quote]);
                rest = &rest[quote + 1..];
                rest = rest.strip_prefix(b"\"").unwrap_or(rest);
            }
            self.unquoted.extend_from_slice(rest);
            self.finder.read(&self.unquoted, self.dialect.rules);
            line.text = &self.unquoted;
        } else {
            self.finder.read(message, self.dialect.rules);
            line.text = message;
        }
        let mut line = Self::finish(&self.finder, line, 0);
        if let Some(utc) = time.utc
            && !line.pieces.is_empty()
        {
            line.stamp = Some(Stamp { utc, clock: StampClock::Prefix });
        }
        line.of_day = line.of_day.or(time.of_day);
        line
    }

    /// Class, times and warnings of a line whose pieces are found; text before `begin` is a byte order mark.
    fn finish<'a>(finder: &'a Finder, mut line: Line<'a>, begin: usize) -> Line<'a> {
        line.pieces = finder.pieces();
        line.tags = finder.tags();
        line.class = match line.pieces {
            [] => Class::NoSentence,
            [first, ..] => line.pieces.iter().map(|p| p.class).find(|c| c.is_sentence()).unwrap_or(first.class),
        };
        let bad_tag = line.tag_blocks().any(|tag| tag.checksum() == TagSum::Wrong);
        line.bad_tag = bad_tag;
        // In front of the first piece.
        if let Some(first) = line.pieces.first() {
            let end = finder.open_tag().unwrap_or(usize::MAX).min(first.start as usize);
            let mut from = begin;
            for (start, behind) in line.tags.iter().map(|(a, b)| (*a as usize, *b as usize)).chain([(end, end)]) {
                if from < start.min(end) {
                    let times = stamp::find(&line.text[from..start.min(end)]);
                    line.of_day = line.of_day.or(times.of_day);
                    if let Some(utc) = times.utc {
                        line.stamp = Some(Stamp { utc, clock: StampClock::Prefix });
                        return line;
                    }
                }
                from = from.max(behind);
            }
        }
        let last = line.pieces.iter().rposition(|p| p.class.is_sentence());
        // In a TAG block before the (last) sentence.
        let limit = last.map_or(u32::MAX, |i| line.pieces[i].start);
        let blocks = || line.tags.iter().filter(|(start, _)| *start < limit);
        let block = |start: &u32| TagBlock::at(line.text, *start as usize).map(|(block, _)| block);
        let timed = blocks().filter_map(|(start, _)| block(start)).find_map(|tag| {
            let utc = tag.fields().filter(|(code, _)| *code == b"c").find_map(|(_, value)| stamp::unix(value))?;
            Some((utc, tag.get(b's')))
        });
        if let Some((utc, own)) = timed {
            let source = own.or_else(|| blocks().filter_map(|(start, _)| block(start)).find_map(|tag| tag.get(b's')));
            line.stamp = Some(Stamp { utc, clock: StampClock::Tag(source) });
            return line;
        }
        // Behind the checksum.
        if let Some(i) = line.pieces.iter().rposition(|p| p.class == Class::Sentence) {
            let end = line.pieces.get(i + 1).map_or(line.text.len(), |next| next.start as usize);
            line.suffix = stamp::suffix(&line.text[line.pieces[i].end as usize..end]);
        }
        line
    }
}

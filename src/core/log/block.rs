//! A block of a log read again: its pieces in order, with offsets.

use std::io;

use bytes::Bytes;

use super::index::{BLOCK_BYTES, Index, Span};
use super::line::{Line, LineReader};
use super::piece::Piece;
use super::read_at::read_full;
use super::split::{LONGEST, RawLine, Splitter};
use super::timeline::Timeline;
use crate::core::frame::Class;
use crate::core::time::{Moment, Offset, Utc};

/// More than a block can have without a line that is too long, which is its last then.
const MOST: u64 = BLOCK_BYTES + LONGEST as u64 + 4;

/// A block in memory.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    pub span: Span,
    /// Its text; of a line that is too long only the beginning.
    pub data: Bytes,
    pub rows: Vec<RawRow>,
}

/// A piece, or a line without one.
#[derive(Clone, Debug)]
pub(super) struct RawRow {
    pub class: Class,
    pub part: u16,
    pub line: u64,
    /// Offset of its first byte in the log.
    pub byte: u64,
    /// Sentences before it.
    pub number: u64,
    /// What it says, a slice of the block (but for cells with doubled quotes).
    pub text: Bytes,
    /// TAG blocks in front of it, as a range of the block.
    pub tags: (u32, u32),
    /// Where its line lies in the block.
    pub whole: (u32, u32),
    pub offset: Option<Offset>,
    pub utc: Option<Utc>,
    /// A wrong TAG checksum, or a sentence over 82 characters.
    pub bad_tag: bool,
    pub long: bool,
    /// How much later it is than the sentence before.
    pub grew: Offset,
    pub jump: Option<i64>,
}

impl Loaded {
    /// The whole line of a row.
    pub fn line(&self, row: &RawRow) -> &[u8] {
        self.data.get(row.whole.0 as usize..row.whole.1 as usize).unwrap_or_default()
    }
}

impl RawRow {
    pub fn is_warning(&self) -> bool {
        self.bad_tag || self.long
    }
}

/// Reads the text of a block.
pub(super) fn read(index: &Index, span: Span) -> io::Result<Bytes> {
    let length = (span.end.byte - span.start.byte).min(MOST);
    let mut data = vec![0; length as usize];
    let found = read_full(&**index.read(), &mut data, span.start.byte)?;
    if found < data.len() {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            format!(
                "the log has become shorter since it was opened: {} bytes at {}, {} expected; open it again",
                found,
                span.start.byte,
                data.len()
            ),
        ));
    }
    Ok(data.into())
}

/// Takes a block's text apart. The timeline stands before the block; behind it when this returns.
pub(super) fn rows(
    index: &Index,
    span: Span,
    data: &Bytes,
    reader: &mut LineReader,
    mut timeline: Option<&mut Timeline>,
) -> Vec<RawRow> {
    let mut rows = Vec::with_capacity((span.end.line - span.start.line) as usize);
    let mut number = span.start.sums.sentences;
    let certain = span.times.is_some();
    each_line(span, data, reader, &mut |line| {
        let step = timeline.as_deref_mut().map(|t| t.line(line)).unwrap_or_default();
        let from = (line.at - span.start.byte) as u32;
        let row = |piece: Piece, part: usize, number: u64| {
            let (start, end) = (piece.start as usize, piece.end as usize);
            let at = from as usize + line.shift;
            let in_block = line.text.len() + line.shift <= line.bytes.len()
                && line.text == &line.bytes[line.shift..][..line.text.len()];
            let text =
                if in_block { data.slice(at + start..at + end) } else { Bytes::copy_from_slice(piece.of(line.text)) };
            RawRow {
                class: piece.class,
                part: part_number(part),
                line: line.number,
                byte: line.at + (line.shift + start) as u64,
                number,
                text,
                tags: if in_block { tags_before(line, part, at as u32) } else { (0, 0) },
                whole: (from, from + line.bytes.len() as u32),
                offset: None,
                utc: None,
                bad_tag: line.bad_tag && part == 0,
                long: piece.class.is_sentence() && end - start + 2 > 82,
                grew: 0,
                jump: None,
            }
        };
        if line.pieces.is_empty() {
            let whole = Piece { class: line.class, start: 0, end: line.text.len() as u32 };
            let mut row = row(whole, 0, number);
            if certain {
                row.offset = Some(timeline.as_deref().map_or_else(|| index.fixed(number), |t| t.clocks.offset));
                row.utc = timeline.as_deref().and_then(|t| t.clocks.utc(t.clocks.offset));
            }
            rows.push(row);
            return;
        }
        let mut step = Some(step);
        for (part, piece) in line.pieces.iter().enumerate() {
            let mut row = row(*piece, part, number);
            if piece.class.is_sentence() {
                let inside = timeline.as_deref_mut().and_then(|t| t.sentence(line.number, piece.of(line.text), true));
                let own = inside.or(step.take()).unwrap_or_default();
                (row.grew, row.jump) = (own.grew, own.jump);
                number += 1;
            }
            if certain {
                row.offset = Some(timeline.as_deref().map_or_else(|| index.fixed(row.number), |t| t.clocks.offset));
                row.utc = timeline.as_deref().and_then(|t| t.clocks.utc(t.clocks.offset));
            }
            rows.push(row);
        }
    });
    rows
}

/// The piece within its line; beyond 65 535 places are told apart by their bytes.
fn part_number(part: usize) -> u16 {
    u16::try_from(part).unwrap_or(u16::MAX)
}

/// From the first to the last TAG block between a piece and the one before it.
fn tags_before(line: &Line<'_>, part: usize, at: u32) -> (u32, u32) {
    let Some(piece) = line.pieces.get(part) else { return (0, 0) };
    let after = part.checked_sub(1).and_then(|before| line.pieces.get(before)).map_or(0, |p| p.end);
    let first = line.tags.partition_point(|(start, _)| *start < after);
    let behind = line.tags.partition_point(|(_, end)| *end <= piece.start);
    match line.tags.get(first..behind) {
        Some([(start, end)]) | Some([(start, _), .., (_, end)]) => (at + start, at + end),
        _ => (0, 0),
    }
}

/// A sentence, seen in passing.
pub(super) struct Passing<'a> {
    pub number: u64,
    pub byte: u64,
    pub line: u64,
    pub part: u16,
    pub moment: Moment,
    pub bytes: &'a [u8],
}

/// Takes a block's sentences past somebody who keeps none, until they say that it is enough.
pub(super) fn sentences(
    index: &Index,
    span: Span,
    data: &[u8],
    reader: &mut LineReader,
    mut timeline: Option<&mut Timeline>,
    each: &mut dyn FnMut(Passing<'_>) -> bool,
) {
    let mut number = span.start.sums.sentences;
    let mut go_on = true;
    each_line(span, data, reader, &mut |line| {
        if let Some(t) = timeline.as_deref_mut() {
            t.line(line);
        }
        for (part, piece) in line.pieces.iter().enumerate().filter(|(_, p)| p.class.is_sentence()) {
            let bytes = piece.of(line.text);
            let moment = match timeline.as_deref_mut() {
                Some(t) => {
                    t.sentence(line.number, bytes, true);
                    Moment { offset: t.clocks.offset, utc: t.clocks.utc(t.clocks.offset) }
                }
                None => Moment { offset: index.fixed(number), utc: None },
            };
            let byte = line.at + line.shift as u64 + u64::from(piece.start);
            let (line, part) = (line.number, part_number(part));
            go_on = go_on && each(Passing { number, byte, line, part, moment, bytes });
            number += 1;
        }
    });
}

/// Takes a block's lines through the timeline and keeps nothing.
pub(super) fn skip(span: Span, data: &[u8], reader: &mut LineReader, timeline: &mut Timeline) {
    each_line(span, data, reader, &mut |line| {
        timeline.line(line);
        for piece in line.pieces.iter().filter(|p| p.class.is_sentence()) {
            timeline.sentence(line.number, piece.of(line.text), true);
        }
    });
}

fn each_line(span: Span, data: &[u8], reader: &mut LineReader, each: &mut dyn FnMut(&Line<'_>)) {
    let mut splitter = Splitter::new(span.start.byte, span.start.line);
    let mut line = |raw: RawLine<'_>| {
        // A file that was changed may have more lines there than when it was indexed.
        if raw.number <= span.end.line {
            each(&reader.read(raw));
        }
    };
    splitter.push(data, &mut line);
    splitter.finish(&mut line);
}

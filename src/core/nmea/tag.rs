//! TAG blocks (NMEA 0183 v4, IEC 61162-450): `\s:GP0001,c:1790080496*5C\` in front of a sentence, read and written.
//!
//! Knows nothing of sentences, clocks or logs; keeps what it does not understand.

use crate::core::time::Utc;

/// A closed TAG block: what stands between its two backslashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagBlock<'a> {
    body: &'a [u8],
}

/// What the checksum of a TAG block says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagSum {
    /// There is none: fine.
    Missing,
    /// It fits.
    Right,
    /// It does not: a warning, no more; the sentence has a checksum of its own.
    Wrong,
}

/// Whether a TAG block may begin at this backslash: a letter and a colon follow.
pub fn begins(line: &[u8], at: usize) -> bool {
    matches!(line.get(at..), Some([b'\\', letter, b':', ..]) if letter.is_ascii_alphabetic())
}

impl<'a> TagBlock<'a> {
    /// The block that begins at this backslash, and the index behind its closing one. `None`: no block, or it never closes.
    pub fn at(line: &'a [u8], at: usize) -> Option<(TagBlock<'a>, usize)> {
        if !begins(line, at) {
            return None;
        }
        let inside = line.get(at + 1..)?;
        let length = memchr::memchr(b'\\', inside)?;
        Some((TagBlock { body: &inside[..length] }, at + length + 2))
    }

    /// Everything between the backslashes, checksum too.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// The checksum, taken over everything between the first backslash and the last `*`.
    pub fn checksum(&self) -> TagSum {
        let Some(star) = memchr::memrchr(b'*', self.body) else { return TagSum::Missing };
        let sum = self.body[..star].iter().fold(0, |sum, b| sum ^ b);
        let given = match &self.body[star + 1..] {
            [a, b] => hex(*a).zip(hex(*b)).map(|(a, b)| a << 4 | b),
            [a] => hex(*a),
            _ => None,
        };
        if given == Some(sum) { TagSum::Right } else { TagSum::Wrong }
    }

    /// The parameters in order, as (code, value); a colon inside a value belongs to it.
    pub fn fields(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> + use<'a> {
        let end = memchr::memrchr(b'*', self.body).unwrap_or(self.body.len());
        self.body[..end].split(|b| *b == b',').filter_map(|field| {
            let colon = memchr::memchr(b':', field)?;
            Some((&field[..colon], &field[colon + 1..]))
        })
    }

    /// The value of the first parameter with this letter.
    pub fn get(&self, code: u8) -> Option<&'a [u8]> {
        self.fields().find(|(name, _)| *name == [code]).map(|(_, value)| value)
    }
}

/// Collects the parameters of a TAG block and writes it with its checksum.
#[derive(Clone, Debug, Default)]
pub struct TagWriter {
    body: Vec<u8>,
}

impl TagWriter {
    /// An empty block.
    pub fn new() -> TagWriter {
        TagWriter::default()
    }

    /// Adds a parameter. Bytes that would break the block (backslash, comma, `*`, anything but printable ASCII) are left out.
    #[must_use]
    pub fn field(mut self, code: u8, value: &[u8]) -> TagWriter {
        if !self.body.is_empty() {
            self.body.push(b',');
        }
        self.body.extend([code, b':']);
        self.body.extend(value.iter().filter(|b| (b' '..=b'~').contains(*b) && !matches!(**b, b'\\' | b',' | b'*')));
        self
    }

    /// `s:`, the source.
    #[must_use]
    pub fn source(self, name: &str) -> TagWriter {
        self.field(b's', name.as_bytes())
    }

    /// `c:`, the time in Unix milliseconds.
    #[must_use]
    pub fn time(self, utc: Utc) -> TagWriter {
        self.field(b'c', utc.div_euclid(1_000_000).to_string().as_bytes())
    }

    /// `n:`, the number of the line, which listeners count.
    #[must_use]
    pub fn number(self, n: u32) -> TagWriter {
        self.field(b'n', n.to_string().as_bytes())
    }

    /// `g:`, the sentence's place in a group: number, of how many, the group's id.
    #[must_use]
    pub fn group(self, number: u8, of: u8, id: u32) -> TagWriter {
        self.field(b'g', format!("{number}-{of}-{id}").as_bytes())
    }

    /// Appends `\…*hh\`; nothing when no parameter was given.
    pub fn write(&self, out: &mut Vec<u8>) {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        if self.body.is_empty() {
            return;
        }
        let sum = self.body.iter().fold(0, |sum, b| sum ^ b);
        out.push(b'\\');
        out.extend_from_slice(&self.body);
        out.extend([b'*', DIGITS[usize::from(sum >> 4)], DIGITS[usize::from(sum & 15)], b'\\']);
    }
}

fn hex(b: u8) -> Option<u8> {
    char::from(b).to_digit(16).map(|d| d as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_runs_to_the_next_backslash() {
        let line = br"\s:2573135,c:1671620143*0B\!AIVDM,1";
        let (block, end) = TagBlock::at(line, 0).unwrap();
        assert_eq!((block.body(), end), (&br"s:2573135,c:1671620143*0B"[..], 27));
        assert_eq!(block.get(b's'), Some(&b"2573135"[..]));
        assert_eq!(block.get(b'c'), Some(&b"1671620143"[..]));
        assert_eq!(block.get(b'g'), None);
    }

    #[test]
    fn what_is_no_block() {
        for line in [&br"\s:open,c:1"[..], br"\5:x\", br"\s\", br"s:x\", br"\", b""] {
            assert_eq!(TagBlock::at(line, 0), None);
        }
    }

    /// XOR by hand: `a:b` is 0x61 ^ 0x3A ^ 0x62 = 0x39; `s:1` is 0x73 ^ 0x3A ^ 0x31 = 0x78.
    #[test]
    fn checksums() {
        let sum = |line: &'static [u8]| TagBlock::at(line, 0).unwrap().0.checksum();
        assert_eq!(sum(br"\a:b*39\"), TagSum::Right);
        assert_eq!(sum(br"\a:b*38\"), TagSum::Wrong);
        assert_eq!(sum(br"\a:b*\"), TagSum::Wrong);
        assert_eq!(sum(br"\a:b*039\"), TagSum::Wrong);
        assert_eq!(sum(br"\a:b\"), TagSum::Missing);
        assert_eq!(sum(br"\s:1*78\"), TagSum::Right);
    }

    #[test]
    fn a_colon_inside_a_value_belongs_to_it() {
        let (block, _) = TagBlock::at(br"\t:10:20,si:x,junk,g:1-2-3\", 0).unwrap();
        let fields: Vec<_> = block.fields().collect();
        assert_eq!(fields, [(&b"t"[..], &b"10:20"[..]), (b"si", b"x"), (b"g", b"1-2-3")]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut out = Vec::new();
        TagWriter::new()
            .source("II\\0,00*1")
            .time(1_790_080_496_789_999_999)
            .number(7)
            .group(1, 2, 99)
            .field(b'x', b"10:20")
            .write(&mut out);
        let (block, end) = TagBlock::at(&out, 0).unwrap();
        assert_eq!(end, out.len());
        assert_eq!(block.checksum(), TagSum::Right);
        let fields: Vec<_> = block.fields().collect();
        let expected: [(&[u8], &[u8]); 5] =
            [(b"s", b"II0001"), (b"c", b"1790080496789"), (b"n", b"7"), (b"g", b"1-2-99"), (b"x", b"10:20")];
        assert_eq!(fields, expected);
        let mut empty = Vec::new();
        TagWriter::new().write(&mut empty);
        assert!(empty.is_empty());
    }
}

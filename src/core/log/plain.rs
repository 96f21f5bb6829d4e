//! Plain lines, quickly: one good sentence from end to end, bare or behind a stamp of format 1. Nearly all lines of nearly
//! all logs are.
//!
//! What is found here is what the general way (`line`, `piece`) would find. Anything unusual is left to it: a shorter
//! checksum, a tab, a `*` that is none, bytes of no kind.

use super::stamp::FormatOne;
use crate::core::time::Utc;

/// Reads plain lines.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    format_one: FormatOne,
}

/// A plain line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain<'a> {
    /// The stamp in front.
    pub stamp: Option<Utc>,
    /// Where the sentence begins.
    pub start: usize,
    /// From its delimiter to its checksum. It ends the line: what stands behind it is for the caller to see.
    pub sentence: &'a [u8],
    /// Letters and digits behind the delimiter: how many.
    address: usize,
}

impl<'a> Plain<'a> {
    /// Letters and digits behind the delimiter.
    #[inline]
    pub fn address(&self) -> &'a [u8] {
        self.sentence.get(1..=self.address).unwrap_or_default()
    }

    /// What stands between the comma behind the address and the `*`.
    #[inline]
    pub fn fields(&self) -> &'a [u8] {
        self.sentence.get(self.address + 2..self.sentence.len() - 3).unwrap_or_default()
    }

    /// Where the sentence ends.
    #[inline]
    pub fn end(&self) -> usize {
        self.start + self.sentence.len()
    }
}

/// A sentence that is longer is left to the general way.
const LONGEST: usize = 1024;

impl Reader {
    /// A plain line at the beginning of a text, which may go on behind it.
    #[inline]
    pub fn read<'a>(&mut self, text: &'a [u8]) -> Option<Plain<'a>> {
        let start = match text {
            [b'$' | b'!', ..] => 0,
            [b'0'..=b'9', ..] if text.get(FormatOne::LENGTH) == Some(&b' ') => FormatOne::LENGTH + 1,
            _ => return None,
        };
        let sentence = text.get(start..)?;
        let (address, length) = sentence_of(sentence)?;
        let stamp = if start > 0 { Some(self.format_one.read(text)?) } else { None };
        Some(Plain { stamp, address, sentence: sentence.get(..length)?, start })
    }
}

/// The length of the line end at the beginning of a text; 0 when it cannot be told yet, or none stands there.
#[inline]
pub fn line_end(text: &[u8]) -> usize {
    match text {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        [b'\r', _, ..] => 1,
        _ => 0,
    }
}

/// The length of the address and of the whole of a good sentence at the beginning of a text: an address, a comma, a first `*`,
/// two digits that fit.
#[inline]
fn sentence_of(text: &[u8]) -> Option<(usize, usize)> {
    let [b'$' | b'!', body @ ..] = text else { return None };
    let address = address(body)?;
    let (star, sum) = first_stop(body);
    let [b'*', given @ ..] = body.get(star..)? else { return None };
    let given = given.first_chunk::<2>()?;
    let digit = |n: u8| b"0123456789ABCDEF"[usize::from(n & 0xF)];
    let computed = [digit(sum >> 4), digit(sum)];
    if *given != computed && !given.eq_ignore_ascii_case(&computed) {
        return None;
    }
    Some((address, star + 4))
}

/// The length of an address (a letter, then 2 to 31 letters or digits) in front of a comma.
#[inline]
fn address(body: &[u8]) -> Option<usize> {
    // Nearly every address is five long.
    if let Some(eight) = body.first_chunk()
        && is_five(u64::from_le_bytes(*eight))
    {
        return Some(5);
    }
    let length = body.iter().take(33).take_while(|b| b.is_ascii_alphanumeric()).count();
    let whole = (3..=32).contains(&length) && body[0].is_ascii_alphabetic() && body.get(length) == Some(&b',');
    whole.then_some(length)
}

/// Whether a letter, four letters or digits and a comma are the first of eight bytes.
#[inline]
fn is_five(eight: u64) -> bool {
    const HIGH: u64 = every(0x80) >> 24;
    let five = eight & every(0xFF) >> 24;
    let lower = five | every(0x20) >> 24;
    // Bytes of ASCII do not carry into the next one, whatever below 0x80 is added.
    let at_least = |bytes: u64, least: u8| bytes + (every(0x80 - least) >> 24);
    let letters = at_least(lower, b'a') & !at_least(lower, b'z' + 1);
    let digits = at_least(five, b'0') & !at_least(five, b'9' + 1);
    five & HIGH == 0 && (letters | digits) & HIGH == HIGH && letters & 0x80 != 0 && (eight >> 40) as u8 == b','
}

/// Eight times this byte.
const fn every(b: u8) -> u64 {
    u64::from_ne_bytes([b; 8])
}

/// Where the first byte stands that is a `*` or may have no place in a plain line, and the XOR of those before it. Eight bytes
/// at a time, the first of them lowest.
#[inline]
fn first_stop(body: &[u8]) -> (usize, u8) {
    let (eights, rest) = body.get(..LONGEST).unwrap_or(body).as_chunks::<8>();
    let mut sum = 0;
    let mut at = 0;
    for eight in eights {
        let eight = u64::from_le_bytes(*eight);
        let stops = stops(eight);
        if stops != 0 {
            let (place, before) = before(eight, stops);
            return (at + place, fold(sum ^ before));
        }
        sum ^= eight;
        at += 8;
    }
    // The NULs behind the end are stops.
    let last = rest.iter().rev().fold(0, |last, b| last << 8 | u64::from(*b));
    let (place, before) = before(last, stops(last) | 1 << 63);
    (at + place, fold(sum ^ before))
}

/// The highest bit of bytes up to `*` (the ones that are not wanted among them) and beyond ASCII; right up to the first of
/// them, which is what counts.
#[inline]
fn stops(eight: u64) -> u64 {
    // A smaller byte borrows into its highest bit, and perhaps from the byte behind it.
    (eight.wrapping_sub(every(b'*' + 1)) | eight) & every(0x80)
}

/// How many bytes stand before the first stop, and they alone.
#[inline]
fn before(eight: u64, stops: u64) -> (usize, u64) {
    let place = stops.trailing_zeros() / 8;
    (place as usize, eight & !(u64::MAX << (8 * place)))
}

/// The XOR of the bytes.
#[inline]
fn fold(sum: u64) -> u8 {
    let sum = sum ^ sum >> 32;
    let sum = sum ^ sum >> 16;
    (sum ^ sum >> 8) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::time::MILLISECOND;

    /// 2026-09-23T10:00:00Z, see core::time.
    const TEN: Utc = 1_790_157_600_000 * MILLISECOND;

    /// What stands in front, and the sentence.
    fn read(text: &str) -> Option<(Option<Utc>, &str)> {
        let plain = Reader::default().read(text.as_bytes())?;
        assert_eq!(&text.as_bytes()[plain.start..plain.end()], plain.sentence);
        assert!(plain.sentence[1..].starts_with(plain.address()));
        Some((plain.stamp, std::str::from_utf8(plain.sentence).unwrap()))
    }

    #[test]
    fn one_good_sentence_bare_or_behind_a_stamp() {
        // The checksums are those of the decision's example, and 47^50^48^44^54^2C = 0x63, 50^41^42^43^2C = 0x3C by hand.
        const RMC: &str = "$GPRMC,100000.10,A,3759.0281,N,02343.6502,E,6.5,45.0,230926,4.6,E,A*0D";
        assert_eq!(read(RMC), Some((None, RMC)));
        assert_eq!(read("$GPHDT,*63\n$"), Some((None, "$GPHDT,*63")));
        assert_eq!(read("$PABC,*3c"), Some((None, "$PABC,*3c")));
        let stamped = format!("2026-09-23T10:00:00.021Z {RMC}\r\n");
        assert_eq!(read(&stamped), Some((Some(TEN + 21 * MILLISECOND), RMC)));
        assert_eq!(Reader::default().read(RMC.as_bytes()).unwrap().fields(), &RMC.as_bytes()[7..RMC.len() - 3]);
    }

    #[test]
    fn a_star_at_any_place_ends_the_sum() {
        for n in 0..40 {
            let body = format!("GPTXT,{}", "x".repeat(n));
            let sum = body.bytes().fold(0, |sum, b| sum ^ b);
            for (text, plain) in [
                (format!("${body}*{sum:02X}"), true),
                (format!("${body}*{sum:02X}\n$GPHDT,*63"), true),
                (format!("${body}*{:02X}", sum ^ 1), false),
                (format!("${body}*{:02X}", sum ^ 0x10), false),
                (format!("${body}*{sum:02X}")[..n + 9].to_owned(), false),
            ] {
                assert_eq!(read(&text).is_some(), plain, "{text}");
            }
        }
    }

    #[test]
    fn anything_unusual_is_left_to_the_general_way() {
        for text in [
            "",
            "$",
            "$GPHDT,\t*6A",
            "$GPHDT,n",
            "$GPHDT,*6",
            "$GP,*2B",
            "$1PHDT,*15",
            "$GPH@T,*67",
            "$GPHDT*4F",
            "# x",
            " $GPHDT,*63",
            "2026-09-23 10:00:00.021Z $GPHDT,*63",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        let long = format!("$GPTXT,{}*00", "xx".repeat(LONGEST));
        assert_eq!(read(&long), None);
    }

    #[test]
    fn an_end_that_cannot_be_told_yet_is_none() {
        for (text, length) in [("\n$", 1), ("\r\n", 2), ("\r$", 1), ("\r", 0), ("", 0), (" \n", 0)] {
            assert_eq!(line_end(text.as_bytes()), length);
        }
    }
}

//! The pieces of a line: its sentences and what is left of torn ones (LOG-FORMAT R2, R3, R4, R7), and TAG blocks between.
//!
//! Looks at one line and nothing else; knows no time. Linear in the bytes, whatever they are.

use memchr::{memchr, memchr2, memchr3};

use crate::core::frame::Class;
use crate::core::nmea::tag::TagBlock;

/// A sentence, or a piece of a line that is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub class: Class,
    /// Index of its delimiter in the line.
    pub start: u32,
    /// Index behind its last byte.
    pub end: u32,
}

impl Piece {
    /// Its bytes.
    pub fn of<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        line.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// How a line is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Sentences without checksum are skipped too.
    pub strict: bool,
    /// The log is in format 1: `\xNN` stands for a byte that was not printable.
    pub format1: bool,
}

/// Finds the pieces of lines; holds what is used again from line to line.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    pieces: Vec<Piece>,
    /// TAG blocks outside sentences, as (index of the first backslash, index behind the last).
    tags: Vec<(u32, u32)>,
    /// A TAG block that begins here never closes.
    open_tag: Option<u32>,
    sums: Vec<u8>,
    stars: Vec<Star>,
    /// For many stars: the first that fits each sum, as an index into `stars`.
    by_sum: Option<Box<[u16; 256]>>,
}

/// A `*` that may end a sentence.
#[derive(Clone, Copy, Debug)]
struct Star {
    at: usize,
    /// Behind the digits.
    end: usize,
    given: Option<u8>,
}

/// Stars with no delimiter between them, and what is known of the line in front of the first.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: Option<Star>,
    /// The first good sentence at or behind the index: looked for once.
    good: Option<(usize, Option<usize>)>,
}

const FEW: usize = 8;

impl Finder {
    /// What [`Finder::read`] found.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// TAG blocks outside sentences, as ranges of the line.
    pub fn tags(&self) -> &[(u32, u32)] {
        &self.tags
    }

    /// Where a TAG block begins that never closes.
    pub fn open_tag(&self) -> Option<usize> {
        self.open_tag.map(|at| at as usize)
    }

    /// Takes over a line that consists of one good sentence: the common case, found without looking further.
    pub fn only(&mut self, start: usize, end: usize) {
        self.clear();
        self.pieces.push(Piece { class: Class::Sentence, start: start as u32, end: end as u32 });
    }

    /// Nothing found.
    pub fn clear(&mut self) {
        self.pieces.clear();
        self.tags.clear();
        self.open_tag = None;
    }

    /// The line is the last one and lacks its end, which our own recorder always writes (W4): what has no checksum to vouch
    /// for it was torn.
    pub fn tear(&mut self) {
        if let Some(last) = self.pieces.last_mut()
            && matches!(last.class, Class::WithoutChecksum | Class::MissingChecksum)
        {
            last.class = Class::Truncated;
        }
    }

    /// Finds pieces and TAG blocks of a line (at most [`super::split::LONGEST`] bytes).
    pub fn read(&mut self, line: &[u8], rules: Rules) {
        self.clear();
        let mut run: Option<Run> = None;
        let mut summed = false;
        let mut p = 0;
        while let Some(found) = line.get(p..).and_then(|rest| memchr3(b'$', b'!', b'\\', rest)) {
            let q = p + found;
            p = q + 1;
            if line[q] == b'\\' {
                if let Some((_, end)) = TagBlock::at(line, q) {
                    self.tags.push((q as u32, end as u32));
                    p = end;
                } else if crate::core::nmea::tag::begins(line, q) && self.open_tag.is_none() {
                    self.open_tag = Some(q as u32);
                }
                continue;
            }
            let strong = begins(line, q);
            if strong == Beginning::None {
                continue;
            }
            if !summed {
                self.sum(line);
                summed = true;
            }
            let mut here = match run {
                Some(run) if run.first.is_none_or(|s| s.at > q) => run,
                _ => self.stars(line, q),
            };
            let piece = self.judge(line, q, strong, &mut here, rules);
            run = Some(here);
            if let Some(piece) = piece {
                if piece.class != Class::Truncated {
                    p = piece.end as usize;
                }
                self.pieces.push(piece);
            }
        }
    }

    /// What begins at `q`.
    fn judge(&mut self, line: &[u8], q: usize, strong: Beginning, run: &mut Run, rules: Rules) -> Option<Piece> {
        let piece = |class, end: usize| Some(Piece { class, start: q as u32, end: end as u32 });
        if strong != Beginning::Torn
            && let Some(star) = self.fitting(q)
        {
            return piece(Class::Sentence, star.end);
        }
        if let Some(good) = self.good(line, q, run) {
            let next = delimiters(line, q + 1, good).find(|d| begins(line, *d) != Beginning::None).unwrap_or(good);
            let end = self.first_tag(line, q + 1, next);
            return piece(Class::Truncated, end);
        }
        match (strong, run.first) {
            (Beginning::Whole, Some(star)) => return piece(Class::BadChecksum, star.end),
            // `$PRICE is 5*3` is prose: a maker's sentence without comma needs a checksum that fits, or none at all.
            (_, Some(_)) | (Beginning::Torn, None) => return None,
            (_, None) => {}
        }
        if !may_lack_checksum(line, q) {
            return None;
        }
        let end = line.len() - line.iter().rev().take_while(|b| is_white(**b)).count();
        let text = &line[q..end];
        let inside_open_tag = self.open_tag.is_some();
        let garbled =
            inside_open_tag || text.iter().any(|b| !(b' '..=b'~').contains(b)) || (rules.format1 && holds_escape(text));
        let class = match (garbled, rules.strict) {
            (true, _) => Class::Garbled,
            (false, true) => Class::MissingChecksum,
            (false, false) => Class::WithoutChecksum,
        };
        piece(class, end)
    }

    /// The first good sentence behind `q` that begins before `q`'s own star.
    fn good(&self, line: &[u8], q: usize, run: &mut Run) -> Option<usize> {
        if let Some((from, found)) = run.good
            && from <= q
            && found.is_none_or(|at| at > q)
        {
            return found;
        }
        let found = match run.first {
            Some(star) => delimiters(line, q + 1, star.at).find(|d| {
                matches!(begins(line, *d), Beginning::Whole | Beginning::Maker) && self.fitting(*d).is_some()
            }),
            // Without any star the last one that may lack its checksum is good, and cuts short all before it.
            None => delimiters(line, q + 1, line.len()).filter(|d| may_lack_checksum(line, *d)).last(),
        };
        run.good = Some((q, found));
        found
    }

    /// The index of a closed TAG block between `from` and `to`, else `to`.
    fn first_tag(&self, line: &[u8], from: usize, to: usize) -> usize {
        memchr::memchr_iter(b'\\', &line[from..to])
            .map(|i| from + i)
            .find(|at| TagBlock::at(line, *at).is_some_and(|(_, end)| end <= to))
            .unwrap_or(to)
    }

    /// Running XOR: `sums[i]` is that of the bytes before `i`.
    fn sum(&mut self, line: &[u8]) {
        self.sums.clear();
        self.sums.shrink_to(1 << 16);
        self.sums.reserve(line.len() + 1);
        let mut sum = 0;
        self.sums.push(0);
        for b in line {
            sum ^= b;
            self.sums.push(sum);
        }
    }

    /// The run of stars that a beginning at `q` looks at: its first star (those inside TAG blocks are not its own), and
    /// the ones behind it before any delimiter.
    fn stars(&mut self, line: &[u8], q: usize) -> Run {
        self.stars.clear();
        self.by_sum = None;
        let mut p = q;
        while let Some(found) = line.get(p..).and_then(|rest| memchr2(b'*', b'\\', rest)) {
            let at = p + found;
            if line[at] == b'*' {
                self.stars.push(star(line, at));
                p = at + 1;
                break;
            }
            p = TagBlock::at(line, at).map_or(at + 1, |(_, end)| end);
        }
        if let Some(first) = self.stars.first().copied() {
            while let Some(found) = line.get(p..).and_then(|rest| memchr3(b'*', b'$', b'!', rest)) {
                let at = p + found;
                if line[at] != b'*' || self.stars.len() >= usize::from(u16::MAX) {
                    break;
                }
                self.stars.push(star(line, at));
                p = at + 1;
            }
            if self.stars.len() > FEW {
                let mut table = Box::new([u16::MAX; 256]);
                for (i, star) in self.stars.iter().enumerate().rev() {
                    if let Some(given) = star.given {
                        table[usize::from(given ^ self.sums[star.at])] = i as u16;
                    }
                }
                self.by_sum = Some(table);
            }
            return Run { first: Some(first), good: None };
        }
        Run { first: None, good: None }
    }

    /// The first star whose digits are the checksum of what began at `q`.
    fn fitting(&self, q: usize) -> Option<Star> {
        let before = self.sums[q + 1];
        match &self.by_sum {
            Some(table) => self.stars.get(usize::from(table[usize::from(before)])).copied(),
            None => self.stars.iter().find(|s| s.given == Some(self.sums[s.at] ^ before)).copied(),
        }
    }
}

/// How much of a sentence's beginning stands at a delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beginning {
    None,
    /// Two upper-case letters or digits: enough to see that one was torn off.
    Torn,
    /// Address and comma or `*`.
    Whole,
    /// `$P` and a maker's three letters, then anything.
    Maker,
}

fn begins(line: &[u8], q: usize) -> Beginning {
    let rest = &line[q + 1..];
    let address = rest.iter().take(33).take_while(|b| b.is_ascii_alphanumeric()).count();
    let closed = matches!(rest.get(address), Some(b',' | b'*'));
    if (3..=32).contains(&address) && closed && rest[0].is_ascii_alphabetic() {
        Beginning::Whole
    } else if is_maker(rest) {
        Beginning::Maker
    } else if matches!(rest, [a, b, ..] if is_upper(*a) && is_upper(*b)) {
        Beginning::Torn
    } else {
        Beginning::None
    }
}

fn is_upper(b: u8) -> bool {
    b.is_ascii_uppercase() || b.is_ascii_digit()
}

fn is_maker(rest: &[u8]) -> bool {
    matches!(rest, [b'P', maker @ ..] if maker.len() >= 3 && maker[..3].iter().all(u8::is_ascii_uppercase))
}

/// Whether what begins at `q` is a sentence even without a checksum: prose with a `$` rarely is.
fn may_lack_checksum(line: &[u8], q: usize) -> bool {
    let rest = &line[q + 1..];
    let address = rest.iter().take(33).take_while(|b| is_upper(**b)).count();
    let full = (5..=32).contains(&address) && rest[0].is_ascii_alphabetic() && rest.get(address) == Some(&b',');
    full || is_maker(rest)
}

fn delimiters(line: &[u8], from: usize, to: usize) -> impl Iterator<Item = usize> + '_ {
    memchr::memchr2_iter(b'$', b'!', &line[from.min(to)..to]).map(move |i| from + i)
}

fn star(line: &[u8], at: usize) -> Star {
    let digit = |i: usize| line.get(i).and_then(|b| char::from(*b).to_digit(16)).map(|d| d as u8);
    let (given, end) = match (digit(at + 1), digit(at + 2)) {
        (Some(a), Some(b)) => (Some(a << 4 | b), at + 3),
        (Some(a), None) => (Some(a), at + 2),
        (None, _) => (None, at + 1),
    };
    Star { at, end, given }
}

/// `\x` and two hex digits.
fn holds_escape(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(at) = memchr(b'\\', rest) {
        rest = &rest[at + 1..];
        if matches!(rest, [b'x', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()) {
            return true;
        }
    }
    false
}

/// Blank, tab, VT, FF.
pub fn is_white(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | 0x0B | 0x0C)
}

/// The digits given by a sentence with a wrong checksum, and the sum it should have had.
pub fn given_and_computed(sentence: &[u8]) -> (Vec<u8>, u8) {
    let star = memchr(b'*', sentence).unwrap_or(sentence.len());
    let sum = sentence.get(1..star).unwrap_or_default().iter().fold(0, |sum, b| sum ^ b);
    (sentence.get(star + 1..).unwrap_or_default().to_vec(), sum)
}

/// The address of a sentence: the letters and digits behind its delimiter, at most 32.
pub fn address(sentence: &[u8]) -> &[u8] {
    let rest = sentence.get(1..).unwrap_or_default();
    &rest[..rest.iter().take(32).take_while(|b| b.is_ascii_alphanumeric()).count()]
}

#[cfg(test)]
mod tests {
    use Class::{BadChecksum, Garbled, MissingChecksum, Sentence, Truncated, WithoutChecksum};

    use super::*;

    /// The sentence with its checksum: the XOR is the test's own.
    fn good(body: &str) -> String {
        let sum = body.bytes().skip(1).fold(0u8, |s, b| s ^ b);
        format!("{body}*{sum:02X}")
    }

    fn read(line: &[u8], rules: Rules) -> Vec<(Class, String)> {
        let mut finder = Finder::default();
        finder.read(line, rules);
        finder.pieces().iter().map(|p| (p.class, String::from_utf8_lossy(p.of(line)).into_owned())).collect()
    }

    fn pieces(line: impl AsRef<[u8]>) -> Vec<(Class, String)> {
        read(line.as_ref(), Rules::default())
    }

    fn one(class: Class, text: &str) -> Vec<(Class, String)> {
        vec![(class, text.to_owned())]
    }

    #[test]
    fn the_examples_of_the_decision_have_right_checksums() {
        for s in [
            "$GPRMC,100000.10,A,3759.0281,N,02343.6502,E,6.5,45.0,230926,4.6,E,A*0D",
            "$GPGGA,100000.10,3759.0281,N,02343.6502,E,1,08,0.9,0.0,M,0.0,M,,*59",
        ] {
            assert_eq!(pieces(format!("2026-09-23T10:00:00.000Z {s}")), one(Sentence, s));
        }
    }

    #[test]
    fn checksums_in_either_case_with_one_digit_or_none() {
        // "AB," + "C": GPXYZ chosen so that the sum has one digit: 'G'^'P'^'H'^'D'^'T'^',' = 47^50^48^44^54^2C = 0x63.
        assert_eq!(pieces("$GPHDT,*63"), one(Sentence, "$GPHDT,*63"));
        assert_eq!(pieces("$GPHDT,*64"), one(BadChecksum, "$GPHDT,*64"));
        // Appending 'n' (0x6E) gives 0x63 ^ 0x6E = 0x0D.
        for (digits, class) in
            [("0D", Sentence), ("0d", Sentence), ("D", Sentence), ("d", Sentence), ("E", BadChecksum)]
        {
            assert_eq!(pieces(format!("$GPHDT,n*{digits}")), one(class, &format!("$GPHDT,n*{digits}")));
        }
        assert_eq!(pieces("$GPHDT,n*D,15"), one(Sentence, "$GPHDT,n*D"));
        assert_eq!(pieces("$GPHDT,n*DA"), one(BadChecksum, "$GPHDT,n*DA"), "two digits are two digits");
        assert_eq!(pieces("$GPHDT,n*"), one(BadChecksum, "$GPHDT,n*"));
        assert_eq!(pieces("$GPHDT,n*xy"), one(BadChecksum, "$GPHDT,n*"));
        assert_eq!(pieces("$GPHDT,n \t\x0b\x0c"), one(WithoutChecksum, "$GPHDT,n"));
    }

    #[test]
    fn of_several_stars_the_first_that_fits_counts() {
        let inner = good("$GPTXT,a*b*c");
        assert_eq!(pieces(&inner), one(Sentence, &inner));
        assert_eq!(pieces(format!("{inner}*00")), one(Sentence, &inner));
        let many = good(&format!("$GPTXT,{}", "*zz*1".repeat(40)));
        assert_eq!(pieces(format!("{many} tail*11")), one(Sentence, &many));
        assert_eq!(pieces("$GPTXT,a*00 b*01"), one(BadChecksum, "$GPTXT,a*00"));
    }

    #[test]
    fn what_stands_in_front_is_a_prefix() {
        let s = good("$IIHDT,10.0,T");
        for front in [&b""[..], b"text ", b"\0\0\0", b"\xff\xfe\x80", b"$", b"$$", b"! ", b"a$b ", b"$5 for "] {
            let line = [front, s.as_bytes()].concat();
            assert_eq!(pieces(line), one(Sentence, &s));
        }
    }

    #[test]
    fn addresses() {
        for (text, found) in [
            ("$GPHDT,1", true),
            ("$GPHD,1", false),  // four long
            ("$gpHDT,1", false), // not upper case
            ("$GPHDT", false),   // the torn end of one
            ("$GPHDT1", false),  // no comma
            ("$1PHDT,1", false), // begins with a digit
            ("$PABC", true),     // a maker's
            ("!PDGY anything", true),
            ("$PMRRC0514TV74", true),
            ("$PABc1", false),
            ("costs $5, or $FIVE", false),
            ("$PRICE is 5*3", false),
            ("$ABCDEFGHIJKLMNOPQRSTUVWXYZ012345,1", true),   // 32
            ("$ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456,1", false), // 33
        ] {
            assert_eq!(pieces(text), if found { one(WithoutChecksum, text) } else { vec![] }, "{text}");
        }
        for body in ["$abc,1", "!aB9,", "$AIX", "$PABC 1"] {
            let s = good(body);
            assert_eq!(pieces(&s), one(Sentence, &s));
        }
    }

    #[test]
    fn a_checksum_vouches_for_any_byte() {
        let mut line = b"$GPTXT,\xe9\x00\x07".to_vec();
        let sum = line.iter().skip(1).fold(0u8, |s, b| s ^ b);
        assert_eq!(pieces(&line)[0].0, Garbled);
        line.extend(format!("*{sum:02x}").bytes());
        assert_eq!(pieces(&line)[0].0, Sentence);
    }

    #[test]
    fn glued_sentences() {
        let (a, b) = (good("$GPHDT,1.0,T"), good("!AIVDM,1,1,,A,xx,0"));
        assert_eq!(pieces(format!("{a}{b}{a}")), [(Sentence, a.clone()), (Sentence, b.clone()), (Sentence, a.clone())]);
        assert_eq!(
            pieces(format!("{a}, then $GPHDT,3")),
            [(Sentence, a.clone()), (WithoutChecksum, "$GPHDT,3".into())]
        );
        assert_eq!(pieces(format!("$GPHD{a}")), [(Truncated, "$GPHD".into()), (Sentence, a.clone())]);
        assert_eq!(pieces(format!("$GPRMC,12{a}")), [(Truncated, "$GPRMC,12".into()), (Sentence, a.clone())]);
        assert_eq!(pieces(format!("$G{a}")), one(Sentence, &a), "one letter is no beginning");
        assert_eq!(
            pieces(format!("$GP$IIHDT,7!AI {a}")),
            [
                (Truncated, "$GP".into()),
                (Truncated, "$IIHDT,7".into()),
                (Truncated, "!AI ".into()),
                (Sentence, a.clone())
            ]
        );
        assert_eq!(pieces(format!("$GPRMC,1*00{a}")), [(BadChecksum, "$GPRMC,1*00".into()), (Sentence, a)]);
        assert_eq!(pieces("$GPHDT,1$GPHDT,2*00"), one(BadChecksum, "$GPHDT,1$GPHDT,2*00"));
    }

    #[test]
    fn glued_without_any_checksum_the_last_one_is_whole() {
        assert_eq!(
            pieces("!PDGY,1$PDGY,2$GP!PDGY,3"),
            [
                (Truncated, "!PDGY,1".into()),
                (Truncated, "$PDGY,2".into()),
                (Truncated, "$GP".into()),
                (WithoutChecksum, "!PDGY,3".into())
            ]
        );
    }

    #[test]
    fn a_delimiter_inside_a_right_sentence_is_data() {
        let s = good("$PFLAA,0,1!2,$GPHDT,3");
        assert_eq!(pieces(&s), one(Sentence, &s));
    }

    #[test]
    fn tag_blocks_are_no_part_of_a_sentence() {
        let s = good("!AIVDM,1,1,,A,xx,0");
        let line = format!(r"\s:a$GPHDT,1,c:5*00\{s}\g:1-2-3\{s}");
        let mut finder = Finder::default();
        finder.read(line.as_bytes(), Rules::default());
        assert_eq!(finder.pieces().len(), 2);
        let tags: Vec<_> = finder.tags().iter().map(|(a, b)| &line[*a as usize..*b as usize]).collect();
        assert_eq!(tags, [r"\s:a$GPHDT,1,c:5*00\", r"\g:1-2-3\"]);
        // The star of a TAG block does not end what was torn in front of it.
        let torn = format!(r"$GPHDT,1\s:b*00\{s}");
        assert_eq!(pieces(&torn), [(Truncated, "$GPHDT,1".into()), (Sentence, s.clone())]);
        // A block that never closes.
        assert_eq!(pieces(r"\s:x,c:1$GPHDT,1"), one(Garbled, "$GPHDT,1"));
        assert_eq!(pieces(format!(r"\s:x,c:1{s}")), one(Sentence, &s));
    }

    #[test]
    fn strict_mode_and_format_1() {
        let strict = Rules { strict: true, format1: false };
        assert_eq!(read(b"$GPHDT,1", strict), one(MissingChecksum, "$GPHDT,1"));
        let format1 = Rules { strict: false, format1: true };
        assert_eq!(read(br"$GPHDT,\xE9", format1), one(Garbled, r"$GPHDT,\xE9"));
        assert_eq!(read(br"$GPHDT,\xE9", Rules::default()), one(WithoutChecksum, r"$GPHDT,\xE9"));
        assert_eq!(read(br"$GPHDT,\xG9", format1), one(WithoutChecksum, r"$GPHDT,\xG9"));
    }

    /// Each of these takes minutes when any step looks at the rest of the line again for every beginning.
    #[test]
    fn a_mebibyte_of_anything_is_read_in_linear_time() {
        let size = 1 << 20;
        for unit in ["$", "$GP", "$GPHDT,", "$GPHDT,*", "*", "*00", r"\a:", r"\", r"$GPHDT,\a:*\", "$PABC", "!A*1$"] {
            let head = unit.repeat(size / 2 / unit.len());
            for tail in ["*00".repeat(size / 6), "$GPHDT,1*00".repeat(size / 22), String::new(), "x".repeat(size / 2)] {
                let mut finder = Finder::default();
                finder.read(format!("{head}{tail}").as_bytes(), Rules::default());
            }
        }
    }
}

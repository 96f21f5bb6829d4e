//! Bytes into lines, whatever the reads: LF, CR LF and a lone CR end a line.
//!
//! Knows nothing of sentences. Memory is one line of at most the limit.

use memchr::memchr2;

/// A longer line is skipped as too long (LOG-FORMAT §2), in bytes.
pub const LONGEST: usize = 1 << 20;
/// Noise of a live feed without line ends is cut every so many bytes (LOG-FORMAT W5).
pub const NOISE: usize = 1000;

/// A line without its terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawLine<'a> {
    /// The bytes; of a line that is too long only the first [`NOISE`].
    pub bytes: &'a [u8],
    /// From 1.
    pub number: u64,
    /// Offset of its first byte.
    pub at: u64,
    /// Over the limit.
    pub too_long: bool,
    /// A terminator came; `false` only for the last line of a file that was cut off.
    pub whole: bool,
}

/// Who takes the lines.
pub trait Take {
    /// A line begins here. Whoever sees at a glance that it is there with its end takes it, and answers how long both are;
    /// 0 has it split off and given to [`Take::line`].
    fn at_once(&mut self, number: u64, at: u64, rest: &[u8]) -> usize {
        let _any = (number, at, rest);
        0
    }

    /// A line.
    fn line(&mut self, raw: RawLine<'_>);
}

/// Takes them one by one.
struct Each<'a, F>(&'a mut F);

impl<F: FnMut(RawLine<'_>)> Take for Each<'_, F> {
    fn line(&mut self, raw: RawLine<'_>) {
        (self.0)(raw);
    }
}

/// Cuts bytes into lines.
#[derive(Clone, Debug)]
pub struct Splitter {
    limit: usize,
    cut: bool,
    /// The line under way, when its end was not in the same read; not longer than the limit.
    carry: Vec<u8>,
    /// The line under way went over the limit: the rest is dropped.
    too_long: bool,
    start: u64,
    at: u64,
    lines: u64,
    after_cr: bool,
}

impl Splitter {
    /// For a file, or a part of one that begins with line `lines` + 1 at byte `at`.
    pub fn new(at: u64, lines: u64) -> Splitter {
        Splitter {
            limit: LONGEST,
            cut: false,
            carry: Vec::new(),
            too_long: false,
            start: at,
            at,
            lines,
            after_cr: false,
        }
    }

    /// For a live feed: noise without line ends is cut every [`NOISE`] bytes instead of being held back.
    pub fn live() -> Splitter {
        Splitter { limit: NOISE, cut: true, ..Splitter::new(0, 0) }
    }

    /// Lines that have ended so far, those before the start included.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Bytes taken so far, those before the start included.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// The beginning of the line whose end has not come yet.
    pub fn pending(&self) -> &[u8] {
        &self.carry
    }

    /// Takes what was read and hands out every line that ends in it.
    pub fn push(&mut self, bytes: &[u8], each: &mut impl FnMut(RawLine<'_>)) {
        self.push_to(bytes, &mut Each(each));
    }

    /// As [`Splitter::push`], to somebody who takes lines at once.
    pub fn push_to(&mut self, bytes: &[u8], take: &mut impl Take) {
        let mut rest = bytes;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            if rest[0] == b'\n' {
                rest = &rest[1..];
                self.at += 1;
            }
        }
        loop {
            if self.carry.is_empty() {
                rest = self.give_at_once(rest, take);
            }
            let Some(end) = memchr2(b'\n', b'\r', rest) else { break };
            self.keep_or_give(&rest[..end], take);
            let mut next = end + 1;
            if rest[end] == b'\r' {
                match rest.get(next) {
                    Some(b'\n') => next += 1,
                    Some(_) => {}
                    None => self.after_cr = true,
                }
            }
            self.at += next as u64;
            rest = &rest[next..];
        }
        self.keep(rest, take);
    }

    /// Lines as long as they are taken at once.
    fn give_at_once<'a>(&mut self, bytes: &'a [u8], take: &mut impl Take) -> &'a [u8] {
        let mut rest = bytes;
        while !rest.is_empty() {
            let length = take.at_once(self.lines + 1, self.at, rest);
            if length == 0 {
                break;
            }
            self.lines += 1;
            self.at += length as u64;
            rest = rest.get(length..).unwrap_or_default();
        }
        rest
    }

    /// The last line, when no terminator came.
    pub fn finish(&mut self, each: &mut impl FnMut(RawLine<'_>)) {
        self.finish_to(&mut Each(each));
    }

    /// As [`Splitter::finish`], for [`Splitter::push_to`].
    pub fn finish_to(&mut self, take: &mut impl Take) {
        if !self.carry.is_empty() {
            self.give_carry(false, take);
        }
    }

    /// The line ends behind `tail`.
    fn keep_or_give(&mut self, tail: &[u8], take: &mut impl Take) {
        if self.carry.is_empty() && tail.len() <= self.limit {
            self.lines += 1;
            take.line(RawLine { bytes: tail, number: self.lines, at: self.at, too_long: false, whole: true });
            return;
        }
        let before = self.at;
        self.keep(tail, take);
        self.at = before;
        self.give_carry(true, take);
    }

    /// The line goes on behind `more`.
    fn keep(&mut self, more: &[u8], take: &mut impl Take) {
        let mut more = more;
        while !more.is_empty() {
            if self.carry.is_empty() {
                self.start = self.at;
            }
            let room = self.limit.saturating_sub(self.carry.len());
            if self.too_long || (more.len() > room && !self.cut) {
                self.carry.extend_from_slice(&more[..more.len().min(NOISE.saturating_sub(self.carry.len()))]);
                self.carry.truncate(NOISE);
                self.too_long = true;
                self.at += more.len() as u64;
                return;
            }
            if room == 0 {
                self.give_carry(true, take);
                continue;
            }
            let (now, later) = more.split_at(more.len().min(room));
            self.carry.extend_from_slice(now);
            self.at += now.len() as u64;
            more = later;
        }
    }

    fn give_carry(&mut self, whole: bool, take: &mut impl Take) {
        self.lines += 1;
        take.line(RawLine { bytes: &self.carry, number: self.lines, at: self.start, too_long: self.too_long, whole });
        self.carry.clear();
        self.carry.shrink_to(4 * NOISE);
        self.too_long = false;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Seen = (Vec<u8>, u64, u64, bool, bool);

    fn lines(splitter: &mut Splitter, reads: &[&[u8]]) -> Vec<Seen> {
        let mut seen = Vec::new();
        let mut each = |l: RawLine<'_>| seen.push((l.bytes.to_vec(), l.number, l.at, l.too_long, l.whole));
        for read in reads {
            splitter.push(read, &mut each);
        }
        splitter.finish(&mut each);
        seen
    }

    /// Takes lines at once that begin with `q` and end with LF.
    struct Quick(Vec<Seen>, u64);

    impl Take for Quick {
        fn at_once(&mut self, number: u64, at: u64, rest: &[u8]) -> usize {
            assert!(!rest.is_empty(), "where a line begins there is something");
            let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
            match end {
                Some(end) if rest[0] == b'q' && rest[end] == b'\n' => {
                    self.0.push((rest[..end].to_vec(), number, at, false, true));
                    self.1 += 1;
                    end + 1
                }
                _ => 0,
            }
        }

        fn line(&mut self, l: RawLine<'_>) {
            self.0.push((l.bytes.to_vec(), l.number, l.at, l.too_long, l.whole));
        }
    }

    fn file(reads: &[&[u8]]) -> Vec<Seen> {
        lines(&mut Splitter::new(0, 0), reads)
    }

    #[test]
    fn all_three_line_ends_mixed() {
        let seen = file(&[b"a\nbb\r\nc\rd\r\r\n\n\re"]);
        let texts: Vec<_> = seen.iter().map(|l| (l.0.as_slice(), l.1, l.2)).collect();
        let expected: [(&[u8], u64, u64); 8] = [
            (b"a", 1, 0),
            (b"bb", 2, 2),
            (b"c", 3, 6),
            (b"d", 4, 8),
            (b"", 5, 10),
            (b"", 6, 12),
            (b"", 7, 13),
            (b"e", 8, 14),
        ];
        assert_eq!(texts, expected);
        assert!(!seen[7].4 && seen[6].4, "only the last line lacks its end");
    }

    #[test]
    fn cr_and_lf_in_two_reads_are_one_end() {
        assert_eq!(file(&[b"a\r", b"\nb\r", b"c"]).iter().map(|l| l.2).collect::<Vec<_>>(), [0, 3, 5]);
        assert_eq!(file(&[b"a\r", b"", b"\n"]).len(), 1);
    }

    #[test]
    fn a_line_of_a_mebibyte_is_read_and_one_byte_more_is_too_long() {
        let mut bytes = vec![b'x'; LONGEST];
        bytes.extend(b"\n");
        bytes.extend(vec![b'y'; LONGEST + 1]);
        bytes.extend(b"\nz\n");
        for chunk in [7_000, 1 << 19, bytes.len()] {
            let reads: Vec<&[u8]> = bytes.chunks(chunk).collect();
            let seen = file(&reads);
            assert_eq!((seen[0].0.len(), seen[0].3), (LONGEST, false));
            assert_eq!((seen[1].0.len(), seen[1].2, seen[1].3), (NOISE, LONGEST as u64 + 1, true));
            assert_eq!((seen[2].0.as_slice(), seen[2].1, seen[2].2), (&b"z"[..], 3, 2 * LONGEST as u64 + 3));
        }
    }

    #[test]
    fn live_noise_is_cut_every_thousand_bytes() {
        let noise = vec![0x80; 2500];
        let seen = lines(&mut Splitter::live(), &[&noise[..1700], &noise[1700..], b"\n$"]);
        let sizes: Vec<_> = seen.iter().map(|l| (l.0.len(), l.2)).collect();
        assert_eq!(sizes, [(1000, 0), (1000, 1000), (500, 2000), (1, 2501)]);
    }

    #[test]
    fn lines_that_are_there_at_a_glance_are_taken_at_once() {
        let (mut splitter, mut quick) = (Splitter::new(0, 0), Quick(Vec::new(), 0));
        splitter.push_to(b"qa\nqb\nx\rqc\nq", &mut quick);
        splitter.push_to(b"d\nqe\n", &mut quick);
        splitter.finish_to(&mut quick);
        let texts: Vec<_> = quick.0.iter().map(|l| (l.0.as_slice(), l.1, l.2)).collect();
        let expected: [(&[u8], u64, u64); 6] =
            [(b"qa", 1, 0), (b"qb", 2, 3), (b"x", 3, 6), (b"qc", 4, 8), (b"qd", 5, 11), (b"qe", 6, 14)];
        assert_eq!(texts, expected);
        // All but the one without and the one that came in two reads.
        assert_eq!(quick.1, 4);
    }

    proptest! {
        #[test]
        fn lines_taken_at_once_are_those_that_are_split_off(
            text in proptest::collection::vec(proptest::sample::select(b"\r\nqx".to_vec()), 0..60),
            cuts in proptest::collection::vec(0usize..60, 0..6),
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let (mut splitter, mut quick) = (Splitter::new(0, 0), Quick(Vec::new(), 0));
            for w in cuts.windows(2) {
                splitter.push_to(&text[w[0]..w[1]], &mut quick);
            }
            splitter.finish_to(&mut quick);
            prop_assert_eq!(quick.0, file(&[&text]));
        }

        #[test]
        fn any_split_of_the_reads_gives_the_same_lines(
            text in proptest::collection::vec(prop_oneof![Just(b'\r'), Just(b'\n'), any::<u8>()], 0..200),
            cuts in proptest::collection::vec(0usize..200, 0..6),
            live in any::<bool>(),
        ) {
            let new = || if live { Splitter::live() } else { Splitter::new(0, 0) };
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let reads: Vec<&[u8]> = cuts.windows(2).map(|w| &text[w[0]..w[1]]).collect();
            prop_assert_eq!(lines(&mut new(), &reads), lines(&mut new(), &[&text]));
        }
    }
}

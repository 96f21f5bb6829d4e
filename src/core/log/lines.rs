//! The line machine for live feeds: push bytes as they come, get lines taken apart.
//!
//! One for each input. The same splitter and the same rules as for files; noise without line ends is cut every 1 000 bytes
//! instead of being held back.

use super::line::{Dialect, Line, LineReader};
use super::piece::Rules;
use super::split::Splitter;

/// A live feed of bytes.
#[derive(Clone, Debug)]
pub struct Feed {
    splitter: Splitter,
    reader: LineReader,
}

impl Feed {
    /// A new feed; in strict mode sentences without checksum are skipped.
    pub fn new(strict: bool) -> Feed {
        let dialect = Dialect { rules: Rules { strict, format1: false }, columns: None };
        Feed { splitter: Splitter::live(), reader: LineReader::new(dialect) }
    }

    /// Takes what was read and hands out every line that ends in it, blank ones too.
    pub fn push(&mut self, bytes: &[u8], each: &mut dyn FnMut(&Line<'_>)) {
        let reader = &mut self.reader;
        self.splitter.push(bytes, &mut |raw| each(&reader.read(raw)));
    }

    /// Hands out what came of a line whose end did not come: at the end of a feed, or after a silence.
    pub fn flush(&mut self, each: &mut dyn FnMut(&Line<'_>)) {
        let reader = &mut self.reader;
        self.splitter.finish(&mut |raw| each(&reader.read(raw)));
    }

    /// Whether a line is under way.
    pub fn has_pending(&self) -> bool {
        !self.splitter.pending().is_empty()
    }

    /// Bytes taken so far.
    pub fn bytes(&self) -> u64 {
        self.splitter.at()
    }

    /// Lines handed out so far.
    pub fn lines(&self) -> u64 {
        self.splitter.lines()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::frame::Class;

    fn seen(feed: &mut Feed, reads: &[&[u8]]) -> Vec<(u64, u64, Class, usize)> {
        let mut seen = Vec::new();
        let mut each = |l: &Line<'_>| seen.push((l.number, l.at, l.class, l.pieces.len()));
        for read in reads {
            feed.push(read, &mut each);
        }
        feed.flush(&mut each);
        seen
    }

    #[test]
    fn lines_come_as_soon_as_they_end() {
        let mut feed = Feed::new(false);
        let mut count = 0;
        feed.push(b"$GPHDT,n*0D\r", &mut |_| count += 1);
        assert_eq!(count, 1);
        feed.push(b"\n$GPHDT,n*0", &mut |_| count += 1);
        assert_eq!((count, feed.has_pending()), (1, true));
        feed.push(b"D\n", &mut |l| {
            count += 1;
            assert_eq!((l.class, l.number, l.at), (Class::Sentence, 2, 13));
        });
        assert_eq!((count, feed.has_pending(), feed.bytes(), feed.lines()), (2, false, 25, 2));
    }

    #[test]
    fn any_split_gives_the_same_lines() {
        let text = b"\r\n\\c:1790157600*5A\\$GPHDT,n*0D\r\xff\x80 \n# x\r\n$GPHDT,1\n$GPHDT,1*00";
        let whole = seen(&mut Feed::new(false), &[text]);
        assert_eq!(
            whole.iter().map(|l| l.2).collect::<Vec<_>>(),
            [
                Class::Blank,
                Class::Sentence,
                Class::NoSentence,
                Class::Comment,
                Class::WithoutChecksum,
                Class::BadChecksum
            ]
        );
        for cut in 0..text.len() {
            assert_eq!(seen(&mut Feed::new(false), &[&text[..cut], &text[cut..]]), whole);
        }
        assert_eq!(seen(&mut Feed::new(true), &[text])[4].2, Class::MissingChecksum);
    }
}

//! One pass over the lines of a log: counts, header, types, and every timeline that may turn out to be the one.
//!
//! Lines in, sums out; does no reading of files and keeps no line.

use serde_json::{Map, Value};

use super::Options;
use super::container::Columns;
use super::line::{Dialect, Line, LineReader};
use super::names::Names;
use super::piece::{Piece, Rules, address, given_and_computed};
use super::plain::Plain;
use super::report::{Report, Skipped, SkippedLine, Summary, TimingReport, Warnings, iso};
use super::sentence_time;
use super::split::RawLine;
use super::timeline::{Kind, Tier, Timeline};
use crate::core::frame::Class;
use crate::core::time::MILLISECOND;
use crate::core::visible;

/// Types of sentences that are counted by name.
pub const MOST_TYPES: usize = 4096;
/// Lines of metadata that are kept, and bytes of each value.
pub const MOST_METADATA: usize = 256;
const LONGEST_METADATA: usize = 4096;
/// Bytes of a skipped piece that are shown.
const SHOWN: usize = 1000;

/// What a line of a log may be counted as, so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Sentences.
    pub sentences: u64,
    /// Skipped pieces.
    pub skipped: u64,
    /// Wrong checksums among them.
    pub bad_checksum: u64,
    /// Wrong TAG checksums and sentences over 82 characters.
    pub warnings: u64,
}

/// The pass.
#[derive(Debug)]
pub struct Pass {
    reader: LineReader,
    tally: Tally,
}

/// All that is counted.
#[derive(Debug)]
pub struct Tally {
    options: Options,
    lines: u64,
    blank: u64,
    comments: u64,
    without_checksum: u64,
    skipped: Skipped,
    warnings: Warnings,
    sentences: u64,
    suffixed: u64,
    header: Vec<(String, String)>,
    format: Option<u64>,
    columns: Option<(Columns, u64)>,
    types: Names,
    type_counts: Vec<(u64, bool)>,
    more_types: u64,
    /// Types since the last [`Tally::take_types`], one bit each, the last for all further ones.
    seen: u64,
    /// Stamps, suffixes, sentence times, times of day. The last three end when the first begins.
    stamps: Timeline,
    others: Option<[Timeline; 3]>,
}

impl Pass {
    /// At the beginning of a log.
    pub fn new(options: Options) -> Pass {
        let rules = Rules { strict: options.strict, format1: false };
        Pass { reader: LineReader::new(Dialect { rules, columns: None }), tally: Tally::new(options) }
    }

    /// Takes the next line; `each` sees it taken apart.
    pub fn line(&mut self, raw: RawLine<'_>, each: &mut impl FnMut(&Line<'_>)) {
        let line = self.reader.read(raw);
        each(&line);
        if self.tally.take(&line) {
            let mut dialect = self.reader.dialect();
            dialect.rules.format1 = self.tally.format.is_some();
            dialect.columns = self.tally.columns;
            self.reader.set_dialect(dialect);
        }
    }

    /// Takes a plain line from the beginning of a text, if one stands there with its end and nobody needs to see it: its length.
    /// `before` is called before it is counted.
    #[inline]
    pub fn plain(&mut self, number: u64, text: &[u8], before: impl FnOnce(&mut Tally, Dialect)) -> usize {
        let Some((plain, length)) = self.reader.plain(text) else { return 0 };
        before(&mut self.tally, self.reader.dialect());
        self.tally.take_plain(number, &plain);
        length
    }

    /// How the lines are read, as far as is known.
    pub fn dialect(&self) -> Dialect {
        self.reader.dialect()
    }

    /// The counts.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The counts, to take types.
    pub fn tally_mut(&mut self) -> &mut Tally {
        &mut self.tally
    }

    /// The whole log was read: `bytes` of text.
    pub fn summary(&self, bytes: u64) -> Summary {
        self.tally.summary(bytes)
    }
}

impl Tally {
    fn new(options: Options) -> Tally {
        let timeline = |kind| Timeline::new(kind, options.gap);
        Tally {
            stamps: timeline(Kind::Stamps),
            others: Some([timeline(Kind::Suffixes), timeline(Kind::Sentences), timeline(Kind::OfDay)]),
            options,
            lines: 0,
            blank: 0,
            comments: 0,
            without_checksum: 0,
            skipped: Skipped::default(),
            warnings: Warnings::default(),
            sentences: 0,
            suffixed: 0,
            header: Vec::new(),
            format: None,
            columns: None,
            types: Names::new(MOST_TYPES),
            type_counts: Vec::new(),
            more_types: 0,
            seen: 0,
        }
    }

    /// The sums so far.
    pub fn sums(&self) -> Sums {
        Sums {
            sentences: self.sentences,
            skipped: self.skipped.total,
            bad_checksum: self.skipped.bad_checksum,
            warnings: self.warnings.bad_tag_checksum + self.warnings.over_82_characters,
        }
    }

    /// Types since the last call: a bit each for the first 63, the last for all others.
    pub fn take_types(&mut self) -> u64 {
        std::mem::take(&mut self.seen)
    }

    /// Types by number.
    pub fn types(&self) -> &Names {
        &self.types
    }

    /// Sentences of each type, by number.
    pub fn type_counts(&self) -> impl Iterator<Item = u64> {
        self.type_counts.iter().map(|(count, _)| *count)
    }

    /// The timelines that may still be the one: stamps, and until they begin suffixes, sentence times, times of day.
    pub fn running(&self) -> impl Iterator<Item = &Timeline> {
        std::iter::once(&self.stamps).chain(self.others.iter().flatten())
    }

    /// A stamp came: nothing further down can change how the log is timed.
    pub fn is_stamped(&self) -> bool {
        self.stamps.began()
    }

    /// Counts a plain line, as [`Tally::take`] would.
    #[inline]
    fn take_plain(&mut self, number: u64, plain: &Plain<'_>) {
        self.lines = number;
        self.stamps.plain(number, plain.stamp);
        if self.others.is_some() && self.stamps.began() {
            self.others = None;
        }
        self.sentences += 1;
        self.warnings.over_82_characters += u64::from(plain.sentence.len() + 2 > 82);
        if self.count_type(plain.address())
            && let Some([_, times, _]) = &mut self.others
        {
            times.fields(number, plain.address(), plain.fields(), true);
        }
    }

    /// Counts a line. Says whether the way to read the next ones may have changed.
    fn take(&mut self, line: &Line<'_>) -> bool {
        self.lines = line.number;
        if line.pieces.is_empty() {
            return self.without_pieces(line);
        }
        self.warnings.bad_tag_checksum += u64::from(line.bad_tag);
        let mut timed = false;
        if line.has_sentence() {
            self.stamps.line(line);
            if let Some(others) = &mut self.others {
                if self.stamps.began() {
                    self.others = None;
                } else {
                    others[0].line(line);
                    others[2].line(line);
                }
            }
        }
        for piece in line.pieces {
            match piece.class {
                Class::Sentence => {}
                Class::WithoutChecksum => self.without_checksum += 1,
                class => {
                    self.skipped.count(class);
                    continue;
                }
            }
            let sentence = piece.of(line.text);
            self.sentences += 1;
            self.suffixed += u64::from(line.suffix.is_some());
            self.warnings.over_82_characters += u64::from(sentence.len() + 2 > 82);
            let carries = self.count_type(address(sentence));
            if carries && let Some([_, times, _]) = &mut self.others {
                timed |= times.sentence(line.number, sentence, !timed).is_some();
            }
        }
        false
    }

    /// Counts a sentence's type, and says whether it may carry a time.
    fn count_type(&mut self, address: &[u8]) -> bool {
        let Some(number) = self.types.number(address) else {
            self.seen |= 1 << 63;
            self.more_types += 1;
            return sentence_time::carries(address);
        };
        if number as usize == self.type_counts.len() {
            self.type_counts.push((0, sentence_time::carries(address)));
        }
        self.seen |= 1 << number.min(63);
        let (count, carries) = &mut self.type_counts[number as usize];
        *count += 1;
        *carries
    }

    fn without_pieces(&mut self, line: &Line<'_>) -> bool {
        match line.class {
            Class::Blank => self.blank += 1,
            Class::Comment => {
                self.comments += 1;
                if self.sentences == 0 {
                    self.metadata(line);
                    return true;
                }
            }
            class => {
                self.skipped.count(class);
                self.warnings.bad_tag_checksum += u64::from(line.bad_tag);
                self.stamps.line(line);
                if self.sentences == 0 && self.columns.is_none() && class == Class::NoSentence {
                    let text = line.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line.bytes);
                    self.columns = Columns::of_header(text).map(|columns| (columns, line.number));
                    return self.columns.is_some();
                }
            }
        }
        false
    }

    fn metadata(&mut self, line: &Line<'_>) {
        let text = line.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line.bytes).trim_ascii_start();
        let text = text.strip_prefix(b"#").unwrap_or(text).trim_ascii();
        if line.number == 1
            && let Some(version) = text.strip_prefix(b"NMEA Simulator X log ")
            && let Ok(version) = String::from_utf8_lossy(version).parse()
        {
            self.format = Some(version);
            self.set_metadata("format".to_owned(), version.to_string());
            return;
        }
        let Some(colon) = memchr::memchr(b':', text) else { return };
        let (key, value) = (text[..colon].trim_ascii_end(), text[colon + 1..].trim_ascii());
        let is_key = matches!(key, [first, rest @ ..] if first.is_ascii_alphabetic()
            && rest.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')));
        if is_key && key.len() <= LONGEST_METADATA {
            let value = &value[..value.len().min(LONGEST_METADATA)];
            let value = match std::str::from_utf8(value) {
                Ok(value) => value.to_owned(),
                // ISO 8859-1: what is not UTF-8 is read byte by byte.
                Err(_) => value.iter().map(|b| char::from(*b)).collect(),
            };
            self.set_metadata(String::from_utf8_lossy(key).into_owned(), value);
        }
    }

    fn set_metadata(&mut self, key: String, value: String) {
        match self.header.iter().position(|(known, _)| *known == key) {
            Some(place) => self.header[place].1 = value,
            None if self.header.len() < MOST_METADATA => self.header.push((key, value)),
            None => {}
        }
    }

    /// The timeline that counts, once the whole log was read.
    pub fn chosen(&self) -> (Tier, Option<&Timeline>) {
        if self.sentences == 0 {
            return (Tier::None, None);
        }
        match &self.others {
            _ if self.is_stamped() => (Tier::Timestamps, Some(&self.stamps)),
            None => (Tier::FixedInterval, None),
            Some([suffixes, ..]) if suffixes.began() && self.suffixed * 2 >= self.sentences => {
                (Tier::Timestamps, Some(suffixes))
            }
            Some([_, times, _]) if times.began() => (Tier::SentenceTimes, Some(times)),
            Some([.., of_day]) if of_day.began() => (Tier::TimeOfDay, Some(of_day)),
            Some(_) => (Tier::FixedInterval, None),
        }
    }

    fn summary(&self, bytes: u64) -> Summary {
        let (tier, timeline) = self.chosen();
        let steps = self.sentences.saturating_sub(1);
        let (duration, longest) = match (tier, timeline) {
            (_, Some(timeline)) => (timeline.clocks.offset, timeline.longest),
            (Tier::FixedInterval, None) => (
                i64::try_from(steps).unwrap_or(i64::MAX).saturating_mul(self.options.interval),
                if steps > 0 { self.options.interval } else { 0 },
            ),
            _ => (0, 0),
        };
        let type_counts = self.type_counts.iter().map(|(count, _)| Value::from(*count));
        let types = self.types.list().iter().map(|name| visible::text(name)).zip(type_counts);
        let mut notices = Vec::new();
        if let Some(version) = self.format.filter(|v| *v > 1) {
            notices.push(format!("log format {version} is newer than this program: read as format 1"));
        }
        let report = Report {
            file: String::new(),
            bytes,
            lines: self.lines,
            blank: self.blank,
            comments: self.comments,
            sentences: self.sentences,
            without_checksum: self.without_checksum,
            skipped: self.skipped,
            warnings: self.warnings,
            timing: TimingReport {
                tier,
                timed_lines: timeline.map_or(0, |t| t.timed_lines),
                first: iso(timeline.and_then(|t| t.first)),
                last: iso(timeline.and_then(|t| t.last)),
                duration_ms: duration / MILLISECOND,
                breaks: timeline.map(|t| t.list.clone()).unwrap_or_default(),
                longest_gap_ms: longest / MILLISECOND,
            },
            header: self.header.iter().map(|(k, v)| (k.clone(), Value::from(v.as_str()))).collect(),
            types: types.collect::<Map<_, _>>(),
        };
        let lines = |t: &Timeline| t.timed_lines;
        let [suffixes, times, of_day] =
            self.others.as_ref().map_or([0; 3], |o| [lines(&o[0]), lines(&o[1]), lines(&o[2])]);
        Summary {
            report,
            notices,
            format1: self.format.is_some(),
            duration,
            span: timeline.and_then(|t| t.first.zip(t.last)),
            longest_gap_line: timeline.map_or(0, |t| t.longest_line),
            gaps: timeline.map_or(0, |t| t.gaps),
            breaks: timeline.map_or(0, |t| t.breaks),
            timed: [self.stamps.timed_lines, suffixes, times, of_day],
            prefixed: self.stamps.clocks.has_read(0),
            tagged: self.stamps.clocks.known() > 1,
            container: self.columns.is_some(),
            clocks: timeline.map(|t| t.names().list().iter().map(|n| visible::text(n)).collect()).unwrap_or_default(),
            more_types: self.more_types,
        }
    }
}

/// Every skip of a line (R8): its pieces that are skipped, or the line itself.
pub fn skips<'a>(line: &'a Line<'_>) -> impl Iterator<Item = SkippedLine> + 'a {
    let whole = Piece { class: line.class, start: 0, end: line.text.len() as u32 };
    let whole = (line.pieces.is_empty() && line.class.is_skip()).then_some(whole);
    line.pieces.iter().copied().filter(|p| p.class.is_skip()).chain(whole).map(|piece| {
        let bytes = piece.of(line.text);
        let bad = (piece.class == Class::BadChecksum).then(|| given_and_computed(bytes));
        SkippedLine {
            line: line.number,
            offset: line.at + line.shift as u64 + u64::from(piece.start),
            reason: piece.class,
            given: bad.as_ref().map(|(given, _)| visible::text(given)),
            computed: bad.map(|(_, computed)| format!("{computed:02X}")),
            text: visible::text(&bytes[..bytes.len().min(SHOWN)]),
        }
    })
}

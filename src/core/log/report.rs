//! What is said of a whole log: `check --json`, and what a report for people needs beyond it.
//!
//! Plain data; filled by the pass.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::timeline::{Break, Tier};
use crate::core::frame::Class;
use crate::core::time::{Offset, Utc, iso_ms};

/// One log, as `check --json` prints it (INTERFACES: names are a contract).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The name it was given under.
    pub file: String,
    /// Bytes of the unpacked and decoded text.
    pub bytes: u64,
    /// Lines as an editor counts.
    pub lines: u64,
    /// White space and NULs only.
    pub blank: u64,
    /// Beginning with `#`.
    pub comments: u64,
    /// Entries that a replay sends.
    pub sentences: u64,
    /// Sentences among them without checksum.
    pub without_checksum: u64,
    /// Pieces that are skipped, by reason.
    pub skipped: Skipped,
    /// What is odd but sent all the same.
    pub warnings: Warnings,
    /// How it is timed.
    pub timing: TimingReport,
    /// `# key: value` at the beginning; `format` of a log of ours.
    pub header: Map<String, Value>,
    /// Sentences by talker and formatter, in the order of their appearance.
    pub types: Map<String, Value>,
}

/// Pieces skipped, by reason (R8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// All of them.
    pub total: u64,
    /// Lines without any piece.
    pub no_sentence: u64,
    /// No `*hh` fits.
    pub bad_checksum: u64,
    /// Cut short by a good sentence.
    pub truncated: u64,
    /// Neither printable nor with a checksum.
    pub garbled: u64,
    /// Over 1 MiB.
    pub too_long: u64,
    /// Strict mode: without checksum.
    pub missing_checksum: u64,
}

impl Skipped {
    /// Counts a piece, or a line without one.
    pub fn count(&mut self, class: Class) {
        let reason = match class {
            Class::NoSentence => &mut self.no_sentence,
            Class::BadChecksum => &mut self.bad_checksum,
            Class::Truncated => &mut self.truncated,
            Class::Garbled => &mut self.garbled,
            Class::TooLong => &mut self.too_long,
            Class::MissingChecksum => &mut self.missing_checksum,
            Class::Sentence | Class::WithoutChecksum | Class::Comment | Class::Blank => return,
        };
        *reason += 1;
        self.total += 1;
    }
}

/// What is odd but sent all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warnings {
    /// Lines with a wrong TAG checksum.
    pub bad_tag_checksum: u64,
    /// Sentences longer than the standard's 82 characters, CR LF counted.
    pub over_82_characters: u64,
}

/// How a log is timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimingReport {
    /// By what.
    pub tier: Tier,
    /// Lines that had such a time.
    pub timed_lines: u64,
    /// The first dated time, ISO 8601.
    pub first: Option<String>,
    /// The last dated time.
    pub last: Option<String>,
    /// Offset of the last sentence, cut.
    pub duration_ms: i64,
    /// Jumps of clocks that the timeline does not follow; at most [`super::timeline::MOST_BREAKS`].
    pub breaks: Vec<Break>,
    /// The longest time between two sentences, cut.
    pub longest_gap_ms: i64,
}

/// All that a pass over a log found out.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// What `check --json` says; `file` is empty.
    pub report: Report,
    /// What a user must be told: a torn archive, a newer format.
    pub notices: Vec<String>,
    /// A log in format 1.
    pub format1: bool,
    /// Offset of the last sentence.
    pub duration: Offset,
    /// The first and last dated time of the timeline.
    pub span: Option<(Utc, Utc)>,
    /// The line behind the longest gap.
    pub longest_gap_line: u64,
    /// Gaps of the timeline, by the length asked for.
    pub gaps: u64,
    /// All breaks, also those not listed.
    pub breaks: u64,
    /// Lines timed in each way: in front or TAG block, suffix, inside sentences, time of day.
    pub timed: [u64; 4],
    /// Times stood in front of sentences.
    pub prefixed: bool,
    /// TAG blocks gave times.
    pub tagged: bool,
    /// TAG sources, or types with a time inside, that the timeline was made of.
    pub clocks: Vec<String>,
    /// A container was unpacked.
    pub container: bool,
    /// Types beyond the cap.
    pub more_types: u64,
}

/// A skipped piece, as `check --skipped --json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedLine {
    /// From 1.
    pub line: u64,
    /// Byte offset of the piece in the unpacked and decoded text.
    pub offset: u64,
    /// Why.
    pub reason: Class,
    /// The digits of a wrong checksum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
    /// What they should have been.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub computed: Option<String>,
    /// The bytes made visible, at most so much of them.
    pub text: String,
}

/// UTC for a report.
pub(super) fn iso(utc: Option<Utc>) -> Option<String> {
    utc.map(iso_ms)
}

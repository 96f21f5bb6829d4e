//! Everything that can be on the screen, at one moment.
//!
//! Bounded lists, at most 64 kB as JSON; unknown is null, never NaN. Text from outside is already visible text
//! ([`crate::core::visible`]).

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Anchor, Presentation, RowKey};
use crate::core::frame::{Class, Origin, Place};
use crate::core::time::{Offset, Utc};
use crate::core::transport::{Can, Looping};
use crate::core::vessel::Vessel;

/// What the source is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The model.
    #[default]
    Simulate,
    /// The model along a track.
    Track,
    /// A log.
    Replay,
    /// Live feeds.
    Live,
}

/// What the source does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Run {
    /// Going.
    #[default]
    Running,
    /// Standing.
    Paused,
    /// At its end.
    Ended,
    /// Still being opened.
    Opening,
    /// It failed; the last event says why.
    Failed,
}

/// Everything on the screen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    /// Counts up.
    pub seq: u64,
    /// Wall clock when it was made.
    pub at: Utc,
    /// What the source is.
    pub mode: Mode,
    /// Its name: profile, file, feed.
    pub name: String,
    /// What it does.
    pub run: Run,
    /// The play head.
    pub transport: TransportState,
    /// UTC of the source: simulated, of the log, or of the feed.
    pub source_utc: Option<Utc>,
    /// The seed of a simulation.
    pub seed: Option<u64>,
    /// Totals.
    pub counts: Counts,
    /// What there is to say of the log.
    pub log: Option<LogState>,
    /// The vessel.
    pub vessel: Vessel,
    /// The window of the list.
    pub list: List,
    /// The recording.
    pub record: RecordState,
    /// The outputs.
    pub outputs: Vec<OutputRow>,
    /// The live inputs.
    pub inputs: Vec<InputRow>,
    /// The control pane.
    pub controls: Vec<Control>,
    /// Sentences that a simulation said, with the control pane.
    pub said: Vec<SaidRow>,
    /// Something differs from the profile's file.
    pub unsaved: bool,
    /// Diagnose.
    pub diagnose: Option<Diagnose>,
    /// Chart.
    pub chart: Option<Chart>,
    /// AIS targets, nearest first, at most 100.
    pub targets: Vec<TargetRow>,
    /// The latest events, oldest first, at most 200.
    pub events: Vec<Event>,
    /// Counts by talker and formatter, at most 200.
    pub types: Vec<TypeCount>,
    /// The row that is taken apart.
    pub inspect: Option<serde_json::Value>,
    /// A long job.
    pub job: Option<Job>,
    /// What is wrong right now, worst first: a full disk, an output that failed. One line each, at most 8.
    pub alarms: Vec<String>,
    /// Faults injected so far, by kind.
    pub faults: Vec<(String, u64)>,
}

/// The play head.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TransportState {
    /// Offset of the play head; of a live feed the present moment in its own time, also while it is silent. The age of a
    /// value of the vessel is this less its `at`.
    pub position: Offset,
    /// Offset of the last sentence.
    pub duration: Option<Offset>,
    /// How long one lap of an endless track lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lap: Option<Offset>,
    /// Hundredths of real time; `None` is max.
    pub speed: Option<u32>,
    /// What is repeated.
    pub looping: Looping,
    /// Set A while B is not yet set.
    pub loop_from: Option<Offset>,
    /// Sends to outputs.
    pub emit: bool,
    /// Only these are sent to outputs, in words: `only RMC /A,1/`; `None`: everything.
    pub only: Option<String>,
    /// The longest wait.
    pub gap_limit: Option<Offset>,
    /// Nanoseconds of wall time until the next sentence, when more than a second.
    pub waiting: Option<i64>,
    /// What the source can do.
    pub can: Can,
}

/// Totals since the source was opened (of a log: of the whole file as far as it is read).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Sentences sent, or received.
    pub sentences: u64,
    /// Bytes of these with CR LF.
    pub bytes: u64,
    /// Sentences a second, over the last seconds.
    pub rate: f64,
    /// Bytes a second.
    pub bytes_rate: f64,
    /// Skipped pieces (log, live feed).
    pub skipped: u64,
    /// Of these, bad checksums.
    pub bad_checksum: u64,
    /// Warnings.
    pub warnings: u64,
    /// Rounds a simulation left out because the host stalled.
    pub missed: u64,
    /// Sentences that an output lost.
    pub dropped: u64,
}

/// What there is to say of a log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LogState {
    /// Bytes unpacked.
    pub bytes: u64,
    /// Of these, how many are indexed.
    pub indexed: u64,
    /// Lines.
    pub lines: u64,
    /// Sentences.
    pub sentences: u64,
    /// `timestamps`, `sentence-times`, `time-of-day`, `fixed-interval`, `none`.
    pub tier: String,
    /// Why a replay is timed as it is, in a sentence.
    pub why: String,
    /// Nothing further down the file can change the timing.
    pub certain: bool,
    /// First and last time.
    pub first: Option<Utc>,
    /// Last time.
    pub last: Option<Utc>,
    /// Gaps longer than the limit.
    pub gaps: u64,
    /// Breaks of a clock.
    pub breaks: u64,
    /// Where the play head stands.
    pub head: Option<Place>,
    /// The number of the sentence at the play head, from 0.
    pub head_sentence: u64,
    /// The timeline, as many cells as the view asked for.
    pub bar: Vec<BarCell>,
    /// Marks in order, at most 100.
    pub marks: Vec<MarkRow>,
    /// Notices about the file: cut-off gzip, format 2, grown or truncated.
    pub notices: Vec<String>,
}

/// One cell of the timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BarCell {
    /// Sentences in it, 0 to 8 relative to the fullest cell.
    pub density: u8,
    /// Holds a bad line.
    pub bad: bool,
    /// Holds a gap.
    pub gap: bool,
    /// Holds a break.
    pub broken: bool,
    /// Holds a mark.
    pub mark: bool,
}

/// A mark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MarkRow {
    /// Where.
    pub place: Place,
    /// Its offset.
    pub offset: Offset,
    /// Its UTC.
    pub utc: Option<Utc>,
    /// Its name.
    pub name: String,
}

/// The window of the list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct List {
    /// Top to bottom.
    pub rows: Vec<Row>,
    /// How it is shown.
    pub presentation: Presentation,
    /// Lines stand above the first row.
    pub more_above: bool,
    /// Lines stand below the last row.
    pub more_below: bool,
    /// Being looked up; the rows are of before.
    pub loading: bool,
    /// The anchor for which these rows were found: a screen knows by it whether its last move is in them.
    pub anchor: Anchor,
    /// Rows that are shown, when a filter hides some.
    pub shown: Option<Matches>,
    /// Rows in which [`super::View::find`] is found.
    pub found: Option<Matches>,
}

/// Rows that were counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matches {
    /// How many.
    pub total: u64,
    /// There are no more; else counting goes on, or was cancelled.
    pub complete: bool,
    /// Which of them is the selected row, from 1; `None`: none of them, or not yet known.
    pub ordinal: Option<u64>,
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its name for good.
    pub key: RowKey,
    /// Offset in the source's time.
    pub offset: Option<Offset>,
    /// UTC of that.
    pub utc: Option<Utc>,
    /// To the row above, whether shown or not.
    pub delta: Option<Offset>,
    /// Good, or why not.
    pub class: Class,
    /// Who said it.
    pub origin: Origin,
    /// Visible text of the line, at most 400 characters, and whether it was cut.
    pub text: String,
    /// For a skipped line, the reason: `bad checksum: given 37, computed 70`.
    pub why: Option<String>,
    /// The next sentence to be sent.
    pub head: bool,
    /// Carries a mark.
    pub mark: bool,
    /// Count (of a log: in all of it) and rate, in the presentation by type.
    pub count: Option<(u64, f64)>,
}

/// The recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordState {
    /// Recording.
    pub on: bool,
    /// Full path.
    pub path: String,
    /// Sentences written.
    pub sentences: u64,
    /// Bytes written.
    pub bytes: u64,
    /// Nanoseconds since what is new was last synced to the disk; `None`: everything is.
    pub unsynced: Option<i64>,
    /// Bytes free on that file system.
    pub free: Option<u64>,
    /// What is wrong: `disk full`.
    pub alarm: Option<String>,
}

/// An output's state in a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Link {
    /// On its way.
    #[default]
    Opening,
    /// Good.
    Open,
    /// Not now; tried again by itself.
    Waiting,
    /// Will not be tried again before somebody changes it.
    Failed,
    /// Stopped by hand.
    Closed,
}

/// One output.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OutputRow {
    /// Names it in commands.
    pub n: u16,
    /// Its SPEC.
    pub spec: String,
    /// `TCP`, `UDP`, `SER` …
    pub kind: String,
    /// Its state.
    pub state: Link,
    /// Where it is to be reached: `127.0.0.1:10110`, a pty's path.
    pub at: String,
    /// Sentences sent.
    pub sentences: u64,
    /// Bytes sent.
    pub bytes: u64,
    /// Bytes a second.
    pub rate: f64,
    /// Bytes waiting.
    pub queue: u64,
    /// Sentences lost.
    pub dropped: u64,
    /// Load of a serial line, percent.
    pub load: Option<f64>,
    /// Nanoseconds until it is tried again, while it waits for that.
    pub retry: Option<i64>,
    /// Sentences received on it.
    pub replies: u64,
    /// In words.
    pub last_error: Option<String>,
    /// How many clients.
    pub client_count: u32,
    /// Its clients, at most 50.
    pub clients: Vec<ClientRow>,
}

/// One client of a server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClientRow {
    /// Its address.
    pub address: String,
    /// Sentences sent.
    pub sentences: u64,
    /// Bytes waiting.
    pub queue: u64,
    /// Sentences lost.
    pub dropped: u64,
    /// Nanoseconds its oldest byte has waited, when it does not keep up.
    pub late: Option<i64>,
}

/// One live input.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InputRow {
    /// Its number.
    pub n: u16,
    /// Its SPEC.
    pub spec: String,
    /// Its state.
    pub state: Link,
    /// Settings that were found: `38400 8N1`.
    pub settings: String,
    /// Sentences received.
    pub sentences: u64,
    /// Bytes received.
    pub bytes: u64,
    /// Nanoseconds since the last byte.
    pub silence: Option<i64>,
    /// Re-opened so often.
    pub reopened: u32,
    /// Bytes a second, over the last ten.
    pub rate: f64,
    /// Load of a serial line, percent.
    pub load: Option<f64>,
    /// How long the connection before this one held, nanoseconds; known when the other end closed it.
    pub lived: Option<i64>,
    /// The search for the baud rate, while it runs; and what it found, until the port is set otherwise.
    pub scan: Option<Scan>,
    /// In words.
    pub last_error: Option<String>,
}

/// The search for a baud rate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Scan {
    /// The try that is under way, from 1; 0: the search is over.
    pub step: u16,
    /// Of so many.
    pub steps: u16,
    /// The rate that is listened to; 0: the search is over.
    pub baud: u32,
    /// A whole search before this one found nothing.
    pub failed: bool,
    /// The rates in the order of the tries; a further round overwrites the one before.
    pub tried: Vec<Tried>,
}

/// What a baud rate gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tried {
    /// Bits a second.
    pub baud: u32,
    /// Bytes heard.
    pub bytes: u64,
    /// Of these, percent that are text.
    pub printable: u8,
    /// Sentences with a right checksum, either way round.
    pub good: u16,
}

/// A row of the control pane: a setting, which snapshots share until it changes, and what it is now.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Control {
    /// The setting.
    #[serde(flatten)]
    pub setting: Arc<Setting>,
    /// What it is now, if the simulation moves it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<f64>,
}

impl Deref for Control {
    type Target = Setting;

    fn deref(&self) -> &Setting {
        &self.setting
    }
}

/// A key of the profile that may change while running.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Setting {
    /// As in `--set`.
    pub key: String,
    /// Its section, for the heading.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub section: String,
    /// Short name for the pane.
    pub label: String,
    /// The value as it would be typed.
    pub value: String,
    /// Its unit.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// What it may be, in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub range: String,
    /// One step of a nudge; 0: cannot be nudged.
    #[serde(skip_serializing_if = "is_zero")]
    pub step: f64,
    /// Held there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// What the profile's file says, where that is something else; empty: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Cannot change while running: there to tell its neighbours apart.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fixed: bool,
}

/// When a sentence was said last, and how often of late.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SaidRow {
    /// As in profiles: `MWV-R`; `custom.0` for the user's own.
    pub id: String,
    /// Nanoseconds of the source's time since the last one.
    pub age: Offset,
    /// How many in the last 60 s of the source's time.
    pub minute: u32,
}

/// What is left out of the lines to keep them short.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(step: &f64) -> bool {
    *step == 0.0
}

/// Diagnose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Diagnose {
    /// One row per input, talker, formatter and sub-key: those that the view asks for, in its order, at most 100.
    pub rows: Vec<DiagnoseRow>,
    /// Rows asked for that did not fit.
    pub more: u32,
    /// All rows, asked for or not.
    pub all: u32,
    /// Worst first, at most 50.
    pub findings: Vec<FindingRow>,
    /// Bytes a second by type, most first, at most 12.
    pub load: Vec<(String, f64)>,
    /// Bytes a second that the line carries, when it has a baud rate.
    pub capacity: Option<f64>,
    /// Bytes that were no sentence.
    pub noise: u64,
    /// Longest silence, nanoseconds.
    pub silence: Option<i64>,
    /// How often a line was opened again.
    pub reopened: u32,
    /// AIS, once some was heard.
    pub ais: Option<AisCounts>,
}

/// What was heard by AIS.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AisCounts {
    /// Whole messages by type.
    pub by_type: Vec<(u8, u64)>,
    /// Messages of several sentences that became whole.
    pub joined: u64,
    /// Messages of several sentences of which some never came.
    pub incomplete: u64,
    /// Messages by channel, A and B.
    pub channels: [u64; 2],
    /// The own ship's MMSI, when VDO said one.
    pub own_mmsi: Option<u32>,
    /// Targets known, radar's too.
    pub targets: u32,
}

/// One row of Diagnose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DiagnoseRow {
    /// The number of its input from 1, when there are several.
    pub input: Option<u16>,
    /// Two letters, `P` for proprietary, `??` unknown.
    pub talker: String,
    /// Three letters.
    pub formatter: String,
    /// What tells kinds apart: R, T, engine number.
    pub sub_key: String,
    /// Heard.
    pub count: u64,
    /// A second.
    pub rate: f64,
    /// A second.
    pub expected: Option<f64>,
    /// Milliseconds.
    pub jitter_ms: Option<f64>,
    /// Nanoseconds since the last.
    pub age: Option<i64>,
    /// Bad checksums.
    pub bad: u64,
    /// Bytes a second with line ends.
    pub load: f64,
    /// `ok`, `new`, `SLOW`, `LOST`, `BAD`, `-`.
    pub state: String,
    /// Last value in words.
    pub last: String,
}

/// One finding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FindingRow {
    /// `error`, `warning`, `note`.
    pub severity: String,
    /// Names the rule.
    pub kind: String,
    /// Evidence in a line.
    pub text: String,
    /// What to try.
    pub advice: String,
    /// First time, UTC of the source or wall clock.
    pub first: Option<Utc>,
    /// Last time.
    pub last: Option<Utc>,
    /// Holds now.
    pub current: bool,
}

/// Points of the chart, degrees, at most 500 each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Chart {
    /// Where the vessel was, oldest first: latitude, longitude.
    pub sailed: Vec<(f64, f64)>,
    /// Where the track goes.
    pub ahead: Vec<(f64, f64)>,
}

/// An AIS or radar target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TargetRow {
    /// Identity.
    pub mmsi: u32,
    /// Name, when heard.
    pub name: String,
    /// `A`, `B`, `base`, `aton`, `radar`.
    pub class: String,
    /// Position.
    pub latitude: Option<f64>,
    /// Position.
    pub longitude: Option<f64>,
    /// Knots.
    pub sog_kn: Option<f64>,
    /// Degrees true.
    pub cog_true_deg: Option<f64>,
    /// Nautical miles from here.
    pub range_nm: Option<f64>,
    /// Degrees true from here.
    pub bearing_true_deg: Option<f64>,
    /// Closest point of approach, nautical miles.
    pub cpa_nm: Option<f64>,
    /// Minutes until then.
    pub tcpa_min: Option<f64>,
    /// Nanoseconds since last heard.
    pub age: i64,
}

/// How grave an event is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// As it should be.
    #[default]
    Info,
    /// Look at it.
    Warning,
    /// Something is lost.
    Error,
}

/// Something that happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Wall clock.
    pub at: Utc,
    /// How grave.
    pub level: Level,
    /// What, where, and what was done about it.
    pub text: String,
}

/// Count of a talker and formatter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TypeCount {
    /// `GPRMC`.
    pub key: String,
    /// How many.
    pub count: u64,
}

/// A long job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// `opening brest.nmea`, `finding HDG`.
    pub what: String,
    /// 0 to 1; `None`: unknown.
    pub fraction: Option<f32>,
}

/// Something that can be opened (answer to [`super::Command::Openables`]).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Openable {
    /// What to give to `Open`.
    pub spec: String,
    /// What to show.
    pub name: String,
    /// `log`, `profile`, `track`, `port`, `session`.
    pub kind: String,
    /// Bytes.
    pub size: Option<u64>,
    /// Last changed.
    pub changed: Option<Utc>,
    /// Length of a log where it is known.
    pub span: Option<Offset>,
}

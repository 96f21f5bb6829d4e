//! Requests, answers, and what a watcher looks at.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};

use super::Snapshot;
use crate::core::diag::order::Order;
use crate::core::frame::Place;
use crate::core::transport::{Change, Transport};

/// A command with a number that its answer carries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Chosen by the watcher.
    pub id: u64,
    /// What to do.
    pub command: Command,
}

/// Done, with what there is to say; or why not, in one or two lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The number of the request; 0 for an alarm nobody asked for.
    pub id: u64,
    /// `ok`: a value (often null, or a sentence to show); `err`: why not and what to do.
    pub result: Result<serde_json::Value, String>,
}

/// Everything that can be asked of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Moves the play head.
    Transport(Transport),
    /// Changes the simulated vessel.
    Change(Change),
    /// Takes back the last change.
    Undo,
    /// Opens another source: a log, a profile, a track, or a live feed's SPEC.
    Open(String),
    /// Gives the n-th input of a live feed (from 0) another SPEC; the others, and all counters, go on.
    Input(u16, String),
    /// What could be opened: answers with a list of [`super::snapshot::Openable`].
    Openables,
    /// Adds, changes, stops, starts an output.
    Output(OutputChange),
    /// Starts recording (to a path, or to a fresh file in the record folder when empty), or appends.
    Record(String),
    /// Ends the recording.
    RecordStop,
    /// Sets or removes a mark at a place, with a name.
    Mark {
        /// Where; `None`: at the play head.
        at: Option<Place>,
        /// Its name; `None` toggles.
        name: Option<String>,
    },
    /// Writes the marks of the log to a new file, a line each: name, line, offset, UTC, separated by tabs.
    ExportMarks(String),
    /// What this watcher looks at from now on.
    View(Box<View>),
    /// Looks for the next line that matches a regular expression on bytes; answers with a [`RowKey`] or null.
    Find {
        /// The expression.
        pattern: String,
        /// Where to begin; `None`: at the play head or the newest line.
        from: Option<RowKey>,
        /// Towards the beginning.
        back: bool,
    },
    /// Next (negative: previous) bad line, warning, gap or mark for the selection; answers with a [`RowKey`] or null.
    Look {
        /// `sentence`, `bad`, `warning`, `gap`, `mark`.
        what: String,
        /// Where to begin.
        from: Option<RowKey>,
        /// Towards the beginning.
        back: bool,
    },
    /// What this watcher's view hides is not sent to the outputs either, from now on and as the view changes; `false`:
    /// everything is sent again, whoever asked for less.
    SendOnly(bool),
    /// Writes a stretch (two offsets) or the filtered lines of a log to a new log.
    SaveStretch {
        /// A new file.
        path: String,
        /// From and up to, offsets in nanoseconds; `None`: everything.
        between: Option<(i64, i64)>,
        /// As [`View::filter`].
        filter: String,
        /// As [`View::matches`].
        #[serde(default)]
        matches: String,
        /// As [`View::hidden`].
        #[serde(default)]
        hidden: Vec<String>,
    },
    /// Saves the profile with what was changed (empty path: where it came from).
    SaveProfile(String),
    /// Clears the counters of Diagnose.
    ClearCounters,
    /// Writes a report of what was heard.
    Report(String),
    /// Cancels the long job that is running.
    Cancel,
    /// Ends the session.
    Quit,
}

/// What is done with the outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputChange {
    /// A SPEC as on the command line.
    Add(String),
    /// Replaces the n-th by another SPEC.
    Edit(u16, String),
    /// Stops the n-th, keeps its row.
    Stop(u16),
    /// Starts the n-th again.
    Start(u16),
    /// Removes the n-th.
    Remove(u16),
}

/// Names a row of the list for good: a place in a log, or the running number of a live line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowKey {
    /// A piece of a log.
    Place(Place),
    /// A line of a running source.
    Seq(u64),
}

/// Where the window of the list stands. A row that is not there (any more, or behind a filter) means the nearest one:
/// `Top(RowKey::Seq(0))` is the beginning, `Bottom(RowKey::Seq(u64::MAX))` the end; places likewise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// The newest line is the last row.
    #[default]
    Newest,
    /// The play head stays in the window, two thirds down.
    PlayHead,
    /// This row is the first one.
    Top(RowKey),
    /// This row is the last one.
    Bottom(RowKey),
    /// This row is in the middle.
    Middle(RowKey),
}

/// How the list is shown (`v`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presentation {
    /// Lines in the order in which they came.
    #[default]
    Scroll,
    /// The newest line of each type, sorted by type.
    PerType,
    /// As `Scroll`, but new lines overwrite old ones from the top, so that nothing moves.
    InPlace,
}

/// What a watcher looks at. The next snapshot holds it; what nobody looks at is not built.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// Rows of the list that are visible.
    pub rows: u16,
    /// Where the list stands.
    pub anchor: Anchor,
    /// How it is shown.
    pub presentation: Presentation,
    /// Comma-separated filter of P8 (`RMC`, `WI`, `WIMWV`, `!`); empty: everything.
    pub filter: String,
    /// Regular expression on bytes: show only what matches; empty: everything.
    pub matches: String,
    /// Keys (`WIMWV`) that are hidden from the list.
    pub hidden: Vec<String>,
    /// Regular expression on bytes: count the lines in which it is found; empty: do not.
    pub find: String,
    /// The selected row: which of those that are counted is it?
    pub selected: Option<RowKey>,
    /// Columns of the timeline bar; 0: none.
    pub bar: u16,
    /// The vessel's satellites, engines, transducers and so on are always there; these cost more:
    /// rows and findings of Diagnose.
    pub diagnose: bool,
    /// In which order these rows stand.
    pub order: Order,
    /// Words that the rows must hold (`MWV`, `WI lost`); empty: all rows.
    pub only: String,
    /// Points of the chart.
    pub chart: bool,
    /// AIS targets.
    pub targets: bool,
    /// Rows per client of the outputs.
    pub outputs: bool,
    /// The events.
    pub events: bool,
    /// The control pane's keys with their values.
    pub controls: bool,
    /// The counts by type (`f`).
    pub types: bool,
    /// The row to take apart.
    pub inspect: Option<RowKey>,
    /// The text of the rows as hex bytes (`24 47 50 …`, at most 130 bytes) instead of visible text.
    pub hex: bool,
}

/// One end of the border: a screen holds this, and does not know whether the session is in the process or elsewhere.
pub struct Watcher {
    /// Bounded; a full queue means the session is stuck, and the screen says so.
    pub requests: mpsc::Sender<Request>,
    /// Answers and alarms, in order.
    pub answers: mpsc::Receiver<Answer>,
    /// The newest snapshot.
    pub snapshots: watch::Receiver<Arc<Snapshot>>,
}

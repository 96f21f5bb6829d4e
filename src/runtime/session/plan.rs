//! What a session begins with, and what can be opened later.
//!
//! Plain descriptions: nothing here opens anything.

use std::path::PathBuf;

use crate::core::input::InputSpec;
use crate::core::log;
use crate::core::output::OutputSpec;
use crate::core::profile::Profile;
use crate::core::time::Offset;
use crate::core::transport::{Source, Transport};
use crate::runtime::clock::Clock;
use crate::runtime::events::Events;
use crate::runtime::recorder::{Mode as FileMode, Rotation};
use crate::runtime::session::snapshot::Mode;

/// Everything a session is told at its start.
pub struct Plan {
    /// What to open.
    pub choice: Choice,
    /// Where to send.
    pub outputs: Vec<OutputSpec>,
    /// Record from the start.
    pub record: Option<(PathBuf, FileMode)>,
    /// Where `R` records.
    pub folder: PathBuf,
    /// When a recording begins another file.
    pub rotation: Rotation,
    /// Stop after so much of the source's own time.
    pub duration: Option<Offset>,
    /// Carried out before it plays: speed, loop, where to start.
    pub first: Vec<Transport>,
    /// Does not play until somebody says so.
    pub paused: bool,
    /// Ends with its source (headless).
    pub ends: bool,
    /// A report of what was heard is written here at the end.
    pub report: Option<PathBuf>,
    /// Where the user's profiles are, for the list of what can be opened.
    pub profiles: Option<PathBuf>,
    /// Where marks in logs are kept.
    pub marks: MarksFolder,
    /// How logs that are opened later are read.
    pub reading: log::Options,
    /// The clock.
    pub clock: Clock,
    /// Where events go.
    pub events: Events,
}

impl Plan {
    /// A session of this source, with nothing else.
    pub fn new(choice: Choice, clock: Clock) -> Plan {
        Plan {
            choice,
            outputs: Vec::new(),
            record: None,
            folder: PathBuf::from("."),
            rotation: Rotation::default(),
            duration: None,
            first: Vec::new(),
            paused: false,
            ends: false,
            report: None,
            profiles: None,
            marks: MarksFolder::default(),
            reading: log::Options::default(),
            clock,
            events: Events::new(clock),
        }
    }
}

/// Where marks are kept between sessions; `None`: nowhere.
#[derive(Clone, Debug, Default)]
pub struct MarksFolder(pub Option<PathBuf>);

/// What to open.
pub enum Choice {
    /// The model, by a profile and the file it came from.
    Simulation {
        /// What to simulate.
        profile: Box<Profile>,
        /// Where it is saved; `None`: built in.
        path: Option<PathBuf>,
    },
    /// The model along a track.
    Track {
        /// A GPX or KML file.
        file: PathBuf,
        /// What sails along it.
        profile: Box<Profile>,
        /// Where that is saved.
        path: Option<PathBuf>,
    },
    /// One log, or several as one timeline.
    Replay {
        /// Their paths.
        files: Vec<PathBuf>,
        /// How they are read.
        options: log::Options,
        /// Is opened to its end before it plays, because something asks for its length.
        whole: bool,
    },
    /// Live feeds.
    Live {
        /// Their SPECs; the n-th is input n.
        inputs: Vec<InputSpec>,
        /// Sentences without checksum are skipped.
        strict: bool,
    },
    /// A source that somebody made.
    Source {
        /// The source.
        source: Box<dyn Source>,
        /// What it counts as.
        mode: Mode,
        /// What it is called.
        name: String,
    },
}

/// What a session that goes on is to become: its profile was read again.
pub struct Reload {
    /// What to open.
    pub choice: Choice,
    /// Where to send; outputs that stay the same are not touched.
    pub outputs: Vec<OutputSpec>,
    /// Carried out before it plays.
    pub first: Vec<Transport>,
}

/// How a session ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Why the source could not go on.
    pub failed: Option<String>,
    /// Sentences that standard output, files and logs lost, by output.
    pub lost: Vec<(String, u64)>,
    /// Full path and sentences of the last recording.
    pub recorded: Option<(String, u64)>,
    /// Sentences that the recorder lost.
    pub unrecorded: u64,
    /// A report was written: whether it holds errors, and how it sums up.
    pub report: Option<(bool, String)>,
    /// How late sentences were, of a source that is played.
    pub late: crate::core::delays::Delays,
}

impl Outcome {
    /// What is to be said of a run that did not do its work, one line each.
    pub fn complaints(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.failed.iter().cloned().collect();
        lines.extend(self.lost.iter().map(|(output, n)| format!("{output}: {n} sentences lost")));
        lines
    }
}

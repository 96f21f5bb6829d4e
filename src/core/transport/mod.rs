//! The transport: play, pause, step, speed, loops and gap limit over any source. Pure: wall time is an argument.
//!
//! Here is what a source is; [`player`] maps wall time to a source's own time. Must not wait, spawn or read a clock.

use serde::{Deserialize, Serialize};

use crate::core::frame::{Frame, Place};
use crate::core::profile::Profile;
use crate::core::time::{Offset, Utc};
use crate::core::vessel::Vessel;

pub mod player;
pub mod speed;
pub mod target;

pub use player::{Player, Report, Run, Waiting, Wake};
pub use speed::SPEEDS;

/// What a source can do besides going forward.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Can {
    /// Has positions that one can go to.
    pub seek: bool,
    /// Can go back by one sentence.
    pub step_back: bool,
    /// Takes [`Change`]s: set, nudge, release, faults.
    pub set: bool,
}

/// Where to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum To {
    /// Before the first sentence.
    Start,
    /// Behind the last sentence.
    End,
    /// Before the first sentence at or after this offset.
    Offset(Offset),
    /// Before the sentence at this place, or the first after it.
    Place(Place),
    /// Before the first sentence on this line or after it (of the first file).
    Line(u64),
    /// So many units on (negative: back).
    Move(Unit, i64),
}

/// What a step or a move counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// One sentence.
    Sentence,
    /// Up to the next sentence whose own time differs; without such sentences, whose offset differs.
    Epoch,
    /// A skipped line.
    Bad,
    /// A warning.
    Warning,
    /// A gap or a break.
    Gap,
}

/// What moves the play head, or how it moves. The player carries it out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// Go on.
    Play,
    /// Stand still; loses no time.
    Pause,
    /// The other of the two.
    Toggle,
    /// Sends so many units (sentence or epoch) and pauses; negative goes back and sends nothing.
    Step(Unit, i64),
    /// The play head goes there; nothing is sent; goes on playing if it was.
    Seek(To),
    /// As `Seek`, to where a person said.
    Go(target::Target),
    /// Hundredths of real time, 10 to 100 000; `None`: as fast as the outputs take it.
    Speed(Option<u32>),
    /// Loop over everything, a stretch with exact ends, or not at all.
    Loop(Looping),
    /// Where the play head stands: first A of an A-B loop, then B; a third time ends the loop. A stretch begins with what
    /// is still to be said and ends with what was said; B on the last sentence includes it.
    LoopPoint,
    /// Wait no longer than this for the next sentence.
    Gap(Option<Offset>),
    /// Send to outputs, or only look.
    Emit(bool),
}

/// What is repeated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Looping {
    /// Nothing: ends at the end.
    #[default]
    Off,
    /// Everything.
    All,
    /// From A up to, not including, B; B is left exactly when its time has come.
    Stretch(Offset, Offset),
}

/// A change of the simulated vessel. Names are the keys of the profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Gives a key a value, as text as in `--set KEY=VALUE`; a drifting quantity is pinned there.
    Set {
        /// `vessel.heading`, `sentences.RMC.enabled` …
        key: String,
        /// The value as TOML would read it; bare words are strings.
        value: String,
    },
    /// Moves a quantity by so much, then pins it.
    Nudge {
        /// The key of a number.
        key: String,
        /// In the unit of the key.
        by: f64,
    },
    /// Lets a pinned quantity drift back into its band.
    Release {
        /// The key.
        key: String,
    },
    /// Back to what the profile says, everything released.
    Reset,
    /// All of these in order and at one moment, or none where one of them is refused.
    Several(Vec<Change>),
}

impl Change {
    /// Its parts, each of which changes one thing.
    pub fn singles(&self) -> Vec<&Change> {
        match self {
            Change::Several(parts) => parts.iter().flat_map(Change::singles).collect(),
            one => vec![one],
        }
    }
}

/// When a sentence was said last, and how often of late.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// As in profiles: `MWV-R`; `custom.0` for the user's own.
    pub id: String,
    /// Offset of the last one.
    pub last: Offset,
    /// How many in the last 60 s of the source's time.
    pub minute: u32,
}

/// How far it is to the next epoch ([`Unit::Epoch`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// Exactly so many sentences; all that are left when there is no other epoch.
    Sentences(usize),
    /// All that are due before this offset.
    Before(Offset),
}

/// Why a source cannot go on or cannot do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// This kind of source cannot do that at all.
    #[error("{0}")]
    Cannot(String),
    /// What was asked is not valid: an unknown key, a value out of range.
    #[error("{0}")]
    Invalid(String),
    /// Reading failed.
    #[error("{what}: {error}")]
    Io {
        /// The file.
        what: String,
        /// What the system said.
        error: std::io::Error,
    },
}

/// Says sentences at moments of its own time: simulation, track, replay. (Live inputs are pushed and do not implement it.)
pub trait Source: Send {
    /// What it can do.
    fn can(&self) -> Can;
    /// Offset of the next sentence; `None` at the end. May change when the source is set.
    fn next_due(&mut self) -> Result<Option<Offset>, SourceError>;
    /// Appends what is due at or before `until`, in order, at most `room`. The bytes never depend on how often it is called.
    fn poll(&mut self, until: Offset, room: usize, out: &mut Vec<Frame>) -> Result<(), SourceError>;
    /// Stands before another sentence; the vessel becomes what everything before it would have made it. Says nothing.
    /// Returns the offset at which the source now stands: that of the next sentence, of the last one at the end.
    fn seek(&mut self, to: To) -> Result<Offset, SourceError>;
    /// Offset of the last sentence; `None` when endless or not yet known.
    fn duration(&self) -> Option<Offset>;
    /// It has an end that is not yet known: a log that is still being read.
    fn is_growing(&self) -> bool {
        false
    }
    /// The vessel after the last sentence said.
    fn vessel(&self) -> &Vessel;
    /// UTC of the source at an offset: simulated clock, or the stamps of a log. `None` when it has none.
    fn utc(&self, offset: Offset) -> Option<Utc>;
    /// Sets, nudges, releases, faults: takes effect at the next step of the model, and is journalled with that step's number.
    fn set(&mut self, change: &Change) -> Result<(), SourceError>;
    /// What lies between here and the next epoch. `None`: the source does not know epochs, the caller goes by offsets.
    fn to_epoch(&mut self) -> Result<Option<Ahead>, SourceError> {
        Ok(None)
    }
    /// The caller is late by more than [`player::STALL`]: of each kind of sentence, leaves out the rounds due before the
    /// last one at or before `until` (VESSEL §3), and counts them. `false`: this source leaves out nothing (a log goes on
    /// where it was, P5).
    fn leave_out(&mut self, _until: Offset) -> Result<bool, SourceError> {
        Ok(false)
    }
    /// Rounds that were left out because the caller came too late (VESSEL §3), so far. A replay never leaves out any.
    fn missed(&self) -> u64 {
        0
    }
    /// The profile as it runs now, of a source that has one: what the control pane shows, and what is saved.
    fn profile(&self) -> Option<&Profile> {
        None
    }
    /// Rises whenever that profile has changed, also by itself: by a step of its scenario, on a way back.
    fn edition(&self) -> u64 {
        0
    }
    /// Whether anybody has changed it while it ran; the steps of a scenario are nobody.
    fn is_touched(&self) -> bool {
        false
    }
    /// That profile as it was when the source began.
    fn profile_at_start(&self) -> Option<&Profile> {
        None
    }
    /// Whether a quantity is held where a change put it.
    fn is_pinned(&self, _key: &str) -> bool {
        false
    }
    /// What the keys are now that the source itself moves: position, heading, depth, the places of targets. `exact`: at
    /// this very moment, else after the last sentence, which costs nothing.
    fn moving(&self, _exact: bool) -> Vec<(String, f64)> {
        Vec::new()
    }
    /// Which sentences were said, when last, and how often of late; of a source that knows them by their ids.
    fn said(&self) -> Vec<Said> {
        Vec::new()
    }
    /// How long one round of an endless source lasts: a track that begins again at its end.
    fn lap(&self) -> Option<Offset> {
        None
    }
    /// The profile with everything that was asked while it ran as steps of its scenario.
    ///
    /// # Errors
    /// A source that has none.
    fn scenario(&self) -> Result<Profile, SourceError> {
        Err(SourceError::Cannot("only a simulation can be saved as a scenario".into()))
    }
    /// What a person should know of how it runs, one line each: a magnetic model beyond its years, sentences too long.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
    /// Faults injected so far, by kind.
    fn faults(&self) -> Vec<(String, u64)> {
        Vec::new()
    }
    /// Where the play head stands in a log: the place of the next sentence (of the last one at the end), and the number
    /// of sentences before it.
    fn head(&self) -> Option<(Place, u64)> {
        None
    }
}

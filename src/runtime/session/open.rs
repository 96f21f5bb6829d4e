//! Opening a source: from a choice, or from what a person typed, to something that plays or listens.
//!
//! May take long and runs on a thread of its own; starts nothing.

use std::path::PathBuf;

use super::plan::Choice;
use super::snapshot::Mode;
use crate::core::input::InputSpec;
use crate::core::profile::Profile;
use crate::core::transport::Source;

/// A source that is ready.
pub struct Opened {
    /// How it speaks.
    pub kind: Kind,
    /// What it counts as.
    pub mode: Mode,
    /// What it is called.
    pub name: String,
    /// For a log's header and the names of recordings.
    pub label: String,
    /// The profile as it stands in its file.
    pub profile: Option<Box<Profile>>,
    /// Where that is.
    pub path: Option<PathBuf>,
    /// Files that must not be written while it is open.
    pub files: Vec<PathBuf>,
}

/// How a source speaks.
pub enum Kind {
    /// When it is asked.
    Pulled(Box<dyn Source>),
    /// When it likes.
    Pushed {
        /// What to listen to.
        inputs: Vec<InputSpec>,
        /// Sentences without checksum are skipped.
        strict: bool,
    },
}

/// Opens what was chosen.
///
/// # Errors
/// One or two lines: what, why not, what to do.
pub fn open(choice: Choice) -> Result<Opened, String> {
    match choice {
        Choice::Source { source, mode, name } => Ok(Opened {
            kind: Kind::Pulled(source),
            mode,
            label: name.clone(),
            name,
            profile: None,
            path: None,
            files: Vec::new(),
        }),
        Choice::Live { inputs, strict } => {
            let specs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
            let files = inputs.iter().filter_map(|i| match i {
                InputSpec::File(path) => Some(PathBuf::from(path)),
                _ => None,
            });
            Ok(Opened {
                files: files.collect(),
                kind: Kind::Pushed { inputs, strict },
                mode: Mode::Live,
                name: specs.join(" "),
                label: specs.first().cloned().unwrap_or_default(),
                profile: None,
                path: None,
            })
        }
        Choice::Simulation { .. } => Err("no simulation in this build".into()),
    }
}

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

/// What a person means who types this: a live feed's SPEC, a profile, a track, a log.
///
/// # Errors
/// One line with what can be opened.
pub fn choose(text: &str, reading: crate::core::log::Options) -> Result<Choice, String> {
    let text = text.trim();
    if text == "-" || ["serial:", "tcp:", "udp:"].iter().any(|kind| text.starts_with(kind)) {
        let inputs = text.split_whitespace().map(InputSpec::parse).collect::<Result<_, _>>()?;
        return Ok(Choice::Live { inputs, strict: reading.strict });
    }
    if text.starts_with("file:") {
        return Ok(Choice::Live { inputs: vec![InputSpec::parse(text)?], strict: reading.strict });
    }
    if text.ends_with(".toml") {
        let path = PathBuf::from(text);
        let profile = Box::new(read_profile(&path)?);
        return Ok(Choice::Simulation { profile, path: Some(path) });
    }
    Err(format!("{}: no log, profile or live feed", crate::core::visible::text(text.as_bytes())))
}

/// Reads a profile from its file.
///
/// # Errors
/// One line for the file, or one for each thing that is wrong in it.
pub fn read_profile(path: &std::path::Path) -> Result<Profile, String> {
    let shown = crate::core::visible::text(path.as_os_str().as_encoded_bytes());
    let text = std::fs::read_to_string(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => format!("{shown}: no such profile"),
        std::io::ErrorKind::InvalidData => format!("{shown}: not a text file"),
        _ => format!("{shown}: {e}"),
    })?;
    Profile::parse(&text, &shown).map_err(|e| e.lines().join("\n"))
}

/// Whether what goes out there comes in here.
pub fn is_echo(input: &InputSpec, way: &crate::core::output::Way) -> bool {
    use crate::core::output::Way;
    let local = |host: &str| matches!(host, "localhost" | "127.0.0.1" | "::1" | "0.0.0.0");
    match (input, way) {
        (InputSpec::Serial(from), Way::Serial(to)) => {
            let real = |p: &str| std::fs::canonicalize(p).unwrap_or_else(|_| PathBuf::from(p));
            real(&from.device) == real(&to.device)
        }
        (InputSpec::Tcp { host, port }, Way::TcpServer { address, port: own }) => {
            port == own && (local(host) || *host == address.to_string())
        }
        (InputSpec::Tcp { host, port }, Way::TcpClient { host: to, port: own }) => port == own && host == to,
        (InputSpec::Udp { address, port }, Way::Udp { host, port: own }) => {
            port == own && (local(host) || address.is_none_or(|a| a.to_string() == *host))
        }
        (InputSpec::Udp { address, port }, Way::UdpMulticast { group, port: own, .. }) => {
            port == own && address.is_none_or(|a| a == *group)
        }
        (InputSpec::Udp { port, .. }, Way::UdpBroadcast { port: own, .. }) => port == own,
        (InputSpec::File(from), Way::File { path } | Way::Log { path }) => from == path,
        _ => false,
    }
}

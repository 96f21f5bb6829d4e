//! Opening a source: from a choice, or from what a person typed, to something that plays or listens.
//!
//! May take long and runs on a thread of its own; starts nothing.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::plan::Choice;
use super::snapshot::Mode;
use crate::core::input::InputSpec;
use crate::core::log::index::Index;
use crate::core::log::opening::Opening;
use crate::core::log::{self, Log, OpenError, Summary, read_at};
use crate::core::profile::Profile;
use crate::core::replay::{Part, Replay};
use crate::core::sim::Simulation;
use crate::core::time::{Offset, Utc};
use crate::core::track::{self, Ends, Sailing, Track};
use crate::core::transport::Source;
use crate::runtime::history::POINTS;

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
    pub profile: Option<Arc<Profile>>,
    /// Where that is.
    pub path: Option<PathBuf>,
    /// Files that must not be written while it is open.
    pub files: Vec<PathBuf>,
    /// What lists and searches read.
    pub log: Option<Logs>,
    /// Where a track goes, for the chart.
    pub ahead: Vec<(f64, f64)>,
}

impl Opened {
    /// Replaces an input of a live feed.
    pub fn change_input(&mut self, n: usize, spec: InputSpec) {
        if let Kind::Pushed { inputs, .. } = &mut self.kind
            && let Some(old) = inputs.get_mut(n)
        {
            *old = spec;
            self.name_after_inputs();
        }
    }

    /// A live feed is called by its inputs, and reads their files.
    fn name_after_inputs(&mut self) {
        let Kind::Pushed { inputs, .. } = &self.kind else { return };
        let specs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
        let files = inputs.iter().filter_map(|i| match i {
            InputSpec::File(path) => Some(PathBuf::from(path)),
            _ => None,
        });
        self.files = files.collect();
        self.name = specs.join(" ");
        self.label = specs.first().cloned().unwrap_or_default();
    }

    /// How a log is timed; `None`: no log.
    pub fn tier(&self) -> Option<log::Tier> {
        self.log.as_ref().and_then(|l| l.files.first()).map(|f| f.index.timing().tier)
    }
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

/// Opens what was chosen. `now` is the UTC at which a simulated clock starts; `go_on` hears how far a long opening has come,
/// 0 to 1, and may end it.
///
/// # Errors
/// One or two lines: what, why not, what to do.
pub fn open(choice: Choice, now: Utc, go_on: &mut dyn FnMut(f32) -> bool) -> Result<Opened, String> {
    match choice {
        Choice::Source { source, mode, name } => Ok(Opened {
            kind: Kind::Pulled(source),
            mode,
            label: name.clone(),
            name,
            profile: None,
            path: None,
            files: Vec::new(),
            log: None,
            ahead: Vec::new(),
        }),
        Choice::Live { inputs, strict } => {
            let mut opened = Opened {
                files: Vec::new(),
                kind: Kind::Pushed { inputs, strict },
                mode: Mode::Live,
                name: String::new(),
                label: String::new(),
                profile: None,
                path: None,
                log: None,
                ahead: Vec::new(),
            };
            opened.name_after_inputs();
            Ok(opened)
        }
        Choice::Simulation { profile, path } => Ok(Opened {
            kind: Kind::Pulled(Box::new(Simulation::new((*profile).clone(), now))),
            mode: Mode::Simulate,
            name: profile.name.clone(),
            label: profile.name.clone(),
            profile: Some(profile.into()),
            path,
            files: Vec::new(),
            log: None,
            ahead: Vec::new(),
        }),
        Choice::Track { file, profile, path } => track(&file, profile, path, now),
        Choice::Replay { files, options, whole } => replay(&files, options, whole, go_on),
    }
}

fn track(file: &Path, profile: Box<Profile>, path: Option<PathBuf>, now: Utc) -> Result<Opened, String> {
    let name = shown(file);
    let bytes = std::fs::read(file).map_err(|e| format!("{name}: {}", OpenError::from(e)))?;
    let document = track::read(&bytes).map_err(|e| format!("{name}: {e}"))?;
    let sailing = Sailing {
        speed_kn: profile.track.speed,
        ignore_timestamps: profile.track.ignore_timestamps,
        ends: if profile.track.looping { Ends::Loop } else { Ends::Hold },
    };
    let track = Track::new(document, &sailing);
    // What the chart shows of the way: at most as many points as it draws.
    let every = track.len().div_ceil(POINTS).max(1);
    let ahead = track.positions().step_by(every).map(|p| (p.latitude, p.longitude)).collect();
    Ok(Opened {
        mode: Mode::Track,
        label: name.clone(),
        name: track.name().map_or_else(|| base_name(file), |n| crate::core::visible::text(n.as_bytes())),
        kind: Kind::Pulled(Box::new(Simulation::with_track((*profile).clone(), track, now))),
        profile: Some(profile.into()),
        path,
        files: Vec::new(),
        log: None,
        ahead,
    })
}

fn replay(
    files: &[PathBuf],
    options: log::Options,
    whole: bool,
    go_on: &mut dyn FnMut(f32) -> bool,
) -> Result<Opened, String> {
    let mut parts = Vec::new();
    let mut logs = Vec::new();
    let share = 1.0 / files.len().max(1) as f32;
    for (i, file) in files.iter().enumerate() {
        let name = shown(file);
        let opening = Reading::start(file, options).map_err(|e| format!("{name}: {e}"))?;
        let until_the_end = whole || files.len() > 1;
        opening
            .wait(until_the_end, &mut |done| go_on((i as f32 + done) * share))
            .map_err(|e| format!("{name}: {e}"))?;
        parts.push(Part { name, log: Log::new(&opening.index, log::hear) });
        logs.push(opening);
    }
    let mut replay = Replay::new(parts, log::hear).map_err(|e| e.to_string())?;
    let seeking = Arc::new(Seeking::default());
    let told = seeking.clone();
    replay.watch(Some(Box::new(move |done| {
        let thousandths = if done >= 1.0 { 0 } else { (done * 1000.0) as u32 };
        told.progress.store(thousandths, Ordering::Relaxed);
        !told.cancel.load(Ordering::Relaxed)
    })));
    let names = replay.names();
    // The replay may have put them into another order.
    logs.sort_by_key(|l| names.iter().position(|n| *n == l.name));
    let bases = (0..logs.len()).map(|i| replay.base(i as u16)).collect();
    let name = match files {
        [one] => base_name(one),
        [first, rest @ ..] => format!("{} and {} more", base_name(first), rest.len()),
        [] => String::new(),
    };
    Ok(Opened {
        mode: Mode::Replay,
        label: files.first().map(|f| shown(f)).unwrap_or_default(),
        name,
        profile: None,
        path: None,
        files: files.to_vec(),
        log: Some(Logs { files: logs, bases, options, seeking }),
        ahead: Vec::new(),
        kind: Kind::Pulled(Box::new(replay)),
    })
}

/// Logs that are open: what lists and searches read.
pub struct Logs {
    /// In the order of the timeline.
    pub files: Vec<Arc<Reading>>,
    /// Where each begins in the timeline.
    pub bases: Vec<Offset>,
    /// How they are read.
    pub options: log::Options,
    /// How far a long seek has come.
    pub seeking: Arc<Seeking>,
}

/// A long seek: its progress, and how it is ended.
#[derive(Debug, Default)]
pub struct Seeking {
    /// Thousandths; 0 while none runs.
    pub progress: AtomicU32,
    /// Ends it.
    pub cancel: AtomicBool,
}

/// A log that is read to its end on a thread of its own, and then once more for the checkpoints of its vessel.
pub struct Reading {
    /// As it was given.
    pub name: String,
    /// Grows while the log is read.
    pub index: Index,
    done: Mutex<Option<Result<Summary, String>>>,
    stop: AtomicBool,
}

impl Reading {
    fn start(path: &Path, options: log::Options) -> Result<Arc<Reading>, OpenError> {
        let opening = Opening::new(read_at::open_path(path)?, options);
        let reading = Arc::new(Reading {
            name: shown(path),
            index: opening.index(),
            done: Mutex::default(),
            stop: AtomicBool::new(false),
        });
        let own = Arc::downgrade(&reading);
        let index = reading.index.clone();
        let worker = std::thread::Builder::new().name("index".into()).spawn(move || {
            // Ends by itself when nobody holds the log any more.
            let alive = || own.upgrade().is_some_and(|r| !r.stop.load(Ordering::Relaxed));
            let result = opening.run(&mut |_| alive()).map_err(|e| e.to_string());
            let whole = result.is_ok();
            if let Some(reading) = own.upgrade() {
                *reading.done.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
            }
            if whole {
                // A seek works without them, only slower: an error here is seen again by whoever reads.
                let _slower = Log::new(&index, log::hear).checkpoint(&mut |_| alive());
            }
        });
        worker.map_err(OpenError::Io)?;
        Ok(reading)
    }

    /// Waits until it can be played, or until it is read to its end.
    fn wait(&self, whole: bool, go_on: &mut dyn FnMut(f32) -> bool) -> Result<(), String> {
        loop {
            if let Some(result) = &*self.done.lock().unwrap_or_else(PoisonError::into_inner) {
                return result.clone().map(|_| ());
            }
            let timing = self.index.timing();
            if timing.certain && !whole && self.index.sentences() > 0 && timing.size > EAGER {
                return Ok(());
            }
            if !go_on(timing.indexed as f32 / timing.size.max(1) as f32) {
                self.stop.store(true, Ordering::Relaxed);
                return Err("cancelled".into());
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }

    /// What was found out, once it is read to its end.
    pub fn summary(&self) -> Option<Result<Summary, String>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A log up to this size is read to its end before it plays: it takes a moment, and then everything about it is known.
const EAGER: u64 = 32 << 20;

/// The last part of a path as visible text.
pub fn base_name(path: &Path) -> String {
    path.file_name().map_or_else(|| shown(path), |n| crate::core::visible::text(n.as_encoded_bytes()))
}

/// A path as visible text.
pub fn shown(path: &Path) -> String {
    crate::core::visible::text(path.as_os_str().as_encoded_bytes())
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
    let path = PathBuf::from(text);
    let ends = |end: &str| text.to_ascii_lowercase().ends_with(end);
    if ends(".toml") {
        let profile = Box::new(read_profile(&path)?);
        return Ok(Choice::Simulation { profile, path: Some(path) });
    }
    if ends(".gpx") || ends(".kml") {
        return Ok(Choice::Track { file: path, profile: Box::new(Profile::built_in()), path: None });
    }
    Ok(Choice::Replay { files: vec![path], options: reading, whole: false })
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

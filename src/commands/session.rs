//! What the commands that run a session share: their options, and how they become a plan.

use std::path::{Path, PathBuf};

use nmeasimx::core::log;
use nmeasimx::core::output::{OutputSpec, USUAL_PORT, Way};
use nmeasimx::core::profile::Profile;
use nmeasimx::core::time::{MILLISECOND, Offset, SECOND};
use nmeasimx::core::transport::player::speed_from_text;
use nmeasimx::core::transport::target::Target;
use nmeasimx::core::transport::{Looping, Transport};
use nmeasimx::runtime::clock::Clock;
use nmeasimx::runtime::control::Address;
use nmeasimx::runtime::events::Events;
use nmeasimx::runtime::recorder::{Mode as FileMode, Rotation};
use nmeasimx::runtime::session::plan::MarksFolder;
use nmeasimx::runtime::session::{Choice, Plan};

use super::folders::{config_folder, data_folder, find_profile};

/// Options of every session.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Session")]
pub struct Common {
    /// Where to send, repeatable; replaces the profile's outputs: tcp-server:[ADDR:]PORT tcp-client:HOST:PORT udp:HOST:PORT
    /// udp-broadcast:[IFACE:]PORT udp-multicast:GROUP:PORT websocket:[ADDR:]PORT serial:DEVICE[@BAUD] pty[:LINK] file:PATH
    /// log:PATH stdout, with ;filter=RMC,GGA ;encoding=nmea0183|signalk|viewsync|iec61162-450 ;tag=II0001 ;tag_time=ms ;period=500ms
    #[arg(short, long = "output", value_name = "SPEC", value_parser = OutputSpec::parse)]
    pub outputs: Vec<OutputSpec>,
    /// Record everything to this log as well (appends)
    #[arg(long, value_name = "PATH")]
    pub record: Option<PathBuf>,
    /// Replace the log given with --record
    #[arg(long, requires = "record")]
    pub force: bool,
    /// Stop after so much of the source's own time
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub duration: Option<Offset>,
    /// 0.1 to 1000 times real time, or max: as fast as the outputs take it
    #[arg(long, value_name = "X", value_parser = Speed::parse)]
    pub speed: Option<Speed>,
    /// Begin again at the end
    #[arg(long = "loop")]
    pub looping: bool,
    /// Stand still until somebody says play
    #[arg(long)]
    pub paused: bool,
    /// Where to begin: 09:45, +10:00 or +90s, 50%
    #[arg(long, value_name = "WHERE", allow_hyphen_values = true, value_parser = Target::parse)]
    pub start: Option<Target>,
    /// Write a report of what was heard when it ends (.txt, .md or .json); exit status 4 when it holds errors
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Say at the end of a headless run how late sentences were sent
    #[arg(long)]
    pub timing: bool,
    /// Run without a screen, with status lines on standard error
    #[arg(long)]
    pub headless: bool,
    /// Headless: no status lines
    #[arg(short, long)]
    pub quiet: bool,
    /// Headless: how the status is told; json is one object a second
    #[arg(long, value_name = "FORM", value_enum, default_value_t = StatusForm::Text)]
    pub status: StatusForm,
    /// Let others watch and command this session: unix:PATH, tcp:127.0.0.1:PORT, or alone a socket of its own
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "", value_parser = control)]
    pub control: Option<Address>,
    /// Write the program's own log to this file (a screen has one anyway: nmeasimx/nmeasimx.log in the XDG state folder)
    #[arg(long, value_name = "PATH")]
    pub log_file: Option<PathBuf>,
    /// More in the program's own log
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// What concerns the screen.
    #[command(flatten)]
    pub screen: super::screen::Options,
}

/// Options of a simulation.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Simulation")]
pub struct Simulated {
    /// A profile: a path, or a name looked for in ./profiles and ~/.config/nmeasimx/profiles (default: built in)
    #[arg(short, long, value_name = "PROFILE")]
    pub profile: Option<String>,
    /// Send this sentence too, repeatable
    #[arg(long, value_name = "ID")]
    pub enable: Vec<String>,
    /// Do not send this sentence, repeatable
    #[arg(long, value_name = "ID")]
    pub disable: Vec<String>,
    /// Period of every sentence that is sent, milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(50..=3_600_000))]
    pub rate: Option<u32>,
    /// Seed of everything random
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Give any key of the profile a value, repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// Options of reading a log.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Reading")]
pub struct Reading {
    /// Wait no longer than this for the next sentence
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub max_gap: Option<Offset>,
    /// Spacing of sentences where a log has no times at all (100)
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(0..=60_000))]
    pub interval: Option<u32>,
    /// Skip sentences without a checksum
    #[arg(long)]
    pub require_checksum: bool,
    /// What counts as a gap (10)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub gap: Option<Offset>,
}

/// Hundredths of real time; `None` is max.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed(pub Option<u32>);

impl Speed {
    fn parse(text: &str) -> Result<Speed, String> {
        speed_from_text(text).map(Speed)
    }
}

/// How a headless run tells how it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum StatusForm {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// A choice of source, with what the profile says of everything else.
pub struct Chosen {
    /// What to open.
    pub choice: Choice,
    /// Outputs of the profile.
    pub outputs: Vec<OutputSpec>,
    /// Served when neither command line nor profile name an output.
    pub serves: bool,
    /// Carried out before it plays.
    pub first: Vec<Transport>,
    /// How logs are read.
    pub reading: log::Options,
    /// Where recordings go.
    pub record: nmeasimx::core::profile::schema::Record,
    /// The folder that relative paths of the profile count from.
    pub folder: PathBuf,
}

impl Reading {
    /// Command line over profile.
    pub fn options(&self, profile: &Profile) -> log::Options {
        let of = &profile.replay;
        log::Options {
            strict: self.require_checksum || of.require_checksum,
            interval: Offset::from(self.interval.unwrap_or(of.interval)) * MILLISECOND,
            gap: self.gap.unwrap_or((of.gap * SECOND as f64) as Offset),
        }
    }
}

impl Simulated {
    /// The profile with all that the command line changes in it, and where it came from.
    ///
    /// # Errors
    /// One or more lines: file, line and key, and what would be right.
    pub fn read(&self) -> Result<(Profile, Option<PathBuf>), String> {
        let (mut profile, path) = match &self.profile {
            Some(name) => find_profile(name)?,
            None => (Profile::built_in(), None),
        };
        let mut set = |key: &str, value: &str| profile.set(key, value).map(|_| ());
        if let Some(seed) = self.seed {
            set("simulation.seed", &seed.to_string())?;
        }
        for (ids, value) in [(&self.enable, "true"), (&self.disable, "false")] {
            for id in ids.iter().flat_map(|ids| ids.split(',')).map(str::trim).filter(|id| !id.is_empty()) {
                set(&format!("sentences.{}.enabled", id.to_ascii_uppercase()), value)?;
            }
        }
        for change in &self.set {
            let Some((key, value)) = change.split_once('=') else {
                return Err(format!("--set {change:?}: give KEY=VALUE, as in vessel.speed=6.5"));
            };
            set(key.trim(), value.trim()).map_err(|e| format!("--set: {e}"))?;
        }
        if let Some(rate) = self.rate {
            let ids: Vec<&str> = nmeasimx::core::profile::check::sentence_ids().collect();
            for id in ids {
                let enabled = profile.get(&format!("sentences.{id}.enabled"));
                if enabled.as_deref() != Ok("false") {
                    profile.set(&format!("sentences.{id}.period"), &format!("{rate}ms"))?;
                }
            }
        }
        Ok((profile, path))
    }
}

impl Chosen {
    /// What a profile chooses: the model, a track, a log.
    ///
    /// # Errors
    /// A track or a replay without a file.
    pub fn by_profile(profile: Profile, path: Option<PathBuf>, reading: &Reading) -> Result<Chosen, String> {
        use nmeasimx::core::profile::schema::Mode;
        let folder = path.as_deref().and_then(Path::parent).map(Path::to_path_buf).unwrap_or_default();
        let options = reading.options(&profile);
        let mut first = vec![Transport::Speed(profile.simulation.speed)];
        let (record, outputs) = (profile.record.clone(), profile.outputs());
        let choice = match profile.simulation.mode {
            Mode::Simulate => Choice::Simulation { profile: Box::new(profile), path },
            Mode::Track => {
                let file = profile.track.file.clone();
                let file = file.ok_or("the profile follows a track but names none: set track.file")?;
                Choice::Track { file: Profile::path(&folder, &file), profile: Box::new(profile), path }
            }
            Mode::Replay => {
                if profile.replay.files.is_empty() {
                    return Err("the profile replays a log but names none: set replay.files".into());
                }
                if profile.replay.looping {
                    first.push(Transport::Loop(Looping::All));
                }
                first.extend(profile.replay.max_gap.map(|s| Transport::Gap(Some((s * SECOND as f64) as Offset))));
                let files = profile.replay.files.iter().map(|f| Profile::path(&folder, f)).collect();
                Choice::Replay { files, options, whole: false }
            }
        };
        Ok(Chosen { choice, outputs, serves: true, first, reading: options, record, folder })
    }
}

impl Common {
    /// Without a screen.
    pub fn is_headless(&self, outputs: &[OutputSpec]) -> bool {
        self.headless || outputs.iter().any(|o| o.way == Way::Stdout)
    }

    /// The plan of a session.
    ///
    /// # Errors
    /// One line: what does not go together.
    pub fn plan(&self, mut chosen: Chosen, clock: Clock, events: Events) -> Result<Plan, String> {
        let mut outputs = if self.outputs.is_empty() { chosen.outputs } else { self.outputs.clone() };
        for output in &mut outputs {
            if let (Way::File { path } | Way::Log { path }, true) = (&mut output.way, self.outputs.is_empty()) {
                *path = Profile::path(&chosen.folder, path).to_string_lossy().into_owned();
            }
        }
        if outputs.is_empty() && chosen.serves {
            let address = std::net::Ipv4Addr::LOCALHOST.into();
            outputs.push(OutputSpec::new(Way::TcpServer { address, port: USUAL_PORT }));
        }
        let headless = self.is_headless(&outputs);
        let mut first = chosen.first;
        first.extend(self.speed.map(|Speed(speed)| Transport::Speed(speed)));
        if self.looping {
            first.push(Transport::Loop(Looping::All));
        }
        if let Some(target) = self.start {
            if let Choice::Replay { whole, .. } = &mut chosen.choice {
                *whole = true; // a percent or a time of day needs the whole log
            }
            first.push(Transport::Go(target));
        }
        let record = chosen.record;
        let folder = match record.folder {
            Some(folder) => Profile::path(&chosen.folder, &folder),
            None => data_folder().join("logs"),
        };
        let rotation = Rotation {
            bytes: record.rotate_size.map(|mb| mb << 20),
            every: record.rotate_time,
            keep: record.keep.and_then(|n| usize::try_from(n).ok()),
            free: record.free_space << 20,
        };
        Ok(Plan {
            choice: chosen.choice,
            outputs,
            record: self.record.clone().map(|p| (p, if self.force { FileMode::Replace } else { FileMode::Append })),
            folder,
            rotation,
            duration: self.duration,
            first,
            paused: self.paused,
            ends: headless,
            report: self.report.clone(),
            profiles: Some(config_folder().join("profiles")),
            marks: MarksFolder(Some(data_folder().join("marks"))),
            reading: chosen.reading,
            clock,
            events,
        })
    }
}

fn seconds(text: &str) -> Result<Offset, String> {
    match text.parse::<f64>() {
        Ok(s) if (0.0..=31_536_000.0).contains(&s) => Ok((s * SECOND as f64).round() as Offset),
        _ => Err("give seconds, as in 90 or 0.5".into()),
    }
}

fn control(text: &str) -> Result<Address, String> {
    if text.is_empty() { Address::fresh() } else { Address::parse(text) }
}

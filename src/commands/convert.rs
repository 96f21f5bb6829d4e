//! `nmeasimx convert`: writes a log again, as format 1 or as plain sentences; cut, filtered, re-timed. In constant memory, and
//! with a pipe on either side.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nmeasimx::core::filter::Filter;
use nmeasimx::core::frame::Place;
use nmeasimx::core::log::read_at::{FileAt, recognise};
use nmeasimx::core::log::split::Splitter;
use nmeasimx::core::log::writer::{self, Stamper};
use nmeasimx::core::log::{Entry, Log, OpenError, Options, Pass, Summary, hear, stream};
use nmeasimx::core::time::{self, DAY, MILLISECOND, Offset, Utc};
use nmeasimx::core::transport::target::Target;
use nmeasimx::runtime::clock::Clock;

use super::complain;
use super::logs::{Bar, shown};

/// What `convert` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The log; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Where to write it (default: standard output)
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Begin here: a time (09:45, 2026-09-23 09:45:10), an offset (+90s, +10:00), a percent (50%) or a line (123)
    #[arg(long, value_name = "WHERE", allow_hyphen_values = true)]
    pub from: Option<String>,
    /// End before this
    #[arg(long, value_name = "WHERE", allow_hyphen_values = true)]
    pub to: Option<String>,
    /// Only these: formatters (RMC), talkers (WI), both (WIMWV) or a start (!)
    #[arg(long, value_name = "LIST")]
    pub filter: Option<String>,
    /// Only the sentences, without times
    #[arg(long, conflicts_with = "retime")]
    pub plain: bool,
    /// New times from now on, on the old cadence
    #[arg(long, value_name = "now")]
    pub retime: Option<Retime>,
    /// Replace OUT if it exists
    #[arg(long)]
    pub force: bool,
    /// Skip sentences without checksum
    #[arg(long)]
    pub require_checksum: bool,
    /// Spacing of sentences where a log has no times at all, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=60_000))]
    pub interval: u32,
}

/// From when on times are new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Retime {
    /// The first sentence is of now.
    Now,
}

/// Converts; the exit status: 2 for wrong arguments, 1 when it failed.
pub fn run(args: &Args, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let wanted = match Wanted::of(args) {
        Ok(wanted) => wanted,
        Err(error) => {
            complain(err, &error);
            return 2;
        }
    };
    match convert(args, &wanted, out, err) {
        Ok(()) => 0,
        Err(Failure::Pipe) => 1,
        Err(Failure::Said(error)) => {
            complain(err, &error);
            1
        }
    }
}

/// The arguments, read.
struct Wanted {
    from: Option<Target>,
    to: Option<Target>,
    filter: Filter,
}

impl Wanted {
    fn of(args: &Args) -> Result<Wanted, String> {
        let target = |text: &Option<String>, name: &str| {
            text.as_deref().map(|t| Target::parse(t).map_err(|error| format!("{name}: {error}"))).transpose()
        };
        Ok(Wanted {
            from: target(&args.from, "--from")?,
            to: target(&args.to, "--to")?,
            filter: Filter::new(args.filter.as_deref().unwrap_or_default()).map_err(|error| format!("--{error}"))?,
        })
    }

    /// Neither cut nor timed: what comes can be written as it comes.
    fn is_straight(&self, args: &Args) -> bool {
        args.plain && self.from.is_none() && self.to.is_none()
    }
}

enum Failure {
    /// Nobody reads on.
    Pipe,
    Said(String),
}

fn convert(args: &Args, wanted: &Wanted, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Failure> {
    let name = shown(&args.file);
    let options = Options {
        strict: args.require_checksum,
        interval: i64::from(args.interval) * MILLISECOND,
        ..Options::default()
    };
    let reading = |error: OpenError| Failure::Said(format!("{name}: {error}"));
    let input = Input::open(&args.file).map_err(reading)?;
    // Only now is anything created: a log that cannot be read leaves no empty file behind.
    let target = match &args.output {
        None => None,
        Some(path) => Some((path, create(path, args.force, &input)?)),
    };
    let place = args.output.as_deref().map_or("standard output".to_owned(), shown);
    let writing = |error: io::Error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Pipe,
        _ => Failure::Said(format!("{place}: {error}")),
    };
    let mut file;
    let out: &mut dyn Write = match target {
        Some((_, opened)) => {
            file = BufWriter::with_capacity(1 << 16, opened);
            &mut file
        }
        None => out,
    };
    if wanted.is_straight(args) {
        let found = straight(input, options, &wanted.filter, out).map_err(|f| f.say(reading, writing))?;
        return if found { Ok(()) } else { Err(nothing(&name)) };
    }
    let input = input.spooled(err).map_err(reading)?;
    let read = recognise(Arc::new(FileAt(input))).map_err(|error| reading(error.into()))?;
    let (mut log, summary) = {
        let mut bar = Bar::new("reading", read.len().unwrap_or(0), err);
        let mut go_on = |done: f32| {
            bar.show(done);
            true
        };
        Log::open(read, options, hear, &mut go_on).map_err(reading)?
    };
    for notice in &summary.notices {
        complain(err, &format!("{name}: {notice}"));
    }
    let found = cut(args, wanted, &name, &mut log, &summary, out, err, writing)?;
    out.flush().map_err(writing)?;
    if found { Ok(()) } else { Err(nothing(&name)) }
}

fn nothing(name: &str) -> Failure {
    Failure::Said(format!("{name}: nothing to write: no sentence passes --from, --to and --filter"))
}

/// A failure that may be on either side.
enum Side {
    Reading(OpenError),
    Writing(io::Error),
}

impl Side {
    fn say(self, reading: impl Fn(OpenError) -> Failure, writing: impl Fn(io::Error) -> Failure) -> Failure {
        match self {
            Side::Reading(error) => reading(error),
            Side::Writing(error) => writing(error),
        }
    }
}

/// What is read: a file that can be read anywhere, or something that comes once.
enum Input {
    File(File),
    Stream(Box<dyn Read>),
}

impl Input {
    fn open(path: &Path) -> Result<Input, OpenError> {
        if path.as_os_str() == "-" {
            return Ok(Input::Stream(Box::new(io::stdin())));
        }
        let (file, _) = super::logs::open_file(path)?;
        let regular = file.metadata()?.is_file();
        Ok(if regular { Input::File(file) } else { Input::Stream(Box::new(file)) })
    }

    /// The same file, if it is one.
    fn file(&self) -> Option<&File> {
        match self {
            Input::File(file) => Some(file),
            Input::Stream(_) => None,
        }
    }

    /// A file in any case: a stream is kept in one without a name, which is gone when the program is.
    fn spooled(self, err: &mut dyn Write) -> Result<File, OpenError> {
        let mut stream = match self {
            Input::File(file) => return Ok(file),
            Input::Stream(stream) => stream,
        };
        complain(err, "a pipe is kept in a file in /var/tmp until its end: only then its timing is known");
        let mut file = unnamed()?;
        io::copy(&mut stream, &mut file)?;
        Ok(file)
    }
}

/// A file in /var/tmp (or where the system keeps temporary files) that no name leads to.
fn unnamed() -> io::Result<File> {
    let folder = Path::new("/var/tmp");
    let folder = if folder.is_dir() { folder.to_path_buf() } else { std::env::temp_dir() };
    for n in 0..1000 {
        let path = folder.join(format!("nmeasimx-{}-{n}", std::process::id()));
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Ok(file) => {
                std::fs::remove_file(&path)?;
                return Ok(file);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "no free name in /var/tmp"))
}

/// Creates the output; what exists is replaced only when asked, and the log itself never.
fn create(path: &Path, force: bool, input: &Input) -> Result<File, Failure> {
    let name = shown(path);
    let say = |error: io::Error| {
        Failure::Said(match error.kind() {
            io::ErrorKind::AlreadyExists => format!("{name} exists: choose another name, or --force"),
            io::ErrorKind::NotFound => format!("{name}: its folder does not exist"),
            _ => format!("{name}: {error}"),
        })
    };
    if !force {
        return OpenOptions::new().write(true).create_new(true).open(path).map_err(say);
    }
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(say)?;
    if let Some(input) = input.file()
        && is_same(input, &file).map_err(say)?
    {
        return Err(Failure::Said(format!("{name} is the log that is read: write to another file")));
    }
    file.set_len(0).map_err(say)?;
    Ok(file)
}

#[cfg(unix)]
fn is_same(a: &File, b: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (a, b) = (a.metadata()?, b.metadata()?);
    Ok((a.dev(), a.ino()) == (b.dev(), b.ino()))
}

#[cfg(not(unix))]
fn is_same(_: &File, _: &File) -> io::Result<bool> {
    Ok(false)
}

/// Sentences as they come. Whether there was any.
fn straight(input: Input, options: Options, filter: &Filter, out: &mut dyn Write) -> Result<bool, Side> {
    let raw: Box<dyn Read> = match input {
        Input::File(file) => Box::new(file),
        Input::Stream(stream) => stream,
    };
    let mut pass = Pass::new(options);
    let mut splitter = Splitter::new(0, 0);
    let mut found = false;
    let mut buffer = Vec::new();
    let mut failed = None;
    let mut take = |splitter: &mut Splitter, bytes: Option<&[u8]>, out: &mut dyn Write| {
        let mut line = |raw: nmeasimx::core::log::split::RawLine<'_>| {
            pass.line(raw, &mut |line| {
                for piece in line.pieces.iter().filter(|p| p.class.is_sentence()) {
                    let sentence = piece.of(line.text);
                    if filter.passes(sentence, false) {
                        buffer.extend_from_slice(sentence);
                        buffer.push(b'\n');
                        found = true;
                    }
                }
            });
        };
        match bytes {
            Some(bytes) => splitter.push(bytes, &mut line),
            None => splitter.finish(&mut line),
        }
        let written = out.write_all(&buffer).and_then(|()| out.flush());
        buffer.clear();
        written
    };
    let notice = stream::text(raw, &mut |bytes| match take(&mut splitter, Some(bytes), out) {
        Ok(()) => Ok(true),
        Err(error) => {
            failed = Some(error);
            Ok(false)
        }
    });
    if let Some(error) = failed {
        return Err(Side::Writing(error));
    }
    notice.map_err(|error| Side::Reading(error.into()))?;
    take(&mut splitter, None, out).map_err(Side::Writing)?;
    Ok(found)
}

/// From one place to another, with or without stamps. Whether there was any sentence.
#[expect(clippy::too_many_arguments, reason = "one caller; a struct would only name them again")]
fn cut(
    args: &Args,
    wanted: &Wanted,
    name: &str,
    log: &mut Log,
    summary: &Summary,
    out: &mut dyn Write,
    err: &mut dyn Write,
    writing: impl Fn(io::Error) -> Failure,
) -> Result<bool, Failure> {
    let reading = |error: io::Error| Failure::Said(format!("{name}: {error}"));
    // The offset 0 by the log's own clock, as it was set at the end: what came before a break is counted back from there.
    let zero = log.last().map_err(reading)?.and_then(|e| e.utc.map(|utc| utc.saturating_sub(e.offset)));
    let mut bound = |target: Option<Target>| match target {
        None => Ok(None),
        Some(target) => place(log, target, zero).map_err(|error| Failure::Said(format!("{name}: {error}"))).map(Some),
    };
    let from = match bound(wanted.from)? {
        None => Place::default(),
        Some(Some(place)) => place,
        Some(None) => return Ok(false),
    };
    let to = bound(wanted.to)?.flatten();
    let mut sink = Sink { args, name, summary, zero, stamper: Stamper::default(), buffer: Vec::new(), shift: None };
    let mut bar = Bar::new("writing", log.index().timing().size, err);
    let mut entries = Vec::new();
    let mut next = from;
    let mut warn = false;
    'all: loop {
        entries.clear();
        log.ahead(next, 256, &mut entries).map_err(reading)?;
        let Some(last) = entries.last() else { break };
        next = Place { byte: last.place.byte + 1, ..last.place };
        bar.show(last.place.byte as f32 / log.index().timing().size.max(1) as f32);
        for entry in &entries {
            if to.is_some_and(|to| entry.place >= to) {
                sink.flush(out).map_err(&writing)?;
                break 'all;
            }
            if wanted.filter.passes(&entry.bytes, false) {
                warn |= sink.take(entry);
            }
        }
        sink.flush(out).map_err(&writing)?;
    }
    drop(bar);
    if warn {
        complain(err, &format!("{name} has no dates: its stamps begin in 1970 (--retime now, or --plain)"));
    }
    Ok(sink.shift.is_some())
}

/// Makes the bytes of what is written.
struct Sink<'a> {
    args: &'a Args,
    name: &'a str,
    summary: &'a Summary,
    zero: Option<Utc>,
    stamper: Stamper,
    buffer: Vec<u8>,
    /// What makes a stamp of an offset, once the first sentence was written.
    shift: Option<Utc>,
}

impl Sink<'_> {
    /// Takes a sentence. Whether a date had to be invented.
    fn take(&mut self, entry: &Entry) -> bool {
        let mut invented = false;
        let shift = match self.shift {
            Some(shift) => shift,
            None => {
                let shift = match (self.args.retime, self.zero) {
                    (Some(Retime::Now), _) => Clock::system().utc() - entry.offset,
                    (None, Some(zero)) => zero,
                    (None, None) => {
                        invented = !self.args.plain;
                        0
                    }
                };
                self.shift = Some(shift);
                if !self.args.plain {
                    self.header(shift.saturating_add(entry.offset));
                }
                shift
            }
        };
        if self.args.plain {
            self.buffer.extend_from_slice(&entry.bytes);
            self.buffer.push(b'\n');
        } else {
            self.stamper.line(&mut self.buffer, shift.saturating_add(entry.offset), &entry.bytes);
        }
        invented
    }

    /// What the log said of itself goes along.
    fn header(&mut self, first: Utc) {
        let known = self.summary.report.header.iter().filter(|(key, _)| !matches!(key.as_str(), "format" | "recorded"));
        let mut metadata: Vec<(String, String)> =
            known.map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default().to_owned())).collect();
        if !metadata.iter().any(|(key, _)| key == "source") {
            metadata.push(("source".to_owned(), self.name.to_owned()));
        }
        metadata.retain(|(key, _)| key != "converted-by");
        metadata.push(("converted-by".to_owned(), concat!("nmeasimx ", env!("CARGO_PKG_VERSION")).to_owned()));
        writer::header(&mut self.buffer, first, &metadata);
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// The first sentence at or after a target; `None` behind the end.
fn place(log: &mut Log, target: Target, zero: Option<Utc>) -> Result<Option<Place>, String> {
    let dates = || zero.ok_or("has no dates: cut it by offset (+90s), percent or line");
    let found = match target {
        Target::Start => log.at_offset(0),
        Target::End => return Ok(None),
        Target::Line(line) => log.at_line(line),
        Target::Percent(percent) => {
            let duration = log.index().duration().unwrap_or(0);
            log.at_offset((duration as f64 * percent / 100.0) as Offset)
        }
        Target::Skip(by) => log.at_offset(by),
        Target::Utc(utc) => log.at_offset(utc.saturating_sub(dates()?)),
        Target::TimeOfDay(of_day) => {
            let first = dates()?;
            let today = first.saturating_sub(time::time_of_day(first)).saturating_add(of_day);
            let utc = if today < first { today.saturating_add(DAY) } else { today };
            log.at_offset(utc.saturating_sub(first))
        }
    };
    Ok(found.map_err(|error| error.to_string())?.map(|entry| entry.place))
}

//! `nmeasimx decode`: one JSON object a sentence.
//!
//! A file is read twice, to know how it is timed: the first time only up to its first stamp, if it has one. What comes
//! through a pipe has no offsets, only the lines' own times.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

use nmeasimx::core::log::line::Line;
use nmeasimx::core::log::split::{RawLine, Splitter};
use nmeasimx::core::log::timeline::{Kind, Timeline, own_time};
use nmeasimx::core::log::{OpenError, Options, Pass, stream};
use nmeasimx::core::nmea::ndjson::{Decoder, Entry};
use nmeasimx::core::time::{MILLISECOND, Offset};

use super::complain;
use super::logs::{Progress, open_file, shown};

/// What `decode` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A log, also a packed one (.gz); - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Show the vessel after each sentence
    #[arg(long)]
    pub state: bool,
    /// Skip sentences without checksum
    #[arg(long)]
    pub require_checksum: bool,
    /// Spacing of sentences where a log has no times at all, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=60_000))]
    pub interval: u32,
}

/// Bytes of output that are collected before they are written.
const CHUNK: usize = 1 << 16;

/// Decodes a log; the exit status: 1 when it cannot be read, holds no sentence, or nobody takes the output.
pub fn run(args: &Args, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let name = shown(&args.file);
    match decode(args, out, err) {
        Ok(notices) => {
            for notice in notices {
                complain(err, &format!("{name}: {notice}"));
            }
            0
        }
        Err(Failure::Writing(error)) => {
            if error.kind() != io::ErrorKind::BrokenPipe {
                complain(err, &format!("writing what was decoded: {error}"));
            }
            1
        }
        Err(Failure::Reading(error)) => {
            complain(err, &format!("{name}: {error}"));
            1
        }
    }
}

enum Failure {
    Reading(OpenError),
    Writing(io::Error),
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        Failure::Reading(error)
    }
}

fn decode(args: &Args, out: &mut dyn Write, err: &mut dyn Write) -> Result<Vec<String>, Failure> {
    let interval = i64::from(args.interval) * MILLISECOND;
    let options = Options { strict: args.require_checksum, interval, ..Options::default() };
    let buffer = Vec::with_capacity(2 * CHUNK);
    let mut work = Work { decoder: Decoder::new(args.state), buffer, out, failed: None };
    let (pass, bytes, torn) = if args.file.as_os_str() == "-" {
        work.read(io::stdin().lock(), options, &mut Offsets::Unknown)?
    } else {
        let (mut file, length) = open_file(&args.file)?;
        // A pipe with a name has no length, and cannot be read twice.
        let mut offsets = if length > 0 { timing(&mut file, options)? } else { Offsets::Unknown };
        work.read(Progress::new(file, length, "decoding", err), options, &mut offsets)?
    };
    work.flush();
    if let Some(error) = work.failed {
        return Err(Failure::Writing(error));
    }
    let summary = pass.summary(bytes).usable()?;
    Ok(summary.notices.into_iter().chain(torn.map(str::to_owned)).collect())
}

/// Reads a log until it is certain how it is timed: to its first stamp, or to its end. The file stands at its start again.
fn timing(file: &mut File, options: Options) -> Result<Offsets, OpenError> {
    let mut pass = Pass::new(options);
    let mut splitter = Splitter::new(0, 0);
    let take = |pass: &mut Pass, raw: RawLine<'_>| pass.line(raw, &mut |_| {});
    stream::text(&mut *file, &mut |bytes| {
        splitter.push(bytes, &mut |raw| take(&mut pass, raw));
        Ok(!pass.tally().is_stamped())
    })?;
    splitter.finish(&mut |raw| take(&mut pass, raw));
    file.rewind()?;
    Ok(match pass.tally().chosen().1 {
        Some(timeline) => Offsets::Timeline(Box::new(Timeline::new(timeline.kind(), options.gap))),
        None => Offsets::Fixed { interval: options.interval, sentences: 0 },
    })
}

/// Where the offsets of sentences come from.
enum Offsets {
    /// There are none: a pipe.
    Unknown,
    /// Nothing in the log shows a time.
    Fixed { interval: Offset, sentences: i64 },
    /// Clocks.
    Timeline(Box<Timeline>),
}

impl Offsets {
    /// A line comes, with or without sentences.
    fn line(&mut self, line: &Line<'_>) {
        if let Offsets::Timeline(timeline) = self {
            timeline.line(line);
        }
    }

    /// The offset of the next sentence of that line.
    fn sentence(&mut self, line: &Line<'_>, sentence: &[u8]) -> Option<Offset> {
        match self {
            Offsets::Unknown => None,
            Offsets::Fixed { interval, sentences } => {
                let offset = sentences.saturating_mul(*interval);
                *sentences += 1;
                Some(offset)
            }
            Offsets::Timeline(timeline) => {
                if timeline.kind() == Kind::Sentences {
                    timeline.sentence(line.number, sentence, true);
                }
                Some(timeline.clocks.offset)
            }
        }
    }
}

/// Decoding under way.
struct Work<'a> {
    decoder: Decoder,
    buffer: Vec<u8>,
    out: &'a mut dyn Write,
    failed: Option<io::Error>,
}

impl Work<'_> {
    /// Decodes a stream to its end, or until nobody takes the output. Answers the pass, the bytes of text, and what is to be
    /// told of a torn archive.
    fn read(
        &mut self,
        raw: impl Read,
        options: Options,
        offsets: &mut Offsets,
    ) -> Result<(Pass, u64, Option<&'static str>), OpenError> {
        let mut pass = Pass::new(options);
        let mut splitter = Splitter::new(0, 0);
        let torn = stream::text(raw, &mut |bytes| {
            splitter.push(bytes, &mut |raw| pass.line(raw, &mut |line| self.line(line, offsets)));
            Ok(self.failed.is_none())
        })?;
        splitter.finish(&mut |raw| pass.line(raw, &mut |line| self.line(line, offsets)));
        Ok((pass, splitter.at(), torn))
    }

    fn line(&mut self, line: &Line<'_>, offsets: &mut Offsets) {
        offsets.line(line);
        if !line.has_sentence() {
            return;
        }
        let tags: Vec<_> = line.tag_blocks().collect();
        let time = own_time(line);
        for piece in line.pieces.iter().filter(|p| p.class.is_sentence()) {
            let sentence = piece.of(line.text);
            let offset = offsets.sentence(line, sentence);
            let entry = Entry { line: line.number, offset, time, sentence, class: piece.class, tags: &tags };
            self.decoder.write(&entry, &mut self.buffer);
        }
        if self.buffer.len() >= CHUNK {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(&self.buffer).err();
        }
        self.buffer.clear();
    }
}

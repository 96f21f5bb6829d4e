//! `nmeasimx check`: reads logs, reports, exits. A report that a person understands at a glance, or the JSON of the contract.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nmeasimx::core::diag::of_log;
use nmeasimx::core::diag::report::{Format, Report as Diagnosis};
use nmeasimx::core::log::read_at::{FileAt, recognise};
use nmeasimx::core::log::report::{Report, SkippedLine};
use nmeasimx::core::log::{Log, OpenError, Options, Summary, hear, open_path, pass, stream};
use nmeasimx::core::time::{MILLISECOND, SECOND};
use nmeasimx::core::words::{counted, thousands};
use nmeasimx::runtime::clock::Clock;

use super::complain;
use super::logs::{Bar, open_file, shown};
use super::report_text;

/// What `check` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Logs, also packed ones (.gz); - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// One JSON object per log
    #[arg(long)]
    pub json: bool,
    /// List every skipped line, and why
    #[arg(long)]
    pub skipped: bool,
    /// Write what is wrong with the boat behind the log to FILE: text, or by its extension Markdown (.md) or JSON; exit
    /// status 4 when errors were found
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Skip sentences without checksum
    #[arg(long)]
    pub require_checksum: bool,
    /// What counts as a gap, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = super::logs::seconds)]
    pub gap: f64,
    /// Spacing of sentences where a log has no times at all, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=60_000))]
    pub interval: u32,
}

/// Reads all logs; the exit status: 1 when one of them could not be used, 4 when a report has errors.
pub fn run(args: &Args, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    if args.report.is_some() && (args.files.len() > 1 || args.files.iter().any(|file| file.as_os_str() == "-")) {
        complain(err, "--report is of one log, and needs a file: it is read twice");
        return 2;
    }
    let mut status = 0;
    let mut reports = 0;
    for file in &args.files {
        match one(args, file, &mut reports, out, err) {
            Ok(true) => {}
            Ok(false) => status = 1,
            // Nobody reads on.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return 1,
            Err(error) => {
                complain(err, &format!("writing the report: {error}"));
                return 1;
            }
        }
    }
    match (&args.report, args.files.first()) {
        (Some(to), Some(file)) if status == 0 => report(args, file, to, err),
        _ => status,
    }
}

/// Writes the report of one log; the exit status.
fn report(args: &Args, file: &Path, to: &Path, err: &mut dyn Write) -> u8 {
    let name = shown(file);
    let options = options(args);
    let read = open_path(file).and_then(|read| {
        let (mut log, summary) = Log::open(read, options, hear, &mut |_| true)?;
        let diag = of_log::diagnose(&mut log, &summary, &mut |_| true)?;
        Ok(diag.map(|diag| (diag, settings(&summary, &options))))
    });
    let report = match read {
        Ok(Some((diag, settings))) => Diagnosis::new(&diag, &name, settings, Some(Clock::system().utc())),
        Ok(None) => return 1,
        Err(error) => {
            complain(err, &format!("{name}: {error}"));
            return 1;
        }
    };
    let text = report.render(Format::of(to));
    let written = File::create(to).and_then(|mut file| file.write_all(text.as_bytes()));
    if let Err(error) = written {
        complain(err, &format!("report {}: {error}", shown(to)));
        return 1;
    }
    complain(err, &format!("report {}: {}", shown(to), report.verdict()));
    if report.has_errors() { 4 } else { 0 }
}

/// What a colleague must know of the log and of how it was read.
fn settings(summary: &Summary, options: &Options) -> Vec<(String, String)> {
    let report = &summary.report;
    let (lines, sentences) = (counted(report.lines, "line"), counted(report.sentences, "sentence"));
    let mut log = format!("{lines}, {sentences}, {} skipped", thousands(report.skipped.total));
    if options.strict {
        log += ", those without checksum too";
    }
    let timed = report_text::why(report, summary, options).replace('\n', " ");
    vec![("Log".into(), log), ("Timed by".into(), timed)]
}

/// Whether the log can be used. An error is one of writing.
fn one(args: &Args, file: &Path, reports: &mut u32, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<bool> {
    let name = shown(file);
    let summary = match read(args, file, out, err) {
        Ok(summary) => summary,
        Err(Failure::Writing(error)) => return Err(error),
        Err(Failure::Reading(error)) => {
            complain(err, &format!("{name}: {error}"));
            return Ok(false);
        }
    };
    let report = Report { file: name.clone(), ..summary.report.clone() };
    for notice in &summary.notices {
        complain(err, &format!("{name}: {notice}"));
    }
    if args.json {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
    }
    match summary.clone().usable() {
        Ok(_) if args.json => {}
        Ok(_) => {
            *reports += 1;
            if *reports > 1 {
                writeln!(out)?;
            }
            report_text::write(out, &report, &summary, &options(args))?;
        }
        Err(error) => {
            complain(err, &format!("{name}: {error}"));
            return Ok(false);
        }
    }
    Ok(true)
}

enum Failure {
    Reading(OpenError),
    Writing(io::Error),
}

fn options(args: &Args) -> Options {
    Options {
        strict: args.require_checksum,
        interval: i64::from(args.interval) * MILLISECOND,
        gap: (args.gap * SECOND as f64) as i64,
    }
}

fn read(args: &Args, file: &Path, out: &mut dyn Write, err: &mut dyn Write) -> Result<Summary, Failure> {
    let mut written = Ok(());
    let mut each = |line: &nmeasimx::core::log::line::Line<'_>| {
        if args.skipped && (line.class.is_skip() || line.pieces.iter().any(|p| p.class.is_skip())) {
            written = pass::skips(line).try_for_each(|skip| list(out, &skip, args.json));
            if written.is_err() {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
        Ok(())
    };
    let result = if file.as_os_str() == "-" {
        stream::read(io::stdin().lock(), options(args), &mut each)
    } else {
        open_file(file).and_then(|(file, length)| {
            // Pipes and devices can only be read once.
            if !file.metadata()?.is_file() {
                return stream::read(file, options(args), &mut each);
            }
            let mut bar = Bar::new("checking", length, err);
            let read = recognise(Arc::new(FileAt(file)))?;
            stream::read_file(&*read, options(args), &mut each, &mut |done| bar.show(done))
        })
    };
    written.map_err(Failure::Writing)?;
    result.map_err(Failure::Reading)
}

/// A skipped line as text: `7: bad checksum (given 37, computed 70): $GP…`.
fn list(out: &mut dyn Write, skip: &SkippedLine, json: bool) -> io::Result<()> {
    if json {
        serde_json::to_writer(&mut *out, skip)?;
        return writeln!(out);
    }
    let why = match (&skip.given, &skip.computed) {
        (Some(given), Some(computed)) if given.is_empty() => format!(" (none given, computed {computed})"),
        (Some(given), Some(computed)) => format!(" (given {given}, computed {computed})"),
        _ => String::new(),
    };
    let text = if skip.text.is_empty() { String::new() } else { format!(": {}", skip.text) };
    writeln!(out, "{}: {}{why}{text}", skip.line, skip.reason.words())
}

//! `nmeasimx replay`: replays one log, or several as one timeline.

use std::path::PathBuf;
use std::process::ExitCode;

use nmeasimx::core::profile::Profile;
use nmeasimx::core::transport::Transport;
use nmeasimx::runtime::idle::Idle;
use nmeasimx::runtime::session::Choice;
use nmeasimx::runtime::session::snapshot::Mode;

use super::session::{Chosen, Common, Reading};
use super::start;

/// What `replay` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Logs, also packed ones (.gz); several are one timeline; none: choose from a list
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    start::run(&args.common, || {
        let profile = Profile::built_in();
        let options = args.reading.options(&profile);
        let files = args.files.clone();
        let choice = if files.is_empty() {
            if args.common.is_headless(&args.common.outputs) {
                return Err("name a log to replay".into());
            }
            let source = Box::new(Idle::default());
            Choice::Source { source, mode: Mode::Replay, name: "no log yet: press o to choose one".into() }
        } else {
            Choice::Replay { files, options, whole: false }
        };
        Ok(Chosen {
            choice,
            outputs: Vec::new(),
            serves: true,
            first: args.reading.max_gap.map(|gap| Transport::Gap(Some(gap))).into_iter().collect(),
            reading: options,
            record: profile.record.clone(),
            folder: PathBuf::new(),
        })
    })
}

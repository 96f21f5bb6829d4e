//! `nmeasimx replay`: replays one log, or several as one timeline.

use std::path::PathBuf;
use std::process::ExitCode;

use nmeasimx::core::profile::Profile;
use nmeasimx::core::transport::Transport;
use nmeasimx::runtime::session::Choice;

use super::session::{Chosen, Common, Reading};
use super::start;

/// What `replay` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Logs, also packed ones (.gz); several are one timeline
    #[arg(required = true, value_name = "FILE")]
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
        Ok(Chosen {
            choice: Choice::Replay { files, options, whole: false },
            outputs: Vec::new(),
            serves: true,
            first: args.reading.max_gap.map(|gap| Transport::Gap(Some(gap))).into_iter().collect(),
            reading: options,
            record: profile.record.clone(),
            folder: PathBuf::new(),
        })
    })
}

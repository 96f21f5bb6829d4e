//! `nmeasimx run`: simulates.

use std::process::ExitCode;

use super::session::{Chosen, Common, Reading, Simulated};
use super::start;

/// What `run` is told.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Args {
    #[command(flatten)]
    simulated: Simulated,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    start::run(&args.common, || {
        let (profile, path) = args.simulated.read()?;
        Chosen::by_profile(profile, path, &Reading::default())
    })
}

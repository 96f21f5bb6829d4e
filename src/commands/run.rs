//! `nmeasimx run`: simulates.

use std::process::ExitCode;

use super::session::{Chosen, Common, Reading, Simulated};
use super::{screen, start};

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
        let mut simulated = args.simulated.clone();
        if simulated.profile.is_none() {
            // headless runs of scripts have their own word for it: `-p`
            simulated.profile = screen::config().ok().filter(|_| screen::has_terminal()).and_then(|c| c.profile);
        }
        let (profile, path) = simulated.read()?;
        Chosen::by_profile(profile, path, &Reading::default())
    })
}

//! `nmeasimx monitor`: watches live feeds.

use std::path::PathBuf;
use std::process::ExitCode;

use nmeasimx::core::input::InputSpec;
use nmeasimx::core::profile::Profile;
use nmeasimx::runtime::session::Choice;

use super::session::{Chosen, Common, Reading};
use super::start;

/// What `monitor` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// serial:/dev/ttyUSB0[@4800|@auto], tcp:HOST:PORT, udp:[ADDR:]PORT, file:PATH, - (standard input); several are one feed
    #[arg(required = true, value_name = "SOURCE", value_parser = InputSpec::parse)]
    sources: Vec<InputSpec>,
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
        if args.sources.iter().filter(|s| **s == InputSpec::Stdin).count() > 1 {
            return Err("standard input can be read once: give - once".into());
        }
        Ok(Chosen {
            choice: Choice::Live { inputs: args.sources.clone(), strict: options.strict },
            outputs: Vec::new(),
            // A feed from the usual port would feed itself.
            serves: false,
            first: Vec::new(),
            reading: options,
            record: profile.record.clone(),
            folder: PathBuf::new(),
        })
    })
}

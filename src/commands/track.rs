//! `nmeasimx track`: follows a GPX or KML file.

use std::path::PathBuf;
use std::process::ExitCode;

use super::session::{Chosen, Common, Reading, Simulated};
use super::start;

/// What `track` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A GPX or KML file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Sail at this speed where the file has none, knots
    #[arg(long, value_name = "KNOTS")]
    track_speed: Option<f64>,
    /// Sail a timed track at the given speed
    #[arg(long)]
    ignore_timestamps: bool,
    #[command(flatten)]
    simulated: Simulated,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    start::run(&args.common, || {
        let (mut profile, path) = args.simulated.read()?;
        profile.set("simulation.mode", "track")?;
        let file = std::path::absolute(&args.file).unwrap_or_else(|_| args.file.clone());
        profile.set("track.file", &toml::Value::String(file.to_string_lossy().into_owned()).to_string())?;
        if let Some(speed) = args.track_speed {
            profile.set("track.speed", &speed.to_string())?;
        }
        if args.ignore_timestamps {
            profile.set("track.ignore_timestamps", "true")?;
        }
        if args.common.looping {
            profile.set("track.loop", "true")?;
        }
        Chosen::by_profile(profile, path, &Reading::default())
    })
}

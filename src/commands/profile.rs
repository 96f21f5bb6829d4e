//! `nmeasimx profile`: a commented starting profile, the effective one, validation.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nmeasimx::core::profile::doc;
use nmeasimx::runtime::session::open::shown;

use super::folders::find_profile;
use super::session::Simulated;

/// What `profile` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum What {
    /// Write a commented starting profile (to standard output, or a new file)
    Init {
        /// A file that does not exist yet
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Show the effective profile: file, defaults, and what the options change
    Show {
        /// The profile, as with -p
        #[arg(value_name = "PROFILE")]
        name: Option<String>,
        #[command(flatten)]
        changes: Box<Simulated>,
    },
    /// Check profiles and say nothing more
    Check {
        /// Profiles, as with -p
        #[arg(required = true, value_name = "PROFILE")]
        names: Vec<String>,
    },
}

/// Runs the command; the exit status.
pub fn run(args: &Args, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    match &args.what {
        What::Init { file } => finish(init(file.as_deref(), out), err),
        What::Show { name, changes } => {
            let mut changes = (**changes).clone();
            if name.is_some() {
                changes.profile.clone_from(name);
            }
            match changes.read() {
                Ok((profile, _)) => {
                    finish(out.write_all(doc::show(&profile).as_bytes()).map_err(|e| e.to_string()), err)
                }
                Err(error) => {
                    super::complain(err, &error);
                    2
                }
            }
        }
        What::Check { names } => {
            let mut status = 0;
            for name in names {
                match find_profile(name) {
                    Ok(_) => {
                        // Where nobody reads it the exit status still tells.
                        let _unread = writeln!(out, "{}: ok", nmeasimx::core::visible::text(name.as_bytes()));
                    }
                    Err(error) => {
                        super::complain(err, &error);
                        status = 2;
                    }
                }
            }
            status
        }
    }
}

fn finish(done: Result<(), String>, err: &mut dyn Write) -> u8 {
    match done {
        Ok(()) => 0,
        Err(error) => {
            super::complain(err, &error);
            1
        }
    }
}

fn init(file: Option<&Path>, out: &mut dyn Write) -> Result<(), String> {
    let text = doc::init();
    let Some(path) = file else { return out.write_all(text.as_bytes()).map_err(|e| e.to_string()) };
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    made.and_then(|mut f| f.write_all(text.as_bytes())).map_err(|e| match e.kind() {
        io::ErrorKind::AlreadyExists => format!("{} exists already: name a new file", shown(path)),
        _ => format!("{}: {e}", shown(path)),
    })
}

//! The nmeasimx program: arguments, wiring, exit codes.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use nmeasimx::core::visible;

use crate::cli::{Cli, Command};

mod cli;
mod commands;

/// Help, or what is wrong with the arguments. What they quote is shown, whatever is in it.
fn refuse(error: &clap::Error) -> ExitCode {
    let plain = |arg: OsString| visible::text(arg.as_encoded_bytes()).as_bytes() == arg.as_encoded_bytes();
    if error.use_stderr() && !std::env::args_os().all(plain) {
        for line in error.render().to_string().lines() {
            // Where even that cannot be written there is nobody to tell.
            let _nobody = writeln!(io::stderr(), "{}", visible::text(line.as_bytes()));
        }
    } else {
        let _nobody = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    // Only a bug gets as far as a report of a panic; whatever can go wrong otherwise is one or two lines.
    let _installed_once = color_eyre::install();
    let mut out = io::BufWriter::new(io::stdout());
    let mut err = io::stderr();
    let status = match &cli.command {
        None => return commands::run::run(&cli.run),
        Some(Command::Run(args)) => return commands::run::run(args),
        Some(Command::Track(args)) => return commands::track::run(args),
        Some(Command::Replay(args)) => return commands::replay::run(args),
        Some(Command::Monitor(args)) => return commands::monitor::run(args),
        Some(Command::Loopback(args)) => commands::loopback::run(args, &mut out, &mut err),
        Some(Command::Attach(args)) => commands::attach::run(args),
        Some(Command::Ctl(args)) => commands::ctl::run(args, &mut out, &mut err),
        Some(Command::Check(args)) => commands::check::run(args, &mut out, &mut err),
        Some(Command::Convert(args)) => commands::convert::run(args, &mut out, &mut err),
        Some(Command::Decode(args)) => commands::decode::run(args, &mut out, &mut err),
        Some(Command::Sentences(args)) => commands::sentences::run(args, &mut out, &mut err),
        Some(Command::Profile(args)) => commands::profile::run(args, &mut out, &mut err),
        Some(Command::Ports) => commands::machine::ports(&mut out, &mut err),
        Some(Command::Interfaces) => commands::machine::interfaces(&mut out, &mut err),
        Some(Command::Completions(args)) => commands::shell::completions(Cli::command(), args, &mut out),
        Some(Command::Man) => commands::shell::man(Cli::command(), &mut out),
    };
    let status = if out.flush().is_err() { status.max(1) } else { status };
    ExitCode::from(status)
}

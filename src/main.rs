//! The nmeasimx program: arguments, wiring, exit codes.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

mod cli;
mod commands;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut err = io::stderr();
    let status = match &cli.command {
        cli::Command::Check(args) => commands::check::run(args, &mut out, &mut err),
        cli::Command::Ctl(args) => commands::ctl::run(args, &mut out, &mut err),
        cli::Command::Convert(args) => commands::convert::run(args, &mut out, &mut err),
        cli::Command::Decode(args) => commands::decode::run(args, &mut out, &mut err),
        cli::Command::Sentences(args) => commands::sentences::run(args, &mut out, &mut err),
    };
    let status = if out.flush().is_err() { status.max(1) } else { status };
    ExitCode::from(status)
}

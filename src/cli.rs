//! The command line: what there is, and what each takes. No behaviour.

use crate::commands::{check, convert, decode, sentences};

/// Simulate, record, replay and watch NMEA 0183 in a terminal.
#[derive(Debug, clap::Parser)]
#[command(version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Read logs, report, exit
    Check(check::Args),
    /// Write a log again: cut, filtered, re-timed, plain
    Convert(convert::Args),
    /// Drive a session that has --control
    Ctl(crate::commands::ctl::Args),
    /// Decode a log: one JSON object a sentence
    Decode(decode::Args),
    /// List the sentences that the program says and hears
    Sentences(sentences::Args),
}

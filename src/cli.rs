//! The command line: what there is, and what each takes. No behaviour.

use crate::commands::{
    attach, check, convert, ctl, decode, loopback, monitor, profile, replay, run, sentences, shell, track,
};

/// Simulate, record, replay and watch NMEA 0183 in a terminal.
///
/// Without a command: run, which simulates a vessel off Piraeus and serves it on 127.0.0.1:10110.
#[derive(Debug, clap::Parser)]
#[command(version, args_conflicts_with_subcommands = true, subcommand_help_heading = "Commands")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Without a command: those of `run`.
    #[command(flatten)]
    pub run: run::Args,
}

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Simulate
    Run(Box<run::Args>),
    /// Follow a GPX or KML file
    Track(Box<track::Args>),
    /// Replay a log, or several as one timeline
    Replay(Box<replay::Args>),
    /// Watch live feeds, record them, pass them on
    Monitor(Box<monitor::Args>),
    /// Send the simulation on one wire, listen on another, say what was lost, altered, late
    Loopback(Box<loopback::Args>),
    /// The screen of a session that runs with --control; leaving it stops nothing
    Attach(attach::Args),
    /// Drive a session that has --control
    Ctl(ctl::Args),
    /// Read logs, report, exit
    Check(check::Args),
    /// Write a log again: cut, filtered, re-timed, plain
    Convert(convert::Args),
    /// Decode a log: one JSON object a sentence
    Decode(decode::Args),
    /// List the sentences that the program says and hears
    Sentences(sentences::Args),
    /// A commented starting profile; the effective one; validation
    Profile(profile::Args),
    /// List serial ports
    Ports,
    /// List network interfaces
    Interfaces,
    /// Completions for a shell
    Completions(shell::Args),
    /// The manual page
    Man,
}

//! `nmeasimx completions` and `nmeasimx man`: made from the command line itself.

use std::io::Write;

use clap::CommandFactory;

use crate::cli::Cli;

/// What `completions` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL")]
    shell: clap_complete::Shell,
}

/// Writes completions; the exit status.
pub fn completions(args: &Args, out: &mut dyn Write) -> u8 {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "nmeasimx", &mut text);
    u8::from(out.write_all(&text).is_err())
}

/// Writes the manual page; the exit status.
pub fn man(out: &mut dyn Write) -> u8 {
    u8::from(clap_mangen::Man::new(Cli::command()).render(out).is_err())
}

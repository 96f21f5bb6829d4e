//! `nmeasimx completions` and `nmeasimx man`: made from the command line that they are given.

use std::io::Write;

use clap::Command;

/// What `completions` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL")]
    shell: clap_complete::Shell,
}

/// Writes completions; the exit status.
pub fn completions(mut line: Command, args: &Args, out: &mut dyn Write) -> u8 {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut line, "nmeasimx", &mut text);
    u8::from(out.write_all(&text).is_err())
}

/// Writes the manual page; the exit status.
pub fn man(line: Command, out: &mut dyn Write) -> u8 {
    u8::from(clap_mangen::Man::new(line).render(out).is_err())
}

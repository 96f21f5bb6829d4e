//! One file per command: plain functions from arguments to an exit status, writing where they are told to.

use std::io::Write;

use nmeasimx::core::visible;

pub mod attach;
pub mod check;
pub mod convert;
pub mod ctl;
pub mod decode;
mod folders;
mod headless;
mod logs;
pub mod loopback;
pub mod machine;
pub mod monitor;
pub mod profile;
pub mod replay;
mod report_text;
pub mod run;
mod screen;
pub mod sentences;
mod session;
pub mod shell;
mod start;
pub mod track;

/// Says what went wrong, each line under the program's name, in visible text whatever it quotes. Where even that cannot be
/// written there is nobody to tell.
fn complain(err: &mut dyn Write, text: &str) {
    for line in text.lines() {
        let _nobody = writeln!(err, "nmeasimx: {}", visible::text(line.as_bytes()));
    }
}

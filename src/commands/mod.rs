//! One file per command: plain functions from arguments to an exit status, writing where they are told to.

pub mod check;
pub mod convert;
pub mod ctl;
pub mod decode;
mod logs;
mod report_text;
pub mod sentences;

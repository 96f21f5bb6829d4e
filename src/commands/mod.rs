//! One file per command: plain functions from arguments to an exit status, writing where they are told to.

pub mod check;
pub mod convert;
pub mod ctl;
mod logs;
mod report_text;

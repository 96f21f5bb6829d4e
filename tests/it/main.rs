//! Integration tests, all in one binary so that linking stays cheap. One module per subject.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]
mod check;
mod convert;
mod corpus;
mod decode_command;
mod decode_vectors;
mod keys;
mod profiles;
mod program;
mod pty;
mod replay_process;
mod screen;
mod screen_process;
mod service;
mod sessions;
mod terminal;
mod voyage;

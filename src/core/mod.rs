//! The pure floor: sentences, logs, timing, replay, simulation, diagnosis.
//!
//! Synchronous, without clock, socket, thread or terminal. Time is always an argument, randomness has a seed, readers
//! take bytes. Nothing here may use tokio, ratatui, crossterm or clap.

pub mod ais;
pub mod delays;
pub mod diag;
pub mod encode;
pub mod filter;
pub mod frame;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod input;
pub mod log;
pub mod nmea;
pub mod output;
pub mod profile;
pub mod replay;
pub mod sim;
pub mod time;
pub mod track;
pub mod transport;
pub mod vessel;
pub mod visible;
pub mod wire_check;
pub mod words;

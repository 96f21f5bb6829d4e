//! The simulated vessel: model, schedule, faults, scenarios.
//!
//! The model moves in fixed steps of 50 ms of simulated time, whoever asks and however often; a sentence due at t says the
//! state of the last step not after t. So the same profile, seed, start time and journal give the same bytes. Must not read
//! a clock: when "now" begins is told.

mod change;
pub(crate) mod custom;
mod faults;
mod fill;
mod fleet;
mod helm;
mod lately;
mod model;
mod rng;
pub mod schedule;
mod sky;
mod source;
mod state;
mod walk;

pub use source::Simulation;

use crate::core::time::{MILLISECOND, Offset};

/// One step of the model.
pub const STEP: Offset = 50 * MILLISECOND;
/// The same in seconds.
const STEP_S: f64 = 0.05;

#[cfg(test)]
mod tests;

//! The simulated vessel: model, schedule, faults, scenarios.

pub mod schedule;

//! The simulated vessel: model, schedule, faults, scenarios.

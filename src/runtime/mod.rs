//! The floor that waits: session, hub, sources, inputs, outputs, recorder, clocks, signals. Uses `core`, knows no screen.

pub mod control;
pub mod inputs;
pub mod session;

//! The floor that waits: session, hub, sources, inputs, outputs, recorder, clocks, signals. Uses `core`, knows no screen.

pub mod clock;
pub mod control;
pub mod driver;
pub mod events;
pub mod healing;
pub mod history;
pub mod hub;
pub mod idle;
pub mod inputs;
pub mod live;
pub mod loopback;
pub mod machine;
pub mod notify;
pub mod outputs;
pub mod queue;
pub mod recorder;
pub mod replies;
pub mod serial;
pub mod session;
pub mod signals;
#[cfg(test)]
mod testing;

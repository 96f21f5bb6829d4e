//! The border: what a screen, a script or `ctl` sees of a session, and nothing else.
//!
//! A watcher sends [`Request`]s and gets [`Answer`]s and [`Snapshot`]s; all of them are serde types, so that the same
//! lines of JSON serve a screen in the process and one at the end of a socket.

pub mod border;
mod build;
mod controls;
mod desk;
pub mod diagnose;
pub mod fit;
mod logs;
pub mod open;
pub mod openables;
pub mod plan;
mod save;
pub mod snapshot;
mod task;
mod undo;
mod watch;
pub mod window;

pub use border::{Anchor, Answer, Command, OutputChange, Presentation, Request, RowKey, View, Watcher};
pub use plan::{Choice, Outcome, Plan, Reload};
pub use snapshot::Snapshot;
pub use task::Session;

#[cfg(test)]
mod input_tests;
#[cfg(test)]
mod replay_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wire_tests;

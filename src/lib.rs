//! nmeasimx: simulate a vessel, record, replay and watch NMEA 0183.
//!
//! Four floors, and an arrow only ever points down: `app` (the binary), [`ui`] and [`term`], [`runtime`], [`core`].
//! `core` is pure and synchronous and is usable alone as a library (`default-features = false`).

pub mod core;
#[cfg(feature = "runtime")]
pub mod runtime;
#[cfg(feature = "tui")]
pub mod term;
#[cfg(feature = "tui")]
pub mod ui;

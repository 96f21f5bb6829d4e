//! The terminal itself: guard, capabilities, backend, render thread, input.
//!
//! Start with [`Terminal::open`]. Facts it is built on, measured on Linux: a terminal that goes away makes other event
//! sources spin; a stalled link blocks a `write` after some 20 kB; an answer to a question arrives among the keys.

pub mod backend;
pub mod capabilities;
pub mod cells;
pub mod clock;
pub mod decode;
pub mod encode;
pub mod guard;
pub mod input;
pub mod pace;
pub mod render;
mod terminal;
#[cfg(test)]
mod test_pty;
pub mod tty;
pub mod watchdog;

pub use backend::Frame;
pub use input::{Input, Size};
pub use terminal::{OpenError, Stop, Terminal};

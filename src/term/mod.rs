//! The terminal itself: guard, capabilities, backend, render thread, input.

pub mod backend;
pub mod capabilities;
pub mod cells;
pub mod clock;
pub mod decode;
pub mod encode;
pub mod input;

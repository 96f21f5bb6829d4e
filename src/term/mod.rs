//! The terminal itself: guard, capabilities, backend, render thread, input.

pub mod input;

//! The terminal itself: guard, capabilities, backend, render thread, input.

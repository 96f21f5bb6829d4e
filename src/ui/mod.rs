//! What a person sees and presses: model, actions, views. Draws from a snapshot alone.

pub mod glyphs;
pub mod keys;
pub mod theme;

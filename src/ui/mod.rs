//! What a person sees and presses: model, actions, views. Draws from a snapshot alone.

pub mod action;
pub mod app;
pub mod chart_state;
pub mod config;
pub mod control;
pub mod format;
pub mod glyphs;
pub mod keymap;
pub mod keys;
pub mod layout;
pub mod model;
pub mod port;
pub mod prompt;
pub mod reference;
pub mod tables;
pub mod theme;
pub mod update;
pub mod view;
pub mod widgets;

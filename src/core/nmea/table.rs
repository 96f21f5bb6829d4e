//! The one table of formatters.

use super::{About, Faults, Heard, Style};
use crate::core::time::Moment;
use crate::core::vessel::Vessel;

/// One sentence the program knows: its description and what can be done with it, as plain function pointers.
pub struct Formatter {
    /// Its description.
    pub about: About,
    /// Applies a sentence (from its delimiter to its end) to a vessel.
    pub hear: fn(&[u8], Heard, &mut Vessel) -> Faults,
    /// Calls back with each sentence (delimiter to checksum, no terminator) that the vessel has to say with it now: none,
    /// one, several. Never longer than 80 characters.
    pub say: fn(&Vessel, Moment, &Style<'_>, &mut dyn FnMut(&[u8])),
}

/// Every sentence the program knows, in the order in which a round says them.
pub static FORMATTERS: &[Formatter] = &[];

/// The row of an id (`MWV-R`).
pub fn by_id(id: &str) -> Option<&'static Formatter> {
    FORMATTERS.iter().find(|f| f.about.id == id)
}

/// Decodes any sentence into the vessel. What the table does not know leaves it alone and answers `None`.
pub fn hear(sentence: &[u8], heard: Heard, vessel: &mut Vessel) -> Option<Faults> {
    let _ = (sentence, heard, vessel);
    None
}

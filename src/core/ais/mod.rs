//! AIS inside NMEA: six-bit armour, messages of ITU-R M.1371-5, assembling of parts, targets, simulated ships.
//!
//! From the wire to a meaning: [`Part::parse`] reads one VDM or VDO sentence, [`Assembler::hear`] joins the parts of a
//! message, [`Message::decode`] reads its fields, [`Targets::hear`] remembers who said it. The other way round:
//! [`own`] makes the vessel's own messages, [`fleet`] those of simulated ships, [`sentences`] frames them.
//! Must not know about sentences other than VDM and VDO, nor read a clock.

pub mod armour;
pub mod assembler;
pub mod cpa;
pub mod fields;
pub mod fleet;
pub mod message;
pub mod mmsi;
pub mod own;
pub mod radar;
pub mod sentence;
pub mod targets;
pub mod views;
pub mod words;

pub use armour::Bits;
pub use assembler::{Assembled, Assembler, Outcome};
pub use fields::{Field, Slot, Turn, Visitor};
pub use message::{Body, Decoded, Faults, Header, Message};
pub use sentence::{Ids, Part, sentences};
pub use targets::{Target, Targets};
pub use views::{Row, push_json, rows};

#[cfg(test)]
mod tests;

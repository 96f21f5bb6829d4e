//! The only clock of the terminal floor: monotonic, for pacing frames and telling Esc from the start of a sequence.
//!
//! Must not be used for anything a sentence, a log or a view shows.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::core::time::Wall;

/// Nanoseconds since the first call in this process.
#[expect(clippy::disallowed_methods, reason = "this is the clock of the terminal")]
pub fn now() -> Wall {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = *START.get_or_init(Instant::now);
    Wall::try_from(start.elapsed().as_nanos()).unwrap_or(Wall::MAX)
}

/// A span of [`now`] as a [`Duration`]; nothing if negative.
pub fn span(wall: Wall) -> Duration {
    Duration::from_nanos(u64::try_from(wall).unwrap_or(0))
}

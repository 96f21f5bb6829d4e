//! Other encodings of the same vessel: Signal K and ViewSync. Pure: from a vessel to text; knows no sockets and no clock.

pub mod signalk;
pub mod subscription;
pub mod viewsync;

#[cfg(test)]
mod tests;

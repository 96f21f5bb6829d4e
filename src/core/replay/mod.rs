//! Replay: a source over an indexed log.

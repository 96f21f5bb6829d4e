//! Other encodings of the same vessel: Signal K, ViewSync.

//! Fuzz target: the body is in the library, where the same runs as a property test.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| nmeasimx::core::fuzz::words(bytes));

//! The nmeasimx program: arguments, wiring, exit codes.
fn main() {}

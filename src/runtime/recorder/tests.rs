//! How the recorder behaves.

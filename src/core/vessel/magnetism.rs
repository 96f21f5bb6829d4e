//! Magnetic variation from the World Magnetic Model.

//! Wind triangles: ground, water, apparent.

//! Geodesy on WGS84: positions, geodesics, cross-track.

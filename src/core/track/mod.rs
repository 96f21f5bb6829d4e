//! Tracks: GPX and KML, sailed along their legs.

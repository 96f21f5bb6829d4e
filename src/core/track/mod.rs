//! Tracks from GPX and KML files, and the vessel that sails one.
//!
//! [`read`] turns a file's bytes into points, [`Track`] puts time to them and says where the vessel is at any moment. Pure:
//! opens no file; whoever follows a track makes the sentences.

use crate::core::time::Utc;
use crate::core::vessel::Position;

mod gpx;
mod kml;
mod sail;
mod when;
mod xml;

pub use sail::{Ends, Sailed, Sailing, Timing, Track};

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 256 << 20;
/// The most points that a track may have.
pub const MAX_POINTS: usize = 1_000_000;

/// One point of a track as the file has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Where.
    pub position: Position,
    /// Metres above mean sea level.
    pub altitude_m: Option<f64>,
    /// When.
    pub utc: Option<Utc>,
    /// Speed over ground there, metres per second.
    pub speed_m_s: Option<f64>,
    /// Course over ground there, degrees true.
    pub course_deg: Option<f64>,
}

/// The points of a file, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// What the file calls itself, made visible.
    pub name: Option<String>,
    /// At least one.
    pub points: Vec<Point>,
}

/// Why a file is no track: one line that names the point or the line. The name of the file is the caller's to add.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrackError {
    /// At a line, from 1.
    #[error("line {line}: {what}")]
    Line {
        /// The line.
        line: usize,
        /// What is wrong there.
        what: String,
    },
    /// At a point, counted from 1 over the whole file.
    #[error("point {point} (line {line}): {what}")]
    Point {
        /// The point.
        point: usize,
        /// Its line.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// With the file as a whole.
    #[error("{0}")]
    File(String),
}

/// Reads a GPX 1.0 or 1.1 or a KML 2.2 file; which one it is shows in its root element.
///
/// GPX: all segments of all `trk`, else all `rte`. KML: all `gx:Track`, else all `LineString`. Namespace prefixes do not
/// matter.
///
/// # Errors
/// What is wrong, and at which line or point.
pub fn read(bytes: &[u8]) -> Result<Document, TrackError> {
    if bytes.len() > MAX_BYTES {
        let mib = MAX_BYTES >> 20;
        return Err(TrackError::File(format!("larger than {mib} MiB: split it, or leave out points")));
    }
    let text = xml::text(bytes)?;
    let document = match xml::root(&text)? {
        xml::Root::Gpx => xml::walk(&text, gpx::Gpx::default())?,
        xml::Root::Kml => xml::walk(&text, kml::Kml::default())?,
    };
    if document.points.is_empty() {
        let what =
            "has no track: no <trk> or <rte> of a GPX, no gx:Track or LineString of a KML file with points in it";
        return Err(TrackError::File(what.into()));
    }
    Ok(document)
}

#[cfg(test)]
mod tests;

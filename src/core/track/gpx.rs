//! GPX 1.0 and 1.1: tracks, else routes. Knows element names, no times and no speeds of its own.

use super::xml::{Attributes, Found, Handler, name, optional, position};
use super::{Document, Point, when};

#[derive(Debug, Default)]
pub(super) struct Gpx {
    name: Option<String>,
    track: Vec<Point>,
    route: Vec<Point>,
    /// The point that is open, and whether it belongs to a track.
    open: Option<(Point, bool)>,
    author: bool,
}

impl Handler for Gpx {
    fn start(&mut self, element: &str, attributes: &Attributes<'_>, found: &mut Found) -> Result<(), String> {
        match element {
            "trkpt" | "rtept" if self.open.is_none() => {
                found.point = found.points + 1;
                let get = |key: &str| attributes.get(key)?.ok_or_else(|| format!("<{element}> has no {key}"));
                let position = position(&get("lat")?, &get("lon")?)?;
                self.open = Some((Point { position, ..Point::default() }, element == "trkpt"));
            }
            "author" => self.author = true,
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, element: &str, text: &str, found: &mut Found) -> Result<(), String> {
        match (element, &mut self.open) {
            ("trkpt" | "rtept", open) => {
                if let Some((point, of_track)) = open.take_if(|(_, t)| *t == (element == "trkpt")) {
                    found.add(if of_track { &mut self.track } else { &mut self.route }, point)?;
                    found.point = 0;
                }
            }
            // Wherever they stand in the point: as GPX 1.0 has them, or in anybody's extensions.
            ("ele", Some((p, _))) => p.altitude_m = p.altitude_m.or(optional(text)),
            ("time", Some((p, _))) => p.utc = p.utc.or(when::utc(text)),
            ("speed", Some((p, _))) => p.speed_m_s = p.speed_m_s.or(optional(text).filter(|s| *s >= 0.0)),
            ("course", Some((p, _))) => {
                p.course_deg = p.course_deg.or(optional(text).filter(|c| (0.0..=360.0).contains(c)));
            }
            ("author", _) => self.author = false,
            ("name", None) if self.name.is_none() && !self.author => self.name = name(text),
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> Document {
        Document { name: self.name, points: if self.track.is_empty() { self.route } else { self.track } }
    }
}

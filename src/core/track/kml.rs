//! KML 2.2: `gx:Track` and `gx:MultiTrack`, else `LineString`, in any folder. Heights count only where the file says that
//! they are heights (`absolute`).

use super::xml::{Attributes, Found, Handler, name, optional, position, shown};
use super::{Document, Point, when};
use crate::core::time::Utc;

#[derive(Debug, Default)]
pub(super) struct Kml {
    name: Option<String>,
    tracks: Vec<Point>,
    lines: Vec<Point>,
    open: Option<Open>,
    absolute: bool,
    times: Vec<Option<Utc>>,
    /// Where in `tracks` the open track begins.
    begun: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Track,
    Line,
}

impl Handler for Kml {
    fn start(&mut self, element: &str, _: &Attributes<'_>, _: &mut Found) -> Result<(), String> {
        match element {
            "Track" => {
                self.open = Some(Open::Track);
                self.absolute = false;
                self.times.clear();
                self.begun = self.tracks.len();
            }
            "LineString" => {
                self.open = Some(Open::Line);
                self.absolute = false;
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, element: &str, text: &str, found: &mut Found) -> Result<(), String> {
        match (self.open, element) {
            (Some(_), "altitudeMode") => self.absolute = text.trim() == "absolute",
            (Some(Open::Track), "when") => self.times.push(when::utc(text)),
            (Some(Open::Track), "coord") => {
                let mut parts = text.split_ascii_whitespace();
                let point = self.point(parts.next(), parts.next(), parts.next(), text, found)?;
                found.add(&mut self.tracks, point)?;
                found.point = 0;
            }
            (Some(Open::Track), "Track") => {
                self.open = None;
                let points = self.tracks.get_mut(self.begun..).unwrap_or_default();
                if !self.times.is_empty() && self.times.len() != points.len() {
                    return Err(format!(
                        "a gx:Track with {} times (when) for {} positions (gx:coord)",
                        self.times.len(),
                        points.len()
                    ));
                }
                for (point, utc) in points.iter_mut().zip(&self.times) {
                    point.utc = *utc;
                }
            }
            (Some(Open::Line), "coordinates") => {
                for tuple in text.split_ascii_whitespace() {
                    let mut parts = tuple.split(',');
                    let point = self.point(parts.next(), parts.next(), parts.next(), tuple, found)?;
                    found.add(&mut self.lines, point)?;
                }
                found.point = 0;
            }
            (Some(Open::Line), "LineString") => self.open = None,
            (None, "name") if self.name.is_none() => self.name = name(text),
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> Document {
        Document { name: self.name, points: if self.tracks.is_empty() { self.lines } else { self.tracks } }
    }
}

impl Kml {
    fn point(
        &self,
        longitude: Option<&str>,
        latitude: Option<&str>,
        altitude: Option<&str>,
        whole: &str,
        found: &mut Found,
    ) -> Result<Point, String> {
        found.point = found.points + 1;
        let (Some(longitude), Some(latitude)) = (longitude, latitude) else {
            return Err(format!("{:?} is no position: longitude and latitude are needed", shown(whole.trim())));
        };
        let altitude_m = altitude.and_then(optional).filter(|_| self.absolute);
        Ok(Point { position: position(latitude, longitude)?, altitude_m, ..Point::default() })
    }
}

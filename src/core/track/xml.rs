//! Walks over an XML file and tells a handler of elements by their local names.
//!
//! Expands no entity but the five of XML and character references; refuses documents that declare any. Memory is bounded
//! by the size of the file.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{Document, MAX_POINTS, Point, TrackError};
use crate::core::visible;

/// Elements inside elements; a real file has some ten.
const MAX_DEPTH: usize = 200;

/// The two kinds of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    Gpx,
    Kml,
}

/// Collects what one kind of file holds.
pub(super) trait Handler {
    /// An element begins. `Err` is what is wrong with it.
    fn start(&mut self, name: &str, attributes: &Attributes<'_>, found: &mut Found) -> Result<(), String>;
    /// An element ends; `text` is what stood in it since its last child.
    fn end(&mut self, name: &str, text: &str, found: &mut Found) -> Result<(), String>;
    /// The file ends.
    fn finish(self) -> Document;
}

/// How far the walk has come.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The number of the point at hand, from 1; 0 outside points. For messages.
    pub(super) point: usize,
    /// Points so far.
    pub(super) points: usize,
}

impl Found {
    /// Counts one more point.
    pub(super) fn add(&mut self, to: &mut Vec<Point>, point: Point) -> Result<(), String> {
        if self.points == MAX_POINTS {
            return Err(format!("more than {MAX_POINTS} points: leave some out"));
        }
        self.points += 1;
        to.push(point);
        Ok(())
    }
}

/// The attributes of an element.
pub(super) struct Attributes<'a>(&'a BytesStart<'a>);

impl Attributes<'_> {
    /// The value of one as it stands in the file.
    pub(super) fn get(&self, name: &str) -> Result<Option<String>, String> {
        for attribute in self.0.attributes() {
            let attribute = attribute.map_err(|e| format!("not well-formed: {}", said(&e)))?;
            if attribute.key.local_name().as_ref() == name {
                return Ok(Some(attribute.value.trim().to_owned()));
            }
        }
        Ok(None)
    }
}

/// The file as text: UTF-8, or UTF-16 with its mark.
pub(super) fn text(bytes: &[u8]) -> Result<Cow<'_, str>, TrackError> {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|c| unit([c[0], c[1]])).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    Ok(match bytes {
        [] => return Err(TrackError::File("is empty".into())),
        [0xFF, 0xFE, ..] => wide(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => wide(u16::from_be_bytes),
        [b'P', b'K', 3, 4, ..] => {
            return Err(TrackError::File(
                "is a ZIP archive (KMZ?): unpack it and use the .kml file that is inside".into(),
            ));
        }
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest),
        _ => String::from_utf8_lossy(bytes),
    })
}

/// What the root element says the file is.
pub(super) fn root(text: &str) -> Result<Root, TrackError> {
    let trimmed = text.trim_start();
    if !trimmed.starts_with('<') {
        let line = line_at(text, text.len() - trimmed.len());
        return Err(TrackError::Line { line, what: "not XML: a GPX or KML file begins with `<`".into() });
    }
    let mut reader = Reader::from_str(text);
    loop {
        let at = reader.buffer_position();
        match reader.read_event() {
            Ok(Event::Start(e) | Event::Empty(e)) => {
                return match e.local_name().as_ref() {
                    "gpx" => Ok(Root::Gpx),
                    "kml" => Ok(Root::Kml),
                    other => {
                        let what = format!("neither GPX nor KML: the root element is <{}>", shown(other));
                        Err(TrackError::Line { line: line_at(text, at as usize), what })
                    }
                };
            }
            Ok(Event::Eof) => return Err(TrackError::File("not XML: has no element".into())),
            Ok(Event::DocType(d)) => refuse_entities(text, at as usize, &d)?,
            Ok(_) => {}
            Err(e) => {
                return Err(TrackError::Line {
                    line: line_at(text, reader.error_position() as usize),
                    what: format!("not XML: {}", said(&e)),
                });
            }
        }
    }
}

/// Walks over the whole file.
pub(super) fn walk<H: Handler>(text: &str, mut handler: H) -> Result<Document, TrackError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut found = Found::default();
    let mut content = String::new();
    let mut depth = 0_usize;
    loop {
        let at = reader.buffer_position() as usize;
        let fail = |what: String, found: &Found| {
            let line = line_at(text, at);
            match found.point {
                0 => TrackError::Line { line, what },
                point => TrackError::Point { point, line, what },
            }
        };
        match reader.read_event() {
            Ok(Event::Start(e)) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(fail(format!("more than {MAX_DEPTH} elements inside each other"), &found));
                }
                content.clear();
                handler
                    .start(e.local_name().as_ref(), &Attributes(&e), &mut found)
                    .map_err(|what| fail(what, &found))?;
            }
            Ok(Event::End(e)) => {
                depth = depth.saturating_sub(1);
                let name = e.local_name();
                handler.end(name.as_ref(), &content, &mut found).map_err(|what| fail(what, &found))?;
                content.clear();
            }
            Ok(Event::Text(t)) => content.push_str(&t),
            Ok(Event::CData(t)) => content.push_str(&t),
            Ok(Event::GeneralRef(r)) => {
                let c = match r.resolve_char_ref() {
                    Ok(Some(c)) => Some(c),
                    Ok(None) => match &*r {
                        "amp" => Some('&'),
                        "lt" => Some('<'),
                        "gt" => Some('>'),
                        "quot" => Some('"'),
                        "apos" => Some('\''),
                        _ => None,
                    },
                    Err(_) => None,
                };
                match c {
                    Some(c) => content.push(c),
                    None => return Err(fail(format!("entity &{}; is not expanded", shown(&r)), &found)),
                }
            }
            Ok(Event::DocType(d)) => refuse_entities(text, at, &d)?,
            Ok(Event::Eof) if depth > 0 => {
                let what = "the file ends inside an element: it has been cut off".into();
                return Err(TrackError::Line { line: line_at(text, text.len()), what });
            }
            Ok(Event::Eof) => return Ok(handler.finish()),
            Ok(_) => {}
            Err(e) => {
                let line = line_at(text, reader.error_position() as usize);
                return Err(TrackError::Line { line, what: format!("not well-formed XML: {}", said(&e)) });
            }
        }
    }
}

fn refuse_entities(text: &str, at: usize, doctype: &str) -> Result<(), TrackError> {
    if doctype.contains("<!ENTITY") {
        let what = "declares entities: such a file is refused, as they can be a bomb; remove the DOCTYPE".into();
        return Err(TrackError::Line { line: line_at(text, at), what });
    }
    Ok(())
}

/// The number, from 1, of the line that holds the first thing at or after a byte.
fn line_at(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    let rest = &text.as_bytes()[byte..];
    let blanks = rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(0);
    memchr::memchr_iter(b'\n', &text.as_bytes()[..byte + blanks]).count() + 1
}

/// Text from the file in a message: visible, and short.
pub(super) fn shown(text: &str) -> String {
    cut(text, 40)
}

/// What the reader of XML says, which quotes the file.
fn said(error: &impl ToString) -> String {
    cut(&error.to_string(), 120)
}

fn cut(text: &str, most: usize) -> String {
    let short: String = text.chars().take(most).collect();
    let mut out = visible::text(short.as_bytes());
    if short.len() < text.len() {
        out.push('…');
    }
    out
}

/// A number that must be there.
pub(super) fn number(what: &str, text: &str) -> Result<f64, String> {
    optional(text).ok_or_else(|| format!("{what} {:?} is not a number", shown(text)))
}

/// A number, or nothing.
pub(super) fn optional(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|v| v.is_finite())
}

/// A position from two texts.
pub(super) fn position(latitude: &str, longitude: &str) -> Result<crate::core::vessel::Position, String> {
    let latitude = number("latitude", latitude)?;
    let longitude = number("longitude", longitude)?;
    if !(-90.0..=90.0).contains(&latitude) {
        return Err(format!("latitude {latitude} is out of range (-90 to 90)"));
    }
    if !(-180.0..=180.0).contains(&longitude) {
        return Err(format!("longitude {longitude} is out of range (-180 to 180)"));
    }
    Ok(crate::core::vessel::Position { latitude, longitude })
}

/// The name a file gives itself.
pub(super) fn name(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| shown(text))
}

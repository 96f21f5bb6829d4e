//! The compass rose: north up, the heading as a needle, course and bearing as letters on the rim.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Looks;
use super::canvas::Stroke;
use super::dial::{self, Dial, Letter, Needle};
use crate::ui::theme::Role;

/// What the rose shows; directions in degrees true.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compass {
    /// Where the bow points: the needle.
    pub heading: Option<f64>,
    /// Where the vessel goes over ground: `C`.
    pub course: Option<f64>,
    /// Where the destination lies: `D`.
    pub bearing: Option<f64>,
    /// Lines of text, worded by the caller, with their roles.
    pub lines: Vec<(String, Role)>,
}

/// Draws the rose. With no room for a circle, the text alone.
pub fn draw(compass: &Compass, buffer: &mut Buffer, area: Rect, looks: Looks<'_>) {
    let mut letters: Vec<Letter> = [(0.0, "N"), (90.0, "E"), (180.0, "S"), (270.0, "W")]
        .into_iter()
        .map(|(angle, text)| Letter { angle, text, role: Role::Label })
        .collect();
    for (angle, text, role) in [(compass.bearing, "D", Role::Destination), (compass.course, "C", Role::Ahead)] {
        letters.extend(angle.map(|angle| Letter { angle, text, role }));
    }
    let needle =
        compass.heading.map(|angle| Needle { angle, reach: (-0.25, 0.8), role: Role::Vessel, stroke: Stroke::Solid });
    let dial = Dial { sectors: &[], needles: needle.as_slice(), letters: &letters, lines: &compass.lines };
    dial::draw(&dial, buffer, area, looks);
}

#[cfg(test)]
mod tests {
    use super::super::test_support::drawn;
    use super::*;
    use crate::ui::glyphs::GlyphSet;

    fn rose() -> Compass {
        let line = |t: &str| (t.to_owned(), Role::Normal);
        Compass {
            heading: Some(45.0),
            course: Some(60.0),
            bearing: Some(225.0),
            lines: vec![line("HDG 045.0 T"), line("COG 060.0 T"), line("BRG 225.0 T")],
        }
    }

    #[test]
    fn the_rose_as_it_is_drawn() {
        insta::assert_snapshot!("compass_24x14", drawn(24, 14, GlyphSet::Unicode, |b, a, l| draw(&rose(), b, a, l)));
        insta::assert_snapshot!("compass_36x9_ascii", drawn(36, 9, GlyphSet::Ascii, |b, a, l| draw(&rose(), b, a, l)));
        insta::assert_snapshot!(
            "compass_24x12_linux",
            drawn(24, 12, GlyphSet::Linux, |b, a, l| draw(&rose(), b, a, l))
        );
    }

    #[test]
    fn letters_stand_where_they_point_to() {
        let compass = Compass { course: Some(90.0), ..Compass::default() };
        let text = drawn(21, 11, GlyphSet::Ascii, |b, a, l| draw(&compass, b, a, l));
        let rows: Vec<&str> = text.lines().collect();
        let find = |c| rows.iter().enumerate().find_map(|(y, r)| r.find(c).map(|x| (x, y)));
        // middle at 10.5 columns and 11 half rows, the rim 9.25 away: the course hides the E of the right edge
        assert_eq!(find('N'), Some((10, 0)));
        assert_eq!(find('S'), Some((10, 10)));
        assert_eq!(find('W'), Some((1, 5)));
        assert_eq!(find('C'), Some((19, 5)));
        assert_eq!(find('E'), None);
    }

    #[test]
    fn without_room_for_a_circle_the_text_stays() {
        let text = drawn(14, 3, GlyphSet::Unicode, |b, a, l| draw(&rose(), b, a, l));
        assert_eq!(text, "HDG 045.0 T\nCOG 060.0 T\nBRG 225.0 T\n");
    }

    #[test]
    fn no_area_and_no_number_breaks_it() {
        for width in 0..30 {
            for height in 0..14 {
                let odd =
                    Compass { heading: Some(f64::NAN), course: Some(1e300), bearing: Some(f64::INFINITY), ..rose() };
                drawn(width, height, GlyphSet::Unicode, |b, a, l| draw(&odd, b, a, l));
                drawn(width, height, GlyphSet::Ascii, |b, a, l| draw(&rose(), b, a, l));
            }
        }
    }
}

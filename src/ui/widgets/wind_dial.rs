//! The wind dial: bow up, the sectors that cannot be sailed, apparent and true wind as needles from the rim inwards.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Looks;
use super::canvas::Stroke;
use super::dial::{self, Dial, Letter, Needle, Sector};
use crate::ui::theme::Role;

/// What the dial shows; angles in degrees from the bow, clockwise, in any turn.
#[derive(Clone, Debug, PartialEq)]
pub struct WindDial {
    /// Where the apparent wind comes from: needle and `A`.
    pub apparent: Option<f64>,
    /// Where the true wind comes from: `T`.
    pub over_water: Option<f64>,
    /// How close to the wind the vessel sails, degrees; drawn as red (port) and green (starboard) sectors.
    pub close_hauled: f64,
    /// Lines of text, worded by the caller, with their roles.
    pub lines: Vec<(String, Role)>,
}

impl Default for WindDial {
    fn default() -> Self {
        Self { apparent: None, over_water: None, close_hauled: 45.0, lines: Vec::new() }
    }
}

/// Draws the dial. With no room for a circle, the text alone.
pub fn draw(wind: &WindDial, buffer: &mut Buffer, area: Rect, looks: Looks<'_>) {
    let close = if wind.close_hauled.is_finite() { wind.close_hauled.clamp(0.0, 180.0) } else { 0.0 };
    let sectors = [
        Sector { from: -close, to: -4.0_f64.min(close), role: Role::Port },
        Sector { from: 4.0_f64.min(close), to: close, role: Role::Starboard },
    ];
    let limit = |angle, role| Needle { angle, reach: (0.55, 1.0), role, stroke: Stroke::Dotted };
    let mut needles = vec![limit(-close, Role::Port), limit(close, Role::Starboard)];
    needles.extend(wind.over_water.map(|angle| Needle {
        angle,
        reach: (0.6, 1.0),
        role: Role::Ahead,
        stroke: Stroke::Solid,
    }));
    needles.extend(wind.apparent.map(|angle| Needle {
        angle,
        reach: (0.2, 1.0),
        role: Role::Wind,
        stroke: Stroke::Solid,
    }));
    let mut letters = vec![Letter { angle: 0.0, text: looks.glyphs.up, role: Role::Vessel }];
    letters.extend(wind.over_water.map(|angle| Letter { angle, text: "T", role: Role::Ahead }));
    letters.extend(wind.apparent.map(|angle| Letter { angle, text: "A", role: Role::Wind }));
    let dial = Dial { sectors: &sectors, needles: &needles, letters: &letters, lines: &wind.lines };
    dial::draw(&dial, buffer, area, looks);
}

#[cfg(test)]
mod tests {
    use super::super::test_support::drawn;
    use super::*;
    use crate::ui::glyphs::GlyphSet;

    fn breeze() -> WindDial {
        let line = |t: &str| (t.to_owned(), Role::Normal);
        WindDial {
            apparent: Some(35.0),
            over_water: Some(-60.0),
            lines: vec![line("AWA 35 stb 14.2 kn"), line("TWA 60 port 9.8 kn")],
            ..WindDial::default()
        }
    }

    #[test]
    fn the_dial_as_it_is_drawn() {
        insta::assert_snapshot!("wind_24x13", drawn(24, 13, GlyphSet::Unicode, |b, a, l| draw(&breeze(), b, a, l)));
        insta::assert_snapshot!("wind_24x13_ascii", drawn(24, 13, GlyphSet::Ascii, |b, a, l| draw(&breeze(), b, a, l)));
    }

    #[test]
    fn wind_from_port_is_on_the_left_and_from_astern_at_the_bottom() {
        let find = |wind: WindDial, c: char| {
            let text = drawn(21, 11, GlyphSet::Ascii, |b, a, l| draw(&wind, b, a, l));
            text.lines().enumerate().find_map(|(y, r)| r.find(c).map(|x| (x, y)))
        };
        let apparent = |angle| WindDial { apparent: Some(angle), ..WindDial::default() };
        assert_eq!(find(apparent(-90.0), 'A'), Some((1, 5)));
        assert_eq!(find(apparent(270.0), 'A'), Some((1, 5)));
        assert_eq!(find(apparent(180.0), 'A'), Some((10, 10)));
        assert_eq!(find(apparent(0.0), 'A'), Some((10, 0)));
    }

    #[test]
    fn no_area_and_no_number_breaks_it() {
        for width in 0..30 {
            for height in 0..14 {
                for close in [0.0, 30.0, 400.0, f64::NAN, -5.0] {
                    let odd = WindDial {
                        apparent: Some(f64::NAN),
                        over_water: Some(-1e200),
                        close_hauled: close,
                        ..breeze()
                    };
                    drawn(width, height, GlyphSet::Unicode, |b, a, l| draw(&odd, b, a, l));
                }
            }
        }
    }
}

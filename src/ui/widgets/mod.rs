//! Drawings in cells: dots, dials, scale, chart. Pure functions from plain data into a `ratatui` buffer.
//!
//! None of them panics, whatever the numbers and however small the area. Must not know the session or the model.

pub mod canvas;
pub mod chart;
pub mod compass;
mod dial;
pub mod projection;
pub mod scale_bar;
pub mod wind_dial;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthChar;

use super::glyphs::Glyphs;
use super::theme::Theme;

/// How a drawing looks.
#[derive(Clone, Copy, Debug)]
pub struct Looks<'a> {
    /// Colours by meaning.
    pub theme: &'a Theme,
    /// Signs.
    pub glyphs: &'static Glyphs,
}

/// Writes text at a column and row of `area`, both of which may lie outside: what does is cut. A character without a
/// width of its own becomes `?`.
fn put(buffer: &mut Buffer, area: Rect, col: i32, row: i32, text: &str, style: Style) {
    let area = area.intersection(buffer.area);
    if row < 0 || row >= i32::from(area.height) {
        return;
    }
    let mut x = col;
    for c in text.chars() {
        let (c, width) = match c.width() {
            Some(w @ (1 | 2)) => (c, w as i32),
            _ => ('?', 1),
        };
        if x >= 0 && x + width <= i32::from(area.width) {
            let at = (area.x + x as u16, area.y + row as u16);
            if let Some(cell) = buffer.cell_mut(at) {
                cell.reset();
                cell.set_char(c).set_style(style);
            }
            if width == 2
                && let Some(cell) = buffer.cell_mut((at.0 + 1, at.1))
            {
                cell.reset();
            }
        }
        x = x.saturating_add(width);
        if x >= i32::from(area.width) {
            return;
        }
    }
}

/// Columns a text takes when it is written with [`put`].
fn columns(text: &str) -> i32 {
    text.chars().map(|c| c.width().filter(|w| *w > 0).unwrap_or(1) as i32).sum()
}

#[cfg(test)]
mod test_support {
    use super::*;
    use crate::ui::glyphs::GlyphSet;
    use crate::ui::theme::ThemeName;

    /// What a drawing looks like as text, one row a line.
    pub fn drawn(width: u16, height: u16, set: GlyphSet, draw: impl FnOnce(&mut Buffer, Rect, Looks<'_>)) -> String {
        let area = Rect::new(0, 0, width, height);
        // drawn into the middle of a larger buffer, to see that nothing is written outside
        let mut buffer = Buffer::filled(Rect::new(0, 0, width + 4, height + 2), ratatui::buffer::Cell::new("~"));
        let inner = Rect { x: 2, y: 1, ..area };
        for y in 1..=height {
            for x in 2..width + 2 {
                buffer[(x, y)].reset();
            }
        }
        let theme = Theme::new(ThemeName::Dark);
        draw(&mut buffer, inner, Looks { theme: &theme, glyphs: set.glyphs() });
        let mut text = String::new();
        for y in 0..height + 2 {
            let mut row = String::new();
            for x in 0..width + 4 {
                let inside = (1..=height).contains(&y) && (2..width + 2).contains(&x);
                let symbol = buffer[(x, y)].symbol();
                assert!(inside || symbol == "~", "'{symbol}' outside, at {x}, {y}");
                if inside {
                    row.push_str(symbol);
                }
            }
            if (1..=height).contains(&y) {
                text.push_str(row.trim_end());
                text.push('\n');
            }
        }
        text
    }
}

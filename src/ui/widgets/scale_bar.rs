//! A bar whose length is a round distance.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Looks, columns, put};
use crate::ui::theme::Role;

/// Metres of a nautical mile.
const MILE: f64 = 1852.0;

/// The longest round distance of at most `metres`: its length in metres, and its name.
pub fn round(metres: f64) -> Option<(f64, String)> {
    if !metres.is_finite() || metres < 1.0 {
        return None;
    }
    // below a tenth of a mile people speak of metres
    let (unit, name) = if metres < 0.1 * MILE { (1.0, "m") } else { (MILE, "nm") };
    let value = metres / unit;
    // a shade more than the power itself must not lose it to rounding
    let power = 10f64.powi((value * (1.0 + 1e-9)).log10().floor() as i32);
    let step = [5.0, 2.0, 1.0].into_iter().find(|s| s * power <= value * (1.0 + 1e-9)).unwrap_or(1.0) * power;
    let digits = if step >= 1.0 { 0 } else { (-power.log10()).round().max(0.0) as usize };
    Some((step * unit, format!("{step:.digits$} {name}")))
}

/// Draws the bar into the last row of an area, from its left edge, for a chart with so many metres a column.
/// Answers how many columns it took; none where there is no room.
pub fn draw(buffer: &mut Buffer, area: Rect, metres_a_column: f64, looks: Looks<'_>) -> u16 {
    if area.height == 0 {
        return 0;
    }
    let style = looks.theme.style(Role::Scale);
    let room = f64::from(area.width.saturating_sub(10).min(30));
    let Some((length, name)) = round(room * metres_a_column) else { return 0 };
    let long = (length / metres_a_column).round() as i32;
    if long < 2 || long + 1 + columns(&name) > i32::from(area.width) {
        return 0;
    }
    let g = looks.glyphs;
    let bar = format!("{}{}{}", g.tee_right, g.horizontal.repeat(long.saturating_sub(2) as usize), g.tee_left);
    let row = i32::from(area.height) - 1;
    put(buffer, area, 0, row, &bar, style);
    put(buffer, area, long + 1, row, &name, style);
    (long + 1 + columns(&name)) as u16
}

#[cfg(test)]
mod tests {
    use super::super::test_support::drawn;
    use super::*;
    use crate::ui::glyphs::GlyphSet;

    #[test]
    fn the_distance_is_round_and_named_as_sailors_do() {
        let table = [
            (3.7 * MILE, 2.0 * MILE, "2 nm"),
            (0.13 * MILE, 0.1 * MILE, "0.1 nm"),
            (0.1 * MILE, 0.1 * MILE, "0.1 nm"),
            (0.6 * MILE, 0.5 * MILE, "0.5 nm"),
            (1.0 * MILE, MILE, "1 nm"),
            (512.0 * MILE, 500.0 * MILE, "500 nm"),
            (180.0, 100.0, "100 m"),
            (7.0, 5.0, "5 m"),
        ];
        for (metres, length, name) in table {
            let (l, n) = round(metres).unwrap();
            assert!((l - length).abs() < 1e-6 && n == name, "{metres}: {l} {n}");
        }
        for metres in [0.0, -1.0, 0.5, f64::NAN, f64::INFINITY] {
            assert_eq!(round(metres), None);
        }
    }

    #[test]
    fn the_bar_is_as_long_as_it_says() {
        // 100 m a column, 30 columns at most: 3000 m are 1.6 miles, so one mile, 18.5 columns
        let text = drawn(40, 2, GlyphSet::Ascii, |b, a, l| {
            assert_eq!(draw(b, a, 100.0, l), 24);
        });
        assert_eq!(text, "\n+-----------------+ 1 nm\n".replace("-----------------", &"-".repeat(17)));
        for width in 0..12 {
            drawn(width, 1, GlyphSet::Unicode, |b, a, l| {
                draw(b, a, 100.0, l);
            });
        }
    }
}

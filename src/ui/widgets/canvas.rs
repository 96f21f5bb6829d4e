//! Dots finer than cells: points, lines and circles, clipped, in braille, half blocks or ASCII.
//!
//! The unit in both directions is the width of a column; a cell is one wide and two high, so that a circle is round in
//! all three. Coordinates may be anything, also not a number: what does not lie on the canvas is not drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Looks;
use crate::ui::glyphs::GlyphSet;
use crate::ui::theme::Role;

/// How the dots of a cell are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dots {
    /// Two by four dots a cell.
    Braille,
    /// One by two: `▀ ▄ █`.
    Blocks,
    /// One by two: `' . :`.
    Ascii,
}

impl Dots {
    /// The finest that a set of signs has.
    pub fn of(set: GlyphSet) -> Self {
        match set {
            GlyphSet::Unicode => Self::Braille,
            GlyphSet::Linux => Self::Blocks,
            GlyphSet::Ascii => Self::Ascii,
        }
    }

    /// Dots along the width of a column. A cell has as many across, and twice as many down.
    fn fineness(self) -> i64 {
        if self == Self::Braille { 2 } else { 1 }
    }

    fn sign(self, mask: u8) -> char {
        match self {
            Self::Braille => char::from_u32(0x2800 + u32::from(mask)).unwrap_or(' '),
            Self::Blocks => [' ', '▀', '▄', '█'][usize::from(mask & 3)],
            Self::Ascii => [' ', '\'', '.', ':'][usize::from(mask & 3)],
        }
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// Every dot.
    Solid,
    /// Every third dot.
    Dotted,
}

/// The dots of an area.
#[derive(Clone, Debug)]
pub struct Canvas {
    dots: Dots,
    width: i64,
    height: i64,
    cells: Vec<(u8, Role)>,
}

impl Canvas {
    /// An empty canvas of so many cells.
    pub fn new(width: u16, height: u16, dots: Dots) -> Self {
        let cells = vec![(0, Role::Normal); usize::from(width) * usize::from(height)];
        Self { dots, width: i64::from(width), height: i64::from(height), cells }
    }

    /// Right edge, in columns.
    pub fn right(&self) -> f64 {
        self.width as f64
    }

    /// Lower edge, in columns.
    pub fn bottom(&self) -> f64 {
        2.0 * self.height as f64
    }

    fn dot(&mut self, x: i64, y: i64, role: Role) {
        let fine = self.dots.fineness();
        if x < 0 || y < 0 || x >= self.width * fine || y >= self.height * 2 * fine {
            return;
        }
        let (col, row) = (x / fine, y / (2 * fine));
        let bit = match self.dots {
            Dots::Braille => {
                [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]][(y % 4) as usize][(x % 2) as usize]
            }
            Dots::Blocks | Dots::Ascii => 1 << (y % 2),
        };
        if let Some(cell) = self.cells.get_mut((row * self.width + col) as usize) {
            *cell = (cell.0 | bit, role);
        }
    }

    /// The dot that holds a coordinate. `None` for what is no number or far away.
    fn index(&self, v: f64) -> Option<i64> {
        let scaled = v * self.dots.fineness() as f64;
        (scaled.abs() < 1e9).then(|| scaled.floor() as i64)
    }

    /// One dot.
    pub fn point(&mut self, x: f64, y: f64, role: Role) {
        if let (Some(x), Some(y)) = (self.index(x), self.index(y)) {
            self.dot(x, y, role);
        }
    }

    /// A straight line, however far its ends lie outside.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), role: Role, stroke: Stroke) {
        let Some((from, to)) = clip(from, to, self.right(), self.bottom()) else { return };
        let fine = self.dots.fineness() as f64;
        let (dx, dy) = ((to.0 - from.0) * fine, (to.1 - from.1) * fine);
        let steps = dx.abs().max(dy.abs()).ceil().max(1.0) as i64;
        for i in 0..=steps {
            if stroke == Stroke::Dotted && i % 3 != 0 {
                continue;
            }
            let t = i as f64 / steps as f64;
            let x = (from.0 * fine + t * dx).floor() as i64;
            let y = (from.1 * fine + t * dy).floor() as i64;
            self.dot(x, y, role);
        }
    }

    /// Lines from place to place.
    pub fn path(&mut self, places: impl IntoIterator<Item = (f64, f64)>, role: Role, stroke: Stroke) {
        let mut last: Option<(f64, f64)> = None;
        for place in places {
            match last {
                Some(from) => self.line(from, place, role, stroke),
                None => self.point(place.0, place.1, role),
            }
            last = Some(place);
        }
    }

    /// A circle, whatever its size: the work depends on the canvas alone.
    pub fn circle(&mut self, centre: (f64, f64), radius: f64, role: Role, stroke: Stroke) {
        let valid = radius.is_finite() && radius > 0.0 && centre.0.is_finite() && centre.1.is_finite();
        if !valid {
            return;
        }
        let fine = self.dots.fineness();
        let dotted = |i: i64| stroke == Stroke::Dotted && i % 3 != 0;
        // where the circle is flat, one dot a column; where it is steep, one a row
        let flat = radius * std::f64::consts::FRAC_1_SQRT_2;
        for i in (0..self.width * fine).filter(|i| !dotted(*i)) {
            let x = (i as f64 + 0.5) / fine as f64;
            let dx = x - centre.0;
            if dx.abs() <= flat {
                let dy = (radius * radius - dx * dx).max(0.0).sqrt();
                self.point(x, centre.1 - dy, role);
                self.point(x, centre.1 + dy, role);
            }
        }
        for i in (0..self.height * 2 * fine).filter(|i| !dotted(*i)) {
            let y = (i as f64 + 0.5) / fine as f64;
            let dy = y - centre.1;
            if dy.abs() <= flat {
                let dx = (radius * radius - dy * dy).max(0.0).sqrt();
                self.point(centre.0 - dx, y, role);
                self.point(centre.0 + dx, y, role);
            }
        }
    }

    /// Draws the dots into an area of the buffer; cells without dots stay as they are.
    pub fn paint(&self, buffer: &mut Buffer, area: Rect, looks: Looks<'_>) {
        for (i, (mask, role)) in self.cells.iter().enumerate() {
            if *mask == 0 {
                continue;
            }
            let (row, col) = (i as i64 / self.width, i as i64 % self.width);
            if col >= i64::from(area.width) || row >= i64::from(area.height) {
                continue;
            }
            if let Some(cell) = buffer.cell_mut((area.x + col as u16, area.y + row as u16)) {
                cell.set_char(self.dots.sign(*mask)).set_style(looks.theme.style(*role));
            }
        }
    }
}

/// The part of a line within `0..=right`, `0..=bottom` (Liang and Barsky 1984).
fn clip(from: (f64, f64), to: (f64, f64), right: f64, bottom: f64) -> Option<((f64, f64), (f64, f64))> {
    // beyond that the products below are no numbers any more
    if ![from.0, from.1, to.0, to.1].iter().all(|v| v.abs() < 1e100) || right <= 0.0 || bottom <= 0.0 {
        return None;
    }
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for (p, q) in [(-dx, from.0), (dx, right - from.0), (-dy, from.1), (dy, bottom - from.1)] {
        if p == 0.0 {
            if q < 0.0 {
                return None;
            }
        } else if p < 0.0 {
            enter = enter.max(q / p);
        } else {
            leave = leave.min(q / p);
        }
    }
    if enter > leave {
        return None;
    }
    let at = |t: f64| ((from.0 + t * dx).clamp(0.0, right), (from.1 + t * dy).clamp(0.0, bottom));
    Some((at(enter), at(leave)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_support::drawn;
    use super::*;

    fn canvas(width: u16, height: u16, set: GlyphSet, draw: impl FnOnce(&mut Canvas)) -> String {
        drawn(width, height, set, |buffer, area, looks| {
            let mut canvas = Canvas::new(width, height, Dots::of(set));
            draw(&mut canvas);
            canvas.paint(buffer, area, looks);
        })
    }

    #[test]
    fn the_dots_of_a_braille_cell_are_numbered_as_unicode_does() {
        // U+2800 to U+28FF: dots 1 2 3 7 down the left, 4 5 6 8 down the right, bit n-1 for dot n
        let dots = [[1, 4], [2, 5], [3, 6], [7, 8]];
        for (row, pair) in dots.iter().enumerate() {
            for (col, dot) in pair.iter().enumerate() {
                let text =
                    canvas(1, 1, GlyphSet::Unicode, |c| c.point(col as f64 / 2.0, row as f64 / 2.0, Role::Normal));
                let expected = char::from_u32(0x2800 + (1 << (dot - 1))).unwrap();
                assert_eq!(text.trim_end(), expected.to_string());
            }
        }
    }

    #[test]
    fn the_other_sets_have_two_dots_a_cell() {
        for (set, signs) in [(GlyphSet::Ascii, ["'", ".", ":"]), (GlyphSet::Linux, ["▀", "▄", "█"])] {
            let dot = |c: &mut Canvas, y| c.point(0.5, y, Role::Normal);
            assert_eq!(canvas(1, 1, set, |c| dot(c, 0.5)).trim_end(), signs[0]);
            assert_eq!(canvas(1, 1, set, |c| dot(c, 1.5)).trim_end(), signs[1]);
            assert_eq!(
                canvas(1, 1, set, |c| {
                    dot(c, 0.5);
                    dot(c, 1.5)
                })
                .trim_end(),
                signs[2]
            );
        }
    }

    #[test]
    fn lines_reach_from_edge_to_edge_and_far_ends_keep_their_slope() {
        // one dot a column in ASCII: down one row over two columns is one to one
        let expected = "'.\n  '.\n    '.\n";
        assert_eq!(
            canvas(6, 3, GlyphSet::Ascii, |c| c.line((0.0, 0.0), (6.0, 6.0), Role::Normal, Stroke::Solid)),
            expected
        );
        let far = |c: &mut Canvas| c.line((-1e6, -1e6), (1e6, 1e6), Role::Normal, Stroke::Solid);
        assert_eq!(canvas(6, 3, GlyphSet::Ascii, far), expected);
        let level = |c: &mut Canvas| c.line((-1e9, 2.5), (1e9, 2.5), Role::Normal, Stroke::Solid);
        assert_eq!(canvas(6, 3, GlyphSet::Ascii, level), "\n''''''\n\n");
        let dotted = |c: &mut Canvas| c.line((0.0, 2.5), (6.0, 2.5), Role::Normal, Stroke::Dotted);
        assert_eq!(canvas(6, 3, GlyphSet::Ascii, dotted), "\n'  '\n\n");
    }

    #[test]
    fn every_dot_of_a_circle_is_at_its_radius() {
        for set in [GlyphSet::Unicode, GlyphSet::Ascii] {
            let fine = Dots::of(set).fineness() as f64;
            let mut c = Canvas::new(40, 20, Dots::of(set));
            c.circle((20.0, 20.0), 15.0, Role::Normal, Stroke::Solid);
            let mut seen = 0;
            let mut probe = Canvas::new(40, 20, Dots::of(set));
            for y in 0..(40.0 * fine) as i64 {
                for x in 0..(40.0 * fine) as i64 {
                    probe.cells.fill((0, Role::Normal));
                    probe.dot(x, y, Role::Normal);
                    let lit = probe.cells.iter().zip(&c.cells).any(|(p, c)| p.0 & c.0 != 0);
                    if lit {
                        seen += 1;
                        let r = ((x as f64 + 0.5) / fine - 20.0).hypot((y as f64 + 0.5) / fine - 20.0);
                        assert!((r - 15.0).abs() <= 0.75 / fine, "{x} {y}: {r}");
                    }
                }
            }
            // eight times the dots of an eighth: r/sqrt 2 each
            assert!(f64::from(seen) >= 8.0 * 15.0 * fine * 0.70, "{seen} dots");
        }
    }

    proptest! {
        #[test]
        fn no_number_breaks_it(v in proptest::collection::vec(
            prop_oneof![any::<f64>(), -50.0..50.0f64, Just(f64::NAN), Just(f64::INFINITY), Just(f64::MAX)], 5),
            width in 0u16..12, height in 0u16..8,
        ) {
            let mut c = Canvas::new(width, height, Dots::Braille);
            c.point(v[0], v[1], Role::Track);
            c.line((v[0], v[1]), (v[2], v[3]), Role::Track, Stroke::Solid);
            c.circle((v[0], v[1]), v[4], Role::Scale, Stroke::Dotted);
            c.path([(v[0], v[1]), (v[1], v[2])], Role::Ahead, Stroke::Dotted);
        }

        #[test]
        fn a_line_is_the_same_from_either_end_within_a_dot(a in 0.0..20.0f64, b in 0.0..20.0f64, c in 0.0..20.0f64, d in 0.0..20.0f64) {
            let count = |from, to| {
                let mut canvas = Canvas::new(20, 10, Dots::Braille);
                canvas.line(from, to, Role::Track, Stroke::Solid);
                canvas.cells.iter().map(|c| c.0.count_ones()).sum::<u32>()
            };
            let (there, back) = (count((a, b), (c, d)), count((c, d), (a, b)));
            // as many dots as the longer side, and one
            let longest = (2.0 * (c - a).abs().max((d - b).abs())) as u32;
            prop_assert!(there.abs_diff(back) <= 1 && there >= longest && there <= longest + 2, "{there} {back} {longest}");
        }
    }
}

//! Drawing text into a part of the screen: never outside of it, never a control character, cut with a sign.
//!
//! The only place of the views that touches cells.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::ui::glyphs::Glyphs;
use crate::ui::theme::{Role, Theme};

/// A piece of a line: text and what it is.
pub type Bit = (String, Role);

/// A bit.
pub fn bit(text: impl Into<String>, role: Role) -> Bit {
    (text.into(), role)
}

/// Columns that a line takes.
pub fn width(bits: &[Bit]) -> usize {
    bits.iter().map(|(t, _)| t.width()).sum()
}

/// A buffer with the looks.
pub struct Pen<'a> {
    /// Where it draws.
    pub buffer: &'a mut Buffer,
    /// Colours.
    pub theme: &'a Theme,
    /// Signs.
    pub glyphs: &'static Glyphs,
}

impl Pen<'_> {
    /// Writes one bit at a column and row of the screen, up to the edge of `area`; answers the column behind it.
    pub fn put(&mut self, area: Rect, x: u16, y: u16, text: &str, role: Role) -> u16 {
        let style = self.theme.style(role);
        let area = area.intersection(self.buffer.area);
        let (mut x, right) = (x, area.right());
        if y < area.top() || y >= area.bottom() || x < area.left() {
            return x;
        }
        for c in text.chars() {
            // what has no width of its own would change the cell before it
            let (c, w) = match c.width() {
                Some(w @ (1 | 2)) => (c, w as u16),
                _ => ('?', 1),
            };
            if x.saturating_add(w) > right {
                break;
            }
            if let Some(cell) = self.buffer.cell_mut((x, y)) {
                cell.set_char(c).set_style(style);
            }
            if w == 2
                && let Some(cell) = self.buffer.cell_mut((x + 1, y))
            {
                cell.reset();
            }
            x += w;
        }
        x
    }

    /// Writes a line into a row of an area, from its left edge; cut with a sign where it is too long.
    pub fn line(&mut self, area: Rect, row: u16, bits: &[Bit]) {
        if row >= area.height {
            return;
        }
        let y = area.y + row;
        let mut x = area.x;
        for (text, role) in bits {
            x = self.put(area, x, y, text, *role);
        }
        if width(bits) > usize::from(area.width) && area.width > 0 {
            let more = self.glyphs.more;
            self.put(area, area.right() - 1, y, more, Role::Dim);
        }
    }

    /// Writes a line with one part at the left edge and one at the right; the left one gives way.
    pub fn sides(&mut self, area: Rect, row: u16, left: &[Bit], right: &[Bit]) {
        let wide = (width(right) as u16).min(area.width);
        let room = area.width - wide;
        self.line(Rect { width: room, ..area }, row, left);
        self.line(Rect { x: area.x + room, width: wide, ..area }, row, right);
    }

    /// Empties an area and gives it a role.
    pub fn fill(&mut self, area: Rect, role: Role) {
        let area = area.intersection(self.buffer.area);
        let style = self.theme.style(role);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.reset();
                    cell.set_style(style);
                }
            }
        }
    }

    /// Gives a row of an area another role; its text stays.
    pub fn tint(&mut self, area: Rect, row: u16, role: Role) {
        if row < area.height {
            let area = Rect { y: area.y + row, height: 1, ..area }.intersection(self.buffer.area);
            self.buffer.set_style(area, self.theme.style(role));
        }
    }

    /// A rule with a heading in it: `-- Log  filter: none ------ FOLLOW --`.
    pub fn rule(&mut self, area: Rect, row: u16, heading: &[Bit], right: &[Bit]) {
        if row >= area.height {
            return;
        }
        let whole = self.glyphs.horizontal.repeat(usize::from(area.width));
        self.line(area, row, &[bit(whole, Role::Border)]);
        let wide = width(right) as u16;
        let y = area.y + row;
        let padded = |bits: &[Bit]| {
            let mut all = vec![bit(" ", Role::Border)];
            all.extend(bits.iter().cloned());
            all.push(bit(" ", Role::Border));
            all
        };
        if !heading.is_empty() {
            let room = area.width.saturating_sub(if wide > 0 { wide + 6 } else { 4 });
            let bits = padded(heading);
            let taken = (width(&bits) as u16).min(room);
            self.line(Rect { x: area.x + 2.min(area.width), y, width: taken, height: 1 }, 0, &bits);
        }
        if wide > 0 && area.width > wide + 4 {
            let x = area.right() - wide - 4;
            self.line(Rect { x, y, width: wide + 2, height: 1 }, 0, &padded(right));
        }
    }

    /// A frame with a heading; answers what is inside.
    pub fn frame(&mut self, area: Rect, heading: &str, focused: bool) -> Rect {
        if area.width < 2 || area.height < 2 {
            return Rect { width: 0, height: 0, ..area };
        }
        let g = self.glyphs;
        let across = g.horizontal.repeat(usize::from(area.width - 2));
        let role = if focused { Role::TitleFocused } else { Role::Border };
        self.line(area, 0, &[bit(format!("{}{across}{}", g.top_left, g.top_right), role)]);
        self.line(area, area.height - 1, &[bit(format!("{}{across}{}", g.bottom_left, g.bottom_right), role)]);
        for y in area.y + 1..area.bottom() - 1 {
            self.put(area, area.x, y, g.vertical, role);
            self.put(area, area.right() - 1, y, g.vertical, role);
        }
        if !heading.is_empty() {
            let title = if focused { Role::TitleFocused } else { Role::Title };
            let wide = (heading.width() as u16 + 2).min(area.width.saturating_sub(4));
            let inner = Rect { x: area.x + 2, width: wide, height: 1, ..area };
            self.line(inner, 0, &[bit(format!(" {heading} "), title)]);
        }
        Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 2 }
    }
}

//! A finished `ratatui` buffer reduced to what goes over the link: one character and one pen a cell, eight bytes.
//!
//! The last place where a character can be stopped that would move the cursor, hide, or reorder its line: nothing of that
//! kind leaves this module, whatever a view has put into its buffer. Must not know escape sequences.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthChar;

use super::capabilities::Depth;

/// Colour number of [`Pen`] that means: the terminal's own.
pub const DEFAULT: u8 = 16;

/// Bold.
pub const BOLD: u8 = 1;
/// Faint.
pub const DIM: u8 = 2;
/// Italic.
pub const ITALIC: u8 = 4;
/// Underlined.
pub const UNDERLINE: u8 = 8;
/// Foreground and background exchanged.
pub const REVERSE: u8 = 16;

/// How a character is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pen {
    /// Foreground: 0 to 15 in the order of ECMA-48 and aixterm, or [`DEFAULT`].
    pub fg: u8,
    /// Background, likewise.
    pub bg: u8,
    /// Sum of [`BOLD`], [`DIM`], [`ITALIC`], [`UNDERLINE`], [`REVERSE`].
    pub attrs: u8,
}

impl Pen {
    /// The terminal's own colours, nothing else.
    pub const PLAIN: Self = Self { fg: DEFAULT, bg: DEFAULT, attrs: 0 };
}

/// One cell as the terminal shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The character; [`Cell::TAIL`] in the right half of a wide one.
    pub ch: char,
    /// How it is drawn.
    pub pen: Pen,
}

impl Cell {
    /// An empty cell.
    pub const BLANK: Self = Self { ch: ' ', pen: Pen::PLAIN };
    /// The character of the right half of a wide character.
    pub const TAIL: char = '\0';

    /// Nothing to see but the background.
    pub fn is_blank(&self) -> bool {
        self.ch == ' ' && self.pen.attrs == 0
    }

    /// Drawing this cell with `pen` looks the same.
    pub fn looks_same_in(&self, pen: Pen) -> bool {
        self.pen == pen || self.is_blank() && pen.bg == self.pen.bg && pen.attrs & (UNDERLINE | REVERSE) == 0
    }
}

/// How cells are reduced.
#[derive(Clone, Copy, Debug)]
pub struct Reduce {
    /// How many colours there are.
    pub depth: Depth,
    /// Characters above ASCII may be sent.
    pub unicode: bool,
}

impl Reduce {
    /// Fills `cells` with the content of `buffer`, row by row.
    pub fn buffer(self, buffer: &Buffer, cells: &mut Vec<Cell>) {
        cells.clear();
        let width = usize::from(buffer.area.width);
        if width == 0 {
            return;
        }
        for row in buffer.content.chunks(width) {
            let mut tail = false;
            for (x, cell) in row.iter().enumerate() {
                let pen = self.pen(cell.fg, cell.bg, cell.modifier);
                if tail {
                    // the pen of the left half draws both
                    let left = cells.last().map_or(Pen::PLAIN, |c| c.pen);
                    cells.push(Cell { ch: Cell::TAIL, pen: left });
                    tail = false;
                    continue;
                }
                let ch = self.character(cell.symbol(), x + 1 < width);
                tail = is_wide(ch);
                cells.push(Cell { ch, pen: if ch == ' ' { blank(pen) } else { pen } });
            }
        }
    }

    /// The one character of `symbol` that is drawn. What follows the first is dropped: terminals do not agree on its width.
    fn character(self, symbol: &str, room_for_two: bool) -> char {
        let Some(ch) = symbol.chars().next() else { return ' ' };
        match ch {
            ' '..='~' => ch,
            _ if self.unicode && !is_unsafe(ch) && (room_for_two || !is_wide(ch)) => ch,
            _ => '?',
        }
    }

    fn pen(self, fg: Color, bg: Color, modifier: Modifier) -> Pen {
        let mut attrs = 0;
        for (flag, attr) in [
            (Modifier::BOLD, BOLD),
            (Modifier::DIM, DIM),
            (Modifier::ITALIC, ITALIC),
            (Modifier::UNDERLINED, UNDERLINE),
            (Modifier::REVERSED, REVERSE),
        ] {
            if modifier.contains(flag) {
                attrs |= attr;
            }
        }
        let (fg, bg) = (number(fg), number(bg));
        match self.depth {
            Depth::Sixteen => Pen { fg, bg, attrs },
            Depth::Mono => Pen { fg: DEFAULT, bg: DEFAULT, attrs },
            Depth::Eight => {
                let bg = if (8..16).contains(&bg) { bg - 8 } else { bg };
                match fg {
                    // bright black would be black: the default, faint
                    8 => Pen { fg: DEFAULT, bg, attrs: attrs | DIM },
                    9..16 => Pen { fg: fg - 8, bg, attrs: attrs | BOLD },
                    _ => Pen { fg, bg, attrs },
                }
            }
        }
    }
}

/// The pen of a blank: what cannot be seen is made equal.
fn blank(pen: Pen) -> Pen {
    if pen.attrs & (UNDERLINE | REVERSE) != 0 { pen } else { Pen { fg: DEFAULT, bg: pen.bg, attrs: 0 } }
}

/// Whether a character takes two columns.
pub fn is_wide(ch: char) -> bool {
    ch >= '\u{1100}' && ch.width() == Some(2)
}

/// A character that must not reach the terminal: it moves, hides, joins or reorders, or terminals disagree on its width.
///
/// Where they do was found out with tmux and `vt100`: on newer and rarer scripts, on marks that take a place of their own,
/// on everything that may be an emoji. So those that are sent are listed, and the rest is not.
fn is_unsafe(ch: char) -> bool {
    if is_hidden(ch) {
        return true;
    }
    match ch.width() {
        Some(1) => !matches!(u32::from(ch),
            // Latin, phonetic, Greek, Cyrillic, Armenian, Georgian; Vietnamese, polytonic Greek
            0x00A1..=0x02AF | 0x0370..=0x0482 | 0x048A..=0x052F | 0x0531..=0x058A | 0x10A0..=0x10FF | 0x1E00..=0x1FFE
            // punctuation, raised and lowered figures, currencies, letterlike, fractions, arrows, mathematics
            | 0x2010..=0x2027 | 0x2030..=0x205E | 0x2070..=0x209C | 0x20A0..=0x20BF | 0x2100..=0x22FF
            // technical; rules, blocks, shapes; signs; braille
            | 0x2300..=0x23FF | 0x2500..=0x27BF | 0x2800..=0x28FF
            // half width kana
            | 0xFF61..=0xFF9F),
        Some(2) => !matches!(u32::from(ch),
            // Chinese, Japanese, Korean, and their wide Latin
            0x3001..=0x3029 | 0x3030..=0x303D | 0x3041..=0x3096 | 0x309B..=0x30FF | 0x3105..=0x312F | 0x3131..=0x318E
            | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 | 0xF900..=0xFAD9 | 0xFF01..=0xFF60 | 0xFFE0..=0xFFE6),
        _ => true,
    }
}

/// A control or format character: invisible by nature, in part able to reorder what stands around it.
pub fn is_hidden(ch: char) -> bool {
    ch.is_control()
        || matches!(u32::from(ch),
            0x00AD | 0x034F | 0x0600..=0x0605 | 0x061C | 0x06DD | 0x070F | 0x08E2 | 0x115F | 0x1160 | 0x17B4 | 0x17B5
            | 0x180B..=0x180F | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF
            | 0xFFA0 | 0xFFF0..=0xFFFF | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF
            | 0xF0000..)
}

/// A colour of `ratatui` as one of the sixteen.
fn number(colour: Color) -> u8 {
    match colour {
        Color::Reset => DEFAULT,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
        Color::Indexed(n @ 0..16) => n,
        // the cube of 6x6x6 and the 24 greys of xterm
        Color::Indexed(n @ 16..232) => {
            let level = |v: u8| if v == 0 { 0 } else { 55 + 40 * v };
            nearest(level((n - 16) / 36), level((n - 16) / 6 % 6), level((n - 16) % 6))
        }
        Color::Indexed(n) => {
            let grey = 8 + 10 * (n - 232);
            nearest(grey, grey, grey)
        }
        Color::Rgb(r, g, b) => nearest(r, g, b),
    }
}

/// The nearest of xterm's sixteen.
fn nearest(r: u8, g: u8, b: u8) -> u8 {
    const PALETTE: [(u8, u8, u8); 16] = [
        (0, 0, 0),
        (205, 0, 0),
        (0, 205, 0),
        (205, 205, 0),
        (0, 0, 238),
        (205, 0, 205),
        (0, 205, 205),
        (229, 229, 229),
        (127, 127, 127),
        (255, 0, 0),
        (0, 255, 0),
        (255, 255, 0),
        (92, 92, 255),
        (255, 0, 255),
        (0, 255, 255),
        (255, 255, 255),
    ];
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    let far = |&(pr, pg, pb): &(u8, u8, u8)| square(pr, r) + square(pg, g) + square(pb, b);
    let best = PALETTE.iter().enumerate().min_by_key(|(_, p)| far(p)).map_or(0, |(i, _)| i);
    u8::try_from(best).unwrap_or(DEFAULT)
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    fn reduce(depth: Depth, unicode: bool, text: &str, style: Style) -> Vec<Cell> {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
        buffer.set_string(0, 0, text, style);
        let mut cells = vec![];
        Reduce { depth, unicode }.buffer(&buffer, &mut cells);
        cells
    }

    fn text(cells: &[Cell]) -> String {
        cells.iter().map(|c| if c.ch == Cell::TAIL { '_' } else { c.ch }).collect()
    }

    #[test]
    fn a_wide_character_takes_two_cells_and_never_hangs_over_the_edge() {
        assert_eq!(text(&reduce(Depth::Sixteen, true, "a船b", Style::new())), "a船_b  ");
        assert_eq!(text(&reduce(Depth::Sixteen, true, "한カｶ", Style::new())), "한_カ_ｶ ");
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
        buffer[(1, 0)].set_symbol("船");
        let mut cells = vec![];
        Reduce { depth: Depth::Sixteen, unicode: true }.buffer(&buffer, &mut cells);
        assert_eq!(text(&cells), " ?");
    }

    #[test]
    fn nothing_that_moves_hides_or_reorders_comes_through() {
        let hostile = [
            "\x1b", "\n", "\u{9b}", "\u{202e}", "\u{200b}", "\u{feff}", "\u{301}", "\u{ad}", "א", "🚢", "⌚",
            "\u{e000}", "𞗝", "𑏘",
        ];
        for symbol in hostile {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 3, 1));
            buffer[(1, 0)].set_symbol(symbol);
            let mut cells = vec![];
            Reduce { depth: Depth::Sixteen, unicode: true }.buffer(&buffer, &mut cells);
            assert_eq!(text(&cells), " ? ", "{symbol:?}");
        }
    }

    #[test]
    fn the_letters_of_seafaring_nations_and_the_signs_of_the_glyph_sets_come_through() {
        for symbol in [
            "é", "ß", "ő", "ø", "Ł", "Ω", "ά", "Ж", "ґ", "ệ", "°", "µ", "½", "€", "…", "⣿", "┼", "█", "▶", "◥", "◎",
            "━",
        ] {
            assert_eq!(text(&reduce(Depth::Sixteen, true, symbol, Style::new())), format!("{symbol}     "));
        }
    }

    #[test]
    fn a_combining_mark_is_dropped_and_its_letter_stays() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
        buffer[(0, 0)].set_symbol("e\u{301}\x1b[2J");
        let mut cells = vec![];
        Reduce { depth: Depth::Sixteen, unicode: true }.buffer(&buffer, &mut cells);
        assert_eq!(text(&cells), "e ");
    }

    #[test]
    fn without_unicode_only_ascii_is_left() {
        assert_eq!(text(&reduce(Depth::Sixteen, false, "12°é─", Style::new())), "12??? ");
    }

    #[test]
    fn colours_by_depth() {
        let style = Style::new().fg(Color::LightRed).bg(Color::White).add_modifier(Modifier::REVERSED);
        let pen = |depth| reduce(depth, true, "x", style)[0].pen;
        assert_eq!(pen(Depth::Sixteen), Pen { fg: 9, bg: 15, attrs: REVERSE });
        assert_eq!(pen(Depth::Eight), Pen { fg: 1, bg: 7, attrs: REVERSE | BOLD });
        assert_eq!(pen(Depth::Mono), Pen { fg: DEFAULT, bg: DEFAULT, attrs: REVERSE });
        let grey = reduce(Depth::Eight, true, "x", Style::new().fg(Color::DarkGray))[0].pen;
        assert_eq!(grey, Pen { fg: DEFAULT, bg: DEFAULT, attrs: DIM });
    }

    #[test]
    fn colours_beyond_sixteen_become_the_nearest_of_them() {
        for (colour, near) in [
            (Color::Rgb(250, 10, 10), 9),
            (Color::Rgb(0, 0, 0), 0),
            (Color::Indexed(11), 11),
            (Color::Indexed(16), 0),   // 0,0,0
            (Color::Indexed(231), 15), // 255,255,255
            (Color::Indexed(244), 8),  // grey 128
        ] {
            assert_eq!(number(colour), near, "{colour:?}");
        }
    }

    #[test]
    fn what_cannot_be_seen_of_a_blank_is_dropped() {
        let cells =
            reduce(Depth::Sixteen, true, " ", Style::new().fg(Color::Red).bg(Color::Blue).add_modifier(Modifier::BOLD));
        assert_eq!(cells[0].pen, Pen { fg: DEFAULT, bg: 4, attrs: 0 });
        let cells = reduce(Depth::Sixteen, true, " ", Style::new().fg(Color::Red).add_modifier(Modifier::REVERSED));
        assert_eq!(cells[0].pen, Pen { fg: 1, bg: DEFAULT, attrs: REVERSE });
    }
}

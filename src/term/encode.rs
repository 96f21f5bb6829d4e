//! The few escape sequences that are sent, in their shortest common form: pen, cursor, erase, scroll.
//!
//! Appends to a byte buffer; knows neither the screen's content nor the terminal.

use super::cells::{BOLD, DEFAULT, DIM, ITALIC, Pen, REVERSE, UNDERLINE};

/// Begin and end of synchronized output (DEC private mode 2026): the frame appears at once.
pub const SYNC_BEGIN: &[u8] = b"\x1b[?2026h";
/// See [`SYNC_BEGIN`].
pub const SYNC_END: &[u8] = b"\x1b[?2026l";

/// A place on the screen, from the top left corner, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Row.
    pub row: u16,
    /// Column.
    pub col: u16,
}

fn number(out: &mut Vec<u8>, n: u16) {
    let mut digits = [0; 5];
    let mut n = n;
    let mut i = digits.len();
    loop {
        i -= 1;
        digits[i] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[i..]);
}

fn csi(out: &mut Vec<u8>, n: u16, end: u8) {
    out.extend_from_slice(b"\x1b[");
    if n > 1 {
        number(out, n);
    }
    out.push(end);
}

fn len(n: u16) -> usize {
    match n {
        0..10 => 1,
        10..100 => 2,
        100..1000 => 3,
        1000..10_000 => 4,
        _ => 5,
    }
}

fn csi_len(n: u16) -> usize {
    3 + if n > 1 { len(n) } else { 0 }
}

/// Moves the cursor the cheapest way. Relies on a terminal without output processing: LF keeps the column.
pub fn go(out: &mut Vec<u8>, from: Option<At>, to: At) {
    if from == Some(to) {
        return;
    }
    let absolute = 3 + if to.col > 0 {
        len(to.row + 1) + 1 + len(to.col + 1)
    } else if to.row > 0 {
        len(to.row + 1)
    } else {
        0
    };
    if let Some(from) = from
        && to.row >= from.row
    {
        let down = usize::from(to.row - from.row);
        let right = to.col.checked_sub(from.col);
        let sideways = match right {
            Some(0) => 0,
            Some(n) => csi_len(n).min(1 + csi_len(to.col)),
            None if to.col == 0 => 1,
            None => usize::from(from.col - to.col).min(1 + csi_len(to.col)),
        };
        if down + sideways <= absolute {
            out.resize(out.len() + down, b'\n');
            match right {
                Some(0) => {}
                Some(n) => csi(out, n, b'C'),
                None if to.col == 0 => out.push(b'\r'),
                None if usize::from(from.col - to.col) <= 1 + csi_len(to.col) => {
                    out.resize(out.len() + usize::from(from.col - to.col), 8);
                }
                None => {
                    out.push(b'\r');
                    csi(out, to.col, b'C');
                }
            }
            return;
        }
    }
    out.extend_from_slice(b"\x1b[");
    if to.row > 0 || to.col > 0 {
        number(out, to.row + 1);
    }
    if to.col > 0 {
        out.push(b';');
        number(out, to.col + 1);
    }
    out.push(b'H');
}

/// Bytes [`go`] needs to move right by `n` in the same row.
pub fn right_len(n: u16) -> usize {
    csi_len(n)
}

/// Changes the pen.
pub fn pen(out: &mut Vec<u8>, from: Option<Pen>, to: Pen) {
    if from == Some(to) {
        return;
    }
    if to == Pen::PLAIN {
        out.extend_from_slice(b"\x1b[m");
        return;
    }
    let start = out.len();
    out.extend_from_slice(b"\x1b[0");
    attributes(out, to.attrs);
    colour(out, 30, to.fg);
    colour(out, 40, to.bg);
    out.push(b'm');
    let Some(from) = from.filter(|f| f.attrs & !to.attrs == 0) else { return };
    // only additions: perhaps shorter without the reset
    let full = out.len() - start;
    out.extend_from_slice(b"\x1b[");
    attributes(out, to.attrs & !from.attrs);
    for (base, old, new) in [(30, from.fg, to.fg), (40, from.bg, to.bg)] {
        if new == DEFAULT && old != DEFAULT {
            out.push(b';');
            number(out, base + 9);
        } else if new != old {
            colour(out, base, new);
        }
    }
    out.push(b'm');
    // the list begins with a semicolon that stands for nothing
    out.remove(start + full + 2);
    let short = out.len() - start - full;
    if short < full {
        out.drain(start..start + full);
    } else {
        out.truncate(start + full);
    }
}

fn attributes(out: &mut Vec<u8>, attrs: u8) {
    for (attr, code) in [(BOLD, b'1'), (DIM, b'2'), (ITALIC, b'3'), (UNDERLINE, b'4'), (REVERSE, b'7')] {
        if attrs & attr != 0 {
            out.extend_from_slice(&[b';', code]);
        }
    }
}

fn colour(out: &mut Vec<u8>, base: u16, n: u8) {
    if n < DEFAULT {
        out.push(b';');
        number(out, if n < 8 { base + u16::from(n) } else { base + 60 - 8 + u16::from(n) });
    }
}

/// Erases from the cursor to the end of the row.
pub fn erase_to_end(out: &mut Vec<u8>) {
    out.extend_from_slice(b"\x1b[K");
}

/// Scrolls the rows `top..bottom` by `n` (up if positive). The cursor is somewhere afterwards; the pen must be plain.
pub fn scroll(out: &mut Vec<u8>, top: u16, bottom: u16, n: i32) {
    out.extend_from_slice(b"\x1b[");
    number(out, top + 1);
    out.push(b';');
    number(out, bottom);
    out.push(b'r');
    let times = n.unsigned_abs() as usize;
    if n > 0 {
        go(out, None, At { row: bottom.saturating_sub(1), col: 0 });
        out.resize(out.len() + times, b'\n');
    } else {
        go(out, None, At { row: top, col: 0 });
        for _ in 0..times {
            out.extend_from_slice(b"\x1bM");
        }
    }
    out.extend_from_slice(b"\x1b[r");
}

/// Offers a text to the clipboard (xterm's OSC 52): base64 (RFC 4648), so that no byte of it can end the sequence.
pub fn clipboard(text: &str, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    out.extend_from_slice(b"\x1b]52;c;");
    for group in text.as_bytes().chunks(3) {
        let n = group.iter().fold(0_u32, |n, b| n << 8 | u32::from(*b)) << (8 * (3 - group.len()));
        for i in 0..4 {
            let digit = DIGITS[(n >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= group.len() { digit } else { b'=' });
        }
    }
    out.push(0x07);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clipboard_gets_base64() {
        // the examples of RFC 4648, section 10
        for (text, base64) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            let mut out = Vec::new();
            clipboard(text, &mut out);
            assert_eq!(out, format!("\x1b]52;c;{base64}\x07").into_bytes());
        }
    }

    fn moved(from: Option<(u16, u16)>, to: (u16, u16)) -> String {
        let mut out = vec![];
        let at = |(row, col)| At { row, col };
        go(&mut out, from.map(at), at(to));
        String::from_utf8(out).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn the_cursor_moves_the_cheapest_way() {
        let table = [
            (None, (0, 0), "^[H"),
            (None, (4, 0), "^[5H"),
            (None, (4, 9), "^[5;10H"),
            (Some((4, 9)), (4, 9), ""),
            (Some((4, 9)), (4, 10), "^[C"),
            (Some((4, 9)), (4, 21), "^[12C"),
            (Some((4, 9)), (4, 0), "\r"),
            (Some((4, 9)), (4, 7), "\u{8}\u{8}"),
            (Some((4, 60)), (4, 2), "\r^[2C"),
            (Some((4, 9)), (5, 0), "\n\r"),
            (Some((4, 0)), (6, 0), "\n\n"),
            (Some((4, 9)), (3, 0), "^[4H"),
            (Some((1, 0)), (20, 0), "^[21H"),
        ];
        for (from, to, bytes) in table {
            assert_eq!(moved(from, to), bytes, "{from:?} {to:?}");
        }
    }

    fn painted(from: Option<Pen>, to: Pen) -> String {
        let mut out = vec![];
        pen(&mut out, from, to);
        String::from_utf8(out).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn the_pen_changes_the_cheapest_way() {
        let p = |fg, bg, attrs| Pen { fg, bg, attrs };
        let d = DEFAULT;
        let table = [
            (None, Pen::PLAIN, "^[m"),
            (Some(p(1, d, 0)), Pen::PLAIN, "^[m"),
            (Some(Pen::PLAIN), p(2, d, 0), "^[32m"),
            (Some(Pen::PLAIN), p(10, d, 0), "^[92m"),
            (Some(Pen::PLAIN), p(15, 4, BOLD), "^[1;97;44m"),
            (Some(Pen::PLAIN), p(d, 12, 0), "^[104m"),
            (Some(p(15, 4, 0)), p(d, 4, 0), "^[39m"),
            (Some(p(15, 4, 0)), p(15, d, 0), "^[49m"),
            (Some(p(d, d, BOLD)), p(1, d, 0), "^[0;31m"),
            (Some(p(1, d, 0)), p(1, d, UNDERLINE | REVERSE), "^[4;7m"),
            (None, p(1, d, DIM | ITALIC), "^[0;2;3;31m"),
            (Some(p(1, 2, 0)), p(1, 2, 0), ""),
        ];
        for (from, to, bytes) in table {
            assert_eq!(painted(from, to), bytes, "{from:?} {to:?}");
        }
    }

    #[test]
    fn a_list_scrolls_in_its_own_rows() {
        let mut out = vec![];
        scroll(&mut out, 5, 22, 2);
        assert_eq!(out, b"\x1b[6;22r\x1b[22H\n\n\x1b[r");
        out.clear();
        scroll(&mut out, 0, 3, -1);
        assert_eq!(out, b"\x1b[1;3r\x1b[H\x1bM\x1b[r");
    }
}

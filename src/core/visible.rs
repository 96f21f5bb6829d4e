//! Bytes from outside made visible: the one place where text from a wire, a file or a name becomes text for a screen.
//!
//! Nothing that this module lets through can move a cursor, change a colour, reorder a line or hide itself.

/// Appends `bytes` so that every one of them can be seen: printable ASCII as it is, control characters as `^[`, well
/// formed UTF-8 that is plainly visible as itself, anything else as `\xB1` byte by byte.
pub fn push(out: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_char(out, c);
        }
        for b in chunk.invalid() {
            push_hex(out, *b);
        }
    }
}

/// As [`push`], into a new string.
pub fn text(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    push(&mut out, bytes);
    out
}

fn push_char(out: &mut String, c: char) {
    match c {
        ' '..='~' => out.push(c),
        '\0'..='\x1f' => {
            out.push('^');
            out.push(char::from(c as u8 ^ 0x40));
        }
        '\x7f' => out.push_str("^?"),
        c if is_plain(c) => out.push(c),
        c => {
            let mut buffer = [0; 4];
            for b in c.encode_utf8(&mut buffer).bytes() {
                push_hex(out, b);
            }
        }
    }
}

fn push_hex(out: &mut String, b: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push_str("\\x");
    out.push(char::from(DIGITS[usize::from(b >> 4)]));
    out.push(char::from(DIGITS[usize::from(b & 15)]));
}

/// A character that occupies its place and nothing else: no control, format, bidi, combining or zero-width character, no
/// surrogate or private use. Errs on the side of hex.
fn is_plain(c: char) -> bool {
    if c.is_control() || c.is_whitespace() {
        return false;
    }
    !matches!(u32::from(c),
        0x00AD | 0x0300..=0x036F | 0x0483..=0x0489 | 0x0591..=0x08FF | 0x0900..=0x0903 | 0x093A..=0x094F
        | 0x0E31..=0x0E4E | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x115F..=0x11FF | 0x17B4..=0x17D3 | 0x180B..=0x180F
        | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0x20D0..=0x20FF | 0x3164 | 0xE000..=0xF8FF
        | 0xFE00..=0xFE0F | 0xFE20..=0xFE2F | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFF | 0x1F000..)
        && c.is_alphanumeric()
        || matches!(c, '°' | '±' | '·' | '–' | '—' | '…' | '€' | '£' | '§' | '«' | '»' | '’' | '“' | '”')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_unescaped() {
        assert_eq!(text(b"$IIHDG,18\0.\x1b[,,*37"), "$IIHDG,18^@.^[[,,*37");
        assert_eq!(text(b"\x7f\xb1\xff"), "^?\\xB1\\xFF");
        assert_eq!(text("\u{9b}2J".as_bytes()), "\\xC2\\x9B2J"); // C1 CSI
        assert_eq!(text("\u{202e}abc".as_bytes()), "\\xE2\\x80\\xAEabc"); // right-to-left override
        assert_eq!(text("e\u{301}".as_bytes()), "e\\xCC\\x81"); // combining accent
        assert_eq!(text("Ægina é 12°".as_bytes()), "Ægina é 12°");
    }
}

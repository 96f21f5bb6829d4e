//! UTF-16 into UTF-8, in pieces of any size.
//!
//! Recognised by its byte order mark, which is no part of the text. What is no UTF-16 becomes U+FFFD.

/// Order of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// FF FE.
    Little,
    /// FE FF.
    Big,
}

impl Order {
    /// By the byte order mark at the very start.
    pub fn of(start: &[u8]) -> Option<Order> {
        match start {
            [0xFF, 0xFE, ..] => Some(Order::Little),
            [0xFE, 0xFF, ..] => Some(Order::Big),
            _ => None,
        }
    }
}

/// A decoder; its state is what the next bytes depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utf16 {
    order: Order,
    /// The first byte of a unit.
    half: Option<u8>,
    /// A high surrogate that waits for its low one.
    high: Option<u16>,
}

impl Utf16 {
    /// At the beginning of a character.
    pub fn new(order: Order) -> Utf16 {
        Utf16 { order, half: None, high: None }
    }

    /// Whether a character is complete.
    pub fn between(&self) -> bool {
        self.half.is_none() && self.high.is_none()
    }

    /// Appends the text of more bytes.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for b in bytes {
            let Some(first) = self.half.take() else {
                self.half = Some(*b);
                continue;
            };
            let unit = match self.order {
                Order::Little => u16::from_le_bytes([first, *b]),
                Order::Big => u16::from_be_bytes([first, *b]),
            };
            self.unit(unit, out);
        }
    }

    /// The end: what is incomplete becomes U+FFFD.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if self.high.take().is_some() | self.half.take().is_some() {
            put(char::REPLACEMENT_CHARACTER, out);
        }
    }

    fn unit(&mut self, unit: u16, out: &mut Vec<u8>) {
        if let Some(high) = self.high.take() {
            match char::decode_utf16([high, unit]).next() {
                Some(Ok(c)) => return put(c, out),
                _ => put(char::REPLACEMENT_CHARACTER, out),
            }
        }
        match unit {
            0..0x80 => out.push(unit as u8),
            0xD800..0xDC00 => self.high = Some(unit),
            unit => put(char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER), out),
        }
    }
}

fn put(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decode(bytes: &[u8], cut: usize, order: Order) -> Vec<u8> {
        let mut decoder = Utf16::new(order);
        let mut out = Vec::new();
        let cut = cut.min(bytes.len());
        decoder.push(&bytes[..cut], &mut out);
        decoder.push(&bytes[cut..], &mut out);
        decoder.finish(&mut out);
        out
    }

    #[test]
    fn a_broken_surrogate_is_one_replacement() {
        // D83D alone, then 'A'; D83D at the end; half a unit.
        assert_eq!(decode(&[0x3D, 0xD8, 0x41, 0], 9, Order::Little), "\u{FFFD}A".as_bytes());
        assert_eq!(decode(&[0xDE, 0x00], 9, Order::Big), "\u{FFFD}".as_bytes());
        assert_eq!(decode(&[0x41, 0, 0x3D], 9, Order::Little), "A\u{FFFD}".as_bytes());
    }

    proptest! {
        #[test]
        fn text_comes_back_whatever_the_reads(text in ".{0,40}", cut in 0usize..100) {
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            prop_assert_eq!(decode(&little, cut, Order::Little), text.as_bytes());
            prop_assert_eq!(decode(&big, cut, Order::Big), text.as_bytes());
        }
    }
}

//! The six-bit armour of VDM and VDO payloads (IEC 61162-1, 8.3.123), and fields of bits inside them.
//!
//! Knows nothing of messages: bits, whole numbers, and the six-bit text of ITU-R M.1371-5 (table 47).

/// Bits of one AIS message, most significant first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

/// Why a payload is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArmourError {
    /// A character outside `0`-`W` and `` ` ``-`w`.
    #[error("payload has a character outside the six-bit alphabet (byte {0:#04x})")]
    Alphabet(u8),
    /// Fill bits are 0 to 5, and not more than there are bits.
    #[error("fill bits must be 0 to 5 and no more than the payload holds, not {0}")]
    Fill(u8),
}

impl Bits {
    /// No bits.
    pub fn new() -> Bits {
        Bits::default()
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.len
    }

    /// None at all.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends the lowest `width` bits of `value`, `width` at most 32.
    pub fn push(&mut self, value: u32, width: u8) {
        let mut left = usize::from(width.min(32));
        while left > 0 {
            let free = 8 - self.len % 8;
            let take = free.min(left);
            left -= take;
            let bits = (value >> left) as u8 & (0xFF >> (8 - take));
            if free == 8 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= bits << (free - take);
            }
            self.len += take;
        }
    }

    /// The unsigned number of `width` bits (at most 32) from bit `at`; `None` when the message ends before.
    pub fn unsigned(&self, at: usize, width: u8) -> Option<u32> {
        let end = at.checked_add(usize::from(width))?;
        if width > 32 || end > self.len {
            return None;
        }
        // At most five bytes hold them.
        let bytes = self.bytes.get(at / 8..end.div_ceil(8))?;
        let all = bytes.iter().fold(0, |all, b| all << 8 | u64::from(*b));
        let behind = (8 - end % 8) % 8;
        Some((all >> behind & ((1 << width) - 1)) as u32)
    }

    /// The two's complement number of `width` bits from bit `at`.
    pub fn signed(&self, at: usize, width: u8) -> Option<i32> {
        let raw = self.unsigned(at, width)?;
        let unused = 32_u32.checked_sub(u32::from(width)).filter(|u| *u < 32)?;
        Some((raw << unused) as i32 >> unused)
    }

    /// Appends what a payload says. Fill bits are those at its end that do not count.
    ///
    /// # Errors
    /// A character outside the alphabet, or a wrong number of fill bits; nothing is appended then.
    pub fn push_armoured(&mut self, payload: &[u8], fill: u8) -> Result<(), ArmourError> {
        if let Some(bad) = payload.iter().find(|c| six_bits(**c).is_none()) {
            return Err(ArmourError::Alphabet(*bad));
        }
        if fill > 5 || (payload.is_empty() && fill > 0) {
            return Err(ArmourError::Fill(fill));
        }
        self.bytes.reserve(payload.len() * 6 / 8 + 1);
        // What does not fill a byte yet: the lowest of these bits, and how many they are.
        let mut waiting = self.len % 8;
        let mut bits = if waiting > 0 { u32::from(self.bytes.pop().unwrap_or(0)) >> (8 - waiting) } else { 0 };
        for c in payload {
            bits = bits << 6 | u32::from(six_bits(*c).unwrap_or(0));
            waiting += 6;
            if waiting >= 8 {
                waiting -= 8;
                self.bytes.push((bits >> waiting) as u8);
            }
        }
        if waiting > 0 {
            self.bytes.push((bits << (8 - waiting)) as u8);
        }
        self.len += 6 * payload.len() - usize::from(fill);
        self.bytes.truncate(self.len.div_ceil(8));
        // Bits behind the last one are zero.
        if let Some(last) = self.bytes.last_mut().filter(|_| !self.len.is_multiple_of(8)) {
            *last &= 0xFF << (8 - self.len % 8);
        }
        Ok(())
    }

    /// The payload characters of all bits, and how many fill bits the last one has.
    pub fn armoured(&self) -> (Vec<u8>, u8) {
        let mut out = Vec::with_capacity(self.len.div_ceil(6));
        let mut at = 0;
        while at < self.len {
            let width = (self.len - at).min(6) as u8;
            let six = (self.unsigned(at, width).unwrap_or(0) << (6 - width)) as u8;
            out.push(if six < 40 { six + 48 } else { six + 56 });
            at += 6;
        }
        let fill = out.len() * 6 - self.len;
        (out, fill as u8)
    }

    /// From bit `at` to the end, as hexadecimal digits; the last digit is filled up with zero bits.
    pub fn hex_from(&self, at: usize) -> String {
        let mut out = String::new();
        let mut bit = at;
        while bit < self.len {
            let width = (self.len - bit).min(4) as u8;
            let digit = self.unsigned(bit, width).unwrap_or(0) << (4 - width);
            out.push(char::from_digit(digit, 16).unwrap_or('0').to_ascii_uppercase());
            bit += 4;
        }
        out
    }

    /// Appends text as six-bit characters, `chars` of them: capitals, what the alphabet lacks as `?`, `@` as a blank
    /// (it would end the text at the receiver), filled up with `@`.
    pub fn push_text(&mut self, text: &str, chars: usize) {
        let mut left = chars;
        for c in text.chars().take(chars) {
            self.push(u32::from(character(c)), 6);
            left -= 1;
        }
        for _ in 0..left {
            self.push(0, 6);
        }
    }

    /// Up to `chars` six-bit characters from bit `at`: ends at the first `@` or with the message; blanks at the end go.
    pub fn text(&self, at: usize, chars: usize) -> String {
        let mut out = self.characters(at, chars);
        out.truncate(out.trim_end_matches(' ').len());
        out
    }

    /// As [`Bits::text`], with the blanks at the end.
    pub fn characters(&self, at: usize, chars: usize) -> String {
        let mut out = String::new();
        for i in 0..chars {
            match self.unsigned(at.saturating_add(i * 6), 6) {
                None | Some(0) => break,
                Some(six) => out.push(char::from(if six < 32 { six as u8 + 64 } else { six as u8 })),
            }
        }
        out
    }
}

/// The six bits of one payload character.
fn six_bits(c: u8) -> Option<u8> {
    match c {
        b'0'..=b'W' => Some(c - 48),
        b'`'..=b'w' => Some(c - 56),
        _ => None,
    }
}

/// The six-bit code of a character of text.
fn character(c: char) -> u8 {
    match c.to_ascii_uppercase() {
        '@' => 32,
        c @ 'A'..='_' => c as u8 - 64,
        c @ ' '..='?' => c as u8,
        _ => b'?',
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_payload_character_has_its_six_bits() {
        // IEC 61162-1 table: '0' 000000, 'W' 100111, '`' 101000, 'w' 111111.
        for (c, six) in [(b'0', 0), (b'W', 0b10_0111), (b'`', 0b10_1000), (b'w', 0b11_1111)] {
            let mut bits = Bits::new();
            bits.push_armoured(&[c], 0).unwrap();
            assert_eq!(bits.unsigned(0, 6), Some(six));
            assert_eq!(bits.armoured(), (vec![c], 0));
        }
        for c in [b'X', b'_', b'x', b',', b' ', 0, 0xff] {
            assert_eq!(Bits::new().push_armoured(&[c], 0), Err(ArmourError::Alphabet(c)));
        }
    }

    #[test]
    fn fill_bits_do_not_count() {
        let mut bits = Bits::new();
        bits.push_armoured(b"w0", 4).unwrap();
        assert_eq!((bits.len(), bits.unsigned(0, 8)), (8, Some(0b1111_1100)));
        assert_eq!(bits.armoured(), (b"w0".to_vec(), 4));
        assert_eq!(Bits::new().push_armoured(b"w", 6), Err(ArmourError::Fill(6)));
        assert_eq!(Bits::new().push_armoured(b"", 1), Err(ArmourError::Fill(1)));
    }

    #[test]
    fn text_is_in_capitals_and_ends_at_the_first_at_sign() {
        let mut bits = Bits::new();
        bits.push_text("Kea @ 1_é~", 12);
        assert_eq!(bits.len(), 72);
        assert_eq!(bits.text(0, 12), "KEA   1_??");
        assert_eq!(bits.unsigned(60, 12), Some(0)); // filled up with @
        let mut cut = Bits::new();
        cut.push_text("AB", 2);
        cut.push(0, 6);
        cut.push_text("CD", 2);
        assert_eq!(cut.text(0, 5), "AB");
    }

    #[test]
    fn nothing_is_read_past_the_end() {
        let mut bits = Bits::new();
        bits.push(0b101, 3);
        assert_eq!((bits.unsigned(0, 3), bits.unsigned(1, 3), bits.unsigned(usize::MAX, 3)), (Some(5), None, None));
        assert_eq!((bits.signed(0, 3), bits.signed(0, 0), bits.unsigned(0, 33)), (Some(-3), None, None));
        assert_eq!(bits.hex_from(0), "A");
    }

    proptest! {
        #[test]
        fn what_is_pushed_is_read(values in prop::collection::vec((any::<u32>(), 1_u8..=32), 0..40)) {
            let mut bits = Bits::new();
            for (v, w) in &values {
                bits.push(*v, *w);
            }
            let (payload, fill) = bits.armoured();
            let mut again = Bits::new();
            again.push_armoured(&payload, fill).unwrap();
            prop_assert_eq!(&again, &bits);
            let mut at = 0;
            for (v, w) in &values {
                let mask = (u64::from(u32::MAX) >> (32 - w)) as u32;
                prop_assert_eq!(bits.unsigned(at, *w), Some(v & mask));
                at += usize::from(*w);
            }
        }
    }
}

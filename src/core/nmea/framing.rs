//! The frame of a sentence: delimiter, address, fields, checksum; and the assembling of new ones.
//!
//! Must not know what the fields mean.

/// The longest sentence that may be sent: 82 characters less CR LF.
pub const LONGEST: usize = 80;

/// The XOR of all bytes: the checksum of what stands between the delimiter and `*`.
pub fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, b| sum ^ b)
}

/// A sentence taken apart. Nothing is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts<'a> {
    /// `$` or `!`.
    pub delimiter: u8,
    /// What stands before the first comma: `GPRMC`, `PGRME`.
    pub address: &'a [u8],
    /// What stands behind the first comma, without the checksum; `None` when there is no comma.
    pub body: Option<&'a [u8]>,
    /// The text behind `*` (one or two hexadecimal digits); `None` when there is no checksum.
    pub given: Option<&'a [u8]>,
    /// What stands between the delimiter and `*`.
    pub summed: &'a [u8],
}

/// Takes a sentence apart, from its delimiter to its end; a terminator is ignored. `None`: it does not begin as one.
///
/// The checksum is what follows the last `*`, if that is one or two hexadecimal digits; it is not checked here.
pub fn split(sentence: &[u8]) -> Option<Parts<'_>> {
    let (&delimiter, rest) = sentence.split_first()?;
    if delimiter != b'$' && delimiter != b'!' {
        return None;
    }
    let rest = match rest {
        [.., b'\r' | b'\n' | b' '] => rest.trim_ascii_end(),
        _ => rest,
    };
    let (summed, given) = match rest {
        [before @ .., b'*', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
            (before, rest.get(rest.len() - 2..))
        }
        [before @ .., b'*', a] if a.is_ascii_hexdigit() => (before, rest.get(rest.len() - 1..)),
        _ => (rest, None),
    };
    let (address, body) = match summed.iter().position(|b| *b == b',') {
        Some(comma) => (&summed[..comma], summed.get(comma + 1..)),
        None => (summed, None),
    };
    Some(Parts { delimiter, address, body, given, summed })
}

impl<'a> Parts<'a> {
    /// Two letters for standard sentences, `P` for proprietary ones.
    pub fn talker(&self) -> &'a [u8] {
        if self.is_proprietary() { &self.address[..1] } else { self.address.get(..2).unwrap_or(self.address) }
    }

    /// What names the kind: `RMC`, and for proprietary ones the whole address, `PGRME`.
    pub fn formatter(&self) -> &'a [u8] {
        if self.is_proprietary() { self.address } else { self.address.get(2..).unwrap_or(b"") }
    }

    /// Begins with `P`, the talker of makers.
    pub fn is_proprietary(&self) -> bool {
        self.address.first() == Some(&b'P')
    }

    /// The checksum as it stands there.
    pub fn given_value(&self) -> Option<u8> {
        self.given?.iter().try_fold(0u8, |value, digit| Some(value << 4 | hex(*digit)?))
    }

    /// The checksum as it should be.
    pub fn computed(&self) -> u8 {
        checksum(self.summed)
    }

    /// The fields behind the address.
    pub fn fields(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.body.into_iter().flat_map(|body| body.split(|b| *b == b','))
    }
}

/// The value of a hexadecimal digit of either case.
pub fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// `*hh`, upper case.
pub fn star(sum: u8) -> [u8; 3] {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    [b'*', DIGITS[usize::from(sum >> 4)], DIGITS[usize::from(sum & 15)]]
}

/// Appends a sentence: `delimiter`, `body` (address and fields), `*hh`. No terminator.
pub fn seal(delimiter: u8, body: &[u8], out: &mut Vec<u8>) {
    out.push(delimiter);
    out.extend_from_slice(body);
    out.extend_from_slice(&star(checksum(body)));
}

/// Characters that a field of text may not hold: delimiters, escapes, controls and everything beyond ASCII.
pub fn is_reserved(b: u8) -> bool {
    !(b' '..=b'~').contains(&b) || matches!(b, b'$' | b'*' | b',' | b'!' | b'\\' | b'^' | b'~')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_comes_apart() {
        let p = split(b"$GPHDT,274.07,T*03\r\n").unwrap();
        assert_eq!((p.talker(), p.formatter(), p.body), (&b"GP"[..], &b"HDT"[..], Some(&b"274.07,T"[..])));
        assert_eq!((p.given_value(), p.computed()), (Some(3), 3));
        assert_eq!(p.fields().collect::<Vec<_>>(), [&b"274.07"[..], b"T"]);

        let p = split(b"$PGRMM,WGS 84*06").unwrap();
        assert_eq!((p.talker(), p.formatter(), p.body), (&b"P"[..], &b"PGRMM"[..], Some(&b"WGS 84"[..])));
    }

    #[test]
    fn checksums_of_either_case_one_digit_and_none() {
        assert_eq!(split(b"$PSMDCN,2*1e").unwrap().given_value(), Some(0x1e));
        assert_eq!(split(b"$PSMDCN,2*9").unwrap().given_value(), Some(9));
        assert_eq!(split(b"$GPHDT,274.07,T").unwrap().given, None);
        assert_eq!(split(b"$GPHDT*").unwrap().body, None);
        // A star inside the data does not end it.
        assert_eq!(split(b"$GPTXT,01,01,25,a*b*38").unwrap().body, Some(&b"01,01,25,a*b"[..]));
    }

    #[test]
    fn what_does_not_begin_as_a_sentence_is_none() {
        for bad in [&b""[..], b"GPHDT,1,T", b"\\s:a*00\\$GPHDT", b"\r\n"] {
            assert_eq!(split(bad), None);
        }
        assert_eq!(split(b"$").unwrap().address, b"");
        assert_eq!(split(b"$G").unwrap().formatter(), b"");
    }

    #[test]
    fn sealing_adds_two_upper_case_digits() {
        let mut out = Vec::new();
        seal(b'$', b"GPHDT,274.07,T", &mut out); // 03, as marine-api publishes it
        assert_eq!(out, b"$GPHDT,274.07,T*03");
    }
}

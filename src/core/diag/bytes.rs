//! What raw bytes tell about a line that gives no sentences: wrong baud rate, inverted polarity, another protocol.
//!
//! Pure functions on bytes.

use crate::core::nmea::framing;

/// Bytes that a verdict needs.
pub const LEAST: usize = 24;
/// Sentences with a right checksum that prove inverted polarity.
pub const PROOF: usize = 2;
/// Inverted text: this share of the bytes is odd.
pub const INVERTED_ODD: f64 = 0.98;
/// Inverted text: this share of the bytes is 0x80 or more.
pub const INVERTED_HIGH: f64 = 0.8;
/// Less printable text than this is not NMEA at the right rate.
pub const PRINTABLE: f64 = 0.85;

/// What the bytes look like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Too few bytes to tell, or text.
    Nothing,
    /// Only zeros: the port is set far too fast.
    TooFast,
    /// A part is printable by chance: another rate, mostly the port is set too slow. The share of printable bytes.
    WrongRate(f64),
    /// Inverted, proved by so many sentences with right checksums.
    Inverted(usize),
    /// Looks inverted, without a whole sentence yet.
    MaybeInverted,
    /// A binary protocol, by name.
    Binary(&'static str),
}

/// One byte of 8N1 text received with inverted polarity, read right: start and stop bit have changed places, so the byte
/// came complemented and a bit late.
pub fn upright(b: u8) -> u8 {
    (!b >> 1) & 0x7F
}

/// Sentences with a right checksum in these bytes.
pub fn good_sentences(bytes: &[u8]) -> usize {
    let starts = bytes.iter().enumerate().filter(|(_, b)| matches!(b, b'$' | b'!')).map(|(i, _)| i);
    starts.filter(|start| is_good(bytes.get(*start..).unwrap_or_default())).count()
}

fn is_good(from: &[u8]) -> bool {
    let Some(star) = from.iter().take(400).position(|b| *b == b'*') else { return false };
    let (Some(summed), Some([a, b])) = (from.get(1..star), from.get(star + 1..star + 3)) else { return false };
    let given = framing::hex(*a).zip(framing::hex(*b)).map(|(a, b)| a << 4 | b);
    summed.len() >= 6 && given == Some(framing::checksum(summed))
}

/// Printable, or the end of a line.
pub fn is_text(b: u8) -> bool {
    matches!(b, b' '..=b'~' | b'\r' | b'\n')
}

/// The bytes read with the polarity turned.
pub fn turned(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|b| upright(*b)).collect()
}

/// What bytes that gave no sentence look like.
pub fn verdict(bytes: &[u8]) -> Verdict {
    if bytes.len() < LEAST {
        return Verdict::Nothing;
    }
    let share = |test: &dyn Fn(&u8) -> bool| bytes.iter().filter(|b| test(b)).count() as f64 / bytes.len() as f64;
    if bytes.iter().all(|b| *b == 0) {
        return Verdict::TooFast;
    }
    if let Some(name) = protocol(bytes) {
        return Verdict::Binary(name);
    }
    let proof = good_sentences(&turned(bytes));
    if proof >= PROOF {
        return Verdict::Inverted(proof);
    }
    if share(&|b| b & 1 == 1) >= INVERTED_ODD && share(&|b| *b >= 0x80) >= INVERTED_HIGH {
        return Verdict::MaybeInverted;
    }
    let printable = share(&|b| is_text(*b));
    if printable < PRINTABLE { Verdict::WrongRate(printable) } else { Verdict::Nothing }
}

/// Frames of binary protocols that share ports with NMEA.
pub fn protocol(bytes: &[u8]) -> Option<&'static str> {
    let count = |mark: &[u8]| bytes.windows(mark.len()).filter(|w| *w == mark).count();
    let enough = (bytes.len() / 400).max(2);
    let marks: [(&[u8], &str); 4] = [
        (&[0xB5, 0x62], "UBX (u-blox)"),
        (&[0xA0, 0xA2], "SiRF binary"),
        (&[0x10, 0x02], "Actisense NGT (NMEA 2000)"),
        (&[0x10, 0x03], "Garmin or Trimble binary"),
    ];
    marks.iter().find(|(mark, _)| count(mark) >= enough).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// As an inverted receiver frames idle-separated 8N1 text: complement, one bit later, stop bit in the place of bit 7.
    fn inverted(text: &[u8]) -> Vec<u8> {
        // Line levels of a byte: start 0, eight bits from the lowest, stop 1. Inverted, the receiver takes the first 0
        // after a 1 for the start: the first bit that was 1. With the text's top bit 0, what follows is complement.
        text.iter().map(|b| (!b << 1) | 1).collect()
    }

    const LINE: &[u8] = b"$IIHDM,123.4,M*2A\r\n";

    #[test]
    fn inverted_text_is_proved_by_its_checksums() {
        // XOR of IIHDM,123.4,M by hand: II cancel; H^D^M = 0x41; ',' twice cancel; 1^2^3 = 0x30; '.' 0x2E; '4' 0x34;
        // M 0x4D: 0x41 ^ 0x30 ^ 0x2E ^ 0x34 ^ 0x4D = 0x26.
        assert_eq!(framing::checksum(b"IIHDM,123.4,M"), 0x26);
        let line = LINE.to_vec().iter().map(|b| if *b == b'A' { b'6' } else { *b }).collect::<Vec<u8>>();
        let bytes = inverted(&line.repeat(3));
        assert!(bytes.iter().all(|b| b & 1 == 1));
        assert_eq!(verdict(&bytes), Verdict::Inverted(3));
        assert_eq!(turned(&bytes), line.repeat(3));
        // Wrong checksums are no proof, but it still looks so.
        let wrong = b"$GPGGA,123519.00,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,*00\r\n";
        assert_eq!(verdict(&inverted(&wrong.repeat(2))), Verdict::MaybeInverted);
        // Upright text is neither.
        assert_eq!(verdict(&line.repeat(3)), Verdict::Nothing);
    }

    #[test]
    fn zeros_and_half_printable_bytes_are_a_wrong_rate() {
        assert_eq!(verdict(&[0; 40]), Verdict::TooFast);
        assert_eq!(verdict(&[0; 20]), Verdict::Nothing); // too few
        let half: Vec<u8> = (0..200_u32).map(|i| if i % 2 == 0 { b'a' } else { 0x80 | (i * 37) as u8 }).collect();
        assert!(matches!(verdict(&half), Verdict::WrongRate(share) if (0.4..0.6).contains(&share)));
        let accents: Vec<u8> = b"a name with \xe9 and some more text".to_vec();
        assert_eq!(verdict(&accents), Verdict::Nothing);
    }

    #[test]
    fn a_binary_protocol_is_no_wrong_rate() {
        let ubx = [0xB5, 0x62, 1, 7, 92, 0, 0x10, 0xF3, 0xC4, 0x88, 0x99, 0xEA].repeat(8);
        assert_eq!(verdict(&ubx), Verdict::Binary("UBX (u-blox)"));
    }

    proptest! {
        #[test]
        fn turning_undoes_the_inversion(text in prop::collection::vec(0_u8..0x80, 0..80)) {
            prop_assert_eq!(turned(&inverted(&text)), text);
        }

        #[test]
        fn any_bytes_have_a_verdict(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            verdict(&bytes);
        }
    }
}

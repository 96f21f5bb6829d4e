//! Sentences that no row of the table says of a vessel: those of the user's own, and what a radar says.
//!
//! Makes bytes; keeps nothing.

use crate::core::ais::radar::Track;
use crate::core::nmea::Style;
use crate::core::nmea::framing::{LONGEST, checksum, star};
use crate::core::nmea::targets::Ttm;
use crate::core::nmea::writer::compose;
use crate::core::time::Utc;

/// A sentence of the user's own: `!` and `$` may stand in front of the body, a checksum behind it is made anew. `None`:
/// it would be longer than 82 characters, or holds what no sentence may hold.
pub fn own(body: &str) -> Option<Vec<u8>> {
    let (start, rest) = match body.as_bytes() {
        [d @ (b'$' | b'!'), rest @ ..] => (*d, rest),
        rest => (b'$', rest),
    };
    let end = rest.iter().position(|b| *b == b'*').unwrap_or(rest.len());
    let rest = &rest[..end];
    let plain = rest.iter().all(|b| (0x20..0x7f).contains(b) && !b"$!\\".contains(b));
    if rest.is_empty() || !plain || rest.len() + 4 > LONGEST {
        return None;
    }
    Some([&[start], rest, &star(checksum(rest))[..]].concat())
}

/// TTM: a target that a radar tracks. Its name is cut where the sentence would be too long. `None`: it would be even so.
pub fn ttm(track: &Track, talker: &str, utc: Option<Utc>) -> Option<Vec<u8>> {
    let whole_names = Style { waypoint_letters: 20, ..Style::default() };
    Some(compose(talker, &whole_names, &mut Ttm::of(track, utc))?.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::vessel::Label;

    #[test]
    fn own_sentences_get_their_checksum() {
        // PGRME,15.0,M,45.0,M,25.0,M is Garmin's own example, with 1C.
        assert_eq!(own("PGRME,15.0,M,45.0,M,25.0,M").unwrap(), b"$PGRME,15.0,M,45.0,M,25.0,M*1C");
        assert_eq!(own("$PGRME,15.0,M,45.0,M,25.0,M*00").unwrap(), b"$PGRME,15.0,M,45.0,M,25.0,M*1C");
        assert_eq!(own("!AIVDM,X").unwrap()[0], b'!');
        for bad in ["", "$", "PX,\u{e9}", "PX,a$b", &"P".repeat(77)] {
            assert_eq!(own(bad), None, "{bad}");
        }
        assert_eq!(own(&"P".repeat(76)).unwrap().len(), 80);
    }

    #[test]
    fn a_target_is_told_within_82_characters() {
        let track = Track {
            number: 7,
            distance_nm: 3.456,
            bearing_true_deg: 359.96,
            speed_kn: 12.34,
            course_true_deg: 8.0,
            cpa_nm: 0.5,
            tcpa_min: -0.01,
            name: Label::new(b"AEGEAN, STAR"),
            status: b'T',
        };
        let text = String::from_utf8(ttm(&track, "RA", Some(45_296_780_000_000)).unwrap()).unwrap();
        assert!(text.starts_with("$RATTM,07,3.46,0.0,T,12.3,8.0,T,0.50,0.0,N,AEGEAN STAR,T,,123456.78,A*"), "{text}");
        let far = Track { name: Label::new(b"ABCDEFGHIJKLMNOPQRST"), distance_nm: 95.99, tcpa_min: -12345.6, ..track };
        let long = ttm(&far, "RA", Some(0)).unwrap();
        assert!(long.len() <= 80 && long.windows(8).any(|w| w == b"ABCDEFGH"), "{}", String::from_utf8_lossy(&long));
    }
}

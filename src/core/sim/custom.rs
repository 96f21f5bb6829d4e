//! Sentences that the table of formatters does not say: those of the user's own, and what a radar says.
//!
//! Makes bytes; keeps nothing.

use std::fmt::Write;

use crate::core::ais::radar::Track;
use crate::core::nmea::framing::{LONGEST, checksum, is_reserved, star};
use crate::core::time::{Utc, time_of_day};

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

/// TTM: a target that a radar tracks.
pub fn ttm(track: &Track, talker: &str, utc: Option<Utc>) -> Vec<u8> {
    let mut name: String = String::from_utf8_lossy(track.name.as_bytes()).into_owned();
    name.retain(|c| c.is_ascii() && !is_reserved(c as u8));
    let time = utc.map(time_of_day).map_or(String::new(), |t| {
        let hundredths = t / 10_000_000;
        let (s, h) = (hundredths / 100, hundredths % 100);
        format!("{:02}{:02}{:02}.{h:02}", s / 3600, s / 60 % 60, s % 60)
    });
    loop {
        let mut text = format!("${talker}TTM,{:02},{:.2},", track.number, track.distance_nm);
        let _ = write!(text, "{},T,{:.1},", bearing(track.bearing_true_deg), track.speed_kn);
        let _ = write!(text, "{},T,{:.2},{:.1},N,", bearing(track.course_true_deg), track.cpa_nm, even(track.tcpa_min));
        let _ = write!(text, "{name},{},,{time},A", char::from(track.status));
        if text.len() + 3 <= LONGEST || name.is_empty() {
            let sum = star(checksum(&text.as_bytes()[1..]));
            return [text.as_bytes(), &sum].concat();
        }
        name.pop();
    }
}

/// One decimal, never 360.0.
fn bearing(deg: f64) -> String {
    let text = format!("{deg:.1}");
    if text == "360.0" { "0.0".into() } else { text }
}

/// No minus before zero.
fn even(x: f64) -> f64 {
    if x.abs() < 0.05 { 0.0 } else { x }
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
        let text = String::from_utf8(ttm(&track, "RA", Some(45_296_780_000_000))).unwrap();
        assert!(text.starts_with("$RATTM,07,3.46,0.0,T,12.3,8.0,T,0.50,0.0,N,AEGEAN STAR,T,,123456.78,A*"), "{text}");
        let far = Track { name: Label::new(b"ABCDEFGHIJKLMNOPQRST"), distance_nm: 95.99, tcpa_min: -12345.6, ..track };
        let long = ttm(&far, "RA", Some(0));
        assert!(long.len() <= 80 && long.windows(8).any(|w| w == b"ABCDEFGH"), "{}", String::from_utf8_lossy(&long));
    }
}

//! Speeds of playing: their notches, and how people write them.
//!
//! In hundredths of real time; `None` is max. Must not know what is played.

/// The notches of the speed in hundredths; `None` is max: as fast as the caller has room.
pub const SPEEDS: [Option<u32>; 11] = [
    Some(10),
    Some(25),
    Some(50),
    Some(100),
    Some(200),
    Some(400),
    Some(1_000),
    Some(2_500),
    Some(10_000),
    Some(100_000),
    None,
];

/// The next notch up (`faster`) or down from any speed.
pub fn notch(speed: Option<u32>, faster: bool) -> Option<u32> {
    let rank = |s: Option<u32>| s.unwrap_or(u32::MAX);
    let here = rank(speed);
    let found = if faster {
        SPEEDS.iter().find(|s| rank(**s) > here).or(SPEEDS.last())
    } else {
        SPEEDS.iter().rev().find(|s| rank(**s) < here).or(SPEEDS.first())
    };
    found.copied().unwrap_or(speed)
}

/// `0.25`, `10`, `max`.
pub fn speed_text(speed: Option<u32>) -> String {
    match speed {
        None => "max".into(),
        Some(s) if s % 100 == 0 => (s / 100).to_string(),
        Some(s) => format!("{}.{:02}", s / 100, s % 100).trim_end_matches('0').to_string(),
    }
}

/// Reads `0.25`, `10`, `10x`, `max`.
///
/// # Errors
/// A sentence that says what is allowed.
pub fn speed_from_text(text: &str) -> Result<Option<u32>, String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("max") {
        return Ok(None);
    }
    let number = text.strip_suffix(['x', 'X']).unwrap_or(text);
    match number.parse::<f64>() {
        Ok(x) if (0.1..=1000.0).contains(&x) => Ok(Some((x * 100.0).round() as u32)),
        _ => Err(format!("speed {text:?}: give 0.1 to 1000, or max")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_read_written_and_notched() {
        for (text, speed) in
            [("0.1", Some(10)), ("0.25", Some(25)), ("1", Some(100)), ("1000", Some(100_000)), ("max", None)]
        {
            assert_eq!(speed_from_text(text).unwrap(), speed);
            assert_eq!(speed_text(speed), text);
        }
        for bad in ["0", "0.09", "1001", "-1", "NaN", "fast", ""] {
            assert!(speed_from_text(bad).is_err(), "{bad}");
        }
        assert_eq!(notch(Some(100), true), Some(200));
        assert_eq!(notch(Some(150), false), Some(100));
        assert_eq!(notch(Some(100_000), true), None);
        assert_eq!(notch(None, false), Some(100_000));
        assert_eq!(notch(Some(10), false), Some(10));
    }
}

//! Decimal numbers to and from text, exactly, without allocation and alike on every machine.
//!
//! Reading gives the nearest `f64`; writing rounds the exact value of the `f64` to nearest, ties to even, as C's printf
//! and Python do.

use std::io::Write;

/// Powers of ten that an `f64` holds exactly.
const POW10: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Powers of ten as whole numbers.
pub const TENS: [u64; 16] = [
    1,
    10,
    100,
    1000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
    10_000_000_000,
    100_000_000_000,
    1_000_000_000_000,
    10_000_000_000_000,
    100_000_000_000_000,
    1_000_000_000_000_000,
];

/// A decimal taken apart: digits without the point, how many stand behind it, sign.
#[derive(Clone, Copy)]
pub struct Decimal {
    /// All digits as one whole number.
    pub digits: u64,
    /// How many of them stand behind the point.
    pub behind: u8,
    /// How many stand before it.
    pub before: u8,
    /// A minus in front.
    pub negative: bool,
}

/// `-12.5`: an optional sign, digits with at most one point, nothing else; `None` otherwise, or with more than 18 digits.
#[inline]
pub fn decimal(raw: &[u8]) -> Option<Decimal> {
    let (negative, text) = match raw.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, raw),
    };
    if text.len() > 19 {
        return None;
    }
    let mut digits = 0u64;
    let mut point = None;
    for (i, b) in text.iter().enumerate() {
        let d = b.wrapping_sub(b'0');
        if d <= 9 {
            digits = digits * 10 + u64::from(d);
        } else if *b == b'.' && point.is_none() {
            point = Some(i);
        } else {
            return None;
        }
    }
    let before = point.unwrap_or(text.len());
    let behind = text.len() - before - usize::from(point.is_some());
    if before + behind == 0 || before + behind > 18 {
        return None;
    }
    Some(Decimal { digits, behind: behind as u8, before: before as u8, negative })
}

/// The nearest `f64`. `None` if it is no plain decimal number.
#[inline]
pub fn number(raw: &[u8]) -> Option<f64> {
    match decimal(raw) {
        // Both are exact, so one division rounds once.
        Some(d) if d.digits < 1 << 53 => {
            let value = d.digits as f64 / POW10[usize::from(d.behind)];
            Some(if d.negative { -value } else { value })
        }
        _ => long_number(raw),
    }
}

#[cold]
fn long_number(raw: &[u8]) -> Option<f64> {
    let plain = raw.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
    if !plain || raw.len() > 60 {
        return None;
    }
    std::str::from_utf8(raw).ok()?.parse::<f64>().ok().filter(|v| v.is_finite())
}

/// A number scaled by a power of ten and rounded to a whole one, ties to even on the exact value; `None` beyond 10^15.
#[inline]
pub fn scaled(magnitude: f64, decimals: u8) -> Option<u64> {
    let x = magnitude * POW10[usize::from(decimals.min(9))];
    if !(0.0..1e15).contains(&x) {
        return None;
    }
    let whole = x as u64;
    let rest = x - whole as f64;
    // The product was rounded once; only close to a tie can that matter.
    if (rest - 0.5).abs() > x * f64::EPSILON + 1e-9 {
        return Some(if rest > 0.5 { whole + 1 } else { whole });
    }
    exactly(magnitude, decimals)
}

/// The standard library rounds the exact value, ties to even.
#[cold]
fn exactly(magnitude: f64, decimals: u8) -> Option<u64> {
    let mut buffer = [0u8; 64];
    let mut rest = &mut buffer[..];
    write!(rest, "{magnitude:.*}", usize::from(decimals)).ok()?;
    let left = rest.len();
    buffer
        .get(..64 - left)?
        .iter()
        .filter(|b| b.is_ascii_digit())
        .try_fold(0u64, |n, b| n.checked_mul(10)?.checked_add(u64::from(b - b'0')))
}

/// Gives out a whole number with at least `width` digits, one by one.
#[inline]
pub fn push_whole(mut out: impl FnMut(u8), n: u64, width: u8) {
    let mut buffer = ZEROS;
    for b in whole(n, width, &mut buffer) {
        out(*b);
    }
}

/// Appends a whole number with at least `width` digits.
#[inline]
pub fn append_whole(out: &mut Vec<u8>, n: u64, width: u8) {
    let mut buffer = ZEROS;
    out.extend_from_slice(whole(n, width, &mut buffer));
}

/// As many zeros as a number can have digits.
const ZEROS: [u8; 20] = [b'0'; 20];

/// The digits of a number, written over zeros.
#[inline]
fn whole(mut n: u64, width: u8, zeros: &mut [u8; ZEROS.len()]) -> &[u8] {
    let mut at = zeros.len();
    loop {
        at -= 1;
        zeros[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 || at == 0 {
            break;
        }
    }
    &zeros[at.min(zeros.len().saturating_sub(width.into()))..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_plain_decimals() {
        assert_eq!(number(b"022.4"), Some(22.4));
        assert_eq!(number(b"-11.23"), Some(-11.23));
        assert_eq!(number(b"+000.05"), Some(0.05));
        assert_eq!(number(b".5"), Some(0.5));
        assert_eq!(number(b"5."), Some(5.0));
        assert_eq!(number(b"3723.46587704123456789012"), Some(3_723.465_877_041_234_6));
        for bad in [&b""[..], b".", b"-", b"1e5", b"nan", b"inf", b"1.2.3", b"12-", b"--1", b"0x1", b" 1"] {
            assert_eq!(number(bad), None, "{}", String::from_utf8_lossy(bad));
        }
    }

    #[test]
    fn ties_go_to_even_on_the_exact_value() {
        // 0.25 and 0.75 are exact ties; 0.35 is below (0.34999…), 0.45 above (0.4500000000000000111).
        let cases =
            [(0.25, 1, 2), (0.75, 1, 8), (0.35, 1, 3), (0.45, 1, 5), (2.5, 0, 2), (3.5, 0, 4), (359.96, 1, 3600)];
        for (value, decimals, want) in cases {
            assert_eq!(scaled(value, decimals), Some(want), "{value}");
        }
        assert_eq!(scaled(f64::NAN, 1), None);
        assert_eq!(scaled(1e300, 1), None);
    }

    proptest! {
        #[test]
        fn scaling_agrees_with_the_standard_library(value in 0.0..1e6f64, decimals in 0u8..9) {
            let text = format!("{value:.*}", usize::from(decimals));
            let want: u64 = text.replace('.', "").parse().unwrap();
            prop_assert_eq!(scaled(value, decimals), Some(want));
        }

        #[test]
        fn reading_agrees_with_the_standard_library(digits in "-?[0-9]{1,9}(\\.[0-9]{0,9})?") {
            prop_assert_eq!(number(digits.as_bytes()), Some(digits.parse().unwrap()));
        }
    }
}

//! Counts in words, the same in every view, report and message. Knows nothing of what is counted.

/// `1,204,331`.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 gap`, `1,204 gaps`; for words whose plural is one `s` more.
pub fn counted(n: u64, one: &str) -> String {
    format!("{} {one}{}", thousands(n), if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_read_at_a_glance() {
        for (n, said) in
            [(0, "0 gaps"), (1, "1 gap"), (999, "999 gaps"), (1000, "1,000 gaps"), (1_204_331, "1,204,331 gaps")]
        {
            assert_eq!(counted(n, "gap"), said);
        }
    }
}

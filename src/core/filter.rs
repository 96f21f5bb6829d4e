//! Which sentences pass: by id, formatter, talker, talker and formatter, or delimiter (LOG-FORMAT P8).
//!
//! Works on the bytes of a sentence alone and decodes nothing.

use crate::core::nmea::table;

/// A list of words of which one must fit; an empty list lets everything pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    words: Vec<Word>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    /// `$` or `!`.
    Delimiter(u8),
    /// `MWV`.
    Formatter(String),
    /// `WI`.
    Talker(String),
    /// `WIMWV`, `PGRME`: the whole address.
    Address(String),
    /// `MWV-R`: formatter, and what tells kinds apart; only of sentences that a simulation made.
    Id(String, String),
}

impl Filter {
    /// Reads `RMC,WI,WIMWV,MWV-R,!`; blanks around the words do not count, nor does case.
    ///
    /// # Errors
    /// The word that is none of these, and what would be one.
    pub fn new(text: &str) -> Result<Filter, String> {
        let words = text.split(',').map(str::trim).filter(|w| !w.is_empty()).map(word).collect::<Result<_, _>>()?;
        Ok(Filter { words })
    }

    /// Lets everything pass.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether a sentence (delimiter first) passes. `simulated`: it has an id because the program made it; a replayed or
    /// received sentence has only a formatter, so that `MWV-R` does not fit it.
    pub fn passes(&self, sentence: &[u8], simulated: bool) -> bool {
        self.words.is_empty() || self.words.iter().any(|w| fits(w, sentence, simulated))
    }
}

impl std::fmt::Display for Filter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, word) in self.words.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            match word {
                Word::Delimiter(d) => write!(f, "{}", char::from(*d))?,
                Word::Formatter(t) | Word::Talker(t) | Word::Address(t) => f.write_str(t)?,
                Word::Id(formatter, kind) => write!(f, "{formatter}-{kind}")?,
            }
        }
        Ok(())
    }
}

/// The address of a sentence: what stands between the delimiter and the first comma or `*`.
pub fn address(sentence: &[u8]) -> &[u8] {
    let body = sentence.get(1..).unwrap_or_default();
    let end = body.iter().position(|b| matches!(b, b',' | b'*')).unwrap_or(body.len());
    &body[..end]
}

/// Talker and formatter of an address; a proprietary one (`PGRME`) has the talker `P` and the rest as its formatter.
pub fn parts(address: &[u8]) -> (&[u8], &[u8]) {
    match address {
        [b'P', rest @ ..] => (&address[..1], rest),
        _ => address.split_at(address.len().saturating_sub(3).min(2)),
    }
}

/// Field `n` of a sentence, from 0, without the address; empty when there is none.
pub fn field(sentence: &[u8], n: usize) -> &[u8] {
    let end = sentence.iter().rposition(|b| *b == b'*').unwrap_or(sentence.len());
    sentence[..end].split(|b| *b == b',').nth(n + 1).unwrap_or_default()
}

fn word(text: &str) -> Result<Word, String> {
    let upper = text.to_ascii_uppercase();
    let plain = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_alphanumeric());
    if let Some((formatter, kind)) = upper.split_once('-')
        && plain(formatter)
        && plain(kind)
    {
        return Ok(Word::Id(formatter.into(), kind.into()));
    }
    match upper.len() {
        1 if matches!(text, "$" | "!") => Ok(Word::Delimiter(upper.as_bytes()[0])),
        1 if upper == "P" => Ok(Word::Talker(upper)),
        2 if plain(&upper) => Ok(Word::Talker(upper)),
        3 if plain(&upper) => Ok(Word::Formatter(upper)),
        4.. if plain(&upper) => Ok(Word::Address(upper)),
        _ => Err(format!(
            "filter {:?}: give formatters (RMC), talkers (WI), both (WIMWV), ids (MWV-R) or a start (!)",
            crate::core::visible::text(text.as_bytes())
        )),
    }
}

fn fits(word: &Word, sentence: &[u8], simulated: bool) -> bool {
    let address = address(sentence);
    let (talker, formatter) = parts(address);
    match word {
        Word::Delimiter(d) => sentence.first() == Some(d),
        Word::Formatter(f) => formatter.eq_ignore_ascii_case(f.as_bytes()),
        Word::Talker(t) => talker.eq_ignore_ascii_case(t.as_bytes()),
        Word::Address(a) => address.eq_ignore_ascii_case(a.as_bytes()),
        Word::Id(f, kind) => {
            simulated && formatter.eq_ignore_ascii_case(f.as_bytes()) && kind_of(sentence, f, kind) == kind.as_bytes()
        }
    }
}

/// What tells the kinds of a formatter apart in this sentence: `R` of an MWV, `STATIC` of an AIS message 5 or 24.
fn kind_of<'a>(sentence: &'a [u8], formatter: &str, kind: &str) -> &'a [u8] {
    if kind == "STATIC" {
        // The first character of the payload is the type: `5` is message 5, `H` is message 24.
        let payload = field(sentence, 4);
        let part = field(sentence, 1);
        return if part != b"1" || matches!(payload.first(), Some(b'5' | b'H')) { b"STATIC" } else { b"" };
    }
    let keyed = table::by_id(&format!("{formatter}-{kind}")).and_then(|f| f.about.sub_key.first().copied());
    field(sentence, usize::from(keyed.unwrap_or(1)))
}

/// Which part a sentence is, of how many, where several sentences make one message (VDM, VDO, GSV, RTE, TXT); `None` when
/// it stands alone.
pub fn part_of(sentence: &[u8]) -> Option<(u8, u8)> {
    if !matches!(parts(address(sentence)).1, b"VDM" | b"VDO" | b"GSV" | b"RTE" | b"TXT") {
        return None;
    }
    let number = |n| -> Option<u8> { std::str::from_utf8(field(sentence, n)).ok()?.parse().ok() };
    let (of, part) = (number(0)?, number(1)?);
    (of > 1 && part >= 1 && part <= of).then_some((part, of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fit_as_the_rule_says() {
        let mwv = b"$WIMWV,45.0,R,12.0,N,A*00";
        let vdm = b"!AIVDM,1,1,,A,B52K>;h00Fc>jpUlNV@ikwpUoP06,0*00";
        let cases: &[(&str, &[u8], bool, bool)] = &[
            ("", mwv, false, true),
            ("MWV", mwv, false, true),
            ("RMC, mwv", mwv, false, true),
            ("WI", mwv, false, true),
            ("WIMWV", mwv, false, true),
            ("GPMWV", mwv, false, false),
            ("MWV-R", mwv, true, true),
            ("MWV-R", mwv, false, false), // replayed: it has no id
            ("MWV-T", mwv, true, false),
            ("!", mwv, false, false),
            ("!", vdm, false, true),
            ("VDM", vdm, false, true),
            ("VDM-STATIC", vdm, true, false),
            ("VDM-STATIC", b"!AIVDM,1,1,,A,H52K>;i0,0*00", true, true),
            ("P", b"$PGRME,1*00", false, true),
            ("PGRME", b"$PGRME,1*00", false, true),
        ];
        for (filter, sentence, simulated, expected) in cases {
            let f = Filter::new(filter).unwrap();
            assert_eq!(f.passes(sentence, *simulated), *expected, "{filter} on {}", String::from_utf8_lossy(sentence));
        }
    }

    #[test]
    fn a_word_that_is_none_is_named() {
        for bad in ["R*C", "R", "MWV-", "ä"] {
            let error = Filter::new(bad).unwrap_err();
            assert!(error.contains("give formatters"), "{error}");
        }
        assert_eq!(Filter::new(" rmc ,wi, mwv-r,!").unwrap().to_string(), "RMC,WI,MWV-R,!");
    }

    #[test]
    fn addresses_come_apart() {
        assert_eq!(address(b"$GPRMC,1*00"), b"GPRMC");
        assert_eq!(address(b"$"), b"");
        assert_eq!(parts(b"GPRMC"), (&b"GP"[..], &b"RMC"[..]));
        assert_eq!(parts(b"PGRME"), (&b"P"[..], &b"GRME"[..]));
        assert_eq!(parts(b"A"), (&b""[..], &b"A"[..]));
        assert_eq!(field(b"$GPHDT,45.0,T*00", 1), b"T");
        assert_eq!(field(b"$GPHDT,45.0,T*00", 9), b"");
    }
}

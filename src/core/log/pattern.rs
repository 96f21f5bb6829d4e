//! What a person searches for: a regular expression over bytes that knows sentences begin with `$`.

use std::fmt;

use regex::bytes::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use crate::core::visible;

/// A search. Lower case finds both cases. A `$` that is not at the end stands for itself, as does a `*` where nothing could
/// be repeated.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern {
    text: String,
    regex: Regex,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub fn new(text: &str) -> Result<Pattern, String> {
        if text.is_empty() {
            return Err("nothing to look for".to_owned());
        }
        let mut expression = String::with_capacity(text.len() + 8);
        let mut chars = text.chars().peekable();
        let mut last = None;
        while let Some(c) = chars.next() {
            let literal = match c {
                '\\' => {
                    expression.push(c);
                    expression.extend(chars.next());
                    last = Some('x');
                    continue;
                }
                '$' => !matches!(chars.peek(), None | Some(')' | '|')),
                '*' => matches!(last, None | Some('(' | '|' | '*' | '^')),
                _ => false,
            };
            if literal {
                expression.push('\\');
            }
            expression.push(c);
            last = Some(c);
        }
        let regex = RegexBuilder::new(&expression)
            // Sentences are bytes: what is no text between two commas is found by a dot, too. And it is far smaller.
            .unicode(!text.is_ascii())
            .case_insensitive(!text.chars().any(char::is_uppercase))
            .multi_line(true)
            .crlf(true)
            .size_limit(1 << 20)
            .build()
            .map_err(|error| {
                let reason = error.to_string();
                let text = visible::text(text.as_bytes());
                format!(
                    "pattern {text:?}: {}",
                    reason.lines().last().unwrap_or("not a pattern").trim_start_matches("error: ")
                )
            })?;
        Ok(Pattern { text: text.to_owned(), regex })
    }

    /// As it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it is found in a text: beginnings and ends, in order, none of them empty.
    pub fn places<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
        let found = self.regex.find_iter(text.as_bytes()).map(|m| (m.start(), m.end()));
        found.filter(|(from, to)| from < to && text.is_char_boundary(*from) && text.is_char_boundary(*to))
    }

    /// Whether it means the same in one line and in many at once: it neither speaks of the whole text nor sets flags.
    pub fn is_of_lines(&self) -> bool {
        !["\\A", "\\z", "(?"].iter().any(|sign| self.text.contains(sign))
    }

    /// Whether it is found in these bytes.
    pub fn finds(&self, bytes: &[u8]) -> bool {
        self.regex.is_match(bytes)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Pattern, String> {
        Pattern::new(&text)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> String {
        pattern.text
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sailors_type_is_found() {
        let line = b"2026-09-23T10:00:00.000Z $GPRMC,1000,A*0D";
        for (text, found) in [
            ("$GPRMC", true),
            ("gprmc", true),
            ("GPrmc", false), // a capital: case counts
            ("*0D$", true),
            ("A\\*0D", true),
            ("T10:.*A", true),
            ("^$GP", false),
            ("$GP(RMC|GGA)", true),
            ("D$|x", true),
            ("$$GP", false),
        ] {
            assert_eq!(Pattern::new(text).unwrap().finds(line), found, "{text}");
        }
    }

    #[test]
    fn garbage_is_found_as_bytes_and_names_as_letters() {
        let line = b"$GPTXT,\xB1\xFF,B\xC3\x84REN*00";
        for (text, found) in
            [(",..,", true), ("TXT,[^,]*,B", true), ("bÄren", false), ("bären", true), ("b.ren", false)]
        {
            assert_eq!(Pattern::new(text).unwrap().finds(line), found, "{text}");
        }
        // A place begins and ends between characters.
        let pattern = Pattern::new("b.").unwrap();
        assert_eq!(pattern.places("BÄR Bo").collect::<Vec<_>>(), [(5, 7)]);
    }

    #[test]
    fn what_is_no_pattern_is_said_in_one_line() {
        for text in ["", "(", "[a", "a{2"] {
            if let Err(error) = Pattern::new(text) {
                assert!(!error.is_empty() && !error.contains('\n'), "{error}");
            } else {
                assert_eq!(text, "a{2");
            }
        }
        let json = serde_json::to_string(&Pattern::new("$GP").unwrap()).unwrap();
        assert_eq!(json, "\"$GP\"");
        assert_eq!(serde_json::from_str::<Pattern>(&json).unwrap().text(), "$GP");
        assert!(serde_json::from_str::<Pattern>("\"(\"").is_err());
    }
}

//! The other sentences of an AIS message that takes several: found among those heard around it, as the assembler joins them.
//!
//! Reads no log: whoever knows what stands around a sentence brings it.

use serde::Serialize;

use super::inspect::hex;
use crate::core::ais::assembler::{Assembler, PATIENCE};
use crate::core::ais::{Message, Outcome, Part};
use crate::core::frame::Origin;
use crate::core::time::Offset;
use crate::core::visible;

/// How far before and behind a part the others can be, in the source's time.
pub const AROUND: Offset = PATIENCE;

/// A sentence that was heard near the one in question.
#[derive(Clone, Copy, Debug)]
pub struct Near<'a> {
    /// From `!` to the checksum.
    pub sentence: &'a [u8],
    /// When.
    pub at: Offset,
    /// Who said it.
    pub origin: Origin,
    /// Its line in a log, or the number of a line of a running source.
    pub line: u64,
}

/// One of the sentences of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PartRow {
    /// Which one, from 1.
    pub number: u8,
    /// Of how many.
    pub of: u8,
    /// It is the one that was asked for.
    pub here: bool,
    /// Where it stands; `None`: it was not heard.
    pub line: Option<u64>,
    /// What it says, made visible.
    pub text: String,
    /// The same in hexadecimal, sixteen bytes a row.
    pub hex: Vec<String>,
}

/// A message, and the sentences that say it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joined {
    /// All of them, by number.
    pub parts: Vec<PartRow>,
    /// What they say together; `None` while some are missing.
    pub message: Option<Message>,
}

/// Looks for the others of one of these sentences, which stand in the order in which they were heard. `None`: it is no part
/// of a message of several sentences.
pub fn join(heard: &[Near<'_>], which: usize) -> Option<Joined> {
    let asked = Part::parse(heard.get(which)?.sentence).ok().filter(|p| p.total > 1)?;
    let mut assembler = Assembler::new();
    let mut found = Vec::new();
    let mut message = None;
    for (i, near) in heard.iter().enumerate() {
        let Ok(part) = Part::parse(near.sentence) else { continue };
        if part.total == 1 {
            continue;
        }
        if let Outcome::Complete(whole) = assembler.hear_from(&part, near.at, near.origin, i)
            && whole.places.contains(&which)
        {
            found = whole.places;
            message = Message::decode(&whole.bits).ok().map(|decoded| decoded.message);
            break;
        }
        if let Some(places) = assembler.waiting_with(which) {
            found = places;
        }
    }
    let row = |number: u8| {
        let of = found.iter().find_map(|i| {
            let near = heard.get(*i)?;
            Part::parse(near.sentence).ok().filter(|p| p.number == number).map(|_| (*i, near))
        });
        let row = PartRow { number, of: asked.total, ..PartRow::default() };
        match of {
            Some((i, near)) => PartRow {
                here: i == which,
                line: Some(near.line),
                text: visible::text(near.sentence),
                hex: hex(near.sentence),
                ..row
            },
            None => row,
        }
    };
    Some(Joined { parts: (1..=asked.total).map(row).collect(), message })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::time::SECOND;

    fn near(sentence: &str, seconds: i64, line: u64) -> Near<'_> {
        Near { sentence: sentence.as_bytes(), at: seconds * SECOND, origin: Origin::Source, line }
    }

    fn lines(heard: &[Near<'_>], which: usize) -> Vec<Option<u64>> {
        join(heard, which).unwrap().parts.iter().map(|p| p.line).collect()
    }

    #[test]
    fn the_others_are_found_before_and_behind_also_interleaved() {
        let heard = [
            near("!AIVDM,2,1,1,A,111,0*00", 0, 10),
            near("!AIVDM,2,1,2,B,777,0*00", 0, 11),
            near("!AIVDM,1,1,,A,000,0*00", 1, 12),
            near("!AIVDM,2,2,1,A,222,0*00", 1, 13),
            near("!AIVDM,2,2,2,B,888,0*00", 2, 14),
            near("!AIVDM,2,1,1,A,333,0*00", 3, 15), // the identifier again
            near("!AIVDM,2,2,1,A,444,0*00", 3, 16),
        ];
        assert_eq!(lines(&heard, 0), [Some(10), Some(13)]);
        assert_eq!(lines(&heard, 3), [Some(10), Some(13)]);
        assert_eq!(lines(&heard, 4), [Some(11), Some(14)]);
        assert_eq!(lines(&heard, 5), [Some(15), Some(16)]);
        assert_eq!(join(&heard, 2), None, "one sentence is all of it");
        let joined = join(&heard, 3).unwrap();
        assert!(!joined.parts[0].here && joined.parts[1].here);
        assert_eq!(joined.parts[0].text, "!AIVDM,2,1,1,A,111,0*00");
        // 21 41 49 56 44 4D is `!AIVDM` in ASCII
        assert!(joined.parts[0].hex[0].contains("21 41 49 56 44 4d"), "{}", joined.parts[0].hex[0]);
    }

    #[test]
    fn what_is_not_there_is_missing() {
        let heard = [near("!AIVDM,3,1,4,A,111,0*00", 0, 1), near("!AIVDM,3,3,4,A,333,0*00", 1, 2)];
        let joined = join(&heard, 1).unwrap();
        assert_eq!(joined.parts.iter().map(|p| p.line).collect::<Vec<_>>(), [Some(1), None, Some(2)]);
        assert_eq!((joined.message, joined.parts[1].text.as_str()), (None, ""));
        // Too late to belong together, and of another input.
        let heard = [near("!AIVDM,2,1,1,A,111,0*00", 0, 1), near("!AIVDM,2,2,1,A,222,0*00", 6, 2)];
        assert_eq!(lines(&heard, 1), [None, Some(2)]);
        assert_eq!(lines(&heard, 0), [Some(1), None]);
        let other = Near { origin: Origin::Input(1), ..near("!AIVDM,2,2,1,A,222,0*00", 0, 2) };
        assert_eq!(lines(&[heard[0], other], 0), [Some(1), None]);
    }

    #[test]
    fn the_message_is_that_of_all_parts() {
        // The static data of a ship that gpsd's and other decoders' documentation takes as the example: MMSI and name.
        let heard = [
            near("!AIVDM,2,1,1,A,55?MbV02;H;s<HtKR20EHE:0@T4@Dn2222222216L961O5Gf0NSQEp6ClRp8,0*1C", 0, 1),
            near("!AIVDM,2,2,1,A,88888888880,2*25", 0, 2),
        ];
        for which in [0, 1] {
            let message = join(&heard, which).unwrap().message.unwrap();
            let rows = crate::core::ais::rows(&message);
            assert!(rows.iter().any(|r| r.name == "mmsi" && r.value.as_deref() == Some("351759000")), "{rows:?}");
            assert!(rows.iter().any(|r| r.value.as_deref() == Some("EVER DIADEM")), "{rows:?}");
        }
    }
}

//! VDM and VDO sentences: one part of a message each, read and written.
//!
//! Does not join parts (`assembler`) nor check checksums (whoever cuts a line into sentences has done that).

use super::armour::Bits;
use super::message::Message;

/// Most payload characters in one sentence, so that it fits into 82 with a channel letter.
pub const PART: usize = 60;

/// One VDM or VDO sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// `AI`, `BS`, …
    pub talker: &'a [u8],
    /// VDO, the own ship, instead of VDM.
    pub own: bool,
    /// How many sentences the message takes, 1 to 9.
    pub total: u8,
    /// Which one this is, from 1.
    pub number: u8,
    /// Sequential message identifier 0 to 9; none for messages of one sentence.
    pub sequence: Option<u8>,
    /// `A`, `B` (some write 1, 2), or none.
    pub channel: Option<u8>,
    /// Six-bit armoured.
    pub payload: &'a [u8],
    /// Bits at the end of the payload that do not count.
    pub fill: u8,
}

/// Why a sentence is no part of an AIS message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// Another formatter.
    #[error("not a VDM or VDO sentence")]
    Other,
    /// A field that a VDM must have is missing or out of range.
    #[error("VDM or VDO sentence: {0}")]
    Form(&'static str),
}

impl<'a> Part<'a> {
    /// Reads a sentence from `!` up to its checksum, which may be missing and is not checked.
    ///
    /// # Errors
    /// Another formatter, or a form that no standard allows.
    pub fn parse(sentence: &'a [u8]) -> Result<Part<'a>, PartError> {
        let body = sentence.strip_prefix(b"!").or_else(|| sentence.strip_prefix(b"$")).ok_or(PartError::Other)?;
        let body = body.split(|c| *c == b'*').next().unwrap_or_default().trim_ascii_end();
        let mut fields = body.split(|c| *c == b',');
        let address = fields.next().unwrap_or_default();
        let (talker, formatter) = address.split_at(address.len().saturating_sub(3));
        let own = match formatter {
            b"VDM" => false,
            b"VDO" => true,
            _ => return Err(PartError::Other),
        };
        let digit = |field: Option<&[u8]>| match field {
            Some([d @ b'0'..=b'9']) => Some(d - b'0'),
            _ => None,
        };
        let form = PartError::Form;
        let total = digit(fields.next()).filter(|n| *n > 0).ok_or(form("number of sentences must be 1 to 9"))?;
        let number = digit(fields.next())
            .filter(|n| (1..=total).contains(n))
            .ok_or(form("sentence number must be 1 to the number of sentences"))?;
        let sequence = match fields.next().ok_or(form("too few fields"))? {
            b"" => None,
            other => Some(digit(Some(other)).ok_or(form("sequential message identifier must be 0 to 9"))?),
        };
        let channel = match fields.next().ok_or(form("too few fields"))? {
            [c] => Some(c.to_ascii_uppercase()),
            _ => None,
        };
        let payload = fields.next().ok_or(form("too few fields"))?;
        // Old receivers leave the fill bits away.
        let fill = match fields.next() {
            None | Some(b"") => 0,
            other => digit(other).filter(|f| *f <= 5).ok_or(form("fill bits must be 0 to 5"))?,
        };
        Ok(Part { talker, own, total, number, sequence, channel, payload, fill })
    }
}

/// Sequential message identifiers, 0 to 9 in turn. One for each talker of an output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ids {
    next: u8,
}

impl Ids {
    /// Starts with 0.
    pub fn new() -> Ids {
        Ids::default()
    }

    fn take(&mut self) -> u8 {
        let id = self.next;
        self.next = (id + 1) % 10;
        id
    }
}

/// How a message is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framing<'a> {
    /// `AI`.
    pub talker: &'a str,
    /// VDO instead of VDM.
    pub own: bool,
    /// `A`, `B`; empty for VDO.
    pub channel: Option<u8>,
}

/// Says a message: each of its sentences, in order, without CR LF.
pub fn sentences(message: &Message, framing: Framing<'_>, ids: &mut Ids, out: &mut dyn FnMut(&[u8])) {
    frame(&message.encode(), framing, ids, out);
}

/// As [`sentences`], of bits.
pub fn frame(bits: &Bits, framing: Framing<'_>, ids: &mut Ids, out: &mut dyn FnMut(&[u8])) {
    let (payload, fill) = bits.armoured();
    let parts: Vec<&[u8]> = payload.chunks(PART).collect();
    let id = (parts.len() > 1).then(|| ids.take());
    let mut line = Vec::with_capacity(82);
    for (i, part) in parts.iter().enumerate() {
        line.clear();
        line.push(b'!');
        line.extend_from_slice(framing.talker.as_bytes());
        line.extend_from_slice(if framing.own { b"VDO," } else { b"VDM," });
        line.extend_from_slice(format!("{},{},", parts.len(), i + 1).as_bytes());
        line.extend(id.map(|id| b'0' + id));
        line.push(b',');
        line.extend(framing.channel);
        line.push(b',');
        line.extend_from_slice(part);
        let fill = if i + 1 == parts.len() { fill } else { 0 };
        line.extend_from_slice(&[b',', b'0' + fill]);
        let sum = line.iter().skip(1).fold(0, |sum, c| sum ^ c);
        line.extend_from_slice(format!("*{sum:02X}").as_bytes());
        out(&line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_read_whatever_its_talker_and_age() {
        let part = Part::parse(b"!BSVDM,2,1,3,b,0w,0*5A").unwrap();
        assert_eq!((part.talker, part.own, part.total, part.number), (&b"BS"[..], false, 2, 1));
        assert_eq!((part.sequence, part.channel, part.payload, part.fill), (Some(3), Some(b'B'), &b"0w"[..], 0));
        let old = Part::parse(b"!AIVDO,1,1,,,0w\r\n").unwrap();
        assert_eq!((old.own, old.sequence, old.channel, old.fill), (true, None, None, 0));
    }

    #[test]
    fn what_no_standard_allows_is_refused() {
        for text in [
            "!AIVDM",
            "!AIVDM,0,1,,A,0,0",
            "!AIVDM,2,3,1,A,0,0",
            "!AIVDM,1,1,x,A,0,0",
            "!AIVDM,1,1,,A,0,6",
            "!AIVDM,1,1,",
        ] {
            assert!(matches!(Part::parse(text.as_bytes()), Err(PartError::Form(_))), "{text}");
        }
        for text in ["", "!", "$GPRMC,1", "AIVDM,1,1,,A,0,0", "!AIABM,1,1,0,1"] {
            assert_eq!(Part::parse(text.as_bytes()), Err(PartError::Other), "{text}");
        }
    }

    #[test]
    fn long_messages_are_cut_after_sixty_characters_and_numbered_in_turn() {
        let mut bits = Bits::new();
        (0..1064).for_each(|_| bits.push(1, 1)); // the longest AIS message: 178 characters, 4 fill bits
        let framing = Framing { talker: "AI", own: false, channel: Some(b'A') };
        let (mut ids, mut lines) = (Ids::new(), Vec::new());
        for _ in 0..11 {
            frame(&bits, framing, &mut ids, &mut |l| lines.push(String::from_utf8_lossy(l).into_owned()));
        }
        assert_eq!(lines.len(), 33);
        let sequence: Vec<_> = lines.iter().step_by(3).map(|l| Part::parse(l.as_bytes()).unwrap().sequence).collect();
        assert_eq!(sequence, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(Some));
        let last = Part::parse(lines[2].as_bytes()).unwrap();
        assert_eq!((last.payload.len(), last.fill, last.number), (58, 4, 3));
        assert!(lines.iter().all(|l| l.len() + 2 <= 82), "CR LF counted");
        let mut short = Vec::new();
        let mut one = Bits::new();
        one.push(0, 6);
        frame(&one, framing, &mut ids, &mut |l| short.push(l.to_vec()));
        assert_eq!(short, [b"!AIVDM,1,1,,A,0,0*16".to_vec()]); // no identifier
    }
}

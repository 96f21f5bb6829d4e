//! From a batch to the bytes of one output: filter, encoding, TAG blocks.
//!
//! Pure: knows nothing of sockets. A message is what a datagram carries: one sentence, one delta.

use crate::core::encode::{signalk, viewsync};
use crate::core::filter::{self, Filter};
use crate::core::frame::{Batch, Frame};
use crate::core::nmea::tag::TagWriter;
use crate::core::output::{Encoding, OutputSpec, TAG_SOURCE, Tag, TagTime};
use crate::core::time::{MILLISECOND, Moment, SECOND, Utc};
use crate::runtime::hub;

/// What IEC 61162-450 puts in front of every datagram.
const DATAGRAM: &[u8] = b"UdPbC\0";

/// The bytes of a batch, in messages.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// All messages, one behind the other.
    pub bytes: Vec<u8>,
    /// Where each ends, and how many sentences it stands for.
    pub messages: Vec<Message>,
}

/// One message within [`Encoded::bytes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its end; it begins where the one before ends.
    pub end: usize,
    /// Sentences in it.
    pub sentences: u64,
    /// The frame it was made of.
    pub frame: usize,
}

impl Encoded {
    /// Sentences in all messages.
    pub fn sentences(&self) -> u64 {
        self.messages.iter().map(|m| m.sentences).sum()
    }

    /// The messages with their bytes.
    pub fn iter(&self) -> impl Iterator<Item = (Message, &[u8])> {
        let mut from = 0;
        self.messages.iter().map(move |m| {
            let bytes = self.bytes.get(from..m.end).unwrap_or_default();
            from = m.end;
            (*m, bytes)
        })
    }
}

/// Encodes for one output.
#[derive(Debug)]
pub struct Encoder {
    encoding: Encoding,
    filter: Filter,
    tag: Tag,
    tag_time: TagTime,
    group: u16,
    line: u16,
    paths: Vec<String>,
    /// Nanoseconds between messages that are made of the vessel.
    period: i64,
    seed: u64,
    /// When the last message was made of the vessel, and how many were.
    last: Option<Utc>,
    count: u64,
}

impl Encoder {
    /// As the output's description says.
    pub fn new(spec: &OutputSpec) -> Encoder {
        Encoder {
            encoding: spec.encoding,
            filter: spec.filter.clone(),
            tag: spec.tag.clone(),
            tag_time: spec.tag_time,
            group: 0,
            line: 0,
            paths: spec.paths.clone(),
            period: i64::from(spec.period_ms) * MILLISECOND,
            seed: 0,
            last: None,
            count: 0,
        }
    }

    /// The seed from which the identity of a vessel without an MMSI follows.
    pub fn with_seed(self, seed: u64) -> Encoder {
        Encoder { seed, ..self }
    }

    /// The messages of a batch; none when nothing passes.
    pub fn encode(&mut self, batch: &Batch) -> Encoded {
        let mut out = Encoded::default();
        if matches!(self.encoding, Encoding::SignalK | Encoding::ViewSync) {
            self.state(batch, &mut out);
            return out;
        }
        for (i, frame) in batch.frames.iter().enumerate() {
            if !hub::passes(&self.filter, frame) {
                continue;
            }
            self.sentence(batch, frame, &mut out.bytes);
            out.messages.push(Message { end: out.bytes.len(), sentences: 1, frame: i });
        }
        out
    }

    /// What is made of the vessel instead of its sentences: once a period, at the batch that ends it.
    fn state(&mut self, batch: &Batch, out: &mut Encoded) {
        let Some(last) = batch.frames.last() else { return };
        // A clock that was set back must not silence the output.
        if self.last.is_some_and(|then| (0..self.period).contains(&(batch.sent - then))) {
            return;
        }
        let line = if self.encoding == Encoding::ViewSync {
            viewsync::line(self.count, &batch.vessel)
        } else {
            let now = Moment { offset: last.offset, utc: utc_of(batch, last) };
            let context = signalk::context(&batch.vessel, self.seed);
            let wanted = |path: &str| signalk::passes(&self.paths, path);
            signalk::delta(&batch.vessel, now, &context, &wanted).map(|delta| delta.to_string())
        };
        if let Some(line) = line {
            self.last = Some(batch.sent);
            self.count += 1;
            out.bytes.extend_from_slice(line.as_bytes());
            out.bytes.extend_from_slice(b"\n");
            out.messages.push(Message { end: out.bytes.len(), sentences: 1, frame: batch.frames.len() - 1 });
        }
    }

    fn sentence(&mut self, batch: &Batch, frame: &Frame, out: &mut Vec<u8>) {
        let text = frame.text();
        match (self.encoding, &self.tag) {
            (Encoding::Iec61162_450, tag) => {
                out.extend_from_slice(DATAGRAM);
                let source = if let Tag::Source(s) = tag { s.clone() } else { TAG_SOURCE.into() };
                self.line = self.line % 999 + 1;
                let number = self.line.into();
                self.begin_block(text).source(&source).number(number).write(out);
            }
            (_, Tag::Source(source)) => {
                let source = source.clone();
                let unit = match self.tag_time {
                    TagTime::Seconds => SECOND,
                    TagTime::Milliseconds => MILLISECOND,
                };
                let block = self.begin_block(text).source(&source);
                match utc_of(batch, frame) {
                    Some(utc) => block.field(b'c', utc.div_euclid(unit).to_string().as_bytes()),
                    None => block,
                }
                .write(out);
            }
            (_, Tag::Keep) => out.extend_from_slice(kept_tags(frame)),
            (_, Tag::Off) => {}
        }
        out.extend_from_slice(text);
        if !text.ends_with(b"\n") {
            out.extend_from_slice(b"\r\n");
        }
    }

    /// A TAG block that says which group the sentence belongs to, if it belongs to one.
    fn begin_block(&mut self, text: &[u8]) -> TagWriter {
        let Some((part, parts)) = filter::part_of(text) else { return TagWriter::new() };
        if part == 1 {
            self.group = self.group % 999 + 1;
        }
        TagWriter::new().group(part, parts, self.group.into())
    }
}

/// The TAG blocks that stand directly in front of the sentence, as they came.
pub fn kept_tags(frame: &Frame) -> &[u8] {
    let before = frame.bytes.get(..frame.sentence.0 as usize).unwrap_or_default();
    let mut start = before.len();
    while start > 1 && before[start - 1] == b'\\' {
        let Some(open) = before[..start - 1].iter().rposition(|b| *b == b'\\') else { break };
        // A block is a backslash, a letter, a colon.
        if !matches!(before.get(open + 1..open + 3), Some([l, b':']) if l.is_ascii_alphabetic()) {
            break;
        }
        start = open;
    }
    &before[start..]
}

/// UTC of a frame of a batch, when the source has one.
pub fn utc_of(batch: &Batch, frame: &Frame) -> Option<Utc> {
    let first = batch.frames.first()?.offset;
    batch.source_utc.map(|utc| utc.saturating_add(frame.offset - first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::frame::{Class, Origin};
    use crate::core::vessel::Vessel;
    use bytes::Bytes;
    use std::sync::Arc;

    fn batch(texts: &[&str]) -> Batch {
        let frames = texts.iter().zip(0..).map(|(t, i)| Frame::sentence(i, 0, Bytes::from(t.to_string()))).collect();
        let vessel = Arc::new(Vessel::default());
        Batch { generation: 0, sent: 0, source_utc: Some(1_790_080_496 * SECOND), frames, vessel }
    }

    fn encoded(spec: &str, batch: &Batch) -> Vec<String> {
        let mut encoder = Encoder::new(&OutputSpec::parse(spec).unwrap());
        encoder.encode(batch).iter().map(|(_, b)| String::from_utf8(b.to_vec()).unwrap()).collect()
    }

    #[test]
    fn sentences_end_with_cr_lf_and_are_filtered() {
        let batch = batch(&["$GPRMC,1*00", "$GPGGA,2*00"]);
        assert_eq!(encoded("stdout", &batch), ["$GPRMC,1*00\r\n", "$GPGGA,2*00\r\n"]);
        assert_eq!(encoded("stdout;filter=GGA", &batch), ["$GPGGA,2*00\r\n"]);
    }

    #[test]
    fn tag_blocks_carry_source_clock_and_group() {
        let batch = batch(&["!AIVDM,2,1,3,A,55*00", "!AIVDM,2,2,3,A,00*00", "$GPHDT,1,T*00"]);
        // Sums by hand (Python: functools.reduce(xor, b"...")): see the property below for the rule itself.
        let lines = encoded("stdout;tag=II0001", &batch);
        assert!(lines[0].starts_with("\\g:1-2-1,s:II0001,c:1790080496*"), "{}", lines[0]);
        assert!(lines[1].starts_with("\\g:2-2-1,s:II0001,c:1790080496*"), "{}", lines[1]);
        assert!(lines[2].starts_with("\\s:II0001,c:1790080496*"), "{}", lines[2]);
        for line in &lines {
            let (body, rest) = line[1..].split_once('*').unwrap();
            let sum = body.bytes().fold(0, |a, b| a ^ b);
            assert!(rest.starts_with(&format!("{sum:02X}\\")), "{line}");
        }
    }

    #[test]
    fn the_time_of_a_tag_block_is_in_the_unit_that_was_asked_for() {
        let mut batch = batch(&["$GPHDT,1,T*00", "$GPHDT,2,T*00"]);
        batch.frames[1].offset = 250 * MILLISECOND;
        // Sums by Python: functools.reduce(operator.xor, b"s:II0001,c:1790080496250") and the others.
        let seconds = encoded("stdout;tag=II0001", &batch);
        assert_eq!(seconds[1], "\\s:II0001,c:1790080496*31\\$GPHDT,2,T*00\r\n");
        let lines = encoded("stdout;tag=II0001;tag_time=ms", &batch);
        assert_eq!(lines[0], "\\s:II0001,c:1790080496000*01\\$GPHDT,1,T*00\r\n");
        assert_eq!(lines[1], "\\s:II0001,c:1790080496250*06\\$GPHDT,2,T*00\r\n");
    }

    #[test]
    fn a_datagram_of_iec_61162_450_counts_its_lines_to_999() {
        let mut encoder = Encoder::new(&OutputSpec::parse("udp-multicast;encoding=iec61162-450").unwrap());
        let batch = batch(&["$GPHDT,1,T*00"]);
        // s:II0001,n:1 -> sum over the bytes: s^: = 0x49, I^I = 0, 0^0^0^1 = 1, ',' 2C, n 6E, ':' 3A, '1' 31
        // 49^01^2C^6E^3A^31 = 0x01 ^ 0x49 = 48; ^2C = 64; ^6E = 0A; ^3A = 30; ^31 = 01
        assert_eq!(encoder.encode(&batch).bytes, b"UdPbC\0\\s:II0001,n:1*01\\$GPHDT,1,T*00\r\n");
        for _ in 0..998 {
            encoder.encode(&batch);
        }
        let bytes = encoder.encode(&batch).bytes;
        assert!(bytes.starts_with(b"UdPbC\0\\s:II0001,n:1*01\\"));
    }

    #[test]
    fn tags_of_a_feed_go_along_only_when_asked_for() {
        let line = b"noise\\s:GW,c:1790080496*00\\\\g:1-1-1*00\\$GPHDT,1,T*00 tail";
        let start = line.iter().position(|b| *b == b'$').unwrap() as u32;
        let frame = Frame {
            seq: 0,
            offset: 0,
            origin: Origin::Input(0),
            class: Class::Sentence,
            place: None,
            bytes: Bytes::from_static(line),
            sentence: (start, start + 13),
        };
        let mut batch = batch(&[]);
        batch.frames = vec![frame];
        assert_eq!(encoded("stdout", &batch), ["$GPHDT,1,T*00\r\n"]);
        let kept = "\\s:GW,c:1790080496*00\\\\g:1-1-1*00\\$GPHDT,1,T*00\r\n";
        assert_eq!(encoded("stdout;tag=keep", &batch), [kept]);
    }

    #[test]
    fn a_delta_or_a_view_is_said_once_a_period() {
        use crate::core::vessel::{Known, Position};
        let mut vessel = Vessel::default();
        let position = Position { latitude: 37.5, longitude: 23.25 };
        vessel.position = Some(Known { value: position, at: 0, origin: Origin::Source });
        let mut batch = batch(&["$GPHDT,1,T*00"]);
        batch.vessel = Arc::new(vessel);
        for (spec, start) in [
            ("tcp-server:0;encoding=signalk", "{\"context\":\"vessels.urn:mrn:signalk:uuid:"),
            ("udp:127.0.0.1:1;encoding=viewsync;period=1000ms", "0,37.5000000,23.2500000,"),
        ] {
            let mut encoder = Encoder::new(&OutputSpec::parse(spec).unwrap()).with_seed(7);
            let mut said = 0;
            for tenth in 0..30 {
                batch.sent = tenth * SECOND / 10;
                let encoded = encoder.encode(&batch);
                if said == 0 {
                    assert!(encoded.bytes.starts_with(start.as_bytes()), "{}", String::from_utf8_lossy(&encoded.bytes));
                }
                assert!(encoded.bytes.is_empty() || encoded.bytes.ends_with(b"\n"));
                said += encoded.messages.len();
            }
            assert_eq!(said, 3, "{spec}");
        }
        let mut narrow = Encoder::new(&OutputSpec::parse("tcp-server:0;encoding=signalk;paths=environment").unwrap());
        assert!(narrow.encode(&batch).messages.is_empty(), "nothing that is known passes");
    }
}

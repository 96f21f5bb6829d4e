//! A log in .gz, readable anywhere without unpacking it to disk: access points are copies of the decoder's state.
//!
//! One every 16 MiB of text, at a wider step once their budget is full. A torn archive is read as far as it unpacks: to the same
//! byte whoever reads, from wherever, in pieces of any size.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::read_at::{ReadAt, read_full};
use super::stream::{GZIP, TORN};

/// Text between two access points, at first.
const STEP: u64 = 16 << 20;
/// Access points that are kept: at 43 kB each, 4 MB.
const MOST_POINTS: usize = 96;
/// Places at which somebody is reading on.
const MOST_CURSORS: usize = 3;
const INPUT: usize = 1 << 16;
/// Bytes behind a member.
const TRAILER: usize = 8;

/// The text of a packed log.
pub struct GzAt {
    raw: Arc<dyn ReadAt>,
    inner: Mutex<Inner>,
}

struct Inner {
    points: Vec<Decoder>,
    step: u64,
    /// The one used last stands last.
    cursors: Vec<Cursor>,
    /// How far anybody unpacked, in the archive and in the text.
    furthest: (u64, u64),
    torn: bool,
}

/// A place in the archive, and all that is needed to unpack from there.
#[derive(Clone)]
struct Decoder {
    raw_at: u64,
    text_at: u64,
    phase: Phase,
}

#[derive(Clone)]
enum Phase {
    /// Before the header of a member: the first or a further one.
    Header,
    Body(Box<Body>),
    End,
}

/// Inside a member. All that was unpacked before damage shows is handed out.
#[derive(Clone)]
struct Body {
    state: DecompressorOxide,
    /// The last text that was unpacked, written round and round: what follows may refer to it.
    window: [u8; WINDOW],
    /// What of it is not handed out yet.
    from: usize,
    to: usize,
    status: TINFLStatus,
}

/// How far back deflate refers (RFC 1951).
const WINDOW: usize = 1 << 15;

impl Body {
    fn new() -> Box<Body> {
        let status = TINFLStatus::NeedsMoreInput;
        Box::new(Body { state: DecompressorOxide::new(), window: [0; WINDOW], from: 0, to: 0, status })
    }

    /// Unpacks until the window or the input is used up, and answers how much input was used.
    fn unpack(&mut self, input: &[u8]) -> usize {
        if self.to == WINDOW {
            (self.from, self.to) = (0, 0);
        }
        let (status, used, written) =
            decompress(&mut self.state, input, &mut self.window, self.to, TINFL_FLAG_HAS_MORE_INPUT);
        self.to += written;
        self.status = status;
        used
    }

    /// Hands out what is unpacked: as much as there is room for.
    fn hand_out(&mut self, out: &mut [u8]) -> usize {
        let n = out.len().min(self.to - self.from);
        out[..n].copy_from_slice(&self.window[self.from..self.from + n]);
        self.from += n;
        n
    }
}

/// A decoder and the input that it has not used yet.
struct Cursor {
    decoder: Decoder,
    input: Input,
}

/// Bytes of the archive.
#[derive(Default)]
struct Input {
    bytes: Vec<u8>,
    used: usize,
}

impl Input {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.used..]
    }

    /// Reads on from here.
    fn fill(&mut self, raw: &dyn ReadAt, at: u64) -> io::Result<()> {
        self.used = 0;
        self.bytes.resize(INPUT, 0);
        let length = read_full(raw, &mut self.bytes, at)?;
        self.bytes.truncate(length);
        Ok(())
    }
}

impl GzAt {
    /// Over the bytes of an archive.
    pub fn new(raw: Arc<dyn ReadAt>) -> GzAt {
        let start = Decoder { raw_at: 0, text_at: 0, phase: Phase::Header };
        let inner = Inner { points: vec![start], step: STEP, cursors: Vec::new(), furthest: (0, 0), torn: false };
        GzAt { raw, inner: Mutex::new(inner) }
    }
}

impl Inner {
    /// A cursor at or before a place in the text: one that is there, else one from the nearest access point.
    fn cursor(&mut self, at: u64) -> Cursor {
        let near = self.cursors.iter().enumerate().filter(|(_, c)| c.decoder.text_at <= at);
        let near = near.max_by_key(|(_, c)| c.decoder.text_at).map(|(i, c)| (i, c.decoder.text_at));
        let point = self.points.partition_point(|p| p.text_at <= at).saturating_sub(1);
        match near {
            Some((i, text_at)) if text_at >= self.points[point].text_at => self.cursors.remove(i),
            _ => Cursor { decoder: self.points[point].clone(), input: Input::default() },
        }
    }

    fn put_back(&mut self, cursor: Cursor) {
        let d = &cursor.decoder;
        self.furthest = self.furthest.max((d.raw_at, d.text_at));
        if self.cursors.len() == MOST_CURSORS {
            self.cursors.remove(0);
        }
        self.cursors.push(cursor);
    }

    /// Remembers where a decoder stands, if nobody was near yet.
    fn note(&mut self, decoder: &Decoder) {
        let last = self.points.last().map_or(0, |p| p.text_at);
        if decoder.text_at < last + self.step || !matches!(decoder.phase, Phase::Body(_)) {
            return;
        }
        self.points.push(decoder.clone());
        if self.points.len() > MOST_POINTS {
            let mut i = 0;
            self.points.retain(|_| {
                i += 1;
                i % 2 == 1
            });
            self.step *= 2;
        }
    }
}

impl Cursor {
    /// Unpacks some bytes; 0 at the end. Damage ends the text and is reported as `true`.
    fn read(&mut self, raw: &dyn ReadAt, out: &mut [u8]) -> io::Result<(usize, bool)> {
        let Cursor { decoder, input } = self;
        loop {
            let used = match &mut decoder.phase {
                Phase::End => return Ok((0, false)),
                Phase::Header => {
                    if input.rest().len() < INPUT {
                        input.fill(raw, decoder.raw_at)?;
                    }
                    let Some(length) = header(input.rest()) else {
                        // Behind the last member: padding is no damage.
                        let torn = decoder.raw_at == 0 || input.rest().iter().any(|b| *b != 0);
                        decoder.phase = Phase::End;
                        return Ok((0, torn));
                    };
                    decoder.phase = Phase::Body(Body::new());
                    length
                }
                Phase::Body(body) => {
                    let n = body.hand_out(out);
                    if n > 0 {
                        decoder.text_at += n as u64;
                        return Ok((n, false));
                    }
                    if input.rest().len() < TRAILER {
                        input.fill(raw, decoder.raw_at)?;
                    }
                    let ends = input.rest().is_empty();
                    match body.status {
                        // Checksum and length follow.
                        TINFLStatus::Done => {
                            decoder.phase = Phase::Header;
                            input.rest().len().min(TRAILER)
                        }
                        TINFLStatus::HasMoreOutput => body.unpack(input.rest()),
                        TINFLStatus::NeedsMoreInput if !ends => body.unpack(input.rest()),
                        _ => {
                            decoder.phase = Phase::End;
                            return Ok((0, true));
                        }
                    }
                }
            };
            input.used += used;
            decoder.raw_at += used as u64;
        }
    }
}

/// The length of a member's header (RFC 1952).
fn header(bytes: &[u8]) -> Option<usize> {
    let [a, b, 8, flags, ..] = bytes else { return None };
    if [*a, *b] != GZIP || bytes.len() < 10 {
        return None;
    }
    let mut at = 10;
    if flags & 4 != 0 {
        let length = bytes.get(at..at + 2)?;
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += memchr::memchr(0, bytes.get(at..)?)? + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    (at <= bytes.len()).then_some(at)
}

impl ReadAt for GzAt {
    fn read_at(&self, buf: &mut [u8], at: u64) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let mut cursor = inner.cursor(at);
        let mut skipped = Vec::new();
        loop {
            inner.note(&cursor.decoder);
            let ahead = at - cursor.decoder.text_at;
            let target = if ahead == 0 {
                &mut *buf
            } else {
                skipped.resize(ahead.min(INPUT as u64) as usize, 0);
                &mut skipped
            };
            let (n, torn) = cursor.read(&*self.raw, target)?;
            inner.torn |= torn;
            if n == 0 || ahead == 0 {
                inner.put_back(cursor);
                return Ok(n);
            }
        }
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.inner.lock().unwrap_or_else(PoisonError::into_inner).furthest.1)
    }

    fn file_len(&self) -> io::Result<u64> {
        self.raw.file_len()
    }

    fn is_deleted(&self) -> bool {
        self.raw.is_deleted()
    }

    fn done(&self, at: u64) -> f32 {
        let (raw, text) = self.inner.lock().unwrap_or_else(PoisonError::into_inner).furthest;
        // The archive is packed about equally well all along.
        let place = if text > 0 { (at as f64 / text as f64).min(1.0) * raw as f64 } else { 0.0 };
        self.raw.done(place as u64)
    }

    fn notice(&self) -> Option<&'static str> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).torn.then_some(TORN)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::core::log::read_at::{BytesAt, of_bytes};

    fn pack(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn numbers(n: u32) -> Vec<u8> {
        (0..n).flat_map(|i| format!("{} {i}\n", i.wrapping_mul(2_654_435_761)).into_bytes()).collect()
    }

    fn read(read: &dyn ReadAt, at: usize, n: usize) -> Vec<u8> {
        let mut buf = vec![0; n];
        let n = read_full(read, &mut buf, at as u64).unwrap();
        buf.truncate(n);
        buf
    }

    #[test]
    fn any_place_can_be_read_in_any_order() {
        let text = numbers(100_000);
        let gz = of_bytes(pack(&text)).unwrap();
        for at in [0, 1_500_000, 7, 70_000, 65_536, 1_000_000, 1_000_100, text.len() - 5] {
            assert_eq!(read(&*gz, at, 300), &text[at..(at + 300).min(text.len())], "{at}");
        }
        assert!(read(&*gz, text.len(), 10).is_empty() && read(&*gz, text.len() + 99, 10).is_empty());
        assert_eq!((gz.len().unwrap(), gz.notice()), (text.len() as u64, None));
    }

    #[test]
    fn access_points_keep_their_budget() {
        let text = numbers(60_000);
        let gz = GzAt::new(Arc::new(BytesAt(pack(&text).into())));
        gz.inner.lock().unwrap().step = 4096;
        for at in (0..text.len()).step_by(2000) {
            read(&gz, at, 10);
        }
        let inner = gz.inner.lock().unwrap();
        assert!(inner.points.len() <= MOST_POINTS && inner.step > 4096 && inner.cursors.len() <= MOST_CURSORS);
        drop(inner);
        for at in (0..text.len()).rev().step_by(77_777) {
            assert_eq!(read(&gz, at, 100), &text[at..(at + 100).min(text.len())]);
        }
    }

    #[test]
    fn several_members_are_one_text_and_padding_is_no_damage() {
        let mut raw = pack(b"one\n");
        raw.extend(pack(b""));
        raw.extend(pack(b"two\n"));
        raw.extend([0; 512]);
        let gz = of_bytes(raw.clone()).unwrap();
        assert_eq!((read(&*gz, 0, 99), gz.notice()), (b"one\ntwo\n".to_vec(), None));
        raw.extend(b"junk");
        let gz = of_bytes(raw).unwrap();
        assert_eq!((read(&*gz, 0, 99), gz.notice()), (b"one\ntwo\n".to_vec(), Some(TORN)));
    }

    #[test]
    fn headers_with_all_their_parts() {
        let packed = pack(b"text");
        let mut raw = vec![0x1F, 0x8B, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3];
        raw.extend([3, 0, b'e', b'x', b't']);
        raw.extend(b"name\0comment\0\xAB\xCD");
        raw.extend(&packed[10..]);
        assert_eq!(read(&*of_bytes(raw).unwrap(), 0, 99), b"text");
    }

    #[test]
    fn a_torn_archive_is_read_as_far_as_it_unpacks_wherever_it_is_torn() {
        let text = numbers(3000);
        let packed = pack(&text);
        for cut in (2..packed.len() - 9).step_by(packed.len() / 40) {
            let gz = of_bytes(packed[..cut].to_vec()).unwrap();
            let found = read(&*gz, 0, text.len());
            assert!(text.starts_with(&found) && found.len() < text.len() && gz.notice() == Some(TORN), "{cut}");
            assert_eq!(read(&*gz, found.len() / 2, text.len()), &found[found.len() / 2..]);
        }
    }

    /// Found by fuzzing: a reader that came by another way lost what was unpacked just before the damage.
    #[test]
    fn a_damaged_archive_ends_at_the_same_byte_whichever_way_it_is_read() {
        let text = numbers(3000);
        let packed = pack(&text);
        for bad in (20..packed.len() - 9).step_by(packed.len() / 25) {
            let mut raw = packed.clone();
            raw[bad..bad + 4].fill(0xFF);
            let whole = read(&*of_bytes(raw.clone()).unwrap(), 0, 2 * text.len());
            for at in [1, 1000, whole.len().saturating_sub(700), whole.len().saturating_sub(1)] {
                for n in [1, 300, 1 << 16] {
                    let found = read(&*of_bytes(raw.clone()).unwrap(), at, n);
                    assert_eq!(found, &whole[at.min(whole.len())..(at + n).min(whole.len())], "{bad} {at} {n}");
                }
            }
        }
    }

    #[test]
    fn noise_behind_the_magic_is_no_panic() {
        for seed in 0..200u32 {
            let mut raw = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
            raw.extend((0..300u32).map(|i| (i.wrapping_mul(seed).wrapping_mul(2_654_435_761) >> 24) as u8));
            let gz = of_bytes(raw).unwrap();
            read(&*gz, 0, 1 << 16);
        }
    }
}

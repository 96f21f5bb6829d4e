//! A log in UTF-16 as the UTF-8 that it means, readable anywhere: where each 64 KiB of it begin in the text is remembered.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::read_at::{ReadAt, read_full};
use super::utf16::{Order, Utf16};

const CHUNK: usize = 1 << 16;
/// Bytes of the byte order mark.
const MARK: u64 = 2;

/// The text of a log in UTF-16.
pub struct Utf16At {
    raw: Arc<dyn ReadAt>,
    inner: Mutex<Inner>,
}

struct Inner {
    /// Where each chunk begins in the text, and the decoder's state there; one more than chunks were decoded.
    starts: Vec<(u64, Utf16)>,
    /// The last chunk was decoded: the text ends where the next would start.
    complete: bool,
    /// The chunk decoded last.
    chunk: usize,
    text: Vec<u8>,
}

impl Utf16At {
    /// Over bytes that begin with a byte order mark.
    pub fn new(raw: Arc<dyn ReadAt>, order: Order) -> Utf16At {
        let inner =
            Inner { starts: vec![(0, Utf16::new(order))], complete: false, chunk: usize::MAX, text: Vec::new() };
        Utf16At { raw, inner: Mutex::new(inner) }
    }
}

impl Inner {
    /// Decodes a chunk whose start is known.
    fn load(&mut self, raw: &dyn ReadAt, chunk: usize) -> io::Result<()> {
        if self.chunk == chunk {
            return Ok(());
        }
        let (start, mut decoder) = self.starts[chunk];
        let mut bytes = vec![0; CHUNK];
        let length = read_full(raw, &mut bytes, MARK + (chunk * CHUNK) as u64)?;
        self.chunk = usize::MAX;
        self.text.clear();
        decoder.push(&bytes[..length], &mut self.text);
        if length < CHUNK {
            decoder.finish(&mut self.text);
        }
        self.chunk = chunk;
        if self.starts.len() == chunk + 1 {
            self.starts.push((start + self.text.len() as u64, decoder));
            self.complete |= length < CHUNK;
        }
        Ok(())
    }
}

impl ReadAt for Utf16At {
    fn read_at(&self, buf: &mut [u8], at: u64) -> io::Result<usize> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let known = inner.starts.len() - 1;
            if at < inner.starts[known].0 {
                let chunk = inner.starts.partition_point(|(start, _)| *start <= at) - 1;
                inner.load(&*self.raw, chunk)?;
                let from = (at - inner.starts[chunk].0) as usize;
                let text = inner.text.get(from..).unwrap_or_default();
                let n = text.len().min(buf.len());
                buf[..n].copy_from_slice(&text[..n]);
                return Ok(n);
            }
            if inner.complete {
                return Ok(0);
            }
            inner.load(&*self.raw, known)?;
        }
    }

    fn len(&self) -> io::Result<u64> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(inner.starts.last().map_or(0, |(start, _)| *start))
    }

    fn file_len(&self) -> io::Result<u64> {
        self.raw.file_len()
    }

    fn is_deleted(&self) -> bool {
        self.raw.is_deleted()
    }

    fn done(&self, at: u64) -> f32 {
        let chunk = {
            let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            inner.starts.partition_point(|(start, _)| *start <= at).saturating_sub(1)
        };
        self.raw.done((chunk * CHUNK) as u64)
    }

    fn notice(&self) -> Option<&'static str> {
        self.raw.notice()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::log::read_at::of_bytes;

    #[test]
    fn any_place_of_the_text_can_be_read_in_any_order() {
        let text: String = (0..60_000).map(|i| format!("{i} Æ€😀\n")).collect();
        let mut raw = vec![0xFF, 0xFE];
        raw.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        let read = of_bytes(raw).unwrap();
        let mut buf = [0; 100];
        for at in [0, text.len() - 60, 5, 400_001, 65_535, 65_536, 65_537, 131_071, 3, text.len() - 1] {
            let n = read_full(&*read, &mut buf, at as u64).unwrap();
            assert_eq!(&buf[..n], &text.as_bytes()[at..(at + 100).min(text.len())], "{at}");
        }
        assert_eq!(read_full(&*read, &mut buf, text.len() as u64).unwrap(), 0);
        assert_eq!(read.len().unwrap(), text.len() as u64);
    }

    #[test]
    fn an_empty_text_and_half_a_character() {
        let read = of_bytes(vec![0xFE, 0xFF]).unwrap();
        assert_eq!(read.read_at(&mut [0; 9], 0).unwrap(), 0);
        let read = of_bytes(vec![0xFE, 0xFF, 0, 0x41, 0]).unwrap();
        let mut buf = [0; 9];
        let n = read_full(&*read, &mut buf, 0).unwrap();
        assert_eq!(&buf[..n], "A\u{FFFD}".as_bytes());
    }
}

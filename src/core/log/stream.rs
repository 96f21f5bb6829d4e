//! The text of a log that comes through a pipe: unpacked and decoded as it is read, never kept.
//!
//! For files there is random access, see `read_at`.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::line::Line;
use super::pass::Pass;
use super::read_at::{ReadAt, read_full};
use super::report::Summary;
use super::split::{RawLine, Splitter, Take};
use super::utf16::{Order, Utf16};
use super::{OpenError, Options};

/// The magic of gzip.
pub const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Told to a user whose archive is torn.
pub const TORN: &str = "the .gz is torn or damaged: read as far as it unpacks";

const CHUNK: usize = 1 << 18;

/// Hands out the text of a stream chunk by chunk, gzip and UTF-16 recognised by content. Returns a notice when an archive is
/// torn. `each` says whether to go on.
pub fn text(raw: impl Read, each: &mut dyn FnMut(&[u8]) -> io::Result<bool>) -> io::Result<Option<&'static str>> {
    let mut raw = BufReader::with_capacity(CHUNK, raw);
    if starts_with(&mut raw, &GZIP)? {
        let mut inner = BufReader::with_capacity(CHUNK, Lenient { inner: MultiGzDecoder::new(raw), torn: false });
        decode(&mut inner, each)?;
        return Ok(inner.get_ref().torn.then_some(TORN));
    }
    decode(&mut raw, each)?;
    Ok(None)
}

/// Reads a whole log from a stream; `each` sees every line.
pub fn read(
    raw: impl Read,
    options: Options,
    each: &mut dyn FnMut(&Line<'_>) -> io::Result<()>,
) -> Result<Summary, OpenError> {
    let mut pass = Pass::new(options);
    let mut splitter = Splitter::new(0, 0);
    let mut failed = None;
    let mut line = |raw: RawLine<'_>| {
        pass.line(raw, &mut |line| {
            if failed.is_none() {
                failed = each(line).err();
            }
        });
    };
    let notice = text(raw, &mut |bytes| {
        splitter.push(bytes, &mut line);
        Ok(true)
    })?;
    splitter.finish(&mut line);
    if let Some(error) = failed {
        return Err(error.into());
    }
    let mut summary = pass.summary(splitter.at());
    summary.notices.extend(notice.map(str::to_owned));
    Ok(summary)
}

/// Reads a whole log from something that can be read anywhere, as [`read`] does from a stream, but quicker: `odd` does not see
/// plain lines (those with one good sentence from end to end, and nothing else but a stamp of format 1 in front). `go_on`
/// hears how far it came.
/// (Of a damaged archive this gives exactly what a replay of it gives.)
///
/// # Errors
/// What the system says, and `odd`.
pub fn read_file(
    read: &dyn ReadAt,
    options: Options,
    odd: &mut dyn FnMut(&Line<'_>) -> io::Result<()>,
    go_on: &mut dyn FnMut(f32),
) -> Result<Summary, OpenError> {
    let mut splitter = Splitter::new(0, 0);
    let mut take = Counting { pass: Pass::new(options), odd, failed: Ok(()) };
    let mut buffer = vec![0; CHUNK];
    loop {
        let length = read_full(read, &mut buffer, splitter.at())?;
        splitter.push_to(&buffer[..length], &mut take);
        go_on(read.done(splitter.at()));
        if length < buffer.len() {
            break;
        }
    }
    splitter.finish_to(&mut take);
    take.failed?;
    let mut summary = take.pass.summary(splitter.at());
    summary.notices.extend(read.notice().map(str::to_owned));
    Ok(summary)
}

/// Lines past somebody who does not want to see the plain ones.
struct Counting<'a> {
    pass: Pass,
    odd: &'a mut dyn FnMut(&Line<'_>) -> io::Result<()>,
    failed: io::Result<()>,
}

impl Take for Counting<'_> {
    #[inline]
    fn at_once(&mut self, number: u64, _at: u64, rest: &[u8]) -> usize {
        self.pass.plain(number, rest, |_, _| {})
    }

    fn line(&mut self, raw: RawLine<'_>) {
        self.pass.line(raw, &mut |line| {
            if self.failed.is_ok() {
                self.failed = (self.odd)(line);
            }
        });
    }
}

fn starts_with(raw: &mut impl BufRead, magic: &[u8]) -> io::Result<bool> {
    // A pipe may hand over a single byte first; then it is no archive that a tool wrote.
    Ok(raw.fill_buf()?.starts_with(magic))
}

fn decode(text: &mut impl BufRead, each: &mut dyn FnMut(&[u8]) -> io::Result<bool>) -> io::Result<()> {
    let mut decoder = Order::of(text.fill_buf()?).map(Utf16::new);
    if decoder.is_some() {
        text.consume(2);
    }
    let mut decoded = Vec::new();
    loop {
        let bytes = text.fill_buf()?;
        let length = bytes.len();
        let go_on = match &mut decoder {
            None if length == 0 => false,
            None => each(bytes)?,
            Some(decoder) => {
                decoded.clear();
                if length == 0 {
                    decoder.finish(&mut decoded);
                } else {
                    decoder.push(bytes, &mut decoded);
                }
                each(&decoded)? && length > 0
            }
        };
        text.consume(length);
        if !go_on {
            return Ok(());
        }
    }
}

/// Ends where an archive is damaged instead of failing.
struct Lenient<R> {
    inner: R,
    torn: bool,
}

impl<R: Read> Read for Lenient<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        match self.inner.read(buf) {
            Err(error) if matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof) => {
                self.torn = true;
                Ok(0)
            }
            other => other,
        }
    }
}

//! Bytes that can be read anywhere, from several threads: the text of a log, unpacked and decoded.
//!
//! Files are read, never mapped: a log that shrinks must not end the program. Nothing is ever written.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;

use super::OpenError;
use super::gz::GzAt;
use super::stream::GZIP;
use super::utf16::Order;
use super::utf16_at::Utf16At;

/// The text of a log.
pub trait ReadAt: Send + Sync {
    /// Reads some bytes at a place; 0 at the end and beyond.
    ///
    /// # Errors
    /// What the system says.
    fn read_at(&self, buf: &mut [u8], at: u64) -> io::Result<usize>;

    /// Bytes of text, as far as is known: of a packed log only what was unpacked so far.
    ///
    /// # Errors
    /// What the system says.
    fn len(&self) -> io::Result<u64>;

    /// Bytes of the file itself, packed or not: what changes when somebody else writes to it.
    ///
    /// # Errors
    /// What the system says.
    fn file_len(&self) -> io::Result<u64> {
        self.len()
    }

    /// Whether the file has no name any more: it can be read until it is closed, and not opened again.
    fn is_deleted(&self) -> bool {
        false
    }

    /// Whether nothing is in it.
    ///
    /// # Errors
    /// What the system says.
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }

    /// How far a reader at this place has come, 0 to 1.
    fn done(&self, at: u64) -> f32 {
        match self.len() {
            Ok(len) if len > 0 => (at as f64 / len as f64).min(1.0) as f32,
            _ => 1.0,
        }
    }

    /// What a user must be told of it.
    fn notice(&self) -> Option<&'static str> {
        None
    }
}

/// Opens a log by its path; gzip and UTF-16 are recognised by content.
///
/// # Errors
/// A directory, a missing file, a file without permission each have an error of their own.
pub fn open_path(path: &Path) -> Result<Arc<dyn ReadAt>, OpenError> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(OpenError::Directory);
    }
    Ok(recognise(Arc::new(FileAt(file)))?)
}

/// A log in memory; gzip and UTF-16 are recognised by content.
///
/// # Errors
/// A packed log that cannot be read.
pub fn of_bytes(bytes: impl Into<Bytes>) -> io::Result<Arc<dyn ReadAt>> {
    recognise(Arc::new(BytesAt(bytes.into())))
}

/// Unpacks and decodes what needs it.
///
/// # Errors
/// What the system says.
pub fn recognise(raw: Arc<dyn ReadAt>) -> io::Result<Arc<dyn ReadAt>> {
    let mut start = [0; 2];
    let mut read = raw;
    if read_full(&*read, &mut start, 0)? == 2 && start == GZIP {
        read = Arc::new(GzAt::new(read));
    }
    let length = read_full(&*read, &mut start, 0)?;
    Ok(match Order::of(&start[..length]) {
        Some(order) => Arc::new(Utf16At::new(read, order)),
        None => read,
    })
}

/// Reads until the buffer is full or the end is reached.
///
/// # Errors
/// What the system says.
pub fn read_full(read: &dyn ReadAt, buf: &mut [u8], at: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buf.len() {
        match read.read_at(&mut buf[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// A file.
#[derive(Debug)]
pub struct FileAt(pub File);

impl ReadAt for FileAt {
    #[cfg(unix)]
    fn read_at(&self, buf: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.0, buf, at)
    }

    #[cfg(windows)]
    fn read_at(&self, buf: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.0, buf, at)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    #[cfg(unix)]
    fn is_deleted(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        self.0.metadata().is_ok_and(|about| about.nlink() == 0)
    }
}

/// Bytes in memory.
#[derive(Clone, Debug)]
pub struct BytesAt(pub Bytes);

impl ReadAt for BytesAt {
    fn read_at(&self, buf: &mut [u8], at: u64) -> io::Result<usize> {
        let from = usize::try_from(at).unwrap_or(usize::MAX).min(self.0.len());
        let n = buf.len().min(self.0.len() - from);
        buf[..n].copy_from_slice(&self.0[from..from + n]);
        Ok(n)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }
}

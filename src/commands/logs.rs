//! What the commands that read logs share: opening with a message for everything that can be wrong, and a progress bar.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use nmeasimx::core::log::OpenError;
use nmeasimx::core::visible;

/// Opens a file to be read from start to end, and its length where it has one.
///
/// # Errors
/// A directory, a missing file, a file without permission: each its own.
pub fn open_file(path: &Path) -> Result<(File, u64), OpenError> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(OpenError::Directory);
    }
    Ok((file, if about.is_file() { about.len() } else { 0 }))
}

/// A file's name as text that can be shown.
pub fn shown(path: &Path) -> String {
    visible::text(path.as_os_str().as_encoded_bytes())
}

/// Seconds of an option: 0 to a week.
///
/// # Errors
/// What would be right.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=604_800.0).contains(&seconds) => Ok(seconds),
        _ => Err("give seconds, 0 to 604800".to_owned()),
    }
}

/// A bar on standard error while a large file is read, if that is a terminal.
pub struct Bar<'a> {
    what: &'static str,
    err: Option<&'a mut dyn Write>,
    percent: u8,
}

/// Smaller jobs are done before a bar can be read.
const WORTH_IT: u64 = 32 << 20;

impl<'a> Bar<'a> {
    /// For a job over so many bytes.
    pub fn new(what: &'static str, bytes: u64, err: &'a mut dyn Write) -> Bar<'a> {
        let wanted = bytes >= WORTH_IT && io::stderr().is_terminal();
        Bar { what, err: wanted.then_some(err), percent: u8::MAX }
    }

    /// So much is done, 0 to 1.
    pub fn show(&mut self, done: f32) {
        let percent = (done * 100.0) as u8;
        let Some(err) = &mut self.err else { return };
        if percent != self.percent {
            self.percent = percent;
            let full = usize::from(percent) / 5;
            let _nobody =
                write!(err, "\r{} [{}{}] {percent:3} %", self.what, "#".repeat(full), ".".repeat(20 - full.min(20)));
            let _nobody = err.flush();
        }
    }
}

impl Drop for Bar<'_> {
    fn drop(&mut self) {
        if self.percent != u8::MAX
            && let Some(err) = &mut self.err
        {
            let _nobody = write!(err, "\r\x1b[K");
            let _nobody = err.flush();
        }
    }
}

/// Counts what is read.
pub struct Progress<'a, R> {
    inner: R,
    read: u64,
    length: u64,
    bar: Bar<'a>,
}

impl<'a, R: Read> Progress<'a, R> {
    /// Of a file of this length.
    pub fn new(inner: R, length: u64, what: &'static str, err: &'a mut dyn Write) -> Progress<'a, R> {
        Progress { inner, read: 0, length, bar: Bar::new(what, length, err) }
    }
}

impl<R: Read> Read for Progress<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.read += n as u64;
        if self.length > 0 {
            self.bar.show((self.read as f32 / self.length as f32).min(1.0));
        }
        Ok(n)
    }
}

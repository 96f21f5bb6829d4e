//! Questions to the file system, and its answers in words.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::core::log::writer::MAGIC;

/// Locks the file against a second writer. File systems without locks are no reason not to record; a device (`/dev/null`)
/// takes any number of writers.
pub fn claim(file: File, path: PathBuf) -> Result<(File, PathBuf), String> {
    if file.metadata().is_ok_and(|about| !about.is_file()) {
        return Ok((file, path));
    }
    match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => {
            let shown = crate::core::visible::text(path.as_os_str().as_encoded_bytes());
            Err(format!("{shown} is being written already: choose another file"))
        }
        _ => Ok((file, path)),
    }
}

/// Both names lead to one file.
pub fn is_one(a: &Path, b: &Path) -> bool {
    let (a, b) = (std::fs::metadata(a), std::fs::metadata(b));
    matches!((a, b), (Ok(a), Ok(b)) if (a.dev(), a.ino()) == (b.dev(), b.ino()))
}

/// Empty, or begins as this program's logs do.
pub fn is_log(file: &mut File) -> bool {
    let mut head = vec![0; MAGIC.len() + 3];
    let mut have = 0;
    if file.seek(SeekFrom::Start(0)).is_err() {
        return true; // a device or pipe cannot be asked
    }
    while let Ok(n @ 1..) = file.read(&mut head[have..]) {
        have += n;
    }
    let head = head[..have].strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head[..have]);
    have == 0 || head.starts_with(MAGIC.as_bytes())
}

/// What went wrong with a file, and what to do.
pub fn explain(path: &Path, error: &io::Error) -> String {
    let shown = crate::core::visible::text(path.as_os_str().as_encoded_bytes());
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => format!("{shown}: the disk is full: make room"),
        io::ErrorKind::FileTooLarge => format!("{shown}: the file may not grow any more: rotate, or raise the limit"),
        io::ErrorKind::NotFound => format!("{shown}: its folder does not exist: create it, or choose another place"),
        io::ErrorKind::PermissionDenied => format!("{shown}: not permitted: choose another place"),
        io::ErrorKind::ReadOnlyFilesystem => format!("{shown}: the medium is read-only: choose another place"),
        _ => format!("{shown}: {error}"),
    }
}

//! Where a session is controlled: socket files and loopback ports.

use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tokio::net::{UnixListener, UnixStream};

/// The address of a control socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A socket file.
    Unix(PathBuf),
    /// A port on this machine.
    Tcp(SocketAddr),
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Address::Unix(path) => {
                write!(f, "unix:{}", crate::core::visible::text(path.as_os_str().as_encoded_bytes()))
            }
            Address::Tcp(address) => write!(f, "tcp:{address}"),
        }
    }
}

impl Address {
    /// Reads `unix:PATH` or `tcp:127.0.0.1:PORT`.
    ///
    /// # Errors
    /// One line with the forms; any address but loopback is refused, for there is no password.
    pub fn parse(text: &str) -> Result<Address, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            return if path.is_empty() { Err("unix: needs a path".into()) } else { Ok(Address::Unix(path.into())) };
        }
        if let Some(address) = text.strip_prefix("tcp:") {
            let address: SocketAddr = address.parse().map_err(|_| format!("tcp:{address}: use tcp:127.0.0.1:PORT"))?;
            return if address.ip().is_loopback() {
                Ok(Address::Tcp(address))
            } else {
                Err(format!("tcp:{address}: control has no password, so it listens on 127.0.0.1 only"))
            };
        }
        Err(format!("`{text}` is no control address: use unix:PATH or tcp:127.0.0.1:PORT"))
    }

    /// A fresh socket file in the user's runtime folder, for a bare `--control`.
    ///
    /// # Errors
    /// There is no runtime folder (`XDG_RUNTIME_DIR`): then a path must be given.
    pub fn fresh() -> Result<Address, String> {
        let folder = folder()?;
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        made.map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Address::Unix(folder.join(format!("{}.sock", std::process::id()))))
    }

    /// The one session that runs, for `attach` and `ctl` without an address.
    ///
    /// # Errors
    /// None runs, or several do: their addresses are in the message.
    pub async fn only() -> Result<Address, String> {
        let mut live = sessions().await?;
        match (live.pop(), live.is_empty()) {
            (Some(only), true) => Ok(only),
            (None, _) => Err("no session to attach to: start one with --headless --control".into()),
            (Some(last), false) => {
                live.push(last);
                let all: Vec<String> = live.iter().map(Address::to_string).collect();
                Err(format!("{} sessions run; name one: {}", all.len(), all.join(" ")))
            }
        }
    }
}

fn folder() -> Result<PathBuf, String> {
    match std::env::var_os("XDG_RUNTIME_DIR") {
        Some(folder) if !folder.is_empty() => Ok(Path::new(&folder).join("nmeasimx")),
        _ => Err("XDG_RUNTIME_DIR is not set: give the socket as unix:PATH".into()),
    }
}

/// The sessions in the user's runtime folder that answer.
///
/// # Errors
/// There is no runtime folder.
pub async fn sessions() -> Result<Vec<Address>, String> {
    let mut live = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder()?) else { return Ok(live) };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "sock"));
    paths.sort();
    for path in paths.into_iter().take(64) {
        if UnixStream::connect(&path).await.is_ok() {
            live.push(Address::Unix(path));
        }
    }
    Ok(live)
}

/// Removes the socket file when the session ends.
pub struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        // Nothing can be done about a file that is gone already.
        let _gone = std::fs::remove_file(&self.0);
    }
}

/// Listens at a socket file that only its user may open. A file left behind by a session that died is replaced.
pub(super) async fn bind_unix(path: &Path) -> io::Result<(UnixListener, SocketFile)> {
    use std::os::unix::fs::FileTypeExt;
    if let Ok(found) = std::fs::symlink_metadata(path) {
        if !found.file_type().is_socket() {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, "a file of that name exists and is no socket"));
        }
        if UnixStream::connect(path).await.is_ok() {
            return Err(io::Error::new(io::ErrorKind::AddrInUse, "another session answers there"));
        }
        std::fs::remove_file(path)?;
    }
    // The mask makes the file private from its first moment; the mode says it again where a mask does not reach.
    let before = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o177));
    let bound = UnixListener::bind(path);
    rustix::process::umask(before);
    let listener = bound?;
    let file = SocketFile(path.to_owned());
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok((listener, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_may_control() {
        assert_eq!(Address::parse("unix:/run/a.sock"), Ok(Address::Unix("/run/a.sock".into())));
        assert!(matches!(Address::parse("tcp:127.0.0.1:7000"), Ok(Address::Tcp(_))));
        assert!(matches!(Address::parse("tcp:[::1]:7000"), Ok(Address::Tcp(_))));
        for refused in ["tcp:0.0.0.0:7000", "tcp:192.0.2.7:7000", "tcp:localhost", "unix:", "/run/a.sock", ""] {
            assert!(Address::parse(refused).is_err(), "{refused}");
        }
    }
}

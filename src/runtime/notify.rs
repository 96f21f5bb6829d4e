//! Tells a service manager how the program is (the protocol of `sd_notify(3)`): ready, reloading, stopping.
//!
//! Without `NOTIFY_SOCKET` in the environment nothing happens, and nothing that goes wrong here stops anything.

use std::ffi::OsStr;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// What there is to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Up: outputs were opened or are tried again.
    Ready,
    /// Reads its profile again; ends with [`State::Ready`]. Microseconds of the monotonic clock, as the protocol asks.
    Reloading(u64),
    /// On its way out.
    Stopping,
}

/// Tells the service manager named by `NOTIFY_SOCKET`, if any.
pub fn notify(state: State, status: &str) {
    if let Some(name) = std::env::var_os("NOTIFY_SOCKET")
        && let Err(error) = send(&name, &message(state, status))
    {
        tracing::warn!("service manager: {error}");
    }
}

fn message(state: State, status: &str) -> String {
    // One line: a status with a line break in it would be read as another assignment.
    let status = crate::core::visible::text(status.as_bytes());
    match state {
        State::Ready => format!("READY=1\nSTATUS={status}\n"),
        State::Reloading(at) => format!("RELOADING=1\nMONOTONIC_USEC={at}\nSTATUS={status}\n"),
        State::Stopping => format!("STOPPING=1\nSTATUS={status}\n"),
    }
}

fn send(name: &OsStr, message: &str) -> std::io::Result<()> {
    let address = match name.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
        _ => SocketAddr::from_pathname(name)?,
    };
    let socket = UnixDatagram::unbound()?;
    socket.set_nonblocking(true)?;
    socket.send_to_addr(message.as_bytes(), &address).map(|_sent| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_manager_hears_it_by_path_and_by_abstract_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let abstract_name = format!("nmeasimx-test-{}", std::process::id());
        let named = SocketAddr::from_abstract_name(&abstract_name).unwrap();
        for (manager, name) in [
            (UnixDatagram::bind(&path).unwrap(), path.clone().into_os_string()),
            (UnixDatagram::bind_addr(&named).unwrap(), format!("@{abstract_name}").into()),
        ] {
            send(&name, &message(State::Ready, "harbour\nMAINPID=1")).unwrap();
            let mut heard = [0; 200];
            let n = manager.recv(&mut heard).unwrap();
            assert_eq!(&heard[..n], b"READY=1\nSTATUS=harbour^JMAINPID=1\n");
        }
    }

    #[test]
    fn a_manager_that_is_gone_is_an_error_and_no_more() {
        assert!(send(OsStr::new("/nowhere/notify"), "READY=1\n").is_err());
    }
}

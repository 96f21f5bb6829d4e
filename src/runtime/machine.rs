//! What this machine has: serial ports and network interfaces.

use std::io;
use std::net::IpAddr;
use std::path::Path;

/// A serial port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// A path that stays the same, where there is one (`/dev/serial/by-id/…`).
    pub path: String,
    /// The device it leads to.
    pub target: Option<String>,
}

/// An address of a network interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// `eth0`.
    pub name: String,
    /// Its address.
    pub address: IpAddr,
    /// Bits of the network.
    pub prefix: u8,
    /// Where everybody on the network hears.
    pub broadcast: Option<IpAddr>,
    /// Can be used now.
    pub up: bool,
}

/// Serial ports: stable names first, then devices without one. Never fails: what is not found can still be typed.
pub fn ports() -> Vec<Port> {
    let mut ports = Vec::new();
    let by_id = Path::new("/dev/serial/by-id");
    for path in list(by_id) {
        let target = std::fs::canonicalize(&path).ok().map(|t| t.to_string_lossy().into_owned());
        ports.push(Port { path, target });
    }
    let begins = ["ttyUSB", "ttyACM", "ttyAMA", "ttyS", "serial", "rfcomm", "tty.usb", "cu.usb"];
    for path in list(Path::new("/dev")) {
        let name = path.rsplit('/').next().unwrap_or_default();
        let known = ports.iter().any(|p| p.target.as_deref() == Some(&path));
        if !known && begins.iter().any(|b| name.starts_with(b)) && is_device(name) {
            ports.push(Port { path, target: None });
        }
    }
    ports
}

fn list(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries.filter_map(|e| Some(e.ok()?.path().to_string_lossy().into_owned())).collect();
    names.sort();
    names
}

/// A PC has 32 `ttyS` of which one or none exists: those with hardware have a driver below `device`.
fn is_device(name: &str) -> bool {
    if !name.starts_with("ttyS") {
        return true;
    }
    let port = std::fs::read_to_string(format!("/sys/class/tty/{name}/type"));
    port.is_ok_and(|kind| kind.trim() != "0")
}

/// Network interfaces with their addresses, IPv4 first.
///
/// # Errors
/// The system does not tell.
pub fn interfaces() -> io::Result<Vec<Interface>> {
    let mut all: Vec<Interface> = if_addrs::get_if_addrs()?
        .into_iter()
        .map(|i| {
            let up = i.is_oper_up();
            let (prefix, broadcast) = match &i.addr {
                if_addrs::IfAddr::V4(v4) => (v4.prefixlen, v4.broadcast.map(IpAddr::V4)),
                if_addrs::IfAddr::V6(v6) => (v6.prefixlen, None),
            };
            Interface { name: i.name.clone(), address: i.ip(), prefix, broadcast, up }
        })
        .collect();
    all.sort_by(|a, b| (a.address.is_ipv6(), &a.name).cmp(&(b.address.is_ipv6(), &b.name)));
    Ok(all)
}

//! Where datagrams go to, through which interface, and whether there is a way there now. Sends nothing.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use if_addrs::{IfAddr, Interface};
use socket2::{Domain, Protocol, Socket, Type};

use crate::core::output::Way;

/// Where a broadcast or a multicast goes to now; nowhere for a host, which is asked of the resolver.
///
/// # Errors
/// In words: no such interface, or none that can.
pub fn destinations(way: &Way) -> Result<Vec<SocketAddr>, String> {
    match way {
        Way::UdpMulticast { group, port, .. } => Ok(vec![SocketAddr::new(*group, *port)]),
        Way::UdpBroadcast { interface, port } => broadcasts(&interfaces()?, interface.as_deref(), *port),
        _ => Ok(Vec::new()),
    }
}

fn interfaces() -> Result<Vec<Interface>, String> {
    if_addrs::get_if_addrs().map_err(|error| format!("interfaces: {error}"))
}

fn broadcasts(all: &[Interface], name: Option<&str>, port: u16) -> Result<Vec<SocketAddr>, String> {
    let to = |i: &&Interface| match &i.addr {
        IfAddr::V4(v4) => v4.broadcast.map(|address| SocketAddr::new(address.into(), port)),
        IfAddr::V6(_) => None,
    };
    let mut found: Vec<SocketAddr> = match name {
        None => {
            let up = all.iter().filter(|i| i.is_oper_up() && !i.is_loopback());
            up.filter_map(|i| to(&i)).collect()
        }
        Some(name) => {
            let mine: Vec<&Interface> = all.iter().filter(|i| is_meant(i, name)).collect();
            match (mine.is_empty(), name.parse::<Ipv4Addr>()) {
                // An address that is no interface's own is the broadcast address itself.
                (true, Ok(address)) => vec![SocketAddr::new(address.into(), port)],
                (true, Err(_)) => return Err(format!("there is no interface {name} (see: nmeasimx interfaces)")),
                (false, _) => mine.iter().filter_map(to).collect(),
            }
        }
    };
    found.sort();
    found.dedup();
    match (found.is_empty(), name) {
        (false, _) => Ok(found),
        (true, None) => Err("no network interface that is up can broadcast".into()),
        (true, Some(name)) => Err(format!("{name} has no address to broadcast from")),
    }
}

/// The interface is called so, or has this address.
fn is_meant(interface: &Interface, name: &str) -> bool {
    interface.name == name || interface.ip().to_string() == name
}

/// A socket from which there is a way to every one of these, and the interfaces by which they are reached.
///
/// # Errors
/// In words: which cannot be reached, and why.
pub fn socket(way: &Way, to: &[SocketAddr]) -> Result<(std::net::UdpSocket, Vec<String>), String> {
    let first = to.first().copied().ok_or("nowhere to send to")?;
    let all = interfaces()?;
    let mut through = None;
    if let Way::UdpMulticast { interface, .. } = way {
        through = match interface {
            Some(name) => {
                let own = all.iter().find(|i| is_meant(i, name) && i.ip().is_ipv4() == first.is_ipv4());
                Some(own.ok_or_else(|| format!("there is no interface {name} (see: nmeasimx interfaces)"))?)
            }
            // What the system chooses; where it has no way (a boat's network without a gateway), the first that is up.
            None if reach(way, None, first, &all).is_ok() => None,
            None => all.iter().find(|i| i.is_oper_up() && !i.is_loopback() && i.ip().is_ipv4() == first.is_ipv4()),
        };
    }
    let by = to.iter().map(|to| reach(way, through, *to, &all)).collect::<Result<_, _>>()?;
    let socket = make(way, through, first).map_err(|error| format!("socket: {error}"))?;
    Ok((socket, by))
}

/// Whether datagrams still go where they went.
///
/// # Errors
/// Why they go nowhere.
pub fn still(way: &Way, to: &[SocketAddr]) -> Result<bool, String> {
    let now = destinations(way)?;
    if !now.is_empty() && now != to {
        return Ok(false);
    }
    socket(way, to).map(|_| true)
}

/// The interface through which the system would send there. Connecting a datagram socket asks just that, and sends nothing.
fn reach(way: &Way, through: Option<&Interface>, to: SocketAddr, all: &[Interface]) -> Result<String, String> {
    let probe = make(way, through, to).map_err(|error| explain(to, &error))?;
    probe.connect(to).map_err(|error| explain(to, &error))?;
    let from = probe.local_addr().map_err(|error| explain(to, &error))?.ip();
    // A datagram to this machine itself needs no interface.
    if all.iter().any(|i| i.ip() == to.ip()) {
        return Ok("this machine".into());
    }
    let mut own = all.iter().filter(|i| i.ip() == from).peekable();
    match own.peek().map(|i| i.name.clone()) {
        Some(name) if own.all(|i| !i.is_oper_up()) => Err(format!("{to}: {name} is down, or its cable is out")),
        Some(name) => Ok(name),
        None => Ok(String::new()),
    }
}

fn make(way: &Way, through: Option<&Interface>, to: SocketAddr) -> io::Result<std::net::UdpSocket> {
    let socket = Socket::new(Domain::for_address(to), Type::DGRAM, Some(Protocol::UDP))?;
    socket.set_nonblocking(true)?;
    match (way, to) {
        (Way::UdpMulticast { ttl, .. }, SocketAddr::V4(_)) => socket.set_multicast_ttl_v4(*ttl)?,
        (Way::UdpMulticast { ttl, .. }, SocketAddr::V6(_)) => socket.set_multicast_hops_v6(*ttl)?,
        // `udp:` to a broadcast address, typed as such, is meant.
        _ => socket.set_broadcast(true)?,
    }
    match through.map(|i| (i.ip(), i.index)) {
        Some((IpAddr::V4(address), _)) => socket.set_multicast_if_v4(&address)?,
        Some((IpAddr::V6(_), index)) => socket.set_multicast_if_v6(index.unwrap_or(0))?,
        None => {}
    }
    let any: IpAddr = if to.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    socket.bind(&SocketAddr::new(any, 0).into())?;
    Ok(socket.into())
}

/// Why nothing can be sent there, and what to look at.
pub fn explain(to: SocketAddr, error: &io::Error) -> String {
    format!("{to}: {}", unreachable(error))
}

/// Why a peer cannot be reached, and what to look at.
pub fn unreachable(error: &io::Error) -> String {
    use io::ErrorKind::{
        ConnectionRefused, ConnectionReset, HostUnreachable, NetworkDown, NetworkUnreachable, PermissionDenied,
        TimedOut,
    };
    let words = match error.kind() {
        NetworkUnreachable | NetworkDown => "no way to that network: is the interface up?",
        HostUnreachable => "no way to that host: is it on?",
        PermissionDenied => "not permitted: does a firewall forbid it?",
        ConnectionRefused => "refused: nothing listens there, is the program running?",
        ConnectionReset => "hung up by the other side",
        // The kernel's own, and the words of our own patience.
        TimedOut if error.raw_os_error().is_some() => "no answer: is it on?",
        _ => {
            let text = error.to_string();
            // A resolver has no kinds of errors.
            let unknown = text.starts_with("failed to lookup address");
            return if unknown { "no such name, or no name server answers".into() } else { text };
        }
    };
    words.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use if_addrs::{IfOperStatus, Ifv4Addr};

    fn interface(name: &str, ip: [u8; 4], broadcast: Option<[u8; 4]>, up: bool) -> Interface {
        Interface {
            name: name.into(),
            addr: IfAddr::V4(Ifv4Addr {
                ip: ip.into(),
                netmask: [255, 255, 255, 0].into(),
                prefixlen: 24,
                broadcast: broadcast.map(Into::into),
            }),
            index: Some(1),
            oper_status: if up { IfOperStatus::Up } else { IfOperStatus::Down },
            is_p2p: false,
        }
    }

    fn boat() -> Vec<Interface> {
        vec![
            interface("lo", [127, 0, 0, 1], None, true),
            interface("wlan0", [192, 168, 5, 2], Some([192, 168, 5, 255]), true),
            interface("eth0", [10, 0, 0, 7], Some([10, 0, 0, 255]), true),
            interface("usb0", [10, 9, 9, 1], Some([10, 9, 9, 255]), false),
            interface("tun0", [10, 8, 0, 2], None, true),
        ]
    }

    fn to(name: Option<&str>) -> Result<Vec<String>, String> {
        broadcasts(&boat(), name, 2000).map(|all| all.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_broadcast_goes_to_every_network_that_is_up_or_to_the_one_that_is_named() {
        assert_eq!(to(None).unwrap(), ["10.0.0.255:2000", "192.168.5.255:2000"]);
        assert_eq!(to(Some("wlan0")).unwrap(), ["192.168.5.255:2000"]);
        assert_eq!(to(Some("10.0.0.7")).unwrap(), ["10.0.0.255:2000"]);
        assert_eq!(to(Some("172.16.255.255")).unwrap(), ["172.16.255.255:2000"]);
        assert_eq!(to(Some("wlan1")).unwrap_err(), "there is no interface wlan1 (see: nmeasimx interfaces)");
        assert_eq!(to(Some("tun0")).unwrap_err(), "tun0 has no address to broadcast from");
        assert!(broadcasts(&boat()[..1], None, 2000).unwrap_err().contains("no network interface that is up"));
    }

    #[test]
    fn there_is_a_way_to_this_machine_and_none_through_an_interface_that_is_not_there() {
        let host = Way::Udp { host: "127.0.0.1".into(), port: 9 };
        assert!(socket(&host, &["127.0.0.1:9".parse().unwrap()]).is_ok());
        let group = |interface: &str| Way::UdpMulticast {
            group: [239, 1, 2, 3].into(),
            port: 6000,
            interface: Some(interface.into()),
            ttl: 1,
        };
        let to = ["239.1.2.3:6000".parse().unwrap()];
        assert!(socket(&group("nosuch0"), &to).unwrap_err().contains("there is no interface nosuch0"));
        assert_eq!(socket(&group("127.0.0.1"), &to).unwrap().1, ["lo"]);
    }
}

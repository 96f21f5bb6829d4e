//! Datagrams: to one host, to everybody on a network, to a group. One sentence a datagram.
//!
//! An error drops the sentence and opens the socket again, later and later, so that it heals when a network returns.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use if_addrs::{IfAddr, Interface};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::{UdpSocket, lookup_host};

use super::{BackOff, Task};
use crate::core::output::Way;
use crate::core::time::{SECOND, Wall};

/// How often the interfaces are looked at, for those that came up or changed their address.
const LOOK: Wall = 5 * SECOND;

/// A socket and where it sends to.
struct Open {
    socket: UdpSocket,
    to: Vec<SocketAddr>,
}

/// Sends until the queue ends.
pub async fn run(task: &mut Task) {
    let mut back_off = BackOff::default();
    let way = task.spec.way.clone();
    loop {
        let why = match task.discard_until(open(&way)).await {
            None => return,
            Some(Ok(opened)) => {
                let all: Vec<String> = opened.to.iter().map(SocketAddr::to_string).collect();
                match send(task, &way, opened, &all.join(" "), &mut back_off).await {
                    None => return,
                    Some(why) => why,
                }
            }
            Some(Err(error)) => Some(error),
        };
        if let Some(why) = why {
            task.waiting(why);
            if task.back_off(&mut back_off).await.is_none() {
                return;
            }
        }
    }
}

/// Sends until the queue ends (`None`), a datagram cannot be sent (why), or the networks have changed (`Some(None)`).
async fn send(task: &mut Task, way: &Way, open: Open, at: &str, back_off: &mut BackOff) -> Option<Option<String>> {
    let mut encoder = task.encoder();
    let mut looked = task.around.clock.wall();
    // That a socket opens says little: it is open once a datagram was taken.
    let mut proved = false;
    if matches!(way, Way::Udp { .. }) {
        task.open(at.into());
        proved = true;
    }
    loop {
        let parcel = task.next().await?;
        let now = task.around.clock.wall();
        if now - looked >= LOOK {
            looked = now;
            if destinations(way).is_ok_and(|found| found.is_some_and(|found| found != open.to)) {
                return Some(None);
            }
        }
        for (message, bytes) in encoder.encode(&parcel.batch).iter() {
            for to in &open.to {
                match open.socket.send_to(bytes, to).await {
                    Ok(n) => task.gauges.sent(0, n),
                    // An answer to an earlier datagram (nobody listens there) says nothing of this one.
                    Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {}
                    Err(error) => {
                        task.gauges.lost(message.sentences);
                        return Some(Some(format!("{to}: {error}")));
                    }
                }
            }
            task.gauges.sent(message.sentences, 0);
            if !proved {
                proved = true;
                task.open(at.into());
            }
            back_off.reset();
        }
    }
}

async fn open(way: &Way) -> Result<Open, String> {
    let words = |what: &str, error: &io::Error| format!("{what}: {error}");
    let to = match way {
        Way::Udp { host, port } => {
            let found = lookup_host((host.as_str(), *port)).await;
            let found = found.map_err(|e| words(&format!("{host}:{port}"), &e))?.next();
            vec![found.ok_or_else(|| format!("{host}: has no address"))?]
        }
        _ => destinations(way)?.unwrap_or_default(),
    };
    let Some(first) = to.first() else {
        return Err("no network interface that is up can broadcast".into());
    };
    let socket = socket(way, *first).map_err(|error| words("socket", &error))?;
    Ok(Open { socket, to })
}

fn socket(way: &Way, to: SocketAddr) -> io::Result<UdpSocket> {
    let socket = Socket::new(Domain::for_address(to), Type::DGRAM, Some(Protocol::UDP))?;
    socket.set_nonblocking(true)?;
    let any: IpAddr = if to.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    match way {
        Way::UdpBroadcast { .. } => socket.set_broadcast(true)?,
        Way::UdpMulticast { interface, ttl, .. } => {
            match to {
                SocketAddr::V4(_) => socket.set_multicast_ttl_v4(*ttl)?,
                SocketAddr::V6(_) => socket.set_multicast_hops_v6(*ttl)?,
            }
            if let Some(name) = interface {
                let all = if_addrs::get_if_addrs()?;
                let own = all.iter().find(|i| is_meant(i, name) && i.ip().is_ipv4() == to.is_ipv4());
                let own = own.ok_or_else(|| io::Error::other(format!("there is no interface {name}")))?;
                match own.ip() {
                    IpAddr::V4(address) => socket.set_multicast_if_v4(&address)?,
                    IpAddr::V6(_) => socket.set_multicast_if_v6(own.index.unwrap_or(0))?,
                }
            }
        }
        // `udp:` to a broadcast address, typed as such, is meant.
        _ => socket.set_broadcast(true)?,
    }
    socket.bind(&SocketAddr::new(any, 0).into())?;
    UdpSocket::from_std(socket.into())
}

/// Where a broadcast or a multicast goes to now; `None` for a host, which is asked of the resolver.
fn destinations(way: &Way) -> Result<Option<Vec<SocketAddr>>, String> {
    match way {
        Way::UdpMulticast { group, port, .. } => Ok(Some(vec![SocketAddr::new(*group, *port)])),
        Way::UdpBroadcast { interface, port } => {
            let all = if_addrs::get_if_addrs().map_err(|error| format!("interfaces: {error}"))?;
            let mut to: Vec<SocketAddr> = match interface {
                None => all
                    .iter()
                    .filter(|i| i.is_oper_up() && !i.is_loopback())
                    .filter_map(|i| broadcast(i, *port))
                    .collect(),
                Some(name) => {
                    let mine: Vec<&Interface> = all.iter().filter(|i| is_meant(i, name)).collect();
                    match (mine.is_empty(), name.parse::<Ipv4Addr>()) {
                        // An address that is no interface's own is the broadcast address itself.
                        (true, Ok(address)) => vec![SocketAddr::new(address.into(), *port)],
                        (true, Err(_)) => {
                            return Err(format!("there is no interface {name} (see: nmeasimx interfaces)"));
                        }
                        (false, _) => mine.into_iter().filter_map(|i| broadcast(i, *port)).collect(),
                    }
                }
            };
            to.sort();
            to.dedup();
            Ok(Some(to))
        }
        _ => Ok(None),
    }
}

/// The interface is called so, or has this address.
fn is_meant(interface: &Interface, name: &str) -> bool {
    interface.name == name || interface.ip().to_string() == name
}

fn broadcast(interface: &Interface, port: u16) -> Option<SocketAddr> {
    match &interface.addr {
        IfAddr::V4(v4) => v4.broadcast.map(|address| SocketAddr::new(address.into(), port)),
        IfAddr::V6(_) => None,
    }
}

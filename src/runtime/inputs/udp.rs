//! Datagrams: to this host, to everybody on the network, or to a group.

use std::collections::BTreeSet;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use tokio::net::UdpSocket;

use super::{Alone, BackOff, Teller, What};
use crate::runtime::session::snapshot::Link;

/// How often interfaces that came up are looked for, to join the group there too.
const JOIN: Duration = Duration::from_secs(10);
/// Room in the kernel for bursts.
const RECEIVE: usize = 1 << 20;

pub(super) async fn run(address: Option<IpAddr>, port: u16, mut teller: Teller) -> Result<(), Alone> {
    let mut back_off = BackOff::default();
    teller.state(Link::Opening, "", None).await?;
    let mut datagram = vec![0; 65_536];
    loop {
        let error = match open(address, port) {
            Ok(socket) => {
                teller.state(Link::Open, "", None).await?;
                back_off.opened();
                let mut joined = BTreeSet::new();
                let mut join = tokio::time::interval(JOIN);
                loop {
                    tokio::select! {
                        _ = join.tick() => {
                            if let Some(group) = address.filter(IpAddr::is_multicast) {
                                join_everywhere(&socket, group, &mut joined);
                            }
                        }
                        received = socket.recv_from(&mut datagram) => match received {
                            Ok((n, _)) => teller.tell(What::Datagram(Bytes::copy_from_slice(&datagram[..n]))).await?,
                            Err(error) if is_passing(&error) => {}
                            Err(error) => break error,
                        }
                    }
                }
            }
            Err(error) => error,
        };
        let place = address.map_or_else(|| port.to_string(), |a| SocketAddr::new(a, port).to_string());
        teller.state(Link::Waiting, "", Some(format!("udp {place}: {error}; trying again"))).await?;
        tokio::time::sleep(back_off.next_wait()).await;
    }
}

/// What one datagram may bring up without harm to the next.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionRefused, ConnectionReset, Interrupted, WouldBlock};
    matches!(error.kind(), Interrupted | WouldBlock | ConnectionRefused | ConnectionReset)
}

fn open(address: Option<IpAddr>, port: u16) -> io::Result<UdpSocket> {
    let any: IpAddr = match address {
        Some(IpAddr::V6(_)) => Ipv6Addr::UNSPECIFIED.into(),
        _ => Ipv4Addr::UNSPECIFIED.into(),
    };
    // Bound to a group, a socket hears that group alone; bound to "any", every group somebody on this host joined.
    // A group of one link only cannot be bound without saying which link.
    let of_a_link =
        |group: &IpAddr| matches!(group, IpAddr::V6(v6) if v6.is_multicast() && v6.segments()[0] & 0xF <= 2);
    let bind = SocketAddr::new(address.filter(|a| !of_a_link(a)).unwrap_or(any), port);
    let socket = Socket::new(Domain::for_address(bind), Type::DGRAM, Some(Protocol::UDP))?;
    // Another program on this machine may listen to the same broadcasts.
    socket.set_reuse_address(true)?;
    let _as_much_as_it_gives = socket.set_recv_buffer_size(RECEIVE);
    socket.set_nonblocking(true)?;
    socket.bind(&bind.into())?;
    UdpSocket::from_std(socket.into())
}

/// Joins the group on every interface that is not joined yet.
fn join_everywhere(socket: &UdpSocket, group: IpAddr, joined: &mut BTreeSet<u32>) {
    let Ok(interfaces) = if_addrs::get_if_addrs() else { return };
    let here: BTreeSet<u32> = interfaces.iter().filter_map(|i| i.index).collect();
    // One that went away and comes back under its number has to be joined again.
    joined.retain(|index| here.contains(index));
    for interface in interfaces {
        let (Some(index), true) = (interface.index, interface.is_oper_up()) else { continue };
        if joined.contains(&index) {
            continue;
        }
        let done = match (group, interface.ip()) {
            (IpAddr::V4(group), IpAddr::V4(own)) => SockRef::from(socket).join_multicast_v4(&group, &own),
            (IpAddr::V6(group), IpAddr::V6(_)) => SockRef::from(socket).join_multicast_v6(&group, index),
            _ => continue,
        };
        if done.is_ok() {
            joined.insert(index);
        }
    }
}

//! Where an output goes to: the kinds and how they are written. Opens nothing and resolves no names.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use super::SerialSettings;

/// Plotters and gateways look for NMEA 0183 over TCP and UDP here.
pub const USUAL_PORT: u16 = 10110;
/// Group of IEC 61162-450 for navigational data ("NAVD").
pub const NAVD_GROUP: Ipv4Addr = Ipv4Addr::new(239, 192, 0, 4);
/// Port of that group.
pub const NAVD_PORT: u16 = 60004;
/// The kinds, as a SPEC begins and as a profile's `type` says.
pub const KINDS: [&str; 11] = [
    "tcp-server",
    "tcp-client",
    "udp",
    "udp-broadcast",
    "udp-multicast",
    "websocket",
    "serial",
    "pty",
    "file",
    "log",
    "stdout",
];

/// Where to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Listens; every client gets everything.
    TcpServer {
        /// Loopback unless given.
        address: IpAddr,
        /// Port, 0: any.
        port: u16,
    },
    /// Connects, again and again.
    TcpClient {
        /// Name or address.
        host: String,
        /// Port.
        port: u16,
    },
    /// Datagrams to one host.
    Udp {
        /// Name or address.
        host: String,
        /// Port.
        port: u16,
    },
    /// Datagrams to everybody on a network.
    UdpBroadcast {
        /// Name of an interface, one of its addresses, or a broadcast address; `None`: every interface that can.
        interface: Option<String>,
        /// Port.
        port: u16,
    },
    /// Datagrams to a group.
    UdpMulticast {
        /// The group.
        group: IpAddr,
        /// Port.
        port: u16,
        /// Name or address of the interface; `None`: what the system chooses.
        interface: Option<String>,
        /// Hops, 1 to 255.
        ttl: u32,
    },
    /// A Signal K server's port.
    Websocket {
        /// Loopback unless given.
        address: IpAddr,
        /// Port.
        port: u16,
    },
    /// A serial port.
    Serial(SerialSettings),
    /// A virtual serial port.
    Pty {
        /// A symbolic link to it, so that its name is known beforehand.
        link: Option<String>,
    },
    /// Sentences alone, appended.
    File {
        /// Where.
        path: String,
    },
    /// A log of format 1, appended.
    Log {
        /// Where.
        path: String,
    },
    /// Standard output.
    Stdout,
}

impl Way {
    /// Reads the first part of a SPEC, `KIND:WHERE`; `iec`: what is left out is that of IEC 61162-450.
    ///
    /// # Errors
    /// What is wrong or missing, with an example.
    pub fn parse(kind: &str, rest: &str, iec: bool) -> Result<Way, String> {
        let needs = |what: &str, example: &str| format!("{kind} needs {what}, as in {kind}:{example}");
        Ok(match kind {
            "tcp-server" | "websocket" => {
                let usual = if kind == "websocket" { 3000 } else { USUAL_PORT };
                let (host, port) = if rest.is_empty() { ("", usual) } else { split_host(rest)? };
                let address = match host {
                    "" | "localhost" => IpAddr::V4(Ipv4Addr::LOCALHOST),
                    host => host.parse().map_err(|_| {
                        format!(
                            "{host:?} is no address to listen on: give 127.0.0.1, 0.0.0.0, or one of this machine's"
                        )
                    })?,
                };
                if kind == "websocket" { Way::Websocket { address, port } } else { Way::TcpServer { address, port } }
            }
            "tcp-client" | "udp" => {
                let (host, port) = split_host(rest)?;
                if host.is_empty() {
                    return Err(needs("a host and a port", "192.168.1.20:10110"));
                }
                if port == 0 {
                    return Err("port 0: give 1 to 65535".into());
                }
                if kind == "udp" {
                    Way::Udp { host: host.into(), port }
                } else {
                    Way::TcpClient { host: host.into(), port }
                }
            }
            "udp-broadcast" => {
                let (host, port) = if rest.is_empty() { ("", USUAL_PORT) } else { split_host(rest)? };
                Way::UdpBroadcast { interface: (!host.is_empty()).then(|| host.into()), port }
            }
            "udp-multicast" => {
                if rest.is_empty() && iec {
                    return Ok(Way::UdpMulticast {
                        group: IpAddr::V4(NAVD_GROUP),
                        port: NAVD_PORT,
                        interface: None,
                        ttl: 1,
                    });
                }
                let (host, port) = split_host(rest)?;
                let group: IpAddr = host.parse().map_err(|_| needs("a group and a port", "239.192.0.4:60004"))?;
                if !group.is_multicast() {
                    return Err(format!(
                        "{group} is no multicast group: those are 224.0.0.0 to 239.255.255.255 and ff00::/8"
                    ));
                }
                Way::UdpMulticast { group, port, interface: None, ttl: 1 }
            }
            "serial" => Way::Serial(SerialSettings::parse(rest)?),
            "pty" => Way::Pty { link: (!rest.is_empty()).then(|| rest.into()) },
            "file" | "log" => {
                if rest.is_empty() {
                    return Err(needs("a path", "trip.nmea"));
                }
                if kind == "file" { Way::File { path: rest.into() } } else { Way::Log { path: rest.into() } }
            }
            "stdout" if rest.is_empty() => Way::Stdout,
            "stdout" => return Err("stdout takes no address".into()),
            _ => return Err(format!("{kind:?} is no kind of output: there are {}", KINDS.join(", "))),
        })
    }

    /// As a SPEC begins.
    pub fn kind(&self) -> &'static str {
        match self {
            Way::TcpServer { .. } => "tcp-server",
            Way::TcpClient { .. } => "tcp-client",
            Way::Udp { .. } => "udp",
            Way::UdpBroadcast { .. } => "udp-broadcast",
            Way::UdpMulticast { .. } => "udp-multicast",
            Way::Websocket { .. } => "websocket",
            Way::Serial(_) => "serial",
            Way::Pty { .. } => "pty",
            Way::File { .. } => "file",
            Way::Log { .. } => "log",
            Way::Stdout => "stdout",
        }
    }

    /// Short, for a column.
    pub fn short(&self) -> &'static str {
        match self {
            Way::TcpServer { .. } | Way::TcpClient { .. } => "TCP",
            Way::Udp { .. } | Way::UdpBroadcast { .. } | Way::UdpMulticast { .. } => "UDP",
            Way::Websocket { .. } => "WS",
            Way::Serial(_) => "SER",
            Way::Pty { .. } => "PTY",
            Way::File { .. } => "FILE",
            Way::Log { .. } => "LOG",
            Way::Stdout => "OUT",
        }
    }

    /// Names a place in the file system that is written to.
    pub fn names_a_path(&self) -> bool {
        matches!(self, Way::Serial(_) | Way::Pty { .. } | Way::File { .. } | Way::Log { .. })
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind())?;
        match self {
            Way::TcpServer { address, port } | Way::Websocket { address, port } => {
                write!(f, ":{}", HostPort(&address.to_string(), *port))
            }
            Way::TcpClient { host, port } | Way::Udp { host, port } => write!(f, ":{}", HostPort(host, *port)),
            Way::UdpBroadcast { interface: None, port } => write!(f, ":{port}"),
            Way::UdpBroadcast { interface: Some(i), port } => write!(f, ":{}", HostPort(i, *port)),
            Way::UdpMulticast { group, port, .. } => write!(f, ":{}", HostPort(&group.to_string(), *port)),
            Way::Serial(s) => match s.baud {
                Some(baud) => write!(f, ":{}@{baud}", s.device),
                None => write!(f, ":{}@auto", s.device),
            },
            Way::Pty { link: Some(path) } | Way::File { path } | Way::Log { path } => write!(f, ":{path}"),
            Way::Pty { link: None } | Way::Stdout => Ok(()),
        }
    }
}

/// `host:port`, with brackets where an IPv6 address needs them.
struct HostPort<'a>(&'a str, u16);

impl fmt::Display for HostPort<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.contains(':') { write!(f, "[{}]:{}", self.0, self.1) } else { write!(f, "{}:{}", self.0, self.1) }
    }
}

/// `host:port`, `:port`, `port`, `[::1]:port`.
///
/// # Errors
/// A port that is none.
pub fn split_host(text: &str) -> Result<(&str, u16), String> {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => match rest.split_once("]:") {
            Some((host, port)) => (host, port),
            None => return Err(format!("{text:?}: give [address]:port")),
        },
        None => match text.rsplit_once(':') {
            Some((host, _)) if host.contains(':') => {
                return Err(format!("{text:?}: an IPv6 address stands in brackets, as in [::1]:10110"));
            }
            Some((host, port)) => (host, port),
            None => ("", text),
        },
    };
    let port = port.parse().map_err(|_| format!("{port:?} is no port: give 1 to 65535"))?;
    Ok((host, port))
}

//! What an output is to be: where to, in what encoding, which sentences. One type for command line, profile and screen.
//!
//! Only describes: opens nothing and resolves no names.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use crate::core::filter::Filter;

/// Plotters and gateways look for NMEA 0183 over TCP and UDP here.
pub const USUAL_PORT: u16 = 10110;
/// Group of IEC 61162-450 for navigational data ("NAVD").
pub const NAVD_GROUP: Ipv4Addr = Ipv4Addr::new(239, 192, 0, 4);
/// Port of that group.
pub const NAVD_PORT: u16 = 60004;
/// The source in TAG blocks when none is given.
pub const TAG_SOURCE: &str = "II0001";

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

/// One output, completely described.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputSpec {
    /// Where to.
    pub way: Way,
    /// In what form.
    pub encoding: Encoding,
    /// Which sentences.
    pub filter: Filter,
    /// Paths of Signal K that are sent, by whole segments; empty: all.
    pub paths: Vec<String>,
    /// TAG blocks in front of sentences.
    pub tag: Tag,
    /// Milliseconds between Signal K deltas or ViewSync lines.
    pub period_ms: u32,
    /// Stopped until somebody starts it.
    pub stopped: bool,
}

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

/// A serial port and how it is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerialSettings {
    /// `/dev/ttyUSB0`, `/dev/serial/by-id/…`.
    pub device: String,
    /// Bits a second; `None`: to be found out (inputs only).
    pub baud: Option<u32>,
    /// 5 to 8.
    pub data_bits: u8,
    /// Parity.
    pub parity: Parity,
    /// 1 or 2.
    pub stop_bits: u8,
    /// Flow control.
    pub flow: Flow,
}

/// Parity of a serial line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parity {
    /// None.
    #[default]
    None,
    /// Odd.
    Odd,
    /// Even.
    Even,
}

/// Flow control of a serial line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// None.
    #[default]
    None,
    /// RTS and CTS.
    Hardware,
    /// XON and XOFF.
    Software,
}

/// In what form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Sentences with CR LF.
    #[default]
    Nmea0183,
    /// Signal K deltas.
    SignalK,
    /// ViewSync lines.
    ViewSync,
    /// IEC 61162-450 datagrams.
    Iec61162_450,
}

/// TAG blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tag {
    /// None; those of a log or feed are taken off.
    #[default]
    Off,
    /// Those of the log or feed go along.
    Keep,
    /// One with this source and the source's clock in front of each sentence.
    Source(String),
}

impl Encoding {
    /// As in `;encoding=`.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Nmea0183 => "nmea0183",
            Encoding::SignalK => "signalk",
            Encoding::ViewSync => "viewsync",
            Encoding::Iec61162_450 => "iec61162-450",
        }
    }
}

impl SerialSettings {
    /// 8N1 without flow control, as NMEA 0183 has it.
    pub fn new(device: &str, baud: Option<u32>) -> SerialSettings {
        SerialSettings {
            device: device.into(),
            baud,
            data_bits: 8,
            parity: Parity::None,
            stop_bits: 1,
            flow: Flow::None,
        }
    }

    /// `DEVICE`, `DEVICE@BAUD`, `DEVICE@auto`.
    ///
    /// # Errors
    /// A baud rate that is none, or no device.
    pub fn parse(text: &str) -> Result<SerialSettings, String> {
        let (device, baud) = match text.rsplit_once('@') {
            None => (text, Some(4800)),
            Some((device, "auto")) => (device, None),
            Some((device, baud)) => (device, Some(parse_baud(baud)?)),
        };
        if device.is_empty() {
            return Err("serial: name a device, as in serial:/dev/ttyUSB0@4800".into());
        }
        Ok(SerialSettings::new(device, baud))
    }

    /// Reads one of `baud`, `bits` (`8N1`), `flow`.
    ///
    /// # Errors
    /// What is wrong with it. `Ok(false)`: not a setting of a serial line.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "baud" => self.baud = Some(parse_baud(value)?),
            "bits" => {
                let bytes = value.as_bytes();
                let [data @ b'5'..=b'8', parity, stop @ (b'1' | b'2')] = bytes else {
                    return Err(format!("bits {value:?}: give data bits, parity and stop bits, as in 8N1"));
                };
                self.data_bits = data - b'0';
                self.stop_bits = stop - b'0';
                self.parity = match parity {
                    b'N' | b'n' => Parity::None,
                    b'O' | b'o' => Parity::Odd,
                    b'E' | b'e' => Parity::Even,
                    _ => return Err(format!("bits {value:?}: the parity is N, O or E")),
                };
            }
            "flow" => {
                self.flow = match value {
                    "none" => Flow::None,
                    "hardware" => Flow::Hardware,
                    "software" => Flow::Software,
                    _ => return Err(format!("flow {value:?}: give none, hardware or software")),
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `8N1`.
    pub fn bits(&self) -> String {
        let parity = match self.parity {
            Parity::None => 'N',
            Parity::Odd => 'O',
            Parity::Even => 'E',
        };
        format!("{}{parity}{}", self.data_bits, self.stop_bits)
    }

    /// What differs from 8N1 without flow control, as it stands behind a SPEC: `;bits=7E1;flow=hardware`.
    pub fn unusual(&self) -> String {
        let mut text = if self.bits() == "8N1" { String::new() } else { format!(";bits={}", self.bits()) };
        text += match self.flow {
            Flow::None => "",
            Flow::Hardware => ";flow=hardware",
            Flow::Software => ";flow=software",
        };
        text
    }

    /// Bits on the line for one byte: start, data, parity, stop.
    pub fn bits_per_byte(&self) -> u32 {
        1 + u32::from(self.data_bits) + u32::from(self.parity != Parity::None) + u32::from(self.stop_bits)
    }
}

impl OutputSpec {
    /// An output with the usual settings.
    pub fn new(way: Way) -> OutputSpec {
        OutputSpec {
            way,
            encoding: Encoding::Nmea0183,
            filter: Filter::default(),
            paths: Vec::new(),
            tag: Tag::Off,
            period_ms: 1000,
            stopped: false,
        }
    }

    /// Reads a SPEC: `KIND:WHERE;key=value;…`.
    ///
    /// # Errors
    /// One line: which part, and what it may be.
    pub fn parse(text: &str) -> Result<OutputSpec, String> {
        let mut pieces = text.split(';');
        let head = pieces.next().unwrap_or_default().trim();
        let (kind, rest) = head.split_once(':').unwrap_or((head, ""));
        let mut options: Vec<(String, String)> = Vec::new();
        for piece in pieces.map(str::trim).filter(|p| !p.is_empty()) {
            let Some((key, value)) = piece.split_once('=') else {
                return Err(format!("output {text:?}: {piece:?} is no option; give key=value, as in ;filter=RMC"));
            };
            options.push((key.trim().into(), value.trim().into()));
        }
        let iec = options.iter().any(|(k, v)| k == "encoding" && v == "iec61162-450");
        let way = parse_way(kind, rest, iec).map_err(|e| format!("output {text:?}: {e}"))?;
        let mut spec = OutputSpec::new(way);
        for (key, value) in &options {
            spec.set(key, value).map_err(|e| format!("output {text:?}: {e}"))?;
        }
        spec.check().map_err(|e| format!("output {text:?}: {e}"))?;
        Ok(spec)
    }

    /// Reads an output from a profile: its `type` and its other keys as text.
    ///
    /// # Errors
    /// The key that is wrong (`None`: the whole), and what it may be.
    pub fn from_keys(kind: &str, keys: &[(&str, String)]) -> Result<OutputSpec, (Option<String>, String)> {
        let get = |name: &str| keys.iter().find(|(k, _)| *k == name).map_or("", |(_, v)| v.as_str());
        let where_to = match kind {
            "tcp-server" | "websocket" | "tcp-client" | "udp" | "udp-broadcast" | "udp-multicast" => {
                let host = ["address", "host", "group"].iter().map(|k| get(k)).find(|v| !v.is_empty());
                let host = host.unwrap_or(if kind == "udp-broadcast" { get("interface") } else { "" });
                let host = if host.contains(':') { format!("[{host}]") } else { host.to_string() };
                match (host.as_str(), get("port")) {
                    ("", port) => port.to_string(),
                    (host, port) => format!("{host}:{port}"),
                }
            }
            "serial" => get("device").to_string(),
            "pty" => get("link").to_string(),
            _ => get("path").to_string(),
        };
        let iec = get("encoding") == "iec61162-450";
        let way = parse_way(kind, &where_to, iec).map_err(|e| (None, e))?;
        let mut spec = OutputSpec::new(way);
        let taken = ["address", "host", "group", "port", "device", "link", "path"];
        for (key, value) in keys.iter().filter(|(k, _)| !taken.contains(k)) {
            if *key == "interface" && kind == "udp-broadcast" {
                continue;
            }
            spec.set(key, value).map_err(|e| (Some(key.to_string()), e))?;
        }
        spec.check().map_err(|e| (None, e))?;
        Ok(spec)
    }

    /// Sets one option.
    ///
    /// # Errors
    /// An option that this kind does not have, or a value that it may not have.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "filter" if self.encoding == Encoding::SignalK => self.paths = paths(value),
            "filter" => self.filter = Filter::new(value)?,
            "paths" => self.paths = paths(value),
            "encoding" => {
                self.encoding = match value {
                    "nmea0183" => Encoding::Nmea0183,
                    "signalk" => Encoding::SignalK,
                    "viewsync" => Encoding::ViewSync,
                    "iec61162-450" => Encoding::Iec61162_450,
                    _ => return Err(format!("encoding {value:?}: give nmea0183, signalk, viewsync or iec61162-450")),
                };
                if self.encoding == Encoding::ViewSync && self.period_ms == 1000 {
                    self.period_ms = 200;
                }
            }
            "tag" | "tag_block" => {
                self.tag = match value {
                    "" | "off" | "false" => Tag::Off,
                    "keep" => Tag::Keep,
                    "on" | "true" => Tag::Source(TAG_SOURCE.into()),
                    source if source.len() <= 15 && source.bytes().all(|b| b.is_ascii_alphanumeric()) => {
                        Tag::Source(source.into())
                    }
                    _ => {
                        return Err(format!(
                            "tag {value:?}: give a source of at most 15 letters and digits, keep or off"
                        ));
                    }
                }
            }
            "period" => self.period_ms = parse_period(value)?,
            "enabled" => {
                self.stopped = !value.parse::<bool>().map_err(|_| format!("enabled {value:?}: give true or false"))?;
            }
            _ => return self.set_way(key, value),
        }
        Ok(())
    }

    fn set_way(&mut self, key: &str, value: &str) -> Result<(), String> {
        let kind = self.way.kind();
        if let Way::Serial(settings) = &mut self.way
            && settings.set(key, value)?
        {
            return Ok(());
        }
        match (&mut self.way, key) {
            (Way::UdpMulticast { ttl, .. }, "ttl") => {
                *ttl = match value.parse() {
                    Ok(n @ 1..=255) => n,
                    _ => return Err(format!("ttl {value:?}: give 1 to 255")),
                }
            }
            (Way::UdpMulticast { interface, .. } | Way::UdpBroadcast { interface, .. }, "interface") => {
                *interface = Some(value.into());
            }
            _ => {
                let own = match &self.way {
                    Way::UdpMulticast { .. } => ", interface, ttl",
                    Way::UdpBroadcast { .. } => ", interface",
                    Way::Serial(_) => ", baud, bits, flow",
                    _ => "",
                };
                return Err(format!(
                    "{kind} has no option {key:?}: there are filter, encoding, tag, period, enabled{own}"
                ));
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        let datagrams = matches!(self.way, Way::Udp { .. } | Way::UdpBroadcast { .. } | Way::UdpMulticast { .. });
        if self.encoding == Encoding::Iec61162_450 {
            if !datagrams {
                return Err("encoding iec61162-450 goes by UDP: use udp-multicast or udp".into());
            }
            if let Tag::Source(source) = &self.tag {
                let (letters, digits) = source.split_at(source.len().min(2));
                let right = letters.len() == 2
                    && letters.bytes().all(|b| b.is_ascii_uppercase())
                    && digits.len() == 4
                    && digits.bytes().all(|b| b.is_ascii_digit());
                if !right {
                    return Err(format!(
                        "tag {source:?}: iec61162-450 wants two letters and four digits, as in II0001"
                    ));
                }
            }
        }
        if self.encoding == Encoding::ViewSync && !datagrams {
            return Err("encoding viewsync goes by UDP: use udp:HOST:PORT".into());
        }
        if matches!(self.way, Way::Log { .. }) && self.encoding != Encoding::Nmea0183 {
            return Err("a log holds sentences: leave the encoding out".into());
        }
        if matches!(&self.way, Way::Serial(s) if s.baud.is_none()) {
            return Err("an output cannot find the baud rate by itself: give one, as in @4800".into());
        }
        Ok(())
    }
}

impl Way {
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

impl fmt::Display for OutputSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.way)?;
        if self.encoding != Encoding::Nmea0183 {
            write!(f, ";encoding={}", self.encoding.name())?;
        }
        if !self.filter.is_empty() {
            write!(f, ";filter={}", self.filter)?;
        }
        if !self.paths.is_empty() {
            write!(f, ";paths={}", self.paths.join(","))?;
        }
        match &self.tag {
            Tag::Off => {}
            Tag::Keep => f.write_str(";tag=keep")?,
            Tag::Source(s) => write!(f, ";tag={s}")?,
        }
        let usual = if self.encoding == Encoding::ViewSync { 200 } else { 1000 };
        if self.period_ms != usual {
            write!(f, ";period={}ms", self.period_ms)?;
        }
        match &self.way {
            Way::UdpMulticast { interface, ttl, .. } => {
                if let Some(i) = interface {
                    write!(f, ";interface={i}")?;
                }
                if *ttl != 1 {
                    write!(f, ";ttl={ttl}")?;
                }
            }
            Way::Serial(s) => {
                f.write_str(&s.unusual())?;
            }
            _ => {}
        }
        if self.stopped {
            f.write_str(";enabled=false")?;
        }
        Ok(())
    }
}

fn parse_way(kind: &str, rest: &str, iec: bool) -> Result<Way, String> {
    let needs = |what: &str, example: &str| format!("{kind} needs {what}, as in {kind}:{example}");
    Ok(match kind {
        "tcp-server" | "websocket" => {
            let usual = if kind == "websocket" { 3000 } else { USUAL_PORT };
            let (host, port) = if rest.is_empty() { ("", usual) } else { split_host(rest)? };
            let address = match host {
                "" | "localhost" => IpAddr::V4(Ipv4Addr::LOCALHOST),
                host => host.parse().map_err(|_| {
                    format!("{host:?} is no address to listen on: give 127.0.0.1, 0.0.0.0, or one of this machine's")
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

fn parse_baud(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(baud @ 50..=4_000_000) => Ok(baud),
        _ => Err(format!("{text:?} is no baud rate: give 4800, 38400 or another of 50 to 4000000")),
    }
}

/// `500ms`, `2s`, `500`.
fn parse_period(text: &str) -> Result<u32, String> {
    let ms = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(ms), _) => ms.parse::<u32>().ok(),
        (None, Some(s)) => s.parse::<u32>().ok().and_then(|s| s.checked_mul(1000)),
        (None, None) => text.parse().ok(),
    };
    match ms {
        Some(ms @ 50..=3_600_000) => Ok(ms),
        _ => Err(format!("period {text:?}: give 50ms to 3600s, as in 500ms")),
    }
}

fn paths(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|p| !p.is_empty()).map(Into::into).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_reads_and_prints_as_itself() {
        // (given, shown): what is shown is complete and reads back as the same.
        let cases = [
            ("tcp-server:10110", "tcp-server:127.0.0.1:10110"),
            ("tcp-server::10110", "tcp-server:127.0.0.1:10110"),
            ("tcp-server:0.0.0.0:2000", "tcp-server:0.0.0.0:2000"),
            ("tcp-server:[::1]:2000;filter=RMC,gga", "tcp-server:[::1]:2000;filter=RMC,GGA"),
            ("tcp-client:gateway.local:2000", "tcp-client:gateway.local:2000"),
            ("udp:192.168.1.255:10110;tag=II0001", "udp:192.168.1.255:10110;tag=II0001"),
            ("udp-broadcast:10110", "udp-broadcast:10110"),
            ("udp-broadcast:wlan0:10110", "udp-broadcast:wlan0:10110"),
            ("udp-multicast:239.1.2.3:6000;ttl=4;interface=eth0", "udp-multicast:239.1.2.3:6000;interface=eth0;ttl=4"),
            ("udp-multicast;encoding=iec61162-450", "udp-multicast:239.192.0.4:60004;encoding=iec61162-450"),
            ("websocket:3000;encoding=signalk;period=500ms", "websocket:127.0.0.1:3000;encoding=signalk;period=500ms"),
            ("serial:/dev/ttyUSB0", "serial:/dev/ttyUSB0@4800"),
            ("serial:/dev/ttyS1@38400;bits=7E2;flow=hardware", "serial:/dev/ttyS1@38400;bits=7E2;flow=hardware"),
            ("pty", "pty"),
            ("pty:/tmp/gps", "pty:/tmp/gps"),
            ("file:a.nmea", "file:a.nmea"),
            ("log:a:b.nmea;tag=keep", "log:a:b.nmea;tag=keep"),
            ("stdout", "stdout"),
            ("udp:h:1;encoding=viewsync", "udp:h:1;encoding=viewsync"),
        ];
        for (given, shown) in cases {
            let spec = OutputSpec::parse(given).unwrap_or_else(|e| panic!("{given}: {e}"));
            assert_eq!(spec.to_string(), shown);
            assert_eq!(OutputSpec::parse(shown).unwrap(), spec, "{shown}");
        }
    }

    #[test]
    fn a_wrong_spec_says_what_would_be_right() {
        let cases = [
            ("tcp", "is no kind of output: there are tcp-server, tcp-client"),
            ("tcp-server:boat:1", "is no address to listen on"),
            ("tcp-server:70000", "is no port: give 1 to 65535"),
            ("tcp-client:10110", "needs a host and a port, as in tcp-client:192.168.1.20:10110"),
            ("udp:::1:99", "stands in brackets"),
            ("udp-multicast:10.0.0.1:99", "is no multicast group"),
            ("serial", "name a device"),
            ("serial:/dev/ttyS0@fast", "is no baud rate"),
            ("serial:/dev/ttyS0@auto", "cannot find the baud rate by itself"),
            ("serial:/dev/ttyS0;bits=9N1", "as in 8N1"),
            ("file", "needs a path"),
            ("stdout;filter=R*", "give formatters (RMC)"),
            ("stdout;colour=red", "stdout has no option \"colour\": there are filter, encoding, tag, period, enabled"),
            ("stdout;filter", "give key=value"),
            ("stdout;period=1h", "give 50ms to 3600s"),
            ("stdout;tag=a source", "at most 15 letters and digits"),
            ("tcp-server:1;encoding=iec61162-450", "goes by UDP"),
            ("tcp-server:1;encoding=viewsync", "goes by UDP"),
            ("udp-multicast;encoding=iec61162-450;tag=GATEWAY", "two letters and four digits"),
            ("log:a;encoding=signalk", "a log holds sentences"),
        ];
        for (given, says) in cases {
            let error = OutputSpec::parse(given).expect_err(given);
            assert!(error.contains(says), "{given}: {error}");
            assert!(error.starts_with(&format!("output {given:?}: ")), "{error}");
        }
    }

    #[test]
    fn a_profile_describes_the_same_outputs() {
        type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);
        let cases: &[Case] = &[
            ("tcp-server", &[("address", "0.0.0.0"), ("port", "10110")], "tcp-server:0.0.0.0:10110"),
            ("tcp-server", &[("port", "10110"), ("filter", "RMC")], "tcp-server:10110;filter=RMC"),
            ("tcp-client", &[("host", "::1"), ("port", "7")], "tcp-client:[::1]:7"),
            ("udp-broadcast", &[("interface", "wlan0"), ("port", "10110")], "udp-broadcast:wlan0:10110"),
            ("serial", &[("device", "/dev/ttyS0"), ("baud", "38400")], "serial:/dev/ttyS0@38400"),
            ("udp-multicast", &[("encoding", "iec61162-450")], "udp-multicast;encoding=iec61162-450"),
            ("log", &[("path", "a.nmea"), ("tag_block", "keep")], "log:a.nmea;tag=keep"),
            ("stdout", &[], "stdout"),
        ];
        for (kind, keys, spec) in cases {
            let keys: Vec<_> = keys.iter().map(|(k, v)| (*k, v.to_string())).collect();
            assert_eq!(OutputSpec::from_keys(kind, &keys).unwrap(), OutputSpec::parse(spec).unwrap());
        }
        let (key, error) = OutputSpec::from_keys("stdout", &[("ttl", "3".into())]).unwrap_err();
        assert_eq!(key.as_deref(), Some("ttl"));
        assert!(error.contains("has no option"), "{error}");
    }
}

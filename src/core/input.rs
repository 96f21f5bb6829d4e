//! What a live input is to be: where sentences come from. One type for the command line and the screen.
//!
//! Only describes: opens nothing and resolves no names.

use std::fmt;
use std::net::IpAddr;

use crate::core::output::{SerialSettings, split_host};

/// One live feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputSpec {
    /// A serial port; without a baud rate it is found out.
    Serial(SerialSettings),
    /// Connects to a server.
    Tcp {
        /// Name or address.
        host: String,
        /// Port.
        port: u16,
    },
    /// Datagrams: to this host, to everybody, or to a group.
    Udp {
        /// An address of this host, a broadcast address or a group; `None`: whatever arrives at the port.
        address: Option<IpAddr>,
        /// Port.
        port: u16,
    },
    /// A file that grows.
    File(String),
    /// Standard input.
    Stdin,
}

/// What a SPEC may be.
pub const FORMS: &str =
    "serial:/dev/ttyUSB0[@4800|@auto], tcp:HOST:PORT, udp:[ADDR:]PORT, file:PATH, - (standard input)";

impl InputSpec {
    /// Reads one of [`FORMS`]; a serial port takes `;baud=`, `;bits=8N1`, `;flow=` behind it.
    ///
    /// # Errors
    /// One line: what is wrong and what would be right.
    pub fn parse(text: &str) -> Result<InputSpec, String> {
        // What it quotes may be anything.
        let wrong = |error: String| crate::core::visible::text(format!("input `{text}`: {error}").as_bytes());
        if text == "-" {
            return Ok(InputSpec::Stdin);
        }
        let Some((kind, rest)) = text.split_once(':') else {
            return Err(wrong(format!("use one of {FORMS}")));
        };
        let parsed = match kind {
            "serial" => serial(rest),
            "tcp" => host_and_port(rest).map(|(host, port)| InputSpec::Tcp { host, port }),
            "udp" => udp(rest),
            "file" if rest.is_empty() => Err("name a file".into()),
            "file" => Ok(InputSpec::File(rest.into())),
            _ => Err(format!("use one of {FORMS}")),
        };
        parsed.map_err(wrong)
    }

    /// A word for columns.
    pub fn kind(&self) -> &'static str {
        match self {
            InputSpec::Serial(_) => "SER",
            InputSpec::Tcp { .. } => "TCP",
            InputSpec::Udp { .. } => "UDP",
            InputSpec::File(_) => "FILE",
            InputSpec::Stdin => "IN",
        }
    }

    /// Bytes a second that the line carries, where it is a UART.
    pub fn capacity(&self) -> Option<f64> {
        match self {
            InputSpec::Serial(settings) => {
                settings.baud.map(|baud| f64::from(baud) / f64::from(settings.bits_per_byte()))
            }
            _ => None,
        }
    }
}

impl fmt::Display for InputSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputSpec::Serial(s) => {
                match s.baud {
                    Some(baud) => write!(f, "serial:{}@{baud}", s.device)?,
                    None => write!(f, "serial:{}@auto", s.device)?,
                }
                f.write_str(&s.unusual())
            }
            InputSpec::Tcp { host, port } if host.contains(':') => write!(f, "tcp:[{host}]:{port}"),
            InputSpec::Tcp { host, port } => write!(f, "tcp:{host}:{port}"),
            InputSpec::Udp { address: None, port } => write!(f, "udp:{port}"),
            InputSpec::Udp { address: Some(IpAddr::V6(a)), port } => write!(f, "udp:[{a}]:{port}"),
            InputSpec::Udp { address: Some(a), port } => write!(f, "udp:{a}:{port}"),
            InputSpec::File(path) => write!(f, "file:{path}"),
            InputSpec::Stdin => f.write_str("-"),
        }
    }
}

fn serial(text: &str) -> Result<InputSpec, String> {
    let mut pieces = text.split(';');
    let head = pieces.next().unwrap_or_default();
    // Without a rate the usual 4800 of NMEA 0183 would be a guess; finding out is not.
    let head = if head.contains('@') { head.to_owned() } else { format!("{head}@auto") };
    let mut settings = SerialSettings::parse(&head)?;
    for piece in pieces {
        let taken = match piece.split_once('=') {
            Some((key, value)) => settings.set(key.trim(), value.trim())?,
            None => false,
        };
        if !taken {
            return Err(format!("`{piece}` is no setting of a serial line: use ;baud=4800 ;bits=8N1 ;flow=none"));
        }
    }
    Ok(InputSpec::Serial(settings))
}

fn host_and_port(text: &str) -> Result<(String, u16), String> {
    match split_host(text)? {
        (host, port @ 1..) if !host.is_empty() && !host.chars().any(|c| c.is_whitespace() || c.is_control()) => {
            Ok((host.into(), port))
        }
        _ => Err("give HOST:PORT, as in tcp:192.0.2.7:10110".into()),
    }
}

fn udp(text: &str) -> Result<InputSpec, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok(InputSpec::Udp { address: None, port });
    }
    let (host, port) = host_and_port(text).map_err(|_| "give PORT or ADDRESS:PORT, as in udp:2000".to_owned())?;
    let address = host.parse().map_err(|_| format!("`{host}` is no address of this host or a group"))?;
    Ok(InputSpec::Udp { address: Some(address), port })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_is_read_and_written_alike() {
        for text in [
            "serial:/dev/ttyUSB0@4800",
            "serial:/dev/ttyUSB0@auto",
            "serial:/dev/ttyS0@38400;bits=7E1",
            "serial:/dev/ttyS0@38400;bits=8N2;flow=hardware",
            "tcp:gateway.local:10110",
            "tcp:[fe80::1]:10110",
            "udp:2000",
            "udp:239.192.0.4:60004",
            "file:/var/log/a:b.nmea",
            "-",
        ] {
            assert_eq!(InputSpec::parse(text).map(|spec| spec.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(InputSpec::parse("serial:/dev/ttyUSB0").unwrap().to_string(), "serial:/dev/ttyUSB0@auto");
    }

    #[test]
    fn a_line_carries_a_tenth_of_its_baud_rate() {
        assert_eq!(InputSpec::parse("serial:/dev/ttyUSB0@4800").unwrap().capacity(), Some(480.0));
        assert_eq!(InputSpec::parse("udp:2000").unwrap().capacity(), None);
    }

    #[test]
    fn what_is_no_input_is_refused_in_one_line() {
        for text in [
            "",
            "x",
            "serial:",
            "serial:/dev/ttyS0@fast",
            "serial:/dev/ttyS0;x=1",
            "tcp:10110",
            "tcp::1",
            "tcp:a:0",
            "udp:host:2000",
            "udp:70000",
            "file:",
            "http://a",
            "a\u{1b}[2J:1",
        ] {
            let error = InputSpec::parse(text).expect_err(text);
            assert!(!error.contains('\n') && !error.contains('\u{1b}'), "{error}");
        }
    }
}

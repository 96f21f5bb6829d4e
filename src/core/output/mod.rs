//! What an output is to be: where to, in what encoding, which sentences. One type for command line, profile and screen.
//!
//! Only describes: opens nothing and resolves no names.

use std::fmt;

use crate::core::filter::Filter;

mod serial;
mod way;

pub use serial::{Flow, Parity, SerialSettings};
pub use way::{KINDS, NAVD_GROUP, NAVD_PORT, USUAL_PORT, Way, split_host};

/// The source in TAG blocks when none is given.
pub const TAG_SOURCE: &str = "II0001";

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
    /// In what unit these say the time.
    pub tag_time: TagTime,
    /// Milliseconds between Signal K deltas or ViewSync lines.
    pub period_ms: u32,
    /// Stopped until somebody starts it.
    pub stopped: bool,
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

/// The unit of `c:` in a TAG block. The standard allows both, and a listener tells them apart by their length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TagTime {
    /// Whole seconds: what every listener understands.
    #[default]
    Seconds,
    /// Milliseconds.
    Milliseconds,
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

impl OutputSpec {
    /// An output with the usual settings.
    pub fn new(way: Way) -> OutputSpec {
        OutputSpec {
            way,
            encoding: Encoding::Nmea0183,
            filter: Filter::default(),
            paths: Vec::new(),
            tag: Tag::Off,
            tag_time: TagTime::Seconds,
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
        let way = Way::parse(kind, rest, iec).map_err(|e| format!("output {text:?}: {e}"))?;
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
        let way = Way::parse(kind, &where_to, iec).map_err(|e| (None, e))?;
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
            "tag_time" => {
                self.tag_time = match value {
                    "s" => TagTime::Seconds,
                    "ms" => TagTime::Milliseconds,
                    _ => return Err(format!("tag_time {value:?}: give s or ms")),
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
                    "{kind} has no option {key:?}: there are filter, encoding, tag, tag_time, period, enabled{own}"
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
        if self.tag_time == TagTime::Milliseconds {
            if self.encoding == Encoding::Iec61162_450 {
                return Err("tag_time: iec61162-450 sends no time in its TAG blocks: leave it out".into());
            }
            if !matches!(self.tag, Tag::Source(_)) {
                return Err("tag_time is of TAG blocks that are sent: give a tag as well, as in ;tag=II0001".into());
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
        if self.tag_time == TagTime::Milliseconds {
            f.write_str(";tag_time=ms")?;
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
mod tests;

//! Alarms and texts of devices, in their own words: ALR, ALF, TXT.

use super::board::{Board, seen};
use super::context::{Context, Device, Few};
use super::kind::Kind;
use crate::core::nmea::framing::hex;
use crate::core::vessel::Label;
use crate::core::visible;

/// Alarms of AIS units (IEC 61993-2): local alarm numbers and what they mean.
pub const AIS_ALARMS: &[(u16, &str)] = &[
    (1, "transmitter malfunction"),
    (2, "antenna VSWR exceeds limit"),
    (3, "receiver channel 1 malfunction"),
    (4, "receiver channel 2 malfunction"),
    (5, "receiver channel 70 malfunction"),
    (6, "general failure"),
    (8, "MKD connection lost"),
    (25, "external position lost"),
    (26, "no sensor position in use"),
    (29, "no valid SOG"),
    (30, "no valid COG"),
    (32, "heading lost or invalid"),
    (35, "no valid ROT"),
];

/// Distinct texts kept of a device.
const TEXTS: usize = 8;

/// What devices say in words.
#[derive(Debug, Default)]
pub struct Words {
    texts: Few<Device, Vec<String>, 16>,
}

impl Words {
    /// Takes a sentence.
    pub fn hear(&mut self, c: &Context<'_>, b: &mut Board) {
        match c.formatter {
            // Time, number, condition A or V, acknowledged A or V, text.
            b"ALR" => {
                let number = c.raw(1).trim_ascii();
                let subject = subject(c, number);
                let active = c.raw(2) == b"A";
                b.set(active, Kind::Alarm, c.device.origin, subject, c.now, || {
                    let acknowledged = if c.raw(3) == b"A" { ", acknowledged" } else { "" };
                    let text = words(c.raw(4));
                    seen(format!("alarm {}{acknowledged}: {}", visible::text(number), own(c, number, text)), &[])
                });
            }
            // Total, number, sequence, time, category, priority E A W C, state, manufacturer, identifier, instance,
            // revision, escalation, text.
            b"ALF" => {
                let id = c.raw(8).trim_ascii();
                // N, normal: it is over. The second part carries a text only.
                let state = c.raw(6);
                if c.raw(1) != b"1" && !c.raw(1).is_empty() {
                    return;
                }
                b.set(state != b"N", Kind::Alarm, c.device.origin, subject(c, id), c.now, || {
                    let text = words(c.raw(12));
                    seen(format!("alert {}: {}", visible::text(id), own(c, id, text)), &[])
                });
            }
            // Total, number, identifier, text.
            b"TXT" => {
                let text = words(c.raw(3));
                let Some(texts) = self.texts.entry(c.device).filter(|_| !text.is_empty()) else { return };
                if !texts.contains(&text) {
                    if texts.len() >= TEXTS {
                        texts.remove(0);
                    }
                    texts.push(text);
                }
                b.raise(Kind::DeviceText, c.device.origin, c.device.talker, c.now, || seen(texts.join("; "), &[]));
            }
            _ => {}
        }
    }
}

fn subject(c: &Context<'_>, number: &[u8]) -> Label {
    let mut text = c.device.talker.as_bytes().to_vec();
    text.push(b' ');
    text.extend_from_slice(number);
    Label::new(&text)
}

/// The device's words, or what the number means for an AIS unit.
fn own(c: &Context<'_>, number: &[u8], text: String) -> String {
    let n = std::str::from_utf8(number).ok().and_then(|n| n.parse::<u16>().ok());
    let meaning =
        AIS_ALARMS.iter().find(|(a, _)| c.device.talker.as_bytes() == b"AI" && Some(*a) == n).map(|(_, w)| *w);
    match (text.is_empty(), meaning) {
        (true, Some(meaning)) => meaning.to_owned(),
        (false, Some(meaning)) if !text.to_ascii_lowercase().contains(meaning) => format!("{text} ({meaning})"),
        (true, None) => "without words".to_owned(),
        _ => text,
    }
}

/// Text with its `^hh` escapes undone, fit to show.
fn words(raw: &[u8]) -> String {
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((first, tail)) = rest.split_first() {
        if *first == b'^'
            && let [a, b, more @ ..] = tail
            && let (Some(a), Some(b)) = (hex(*a), hex(*b))
        {
            out.push(a << 4 | b);
            rest = more;
        } else {
            out.push(*first);
            rest = tail;
        }
    }
    visible::text(out.trim_ascii())
}

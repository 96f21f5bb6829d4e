//! Rules about the form of sentences: checksums, characters, fields, length, makers.
//!
//! Judges no value.

use super::board::{Board, seen};
use super::context::{Context, Device, Few};
use super::kind::{Kind, Severity};
use super::rows;
use crate::core::frame::Class;
use crate::core::nmea::framing::Parts;
use crate::core::nmea::{About, makers};
use crate::core::vessel::Label;
use crate::core::visible;
use crate::core::words::counted;

/// So many sentences of a wrong form are a finding.
pub const LEAST: u32 = 3;
/// A device has checksums as a rule after so many sentences with one…
pub const RULE_LEAST: u32 = 5;
/// … and so many times as many with as without.
pub const RULE_TIMES: u32 = 4;
/// A device lacks checksums when more than this share of its sentences does; fewer have lost theirs on the way.
pub const WITHOUT_SHARE: f64 = 0.05;
/// Most characters of a sentence with CR LF.
pub const LONGEST: usize = 82;

#[derive(Debug, Default)]
struct Forms {
    with: u32,
    without: u32,
    short: u32,
    eight_bit: u32,
    illegal: u32,
}

/// The rules about form.
#[derive(Debug, Default)]
pub struct Form {
    devices: Few<Device, Forms, 32>,
    counts: Few<(Device, Label), (u32, u32), 64>,
    long: Few<(Device, Label), (u32, usize), 32>,
    strange: Few<(Device, Label), u32, 48>,
    with_checksum: u64,
}

impl Form {
    /// Whether this device's sentences have checksums as a rule: one without, and with too few fields, has lost its end.
    pub fn has_checksums(&mut self, device: Device) -> bool {
        self.devices
            .entry(device)
            .is_some_and(|f| f.with >= RULE_LEAST && f.with > f.without.saturating_mul(RULE_TIMES))
    }

    /// Takes a sentence.
    pub fn hear(&mut self, c: &Context<'_>, class: Class, b: &mut Board) {
        let (origin, talker) = (c.device.origin, c.device.talker);
        let formatter = Label::new(rows::formatter(&c.parts));
        self.with_checksum += u64::from(c.parts.given.is_some());
        if let Some(f) = self.devices.entry(c.device) {
            f.checksum(c, class, self.with_checksum, b);
            f.characters(c, b);
        }
        if let Some(about) = c.about
            && let Some((wrong, last)) = self.counts.entry((c.device, formatter))
        {
            let n = c.parts.fields().count();
            if !has_right_count(&c.parts, about) {
                (*wrong, *last) = (*wrong + 1, n as u32);
                let (times, n) = (*wrong, *last);
                if times >= LEAST {
                    b.raise(Kind::FieldCount, origin, c.subject(), c.now, || {
                        let right: Vec<String> = about.field_counts.iter().map(u8::to_string).collect();
                        let words = format!(
                            "{}, right are {} ({})",
                            plural(n, "field"),
                            right.join(", "),
                            plural(times, "time")
                        );
                        seen(words, &[("fields", n.into()), ("times", times.into())])
                    });
                }
            }
        }
        let length = c.text.len() + 2;
        if length > LONGEST
            && let Some((n, most)) = self.long.entry((c.device, formatter))
        {
            (*n, *most) = (*n + 1, (*most).max(length));
            let (n, most) = (*n, *most);
            b.raise(Kind::LongSentences, origin, c.subject(), c.now, || {
                let e = seen(
                    format!("{}, the longest {most} characters", plural(n, "sentence")),
                    &[("times", n.into()), ("longest", most as f64)],
                );
                if c.settings.forwarded_to_serial { e.as_severity(Severity::Warning) } else { e }
            });
        }
        let strange = c.parts.is_proprietary() || c.about.is_none();
        if strange && let Some(n) = self.strange.entry((c.device, formatter)) {
            *n += 1;
            let n = *n;
            if c.parts.is_proprietary() {
                // By maker: the letters behind P.
                let code = Label::new(c.parts.address.get(..rows::MAKER).unwrap_or(c.parts.address));
                b.raise(Kind::Proprietary, origin, code, c.now, || {
                    let who = makers::maker(c.parts.address).unwrap_or("maker unknown");
                    seen(format!("{formatter} ({who})"), &[])
                });
            } else {
                b.raise(Kind::UnknownType, origin, Label::new(c.subject().as_bytes()), c.now, || {
                    seen(
                        format!("{talker} {}, {}", visible::text(c.formatter), plural(n, "time")),
                        &[("times", n.into())],
                    )
                });
            }
        }
    }
}

fn plural(n: u32, what: &str) -> String {
    counted(u64::from(n), what)
}

/// Whether a sentence has a number of fields that some version of its standard allows; makers do as they like.
pub fn has_right_count(parts: &Parts<'_>, about: &About) -> bool {
    let n = parts.fields().count();
    let any = about.field_counts.is_empty() || parts.is_proprietary();
    any || about.field_counts.iter().any(|right| usize::from(*right) == n)
}

impl Forms {
    fn checksum(&mut self, c: &Context<'_>, class: Class, others: u64, b: &mut Board) {
        let (origin, talker) = (c.device.origin, c.device.talker);
        match c.parts.given {
            None => self.without += u32::from(class == Class::WithoutChecksum || class == Class::MissingChecksum),
            Some(given) => {
                self.with += 1;
                let short = given.len() < 2 || given.iter().any(u8::is_ascii_lowercase);
                self.short += u32::from(short);
                if short && self.short >= LEAST {
                    let n = self.short;
                    b.raise(Kind::ShortChecksum, origin, talker, c.now, || {
                        let how = if given.len() < 2 { "one digit" } else { "small letters" };
                        seen(format!("{n} sentences, {how}: *{}", visible::text(given)), &[("times", n.into())])
                    });
                }
            }
        }
        let all = self.with + self.without;
        let often = f64::from(self.without) > WITHOUT_SHARE * f64::from(all);
        if c.parts.given.is_none() && self.without >= LEAST && often && others > 0 {
            let n = self.without;
            b.raise(Kind::NoChecksum, origin, talker, c.now, || {
                seen(format!("{n} sentences without, others have one"), &[("times", n.into())])
            });
        }
    }

    fn characters(&mut self, c: &Context<'_>, b: &mut Board) {
        let (origin, talker) = (c.device.origin, c.device.talker);
        if c.text.iter().any(|x| *x >= 0x80) {
            self.eight_bit += 1;
            let n = self.eight_bit;
            if n >= LEAST {
                b.raise(Kind::EightBit, origin, talker, c.now, || {
                    seen(format!("{n} sentences"), &[("times", n.into())])
                });
            }
        }
        let body = c.parts.body.unwrap_or_default();
        // Payloads of VDM and makers use what fields may not; `^hh` is the standard's escape.
        let judged = c.parts.delimiter == b'$' && !c.parts.is_proprietary();
        if judged && body.iter().any(|x| matches!(x, b'$' | b'*' | b'!' | b'\\' | b'~') || (*x < b' ') || *x == 0x7f) {
            self.illegal += 1;
            let n = self.illegal;
            if n >= LEAST {
                b.raise(Kind::IllegalCharacters, origin, talker, c.now, || {
                    seen(format!("{n} sentences, last {}", visible::text(c.text)), &[("times", n.into())])
                });
            }
        }
    }
}

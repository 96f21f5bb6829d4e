//! XDR: transducers by type and name, and what well-known names mean for the vessel.

use super::machinery::engine_by_instance;
use super::wire::{Group, Text, Wire};
use super::{About, Cadence, Hearing, Sentence, Style, Tell};
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Known, Label, Transducer, Vessel};

/// One transducer of a sentence.
#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    kind: Option<u8>,
    value: Option<f64>,
    unit: Option<u8>,
    name: Text<20>,
}

impl Reading {
    fn new(kind: u8, value: f64, unit: u8, name: &[u8]) -> Reading {
        Reading { kind: Some(kind), value: Some(value), unit: Some(unit).filter(|u| *u != 0), name: Text::new(name) }
    }

    /// Decimals that suit the quantity: bar to the pascal, volts to the hundredth, pascals whole.
    fn decimals(&self) -> u8 {
        match (self.kind, self.unit) {
            (Some(b'P'), Some(b'P')) => 0,
            (Some(b'P'), _) => 5,
            (Some(b'U' | b'I'), _) => 2,
            (Some(b'V'), Some(b'M')) => 4,
            _ => 1,
        }
    }

    /// Characters it takes at most, its comma included.
    fn length(&self) -> usize {
        let digits = self.value.map_or(0, |v| (v.abs().max(1.0).log10() as usize) + 1);
        // Type, sign, digits, point and decimals, unit, name; four commas.
        1 + 1 + digits + 1 + usize::from(self.decimals()) + 1 + self.name.as_bytes().len() + 4
    }
}

/// As many as one sentence is read with.
const MOST: usize = 16;

/// XDR: readings of transducers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Xdr {
    readings: [Reading; MOST],
    len: u8,
}

static TRANSDUCERS: Group =
    Group { name: "transducers", what: "transducer", width: 4, most: MOST as u8, fixed: false, tail: 0 };

impl Xdr {
    fn of(readings: &[Reading]) -> Xdr {
        let mut xdr = Xdr { len: readings.len().min(MOST) as u8, ..Xdr::default() };
        for (place, reading) in xdr.readings.iter_mut().zip(readings) {
            *place = *reading;
        }
        xdr
    }
}

impl Sentence for Xdr {
    const ABOUT: About = About {
        id: "XDR",
        formatter: "XDR",
        title: "Transducers: temperatures, pressures, angles, volts, tanks",
        talker: "ER",
        period_ms: Some(1000),
        cadence: Cadence::Slow,
        priority: 4,
        sub_key: &[3, 7, 11, 15],
        field_counts: &[4, 8, 12, 16, 20, 24, 28, 32],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        let mut i = 0;
        while w.another(&TRANSDUCERS, i, usize::from(self.len)) {
            let mut spare = Reading::default();
            let r = self.readings.get_mut(i).unwrap_or(&mut spare);
            let kind = "A angle, C temperature, D length, F frequency, G generic, H humidity, N force, P pressure, \
                        R flow, S switch, T tachometer, U volts, V volume";
            w.letter("type", kind, &[], &mut r.kind);
            w.number("value", "in its unit", r.decimals(), &mut r.value);
            let unit = "C Celsius, B bar, P pascal or percent, D degrees, V volts, R revolutions a minute, M metres";
            w.letter("unit", unit, &[], &mut r.unit);
            w.text("name", "of the transducer, without regard to case", r.name.place());
            i += 1;
            self.len = self.len.max(i.min(MOST) as u8);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        for r in self.readings.iter().take(usize::from(self.len)) {
            let (Some(kind), Some(value)) = (r.kind, r.value) else { continue };
            let unit = r.unit.unwrap_or(0);
            let name = Label::new(r.name.as_bytes());
            keep(heard, vessel, Transducer { kind, unit, name, value });
            understand(heard, vessel, kind, unit, r.name.as_bytes(), value);
        }
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        for engine in vessel.engines.iter().flatten() {
            let name = format!("ENGINE#{}", engine.instance);
            let mut readings = Vec::with_capacity(2);
            readings.extend(engine.coolant_c.bare().map(|c| Reading::new(b'C', c, b'C', name.as_bytes())));
            readings.extend(engine.rpm.bare().map(|r| Reading::new(b'T', r, b'R', name.as_bytes())));
            if !readings.is_empty() {
                tell.say(Xdr::of(&readings));
            }
        }
        // The others share sentences, as many as fit.
        let others = others(vessel);
        let mut rest = &others[..];
        while !rest.is_empty() {
            let mut room = super::framing::LONGEST - "$YXXDR*hh".len();
            let mut n = 0;
            while let Some(r) = rest.get(n).filter(|r| n == 0 || r.length() <= room) {
                room = room.saturating_sub(r.length());
                n += 1;
            }
            tell.say_as("YX", Xdr::of(&rest[..n]));
            rest = &rest[n..];
        }
    }
}

/// What the vessel's own values make, and its further transducers, each name once.
fn others(vessel: &Vessel) -> Vec<Reading> {
    let own = [
        (b'A', vessel.pitch_deg.bare(), b'D', &b"PITCH"[..]),
        (b'A', vessel.heel_deg.bare(), b'D', b"ROLL"),
        (b'P', vessel.pressure_hpa.bare().map(|p| p / 1000.0), b'B', b"BARO"),
        (b'C', vessel.air_c.bare(), b'C', b"AIRTEMP"),
        (b'H', vessel.humidity_percent.bare(), b'P', b"HUMIDITY"),
    ];
    let own = own.into_iter().filter_map(|(kind, value, unit, name)| Some(Reading::new(kind, value?, unit, name)));
    let mut all: Vec<Reading> = own.collect();
    for t in vessel.transducers.iter().flatten().map(|t| t.value) {
        let same = |r: &Reading| r.kind == Some(t.kind) && r.name.as_bytes().eq_ignore_ascii_case(t.name.as_bytes());
        if !all.iter().any(same) {
            all.push(Reading::new(t.kind, t.value, t.unit, t.name.as_bytes()));
        }
    }
    all
}

/// Keeps a transducer in its place: by type and name, else in the first free one.
fn keep(heard: &Hearing<'_>, vessel: &mut Vessel, t: Transducer) {
    let same = |k: &Option<Known<Transducer>>| {
        k.is_some_and(|k| k.value.kind == t.kind && k.value.name.as_bytes().eq_ignore_ascii_case(t.name.as_bytes()))
    };
    let list = &mut vessel.transducers;
    let place = list.iter().position(same).or_else(|| list.iter().position(Option::is_none));
    if let Some(place) = place.and_then(|i| list.get_mut(i)) {
        heard.set(place, Some(t));
    }
}

/// Names that many instruments agree on.
fn understand(heard: &Hearing<'_>, vessel: &mut Vessel, kind: u8, unit: u8, name: &[u8], value: f64) {
    let mut upper = [0u8; 20];
    let len = name.len().min(upper.len());
    upper[..len].copy_from_slice(&name[..len]);
    upper.make_ascii_uppercase();
    let name = &upper[..len];
    let celsius = match unit {
        b'C' => Some(value),
        b'K' => Some(value - 273.15),
        b'F' => Some((value - 32.0) / 1.8),
        _ => None,
    };
    match (kind, name) {
        (b'A', b"PITCH" | b"PTCH") => heard.set(&mut vessel.pitch_deg, Some(value)),
        (b'A', b"ROLL" | b"HEEL") => heard.set(&mut vessel.heel_deg, Some(value)),
        (b'C', b"AIRTEMP" | b"TEMPAIR" | b"AIR" | b"ENV_OUTAIR_T" | b"ENV_OUTSIDE_T") => {
            heard.set(&mut vessel.air_c, celsius);
        }
        (b'H', b"HUMIDITY" | b"HUMI" | b"AIR" | b"ENV_OUTSIDE_H" | b"ENV_OUTAIR_H") => {
            heard.set(&mut vessel.humidity_percent, Some(value));
        }
        (b'P', b"BARO" | b"BAROMETER" | b"AIRPRESS" | b"AIR" | b"ENV_ATMOS_P") => {
            let hpa = match unit {
                b'B' => Some(value * 1000.0),
                b'P' => Some(value / 100.0),
                _ => None,
            };
            heard.set(&mut vessel.pressure_hpa, hpa);
        }
        (b'C' | b'T', _) => {
            let Some(digits) = name.strip_prefix(b"ENGINE#") else { return };
            let Some(instance) = std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok()) else { return };
            let Some(engine) = engine_by_instance(vessel, instance) else { return };
            if kind == b'C' {
                heard.set(&mut engine.coolant_c, celsius);
            } else if unit == b'R' {
                heard.set(&mut engine.rpm, Some(value));
                heard.set(&mut engine.running, Some(value != 0.0));
            }
        }
        _ => {}
    }
}

//! Rudder and engines: RSA, RPM.

use super::wire::{Form, Wire};
use super::{About, Hearing, Sentence, Style, Tell};
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Engine, Vessel};

/// RSA: angle of the rudder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rsa {
    starboard: Option<f64>,
    starboard_status: Option<u8>,
    port: Option<f64>,
    port_status: Option<u8>,
}

impl Sentence for Rsa {
    const ABOUT: About = About {
        id: "RSA",
        formatter: "RSA",
        title: "Rudder angle",
        talker: "II",
        period_ms: Some(1000),
        priority: 6,
        field_counts: &[4, 8],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        let what = "starboard or single rudder, starboard positive";
        w.angle("rudder_starboard_deg", what, Form::Signed180, &mut self.starboard);
        w.letter("starboard_status", "A valid", b"AV", &mut self.starboard_status);
        w.angle("rudder_port_deg", "port rudder, starboard positive", Form::Signed180, &mut self.port);
        w.letter("port_status", "A valid", b"AV", &mut self.port_status);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        // Older instruments leave the status empty.
        if self.starboard_status != Some(b'V') {
            heard.set(&mut vessel.rudder_deg, self.starboard);
        }
        if self.port_status != Some(b'V') {
            heard.set(&mut vessel.rudder_port_deg, self.port);
        }
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let (starboard, port) = (vessel.rudder_deg.bare(), vessel.rudder_port_deg.bare());
        let status = |angle: Option<f64>| Some(if angle.is_some() { b'A' } else { b'V' });
        if starboard.is_some() || port.is_some() {
            tell.say(Rsa { starboard, starboard_status: status(starboard), port, port_status: status(port) });
        }
    }
}

/// RPM: revolutions of an engine or shaft.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rpm {
    source: Option<u8>,
    number: Option<i32>,
    rpm: Option<f64>,
    pitch: Option<f64>,
    status: Option<u8>,
}

impl Sentence for Rpm {
    const ABOUT: About = About {
        id: "RPM",
        formatter: "RPM",
        title: "Revolutions of an engine or shaft",
        talker: "ER",
        period_ms: Some(1000),
        sub_key: &[0, 1],
        field_counts: &[5],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.letter("source", "S shaft, E engine", b"SE", &mut self.source);
        w.whole(
            "number",
            "0 single or centre, odd starboard, even port, from the centre line",
            1,
            99,
            &mut self.number,
        );
        w.number("rpm", "revolutions a minute, negative astern", 1, &mut self.rpm);
        w.number("pitch_percent", "propeller pitch, negative astern", 1, &mut self.pitch);
        w.letter("status", "A valid", b"AV", &mut self.status);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        let Some(number) = self.number.and_then(|n| u8::try_from(n).ok()) else { return };
        if self.status == Some(b'V') {
            return;
        }
        let Some(engine) = engine_by_number(vessel, number) else { return };
        if self.source != Some(b'S') || engine.rpm.is_none() {
            heard.set(&mut engine.rpm, self.rpm);
            heard.set(&mut engine.running, self.rpm.map(|rpm| rpm != 0.0));
        }
        heard.set(&mut engine.pitch_percent, self.pitch);
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        for engine in vessel.engines.iter().flatten() {
            if let Some(rpm) = engine.rpm.bare() {
                tell.say(Rpm {
                    source: Some(b'E'),
                    number: Some(engine.number.into()),
                    rpm: Some(rpm),
                    pitch: engine.pitch_percent.bare(),
                    status: Some(b'A'),
                });
            }
        }
    }
}

/// The instance of `ENGINE#n` that an RPM number stands for. RPM counts from the centre line, odd to starboard, even to
/// port; XDR counts instances from port: 0 single or port, 1 starboard, 2 and 3 the outer ones.
pub fn instance_of_number(number: u8) -> u8 {
    match number {
        0 => 0,
        n if n % 2 == 1 => n,
        n => n - 2,
    }
}

/// The engine with that RPM number; one known only by its instance takes the number; else the next free place.
pub(super) fn engine_by_number(vessel: &mut Vessel, number: u8) -> Option<&mut Engine> {
    let engines = &mut vessel.engines;
    let instance = instance_of_number(number);
    let named = |e: &Option<Engine>| e.is_some_and(|e| e.number == number && e.rpm.is_some());
    let place = engines
        .iter()
        .position(named)
        .or_else(|| engines.iter().position(|e| e.is_some_and(|e| e.number == number)))
        .or_else(|| engines.iter().position(|e| e.is_some_and(|e| e.instance == instance && e.number == 0)))
        .or_else(|| engines.iter().position(Option::is_none))?;
    let engine = engines.get_mut(place)?.get_or_insert(Engine { number, instance, ..Engine::default() });
    engine.number = number;
    Some(engine)
}

/// The engine with that XDR instance, else the next free place; none with an instance to which no number belongs.
pub(super) fn engine_by_instance(vessel: &mut Vessel, instance: u8) -> Option<&mut Engine> {
    let engines = &mut vessel.engines;
    let place = engines
        .iter()
        .position(|e| e.is_some_and(|e| e.instance == instance))
        .or_else(|| engines.iter().position(Option::is_none))?;
    // The number of an outer instance: 1 is starboard; 0 may turn out to be the port one.
    let number = if instance == 0 || instance % 2 == 1 { instance } else { instance.checked_add(2)? };
    Some(engines.get_mut(place)?.get_or_insert(Engine { number, instance, ..Engine::default() }))
}

//! Satellites: GSA (used, DOPs) and GSV (in view), kept per system.

use super::wire::{Group, Text, Wire};
use super::{About, Cadence, Hearing, Sentence, Style, Tell, Version, gnss};
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Fix, Satellite, System, Vessel};

/// The system a talker stands for; `GN` stands for none.
pub(super) fn system_of_talker(talker: &[u8]) -> Option<System> {
    match talker {
        b"GP" => Some(System::Gps),
        b"GL" => Some(System::Glonass),
        b"GA" => Some(System::Galileo),
        b"GB" | b"BD" => Some(System::Beidou),
        b"GQ" | b"QZ" => Some(System::Qzss),
        b"GI" => Some(System::Navic),
        _ => None,
    }
}

/// The talker of a system.
fn talker_of(system: System) -> &'static str {
    match system {
        System::Gps => "GP",
        System::Glonass => "GL",
        System::Galileo => "GA",
        System::Beidou => "GB",
        System::Qzss => "GQ",
        System::Navic => "GI",
    }
}

fn system_of_id(id: i32) -> Option<System> {
    Some(match id {
        1 => System::Gps,
        2 => System::Glonass,
        3 => System::Galileo,
        4 => System::Beidou,
        5 => System::Qzss,
        6 => System::Navic,
        _ => return None,
    })
}

/// The system a satellite number belongs to, where receivers number all systems in one list (u-blox "extended").
fn system_of_prn(prn: i32) -> System {
    match prn {
        65..=99 => System::Glonass,
        193..=202 => System::Qzss,
        301..=336 => System::Galileo,
        201..=263 | 401..=463 => System::Beidou,
        _ => System::Gps,
    }
}

/// The signal that a receiver tracks of each system: L1 C/A, G1, E1, B1I, L1 C/A, L5 (NMEA 4.10, 4.11).
fn signal_of(system: System) -> &'static [u8] {
    if system == System::Galileo { b"7" } else { b"1" }
}

/// GSA: which satellites are used, and how well they stand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gsa {
    selection: Option<u8>,
    fix: Option<i32>,
    prns: [Option<i32>; 12],
    pdop: Option<f64>,
    hdop: Option<f64>,
    vdop: Option<f64>,
    system_id: Option<i32>,
}

static PRNS: Group = Group { name: "prns", what: "satellite used", width: 1, most: 12, fixed: true, tail: 3 };

impl Sentence for Gsa {
    const ABOUT: About = About {
        id: "GSA",
        formatter: "GSA",
        title: "Satellites used and dilution of precision",
        talker: "GP",
        period_ms: Some(1000),
        cadence: Cadence::Epoch,
        priority: 1,
        sub_key: &[17],
        field_counts: &[17, 18],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.letter("selection", "A automatic, M manual choice of 2D or 3D", b"AM", &mut self.selection);
        w.whole("fix", "1 none, 2 2D, 3 3D", 1, 3, &mut self.fix);
        let mut i = 0;
        while w.another(&PRNS, i, 12) {
            let mut spare = None;
            w.whole("prn", "number of a satellite used", 2, 999, self.prns.get_mut(i).unwrap_or(&mut spare));
            i += 1;
        }
        w.positive("pdop", "dilution of precision in space", 1, &mut self.pdop);
        w.positive("hdop", "horizontal dilution of precision", 1, &mut self.hdop);
        w.positive("vdop", "vertical dilution of precision", 1, &mut self.vdop);
        if w.more(self.system_id.is_some()) {
            let what = "1 GPS, 2 GLONASS, 3 Galileo, 4 BeiDou, 5 QZSS, 6 NavIC";
            w.whole("system_id", what, 1, 15, &mut self.system_id);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        let g = &mut vessel.gnss;
        let fix = match self.fix {
            Some(1) => Some(Fix::None),
            Some(2) => Some(Fix::TwoD),
            Some(3) => Some(Fix::ThreeD),
            _ => None,
        };
        heard.set(&mut g.fix, fix);
        if fix.is_some_and(|f| f != Fix::None) {
            heard.set(&mut g.pdop, self.pdop);
            heard.set(&mut g.hdop, self.hdop);
            heard.set(&mut g.vdop, self.vdop);
        }
        let used = || self.prns.iter().flatten().copied();
        let system = self
            .system_id
            .and_then(system_of_id)
            .or_else(|| system_of_talker(heard.talker))
            .or_else(|| used().next().map(system_of_prn));
        let Some(c) = system.and_then(|s| g.systems.get_mut(s as usize - 1)) else { return };
        heard.set(&mut c.used, u8::try_from(used().count()).ok());
        for satellite in c.satellites.iter_mut().filter(|s| s.prn > 0) {
            satellite.used = used().any(|prn| prn == i32::from(satellite.prn));
        }
    }

    fn say(vessel: &Vessel, _: Moment, style: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let g = &vessel.gnss;
        let here = gnss::fix(vessel).is_some();
        let fix = match g.fix.bare() {
            _ if !here => 1,
            Some(Fix::TwoD) => 2,
            _ => 3,
        };
        let dop = |value: Option<f64>| value.filter(|_| here);
        for system in gnss::systems(vessel) {
            let mut prns = [None; 12];
            let used = g.systems[system as usize - 1].satellites.iter().filter(|s| here && s.used && s.prn > 0);
            for (place, satellite) in prns.iter_mut().zip(used) {
                *place = Some(i32::from(satellite.prn));
            }
            tell.say_as(
                gnss::talker(vessel),
                Gsa {
                    selection: Some(b'A'),
                    fix: Some(fix),
                    prns,
                    pdop: dop(g.pdop.bare()),
                    hdop: dop(g.hdop.bare()),
                    vdop: dop(g.vdop.bare()),
                    system_id: (style.version == Version::V410).then_some(system as i32),
                },
            );
        }
    }
}

/// One satellite of GSV.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct InView {
    prn: Option<i32>,
    elevation: Option<i32>,
    azimuth: Option<i32>,
    snr: Option<i32>,
}

/// GSV: satellites in view, four a sentence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gsv {
    sentences: Option<i32>,
    sentence: Option<i32>,
    in_view: Option<i32>,
    satellites: [InView; 4],
    len: u8,
    signal_id: Text<2>,
}

static SATELLITES: Group =
    Group { name: "satellites", what: "satellite in view", width: 4, most: 4, fixed: false, tail: 1 };

impl Sentence for Gsv {
    const ABOUT: About = About {
        id: "GSV",
        formatter: "GSV",
        title: "Satellites in view",
        talker: "GP",
        period_ms: Some(5000),
        usual_ms: 5000,
        cadence: Cadence::Epoch,
        priority: 0,
        field_counts: &[3, 4, 7, 8, 11, 12, 15, 16, 19, 20],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("sentences", "sentences of this group", 1, 99, &mut self.sentences);
        w.whole("sentence", "number of this one", 1, 99, &mut self.sentence);
        w.whole("in_view", "satellites in view", 2, 999, &mut self.in_view);
        let mut i = 0;
        while w.another(&SATELLITES, i, usize::from(self.len)) {
            let mut spare = InView::default();
            let s = self.satellites.get_mut(i).unwrap_or(&mut spare);
            w.whole("prn", "number of the satellite", 2, 999, &mut s.prn);
            w.padded("elevation_deg", "above the horizon", 2, (-90, 90), &mut s.elevation);
            w.whole("azimuth_true_deg", "from true north", 3, 360, &mut s.azimuth);
            // The last group may lack it.
            if w.more(true) {
                w.whole("snr_db", "carrier to noise, empty when not tracked", 2, 99, &mut s.snr);
            }
            i += 1;
            self.len = self.len.max(i.min(4) as u8);
        }
        if w.more(!self.signal_id.is_empty()) {
            w.text("signal_id", "signal, hexadecimal (0: all)", self.signal_id.place());
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        let first_prn = self.satellites[0].prn;
        let system = system_of_talker(heard.talker).or_else(|| first_prn.map(system_of_prn)).unwrap_or(System::Gps);
        let Some(c) = vessel.gnss.systems.get_mut(system as usize - 1) else { return };
        heard.set(&mut c.in_view, self.in_view.and_then(|n| u16::try_from(n).ok()));
        let Some(sentence) = self.sentence.filter(|n| *n >= 1) else { return };
        // Four places a sentence; the first sentence empties those behind it.
        let from = (sentence as usize - 1).saturating_mul(4);
        let old = c.satellites;
        let places = c.satellites.iter_mut().skip(from).take(if sentence == 1 { 16 } else { 4 });
        let mut told = self.satellites.iter().take(usize::from(self.len));
        for place in places {
            let Some(s) = told.next() else {
                *place = Satellite::default();
                continue;
            };
            let prn = s.prn.and_then(|n| u16::try_from(n).ok()).unwrap_or(0);
            *place = Satellite {
                prn,
                elevation_deg: s.elevation.map_or(-1, |n| n as i8),
                azimuth_true_deg: s.azimuth.map_or(-1, |n| n as i16),
                snr_db: s.snr.map_or(-1, |n| n as i8),
                used: prn > 0 && old.iter().any(|o| o.prn == prn && o.used),
            };
        }
    }

    fn say(vessel: &Vessel, _: Moment, style: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let here = gnss::fix(vessel).is_some();
        let several = gnss::systems(vessel).count() > 1;
        for system in gnss::systems(vessel) {
            let known = vessel.gnss.systems[system as usize - 1].satellites;
            let mut list = known.iter().filter(|s| here && s.prn > 0);
            let count = list.clone().count();
            let sentences = count.div_ceil(4).max(1);
            for sentence in 1..=sentences {
                let mut gsv = Gsv {
                    sentences: i32::try_from(sentences).ok(),
                    sentence: i32::try_from(sentence).ok(),
                    in_view: i32::try_from(count).ok(),
                    ..Gsv::default()
                };
                for (place, s) in gsv.satellites.iter_mut().zip(list.by_ref().take(4)) {
                    let unless_negative = |n: i32| (n >= 0).then_some(n);
                    *place = InView {
                        prn: Some(s.prn.into()),
                        elevation: unless_negative(s.elevation_deg.into()),
                        azimuth: unless_negative(s.azimuth_true_deg.into()).map(|a| a % 360),
                        snr: unless_negative(s.snr_db.into()),
                    };
                    gsv.len += 1;
                }
                if style.version == Version::V410 {
                    gsv.signal_id = Text::new(signal_of(system));
                }
                if several {
                    tell.say_only_as(talker_of(system), gsv);
                } else {
                    tell.say_as(talker_of(system), gsv);
                }
            }
        }
    }
}

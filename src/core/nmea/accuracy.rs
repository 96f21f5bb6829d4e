//! How good the fix is: GST, GBS, GRS, and the datum, DTM.

use super::wire::{Field, Form, Group, Slot, Text, TimeOfDay, Wire};
use super::{About, Cadence, Hearing, Sentence, Style, Tell, Version, gnss};
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Vessel};

/// Standard deviations of latitude (as of longitude: a circle) and of altitude, metres: DOP times the range error.
fn sigmas(vessel: &Vessel) -> Option<(f64, f64, f64)> {
    gnss::fix(vessel)?;
    let g = &vessel.gnss;
    let range = g.range_error_m.bare()?;
    let horizontal = g.hdop.bare()? * range * std::f64::consts::FRAC_1_SQRT_2;
    Some((range, horizontal, g.vdop.bare()? * range))
}

/// GST: error statistics of the position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gst {
    time: Option<TimeOfDay>,
    rms: Option<f64>,
    major: Option<f64>,
    minor: Option<f64>,
    orientation: Option<f64>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    altitude: Option<f64>,
}

impl Sentence for Gst {
    const ABOUT: About = About {
        id: "GST",
        formatter: "GST",
        title: "Error statistics of the position",
        talker: "GP",
        cadence: Cadence::Slow,
        priority: 1,
        field_counts: &[8],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.time("time", "UTC of the position", &mut self.time);
        w.positive("rms_m", "standard deviation of the ranges", 1, &mut self.rms);
        w.positive("semi_major_m", "of the error ellipse", 1, &mut self.major);
        w.positive("semi_minor_m", "of the error ellipse", 1, &mut self.minor);
        w.bearing("orientation_true_deg", "of the ellipse's major axis", &mut self.orientation);
        w.positive("latitude_error_m", "standard deviation of the latitude", 1, &mut self.latitude);
        w.positive("longitude_error_m", "standard deviation of the longitude", 1, &mut self.longitude);
        w.positive("altitude_error_m", "standard deviation of the altitude", 1, &mut self.altitude);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        gnss::keep_time(heard, vessel, self.time);
    }

    fn say(vessel: &Vessel, now: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let s = sigmas(vessel);
        let horizontal = s.map(|s| s.1);
        tell.say_as(
            gnss::talker(vessel),
            Gst {
                time: gnss::time_field(vessel, now),
                rms: s.map(|s| s.0),
                major: horizontal,
                minor: horizontal,
                orientation: s.map(|_| 0.0),
                latitude: horizontal,
                longitude: horizontal,
                altitude: s.map(|s| s.2),
            },
        );
    }
}

const SYSTEM: &str = "1 GPS, 2 GLONASS, 3 Galileo, 4 BeiDou, 5 QZSS, 6 NavIC";

/// GBS: expected errors, and a satellite that has failed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gbs {
    time: Option<TimeOfDay>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    altitude: Option<f64>,
    failed: Option<i32>,
    missed: Option<f64>,
    bias: Option<f64>,
    deviation: Option<f64>,
    ids: bool,
    system_id: Text<2>,
    signal_id: Text<2>,
}

impl Sentence for Gbs {
    const ABOUT: About = About {
        id: "GBS",
        formatter: "GBS",
        title: "Expected errors and failed satellite (RAIM)",
        talker: "GP",
        cadence: Cadence::Slow,
        priority: 1,
        field_counts: &[8, 10],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.time("time", "UTC of the position", &mut self.time);
        w.number("latitude_error_m", "expected error of the latitude", 1, &mut self.latitude);
        w.number("longitude_error_m", "expected error of the longitude", 1, &mut self.longitude);
        w.number("altitude_error_m", "expected error of the altitude", 1, &mut self.altitude);
        w.whole("failed_prn", "number of the satellite most likely failed", 2, 999, &mut self.failed);
        w.positive("missed_probability", "probability that it was missed", 3, &mut self.missed);
        w.number("bias_m", "estimate of its bias", 1, &mut self.bias);
        w.number("bias_deviation_m", "standard deviation of the bias", 1, &mut self.deviation);
        self.ids = w.more(self.ids);
        if self.ids {
            w.text("system_id", SYSTEM, self.system_id.place());
            if w.more(true) {
                w.text("signal_id", "signal, hexadecimal", self.signal_id.place());
            }
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        gnss::keep_time(heard, vessel, self.time);
    }

    fn say(vessel: &Vessel, now: Moment, style: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let s = sigmas(vessel);
        tell.say_as(
            gnss::talker(vessel),
            Gbs {
                time: gnss::time_field(vessel, now),
                latitude: s.map(|s| s.1),
                longitude: s.map(|s| s.1),
                altitude: s.map(|s| s.2),
                // System and signal are those of the failed satellite: none has.
                ids: style.version == Version::V410,
                ..Gbs::default()
            },
        );
    }
}

/// GRS: residuals of the ranges.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grs {
    time: Option<TimeOfDay>,
    recomputed: Option<i32>,
    residuals: [Option<f64>; 12],
    ids: bool,
    system_id: Text<2>,
    signal_id: Text<2>,
}

static RESIDUALS: Group = Group {
    name: "residuals_m",
    what: "residual of a satellite used, in the order of GSA",
    width: 1,
    most: 12,
    fixed: true,
    tail: 2,
};

impl Sentence for Grs {
    const ABOUT: About = About {
        id: "GRS",
        formatter: "GRS",
        title: "Residuals of the ranges",
        talker: "GP",
        cadence: Cadence::Epoch,
        field_counts: &[14, 16],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.time("time", "UTC of the position", &mut self.time);
        w.whole("recomputed", "0 used in the fix, 1 computed after it", 1, 1, &mut self.recomputed);
        let mut i = 0;
        while w.another(&RESIDUALS, i, 12) {
            let mut spare = None;
            w.number("residual_m", "metres", 1, self.residuals.get_mut(i).unwrap_or(&mut spare));
            i += 1;
        }
        self.ids = w.more(self.ids);
        if self.ids {
            w.text("system_id", SYSTEM, self.system_id.place());
            if w.more(true) {
                w.text("signal_id", "signal, hexadecimal", self.signal_id.place());
            }
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        gnss::keep_time(heard, vessel, self.time);
    }
}

/// DTM: the datum of the positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dtm {
    datum: Text<16>,
    subdivision: Text<8>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    altitude: Option<f64>,
    reference: Text<16>,
}

impl Sentence for Dtm {
    const ABOUT: About = About {
        id: "DTM",
        formatter: "DTM",
        title: "Datum of the positions",
        talker: "GP",
        cadence: Cadence::Slow,
        field_counts: &[8],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.text("datum", "W84, W72, S85, P90, 999 own", self.datum.place());
        w.text("subdivision", "of the datum", self.subdivision.place());
        let minutes = |value, letters| Slot::Signed { value, decimals: 4, letters, form: Form::Positive };
        let field = |name, what| Field { name, what };
        w.field(field("latitude_offset_min", "minutes, N positive"), minutes(&mut self.latitude, *b"NS"));
        w.field(field("longitude_offset_min", "minutes, E positive"), minutes(&mut self.longitude, *b"EW"));
        w.number("altitude_offset_m", "metres", 1, &mut self.altitude);
        w.text("reference", "datum of reference", self.reference.place());
    }
}

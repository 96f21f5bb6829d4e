//! What a radar says: TTM, TLL, OSD, RSD. Nothing of it is the vessel's own.

use super::wire::{Form, Measure, Text, TimeOfDay, Unit, Wire, unit};
use super::{About, Cadence, Sentence};
use crate::core::ais::radar::Track;
use crate::core::time::Utc;

const DISTANCE: &[Unit] = &[unit('N', "distance_nm", 2), unit('K', "distance_km", 2), unit('S', "distance_mi", 2)];
const SPEED: &[Unit] = &[unit('N', "speed_kn", 1), unit('K', "speed_kmh", 1), unit('S', "speed_mph", 1)];
const CPA: &[Unit] = &[unit('N', "cpa_nm", 2), unit('K', "cpa_km", 2), unit('S', "cpa_mi", 2)];
const BEARING: &[Unit] = &[unit('T', "bearing_true_deg", 1), unit('R', "bearing_relative_deg", 1)];
const COURSE: &[Unit] = &[unit('T', "course_true_deg", 1), unit('R', "course_relative_deg", 1)];
const STATUS: &str = "L lost, Q acquiring, T tracked";

/// TTM: a tracked target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ttm {
    target: Option<i32>,
    distance: Measure,
    bearing: Measure,
    speed: Measure,
    course: Measure,
    cpa: Measure,
    tcpa: Option<f64>,
    unit: u8,
    name: Text<32>,
    status: Option<u8>,
    reference: Option<u8>,
    timed: bool,
    time: Option<TimeOfDay>,
    acquisition: Option<u8>,
}

impl Ttm {
    /// What a radar says of a track; `utc` is the time of the sweep.
    pub fn of(track: &Track, utc: Option<Utc>) -> Ttm {
        Ttm {
            target: Some(track.number.into()),
            distance: Measure::new(Some(track.distance_nm), 'N'),
            bearing: Measure::new(Some(track.bearing_true_deg), 'T'),
            speed: Measure::new(Some(track.speed_kn), 'N'),
            course: Measure::new(Some(track.course_true_deg), 'T'),
            cpa: Measure::new(Some(track.cpa_nm), 'N'),
            tcpa: Some(track.tcpa_min),
            unit: b'N',
            name: Text::new(track.name.as_bytes()),
            status: Some(track.status),
            reference: None,
            timed: true,
            time: utc.map(|utc| TimeOfDay::of(utc, 2)),
            acquisition: Some(b'A'),
        }
    }
}

impl Sentence for Ttm {
    const ABOUT: About = About {
        id: "TTM",
        formatter: "TTM",
        title: "Tracked radar target",
        talker: "RA",
        usual_ms: 2500,
        cadence: Cadence::Event,
        priority: 3,
        sub_key: &[0],
        field_counts: &[13, 15],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("target", "number of the target", 2, 999, &mut self.target);
        w.measure_ahead("distance of the target", DISTANCE, Form::Positive, 8, &mut self.distance);
        w.measure("bearing of the target", BEARING, Form::Bearing, &mut self.bearing);
        w.measure_ahead("speed of the target", SPEED, Form::Positive, 5, &mut self.speed);
        w.measure("course of the target", COURSE, Form::Bearing, &mut self.course);
        w.measure_ahead("distance at the closest point of approach", CPA, Form::Positive, 2, &mut self.cpa);
        w.number("tcpa_min", "minutes to the closest point, negative when past", 1, &mut self.tcpa);
        w.unit_letter("N nautical miles and knots, K kilometres, S miles", b"NKS", &mut self.unit);
        w.waypoint("name", "of the target", self.name.place());
        w.letter("status", STATUS, b"LQT", &mut self.status);
        w.letter("reference", "R: the reference target", b"R", &mut self.reference);
        self.timed = w.more(self.timed);
        if self.timed {
            w.time("time", "UTC of the data", &mut self.time);
            w.letter("acquisition", "A automatic, M manual, R reported", b"AMR", &mut self.acquisition);
        }
    }
}

/// TLL: position of a target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tll {
    target: Option<i32>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    name: Text<32>,
    time: Option<TimeOfDay>,
    status: Option<u8>,
    reference: Option<u8>,
}

impl Sentence for Tll {
    const ABOUT: About = About {
        id: "TLL",
        formatter: "TLL",
        title: "Position of a target",
        talker: "RA",
        cadence: Cadence::Event,
        sub_key: &[0],
        field_counts: &[9],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("target", "number of the target", 2, 999, &mut self.target);
        w.latitude("target_latitude", "of the target", &mut self.latitude);
        w.longitude("target_longitude", "of the target", &mut self.longitude);
        w.waypoint("name", "of the target", self.name.place());
        w.time("time", "UTC of the data", &mut self.time);
        w.letter("status", STATUS, b"LQT", &mut self.status);
        w.letter("reference", "R: the reference target", b"R", &mut self.reference);
    }
}

/// OSD: the own ship as the radar is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Osd {
    heading: Option<f64>,
    heading_status: Option<u8>,
    course: Option<f64>,
    course_reference: Option<u8>,
    speed: Measure,
    speed_reference: Option<u8>,
    set: Option<f64>,
    drift: Measure,
}

const DRIFT: &[Unit] = &[unit('N', "drift_kn", 1), unit('K', "drift_kmh", 1), unit('S', "drift_mph", 1)];
const REFERENCE: &str = "B bottom track, M manual, W water, R radar, P position";

impl Sentence for Osd {
    const ABOUT: About = About {
        id: "OSD",
        formatter: "OSD",
        title: "Own ship data of a radar",
        talker: "RA",
        field_counts: &[9],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.bearing("heading_true_deg", "heading, true", &mut self.heading);
        w.letter("heading_status", "A valid", b"AV", &mut self.heading_status);
        w.bearing("course_true_deg", "course of the vessel, true", &mut self.course);
        w.letter("course_reference", REFERENCE, b"BMWRP", &mut self.course_reference);
        w.measure_ahead("speed of the vessel", SPEED, Form::Plain, 4, &mut self.speed);
        w.letter("speed_reference", REFERENCE, b"BMWRP", &mut self.speed_reference);
        w.bearing("set_true_deg", "direction the current flows to", &mut self.set);
        w.measure("speed of the current, and the unit of both speeds", DRIFT, Form::Plain, &mut self.drift);
    }
}

/// RSD: what a radar shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rsd {
    origin1_range: Measure,
    origin1_bearing: Option<f64>,
    vrm1: Measure,
    ebl1: Option<f64>,
    origin2_range: Measure,
    origin2_bearing: Option<f64>,
    vrm2: Measure,
    ebl2: Option<f64>,
    cursor_range: Measure,
    cursor_bearing: Option<f64>,
    scale: Measure,
    rotation: Option<u8>,
}

const fn lengths(nm: &'static str, km: &'static str, mi: &'static str) -> [Unit; 3] {
    [unit('N', nm, 3), unit('K', km, 3), unit('S', mi, 3)]
}
const ORIGIN1: &[Unit] = &lengths("origin1_range_nm", "origin1_range_km", "origin1_range_mi");
const VRM1: &[Unit] = &lengths("vrm1_nm", "vrm1_km", "vrm1_mi");
const ORIGIN2: &[Unit] = &lengths("origin2_range_nm", "origin2_range_km", "origin2_range_mi");
const VRM2: &[Unit] = &lengths("vrm2_nm", "vrm2_km", "vrm2_mi");
const CURSOR: &[Unit] = &lengths("cursor_range_nm", "cursor_range_km", "cursor_range_mi");
const SCALE: &[Unit] = &lengths("range_scale_nm", "range_scale_km", "range_scale_mi");

impl Sentence for Rsd {
    const ABOUT: About = About {
        id: "RSD",
        formatter: "RSD",
        title: "Radar system data",
        talker: "RA",
        field_counts: &[13],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        let unit = "of both bearings of an origin: from the bow or north, as the radar is set";
        w.measure_ahead("origin 1, range", ORIGIN1, Form::Positive, 11, &mut self.origin1_range);
        w.bearing("origin1_bearing_deg", unit, &mut self.origin1_bearing);
        w.measure_ahead("variable range marker 1", VRM1, Form::Positive, 9, &mut self.vrm1);
        w.bearing("ebl1_deg", "electronic bearing line 1", &mut self.ebl1);
        w.measure_ahead("origin 2, range", ORIGIN2, Form::Positive, 7, &mut self.origin2_range);
        w.bearing("origin2_bearing_deg", unit, &mut self.origin2_bearing);
        w.measure_ahead("variable range marker 2", VRM2, Form::Positive, 5, &mut self.vrm2);
        w.bearing("ebl2_deg", "electronic bearing line 2", &mut self.ebl2);
        w.measure_ahead("cursor, range", CURSOR, Form::Positive, 3, &mut self.cursor_range);
        w.bearing("cursor_bearing_deg", "cursor, bearing", &mut self.cursor_bearing);
        w.measure("range scale in use, and the unit of all ranges", SCALE, Form::Positive, &mut self.scale);
        w.letter("rotation", "C course up, H head up, N north up", b"CHN", &mut self.rotation);
    }
}

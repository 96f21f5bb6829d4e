//! Position, course, speed and time from the receiver: RMC, GGA, GLL, GNS, VTG, ZDA; RMA, which is only heard.
//!
//! Says them with and without a fix; hearing them, a status V never sets the vessel's own position.

use super::wire::{Form, MODES, Measure, NAV_STATUS, Text, TimeOfDay, Unit, Wire, unit};
use super::{About, Cadence, Hearing, Sentence, Style, Tell, Version};
use crate::core::time::{self, Date, Moment};
use crate::core::vessel::{Bare, Fix, Position, System, Vessel};

/// Digits of the seconds in times of day.
const TIME_DIGITS: u8 = 2;

/// The time to be said: that of the moment, if the vessel knows the time at all.
pub(super) fn clock(vessel: &Vessel, now: Moment) -> Option<time::Utc> {
    vessel.utc.bare().map(|own| now.utc.unwrap_or(own))
}

/// As [`clock`], as a field.
pub(super) fn time_field(vessel: &Vessel, now: Moment) -> Option<TimeOfDay> {
    clock(vessel, now).map(|utc| TimeOfDay::of(utc, TIME_DIGITS))
}

/// The position, if the receiver has a fix.
pub(super) fn fix(vessel: &Vessel) -> Option<Position> {
    let g = &vessel.gnss;
    let lost = g.fix.bare() == Some(Fix::None) || g.quality.bare() == Some(0) || g.mode.bare() == Some(b'N');
    vessel.position.bare().filter(|_| !lost)
}

/// The mode letter: as the vessel has it, else by the quality; N without a fix.
pub(super) fn mode(vessel: &Vessel) -> u8 {
    if fix(vessel).is_none() {
        return b'N';
    }
    vessel.gnss.mode.bare().unwrap_or(match vessel.gnss.quality.bare() {
        Some(2) => b'D',
        Some(3) => b'P',
        Some(4) => b'R',
        Some(5) => b'F',
        Some(6) => b'E',
        Some(7) => b'M',
        Some(8) => b'S',
        _ => b'A',
    })
}

/// Status A or V. IEC 61162-1: V for every mode but A, D, F, P, R, unless the receiver says otherwise.
pub(super) fn status(vessel: &Vessel) -> u8 {
    let mode = mode(vessel);
    let valid = mode != b'N' && vessel.gnss.valid.bare().unwrap_or(b"ADFPR".contains(&mode));
    if valid { b'A' } else { b'V' }
}

/// Systems that are simulated or were heard; GPS if none is known.
pub(super) fn systems(vessel: &Vessel) -> impl Iterator<Item = System> + '_ {
    let all = [System::Gps, System::Glonass, System::Galileo, System::Beidou, System::Qzss, System::Navic];
    let known = |s: &System| {
        let c = &vessel.gnss.systems[*s as usize - 1];
        c.in_view.is_some() || c.used.is_some()
    };
    let none = !all.iter().any(known);
    all.into_iter().filter(move |s| known(s) || (none && *s == System::Gps))
}

/// `GN` for a fix of several systems.
pub(super) fn talker(vessel: &Vessel) -> &'static str {
    if systems(vessel).count() > 1 { "GN" } else { "GP" }
}

/// Magnetic from true by the variation, where that is known.
pub(super) fn magnetic(vessel: &Vessel, degrees_true: Option<f64>) -> Option<f64> {
    Some((degrees_true? - vessel.variation_deg.bare()?).rem_euclid(360.0))
}

/// Keeps a position that was heard where it belongs: the vessel's own, or that of a void fix.
fn place(heard: &Hearing<'_>, vessel: &mut Vessel, latitude: Option<f64>, longitude: Option<f64>, good: bool) {
    let position = latitude.zip(longitude).map(|(latitude, longitude)| Position { latitude, longitude });
    let place = if good { &mut vessel.position } else { &mut vessel.void_position };
    heard.set(place, position);
    heard.set(&mut vessel.gnss.valid, Some(good));
}

/// Keeps the time of day of a fix.
pub(super) fn keep_time(heard: &Hearing<'_>, vessel: &mut Vessel, time: Option<TimeOfDay>) {
    heard.set(&mut vessel.time_of_day, time.map(|t| t.nanos_of_day()));
}

fn keep_utc(heard: &Hearing<'_>, vessel: &mut Vessel, date: Option<Date>, time: Option<TimeOfDay>) {
    heard.set(&mut vessel.utc, date.zip(time).map(|(d, t)| d.midnight().saturating_add(t.nanos_of_day())));
    keep_time(heard, vessel, time);
}

/// RMC: the minimum a receiver says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rmc {
    time: Option<TimeOfDay>,
    status: Option<u8>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    speed: Option<f64>,
    course: Option<f64>,
    date: Option<Date>,
    variation: Option<f64>,
    mode: Option<u8>,
    nav_status: Option<u8>,
}

impl Sentence for Rmc {
    const ABOUT: About = About {
        id: "RMC",
        formatter: "RMC",
        title: "Recommended minimum: position, speed, course, date",
        talker: "GP",
        period_ms: Some(1000),
        priority: 9,
        field_counts: &[11, 12, 13],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.time("time", "UTC of the position", &mut self.time);
        w.letter("status", "A valid, V receiver warning", b"AV", &mut self.status);
        w.latitude("latitude", "latitude", &mut self.latitude);
        w.longitude("longitude", "longitude", &mut self.longitude);
        w.positive("speed_kn", "speed over ground", 1, &mut self.speed);
        w.bearing("course_true_deg", "course over ground, true", &mut self.course);
        w.date("date", "date", &mut self.date);
        w.east_west("variation_deg", "magnetic variation, E positive", &mut self.variation);
        if w.more(true) {
            w.letter("mode", "A autonomous, D differential, E estimated, N not valid", MODES, &mut self.mode);
        }
        if w.more(self.nav_status.is_some()) {
            w.letter("nav_status", "S safe, C caution, U unsafe, V not provided", NAV_STATUS, &mut self.nav_status);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        keep_utc(heard, vessel, self.date, self.time);
        let good = self.status == Some(b'A') && self.mode != Some(b'N');
        place(heard, vessel, self.latitude, self.longitude, good);
        heard.set(&mut vessel.gnss.mode, self.mode);
        if good {
            heard.set(&mut vessel.sog_kn, self.speed);
            heard.set(&mut vessel.cog_true_deg, self.course);
            heard.set(&mut vessel.variation_deg, self.variation);
        }
    }

    fn say(vessel: &Vessel, now: Moment, style: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let here = fix(vessel);
        let fixed = |value: Option<f64>| here.and(value);
        tell.say_as(
            talker(vessel),
            Rmc {
                time: time_field(vessel, now),
                status: Some(status(vessel)),
                latitude: here.map(|p| p.latitude),
                longitude: here.map(|p| p.longitude),
                speed: fixed(vessel.sog_kn.bare()),
                course: fixed(vessel.cog_true_deg.bare()),
                date: clock(vessel, now).map(time::date_of),
                variation: fixed(vessel.variation_deg.bare()),
                mode: Some(mode(vessel)),
                nav_status: (style.version == Version::V410).then_some(b'V'),
            },
        );
    }
}

/// GGA: the fix and its quality.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gga {
    time: Option<TimeOfDay>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    quality: Option<i32>,
    satellites: Option<i32>,
    hdop: Option<f64>,
    altitude: Measure,
    geoid: Measure,
    age: Option<f64>,
    station: Text<8>,
}

const ALTITUDE: &[Unit] = &[unit('M', "altitude_m", 1)];
const GEOID: &[Unit] = &[unit('M', "geoid_m", 1)];

impl Sentence for Gga {
    const ABOUT: About = About {
        id: "GGA",
        formatter: "GGA",
        title: "Fix: position, quality, satellites, altitude",
        talker: "GP",
        period_ms: Some(1000),
        priority: 6,
        field_counts: &[12, 13, 14],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.time("time", "UTC of the position", &mut self.time);
        w.latitude("latitude", "latitude", &mut self.latitude);
        w.longitude("longitude", "longitude", &mut self.longitude);
        let quality = "0 no fix, 1 GPS, 2 differential, 3 PPS, 4 RTK, 5 float RTK, 6 estimated, 7 manual, 8 simulator";
        w.whole("quality", quality, 1, 9, &mut self.quality);
        w.whole("satellites", "satellites used", 2, 999, &mut self.satellites);
        w.positive("hdop", "horizontal dilution of precision", 1, &mut self.hdop);
        w.measure("antenna above mean sea level", ALTITUDE, Form::Plain, &mut self.altitude);
        w.measure("geoid above the ellipsoid", GEOID, Form::Plain, &mut self.geoid);
        if w.more(true) {
            w.positive("dgps_age_s", "age of the differential corrections", 1, &mut self.age);
        }
        if w.more(true) {
            w.text("dgps_station", "differential reference station", self.station.place());
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        keep_time(heard, vessel, self.time);
        let good = self.quality.is_some_and(|q| q > 0);
        place(heard, vessel, self.latitude, self.longitude, good);
        let g = &mut vessel.gnss;
        heard.set(&mut g.quality, self.quality.and_then(|q| u8::try_from(q).ok()));
        heard.set(&mut g.satellites, self.satellites.map(|n| u8::try_from(n).unwrap_or(u8::MAX)));
        if good {
            heard.set(&mut g.hdop, self.hdop);
            heard.set(&mut g.altitude_m, self.altitude.value);
            heard.set(&mut g.geoid_m, self.geoid.value);
            heard.set(&mut g.dgps_age_s, self.age);
            heard.set(&mut g.dgps_station, station_number(self.station.as_bytes()));
        }
    }

    fn say(vessel: &Vessel, now: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let here = fix(vessel);
        let fixed = |value: Option<f64>| here.and(value);
        let g = &vessel.gnss;
        tell.say_as(
            talker(vessel),
            Gga {
                time: time_field(vessel, now),
                latitude: here.map(|p| p.latitude),
                longitude: here.map(|p| p.longitude),
                quality: Some(here.map_or(0, |_| g.quality.bare().map_or(1, i32::from))),
                satellites: Some(here.map_or(0, |_| g.satellites.bare().map_or(0, i32::from))),
                hdop: fixed(g.hdop.bare()),
                altitude: Measure::new(fixed(g.altitude_m.bare()), 'M'),
                geoid: Measure::new(fixed(g.geoid_m.bare()), 'M'),
                age: fixed(g.dgps_age_s.bare()),
                station: here.and(g.dgps_station.bare()).map(station_text).unwrap_or_default(),
            },
        );
    }
}

fn station_number(text: &[u8]) -> Option<u16> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn station_text(number: u16) -> Text<8> {
    Text::new(format!("{number:04}").as_bytes())
}

/// GLL: position and time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gll {
    latitude: Option<f64>,
    longitude: Option<f64>,
    time: Option<TimeOfDay>,
    status: Option<u8>,
    mode: Option<u8>,
    /// Older than NMEA 2.0: nothing says whether it is good.
    without_status: bool,
}

impl Sentence for Gll {
    const ABOUT: About = About {
        id: "GLL",
        formatter: "GLL",
        title: "Geographic position",
        talker: "GP",
        period_ms: Some(1000),
        priority: 1,
        field_counts: &[5, 6, 7],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.latitude("latitude", "latitude", &mut self.latitude);
        w.longitude("longitude", "longitude", &mut self.longitude);
        w.time("time", "UTC of the position", &mut self.time);
        self.without_status = !w.more(true);
        if !self.without_status {
            w.letter("status", "A valid, V not", b"AV", &mut self.status);
        }
        if w.more(true) {
            w.letter("mode", "A autonomous, D differential, E estimated, N not valid", MODES, &mut self.mode);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        keep_time(heard, vessel, self.time);
        let good = (self.status == Some(b'A') || self.without_status) && self.mode != Some(b'N');
        place(heard, vessel, self.latitude, self.longitude, good);
        heard.set(&mut vessel.gnss.mode, self.mode);
    }

    fn say(vessel: &Vessel, now: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let here = fix(vessel);
        tell.say_as(
            talker(vessel),
            Gll {
                latitude: here.map(|p| p.latitude),
                longitude: here.map(|p| p.longitude),
                time: time_field(vessel, now),
                status: Some(status(vessel)),
                mode: Some(mode(vessel)),
                without_status: false,
            },
        );
    }
}

/// GNS: the fix of several systems.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gns {
    time: Option<TimeOfDay>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    mode: Text<8>,
    satellites: Option<i32>,
    hdop: Option<f64>,
    altitude: Option<f64>,
    geoid: Option<f64>,
    age: Option<f64>,
    station: Text<8>,
    nav_status: Option<u8>,
}

impl Sentence for Gns {
    const ABOUT: About = About {
        id: "GNS",
        formatter: "GNS",
        title: "Fix of several satellite systems",
        talker: "GP",
        field_counts: &[12, 13],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.time("time", "UTC of the position", &mut self.time);
        w.latitude("latitude", "latitude", &mut self.latitude);
        w.longitude("longitude", "longitude", &mut self.longitude);
        w.text("mode", "one letter a system (GPS, GLONASS, Galileo, BeiDou …), N not used", self.mode.place());
        w.whole("satellites", "satellites used", 2, 999, &mut self.satellites);
        w.positive("hdop", "horizontal dilution of precision", 1, &mut self.hdop);
        w.number("altitude_m", "antenna above mean sea level", 1, &mut self.altitude);
        w.number("geoid_m", "geoid above the ellipsoid", 1, &mut self.geoid);
        w.positive("dgps_age_s", "age of the differential corrections", 1, &mut self.age);
        w.text("dgps_station", "differential reference station", self.station.place());
        if w.more(self.nav_status.is_some()) {
            w.letter("nav_status", "S safe, C caution, U unsafe, V not provided", NAV_STATUS, &mut self.nav_status);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        keep_time(heard, vessel, self.time);
        // One system with a fix is a fix; a list of N, or an empty one, is none.
        let good = self.mode.as_bytes().iter().any(|m| *m != b'N' && MODES.contains(m));
        place(heard, vessel, self.latitude, self.longitude, good);
        let g = &mut vessel.gnss;
        heard.set(&mut g.satellites, self.satellites.map(|n| u8::try_from(n).unwrap_or(u8::MAX)));
        if good {
            heard.set(&mut g.hdop, self.hdop);
            heard.set(&mut g.altitude_m, self.altitude);
            heard.set(&mut g.geoid_m, self.geoid);
            heard.set(&mut g.dgps_age_s, self.age);
            heard.set(&mut g.dgps_station, station_number(self.station.as_bytes()));
        }
    }

    fn say(vessel: &Vessel, now: Moment, style: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let here = fix(vessel);
        let fixed = |value: Option<f64>| here.and(value);
        let g = &vessel.gnss;
        let mut modes = Text::<8>::default();
        let several = systems(vessel).count() > 1;
        for system in systems(vessel) {
            let unused = several && g.systems[system as usize - 1].used.bare() == Some(0);
            modes.place().push(if unused { b'N' } else { mode(vessel) });
        }
        tell.say_as(
            talker(vessel),
            Gns {
                time: time_field(vessel, now),
                latitude: here.map(|p| p.latitude),
                longitude: here.map(|p| p.longitude),
                mode: modes,
                satellites: Some(here.map_or(0, |_| g.satellites.bare().map_or(0, i32::from))),
                hdop: fixed(g.hdop.bare()),
                altitude: fixed(g.altitude_m.bare()),
                geoid: fixed(g.geoid_m.bare()),
                age: fixed(g.dgps_age_s.bare()),
                station: here.and(g.dgps_station.bare()).map(station_text).unwrap_or_default(),
                nav_status: (style.version == Version::V410).then_some(b'V'),
            },
        );
    }
}

/// VTG: course and speed over ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vtg {
    course: Measure,
    course_magnetic: Measure,
    speed: Measure,
    speed_kmh: Measure,
    mode: Option<u8>,
}

const COURSE: &[Unit] = &[unit('T', "course_true_deg", 1)];
const COURSE_MAGNETIC: &[Unit] = &[unit('M', "course_magnetic_deg", 1)];
const SPEED: &[Unit] = &[unit('N', "speed_kn", 1)];
const SPEED_KMH: &[Unit] = &[unit('K', "speed_kmh", 1)];

impl Sentence for Vtg {
    const ABOUT: About = About {
        id: "VTG",
        formatter: "VTG",
        title: "Course and speed over ground",
        talker: "GP",
        period_ms: Some(1000),
        field_counts: &[4, 8, 9],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        if w.count() == Some(4) {
            // NMEA 1.5: bare numbers.
            (self.course.unit, self.course_magnetic.unit, self.speed.unit, self.speed_kmh.unit) =
                (b'T', b'M', b'N', b'K');
            w.bearing("course_true_deg", "course over ground, true", &mut self.course.value);
            w.bearing("course_magnetic_deg", "course over ground, magnetic", &mut self.course_magnetic.value);
            w.positive("speed_kn", "speed over ground", 1, &mut self.speed.value);
            w.positive("speed_kmh", "speed over ground", 1, &mut self.speed_kmh.value);
            return;
        }
        w.measure("course over ground, true", COURSE, Form::Bearing, &mut self.course);
        w.measure("course over ground, magnetic", COURSE_MAGNETIC, Form::Bearing, &mut self.course_magnetic);
        w.measure("speed over ground", SPEED, Form::Positive, &mut self.speed);
        w.measure("speed over ground", SPEED_KMH, Form::Positive, &mut self.speed_kmh);
        if w.more(true) {
            w.letter("mode", "A autonomous, D differential, E estimated, N not valid", MODES, &mut self.mode);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.gnss.mode, self.mode);
        if self.mode == Some(b'N') {
            return;
        }
        heard.set(&mut vessel.sog_kn, self.speed.knots().or(self.speed_kmh.knots()));
        heard.set(&mut vessel.cog_true_deg, self.course.value);
        heard.set(&mut vessel.cog_magnetic_deg, self.course_magnetic.value);
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let here = fix(vessel);
        let course = here.and(vessel.cog_true_deg.bare());
        let speed = here.and(vessel.sog_kn.bare());
        let letters = |value, letter| if here.is_some() { Measure::new(value, letter) } else { Measure::default() };
        tell.say_as(
            talker(vessel),
            Vtg {
                course: letters(course, 'T'),
                course_magnetic: letters(magnetic(vessel, course), 'M'),
                speed: letters(speed, 'N'),
                speed_kmh: letters(speed.map(|v| v * 1.852), 'K'),
                mode: Some(mode(vessel)),
            },
        );
    }
}

/// ZDA: date and time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zda {
    time: Option<TimeOfDay>,
    date: Option<Date>,
    zone_hours: Option<i32>,
    zone_minutes: Option<i32>,
}

impl Sentence for Zda {
    const ABOUT: About = About {
        id: "ZDA",
        formatter: "ZDA",
        title: "Date and time",
        talker: "GP",
        period_ms: Some(1000),
        cadence: Cadence::Slow,
        priority: 1,
        field_counts: &[4, 6],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.time("time", "UTC", &mut self.time);
        w.day_month_year("date", "day, month, year", &mut self.date);
        if w.more(true) {
            w.padded("zone_hours", "hours of the local zone", 2, (-13, 14), &mut self.zone_hours);
        }
        if w.more(true) {
            w.padded("zone_minutes", "minutes of the local zone", 2, (-59, 59), &mut self.zone_minutes);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        keep_utc(heard, vessel, self.date, self.time);
    }

    fn say(vessel: &Vessel, now: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let utc = clock(vessel, now);
        tell.say_as(
            talker(vessel),
            Zda {
                time: time_field(vessel, now),
                date: utc.map(time::date_of),
                zone_hours: utc.map(|_| 0),
                zone_minutes: utc.map(|_| 0),
            },
        );
    }
}

/// RMA: the minimum a Loran-C receiver says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rma {
    status: Option<u8>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    difference_a: Option<f64>,
    difference_b: Option<f64>,
    speed: Option<f64>,
    course: Option<f64>,
    variation: Option<f64>,
    mode: Option<u8>,
}

impl Sentence for Rma {
    const ABOUT: About = About {
        id: "RMA",
        formatter: "RMA",
        title: "Recommended minimum of Loran-C",
        talker: "LC",
        field_counts: &[11, 12],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.letter("status", "A valid, V warning", b"AV", &mut self.status);
        w.latitude("latitude", "latitude", &mut self.latitude);
        w.longitude("longitude", "longitude", &mut self.longitude);
        w.positive("time_difference_a_us", "time difference A, microseconds", 1, &mut self.difference_a);
        w.positive("time_difference_b_us", "time difference B, microseconds", 1, &mut self.difference_b);
        w.positive("speed_kn", "speed over ground", 1, &mut self.speed);
        w.bearing("course_true_deg", "course over ground, true", &mut self.course);
        w.east_west("variation_deg", "magnetic variation, E positive", &mut self.variation);
        if w.more(true) {
            w.letter("mode", "A autonomous, D differential, E estimated, N not valid", MODES, &mut self.mode);
        }
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        let good = self.status == Some(b'A') && self.mode != Some(b'N');
        place(heard, vessel, self.latitude, self.longitude, good);
        if good {
            heard.set(&mut vessel.sog_kn, self.speed);
            heard.set(&mut vessel.cog_true_deg, self.course);
            heard.set(&mut vessel.variation_deg, self.variation);
        }
    }
}

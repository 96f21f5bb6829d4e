//! A bench for rules: says sentences at moments of its own time and asks what was found.

use bytes::Bytes;

use super::Diag;
use super::board::Finding;
use super::context::Settings;
use super::feed::Input;
use super::kind::{Kind, Severity};
use crate::core::frame::{Class, Frame, Origin};
use crate::core::nmea::framing;
use crate::core::time::{DAY, MILLISECOND, Moment, Offset, SECOND, Utc, date_of, time_of_day};

/// 2026-12-01 10:00:00 UTC: 1796119200 s (20788 days and 10 hours).
pub const START: Utc = (20_788 * DAY) + 10 * 3600 * SECOND;

pub struct Rig {
    pub diag: Diag,
    pub at: Offset,
    pub origin: Origin,
    /// Added to the time that the receiver says.
    pub clock_off: i64,
    pub start: Utc,
    /// Talkers that are switched off.
    pub off: &'static [&'static str],
}

impl Rig {
    pub fn new(settings: Settings) -> Rig {
        let mut diag = Diag::new(settings);
        let origin = if settings.live { Origin::Input(0) } else { Origin::Source };
        diag.input(origin, Input::default(), Moment { offset: 0, utc: Some(START) });
        Rig { diag, at: 0, origin, clock_off: 0, start: START, off: &[] }
    }
    pub fn live() -> Rig {
        Rig::new(Settings::live(true))
    }

    pub fn now(&self) -> Moment {
        Moment { offset: self.at, utc: Some(self.start + self.at) }
    }

    /// Time of day and date as the receiver says them.
    pub fn hms(&self) -> String {
        let utc = self.start + self.at + self.clock_off;
        let ms = time_of_day(utc) / MILLISECOND;
        format!("{:02}{:02}{:02}.{:02}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000 / 10)
    }
    pub fn dmy(&self) -> String {
        let d = date_of(self.start + self.at + self.clock_off);
        format!("{:02}{:02}{:02}", d.day, d.month, d.year % 100)
    }

    pub fn say_as(&mut self, origin: Origin, body: &str) {
        if self.off.iter().any(|talker| body.starts_with(talker)) {
            return;
        }
        let mut out = Vec::new();
        let delimiter = if body.starts_with("AI") { b'!' } else { b'$' };
        framing::seal(delimiter, body.as_bytes(), &mut out);
        let frame = Frame { origin, ..Frame::sentence(0, self.at, Bytes::from(out)) };
        let utc = self.now().utc;
        self.diag.hear(&frame, utc);
    }
    pub fn say(&mut self, body: &str) {
        self.say_as(self.origin, body);
    }
    pub fn line(&mut self, class: Class, line: &[u8]) {
        let frame = Frame { origin: self.origin, class, ..Frame::sentence(0, self.at, Bytes::copy_from_slice(line)) };
        let utc = self.now().utc;
        self.diag.hear(&frame, utc);
    }
    pub fn wait_ms(&mut self, ms: i64) {
        let until = self.at + ms * MILLISECOND;
        while self.at < until {
            self.at = (self.at + 250 * MILLISECOND).min(until);
            self.diag.tick(self.now());
        }
    }
    /// Each second for so long.
    pub fn each_second(&mut self, seconds: i64, mut what: impl FnMut(&mut Rig, i64)) {
        for i in 0..seconds {
            what(self, i);
            self.wait_ms(1000);
        }
    }

    pub fn find(&self, kind: Kind) -> Option<Finding> {
        self.diag.findings().into_iter().find(|f| f.kind == kind)
    }
    pub fn holds(&self, kind: Kind) -> bool {
        self.find(kind).is_some_and(|f| f.current)
    }
    pub fn severe(&self) -> Vec<(Kind, String)> {
        let severe = self.diag.findings().into_iter().filter(|f| f.severity != Severity::Note);
        severe.map(|f| (f.kind, format!("{} {}", f.subject, f.evidence))).collect()
    }

    /// A position in degrees as fields.
    pub fn ddmm(lat: f64, lon: f64) -> String {
        let part = |v: f64, width: usize, pos: char, neg: char| {
            let a = v.abs();
            let (d, m) = (a.trunc(), (a - a.trunc()) * 60.0);
            format!("{d:0width$}{m:07.4},{}", if v < 0.0 { neg } else { pos })
        };
        format!("{},{}", part(lat, 2, 'N', 'S'), part(lon, 3, 'E', 'W'))
    }

    /// RMC of a boat off Hydra going north: 6 kn are 1/36000 degree (0.1 minute in 60 s) a second.
    pub fn rmc(&mut self, talker: &str, lat_off: f64, sog: f64, cog: f64) {
        let lat = 37.5 + self.at as f64 / SECOND as f64 / 36_000.0 + lat_off;
        let (hms, dmy, place) = (self.hms(), self.dmy(), Rig::ddmm(lat, 23.5));
        self.say(&format!("{talker}RMC,{hms},A,{place},{sog:.1},{cog:.1},{dmy},5.1,E,A"));
    }
    /// One second of a healthy boat: everything moves a little.
    pub fn healthy(&mut self, i: i64) {
        let wave = [0.0, 0.7, 1.1, 0.6, -0.2, -0.9, -1.2, -0.5][(i % 8) as usize];
        self.rmc("GP", 0.0, 6.0 + wave / 10.0, (360.0 + wave) % 360.0);
        let lat = 37.5 + self.at as f64 / SECOND as f64 / 36_000.0;
        let (hms, place) = (self.hms(), Rig::ddmm(lat, 23.5));
        self.say(&format!("GPGGA,{hms},{place},1,09,0.9,12.3,M,34.5,M,,"));
        self.say("GPGSA,A,3,02,05,07,13,15,18,24,29,30,,,,1.7,0.9,1.4");
        self.say(&format!("HCHDG,{:.1},0.0,E,5.1,E", (357.4 + 2.0 * wave) % 360.0));
        self.say(&format!("SDDPT,{:.1},0.5,", 20.0 + wave));
        self.say(&format!("WIMWV,{:.1},R,{:.1},N,A", 40.0 + 3.0 * wave, 12.0 + wave));
        self.say(&format!("VWVHW,,T,,M,{:.1},N,,K", 5.8 + wave / 10.0));
        if i % 5 == 0 {
            self.say("GPGSV,1,1,02,02,62,301,44,05,48,077,41");
        }
    }
}

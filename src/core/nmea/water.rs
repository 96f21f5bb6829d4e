//! Water and air: MTW, MDA; MTA, MHU and MMB, which are only heard.

use super::wind::GroundWind;
use super::wire::{Form, Measure, Unit, Wire, unit};
use super::{About, Cadence, Hearing, Sentence, Style, Tell};
use crate::core::time::Moment;
use crate::core::vessel::{Bare, Vessel};

/// MTW: water temperature.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mtw {
    temperature: Measure,
}

const WATER: &[Unit] = &[unit('C', "water_c", 1), unit('F', "water_f", 1)];

impl Sentence for Mtw {
    const ABOUT: About = About {
        id: "MTW",
        formatter: "MTW",
        title: "Water temperature",
        talker: "YX",
        period_ms: Some(1000),
        cadence: Cadence::Slow,
        priority: 4,
        field_counts: &[2],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("water temperature", WATER, Form::Plain, &mut self.temperature);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.water_c, self.temperature.celsius());
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        if let Some(water) = vessel.water_c.bare() {
            tell.say(Mtw { temperature: Measure::new(Some(water), 'C') });
        }
    }
}

const AIR: &[Unit] = &[unit('C', "air_c", 1), unit('F', "air_f", 1)];
const DEW_POINT: &[Unit] = &[unit('C', "dew_point_c", 1), unit('F', "dew_point_f", 1)];
const INCHES: &[Unit] = &[unit('I', "pressure_inhg", 2), unit('B', "pressure_bar", 3), unit('P', "pressure_pa", 0)];
const BARS: &[Unit] = &[unit('B', "pressure_bar", 3), unit('I', "pressure_inhg", 2), unit('P', "pressure_pa", 0)];

/// Of two readings of one barometer the bar, which has more digits.
fn pressure(a: &Measure, b: &Measure) -> Option<f64> {
    b.hectopascal().or(a.hectopascal())
}

/// MDA: weather.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mda {
    inches: Measure,
    bars: Measure,
    air: Measure,
    water: Measure,
    humidity: Option<f64>,
    humidity_absolute: Option<f64>,
    dew_point: Measure,
    wind: GroundWind,
}

impl Sentence for Mda {
    const ABOUT: About = About {
        id: "MDA",
        formatter: "MDA",
        title: "Weather: barometer, temperatures, humidity, wind over the ground",
        talker: "WI",
        cadence: Cadence::Slow,
        priority: 3,
        field_counts: &[20],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("barometric pressure", INCHES, Form::Positive, &mut self.inches);
        w.measure("barometric pressure", BARS, Form::Positive, &mut self.bars);
        w.measure("air temperature", AIR, Form::Plain, &mut self.air);
        w.measure("water temperature", WATER, Form::Plain, &mut self.water);
        w.positive("humidity_percent", "relative humidity", 1, &mut self.humidity);
        w.positive("humidity_absolute_percent", "absolute humidity", 1, &mut self.humidity_absolute);
        w.measure("dew point", DEW_POINT, Form::Plain, &mut self.dew_point);
        self.wind.fields(w);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.pressure_hpa, pressure(&self.inches, &self.bars));
        heard.set(&mut vessel.air_c, self.air.celsius());
        heard.set(&mut vessel.water_c, self.water.celsius());
        heard.set(&mut vessel.humidity_percent, self.humidity);
        heard.set(&mut vessel.dew_point_c, self.dew_point.celsius());
        self.wind.apply(heard, vessel);
    }

    fn say(vessel: &Vessel, _: Moment, _: &Style<'_>, tell: &mut Tell<'_, Self>) {
        let (hpa, air, water) = (vessel.pressure_hpa.bare(), vessel.air_c.bare(), vessel.water_c.bare());
        let humidity = vessel.humidity_percent.bare();
        let wind = GroundWind::of(vessel);
        if hpa.is_none() && air.is_none() && water.is_none() && humidity.is_none() && wind.is_none() {
            return;
        }
        let dew_point = vessel.dew_point_c.bare().or_else(|| dew_point(air?, humidity?));
        tell.say(Mda {
            // Conventional inch of mercury: 33.86389 hPa.
            inches: Measure::new(hpa.map(|p| p * 0.029_529_98), 'I'),
            bars: Measure::new(hpa.map(|p| p / 1000.0), 'B'),
            air: Measure::new(air, 'C'),
            water: Measure::new(water, 'C'),
            humidity,
            humidity_absolute: None,
            dew_point: Measure::new(dew_point, 'C'),
            wind: wind.unwrap_or(GroundWind::unknown(vessel)),
        });
    }

    /// MTW says the water temperature.
    fn shorten(&mut self) -> bool {
        self.water.value.take().is_some()
    }
}

/// Magnus' formula with the constants of Alduchov and Eskridge (1996), degrees Celsius.
fn dew_point(air_c: f64, humidity_percent: f64) -> Option<f64> {
    if !(humidity_percent > 0.0 && air_c > -100.0) {
        return None;
    }
    let (a, b) = (17.625, 243.04);
    let gamma = libm::log(humidity_percent / 100.0) + a * air_c / (b + air_c);
    Some(b * gamma / (a - gamma))
}

/// MTA: air temperature.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mta {
    air: Measure,
}

impl Sentence for Mta {
    const ABOUT: About = About {
        id: "MTA",
        formatter: "MTA",
        title: "Air temperature",
        talker: "WI",
        cadence: Cadence::Slow,
        field_counts: &[2],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("air temperature", AIR, Form::Plain, &mut self.air);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.air_c, self.air.celsius());
    }
}

/// MHU: humidity.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mhu {
    relative: Option<f64>,
    absolute: Option<f64>,
    dew_point: Measure,
}

impl Sentence for Mhu {
    const ABOUT: About = About {
        id: "MHU",
        formatter: "MHU",
        title: "Humidity",
        talker: "WI",
        cadence: Cadence::Slow,
        field_counts: &[4],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.positive("humidity_percent", "relative humidity", 1, &mut self.relative);
        w.positive("humidity_absolute_percent", "absolute humidity", 1, &mut self.absolute);
        w.measure("dew point", DEW_POINT, Form::Plain, &mut self.dew_point);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.humidity_percent, self.relative);
        heard.set(&mut vessel.dew_point_c, self.dew_point.celsius());
    }
}

/// MMB: barometer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mmb {
    inches: Measure,
    bars: Measure,
}

impl Sentence for Mmb {
    const ABOUT: About = About {
        id: "MMB",
        formatter: "MMB",
        title: "Barometer",
        talker: "WI",
        cadence: Cadence::Slow,
        field_counts: &[4],
        ..About::HEARD
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.measure("barometric pressure", INCHES, Form::Positive, &mut self.inches);
        w.measure("barometric pressure", BARS, Form::Positive, &mut self.bars);
    }

    fn apply(&self, heard: &Hearing<'_>, vessel: &mut Vessel) {
        heard.set(&mut vessel.pressure_hpa, pressure(&self.inches, &self.bars));
    }
}

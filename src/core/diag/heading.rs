//! Rules about headings and variation.

use super::board::{Board, Hold, seen};
use super::context::{Context, Device, FRESH, Few, Stamped, World, fresh};
use super::feed::seconds;
use super::kind::{Kind, Severity};
use super::twins::true_heading;
use crate::core::nmea::digits;
use crate::core::time::{MILLISECOND, MINUTE, Offset, SECOND};
use crate::core::vessel::units::turn;

/// So many headings out of range are a finding.
pub const RANGE_LEAST: u32 = 3;
/// The boat turned by more than this, degrees, while the heading stood still…
pub const STUCK_TURN_DEG: f64 = 20.0;
/// … and sailed faster than this, knots.
pub const STUCK_KN: f64 = 2.0;
/// True, magnetic and variation may differ by this, degrees.
pub const FIT_DEG: f64 = 2.0;
/// … for so long.
pub const FIT_FOR: Offset = 10 * SECOND;
/// Headings are compared when they are not further apart.
pub const TOGETHER: Offset = 500 * MILLISECOND;
/// A heading within this of the course, degrees…
pub const COG_DEG: f64 = 0.2;
/// … for so long is the course.
pub const COG_FOR: Offset = 3 * MINUTE;
/// A mean offset between heading and course above this, degrees…
pub const OFFSET_DEG: f64 = 15.0;
/// … that varies less than this, degrees…
pub const OFFSET_STEADY_DEG: f64 = 10.0;
/// … above this speed, knots…
pub const OFFSET_KN: f64 = 4.0;
/// … for so long.
pub const OFFSET_FOR: Offset = 2 * MINUTE;
/// Variation may differ from the model by this, degrees.
pub const VARIATION_DEG: f64 = 2.0;
/// Exactly 0.0 is wrong where the model says more than this, degrees.
pub const VARIATION_ZERO_DEG: f64 = 0.5;
/// Outside its years the model is extrapolated: so much is allowed a year, degrees (the variation hardly moves faster
/// where boats sail).
pub const VARIATION_DRIFT_DEG: f64 = 0.3;
/// … for so long.
pub const VARIATION_FOR: Offset = 10 * SECOND;
/// Nobody said a variation for so long, though there is a fix.
pub const UNSAID_FOR: Offset = MINUTE;

/// The variation of the magnetic model at a position (latitude, longitude) and time, and how many years the time lies
/// outside the model's; `None` for what is no position.
pub type Model = fn(f64, f64, i64) -> Option<(f64, f64)>;

#[derive(Debug, Default)]
struct Compass {
    out_of_range: u32,
    stuck: Option<Stuck>,
    as_course: Hold,
    aside: Option<Aside>,
    by_formatter: Few<[u8; 3], Option<Stamped<f64>>, 4>,
    unfit: Few<([u8; 3], [u8; 3]), Hold, 8>,
    variation_off: Hold,
}

/// Heading, course then, and how far the turn indicator has turned since.
#[derive(Debug, Clone, Copy)]
struct Stuck {
    heading: f64,
    since: Offset,
    course: Option<f64>,
    turned: f64,
    at: Offset,
}

/// Offset of heading to course: since when, sum, count, least, most.
#[derive(Debug, Clone, Copy)]
struct Aside {
    since: Offset,
    sum: f64,
    n: f64,
    least: f64,
    most: f64,
}

/// The rules about headings.
#[derive(Debug, Default)]
pub struct Headings {
    all: Few<Device, Compass, 16>,
    fix_since: Option<Offset>,
    model: Option<(Offset, (f64, f64))>,
}

impl Headings {
    /// Takes a sentence.
    pub fn hear(&mut self, c: &Context<'_>, w: &World, model: Model, b: &mut Board) {
        match c.formatter {
            b"HDT" | b"THS" | b"HDG" | b"HDM" | b"VHW" => {}
            b"RMC" => {
                self.variation(c, w, model, b);
                return;
            }
            b"APB" | b"RMB" => {
                let in_true = c.formatter == b"APB" && c.said.number("bearing_true_deg").is_some();
                let holds = in_true && !w.variation_said && self.fix_since.is_some_and(|t| c.at() - t > UNSAID_FOR);
                if c.formatter == b"APB" {
                    b.set(holds, Kind::NoVariation, c.device.origin, c.device.talker, c.now, || {
                        seen("APB bearings are true and no RMC or HDG says the variation", &[])
                    });
                }
                return;
            }
            _ => return,
        }
        if c.formatter == b"HDG" {
            self.variation(c, w, model, b);
        }
        let Some(compass) = self.all.entry(c.device) else { return };
        compass.range(c, b);
        if let Some(heading) = true_heading(c, w) {
            compass.stuck(c, w, b, heading);
            compass.course(c, w, b, heading);
            compass.fit(c, w, b, heading);
        }
    }

    fn variation(&mut self, c: &Context<'_>, w: &World, model: Model, b: &mut Board) {
        let (at, origin) = (c.at(), c.device.origin);
        let Some(here) = fresh(&w.position, at, FRESH) else { return };
        let fix_since = *self.fix_since.get_or_insert(at);
        let said = c.said.number("variation_deg");
        b.set(
            !w.variation_said && at - fix_since > UNSAID_FOR,
            Kind::NoVariationSaid,
            origin,
            c.device.talker,
            c.now,
            || seen("neither RMC nor HDG says a variation", &[]),
        );
        let Some(said) = said else { return };
        // By the better clock: with a wrong date of the receiver the model would be wrong too.
        let utc = if c.settings.reference_clock { c.now.utc } else { None }.or(w.utc.map(|u| u.value));
        let known = match self.model {
            Some((then, value)) if at - then < MINUTE => Some(value),
            _ => utc.and_then(|utc| model(here.latitude, here.longitude, utc)),
        };
        let Some((truth, outside)) = known else { return };
        if self.model.is_none_or(|(then, _)| at - then >= MINUTE) {
            self.model = Some((at, (truth, outside)));
        }
        let off = turn(truth, said);
        let limit = if said == 0.0 { VARIATION_ZERO_DEG } else { VARIATION_DEG } + VARIATION_DRIFT_DEG * outside;
        let Some(compass) = self.all.entry(c.device) else { return };
        let holds = compass.variation_off.after(VARIATION_FOR, off.abs() > limit, at);
        b.set(holds.is_some(), Kind::Variation, origin, c.subject(), c.now, || {
            let words = format!("says {said:.1}, the magnetic model {truth:.1} (east positive)");
            seen(words, &[("said_deg", said), ("model_deg", truth)])
        });
    }
}

impl Compass {
    fn range(&mut self, c: &Context<'_>, b: &mut Board) {
        // VHW says true first, then magnetic; the others their heading.
        let raw = [c.raw(0), if c.formatter == b"VHW" { c.raw(2) } else { b"" }];
        let outside = raw.iter().filter_map(|r| digits::number(r)).find(|h| !(0.0..=360.0).contains(h));
        if let Some(heading) = outside {
            self.out_of_range += 1;
            let n = self.out_of_range;
            if n >= RANGE_LEAST {
                b.raise(Kind::HeadingRange, c.device.origin, c.subject(), c.now, || {
                    seen(format!("{n} times, last {heading}"), &[("times", n.into()), ("heading_deg", heading)])
                });
            }
        }
    }

    fn stuck(&mut self, c: &Context<'_>, w: &World, b: &mut Board, heading: f64) {
        let at = c.at();
        let course = fresh(&w.cog, at, FRESH);
        let start = Stuck { heading, since: at, course, turned: 0.0, at };
        let s = self.stuck.get_or_insert(start);
        let slow = fresh(&w.sog, at, FRESH).is_none_or(|sog| sog <= STUCK_KN);
        if s.heading != heading || slow {
            *s = start;
            b.clear(Kind::HeadingStuck, c.device.origin, c.device.talker);
            return;
        }
        s.turned += fresh(&w.turn, at, FRESH).unwrap_or(0.0) * seconds(at - s.at) / 60.0;
        s.at = at;
        s.course = s.course.or(course);
        let by_course = s.course.zip(course).map_or(0.0, |(from, to)| turn(from, to).abs());
        let turned = by_course.max(s.turned.abs());
        // A moment: an instrument that damps is late, not stuck.
        if turned > STUCK_TURN_DEG && at - s.since >= FIT_FOR {
            let since = s.since;
            b.raise_since(Kind::HeadingStuck, c.device.origin, c.device.talker, since, c.now, || {
                let words = format!("the boat turned {turned:.0} degrees, the heading stays {heading:.1}");
                seen(words, &[("turned_deg", turned), ("heading_deg", heading)])
            });
        }
    }

    fn course(&mut self, c: &Context<'_>, w: &World, b: &mut Board, heading: f64) {
        let at = c.at();
        let (Some(course), Some(speed)) = (fresh(&w.cog, at, FRESH), fresh(&w.sog, at, FRESH)) else {
            self.aside = None;
            return;
        };
        let off = turn(course, heading);
        let same = self.as_course.after(COG_FOR, off.abs() <= COG_DEG, at);
        b.set(same.is_some(), Kind::CogAsHeading, c.device.origin, c.device.talker, c.now, || {
            let s = seconds(at - same.unwrap_or(at));
            let e = seen(
                format!("heading and course are the same within {COG_DEG} degrees for {s:.0} s"),
                &[("seconds", s)],
            );
            // A receiver that says a heading has made it from the course; from a compass it may be a calm day.
            let gnss = c.device.talker.as_bytes().first() == Some(&b'G');
            if gnss { e } else { e.as_severity(Severity::Note) }
        });
        if speed <= OFFSET_KN {
            self.aside = None;
            b.clear(Kind::HeadingOffset, c.device.origin, c.device.talker);
            return;
        }
        let a = self.aside.get_or_insert(Aside { since: at, sum: 0.0, n: 0.0, least: off, most: off });
        (a.sum, a.n, a.least, a.most) = (a.sum + off, a.n + 1.0, a.least.min(off), a.most.max(off));
        if at - a.since >= OFFSET_FOR {
            let (mean, spread) = (a.sum / a.n, a.most - a.least);
            let holds = mean.abs() > OFFSET_DEG && spread <= OFFSET_STEADY_DEG;
            self.aside = None;
            b.set(holds, Kind::HeadingOffset, c.device.origin, c.device.talker, c.now, || {
                let side = if mean > 0.0 { "right" } else { "left" };
                seen(
                    format!("heading {:.0} degrees {side} of the course for two minutes", mean.abs()),
                    &[("offset_deg", mean)],
                )
            });
        }
    }

    /// Sentences of one device against each other.
    fn fit(&mut self, c: &Context<'_>, w: &World, b: &mut Board, heading: f64) {
        let Ok(mine) = <[u8; 3]>::try_from(c.formatter) else { return };
        let at = c.at();
        let variation = c.said.number("variation_deg").or(w.variation.map(|v| v.value)).unwrap_or(0.0);
        let others: Vec<([u8; 3], f64)> = self
            .by_formatter
            .iter()
            .filter(|(f, _)| *f != mine)
            .filter_map(|(f, v)| Some((*f, fresh(v, at, TOGETHER)?)))
            .collect();
        if let Some(place) = self.by_formatter.entry(mine) {
            *place = Some(Stamped { value: heading, at });
        }
        for (other, theirs) in others {
            let off = turn(theirs, heading).abs();
            let pair = if other < mine { (other, mine) } else { (mine, other) };
            let Some(hold) = self.unfit.entry(pair) else { continue };
            let holds = hold.after(FIT_FOR, off > FIT_DEG, at);
            let name = |f: [u8; 3]| String::from_utf8_lossy(&f).into_owned();
            let both = format!("{} {} {}", c.device.talker, name(pair.0), name(pair.1));
            b.set(
                holds.is_some(),
                Kind::HeadingsDiffer,
                c.device.origin,
                crate::core::vessel::Label::new(both.as_bytes()),
                c.now,
                || {
                    let near = |v: f64| variation.abs() > 1.0 && (off - v.abs()).abs() < 1.0;
                    let why = if near(variation) {
                        ": the variation, applied once too often or not at all"
                    } else if near(2.0 * variation) {
                        ": twice the variation, applied with the wrong sign"
                    } else {
                        ""
                    };
                    let words = format!("{} and {} are {off:.1} degrees apart{why}", name(pair.0), name(pair.1));
                    seen(words, &[("difference_deg", off)])
                },
            );
        }
    }
}

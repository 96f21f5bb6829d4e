//! A track in time: where the vessel is at any moment, how fast and on which heading.
//!
//! A function of the offset alone, so that seeking, pausing and looping need nothing from it. `libm` and plain arithmetic
//! only, as sentences are made of it.

use std::sync::Arc;

use super::{Document, Point};
use crate::core::time::{Offset, SECOND, Utc};
use crate::core::vessel::Position;
use crate::core::vessel::geodesy::{direct, inverse};
use crate::core::vessel::units::{KN_M_S, turn, wrap_360};

/// The fastest turn of the heading, degrees a second: some 35 degrees of rudder on a 12 m yacht.
const TURN_RATE: f64 = 3.0;
/// Below this speed (0.2 kn) a leg has no course: the vessel lies still and keeps its heading.
const STILL: f64 = 0.2 * KN_M_S;
/// Recorded speeds and courses say more than the chord from point to point only where points follow each other closely.
const CLOSE: Offset = 10 * SECOND;
/// A loop whose ends lie closer than this, in metres, comes round instead of jumping.
const CLOSED_M: f64 = 50.0;
/// Slowest speed at which an untimed track is sailed, so that it ends.
const SLOWEST_KN: f64 = 0.1;

/// What happens at the last point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// The vessel stays there, without speed.
    #[default]
    Hold,
    /// It begins again at the first point.
    Loop,
}

/// How to sail a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sailing {
    /// Knots where the file has neither times nor speeds, and everywhere when they are ignored.
    pub speed_kn: f64,
    /// Sails a timed track at `speed_kn`.
    pub ignore_timestamps: bool,
    /// At the last point.
    pub ends: Ends,
}

impl Default for Sailing {
    fn default() -> Sailing {
        Sailing { speed_kn: 6.0, ignore_timestamps: false, ends: Ends::Hold }
    }
}

/// Why a track is timed as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Every point has a time: legs last as recorded.
    Recorded,
    /// Times were to be ignored.
    Ignored,
    /// No point has a time.
    NoTimes,
    /// Some points have no time, this one (from 1) first.
    Missing {
        /// The point.
        point: usize,
    },
    /// The time of this point (from 1) is before that of the one before it.
    Decreasing {
        /// The point.
        point: usize,
    },
    /// All points have the same time.
    OneTime,
}

impl std::fmt::Display for Timing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Timing::Recorded => f.write_str("timed as recorded"),
            Timing::Ignored => f.write_str("timed by speed: the times of the file are ignored"),
            Timing::NoTimes => f.write_str("timed by speed: the file has no times"),
            Timing::Missing { point } => write!(f, "timed by speed: point {point} has no time"),
            Timing::Decreasing { point } => {
                write!(f, "timed by speed: the time of point {point} is before that of point {}", point - 1)
            }
            Timing::OneTime => f.write_str("timed by speed: all points have the same time"),
        }
    }
}

/// The vessel on a track at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sailed {
    /// Where.
    pub position: Position,
    /// Speed over ground, knots.
    pub sog_kn: f64,
    /// Course over ground, degrees true; `None` when it lies still.
    pub cog_deg: Option<f64>,
    /// Heading, degrees true: the course, turned to at a plausible rate.
    pub heading_deg: f64,
    /// Degrees a minute, starboard positive.
    pub rate_of_turn_deg_min: f64,
    /// Metres above mean sea level, where the file has it.
    pub altitude_m: Option<f64>,
    /// As recorded, for a track timed by its own times; goes on while it holds or loops.
    pub utc: Option<Utc>,
    /// The last point passed, from 0.
    pub point: usize,
    /// The last point is reached and held.
    pub ended: bool,
}

/// A track that can be sailed. Clones share the points.
#[derive(Clone, Debug)]
pub struct Track {
    name: Option<String>,
    timing: Timing,
    ends: Ends,
    start_utc: Option<Utc>,
    nodes: Arc<[Node]>,
}

/// A point, and the leg that begins there.
#[derive(Clone, Copy, Debug)]
struct Node {
    point: Point,
    at: Offset,
    /// Metres to the next point; 0 at the last.
    length_m: f64,
    /// Direction of the leg here.
    bearing_deg: f64,
    /// Speed on the leg, metres per second; 0 when it has no duration.
    speed_m_s: f64,
    /// Heading of the vessel when it is here.
    heading_deg: f64,
    /// Speed (metres per second) and course as recorded here and at the next point, where they count.
    recorded_speed: Option<(f64, f64)>,
    recorded_course: Option<(f64, f64)>,
}

impl Track {
    /// Puts time to the points of a file.
    pub fn new(document: Document, how: &Sailing) -> Track {
        let points = document.points;
        let timing = if how.ignore_timestamps { Timing::Ignored } else { timing(&points) };
        let chosen = how.speed_kn.max(SLOWEST_KN) * KN_M_S;
        let start = points.first().and_then(|p| p.utc);
        let mut nodes: Vec<Node> = Vec::with_capacity(points.len());
        let mut at: Offset = 0;
        for (i, point) in points.iter().enumerate() {
            let way = points.get(i + 1).map(|next| inverse(point.position, next.position));
            let (length_m, bearing_deg) = way.map_or((0.0, 0.0), |w| (w.distance_m, w.bearing_deg));
            let end = if timing == Timing::Recorded {
                let utc = points.get(i + 1).and_then(|p| p.utc).or(point.utc).unwrap_or_default();
                utc.saturating_sub(start.unwrap_or_default())
            } else {
                let recorded = point.speed_m_s.filter(|s| timing != Timing::Ignored && *s >= STILL);
                at.saturating_add((length_m / recorded.unwrap_or(chosen) * SECOND as f64) as Offset)
            };
            let lasts = seconds(end.saturating_sub(at));
            let speed_m_s = if lasts > 0.0 { length_m / lasts } else { 0.0 };
            let close = points.get(i + 1).filter(|_| timing == Timing::Recorded && end.saturating_sub(at) <= CLOSE);
            nodes.push(Node {
                point: *point,
                at,
                length_m,
                bearing_deg,
                speed_m_s,
                heading_deg: 0.0,
                recorded_speed: point.speed_m_s.zip(close.and_then(|p| p.speed_m_s)),
                recorded_course: point.course_deg.zip(close.and_then(|p| p.course_deg)),
            });
            at = end;
        }
        let mut track = Track {
            name: document.name,
            timing,
            ends: how.ends,
            start_utc: start.filter(|_| timing == Timing::Recorded),
            nodes: nodes.into(),
        };
        track.steer();
        track
    }

    /// Finds the heading at each point: it begins on the first course, and follows each further one at `TURN_RATE`.
    fn steer(&mut self) {
        let first = self.nodes.iter().find(|n| moving(n)).map_or(0.0, first_course);
        let (mut steered, last) = self.steered(first);
        let ends = self.nodes.first().zip(self.nodes.last());
        if self.ends == Ends::Loop
            && ends.is_some_and(|(a, b)| inverse(a.point.position, b.point.position).distance_m < CLOSED_M)
        {
            steered = self.steered(last).0;
        }
        self.nodes = steered.into();
    }

    /// The points with their headings, when the vessel comes to the first with this one; and the heading at the end.
    fn steered(&self, mut heading: f64) -> (Vec<Node>, f64) {
        let mut steered = self.nodes.to_vec();
        for i in 0..steered.len() {
            let next = steered.get(i + 1).map(|n| n.at);
            let Some(node) = steered.get_mut(i) else { break };
            node.heading_deg = heading;
            if let Some(next) = next {
                let lasts = seconds(next - node.at);
                heading = steer(node, lasts, lasts).heading_deg;
            }
        }
        (steered, heading)
    }

    /// What the file calls itself.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Why it is timed as it is.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// UTC at the first point, of a track timed by its own times.
    pub fn start_utc(&self) -> Option<Utc> {
        self.start_utc
    }

    /// When the last point is reached. A loop begins again then.
    pub fn duration(&self) -> Offset {
        self.nodes.last().map_or(0, |n| n.at)
    }

    /// Length over all legs, metres.
    pub fn length_m(&self) -> f64 {
        self.nodes.iter().map(|n| n.length_m).sum()
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a track has a point.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The positions in order, for a chart.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Position> + '_ {
        self.nodes.iter().map(|n| n.point.position)
    }

    /// When a point (from 0) is reached; that of the last for one beyond it.
    pub fn offset_of(&self, point: usize) -> Offset {
        self.nodes.get(point).map_or(self.duration(), |n| n.at)
    }

    /// The vessel at an offset; before 0 it is at the first point.
    pub fn state_at(&self, offset: Offset) -> Sailed {
        let offset = offset.max(0);
        let duration = self.duration();
        let within = match self.ends {
            Ends::Loop if duration > 0 => offset % duration,
            _ => offset.min(duration),
        };
        let ended = offset >= duration && (self.ends == Ends::Hold || duration == 0);
        let i = self.nodes.partition_point(|n| n.at <= within).saturating_sub(1);
        let Some(node) = self.nodes.get(i) else {
            // No document is empty; if one were, the vessel would be nowhere in particular.
            return Sailed {
                position: Position::default(),
                sog_kn: 0.0,
                cog_deg: None,
                heading_deg: 0.0,
                rate_of_turn_deg_min: 0.0,
                altitude_m: None,
                utc: None,
                point: 0,
                ended: true,
            };
        };
        let next = self.nodes.get(i + 1);
        let into = seconds(within - node.at);
        let lasts = next.map_or(0.0, |n| seconds(n.at - node.at));
        let part = if lasts > 0.0 { (into / lasts).clamp(0.0, 1.0) } else { 0.0 };
        let position = match next {
            Some(_) if part > 0.0 => direct(node.point.position, node.bearing_deg, node.length_m * part).position,
            _ => node.point.position,
        };
        let steered = if ended {
            Steered { heading_deg: node.heading_deg, ..Steered::default() }
        } else {
            steer(node, lasts, into)
        };
        let between = |(a, b): (f64, f64)| a + (b - a) * part;
        let speed = node.recorded_speed.map_or(node.speed_m_s, between);
        let altitude = node.point.altitude_m;
        let still = ended || !moving(node) || speed < STILL;
        Sailed {
            position,
            sog_kn: if ended { 0.0 } else { speed / KN_M_S },
            cog_deg: (!still).then_some(steered.course_deg),
            heading_deg: steered.heading_deg,
            rate_of_turn_deg_min: steered.rate_deg_s * 60.0,
            altitude_m: altitude.zip(next.and_then(|n| n.point.altitude_m)).map(between).or(altitude),
            utc: self.start_utc.map(|start| start.saturating_add(offset)),
            point: i,
            ended,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Steered {
    course_deg: f64,
    heading_deg: f64,
    rate_deg_s: f64,
}

fn moving(node: &Node) -> bool {
    node.speed_m_s >= STILL
}

fn seconds(span: Offset) -> f64 {
    span as f64 / SECOND as f64
}

/// The course with which a leg begins.
fn first_course(node: &Node) -> f64 {
    node.recorded_course.map_or(node.bearing_deg, |(from, _)| from)
}

/// The course at a moment of a leg, and how fast it changes (degrees a second): as recorded, or that of the geodesic.
fn course(node: &Node, lasts_s: f64, into_s: f64) -> (f64, f64) {
    if let Some((from, to)) = node.recorded_course {
        let rate = turn(from, to) / lasts_s;
        return (wrap_360(from + rate * into_s), rate);
    }
    let at = |metres: f64| direct(node.point.position, node.bearing_deg, metres).course_deg;
    (at(node.length_m * into_s / lasts_s), turn(node.bearing_deg, at(node.length_m)) / lasts_s)
}

/// Course and heading at a moment of a leg: what the heading was off the course at its beginning goes at `TURN_RATE`.
fn steer(node: &Node, lasts_s: f64, into_s: f64) -> Steered {
    if !moving(node) || lasts_s <= 0.0 {
        return Steered { course_deg: node.heading_deg, heading_deg: node.heading_deg, rate_deg_s: 0.0 };
    }
    let (course_deg, course_rate) = course(node, lasts_s, into_s);
    let off = turn(first_course(node), node.heading_deg);
    let left = (off.abs() - TURN_RATE * into_s).max(0.0);
    let rate_deg_s = course_rate - if left > 0.0 { TURN_RATE.copysign(off) } else { 0.0 };
    Steered { course_deg, heading_deg: wrap_360(course_deg + left.copysign(off)), rate_deg_s }
}

fn timing(points: &[Point]) -> Timing {
    if points.iter().all(|p| p.utc.is_none()) {
        return Timing::NoTimes;
    }
    if let Some(i) = points.iter().position(|p| p.utc.is_none()) {
        return Timing::Missing { point: i + 1 };
    }
    if let Some(i) = points.windows(2).position(|w| w[1].utc < w[0].utc) {
        return Timing::Decreasing { point: i + 2 };
    }
    if points.len() > 1 && points.first().map(|p| p.utc) == points.last().map(|p| p.utc) {
        return Timing::OneTime;
    }
    Timing::Recorded
}

//! What a rule is given with each sentence, and what the whole boat is known to do just now.
//!
//! Collects; judges nothing.

use super::said::Said;
use crate::core::frame::Origin;
use crate::core::nmea::About;
use crate::core::nmea::framing::Parts;
use crate::core::time::{Moment, Offset, SECOND, Utc};
use crate::core::vessel::{Label, Position};

/// Who speaks: a talker on an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Device {
    /// Input.
    pub origin: Origin,
    /// Two letters.
    pub talker: Label,
}

impl Device {
    /// `GP`, or `GP@2` for the second input.
    pub fn name(&self) -> String {
        match self.origin {
            Origin::Input(n) => format!("{}@{}", self.talker, u32::from(n) + 1),
            _ => self.talker.to_string(),
        }
    }
}

/// One sentence, as rules see it.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// When it came; UTC by stamps or by the clock of the host.
    pub now: Moment,
    /// Who said it.
    pub device: Device,
    /// `MWV`, `PGRME`.
    pub formatter: &'a [u8],
    /// The sentence taken apart.
    pub parts: Parts<'a>,
    /// The whole sentence.
    pub text: &'a [u8],
    /// Its values by name; none for kinds the table does not know.
    pub said: &'a Said,
    /// Its row in the table.
    pub about: Option<&'static About>,
    /// Fields that could not be read.
    pub settings: &'a Settings,
}

impl Context<'_> {
    /// Nanoseconds of the source's time.
    pub fn at(&self) -> Offset {
        self.now.offset
    }

    /// `GP RMC`.
    pub fn subject(&self) -> Label {
        let mut text = self.device.talker.as_bytes().to_vec();
        if self.parts.is_proprietary() {
            text.clear();
        } else {
            text.push(b' ');
        }
        text.extend_from_slice(self.formatter);
        Label::new(&text)
    }

    /// A field as it stands, from 0.
    pub fn raw(&self, i: usize) -> &[u8] {
        self.parts.fields().nth(i).unwrap_or_default()
    }
}

/// What the rules must know of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// A live feed: silence and arrival times mean something.
    pub live: bool,
    /// `Moment::utc` comes from elsewhere than the sentences (a synchronised clock, stamps of the log) and can judge them.
    pub reference_clock: bool,
    /// Offsets are real times, not spacings by a default.
    pub timed: bool,
    /// Every sentence has a time of its own: in a log without stamps those without one share the time of another.
    pub even: bool,
    /// Some output is a serial line: long sentences matter.
    pub forwarded_to_serial: bool,
}

impl Settings {
    /// A live feed; `synchronised`: the host's clock can be trusted.
    pub fn live(synchronised: bool) -> Settings {
        Settings { live: true, reference_clock: synchronised, timed: true, even: true, forwarded_to_serial: false }
    }

    /// A log. `stamps`: it has time stamps of its own; `timed`: or at least times of sentences.
    pub fn log(stamps: bool, timed: bool) -> Settings {
        Settings {
            live: false,
            reference_clock: stamps,
            timed: stamps || timed,
            even: stamps,
            forwarded_to_serial: false,
        }
    }

    /// The simulation.
    pub fn simulation() -> Settings {
        Settings { live: false, reference_clock: true, timed: true, even: true, forwarded_to_serial: false }
    }
}

/// A value and when it was said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stamped<T> {
    /// The value.
    pub value: T,
    /// When.
    pub at: Offset,
}

/// A value that is as fresh as `span`.
pub fn fresh<T: Copy>(value: &Option<Stamped<T>>, now: Offset, span: Offset) -> Option<T> {
    value.as_ref().filter(|v| now.saturating_sub(v.at) <= span).map(|v| v.value)
}

/// What the boat does, by whoever said it last.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Of a good fix.
    pub position: Option<Stamped<Position>>,
    /// Knots.
    pub sog: Option<Stamped<f64>>,
    /// Degrees true.
    pub cog: Option<Stamped<f64>>,
    /// Degrees, east positive; who said it.
    pub variation: Option<Stamped<f64>>,
    /// Degrees a minute, starboard positive.
    pub turn: Option<Stamped<f64>>,
    /// By a receiver, with its date.
    pub utc: Option<Stamped<Utc>>,
    /// Somebody said a magnetic course or heading with a variation, ever.
    pub variation_said: bool,
}

impl World {
    /// Takes what a sentence says. Void fixes say nothing.
    pub fn hear(&mut self, c: &Context<'_>) {
        let (said, at) = (c.said, c.at());
        let put = |place: &mut Option<Stamped<f64>>, value: Option<f64>| {
            if let Some(value) = value {
                *place = Some(Stamped { value, at });
            }
        };
        match c.formatter {
            b"RMC" | b"GLL" | b"GGA" | b"GNS" | b"VTG" => {
                if let Some(value) = said.utc() {
                    self.utc = Some(Stamped { value, at });
                }
                let void = said.letter("status") == Some(b'V')
                    || said.letter("mode") == Some(b'N')
                    || said.number("quality") == Some(0.0);
                if void {
                    return;
                }
                if let Some((latitude, longitude)) = said.position() {
                    self.position = Some(Stamped { value: Position { latitude, longitude }, at });
                }
                put(&mut self.sog, said.number("speed_kn"));
                put(&mut self.cog, said.number("course_true_deg"));
                if c.formatter == b"RMC" {
                    self.hear_variation(said.number("variation_deg"), at);
                }
            }
            b"ZDA" => {
                if let Some(value) = said.utc() {
                    self.utc = Some(Stamped { value, at });
                }
            }
            b"HDG" => self.hear_variation(said.number("variation_deg"), at),
            b"ROT" => put(&mut self.turn, said.number("rate_deg_min")),
            _ => {}
        }
    }

    fn hear_variation(&mut self, value: Option<f64>, at: Offset) {
        if let Some(value) = value {
            self.variation = Some(Stamped { value, at });
            self.variation_said = true;
        }
    }
}

/// How long a value of another sentence counts as "now".
pub const FRESH: Offset = 3 * SECOND;

/// A few values by key, bounded: what finds no place is not kept.
#[derive(Clone, Debug)]
pub struct Few<K, V, const N: usize> {
    all: Vec<(K, V)>,
}

impl<K, V, const N: usize> Default for Few<K, V, N> {
    fn default() -> Self {
        Few { all: Vec::new() }
    }
}

impl<K: PartialEq + Copy, V: Default, const N: usize> Few<K, V, N> {
    /// The value of a key, made when there is room.
    pub fn entry(&mut self, key: K) -> Option<&mut V> {
        let i = match self.all.iter().position(|(k, _)| *k == key) {
            Some(i) => i,
            None if self.all.len() < N => {
                self.all.push((key, V::default()));
                self.all.len() - 1
            }
            None => return None,
        };
        self.all.get_mut(i).map(|(_, v)| v)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.all.iter()
    }

    /// All of them, to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut (K, V)> {
        self.all.iter_mut()
    }
}

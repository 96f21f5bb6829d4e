//! AIS as sentences: VDO and VDM, own and others.
//!
//! The rows are here so that filters, statistics and the inspector know them. What a message means is `core::ais`'s
//! business; hearing one sentence tells the vessel nothing, because a message may take several.

use super::wire::{Text, Wire};
use super::{About, Cadence, Formatter, Sentence, Style, table};
use crate::core::ais::own::{Report, Transponder};
use crate::core::time::Moment;
use crate::core::vessel::Vessel;

/// The fields of VDM and VDO.
#[derive(Clone, Copy, Debug, Default)]
pub struct Encapsulated<const OWN: bool, const STATIC: bool> {
    sentences: Option<i32>,
    sentence: Option<i32>,
    sequence: Option<i32>,
    channel: Option<u8>,
    payload: Text<80>,
    fill: Option<i32>,
}

impl<const OWN: bool, const STATIC: bool> Sentence for Encapsulated<OWN, STATIC> {
    const ABOUT: About = About {
        id: match (OWN, STATIC) {
            (true, false) => "VDO",
            (true, true) => "VDO-STATIC",
            (false, false) => "VDM",
            (false, true) => "VDM-STATIC",
        },
        formatter: if OWN { "VDO" } else { "VDM" },
        delimiter: b'!',
        title: match (OWN, STATIC) {
            (true, false) => "AIS, own ship: position",
            (true, true) => "AIS, own ship: name and voyage",
            (false, false) => "AIS as received: position",
            (false, true) => "AIS as received: name and voyage",
        },
        talker: "AI",
        period_ms: match (OWN, STATIC) {
            (true, false) => Some(1000),
            (true, true) => Some(360_000),
            _ => None,
        },
        usual_ms: match (OWN, STATIC) {
            (_, true) => 360_000,
            (true, false) => 1000,
            (false, false) => 30_000,
        },
        cadence: if OWN { Cadence::Steady } else { Cadence::Event },
        priority: if STATIC { 0 } else { 4 },
        field_counts: &[6],
        ..About::USUAL
    };

    fn fields<W: Wire + ?Sized>(&mut self, w: &mut W) {
        w.whole("sentences", "sentences of this message", 1, 9, &mut self.sentences);
        w.whole("sentence", "number of this one", 1, 9, &mut self.sentence);
        w.whole("sequence", "identifier that joins the sentences of a message", 1, 9, &mut self.sequence);
        w.letter("channel", "A or B, empty for the own ship", b"AB12ab", &mut self.channel);
        w.text("payload", "six bits a character", self.payload.place());
        w.whole("fill_bits", "bits at the end that do not count", 1, 5, &mut self.fill);
    }
}

/// A row whose sentences `core::ais` makes, by a transponder that has said nothing before. A schedule that says several
/// keeps a [`Transponder`] of its own, so that message identifiers and channels take turns.
pub(super) const fn row<const OWN: bool, const STATIC: bool>() -> Formatter {
    Formatter { say: say::<OWN, STATIC>, ..table::row::<Encapsulated<OWN, STATIC>>() }
}

fn say<const OWN: bool, const STATIC: bool>(
    vessel: &Vessel,
    _: Moment,
    style: &Style<'_>,
    out: &mut dyn FnMut(&[u8]),
) -> u32 {
    let talker = if style.talker.is_empty() { "AI" } else { style.talker };
    let report = if STATIC { Report::Static } else { Report::Dynamic };
    Transponder::new().say(report, vessel, talker, OWN, out);
    0
}

//! The one table of formatters.

use super::framing::{self, Parts};
use super::reader::Reader;
use super::wire::Wire;
use super::{About, Faults, Heard, Hearing, Sentence, Style, Tell, writer};
use super::{
    accuracy, alarms, depth, encapsulated, gnss, heading, machinery, makers, pilot, satellites, speed, targets,
    transducers, water, waypoints, wind,
};
use crate::core::time::Moment;
use crate::core::vessel::Vessel;

/// Says what a vessel has to say with one sentence; see [`Formatter::say`].
pub type Say = fn(&Vessel, Moment, &Style<'_>, &mut dyn FnMut(&[u8])) -> u32;

/// One sentence the program knows: its description and what can be done with it, as plain function pointers.
pub struct Formatter {
    /// Its description.
    pub about: About,
    /// Applies a sentence (from its delimiter to its end) to a vessel.
    pub hear: fn(&[u8], Heard, &mut Vessel) -> Faults,
    /// Calls back with each sentence (delimiter to checksum, no terminator) that the vessel has to say with it now: none,
    /// one, several. Never longer than 80 characters. The time said is that of the moment, if the vessel knows the time
    /// at all (`Vessel::utc`). Answers how many sentences were left out because they do not fit into 82 characters.
    pub say: Say,
    /// Takes visitors over the fields of one sentence, the second after the first: a visitor that fills the sentence (a
    /// reader), then one that looks at it.
    pub visit: fn(&mut [&mut dyn Wire]),
}

pub(super) const fn row<S: Sentence>() -> Formatter {
    Formatter { about: S::ABOUT, hear: hear_as::<S>, say: say_as::<S>, visit: visit_as::<S> }
}

/// Every sentence the program knows, in the order in which a round says them.
pub static FORMATTERS: &[Formatter] = ROWS;

const ROWS: &[Formatter] = &[
    row::<gnss::Rmc>(),
    row::<gnss::Gga>(),
    row::<gnss::Gll>(),
    row::<gnss::Gns>(),
    row::<satellites::Gsa>(),
    row::<satellites::Gsv>(),
    row::<accuracy::Gst>(),
    row::<accuracy::Gbs>(),
    row::<gnss::Vtg>(),
    row::<gnss::Zda>(),
    row::<heading::Hdg>(),
    row::<heading::Hdm>(),
    row::<heading::Hdt>(),
    row::<heading::Ths>(),
    row::<heading::Rot>(),
    row::<speed::Vhw>(),
    row::<speed::Vbw>(),
    row::<speed::Vlw>(),
    row::<speed::Vdr>(),
    row::<depth::Dpt>(),
    row::<depth::Dbt>(),
    row::<depth::Dbs>(),
    row::<water::Mtw>(),
    row::<wind::Mwv<b'R'>>(),
    row::<wind::Mwv<b'T'>>(),
    row::<wind::Mwd>(),
    row::<wind::Sided<b'R'>>(),
    row::<wind::Sided<b'T'>>(),
    row::<water::Mda>(),
    row::<machinery::Rsa>(),
    row::<pilot::Apb>(),
    row::<pilot::Xte>(),
    row::<pilot::Rmb>(),
    row::<waypoints::Bearing<b'C'>>(),
    row::<waypoints::Bearing<b'R'>>(),
    row::<waypoints::Bod>(),
    row::<pilot::Aam>(),
    row::<pilot::Apa>(),
    row::<waypoints::Rte>(),
    row::<waypoints::Wpl>(),
    row::<machinery::Rpm>(),
    row::<transducers::Xdr>(),
    encapsulated::row::<true, false>(),
    encapsulated::row::<true, true>(),
    encapsulated::row::<false, false>(),
    encapsulated::row::<false, true>(),
    row::<targets::Ttm>(),
    // Only heard.
    row::<alarms::Alf>(),
    row::<alarms::Alr>(),
    row::<waypoints::Bww>(),
    row::<depth::Dbk>(),
    row::<alarms::Dsc>(),
    row::<accuracy::Dtm>(),
    row::<accuracy::Grs>(),
    row::<heading::Hsc>(),
    row::<heading::Hvd>(),
    row::<water::Mhu>(),
    row::<water::Mmb>(),
    row::<water::Mta>(),
    row::<targets::Osd>(),
    row::<gnss::Rma>(),
    row::<targets::Rsd>(),
    row::<alarms::Stn>(),
    row::<targets::Tll>(),
    row::<alarms::Txt>(),
    row::<wind::Vpw>(),
    row::<waypoints::Wcv>(),
    row::<waypoints::Wnc>(),
    row::<pilot::Xtr>(),
    row::<waypoints::Elapsed<b'F'>>(),
    row::<waypoints::Elapsed<b'T'>>(),
    row::<makers::Pghp>(),
    row::<makers::Pgrme>(),
    row::<makers::Pgrmm>(),
    row::<makers::Pgrmz>(),
    row::<makers::Pflaa>(),
    row::<makers::Pflau>(),
    row::<makers::Stalk>(),
    row::<makers::Pcdin>(),
    row::<makers::Pdgy>(),
];

fn hear_as<S: Sentence>(sentence: &[u8], heard: Heard, vessel: &mut Vessel) -> Faults {
    let Some(parts) = framing::split(sentence) else { return Faults::default() };
    let mut reader = Reader::new(parts.body);
    let mut read = S::default();
    read.fields(&mut reader);
    read.apply(&Hearing { talker: parts.talker(), heard }, vessel);
    reader.finish()
}

fn say_as<S: Sentence>(vessel: &Vessel, now: Moment, style: &Style<'_>, out: &mut dyn FnMut(&[u8])) -> u32 {
    let mut unsaid = 0;
    let mut to = |talker: &str, mut sentence: S| match writer::compose(talker, style, &mut sentence) {
        Some(w) => out(w.as_bytes()),
        None => unsaid += 1,
    };
    S::say(vessel, now, style, &mut Tell { usual: S::ABOUT.talker, forced: style.talker, to: &mut to });
    unsaid
}

fn visit_as<S: Sentence>(visitors: &mut [&mut dyn Wire]) {
    let mut sentence = S::default();
    for visitor in visitors {
        sentence.fields(*visitor);
    }
}

/// The row of an id (`MWV-R`).
pub fn by_id(id: &str) -> Option<&'static Formatter> {
    FORMATTERS.iter().find(|f| f.about.id == id)
}

/// The (first) row of a formatter (`MWV`, `PGRME`).
pub fn by_formatter(formatter: &[u8]) -> Option<&'static Formatter> {
    let mut slot = hash(formatter);
    loop {
        match INDEX[slot] {
            0 => return None,
            n => {
                let row = FORMATTERS.get(usize::from(n) - 1)?;
                if row.about.formatter.as_bytes() == formatter {
                    return Some(row);
                }
            }
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// Decodes any sentence into the vessel. What the table does not know leaves it alone and answers `None`.
pub fn hear(sentence: &[u8], heard: Heard, vessel: &mut Vessel) -> Option<Faults> {
    let row = by_formatter(formatter_of(sentence)?)?;
    Some((row.hear)(sentence, heard, vessel))
}

/// What names the kind of a sentence: `RMC`, `PGRME`.
pub fn formatter_of(sentence: &[u8]) -> Option<&[u8]> {
    let address = sentence.get(1..)?;
    let end = address.iter().position(|b| matches!(b, b',' | b'*')).unwrap_or(address.len());
    let address = &address[..end];
    Some(Parts { delimiter: b'$', address, body: None, given: None, summed: &[] }.formatter())
}

const SLOTS: usize = 512;

/// Rows by formatter: row number plus one, in the first free slot from the hash on.
const INDEX: [u8; SLOTS] = {
    let mut index = [0u8; SLOTS];
    let mut i = 0;
    while i < ROWS.len() {
        let mut slot = hash(ROWS[i].about.formatter.as_bytes());
        while index[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        index[slot] = i as u8 + 1;
        i += 1;
    }
    index
};

const fn hash(formatter: &[u8]) -> usize {
    let mut h = 0usize;
    let mut i = 0;
    while i < formatter.len() && i < 8 {
        h = h.wrapping_mul(31).wrapping_add(formatter[i] as usize);
        i += 1;
    }
    (h ^ (h >> 9)) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::vessel::Bare;

    #[test]
    fn every_row_is_found_by_its_id_and_its_formatter() {
        for row in FORMATTERS {
            assert_eq!(by_id(row.about.id).unwrap().about.id, row.about.id);
            assert_eq!(by_formatter(row.about.formatter.as_bytes()).unwrap().about.formatter, row.about.formatter);
        }
        assert!(by_formatter(b"QQQ").is_none() && by_formatter(b"").is_none() && by_id("").is_none());
    }

    #[test]
    fn hearing_keeps_what_a_sentence_says_and_leaves_the_rest() {
        let mut v = Vessel::default();
        let heard = Heard::default();
        let faults = hear(b"$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A", heard, &mut v);
        assert_eq!(faults, Some(Faults::default()));
        let p = v.position.bare().unwrap();
        assert!((p.latitude - 48.1173).abs() < 1e-9 && (p.longitude - 11.516_666_667).abs() < 1e-9);
        assert_eq!(
            (v.sog_kn.bare(), v.cog_true_deg.bare(), v.variation_deg.bare()),
            (Some(22.4), Some(84.4), Some(-3.1))
        );
        let before = v;
        // A void fix is shown, not used.
        hear(b"$GPRMC,123520,V,4808.000,N,01131.000,E,099.9,084.4,230394,003.1,W*6A", heard, &mut v);
        assert_eq!((v.position, v.sog_kn), (before.position, before.sog_kn));
        assert!(v.void_position.bare().is_some() && v.gnss.valid.bare() == Some(false));
        // What the table does not know leaves the vessel alone.
        let before = v;
        assert_eq!(hear(b"$GPQQQ,1,2,3*00", heard, &mut v), None);
        assert_eq!(v, before);
    }

    #[test]
    fn bad_fields_are_refused_one_by_one() {
        let mut v = Vessel::default();
        let faults =
            hear(b"$GPRMC,996099,A,9107.038,N,01131.000,E,x,361.0,310294,003.1,Q*00", Heard::default(), &mut v);
        // Time, latitude, speed, course, date, variation.
        assert_eq!(faults, Some(Faults { bad: 6, missing: 0, extra: 0 }));
        assert_eq!((v.position, v.sog_kn, v.utc, v.variation_deg), (None, None, None, None));
        assert_eq!(hear(b"$GPDPT,1.0,0.5,100.0,7,8", Heard::default(), &mut v).unwrap().extra, 2);
        assert_eq!(hear(b"$GPHDG,1.0", Heard::default(), &mut v).unwrap().missing, 4);
    }
}

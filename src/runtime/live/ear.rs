//! Lines out of what the inputs bring, heard into a vessel; and a row of counters for each input.
//!
//! Pure: is told the time, and waits for nothing.

use bytes::Bytes;

use super::super::healing::{Flaps, Lost, NO_MORE, Opened};
use super::super::inputs::What;
use super::super::session::snapshot::{InputRow, Level, Link};
use super::LOOK;
use crate::core::frame::{Class, Frame, Origin, Place};
use crate::core::input::InputSpec;
use crate::core::log::line::Line;
use crate::core::log::lines::Feed;
use crate::core::nmea::{Heard, table};
use crate::core::time::{Moment, Offset, SECOND};
use crate::core::vessel::Vessel;

/// A line whose end does not come within this is taken as it is.
const SILENCE: Offset = SECOND;
/// Over how long the load of a line is measured, in looks.
const LOAD: usize = 40;

/// Hears several inputs: each has lines of its own, all have one vessel.
pub struct Ear {
    ears: Vec<One>,
    vessel: Vessel,
    seq: u64,
}

struct One {
    feed: Feed,
    capacity: Option<f64>,
    row: InputRow,
    /// When the last byte came.
    last: Option<Offset>,
    /// Since when it is open.
    opened: Option<Offset>,
    /// Bytes of each look, the newest last.
    looks: std::collections::VecDeque<u64>,
    flaps: Flaps,
    ended: bool,
}

impl Ear {
    /// For these inputs; in strict mode sentences without checksum are skipped.
    pub fn new(specs: &[InputSpec], strict: bool) -> Ear {
        let ears = specs.iter().zip(0..).map(|(spec, n)| One {
            feed: Feed::new(strict),
            capacity: spec.capacity(),
            row: InputRow { n, spec: crate::core::visible::text(spec.to_string().as_bytes()), ..InputRow::default() },
            last: None,
            opened: None,
            looks: std::collections::VecDeque::from([0]),
            flaps: Flaps::default(),
            ended: false,
        });
        Ear { ears: ears.collect(), vessel: Vessel::default(), seq: 0 }
    }

    /// What was heard.
    pub fn vessel(&self) -> &Vessel {
        &self.vessel
    }

    /// Every input has come to its end.
    pub fn is_over(&self) -> bool {
        self.ears.iter().all(|one| one.ended)
    }

    /// Takes news of an input; appends the lines that end in it. Returns a state of which to tell.
    pub fn hear(&mut self, input: u16, at: Moment, what: &What, out: &mut Vec<Frame>) -> Option<(Level, String)> {
        let one = self.ears.get_mut(usize::from(input))?;
        let mut lines = Lines { input, at, vessel: &mut self.vessel, seq: &mut self.seq, sentences: 0, out };
        let mut told = None;
        match what {
            What::Bytes(bytes) => {
                one.take(bytes.len(), at.offset);
                one.feed.push(bytes, &mut |line| lines.add(line));
            }
            What::Datagram(bytes) => {
                one.take(bytes.len(), at.offset);
                one.feed.push(bytes, &mut |line| lines.add(line));
                one.feed.flush(&mut |line| lines.add(line));
            }
            What::State { state, settings, error } => {
                one.feed.flush(&mut |line| lines.add(line));
                told = one.turn(at.offset, *state, settings, error.as_deref());
            }
            What::Scan(scan) => one.row.scan = Some(scan.clone()),
            What::Ended => {
                one.feed.flush(&mut |line| lines.add(line));
                one.ended = true;
                one.row.state = Link::Closed;
                told = Some((Level::Info, format!("{} has ended", one.row.spec)));
            }
        }
        one.row.sentences += lines.sentences;
        told.or_else(|| one.settle(at.offset))
    }

    /// An input gets other settings; its counters go on.
    pub fn change(&mut self, input: u16, spec: &InputSpec, at: Moment, out: &mut Vec<Frame>) {
        let Some(one) = self.ears.get_mut(usize::from(input)) else { return };
        let mut lines = Lines { input, at, vessel: &mut self.vessel, seq: &mut self.seq, sentences: 0, out };
        one.feed.flush(&mut |line| lines.add(line));
        one.row.sentences += lines.sentences;
        one.capacity = spec.capacity();
        one.opened = None;
        one.ended = false;
        one.flaps = Flaps::default();
        let row = &mut one.row;
        row.spec = crate::core::visible::text(spec.to_string().as_bytes());
        (row.state, row.load, row.scan, row.last_error) = (Link::Opening, None, None, None);
        row.settings.clear();
    }

    /// Takes what has waited too long for the end of its line.
    pub fn look(&mut self, at: Moment, out: &mut Vec<Frame>) {
        for (one, input) in self.ears.iter_mut().zip(0..) {
            if one.feed.has_pending() && one.last.is_some_and(|last| at.offset - last >= SILENCE) {
                let mut lines = Lines { input, at, vessel: &mut self.vessel, seq: &mut self.seq, sentences: 0, out };
                one.feed.flush(&mut |line| lines.add(line));
                one.row.sentences += lines.sentences;
            }
            one.row.silence = one.last.map(|last| at.offset - last);
            one.looks.push_back(0);
            if one.looks.len() > LOAD {
                one.looks.pop_front();
            }
            let over = one.looks.len() as f64 * LOOK.as_secs_f64();
            let rate = one.looks.iter().sum::<u64>() as f64 / over;
            one.row.rate = rate;
            one.row.load = one.capacity.map(|capacity| 100.0 * rate / capacity);
        }
    }

    /// The rows of the inputs.
    pub fn rows(&self) -> Vec<InputRow> {
        self.ears.iter().map(|one| one.row.clone()).collect()
    }
}

impl One {
    fn take(&mut self, bytes: usize, at: Offset) {
        self.row.bytes += bytes as u64;
        self.last = Some(at);
        if let Some(newest) = self.looks.back_mut() {
            *newest += bytes as u64;
        }
    }

    fn turn(&mut self, at: Offset, state: Link, settings: &str, error: Option<&str>) -> Option<(Level, String)> {
        self.row.state = state;
        let held = self.opened.take().map(|since| at - since);
        match state {
            Link::Open => self.opened = Some(at),
            Link::Waiting => self.row.lived = held.or(self.row.lived),
            Link::Opening | Link::Failed | Link::Closed => {}
        }
        if !settings.is_empty() {
            settings.clone_into(&mut self.row.settings);
        }
        if let Some(baud) = settings.split(' ').next().and_then(|baud| baud.parse::<f64>().ok())
            && self.row.spec.starts_with("serial:")
        {
            self.capacity = Some(baud / 10.0);
        }
        match state {
            Link::Open => {
                let again = self.flaps.is_lost();
                self.row.reopened += u32::from(again);
                self.row.last_error = None;
                let told = self.flaps.open(at) != Opened::Untold;
                let word = if again { "open again" } else { "open" };
                let turned = settings.ends_with("inverted");
                let advice =
                    if turned { "; the two wires are swapped: read the right way round all the same" } else { "" };
                let level = if turned { Level::Warning } else { Level::Info };
                let text = format!("{} {word} {settings}{advice}", self.row.spec).replace(" ;", ";");
                told.then(|| (level, text.trim_end().to_owned()))
            }
            Link::Waiting | Link::Failed => {
                let error = error.map(|error| crate::core::visible::text(error.as_bytes()));
                self.row.last_error.clone_from(&error);
                let end = match self.flaps.lose(at) {
                    Lost::Told => "",
                    Lost::ToldLast => NO_MORE,
                    Lost::Untold => return None,
                };
                error.map(|error| (Level::Warning, format!("{error}{end}")))
            }
            Link::Opening | Link::Closed => None,
        }
    }

    /// Tells of an input that came and went, once it holds.
    fn settle(&mut self, at: Offset) -> Option<(Level, String)> {
        self.flaps.settled(at).then(|| (Level::Info, format!("{} open again, and holds", self.row.spec)))
    }
}

/// Where lines become frames.
struct Lines<'a> {
    input: u16,
    at: Moment,
    vessel: &'a mut Vessel,
    seq: &'a mut u64,
    sentences: u64,
    out: &'a mut Vec<Frame>,
}

impl Lines<'_> {
    fn add(&mut self, line: &Line<'_>) {
        if line.class == Class::Blank {
            return;
        }
        let bytes = Bytes::copy_from_slice(line.text);
        if line.pieces.is_empty() {
            let all = (0, bytes.len() as u32);
            return self.push(line, 0, line.class, bytes, all);
        }
        for (piece, part) in line.pieces.iter().zip(0..) {
            if piece.class.is_sentence() {
                let heard = Heard { at: self.at, origin: Origin::Input(self.input) };
                // What the table does not know passes and leaves the vessel alone.
                let _unknown = table::hear(piece.of(line.text), heard, self.vessel);
                self.sentences += 1;
            }
            self.push(line, part, piece.class, bytes.clone(), (piece.start, piece.end));
        }
    }

    fn push(&mut self, line: &Line<'_>, part: u16, class: Class, bytes: Bytes, sentence: (u32, u32)) {
        *self.seq += 1;
        self.out.push(Frame {
            seq: *self.seq,
            offset: self.at.offset,
            origin: Origin::Input(self.input),
            class,
            place: Some(Place { file: self.input, byte: line.at, line: line.number, part }),
            bytes,
            sentence,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::vessel::Bare;

    fn ear(specs: &[&str]) -> Ear {
        let specs: Vec<_> = specs.iter().map(|text| InputSpec::parse(text).unwrap()).collect();
        Ear::new(&specs, false)
    }

    fn at(seconds: i64) -> Moment {
        Moment { offset: seconds * SECOND, utc: None }
    }

    fn bytes(text: &[u8]) -> What {
        What::Bytes(Bytes::copy_from_slice(text))
    }

    #[test]
    fn two_inputs_torn_into_each_other_stay_apart() {
        let mut ear = ear(&["tcp:a:1", "tcp:b:1"]);
        let mut out = Vec::new();
        ear.hear(0, at(0), &bytes(b"$HEHDT,4"), &mut out);
        ear.hear(1, at(0), &bytes(b"$SDDPT,12.4,"), &mut out);
        ear.hear(0, at(1), &bytes(b"5.0,T*1E\r\n"), &mut out);
        ear.hear(1, at(1), &bytes(b"0.5,*49\r\n$HEHDT,46.0,T*00\r\n"), &mut out);
        let seen: Vec<_> = out.iter().map(|f| (f.origin, f.class, f.text().len())).collect();
        assert_eq!(
            seen,
            [
                (Origin::Input(0), Class::Sentence, 16),
                (Origin::Input(1), Class::Sentence, 19),
                (Origin::Input(1), Class::BadChecksum, 16),
            ]
        );
        assert_eq!(ear.vessel().heading_true_deg.bare(), Some(45.0), "the bad line is not heard");
        assert_eq!(ear.vessel().depth_m.unwrap().origin, Origin::Input(1));
        assert_eq!(ear.rows().iter().map(|row| row.sentences).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn a_tag_block_stays_in_front_of_its_sentence() {
        let mut ear = ear(&["udp:2000"]);
        let mut out = Vec::new();
        ear.hear(0, at(0), &What::Datagram(Bytes::from_static(b"\\s:GP0001*13\\$HEHDT,45.0,T*1E")), &mut out);
        assert_eq!(out.len(), 1, "a datagram ends its line");
        assert_eq!(out[0].text(), b"$HEHDT,45.0,T*1E");
        assert!(out[0].bytes.starts_with(b"\\s:GP0001"));
    }

    #[test]
    fn glued_sentences_share_their_line() {
        let mut ear = ear(&["udp:2000"]);
        let mut out = Vec::new();
        ear.hear(0, at(0), &bytes(b"$HEHDT,45.0,T*1E$SDDPT,12.4,0.5,*49\n\n"), &mut out);
        assert_eq!(out.len(), 2);
        assert_eq!(out[0].bytes, out[1].bytes);
        assert_eq!(out.iter().map(|f| f.place.unwrap().part).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_line_without_an_end_is_taken_after_a_second_of_silence() {
        let mut ear = ear(&["serial:/dev/ttyS0@4800"]);
        let mut out = Vec::new();
        ear.hear(0, at(0), &bytes(b"$HEHDT,45.0,T*1E"), &mut out);
        ear.look(Moment { offset: SECOND / 2, utc: None }, &mut out);
        assert!(out.is_empty());
        ear.look(at(1), &mut out);
        assert_eq!(out.len(), 1);
        assert_eq!(ear.rows()[0].silence, Some(SECOND));
    }

    #[test]
    fn other_settings_of_an_input_leave_its_counters_and_the_other_inputs_alone() {
        let mut ear = ear(&["serial:/dev/ttyS0@4800", "tcp:a:1"]);
        let mut out = Vec::new();
        let open = |settings: &str| What::State { state: Link::Open, settings: settings.into(), error: None };
        ear.hear(0, at(0), &open("4800 8N1"), &mut out);
        ear.hear(0, at(0), &bytes(b"$HEHDT,45.0,T*1E\r\n$HEH"), &mut out);
        ear.hear(1, at(0), &bytes(b"$SDDPT,12"), &mut out);
        ear.change(0, &InputSpec::parse("serial:/dev/ttyS0@9600").unwrap(), at(1), &mut out);
        let row = &ear.rows()[0];
        assert_eq!(
            (row.spec.as_str(), row.settings.as_str(), row.state),
            ("serial:/dev/ttyS0@9600", "", Link::Opening)
        );
        assert_eq!((row.sentences, row.bytes, row.reopened), (1, 22, 0));
        ear.hear(0, at(1), &open("9600 8N1"), &mut out);
        ear.hear(1, at(1), &bytes(b".4,0.5,*49\r\n"), &mut out);
        assert_eq!(ear.rows()[0].reopened, 0, "another setting is no reconnection");
        // The rest of a line at the old rate is none of the new.
        let classes: Vec<_> = out.iter().map(|f| (f.origin, f.class)).collect();
        assert_eq!(
            classes,
            [
                (Origin::Input(0), Class::Sentence),
                (Origin::Input(0), Class::NoSentence),
                (Origin::Input(1), Class::Sentence)
            ]
        );
    }

    #[test]
    fn how_long_a_connection_held_is_told_when_it_closes() {
        let mut ear = ear(&["tcp:a:1"]);
        let mut out = Vec::new();
        let turn = |ear: &mut Ear, second: i64, state: Link| {
            let error = (state == Link::Waiting).then(|| "closed".to_owned());
            ear.hear(0, at(second), &What::State { state, settings: String::new(), error }, &mut Vec::new());
        };
        turn(&mut ear, 0, Link::Open);
        ear.hear(0, at(1), &bytes(b"x"), &mut out);
        turn(&mut ear, 30, Link::Waiting);
        assert_eq!((ear.rows()[0].lived, ear.rows()[0].reopened), (Some(30 * SECOND), 0));
        turn(&mut ear, 32, Link::Open);
        assert_eq!((ear.rows()[0].lived, ear.rows()[0].reopened), (Some(30 * SECOND), 1));
    }

    #[test]
    fn the_load_of_a_line_counts_terminators() {
        let mut ear = ear(&["serial:/dev/ttyS0@4800"]);
        let mut out = Vec::new();
        // 240 bytes a second for ten seconds on a line that carries 480.
        for quarter in 0..40 {
            ear.look(Moment { offset: quarter * SECOND / 4, utc: None }, &mut out);
            ear.hear(0, at(0), &bytes(&[b'\n'; 60]), &mut out);
        }
        let load = {
            ear.look(at(10), &mut out);
            ear.rows()[0].load.unwrap()
        };
        assert!((load - 50.0).abs() < 3.0, "{load}");
    }

    #[test]
    fn a_lost_input_is_told_once_and_counted_when_it_returns() {
        let mut ear = ear(&["tcp:gateway:10110"]);
        let mut out = Vec::new();
        let lost =
            What::State { state: Link::Waiting, settings: String::new(), error: Some("gateway: refused".into()) };
        let open = What::State { state: Link::Open, settings: String::new(), error: None };
        assert_eq!(ear.hear(0, at(0), &open, &mut out), Some((Level::Info, "tcp:gateway:10110 open".into())));
        assert_eq!(ear.hear(0, at(1), &lost, &mut out), Some((Level::Warning, "gateway: refused".into())));
        assert_eq!(ear.hear(0, at(2), &open, &mut out), Some((Level::Info, "tcp:gateway:10110 open again".into())));
        assert_eq!((ear.rows()[0].reopened, ear.rows()[0].last_error.clone()), (1, None));
    }
}

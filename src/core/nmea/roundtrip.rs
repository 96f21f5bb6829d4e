//! Over every row of the table: what is filled in at random, written and read again is what was filled in.
//!
//! The filler is one more visitor: it puts values of the resolution of their fields into a sentence.

use proptest::prelude::*;

use super::digits::TENS;
use super::framing;
use super::reader::Reader;
use super::table::FORMATTERS;
use super::wire::{Field, Form, Group, Slot, TextPlace, TimeOfDay, Wire};
use super::writer::Writer;
use crate::core::time::Date;

/// A small generator (SplitMix64), so that one seed is one sentence.
#[derive(Clone)]
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }

    /// One time in four nothing.
    fn maybe<T>(&mut self, value: impl FnOnce(&mut Random) -> T) -> Option<T> {
        let there = self.below(4) > 0;
        let value = value(self);
        there.then_some(value)
    }
}

struct Filler {
    random: Random,
    /// What newer versions add is there.
    newer: bool,
    len: usize,
    /// Measures share one unit letter.
    shared: bool,
}

impl Filler {
    fn new(seed: u64) -> Filler {
        let mut random = Random(seed);
        let newer = random.below(2) == 0;
        let len = random.below(9) as usize;
        Filler { random, newer, len, shared: false }
    }
}

fn decimal(r: &mut Random, decimals: u8, form: Form) -> f64 {
    let scale = TENS[usize::from(decimals)];
    let most = match form {
        Form::Bearing => 360 * scale - 1,
        Form::HalfCircle | Form::Signed180 => 180 * scale,
        Form::Plain | Form::Positive => 9999 * scale,
    };
    let value = r.below(most + 1) as f64 / scale as f64;
    let may_be_negative = matches!(form, Form::Plain | Form::Signed180);
    if may_be_negative && value > 0.0 && r.below(2) == 0 { -value } else { value }
}

fn degrees(r: &mut Random, most: u64) -> f64 {
    // Whole ten thousandths of a minute, the poles and the date line too.
    let n = r.below(most * 600_000 + 1);
    let value = n as f64 / 600_000.0;
    if n > 0 && r.below(2) == 0 { -value } else { value }
}

fn time(r: &mut Random, hours: u64) -> TimeOfDay {
    let digits = r.below(4) as u8;
    TimeOfDay {
        hour: r.below(hours) as u8,
        minute: r.below(60) as u8,
        second: r.below(61) as u8,
        digits,
        nanos: (r.below(TENS[usize::from(digits)]) * TENS[usize::from(9 - digits)]) as u32,
    }
}

fn date(r: &mut Random) -> Date {
    Date::from_days(r.below(36_500) as i64 + 3653) // 1980 to 2079
}

fn text(r: &mut Random, place: &mut TextPlace<'_>) {
    place.clear();
    let len = r.below(place.capacity().min(12) as u64 + 1);
    for _ in 0..len {
        place.push(b"ABCxyz 0189-_.#/"[r.below(16) as usize]);
    }
}

impl Wire for Filler {
    fn field(&mut self, _: Field, slot: Slot<'_>) {
        let r = &mut self.random;
        match slot {
            Slot::Time(v) => *v = r.maybe(|r| time(r, 24)),
            Slot::Elapsed(v) => *v = r.maybe(|r| time(r, 100)),
            Slot::SplitTime(v) => {
                *v = r.maybe(|r| TimeOfDay { digits: 3, nanos: r.below(1000) as u32 * 1_000_000, ..time(r, 24) });
            }
            Slot::Date(v) | Slot::DayMonthYear(v) | Slot::YearMonthDay(v) => *v = r.maybe(date),
            Slot::Latitude(v) => *v = r.maybe(|r| degrees(r, 90)),
            Slot::Longitude(v) => *v = r.maybe(|r| degrees(r, 180)),
            Slot::Number { value, decimals, form } => *value = r.maybe(|r| decimal(r, decimals, form)),
            Slot::Integer { value, least, most, .. } => {
                *value = r.maybe(|r| (i64::from(least) + r.below((most - least) as u64 + 1) as i64) as i32);
            }
            Slot::Hex { value, .. } => *value = r.maybe(|r| r.below(1 << 24) as u32),
            Slot::Signed { value, decimals, form, .. } => {
                *value = r.maybe(|r| {
                    let v = decimal(r, decimals, form);
                    if v > 0.0 && r.below(2) == 0 { -v } else { v }
                });
            }
            Slot::Measure { value, units, form, ahead } => {
                // A letter far ahead is one for several fields, also those behind it: the first.
                self.shared |= ahead > 1;
                let unit = if self.shared { units[0] } else { units[r.below(units.len() as u64) as usize] };
                value.value = r.maybe(|r| decimal(r, unit.decimals, form));
                value.unit = unit.letter;
            }
            Slot::UnitLetter { value, of } => *value = of[0],
            Slot::Letter { value, of } => {
                let any = if of.is_empty() { &b"ACPTU"[..] } else { of };
                *value = r.maybe(|r| any[r.below(any.len() as u64) as usize]);
            }
            Slot::Text { mut value, .. } => text(r, &mut value),
            Slot::Unused => {}
        }
    }

    fn another(&mut self, group: &'static Group, i: usize, _: usize) -> bool {
        let len = if group.fixed { usize::from(group.most) } else { self.len.min(usize::from(group.most)) };
        i < len
    }

    fn more(&mut self, _: bool) -> bool {
        self.newer
    }
}

/// Notes every value as text.
#[derive(Default)]
struct Probe {
    values: Vec<String>,
}

impl Wire for Probe {
    fn field(&mut self, field: Field, slot: Slot<'_>) {
        let value = match slot {
            Slot::Time(v) | Slot::Elapsed(v) | Slot::SplitTime(v) => format!("{v:?}"),
            Slot::Date(v) | Slot::DayMonthYear(v) | Slot::YearMonthDay(v) => format!("{v:?}"),
            Slot::Latitude(v) | Slot::Longitude(v) => format!("{v:?}"),
            Slot::Number { value, .. } | Slot::Signed { value, .. } => format!("{value:?}"),
            Slot::Integer { value, .. } => format!("{value:?}"),
            Slot::Hex { value, .. } => format!("{value:?}"),
            Slot::Measure { value, .. } => format!("{value:?}"),
            Slot::UnitLetter { value, .. } => format!("{value:?}"),
            Slot::Letter { value, .. } => format!("{value:?}"),
            Slot::Text { value, .. } => format!("{:?}", String::from_utf8_lossy(value.get())),
            Slot::Unused => String::new(),
        };
        self.values.push(format!("{}={value}", field.name));
    }

    fn another(&mut self, group: &'static Group, i: usize, len: usize) -> bool {
        i < usize::from(group.most) && (group.fixed || i < len)
    }

    fn more(&mut self, have: bool) -> bool {
        have
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn written_and_read_again_every_sentence_is_what_it_was(seed: u64) {
        for row in FORMATTERS {
            let id = row.about.id;
            let mut writer = Writer::new(row.about.delimiter, row.about.talker, row.about.formatter, 4, 32);
            let mut filled = Probe::default();
            // The second filling gives the same, now that the decimals of XDR know their units.
            (row.visit)(&mut [&mut Filler::new(seed), &mut Filler::new(seed), &mut filled, &mut writer]);
            writer.seal();
            let sentence = writer.as_bytes();
            let parts = framing::split(sentence).unwrap();
            prop_assert_eq!(parts.given_value(), Some(parts.computed()));

            let mut reader = Reader::new(parts.body);
            let mut read = Probe::default();
            let mut again = Writer::new(row.about.delimiter, row.about.talker, row.about.formatter, 4, 32);
            (row.visit)(&mut [&mut reader, &mut read, &mut again]);
            again.seal();
            let text = String::from_utf8_lossy(sentence);
            prop_assert_eq!(reader.finish(), super::Faults::default(), "{}: {}", id, text);
            prop_assert_eq!(&text, &String::from_utf8_lossy(again.as_bytes()), "{}", id);
            prop_assert_eq!(filled.values, read.values, "{}: {}", id, text);
        }
    }

    /// Nothing that comes over a wire panics, is read twice, or makes a value that is not a number.
    #[test]
    fn any_bytes_are_heard_without_a_panic(body in proptest::collection::vec(any::<u8>(), 0..200), digits in "[0-9A-Z.,*^-]{0,120}") {
        use crate::core::vessel::Vessel;
        let mut vessel = Vessel::default();
        for row in FORMATTERS {
            for tail in [&body[..], digits.as_bytes()] {
                let mut sentence = format!("${}{},", row.about.talker, row.about.formatter).into_bytes();
                sentence.extend_from_slice(tail);
                (row.hear)(&sentence, super::Heard::default(), &mut vessel);
                let mut out = Vec::new();
                super::json::fields(&sentence, &mut out);
                prop_assert!(serde_json::from_slice::<serde_json::Value>(&out).is_ok(), "{}", String::from_utf8_lossy(&out));
            }
        }
        // JSON knows no NaN: it would become null, and null is not a position.
        let text = serde_json::to_string(&vessel).unwrap();
        let back = serde_json::from_str::<Vessel>(&text);
        prop_assert!(back.is_ok(), "{back:?}");
    }
}

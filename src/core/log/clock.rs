//! Offsets from readings of clocks (LOG-FORMAT §3, rule 3): one step per reading, no look ahead.
//!
//! Knows neither lines nor sentences: it is told which clock showed what.

use crate::core::time::{DAY, HOUR, MINUTE, Offset, Utc, time_of_day};

/// Clocks that are told apart; readings of further ones belong to one common clock.
pub const MOST_CLOCKS: u16 = 4096;

/// What a clock showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Nanoseconds since 1970 when dated, else since midnight.
    pub ns: i64,
    /// It had a date.
    pub dated: bool,
}

impl Reading {
    /// An absolute time.
    pub fn utc(ns: Utc) -> Reading {
        Reading { ns, dated: true }
    }

    /// A time of day without date.
    pub fn of_day(ns: i64) -> Reading {
        Reading { ns, dated: false }
    }

    /// This reading less another; where either has no date, by the time of day, nearest way round (-12 h, 12 h].
    pub fn since(self, other: Reading) -> i64 {
        if self.dated && other.dated {
            return self.ns.saturating_sub(other.ns);
        }
        let d = (time_of_day(self.ns) - time_of_day(other.ns)).rem_euclid(DAY);
        if d > 12 * HOUR { d - DAY } else { d }
    }
}

/// A reading and the offset it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// What the clock showed.
    pub time: Reading,
    /// Nanoseconds since the first sentence.
    pub offset: Offset,
}

/// The state of a timeline: small, so that it can be kept beside an index and taken up again there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// The offset so far.
    pub offset: Offset,
    /// The last reading of each clock.
    pub(super) last: Vec<Option<Point>>,
    pub(super) run: Option<Point>,
    pub(super) prev: Option<Point>,
    /// The last reading with a date that led the others.
    dated: Option<Point>,
    /// The time of a TAG block alone on its line, for the next sentence.
    pub pending: Option<(u16, Reading)>,
}

impl Clocks {
    /// Takes a reading of a clock. Returns the jump, when the timeline does not follow it: a break.
    #[inline]
    pub fn read(&mut self, clock: u16, t: Reading) -> Option<i64> {
        let clock = usize::from(clock.min(MOST_CLOCKS));
        if let Some(Some(own)) = self.last.get_mut(clock)
            && self.run == Some(*own)
            && let d = t.since(own.time)
            && (0..=MINUTE).contains(&d)
        {
            // Nearly always: the clock that leads goes on. What the rule says of that comes to this.
            let point = Point { time: t, offset: own.offset.saturating_add(d) };
            *own = point;
            self.lead(point);
            self.offset = self.offset.max(point.offset);
            return None;
        }
        self.read_any(clock, t)
    }

    fn read_any(&mut self, clock: usize, t: Reading) -> Option<i64> {
        let own = self.last.get(clock).copied().flatten();
        let d = own.map(|own| t.since(own.time));
        let mut candidate: Option<Offset> = None;
        if let (Some(own), Some(d)) = (own, d) {
            let limit = if t.dated && own.time.dated { 24 * HOUR } else { 6 * HOUR };
            let with_the_others = d <= MINUTE || self.run.is_some_and(|run| t.since(run.time) >= -MINUTE);
            if (0..=limit).contains(&d) && with_the_others {
                candidate = Some(own.offset.saturating_add(d));
            }
        }
        if let Some(run) = self.run {
            let d = t.since(run.time);
            if (-MINUTE..=MINUTE).contains(&d) {
                candidate = candidate.max(Some(run.offset.saturating_add(d)));
            }
        }
        if let (Some(d), Some(prev)) = (d, self.prev)
            && !(-MINUTE..=MINUTE).contains(&d)
        {
            // Back where it would be without its last break: a stray, or a wrong setting undone.
            let since = t.since(prev.time);
            let off = i128::from(since) - (i128::from(self.offset) - i128::from(prev.offset));
            if off.unsigned_abs() <= u128::from(MINUTE.unsigned_abs()) {
                self.lead(prev);
                candidate = Some(prev.offset.saturating_add(since));
                self.prev = None;
            }
        }
        let (offset, jump) = match candidate {
            Some(offset) => (offset, None),
            None => {
                if own.is_some() {
                    self.prev = self.run;
                }
                (self.offset, d)
            }
        };
        let point = Point { time: t, offset };
        if self.last.len() <= clock {
            self.last.resize(clock + 1, None);
        }
        self.last[clock] = Some(point);
        if self.run.is_none_or(|run| offset >= run.offset) {
            self.lead(point);
        }
        self.offset = self.offset.max(offset);
        jump
    }

    fn lead(&mut self, point: Point) {
        self.run = Some(point);
        if point.time.dated {
            self.dated = Some(point);
        }
    }

    /// Whether this clock has been read.
    pub fn has_read(&self, clock: u16) -> bool {
        self.last.get(usize::from(clock)).is_some_and(Option::is_some)
    }

    /// Clocks that have been read, about.
    pub fn known(&self) -> usize {
        self.last.len()
    }

    /// What the clock that led last and has a date showed at an offset.
    pub fn utc(&self, offset: Offset) -> Option<Utc> {
        let dated = self.dated?;
        Some(dated.time.ns.saturating_add(offset.saturating_sub(dated.offset)))
    }

    /// As few bytes as it takes: see [`Clocks::unpack`].
    pub fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(16 + 8 * self.last.len());
        let mut w = Packer { base: [0, 0], offset: self.offset, out: &mut out };
        w.number(self.offset);
        w.point(self.run);
        w.point(self.prev);
        w.point(self.dated);
        w.point(self.pending.map(|(_, time)| Point { time, offset: self.offset }));
        if let Some((clock, _)) = self.pending {
            w.number(i64::from(clock));
        }
        for point in &self.last {
            w.point(*point);
        }
        out
    }

    /// What [`Clocks::pack`] wrote.
    pub fn unpack(bytes: &[u8]) -> Clocks {
        let mut r = Unpacker { base: [0, 0], offset: 0, rest: bytes };
        let offset = r.number();
        r.offset = offset;
        let run = r.point();
        let prev = r.point();
        let dated = r.point();
        let pending = r.point().map(|p| (r.number() as u16, p.time));
        let mut last = Vec::new();
        while !r.rest.is_empty() {
            last.push(r.point());
        }
        Clocks { offset, last, run, prev, dated, pending }
    }
}

/// Numbers as zigzag varints; points relative to the offset and to the point before of the same kind.
struct Packer<'a> {
    base: [i64; 2],
    offset: Offset,
    out: &'a mut Vec<u8>,
}

impl Packer<'_> {
    fn number(&mut self, n: i64) {
        let mut z = ((n << 1) ^ (n >> 63)) as u64;
        while z >= 0x80 {
            self.out.push(z as u8 | 0x80);
            z >>= 7;
        }
        self.out.push(z as u8);
    }

    fn point(&mut self, point: Option<Point>) {
        let Some(Point { time, offset }) = point else {
            self.out.push(0);
            return;
        };
        self.out.push(1 + u8::from(time.dated));
        self.number(self.offset.wrapping_sub(offset));
        let base = &mut self.base[usize::from(time.dated)];
        let lead = time.ns.wrapping_sub(offset);
        let step = lead.wrapping_sub(*base);
        *base = lead;
        self.number(step);
    }
}

struct Unpacker<'a> {
    base: [i64; 2],
    offset: Offset,
    rest: &'a [u8],
}

impl Unpacker<'_> {
    fn number(&mut self) -> i64 {
        let (mut z, mut shift) = (0u64, 0);
        while let [b, rest @ ..] = self.rest {
            self.rest = rest;
            z |= u64::from(b & 0x7F).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if *b < 0x80 {
                break;
            }
        }
        (z >> 1) as i64 ^ -((z & 1) as i64)
    }

    fn point(&mut self) -> Option<Point> {
        let [kind, rest @ ..] = self.rest else { return None };
        self.rest = rest;
        let dated = match kind {
            0 => return None,
            1 => false,
            _ => true,
        };
        let offset = self.offset.wrapping_sub(self.number());
        let step = self.number();
        let base = &mut self.base[usize::from(dated)];
        *base = base.wrapping_add(step);
        Some(Point { time: Reading { ns: base.wrapping_add(offset), dated }, offset })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::core::time::{Date, SECOND};

    /// `10:00:00`, `10:00:00.5`, or with a date in front: `2026-09-23 10:00:00`.
    fn reading(text: &str) -> Reading {
        let (date, time) = text.split_once(' ').map_or((None, text), |(d, t)| (Some(d), t));
        let mut parts = time.split(':').map(|p| p.parse::<f64>().unwrap());
        let seconds = parts.next().unwrap() * 3600.0 + parts.next().unwrap() * 60.0 + parts.next().unwrap_or(0.0);
        let ns = (seconds * 1e9).round() as i64;
        match date {
            None => Reading::of_day(ns),
            Some(date) => {
                let p: Vec<i32> = date.split('-').map(|p| p.parse().unwrap()).collect();
                Reading::utc(Date::new(p[0], p[1] as u8, p[2] as u8).unwrap().midnight() + ns)
            }
        }
    }

    /// Offsets in seconds, and the breaks as (index of the reading, seconds).
    fn run(readings: &[(u16, &str)]) -> (Vec<f64>, Vec<(usize, f64)>) {
        let mut clocks = Clocks::default();
        let (mut offsets, mut breaks) = (Vec::new(), Vec::new());
        for (i, (clock, text)) in readings.iter().enumerate() {
            if let Some(jump) = clocks.read(*clock, reading(text)) {
                breaks.push((i, jump as f64 / 1e9));
            }
            assert_eq!(Clocks::unpack(&clocks.pack()), clocks);
            offsets.push(clocks.offset as f64 / 1e9);
        }
        (offsets, breaks)
    }

    fn one_clock(texts: &[&str]) -> (Vec<f64>, Vec<(usize, f64)>) {
        run(&texts.iter().map(|t| (0, *t)).collect::<Vec<_>>())
    }

    fn on_a_day(times: &[&str]) -> (Vec<f64>, Vec<(usize, f64)>) {
        let texts: Vec<String> = times.iter().map(|t| format!("2026-09-23 {t}")).collect();
        one_clock(&texts.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn steps_back_within_a_minute_are_jitter() {
        assert_eq!(on_a_day(&["10:00:00", "10:00:10", "10:00:05", "10:00:15"]), (vec![0.0, 10.0, 10.0, 15.0], vec![]));
    }

    #[test]
    fn two_clocks_hours_apart() {
        let readings =
            [(0, "10:08:00"), (1, "12:08:00"), (0, "10:08:01"), (1, "12:08:01"), (0, "10:08:02"), (1, "12:08:02")];
        let offsets = run(&readings);
        assert_eq!(offsets, (vec![0.0, 0.0, 1.0, 1.0, 2.0, 2.0], vec![]));
    }

    #[test]
    fn one_wild_value() {
        assert_eq!(
            on_a_day(&["10:00:00", "10:00:01", "09:50:02", "10:00:03"]),
            (vec![0.0, 1.0, 1.0, 3.0], vec![(2, -599.0)])
        );
    }

    #[test]
    fn a_clock_set_back_for_good() {
        assert_eq!(
            on_a_day(&["10:00:00", "10:00:01", "08:00:02", "08:00:03"]),
            (vec![0.0, 1.0, 1.0, 2.0], vec![(2, -7199.0)])
        );
    }

    #[test]
    fn a_clock_that_began_in_1970() {
        let (offsets, breaks) = one_clock(&["1970-01-01 00:00:06", "2026-09-23 10:00:07", "2026-09-23 10:00:08.5"]);
        assert_eq!(offsets, [0.0, 0.0, 1.5]);
        // 2026-09-23T10:00:07 is 1790157607 s after 1970.
        assert_eq!(breaks, [(1, 1_790_157_601.0)]);
    }

    #[test]
    fn midnight_without_dates() {
        let readings = [(0, "23:59:01"), (1, "23:59:01"), (0, "00:00:01"), (1, "00:00:01")];
        assert_eq!(run(&readings), (vec![0.0, 0.0, 60.0, 60.0], vec![]));
    }

    #[test]
    fn a_gap_of_three_hours_is_three_hours() {
        assert_eq!(on_a_day(&["10:00:00", "13:00:00"]), (vec![0.0, 10_800.0], vec![]));
    }

    #[test]
    fn limits_are_a_day_with_a_date_and_six_hours_without() {
        assert_eq!(one_clock(&["2026-09-23 10:00:00", "2026-09-24 10:00:00"]).0, [0.0, 86_400.0]);
        assert_eq!(one_clock(&["2026-09-23 10:00:00", "2026-09-24 10:00:01"]), (vec![0.0, 0.0], vec![(1, 86_401.0)]));
        assert_eq!(one_clock(&["10:00:00", "16:00:00"]), (vec![0.0, 21_600.0], vec![]));
        assert_eq!(one_clock(&["10:00:00", "16:00:01"]), (vec![0.0, 0.0], vec![(1, 21_601.0)]));
        // A reading with a date against one without goes by the time of day.
        assert_eq!(one_clock(&["10:00:00", "2026-09-23 10:00:30"]), (vec![0.0, 30.0], vec![]));
    }

    #[test]
    fn nearest_way_round_is_more_than_minus_twelve_hours_up_to_twelve() {
        let d = |a: &str, b: &str| reading(a).since(reading(b)) / SECOND;
        assert_eq!(d("12:00:00", "00:00:00"), 43_200);
        assert_eq!(d("00:00:00", "12:00:00"), 43_200);
        assert_eq!(d("12:00:01", "00:00:00"), -43_199);
        assert_eq!(d("00:00:01", "23:59:59"), 2);
    }

    #[test]
    fn a_wrong_setting_undone() {
        // Set forward by two days, three readings there, then back: the cadence goes on as if nothing had been.
        let (offsets, breaks) = one_clock(&[
            "2026-09-23 10:00:00",
            "2026-09-23 10:00:01",
            "2026-09-25 10:00:02",
            "2026-09-25 10:00:03",
            "2026-09-23 10:00:04",
            "2026-09-23 10:00:05",
        ]);
        assert_eq!(offsets, [0.0, 1.0, 1.0, 2.0, 4.0, 5.0]);
        assert_eq!(breaks, [(2, 172_801.0)]);
    }

    #[test]
    fn a_new_clock_joins_the_run_within_a_minute_and_else_starts_where_it_is() {
        let readings =
            [(0, "10:00:00"), (0, "10:00:05"), (1, "10:00:06"), (2, "22:00:00"), (2, "22:00:01"), (0, "10:00:08")];
        assert_eq!(run(&readings), (vec![0.0, 5.0, 6.0, 6.0, 7.0, 8.0], vec![]));
    }

    #[test]
    fn clocks_beyond_the_cap_are_one() {
        let mut clocks = Clocks::default();
        for clock in 0..=u16::MAX {
            clocks.read(clock, Reading::utc(i64::from(clock) * SECOND));
        }
        assert_eq!(clocks.last.len(), usize::from(MOST_CLOCKS) + 1);
    }

    #[test]
    fn the_utc_of_an_offset() {
        let mut clocks = Clocks::default();
        assert_eq!(clocks.utc(0), None);
        clocks.read(0, reading("10:00:00"));
        assert_eq!(clocks.utc(0), None);
        let mut clocks = Clocks::default();
        clocks.read(0, reading("2026-09-23 10:00:00"));
        clocks.read(0, reading("2026-09-23 10:00:05"));
        assert_eq!(clocks.utc(3 * SECOND), Some(reading("2026-09-23 10:00:03").ns));
        // A GGA behind each RMC leads without a date: the date of the RMC still holds.
        clocks.read(1, reading("10:00:06"));
        assert_eq!(clocks.utc(clocks.offset), Some(reading("2026-09-23 10:00:06").ns));
    }

    proptest! {
        #[test]
        fn offsets_never_decrease_and_states_survive_packing(
            readings in proptest::collection::vec((0u16..5, any::<i64>(), any::<bool>(), 0u8..3), 0..60),
        ) {
            let mut clocks = Clocks::default();
            let mut last = 0;
            for (clock, ns, dated, near) in readings {
                let ns = if near > 0 { ns % (100 * SECOND) } else { ns };
                let t = if dated { Reading::utc(ns) } else { Reading::of_day(ns.rem_euclid(DAY)) };
                clocks.read(clock, t);
                prop_assert!(clocks.offset >= last);
                last = clocks.offset;
                if clock == 3 {
                    clocks.pending = Some((clock, t));
                }
                prop_assert_eq!(&Clocks::unpack(&clocks.pack()), &clocks);
            }
        }
    }
}

//! LOG-FORMAT P2 to P9 with given time: nothing here waits.

use bytes::Bytes;
use proptest::prelude::*;

use super::*;
use crate::core::frame::Place;
use crate::core::time::Utc;
use crate::core::transport::target::Target;
use crate::core::transport::{Can, Change, Transport, Unit};
use crate::core::vessel::Vessel;

const S: i64 = SECOND;
const MS: i64 = MILLISECOND;

/// A log in memory: its sentences are their own numbers.
struct Tape {
    at: Vec<Offset>,
    next: usize,
    vessel: Vessel,
    keeps_clock: bool,
    left_out: u64,
}

impl Tape {
    fn stands_at(&self) -> Offset {
        self.at.get(self.next).or(self.at.last()).copied().unwrap_or(0)
    }
}

impl Source for Tape {
    fn can(&self) -> Can {
        Can { seek: true, step_back: true, set: false }
    }
    fn next_due(&mut self) -> Result<Option<Offset>, SourceError> {
        Ok(self.at.get(self.next).copied())
    }
    fn poll(&mut self, until: Offset, room: usize, out: &mut Vec<Frame>) -> Result<(), SourceError> {
        for _ in 0..room {
            let Some(&at) = self.at.get(self.next).filter(|at| **at <= until) else { break };
            out.push(Frame::sentence(self.next as u64, at, Bytes::from(self.next.to_string())));
            self.next += 1;
        }
        Ok(())
    }
    fn seek(&mut self, to: To) -> Result<Offset, SourceError> {
        self.next = match to {
            To::Start => 0,
            To::End => self.at.len(),
            To::Offset(x) => self.at.partition_point(|at| *at < x),
            To::Place(Place { line, .. }) | To::Line(line) => (line as usize).min(self.at.len()),
            To::Move(Unit::Epoch, n) => {
                let epochs: std::collections::BTreeSet<_> = self.at.iter().copied().collect();
                let here = self.stands_at();
                let mut before = epochs.range(..here).rev();
                let target = before.nth((-n - 1).max(0) as usize).copied().unwrap_or(0);
                self.at.partition_point(|at| *at < target)
            }
            To::Move(_, n) => (self.next as i64 + n).clamp(0, self.at.len() as i64) as usize,
        };
        Ok(self.stands_at())
    }
    fn duration(&self) -> Option<Offset> {
        Some(self.at.last().copied().unwrap_or(0))
    }
    fn vessel(&self) -> &Vessel {
        &self.vessel
    }
    fn utc(&self, _: Offset) -> Option<Utc> {
        None
    }
    fn set(&mut self, _: &Change) -> Result<(), SourceError> {
        Err(SourceError::Cannot("a log cannot be changed".into()))
    }
    fn leave_out(&mut self, until: Offset) -> Result<bool, SourceError> {
        if self.keeps_clock {
            let present = self.at.partition_point(|at| *at <= until).saturating_sub(1);
            self.left_out += present.saturating_sub(self.next) as u64;
            self.next = self.next.max(present);
        }
        Ok(self.keeps_clock)
    }
    fn missed(&self) -> u64 {
        self.left_out
    }
}

fn tape(at: &[Offset]) -> Tape {
    Tape { at: at.to_vec(), next: 0, vessel: Vessel::default(), keeps_clock: false, left_out: 0 }
}

fn player(at: &[Offset]) -> Player {
    Player::new(Box::new(tape(at)))
}

fn playing(at: &[Offset]) -> Player {
    let mut p = player(at);
    tell(&mut p, 0, Transport::Play);
    p
}

/// Gives a command; the numbers of the sentences that it sent.
fn tell(p: &mut Player, now: Wall, command: Transport) -> Vec<u64> {
    let mut out = Vec::new();
    p.command(now, &command, &mut out).unwrap();
    out.iter().map(|f| f.seq).collect()
}

/// Obeys the player's own wakes from `now` to `until` (included); when and what it said.
fn play(p: &mut Player, mut now: Wall, until: Wall) -> Vec<(Wall, Offset)> {
    let mut said = Vec::new();
    let mut out = Vec::new();
    for _ in 0..100_000 {
        match p.wake(now) {
            Wake::Never => break,
            Wake::Now => {}
            Wake::At(at) if at > until => break,
            Wake::At(at) => now = at,
        }
        p.run(now, 256, &mut out).unwrap();
        said.extend(out.drain(..).map(|f| (now, f.offset)));
    }
    said
}

#[test]
fn sentences_come_at_their_offsets_and_the_end_is_an_end() {
    let mut p = playing(&[0, 0, 1500 * MS, 10 * S]);
    assert_eq!(play(&mut p, 0, 100 * S), [(0, 0), (0, 0), (1500 * MS, 1500 * MS), (10 * S, 10 * S)]);
    let report = p.report(100 * S);
    assert_eq!((report.run, report.position, report.played), (Run::Finished, 10 * S, 10 * S));
    assert_eq!(p.wake(100 * S), Wake::Never);
    // From the end, play begins again.
    tell(&mut p, 200 * S, Transport::Play);
    assert_eq!(play(&mut p, 200 * S, 201 * S), [(200 * S, 0), (200 * S, 0)]);
}

#[test]
fn pause_keeps_the_rest_of_the_wait() {
    let mut p = playing(&[0, 10 * S]);
    assert_eq!(play(&mut p, 0, 4 * S), [(0, 0)]);
    tell(&mut p, 4 * S, Transport::Pause);
    assert_eq!(p.report(50 * S).position, 4 * S);
    assert_eq!(p.wake(50 * S), Wake::Never);
    tell(&mut p, 64 * S, Transport::Toggle);
    assert_eq!(play(&mut p, 64 * S, 100 * S), [(70 * S, 10 * S)]);
}

#[test]
fn a_change_of_speed_counts_from_where_it_stands() {
    let mut p = playing(&[0, 10 * S, 20 * S]);
    play(&mut p, 0, 4 * S);
    tell(&mut p, 4 * S, Transport::Speed(Some(200)));
    // 6 s are left of the first wait: 3 s at double speed; then 10 s in 5 s.
    assert_eq!(play(&mut p, 4 * S, 100 * S), [(7 * S, 10 * S), (12 * S, 20 * S)]);
    let mut p = playing(&[0, S]);
    tell(&mut p, 0, Transport::Speed(Some(10)));
    assert_eq!(play(&mut p, 0, 100 * S), [(0, 0), (10 * S, S)]);
}

#[test]
fn pacing_is_absolute_over_a_day() {
    // A thousand sentences a minute apart, each wake 3 ms late: the last one is 3 ms late, not 3 s.
    let at: Vec<Offset> = (0..1000).map(|i| i * 60 * S).collect();
    let mut p = playing(&at);
    let (mut now, mut out) = (0, Vec::new());
    loop {
        match p.wake(now) {
            Wake::Never => break,
            Wake::Now => {}
            Wake::At(at) => now = at + 3 * MS,
        }
        p.run(now, 256, &mut out).unwrap();
    }
    assert_eq!(out.len(), 1000);
    assert_eq!(now, 999 * 60 * S + 3 * MS);
}

#[test]
fn a_log_does_not_burst_when_the_machine_wakes() {
    let at: Vec<Offset> = (0..100).map(|i| i * S).collect();
    let mut p = playing(&at);
    assert_eq!(play(&mut p, 0, 5 * S).len(), 6);
    // Asleep until 3605 s: the sentence of second 6 comes, the next one a second later.
    let mut out = Vec::new();
    p.run(3605 * S, 256, &mut out).unwrap();
    assert_eq!(out.iter().map(|f| f.offset).collect::<Vec<_>>(), [6 * S]);
    assert_eq!(p.wake(3605 * S), Wake::At(3606 * S));
    assert_eq!(p.report(3605 * S).stalls, 1);
    // A second late is caught up with: two sentences, and the beat stays.
    out.clear();
    p.run(3607 * S, 256, &mut out).unwrap();
    p.run(3607 * S, 256, &mut out).unwrap();
    assert_eq!(out.iter().map(|f| f.offset).collect::<Vec<_>>(), [7 * S, 8 * S]);
    assert_eq!(p.wake(3607 * S), Wake::At(3608 * S));
}

#[test]
fn a_source_with_a_clock_leaves_out_what_it_missed() {
    let at: Vec<Offset> = (0..10_000).map(|i| i * S).collect();
    let mut p = Player::new(Box::new(Tape { keeps_clock: true, ..tape(&at) }));
    tell(&mut p, 0, Transport::Play);
    play(&mut p, 0, 5 * S);
    let mut out = Vec::new();
    p.run(3605 * S + 300 * MS, 256, &mut out).unwrap();
    // 6 to 3604 are missed, 3605 is the present round, and the clock stays that of the wall.
    assert_eq!(out.iter().map(|f| f.offset).collect::<Vec<_>>(), [3605 * S]);
    assert_eq!(p.report(3605 * S + 300 * MS).missed, 3599);
    assert_eq!(p.wake(3605 * S + 300 * MS), Wake::At(3606 * S));
}

#[test]
fn loops() {
    // All: after the last comes the first, at once.
    let mut p = playing(&[0, S, 3 * S]);
    tell(&mut p, 0, Transport::Loop(Looping::All));
    let said = play(&mut p, 0, 7 * S);
    assert_eq!(said, [(0, 0), (S, S), (3 * S, 3 * S), (3 * S, 0), (4 * S, S), (6 * S, 3 * S), (6 * S, 0), (7 * S, S)]);
    assert_eq!(p.report(7 * S).played, 7 * S);
    // One offset: at most once per 100 ms, at any speed.
    for speed in [Some(100), Some(100_000), None] {
        let mut p = playing(&[0, 0]);
        tell(&mut p, 0, Transport::Loop(Looping::All));
        tell(&mut p, 0, Transport::Speed(speed));
        let said = play(&mut p, 0, 300 * MS);
        let walls: Vec<Wall> = said.iter().map(|s| s.0 / MS).collect();
        assert_eq!(walls, [0, 0, 100, 100, 200, 200, 300, 300], "{speed:?}");
    }
    // Nothing to loop.
    let mut p = playing(&[]);
    tell(&mut p, 0, Transport::Loop(Looping::All));
    assert_eq!(play(&mut p, 0, S), []);
    assert_eq!(p.report(S).run, Run::Finished);
}

#[test]
fn an_a_b_loop_has_exact_ends() {
    let mut p = playing(&[0, 2 * S, 3 * S, 5 * S, 9 * S]);
    tell(&mut p, 0, Transport::Seek(To::Offset(2500 * MS)));
    tell(&mut p, 0, Transport::Loop(Looping::Stretch(2500 * MS, 6 * S)));
    // 3 s is 0.5 s after A, 5 s is 2.5 s after A, B comes 3.5 s after A, whatever lies between 5 s and B.
    let beat = |round: i64| [(round * 3500 * MS + 500 * MS, 3 * S), (round * 3500 * MS + 2500 * MS, 5 * S)];
    assert_eq!(play(&mut p, 0, 14 * S - MS), [beat(0), beat(1), beat(2), beat(3)].concat());
    // A sentence at A belongs to it, one at B does not.
    let mut p = playing(&[0, S, 2 * S, 3 * S]);
    tell(&mut p, 0, Transport::Seek(To::Offset(S)));
    tell(&mut p, 0, Transport::Loop(Looping::Stretch(S, 2 * S)));
    assert_eq!(play(&mut p, 0, S), [(0, S), (S, S)]);
    // Between two sentences: silent, alive, and not spinning at max.
    tell(&mut p, 10 * S, Transport::Loop(Looping::Stretch(1200 * MS, 1300 * MS)));
    tell(&mut p, 10 * S, Transport::Speed(None));
    tell(&mut p, 10 * S, Transport::Seek(To::Offset(1200 * MS)));
    assert_eq!(p.wake(10 * S), Wake::At(10 * S + 100 * MS));
    assert!(p.command(0, &Transport::Loop(Looping::Stretch(5, 4)), &mut Vec::new()).is_err());
}

#[test]
fn a_step_sends_one_sentence_and_pauses() {
    let mut p = playing(&[0, 0, 10 * S]);
    assert_eq!(tell(&mut p, 0, Transport::Step(Unit::Sentence, 1)), [0]);
    assert_eq!(p.report(0).run, Run::Paused);
    assert_eq!(tell(&mut p, 0, Transport::Step(Unit::Sentence, 1)), [1]);
    assert_eq!(tell(&mut p, S, Transport::Step(Unit::Sentence, 1)), [2]);
    assert_eq!(p.report(S).position, 10 * S);
    // At the end it stays, unless it loops.
    assert_eq!(tell(&mut p, S, Transport::Step(Unit::Sentence, 1)), [] as [u64; 0]);
    tell(&mut p, S, Transport::Loop(Looping::All));
    assert_eq!(tell(&mut p, S, Transport::Step(Unit::Sentence, 1)), [0]);
    // Back: one sentence earlier, says nothing, stays at the start.
    tell(&mut p, S, Transport::Seek(To::End));
    assert_eq!(tell(&mut p, S, Transport::Step(Unit::Sentence, -1)), [] as [u64; 0]);
    assert_eq!(p.report(S).position, 10 * S);
    tell(&mut p, S, Transport::Step(Unit::Sentence, -1));
    tell(&mut p, S, Transport::Step(Unit::Sentence, -1));
    tell(&mut p, S, Transport::Step(Unit::Sentence, -1));
    assert_eq!(p.report(S).position, 0);
    assert_eq!(tell(&mut p, S, Transport::Step(Unit::Sentence, 1)), [0]);
}

#[test]
fn after_a_step_the_wait_is_that_to_the_next_sentence() {
    let mut p = player(&[0, 10 * S]);
    tell(&mut p, 5 * S, Transport::Step(Unit::Sentence, 1));
    tell(&mut p, 100 * S, Transport::Play);
    assert_eq!(play(&mut p, 100 * S, 200 * S), [(110 * S, 10 * S)]);
}

#[test]
fn an_epoch_forward_sends_up_to_the_next_and_every_other_move_sends_nothing() {
    let mut p = player(&[0, 0, S, S, S, 2 * S]);
    assert_eq!(tell(&mut p, 0, Transport::Step(Unit::Epoch, 1)), [0, 1]);
    assert_eq!(tell(&mut p, 0, Transport::Step(Unit::Epoch, 1)), [2, 3, 4]);
    let moves = [
        Transport::Step(Unit::Epoch, -1),
        Transport::Seek(To::Start),
        Transport::Seek(To::End),
        Transport::Go(Target::Skip(-S)),
        Transport::Go(Target::Skip(500 * MS)),
        Transport::Go(Target::Percent(50.0)),
        Transport::Step(Unit::Sentence, -1),
    ];
    for m in moves {
        assert_eq!(tell(&mut p, 0, m.clone()), [] as [u64; 0], "{m:?}");
    }
    // 50 % of 2 s, then one sentence back.
    assert_eq!(p.report(0).position, 0);
    assert_eq!(tell(&mut p, 0, Transport::Step(Unit::Sentence, 1)), [1]);
}

#[test]
fn seek_is_before_the_first_sentence_at_or_after() {
    let mut p = playing(&[0, 10 * S, 20 * S]);
    tell(&mut p, 0, Transport::Seek(To::Offset(10 * S)));
    assert_eq!(play(&mut p, 0, 0), [(0, 10 * S)]);
    // Within a gap it stands in the gap: the rest of the wait is real.
    tell(&mut p, 0, Transport::Seek(To::Offset(17 * S)));
    assert_eq!(play(&mut p, 0, 5 * S), [(3 * S, 20 * S)]);
    // A move from the end goes on playing.
    assert_eq!(p.report(5 * S).run, Run::Finished);
    tell(&mut p, 5 * S, Transport::Go(Target::Skip(-10 * S)));
    assert_eq!(play(&mut p, 5 * S, 100 * S), [(5 * S, 10 * S), (15 * S, 20 * S)]);
    assert_eq!(p.generation(), 3);
}

#[test]
fn an_a_b_loop_holds_what_was_said_between_the_two_presses_and_nothing_else() {
    // A before the sentence at 1 s, B behind the one at 3 s, of which two stand at one moment.
    let mut p = player(&[0, S, 2 * S, 3 * S, 3 * S, 4 * S]);
    tell(&mut p, 0, Transport::Seek(To::Offset(S)));
    tell(&mut p, 0, Transport::LoopPoint);
    assert_eq!(p.report(0).loop_from, Some(S));
    assert_eq!(tell(&mut p, 0, Transport::Step(Unit::Sentence, 4)), [1, 2, 3, 4]);
    tell(&mut p, 0, Transport::LoopPoint);
    assert_eq!(p.report(0).loop_from, None);
    let said: Vec<u64> = (0..9).flat_map(|_| tell(&mut p, 0, Transport::Step(Unit::Sentence, 1))).collect();
    assert_eq!(said, [1, 2, 3, 4, 1, 2, 3, 4, 1]);
    tell(&mut p, 0, Transport::LoopPoint);
    assert_eq!(p.report(0).looping, Looping::Off);
    // Before the sentence at 3 s that one is not in it.
    let mut p = player(&[0, S, 2 * S, 3 * S, 4 * S]);
    tell(&mut p, 0, Transport::LoopPoint);
    tell(&mut p, 0, Transport::Seek(To::Offset(3 * S)));
    tell(&mut p, 0, Transport::LoopPoint);
    assert_eq!(p.report(0).looping, Looping::Stretch(0, 3 * S));
    // Twice at one place there is none.
    let mut p = player(&[0, S]);
    tell(&mut p, 0, Transport::LoopPoint);
    tell(&mut p, 0, Transport::LoopPoint);
    assert_eq!((p.report(0).looping, p.report(0).loop_from), (Looping::Off, None));
}

#[test]
fn b_at_the_end_or_on_the_last_sentence_includes_the_last_sentence() {
    let ends = [
        Transport::Seek(To::End),
        Transport::Seek(To::Offset(2 * S)),
        Transport::Go(Target::Percent(100.0)),
        Transport::Step(Unit::Sentence, 9),
    ];
    for end in ends {
        let mut p = player(&[0, S, 2 * S, 2 * S]);
        tell(&mut p, 0, Transport::Seek(To::Offset(S)));
        tell(&mut p, 0, Transport::LoopPoint);
        tell(&mut p, 0, end.clone());
        tell(&mut p, 0, Transport::LoopPoint);
        tell(&mut p, 0, Transport::Seek(To::Offset(S)));
        tell(&mut p, 0, Transport::Play);
        // A round takes the second from A to the last sentence; the next one begins right behind it.
        let said: Vec<i64> = play(&mut p, 0, 3 * S + MS).into_iter().map(|(_, at)| at).collect();
        assert_eq!(said, [S, 2 * S, 2 * S, S, 2 * S, 2 * S, S, 2 * S, 2 * S, S], "{end:?}");
    }
}

#[test]
fn a_loop_over_one_moment_does_not_run_hot() {
    let mut p = player(&[0, S]);
    tell(&mut p, 0, Transport::Seek(To::Offset(S)));
    tell(&mut p, 0, Transport::LoopPoint);
    tell(&mut p, 0, Transport::Seek(To::End));
    tell(&mut p, 0, Transport::LoopPoint);
    tell(&mut p, 0, Transport::Seek(To::Offset(S)));
    tell(&mut p, 0, Transport::Play);
    // P6: at most once per 100 ms.
    assert_eq!(play(&mut p, 0, S).len(), 11);
}

#[test]
fn at_max_the_room_of_the_caller_is_the_pace() {
    let at: Vec<Offset> = (0..1000).map(|i| i * MS).collect();
    let mut p = playing(&at);
    tell(&mut p, 0, Transport::Speed(None));
    let mut out = Vec::new();
    p.run(0, 7, &mut out).unwrap();
    assert_eq!(out.len(), 7);
    assert_eq!(p.wake(0), Wake::Now);
    assert_eq!(p.report(0).position, 6 * MS);
    // Back to 1x: on from there, at the beat.
    tell(&mut p, 50 * S, Transport::Speed(Some(100)));
    assert_eq!(play(&mut p, 50 * S, 50 * S + 2 * MS), [(50 * S + MS, 7 * MS), (50 * S + 2 * MS, 8 * MS)]);
    tell(&mut p, 60 * S, Transport::Speed(None));
    assert_eq!(play(&mut p, 60 * S, 60 * S).len(), 991);
    assert_eq!(p.report(60 * S).run, Run::Finished);
}

#[test]
fn a_long_gap_is_cut_to_the_limit_and_the_rest_is_counted() {
    let mut p = playing(&[0, 3600 * S, 3601 * S]);
    tell(&mut p, 0, Transport::Gap(Some(10 * S)));
    assert_eq!(play(&mut p, 0, 0), [(0, 0)]);
    let waiting = p.report(4 * S).waiting.unwrap();
    assert_eq!((waiting.until, waiting.left), (3600 * S, 6 * S));
    assert_eq!(play(&mut p, 4 * S, 100 * S), [(10 * S, 3600 * S), (11 * S, 3601 * S)]);
    assert_eq!(p.report(100 * S).skipped, 3590 * S);
}

#[test]
fn a_limit_of_played_time_counts_loops_and_excludes_its_end() {
    let mut p = player(&[0, S, 4 * S]);
    p.stop_after(Some(5 * S));
    tell(&mut p, 0, Transport::Loop(Looping::All));
    tell(&mut p, 0, Transport::Play);
    // 0, 1, 4 of the first round, 0 of the second at 4; its 1 would be at 5.
    assert_eq!(play(&mut p, 0, 100 * S), [(0, 0), (S, S), (4 * S, 4 * S), (4 * S, 0)]);
    let report = p.report(100 * S);
    assert_eq!((report.run, report.played), (Run::Finished, 5 * S));
    // It ends when its time is over, not with the last sentence before.
    let mut p = player(&[0, 60 * S]);
    p.stop_after(Some(10 * S));
    tell(&mut p, 0, Transport::Play);
    play(&mut p, 0, 9 * S);
    assert_eq!(p.wake(9 * S), Wake::At(10 * S));
    // Paused within the last wait, it does not begin again.
    tell(&mut p, 9 * S, Transport::Pause);
    tell(&mut p, 20 * S, Transport::Play);
    assert_eq!(play(&mut p, 20 * S, 21 * S), []);
    assert_eq!(p.report(21 * S).run, Run::Finished);
}

#[test]
fn a_speed_or_a_percentage_out_of_range_is_refused() {
    let mut p = player(&[0]);
    assert!(p.command(0, &Transport::Speed(Some(9)), &mut Vec::new()).is_err());
    assert!(p.command(0, &Transport::Go(Target::Percent(f64::NAN)), &mut Vec::new()).is_err());
}

#[test]
fn commands_are_json_in_snake_case() {
    let commands = [
        (Transport::Toggle, r#""toggle""#),
        (Transport::Step(Unit::Epoch, -1), r#"{"step":["epoch",-1]}"#),
        (Transport::Speed(None), r#"{"speed":null}"#),
        (Transport::Seek(To::Offset(5)), r#"{"seek":{"offset":5}}"#),
        (Transport::Loop(Looping::Stretch(1, 2)), r#"{"loop":{"stretch":[1,2]}}"#),
        (Transport::LoopPoint, r#""loop_point""#),
        (Transport::Go(Target::Skip(-5)), r#"{"go":{"skip":-5}}"#),
    ];
    for (command, json) in commands {
        assert_eq!(serde_json::to_string(&command).unwrap(), json);
        assert_eq!(serde_json::from_str::<Transport>(json).unwrap(), command);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// However the caller is woken, whatever its room, each sentence comes once, in order, never early.
    #[test]
    fn every_sentence_once_in_order_and_never_early(
        mut at in proptest::collection::vec(0..20_000i64, 1..60),
        wakes in proptest::collection::vec((1..900i64, 1..9usize), 1..400),
        speed in prop_oneof![Just(50u32), Just(100), Just(333), Just(1000)],
    ) {
        at.sort_unstable();
        let at: Vec<Offset> = at.iter().map(|a| a * MS).collect();
        let mut p = playing(&at);
        tell(&mut p, 0, Transport::Speed(Some(speed)));
        let (mut now, mut out) = (0, Vec::new());
        for (step, room) in wakes {
            now += step * MS;
            let before = out.len();
            p.run(now, room, &mut out).unwrap();
            for f in &out[before..] {
                prop_assert!(f.offset * 100 <= now * i64::from(speed));
            }
        }
        let numbers: Vec<u64> = out.iter().map(|f| f.seq).collect();
        prop_assert_eq!(numbers, (0..out.len() as u64).collect::<Vec<_>>());
    }
}

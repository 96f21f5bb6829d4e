//! A replay under a player: loops, moves and pauses in any order lose nothing, and end in the state that a plain play gives.

use proptest::prelude::*;

use super::tests::{heading, several, stamped};
use super::*;
use crate::core::time::{MILLISECOND, SECOND, Wall};
use crate::core::transport::{Looping, Player, Transport, Wake};

/// Two logs of one time, interleaved: the first says headings, the second depths; some stand at one moment.
fn two_logs(steps: &[u8]) -> (String, String) {
    let (mut one, mut two, mut ms) = (String::new(), String::new(), 0);
    for (i, step) in steps.iter().enumerate() {
        ms += i64::from(step % 8) * 250;
        let text = if step % 2 == 0 { &mut one } else { &mut two };
        match step % 2 {
            0 => text.push_str(&stamped(ms, &heading(i as f64))),
            _ => text.push_str(&stamped(ms, &super::tests::sentence(&format!("SDDPT,{i}.5,0.5,")))),
        }
    }
    // Neither is empty, and both have the first moment.
    (stamped(0, &heading(0.5)) + &one, stamped(0, &super::tests::sentence("SDDPT,0.1,0.5,")) + &two)
}

/// Each sentence of a plain play, with the vessel before it; and the vessel at the end.
fn plain(one: &str, two: &str) -> (Vec<(Frame, Vessel)>, Vessel) {
    let mut replay = several(&[one, two]);
    let mut steps = Vec::new();
    loop {
        let vessel = *replay.vessel();
        let mut out = Vec::new();
        replay.poll(Offset::MAX, 1, &mut out).unwrap();
        match out.pop() {
            Some(frame) => steps.push((frame, vessel)),
            None => return (steps, vessel),
        }
    }
}

#[derive(Clone, Debug)]
enum Do {
    Tell(Transport),
    /// Play for so many milliseconds.
    Wait(i64),
}

fn anything() -> impl Strategy<Value = Vec<Do>> {
    let tell = |t: Transport| Just(Do::Tell(t));
    let one = prop_oneof![
        3 => tell(Transport::Toggle),
        4 => (1i64..6).prop_map(|n| Do::Tell(Transport::Step(Unit::Sentence, n))),
        3 => (-6i64..0).prop_map(|n| Do::Tell(Transport::Step(Unit::Sentence, n))),
        2 => tell(Transport::LoopPoint),
        1 => tell(Transport::Loop(Looping::All)),
        1 => tell(Transport::Loop(Looping::Off)),
        2 => (0i64..60, 1i64..40).prop_map(|(a, n)| {
            let a = a * SECOND / 4;
            Do::Tell(Transport::Loop(Looping::Stretch(a, a + n * SECOND / 4)))
        }),
        3 => (0i64..80).prop_map(|s| Do::Tell(Transport::Seek(To::Offset(s * SECOND / 4)))),
        1 => tell(Transport::Seek(To::End)),
        1 => tell(Transport::Seek(To::Start)),
        1 => prop_oneof![Just(None), Just(Some(100)), Just(Some(1000))].prop_map(|s| Do::Tell(Transport::Speed(s))),
        4 => (0i64..3000).prop_map(Do::Wait),
    ];
    proptest::collection::vec(one, 1..25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever is done, with loops and in two logs as one: the next sentence, its place, its offset and the vessel before it
    /// are those of a plain play.
    #[test]
    fn whatever_is_done_the_state_is_that_of_a_plain_play(steps in proptest::collection::vec(any::<u8>(), 1..60), all in anything()) {
        let (one, two) = two_logs(&steps);
        let (expected, last) = plain(&one, &two);
        let mut p = Player::new(Box::new(several(&[&one, &two])));
        let mut now: Wall = 0;
        for step in all {
            let mut out = Vec::new();
            match &step {
                Do::Tell(t) => p.command(now, t, &mut out).unwrap(),
                Do::Wait(ms) => {
                    let until = now + ms * MILLISECOND;
                    // At max a loop has no end of its own: a few looks are enough.
                    for _ in 0..40 {
                        match p.wake(now) {
                            Wake::At(at) if at <= until => now = at,
                            Wake::Now => {}
                            _ => break,
                        }
                        p.run(now, 7, &mut out).unwrap();
                    }
                    now = now.max(until);
                }
            }
            // What was said follows one after the other, but for the jumps of a loop, and is what stands there.
            for frame in &out {
                let same = expected.iter().any(|(e, _)| (e.place, e.offset, &e.bytes) == (frame.place, frame.offset, &frame.bytes));
                prop_assert!(same, "{:?} after {:?}", frame, step);
            }
            let stretch = p.report(now).looping;
            if let (Looping::Stretch(a, b), Do::Wait(_)) = (stretch, &step) {
                // From the second round on nothing outside the loop is said.
                let wrapped = out.windows(2).position(|w| w[1].offset < w[0].offset).map_or(out.len(), |i| i + 1);
                prop_assert!(out[wrapped..].iter().all(|f| (a..b).contains(&f.offset)), "{:?}", stretch);
            }
            let (_, number) = p.source().head().unwrap();
            let vessel = expected.get(number as usize).map_or(&last, |(_, v)| v);
            prop_assert!(p.source().vessel() == vessel, "before sentence {} after {:?}", number, step);
            let due = p.source_mut().next_due().unwrap();
            prop_assert_eq!(due, expected.get(number as usize).map(|(f, _)| f.offset));
        }
    }

    /// A pause of a minute at any moment, or several: every sentence comes once, in order, later by what was paused.
    #[test]
    fn a_pause_loses_nothing(steps in proptest::collection::vec(any::<u8>(), 1..60), pauses in proptest::collection::vec(1i64..4000, 1..6)) {
        let (one, two) = two_logs(&steps);
        let (expected, _) = plain(&one, &two);
        let mut p = Player::new(Box::new(several(&[&one, &two])));
        p.command(0, &Transport::Play, &mut Vec::new()).unwrap();
        let mut pauses = pauses.into_iter().map(|ms| ms * MILLISECOND);
        let (mut now, mut paused): (Wall, Wall) = (0, 0);
        let mut next = pauses.next();
        let mut said = 0;
        for _ in 0..10_000 {
            let wake = match p.wake(now) {
                Wake::Now => now,
                Wake::At(at) => at,
                Wake::Never => break,
            };
            // The moment of the next pause comes before the next sentence.
            if let Some(at) = next.filter(|after| now + after < wake) {
                now += at;
                p.command(now, &Transport::Pause, &mut Vec::new()).unwrap();
                now += 60 * SECOND;
                paused += 60 * SECOND;
                prop_assert_eq!(p.wake(now), Wake::Never);
                p.command(now, &Transport::Play, &mut Vec::new()).unwrap();
                next = pauses.next();
                continue;
            }
            now = wake;
            let mut out = Vec::new();
            p.run(now, 100, &mut out).unwrap();
            for frame in &out {
                let (e, _) = &expected[said];
                prop_assert_eq!((&frame.bytes, frame.offset), (&e.bytes, e.offset));
                prop_assert_eq!(now, frame.offset + paused, "neither early nor late");
                said += 1;
            }
        }
        prop_assert_eq!(said, expected.len());
    }
}

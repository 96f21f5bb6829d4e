//! A small source for the tests of this floor: numbered sentences on a beat.

use bytes::Bytes;

use super::clock::Clock;
use crate::core::frame::Frame;
use crate::core::time::{Offset, SECOND, Utc};
use crate::core::transport::{Can, Change, Source, SourceError, To, Unit};
use crate::core::vessel::Vessel;

/// 2026-09-22T00:00:00Z
pub const MIDNIGHT: Utc = 1_790_035_200 * SECOND;

/// A clock that begins on a known day and goes with tokio's time.
pub fn start() -> Clock {
    Clock::starting_at(MIDNIGHT)
}

/// Says `$XXTXT,n*hh` at multiples of a period.
pub struct Beat {
    period: Offset,
    count: i64,
    next: i64,
    vessel: Vessel,
}

impl Beat {
    /// `count` sentences.
    pub fn every(period: Offset, count: i64) -> Beat {
        Beat { period, count, next: 0, vessel: Vessel::default() }
    }
}

/// The n-th sentence, with its checksum.
pub fn sentence(n: i64) -> String {
    let body = format!("XXTXT,{n}");
    let sum = body.bytes().fold(0, |sum, b| sum ^ b);
    format!("${body}*{sum:02X}")
}

impl Source for Beat {
    fn can(&self) -> Can {
        Can { seek: true, step_back: true, set: false }
    }

    fn next_due(&mut self) -> Result<Option<Offset>, SourceError> {
        Ok((self.next < self.count).then_some(self.next * self.period))
    }

    fn poll(&mut self, until: Offset, room: usize, out: &mut Vec<Frame>) -> Result<(), SourceError> {
        for _ in 0..room {
            let at = self.next * self.period;
            if self.next >= self.count || at > until {
                break;
            }
            out.push(Frame::sentence(self.next.unsigned_abs(), at, Bytes::from(sentence(self.next))));
            self.next += 1;
        }
        Ok(())
    }

    fn seek(&mut self, to: To) -> Result<Offset, SourceError> {
        self.next = match to {
            To::Start => 0,
            To::End => self.count,
            To::Offset(at) => (at + self.period - 1).div_euclid(self.period).clamp(0, self.count),
            To::Move(Unit::Sentence, n) => (self.next + n).clamp(0, self.count),
            _ => return Err(SourceError::Cannot("this source knows no such place".into())),
        };
        Ok(self.next * self.period)
    }

    fn duration(&self) -> Option<Offset> {
        Some((self.count - 1) * self.period)
    }

    fn vessel(&self) -> &Vessel {
        &self.vessel
    }

    fn utc(&self, offset: Offset) -> Option<Utc> {
        Some(MIDNIGHT + offset)
    }

    fn set(&mut self, _: &Change) -> Result<(), SourceError> {
        Err(SourceError::Cannot("nothing to set".into()))
    }
}

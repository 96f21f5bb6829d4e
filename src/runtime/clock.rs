//! The only clock of the program below the screen: monotonic wall time and UTC.
//!
//! Everybody else is told what time it is, so that tests give it.

use std::time::{Duration, SystemTime};

use tokio::time::Instant;

use crate::core::time::{Utc, Wall};

/// The moment of tokio's timer that is now, for measuring how long something takes.
pub fn now() -> Instant {
    Instant::now()
}

/// Reads both clocks. Copies share their origin.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    /// UTC at `start`, when it shall follow the monotonic clock (tests); else the system is asked.
    fixed: Option<Utc>,
}

impl Clock {
    /// The clocks of this machine; wall time counts from now.
    pub fn system() -> Clock {
        Clock { start: Instant::now(), fixed: None }
    }

    /// A clock whose UTC begins here and goes with tokio's time, paused or not.
    pub fn starting_at(utc: Utc) -> Clock {
        Clock { start: Instant::now(), fixed: Some(utc) }
    }

    /// Nanoseconds since this clock was made. Stands still while the machine sleeps.
    pub fn wall(&self) -> Wall {
        Wall::try_from(self.start.elapsed().as_nanos()).unwrap_or(Wall::MAX)
    }

    /// UTC now; before 1970 it is 1970.
    pub fn utc(&self) -> Utc {
        match self.fixed {
            Some(utc) => utc.saturating_add(self.wall()),
            None => {
                #[expect(clippy::disallowed_methods, reason = "this is the clock")]
                let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
                Utc::try_from(since.as_nanos()).unwrap_or(Utc::MAX)
            }
        }
    }

    /// The moment of tokio's timer that belongs to a wall time.
    pub fn instant(&self, wall: Wall) -> Instant {
        self.start + Duration::from_nanos(wall.max(0).unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::time::SECOND;

    #[tokio::test(start_paused = true)]
    async fn goes_with_the_time_of_a_test() {
        let clock = Clock::starting_at(1_790_035_200 * SECOND);
        tokio::time::sleep(Duration::from_secs(90)).await;
        assert_eq!(clock.wall(), 90 * SECOND);
        assert_eq!(clock.utc(), 1_790_035_290 * SECOND);
        tokio::time::sleep_until(clock.instant(100 * SECOND)).await;
        assert_eq!(clock.wall(), 100 * SECOND);
    }
}

//! Drives a player: sleeps until its next sentence, makes batches of what it says, obeys commands first.
//!
//! Makes a sentence only when the hub has room for it, so that at max the outputs set the pace. Sends nothing itself.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};

use super::clock::Clock;
use super::hub::Told;
use crate::core::delays::Delays;
use crate::core::frame::{Batch, Frame, Place};
use crate::core::profile::{Profile, doc};
use crate::core::time::{MILLISECOND, Offset, Utc, Wall};
use crate::core::transport::{Can, Player, Report, Run, Said, Transport, Wake};
use crate::core::vessel::Vessel;

/// How often the state is told while nothing else happens.
const TELL: Duration = Duration::from_millis(100);
/// How often it is told at most while sentences flow.
const TELL_AT_MOST: Wall = 50 * MILLISECOND;
/// Batches of steps that wait for the hub; more steps are refused.
const PENDING: usize = 512;

/// What is asked of a driver. Each is answered: done, or why not.
pub enum Order {
    /// Moves the play head, or how it moves.
    Transport(Transport, oneshot::Sender<Result<(), String>>),
    /// Does something else with the player, such as a change of the vessel.
    With(Box<dyn FnOnce(&mut Player, Wall) + Send>),
    /// Plays something else from now on.
    Player(Box<Player>),
}

/// How the driver stands.
#[derive(Clone, Debug, Default)]
pub struct Playing {
    /// The player's own report.
    pub report: Report,
    /// What the source can do.
    pub can: Can,
    /// The vessel after the last sentence.
    pub vessel: Arc<Vessel>,
    /// UTC of the source at the play head.
    pub utc: Option<Utc>,
    /// Rises with every move and change of source.
    pub generation: u32,
    /// Why it cannot go on.
    pub failed: Option<String>,
    /// The profile as it runs, of a source that has one; another `Arc` whenever it may have changed.
    pub profile: Option<Arc<Profile>>,
    /// Keys of the profile that are held by hand.
    pub pinned: Arc<Vec<String>>,
    /// Somebody has changed that profile.
    pub touched: bool,
    /// What the keys are now that the source moves.
    pub moving: Vec<(String, f64)>,
    /// Which sentences were said of late.
    pub said: Vec<Said>,
    /// How long one round of an endless source lasts.
    pub lap: Option<Offset>,
    /// Faults injected so far, by kind.
    pub faults: Vec<(String, u64)>,
    /// What a person should know of how the source runs.
    pub notes: Vec<String>,
    /// Where the play head stands in a log: the next sentence, and how many are before it.
    pub head: Option<(Place, u64)>,
}

/// The driver's ends.
pub struct Ends {
    /// What is asked.
    pub orders: mpsc::Receiver<Order>,
    /// To the hub.
    pub out: mpsc::Sender<Told>,
    /// How it stands.
    pub state: watch::Sender<Playing>,
    /// The generation, for those who drop what is older.
    pub generation: watch::Sender<u32>,
    /// How late sentences were.
    pub late: Arc<Mutex<Delays>>,
}

/// Plays until the last sender of orders is gone.
pub async fn run(player: Player, clock: Clock, ends: Ends) {
    let Ends { mut orders, out, state, generation, late } = ends;
    let mut driver = Driver {
        player,
        clock,
        state,
        generation,
        base: 0,
        vessel: Arc::default(),
        failed: None,
        profile: None,
        edition: 0,
        pinned: Arc::default(),
        pending: VecDeque::new(),
        told: 0,
    };
    driver.look_at_profile();
    driver.settle();
    let mut frames = Vec::new();
    let mut tell = tokio::time::interval(TELL);
    tell.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
    loop {
        let wake = driver.wake();
        let due = match wake {
            Wake::At(at) => Some(at),
            Wake::Now => driver.player.due(),
            Wake::Never => None,
        };
        // Room belongs into the wait: with a full hub, a command must still be heard.
        let room = async {
            match wake {
                Wake::Now => {}
                Wake::At(at) => tokio::time::sleep_until(clock.instant(at)).await,
                Wake::Never => std::future::pending().await,
            }
            out.reserve().await
        };
        tokio::select! { biased;
            order = orders.recv() => match order {
                Some(order) => driver.obey(order, &mut frames),
                None => return,
            },
            permit = room => match permit {
                Ok(permit) => {
                    if let Some(told) = driver.next(&mut frames) {
                        // Also those that were due already when the one before had been said.
                        if let Some(at) = due {
                            // The first of them was due then; the others later, so this says rather too much.
                            let count = told.batch.frames.len() as u64;
                            late.lock().unwrap_or_else(PoisonError::into_inner).add(clock.wall() - at, count);
                        }
                        permit.send(told);
                    }
                }
                Err(_) => return,
            },
            _ = tell.tick() => driver.tell(),
        }
    }
}

struct Driver {
    player: Player,
    clock: Clock,
    state: watch::Sender<Playing>,
    generation: watch::Sender<u32>,
    /// Added to the player's own generation, so that it never falls.
    base: u32,
    vessel: Arc<Vessel>,
    failed: Option<String>,
    profile: Option<Arc<Profile>>,
    /// Of that profile.
    edition: u64,
    pinned: Arc<Vec<String>>,
    /// What steps have said and the hub has not yet taken.
    pending: VecDeque<Told>,
    told: Wall,
}

impl Driver {
    fn wake(&mut self) -> Wake {
        if !self.pending.is_empty() {
            return Wake::Now;
        }
        if self.failed.is_some() { Wake::Never } else { self.player.wake(self.clock.wall()) }
    }

    /// The next batch: what a step left, or what is due.
    fn next(&mut self, frames: &mut Vec<Frame>) -> Option<Told> {
        if let Some(told) = self.pending.pop_front() {
            return Some(told);
        }
        frames.clear();
        let now = self.clock.wall();
        let before = self.player.report(now).run;
        if let Err(error) = self.player.run(now, Batch::MOST, frames) {
            self.failed = Some(error.to_string());
            self.tell();
        }
        let patient = self.player.report(now).speed.is_none();
        let told = self.batch(frames, patient);
        let ended = self.player.report(now).run != before;
        if ended || now - self.told >= TELL_AT_MOST {
            self.tell();
        }
        told
    }

    fn batch(&mut self, frames: &mut Vec<Frame>, patient: bool) -> Option<Told> {
        let first = frames.first()?.offset;
        self.vessel = Arc::new(*self.player.source().vessel());
        let batch = Batch {
            generation: *self.generation.borrow(),
            sent: self.clock.utc(),
            source_utc: self.player.source().utc(first),
            frames: std::mem::take(frames),
            vessel: self.vessel.clone(),
        };
        Some(Told { batch: Arc::new(batch), emit: self.player.emits(), patient })
    }

    fn obey(&mut self, order: Order, frames: &mut Vec<Frame>) {
        let now = self.clock.wall();
        match order {
            Order::Transport(command, answer) => {
                let done = self.transport(now, &command, frames);
                self.settle();
                // Whoever asked may be gone.
                let _gone = answer.send(done);
            }
            Order::With(action) => {
                action(&mut self.player, now);
                self.look_at_profile();
                self.settle();
            }
            Order::Player(player) => {
                self.base = self.generation.borrow().wrapping_add(1).wrapping_sub(player.generation());
                self.player = *player;
                self.pending.clear();
                self.failed = None;
                self.look_at_profile();
                self.settle();
            }
        }
    }

    fn look_at_profile(&mut self) {
        let source = self.player.source();
        self.edition = source.edition();
        self.profile = source.profile().map(|p| Arc::new(p.clone()));
        self.pinned = Arc::new(self.profile.as_ref().map_or_else(Vec::new, |profile| {
            doc::flat(profile).into_iter().map(|(key, _)| key).filter(|key| source.is_pinned(key)).collect()
        }));
    }

    fn transport(&mut self, now: Wall, command: &Transport, frames: &mut Vec<Frame>) -> Result<(), String> {
        if self.pending.len() >= PENDING {
            return Err("the outputs are stuck: wait, or stop the one that does not take anything".into());
        }
        frames.clear();
        let done = self.player.command(now, command, frames).map_err(|e| e.to_string());
        if done.is_ok() {
            self.failed = None;
        }
        // A step back raises the generation before anything is sent under it.
        self.raise();
        while !frames.is_empty() {
            let rest = frames.split_off(frames.len().min(Batch::MOST));
            let told = self.batch(frames, true);
            self.pending.extend(told);
            *frames = rest;
        }
        done
    }

    /// Tells everybody where the player stands after a command.
    fn settle(&mut self) {
        self.raise();
        self.vessel = Arc::new(*self.player.source().vessel());
        self.tell();
    }

    fn raise(&mut self) {
        let generation = self.base.wrapping_add(self.player.generation());
        self.generation.send_if_modified(|g| std::mem::replace(g, generation) != generation);
        let present = generation;
        self.pending.retain(|told| told.batch.generation == present);
    }

    fn tell(&mut self) {
        let now = self.clock.wall();
        self.told = now;
        let report = self.player.report(now);
        if self.player.source().edition() != self.edition {
            self.look_at_profile();
        }
        let source = self.player.source();
        self.state.send_replace(Playing {
            report,
            can: source.can(),
            vessel: self.vessel.clone(),
            utc: source.utc(report.position),
            generation: *self.generation.borrow(),
            failed: self.failed.clone(),
            profile: self.profile.clone(),
            pinned: self.pinned.clone(),
            touched: source.is_touched(),
            moving: source.moving(false),
            said: source.said(),
            lap: source.lap(),
            faults: source.faults(),
            notes: source.notes(),
            head: source.head(),
        });
    }
}

impl Playing {
    /// It will say nothing more by itself.
    pub fn is_over(&self) -> bool {
        self.failed.is_some() || self.report.run == Run::Finished
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::time::SECOND;
    use crate::core::transport::Unit;
    use crate::core::transport::target::Target;
    use crate::runtime::testing::{Beat, start};

    struct Bench {
        orders: mpsc::Sender<Order>,
        told: mpsc::Receiver<Told>,
        state: watch::Receiver<Playing>,
        clock: Clock,
    }

    fn bench(source: Beat, room: usize) -> Bench {
        let clock = start();
        let (orders, heard) = mpsc::channel(8);
        let (out, told) = mpsc::channel(room);
        let (state, seen) = watch::channel(Playing::default());
        let generation = watch::channel(0).0;
        let mut player = Player::new(Box::new(source));
        player.command(0, &Transport::Play, &mut Vec::new()).unwrap();
        tokio::spawn(run(player, clock, Ends { orders: heard, out, state, generation, late: Arc::default() }));
        Bench { orders, told, state: seen, clock }
    }

    impl Bench {
        async fn ask(&self, transport: Transport) -> Result<(), String> {
            let (answer, answered) = oneshot::channel();
            self.orders.send(Order::Transport(transport, answer)).await.unwrap();
            answered.await.unwrap()
        }

        async fn next(&mut self) -> (Wall, Offset) {
            let told = self.told.recv().await.unwrap();
            (self.clock.wall(), told.batch.frames[0].offset)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn sentences_come_when_they_are_due() {
        let mut b = bench(Beat::every(2 * SECOND, 4), 4);
        for i in 0..4 {
            let (wall, offset) = b.next().await;
            assert_eq!(offset, i * 2 * SECOND);
            // tokio's timer has a grain of a millisecond
            assert!((wall - offset).abs() <= MILLISECOND, "{wall} for {offset}");
        }
        b.state.wait_for(|s| s.report.run == Run::Finished).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn pause_is_heard_while_the_hub_is_full() {
        let mut b = bench(Beat::every(SECOND, 100), 1);
        tokio::time::sleep(Duration::from_secs(10)).await; // one batch fills the hub, then nobody takes any
        b.ask(Transport::Pause).await.unwrap();
        assert_eq!(b.state.borrow_and_update().report.run, Run::Paused);
        assert_eq!(b.next().await.1, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_seek_raises_the_generation_of_what_follows() {
        let mut b = bench(Beat::every(SECOND, 100), 1);
        let before = b.told.recv().await.unwrap().batch.generation;
        b.ask(Transport::Go(Target::Skip(50 * SECOND))).await.unwrap();
        let mut told = b.told.recv().await.unwrap();
        while told.batch.generation == before {
            told = b.told.recv().await.unwrap();
        }
        assert_eq!(told.batch.generation, before + 1);
        assert!(told.batch.frames[0].offset >= 50 * SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn a_step_while_paused_sends_one_sentence() {
        let mut b = bench(Beat::every(SECOND, 100), 4);
        assert_eq!(b.next().await.1, 0);
        b.ask(Transport::Pause).await.unwrap();
        b.ask(Transport::Step(Unit::Sentence, 1)).await.unwrap();
        let told = b.told.recv().await.unwrap();
        assert_eq!(told.batch.frames.len(), 1);
        assert_eq!(told.batch.frames[0].offset, SECOND);
        tokio::time::sleep(Duration::from_secs(30)).await;
        assert!(b.told.try_recv().is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn at_max_batches_are_full_and_wait_for_room() {
        let mut b = bench(Beat::every(MILLISECOND, 1000), 1);
        b.ask(Transport::Speed(None)).await.unwrap();
        let mut seen = 0;
        while seen < 1000 {
            let told = b.told.recv().await.unwrap();
            assert!(told.batch.frames.len() <= Batch::MOST);
            seen += told.batch.frames.len();
        }
        assert_eq!(seen, 1000);
        assert!(b.clock.wall() < SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn another_source_begins_a_generation() {
        let mut b = bench(Beat::every(SECOND, 10), 4);
        let first = b.told.recv().await.unwrap().batch.generation;
        let mut player = Player::new(Box::new(Beat::every(SECOND, 10)));
        player.command(b.clock.wall(), &Transport::Play, &mut Vec::new()).unwrap();
        b.orders.send(Order::Player(Box::new(player))).await.unwrap();
        let told = b.told.recv().await.unwrap();
        assert_eq!((told.batch.generation, told.batch.frames[0].offset), (first + 1, 0));
    }
}

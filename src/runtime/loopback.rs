//! The wire check at work: sends a source on an output, listens on an input, compares.
//!
//! Judges nothing by itself: that is `core::wire_check`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::clock::{self, Clock};
use super::driver::{self, Playing};
use super::events::Events;
use super::hub::{self, Feeds};
use super::inputs::{self, News, What};
use super::outputs::{Output, Surroundings};
use super::recorder::Protected;
use super::session::snapshot::Link;
use crate::core::frame::Class;
use crate::core::input::InputSpec;
use crate::core::log::lines::Feed;
use crate::core::output::OutputSpec;
use crate::core::time::{Offset, Wall};
use crate::core::transport::{Player, Source, Transport};
use crate::core::wire_check::{WireCheck, WireResult};

/// Both ends must be open within this.
const OPENING: Duration = Duration::from_secs(10);
/// What is still under way when the sending ends is waited for so long.
const TAIL: Duration = Duration::from_secs(2);

/// Sends `source` for so long and says what was heard of it.
///
/// # Errors
/// One of the ends could not be opened: one line that names it.
pub async fn run(
    source: Box<dyn Source>,
    output: OutputSpec,
    input: InputSpec,
    duration: Offset,
    clock: Clock,
    stop: CancellationToken,
) -> Result<WireResult, String> {
    let check = Arc::new(Mutex::new(WireCheck::default()));
    let (generation, heard) = watch::channel(0);
    let (replied, replies) = mpsc::channel(64);
    let around = Surroundings {
        clock,
        events: Events::new(clock),
        generation: heard.clone(),
        replies: replied,
        metadata: Vec::new(),
        protected: Protected::default(),
    };
    let feeds = Feeds::default();
    let mut sending = Output::new(0, output.clone());
    sending.start(1, &feeds, &around);
    let mut state = sending.watch();
    let opened = state.wait_for(|s| matches!(s.link, Link::Open | Link::Failed));
    let opened = tokio::time::timeout(OPENING, opened).await.is_ok_and(|s| s.is_ok_and(|s| s.link == Link::Open));
    if !opened {
        let error = sending.status().last_error.unwrap_or_else(|| "does not open".into());
        return Err(format!("output {output}: {error}"));
    }
    let (to, mut news) = mpsc::channel(256);
    // Ends with `stop`.
    let _listening = inputs::start(0, &input, to, stop.child_token());
    let mut ear = Feed::new(false);
    open(&mut news, &input).await?;

    let (out, mut made) = mpsc::channel::<hub::Told>(hub::ROOM);
    let (pass, batches) = mpsc::channel(hub::ROOM);
    let passing = tokio::spawn(hub::run(batches, feeds.clone(), heard, |_| {}));
    let (sent, filter) = (check.clone(), output.filter.clone());
    tokio::spawn(async move {
        while let Some(told) = made.recv().await {
            // Noted before it goes: on a quick wire it is heard before this task goes on.
            for frame in told.batch.frames.iter().filter(|f| hub::passes(&filter, f)) {
                let at = clock.wall();
                sent.lock().unwrap_or_else(PoisonError::into_inner).sent(at, frame.bytes.clone());
            }
            if pass.send(told).await.is_err() {
                return;
            }
        }
    });
    let (told, mut playing) = watch::channel(Playing::default());
    let (orders, ordered) = mpsc::channel(1);
    let mut player = Player::new(source);
    player.stop_after(Some(duration));
    player.command(clock.wall(), &Transport::Play, &mut Vec::new()).map_err(|e| e.to_string())?;
    let ends = driver::Ends { orders: ordered, out, state: told, generation, late: Arc::default() };
    let driving = tokio::spawn(driver::run(player, clock, ends));

    let mut until: Option<tokio::time::Instant> = None;
    loop {
        let tail = async {
            match until {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! { biased;
            () = stop.cancelled() => break,
            heard = news.recv() => match heard {
                Some(news) => hear(&news, &mut ear, &check, clock),
                None => break,
            },
            over = playing.wait_for(Playing::is_over), if until.is_none() => {
                drop(over);
                until = Some(clock::now() + TAIL);
            }
            () = tail => break,
        }
    }
    drop(orders);
    drop(replies);
    // Both end by themselves once nobody gives orders.
    let _ended = driving.await;
    let _ended = passing.await;
    sending.stop(&feeds, Duration::from_secs(1)).await;
    stop.cancel();
    let check = std::mem::take(&mut *check.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(check.finish())
}

/// Waits until the listening end is open.
async fn open(news: &mut mpsc::Receiver<News>, input: &InputSpec) -> Result<(), String> {
    let mut last = "does not open".to_string();
    let opening = async {
        while let Some(news) = news.recv().await {
            match news.what {
                What::State { state: Link::Open, .. } | What::Bytes(_) | What::Datagram(_) => return true,
                What::State { error: Some(error), .. } => last = error,
                _ => {}
            }
        }
        false
    };
    let opened = tokio::time::timeout(OPENING, opening).await;
    if opened == Ok(true) { Ok(()) } else { Err(format!("input {input}: {last}")) }
}

fn hear(news: &News, ear: &mut Feed, check: &Mutex<WireCheck>, clock: Clock) {
    // When the bytes came, not when they were taken.
    let late = Wall::try_from(clock::now().saturating_duration_since(news.at).as_nanos()).unwrap_or(0);
    let at = clock.wall() - late;
    let mut check = check.lock().unwrap_or_else(PoisonError::into_inner);
    let mut add = |line: &crate::core::log::line::Line<'_>| {
        if line.pieces.is_empty() && line.class != Class::Blank {
            check.heard(at, line.text);
        }
        for piece in line.pieces {
            check.heard(at, piece.of(line.text));
        }
    };
    match &news.what {
        What::Bytes(bytes) => ear.push(bytes, &mut add),
        What::Datagram(bytes) => {
            ear.push(bytes, &mut add);
            ear.flush(&mut add);
        }
        What::State { .. } | What::Scan(_) | What::Ended => {}
    }
}

//! The start of a session: the source is opened, and whoever is to hear the first sentence is there before it is said.
//!
//! It builds and wires; what happens afterwards is the task's.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::source::{metadata, new_player};
use super::{Attach, Reloading, Task};
use crate::core::log::lines::Feed;
use crate::core::transport::Transport;
use crate::runtime::driver::{self, Playing};
use crate::runtime::history::History;
use crate::runtime::hub::{self, Feeds};
use crate::runtime::outputs::Surroundings;
use crate::runtime::recorder::Protected;
use crate::runtime::session::controls::Controls;
use crate::runtime::session::open::{self, Kind};
use crate::runtime::session::plan::Plan;
use crate::runtime::session::snapshot::RecordState;
use crate::runtime::session::watch::Watch;

impl Task {
    pub(super) async fn start(
        plan: Plan,
        stop: CancellationToken,
        attaching: mpsc::Receiver<Attach>,
        reloading: mpsc::Receiver<Reloading>,
    ) -> Result<Task, String> {
        let clock = plan.clock;
        let (choice, now, halt) = (plan.choice, clock.utc(), stop.clone());
        let opening = move || open::open(choice, now, &mut |_| !halt.is_cancelled());
        let opened = tokio::task::spawn_blocking(opening).await;
        let mut opened = opened.map_err(|e| format!("opening failed: {e}"))??;
        let (generation, heard) = watch::channel(0);
        let (told, state) = watch::channel(Playing::default());
        let (orders, ordered) = mpsc::channel(64);
        let (out, batches) = mpsc::channel(hub::ROOM);
        let feeds = Feeds::default();
        let history = Arc::new(Mutex::new(History::default()));
        let seen = history.clone();
        let watch = Arc::new(Mutex::new(Watch::new(opened.mode, opened.tier())));
        if plan.report.is_some() {
            watch.lock().unwrap_or_else(PoisonError::into_inner).ask();
        }
        let watched = watch.clone();
        let hub = tokio::spawn(hub::run(batches, feeds.clone(), heard.clone(), move |told| {
            let now = clock.wall();
            seen.lock().unwrap_or_else(PoisonError::into_inner).take(told, now);
            watched.lock().unwrap_or_else(PoisonError::into_inner).take(told);
        }));
        let protected = Protected::default();
        protected.set(&opened.files);
        let (replied, replies) = mpsc::channel(64);
        let mut around = Surroundings {
            clock,
            events: plan.events.clone(),
            generation: heard.clone(),
            replies: replied,
            metadata: Vec::new(),
            protected: protected.clone(),
        };
        around.metadata = metadata(&opened);
        let opened_pulls = matches!(opened.kind, Kind::Pulled(_));
        let mut player = new_player(&mut opened, plan.duration, &plan.first, clock)?;
        let (back, returned) = mpsc::channel(64);
        let late = Arc::default();
        let ends = driver::Ends { orders: ordered, out: out.clone(), state: told, generation, late: Arc::clone(&late) };
        let mut task = Task {
            clock,
            events: plan.events,
            stop,
            attaching,
            reloading,
            back,
            returned,
            late,
            nudge: Arc::default(),
            watching: Vec::new(),
            next_watcher: 0,
            opened,
            replayed: None,
            marks: plan.marks,
            orders,
            playing: state,
            listening: None,
            live: None,
            retune: None,
            live_generation: heard,
            driver: tokio::spawn(async {}),
            hub,
            out,
            duration: plan.duration,
            ends: plan.ends,
            history,
            watch,
            report: plan.report,
            profiles: plan.profiles,
            controls: Controls::default(),
            undo: Vec::new(),
            only: None,
            job: None,
            cancel: Arc::default(),
            progress: Arc::default(),
            reading: plan.reading,
            feeds,
            next_feed: 0,
            around,
            replies,
            reply_lines: Feed::new(false),
            outputs: Vec::new(),
            next_output: 0,
            recorder: None,
            recorded: RecordState::default(),
            lost_recording: 0,
            folder: plan.folder,
            rotation: plan.rotation,
            protected,
            seq: 0,
            asked_to_end: false,
        };
        task.put_up_desk()?;
        // Everybody who is to hear the first sentence is there before it is said.
        if let Some((path, mode)) = plan.record {
            task.record(path, mode)?;
        }
        for spec in plan.outputs {
            task.add_output(spec)?;
        }
        if !plan.paused && opened_pulls {
            player.command(clock.wall(), &Transport::Play, &mut Vec::new()).map_err(|e| e.to_string())?;
        }
        task.driver = tokio::spawn(driver::run(player, clock, ends));
        task.listen();
        Ok(task)
    }
}

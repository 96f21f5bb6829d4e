//! The source of a session: opened, changed, read again, listened to.
//!
//! Outputs and recorder stay as they are when the source changes.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{mpsc, watch};

use super::{Done, GRACE, Reply, Returned, Task};
use crate::core::frame::{Batch, Class, Frame, Origin};
use crate::core::input::InputSpec;
use crate::core::time::Offset;
use crate::core::transport::{Player, Source, Transport};
use crate::core::vessel::Vessel;
use crate::runtime::clock::Clock;
use crate::runtime::driver::Order;
use crate::runtime::hub::Told;
use crate::runtime::idle::Idle;
use crate::runtime::live::{self, Listening};
use crate::runtime::outputs::Output;
use crate::runtime::session::logs::Replayed;
use crate::runtime::session::open::{self, Kind, Opened};
use crate::runtime::session::plan::Reload;
use crate::runtime::session::snapshot::{Job, Mode};

impl Task {
    pub(super) fn open(&mut self, text: String, reply: Reply) {
        if self.job.is_some() {
            return reply.send(Err("something is being opened: cancel it first (Esc)".into()));
        }
        let shown = crate::core::visible::text(text.as_bytes());
        self.job = Some(Job { what: format!("opening {shown}"), fraction: None });
        self.cancel = Arc::default();
        let (back, reading, now) = (self.back.clone(), self.reading, self.clock.utc());
        let (cancel, progress) = (self.cancel.clone(), self.progress.clone());
        progress.store(0, Ordering::Relaxed);
        tokio::spawn(async move {
            let work = tokio::task::spawn_blocking(move || {
                open::choose(&text, reading).and_then(|choice| {
                    open::open(choice, now, &mut |done| {
                        progress.store((done * 1000.0) as u32, Ordering::Relaxed);
                        !cancel.load(Ordering::Relaxed)
                    })
                })
            });
            let opened = work.await.unwrap_or_else(|e| Err(format!("opening failed: {e}")));
            let _over = back.send(Returned::Opened(Box::new(opened), reply)).await;
        });
    }

    pub(super) async fn reload(&mut self, reload: Reload) -> Result<(), String> {
        let now = self.clock.utc();
        let opening = move || open::open(reload.choice, now, &mut |_| true);
        let opened = tokio::task::spawn_blocking(opening).await.map_err(|e| format!("opening failed: {e}"))??;
        self.change_source(opened, &reload.first).await?;
        let gone = |o: &Output| !reload.outputs.contains(&o.spec);
        while let Some(at) = self.outputs.iter().position(gone) {
            let mut output = self.outputs.remove(at);
            output.stop(&self.feeds, GRACE).await;
        }
        for spec in reload.outputs {
            if !self.outputs.iter().any(|o| o.spec == spec) {
                self.add_output(spec)?;
            }
        }
        Ok(())
    }

    pub(super) async fn change_source(&mut self, mut opened: Opened, first: &[Transport]) -> Done {
        if let Some((stop, task)) = self.live.take() {
            stop.cancel();
            let _ended = task.await;
        }
        self.listening = None;
        self.retune = None;
        let pulls = matches!(opened.kind, Kind::Pulled(_));
        let mut player = new_player(&mut opened, self.duration, first, self.clock)?;
        if pulls {
            player.command(self.clock.wall(), &Transport::Play, &mut Vec::new()).map_err(|e| e.to_string())?;
        }
        let order = self.orders.send(Order::Player(Box::new(player)));
        if order.await.is_err() {
            return Err("the session is ending".into());
        }
        // The driver raises the generation; batches of the old source are dropped from then on.
        let _changed = tokio::time::timeout(Duration::from_secs(5), self.playing.changed()).await;
        self.protected.set(&opened.files);
        self.around.metadata = metadata(&opened);
        self.history().clear();
        self.watch().begin_anew(opened.mode, opened.tier());
        self.undo.clear();
        self.send_everything();
        self.opened = opened;
        self.put_up_desk()?;
        self.listen();
        let line = format!("opened {}", self.opened.name);
        self.events.info(line.clone());
        Ok(line.into())
    }

    /// Logs get a desk where they are read for lists and searches.
    pub(super) fn put_up_desk(&mut self) -> Result<(), String> {
        let logs = self.opened.log.take();
        self.replayed = logs.map(|logs| Replayed::new(logs, self.nudge.clone())).transpose()?;
        Ok(())
    }

    /// Starts to listen, when the source is a live one.
    pub(super) fn listen(&mut self) {
        let Kind::Pushed { inputs, strict } = &self.opened.kind else { return };
        let (state, listening) = watch::channel(Listening::default());
        let stop = self.stop.child_token();
        let (retune, changes) = mpsc::channel(4);
        let (out, generation) = (self.out.clone(), *self.live_generation.borrow());
        let ends = live::Ends { out, state, generation, changes, stop: stop.clone() };
        self.watch().inputs(inputs);
        let (inputs, strict, clock, events) = (inputs.clone(), *strict, self.clock, self.events.clone());
        let watch = self.watch.clone();
        let taps = live::Taps {
            event: Box::new(move |level, text| events.add(level, text)),
            raw: Box::new(move |input, bytes, now| {
                watch.lock().unwrap_or_else(PoisonError::into_inner).raw(input, bytes, now);
            }),
        };
        let task = tokio::spawn(async move { live::run(&inputs, strict, clock, ends, &taps).await });
        self.listening = Some(listening);
        self.live = Some((stop, task));
        self.retune = Some(retune);
    }

    /// Gives a live input other settings; the other inputs and all counters go on.
    pub(super) async fn change_input(&mut self, n: u16, text: &str) -> Done {
        let spec = InputSpec::parse(text.trim())?;
        let Kind::Pushed { inputs, .. } = &self.opened.kind else {
            return Err("only a live feed has inputs".into());
        };
        let Some(old) = inputs.get(usize::from(n)) else {
            return Err(format!("there is no input {n}: the first is 0"));
        };
        if *old == InputSpec::Stdin || spec == InputSpec::Stdin {
            return Err("standard input can be read once, and by itself".into());
        }
        if let Some(output) = self.outputs.iter().find(|o| open::is_echo(&spec, &o.spec.way)) {
            return Err(format!("input {spec} is what output {} sends to: it would feed itself", output.spec));
        }
        let Some(retune) = &self.retune else { return Err("the live feed is ending".into()) };
        if retune.send((n, spec.clone())).await.is_err() {
            return Err("the live feed has ended".into());
        }
        self.opened.change_input(usize::from(n), spec.clone());
        self.protected.set(&self.opened.files);
        let line = format!("input {}: now {spec}", u32::from(n) + 1);
        self.events.info(line.clone());
        Ok(line.into())
    }

    pub(super) fn reply(&mut self, n: u16, line: &Bytes) {
        let mut frames = Vec::new();
        let mut add = |line: &crate::core::log::line::Line<'_>| {
            let class = if line.class == Class::Blank { return } else { line.class };
            let bytes = Bytes::copy_from_slice(line.text);
            let all = (0, bytes.len() as u32);
            let origin = Origin::Reply(n);
            frames.push(Frame { seq: 0, offset: 0, origin, class, place: None, bytes, sentence: all });
        };
        self.reply_lines.push(line, &mut add);
        self.reply_lines.flush(&mut add);
        let position = self.position();
        frames.iter_mut().for_each(|f| f.offset = position);
        let vessel: Arc<Vessel> = self.history().vessel().clone();
        let generation = *self.live_generation.borrow();
        let batch = Batch { generation, sent: self.clock.utc(), source_utc: None, frames, vessel };
        let now = self.clock.wall();
        self.history().take(&Told { batch: Arc::new(batch), emit: false, patient: false }, now);
    }
}

/// A player of what was opened; of a live feed one that stands still for ever.
pub(super) fn new_player(
    opened: &mut Opened,
    duration: Option<Offset>,
    first: &[Transport],
    clock: Clock,
) -> Result<Player, String> {
    let pulls = matches!(opened.kind, Kind::Pulled(_));
    let mut player = Player::new(opened.kind.take_source());
    player.stop_after(duration);
    for transport in first.iter().filter(|_| pulls) {
        player.command(clock.wall(), transport, &mut Vec::new()).map_err(|e| e.to_string())?;
    }
    Ok(player)
}

/// What a log's header says of its source.
pub(super) fn metadata(opened: &Opened) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    match &opened.profile {
        Some(profile) => {
            lines.push(("profile".into(), opened.name.clone()));
            lines.push(("seed".into(), profile.simulation.seed.to_string()));
        }
        None => lines.push(("source".into(), opened.name.clone())),
    }
    let mode = match opened.mode {
        Mode::Simulate => "simulation",
        Mode::Track => "track",
        Mode::Replay => "replay",
        Mode::Live => "live",
    };
    lines.push(("mode".into(), mode.into()));
    lines.push(("program".into(), format!("nmeasimx {}", env!("CARGO_PKG_VERSION"))));
    lines
}

impl Kind {
    /// The source to be pulled; an idle one when this kind pushes.
    fn take_source(&mut self) -> Box<dyn Source> {
        match self {
            Kind::Pulled(source) => std::mem::replace(source, Box::new(Idle::default())),
            Kind::Pushed { .. } => Box::new(Idle::default()),
        }
    }
}

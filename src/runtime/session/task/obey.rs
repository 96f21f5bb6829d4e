//! What a session does when it is asked: commands of watchers, and what comes back from work beside it.
//!
//! It never waits for a disk or a long search: such work runs beside the task and answers by itself.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::oneshot;

use super::{Done, Reply, Returned, Task};
use crate::core::time::Wall;
use crate::core::transport::{Change, Player};
use crate::runtime::driver::Order;
use crate::runtime::recorder::Mode as FileMode;
use crate::runtime::session::undo::{Standing, Undo};
use crate::runtime::session::window::Lens;
use crate::runtime::session::{Command, View, openables, save};

/// What is said when the driver has gone.
const OVER: &str = "the source has ended";

impl Task {
    pub(super) async fn back_from(&mut self, returned: Returned) {
        match returned {
            Returned::Asked(id, request) => {
                let Some(at) = self.watching.iter().position(|w| w.id == id) else { return };
                let reply = Reply { id: request.id, to: self.watching[at].answers.clone(), nudge: self.nudge.clone() };
                self.obey(at, request.command, reply).await;
            }
            Returned::Left(id) => {
                self.watching.retain(|w| w.id != id);
                if let Some(replayed) = &mut self.replayed {
                    replayed.desk.forget(id);
                }
            }
            Returned::Opened(opened, reply) => {
                self.job = None;
                let done = match *opened {
                    Ok(opened) => self.change_source(opened, &[]).await,
                    Err(error) => Err(error),
                };
                if let Err(error) = &done {
                    self.events.warning(error.clone());
                }
                reply.send(done);
            }
            Returned::Changed(undo) => {
                self.undo.push(undo);
                if self.undo.len() > 100 {
                    self.undo.remove(0);
                }
            }
            Returned::Recorded(state, lost, reply) => {
                self.lost_recording += lost;
                let line = format!("recorded {} sentences to {}", state.sentences, state.path);
                self.events.info(line.clone());
                self.recorded = state;
                reply.send(Ok(line.into()));
            }
        }
    }

    pub(super) async fn obey(&mut self, watcher: usize, command: Command, reply: Reply) {
        match command {
            Command::View(view) => {
                let done = Lens::new(&view).map(|lens| {
                    let w = &mut self.watching[watcher];
                    w.lens = lens;
                    w.view = *view;
                    if self.only.as_ref().is_some_and(|only| only.watcher == self.watching[watcher].id) {
                        self.send_only(watcher);
                    }
                });
                reply.send(done.map(|()| serde_json::Value::Null));
            }
            Command::Transport(_) if self.listening.is_some() => {
                reply.send(Err("a live feed goes by itself: it cannot be paused, moved or sped up".into()));
            }
            Command::Transport(transport) => {
                if let Some(replayed) = &self.replayed {
                    replayed.logs.seeking.cancel.store(false, Ordering::Relaxed);
                }
                let (answer, answered) = oneshot::channel();
                self.order(Order::Transport(transport, answer), answered, reply);
            }
            Command::Change(change) => self.change(change, reply),
            Command::Undo => self.take_back(reply),
            Command::Open(text) => self.open(text, reply),
            Command::Input(n, text) => {
                let done = self.change_input(n, &text).await;
                reply.send(done);
            }
            Command::Openables => {
                let (logs, profiles) = (self.folder.clone(), self.profiles.clone());
                tokio::spawn(async move {
                    let found = openables::openables(logs, profiles).await;
                    reply.send(serde_json::to_value(found).map_err(|e| e.to_string()));
                });
            }
            Command::Output(change) => {
                let done = self.change_output(change).await;
                reply.send(done);
            }
            Command::Record(path) => {
                let done = if self.recorder.is_some() {
                    Err("recording already: stop it first".into())
                } else if path.is_empty() {
                    self.record_fresh()
                } else {
                    self.record(path.into(), FileMode::Append)
                };
                reply.send(done.map(|path| path.into()));
            }
            Command::RecordStop => match self.recorder.take() {
                None => reply.send(Err("not recording".into())),
                Some(recorder) => {
                    self.recorded = recorder.state();
                    let (feeds, back) = (self.feeds.clone(), self.back.clone());
                    tokio::spawn(async move {
                        let (state, lost) = recorder.stop(&feeds, Duration::from_secs(10)).await;
                        let _over = back.send(Returned::Recorded(state, lost, reply)).await;
                    });
                }
            },
            Command::SaveProfile(path) if save::scenario_path(&path).is_some() => {
                let path = save::scenario_path(&path).unwrap_or_default().to_string();
                self.save_scenario(&path, reply);
            }
            Command::SaveProfile(path) => reply.send(self.save_profile(&path)),
            Command::Find { pattern, from, back } => match &self.replayed {
                Some(replayed) => {
                    replayed.find(&pattern, from, back, &self.watching[watcher].view, self.head(), reply);
                }
                None => reply.send(self.find(watcher, &pattern, from, back)),
            },
            Command::Look { what, from, back } => {
                let head = self.head();
                match &mut self.replayed {
                    Some(replayed) => {
                        let view = &self.watching[watcher].view;
                        replayed.look(&what, (from, back), view, head, &self.marks, reply);
                    }
                    None => reply.send(self.look(watcher, &what, from, back)),
                }
            }
            Command::Mark { at, name } => {
                let playing = self.playing.borrow().clone();
                let done = match &mut self.replayed {
                    Some(replayed) => replayed.mark(&self.marks, at, name.as_deref(), &playing),
                    None => Err("only a log has places that last: open one with `replay`".into()),
                };
                reply.send(done);
            }
            Command::ExportMarks(path) => {
                let done = match &mut self.replayed {
                    Some(replayed) => replayed.export_marks(&self.marks, path.trim()),
                    None => Err("only a log has marks: open one with `replay`".into()),
                };
                reply.send(done);
            }
            Command::SendOnly(true) => {
                self.send_only(watcher);
                let words = self.only.as_ref().map(|only| only.words.as_str()).unwrap_or_default();
                reply.send(Ok(format!("sending {words} to the outputs").into()));
            }
            Command::SendOnly(false) => {
                self.send_everything();
                reply.send(Ok("sending everything to the outputs".into()));
            }
            Command::SaveStretch { path, between, filter, matches, hidden } => match &self.replayed {
                Some(replayed) => {
                    let shown = View { filter, matches, hidden, ..View::default() };
                    replayed.save(&path, between, &shown, self.clock.utc(), reply);
                }
                None => reply.send(Err("only of a log a stretch can be saved: open one with `replay`".into())),
            },
            Command::ClearCounters => {
                self.watch().clear();
                reply.send(Ok(serde_json::Value::Null));
            }
            Command::Report(path) => {
                let (name, now) = (self.opened.name.clone(), self.clock.utc());
                let done = self.watch().report(std::path::Path::new(path.trim()), &name, now, false);
                reply.send(done.map(|(_, verdict)| format!("{path}: {verdict}").into()));
            }
            Command::Cancel => {
                self.cancel.store(true, Ordering::Relaxed);
                if let Some(replayed) = &self.replayed {
                    replayed.cancel();
                }
                reply.send(Ok(serde_json::Value::Null));
            }
            Command::Quit => {
                self.asked_to_end = true;
                reply.send(Ok(serde_json::Value::Null));
            }
        }
    }

    /// Passes an order to the driver; the answer comes when it is done, however long a seek takes.
    pub(super) fn order(&self, order: Order, answered: oneshot::Receiver<Result<(), String>>, reply: Reply) {
        if self.orders.try_send(order).is_err() {
            return reply.send(Err("the source is busy: try again in a moment".into()));
        }
        tokio::spawn(async move {
            let done = answered.await.unwrap_or_else(|_| Err(OVER.into()));
            reply.send(done.map(|()| serde_json::Value::Null));
        });
    }

    /// Changes the source; what it was like at that very moment is what an undo goes back to.
    pub(super) fn change(&mut self, change: Change, reply: Reply) {
        let back = self.back.clone();
        let answered = self.with_player(move |player, now| {
            player.come_to(now).map_err(|e| e.to_string())?;
            let before = Standing::of(player.source());
            player.change(now, &change).map_err(|e| e.to_string())?;
            let after = Standing::of(player.source());
            Ok(before.zip(after).and_then(|(before, after)| Undo::between(&before, &after, &change)))
        });
        tokio::spawn(async move {
            let done = match answered.await {
                Ok(Some(undo)) => back.send(Returned::Changed(undo)).await.map_err(|_| OVER.into()),
                other => other.map(|_nothing| ()),
            };
            reply.send(done.map(|()| serde_json::Value::Null));
        });
    }

    pub(super) fn take_back(&mut self, reply: Reply) {
        let Some(undo) = self.undo.pop() else { return reply.send(Err("nothing to undo".into())) };
        let words = undo.words();
        let answered =
            self.with_player(move |player, now| player.change(now, &undo.change()).map_err(|e| e.to_string()));
        tokio::spawn(async move { reply.send(answered.await.map(|()| words.into())) });
    }

    /// Does something with the player, in the driver's own time.
    fn with_player<T, F>(&self, what: F) -> impl Future<Output = Result<T, String>> + use<T, F>
    where
        T: Send + 'static,
        F: FnOnce(&mut Player, Wall) -> Result<T, String> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let order = Order::With(Box::new(move |player, now| {
            // Whoever asked may be gone.
            let _gone = answer.send(what(player, now));
        }));
        let sent = self.orders.try_send(order).is_ok();
        async move {
            if !sent {
                return Err("the source is busy: try again in a moment".into());
            }
            answered.await.unwrap_or_else(|_| Err(OVER.into()))
        }
    }

    pub(super) fn save_profile(&mut self, path: &str) -> Done {
        let Some(running) = self.playing.borrow().profile.clone() else {
            return Err("this source has no profile to save".into());
        };
        let target = save::target(path, self.opened.path.as_deref())?;
        let said = save::write(&running, &target)?;
        self.opened.profile = Some(running);
        self.opened.path = Some(target);
        self.events.info(said.clone());
        Ok(said.into())
    }

    /// The profile with everything that was asked as steps: what is sailed again does the same.
    pub(super) fn save_scenario(&mut self, path: &str, reply: Reply) {
        let target = match save::target(path, self.opened.path.as_deref()) {
            Ok(target) => target,
            Err(why) => return reply.send(Err(why)),
        };
        let answered = self.with_player(|player, _| player.source().scenario().map_err(|e| e.to_string()));
        tokio::spawn(async move {
            let said = answered.await.and_then(|profile| save::write(&profile, &target));
            reply.send(said.map(Into::into));
        });
    }
}

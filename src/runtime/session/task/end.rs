//! The end of a session: everything is stopped in order, and what was queued is still sent where that can be done.

use std::sync::PoisonError;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{GRACE, Task};
use crate::core::output::Way;
use crate::core::time::iso_ms;
use crate::runtime::session::open;
use crate::runtime::session::plan::Outcome;
use crate::runtime::session::snapshot::Link;

impl Task {
    pub(super) async fn end(self) -> Outcome {
        let (watch, report, name) = (self.watch.clone(), self.report.clone(), self.opened.name.clone());
        let Task { mut outputs, feeds, recorder, stop, orders, out, live, driver, hub, late, .. } = self;
        let mut failed = self.playing.borrow().failed.clone();
        drop(orders);
        drop(out);
        if let Some((stop, task)) = live {
            stop.cancel();
            let _ended = task.await;
        }
        if let Err(error) = driver.await {
            failed.get_or_insert(format!("the source failed: {error}"));
        }
        // At the end of a source what is queued is still sent, however long a pipe takes; a signal cuts that short.
        let patient = async {
            let mut hub = hub;
            tokio::select! {
                _ended = &mut hub => {}
                () = hurried(&stop, GRACE) => hub.abort(),
            }
            let mut stopping = tokio::task::JoinSet::new();
            for mut output in outputs.drain(..) {
                let (feeds, stop) = (feeds.clone(), stop.clone());
                stopping.spawn(async move {
                    let waits = matches!(output.spec.way, Way::Stdout | Way::File { .. } | Way::Log { .. });
                    let hurry =
                        async { if waits { hurried(&stop, GRACE).await } else { tokio::time::sleep(GRACE).await } };
                    output.stop_unless(&feeds, hurry).await;
                    output
                });
            }
            let mut ended = Vec::new();
            while let Some(output) = stopping.join_next().await {
                ended.extend(output.ok());
            }
            ended
        };
        let ended = patient.await;
        let late = late.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut outcome = Outcome { failed, late, ..Outcome::default() };
        if let Some(recorder) = recorder {
            let (state, lost) = recorder.stop(&feeds, Duration::from_secs(10)).await;
            outcome.recorded = Some((state.path, state.sentences));
            outcome.unrecorded = lost;
        } else if !self.recorded.path.is_empty() {
            outcome.recorded = Some((self.recorded.path, self.recorded.sentences));
            outcome.unrecorded = self.lost_recording;
        }
        for output in ended {
            let counts = matches!(output.spec.way, Way::Stdout | Way::File { .. } | Way::Log { .. });
            let status = output.status();
            if counts && (output.dropped() > 0 || status.link == Link::Failed) {
                outcome.lost.push((output.spec.to_string(), output.dropped()));
            }
        }
        if let Some(path) = report {
            let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
            watch.finish();
            match watch.report(&path, &name, self.clock.utc(), true) {
                Ok((errors, verdict)) => outcome.report = Some((errors, format!("{}: {verdict}", open::shown(&path)))),
                Err(error) => {
                    outcome.failed.get_or_insert(error);
                }
            }
        }
        // Whoever serves watchers of this session ends with it.
        stop.cancel();
        tracing::info!("session ended at {}", iso_ms(self.clock.utc()));
        outcome
    }
}

/// Ends some time after the session was told to stop; never before.
async fn hurried(stop: &CancellationToken, grace: Duration) {
    stop.cancelled().await;
    tokio::time::sleep(grace).await;
}

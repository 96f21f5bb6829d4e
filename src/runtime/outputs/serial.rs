//! A serial port: no more is written than the line carries, and what matters most goes.

use std::sync::atomic::Ordering;

use super::budget::Budget;
use super::{Task, stream};
use crate::core::output::SerialSettings;
use crate::core::time::{SECOND, Wall};
use crate::runtime::replies::Replies;
use crate::runtime::serial::open;

/// Above this load, percent, somebody should know; below the other it is over.
const HEAVY: (f64, f64) = (90.0, 80.0);
/// How often the load is told.
const TELL: Wall = SECOND;

/// Sends until the queue ends.
pub async fn run(task: &mut Task, settings: &SerialSettings) {
    let baud = settings.baud.unwrap_or(4800);
    let rate = f64::from(baud) / f64::from(settings.bits_per_byte());
    loop {
        let why = match open(settings, baud) {
            Ok(port) => {
                task.open(format!("{} {baud} {}", settings.device, settings.bits()));
                match send(task, port, rate).await {
                    None => return,
                    Some(why) => format!("{}: {why}", settings.device),
                }
            }
            Err(why) => why,
        };
        task.waiting(why);
        if task.back_off().await.is_none() {
            return;
        }
    }
}

/// `None`: the queue has ended. Else why the port is gone.
async fn send(task: &mut Task, port: tokio_serial::SerialStream, rate: f64) -> Option<String> {
    let (mut reader, mut writer) = tokio::io::split(port);
    let (gauges, clock) = (task.gauges.clone(), task.around.clock);
    let drained = stream::drain(&mut reader, Replies::new(task.n, task.around.replies.clone()), &gauges);
    tokio::pin!(drained);
    let mut encoder = task.encoder();
    let mut budget = Budget::new(rate);
    let mut watch = Watch { told: 0, heavy: false, warned: false };
    let mut ended = false;
    loop {
        let next = budget.next_at();
        if ended && next.is_none() {
            return None;
        }
        let turn = async {
            match next {
                Some(at) => tokio::time::sleep_until(clock.instant(at)).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! { biased;
            why = &mut drained => {
                gauges.lost(budget.clear());
                return Some(if why.starts_with("closed") { "gone".into() } else { why });
            }
            () = turn => {
                let Some((bytes, sentences)) = budget.take(clock.wall()) else { continue };
                let done = tokio::select! { biased;
                    () = task.stop.cancelled() => return None,
                    done = stream::write(&mut writer, &bytes) => done,
                };
                if let Err(why) = done {
                    gauges.lost(sentences + budget.clear());
                    return Some(why);
                }
                gauges.sent(sentences, bytes.len());
            }
            parcel = task.next(), if !ended && budget.has_room_for_more() => match parcel {
                Some(parcel) => {
                    let now = clock.wall();
                    let encoded = encoder.encode(&parcel.batch);
                    for (message, bytes) in encoded.iter() {
                        let sentence = parcel.batch.frames.get(message.frame).map_or(bytes, |f| f.text());
                        let lost = budget.push(now, sentence, bytes, parcel.patient);
                        gauges.gave_way.fetch_add(lost, Ordering::Relaxed);
                        gauges.lost(lost);
                    }
                    watch.look(task, &mut budget, now);
                }
                None => ended = true,
            },
        }
    }
}

/// Tells the load, and when it becomes too much.
struct Watch {
    told: Wall,
    heavy: bool,
    /// That it is too much was told.
    warned: bool,
}

impl Watch {
    fn look(&mut self, task: &Task, budget: &mut Budget, now: Wall) {
        if now - self.told < TELL {
            return;
        }
        self.told = now;
        let Some(load) = budget.load(now) else { return };
        task.gauges.status(|status| status.load = Some(load.round()));
        if load > HEAVY.0 && !self.heavy {
            self.heavy = true;
            let left_out = budget.gave_way();
            let left_out =
                if left_out.is_empty() { String::new() } else { format!("; left out: {}", left_out.join(" ")) };
            let text = format!(
                "output {} {}: the line would have to carry {load:.0} % of what it can{left_out}; \
                 use a filter, the preset 4800, or a faster line",
                task.n, task.spec.way
            );
            self.warned = task.gauges.warn_often(&task.around, &text);
        } else if load < HEAVY.1 && self.heavy {
            self.heavy = false;
            if !std::mem::take(&mut self.warned) {
                return;
            }
            task.around.events.info(format!("output {} {}: load is {load:.0} % again", task.n, task.spec.way));
        }
    }
}

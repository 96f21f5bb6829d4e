//! The outputs `file:` and `log:`, written by the recorder's machinery on a thread of their own.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use super::Task;
use crate::core::output::Way;
use crate::core::time::Wall;
use crate::runtime::recorder::{self, LogFile, Mode, Rotation, Shape, Teller, Wanted};

/// Appends until the queue ends.
pub async fn run(mut task: Task) {
    let file = loop {
        let shape = match task.spec.way {
            Way::Log { .. } => Shape::Log {
                metadata: task.around.metadata.clone(),
                filter: task.spec.filter.clone(),
                everything: false,
                tag: task.spec.tag.clone(),
            },
            _ => Shape::Plain(Box::new(task.encoder())),
        };
        let path = match &task.spec.way {
            Way::Log { path } | Way::File { path } => PathBuf::from(path),
            _ => PathBuf::new(),
        };
        let wanted = Wanted {
            path,
            mode: Mode::Append,
            shape,
            rotation: Rotation::default(),
            protected: task.around.protected.clone(),
        };
        match LogFile::open(wanted, task.around.clock) {
            Ok(file) => break file,
            Err(error) => {
                task.waiting(error);
                if task.back_off().await.is_none() {
                    return;
                }
            }
        }
    };
    super::on_a_thread("file", move || {
        let mut file = file;
        let clock = task.around.clock;
        let stop = task.stop.clone();
        let (_, nothing) = crate::runtime::queue::queue(0);
        let mut feed = std::mem::replace(&mut task.feed, nothing);
        recorder::work(&mut feed, &mut file, clock, &mut task, &|| stop.is_cancelled());
    })
    .await;
}

impl Teller for Task {
    fn wrote(&mut self, sentences: u64, bytes: usize) {
        self.gauges.sent(sentences, bytes);
        self.settle();
    }

    fn lost(&mut self, sentences: u64) {
        self.gauges.lost(sentences);
    }

    fn open(&mut self, path: &str) {
        Task::open(self, path.into());
    }

    fn trouble(&mut self, error: &str) {
        self.waiting(error);
    }

    fn synced(&mut self, _: Option<Wall>, _: Option<u64>) {}

    fn waiting(&mut self, bytes: usize) {
        self.gauges.queue.store(bytes as u64, Ordering::Relaxed);
    }

    fn deleted(&mut self, _: &str) {}
}

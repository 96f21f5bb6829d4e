//! Where a session sends: outputs are added, changed, stopped; a recording is begun.
//!
//! What an output does with its sentences is its own matter.

use std::path::PathBuf;

use super::{Done, GRACE, Only, Task, Watching};
use crate::core::frame::Origin;
use crate::core::output::{OutputSpec, Tag};
use crate::runtime::outputs::Output;
use crate::runtime::recorder::{Mode as FileMode, Recorder, Shape, Wanted, names};
use crate::runtime::session::OutputChange;
use crate::runtime::session::logs::Replayed;
use crate::runtime::session::open::{self, Kind};

/// How many outputs there may be.
const MOST_OUTPUTS: usize = 64;

impl Task {
    pub(super) fn add_output(&mut self, spec: OutputSpec) -> Result<u16, String> {
        if self.outputs.len() >= MOST_OUTPUTS {
            return Err(format!("{MOST_OUTPUTS} outputs are the most: remove one first"));
        }
        self.refuse_echo(&spec)?;
        let n = self.next_output;
        let mut output = Output::new(n, spec);
        if !output.spec.stopped {
            self.next_feed += 1;
            output.start(self.next_feed, &self.feeds, &self.around);
        }
        self.next_output = n.checked_add(1).ok_or("too many outputs in one session")?;
        self.outputs.push(output);
        Ok(n)
    }

    /// An output that is an input of the same run would feed itself.
    pub(super) fn refuse_echo(&self, spec: &OutputSpec) -> Result<(), String> {
        let Kind::Pushed { inputs, .. } = &self.opened.kind else { return Ok(()) };
        match inputs.iter().find(|input| open::is_echo(input, &spec.way)) {
            Some(input) => Err(format!("output {spec} is what input {input} listens to: it would feed itself")),
            None => Ok(()),
        }
    }

    pub(super) async fn change_output(&mut self, change: OutputChange) -> Done {
        let find = |outputs: &[Output], n: u16| {
            outputs.iter().position(|o| o.n == n).ok_or_else(|| format!("there is no output {n}"))
        };
        match change {
            OutputChange::Add(text) => {
                let n = self.add_output(OutputSpec::parse(text.trim())?)?;
                return Ok(n.into());
            }
            OutputChange::Edit(n, text) => {
                let at = find(&self.outputs, n)?;
                let spec = OutputSpec::parse(text.trim())?;
                self.refuse_echo(&spec)?;
                self.outputs[at].stop(&self.feeds, GRACE).await;
                self.outputs[at] = Output::new(n, spec);
                if !self.outputs[at].spec.stopped {
                    self.next_feed += 1;
                    self.outputs[at].start(self.next_feed, &self.feeds, &self.around);
                }
            }
            OutputChange::Stop(n) => {
                let at = find(&self.outputs, n)?;
                self.outputs[at].stop(&self.feeds, GRACE).await;
            }
            OutputChange::Start(n) => {
                let at = find(&self.outputs, n)?;
                // One that has failed is not running any more, though nobody stopped it.
                self.outputs[at].stop(&self.feeds, GRACE).await;
                self.next_feed += 1;
                self.outputs[at].start(self.next_feed, &self.feeds, &self.around);
            }
            OutputChange::Remove(n) => {
                let at = find(&self.outputs, n)?;
                let mut output = self.outputs.remove(at);
                output.stop(&self.feeds, GRACE).await;
            }
        }
        Ok(serde_json::Value::Null)
    }

    /// Outputs get what a watcher's view shows, and nothing else.
    pub(super) fn send_only(&mut self, watcher: usize) {
        let Watching { id, lens, .. } = &self.watching[watcher];
        let words = lens.words().unwrap_or_else(|| "what is shown (now everything)".into());
        self.only = Some(Only { watcher: *id, words });
        let lens = lens.clone();
        // A pattern is matched against whole lines, and of a log's lines a frame holds but the sentence.
        let mut logs = self.replayed.as_ref().map(Replayed::readers).unwrap_or_default();
        self.feeds.send_only(Some(Box::new(move |frame| {
            let simulated = frame.origin == Origin::Source && frame.place.is_none();
            lens.lets(frame.text(), simulated, |pattern| {
                let log = frame.place.and_then(|place| Some((logs.get_mut(usize::from(place.file))?, place)));
                let line = log.and_then(|(log, place)| log.line(place).ok().flatten());
                pattern.finds(line.as_ref().unwrap_or(&frame.bytes))
            })
        })));
    }

    /// Outputs get everything.
    pub(super) fn send_everything(&mut self) {
        self.only = None;
        self.feeds.send_only(None);
    }

    pub(super) fn record_fresh(&mut self) -> Result<String, String> {
        std::fs::create_dir_all(&self.folder)
            .map_err(|e| format!("{}: {e}: set [record] folder", self.folder.display()))?;
        let name = names::recording(self.clock.utc(), &self.opened.label);
        self.record(self.folder.join(name), FileMode::Fresh)
    }

    pub(super) fn record(&mut self, path: PathBuf, mode: FileMode) -> Result<String, String> {
        let shape = Shape::Log {
            metadata: self.around.metadata.clone(),
            filter: crate::core::filter::Filter::default(),
            everything: true,
            tag: Tag::Off,
        };
        let wanted = Wanted { path, mode, shape, rotation: self.rotation, protected: self.protected.clone() };
        self.next_feed += 1;
        let recorder = Recorder::start(wanted, self.clock, &self.events, self.next_feed, &self.feeds)?;
        let path = recorder.state().path;
        self.recorder = Some(recorder);
        Ok(path)
    }
}

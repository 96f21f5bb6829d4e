//! Makes a snapshot of a session for one watcher: exactly what its view asks for.

use std::sync::atomic::Ordering;

use super::desk::{self, Question, Wish};
use super::diagnose;
use super::snapshot::{Chart, Counts, Mode, Run, SaidRow, Snapshot, TransportState, TypeCount};
use super::snapshot::{Job, Level, Link};
use super::task::{Done, Task};
use super::{Presentation, RowKey, window};
use crate::core::ais::Part;
use crate::core::log::Pattern;
use crate::core::log::line::Dialect;
use crate::core::nmea::inspect;
use crate::core::nmea::joined::{self, AROUND, Joined, Near};
use crate::core::time::SECOND;
use crate::core::transport::player;
use crate::runtime::driver::Playing;
use crate::runtime::history::{History, Line};

/// Events in a snapshot.
const EVENTS: usize = 200;
/// Counts by type.
const TYPES: usize = 200;
/// Alarms.
const ALARMS: usize = 8;

impl Task {
    /// The snapshot of the i-th watcher.
    pub(super) fn build(&mut self, i: usize) -> Snapshot {
        let now = self.clock.wall();
        let playing = self.playing.borrow().clone();
        let listening = self.listening.as_ref().map(|l| l.borrow().clone());
        let view = self.watching[i].view.clone();
        let mut snapshot = Snapshot {
            mode: self.opened.mode,
            name: self.opened.name.clone(),
            run: self.run_state(&playing, listening.as_ref().is_some_and(|l| l.ended)),
            transport: transport(&playing),
            source_utc: playing.utc,
            seed: playing.profile.as_ref().map(|p| p.simulation.seed),
            vessel: *playing.vessel,
            record: self.recorder.as_ref().map_or_else(|| self.recorded.clone(), |r| r.state()),
            outputs: self.outputs.iter().map(|o| o.row(now, view.outputs)).collect(),
            job: self.job.clone().map(|job| self.at(job)),
            faults: playing.faults.clone(),
            ..Snapshot::default()
        };
        if let Some(listening) = listening {
            snapshot.transport =
                TransportState { position: listening.position, emit: true, ..TransportState::default() };
            snapshot.vessel = *listening.vessel;
            snapshot.source_utc = snapshot.vessel.utc.map(|k| k.value);
            snapshot.inputs = listening.inputs;
        }
        snapshot.transport.only = self.only.as_ref().map(|only| only.words.clone());
        snapshot.unsaved = match (&self.opened.profile, &playing.profile) {
            (Some(file), Some(running)) => playing.touched && file.tree() != running.tree(),
            _ => false,
        };
        {
            let history = self.history.clone();
            let mut history = history.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let totals = history.totals();
            let (rate, bytes_rate) = history.rates(now);
            snapshot.counts = Counts {
                sentences: totals.sentences,
                bytes: totals.bytes,
                rate,
                bytes_rate,
                skipped: totals.skipped,
                bad_checksum: totals.bad_checksum,
                warnings: 0,
                missed: playing.report.missed,
                dropped: self.outputs.iter().map(|o| o.dropped()).sum(),
            };
            let watching = &mut self.watching[i];
            if self.replayed.is_none() {
                snapshot.list = window::window(&mut history, &view, &watching.lens, &mut watching.in_place, now);
            }
            if view.chart {
                snapshot.chart = Some(Chart { sailed: history.sailed().to_vec(), ahead: self.opened.ahead.clone() });
            }
            if view.types && self.replayed.is_none() {
                let count =
                    |(key, count): (&crate::core::vessel::Label, u64)| TypeCount { key: key.to_string(), count };
                snapshot.types = history.types().take(TYPES).map(count).collect();
            }
        }
        if let Some(replayed) = &mut self.replayed {
            // A replay's list shows the file, and its counts are those of the whole file.
            let state = replayed.state(&view, &playing, &self.marks);
            let id = self.watching[i].id;
            // At the end the play head stands on the last sentence, which was said.
            let ended = view.presentation == Presentation::PerType && state.head_sentence >= state.sentences;
            let head = if ended { state.head.map(desk::after) } else { state.head };
            let wish = Wish::of(&view, head, playing.generation, state.indexed);
            snapshot.list = replayed.desk.list(id, wish);
            let selected =
                view.selected.and_then(|key| if let RowKey::Place(place) = key { Some(place) } else { None });
            let counted = replayed.desk.count(id, Question::of(&view, selected), state.indexed);
            (snapshot.list.shown, snapshot.list.found) = (counted.shown, counted.found);
            if view.types {
                snapshot.types = replayed.types(TYPES);
            }
            for row in &mut snapshot.list.rows {
                row.mark = state.marks.iter().any(|m| RowKey::Place(m.place) == row.key);
            }
            let (skipped, bad, warnings) = replayed.sums();
            (snapshot.counts.skipped, snapshot.counts.bad_checksum, snapshot.counts.warnings) =
                (skipped, bad, warnings);
            let seeking = replayed.logs.seeking.progress.load(Ordering::Relaxed);
            let seeking = (seeking > 0).then_some(seeking as f32 / 1000.0);
            let counting = counted.progress.map(|thousandths| thousandths as f32 / 1000.0);
            let jobs = [("seeking", seeking), ("searching", replayed.desk.searching()), ("counting matches", counting)];
            if snapshot.job.is_none()
                && let Some((what, fraction)) = jobs.into_iter().find(|(_, fraction)| fraction.is_some())
            {
                snapshot.job = Some(Job { what: what.into(), fraction });
            }
            snapshot.log = Some(state);
        }
        if view.diagnose || view.targets {
            let mut watch = self.watch();
            watch.ask();
            snapshot.diagnose = view.diagnose.then(|| diagnose::diagnose(watch.diag(), view.order, &view.only));
            if view.targets {
                snapshot.targets = diagnose::targets(watch.diag());
            }
        }
        if let Some(key) = view.inspect {
            snapshot.inspect = self.inspect(self.watching[i].id, key);
        }
        if view.events {
            snapshot.events = self.events.newest(EVENTS);
        }
        if view.controls {
            snapshot.controls = self.controls.rows(&playing, self.opened.profile.as_ref());
            let position = playing.report.position;
            let said = playing.said.iter();
            snapshot.said =
                said.map(|s| SaidRow { id: s.id.clone(), age: (position - s.last).max(0), minute: s.minute }).collect();
        }
        snapshot.alarms = self.alarms(&snapshot, &playing);
        snapshot
    }

    /// A row taken apart.
    fn inspect(&self, watcher: u64, key: RowKey) -> Option<serde_json::Value> {
        match (&self.replayed, key) {
            (Some(replayed), RowKey::Place(place)) => replayed.desk.inspected(watcher, place),
            (_, RowKey::Seq(n)) => {
                let history = self.history();
                let line = history.line(n)?;
                let part = line.place.map_or(0, |p| usize::from(p.part));
                let joined = parts_around(&history, line);
                serde_json::to_value(inspect::line(line.bytes, part, Dialect::default(), joined)).ok()
            }
            (None, RowKey::Place(_)) => None,
        }
    }

    /// The job with how far it has come.
    fn at(&self, job: Job) -> Job {
        let thousandths = self.progress.load(Ordering::Relaxed);
        Job { fraction: (thousandths > 0).then_some(thousandths as f32 / 1000.0), ..job }
    }

    fn run_state(&self, playing: &Playing, ended: bool) -> Run {
        if self.listening.is_some() {
            return if ended { Run::Ended } else { Run::Running };
        }
        if playing.failed.is_some() {
            return Run::Failed;
        }
        match playing.report.run {
            player::Run::Playing => Run::Running,
            player::Run::Paused => Run::Paused,
            player::Run::Finished => Run::Ended,
        }
    }

    /// What is wrong right now, worst first.
    fn alarms(&self, snapshot: &Snapshot, playing: &Playing) -> Vec<String> {
        let mut alarms = Vec::new();
        alarms.extend(playing.failed.clone());
        if let Some(alarm) = snapshot.record.alarm.as_ref().filter(|_| snapshot.record.on) {
            alarms.push(format!("recording: {alarm}"));
        }
        for wanted in [Link::Failed, Link::Waiting] {
            for row in snapshot.outputs.iter().filter(|row| row.state == wanted) {
                let error = row.last_error.as_deref().unwrap_or("not open");
                alarms.push(format!("output {}: {error}", row.n));
            }
            for row in snapshot.inputs.iter().filter(|row| row.state == wanted) {
                let error = row.last_error.as_deref().unwrap_or("not open");
                alarms.push(format!("input {}: {error}", row.n));
            }
        }
        if let Some(row) = snapshot.outputs.iter().find(|row| row.load.is_some_and(|l| l > 90.0)) {
            alarms.push(format!("output {}: the line is {:.0} % full", row.n, row.load.unwrap_or_default()));
        }
        alarms.extend(playing.notes.iter().cloned());
        alarms.truncate(ALARMS);
        alarms
    }

    /// The next line that matches.
    pub(super) fn find(&self, i: usize, pattern: &str, from: Option<RowKey>, back: bool) -> Done {
        let pattern = Pattern::new(pattern)?;
        self.next_line(i, from, back, |line| pattern.finds(line.bytes))
    }

    /// The next line of a kind.
    pub(super) fn look(&self, i: usize, what: &str, from: Option<RowKey>, back: bool) -> Done {
        match what {
            "sentence" => self.next_line(i, from, back, |l| l.class.is_sentence()),
            "bad" => self.next_line(i, from, back, |l| l.class.is_skip()),
            "gap" => self.next_line(i, from, back, |l| l.delta.is_some_and(|d| d > 10 * SECOND)),
            "warning" | "mark" => Ok(serde_json::Value::Null),
            _ => Err(format!("{what:?}: look for sentence, bad, warning, gap or mark")),
        }
    }

    fn next_line(&self, i: usize, from: Option<RowKey>, back: bool, fits: impl Fn(Line<'_>) -> bool) -> Done {
        let history = self.history();
        let lines = history.lines();
        let here = match from {
            Some(RowKey::Seq(n)) => n,
            Some(RowKey::Place(_)) => return Err("this row is not in the list any more".into()),
            None => lines.numbers().end,
        };
        let lens = &self.watching[i].lens;
        let wanted = |l: &Line<'_>| fits(*l) && lens.passes(*l);
        let found = if back {
            lines.range(0..here).rev().find(wanted)
        } else {
            lines.range(here.saturating_add(1)..u64::MAX).find(wanted)
        };
        match found {
            Some(line) => serde_json::to_value(RowKey::Seq(line.n)).map_err(|e| e.to_string()),
            None => Ok(serde_json::Value::Null),
        }
    }
}

/// The sentences of the AIS message of which this line is one, where it takes several.
fn parts_around(history: &History, line: Line<'_>) -> Option<Joined> {
    Part::parse(line.text()).ok().filter(|part| part.total > 1)?;
    let lines = history.lines();
    // What stands further away is not looked at: lines come in the order of their time.
    let close = |l: &Line<'_>| (l.offset - line.offset).abs() <= AROUND;
    let good = |l: &Line<'_>| l.class.is_sentence();
    let mut all: Vec<Line<'_>> = lines.range(0..line.n).rev().take_while(close).filter(good).collect();
    all.reverse();
    let which = all.len();
    all.extend(lines.range(line.n..u64::MAX).take_while(close).filter(good));
    let heard: Vec<Near<'_>> =
        all.iter().map(|l| Near { sentence: l.text(), at: l.offset, origin: l.origin, line: l.n }).collect();
    joined::join(&heard, which)
}

fn transport(playing: &Playing) -> TransportState {
    let report = &playing.report;
    TransportState {
        position: report.position,
        duration: report.duration,
        lap: playing.lap,
        speed: report.speed,
        looping: report.looping,
        loop_from: report.loop_from,
        emit: report.emit,
        only: None,
        gap_limit: report.gap,
        waiting: report.waiting.map(|w| w.left).filter(|left| *left > SECOND),
        can: playing.can,
    }
}

impl Mode {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Simulate => "simulate",
            Mode::Track => "track",
            Mode::Replay => "replay",
            Mode::Live => "live",
        }
    }
}

impl Level {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::frame::{Batch, Class, Frame, Origin};
    use crate::core::vessel::Vessel;
    use crate::runtime::hub::Told;
    use std::sync::Arc;

    #[test]
    fn a_line_of_a_running_source_has_the_other_sentences_of_its_message() {
        let mut history = History::default();
        // Two inputs, interleaved; the third line is damaged and can be no part.
        for (n, (text, input, class)) in [
            ("!AIVDM,2,1,1,A,111,0*00", 0, Class::Sentence),
            ("!AIVDM,2,1,1,A,777,0*00", 1, Class::Sentence),
            ("!AIVDM,2,2,1,A,999,0*00", 0, Class::BadChecksum),
            ("$GPHDT,1.0,T*00", 0, Class::Sentence),
            ("!AIVDM,2,2,1,A,222,0*00", 0, Class::Sentence),
            ("!AIVDM,2,2,1,A,888,0*00", 1, Class::Sentence),
        ]
        .into_iter()
        .enumerate()
        {
            let frame = Frame {
                origin: Origin::Input(input),
                class,
                ..Frame::sentence(n as u64, n as i64 * SECOND / 4, bytes::Bytes::from_static(text.as_bytes()))
            };
            let vessel = Arc::new(Vessel::default());
            let batch = Batch { generation: 0, sent: 0, source_utc: None, frames: vec![frame], vessel };
            history.take(&Told { batch: Arc::new(batch), emit: true, patient: false }, 0);
        }
        let others = |n: u64| {
            let joined = parts_around(&history, history.line(n).unwrap())?;
            Some(joined.parts.iter().map(|p| p.line).collect::<Vec<_>>())
        };
        assert_eq!(others(0), Some(vec![Some(0), Some(4)]));
        assert_eq!(others(5), Some(vec![Some(1), Some(5)]));
        assert_eq!(others(3), None);
    }
}

//! What a session knows of the logs it replays: state for the screen, marks, errands to the desk.

use std::collections::{BTreeMap, HashSet};
use std::mem::Discriminant;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::desk::{self, Desk, Errand, Search};
use super::open::{Logs, shown};
use super::plan::MarksFolder;
use super::snapshot::{BarCell, LogState, MarkRow, TypeCount};
use super::task::{Done, Reply};
use super::{RowKey, View};
use crate::core::frame::Place;
use crate::core::log::search::Unusual;
use crate::core::log::{Change, Log, Tier, hear, pattern::Pattern};
use crate::core::replay::marks::{Identity, Marks};
use crate::core::replay::save::Stretch;
use crate::core::time::{Offset, Utc};
use crate::runtime::driver::Playing;

/// Marks in a snapshot.
const MARKS: usize = 100;

/// The logs of a replay, at work.
pub(super) struct Replayed {
    pub logs: Logs,
    pub desk: Desk,
    marks: Option<Marks>,
    kept: Option<PathBuf>,
    /// Changes of the files that were told.
    told: HashSet<(usize, Discriminant<Change>)>,
}

impl Replayed {
    /// Starts the desk; reads the marks once the log is complete.
    pub fn new(logs: Logs, nudge: std::sync::Arc<tokio::sync::Notify>) -> Result<Replayed, String> {
        let desk = Desk::new(&logs, nudge)?;
        Ok(Replayed { logs, desk, marks: None, kept: None, told: HashSet::new() })
    }

    fn complete(&self) -> bool {
        self.logs.files.iter().all(|l| l.index.complete())
    }

    /// The marks, read when the log is known to its end: they belong to its content, not to its name.
    fn marks(&mut self, folder: &MarksFolder) -> Option<&mut Marks> {
        if self.marks.is_none() && self.complete() {
            let of =
                |l: &std::sync::Arc<super::open::Reading>| Identity::of(&**l.index.read(), l.index.timing().size).ok();
            let each: Vec<Identity> = self.logs.files.iter().map(of).collect::<Option<_>>()?;
            let identity = Identity::of_many(&each);
            let called: Vec<&str> = self.logs.files.iter().map(|l| l.name.as_str()).collect();
            self.kept = folder.0.as_ref().map(|f| f.join(identity.file_name()));
            let text = self.kept.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
            let marks = match text.map(|text| Marks::from_json(&text, identity)) {
                Some(Ok(marks)) => marks,
                Some(Err(error)) => {
                    tracing::warn!("marks: {error}");
                    self.kept = None; // what is there stays as it is
                    Marks::new(identity, &called.join(" "))
                }
                None => Marks::new(identity, &called.join(" ")),
            };
            self.marks = Some(marks);
        }
        self.marks.as_mut()
    }

    /// Sets, names or takes away a mark.
    pub fn mark(&mut self, folder: &MarksFolder, at: Option<Place>, name: Option<&str>, playing: &Playing) -> Done {
        let place = at.or(playing.head.map(|(place, _)| place)).ok_or("the log has no place to mark yet")?;
        let here = playing.head.map(|(place, _)| place) == Some(place);
        let row = if here { None } else { self.desk_row(place) };
        let (offset, utc) = match row {
            Some((offset, utc)) => (offset, utc),
            None => (playing.report.position, playing.utc),
        };
        let marks = self.marks(folder).ok_or("the log is still being read: marks come when it is known to its end")?;
        let said = match (name, marks.list().iter().any(|m| m.place == place)) {
            (None, true) => {
                marks.remove_at(place);
                "mark removed".to_string()
            }
            (name, _) => format!("mark {}", marks.set(name, place, offset, utc).map_err(|e| e.to_string())?),
        };
        let json = marks.to_json();
        if let Some(path) = &self.kept {
            keep(path, &json)?;
        }
        Ok(said.into())
    }

    /// The names of the files, without their folders.
    fn names(&self) -> Vec<String> {
        let name = |path: &str| Path::new(path).file_name().map(|n| n.to_string_lossy().into_owned());
        self.logs.files.iter().map(|log| name(&log.name).unwrap_or_else(|| log.name.clone())).collect()
    }

    /// Writes the marks to a new file.
    pub fn export_marks(&mut self, folder: &MarksFolder, path: &str) -> Done {
        if path.is_empty() {
            return Err("name a new file".into());
        }
        let names = self.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let marks = self.marks(folder).ok_or("the log is still being read: marks come when it is known to its end")?;
        let (n, text) = (marks.list().len(), marks.export(&names));
        let path = Path::new(path);
        let made = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
        let written = made.and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
        written.map_err(|e| match e.kind() {
            std::io::ErrorKind::AlreadyExists => format!("{} exists already: name a new file", shown(path)),
            _ => crate::runtime::recorder::disk::explain(path, &e),
        })?;
        let marks = if n == 1 { "mark" } else { "marks" };
        Ok(format!("{n} {marks} written to {}", shown(path)).into())
    }

    /// Offset and UTC of a row: one block is read, in the cache of whoever looks at it.
    fn desk_row(&self, place: Place) -> Option<(Offset, Option<Utc>)> {
        let file = self.logs.files.get(usize::from(place.file))?;
        let base = self.logs.bases.get(usize::from(place.file)).copied().unwrap_or(0);
        let mut log = crate::core::log::Log::new(&file.index, crate::core::log::hear).with_file(place.file);
        let show = crate::core::log::search::Show::default();
        let row = log.rows(place, crate::core::log::Way::Forward, 1, &show, &mut |_| true).ok()?.pop()?;
        Some((row.offset.unwrap_or(0) + base, row.utc))
    }

    /// What somebody else does to the files: each kind of change is told once.
    pub fn news(&mut self) -> Vec<String> {
        let mut news = Vec::new();
        for (i, file) in self.logs.files.iter().enumerate() {
            let Some(change) = file.index.changed() else { continue };
            let kind = std::mem::discriminant::<Change>(&change);
            if self.told.insert((i, kind)) {
                news.push(self.said(&file.name, &change));
            }
        }
        news
    }

    /// A change in words; of several logs each has its name.
    fn said(&self, name: &str, change: &Change) -> String {
        if self.logs.files.len() > 1 { format!("{name}: {change}") } else { change.to_string() }
    }

    /// What there is to say of the logs.
    pub fn state(&mut self, view: &View, playing: &Playing, folder: &MarksFolder) -> LogState {
        let mut state = LogState { certain: true, ..LogState::default() };
        for file in &self.logs.files {
            let (timing, counts) = (file.index.timing(), file.index.counts());
            state.bytes += timing.size;
            state.indexed += timing.indexed;
            state.lines += file.index.lines();
            state.sentences += counts.sums.sentences;
            state.gaps += counts.gaps;
            state.breaks += counts.breaks;
            state.certain &= timing.certain;
            state.tier = tier_name(timing.tier).into();
            state.why = why(timing.tier, self.logs.options.interval);
            // What somebody else does to the file is the first thing to know.
            if let Some(change) = file.index.changed() {
                state.notices.insert(0, self.said(&file.name, &change));
            }
            match file.summary() {
                Some(Ok(summary)) => {
                    state.notices.extend(summary.notices.iter().cloned());
                    if let Some((first, last)) = summary.span {
                        state.first = Some(state.first.map_or(first, |f| f.min(first)));
                        state.last = Some(state.last.map_or(last, |l| l.max(last)));
                    }
                    let timed = summary.report.timing.timed_lines;
                    if timing.tier == Tier::Timestamps && timed < summary.report.sentences {
                        state.why += &format!("; {timed} of {} lines have one", summary.report.lines);
                    }
                }
                Some(Err(error)) => state.notices.push(error),
                None => {}
            }
        }
        state.notices.truncate(8);
        if let Some((place, number)) = playing.head {
            state.head = Some(place);
            state.head_sentence = number;
        }
        if view.bar > 0 {
            state.bar = self.desk.bar(view.bar.min(500), state.indexed);
        }
        let duration = playing.report.duration.unwrap_or(0);
        if let Some(marks) = self.marks(folder) {
            let marks = marks.list();
            for mark in marks {
                if let Some(cell) = cell_of(&mut state.bar, mark.offset, duration) {
                    cell.mark = true;
                }
            }
            let row = |m: &crate::core::replay::marks::Mark| MarkRow {
                place: m.place,
                offset: m.offset,
                utc: m.utc,
                name: m.name.clone(),
            };
            state.marks = marks.iter().take(MARKS).map(row).collect();
        }
        state
    }

    /// Skips, bad checksums, warnings of all logs.
    pub fn sums(&self) -> (u64, u64, u64) {
        self.logs
            .files
            .iter()
            .map(|l| l.index.counts().sums)
            .fold((0, 0, 0), |(s, b, w), sums| (s + sums.skipped, b + sums.bad_checksum, w + sums.warnings))
    }

    /// Sentences by talker and formatter, of all logs as far as they are read.
    pub fn types(&self, most: usize) -> Vec<TypeCount> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for file in &self.logs.files {
            for (name, count) in file.index.types().iter().zip(file.index.type_counts()) {
                *counts.entry(crate::core::visible::text(name)).or_default() += count;
            }
        }
        counts.into_iter().take(most).map(|(key, count)| TypeCount { key, count }).collect()
    }

    /// Readers of the logs, one each.
    pub fn readers(&self) -> Vec<Log> {
        let reader = |(log, n): (&std::sync::Arc<super::open::Reading>, u16)| Log::new(&log.index, hear).with_file(n);
        self.logs.files.iter().zip(0..).map(reader).collect()
    }

    /// Looks for a pattern.
    pub fn find(&self, pattern: &str, from: Option<RowKey>, back: bool, view: &View, head: Place, reply: Reply) {
        match Pattern::new(pattern) {
            Ok(pattern) => self.errand(Search::Pattern(pattern), from, back, view, head, reply),
            Err(error) => reply.send(Err(error)),
        }
    }

    /// Looks for a kind of line.
    pub fn look(
        &mut self,
        what: &str,
        (from, back): (Option<RowKey>, bool),
        view: &View,
        head: Place,
        folder: &MarksFolder,
        reply: Reply,
    ) {
        let what = match what {
            "sentence" => Search::Sentence,
            "bad" => Search::Unusual(Unusual::Bad),
            "warning" => Search::Unusual(Unusual::Warning),
            "gap" => Search::Unusual(Unusual::GapOrBreak),
            "mark" => {
                let from = self.place(from, head);
                let found = self.marks(folder).and_then(|m| if back { m.previous(from) } else { m.next(from) });
                let found = found.map(|m| RowKey::Place(m.place));
                return reply.send(serde_json::to_value(found).map_err(|e| e.to_string()));
            }
            _ => return reply.send(Err(format!("{what:?}: look for sentence, bad, warning, gap or mark"))),
        };
        self.errand(what, from, back, view, head, reply);
    }

    fn place(&self, from: Option<RowKey>, head: Place) -> Place {
        match from {
            Some(RowKey::Place(place)) => place,
            Some(RowKey::Seq(0)) => Place::default(),
            Some(RowKey::Seq(_)) => desk::end_of(self.logs.files.len()),
            None => head,
        }
    }

    fn errand(&self, what: Search, from: Option<RowKey>, back: bool, view: &View, head: Place, reply: Reply) {
        let place = self.place(from, head);
        // Forward begins behind the row one stands on; without one, at the play head itself.
        let from = if back || from.is_none() { place } else { desk::after(place) };
        match desk::show(view) {
            Ok(show) => self.desk.search(Errand { what, from, back, show, reply }),
            Err(error) => reply.send(Err(error)),
        }
    }

    /// Writes what a view shows of a stretch to a new log.
    pub fn save(&self, path: &str, between: Option<(Offset, Offset)>, shown: &View, now: Utc, reply: Reply) {
        let show = match desk::show(shown) {
            Ok(show) => show,
            Err(error) => return reply.send(Err(error)),
        };
        if path.is_empty() {
            return reply.send(Err("name a new file".into()));
        }
        let stretch = Stretch { from: between.map(|b| b.0), to: between.map(|b| b.1), show };
        let names = self.names();
        let what = Search::Save { path: path.into(), names, stretch, now };
        let show = crate::core::log::search::Show::default();
        self.desk.search(Errand { what, from: Place::default(), back: false, show, reply });
    }

    /// Ends what takes long: a search, a seek.
    pub fn cancel(&self) {
        self.desk.cancel();
        self.logs.seeking.cancel.store(true, Ordering::Relaxed);
    }
}

fn keep(path: &Path, json: &str) -> Result<(), String> {
    let wrong = |e: std::io::Error| format!("{}: {e}", shown(path));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(wrong)?;
    }
    let beside = path.with_extension("new");
    std::fs::write(&beside, json).and_then(|()| std::fs::rename(&beside, path)).map_err(wrong)
}

fn cell_of(bar: &mut [BarCell], offset: Offset, duration: Offset) -> Option<&mut BarCell> {
    let last = bar.len().checked_sub(1)?;
    let at = (offset as f64 / duration.max(1) as f64 * bar.len() as f64) as usize;
    bar.get_mut(at.min(last))
}

fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::Timestamps => "timestamps",
        Tier::SentenceTimes => "sentence-times",
        Tier::TimeOfDay => "time-of-day",
        Tier::FixedInterval => "fixed-interval",
        Tier::None => "none",
    }
}

fn why(tier: Tier, interval: Offset) -> String {
    match tier {
        Tier::Timestamps => "timed by the times of its lines".into(),
        Tier::SentenceTimes => "timed by the UTC in its sentences; its lines have no times".into(),
        Tier::TimeOfDay => "timed by the times of day in front of its lines".into(),
        Tier::FixedInterval => format!("has no times at all: a sentence every {} ms", interval / 1_000_000),
        Tier::None => "not yet known how it is timed".into(),
    }
}

//! The desk where logs are read for lists and searches: two threads, so that no read ever holds up the session.
//!
//! Windows go by the newest wish of each watcher; searches one after the other. Moves no play head.

mod bar;
mod count;
mod pages;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};

use tokio::sync::Notify;

pub(super) use count::{Counted, Question};
pub use pages::Pages;
pub(super) use pages::after;

use super::open::Logs;
use super::snapshot::{BarCell, List};
use super::task::{Done, Reply};
use super::{RowKey, View};
use crate::core::filter::Filter;
use crate::core::frame::Place;
use crate::core::log::search::{Only, Show, Unusual};
use crate::core::log::{self, Log, Way, pattern::Pattern};
use crate::core::replay::save::Stretch;
use crate::core::replay::{Part, Replay};
use crate::core::time::{Offset, Utc};

/// Searches that may wait.
const WAITING: usize = 8;

/// What a watcher wants to see, and what it depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wish {
    view: View,
    head: Option<Place>,
    indexed: u64,
    generation: u32,
}

impl Wish {
    /// Of a view: only what the rows depend on counts. `head`: where the play head stands, `generation`: how often it was
    /// moved, `indexed`: bytes that are known, for more may fill a window.
    pub fn of(view: &View, head: Option<Place>, generation: u32, indexed: u64) -> Wish {
        let view = View {
            rows: view.rows,
            anchor: view.anchor,
            presentation: view.presentation,
            filter: view.filter.clone(),
            matches: view.matches.clone(),
            hidden: view.hidden.clone(),
            hex: view.hex,
            inspect: view.inspect,
            ..View::default()
        };
        Wish { view, head, indexed, generation }
    }

    /// The rows that were found for the one do for the other until its own are there: playing on and knowing more of the
    /// log change them a little, another view or a move of the play head altogether.
    fn is_like(&self, other: &Wish) -> bool {
        let rows = |w: &Wish| View { inspect: None, ..w.view.clone() };
        self.generation == other.generation && rows(self) == rows(other)
    }
}

/// Something to look for.
pub(super) enum Search {
    /// A pattern.
    Pattern(Pattern),
    /// A kind of line.
    Unusual(Unusual),
    /// The next sentence.
    Sentence,
    /// A stretch is written to a new log.
    Save { path: std::path::PathBuf, names: Vec<String>, stretch: Stretch, now: Utc },
}

pub(super) struct Errand {
    pub what: Search,
    pub from: Place,
    pub back: bool,
    pub show: Show,
    pub reply: Reply,
}

#[derive(Default)]
struct Board {
    wishes: HashMap<u64, Wish>,
    bar: Option<u16>,
    lists: HashMap<u64, (Wish, List)>,
    questions: HashMap<u64, Question>,
    counts: HashMap<u64, Counted>,
    /// Something is to be counted, or not any more.
    counting: bool,
    inspected: HashMap<u64, (Place, serde_json::Value)>,
    cells: Vec<BarCell>,
    over: bool,
}

struct Shared {
    board: Mutex<Board>,
    wished: Condvar,
    counted: Condvar,
    /// Ends a search.
    cancel: AtomicBool,
    searching: AtomicBool,
    /// Thousandths of the search.
    progress: AtomicU32,
    /// Ends the counting.
    stop_counting: AtomicBool,
}

impl Shared {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The desk of the logs that are open.
pub(super) struct Desk {
    shared: Arc<Shared>,
    errands: mpsc::SyncSender<Errand>,
    asked: HashMap<u64, Wish>,
    asked_bar: Option<(u16, u64)>,
    asked_count: HashMap<u64, (Question, u64)>,
}

impl Desk {
    /// Starts the threads. `nudge` is told when something new can be shown.
    pub fn new(logs: &Logs, nudge: Arc<Notify>) -> Result<Desk, String> {
        let shared = Arc::new(Shared {
            board: Mutex::default(),
            wished: Condvar::new(),
            counted: Condvar::new(),
            cancel: AtomicBool::new(false),
            searching: AtomicBool::new(false),
            progress: AtomicU32::new(0),
            stop_counting: AtomicBool::new(false),
        });
        let (errands, ordered) = mpsc::sync_channel(WAITING);
        let (for_lists, for_searches, for_counts) = (pages(logs), pages(logs), pages(logs));
        let (own, nudged) = (shared.clone(), nudge.clone());
        let lists = std::thread::Builder::new().name("list".into()).spawn(move || lists(&own, for_lists, &nudged));
        lists.map_err(|e| format!("no thread for the list: {e}"))?;
        let own = shared.clone();
        let counts =
            std::thread::Builder::new().name("count".into()).spawn(move || count::counts(&own, for_counts, &nudge));
        counts.map_err(|e| format!("no thread for counting: {e}"))?;
        let own = shared.clone();
        let searches =
            std::thread::Builder::new().name("search".into()).spawn(move || searches(&own, for_searches, &ordered));
        searches.map_err(|e| format!("no thread for searching: {e}"))?;
        Ok(Desk { shared, errands, asked: HashMap::new(), asked_bar: None, asked_count: HashMap::new() })
    }

    /// The newest window of a watcher; asks for another when what it depends on has changed.
    pub fn list(&mut self, watcher: u64, wish: Wish) -> List {
        if self.asked.get(&watcher) != Some(&wish) {
            self.asked.insert(watcher, wish.clone());
            self.shared.board().wishes.insert(watcher, wish.clone());
            self.shared.wished.notify_all();
        }
        let board = self.shared.board();
        match board.lists.get(&watcher) {
            Some((of, list)) => List { loading: !of.is_like(&wish), ..list.clone() },
            None => List { loading: true, ..List::default() },
        }
    }

    /// How many rows there are, as far as they are counted; asks for it when that is another question.
    pub fn count(&mut self, watcher: u64, question: Option<Question>, indexed: u64) -> Counted {
        let Some(question) = question else {
            if self.asked_count.remove(&watcher).is_some() {
                let mut board = self.shared.board();
                board.questions.remove(&watcher);
                board.counts.remove(&watcher);
            }
            return Counted::default();
        };
        let asked = Some((question, indexed));
        if self.asked_count.get(&watcher) != asked.as_ref() {
            let mut board = self.shared.board();
            if let Some((question, indexed)) = asked {
                if self.asked_count.get(&watcher).is_none_or(|(before, _)| !before.counts_as(&question)) {
                    board.counts.remove(&watcher);
                }
                board.questions.insert(watcher, question.clone());
                self.asked_count.insert(watcher, (question, indexed));
            }
            board.counting = true;
            self.shared.counted.notify_all();
        }
        self.shared.board().counts.get(&watcher).copied().unwrap_or_default()
    }

    /// The row that a watcher takes apart, once it is read.
    pub fn inspected(&self, watcher: u64, place: Place) -> Option<serde_json::Value> {
        let board = self.shared.board();
        board.inspected.get(&watcher).filter(|(at, _)| *at == place).map(|(_, value)| value.clone())
    }

    /// The timeline in so many cells, as far as it is known.
    pub fn bar(&mut self, cells: u16, indexed: u64) -> Vec<BarCell> {
        if self.asked_bar != Some((cells, indexed)) {
            self.asked_bar = Some((cells, indexed));
            self.shared.board().bar = Some(cells);
            self.shared.wished.notify_all();
        }
        let board = self.shared.board();
        if board.cells.len() == usize::from(cells) { board.cells.clone() } else { Vec::new() }
    }

    /// Sends somebody to search; answered when it is done.
    pub fn search(&self, errand: Errand) {
        self.shared.cancel.store(false, Ordering::Relaxed);
        if let Err(mpsc::TrySendError::Full(errand) | mpsc::TrySendError::Disconnected(errand)) =
            self.errands.try_send(errand)
        {
            errand.reply.send(Err("searching already: cancel that first (Esc)".into()));
        }
    }

    /// Ends the search that is running, and the counting.
    pub fn cancel(&self) {
        self.shared.cancel.store(true, Ordering::Relaxed);
        self.shared.stop_counting.store(true, Ordering::Relaxed);
        self.shared.board().counting = true;
        self.shared.counted.notify_all();
    }

    /// A search is running: how far it has come, 0 to 1.
    pub fn searching(&self) -> Option<f32> {
        let running = self.shared.searching.load(Ordering::Relaxed);
        running.then(|| self.shared.progress.load(Ordering::Relaxed) as f32 / 1000.0)
    }

    /// A watcher has gone.
    pub fn forget(&mut self, watcher: u64) {
        self.asked.remove(&watcher);
        self.asked_count.remove(&watcher);
        let mut board = self.shared.board();
        board.lists.remove(&watcher);
        board.inspected.remove(&watcher);
        board.wishes.remove(&watcher);
        board.questions.remove(&watcher);
        board.counts.remove(&watcher);
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.shared.cancel.store(true, Ordering::Relaxed);
        self.shared.board().over = true;
        self.shared.wished.notify_all();
        self.shared.counted.notify_all();
    }
}

fn pages(logs: &Logs) -> Pages {
    let readers = logs.files.iter().zip(0..).map(|(l, n)| Log::new(&l.index, log::hear).with_file(n)).collect();
    Pages::new(readers, logs.bases.clone())
}

fn lists(shared: &Shared, mut pages: Pages, nudge: &Notify) {
    loop {
        let (wishes, bar) = {
            let mut board = shared.board();
            while board.wishes.is_empty() && board.bar.is_none() && !board.over {
                board = shared.wished.wait(board).unwrap_or_else(PoisonError::into_inner);
            }
            if board.over {
                return;
            }
            (board.wishes.clone(), board.bar.take())
        };
        for (watcher, wish) in wishes {
            // A newer wish of the same watcher makes this one pointless.
            let still = || {
                let board = shared.board();
                !board.over && board.wishes.get(&watcher) == Some(&wish)
            };
            let list = window(&mut pages, &wish, &mut |_| still());
            let taken_apart = match wish.view.inspect {
                Some(RowKey::Place(place)) => pages.inspect(place).map(|value| (place, value)),
                _ => None,
            };
            let mut board = shared.board();
            if let Some(taken_apart) = taken_apart {
                board.inspected.insert(watcher, taken_apart);
            }
            if board.wishes.get(&watcher) == Some(&wish) {
                board.wishes.remove(&watcher);
                board.lists.insert(watcher, (wish, list));
            }
        }
        if let Some(cells) = bar {
            match bar::cells(&mut pages, usize::from(cells)) {
                Ok(cells) => shared.board().cells = cells,
                Err(error) => tracing::warn!("the timeline: {error}"),
            }
        }
        nudge.notify_one();
    }
}

fn window(pages: &mut Pages, wish: &Wish, go_on: &mut dyn FnMut(f32) -> bool) -> List {
    let empty = List { presentation: wish.view.presentation, anchor: wish.view.anchor, ..List::default() };
    let Ok(show) = show(&wish.view) else { return empty };
    match pages.window(&wish.view, &show, wish.head, go_on) {
        Ok(list) => list,
        Err(error) => {
            tracing::warn!("the list: {error}");
            empty
        }
    }
}

/// What a view shows of a log.
pub(super) fn show(view: &View) -> Result<Show, String> {
    let pattern = if view.matches.is_empty() { None } else { Some(Pattern::new(&view.matches)?) };
    let hidden = view.hidden.iter().map(|key| key.as_bytes().into()).collect();
    Ok(Show { types: Filter::new(&view.filter)?, pattern, only: Only::All, hidden })
}

fn searches(shared: &Shared, mut pages: Pages, errands: &mpsc::Receiver<Errand>) {
    while let Ok(errand) = errands.recv() {
        shared.searching.store(true, Ordering::Relaxed);
        shared.progress.store(0, Ordering::Relaxed);
        let mut go_on = |done: f32| {
            shared.progress.store((done * 1000.0) as u32, Ordering::Relaxed);
            !shared.cancel.load(Ordering::Relaxed)
        };
        let way = if errand.back { Way::Back } else { Way::Forward };
        let done: Done = match errand.what {
            Search::Save { path, names, stretch, now } => save(&pages, &path, names, (&stretch, now), &mut go_on),
            what => pages
                .search(&what, errand.from, way, &errand.show, &mut go_on)
                .map_err(|e| e.to_string())
                .and_then(|found| match found {
                    None if shared.cancel.load(Ordering::Relaxed) => Err("cancelled".into()),
                    None => Ok(serde_json::Value::Null),
                    Some(place) => serde_json::to_value(RowKey::Place(place)).map_err(|e| e.to_string()),
                }),
        };
        shared.searching.store(false, Ordering::Relaxed);
        errand.reply.send(done);
    }
}

fn save(
    pages: &Pages,
    path: &std::path::Path,
    names: Vec<String>,
    (stretch, now): (&Stretch, Utc),
    go_on: &mut dyn FnMut(f32) -> bool,
) -> Done {
    let shown = super::open::shown(path);
    let parts = pages.fork().into_iter().zip(names).map(|(log, name)| Part { name, log }).collect();
    let replay = Replay::new(parts, log::hear).map_err(|e| e.to_string())?;
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    let file = made.map_err(|e| match e.kind() {
        std::io::ErrorKind::AlreadyExists => format!("{shown} exists already: name a new file"),
        _ => crate::runtime::recorder::disk::explain(path, &e),
    })?;
    let mut out = std::io::BufWriter::new(file);
    let saved = replay.save(stretch, now, &mut out, go_on);
    let flushed = std::io::Write::flush(&mut out);
    match (saved, flushed) {
        (Ok(saved), Ok(())) => Ok(format!("saved {} sentences to {shown}", saved.sentences).into()),
        (Ok(_), Err(error)) => Err(crate::runtime::recorder::disk::explain(path, &error)),
        (Err(error), _) => {
            drop(out);
            if std::fs::metadata(path).is_ok_and(|m| m.len() == 0) {
                // It was made a moment ago and holds nothing.
                let _gone = std::fs::remove_file(path);
            }
            Err(format!("{shown}: {error}"))
        }
    }
}

/// Behind everything.
pub(super) fn end_of(files: usize) -> Place {
    Place {
        file: u16::try_from(files.saturating_sub(1)).unwrap_or(u16::MAX),
        byte: u64::MAX,
        line: u64::MAX,
        part: u16::MAX,
    }
}

/// Offsets of places in a timeline of several logs.
pub(super) type Bases = Vec<Offset>;

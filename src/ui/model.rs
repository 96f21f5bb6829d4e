//! What the screen knows that the session does not: which view, which pane, what is selected, what lies over it.
//!
//! Plain data. Changed by `update`, drawn by `view`; opens nothing, reads no clock.

use std::collections::{BTreeMap, HashMap};

use super::chart_state::ChartState;
use super::format::Units;
use super::glyphs::GlyphSet;
use super::keymap::Keymap;
use super::port::PortDialog;
use super::prompt::{Prompt, PromptKind};
use super::theme::ThemeName;
use crate::core::diag::order::Order;
use crate::core::log::Pattern;
use crate::core::time::Wall;
use crate::core::vessel::{Position, Vessel};
use crate::runtime::session::snapshot::{Level, Openable};
use crate::runtime::session::{Anchor, Presentation, Request, RowKey};
use crate::term::input::Size;

/// The five views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ViewName {
    /// 1.
    #[default]
    Live,
    /// 2.
    Diagnose,
    /// 3.
    Chart,
    /// 4.
    Outputs,
    /// 5.
    Events,
}

/// What can have the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pane {
    /// The sentences.
    #[default]
    List,
    /// The control pane.
    Control,
    /// The rows of Diagnose.
    Table,
    /// The findings of Diagnose.
    Findings,
    /// The AIS targets of Diagnose.
    Ais,
    /// The chart.
    Chart,
    /// The outputs.
    Outputs,
    /// The events.
    Events,
}

/// The time column of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeColumn {
    /// UTC.
    #[default]
    Utc,
    /// Offset in the source's time.
    Offset,
    /// UTC and what passed since the row above.
    Delta,
    /// None.
    Off,
}

impl TimeColumn {
    /// The next one.
    pub const fn next(self) -> TimeColumn {
        match self {
            TimeColumn::Utc => TimeColumn::Offset,
            TimeColumn::Offset => TimeColumn::Delta,
            TimeColumn::Delta => TimeColumn::Off,
            TimeColumn::Off => TimeColumn::Utc,
        }
    }

    /// In a word.
    pub const fn word(self) -> &'static str {
        match self {
            TimeColumn::Utc => "UTC",
            TimeColumn::Offset => "offset",
            TimeColumn::Delta => "delta",
            TimeColumn::Off => "no time",
        }
    }
}

/// The selected row: by its name where rows move, by its number where they stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected {
    /// A row of a list that scrolls.
    Key(RowKey),
    /// The n-th row of the presentations that do not.
    Index(usize),
}

/// Which row is to be selected when the rows of the new anchor are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The first.
    Top,
    /// The last.
    Bottom,
    /// The one in this row, if there are so many.
    Row(usize),
}

/// The list of sentences.
#[derive(Clone, Debug, Default)]
pub struct ListState {
    /// The selection; `None` while following.
    pub selected: Option<Selected>,
    /// Where the window stands; `None`: follows.
    pub anchor: Option<Anchor>,
    /// Selected once the rows of the anchor are there.
    pub edge: Option<Edge>,
    /// Rows still to move, once they are there.
    pub owed: i64,
    /// How it is shown.
    pub presentation: Presentation,
    /// Filter of P8.
    pub filter: String,
    /// Show only what matches.
    pub matches: String,
    /// Types that are hidden.
    pub hidden: Vec<String>,
    /// Columns scrolled to the right.
    pub sideways: u16,
    /// The time column.
    pub time: TimeColumn,
    /// As hex.
    pub hex: bool,
    /// What `n` and `N` look for.
    pub pattern: String,
    /// The same, for marking what was found.
    pub found: Option<Pattern>,
}

impl ListState {
    /// Something is hidden.
    pub fn is_filtered(&self) -> bool {
        !self.filter.is_empty() || !self.matches.is_empty() || !self.hidden.is_empty()
    }

    /// The selected row, where its number among those that match is of interest.
    pub fn counted_row(&self) -> Option<RowKey> {
        match self.selected {
            Some(Selected::Key(key)) if self.is_filtered() || !self.pattern.is_empty() => Some(key),
            _ => None,
        }
    }
}

/// What happens when a question is answered with yes.
#[derive(Clone, Debug, PartialEq)]
pub enum Then {
    /// Leave, and end the session.
    Quit,
    /// Leave, the session goes on.
    Leave,
    /// Back to the profile.
    Reset,
    /// Move the vessel.
    Move(Position),
    /// Remove the n-th output.
    RemoveOutput(u16),
    /// Open something although a recording ends by it.
    Open(String),
}

/// What lies over the view.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// A line is typed.
    Prompt(Prompt),
    /// The keys; typing searches.
    Help {
        /// What is searched.
        input: Prompt,
        /// First row shown.
        top: usize,
    },
    /// What can be opened; typing filters.
    Open {
        /// The filter.
        input: Prompt,
        /// `None` until the session has answered.
        items: Option<Vec<Openable>>,
        /// The chosen one of those that pass.
        index: usize,
    },
    /// Which types are shown.
    Types {
        /// The chosen row.
        index: usize,
    },
    /// The marks.
    Marks {
        /// The chosen row.
        index: usize,
    },
    /// A line taken apart.
    Inspect {
        /// Which.
        key: RowKey,
        /// First row shown.
        top: usize,
    },
    /// Something to read.
    Text {
        /// Heading.
        title: String,
        /// Lines.
        lines: Vec<String>,
        /// First row shown.
        top: usize,
    },
    /// The settings of a serial input.
    Port(PortDialog),
    /// A question, with No as the default.
    Question {
        /// What is asked.
        title: String,
        /// What would be lost.
        lines: Vec<String>,
        /// What yes does.
        then: Then,
    },
}

/// A line about what was done, or why not.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// How grave.
    pub level: Level,
    /// The text.
    pub text: String,
    /// When it goes away.
    pub until: Wall,
}

/// What an answer is waited for.
#[derive(Clone, Debug, PartialEq)]
pub enum Waiting {
    /// To say what was done; this where the session has nothing to say.
    Say(String),
    /// To say what was done, with the path that the session answers with.
    Path(String),
    /// For the list of what can be opened.
    Openables,
    /// For a row to select.
    Row(String),
}

/// Why the screen ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The person quit: the session ends too, unless it is attached.
    Quit,
    /// The person left an attached session, which goes on.
    Left,
    /// The session is gone.
    SessionEnded,
    /// The terminal is gone.
    Hangup,
    /// A signal.
    Signal(i32),
}

/// What the loop has to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Send to the session.
    Send(Request),
    /// Stop the process until it is continued.
    Suspend,
    /// Forget what is on the terminal and draw everything.
    Redraw,
    /// Put this into the terminal's clipboard.
    Copy(String),
    /// End the screen.
    Exit(Exit),
}

/// What the screen costs, for `:stats`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Frames drawn.
    pub frames: u64,
    /// Frames that were not needed or that the terminal had no room for.
    pub skipped: u64,
    /// Bytes written to the terminal.
    pub bytes: u64,
}

/// Everything the screen knows by itself.
#[derive(Debug, Default)]
pub struct Model {
    /// The terminal.
    pub size: Size,
    /// The view.
    pub view: ViewName,
    /// What has the keys in each view, once it was chosen.
    pub panes: [Option<Pane>; 5],
    /// The pane fills the view.
    pub zoom: bool,
    /// The list.
    pub list: ListState,
    /// Key of the chosen control.
    pub control: String,
    /// The chart.
    pub chart: ChartState,
    /// Chosen row of Diagnose.
    pub table: usize,
    /// In which order its rows stand.
    pub order: Order,
    /// Words that its rows must hold.
    pub only: String,
    /// Chosen finding.
    pub finding: usize,
    /// Chosen output.
    pub output: usize,
    /// Chosen event, from the newest; `None`: follows.
    pub event: Option<usize>,
    /// What lies over the view.
    pub overlay: Option<Overlay>,
    /// What was just said.
    pub message: Option<Message>,
    /// The vessel as it was when a live feed was frozen.
    pub frozen: Option<Box<Vessel>>,
    /// Answers that are waited for.
    pub waiting: BTreeMap<u64, Waiting>,
    /// The last number given to a request.
    pub last_id: u64,
    /// What was typed, by prompt.
    pub history: HashMap<PromptKind, Vec<String>>,
    /// What can be opened, as last heard.
    pub openables: Vec<Openable>,
    /// The keys.
    pub keymap: Keymap,
    /// The units.
    pub units: Units,
    /// The theme.
    pub theme: ThemeName,
    /// The signs.
    pub glyphs: GlyphSet,
    /// The session goes on without this screen.
    pub attached: bool,
    /// What the screen costs.
    pub stats: Stats,
    /// Ctrl-C was pressed and asked about.
    pub interrupted: bool,
    /// Now, as the loop last said.
    pub now: Wall,
}

impl Model {
    /// A screen of that size.
    pub fn new(size: Size) -> Model {
        Model { size, ..Model::default() }
    }

    /// A text that lies over the view has been drawn with this line at its top: it scrolls no further than it is long.
    pub fn scrolled_to(&mut self, line: usize) {
        if let Some(Overlay::Help { top, .. } | Overlay::Inspect { top, .. } | Overlay::Text { top, .. }) =
            &mut self.overlay
        {
            *top = line;
        }
    }

    /// The panes of the view, in the order of Tab.
    pub fn panes(&self, snapshot: &crate::runtime::session::Snapshot) -> Vec<Pane> {
        let settable = snapshot.transport.can.set && !snapshot.controls.is_empty();
        let scale = super::layout::scale(self.size.cols, self.size.rows);
        match self.view {
            // where the control pane is not shown it has the keys only when zoomed
            ViewName::Live if settable && scale >= super::layout::Scale::Two => vec![Pane::Control, Pane::List],
            ViewName::Live if settable => vec![Pane::List, Pane::Control],
            ViewName::Live => vec![Pane::List],
            ViewName::Diagnose => {
                let ais = snapshot.diagnose.as_ref().is_some_and(|d| d.ais.is_some());
                let panes = [Pane::Table, Pane::Findings, Pane::Ais, Pane::List];
                panes.into_iter().filter(|pane| ais || *pane != Pane::Ais).collect()
            }
            ViewName::Chart => vec![Pane::Chart],
            ViewName::Outputs => vec![Pane::Outputs],
            ViewName::Events => vec![Pane::Events],
        }
    }

    /// The pane that has the keys.
    pub fn focus(&self, snapshot: &crate::runtime::session::Snapshot) -> Pane {
        let panes = self.panes(snapshot);
        let chosen = self.panes[self.view as usize].filter(|p| panes.contains(p));
        chosen.or(panes.first().copied()).unwrap_or_default()
    }

    /// Gives a pane of the view the keys.
    pub fn focus_on(&mut self, pane: Pane) {
        self.panes[self.view as usize] = Some(pane);
    }

    /// Which row of the list is selected.
    pub fn selected_row(&self, list: &crate::runtime::session::snapshot::List) -> Option<usize> {
        match self.list.selected? {
            Selected::Index(i) => (!list.rows.is_empty()).then(|| i.min(list.rows.len() - 1)),
            Selected::Key(key) => list.rows.iter().position(|r| r.key == key),
        }
    }

    /// The row that keys act on: the selected one, else the one at the play head, else the newest.
    pub fn row_at_hand<'a>(
        &self,
        list: &'a crate::runtime::session::snapshot::List,
    ) -> Option<&'a crate::runtime::session::snapshot::Row> {
        match self.selected_row(list) {
            Some(i) => list.rows.get(i),
            None => list.rows.iter().find(|r| r.head).or(list.rows.last()),
        }
    }
}

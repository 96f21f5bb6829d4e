//! The table of everything a person can do: name, keys, context, description, category. Dispatch, footer, help, palette,
//! the config file's names and `docs/keys.md` all come from it.
//!
//! Must not do anything itself: what an action does is in `update`.

use Action as A;
use Category as C;
use Context as X;

/// Where a key counts. Looked up in the order of [`crate::ui::keymap`]: prompt or overlay, focused pane, view, source,
/// list, global.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// A line is being typed.
    Prompt,
    /// A list or a text lies over the view.
    Overlay,
    /// A question.
    Question,
    /// The control pane has the keys.
    Control,
    /// View 2.
    Diagnose,
    /// View 3.
    Chart,
    /// View 4.
    Outputs,
    /// A simulation, along a track or free.
    Simulate,
    /// A log or a track.
    Recorded,
    /// Any source but live.
    Player,
    /// The list of sentences, or the rows of the view.
    List,
    /// Everywhere.
    Global,
}

impl Context {
    /// Every context, in the order of look-up.
    pub const ALL: [Context; 12] = [
        X::Prompt,
        X::Overlay,
        X::Question,
        X::Control,
        X::Diagnose,
        X::Chart,
        X::Outputs,
        X::Simulate,
        X::Recorded,
        X::Player,
        X::List,
        X::Global,
    ];

    /// In words, for the help and the key reference.
    pub const fn words(self) -> &'static str {
        match self {
            X::Prompt => "in a prompt",
            X::Overlay => "in a list or text over the view",
            X::Question => "at a question",
            X::Control => "control pane",
            X::Diagnose => "Diagnose",
            X::Chart => "Chart",
            X::Outputs => "Outputs",
            X::Simulate => "simulation",
            X::Recorded => "replay, track",
            X::Player => "replay, track, simulation",
            X::List => "list",
            X::Global => "everywhere",
        }
    }

    /// Whether keys of this context stay away from all below it.
    pub const fn closed(self) -> bool {
        matches!(self, X::Prompt | X::Overlay | X::Question)
    }
}

/// What belongs together in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// Views, panes, help.
    Screen,
    /// Sources, recording, leaving.
    Session,
    /// The list of sentences.
    List,
    /// Moving the play head.
    Moving,
    /// The simulated vessel.
    Vessel,
    /// Chart.
    Chart,
    /// Outputs.
    Outputs,
    /// Diagnose.
    Diagnose,
    /// Prompts and overlays.
    Dialogs,
}

impl Category {
    /// Every category, in the order of the help.
    pub const ALL: [Category; 9] =
        [C::Screen, C::Session, C::Moving, C::List, C::Vessel, C::Chart, C::Outputs, C::Diagnose, C::Dialogs];

    /// Its heading.
    pub const fn words(self) -> &'static str {
        match self {
            C::Screen => "Screen",
            C::Session => "Session",
            C::List => "List",
            C::Moving => "Moving in time",
            C::Vessel => "Simulated vessel",
            C::Chart => "Chart",
            C::Outputs => "Outputs",
            C::Diagnose => "Diagnose",
            C::Dialogs => "Prompts, lists, questions",
        }
    }
}

/// Everything that can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is described in the table, for users and developers alike")]
pub enum Action {
    ViewLive,
    ViewDiagnose,
    ViewChart,
    ViewOutputs,
    ViewEvents,
    NextPane,
    PreviousPane,
    Zoom,
    Help,
    Palette,
    Back,
    Redraw,
    Theme,
    Units,
    Stats,
    Pause,
    Open,
    Record,
    Quit,
    ForceQuit,
    Suspend,
    EndSession,
    Step,
    StepBack,
    Faster,
    Slower,
    RealTime,
    Speed,
    EpochForward,
    EpochBack,
    Forward,
    Rewind,
    FastForward,
    FastRewind,
    GoTo,
    Percent,
    NextGap,
    PreviousGap,
    PlayFromHere,
    LoopPoint,
    LoopAll,
    Emit,
    MaxGap,
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
    ScrollLeft,
    ScrollRight,
    Follow,
    Presentation,
    Find,
    FindNext,
    FindPrevious,
    Matches,
    Filter,
    Types,
    SendOnly,
    NextBad,
    PreviousBad,
    NextWarning,
    PreviousWarning,
    Mark,
    NextMark,
    PreviousMark,
    Marks,
    ExportMarks,
    Inspect,
    Hex,
    TimeColumn,
    Copy,
    SaveStretch,
    Faults,
    Autopilot,
    ResetProfile,
    Undo,
    SetKey,
    SaveProfile,
    ControlUp,
    ControlDown,
    NudgeDown,
    NudgeUp,
    NudgeDown10,
    NudgeUp10,
    ControlValue,
    Release,
    AddElement,
    RemoveElement,
    ZoomIn,
    ZoomOut,
    PanLeft,
    PanDown,
    PanUp,
    PanRight,
    ChartFollow,
    NextTarget,
    PreviousTarget,
    InspectTarget,
    DestinationHere,
    MoveHere,
    Destination,
    AddOutput,
    EditOutput,
    StopOutput,
    RemoveOutput,
    ClearCounters,
    Port,
    SortRows,
    ReverseRows,
    FilterRows,
    Report,
    Explain,
    Accept,
    Cancel,
    Complete,
    Older,
    Newer,
    OverlayDown,
    OverlayUp,
    OverlayPageDown,
    OverlayPageUp,
    OverlayFirst,
    OverlayLast,
    Choose,
    Toggle,
    ToggleAll,
    Less,
    More,
    ToggleSendOnly,
    DeleteMark,
    RenameMark,
    WriteMarks,
    Close,
    Yes,
    No,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// What it is.
    pub action: Action,
    /// Its name in the palette, the config file and the docs.
    pub name: &'static str,
    /// What may be typed behind the name in the palette; empty: nothing.
    pub argument: &'static str,
    /// Its keys.
    pub keys: &'static [&'static str],
    /// Where these keys count.
    pub context: Context,
    /// What it does, in a sentence.
    pub what: &'static str,
    /// Where the help shows it.
    pub category: Category,
    /// A word for the footer, shared by keys that belong together; empty: not in the footer.
    pub hint: &'static str,
    /// Lower is shown first in a footer that is too narrow for all.
    pub rank: u8,
}

const fn row(
    action: Action,
    name: &'static str,
    keys: &'static [&'static str],
    context: Context,
    category: Category,
    what: &'static str,
) -> Spec {
    Spec { action, name, argument: "", keys, context, what, category, hint: "", rank: 255 }
}

impl Spec {
    const fn hint(self, hint: &'static str, rank: u8) -> Spec {
        Spec { hint, rank, ..self }
    }
    const fn takes(self, argument: &'static str) -> Spec {
        Spec { argument, ..self }
    }
}

/// The table. In the order of [`Action`].
pub static ACTIONS: &[Spec] = &[
    row(A::ViewLive, "live", &["1"], X::Global, C::Screen, "Live: vessel, controls or progress, sentences")
        .hint("views", 60),
    row(A::ViewDiagnose, "diagnose", &["2"], X::Global, C::Screen, "Diagnose: who talks, how often, what is wrong")
        .hint("views", 60),
    row(A::ViewChart, "chart", &["3"], X::Global, C::Screen, "Chart: track, destination, targets, compass, wind")
        .hint("views", 60),
    row(A::ViewOutputs, "outputs", &["4"], X::Global, C::Screen, "Outputs: state, clients, counts; add, edit, stop")
        .hint("views", 60),
    row(A::ViewEvents, "events", &["5"], X::Global, C::Screen, "Events: what was opened, lost, recovered, dropped")
        .hint("views", 60),
    row(A::NextPane, "next-pane", &["Tab"], X::Global, C::Screen, "Next pane").hint("pane", 50),
    row(A::PreviousPane, "previous-pane", &["Shift-Tab"], X::Global, C::Screen, "Previous pane"),
    row(A::Zoom, "zoom", &["z"], X::Global, C::Screen, "Zoom the pane that has the keys, and back").hint("zoom", 95),
    row(A::Help, "help", &["?"], X::Global, C::Screen, "Keys that count here; typing searches").hint("help", 0),
    row(
        A::Palette,
        "palette",
        &[":"],
        X::Global,
        C::Screen,
        "Every action by name; :123 line, :50%, :09:45, :+90s go there",
    )
    .hint("command", 90),
    row(A::Back, "back", &["Esc"], X::Global, C::Screen, "Back: cancel a job, leave the zoom, drop the selection"),
    row(A::Redraw, "redraw", &["Ctrl-L"], X::Global, C::Screen, "Draw everything anew"),
    row(
        A::Theme,
        "theme",
        &[],
        X::Global,
        C::Screen,
        "Colours: dark, light, night (red only), mono; without a name the next",
    )
    .takes("[NAME]"),
    row(A::Units, "units", &[], X::Global, C::Screen, "Units shown: kn kmh m/s, m ft fathoms, C F").takes("UNIT"),
    row(A::Stats, "stats", &[], X::Global, C::Screen, "What the screen costs: frames, bytes written, time"),
    row(
        A::Pause,
        "pause",
        &["Space"],
        X::Global,
        C::Session,
        "Pause, resume; a live feed: freeze the screen, collecting goes on",
    )
    .hint("pause", 5),
    row(A::Open, "open", &["o"], X::Global, C::Session, "Open a log, profile, track or port; typing filters")
        .takes("[SOURCE]")
        .hint("open", 70),
    row(
        A::Record,
        "record",
        &["R"],
        X::Global,
        C::Session,
        "Record to a fresh file (or to PATH), or end the recording",
    )
    .takes("[PATH]")
    .hint("record", 40),
    row(A::Quit, "quit", &["q"], X::Global, C::Session, "Quit; asks only when a recording or a client would be lost")
        .hint("quit", 1),
    row(A::ForceQuit, "force-quit", &["Ctrl-C"], X::Global, C::Session, "Quit; a second time without asking"),
    row(A::Suspend, "suspend", &["Ctrl-Z"], X::Global, C::Session, "Suspend the program, back with fg"),
    row(A::EndSession, "end-session", &["Q"], X::Global, C::Session, "Attached: end the session itself (asks)"),
    row(A::Step, "step", &["."], X::Player, C::Moving, "Send the next sentence and pause").hint("step", 10),
    row(A::StepBack, "step-back", &[","], X::Player, C::Moving, "One sentence back, and pause").hint("step", 10),
    row(A::Faster, "faster", &["]"], X::Player, C::Moving, "Faster, by notches from 0.1 to 1000, then max")
        .hint("speed", 25),
    row(A::Slower, "slower", &["["], X::Player, C::Moving, "Slower, by notches").hint("speed", 25),
    row(A::RealTime, "real-time", &["Backspace"], X::Player, C::Moving, "Speed 1x"),
    row(A::Speed, "speed", &[], X::Player, C::Moving, "Speed 0.1 to 1000, or max").takes("X"),
    row(A::EpochForward, "next-epoch", &[">"], X::Player, C::Moving, "Send everything up to the next epoch and pause")
        .hint("epoch", 15),
    row(A::EpochBack, "previous-epoch", &["<"], X::Player, C::Moving, "One epoch back").hint("epoch", 15),
    row(A::Forward, "forward", &["Right"], X::Player, C::Moving, "5 seconds forward").hint("5 s", 20),
    row(A::Rewind, "rewind", &["Left"], X::Player, C::Moving, "5 seconds back").hint("5 s", 20),
    row(A::FastForward, "fast-forward", &[")"], X::Player, C::Moving, "60 seconds forward").hint("60 s", 80),
    row(A::FastRewind, "fast-rewind", &["("], X::Player, C::Moving, "60 seconds back").hint("60 s", 80),
    row(A::GoTo, "go", &["t"], X::Player, C::Moving, "Go to a time, +90s, -5m, 50%, a line, a mark")
        .takes("[PLACE]")
        .hint("time", 30),
    row(A::Percent, "percent", &["%"], X::Player, C::Moving, "Go to so many percent of the duration")
        .takes("[PERCENT]"),
    row(A::NextGap, "next-gap", &["s"], X::Player, C::Moving, "Next gap or break").hint("gap", 45),
    row(A::PreviousGap, "previous-gap", &["S"], X::Player, C::Moving, "Previous gap or break").hint("gap", 45),
    row(A::PlayFromHere, "play-from-here", &["p"], X::Player, C::Moving, "Play from the selected line")
        .hint("play here", 75),
    row(A::LoopPoint, "loop-point", &["b"], X::Recorded, C::Moving, "A-B loop: set A, set B, clear").hint("A-B", 78),
    row(A::LoopAll, "loop-all", &["L"], X::Recorded, C::Moving, "Loop over everything, or not").hint("loop", 79),
    row(A::Emit, "emit", &["r"], X::Recorded, C::Moving, "Send to the outputs, or only look").hint("emit", 85),
    row(A::MaxGap, "max-gap", &[], X::Player, C::Moving, "Wait no longer than this for the next sentence")
        .takes("SECONDS|off"),
    row(A::Down, "down", &["j", "Down"], X::List, C::List, "Selection down"),
    row(A::Up, "up", &["k", "Up"], X::List, C::List, "Selection up"),
    row(A::PageDown, "page-down", &["PgDn"], X::List, C::List, "A page down"),
    row(A::PageUp, "page-up", &["PgUp"], X::List, C::List, "A page up"),
    row(A::First, "first", &["g", "Home"], X::List, C::List, "To the beginning"),
    row(A::Last, "last", &["G", "End"], X::List, C::List, "To the end"),
    row(A::ScrollLeft, "left", &["h"], X::List, C::List, "Sideways to the left"),
    row(A::ScrollRight, "right", &["l"], X::List, C::List, "Sideways to the right"),
    row(A::Follow, "follow", &["F"], X::List, C::List, "Follow the newest line, or the play head").hint("follow", 65),
    row(A::Presentation, "presentation", &["v"], X::List, C::List, "Scroll, one row per type, or in place")
        .hint("by type", 72),
    row(A::Find, "find", &["/"], X::List, C::List, "Find a line by a regular expression, and count; empty: stop that")
        .takes("[PATTERN]")
        .hint("find", 35),
    row(A::FindNext, "find-next", &["n"], X::List, C::List, "Next line found"),
    row(A::FindPrevious, "find-previous", &["N"], X::List, C::List, "Previous line found"),
    row(A::Matches, "matches", &["&"], X::List, C::List, "Show only lines that match; empty: all")
        .takes("[PATTERN]")
        .hint("only", 88),
    row(A::Filter, "filter", &[], X::List, C::List, "Show only RMC, WI, WIMWV or !; empty: all").takes("[TYPES]"),
    row(A::Types, "types", &["f"], X::List, C::List, "Choose the types that are shown; s there: send only these")
        .hint("types", 62),
    row(
        A::SendOnly,
        "send-only",
        &[],
        X::List,
        C::List,
        "Send to the outputs only what the list shows, or everything again",
    ),
    row(A::NextBad, "next-bad", &["e"], X::List, C::List, "Next bad line").hint("error", 42),
    row(A::PreviousBad, "previous-bad", &["E"], X::List, C::List, "Previous bad line").hint("error", 42),
    row(A::NextWarning, "next-warning", &["w"], X::List, C::List, "Next warning"),
    row(A::PreviousWarning, "previous-warning", &["W"], X::List, C::List, "Previous warning"),
    row(A::Mark, "mark", &["m"], X::List, C::List, "Mark the selected line (or the play head), or take the mark away")
        .takes("[NAME]")
        .hint("mark", 55),
    row(A::NextMark, "next-mark", &["u"], X::List, C::List, "Next mark"),
    row(A::PreviousMark, "previous-mark", &["U"], X::List, C::List, "Previous mark"),
    row(A::Marks, "marks", &["'"], X::List, C::List, "List of marks: go there, rename, delete, export")
        .hint("marks", 92),
    row(A::ExportMarks, "export-marks", &[], X::List, C::List, "Write the marks to a new file, a line each")
        .takes("[PATH]"),
    row(
        A::Inspect,
        "inspect",
        &["Enter"],
        X::List,
        C::List,
        "Take the line apart: fields, units, raw bytes, why skipped",
    )
    .hint("inspect", 38),
    row(A::Hex, "hex", &["x"], X::List, C::List, "Lines as hex bytes, or as text").hint("hex", 87),
    row(A::TimeColumn, "time-column", &["T"], X::List, C::List, "Time column: UTC, offset, delta, off")
        .hint("times", 86),
    row(A::Copy, "copy", &["y"], X::List, C::List, "Copy the selected line to the clipboard of the terminal"),
    row(
        A::SaveStretch,
        "save-stretch",
        &[],
        X::List,
        C::List,
        "Write the A-B loop, or the filtered lines, to a new log",
    )
    .takes("PATH"),
    row(A::Faults, "faults", &["!"], X::Simulate, C::Vessel, "Faults: inject, change, stop; with the counts so far")
        .hint("fault", 48),
    row(A::Autopilot, "autopilot", &["a"], X::Simulate, C::Vessel, "Autopilot on, off").hint("pilot", 68),
    row(
        A::ResetProfile,
        "reset",
        &["D"],
        X::Simulate,
        C::Vessel,
        "Back to what the profile says, everything released (asks)",
    ),
    row(A::Undo, "undo", &["Ctrl-U"], X::Simulate, C::Vessel, "Take back the last change"),
    row(A::SetKey, "set", &[], X::Simulate, C::Vessel, "Give a key of the profile a value").takes("KEY VALUE"),
    row(
        A::SaveProfile,
        "save",
        &[],
        X::Simulate,
        C::Vessel,
        "Save the profile with what was changed (to PATH, or where it came from)",
    )
    .takes("[PATH]"),
    row(A::ControlUp, "control-up", &["Up"], X::Control, C::Vessel, "Previous control").hint("choose", 22),
    row(A::ControlDown, "control-down", &["Down"], X::Control, C::Vessel, "Next control").hint("choose", 22),
    row(A::NudgeDown, "nudge-down", &["Left"], X::Control, C::Vessel, "One step less, and pin it there")
        .hint("steer", 12),
    row(A::NudgeUp, "nudge-up", &["Right"], X::Control, C::Vessel, "One step more, and pin it there").hint("steer", 12),
    row(A::NudgeDown10, "nudge-down-10", &["<"], X::Control, C::Vessel, "Ten steps less").hint("x10", 26),
    row(A::NudgeUp10, "nudge-up-10", &[">"], X::Control, C::Vessel, "Ten steps more").hint("x10", 26),
    row(A::ControlValue, "value", &["Enter"], X::Control, C::Vessel, "Type a value").hint("value", 27),
    row(A::Release, "release", &["Backspace"], X::Control, C::Vessel, "Release: let it drift again")
        .hint("release", 28),
    row(
        A::AddElement,
        "add",
        &["+"],
        X::Control,
        C::Vessel,
        "Zoomed: add a target, a destination or a sentence of your own, where the cursor stands",
    )
    .hint("add", 18),
    row(A::RemoveElement, "remove", &["Delete"], X::Control, C::Vessel, "Zoomed: take it away again")
        .hint("remove", 19),
    row(A::ZoomIn, "zoom-in", &["+", "="], X::Chart, C::Chart, "Closer").hint("zoom", 12),
    row(A::ZoomOut, "zoom-out", &["-"], X::Chart, C::Chart, "Further away").hint("zoom", 12),
    row(A::PanLeft, "pan-left", &["h"], X::Chart, C::Chart, "Move the chart cursor to the left").hint("pan", 14),
    row(A::PanDown, "pan-down", &["j"], X::Chart, C::Chart, "Move the chart cursor down").hint("pan", 14),
    row(A::PanUp, "pan-up", &["k"], X::Chart, C::Chart, "Move the chart cursor up").hint("pan", 14),
    row(A::PanRight, "pan-right", &["l"], X::Chart, C::Chart, "Move the chart cursor to the right").hint("pan", 14),
    row(A::ChartFollow, "chart-follow", &["F"], X::Chart, C::Chart, "Follow the vessel").hint("follow", 16),
    row(A::NextTarget, "next-target", &["n"], X::Chart, C::Chart, "Next target").hint("target", 18),
    row(A::PreviousTarget, "previous-target", &["N"], X::Chart, C::Chart, "Previous target").hint("target", 18),
    row(A::InspectTarget, "target", &["Enter"], X::Chart, C::Chart, "What is known of the chosen target"),
    row(A::DestinationHere, "destination-here", &["d"], X::Chart, C::Chart, "Destination at the chart cursor")
        .hint("destination", 24),
    row(A::MoveHere, "move-here", &["M"], X::Chart, C::Chart, "Move the vessel to the chart cursor (asks)")
        .hint("move here", 77),
    row(A::Destination, "goto", &[], X::Simulate, C::Chart, "Destination: 37.7466 23.4275 AEGINA; off: none")
        .takes("LAT LON [NAME]|off"),
    row(A::AddOutput, "add-output", &["+"], X::Outputs, C::Outputs, "Add an output by its SPEC")
        .takes("[SPEC]")
        .hint("add", 6),
    row(A::EditOutput, "edit-output", &["Enter"], X::Outputs, C::Outputs, "Edit the SPEC of the chosen output")
        .hint("edit", 7),
    row(A::StopOutput, "stop-output", &["-"], X::Outputs, C::Outputs, "Stop the chosen output, or start it again")
        .hint("stop/start", 8),
    row(A::RemoveOutput, "remove-output", &["Delete"], X::Outputs, C::Outputs, "Remove the chosen output (asks)")
        .hint("remove", 82),
    row(A::ClearCounters, "clear", &["C"], X::Diagnose, C::Diagnose, "Clear the counters").hint("clear", 16),
    row(
        A::Port,
        "port",
        &["B"],
        X::Diagnose,
        C::Diagnose,
        "Settings of a serial input, what is heard, and the search for the baud rate",
    )
    .takes("[BAUD|auto]")
    .hint("port", 18),
    row(A::SortRows, "sort", &["O"], X::Diagnose, C::Diagnose, "Order of the table: id, count, rate, age, bad, state")
        .takes("[COLUMN]")
        .hint("sort", 17),
    row(A::ReverseRows, "reverse", &["I"], X::Diagnose, C::Diagnose, "Turn the order of the table round"),
    row(
        A::FilterRows,
        "rows",
        &["K"],
        X::Diagnose,
        C::Diagnose,
        "Keep the rows of the table that hold these words: MWV, WI lost; none: all",
    )
    .takes("[WORDS]")
    .hint("filter", 19),
    row(A::Report, "report", &["P"], X::Diagnose, C::Diagnose, "Save a report: .txt, .md or .json")
        .takes("[FILE]")
        .hint("report", 14),
    row(
        A::Explain,
        "explain",
        &["Enter"],
        X::Diagnose,
        C::Diagnose,
        "Explain the chosen finding, or take the chosen row apart",
    )
    .hint("explain", 12),
    row(A::Accept, "accept", &["Enter"], X::Prompt, C::Dialogs, "Do it").hint("go", 1),
    row(A::Cancel, "cancel", &["Esc", "Ctrl-C"], X::Prompt, C::Dialogs, "Leave the prompt").hint("cancel", 2),
    row(A::Complete, "complete", &["Tab"], X::Prompt, C::Dialogs, "Complete; again: the next candidate")
        .hint("complete", 4),
    row(A::Older, "older", &["Up"], X::Prompt, C::Dialogs, "What was typed before, or up in the list")
        .hint("history", 3),
    row(A::Newer, "newer", &["Down"], X::Prompt, C::Dialogs, "What was typed after, or down in the list")
        .hint("history", 3),
    row(A::OverlayDown, "overlay-down", &["j", "Down"], X::Overlay, C::Dialogs, "Down").hint("choose", 12),
    row(A::OverlayUp, "overlay-up", &["k", "Up"], X::Overlay, C::Dialogs, "Up").hint("choose", 12),
    row(A::OverlayPageDown, "overlay-page-down", &["PgDn"], X::Overlay, C::Dialogs, "A page down"),
    row(A::OverlayPageUp, "overlay-page-up", &["PgUp"], X::Overlay, C::Dialogs, "A page up"),
    row(A::OverlayFirst, "overlay-first", &["g", "Home"], X::Overlay, C::Dialogs, "To the top"),
    row(A::OverlayLast, "overlay-last", &["G", "End"], X::Overlay, C::Dialogs, "To the bottom"),
    row(
        A::Choose,
        "choose",
        &["Enter"],
        X::Overlay,
        C::Dialogs,
        "Take it: go to the mark, show only the type, use the port's settings; a text: close",
    )
    .hint("take", 10),
    row(A::Toggle, "toggle", &["Space"], X::Overlay, C::Dialogs, "Types: show the type, or not").hint("show/hide", 14),
    row(
        A::ToggleAll,
        "toggle-all",
        &["a"],
        X::Overlay,
        C::Dialogs,
        "Types: show all, or none; a port: find the baud rate (auto)",
    )
    .hint("all", 16),
    row(A::Less, "less", &["Left", "h"], X::Overlay, C::Dialogs, "A port: the value before").hint("change", 13),
    row(A::More, "more", &["Right", "l"], X::Overlay, C::Dialogs, "A port: the next value").hint("change", 13),
    row(
        A::ToggleSendOnly,
        "send-only-these",
        &["s"],
        X::Overlay,
        C::Dialogs,
        "Types: send only these to the outputs, or everything again",
    )
    .hint("send only", 13),
    row(A::DeleteMark, "delete-mark", &["d", "Delete"], X::Overlay, C::Dialogs, "Marks: delete the mark")
        .hint("delete", 18),
    row(A::RenameMark, "rename-mark", &["r"], X::Overlay, C::Dialogs, "Marks: give it another name").hint("rename", 20),
    row(A::WriteMarks, "write-marks", &["e"], X::Overlay, C::Dialogs, "Marks: export them to a new file")
        .hint("export", 21),
    row(A::Close, "close", &["Esc", "q"], X::Overlay, C::Dialogs, "Close").hint("close", 1),
    row(A::Yes, "yes", &["y"], X::Question, C::Dialogs, "Yes").hint("yes", 1),
    row(A::No, "no", &["n", "Enter", "Esc", "q"], X::Question, C::Dialogs, "No, as it was").hint("no", 2),
];

/// The row of an action.
pub fn spec(action: Action) -> &'static Spec {
    // the table is in the order of the enumeration, which a test holds it to
    &ACTIONS[(action as usize).min(ACTIONS.len() - 1)]
}

/// The action of a name.
pub fn by_name(name: &str) -> Option<&'static Spec> {
    ACTIONS.iter().find(|s| s.name == name)
}

/// The actions that the palette offers: all but those of prompts, overlays and questions.
pub fn palette() -> impl Iterator<Item = &'static Spec> {
    ACTIONS.iter().filter(|s| !s.context.closed())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::ui::keys::Key;

    #[test]
    fn the_table_holds_every_action_once_in_order() {
        for (i, spec) in ACTIONS.iter().enumerate() {
            assert_eq!(spec.action as usize, i, "{}", spec.name);
        }
        assert_eq!(ACTIONS.len(), Action::No as usize + 1, "No is the last action");
    }

    #[test]
    fn every_action_has_a_key_or_a_palette_name_and_a_description() {
        let mut names = HashMap::new();
        for spec in ACTIONS {
            assert!(!spec.keys.is_empty() || !spec.context.closed(), "{} cannot be reached", spec.name);
            assert!(spec.what.len() >= 2 && !spec.what.ends_with('.'), "{}", spec.name);
            assert!(!spec.name.is_empty() && !spec.name.contains(' '), "{}", spec.name);
            assert_eq!(names.insert(spec.name, spec.action), None, "{} twice", spec.name);
            assert!(spec.hint.is_empty() || spec.rank < 255, "{}", spec.name);
            for key in spec.keys {
                let read: Key = key.parse().unwrap_or_else(|e| panic!("{}: {e}", spec.name));
                assert_eq!(read.to_string(), *key, "{} is not written as shown", spec.name);
            }
        }
    }

    #[test]
    fn the_keys_are_those_of_the_page() {
        // SCREENS.md, the table of keys, read by hand: context, keys, name
        let page = "
            Global 1 live|Global 5 events|Global Tab next-pane|Global Shift-Tab previous-pane|Global z zoom|Global ? help
            Global : palette|Global Esc back|Global q quit|Global Ctrl-C force-quit|Global Ctrl-Z suspend|Global Ctrl-L redraw
            Global Q end-session|Global Space pause|Global o open|Global R record|List j down|List k up|List Up up|List Down down
            List PgDn page-down|List PgUp page-up|List g first|List G last|List h left|List l right|List F follow|List v presentation
            List / find|List n find-next|List N find-previous|List & matches|List f types|List e next-bad|List E previous-bad
            List w next-warning|List W previous-warning|List m mark|List u next-mark|List U previous-mark|List ' marks
            List Enter inspect|List x hex|List T time-column|List y copy|Player . step|Player ] faster|Player [ slower
            Player Backspace real-time|Player , step-back|Player > next-epoch|Player < previous-epoch|Player Right forward
            Player Left rewind|Player ) fast-forward|Player ( fast-rewind|Player t go|Player % percent|Player s next-gap
            Player S previous-gap|Player p play-from-here|Recorded b loop-point|Recorded L loop-all|Recorded r emit
            Simulate ! faults|Simulate a autopilot|Simulate D reset|Control Up control-up|Control Down control-down
            Control Left nudge-down|Control Right nudge-up|Control < nudge-down-10|Control > nudge-up-10|Control Enter value
            Control Backspace release|Chart + zoom-in|Chart - zoom-out|Chart h pan-left|Chart j pan-down|Chart k pan-up
            Chart l pan-right|Chart F chart-follow|Chart n next-target|Chart N previous-target|Chart Enter target
            Chart d destination-here|Chart M move-here|Outputs + add-output|Outputs Enter edit-output|Outputs - stop-output
            Diagnose C clear|Diagnose B port|Diagnose P report|Diagnose Enter explain";
        for line in page.split(['|', '\n']).map(str::trim).filter(|l| !l.is_empty()) {
            let words: Vec<&str> = line.split(' ').collect();
            let spec = by_name(words[2]).unwrap_or_else(|| panic!("{line}: no such action"));
            assert_eq!(format!("{:?}", spec.context), words[0], "{line}");
            assert!(spec.keys.contains(&words[1]), "{line}: {:?}", spec.keys);
        }
    }
}

//! What the keys of Diagnose do: order and filter of the table, explanations, the settings of a port.

use super::Update;
use crate::core::diag::order::By;
use crate::core::input::InputSpec;
use crate::core::output::SerialSettings;
use crate::runtime::session::Command;
use crate::runtime::session::snapshot::FindingRow;
use crate::ui::action::Action;
use crate::ui::format;
use crate::ui::model::{Overlay, Pane};
use crate::ui::port::PortDialog;

impl Update<'_> {
    /// Sorts the table by a column, or by the next one.
    pub(super) fn sort_rows(&mut self, column: &str) {
        let by = if column.is_empty() { Some(self.model.order.by.next()) } else { By::of(column) };
        let Some(by) = by else {
            let words = By::ALL.map(By::word).join(", ");
            self.warn(format!("sort: give one of {words}"));
            return;
        };
        self.model.order.by = by;
        self.model.order.reversed = false;
        self.model.table = 0;
        self.say_order();
    }

    pub(super) fn say_order(&mut self) {
        let order = self.model.order;
        let way = if order.reversed { ", the other way round" } else { "" };
        self.note(format!("Table sorted by {}{way}: O next column, I turns round", order.by.word()));
    }

    /// Keeps the rows of the table that hold these words.
    pub(super) fn filter_rows(&mut self, words: &str) {
        self.model.only = words.trim().to_owned();
        self.model.table = 0;
        let only = &self.model.only;
        self.note(if only.is_empty() { "All rows".to_owned() } else { format!("Only rows with {only}: K changes it") });
    }

    /// The settings of a serial input: asked for, or given.
    pub(super) fn port(&mut self, given: &str) {
        let Some(mut port) = PortDialog::new(&self.snapshot.inputs) else {
            self.note("No serial input here to set: o opens one, such as serial:/dev/ttyUSB0@auto");
            return;
        };
        if given.is_empty() {
            self.model.overlay = Some(Overlay::Port(port));
            return;
        }
        match SerialSettings::parse(&format!("{}@{given}", port.settings.device)) {
            Ok(settings) => {
                port.settings.baud = settings.baud;
                self.send_port(&port);
            }
            Err(why) => self.warn(format!("port: {why}")),
        }
    }

    fn send_port(&mut self, port: &PortDialog) {
        let spec = port.spec();
        let done = format!("{spec} is being opened");
        self.send(Command::Input(port.input, spec), done);
    }

    /// Opens the port as chosen; the dialog stays and shows what is heard.
    pub(super) fn use_port(&mut self, port: PortDialog) {
        let now = self.snapshot.inputs.iter().find(|i| i.n == port.input);
        let same = now.is_some_and(|row| {
            InputSpec::parse(&row.spec).is_ok_and(|spec| spec.to_string() == port.spec())
                && port.settings.baud.is_some()
        });
        if same {
            self.note("The port is set like this already");
        } else {
            self.send_port(&port);
        }
        self.model.overlay = Some(Overlay::Port(port));
    }

    /// Lets the baud rate of the port in the dialog be found.
    pub(super) fn find_baud(&mut self) {
        if let Some(Overlay::Port(mut port)) = self.model.overlay.take() {
            port.settings.baud = None;
            self.use_port(port);
        }
    }

    /// The chosen finding, or the chosen row of the table, in full.
    pub(super) fn explain(&mut self) {
        let pane = self.model.focus(self.snapshot);
        if pane == Pane::List {
            self.act(Action::Inspect, "");
            return;
        }
        let Some(d) = &self.snapshot.diagnose else {
            self.note("Nothing heard yet");
            return;
        };
        if pane == Pane::Findings {
            let Some(f) = d.findings.get(self.model.finding.min(d.findings.len().saturating_sub(1))) else {
                self.note("No findings: nothing is wrong that the rules know of");
                return;
            };
            self.model.overlay =
                Some(Overlay::Text { title: format!("Finding: {}", f.kind), lines: finding(f), top: 0 });
            return;
        }
        if pane == Pane::Ais {
            self.inspect_target();
            return;
        }
        let Some(row) = d.rows.get(self.model.table.min(d.rows.len().saturating_sub(1))) else {
            self.note("Nothing heard yet");
            return;
        };
        let per_second = |v: Option<f64>| v.map_or(format::UNKNOWN.into(), |v| format!("{v:.2} a second"));
        let mut lines = vec![
            format!("heard     {}", format::thousands(row.count)),
            format!("rate      {}", per_second(Some(row.rate))),
            format!("expected  {}", per_second(row.expected)),
            format!("jitter    {}", row.jitter_ms.map_or(format::UNKNOWN.into(), |j| format!("{j:.0} ms"))),
            format!("last      {}", row.age.map_or("never".into(), |a| format!("{} ago", format::passed(a)))),
            format!("bad       {}", row.bad),
            format!("load      {}", load(row.load, d.capacity)),
            format!("state     {}", row.state),
            format!("value     {}", if row.last.is_empty() { format::UNKNOWN } else { &row.last }),
        ];
        let kind = format!("{}{}", row.talker, row.formatter);
        for f in d.findings.iter().filter(|f| f.text.contains(&row.formatter) && !row.formatter.is_empty()) {
            lines.push(String::new());
            lines.extend(finding(f));
        }
        self.model.overlay = Some(Overlay::Text { title: format!("{kind} {}", row.sub_key), lines, top: 0 });
    }

    /// What is known of the chosen target.
    pub(super) fn inspect_target(&mut self) {
        let targets = &self.snapshot.targets;
        let chosen = targets.iter().find(|t| self.model.chart.chose(t.mmsi, &t.name));
        let Some(t) = chosen else {
            self.note(if targets.is_empty() { "No targets heard" } else { "n chooses a target" });
            return;
        };
        let some = |v: Option<f64>, decimals: usize, unit: &str| {
            v.map_or(format::UNKNOWN.into(), |v| format!("{} {unit}", format::number(v, decimals)))
        };
        let at = t.latitude.zip(t.longitude);
        let at = at.map_or(format::UNKNOWN.into(), |(latitude, longitude)| {
            format::position(crate::core::vessel::Position { latitude, longitude }, 3, " ")
        });
        let lines = vec![
            format!("name      {}", if t.name.is_empty() { format::UNKNOWN } else { &t.name }),
            format!("MMSI      {}", if t.mmsi == 0 { format::UNKNOWN.into() } else { t.mmsi.to_string() }),
            format!("class     {}", t.class),
            format!("position  {at}"),
            format!("speed     {}", some(t.sog_kn, 1, "kn")),
            format!(
                "course    {}",
                t.cog_true_deg.map_or(format::UNKNOWN.into(), |c| format!("{} T", format::bearing(c)))
            ),
            format!("range     {}", some(t.range_nm, 2, "nm")),
            format!(
                "bearing   {}",
                t.bearing_true_deg.map_or(format::UNKNOWN.into(), |c| format!("{} T", format::bearing(c)))
            ),
            format!("CPA       {}", some(t.cpa_nm, 2, "nm")),
            format!("TCPA      {}", some(t.tcpa_min, 1, "min")),
            format!("heard     {} ago", format::passed(t.age)),
        ];
        self.model.overlay = Some(Overlay::Text { title: "Target".into(), lines, top: 0 });
    }
}

/// `72 B/s, 15 % of the line`.
fn load(rate: f64, capacity: Option<f64>) -> String {
    let share = capacity.filter(|c| *c > 0.0).map(|c| format!(", {:.0} % of the line", rate / c * 100.0));
    format!("{rate:.0} B/s{}", share.unwrap_or_default())
}

fn finding(f: &FindingRow) -> Vec<String> {
    let when = |t: Option<i64>| t.map_or(format::UNKNOWN.into(), |t| format!("{}Z", crate::core::time::clock(t)));
    vec![
        format!("{}: {}", f.severity, f.text),
        format!("first {}, last {}, {}", when(f.first), when(f.last), if f.current { "holds now" } else { "past" }),
        format!("Try: {}", f.advice),
    ]
}

//! The report: what was heard, the table, findings, settings; as text, Markdown or JSON. Fit to send to a colleague.
//!
//! Used by the key `P`, `--report` and `check --report`. Makes strings; writes no file. What is said is here; how it is laid
//! out is in `text` and `markdown`.

mod markdown;
mod text;

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::board::Finding;
use super::kind::Severity;
use super::traffic::Counts;
use super::views::{self, FeedView, RowView};
use super::{Diag, traffic};
use crate::core::ais::targets::{Key, Sighting};
use crate::core::frame::Origin;
use crate::core::time::{self, MILLISECOND, Moment, Utc, iso_ms};
use crate::core::visible;
use crate::core::words::counted;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For terminals and mails.
    Text,
    /// For issue trackers.
    Markdown,
    /// For programs.
    Json,
}

impl Format {
    /// By the extension: `.md`, `.json`, else text.
    pub fn of(path: &Path) -> Format {
        match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("md" | "markdown") => Format::Markdown,
            Some("json") => Format::Json,
            _ => Format::Text,
        }
    }
}

/// Everything that a report says.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was listened to: a file, feeds, a profile.
    pub source: String,
    /// Settings by name, in order.
    pub settings: Vec<(String, String)>,
    /// Wall clock when it was made.
    pub made: Option<Utc>,
    /// The present moment of the source.
    pub now: Moment,
    /// The inputs.
    pub feeds: Vec<FeedView>,
    /// The table.
    pub rows: Vec<RowView>,
    /// Sentences of kinds beyond the table.
    pub unlisted: u64,
    /// Bytes a second by type.
    pub load: Vec<(String, f64)>,
    /// AIS.
    pub ais: Counts,
    /// Who is around, nearest first, at most [`TARGETS`].
    pub targets: Vec<Sighting>,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// Most targets in a report.
pub const TARGETS: usize = 50;

impl Report {
    /// Of what was heard so far. `settings` are those of the command: baud rates, options.
    pub fn new(diag: &Diag, source: &str, settings: Vec<(String, String)>, made: Option<Utc>) -> Report {
        let own = traffic::Traffic::own_motion(diag.world());
        let mut targets = diag.targets().sightings(own.as_ref(), diag.now().offset);
        targets.truncate(TARGETS);
        Report {
            source: source.to_owned(),
            settings,
            made,
            now: diag.now(),
            feeds: views::feeds(diag),
            rows: views::rows(diag),
            unlisted: diag.rows().unlisted,
            load: views::load_by_type(diag),
            ais: diag.ais(),
            targets,
            findings: diag.findings(),
        }
    }

    /// Errors were found, now or before: exit status 4.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|f| f.severity == Severity::Error)
    }

    /// As a string that ends with a line end.
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Markdown => self.markdown(),
            Format::Json => {
                let mut out = serde_json::to_string_pretty(&self.json()).unwrap_or_default();
                out.push('\n');
                out
            }
        }
    }

    /// `2 errors, 1 warning, 0 notes`.
    pub fn verdict(&self) -> String {
        let of = |severity, word| counted(self.findings.iter().filter(|f| f.severity == severity).count() as u64, word);
        let [errors, warnings, notes] =
            [of(Severity::Error, "error"), of(Severity::Warning, "warning"), of(Severity::Note, "note")];
        format!("{errors}, {warnings}, {notes}")
    }

    fn head(&self) -> Vec<(String, String)> {
        let mut out = vec![("Source".to_owned(), self.source.clone())];
        if let Some(made) = self.made {
            out.push(("Made".to_owned(), iso_ms(made)));
        }
        out.push(("Program".to_owned(), format!("nmeasimx {}", env!("CARGO_PKG_VERSION"))));
        out.push(("Listened".to_owned(), time::span(self.now.offset)));
        if let Some(utc) = self.now.utc {
            out.push(("Until".to_owned(), iso_ms(utc)));
        }
        out.extend(self.settings.iter().cloned());
        out
    }

    /// What each input said, a line each; and AIS.
    fn heard(&self) -> Vec<String> {
        let mut out = Vec::new();
        for f in &self.feeds {
            let name = if f.name.is_empty() { "source" } else { &f.name };
            let mut line = format!("{name}: {}, {}", counted(f.sentences, "sentence"), counted(f.bytes, "byte"));
            let _ = write!(line, ", {} damaged ({})", f.damaged, counted(f.bad_checksums, "bad checksum"));
            let _ = write!(line, ", {} of noise", counted(f.noise_bytes, "byte"));
            let _ = write!(line, ", longest silence {:.1} s", f.longest_silence_ms as f64 / 1000.0);
            let _ = write!(line, ", at the end {:.0} B/s", f.bytes_a_second);
            if let (Some(capacity), Some(percent)) = (f.capacity, f.load_percent) {
                let _ = write!(line, " of {capacity:.0} ({percent:.0} %)");
            }
            if f.reconnects > 0 {
                let _ = write!(line, ", opened again {}", counted(u64::from(f.reconnects), "time"));
            }
            out.push(line);
        }
        if self.ais.joined + self.ais.incomplete > 0 || !self.ais.by_type.is_empty() {
            let types: Vec<String> = self.ais.by_type.iter().map(|(t, n)| format!("{t}: {n}")).collect();
            let (incomplete, all) = (self.ais.incomplete, self.ais.joined + self.ais.incomplete);
            out.push(format!(
                "AIS messages by type: {}; {incomplete} of {all} long messages incomplete; channel A {}, B {}; {}",
                types.join(", "),
                self.ais.channel_a,
                self.ais.channel_b,
                counted(self.targets.len() as u64, "target")
            ));
        }
        if !self.load.is_empty() {
            let total: f64 = self.load.iter().map(|(_, n)| n).sum();
            let whole = match &self.feeds[..] {
                [one] => one.capacity.unwrap_or(total),
                _ => total,
            };
            let types = self.load.iter().map(|(t, n)| format!("{t} {n:.0} ({:.0} %)", n / whole.max(1.0) * 100.0));
            out.push(format!("Load by type at the end, B/s: {}", types.collect::<Vec<_>>().join(", ")));
        }
        out
    }

    /// For readers: the worst first, of these what holds, and then in the order of time.
    fn in_order(&self) -> Vec<&Finding> {
        let mut all: Vec<&Finding> = self.findings.iter().collect();
        all.sort_by_key(|f| (f.severity, !f.current, f.first));
        all
    }

    /// When a finding began or last held: with the day, where the report is about more than one; without UTC the offset.
    fn when(&self, f: &Finding, first: bool) -> String {
        let (utc, offset) = if first { (f.first_utc, f.first) } else { (f.last_utc, f.last) };
        let days = self.findings.iter().filter_map(|f| f.first_utc).chain(self.now.utc).map(time::date_of);
        let one_day = days.clone().min() == days.max();
        match utc {
            Some(utc) if one_day => time::clock(utc),
            Some(utc) => format!("{} {}", time::date_of(utc), time::clock(utc)),
            None => format!("+{}", time::span(offset)),
        }
    }

    fn past(&self, f: &Finding) -> String {
        if f.current { String::new() } else { format!(", past (until {})", self.when(f, false)) }
    }

    /// `GP`, `GP@2` where there are several inputs.
    fn talker(&self, r: &RowView) -> String {
        match r.origin {
            Origin::Input(n) if self.feeds.len() > 1 => format!("{}@{}", r.talker, u32::from(n) + 1),
            _ => r.talker.clone(),
        }
    }

    fn title(&self, f: &Finding) -> String {
        let place = match f.origin {
            Origin::Input(n) if self.feeds.len() > 1 => format!(" (input {})", u32::from(n) + 1),
            _ => String::new(),
        };
        let subject = if f.subject.is_empty() { String::new() } else { format!(": {}", f.subject) };
        format!("{}{subject}{place}", f.title())
    }

    fn cells(&self, r: &RowView) -> [String; 10] {
        let kind = if r.sub_key.is_empty() { r.formatter.clone() } else { format!("{} {}", r.formatter, r.sub_key) };
        let none = || "-".to_owned();
        let hz = |v: Option<f64>| match v {
            Some(v) if v >= 0.995 || v == 0.0 => format!("{v:.1}"),
            Some(v) if v >= 0.0995 => format!("{v:.2}"),
            Some(v) => format!("{v:.3}"),
            None => none(),
        };
        [
            self.talker(r),
            kind.chars().take(16).collect(),
            r.count.to_string(),
            hz(r.rate_hz),
            hz(r.expected_hz),
            r.jitter_ms.map_or_else(none, |v| format!("{v:.0} ms")),
            format!("{:.1} s", r.age_ms as f64 / 1000.0),
            r.bad.to_string(),
            r.state.word().to_owned(),
            r.last.clone(),
        ]
    }

    /// The report as data; times in ISO 8601, offsets in milliseconds.
    pub fn json(&self) -> Value {
        let findings: Vec<Value> = self
            .findings
            .iter()
            .map(|f| {
                json!({"kind": f.kind, "severity": f.severity, "title": f.title(), "origin": f.origin, "subject": f.subject,
                    "evidence": f.evidence, "numbers": f.numbers, "advice": f.advice(), "current": f.current, "times": f.times,
                    "first_ms": f.first / MILLISECOND, "last_ms": f.last / MILLISECOND,
                    "first": f.first_utc.map(iso_ms), "last": f.last_utc.map(iso_ms)})
            })
            .collect();
        let count = |s: Severity| self.findings.iter().filter(|f| f.severity == s).count();
        let settings: serde_json::Map<String, Value> =
            self.settings.iter().map(|(k, v)| (k.clone(), Value::String(v.clone()))).collect();
        let load: serde_json::Map<String, Value> = self.load.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
        json!({"program": "nmeasimx", "version": env!("CARGO_PKG_VERSION"), "source": self.source, "settings": settings,
            "made": self.made.map(iso_ms), "listened_ms": self.now.offset / MILLISECOND, "until": self.now.utc.map(iso_ms),
            "errors": count(Severity::Error), "warnings": count(Severity::Warning), "notes": count(Severity::Note),
            "findings": findings, "inputs": self.feeds, "rows": self.rows, "unlisted": self.unlisted,
            "bytes_a_second_by_type": load, "ais": self.ais, "targets": self.targets})
    }
}

/// What the columns mean, for whoever sees such a table for the first time.
const LEGEND: &str = "RATE and EXPECT are a second; EXPECT is its own rate of the first 30 s; JITTER is what nine of ten arrivals keep \
                      within; AGE is since it last came";
/// The columns of the table.
const COLUMNS: [&str; 10] = ["TALK", "TYPE", "COUNT", "RATE", "EXPECT", "JITTER", "AGE", "BAD", "STATE", "LAST VALUE"];
/// The columns of the targets.
const TARGET_COLUMNS: [&str; 7] = ["WHO", "NAME", "RANGE", "BEARING", "CPA", "WHEN", "HEARD"];

fn target(s: &Sighting) -> [String; 7] {
    let t = &s.target;
    let who = match t.key {
        Key::Mmsi(mmsi) => mmsi.to_string(),
        Key::Radar(_, n) => format!("radar {n}"),
    };
    let number = |v: Option<f64>, unit: &str| v.map_or("-".to_owned(), |v| format!("{v:.1}{unit}"));
    let when = s
        .tcpa_min
        .map_or("-".to_owned(), |m| if m < 0.0 { format!("{:.0} min ago", -m) } else { format!("in {m:.0} min") });
    [
        who,
        visible::text(t.name.as_bytes()),
        number(s.range_nm, " nm"),
        s.bearing_true_deg.map_or("-".to_owned(), |b| format!("{:03.0} T", b.round() % 360.0)),
        number(s.cpa_nm, " nm"),
        when,
        format!("{:.0} s ago", super::feed::seconds(s.age)),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::rig::{Rig, START};
    use super::*;
    use crate::core::frame::Class;

    fn report() -> Report {
        let mut rig = Rig::live();
        rig.each_second(60, |r, i| {
            r.healthy(i);
            if i > 50 {
                r.line(Class::BadChecksum, b"$SDDPT,1.0|,0.5,*00");
            }
        });
        rig.say("AIVDM,1,1,,A,16SteH0P00Jt63hHaa6SagvJ087r,0");
        Report::new(&rig.diag, "tcp:192.0.2.1:10110", vec![("gap".to_owned(), "10 s".to_owned())], Some(START))
    }

    #[test]
    fn the_extension_chooses_the_form() {
        let of = |p: &str| Format::of(Path::new(p));
        assert_eq!(
            [of("a.md"), of("b.JSON"), of("c.txt"), of("d")],
            [Format::Markdown, Format::Json, Format::Text, Format::Text]
        );
    }

    #[test]
    fn every_form_says_source_version_settings_table_and_findings() {
        let report = report();
        assert!(report.has_errors());
        for format in [Format::Text, Format::Markdown, Format::Json] {
            let text = report.render(format);
            for needle in
                ["tcp:192.0.2.1:10110", env!("CARGO_PKG_VERSION"), "gap", "DPT", "Checksum errors", "9 damaged"]
            {
                assert!(
                    text.contains(needle),
                    "{format:?} {needle}
{text}"
                );
            }
            assert!(text.ends_with('\n') && !text.contains("NaN"));
        }
        let text = report.render(Format::Text);
        // 2026-12-01 10:00:00 and 51 s.
        assert!(text.contains("ERR  10:00:51  Checksum errors"), "{text}");
        assert!(text.contains("FINDINGS: 1 error, 0 warnings"), "{text}");
    }

    #[test]
    fn markdown_tables_keep_their_columns() {
        let text = report().render(Format::Markdown);
        let rows = text.lines().filter(|l| l.starts_with('|') && l.contains("DPT"));
        for row in rows {
            assert_eq!(row.replace("\\|", "").matches('|').count(), 11, "{row}");
        }
    }

    #[test]
    fn json_names_kinds_and_times() {
        let value = report().json();
        let finding = &value["findings"][0];
        assert_eq!((finding["kind"].as_str(), finding["severity"].as_str()), (Some("checksum_errors"), Some("error")));
        assert_eq!(finding["first"], "2026-12-01T10:00:51.000Z");
        assert_eq!(value["errors"], 1);
        assert_eq!(value["ais"]["by_type"]["1"], 1);
        assert_eq!(value["rows"].as_array().map(Vec::len), Some(9));
    }

    #[test]
    fn the_worst_comes_first_and_days_are_said_where_there_are_several() {
        let mut rig = Rig::live();
        rig.each_second(60, Rig::healthy);
        rig.say("PGRMZ,170,f,3");
        rig.off = &["SD"];
        rig.each_second(20, Rig::healthy);
        let report = Report::new(&rig.diag, "x", Vec::new(), None);
        let text = report.render(Format::Text);
        let lines: Vec<&str> = text.lines().filter(|l| l.starts_with("ERR") || l.starts_with("NOTE")).collect();
        // The last of DPT was heard at 10:00:59, the maker's sentence at 10:01:00.
        assert_eq!(lines, ["ERR  10:00:59  Sentence lost: SD DPT", "NOTE 10:01:00  Proprietary sentences: PGRM"]);
        rig.each_second(86_400 / 60, |r, _| r.wait_ms(59_000));
        let text = Report::new(&rig.diag, "x", Vec::new(), None).render(Format::Text);
        assert!(text.contains("NOTE 2026-12-01 10:01:00  Proprietary sentences: PGRM"), "{text}");
    }

    #[test]
    fn several_inputs_are_told_apart() {
        let mut rig = Rig::live();
        rig.each_second(60, |r, i| {
            r.healthy(i);
            r.say_as(Origin::Input(1), "HEHDT,361.0,T");
        });
        let text = Report::new(&rig.diag, "two", Vec::new(), None).render(Format::Text);
        assert!(text.contains("Heading out of range: HE HDT (input 2)"), "{text}");
        assert!(text.contains("\nHE@2  HDT") && text.contains("\nSD@1  DPT"), "{text}");
    }

    #[test]
    fn a_clean_report_has_no_errors() {
        let mut rig = Rig::live();
        rig.each_second(60, Rig::healthy);
        let report = Report::new(&rig.diag, "serial:/dev/ttyUSB0@4800", Vec::new(), None);
        assert!(!report.has_errors() && report.verdict() == "0 errors, 0 warnings, 0 notes", "{}", report.verdict());
    }
}

//! The report: what was heard, the table, findings, settings; as text, Markdown or JSON. Fit to send to a colleague.
//!
//! Used by the key `P`, `--report` and `check --report`. Makes strings; writes no file.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::board::Finding;
use super::kind::Severity;
use super::traffic::Counts;
use super::views::{self, FeedView, RowView};
use super::{Diag, traffic};
use crate::core::ais::targets::Sighting;
use crate::core::time::{self, MILLISECOND, Moment, Utc, iso_ms};

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
        let of = |severity, word: &str| {
            let n = self.findings.iter().filter(|f| f.severity == severity).count();
            format!("{n} {word}{}", if n == 1 { "" } else { "s" })
        };
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

    fn heard(&self) -> Vec<String> {
        let mut out = Vec::new();
        for f in &self.feeds {
            let name = if f.name.is_empty() { "source" } else { &f.name };
            let mut line = format!("{name}: {} sentences, {} bytes", f.sentences, f.bytes);
            let _ = write!(line, ", {} damaged ({} bad checksums)", f.damaged, f.bad_checksums);
            let _ = write!(
                line,
                ", {} bytes of noise, longest silence {:.1} s",
                f.noise_bytes,
                f.longest_silence_ms as f64 / 1000.0
            );
            let _ = write!(line, ", {:.0} B/s", f.bytes_a_second);
            if let (Some(capacity), Some(percent)) = (f.capacity, f.load_percent) {
                let _ = write!(line, " of {capacity:.0} ({percent:.0} %)");
            }
            if f.reconnects > 0 {
                let _ = write!(line, ", opened again {} times", f.reconnects);
            }
            out.push(line);
        }
        if !self.ais.by_type.is_empty() {
            let types: Vec<String> = self.ais.by_type.iter().map(|(t, n)| format!("{t}: {n}")).collect();
            let joined = self.ais.joined + self.ais.incomplete;
            out.push(format!(
                "AIS messages by type: {}; {} of {joined} long messages incomplete; {} targets",
                types.join(", "),
                self.ais.incomplete,
                self.targets.len()
            ));
        }
        out
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for (name, value) in self.head() {
            let _ = writeln!(out, "{:<10} {value}", format!("{name}:"));
        }
        let _ = writeln!(out, "\nFINDINGS: {}\n", self.verdict());
        for f in &self.findings {
            let _ = writeln!(out, "{:<4} {:<8} {}{}", f.severity.word(), clock(f, true), title(f), past(f));
            let _ = writeln!(out, "              {}", f.evidence);
            let _ = writeln!(out, "              Try: {}", f.advice());
        }
        let _ = writeln!(out, "\nHEARD\n");
        for line in self.heard() {
            let _ = writeln!(out, "{line}");
        }
        let _ = writeln!(out, "\n{}", ROW_HEAD.join(" ").trim_end());
        for r in &self.rows {
            let cells = cells(r);
            let _ = writeln!(out, "{}", cells.join(" ").trim_end());
        }
        if self.unlisted > 0 {
            let _ = writeln!(out, "and {} sentences of more kinds", self.unlisted);
        }
        if !self.targets.is_empty() {
            let _ = writeln!(out, "\nTARGETS\n");
            for line in self.targets.iter().map(target) {
                let _ = writeln!(out, "{line}");
            }
        }
        out
    }

    fn markdown(&self) -> String {
        let mut out = String::from("# NMEA 0183 report\n\n");
        for (name, value) in self.head() {
            let _ = writeln!(out, "- {name}: {}", escape(&value));
        }
        let _ = writeln!(out, "\n## Findings: {}\n", self.verdict());
        if !self.findings.is_empty() {
            out.push_str("| | when | what | seen | try |\n|---|---|---|---|---|\n");
        }
        for f in &self.findings {
            let (title, seen) = (escape(&title(f)), escape(&f.evidence));
            let _ = writeln!(
                out,
                "| {} | {} | {title}{} | {seen} | {} |",
                f.severity.word(),
                clock(f, true),
                past(f),
                f.advice()
            );
        }
        out.push_str("\n## Heard\n\n");
        for line in self.heard() {
            let _ = writeln!(out, "- {}", escape(&line));
        }
        out.push_str("\n| talker | type | count | rate | expect | jitter | age | bad | state | last value |\n");
        out.push_str("|---|---|--:|--:|--:|--:|--:|--:|---|---|\n");
        for r in &self.rows {
            let cells: Vec<String> = cells(r).iter().map(|c| escape(c.trim())).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        if !self.targets.is_empty() {
            out.push_str("\n## Targets\n\n");
            for line in self.targets.iter().map(target) {
                let _ = writeln!(out, "- {}", escape(&line));
            }
        }
        out
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

const ROW_HEAD: [&str; 10] = [
    "TK   ",
    "TYPE            ",
    "   COUNT",
    "    RATE",
    "  EXPECT",
    "   JITTER",
    "      AGE",
    "  BAD",
    "STATE",
    "LAST VALUE",
];

fn cells(r: &RowView) -> [String; 10] {
    let kind = if r.sub_key.is_empty() { r.formatter.clone() } else { format!("{} {}", r.formatter, r.sub_key) };
    let number =
        |v: Option<f64>, decimals: usize, unit: &str| v.map_or("-".to_owned(), |v| format!("{v:.decimals$}{unit}"));
    let hz = |v: Option<f64>| number(v, if v.is_some_and(|v| v < 1.0) { 3 } else { 1 }, "");
    [
        format!("{:<5}", r.talker),
        format!("{:<16}", kind.chars().take(16).collect::<String>()),
        format!("{:>8}", r.count),
        format!("{:>8}", hz(r.rate_hz)),
        format!("{:>8}", hz(r.expected_hz)),
        format!("{:>9}", number(r.jitter_ms, 0, " ms")),
        format!("{:>9}", format!("{:.1} s", r.age_ms as f64 / 1000.0)),
        format!("{:>5}", r.bad),
        format!("{:<5}", r.state.word()),
        r.last.clone(),
    ]
}

fn title(f: &Finding) -> String {
    let place = match f.origin {
        crate::core::frame::Origin::Input(n) => format!(" (input {})", u32::from(n) + 1),
        _ => String::new(),
    };
    if f.subject.is_empty() { format!("{}{place}", f.title()) } else { format!("{}: {}{place}", f.title(), f.subject) }
}

fn past(f: &Finding) -> String {
    if f.current { String::new() } else { format!(", past (until {})", clock(f, false)) }
}

/// The time of day of the first or last moment; without one the offset.
fn clock(f: &Finding, first: bool) -> String {
    let (utc, offset) = if first { (f.first_utc, f.first) } else { (f.last_utc, f.last) };
    utc.map_or_else(|| format!("+{}", time::span(offset)), time::clock)
}

fn target(s: &Sighting) -> String {
    let t = &s.target;
    let who = match t.key {
        crate::core::ais::targets::Key::Mmsi(mmsi) => mmsi.to_string(),
        crate::core::ais::targets::Key::Radar(_, n) => format!("radar {n}"),
    };
    let number = |v: Option<f64>, unit: &str| v.map_or("-".to_owned(), |v| format!("{v:.1}{unit}"));
    format!(
        "{who:<10} {:<20} {:>9} {:>6} CPA {:>9} in {:>10}, heard {:.0} s ago",
        t.name.to_string(),
        number(s.range_nm, " nm"),
        number(s.bearing_true_deg, ""),
        number(s.cpa_nm, " nm"),
        number(s.tcpa_min, " min"),
        super::feed::seconds(s.age)
    )
}

/// Bars would break a table, angle brackets would be markup.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
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
        assert!(text.contains("ERR  10:00:51 Checksum errors"), "{text}");
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
    fn a_clean_report_has_no_errors() {
        let mut rig = Rig::live();
        rig.each_second(60, Rig::healthy);
        let report = Report::new(&rig.diag, "serial:/dev/ttyUSB0@4800", Vec::new(), None);
        assert!(!report.has_errors() && report.verdict() == "0 errors, 0 warnings, 0 notes", "{}", report.verdict());
    }
}

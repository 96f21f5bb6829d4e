//! The report as Markdown, for issue trackers.

use std::fmt::Write;

use super::{COLUMNS, LEGEND, Report, TARGET_COLUMNS, target};

impl Report {
    pub(super) fn markdown(&self) -> String {
        let mut out = String::from("# NMEA 0183 report\n\n");
        for (name, value) in self.head() {
            let _ = writeln!(out, "- {name}: {}", escape(&value));
        }
        let _ = writeln!(out, "\n## Findings: {}\n", self.verdict());
        if self.findings.is_empty() {
            out.push_str("Nothing is wrong that the rules know of.\n");
        } else {
            out.push_str("| | when | what | seen | try |\n|---|---|---|---|---|\n");
        }
        for f in self.in_order() {
            let (what, seen) = (escape(&self.title(f)), escape(&f.evidence));
            let (when, past) = (self.when(f, true), self.past(f));
            let _ =
                writeln!(out, "| {} | {when} | {what}{past} | {seen} | {} |", f.severity.word(), escape(f.advice()));
        }
        out.push_str("\n## Heard\n\n");
        for line in self.heard() {
            let _ = writeln!(out, "- {}", escape(&line));
        }
        out.push_str("\n## Sentences\n\n");
        table(&mut out, COLUMNS, self.rows.iter().map(|r| self.cells(r)), &[0, 1, 8, 9]);
        if self.unlisted > 0 {
            let _ = writeln!(out, "\nAnd {} sentences of more kinds.", self.unlisted);
        }
        let _ = writeln!(out, "\n{LEGEND}.");
        if !self.targets.is_empty() {
            out.push_str("\n## Targets, nearest first\n\n");
            table(&mut out, TARGET_COLUMNS, self.targets.iter().map(target), &[0, 1]);
        }
        out
    }
}

fn table<const N: usize>(out: &mut String, heads: [&str; N], rows: impl Iterator<Item = [String; N]>, left: &[usize]) {
    let heads = heads.map(str::to_lowercase);
    let sides: Vec<&str> = (0..N).map(|i| if left.contains(&i) { "---" } else { "--:" }).collect();
    let _ = writeln!(out, "| {} |\n|{}|", heads.join(" | "), sides.join("|"));
    for row in rows {
        let _ = writeln!(out, "| {} |", row.map(|cell| escape(&cell)).join(" | "));
    }
}

/// Bars would break a table, angle brackets would be markup.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

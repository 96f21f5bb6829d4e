//! The report as text, for terminals and mails: columns as wide as what stands in them.

use std::fmt::Write;

use super::{COLUMNS, LEGEND, Report, TARGET_COLUMNS, target};

impl Report {
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for (name, value) in self.head() {
            let _ = writeln!(out, "{:<10} {value}", format!("{name}:"));
        }
        let _ = writeln!(out, "\nFINDINGS: {}\n", self.verdict());
        if self.findings.is_empty() {
            out.push_str("Nothing is wrong that the rules know of.\n");
        }
        for f in self.in_order() {
            let _ = writeln!(out, "{:<4} {}  {}{}", f.severity.word(), self.when(f, true), self.title(f), self.past(f));
            let _ = writeln!(out, "     Seen: {}", f.evidence);
            let _ = writeln!(out, "     Try:  {}", f.advice());
        }
        let _ = writeln!(out, "\nHEARD\n");
        for line in self.heard() {
            let _ = writeln!(out, "{line}");
        }
        let _ = writeln!(out, "\nSENTENCES\n");
        let rows: Vec<[String; 10]> = self.rows.iter().map(|r| self.cells(r)).collect();
        columns(&mut out, COLUMNS, &rows, &[0, 1, 8, 9]);
        if self.unlisted > 0 {
            let _ = writeln!(out, "and {} sentences of more kinds", self.unlisted);
        }
        let _ = writeln!(out, "\n{LEGEND}.");
        if !self.targets.is_empty() {
            let _ = writeln!(out, "\nTARGETS, nearest first\n");
            let rows: Vec<[String; 7]> = self.targets.iter().map(target).collect();
            columns(&mut out, TARGET_COLUMNS, &rows, &[0, 1]);
        }
        out
    }
}

/// Rows under headings; the columns named in `left` are text, the others numbers.
fn columns<const N: usize>(out: &mut String, heads: [&str; N], rows: &[[String; N]], left: &[usize]) {
    let heads = heads.map(str::to_owned);
    let wide = |i: usize| {
        let all = std::iter::once(&heads).chain(rows).filter_map(|row| row.get(i));
        all.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let wides: Vec<usize> = (0..N).map(wide).collect();
    for row in std::iter::once(&heads).chain(rows) {
        let cells = row.iter().zip(&wides).enumerate().map(|(i, (cell, wide))| {
            if left.contains(&i) { format!("{cell:<wide$}") } else { format!("{cell:>wide$}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

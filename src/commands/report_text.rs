//! The report of `check` for people: what kind of log, from whom, when, how timed and why, what was skipped, what is odd.

use std::fmt::Write as _;
use std::io::{self, Write};

use nmeasimx::core::filter::parts;
use nmeasimx::core::log::report::{Report, Summary};
use nmeasimx::core::log::{Options, Tier};
use nmeasimx::core::time::{self, MILLISECOND, SECOND};
use nmeasimx::core::words::{counted, thousands};

/// Breaks that are listed.
const BREAKS: usize = 8;
/// Types that are listed before the rest is summed up.
const TYPES: usize = 60;

/// Writes it.
///
/// # Errors
/// Of writing.
pub fn write(out: &mut dyn Write, report: &Report, summary: &Summary, options: &Options) -> io::Result<()> {
    let mut page = Page(String::new());
    page.line("log", &format!("{}: {}", report.file, kind(report, summary)));
    for (key, value) in report.header.iter().filter(|(key, _)| *key != "format").take(6) {
        page.line("", &format!("{key}: {}", value.as_str().unwrap_or_default()));
    }
    page.line("read", &volume(report));
    page.line("time", &span(report, summary));
    page.line("timed by", &why(report, summary, options));
    page.line("devices", &devices(report));
    page.line("skipped", &skipped(report));
    page.line("odd", &warnings(report));
    page.line("gaps", &gaps(report, summary, options));
    page.line("breaks", &breaks(summary));
    types(&mut page, report, summary);
    out.write_all(page.0.as_bytes())
}

/// Lines with a name in front.
struct Page(String);

impl Page {
    fn line(&mut self, name: &str, text: &str) {
        let mut name = name;
        for line in text.lines().filter(|l| !l.is_empty()) {
            let _text = writeln!(self.0, "{name:<9} {line}");
            name = "";
        }
    }
}

fn kind(report: &Report, summary: &Summary) -> String {
    let ais = report.types.iter().filter(|(name, _)| name.ends_with("VDM") || name.ends_with("VDO"));
    let ais: u64 = ais.filter_map(|(_, n)| n.as_u64()).sum();
    let about = if ais * 2 > report.sentences { ", mostly AIS" } else { "" };
    let kind = if summary.format1 {
        "a recording of this program (format 1)"
    } else if summary.container {
        "a recording of OpenCPN in columns"
    } else {
        match (summary.prefixed, summary.tagged, report.timing.tier) {
            (true, true, _) => "sentences with times in front and TAG blocks",
            (true, false, _) => "sentences with times in front",
            (false, true, _) => "sentences with TAG blocks",
            (false, false, Tier::Timestamps) => "sentences with Unix times behind them",
            (false, false, Tier::TimeOfDay) => "sentences with times of day in front",
            _ => "plain sentences",
        }
    };
    format!("{kind}{about}")
}

fn volume(report: &Report) -> String {
    let mut text = format!("{}, {}", counted(report.sentences, "sentence"), counted(report.lines, "line"));
    let _text = write!(text, ", {}", counted(report.bytes, "byte"));
    for (n, what) in [(report.comments, "comment"), (report.blank, "blank line")] {
        if n > 0 {
            let _text = write!(text, ", {}", counted(n, what));
        }
    }
    if report.without_checksum > 0 {
        let _text = write!(text, "; {} without checksum", thousands(report.without_checksum));
    }
    text
}

fn span(report: &Report, summary: &Summary) -> String {
    let long = format!("{} long", length(summary.duration));
    match summary.span {
        Some((first, last)) => {
            let end = if time::date_of(first) == time::date_of(last) { time::clock(last) } else { moment(last) };
            format!("{long}, {} to {end} UTC", moment(first))
        }
        None if report.timing.tier == Tier::FixedInterval => format!("{long} at a fixed interval"),
        None => format!("{long}, without a date"),
    }
}

/// By what a log is timed, and how much of it; lines are broken for a terminal.
pub(super) fn why(report: &Report, summary: &Summary, options: &Options) -> String {
    let timed = report.timing.timed_lines;
    let of = format!("{} of {}", thousands(timed), counted(report.lines, "line"));
    match report.timing.tier {
        Tier::Timestamps => {
            let place = match (summary.prefixed, summary.tagged) {
                (true, true) => "in front or in a TAG block",
                (true, false) => "in front",
                (false, true) => "in a TAG block",
                (false, false) => "behind the checksum",
            };
            let few = if timed * 2 < report.sentences {
                "\nfew are timed: one absolute time makes a log a stamped one; the others go with the line before"
            } else {
                ""
            };
            format!("timestamps: {of} have a time {place}{few}")
        }
        Tier::SentenceTimes => {
            let clocks = match summary.clocks.as_slice() {
                [] => String::new(),
                few if few.len() <= 6 => format!(" ({})", few.join(" ")),
                many => format!(" ({} …)", many[..6].join(" ")),
            };
            format!(
                "the UTC inside sentences{clocks}: {of} carry one, the others go with the last;\nno line has a time beside it"
            )
        }
        Tier::TimeOfDay => {
            format!("times of day in front: {of} have one; there is no date, and no time inside a sentence")
        }
        Tier::FixedInterval => {
            format!(
                "nothing: no time in it anywhere, so one sentence each {} ms (--interval)",
                options.interval / MILLISECOND
            )
        }
        Tier::None => "nothing: there is no sentence".to_owned(),
    }
}

/// Talkers and what they say: `GP: RMC GGA GSV`.
fn devices(report: &Report) -> String {
    let mut talkers: Vec<(String, Vec<String>)> = Vec::new();
    for name in report.types.keys() {
        let (talker, formatter) = parts(name.as_bytes());
        // A maker's own sentences go by the maker.
        let (talker, formatter) = match name.as_bytes() {
            [b'P', _, _, _, ..] => (name[..4].to_owned(), name.clone()),
            _ => (String::from_utf8_lossy(talker).into_owned(), String::from_utf8_lossy(formatter).into_owned()),
        };
        match talkers.iter_mut().find(|(known, _)| *known == talker) {
            Some((_, list)) => list.push(formatter),
            None => talkers.push((talker, vec![formatter])),
        }
    }
    let more = talkers.len().saturating_sub(12);
    let mut text = String::new();
    for (talker, list) in talkers.iter().take(12) {
        let mut room = 60_usize;
        let shown = list.iter().take_while(|name| {
            room = room.saturating_sub(name.len() + 1);
            room > 0
        });
        let shown = shown.count();
        let rest = if list.len() > shown { format!(" and {} more", list.len() - shown) } else { String::new() };
        let name = meaning(talker);
        let _text = writeln!(text, "{talker}{name}: {}{rest}", list[..shown].join(" "));
    }
    if more > 0 {
        let _text = writeln!(text, "and {more} more");
    }
    text
}

/// What the standard's two letters stand for.
fn meaning(talker: &str) -> &'static str {
    match talker {
        "GP" => " (GPS)",
        "GN" => " (GNSS)",
        "GL" => " (GLONASS)",
        "GA" => " (Galileo)",
        "GB" | "BD" => " (BeiDou)",
        "AI" => " (AIS)",
        "AB" | "BS" => " (AIS base station)",
        "WI" => " (wind)",
        "SD" => " (sounder)",
        "VW" => " (log)",
        "HC" => " (compass)",
        "HE" => " (gyro)",
        "II" => " (integrated instruments)",
        "RA" => " (radar)",
        "AG" | "AP" => " (autopilot)",
        "EC" => " (chart plotter)",
        "ER" => " (engine)",
        "YX" => " (transducer)",
        _ => "",
    }
}

fn skipped(report: &Report) -> String {
    let s = &report.skipped;
    let reasons = [
        (s.bad_checksum, "bad checksum"),
        (s.no_sentence, "no sentence"),
        (s.truncated, "truncated"),
        (s.garbled, "garbled"),
        (s.too_long, "too long"),
        (s.missing_checksum, "without checksum"),
    ];
    if s.total == 0 {
        return "nothing".to_owned();
    }
    let told: Vec<String> =
        reasons.iter().filter(|(n, _)| *n > 0).map(|(n, why)| format!("{} {why}", thousands(*n))).collect();
    format!("{}: {} (--skipped lists them)", thousands(s.total), told.join(", "))
}

fn warnings(report: &Report) -> String {
    let w = &report.warnings;
    let mut text = String::new();
    if w.bad_tag_checksum > 0 {
        let _text = writeln!(text, "{} with a wrong TAG checksum", counted(w.bad_tag_checksum, "line"));
    }
    if w.over_82_characters > 0 {
        let _text = writeln!(text, "{} over 82 characters", counted(w.over_82_characters, "sentence"));
    }
    text
}

fn gaps(report: &Report, summary: &Summary, options: &Options) -> String {
    if summary.longest_gap_line == 0 {
        return String::new();
    }
    let long = options.gap as f64 / SECOND as f64;
    let gaps = if summary.gaps == 0 { "none".to_owned() } else { thousands(summary.gaps) };
    format!(
        "{gaps} over {long} s; the longest time between two sentences is {}, before line {}",
        length(report.timing.longest_gap_ms * MILLISECOND),
        summary.longest_gap_line
    )
}

fn breaks(summary: &Summary) -> String {
    if summary.breaks == 0 {
        return String::new();
    }
    let list = &summary.report.timing.breaks;
    let mut text = format!("{}: the clock jumped, the cadence goes on\n", thousands(summary.breaks));
    for b in list.iter().take(BREAKS) {
        let sign = if b.seconds < 0.0 { "back" } else { "forward" };
        let by = length((b.seconds.abs() * SECOND as f64) as i64);
        let _text = writeln!(text, "line {}: {sign} by {by}", b.line);
    }
    if summary.breaks > BREAKS as u64 {
        let _text = writeln!(text, "and {} more (--json lists them)", summary.breaks - BREAKS as u64);
    }
    text
}

fn types(page: &mut Page, report: &Report, summary: &Summary) {
    let mut types: Vec<(&str, u64)> =
        report.types.iter().map(|(name, n)| (name.as_str(), n.as_u64().unwrap_or(0))).collect();
    types.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let width = types.iter().take(TYPES).map(|(name, _)| name.len()).max().unwrap_or(0);
    let timed = report.timing.tier != Tier::FixedInterval;
    let mut text = String::new();
    for (name, n) in types.iter().take(TYPES) {
        let _text = writeln!(text, "{name:<width$} {:>11}{}", thousands(*n), rate(*n, summary.duration, timed));
    }
    let rest: u64 = types.iter().skip(TYPES).map(|(_, n)| n).sum::<u64>() + summary.more_types;
    if rest > 0 {
        let _text = writeln!(text, "others {}", thousands(rest));
    }
    page.line("types", &text);
}

fn rate(n: u64, duration: i64, timed: bool) -> String {
    let seconds = duration as f64 / SECOND as f64;
    if !timed || n < 2 || seconds <= 0.0 {
        return String::new();
    }
    let rate = n as f64 / seconds;
    if rate >= 1.0 { format!("   {rate:.1} a second") } else { format!("   every {:.1} s", 1.0 / rate) }
}

fn moment(utc: i64) -> String {
    format!("{} {}", time::date_of(utc), time::clock(utc))
}

/// A span as people say it: `629.9 s`, `1:02:03`, `3 days 1:02:03`.
fn length(ns: i64) -> String {
    let days = ns / time::DAY;
    match ns {
        ..600_000_000_000 => format!("{:.1} s", (ns / (100 * MILLISECOND)) as f64 / 10.0),
        _ if days == 0 => time::span(ns),
        _ => format!("{} {}", counted(days.unsigned_abs(), "day"), time::span(ns % time::DAY)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_as_people_read_them() {
        let s = SECOND;
        assert_eq!(length(629_900 * MILLISECOND), "0:10:29");
        assert_eq!([length(0), length(59 * s + 950 * MILLISECOND), length(599 * s)], ["0.0 s", "59.9 s", "599.0 s"]);
        assert_eq!(
            [length(3600 * s), length(90_061 * s), length(200_000 * s)],
            ["1:00:00", "1 day 1:01:01", "2 days 7:33:20"]
        );
    }

    #[test]
    fn rates() {
        assert_eq!(rate(100, 10 * SECOND, true), "   10.0 a second");
        assert_eq!(rate(5, 10 * SECOND, true), "   every 2.0 s");
        assert_eq!(rate(5, 0, true) + &rate(1, SECOND, true) + &rate(5, SECOND, false), "");
    }
}

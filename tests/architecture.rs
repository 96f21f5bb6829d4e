//! The four floors: an arrow only ever points down. Reads the source text and fails on one that points up.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

/// Floors from the ground up: the names of their rooms, and what they must not mention besides the floors above.
const FLOORS: [(&[&str], &[&str]); 4] = [
    (
        &["core"],
        &["tokio", "ratatui", "crossterm", "clap", "rustix", "socket2", "tracing", "std::net::Tcp", "std::thread"],
    ),
    (&["runtime"], &["ratatui", "crossterm", "clap"]),
    (&["ui", "term"], &["clap"]),
    (&["main.rs", "cli.rs", "commands"], &[]),
];

#[test]
fn no_arrow_points_up() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (floor, (rooms, forbidden)) in FLOORS.iter().enumerate() {
        let above: Vec<&str> = FLOORS[floor + 1..].iter().flat_map(|(rooms, _)| rooms.iter().copied()).collect();
        for file in rooms.iter().flat_map(|room| files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room))) {
            seen += 1;
            let text = fs::read_to_string(&file).unwrap();
            for (n, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                let up = above.iter().map(|room| format!("crate::{}", room.trim_end_matches(".rs")));
                let outside = forbidden
                    .iter()
                    .map(|name| format!("{name}::"))
                    .chain(forbidden.iter().filter(|name| !name.contains(':')).map(|name| format!("use {name};")));
                for what in up.chain(outside).filter(|what| mentions(code, what)) {
                    wrong.push(format!("{}:{}: {what}", file.display(), n + 1));
                }
            }
        }
    }
    assert!(seen > 10, "only {seen} files were read");
    assert!(wrong.is_empty(), "upward arrows:\n{}", wrong.join("\n"));
}

#[test]
fn a_clock_is_read_in_two_files_only() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let clocks = [src.join("runtime/clock.rs"), src.join("term/clock.rs")];
    let reads = ["SystemTime::now(", "Instant::now(", "Utc::now(", "Local::now("];
    let mut wrong = Vec::new();
    for file in files(&src).into_iter().filter(|f| !clocks.contains(f)) {
        let text = fs::read_to_string(&file).unwrap();
        for (n, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if reads.iter().any(|r| code.contains(r)) {
                wrong.push(format!("{}:{}: {}", file.display(), n + 1, line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "clocks read elsewhere:\n{}", wrong.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for() {
    for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//!"), "{} does not begin with //!", file.display());
    }
}

/// `what` stands in `code`, and not as the tail of a longer name.
fn mentions(code: &str, what: &str) -> bool {
    code.match_indices(what).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + what.len()..].chars().next();
        let joined = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !joined(before) && (what.ends_with(':') || !joined(after) || what.contains("std::"))
    })
}

fn files(path: &Path) -> Vec<PathBuf> {
    if path.extension().is_some_and(|e| e == "rs") {
        return if path.is_file() { vec![path.to_path_buf()] } else { Vec::new() };
    }
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    entries.flat_map(|entry| files(&entry.unwrap().path())).collect()
}

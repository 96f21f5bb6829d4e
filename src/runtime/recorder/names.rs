//! Names of recordings: `nmeasimx-<UTC>-<source>.nmea`, and what to do when one is taken.

use std::path::{Path, PathBuf};

use crate::core::time::{self, SECOND, Utc};

/// The name of a recording that begins now: `nmeasimx-20260923T100000Z-harbour.nmea`.
pub fn recording(utc: Utc, source: &str) -> String {
    let date = time::date_of(utc);
    let s = time::time_of_day(utc) / SECOND;
    let slug = slug(source);
    format!(
        "nmeasimx-{:04}{:02}{:02}T{:02}{:02}{:02}Z-{slug}.nmea",
        date.year,
        date.month,
        date.day,
        s / 3600,
        s / 60 % 60,
        s % 60
    )
}

const EXTENSIONS: [&str; 7] = [".nmea", ".log", ".toml", ".gpx", ".kml", ".txt", ".gz"];

/// What the name of a source leaves in a file name: letters, digits, `-` and `_`, at most 40.
pub fn slug(source: &str) -> String {
    let stem = source.rsplit('/').next().unwrap_or(source);
    let mut stem = stem;
    while let Some(shorter) = EXTENSIONS.iter().find_map(|end| stem.strip_suffix(end)) {
        stem = shorter;
    }
    let mut slug = String::new();
    for c in stem.chars().take(200) {
        if c.is_ascii_alphanumeric() || c == '_' {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() == 40 {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "session".into() } else { slug.into() }
}

/// The n-th alternative of a name: `a.nmea`, `a-2.nmea`, `a-3.nmea` …
pub fn alternative(path: &Path, n: u32) -> PathBuf {
    if n < 2 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{n}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{n}"),
    };
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_time_and_are_safe() {
        // 1790080496 is 2026-09-22T12:34:56Z
        assert_eq!(recording(1_790_080_496 * SECOND, "Harbour"), "nmeasimx-20260922T123456Z-harbour.nmea");
        assert_eq!(slug("/home/x/My Trip (2).nmea.gz"), "my-trip-2");
        assert_eq!(slug("tcp:192.168.1.20:10110"), "tcp-192-168-1-20-10110");
        assert_eq!(slug("\u{1b}[2J../.."), "session");
        assert_eq!(slug("Αίγινα"), "session");
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        assert_eq!(alternative(Path::new("/a/b.nmea"), 1), Path::new("/a/b.nmea"));
        assert_eq!(alternative(Path::new("/a/b.nmea"), 2), Path::new("/a/b-2.nmea"));
        assert_eq!(alternative(Path::new("b"), 3), Path::new("b-3"));
    }
}

//! Names of recordings: `nmeasimx-<UTC>-<source>.nmea`, and what to do when one is taken.

use std::ffi::OsStr;
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

/// Whether another name of the same folder is one that recordings called so take one after the other: the same, with a
/// number behind it, and with any date where there is one.
pub fn is_same_series(own: &Path, other: &OsStr) -> bool {
    let other = Path::new(other);
    let (Some(mine), Some(theirs)) =
        (own.file_stem().and_then(OsStr::to_str), other.file_stem().and_then(OsStr::to_str))
    else {
        return false;
    };
    let (mine, theirs) = (without_date(mine), without_date(theirs));
    let number = theirs.1.strip_prefix(mine.1);
    own.extension() == other.extension() && mine.0 == theirs.0 && number.is_some_and(|n| n.is_empty() || is_number(n))
}

/// `-2` and up, as [`alternative`] writes it.
fn is_number(text: &str) -> bool {
    let n = text.strip_prefix('-').and_then(|n| n.parse::<u32>().ok());
    n.is_some_and(|n| n >= 2 && text == format!("-{n}"))
}

/// Whether a name begins as [`recording`] makes it, and what is behind the date.
fn without_date(stem: &str) -> (bool, &str) {
    let rest = stem.strip_prefix("nmeasimx-").and_then(|rest| {
        let (date, behind) = rest.split_at_checked(16)?;
        let form =
            date.bytes().zip(*b"00000000T000000Z").all(|(b, f)| if f == b'0' { b.is_ascii_digit() } else { b == f });
        behind.strip_prefix('-').filter(|_| form)
    });
    rest.map_or((false, stem), |rest| (true, rest))
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

    #[test]
    fn a_series_is_one_name_with_numbers_and_dates() {
        let same = |own: &str, other: &str| is_same_series(Path::new(own), OsStr::new(other));
        for other in ["boat.nmea", "boat-2.nmea", "boat-17.nmea"] {
            assert!(same("boat.nmea", other), "{other}");
        }
        for other in ["boat-1.nmea", "boat-02.nmea", "boat-x.nmea", "boat2.nmea", "boat-2.log", "boat", "my-boat.nmea"]
        {
            assert!(!same("boat.nmea", other), "{other}");
        }
        let own = "nmeasimx-20260923T100000Z-boat.nmea";
        for other in [own, "nmeasimx-20250101T235959Z-boat.nmea", "nmeasimx-20250101T235959Z-boat-3.nmea"] {
            assert!(same(own, other), "{other}");
        }
        for other in [
            "boat.nmea",
            "nmeasimx-20250101T235959Z-boats.nmea",
            "nmeasimx-20250101T235959Z-my-boat.nmea",
            "nmeasimx-2025010XT235959Z-boat.nmea",
            "nmeasimx-20250101T235959Z.nmea",
        ] {
            assert!(!same(own, other), "{other}");
        }
    }
}

//! What could be opened from here: logs, profiles, tracks, serial ports, sessions that run.
//!
//! Only looks; opens nothing. Bounded.

use std::path::{Path, PathBuf};

use super::open::{base_name, shown};
use super::snapshot::Openable;
use crate::core::time::{SECOND, Utc};
use crate::runtime::control::address;
use crate::runtime::machine;

/// Files of one folder that are listed, the newest first.
const FILES: usize = 200;

/// Everything, by kind; files newest first.
pub async fn openables(record_folder: PathBuf, profile_folder: Option<PathBuf>) -> Vec<Openable> {
    let files = tokio::task::spawn_blocking(move || files(&record_folder, profile_folder.as_deref()));
    let mut found = files.await.unwrap_or_default();
    for port in machine::ports() {
        let name = port.target.map_or_else(|| port.path.clone(), |t| format!("{} ({t})", port.path));
        let spec = format!("serial:{}@auto", port.path);
        found.push(Openable { spec, name, kind: "port".into(), ..Openable::default() });
    }
    for session in address::sessions().await.unwrap_or_default() {
        let spec = session.to_string();
        found.push(Openable { name: spec.clone(), spec, kind: "session".into(), ..Openable::default() });
    }
    found
}

fn files(record_folder: &Path, profile_folder: Option<&Path>) -> Vec<Openable> {
    let mut found = Vec::new();
    let here = Path::new(".");
    for folder in [here, Path::new("logs"), record_folder] {
        list(folder, "log", &[".nmea", ".log", ".nmea.gz", ".log.gz"], &mut found);
    }
    for folder in [Some(here), Some(Path::new("profiles")), profile_folder].into_iter().flatten() {
        list(folder, "profile", &[".toml"], &mut found);
    }
    for folder in [here, Path::new("tracks")] {
        list(folder, "track", &[".gpx", ".kml"], &mut found);
    }
    found
}

fn list(folder: &Path, kind: &str, ends: &[&str], found: &mut Vec<Openable>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut own: Vec<Openable> = Vec::new();
    for entry in entries.filter_map(Result::ok).take(10_000) {
        let path = entry.path();
        let name = base_name(&path);
        let lower = name.to_ascii_lowercase();
        if !ends.iter().any(|end| lower.ends_with(end)) {
            continue;
        }
        // Project files of other programs are no profiles.
        if kind == "profile" && folder == Path::new(".") && !is_profile(&path) {
            continue;
        }
        let Ok(about) = std::fs::metadata(&path) else { continue };
        if !about.is_file() {
            continue;
        }
        let spec = path.strip_prefix("./").unwrap_or(&path);
        // What is opened by this text must be this very file.
        let Some(spec) = spec.to_str() else { continue };
        let changed = about.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
        let changed = changed.and_then(|d| Utc::try_from(d.as_secs()).ok()).map(|s| s.saturating_mul(SECOND));
        if found.iter().any(|o| o.spec == spec) {
            continue;
        }
        own.push(Openable {
            spec: spec.into(),
            name: shown(Path::new(spec)),
            kind: kind.into(),
            size: Some(about.len()),
            changed,
            span: None,
        });
    }
    own.sort_by_key(|o| std::cmp::Reverse(o.changed));
    own.truncate(FILES);
    found.extend(own);
}

fn is_profile(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.contains("schema_version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_listed_by_kind_newest_first() {
        let folder = tempfile::tempdir().unwrap();
        for (name, age) in [("old.nmea", 100), ("new.LOG", 1), ("notes.txt", 1), ("way.gpx", 1)] {
            let path = folder.path().join(name);
            let file = std::fs::File::create(&path).unwrap();
            let then = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_790_000_000 - age);
            file.set_modified(then).unwrap();
        }
        let mut found = Vec::new();
        list(folder.path(), "log", &[".nmea", ".log"], &mut found);
        let names: Vec<String> = found.iter().map(|o| base_name(Path::new(&o.spec))).collect();
        assert_eq!(names, ["new.LOG", "old.nmea"]);
        assert_eq!(found[0].changed, Some(1_789_999_999 * SECOND));
    }
}

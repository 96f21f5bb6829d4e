//! What could be opened from here: logs, profiles, tracks, serial ports, sessions that run; and where outputs could go to.
//!
//! Only looks; opens nothing. Bounded.

use std::path::{Path, PathBuf};

use super::open::{base_name, shown};
use super::snapshot::Openable;
use crate::core::output::{NAVD_GROUP, NAVD_PORT, USUAL_PORT};
use crate::core::time::{SECOND, Utc};
use crate::runtime::control::address;
use crate::runtime::machine::{self, Interface, Port};

/// Files of one folder that are listed, the newest first.
const FILES: usize = 200;

/// Everything, by kind; files newest first.
pub async fn openables(record_folder: PathBuf, profile_folder: Option<PathBuf>) -> Vec<Openable> {
    let files = tokio::task::spawn_blocking(move || files(&record_folder, profile_folder.as_deref()));
    let mut found = files.await.unwrap_or_default();
    let ports = machine::ports();
    for port in &ports {
        let spec = format!("serial:{}@auto", port.path);
        found.push(Openable { spec, name: called(port), kind: "port".into(), ..Openable::default() });
    }
    for session in address::sessions().await.unwrap_or_default() {
        let spec = session.to_string();
        found.push(Openable { name: spec.clone(), spec, kind: "session".into(), ..Openable::default() });
    }
    let places = outputs(&ports, &machine::interfaces().unwrap_or_default());
    found.extend(places.into_iter().map(|(spec, name)| Openable {
        spec,
        name,
        kind: OUTPUT.into(),
        ..Openable::default()
    }));
    found
}

/// The kind of what can be sent to; everything else can be opened.
pub const OUTPUT: &str = "output";

fn called(port: &Port) -> String {
    port.target.as_ref().map_or_else(|| port.path.clone(), |t| format!("{} ({t})", port.path))
}

/// SPECs of outputs to this machine's ports and networks, each with what it is.
fn outputs(ports: &[Port], interfaces: &[Interface]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for i in interfaces.iter().filter(|i| i.up && !i.address.is_loopback() && i.address.is_ipv4()) {
        all.push((format!("tcp-server:{}:{USUAL_PORT}", i.address), format!("whoever connects by {}", i.name)));
    }
    for i in interfaces {
        if let (true, Some(everybody)) = (i.up, i.broadcast) {
            all.push((format!("udp-broadcast:{}:{USUAL_PORT}", i.name), format!("everybody on {everybody}")));
        }
    }
    for i in interfaces.iter().filter(|i| i.up && i.address.is_ipv4() && !i.address.is_loopback()) {
        let spec = format!("udp-multicast:{NAVD_GROUP}:{NAVD_PORT};encoding=iec61162-450;interface={}", i.name);
        all.push((spec, format!("a bridge network by {}", i.name)));
    }
    for port in ports {
        all.push((format!("serial:{}@4800", port.path), port.target.clone().unwrap_or_default()));
    }
    all
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
    fn ports_and_networks_are_offered_as_specs_that_can_be_read() {
        use crate::core::output::OutputSpec;
        let interface = |name: &str, address: [u8; 4], broadcast: Option<[u8; 4]>, up| Interface {
            name: name.into(),
            address: address.into(),
            prefix: 24,
            broadcast: broadcast.map(Into::into),
            up,
        };
        let interfaces = [
            interface("lo", [127, 0, 0, 1], None, true),
            interface("wlan0", [192, 168, 5, 2], Some([192, 168, 5, 255]), true),
            interface("eth0", [10, 0, 0, 7], Some([10, 0, 0, 255]), false),
        ];
        let ports = [Port { path: "/dev/serial/by-id/usb-A1".into(), target: Some("/dev/ttyUSB0".into()) }];
        let all = outputs(&ports, &interfaces);
        let specs: Vec<&str> = all.iter().map(|(spec, _)| spec.as_str()).collect();
        assert_eq!(
            specs,
            [
                "tcp-server:192.168.5.2:10110",
                "udp-broadcast:wlan0:10110",
                "udp-multicast:239.192.0.4:60004;encoding=iec61162-450;interface=wlan0",
                "serial:/dev/serial/by-id/usb-A1@4800",
            ]
        );
        for spec in specs {
            OutputSpec::parse(spec).unwrap_or_else(|e| panic!("{e}"));
        }
        assert_eq!(all[1].1, "everybody on 192.168.5.255");
        assert_eq!(all[3].1, "/dev/ttyUSB0");
    }

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

//! Writes a profile into its file, as it runs or as the scenario of what was asked meanwhile.
//!
//! Must not leave half a file behind.

use std::io;
use std::path::{Path, PathBuf};

use crate::core::profile::Profile;

/// `scenario`, or `scenario PATH`: the path, if that is what is to be saved.
pub fn scenario_path(argument: &str) -> Option<&str> {
    let rest = argument.trim().strip_prefix("scenario")?;
    (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim())
}

/// Where to: the path given, else the profile's own.
///
/// # Errors
/// When there is neither.
pub fn target(path: &str, own: Option<&Path>) -> Result<PathBuf, String> {
    match (path, own) {
        ("", Some(own)) => Ok(own.to_path_buf()),
        ("", None) => Err("the built-in profile has no file: give a path".into()),
        (path, _) => Ok(PathBuf::from(path)),
    }
}

/// Saves a profile into a file, whose comments stay; what to say of it.
///
/// # Errors
/// One line that names the file.
pub fn write(profile: &Profile, target: &Path) -> Result<String, String> {
    let shown = crate::core::visible::text(target.as_os_str().as_encoded_bytes());
    let text = match std::fs::read_to_string(target) {
        Ok(text) => text,
        Err(e) if e.kind() == io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(format!("{shown}: {e}")),
    };
    let saved = profile.save_into(&text, &shown).map_err(|e| e.lines().join("; "))?;
    // Beside it first, so that a power cut leaves one or the other whole.
    let beside = target.with_extension("toml.new");
    let written = std::fs::write(&beside, saved).and_then(|()| std::fs::rename(&beside, target));
    written.map_err(|e| format!("{shown}: {e}"))?;
    Ok(format!("saved {shown}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::sim::Simulation;
    use crate::core::time::SECOND;
    use crate::core::transport::{Change, Source};

    #[test]
    fn a_scenario_is_saved_by_its_name() {
        assert_eq!(scenario_path("scenario"), Some(""));
        assert_eq!(scenario_path(" scenario  a b.toml "), Some("a b.toml"));
        assert_eq!(scenario_path("scenarios.toml"), None);
        assert_eq!(scenario_path(""), None);
        assert!(target("", None).is_err());
    }

    #[test]
    fn a_saved_scenario_keeps_comments_and_sails_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("boat.toml");
        std::fs::write(&file, "# my boat\nschema_version = 1\n").unwrap();
        let mut sim = Simulation::new(Profile::built_in(), 0);
        sim.poll(10 * SECOND, usize::MAX, &mut Vec::new()).unwrap();
        sim.set(&Change::Set { key: "vessel.heading".into(), value: "90".into() }).unwrap();
        let said = write(&sim.scenario().unwrap(), &file).unwrap();
        assert!(said.starts_with("saved ") && said.ends_with("boat.toml"), "{said}");
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("# my boat\n"), "{text}");
        let read = Profile::parse(&text, "boat").unwrap();
        assert_eq!(read.step[0].at, 10 * SECOND + SECOND / 20);
        assert_eq!(read.vessel.heading, 225.0);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

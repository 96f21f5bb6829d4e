//! Where things lie: the folders of the XDG base directories, and profiles by name in them. Reads nothing but profiles.

use std::path::PathBuf;

use nmeasimx::core::profile::{BUILT_IN, Profile};
use nmeasimx::runtime::session::open::{read_profile, shown};

/// Where the program keeps what it makes: `nmeasimx` in the XDG data folder.
pub fn data_folder() -> PathBuf {
    use etcetera::BaseStrategy;
    etcetera::choose_base_strategy().map_or_else(|_| PathBuf::from("nmeasimx"), |base| base.data_dir().join("nmeasimx"))
}

/// Where the program keeps its own log: `nmeasimx` in the XDG state folder.
pub fn state_folder() -> PathBuf {
    use etcetera::BaseStrategy;
    let state = etcetera::choose_base_strategy().ok().and_then(|base| base.state_dir());
    state.map_or_else(data_folder, |folder| folder.join("nmeasimx"))
}

/// Where the user keeps what the program reads: `nmeasimx` in the XDG config folder.
pub fn config_folder() -> PathBuf {
    use etcetera::BaseStrategy;
    let base = etcetera::choose_base_strategy();
    base.map_or_else(|_| PathBuf::from("nmeasimx"), |base| base.config_dir().join("nmeasimx"))
}

/// A profile by path or name, and where it was found; `None`: it is built in.
///
/// # Errors
/// Where it was looked for; or every line that is wrong in it.
pub fn find_profile(name: &str) -> Result<(Profile, Option<PathBuf>), String> {
    let given = PathBuf::from(name);
    if given.is_file() || name.contains('/') || name.ends_with(".toml") {
        return Ok((read_profile(&given)?, Some(given)));
    }
    for folder in [PathBuf::from("profiles"), config_folder().join("profiles")] {
        let path = folder.join(format!("{name}.toml"));
        if path.is_file() {
            return Ok((read_profile(&path)?, Some(path)));
        }
    }
    if let Some((_, text)) = BUILT_IN.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
        return Ok((Profile::parse(text, name).map_err(|error| error.to_string())?, None));
    }
    let built_in: Vec<&str> = BUILT_IN.iter().map(|(known, _)| *known).collect();
    Err(format!(
        "no profile {:?}: looked in ./profiles, {} and the built-in ones ({})",
        nmeasimx::core::visible::text(name.as_bytes()),
        shown(&config_folder().join("profiles")),
        built_in.join(", ")
    ))
}

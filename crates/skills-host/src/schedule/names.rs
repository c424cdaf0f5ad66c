//! The names of schedules, and their short names.

use skills_store::{Error, ErrorKind};

/// Finds the name that a name or a short name refers to.
pub(crate) fn named(name: &str, mut names: Vec<String>) -> Result<String, Error> {
    names.sort();
    names.dedup();
    if names.iter().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    names.retain(|known| short_name(known) == Some(name));
    match names.as_slice() {
        [name] => Ok(name.clone()),
        [] => {
            let message = format!("no schedule has the name '{}'", name.escape_debug());
            Err(Error::new(ErrorKind::NotFound, message)
                .help("`skills schedule list` shows the schedules"))
        }
        several => {
            let message = format!("'{name}' is the short name of several schedules");
            Err(Error::new(ErrorKind::Usage, message)
                .help(format!("write one of {}", several.join(", "))))
        }
    }
}

/// Returns the short name of a scheduled skill: its name without the `-` and the eight hex digits at the end.
pub fn short_name(name: &str) -> Option<&str> {
    let (short, hash) = name.rsplit_once('-')?;
    let is_hash = hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hash && !short.is_empty()).then_some(short)
}

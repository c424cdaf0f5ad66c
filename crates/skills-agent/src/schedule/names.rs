//! The names of schedules, and their short names.

use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer};
use skills_format::SkillName;
use skills_store::{Error, ErrorKind};

/// Reads the name of a schedule and of its skill: a valid skill name.
///
/// The name is a part of paths: of the skill's folder, of its records and of their lock. A name from a file is checked
/// when the file is read, so no such path leads elsewhere.
pub(crate) fn read_name<'de, D: Deserializer<'de>>(json: D) -> Result<String, D::Error> {
    let name = String::deserialize(json)?;
    if let Err(error) = SkillName::new(&name) {
        // A name of megabytes is not a message.
        let shown: String = name.chars().take(100).collect();
        let shown = shown.escape_debug();
        return Err(D::Error::custom(format_args!(
            "the name '{shown}': {error}"
        )));
    }
    Ok(name)
}

/// Finds the name that a name or a short name refers to.
pub(crate) fn named(name: &str, mut names: Vec<String>) -> Result<String, Error> {
    names.sort();
    names.dedup();
    if let Some(known) = names.iter().find(|known| *known == name) {
        return Ok(known.clone());
    }
    let all = names.clone();
    names.retain(|known| short_name(known) == Some(name));
    match names.as_slice() {
        [name] => Ok(name.clone()),
        [] => {
            let message = format!("no schedule has the name '{}'", name.escape_debug());
            // The short names first: people type these.
            let short = all.iter().filter_map(|known| short_name(known));
            let known = short.chain(all.iter().map(String::as_str));
            Err(Error::new(ErrorKind::NotFound, message)
                .help("`skills schedule` lists the schedules")
                .did_you_mean(name, known))
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

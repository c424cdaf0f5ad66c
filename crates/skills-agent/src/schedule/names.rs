//! The names of schedules, and their short names.

use serde::{Deserialize, Serialize};
use skills_format::SkillName;
use skills_format::name::NameError;
use skills_store::{Error, ErrorKind};
use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::path::Path;

/// The name of a schedule and of its skill: a valid skill name.
///
/// The name is a part of paths: of the skill's folder, of its records and of their lock. A name from a file is checked
/// when the file is read, so no such path leads elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct ScheduleName(String);

impl ScheduleName {
    /// Checks a name.
    ///
    /// # Errors
    ///
    /// The name is not a valid skill name.
    pub fn new(name: &str) -> Result<Self, NameError> {
        SkillName::new(name).map(|name| Self(name.into_string()))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for ScheduleName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::new(&name).map_err(|error| {
            // A name of megabytes is not a message.
            let shown: String = name.chars().take(100).collect();
            format!("the name '{}': {error}", shown.escape_debug())
        })
    }
}

impl Deref for ScheduleName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for ScheduleName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<Path> for ScheduleName {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl fmt::Display for ScheduleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Finds the name that a name or a short name refers to.
pub(crate) fn named(name: &str, mut names: Vec<ScheduleName>) -> Result<ScheduleName, Error> {
    names.sort();
    names.dedup();
    if let Some(known) = names.iter().find(|known| known.as_str() == name) {
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
            let known = short.chain(all.iter().map(ScheduleName::as_str));
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

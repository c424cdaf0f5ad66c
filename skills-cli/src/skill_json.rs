//! A skill as `list` and `show` give it to programs.

use serde::Serialize;
use skills_runtime::{Entry, Location, Text};
use std::borrow::Cow;

/// One skill of the catalog. Fields are added, never renamed.
#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "the document has them")]
pub(crate) struct SkillJson<'c> {
    name: &'c str,
    id: Cow<'c, str>,
    source: &'c str,
    description: &'c str,
    /// The skill's folder; null for one in the program.
    path: Option<Cow<'c, str>>,
    enabled: bool,
    trusted: bool,
    sealed: bool,
    user_invocable: bool,
    model_invocable: bool,
    shadowed_by: Option<Cow<'c, str>>,
    aliases: &'c [Text],
    /// The slash command; null for a skill that a person may not start.
    command: Option<&'c str>,
}

impl<'c> SkillJson<'c> {
    pub(crate) fn new(entry: Entry<'c>) -> Self {
        Self {
            name: entry.name(),
            id: entry.id(),
            source: entry.source().name(),
            description: entry.description(),
            path: match entry.location() {
                Location::Folder(path) => Some(path.to_string_lossy()),
                _ => None,
            },
            enabled: entry.is_enabled(),
            trusted: entry.is_trusted(),
            sealed: entry.is_sealed(),
            user_invocable: entry.is_user_invocable(),
            model_invocable: entry.is_model_invocable(),
            shadowed_by: entry.shadowed_by().map(|other| other.id()),
            aliases: &entry.fields().aliases,
            command: entry.is_user_invocable().then_some(entry.name()),
        }
    }
}

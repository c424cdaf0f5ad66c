//! The commands of scheduled skills: the names have a prefix, and menus list these commands last.

use crate::scheduled::scheduled;
use skills_runtime::Catalog;
use skills_runtime::Skill;

/// The length of the suffix that is not part of a short name: `-` and eight hexadecimal digits.
const HASH: usize = 9;

/// A command of a scheduled skill.
pub(crate) struct ScheduledCommand<'c> {
    /// The name without `/`.
    pub(crate) name: String,
    /// The id of the skill in the catalog to which the scheduled skills belong.
    pub(crate) skill: String,
    pub(crate) entry: Skill<'c>,
}

/// Returns the commands of the scheduled skills, sorted by name.
pub(crate) fn scheduled_commands<'c>(
    catalog: &'c Catalog,
    prefix: &str,
) -> Vec<ScheduledCommand<'c>> {
    let catalog = scheduled(catalog).filter(|_| !prefix.is_empty());
    let entries = catalog.into_iter().flat_map(Catalog::iter);
    let mut commands: Vec<ScheduledCommand<'_>> = entries
        .map(|entry| ScheduledCommand {
            name: format!("{prefix}{}", entry.name()),
            skill: entry.to_string(),
            entry,
        })
        .collect();
    commands.sort_by(|a, b| a.name.cmp(&b.name));
    commands
}

/// Returns the short name of a scheduled skill: its name without the suffix of `-` and eight hexadecimal
/// digits. Returns `None` if the name has no such suffix.
pub(crate) fn short_name(name: &str) -> Option<&str> {
    let (short, hash) = name.split_at_checked(name.len().checked_sub(HASH)?)?;
    let hash = hash.strip_prefix('-')?;
    let is_hash = hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hash && !short.is_empty()).then_some(short)
}

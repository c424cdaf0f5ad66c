//! Scheduled skills: they are not part of a catalog, and a policy gives them commands.

use skills_format::mention::Id;
use skills_runtime::{Catalog, CatalogBuilder, Skill};
use std::path::PathBuf;

/// The name of the source of scheduled skills.
const SOURCE: &str = "scheduler";

/// The catalog of the scheduled skills, attached to the catalog.
struct Scheduled(Catalog);

/// Sets the folder of scheduled skills of a catalog. A layout sets it too.
#[must_use]
pub fn with_folder(builder: CatalogBuilder, folder: impl Into<PathBuf>) -> CatalogBuilder {
    let folder = folder.into();
    builder.attach(move |builder| Scheduled(builder.directory(SOURCE, &folder).load()))
}

/// Returns the scheduled skills beside a catalog, with the same disabled skills and the same home folder. Returns `None` if no folder is set.
///
/// # Cost
///
/// The first call reads the folder. A missing folder contains no skills.
pub fn scheduled(catalog: &Catalog) -> Option<&Catalog> {
    let Scheduled(scheduled) = catalog.attached()?;
    Some(scheduled)
}

/// Finds a scheduled skill by its id: `scheduler:NAME`.
pub fn scheduled_skill<'c>(catalog: &'c Catalog, id: &str) -> Option<Skill<'c>> {
    let scheduled = scheduled(catalog)?;
    (Id::parse(id).source == Some(SOURCE)).then(|| scheduled.get(id))?
}

/// The length of the suffix that is not part of a short name: `-` and eight hexadecimal digits.
const HASH: usize = 9;

/// Returns the names of the commands of the scheduled skills, without `/`, in order.
pub(crate) fn scheduled_commands<'c>(
    catalog: &'c Catalog,
    prefix: &str,
) -> Vec<(String, Skill<'c>)> {
    let catalog = scheduled(catalog).filter(|_| !prefix.is_empty());
    let skills = catalog.into_iter().flat_map(Catalog::iter);
    let mut commands: Vec<_> = skills
        .map(|skill| (format!("{prefix}{}", skill.name()), skill))
        .collect();
    commands.sort_by(|(a, _), (b, _)| a.cmp(b));
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

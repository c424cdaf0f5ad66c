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
/// The first call reads the folder. A missing folder holds no skill.
pub fn scheduled(catalog: &Catalog) -> Option<&Catalog> {
    let Scheduled(scheduled) = catalog.attached()?;
    Some(scheduled)
}

/// Finds a scheduled skill by its id: `scheduler:NAME`.
pub fn scheduled_skill<'c>(catalog: &'c Catalog, id: &str) -> Option<Skill<'c>> {
    let scheduled = scheduled(catalog)?;
    (Id::parse(id).source == Some(SOURCE)).then(|| scheduled.get(id))?
}

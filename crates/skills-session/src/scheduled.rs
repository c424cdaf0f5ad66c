//! Scheduled skills: they are not part of a catalog, and a policy gives them commands.

use skills_runtime::{Catalog, CatalogBuilder, Skill};
use std::path::PathBuf;

/// The name of the source of scheduled skills.
const SOURCE: &str = "scheduler";

/// The folder of scheduled skills, attached to a catalog.
struct ScheduledFolder {
    folder: PathBuf,
    home: Option<PathBuf>,
}

/// The catalog of the scheduled skills, kept beside the catalog.
struct Scheduled(Catalog);

/// Sets the folder of scheduled skills of a catalog, and the home folder, below which their paths are written with `~`. A
/// layout sets both too.
#[must_use]
pub fn with_folder(
    builder: CatalogBuilder,
    folder: impl Into<PathBuf>,
    home: Option<PathBuf>,
) -> CatalogBuilder {
    let folder = folder.into();
    builder.attach(ScheduledFolder { folder, home })
}

/// Returns the scheduled skills beside a catalog, with the same disabled skills. Returns `None` if no folder is set.
///
/// # Cost
///
/// The first call reads the folder. A missing folder holds no skill.
pub fn scheduled(catalog: &Catalog) -> Option<&Catalog> {
    let ScheduledFolder { folder, home } = catalog.attached()?;
    let Scheduled(scheduled) = catalog.kept(|| {
        let mut builder = Catalog::builder().directory(SOURCE, folder);
        if let Some(home) = home {
            builder = builder.home(home);
        }
        Scheduled(builder.disabled(catalog.disabled().clone()).load())
    });
    Some(scheduled)
}

/// Finds a scheduled skill by its id: `scheduler:NAME`.
pub fn scheduled_skill<'c>(catalog: &'c Catalog, id: &str) -> Option<Skill<'c>> {
    let name = id.strip_prefix(SOURCE)?.strip_prefix(':')?;
    scheduled(catalog)?.in_source(SOURCE, name)
}

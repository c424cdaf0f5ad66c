//! The skills that a skill needs, by `metadata.requires.skills`.

use crate::catalog::Catalog;
use crate::catalog::entry::Skill;
use skills_format::Diagnostic;

impl Skill<'_> {
    /// Returns the names in the skill's `metadata.requires.skills` that no skill of the catalog answers to, in the
    /// order written. The skill can be started all the same. At most 100 names are looked up.
    pub fn missing_skills(&self) -> Vec<String> {
        let is_missing = |name: &&str| self.catalog.get(name.trim_start_matches('$')).is_none();
        let needed = self.fields().requires.needed();
        needed.filter(is_missing).map(str::to_owned).collect()
    }
}

/// Reports the folders' skills that need a skill that is not here. The skills of a bundle are checked when the bundle
/// is compiled: here they would cost time at every start.
pub(crate) fn missing(catalog: &Catalog) -> Vec<Diagnostic> {
    on_disk::missing(catalog)
}

mod on_disk {
    use crate::catalog::Catalog;
    use crate::catalog::diagnostics;
    use crate::catalog::entry::Location;
    use crate::catalog::index::Spot;
    use crate::source::Content;
    use skills_format::Diagnostic;

    pub(super) fn missing(catalog: &Catalog) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (source, folders) in catalog.sources().iter().enumerate() {
            let Content::Folders(folders) = &folders.content else {
                continue;
            };
            for (skill, of_folder) in folders.skills.iter().enumerate() {
                if of_folder.fields().requires.skills.is_empty() {
                    continue;
                }
                let entry = super::Skill::of(catalog, Spot { source, skill });
                let Some((entry, Location::Folder(dir))) =
                    entry.map(|entry| (entry, entry.location()))
                else {
                    continue;
                };
                let missing = entry.missing_skills();
                if !missing.is_empty() {
                    let path = dir.join(entry.file_name().unwrap_or_default());
                    found.push(diagnostics::needed(&path, &entry.id(), &missing));
                }
            }
        }
        found
    }
}

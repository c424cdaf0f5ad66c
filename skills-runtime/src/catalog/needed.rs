//! The skills that a skill needs, by `metadata.requires.skills`.

use crate::catalog::Catalog;
use crate::catalog::diagnostics;
use crate::catalog::index::Spot;
use crate::catalog::skill::Skill;
use crate::source::Content;
use skills_format::Diagnostic;

/// Reports the folders' skills that need a skill that is not here. The skills of a bundle are checked when the bundle
/// is compiled: here they would cost time at every start.
pub(crate) fn missing(catalog: &Catalog) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (source, folders) in catalog.sources().iter().enumerate() {
        let Content::Folders(folders) = &folders.content else {
            continue;
        };
        for (index, of_folder) in folders.skills.iter().enumerate() {
            let requires = &of_folder.fields().requires;
            if requires.skills.is_empty() {
                continue;
            }
            let Some(skill) = Skill::of(
                catalog,
                Spot {
                    source,
                    skill: index,
                },
            ) else {
                continue;
            };
            let Some(dir) = skill.folder() else {
                continue;
            };
            let is_missing = |name: &&str| catalog.get(name.trim_start_matches('$')).is_none();
            let missing: Vec<String> = requires
                .needed()
                .filter(is_missing)
                .map(str::to_owned)
                .collect();
            if !missing.is_empty() {
                let path = dir.join(skill.file_name());
                found.push(diagnostics::needed(&path, &skill.id(), &missing));
            }
        }
    }
    found
}

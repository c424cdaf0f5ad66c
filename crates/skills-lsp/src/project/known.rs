//! The skills that a mention can name, each read once.

use skills_repository::repository::{Bundle, Repository};
use skills_repository::triggers::LoadedSkill;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A skill that a mention can name.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) when_to_use: String,
    pub(crate) is_for_model: bool,
    /// The folder, relative to the walked folder.
    pub(crate) dir: String,
    pub(crate) entry: PathBuf,
}

/// The skills of a bundle, by their names.
pub(crate) type Skills = BTreeMap<String, Arc<Known>>;

/// The skills that were read, by their folders; `None` for a skill that cannot be loaded. A bundle has thousands, and each
/// completion needs all names.
#[derive(Default)]
pub(crate) struct KnownSkills(RefCell<BTreeMap<String, Option<Arc<Known>>>>);

impl KnownSkills {
    /// Has the skill of a folder read again.
    pub(crate) fn forget(&self, dir: &str) {
        self.0.borrow_mut().remove(dir);
    }

    /// Returns the skills of a bundle. Of two with one name, the first counts.
    pub(crate) fn of(&self, repository: &Repository, bundle: &Bundle) -> Skills {
        let mut known = self.0.borrow_mut();
        let mut all = Skills::new();
        for skill in bundle.tree.skills_of_any_case() {
            let read = || {
                let skill = LoadedSkill::read(repository, &skill)?;
                Some(Arc::new(Known {
                    entry: repository.on_disk(&skill.location)?,
                    name: skill.name,
                    description: skill.description,
                    when_to_use: skill.when_to_use,
                    is_for_model: skill.is_for_model,
                    dir: skill.dir,
                }))
            };
            if !known.contains_key(skill.dir) {
                known.insert(skill.dir.to_owned(), read());
            }
            if let Some(Some(skill)) = known.get(skill.dir) {
                let name = all.entry(skill.name.clone());
                name.or_insert_with(|| Arc::clone(skill));
            }
        }
        all
    }
}

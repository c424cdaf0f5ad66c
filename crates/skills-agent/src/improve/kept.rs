//! The skills beside the one that an agent repairs, which are put back if the agent touches them.

use skills_host::install::Host;
use skills_host::lock::{SkillsFolder, to_entry};
use skills_store::Error;
use skills_store::files::copy::{is_there, list};
use skills_store::files::lock::LockChange;
use skills_store::files::snapshot::Snapshot;
use skills_store::files::trash::Operation;
use skills_store::files::work::{Keep, SkillChange};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The most bytes that are kept in memory. Further skills are compared, and not put back.
const MOST: u64 = 256 * 1024 * 1024;

/// The folders of a folder of skills as they were before a run.
pub(crate) struct KeptSkills {
    skills: BTreeMap<String, Snapshot>,
    /// Every folder, also the ones that are not kept.
    names: BTreeSet<String>,
}

impl KeptSkills {
    /// Reads the folders. A folder that cannot be read as a skill, or is a repository of its own, is not kept.
    pub(crate) fn read(target: &Path) -> Result<Self, Error> {
        let (mut skills, mut names, mut size) = (BTreeMap::new(), BTreeSet::new(), 0);
        for (name, path) in list(target)? {
            if name.starts_with('.') {
                continue;
            }
            names.insert(name.clone());
            let is_folder = path.is_dir() && !path.is_symlink();
            let Some(snapshot) = is_folder.then(|| Snapshot::read(&path).ok()).flatten() else {
                continue;
            };
            size += snapshot.size();
            if !snapshot.is_repository && size <= MOST {
                skills.insert(name, snapshot);
            }
        }
        Ok(Self { skills, names })
    }

    /// Puts changed folders back, and moves new ones to the trash, with what was made of the changed ones. Returns the names.
    pub(crate) fn put_back(&self, target: &Path, host: Host<'_>) -> Result<Vec<String>, Error> {
        let mut changed: Vec<(String, Option<Snapshot>)> = Vec::new();
        for (name, kept) in &self.skills {
            let path = target.join(name);
            let now = if is_there(&path)? {
                Snapshot::read(&path).ok()
            } else {
                None
            };
            if now.as_ref() != Some(kept) {
                changed.push((name.clone(), Some(kept.clone())));
            }
        }
        for (name, path) in list(target)? {
            let is_folder = path.is_dir() && !path.is_symlink();
            if !name.starts_with('.') && is_folder && !self.names.contains(&name) {
                changed.push((name, None));
            }
        }
        if changed.is_empty() {
            return Ok(Vec::new());
        }
        let waiting = |path: &Path, holder: &str| host.observer.waiting(path, holder);
        let work = SkillsFolder::open(target, host.data, &waiting)?;
        let operation = Operation::new(host.clock);
        let mut names = Vec::new();
        for (name, kept) in changed {
            let entry = work.lock()?.skills.get(&name).map(to_entry);
            let trash = host.data.trash();
            let trash = trash.place(&name, target, "improve", entry, host.clock);
            let change = SkillChange {
                name: &name,
                // Whatever is there goes to the trash, also if it is a file or a link.
                before: None,
                keep: Keep::InTrash,
                trash: trash.of_operation(&operation),
                lock: LockChange::Keep,
                consumed: None,
            };
            match kept {
                Some(kept) => work.put(&kept, change)?,
                None => work.take(change)?,
            }
            names.push(name);
        }
        Ok(names)
    }
}

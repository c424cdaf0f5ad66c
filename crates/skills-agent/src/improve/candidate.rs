//! A skill that may be improved: its present files, and the place of the result.

use crate::improve::{Site, refused};
use skills_format::disk::resolve;
use skills_format::{SkillName, command, prose};
use skills_host::files::snapshot::Snapshot;
use skills_host::lock::read_lock;
use skills_runtime::Skill;
use skills_store::Error;
use std::path::{Path, PathBuf};

/// A skill that may be improved.
#[derive(Clone, Debug)]
pub(crate) struct RepairCandidate {
    /// The name of the folder.
    pub(crate) name: String,
    /// The folder of skills for the result.
    pub(crate) target: PathBuf,
    /// The present files.
    pub(crate) base: Snapshot,
    /// True if the folder of skills is the user's own.
    pub(crate) is_of_user: bool,
}

impl RepairCandidate {
    /// Reads a skill, and checks that it may be improved.
    pub(crate) fn of(entry: &Skill<'_>, site: &Site<'_>) -> Result<Self, Error> {
        let id = entry.id();
        if entry.fields().sealed {
            return Err(refused(
                "it is sealed: no other skill may take its place",
                "ask the maker of the program for the repair",
            ));
        }
        if !entry.is_trusted() {
            return Err(refused(
                "it is not trusted, or was changed since it was trusted",
                prose!(
                    "look at the skill with {}, then trust the skill with {}",
                    command("show").word(&id),
                    command("trust").word(&id)
                ),
            ));
        }
        match entry.folder() {
            Some(folder) => Self::of_folder(folder, site),
            None => Err(refused(
                "the skill is not in a folder",
                "copy it into your folder of skills, and improve the copy",
            )),
        }
    }

    fn of_folder(folder: &Path, site: &Site<'_>) -> Result<Self, Error> {
        let help = "move the skill into a folder of its own name";
        let name = folder
            .file_name()
            .and_then(|name| name.to_str())
            .filter(|name| SkillName::new(name).is_ok());
        let (Some(name), Some(target)) = (name, folder.parent()) else {
            let why = prose!("{} is not named as a skill", folder);
            return Err(refused(why, help));
        };
        if folder.is_symlink() {
            let why = prose!("{} is a link", folder);
            return Err(refused(why, "improve the skill that the link leads to"));
        }
        // Reading the lock first finishes the change of a killed process.
        read_lock(target, site.host.data)?;
        let base = Snapshot::read(folder)?;
        if base.is_repository {
            let why = prose!("{} is a git repository of its own", folder);
            return Err(refused(why, "change it there"));
        }
        if base.skill_file().is_none() {
            let why = prose!("{} contains no SKILL.md", folder);
            return Err(refused(why, "name its file SKILL.md"));
        }
        Ok(Self {
            name: name.to_owned(),
            target: target.to_owned(),
            base,
            is_of_user: is_same(target, site.user),
        })
    }
}

/// Returns whether two paths lead to one folder.
fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((resolve(a), resolve(b)), (Ok(a), Ok(b)) if a == b)
}

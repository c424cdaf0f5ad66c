//! A skill that may be improved: its present files, and the place of the result.

// The copy of a bundled skill gets the lock entry of an exported skill. So `list` shows the program's skill that was
// copied, and whether the program's skill has changed.

use crate::improve::site::Site;
use skills_format::disk::resolve;
use skills_format::{Prose, SkillName, command, prose};
use skills_host::files::lock::LockEntry;
use skills_host::files::snapshot::Snapshot;
use skills_host::install::bundled_snapshot;
use skills_host::lock::{read_lock, snapshot_powers};
use skills_repository::{Locked, Provenance};
use skills_runtime::Skill;
use skills_store::Error;
use skills_store::files::copy::is_there;
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
    /// The lock entry of a copy of a bundled skill.
    pub(crate) copied: Option<LockEntry>,
}

/// The reason why a skill is not improved, with the help.
pub(crate) struct Reason {
    pub(crate) why: Prose,
    pub(crate) help: Prose,
}

impl Reason {
    pub(crate) fn new(why: impl Into<Prose>, help: impl Into<Prose>) -> Self {
        Self {
            why: why.into(),
            help: help.into(),
        }
    }
}

impl From<Error> for Reason {
    fn from(error: Error) -> Self {
        let help = error.remedy_or("correct it, then improve again");
        Self::new(&error, help)
    }
}

impl RepairCandidate {
    /// Reads a skill, and checks that it may be improved.
    pub(crate) fn of(entry: &Skill<'_>, site: &Site<'_>) -> Result<Self, Reason> {
        let id = entry.id();
        if entry.is_sealed() {
            return Err(Reason::new(
                "it is sealed: no other skill may take its place",
                "ask the maker of the program for the repair",
            ));
        }
        if !entry.is_trusted() {
            return Err(Reason::new(
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
            None if entry.is_bundled() => Self::of_bundle(entry, site),
            None => Err(Reason::new(
                "the skill is not in a folder",
                "copy the skill into a folder",
            )),
        }
    }

    fn of_folder(folder: &Path, site: &Site<'_>) -> Result<Self, Reason> {
        let help = "move the skill into a folder of its own name";
        let name = folder
            .file_name()
            .and_then(|name| name.to_str())
            .filter(|name| SkillName::new(name).is_ok());
        let (Some(name), Some(target)) = (name, folder.parent()) else {
            let why = prose!("{} is not named as a skill", folder);
            return Err(Reason::new(why, help));
        };
        if folder.is_symlink() {
            let why = prose!("{} is a link", folder);
            return Err(Reason::new(why, "improve the skill that the link leads to"));
        }
        // Reading the lock first finishes the change of a killed process.
        read_lock(target, site.host.data)?;
        let base = Snapshot::read(folder)?;
        if base.is_repository {
            let why = prose!("{} is a git repository of its own", folder);
            return Err(Reason::new(why, "change it there"));
        }
        if base.skill_file().is_none() {
            let why = prose!("{} holds no SKILL.md", folder);
            return Err(Reason::new(why, "name its file SKILL.md"));
        }
        Ok(Self {
            name: name.to_owned(),
            target: target.to_owned(),
            base,
            is_of_user: is_same(target, site.user),
            copied: None,
        })
    }

    fn of_bundle(skill: &Skill<'_>, site: &Site<'_>) -> Result<Self, Reason> {
        read_lock(site.user, site.host.data)?;
        let place = site.user.join(skill.name());
        if is_there(&place)? {
            let why = prose!("{} already exists with a different skill", &place);
            return Err(Reason::new(why, "move it, or improve that skill"));
        }
        let base = bundled_snapshot(*skill)?;
        let (name, version) = site.program;
        let provenance = Provenance::new(format!("program {name} {version}"));
        let locked = Locked::new(base.digest(), base.size())
            .with_powers(&snapshot_powers(&base))
            .from(provenance);
        Ok(Self {
            name: skill.name().to_owned(),
            target: site.user.to_owned(),
            base,
            is_of_user: true,
            copied: Some(LockEntry::new(&locked)),
        })
    }
}

/// Returns whether two paths lead to one folder.
fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((resolve(a), resolve(b)), (Ok(a), Ok(b)) if a == b)
}

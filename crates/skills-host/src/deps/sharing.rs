//! The workspaces that install into one folder of skills.

use crate::install::crate_source::CrateSource;
use crate::install::provenance::{LockPlace, SourcePlace, relative, without_parents};
use skills_compiler::{Locked, Provenance};
use skills_format::disk::{resolved, resolved_ahead};
use std::path::{Path, PathBuf};

/// The workspace of a plan, and the folder of skills that it shares with other workspaces.
pub(crate) struct Sharing {
    target: PathBuf,
    place: LockPlace,
    /// The workspace of the plan, relative to the folder of skills.
    own: String,
    /// The workspace that the folder of skills is in. An entry that names no workspace is installed for it.
    home: Option<String>,
}

/// The workspaces that a skill is installed for, relative to the folder of skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Users {
    /// The existing workspaces. The first one decides the version.
    all: Vec<String>,
    /// True if the entry names workspaces.
    pub(crate) are_named: bool,
}

impl Users {
    /// Returns no workspace.
    pub(crate) fn none() -> Self {
        Self {
            all: Vec::new(),
            are_named: false,
        }
    }

    /// Returns the workspace that decides the version.
    pub(crate) fn first(&self) -> Option<&str> {
        self.all.first().map(String::as_str)
    }
}

impl Sharing {
    /// Creates the value for the workspace at `root`.
    pub(crate) fn new(root: &Path, target: &Path) -> Self {
        let (root, target) = (resolved(root), resolved_ahead(target));
        let is_workspace = |above: &&Path| **above == *root || above.join("Cargo.lock").is_file();
        let is_repository = |above: &&Path| above.join(".git").symlink_metadata().is_ok();
        let repository = target.ancestors().find(is_repository);
        let is_inside = |above: &&Path| repository.is_none_or(|top| above.starts_with(top));
        let above = target.ancestors().skip(1);
        let home = above.take_while(is_inside).find(is_workspace);
        Self {
            place: LockPlace::new(&target, repository),
            own: relative(&root, &target),
            home: home.map(|home| relative(home, &target)),
            target,
        }
    }

    /// Returns the existing workspaces that an entry is installed for; `None` if it is not the entry of a crate.
    pub(crate) fn users(&self, locked: &Locked) -> Option<Users> {
        let source = CrateSource::of(locked)?;
        let are_named = !source.workspaces.is_empty();
        let mut all: Vec<String> = Vec::new();
        let named = source.workspaces.into_iter();
        let named = named.map(|path| relative(&self.folder(&path), &self.target));
        let home = self.home.clone().filter(|_| !are_named);
        for workspace in named.chain(home).filter(|path| self.exists(path)) {
            if !all.contains(&workspace) {
                all.push(workspace);
            }
        }
        Some(Users { all, are_named })
    }

    /// Returns whether an entry is installed for the workspace of the plan.
    pub(crate) fn is_own(&self, locked: &Locked) -> bool {
        self.users(locked).is_some_and(|users| self.is_of(&users))
    }

    /// Returns whether the workspace of the plan is among these.
    pub(crate) fn is_of(&self, users: &Users) -> bool {
        users.all.contains(&self.own)
    }

    /// Returns whether the workspace of the plan decides the version of a skill.
    pub(crate) fn leads(&self, users: &Users) -> bool {
        users.first().is_none_or(|first| *first == *self.own)
    }

    /// Returns the first other workspace that a skill is installed for.
    pub(crate) fn other<'u>(&self, users: &'u Users) -> Option<&'u str> {
        let mut all = users.all.iter();
        let other = all.find(|path| **path != self.own)?;
        Some(other)
    }

    /// Adds the workspace of the plan: as the last, or as the first, which decides the version.
    pub(crate) fn with_own(&self, users: &Users, decides: bool) -> Users {
        let mut users = users.clone();
        if decides {
            users.all.retain(|path| *path != self.own);
            users.all.insert(0, self.own.clone());
        } else if !self.is_of(&users) {
            users.all.push(self.own.clone());
        }
        users
    }

    /// Removes the workspace of the plan.
    pub(crate) fn without_own(&self, users: &Users) -> Users {
        let mut users = users.clone();
        users.all.retain(|path| *path != self.own);
        users
    }

    /// Returns the provenance of a skill of a crate.
    pub(crate) fn provenance(&self, krate: &str, version: &str, users: &Users) -> Provenance {
        let is_home = matches!(&*users.all, [one] if Some(one) == self.home.as_ref());
        let workspaces = if is_home {
            Vec::new()
        } else {
            users.all.clone()
        };
        let source = CrateSource {
            krate,
            version,
            workspaces,
        };
        Provenance::new(source.text())
    }

    /// Returns the folder of a workspace.
    pub(crate) fn folder(&self, workspace: &str) -> PathBuf {
        without_parents(&self.target.join(workspace))
    }

    /// Returns another folder of skills, in the workspace of the plan, named as the shared folder is.
    pub(crate) fn own_folder(&self) -> Option<PathBuf> {
        let mut last: Vec<_> = self.target.iter().rev().take(2).collect();
        last.reverse();
        let name: PathBuf = last.into_iter().collect();
        let folder = self.folder(&self.own).join(name);
        (folder != self.target).then_some(folder)
    }

    /// Returns whether a workspace can exist. A lock may be untrusted: outside of its repository nothing is looked for.
    fn exists(&self, workspace: &str) -> bool {
        let is_inside = self.place.of(workspace) == SourcePlace::Inside;
        !is_inside || *workspace == self.own || self.folder(workspace).join("Cargo.toml").exists()
    }
}

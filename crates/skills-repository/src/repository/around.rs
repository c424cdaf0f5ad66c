//! The files of a repository outside the skill that a rule looks at.

#![expect(
    clippy::disallowed_methods,
    reason = "asks what stands at a path of the repository"
)]

use crate::git::index::Index;
use crate::repository::plugin::is_plugin;
use crate::repository::start::{Start, is_skill, slashed};
use skills_format::SKILL_FILE;
use skills_format::disk::Kind;
use skills_lint::{CONFIG_FILE, LinkEnd, Surroundings};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// The repository around a walked folder.
#[derive(Debug)]
pub(crate) struct Around {
    walked: PathBuf,
    root: PathBuf,
    is_git: bool,
    /// The links to skills outside of the walked folder, which are checked there.
    linked: Vec<String>,
    /// The tracked files, read at the first script.
    index: OnceLock<Option<Index>>,
}

impl Around {
    pub(crate) fn new(start: &Start) -> Self {
        Self {
            walked: start.on_disk.clone(),
            root: start.root.clone(),
            is_git: start.is_git,
            linked: start.linked().into_iter().map(|(link, _)| link).collect(),
            index: OnceLock::new(),
        }
    }

    /// Returns whether a link leads to the folder of a skill that is itself checked.
    pub(crate) fn leads_to_skill(&self, start: &Start, link: &str) -> bool {
        if self.linked.iter().any(|known| known == link) {
            return true;
        }
        let target = fs::canonicalize(self.walked.join(link)).ok();
        let walked = fs::canonicalize(&self.walked).ok();
        target.zip(walked).is_some_and(|(target, walked)| {
            let inside = target.strip_prefix(walked).ok();
            inside.is_some_and(|inside| start.asks(&slashed(inside)) && is_skill(&target))
        })
    }

    /// Returns the path on the disk, or `None` if the path leads out of the repository.
    fn on_disk(&self, path: &str) -> Option<PathBuf> {
        let mut on_disk = self.walked.clone();
        for component in Path::new(path).components() {
            match component {
                Component::Normal(part) => on_disk.push(part),
                Component::ParentDir => {
                    on_disk.pop();
                }
                _ => {}
            }
        }
        on_disk.starts_with(&self.root).then_some(on_disk)
    }
}

impl Surroundings for Around {
    fn kind(&self, path: &str) -> Option<Kind> {
        let metadata = fs::metadata(self.on_disk(path)?).ok()?;
        Some(if metadata.is_dir() {
            Kind::Folder
        } else if metadata.is_file() {
            Kind::File
        } else {
            Kind::Other
        })
    }

    fn plugin(&self, dir: &str) -> Option<String> {
        let folder = self.on_disk(dir)?;
        let mut path = dir.to_owned();
        let above = folder.ancestors();
        for folder in above.take_while(|folder| folder.starts_with(&self.root)) {
            if is_plugin(folder) {
                return Some(path);
            }
            path = match path.rsplit_once('/') {
                Some((above, name)) if name != ".." => above.to_owned(),
                None if !path.is_empty() && path != ".." => String::new(),
                _ => skills_format::join(&path, ".."),
            };
        }
        None
    }

    fn link_end(&self, path: &str) -> LinkEnd {
        let link = self.walked.join(path);
        let end = fs::canonicalize(&link).ok();
        let is_skill = |end: &PathBuf| end.ends_with(SKILL_FILE) && end.starts_with(&self.root);
        match link_end(&link) {
            LinkEnd::File if end.as_ref().is_some_and(is_skill) => LinkEnd::Skill,
            other => other,
        }
    }

    fn is_shipped(&self, dir: &str) -> bool {
        let folder = self.on_disk(dir).unwrap_or_else(|| self.walked.clone());
        let mut above = folder
            .ancestors()
            .take_while(|it| it.starts_with(&self.root));
        !self.is_git
            || above.any(|it| it.join(CONFIG_FILE).is_file() || it.join("Cargo.toml").is_file())
    }

    // In a repository git's index decides: other clones get its mode. Without a readable index the mode is
    // unknown, since a copy may have lost it.
    fn is_runnable(&self, path: &str) -> Option<bool> {
        let on_disk = self.walked.join(path);
        if self.is_git {
            let index = self
                .index
                .get_or_init(|| Index::read(&self.root).ok())
                .as_ref()?;
            let inside = on_disk.strip_prefix(&self.root).ok().map(slashed)?;
            if let Some(is_runnable) = index.is_runnable(&inside) {
                return Some(is_runnable);
            }
        }
        is_runnable_on_disk(&on_disk)
    }
}

/// The maximum number of links that systems follow, one after the other.
const MAX_LINKS: usize = 40;

/// Returns what a link on the disk leads to.
pub(crate) fn link_end(link: &Path) -> LinkEnd {
    match fs::metadata(link) {
        Err(_) if is_circle(link) => LinkEnd::Itself,
        Err(_) => LinkEnd::Nothing,
        Ok(end) if end.is_file() => LinkEnd::File,
        Ok(end) if !end.is_dir() => LinkEnd::Special,
        Ok(_) => {
            let target = fs::canonicalize(link).ok();
            let holder = link
                .parent()
                .and_then(|folder| fs::canonicalize(folder).ok());
            match target.zip(holder) {
                Some((target, holder)) if holder.starts_with(&target) => LinkEnd::Above,
                _ => LinkEnd::Folder,
            }
        }
    }
}

/// Returns whether a link that leads to nothing ends at no other path than those of links.
fn is_circle(link: &Path) -> bool {
    let mut at = link.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&at) else {
            return false;
        };
        let folder = at.parent().unwrap_or(Path::new(""));
        at = folder.join(target);
    }
    true
}

#[cfg(unix)]
fn is_runnable_on_disk(path: &Path) -> Option<bool> {
    use std::os::unix::fs::PermissionsExt as _;

    let metadata = fs::metadata(path).ok()?;
    Some(metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_runnable_on_disk(_: &Path) -> Option<bool> {
    None
}

//! The path to check, and the folder to walk for it.

#![expect(
    clippy::disallowed_methods,
    reason = "looks for the repository, the skill and the bundle that hold a path"
)]

use skills_format::join;
use skills_format::text::path::PathText as _;
use skills_lint::CONFIG_FILE;
use std::path::{Component, Path, PathBuf};

/// The folder to walk for a path: the bundle that holds the path, or the path itself.
#[derive(Clone, Debug)]
pub struct Start {
    /// The walked folder.
    pub on_disk: PathBuf,
    /// The printed path of the walked folder.
    pub(crate) shown: String,
    /// The folder's name, for a skill that is this folder. `.` at the root of a repository: a clone's folder may
    /// have any name.
    pub(crate) name: String,
    /// The root of the repository, or the highest folder that is searched for options.
    pub(crate) root: PathBuf,
    /// True if the root is a git repository.
    pub(crate) is_git: bool,
    /// The requested paths below the walked folder. The empty path requests the whole folder.
    pub(crate) asked: Vec<String>,
    /// True if the path is a file of the skill at the root of a repository: only that skill is checked.
    pub(crate) is_root_alone: bool,
    /// True if only direct child folders are skills: nothing marks the folder as a bundle.
    pub(crate) is_flat: bool,
    /// The components from the walked folder to the working folder, when the working folder is below.
    inner: Vec<String>,
}

/// A path that cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotASkill {
    /// A file that no skill holds.
    File,
}

impl Start {
    /// Finds the folder to walk for an existing path. `given` is the path as the user wrote it. A relative path is
    /// relative to `working_folder`.
    ///
    /// # Errors
    ///
    /// [`NotASkill::File`] if no skill holds the file.
    pub fn new(given: &Path, working_folder: Option<&Path>) -> Result<Self, NotASkill> {
        let given = normal(given, working_folder);
        let on_disk = working_folder.map_or_else(|| given.clone(), |folder| folder.join(&given));
        let on_disk = lexical(&on_disk);
        let repository = on_disk
            .ancestors()
            .find(|folder| folder.join(".git").exists());
        let is_git = repository.is_some();
        let beside = working_folder.filter(|folder| on_disk.starts_with(folder));
        // Elsewhere a path is checked alone: a file with the skill that holds it.
        let mut holding = on_disk.ancestors().skip(1).filter(|_| on_disk.is_file());
        let alone = holding.find(|folder| is_skill(folder)).unwrap_or(&on_disk);
        let root = repository.or(beside).unwrap_or(alone).to_owned();
        let skill = skill_of(&on_disk, &root);
        let path = match &skill {
            Some(skill) => skill.clone(),
            None if on_disk.is_file() => return Err(NotASkill::File),
            None => on_disk.clone(),
        };
        let is_below = |folder: &&Path| folder.starts_with(&root);
        let above = path.ancestors().skip(usize::from(skill.is_some()));
        let marked = above.take_while(is_below).find(|folder| is_marked(folder));
        let parent = path.parent().filter(is_below).filter(|_| skill.is_some());
        let walked = marked.or(parent).unwrap_or(&path).to_owned();
        let up = on_disk.components().count() - walked.components().count();
        let (shown, inner) = above_of(&given, up, &on_disk);
        let asked = path.strip_prefix(&walked).unwrap_or(Path::new(""));
        Ok(Self {
            is_root_alone: is_git && path == root && on_disk.is_file(),
            is_flat: skill.is_some() && marked.is_none() && walked != path,
            name: folder_name(&walked, is_git && walked == root),
            asked: vec![slashed(asked)],
            on_disk: walked,
            shown,
            root,
            is_git,
            inner,
        })
    }

    /// Adds the requested paths of another start for the same folder.
    pub fn join(&mut self, other: Self) {
        self.asked.extend(other.asked);
        self.is_flat &= other.is_flat;
        self.is_root_alone &= other.is_root_alone;
    }

    /// Returns whether this start requests every path of the other start.
    pub fn holds(&self, other: &Self) -> bool {
        let paths = other.asked.iter().map(|path| other.on_disk.join(path));
        let holds = |path: &PathBuf| {
            let mut asked = self.asked.iter().map(|path| self.on_disk.join(path));
            asked.any(|asked| path.starts_with(asked))
        };
        let is_part = self.is_flat || self.is_root_alone && !other.is_root_alone;
        !is_part && paths.into_iter().all(|path| holds(&path))
    }

    /// Returns whether this start requests every path of the other start, or the same paths.
    pub fn covers(&self, other: &Self) -> bool {
        let key = |it: &Self| (it.on_disk.clone(), it.asked.clone(), it.is_root_alone);
        self.holds(other) || key(self) == key(other)
    }

    /// Returns whether an absolute path is one of the requested paths, or below one.
    pub fn requests(&self, path: &Path) -> bool {
        let mut asked = self.asked.iter().map(|asked| self.on_disk.join(asked));
        asked.any(|asked| path.starts_with(asked))
    }

    /// Returns the requested links, and the links directly in a requested folder, that lead to a skill outside of the walked
    /// folder: each with the folder of the skill. Only links that stay in their repository are followed.
    pub fn linked(&self) -> Vec<(String, PathBuf)> {
        if !self.is_git {
            return Vec::new();
        }
        let (Ok(walked), Ok(root)) = (self.on_disk.canonicalize(), self.root.canonicalize()) else {
            return Vec::new();
        };
        let mut links = Vec::new();
        for asked in &self.asked {
            let path = self.on_disk.join(asked);
            if path.is_symlink() {
                links.push(path);
            } else if let Ok(items) = std::fs::read_dir(&path) {
                let paths = items.filter_map(|item| Some(item.ok()?.path()));
                links.extend(paths.filter(|path| path.is_symlink()));
            }
        }
        links.sort();
        let mut found = Vec::new();
        for link in links {
            let (Ok(target), Ok(inside)) = (link.canonicalize(), link.strip_prefix(&self.on_disk))
            else {
                continue;
            };
            if target.starts_with(&root) && !target.starts_with(&walked) && is_skill(&target) {
                found.push((slashed(inside), target));
            }
        }
        found
    }

    /// Returns the path of the walked folder in the repository.
    pub(crate) fn walked(&self) -> String {
        let path = self.on_disk.strip_prefix(&self.root);
        path.map(slashed).unwrap_or_default()
    }

    /// Returns whether the walked folder is a repository with a skill at its root.
    pub(crate) fn is_root_skill(&self) -> bool {
        self.is_git && self.on_disk == self.root && is_skill(&self.on_disk)
    }

    /// Returns whether the walked folder is marked as a bundle.
    pub(crate) fn is_marked(&self) -> bool {
        is_marked(&self.on_disk)
    }

    /// Returns whether a path below the walked folder is requested.
    pub(crate) fn asks(&self, path: &str) -> bool {
        self.asked.iter().any(|asked| is_in(path, asked))
    }

    /// Returns whether the file of a printed path is requested, or decides about a requested path: it is in a folder above,
    /// or the manifest of a plugin above.
    pub(crate) fn concerns(&self, shown: &str) -> bool {
        let Some(path) = self.inside(shown) else {
            return true;
        };
        let mut folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        while is_manifest_folder(folder) {
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        }
        let is_above = |asked: &String| is_in(asked, folder);
        self.asks(&path) || self.asked.iter().any(is_above)
    }

    /// Removes the detour out of the working folder and back from a printed path.
    pub(crate) fn shorten(&self, path: &str) -> String {
        let mut rest = path;
        let mut left = self.inner.len();
        // With `inner` = `a/b`: `../../a/b/x` becomes `x`, and `../../a/x` becomes `../x`.
        let Some(below) = (left > 0).then(|| path.strip_prefix(&self.shown)).flatten() else {
            return if path.is_empty() {
                ".".to_owned()
            } else {
                path.to_owned()
            };
        };
        let mut below = below.trim_start_matches('/');
        for part in &self.inner {
            let Some(next) = below.strip_prefix(part.as_str()) else {
                break;
            };
            if !next.is_empty() && !next.starts_with('/') {
                break;
            }
            below = next.trim_start_matches('/');
            rest = below;
            left -= 1;
        }
        if left == self.inner.len() {
            return path.to_owned();
        }
        let up = vec![".."; left].join("/");
        match join(&up, rest) {
            path if path.is_empty() => ".".to_owned(),
            path => path,
        }
    }

    /// Returns the path below the walked folder of a printed path.
    pub(crate) fn inside(&self, shown: &str) -> Option<String> {
        if self.inner.is_empty() {
            return match self.shown.as_str() {
                "" | "." => Some(shown.to_owned()),
                start => Some(
                    shown
                        .strip_prefix(start)?
                        .trim_start_matches('/')
                        .to_owned(),
                ),
            };
        }
        let mut parts = self.inner.clone();
        for part in shown.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part.to_owned()),
            }
        }
        Some(parts.join("/"))
    }

    /// Returns the printed path of the folder so many levels above the walked folder.
    pub(crate) fn shown_above(&self, up: usize) -> String {
        let mut shown = PathBuf::from(&self.shown);
        for _ in 0..up {
            match shown.components().next_back() {
                Some(Component::Normal(_)) => drop(shown.pop()),
                _ => shown.push(".."),
            }
        }
        shown.to_string_lossy().into_owned()
    }

    /// Returns the path from the root of the git repository of a printed path.
    pub(crate) fn rooted_path(&self, shown: &str, working_folder: Option<&Path>) -> Option<String> {
        let path = Path::new(shown);
        let path = working_folder.map_or_else(|| path.to_owned(), |folder| folder.join(path));
        let path = lexical(&path);
        let below = path.strip_prefix(&self.root).ok().filter(|_| self.is_git)?;
        Some(slashed(below))
    }

    /// Returns the path below the walked folder of a path from the root of the git repository.
    pub(crate) fn unrooted(&self, path: &str) -> Option<String> {
        let path = self.root.join(path);
        let below = path
            .strip_prefix(&self.on_disk)
            .ok()
            .filter(|_| self.is_git)?;
        Some(slashed(below))
    }
}

/// Returns whether a path is a folder, or is below it.
pub(crate) fn is_in(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns whether a folder holds only the manifest of the plugin above: `.claude-plugin`, and the folder of any other
/// client, such as `.kimi-plugin`. The paths of such a manifest start at the folder of the plugin.
pub(crate) fn is_manifest_folder(folder: &str) -> bool {
    let name = folder.rsplit('/').next().unwrap_or(folder);
    name.starts_with('.') && name.ends_with("plugin")
        || Path::new(folder).ends_with(".github/plugin")
}

/// Joins the components of a path with `/`.
pub(crate) fn slashed(path: &Path) -> String {
    let parts = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// Returns the outermost skill that is or holds a path, up to the root.
fn skill_of(path: &Path, root: &Path) -> Option<PathBuf> {
    let above = path
        .ancestors()
        .take_while(|folder| folder.starts_with(root));
    let skills: Vec<&Path> = above
        .filter(|folder| folder.is_dir() && is_skill(folder))
        .collect();
    let (outermost, inner) = skills.split_last()?;
    // A skill at the root of a repository does not hold the other skills of the repository.
    let holds = *outermost != root || path == root || path.is_file();
    match inner.last() {
        Some(inner) if *outermost == root => Some((*inner).to_owned()),
        _ => holds.then(|| (*outermost).to_owned()),
    }
}

/// Returns whether a folder is marked as a bundle: by the name `skills`, or by a `skills.toml`.
fn is_marked(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == "skills") || folder.join(CONFIG_FILE).is_file()
}

fn folder_name(folder: &Path, is_clone: bool) -> String {
    let name = folder.file_name().filter(|_| !is_clone);
    name.map_or_else(
        || ".".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// Removes `.` and `..` from a path, if the result leads to the same place.
fn normal(given: &Path, working_folder: Option<&Path>) -> PathBuf {
    let short = short(given);
    let absolute = |path: &Path| {
        let path = working_folder.map_or_else(|| path.to_owned(), |folder| folder.join(path));
        path.canonicalize().ok()
    };
    // `a/../b` is not `b` when `a` is a link, so both are resolved and compared.
    let is_same = || absolute(&short).is_some_and(|path| absolute(given) == Some(path));
    if short == given || is_same() {
        short
    } else {
        given.to_owned()
    }
}

fn short(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(parts.components().next_back(), Some(Component::Normal(_))) =>
            {
                parts.pop();
            }
            component => parts.push(component),
        }
    }
    parts
}

/// Removes `.` and `..` from an absolute path, without looking at the disk.
pub(crate) fn lexical(path: &Path) -> PathBuf {
    short(path)
}

/// Returns the printed path of the folder `up` folders above a path, and the components from that folder back
/// to the working folder.
fn above_of(given: &Path, up: usize, on_disk: &Path) -> (String, Vec<String>) {
    let mut shown = given.to_owned();
    let mut out = 0;
    for _ in 0..up {
        let is_inside = matches!(shown.components().next_back(), Some(Component::Normal(_)));
        if is_inside {
            shown.pop();
        } else {
            shown.push("..");
            out += 1;
        }
    }
    // Each `..` that was added leaves one of the last components of the working folder.
    let outside = shown
        .components()
        .filter(|part| *part == Component::ParentDir)
        .count();
    let depth = given
        .components()
        .filter(|part| *part == Component::ParentDir);
    let own = depth.count();
    let mut inner: Vec<String> = Vec::new();
    if shown.is_relative() && outside > 0 && own == 0 {
        let below = given.components().count();
        let folder = on_disk.ancestors().nth(below).unwrap_or(on_disk);
        let parts = folder.components().rev().take(out);
        inner.extend(parts.map(|part| part.as_os_str().to_string_lossy().into_owned()));
        inner.reverse();
    }
    let shown = match shown.shown().into_owned() {
        path if path.is_empty() => ".".to_owned(),
        path => path,
    };
    (shown, inner)
}

/// Returns whether a folder on the disk is a skill.
pub(crate) fn is_skill(folder: &Path) -> bool {
    folder.join("SKILL.md").is_file() || folder.join("skill.md").is_file()
}

/// Returns whether a folder above has a `Cargo.toml`.
pub(crate) fn is_in_package(folder: &Path) -> bool {
    let mut above = folder.ancestors();
    above.any(|above| above.join("Cargo.toml").is_file())
}

//! Reads a folder of skills.

use skills_check::{CONFIG_FILE, Config, misnamed};
use skills_format::disk::{self, Item, Kind, is_absent, read_regular};
use skills_format::text::control::pictured;
use skills_format::text::distance::nearest;
use skills_format::tree::in_folder;
use skills_format::{
    Contents, Diagnostic, Guide, Nearby, RuleId, Severity, SkillName, TRIGGERS_FILE, Tree,
    TreeFile, join, left_out,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The name of the lock, a file beside the skills.
pub const LOCK_FILE: &str = "skills.lock";

/// A folder of skills, its options and its lock.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Folder {
    /// The printed path, relative to the manifest.
    pub path: String,
    /// The files of the skills.
    pub tree: Tree,
    /// The files and folders of the skills that are never shipped, relative to the folder; a folder ends with `/`.
    pub left_out: Vec<String>,
    /// The options of `skills.toml`.
    pub config: Config,
    /// The text of `skills.toml`, if the file exists.
    pub config_text: Option<String>,
    /// The path of the nearest `skills.toml` at or above the skills, relative to the manifest.
    pub config_path: String,
    /// The text of `skills.lock`, if the file exists.
    pub lock_text: Option<String>,
    /// Problems of the folder and of `skills.toml`.
    pub faults: Vec<Diagnostic>,
    /// The path from the folder in which rustc runs to the manifest. The root of a workspace is above the manifest.
    pub(crate) before: String,
    /// With `layout = "flat"`, the file of each folder of the tree.
    pub(crate) flat: BTreeMap<String, String>,
}

impl Folder {
    /// Reads the folder at `path`, relative to `base`. An unreadable folder gives an empty tree and a fault.
    ///
    /// # Cost
    ///
    /// Reads every file of the skills, up to the limits of a skill and of a bundle.
    pub fn read(base: &Path, path: &str) -> Self {
        let path = plain(base, path);
        let mut faults = Vec::new();
        let root = match disk::Folder::open(&base.join(&path)) {
            Ok(root) => Some(root),
            Err(error) => {
                faults.push(no_folder(base, &path, &error));
                None
            }
        };
        let mut text =
            |root: &disk::Folder, path: &str, file: &str| match root.text(Path::new(file)) {
                Ok(text) => Some(text),
                Err(error) if is_absent(&error) => None,
                Err(error) => {
                    faults.push(unreadable(&join(path, file), &error.to_string()));
                    None
                }
            };
        let lock_text = root.as_ref().and_then(|root| text(root, &path, LOCK_FILE));
        let found = folders_to_base(&path).into_iter().find_map(|folder| {
            let open = disk::Folder::open(&base.join(folder)).ok()?;
            Some((folder, text(&open, folder, CONFIG_FILE)?))
        });
        if let Some(root) = &root {
            faults.extend(misnamed_config(root, &path));
        }
        let config_folder = found.as_ref().map_or(path.as_str(), |(folder, _)| folder);
        let config_path = join(config_folder, CONFIG_FILE);
        let (mut config, reported) = match &found {
            Some((_, text)) => Config::parse(&config_path, text),
            None => Default::default(),
        };
        config_folder.clone_into(&mut config.place.shown);
        config.honours_comments = true;
        let config_text = found.map(|(_, text)| text);
        faults.extend(reported);
        let contents = Contents::All {
            max: u64::MAX,
            limits: config.limits,
        };
        let relative = |below: &str| config.place.relative(&join(&path, below));
        let includes = |below: &str| config.includes(&relative(below));
        let is_excluded = |below: &str| config.excludes(&relative(below));
        let mut looking = Looking {
            includes: &includes,
            left_out: Vec::new(),
        };
        let read = match root {
            None => Ok(Default::default()),
            Some(root) if config.is_flat => {
                let most = config.limits.skill_bytes;
                read_flat(&root, &path, most, &is_excluded, &mut faults)
            }
            Some(root) => Tree::guided(&root, contents, &mut looking).map(|mut tree| {
                tree.files.retain(|file| !is_excluded(&file.path));
                (tree, BTreeMap::new())
            }),
        };
        let (tree, flat) = read.unwrap_or_else(|error| {
            faults.push(no_folder(base, &path, &error));
            Default::default()
        });
        let mut left_out = looking.left_out;
        left_out.sort();
        Self {
            path,
            tree,
            left_out,
            config,
            config_text,
            config_path,
            lock_text,
            faults,
            flat,
            before: String::new(),
        }
    }

    /// Makes the paths in findings relative to `base`, a folder above the manifest.
    pub(crate) fn seen_from(mut self, base: &Path, manifest: &Path) -> Self {
        if let Ok(below) = manifest.strip_prefix(base) {
            self.before = below.to_string_lossy().replace('\\', "/");
        }
        self
    }

    /// Reads the folder of skills that a package bakes. The package's own folder needs a `skills.toml`: otherwise an
    /// empty path would bake every folder of the package.
    pub(crate) fn of_package(manifest: &Path, path: &str) -> Self {
        let config = || disk::Folder::open(manifest)?.text(Path::new(CONFIG_FILE));
        if plain(manifest, path) != "." || !config().is_err_and(|error| is_absent(&error)) {
            return Self::read(manifest, path);
        }
        let message = format!("`{path}` is the whole package, which has no `{CONFIG_FILE}`");
        let fault = Diagnostic::new(RuleId::BundleEmpty, Severity::Error, "Cargo.toml", message)
            .help("name the folder that contains the skills, relative to Cargo.toml");
        Self {
            path: ".".to_owned(),
            config_path: CONFIG_FILE.to_owned(),
            faults: vec![fault],
            ..Self::default()
        }
    }

    /// Makes findings name paths from where cargo runs rustc: the root of the workspace, where the lock file is.
    #[expect(clippy::disallowed_methods, reason = "looks for Cargo.lock")]
    pub(crate) fn seen_from_workspace(self, manifest: &Path) -> Self {
        let mut above = manifest.ancestors();
        match above.find(|above| above.join("Cargo.lock").is_file()) {
            Some(base) => self.seen_from(base, manifest),
            None => self,
        }
    }

    /// Returns the bytes of a file, by its printed path.
    pub fn source(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let text = if path == self.config_path {
            &self.config_text
        } else if path == join(&self.path, LOCK_FILE) {
            &self.lock_text
        } else {
            let file = self.in_tree(in_folder(self.root(), path)?);
            let file = self.tree.get(&file)?;
            return Some(file.bytes.as_deref()?.into());
        };
        text.as_ref().map(|text| text.as_bytes().into())
    }

    /// Returns the folder of the skills, for paths below it; empty if it is that of the manifest.
    fn root(&self) -> &str {
        if self.path == "." { "" } else { &self.path }
    }

    /// Returns the path of a file of the tree in the folder: `NAME.md` for `NAME/SKILL.md` of a flat folder.
    pub(crate) fn written(&self, path: &str) -> String {
        let folder = path.strip_suffix("/SKILL.md");
        let file = folder.and_then(|folder| self.flat.get(folder));
        file.map_or(path, String::as_str).to_owned()
    }

    /// The same for a printed path.
    pub(crate) fn shown(&self, path: &str) -> String {
        match in_folder(self.root(), path) {
            Some(below) => join(self.root(), &self.written(below)),
            None => path.to_owned(),
        }
    }

    /// Returns the path in the tree of a file in the folder.
    pub(crate) fn in_tree(&self, path: &str) -> String {
        let mut files = self.flat.iter();
        let folder = files.find(|(_, file)| *file == path);
        folder.map_or_else(|| path.to_owned(), |(folder, _)| join(folder, "SKILL.md"))
    }
}

/// Returns a folder and the folders above it, up to the package's root. For a path that leaves the package, returns
/// only the folder.
fn folders_to_base(path: &str) -> Vec<&str> {
    let mut folders = vec![path];
    let is_inside = path != "." && !path.starts_with(['/', '.']);
    if is_inside {
        folders.extend(
            path.rmatch_indices('/')
                .filter_map(|(at, _)| path.get(..at)),
        );
        folders.push(".");
    }
    folders
}

/// Reports a file whose name is nearly that of the options: nothing in it would be read.
fn misnamed_config(root: &disk::Folder, path: &str) -> Option<Diagnostic> {
    let items = root.items(MAX_BESIDE).ok()?;
    let (name, message) = misnamed(items.iter().filter_map(|item| item.name.to_str()))?;
    let found = Diagnostic::new(
        RuleId::ConfigForm,
        Severity::Error,
        join(path, name),
        message,
    );
    Some(found.help("rename it"))
}

/// Reports an unreadable part of the folder.
pub(crate) fn unreadable(path: &str, reason: &str) -> Diagnostic {
    let message = format!("this cannot be read: {reason}");
    Diagnostic::new(RuleId::Unreadable, Severity::Error, path, message)
}

fn no_folder(base: &Path, path: &str, error: &io::Error) -> Diagnostic {
    let message = match error.kind() {
        io::ErrorKind::NotFound => format!("there is no folder `{path}`"),
        io::ErrorKind::NotADirectory => format!("`{path}` is not a folder"),
        _ => return unreadable(path, &error.to_string()),
    };
    let help = match near_folder(base, path) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "name a folder that contains skills, relative to Cargo.toml".to_owned(),
    };
    Diagnostic::new(RuleId::BundleEmpty, Severity::Error, path, message).help(help)
}

/// The maximum number of items in a folder in which a near name is looked for.
const MAX_BESIDE: usize = 1_000;

/// Returns the folder beside a missing one whose name is nearest.
fn near_folder(base: &Path, path: &str) -> Option<String> {
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    let beside = disk::Folder::open(&base.join(parent))
        .ok()?
        .items(MAX_BESIDE)
        .ok()?;
    let folders = beside.iter().filter(|item| item.kind == Kind::Folder);
    let near = nearest(name, folders.filter_map(|item| item.name.to_str()))?;
    Some(join(parent, near))
}

/// Makes a path plain: without `.`, without `a/..`, and without `../PACKAGE/`, which leads back into the package at `base`.
fn plain(base: &Path, path: &str) -> String {
    let path = normal(path);
    let package = base.file_name().and_then(|name| name.to_str());
    let inside = package.and_then(|package| path.strip_prefix("../")?.strip_prefix(package));
    match inside {
        Some("") => ".".to_owned(),
        Some(inside) if inside.starts_with('/') => inside.trim_start_matches('/').to_owned(),
        _ => path,
    }
}

/// Normalizes a path: `./skills/` becomes `skills`.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for (index, part) in path.split('/').enumerate() {
        match part {
            "." => {}
            // The first part of an absolute path is empty.
            "" if index > 0 => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() || path.is_empty() {
        ".".to_owned()
    } else {
        parts.join("/")
    }
}

/// The maximum number of items in a flat folder.
const MAX_ITEMS: usize = 10_000;

/// Reads a flat folder. Returns the tree, and the file of each folder of the tree.
///
/// # Errors
///
/// The folder cannot be listed.
fn read_flat(
    root: &disk::Folder,
    shown: &str,
    max_bytes: u64,
    is_excluded: &dyn Fn(&str) -> bool,
    faults: &mut Vec<Diagnostic>,
) -> io::Result<(Tree, BTreeMap<String, String>)> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut tree = Tree::default();
    let mut items = root.items(MAX_ITEMS)?;
    items.sort_by(|a, b| a.name.cmp(&b.name));
    let mut fault = |rule, path: &str, message: String, help: &str| {
        let found = Diagnostic::new(rule, Severity::Error, join(shown, path), message);
        faults.push(found.help(help));
    };
    for item in items {
        let name = item.name.to_string_lossy().into_owned();
        if is_excluded(&name) || name.eq_ignore_ascii_case("README.md") {
            continue;
        }
        let inner = join(&name, "SKILL.md");
        if item.kind == Kind::Folder && root.stat(Path::new(&inner)).is_ok() {
            let message = "with `layout = \"flat\"`, skills in folders are not read".to_owned();
            let help = "move its text to a file `NAME.md`, or remove `layout` from skills.toml";
            fault(RuleId::NestedSkill, &inner, message, help);
        }
        let Some(stem) = name
            .strip_suffix(".md")
            .filter(|_| item.kind != Kind::Folder)
        else {
            continue;
        };
        let folder = SkillName::make(stem).map_or_else(|| stem.to_owned(), |name| name.to_string());
        if let Some(other) = files.get(&folder) {
            let message = format!("`{}` gives the same name, `{folder}`", pictured(other));
            fault(RuleId::DuplicateName, &name, message, "rename one of them");
            continue;
        }
        let mut file = TreeFile {
            path: join(&folder, "SKILL.md"),
            utf8: item.name.to_str().is_some(),
            kind: item.kind.into(),
            size: 0,
            bytes: None,
        };
        if item.kind == Kind::File {
            file.size = root.stat(Path::new(&item.name))?.len;
            if file.size <= max_bytes {
                let open = root.child_file(&item.name).map_err(io::Error::from);
                match open.and_then(|open| read_regular(&open, max_bytes)) {
                    Ok(bytes) => file.bytes = Some(bytes),
                    Err(error) => {
                        let message = format!("this cannot be read: {error}");
                        fault(RuleId::Unreadable, &name, message, "");
                    }
                }
            }
        }
        files.insert(folder, name);
        tree.files.push(file);
    }
    tree.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((tree, files))
}

/// Lists a bundle as [`Nearby`] does, without what [`left_out`] names.
struct Looking<'i> {
    /// Returns whether `include` brings a file back, or a file below a folder.
    pub(crate) includes: &'i dyn Fn(&str) -> bool,
    /// The files and folders that were left out; a folder ends with `/`.
    pub(crate) left_out: Vec<String>,
}

impl Guide for Looking<'_> {
    fn retain(&mut self, folder: &disk::Folder, path: &str, in_skill: bool, items: &mut Vec<Item>) {
        Nearby.retain(folder, path, in_skill, items);
        if !in_skill {
            return;
        }
        let has = |below: &str| folder.stat(Path::new(below)).is_ok();
        items.retain(|item| {
            let name = item.name.to_string_lossy();
            let below = join(path, &name);
            // The lock holds the digest of the file directly in a skill, which `left_out` alone keeps from the bundle.
            let is_left_out = left_out(&below, &|_| false)
                .or_else(|| left_out(&name, &has))
                .is_some();
            let is_shipped = !is_left_out || name == TRIGGERS_FILE;
            if is_shipped || (self.includes)(&below) {
                return true;
            }
            let end = if item.kind == Kind::Folder { "/" } else { "" };
            self.left_out.push(below + end);
            false
        });
    }

    fn is_skill(&self, items: &[Item]) -> bool {
        Nearby.is_skill(items)
    }
}

#[cfg(test)]
mod tests {
    use super::{normal, plain};
    use std::path::Path;

    #[test]
    fn a_path_back_into_the_package_is_plain() {
        let base = Path::new("/w/app");
        for (path, expected) in [
            ("../app/skills", "skills"),
            ("../app", "."),
            ("../app-b/skills", "../app-b/skills"),
            ("../b/../app/skills", "skills"),
            ("../../app/skills", "../../app/skills"),
        ] {
            assert_eq!(plain(base, path), expected, "{path}");
        }
    }

    #[test]
    fn paths() {
        for (path, shown) in [
            ("./a//b/", "a/b"),
            (".", "."),
            ("", "."),
            ("./", "."),
            ("../x", "../x"),
            ("src/../skills", "skills"),
            ("a/b/../../skills/", "skills"),
            ("a/..", "."),
            ("../../x", "../../x"),
            ("../a/../b", "../b"),
            ("/abs/x/", "/abs/x"),
        ] {
            assert_eq!(normal(path), shown);
        }
    }
}

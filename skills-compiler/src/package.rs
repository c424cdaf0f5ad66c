//! Finds files that `cargo package` would leave out silently.
//!
//! Cargo leaves out every folder with a `Cargo.toml` of its own, what `include` and `exclude` of the
//! manifest say, and without these what git ignores; outside of a git repository, hidden files.

#![expect(
    clippy::disallowed_methods,
    reason = "reads what decides what cargo packages"
)]

use crate::ignore::Patterns;
use crate::repository::{Repository, folders};
use skills_format::{Config, Diagnostic, RuleId, Severity, Tree, join, read_text, rules};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use toml::Value;

pub(crate) const RULE: RuleId = RuleId::PackageLoss;

/// Reports the files of the folder at `root` that would be missing. `root` is relative to the package
/// at `base`. Returns `None` when there is no package at `base`.
pub(crate) fn check(
    base: &Path,
    root: &str,
    tree: &Tree,
    config: &Config,
) -> Option<Vec<Diagnostic>> {
    Some(Package::read(base)?.check(root, root, tree, config))
}

/// Reports the files of a folder that `cargo package` would leave out of the package around it.
/// `shown` is the path that is shown before the paths of the tree.
///
/// Returns `None` when there is no package, and for a folder that is hidden in its package: such a
/// folder belongs to a client and is not baked.
///
/// # Cost
///
/// Reads the manifest, and the `.gitignore` files from the root of the repository to the files.
pub fn package_losses(
    folder: &Path,
    shown: &str,
    tree: &Tree,
    config: &Config,
) -> Option<Vec<Diagnostic>> {
    let folder = fs::canonicalize(folder).ok()?;
    // The Cargo.toml of a skill is part of the skill.
    let is_skill = folder.join("SKILL.md").is_file();
    let base = folder
        .ancestors()
        .skip(usize::from(is_skill))
        .find(|above| above.join("Cargo.toml").is_file())?;
    let root = folder.strip_prefix(base).ok()?.to_str()?.replace('\\', "/");
    if root.split('/').any(|part| part.starts_with('.')) {
        return None;
    }
    let root = if root.is_empty() { "." } else { &root };
    Some(Package::read(base)?.check(root, shown, tree, config))
}

impl Package {
    fn check(&mut self, root: &str, shown: &str, tree: &Tree, config: &Config) -> Vec<Diagnostic> {
        let severity = match rules::find(RULE.as_str()) {
            Some(rule) => config.severity(rule),
            None => Some(Severity::Warning),
        };
        match severity {
            Some(severity) if !self.private => self.losses(root, shown, tree, severity),
            _ => Vec::new(),
        }
    }

    fn losses(
        &mut self,
        root: &str,
        shown: &str,
        tree: &Tree,
        severity: Severity,
    ) -> Vec<Diagnostic> {
        let reported = |path: &str, message: String, help: &str| {
            Diagnostic::new(RULE, severity, path, message).help(help)
        };
        if root == ".." || root.starts_with("../") {
            let message = "`cargo package` leaves this out: it is outside the package".to_owned();
            let help = "move it into the package, or set `publish = false` in Cargo.toml";
            return vec![reported(shown, message, help)];
        }
        let mut lost: BTreeMap<(&str, Loss), Vec<String>> = BTreeMap::new();
        for skill in tree.skills() {
            for file in skill.files {
                if let Some(loss) = self.loses(&join(root, &file.path)) {
                    let path = join(shown, &file.path);
                    lost.entry((skill.dir, loss)).or_default().push(path);
                }
            }
        }
        lost.into_iter()
            .filter_map(|((_, loss), paths)| {
                let more = match paths.len() - 1 {
                    0 => String::new(),
                    1 => " and one more file".to_owned(),
                    more => format!(" and {more} more files"),
                };
                let message = format!("`cargo package` leaves this{more} out: {}", loss.reason());
                Some(reported(paths.first()?, message, loss.help()))
            })
            .collect()
    }
}

/// Why a file is not in the package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Loss {
    /// The folder, which has a `Cargo.toml`.
    Nested(String),
    NotIncluded,
    Excluded,
    Ignored,
    Hidden,
}

impl Loss {
    fn reason(&self) -> String {
        match self {
            Self::Nested(folder) => format!("`{folder}` has a Cargo.toml of its own"),
            Self::NotIncluded => "`include` in Cargo.toml does not list it".to_owned(),
            Self::Excluded => "`exclude` in Cargo.toml lists it".to_owned(),
            Self::Ignored => "git ignores it".to_owned(),
            Self::Hidden => "it is hidden, and not in a git repository".to_owned(),
        }
    }

    fn help(&self) -> &'static str {
        match self {
            Self::Nested(_) => "rename that file, for example to `Cargo.toml.txt`",
            Self::NotIncluded => "add the folder of the skills to `include`",
            Self::Excluded => "remove it from `exclude`",
            Self::Ignored => "remove it from .gitignore, or list it in `include` in Cargo.toml",
            Self::Hidden => "list it in `include` in Cargo.toml",
        }
    }
}

/// What a manifest and a repository say about the files of a package.
struct Package {
    base: PathBuf,
    /// Whether the package is never published.
    private: bool,
    include: Option<Patterns>,
    exclude: Patterns,
    repository: Option<Repository>,
    /// The folders of the package, and whether they have a `Cargo.toml`.
    nested: BTreeMap<String, bool>,
}

impl Package {
    /// `None` when there is no package.
    fn read(base: &Path) -> Option<Self> {
        let base = fs::canonicalize(if base == Path::new("") {
            Path::new(".")
        } else {
            base
        })
        .ok()?;
        let manifest: toml::Table = read_text(&base.join("Cargo.toml")).ok()?.parse().ok()?;
        let package = manifest.get("package")?;
        let private = match package.get("publish") {
            Some(Value::Boolean(publish)) => !publish,
            Some(Value::Array(registries)) => registries.is_empty(),
            _ => false,
        };
        let patterns = |key: &str| {
            let lines = package.get(key)?.as_array()?;
            (!lines.is_empty()).then(|| Patterns::parse(lines.iter().filter_map(Value::as_str)))
        };
        Some(Self {
            private,
            include: patterns("include"),
            exclude: patterns("exclude").unwrap_or_default(),
            // Cargo does not use git when git ignores the manifest.
            repository: Repository::of(&base).and_then(|mut repository| {
                (!repository.ignores("Cargo.toml")).then_some(repository)
            }),
            base,
            nested: BTreeMap::new(),
        })
    }

    fn loses(&mut self, path: &str) -> Option<Loss> {
        if let Some(folder) = folders(path).find(|folder| self.is_nested(folder)) {
            return Some(Loss::Nested(folder.to_owned()));
        }
        if let Some(include) = &self.include {
            return (!include.names_file(path)).then_some(Loss::NotIncluded);
        }
        if self.exclude.names_file(path) {
            return Some(Loss::Excluded);
        }
        match &mut self.repository {
            Some(repository) => repository.ignores(path).then_some(Loss::Ignored),
            None => path
                .split('/')
                .any(|part| part.starts_with('.'))
                .then_some(Loss::Hidden),
        }
    }

    fn is_nested(&mut self, folder: &str) -> bool {
        if let Some(known) = self.nested.get(folder) {
            return *known;
        }
        let is = self.base.join(folder).join("Cargo.toml").exists();
        self.nested.insert(folder.to_owned(), is);
        is
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::Contents;

    const SKILL: &str = "---\nname: a\ndescription: b\n---\n\nc\n";

    fn reported(files: &[(&str, &str)]) -> Vec<String> {
        let base = tempfile::tempdir().expect("a folder");
        for (path, text) in [("skills/a/SKILL.md", SKILL)].iter().chain(files) {
            let path = base.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let root = base.path().join("skills");
        let tree = Tree::read(&root, Contents::Skills { max: 0 }).expect("a tree");
        check(base.path(), "skills", &tree, &Config::default())
            .unwrap_or_default()
            .iter()
            .map(|reported| format!("{}: {}", reported.path, reported.message))
            .collect()
    }

    #[test]
    fn nothing_is_lost() {
        let package = ("Cargo.toml", "[package]\nname = 'x'");
        assert_eq!(reported(&[]), [""; 0]);
        assert_eq!(reported(&[package, ("skills/a/b.md", "")]), [""; 0]);
        let private = ("Cargo.toml", "[package]\npublish = false");
        assert_eq!(reported(&[private, ("skills/a/x/Cargo.toml", "")]), [""; 0]);
        let include = ("Cargo.toml", "[package]\ninclude = ['/src', 'skills']");
        assert_eq!(reported(&[include, ("skills/a/.env", "")]), [""; 0]);
    }

    #[test]
    fn each_loss_of_a_skill_is_reported_once() {
        let package = ("Cargo.toml", "[package]\nname = 'x'");
        assert_eq!(
            reported(&[
                package,
                ("skills/a/x/Cargo.toml", ""),
                ("skills/a/x/lib.rs", "")
            ]),
            [
                "skills/a/x/Cargo.toml: `cargo package` leaves this and one more file out: `skills/a/x` has a Cargo.toml of its own"
            ]
        );
        let include = ("Cargo.toml", "[package]\ninclude = ['src', '*.md']");
        assert_eq!(
            reported(&[include, ("skills/a/x.py", "")]),
            [
                "skills/a/x.py: `cargo package` leaves this out: `include` in Cargo.toml does not list it"
            ]
        );
        let exclude = ("Cargo.toml", "[package]\nexclude = ['skills/*/assets/']");
        assert_eq!(
            reported(&[
                exclude,
                ("skills/a/assets/1", ""),
                ("skills/a/assets/2", ""),
                ("skills/a/assets/3", "")
            ]),
            [
                "skills/a/assets/1: `cargo package` leaves this and 2 more files out: `exclude` in Cargo.toml lists it"
            ]
        );
        assert_eq!(
            reported(&[package, ("skills/a/.env", "")]),
            [
                "skills/a/.env: `cargo package` leaves this out: it is hidden, and not in a git repository"
            ]
        );
    }

    #[test]
    fn git_decides_in_a_repository() {
        let package = ("Cargo.toml", "[package]\nname = 'x'");
        let git = (".git/HEAD", "");
        let reported = |ignored: &[(&str, &str)]| {
            reported(
                &[
                    &[
                        package,
                        git,
                        ("skills/a/.env", ""),
                        ("skills/a/x/y.log", ""),
                    ],
                    ignored,
                ]
                .concat(),
            )
        };
        assert_eq!(reported(&[]), [""; 0]);
        let lost = ["skills/a/x/y.log: `cargo package` leaves this out: git ignores it"];
        assert_eq!(reported(&[(".gitignore", "*.log\n")]), lost);
        assert_eq!(reported(&[("skills/.gitignore", "/a/x/\n")]), lost);
        assert_eq!(
            reported(&[(".gitignore", "*.log\n"), ("skills/.gitignore", "!*.log\n")]),
            [""; 0]
        );
    }
}

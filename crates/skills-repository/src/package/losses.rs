//! The files that `cargo package` would leave out, by the manifest and by git.

#![expect(
    clippy::disallowed_methods,
    reason = "reads what decides what cargo packages"
)]

use crate::git::patterns::{Patterns, Skipped};
use crate::git::repository::GitRepository;
use crate::package::manifest::{Loss, Package, RULE, severity};
use skills_format::disk::read_text;
use skills_format::{Diagnostic, Tree, join};
use skills_lint::Config;
use std::fs;
use std::path::{Component, Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reports the files of a folder that `cargo package` would leave out of the package that holds the folder.
/// `shown` is the printed path of the folder. Skipped lines of ignore files are reported too.
///
/// Returns `None` if no package holds the folder, or if the folder is hidden in its package: a client's own
/// folder is not bundled. A hidden folder that `path` of `[package.metadata.skills]` names is shipped.
///
/// # Cost
///
/// Reads the manifest and the ignore files above each file of a skill, up to 64 KiB each.
pub fn package_losses(
    folder: &Path,
    shown: &str,
    tree: &Tree,
    config: &Config,
) -> Option<Vec<Diagnostic>> {
    let folder = fs::canonicalize(folder).ok()?;
    // A Cargo.toml beside a `SKILL.md` is a file of the skill, not the manifest of the package.
    let is_skill = folder.join("SKILL.md").is_file();
    let base = folder
        .ancestors()
        .skip(usize::from(is_skill))
        .find(|above| above.join("Cargo.toml").is_file())?;
    let root = folder.strip_prefix(base).ok()?.to_str()?.replace('\\', "/");
    if root.split('/').any(|part| part.starts_with('.')) && !ships(base, &root) {
        return None;
    }
    let root = if root.is_empty() { "." } else { &root };
    let mut package = Package::read(base)?;
    let Some(severity) = severity(config).filter(|_| !package.private) else {
        return Some(Vec::new());
    };
    let mut lists = Lists::read(&package.base);
    let mut found = package.check(root, shown, tree, config, &mut |path| lists.lose(path));
    found.extend(
        lists.skipped().into_iter().map(|(path, skipped)| {
            skipped.finding(RULE, severity, path_from(&folder, shown, &path))
        }),
    );
    Some(found)
}

/// Returns whether a package names a folder, or a folder above it, as that of the skills that it ships.
fn ships(base: &Path, folder: &str) -> bool {
    let text = read_text(&base.join("Cargo.toml")).unwrap_or_default();
    let table = DeTable::parse_recoverable(&text).0;
    let named = || {
        let package = entry(table.get_ref(), "package")?.as_table()?;
        let skills = entry(entry(package, "metadata")?.as_table()?, "skills")?.as_table()?;
        let path = entry(skills, "path")?.as_str()?;
        Some(Path::new(path.strip_prefix("./").unwrap_or(path)))
    };
    named().is_some_and(|named| Path::new(folder).starts_with(named))
}

/// The patterns of a manifest and of a repository that decide which files are packaged.
struct Lists {
    manifest: PathBuf,
    include: Option<Patterns>,
    exclude: Patterns,
    /// The repository, and the path of the package in the repository.
    repository: Option<(GitRepository, String)>,
    skipped: Vec<Skipped>,
}

impl Lists {
    fn read(base: &Path) -> Self {
        let manifest = base.join("Cargo.toml");
        let text = read_text(&manifest).unwrap_or_default();
        let table = DeTable::parse_recoverable(&text).0;
        let mut skipped = Vec::new();
        let mut patterns = |key: &str| {
            let package = entry(table.get_ref(), "package")?.as_table()?;
            let items = entry(package, key)?.as_array()?;
            let lines = items.iter().filter_map(line);
            let (patterns, faults) = Patterns::parse(text.as_bytes(), lines);
            skipped.extend(faults);
            (!items.is_empty()).then_some(patterns)
        };
        Self {
            include: patterns("include"),
            exclude: patterns("exclude").unwrap_or_default(),
            // Cargo does not use git for a package whose manifest git ignores.
            repository: GitRepository::of(base).and_then(|mut repository| {
                let package = base.strip_prefix(repository.root()).ok()?;
                let package = package.to_str()?.replace('\\', "/");
                (!ignores(&mut repository, &join(&package, "Cargo.toml")))
                    .then_some((repository, package))
            }),
            manifest,
            skipped,
        }
    }

    fn lose(&mut self, path: &str) -> Option<Loss> {
        // Cargo's order: with `include`, neither `exclude` nor git counts.
        if let Some(include) = &self.include {
            return (!include.names_file(path)).then(not_included);
        }
        if self.exclude.names_file(path) {
            return Some(excluded());
        }
        match &mut self.repository {
            Some((repository, package)) => ignores(repository, &join(package, path)).then(ignored),
            None => path
                .split('/')
                .any(|part| part.starts_with('.'))
                .then(hidden),
        }
    }

    /// Returns the skipped lines, each with the path of its file.
    fn skipped(self) -> Vec<(PathBuf, Skipped)> {
        let Self {
            manifest,
            repository,
            skipped,
            ..
        } = self;
        let of_git = repository.map_or_else(Vec::new, |(repository, _)| repository.skipped());
        let of_cargo = skipped.into_iter();
        of_cargo
            .map(|skipped| (manifest.clone(), skipped))
            .chain(of_git)
            .collect()
    }
}

/// Returns whether git ignores a file. Cargo packages a tracked file even if a pattern matches it.
fn ignores(repository: &mut GitRepository, path: &str) -> bool {
    repository.enter_above(path);
    repository.ignores(path, false)
}

fn not_included() -> Loss {
    Loss::new(
        "`include` in Cargo.toml does not list it",
        "add the folder of the skills to `include`",
    )
}

fn excluded() -> Loss {
    Loss::new(
        "`exclude` in Cargo.toml lists it",
        "remove it from `exclude`",
    )
}

fn ignored() -> Loss {
    Loss::new(
        "git ignores it",
        "remove it from .gitignore, or list it in `include` in Cargo.toml",
    )
}

fn hidden() -> Loss {
    Loss::new(
        "it is hidden, and not in a git repository",
        "list it in `include` in Cargo.toml",
    )
}

fn entry<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t DeValue<'i>> {
    let found = table.iter().find(|(known, _)| known.get_ref() == key);
    Some(found?.1.get_ref())
}

fn line<'t>(item: &'t Spanned<DeValue<'_>>) -> Option<(usize, &'t str)> {
    Some((item.span().start, item.get_ref().as_str()?))
}

/// Returns the printed path of a file, when the folder at `folder` is printed as `shown`. The path is relative
/// to where `shown` starts, or absolute if `folder` does not end with `shown`.
pub(crate) fn path_from(folder: &Path, shown: &str, file: &Path) -> String {
    let relative = || {
        let mut start = folder;
        for component in Path::new(shown).components().rev() {
            match component {
                Component::CurDir => {}
                Component::Normal(name) if start.file_name() == Some(name) => {
                    start = start.parent()?;
                }
                _ => return None,
            }
        }
        let mut up = String::new();
        loop {
            if let Ok(below) = file.strip_prefix(start) {
                return Some(join(&up, &below.to_string_lossy()));
            }
            start = start.parent()?;
            up.push_str(if up.is_empty() { ".." } else { "/.." });
        }
    };
    let path = relative().unwrap_or_else(|| file.to_string_lossy().into_owned());
    path.replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::Contents;

    const SKILL: &str = "---\nname: a\ndescription: b\n---\n\nc\n";

    fn told(files: &[(&str, &str)]) -> Vec<String> {
        let base = tempfile::tempdir().expect("a folder");
        for (path, text) in [("skills/a/SKILL.md", SKILL)].iter().chain(files) {
            let path = base.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let root = base.path().join("skills");
        let tree = Tree::read(&root, Contents::Skills { max: 0 }).expect("a tree");
        package_losses(&root, "skills", &tree, &Config::default())
            .unwrap_or_default()
            .iter()
            .map(|told| format!("{}: {}", told.path, told.message))
            .collect()
    }

    #[test]
    fn a_hidden_folder_is_shipped_if_the_manifest_names_it() {
        let base = tempfile::tempdir().expect("a folder");
        for (path, is_shipped) in [
            (".agents/skills", true),
            ("./.agents/skills/", true),
            (".agents/other", false),
        ] {
            let manifest = format!("[package]\nmetadata.skills.path = '{path}'");
            fs::write(base.path().join("Cargo.toml"), manifest).expect("a file");
            assert_eq!(ships(base.path(), ".agents/skills"), is_shipped, "{path}");
        }
    }

    #[test]
    fn nothing_is_lost() {
        let package = ("Cargo.toml", "[package]\nname = 'x'");
        assert_eq!(told(&[]), [""; 0]);
        assert_eq!(told(&[package, ("skills/a/b.md", "")]), [""; 0]);
        let private = ("Cargo.toml", "[package]\npublish = false");
        assert_eq!(told(&[private, ("skills/a/x/Cargo.toml", "")]), [""; 0]);
        let include = ("Cargo.toml", "[package]\ninclude = ['/src', 'skills']");
        assert_eq!(told(&[include, ("skills/a/.env", "")]), [""; 0]);
    }

    #[test]
    fn what_is_lost_is_told_once_a_skill_and_reason() {
        let package = ("Cargo.toml", "[package]\nname = 'x'");
        assert_eq!(
            told(&[
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
            told(&[include, ("skills/a/x.py", "")]),
            [
                "skills/a/x.py: `cargo package` leaves this out: `include` in Cargo.toml does not list it"
            ]
        );
        let exclude = ("Cargo.toml", "[package]\nexclude = ['skills/*/assets/']");
        assert_eq!(
            told(&[
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
            told(&[package, ("skills/a/.env", "")]),
            [
                "skills/a/.env: `cargo package` leaves this out: it is hidden, and not in a git repository"
            ]
        );
    }

    #[test]
    fn git_decides_in_a_repository() {
        let package = ("Cargo.toml", "[package]\nname = 'x'");
        let git = (".git/HEAD", "");
        let told = |ignored: &[(&str, &str)]| {
            told(
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
        assert_eq!(told(&[]), [""; 0]);
        let lost = ["skills/a/x/y.log: `cargo package` leaves this out: git ignores it"];
        assert_eq!(told(&[(".gitignore", "*.log\n")]), lost);
        assert_eq!(told(&[("skills/.gitignore", "/a/x/\n")]), lost);
        assert_eq!(
            told(&[(".gitignore", "*.log\n"), ("skills/.gitignore", "!*.log\n")]),
            [""; 0]
        );
    }
}

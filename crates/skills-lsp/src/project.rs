//! One folder that the client has open: its repository, and the findings of the last check.

use crate::documents::{Documents, bytes};
use skills_format::{Diagnostic, is_skill_file};
use skills_lint::{CONFIG_FILE, MAX_FILE};
use skills_repository::check::{Checked, Kept};
use skills_repository::repository::{Bundle, Repository, Settings, Start, check_text};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Files beside the skills that the walk reads: their change can change every skill.
const OF_THE_WALK: [&str; 5] = [
    CONFIG_FILE,
    ".gitignore",
    "plugin.json",
    "marketplace.json",
    "skills.lock",
];

/// The findings, by the absolute paths of their files or folders.
pub(crate) type Findings = BTreeMap<PathBuf, Vec<Diagnostic>>;

pub(crate) struct Project {
    /// The folder from which printed paths start.
    pub(crate) base: PathBuf,
    start: Start,
    pub(crate) repository: Option<Repository>,
    kept: Kept,
    pub(crate) findings: Findings,
    /// The reason why the folder could not be checked, until it was reported.
    pub(crate) failure: Option<String>,
    due: Due,
}

/// The part of a check that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Nothing,
    /// The forgotten skills.
    Changed,
    /// The walk, and every skill.
    All,
}

impl Project {
    /// Opens the folder of a workspace, or the repository of one file. Returns `None` for a file that no skill holds.
    pub(crate) fn new(path: &Path, base: &Path) -> Option<Self> {
        let given = path.strip_prefix(base).ok()?;
        let given = if given.as_os_str().is_empty() {
            Path::new(".")
        } else {
            given
        };
        Some(Self {
            start: Start::new(given, Some(base)).ok()?,
            base: base.to_owned(),
            repository: None,
            kept: Kept::default(),
            findings: Findings::new(),
            failure: None,
            due: Due::All,
        })
    }

    /// Returns whether a path is in the walked folder.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        path.starts_with(&self.start.on_disk)
    }

    /// Takes the new text of an open document; `None`: the file on the disk counts again.
    pub(crate) fn replace_text(&mut self, path: &Path, text: Option<&std::sync::Arc<str>>) {
        if !self.holds(path) {
            return;
        }
        let Some(repository) = &mut self.repository else {
            return;
        };
        repository.replace_text(path.to_owned(), text.map(bytes));
        self.forget(path);
    }

    /// Checks a file again. A file that the walk reads, or that is not known, has the folder walked again.
    pub(crate) fn forget(&mut self, path: &Path) {
        let dir = self.skill_of(path);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match dir {
            Some(dir) if !OF_THE_WALK.contains(&&*name) => {
                self.kept.forget(&dir);
                self.due = self.due.max(Due::Changed);
            }
            _ => self.due = Due::All,
        }
        // The findings about trigger texts are made with the whole check.
        if skills_clients::TRIGGER_FILES.contains(&&*name) {
            self.due = Due::All;
        }
    }

    /// Has the folder walked again, because files were written, added or removed.
    pub(crate) fn walk_again(&mut self) {
        self.due = Due::All;
    }

    /// Returns the folder of the skill that holds a known file, relative to the walked folder.
    pub(crate) fn skill_of(&self, path: &Path) -> Option<String> {
        let repository = self.repository.as_ref()?;
        let inside = repository.path_in(path)?;
        let skills = repository
            .bundles
            .iter()
            .flat_map(|bundle| bundle.tree.skills_of_any_case());
        let mut skills = skills.filter(|skill| skill.files.iter().any(|file| file.path == inside));
        skills.next().map(|skill| skill.dir.to_owned())
    }

    /// Returns the bundle that holds a known file.
    pub(crate) fn bundle_of(&self, path: &Path) -> Option<&Bundle> {
        let repository = self.repository.as_ref()?;
        let inside = repository.path_in(path)?;
        let mut bundles = repository.bundles.iter();
        bundles.find(|bundle| bundle.tree.get(&inside).is_some())
    }

    /// Checks what is due. Returns whether the findings may have changed.
    pub(crate) fn refresh(&mut self, documents: &Documents) -> bool {
        let due = std::mem::replace(&mut self.due, Due::Nothing);
        if due == Due::Nothing {
            return false;
        }
        if due == Due::All || self.repository.is_none() {
            let mut settings = Settings::default();
            let open = documents.iter().filter(|(path, _)| self.holds(path));
            settings.texts = open
                .map(|(path, document)| (path.to_owned(), bytes(&document.text)))
                .collect();
            self.kept = Kept::default();
            match Repository::open(self.start.clone(), &settings) {
                Ok(repository) => self.repository = Some(repository),
                Err(error) => return self.fail(&error),
            }
        }
        let Some(repository) = &self.repository else {
            return false;
        };
        let checked = if due == Due::All {
            self.kept.check(repository, &self.base)
        } else {
            self.kept.check_again(repository)
        };
        self.findings = by_path(repository, checked);
        for (path, document) in documents.iter() {
            let unsaved = unsaved(repository, path, &document.text);
            self.findings.extend(unsaved);
        }
        true
    }

    fn fail(&mut self, error: &io::Error) -> bool {
        self.failure = Some(format!(
            "cannot check {}: {error}",
            self.start.on_disk.display()
        ));
        self.repository = None;
        self.findings.clear();
        true
    }

    /// Returns the findings about a file if the file had another text. The findings of the project stay.
    pub(crate) fn tried(&mut self, path: &Path, text: &str) -> Option<Vec<Diagnostic>> {
        let dir = self.skill_of(path)?;
        let repository = self.repository.as_mut()?;
        let before = repository.replaced_text(path);
        repository.replace_text(path.to_owned(), Some(text.as_bytes().into()));
        self.kept.forget(&dir);
        let checked = self.kept.check_again(repository);
        let mut found = by_path(repository, checked);
        repository.replace_text(path.to_owned(), before);
        self.kept.forget(&dir);
        Some(found.remove(path).unwrap_or_default())
    }

    /// Reads a file as the check sees it.
    pub(crate) fn read(&self, path: &Path) -> Option<Vec<u8>> {
        let repository = self.repository.as_ref()?;
        let inside = repository.path_in(path)?;
        repository.read_file(&inside, MAX_FILE).ok()
    }

    /// Returns the absolute path of a path relative to the walked folder.
    pub(crate) fn on_disk(&self, inside: &str) -> PathBuf {
        self.start.on_disk.join(inside)
    }

    /// Returns the file at which an editor shows findings about a path: of the folder of a skill, the `SKILL.md`.
    pub(crate) fn shown_at(&self, path: &Path) -> PathBuf {
        let Some(repository) = &self.repository else {
            return path.to_owned();
        };
        let inside = repository.path_in(path).unwrap_or_default();
        let mut bundles = repository.bundles.iter();
        let entry = bundles.find_map(|bundle| {
            let skills = bundle.tree.skills_of_any_case();
            let mut skills = skills.into_iter().filter(|skill| skill.dir == inside);
            skills.next().map(|skill| skill.file.path.clone())
        });
        entry.map_or_else(|| path.to_owned(), |entry| self.on_disk(&entry))
    }
}

fn by_path(repository: &Repository, checked: Checked) -> Findings {
    let of_bundles = checked
        .bundles
        .into_iter()
        .flat_map(|found| found.diagnostics);
    let mut all: Vec<Diagnostic> = of_bundles.chain(checked.others).collect();
    Diagnostic::sort(&mut all);
    let mut findings = Findings::new();
    for finding in all {
        if let Some(path) = repository.on_disk(&finding.path) {
            findings.entry(path).or_default().push(finding);
        }
    }
    findings
}

/// Returns the findings about a `SKILL.md` that was never saved. Rules about its folder do not run.
fn unsaved(repository: &Repository, path: &Path, text: &str) -> Option<(PathBuf, Vec<Diagnostic>)> {
    let inside = repository.path_in(path)?;
    let is_new = is_skill_file(&inside) && repository.is_absent(&inside);
    let found =
        is_new.then(|| check_text(Path::new(&inside), text.as_bytes(), &Settings::default()));
    Some((path.to_owned(), found?.diagnostics))
}

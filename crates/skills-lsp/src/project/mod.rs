//! One folder that the client has open: its repository, and the findings of the last check.

pub(crate) mod known;
pub(crate) mod scan;

use crate::documents::{Documents, bytes};
use crate::project::known::KnownSkills;
use crate::project::scan::{Scan, Scanned};
use skills_format::disk::is_there;
use skills_format::tree::{folders_above, is_skill_file_of_any_case};
use skills_format::{Diagnostic, RuleId, SkillFiles, Span, is_skill_file};
use skills_lint::{CONFIG_FILE, MAX_FILE};
use skills_repository::check::{Checked, Kept};
use skills_repository::repository::{Bundle, Repository, Settings, Start, check_text};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// `None` until the first scan is done.
    pub(crate) repository: Option<Repository>,
    skills: Skills,
    pub(crate) known: KnownSkills,
    kept: Kept,
    pub(crate) findings: Findings,
    /// The reason why the folder could not be checked, until it was reported.
    pub(crate) failure: Option<String>,
    /// The number of the scan that runs. Its result replaces the repository.
    pub(crate) scan: Option<i32>,
    /// True if the folder must be walked again.
    is_scan_due: bool,
    /// True if a forgotten skill, or a file that was never saved, must be checked again.
    is_check_due: bool,
    /// True if the client has opened a document of it, and not the folder.
    pub(crate) is_of_documents: bool,
}

/// The skills by their folders: the number of the bundle and the path of the `SKILL.md`. A repository has thousands, and
/// each finding is looked up.
type Skills = BTreeMap<String, (usize, String)>;

impl Project {
    /// Opens the folder of a workspace.
    pub(crate) fn new(folder: &Path) -> Option<Self> {
        Self::of(folder, folder)
    }

    /// Opens the skill of a document that is in no open folder. Returns `None` for a file that no skill holds.
    pub(crate) fn of_document(path: &Path) -> Option<Self> {
        let base = path.parent()?;
        let path = match path.file_name()?.to_str() {
            _ if is_there(path) => path,
            // Never saved: its folder. Another document can stand anywhere, and all folders below would be walked.
            Some(name) if is_skill_file(name) => base,
            _ => return None,
        };
        let project = Self::of(path, base)?;
        Some(Self {
            is_of_documents: true,
            ..project
        })
    }

    fn of(path: &Path, base: &Path) -> Option<Self> {
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
            skills: Skills::new(),
            known: KnownSkills::default(),
            kept: Kept::default(),
            findings: Findings::new(),
            failure: None,
            scan: None,
            is_scan_due: true,
            is_check_due: false,
            is_of_documents: false,
        })
    }

    /// Returns whether the project is the folder that a client has opened.
    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        !self.is_of_documents && self.base == path
    }

    /// Returns whether the project was opened for a document that another project checks too.
    pub(crate) fn is_of_documents_in(&self, other: &Self) -> bool {
        self.is_of_documents && other.covers(self)
    }

    /// Returns whether everything that another project checks is also checked by this one.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        self.start.covers(&other.start)
    }

    /// Returns whether a file is checked. Of a bundle that is walked for one document, only the skill of the document is.
    pub(crate) fn checks(&self, path: &Path) -> bool {
        self.start.requests(path)
    }

    /// Returns whether the project is still needed: its folder or one of its documents is open.
    pub(crate) fn is_open(&self, documents: &Documents) -> bool {
        !self.is_of_documents || documents.iter().any(|(path, _)| self.checks(path))
    }

    /// Returns whether a path is in the walked folder.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        path.starts_with(&self.start.on_disk)
    }

    /// Returns the folder, for a person.
    pub(crate) fn shown(&self) -> String {
        self.start.on_disk.display().to_string()
    }

    /// Takes the new text of an open document; `None`: the file on the disk counts again.
    pub(crate) fn replace_text(&mut self, path: &Path, text: Option<&Arc<str>>) {
        if !self.holds(path) {
            return;
        }
        let Some(repository) = &mut self.repository else {
            return;
        };
        repository.replace_text(path.to_owned(), text.map(bytes));
        self.forget(path);
    }

    /// Checks a file again. A file that the walk reads has the folder walked again.
    fn forget(&mut self, path: &Path) {
        if let Some(dir) = self.skill_of(path) {
            self.known.forget(&dir);
        }
        self.is_check_due = true;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.is_scan_due |= OF_THE_WALK.contains(&&*name);
    }

    /// Has the folder walked again, because files were written, added or removed.
    pub(crate) fn walk_again(&mut self) {
        self.is_scan_due = true;
    }

    /// Has the folder walked again if a program changed one of these files, unless git ignores them: a build writes
    /// thousands.
    pub(crate) fn changed(&mut self, paths: &[PathBuf]) {
        let mut held = paths
            .iter()
            .map(PathBuf::as_path)
            .filter(|path| self.holds(path));
        self.is_scan_due |= match &self.repository {
            Some(repository) => repository.sees_one_of(held),
            None => held.next().is_some(),
        };
    }

    /// Has the folder walked again if a file came since the last walk and can be a part of a skill.
    pub(crate) fn opened(&mut self, path: &Path) {
        let Some(repository) = &self.repository else {
            return;
        };
        let Some(inside) = repository.path_in(path) else {
            return;
        };
        let is_of_skill = is_skill_file_of_any_case(&inside)
            || folders_above(&inside).any(|dir| self.skills.contains_key(dir));
        self.is_scan_due |= is_of_skill
            && self.index_of_bundle(&inside).is_none()
            && !repository.is_absent(&inside);
    }

    /// Returns the folder of the skill that holds a known file, relative to the walked folder.
    pub(crate) fn skill_of(&self, path: &Path) -> Option<String> {
        let inside = self.repository.as_ref()?.path_in(path)?;
        let bundle = self.index_of_bundle(&inside)?;
        let is_skill = |dir: &&str| self.skills.get(*dir).is_some_and(|(of, _)| *of == bundle);
        folders_above(&inside).find(is_skill).map(str::to_owned)
    }

    fn index_of_bundle(&self, inside: &str) -> Option<usize> {
        let mut bundles = self.repository.as_ref()?.bundles.iter();
        bundles.position(|bundle| bundle.tree.get(inside).is_some())
    }

    /// Returns the bundle that holds a known file.
    pub(crate) fn bundle_of(&self, path: &Path) -> Option<&Bundle> {
        let repository = self.repository.as_ref()?;
        let index = self.index_of_bundle(&repository.path_in(path)?)?;
        repository.bundles.get(index)
    }

    /// Returns the scan that is due, unless another runs.
    pub(crate) fn due_scan(&mut self, number: i32, documents: &Documents) -> Option<Scan> {
        if !self.is_scan_due || self.scan.is_some() {
            return None;
        }
        self.is_scan_due = false;
        self.scan = Some(number);
        let open = documents.iter().filter(|(path, _)| self.holds(path));
        Some(Scan {
            start: self.start.clone(),
            base: self.base.clone(),
            texts: open
                .map(|(path, document)| (path.to_owned(), bytes(&document.text)))
                .collect(),
        })
    }

    /// Takes the result of the scan.
    pub(crate) fn take(&mut self, scanned: io::Result<Scanned>, documents: &Documents) {
        self.scan = None;
        self.is_check_due = false;
        self.known = KnownSkills::default();
        let scanned = match scanned {
            Ok(scanned) => scanned,
            Err(error) => {
                self.failure = Some(format!("cannot check {}: {error}", self.shown()));
                self.repository = None;
                self.findings.clear();
                return;
            }
        };
        let repository = scanned.repository;
        let bundles = repository.bundles.iter().enumerate();
        let skills = bundles.flat_map(|(index, bundle)| {
            let skills = bundle.tree.skills_of_any_case().into_iter();
            let entry = move |skill: SkillFiles<'_>| {
                (skill.dir.to_owned(), (index, skill.file.path.clone()))
            };
            skills.map(entry)
        });
        self.skills = skills.collect();
        self.kept = scanned.kept;
        self.findings = by_path(&repository, scanned.checked);
        self.add_unsaved(&repository, documents);
        self.repository = Some(repository);
        // The documents that were changed, opened or closed since the scan began.
        let is_same = |path: &Path| {
            let now = documents.get(path).map(|now| now.text.as_bytes());
            now == scanned.texts.get(path).map(|then| &**then)
        };
        let open = documents.iter().map(|(path, _)| path);
        let all = open.chain(scanned.texts.keys().map(PathBuf::as_path));
        for path in all.filter(|path| !is_same(path)) {
            let text = documents.get(path).map(|document| &document.text);
            self.replace_text(path, text);
        }
    }

    /// Checks what was forgotten. Returns whether the findings may have changed.
    pub(crate) fn refresh(&mut self, documents: &Documents) -> bool {
        let Some(repository) = self.repository.take_if(|_| self.is_check_due) else {
            return false;
        };
        self.is_check_due = false;
        let checked = self.kept.check_again(&repository);
        self.findings = by_path(&repository, checked);
        self.add_unsaved(&repository, documents);
        self.repository = Some(repository);
        true
    }

    /// Adds the findings about each `SKILL.md` that was never saved. Rules about its folder do not run.
    fn add_unsaved(&mut self, repository: &Repository, documents: &Documents) {
        for (path, document) in documents.iter() {
            let inside = repository.path_in(path);
            let is_new = |inside: &String| is_skill_file(inside) && repository.is_absent(inside);
            if let Some(inside) = inside.filter(is_new) {
                let text = document.text.as_bytes();
                let found = check_text(Path::new(&inside), text, &Settings::default());
                self.findings.insert(path.to_owned(), found.diagnostics);
            }
        }
    }

    /// Returns the findings about a file if the file had another text. The findings of the project stay.
    pub(crate) fn tried(&mut self, path: &Path, text: &str) -> Option<Vec<Diagnostic>> {
        self.skill_of(path)?;
        let repository = self.repository.as_mut()?;
        let before = repository.replaced_text(path);
        repository.replace_text(path.to_owned(), Some(text.as_bytes().into()));
        let checked = self.kept.check_again(repository);
        let mut found = by_path(repository, checked);
        repository.replace_text(path.to_owned(), before);
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

    /// Returns the file at which an editor shows findings about a path. An editor shows none at a folder: those about the
    /// folder of a skill are shown at its `SKILL.md`, and those about another folder at the `SKILL.md` that is next to it.
    /// Returns `None` for a folder in a project without a skill.
    pub(crate) fn shown_at(&self, path: &Path, findings: &[Diagnostic]) -> Option<PathBuf> {
        let inside = self.repository.as_ref().and_then(|it| it.path_in(path));
        let Some((repository, inside)) = self.repository.as_ref().zip(inside) else {
            return Some(path.to_owned());
        };
        if let Some((_, entry)) = self.skills.get(&inside) {
            return Some(self.on_disk(entry));
        }
        let is_whole = findings.iter().all(|it| it.span() == Span::default());
        let is_folder = || {
            let found = repository.folder.stat(Path::new(&inside));
            inside.is_empty() || found.is_ok_and(|found| !found.is_file)
        };
        // A link is a file of its skill.
        if !is_whole || self.index_of_bundle(&inside).is_some() || !is_folder() {
            return Some(path.to_owned());
        }
        let mut folders: Vec<&str> = folders_above(&inside).collect();
        folders.push(&inside);
        let first = |folder: &str| {
            let below = if folder.is_empty() {
                String::new()
            } else {
                format!("{folder}/")
            };
            let mut skills = self.skills.range(below.clone()..);
            let (_, (_, entry)) = skills.next().filter(|(dir, _)| dir.starts_with(&below))?;
            Some(self.on_disk(entry))
        };
        folders.into_iter().rev().find_map(first)
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
        // Most folders that an editor opens hold no skill.
        if finding.is(RuleId::BundleEmpty) {
            continue;
        }
        if let Some(path) = repository.on_disk(&finding.path) {
            findings.entry(path).or_default().push(finding);
        }
    }
    findings
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test writes a skill")]
mod tests {
    use super::*;
    use lsp_types::Uri;
    use std::str::FromStr as _;

    const GREET: &str = "---\nname: greet\ndescription: Greets. Use when asked.\n---\nGo.\n";

    #[test]
    fn what_is_typed_during_a_scan_counts_after_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("skills/greet/SKILL.md");
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, GREET).expect("a file");
        let uri = Uri::from_str("file:///x").expect("a URI");
        let mut documents = Documents::default();
        documents.open(path.clone(), uri.clone(), 1, "x");
        let mut project = Project::new(folder.path()).expect("a project");
        let scan = project.due_scan(1, &documents).expect("a scan");
        // Nothing waits for the scan, and a second does not begin.
        assert!(!project.refresh(&documents));
        project.walk_again();
        assert!(project.due_scan(2, &documents).is_none());
        documents.open(path.clone(), uri, 2, GREET);
        project.replace_text(&path, documents.get(&path).map(|it| &it.text));
        project.take(scan.run(), &documents);
        assert_eq!(project.findings.len(), 1);
        assert!(project.refresh(&documents));
        assert!(project.findings.is_empty());
        assert!(project.due_scan(2, &documents).is_some());
    }

    #[test]
    fn a_build_begins_no_scan() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in [".git", "skills/greet"] {
            std::fs::create_dir_all(path(name)).expect("a folder");
        }
        std::fs::write(path("skills/greet/SKILL.md"), GREET).expect("a file");
        std::fs::write(path(".gitignore"), "target/\n*.log\n").expect("a file");
        let documents = Documents::default();
        let mut project = Project::new(folder.path()).expect("a project");
        let is_due = |project: &mut Project| match project.due_scan(1, &documents) {
            Some(scan) => {
                project.take(scan.run(), &documents);
                true
            }
            None => false,
        };
        assert!(is_due(&mut project));
        let ignored = ["target/debug/x.o", "skills/greet/x.log"].map(path);
        project.changed(&ignored);
        project.changed(&[PathBuf::from("/elsewhere/x")]);
        assert!(!is_due(&mut project));
        for name in ["skills/greet/x.md", "skills/bow", ".gitignore"] {
            project.changed(&[path("target/y"), path(name)]);
            assert!(is_due(&mut project), "{name}");
        }
    }

    #[test]
    fn a_skill_is_read_again_only_if_it_has_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(format!("skills/{name}/SKILL.md"));
        for name in ["greet", "wave"] {
            let path = path(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, GREET.replace("greet", name)).expect("a file");
        }
        let documents = Documents::default();
        let mut project = Project::new(folder.path()).expect("a project");
        let scan = project.due_scan(1, &documents).expect("a scan");
        project.take(scan.run(), &documents);
        let all = |project: &Project| {
            let repository = project.repository.as_ref().expect("a repository");
            project.known.of(repository, &repository.bundles[0])
        };
        let first = all(&project);
        let same = |name: &str, now: &crate::project::known::Skills| {
            let known = first.get(name).zip(now.get(name));
            known.is_some_and(|(then, now)| Arc::ptr_eq(then, now))
        };
        let now = all(&project);
        assert!(same("greet", &now) && same("wave", &now));
        project.replace_text(
            &path("wave"),
            Some(&Arc::from(GREET.replace("greet", "bow"))),
        );
        let now = all(&project);
        assert!(same("greet", &now) && !now.contains_key("wave") && now.contains_key("bow"));
        project.walk_again();
        let scan = project.due_scan(2, &documents).expect("a scan");
        project.take(scan.run(), &documents);
        let now = all(&project);
        assert!(now.contains_key("wave") && !same("greet", &now));
    }
}

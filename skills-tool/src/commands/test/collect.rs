use crate::commands::check::read::open;
use crate::environment::Environment;
use crate::outcome::Failure;
use skills_compiler::repository::{Bundle, Repository, Settings};
use skills_format::disk::read_regular;
use skills_format::text::distance::nearest;
use skills_format::{
    Diagnostic, MAX_SKILL_FILE, RuleId, Severity, SkillFile, SkillWords, TRIGGER_FILES,
    TRIGGERS_FILE, Trigger, join, read_triggers,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// The largest file of triggers.
const MAX_FILE: u64 = 16 * 1024 * 1024;
/// The folders of a skill in which the files of other programs lie.
const FOLDERS: [&str; 2] = ["evals", "tests"];

/// Everything that is tested.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) bundles: Vec<Tested>,
    /// What could not be read of files of triggers.
    pub(super) faults: Vec<Diagnostic>,
    /// The folders of bundles with skills that could not be read, and how many.
    pub(super) unread: Vec<(String, usize)>,
}

/// Skills that are loaded together, and the texts for them.
#[derive(Debug, Default)]
pub(super) struct Tested {
    /// Its folder, as it is shown.
    pub(super) folder: String,
    pub(super) names: Vec<String>,
    pub(super) words: Vec<SkillWords>,
    pub(super) triggers: Vec<Case>,
}

impl Tested {
    pub(super) fn name(&self, skill: usize) -> String {
        self.names.get(skill).cloned().unwrap_or_default()
    }
}

/// A text for a skill.
#[derive(Debug)]
pub(super) struct Case {
    /// The skill's place in the bundle.
    pub(super) skill: usize,
    pub(super) trigger: Trigger,
    /// The file, where the text stands in it.
    pub(super) place: Diagnostic,
}

/// Reads the skills and the files of triggers of a path.
pub(super) fn collect(path: &Path, environment: &Environment) -> Result<Collected, Failure> {
    let repository = open(path, &Settings::default(), environment)?;
    let mut collected = Collected::default();
    for bundle in &repository.bundles {
        collected.add(&repository, bundle);
    }
    Ok(collected)
}

impl Collected {
    fn add(&mut self, repository: &Repository, bundle: &Bundle) {
        let mut tested = Tested::default();
        let mut of_dir = BTreeMap::new();
        let mut unread = 0;
        for skill in bundle.tree.skills_of_any_case() {
            let bytes = read(repository, &skill.file.path, MAX_SKILL_FILE);
            let folder = skill.dir.rsplit('/').next().unwrap_or_default();
            let bytes = bytes.unwrap_or_default();
            let (skill_read, _) = SkillFile::read(&*skill.file.path, folder, &bytes).lenient();
            let Some(read) = skill_read else {
                unread += 1;
                continue;
            };
            of_dir.insert(skill.dir.to_owned(), tested.names.len());
            let words = SkillWords::of(read.name.as_str(), &read.description, &read.fields);
            tested.words.push(words);
            tested.names.push(read.name.into_string());
        }
        for file in &bundle.tree.files {
            if let Some(dir) = skill_of(&file.path, &of_dir)
                && bundle.checks(dir)
            {
                let skill = of_dir.get(dir).copied();
                self.add_file(repository, &file.path, skill, &mut tested);
            }
        }
        let parents: BTreeSet<&str> = of_dir.keys().filter_map(|dir| parent(dir)).collect();
        for file in TRIGGER_FILES {
            for parent in &parents {
                self.add_file(repository, &join(parent, file), None, &mut tested);
            }
        }
        let asked: Vec<bool> = of_dir.keys().map(|dir| bundle.checks(dir)).collect();
        tested
            .triggers
            .retain(|case| asked.get(case.skill).copied().unwrap_or_default());
        tested.folder.clone_from(&bundle.path);
        if unread > 0 {
            self.unread.push((bundle.path.clone(), unread));
        }
        self.bundles.push(tested);
    }

    fn add_file(
        &mut self,
        repository: &Repository,
        path: &str,
        skill: Option<usize>,
        tested: &mut Tested,
    ) {
        let shown = repository.shown(path);
        let bytes = match read(repository, path, MAX_FILE) {
            Ok(bytes) => bytes,
            Err(error) if skill.is_none() && error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                let message = format!("cannot be read: {error}");
                let fault = Diagnostic::new(RuleId::TriggerForm, Severity::Error, &shown, message);
                self.faults
                    .push(fault.help("make it a file of at most 16 MiB"));
                return;
            }
        };
        let is_ours = path.ends_with(TRIGGERS_FILE);
        let text = String::from_utf8_lossy(&bytes);
        if !is_ours && !text.contains("queries") && !text.contains("rigger") {
            // Other programs have files of this name for other things.
            return;
        }
        let (all, faults) = read_triggers(&shown, &bytes);
        self.faults.extend(faults);
        for triggers in all {
            let at = |span| {
                Diagnostic::new(RuleId::TriggerMiss, Severity::Error, &shown, "").at(&bytes, span)
            };
            let named = triggers.skill.as_deref();
            let known = named.map(|name| tested.names.iter().position(|known| known == name));
            let Some(skill) = known.unwrap_or(skill) else {
                let mut fault = at(triggers.span);
                fault.rule = RuleId::TriggerForm.into();
                let all_names = tested.names.iter().map(String::as_str);
                fault.message = named.map_or_else(
                    || "no skill is named".to_owned(),
                    |name| format!("no skill is named `{name}`"),
                );
                let near = named.and_then(|name| nearest(name, all_names));
                self.faults.push(fault.help(match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "write `skill:` and the name of a skill of this bundle".to_owned(),
                }));
                continue;
            };
            for trigger in triggers.cases {
                tested.triggers.push(Case {
                    skill,
                    place: at(trigger.span),
                    trigger,
                });
            }
        }
    }
}

/// The folder of the skill whose triggers a file may hold.
fn skill_of<'p>(path: &'p str, of_dir: &BTreeMap<String, usize>) -> Option<&'p str> {
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    if !TRIGGER_FILES.contains(&name) {
        return None;
    }
    let nested = FOLDERS.into_iter().filter_map(|folder| {
        let dir = parent.strip_suffix(folder)?;
        dir.strip_suffix('/').or(dir.is_empty().then_some(dir))
    });
    let nested = nested.filter(|_| name != TRIGGERS_FILE);
    std::iter::once(parent)
        .chain(nested)
        .find(|dir| of_dir.contains_key(*dir))
}

/// The folder above a skill's folder. `None`: the skill is the root.
fn parent(dir: &str) -> Option<&str> {
    match dir.rsplit_once('/') {
        Some((parent, _)) => Some(parent),
        None => (!dir.is_empty()).then_some(""),
    }
}

fn read(repository: &Repository, path: &str, most: u64) -> io::Result<Vec<u8>> {
    read_regular(&repository.folder.file_below(Path::new(path))?, most)
}

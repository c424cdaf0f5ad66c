//! The trigger files of a bundle.

use crate::repository::{Bundle, Repository};
use crate::triggers::load::{Loaded, read};
use skills_clients::{TRIGGER_FILES, Trigger, Triggers, read_triggers};
use skills_format::text::control::one_line;
use skills_format::text::distance::nearest;
use skills_format::{Diagnostic, RuleId, Severity, TRIGGERS_FILE, join, picture};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Maximum size of a trigger file.
const MAX_FILE: u64 = 16 * 1024 * 1024;
/// Maximum characters of a text in a message.
const SHOWN: usize = 60;
/// The folders of a skill in which other programs keep trigger files.
const FOLDERS: [&str; 2] = ["evals", "tests"];

/// The trigger texts for the checked skills of a bundle.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Texts {
    /// Every text, in order of the files.
    pub all: Vec<Text>,
    /// Findings about unreadable or invalid trigger files.
    pub faults: Vec<Diagnostic>,
}

/// A trigger text for a skill.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Text {
    /// The index of the skill in [`Loaded::skills`].
    pub skill: usize,
    /// The text, and whether the skill should be chosen for the text.
    pub trigger: Trigger,
    /// A finding without message, placed at the text in its file.
    pub place: Diagnostic,
}

impl Text {
    /// Creates the finding that the text failed.
    pub fn finding(&self, message: &str, help: &str) -> Diagnostic {
        let text = shown(&self.trigger.text);
        let text = match text.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text,
        };
        let mut finding = self.place.clone();
        finding.message = format!("for `{text}`, {message}").into();
        finding.help(help)
    }
}

/// Writes a text of a file on one line.
pub(super) fn shown(text: &str) -> String {
    one_line(text, |c| Some(picture(c))).into_owned()
}

impl Texts {
    /// Reads the trigger files of a bundle: beside each `SKILL.md`, and beside the folders of skills.
    ///
    /// # Cost
    ///
    /// Reads each file once, at most 16 MiB each.
    pub fn read(repository: &Repository, bundle: &Bundle, loaded: &Loaded) -> Self {
        let mut texts = Self::default();
        let skills = loaded.skills.iter().enumerate();
        let of_dir: BTreeMap<&str, usize> = skills
            .map(|(number, skill)| (&*skill.dir, number))
            .collect();
        for file in &bundle.tree.files {
            if let Some(dir) = skill_of(&file.path, &of_dir)
                && bundle.checks(dir)
            {
                texts.add_file(repository, &file.path, of_dir.get(dir).copied(), loaded);
            }
        }
        let parents: BTreeSet<&str> = of_dir.keys().filter_map(|dir| parent(dir)).collect();
        for parent in parents {
            for file in TRIGGER_FILES {
                texts.add_file(repository, &join(parent, file), None, loaded);
            }
        }
        let asked = |skill: usize| {
            loaded
                .skills
                .get(skill)
                .is_some_and(|skill| bundle.checks(&skill.dir))
        };
        texts.all.retain(|text| asked(text.skill));
        texts
    }

    fn add_file(
        &mut self,
        repository: &Repository,
        path: &str,
        skill: Option<usize>,
        loaded: &Loaded,
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
            // Other programs use this file name for other purposes.
            return;
        }
        let (all, faults) = read_triggers(&shown, &bytes);
        self.faults.extend(faults);
        for triggers in all {
            let at = |rule: RuleId, span| {
                Diagnostic::new(rule, Severity::Error, &shown, "").at(&bytes, span)
            };
            let named = triggers.skill.as_deref();
            let known = named.map(|name| loaded.skills.iter().position(|known| known.name == name));
            let Some(skill) = known.unwrap_or(skill) else {
                self.faults.push(unknown(
                    &triggers,
                    loaded,
                    at(RuleId::TriggerForm, triggers.span),
                ));
                continue;
            };
            self.all
                .extend(triggers.cases.into_iter().map(|trigger| Text {
                    skill,
                    place: at(RuleId::TriggerMiss, trigger.span),
                    trigger,
                }));
        }
    }
}

/// Reports trigger texts that name no skill, or an unknown skill.
fn unknown(triggers: &Triggers, loaded: &Loaded, mut fault: Diagnostic) -> Diagnostic {
    let named = triggers.skill.as_deref();
    fault.message = match named {
        None => "no skill is named".into(),
        Some(name) => format!("no skill is named `{name}`").into(),
    };
    let all = loaded.skills.iter().map(|skill| &*skill.name);
    fault.help(match named.and_then(|name| nearest(name, all)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "write `skill:` and the name of a skill of this bundle".to_owned(),
    })
}

/// Returns the folder of the skill that a trigger file belongs to.
fn skill_of<'p>(path: &'p str, of_dir: &BTreeMap<&str, usize>) -> Option<&'p str> {
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    if !TRIGGER_FILES.contains(&name) {
        return None;
    }
    let nested = FOLDERS
        .into_iter()
        .filter_map(|folder| {
            let dir = parent.strip_suffix(folder)?;
            dir.strip_suffix('/').or(dir.is_empty().then_some(dir))
        })
        .filter(|_| name != TRIGGERS_FILE);
    std::iter::once(parent)
        .chain(nested)
        .find(|dir| of_dir.contains_key(*dir))
}

/// Returns the folder above a skill's folder; `None` if the skill is the root.
fn parent(dir: &str) -> Option<&str> {
    match dir.rsplit_once('/') {
        Some((parent, _)) => Some(parent),
        None => (!dir.is_empty()).then_some(""),
    }
}

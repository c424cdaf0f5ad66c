//! Compiles a folder to a model and diagnostics.

use crate::folder::Folder;
use crate::lock;
use crate::model::BundleModel;
use crate::schema::{self, Schema};
use skills_check::{Checked, CheckedSkill, check};
use skills_format::{Diagnostic, FileKind, RuleId, Severity, SkillName, TreeFile, join};
use std::collections::BTreeSet;

/// A check of the author: it gets the shown path and the text of each `SKILL.md`, and reports what is wrong.
pub type Check = fn(path: &str, text: &str) -> Vec<Diagnostic>;

/// A checked bundle.
#[derive(Debug)]
#[non_exhaustive]
pub struct Compiled<'f> {
    /// The usable skills.
    pub model: BundleModel<'f>,
    /// The names of all skills of the folder, usable or not.
    pub names: Vec<Named>,
    /// The findings, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// The name of a skill. An unusable skill gets a name made from its folder.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Named {
    /// The name of the skill.
    pub name: SkillName,
    /// The description; empty if missing.
    pub description: String,
    /// The printed path of the `SKILL.md`.
    pub path: String,
    /// The typed arguments, as far as they can be read.
    pub schema: Option<Schema>,
}

impl Folder {
    /// Checks the skills and makes the model.
    ///
    /// # Cost
    ///
    /// Checks and digests every file once. Performs no I/O.
    pub fn compile(&self) -> Compiled<'_> {
        let mut checked = check(&self.path, &self.tree, &self.config);
        if self.config.is_flat {
            name_by_file(&mut checked);
        }
        let mut names: Vec<Named> = checked.skills.iter().filter_map(Named::new).collect();
        for named in &mut names {
            named.path = self.shown(&named.path);
        }
        names.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
        let model = BundleModel::new(&checked.skills, &self.config);
        // Only the missing folder is reported, and not that the empty tree contains no skills.
        if self
            .faults
            .iter()
            .any(|fault| fault.is(RuleId::BundleEmpty))
        {
            checked.diagnostics.clear();
        }
        let missing = missing(self, &checked, &model);
        let mut compiled = Compiled {
            names,
            diagnostics: checked.diagnostics,
            model,
        };
        compiled.diagnostics.extend(self.faults.iter().cloned());
        compiled.diagnostics.extend(missing);
        let known = compiled.names.iter().map(|it| it.name.as_str()).collect();
        let seals = self.config.unknown_seals(&known);
        compiled.diagnostics.extend(seals);
        // The lock only. `stale-bundle` is a rule of the macro: see `expand/mod.rs`.
        let names = &compiled.names;
        let exists = |name: &str| names.iter().any(|it| it.name.as_str() == name);
        let stale = lock::check(self, &compiled.model, &exists);
        compiled.diagnostics.extend(stale);
        let found = compiled.diagnostics.iter_mut();
        for found in found.filter(|_| self.config.is_flat) {
            found.path = self.shown(&found.path);
            // `skills check` does not read flat folders.
            found.fix = None;
            if found.is(RuleId::NameMismatch) {
                found.message = found.message.replace("its folder", "its file").into();
                found.help = found.help.replace("the folder", "the file").into();
            }
            if let Some(related) = &mut found.related {
                related.path = self.shown(&related.path);
            }
        }
        Diagnostic::sort(&mut compiled.diagnostics);
        compiled
    }
}

/// Takes a missing name from the file: in a flat folder it is no fault.
fn name_by_file(checked: &mut Checked<'_>) {
    for skill in checked.skills.iter_mut().filter(|it| it.skill.is_none()) {
        let (read, found) = skill.file.lenient();
        if found.iter().all(|it| it.is(RuleId::NameMissing)) {
            skill.skill = read;
            let path = &skill.file.path;
            let is_name = |it: &Diagnostic| it.is(RuleId::NameMissing) && it.path == *path;
            checked.diagnostics.retain(|it| !is_name(it));
        }
    }
}

impl Compiled<'_> {
    /// Adds the findings of an author's check of every usable skill. Other skills have an error already.
    pub(crate) fn check(&mut self, check: Check) {
        for skill in &self.model.skills {
            let named = self.names.iter().find(|it| it.name == skill.skill.name);
            let found = named.map(|named| check(&named.path, skill.document.text));
            self.diagnostics.extend(found.into_iter().flatten());
        }
        Diagnostic::sort(&mut self.diagnostics);
    }

    /// Returns whether a finding is an error.
    pub fn is_faulty(&self) -> bool {
        self.errors().next().is_some()
    }

    /// Iterates over the findings that are errors.
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        let found = self.diagnostics.iter();
        found.filter(|found| found.severity == Severity::Error)
    }
}

impl Named {
    fn new(checked: &CheckedSkill<'_>) -> Option<Self> {
        let skill = checked.skill.as_ref();
        Some(Self {
            name: match skill {
                Some(skill) => skill.name.clone(),
                None => SkillName::make(&checked.file.folder)?,
            },
            description: skill.map_or_else(String::new, |skill| skill.description.clone()),
            path: checked.file.path.clone(),
            schema: schema::of(checked),
        })
    }
}

/// Reports each skill, and each file of a skill, that is missing from the bundle. A path that already has an error
/// is not reported again.
fn missing(folder: &Folder, checked: &Checked<'_>, model: &BundleModel<'_>) -> Vec<Diagnostic> {
    let errors = checked.diagnostics.iter().chain(&folder.faults);
    let errors = errors.filter(|found| found.severity == Severity::Error);
    let reported: BTreeSet<&str> = errors.map(|found| found.path.as_str()).collect();
    let bundled: BTreeSet<&str> = model.skills.iter().map(|skill| skill.dir).collect();
    let limits = folder.config.limits;
    let mut found = Vec::new();
    if !limits.hold_all(checked.skills.iter().map(|skill| skill.files)) {
        if !reported.contains(folder.path.as_str()) {
            let most = limits.bundle_bytes;
            let message = format!("the skills are larger than {most} bytes, and are not read");
            let rule = RuleId::BundleTooLarge;
            found.push(Diagnostic::new(
                rule,
                Severity::Error,
                &folder.path,
                message,
            ));
        }
        // The files were not read, so the checks below would report each of them.
        return found;
    }
    let mut report = |rule: RuleId, path: String, message: String| {
        if !reported.contains(path.as_str()) {
            let error = Diagnostic::new(rule, Severity::Error, path, message);
            found.push(error.help("a bundle cannot leave it out: change it, or remove it"));
        }
    };
    for skill in &checked.skills {
        let dir = join(&folder.path, skill.dir);
        if !limits.hold(skill.files) {
            let message = "the skill is over the limits, and is not read".to_owned();
            report(RuleId::SkillTooLarge, dir, message);
            continue;
        }
        if !bundled.contains(skill.dir)
            && let Err(invalid) = skill.file.parsed()
        {
            let message = format!("this skill cannot be bundled: {}", invalid.why);
            report(invalid.rule, skill.file.path.clone(), message);
        }
        for file in skill.files {
            if let Some((rule, why)) = lack(file) {
                let path = join(&folder.path, &file.path);
                report(rule, path, format!("this file cannot be bundled: {why}"));
            }
        }
    }
    let is_reported = |error: &Diagnostic| reported.contains(error.path.as_str());
    let read = checked.skills.iter();
    let read = read.filter(|skill| limits.hold(skill.files));
    let schemas = read.filter_map(|skill| schema::unread(folder, skill));
    found.extend(schemas.filter(|error| !is_reported(error)));
    found
}

/// Returns the reason why a bundle cannot hold a file.
fn lack(file: &TreeFile) -> Option<(RuleId, &'static str)> {
    match (file.kind, &file.bytes) {
        (FileKind::Link, _) => Some((RuleId::Symlink, "it is a link")),
        (FileKind::Other, _) => Some((RuleId::Unreadable, "it is not a file")),
        _ if !file.utf8 => Some((RuleId::PathForm, "its path is not UTF-8")),
        (_, None) => Some((RuleId::Unreadable, "it cannot be read")),
        _ => None,
    }
}

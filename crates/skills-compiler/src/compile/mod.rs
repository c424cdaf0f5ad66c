//! Compiles a folder to a model and diagnostics.

mod extract;
mod lookalikes;
mod missing;
mod nested;

use crate::folder::Folder;
use crate::lock::check;
use crate::model::{BundleModel, Usable};
use crate::package;
use skills_format::text::map::TextMap;
use skills_format::text::order::sort_by_text;
use skills_format::{Diagnostic, Digest, Prose, RuleId, Schema, Severity, Skill, SkillName, join};
use skills_lint::{CheckedSkill, check};

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
    /// Runs every rule, and digests every file once. Performs no I/O.
    pub fn compile(&self) -> Compiled<'_> {
        self.digested(&Digest::of)
    }

    /// Checks the skills and makes the model, with the digests that a function computes, or knows already.
    pub(crate) fn digested(&self, digest: &dyn Fn(&[u8]) -> Digest) -> Compiled<'_> {
        let mut checked = check(&self.path, &self.tree, &self.config);
        let skills: Vec<Option<Skill>> = checked.skills.iter().map(|s| s.file.strict()).collect();
        let all = checked.skills.iter().zip(&skills);
        let names = all.filter_map(|(checked, skill)| Named::new(checked, skill.as_ref()));
        let mut names: Vec<Named> = names.collect();
        // By name, then path: the sorts are stable, so the less significant key is sorted first.
        sort_by_text(&mut names, |named| named.path.as_bytes());
        sort_by_text(&mut names, |named| named.name.as_str().as_bytes());
        let usable = checked.skills.iter().zip(skills);
        let usable = usable.filter_map(|(checked, skill)| Usable::of(checked, skill?));
        let model = BundleModel::digested(usable, &self.config, digest);
        // Only the missing folder is reported, and not that the empty tree holds no skill.
        if self
            .faults
            .iter()
            .any(|fault| fault.is(RuleId::BundleEmpty))
        {
            checked.diagnostics.clear();
        }
        if self.in_package {
            // The rule guesses. `package::check` has read the manifest, and its findings are in `faults`.
            checked
                .diagnostics
                .retain(|reported| !reported.is(package::RULE));
        }
        let missing = missing::check(self, &checked, &model);
        let dirs: Vec<&str> = checked.skills.iter().map(|skill| skill.dir).collect();
        let lookalikes = lookalikes::check(self, &dirs);
        let mut compiled = Compiled {
            names,
            diagnostics: checked.diagnostics,
            model,
        };
        compiled.diagnostics.extend(self.faults.iter().cloned());
        compiled.diagnostics.extend(missing);
        compiled.diagnostics.extend(nested::check(self));
        let extract = extract::check(self, &compiled.model);
        compiled.diagnostics.extend(extract);
        compiled.diagnostics.extend(lookalikes);
        // The lock only. `stale-bundle` is a rule of the macro: see `expand/stale_bundle.rs`.
        let names = &compiled.names;
        let exists = |name: &str| names.iter().any(|it| it.name.as_str() == name);
        let stale = check::check(self, &compiled.model, &exists);
        compiled.diagnostics.extend(stale);
        // With an error the build fails already, and the rule may have reported the same pair.
        if !compiled.is_faulty() {
            compiled
                .diagnostics
                .extend(ambiguous(self, &compiled.model));
        }
        Diagnostic::sort(&mut compiled.diagnostics);
        compiled
    }
}

impl Compiled<'_> {
    /// Returns whether a finding is an error.
    pub fn is_faulty(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

impl Named {
    fn new(checked: &CheckedSkill<'_>, skill: Option<&Skill>) -> Option<Self> {
        Some(Self {
            name: match skill {
                Some(skill) => skill.name.clone(),
                None => SkillName::make(&checked.file.folder)?,
            },
            description: skill.map_or_else(String::new, |skill| skill.description.clone()),
            path: checked.file.path.clone(),
            schema: checked.arguments.as_ref().map(|file| file.schema.clone()),
        })
    }
}

/// Reports two skills with one name, as errors at every level of the rules: a bundle cannot hold both.
fn ambiguous(folder: &Folder, model: &BundleModel<'_>) -> Vec<Diagnostic> {
    let mut known = TextMap::default();
    let mut reported = Vec::new();
    for skill in &model.skills {
        let path = join(&folder.path, &join(skill.dir, "SKILL.md"));
        if let Some(other) = known.insert(skill.skill.name.as_str(), path.clone()) {
            let message = format!("`{}` is also the name of ", skill.skill.name);
            let message = Prose::from(message).path(&other);
            reported.push(
                Diagnostic::new(RuleId::DuplicateName, Severity::Error, path, message)
                    .help("a bundle cannot contain both skills: rename one of them"),
            );
        }
    }
    reported
}

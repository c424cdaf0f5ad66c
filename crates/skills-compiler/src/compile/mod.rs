//! Compiles a folder to a model and diagnostics.

mod missing;

use crate::folder::Folder;
use crate::lock;
use crate::model::{BundleModel, Usable};
use skills_check::{CheckedSkill, check};
use skills_format::text::order::sort_by_text;
use skills_format::{Diagnostic, RuleId, Schema, Severity, SkillName};

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
        let names = checked.skills.iter().filter_map(Named::new);
        let mut names: Vec<Named> = names.collect();
        // By name, then path: the sorts are stable, so the less significant key is sorted first.
        sort_by_text(&mut names, |named| named.path.as_bytes());
        sort_by_text(&mut names, |named| named.name.as_str().as_bytes());
        let usable = checked.skills.iter();
        let usable = usable.filter_map(|checked| Usable::of(checked, checked.skill.clone()?));
        let model = BundleModel::new(usable, &self.config);
        // Only the missing folder is reported, and not that the empty tree holds no skill.
        if self
            .faults
            .iter()
            .any(|fault| fault.is(RuleId::BundleEmpty))
        {
            checked.diagnostics.clear();
        }
        let missing = missing::check(self, &checked, &model);
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
        // The lock only. `stale-bundle` is a rule of the macro: see `expand/stale_bundle.rs`.
        let names = &compiled.names;
        let exists = |name: &str| names.iter().any(|it| it.name.as_str() == name);
        let stale = lock::check::check(self, &compiled.model, &exists);
        compiled.diagnostics.extend(stale);
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
    fn new(checked: &CheckedSkill<'_>) -> Option<Self> {
        let skill = checked.skill.as_ref();
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

//! From a folder to a model, with everything that is wrong on the way.

use crate::folder::Folder;
use crate::model::BundleModel;
use skills_format::{CheckedSkill, Diagnostic, Severity, SkillName, check};

/// A checked bundle.
#[derive(Debug)]
pub(crate) struct Compiled<'f> {
    pub(crate) model: BundleModel<'f>,
    /// Of every skill of the folder, faulty or not: its name, or its folder's made one.
    pub(crate) names: Vec<Named>,
    /// Sorted.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A skill as far as its name goes.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: SkillName,
    pub(crate) description: String,
    /// Where to look when something is wrong with the name.
    pub(crate) path: String,
}

impl<'f> Compiled<'f> {
    /// Checks and digests a folder.
    pub(crate) fn new(folder: &'f Folder) -> Self {
        let mut checked = check(&folder.path, &folder.tree, &folder.config);
        if !folder.faults.is_empty() {
            // A folder that cannot be read has nothing else that is worth telling.
            checked.diagnostics.clear();
        }
        checked.diagnostics.extend(folder.faults.iter().cloned());
        Diagnostic::sort(&mut checked.diagnostics);
        let mut names: Vec<_> = checked.skills.iter().filter_map(Named::new).collect();
        names.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
        Self {
            model: BundleModel::new(&checked.skills, &folder.config),
            names,
            diagnostics: checked.diagnostics,
        }
    }

    pub(crate) fn is_faulty(&self) -> bool {
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
        })
    }
}

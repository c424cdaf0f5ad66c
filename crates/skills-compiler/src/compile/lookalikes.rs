//! The rule `skill-file-missing`: reports folders beside the skills that were meant as skills.

use crate::folder::Folder;
use skills_format::{Diagnostic, RuleId, join};
use skills_lint::rules;

/// Reports the folders beside the skills. `skills` are the folders of the skills.
pub(super) fn check(folder: &Folder, skills: &[&str]) -> Vec<Diagnostic> {
    let rule = rules::find(RuleId::SkillFileMissing.as_str());
    let Some(severity) = rule.and_then(|rule| folder.config.severity(rule)) else {
        return Vec::new();
    };
    let found = folder.lookalikes.iter().filter(|it| it.is_among(skills));
    found
        .map(|it| it.finding(severity, join(&folder.path, &it.folder)))
        .collect()
}

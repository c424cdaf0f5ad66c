//! The rule `nested-skill`: a `SKILL.md` that hides the skills below its folder from the bundle.

use crate::folder::Folder;
use skills_format::tree::{SkillFiles, in_folder, is_resource};
use skills_format::{Diagnostic, Prose, RuleId, SKILL_FILE, Severity, is_skill_file, join};
use skills_lint::rules;

/// Reports each skill in whose folder other skills lie: they would be files of the outer skill, and no skills.
pub(super) fn check(folder: &Folder) -> Vec<Diagnostic> {
    let rule = rules::find(RuleId::NestedSkill.as_str());
    if rule.and_then(|rule| folder.config.severity(rule)) != Some(Severity::Error) {
        return Vec::new();
    }
    let skills = folder.tree.skills();
    let found = skills.iter().filter_map(|skill| of_skill(folder, skill));
    found.collect()
}

fn of_skill(folder: &Folder, skill: &SkillFiles<'_>) -> Option<Diagnostic> {
    let below = skill
        .files
        .iter()
        .filter_map(|file| in_folder(skill.dir, &file.path));
    let mut inner =
        below.filter(|path| is_skill_file(path) && path.contains('/') && !is_resource(path));
    let first = inner.next()?;
    let more = match inner.count() {
        0 => String::new(),
        1 => " and one more skill".to_owned(),
        more => format!(" and {more} more skills"),
    };
    let dir = join(&folder.path, skill.dir);
    let message = Prose::from("this `SKILL.md` makes its folder one skill, and hides ");
    let message = message.path(&join(&dir, first)).words(&more);
    let help = if skill.dir.is_empty() {
        "move it into a folder of its own beside the others, or remove it"
    } else {
        "move the inner skill beside this one, or below `assets/` or `references/` if it is only a file of this one"
    };
    let error = Diagnostic::new(
        RuleId::NestedSkill,
        Severity::Error,
        join(&dir, SKILL_FILE),
        message,
    );
    Some(error.help(help))
}

//! Skills in the folders of other skills.

use crate::repository::bundle::Bundle;
use crate::repository::folders::is_below_templates;
use crate::repository::{Repository, is_entry};
use skills_format::tree::{SKILL_FILE, in_folder, is_resource};
use skills_format::{Diagnostic, FileKind, Prose, RuleId, Severity, Tree, TreeFile, join};
use skills_lint::{Config, hides, rules};

impl Repository {
    /// Reports each skill in the folder of another skill of a bundle. An Agent Plugin has none: its specification says that
    /// such a file is no skill.
    pub(super) fn inner(&self, bundle: &Bundle) -> Vec<Diagnostic> {
        // Most bundles have one `SKILL.md` a skill, and each skill is not looked at then.
        let files = bundle.tree.files.iter();
        let entries = files.filter(|file| is_entry(&file.path)).count();
        if bundle.is_agent_plugin || entries <= bundle.asked.len() {
            return Vec::new();
        }
        inner_skills(
            &bundle.tree,
            &bundle.config,
            &|dir| bundle.checks(dir),
            &|path| self.shown(path),
        )
    }
}

/// Reports each skill in the folder of another skill: some clients load it, and to the others it is a file of the outer skill, for
/// example a page. It is an error if a keeper says so, or if it hides the skills below it. `shown` returns the printed path of a
/// path of the tree.
pub fn inner_skills(
    tree: &Tree,
    config: &Config,
    asked: &dyn Fn(&str) -> bool,
    shown: &dyn Fn(&str) -> String,
) -> Vec<Diagnostic> {
    let rule = rules::find(RuleId::NestedSkill.as_str());
    let Some(severity) = rule.and_then(|rule| config.severity(rule)) else {
        return Vec::new();
    };
    let is_default = rule.is_none_or(|rule| config.is_default(rule));
    let milder = if is_default {
        Severity::Warning
    } else {
        severity
    };
    let report = |severity, path: &str, message: Prose, help: &str| {
        Diagnostic::new(RuleId::NestedSkill, severity, shown(path), message).help(help)
    };
    let mut found = Vec::new();
    for skill in tree.skills_of_any_case() {
        let inner = skill.files.iter().filter(|file| is_inner(file, skill.dir));
        if !asked(skill.dir) {
            continue;
        }
        // A `SKILL.md` directly in `skills` lies in the folder in which clients search: it is the mistake, and not each skill
        // below.
        if skill.dir.rsplit('/').next() == Some("skills") {
            let is_skill = |file: &&TreeFile| {
                !is_resource(in_folder(skill.dir, &file.path).unwrap_or_default())
            };
            let mut inner = inner.filter(is_skill);
            if let Some(first) = inner.next() {
                let (message, help) = hides(&shown(&first.path), inner.count());
                found.push(report(
                    severity,
                    &join(skill.dir, SKILL_FILE),
                    message,
                    help,
                ));
            }
            continue;
        }
        for file in inner {
            let message = format!(
                "the skill is inside the folder of another skill, {}; not every client loads it",
                shown(&skill.file.path)
            );
            let help = "move its folder beside the other, or rename the file";
            found.push(report(milder, &file.path, message.into(), help));
        }
    }
    found
}

/// Returns whether a file is the `SKILL.md` of a skill in the folder of another. A template has the form of a skill, and is none.
fn is_inner(file: &TreeFile, outer: &str) -> bool {
    let below = in_folder(outer, &file.path).unwrap_or_default();
    file.kind == FileKind::Regular
        && below.ends_with("/SKILL.md")
        && !below.split('/').any(|part| part == "assets")
        && !is_below_templates(below)
}

/// Adds the findings of [`inner_skills`] to those of a bundle. A `SKILL.md` that hides skills is not meant as a skill of its folder.
pub fn with_inner(found: &mut Vec<Diagnostic>, inner: Vec<Diagnostic>) {
    let is_hiding = |finding: &Diagnostic| inner.iter().any(|it| it.path == finding.path);
    found.retain(|finding| !finding.is(RuleId::NameMismatch) || !is_hiding(finding));
    found.extend(inner);
}

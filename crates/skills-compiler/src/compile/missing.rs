//! Reports what a check counts and a bundle cannot hold, as errors at every level of the rules.

use crate::folder::Folder;
use crate::model::BundleModel;
use skills_format::{Diagnostic, FileKind, RuleId, Severity, SkillFile, SkillName, TreeFile, join};
use skills_lint::{Checked, CheckedSkill};
use std::collections::BTreeSet;

/// Reports each skill, and each file of a skill, that is missing from the bundle. A path that already has an error
/// is not reported again.
pub(crate) fn check(
    folder: &Folder,
    checked: &Checked<'_>,
    model: &BundleModel<'_>,
) -> Vec<Diagnostic> {
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
        if !bundled.contains(skill.dir) {
            let (rule, why) = reason(skill);
            let message = format!("this skill cannot be bundled: {why}");
            report(rule, skill.file.path.clone(), message);
        }
        for file in skill.files {
            if let Some((rule, why)) = lack(file) {
                let path = join(&folder.path, &file.path);
                report(rule, path, format!("this file cannot be bundled: {why}"));
            }
        }
    }
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

/// Returns the reason why a bundle cannot hold a skill.
fn reason(skill: &CheckedSkill<'_>) -> (RuleId, String) {
    let SkillFile {
        text,
        document,
        front_matter,
        ..
    } = &skill.file;
    let fields = match (text, document, front_matter) {
        (Err(_), ..) => return (RuleId::NotUtf8, "it is not UTF-8".to_owned()),
        (_, _, Some(Err(error))) => return (RuleId::YamlSyntax, error.message.clone()),
        (_, Some(Ok(_)), Some(Ok(fields))) => fields,
        _ => {
            let why = "it has no front matter".to_owned();
            return (RuleId::FrontmatterMissing, why);
        }
    };
    let text = |key: &str| fields.get(key).and_then(|node| node.as_str());
    match text("name").map(|name| (name, SkillName::new(name))) {
        None => (RuleId::NameMissing, "it has no `name`".to_owned()),
        Some((name, Err(error))) => (
            RuleId::NameForm,
            format!("`{name}` is not a valid name: {error}"),
        ),
        Some((_, Ok(_))) => (
            RuleId::DescriptionMissing,
            "it has no `description`".to_owned(),
        ),
    }
}

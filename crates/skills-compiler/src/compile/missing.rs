//! Reports what a check counts and a bundle cannot hold, as errors at every level of the rules.

use crate::folder::Folder;
use crate::model::BundleModel;
use crate::schema;
use skills_check::Checked;
use skills_format::{Diagnostic, FileKind, RuleId, Severity, TreeFile, join};
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

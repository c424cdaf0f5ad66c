//! The rule `lock-stale`: the skills of a locked folder must match its lock.

use crate::folder::{Folder, LOCK_FILE};
use crate::lock::{Change, Lock, LockError, LockKind};
use crate::model::BundleModel;
use skills_format::{Diagnostic, RuleId, Severity, join};
use skills_lint::rules;

const RULE: RuleId = RuleId::LockStale;
const HELP: &str = "review the change, then run `skills lock`";

/// Reports every difference from the lock, if the folder is locked.
pub(crate) fn check(folder: &Folder, model: &BundleModel<'_>) -> Vec<Diagnostic> {
    let severity = match rules::find(RULE.as_str()) {
        Some(rule) => folder.config.severity(rule),
        None => Some(Severity::Error),
    };
    let (true, Some(severity)) = (folder.config.locked, severity) else {
        return Vec::new();
    };
    let path = join(&folder.path, LOCK_FILE);
    let reported =
        |path: &str, message: String| Diagnostic::new(RULE, severity, path, message).help(HELP);
    let Some(text) = &folder.lock_text else {
        return vec![reported(
            &path,
            format!("the build is locked, and `{LOCK_FILE}` does not exist"),
        )];
    };
    let lock = match Lock::parse(text) {
        Ok(lock) => lock,
        Err(LockError { span, message, .. }) => {
            return vec![reported(&path, message).at(text.as_bytes(), span)];
        }
    };
    if lock.kind == LockKind::Installed {
        let message = format!("the build is locked, and `{LOCK_FILE}` lists installed skills only");
        return vec![reported(&path, message)];
    }
    let place = |name: &str| {
        let skill = model
            .skills
            .iter()
            .find(|skill| skill.skill.name.as_str() == name);
        let file = skill.map(|skill| join(skill.dir, "SKILL.md"));
        file.map_or_else(|| path.clone(), |file| join(&folder.path, &file))
    };
    lock.changes(&Lock::of(model))
        .iter()
        .map(|change| {
            let path = match change {
                Change::Added(name) | Change::Changed(name) => place(name),
                Change::Removed(_) | Change::Moved => path.clone(),
            };
            reported(&path, format!("{change} since `{LOCK_FILE}` was written"))
        })
        .collect()
}

//! The rule `needs-extract`: reports commands that need the folder of a bundled skill.

use crate::folder::Folder;
use crate::model::{BundleModel, SkillModel};
use skills_format::mention::mask::are_code;
use skills_format::{Diagnostic, RuleId, SKILL_FILE, Severity, Span, join};
use skills_lint::rules;

const PLACEHOLDERS: [&str; 2] = ["${CLAUDE_SKILL_DIR}", "${SKILL_DIR}"];

/// Reports the first such command of each skill.
pub(super) fn check(folder: &Folder, model: &BundleModel<'_>) -> Vec<Diagnostic> {
    let severity =
        rules::find(RuleId::NeedsExtract.as_str()).and_then(|rule| folder.config.severity(rule));
    let Some(severity) = severity else {
        return Vec::new();
    };
    let found = model.skills.iter();
    found
        .filter_map(|skill| finding(folder, skill, severity))
        .collect()
}

fn finding(folder: &Folder, skill: &SkillModel<'_>, severity: Severity) -> Option<Diagnostic> {
    let document = &skill.document;
    let body = document.body.of(document.text);
    // Most bodies have no placeholder, and a search for one byte is the fastest.
    if !body.contains('$') {
        return None;
    }
    let mut places: Vec<(usize, &str)> = PLACEHOLDERS
        .iter()
        .flat_map(|name| body.match_indices(name))
        .collect();
    places.sort_unstable();
    let code = are_code(body, places.iter().map(|(at, _)| *at));
    let mut in_code = places.iter().zip(code).filter(|(_, is_code)| *is_code);
    let ((at, name), _) = in_code.next()?;
    let start = document.body.start + at;
    let path = join(&folder.path, &join(skill.dir, SKILL_FILE));
    let message = format!("a bundled skill has no folder: a shell cannot run `{name}`");
    let help = "a host that extracts the bundle has a folder: then `allow = [\"needs-extract\"]`";
    let finding = Diagnostic::new(RuleId::NeedsExtract, severity, path, message).help(help);
    Some(finding.at(
        document.text.as_bytes(),
        Span::new(start, start + name.len()),
    ))
}

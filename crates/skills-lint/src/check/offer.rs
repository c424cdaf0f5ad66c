//! Withdraws guessed fixes that would cause new findings.

// A fix is offered only if the front matter parses, or if the fix makes the front matter parse.

use crate::view::CheckedSkill;
use crate::view::bundle::BundleView;
use crate::view::tree::TreeView;
use skills_format::diagnostic::Edit;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Fix, Severity};
use skills_format::tree::TreeFile;
use std::collections::BTreeSet;

/// The maximum number of guesses of one skill that are tried, since each guess checks the skill again. Further
/// guesses are not offered.
const MAX_TRIED: usize = 20;
/// The maximum number of bytes that are checked again for the guesses of one skill. The first guess is always tried.
const MAX_TRIED_BYTES: usize = 2_000_000;

/// Removes each guessed fix after which the skill would have a new finding. `found` checks a changed skill.
pub(crate) fn without_harm(
    told: &mut [Diagnostic],
    skill: &CheckedSkill<'_>,
    tree: &TreeView<'_>,
    found: &dyn Fn(&CheckedSkill<'_>) -> Vec<Diagnostic>,
) {
    if !told.iter().any(|finding| guess(finding).is_some()) {
        return;
    }
    // Without places: an edit moves the places of all later findings.
    let text = |finding: &Diagnostic| format!("{} {}", finding.rule.as_str(), finding.message);
    let before: BTreeSet<String> = told.iter().map(text).collect();
    let sizes = skill.files.iter().filter_map(|file| file.bytes.as_deref());
    let size = sizes.map(<[u8]>::len).sum::<usize>().max(1);
    let max_tried = (MAX_TRIED_BYTES / size).clamp(1, MAX_TRIED);
    let mut tried = 0;
    for finding in told.iter_mut() {
        let Some(fix) = guess(finding) else { continue };
        tried += 1;
        let after = || changed(skill, tree, &finding.path, fix, found);
        let is_harmless = tried <= max_tried
            && after().is_some_and(|after| {
                let is_known = |new: &Diagnostic| before.contains(&text(new));
                let is_harmless = |new: &Diagnostic| is_known(new) || is_of_clients(new, finding);
                after.iter().all(is_harmless)
            });
        if !is_harmless {
            finding.fix = None;
        }
    }
}

/// Returns whether a new finding is about the field that a fix spelled as clients read it: the misspelt key meant nothing
/// to any client, so the finding is what the author must know next. A fix of a warning makes no error.
fn is_of_clients(new: &Diagnostic, fixed: &Diagnostic) -> bool {
    let is_of_clients = [
        RuleId::ClientField,
        RuleId::RestraintPartial,
        RuleId::RestraintUnsupported,
    ];
    is_of_clients.iter().any(|rule| new.is(*rule))
        && (new.severity != Severity::Error || fixed.severity == Severity::Error)
}

/// Removes each fix of a name that another skill of the bundle has.
pub(crate) fn without_collisions(found: &mut [Diagnostic], bundle: &BundleView<'_>) {
    for finding in found {
        let is_name = [RuleId::NameForm, RuleId::NameMismatch, RuleId::NameMissing];
        let is_name = is_name.iter().any(|rule| finding.is(*rule));
        if let Some(edit) = guess(finding)
            .filter(|_| is_name)
            .and_then(|fix| fix.edits.first())
        {
            let name = edit.text.trim().trim_start_matches("name:");
            let name = name.trim_start_matches(':').trim().trim_matches('"');
            if bundle.named(name).next().is_some() {
                finding.fix = None;
            }
        }
    }
}

fn guess(finding: &Diagnostic) -> Option<&Fix> {
    finding.fix.as_ref().filter(|fix| !fix.safe)
}

/// Returns the findings after a fix is applied to one file of the skill. Returns `None` if the skill has no such file,
/// or the file's bytes are not text.
fn changed(
    skill: &CheckedSkill<'_>,
    tree: &TreeView<'_>,
    path: &str,
    fix: &Fix,
    found: &dyn Fn(&CheckedSkill<'_>) -> Vec<Diagnostic>,
) -> Option<Vec<Diagnostic>> {
    let path = tree.inside(path);
    let mut files: Vec<TreeFile> = skill.files.to_vec();
    let file = files.iter_mut().find(|file| file.path == path)?;
    let text = std::str::from_utf8(file.bytes.as_deref()?).ok()?;
    let new = Edit::apply(text, &fix.edits);
    file.size = u64::try_from(new.len()).ok()?;
    file.bytes = Some(new.into_bytes());
    Some(found(&CheckedSkill::new(tree, skill.into(), &files)))
}

#[cfg(test)]
mod tests;

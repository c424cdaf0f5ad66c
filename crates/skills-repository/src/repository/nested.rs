//! Skills of Agent Plugins that no client finds.

use crate::repository::bundle::Bundle;
use crate::repository::start::Start;
use skills_format::{Diagnostic, RuleId, Severity, join};
use std::collections::BTreeSet;

/// Reports the skills below a folder of an Agent Plugin's skill: clients do not search there.
pub(crate) fn nested(
    start: &Start,
    plugins: &BTreeSet<String>,
    bundles: &[Bundle],
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let files = bundles.iter().flat_map(|bundle| &bundle.tree.files);
    let known: BTreeSet<&str> = files.clone().map(|file| &*file.path).collect();
    for file in files.filter(|file| file.path.ends_with("/SKILL.md")) {
        let mut plugins = plugins.iter();
        let Some(below) = plugins.find_map(|plugin| {
            let skills = join(plugin, "skills");
            file.path.strip_prefix(&*skills)?.strip_prefix('/')
        }) else {
            continue;
        };
        // What lies in the folder of a skill is a file of that skill.
        let above = below.split_once('/').map_or(below, |(folder, _)| folder);
        let skill = join(
            file.path.strip_suffix(below).unwrap_or_default(),
            &join(above, "SKILL.md"),
        );
        if below.split('/').count() > 2 && !known.contains(skill.as_str()) {
            let message = "clients of Agent Plugins do not find this skill: they search only the folders directly in `skills`";
            let shown = join(&start.shown, &file.path);
            let finding = Diagnostic::new(RuleId::ManifestPath, Severity::Error, shown, message);
            found.push(finding.help("move the folder of the skill into `skills`"));
        }
    }
    found.truncate(MAX_NESTED);
    found
}

/// The maximum number of nested skills that are reported.
const MAX_NESTED: usize = 100;

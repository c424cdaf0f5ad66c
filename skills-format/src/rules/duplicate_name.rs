use super::example::with_fields;
use super::{BundleView, Check, Content, Example, Group, Mends, Rule};
use crate::config::Level;
use crate::diagnostic::{Diagnostic, Severity};

pub(crate) const RULE: Rule = Rule {
    id: "duplicate-name",
    level: Level::Deny,
    group: Group::Bundle,
    summary: "no two skills of a bundle have one name",
    why: "A name finds one skill. The second skill of a name could never be reached.",
    bad: Example::Files(&[
        ("a/release-notes/SKILL.md", Content::Text(with_fields!(""))),
        ("b/release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "release-notes",
    good: Example::Skill(with_fields!("")),
    mends: Mends::No,
    check: Check::Bundle(check),
};

fn check(bundle: &BundleView<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (name, skills) in &bundle.names {
        let Some((first, others)) = skills.split_first() else {
            continue;
        };
        for other in others {
            let path = &first.skill.file.path;
            let message = format!("the name `{name}` is taken by {path}");
            let finding = other
                .skill
                .file
                .diagnostic("", Severity::Error, other.span, message);
            found.push(finding.help("give one of the two another name and folder"));
        }
    }
    found
}

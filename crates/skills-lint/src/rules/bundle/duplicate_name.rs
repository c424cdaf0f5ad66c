use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::prose::Prose;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DuplicateName,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "no two skills of a bundle have the same name",
    why: "A name finds one skill. The second skill with the same name could never be reached.",
    bad: Example::Files(&[
        ("a/release-notes/SKILL.md", Content::Text(with_fields!(""))),
        ("b/release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "release-notes",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Bundle(check),
};

fn check(bundle: &BundleView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for same in bundle.names.chunk_by(|(a, _), (b, _)| a == b) {
        let Some(((name, first), others)) = same.split_first() else {
            continue;
        };
        for (_, other) in others {
            let Some((_, span)) = bundle
                .skills
                .get(*other)
                .and_then(|gist| gist.name.as_ref())
            else {
                continue;
            };
            let message = Prose::from(format!("the name `{name}` is taken by "));
            let message = message.path(&bundle.path(*first));
            let finding = bundle.at(RULE.id, *other, *span, message);
            let finding = finding.beside(*first, bundle.place_of_name(*first));
            found.push(finding.help(if bundle.are_equal(*first, *other) {
                "the folders hold the same files: delete one of the two, or give the copy its own name and text"
            } else {
                "give one of the two another name and folder"
            }));
        }
    }
    found
}

use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::FileKind;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::Unreadable,
    level: Level::Deny,
    group: Group::File,
    summary: "every file and folder can be read",
    why: "A file that cannot be read is not checked and not bundled. A pipe or a device is never \
          opened.",
    bad: Example::Files(&[
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
        (
            "release-notes/references",
            Content::Unreadable("permission denied"),
        ),
    ]),
    marks: "",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Bundle(check),
};

fn check(bundle: &BundleView<'_>) -> Vec<Finding> {
    let faults = bundle.faults.iter().map(|fault| {
        let message = format!("this cannot be read: {}", fault.message);
        Finding::new(RULE.id, &fault.path, message).help("fix its permissions, or remove it")
    });
    let others = bundle
        .tree
        .files()
        .iter()
        .filter(|file| file.kind == FileKind::Other)
        .map(|file| {
            Finding::new(
                RULE.id,
                &file.path,
                "this is not a file but a pipe, a socket or a device",
            )
            .help("remove it")
        });
    faults.chain(others).collect()
}

use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::bundle::BundleView;
use crate::view::finding::Finding;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::BundleEmpty,
    level: Level::Deny,
    group: Group::Bundle,
    summary: "a folder of skills holds a skill",
    why: "A check of an empty folder finds nothing wrong. An empty folder is usually a mistyped \
          path.",
    bad: Example::Files(&[("notes/README.md", Content::Text("# Notes\n"))]),
    marks: "",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Bundle(check),
};

fn check(bundle: &BundleView<'_>) -> Vec<Finding> {
    if !bundle.skills.is_empty() {
        return Vec::new();
    }
    vec![
        bundle
            .tree
            .about_bundle(RULE.id, "the folder holds no skill")
            .help("a skill is a folder with a file `SKILL.md`"),
    ]
}

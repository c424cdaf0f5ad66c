use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NotUtf8,
    level: Level::Deny,
    group: Group::File,
    summary: "`SKILL.md` is UTF-8",
    why: "YAML and Markdown are Unicode text. A file in another encoding reaches the model with \
          broken characters, or not at all.",
    bad: Example::Files(&[(
        "release-notes/SKILL.md",
        Content::Bytes(
            b"---\nname: release-notes\ndescription: Writes release notes for a caf\xe9.\n---\n\n\
              List every merged change.\n",
        ),
    )]),
    marks: "\u{FFFD}",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    view.faults(RULE.id)
}

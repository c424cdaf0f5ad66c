use crate::rules::example::{Content, Example, with_body, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::target::Target;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LinkSibling,
    level: Level::Allow,
    group: Group::Links,
    summary: "no link leads into another skill of the bundle",
    why: "Such a link works only where the whole bundle is installed, and breaks where one skill \
          is installed alone. A mention, `$name`, works wherever the other skill is installed.",
    bad: Example::Files(&[
        (
            "changelog/SKILL.md",
            Content::Text(
                "---\nname: changelog\ndescription: Sorts changes. Use when a version is made.\n\
                 ---\n\nThen follow [the notes](../release-notes/SKILL.md).\n",
            ),
        ),
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
    ]),
    marks: "../release-notes/SKILL.md",
    good: Example::Files(&[
        (
            "changelog/SKILL.md",
            Content::Text(
                "---\nname: changelog\ndescription: Sorts changes. Use when a version is made.\n\
                 ---\n\nThen use $release-notes.\n",
            ),
        ),
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("List every change.\n")),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    view.targets()
        .iter()
        .filter_map(|(reference, target)| {
            let Target::Sibling(sibling) = target else {
                return None;
            };
            let name = sibling.dir.rsplit('/').next().unwrap_or(sibling.dir);
            let message = format!("the link leads into the skill `{name}`");
            Some(
                view.at(RULE.id, reference.span, message)
                    .help(format!("write `${name}`")),
            )
        })
        .collect()
}

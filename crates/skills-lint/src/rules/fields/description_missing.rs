use crate::rules::example::{Example, with_fields};
use crate::rules::fields::name_missing::misspelt;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DescriptionMissing,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the front matter has a `description`",
    why: "The description is all that a model sees before it picks a skill. A skill without a \
          description is never picked, and most clients drop it. A misspelt key is the only case with a fix.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescripton: Writes release notes. Use when a version is published.\n---\n\n\
         List every merged change.\n",
    ),
    marks: "descripton",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

const HELP: &str = "write what the skill does and when to use it";

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    if view.fields().is_none() {
        return Vec::new();
    }
    let Some((key, value)) = view.field("description") else {
        if view.has("description") {
            return Vec::new();
        }
        if let Some(found) = misspelt(view, RULE.id, "description") {
            return vec![found];
        }
        return vec![
            view.at(
                RULE.id,
                view.opening(),
                "the front matter has no `description`",
            )
            .help(HELP),
        ];
    };
    let is_empty = value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty());
    if !is_empty {
        return Vec::new();
    }
    let written = Span::new(key.span.start, value.span.end.max(key.span.end));
    vec![
        view.at(RULE.id, written, "`description` is empty")
            .help(HELP),
    ]
}

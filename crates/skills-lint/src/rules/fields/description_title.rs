use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DescriptionTitle,
    level: Level::Warn,
    group: Group::Fields,
    summary: "a description says more than the name",
    why: "A model picks a skill by its description. A description that repeats the name or the title says \
          neither what the skill does nor when to use it.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescription: Release Notes\n---\n\nList every merged change.\n",
    ),
    marks: "Release Notes",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

/// The maximum length of a description that can be a title, in characters.
const LONGEST: usize = 80;

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((value, description)) = view.text_field("description") else {
        return Vec::new();
    };
    if description.chars().nth(LONGEST).is_some() {
        return Vec::new();
    }
    let folded = folded(description);
    let name = view.text_field("name").map(|(_, name)| name);
    let is_name = name.is_some_and(|name| is_same(&folded, name));
    if folded.is_empty() || !is_name && !is_title(view, &folded) {
        return Vec::new();
    }
    let message = "the description only repeats the name of the skill";
    vec![
        view.at(RULE.id, value.span, message)
            .help("write what the skill does and when to use it"),
    ]
}

/// Returns whether the description is the same text as the first heading.
fn is_title(view: &SkillView<'_>, description: &str) -> bool {
    let heading = view.markdown().headings.first();
    heading.is_some_and(|span| is_same(description, span.of(view.text())))
}

fn is_same(description: &str, other: &str) -> bool {
    let other = folded(other);
    let without = |text: &str| text.strip_suffix("skill").unwrap_or(text).to_owned();
    without(description) == without(&other)
}

fn folded(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

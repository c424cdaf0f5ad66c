use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ToolPlaceholder,
    level: Level::Warn,
    group: Group::Fields,
    summary: "`allowed-tools` names commands, no placeholders",
    why: "`Bash(cmd:*)` was copied from a template. It allows a command `cmd`, which is not what the skill \
          runs.",
    bad: Example::Skill(with_fields!("allowed-tools: Read Bash(cmd:*)\n")),
    marks: "Read Bash(cmd:*)",
    good: Example::Skill(with_fields!("allowed-tools: Read Bash(git log:*)\n")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

const PLACEHOLDERS: [&str; 9] = [
    "(cmd:*)",
    "(cmd *)",
    "(command:*)",
    "(command *)",
    "(<",
    "(your-",
    "(your_",
    "(tool:*)",
    "(...)",
];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((_, value)) = view.field("allowed-tools") else {
        return Vec::new();
    };
    let written = value.span.of(view.text());
    let Some(placeholder) = PLACEHOLDERS.iter().find(|part| written.contains(**part)) else {
        return Vec::new();
    };
    let message = format!("`{placeholder}` is a placeholder, no command");
    vec![
        view.at(RULE.id, value.span, message)
            .help("write the command that the skill runs"),
    ]
}

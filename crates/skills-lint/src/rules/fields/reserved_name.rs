use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ReservedName,
    level: Level::Deny,
    group: Group::Fields,
    summary: "a name is not the name of a source of skills, and does not begin with `sched-`",
    why: "`user:release-notes` names a skill of the source `user`. A skill called `user` could not be distinguished \
          from that source. The commands of scheduled skills begin with `sched-`. A name that is also a common \
          variable is a warning: a person who pastes `echo $path` would start the skill `path`.",
    bad: Example::Files(&[(
        "bundled/SKILL.md",
        Content::Text(
            "---\nname: bundled\n\
             description: Writes release notes. Use when a version is published.\n---\n\n\
             List every merged change.\n",
        ),
    )]),
    marks: "bundled",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

/// Usual names of variables in lower case.
const VARIABLES: [&str; 8] = [
    "env", "file", "id", "name", "path", "state", "test", "value",
];
const SOURCES: [&str; 5] = ["bundled", "user", "project", "plugin", "scheduler"];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((value, name)) = view.text_field("name") else {
        return Vec::new();
    };
    if VARIABLES.contains(&name) {
        let message = format!("`${name}` is a common variable: pasted code would start the skill");
        let finding = view.at(RULE.id, value.span, message).help(HELP);
        return vec![finding.at_most(Severity::Warning)];
    }
    let message = if SOURCES.contains(&name) {
        format!("`{name}` is the name of a source of skills")
    } else if name.starts_with("sched-") {
        "`sched-` begins the names of scheduled runs".to_owned()
    } else {
        return Vec::new();
    };
    vec![view.at(RULE.id, value.span, message).help(HELP)]
}

const HELP: &str = "give the skill and its folder another name";

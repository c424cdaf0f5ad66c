use crate::rules::example::{Content, Example};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::OPENAI_FILE;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::join;

/// The skill of both examples.
const SKILL: (&str, Content) = (
    "release-notes/SKILL.md",
    Content::Text(
        "---\nname: release-notes\ndescription: Writes release notes. Use it for a release.\n---\n\
         List the changes.\n",
    ),
);

pub(crate) const RULE: Rule = Rule {
    id: RuleId::OpenaiYaml,
    level: Level::Warn,
    group: Group::Fields,
    summary: "`agents/openai.yaml` says clearly whether the model may start the skill",
    why: "Codex reads `policy.allow_implicit_invocation` of this file. It offers the skill to the model if the file \
          cannot be read, and here such a skill is closed to the model.",
    bad: Example::Files(&[
        SKILL,
        (
            "release-notes/agents/openai.yaml",
            Content::Text("policy:\n  allow_implicit_invocation: never\n"),
        ),
    ]),
    marks: "never",
    good: Example::Files(&[
        SKILL,
        (
            "release-notes/agents/openai.yaml",
            Content::Text("policy:\n  allow_implicit_invocation: false\n"),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let file = view.skill.file.openai.as_ref();
    let Some(fault) = file.and_then(|file| file.fault.as_deref()) else {
        return Vec::new();
    };
    let found = &fault.diagnostic;
    let path = join(view.skill.dir, OPENAI_FILE);
    let mut finding = Finding::new(RULE.id, path, found.message.clone()).help(found.help.clone());
    finding.span = fault.span;
    vec![finding]
}

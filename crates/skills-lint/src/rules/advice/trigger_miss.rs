use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::TriggerMiss,
    level: Level::Warn,
    group: Group::Other,
    summary: "a skill has the words of the texts that it is for",
    why: "`triggers.yaml` lists texts for which a skill should be chosen (`should`) and texts for which it \
          should not (`should_not`). The words of each text are compared with those of all skills; a model \
          decides by meaning, so this is a hint. Use the words of people in the description; say in it when the \
          skill is not meant. `skills select` shows which words counted. Only `skills check` of a repository \
          looks at these files; `skills test` prints all of them, and can ask an agent.",
    bad: Example::Files(&[
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
        (
            "release-notes/triggers.yaml",
            Content::Text("should: [deploy the site]\n"),
        ),
    ]),
    marks: "",
    good: Example::Files(&[
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
        (
            "release-notes/triggers.yaml",
            Content::Text("should: [write the release notes]\n"),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Elsewhere,
};

use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::allowed_tools::ToolRule;
use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::UnknownTool,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the tools that a skill names are tools of the host",
    why: "A tool that the host does not have is never called, and the skill fails when it is \
          used. The rule is checked only if `tools` in `skills.toml` lists the tools of the host.",
    bad: Example::Configured {
        config: "tools = [\"Read\", \"Bash\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_fields!("allowed-tools: Read Shell\n")),
        )],
    },
    marks: "Shell",
    good: Example::Configured {
        config: "tools = [\"Read\", \"Bash\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_fields!("allowed-tools: Read Bash(git log:*)\n")),
        )],
    },
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some(tools) = view.tree.tools else {
        return Vec::new();
    };
    let mut named: Vec<(String, Span)> = Vec::new();
    if let Some((_, value)) = view.field("allowed-tools") {
        named.extend(names(view, value));
    }
    if let Some((value, tool)) = view.text_field("command-tool") {
        named.push((tool.to_owned(), value.span));
    }
    named
        .into_iter()
        .filter(|(tool, _)| !tools.contains(tool))
        .map(|(tool, span)| {
            view.at(RULE.id, span, format!("the host has no tool `{tool}`"))
                .help(format!("its tools are {}", tools.join(", ")))
        })
        .collect()
}

fn names(view: &SkillView<'_>, value: &Node) -> Vec<(String, Span)> {
    match &value.value {
        Value::Sequence(items) => items.iter().flat_map(|item| names(view, item)).collect(),
        Value::Mapping(_) => Vec::new(),
        Value::Scalar(scalar) => {
            let written = value.span.of(view.text());
            let mut from = 0;
            ToolRule::parse_list(&scalar.text)
                .into_iter()
                .map(|entry| {
                    let tool = entry.tool.into_owned();
                    let rest = written.get(from..).unwrap_or_default();
                    let span = rest.find(&tool).map_or(value.span, |at| {
                        let start = value.span.start + from + at;
                        from += at + tool.len();
                        Span::new(start, start + tool.len())
                    });
                    (tool, span)
                })
                .collect()
        }
    }
}

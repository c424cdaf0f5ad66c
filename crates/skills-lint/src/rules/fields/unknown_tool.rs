use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::allowed_tools::ToolRule;
use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Value};
use skills_permit::ToolKind;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::UnknownTool,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the tools that a skill names are in `tools` of `skills.toml`",
    why: "A tool that the host does not have is never called, and the skill fails when it is used. The rule is \
          checked only if `tools` in `skills.toml` lists the host's tools. A well-known name means every tool of \
          its kind: `Bash` means `shell`, or `run` in `tools = [\"run=shell\"]`. `command-tool` needs the exact \
          name.",
    bad: Example::Configured {
        config: "tools = [\"read_file\", \"run=shell\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_fields!("allowed-tools: Read Telescope\n")),
        )],
    },
    marks: "Telescope",
    good: Example::Configured {
        config: "tools = [\"read_file\", \"run=shell\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_fields!("allowed-tools: Read Bash(git log:*)\n")),
        )],
    },
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some(listed) = view.tree.tools else {
        return Vec::new();
    };
    let tools: Vec<(&str, ToolKind)> = listed.iter().map(|tool| split(tool)).collect();
    let mut unknown: Vec<(String, Span)> = Vec::new();
    if let Some((_, value)) = view.field("allowed-tools") {
        unknown.extend(names(view, value));
        unknown.retain(|(tool, _)| !is_meant(&tools, tool));
    }
    if let Some((value, tool)) = view.text_field("command-tool")
        && !tools.iter().any(|(name, _)| *name == tool)
    {
        unknown.push((tool.to_owned(), value.span));
    }
    let names: Vec<&str> = tools.iter().map(|(name, _)| *name).collect();
    let found = unknown.into_iter().map(|(tool, span)| {
        view.at(RULE.id, span, format!("the host has no tool `{tool}`"))
            .help(format!("its tools are {}", names.join(", ")))
    });
    found.collect()
}

/// Splits an entry of `tools`. The reader of `skills.toml` reported an entry that cannot be read.
fn split(tool: &str) -> (&str, ToolKind) {
    ToolKind::read_tool(tool).unwrap_or((tool, ToolKind::Other))
}

/// Returns whether a rule names a tool of the host: by its name, by the beginning of the name and `*`, or by a
/// well-known name of its kind, as the runtime reads the rule.
fn is_meant(tools: &[(&str, ToolKind)], rule: &str) -> bool {
    let wanted = ToolKind::of(rule);
    tools
        .iter()
        .any(|(name, kind)| match rule.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => *name == rule || wanted != ToolKind::Other && wanted == *kind,
        })
}

fn names(view: &SkillView<'_>, value: &Node) -> Vec<(String, Span)> {
    match &value.value {
        Value::Sequence(items) => items.iter().flat_map(|item| names(view, item)).collect(),
        Value::Mapping(_) => Vec::new(),
        Value::Scalar(scalar) => {
            let place = |tool: &str| match value.span.of(view.text()).find(tool) {
                Some(at) => Span::new(value.span.start + at, value.span.start + at + tool.len()),
                None => value.span,
            };
            let entries = ToolRule::parse_list(&scalar.text).into_iter();
            entries
                .map(|entry| (entry.tool.to_string(), place(&entry.tool)))
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `skills.toml` is read without the package of tools.
    #[test]
    fn the_kinds_of_skills_toml_are_the_kinds() {
        assert_eq!(
            skills_check::TOOL_KINDS,
            skills_permit::ToolKind::ALL.map(ToolKind::as_str)
        );
    }
}

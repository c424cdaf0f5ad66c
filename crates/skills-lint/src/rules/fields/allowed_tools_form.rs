use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_check::check::value::without_line_end;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix, Severity};
use skills_format::skill::allowed_tools::ToolRule;
use skills_format::text::span::Span;
use skills_format::yaml;
use skills_format::yaml::node::{Node, Style, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::AllowedToolsForm,
    level: Level::Deny,
    group: Group::Fields,
    summary: "`allowed-tools` is one string whose entries parse",
    why: "An entry that does not parse, such as `Bash(git *` without its closing parenthesis, approves nothing: it \
          is an error. Other forms are warnings. The specification has one string, with entries separated by \
          spaces. Lists are read here, but some clients refuse them. Commas between entries are accepted: Claude \
          Code documents them, and most authors use them.",
    bad: Example::Skill(with_fields!("allowed-tools: [Read, \"Bash(git log:*)\"]\n")),
    marks: "[Read, \"Bash(git log:*)\"]",
    good: Example::Skill(with_fields!("allowed-tools: Read Bash(git log:*)\n")),
    fix: FixKind::Safe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let taken = view.field("disallowed-tools");
    let mut found: Vec<Finding> = taken
        .and_then(|(_, value)| unreadable(view, value).or_else(|| takes_every_tool(view, value)))
        .into_iter()
        .collect();
    found.extend(allowed(view));
    found
}

/// Finds an entry that cannot be read in one way only. Such an entry of `allowed-tools` approves nothing, and such an
/// entry of `disallowed-tools` takes more away than its author meant.
fn unreadable(view: &SkillView<'_>, value: &Node) -> Option<Finding> {
    texts(value).find_map(|node| {
        // What broken YAML joined is a fault of the YAML.
        let text = node.as_str().filter(|_| view.is_sound(node.span))?;
        // An entry that does not parse is not in the list, so a fix would remove the entry.
        let faults = ToolRule::faults(text);
        let fault = faults.first()?;
        let message = format!("`{}` {}", fault.span.of(text), fault.message);
        Some(view.at(RULE.id, node.span, message).help(fault.help))
    })
}

/// Finds an entry of `disallowed-tools` that is not a plain name of a tool. Such an entry takes every tool away.
fn takes_every_tool(view: &SkillView<'_>, value: &Node) -> Option<Finding> {
    let (node, entry) = texts(value).find_map(|node| {
        let mut entries = ToolRule::inexact(node.as_str()?).into_iter();
        Some((node, entries.find(|entry| *entry != ToolRule::ALL.tool)?))
    })?;
    let message = format!("`{entry}` is not the name of a tool, so every tool is taken away");
    let finding = view
        .at(RULE.id, node.span, message)
        .at_most(Severity::Warning);
    Some(
        finding.help(
            "write names of tools with blanks between them, such as `Write Bash(git push:*)`",
        ),
    )
}

fn allowed(view: &SkillView<'_>) -> Option<Finding> {
    let (key, value) = view.field("allowed-tools")?;
    if let Some(finding) = unreadable(view, value) {
        return Some(finding);
    }
    let Value::Sequence(items) = &value.value else {
        return None;
    };
    let finding = view
        .at(RULE.id, value.span, "the tools are a list")
        .at_most(Severity::Warning);
    let end = without_line_end(view.text(), value.span).end;
    let after_key = Span::new(key.span.end, end);
    let written = after_key.of(view.text());
    // A fix would remove a comment between the entries, or make other tools of an item that is not one tool.
    let tools: Option<Vec<ToolRule>> = items.iter().map(only_tool).collect();
    let Some(tools) = tools.filter(|_| !written.contains('#') && written.starts_with(':')) else {
        return Some(finding.help("write one text, with a space between two tools"));
    };
    let tools: Vec<String> = tools.iter().map(ToString::to_string).collect();
    let line = as_scalar(&tools.join(" "));
    let fix = Fix::safe(vec![Edit::replace(after_key, format!(": {line}"))]);
    let help = format!("write `allowed-tools: {line}`");
    Some(finding.help(help).fix(fix))
}

/// Returns the tool of an item that names one tool.
fn only_tool(item: &Node) -> Option<ToolRule> {
    let text = item.as_str().filter(|_| !item.is_null())?;
    let mut tools = ToolRule::parse_list(text);
    tools.pop().filter(|_| tools.is_empty())
}

/// Returns the nodes that hold entries.
fn texts(value: &Node) -> impl Iterator<Item = &Node> {
    let items = match &value.value {
        Value::Sequence(items) => items.as_slice(),
        _ => std::slice::from_ref(value),
    };
    items.iter()
}

/// Returns a text in plain style if YAML reads the plain text as the same text, else in quotes.
fn as_scalar(text: &str) -> String {
    let is_plain = |node: &Node| match &node.value {
        Value::Scalar(scalar) => scalar.style == Style::Plain && scalar.text == text,
        _ => false,
    };
    let line = format!("k: {text}");
    match yaml::parse(&line) {
        Ok(Some(node)) if node.get("k").is_some_and(is_plain) => text.to_owned(),
        _ => format!("'{}'", text.replace('\'', "''")),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told;

    #[test]
    fn an_entry_names_a_tool() {
        for fields in [
            "allowed-tools: Read (git:*)",
            "allowed-tools: [Read, \"(git:*)\"]",
            "disallowed-tools: Write (git:*)",
        ] {
            let told = told("allowed-tools-form", fields);
            assert!(
                matches!(told.as_slice(), [one] if one.contains("`(git:*)` names no tool")),
                "{told:?}"
            );
        }
    }

    /// A fix would write other tools than the list has.
    #[test]
    fn a_list_that_one_text_cannot_say() {
        use crate::check::fix::FixLevel;
        use crate::rules::tests::fix_bundle;
        use crate::rules::tests::tree;
        use crate::view::scope::Scope;
        use skills_check::Config;
        let fixed = |fields: &str| {
            let text =
                format!("---\nname: x\ndescription: Does. Use when asked.\n{fields}\n---\n\nGo.\n");
            let mut files = tree(&[("x/SKILL.md", text)]);
            let _ = fix_bundle(
                "",
                &mut files,
                &Config::default(),
                Scope::default(),
                FixLevel::Safe,
            );
            let bytes = files.get("x/SKILL.md").and_then(|file| file.bytes.clone());
            let text = String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
            text.lines()
                .filter(|line| line.contains("tools"))
                .collect::<Vec<_>>()
                .join("|")
        };
        for (fields, message) in [
            (
                "allowed-tools:\n  - Bash(ls)\n  -\n  - Read",
                "the tools are a list",
            ),
            ("allowed-tools: [Read, '']", "the tools are a list"),
            ("allowed-tools: [\"My Tool\"]", "the tools are a list"),
        ] {
            assert_eq!(told("allowed-tools-form", fields), [message], "{fields}");
            let first = fields.lines().next().unwrap_or_default();
            assert_eq!(fixed(fields), first, "{fields}");
        }
        for (fields, line) in [
            (
                "allowed-tools: [Read, &x Bash(git *), *x]",
                "allowed-tools: Read Bash(git *) Bash(git *)",
            ),
            // The alias below would have no anchor.
            (
                "allowed-tools: [&x Read]\ndisallowed-tools: *x",
                "allowed-tools: [&x Read]|disallowed-tools: *x",
            ),
            ("allowed-tools: [Read, *x]", "allowed-tools: [Read, *x]"),
        ] {
            assert_eq!(fixed(fields), line, "{fields}");
        }
    }

    #[test]
    fn parentheses_are_closed() {
        for fields in [
            "allowed-tools: Bash(a b Read",
            "allowed-tools: [Read, \"Bash(a\"]",
            "disallowed-tools: Bash(git push:*",
        ] {
            let told = told("allowed-tools-form", fields);
            assert!(
                matches!(told.as_slice(), [one] if one.contains("not closed")),
                "{told:?}"
            );
        }
        assert!(told("allowed-tools-form", "allowed-tools: Bash(a (b) c) Read").is_empty());
        assert!(
            told(
                "allowed-tools-form",
                "disallowed-tools: Write Bash(git push:*)"
            )
            .is_empty()
        );
    }

    #[test]
    fn what_takes_every_tool_is_told() {
        for entry in ["Bash;Write", "[Read, 'Bash|Write']"] {
            let told = told("allowed-tools-form", &format!("disallowed-tools: {entry}"));
            assert!(
                matches!(told.as_slice(), [one] if one.contains("is not the name of a tool")),
                "{told:?}"
            );
        }
        for entry in ["'*sh'", "Bash.", "Bash:*"] {
            let told = told("allowed-tools-form", &format!("disallowed-tools: {entry}"));
            assert!(
                matches!(told.as_slice(), [one] if one.contains("every tool is taken away")),
                "{told:?}"
            );
        }
        for entry in ["'*'", "BASH(git push:*), Write"] {
            let told = told("allowed-tools-form", &format!("disallowed-tools: {entry}"));
            assert!(told.is_empty(), "{told:?}");
        }
    }
}

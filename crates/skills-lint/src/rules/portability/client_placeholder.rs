use crate::client::Condition;
use crate::rules::example::{Content, Example, with_body};
use crate::rules::portability::arguments::{begins_with, declared, words};
use crate::rules::portability::shell_injection::commands;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use std::collections::BTreeSet;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ClientPlaceholder,
    level: Level::Warn,
    group: Group::Portability,
    summary: "every placeholder in the body is replaced in every client",
    why: "Claude Code replaces `$ARGUMENTS`, the names in `arguments` and `${CLAUDE_SKILL_DIR}`, and runs commands \
          after an exclamation mark. Other clients give the model the text as written. The rule covers the clients \
          that `clients` in `skills.toml` or `--client` names, and reports each placeholder once. \
          `positional-placeholder` is about `$0` to `$9`.",
    bad: Example::Configured {
        config: "clients = [\"codex\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_body!("Run `ls ${CLAUDE_SKILL_DIR}`.\n")),
        )],
    },
    marks: "${CLAUDE_SKILL_DIR}",
    good: Example::Configured {
        config: "clients = [\"codex\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_body!(
                "List every change since the tag that is named.\n"
            )),
        )],
    },
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let all = view.on(Condition::PlaceholderKept);
    // A skill about skills explains placeholders.
    let Some(document) = view
        .document()
        .filter(|_| !all.is_empty() && !view.is_about_skills())
    else {
        return Vec::new();
    };
    let body = document.body.of(document.text);
    let in_words =
        "say in words what the person names: the message reaches the model in every client";
    let mut found = Vec::new();
    let mut add = |key: &str, shown: &str, places: Vec<Span>, works: &str| {
        let places: Vec<Span> = places
            .into_iter()
            .filter(|span| !is_example(view, *span))
            .collect();
        let mut blind = all.clone();
        blind.retain(|one| !one.fact.values.contains(&key));
        if let Some(first) = places.first().filter(|_| !blind.is_empty()) {
            let what = format!("the body contains {shown}{}", times(places.len()));
            found.push(view.about_clients(RULE.id, *first, &what, &blind, works));
        }
    };
    let after_dollars = words(view);
    let of = |name: &str| {
        let places = after_dollars
            .iter()
            .filter(|(word, _)| begins_with(word, name));
        places
            .map(|(_, span)| Span::new(span.start, span.start + 1 + name.len()))
            .collect()
    };
    add("arguments", "`$ARGUMENTS`", of("ARGUMENTS"), in_words);
    for argument in declared(view)
        .iter()
        .filter(|argument| argument.is_usable())
    {
        add(
            "names",
            &format!("`${}`", argument.name),
            of(argument.name),
            in_words,
        );
    }
    for variable in variables(view) {
        let places = body.match_indices(variable);
        let places = places.filter(|(at, _)| !body[..*at].ends_with('\\'));
        let places = places.map(|(at, _)| {
            let start = document.body.start + at;
            Span::new(start, start + variable.len())
        });
        let works = "write the path from the folder of the skill, such as `scripts/run.sh`";
        add(variable, &format!("`{variable}`"), places.collect(), works);
    }
    // A command has code marks of its own.
    let shown = "a command after an exclamation mark";
    add(
        "commands",
        shown,
        commands(document.text, document.body),
        "tell the model to run the command",
    );
    found
}

/// Returns whether a place lies in a block of data or of Markdown: an example of a file that is read elsewhere.
fn is_example(view: &SkillView<'_>, span: Span) -> bool {
    const EXAMPLES: [&str; 8] = [
        "json", "jsonc", "yaml", "yml", "toml", "xml", "markdown", "md",
    ];
    view.language(span)
        .is_some_and(|language| EXAMPLES.contains(&language.as_str()))
}

fn times(count: usize) -> String {
    match count {
        1 => String::new(),
        _ => format!(" ({count} times)"),
    }
}

/// Returns every `${NAME}` that a known client replaces.
fn variables(view: &SkillView<'_>) -> BTreeSet<&'static str> {
    let clients = view.tree.scope.clients;
    let facts = clients.every(Condition::PlaceholderKept);
    let values = facts.iter().flat_map(|one| one.fact.values.iter().copied());
    values.filter(|value| value.starts_with("${")).collect()
}

#[cfg(test)]
mod tests {
    use crate::client::{Client, Condition, Loss};
    use crate::rules::tests::{client, told_to};

    fn clients() -> [Client; 2] {
        let replaced = ["arguments", "names", "commands", "${CLAUDE_SKILL_DIR}"];
        let claude = client(
            "claude",
            Condition::PlaceholderKept,
            Loss::Nothing,
            &replaced,
        );
        let codex = client("codex", Condition::PlaceholderKept, Loss::Nothing, &[]);
        [claude, codex]
    }

    fn told(named: &[&str], fields: &str, body: &str) -> Vec<String> {
        let text =
            format!("---\nname: x\ndescription: Does. Use when asked.\n{fields}---\n\n{body}\n");
        let files = [("x/SKILL.md", text.as_str())];
        let found = told_to("client-placeholder", &clients(), named, &files);
        let shown = found
            .iter()
            .map(|one| format!("{}: {}", one.span().of(&text), one.message));
        shown.collect()
    }

    #[test]
    fn what_a_named_client_leaves_as_it_is() {
        let both = &["claude", "codex"][..];
        for (fields, body, shown) in [
            (
                "",
                "For $ARGUMENTS.",
                "$ARGUMENTS: the body contains `$ARGUMENTS`",
            ),
            (
                "",
                "$ARGUMENTS[0]",
                "$ARGUMENTS: the body contains `$ARGUMENTS`",
            ),
            (
                "",
                "`$ARGUMENTS` and $ARGUMENTS",
                "$ARGUMENTS: the body contains `$ARGUMENTS` (2 times)",
            ),
            (
                "arguments: [product]\n",
                "Of $product.",
                "$product: the body contains `$product`",
            ),
            (
                "",
                "Run ${CLAUDE_SKILL_DIR}/x.sh",
                "${CLAUDE_SKILL_DIR}: the body contains `${CLAUDE_SKILL_DIR}`",
            ),
            (
                "",
                "Now: !`git status`",
                "git status: the body contains a command after an exclamation mark",
            ),
        ] {
            assert_eq!(
                told(both, fields, body),
                [format!("{shown}: it is lost in CODEX")],
                "{body}"
            );
            assert!(told(&["claude"], fields, body).is_empty());
            assert!(told(&[], fields, body).is_empty());
        }
        for body in [
            "\\${CLAUDE_SKILL_DIR}",
            "${CLAUDE_CODE} and ${HOME}, $product, $ARGUMENTSX",
            "```json\n{\"command\": \"${CLAUDE_SKILL_DIR}/x $ARGUMENTS\"}\n```",
            "The `!` operator and `x`, Hello!`x`, ![x](y)",
        ] {
            assert!(told(both, "", body).is_empty(), "{body}");
        }
    }
}

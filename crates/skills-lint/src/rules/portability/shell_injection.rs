use crate::client::{Condition, enumerated, sources};
use crate::rules::example::{Content, Example};
use crate::rules::portability::arguments::{begins_with, declared, words_in};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::ShellInjection,
    level: Level::Warn,
    group: Group::Portability,
    summary: "no command that runs when the skill starts contains an argument, or is an example",
    why: "Claude Code runs the commands in `` !`command` `` and in a block ` ```! ` before the model reads the \
          skill. It fills in the arguments first, so an argument such as `; rm -rf .` becomes part of the command. \
          It also runs commands that are examples in a code block. The rule is checked if `clients` or `--client` \
          names a client that runs these commands.",
    bad: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[(
            "show-issue/SKILL.md",
            Content::Text(
                "---\nname: show-issue\ndescription: Shows an issue. Use when a person names an issue.\n---\n\n\
                 The issue: !`gh issue view $ARGUMENTS`\n",
            ),
        )],
    },
    marks: "$ARGUMENTS",
    good: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[(
            "show-issue/SKILL.md",
            Content::Text(
                "---\nname: show-issue\ndescription: Shows an issue. Use when a person names an issue.\n---\n\n\
                 Run `gh issue view` with the number in: $ARGUMENTS\n",
            ),
        )],
    },
    fix: FixKind::No,
    check: Check::Skill(check),
};

/// The value of a client that fills no names of `arguments`.
const NO_NAMES: &str = "no-names";

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let on = view.on(Condition::Injection);
    let Some(document) = view.document().filter(|_| !on.is_empty()) else {
        return Vec::new();
    };
    let declared = declared(view);
    let mut found = Vec::new();
    for command in commands(document.text, document.body) {
        // The block of a command has no language.
        if view.language(command).is_some_and(|it| it != "!") {
            let clients: Vec<&str> = on.iter().map(|one| one.client.title).collect();
            let message = format!(
                "this example is a command that runs when the skill starts in {}",
                enumerated(&clients)
            );
            let finding = view.at(RULE.id, command, message);
            let help = format!(
                "write a space between the exclamation mark and the code mark; source: {}",
                sources(&on)
            );
            found.push(finding.at_most(Severity::Warning).help(help));
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        for (word, span) in words_in(document.text, command, is_part) {
            let is_number = matches!(word.as_bytes(), [digit] if digit.is_ascii_digit());
            let is_named = declared.iter().any(|one| begins_with(word, one.name));
            if !is_number && !is_named && !begins_with(word, "ARGUMENTS") {
                continue;
            }
            // A client that fills no name leaves the name to the shell.
            let mut on = on.clone();
            on.retain(|one| !is_named || !one.fact.values.contains(&NO_NAMES));
            if !on.is_empty() {
                let what = format!("the command contains `${word}`");
                let works = "let the model run the command, or let a script of the skill check the argument";
                found.push(view.about_clients(RULE.id, span, &what, &on, works));
            }
        }
    }
    found
}

/// Returns the commands that run when the skill starts: code spans after an exclamation mark that begins a word, also in an
/// example, and blocks that begin with ` ```! `.
pub(super) fn commands(text: &str, body: Span) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = body.start;
    for line in body.of(text).split_inclusive('\n') {
        for (mark, _) in line.match_indices("!`") {
            let before = &line[..mark];
            let is_begun = before.is_empty() || before.ends_with(char::is_whitespace);
            let end = line[mark + 2..]
                .find('`')
                .filter(|end| *end > 0 && is_begun);
            if let Some(end) = end {
                found.push(Span::new(at + mark + 2, at + mark + 2 + end));
            }
        }
        at += line.len();
        if line.trim_start().starts_with("```!") {
            let rest = &text[at..body.end];
            found.push(Span::new(at, at + rest.find("\n```").unwrap_or(rest.len())));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::client::{Condition, Loss};
    use crate::rules::tests::{client, told_to};

    #[test]
    fn arguments_in_commands() {
        let clients = [client("one", Condition::Injection, Loss::Nothing, &[])];
        let told = |body: &str| {
            let text = format!(
                "---\nname: x\ndescription: Does. Use when asked.\narguments: [issue]\n---\n\n{body}\n"
            );
            let found = told_to(
                "shell-injection",
                &clients,
                &["one"],
                &[("x/SKILL.md", text.as_str())],
            );
            found
                .iter()
                .map(|one| one.span().of(&text).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            told("See !`gh view $ARGUMENTS $0 \"$issue\"`."),
            ["$ARGUMENTS", "$0", "$issue"]
        );
        assert_eq!(told("```!\ngh $issue\n```"), ["$issue"]);
        for body in [
            "See !`git log`.",
            "Run `gh view $ARGUMENTS`.",
            "See !`echo \\$ARGUMENTS $HOME $issues $10`.",
            "Hello!`$ARGUMENTS`",
            "```sh\ngh $issue\n```",
            "!`` $ARGUMENTS",
        ] {
            assert!(told(body).is_empty(), "{body}");
        }
    }
}

//! Finds the commands in a body: `` !`cmd` ``, and fenced blocks that begin with ` ```! `.

// The forms are those that Claude Code 2.1.330 runs. A host that runs nothing still has to know that a skill's
// text counts on the output of a command.

use crate::options::Placeholders;
use skills_format::Text;
use skills_format::text::places_of;
use skills_render::longest_name;
use std::collections::BTreeSet;

/// A command that stands in the body of a skill, as written. The runtime never runs it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct BodyCommand {
    /// The command, before anything is inserted. A fenced block can have several lines.
    pub command: String,
    /// `true` if the command holds a placeholder of the arguments. If a host inserts the arguments as text, the author
    /// of the arguments can write a command, and the author can be the model. The placeholder of the skill's folder does
    /// not count: a shell also reads `${CLAUDE_SKILL_DIR}` as a variable of the environment.
    #[serde(rename = "unsafe")]
    pub is_unsafe: bool,
}

/// The maximum number of commands in one list. A body can hold a hundred thousand.
pub(crate) const MAX_COMMANDS: usize = 1_000;

/// Lists the commands of a body, in order. `listed` are the names of the skill's `arguments`.
pub(crate) fn commands(
    body: &str,
    placeholders: Placeholders,
    listed: &[Text],
) -> Vec<BodyCommand> {
    // Most bodies hold none, and are searched once at memory speed.
    let may_hold = body.contains("!`") || body.contains("```!");
    if placeholders == Placeholders::None || !may_hold {
        return Vec::new();
    }
    let names = listed
        .iter()
        .map(|name| name.strip_prefix('$').unwrap_or(name))
        .collect();
    let mut found = Vec::new();
    let mut block: Option<Vec<&str>> = None;
    for line in body.split_terminator('\n') {
        match &mut block {
            Some(lines) if line.trim() == "```" => {
                found.push(lines.join("\n"));
                block = None;
            }
            Some(lines) => lines.push(line),
            None if line.trim() == "```!" => block = Some(Vec::new()),
            None => find_in_line(line, &mut found),
        }
        if found.len() >= MAX_COMMANDS {
            break;
        }
    }
    // A block without an end goes to the end.
    found.extend(block.map(|lines| lines.join("\n")));
    found
        .into_iter()
        .take(MAX_COMMANDS)
        .filter(|command| !command.trim().is_empty())
        .map(|command| BodyCommand {
            is_unsafe: holds_argument(&command, &names),
            command,
        })
        .collect()
}

/// Finds the commands of a line: each `!` at its beginning or after white space, with a text in backquotes.
fn find_in_line(line: &str, found: &mut Vec<String>) {
    let (mut rest, mut before) = (line, ' ');
    while let Some(c) = rest.chars().next() {
        let command = rest.strip_prefix("!`").filter(|_| before.is_whitespace());
        if let Some((command, after)) = command.and_then(|rest| rest.split_once('`')) {
            found.push(command.to_owned());
            (rest, before) = (after, '`');
        } else {
            (rest, before) = (rest.get(c.len_utf8()..).unwrap_or_default(), c);
        }
    }
}

/// Returns whether a command holds a placeholder of the arguments, in any form that a program reads.
fn holds_argument(command: &str, names: &BTreeSet<&str>) -> bool {
    places_of(command, b'$').any(|at| {
        let text = &command[at + 1..];
        let text = text.strip_prefix('{').unwrap_or(text);
        text.starts_with("ARGUMENTS")
            || text.starts_with(|c: char| c.is_ascii_digit() || c == '@' || c == '*')
            || longest_name(text, &|name| names.contains(name)).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(body: &str) -> Vec<(String, bool)> {
        let listed = commands(body, Placeholders::Guarded, &[Text::Borrowed("issue")]);
        listed
            .into_iter()
            .map(|it| (it.command, it.is_unsafe))
            .collect()
    }

    #[test]
    fn commands_as_claude_code_runs_them() {
        let body = "Commands: !`echo one`, x!`echo two`, (!`echo three`).\n!`echo four`\n- !`echo five` and !`echo six`\n  !`echo seven`\n~~~!\necho no\n~~~\n  ```!\n  echo eight\n  ```\n```!\necho nine\necho $1\n```\n```\n!`echo ten $issue`\n```\n!`open\n!``";
        let found = listed(body);
        let found: Vec<(&str, bool)> = found.iter().map(|(text, is)| (&**text, *is)).collect();
        assert_eq!(
            found,
            [
                ("echo one", false),
                ("echo four", false),
                ("echo five", false),
                ("echo six", false),
                ("echo seven", false),
                ("  echo eight", false),
                ("echo nine\necho $1", true),
                ("echo ten $issue", true),
            ]
        );
    }

    #[test]
    fn placeholders_of_the_arguments_are_unsafe() {
        for (command, expected) in [
            ("ls", false),
            ("ls ${CLAUDE_SKILL_DIR}/x", false),
            ("echo $HOME", false),
            ("echo $ARGUMENTS", true),
            ("echo ${ARGUMENTS}", true),
            ("echo \\$ARGUMENTS[0]", true),
            ("echo $@", true),
            ("gh issue view $issue", true),
        ] {
            assert_eq!(
                listed(&format!("!`{command}`")),
                [(command.to_owned(), expected)]
            );
        }
    }

    #[test]
    fn many_names_and_many_dollars_are_not_compared_with_each_other() {
        let body = format!("!`echo {}`", "$b ".repeat(40_000));
        let mut names: Vec<Text> = (0..40_000).map(|n| format!("a{n}").into()).collect();
        assert!(!commands(&body, Placeholders::Guarded, &names)[0].is_unsafe);
        names.push("b".into());
        assert!(commands(&body, Placeholders::Guarded, &names)[0].is_unsafe);
    }

    #[test]
    fn an_open_block_and_very_many_commands() {
        for open in ["```!\nls", "```!\nls\n"] {
            assert_eq!(listed(open), [("ls".to_owned(), false)], "{open:?}");
        }
        assert_eq!(listed(&"!`a` ".repeat(100_000)).len(), MAX_COMMANDS);
        assert_eq!(listed(&"!`".repeat(100_000)), [("!".to_owned(), false)]);
        assert_eq!(listed(&"```!\n".repeat(100_000)).len(), 1);
        assert!(commands("!`a`", Placeholders::None, &[]).is_empty());
    }
}

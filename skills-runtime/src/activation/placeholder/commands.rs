//! Finds the commands in a body: `` !`cmd` ``, and fenced blocks that begin with ` ```! `.

// The forms are those that Claude Code 2.1.330 runs. A host that runs nothing still has to know that a skill's
// text counts on the output of a command.

use crate::options::placeholders::Placeholders;
use skills_format::Text;
use skills_format::text::places_of;

/// A command that stands in the body of a skill, as written. The runtime never runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct BodyCommand {
    /// The command, before anything is inserted. A fenced block can have several lines.
    pub command: String,
    /// `true` if the command holds a placeholder of the arguments. A host that inserts them as text lets whoever
    /// wrote the arguments, which can be the model, write a command. The folder of the skill is no such
    /// placeholder: `${CLAUDE_SKILL_DIR}` is also how a shell reads a variable of the environment.
    #[cfg_attr(feature = "serde", serde(rename = "unsafe"))]
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
    if placeholders == Placeholders::None || !may_hold_command(body) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut rest = body;
    while let Some((line, after)) = next_line(rest) {
        if found.len() >= MAX_COMMANDS {
            break;
        }
        rest = after;
        if opens_block(line) {
            let (block, after) = block(after);
            rest = after;
            found.push(block.to_owned());
        } else {
            found.extend(in_line(line).map(str::to_owned));
        }
    }
    found.truncate(MAX_COMMANDS);
    let commands = found
        .into_iter()
        .filter(|command| !command.trim().is_empty());
    commands
        .map(|command| BodyCommand {
            is_unsafe: holds_argument(&command, listed),
            command,
        })
        .collect()
}

/// Returns `false` for most bodies, after one search at memory speed.
fn may_hold_command(body: &str) -> bool {
    let mut marks = places_of(body, b'!');
    marks.any(|mark| {
        let (before, after) = body.split_at(mark);
        before.ends_with("```") || after.starts_with("!`")
    })
}

fn next_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        return None;
    }
    Some(text.split_once('\n').unwrap_or((text, "")))
}

fn opens_block(line: &str) -> bool {
    line.trim() == "```!"
}

/// Returns the lines up to the end of a block, and the text after it. A block without an end goes to the end.
fn block(text: &str) -> (&str, &str) {
    let mut rest = text;
    while let Some((line, after)) = next_line(rest) {
        if line.trim() == "```" {
            let lines = text.get(..text.len() - rest.len()).unwrap_or_default();
            return (lines.strip_suffix('\n').unwrap_or(lines), after);
        }
        rest = after;
    }
    (text, "")
}

/// Iterates over the commands of a line: `` !` `` at its start or after white space, up to the next backquote.
fn in_line(line: &str) -> impl Iterator<Item = &str> {
    let mut end = 0;
    places_of(line, b'!').filter_map(move |at| {
        let (before, rest) = (line.get(..at)?, line.get(at..)?);
        let is_first = before.is_empty() || before.ends_with(char::is_whitespace);
        let (command, _) = rest
            .strip_prefix("!`")
            .filter(|_| is_first && at >= end)?
            .split_once('`')?;
        end = at + command.len() + 3;
        Some(command)
    })
}

/// The maximum number of names that are searched for in a command, and the maximum number of their bytes: each `$` is
/// compared with each name.
const MAX_NAMES: usize = 32;
const LONGEST_NAME: usize = 64;

/// Returns whether a command holds a placeholder of the arguments, in any form that a program reads. A command with a
/// `$` counts as one where the skill lists more names than are searched for.
fn holds_argument(command: &str, listed: &[Text]) -> bool {
    if listed.len() > MAX_NAMES {
        return command.contains('$');
    }
    places_of(command, b'$').any(|at| {
        let text = command.get(at + 1..).unwrap_or_default();
        let text = text.strip_prefix('{').unwrap_or(text);
        let mut names = listed
            .iter()
            .map(|name| name.strip_prefix('$').unwrap_or(name).as_bytes())
            .map(|name| name.get(..LONGEST_NAME).unwrap_or(name));
        text.starts_with("ARGUMENTS")
            || text.starts_with(|c: char| c.is_ascii_digit() || c == '@' || c == '*')
            || names.any(|name| {
                #[cfg(test)]
                crate::text::counted::LOOK_UPS.with(|count| count.update(|count| count + 1));
                !name.is_empty() && text.as_bytes().starts_with(name)
            })
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
        use crate::text::counted;

        let body = format!("!`echo {}`", "$b ".repeat(40_000));
        for (count, expected) in [(MAX_NAMES, false), (4_000, true)] {
            let names: Vec<Text> = (0..count).map(|n| format!("a{n}").into()).collect();
            counted::LOOK_UPS.take();
            let found = commands(&body, Placeholders::Guarded, &names);
            assert_eq!(found[0].is_unsafe, expected, "{count} names");
            assert!(counted::LOOK_UPS.take() <= MAX_NAMES * 40_000);
        }
        let long = Text::Owned("n".repeat(100_000));
        let found = commands(&format!("!`echo ${long}`"), Placeholders::Guarded, &[long]);
        assert!(found[0].is_unsafe, "a long name");
    }

    #[test]
    fn an_open_block_and_very_many_commands() {
        assert_eq!(listed("```!\nls"), [("ls".to_owned(), false)]);
        assert_eq!(listed(&"!`a` ".repeat(100_000)).len(), MAX_COMMANDS);
        assert_eq!(listed(&"!`".repeat(100_000)), [("!".to_owned(), false)]);
        assert_eq!(listed(&"```!\n".repeat(100_000)).len(), 1);
        assert!(commands("!`a`", Placeholders::None, &[]).is_empty());
    }
}

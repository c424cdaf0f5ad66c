//! Finds the commands in a body: `` !`cmd` ``, and fenced blocks that begin with ` ```! `.

// The forms are those that Claude Code 2.1.330 runs. A host that runs nothing still has to know that a skill's
// text counts on the output of a command.

use crate::options::Placeholders;
use skills_format::Text;
use skills_format::text::places_of;

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
    if placeholders == Placeholders::None {
        return Vec::new();
    }
    Commands::of(body)
        .take(MAX_COMMANDS)
        .filter(|command| !command.trim().is_empty())
        .map(|command| BodyCommand {
            is_unsafe: holds_argument(command, listed),
            command: command.to_owned(),
        })
        .collect()
}

/// Iterates over the commands of a body, from `!` to `!`: most bodies hold few, and are searched once at memory
/// speed.
struct Commands<'a> {
    body: &'a str,
    /// The end of the last command: a command does not begin inside of another.
    end: usize,
}

impl<'a> Commands<'a> {
    fn of(body: &'a str) -> Self {
        Self { body, end: 0 }
    }

    /// Returns the lines of the block whose opening line has its `!` at `mark`, and the place after the block. A
    /// block without an end goes to the end.
    fn block(&self, mark: usize) -> Option<(&'a str, usize)> {
        let (before, after) = (self.body.get(..mark)?, self.body.get(mark + 1..)?);
        // From the mark outwards, so that a long line with many marks is not searched for each of them.
        let indent = before.strip_suffix("```")?.trim_end_matches(is_blank);
        let rest = after.trim_start_matches(is_blank);
        if !(indent.is_empty() || indent.ends_with('\n')) {
            return None;
        }
        let start = self.body.len()
            - rest
                .strip_prefix('\n')
                .or(rest.is_empty().then_some(""))?
                .len();
        let (mut at, mut after) = (start, self.body.len());
        for line in self.body.get(start..)?.split_inclusive('\n') {
            if line.trim() == "```" {
                after = at + line.len();
                break;
            }
            at += line.len();
        }
        let lines = self.body.get(start..at)?;
        Some((lines.strip_suffix('\n').unwrap_or(lines), after))
    }

    /// Returns the command that begins with the `!` at `mark`, up to the next backquote of the line, and the place
    /// after it.
    fn in_line(&self, mark: usize) -> Option<(&'a str, usize)> {
        let (before, after) = (self.body.get(..mark)?, self.body.get(mark + 1..)?);
        let rest = after.strip_prefix('`')?;
        if !(before.is_empty() || before.ends_with(char::is_whitespace)) {
            return None;
        }
        let end = rest.bytes().position(|byte| matches!(byte, b'`' | b'\n'))?;
        let (command, rest) = rest.split_at_checked(end)?;
        rest.starts_with('`')
            .then(|| (command, mark + "!``".len() + command.len()))
    }
}

impl<'a> Iterator for Commands<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let from = self.end;
        let mut marks = places_of(self.body.get(from..)?, b'!').map(|mark| from + mark);
        let (command, end) =
            marks.find_map(|mark| self.block(mark).or_else(|| self.in_line(mark)))?;
        self.end = end;
        Some(command)
    }
}

/// Returns whether a character is white space inside of a line.
fn is_blank(c: char) -> bool {
    c.is_whitespace() && c != '\n'
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
                LOOK_UPS.with(|count| count.update(|count| count + 1));
                !name.is_empty() && text.as_bytes().starts_with(name)
            })
    })
}

#[cfg(test)]
thread_local! {
    /// The names that were compared with a word after a `$`, in this thread.
    static LOOK_UPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    /// The commands by the words of the documentation: line by line.
    fn line_by_line(body: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut block: Option<Vec<&str>> = None;
        for line in body.split_terminator('\n') {
            match &mut block {
                Some(_) if line.trim() == "```" => {
                    found.push(block.take().unwrap_or_default().join("\n"));
                }
                Some(lines) => lines.push(line),
                None if line.trim() == "```!" => block = Some(Vec::new()),
                None => {
                    let mut rest = line;
                    let mut before = '\n';
                    while let Some(c) = rest.chars().next() {
                        let command = rest.strip_prefix("!`").and_then(|it| it.split_once('`'));
                        if let Some((command, after)) = command.filter(|_| before.is_whitespace()) {
                            found.push(command.to_owned());
                            (rest, before) = (after, '`');
                        } else {
                            (rest, before) = (&rest[c.len_utf8()..], c);
                        }
                    }
                }
            }
        }
        found.extend(block.map(|lines| lines.join("\n")));
        found.retain(|command| !command.trim().is_empty());
        found
    }

    proptest! {
        #[test]
        fn from_mark_to_mark_and_line_by_line_agree(
            parts in prop::collection::vec("!`|`|```!|```|\n| |\t|\r|a|é|\u{2028}|!", 0..40),
        ) {
            let body = parts.concat();
            let found: Vec<String> = listed(&body).into_iter().map(|it| it.0).collect();
            prop_assert_eq!(found, line_by_line(&body));
        }
    }

    #[test]
    fn many_names_and_many_dollars_are_not_compared_with_each_other() {
        let body = format!("!`echo {}`", "$b ".repeat(40_000));
        for (count, expected) in [(MAX_NAMES, false), (4_000, true)] {
            let names: Vec<Text> = (0..count).map(|n| format!("a{n}").into()).collect();
            LOOK_UPS.take();
            let found = commands(&body, Placeholders::Guarded, &names);
            assert_eq!(found[0].is_unsafe, expected, "{count} names");
            assert!(LOOK_UPS.take() <= MAX_NAMES * 40_000);
        }
        let long = Text::Owned("n".repeat(100_000));
        let found = commands(&format!("!`echo ${long}`"), Placeholders::Guarded, &[long]);
        assert!(found[0].is_unsafe, "a long name");
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

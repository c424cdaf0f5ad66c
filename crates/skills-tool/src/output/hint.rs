//! Commands in hints. The hint of a call with options names the same options, so that the printed command
//! works.

use std::borrow::Cow;

/// The commands that take the options of a catalog.
const COMMANDS: [&str; 13] = [
    "activate", "call", "chat", "commands", "disable", "enable", "list", "prompt", "resolve",
    "show", "state", "tools", "trust",
];

/// Adds options to each command over a catalog that is in backquotes.
pub(super) fn with_options<'t>(text: &'t str, options: &str) -> Cow<'t, str> {
    const OPEN: &str = "`skills ";
    if options.is_empty() || !text.contains(OPEN) {
        return Cow::Borrowed(text);
    }
    let mut whole = String::with_capacity(text.len() + options.len());
    let mut rest = text;
    while let Some(at) = rest.find(OPEN) {
        let (before, after) = rest.split_at(at + OPEN.len());
        let end = after.find('`').unwrap_or(after.len());
        let (command, after) = after.split_at(end);
        whole.push_str(before);
        whole.push_str(command);
        if takes_options(command) {
            whole.push(' ');
            whole.push_str(options);
        }
        rest = after;
    }
    whole.push_str(rest);
    Cow::Owned(whole)
}

/// Formats a command of this program in backquotes, quoted for a shell.
pub(crate) fn command(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
    format!("`skills {}`", words.join(" "))
}

/// Quotes a string as one word of a shell.
pub(crate) fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Quotes a path as one word of a shell. A leading `~/` is not quoted, so that the shell expands the home
/// folder.
pub(crate) fn shell_path(path: &str) -> String {
    match path.strip_prefix("~/") {
        Some(below) => format!("~/{}", shell_word(below)),
        None => shell_word(path),
    }
}

fn takes_options(command: &str) -> bool {
    let mut words = command.split(' ');
    let is_of_catalog = words.next().is_some_and(|word| COMMANDS.contains(&word));
    is_of_catalog && words.all(|word| !["--help", "--state"].contains(&word))
}

#[cfg(test)]
mod tests {
    use super::with_options;

    #[test]
    fn commands_over_a_catalog_get_the_options() {
        let text =
            "look with `skills show a`, then `skills trust a --yes`; `skills check a` checks";
        assert_eq!(
            with_options(text, "--state x"),
            "look with `skills show a --state x`, then `skills trust a --yes --state x`; \
             `skills check a` checks"
        );
        for text in [
            "`skills list --help`",
            "`skills lists`",
            "skills list",
            "`a` `skills",
        ] {
            assert_eq!(with_options(text, "--state x"), text);
        }
        assert_eq!(with_options("`skills list`", ""), "`skills list`");
    }
}

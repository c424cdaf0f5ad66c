//! Commands of the program `skills` in texts for people.

use crate::text::path::PathText as _;
use crate::text::prose::Prose;
use std::borrow::Cow;
use std::path::Path;

/// A command of the program `skills`, a part of a [`Prose`].
#[derive(Clone, Debug)]
pub struct Command {
    /// The words after `skills`.
    words: Prose,
}

/// Begins a command: `command("trust --diff")`. The words need no quotes in a shell.
#[must_use]
pub fn command(words: &'static str) -> Command {
    Command {
        words: words.into(),
    }
}

impl Command {
    /// Adds a word, quoted for a shell.
    #[must_use]
    pub fn word(mut self, word: &str) -> Self {
        self.words = self.words.words(" ").words(&shell_word(word));
        self
    }

    /// Adds a path, quoted for a shell.
    #[must_use]
    pub fn path(mut self, path: &Path) -> Self {
        let word = shell_word(&not_an_option(&path.shown()));
        self.words = self.words.words(" ").part(&word, true);
        self
    }

    /// Adds a path in its short form. A leading `~/` is not quoted, so that the shell expands the home folder.
    #[must_use]
    pub fn short_path(mut self, path: &str) -> Self {
        let word = match path.strip_prefix("~/") {
            Some(below) => format!("~/{}", shell_word(below)),
            None => shell_word(&not_an_option(path)),
        };
        self.words = self.words.words(" ").words(&word);
        self
    }

    /// Returns the line to type: `skills` and the words.
    pub fn line(&self) -> String {
        format!("skills {}", &*self.words)
    }

    /// Adds an option with a value: `--to NAME`. Without a value, the command is unchanged.
    #[must_use]
    pub fn option(self, name: &'static str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.word(name).word(value),
            None => self,
        }
    }
}

impl From<Command> for Prose {
    fn from(command: Command) -> Self {
        Self::from("`skills ").and(command.words).words("`")
    }
}

/// Returns a path in a form that no command parses as an option.
fn not_an_option(path: &str) -> Cow<'_, str> {
    if path.starts_with('-') {
        format!("./{path}").into()
    } else {
        path.into()
    }
}

/// Quotes a string as one word of a shell.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@+=,%".contains(c);
    // zsh replaces a word that begins with `=` by the path of a program.
    if !text.is_empty() && !text.starts_with('=') && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        let path = Path::new("/a b");
        let command = command("move --to").path(path).word("it's").word("");
        let words = command.clone().option("--from", None).words;
        assert_eq!(&*words, r"move --to '/a b' 'it'\''s' ''");
        let words = command.option("--at", Some("=x")).words;
        assert_eq!(&*words, r"move --to '/a b' 'it'\''s' '' --at '=x'");
        for (path, word) in [("~/a b", "~/'a b'"), ("-a", "./-a"), ("~", "'~'")] {
            let short = super::command("check").short_path(path).words;
            assert_eq!(&*short, format!("check {word}"));
        }
    }
}

//! The forms in which text for a person is written: commands with the options of the call, and short paths.

use crate::environment::Environment;
use skills_format::Prose;
use skills_format::text::path::PathText as _;
use skills_format::text::prose::Form;
use std::borrow::Cow;
use std::path::PathBuf;

/// The options of a call over a catalog. A command in a hint gets the same options, so that the printed command
/// works.
#[derive(Debug)]
pub(super) struct Options {
    /// The options, quoted for a shell.
    pub(super) words: String,
    /// Lists the commands that take the options. A function, because most calls print no hint.
    pub(super) takers: fn() -> Vec<String>,
}

/// The form for a person at a shell.
pub(super) struct AtShell<'o> {
    pub(super) options: &'o Options,
    /// The folders whose paths are shortened.
    pub(super) environment: Option<&'o Environment>,
}

/// The form for the prompt of `skills chat`, where `/skill VERB` does the same as some commands.
pub(super) struct AtPrompt<'o> {
    pub(super) shell: AtShell<'o>,
    /// The verbs of `/skill`.
    pub(super) verbs: &'o [&'static str],
}

impl Options {
    /// Writes a command with the options.
    fn command(&self, words: &str) -> String {
        // A command with `--state` already names the file, and a help is the same for all options.
        let mut each = words.split(' ');
        let takes_more = each.all(|word| !["--help", "--state"].contains(&word));
        let is_it = |name: &String| {
            let rest = words.strip_prefix(name.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        if !self.words.is_empty() && takes_more && (self.takers)().iter().any(is_it) {
            format!("`skills {words} {}`", self.words)
        } else {
            format!("`skills {words}`")
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            words: String::new(),
            takers: Vec::new,
        }
    }
}

/// In a document, paths are whole.
impl Form for Options {
    fn command(&self, words: &str) -> String {
        self.command(words)
    }
}

impl AtShell<'_> {
    /// Returns the part of a path below a folder.
    fn below<'p>(&self, path: &'p str, folder: Folder) -> Option<&'p str> {
        let folder = self.environment.and_then(folder)?;
        // A root such as `/` would shorten every path.
        folder.parent()?;
        let below = path.strip_prefix(&*folder.shown())?.strip_prefix('/')?;
        // A relative path that begins with `-` would be an option.
        below
            .starts_with(|c: char| c.is_alphanumeric() || c == '.')
            .then_some(below)
    }
}

/// A folder whose paths are shortened.
type Folder = fn(&Environment) -> Option<&PathBuf>;

const WORKING_FOLDER: Folder = |environment| environment.working_folder.as_ref();
const HOME: Folder = |environment| environment.home.as_ref();

impl Form for AtShell<'_> {
    /// Writes a path relative to the working folder, or with `~`.
    fn path<'p>(&self, path: &'p str) -> Cow<'p, str> {
        match self.below(path, WORKING_FOLDER) {
            Some(below) => below.into(),
            None => self.path_word(path),
        }
    }

    /// Writes a path with `~`, and never relative: a relative path can be the name of an agent.
    fn path_word<'p>(&self, path: &'p str) -> Cow<'p, str> {
        // In quotes, a shell does not replace `~`.
        let (quote, bare) = match path.strip_prefix('\'') {
            Some(bare) => ("'", bare),
            None => ("", path),
        };
        match self.below(bare, HOME) {
            Some(below) => format!("~/{quote}{below}").into(),
            None => path.into(),
        }
    }

    fn command(&self, words: &str) -> String {
        self.options.command(words)
    }
}

impl AtPrompt<'_> {
    /// Writes a next step. Commands that the prompt does not have stay commands for a shell.
    pub(super) fn written(&self, text: &Prose) -> String {
        let written = text.written(self);
        if text.commands().all(|words| self.has(words)) {
            written
        } else {
            format!("in a shell: {written}")
        }
    }

    fn has(&self, words: &str) -> bool {
        let verb = words.split(' ').next().unwrap_or_default();
        self.verbs.contains(&verb) && !words.contains("--")
    }
}

impl Form for AtPrompt<'_> {
    fn path<'p>(&self, path: &'p str) -> Cow<'p, str> {
        self.shell.path(path)
    }

    fn path_word<'p>(&self, path: &'p str) -> Cow<'p, str> {
        self.shell.path_word(path)
    }

    fn command(&self, words: &str) -> String {
        if self.has(words) {
            format!("`/skill {words}`")
        } else {
            self.shell.command(words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::{command, prose};
    use std::path::Path;

    fn environment(working_folder: &str, home: &str) -> Environment {
        Environment {
            working_folder: Some(working_folder.into()),
            home: Some(home.into()),
            ..Environment::default()
        }
    }

    #[test]
    fn commands_over_a_catalog_get_the_options() {
        let options = Options {
            words: "--state x".to_owned(),
            takers: || ["show", "list", "inspect tools"].map(str::to_owned).into(),
        };
        let text = prose!(
            "look with {}, {}, then {}; {} and `skills list`",
            command("show").word("a"),
            command("inspect tools"),
            command("check").word("a"),
            command("list --help")
        );
        let written = "look with `skills show a --state x`, `skills inspect tools --state x`, then `skills check a`; \
                       `skills list --help` and `skills list`";
        assert_eq!(text.written(&options), written);
        assert_eq!(text.written(&Options::default()), *text);
    }

    #[test]
    fn paths_are_short() {
        let environment = environment("/home/p/work", "/home/p");
        let shell = AtShell {
            options: &Options::default(),
            environment: Some(&environment),
        };
        for (path, shown, word) in [
            ("/home/p/.agents", "~/.agents", "~/.agents"),
            ("/home/p/work/x", "x", "~/work/x"),
            ("/home/p/work/a b", "a b", "~/'work/a b'"),
            ("/home/p/work/-x", "~/work/-x", "~/work/-x"),
            ("/home/p", "/home/p", "/home/p"),
            ("/home/pp/x", "/home/pp/x", "/home/pp/x"),
        ] {
            let path = Path::new(path);
            let text = prose!("{} {}", path, command("check").path(path));
            assert_eq!(
                text.written(&shell),
                format!("{shown} `skills check {word}`")
            );
        }
        let words = Prose::from("/home/p/x");
        assert_eq!(words.written(&shell), "/home/p/x");
    }

    #[test]
    fn a_root_shortens_no_path() {
        let environment = environment("/", "/");
        let shell = AtShell {
            options: &Options::default(),
            environment: Some(&environment),
        };
        assert_eq!(prose!("see {}", Path::new("/x")).written(&shell), "see /x");
    }

    #[test]
    fn a_prompt_has_its_own_commands() {
        let prompt = AtPrompt {
            shell: AtShell {
                options: &Options {
                    words: "--state y".to_owned(),
                    takers: || vec!["trust".to_owned()],
                },
                environment: None,
            },
            verbs: &["show", "trust"],
        };
        let (show, trust) = (command("show").word("x"), command("trust").word("x"));
        let diff = command("trust --diff").word("x");
        for (help, written) in [
            ("try again".into(), "try again"),
            (
                prose!("look with {}, then {}", show.clone(), trust),
                "look with `/skill show x`, then `/skill trust x`",
            ),
            (
                prose!("see {} or {}", diff, show),
                "in a shell: see `skills trust --diff x --state y` or `/skill show x`",
            ),
            (
                prose!("{} shows it", command("check")),
                "in a shell: `skills check` shows it",
            ),
        ] {
            assert_eq!(prompt.written(&help), written);
        }
    }
}

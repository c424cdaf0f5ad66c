//! The form in which text for a person is written: short paths.

use crate::environment::Environment;
use skills_format::text::path::PathText as _;
use skills_format::text::prose::Form;
use std::borrow::Cow;
use std::path::PathBuf;

/// The form for a person at a shell.
pub(super) struct AtShell<'o> {
    /// The folders whose paths are shortened.
    pub(super) env: &'o Environment,
}

impl AtShell<'_> {
    /// Returns the part of a path below a folder.
    fn below<'p>(&self, path: &'p str, folder: Folder) -> Option<&'p str> {
        let folder = folder(self.env)?;
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

const WORKING_FOLDER: Folder = |env| env.working_folder.as_ref();
const HOME: Folder = |env| env.home.as_ref();

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
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::{Prose, command, prose};
    use std::path::Path;

    fn env(working_folder: &str, home: &str) -> Environment {
        Environment {
            working_folder: Some(working_folder.into()),
            home: Some(home.into()),
            ..Environment::default()
        }
    }

    #[test]
    fn paths_are_short() {
        let env = env("/home/p/work", "/home/p");
        let shell = AtShell { env: &env };
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
        let env = env("/", "/");
        let shell = AtShell { env: &env };
        assert_eq!(prose!("see {}", Path::new("/x")).written(&shell), "see /x");
    }
}

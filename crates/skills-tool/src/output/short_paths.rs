//! Short paths in text for a person, as in [`Environment::shown`].

use crate::environment::Environment;
use skills_format::text::path::PathText as _;
use std::borrow::Cow;
use std::path::PathBuf;
use std::rc::Rc;

/// The folders whose paths are shortened. The beginnings of paths are computed only when a text is
/// printed, because most calls print no text.
#[derive(Debug, Default)]
pub(super) struct ShortPaths(Option<Rc<Environment>>);

/// The beginnings of paths that are shortened.
struct Beginnings {
    working_folder: Option<String>,
    home: Option<String>,
}

impl ShortPaths {
    pub(super) fn new(environment: Rc<Environment>) -> Self {
        Self(Some(environment))
    }

    fn beginnings(&self) -> Beginnings {
        let beginning = |folder: fn(&Environment) -> Option<&PathBuf>| {
            let folder = self.0.as_deref().and_then(folder);
            // A root such as `/` would shorten every path.
            let folder = folder.filter(|it| it.parent().is_some())?;
            Some(format!("{}/", folder.shown()))
        };
        Beginnings {
            working_folder: beginning(|environment| environment.working_folder.as_ref()),
            home: beginning(|environment| environment.home.as_ref()),
        }
    }

    /// Shortens the paths in text: relative to the working folder, or with `~`. In a command in backquotes a
    /// path never becomes relative, because a relative path can be the name of an agent. A word in the quotes
    /// of a shell is unchanged, because a shell does not replace `~` there.
    pub(super) fn of<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let beginnings = self.beginnings();
        let mut whole = String::new();
        let mut rest = text;
        let mut before = ' ';
        let mut is_command = false;
        let mut copied = text;
        while let Some(next) = rest.chars().next() {
            is_command ^= next == '`';
            let is_start = before.is_whitespace() || "`(".contains(before);
            let begun = is_start
                .then(|| beginnings.begun(rest, is_command))
                .flatten();
            if let Some((short, below)) = begun {
                whole.push_str(copied.strip_suffix(rest).unwrap_or_default());
                whole.push_str(short);
                (rest, copied) = (below, below);
                before = '/';
                continue;
            }
            before = next;
            rest = rest.get(next.len_utf8()..).unwrap_or_default();
        }
        if whole.is_empty() && copied.len() == text.len() {
            return Cow::Borrowed(text);
        }
        whole.push_str(copied);
        Cow::Owned(whole)
    }
}

impl Beginnings {
    /// Returns the short form of the beginning of a path, and the rest of the path.
    fn begun<'t>(&self, text: &'t str, is_command: bool) -> Option<(&'static str, &'t str)> {
        let below = |folder: &Option<String>| {
            let below = text.strip_prefix(folder.as_deref()?)?;
            // A relative path that begins with `-` would be an option.
            below
                .starts_with(|c: char| c.is_alphanumeric() || c == '.')
                .then_some(below)
        };
        let relative = || below(&self.working_folder).map(|below| ("", below));
        let of_home = || below(&self.home).map(|below| ("~/", below));
        if is_command {
            of_home()
        } else {
            relative().or_else(of_home)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_text_are_short() {
        let short = ShortPaths::new(Rc::new(Environment {
            working_folder: Some("/home/p/work".into()),
            home: Some("/home/p".into()),
            ..Environment::default()
        }));
        for (text, shown) in [
            (
                "no skill in /home/p/.agents/skills",
                "no skill in ~/.agents/skills",
            ),
            ("/home/p/work/x:1: wrong (/home/p/y)", "x:1: wrong (~/y)"),
            (
                "`skills check /home/p/work/x /home/p/y`",
                "`skills check ~/work/x ~/y`",
            ),
            (
                "`skills check '/home/p/a b'`",
                "`skills check '/home/p/a b'`",
            ),
            (
                "a=/home/p/x file:///home/p/x",
                "a=/home/p/x file:///home/p/x",
            ),
            ("/home/p /home/p/ /home/pp/x", "/home/p /home/p/ /home/pp/x"),
            ("/home/p/work/-x", "~/work/-x"),
            ("", ""),
        ] {
            assert_eq!(short.of(text), shown);
        }
        let nowhere = ShortPaths::new(Rc::new(Environment {
            home: Some("/".into()),
            ..Environment::default()
        }));
        assert_eq!(nowhere.of("see /x"), "see /x");
    }
}

//! Text for people whose paths and commands are parts, so that each output writes a part in its own form.

use crate::text::path::PathText as _;
use crate::text::span::Span;
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::{self, Write as _};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::str::EscapeDebug;

/// A text made of words, paths and commands of this program. It dereferences to the plain text;
/// [`Prose::written`] writes the parts in another form.
///
/// In a `String`, a path or a command could only be recognized by its form, and text of an author can have the
/// same form.
///
/// ```
/// use skills_format::Prose;
///
/// let taken = Prose::from("`skills/a` is taken by ").path("skills/a/SKILL.md");
/// assert_eq!(&*taken, "`skills/a` is taken by skills/a/SKILL.md");
/// let from_above = taken.with_paths(|path| format!("app/{path}"));
/// assert_eq!(from_above, "`skills/a` is taken by app/skills/a/SKILL.md");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prose {
    text: String,
    /// The paths, in their order.
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    span: Span,
    /// The path is a word of a command.
    in_command: bool,
}

/// The form in which an output writes the paths of a [`Prose`]. Without an override, a path is plain text.
pub trait Form {
    /// Formats a path.
    fn path<'p>(&self, path: &'p str) -> Cow<'p, str> {
        path.into()
    }

    /// Formats a path that is a word of a command, as the shell takes it.
    fn path_word<'p>(&self, path: &'p str) -> Cow<'p, str> {
        path.into()
    }
}

/// Formats a text with parts. Arguments after the text are parts: paths, [commands](crate::command), errors, other
/// texts. A value captured in the text, such as `{name}`, is words.
///
/// ```
/// use skills_format::{command, prose};
///
/// let name = "a b";
/// let help = prose!("look at '{name}' with {}, then add it", command("show").word(name));
/// assert_eq!(&*help, "look at 'a b' with `skills show 'a b'`, then add it");
/// ```
#[macro_export]
macro_rules! prose {
    ($text:literal $(, $part:expr)* $(,)?) => {{
        let prose = $crate::text::prose::Draft::default();
        prose.written(format_args!($text $(, prose.part($part))*))
    }};
}

/// A text that [`prose!`] is writing.
#[doc(hidden)]
#[derive(Default)]
pub struct Draft(RefCell<Prose>);

/// A part that adds itself to its draft when it is formatted: formatting writes from left to right.
struct Placed<'d> {
    draft: &'d Draft,
    part: Prose,
}

impl Draft {
    #[must_use]
    pub fn part(&self, part: impl Into<Prose>) -> impl fmt::Display {
        Placed {
            draft: self,
            part: part.into(),
        }
    }

    #[must_use]
    pub fn written(&self, text: fmt::Arguments<'_>) -> Prose {
        let mut writer = self;
        // Writing to a string cannot fail.
        let _ = writer.write_fmt(text);
        self.0.take()
    }
}

impl fmt::Write for &Draft {
    fn write_str(&mut self, words: &str) -> fmt::Result {
        self.0.borrow_mut().text.write_str(words)
    }
}

impl fmt::Display for Placed<'_> {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draft.0.borrow_mut().add(&self.part);
        Ok(())
    }
}

impl Prose {
    /// Returns the plain text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Adds a path.
    #[must_use]
    pub fn path(self, path: &str) -> Self {
        self.part(path, false)
    }

    /// Adds a path or a word of a command.
    pub(crate) fn part(mut self, path: &str, in_command: bool) -> Self {
        let start = self.text.len();
        self.text.push_str(path);
        let span = Span::new(start, self.text.len());
        self.parts.push(Part { span, in_command });
        self
    }

    /// Adds words.
    #[must_use]
    pub fn words(mut self, words: &str) -> Self {
        self.text.push_str(words);
        self
    }

    /// Adds another text.
    #[must_use]
    pub fn and(mut self, other: impl Into<Self>) -> Self {
        self.add(&other.into());
        self
    }

    /// Writes the text, with each path as the form writes it.
    pub fn written(&self, form: &impl Form) -> String {
        let mut whole = String::with_capacity(self.text.len());
        let mut at = 0;
        for Part { span, in_command } in &self.parts {
            whole.push_str(&self.text[at..span.start]);
            let path = span.of(&self.text);
            whole.push_str(&if *in_command {
                form.path_word(path)
            } else {
                form.path(path)
            });
            at = span.end;
        }
        whole.push_str(&self.text[at..]);
        whole
    }

    /// Writes the text, with each path outside of a command replaced by the result of `written`.
    pub fn with_paths(&self, written: impl Fn(&str) -> String) -> String {
        struct Paths<F>(F);
        impl<F: Fn(&str) -> String> Form for Paths<F> {
            fn path<'p>(&self, path: &'p str) -> Cow<'p, str> {
                (self.0)(path).into()
            }
        }
        self.written(&Paths(written))
    }

    /// Adds another text at the end.
    pub fn add(&mut self, other: &Self) {
        let at = self.text.len();
        self.text.push_str(&other.text);
        for Part { span, in_command } in &other.parts {
            let span = Span::new(at + span.start, at + span.end);
            self.parts.push(Part {
                span,
                in_command: *in_command,
            });
        }
    }
}

impl Deref for Prose {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Prose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Adds words.
impl fmt::Write for Prose {
    fn write_str(&mut self, words: &str) -> fmt::Result {
        self.text.write_str(words)
    }
}

impl From<String> for Prose {
    fn from(text: String) -> Self {
        Self {
            text,
            parts: Vec::new(),
        }
    }
}

macro_rules! from_words {
    ($($words:ty),*) => {$(
        impl From<$words> for Prose {
            fn from(words: $words) -> Self {
                words.to_string().into()
            }
        }
    )*};
}

from_words!(
    &str,
    &String,
    Cow<'_, str>,
    fmt::Arguments<'_>,
    EscapeDebug<'_>,
    &io::Error
);

impl From<&Self> for Prose {
    fn from(prose: &Self) -> Self {
        prose.clone()
    }
}

impl From<&Path> for Prose {
    fn from(path: &Path) -> Self {
        Self::default().path(&path.shown())
    }
}

impl From<&PathBuf> for Prose {
    fn from(path: &PathBuf) -> Self {
        path.as_path().into()
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Prose {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// Reads plain text.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Prose {
    fn deserialize<D: serde::Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        String::deserialize(json).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command;

    struct Shown;

    impl Form for Shown {
        fn path<'p>(&self, path: &'p str) -> Cow<'p, str> {
            format!("<{path}>").into()
        }

        fn path_word<'p>(&self, path: &'p str) -> Cow<'p, str> {
            format!("[{path}]").into()
        }
    }

    #[test]
    fn each_part_has_its_form() {
        let check = command("check").path(Path::new("/a")).word("--fix");
        let own = "/a";
        let prose = prose!(
            "{own} {}: see {} or {}",
            Path::new("/b"),
            check,
            command("list")
        );
        let whole = "/a /b: see `skills check /a --fix` or `skills list`";
        assert_eq!(prose.to_string(), whole);
        assert_eq!(
            prose.written(&Shown),
            "/a </b>: see `skills check [/a] --fix` or `skills list`"
        );
        let outer = prose!("{}, {}!", &prose, Path::new("c"));
        let written = "/a </b>: see `skills check [/a] --fix` or `skills list`, <c>!";
        assert_eq!(outer.written(&Shown), written);
        assert_eq!(
            outer.with_paths(|_| "p".to_owned()),
            "/a p: see `skills check /a --fix` or `skills list`, p!"
        );
    }

    #[test]
    fn texts_of_authors_are_no_parts() {
        let (text, path) = ("`skills list` {} /b", Path::new("/b"));
        let prose = prose!("{text} {{}} {0}: {}", path);
        assert_eq!(prose.written(&Shown), "`skills list` {} /b {} </b>: </b>");
    }
}

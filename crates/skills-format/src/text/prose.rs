//! Text for people in which paths stay marked, so that each output can write the paths in its own form.

use crate::text::span::Span;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// A text made of words and paths. It dereferences to the plain text; [`Prose::with_paths`] writes the paths
/// in another form.
///
/// In a `String`, a path could only be recognized by its form, and text of an author can have the same form.
///
/// ```
/// use skills_format::Prose;
///
/// let taken = Prose::from("`skills/a` is taken by ").path("skills/a/SKILL.md");
/// assert_eq!(&*taken, "`skills/a` is taken by skills/a/SKILL.md");
/// let from_above = taken.with_paths(|path| format!("app/{path}").into());
/// assert_eq!(from_above, "`skills/a` is taken by app/skills/a/SKILL.md");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prose {
    text: String,
    /// The bytes of the paths: in order, without overlaps.
    paths: Vec<Span>,
}

impl Prose {
    /// Returns the plain text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Adds a path.
    #[must_use]
    pub fn path(mut self, path: &str) -> Self {
        let start = self.text.len();
        self.text.push_str(path);
        self.paths.push(Span::new(start, self.text.len()));
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
    pub fn and(mut self, other: &Self) -> Self {
        let at = self.text.len();
        self.text.push_str(&other.text);
        let paths = other.paths.iter();
        self.paths
            .extend(paths.map(|path| Span::new(at + path.start, at + path.end)));
        self
    }

    /// Writes the text, with each path replaced by the result of `written`.
    pub fn with_paths<'p>(&'p self, written: impl Fn(&'p str) -> Cow<'p, str>) -> String {
        let mut whole = String::with_capacity(self.text.len());
        let mut at = 0;
        for path in &self.paths {
            whole.push_str(self.text.get(at..path.start).unwrap_or_default());
            whole.push_str(&written(path.of(&self.text)));
            at = path.end;
        }
        whole.push_str(self.text.get(at..).unwrap_or_default());
        whole
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

impl From<String> for Prose {
    fn from(text: String) -> Self {
        Self {
            text,
            paths: Vec::new(),
        }
    }
}

impl From<&str> for Prose {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for Prose {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Prose {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

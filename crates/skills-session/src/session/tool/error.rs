//! The error of a tool call.

use skills_runtime::Notice;
use skills_runtime::Skill;
use skills_runtime::{Error, ErrorKind};
use std::borrow::Cow;
use std::fmt;

/// The error of a tool call. `Display` writes the message for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolError {
    kind: ToolErrorKind,
    message: String,
    notice: Option<Box<Notice>>,
    file: Option<(String, ErrorKind)>,
}

impl std::error::Error for ToolError {}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The maximum number of characters that an error repeats of a word of the call.
const ECHOED: usize = 64;

/// Returns a word of a call for an error message. A long word is shortened, because a model can write
/// any text.
pub(crate) fn echoed(word: &str) -> Cow<'_, str> {
    match word.char_indices().nth(ECHOED) {
        Some((end, _)) => [word.get(..end).unwrap_or_default(), "…"].concat().into(),
        None => word.into(),
    }
}

/// The kind of a [`ToolError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// No tool has the name.
    UnknownTool,
    /// The arguments do not match the schema.
    Arguments,
    /// No skill has the id, or the model may not start the skill.
    Skill,
    /// A file of the skill cannot be read or has changed.
    Files,
}

impl ToolError {
    pub(crate) fn new(kind: ToolErrorKind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            message: format!("{message:#}"),
            notice: None,
            file: None,
        }
    }

    /// Makes the error for an id that names no skill, or a skill that the model may not start.
    pub(crate) fn of_skill(message: impl fmt::Display, notice: Notice) -> Self {
        Self {
            notice: Some(Box::new(notice)),
            ..Self::new(ToolErrorKind::Skill, message)
        }
    }

    /// Makes the error for a file of a skill that cannot be read.
    pub(crate) fn of_file(message: impl fmt::Display, skill: &Skill<'_>, kind: ErrorKind) -> Self {
        Self {
            file: Some((skill.id().into_owned(), kind)),
            ..Self::new(ToolErrorKind::Files, message)
        }
    }

    /// Makes the error for a skill that cannot be started.
    pub(crate) fn of_error(error: &Error, skill: &Skill<'_>) -> Self {
        Self::of_file(error, skill, error.kind())
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> ToolErrorKind {
        self.kind
    }

    /// Returns the notice that a person would get about the skill. Returns `None` if the kind is not
    /// [`ToolErrorKind::Skill`].
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_deref()
    }

    /// Returns the id of the skill whose file cannot be read, and the kind of its
    /// [`Error`](skills_runtime::Error). Returns `None` if the kind is not [`ToolErrorKind::Files`].
    pub fn file(&self) -> Option<(&str, ErrorKind)> {
        let (skill, kind) = self.file.as_ref()?;
        Some((skill, *kind))
    }
}

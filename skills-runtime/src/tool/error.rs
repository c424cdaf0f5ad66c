//! A call that gives no result.

use crate::catalog::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::mention::notice::Notice;
use std::borrow::Cow;
use std::fmt;

/// A call that gives no result. `Display` is what the model is told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    kind: ToolErrorKind,
    message: String,
    notice: Option<Box<Notice>>,
    file: Option<(String, ErrorKind)>,
}

/// The most characters of a word of a call that an error repeats.
const ECHOED: usize = 64;

/// A word of a call as an error repeats it: a model can write anything.
pub(crate) fn echoed(word: &str) -> Cow<'_, str> {
    match word.char_indices().nth(ECHOED) {
        Some((end, _)) => [word.get(..end).unwrap_or_default(), "…"].concat().into(),
        None => word.into(),
    }
}

/// Why a call gives no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// No tool has the name.
    UnknownTool,
    /// The arguments are not those of the schema.
    Arguments,
    /// No skill answers to the id, or not to the model.
    Skill,
    /// The skill's files cannot be had.
    Files,
}

impl ToolError {
    pub(crate) fn new(kind: ToolErrorKind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            message: message.to_string(),
            notice: None,
            file: None,
        }
    }

    /// No skill answers to an id, or not to the model.
    pub(crate) fn of_skill(message: impl fmt::Display, notice: Notice) -> Self {
        Self {
            notice: Some(Box::new(notice)),
            ..Self::new(ToolErrorKind::Skill, message)
        }
    }

    /// A skill's file cannot be had.
    pub(crate) fn of_file(message: impl fmt::Display, skill: &Entry<'_>, kind: ErrorKind) -> Self {
        Self {
            file: Some((skill.id().into_owned(), kind)),
            ..Self::new(ToolErrorKind::Files, message)
        }
    }

    /// An activation or a file of a skill that cannot be had.
    pub(crate) fn of_error(error: &Error, skill: &Entry<'_>) -> Self {
        Self::of_file(error, skill, error.kind())
    }

    /// Why.
    pub fn kind(&self) -> ToolErrorKind {
        self.kind
    }

    /// What a person would be told of the skill that is asked for, where that is why.
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_deref()
    }

    /// The id of the skill of which a file cannot be had, and what is wrong, where that is why.
    pub fn file(&self) -> Option<(&str, ErrorKind)> {
        let (skill, kind) = self.file.as_ref()?;
        Some((skill, *kind))
    }
}

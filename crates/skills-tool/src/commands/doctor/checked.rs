//! What a check found.

use serde::Serialize;
use skills_format::Prose;

/// What one check looked at, and what is wrong there.
#[derive(Debug, Serialize)]
pub(super) struct Checked {
    pub(super) name: &'static str,
    /// What the check looked at.
    pub(super) found: Prose,
    pub(super) troubles: Vec<Trouble>,
}

/// Something that is wrong.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Trouble {
    pub(super) message: Prose,
    /// What helps.
    pub(super) help: Prose,
}

impl Checked {
    pub(super) fn new(name: &'static str, found: impl Into<Prose>, troubles: Vec<Trouble>) -> Self {
        let found = found.into();
        Self {
            name,
            found,
            troubles,
        }
    }
}

impl Trouble {
    pub(super) fn new(message: impl Into<Prose>, help: impl Into<Prose>) -> Self {
        Self {
            message: message.into(),
            help: help.into(),
        }
    }

    /// Takes the message of an error, and its own help or another.
    pub(super) fn of(error: &skills_store::Error, help: impl Into<Prose>) -> Self {
        Self::new(error, error.remedy().unwrap_or_else(|| help.into()))
    }
}

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

    /// Takes the message of an error, and its own help or another. An error about rights has no own help: it only leads
    /// to this command.
    pub(super) fn of(error: &skills_store::Error, help: impl Into<Prose>) -> Self {
        let own = error.remedy().filter(|_| !error.is_denied());
        Self::new(error, own.unwrap_or_else(|| help.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;
    use std::path::Path;

    #[test]
    fn no_help_leads_back_to_this_command() {
        let help = |kind: ErrorKind| {
            let error = skills_store::Error::io(Path::new("a"), "cannot be read", kind.into());
            Trouble::of(&error, "chmod u+rw a").help.to_string()
        };
        assert_eq!(help(ErrorKind::PermissionDenied), "chmod u+rw a");
        assert!(help(ErrorKind::ReadOnlyFilesystem).contains("mount it for writing"));
    }
}

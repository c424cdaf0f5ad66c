//! A found file, and a skill as a program lists it.

use skills_lint::DropReason;
use std::collections::BTreeSet;

/// A file of the name `SKILL.md`, at any depth of a folder.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The path below the folder, with `/`: `tidy/SKILL.md`.
    pub path: String,
    /// The path with every link resolved. Two paths of one file have the same.
    pub resolved: String,
    /// True if the file itself is a link.
    pub is_link: bool,
    /// The content of the file.
    pub text: Vec<u8>,
    /// The content of `agents/openai.yaml` beside the file.
    pub policy: Option<String>,
}

/// A skill that a program lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadSkill {
    /// The name as the program writes it.
    pub name: String,
    /// The description.
    pub description: String,
    /// When to use the skill; empty if the program does not read it.
    pub when_to_use: String,
    /// The path of the file below the folder.
    pub path: String,
}

/// What a program makes of one file, wherever the file lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The skill is listed.
    Listed(ReadSkill),
    /// The file closes the skill to the model.
    Closed,
    /// The program drops the skill.
    Dropped(DropReason),
}

impl Seen {
    pub(super) fn listed(self) -> Option<ReadSkill> {
        match self {
            Self::Listed(skill) => Some(skill),
            Self::Closed | Self::Dropped(_) => None,
        }
    }
}

impl From<Result<ReadSkill, DropReason>> for Seen {
    fn from(read: Result<ReadSkill, DropReason>) -> Self {
        match read {
            Ok(skill) => Self::Listed(skill),
            Err(reason) => Self::Dropped(reason),
        }
    }
}

impl Found {
    /// Returns the names of the folders above the file, the outermost first.
    pub(super) fn folders(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.path.split('/').collect();
        names.pop();
        names
    }

    /// Returns whether a folder above the file has a line feed in its name.
    pub(super) fn has_line_feed(&self) -> bool {
        self.path.contains('\n')
    }

    pub(super) fn is_hidden(&self) -> bool {
        self.folders().iter().any(|name| name.starts_with('.'))
    }
}

/// Keeps the first path of each file.
pub(super) fn once(found: &[Found]) -> Vec<&Found> {
    let mut seen = BTreeSet::new();
    let first = found.iter().filter(|file| seen.insert(&*file.resolved));
    first.collect()
}

//! What leads elsewhere: links and submodules. Nothing behind them is compared.

use std::fmt;

/// Where an item leads that is neither a file nor a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leads {
    /// A link, with its text.
    To(String),
    /// A submodule, at a commit.
    At(String),
    /// A pipe, a device, or an item that cannot be read.
    Nowhere,
}

impl Leads {
    /// Returns the text of a link.
    pub(super) fn target(&self) -> Option<String> {
        match self {
            Self::To(text) => Some(text.clone()),
            _ => None,
        }
    }
}

impl fmt::Display for Leads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::To(target) => write!(f, "a link to {target}"),
            // Whole: the text is compared as a power.
            Self::At(commit) => write!(f, "a submodule at {commit}"),
            Self::Nowhere => f.write_str("no file and no folder"),
        }
    }
}

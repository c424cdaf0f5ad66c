//! What leads elsewhere: links and submodules. Nothing behind them is compared.

use std::fmt;
use std::path::{Component, Path};

/// Where an item leads that is neither a file nor a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Leads {
    /// A link, with its text.
    To(String),
    /// A submodule, at a commit.
    At(String),
    /// A pipe, a device, or an item that cannot be read.
    Nowhere,
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

/// Returns the path to which a link leads, if that is below the root.
pub(super) fn resolved(path: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in Path::new(target).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::Normal(part) => parts.push(part.to_str()?),
            _ => return None,
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_links() {
        assert_eq!(resolved("a/b", "../c/./d").as_deref(), Some("c/d"));
        assert_eq!(resolved("a", ".").as_deref(), Some(""));
        assert_eq!(resolved("a", "../c"), None);
        assert_eq!(resolved("a", "/c"), None);
    }
}

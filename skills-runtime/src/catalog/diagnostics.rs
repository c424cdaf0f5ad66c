//! Diagnostics about a catalog. Each rule has one function.

use crate::source::diagnostics::{info, shown, warning};
use skills_format::{Diagnostic, RuleId};
use std::path::Path;

pub(crate) fn shadowed(path: &Path, id: &str, by: &str) -> Diagnostic {
    info(
        RuleId::Shadowed,
        path,
        format!("`{id}` is shadowed by `{by}`, which answers to the name"),
    )
}

/// A skill of an MCP server with the name of a skill here. It takes nothing from it.
pub(crate) fn same_name(path: &Path, id: &str, local: &str) -> Diagnostic {
    let message = format!("`{id}` has the name of `{local}`; the name alone never means it");
    info(RuleId::SameName, path, message)
}

/// Why, of two skills of one source with the same name, one comes after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The other one is in a nearer root.
    Nearer,
    /// The folder of the other one has the name.
    Folder,
    /// The other one spells the name itself; the name of this one was corrected.
    Exact,
    /// The other one is in fewer folders.
    Outer,
    /// The other one's path is the first in order.
    Earlier,
}

/// A skill of a nearer root is meant to answer. In one root, a repeated name is a mistake, or an attempt
/// to take the name.
pub(crate) fn repeated_name(path: &Path, name: &str, by: &Path, after: After) -> Diagnostic {
    let (finding, why): (fn(RuleId, &Path, String) -> Diagnostic, _) = match after {
        After::Nearer => (info, "which is nearer"),
        After::Folder => (warning, "whose folder has the name"),
        After::Exact => (warning, "which spells the name itself"),
        After::Outer => (warning, "which is in fewer folders"),
        After::Earlier => (warning, "which comes first in order of paths"),
    };
    let message = format!("`{name}` is also the name of `{}`, {why}", shown(by));
    finding(RuleId::Shadowed, path, message).help("only a link to its path names it")
}

pub(crate) fn sealed(path: &Path, id: &str, by: &str) -> Diagnostic {
    warning(
        RuleId::Sealed,
        path,
        format!("`{id}` cannot shadow `{by}`, which is sealed"),
    )
    .help("give it another name")
}

pub(crate) fn ambiguous(path: &Path, name: &str, ids: &[String]) -> Diagnostic {
    let message = format!(
        "`{name}` alone names none of `{}`: they have equal rank",
        ids.join("`, `")
    );
    info(RuleId::AmbiguousName, path, message).help("write the id with its source")
}

#[cfg(feature = "watch")]
pub(crate) fn unwatched(path: &Path, error: &notify::Error) -> Diagnostic {
    let message = format!("it cannot be watched: {error}");
    warning(RuleId::Unwatched, path, message).help("changes in it are found at the next reload")
}

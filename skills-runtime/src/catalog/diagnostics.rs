//! What is told while sources are merged: each rule in one place.

use crate::source::diagnostics::{info, shown, warning};
use skills_format::Diagnostic;
use std::path::Path;

pub(crate) fn shadowed(path: &Path, id: &str, by: &str) -> Diagnostic {
    info(
        "shadowed",
        path,
        format!("`{id}` is shadowed by `{by}`, which answers to the name"),
    )
}

/// Why of two skills of one source and name one comes after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The other lies in a nearer folder of the source.
    Nearer,
    /// The other has the name as it is written; this one's was made valid.
    Exact,
    /// The other's path is the earlier one.
    Earlier,
}

pub(crate) fn repeated_name(path: &Path, name: &str, by: &Path, after: After) -> Diagnostic {
    let why = match after {
        After::Nearer => "which is nearer",
        After::Exact => "where it is written so",
        After::Earlier => "which comes first in order of paths",
    };
    let message = format!("`{name}` is also the name of `{}`, {why}", shown(by));
    info("shadowed", path, message).help("only a link to its path reaches it")
}

pub(crate) fn sealed(path: &Path, id: &str, by: &str) -> Diagnostic {
    warning(
        "sealed",
        path,
        format!("`{id}` cannot shadow `{by}`, which is sealed"),
    )
    .help("give it another name")
}

pub(crate) fn ambiguous(path: &Path, name: &str, ids: &[String]) -> Diagnostic {
    let message = format!(
        "`{name}` alone means none of `{}`, which are of equal rank",
        ids.join("`, `")
    );
    info("ambiguous-name", path, message).help("write the id with its source")
}

#[cfg(feature = "watch")]
pub(crate) fn unwatched(path: &Path, error: &notify::Error) -> Diagnostic {
    let message = format!("it cannot be watched: {error}");
    warning("unwatched", path, message).help("changes in it are seen at the next reload")
}

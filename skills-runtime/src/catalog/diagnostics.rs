//! Makes the diagnostics about a catalog. Each rule has one function.

use crate::source::diagnostics::{info, warning};
use skills_format::text::shorten::one_line;
use skills_format::{Diagnostic, Prose, RuleId, prose};
use std::path::Path;

pub(crate) fn shadowed(path: &Path, id: &str, by: &str) -> Diagnostic {
    info(
        RuleId::Shadowed,
        path,
        format!("`{id}` is shadowed by `{by}`, which answers to the name"),
    )
}

/// Reports a skill of a namespaced source that has the name of another skill. It does not take the
/// name.
pub(crate) fn same_name(path: &Path, id: &str, local: &str) -> Diagnostic {
    let message = format!("`{id}` has the name of `{local}`; the name alone never means it");
    info(RuleId::SameName, path, message)
}

/// The reason why, of two skills of one source with the same name, this skill comes after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The other skill is in a nearer root.
    Nearer,
    /// The folder of the other skill has the name.
    Folder,
    /// The other skill spells the name itself; the name of this skill was corrected.
    Exact,
    /// The other skill is below fewer folders.
    Outer,
    /// The path of the other skill is earlier in order.
    Earlier,
}

/// Reports a repeated name in one source. A skill of a nearer root is an intended override. In one root,
/// a repeated name is a mistake, or an attempt to take the name.
pub(crate) fn repeated_name(path: &Path, name: &str, by: &Path, after: After) -> Diagnostic {
    let (finding, why): (fn(RuleId, &Path, Prose) -> Diagnostic, _) = match after {
        After::Nearer => (info, "which is nearer"),
        After::Folder => (warning, "whose folder has the name"),
        After::Exact => (warning, "which spells the name itself"),
        After::Outer => (warning, "which is in fewer folders"),
        After::Earlier => (warning, "which comes first in order of paths"),
    };
    let message = prose!("`{name}` is also the name of `{}`, {why}", by);
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

/// Reports that skills are missing that a skill needs. The skill can be started.
pub(crate) fn needed(path: &Path, id: &str, missing: &[String]) -> Diagnostic {
    let missing: Vec<_> = missing.iter().map(|name| one_line(name)).collect();
    let names = missing.join(", ");
    let message = format!("`{id}` needs missing skills: {names}");
    warning(RuleId::NeededSkill, path, message).help("install them, or go without")
}

pub(crate) fn ambiguous(path: &Path, name: &str, ids: &[String]) -> Diagnostic {
    let message = format!(
        "`{name}` alone names none of `{}`: they have equal rank",
        ids.join("`, `")
    );
    info(RuleId::AmbiguousName, path, message).help("write the id with its source")
}

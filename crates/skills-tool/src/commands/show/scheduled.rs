//! A scheduled skill, which no list of skills holds.

use crate::outcome::Failure;
use crate::output::one_line;
use skills_runtime::Catalog;

/// Builds the failure for the name, or the short name, of a scheduled skill. `None` if no scheduled skill has it.
pub(super) fn found(id: &str, catalog: &Catalog) -> Option<Failure> {
    let is_short = |name: &str| {
        let hash = name
            .strip_prefix(id)
            .and_then(|rest| rest.strip_prefix('-'));
        hash.is_some_and(|hash| hash.len() == 8 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let mut names = catalog.scheduled()?.iter();
    names.find(|entry| entry.name() == id || is_short(entry.name()))?;
    let fact = format!(
        "'{}' is a scheduled skill, which is in no list of skills",
        one_line(id)
    );
    Some(Failure::not_so(fact, "see `skills schedule --help`"))
}

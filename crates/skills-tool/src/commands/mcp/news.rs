//! Reports of the running server, on standard error.

use crate::catalog::faults;
use crate::outcome::Failure;
use crate::output::{Ctx, counted};
use skills_format::{Prose, prose};
use skills_runtime::{Catalog, Diagnostic, Entry};
use skills_session::options::Faults;

/// A report of the server.
pub(super) enum News {
    Note(String),
    Warning(String),
    /// The diagnostics of a load that were not reported before.
    Findings(Vec<Diagnostic>),
    /// The files of decisions cannot be read; the skills stay as they were.
    Failure(Failure),
}

impl News {
    pub(super) fn report(self, faults: Faults, cx: &mut Ctx) {
        match self {
            Self::Note(note) => cx.note(&note),
            Self::Warning(warning) => cx.warning(warning),
            Self::Findings(found) => faults::report(&found, &[], faults, cx),
            Self::Failure(failure) => cx.failure(&failure),
        }
    }
}

/// Counts the skills that may not be started, and so are not served. Returns `None` when every skill is served.
pub(super) fn not_served(catalog: &Catalog) -> Option<Prose> {
    let starts =
        |entry: &Entry<'_>| entry.is_enabled() && entry.is_trusted() && entry.is_eligible();
    let all = catalog.iter().filter(|entry| !starts(entry)).count();
    let skills = counted(all, "skill");
    (all > 0).then(|| prose!("{skills} not served: `skills list` says why"))
}

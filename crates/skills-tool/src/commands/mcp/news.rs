//! Reports of the running server, on standard error.

use crate::catalog::faults;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::Output;
use skills_format::{Prose, command, prose};
use skills_runtime::options::Faults;
use skills_runtime::{Catalog, Diagnostic, Entry};

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
    pub(super) fn report(self, faults: Faults, environment: &Environment, output: &mut Output) {
        match self {
            Self::Note(note) => output.note(&note),
            Self::Warning(warning) => output.warning(warning),
            Self::Findings(found) => faults::report(&found, &[], faults, environment, output),
            Self::Failure(failure) => output.failure(&failure),
        }
    }
}

/// Counts the skills that may not be started, and so are not served. Returns `None` when every skill is
/// served.
pub(super) fn not_served(catalog: &Catalog) -> Option<Prose> {
    let (mut disabled, mut untrusted, mut lacking) = (0, 0, 0);
    let count = |entry: Entry<'_>| {
        if !entry.is_enabled() {
            disabled += 1;
        } else if !entry.is_trusted() {
            untrusted += 1;
        } else if !entry.is_eligible() {
            lacking += 1;
        }
    };
    catalog.iter().for_each(count);
    let all = disabled + untrusted + lacking;
    let parts = [
        (disabled, "disabled"),
        (untrusted, "not trusted"),
        (lacking, "without what it needs"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, why)| format!("{count} {why}"))
        .collect();
    let skills = if all == 1 { "skill is" } else { "skills are" };
    (all > 0).then(|| {
        let parts = parts.join(", ");
        prose!(
            "{all} {skills} not served: {parts}; {} shows which",
            command("list")
        )
    })
}

//! The powers that the lock of a folder holds the folder's skills to.

use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, Powers, RuleId, Severity, prose};
use std::path::{Path, PathBuf};

/// Returns the powers of the installed skills, by folder. A lock that cannot be read holds every skill of the folder to
/// no power: otherwise whoever damages the lock would free the skills of it.
pub(super) fn powers(folder: &Path, diagnostics: &mut Vec<Diagnostic>) -> Vec<(PathBuf, Powers)> {
    match skills_host::lock::held(folder) {
        Ok(held) => held,
        Err(error) => {
            diagnostics.push(
                Diagnostic::new(
                    RuleId::LockStale,
                    Severity::Error,
                    folder.shown(),
                    prose!("{}: the skills of the folder approve no call", &error),
                )
                .help("put the file back, or install the skills again"),
            );
            vec![(folder.to_owned(), Powers::default())]
        }
    }
}

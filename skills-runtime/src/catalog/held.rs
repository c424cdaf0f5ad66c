//! The skills that a lock holds to fewer powers than their files ask for.

use crate::catalog::Catalog;
use crate::catalog::diagnostics;
use crate::catalog::entry::Location;
use skills_format::Diagnostic;

/// Reports the rules that approve nothing. Without this report a person who changed an installed skill would see only
/// that the gate asks.
pub(crate) fn beyond(catalog: &Catalog) -> Vec<Diagnostic> {
    if catalog.loader().options.held.0.is_empty() {
        return Vec::new();
    }
    let skills = catalog.iter().filter_map(|entry| {
        let Location::Folder(dir) = entry.location() else {
            return None;
        };
        let rules = entry.beyond_lock(&entry.fields().allowed_tools);
        let path = dir.join(entry.file_name()?);
        let is_told = entry.fields().may_approve && !rules.is_empty();
        is_told.then(|| diagnostics::beyond_lock(&path, &entry.id(), &rules))
    });
    skills.collect()
}

//! Which of the recorded operations run now, in other processes.

use skills_store::files::interrupted::hold;
use skills_store::files::operation::{OperationRecord, OperationState, process_of};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Returns the ids of the operations that run, or wait for another one. `all` is by id, in order of time.
///
/// The record of an operation that runs is that of one whose process was killed: only the hold of a folder tells them apart.
/// A process writes the record before it waits for the hold. So of the operations that did not end in a held folder, that of
/// the holder runs, later ones wait, and earlier ones were interrupted.
pub(super) fn running(all: &BTreeMap<String, Vec<OperationRecord>>) -> BTreeSet<String> {
    let mut open: BTreeMap<&Path, Vec<&String>> = BTreeMap::new();
    for (id, records) in all {
        let begun = records
            .iter()
            .filter(|it| it.state == OperationState::Begun);
        for record in begun {
            open.entry(&record.target).or_default().push(id);
        }
    }
    let mut running = BTreeSet::new();
    for (target, ids) in open {
        // A folder that cannot be read is not changed now.
        let Ok(Some(hold)) = hold(target) else {
            continue;
        };
        let is_holder = |id: &&String| hold.process.is_some() && process_of(id) == hold.process;
        // Without a known holder, the last operation is the one that can run.
        let last = ids.len().saturating_sub(1);
        let holder = ids.iter().rposition(is_holder).unwrap_or(last);
        running.extend(ids.into_iter().skip(holder).cloned());
    }
    running
}

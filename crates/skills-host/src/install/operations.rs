//! The recorded operations: what each changed, which of them are undone, and which did not end.

use crate::install::host::Host;
use crate::install::running::running;
use crate::install::undo_place::Place;
use crate::lock::read_lock;
use jiff::Timestamp;
use skills_store::Error;
use skills_store::files::operation::{Changed, OperationRecord, OperationState, RESTORE};
use skills_store::files::trash::Trashed;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The minimum length of a shown id: the time of the operation, to the millisecond. A shorter one would soon begin another id
/// too, that of the undoing.
const SHORTEST: usize = "20260101T000000000Z".len();

/// An operation that can be undone.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the records"
)]
pub struct Undoable {
    /// The id of the operation, or of the entry in the trash.
    pub id: String,
    /// The command.
    pub why: String,
    /// The time of the operation.
    pub time: Timestamp,
    /// The folders of skills, each with the names of its skills.
    pub places: Vec<(PathBuf, Vec<String>)>,
    /// True if every change was undone.
    pub is_undone: bool,
    /// True if the end of the operation is not recorded: it still runs, or its process was killed.
    pub is_open: bool,
    /// True if another process carries the operation out now, or waits for its turn.
    pub is_running: bool,
    /// True if a change failed, and its error was reported.
    pub has_failed: bool,
    /// The operation that this operation undid.
    pub undoes: Option<String>,
    pub(super) records: Vec<OperationRecord>,
    pub(super) trashed: Option<Trashed>,
    undone: BTreeSet<(PathBuf, String)>,
}

/// An operation that a kill interrupted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Interrupted {
    /// The operation.
    pub of: Undoable,
    /// The folders with the skills whose change was made.
    pub made: Vec<(PathBuf, Vec<String>)>,
    /// The folders with the skills whose change was not made.
    pub not_made: Vec<(PathBuf, Vec<String>)>,
}

/// Lists the operations in some folders, or in all, the latest first. What went to the trash without an operation is one of
/// its own.
///
/// # Errors
///
/// If a record cannot be read.
pub fn undoable(targets: Option<&[PathBuf]>, host: Host<'_>) -> Result<Vec<Undoable>, Error> {
    let is_meant = |target: &Path| targets.is_none_or(|all| all.iter().any(|it| it == target));
    let mut all = Vec::new();
    let mut undone: BTreeSet<(String, PathBuf, String)> = BTreeSet::new();
    let recorded = host.data.operations().all()?;
    let running = running(&recorded);
    // From the latest: an undoing that was undone itself undoes nothing.
    for (id, mut records) in recorded.into_iter().rev() {
        // In an order that the names of the records do not change.
        records.sort_by(|a, b| a.target.cmp(&b.target));
        let mut own = BTreeSet::new();
        for record in &records {
            let made = made(record, host);
            for change in &record.changes {
                let key = (id.clone(), record.target.clone(), change.name.clone());
                let is_undone = undone.contains(&key);
                if is_undone {
                    own.insert((key.1, key.2));
                } else if let Some(of) = record.undoes.clone()
                    && (record.state == OperationState::Done || made.contains(&change.name))
                {
                    undone.insert((of, key.1, key.2));
                }
            }
        }
        let Some(first) = records.first() else {
            continue;
        };
        if !records.iter().any(|record| is_meant(&record.target)) {
            continue;
        }
        let names = |record: &OperationRecord| {
            let names = record.changes.iter().map(|change| change.name.clone());
            (record.target.clone(), names.collect())
        };
        let changes: usize = records.iter().map(|record| record.changes.len()).sum();
        all.push(Undoable {
            is_running: running.contains(&id),
            id,
            why: first.why.clone(),
            time: first.time,
            places: records.iter().map(names).collect(),
            is_undone: own.len() == changes && changes > 0,
            is_open: records.iter().any(|it| it.state == OperationState::Begun),
            has_failed: records.iter().any(|it| it.state == OperationState::Failed),
            undoes: first.undoes.clone(),
            records,
            trashed: None,
            undone: own,
        });
    }
    let known = |trashed: &Trashed| {
        let id = trashed.record.operation.as_ref();
        id.is_some_and(|id| all.iter().any(|operation| operation.id == *id))
    };
    let trashed = host.data.trash().list()?.into_iter();
    let alone: Vec<Trashed> = trashed
        .filter(|trashed| is_meant(&trashed.record.from) && !known(trashed))
        .collect();
    all.extend(alone.into_iter().map(Undoable::of_trash));
    all.sort_by(|a, b| (b.time, &b.id).cmp(&(a.time, &a.id)));
    Ok(all)
}

/// Returns the skills that an undoing changed, although it did not end.
fn made(record: &OperationRecord, host: Host<'_>) -> BTreeSet<String> {
    if record.undoes.is_none() || record.state == OperationState::Done {
        return BTreeSet::new();
    }
    // What cannot be read counts as not changed: the undoing is then planned again.
    let Ok(lock) = read_lock(&record.target, host.data) else {
        return BTreeSet::new();
    };
    let place = Place {
        record,
        lock: &lock,
        trash: &[],
        host,
    };
    let changes = record.changes.iter();
    let made = changes.filter(|change| place.is_made(change).unwrap_or(false));
    made.map(|change| change.name.clone()).collect()
}

/// Returns the last operation, if it was interrupted with a part of its changes made.
///
/// # Errors
///
/// If a record, a lock or a skill cannot be read.
pub fn interrupted(host: Host<'_>) -> Result<Option<Interrupted>, Error> {
    let all = undoable(None, host)?;
    let was_interrupted = |it: &Undoable| it.is_open && !it.is_running;
    let Some(of) = all.into_iter().next().filter(was_interrupted) else {
        return Ok(None);
    };
    let (mut made, mut not_made) = (Vec::new(), Vec::new());
    for record in &of.records {
        // Reading a lock first finishes the change of a killed process.
        let lock = read_lock(&record.target, host.data)?;
        let place = Place {
            record,
            lock: &lock,
            trash: &[],
            host,
        };
        let (mut here, mut left) = (Vec::new(), Vec::new());
        for change in &record.changes {
            let list = if place.is_made(change)? {
                &mut here
            } else {
                &mut left
            };
            list.push(change.name.clone());
        }
        made.extend((!here.is_empty()).then(|| (record.target.clone(), here)));
        not_made.extend((!left.is_empty()).then(|| (record.target.clone(), left)));
    }
    if made.is_empty() || not_made.is_empty() {
        // Nothing or everything was done: there is nothing to decide.
        return Ok(None);
    }
    Ok(Some(Interrupted { of, made, not_made }))
}

/// Returns the shortest beginning of an id that no other operation has.
pub fn short_id(id: &str, all: &[Undoable]) -> String {
    let others = || all.iter().filter(|other| other.id != id);
    let is_alone = |end: &usize| {
        let start = id.get(..*end);
        start.is_some_and(|start| !others().any(|other| other.id.starts_with(start)))
    };
    let end = (SHORTEST..id.len()).find(is_alone);
    id.get(..end.unwrap_or(id.len())).unwrap_or(id).to_owned()
}

impl Undoable {
    pub(super) fn of_trash(trashed: Trashed) -> Self {
        let record = &trashed.record;
        Self {
            id: trashed.id.clone(),
            why: record.why.clone(),
            time: record.time,
            places: vec![(record.from.clone(), vec![record.name.clone()])],
            is_undone: false,
            is_open: false,
            is_running: false,
            has_failed: false,
            undoes: None,
            records: Vec::new(),
            trashed: Some(trashed),
            undone: BTreeSet::new(),
        }
    }

    /// Returns whether a change was undone.
    pub(super) fn undid(&self, record: &OperationRecord, change: &Changed) -> bool {
        let key = (record.target.clone(), change.name.clone());
        self.undone.contains(&key)
    }

    /// Ends the records of an operation that was interrupted before its first change, or after its last one.
    pub(super) fn close(&self, host: Host<'_>) -> Result<(), Error> {
        let open = self.records.iter();
        let mut open = open.filter(|record| record.state == OperationState::Begun);
        open.try_for_each(|record| {
            let operations = host.data.operations();
            operations.end(record.clone(), OperationState::Failed)
        })
    }

    /// Returns whether the operation undid another one.
    pub fn is_restore(&self) -> bool {
        self.why == RESTORE
    }

    /// Returns the operation that this operation undid, if it is still recorded.
    pub(super) fn undone_of<'a>(&self, all: &'a [Self]) -> Option<&'a Self> {
        let id = self.undoes.as_ref()?;
        all.iter().find(|it| it.id == *id)
    }

    /// Returns whether a change of the skill in one of the folders is not undone yet.
    pub(super) fn has_left(&self, name: &str, targets: &[PathBuf]) -> bool {
        let mut records = self.records.iter();
        let is_left = |record: &OperationRecord| {
            let mut changes = record.changes.iter();
            changes.any(|change| change.name == name && !self.undid(record, change))
        };
        self.trashed.is_some() || records.any(|it| targets.contains(&it.target) && is_left(it))
    }

    pub(super) fn holds(&self, name: &str, targets: &[PathBuf]) -> bool {
        self.places.iter().any(|(target, names)| {
            targets.contains(target) && names.iter().any(|known| known == name)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_as_short_as_it_can_be() {
        let of = |id: &str| Undoable {
            id: id.to_owned(),
            why: "install".to_owned(),
            time: Timestamp::UNIX_EPOCH,
            places: Vec::new(),
            is_undone: false,
            is_open: false,
            is_running: false,
            has_failed: false,
            undoes: None,
            records: Vec::new(),
            trashed: None,
            undone: BTreeSet::new(),
        };
        let all = [
            "20260101T000000123Z-1-000000",
            "20260101T000000123Z-1-000001",
            "20260102T000000123Z-1-000002",
        ]
        .map(of);
        assert_eq!(short_id(&all[2].id, &all), "20260102T000000123Z");
        assert_eq!(short_id(&all[0].id, &all), all[0].id);
    }
}

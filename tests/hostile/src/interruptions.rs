//! Commands that are killed, or find the disk full, at each system call that writes.

use crate::attack::{Outcome, skipped};
use crate::case::Case;
use crate::deeds::{DISABLE, Deed, ENABLE, FIX, LOCK, NEW, TRUST};
use crate::process::Ran;
use crate::snapshot::{Entry, Snapshot, snapshot};
use crate::strace::{self, Call, Fault};
use std::path::Path;

attacks![
    trust_is_killed,
    trust_finds_the_disk_full,
    disable_is_killed,
    disable_finds_the_disk_full,
    enable_is_killed,
    enable_finds_the_disk_full,
    lock_is_killed,
    lock_finds_the_disk_full,
    fix_is_killed,
    fix_finds_the_disk_full,
    new_is_killed,
    new_finds_the_disk_full,
];

/// `trust` that is killed leaves the old or the new records, whole; the next `trust` tidies up.
fn trust_is_killed() -> Outcome {
    interrupted(&TRUST, Fault::Killed)
}

/// `trust` that finds the disk full leaves the old or the new records, whole, and no other file.
fn trust_finds_the_disk_full() -> Outcome {
    interrupted(&TRUST, Fault::DiskFull)
}

/// `disable` that is killed leaves the old or the new state, whole; the next `disable` tidies up.
fn disable_is_killed() -> Outcome {
    interrupted(&DISABLE, Fault::Killed)
}

/// `disable` that finds the disk full leaves the old or the new state, whole, and no other file.
fn disable_finds_the_disk_full() -> Outcome {
    interrupted(&DISABLE, Fault::DiskFull)
}

/// `enable` that is killed leaves the old or the new state, whole; the next `enable` tidies up.
fn enable_is_killed() -> Outcome {
    interrupted(&ENABLE, Fault::Killed)
}

/// `enable` that finds the disk full leaves the old or the new state, whole, and no other file.
fn enable_finds_the_disk_full() -> Outcome {
    interrupted(&ENABLE, Fault::DiskFull)
}

/// `lock` that is killed leaves the old or the new lock, whole; the next `lock` tidies up.
fn lock_is_killed() -> Outcome {
    interrupted(&LOCK, Fault::Killed)
}

/// `lock` that finds the disk full leaves the old or the new lock, whole, and no other file.
fn lock_finds_the_disk_full() -> Outcome {
    interrupted(&LOCK, Fault::DiskFull)
}

/// `check --fix` that is killed leaves the old or the new skill, whole; the next one tidies up.
fn fix_is_killed() -> Outcome {
    interrupted(&FIX, Fault::Killed)
}

/// `check --fix` that finds the disk full leaves the old or the new skill, whole, and no other file.
fn fix_finds_the_disk_full() -> Outcome {
    interrupted(&FIX, Fault::DiskFull)
}

/// `new` that is killed leaves no skill or a whole one; the next `new` completes it.
fn new_is_killed() -> Outcome {
    interrupted(&NEW, Fault::Killed)
}

/// `new` that finds the disk full leaves no skill or a whole one, and no other file.
fn new_finds_the_disk_full() -> Outcome {
    interrupted(&NEW, Fault::DiskFull)
}

fn interrupted(deed: &Deed, fault: Fault) -> Outcome {
    if let Some(reason) = strace::missing() {
        return skipped(&reason);
    }
    let case = Case::new()?;
    let arguments = deed.arguments;
    (deed.prepare)(&case)?;
    let before = snapshot(&case.path(""))?;
    let (ran, calls) = strace::writing_calls(&case, arguments)?;
    ran.expect(0)?;
    let after = snapshot(&case.path(""))?;
    ensure!(
        before != after && !calls.is_empty(),
        "the command writes nothing"
    );
    let states = States { before, after };
    let mut broken = Vec::new();
    for call in &calls {
        case.clear()?;
        (deed.prepare)(&case)?;
        let ran = strace::run_with(&case, arguments, call, fault)?;
        if let Err(error) = states.hold(&case, deed, &ran, fault) {
            broken.push(format!("{fault:?} at {}: {error}", shown(call, &case)));
        }
    }
    ensure!(broken.is_empty(), "{}", broken.join("\n"));
    Ok(())
}

/// The folder before the command, and after an uninterrupted command.
struct States {
    before: Snapshot,
    after: Snapshot,
}

impl States {
    fn hold(&self, case: &Case, deed: &Deed, ran: &Ran, fault: Fault) -> Outcome {
        let now = snapshot(&case.path(""))?;
        for (path, entry) in &now {
            let is_known = self.is_old_or_new(path, entry);
            let is_temporary = !self.before.contains_key(path) && !self.after.contains_key(path);
            ensure!(
                is_known || (is_temporary && matches!(fault, Fault::Killed)),
                "{} is neither old nor new",
                path.display()
            );
        }
        for path in self.before.keys() {
            let is_there = now.contains_key(path) || !self.after.contains_key(path);
            ensure!(is_there, "{} is gone", path.display());
        }
        // A folder without its files would look like a skill and not be one.
        let folder = Path::new("project/skills/fresh");
        ensure!(
            !now.contains_key(folder) || now.contains_key(&folder.join("SKILL.md")),
            "an empty folder is left"
        );
        if matches!(fault, Fault::DiskFull) {
            ran.expect_any(&[0, 1, 2])?;
        }
        self.next_is_clean(case, deed, &now)
    }

    fn next_is_clean(&self, case: &Case, deed: &Deed, now: &Snapshot) -> Outcome {
        let is_complete = self.after.keys().all(|path| now.contains_key(path));
        let again = deed.arguments;
        let ran = case.run(again)?;
        // An existing skill is not made again.
        if deed.arguments == NEW.arguments && is_complete {
            ran.expect(2)?;
        } else {
            ran.expect(0)?;
        }
        let now = snapshot(&case.path(""))?;
        for path in now.keys().chain(self.after.keys()) {
            ensure!(
                now.contains_key(path) && self.after.contains_key(path),
                "after the next run: {} {}",
                path.display(),
                if now.contains_key(path) {
                    "is left over"
                } else {
                    "is missing"
                }
            );
        }
        for (path, entry) in &now {
            ensure!(
                self.is_old_or_new(path, entry),
                "after the next run: {} is damaged",
                path.display()
            );
        }
        Ok(())
    }

    /// Returns whether an entry is the entry before the command or after it. Records may contain their time, so any
    /// complete JSON counts.
    fn is_old_or_new(&self, path: &Path, entry: &Entry) -> bool {
        let is_json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        let is_known = self.before.contains_key(path) || self.after.contains_key(path);
        match entry {
            Entry::File(bytes) if is_json && is_known => {
                serde_json::from_slice::<serde_json::Value>(bytes)
                    .is_ok_and(|json| json.is_object())
            }
            entry => [&self.before, &self.after]
                .iter()
                .any(|state| state.get(path) == Some(entry)),
        }
    }
}

fn shown(call: &Call, case: &Case) -> String {
    let folder = case.path("");
    let line = call.line.replace(&*folder.to_string_lossy(), "");
    format!("{}({line}", call.name)
}

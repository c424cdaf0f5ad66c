//! `install --frozen`: restores the skills that the lock of a folder names, and compares the folder with its lock.

use crate::files::copy::{is_there, list};
use crate::files::snapshot::{Snapshot, is_skill_file};
use crate::files::work::{JOURNAL, WORK_FOLDER};
use crate::install::fetch::{Host, Sources};
use crate::install::pins::Pins;
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::install::provenance::{LockPlace, LockedSource, is_exported, is_of_crate, source_of};
use crate::install::state::{ByHandState, Installed};
use crate::install::update::named;
use crate::lock::{bundle_of, read, read_lock, snapshot_powers};
use crate::review::difference::between;
use serde::Serialize;
use skills_compiler::{LOCK_FILE, LockKind};
use skills_format::{SKILL_FILE, SkillFile, command, prose};
use skills_permit::Power;
use skills_repository::{Change, Lock, Locked, Provenance};
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Maximum depth at which skills that the lock of a bundle does not name are looked for.
const MAX_DEPTH: usize = 8;

/// A difference between a folder of skills and its lock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LockDifference {
    /// The name of the skill.
    pub name: String,
    /// `missing`, `changed`, `added` (files), `powers` (that the lock does not hold), or `extra`. `litter`: files that no digest
    /// covers. `unfinished`: a killed process left a change, which the next command that writes here finishes.
    pub state: &'static str,
    /// The files that no digest covers, if the state is `litter`; otherwise empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The powers of the skill that the lock does not hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gained: Vec<Power>,
}

impl LockDifference {
    fn new(name: &str, state: &'static str) -> Self {
        Self {
            name: name.to_owned(),
            state,
            ..Self::default()
        }
    }
}

/// Returns the sources of the named skills of a lock, which an update fetches: not those of pinned skills. With
/// `only_missing`, those of the missing skills, which a restore fetches.
///
/// # Errors
///
/// If the lock cannot be read, or does not have a name.
pub fn locked_sources(
    target: &Path,
    repository: Option<&Path>,
    names: &[String],
    only_missing: bool,
    host: Host<'_>,
) -> Result<Vec<LockedSource>, Error> {
    let lock = read_lock(target, host.data)?;
    let pinned = if only_missing {
        BTreeSet::new()
    } else {
        Pins::of(host.data).names(target)?
    };
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for name in named(&lock, names, target)? {
        let locked = lock.skills.get(name);
        let Some((locked, from)) = locked.and_then(|it| Some((it, it.provenance.as_ref()?))) else {
            continue;
        };
        let is_kept = only_missing
            && (is_there(&target.join(name))? || host.data.store().get(locked.digest)?.is_some());
        if !is_kept && !pinned.contains(name) && !is_exported(from) {
            all.entry(&from.source).or_default().push(name.clone());
        }
    }
    let place = LockPlace::new(target, repository);
    let source = |(source, skills): (&str, Vec<String>)| LockedSource {
        source: Provenance::new(source).shown_source().into_owned(),
        skills,
        place: place.of(source),
    };
    Ok(all.into_iter().map(source).collect())
}

/// Returns the differences between a folder and its lock: missing and changed skills, and for the lock of a bundle
/// also what `skills lock` would add. Writes nothing, and fetches no source.
///
/// # Errors
///
/// If the lock cannot be read.
pub fn lock_differences(target: &Path, host: Host<'_>) -> Result<Vec<LockDifference>, Error> {
    let lock = read(target)?;
    let mut all = Vec::new();
    if is_there(&target.join(WORK_FOLDER).join(JOURNAL))? {
        all.push(LockDifference::new(LOCK_FILE, "unfinished"));
    }
    for (name, locked) in &lock.skills {
        let (found, now) = Installed::read(target, name, locked.clone(), host.data)?;
        let mut difference = LockDifference::new(name, "");
        // An entry from before version 3 holds no powers to compare with.
        let powers = now
            .map(|now| snapshot_powers(&now))
            .zip(locked.powers.as_ref());
        if let Some((now, held)) = powers.filter(|(now, held)| now.for_lock() != **held) {
            // Bytes as locked, with other powers than locked: somebody wrote the entry.
            difference.state = "powers";
            difference.gained = now.for_lock_with_places().widenings(held);
        }
        match found.state {
            ByHandState::Unchanged => {}
            ByHandState::Missing => difference.state = "missing",
            ByHandState::Added => difference.state = "added",
            ByHandState::Changed => difference.state = "changed",
        }
        if !difference.state.is_empty() {
            all.push(difference);
        }
        if !found.litter.is_empty() {
            all.push(LockDifference {
                files: found.litter,
                ..LockDifference::new(name, "litter")
            });
        }
    }
    if lock.kind == LockKind::Bundle {
        all.extend(unlisted(target, &lock)?);
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

/// Returns the skills that the lock of a bundle does not name, and those whose `triggers.yaml` differs.
fn unlisted(target: &Path, lock: &Lock) -> Result<Vec<LockDifference>, Error> {
    let mut extra = BTreeSet::new();
    let mut seen = BTreeSet::new();
    // Every folder that some program takes for a skill: `skills lock` leaves out a skill that it cannot read.
    for path in skill_folders(target)? {
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        if !lock.skills.contains_key(&name) || !seen.insert(name) {
            extra.insert(path);
        }
    }
    let mut changed = Vec::new();
    for change in lock.changes(&bundle_of(target)) {
        match change {
            Change::Added(name) if !extra.iter().any(|path| ends_with(path, &name)) => {
                extra.insert(name);
            }
            Change::Triggers(name) => changed.push(LockDifference::new(&name, "changed")),
            _ => {}
        }
    }
    let extra = extra.iter().map(|name| LockDifference::new(name, "extra"));
    Ok(extra.chain(changed).collect())
}

fn ends_with(path: &str, name: &str) -> bool {
    path.rsplit('/').next() == Some(name)
}

/// Returns the folders below a folder that have a `SKILL.md`, in any case, with `/`. No link is followed.
fn skill_folders(target: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let mut open: Vec<(String, PathBuf, usize)> = vec![(String::new(), target.to_owned(), 0)];
    while let Some((below, folder, depth)) = open.pop() {
        let entries = list(&folder)?;
        let is_skill = |(name, path): &(String, PathBuf)| is_skill_file(name) && path.is_file();
        if depth > 0 && entries.iter().any(is_skill) {
            found.push(below);
            continue;
        }
        for (name, path) in entries {
            if depth < MAX_DEPTH && name != ".git" && path.is_dir() && !path.is_symlink() {
                let below = if depth == 0 {
                    name
                } else {
                    format!("{below}/{name}")
                };
                open.push((below, path, depth + 1));
            }
        }
    }
    Ok(found)
}

/// Plans to restore every missing skill of the lock, from the store or its source, with the locked digest. Existing
/// skills stay as they are, and so does the lock, to the byte.
///
/// # Errors
///
/// If the lock cannot be read, or does not have a name. The error of one skill is in the plan.
pub fn plan_locked(target: &Path, names: &[String], host: Host<'_>) -> Result<Plan, Error> {
    let lock = read_lock(target, host.data)?;
    let mut sources = Sources::new(host);
    let mut planned = Vec::new();
    for name in named(&lock, names, target)? {
        if let Some(locked) = lock.skills.get(name) {
            let skill = restored(target, name, locked, host, &mut sources);
            planned.push(PlannedSkill::new(name, Some(locked)).or_failed(skill)?);
        }
    }
    let mut plan = Plan::new(target.to_owned(), planned, "install").over(&lock);
    plan.is_frozen = true;
    Ok(plan)
}

/// Plans to restore one skill.
fn restored<'h>(
    target: &Path,
    name: &str,
    locked: &Locked,
    host: Host<'h>,
    sources: &mut Sources<'h>,
) -> Result<PlannedSkill, Error> {
    let mut skill = PlannedSkill::new(name, Some(locked));
    if is_there(&target.join(name))? {
        let (found, _) = Installed::read(target, name, locked.clone(), host.data)?;
        skill.reason = match found.state {
            ByHandState::Changed => Some("it has local changes".into()),
            ByHandState::Added => Some("it has added files".into()),
            _ => None,
        };
        return Ok(skill);
    }
    if let Some(kept) = host.data.store().get(locked.digest)? {
        return Ok(put_back(skill, kept, locked));
    }
    let Some(from) = &locked.provenance else {
        let help = prose!(
            "put it there again, or run {}",
            command("uninstall --to").path(target).word(name)
        );
        return Ok(skill.refuse("it is missing, and no source is known", help));
    };
    let source = source_of(from, target).unwrap_or_else(|| Err(exported(from)))?;
    let tree = sources.tree(&source, from.commit.as_deref())?;
    let path = from.path.as_deref().unwrap_or_default();
    let (found, left_out) = tree.skill(path, host.observer)?;
    let source = from.shown_source();
    Ok(if found.entries.is_empty() {
        let reason = format!("{source} no longer has it");
        skill.refuse(reason, "uninstall it, or install it from another source")
    } else if found.digest() != locked.digest {
        let reason = format!("{source} has another version: {}", found.digest());
        let help = "to take that version, install it from its source again";
        skill.refuse(reason, help)
    } else {
        skill.left_out = left_out;
        put_back(skill, found, locked)
    })
}

fn exported(from: &Provenance) -> Error {
    let (message, help) = if is_of_crate(from) {
        let message = format!("it comes from the {}", from.source);
        (message, "run `cargo skills deps` in the workspace")
    } else {
        let message = format!("it was exported by the {}", from.source);
        (message, "run the program's `skills export` here")
    };
    Error::new(ErrorKind::NotFound, message).help(help)
}

fn put_back(mut skill: PlannedSkill, found: Snapshot, locked: &Locked) -> PlannedSkill {
    let powers = snapshot_powers(&found).for_lock_with_places();
    let held = locked.powers.as_ref();
    if held.is_some_and(|held| !powers.widenings(held).is_empty()) {
        let reason = "it may do more than its lock says";
        return skill.refuse(
            reason,
            "look who changed the lock, then run `skills update`",
        );
    }
    let bytes = found.skill_file().map(|(_, file)| &*file.bytes);
    let file = SkillFile::read(SKILL_FILE, skill.name.as_str(), bytes.unwrap_or_default());
    skill.describe(&found, file.lenient().0.as_ref());
    skill.difference = between(&Snapshot::default(), &found);
    let locked = locked.clone();
    skill.prepare(Action::Install, found.clone(), found, None, locked)
}

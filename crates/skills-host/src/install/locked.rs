//! `install` without a source: restores the skills that the lock of a folder names.

use crate::files::snapshot::{Snapshot, is_skill_file};
use crate::files::work::{JOURNAL, WORK_FOLDER};
use crate::install::host::Host;
use crate::install::plan::{Action, Plan, PlannedSkill, Prepared};
use crate::install::provenance::{LockedSource, is_exported, is_of_crate, placed, source_of};
use crate::install::seen::Heed;
use crate::install::source::{Origin, Source};
use crate::install::state::{ByHandState, Present};
use crate::install::tree::SourceTree;
use crate::install::update::named;
use crate::lock::{bundle_of, read, read_lock};
use crate::review::difference::between;
use serde::Serialize;
use skills_compiler::{LOCK_FILE, LockKind};
use skills_format::{SKILL_FILE, SkillFile, command, prose};
use skills_permit::Power;
use skills_repository::{Change, Lock, Locked, Provenance};
use skills_store::files::copy::{is_there, list};
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Maximum depth at which skills that the lock of a bundle does not name are looked for.
const MAX_DEPTH: usize = 8;

/// A difference between a folder of skills and its lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LockDifference {
    /// The name of the skill.
    pub name: String,
    /// `missing`, `changed`, `added` (files), `powers` (that the lock does not hold), or `extra`. `edited` is the state of the lock itself: its digest does not
    /// match its entries. `litter`: files that no digest covers. `unfinished`: a
    /// killed process left a change, which the next command that writes here finishes.
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
            files: Vec::new(),
            gained: Vec::new(),
        }
    }
}

/// Returns the sources that a restore of the missing skills would fetch.
///
/// # Errors
///
/// If the lock cannot be read.
pub fn locked_sources(
    target: &Path,
    repository: Option<&Path>,
    names: &[String],
    host: Host<'_>,
) -> Result<Vec<LockedSource>, Error> {
    let lock = read_lock(target, host.data)?;
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for name in named(&lock, names, target)? {
        let Some(locked) = lock.skills.get(name) else {
            continue;
        };
        if let Some(from) = &locked.provenance
            && !is_there(&target.join(name))?
            && host.data.store().get(locked.digest)?.is_none()
            && !is_exported(from)
        {
            all.entry(&from.source).or_default().push(name.clone());
        }
    }
    Ok(placed(all, target, repository))
}

/// Returns the differences between a folder and its lock: missing and changed skills, and for the lock of a bundle
/// also skills that the lock does not name. Writes nothing, and fetches no source.
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
        let present = Present::read(target, name, locked, host.data)?;
        let state = match present.state {
            ByHandState::Unchanged => None,
            ByHandState::Missing => Some("missing"),
            ByHandState::Added => Some("added"),
            ByHandState::Changed => Some("changed"),
        };
        let beside = present.powers_beside(locked);
        // Bytes as locked, with other powers than locked: somebody wrote the entry.
        let state = state.or_else(|| beside.differ().then_some("powers"));
        all.extend(state.map(|state| LockDifference {
            gained: beside.gained,
            ..LockDifference::new(name, state)
        }));
        if !present.litter.is_empty() {
            all.push(LockDifference {
                files: present.litter,
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
/// skills stay as they are.
///
/// # Errors
///
/// If the lock cannot be read, or does not have a name. The error of one skill is in the plan.
pub fn plan_locked(target: &Path, names: &[String], host: Host<'_>) -> Result<Plan, Error> {
    let lock = read_lock(target, host.data)?;
    let temporary = host.data.temporary();
    let mut sources = Sources {
        target,
        host,
        temporary: &temporary,
        trees: BTreeMap::new(),
    };
    let mut planned = Vec::new();
    for name in named(&lock, names, target)? {
        if let Some(locked) = lock.skills.get(name) {
            planned.push(sources.plan_one(name, locked)?);
        }
    }
    drop(sources);
    let plan = Plan::new(target.to_owned(), planned, "install");
    Ok(plan.over(&lock, Heed::Nothing))
}

/// The sources of a lock. Each source is fetched once, for its first missing skill.
struct Sources<'s> {
    target: &'s Path,
    host: Host<'s>,
    temporary: &'s PathBuf,
    /// The fetched sources, by source and commit.
    trees: BTreeMap<(String, Option<String>), Result<SourceTree<'s>, Error>>,
}

impl Sources<'_> {
    fn plan_one(&mut self, name: &str, locked: &Locked) -> Result<PlannedSkill, Error> {
        let (target, host) = (self.target, self.host);
        let skill = PlannedSkill::new(name, Some(locked));
        if is_there(&target.join(name))? {
            return as_it_is(skill, target, locked, host);
        }
        if let Some(kept) = host.data.store().get(locked.digest)? {
            return Ok(put_back(skill, kept, locked));
        }
        let Some(from) = &locked.provenance else {
            let help = prose!(
                "put it there again, or run {}",
                command("lock").path(target)
            );
            return Ok(skill.refuse("it is missing, and no source is known", help));
        };
        // The tree is shared by the entries of one source and commit. The path is checked for each entry.
        if let Some(Err(error)) = source_of(from, target) {
            return Ok(skill.failed(&error));
        }
        match self.tree(from) {
            Err(error) if error.kind() == ErrorKind::Cancelled => {
                Err(Error::new(ErrorKind::Cancelled, "stopped"))
            }
            Err(error) => Ok(skill.failed(error)),
            Ok(tree) => Ok(from_source(skill, tree, from, locked, host)),
        }
    }

    fn tree(&mut self, from: &Provenance) -> &Result<SourceTree<'_>, Error> {
        let (target, host, temporary) = (self.target, self.host, self.temporary);
        let key = (from.source.clone(), from.commit.clone());
        self.trees.entry(key).or_insert_with(|| {
            let source = source_of(from, target).unwrap_or_else(|| Err(exported(from)))?;
            let path = None;
            // The whole source: other entries of this source and commit have other paths.
            let whole = Source { path, ..source };
            let commit = from
                .commit
                .as_deref()
                .filter(|_| matches!(whole.origin, Origin::Git(_)));
            host.fetcher(temporary).fetch(&whole, commit)
        })
    }
}

fn exported(from: &Provenance) -> Error {
    if is_of_crate(from) {
        let message = format!("it comes from the {}", from.source);
        return Error::new(ErrorKind::NotFound, message)
            .help("run `cargo skills deps` in the workspace");
    }
    let message = format!("it was exported by the {}", from.source);
    Error::new(ErrorKind::NotFound, message).help("run the program's `skills export` here")
}

fn as_it_is(
    mut skill: PlannedSkill,
    target: &Path,
    locked: &Locked,
    host: Host<'_>,
) -> Result<PlannedSkill, Error> {
    skill.reason = match Present::read(target, &skill.name, locked, host.data)?.state {
        ByHandState::Changed => Some("it has local changes, and is kept".into()),
        ByHandState::Added => Some("it has added files, which are kept".into()),
        _ => None,
    };
    Ok(skill)
}

fn from_source(
    skill: PlannedSkill,
    tree: &SourceTree<'_>,
    from: &Provenance,
    locked: &Locked,
    host: Host<'_>,
) -> PlannedSkill {
    let path = from.path.clone().unwrap_or_default();
    match tree.skill(&path, host.observer) {
        Err(error) => skill.failed(&error),
        Ok((found, _)) if found.entries.is_empty() => {
            let reason = format!("{} no longer has it", from.shown_source());
            skill.refuse(reason, "uninstall it, or install it from another source")
        }
        Ok((found, _)) if found.digest() != locked.digest => {
            let reason = format!(
                "{} has another version: {}",
                from.shown_source(),
                found.digest()
            );
            skill.refuse(
                reason,
                "to take that version, install it from its source again",
            )
        }
        Ok((found, left_out)) => {
            let mut skill = put_back(skill, found, locked);
            skill.left_out = left_out;
            skill
        }
    }
}

fn put_back(mut skill: PlannedSkill, found: Snapshot, locked: &Locked) -> PlannedSkill {
    let bytes = found.skill_file().map(|(_, file)| &*file.bytes);
    let file = SkillFile::read(SKILL_FILE, skill.name.as_str(), bytes.unwrap_or_default());
    skill.describe(&found, file.lenient().0.as_ref());
    skill.difference = between(&Snapshot::default(), &found);
    skill.action = Action::Install;
    skill.prepared = Some(Box::new(Prepared {
        upstream: found.clone(),
        result: found,
        before: None,
        locked: locked.clone(),
    }));
    skill
}

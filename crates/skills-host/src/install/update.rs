//! `update`: brings installed skills to the present version of their sources.

use crate::files::snapshot::Snapshot;
use crate::install::candidate::{Candidate, Offered, Strictness};
use crate::install::decide::{Destination, Neighbours, OnConflict, decide};
use crate::install::host::Host;
use crate::install::pins::Pins;
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::install::provenance::{
    LockPlace, LockedSource, SourcePlace, is_exported, is_of_crate, placed, source_of,
};
use crate::install::revision::{Resolved, resolve};
use crate::install::seen::Heed;
use crate::install::source::{Origin, Source};
use crate::install::tag::{newer, note};
use crate::install::tree::SourceTree;
use crate::lock::read_lock;
use skills_format::{Prose, prose};
use skills_repository::{Lock, Locked, Provenance};
use skills_store::files::copy::is_there;
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet, btree_map};
use std::path::{Path, PathBuf};

/// The options of an update.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct UpdateOptions {
    /// The names of the skills; empty for all skills.
    pub names: Vec<String>,
    /// The treatment of errors of a strict check.
    pub strictness: Strictness,
    /// The action for local changes.
    pub on_conflict: OnConflict,
    /// The repository that holds the folder of skills: its lock came with a clone.
    pub repository: Option<PathBuf>,
    /// True if the lock may name folders, archives and `file:` URLs outside of the repository. A lock that came with a
    /// clone or an archive must not choose what is read on this machine.
    pub allows_local: bool,
    /// Another revision than the one of the lock: the skills follow it from now on.
    pub revision: Option<String>,
}

/// Returns the sources that an update would follow.
///
/// # Errors
///
/// The errors of [`plan_update`].
pub fn update_sources(
    target: &Path,
    options: &UpdateOptions,
    host: Host<'_>,
) -> Result<Vec<LockedSource>, Error> {
    let lock = read_lock(target, host.data)?;
    let pinned = Pins::of(host.data).names(target)?;
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for name in named(&lock, &options.names, target)? {
        if pinned.contains(name) {
            continue;
        }
        let from = lock
            .skills
            .get(name)
            .and_then(|locked| locked.provenance.as_ref());
        if let Some(from) = from.filter(|from| !is_exported(from)) {
            all.entry(&from.source).or_default().push(name.clone());
        }
    }
    Ok(placed(all, target, options.repository.as_deref()))
}

/// Plans to update installed skills from their sources. A branch is followed. A tag or a commit stays, and a newer
/// tag is noted.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] for a name that is not in the lock. The error of one skill or one source is in the plan.
pub fn plan_update(target: &Path, options: &UpdateOptions, host: Host<'_>) -> Result<Plan, Error> {
    let temporary = host.data.temporary();
    let mut fetched = Fetched::default();
    let lock = read_lock(target, host.data)?;
    let names = named(&lock, &options.names, target)?;
    let pinned = Pins::of(host.data).names(target)?;
    let mut groups: BTreeMap<(&str, Option<String>), Vec<Entry<'_>>> = BTreeMap::new();
    let mut planned = Vec::new();
    for name in names {
        let Some(locked) = lock.skills.get(name) else {
            continue;
        };
        if pinned.contains(name) {
            let mut skill = PlannedSkill::new(name, Some(locked));
            skill.reason = Some("it is pinned; `update --pin off` ends that".into());
            planned.push(skill);
        } else if let Some(from) = &locked.provenance {
            let from = asked_for(from, options.revision.as_deref());
            let key = (locked_source(locked), from.requested.clone());
            let entry = Entry { name, locked, from };
            groups.entry(key).or_default().push(entry);
        } else {
            let mut skill = PlannedSkill::new(name, Some(locked));
            skill.action = Action::Leave;
            skill.reason = Some("no source is known".into());
            planned.push(skill);
        }
    }
    let neighbours = Neighbours::of(target)?;
    let place = LockPlace::new(target, options.repository.as_deref());
    for entries in groups.into_values() {
        let group = Group {
            entries,
            target,
            place: &place,
            neighbours: &neighbours,
            options,
            host,
        };
        planned.extend(group.plan(&temporary, &mut fetched)?);
    }
    let plan = Plan::new(target.to_owned(), planned, "update");
    Ok(plan.over(&lock, Heed::Pins))
}

/// The sources that the skills of a folder share.
#[derive(Default)]
struct Fetched<'h> {
    /// The resolved revisions, by source and revision.
    resolved: BTreeMap<(String, Option<String>), Resolved>,
    /// The fetched sources, by source and commit.
    trees: BTreeMap<(String, Option<String>), SourceTree<'h>>,
}

/// Returns the names that are in the lock of a folder: the given names, or all.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] for a name that is not in the lock; an unreadable lock.
pub fn installed_names(
    target: &Path,
    names: &[String],
    host: Host<'_>,
) -> Result<Vec<String>, Error> {
    let lock = read_lock(target, host.data)?;
    let names = named(&lock, names, target)?;
    Ok(names.into_iter().cloned().collect())
}

/// Returns the requested names, or all names of a lock.
pub(crate) fn named<'l>(
    lock: &'l Lock,
    names: &[String],
    target: &Path,
) -> Result<Vec<&'l String>, Error> {
    if names.is_empty() {
        return Ok(lock.skills.keys().collect());
    }
    let find = |name: &String| {
        lock.skills
            .get_key_value(name)
            .map(|(name, _)| name)
            .ok_or_else(|| {
                let message = prose!("'{}' is not in the lock of {}", name.escape_debug(), target);
                Error::new(ErrorKind::NotFound, message)
                    .help("`skills list` shows where each skill comes from")
                    .did_you_mean(name, lock.skills.keys().map(String::as_str))
            })
    };
    // A name that is given twice is one skill.
    let mut seen = BTreeSet::new();
    let names = names.iter().filter(|name| seen.insert(*name));
    names.map(find).collect()
}

/// Returns the provenance to follow. For another revision than the locked one, its commit is not known yet.
fn asked_for(from: &Provenance, revision: Option<&str>) -> Provenance {
    let mut from = from.clone();
    if let Some(revision) = revision {
        from.requested = Some(revision.to_owned());
        from.commit = None;
    }
    from
}

fn locked_source(locked: &Locked) -> &str {
    locked.provenance.as_ref().map_or("", |from| &from.source)
}

/// An installed skill with a known source.
struct Entry<'g> {
    name: &'g String,
    locked: &'g Locked,
    /// The source of the lock, with the revision to follow.
    from: Provenance,
}

/// Skills of one source and one revision: the revision is resolved once.
struct Group<'g, 'h> {
    entries: Vec<Entry<'g>>,
    target: &'g Path,
    place: &'g LockPlace,
    neighbours: &'g Neighbours,
    options: &'g UpdateOptions,
    host: Host<'h>,
}

impl Entry<'_> {
    fn planned(&self) -> PlannedSkill {
        PlannedSkill::new(self.name, Some(self.locked))
    }
}

impl<'h> Group<'_, 'h> {
    fn plan(
        mut self,
        temporary: &'h PathBuf,
        fetched: &mut Fetched<'h>,
    ) -> Result<Vec<PlannedSkill>, Error> {
        let mut planned = Vec::new();
        let mut shared = None;
        // The group shares a source and a revision. The path and the commit are checked for each entry.
        for entry in std::mem::take(&mut self.entries) {
            match self.source_of(&entry) {
                Ok(source) => {
                    shared = Some(source);
                    self.entries.push(entry);
                }
                Err(stays) => planned.push(*stays),
            }
        }
        let Some(source) = shared else {
            return Ok(planned);
        };
        let found = self.resolve(&source, fetched).and_then(|resolved| {
            let trees = &mut fetched.trees;
            let plan = |entry| self.follow(entry, &source, resolved.as_ref(), trees, temporary);
            self.entries.iter().map(plan).collect::<Result<Vec<_>, _>>()
        });
        match found {
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
            Err(error) => {
                let failed = |entry: &Entry<'_>| entry.planned().failed(&error);
                planned.extend(self.entries.iter().map(failed));
            }
            Ok(found) => planned.extend(found),
        }
        Ok(planned)
    }

    /// Returns the source of an entry, or the planned skill that stays as it is.
    fn source_of(&self, entry: &Entry<'_>) -> Result<Source, Box<PlannedSkill>> {
        let mut planned = entry.planned();
        let text = &entry.from.source;
        // Before the source is looked for: the plan shows the text of a skill, and so of any readable file.
        if !self.options.allows_local && self.place.of(text) == SourcePlace::Local {
            let reason = format!("the lock names a source on this machine: {text}");
            let refused = planned.refuse(reason, "look at that source, then use --allow local");
            return Err(refused.into());
        }
        let Some(source) = source_of(&entry.from, self.target) else {
            planned.action = Action::Leave;
            planned.reason = Some(if is_of_crate(&entry.from) {
                "a crate ships it, and `cargo skills deps` updates it".into()
            } else {
                "a program exported it, and updates it with `export`".into()
            });
            return Err(planned.into());
        };
        source.map_err(|error| planned.failed(&error).into())
    }

    fn resolve(
        &self,
        source: &Source,
        fetched: &mut Fetched<'h>,
    ) -> Result<Option<Resolved>, Error> {
        let Origin::Git(url) = &source.origin else {
            return Ok(None);
        };
        let key = (url.clone(), source.revision.clone());
        if let Some(known) = fetched.resolved.get(&key) {
            return Ok(Some(known.clone()));
        }
        let revision = source.revision.as_deref();
        let resolved = resolve(self.host.git, url, revision, self.host.observer)?;
        fetched.resolved.insert(key, resolved.clone());
        Ok(Some(resolved))
    }

    /// Plans one skill. `trees` holds the fetched sources.
    fn follow(
        &self,
        entry: &Entry<'_>,
        source: &Source,
        resolved: Option<&Resolved>,
        trees: &mut BTreeMap<(String, Option<String>), SourceTree<'h>>,
        temporary: &'h PathBuf,
    ) -> Result<PlannedSkill, Error> {
        let commit = target_commit(&entry.from, resolved);
        let same = commit.is_some() && commit == entry.from.commit.as_deref();
        let there = is_there(&self.target.join(entry.name))?;
        // The same commit has the same files, so nothing is fetched.
        let mut skill = if same && there && self.options.on_conflict != OnConflict::Force {
            entry.planned()
        } else {
            let tree = match trees.entry((source.origin.to_string(), commit.map(str::to_owned))) {
                btree_map::Entry::Occupied(tree) => tree.into_mut(),
                btree_map::Entry::Vacant(place) => {
                    // The whole source: other entries of the group have other paths.
                    let path = None;
                    let whole = Source {
                        path,
                        ..source.clone()
                    };
                    place.insert(self.host.fetcher(temporary).fetch(&whole, commit)?)
                }
            };
            let planned = self.plan_one(entry.name, entry.locked, &entry.from, tree);
            planned.unwrap_or_else(|error| entry.planned().failed(&error))
        };
        skill.note = resolved.and_then(|resolved| note(&entry.from, resolved).map(Prose::from));
        skill.newer = resolved.and_then(|resolved| newer(&entry.from, resolved));
        Ok(skill)
    }

    fn plan_one(
        &self,
        name: &str,
        old: &Locked,
        from: &Provenance,
        tree: &SourceTree<'_>,
    ) -> Result<PlannedSkill, Error> {
        let path = from.path.clone().unwrap_or_default();
        let mut provenance = from.clone();
        provenance.commit.clone_from(&tree.commit);
        if !tree.skills(from.path.as_deref()).contains(&path) {
            let mut skill = PlannedSkill::new(name, Some(old));
            skill.action = Action::Leave;
            skill.reason = Some("its source no longer has it; it is kept".into());
            return Ok(skill);
        }
        let offered = Offered {
            name: name.to_owned(),
            description: String::new(),
            path,
            is_internal: false,
        };
        let candidate = Candidate::read(tree, &offered, self.host.observer)?;
        let locked = candidate.locked(provenance);
        let planned = candidate.planned(name, &locked);
        if let Some((reason, help)) = self.objection(&candidate, name, locked.is_same(old)) {
            return Ok(planned.refuse(reason, help));
        }
        // Of the lock: `from` can name another revision.
        let lost = || match &old.provenance {
            Some(from) => self.installed_version(from),
            None => Ok(None),
        };
        let place = Destination {
            target: self.target,
            neighbours: self.neighbours,
            old: Some(old),
            on_conflict: self.options.on_conflict,
            lost: &lost,
        };
        decide(planned, candidate.snapshot, locked, &place, self.host)
    }

    /// Returns the reason and the help if a new version is refused, whatever the present files.
    fn objection(
        &self,
        candidate: &Candidate,
        name: &str,
        is_same: bool,
    ) -> Option<(String, &'static str)> {
        let Some(skill) = &candidate.skill else {
            let reason = "no name and description can be read from its new SKILL.md";
            return Some((reason.to_owned(), "this is for its author to correct"));
        };
        if skill.name.as_str() != name {
            let reason = format!("its source has renamed it to `{}`", skill.name);
            let help = "uninstall it, then install it under the new name";
            return Some((reason, help));
        }
        let errors = candidate.refusal(self.options.strictness);
        // Errors in files that are already installed refuse nothing: the update changes only the lock.
        let errors = errors.filter(|_| !is_same)?;
        let reason = format!("a strict check of the new version finds {errors}");
        let help = "report it to its author, or use --allow lenient to take it as it is";
        Some((reason, help))
    }

    /// Returns the installed version from its source, for when the store has lost it.
    fn installed_version(&self, from: &Provenance) -> Result<Option<Snapshot>, Error> {
        let (Some(commit), Some(Ok(source))) = (&from.commit, source_of(from, self.target)) else {
            return Ok(None);
        };
        let temporary = self.host.data.temporary();
        let tree = self.host.fetcher(&temporary).fetch(&source, Some(commit))?;
        let path = from.path.clone().unwrap_or_default();
        let (installed, _) = tree.skill(&path, self.host.observer)?;
        Ok(Some(installed))
    }
}

/// Returns the commit to update to. A tag or a commit stays at the locked commit.
fn target_commit<'c>(from: &'c Provenance, resolved: Option<&'c Resolved>) -> Option<&'c str> {
    let resolved = resolved?;
    match &from.commit {
        Some(commit) if resolved.is_pinned => Some(commit),
        _ => Some(&resolved.commit),
    }
}

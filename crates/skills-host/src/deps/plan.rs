//! Plans to make a folder of skills as the dependencies of a workspace ship them.

use crate::deps::graph::{Dependency, Workspace};
use crate::deps::options::{DepsOptions, LockUse, Reach};
use crate::deps::owner::skill_prefix;
use crate::deps::refusal::{Objection, freeze};
use crate::deps::shared::{Note, Shared};
use crate::deps::sharing::{Sharing, Users};
use crate::deps::shipped::{NotWritten, Shipped, shipped};
use crate::install::candidate::{Candidate, Offered};
use crate::install::crate_source::CrateSource;
use crate::install::decide::{Destination, Neighbours, OnConflict, decide};
use crate::install::difference::{FileChange, FileDifference};
use crate::install::host::Host;
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::install::seen::Heed;
use crate::lock::read_lock;
use skills_compiler::{Lock, Locked, Provenance};
use skills_format::{Prose, SKILL_FILE, command, prose};
use skills_store::{Error, ErrorKind};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A plan for the skills of dependencies.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DepsPlan {
    /// The plan.
    pub plan: Plan,
    /// The skills that are not written, by crate and path.
    pub not_written: Vec<NotWritten>,
    /// The number of dependencies whose packages were searched.
    pub searched: usize,
}

/// Plans to install, update and remove the skills of dependencies in a folder. A skill with local changes stays.
///
/// # Errors
///
/// [`ErrorKind::Damaged`] and [`ErrorKind::Newer`] for an unreadable lock. The error of one skill is in the plan.
///
/// # Cost
///
/// Reads the skills of each dependency that has some, and looks into the folder of every other.
pub fn plan_deps(
    workspace: &Workspace,
    target: &Path,
    options: &DepsOptions,
    host: Host<'_>,
) -> Result<DepsPlan, Error> {
    let lock = read_lock(target, host.data)?;
    let temporary = host.data.temporary();
    let mut deps = Deps {
        lock: &lock,
        sharing: Sharing::new(&workspace.root, target),
        target,
        neighbours: Neighbours::of(target)?,
        options,
        host,
        not_written: Vec::new(),
        searched: 0,
    };
    let all = deps.ship(workspace, &temporary)?;
    let mut planned = Vec::new();
    for (name, from) in deps.chosen(&all) {
        planned.extend(deps.plan_one(name, from)?);
    }
    let known: BTreeSet<String> = planned.iter().map(|skill| skill.name.clone()).collect();
    for (name, locked) in &lock.skills {
        let users = deps.sharing.users(locked);
        if let Some(users) = users.filter(|_| !known.contains(name)) {
            planned.push(deps.gone(name, locked, &users)?);
        }
    }
    if options.lock == LockUse::Frozen {
        for skill in &mut planned {
            freeze(skill, lock.skills.get(&skill.name), options);
        }
    }
    let Deps {
        mut not_written,
        searched,
        ..
    } = deps;
    let key = |left: &NotWritten| (left.krate.clone(), left.version.clone(), left.path.clone());
    not_written.sort_by_key(key);
    Ok(DepsPlan {
        plan: Plan::new(target.to_owned(), planned, "deps")?.over(&lock, Heed::Nothing),
        not_written,
        searched,
    })
}

/// A plan in the making.
pub(crate) struct Deps<'d> {
    lock: &'d Lock,
    pub(crate) sharing: Sharing,
    pub(crate) target: &'d Path,
    neighbours: Neighbours,
    pub(crate) options: &'d DepsOptions,
    pub(crate) host: Host<'d>,
    pub(crate) not_written: Vec<NotWritten>,
    searched: usize,
}

/// A skill of a dependency.
#[derive(Clone, Copy)]
struct From<'d> {
    krate: &'d Dependency,
    shipped: &'d Shipped<'d>,
    skill: &'d Offered,
}

impl<'d> Deps<'d> {
    /// Lists what the dependencies ship.
    fn ship<'w>(
        &mut self,
        workspace: &'w Workspace,
        temporary: &'d PathBuf,
    ) -> Result<Vec<(&'w Dependency, Shipped<'d>)>, Error> {
        let followed: BTreeSet<&str> = of_crates(self.lock)
            .filter(|(_, locked)| self.sharing.is_own(locked))
            .filter_map(|(_, locked)| crate_of(locked))
            .collect();
        let is_meant = |krate: &&Dependency| {
            let is_all = self.options.reach == Reach::All;
            krate.is_direct || is_all || followed.contains(krate.name.as_str())
        };
        let meant: Vec<&Dependency> = workspace.dependencies.iter().filter(is_meant).collect();
        self.searched = meant.len();
        let mut all = Vec::new();
        for krate in meant {
            if self.host.observer.is_cancelled() {
                return Err(Error::new(ErrorKind::Cancelled, "stopped").help("nothing was changed"));
            }
            match shipped(krate, temporary, self.host) {
                Ok(None) => {}
                Ok(Some(mut found)) => {
                    self.not_written.append(&mut found.not_written);
                    all.push((krate, found));
                }
                Err(left) => self.not_written.push(*left),
            }
        }
        Ok(all)
    }

    /// Chooses the crate of each name. The others are not written.
    fn chosen<'s>(&mut self, all: &'s [(&'s Dependency, Shipped<'s>)]) -> Vec<(&'s str, From<'s>)> {
        let mut by_name: BTreeMap<&str, Vec<From<'s>>> = BTreeMap::new();
        for (krate, shipped) in all {
            for skill in &shipped.skills {
                let from = From {
                    krate,
                    shipped,
                    skill,
                };
                by_name.entry(&skill.name).or_default().push(from);
            }
        }
        let mut chosen = Vec::new();
        for (name, mut candidates) in by_name {
            // A direct dependency is what the person named. Of `foo` and `foo-bar`, the crate `foo-bar` owns the name
            // `foo-bar-usage`. Of two versions the newer one counts.
            candidates.sort_by_key(|from| {
                let krate = from.krate;
                Reverse((krate.is_direct, krate.name.len(), &krate.version))
            });
            let Some((first, others)) = candidates.split_first() else {
                continue;
            };
            let is_rival = |other: &&From<'_>| {
                let (a, b) = (first.krate, other.krate);
                a.is_direct == b.is_direct
                    && skill_prefix(&a.name) == skill_prefix(&b.name)
                    && (a.name != b.name || a.version == b.version)
            };
            let rival = others.iter().find(is_rival);
            for other in others {
                self.leave(
                    other,
                    format!("the name is taken by the {}", first.krate.source()),
                );
            }
            match rival {
                // Nothing says which of `foo_bar` and `foo-bar`, or of two registries' `foo 1.0.0`, is meant.
                Some(rival) => {
                    self.leave(first, format!("{} has the name too", of_place(rival.krate)));
                }
                None => chosen.push((name, *first)),
            }
        }
        chosen
    }

    fn leave(&mut self, from: &From<'_>, reason: impl Into<Prose>) {
        let name = Some(from.skill.name.as_str());
        let left = NotWritten::new(from.krate, name, &from.skill.path, reason);
        self.not_written.push(left);
    }

    /// Plans one skill. `None`: its author has to correct it first, and it is not installed.
    fn plan_one(&mut self, name: &str, from: From<'_>) -> Result<Option<PlannedSkill>, Error> {
        let old = self.lock.skills.get(name);
        let users = old.and_then(|old| self.sharing.users(old));
        let is_ours =
            |users: &Users| self.sharing.is_of(users) || self.sharing.other(users).is_none();
        let ours = old.filter(|_| users.as_ref().is_some_and(is_ours));
        let read = Candidate::read(&from.shipped.tree, from.skill, self.host.observer);
        let candidate = match read {
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
            Err(error) if ours.is_some() => {
                return Ok(Some(PlannedSkill::new(name, ours).failed(&error)));
            }
            Err(error) => {
                self.leave(&from, &error);
                return Ok(None);
            }
            Ok(candidate) => candidate,
        };
        let new = candidate.locked(Provenance::new(from.krate.source()));
        // Errors in files that are already installed refuse nothing: the change is of the lock alone.
        let is_known = ours.is_some_and(|old| old.is_same(&new));
        if let Some(objection) = Objection::to(&candidate, self.options.strictness, is_known) {
            let help = objection.help(self.options);
            if ours.is_some() {
                let planned = candidate.planned(name, &new);
                return Ok(Some(planned.refuse(objection.fact(), help)));
            }
            self.leave(&from, prose!("{}; {}", objection.reason(), help));
            return Ok(None);
        }
        let shared = Shared::new(old.zip(users), from.krate, &new, &self.sharing);
        let locked = new.from(shared.provenance);
        let planned = candidate.planned(name, &locked);
        if let Some(user) = shared.rival
            && self.options.on_conflict != OnConflict::Force
        {
            return Ok(Some(self.refuse_rival(planned, &user, old, from.krate)));
        }
        // The version in the lock can be the version that is there now, if the store has lost it.
        let upstream = candidate.snapshot.clone();
        let place = Destination {
            target: self.target,
            neighbours: &self.neighbours,
            old,
            on_conflict: self.options.on_conflict,
            lost: &|| Ok(Some(upstream.clone())),
        };
        let decided = decide(planned, candidate.snapshot, locked, &place, self.host);
        let mut decided =
            decided.unwrap_or_else(|error| PlannedSkill::new(name, old).failed(&error));
        if decided.action == Action::Current && !decided.by_hand.is_empty() {
            decided.reason = Some(local_changes(&decided.by_hand));
            let is_lost = |file: &FileDifference| {
                file.path == SKILL_FILE && file.change == FileChange::Removed
            };
            if decided.by_hand.iter().any(is_lost) {
                let force = self.options.sync.clone().word("--force");
                decided.help = Some(prose!(
                    "without SKILL.md it is not a skill; {} puts the file back",
                    force
                ));
            }
        }
        if decided.action.changes() {
            let folder = |user: String| self.sharing.folder(&user);
            decided.note = shared.note.map(|note| match note {
                Note::Joins(user) => prose!("the workspace in {} has it too", &folder(user)),
                Note::Leads(user) => prose!(
                    "the workspace in {} has it too: run {} there",
                    &folder(user),
                    self.options.sync.clone()
                ),
            });
        }
        Ok(Some(decided))
    }

    /// Refuses a version that differs from that of another workspace.
    fn refuse_rival(
        &self,
        planned: PlannedSkill,
        user: &str,
        old: Option<&Locked>,
        krate: &Dependency,
    ) -> PlannedSkill {
        let folder = self.sharing.folder(user);
        let source = old.and_then(CrateSource::of);
        let source = source.map_or_else(String::new, |source| source.krate());
        let reason = prose!(
            "the workspace in {} has it from the {source}, and this workspace needs the {}",
            &folder,
            krate.source()
        );
        let help = prose!(
            "bring both to one version of the crate and run {} in {} first",
            self.options.sync.clone(),
            &folder
        );
        let Some(own) = self.sharing.own_folder() else {
            return planned.refuse(reason, help);
        };
        let apart = command("deps sync").word("--to").path(&own);
        planned.refuse(
            reason,
            prose!(
                "{}, or give this workspace its own folder: {}",
                &help,
                apart
            ),
        )
    }
}

/// The maximum number of files with local changes that are named.
const MOST_FILES: usize = 3;

/// Names the files with local changes.
fn local_changes(by_hand: &[FileDifference]) -> Prose {
    let named = |file: &FileDifference| format!("{} {}", file.change.past(), file.path);
    let mut files: Vec<String> = by_hand.iter().take(MOST_FILES).map(named).collect();
    if let Some(more) = by_hand
        .len()
        .checked_sub(MOST_FILES)
        .filter(|more| *more > 0)
    {
        files.push(format!("{more} more"));
    }
    prose!("it has local changes, which are kept: {}", files.join(", "))
}

/// Returns the entries of a lock that came from crates.
fn of_crates(lock: &Lock) -> impl Iterator<Item = (&String, &Locked)> {
    let all = lock.skills.iter();
    all.filter(|(_, locked)| crate_of(locked).is_some())
}

/// Returns the name of the crate that an entry came from.
fn crate_of(locked: &Locked) -> Option<&str> {
    Some(CrateSource::of(locked)?.krate)
}

/// Formats a crate with its folder, for two crates that differ in nothing else.
fn of_place(krate: &Dependency) -> Prose {
    prose!("the {} in {}", krate.source(), &krate.root)
}

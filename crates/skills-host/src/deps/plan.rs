//! Plans to make a folder of skills as the dependencies of a workspace ship them.

use crate::deps::graph::{Dependency, Workspace};
use crate::deps::owner::skill_prefix;
use crate::deps::shipped::{NotWritten, Shipped, shipped};
use crate::install::candidate::{Candidate, Offered, Strictness};
use crate::install::decide::{Destination, Neighbours, OnConflict, decide};
use crate::install::host::Host;
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::install::provenance::CRATE;
use crate::install::seen::Heed;
use crate::install::state::{ByHandState, Present};
use crate::lock::read_lock;
use skills_compiler::{Lock, Locked, Provenance};
use skills_format::{Prose, command, prose};
use skills_store::{Error, ErrorKind};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The options of a plan for dependencies.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct DepsOptions {
    /// The dependencies whose skills are installed.
    pub reach: Reach,
    /// The treatment of errors of a strict check.
    pub strictness: Strictness,
    /// The action for local changes, and for an existing skill of another origin.
    pub on_conflict: OnConflict,
    /// The treatment of the lock.
    pub lock: LockUse,
}

/// The dependencies whose skills are installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// The direct dependencies. Crates that the lock names stay until they are no dependency at all.
    #[default]
    Direct,
    /// The transitive dependencies too.
    All,
}

/// The treatment of the lock of the folder of skills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockUse {
    /// The lock follows the dependencies.
    #[default]
    Follow,
    /// Exactly the skills of the lock are installed, and the lock stays.
    Frozen,
}

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
    for (name, locked) in of_crates(&lock) {
        if !known.contains(name) {
            planned.push(deps.gone(name, locked)?);
        }
    }
    if options.lock == LockUse::Frozen {
        for skill in &mut planned {
            freeze(skill, lock.skills.get(&skill.name));
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
struct Deps<'d> {
    lock: &'d Lock,
    target: &'d Path,
    neighbours: Neighbours,
    options: &'d DepsOptions,
    host: Host<'d>,
    not_written: Vec<NotWritten>,
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
        let ours = old.filter(|old| crate_of(old).is_some());
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
        let locked = candidate.locked(Provenance::new(from.krate.source()));
        let planned = candidate.planned(name, &locked);
        // Errors in files that are already installed refuse nothing: the change is of the lock alone.
        let is_known = ours.is_some_and(|old| old.is_same(&locked));
        if let Some(reason) = objection(&candidate, self.options.strictness, is_known) {
            if ours.is_some() {
                let help = "report it to the crate's author, or use --lenient to take it as it is";
                return Ok(Some(planned.refuse(reason, help)));
            }
            self.leave(&from, format!("{reason}; --lenient takes it as it is"));
            return Ok(None);
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
            decided.reason = Some("it has local changes, which are kept".into());
        }
        Ok(Some(decided))
    }

    /// Plans a skill of the lock that no dependency ships any more.
    fn gone(&self, name: &str, locked: &Locked) -> Result<PlannedSkill, Error> {
        let mut skill = PlannedSkill::new(name, Some(locked));
        let krate = crate_of(locked).unwrap_or_default();
        // Not surely gone: the folder of the crate could not be read, or the crate may not ship the skill as it is now.
        let left = self.not_written.iter().find(|left| {
            left.krate == krate && left.name.as_deref().is_none_or(|left| left == name)
        });
        if let Some(left) = left {
            let reason = prose!(
                "the {} does not ship it now: {}",
                krate_of(left),
                &left.reason
            );
            let help = prose!(
                "report it to the crate's author, or remove it with {}",
                command("uninstall")
                    .word(name)
                    .word("--to")
                    .path(self.target)
            );
            return Ok(skill.refuse(reason, help));
        }
        let state = Present::read(self.target, name, locked, self.host.data)?.state;
        let is_changed = matches!(state, ByHandState::Changed | ByHandState::Added);
        if is_changed && self.options.on_conflict != OnConflict::Force {
            let reason = "no dependency ships it now, and it has local changes, which are kept";
            return Ok(skill.refuse(reason, "use --force to move it to the trash"));
        }
        skill.reason = Some("no dependency ships it now".into());
        skill.action = Action::Remove;
        Ok(skill)
    }
}

/// Returns the reason why the author has to correct a skill first.
fn objection(candidate: &Candidate, strictness: Strictness, is_known: bool) -> Option<String> {
    if candidate.skill.is_none() {
        return Some("no name and description can be read from its SKILL.md".to_owned());
    }
    let errors = candidate.refusal(strictness).filter(|_| !is_known)?;
    Some(format!("a strict check finds {errors}"))
}

/// Refuses every change that the lock does not name.
fn freeze(skill: &mut PlannedSkill, locked: Option<&Locked>) {
    let new = skill.prepared.as_ref().map(|prepared| &prepared.locked);
    let is_put_back = skill.action == Action::Install && new == locked;
    if !skill.action.changes() || is_put_back {
        return;
    }
    if locked.is_none() {
        // Every line of a skill that is not there yet would say no more than its name.
        skill.difference.clear();
    }
    let reason = match (skill.action, locked) {
        (Action::Remove, _) => "the lock names it, and no dependency ships it now",
        (_, None) => "the lock does not name it",
        _ => "the lock names another version",
    };
    *skill = skill
        .clone()
        .refuse(reason, "run it without --frozen, then commit the lock");
}

/// Returns the entries of a lock that came from crates.
fn of_crates(lock: &Lock) -> impl Iterator<Item = (&String, &Locked)> {
    let all = lock.skills.iter();
    all.filter(|(_, locked)| crate_of(locked).is_some())
}

/// Returns the name of the crate that an entry came from.
fn crate_of(locked: &Locked) -> Option<&str> {
    let source = &locked.provenance.as_ref()?.source;
    let (name, _version) = source.strip_prefix(CRATE)?.split_once(' ')?;
    Some(name)
}

fn krate_of(left: &NotWritten) -> String {
    format!("{CRATE}{} {}", left.krate, left.version)
}

/// Formats a crate with its folder, for two crates that differ in nothing else.
fn of_place(krate: &Dependency) -> Prose {
    prose!("the {} in {}", krate.source(), &krate.root)
}

//! Plans to make a folder of skills as the dependencies of a workspace ship them.

use crate::deps::graph::{Dependency, Workspace};
use crate::deps::shipped::{NotWritten, Shipped, shipped};
use crate::install::candidate::{Candidate, Offered};
use crate::install::crate_source::CrateSource;
use crate::install::decide::{OnConflict, Target};
use crate::install::fetch::Host;
use crate::install::plan::{Action, Plan, PlannedSkill};
use skills_format::{Prose, Severity, command, prose};
use skills_repository::{Locked, Provenance};
use skills_store::{Error, ErrorKind};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The options of a plan for dependencies.
#[derive(Clone, Copy, Debug, Default)]
pub struct DepsOptions {
    /// The transitive dependencies too.
    pub all: bool,
    /// Replace skills with local changes, and skills of other sources. They go to the trash.
    pub force: bool,
}

/// A plan for the skills of dependencies.
#[derive(Clone, Debug)]
pub struct DepsPlan {
    /// The plan.
    pub plan: Plan,
    /// The skills that are not written, by crate and path.
    pub not_written: Vec<NotWritten>,
    /// The number of dependencies whose packages were searched.
    pub searched: usize,
}

/// Plans to install and update the skills of dependencies in a folder. A skill with local changes stays. A skill that no
/// dependency ships stays too, and the plan names the command that removes it: another workspace can need it.
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
    options: DepsOptions,
    host: Host<'_>,
) -> Result<DepsPlan, Error> {
    let on_conflict = if options.force {
        OnConflict::Force
    } else {
        OnConflict::Refuse
    };
    let target = Target::open(target, on_conflict, host)?;
    let lock = &target.lock;
    let of_crates: BTreeMap<&String, (&Locked, CrateSource<'_>)> = lock
        .skills
        .iter()
        .filter_map(|(name, locked)| Some((name, (locked, CrateSource::of(locked)?))))
        .collect();
    // Crates that the lock names stay until they are no dependency at all.
    let followed: BTreeSet<&str> = of_crates.values().map(|(_, from)| from.krate).collect();
    let searched: Vec<&Dependency> = workspace
        .dependencies
        .iter()
        .filter(|it| it.is_direct || options.all || followed.contains(&*it.name))
        .collect();
    let mut all = Vec::new();
    let mut not_written = Vec::new();
    for krate in &searched {
        if host.observer.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "stopped").help("nothing was changed"));
        }
        match shipped(krate, &mut not_written, host) {
            Ok(found) => all.extend(found.map(|found| (*krate, found))),
            Err(error) => not_written.push(NotWritten::new(krate, None, krate.folder(), &error)),
        }
    }
    let mut planned = Vec::new();
    for (name, from) in chosen(&all, &mut not_written) {
        let old = lock.skills.get(name);
        match from.read(old, host)? {
            Err(reason) if old.and_then(CrateSource::of).is_some() => {
                let help = "correct the skill, or report it to the crate's author";
                planned.push(PlannedSkill::new(name, old).refuse(reason, help));
            }
            Err(reason) => not_written.push(from.left(reason)),
            Ok(candidate) => {
                let locked = candidate.locked(Provenance::new(from.krate.source()));
                let skill = candidate.planned(name, &locked);
                let decided = target.decide(skill, candidate.snapshot, locked, old);
                let mut skill = PlannedSkill::new(name, old).or_failed(decided)?;
                if skill.action == Action::Current && !skill.by_hand.is_empty() {
                    skill.reason = Some("it has local changes".into());
                }
                planned.push(skill);
            }
        }
    }
    let known: BTreeSet<String> = planned.iter().map(|skill| skill.name.clone()).collect();
    for (name, (locked, _)) in of_crates {
        if !known.contains(name) {
            let skill = PlannedSkill::new(name, Some(locked));
            let mut skill = skill.stays(
                Action::Leave,
                "no dependency of this workspace ships it now",
            );
            let uninstall = command("uninstall")
                .word(name)
                .word("--to")
                .path(target.folder);
            skill.help = Some(prose!("{} moves it to the trash", uninstall));
            planned.push(skill);
        }
    }
    not_written.sort_by_key(|left| (left.krate.clone(), left.version.clone(), left.path.clone()));
    Ok(DepsPlan {
        plan: target.plan(planned, "deps"),
        not_written,
        searched: searched.len(),
    })
}

/// A skill of a dependency.
#[derive(Clone, Copy)]
struct From<'d> {
    krate: &'d Dependency,
    shipped: &'d Shipped<'d>,
    skill: &'d Offered,
}

impl From<'_> {
    fn left(&self, reason: impl Into<Prose>) -> NotWritten {
        NotWritten::new(self.krate, Some(&self.skill.name), &self.skill.path, reason)
    }

    /// Reads the skill. The inner error is the reason why it is not installed.
    fn read(
        &self,
        old: Option<&Locked>,
        host: Host<'_>,
    ) -> Result<Result<Candidate, Prose>, Error> {
        let candidate = match Candidate::read(&self.shipped.tree, self.skill, host.observer) {
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
            Err(error) => return Ok(Err((&error).into())),
            Ok(candidate) => candidate,
        };
        let mut errors = candidate.findings.iter();
        let first = errors.find(|found| found.severity == Severity::Error);
        let first =
            first.map(|found| format!(": {}:{}: {}", found.path, found.start, found.message));
        let first = first.unwrap_or_default();
        if candidate.skill.is_none() {
            let reason = format!("no name and description can be read from its SKILL.md{first}");
            return Ok(Err(reason.into()));
        }
        let new = candidate.locked(Provenance::new(self.krate.source()));
        // Errors in files that are already installed refuse nothing: the change is of the lock alone.
        let is_known = old.is_some_and(|old| old.is_same(&new));
        Ok(match candidate.error() {
            Some(_) if !is_known => Err(format!("a check finds an error{first}").into()),
            _ => Ok(candidate),
        })
    }
}

/// Chooses the crate of each name. The others are not written.
fn chosen<'s>(
    all: &'s [(&'s Dependency, Shipped<'s>)],
    not_written: &mut Vec<NotWritten>,
) -> Vec<(&'s str, From<'s>)> {
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
        let [first, others @ ..] = &candidates[..] else {
            continue;
        };
        let krate = first.krate.source();
        let left = |other: &From<'_>| other.left(format!("the name is taken by the {krate}"));
        not_written.extend(others.iter().map(left));
        let rank = |from: &From<'_>| (from.krate.is_direct, from.krate.name.len());
        let rival = others.iter().find(|other| {
            let is_other = other.krate.name != first.krate.name;
            rank(other) == rank(first) && (is_other || other.krate.version == first.krate.version)
        });
        match rival {
            // Nothing says which of `foo_bar` and `foo-bar`, or of two registries' `foo 1.0.0`, is meant.
            Some(From { krate, .. }) => {
                let rival = (krate.source(), &krate.root);
                let reason = prose!("the {} in {} has the name too", rival.0, rival.1);
                not_written.push(first.left(reason));
            }
            None => chosen.push((name, *first)),
        }
    }
    chosen
}

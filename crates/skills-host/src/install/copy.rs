//! `install NAME --from PLACE`: makes a skill of one folder of skills the same in another.

use crate::files::snapshot::Snapshot;
use crate::install::candidate::{Candidate, Offered};
use crate::install::decide::{OnConflict, Target};
use crate::install::fetch::Host;
use crate::install::plan::{Plan, PlannedSkill};
use crate::install::provenance::source_text;
use crate::install::remove::names_in;
use crate::install::source::{Origin, Source};
use crate::lock::read_lock;
use skills_format::disk::{resolve, resolved, resolved_ahead};
use skills_format::text::path::PathText as _;
use skills_format::{SkillName, prose};
use skills_repository::{Locked, Provenance};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::path::Path;

/// Plans to make skills of one folder the same in another folder, local changes included. A skill with other files goes
/// to the trash. An installed skill keeps its source; another skill has the folder as its source.
/// Sources in `repository`, which holds the folder to write, are recorded relative to the lock.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] for a skill that the folder does not have, [`ErrorKind::Usage`] if both folders are the same;
/// an unreadable lock.
pub fn plan_copy(
    names: &[String],
    from: &Path,
    to: &Path,
    repository: Option<&Path>,
    host: Host<'_>,
) -> Result<Plan, Error> {
    if resolved(from) == resolved_ahead(to) {
        let message = prose!("--from and --to are the same folder: {}", from);
        return Err(Error::new(ErrorKind::Usage, message).help("name another folder with --to"));
    }
    let lock = read_lock(from, host.data)?;
    // Whatever is there is replaced, also what a person added.
    let target = Target::open(to, OnConflict::Force, host)?;
    let folder = source_text(&Origin::Folder(resolved(from)), to, repository);
    let mut planned = Vec::new();
    for name in names.iter().collect::<BTreeSet<_>>() {
        let path = from.join(name);
        if SkillName::new(name).is_err() || !path.is_dir() {
            return Err(missing(name, from));
        }
        // Other programs link their folders: the copy holds the files, and never a link.
        let tree = host.fetch(&Source::whole(Origin::Folder(resolved(&path))), None)?;
        if !tree.skills(None).contains("") {
            return Err(missing(name, from));
        }
        let old = target.lock.skills.get(name);
        let candidate = Candidate::read(&tree, &Offered::named(name, ""), host.observer);
        let candidate = match candidate {
            Ok(candidate) => candidate,
            Err(error) => {
                planned.push(PlannedSkill::new(name, old).or_failed(Err(error))?);
                continue;
            }
        };
        let entry = lock.skills.get(name).map(|it| elsewhere(it, from));
        let known = entry.as_ref().and_then(|it| it.provenance.clone());
        let locked = candidate.locked(known.unwrap_or_else(|| {
            let mut provenance = Provenance::new(&folder);
            provenance.path = Some(name.clone());
            provenance
        }));
        // The lock names the installed version, which differs from the files after local changes.
        let entry = entry.unwrap_or_else(|| locked.clone());
        let mut skill = candidate.planned(name, &locked);
        let now = Snapshot::read(&to.join(name)).ok();
        if now.as_ref().is_some_and(|now| now.is_repository) {
            let reason = prose!("{} is a git repository of its own", &to.join(name));
            planned.push(skill.refuse(reason, "change it with git"));
            continue;
        }
        // The digest covers no run bits.
        let is_there = now.as_ref().is_some_and(|now| {
            now.digest() == locked.digest
                && now.clone().with_run_bits_of(&candidate.snapshot) == *now
        });
        if !is_there || !old.is_some_and(|old| old.is_same(&entry)) {
            let upstream = candidate.snapshot.clone();
            let decided = target.decide(skill, candidate.snapshot, locked, None);
            skill = PlannedSkill::new(name, old).or_failed(decided)?;
            if let Some(prepared) = &mut skill.prepared {
                prepared.locked = entry;
            }
            if let Some(now) = now {
                skill.compare(Some(&now), &upstream);
            }
        }
        planned.push(skill);
    }
    Ok(target.plan(planned, "install"))
}

fn missing(name: &str, folder: &Path) -> Error {
    let message = prose!("there is no skill '{}' in {}", name.escape_debug(), folder);
    let names = names_in(folder);
    Error::new(ErrorKind::NotFound, message)
        .help("`skills list` shows where it is")
        .did_you_mean(name, names.iter().map(String::as_str))
}

/// Makes a path in the source of an entry absolute: it is relative to the old lock's folder.
fn elsewhere(locked: &Locked, from: &Path) -> Locked {
    let mut locked = locked.clone();
    if let Some(provenance) = &mut locked.provenance
        && provenance.source.starts_with('.')
        && let Ok(path) = resolve(&from.join(&provenance.source))
    {
        provenance.source = path.shown().into_owned();
    }
    locked
}

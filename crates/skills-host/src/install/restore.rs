//! `restore`: brings back what the last command moved to the trash, or the last of one skill.

use crate::files::copy::is_there;
use crate::files::lock::LockEntry;
use crate::files::snapshot::Snapshot;
use crate::files::trash::Trashed;
use crate::install::fetch::Host;
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::lock::read_lock;
use crate::review::difference::between;
use jiff::Timestamp;
use skills_format::{Prose, prose};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Plans to bring back what the last command moved to the trash from some folders, or what was moved there last of the
/// skill `name`. A skill that is there now goes to the trash in turn, so that the next call brings it back.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] if the trash has no skills from these folders, or nothing of the skill.
pub fn plan_restore(
    targets: &[PathBuf],
    name: Option<&str>,
    host: Host<'_>,
) -> Result<Vec<Plan>, Error> {
    for target in targets {
        // Finishes the change of a killed process, which can move a skill to the trash. Only the folders of the plan
        // report a lock that cannot be read.
        let _ = read_lock(target, host.data);
    }
    let mut all = host.data.trash().list()?;
    all.retain(|trashed| targets.contains(&trashed.record.from));
    let is_named = |trashed: &Trashed| name.is_none_or(|name| trashed.record.name == name);
    let Some(last) = all.iter().find(|trashed| is_named(trashed)).cloned() else {
        return Err(nothing(targets, name, &all));
    };
    let operation = &last.record.operation;
    all.retain(|trashed| {
        let is_of_last = operation.is_some() && trashed.record.operation == *operation;
        is_named(trashed) && (trashed.id == last.id || is_of_last)
    });
    let mut seen = BTreeSet::new();
    all.retain(|it| seen.insert((it.record.from.clone(), it.record.name.clone())));
    let mut plans = Vec::new();
    for target in targets {
        let here = all.iter().filter(|trashed| trashed.record.from == *target);
        let skills: Vec<PlannedSkill> = here
            .map(|trashed| restored(target, trashed, host.clock.now()))
            .collect::<Result<_, _>>()?;
        if !skills.is_empty() {
            read_lock(target, host.data)?;
            plans.push(Plan::new(target.clone(), skills, "restore"));
        }
    }
    Ok(plans)
}

fn restored(target: &Path, trashed: &Trashed, now: Timestamp) -> Result<PlannedSkill, Error> {
    let locked = trashed.record.entry.as_ref().and_then(LockEntry::locked);
    let mut skill = PlannedSkill::new(&trashed.record.name, locked.as_ref());
    if !trashed.folder.is_dir() || trashed.folder.is_symlink() {
        let help = prose!("move it back from {}", &trashed.folder);
        return Ok(skill.refuse(
            "it was a file or a link, and only folders are restored",
            help,
        ));
    }
    skill.action = Action::Restore;
    // What was just moved needs no word; a second restore reaches further back.
    if now.duration_since(trashed.record.time).as_secs() > 60 {
        let (why, time) = (&trashed.record.why, trashed.record.time);
        skill.reason = Some(prose!("moved to the trash by `{why}` at {time:.0}"));
    }
    let place = target.join(&skill.name);
    if is_there(&place)? {
        skill.note = Some("the existing skill goes to the trash".into());
        skill.displaces_repository = is_there(&place.join(".git"))?;
        if let (Ok(now), Ok(old)) = (Snapshot::read(&place), Snapshot::read(&trashed.folder)) {
            skill.difference = between(&now, &old);
        }
    }
    skill.trashed = Some(trashed.clone());
    Ok(skill)
}

fn nothing(targets: &[PathBuf], name: Option<&str>, all: &[Trashed]) -> Error {
    let what = match name {
        None => "nothing".to_owned(),
        Some(name) => format!("no '{}'", name.escape_debug()),
    };
    let places = targets.iter().map(Prose::from);
    let places = places.reduce(|all, one| all.words(", ").and(one));
    let message = prose!("the trash has {what} from {}", places.unwrap_or_default());
    Error::new(ErrorKind::NotFound, message)
        .help("--list shows the trash of all folders, and --to names another folder")
        .did_you_mean(
            name.unwrap_or_default(),
            all.iter().map(|trashed| &*trashed.record.name),
        )
}

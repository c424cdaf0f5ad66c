//! `install --adopt`: takes over skills that another program installed.

use crate::install::foreign::{Claim, claim_of, claims};
use crate::install::host::Host;
use crate::install::plan::{Action, Plan, PlannedSkill, Prepared};
use crate::lock::{read_lock, snapshot_powers};
use skills_compiler::{Lock, Locked};
use skills_format::{SKILL_FILE, Skill, SkillFile, SkillName, prose};
use skills_store::Error;
use skills_store::files::copy::list;
use skills_store::files::snapshot::{Snapshot, is_skill_file};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Plans to write the sources recorded by other programs into the lock of a folder. `locks` are the files of other
/// programs; the first file with a skill wins, and the front matter of the skill overrides them. The present files
/// count as the installed version.
///
/// # Errors
///
/// If a lock of this program or of another cannot be read.
pub fn plan_adopt(
    target: &Path,
    locks: &[PathBuf],
    names: &[String],
    host: Host<'_>,
) -> Result<Plan, Error> {
    let lock = read_lock(target, host.data)?;
    let mut known: BTreeMap<String, Claim> = BTreeMap::new();
    for file in locks {
        for (name, claim) in claims(file)? {
            known.entry(name).or_insert(claim);
        }
    }
    let there = list(target)?
        .into_iter()
        .filter(|(name, path)| SkillName::new(name).is_ok() && may_be_skill(path));
    let mut all: BTreeSet<String> = there.map(|(name, _)| name).collect();
    all.extend(
        known
            .keys()
            .filter(|name| SkillName::new(name).is_ok())
            .cloned(),
    );
    let is_asked = |name: &String| names.is_empty() || names.contains(name);
    let mut planned = Vec::new();
    for name in all.iter().filter(|name| is_asked(name)) {
        let skill = plan_one(target, name, &lock, known.get(name));
        let failed = |error| PlannedSkill::new(name, None).failed(&error);
        planned.push(skill.unwrap_or_else(failed));
    }
    Plan::new(target.to_owned(), planned, "adopt")
}

/// Returns whether a folder is a skill, or is unreadable: the error is then reported for the skill.
fn may_be_skill(folder: &Path) -> bool {
    let is_file = |(name, path): &(String, PathBuf)| is_skill_file(name) && path.is_file();
    folder.is_dir() && list(folder).map_or(true, |entries| entries.iter().any(is_file))
}

fn plan_one(
    target: &Path,
    name: &str,
    lock: &Lock,
    claim: Option<&Claim>,
) -> Result<PlannedSkill, Error> {
    let old = lock.skills.get(name);
    let skill = PlannedSkill::new(name, old);
    if old.is_some_and(|old| old.provenance.is_some()) {
        return Ok(stays(skill, "the lock names its source already"));
    }
    let path = target.join(name);
    if path.is_symlink() {
        let reason = "it is a link: adopt the folder that it leads to";
        return Ok(stays(skill, reason));
    }
    if !path.is_dir() {
        let reason = "it is not in the folder: install it from its source";
        return Ok(stays(skill, reason));
    }
    let now = Snapshot::read(&path)?;
    if now.is_repository {
        return Ok(stays(skill, "it is a git repository of its own"));
    }
    let (file_name, bytes) = match now.skill_file() {
        Some((name, file)) => (name, &*file.bytes),
        None => (SKILL_FILE, [].as_slice()),
    };
    let read = SkillFile::read(SKILL_FILE, name, bytes).lenient().0;
    let front_matter = read.as_ref().map(Skill::front_matter_texts);
    let own = front_matter.and_then(|json| claim_of(&json, &path.join(file_name)));
    match own.as_ref().or(claim) {
        Some(claim) => Ok(adopted(skill, claim, read.as_ref(), now)),
        None => Ok(stays(
            skill,
            "no other program wrote down where it comes from",
        )),
    }
}

/// Leaves a skill as it is, for a reason.
fn stays(skill: PlannedSkill, reason: &str) -> PlannedSkill {
    let reason = Some(reason.into());
    PlannedSkill { reason, ..skill }
}

/// Plans a skill whose source a claim names.
fn adopted(
    skill: PlannedSkill,
    claim: &Claim,
    read: Option<&Skill>,
    now: Snapshot,
) -> PlannedSkill {
    let from = match &claim.source {
        Ok(from) => from.clone(),
        Err(why) => {
            let why = prose!("{}: {why}", &claim.file);
            return skill.refuse(why, "install it from its source");
        }
    };
    let locked = Locked::new(now.digest(), now.size())
        .with_powers(&snapshot_powers(&now))
        .from(from);
    let mut skill = PlannedSkill::new(&skill.name, Some(&locked));
    skill.describe(&now, read);
    skill.note = Some(prose!("as {} has it", &claim.file));
    skill.action = Action::Adopt;
    skill.prepared = Some(Box::new(Prepared {
        before: Some(now.seen()),
        upstream: now.clone(),
        result: now,
        locked,
    }));
    skill
}

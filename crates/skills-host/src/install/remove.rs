//! `uninstall`.

use crate::files::copy::{is_there, list};
use crate::files::snapshot::Snapshot;
use crate::install::decide::OnConflict;
use crate::install::fetch::Host;
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::lock::read_lock;
use skills_format::{Prose, SKILL_FILE, SkillName, prose};
use skills_repository::Locked;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::path::Path;

/// Plans to move skills to the trash. A skill that the lock does not name requires [`OnConflict::Force`].
///
/// # Errors
///
/// [`ErrorKind::NotFound`] for a skill that is neither in the folder nor in its lock.
pub fn plan_uninstall(
    target: &Path,
    names: &[String],
    on_conflict: OnConflict,
    host: Host<'_>,
) -> Result<Plan, Error> {
    let lock = read_lock(target, host.data)?;
    let mut planned = Vec::new();
    // A name that is given twice is removed once: its second removal would be restored too, from nothing.
    for name in names.iter().collect::<BTreeSet<_>>() {
        let locked = lock.skills.get(name);
        let there = SkillName::new(name).is_ok() && is_there(&target.join(name))?;
        if locked.is_none() && !there {
            let message = prose!("there is no skill '{}' in {}", name.escape_debug(), target);
            let others = names_in(target);
            let known = lock.skills.keys().chain(&others).map(String::as_str);
            return Err(Error::new(ErrorKind::NotFound, message)
                .help(prose!(
                    "`skills list` shows the skills, and --to names another folder"
                ))
                .did_you_mean(name, known));
        }
        let mut skill = PlannedSkill::new(name, locked);
        if locked.is_none() && on_conflict != OnConflict::Force {
            let reason = "`skills` did not install it";
            skill = skill.refuse(reason, "use --force to move it to the trash anyway");
        } else {
            skill.action = Action::Remove;
            if there {
                skill.note = displaced(&target.join(name), locked);
            } else {
                skill.note = Some("its folder is gone, and only the lock names it".into());
            }
        }
        planned.push(skill);
    }
    Ok(Plan::new(target.to_owned(), planned, "uninstall"))
}

/// Returns what only the trash has afterwards. A folder that cannot be read can be moved all the same.
fn displaced(path: &Path, locked: Option<&Locked>) -> Option<Prose> {
    let now = (!path.is_symlink()).then(|| Snapshot::read(path).ok());
    let now = now.flatten()?;
    let is_changed = locked.is_some_and(|locked| locked.digest != now.digest());
    let local = is_changed.then_some("its local changes go to the trash with it");
    let git = now
        .is_repository
        .then_some("its git repository goes to the trash with it");
    let notes: Vec<&str> = local.into_iter().chain(git).collect();
    (!notes.is_empty()).then(|| notes.join("; ").into())
}

/// Returns the names of the skills in a folder, for a help: a folder that cannot be read has none.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let Ok(names) = list(folder) else {
        return Vec::new();
    };
    let is_skill = |name: &String| folder.join(name).join(SKILL_FILE).is_file();
    let names = names.into_iter().map(|(name, _)| name);
    names.filter(is_skill).collect()
}

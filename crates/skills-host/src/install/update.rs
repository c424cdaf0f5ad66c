//! `update`: brings installed skills to the present version of their sources.

use crate::files::copy::is_there;
use crate::install::candidate::Offered;
use crate::install::decide::{OnConflict, Target};
use crate::install::fetch::{Host, Sources};
use crate::install::pins::Pins;
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::install::provenance::{LockPlace, SourcePlace, is_of_crate, source_of};
use crate::install::tree::SourceTree;
use crate::lock::read_lock;
use skills_format::prose;
use skills_repository::{Lock, Locked, Provenance};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The options of an update.
#[derive(Clone, Debug, Default)]
pub struct UpdateOptions {
    /// The names of the skills; empty for all skills.
    pub names: Vec<String>,
    /// True if errors of a strict check are only reported.
    pub is_lenient: bool,
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

/// Plans to update installed skills from their sources. A branch is followed. A tag or a commit stays, and a newer
/// tag is noted.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] for a name that is not in the lock. The error of one skill or one source is in the plan.
pub fn plan_update(target: &Path, options: &UpdateOptions, host: Host<'_>) -> Result<Plan, Error> {
    let mut update = Update {
        target: Target::open(target, options.on_conflict, host)?,
        options,
        place: LockPlace::new(target, options.repository.as_deref()),
        sources: Sources::new(host),
    };
    update.target.is_lenient = options.is_lenient;
    let pinned = Pins::of(host.data).names(target)?;
    let lock = update.target.lock.clone();
    let mut planned = Vec::new();
    for name in named(&lock, &options.names, target)? {
        let Some(old) = lock.skills.get(name) else {
            continue;
        };
        let skill = PlannedSkill::new(name, Some(old));
        planned.push(if pinned.contains(name) {
            let reason = "it is pinned; `update --pin off` ends that";
            skill.stays(Action::Current, reason)
        } else {
            skill.or_failed(update.follow(name, old))?
        });
    }
    let mut plan = update.target.plan(planned, "update");
    plan.heeds_pins = true;
    Ok(plan)
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

/// Returns the requested names, each once, or all names of a lock.
pub(crate) fn named<'l>(
    lock: &'l Lock,
    names: &[String],
    target: &Path,
) -> Result<BTreeSet<&'l String>, Error> {
    if names.is_empty() {
        return Ok(lock.skills.keys().collect());
    }
    let find = |name: &String| {
        let known = lock.skills.get_key_value(name);
        known.map(|(name, _)| name).ok_or_else(|| {
            let message = prose!("'{}' is not in the lock of {}", name.escape_debug(), target);
            Error::new(ErrorKind::NotFound, message)
                .help("`skills list` shows where each skill comes from")
                .did_you_mean(name, lock.skills.keys().map(String::as_str))
        })
    };
    names.iter().map(find).collect()
}

/// The update of a folder.
struct Update<'u> {
    target: Target<'u>,
    options: &'u UpdateOptions,
    place: LockPlace,
    sources: Sources<'u>,
}

impl Update<'_> {
    /// Plans one skill.
    fn follow(&mut self, name: &str, old: &Locked) -> Result<PlannedSkill, Error> {
        let skill = PlannedSkill::new(name, Some(old));
        let Some(mut from) = old.provenance.clone() else {
            return Ok(skill.stays(Action::Leave, "no source is known"));
        };
        if let Some(revision) = &self.options.revision {
            from.requested = Some(revision.clone());
            from.commit = None;
        }
        // Before the source is looked for: the plan shows the text of a skill, and so of any readable file.
        if !self.options.allows_local && self.place.of(&from.source) == SourcePlace::Local {
            let reason = format!("it comes from a folder on your disk: {}", from.source);
            return Ok(skill.refuse(reason, "if you trust that folder, use --allow local"));
        }
        let Some(source) = source_of(&from, self.target.folder) else {
            let reason = if is_of_crate(&from) {
                "a crate ships it, and `cargo skills deps` updates it"
            } else {
                "a program exported it, and updates it with `export`"
            };
            return Ok(skill.stays(Action::Leave, reason));
        };
        let source = source?;
        let resolved = self.sources.resolve(&source)?;
        // A tag or a commit stays at the locked commit.
        let commit = resolved.as_ref().map(|resolved| match &from.commit {
            Some(commit) if resolved.is_pinned => commit.clone(),
            _ => resolved.commit.clone(),
        });
        let is_same = commit.is_some() && commit == from.commit;
        // The same commit has the same files, so nothing is fetched.
        let mut skill = if is_same
            && self.options.on_conflict != OnConflict::Force
            && is_there(&self.target.folder.join(name))?
        {
            skill
        } else {
            let tree = self.sources.tree(&source, commit.as_deref())?;
            skill.or_failed(self.version(name, old, &from, &tree))?
        };
        if let Some(resolved) = resolved {
            skill.note = resolved.note(&from).map(Into::into);
            skill.newer = resolved.newer(&from);
        }
        Ok(skill)
    }

    fn version(
        &self,
        name: &str,
        old: &Locked,
        from: &Provenance,
        tree: &SourceTree<'_>,
    ) -> Result<PlannedSkill, Error> {
        let path = from.path.clone().unwrap_or_default();
        if !tree.skills(Some(&path)).contains(&path) {
            let skill = PlannedSkill::new(name, Some(old));
            return Ok(skill.stays(Action::Leave, "its source no longer has it; it is kept"));
        }
        let mut provenance = from.clone();
        provenance.commit.clone_from(&tree.commit);
        self.target
            .version(tree, &Offered::named(name, &path), provenance)
    }
}

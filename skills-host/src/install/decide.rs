//! What is done to one skill, given what is there, what was installed and what is new.

use crate::error::Error;
use crate::files::copy::is_there;
use crate::files::snapshot::Snapshot;
use crate::install::difference::between;
use crate::install::host::Host;
use crate::install::merge::{ByHand, merge};
use crate::install::plan::{Action, PlannedSkill, Prepared};
use skills_compiler::{Locked, Provenance};
use std::fs;
use std::path::Path;

/// What is done about a skill that was changed by hand, or is not ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnConflict {
    /// It is refused.
    #[default]
    Refuse,
    /// Changes are merged, file by file; a conflict refuses the whole skill.
    Merge,
    /// What is there goes to the trash.
    Force,
}

/// Where a new version goes, and what is known of the old one.
pub(crate) struct Place<'p> {
    pub(crate) target: &'p Path,
    pub(crate) old: Option<&'p Locked>,
    pub(crate) on_conflict: OnConflict,
    /// Gives the installed version when the store has lost it.
    pub(crate) lost: &'p dyn Fn() -> Result<Option<Snapshot>, Error>,
}

/// Decides about a skill whose new version was read. `planned` is described already.
pub(crate) fn decide(
    mut planned: PlannedSkill,
    upstream: Snapshot,
    locked: Locked,
    place: &Place<'_>,
    host: Host<'_>,
) -> Result<PlannedSkill, Error> {
    let path = place.target.join(&planned.name);
    let twin = twin(place.target, &planned.name)?;
    if let Some(twin) = twin {
        let reason =
            format!("`{twin}` is in the folder, and on some systems that is the same name");
        return Ok(planned.refuse(reason, "rename one of them"));
    }
    if !is_there(&path) {
        planned.difference = between(&Snapshot::default(), &upstream);
        return Ok(planned.prepare(Action::Install, upstream.clone(), upstream, None, locked));
    }
    let is_folder = fs::symlink_metadata(&path).is_ok_and(|path| path.is_dir());
    if !is_folder {
        let reason = format!("{} is a link or a file", path.display());
        return Ok(planned.refuse(reason, "remove it, or edit what it leads to"));
    }
    let now = Snapshot::read(&path)?;
    if now.is_repository && place.on_conflict != OnConflict::Force {
        let reason = format!("{} is a git repository of its own", path.display());
        return Ok(planned.refuse(reason, "update it with git, or use --force"));
    }
    let force = |planned: PlannedSkill, now: Snapshot, upstream: Snapshot, locked: Locked| {
        let mut planned = planned;
        planned.difference = between(&now, &upstream);
        let result = upstream.clone();
        planned.prepare(Action::Replace, upstream, result, Some(now), locked)
    };
    let Some(old) = place.old else {
        if now.digest() == upstream.digest() {
            let result = now.clone();
            return Ok(planned.prepare(Action::Update, upstream, result, Some(now), locked));
        }
        if place.on_conflict == OnConflict::Force {
            return Ok(force(planned, now, upstream, locked));
        }
        planned.difference = between(&now, &upstream);
        let reason = "a skill of this name is in the folder and was not installed".to_owned();
        return Ok(planned.refuse(
            reason,
            "rename it, or use --force: then it goes to the trash",
        ));
    };
    if !is_same_source(old, &locked) {
        if place.on_conflict == OnConflict::Force {
            return Ok(force(planned, now, upstream, locked));
        }
        let other = old
            .provenance
            .as_ref()
            .map_or("no known source", |from| &from.source);
        let reason = format!("the name is taken: it was installed from {other}");
        return Ok(planned.refuse(
            reason,
            "uninstall that one first, or use --force: then it goes to the trash",
        ));
    }
    three_way(planned, now, upstream, locked, old, place, host)
}

fn three_way(
    mut planned: PlannedSkill,
    now: Snapshot,
    upstream: Snapshot,
    locked: Locked,
    old: &Locked,
    place: &Place<'_>,
    host: Host<'_>,
) -> Result<PlannedSkill, Error> {
    let Some(installed) = installed(&now, old, place, host)? else {
        planned.difference = between(&now, &upstream);
        if place.on_conflict == OnConflict::Force {
            let result = upstream.clone();
            let now = Some(now);
            return Ok(planned.prepare(Action::Replace, upstream, result, now, locked));
        }
        let reason = "it was changed by hand, and the installed version is neither in the store nor in its source";
        return Ok(planned.refuse(reason, "use --force: then what is there goes to the trash"));
    };
    let by_hand = ByHand::between(&installed, &now);
    planned.by_hand = between(&installed, &now);
    planned.kept.clone_from(&by_hand.added);
    if old.is_same(&locked) && place.on_conflict != OnConflict::Force {
        planned.action = Action::Current;
        if old.provenance == locked.provenance {
            return Ok(planned);
        }
        // Only the lock changes: another revision with the same files.
        let result = now.clone();
        return Ok(planned.prepare(Action::Update, upstream, result, Some(now), locked));
    }
    if place.on_conflict == OnConflict::Force && !by_hand.changed.is_empty() {
        let mut result = upstream.clone();
        for path in &by_hand.added {
            let entry = now.entries.get(path).cloned();
            if let (Some(entry), false) = (entry, result.entries.contains_key(path)) {
                result.entries.insert(path.clone(), entry);
            }
        }
        planned.difference = between(&now, &result);
        let now = Some(now);
        return Ok(planned.prepare(Action::Replace, upstream, result, now, locked));
    }
    let merged = merge(&installed, &now, &upstream, host)?;
    planned.difference = between(&now, &merged.result);
    planned.kept.extend(merged.kept);
    let is_changed = !by_hand.changed.is_empty();
    if is_changed && place.on_conflict == OnConflict::Refuse {
        planned.difference = between(&installed, &upstream);
        let files = by_hand.changed.join(", ");
        return Ok(planned.refuse(
            format!("it was changed by hand: {files}"),
            "use --merge to bring both changes together, or --force: then what is there goes to the trash",
        ));
    }
    if let Some((path, why)) = merged.conflicts.first() {
        if place.on_conflict == OnConflict::Force {
            let now = Some(now);
            let result = upstream.clone();
            return Ok(planned.prepare(Action::Replace, upstream, result, now, locked));
        }
        planned.difference = between(&installed, &upstream);
        let more = merged.conflicts.len() - 1;
        let more = if more == 0 {
            String::new()
        } else {
            format!(", and {more} more")
        };
        return Ok(planned.refuse(
            format!("{path}: {why}{more}"),
            "change the file by hand, or use --force: then what is there goes to the trash",
        ));
    }
    let action = if is_changed {
        Action::Merge
    } else {
        Action::Update
    };
    Ok(planned.prepare(action, upstream, merged.result, Some(now), locked))
}

/// The version that was installed: what is there, when it was not changed; else from the store, or
/// from its source.
fn installed(
    now: &Snapshot,
    old: &Locked,
    place: &Place<'_>,
    host: Host<'_>,
) -> Result<Option<Snapshot>, Error> {
    if now.digest() == old.digest {
        let files = now
            .files()
            .map(|(path, file)| (path.to_owned(), file.clone()));
        return Ok(Some(Snapshot::of(files)));
    }
    if let Some(kept) = host.data.store().get(old.digest)? {
        return Ok(Some(kept));
    }
    let found = (place.lost)()?;
    Ok(found.filter(|found| found.digest() == old.digest))
}

/// Whether two entries name one skill of one source, whatever its version.
fn is_same_source(old: &Locked, new: &Locked) -> bool {
    let place = |locked: &Locked| {
        let from = locked.provenance.as_ref()?;
        Some((program_or_url(from), from.path.clone()))
    };
    place(old).is_some() && place(old) == place(new)
}

/// The source without what changes from version to version.
fn program_or_url(from: &Provenance) -> String {
    match from.source.strip_prefix("program ") {
        Some(rest) => rest.split(' ').next().unwrap_or_default().to_owned(),
        None => from.source.clone(),
    }
}

/// Another entry of the folder whose name is the same where cases do not count.
fn twin(target: &Path, name: &str) -> Result<Option<String>, Error> {
    use crate::install::paths::folded;
    let entries = crate::files::store::list(target)?;
    let is_twin = |other: &String| other != name && folded(other) == folded(name);
    Ok(entries.into_iter().map(|(other, _)| other).find(is_twin))
}

impl PlannedSkill {
    fn prepare(
        mut self,
        action: Action,
        upstream: Snapshot,
        result: Snapshot,
        before: Option<Snapshot>,
        locked: Locked,
    ) -> Self {
        self.action = action;
        self.prepared = Some(Box::new(Prepared {
            upstream,
            result,
            before,
            locked,
        }));
        self
    }
}

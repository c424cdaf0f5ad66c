//! Decides the action for one skill from three versions: the present, the installed and the new one.

use crate::files::copy::{is_there, list};
use crate::files::relative_path::folded;
use crate::files::snapshot::{Seen, Snapshot};
use crate::install::candidate::{Candidate, Offered};
use crate::install::crate_source::CrateSource;
use crate::install::fetch::Host;
use crate::install::merge::{ByHand, merge, reason};
use crate::install::plan::{Action, Plan, PlannedSkill, Prepared};
use crate::install::provenance::is_exported;
use crate::install::tree::SourceTree;
use crate::lock::{read_lock, snapshot_powers};
use crate::review::compare_snapshots;
use crate::review::difference::between;
use skills_format::{Prose, prose};
use skills_repository::{Lock, Locked, Provenance};
use skills_store::Error;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The action for a skill with local changes, or for an existing skill of another origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// Refuse the skill.
    #[default]
    Refuse,
    /// Merge the changes, file by file, with git's markers in a file that both sides changed. A file that cannot hold
    /// markers refuses the whole skill.
    Merge,
    /// Replace the existing skill, which goes to the trash.
    Force,
}

/// A folder of skills for which versions are planned, with its lock.
pub(crate) struct Target<'t> {
    pub(crate) folder: &'t Path,
    pub(crate) lock: Lock,
    pub(crate) on_conflict: OnConflict,
    /// True if errors of a strict check are only reported.
    pub(crate) is_lenient: bool,
    pub(crate) host: Host<'t>,
    /// The entries of the folder, by their case-folded names.
    entries: BTreeMap<String, Vec<String>>,
}

impl<'t> Target<'t> {
    /// Reads the lock and the entries, once for all skills of a plan.
    pub(crate) fn open(
        folder: &'t Path,
        on_conflict: OnConflict,
        host: Host<'t>,
    ) -> Result<Self, Error> {
        let mut entries: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, _) in list(folder)? {
            entries.entry(folded(&name)).or_default().push(name);
        }
        Ok(Self {
            folder,
            lock: read_lock(folder, host.data)?,
            on_conflict,
            is_lenient: false,
            host,
            entries,
        })
    }

    /// Makes the plan. A skill whose entry another process changes meanwhile is not written.
    pub(crate) fn plan(&self, planned: Vec<PlannedSkill>, why: &'static str) -> Plan {
        Plan::new(self.folder.to_owned(), planned, why).over(&self.lock)
    }

    /// Reads a version of a skill, and decides the action. A version that a check refuses is not compared.
    pub(crate) fn version(
        &self,
        tree: &SourceTree<'_>,
        offered: &Offered,
        from: Provenance,
    ) -> Result<PlannedSkill, Error> {
        let candidate = Candidate::read(tree, offered, self.host.observer)?;
        let locked = candidate.locked(from);
        let planned = candidate.planned(&offered.name, &locked);
        let Some(skill) = &candidate.skill else {
            let reason = "no name and description can be read from its SKILL.md";
            return Ok(planned.refuse(reason, "this is for its author to correct"));
        };
        if skill.name.as_str() != offered.name {
            let reason = format!("its source has renamed it to `{}`", skill.name);
            let help = "uninstall it, then install it under the new name";
            return Ok(planned.refuse(reason, help));
        }
        // Errors in files that are already installed refuse nothing: only the lock is changed.
        let old = self.lock.skills.get(&offered.name);
        let is_known = self.is_lenient || old.is_some_and(|old| locked.is_same(old));
        if let Some(error) = candidate.error().filter(|_| !is_known) {
            let reason = format!("`skills check` finds {error}");
            let help = "report it to its author, or use --allow lenient to install it as it is";
            return Ok(planned.refuse(reason, help));
        }
        self.decide(planned, candidate.snapshot, locked, old)
    }

    /// Decides the action for a skill whose new version was read. `planned` is described already.
    pub(crate) fn decide(
        &self,
        mut planned: PlannedSkill,
        upstream: Snapshot,
        locked: Locked,
        old: Option<&Locked>,
    ) -> Result<PlannedSkill, Error> {
        let path = self.folder.join(&planned.name);
        // First: on a case-insensitive file system `path` leads to the twin, and `Force` would replace that skill.
        let alike = self.entries.get(&folded(&planned.name));
        if let Some(twin) = alike.and_then(|all| all.iter().find(|it| **it != planned.name)) {
            let reason =
                format!("`{twin}` is in the folder, and on some systems that is the same name");
            return Ok(planned.refuse(reason, "rename one of them"));
        }
        if !is_there(&path)? {
            if let Some(old) = old {
                // A folder that somebody removed must not make a wider version of an installed skill a new skill.
                let installed = installed(&Snapshot::default(), old, self.host)?;
                planned.compare(installed.as_ref(), &upstream);
            }
            planned.difference = between(&Snapshot::default(), &upstream);
            return Ok(planned.prepare(Action::Install, upstream.clone(), upstream, None, locked));
        }
        if !fs::symlink_metadata(&path).is_ok_and(|path| path.is_dir()) {
            let reason = prose!("{} is a link or a file", &path);
            return Ok(planned.refuse(reason, "remove it, or edit what it leads to"));
        }
        let arrival = Arrival {
            now: Snapshot::read(&path)?,
            planned,
            upstream,
            locked,
            is_forced: self.on_conflict == OnConflict::Force,
        };
        if arrival.now.is_repository && !arrival.is_forced {
            let reason = prose!("{} is a git repository of its own", &path);
            let help =
                "update it with git, or use --force: then it goes to the trash with its `.git`";
            return Ok(arrival.planned.refuse(reason, help));
        }
        match old {
            None => Ok(arrival.over_a_stranger()),
            Some(old) if !is_same_source(old, &arrival.locked) => Ok(arrival.over_another(old)),
            Some(old) => arrival.over_the_old(old, self),
        }
    }
}

/// A new version whose place is taken.
struct Arrival {
    planned: PlannedSkill,
    /// The existing files.
    now: Snapshot,
    upstream: Snapshot,
    locked: Locked,
    is_forced: bool,
}

impl Arrival {
    /// Decides over an existing skill that was not installed.
    fn over_a_stranger(self) -> PlannedSkill {
        // Equal files only get an entry in the lock.
        if self.now.digest() == self.upstream.digest() {
            let result = self.now.clone().with_run_bits_of(&self.upstream);
            return self.prepare(Action::Update, result);
        }
        if self.is_forced {
            return self.replace();
        }
        let now = self.now.clone();
        self.refuse(
            &now,
            "a skill of this name is in the folder and was not installed",
            "rename it, or use --force: then it goes to the trash",
        )
    }

    /// Decides over an existing skill from another source.
    fn over_another(self, old: &Locked) -> PlannedSkill {
        if self.is_forced {
            return self.replace();
        }
        let other = old.provenance.as_ref().map_or(
            "a source that is not known".into(),
            Provenance::shown_source,
        );
        self.planned.refuse(
            format!("the name is taken: it was installed from {other}"),
            "uninstall that one first, or use --force: then it goes to the trash",
        )
    }

    /// Decides over an older version of the same skill, by a comparison of three versions.
    fn over_the_old(mut self, old: &Locked, target: &Target<'_>) -> Result<PlannedSkill, Error> {
        let Some(installed) = installed(&self.now, old, target.host)? else {
            if self.is_forced {
                return Ok(self.replace());
            }
            let now = self.now.clone();
            return Ok(self.refuse(
                &now,
                "it has local changes, and the installed version is not in the store",
                "use --force, which moves the existing skill to the trash",
            ));
        };
        let by_hand = ByHand::between(&installed, &self.now);
        self.planned.compare(Some(&installed), &self.upstream);
        self.planned.by_hand = between(&installed, &self.now);
        self.planned.kept = by_hand.added.iter().map(ToString::to_string).collect();
        // Before the comparison of versions: `Force` discards local changes also without a new version.
        if self.is_forced && !by_hand.changed.is_empty() {
            return Ok(self.replace_with_added(&by_hand));
        }
        if old.is_same(&self.locked) {
            // The digest covers no run bits: the new version can differ in them alone.
            let result = self.now.clone().with_run_bits_of(&self.upstream);
            if result != self.now {
                return Ok(self.prepare(Action::Update, result));
            }
            return Ok(self.stay(old));
        }
        if !by_hand.changed.is_empty() && target.on_conflict == OnConflict::Refuse {
            let files = by_hand.changed.join(", ");
            return Ok(self.refuse(
                &installed,
                format!("it has local changes: {files}"),
                "use `update --merge` to merge both changes, or --force, which moves the existing skill to the trash",
            ));
        }
        Ok(self.merge(
            &installed,
            &by_hand,
            target.on_conflict == OnConflict::Merge,
        ))
    }

    /// Decides when the files are equal. A later commit with equal files is not reported; another requested revision
    /// changes the lock, and so do powers that are not those of the files.
    fn stay(mut self, old: &Locked) -> PlannedSkill {
        let of_any_commit = |locked: &Locked| {
            let mut from = locked.provenance.clone()?;
            from.commit = None;
            Some(from)
        };
        let powers = Some(snapshot_powers(&self.upstream).for_lock());
        let has_other_powers = old.powers.is_some() && old.powers != powers;
        if of_any_commit(old) == of_any_commit(&self.locked) && !has_other_powers {
            self.planned.action = Action::Current;
            return self.planned;
        }
        let now = self.now.clone();
        self.prepare(Action::Update, now)
    }

    fn merge(mut self, installed: &Snapshot, by_hand: &ByHand, may_mark: bool) -> PlannedSkill {
        let merged = merge(installed, &self.now, &self.upstream);
        if merged.conflicts.is_empty() {
            self.planned.kept.extend(merged.kept);
            let action = if by_hand.changed.is_empty() {
                Action::Update
            } else {
                Action::Merge
            };
            return self.prepare(action, merged.result);
        }
        if self.is_forced {
            return self.replace_with_added(by_hand);
        }
        self.planned.conflicts.clone_from(&merged.conflicts);
        if may_mark && merged.conflicts.iter().all(|it| it.marked) {
            self.planned.kept.extend(merged.kept);
            return self.prepare(Action::Merge, merged.result);
        }
        let help = if merged.conflicts.iter().all(|it| it.marked) {
            "use --merge, which writes conflict markers into the file, or --force, which moves the existing skill to the trash"
        } else {
            "change the file by hand, or use --force, which moves the existing skill to the trash"
        };
        self.refuse(installed, reason(&merged.conflicts), help)
    }

    /// Replaces the existing skill. Local additions are kept, except where the new version has the same file.
    fn replace_with_added(self, by_hand: &ByHand) -> PlannedSkill {
        let added = by_hand
            .added
            .iter()
            .filter_map(|path| self.now.entries.get_key_value(path));
        let result = self.upstream.clone().with(added);
        self.prepare(Action::Replace, result)
    }

    fn replace(self) -> PlannedSkill {
        let result = self.upstream.clone();
        self.prepare(Action::Replace, result)
    }

    fn prepare(mut self, action: Action, result: Snapshot) -> PlannedSkill {
        self.planned.difference = between(&self.now, &result);
        self.planned.part_kept(&self.now, &self.upstream, &result);
        let now = Some(self.now.seen());
        self.planned
            .prepare(action, self.upstream, result, now, self.locked)
    }

    /// Refuses the new version, and shows how it differs from `base`.
    fn refuse(
        mut self,
        base: &Snapshot,
        reason: impl Into<Prose>,
        help: impl Into<Prose>,
    ) -> PlannedSkill {
        self.planned.difference = between(base, &self.upstream);
        self.planned.refuse(reason, help)
    }
}

/// Returns the installed version: the present files if they are unchanged, else from the store.
fn installed(now: &Snapshot, old: &Locked, host: Host<'_>) -> Result<Option<Snapshot>, Error> {
    if now.digest() == old.digest {
        return Ok(Some(now.counted()));
    }
    host.data.store().get(old.digest)
}

/// Returns whether two entries name one skill of one source, whatever the version.
fn is_same_source(old: &Locked, new: &Locked) -> bool {
    let place = |locked: &Locked| {
        let from = locked.provenance.as_ref()?;
        Some((without_version(from).to_owned(), from.path.clone()))
    };
    place(old).is_some() && place(old) == place(new)
}

/// Returns the source, without the version of a program or a crate.
fn without_version(from: &Provenance) -> &str {
    let source = from.source.as_str();
    if let Some(of_crate) = CrateSource::parse(source) {
        return of_crate.krate;
    }
    let is_versioned = is_exported(from);
    let name = source.rsplit_once(' ').filter(|_| is_versioned);
    name.map_or(source, |(name, _)| name)
}

impl PlannedSkill {
    /// Compares a new version with the installed one, as `skills diff` does. Without the files of the installed version, all of
    /// the new version is new.
    pub(crate) fn compare(&mut self, installed: Option<&Snapshot>, upstream: &Snapshot) {
        self.changes = compare_snapshots(&self.name, installed, upstream);
        self.gained = self.changes.denied();
    }

    /// Parts the files that were to be kept by what the result has in their place: the same file, or that of the new
    /// version. A file of both versions is in neither list.
    pub(crate) fn part_kept(&mut self, now: &Snapshot, upstream: &Snapshot, result: &Snapshot) {
        let entry = |of: &Snapshot, path: &str| of.entries.get(path).cloned();
        for path in std::mem::take(&mut self.kept) {
            let placed = entry(result, &path);
            if placed == entry(now, &path) {
                self.kept.push(path);
            } else if placed == entry(upstream, &path) {
                self.not_kept.push(path);
            }
        }
    }

    pub(crate) fn prepare(
        mut self,
        action: Action,
        upstream: Snapshot,
        result: Snapshot,
        before: Option<Seen>,
        locked: Locked,
    ) -> Self {
        // A snapshot holds no `.git`, so the whole folder goes to the trash, whatever the change.
        self.displaces_repository = before.is_some_and(|before| before.is_repository);
        self.action = match action {
            Action::Update | Action::Merge if self.displaces_repository => Action::Replace,
            action => action,
        };
        self.prepared = Some(Box::new(Prepared {
            upstream,
            result,
            before,
            locked,
        }));
        self
    }
}

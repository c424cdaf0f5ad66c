//! `install NAME --from PLACE`: makes a skill of one folder of skills the same in another.

use crate::files::snapshot::{Entry, Snapshot};
use crate::install::candidate::checked;
use crate::install::decide::{Neighbours, with_run_bits_of};
use crate::install::host::Host;
use crate::install::plan::{Action, LeftOut, Plan, PlannedSkill};
use crate::install::provenance::source_text;
use crate::install::remove::names_in;
use crate::install::seen::Heed;
use crate::install::source::Origin;
use crate::lock::{read_lock, snapshot_powers};
use crate::review::difference::between;
use skills_format::disk::{resolve, resolved, resolved_ahead};
use skills_format::text::path::PathText as _;
use skills_format::{SkillName, left_out, prose};
use skills_repository::{Lock, Locked, Provenance};
use skills_store::files::copy::is_there;
use skills_store::{Error, ErrorKind};
use std::fs;
use std::path::{Path, PathBuf};

/// The options of a copy.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CopyOptions {
    /// The repository that holds the folder to write. Sources in it are recorded relative to the lock.
    pub repository: Option<PathBuf>,
}

/// Plans to make skills of one folder the same in another folder, local changes included. A skill with other files goes
/// to the trash. An installed skill keeps its source; another skill has the folder as its source.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] for a skill that the folder does not have, [`ErrorKind::Usage`] if both folders are the same;
/// an unreadable lock.
pub fn plan_copy(
    names: &[String],
    from: &Path,
    to: &Path,
    options: &CopyOptions,
    host: Host<'_>,
) -> Result<Plan, Error> {
    if resolved(from) == resolved_ahead(to) {
        let message = prose!("--from and --to are the same folder: {}", from);
        return Err(Error::new(ErrorKind::Usage, message).help("name another folder with --to"));
    }
    let copy = Copy {
        from,
        to,
        options,
        lock: read_lock(from, host.data)?,
        there: read_lock(to, host.data)?,
        neighbours: Neighbours::of(to)?,
        host,
    };
    let mut planned = Vec::new();
    for name in names {
        planned.push(copy.plan(name)?);
    }
    planned.dedup_by(|a, b| a.name == b.name);
    let plan = Plan::new(to.to_owned(), planned, "install");
    Ok(plan.over(&copy.there, Heed::Nothing))
}

/// A copy between two folders of skills.
struct Copy<'c> {
    from: &'c Path,
    to: &'c Path,
    options: &'c CopyOptions,
    /// The lock of the folder that is read.
    lock: Lock,
    /// The lock of the folder that is written.
    there: Lock,
    neighbours: Neighbours,
    host: Host<'c>,
}

impl Copy<'_> {
    fn plan(&self, name: &str) -> Result<PlannedSkill, Error> {
        let path = self.from.join(name);
        if SkillName::new(name).is_err() || !is_there(&path)? {
            return Err(self.missing(name));
        }
        // Other programs link their folders: the copy holds the files, and never a link.
        let whole = Snapshot::read(&resolved(&path))?;
        let has = |path: &str| whole.entries.contains_key(path);
        let left_out = whole.beside().filter_map(|(path, entry)| match entry {
            Entry::File(_) => left_out(path, &has).map(LeftOut::new),
            Entry::Link(_) => Some(LeftOut::link(path)),
        });
        let mut left_out: Vec<LeftOut> = left_out.collect();
        left_out.dedup();
        let snapshot = whole.counted();
        if snapshot.skill_file().is_none() {
            return Err(self.missing(name));
        }
        let locked = self.locked(name, &snapshot);
        let mut planned = PlannedSkill::new(name, Some(&locked));
        let (skill, findings) = checked(&snapshot, name);
        planned.describe(&snapshot, skill.as_ref());
        planned.findings = findings;
        planned.left_out = left_out;
        // The lock names the installed version, which differs from the files after local changes.
        let kept = self.host.data.store().get(locked.digest)?;
        let upstream = kept.unwrap_or_else(|| snapshot.clone());
        let target = self.to.join(name);
        if let Some(twin) = self.neighbours.twin(name) {
            let reason =
                format!("`{twin}` is in the folder, and on some systems that is the same name");
            return Ok(planned.refuse(reason, "rename one of them"));
        }
        if !is_there(&target)? {
            planned.difference = between(&Snapshot::default(), &snapshot);
            return Ok(planned.prepare(Action::Install, upstream, snapshot, None, locked));
        }
        if !fs::symlink_metadata(&target).is_ok_and(|target| target.is_dir()) {
            let reason = prose!("{} is a link or a file", &target);
            return Ok(planned.refuse(reason, "remove it, or edit what it leads to"));
        }
        let now = Snapshot::read(&target)?;
        if now.is_repository {
            let reason = prose!("{} is a git repository of its own", &target);
            return Ok(planned.refuse(reason, "change it with git"));
        }
        if now.digest() == snapshot.digest() {
            let result = with_run_bits_of(&now, &snapshot);
            let is_same = result.is_none();
            planned.difference = between(&now, result.as_ref().unwrap_or(&now));
            if is_same
                && self
                    .there
                    .skills
                    .get(name)
                    .is_some_and(|old| old.is_same(&locked))
            {
                return Ok(planned);
            }
            let result = result.unwrap_or_else(|| now.clone());
            return Ok(planned.prepare(Action::Update, upstream, result, Some(now.seen()), locked));
        }
        planned.compare(Some(&now), &snapshot);
        planned.difference = between(&now, &snapshot);
        Ok(planned.prepare(
            Action::Replace,
            upstream,
            snapshot,
            Some(now.seen()),
            locked,
        ))
    }

    /// Returns the entry of the copy.
    fn locked(&self, name: &str, snapshot: &Snapshot) -> Locked {
        if let Some(locked) = self.lock.skills.get(name) {
            return elsewhere(locked, self.from);
        }
        let origin = Origin::Folder(resolved(self.from));
        let source = source_text(&origin, self.to, self.options.repository.as_deref());
        let mut from = Provenance::new(source);
        from.path = Some(name.to_owned());
        Locked::new(snapshot.digest(), snapshot.size())
            .with_powers(&snapshot_powers(snapshot))
            .from(from)
    }

    fn missing(&self, name: &str) -> Error {
        let message = prose!(
            "there is no skill '{}' in {}",
            name.escape_debug(),
            self.from
        );
        let names = names_in(self.from);
        Error::new(ErrorKind::NotFound, message)
            .help("`skills list --everywhere` shows where it is")
            .did_you_mean(name, names.iter().map(String::as_str))
    }
}

/// Makes the paths in the source of an entry absolute: they are relative to the old lock's folder.
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

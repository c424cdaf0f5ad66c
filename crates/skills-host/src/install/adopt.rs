//! `install --adopt`: takes over skills that another program installed.

use crate::install::foreign::{Adopter, Claim, OPENSKILLS, claim_beside, claim_of, claims};
use crate::install::host::Host;
use crate::install::offer::Offer;
use crate::install::plan::{Action, Plan, PlannedSkill, Prepared};
use crate::install::provenance::{LockPlace, LockedSource, SourcePlace, placed, source_of};
use crate::install::seen::Heed;
use crate::install::update::LocalSources;
use crate::lock::{read_lock, snapshot_powers};
use skills_compiler::{Lock, Locked, Provenance};
use skills_format::{Prose, SKILL_FILE, Skill, SkillFile, SkillName, prose};
use skills_store::files::copy::list;
use skills_store::files::snapshot::{Snapshot, is_skill_file};
use skills_store::{Error, ErrorKind};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The options of an adoption.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AdoptOptions {
    /// The locks of other programs; the first lock with a skill wins.
    pub locks: Vec<PathBuf>,
    /// The names of the skills; empty for all skills.
    pub names: Vec<String>,
    /// The repository that holds the folder of skills: the locks came with a clone.
    pub repository: Option<PathBuf>,
    /// The permission to look into local sources outside of the repository.
    pub local: LocalSources,
}

/// Returns the sources into which an adoption would look, since a lock does not name the folder of a skill.
///
/// # Errors
///
/// The errors of [`plan_adopt`].
pub fn adopt_sources(
    target: &Path,
    options: &AdoptOptions,
    host: Host<'_>,
) -> Result<Vec<LockedSource>, Error> {
    let lock = read_lock(target, host.data)?;
    let known = Known::read(target, options)?;
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let candidates = known.names(target)?.into_iter().filter_map(|name| {
        let found = Candidate::read(target, &name, &lock, &known).ok()?;
        Some((name, found.ok()?))
    });
    let candidates: Vec<(String, Candidate)> = candidates.collect();
    for (name, candidate) in &candidates {
        if let Some(from) = candidate.partial() {
            all.entry(&from.source).or_default().push(name.clone());
        }
    }
    Ok(placed(all, target, options.repository.as_deref()))
}

/// Plans to write the sources recorded by other programs into the lock of a folder. The first lock with a skill wins. A
/// record in the folder of the skill overrides the locks, and its front matter overrides both. The present files count as
/// the installed version.
///
/// # Errors
///
/// If a lock of this program or of another cannot be read.
///
/// # Cost
///
/// Fetches each source of [`adopt_sources`].
pub fn plan_adopt(target: &Path, options: &AdoptOptions, host: Host<'_>) -> Result<Plan, Error> {
    let lock = read_lock(target, host.data)?;
    let known = Known::read(target, options)?;
    let temporary = host.data.temporary();
    let mut sources = Sources {
        target,
        place: LockPlace::new(target, options.repository.as_deref()),
        local: options.local,
        host,
        temporary: &temporary,
        offers: BTreeMap::new(),
    };
    let mut planned = Vec::new();
    for name in known.names(target)? {
        let skill = match Candidate::read(target, &name, &lock, &known) {
            Ok(Ok(candidate)) => candidate.adopted(&name, &mut sources)?,
            Ok(Err(stays)) => *stays,
            Err(error) => PlannedSkill::new(&name, None).failed(&error),
        };
        planned.push(skill);
    }
    drop(sources);
    let plan = Plan::new(target.to_owned(), planned, "adopt")?;
    Ok(plan.over(&lock, Heed::Nothing))
}

/// The records of other programs about the skills of a folder.
struct Known<'k> {
    options: &'k AdoptOptions,
    adopter: Adopter<'k>,
    claims: BTreeMap<String, Claim>,
}

impl<'k> Known<'k> {
    fn read(target: &'k Path, options: &'k AdoptOptions) -> Result<Self, Error> {
        let repository = options.repository.as_deref();
        let adopter = Adopter { target, repository };
        let mut known = BTreeMap::new();
        for file in &options.locks {
            for (name, claim) in claims(file, adopter)? {
                known.entry(name).or_insert(claim);
            }
        }
        Ok(Self {
            options,
            adopter,
            claims: known,
        })
    }

    /// Returns the names of the skills of the folder and of the records, as far as they are asked for.
    fn names(&self, target: &Path) -> Result<BTreeSet<String>, Error> {
        let there = list(target)?
            .into_iter()
            .filter(|(_, path)| may_be_skill(path));
        let recorded = self.claims.keys().cloned();
        let mut all: BTreeSet<String> = there.map(|(name, _)| name).chain(recorded).collect();
        let asked = &self.options.names;
        all.retain(|name| {
            SkillName::new(name).is_ok() && (asked.is_empty() || asked.contains(name))
        });
        Ok(all)
    }
}

/// Returns whether a folder is a skill, or is unreadable: the error is then reported for the skill.
fn may_be_skill(folder: &Path) -> bool {
    let is_file = |(name, path): &(String, PathBuf)| is_skill_file(name) && path.is_file();
    folder.is_dir() && list(folder).map_or(true, |entries| entries.iter().any(is_file))
}

/// A skill of the folder whose source a record names.
struct Candidate {
    claim: Claim,
    now: Snapshot,
    read: Option<Skill>,
}

impl Candidate {
    /// Reads a skill; the inner error is the planned skill that stays as it is.
    fn read(
        target: &Path,
        name: &str,
        lock: &Lock,
        known: &Known<'_>,
    ) -> Result<Result<Self, Box<PlannedSkill>>, Error> {
        let old = lock.skills.get(name);
        let stays = |reason: &str| {
            let mut skill = PlannedSkill::new(name, old);
            skill.action = Action::Leave;
            skill.reason = Some(reason.into());
            Ok(Err(Box::new(skill)))
        };
        if old.is_some_and(|old| old.provenance.is_some()) {
            return stays("the lock names its source already");
        }
        let path = target.join(name);
        if path.is_symlink() {
            return stays("it is a link: adopt the folder that it leads to");
        }
        if !path.is_dir() {
            return stays("it is not in the folder: install it from its source");
        }
        let now = Snapshot::read(&path)?;
        if now.is_repository {
            return stays("it is a git repository of its own");
        }
        let (file_name, bytes) = match now.skill_file() {
            Some((name, file)) => (name, &*file.bytes),
            None => (SKILL_FILE, [].as_slice()),
        };
        let read = SkillFile::read(SKILL_FILE, name, bytes).lenient().0;
        let front_matter = read.as_ref().map(Skill::front_matter_texts);
        let own =
            front_matter.and_then(|json| claim_of(&json, &path.join(file_name), known.adopter));
        let file = |wanted: &str| {
            let found = now.files().find(|(path, _)| *path == wanted);
            found.map(|(_, file)| file.bytes.to_vec())
        };
        let claim = own
            .or_else(|| claim_beside(&path, &file, known.adopter))
            .or_else(|| known.claims.get(name).cloned());
        match claim {
            Some(claim) => Ok(Ok(Self { claim, now, read })),
            None => stays("no program wrote down where it comes from"),
        }
    }

    /// Returns the source whose folder of the skill is not known.
    fn partial(&self) -> Option<&Provenance> {
        let from = self.claim.source.as_ref().ok();
        from.filter(|_| self.claim.is_partial)
    }

    fn note(&self) -> Prose {
        let file = &self.claim.file;
        let is_beside = file.file_name().is_some_and(|name| name == OPENSKILLS);
        if is_beside {
            // The file counts as installed, and the source does not have it.
            return prose!("as {} has it; the next update removes that file", file);
        }
        prose!("as {} has it", file)
    }

    /// Plans the skill.
    fn adopted(self, name: &str, sources: &mut Sources<'_>) -> Result<PlannedSkill, Error> {
        let refused = |why: &str, help| {
            let why = prose!("{}: {why}", &self.claim.file);
            Ok(PlannedSkill::new(name, None).refuse(why, help))
        };
        let mut from = match &self.claim.source {
            Ok(from) => from.clone(),
            Err(why) => return refused(why, "install it from its source"),
        };
        if self.claim.is_partial {
            if !sources.may_read(&from) {
                let why = format!("its source is on this machine: {}", from.shown_source());
                return refused(&why, "look at that source, then use --yes-local");
            }
            match sources.path(&from, name) {
                Ok(path) => from.path = path,
                Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
                Err(error) => {
                    let why = prose!("{}: {}", &self.claim.file, &error);
                    let help = error.remedy_or("install it from its source");
                    return Ok(PlannedSkill::new(name, None).refuse(why, help));
                }
            }
        }
        let locked = Locked::new(self.now.digest(), self.now.size())
            .with_powers(&snapshot_powers(&self.now))
            .from(from);
        let mut skill = PlannedSkill::new(name, Some(&locked));
        skill.describe(&self.now, self.read.as_ref());
        skill.note = Some(self.note());
        skill.action = Action::Adopt;
        skill.prepared = Some(Box::new(Prepared {
            before: Some(self.now.seen()),
            upstream: self.now.clone(),
            result: self.now,
            locked,
        }));
        Ok(skill)
    }
}

/// The sources in which skills are looked up by name. Each is fetched once.
struct Sources<'s> {
    target: &'s Path,
    place: LockPlace,
    local: LocalSources,
    host: Host<'s>,
    temporary: &'s PathBuf,
    offers: BTreeMap<(String, Option<String>), Offer<'s>>,
}

impl Sources<'_> {
    /// Returns whether a source may be read. A lock that came with a clone must not choose what is read on this machine.
    fn may_read(&self, from: &Provenance) -> bool {
        self.local == LocalSources::Allow || self.place.of(&from.source) != SourcePlace::Local
    }

    /// Returns the folder of a skill in its source.
    fn path(&mut self, from: &Provenance, name: &str) -> Result<Option<String>, Error> {
        let key = (from.source.clone(), from.requested.clone());
        let offer = match self.offers.entry(key) {
            Entry::Occupied(offer) => offer.into_mut(),
            Entry::Vacant(place) => {
                let Some(source) = source_of(from, self.target) else {
                    return Ok(None);
                };
                place.insert(Offer::fetch(source?, self.temporary, self.host)?)
            }
        };
        let found = offer.find(name)?;
        Ok(Some(found.path).filter(|path| !path.is_empty()))
    }
}

//! `update`: installed skills follow their sources.

use crate::error::{Error, ErrorKind};
use crate::files::copy::is_there;
use crate::files::snapshot::Snapshot;
use crate::files::work::read_lock;
use crate::install::candidate::{Candidate, Offered, Strictness};
use crate::install::decide::{OnConflict, Place, decide};
use crate::install::host::Host;
use crate::install::plan::{Plan, PlannedSkill};
use crate::install::provenance::source_of;
use crate::install::source::{Origin, Source};
use crate::install::tree::{Resolved, SourceTree};
use skills_compiler::{Lock, Locked, Provenance};
use std::collections::BTreeMap;
use std::path::Path;

/// Which skills are updated, and how.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct UpdateOptions {
    /// The skills; none for all.
    pub names: Vec<String>,
    /// Whether errors of a strict check refuse a new version.
    pub strictness: Strictness,
    /// What is done about changes by hand.
    pub on_conflict: OnConflict,
}

/// Plans to bring installed skills to what their sources have now. A branch is followed; a tag or a
/// commit stays, and a newer tag is noted.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] for a name that is not in the lock. What fails for one skill or one source
/// is in the plan.
pub fn plan_update(target: &Path, options: &UpdateOptions, host: Host<'_>) -> Result<Plan, Error> {
    let lock = read_lock(target)?;
    let names = named(&lock, &options.names, target)?;
    let mut groups: BTreeMap<(String, Option<String>), Vec<&String>> = BTreeMap::new();
    let mut planned = Vec::new();
    for (name, locked) in lock.skills.iter().filter(|(name, _)| names.contains(name)) {
        if let Some(from) = &locked.provenance {
            let key = (from.source.clone(), from.requested.clone());
            groups.entry(key).or_default().push(name);
        } else {
            let mut skill = PlannedSkill::new(name, Some(locked));
            skill.reason = Some("no source is known".to_owned());
            planned.push(skill);
        }
    }
    let temporary = host.data.temporary();
    for names in groups.values() {
        let group = Group {
            lock: &lock,
            target,
            options,
            host,
        };
        planned.extend(group.plan(names, &temporary)?);
    }
    Ok(Plan::new(target.to_owned(), planned, "update"))
}

/// The names that are asked for, of those in a lock.
pub(crate) fn named<'l>(
    lock: &'l Lock,
    names: &[String],
    target: &Path,
) -> Result<Vec<&'l String>, Error> {
    if names.is_empty() {
        return Ok(lock.skills.keys().collect());
    }
    let find = |name: &String| {
        lock.skills
            .get_key_value(name)
            .map(|(name, _)| name)
            .ok_or_else(|| {
                let message = format!(
                    "'{}' is not in the lock of {}",
                    name.escape_debug(),
                    target.display()
                );
                Error::new(ErrorKind::NotFound, message)
                    .help("`skills list` shows where each skill comes from")
            })
    };
    names.iter().map(find).collect()
}

/// Skills of one source and one revision: it is asked and fetched once.
struct Group<'g> {
    lock: &'g Lock,
    target: &'g Path,
    options: &'g UpdateOptions,
    host: Host<'g>,
}

impl Group<'_> {
    fn plan(
        &self,
        names: &[&String],
        temporary: &std::path::PathBuf,
    ) -> Result<Vec<PlannedSkill>, Error> {
        let entries: Vec<(&String, &Locked, &Provenance)> = names
            .iter()
            .filter_map(|name| {
                let locked = self.lock.skills.get(*name)?;
                Some((*name, locked, locked.provenance.as_ref()?))
            })
            .collect();
        let Some((_, _, first)) = entries.first() else {
            return Ok(Vec::new());
        };
        let new = |name: &str, locked| PlannedSkill::new(name, Some(locked));
        let all = |tell: &dyn Fn(PlannedSkill) -> PlannedSkill| {
            let planned = entries
                .iter()
                .map(|(name, locked, _)| tell(new(name, locked)));
            planned.collect::<Vec<_>>()
        };
        let Some(source) = source_of(first, self.target) else {
            return Ok(all(&|mut skill| {
                skill.reason =
                    Some("a program exported it, and updates it with `export`".to_owned());
                skill
            }));
        };
        let found = source.and_then(|source| {
            let resolved = self.resolve(&source)?;
            Ok((source, resolved))
        });
        let (source, resolved) = match found {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
            Err(error) => return Ok(all(&|skill| skill.failed(&error))),
        };
        let mut tree: Option<SourceTree<'_>> = None;
        let mut planned = Vec::new();
        for (name, locked, from) in entries.iter().copied() {
            let note = resolved.as_ref().and_then(|resolved| note(from, resolved));
            let commit = target_commit(from, resolved.as_ref());
            let same = commit.is_some() && commit == from.commit.as_deref();
            let there = is_there(&self.target.join(name));
            let mut skill = if same && there && self.options.on_conflict != OnConflict::Force {
                new(name, locked)
            } else {
                if tree.is_none() {
                    let whole = Source {
                        path: None,
                        ..source.clone()
                    };
                    match self.host.fetcher(temporary).fetch(&whole, commit) {
                        Ok(fetched) => tree = Some(fetched),
                        Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
                        Err(error) => return Ok(all(&|skill| skill.failed(&error))),
                    }
                }
                match &tree {
                    Some(tree) => self
                        .plan_one(name, locked, from, tree)
                        .unwrap_or_else(|error| new(name, locked).failed(&error)),
                    None => new(name, locked),
                }
            };
            skill.note = note;
            planned.push(skill);
        }
        Ok(planned)
    }

    fn resolve(&self, source: &Source) -> Result<Option<Resolved>, Error> {
        match &source.origin {
            Origin::Git(url) => {
                let temporary = self.host.data.temporary();
                let fetcher = self.host.fetcher(&temporary);
                fetcher.resolve(url, source.revision.as_deref()).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn plan_one(
        &self,
        name: &str,
        old: &Locked,
        from: &Provenance,
        tree: &SourceTree<'_>,
    ) -> Result<PlannedSkill, Error> {
        let path = from.path.clone().unwrap_or_default();
        let mut provenance = from.clone();
        provenance.commit.clone_from(&tree.commit);
        if !tree.skills(from.path.as_deref()).contains(&path) {
            let mut skill = PlannedSkill::new(name, Some(old));
            skill.reason = Some("its source no longer has it; it is kept".to_owned());
            return Ok(skill);
        }
        let offered = Offered {
            name: name.to_owned(),
            description: String::new(),
            path,
        };
        let candidate = Candidate::read(tree, &offered, self.host.observer)?;
        let locked = Locked::new(candidate.snapshot.digest(), candidate.snapshot.size());
        let locked = locked.from(provenance);
        let mut planned = PlannedSkill::new(name, Some(&locked));
        planned.describe(&candidate.snapshot, candidate.skill.as_ref());
        planned.findings.clone_from(&candidate.findings);
        let errors = candidate.errors();
        match &candidate.skill {
            Some(skill) if skill.name.as_str() != name => {
                let reason = format!("its source has renamed it to `{}`", skill.name);
                return Ok(
                    planned.refuse(reason, "uninstall it, then install it under the new name")
                );
            }
            None => {
                let reason = "no name and description can be read from its new SKILL.md";
                return Ok(planned.refuse(reason, "this is for its author to correct"));
            }
            Some(_) => {}
        }
        if errors > 0 && self.options.strictness == Strictness::Strict && !locked.is_same(old) {
            let count = if errors == 1 {
                "1 error".to_owned()
            } else {
                format!("{errors} errors")
            };
            let reason = format!("a strict check of the new version finds {count}");
            return Ok(planned.refuse(
                reason,
                "tell its author, or use --lenient to take it as it is",
            ));
        }
        let lost = || self.installed_version(from);
        let place = Place {
            target: self.target,
            old: Some(old),
            on_conflict: self.options.on_conflict,
            lost: &lost,
        };
        decide(planned, candidate.snapshot, locked, &place, self.host)
    }

    /// The installed version from its source, for when the store has lost it.
    fn installed_version(&self, from: &Provenance) -> Result<Option<Snapshot>, Error> {
        let (Some(commit), Some(Ok(source))) = (&from.commit, source_of(from, self.target)) else {
            return Ok(None);
        };
        let temporary = self.host.data.temporary();
        let tree = self.host.fetcher(&temporary).fetch(&source, Some(commit))?;
        let path = from.path.clone().unwrap_or_default();
        tree.skill(&path, self.host.observer).map(Some)
    }
}

/// The commit to go to: what does not move stays as it is locked.
fn target_commit<'c>(from: &'c Provenance, resolved: Option<&'c Resolved>) -> Option<&'c str> {
    let resolved = resolved?;
    match &from.commit {
        Some(commit) if resolved.is_pinned => Some(commit),
        _ => Some(&resolved.commit),
    }
}

/// What is worth knowing about a tag.
fn note(from: &Provenance, resolved: &Resolved) -> Option<String> {
    let tag = from.requested.as_deref().filter(|_| resolved.is_pinned)?;
    if from
        .commit
        .as_ref()
        .is_some_and(|commit| *commit != resolved.commit)
    {
        return Some(format!(
            "the tag {tag} names another commit now; the skill stays as it is"
        ));
    }
    let newest = resolved
        .tags
        .iter()
        .filter_map(|tag| Some((version(tag)?, tag)))
        .max()?;
    (newest.0 > version(tag)?).then(|| format!("a newer tag exists: {}", newest.1))
}

/// The numbers of a tag such as `v1.2.3`; `None` for other names, and for versions to come.
fn version(tag: &str) -> Option<Vec<u64>> {
    let numbers = tag.strip_prefix('v').unwrap_or(tag);
    numbers
        .split('.')
        .map(|number| number.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert!(version("v1.10") > version("v1.9.9"));
        assert!(version("2") > version("v1"));
        assert_eq!(version("v2.0-rc1"), None);
        assert_eq!(version("nightly"), None);
    }
}

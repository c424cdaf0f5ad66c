//! A copy of a skill with conflict markers, which a person edits and `update --continue` takes.
//!
//! The copy lies in the data folder, as `merges/NAME` with its record `NAME.json` beside it; of a skill of the same name in
//! another folder, as `merges/NAME-2`. The record is written first, so that a copy always has a record.

use crate::install::answer::fault;
use crate::install::conflict::{Answer, Answers, Conflict};
use crate::install::decide::held;
use crate::install::difference::between;
use crate::install::host::Host;
use crate::install::markers::marker_left;
use crate::install::merge::merge;
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::install::seen::Heed;
use crate::lock::{from_entry, read_lock, to_entry};
use serde::{Deserialize, Serialize};
use skills_compiler::{Lock, Locked};
use skills_format::disk::resolved;
use skills_format::text::command::Command;
use skills_format::{Digest, Prose, SKILL_FILE, SkillFile, command, prose};
use skills_store::files::copy::{
    is_there, list, make_folder, read_json, remove, rename, replace_json,
};
use skills_store::files::data::DataFolder;
use skills_store::files::folder::Durable;
use skills_store::files::lock::LockEntry;
use skills_store::files::relative_path::RelativePath;
use skills_store::files::snapshot::{Entry, Snapshot};
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The end of the name of the source's version of a file that is not text.
const THEIRS: &str = ".theirs";
/// The beginning of the name of a folder that is being written.
const PART: &str = ".part-";

/// The copy of one skill.
#[derive(Clone, Debug)]
pub struct MergeCopy {
    /// The folder that the person edits.
    pub folder: PathBuf,
    /// The edited copy of an earlier merge, which the skill has outdated. It is kept aside.
    pub aside: Option<PathBuf>,
    record: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    version: u32,
    target: PathBuf,
    name: String,
    /// The fingerprint of the skill when it was merged.
    now: String,
    /// The fingerprint of the copy as it was written.
    copy: String,
    /// The digest of the new version, which the store holds.
    upstream: String,
    /// The lock entry before.
    old: Option<LockEntry>,
    /// The lock entry after.
    new: LockEntry,
    /// The files with conflict markers.
    marked: Vec<String>,
    /// The files of the source beside local ones, which the person removes.
    beside: Vec<String>,
}

impl MergeCopy {
    /// Returns the place of the copy of a skill. Writes nothing.
    fn of(target: &Path, name: &str, data: &DataFolder) -> Result<Self, Error> {
        let folder = data.merges();
        let at = |stem: &str| Self {
            folder: folder.join(stem),
            aside: None,
            record: folder.join(format!("{stem}.json")),
        };
        // Before a free place: a copy that was taken leaves the places before others free.
        let known = records(data)?;
        let is_own = |known: &Record| known.name == name && is_same(&known.target, target);
        if let Some((stem, _)) = known.iter().find(|(_, record)| is_own(record)) {
            return Ok(at(stem));
        }
        let more = (2..u32::MAX).map(|n| format!("{name}-{n}"));
        let mut stems = std::iter::once(name.to_owned()).chain(more);
        if let Some(stem) = stems.find(|stem| !known.contains_key(stem)) {
            return Ok(at(&stem));
        }
        Err(Error::new(ErrorKind::Refused, "too many merges wait").help("finish one of them"))
    }

    /// Returns the digests of the versions that the copies need.
    ///
    /// # Errors
    ///
    /// If a record cannot be read.
    pub fn kept(data: &DataFolder) -> Result<BTreeSet<Digest>, Error> {
        let mut kept = BTreeSet::new();
        for record in records(data)?.values() {
            kept.extend(Digest::parse(&record.upstream));
        }
        Ok(kept)
    }

    fn remove(&self) -> Result<(), Error> {
        remove(&self.folder)?;
        remove(&self.record)
    }

    /// Fails if the person has edited a copy that another one would replace. Of a merge that can no longer be finished,
    /// returns true: the skill was changed since.
    fn is_outdated(&self, skill_now: &Snapshot, lock: &Lock) -> Result<bool, Error> {
        if !is_there(&self.folder)? {
            return Ok(false);
        }
        let record: Option<Record> = read_json(&self.record)?;
        let now = Snapshot::read(&self.folder)?.fingerprint().to_string();
        let Some(record) = record else {
            return Ok(true);
        };
        if record.copy == now {
            return Ok(false);
        }
        let entry = lock.skills.get(&record.name).map(to_entry);
        if record.now != skill_now.fingerprint().to_string() || record.old != entry {
            return Ok(true);
        }
        let message = prose!("{} is edited already", &self.folder);
        Err(Error::new(ErrorKind::Refused, message)
            .help("finish that merge with --continue, or remove the folder"))
    }

    /// Moves the edited copy aside, where nothing takes it and nothing removes it.
    fn set_aside(&mut self) -> Result<(), Error> {
        let name = self
            .folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        for n in 1..u32::MAX {
            let aside = self.folder.with_file_name(format!("{name}.edited-{n}"));
            if !is_there(&aside)? {
                rename(&self.folder, &aside)?;
                self.aside = Some(aside);
                break;
            }
        }
        Ok(())
    }
}

/// Writes the copy of a skill whose merge has conflicts, with the given answers, and with markers for the rest.
///
/// # Errors
///
/// [`ErrorKind::Refused`] if a conflict cannot be marked, or the person has edited an earlier copy.
pub fn write_merge_copy(
    plan: &Plan,
    name: &str,
    answers: &Answers,
    host: Host<'_>,
) -> Result<MergeCopy, Error> {
    let mut copy = MergeCopy::of(&plan.target, name, host.data)?;
    let skill = plan.skills.iter().find(|skill| skill.name == name);
    let Some((skill, unmerged)) = skill.and_then(|skill| Some((skill, skill.unmerged.as_ref()?)))
    else {
        let message = format!("'{name}' has no conflicts");
        return Err(Error::new(ErrorKind::NotFound, message));
    };
    let lock = read_lock(&plan.target, host.data)?;
    if copy.is_outdated(&unmerged.now, &lock)? {
        copy.set_aside()?;
    }
    let mut answers = answers.clone();
    let (mut marked, mut beside) = (Vec::new(), Vec::new());
    for Conflict { path, .. } in &skill.conflicts {
        if let Some(text) = skill.marked(path) {
            answers.insert(path.clone(), Answer::Text(text));
            marked.push(path.clone());
        } else {
            answers.insert(path.clone(), Answer::Ours);
            beside.push(path.clone());
        }
    }
    let mut merged = merge(
        &unmerged.installed,
        &unmerged.now,
        &unmerged.upstream,
        &answers,
    );
    for path in &mut beside {
        let theirs = unmerged.upstream.get(path).cloned();
        let (Some(theirs), Some(place)) = (theirs, free_place(path, &merged.result)) else {
            return Err(unmarkable(path));
        };
        *path = place.to_string();
        merged.result.entries.insert(place, Entry::File(theirs));
    }
    if merged.result.conflict().is_some() {
        return Err(unmarkable(beside.first().map_or(name, String::as_str)));
    }
    let record = Record {
        version: 1,
        target: plan.target.clone(),
        name: name.to_owned(),
        now: unmerged.now.fingerprint().to_string(),
        copy: merged.result.fingerprint().to_string(),
        upstream: host.data.store().put(&unmerged.upstream)?.to_string(),
        old: lock.skills.get(name).map(to_entry),
        new: to_entry(&unmerged.locked),
        marked,
        beside,
    };
    copy.write(&record, &merged.result)?;
    Ok(copy)
}

/// Returns the place of the source's version beside a file. A person's own file of that name stays.
fn free_place(path: &str, files: &Snapshot) -> Option<RelativePath> {
    let more = (2..100).map(|n| format!("{path}{THEIRS}-{n}"));
    let places = std::iter::once(format!("{path}{THEIRS}")).chain(more);
    let mut places = places.filter_map(|place| RelativePath::new(place).ok());
    places.find(|place| !files.entries.contains_key(place))
}

fn unmarkable(path: &str) -> Error {
    let message = format!("{path} cannot be shown with conflict markers");
    Error::new(ErrorKind::Refused, message)
        .help("choose one of the versions with --ours PATH or --theirs PATH")
}

impl MergeCopy {
    fn write(&self, record: &Record, files: &Snapshot) -> Result<(), Error> {
        let above = self.folder.parent().unwrap_or(&self.folder);
        let name = self.folder.file_name().unwrap_or_default();
        let part = above.join(format!("{PART}{}", name.to_string_lossy()));
        make_folder(above)?;
        remove(&part)?;
        files.write(&part, Durable::No)?;
        // The old copy, which nobody has edited, before the new record: a record must not name another copy.
        remove(&self.folder)?;
        replace_json(&self.record, record)?;
        rename(&part, &self.folder)
    }
}

/// Reads the records of all copies, by the names of their folders.
fn records(data: &DataFolder) -> Result<BTreeMap<String, Record>, Error> {
    let mut records = BTreeMap::new();
    for (name, path) in list(&data.merges())? {
        if let Some(stem) = name.strip_suffix(".json") {
            records.extend(read_json(&path)?.map(|record| (stem.to_owned(), record)));
        }
    }
    Ok(records)
}

/// Returns whether two paths lead to one folder.
fn is_same(one: &Path, other: &Path) -> bool {
    one == other || resolved(one) == resolved(other)
}

/// Plans to take the edited copy of a skill. `again` is the command that begins the merge again.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] if no merge of the skill waits.
pub fn plan_continue(
    target: &Path,
    name: &str,
    again: &Command,
    host: Host<'_>,
) -> Result<Plan, Error> {
    let lock = read_lock(target, host.data)?;
    if !is_a_name(name) {
        return Err(nothing_waits(target, name, host.data));
    }
    let copy = MergeCopy::of(target, name, host.data)?;
    let record: Option<Record> = read_json(&copy.record)?;
    let Some(record) = record.filter(|record| record.version == 1) else {
        return Err(nothing_waits(target, name, host.data));
    };
    let waiting = Waiting {
        name,
        record,
        copy,
        again,
        host,
    };
    let skill = waiting.plan(target, lock.skills.get(name))?;
    let plan = Plan::new(target.to_owned(), vec![skill], "update")?;
    Ok(plan.over(&lock, Heed::Nothing))
}

fn is_a_name(name: &str) -> bool {
    skills_format::SkillName::new(name).is_ok()
}

fn nothing_waits(target: &Path, name: &str, data: &DataFolder) -> Error {
    let message = prose!("no merge of '{}' in {} waits", name.escape_debug(), target);
    let mut waiting = match records(data) {
        Ok(waiting) => waiting,
        Err(error) => return error,
    };
    waiting.retain(|_, record| is_same(&record.target, target));
    let names: Vec<&str> = waiting.values().map(|record| &*record.name).collect();
    let help = if names.is_empty() {
        prose!("{} begins one", command("update --markers"))
    } else {
        prose!("a merge of {} waits", &names.join(", "))
    };
    Error::new(ErrorKind::NotFound, message)
        .help(help)
        .did_you_mean(name, names)
}

/// A merge that waits for the person.
struct Waiting<'w> {
    name: &'w str,
    record: Record,
    copy: MergeCopy,
    again: &'w Command,
    host: Host<'w>,
}

impl Waiting<'_> {
    fn plan(&self, target: &Path, old: Option<&Locked>) -> Result<PlannedSkill, Error> {
        let record = &self.record;
        let Some(new) = from_entry(&record.new) else {
            return Err(Error::new(
                ErrorKind::Damaged,
                prose!("{} has no digest", &self.copy.record),
            )
            .help("remove it, and begin the merge again"));
        };
        let mut planned = PlannedSkill::new(self.name, Some(&new));
        let edited = match Snapshot::read(&self.copy.folder) {
            Ok(edited) => edited,
            Err(error) if error.is_not_found() => {
                let reason = prose!("{} is not there any more", &self.copy.folder);
                return Ok(planned.refuse(reason, self.begin_again()));
            }
            Err(error) => return Err(error),
        };
        let path = target.join(self.name);
        if !is_there(&path)? || path.is_symlink() {
            return Ok(planned.refuse("it was removed meanwhile", self.begin_again()));
        }
        let now = Snapshot::read(&path)?;
        planned.copy = Some(self.copy.record.clone());
        if now.entries == edited.entries && old == Some(&new) {
            // A kill between the change and the removal of the copy.
            self.copy.remove()?;
            planned.reason = Some("the merge is in place already".into());
            return Ok(planned);
        }
        let is_same_entry = old.map(to_entry) == record.old;
        if now.fingerprint().to_string() != record.now || !is_same_entry {
            let reason = "the skill was changed since the merge began";
            return Ok(planned.refuse(reason, self.begin_again()));
        }
        let digest = Digest::parse(&record.upstream);
        let upstream = digest.map(|digest| self.host.data.store().get(digest));
        let Some(upstream) = upstream.transpose()?.flatten() else {
            let reason = "the store has lost the new version";
            return Ok(planned.refuse(reason, self.begin_again()));
        };
        if let Some(reason) = self.unfinished(&edited, &now, &upstream) {
            let help = prose!(
                "edit it there, then run the same command again; {} is the folder",
                &self.copy.folder
            );
            return Ok(planned.refuse(reason, help));
        }
        let (_, file) = edited.skill_file().unzip();
        let bytes = file.map(|file| &*file.bytes).unwrap_or_default();
        let file = SkillFile::read(SKILL_FILE, self.name, bytes);
        planned.describe(&edited, file.lenient().0.as_ref());
        let installed = match old {
            Some(old) => self.host.data.store().get(old.digest)?,
            None => None,
        };
        if let Some(old) = old {
            planned.gain(&held(installed.as_ref(), old), &upstream);
        }
        planned.difference = between(&now, &edited);
        let seen = Some(now.seen());
        Ok(planned.prepare(Action::Merge, upstream, edited, seen, new))
    }

    fn begin_again(&self) -> Prose {
        prose!(
            "{} begins the merge again; an edited copy is kept aside",
            self.again.clone()
        )
    }

    /// Returns the reason why the copy cannot be taken yet.
    fn unfinished(&self, edited: &Snapshot, now: &Snapshot, upstream: &Snapshot) -> Option<Prose> {
        for path in &self.record.marked {
            let of = |side: &Snapshot| side.get(path).map(|file| file.bytes.to_vec());
            let (ours, theirs) = (
                of(now).unwrap_or_default(),
                of(upstream).unwrap_or_default(),
            );
            let text = of(edited).unwrap_or_default();
            if let Some(line) = marker_left(&text, &[&ours, &theirs]) {
                return Some(format!("{path}:{line} holds a conflict marker").into());
            }
        }
        let left = |path: &&String| edited.entries.contains_key(path.as_str());
        if let Some(path) = self.record.beside.iter().find(left) {
            let file = path
                .rsplit_once(THEIRS)
                .map_or(path.as_str(), |(file, _)| file);
            return Some(
                format!("{path} is the new version of {file}: keep one of both, as {file}").into(),
            );
        }
        if let Some(why) = edited.conflict() {
            return Some(why.into());
        }
        fault(self.name, edited)
    }
}
